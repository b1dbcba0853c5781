"""A game record as plain Python values, read once: the input of views and events.

    snapshot(g) -> Snapshot: header, 16 characters, 2 sides, with the field names of the records
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple, cast

import numpy as np

from hsevo.engine.record.codec import CARD_MASK, HERO, SEATS
from hsevo.engine.record.state import CHAR, HELD, SECRET, SIDE

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

    def secrets(self, player: int) -> list[Any]:
        """Return a player's secrets, the oldest first."""
        side = self.sides[player]
        return list(side.secret[: side.n_secrets])


def snapshot(g: Any) -> GameSnapshot:
    """Return a game (a record of the engine) as plain values."""
    chars = [_lists(Character._make(one)) for one in g["char"].tolist()]
    first, second = (_lists(Side._make(one)) for one in g["side"].tolist())
    return GameSnapshot(
        int(g["turn"]), int(g["me"]), int(g["result"]), int(g["max_turns"]), int(g["pending"]),
        int(g["chooser"]), _first(g, "choice", "n_choices"), int(g["chosen"]),
        int(g["defender_uid"]), int(g["countered"]), _first(g, "aside", "n_aside"),
        chars, (_side(first), _side(second)))


def _first(g: Any, name: str, count: str) -> tuple[int, ...]:
    return tuple(g[name].tolist()[: int(g[count])])


def _lists(record: Any) -> Any:
    """Return a tuple of fields with lists for those that are arrays."""
    return record._replace(**{name: value.tolist() for name, value in record._asdict().items()
                           if isinstance(value, np.ndarray)})


def _side(side: Any) -> Any:
    return side._replace(hand=[Held._make(one) for one in side.hand],
                         secret=[Secret._make(one) for one in side.secret])


def marks(g: Any) -> tuple[Any, ...]:
    """Return a value that differs whenever the snapshots do, and is cheaper to compute."""
    return (g["char"].tobytes(), g["side"].tobytes(), int(g["turn"]), int(g["me"]),
            int(g["result"]), int(g["pending"]), int(g["defender_uid"]), int(g["countered"]),
            int(g["chosen"]))
