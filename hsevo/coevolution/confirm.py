"""New games at the end: which of the newest champions is best, and how good is it?

    chosen    the newest champions play the whole hall with new seeds, and the best is chosen
    last      it plays the reference decks, with new seeds; this is reported

So what is reported chose nothing. In `last`, the first pair of the hall plays the same deals, and
so do the champion's deck with the first pilot and the first deck with the champion's pilot: how
much is it the deck, how much its pilot?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from hsevo.agents.genomes.weights import format_weights
from hsevo.cards.decks import Deck, as_code, as_text
from hsevo.cards.tables import cards
from hsevo.coevolution.course import PairCourse
from hsevo.coevolution.pairs import Pair, ReferencePairs, meetings, play_pairs
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.book import Rates, results_of
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream
from hsevo.store.tables import DataTable
from hsevo.strength.rating import Estimate

CHOSEN, LAST = "chosen", "last"
STAGES = (CHOSEN, LAST)  # their places are in the keys of their seeds


class ConfirmedPairs(NamedTuple):
    """What was played at the end: the champion, and the lines of confirmed.csv."""

    champion: Pair
    table: pd.DataFrame


def games_to_confirm(plan: Plan, first: int, decks: int) -> int:
    """Return how many games are played at the end, at most. decks: of the reference."""
    champions = min(plan.hall.size, plan.generations)
    candidates = min(plan.confirm.best, champions)
    return (candidates * (first + champions) * plan.confirm.choosing
            + 4 * decks * plan.confirm.games)


def confirm(course: PairCourse, reference: ReferencePairs, executor: Executor,
            on_games: OnGames = lambda games: None) -> ConfirmedPairs:
    """Play all games at the end. Raises GameError, WorkersError."""
    plan, hall = course.plan, course.hall
    candidates = hall.champions[-plan.confirm.best:][::-1]  # of equal ones, the newest is chosen
    results = play_pairs(executor, plan, [[pair] * len(hall.pairs) for pair in candidates],
                         hall.pairs,
                   plan.confirm.choosing, (plan.seed, Stream.COEVOLVED, STAGES.index(CHOSEN)),
                   on_games)
    even = np.full(len(hall.pairs), 1 / len(hall.pairs))
    best = candidates[int(np.argmax(Rates(results, even, len(even)).fitness("rate")))]
    chosen = meetings(candidates, [pair.deck.name for pair in hall.pairs] * len(candidates),
                      [pair.pilot for pair in hall.pairs] * len(candidates), results)
    four = beside(best, hall.pairs[0])
    last = reference.table(four, reference.play(
        executor, four, plan.confirm.games,
        (plan.seed, Stream.COEVOLVED, STAGES.index(LAST)), on_games))
    return ConfirmedPairs(best, pd.concat([chosen.assign(stage=CHOSEN), last.assign(stage=LAST)],
                                     ignore_index=True))


def beside(best: Pair, first: Pair) -> list[Pair]:
    """Return the champion, its deck with the first pilot, the first deck with its pilot, the first.
    """
    return [best, Pair(first.pilot, best.deck, first.agent),
            Pair(best.pilot, first.deck, best.agent), first]


def files(tables: Mapping[str, DataTable], course: PairCourse, reference: ReferencePairs,
          final: ConfirmedPairs) -> dict[str, bytes]:
    """Return the files that are written at the end, by name."""
    best, rate = final.champion, reported(reference, final.table)
    said = (f"with {best.pilot} confirmed {100 * rate.value:.2f} % ({100 * rate.low:.2f} to"
            f" {100 * rate.high:.2f}) against the reference decks")
    weights = course.genome.complete(course.vectors[best.pilot][None])
    return {
        "champion.txt": f"# {said}\n# {as_code(best.deck)}\n{as_text(best.deck)}".encode(),
        "champion.yaml": format_weights("yaml", [best.pilot], weights,
                                        course.genome.whole or course.genome).encode(),
        "hall.csv": tables["hall.csv"].text(hall_table(course)),
        "confirmed.csv": tables["confirmed.csv"].text(final.table)}


def hall_table(course: PairCourse) -> pd.DataFrame:
    """Return the hall of fame, the first pairs first, then the oldest champion: hall.csv."""
    return pd.DataFrame([{
        "generation": since, "deck": pair.deck.name, "pilot": pair.pilot,
        "cards": cards_of(pair.deck, course.plan.ruleset)}
        for since, pair in zip(course.hall.since, course.hall.pairs, strict=True)])


def cards_of(deck: Deck, ruleset: str) -> str:
    """Return the cards of a deck as deck databases have them: "Fireball*2|Wisp"."""
    known = cards(ruleset)
    return "|".join(f"{known[id].name}*{n}" if n > 1 else known[id].name
                    for id, n in Counter(deck.ids).items())


def last(reference: ReferencePairs, table: pd.DataFrame) -> pd.DataFrame:
    """Return the four pairs of the last games: columns deck, pilot, games, rate, low, high."""
    rows = table[table["stage"] == LAST]
    results = results_of(rows).reshape(-1, len(reference.field.decks))
    rates = reference.rates(results)
    low, high = rates.ends()
    names = rows[["deck", "pilot"]].iloc[::results.shape[1]].reset_index(drop=True)
    return names.assign(games=results["games"].sum(axis=1), rate=rates.rate(), low=low, high=high)


def reported(reference: ReferencePairs, table: pd.DataFrame) -> Estimate:
    """Return the champion's rate against the reference decks, in games that chose nothing."""
    row = last(reference, table).iloc[0]
    return Estimate(float(row["rate"]), float(row["low"]), float(row["high"]))
