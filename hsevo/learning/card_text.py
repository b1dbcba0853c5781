"""The part of a learner that knows cards by what they say: matrices, and their gradients.

    rows of cards = facts x matrix + what a card's number alone stands for

As in agents/learned/text.py, in float32. A row that goes into a step of Adam is composed before it,
and its gradient goes on to both parts. While it learns, the second part is left out of a share of
the cards at random (dropout, Srivastava et al. 2014): so the facts alone must do without it, as
they must for a card that was never met. All sums are added up in a fixed order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from hsevo.agents.learned.text import ROWS, TEXT
from hsevo.agents.network.network import CARDS, WEIGHTS
from hsevo.cards.facts import ONE, facts
from hsevo.learning.gradient import adam, compose, spread
from hsevo.seeds import Stream, derive
from hsevo.types import Array

Known: TypeAlias = Literal["number", "text", "both"]
# A row has some thirteen facts, all of which move in a step, so each moves less; and what a number
# stands for moves less than other weights, so that it is learned after the facts. Tried were 1,
# 0.3, 0.1 and 0.03, and 1, 0.3 and 0.1: the lowest loss in other games after 593,000 positions.
TEXT_RATE, OWN_RATE = 0.1, 0.3  # times the rate of other weights
TEXT_WEIGHTS = np.dtype([(name, "f4", TEXT[name].shape) for name in ROWS], align=True)


class CardText:
    """What a learner knows of cards by their texts: matrices, the moments of Adam, dropout."""

    def __init__(self, seed: int, ruleset: str, known: Known, dropout: float) -> None:
        self.seed, self.dropout = seed, dropout if known == "both" else 1.0
        n = TEXT_WEIGHTS.itemsize // 4
        self.weights = np.zeros(1, TEXT_WEIGHTS)  # a fact that is never met counts for nothing
        self.moments = np.zeros((2, n), np.float32)
        self.gradient = np.zeros(1, TEXT_WEIGHTS)
        self._facts = _padded(ruleset)
        self._sums = {name: np.zeros(TEXT[name].shape[1], np.float32) for name in ROWS}

    @property
    def flat(self) -> Array:
        """The matrices as one vector, float32 (n,), of the same memory."""
        return self.weights.view(np.float32)

    def kept(self, step: int) -> Array:
        """Return what cards' own weights count in a step, OWN_RATE or 0, float32 (CARDS,).

        Of texts alone none does, of both each with probability 1 - dropout. Adam moves all weights
        alike, so what counts for less is learned more slowly.
        """
        draws = derive((self.seed, Stream.DROPOUT, step), np.arange(CARDS)) >> np.uint64(11)
        return whole() * (draws >= self.dropout * 2.0**53)

    def compose(self, own: Array, rows: Array, cards: Array, keep: Array) -> None:
        """Compose the rows of some cards in weights `rows`, both WEIGHTS (1,); see `compose`."""
        for name in ROWS:
            compose(*self._facts, cards, keep, self.weights[name][0], own[name][0], rows[name][0])

    def spread(self, shards: Array, cards: Array, keep: Array) -> None:
        """Add the gradients of rows, float32 (s, k), to `gradient`; see gradient.spread."""
        for name in ROWS:
            first = int(WEIGHTS.fields[name][1]) // 4  # type: ignore[index]
            spread(*self._facts, cards, keep, shards, first, self.gradient[name][0],
                   self._sums[name])

    def learn(self, rate: float, count: float, step: float) -> None:
        """Make a step of Adam by `gradient`, which is set to 0; see gradient.adam."""
        adam(self.flat, self.gradient.view(np.float32)[None], self.moments[0], self.moments[1],
             0, len(self.flat), TEXT_RATE * rate, count, step)


def whole() -> Array:
    """Return what cards' own weights count when none is left out, float32 (CARDS,)."""
    return np.full(CARDS, OWN_RATE, np.float32)


def _padded(ruleset: str) -> Sequence[Array]:
    """Return the facts of CARDS cards as `compose` takes them; those of no card are none."""
    begin, fact, value = facts(ruleset)
    more = CARDS + 1 - len(begin)
    return np.pad(begin, (0, more), mode="edge"), fact, (value / ONE).astype(np.float32)
