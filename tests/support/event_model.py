"""A table that knows nothing but the events of a game: does it end up with what the engine has?"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hsevo.cards.decks import Deck
from hsevo.engine.view.show import Scene
from hsevo.play.events import Event, What

HEALTH = 30  # of every hero, at the beginning


class Side:
    """One player's side, by the events."""

    def __init__(self, deck: Deck, uid: int) -> None:
        self.deck = Counter(deck.ids)
        self.hero = {"uid": uid, "attack": 0, "health": HEALTH, "max_health": HEALTH, "armor": 0,
                     "words": set()}
        self.board: list[dict[str, Any]] = []
        self.hand: list[str] = []
        self.secrets: dict[int, str] = {}
        self.weapon: dict[str, Any] | None = None
        self.mana = {"mana": 0, "crystals": 0, "locked": 0, "owed": 0}
        self.power = ""
        self.used = 0
        self.dead = 0
        self.fatigue = 0
        self.aside: list[str] = []


class Model:
    """Both sides, and what the events so far did to them."""

    def __init__(self, decks: Sequence[Deck]) -> None:
        self.sides = [Side(deck, uid) for uid, deck in enumerate(decks, start=1)]
        self.turn, self.me, self.result = 0, -1, 0
        self.numbers: Counter[What] = Counter()

    def follow(self, events: Sequence[Event]) -> None:
        for event in events:
            self.numbers[event.what] += 1
            getattr(self, "on_" + event.what.name.lower(), self.ignore)(event)

    def ignore(self, event: Event) -> None:
        """Take an event that changes nothing of what lies on the table."""

    def side(self, event: Event) -> Side:
        return self.sides[event.player]

    def one(self, uid: int) -> dict[str, Any]:
        """Return the character with a uid, which must be in play."""
        everyone = [c for side in self.sides for c in (*side.board, side.hero)]
        (found,) = [c for c in everyone if c["uid"] == uid]
        return found

    def take(self, event: Event) -> dict[str, Any]:
        """Take a minion off the board where it is."""
        for side in self.sides:
            for minion in side.board:
                if minion["uid"] == event.uid:
                    side.board.remove(minion)
                    return minion
        raise AssertionError(f"{event} is about nobody")

    # -- turns ----------------------------------------------------------------------------------

    def on_turn(self, event: Event) -> None:
        self.turn, self.me = event.amount, event.player

    def on_mana(self, event: Event) -> None:
        self.side(event).mana = dict(event.now)

    def on_new_power(self, event: Event) -> None:
        self.side(event).power, self.side(event).used = event.card, event.amount

    def on_over(self, event: Event) -> None:
        assert self.result == 0
        self.result = event.amount

    # -- cards ----------------------------------------------------------------------------------

    def leave_hand(self, event: Event) -> None:
        assert self.side(event).hand.pop(event.position) == event.card

    on_played = on_discarded = on_left_hand = leave_hand

    def on_threw_back(self, event: Event) -> None:
        self.leave_hand(event)
        self.side(event).aside.append(event.card)

    def on_got(self, event: Event) -> None:
        self.side(event).hand.append(event.card)

    def on_left_deck(self, event: Event) -> None:
        deck = self.side(event).deck
        assert deck[event.card] > 0
        deck[event.card] -= 1

    on_burned = on_left_deck

    def on_drew(self, event: Event) -> None:
        side = self.side(event)
        if side.aside and side.deck[event.card] == 0:  # only once the others are back in the deck
            raise AssertionError(f"{event} is not in the deck")
        self.on_left_deck(event)
        self.on_got(event)

    def on_shuffled(self, event: Event) -> None:
        self.side(event).deck[event.card] += 1
        if event.card in self.side(event).aside:
            self.side(event).aside.remove(event.card)

    def on_fatigue(self, event: Event) -> None:
        self.side(event).fatigue += 1
        assert event.amount == self.side(event).fatigue

    # -- characters -----------------------------------------------------------------------------

    def on_damaged(self, event: Event) -> None:
        one = self.one(event.uid)
        blocked = min(one.get("armor", 0), event.amount)
        one["health"] -= event.amount - blocked
        if "armor" in one:
            one["armor"] -= blocked
        one["words"] -= {*event.lost}
        assert {name: one[name] for name in event.now} == event.now
        assert event.lethal or one["health"] > 0

    def on_healed(self, event: Event) -> None:
        one = self.one(event.uid)
        one["health"] += event.amount
        assert event.amount > 0
        assert one["health"] <= one["max_health"]
        assert {name: one[name] for name in event.now} == event.now

    def on_armor(self, event: Event) -> None:
        self.one(event.uid)["armor"] += event.amount

    def on_changed(self, event: Event) -> None:
        one = self.one(event.uid)
        assert all(one[name] != value for name, value in event.now.items())
        one |= event.now
        assert not one["words"] & {*event.gained}
        assert one["words"] >= {*event.lost}
        one["words"] = (one["words"] | {*event.gained}) - {*event.lost}

    def on_hero(self, event: Event) -> None:
        assert self.side(event).hero["uid"] == event.was
        self.side(event).hero = {"uid": event.uid, **event.now, "words": {*event.gained}}

    def on_summoned(self, event: Event) -> None:
        board = self.side(event).board
        assert 0 <= event.position <= len(board) < 7
        board.insert(event.position, {"uid": event.uid, "card": event.card, **event.now,
                                      "words": {*event.gained}})

    def on_died(self, event: Event) -> None:
        assert self.take(event)["card"] == event.card
        self.side(event).dead += 1

    def on_left(self, event: Event) -> None:
        assert self.take(event)["card"] == event.card

    def on_transformed(self, event: Event) -> None:
        self.one(event.was).update({"uid": event.uid, "card": event.card, **event.now,
                                    "words": {*event.gained}})

    def on_controlled(self, event: Event) -> None:
        self.side(event).board.insert(event.position, self.take(event))

    # -- weapons and secrets --------------------------------------------------------------------

    def on_equipped(self, event: Event) -> None:
        assert self.side(event).weapon is None
        self.side(event).weapon = {"uid": event.uid, "card": event.card, **event.now}

    def on_weapon(self, event: Event) -> None:
        weapon = self.side(event).weapon
        assert weapon is not None
        weapon.update(event.now)

    def on_broke(self, event: Event) -> None:
        weapon = self.side(event).weapon
        assert weapon is not None
        assert (weapon["uid"], weapon["card"]) == (event.uid, event.card)
        self.side(event).weapon = None

    def on_secret(self, event: Event) -> None:
        secrets = self.side(event).secrets
        secrets[event.uid] = event.card
        if event.cards:
            assert sorted(event.cards) == sorted(secrets.values())
            self.side(event).secrets = dict(zip(sorted(secrets), event.cards, strict=True))

    def on_revealed(self, event: Event) -> None:
        assert self.side(event).secrets.pop(event.uid) == event.card

    on_secret_lost = on_revealed

    # -- beside the engine ----------------------------------------------------------------------

    def differs(self, now: Scene, dead: Sequence[int]) -> str:
        """Return what is not as on the engine's table; "" if all is."""
        for player, (side, there) in enumerate(zip(self.sides, now.sides, strict=True)):
            for name, (mine, theirs) in {
                "board": (side.board, [
                    {"uid": m.uid, "card": m.card, "attack": m.attack, "health": m.health,
                     "max_health": m.max_health, "words": {*m.words}} for m in there.board]),
                "hero": (side.hero, {
                    "uid": there.hero_uid, "attack": there.attack, "health": there.health,
                    "max_health": there.max_health, "armor": there.armor,
                    "words": {*there.words}}),
                "hand": (side.hand, [held.card for held in there.hand]),
                "deck": (side.deck.total(), there.deck),
                "secrets": (sorted(side.secrets.items()),
                            sorted((secret.uid, secret.card) for secret in there.secrets)),
                "weapon": (side.weapon, there.weapon and {
                    "uid": there.weapon.uid, "card": there.weapon.card,
                    "attack": there.weapon.attack, "durability": there.weapon.durability}),
                "mana": (side.mana, {"mana": there.mana, "crystals": there.crystals,
                                     "locked": there.locked, "owed": there.owed}),
                "power": ((side.power or there.power.card, bool(side.used)),
                          (there.power.card, there.power_used)),
                "fatigue": (side.fatigue, there.fatigue), "dead": (side.dead, dead[player]),
            }.items():
                if mine != theirs:
                    return f"player {player}, {name}: {mine} by the events, and {theirs}"
        if self.result != now.result:
            return f"result {self.result} by the events, and {now.result}"
        return ""
