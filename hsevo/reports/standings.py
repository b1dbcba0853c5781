"""Standings of an arena or a benchmark as exhibits: the paper's Table 5 and Fig. 11.

Pictures of ratings and of rates have dots with their intervals, in the order of their table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hsevo.errors import names_or_count
from hsevo.pictures import COLOURS, INK, Picture, picture, tip
from hsevo.play.specs import short_names
from hsevo.reports import arenas, maps
from hsevo.reports.arenas import StoredArena
from hsevo.reports.exhibit import PAPER, Chapter, Drawn, Topic, exhibit, interval, meanings

if TYPE_CHECKING:
    from hsevo.pictures import Figure

OTHERS = COLOURS[6]  # grey: agents that the report is not about
LABEL = 30  # characters of a name next to a picture


def ratings(table: pd.DataFrame, colours: dict[str, tuple[str, str]], label: str) -> Picture:
    """Draw ratings as dots with their 95 % intervals, in the order of place.

    table: columns place, name, rating, low, high (Elo), best first. colours: colour and legend of
    each agent that the report is about, by name; the others are grey. Ratings below the widest
    gap, if it is over twice as wide as the range above it, are written at the edge as numbers:
    with them, the axis would squeeze all others.
    """
    near = near_ones(table["rating"].to_numpy())
    labels = short_names(table["name"], LABEL).values()

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for y, row in enumerate(table.to_dict("records")):
            colour = colours.get(row["name"], (OTHERS if colours else COLOURS[0], ""))[0]
            if y < near:
                axes.plot([row["low"], row["high"]], [y, y], color=colour, linewidth=2.4)
                axes.plot(row["rating"], y, "o", color=colour, markersize=6)
            else:
                axes.text(0.01, y, f"← {row['rating']:+,.0f} ({row['low']:+,.0f} to"
                          f" {row['high']:+,.0f})", color=INK, fontsize=9, va="center",
                          transform=axes.get_yaxis_transform())
            tip(axes, None, (y - 0.5, y + 0.5), f"{row['name']}: {row['rating']:+,.0f}"
                f" ({row['low']:+,.0f} to {row['high']:+,.0f})")
        axes.set_yticks(range(len(table)), [f"{label}  {place}" for label, place in
                                            zip(labels, table["place"], strict=True)],
                        fontsize=9.5)
        for tick, name in zip(axes.get_yticklabels(), table["name"], strict=True):
            tick.set_fontweight("bold" if name in colours else "normal")
        axes.set_ylim(len(table) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:+,.0f}" if x else "0")
        axes.set_xlabel(label)
        axes.grid(axis="x")
        legend = {said: colour for colour, said in colours.values() if said}
        if len(legend) > 1:
            figure.legend(handles=[axes.plot([], [], "o-", color=colour, label=said)[0]
                                   for said, colour in legend.items()],
                          loc="outside lower center")

    return picture(draw, 1.0 + 0.27 * len(table))


def rates(table: pd.DataFrame, label: str) -> Picture:
    """Draw rates as dots with their 95 % intervals, one below the other, and a line at 50 %.

    table: columns name, rate, low, high (0 to 1), the first row on top.
    """
    labels = short_names(table["name"], LABEL).values()

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for y, row in enumerate(table.to_dict("records")):
            value, low, high = (100 * row[name] for name in ("rate", "low", "high"))
            axes.plot([low, high], [y, y], color=COLOURS[0], linewidth=2.4)
            axes.plot(value, y, "o", color=COLOURS[0], markersize=6)
            tip(axes, None, (y - 0.5, y + 0.5), f"{row['name']}: {value:.1f} %"
                f" ({low:.1f} to {high:.1f})")
        axes.axvline(50, color=INK, linewidth=0.8, linestyle=":")
        axes.set_yticks(range(len(table)), [*labels], fontsize=9.5)
        axes.set_ylim(len(table) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(label)
        axes.grid(axis="x")

    return picture(draw, 1.0 + 0.27 * len(table))


def near_ones(values: Any) -> int:
    """Return how many of the falling values (n,) come before a gap, as in `ratings`."""
    gaps = -np.diff(values)
    i = int(gaps.argmax()) + 1 if len(gaps) else 0
    return i if i > 1 and gaps[i - 1] > 2 * (values[0] - values[i - 1]) else len(values)


MOST_DOTS = 40  # agents in a picture, in addition to the agents that the report is about
MOST_CELLS = 24  # agents a side in the picture of all pairs
MOST_WRITTEN = 8  # agents a side in the table of all pairs on the page: its cells have intervals
MARK = " ◂"  # of agents that the report is about
ORDER = ("A place is significant if the interval of its lead excludes 0, even if the intervals of"
         " the two ratings overlap.")


@dataclass(frozen=True)
class Standings:
    """An arena or a benchmark as a report shows it.

    whose: the agents that the report is about, with the labels of what they come from. series: that
    each label has, in the order of their colours. stranger: that none of the agents comes from what
    the report is about, in words.
    """

    field: StoredArena
    whose: Mapping[str, str]
    series: Mapping[str, str]
    stranger: str


def topics(fields: Sequence[StoredArena], sources: Mapping[str, Path],
           series: Mapping[str, str]) -> list[Topic]:
    """Return a topic for each arena or benchmark.

    sources: what the report is about, runs or a file of weights, by label. series: the series of
    each that has one, in the order of their colours.
    """
    arena_topics = []
    for number, field in enumerate(fields, start=1):
        whose = arenas.evolved(field.names, sources)
        if field.benchmarked:
            whose = {field.benchmarked: whose.get(field.benchmarked, "")}
        elif not sources:
            whose = {name: "" for name in field.names if arenas.source_of(name)}
            whose = whose if len(whose) < len(field.names) else {}  # to mark all is to mark none
        kind, name = "Benchmark" if field.benchmarked else "Arena", field.path.resolve().name
        stranger = "" if whose or not sources else (
            f"None of these agents comes from {' or '.join(sources)}: name an agent of a run as"
            " eva:RUN or eva:RUN#ID in the arena.")
        many = len(fields) > 1
        arena_topics.append(Topic(Standings(field, whose, series, stranger), f"-{number}" * many,
                                  before=f"{name}: " * many,
                                  title=kind if name == kind.lower() else f"{kind} {name}"))
    return arena_topics


@exhibit("standings", "Standings (as Table 5 of García-Sánchez et al.)")
def _standings(shown: Standings) -> Drawn:
    field, whose = shown.field, shown.whose
    table = field.table.copy()
    table.insert(0, "place", range(1, len(table) + 1))
    names, rows = short_names(field.names), table.to_dict("records")
    ends = ("", "_low", "_high")
    page = pd.DataFrame({
        "place": table["place"],
        "agent": [names[row["agent"]] + MARK * (row["agent"] in whose) for row in rows],
        "rating (95 %)": [_triple(row, ["rating", "low", "high"], 1, True) for row in rows],
        _rate_of(field): [_triple(row, [f"rate{end}" for end in ends], 100) for row in rows],
        **({} if _games_of_each(field) else {"games": table["games"]}),
        **({"faults": table["faults"]} if table["faults"].any() else {}),
        _lead_of(field): [_triple(row, [f"lead{end}" for end in ends], 1, True) for row in rows]})
    return Drawn(f"{_about(field)}{_marked(field, whose)}", table, on_page=page,
                 terms=meanings(names))


def _games_of_each(field: StoredArena) -> int:
    """Return how many games each agent played (against a benchmarked one), 0 if not all as many."""
    counts = field.table["games"][field.table["agent"] != field.benchmarked].unique()
    return int(counts[0]) if len(counts) == 1 else 0


def _triple(row: Mapping[Any, Any], columns: list[str], times: float, sign: bool = False) -> str:
    value, low, high = (times * row[name] for name in columns)
    return interval((value, low, high), sign, 0 if sign else 1)


def _lead_of(field: StoredArena) -> str:
    return "lead over it (95 %)" if field.benchmarked else "lead over the next (95 %)"


def _rate_of(field: StoredArena) -> str:
    return "score against it, % (95 %)" if field.benchmarked else "score, % (95 %)"


def _about(field: StoredArena) -> str:
    """Return what was played, the scale of the ratings, and what the intervals cover."""
    plan, names = field.plan, short_names(field.names)
    games, each = int(field.deck_pairs["games"].sum()) // 2, _games_of_each(field)
    which = f", {each:,} {'against' if field.benchmarked else 'of'} each," if each else ""
    played = (f"{games:,} games{which} in mirrored pairs, with"
              f" {names_or_count(field.deck_pairs['deck'])}, by the ruleset {plan.ruleset},"
              f" {plan.information} information, seed {plan.seed}. A score counts a draw as half a"
              " win.")
    if field.benchmarked:
        place, best, worst = field.place
        return (f"{names[field.benchmarked]} against the benchmark opponents: place {place} of "
                f"{len(names)} ({best} to {worst}, if leads whose interval includes 0 count either"
                f" way). {played} Ratings are on the scale of the games between the benchmark"
                " opponents, whose mean is 0. Games, scores and leads are the agent's against each"
                " benchmark opponent, and in its own row from all its games.")
    who = ("All pairs met." if not plan.against else
           f"{len(plan.agents)} of them met only the other {len(plan.against)}, so their scores"
           " are against different opponents; ratings are comparable.")
    return (f"{len(names)} agents, {played} {who} Ratings are Bradley-Terry ratings in Elo; their"
            f" mean is 0. {ORDER}")


def _marked(field: StoredArena, whose: Mapping[str, str]) -> str:
    """Return which agents are marked."""
    runs = ", ".join(dict.fromkeys(label for label in whose.values() if label))
    kind = f"of {runs}" if runs else "benchmarked" if field.benchmarked else (
        "from your own runs and files")
    return f"{MARK}: {kind}." if whose else ""


@exhibit("ratings", "Ratings")
def _ratings(shown: Standings) -> Drawn:
    field, whose, series = shown.field, shown.whose, shown.series
    names = short_names(field.names)
    table = field.table[["agent", "rating", "low", "high"]].copy()
    table.insert(0, "place", range(1, len(table) + 1))
    order = list(dict.fromkeys(series.values()))
    colours = {}
    for name, label in whose.items():
        here = series.get(label)
        place = order.index(here) if here else 0
        colours[names[name]] = (COLOURS[place % len(COLOURS)], here or "")
    zero = "mean of the benchmark opponents" if field.benchmarked else "the mean of all"
    marked = f" In colour: agents marked{MARK} above; grey: the others." if whose else ""
    drawn = table.assign(name=[names[name] for name in table["agent"]])
    drawn = drawn[(drawn["place"] <= MOST_DOTS) | drawn["name"].isin(list(colours)[:MOST_DOTS])]
    far = (" An arrow: the rating is too low for the axis and is written out."
           if near_ones(drawn["rating"].to_numpy()) < len(drawn) else "")
    left = f" Not drawn: {len(table) - len(drawn)} more." if len(drawn) < len(table) else ""
    ends = ("The benchmarked agent's interval covers the luck in its own games and in the games"
            " between its opponents; the others' intervals cover only the"
            " latter." if field.benchmarked else ORDER)
    return Drawn((
        "Bradley-Terry ratings (dots) and their 95 % intervals (bars), in the order of place."
        f" {ends}{marked}{far}{left}"), table,
        ratings(drawn, colours, f"rating (Elo; 0: {zero})"))


@exhibit("pairs", "Agents against each other")
def _pairs(shown: Standings) -> Drawn | None:
    """Show each agent against each, if several met several."""
    field, whose = shown.field, shown.whose
    table, names = arenas.by_opponent(field), short_names(field.names)
    order = field.names
    if field.benchmarked or len(order) < 3:
        return None
    drawn = order[:MOST_CELLS]
    here = table[table["agent"].isin(drawn) & table["opponent"].isin(drawn)]
    labels = _labels(short_names(field.names, LABEL), drawn, whose)
    rows = [f"{place}  {names[name]}{MARK * (name in whose)}"
            for place, name in enumerate(drawn, start=1)]
    left = (f" The first {MOST_CELLS} of {len(order)} agents are drawn."
            if len(drawn) < len(order) else "")
    marked = f" Bold, with{MARK}: agents marked in the standings." if whose else ""
    empty = " Empty: they did not meet." if field.plan.against else ""
    return Drawn((
        "Scores of the row's agent against the column's, in %, over all decks (a draw is half a"
        " win). Rows and columns are in the order of place; column names are places. Blue: the row"
        f" wins; white: 50 %; orange: it loses.{marked}{empty} {_per_cell(here)}{left} The table"
        " has 95 % intervals."), table,
        maps.pairs(here, drawn, labels, {name for name in drawn if name in whose}),
        _crossed(here, drawn, rows) if len(drawn) <= MOST_WRITTEN else None)


@exhibit("decks", "Decks against each other")
def _decks(shown: Standings) -> Drawn | None:
    """Show each deck against each, if there are several."""
    field = shown.field
    table, decks = field.decks, list(dict.fromkeys(field.deck_pairs["deck"]))
    if table.empty:
        return None
    ends = ["rate", "rate_low", "rate_high"]
    triples = {(row["deck"], row["opponent_deck"]): _triple(row, ends, 100)
               for row in table.to_dict("records")}
    page = pd.DataFrame({"score, % (95 %)": decks} | {
        f"against {opponent_deck}": [triples.get((deck, opponent_deck), "") for deck in decks]
        for opponent_deck in decks})
    return Drawn((
        "Scores of the row's deck against the column's, in %, over the games of all agents (a"
        " draw is half a win). They depend on how these agents play the decks. Empty: no game, or"
        f" a deck against itself. {_per_cell(table)}"), table,
        maps.deck_maps([("all agents", table)], decks),
        page if len(decks) <= MOST_WRITTEN else None)


def _labels(names: Mapping[str, str], drawn: Sequence[str],
            whose: Mapping[str, str]) -> list[str]:
    """Return agents by place, each with its mark and its place."""
    return [f"{names[name]}{MARK * (name in whose)}  {place}"
            for place, name in enumerate(drawn, start=1)]


def _crossed(table: pd.DataFrame, names: list[str], labels: list[str]) -> pd.DataFrame:
    """Return each agent against each with intervals, in per cent; columns have their place."""
    columns = ["rate", "rate_low", "rate_high"]
    cells = {(row["agent"], row["opponent"]): _triple(row, columns, 100)
             for row in table.to_dict("records")}
    return pd.DataFrame({"score, % (95 %)": labels} | {
        f"against {place}": [cells.get((name, opponent), "") for name in names]
        for place, opponent in enumerate(names, start=1)})


@exhibit("deck-maps", f"Win rates by deck pair (as Fig. 11 of {PAPER})")
def _deck_maps(shown: Standings) -> Drawn:
    field, whose = shown.field, shown.whose
    names, chosen = short_names(field.names), arenas.to_map(field, list(whose))
    parts = [arenas.by_deck_pair(field, *pair) for pair in chosen]
    table = pd.concat(parts, ignore_index=True)
    decks = list(dict.fromkeys(field.deck_pairs["deck"]))
    single = len({agent for agent, _ in chosen}) == 1
    labels = short_names(field.names, LABEL)
    titles = [(f"against {labels[opponent]}" if opponent else "against all") if single else
              labels[agent] + MARK * (agent in whose) for agent, opponent in chosen]
    if single:
        others = [names[opponent] for _, opponent in chosen if opponent]
        who = (f"{names[chosen[0][0]]}, the only agent that met all others: its games against all"
               f" of them, and against {' and '.join(others)}")
    else:
        said = [f"{names[agent]} (place {field.names.index(agent) + 1})" for agent, _ in chosen]
        rest = len(field.names) - len(said)
        left = f"; the {rest} others are left out" if rest > 1 else ""
        who = f"{', '.join(said)}, each in all of its games{left}"
    return Drawn((
        f"Scores with the row's deck against the column's (a draw is half a win) of {who}. Blue:"
        f" wins; white: 50 %; orange: losses. {_per_cell(table)} The CSV file has 95 % intervals"
        " over single games."), table,
        maps.deck_maps(list(zip(titles, parts, strict=True)), decks,
                       [{"a": a} | ({"b": b} if b else {}) for a, b in chosen]))


def _per_cell(table: pd.DataFrame) -> str:
    least, most = table["games"].min(), table["games"].max()
    return f"{least:,}{f' to {most:,}' if most > least else ''} games per cell."


ARENAS = Chapter("", (_standings, _ratings, _pairs, _decks, _deck_maps), apart=True,
              topics=lambda topics: topics, note=lambda shown: shown.stranger)
