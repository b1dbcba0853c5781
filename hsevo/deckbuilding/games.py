"""Games of decks against a field: decks (n,) in, their results in m meetings out.

    FieldGames(plan, field, pilots).play(executor, decks, games, key) --> book.RESULT (n, m)

All decks play the same deals: the seed of a match depends on the deck of the field alone. Each
match has a mirror image with the sides swapped, so that a deck plays the deals of either seat.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.book import RESULT
from hsevo.deckbuilding.field import OWN, Field
from hsevo.play import match, tournament
from hsevo.play.behaviour import SEEN, WATCHED, Watched
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import derive
from hsevo.types import Array


class FieldGames:
    """Where decks meet a field under some pilots; meetings are pilot by pilot."""

    def __init__(self, plan: Plan, field: Field, pilots: Sequence[str]) -> None:
        self.plan, self.field = plan, field
        specs = [*dict.fromkeys((*pilots, *filter(None, field.played_by)))]
        self.agents = np.concatenate([field.agents[spec] for spec in specs])
        number = {spec: i for i, spec in enumerate(specs)}
        own = [number[pilot] for pilot in pilots]
        pairs = [(pilot, pilot if spec == OWN else number[spec], j)
                 for pilot in own for j, spec in enumerate(field.played_by)]
        self.pilot, self.theirs, self.deck = np.array(pairs).T

    def pairings(self, n: int, games: int, key: Sequence[int]) -> Array:
        """Return match.PAIRING (2 n m,) of n decks, each match followed by its mirror image.

        games: of each meeting, even. Decks have the numbers after those of the field.
        """
        own = len(self.field.decks) + np.arange(n)[:, None]
        rows = match.pairings(self.pilot, self.theirs, own, self.deck, derive(key, self.deck),
                              games // 2)
        return match.pairs(rows).ravel()

    def play(self, executor: Executor, decks: Sequence[Deck], games: int, key: Sequence[int],
             on_games: OnGames = lambda games: None, watch: bool = False) -> Array:
        """Play all meetings of n decks; return book.RESULT (n, m).

        watch: note also what happens in the games, see play/behaviour.py.
        """
        setting = match.Setting(self.plan.ruleset, (*self.field.decks, *decks), "fair",
                                self.plan.max_turns)
        rows = self.pairings(len(decks), games, key)
        found = tournament.play(Watched(executor) if watch else executor, rows, self.agents,
                                setting, on_games)
        return summed(rows, found).reshape(len(decks), len(self.deck))


def summed(rows: Array, found: Array) -> Array:
    """Return the results of matches and their mirror images, from the first side's view."""
    results = np.zeros(len(rows) // 2, RESULT)
    results["games"] = rows["games"][::2] + rows["games"][1::2]
    results["wins"] = found["wins_a"][::2] + found["wins_b"][1::2]
    for name in ("draws", "turns"):
        results[name] = found[name][::2] + found[name][1::2]
    results["margin"] = (found["margin_a"][::2] - found["margin_b"][::2]
                         + found["margin_b"][1::2] - found["margin_a"][1::2])
    for name in SEEN if found.dtype == WATCHED else ():
        results[name] = found[f"{name}_a"][::2] + found[f"{name}_b"][1::2]
    return results
