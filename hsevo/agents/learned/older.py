"""Networks of older layouts: they play on, bit by bit, and keep names.

Networks of before cards in play and decks were seen have no rows for cards in play other than
minions, nor for decks, and fewer GLOBAL facts. Networks of before the cards of 2017 have 2,048
rows of cards, and of facts. All that is new counts for nothing in them. `narrow` gives a network
the oldest layout that holds it; its bytes and its digest are made of that, as they were.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hsevo.agents.learned.text import ROWS, TEXT, TEXT_NET
from hsevo.agents.network.features import GLOBAL
from hsevo.agents.network.network import NET
from hsevo.types import Array

ADDED = ("own", "enemy", "left", "rest")  # parts
FACTS = 7  # of GLOBAL, its last
OLD_GLOBAL = GLOBAL - FACTS
FEW = 2048  # rows of cards, and of facts
_FIRST = NET["first"].shape[0] - FACTS


def _layout(names: Iterable[str], first: int) -> np.dtype:
    """Return the dtype of some parts of a NET with FEW rows of cards, `first` of part `first`."""
    rows = dict.fromkeys(ROWS, FEW) | {"first": first}
    return np.dtype([(name, NET[name].base,
                      (rows.get(name, NET[name].shape[0]), *NET[name].shape[1:]))
                     for name in names], align=True)


def _text(names: Iterable[str]) -> np.dtype:
    """Return the dtype of some parts of a TEXT with FEW rows of facts."""
    return np.dtype([(name, TEXT[name].base, (FEW, *TEXT[name].shape[1:])) for name in names],
                    align=True)


FEW_NET = _layout(NET.names or (), NET["first"].shape[0])
FEW_TEXT_NET = np.dtype([("net", FEW_NET), ("text", _text(TEXT.names or ()))], align=True)
OLD_NET = _layout([name for name in NET.names or () if name not in ADDED], _FIRST)
OLD_TEXT_NET = np.dtype([
    ("net", OLD_NET),
    ("text", _text([name for name in TEXT.names or () if name not in ADDED]))], align=True)
LAYOUTS = (OLD_NET, OLD_TEXT_NET, FEW_NET, FEW_TEXT_NET)


def wide_first(first: Array) -> Array:
    """Return the rows of part `first` with zeros for the facts that are new."""
    return np.insert(first, [OLD_GLOBAL] * FACTS, 0, axis=0)


def narrow(net: Array) -> Array:
    """Return a net, NET () or TEXT_NET (), in the oldest layout that holds all of it."""
    text = net.dtype == TEXT_NET
    own = net["net"] if text else net
    parts = (own, net["text"]) if text else (own,)
    if any(part[name][FEW:].any() for name in ROWS for part in parts):
        return net
    newer = own["first"][OLD_GLOBAL:GLOBAL].any() or any(
        part[name].any() for name in ADDED for part in parts)
    older: Array = np.zeros((), (FEW_TEXT_NET if newer else OLD_TEXT_NET) if text
                            else FEW_NET if newer else OLD_NET)
    plain = older["net"] if text else older
    for name in plain.dtype.names or ():
        if name == "first" and not newer:
            plain[name] = np.delete(own[name], np.s_[OLD_GLOBAL:GLOBAL], axis=0)
        else:
            plain[name] = own[name][:len(plain[name])]
    if text:
        for name in older["text"].dtype.names or ():
            older["text"][name] = net["text"][name][:FEW]
    return older


def widened(net: Array) -> Array:
    """Return a net, NET () or TEXT_NET (), from an older layout; as it is, if it has the newest."""
    if net.dtype not in LAYOUTS:
        return net
    text = "text" in (net.dtype.names or ())
    newer: Array = np.zeros((), TEXT_NET if text else NET)
    plain, own = (newer["net"], net["net"]) if text else (newer, net)
    for name in own.dtype.names or ():
        if name == "first" and len(own[name]) == _FIRST:
            plain[name] = wide_first(own[name])
        else:
            plain[name][:len(own[name])] = own[name]
    if text:
        for name in net["text"].dtype.names or ():
            newer["text"][name][:FEW] = net["text"][name]
    return newer
