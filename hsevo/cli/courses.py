"""hsevo watch of a learning run: its state on a terminal, updated as it changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from hsevo import api, evolution, learning, play
from hsevo.cli.shared import print_json
from hsevo.cli.streams import unread
from hsevo.cli.tables import grid, trend
from hsevo.errors import resuming


def follow(path: Path, once: bool, every: float, as_json: bool) -> None:
    """Show a run until it is done; with `once`, or as JSON, as it is now.

    On a terminal as a screen, elsewhere as a line per period.
    """
    if as_json:
        print_json(api.Learned(path))
        return
    show(once, lambda _: screen(learning.look(path)),
         lambda console: _live(console, path, every), lambda: _lines(path, every))


def show(once: bool, screen: Callable[[int], RenderableType], live: Callable[[Console], None],
         lines: Callable[[], None]) -> None:
    """Print a screen of so many columns once; else go on with `live` on a terminal, or `lines`."""
    console = Console(highlight=False)
    with suppress(KeyboardInterrupt):
        if once:
            console = console if console.is_terminal else Console(highlight=False, width=100)
            console.print(screen(console.width))
        elif console.is_terminal:
            live(console)
        else:
            lines()


def silence_text(state: evolution.State | learning.State, command: str) -> str:
    """Return that nothing is new for long, and how to go on with what was stopped; or ""."""
    quiet = state.silence(time.time())
    if not quiet:
        return ""
    return (f"nothing new for {evolution.duration(quiet)}; if the run was stopped, go on with:"
            f" {resuming(command, state.path)}")


def _live(console: Console, path: Path, every: float) -> None:
    state = learning.look(path)
    with Live(screen(state), console=console, auto_refresh=False,
              vertical_overflow="crop") as live:
        while not state.done:
            time.sleep(every)
            state = learning.look(path)
            live.update(screen(state), refresh=True)


def _lines(path: Path, every: float) -> None:
    shown, said, quiet = 0, False, False
    while True:
        run = api.Learned(path)
        done, lines = run.done, run.lines()  # in this order: a run that is done does not grow
        for line in lines[shown:]:
            click.echo(line)
        quiet = quiet and len(lines) == shown
        shown = len(lines)
        if not (shown or said):
            click.echo("no period yet")
            said = True
        if done or unread():
            return
        if not quiet and (stopped := silence_text(learning.look(path), "learn")):
            click.echo(stopped)
            quiet = True
        time.sleep(every)


def screen(state: learning.State) -> RenderableType:
    """Return all that is shown of a state."""
    bar = grid(1)
    bar.add_row(ProgressBar(total=max(state.played + state.left, 1), completed=state.played))
    where = (f"period {state.periods - 1} of {state.plan.periods - 1}" if state.periods
             else "no period yet")
    head = Text.assemble((f"{state.path.name}  ", "bold"), where)
    parts: list[RenderableType] = [head, bar, Text(_progress(state))]
    if state.periods:
        parts += [_numbers(state), *_measured(state)]
    quiet = silence_text(state, "learn")
    return Group(*parts, *([Text(quiet, "yellow")] if quiet else []))


def _progress(state: learning.State) -> str:
    said = [f"{state.played:,} of {state.played + state.left:,} games"]
    said += [f"{state.speed:,.0f} games/s"] if state.speed else []
    left = f"{evolution.duration(state.seconds_left)} left"
    return ", ".join([*said, "done" if state.done else left])


def _numbers(state: learning.State) -> Table:
    """Return loss and pool, each with its course."""
    table, last = grid(3), state.learning.iloc[-1]
    after = f", on its targets {last['loss_after']:.4f}" if "loss_after" in last else ""
    table.add_row("loss", f"{last['loss']:.4f}{after}",
                  trend(state.learning["loss"].tolist()))
    joined = state.learning[state.learning["added"] == 1]
    latest = (f", the latest after period {joined['period'].iloc[-1]}:"
              f" {joined['reason'].iloc[-1]}" if len(joined) else "")
    table.add_row("pool", f"{last['pool']:,}{latest}", trend(state.learning["pool"].tolist()))
    return table


def _measured(state: learning.State) -> list[RenderableType]:
    """Return the last measurement against the reference opponents, if there is one."""
    if state.references.empty:
        return []
    newest, table = state.references["period"].max(), grid(3)
    names = play.short_names(state.references["opponent"])
    for opponent, here in state.references.groupby("opponent", sort=False):
        table.add_row(names[str(opponent)], _rate(here.iloc[-1]), trend(here["rate"].tolist()))
    return [Text(f"\nwon after period {newest}, against"), table]


def _rate(row: Any) -> str:
    low, high = 100 * row["rate_low"], 100 * row["rate_high"]
    return (f"{100 * row['rate']:.1f} % of {int(row['games']):,} games (95 % interval {low:.1f} to"
            f" {high:.1f})")
