"""The report on runs of hsevo coevolve: the champion, deck or pilot, its match-ups, the course.

    run folders --REPORT--> ReportSection, Answer --> page.py
"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from hsevo.coevolution.confirm import LAST, last
from hsevo.coevolution.run import Coevolution, reference_table
from hsevo.deckbuilding.book import Rates, results_of
from hsevo.errors import names_or_count, resuming
from hsevo.experiments.progress import duration
from hsevo.experiments.watching import spent
from hsevo.pictures import COLOURS, INK, Picture, picture
from hsevo.play.specs import short_names
from hsevo.reports import deck_pictures
from hsevo.reports.deck_searches import HALF, counted
from hsevo.reports.exhibit import (
    Answer,
    Chapter,
    Drawn,
    Folders,
    ReportKind,
    each,
    exhibit,
    meanings,
    percent,
)

if TYPE_CHECKING:
    from hsevo.pictures import Figure


@exhibit("reference", "Rate against the reference decks by generation")
def _course(data: Folders[Coevolution]) -> Drawn:
    tables = {label: reference_table(run) for label, run in data.runs.items()}
    whole = pd.concat([table.assign(run=label) for label, table in tables.items()])
    ends = {label: last(run.reference_pairs, run.table("confirmed.csv")).iloc[[0, -1]]
            for label, run in data.runs.items() if run.final}
    return Drawn((
        "Champion of each generation with 95 % intervals, from games with new seeds that were not"
        " used for selection. At the right, with wide caps: the confirmed champion. Dotted: the"
        " first pair of the hall of fame in the same games."), whole if len(tables) > 1 else
        whole.drop(columns="run"), _drawn(tables, ends, data))


def _drawn(tables: dict[str, pd.DataFrame], ends: dict[str, pd.DataFrame],
           data: Folders[Coevolution]) -> Picture:
    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        most = max(run.steps_done for run in data.runs.values())
        for (label, table), colour in zip(tables.items(), COLOURS, strict=False):
            rate, low, high = (100 * table[name].to_numpy(float) for name in (
                "rate", "low", "high"))
            axes.errorbar(table["generation"], rate, [rate - low, high - rate], color=colour,
                          label=label, marker="o", markersize=3)
            for row in ends.get(label, table.head(0)).head(1).to_dict("records"):
                axes.errorbar([1.03 * most], [100 * row["rate"]],
                              [[100 * (row["rate"] - row["low"])],
                               [100 * (row["high"] - row["rate"])]], color=colour, marker="o",
                              capsize=6)
                axes.axhline(100 * ends[label]["rate"].iloc[-1], color=colour, linestyle=":")
        axes.axhline(50, color=INK, linewidth=0.9, linestyle=":")
        axes.set_xlabel("generation")
        axes.set_ylabel("won against the reference decks (%)")
        axes.grid(axis="y")
        if len(tables) > 1:
            figure.legend(loc="outside lower center", ncols=1)

    return picture(draw, 3.4 + 0.25 * len(tables))


@exhibit("parts", "Deck or player?")
def _parts(run: Coevolution) -> Drawn:
    table = last(run.reference_pairs, run.table("confirmed.csv"))
    names = short_names(table["pilot"])
    shown = pd.DataFrame([{"deck": row["deck"], "pilot": names[row["pilot"]],
                           "games": row["games"], "won (%)": percent(row)}
                          for row in table.to_dict("records")])
    return Drawn((
        "The champion, its deck with the first player of the hall of fame, the first deck with the"
        " champion's player, and the first pair, against the reference decks with the same"
        " shuffles."), table,
        on_page=shown, terms=meanings(names))


def match_ups(run: Coevolution) -> pd.DataFrame:
    """Return the champion's last games: deck, pilot, opponent, agent, games, rate, low, high."""
    table = run.table("confirmed.csv")
    rows = table[table["stage"] == LAST].head(len(run.reference_pairs.field.decks))
    rates = Rates(results_of(rows)[:, None], np.ones(1), 1)
    low, high = rates.ends()
    return rows[["deck", "pilot", "opponent", "agent", "games"]].reset_index(drop=True).assign(
        rate=rates.rate(), low=low, high=high)


@exhibit("match-ups", "Match-ups of the champion")
def _match_ups(run: Coevolution) -> Drawn:
    table = match_ups(run)
    names = short_names([*table["agent"]])
    shown = pd.DataFrame([{
        "against": row["opponent"], "played by": names[row["agent"]], "games": row["games"],
        "won (%)": percent(row)} for row in table.to_dict("records")])
    return Drawn("Final games against each reference deck.", table,
                 deck_pictures.match_ups(table), on_page=shown, terms=meanings(names))


@exhibit("weights", "Weights of the champion's player")
def _weights(run: Coevolution) -> Drawn:
    names = [*run.genome.names]
    rows = run.table("weights.csv").set_index("individual")
    own = rows.loc[int(_champion(run)["pilot"].rpartition("-")[2]), names]
    table = pd.DataFrame({"weight": names, "champion": own.to_numpy(float),
                          "base": run.genome.default,
                          "multiplies": [run.genome.glossary[name] for name in names]})
    return Drawn("For comparison: the weights of the base agent, from which the search began or"
                 " could have begun.", table,
                 on_page=table.round(3))


@exhibit("hall", "Hall of fame")
def _hall(run: Coevolution) -> Drawn:
    table = run.table("hall.csv")
    return Drawn((
        "Generation -1: the first pairs, which always stay. When the hall of fame was full, a"
        " champion drawn by the seed left"
        " it."), table, on_page=table[["generation", "deck", "pilot"]])


def _champion(run: Coevolution) -> pd.Series:
    row: pd.Series = last(run.reference_pairs, run.table("confirmed.csv")).iloc[0]
    return row


def _answers(data: Folders[Coevolution]) -> list[Answer]:
    """Return the top of the page: the champion of each run, and how good it is."""
    return [_answer(label, run, len(data.runs) > 1) for label, run in data.runs.items()]


def _answer(label: str, run: Coevolution, many: bool) -> Answer:
    title = f"Champion{f', {label}' * many}"
    path = quote(str(run.path))
    if not run.final:
        line = run.table("generations.csv").iloc[-1]
        return Answer(f"individual-{int(line['individual'])}@deck-{int(line['deck'])}", [
            "The run is not finished. This is the champion of the last"
            " generation."], facts=_facts(run),
            next=[(resuming("coevolve", run.path), "go on")], title=title)
    rows = last(run.reference_pairs, run.table("confirmed.csv")).to_dict("records")
    best, hall = rows[0], run.table("hall.csv")
    of = hall[(hall["deck"] == best["deck"]) & (hall["pilot"] == best["pilot"])].iloc[-1]
    cards = ", ".join(f"{n}x {name}" for name, n in counted(of["cards"]).items())
    rates = [(f"the reference decks{f', as {who}' * bool(who)}",
              f"{percent(row, unit=' %')} of {row['games']:,} games") for row, who in zip(
        rows, ("", "its deck with the first player", "the first deck with its player",
               "the first pair"), strict=True)]
    kind, _, options = run.plan.agent.kind.partition("?")
    spec = f"{kind}:{run.path}/champion.yaml{'?' * bool(options)}{options}"
    return Answer(f"{best['pilot']}@{best['deck']}", [
        cards + ".", "It was selected by other games, so this rate has no selection bias.",
        HALF], rates, _facts(run), [
        (f"hsevo match {quote(f'{spec}@{run.path}/champion.txt')} eva:2018@mage",
         "play it against another pair"),
        (f"hsevo decks check {quote(str(run.path / 'champion.txt'))}", "the deck's curve and code"),
        (f"hsevo verify {path}", "repeat the run and replay its last games")], title=title)


def _facts(run: Coevolution) -> dict[str, str]:
    """Return what was evolved and played, in words."""
    plan, table = run.plan, run.table("generations.csv")
    took = spent(run.path)
    return {
        "class": run.pool.hero.title(), "pool": f"{len(run.pool.cards):,} cards",
        "pilots": plan.agent.kind, "hall": names_or_count(plan.hall.first, "first pairs"),
        "reference": names_or_count(deck.name for deck in run.reference_pairs.field.decks),
        "evolved": f"{int(table['decks'].iloc[-1]):,} decks,"
                   f" {len(run.table('weights.csv')):,} vectors of weights,"
                   f" {run.steps_done} of {plan.generations} generations,"
                   f" {table['games'].sum():,} games", "seed": str(plan.seed),
        **({"time": duration(took)} if took else {})}


def _needs(run: Coevolution) -> str:
    return "" if run.final else "The champion is selected when the run ends."


REPORT: ReportKind = ReportKind(
    "the decks and players that were found", Coevolution, (
        Chapter("Course", (_course,)),
        Chapter("Champion", (_parts, _match_ups, _weights, _hall), each,
             apart=True, needs=_needs)),
    _answers, (_course,), step="generation", began=lambda run: run.steps_done,
    command="coevolve")
