"""What one player may know of a game, as plain data: dicts, lists, numbers and words.

    view(g, player, costs, moves) -> dict for json.dumps

Only whitelisted fields are read: the own hand, secrets and remaining deck (without its order); of
the opponent, what lies open and how many cards it holds. The opponent's hand and secrets, the order
of decks and all random streams are never read, so two games that differ only in these give the same
view. Cards that a text has put into the own deck without showing them (Prince Malchezaar, Golden
Monkey, Renounce Darkness) are only counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from hsevo.cards.tables import cards, ids
from hsevo.cards.terms import Class, Keyword
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import CARD_MASK, Action, decode, times_of
from hsevo.engine.record.state import DRAW, RUNNING
from hsevo.play.moves import MoveCosts
from hsevo.play.snapshot import GameSnapshot, snapshot

Plain: TypeAlias = dict[str, Any]

_UNSHOWN = Keyword.BATTLECRY | Keyword.FRESH  # no effect in play; shown as "asleep"
_WORDS = [(int(k), k.name.lower().replace("_", " ")) for k in Keyword if not k & _UNSHOWN]


def view(g: Any, player: int, ruleset: str, costs: Sequence[MoveCosts],
         moves: Sequence[int] = ()) -> Plain:
    """Return what a player (0 or 1) may know of a game (a record of the engine).

    costs: what players 0 and 1 have to pay now. moves: the legal ones, if the player is to move.
    Attack and health are as shown on the table, including auras; a hero's attack is without its
    weapon's. uid: a character's number, unique in the game.
    """
    now = snapshot(g)
    own = _Namer(ruleset)
    mine = now.me == player and now.result == RUNNING
    return {
        "player": player, "turn": now.turn, "max_turns": now.max_turns, "to_move": now.me,
        "phase": phase(now), "winner": winner(now.result),
        "me": own.table(now, player, costs[player].power) | own.hidden(
            now, player, costs[player].hand, moves if mine else ()),
        "opponent": own.table(now, 1 - player, costs[1 - player].power) | {
            "hand": held(now, 1 - player), "secrets": now.sides[1 - player].n_secrets},
        "choices": [own.card(card) for card in now.choices]
        if now.pending == 1 and mine and now.chooser == player else [],
    }


def phase(now: GameSnapshot) -> str:
    """Return "mulligan", "choice", "play" or "over"."""
    if now.result != RUNNING:
        return "over"
    return "play" if now.pending == 0 else "choice" if now.pending == 1 else "mulligan"


def winner(result: int) -> int | None:
    """Return the player who won, 0 or 1; None for a draw or a running game."""
    return None if result in (RUNNING, DRAW) else result - 1


def held(now: GameSnapshot, player: int) -> int:
    """Return how many cards a player holds, including those it is throwing back."""
    aside = len(now.aside) if now.pending > 1 and now.me == player else 0
    return len(now.hand(player)) + aside


def words_of(character: Any, hero: bool = False) -> tuple[str, ...]:
    """Return a character's keywords, with "asleep" and "borrowed" where they apply."""
    bits = character.keywords | character.aura_keywords
    words = [word for bit, word in _WORDS if bits & bit]
    if bits & Keyword.FRESH and not bits & Keyword.CHARGE and not hero:
        words.append("asleep")
    return (*words, "borrowed") if character.borrowed else tuple(words)


def texts_of(character: Any) -> list[int]:
    """Return the cards, by table index, whose texts were attached to a character, in order."""
    times: Callable[[int], int] = plain(times_of)
    return [text & CARD_MASK for text in character.extra for _ in range(times(text))]


class _Namer:
    """Translates table indices of a ruleset's cards to ids and names."""

    def __init__(self, ruleset: str) -> None:
        self.ids, self.cards = ids(ruleset), cards(ruleset)

    def card(self, number: int) -> Plain:
        id = self.ids[number]
        return {"card": id, "name": self.cards[id].name}

    def table(self, now: GameSnapshot, player: int, power_cost: int) -> Plain:
        """Return the part of a player's side that both players see."""
        side, hero = now.sides[player], now.hero(player)
        weapon = self.card(side.weapon) | {
            "uid": side.weapon_uid, "attack": side.weapon_attack,
            "durability": side.durability} if side.weapon else None
        power = self.card(side.power) | {
            "used": bool(side.power_used), "cost": power_cost} if side.power else None
        return {
            "class": Class(side.cls).name.title(),
            "hero": self.card(hero.card) | {
                "uid": hero.uid, "attack": max(hero.attack, 0), "health": hero.health,
                "max_health": hero.max_health, "armor": side.armor,
                "words": list(words_of(hero, hero=True))},
            "power": power, "weapon": weapon, "mana": side.mana, "crystals": side.crystals,
            "locked": side.locked, "owed": side.overload, "fatigue": side.fatigue,
            "jade": side.jade, "deck": side.n_deck, "died": side.n_dead,
            "later": [self.card(entry & CARD_MASK) for entry in side.later[: side.n_later]],
            "board": [self.minion(minion) for minion in now.board(player)],
        }

    def minion(self, minion: Any) -> Plain:
        return self.card(minion.card) | {
            "uid": minion.uid, "attack": max(minion.attack, 0), "health": minion.health,
            "max_health": minion.max_health, "words": list(words_of(minion)),
            "texts": [self.card(card) for card in texts_of(minion)]}

    def hidden(self, now: GameSnapshot, player: int, costs: Sequence[int],
               moves: Sequence[int]) -> Plain:
        """Return what only the player knows: hand, secrets, remaining deck."""
        parts = [decode(move) for move in moves]
        can = {move.hand for move in parts if move.action is Action.PLAY}
        ready = {move.attacker for move in parts if move.action is Action.ATTACK}
        hand = [self.card(card.card) | {
            "cost": cost, "attack": card.attack, "health": card.health, "playable": i in can}
            for i, (card, cost) in enumerate(zip(now.hand(player), costs, strict=True))]
        mulligan = now.pending > 1 and now.me == player
        return {
            "hand": hand,
            "thrown_back": [self.card(card) for card in now.aside] if mulligan else [],
            "secrets": [self.card(secret.card) | {"uid": secret.uid}
                        for secret in now.secrets(player)],
            "left_in_deck": sorted(self.ids[card] for card in now.deck(player, seen=True)),
            "unseen_in_deck": now.sides[player].unseen.bit_count(),
            "attackers": sorted(ready),  # positions of those that can attack; 7: the hero
            "can_use_power": any(move.action is Action.POWER for move in parts)}
