"""Human decks as examples for deck building: what a teacher is for the battle.

    decks = HumanDecks(pool, ruleset, classes)
    decks.draw((seed,), owners)        a list for each of n decks, of the same class

They are lists of the deck database that are known, not held out, and have cards of the pool alone.
A list has no order, so its cards are drawn in any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from hsevo.cards.deck_pool import known_lists
from hsevo.cards.decks import SIZE
from hsevo.cards.tables import ids
from hsevo.cards.terms import Class
from hsevo.errors import ConfigError
from hsevo.learning.acting.drafts import Draft
from hsevo.learning.acting.pool import CardPool
from hsevo.seeds import derive

Array = npt.NDArray[np.int64]
# A stream after those of seeds.Stream, which is part of the engine's fingerprint: (round's seed,
# number of the update, process, EXAMPLES), deck, card.
EXAMPLES = 2**32 + 24


class HumanDecks:
    """The lists of some classes as places in the pool. Raises ConfigError if a class has none."""

    def __init__(self, pool: CardPool, ruleset: str, classes: Iterable[int]) -> None:
        place = {id: k for k, id in enumerate(pool.ids)}
        of_table = np.array([place.get(id, -1) for id in ids(ruleset)])
        self.lists = {}
        for owner in classes:
            cards = of_table[known_lists(Class(owner), "known", ruleset)[0]]
            self.lists[owner] = cards[(cards >= 0).all(axis=1)]
            if not len(self.lists[owner]):
                raise ConfigError(f"no human {Class(owner).name.lower()} list consists only of"
                                  f" cards of {ruleset}; remove network.kickstart_decks")

    def draw(self, key: Sequence[int], owners: Array) -> Draft:
        """Return a list for each owner, its class (n,), with its cards in an order that is drawn.
        """
        draws = derive((*key, EXAMPLES), np.arange(len(owners))[:, None],
                       np.arange(SIZE + 1))
        picks = np.zeros((len(owners), SIZE), np.int64)
        for owner, lists in self.lists.items():
            rows = np.flatnonzero(owners == owner)
            picks[rows] = lists[(draws[rows, SIZE] % np.uint64(len(lists))).astype(np.int64)]
        order = np.argsort(draws[:, :SIZE], axis=1)
        return Draft(owners, np.zeros(len(owners), np.int64),
                     np.take_along_axis(picks, order, axis=1),
                     np.zeros((len(owners), SIZE), np.float32),
                     np.full((len(owners), SIZE), -1), np.zeros(len(owners), np.int64))
