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
    options = [one for plan in plans for one in generated.OPTIONS[plan] if one.name not in without]

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for one in reversed(options):
            how: dict[str, Any] = {"is_flag": True} if one.kind == "flag" else {
                "type": _type_of(one), "metavar": one.metavar,
                "shell_complete": COMPLETED.get(one.name)}
            command = click.option(f"--{one.name.replace('_', '-')}", help=one.help, **how)(command)
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


def plan_keys(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of a command by the keys of its plan."""
    return {generated.KEYS.get(name, name): value for name, value in given.items()}


crosstab_option = click.option(
    "--crosstab", "crosstabs", multiple=True, type=click.Choice(["agents", "decks"]),
    help="Also print win rates agent by agent, or deck by deck, with 95 % intervals; may be"
         " repeated.")
trust_option = click.option("--trust", is_flag=True,
                            help="Run Python files (py:FILE.py#NAME) that a config or a folder"
                                 " names, and not the command line.")
games_best_option = click.option(
    "--games-best", type=click.IntRange(1), default=200, show_default=True, metavar="N",
    help="To find the best of a RUN: games per pair of decks, for every two agents.")
json_option = click.option("--json", "as_json", is_flag=True,
                           help="Print one JSON object instead of text.")


def print_json(result: Any) -> None:
    """Print a result as one JSON object, with the command and the version of hsevo before it.

    result: an object of the API, or a mapping; for all shapes see hsevo.objects.
    """
    about = {"command": click.get_current_context().command_path.partition(" ")[2],
             "hsevo": {"version": __version__}}
    click.echo(json.dumps(about | to_object(result), indent=1, allow_nan=False))


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given on the command line; the API has the other defaults."""
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
    options = "".join(f" --log {name}" for name in logs)
    hint = f"; continue with: {resuming(command, folder)}{options}"
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(hint if folder.exists() else "") from None
    except (WriteError, WorkersError) as error:
        if isinstance(error, WriteError) and getattr(error.__cause__, "errno", 0) not in PASSING:
            raise
        raise type(error)(f"{error}{hint}") from error


@contextmanager
def stoppable(command: str, folder: Path | None) -> Iterator[None]:
    """Add what becomes of its games to the message of a contest that was interrupted."""
    if folder is None:
        with losing("its games are lost (with --out DIR it could be resumed)"):
            yield
        return
    with resumable(command, folder):
        yield


@contextmanager
def repeatable(folder: Path, again: str = "") -> Iterator[None]:
    """Say, when work is stopped after some games, which command continues: `again`, or the same."""
    more = f"; continue with: {again}" if again else ", and the same command continues them"
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
            found = end.result
            if isinstance(getattr(found, "done", None), int) and found.done < found.total:
                click.echo(f"so far, {found.done:,} of {found.total:,} games:")
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
