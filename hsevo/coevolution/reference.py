"""The external reference: pairs against fixed decks, which choose nothing.

    Reference(plan, field).play(executor, pairs, games, key) --> book.RESULT (n, k)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from hsevo.coevolution.pairs import Pair
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.book import Rates
from hsevo.deckbuilding.field import Field
from hsevo.deckbuilding.games import FieldGames
from hsevo.play.workers import Executor, OnGames
from hsevo.types import Array


@dataclass(frozen=True)
class ReferenceDecks:
    """The reference decks, each with the agent that plays it."""

    plan: Plan
    field: Field

    def play(self, executor: Executor, pairs: Sequence[Pair], games: int, key: Sequence[int],
             on_games: OnGames = lambda games: None) -> Array:
        """Play n pairs against the k decks, all the same deals; return book.RESULT (n, k)."""
        found = []
        for pair in pairs:
            own = replace(self.field, agents={**self.field.agents, pair.name: pair.agent})
            arena = FieldGames(self.plan.search, own, [pair.name])
            found.append(arena.play(executor, [pair.deck], games, key, on_games))
        return np.concatenate(found)

    def rates(self, results: Array) -> Rates:
        """Return results (n, k) as rates, by the shares of the decks."""
        return Rates(results, self.field.weights(1), len(self.field.decks))

    def table(self, pairs: Sequence[Pair], results: Array) -> pd.DataFrame:
        """Return results (n, k) as lines of references.csv."""
        rows = [*zip(self.field.decks, self.field.played_by, strict=True)]
        return meetings(pairs, [deck.name for deck, _ in rows] * len(pairs),
                        [agent for _, agent in rows] * len(pairs), results)


def meetings(pairs: Sequence[Pair], opponents: Sequence[str], agents: Sequence[str],
             results: Array) -> pd.DataFrame:
    """Return results (n, k) of pairs (n,) against decks and their agents, (n k,), as lines."""
    flat = results.ravel()
    each = [pair for pair in pairs for _ in range(results.shape[1])]
    return pd.DataFrame({
        "deck": [pair.deck.name for pair in each], "pilot": [pair.pilot for pair in each],
        "opponent": list(opponents), "agent": list(agents), "games": flat["games"],
        "wins": flat["wins"], "draws": flat["draws"],
        "losses": flat["games"] - flat["wins"] - flat["draws"], "turns": flat["turns"],
        "margin": flat["margin"]})
