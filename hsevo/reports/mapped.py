"""Maps of features: the picture of one, of decks or pilots, and what a report says of pilots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from hsevo.pictures import Picture, picture, tip, wins_of
from hsevo.play.behaviour import AXES
from hsevo.reports.exhibit import Exhibit, Section, percent
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


def sections(runs: Mapping[str, Run]) -> list[Section]:
    """Return a section with the maps of those runs that drew one: one an execution."""
    found = []
    for k, (label, run) in enumerate(runs.items(), start=1):
        several = len(runs) > 1, run.config.executions > 1
        for execution, table in run.archive().groupby("execution") if run.features else ():
            of = f" of {label}" * several[0] + f", execution {execution}" * several[1]
            tag = f"-{k}" * several[0] + f"-{execution}" * several[1]
            found += [_map(run, table, of, tag), _elites(run, table, of, tag)]
    waiting = any(run.features and not run.done for run in runs.values())
    return [Section("Map", found, needs="The elites play again, and are shown, when the run is"
                                        " over." * (not found))] if found or waiting else []


def _map(run: Run, table: pd.DataFrame, of: str, tag: str) -> Exhibit:
    es = run.config.evolution
    ends = es.ranges or tuple(AXES[name].ends for name in es.features)
    axes = [(AXES[name].title, ticks(pair)) for name, pair in zip(es.features, ends, strict=True)]
    cells = es.cells[0] * es.cells[1]
    score, before = (100 * table[rate].sum() for rate in ("confirmed_rate", "rate"))
    return Exhibit(f"map{tag}", f"Map of pilots{of}", (
        f"{len(table)} of {cells} cells ({100 * len(table) / cells:.1f} %) have a pilot; colours"
        f" are rates in new games. QD-score {score:,.0f}: the sum of these rates in %; by the"
        f" rates of the search, which chose the elites, it was {before:,.0f}."), table,
        draw_map(table, es.cells, axes, "confirmed_rate", lambda row: (
            f"{_name(run, row)}: {percent(row, 'confirmed_rate')} %, "
            + ", ".join(f"{name} {row[name]:.2f}" for name in es.features))))


def _elites(run: Run, table: pd.DataFrame, of: str, tag: str) -> Exhibit:
    shown = pd.DataFrame([{
        "pilot": _name(run, row), **{name: f"{row[name]:.2f}" for name in run.features},
        "search (%)": percent(row), "new games (%)": percent(row, "confirmed_rate"),
        "last games (%)": "" if i else percent(row, "last_rate")}
        for i, row in enumerate(table.head(SHOWN).to_dict("records"))])
    gap = 100 * (table["rate"] - table["confirmed_rate"]).mean()
    return Exhibit(f"elites{tag}", f"Best of the map{of}", (
        f"Rates in the search minus rates in new games: {gap:+.2f} points on average over"
        f" {len(table)} elites (optimism). The best of the new games played once more. The file has"
        " all elites with their weights."), table, on_page=shown)


def _name(run: Run, row: Mapping[Any, Any]) -> str:
    return name_of(run, int(row["execution"]), int(row["individual"]))
