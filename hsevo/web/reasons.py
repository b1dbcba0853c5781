"""Why what a player tried is not a legal move, in one line, from what that player may know.

    why(view, name, source, target)    source, target: (side, zone, number), or None

Sides are "me" and "foe"; zones "hand", "board", "hero", "power".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from hsevo.cards.tables import cards
from hsevo.cards.terms import Kind

View: TypeAlias = Mapping[str, Any]
FULL, HANDS = 7, 10  # minions of a side; cards of a hand
HIDING = {"stealth", "stealth turn"}
IMMUNE = {"immune", "immune this turn"}


class Spot(NamedTuple):
    """A card or character on the table, or in the player's hand."""

    side: str
    zone: str
    number: int = 0


def why(view: View, opponent: str, ruleset: str, source: Spot | None,
        target: Spot | None) -> str:
    """Return why no legal move is made with `source` (at `target`, if one is given)."""
    if view["phase"] == "over":
        return "The game is over."
    if view["to_move"] != view["player"]:
        return f"It is the turn of {opponent}."
    if view["phase"] != "play":
        return "Choose a card first."
    if source is None or source.side != "me":
        return "Begin with a card of yours, a minion, your hero or the hero power."
    return REASONS[source.zone](_Table(view, ruleset), source, target)


def name_at(view: View, ruleset: str, spot: Spot) -> str:
    """Return what is at a spot, in words."""
    return _Table(view, ruleset).name(spot)


class _Table(NamedTuple):
    """What is on the table, by spots."""

    view: View
    ruleset: str

    def at(self, spot: Spot) -> Any:
        """Return the card or character there as the view has it; {} if there is none."""
        side = self.view["me" if spot.side == "me" else "opponent"]
        if spot.zone in ("hero", "power"):
            return side[spot.zone] or {}
        found = side[spot.zone]
        return found[spot.number] if isinstance(found, list) and spot.number < len(found) else {}

    def card(self, spot: Spot) -> Any:
        """Return the card there, as the ruleset has it; None if there is none."""
        return cards(self.ruleset).get(self.at(spot).get("card", ""))

    def name(self, spot: Spot) -> str:
        """Return what is there in words."""
        if spot.zone == "hero":
            return "your hero" if spot.side == "me" else "the enemy hero"
        return str(self.at(spot).get("name", "that"))


def _hand(table: _Table, source: Spot, target: Spot | None) -> str:
    held, card, me = table.at(source), table.card(source), table.view["me"]
    if card is None:
        return "That card is gone."
    name = card.name
    if held["cost"] > me["mana"]:
        return f"{name} costs {held['cost']} mana, and you have {me['mana']}."
    if card.kind is Kind.MINION and len(me["board"]) == FULL:
        return "Your side is full: seven minions are the most."
    if card.secret and any(one["card"] == card.id for one in me["secrets"]):
        return f"{name} lies there already: one of each secret is the most."
    if held["playable"] and target is not None:
        return _aimed(table, name, target)
    if held["playable"]:
        return f"{name} needs a target: choose one that is marked."
    return f"{name} cannot be played now: what it needs is not there."


def _aimed(table: _Table, name: str, target: Spot) -> str:
    """Return why a card or hero power can't be aimed at a character."""
    words, at = set(table.at(target).get("words", ())), table.name(target)
    if words & HIDING and target.side == "foe":
        return f"{at} has Stealth: nothing of yours can be aimed at it."
    if words & IMMUNE:
        return f"{at} is immune."
    if "elusive" in words:
        return f"Spells and hero powers cannot be aimed at {at}."
    return f"{name} cannot be aimed at {at}."


def _board(table: _Table, source: Spot, target: Spot | None) -> str:
    minion, name = table.at(source), table.name(source)
    words = set(minion.get("words", ()))
    if source.number in table.view["me"]["attackers"]:
        return _attacked(table, name, words, target)
    if "frozen" in words:
        return f"{name} is frozen, and misses its next attack."
    if "cant attack" in words:
        return f"{name} cannot attack."
    if not minion.get("attack"):
        return f"{name} has no attack."
    if "asleep" in words:
        return f"{name} came this turn, and can attack in your next one."
    return f"{name} has attacked already, or finds nothing to attack."


def _attacked(table: _Table, name: str, words: set[str], target: Spot | None) -> str:
    """Return why a character that may attack can't attack this."""
    if target is None:
        return f"Choose whom {name} attacks."
    if target.side == "me":
        return "You can attack enemies alone."
    there = set(table.at(target).get("words", ()))
    if there & HIDING:
        return f"{table.name(target)} has Stealth, and cannot be attacked."
    if there & IMMUNE:
        return f"{table.name(target)} is immune."
    taunts = [one for one in table.view["opponent"]["board"]
              if "taunt" in one["words"] and not set(one["words"]) & (HIDING | IMMUNE)]
    if taunts and "taunt" not in there:
        return f"{taunts[0]['name']} has Taunt, and must be attacked first."
    if target.zone == "hero" and words & {"cant attack heroes", "no heroes this turn"}:
        until = "" if "cant attack heroes" in words else " this turn"
        return f"{name} cannot attack heroes{until}."
    return f"{name} cannot attack that."


def _hero(table: _Table, source: Spot, target: Spot | None) -> str:
    me = table.view["me"]
    words = set(me["hero"]["words"])
    if FULL in me["attackers"]:
        return _attacked(table, "your hero", words, target)
    if "frozen" in words:
        return "Your hero is frozen, and misses its next attack."
    if not me["hero"]["attack"] and not (me["weapon"] and me["weapon"]["attack"]):
        return "Your hero has no attack: it needs a weapon."
    return "Your hero has attacked already, or finds nothing to attack."


def _power(table: _Table, source: Spot, target: Spot | None) -> str:
    me, card = table.view["me"], table.card(source)
    if card is None:
        return "You have no hero power."
    if me["can_use_power"]:
        if target is not None:
            return _aimed(table, card.name, target)
        return f"{card.name} needs a target: choose one that is marked."
    if me["power"]["used"]:
        return f"{card.name} is used up for this turn."
    if card.cost > me["mana"]:
        return f"{card.name} costs {card.cost} mana, and you have {me['mana']}."
    return f"{card.name} cannot be used now: what it needs is not there."


REASONS: dict[str, Callable[[_Table, Spot, Spot | None], str]] = {
    "hand": _hand, "board": _board, "hero": _hero, "power": _power}
