"""What several commands share: options, JSON, rates as text, hints on resuming."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from hsevo import __version__, generated
from hsevo.cli.completion import AGENT, AGENTS, DECKS
from hsevo.errors import (
    HsevoError,
    RunError,
    Stopped,
    WorkersError,
    WriteError,
    resuming,
)
from hsevo.objects import to_object

FOLDER = click.Path(path_type=Path)
# of a disk, and of limits that its user can lift: the same may go well later
PASSING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


# What completes the value of a key, by its name.
COMPLETED = {"decks": DECKS, "start": AGENTS, "against": AGENTS, "pilots": AGENTS, "pilot": AGENT,
             "pretrained": AGENTS}


def plan_options(*plans: str, without: Collection[str] = ()) -> Callable[..., Any]:
    """Add the options that are keys of plans, of generated.OPTIONS.

    Each is None if it was not given, a flag False: the plan has the defaults.
    """
    options = [option for plan in plans for option in generated.OPTIONS[plan]
               if option.name not in without]

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            how: dict[str, Any] = {"is_flag": True} if option.kind == "flag" else {
                "type": _type_of(option), "metavar": option.metavar,
                "shell_complete": COMPLETED.get(option.name)}
            command = click.option(f"--{option.name.replace('_', '-')}", help=option.help,
                                   **how)(command)
        return command
    return add


def _type_of(option: generated.PlanOption) -> Any:
    """Return the type of an option's values."""
    if option.choices:
        return click.Choice(option.choices)
    if option.least is not None:
        return click.IntRange(option.least)
    return {"whole": int, "number": float, "pair": (float, float)}.get(option.kind, str)


workers_options = plan_options("workers")
rules_options = plan_options("rules")
game_options = plan_options("rules", without=("decks",))


def plan_keys(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of a command by the keys of its plan."""
    return {generated.KEYS.get(name, name): value for name, value in options.items()}


crosstab_option = click.option(
    "--crosstab", "crosstabs", multiple=True, type=click.Choice(["agents", "decks"]),
    help="Also print a cross table of win rates by agents or by decks. May be repeated.")
trust_option = click.option("--trust", is_flag=True,
                            help="Run Python files (py:FILE.py#NAME) that are named only in a"
                                 " config or folder, not on the command line.")
games_best_option = click.option(
    "--games-best", type=click.IntRange(1), default=200, show_default=True, metavar="N",
    help="For a RUN, games of every two agents for each pair of decks, to find the best agent.")
json_option = click.option("--json", "as_json", is_flag=True,
                           help="Print one JSON object instead of text.")


def print_json(result: Any) -> None:
    """Print a result as one JSON object, with the command and the version of hsevo before it.

    result: an object with FIELDS, or a mapping; for all shapes see hsevo.objects.
    """
    about = {"command": click.get_current_context().command_path.partition(" ")[2],
             "hsevo": {"version": __version__}}
    click.echo(json.dumps(about | to_object(result), indent=1, allow_nan=False))


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given; the functions of hsevo have the other defaults."""
    return {name: value for name, value in options.items() if value is not None}


def split(names: str | None) -> list[str]:
    """Return the parts of A,B,..."""
    return [name for name in (names or "").split(",") if name]


@contextmanager
def resumable(command: str, folder: Path, logs: Sequence[str] = ()) -> Iterator[None]:
    """Add the command that resumes it to the message of work that was interrupted.

    So ends what Ctrl-C stops, what finds the disk full, and what loses its workers. After other
    errors, such as a damaged file or a folder that is write-protected, the same command would end
    in the same way.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_hint(command, folder, logs) if folder.exists() else "") from None
    except (WriteError, WorkersError) as error:
        if isinstance(error, WriteError) and getattr(error.__cause__, "errno", 0) not in PASSING:
            raise
        raise type(error)(f"{error}{_hint(command, folder, logs)}") from error


def _hint(command: str, folder: Path, logs: Sequence[str]) -> str:
    """Return how to continue; the Python files of a run's own strategy must then be trusted."""
    from hsevo.evolution.custom import FITNESS, STRATEGY

    options = "".join(f" --log {name}" for name in logs)
    if any((folder / name).exists() for name in (STRATEGY, FITNESS)):
        options += " --trust"
    return f"; continue with: {resuming(command, folder)}{options}"


@contextmanager
def stoppable(command: str, folder: Path | None) -> Iterator[None]:
    """Add what becomes of its games to the message of a contest that was interrupted."""
    if folder is None:
        with losing("its games are lost (with --out DIR, you can resume it)"):
            yield
        return
    with resumable(command, folder):
        yield


@contextmanager
def repeatable(folder: Path, command: str = "") -> Iterator[None]:
    """Say, when work is stopped after some games, how to continue: with `command`, or the same."""
    more = f"; continue with: {command}" if command else ", and the same command continues them"
    hint = f"; its games are kept in {folder}{more}"
    try:
        yield
    except Stopped as stop:
        raise KeyboardInterrupt(hint if stop.result is not None else "") from None
    except (RunError, WorkersError) as error:
        raise type(error)(f"{error}{hint if error.result is not None else ''}") from error


@contextmanager
def so_far(show: Callable[[Any], object], as_json: bool) -> Iterator[None]:
    """Show what was found, when work is stopped or its files cannot be written."""
    try:
        yield
    except (Stopped, HsevoError) as end:
        if end.result is not None and as_json:
            print_json(end.result)
        elif end.result is not None:
            result = end.result
            if isinstance(getattr(result, "done", None), int) and result.done < result.total:
                click.echo(f"so far, {result.done:,} of {result.total:,} games:")
            show(end.result)
        raise


@contextmanager
def losing(what: str) -> Iterator[None]:
    """Add to the message of stopped work that it is lost, and what would keep it."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"; {what}") from None


def rate(row: Any) -> str:
    """Return a row of a ranking as text: agent, win rate, interval."""
    games = row["wins"] + row["draws"] + row["losses"]
    if not games:
        return f"{row['agent']}, alone in its population: it had no opponents"
    return (f"{row['agent']}, {100 * row['rate']:.2f} % of {games:,} games won"
            f" (95 % interval {100 * row['low']:.2f} to {100 * row['high']:.2f})")
