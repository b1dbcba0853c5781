"""Maps of features: the picture of one, of decks or pilots, and what a report says of pilots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from hsevo.pictures import Picture, picture, tip, wins_of
from hsevo.play.behaviour import AXES
from hsevo.reports.exhibit import Chapter, Drawn, Folders, Topic, each, exhibit, percent
from hsevo.runs.folder import Run
from hsevo.strength.champions import name_of

if TYPE_CHECKING:
    from hsevo.pictures import Figure

Pair: TypeAlias = tuple[float, float]
TICKS = 5  # of either axis of a map
SHOWN = 10  # elites on the page


def draw_map(table: pd.DataFrame, cells: tuple[int, int], axes: Sequence[tuple[str, list[str]]],
             rate: str, words: Callable[[Mapping[Any, Any]], str]) -> Picture:
    """Draw the map of an archive.csv, a cell an elite, coloured by a column of rates.

    axes: of either the title, and what stands at TICKS ticks. words: about an elite, on its cell.
    """
    columns, rows = cells

    def draw(figure: Figure) -> None:
        area = figure.subplots()
        rates = np.full((rows, columns), np.nan)
        rates[table["cell_2"].to_numpy(int), table["cell_1"].to_numpy(int)] = 100 * table[rate]
        mesh = area.pcolormesh(rates, **wins_of(rates), edgecolors="#dddddd", linewidth=0.3)
        for row in table.to_dict("records"):
            i, j = int(row["cell_1"]), int(row["cell_2"])
            tip(area, (i, i + 1), (j, j + 1), words(row))
        for axis, many, (title, labels) in zip((area.xaxis, area.yaxis), cells, axes, strict=True):
            axis.set_ticks(np.linspace(0, many, TICKS), labels=labels)
            axis.set_label_text(title)
        figure.colorbar(mesh, ax=area, label="won (%)")

    return picture(draw, 4.4)


def ticks(ends: Pair) -> list[str]:
    """Return the values at the ticks of an axis with these ends."""
    low, high = ends
    return [f"{low + (high - low) * share:,.4g}" for share in np.linspace(0, 1, TICKS)]


class ExecutionMap(NamedTuple):
    """The elites of an execution of a run that drew a map."""

    run: Run
    elites: pd.DataFrame


def _maps(data: Folders[Run]) -> list[Topic]:
    """Return the maps of those runs that drew one: one an execution."""
    found = []
    for run, tag, _, after, _ in each(data):
        for execution, table in run.archive().groupby("execution") if run.features else ():
            more = run.config.executions > 1
            found.append(Topic(ExecutionMap(run, table), tag + f"-{execution}" * more,
                               after=after + f", execution {execution}" * more))
    return found


def _waiting(data: Folders[Run]) -> list[Topic]:
    """Return a topic if no run has its map yet, and some will."""
    waiting = any(run.features and not run.done for run in data.runs.values())
    return [Topic(data)] if waiting and not _maps(data) else []


@exhibit("map", "Map of pilots")
def _map(drawn: ExecutionMap) -> Drawn:
    run, table = drawn
    es = run.config.evolution
    ends = es.ranges or tuple(AXES[name].ends for name in es.features)
    axes = [(AXES[name].title, ticks(pair)) for name, pair in zip(es.features, ends, strict=True)]
    cells = es.cells[0] * es.cells[1]
    score, before = (100 * table[rate].sum() for rate in ("confirmed_rate", "rate"))
    return Drawn((
        f"{len(table)} of {cells} cells ({100 * len(table) / cells:.1f} %) have a pilot; colours"
        f" are rates in new games. QD-score {score:,.0f}: the sum of these rates in %; by the"
        f" rates of the search, which chose the elites, it was {before:,.0f}."), table,
        draw_map(table, es.cells, axes, "confirmed_rate", lambda row: (
            f"{_name(run, row)}: {percent(row, 'confirmed_rate')} %, "
            + ", ".join(f"{name} {row[name]:.2f}" for name in es.features))))


@exhibit("elites", "Best of the map")
def _elites(drawn: ExecutionMap) -> Drawn:
    run, table = drawn
    shown = pd.DataFrame([{
        "pilot": _name(run, row), **{name: f"{row[name]:.2f}" for name in run.features},
        "search (%)": percent(row), "new games (%)": percent(row, "confirmed_rate"),
        "last games (%)": "" if i else percent(row, "last_rate")}
        for i, row in enumerate(table.head(SHOWN).to_dict("records"))])
    gap = 100 * (table["rate"] - table["confirmed_rate"]).mean()
    return Drawn((
        f"Rates in the search minus rates in new games: {gap:+.2f} points on average over"
        f" {len(table)} elites (optimism). The best of the new games played once more. The file has"
        " all elites with their weights."), table, on_page=shown)


MAPS = (Chapter("Map", (_map, _elites), _maps),
        Chapter("Map", (), _waiting, needs="The elites play again, and are shown, when the run is"
                                        " over."))


def _name(run: Run, row: Mapping[Any, Any]) -> str:
    return name_of(run, int(row["execution"]), int(row["individual"]))
