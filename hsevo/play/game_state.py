"""One game as a state to search: legal actions, the state after one, copies, worlds, outcomes."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NoReturn, Self

import numpy as np

from hsevo import config
from hsevo.cards.decks import Deck
from hsevo.config import whole
from hsevo.engine.jit import fingerprint
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.record.state import RUNNING, STATE, WIN_0, WIN_1
from hsevo.errors import GameError, brief
from hsevo.play import rules
from hsevo.play.arguments import player_number
from hsevo.play.games import MOST_GAMES, RETURNS, GameBatch, refuse_blank
from hsevo.play.moves import Move
from hsevo.play.outcomes import Outcome
from hsevo.play.position import Position
from hsevo.types import Array

_ENGINE = "engine"  # in a pickle


class GameState:
    """Hold one game, without players and events: the part of `hsevo.Game` that searches need.

    Copies and moves take microseconds. Actions are the numbers of moves, 0 to 3,661.

    Parameters
    ----------
    state : ndarray of STATE, shape (1,)
        The game. It is never changed: each action replaces it.
    ruleset : str, default "cig2018"
        Version of cards and rules.
    information : str, default "fair"
        What `worlds` knows about deck lists, one of config.INFORMATION.
    all_places : bool, default False
        Allow a minion at every board position. False: only where the position matters.

    Raises
    ------
    TypeError
        If `state` has another type or shape.
    GameError
        If its hidden cards are blank, as in `View.games`.
    """

    _LISTS = "game.legal_actions()"

    def __init__(self, state: Array, ruleset: str = "cig2018", information: str = "fair",
                 all_places: bool = False) -> None:
        if getattr(state, "dtype", None) != STATE or state.shape != (1,):
            raise TypeError("state must be an array of dtype STATE and shape (1,), as the method"
                            f" states() of a game returns it, not {brief(state)}")
        refuse_blank(state)
        self._state = rules.copied(state)
        rules.note(self._state[0])
        self._rules = ruleset, information, all_places

    @property
    def ruleset(self) -> str:
        """Version of cards and rules."""
        return self._rules[0]

    @property
    def information(self) -> str:
        """What `worlds` knows about deck lists."""
        return self._rules[1]

    @property
    def _decks(self) -> tuple[Deck, ...]:
        """Deck lists of players 0 and 1, if they are known."""
        return ()

    @property
    def _offers_all_places(self) -> bool:
        """Whether the player to move is offered every place for a minion."""
        return self._rules[2]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(turn {self.turn}, player {self.player} to move)"

    @property
    def turn(self) -> int:
        """Player turn, from 1. 0 in a mulligan."""
        return int(self._state["turn"][0])

    @property
    def player(self) -> int:
        """Player to move, 0 or 1."""
        return int(self._state["me"][0])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.result != RUNNING

    @property
    def result(self) -> int:
        """Result so far: engine.record.state.RUNNING, WIN_0, WIN_1 or DRAW."""
        return int(self._state["result"][0])

    @property
    def winner(self) -> int | None:
        """Player who won. None: a draw, or the game is running."""
        return {WIN_0: 0, WIN_1: 1}.get(self.result)

    @property
    def current_player(self) -> int:
        """Player to move, 0 or 1. -1: the game is over."""
        return -1 if self.over else self.player

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.over

    def returns(self) -> list[float]:
        """Return what players 0 and 1 get for the game so far.

        Returns
        -------
        list of float
            1 for the winner and -1 for the loser. 0 for a draw, or while the game is running.
        """
        first, second = RETURNS[self.result].tolist()
        return [first, second]

    def legal_actions(self) -> list[int]:
        """Return the indices of `moves`, which take a fraction of their time.

        Returns
        -------
        list of int
            Legal actions. Empty after the end.
        """
        return [*self._legal_actions]

    @cached_property
    def _legal_actions(self) -> list[int]:
        return rules.legal_actions(self._state, self.ruleset, self._offers_all_places)

    def states(self) -> Array:
        """Return a copy of the game as it is now, including hidden information.

        Returns
        -------
        ndarray of STATE, shape (1,)
            The state, a recarray.
        """
        return rules.copied(self._state).view(np.recarray)

    def apply(self, action: Move | int) -> None:
        """Make a legal move.

        Parameters
        ----------
        action : Move or int
            The move, or its index, one of `legal_actions`.

        Raises
        ------
        GameError
            If the move is not legal. The game is then unchanged.
        """
        number = self._checked(action)
        state = rules.after(self._state, self.ruleset, number, self._offers_all_places)
        if state is None:
            self._refuse(action)
        self._state = state
        self.__dict__.pop("_legal_actions", None)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle holds, with the engine that made it."""
        return self.__dict__ | {_ENGINE: fingerprint()}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Take what a pickle holds. Raises GameError if it is of another engine."""
        engine = attributes.pop(_ENGINE, None)
        if engine != fingerprint():
            raise GameError(f"this game was pickled with the engine {brief(engine)}, but this is"
                            f" {fingerprint()}; use files of game.save() between versions")
        self.__dict__.update(attributes)

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def copy(self) -> Self:
        """Return an independent copy. The same moves lead to the same game in both.

        Returns
        -------
        Self
            The copy.
        """
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        return copy

    def position(self) -> Position:
        """Return the current position, including all hidden information.

        Returns
        -------
        Position
            The position.

        Raises
        ------
        GameError
            If the game is over, or if more waits for a choice than a position can tell.

        Examples
        --------
        >>> state = hsevo.GameState(hsevo.Game("mage", "warrior", seed=3).states())
        >>> path = state.position().write("state.json")
        >>> hsevo.GameState(hsevo.Position.read(path).state).turn
        1
        """
        return Position.of(self.states(), self.ruleset, self._decks)

    def batch(self, n: int = 1) -> GameBatch:
        """Return the game as many equal games, for batches of playouts.

        Parameters
        ----------
        n : int, default 1
            Number of games.

        Returns
        -------
        GameBatch
            The games. They have equal random streams, so the same moves lead to the same games.
        """
        count = whole("n", n, 1, MOST_GAMES)
        return GameBatch(rules.copied(self._state).repeat(count).view(np.recarray), self.ruleset,
                         self._offers_all_places)

    def worlds(self, player: int, n: int = 1, seed: int = 1) -> list[Self]:
        """Return games that one player cannot tell from this game.

        The opponent's hand, secrets and deck, and all random results to come, are sampled. With
        open deck lists, the opponent's remaining cards are known, and each distribution of them is
        equally likely. With closed deck lists, the opponent's list is guessed as agents guess it.
        With information "leaky", only the random results are sampled.

        Parameters
        ----------
        player : {0, 1}
            The player who does not know the hidden information.
        n : int, default 1
            Number of worlds.
        seed : int, default 1
            Seed of the samples.

        Returns
        -------
        list of Self
            The worlds. Their history begins here, and nobody has a seat in them.

        Raises
        ------
        GameError
            If the opponent is in the middle of a choice, whose options the player does not know.
        ConfigError
            If `n` or `seed` is out of range.

        Examples
        --------
        >>> game = hsevo.Game("mage", "warrior", seed=3)
        >>> worlds = game.worlds(player=0, n=8, seed=1)
        >>> world = worlds[0]
        >>> world.apply(world.legal_actions()[0])
        """
        sampled = self.batch(n).worlds(player_number(player), seed, self.information)
        states = sampled.states.view(np.ndarray)
        return [self._from(states[k:k + 1]) for k in range(len(states))]

    def outcomes(self, action: int, most: int = 100) -> list[Outcome[Self]] | None:
        """Return the possible results of an action, with their probabilities, in words.

        Use a result to force it: continue with its game. The results are those of the true game:
        to search as a player, take them in `worlds` of that player.

        Parameters
        ----------
        action : int
            Index of a legal move.
        most : int, default 100
            Maximum number of results, before equal results are merged.

        Returns
        -------
        list of Outcome or None
            The results, each with `probability`, `game` and `text`. Unpack one as a pair of the
            probability and the game after the action, whose history begins here. Probabilities sum
            to 1. None: there are more results than `most`.

        Raises
        ------
        GameError
            If the move is not legal.
        ConfigError
            If `most` is out of range.

        Examples
        --------
        >>> side = {"class": "mage", "deck": ["Wisp", "Wisp", "Fireball"]}
        >>> game = hsevo.Game.at({"me": side, "opponent": side})
        >>> for outcome in game.outcomes(0):
        ...     print(round(outcome.probability, 3), outcome.text)
        0.333 turn 20: player 1; player 1 draws Fireball
        0.667 turn 20: player 1; player 1 draws Wisp
        """
        number = self._checked(action)
        results = rules.outcomes(self._state, self.ruleset, number,
                                 whole("most", most, 1, 100_000), self._offers_all_places)
        if results is None:
            return None
        return [Outcome(probability, self._from(after), self._state, number, script)
                for probability, after, script in results]

    def _from(self, state: Array) -> Self:
        """Return a game that begins at a state, STATE (1,), by the same rules."""
        game = self.copy()
        game._state = state
        game.__dict__.pop("_legal_actions", None)
        return game

    def _checked(self, action: Any) -> int:
        """Return an action as an integer."""
        if isinstance(action, Move):
            return action.index
        number = action if type(action) is int else config.as_whole(action)
        if number is None or not 0 <= number < N_MOVES:
            self._refuse(action)
        return int(number)

    def _refuse(self, action: object) -> NoReturn:
        why = "the game is over" if self.over else f"{self._LISTS} lists the legal moves"
        raise GameError(f"move {action} is not legal here; {why}")
