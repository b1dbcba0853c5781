"""Where the simulator behind the scenario files is known to depart from the rules.

Each test tells whether a step that differs does so by one departure, as narrowly as it can be
told from the states alone; scenario_exceptions.csv gives the source for each, by the test's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hsevo.cards.words import Card, Kind, Op
from hsevo.engine.state import BOARD
from tests.state_adapter import State

Step = dict[str, Any]
Test = Callable[["Difference"], bool]


class Difference:
    """A step that differs: the state before it, what it is, and the lines that say how."""

    def __init__(
        self, cards: Mapping[str, Card], before: State, step: Step, lines: list[str]
    ) -> None:
        self.cards, self.before, self.lines = cards, before, lines
        self.action = step["action"]
        self.after = [outcome["state"] for outcome in step["outcomes"]]
        self.me = before["turn_player"]

    def only_about(self, *parts: str) -> bool:
        """Tell whether every line is about one of these parts of a state."""
        return all(any(part in line.split(":")[0] for part in parts) for line in self.lines)

    def minions(self, player: int, *states: State) -> list[dict[str, Any]]:
        """Return a player's minions in some states."""
        return [minion for state in states for minion in state["players"][player]["board"]]

    def played(self) -> Card | None:
        """Return the card that was played."""
        return self.cards[self.action["card"]] if "card" in self.action else None


def silenced_spell_damage(d: Difference) -> bool:
    """A silenced minion still gives Spell Damage."""

    def gives(player: int) -> bool:
        return any(
            "silenced" in minion["kw"] and d.cards[minion["id"]].spell_damage > 0
            for minion in d.minions(player, d.before, *d.after)
        )

    card = d.played()
    spell = card is not None and card.kind is Kind.SPELL and gives(d.me)
    shown = d.only_about("spellpower") and any(
        gives(player) for player in range(2) for line in d.lines if f"player {player}" in line
    )
    return spell or shown


def enchanted_spell_damage(d: Difference) -> bool:
    """Spell Damage that an enchantment gives (Ancient Mage) is not counted."""
    card = d.played()
    attaches = card is not None and any(row.op is Op.ATTACH for row in card.play)
    return attaches and d.only_about("spellpower")


def overfull_board(d: Difference) -> bool:
    """More minions than a board can hold."""
    return any(len(d.minions(player, state)) > BOARD for player in range(2) for state in d.after)


def opponents_place(d: Difference) -> bool:
    """A Deathrattle's minion for the opponent enters where its own minion died, not at the end."""
    for player in range(2):
        gone = {m["id"] for m in d.minions(player, d.before)}
        rattles = any(
            row.op is Op.SUMMON and row.b == 1 for id in gone for row in d.cards[id].deathrattle
        )
        if rattles and d.only_about(f"player {1 - player}.board"):
            return True
    return False


def silenced_in_hand(d: Difference) -> bool:
    """A minion that was silenced and returned to hand is still silenced when played again."""
    card = d.played()
    if card is None or card.kind is not Kind.MINION:
        return False
    place = f"player {d.me}.board[{d.action.get('pos', len(d.minions(d.me, d.before)))}]"
    silenced = any(place in line and "'silenced'" in line for line in d.lines)
    return silenced and d.only_about(place)


TESTS: tuple[Test, ...] = (
    silenced_spell_damage,
    enchanted_spell_damage,
    overfull_board,
    opponents_place,
    silenced_in_hand,
)


def departure(cards: Mapping[str, Card], before: State, step: Step, lines: list[str]) -> str:
    """Return the name of the departure that a step's differences come from, '' for none."""
    difference = Difference(cards, before, step, lines)
    return next((test.__name__ for test in TESTS if test(difference)), "")
