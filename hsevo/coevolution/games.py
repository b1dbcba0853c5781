"""Games of pairs against pairs: who meets whom in, results out.

    play(executor, plan, own, theirs, games, key) --> book.RESULT (n, m)

Each of n candidates is in m pairs, and the m opponents are the same for all: the seed of a match
depends on its place among the m alone, so all candidates play the same deals, from either seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.coevolution.pairs import Pair
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.games import summed
from hsevo.play import match, tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import derive
from hsevo.types import Array


def play(executor: Executor, plan: Plan, own: Sequence[Sequence[Pair]], theirs: Sequence[Pair],
         games: int, key: Sequence[int], on_games: OnGames = lambda games: None) -> Array:
    """Play n candidates, each in m pairs, against m pairs; return book.RESULT (n, m).

    games: of each meeting, even. key: of the seeds. Raises GameError, WorkersError.
    """
    agents, decks = _Numbers(), _Numbers()
    (a, deck_a), (b, deck_b) = (_numbered(pairs, agents, decks) for pairs in (own, [theirs]))
    rows = match.pairings(a, b, deck_a, deck_b, derive(key, np.arange(len(theirs))), games // 2)
    both = match.pairs(rows).ravel()
    setting = match.Setting(plan.ruleset, tuple(decks.values), "fair", plan.max_turns)
    found = tournament.play(executor, both, np.concatenate(agents.values), setting, on_games)
    return summed(both, found).reshape(rows.shape)


def _numbered(pairs: Sequence[Sequence[Pair]], agents: _Numbers, decks: _Numbers
              ) -> tuple[list[list[int]], list[list[int]]]:
    """Return the numbers of the agents and of the decks of pairs, in their shape."""
    return ([[agents.of(pair.agent.tobytes(), pair.agent) for pair in row] for row in pairs],
            [[decks.of(pair.deck, pair.deck) for pair in row] for row in pairs])


class _Numbers:
    """Different values in the order in which they came, by their keys."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._known: dict[bytes | Deck, int] = {}

    def of(self, key: bytes | Deck, value: Any) -> int:
        """Return the number of a value, new or known."""
        if key not in self._known:
            self._known[key] = len(self.values)
            self.values.append(value)
        return self._known[key]
