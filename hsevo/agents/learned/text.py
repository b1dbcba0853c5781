"""Networks that know cards by what they say: rows of weights that are sums of facts.

    row of a card = its facts (cards/facts.py) times a matrix + what its number alone stands for

A TEXT_NET has the matrices, and in the places of the rows what is added by number. `composed` makes
of it the NET that plays a ruleset, once, so that games take as long as with any NET. All is exact
integer arithmetic: facts are in units of 1 / ONE, weights of 1 / WEIGHT.
"""

from __future__ import annotations

import numpy as np

from hsevo.agents.network.network import NET
from hsevo.cards.facts import FACTS, ONE, facts
from hsevo.cards.tables import ids
from hsevo.types import Array

# Parts of a NET with a row for each card, and matrices of a TEXT.
ROWS = ("card", "held", "own", "enemy", "left", "rest")
TEXT = np.dtype([(name, "i2", (FACTS, NET[name].shape[1])) for name in ROWS], align=True)
TEXT_NET = np.dtype([("net", NET), ("text", TEXT)], align=True)
MOST = 2**15 - 1  # of a weight


def composed(net: Array, ruleset: str, known: tuple[str, ...]) -> Array:
    """Return the NET () that a TEXT_NET () plays a ruleset with.

    known: the cards of its rows by number. Cards of the ruleset beyond these have their facts
    alone. Raises CardError if there is no such ruleset.
    """
    from scipy.sparse import csr_array  # takes a quarter of a second

    begin, fact, value = facts(ruleset)
    said = csr_array((value, fact, begin), shape=(len(begin) - 1, FACTS))
    number, there = {card: i for i, card in enumerate(known)}, ids(ruleset)
    old = np.array([number[card] for card in there if card in number], np.int64)
    new = np.array([i for i, card in enumerate(there) if card in number], np.int64)
    whole: Array = np.array(net["net"], NET)
    for name in ROWS:
        rows = (said @ net["text"][name].astype(np.int64) + ONE // 2) // ONE
        rows[new] += net["net"][name][old]
        whole[name] = 0
        whole[name][:len(rows)] = np.clip(rows, -MOST, MOST)
    return whole
