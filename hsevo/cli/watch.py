"""hsevo watch: the state of a run on a terminal, updated as it changes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console, RenderableType
from rich.live import Live

from hsevo.cli.completion import RUNS
from hsevo.cli.root import unread
from hsevo.cli.shared import FOLDER, json_option, print_json

if TYPE_CHECKING:
    from hsevo.experiments import State


@click.command()
@click.argument("path", metavar="RUN", type=FOLDER, shell_complete=RUNS)
@click.option("--once", is_flag=True, help="Show the current state and exit.")
@click.option("--every", type=click.FloatRange(0.1), default=2.0, show_default=True,
              metavar="SECONDS", help="Interval between two updates.")
@json_option
def watch(path: Path, once: bool, every: float, as_json: bool) -> None:
    """Follow the progress of a run.

    \b
    hsevo watch runs/cig2018-seed-2018-20180817-120000
    hsevo watch --once /mnt/other/runs/mine

    Fitness is the number of games that an individual won. Sigma is the step size of mutations. Age
    is the number of generations since an individual was created. For a run of hsevo learn, you see
    the loss, the opponent pool and win rates.

    The command only reads the run folder, so you can watch a run on another machine. In a pipe, it
    prints one line per generation or period. With --json, it prints the current state once. Ctrl-C
    ends hsevo watch, but not the run.
    """
    from hsevo.reports.folders import class_of

    console = Console(highlight=False)
    kind = class_of(path)
    state: State[Any] = kind.look(path)
    if as_json:
        print_json(state if kind.STATE_AS_JSON else kind(path))
        return
    try:
        if once:
            console = console if console.is_terminal else Console(highlight=False, width=100)
            console.print(_screen(state, console))
        elif console.is_terminal:
            _live(console, state, every)
        else:
            _lines(state, every)
    except KeyboardInterrupt:
        return


def _live(console: Console, state: State[Any], every: float) -> None:
    """Show the state until the run is over."""
    with Live(_screen(state, console), console=console, auto_refresh=False,
              vertical_overflow="crop") as live:
        while not state.done:
            time.sleep(every)
            state = state.refreshed()
            live.update(_screen(state, console), refresh=True)


def _screen(state: State[Any], console: Console) -> RenderableType:
    from hsevo.cli.screens import screen  # which imports all kinds of experiments

    return screen(state, console.width)


def _lines(state: State[Any], every: float) -> None:
    """Print a line for each new step, and one if nothing new comes for long."""
    for line in state.lines():
        click.echo(line)
    said = False
    while not (state.done or unread()):
        time.sleep(every)
        before, state = state, state.refreshed()
        if state is not before:
            said = False
            for line in state.lines(before):
                click.echo(line)
        elif not said and (stopped := state.stopped(time.time())):
            click.echo(stopped)
            said = True
