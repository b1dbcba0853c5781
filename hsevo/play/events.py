"""Events of a game and snapshots of its record, as plain Python values.

    snapshot(g) -> GameSnapshot    header, 16 characters, 2 sides, by the field names of the records
    seen_by(event, player)         the event as a player sees it

`play.recorder` makes the events. They suffice to animate or export a game; each lists the players
who may see its card. A snapshot is read once, and views and events are made of it.
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple, cast

import numpy as np

from hsevo.cards.tables import cards
from hsevo.cards.terms import Keyword, Kind
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import CARD_MASK, HERO, SEATS, times_of
from hsevo.engine.record.state import CHAR, HELD, SECRET, SIDE

BOTH = (0, 1)


class What(StrEnum):
    """The kinds of events. The comments list the fields of each, besides player and by."""

    BEGAN = "game began"  # player: the one who begins
    TURN = "turn began"  # amount: which
    TURN_ENDED = "turn ended"
    PLAYED = "card played"  # card, position in hand, target, amount: mana paid
    POWER = "power used"  # card, target, amount: mana paid
    ATTACKED = "attacked"  # card, uid, target
    CHOSE = "chosen"  # card
    THREW_BACK = "thrown back"  # card, position in hand
    TRIGGERED = "text triggered"  # card, uid (0: a weapon or secret)
    COUNTERED = "countered"  # the card that is being played
    RETARGETED = "attack redirected"  # target: the new one
    DAMAGED = "damaged"  # card, uid, amount, lethal, now; amount 0: Divine Shield took it (lost)
    HEALED = "healed"  # card, uid, amount, now
    ARMOR = "armor gained"  # card, uid, amount, now
    CHANGED = "changed"  # card, uid; now: numbers that changed; gained, lost: keywords
    TEXT = "text given"  # card, uid, cards: what was attached to it
    SUMMONED = "summoned"  # card, uid, position, now, gained: its keywords
    DIED = "died"  # card, uid
    LEFT = "left play"  # card, uid: back to a hand, or it became the hero
    TRANSFORMED = "transformed"  # card and uid: the new ones; was: the uid before; now, gained
    CONTROLLED = "changed sides"  # card, uid, player: the new one, position
    HERO = "hero replaced"  # card, uid, was, now, gained: its keywords
    DREW = "drawn"  # card
    BURNED = "burned"  # card: drawn with a full hand
    FATIGUE = "fatigue"  # amount: damage to come
    GOT = "put into hand"  # card
    DISCARDED = "discarded"  # card, position in hand
    LEFT_HAND = "left hand"  # card, position: into play, or swapped
    SHUFFLED = "put into deck"  # card
    LEFT_DECK = "left deck"  # card: into play, or laid out to choose from
    SECRET = "secret played"  # card, uid, cards: all by uid, if that is not the order of play
    REVEALED = "secret revealed"  # card, uid
    SECRET_LOST = "secret lost"  # card, uid: destroyed or taken by the opponent
    EQUIPPED = "weapon equipped"  # card, uid, now
    WEAPON = "weapon changed"  # card, uid, now
    BROKE = "weapon broken"  # card, uid
    MANA = "mana"  # now: mana, crystals, locked, owed
    NEW_POWER = "power changed"  # card, amount: 1 if it is used up
    OFFERED = "choice offered"  # cards
    OVER = "game over"  # amount: result (engine.record.state); player: the winner, -1 for a draw


@dataclass(frozen=True, repr=False)
class Event:
    """One event. `What` lists the fields of each kind; the others are empty."""

    what: What
    player: int  # the player it belongs to: 0, 1, or -1
    card: str = ""  # id
    uid: int = 0  # of the character, weapon or secret
    position: int = -1  # on the board or in the hand, from 0
    target: int = 0  # uid of another character
    amount: int = 0
    lethal: bool = False
    by_card: str = ""  # the card whose text or attack caused it
    by: int = 0  # the uid of that card, if it is in play
    was: int = 0  # the uid before
    now: Mapping[str, int] = field(default_factory=dict)  # numbers after the event
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    known_to: tuple[int, ...] = BOTH  # who may see the cards

    def __repr__(self) -> str:
        """Return the event without empty fields: Event(drawn, player=0, card='CS2_029')."""
        fields = (f", {name}={value!r}" for name, value in self.plain().items() if name != "what")
        return f"Event({self.what}{''.join(fields)})"

    def plain(self) -> dict[str, Any]:
        """Return the event as a dict for json.dumps, without empty fields."""
        empty = Event(self.what, self.player)
        fields = {name: value for name, value in asdict(self).items()
                  if name in ("what", "player") or value != getattr(empty, name)}
        return fields | {"what": str(self.what)}


def seen_by(event: Event, player: int) -> Event:
    """Return an event as a player sees it: without cards that are hidden from that player."""
    if player in event.known_to:
        return event
    return replace(event, card="", cards=(), now={}, position=-1)


USED_UP = {What.DIED, What.BROKE, What.BURNED, What.DISCARDED, What.REVEALED}


def used_up(events: Iterable[Event], player: int, ruleset: str) -> list[dict[str, str]]:
    """Return the cards of a player that were used up in sight of both players, in order."""
    known = cards(ruleset)

    def is_used_up(event: Event) -> bool:
        cast = event.what is What.PLAYED and event.known_to == BOTH
        return event.what in USED_UP or (cast and known[event.card].kind is Kind.SPELL)

    return [{"card": event.card, "name": known[event.card].name} for event in events
            if event.player == player and is_used_up(event)]


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
