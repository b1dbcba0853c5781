"""A game and a move as text, for people. Shows what is hidden from the players, too."""

from typing import Any

from hsevo.cards.tables import cards, ids
from hsevo.cards.terms import Class, Keyword, Kind
from hsevo.engine.moves import ATTACK, CHOOSE, END, PLAY, POWER
from hsevo.engine.state import DRAW, RUNNING

_UNSHOWN = Keyword.BATTLECRY | Keyword.FRESH  # of no more use, and shown as "asleep"


def name_of(card: int, ruleset: str = "cig2018") -> str:
    """Return the name of a table index; '' for 0."""
    return cards(ruleset)[ids(ruleset)[card]].name if card else ""


def game_text(g: Any, ruleset: str = "cig2018") -> str:
    """Return a game (a record of dtype GAME) as lines: the turn, then both sides."""
    who = f"player {g.me} ({_class(g, int(g.me))})"
    lines = [f"turn {g.turn}, {who} to move" if g.result == RUNNING else outcome_text(g)]
    for side in (1 - int(g.me), int(g.me)):
        lines += side_lines(g, side, ruleset)
    return "\n".join(lines)


def outcome_text(g: Any) -> str:
    """Return how a game ended, in words."""
    left = " to ".join(str(g.char[hero].health + g.side[side].armor)
                       for side, hero in ((0, 7), (1, 15)))
    if g.result == RUNNING:
        return f"not over after {g.turn} turns; health and armour {left}"
    if g.result == DRAW:
        return f"draw after {min(g.turn, g.max_turns)} turns; health and armour {left}"
    winner = int(g.result) - 1
    return (f"player {winner} ({_class(g, winner)}) wins in turn {g.turn}; health and armour"
            f" {left} (player 0 to player 1)")


def side_lines(g: Any, side: int, ruleset: str = "cig2018") -> list[str]:
    """Return a player's side: hero and numbers, hand, board from left to right."""
    s, hero = g.side[side], g.char[8 * side + 7]
    mana = f"mana {s.mana}/{s.crystals}"
    if s.locked or s.overload:
        mana += f" (locked {s.locked}, owed {s.overload})"
    parts = [f"player {side} {_class(g, side)}", f"health {hero.health}/{hero.max_health}",
             f"armour {s.armor}" if s.armor else "", mana,
             f"attack {hero.attack}" if hero.attack > 0 else "", *_words(hero, hero=True),
             f"{name_of(s.weapon, ruleset)} {s.weapon_attack}/{s.durability}" if s.weapon else "",
             name_of(s.power, ruleset) + (" (used)" if s.power_used else ""),
             *(f"next turn: {name_of(s.later[i], ruleset)}" for i in range(s.n_later)),
             f"deck {s.n_deck}", f"fatigue {s.fatigue}" if s.fatigue else ""]
    secrets = [name_of(s.secret[i].card, ruleset) for i in range(s.n_secrets)]
    hand = [_held(s.hand[i], ruleset) for i in range(s.n_hand)]
    board = [minion_text(g.char[8 * side + s.row[i]], ruleset) for i in range(s.minions)]
    lines = [", ".join(filter(None, parts))]
    lines += ["  secrets: " + ", ".join(secrets)] if secrets else []
    return [*lines, "  hand:    " + (", ".join(hand) or "-"),
            "  board:   " + (" | ".join(board) or "-")]


def minion_text(c: Any, ruleset: str = "cig2018") -> str:
    """Return a minion: name, attack/health (of how much), keywords."""
    health = f"{c.health}" if c.health == c.max_health else f"{c.health}({c.max_health})"
    borrowed = ["borrowed"] if c.borrowed else []
    return " ".join([name_of(c.card, ruleset), f"{c.attack}/{health}", *_words(c), *borrowed])


def move_text(g: Any, move: int, ruleset: str = "cig2018") -> str:
    """Return a move that is legal in a game as words.

    For example "play Fireball at Sylvanas Windrunner (enemy minion 2)".
    """
    s = g.side[g.me]
    if move == END:
        return "end the turn" if g.pending == 0 else "keep the other cards"
    if move >= CHOOSE and g.pending == 1:
        return f"choose {name_of(g.choice[move - CHOOSE], ruleset)}"
    if move >= CHOOSE:
        return f"throw back {name_of(s.hand[move - CHOOSE].card, ruleset)}"
    if move >= PLAY:
        return _play_text(g, s, move - PLAY, ruleset)
    if move >= POWER:
        return f"use {name_of(s.power, ruleset)}{_target_text(g, move - POWER, ruleset)}"
    a, d = divmod(move - ATTACK, 8)
    return (f"attack {_character(g, 1 - int(g.me), d, ruleset)} with"
            f" {_character(g, int(g.me), a, ruleset)}")


def _play_text(g: Any, s: Any, code: int, ruleset: str) -> str:
    hand, target, place, option = code // 357, code // 21 % 17, code // 3 % 7, code % 3
    card = cards(ruleset)[ids(ruleset)[s.hand[hand].card]]
    text = f"play {card.name}{_target_text(g, target, ruleset)}"
    if card.options:
        text += f", choosing {cards(ruleset)[card.options[option]].name}"
    if card.kind is Kind.MINION and place < s.minions:
        text += f" to the left of minion {place + 1}"
    return text


def _target_text(g: Any, code: int, ruleset: str) -> str:
    if code == 0:
        return ""
    side = int(g.me) if code < 9 else 1 - int(g.me)
    return " at " + _character(g, side, (code - 1) % 8, ruleset)


def _character(g: Any, side: int, position: int, ruleset: str) -> str:
    """Return a character as in "Sylvanas Windrunner (enemy minion 2)"."""
    whose = "own" if side == g.me else "enemy"
    if position == 7:
        return f"the {whose} hero"
    minion = g.char[8 * side + g.side[side].row[position]]
    return f"{name_of(minion.card, ruleset)} ({whose} minion {position + 1})"


def _held(held: Any, ruleset: str) -> str:
    """Return a card in hand with its cost before what other cards and its own text change."""
    card = cards(ruleset)[ids(ruleset)[held.card]]
    text = f"{card.name} ({max(card.cost + held.cost, 0)})"
    return text + (f" {held.attack:+}/{held.health:+}" if held.attack or held.health else "")


def _words(c: Any, hero: bool = False) -> list[str]:
    marks = int(c.keywords) | int(c.aura_keywords)
    words = [k.name.lower().replace("_", " ") for k in Keyword if marks & k & ~_UNSHOWN]
    asleep = marks & Keyword.FRESH and not marks & Keyword.CHARGE and not hero
    return [*words, "asleep"] if asleep else words


def _class(g: Any, side: int) -> str:
    return Class(int(g.side[side].cls)).name.title()
