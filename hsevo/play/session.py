"""One game of any two players: moves as objects, views, events, asking agents, saving, loading.

    game = Session(mage, warrior, (Seat("eva:2018", agent), None), seed=3)
    game.run()                           seated agents move until another player is to move
    game.moves                           the legal moves, as objects with text
    game.play(game.moves[0])             make a move and return its events
    game.ask(agent), game.scores         the move an agent would make here, and its scores
    game.view(1), game.events_for(1)     what player 1 may know
    game.save("game.json"), Session.load("game.json")

Player 0 has deck_0, player 1 deck_1; the seed determines who begins and all that is random. Two
seated agents play the same game as `match.Table` plays for a pairing with that seed.

Agents draw random numbers from a stream that belongs to the game but that its rules never read;
each decision advances it. `ask` does not advance it, so asking changes nothing; when the answer is
played, the stream advances as it would in a match. An agent that keeps a search tree between its
decisions (MCTS) does so only in its seat, not across a save, and not against an end-to-end policy,
whose matches are played without. Hosted players (`players.py`) draw by the game's seed alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from hsevo import __version__, config
from hsevo.agents.registry import check_agents, weighs_replies
from hsevo.agents.shared.agent import AGENT, MCTS, RANDOM, agent
from hsevo.agents.shared.scratch import LEVELS
from hsevo.cards.decks import Deck, refuse_foreign
from hsevo.cards.tables import index
from hsevo.engine.jit import fingerprint
from hsevo.engine.record.codec import Action, decode
from hsevo.engine.record.state import RUNNING
from hsevo.engine.view.show import Scene, scene
from hsevo.errors import CardError, ConfigError, GameError, did_you_mean, printable, quoted
from hsevo.files import DAMAGE, read_json, write_whole
from hsevo.play import players as hosted
from hsevo.play.events import Event, GameSnapshot, What, seen_by, snapshot, used_up
from hsevo.play.hosting import Bots
from hsevo.play.match import PAIRING, Setting, Table, check_places
from hsevo.play.moves import Move, move_of
from hsevo.play.participants import MOST_BYTES, agent_data, agent_of, deck_data, deck_of
from hsevo.play.position import Position, saved_start
from hsevo.play.python_players import is_value
from hsevo.play.recorder import Recorder
from hsevo.play.specs import short_names
from hsevo.play.view import phase, view, winner
from hsevo.types import Array

FORMAT, VERSION = "hsevo game", 1
INFINITE = 1e300  # a score that stands for infinity


@dataclass(frozen=True, eq=False)
class Seat:
    """A player: an agent, AGENT (1,), or one that plays through Python (agent None)."""

    name: str
    agent: Array | None = None


class Session:
    """A game played move by move; see above.

    It knows no names, files or pages: `hsevo.Game` (strength/games.py) adds these.

    deck_0, deck_1: of players 0 and 1. players: for each a Seat, or None (no agent); an
    end-to-end policy that builds its decks builds one of that class. seed: a whole number, 0 to
    2**64 - 1. information: what agents' look-aheads may know, one of config.INFORMATION ("leaky":
    decks are shuffled at the beginning). max_turns: player turns after which the game is a draw.
    all_places: whether `moves` have every place for a minion, or only those that agents consider;
    None: every place for a player without an agent. Raises CardError for a ruleset or card that
    hsevo does not have, ConfigError for other invalid arguments, DeckError for an invalid database.
    """

    def __init__(self, deck_0: Deck, deck_1: Deck,
                 players: Sequence[Seat | None] = (None, None), seed: int = 0,
                 ruleset: str = "cig2018", information: str = "fair",
                 max_turns: int = 89, all_places: bool | None = None) -> None:
        _check(ruleset, (deck_0, deck_1), seed, information, max_turns, players)
        agents = [_one_agent(player.agent) if player and player.agent is not None else None
                  for player in players]
        decks = hosted.built((deck_0, deck_1), agents, ruleset, int(seed))
        rules = Setting(ruleset, decks, information, int(max_turns), check_places(all_places))
        self._begin(players, rules, int(seed))

    @classmethod
    def at(cls, position: Position, players: Sequence[Seat | None] = (None, None),
           all_places: bool | None = None) -> Self:
        """Return a game that begins at a position, with the same arguments else.

        Look-aheads of agents are fair, also if the position was one of a game with closed lists.
        Raises AgentError, ConfigError.
        """
        if len(players) != 2:
            raise ConfigError(f"players has {len(players)} entries, but must have 2")
        game, state = object.__new__(cls), position.state[0]
        setting = Setting(position.ruleset, position.decks, "fair", int(state["max_turns"]),
                          check_places(all_places))
        game._begin(players, setting, int(state["rng"]), position)
        return game

    def _begin(self, players: Sequence[Seat | None], setting: Setting, seed: int,
               start: Position | None = None) -> None:
        """Begin the game, at a position if one is given. Raises AgentError, ConfigError, GameError.
        """
        seats = [player or Seat(f"player {i}") for i, player in enumerate(players)]
        self.players: tuple[Seat, Seat] = (seats[0], seats[1])
        self.seed, self.setting, self.start = seed, setting, start
        placeholder = agent(RANDOM)
        agents = [placeholder if seat.agent is None else _one_agent(seat.agent) for seat in seats]
        both = np.concatenate(agents)
        self._bots = Bots((hosted.among(agents[0]), hosted.among(agents[1])), setting, seed)
        self._table = Table(hosted.compiled(both), setting)
        self._table.deal(np.array([(0, 1, 0, 1, 1, seed)], PAIRING)[0], 0, begin=False)
        self._recorder = Recorder(self._table)
        if start is None:
            self._events = self._recorder.opening()
        else:
            self._table.game = start.state[0]
            self._events = [Event(What.TURN, self.player, amount=self.turn)]
        self._history: list[Move] = []
        self._scores: dict[int, float] = {}
        self._answer: tuple[int, Table] | None = None  # the last answer, and the table it left

    # -- state ----------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The player turn, from 1; 0 in a mulligan."""
        return int(self._table.game.turn)

    @property
    def player(self) -> int:
        """The player to move, 0 or 1."""
        return int(self._table.game.me)

    @property
    def phase(self) -> str:
        """The kind of decision to make: "mulligan", "choice" or "play"; or "over"."""
        return phase(self._now)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.result != RUNNING

    @property
    def result(self) -> int:
        """The result so far: engine.record.state.RUNNING, WIN_0, WIN_1 or DRAW."""
        return int(self._table.game.result)

    @property
    def winner(self) -> int | None:
        """The player who won; None for a draw or a running game."""
        return winner(self.result)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, in the order in which agents consider them; () when it is over."""
        costs = self._table.costs()
        return tuple(move_of(self._table.game, self.setting.ruleset, self._now, move, costs)
                     for move in self._table.legal(self._offers_all_places))

    @property
    def _offers_all_places(self) -> bool:
        """Whether the player to move is offered every place for a minion."""
        chosen = self.setting.all_places
        return self.players[self.player].agent is None if chosen is None else chosen

    def considers(self) -> frozenset[int]:
        """Return the moves that agents consider: without places of a minion that do not matter."""
        return frozenset(self._table.legal())

    @cached_property
    def _now(self) -> GameSnapshot:
        return snapshot(self._table.game)

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(self._history)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, including what is hidden from the players."""
        return tuple(self._events)

    def events_for(self, player: int) -> tuple[Event, ...]:
        """Return all events so far as a player saw them."""
        return tuple(seen_by(event, _seat(player)) for event in self._events)

    def view(self, player: int) -> dict[str, Any]:
        """Return what a player may know now, as plain data (see play.view).

        "graveyard" lists the cards that were used up in sight of both players, in order.
        """
        player = _seat(player)
        seen = view(self._table.game, player, self.setting.ruleset, self._table.costs(),
                    self._table.legal())
        for name, owner in (("me", player), ("opponent", 1 - player)):
            seen[name]["graveyard"] = used_up(self._events, owner, self.setting.ruleset)
        return seen

    def scene(self) -> Scene:
        """Return everything on the table and in the hands, with costs as they are now."""
        now, costs = scene(self._table.game, self.setting.ruleset), self._table.costs()
        first, second = (
            replace(side, power_cost=paid.power, hand=tuple(
                replace(card, cost=cost)
                for card, cost in zip(side.hand, paid.hand, strict=True)))
            for side, paid in zip(now.sides, costs, strict=True))
        return replace(now, sides=(first, second))

    @property
    def _names(self) -> tuple[str, str]:
        """The players' names, short."""
        short = short_names(seat.name for seat in self.players)
        return short[self.players[0].name], short[self.players[1].name]

    def __str__(self) -> str:
        names = " against ".join(f"{name} ({deck.name})" for name, deck in zip(
            self._names, self.setting.decks, strict=True))
        how = f"turn {self.turn}, player {self.player} to move"
        return f"{names}, seed {self.seed}: {self.scene().outcome or how}"

    # -- playing --------------------------------------------------------------------------------

    def play(self, move: Move | int) -> tuple[Event, ...]:
        """Make a legal move, given as an object or its index; return its events.

        Raises GameError if it is not legal; then nothing has changed.
        """
        made = self._legal(move)
        asked, table = self._answer or (-1, None)
        self._bots.made(self._table.state, made.index)
        happened = self._recorder.move(made.index)
        if table is not None and asked == made.index:
            self._table.adopt_search_state(table)
        self._history.append(made)
        self._events += happened
        self._clear_cache()
        if self._table.game.fault:
            raise GameError(f"the game with seed {self.seed} reached a limit of the engine at move"
                            f" {len(self._history)}; this is a bug in hsevo, please report it")
        return tuple(happened)

    def ask(self, agent: Array | Seat | None = None) -> Move:
        """Return the move of an agent, by default of the one whose turn it is.

        It is the same move as in a match. The game is not changed; `scores` has the agent's scores
        of the moves. Raises GameError if the game is over or there is no agent to ask.
        """
        if self.over:
            raise GameError("the game is over, so there is no move to ask for")
        seat = self.players[self.player].agent
        guest = agent.agent if isinstance(agent, Seat) else agent
        who = seat if guest is None else guest
        if who is None:
            raise GameError(f"player {self.player}, whose turn it is, has no agent; name one:"
                            " game.ask(agent)")
        who = _one_agent(who)
        if hosted.among(who):
            state = np.atleast_1d(self._table.state)
            index, self._answer = self._bots.act(who, state), None
            self._scores = self._bots.chances(who, state)
            return self._legal(index)
        table = self._table.copy(None if guest is None and not self._is_batched() else who)
        index, scores = table.think()
        self._answer = index, table
        self._scores = {move: _score(score) for move, score in scores.items()
                        if score != -INFINITE or not self._is_untried(move, table)}
        return self._legal(index)

    @property
    def scores(self) -> dict[int, float]:
        """The scores of the agent asked last, by `Move.index`; {} if it has none.

        Infinite: the move wins, or loses. Of a learned policy (rl:RUN) they are probabilities, 0 to
        1, that its player wins after the move, as its network sees it; with a temperature, and of
        an end-to-end policy, that it draws the move. Moves that an agent did not try are missing,
        such as all but the last of equal cards in hand, or to ends of the turn without a simulated
        reply.
        """
        return dict(self._scores)

    def step(self) -> Move:
        """Have the seated agent whose turn it is make its move; return it. Raises GameError."""
        move = self.ask()
        self.play(move)
        return move

    def run(self) -> None:
        """Have seated agents move until another player is to move or the game is over."""
        while not self.over and self.players[self.player].agent is not None:
            self.step()

    def __copy__(self) -> Self:
        return self.copy()

    def copy(self) -> Self:
        """Return an independent copy; the same moves lead to the same game in both."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._table = self._table.copy()
        other._recorder, other._bots = Recorder(other._table), self._bots.copy()
        other._events, other._history = [*self._events], [*self._history]
        other._clear_cache()
        return other

    def beginning(self) -> Session:
        """Return the same game before its first move, with the same players."""
        other = object.__new__(Session)
        other._begin(self.players, self.setting, self.seed, self.start)
        return other

    def before(self, step: int) -> Session:
        """Return the game as it stood before its move number `step`, from 0. Raises GameError."""
        if not 0 <= step <= len(self._history):
            raise GameError(f"there is no decision {step}: the game has {len(self._history)},"
                            " numbered from 0")
        other = self.beginning()
        for move in self._history[:step]:
            other.play(move)
        return other

    def position(self) -> Position:
        """Return the position as it stands, with all that is hidden.

        Raises GameError in a mulligan or a choice, and if the game is over.
        """
        return Position.of(self._table._states(), self.setting.ruleset, self.setting.decks)

    # -- saving ---------------------------------------------------------------------------------

    def save(self, path: str | Path | None = None) -> dict[str, Any]:
        """Return the game as data for json.dumps, and write it to a file if one is named.

        A Python player that is no function or class of a file is left out: its seat is empty after
        `load`. Raises RunError if the file cannot be written.
        """
        data = {
            "format": FORMAT, "version": VERSION, "hsevo": __version__, "engine": fingerprint(),
            "ruleset": self.setting.ruleset, "information": self.setting.information,
            "max_turns": self.setting.max_turns, "seed": self.seed,
            "decks": [deck_data(deck) for deck in self.setting.decks],
            "players": [{"name": seat.name, "agent": agent}
                        for seat, agent in zip(self.players, self._saved_agents, strict=True)],
            "all_places": self.setting.all_places, "moves": [move.index for move in self._history],
            "lookahead_rng": int(self._table.game.lookahead_rng), "digest": self._digest()}
        if self.start is not None:
            data["position"] = Position.of(self.start.state, self.setting.ruleset,
                                           self.setting.decks).data  # names no file
        if path is not None:
            write_whole(Path(path), (json.dumps(data, indent=1) + "\n").encode())
        return data

    @classmethod
    def load(cls, source: dict[str, Any] | str | Path) -> Self:
        """Load a saved game, from its data or its file, by replaying its moves.

        Raises GameError if it is not a saved game, or if replaying gives another position (for
        example with another engine); CardError for cards that hsevo does not have.
        """
        data = source if isinstance(source, dict) else read_json(
            Path(source), MOST_BYTES, GameError)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise GameError("this is not a saved game of hsevo")
        if data.get("version") != VERSION:
            raise GameError(f"the saved game has version {quoted(data.get('version'))}, but this"
                            f" hsevo reads version {VERSION}")
        try:
            return cls._replay(data)
        except DAMAGE as error:
            raise GameError(f"the saved game is damaged ({type(error).__name__}: {error})"
                            ) from None

    @classmethod
    def _replay(cls, data: dict[str, Any]) -> Self:
        decks = [deck_of(one) for one in data["decks"]]
        seats = [Seat(str(one["name"]), one["agent"] and agent_of(one["agent"]))
                 for one in data["players"]]
        rules = data["ruleset"], data["information"], data["max_turns"]
        _check(rules[0], (decks[0], decks[1]), data["seed"], *rules[1:], seats)
        places = check_places(data.get("all_places"))  # hsevo 0.5.0 did not store it
        game = object.__new__(cls)
        start = saved_start(data, (decks[0], decks[1])) if "position" in data else None
        setting = Setting(rules[0], (decks[0], decks[1]), *rules[1:], places)
        game._begin(seats, setting, data["seed"], start)
        other = "" if data["engine"] == fingerprint() else (
            f"; it was played by the engine {data['engine']}, and this is {fingerprint()}")
        for number, move in enumerate(data["moves"], start=1):
            if move not in game._table.legal(game._offers_all_places):
                raise GameError(f"move {number} of the saved game, {quoted(move)}, is not legal"
                                f"{other}")
            game.play(move)
        if game._digest() != data["digest"]:
            raise GameError(f"replaying the saved game gives another position{other}")
        game._table.game.lookahead_rng = data["lookahead_rng"]
        return game

    # -- helpers --------------------------------------------------------------------------------

    @cached_property
    def _saved_agents(self) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """Return both agents as data, made once: a network is 300 KB of text."""
        return _saved(self.players[0]), _saved(self.players[1])

    def _is_batched(self) -> bool:
        """Return whether matches of these players play in batches, without trees that are kept."""
        seated = [seat.agent for seat in self.players if seat.agent is not None]
        return any(one.BATCHED for agent in seated for one in hosted.families(agent).values())

    def _is_untried(self, move: int, table: Table) -> bool:
        """Return whether the lowest score means that an agent did not try a move."""
        made, hand = decode(move), self._now.hand(self.player)
        equal = made.action is Action.PLAY and hand[made.hand] in hand[made.hand + 1:]
        return (equal or bool((table.agents.kind == MCTS).any())
                or any(map(weighs_replies, table.agents)))

    def _legal(self, move: Move | int) -> Move:
        index = move.index if isinstance(move, Move) else config.as_whole(move)
        for one in self.moves:
            if one.index == index and (one == move or not isinstance(move, Move)):
                return one
        what = quoted(move) if isinstance(move, Move) else str(move)
        why = "the game is over" if self.over else "game.moves lists the legal moves"
        raise GameError(f"move {what} is not legal here; {why}")

    def _clear_cache(self) -> None:
        """Drop what was cached for the previous position."""
        self._answer, self._scores = None, {}
        for name in ("moves", "_now"):
            self.__dict__.pop(name, None)

    def _digest(self) -> str:
        """Return 16 hex digits of the position."""
        return hashlib.sha256(repr(snapshot(self._table.game)).encode()).hexdigest()[:16]


def _seat(player: int) -> int:
    number = config.as_whole(player)
    if number not in (0, 1):
        raise GameError(f"player is {quoted(player)}, but must be 0 or 1")
    return int(number)


def _check(ruleset: str, decks: tuple[Deck, ...], seed: int, information: str, max_turns: int,
           players: Sequence[object]) -> None:
    refuse_foreign(decks, ruleset)
    known = index(ruleset)
    for deck in decks:
        for card in deck.ids:
            if card not in known:
                raise CardError(f"deck {quoted(deck.name)}: the ruleset {ruleset} has no card"
                                f" {quoted(card)}{did_you_mean(card, known)}")
    config.parts(information if isinstance(information, str) else repr(information))
    for name, number, low, high in (("max_turns", max_turns, 1, 32_000),
                                    ("seed", seed, 0, 2**64 - 1)):
        found = config.as_whole(number)
        if found is None or not low <= found <= high:
            raise ConfigError(f"{name} is {printable(number)}, but must be a whole number from"
                              f" {low} to {high:,}")
    if len(players) != 2:
        raise ConfigError(f"players has {len(players)} entries, but must have 2")


def _one_agent(agent: Array) -> Array:
    if getattr(agent, "dtype", None) != AGENT or agent.size != 1:
        raise GameError("an agent must be a record AGENT (1,), as hsevo.agents makes them")
    check_agents(np.atleast_1d(agent))
    return np.atleast_1d(agent)


def _saved(seat: Seat) -> dict[str, Any] | None:
    """Return a seat's agent as data; None for one that ends with this process."""
    one = seat.agent if seat.agent is None else _one_agent(seat.agent)
    return None if one is None or is_value(one) else agent_data(one[0])


def _score(score: float) -> float:
    won = abs(score) >= INFINITE / LEVELS  # a search prefers the shorter way to a win
    return float(np.copysign(np.inf, score)) if won else score
