"""Matches on human lists: each pair of games has two lists of its own, drawn from those of a side.

    hsevo match A B --decks human:held-out

A class is drawn first, each as often as the others, then a list of it. Games with the same list are
not independent of each other, so intervals count less than all pairs: their number is divided by
the *design effect* (Kish 1965; Korn and Graubard 1998), how much larger the variance of the mean is
than that of independent pairs. A game has two lists, so its variance is the one that is robust to
dyads which share a member (Aronow, Samii and Assenova 2015, equation 6). As Korn and Graubard do,
it is larger where lists are few: by Student's quantile for so many lists, squared.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hsevo.cards.decks import Deck, refuse_lists
from hsevo.cards.human_decks import SIDES
from hsevo.errors import ConfigError
from hsevo.seeds import Stream
from hsevo.types import Array


def side_of(names: Sequence[object]) -> str | None:
    """Return the side whose human lists are drawn, if `names` says so; None for other decks.

    Raises ConfigError if other decks are named as well.
    """
    here = [name for name in names if name in SIDES]
    if here and len(names) > 1:
        raise ConfigError(f"decks has {here[0]} and others, but {here[0]} draws decks for every"
                          " pair of games; use it alone")
    return SIDES[str(here[0])] if here else None


def lists(side: str, seed: int, ruleset: str, pairs: int) -> tuple[Deck, ...]:
    """Return the two lists of each pair of games: those of seats 0 and 1, pair by pair."""
    from hsevo.cards.deck_pool import DeckDraws  # imports the configs of what learns
    from hsevo.config.learning import DeckShares

    refuse_lists(ruleset)
    return DeckDraws(DeckShares(human=1.0), ruleset).decks((seed, Stream.DECKS), 2 * pairs, side)


def design_effect(scores: Array, first: Array, second: Array) -> float:
    """Return how much sharing lists adds to the variance of the mean of scores (n,), at least 1.

    first, second: the numbers of the two lists (n,) of each. If all scores are the same, which have
    no variance, each list counts once: two lists are worth a pair.
    """
    off, two = scores - scores.mean(), first != second
    g = len({*first.tolist(), *second.tolist()})
    if not off.any():
        return max(2 * len(scores) / g, 1.0)
    low, high = np.minimum(first, second), np.maximum(first, second)
    by_list = np.bincount(first, off, high.max() + 1) + np.bincount(
        second[two], off[two], high.max() + 1)
    _, dyad = np.unique(np.stack([low, high], axis=1)[two], axis=0, return_inverse=True)
    both = np.bincount(dyad.ravel(), off[two]) if two.any() else np.zeros(1)
    variance = (by_list @ by_list - both @ both) * g / max(g - 1, 1)
    free = min(len({*first.tolist()}), len({*second.tolist()})) - 1
    return max(float(variance / (off @ off)), 1.0) * _few(free, len(scores) - 1)


def _few(lists: int, scores: int) -> float:
    """Return the factor of a variance of few degrees of freedom over that of scores."""
    from scipy.stats import t  # half a second to import

    wide, narrow = t.ppf(0.975, max(lists, 1)), t.ppf(0.975, max(lists, scores, 1))
    return float((wide / narrow) ** 2)
