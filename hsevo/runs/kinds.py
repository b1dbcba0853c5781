"""What a folder without a run in it is, and which command takes it, in one line for a message."""

from collections.abc import Callable
from pathlib import Path
from shlex import quote

# By a file that only such a folder has: what it is, and the command that takes it.
KINDS: dict[str, tuple[str, Callable[[Path], str]]] = {
    "benchmark.csv": ("a benchmark", lambda path: f"hsevo report --arena {quote(str(path))}"),
    "ratings.csv": ("an arena", lambda path: f"hsevo report --arena {quote(str(path))}"),
    "arena.yaml": ("an arena that is not finished",
                   lambda path: f"hsevo arena --resume {quote(str(path))}"),
    "study.yaml": ("a study", lambda path: f"hsevo study {quote(str(path / 'study.yaml'))}"),
    "tournament.yaml": ("a tournament", lambda path: f"hsevo replay {quote(str(path))}, or hsevo"
                        f" report --tournament {quote(str(path))} --agents and the file of its"
                        " agents"),
    "examined.yaml": ("an examined agent", lambda path: "hsevo report --examined"
                                                        f" {quote(str(path))}"),
    "cast.json": ("a match", lambda path: f"hsevo replay {quote(str(path))}"),
    "report.html": ("a report", lambda path: "python -m webbrowser"
                                             f" {quote(str(path / 'report.html'))}"),
}


def no_run(folder: Path) -> str:
    """Return what a folder is if it is another of hsevo's, and what to call; "" if it is none."""
    for name, (says, command) in KINDS.items():
        if (folder / name).is_file():
            return f"{folder} is {says}, not a run; call: {command(folder)}"
    return ""
