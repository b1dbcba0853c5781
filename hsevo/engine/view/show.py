"""A game as plain data and as text, and moves as text, including what is hidden.

    scene(now) -> Scene --scene_text()--> lines;  game_text(now) does both

now: a GameSnapshot (snapshot.py).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from hsevo.cards.ops import Op
from hsevo.cards.tables import cards, ids, tables
from hsevo.cards.terms import Class, Counter, Kind
from hsevo.cards.wording.text import text
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import (
    BONUS,
    BOTH_OPTIONS,
    CARD_MASK,
    HERO,
    NO_TARGET,
    TAUGHT,
    Action,
    Moment,
    MoveParts,
    decode,
    is_own_target,
    joined_card,
    target_position,
    taught_place,
)
from hsevo.engine.record.state import DRAW, RUNNING, Phase
from hsevo.engine.view.kept import kept_in_hand
from hsevo.engine.view.snapshot import GameSnapshot, keyword_words, texts_of, words_of

PLAYERS = "player 0", "player 1"  # who has no other name
IN_HAND = "card {} in hand"  # which of several cards of the same name a move is about


@dataclass(frozen=True)
class SceneMinion:
    """A minion in play. words: its keywords, and "asleep" or "borrowed".

    texts: the names of cards whose texts were given to it, in order.
    """

    uid: int  # unique in the game
    card: str  # id
    name: str
    attack: int
    health: int
    max_health: int
    words: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class SceneHeld:
    """A card in hand.

    cost: without changes by other cards and its own text; of Session.scene, what it costs now.
    """

    card: str
    name: str
    cost: int
    attack: int  # given to it in hand
    health: int
    joined: str = ""  # the name of a second card that it is as well
    kept: tuple[str, ...] = ()  # keywords that it kept in the deck, and cards whose texts it did


@dataclass(frozen=True)
class Lasting:
    """A weapon, a secret or a hero power; attack and durability are a weapon's."""

    uid: int
    card: str
    name: str
    attack: int = 0
    durability: int = 0


@dataclass(frozen=True)
class SceneSide:
    """One player's side of the table: hero, mana, cards."""

    hero: str  # its class
    hero_uid: int  # as a minion's
    hero_card: str
    health: int
    max_health: int
    armor: int
    attack: int  # without the weapon's
    words: tuple[str, ...]
    mana: int
    crystals: int
    locked: int
    owed: int  # overload of the next turn
    weapon: Lasting | None
    power: Lasting
    power_used: bool
    power_cost: int  # as printed; of Session.scene, what it costs now
    later: tuple[str, ...]  # cards whose text runs at a turn's end
    quest: Lasting | None
    progress: int  # of the quest
    goal: int  # of the quest
    dormant: tuple[Lasting, ...]
    deck: int  # number of cards
    fatigue: int
    jade: int  # the size of the last Jade Golem
    secrets: tuple[Lasting, ...]
    hand: tuple[SceneHeld, ...]
    board: tuple[SceneMinion, ...]  # from left to right


@dataclass(frozen=True)
class Scene:
    """A game at one moment. outcome: its result in words; "" for a running game."""

    turn: int
    me: int  # the player to move
    result: int  # engine.record.state.RUNNING, WIN_0, WIN_1, DRAW
    outcome: str
    sides: tuple[SceneSide, SceneSide]


class ScenePlace(NamedTuple):
    """A place of a card or character. number: its index in the zone, 0 if there is only one."""

    player: int
    zone: str  # "hand", "board", "hero" or "power"
    number: int = 0


def name_of(card: int, ruleset: str = "cig2018") -> str:
    """Return the name of a table index; '' for 0."""
    return cards(ruleset)[ids(ruleset)[card]].name if card else ""


def scene(now: GameSnapshot, ruleset: str = "cig2018") -> Scene:
    """Return a game as plain data."""
    outcome = "" if now.result == RUNNING else outcome_text(now)
    return Scene(now.turn, now.me, now.result, outcome,
                 (_side(now, 0, ruleset), _side(now, 1, ruleset)))


def game_text(now: GameSnapshot, ruleset: str = "cig2018") -> str:
    """Return a game as lines: the turn, then both sides."""
    return scene_text(scene(now, ruleset))


def scene_text(now: Scene, names: tuple[str, str] = PLAYERS) -> str:
    """Return a scene as lines: the turn, then both sides, the one to move last."""
    who = f"{names[now.me]} ({now.sides[now.me].hero})"
    lines = [now.outcome or f"turn {now.turn}, {who} to move"]
    for number in (1 - now.me, now.me):
        lines += _side_lines(now.sides[number], names[number])
    return "\n".join(lines)


def outcome_text(now: GameSnapshot) -> str:
    """Return the result of a game in words."""
    left = " to ".join(str(now.hero(player).health + side.armor)
                       for player, side in enumerate(now.sides))
    if now.result == RUNNING:
        return f"not over after {now.turn} turns; health and armour {left}"
    if now.result == DRAW:
        return f"draw after {min(now.turn, now.max_turns)} turns; health and armour {left}"
    winner = now.result - 1
    return (f"player {winner} ({_class(now, winner)}) wins in turn {now.turn}; health and armour"
            f" {left} (player 0 to player 1)")


def _side(now: GameSnapshot, player: int, ruleset: str) -> SceneSide:
    s, hero = now.sides[player], now.hero(player)
    return SceneSide(
        _class(now, player), hero.uid, ids(ruleset)[hero.card], hero.health,
        hero.max_health, s.armor, hero.attack, words_of(hero, hero=True), s.mana, s.crystals,
        s.locked, s.overload,
        _lasting(s.weapon, s.weapon_uid, ruleset, s.weapon_attack, s.durability)
        if s.weapon else None, _lasting(s.power, 0, ruleset), bool(s.power_used),
        cards(ruleset)[ids(ruleset)[s.power]].cost if s.power else 0,
        tuple(name_of(entry & CARD_MASK, ruleset) for entry in s.later[: s.n_later]
              if entry >> BONUS <= Moment.TURN_ENDING),
        _lasting(s.quest, s.quest_uid, ruleset) if s.quest else None,
        s.counter[Counter.QUEST_PROGRESS],
        cards(ruleset)[ids(ruleset)[s.quest]].goal if s.quest else 0,
        tuple(_lasting(card.card, card.uid, ruleset) for card in now.dormant(player)),
        s.n_deck, s.fatigue, s.jade,
        tuple(_lasting(secret.card, secret.uid, ruleset) for secret in now.secrets(player)),
        tuple(_held(card, s.later[: s.n_later], ruleset) for card in now.hand(player)),
        tuple(_minion(minion, ruleset) for minion in now.board(player)))


def _lasting(card: int, uid: int, ruleset: str, attack: int = 0, durability: int = 0) -> Lasting:
    return Lasting(uid, ids(ruleset)[card], name_of(card, ruleset), attack, durability)


def _minion(c: Any, ruleset: str) -> SceneMinion:
    return SceneMinion(
        c.uid, ids(ruleset)[c.card], name_of(c.card, ruleset), max(c.attack, 0),
        c.health, c.max_health, words_of(c),
        tuple(name_of(entry & CARD_MASK, ruleset) for entry in texts_of(c)))


def taught_spells(card: int, joined: int, ruleset: str) -> tuple[int, ...]:
    """Return the two spells that a card in hand was taught, or ()."""
    known = tables(ruleset)
    row = known["row"][known["card"][card]["play"]]
    if joined < TAUGHT or row["op"] != Op.CAST_TAUGHT:
        return ()
    first = int(known["pool"][row["pool"], 0])
    places = (plain(taught_place)(joined, k) for k in range(2))
    return tuple(int(known["pooled"][first + place]) for place in places)


def _held(held: Any, later: Any, ruleset: str) -> SceneHeld:
    card = cards(ruleset)[ids(ruleset)[held.card]]
    taught = taught_spells(held.card, held.joined, ruleset)
    second = plain(joined_card)(held.joined)
    joined = " and ".join(name_of(spell, ruleset) for spell in taught or (second,) if spell)
    keywords, texts = kept_in_hand(held.joined, later)
    return SceneHeld(card.id, card.name, max(card.cost + held.cost, 0), held.attack,
                     held.health, joined, (*keyword_words(keywords), *(
                         name_of(text & CARD_MASK, ruleset) for text in texts)))


def _side_lines(s: SceneSide, name: str) -> list[str]:
    """Return a player's side: hero and numbers, secrets, hand, board from left to right."""
    mana = f"mana {s.mana}/{s.crystals}"
    if s.locked or s.owed:
        mana += f" (locked {s.locked}, owed {s.owed})"
    w = s.weapon
    parts = [f"{name} ({s.hero})", f"health {s.health}/{s.max_health}",
             f"armour {s.armor}" if s.armor else "", mana,
             f"attack {s.attack}" if s.attack > 0 else "", *s.words,
             f"{w.name} {w.attack}/{w.durability}" if w else "",
             s.power.name + (" (used)" if s.power_used else ""),
             *(f"at the end of the turn: {name}" for name in s.later),
             f"quest {s.quest.name} ({s.progress})" if s.quest else "",
             *(f"dormant {card.name}" for card in s.dormant),
             f"deck {s.deck}", f"fatigue {s.fatigue}" if s.fatigue else ""]
    secrets = ", ".join(secret.name for secret in s.secrets)
    return [", ".join(filter(None, parts)), *(["  secrets: " + secrets] if secrets else []),
            "  hand:    " + (", ".join(map(_held_text, s.hand)) or "-"),
            "  board:   " + (" | ".join(map(_minion_text, s.board)) or "-")]


def _minion_text(minion: SceneMinion) -> str:
    """Return a minion as text: name, attack/health(maximum), keywords."""
    hurt = minion.health != minion.max_health
    health = f"{minion.health}({minion.max_health})" if hurt else f"{minion.health}"
    return " ".join([minion.name, f"{minion.attack}/{health}", *minion.words])


def _held_text(held: SceneHeld) -> str:
    text = f"{held.name}{' and ' if held.joined else ''}{held.joined} ({held.cost})"
    size = f"{held.attack:+}/{held.health:+}" if held.attack or held.health else ""
    return " ".join(filter(None, [text, size, *held.kept]))


def move_text(now: GameSnapshot, move: int, ruleset: str = "cig2018") -> str:
    """Describe a legal move, such as "play Fireball at Sylvanas Windrunner (enemy minion 2)".

    Only moves with equal cards in hand have the same text. Different cards of the same name (one
    of them cheaper, say) have their places.
    """
    parts, hand = decode(move), now.hand(now.me)
    if parts.action is Action.END:
        return "end the turn" if now.pending == Phase.PLAY else "keep the other cards"
    if parts.action is Action.CHOOSE and now.pending == Phase.CHOICE:
        offered = [(card,) for card in now.choices]
        return f"choose {name_of(offered[parts.choice][0], ruleset)}" + _place_text(
            offered, parts.choice, "option {}", ruleset)
    if parts.action is Action.CHOOSE:
        return f"throw back {name_of(hand[parts.choice].card, ruleset)}" + _place_text(
            hand, parts.choice, IN_HAND, ruleset)
    if parts.action is Action.PLAY:
        return _play_text(now, parts, ruleset) + _place_text(hand, parts.hand, IN_HAND, ruleset)
    if parts.action is Action.POWER:
        power = now.sides[now.me].power
        return f"use {name_of(power, ruleset)}{_target_text(now, parts.target, ruleset)}"
    return (f"attack {_character(now, 1 - now.me, parts.defender, ruleset)} with"
            f" {_character(now, now.me, parts.attacker, ruleset)}")


def ends(now: GameSnapshot, move: int) -> tuple[ScenePlace | None, ScenePlace | None]:
    """Return the places of the card or character that a legal move uses, and of its target."""
    me, parts = now.me, decode(move)
    if parts.action is Action.PLAY:
        return ScenePlace(me, "hand", parts.hand), _target(me, parts.target)
    if parts.action is Action.POWER:
        return ScenePlace(me, "power"), _target(me, parts.target)
    if parts.action is Action.ATTACK:
        return _place(me, parts.attacker), _place(1 - me, parts.defender)
    return None, None


def _target(me: int, target: int) -> ScenePlace | None:
    return None if target == NO_TARGET else _place(*_aimed(me, target))


def _aimed(me: int, target: int) -> tuple[int, int]:
    """Return the player and the position of a target, not NO_TARGET."""
    return (me if plain(is_own_target)(target) else 1 - me), plain(target_position)(target)


def _place(player: int, position: int) -> ScenePlace:
    return ScenePlace(player, "hero") if position == HERO else ScenePlace(player, "board", position)


def option_text(options: tuple[str, ...], option: int, ruleset: str) -> str:
    """Return the name of a card's option, with its text if two options have the same name."""
    if option == BOTH_OPTIONS:
        return "both"
    known, id = cards(ruleset), options[option]
    name = known[id].name
    if sum(known[option_id].name == name for option_id in options) == 1:
        return name
    does = text(known, id)[0].rstrip(".")
    return f"{name} ({does[0].lower()}{does[1:]})"


def _play_text(now: GameSnapshot, parts: MoveParts, ruleset: str) -> str:
    side = now.sides[now.me]
    card = cards(ruleset)[ids(ruleset)[side.hand[parts.hand].card]]
    words = f"play {card.name}{_target_text(now, parts.target, ruleset)}"
    if card.options:
        words += f", choosing {option_text(card.options, parts.option, ruleset)}"
    if card.kind is Kind.MINION and parts.place < side.minions:
        words += f" to the left of minion {parts.place + 1}"
    return words


def _place_text(held: list[Any], place: int, where: str, ruleset: str) -> str:
    """Return the place of a card if another one has its name and differs from it; else "".

    held: of each card, its number and what else distinguishes it.
    """
    name = name_of(held[place][0], ruleset)
    twins = {card for card in held if name_of(card[0], ruleset) == name}
    return f", {where.format(place + 1)}" if len(twins) > 1 else ""


def _target_text(now: GameSnapshot, target: int, ruleset: str) -> str:
    if target == NO_TARGET:
        return ""
    return " at " + _character(now, *_aimed(now.me, target), ruleset)


def _character(now: GameSnapshot, player: int, position: int, ruleset: str) -> str:
    """Describe a character, such as "Sylvanas Windrunner (enemy minion 2)"."""
    whose = "own" if player == now.me else "enemy"
    if position == HERO:
        return f"the {whose} hero"
    name = name_of(now.at(player, position).card, ruleset)
    return f"{name} ({whose} minion {position + 1})"


def _class(now: GameSnapshot, player: int) -> str:
    return Class(now.sides[player].cls).name.title()
