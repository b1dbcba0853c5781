"""hsevo watch: the state of a run on a terminal, updated as it changes."""

from __future__ import annotations

import time
from pathlib import Path

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from hsevo import evolution, learning, play, runs, store
from hsevo.cli.completion import RUNS
from hsevo.cli.courses import follow, show, silence_text
from hsevo.cli.shared import FOLDER, json_option, print_json
from hsevo.cli.streams import unread
from hsevo.cli.tables import TREND, grid, trend


@click.command()
@click.argument("path", metavar="RUN", type=FOLDER, shell_complete=RUNS)
@click.option("--once", is_flag=True, help="Show the current state, and stop.")
@click.option("--every", type=click.FloatRange(0.1), default=2.0, show_default=True,
              metavar="SECONDS", help="How often to read the folder.")
@json_option
def watch(path: Path, once: bool, every: float, as_json: bool) -> None:
    """Follow a run: progress, fitness, sigma, ages, best weights, time left.

    \b
    hsevo watch runs/cig2018-seed-2018-20180817-120000
    hsevo watch --once /mnt/other/runs/mine

    Fitness is how many games an individual won in its generation. Sigma is the step size of its
    mutations, which evolves with its weights; age is counted in generations.

    It only reads the run folder, so the run may be on another machine. In a pipe it prints one line
    per generation; with --json it prints the current state, once. Of a run of hsevo learn it shows
    loss, pool and win rates; in a pipe, one line per period. It ends with the run; Ctrl-C ends it
    earlier and does not stop the run.
    """
    if learning.is_learning(path):
        follow(path, once, every, as_json)
        return
    state = evolution.look(path)
    if as_json:
        print_json(state)
        return
    show(once, lambda width: _screen(state, width), lambda console: _live(console, state, every),
         lambda: _lines(state, every))


def _live(console: Console, state: evolution.State, every: float) -> None:
    """Show the state until the run is over."""
    seen = store.signature(state.path)
    with Live(_screen(state, console.width), console=console, auto_refresh=False,
              vertical_overflow="crop") as live:
        while not state.done:
            time.sleep(every)
            now = store.signature(state.path)
            if now != seen:
                state, seen = evolution.look(state.path), now
            live.update(_screen(state, console.width), refresh=True)


def _lines(state: evolution.State, every: float) -> None:
    """Print a line for each new generation, and one if nothing new comes for long."""
    click.echo(evolution.lines(state)[-1] if state.at else "no generation yet")
    seen, said = store.signature(state.path), False
    while not (state.done or unread()):
        time.sleep(every)
        now, before = store.signature(state.path), state.at or (0, 0)
        if now != seen:
            state, seen, said = evolution.look(state.path), now, False
            for line in evolution.lines(state, before):
                click.echo(line)
        elif not said and state.silence(time.time()):
            click.echo(silence_text(state, "evolve"))
            said = True


def _screen(state: evolution.State, width: int) -> RenderableType:
    """Return all that is shown of a state on a terminal of so many columns."""
    bar = grid(1)  # alone, it would not end its line
    bar.add_row(ProgressBar(total=max(state.played + state.left, 1), completed=state.played))
    quiet = silence_text(state, "evolve")
    where = evolution.moment(state.plan, *state.at) if state.at else "no generation yet"
    head = Text.assemble((f"{state.path.name}  ", "bold"), where)
    parts: list[RenderableType] = [head, bar, Text(evolution.progress_text(state, bool(quiet)))]
    if state.at:
        parts += [_numbers(state, max(8, min(TREND, width - 60))), *_measured(state),
                  *_champion(state),
                  Text(f"\nweights of {_fittest(state)}, the best by fitness, and (·) the"
                       " survivors' mean"),
                  _weights(state, max(4, min(20, (width - 30) // 2)))]
    return Group(*parts, *([Text(quiet, "yellow")] if quiet else []))


def _numbers(state: evolution.State, last: int) -> Table:
    """Return fitness, sigma and ages, each with its course over so many generations."""
    stats = state.statistics
    here = stats[stats["execution"] == stats["execution"].iloc[-1]].tail(last)
    row = here.iloc[-1]
    table = grid()
    best, median, worst, mean, std = (
        runs.fitness_text(state.plan, row[name], unit=False)
        for name in ("best", "median", "worst", "mean", "std"))
    table.add_row("fitness, %" if state.plan.rating.shares else "fitness",
                  f"best {best}, median {median}, worst {worst}, mean {mean} ± {std}",
                  trend(here["mean"].tolist()))
    if state.plan.evolution.strategy != "ga":
        table.add_row("sigma", f"mean {row['mean_sigma']:.3f}", trend(here["mean_sigma"].tolist()))
    ages = state.ages
    table.add_row("age", f"{ages.min():.0f} to {ages.max():.0f} generations, mean"
                  f" {ages.mean():.1f}; {row['new']:.0f} of {len(ages)} new",
                  trend(here["mean_age"].tolist()))
    table.add_row("turns", f"{row['mean_turns']:.1f} a game; {row['draws']:,.0f} of"
                  f" {row['games']:,.0f} games drawn", trend(here["mean_turns"].tolist()))
    return table


def _measured(state: evolution.State) -> list[RenderableType]:
    """Return the last measurement against the reference opponents, if there is one."""
    if state.references.empty:
        return []
    first, table = state.references.iloc[0], grid()
    names = play.short_names(state.references["opponent"])
    for row in state.references.to_dict("records"):
        table.add_row(names[row["opponent"]], f"{100 * row['rate']:.1f} % of {row['games']:,} games"
                      f" (95 % interval {100 * row['rate_low']:.1f} to"
                      f" {100 * row['rate_high']:.1f})")
    return [Text(f"\nindividual {first['individual']}, the best of generation"
                 f" {first['generation']}, against"), table]


def _champion(state: evolution.State) -> list[RenderableType]:
    """Return who was best when the last population played again, as reports say it, if it did."""
    from hsevo.reports import leading
    from hsevo.runs.folder import Run

    found = leading.of_run(Run.open(state.path))
    return [Text(f"\nchampion {found.name}: {found.rate} against {found.against}")] if found else []


def _fittest(state: evolution.State) -> str:
    """Return the name of the best of the last generation."""
    return f"individual-{state.statistics['best_individual'].iloc[-1]}"


def _weights(state: evolution.State, width: int) -> Table:
    """Return the best's weights as bars of so many signs from low to high, in two columns."""
    best, means = (state.genome.shares(some) for some in (state.weights[0],
                                                          state.weights.mean(axis=0)))
    cells = [(name, f"{weight:.3f}", weight_bar(share, mean, width)) for name, weight, share, mean
             in zip(state.genome.names, state.weights[0], best, means, strict=True)]
    half = -(-len(cells) // 2)
    table = grid(6)
    for left, right in zip(cells[:half], [*cells[half:], ("", "", "")], strict=False):
        table.add_row(*left, *right)
    return table


def weight_bar(share: float, mean: float, width: int) -> str:
    """Return a share in [0, 1] as a bar of so many signs, with a point at another number."""
    bar = ["█" if i < round(share * width) else " " for i in range(width)]
    at = min(int(mean * width), width - 1)
    bar[at] = "·" if bar[at] == " " else "▒"
    return "".join(bar)
