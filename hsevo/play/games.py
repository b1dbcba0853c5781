"""Batches of games for learners: begin many games, list legal moves, make a move in each.

    games = GameBatch.new(deck_0, deck_1, seeds)      n games, player 0 with deck_0, 1 with deck_1
    while games.running.any():
        masks = games.legal_moves()               bool (n, N_MOVES), all False for finished games
        moves = ...                               int (n,), a legal move of each running game
        games.step(moves)                         or games.step(games.sample(rng)), for random moves

    games.ask(agents, seat=1)                     compiled agents move where player 1 is to move

A move is the same integer in every game (`engine.record.codec` defines the numbers, and
`engine.view.show.move_text` describes one in words), so it can be used as an action index. Every
game has its own random stream, seeded by its seed: what happens in one game of a batch never
depends on the others. The state of a game is its record (dtype `engine.record.state.STATE`), which
includes what is hidden from the players.
All calls release the GIL. The first call loads or compiles the engine (`match.warm_up`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence, Set, Sized
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from hsevo.agents.registry import check_agents
from hsevo.agents.shared.agent import AGENT
from hsevo.agents.shared.belief import BELIEF
from hsevo.cards.decks import Deck
from hsevo.cards.tables import tables
from hsevo.config import MOST_MEMORY, as_whole, refuse_memory
from hsevo.engine.record.codec import END, N_MOVES
from hsevo.engine.record.state import DRAW, HAND, RUNNING, STATE, WIN_0, WIN_1
from hsevo.errors import GameError, brief, own_fault
from hsevo.play.context import PAIRING, Context, Environment
from hsevo.play.entry import NO_ENVIRONMENT, Command, call
from hsevo.play.match import Setting, context, new_scratch
from hsevo.seeds import Stream, derive
from hsevo.types import Array

__all__ = ["DRAW", "END", "N_MOVES", "RUNNING", "WIN_0", "WIN_1", "GameBatch"]

Decks: TypeAlias = Deck | Sequence[Deck]
MOST_TURNS = 32_000
BLANK = 2  # `ordered` of a state without its hidden cards, which nobody can play on
GAME_BYTES = STATE.itemsize + N_MOVES  # a state and its row of legal moves
MOST_GAMES = MOST_MEMORY // GAME_BYTES
_NO_AGENTS = np.zeros(0, AGENT)
_BYTES = np.dtype((np.void, STATE.itemsize))
_thread = threading.local()


@dataclass(frozen=True, repr=False, eq=False)
class GameBatch:
    """n games of one ruleset; `states` (n,) of dtype STATE is changed by `step` and `ask`.

    It takes agents as records: `hsevo.Games` (strength/games.py) also takes their names.

    all_places: whether a minion can be put at every place; False: only where places matter, else at
    the right end, as agents do. `legal_moves`, `sample` and `step` keep to it.

    Raises TypeError for states that are anything else, ValueError for such as can't be changed.
    """

    states: np.recarray[Any, Any]
    ruleset: str = "cig2018"
    all_places: bool = False

    def __post_init__(self) -> None:
        _check_states(self.states)

    @classmethod
    def new(cls, decks_0: Decks, decks_1: Decks, seeds: Any, ruleset: str = "cig2018",
            max_turns: int = 89, ordered: bool = False, all_places: bool = False) -> GameBatch:
        """Begin a game for each seed.

        decks_0, decks_1: of players 0 and 1; one for all games, or n. seeds: whole numbers (n,),
        from 0 to 2**64 - 1; each determines all that is random in its game, including who begins.
        max_turns: player turns after which a game is a draw, 1 to 32,000. ordered: shuffle the
        decks now (in `deck`, the last card is on top), instead of drawing uniformly from what is
        left. all_places: as of the class. Raises ValueError for arguments that don't fit together,
        TypeError for a deck that is not a Deck, CardError for an unknown ruleset or a card that it
        does not have, ConfigError for more games than fit in memory.
        """
        numbers = _seeds(seeds)
        turns = as_whole(max_turns)
        if turns is None or not 1 <= turns <= MOST_TURNS:
            raise ValueError(f"max_turns is {max_turns}, but must be from 1 to {MOST_TURNS:,}")
        known: dict[Deck, int] = {}
        pairings = np.zeros(len(numbers), PAIRING).view(np.recarray)
        pairings.seed, pairings.games = numbers, 1
        pairings.deck_a = _places("decks_0", decks_0, known, len(numbers))
        pairings.deck_b = _places("decks_1", decks_1, known, len(numbers))
        states = np.zeros(len(numbers), STATE).view(np.recarray)
        setting = Setting(ruleset, tuple(known), "leaky" if ordered else "fair", turns)
        call(Command.DEAL_ALL, dealing_context(setting, _scratch()), pairings=pairings,
             states=states)
        return cls(states, ruleset, all_places)

    @classmethod
    def under(cls, setting: Setting, decks_0: Decks, decks_1: Decks, seeds: Any) -> GameBatch:
        """Begin a game for each seed by the rules of a setting, with other decks."""
        return cls.new(decks_0, decks_1, seeds, setting.ruleset, setting.max_turns,
                       ordered=setting.information == "leaky",
                       all_places=setting.all_places is True)

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        n = len(self)
        return (f"{type(self).__name__}({n} game{'s' * (n != 1)},"
                f" {np.count_nonzero(self.running)} running, {self.ruleset})")

    @property
    def results(self) -> npt.NDArray[np.int16]:
        """The result of each game so far, int16 (n,): RUNNING, WIN_0, WIN_1 or DRAW."""
        return self.states["result"].copy()

    @property
    def running(self) -> npt.NDArray[np.bool_]:
        """Whether each game is still running, bool (n,)."""
        return np.asarray(self.states["result"] == RUNNING)

    @property
    def players(self) -> npt.NDArray[np.uint16]:
        """The player to move in each game, uint16 (n,): 0 or 1."""
        return self.states["me"].copy()

    def take(self, which: Any) -> GameBatch:
        """Return a copy of some of the games: indices (m,), bool (n,) or a slice."""
        whole = self.states.view(np.ndarray).view(_BYTES)  # numpy would drop the padding
        some = np.atleast_1d(whole[which]).copy().view(STATE)
        return GameBatch(some.view(np.recarray), self.ruleset, self.all_places)

    def legal_moves(self) -> npt.NDArray[np.bool_]:
        """Return the legal moves of all games: bool (n, N_MOVES).

        A finished game has none; a running game has at least one.
        """
        masks = np.zeros((len(self), N_MOVES), np.bool_)
        self._call(Command.LIST_ALL, masks=masks)
        return masks

    def costs(self) -> Array:
        """Return the current cost of each card in hand, int64 (n, 2, 10), player by player.

        Empty places of a hand are 0.
        """
        return self._all_costs()[:, :, :HAND]

    def power_costs(self) -> Array:
        """Return the current cost of each hero power, int64 (n, 2), player by player."""
        return self._all_costs()[:, :, HAND]

    def _all_costs(self) -> Array:
        costs = np.zeros((len(self), 2, HAND + 1), np.int64)
        self._call(Command.COSTS_ALL, costs=costs)
        return costs

    def sample(self, random: np.random.Generator | int) -> npt.NDArray[np.int64]:
        """Return a uniformly random legal move of each game, int64 (n,); END for finished games.

        random: a generator, or the seed of one (>= 0).
        """
        if isinstance(random, np.random.Generator):
            seeds = random.integers(2**63, size=len(self)).view(np.uint64)
        else:
            seeds = derive((seed_of(random), Stream.SAMPLE), np.arange(len(self)))
        moves = np.zeros(len(self), np.int64)
        self._call(Command.SAMPLE_ALL, seeds=seeds, moves=moves)
        return moves

    def step(self, moves: Any) -> None:
        """Make a move in each running game and resolve all that follows from it.

        moves: whole numbers (n,), each for the player in `players`; ignored for finished games.
        Raises GameError if a move is illegal (then no game has changed), or if a game reaches a
        limit of the engine, which no legal game should (then that game has stopped, and the others
        have moved).
        """
        numbers = np.array(moves)
        if numbers.shape != (len(self),) or numbers.dtype.kind not in "iu":
            raise ValueError(f"moves has shape {numbers.shape} and type {numbers.dtype}, but must"
                             f" be whole numbers ({len(self)},)")
        numbers = numbers.astype(np.int64)
        refuse_blank(self.states)
        illegal = self._call(Command.MOVE_ALL, moves=numbers)
        if illegal >= 0:
            raise GameError(f"move {numbers[illegal]} is not legal in game {illegal} of"
                            f" {len(self)}; no game was changed (legal_moves lists legal ones)")
        self._refuse_faults(numbers)

    def ask(self, agents: Array, seat: Any = None,
            information: str = "fair") -> npt.NDArray[np.int64]:
        """Have compiled agents make one move in each running game; return the moves, int64 (n,).

        agents: AGENT (1,), one for all games; (2,), one per seat; or (n,), one per game.
        seat: agents move only where this player is to move: 0 or 1, or one per game (n,); None:
        both. information: what their look-aheads may know, 'fair', 'closed' or another of
        config.INFORMATION ('leaky' needs `ordered` games). Moves are -1 in games where none was
        made. A move depends only on its game and that game's random streams, not on the rest of
        the batch; a tree search begins a new tree each time. Raises ConfigError, ValueError and
        TypeError for arguments that don't fit, GameError as `step`.
        """
        _check_agents(agents, len(self))
        refuse_blank(self.states)
        places = {1: np.zeros(len(self), np.int64), 2: self.players.astype(np.int64)}
        asked, moves = places.get(len(agents), np.arange(len(self))), np.zeros(len(self), np.int64)
        if seat is not None:
            asked[self.players != _seats(seat, len(self))] = -1
        self._call(Command.ASK_ALL, agents, information, asked=asked, moves=moves)
        self._refuse_faults(moves)
        return moves

    def call(self, command: Command, environment: Environment, **arrays: Array) -> int:
        """Run a command of `play.entry` that needs arrays of an environment."""
        return self._call(command, _NO_AGENTS, "fair", environment, **arrays)

    def _call(self, command: Command, agents: Array = _NO_AGENTS, information: str = "fair",
              environment: Environment = NO_ENVIRONMENT, **arrays: Array) -> int:
        if agents is _NO_AGENTS:
            ours = _context(self.ruleset)._replace(all_places=int(self.all_places))
        else:
            ours = context(agents, self._setting(information), _scratch())
        return call(command, ours, environment, states=self.states, **arrays)

    def _setting(self, information: str) -> Setting:
        """Return the rules of these games, whose states hold their decks and their last turn."""
        return Setting(self.ruleset, (), information, MOST_TURNS)

    def _refuse_faults(self, moves: Array) -> None:
        for i in np.flatnonzero(self.states["fault"]):
            raise own_fault(f"game {i} of {len(self)} reached limit {self.states['fault'][i]} of"
                            f" the engine at move {moves[i]}")


def dealing_context(setting: Setting, scratch: Array) -> Context:
    """Return what is needed to deal games in which no compiled agent is asked.

    What players show is noted: agents that are asked later may guess deck lists by it.
    """
    known = setting.information if setting.information == "leaky" else "fair"
    return context(_NO_AGENTS, replace(setting, information=known), scratch)._replace(
        belief=np.zeros(1, BELIEF).view(np.recarray))


def refuse_blank(states: Array) -> None:
    """Raise GameError if one of some states, STATE (n,), is what a player may know of its game."""
    if (states["ordered"] == BLANK).any():
        raise GameError("this game is what one player may know: its hidden cards are blank, so it"
                        " can be looked at, but not played on")


def seed_of(random: Any) -> int:
    """Return the seed of random moves. Raises ValueError if it is no whole number from 0."""
    seed = as_whole(random)
    if seed is None or not 0 <= seed < 2**64:
        raise ValueError(f"the seed is {brief(random)}, but must be a whole number, not below 0")
    return seed


def _scratch() -> Array:
    """Return the scratch of this thread."""
    if not hasattr(_thread, "scratch"):
        _thread.scratch = new_scratch()
    return cast(Array, _thread.scratch)


def _context(ruleset: str) -> Context:
    """Return what calls without agents need, on this thread; made once, for it takes 0.3 ms."""
    kept: dict[str, tuple[Any, Context]] = _thread.__dict__.setdefault("contexts", {})
    cards = tables(ruleset)
    if ruleset not in kept or kept[ruleset][0] is not cards:
        kept[ruleset] = cards, context(
            _NO_AGENTS, Setting(ruleset, (), "fair", MOST_TURNS), _scratch())
    return kept[ruleset][1]


def _seeds(seeds: Any) -> Array:
    """Return seeds as uint64 (n,).

    A list is converted number by number: numpy would turn large integers into floats.
    """
    if hasattr(seeds, "__len__"):
        refuse_memory(_length(seeds), "games", GAME_BYTES, "take them in several batches")
    if isinstance(seeds, Set):
        raise ValueError("seeds is a set, which has no order, but must be (n,)")
    if isinstance(seeds, Iterable) and not isinstance(seeds, np.ndarray):
        listed = [*islice(seeds, MOST_GAMES + 1)]
        refuse_memory(len(listed), "games and more", GAME_BYTES, "take them in several batches")
        wholes = [as_whole(one) for one in listed]
        fit = all(one is not None and 0 <= one < 2**64 for one in wholes)
        seeds = np.array(wholes, np.uint64) if fit else np.array(listed, object)
    numbers = np.asarray(seeds)
    if numbers.ndim != 1:
        raise ValueError(f"seeds has shape {numbers.shape}, but must be (n,)")
    if len(numbers) and (numbers.dtype.kind not in "iu" or numbers.min() < 0):
        raise ValueError(f"seeds is {numbers!r}, but must be whole numbers from 0 to 2**64 - 1")
    return numbers.astype(np.uint64)


def _length(seeds: Sized) -> int:
    try:
        return len(seeds)
    except OverflowError:  # of a range
        return 2**63
    except TypeError:  # an array that is one number
        return 1


def _places(name: str, decks: Decks, known: dict[Deck, int], n: int) -> Array:
    """Return the index (n,) of each deck in `known`, adding new decks to it."""
    listed = [decks] * n if isinstance(decks, Deck | str) else list(decks)
    for deck in listed:
        if not isinstance(deck, Deck):
            raise TypeError(f"{name} holds {deck!r}, but must be a Deck, or one for each seed;"
                            " hsevo.cards.decks.read_deck makes one of a name or a file")
    if len(listed) != n:
        raise ValueError(f"{len(listed)} decks for {n} seeds")
    return np.array([known.setdefault(deck, len(known)) for deck in listed], np.int16)


def _check_states(states: Any) -> None:
    if not isinstance(states, np.ndarray) or states.dtype != STATE:
        given = brief(states.dtype) if isinstance(states, np.ndarray) else type(states).__name__
        raise TypeError(f"states is of type {given}, but must be an array of dtype STATE"
                        " (hsevo.engine.record.state), which np.concatenate does not keep;"
                        " Games.new begins games, Games.take copies some")
    if states.ndim != 1 or not states.flags.c_contiguous or not states.flags.writeable:
        raise ValueError(f"states has shape {states.shape} and strides {states.strides}, but must"
                         " be (n,), contiguous and writable; Games.take copies some of the games")


def _check_agents(agents: Any, n: int) -> None:
    if not isinstance(agents, np.ndarray) or agents.dtype != AGENT:
        raise TypeError(f"agents is {agents!r}, but must be an array of dtype AGENT;"
                        " hsevo.strength.roster.read_agent makes one of a spec")
    if agents.shape not in {(1,), (2,), (n,)}:
        raise ValueError(f"agents has shape {agents.shape}, but must have (1,), (2,): one per seat,"
                         f" or ({n},): one per game")
    check_agents(agents)


def _seats(seat: Any, n: int) -> Array:
    seats = np.asarray(seat)
    if seats.shape not in {(), (n,)} or not np.isin(seats, (0, 1)).all():
        raise ValueError(f"seat is {seat!r}, but must be 0 or 1, or one of them per game ({n},)")
    return seats
