"""Decks against decks: the pairs of games of each match-up, their rates, and how unsure these are.

All that is said of a metagame follows from these counts; so its errors come from drawing the counts
anew, and carry over to whatever is computed of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hsevo.errors import DeckError, did_you_mean, quoted
from hsevo.play.specs import short_names
from hsevo.seeds import Stream, derive
from hsevo.strength import rating
from hsevo.strength.contest import PairedContest
from hsevo.types import Array

RESAMPLES = 1000  # of the counts, for an interval


@dataclass(frozen=True)
class Matchups:
    """Decks, and the pairs of games between them.

    counts: (n, n, 5), [i, j] the pairs of i and j by the points of i, 0 to 2. classes: of the
    decks' heroes.
    """

    decks: tuple[str, ...]
    classes: tuple[str, ...]
    counts: Array

    @property
    def rates(self) -> Array:
        """The rates (n, n) of each deck against each, 0 to 1; 0.5 against itself."""
        rates = rates_of(self.counts)
        np.fill_diagonal(rates, 0.5)
        return rates

    def resampled(self, times: int = RESAMPLES, seed: int = 1) -> Array:
        """Return rates (times, n, n) as they might have been, see `resampled`."""
        return resampled(self.counts, times, seed)

    def named(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of decks by name. Raises DeckError."""
        for name in names:
            if name not in self.decks:
                hint = did_you_mean(name, self.decks) or f"; it has {', '.join(self.decks[:12])}"
                raise DeckError(f"the matrix has no deck {quoted(name)}{hint}")
        return [self.decks.index(name) for name in names]


def rates_of(counts: Array) -> Array:
    """Return the mean scores (...) of counts (..., k), 0.5 where there are none."""
    games = counts.sum(axis=-1)
    return np.where(games, counts @ rating.points(counts) / np.maximum(games, 1), 0.5)


def resampled(counts: Array, times: int, seed: int) -> Array:
    """Return rates (times, n, n) drawn from what the counts (n, n, k) of pairs leave open.

    The Bayesian bootstrap (Rubin 1981): the shares of the k results of a match-up are drawn from a
    Dirichlet distribution with the counts as parameters. One more pair is spread over the results,
    so that a match-up whose pairs all ended alike has some error, too. Rates of i against j and of
    j against i sum to 1.
    """
    n = len(counts)
    i, j = np.triu_indices(n, 1)
    rates = np.full((times, n, n), 0.5)
    rates[:, i, j] = drawn_shares(counts[i, j], times, seed) @ rating.points(counts)
    rates[:, j, i] = 1 - rates[:, i, j]
    return rates


def drawn_shares(counts: Array, times: int, seed: int) -> Array:
    """Return shares (times, m, k) of k results, drawn from what counts (m, k) leave open."""
    random = np.random.Generator(np.random.PCG64(int(derive((seed, 1, Stream.ARENA))[0])))
    m, k = counts.shape
    drawn = random.standard_gamma(counts + 1 / k, (times, m, k))
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def interval(draws: Array) -> tuple[Array, Array]:
    """Return the ends (...) of the 95 % intervals of values drawn anew, (times, ...)."""
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    return low, high


def matchups_of(record: PairedContest) -> Matchups:
    """Return the match-ups of an arena whose agents each play one deck (AGENT@DECK).

    Decks are called by their names; if several agents play one, by agent and deck. Raises DeckError
    if an agent plays several decks, or two have not met.
    """
    lineup, counts = record.lineup, record.counts
    for i, name in enumerate(lineup.names):
        if len(lineup.decks_of(i)) > 1:
            raise DeckError(f"agent {quoted(name)} plays {len(lineup.decks_of(i))} decks; a matrix"
                            " of decks is of agents that each play one, AGENT@DECK")
    for i, j in combinations(range(len(lineup.names)), 2):
        if not counts[i, j].any():
            raise DeckError(f"{lineup.names[i]} and {lineup.names[j]} have not met; a matrix of"
                            " decks needs games of every two")
    own = [lineup.decks[lineup.decks_of(i)[0]] for i in range(len(lineup.names))]
    names = [deck.name for deck in own]
    if len({*names}) < len(names):
        names = list(short_names(lineup.names).values())
    return Matchups(tuple(names), tuple(deck.hero.title() for deck in own), counts)
