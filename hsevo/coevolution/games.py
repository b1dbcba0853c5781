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
from hsevo.deckbuilding.games import summed, with_mirror_images
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
    rows = np.zeros((len(own), len(theirs)), match.PAIRING)
    for side, pairs in (("a", own), ("b", [theirs] * len(own))):
        for i, row in enumerate(pairs):
            rows[side][i] = [agents.of(pair.agent.tobytes(), pair.agent) for pair in row]
            rows[f"deck_{side}"][i] = [decks.of(pair.deck, pair.deck) for pair in row]
    rows["games"], rows["seed"] = games // 2, derive(key, np.arange(len(theirs)))
    both = with_mirror_images(rows.ravel())
    setting = match.Setting(plan.ruleset, tuple(decks.values), max_turns=plan.max_turns)
    found = tournament.play(executor, both, np.concatenate(agents.values), setting, on_games)
    return summed(both, found).reshape(rows.shape)


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
