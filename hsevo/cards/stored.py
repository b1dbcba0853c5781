"""Compiled tables in the cache folder: compiling those of all shipped rulesets takes 1.5 s of CPU.

Every process needs them for the engine's fingerprint. A file is the SHA-256 of what follows, and
the table of one shipped ruleset, compressed. Its name has the digests of all sources and of the
cards and rules that the table is made of. A table is neither stored nor read if a source has
changed since the process began: the code that compiles may be older.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from hsevo import sources
from hsevo.cards.layout import TABLES
from hsevo.cards.rulesets import Ruleset
from hsevo.cards.terms import Set
from hsevo.cards.vocabulary.model import Card
from hsevo.types import Array

LINE = 64  # bytes of a cache line, at which a table begins
MOST_FILES = 70  # of ten versions of the sources; 100 KB each


def empty() -> Array:
    """Return an empty table, TABLES (1,)."""
    room = np.zeros(TABLES.itemsize + LINE, np.uint8)
    first = -room.ctypes.data % LINE
    return cast(Array, room[first : first + TABLES.itemsize].view(TABLES))


def table(ruleset: str, made_of: str, compile: Callable[[], np.record]) -> np.record:
    """Return the stored table of a shipped ruleset, or compile and store it.

    made_of: the data that, with the sources, determine what `compile` returns.
    """
    if not sources.are_imported():
        return compile()
    path = _path(ruleset, made_of)
    if known := _read(path):
        plain = empty()
        plain.view(np.uint8)[:] = np.frombuffer(known, np.uint8)
        return cast(np.record, plain.view(np.recarray)[0])
    compiled = compile()
    _write(path, compiled.tobytes())
    return compiled


def _read(path: Path) -> bytes | None:
    """Return a stored table, if it is there as it was written."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(data[32:]).digest() != data[:32]:  # a part of it, or the disk lost a bit
        return None
    try:
        known = zlib.decompressobj().decompress(data[32:], TABLES.itemsize + 1)
    except zlib.error:
        return None
    return known if len(known) == TABLES.itemsize else None


def _write(path: Path, known: bytes) -> None:
    """Store a table, whole or not at all, if that can be done."""
    temporary = path.with_name(f".{path.name}-{os.getpid()}")
    data = zlib.compress(known, 1)
    try:
        path.parent.mkdir(exist_ok=True)
        temporary.write_bytes(hashlib.sha256(data).digest() + data)
        temporary.replace(path)
        _remove_old(path.parent)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _path(ruleset: str, made_of: str) -> Path:
    """Return the file of a ruleset's table, for these sources and this order of bytes."""
    key = hashlib.sha256(f"{sources.all_bytes()} {sys.byteorder} {made_of}".encode()).hexdigest()
    return sources.cache() / "tables" / f"{ruleset}-{key[:32]}"


def _remove_old(folder: Path) -> None:
    """Remove all but the newest files. Raises OSError."""
    by_age = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in by_age[MOST_FILES:]:
        path.unlink(missing_ok=True)


def made_of(rules: Ruleset, groups: Sequence[tuple[tuple[Card, ...], Set | None]],
            others: tuple[object, ...]) -> str:
    """Return a text that differs if a ruleset, a card in the groups, or other data differ."""
    own = [(where, _digest(cards)) for where, cards in rules.own_cards]
    return repr((replace(rules, own_cards=()), own,
                 [(_digest(cards), where) for cards, where in groups], *others))


def _digest(cards: tuple[Card, ...]) -> str:
    """Return a digest of a group of cards. Rulesets share groups, and a group never changes."""
    if id(cards) not in _digests:
        _digests[id(cards)] = cards, hashlib.sha256(pickle.dumps(cards, 5)).hexdigest()
    return _digests[id(cards)][1]


# By identity, with the group: to hash one takes longer than to pickle it.
_digests: dict[int, tuple[tuple[Card, ...], str]] = {}
