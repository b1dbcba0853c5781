"""What a folder is: a run of which command, or what else of hsevo, and what takes it.

A YAML file such as arena.yaml says its kind, format, version and plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from hsevo import __version__, config
from hsevo.errors import RunError, brief, resuming
from hsevo.files import read_json, write_whole

KIND, LEARNED = "hsevo run", "hsevo learning run"  # of hsevo evolve; of hsevo learn
DECKS = "hsevo deck search"  # of hsevo decks evolve
COEVOLUTION = "hsevo coevolution"  # of hsevo coevolve
STUDY, PEOPLE, SWEEP = "study", "study with participants", "sweep"  # nouns of folders
# The kinds of runs: the command that makes them, and what to do with one instead.
RUNS: dict[str, tuple[str, Callable[[Path], str]]] = {
    KIND: ("evolve", lambda path: f"continue with: {resuming('evolve', path)}"),
    LEARNED: ("learn", lambda path: f"its player is the agent rl:{path}; hsevo report, watch and"
                                    " verify also accept it"),
    DECKS: ("decks evolve", lambda path: f"its best deck is {quote(str(path / 'best.txt'))}, once"
                                         " it is done; hsevo report, watch and verify also accept"
                                         " it"),
    COEVOLUTION: ("coevolve", lambda path: "its champion is"
                                           f" AGENT:{quote(str(path / 'champion.yaml'))} with the"
                                           f" deck {quote(str(path / 'champion.txt'))}, once it is"
                                           " done; hsevo report, watch and verify also accept it"),
}


class Known(NamedTuple):
    """What a folder is besides a run: its noun, in words for an error, and what takes it.

    noun: "" if it is not shown among results.
    """

    noun: str
    says: str
    command: Callable[[Path], str]


# By the files that only such a folder has; the first that fits.
KINDS: dict[tuple[str, ...], Known] = {
    ("benchmark.csv",): Known("benchmark", "a finished benchmark",
                              lambda path: f"hsevo report --arena {_shell(path)}"),
    ("ratings.csv",): Known("arena", "a finished arena",
                            lambda path: f"hsevo report --arena {_shell(path)}"),
    ("arena.yaml",): Known("arena", "an arena that is not finished",
                           lambda path: f"hsevo arena --resume {_shell(path)}"),
    ("study.yaml",): Known(STUDY, "a study",
                           lambda path: f"hsevo report {_shell(path)}, or hsevo study"
                                        f" {_shell(path / 'study.yaml')}"),
    ("sweep.yaml",): Known(SWEEP, "a sweep", lambda path: f"hsevo report {_shell(path)}"),
    ("ladder.yaml",): Known("", "a ladder",
                            lambda path: f"hsevo ladder {_shell(path / 'ladder.yaml')}"),
    ("tournament.yaml",): Known("tournament", "a tournament of hsevo 0.5",
                                lambda path: f"hsevo replay {_shell(path)}"),
    ("examined.yaml",): Known("agent profile", "an examined agent",
                              lambda path: f"hsevo report --examined {_shell(path)}"),
    ("play.yaml", "design.yaml"): Known(PEOPLE, "a study with participants",
                                        lambda path: f"hsevo report {_shell(path)}"),
    ("play.yaml",): Known("played games", "a folder of games played by a person",
                          lambda path: f"hsevo replay {_shell(path)}"),
    ("series.yaml",): Known("series", "a folder of series",
                            lambda path: f"hsevo replay {_shell(path)}"),
    ("dataset.yaml",): Known("", "a data set",
                             lambda path: f"hsevo replay {_shell(path)}"),
    ("cast.json",): Known("match", "a match", lambda path: f"hsevo replay {_shell(path)}"),
    ("report.html",): Known("", "a report", lambda path: "python -m webbrowser"
                                                         f" {_shell(path / 'report.html')}"),
}


def known(folder: Path) -> Known | None:
    """Return what a folder is besides a run; None if it is nothing of hsevo's."""
    return next((kind for names, kind in KINDS.items()
                 if all((folder / name).is_file() for name in names)), None)


def no_run(folder: Path) -> str:
    """Return what a folder is if it is another of hsevo's, and what to call; "" if it is not."""
    kind = known(folder)
    return "" if kind is None else (
        f"{folder} is {kind.says}, not a run; call: {kind.command(folder)}")


def _shell(path: Path) -> str:
    return quote(str(path))


def kind_of(path: Path) -> str:
    """Return the kind of run that about.json names, as KIND; "" if it names none."""
    try:
        kind = read_json(path / "about.json").get("kind")
    except (RunError, AttributeError):
        return ""
    return kind if isinstance(kind, str) else ""


def unfinished(path: Path, kind: str) -> bool:
    """Return whether a path is a run folder of a kind that can be resumed: it is not done."""
    return kind_of(path) == kind and not (path / "done").exists()


class About(NamedTuple):
    """Such a file of one kind of folder."""

    name: str
    kind: str
    format: int = 1

    def write(self, folder: Path, more: Mapping[str, Any]) -> None:
        """Write it, whole or not at all. Raises RunError."""
        tree = {"kind": self.kind, "format": self.format, "version": __version__, **more}
        write_whole(folder / self.name, config.to_yaml(tree).encode())

    def read(self, folder: Path) -> dict[str, Any]:
        """Read it; a file that names no format has the first.

        Raises RunError if it is another program's or version's, ConfigError if it is damaged.
        """
        source = folder / self.name
        about = config.parse(config.read_text(source), str(source))
        if (about.get("kind"), about.get("format", 1)) != (self.kind, self.format):
            raise RunError(f"{source} is not of this hsevo; it was written by"
                           f" {brief(about.get('version', 'another program'))}")
        return about
