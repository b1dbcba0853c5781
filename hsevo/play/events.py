"""Events of a game, as plain Python values.

    seen_by(event, player)         the event as a player sees it

`play.recorder` makes the events. They suffice to animate or export a game; each lists the players
who may see its card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from hsevo.cards.tables import cards
from hsevo.cards.terms import Kind

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
