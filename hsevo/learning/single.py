"""One battle as an environment of Gymnasium: an action is the number of a move."""

from __future__ import annotations

from copy import deepcopy
from operator import index
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import EnvSpec

from hsevo.engine.record.codec import N_MOVES
from hsevo.errors import GameError
from hsevo.learning.batch import actions_of
from hsevo.learning.drawing import board_text
from hsevo.learning.opponents import OpponentLike
from hsevo.learning.vector import BattleVectorEnv
from hsevo.registration import ID
from hsevo.types import Array

Step = tuple[Array, float, bool, bool, dict[str, Any]]
METADATA = {"render_modes": ["ansi"], "render_fps": 1}


class SingleBattleEnv(gym.Env[Array, int]):  # type: ignore[misc]
    """Play one battle at a time: the environment of `hsevo.make_env`.

    A copy, also by pickle, continues in the same way.

    Parameters
    ----------
    games : BattleVectorEnv
        Vector environment of one game, which plays the games.
    arguments : dict
        Arguments as they were given.
    render_mode : {"ansi"}, optional
        "ansi": `render` returns the board as text.

    Attributes
    ----------
    metadata : dict
        Settings in words.
    """

    metadata: dict[str, Any] = METADATA

    def __init__(self, games: BattleVectorEnv, arguments: dict[str, Any],
                 render_mode: str | None = None) -> None:
        self.observation_space = games.single_observation_space["observation"]
        self.action_space = gym.spaces.Discrete(N_MOVES)
        self.metadata = {**games.metadata, **METADATA}
        del self.metadata["autoreset_mode"]  # it never begins a game by itself
        self.render_mode, self.spec = render_mode, EnvSpec(ID, "hsevo:make_env", kwargs=arguments)
        self._games = games
        self._next: Array | None = None  # the first observation of the next game, if it has begun
        self._seen = np.zeros(self.observation_space.shape, np.int16)
        self._legal = np.zeros(N_MOVES, np.bool_)
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[Array, dict[str, Any]]:
        """Begin a game.

        Parameters
        ----------
        seed : int, optional
            Seed, 0 to 2**63 - 1. Default: the next game of the current series.
        options : dict, optional
            Must be empty.

        Returns
        -------
        tuple of ndarray and dict
            Observation and info.

        Raises
        ------
        ConfigError
            If an argument is invalid.
        """
        if self._next is None or seed is not None or options:
            self._next = self._games.reset(seed=seed, options=options)[0]["observation"][0]
        super().reset(seed=None if seed is None else index(seed))
        seen, self._next, self._over = self._next, None, False
        return self._show(seen), self._info()

    def step(self, action: Any) -> Step:
        """Make a move, then let the opponent move until it is the player's turn again.

        Parameters
        ----------
        action : int
            Number of a move, 0 to 3,661. `action_masks` has the legal moves.

        Returns
        -------
        tuple
            Observation, reward, terminated, truncated and info. An illegal action ends the game:
            the reward is -1, and info["illegal"] is True. A game that reaches a limit of the engine
            is truncated. At the end of a game, info["opponent"] is the name of the opponent.

        Raises
        ------
        GameError
            If the action is not the number of a move.
        gymnasium.error.ResetNeeded
            If the environment was not reset, or the game is over.
        """
        move = _number(action)
        if self._over:
            raise gym.error.ResetNeeded("step() was called before reset(); call reset() first")
        if not self._legal[move]:
            return self._forfeit()
        actions = actions_of([move], self._games.games)
        seen, rewards, ended, cut, infos = self._games.step(actions)
        shown, self._over = seen["observation"][0], bool(ended[0] or cut[0])
        met: dict[str, Any] = {}
        if self._over:
            self._next, shown = shown, infos["final_obs"][0]["observation"]
            met = {"opponent": infos["final_info"]["opponent"][0]}
        return (self._show(shown), float(rewards[0]), bool(ended[0]), bool(cut[0]),
                self._info() | met)

    def set_opponents(self, opponent: OpponentLike) -> None:
        """Change the opponents. The current game keeps its opponent.

        The next game draws from the new opponents, as in `hsevo.make_vec`.

        Parameters
        ----------
        opponent : agent or mapping of agents to weights
            Agent or opponent pool.

        Raises
        ------
        ConfigError
            If the opponents are invalid. Nothing is changed.
        AgentError
            If an agent is unknown, damaged or unable to play here.
        """
        self._games.set_opponents(opponent)
        self.metadata["opponent"] = self._games.metadata["opponent"]
        self.spec.kwargs["opponent"] = opponent
        if self._next is not None:  # the next game has begun, but nobody has seen it yet
            self._next = None  # if the opponent fails, the next reset begins it
            self._games.slots.take_back()
            self._next = self._games.reset()[0]["observation"][0]

    def action_masks(self) -> Array:
        """Return the legal actions.

        Returns
        -------
        ndarray of bool, shape (3662,)
            The mask. All False if the game is over.
        """
        return self._legal.copy()

    def render(self) -> str | None:
        """Return the board as text, as the player sees it.

        Returns
        -------
        str or None
            The text. None without render_mode="ansi".
        """
        return board_text(self._seen) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the threads."""
        self._games.close()

    def __copy__(self) -> SingleBattleEnv:
        """Return an independent copy."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {"_games": self._games, **vars(self)}  # the opponent first: it may refuse

    def _show(self, seen: Array) -> Array:
        """Return a copy of an observation, and update the legal actions."""
        self._seen = seen.copy()
        self._legal = np.zeros(N_MOVES, np.bool_)
        if not self._over:
            (self._legal,) = self._games.action_masks()
        return self._seen.copy()

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {"action_mask": self._legal.astype(np.int8), "illegal": illegal}

    def _forfeit(self) -> Step:
        self._over = True
        met = {"opponent": self._games.slots.names(self._games.slots.slots["opponent"])[0]}
        return self._show(self._seen), -1.0, True, False, self._info(illegal=True) | met


def _number(action: Any) -> int:
    """Return an action as an integer. Raises GameError if it is no number of a move."""
    try:
        move = index(action)
    except TypeError:
        move = -1
    if not 0 <= move < N_MOVES:
        raise GameError(f"action {action!r} is not the number of a move, a whole number from 0 to"
                        f" {N_MOVES - 1}")
    return move
