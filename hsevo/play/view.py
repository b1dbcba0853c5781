"""What one player may know of a game: as plain data, and as the `View` of a Python player.

    view(g, player, ruleset, costs, moves) -> dict for json.dumps
    text_for(decision, player)             -> the same as text
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

import functools
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from hsevo.cards.tables import cards, ids
from hsevo.cards.terms import Class
from hsevo.cards.terms import Counter as Counts
from hsevo.config import whole
from hsevo.config.models import is_closed
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import (
    BONUS,
    CARD_MASK,
    Action,
    Moment,
    decode,
    owner_of,
)
from hsevo.engine.record.state import DRAW, RUNNING, STATE
from hsevo.engine.view.kept import kept_in_hand, records
from hsevo.engine.view.show import IN_HAND, taught_spells
from hsevo.engine.view.snapshot import GameSnapshot, keyword_words, snapshot, texts_of, words_of
from hsevo.play import rules
from hsevo.play.acts import Act
from hsevo.play.game_state import GameState
from hsevo.play.games import BLANK, MOST_GAMES, GameBatch
from hsevo.play.moves import Move, MoveCosts, move_of
from hsevo.play.players import Decision, PlayedCard
from hsevo.play.told import Known, plain_words, told
from hsevo.seeds import MOST_SEED, Stream, derive
from hsevo.types import Array

Plain: TypeAlias = dict[str, Any]


def view(g: Any, player: int, ruleset: str, costs: Sequence[MoveCosts],
         moves: Sequence[int] = ()) -> Plain:
    """Return what a player (0 or 1) may know of a game (a record of the engine).

    costs: what players 0 and 1 have to pay now. moves: the legal ones, if the player is to move.
    Attack and health are as shown on the table, including auras; a hero's attack is without its
    weapon's. uid: a character's number, unique in the game. mana: available now, with temporary
    mana (The Coin), so it can exceed crystals. spell_damage: the player's total.
    played_this_turn: cards, 0 of a player that is not to move.
    """
    now = snapshot(g)
    own = _Namer(ruleset, player)
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
    """Return the number of cards a player holds, including cards it is throwing back."""
    aside = len(now.aside) if now.pending > 1 and now.me == player else 0
    return len(now.hand(player)) + aside


class _Namer:
    """Translates table indices of a ruleset's cards to ids and names, for a player."""

    def __init__(self, ruleset: str, player: int) -> None:
        self.ids, self.cards, self.player = ids(ruleset), cards(ruleset), player
        self.ruleset = ruleset

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
            "spell_damage": side.spell_damage,
            "played_this_turn": side.played if now.me == player else 0,
            "jade": side.jade, "deck": side.n_deck, "died": side.n_dead,
            "later": [self.card(entry & CARD_MASK) for entry in side.later[: side.n_later]
                      if entry >> BONUS <= Moment.TURN_ENDING],
            "quest": self.quest(side),
            "dormant": [self.card(card.card) | {"uid": card.uid, "progress": card.attacks}
                        for card in now.dormant(player)],
            "board": [self.minion(minion) for minion in now.board(player)],
        }

    def kept(self, side: Any) -> list[Plain]:
        """Return the minions of a deck that keep what they were given; its owner knows them.

        The opponent saw them go in, but not whether they have been drawn.
        """
        return [self.card(record.card) | {
            "attack": record.attack, "health": record.health,
            **self.given(record.keywords, record.texts)}
            for record in records(side.later[: side.n_later]) if not record.number]

    def given(self, keywords: int, texts: Sequence[int]) -> Plain:
        """Return the keywords and texts that a card keeps in deck or hand, if it does."""
        words = keyword_words(keywords)
        known = [self.card(text & CARD_MASK) for text in texts if self.knows(text)]
        return {**({"words": words} if words else {}), **({"texts": known} if known else {})}

    def quest(self, side: Any) -> Plain | None:
        """Return the open quest of a side, which both players see."""
        if not side.quest:
            return None
        return self.card(side.quest) | {
            "uid": side.quest_uid, "progress": side.counter[Counts.QUEST_PROGRESS],
            "goal": self.cards[self.ids[side.quest]].goal}

    def minion(self, minion: Any) -> Plain:
        return self.card(minion.card) | {
            "uid": minion.uid, "attack": max(minion.attack, 0), "health": minion.health,
            "max_health": minion.max_health, "words": list(words_of(minion)),
            "texts": [self.card(text & CARD_MASK) for text in texts_of(minion)
                      if self.knows(text)]}

    def knows(self, text: int) -> bool:
        """Return whether the player knows a text that was attached to a minion."""
        owner: Callable[[int], int] = plain(owner_of)
        hidden = self.cards[self.ids[text & CARD_MASK]].hidden
        return not hidden or owner(text) == self.player

    def hidden(self, now: GameSnapshot, player: int, costs: Sequence[int],
               moves: Sequence[int]) -> Plain:
        """Return the private information of the player: hand, secrets, remaining deck."""
        parts = [decode(move) for move in moves]
        can = {move.hand for move in parts if move.action is Action.PLAY}
        ready = {move.attacker for move in parts if move.action is Action.ATTACK}
        later = now.sides[player].later[: now.sides[player].n_later]
        hand = [self.card(card.card) | {
            "cost": cost, "attack": card.attack, "health": card.health, "playable": i in can,
            **({"joined": self.card(card.joined)} if 0 < card.joined <= CARD_MASK else {}),
            **({"taught": [*map(self.card, spells)]} if (
                spells := taught_spells(card.card, card.joined, self.ruleset)) else {}),
            **self.given(*kept_in_hand(card.joined, later))}
            for i, (card, cost) in enumerate(zip(now.hand(player), costs, strict=True))]
        mulligan = now.pending > 1 and now.me == player
        return {
            "hand": hand,
            **({"kept": minions} if (minions := self.kept(now.sides[player])) else {}),
            "thrown_back": [self.card(card) for card in now.aside] if mulligan else [],
            "secrets": [self.card(secret.card) | {"uid": secret.uid}
                        for secret in now.secrets(player)],
            "left_in_deck": sorted(self.ids[card] for card in now.deck(player, seen=True)),
            "unseen_in_deck": now.sides[player].unseen.bit_count(),
            **({"opening_hand": [self.card(card) for card in now.sides[player].opening if card]}
               if any(now.sides[player].opening) else {}),
            "attackers": sorted(ready),  # positions of those that can attack; 7: the hero
            "can_use_power": any(move.action is Action.POWER for move in parts)}


class View(Mapping[str, Any]):
    """Present the information and the legal moves of the player to move.

    As a mapping, a view has the plain data of `hsevo.Game.view` without "graveyard" and "number":
    `view["turn"]`, `view["me"]["hand"]`, `view["opponent"]["board"]` and so on. `sorted(view)`
    lists the keys. Values are computed only when you read them.

    Parameters
    ----------
    decision : Decision
        The decision to make.
    legal : sequence of int
        Indices of the legal moves.

    Attributes
    ----------
    player : int
        Player to move, 0 or 1.
    legal : tuple of int
        Indices of the legal moves, as in `Move.index`.
    ruleset : str
        Version of cards and rules.
    deck : Deck
        Deck list of the player, as at the beginning.
    opponent_deck : Deck or None
        Deck list of the opponent, as at the beginning. None if deck lists are closed.
    played : tuple of PlayedCard
        Cards that both players played from their hands so far, each with turn, player and card. The
        card is None for a secret of the opponent.

    Examples
    --------
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
        self._acts = seen_acts(decision.acts, self.player, self.ruleset)
        self._state = blanked(decision.state, self.player)
        self._information = decision.setting.information
        self._before = None if decision.before is None else blanked(decision.before, self.player)
        key = f"{decision.seed} {decision.clock} {self.player}"  # only its hash: seeds deal cards
        self._entropy = int.from_bytes(hashlib.sha256(key.encode()).digest()[:16])
        self._world = self._dealt(decision.state, 1, 0)  # so that the true game is not in here

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Legal moves, each with kind, text, source, target, cost and index.

        The texts differ. Unlike in `hsevo.Game.moves`, equal cards in hand have their places.
        """
        costs = self._costs
        moves = [move_of(self._now, self.ruleset, move, costs)
                 for move in self.legal]
        texts = own_texts({move.index: move.text for move in moves})
        return tuple(move if move.text == texts[move.index] else replace(
            move, text=texts[move.index]) for move in moves)

    @property
    def text(self) -> str:
        """The view as plain text of at most 80 columns, without the legal moves.

        It has both sides of the board, your hand with the texts of the cards, the deck lists that
        you know, the acts of the opponent's last turn and of yours so far, and what changed since
        your last move.
        """
        before = None if self._before is None else whole_view(
            self._before, self.player, self.ruleset)
        return told(Known(self._data, before, self.ruleset, self._acts,
                          _played_by(1 - self.player, self.played), self.opponent_deck))

    def find(self, text: str) -> Move | None:
        """Return the legal move with a text.

        Parameters
        ----------
        text : str
            Text of a move, as in `Move.text`. Case, spaces and a full stop at the end don't matter.

        Returns
        -------
        Move or None
            The move. None if no legal move has this text.
        """
        return move_named(text, self.moves)

    @property
    def turn(self) -> int:
        """Player turn, from 1. 0 in a mulligan."""
        return int(self._state["turn"][0])

    @property
    def phase(self) -> str:
        """Type of the decision: "mulligan", "choice" or "play"."""
        return phase(self._now)

    @cached_property
    def random(self) -> np.random.Generator:
        """Random generator of this decision of this game. Replays have the same numbers."""
        return np.random.default_rng(self._entropy)

    @property
    def games(self) -> GameBatch:
        """The game as `hsevo.Games` of one game, with hidden information left blank.

        Use it for observations: `learning.observe(view.games)`. Moves in it, or in a copy of it,
        raise GameError.
        """
        return GameBatch(self._state.copy().view(np.recarray), self.ruleset)

    def worlds(self, n: int = 1, seed: int = 1) -> list[GameState]:
        """Return games that you cannot tell from this game, to search in.

        The opponent's hand, secrets and deck, and all random results to come, are sampled, as in
        `hsevo.Game.worlds`.

        Parameters
        ----------
        n : int, default 1
            Number of worlds.
        seed : int, default 1
            Seed of the samples. Each decision of each game has other worlds.

        Returns
        -------
        list of GameState
            The worlds, with `legal_actions()`, `apply(action)`, `copy()`, `is_over`, `returns()`
            and the other methods of a state.

        Examples
        --------
        >>> def look_ahead(view):
        ...     world, = view.worlds(1)
        ...     world.apply(view.legal[-1])
        ...     return view.legal[-1] if not world.is_over else view.legal[0]
        >>> hsevo.match(look_ahead, "random", games=6, decks="mage")
        look_ahead ... of 6 games, ...
        """
        states = self._dealt(self._world, whole("n", n, 1, MOST_GAMES),
                             whole("seed", seed, 0, MOST_SEED))
        return [GameState(states[k:k + 1], self.ruleset, self._information)
                for k in range(len(states))]

    def _dealt(self, state: Array, n: int, seed: int) -> Array:
        """Return worlds of a state, STATE (n,)."""
        whole = np.frombuffer(np.asarray(state).tobytes(), np.uint8)
        states = (whole & _fields()).view(STATE).repeat(n)
        seeds = derive((self._entropy % 2**64, Stream.WORLDS, seed), np.arange(n))
        rules.deal_worlds(states, self.ruleset, np.full(n, self.player), seeds, self._information)
        return states

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


def text_for(decision: Decision, player: int) -> str:
    """Return what a player (0 or 1) knows as text, also if it is not the one who decides."""
    ruleset, before = decision.setting.ruleset, decision.before
    return told(Known(
        whole_view(decision.state, player, ruleset),
        None if before is None else whole_view(before, player, ruleset), ruleset,
        seen_acts(decision.acts, player, ruleset),
        _played_by(1 - player, seen_cards(decision.played, player, ruleset)),
        None if is_closed(decision.setting.information) else decision.setting.decks[1 - player]))


def own_texts(texts: Mapping[int, str]) -> dict[int, str]:
    """Return a text for each legal move, by index, that no other has: places for equal cards."""
    times = Counter(texts.values())
    return {move: text if times[text] == 1 else f"{text}, {IN_HAND.format(_held_at(move) + 1)}"
            for move, text in texts.items()}


def _held_at(move: int) -> int:
    """Return the place in hand of the card that a move plays or throws back."""
    parts = decode(move)
    return parts.hand if parts.action is Action.PLAY else parts.choice


def move_named(text: str, moves: Iterable[Move]) -> Move | None:
    """Return the move with a text, None for no such move; see `View.find`."""
    wanted = plain_words(text)
    return next((move for move in moves if plain_words(move.text) == wanted), None)


def whole_view(state: Array, player: int, ruleset: str) -> Plain:
    """Return the view of a state, STATE (1,), without what follows from the legal moves."""
    games = GameBatch(np.array(state).view(np.recarray), ruleset)
    costs = MoveCosts.of(games.costs()[0], games.power_costs()[0],
                         games.states["side"]["n_hand"][0].tolist())
    return view(games.states[0], player, ruleset, costs)


def _played_by(player: int, played: Iterable[PlayedCard]) -> list[str | None]:
    return [card.card for card in played if card.player == player]


def seen_acts(acts: Sequence[Act], player: int, ruleset: str) -> tuple[Act, ...]:
    """Return acts as a player saw them: secrets of the other are no card (0)."""
    known, names = cards(ruleset), ids(ruleset)
    return tuple(act._replace(card=0) if act.player != player and known[names[act.card]].secret
                 else act for act in acts)


def seen_cards(played: Sequence[PlayedCard], player: int, ruleset: str) -> tuple[PlayedCard, ...]:
    """Return the cards played so far as a player saw them: secrets of the other without ids."""
    known = cards(ruleset)
    return tuple(card if card.player == player or card.card is None or not known[card.card].secret
                 else card._replace(card=None) for card in played)


# Of the opponent's side, and of both: what only its owner, or nobody, may know.
_OF_OPPONENT = ("hand", "secret", "deck", "unseen", "shifting", "reflecting", "made", "free",
                "priced", "leveled", "opening")
_OF_BOTH = ("deck_watch", "deck_watcher", "hand_watch")
_OF_GAME = ("rng", "lookahead_rng", "watch", "chosen")
_OF_CHOICE = ("choice", "aside", "depth", "stack")  # of whoever chooses


def blanked(state: Array, player: int) -> Array:
    """Return a copy of a state, STATE (1,), without what a player may not know, marked as BLANK.

    The own deck is sorted; cards in it that nobody saw go in are left out, and still counted.
    """
    whole = np.frombuffer(np.asarray(state).tobytes(), np.uint8)
    copy = (whole & _mask(player, int(state["me"][0]) == player)).view(STATE)
    game, own, foe = copy[0], copy["side"][0, player], copy["side"][0, 1 - player]
    game["ordered"] = BLANK
    _sort_deck(own)
    _hide_kept(foe)
    for side in (own, foe):  # the order in which minions died is nobody's business
        side["dead"][:side["n_graves"]] = np.sort(side["dead"][:side["n_graves"]])
    return copy.view(np.recarray)


@functools.cache
def _fields() -> Array:
    """Return the bits of a state that are in its fields, uint8."""
    ones = np.zeros(1, STATE)
    ones[:] = np.frombuffer(b"\xff" * STATE.itemsize, STATE)
    return ones.view(np.uint8)


@functools.cache
def _mask(player: int, decides: bool) -> Array:
    """Return the bits of a state that a player may know, uint8, 0 between the fields."""
    copy = _fields().copy().view(STATE)
    game, own, foe = copy[0], copy["side"][0, player], copy["side"][0, 1 - player]
    for name in _OF_GAME:
        game[name] = np.zeros_like(game[name])
    for name in _OF_BOTH:
        own[name] = foe[name] = 0
    game["evidence"][player] = np.zeros_like(game["evidence"][player])  # what it has seen
    for name in _OF_OPPONENT:
        foe[name] = np.zeros_like(foe[name])
    if not decides:
        for name in _OF_CHOICE:
            game[name] = np.zeros_like(game[name])
    return copy.view(np.uint8)


def _hide_kept(side: Any) -> None:
    """Leave out the records of minions in the deck: they say what has been drawn."""
    known = [entry for entry in side["later"].tolist() if 0 < entry < Moment.KEPT << BONUS]
    side["later"] = 0
    side["later"][:len(known)], side["n_later"] = known, len(known)


def _sort_deck(side: Any) -> None:
    n, bits = int(side["n_deck"]), int(side["unseen"])
    unseen = bits >> np.arange(n) & 1 == 1
    known = side["deck"][:n][~unseen]
    marks = {name: (int(side[name]) >> np.arange(n) & 1)[~unseen] for name in ("priced", "leveled")}
    order = np.lexsort((*marks.values(), known))
    side["deck"] = 0
    side["deck"][:len(known)] = known[order]
    for name, bits in marks.items():
        side[name] = int((bits[order] << np.arange(len(known))).sum())
    side["unseen"] = ((1 << n) - 1) ^ ((1 << len(known)) - 1)
