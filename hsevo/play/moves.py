"""The moves of a game as objects: what they are made with, what they aim at, and their text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from hsevo.cards.tables import cards, ids
from hsevo.cards.terms import Kind
from hsevo.engine.record.codec import BOTH_OPTIONS, Action, decode
from hsevo.engine.view.show import ScenePlace, ends, move_text
from hsevo.engine.view.snapshot import GameSnapshot
from hsevo.types import Array


class MoveKind(StrEnum):
    """The kinds of moves."""

    END_TURN = "end turn"
    ATTACK = "attack"
    POWER = "hero power"
    PLAY = "play"
    CHOOSE = "choose"
    THROW_BACK = "throw back"  # mulligan
    KEEP = "keep"  # mulligan: keep the remaining cards


class MoveCosts(NamedTuple):
    """What a player has to pay now: for each card in hand, and for the hero power."""

    hand: list[int]
    power: int

    @classmethod
    def of(cls, hands: Array, powers: Array, held: Sequence[int]) -> tuple[MoveCosts, MoveCosts]:
        """Return the costs of players 0 and 1; hands: (2, 10); held: how many cards they hold."""
        first, second = (cls(hands[k, :held[k]].tolist(), int(powers[k])) for k in (0, 1))
        return first, second


@dataclass(frozen=True)
class Piece:
    """A card or character that a move uses or targets."""

    player: int
    zone: str  # "hand", "board", "hero", "power" or "choice"
    position: int  # in its zone, from 0
    card: str  # id
    name: str
    uid: int = 0  # a character's own for the whole game; cards in hand have none


@dataclass(frozen=True)
class Move:
    """Hold a legal move.

    Attributes
    ----------
    index : int
        Number of the move in the engine (engine.record.codec).
    kind : MoveKind
        Type of the move.
    text : str
        The move in words.
    source : Piece or None
        Card or character that acts.
    target : Piece or None
        Target.
    position : int
        Board position of a new minion. -1: none.
    option : str
        Of Choose One: the id of the option's card, or "both".
    cost : int
        Current mana cost of the card or hero power.
    """

    index: int
    kind: MoveKind
    text: str
    source: Piece | None = None
    target: Piece | None = None
    position: int = -1  # on the board, where a minion goes
    option: str = ""  # Choose One: the card id of the option, or "both"
    cost: int = 0  # what it costs now, of a card that is played or the hero power

    def __str__(self) -> str:
        return self.text


def move_of(now: GameSnapshot, ruleset: str, move: int,
            costs: tuple[MoveCosts, MoveCosts]) -> Move:
    """Return a legal move as an object."""
    parts, (source, target) = decode(move), ends(now, move)
    text, mulligan = move_text(now, move, ruleset), now.pending > 1
    with_, at = (place and _piece(now, place, ruleset) for place in (source, target))
    if parts.action is Action.CHOOSE:
        kind = MoveKind.THROW_BACK if mulligan else MoveKind.CHOOSE
        place = ScenePlace(now.me, "hand" if mulligan else "choice", parts.choice)
        return Move(move, kind, text, _piece(now, place, ruleset))
    if parts.action is Action.END:
        return Move(move, MoveKind.KEEP if mulligan else MoveKind.END_TURN, text)
    if parts.action is Action.ATTACK:
        return Move(move, MoveKind.ATTACK, text, with_, at)
    if parts.action is Action.POWER:
        return Move(move, MoveKind.POWER, text, with_, at, cost=costs[now.me].power)
    card = cards(ruleset)[ids(ruleset)[now.hand(now.me)[parts.hand].card]]
    return Move(move, MoveKind.PLAY, text, with_, at,
                parts.place if card.kind is Kind.MINION else -1,
                _option(card.options, parts.option), costs[now.me].hand[parts.hand])


def _option(options: tuple[str, ...], option: int) -> str:
    """Return the card id of a play's option; "both" for both, "" for none."""
    if option == BOTH_OPTIONS:
        return "both"
    return options[option] if options else ""


def _piece(now: GameSnapshot, place: ScenePlace, ruleset: str) -> Piece:
    """Return the card or character at a place."""
    uid = 0
    if place.zone == "hand":
        number = now.hand(place.player)[place.number].card
    elif place.zone == "choice":
        number = now.choices[place.number]
    elif place.zone == "power":
        number = now.sides[place.player].power
    else:
        hero = place.zone == "hero"
        c = now.hero(place.player) if hero else now.board(place.player)[place.number]
        number, uid = c.card, c.uid
    id = ids(ruleset)[number]
    return Piece(place.player, place.zone, place.number, id, cards(ruleset)[id].name, uid)
