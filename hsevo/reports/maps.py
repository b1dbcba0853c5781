"""Maps of reports: heat maps by deck pair with tests between groups, and maps of features."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from hsevo.pictures import Picture, picture, tip, wins, wins_of
from hsevo.play.behaviour import AXES
from hsevo.reports.exhibit import Chapter, Drawn, Folders, Topic, each, exhibit, percent
from hsevo.reports.groups import ALPHA
from hsevo.runs.folder import ARCHIVE, RunFolder
from hsevo.strength.champions import name_of

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

EDGE = "#999999"  # of cells of which some are white
BLACK = "#000000"  # on a cell, whose colour is light on every page
MOST_WRITTEN = 16  # agents of which every score is written into its cell
LEAST = 1e-4  # the p-value from which on a cell has its full colour


def deck_matrix(table: pd.DataFrame) -> Picture:
    """Draw `groups.deck_matrix`: the share of games that the row's deck won."""
    decks, theirs = decks_of(table)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        rates = 100 * _matrix(table, "rate", decks, theirs)
        mesh = axes.pcolormesh(rates, **wins_of(rates), edgecolors="white", linewidth=2)
        for i, j in np.argwhere(~np.isnan(rates)):
            axes.text(j + 0.5, i + 0.5, f"{rates[i, j]:.1f}", ha="center", va="center",
                      color=BLACK, fontsize=_text_size(len(theirs)))
        _tip_cells(axes, table, decks, _won, theirs)
        _name_decks(axes, decks, theirs)
        axes.set_ylabel("deck")
        axes.set_xlabel("opponent's deck")
        _bar(figure, mesh, ax=axes, label="games won (%)")

    return picture(draw, 3.4 if len(decks) < 5 else 4.6)


def decks_of(table: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Return the decks of a table's rows, and of their opponents: the same first, then others."""
    own, theirs = (list(dict.fromkeys(table[name])) for name in ("deck", "opponent_deck"))
    same = [deck for deck in own if deck in theirs]
    return own, same + [deck for deck in theirs if deck not in own]


def behaviour(table: pd.DataFrame, n_groups: int, decks: list[str], theirs: list[str],
              columns: str) -> Picture:
    """Draw p-values of `groups.against_all` or `head_to_head`, a panel a pair of groups.

    decks, theirs: of rows and columns. columns: what the columns are. Blue: the first group is the
    better; orange: the second; the darker, the smaller p. Cells with p < ALPHA are framed.
    """
    couples = list(combinations(range(1, n_groups + 1), 2))
    across = min(2 if len(decks) > 4 or len(couples) < 7 else 3, len(couples))
    rows = -(-len(couples) // across)

    def draw(figure: Figure) -> None:
        panels = figure.subplots(rows, across, squeeze=False).ravel()
        full = -np.log10(LEAST)
        for axes, (first, second) in zip(panels, couples, strict=False):
            here = table[(table["first"] == first) & (table["second"] == second)]
            p, better = (_matrix(here, name, decks, theirs) for name in ("p", "superiority"))
            shade = np.sign(better - 0.5) * -np.log10(np.maximum(p, LEAST))
            mesh = axes.pcolormesh(shade, **wins(0, full), edgecolors=EDGE, linewidth=0.5)
            _frame(axes, p < ALPHA)
            _tip_cells(axes, here, decks, _tested, theirs)
            _name_decks(axes, decks, theirs, upright=True)
            axes.set_title(f"#{first} and #{second}")
            axes.set_aspect("equal")
            if here.empty:
                axes.text(0.5, 0.5, "never met", ha="center", transform=axes.transAxes)
        for axes in panels[len(couples):]:
            axes.set_axis_off()
        bar = _bar(figure, mesh, ax=list(panels), location="top", shrink=0.8, aspect=40,
                   label="second better  ←  p of the test  →  first better")
        bar.set_ticks([-4, -2, 0, 2, 4], labels=["≤ .0001", ".01", "1", ".01", "≤ .0001"])
        figure.supylabel("first group's deck", fontsize="medium")
        figure.supxlabel(columns, fontsize="medium")

    return picture(draw, 1.4 + (2.1 if across == 3 else 2.6) * rows)


def deck_maps(panels: Sequence[tuple[str, pd.DataFrame]], decks: list[str],
              games: Sequence[Mapping[str, str]] = ()) -> Picture:
    """Draw win rates by deck pair (the paper's Fig. 11), a panel each; one scale for all.

    panels: a title, and a table with the columns deck, opponent_deck, rate, rate_low, rate_high
    (0 to 1), games. games: of each panel, whose stored games it tells of, as filters of their list;
    default: everybody's.
    """
    few = len(decks) < 5
    across = min(3 if few and len(panels) != 4 else 2, len(panels))
    rows = -(-len(panels) // across)

    def draw(figure: Figure) -> None:
        grid = figure.subplots(rows, across, squeeze=False)
        scale = wins_of([100 * rate for _, table in panels for rate in table["rate"]])
        for axes in grid.ravel()[len(panels):]:
            axes.set_axis_off()
        for i, (axes, (title, table)) in enumerate(zip(grid.ravel(), panels, strict=False)):
            rates = 100 * _matrix(table, "rate", decks, decks)
            mesh = axes.pcolormesh(rates, **scale, edgecolors="white", linewidth=1)
            _tip_cells(axes, table, decks, _won, decks, games[i] if games else {})
            for row, column in np.argwhere(~np.isnan(rates)):
                axes.text(column + 0.5, row + 0.5, f"{rates[row, column]:.{1 if few else 0}f}",
                          ha="center", va="center", color=BLACK, fontsize=_text_size(len(decks)))
            _name_decks(axes, decks, decks, upright=across > 2)
            axes.tick_params(labelbottom=i + across >= len(panels), labelleft=i % across == 0)
            axes.set_title("\n".join(wrap(title, 54 // across)), fontsize=10)
            axes.set_aspect("equal")
        _bar(figure, mesh, ax=list(grid.ravel()), location="top", shrink=0.8, aspect=40,
             label="score (%)")
        figure.supylabel("own deck", fontsize="medium")
        figure.supxlabel("opponent's deck", fontsize="medium")

    side = min((4.7 if few else 5.1) / across, 2.6)
    return picture(draw, 1.2 + (side + 0.25) * rows + (0.35 if few else 0.9))


def pairs(table: pd.DataFrame, names: list[str], labels: Sequence[str],
          bold: Collection[str]) -> Picture:
    """Draw each agent against each: the row's score against the column's.

    table: agent, opponent, games, rate, rate_low, rate_high (0 to 1). names: rows and columns, in
    the order of place. labels: of the rows; columns have their place alone. bold: of `names`.
    """
    n = len(names)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        wide = table.pivot(index="agent", columns="opponent", values="rate")
        rates = 100 * wide.reindex(index=names, columns=names).to_numpy(np.float64)
        mesh = axes.pcolormesh(rates, **wins_of(rates), edgecolors="white", linewidth=1)
        for i, j in np.argwhere(~np.isnan(rates)) if n <= MOST_WRITTEN else ():
            axes.text(j + 0.5, i + 0.5, f"{rates[i, j]:.0f}", ha="center", va="center",
                      color=BLACK, fontsize=9.5 if n <= 10 else 7.5)
        for row in table.to_dict("records"):
            i, j = names.index(row["agent"]), names.index(row["opponent"])
            tip(axes, (j, j + 1), (i, i + 1), _met(row), {"a": row["agent"], "b": row["opponent"]})
        axes.set_xticks(np.arange(n) + 0.5, [str(place + 1) for place in range(n)], fontsize=9)
        axes.set_yticks(np.arange(n) + 0.5, labels, fontsize=9.5 if n <= 16 else 7.5)
        for ticks in (axes.get_xticklabels(), axes.get_yticklabels()):
            for tick, name in zip(ticks, names, strict=True):
                tick.set_fontweight("bold" if name in bold else "normal")
        axes.tick_params(length=0)
        axes.invert_yaxis()
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.set_xlabel("against the agent with this place")
        _bar(figure, mesh, ax=axes, location="top", shrink=0.8, aspect=40, label="score (%)")

    return picture(draw, 1.6 + max(0.24, min(0.5, 3.2 / n)) * n)


def _met(row: Mapping[Any, Any]) -> str:
    return (f"{row['agent']} against {row['opponent']}: {percent(row, unit=' %')} of"
            f" {row['games']:,} games")


def _matrix(table: pd.DataFrame, value: str, decks: list[str], theirs: list[str]) -> Any:
    """Return (decks, opponent decks), NaN where there is no row."""
    wide = table.pivot(index="deck", columns="opponent_deck", values=value)
    return wide.reindex(index=decks, columns=theirs).to_numpy(np.float64)


def _bar(figure: Figure, mesh: Any, **how: Any) -> Any:
    """Add the scale of a map, without gaps between its shades."""
    bar: Any = figure.colorbar(mesh, **how)
    bar.solids.set_edgecolor("face")
    return bar


def _tip_cells(axes: Axes, table: pd.DataFrame, decks: list[str],
               words: Callable[[Mapping[str, Any]], str], theirs: list[str],
               games: Mapping[str, str] | None = None) -> None:
    """Give every cell a tooltip with its row of the table. games: see `deck_maps`; None: none."""
    for row in table.to_dict("records"):
        i, j = decks.index(row["deck"]), theirs.index(row["opponent_deck"])
        leads = None if games is None else {
            **games, "deck_a": row["deck"], "deck_b": row["opponent_deck"]}
        tip(axes, (j, j + 1), (i, i + 1), words({str(name): cell for name, cell in row.items()}),
            leads)


def _won(row: Mapping[str, Any]) -> str:
    return (f"{row['deck']} against {row['opponent_deck']}: {percent(row, unit=' %')} of"
            f" {row['games']:,} games")


def _tested(row: Mapping[str, Any]) -> str:
    return (f"{row['deck']} against {row['opponent_deck']}: medians {100 * row['median_first']:.1f}"
            f" and {100 * row['median_second']:.1f} %, p = {row['p']:.2g}, adjusted"
            f" {row['p_adjusted']:.2g}")


def _frame(axes: Axes, cells: Any) -> None:
    for i, j in zip(*np.nonzero(cells), strict=True):
        x, y = [j + 0.08, j + 0.92], [i + 0.08, i + 0.92]
        axes.plot([x[0], x[1], x[1], x[0], x[0]], [y[0], y[0], y[1], y[1], y[0]], color=BLACK,
                  linewidth=2.2)


def _name_decks(axes: Axes, decks: list[str], theirs: list[str], upright: bool = False) -> None:
    """Write the decks next to and below a matrix; below it upright where there is no room."""
    size, upright = _text_size(len(theirs)), upright or len(theirs) > 4
    axes.set_xticks(np.arange(len(theirs)) + 0.5, theirs, rotation=90 if upright else 0,
                    fontsize=size)
    axes.set_yticks(np.arange(len(decks)) + 0.5, decks, fontsize=size)
    axes.tick_params(length=0)
    axes.invert_yaxis()
    for spine in axes.spines.values():
        spine.set_visible(False)


def _text_size(n: int) -> float:
    return 9.5 if n < 5 else 7.5


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

    run: RunFolder
    elites: pd.DataFrame


def _maps(data: Folders[RunFolder]) -> list[Topic]:
    """Return the maps of the runs that drew one, a map for each execution."""
    topics = []
    for run, tag, _, after, _ in each(data):
        if not run.config.evolution.maps:
            continue
        for execution, table in run.table(ARCHIVE).groupby("execution"):
            more = run.config.executions > 1
            topics.append(Topic(ExecutionMap(run, table), tag + f"-{execution}" * more,
                                after=after + f", execution {execution}" * more))
    return topics


def _waiting(data: Folders[RunFolder]) -> list[Topic]:
    """Return a topic if no run has its map yet, and some will."""
    waiting = any(run.config.evolution.maps and not run.final for run in data.runs.values())
    return [Topic(data)] if waiting and not _maps(data) else []


@exhibit("map", "Map of players")
def _map(drawn: ExecutionMap) -> Drawn:
    run, table = drawn
    es = run.config.evolution
    ends = es.ranges or tuple(AXES[name].ends for name in es.axes)
    axes = [(AXES[name].title, ticks(pair)) for name, pair in zip(es.axes, ends, strict=True)]
    cells = es.cells[0] * es.cells[1]
    score, before = (100 * table[rate].sum() for rate in ("confirmed_rate", "rate"))
    return Drawn((
        f"{len(table)} of {cells} cells ({100 * len(table) / cells:.1f} %) have a player; colours"
        f" are rates in new games. QD-score (sum of these rates in %): {score:,.0f}. By the rates"
        f" of the search, which selected the elites, it was {before:,.0f}."), table,
        draw_map(table, es.cells, axes, "confirmed_rate", lambda row: (
            f"{_name(run, row)}: {percent(row, 'confirmed_rate')} %, "
            + ", ".join(f"{name} {row[name]:.2f}" for name in es.axes))))


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
        f" {len(table)} elites (selection bias). The elite that won the most new games played"
        " further games. The file has all elites with their weights."), table, on_page=shown)


MAPS: tuple[Chapter, ...] = (Chapter("Map", (_map, _elites), _maps),
        Chapter("Map", (), _waiting, needs="The elites play new games when the run ends, and are"
                                        " shown then."))


def _name(run: RunFolder, row: Mapping[Any, Any]) -> str:
    return name_of(run, int(row["execution"]), int(row["individual"]))
