"""What a folder is: a run of which command, or what else of hsevo, and what takes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from shlex import quote

from hsevo.errors import RunError, resuming
from hsevo.files import read_text

KIND, LEARNED = "hsevo run", "hsevo learning run"  # of hsevo evolve; of hsevo learn
DECKS = "hsevo deck search"  # of hsevo decks evolve
COEVOLUTION = "hsevo coevolution"  # of hsevo coevolve
# The kinds of runs: the command that makes them, and what to do with one instead.
RUNS: dict[str, tuple[str, Callable[[Path], str]]] = {
    KIND: ("evolve", lambda path: f"continue with: {resuming('evolve', path)}"),
    LEARNED: ("learn", lambda path: f"its player is the agent rl:{path}; hsevo report, watch and"
                                    " verify take it, too"),
    DECKS: ("decks evolve", lambda path: f"its best deck is {quote(str(path / 'best.txt'))}, once"
                                         " it is done; hsevo report, watch and verify take it,"
                                         " too"),
    COEVOLUTION: ("coevolve", lambda path: "its champion is AGENT:"
                                           f"{quote(str(path / 'champion.yaml'))} with the deck"
                                           f" {quote(str(path / 'champion.txt'))}, once it is done;"
                                           " hsevo report, watch and verify take it, too"),
}
# By a file that only such a folder has: what it is, and the command that takes it.
KINDS: dict[str, tuple[str, Callable[[Path], str]]] = {
    "benchmark.csv": ("a finished benchmark",
                      lambda path: f"hsevo report --arena {quote(str(path))}"),
    "ratings.csv": ("a finished arena", lambda path: f"hsevo report --arena {quote(str(path))}"),
    "arena.yaml": ("an arena that is not finished",
                   lambda path: f"hsevo arena --resume {quote(str(path))}"),
    "study.yaml": ("a study", lambda path: f"hsevo study {quote(str(path / 'study.yaml'))}"),
    "tournament.yaml": ("a tournament", lambda path: f"hsevo replay {quote(str(path))}, or hsevo"
                        f" report --tournament {quote(str(path))} --agents and the file of its"
                        " agents"),
    "examined.yaml": ("an examined agent", lambda path: "hsevo report --examined"
                                                        f" {quote(str(path))}"),
    "play.yaml": ("a folder of games that somebody played",
                  lambda path: f"hsevo replay {quote(str(path))}"),
    "series.yaml": ("a folder of series", lambda path: f"hsevo replay {quote(str(path))}"),
    "cast.json": ("a match", lambda path: f"hsevo replay {quote(str(path))}"),
    "report.html": ("a report", lambda path: "python -m webbrowser"
                                             f" {quote(str(path / 'report.html'))}"),
}


def no_run(folder: Path) -> str:
    """Return what a folder is if it is another of hsevo's, and what to call; "" if it is not."""
    for name, (says, command) in KINDS.items():
        if (folder / name).is_file():
            return f"{folder} is {says}, not a run; call: {command(folder)}"
    return ""


def kind_of(path: Path) -> str:
    """Return the kind of run that about.json names, as KIND; "" if it names none."""
    try:
        found = json.loads(read_text(path / "about.json")).get("kind")
    except (RunError, ValueError, AttributeError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""


def unfinished(path: Path, kind: str) -> bool:
    """Return whether a path is a run folder of a kind that can be resumed: it is not done."""
    return kind_of(path) == kind and not (path / "done").exists()
