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

from collections.abc import Iterable, Sequence, Set, Sized
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.agents.registry import check_agents
from hsevo.agents.shared.agent import AGENT
from hsevo.agents.shared.belief import BELIEF
from hsevo.cards.decks import Deck
from hsevo.config import MOST_MEMORY, as_whole, refuse_memory, whole
from hsevo.engine.record.codec import END, N_MOVES
from hsevo.engine.record.state import DRAW, HAND, RUNNING, STATE, WIN_0, WIN_1
from hsevo.errors import GameError, brief, own_fault
from hsevo.play.context import PAIRING, Context, Environment
from hsevo.play.entry import NO_ENVIRONMENT, Command, call
from hsevo.play.match import Setting, context
from hsevo.play.rules import MOST_TURNS, NO_AGENTS, deal_worlds, thread_context, thread_scratch
from hsevo.seeds import MOST_SEED, Stream, derive
from hsevo.types import Array

__all__ = ["DRAW", "END", "N_MOVES", "RUNNING", "WIN_0", "WIN_1", "GameBatch"]

Decks: TypeAlias = Deck | Sequence[Deck]
# By result: what players 0 and 1 get while a game runs, and for wins of 0, of 1, and a draw.
RETURNS = np.array([[0.0, 0.0], [1.0, -1.0], [-1.0, 1.0], [0.0, 0.0]])
BLANK = 2  # `ordered` of a state without its hidden cards, which nobody can play on
GAME_BYTES = STATE.itemsize + N_MOVES  # a state and its row of legal moves
MOST_GAMES = MOST_MEMORY // GAME_BYTES
_BYTES = np.dtype((np.void, STATE.itemsize))


@dataclass(frozen=True, repr=False, eq=False)
class GameBatch:
    """Hold n games of one ruleset, which `step` and `ask` change in place.

    Agents are records. `hsevo.Games` (strength/games.py) also accepts their names.

    Parameters
    ----------
    states : recarray of STATE, shape (n,)
        The games.
    ruleset : str, default "cig2018"
        Version of cards and rules.
    all_places : bool, default False
        Allow a minion at every board position in `legal_moves`, `sample` and `step`. False: only
        where the position matters, otherwise at the right end, as agents do.

    Raises
    ------
    TypeError
        If `states` has another type.
    ValueError
        If `states` cannot be changed.
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

        Parameters
        ----------
        decks_0, decks_1 : Deck or sequence of Deck
            Decks of players 0 and 1: one for all games, or n.
        seeds : array_like of int, shape (n,)
            Seeds, 0 to 2**64 - 1. A seed determines everything random in its game, including the
            player who begins.
        ruleset : str, default "cig2018"
            Version of cards and rules.
        max_turns : int, default 89
            Player turns after which a game is a draw, 1 to 32,000.
        ordered : bool, default False
            Shuffle the decks at the beginning (in `deck`, the last card is on top). False: each
            draw is uniform from the remaining cards.
        all_places : bool, default False
            As in the class.

        Returns
        -------
        GameBatch
            The games.

        Raises
        ------
        ValueError
            If arguments do not fit together.
        TypeError
            If a deck is not a Deck.
        CardError
            If the ruleset is unknown or lacks a card.
        ConfigError
            If the games do not fit in memory.
        """
        information = "leaky" if ordered else "fair"
        return cls.under(Setting(ruleset, (), information, max_turns, all_places), decks_0, decks_1,
                         seeds)

    @classmethod
    def under(cls, setting: Setting, decks_0: Decks, decks_1: Decks, seeds: Any) -> GameBatch:
        """Begin a game for each seed by the rules of a setting, with other decks.

        Parameters
        ----------
        setting : Setting
            Rules of the games.
        decks_0, decks_1 : Deck or sequence of Deck
            Decks of players 0 and 1.
        seeds : array_like of int, shape (n,)
            Seeds of the games.

        Returns
        -------
        GameBatch
            The games.
        """
        numbers, turns = _seeds(seeds), as_whole(setting.max_turns)
        if turns is None or not 1 <= turns <= MOST_TURNS:
            raise ValueError(f"max_turns is {setting.max_turns}, but must be from 1 to"
                             f" {MOST_TURNS:,}")
        known: dict[Deck, int] = {}
        pairings = np.zeros(len(numbers), PAIRING).view(np.recarray)
        pairings.seed, pairings.games = numbers, 1
        pairings.deck_a = _places("decks_0", decks_0, known, len(numbers))
        pairings.deck_b = _places("decks_1", decks_1, known, len(numbers))
        states = np.zeros(len(numbers), STATE).view(np.recarray)
        ours = Setting(setting.ruleset, tuple(known), "leaky" if setting.information == "leaky"
                       else "fair", turns, first=setting.first)
        call(Command.DEAL_ALL, dealing_context(ours, thread_scratch()), pairings=pairings,
             states=states)
        return cls._of(states, setting.ruleset, setting.all_places is True)

    def __copy__(self) -> Self:
        return self.take(slice(None))

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        n = len(self)
        return (f"{type(self).__name__}({n} game{'s' * (n != 1)},"
                f" {np.count_nonzero(self.running)} running, {self.ruleset})")

    @property
    def results(self) -> npt.NDArray[np.int16]:
        """Result of each game so far, int16 (n,): RUNNING, WIN_0, WIN_1 or DRAW."""
        return self.states["result"].copy()

    @property
    def running(self) -> npt.NDArray[np.bool_]:
        """Whether each game is still running, bool (n,)."""
        return np.asarray(self.states["result"] == RUNNING)

    @property
    def players(self) -> npt.NDArray[np.uint16]:
        """Player to move in each game, uint16 (n,): 0 or 1."""
        return self.states["me"].copy()

    @classmethod
    def _of(cls, states: Array, ruleset: str, all_places: bool) -> Self:
        """Return games of states, whatever arguments the constructor has."""
        batch = object.__new__(cls)
        GameBatch.__init__(batch, states.view(np.recarray), ruleset, all_places)
        return batch

    @classmethod
    def of(cls, games: Sequence[Any]) -> Self:
        """Return copies of single games as a batch: for example, of the worlds of a view.

        Parameters
        ----------
        games : sequence of GameState or Game
            The games, of one ruleset.

        Returns
        -------
        Self
            The batch.

        Raises
        ------
        ValueError
            If there are no games, or their rulesets differ.

        Examples
        --------
        >>> game = hsevo.Game("mage", "warrior", seed=3)
        >>> games = hsevo.Games.of(game.worlds(player=0, n=8))
        >>> games.play_out(seed=1)
        >>> games.returns().shape
        (8, 2)
        """
        rulesets = sorted({game.ruleset for game in games})
        if len(rulesets) != 1:
            raise ValueError(f"games has the rulesets {', '.join(rulesets) or 'of no game'}, but"
                             " must have games of one ruleset")
        raw = bytearray().join(game.states().tobytes() for game in games)
        return cls._of(np.frombuffer(raw, STATE), rulesets[0], False)

    def take(self, which: Any) -> Self:
        """Return a copy of some of the games.

        Parameters
        ----------
        which : array_like of int, array_like of bool or slice
            Indices (m,), mask (n,), or slice of the games.

        Returns
        -------
        Self
            The copied games.
        """
        whole = self.states.view(np.ndarray).view(_BYTES)  # numpy would drop the padding
        some = np.atleast_1d(whole[which]).copy().view(STATE)
        return self._of(some, self.ruleset, self.all_places)

    def legal_moves(self) -> npt.NDArray[np.bool_]:
        """Return the legal moves of all games.

        Returns
        -------
        ndarray of bool, shape (n, N_MOVES)
            Masks. A finished game has no legal move. A running game has at least one.
        """
        masks = np.zeros((len(self), N_MOVES), np.bool_)
        self._call(Command.LIST_ALL, masks=masks)
        return masks

    @property
    def current_player(self) -> npt.NDArray[np.int64]:
        """Player to move in each game, int64 (n,): 0 or 1. -1: the game is over."""
        return np.where(self.running, self.players.astype(np.int64), -1)

    @property
    def is_over(self) -> npt.NDArray[np.bool_]:
        """Whether each game is over, bool (n,)."""
        return ~self.running

    def legal_actions(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions of all games: the same as `legal_moves`.

        Returns
        -------
        ndarray of bool, shape (n, N_MOVES)
            Masks. A finished game has no legal action.
        """
        return self.legal_moves()

    def apply(self, actions: Any) -> None:
        """Make a move in each running game: the same as `step`.

        Parameters
        ----------
        actions : array_like of int, shape (n,)
            Legal actions. Ignored for finished games.

        Raises
        ------
        ValueError
            If `actions` has another shape or type.
        GameError
            If an action is illegal. No game is then changed.
        """
        self.step(actions)

    def copy(self) -> Self:
        """Return an independent copy. The same actions lead to the same games in both.

        Returns
        -------
        Self
            The copy.
        """
        return self.take(slice(None))

    def returns(self) -> npt.NDArray[np.float64]:
        """Return what both players get for each game so far.

        Returns
        -------
        ndarray of float64, shape (n, 2)
            1 for the winner and -1 for the loser. 0 for a draw, or while the game is running.
        """
        return RETURNS[self.results]

    def worlds(self, player: Any = None, seed: int = 1, information: str = "fair") -> Self:
        """Return games that a player cannot tell from these: see `hsevo.Game.worlds`.

        Parameters
        ----------
        player : {0, 1} or array_like of int, shape (n,), optional
            The player who does not know the hidden information. Default: the player to move.
        seed : int, default 1
            Seed of the samples.
        information : str, default "fair"
            "fair": deck lists are known. "closed" and its methods: they are guessed.

        Returns
        -------
        Self
            A world of each game.

        Raises
        ------
        GameError
            If an opponent is in the middle of a choice, or the hidden cards are blank.
        ConfigError
            If an argument is invalid.
        """
        refuse_blank(self.states)
        seats = self.players if player is None else seats_of(player, len(self))
        seats = np.broadcast_to(seats, len(self))
        if ((self.states["pending"] != 0) & (self.players != seats)).any():
            raise GameError("the opponent is in the middle of a mulligan or a choice, whose options"
                            " the player does not know; sample worlds after it")
        sampled, number = self.copy(), whole("seed", seed, 0, MOST_SEED)
        deal_worlds(sampled.states, self.ruleset, seats,
                          derive((number, Stream.WORLDS), np.arange(len(self))), information)
        return sampled

    def play_out(self, seed: int = 1) -> None:
        """Play each running game to its end with uniformly random moves.

        Parameters
        ----------
        seed : int, default 1
            Seed of the moves.

        Raises
        ------
        GameError
            If the hidden cards of a game are blank, or a game reaches a limit of the engine.
        ConfigError
            If the seed is out of range.
        """
        refuse_blank(self.states)
        number = whole("seed", seed, 0, MOST_SEED)
        self._call(Command.PLAY_OUT_ALL,
                   seeds=derive((number, Stream.WORLDS, 1), np.arange(len(self))))
        self._refuse_faults()

    def costs(self) -> Array:
        """Return the current cost of each card in hand.

        Returns
        -------
        ndarray of int64, shape (n, 2, 10)
            Costs of players 0 and 1. Empty positions of a hand are 0.
        """
        return self._all_costs()[:, :, :HAND]

    def power_costs(self) -> Array:
        """Return the current cost of each hero power.

        Returns
        -------
        ndarray of int64, shape (n, 2)
            Costs of players 0 and 1.
        """
        return self._all_costs()[:, :, HAND]

    def _all_costs(self) -> Array:
        costs = np.zeros((len(self), 2, HAND + 1), np.int64)
        self._call(Command.COSTS_ALL, costs=costs)
        return costs

    def sample(self, random: np.random.Generator | int) -> npt.NDArray[np.int64]:
        """Return a uniformly random legal move of each game.

        Parameters
        ----------
        random : numpy.random.Generator or int
            Generator, or seed (not negative).

        Returns
        -------
        ndarray of int64, shape (n,)
            The moves. END for finished games.

        Raises
        ------
        ValueError
            If the seed is invalid.
        """
        if isinstance(random, np.random.Generator):
            seeds = random.integers(2**63, size=len(self)).view(np.uint64)
        else:
            seeds = derive((seed_of(random), Stream.SAMPLE), np.arange(len(self)))
        moves = np.zeros(len(self), np.int64)
        self._call(Command.SAMPLE_ALL, seeds=seeds, moves=moves)
        return moves

    def step(self, moves: Any) -> None:
        """Make a move in each running game and resolve its effects.

        Parameters
        ----------
        moves : array_like of int, shape (n,)
            Moves of the players in `players`. Ignored for finished games.

        Raises
        ------
        ValueError
            If `moves` has another shape or type.
        GameError
            If a move is illegal (no game is then changed), or if a game reaches a limit of the
            engine (that game then stops, and the others have moved).
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
                            f" {len(self)}; no game was changed (legal_moves lists the legal"
                            " moves)")
        self._refuse_faults(numbers)

    def ask(self, agents: Array, seat: Any = None,
            information: str = "fair") -> npt.NDArray[np.int64]:
        """Let compiled agents make one move in each running game.

        Parameters
        ----------
        agents : ndarray of AGENT, shape (1,), (2,) or (n,)
            One agent for all games, one for each seat, or one for each game.
        seat : {0, 1} or array_like of int, optional
            Move only where this player is to move. An array (n,) has one seat for each game.
            Default: both.
        information : str, default "fair"
            Information of look-aheads, one of config.INFORMATION. "leaky" requires `ordered` games.

        Returns
        -------
        ndarray of int64, shape (n,)
            The moves. -1 where no move was made.

        Raises
        ------
        ConfigError
            If `information` is invalid.
        ValueError
            If arguments do not fit together.
        TypeError
            If an argument has a wrong type.
        GameError
            If a game reaches a limit of the engine.

        Notes
        -----
        A move depends only on its game and the random streams of that game, not on the other games.
        A tree search begins a new tree for each move.
        """
        _check_agents(agents, len(self))
        refuse_blank(self.states)
        places = {1: np.zeros(len(self), np.int64), 2: self.players.astype(np.int64)}
        asked, moves = places.get(len(agents), np.arange(len(self))), np.zeros(len(self), np.int64)
        if seat is not None:
            asked[self.players != seats_of(seat, len(self))] = -1
        self._call(Command.ASK_ALL, agents, information, asked=asked, moves=moves)
        self._refuse_faults(moves)
        return moves

    def call(self, command: Command, environment: Environment, **arrays: Array) -> int:
        """Run a command of `play.entry` that needs arrays of an environment.

        Parameters
        ----------
        command : Command
            The command.
        environment : Environment
            Environment of the command.
        **arrays : ndarray
            Arrays of the command.

        Returns
        -------
        int
            Result of the command.
        """
        return self._call(command, NO_AGENTS, "fair", environment, **arrays)

    def _call(self, command: Command, agents: Array = NO_AGENTS, information: str = "fair",
              environment: Environment = NO_ENVIRONMENT, **arrays: Array) -> int:
        if agents is NO_AGENTS:
            ours = thread_context(self.ruleset)._replace(all_places=int(self.all_places))
        else:
            ours = context(agents, self._setting(information), thread_scratch())
        return call(command, ours, environment, states=self.states, **arrays)

    def _setting(self, information: str) -> Setting:
        """Return the rules of these games, whose states hold their decks and their last turn."""
        return Setting(self.ruleset, (), information, MOST_TURNS)

    def _refuse_faults(self, moves: Array | None = None) -> None:
        for i in np.flatnonzero(self.states["fault"]):
            where = "" if moves is None else f" at move {moves[i]}"
            raise own_fault(f"game {i} of {len(self)} reached limit {self.states['fault'][i]} of"
                            f" the engine{where}")


def dealing_context(setting: Setting, scratch: Array) -> Context:
    """Return what is needed to deal games in which no compiled agent is asked.

    What players show is noted: agents that are asked later may guess deck lists by it.
    """
    known = setting.information if setting.information == "leaky" else "fair"
    return context(NO_AGENTS, replace(setting, information=known), scratch)._replace(
        belief=np.zeros(1, BELIEF).view(np.recarray))


def refuse_blank(states: Array) -> None:
    """Raise GameError if a state, STATE (n,), is the limited information of a player."""
    if (states["ordered"] == BLANK).any():
        raise GameError("this game shows only what one player may know; its hidden cards are blank,"
                        " so it can't be continued")


def seed_of(random: Any) -> int:
    """Return the seed of random moves. Raises ValueError if it is no whole number from 0."""
    seed = as_whole(random)
    if seed is None or not 0 <= seed < 2**64:
        raise ValueError(f"the seed is {brief(random)}, but must be a whole number of at least 0")
    return seed


def _seeds(seeds: Any) -> Array:
    """Return seeds as uint64 (n,).

    A list is converted number by number: numpy would turn large integers into floats.
    """
    if hasattr(seeds, "__len__"):
        refuse_memory(_length(seeds), "games", GAME_BYTES, "take them in several batches")
    if isinstance(seeds, Set):
        raise ValueError("seeds is a set, which has no order; give an array of shape (n,)")
    if isinstance(seeds, Iterable) and not isinstance(seeds, np.ndarray):
        listed = [*islice(seeds, MOST_GAMES + 1)]
        refuse_memory(len(listed), "games and more", GAME_BYTES, "take them in several batches")
        wholes = [as_whole(seed) for seed in listed]
        fit = all(whole is not None and 0 <= whole < 2**64 for whole in wholes)
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
            raise TypeError(f"{name} has {deck!r}, but must be a Deck, or a sequence with a Deck"
                            " for each seed; hsevo.cards.decks.read_deck reads one by its name or"
                            " file")
    if len(listed) != n:
        raise ValueError(f"{len(listed)} decks for {n} seeds")
    return np.array([known.setdefault(deck, len(known)) for deck in listed], np.int16)


def _check_states(states: Any) -> None:
    if not isinstance(states, np.ndarray) or states.dtype != STATE:
        kind = brief(states.dtype) if isinstance(states, np.ndarray) else type(states).__name__
        raise TypeError(f"states is of type {kind}, but must be an array of dtype STATE"
                        " (hsevo.engine.record.state), which np.concatenate does not preserve; use"
                        " Games.new to begin games, or Games.take to copy games")
    if states.ndim != 1 or not states.flags.c_contiguous or not states.flags.writeable:
        raise ValueError(f"states has shape {states.shape} and strides {states.strides}, but must"
                         " be (n,), contiguous and writable; use Games.take to copy some of the"
                         " games")


def _check_agents(agents: Any, n: int) -> None:
    if not isinstance(agents, np.ndarray) or agents.dtype != AGENT:
        raise TypeError(f"agents is {agents!r}, but must be an array of dtype AGENT;"
                        " hsevo.strength.roster.read_agent reads one from a spec")
    if agents.shape not in {(1,), (2,), (n,)}:
        raise ValueError(f"agents has shape {agents.shape}, but must have (1,), (2,): one per seat,"
                         f" or ({n},): one per game")
    check_agents(agents)


def seats_of(seat: Any, n: int) -> Array:
    """Return players, 0 or 1, as one of all games () or one of each (n,). Raises ValueError."""
    seats = np.asarray(seat)
    if seats.shape not in {(), (n,)} or not np.isin(seats, (0, 1)).all():
        raise ValueError(f"seat is {seat!r}, but must be 0 or 1, or an array with 0 or 1 for each"
                         f" game ({n},)")
    return seats
