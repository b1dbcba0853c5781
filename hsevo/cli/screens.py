"""The screens of hsevo watch: what is the same of all runs, and what each kind adds (`details`)."""

from __future__ import annotations

import time
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from hsevo import coevolution, deckbuilding, evolution, experiments, learning, play, runs
from hsevo.cli.tables import TREND, grid, trend

if TYPE_CHECKING:
    import pandas as pd


def screen(state: Any, width: int) -> RenderableType:
    """Return all that is shown of a state on a terminal of so many columns."""
    bar = grid(1)  # alone, it would not end its line
    bar.add_row(ProgressBar(total=max(state.played + state.left, 1), completed=state.played))
    stopped = state.stopped(time.time())
    head = Text.assemble((f"{state.path.name}  ", "bold"), state.where)
    parts: list[RenderableType] = [head, bar, Text(state.progress(bool(stopped)))]
    parts += details(state, width)
    return Group(*parts, *([Text(stopped, "yellow")] if stopped else []))


@singledispatch
def details(state: experiments.State[Any], width: int) -> list[RenderableType]:
    """Return what is shown of a state below its progress, by its kind; nothing unless one says so.
    """
    return []


@details.register
def _(state: evolution.EvolutionState, width: int) -> list[RenderableType]:
    if not state.at:
        return []
    best = state.references.head(1).to_dict("records")
    title = "".join(f"individual {row['individual']}, the best of generation {row['generation']}"
                    for row in best)
    return [_fitness(state, max(8, min(TREND, width - 60))), *_against(title, state.references),
            *_champion(state), Text(f"\nweights of {_fittest(state)}, the best by fitness, and (·)"
                                    " the survivors' mean"),
            _weights(state, max(4, min(20, (width - 30) // 2)))]


@details.register
def _(state: learning.LearningState, width: int) -> list[RenderableType]:
    title = f"won after period {state.references['period'].max()}" if len(state.references) else ""
    return [_losses(state), *_against(title, state.references, True)] if state.periods else []


@details.register
def _(state: coevolution.CoevolutionState, width: int) -> list[RenderableType]:
    if not len(state.generations):
        return []
    lines, table = state.generations, grid(3)
    last = lines.iloc[-1]
    for name, title in (("deck", "best deck"), ("individual", "best weights")):
        table.add_row(title, f"{name}-{last[name]:.0f}, {_share(last, f'{name}_rate')} against the"
                      " hall, too high", trend(lines[f"{name}_rate"].tolist()))
    table.add_row("sigma", f"mean {last['sigma']:.3f}", trend(lines["sigma"].tolist()))
    for title, rows in (("reference decks", state.reference), ("confirmed",
                                                               state.confirmed.head(1))):
        if len(rows):
            row = rows.iloc[-1].rename({"low": "rate_low", "high": "rate_high"})
            table.add_row(title, f"{row['pilot']}@{row['deck']}, {_share(row, 'rate')} of"
                          f" {row['games']:,} games", trend(rows["rate"].tolist()))
    return [table]


@details.register
def _(state: deckbuilding.DeckState, width: int) -> list[RenderableType]:
    if not len(state.generations):
        return []
    lines, table = state.generations, grid(3)
    last = lines.iloc[-1]
    table.add_row("best so far", f"deck-{last['best']:.0f}, {_share(last, 'rate')}, too high",
                  trend(lines["rate"].tolist()))
    table.add_row("mean fitness", f"{last['mean_fitness']:.3f} of survivors",
                  trend(lines["mean_fitness"].tolist()))
    if last["cells"]:
        table.add_row("map", f"{last['cells']:.0f} cells, {100 * last['coverage']:.1f} %",
                      trend(lines["cells"].tolist()))
    if len(state.archive):
        row = state.archive.iloc[0]
        table.add_row("confirmed", f"deck-{row['deck']}, {_share(row, 'confirmed_rate')} of"
                      f" {row['confirmed_games']:,} new games", "")
    return [table]


def _share(row: Any, name: str) -> str:
    """Return a rate of a row with its interval."""
    value, low, high = (100 * row[f"{name}{end}"] for end in ("", "_low", "_high"))
    return f"{value:.1f} % ({low:.1f} to {high:.1f})"


def _against(title: str, measured: pd.DataFrame, course: bool = False) -> list[RenderableType]:
    """Return the last measurement against each reference opponent, perhaps with its course."""
    if measured.empty:
        return []
    names, table = play.short_names(measured["opponent"]), grid(3)
    for opponent, here in measured.groupby("opponent", sort=False):
        row = here.iloc[-1]
        rate, low, high = (100 * row[name] for name in ("rate", "rate_low", "rate_high"))
        table.add_row(names[str(opponent)], f"{rate:.1f} % of {int(row['games']):,} games"
                      f" (95 % interval {low:.1f} to {high:.1f})",
                      trend(here["rate"].tolist()) if course else "")
    return [Text(f"\n{title}, against"), table]


def _losses(state: learning.LearningState) -> Table:
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


def _fitness(state: evolution.EvolutionState, last: int) -> Table:
    """Return fitness, sigma and ages, each with its course over so many generations."""
    stats = state.statistics
    here = stats[stats["execution"] == stats["execution"].iloc[-1]].tail(last)
    row = here.iloc[-1]
    table = grid()
    best, median, worst, mean, std = (
        runs.fitness_text(state.plan, row[name], unit=False)
        for name in ("best", "median", "worst", "mean", "std"))
    table.add_row("fitness, %" if state.plan.rating.in_percent else "fitness",
                  f"best {best}, median {median}, worst {worst}, mean {mean} ± {std}",
                  trend(here["mean"].tolist()))
    if state.plan.evolution.has_sigmas:
        table.add_row("sigma", f"mean {row['mean_sigma']:.3f}", trend(here["mean_sigma"].tolist()))
    if state.plan.evolution.has_ages:
        ages = state.ages
        table.add_row("age", f"{ages.min():.0f} to {ages.max():.0f} generations, mean"
                      f" {ages.mean():.1f}; {row['new']:.0f} of {len(ages)} new",
                      trend(here["mean_age"].tolist()))
    table.add_row("turns", f"{row['mean_turns']:.1f} a game; {row['draws']:,.0f} of"
                  f" {row['games']:,.0f} games drawn", trend(here["mean_turns"].tolist()))
    return table


def _champion(state: evolution.EvolutionState) -> list[RenderableType]:
    """Return who was best when the last population played again, as reports say it, if it did."""
    from hsevo.reports import answer
    from hsevo.runs.folder import RunFolder

    champion = answer.of_run(RunFolder(state.path))
    return [Text(f"\nchampion {champion.name}: {champion.rate} against"
                 f" {champion.against}")] if champion else []


def _fittest(state: evolution.EvolutionState) -> str:
    """Return the name of the best of the last generation."""
    return f"individual-{state.statistics['best_individual'].iloc[-1]}"


def _weights(state: evolution.EvolutionState, width: int) -> Table:
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
