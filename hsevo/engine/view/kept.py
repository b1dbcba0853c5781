"""What minions keep in deck and hand (rules/kept.py), for Python code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hsevo.engine.jit import plain
from hsevo.engine.record.codec import (
    AGAIN,
    BONUS,
    CARD_MASK,
    LEAST,
    OWNER,
    RATTLE_ONLY,
    Moment,
    encode_kept,
    kept_keywords,
    kept_number,
    owner_of,
    pack_keywords,
    times_of,
)
from hsevo.engine.rules.kept import NUMBER

KEPT_WORDS = int(plain(kept_keywords)(1 << BONUS | CARD_MASK))  # keywords that are kept
PART = int(Moment.KEPT_MORE) << BONUS


class Kept(NamedTuple):
    """A minion and what it keeps; its texts are as those of a character (codec)."""

    card: int
    attack: int = 0
    health: int = 0
    keywords: int = 0
    texts: tuple[int, ...] = ()
    number: int = 0  # above 0: it is in hand, or its Deathrattle waits


def records(later: Sequence[int]) -> Iterator[Kept]:
    """Yield the records of a player's `later`, in their order."""
    entries = [int(entry) for entry in later]
    for at, entry in enumerate(entries):
        if entry >> BONUS != Moment.KEPT:
            continue
        end = next((k for k in range(at + 1, len(entries)) if entries[k] >> BONUS
                    != Moment.KEPT_MORE), len(entries))
        attack, health, *more = (entry & CARD_MASK for entry in entries[at + 1:end])
        packed, label, *cards = more or (0, 0)
        texts = tuple(
            text + (label >> 4 + 2 * k & 1) * RATTLE_ONLY + ((label >> 5 + 2 * k & 1) << OWNER)
            for k, text in enumerate(cards))
        yield Kept(entry & CARD_MASK, attack + LEAST, health + LEAST,
                   int(plain(kept_keywords)(1 << BONUS | packed)), texts, label & NUMBER)


def entries_of(record: Kept) -> list[int]:
    """Return the entries of `later` for a record, the inverse of `records`."""
    label, texts = record.number, list[int]()
    for text in record.texts:
        for _ in range(int(plain(times_of)(text))):
            flags = bool(text & RATTLE_ONLY) | int(plain(owner_of)(text)) << 1
            label |= flags << 4 + 2 * len(texts)
            texts.append(text & CARD_MASK)
    parts = [record.attack - LEAST, record.health - LEAST]
    if record.keywords or label or texts:
        parts += [int(plain(pack_keywords)(record.keywords)), label, *texts]
    return [record.card + (int(Moment.KEPT) << BONUS), *(PART + part for part in parts)]


def kept_in_hand(joined: int, later: Iterable[int]) -> tuple[int, tuple[int, ...]]:
    """Return the keywords and the texts that a card in hand keeps, of its `joined`."""
    number = int(plain(kept_number)(int(joined)))
    texts = next((record.texts for record in records([*later]) if record.number == number), ()) \
        if number else ()
    return int(plain(kept_keywords)(int(joined))), texts


def joined_of(keywords: int, number: int) -> int:
    """Return `joined` of a card in hand that keeps keywords, and texts if number is above 0."""
    return int(plain(encode_kept)(number, int(plain(pack_keywords)(keywords))))


def together(texts: Iterable[int]) -> list[int]:
    """Return texts, each of those that follow each other once, with how often it is there."""
    counted: list[int] = []
    for text in texts:
        if counted and counted[-1] & (1 << AGAIN) - 1 == text:
            counted[-1] += 1 << AGAIN
        else:
            counted.append(text)
    return counted
