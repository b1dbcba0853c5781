"""The vocabulary of cards: a number for each card that never changes, whatever is added later.

cards.csv lists the cards; a card's number is its line, after those of `NOTHING` and `UNKNOWN`. New
cards are appended. An embedding of `CARDS` rows has room for them.
"""

import csv
import functools
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hsevo.cards.layout import MAX_CARDS
from hsevo.cards.tables import ids
from hsevo.engine.view.observe import NOTHING, UNKNOWN

LISTED = Path(__file__).parent / "cards.csv"
FIRST = 2
CARDS = 4096  # numbers are below this


@functools.cache
def card_ids() -> tuple[str, ...]:
    """Return the ids of the cards in the order of their numbers, from FIRST on."""
    return tuple(row["id"] for row in _rows())


def card_names() -> list[str]:
    """Return the name of each number of the vocabulary: "", "unknown", then the cards.

    Returns
    -------
    list of str
        Name of each number of the vocabulary.

    Examples
    --------
    >>> from hsevo import learning
    >>> learning.card_names()[:3]
    ['', 'unknown', 'Malfurion Stormrage']
    """
    return ["", "unknown", *(row["name"] for row in _rows())]


@functools.cache
def rows(ruleset: str) -> npt.NDArray[Any]:
    """Return the number of the card at each table index of a ruleset, int16 (MAX_CARDS,).

    Do not write to it: it is kept.
    """
    numbers = {id: FIRST + k for k, id in enumerate(card_ids())}
    table = np.full(MAX_CARDS, UNKNOWN, np.int16)
    known = ids(ruleset)
    table[: len(known)] = [numbers.get(id, UNKNOWN) for id in known]
    table[0] = NOTHING
    return table


@functools.cache
def _rows() -> list[dict[str, str]]:
    with LISTED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
