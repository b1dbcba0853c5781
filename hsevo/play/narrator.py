"""The events of a game in words.

    Narrator(names, ruleset).lines(events) -> ["eva:2018 plays Fireball at Frog (4 mana)", ...]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from hsevo.cards.tables import cards
from hsevo.engine.view.show import Scene
from hsevo.play.events import Event, What

Say: TypeAlias = "Callable[[Narrator, Event], str]"


class Narrator:
    """Puts events into words, in their order: it remembers what each uid is called."""

    def __init__(self, names: tuple[str, str], ruleset: str) -> None:
        self.names, self.ruleset, self.known = names, ruleset, cards(ruleset)
        self.called: dict[int, str] = {}  # a character's name, by uid
        self.by_name = set[int]()  # the uids that have a name of their own, not that of their card
        self.powers = ["", ""]  # the hero powers' cards

    def lines(self, events: Iterable[Event]) -> list[str]:
        """Return a line for each event that is worth one."""
        said = []
        for event in events:
            line = SAID[event.what](self, event) if event.what in SAID else ""
            self._meet(event)
            said += [line] if line else []
        return said

    def meet_heroes(self, scene: Scene) -> None:
        """Learn which uids are the heroes', and their powers."""
        for name, side in zip(self.names, scene.sides, strict=True):
            self.name(side.hero_uid, f"the hero of {name}")
        self.powers = [side.power.card for side in scene.sides]

    def name(self, uid: int, name: str) -> None:
        """Give a character a name of its own."""
        self.called[uid] = name
        self.by_name.add(uid)

    def _meet(self, event: Event) -> None:
        if event.uid and event.card in self.known and event.uid not in self.called:
            self.called[event.uid] = self.card(event.card)

    def player(self, event: Event) -> str:
        """Return the name of the player whose event it is."""
        return self.names[event.player] if event.player in (0, 1) else "nobody"

    def card(self, id: str) -> str:
        """Return the name of a card."""
        return self.known[id].name if id in self.known else "a card"

    def it(self, event: Event) -> str:
        """Return what an event happens to."""
        return self.called[event.uid] if event.uid in self.by_name else self.card(event.card)

    def at(self, event: Event) -> str:
        """Return " at TARGET", or ""."""
        return f" at {self.called.get(event.target, 'its target')}" if event.target else ""

    def by(self, event: Event) -> str:
        """Return " by CARD", or ""."""
        if event.by in self.by_name:
            return f" by {self.called[event.by]}"
        return f" by {self.card(event.by_card)}" if event.by_card in self.known else ""


def _body(event: Event) -> str:
    """Return the numbers that an event changed, and the words that came and went."""
    numbers = [f"{name.replace('_', ' ')} {value}" for name, value in event.now.items()]
    words = [f"{verb} {word}" for verb, some in (("gains", event.gained), ("loses", event.lost))
             for word in some if word != "asleep"]  # every minion is, and wakes up
    return ", ".join([*numbers, *words])


def _damaged(said: Narrator, event: Event) -> str:
    if not event.amount:
        return f"{said.it(event)} loses Divine Shield"
    return f"{said.it(event)} takes {event.amount} damage{said.by(event)}"


def _changed(said: Narrator, event: Event) -> str:
    body = _body(event)
    return f"{said.it(event)}: {body}" if body else ""


def _power(said: Narrator, event: Event) -> str:
    if event.card == said.powers[event.player]:
        return ""  # it was used, or can be again
    return f"the hero power of {said.player(event)} is now {said.card(event.card)}"


def _listed(said: Narrator, event: Event) -> str:
    return ", ".join(said.card(id) for id in event.cards) or "a card"  # that is not seen


def _became(old: str, new: str) -> str:
    """Return that a minion became another card: that of a Choose One has the same name."""
    return f"{old} takes another form" if old == new else f"{old} becomes {new}"


def _paid(said: Narrator, event: Event) -> str:
    return f"{said.at(event)} ({event.amount} mana)"


SAID: dict[What, Say] = {
    What.BEGAN: lambda n, e: f"{n.player(e)} goes first",
    What.TURN: lambda n, e: f"turn {e.amount}: {n.player(e)}",
    What.PLAYED: lambda n, e: f"{n.player(e)} plays {n.card(e.card)}{_paid(n, e)}",
    What.POWER: lambda n, e: f"{n.player(e)} uses {n.card(e.card)}{_paid(n, e)}",
    What.ATTACKED: lambda n, e: f"{n.it(e)} attacks {n.called.get(e.target, 'its target')}",
    What.CHOSE: lambda n, e: f"{n.player(e)} chooses {n.card(e.card)}",
    What.THREW_BACK: lambda n, e: f"{n.player(e)} puts {n.card(e.card)} back",
    What.TRIGGERED: lambda n, e: f"{n.card(e.card)} triggers",
    What.COUNTERED: lambda n, e: f"{n.card(e.card)} is countered",
    What.RETARGETED: lambda n, e: f"the attack is redirected{n.at(e)}",
    What.DAMAGED: _damaged,
    What.HEALED: lambda n, e: f"{n.it(e)} is healed by {e.amount}",
    What.ARMOR: lambda n, e: f"{n.it(e)} gains {e.amount} armor",
    What.CHANGED: _changed,
    What.TEXT: lambda n, e: f"{n.it(e)} gains the text of {_listed(n, e)}",
    What.SUMMONED: lambda n, e: f"{n.card(e.card)} enters play for {n.player(e)}",
    What.DIED: lambda n, e: f"{n.it(e)} dies",
    What.LEFT: lambda n, e: f"{n.it(e)} leaves play",
    What.TRANSFORMED: lambda n, e: _became(n.called.get(e.was, "a minion"), n.card(e.card)),
    What.CONTROLLED: lambda n, e: f"{n.player(e)} takes control of {n.it(e)}",
    What.HERO: lambda n, e: f"{n.player(e)} becomes {n.card(e.card)}",
    What.DREW: lambda n, e: f"{n.player(e)} draws {n.card(e.card)}",
    What.BURNED: lambda n, e: f"{n.player(e)} draws {n.card(e.card)}; the hand is full, it is lost",
    What.FATIGUE: lambda n, e: f"{n.player(e)} has no card to draw: {e.amount} fatigue damage",
    What.GOT: lambda n, e: f"{n.player(e)} gets {n.card(e.card)}",
    What.DISCARDED: lambda n, e: f"{n.player(e)} discards {n.card(e.card)}",
    What.LEFT_HAND: lambda n, e: f"{n.card(e.card)} leaves the hand of {n.player(e)}",
    What.SHUFFLED: lambda n, e: f"{n.card(e.card)} goes into the deck of {n.player(e)}",
    What.LEFT_DECK: lambda n, e: f"{n.card(e.card)} leaves the deck of {n.player(e)}",
    What.SECRET: lambda n, e: f"the secret is {n.card(e.card)}",
    What.REVEALED: lambda n, e: f"the secret {n.card(e.card)} of {n.player(e)} is revealed",
    What.SECRET_LOST: lambda n, e: f"{n.player(e)} loses the secret {n.card(e.card)}",
    What.EQUIPPED: lambda n, e: f"{n.player(e)} equips {n.card(e.card)}",
    What.WEAPON: _changed,
    What.BROKE: lambda n, e: f"{n.card(e.card)} breaks",
    What.NEW_POWER: _power,
    What.OFFERED: lambda n, e: f"{n.player(e)} may choose {_listed(n, e)}",
}  # without TURN_ENDED, MANA and OVER, which pages show otherwise
