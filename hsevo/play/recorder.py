"""Record the events of a game, step by step.

    Recorder(table)
      opening()      -> the events of the beginning, after `table.deal(..., begin=False)`
      move(move)     -> make a legal move and return its events

The engine resolves a move in steps (a row of a text, a listener that answers). The recorder
compares the game records before and after each step; the step reports which card acted. So kernels
need no code for events, and games without events lose no speed. What one step does to one character
is one event: two hits on it by the same row would be reported as their sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from hsevo.cards.ops import Op
from hsevo.cards.tables import cards, ids
from hsevo.cards.terms import Keyword
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import CARD_MASK, HERO, Action, decode, owner_of
from hsevo.engine.record.state import DRAW, Phase
from hsevo.engine.view.show import ScenePlace, ends
from hsevo.engine.view.snapshot import GameSnapshot, marks, snapshot, texts_of, words_of
from hsevo.play.card_numbers import BEGUN, TRANSFORMING, CardNumbers, aligned
from hsevo.play.entry import LISTENS, Report
from hsevo.play.events import BOTH, Event, What
from hsevo.play.match import Table

SHIELD = "divine shield"
DAMAGING = {Op.STRIKE, Op.DAMAGE, Op.MISSILES, Op.HEAL, Op.HEAL_FULL, Op.DRAW, Op.DRAW_FOR_ENEMY,
            Op.FATIGUE_DRAW}
PHASES = {Op.RAISE, Op.TEXT, Op.DEATHS, Op.STOP_IF_COUNTERED, Op.TARGETED, Op.PASS_TURN,
          Op.FATIGUE_DRAW, Op.END_FOR_TURN, Op.HIDE_SECRET, LISTENS}  # not the text of any card
# Of the cards that leave a hand, both players see which; of those that leave a deck, not in these.
SHOWN_OF_HAND = {Op.DISCARD, Op.PULL, Op.SUMMON_FROM_HAND, Op.SUMMON_ALL_FROM_HAND,
                 Op.SWAP_WITH_HAND, Op.REMOVE_CARDS, Op.DISCARD_CARDS, Op.DESTROY_CARDS,
                 Op.LOSE_REFLECTIONS}
HIDDEN_OF_DECK = {Op.OFFER_TOP, Op.SECRET_FROM_DECK, Op.TRANSFORM_CARDS, Op.TAKE_FROM_ENEMY_DECK}


def events_at(g: Any, ruleset: str) -> list[Event]:
    """Return the events with which a game begins at a state: its turn, and the choice offered."""
    if not g["turn"]:
        return [Event(What.BEGAN, int(g["first"]))]
    events = [Event(What.TURN, int(g["me"]), amount=int(g["turn"]))]
    if g["pending"] == Phase.CHOICE:
        names, chooser = ids(ruleset), int(g["chooser"])
        events.append(Event(What.OFFERED, chooser, known_to=(chooser,), cards=tuple(
            names[card] for card in g["choice"][:int(g["n_choices"])])))
    return events


class Recorder:
    """Makes the moves of a table's game step by step and reports what happens.

    numbers: those of the game's cards, which follow the steps.
    """

    def __init__(self, table: Table, numbers: CardNumbers | None = None) -> None:
        self.table, self.ruleset, self.numbers = table, table.setting.ruleset, numbers

    def opening(self) -> list[Event]:
        """Return the events from the deal to the first decision."""
        now = snapshot(self.table.game)
        first, names = int(self.table.game.first), ids(self.ruleset)
        events = [Event(What.BEGAN, first)]
        for player in (first, 1 - first):
            events += [Event(What.DREW if i < 4 - (player == first) else What.GOT, player,
                             names[card.card], known_to=(player,))
                       for i, card in enumerate(now.hand(player))]
        return [*events, *self._resolve(now)]

    def move(self, move: int) -> list[Event]:
        """Make a legal move; return its events."""
        before = snapshot(self.table.plain)
        _, at = ends(before, move)
        self.table.begin(move)
        after = snapshot(self.table.plain)
        if self.numbers:
            self.numbers.follow(before, after, BEGUN, move)
        step = _Step(before, after, self.ruleset, BEGUN)
        return [*_own_event(move, at, step), *step.events(), *self._resolve(after)]

    def resolve(self) -> list[Event]:
        """Resolve what is on the stack; return its events."""
        return [*self._resolve(snapshot(self.table.plain))]

    def _resolve(self, before: GameSnapshot) -> Iterator[Event]:
        game = self.table.plain
        last = marks(game)
        while (report := self.table.resolve()) is not None:
            seen = marks(game)
            after = before if seen == last else snapshot(game)
            step = _Step(before, after, self.ruleset, int(report[Report.OP]), report)
            yield from step.triggered()
            if seen != last:
                if self.numbers:
                    self.numbers.follow(before, after, int(report[Report.OP]))
                yield from step.events()
            last, before = seen, after


def _own_event(move: int, at: ScenePlace | None, step: _Step) -> Iterator[Event]:
    """Yield the event of the move itself, after it has begun."""
    before, me = step.before, step.before.me
    if before.pending > 1:
        return  # a mulligan is reported by the cards that leave and enter the hand
    parts, target = decode(move), _uid_at(before, at)
    paid = before.sides[me].mana - step.after.sides[me].mana
    if parts.action is Action.CHOOSE:
        yield Event(What.CHOSE, me, step.ids[before.choices[parts.choice]], known_to=(me,))
    elif parts.action is Action.PLAY:
        number = before.hand(me)[parts.hand].card
        yield Event(What.PLAYED, me, step.ids[number], position=parts.hand,
                    target=target, amount=paid,
                    known_to=(me,) if step.is_secret(number) else BOTH)
    elif parts.action is Action.POWER:
        yield Event(What.POWER, me, step.ids[before.sides[me].power], target=target,
                    amount=paid)
    elif parts.action is Action.ATTACK:
        attacker = before.at(me, parts.attacker)
        yield Event(What.ATTACKED, me, step.ids[attacker.card], attacker.uid, target=target)
    else:
        yield Event(What.TURN_ENDED, me)


def _uid_at(now: GameSnapshot, place: ScenePlace | None) -> int:
    """Return the uid of the character at a place, 0 for none."""
    if place is None:
        return 0
    return int(now.at(place.player, HERO if place.zone == "hero" else place.number).uid)


class _Step:
    """What one step of a move changed: snapshots before and after, and the card that acted."""

    def __init__(self, before: GameSnapshot, after: GameSnapshot, ruleset: str, op: int,
                 report: Any = None) -> None:
        self.before, self.after, self.op, self.report = before, after, op, report
        self.ids, self.cards = ids(ruleset), cards(ruleset)
        acted = report is not None and op not in PHASES
        self.by = {"by_card": self.ids[report[Report.CARD]],
                   "by": int(report[Report.UID])} if acted else {}

    @cached_property
    def minions(self) -> list[dict[int, tuple[int, Any]]]:
        """The minions in play before and after, with their players, by uid."""
        return [{c.uid: (player, c) for player in BOTH for c in now.board(player)}
                for now in (self.before, self.after)]

    def is_secret(self, number: int) -> bool:
        return bool(self.cards[self.ids[number]].secret)

    def triggered(self) -> Iterator[Event]:
        """Yield the trigger in play that answers now; triggers of cards in a deck stay hidden."""
        if self.op != LISTENS or not self.report[Report.TRIGGER]:
            return
        owner, card, uid = (int(self.report[k]) for k in (
            Report.TRIGGER_OWNER, Report.TRIGGER, Report.TRIGGER_UID))
        if uid or card == self.before.sides[owner].weapon:
            yield Event(What.TRIGGERED, owner, self.ids[card], uid)

    def events(self) -> Iterator[Event]:
        """Yield what changed, in an order suitable for display."""
        changed = [player for player in BOTH if self.before.sides[player]
                   is not self.after.sides[player]]  # an equal one is the same object
        yield from self._turn()
        for player in changed:
            yield from self._secrets_gone(player)
            yield from self._hand(player)
            yield from self._deck(player)
        for player in BOTH:
            yield from self._hero(player)
        for uid, (player, c) in self.minions[0].items():
            if uid in self.minions[1]:
                yield from self._character(player, c, self.minions[1][uid][1])
        for player in changed:
            yield from self._weapon(player)
        yield from self._boards()
        for player in changed:
            yield from self._secrets_new(player)
            yield from self._mana(player)
        yield from self._marks()

    # -- turns, mana, choices, the end ----------------------------------------------------------

    def _turn(self) -> Iterator[Event]:
        if self.before.turn != self.after.turn and self.after.turn <= self.after.max_turns:
            yield Event(What.TURN, self.after.me, amount=self.after.turn)

    def _mana(self, player: int) -> Iterator[Event]:
        old, new = self.before.sides[player], self.after.sides[player]
        then, now = _mana_of(old), _mana_of(new)
        if then != now:
            yield Event(What.MANA, player, now=now)
        if (old.power, old.power_used) != (new.power, new.power_used):
            yield Event(What.NEW_POWER, player, self.ids[new.power], amount=new.power_used)

    def _marks(self) -> Iterator[Event]:
        before, after = self.before, self.after
        if after.countered and self.op == Op.COUNTER:
            yield Event(What.COUNTERED, 1 - int(self.report[Report.OWNER]), **self.by)
        if self.op == Op.RETARGET and before.defender_uid != after.defender_uid:
            yield Event(What.RETARGETED, after.me, target=after.defender_uid, **self.by)
        if after.pending == 1 and before.pending == 0:
            yield Event(What.OFFERED, after.chooser, known_to=(after.chooser,), **self.by,
                        cards=tuple(self.ids[card] for card in after.choices))
        if after.result != before.result:
            winner = -1 if after.result == DRAW else after.result - 1
            yield Event(What.OVER, winner, amount=after.result)

    # -- hands and decks ------------------------------------------------------------------------

    def _hand(self, player: int) -> Iterator[Event]:
        """Yield the cards that left a hand, except the one played, which has its own event."""
        old, new = self.before.hand(player), self.after.hand(player)
        gone, self.added = aligned(old, new)
        if [held.card for held in old] == [held.card for held in new]:
            gone, self.added = [], []  # what they cost, or will be, is theirs to know
        if self.op == BEGUN and self.before.pending <= 1:
            return
        mulligan = self.op == BEGUN
        what = (What.THREW_BACK if mulligan else
                What.DISCARDED if self.op in (Op.DISCARD, Op.DISCARD_CARDS) else What.LEFT_HAND)
        for left, place in enumerate(gone):
            yield Event(what, player, self.ids[old[place].card], position=place - left,
                        known_to=BOTH if self.op in SHOWN_OF_HAND else (player,), **self.by)

    def _deck(self, player: int) -> Iterator[Event]:
        """Yield the cards drawn or put into the hand, and others that entered or left the deck."""
        aside: tuple[int, ...] = ()
        if self.before.pending > 1 and self.before.me == player and not self.after.aside:
            aside = self.before.aside  # thrown back for good
        old = Counter([*self.before.deck(player), *aside])
        new = Counter(self.after.deck(player))
        gone, back = old - new, new - old
        for held in self.added:
            drawn = gone[held.card] > 0
            gone[held.card] -= drawn
            yield Event(What.DREW if drawn else What.GOT, player, self.ids[held.card],
                        now={"cost": held.cost} if held.cost else {}, known_to=(player,),
                        **self.by)
        burned = self.op in (Op.DRAW, Op.DRAW_FOR_ENEMY, Op.FATIGUE_DRAW, Op.DRAW_FROM_DECK)
        for card in gone.elements():
            yield Event(What.BURNED if burned else What.LEFT_DECK, player, self.ids[card],
                        known_to=(player,) if self.op in HIDDEN_OF_DECK else BOTH, **self.by)
        public = self.op in (Op.SHUFFLE, Op.SHUFFLE_COPY)
        for card in (*back.elements(), *aside):
            yield Event(What.SHUFFLED, player, self.ids[card],
                        known_to=BOTH if public else (player,), **self.by)
        for n in range(self.before.sides[player].fatigue, self.after.sides[player].fatigue):
            yield Event(What.FATIGUE, player, amount=n + 1)

    # -- characters -----------------------------------------------------------------------------

    def _hero(self, player: int) -> Iterator[Event]:
        old, new = self.before.hero(player), self.after.hero(player)
        armor = [now.sides[player].armor for now in (self.before, self.after)]
        if (old.uid, old.card) != (new.uid, new.card):
            yield Event(What.HERO, player, self.ids[new.card], new.uid, was=old.uid,
                        now=_numbers(new) | {"armor": armor[1]},
                        gained=words_of(new, hero=True), **self.by)
        else:
            yield from self._character(player, old, new, armor)

    def _character(self, player: int, old: Any, new: Any,
                   armor: list[int] | None = None) -> Iterator[Event]:
        """Yield what happened to a character that is still in play."""
        if old is new and not (armor and armor[0] != armor[1]):
            return
        then, now = _numbers(old), _numbers(new)
        if armor:
            then, now = then | {"armor": armor[0]}, now | {"armor": armor[1]}
        words = [words_of(c, hero=armor is not None) for c in (old, new)]
        if then == now and words[0] == words[1] and old.card == new.card and (
                old.extra == new.extra):
            return
        subject = (player, self.ids[new.card], new.uid)
        if old.card != new.card:
            yield Event(What.TRANSFORMED, *subject, was=old.uid, now=now, gained=words[1],
                        **self.by)
            return
        gained = tuple(word for word in words[1] if word not in words[0])
        lost = tuple(word for word in words[0] if word not in words[1])
        if self.op in DAMAGING:
            yield from self._harm(subject, then, now, lost, new)
            then, lost = now, tuple(word for word in lost if word != SHIELD)
        elif armor and armor[1] > armor[0]:
            yield Event(What.ARMOR, *subject, amount=armor[1] - armor[0],
                        now={"armor": armor[1]}, **self.by)
            then = then | {"armor": armor[1]}
        changes = {name: value for name, value in now.items() if then[name] != value}
        if changes or gained or lost:
            yield Event(What.CHANGED, *subject, now=changes, gained=gained, lost=lost, **self.by)
        texts = texts_of(new)[len(texts_of(old)):]
        if texts:
            owner: Callable[[int], int] = plain(owner_of)
            ids = tuple(self.ids[text & CARD_MASK] for text in texts)
            hidden = any(self.cards[id].hidden for id in ids)
            yield Event(What.TEXT, *subject, cards=ids,
                        known_to=(owner(texts[0]),) if hidden else BOTH, **self.by)

    def _harm(self, subject: tuple[int, str, int], then: dict[str, int], now: dict[str, int],
              lost: tuple[str, ...], new: Any) -> Iterator[Event]:
        """Yield the net change of health as damage or healing."""
        amount = _life(then) - _life(now)
        left = {name: value for name, value in now.items() if name in ("health", "armor")}
        by = self._source_of(subject[2])
        if amount < 0:
            yield Event(What.HEALED, *subject, amount=-amount, now=left, **by)
        elif amount > 0 or SHIELD in lost:
            dies = now["health"] <= 0 or bool(new.keywords & Keyword.TO_BE_DESTROYED)
            yield Event(What.DAMAGED, *subject, amount=amount, lethal=dies, now=left, **by,
                        lost=(SHIELD,) if SHIELD in lost else ())

    def _source_of(self, uid: int) -> dict[str, Any]:
        """Return what hits a character; in a fight, the defender hits the attacker."""
        if self.op in (Op.DRAW, Op.DRAW_FOR_ENEMY):
            return {}  # fatigue, which is not of the card that draws
        if self.op != Op.STRIKE or uid != self.report[Report.UID]:
            return self.by
        defender = next((c for c in self.before.chars if c.uid == self.before.defender_uid), None)
        return {"by_card": self.ids[defender.card], "by": defender.uid} if defender else {}

    def _boards(self) -> Iterator[Event]:
        """Yield minions that left, changed and entered, in an order that keeps positions valid."""
        old, new = self.minions
        boards = [[c.uid for c in self.before.board(player)] for player in BOTH]
        into = self._transformed()
        for player in BOTH:
            boards[player] = [into.get(uid, uid) for uid in boards[player]]
        for was, uid in into.items():
            player, c = new[uid]
            yield Event(What.TRANSFORMED, player, self.ids[c.card], uid, was=was,
                        now=_numbers(c), gained=words_of(c), **self.by)
        for uid, (player, c) in old.items():
            if uid not in into and new.get(uid, (None,))[0] != player:
                boards[player].remove(uid)
                if uid not in new:
                    what = What.DIED if self.op == Op.DEATHS else What.LEFT
                    yield Event(what, player, self.ids[c.card], uid, **self.by)
        for uid in sorted({*new} - {*boards[0], *boards[1]}):
            yield self._enters(uid, boards)

    def _transformed(self) -> dict[int, int]:
        """Return old uid -> new uid of the transformed minions, which keep their slots."""
        if self.op not in TRANSFORMING:
            return {}
        return {old.uid: new.uid for old, new in zip(self.before.chars, self.after.chars,
                                                     strict=True)
                if old.card and new.card and old.uid != new.uid}

    def _enters(self, uid: int, boards: list[list[int]]) -> Event:
        """Return the event by which a minion came to a board, and add it to `boards`."""
        player, c = self.minions[1][uid]
        there = [minion.uid for minion in self.after.board(player)
                 if minion.uid == uid or minion.uid in boards[player]]
        position = there.index(uid)
        boards[player].insert(position, uid)
        if uid in self.minions[0]:
            return Event(What.CONTROLLED, player, self.ids[c.card], uid, position, **self.by)
        return Event(What.SUMMONED, player, self.ids[c.card], uid, position, now=_numbers(c),
                     gained=words_of(c), **self.by)

    # -- weapons and secrets --------------------------------------------------------------------

    def _weapon(self, player: int) -> Iterator[Event]:
        old, new = self.before.sides[player], self.after.sides[player]
        now = {"attack": new.weapon_attack, "durability": new.durability}
        if old.weapon_uid == new.weapon_uid:
            changed = (old.weapon_attack, old.durability) != (*now.values(),)
            if new.weapon and changed:
                yield Event(What.WEAPON, player, self.ids[new.weapon], new.weapon_uid, now=now,
                            **self.by)
            return
        if old.weapon:
            yield Event(What.BROKE, player, self.ids[old.weapon], old.weapon_uid, **self.by)
        if new.weapon:
            yield Event(What.EQUIPPED, player, self.ids[new.weapon], new.weapon_uid, now=now,
                        **self.by)

    def _secrets_gone(self, player: int) -> Iterator[Event]:
        left = {secret.uid for secret in self.after.secrets(player)}
        lost = self.op in (Op.DESTROY_SECRETS, Op.TAKE_SECRET)
        for secret in self.before.secrets(player):
            if secret.uid not in left:
                yield Event(What.SECRET_LOST if lost else What.REVEALED, player,
                            self.ids[secret.card], secret.uid,
                            known_to=(player,) if lost else BOTH)

    def _secrets_new(self, player: int) -> Iterator[Event]:
        """Yield the new secret. One that answers before an older one takes its uid, unseen."""
        there = {secret.uid: secret.card for secret in self.before.secrets(player)}
        now = {secret.uid: secret.card for secret in self.after.secrets(player)}
        for uid in now.keys() - there:
            new = next(card for card in now.values() if card not in there.values())
            cards = [self.ids[now[other_uid]]
                     for other_uid in sorted(now)] if now[uid] != new else ()
            yield Event(What.SECRET, player, self.ids[new], uid, cards=tuple(cards),
                        known_to=(player,))


def _numbers(c: Any) -> dict[str, int]:
    return {"attack": max(c.attack, 0), "health": c.health, "max_health": c.max_health}


def _mana_of(side: Any) -> dict[str, int]:
    return {"mana": side.mana, "crystals": side.crystals, "locked": side.locked,
            "owed": side.overload}


def _life(numbers: Mapping[str, int]) -> int:
    return numbers["health"] + numbers.get("armor", 0)
