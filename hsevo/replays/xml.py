"""A game as HSReplay XML, which the tools of the Hearthstone community read.

    document(meeting, k, steps) -> XML (hearthsim.info/hsreplay, by the package hsreplay)

The format describes a game as entities with tags, and as blocks in which the tags change. What is
known here is the table before and after every move, and its events. So a move is one block: the
card that is played, damage and healing in their order, the deaths, then all else that the move
changed, in no order of its own. An attack names attacker and defender until the damage is done. A
deck's cards are unknown until they are drawn, as in a log of the game. A minion that became another
one is one that left and one that came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from hearthstone.enums import (
    BlockType,
    CardType,
    GameTag,
    MetaDataType,
    PlayState,
    State,
    Zone,
)
from hearthstone.enums import Step as Phase

from hsevo.cards.tables import cards
from hsevo.cards.terms import Kind
from hsevo.engine.record.state import DRAW
from hsevo.engine.view.show import Place, Scene, Side
from hsevo.optional import need
from hsevo.play.events import Event, What
from hsevo.replays.meeting import Meeting
from hsevo.replays.replay import Option, Step

GAME, PLAYERS = 1, (2, 3)  # entities; the others follow
COIN = "GAME_005"
TYPES = {Kind.MINION: CardType.MINION, Kind.SPELL: CardType.SPELL, Kind.WEAPON: CardType.WEAPON,
         Kind.POWER: CardType.HERO_POWER, Kind.HERO: CardType.HERO}
# Words of engine.view.show, as tags.
WORDS = {
    "taunt": GameTag.TAUNT, "charge": GameTag.CHARGE, "divine shield": GameTag.DIVINE_SHIELD,
    "windfury": GameTag.WINDFURY, "stealth": GameTag.STEALTH, "stealth turn": GameTag.STEALTH,
    "poisonous": GameTag.POISONOUS, "lifesteal": GameTag.LIFESTEAL, "freezes": GameTag.FREEZE,
    "immune": GameTag.IMMUNE, "immune this turn": GameTag.IMMUNE,
    "immune attacking": GameTag.IMMUNE, "cant attack": GameTag.CANT_ATTACK,
    "elusive": GameTag.CANT_BE_TARGETED_BY_SPELLS, "deathrattle": GameTag.DEATHRATTLE,
    "inspire": GameTag.INSPIRE, "frozen": GameTag.FROZEN, "silenced": GameTag.SILENCED,
    "asleep": GameTag.EXHAUSTED}

HARM = (What.DAMAGED, What.HEALED)

Tags = dict[GameTag, int]
Key = tuple[str, int, str]  # "uid", uid, "" or "power", player, card


@dataclass(frozen=True)
class Thing:
    """What lies open on the table, or is a secret."""

    card: str
    player: int
    tags: Tags


def document(meeting: Meeting, k: int, steps: Sequence[Step]) -> str:
    """Return game k of a match as XML; steps: all that replay.steps yields.

    Raises ConfigError if the package hsreplay is not installed.
    """
    check_installed()
    from hsreplay.document import HSReplayDocument

    made = HSReplayDocument()
    made.games.append(_Writer(meeting.setting.ruleset, meeting.players, steps).game)
    text: str = made.to_xml(pretty=True)
    return text


def check_installed() -> None:
    """Raise ConfigError if the package hsreplay is missing or broken: nothing else needs it.

    It imports pkg_resources, which setuptools has had no more since version 82.
    """
    need("an HSReplay file", "hsreplay", install="hsreplay 'setuptools<82'")


class _Writer:
    """Writes a game step by step; knows the entity of each thing, and its tags so far."""

    def __init__(self, ruleset: str, names: Sequence[str], steps: Sequence[Step]) -> None:
        from hsreplay import elements

        self.make = elements
        self.cards = cards(ruleset)
        self.game = elements.GameNode(None)
        self.out = self.game  # where the next node goes
        self.tags: dict[int, Tags] = {}
        self.names: dict[int, str] = {}  # card ids; those never seen have none
        self.entity: dict[Key, int] = {}  # of each thing in play
        self.hand: tuple[list[int], list[int]] = ([], [])
        self.deck: tuple[list[int], list[int]] = ([], [])
        self.begin(steps, names)
        for step, after in pairwise(steps):
            self.move(step, after)
        self.end(steps[-1].scene)

    # -- nodes ----------------------------------------------------------------------------------

    def note(self, node: Any, tags: Tags) -> None:
        for tag, value in tags.items():
            if value:
                node.append(self.make.TagNode(None, tag, value))
        self.out.append(node)

    def create(self, card: str | None, tags: Tags) -> int:
        """Make an entity; return its number."""
        number = len(self.tags) + 1
        self.tags[number] = dict(tags)
        if card:
            self.names[number] = card
        self.note(self.make.FullEntityNode(None, number, card), tags)
        return number

    def show(self, entity: int, card: str, tags: Tags) -> None:
        """Write which card an entity is that was hidden until now."""
        self.names[entity] = card
        self.tags[entity] |= tags
        self.note(self.make.ShowEntityNode(None, entity, card), tags)

    def set_tags(self, entity: int, tags: Tags) -> None:
        """Write the tags of an entity that have changed."""
        before = self.tags[entity]
        for tag, value in tags.items():
            if before.get(tag, 0) != value:
                self.out.append(self.make.TagChangeNode(None, entity, tag, value))
        before |= tags

    @contextmanager
    def block(self, kind: BlockType, entity: int, target: int | None = None) -> Iterator[None]:
        node, outer = self.make.BlockNode(None, entity, kind, None, None, None, target), self.out
        outer.append(node)
        self.out = node
        yield
        self.out = outer

    # -- a game's beginning and end -------------------------------------------------------------

    def begin(self, steps: Sequence[Step], names: Sequence[str]) -> None:
        """Make the game, the players, what they have, and deal the first hands."""
        now = steps[0].scene
        self.tags[GAME] = {GameTag.CARDTYPE: CardType.GAME, GameTag.ZONE: Zone.PLAY,
                           GameTag.STATE: State.RUNNING}
        self.note(self.make.GameEntityNode(None, GAME), self.tags[GAME])
        first = next(step.scene.me for step in steps if step.scene.turn == 1)
        for player, entity in enumerate(PLAYERS):
            self.tags[entity] = {
                GameTag.CARDTYPE: CardType.PLAYER, GameTag.ZONE: Zone.PLAY,
                GameTag.PLAYER_ID: player + 1, GameTag.CONTROLLER: player + 1,
                GameTag.PLAYSTATE: PlayState.PLAYING, GameTag.MAXHANDSIZE: 10,
                GameTag.MAXRESOURCES: 10, GameTag.FIRST_PLAYER: int(player == first)}
            self.note(self.make.PlayerNode(None, entity, player + 1, 0, player + 1,
                                           names[player]), self.tags[entity])
        for player, side in enumerate(now.sides):
            owner = {GameTag.CONTROLLER: player + 1}
            dealt = sum(card.card != COIN for card in side.hand)
            self.deck[player].extend(self.create(None, owner | {GameTag.ZONE: Zone.DECK})
                                     for _ in range(side.deck + dealt))
        for key, thing in _things(now).items():
            self.entity[key] = self.create(thing.card, self.whole(thing))
            if key == ("uid", now.sides[thing.player].hero_uid, ""):
                self.set_tags(PLAYERS[thing.player], {GameTag.HERO_ENTITY: self.entity[key]})
        self.set_tags(GAME, {GameTag.NEXT_STEP: Phase.MAIN_READY})
        for player, side in enumerate(now.sides):
            self.deal(player, side, ())
        self.players(now)

    def end(self, now: Scene) -> None:
        """Write who won."""
        for player, side in enumerate(now.sides):
            won = PlayState.WON if now.result == player + 1 else PlayState.LOST
            state = PlayState.TIED if now.result == DRAW else won
            self.set_tags(PLAYERS[player], {GameTag.PLAYSTATE: state})
            if side.health <= 0:
                self.set_tags(self.entity["uid", side.hero_uid, ""], {GameTag.ZONE: Zone.GRAVEYARD})
        self.set_tags(GAME, {GameTag.STEP: Phase.FINAL_GAMEOVER, GameTag.STATE: State.COMPLETE})

    # -- a move ---------------------------------------------------------------------------------

    def move(self, step: Step, after: Step) -> None:
        """Write a move and all that came of it."""
        option = step.options[step.taken]
        made = option.by and self.find(step.scene, option.by)
        aimed = option.at and self.find(step.scene, option.at)
        if made is None:
            self.change(step.scene, after)
        elif option.by and option.by.zone in ("board", "hero"):
            with self.block(BlockType.ATTACK, made, aimed):
                self.fight(made, aimed, 1)
                self.harm(after.events)
                self.fight(made, aimed, 0)
                self.change(step.scene, replace(after, events=_but_harm(after.events)))
        else:
            with self.block(BlockType.PLAY, made, aimed):
                self.change(step.scene, after, self.played(option))

    def fight(self, attacker: int, defender: int | None, on: int) -> None:
        """Write that two attack each other, or that they no longer do."""
        self.set_tags(GAME, {GameTag.PROPOSED_ATTACKER: attacker * on,
                         GameTag.PROPOSED_DEFENDER: (defender or 0) * on})
        self.set_tags(attacker, {GameTag.ATTACKING: on})
        if defender:
            self.set_tags(defender, {GameTag.DEFENDING: on})

    def played(self, option: Option) -> tuple[int, int] | None:
        """Take the card that is played out of the hand; return its player and entity."""
        if option.by is None or option.by.zone != "hand":
            return None
        return option.by.player, self.hand[option.by.player].pop(option.by.number)

    def find(self, now: Scene, place: Place) -> int:
        """Return the entity at a place."""
        side = now.sides[place.player]
        if place.zone == "hand":
            return self.hand[place.player][place.number]
        if place.zone == "power":
            return self.entity["power", place.player, side.power.card]
        uid = side.hero_uid if place.zone == "hero" else side.board[place.number].uid
        return self.entity["uid", uid, ""]

    def change(self, before: Scene, step: Step, played: tuple[int, int] | None = None) -> None:
        """Write everything that has changed; played: player and entity of a card."""
        after = step.scene
        if (before.turn, before.me) != (after.turn, after.me):
            self.players(after)
        things = _things(after)
        lost = [self.lose(player, side) for player, side in enumerate(after.sides)]
        if played:
            lost[played[0]].insert(0, played[1])
            self.put(played[0], things, lost[played[0]])
        self.harm(step.events)
        self.die(step.events)
        gone = [self.entity.pop(key) for key in [*self.entity] if key not in things]
        for player, side in enumerate(after.sides):
            self.deal(player, side, gone)
        for key, thing in things.items():
            if key not in self.entity:
                left = after.sides[thing.player].deck
                self.entity[key] = self.arrive(thing, lost[thing.player], left)
            self.set_tags(self.entity[key], self.whole(thing))
        if played and played[1] in lost[played[0]]:
            lost[played[0]].remove(played[1])
            self.bury([played[1]])
        for player, side in enumerate(after.sides):
            hero = self.entity["uid", side.hero_uid, ""]
            self.set_tags(PLAYERS[player], {GameTag.HERO_ENTITY: hero})
            self.count(player, side, lost[player])
        self.bury([entity for entity in gone if entity not in (*self.hand[0], *self.hand[1])])
        self.players(after)

    def put(self, player: int, things: Mapping[Key, Thing], lost: list[int]) -> None:
        """Put the card that is played, the first of `lost`, on the table, before what it does."""
        played = lost[0]
        self.set_tags(played, {GameTag.ZONE: Zone.PLAY, GameTag.ZONE_POSITION: 0})
        for key, thing in things.items():
            if (key not in self.entity and thing.card == self.names[played]
                    and thing.player == player and GameTag.HEALTH in thing.tags):
                self.entity[key] = lost.pop(0)
                place = thing.tags.get(GameTag.ZONE_POSITION, 0)
                self.set_tags(played, {GameTag.ZONE_POSITION: place})
                return

    def harm(self, events: Sequence[Event]) -> None:
        """Write damage and healing of all that was there, one after the other."""
        for event in events:
            entity = self.entity.get(("uid", event.uid, ""))
            if event.what not in HARM or entity is None:  # or came with this move
                continue
            heals = event.what is What.HEALED
            if event.amount:
                kind = MetaDataType.HEALING if heals else MetaDataType.DAMAGE
                node = self.make.MetaDataNode(None, kind, event.amount, 1)
                node.append(self.make.MetaDataInfoNode(None, 0, entity))
                self.out.append(node)
            tags = self.tags[entity]
            armor = event.now.get("armor", 0)
            hurt = -event.amount if heals else event.amount - tags.get(GameTag.ARMOR, 0) + armor
            self.set_tags(entity, {GameTag.DAMAGE: tags.get(GameTag.DAMAGE, 0) + hurt,
                               GameTag.ARMOR: armor})

    def die(self, events: Sequence[Event]) -> None:
        """Write the deaths of all that was there, and broken weapons, as a block."""
        keys = [("uid", event.uid, "") for event in events if event.what in (What.DIED, What.BROKE)]
        if dead := [self.entity[key] for key in keys if key in self.entity]:
            with self.block(BlockType.DEATHS, GAME):
                self.bury(dead)

    def bury(self, gone: Sequence[int]) -> None:
        """Let entities go to the graveyard."""
        for entity in gone:
            self.set_tags(entity, {GameTag.ZONE: Zone.GRAVEYARD, GameTag.ZONE_POSITION: 0})

    def arrive(self, thing: Thing, lost: list[int], left: int) -> int:
        """Return the entity of a thing that is new in play: from the hand, the deck, or made.

        lost: entities that the player's hand has no more. left: cards in its deck.
        """
        for entity in lost:
            if self.names[entity] == thing.card:
                lost.remove(entity)
                return entity
        if len(self.deck[thing.player]) > left and self.cards[thing.card].collectible:
            entity = self.deck[thing.player].pop()
            self.show(entity, thing.card, self.whole(thing))
            return entity
        return self.create(thing.card, self.whole(thing))

    def whole(self, thing: Thing) -> Tags:
        """Return all tags of a thing."""
        return self.kind(thing.card) | {GameTag.CONTROLLER: thing.player + 1} | thing.tags

    def kind(self, card: str) -> Tags:
        return {GameTag.CARDTYPE: TYPES[self.cards[card].kind]}

    def players(self, now: Scene) -> None:
        """Write whose turn it is, and mana."""
        self.set_tags(GAME, {GameTag.TURN: now.turn, GameTag.STEP: Phase.MAIN_ACTION})
        for player, side in enumerate(now.sides):
            used = side.crystals - side.locked - side.mana  # less than 0: temporary mana
            self.set_tags(PLAYERS[player], {
                GameTag.CURRENT_PLAYER: int(now.me == player), GameTag.RESOURCES: side.crystals,
                GameTag.RESOURCES_USED: max(used, 0), GameTag.TEMP_RESOURCES: max(-used, 0),
                GameTag.OVERLOAD_LOCKED: side.locked, GameTag.OVERLOAD_OWED: side.owed,
                GameTag.FATIGUE: side.fatigue})

    # -- hands and decks ------------------------------------------------------------------------

    def lose(self, player: int, side: Side) -> list[int]:
        """Return the entities that have left a hand, and take them out of it."""
        hand = self.hand[player]
        before = [self.names[entity] for entity in hand]
        same = SequenceMatcher(None, before, [card.card for card in side.hand], autojunk=False)
        kept = {hand[i] for block in same.get_matching_blocks()
                for i in range(block.a, block.a + block.size)}
        lost = [entity for entity in hand if entity not in kept]
        hand[:] = [entity for entity in hand if entity in kept]
        return lost

    def deal(self, player: int, side: Side, gone: Sequence[int]) -> None:
        """Give a hand the cards that are new in it; those that it has are in the same order."""
        old, new = [*self.hand[player]], []
        for place, card in enumerate(side.hand, start=1):
            tags = self.kind(card.card) | {
                GameTag.CONTROLLER: player + 1, GameTag.ZONE: Zone.HAND,
                GameTag.ZONE_POSITION: place, GameTag.COST: card.cost}
            if old and self.names[old[0]] == card.card:
                new.append(old.pop(0))
                self.set_tags(new[-1], tags)
            else:
                new.append(self.take(player, side.deck, card.card, tags, {*gone} - {*new}))
        self.hand[player][:] = new

    def take(self, player: int, left: int, card: str, tags: Tags, gone: set[int]) -> int:
        """Return the entity of a card that is new in a hand: drawn, back from play, or made."""
        if len(self.deck[player]) > left and card != COIN:
            entity = self.deck[player].pop()
            self.show(entity, card, tags)
            return entity
        for entity in sorted(gone):
            if self.names[entity] == card and self.tags[entity][GameTag.CONTROLLER] == player + 1:
                self.set_tags(entity, tags)
                return entity
        return self.create(card, tags)

    def count(self, player: int, side: Side, lost: Sequence[int]) -> None:
        """Let the deck have as many cards as it has, and what was lost go there or away."""
        deck = self.deck[player]
        for entity in lost:
            back = len(deck) < side.deck
            self.set_tags(entity, {GameTag.ZONE: Zone.DECK if back else Zone.GRAVEYARD,
                               GameTag.ZONE_POSITION: 0})
            if back:
                deck.insert(0, entity)
        tags = {GameTag.CONTROLLER: player + 1, GameTag.ZONE: Zone.DECK}
        while len(deck) < side.deck:
            deck.append(self.create(None, tags))
        while len(deck) > side.deck:
            self.set_tags(deck.pop(), {GameTag.ZONE: Zone.GRAVEYARD})


def _but_harm(events: Sequence[Event]) -> tuple[Event, ...]:
    return tuple(event for event in events if event.what not in HARM)


def _things(now: Scene) -> dict[Key, Thing]:
    """Return all that is in play at a moment, in the order of the sides."""
    found: dict[Key, Thing] = {}
    for player, side in enumerate(now.sides):
        weapon = side.weapon
        swung = weapon.attack if weapon and now.me == player else 0
        found["uid", side.hero_uid, ""] = Thing(side.hero_card, player, _words(side.words) | {
            GameTag.ZONE: Zone.PLAY, GameTag.HEALTH: side.max_health, GameTag.ARMOR: side.armor,
            GameTag.DAMAGE: side.max_health - side.health, GameTag.ATK: side.attack + swung})
        found["power", player, side.power.card] = Thing(side.power.card, player, {
            GameTag.ZONE: Zone.PLAY, GameTag.EXHAUSTED: int(side.power_used)})
        if weapon:
            found["uid", weapon.uid, ""] = Thing(weapon.card, player, {
                GameTag.ZONE: Zone.PLAY, GameTag.ATK: weapon.attack,
                GameTag.DURABILITY: weapon.durability})
        for place, minion in enumerate(side.board, start=1):
            found["uid", minion.uid, ""] = Thing(minion.card, player, _words(minion.words) | {
                GameTag.ZONE: Zone.PLAY, GameTag.ZONE_POSITION: place,
                GameTag.ATK: minion.attack, GameTag.HEALTH: minion.max_health,
                GameTag.DAMAGE: minion.max_health - minion.health})
        for secret in side.secrets:
            found["uid", secret.uid, ""] = Thing(secret.card, player, {
                GameTag.ZONE: Zone.SECRET, GameTag.SECRET: 1})
    return found


def _words(words: Sequence[str]) -> Tags:
    """Return the tags of keywords, 0 for those that are not there."""
    return dict.fromkeys(WORDS.values(), 0) | {WORDS[word]: 1 for word in words if word in WORDS}
