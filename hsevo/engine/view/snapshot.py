"""A game at one moment, as plain Python values, with all that is hidden.

    snapshot(g) -> GameSnapshot    header, 16 characters, 2 sides, by the field names of the records

Views, events, scenes and the texts of moves read a snapshot, not the record. Reading an attribute
of a NumPy record takes about a microsecond, and of a snapshot about 30 ns.
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np

from hsevo.cards.terms import Keyword
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import CARD_MASK, HERO, SEATS, times_of
from hsevo.engine.record.state import CHAR, HELD, SECRET, SIDE

_UNSHOWN = Keyword.BATTLECRY | Keyword.FRESH  # no effect in play; shown as "asleep"
_WORDS = [(int(k), k.name.lower().replace("_", " ")) for k in Keyword if not k & _UNSHOWN]

# Named tuples with the fields of a dtype; engine.record.state explains them.
_tuple_of = cast(Any, namedtuple)
Character: Any = _tuple_of("Character", CHAR.names)
Held: Any = _tuple_of("Held", HELD.names)
Secret: Any = _tuple_of("Secret", SECRET.names)
Side: Any = _tuple_of("Side", SIDE.names)


class GameSnapshot(NamedTuple):
    """A game at one moment, including what is hidden. Methods return the used parts in order."""

    turn: int
    me: int
    result: int
    max_turns: int
    pending: int
    chooser: int
    choices: tuple[int, ...]  # cards, by table index
    chosen: int
    defender_uid: int
    countered: int
    aside: tuple[int, ...]  # thrown back in a mulligan
    chars: list[Any]
    sides: tuple[Any, Any]

    def board(self, player: int) -> list[Any]:
        """Return a player's minions from left to right."""
        side = self.sides[player]
        return [self.chars[SEATS * player + slot] for slot in side.row[: side.minions]]

    def hero(self, player: int) -> Any:
        """Return a player's hero."""
        return self.chars[SEATS * player + HERO]

    def at(self, player: int, position: int) -> Any:
        """Return the character at a position: minions from the left, or HERO."""
        return self.hero(player) if position == HERO else self.board(player)[position]

    def hand(self, player: int) -> list[Any]:
        """Return the cards in a player's hand."""
        side = self.sides[player]
        return list(side.hand[: side.n_hand])

    def deck(self, player: int, seen: bool = False) -> list[int]:
        """Return the cards in a player's deck; with `ordered`, the last one is on top.

        seen: only those that the player knows to be there.
        """
        side = self.sides[player]
        return [entry & CARD_MASK for k, entry in enumerate(side.deck[: side.n_deck])
                if not (seen and side.unseen >> k & 1)]

    def dormant(self, player: int) -> list[Any]:
        """Return a player's dormant cards on the board: in slots, but not in its row."""
        row = self.sides[player].row[: self.sides[player].minions]
        return [self.chars[SEATS * player + slot] for slot in range(HERO)
                if slot not in row and self.chars[SEATS * player + slot].card]

    def secrets(self, player: int) -> list[Any]:
        """Return a player's secrets, the oldest first."""
        side = self.sides[player]
        return list(side.secret[: side.n_secrets])


def snapshot(g: Any) -> GameSnapshot:
    """Return a game (a record of the engine) as plain values.

    Characters and sides that are equal to earlier ones are the same objects.
    """
    chars = [_character(part) for part in _parts(g["char"].tobytes(), CHAR.itemsize)]
    first, second = map(_side, _parts(g["side"].tobytes(), SIDE.itemsize))
    return GameSnapshot(
        int(g["turn"]), int(g["me"]), int(g["result"]), int(g["max_turns"]), int(g["pending"]),
        int(g["chooser"]), _first(g, "choice", "n_choices"), int(g["chosen"]),
        int(g["defender_uid"]), int(g["countered"]), _first(g, "aside", "n_aside"),
        chars, (first, second))


def _first(g: Any, name: str, count: str) -> tuple[int, ...]:
    return tuple(g[name].tolist()[: int(g[count])])


def _reader(named: Any, dtype: np.dtype[Any]) -> Callable[[tuple[Any, ...]], Any]:
    """Return what makes a named tuple of a record's values, with lists for its arrays."""
    arrays = [k for k, name in enumerate(dtype.names or ()) if dtype[name].shape]

    def read(values: tuple[Any, ...]) -> Any:
        listed = [*values]
        for k in arrays:
            listed[k] = listed[k].tolist()
        return named._make(listed)

    return read


_fields_of_character, _fields_of_side = _reader(Character, CHAR), _reader(Side, SIDE)


def _parts(raw: bytes, size: int) -> list[bytes]:
    return [raw[at:at + size] for at in range(0, len(raw), size)]


@functools.lru_cache(maxsize=4096)
def _character(raw: bytes) -> Any:
    return _fields_of_character(np.frombuffer(raw, CHAR)[0].tolist())


@functools.lru_cache(maxsize=512)
def _side(raw: bytes) -> Any:
    side = _fields_of_side(np.frombuffer(raw, SIDE)[0].tolist())
    return side._replace(hand=[Held._make(card) for card in side.hand],
                         secret=[Secret._make(secret) for secret in side.secret])


def words_of(character: Any, hero: bool = False) -> tuple[str, ...]:
    """Return a character's keywords, with "asleep" and "borrowed" where they apply."""
    bits = character.keywords | character.aura_keywords
    words = keyword_words(bits)
    if bits & Keyword.FRESH and not bits & (Keyword.CHARGE | Keyword.RUSH) and not hero:
        words.append("asleep")
    return (*words, "borrowed") if character.borrowed else tuple(words)


def keyword_words(bits: int) -> list[str]:
    """Return the words for bits of keywords."""
    return [word for bit, word in _WORDS if bits & bit]


def texts_of(character: Any) -> list[int]:
    """Return the texts (codec) that were attached to a character, in order, each once a time."""
    times: Callable[[int], int] = plain(times_of)
    return [text for text in character.extra for _ in range(times(text))]


def marks(g: Any) -> tuple[Any, ...]:
    """Return a value that differs whenever the snapshots do, and is cheaper to compute."""
    return (g["char"].tobytes(), g["side"].tobytes(), int(g["turn"]), int(g["me"]),
            int(g["result"]), int(g["pending"]), int(g["defender_uid"]), int(g["countered"]),
            int(g["chosen"]))
