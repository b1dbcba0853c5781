"""Networks of before cards in play and decks were seen: they play on, bit by bit, and keep names.

Such a network has no rows for cards in play other than minions, nor for decks, and fewer GLOBAL
facts. All that is new counts for nothing in it. `narrow` gives such a network its older layout, of
which its bytes and its digest are made, as they were.
"""

from __future__ import annotations

import numpy as np

from hsevo.agents.learned.text import TEXT, TEXT_NET
from hsevo.agents.network.features import GLOBAL
from hsevo.agents.network.network import NET
from hsevo.types import Array

ADDED = ("own", "enemy", "left", "rest")  # parts
FACTS = 7  # of GLOBAL, its last
OLD_GLOBAL = GLOBAL - FACTS
_ROWS = NET["first"].shape[0] - FACTS
OLD_NET = np.dtype([
    (name, NET[name].base, (_ROWS, *NET[name].shape[1:]) if name == "first" else NET[name].shape)
    for name in NET.names or () if name not in ADDED], align=True)
OLD_TEXT = np.dtype([(name, TEXT[name].base, TEXT[name].shape) for name in TEXT.names or ()
                     if name not in ADDED], align=True)
OLD_TEXT_NET = np.dtype([("net", OLD_NET), ("text", OLD_TEXT)], align=True)


def wide_first(first: Array) -> Array:
    """Return the rows of part `first` with zeros for the facts that are new."""
    return np.insert(first, [OLD_GLOBAL] * FACTS, 0, axis=0)


def narrow(net: Array) -> Array:
    """Return a net, NET () or TEXT_NET (), in its older layout; as it is, if it needs the newer."""
    text = net.dtype == TEXT_NET
    own = net["net"] if text else net
    facts = own["first"][OLD_GLOBAL:GLOBAL]
    if facts.any() or any(part[name].any() for name in ADDED
                          for part in ((own, net["text"]) if text else (own,))):
        return net
    older: Array = np.zeros((), OLD_TEXT_NET if text else OLD_NET)
    plain = older["net"] if text else older
    for name in OLD_NET.names or ():
        plain[name] = (np.delete(own[name], np.s_[OLD_GLOBAL:GLOBAL], axis=0) if name == "first"
                       else own[name])
    for name in OLD_TEXT.names or () if text else ():
        older["text"][name] = net["text"][name]
    return older


def widened(net: Array) -> Array:
    """Return a net, NET () or TEXT_NET (), from its older layout; as it is, if it has the newer."""
    if net.dtype not in (OLD_NET, OLD_TEXT_NET):
        return net
    text = net.dtype == OLD_TEXT_NET
    newer: Array = np.zeros((), TEXT_NET if text else NET)
    plain, own = (newer["net"], net["net"]) if text else (newer, net)
    for name in OLD_NET.names or ():
        plain[name] = wide_first(own[name]) if name == "first" else own[name]
    for name in OLD_TEXT.names or () if text else ():
        newer["text"][name] = net["text"][name]
    return newer
