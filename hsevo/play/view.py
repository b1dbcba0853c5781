"""What one player may know of a game: as plain data, and as the `View` of a Python player.

    view(g, player, ruleset, costs, moves) -> dict for json.dumps
    View(decision, legal)  -->  view.moves, view["me"]["hand"], view.played, view.random, ...

Only whitelisted fields are read: the own hand, secrets and remaining deck (without its order); of
the opponent, what lies open and how many cards it holds. The opponent's hand and secrets, the order
of decks and all random streams are never read, so two games that differ only in these give the same
view. Cards that a text has put into the own deck without showing them (Prince Malchezaar, Golden
Monkey, Renounce Darkness) are only counted.

A View holds a copy of the game in which the opponent's hand, deck and secrets, the order of the own
deck and all random streams are blank. A Python player may know whatever it finds there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from hsevo.cards.tables import cards, ids
from hsevo.cards.terms import Class, Keyword
from hsevo.config.models import is_closed
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import CARD_MASK, Action, decode, times_of
from hsevo.engine.record.state import DRAW, RUNNING, STATE
from hsevo.play.events import GameSnapshot, snapshot
from hsevo.play.games import BLANK, GameBatch
from hsevo.play.moves import Move, MoveCosts, move_of
from hsevo.play.players import Decision, PlayedCard
from hsevo.types import Array

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


class View(Mapping[str, Any]):
    """What the player to move may know of its game, and what it may do.

    As a mapping it is the plain data of `hsevo.Game.view`, but for "graveyard": `view["turn"]`,
    `view["me"]["hand"]`, `view["opponent"]["board"]` and so on; `sorted(view)` lists the keys.
    Beside what is below it has `player` (0 or 1), `legal` (the numbers of the legal moves), `deck`
    and `opponent_deck` (lists as at the beginning; None for the opponent's if they are closed),
    `ruleset`, and `played`: the cards that
    both players played from their hands so far, each with turn, player and card (None: a secret of
    the other player).

    Nothing is computed before it is asked for.

    >>> def face(view):
    ...     attacks = [move for move in view.moves if move.kind == "attack"]
    ...     return attacks[-1] if attacks else view.moves[-1]
    >>> hsevo.match(face, "random", games=18, decks="mage")
    face is better than random: ... % (... to ...) of 18 games, Elo ... (...)
    """

    def __init__(self, decision: Decision, legal: Sequence[int]) -> None:
        self.player = int(decision.state["me"][0])  # whose turn it is: 0 or 1
        self.legal = tuple(legal)  # the numbers of the legal moves, as `Move.index`
        self.ruleset = decision.setting.ruleset
        self.deck = decision.setting.decks[self.player]  # the own one, as at the beginning
        # An open list, as at the beginning; None if lists are closed.
        self.opponent_deck = None if is_closed(decision.setting.information) else (
            decision.setting.decks[1 - self.player])
        self.played = seen_cards(decision.played, self.player, self.ruleset)
        self._state = blanked(decision.state, self.player)
        key = f"{decision.seed} {decision.clock} {self.player}"  # only its hash: seeds deal cards
        self._entropy = int.from_bytes(hashlib.sha256(key.encode()).digest()[:16])

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves: each with kind, text, source, target, cost and index."""
        costs = self._costs
        return tuple(move_of(self._state[0], self.ruleset, self._now, move, costs)
                     for move in self.legal)

    @property
    def turn(self) -> int:
        """The player turn, from 1; 0 in a mulligan."""
        return int(self._state["turn"][0])

    @property
    def phase(self) -> str:
        """The kind of decision to make: "mulligan", "choice" or "play"."""
        return phase(self._now)

    @cached_property
    def random(self) -> np.random.Generator:
        """Random numbers that belong to this decision of this game: the same whenever it is played.
        """
        return np.random.default_rng(self._entropy)

    @property
    def games(self) -> GameBatch:
        """The game as `hsevo.Games` of one game, with what is hidden left blank, for observations:

        `learning.observe(view.games)`. Playing it on, or a copy of it, raises GameError.
        """
        return GameBatch(self._state.copy().view(np.recarray), self.ruleset)

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __repr__(self) -> str:
        return (f"View(turn {self.turn}, player {self.player}, {self.phase},"
                f" {len(self.legal)} legal moves)")

    @cached_property
    def _now(self) -> GameSnapshot:
        return snapshot(self._state[0])

    @cached_property
    def _costs(self) -> tuple[MoveCosts, MoveCosts]:
        games = self.games
        return MoveCosts.of(games.costs()[0], games.power_costs()[0],
                            [len(self._now.hand(seat)) for seat in (0, 1)])

    @cached_property
    def _data(self) -> dict[str, Any]:
        return view(self._state[0], self.player, self.ruleset, self._costs,
                    self.legal)


def seen_cards(played: Sequence[PlayedCard], player: int, ruleset: str) -> tuple[PlayedCard, ...]:
    """Return the cards played so far as a player saw them: secrets of the other without ids."""
    known = cards(ruleset)
    return tuple(one if one.player == player or one.card is None or not known[one.card].secret
                 else one._replace(card=None) for one in played)


# Of the opponent's side, and of both: what only its owner, or nobody, may know.
_OF_OPPONENT = ("hand", "secret", "deck", "unseen", "shifting", "hand_watch")
_OF_BOTH = ("deck_watch", "deck_watcher")
_OF_GAME = ("rng", "lookahead_rng", "watch", "chosen")
_OF_CHOICE = ("choice", "aside", "depth", "stack")  # of whoever chooses


def blanked(state: Array, player: int) -> Array:
    """Return a copy of a state, STATE (1,), without what a player may not know, marked as BLANK.

    The own deck is sorted; cards in it that nobody saw go in are left out, and still counted.
    """
    other = np.zeros(1, STATE)  # also between the fields
    other[:] = np.asarray(state)
    game, own, foe = other[0], other["side"][0, player], other["side"][0, 1 - player]
    for name in _OF_GAME:
        game[name] = np.zeros_like(game[name])
    game["ordered"] = BLANK
    for name in _OF_BOTH:
        own[name] = foe[name] = 0
    game["evidence"][player] = np.zeros_like(game["evidence"][player])  # what it has seen
    for name in _OF_OPPONENT:
        foe[name] = np.zeros_like(foe[name])
    if int(game["me"]) != player:
        for name in _OF_CHOICE:
            game[name] = np.zeros_like(game[name])
    _sort_deck(own)
    for side in (own, foe):  # the order in which minions died is nobody's business
        side["dead"][:side["n_graves"]] = np.sort(side["dead"][:side["n_graves"]])
    return other.view(np.recarray)


def _sort_deck(side: Any) -> None:
    n, bits = int(side["n_deck"]), int(side["unseen"])
    unseen = bits >> np.arange(n) & 1 == 1
    known = np.sort(side["deck"][:n][~unseen])
    side["deck"] = 0
    side["deck"][:len(known)] = known
    side["unseen"] = ((1 << n) - 1) ^ ((1 << len(known)) - 1)
