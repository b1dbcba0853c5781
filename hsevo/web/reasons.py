"""Why what a player tried is not a legal move, in one line, from what that player may know.

    why(view, name, source, target)    source, target: (side, zone, number), or None

Sides are "me" and "foe"; zones "hand", "board", "hero", "power".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from hsevo.cards.tables import cards
from hsevo.cards.terms import Kind
from hsevo.texts import say

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
        return say("why.over")
    if view["to_move"] != view["player"]:
        return say("why.their_turn", name=opponent)
    if view["phase"] != "play":
        return say("why.choose_first")
    if source is None or source.side != "me":
        return say("why.begin_with")
    return REASONS[source.zone](_OnTable(view, ruleset), source, target)


def name_at(view: View, ruleset: str, spot: Spot) -> str:
    """Return what is at a spot, in words."""
    return _OnTable(view, ruleset).name(spot)


class _OnTable(NamedTuple):
    """What is on the table, by spots."""

    view: View
    ruleset: str

    def at(self, spot: Spot) -> Any:
        """Return the card or character there as the view has it; {} if there is none."""
        side = self.view["me" if spot.side == "me" else "opponent"]
        if spot.zone in ("hero", "power"):
            return side[spot.zone] or {}
        zone = side[spot.zone]
        return zone[spot.number] if isinstance(zone, list) and spot.number < len(zone) else {}

    def card(self, spot: Spot) -> Any:
        """Return the card there, as the ruleset has it; None if there is none."""
        return cards(self.ruleset).get(self.at(spot).get("card", ""))

    def name(self, spot: Spot) -> str:
        """Return what is there in words."""
        if spot.zone == "hero":
            return say("table.your_hero") if spot.side == "me" else say("why.enemy_hero")
        return str(self.at(spot).get("name") or say("why.that"))


def _hand(table: _OnTable, source: Spot, target: Spot | None) -> str:
    held, card, me = table.at(source), table.card(source), table.view["me"]
    if card is None:
        return say("why.gone")
    name = card.name
    if held["cost"] > me["mana"]:
        return say("why.mana", name=name, cost=held["cost"], mana=me["mana"])
    if card.kind is Kind.MINION and len(me["board"]) == FULL:
        return say("why.full")
    if card.secret and any(secret["card"] == card.id for secret in me["secrets"]):
        return say("why.secret", name=name)
    if held["playable"] and target is not None:
        return _aimed(table, name, target)
    if held["playable"]:
        return say("why.needs_target", name=name)
    return say("why.not_playable", name=name)


def _aimed(table: _OnTable, name: str, target: Spot) -> str:
    """Return why a card or hero power can't be aimed at a character."""
    words, at = set(table.at(target).get("words", ())), table.name(target)
    if words & HIDING and target.side == "foe":
        return say("why.stealth", name=at)
    if words & IMMUNE:
        return say("why.immune", name=at)
    if "elusive" in words:
        return say("why.elusive", name=at)
    return say("why.no_target", name=name, at=at)


def _board(table: _OnTable, source: Spot, target: Spot | None) -> str:
    minion, name = table.at(source), table.name(source)
    words = set(minion.get("words", ()))
    if source.number in table.view["me"]["attackers"]:
        return _attacked(table, name, words, target)
    if "frozen" in words:
        return say("why.frozen", name=name)
    if "cant attack" in words:
        return say("why.cannot_attack", name=name)
    if not minion.get("attack"):
        return say("why.no_attack", name=name)
    if "asleep" in words:
        return say("why.asleep", name=name)
    return say("why.attacked", name=name)


def _attacked(table: _OnTable, name: str, words: set[str], target: Spot | None) -> str:
    """Return why a character that may attack can't attack this."""
    if target is None:
        return say("why.whom", name=name)
    if target.side == "me":
        return say("why.enemies")
    there = set(table.at(target).get("words", ()))
    if there & HIDING:
        return say("why.hidden", name=table.name(target))
    if there & IMMUNE:
        return say("why.immune", name=table.name(target))
    taunts = [minion for minion in table.view["opponent"]["board"]
              if "taunt" in minion["words"] and not set(minion["words"]) & (HIDING | IMMUNE)]
    if taunts and "taunt" not in there:
        return say("why.taunt", name=taunts[0]["name"])
    if target.zone == "hero" and words & {"cant attack heroes", "no heroes this turn"}:
        until = "ever" if "cant attack heroes" in words else "now"
        return say(f"why.no_heroes.{until}", name=name)
    return say("why.cannot_attack_that", name=name)


def _hero(table: _OnTable, source: Spot, target: Spot | None) -> str:
    me = table.view["me"]
    words = set(me["hero"]["words"])
    if FULL in me["attackers"]:
        return _attacked(table, say("table.your_hero"), words, target)
    if "frozen" in words:
        return say("why.frozen", name=say("why.your_hero"))
    if not me["hero"]["attack"] and not (me["weapon"] and me["weapon"]["attack"]):
        return say("why.no_weapon")
    return say("why.attacked", name=say("why.your_hero"))


def _power(table: _OnTable, source: Spot, target: Spot | None) -> str:
    me, card = table.view["me"], table.card(source)
    if card is None:
        return say("why.no_power")
    if me["can_use_power"]:
        if target is not None:
            return _aimed(table, card.name, target)
        return say("why.needs_target", name=card.name)
    if me["power"]["used"]:
        return say("why.used", name=card.name)
    if (cost := me["power"]["cost"]) > me["mana"]:
        return say("why.mana", name=card.name, cost=cost, mana=me["mana"])
    return say("why.not_usable", name=card.name)


REASONS: dict[str, Callable[[_OnTable, Spot, Spot | None], str]] = {
    "hand": _hand, "board": _board, "hero": _hero, "power": _power}
