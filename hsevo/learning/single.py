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
from hsevo.learning.vector import BattleVectorEnv
from hsevo.registration import ID
from hsevo.types import Array

Step = tuple[Array, float, bool, bool, dict[str, Any]]
METADATA = {"render_modes": ["ansi"], "render_fps": 1}


class SingleBattleEnv(gym.Env[Array, int]):  # type: ignore[misc]
    """One battle at a time: `hsevo.make_env` makes it, and says what its arguments mean.

    games: a vector environment of one game, whose games these are, one after the other. `metadata`
    has the settings in words. A copy, also by pickle, goes on as this does.
    """

    metadata: dict[str, Any] = METADATA

    def __init__(self, games: BattleVectorEnv, given: dict[str, Any],
                 render_mode: str | None = None) -> None:
        self.observation_space = games.single_observation_space["observation"]
        self.action_space = gym.spaces.Discrete(N_MOVES)
        self.metadata = {**games.metadata, **METADATA}
        del self.metadata["autoreset_mode"]  # it never begins a game by itself
        self.render_mode, self.spec = render_mode, EnvSpec(ID, "hsevo:make_env", kwargs=given)
        self._games = games
        self._next: Array | None = None  # the first observation of the next game, if it has begun
        self._seen = np.zeros(self.observation_space.shape, np.int16)
        self._legal = np.zeros(N_MOVES, np.bool_)
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[Array, dict[str, Any]]:
        """Begin a game. seed: 0 to MOST_SEED; None: the next game of the series of the last one.

        There are no options. Raises ConfigError.
        """
        if self._next is None or seed is not None or options:
            self._next = self._games.reset(seed=seed, options=options)[0]["observation"][0]
        super().reset(seed=None if seed is None else index(seed))
        seen, self._next, self._over = self._next, None, False
        return self._show(seen), self._info()

    def step(self, action: Any) -> Step:
        """Make a move; then the opponent moves until it is the player's turn again.

        action: 0 to 3,661, legal where `action_masks` is True. An illegal one loses the game at
        once: the reward is -1, the episode has terminated, info["illegal"] is True. Truncated is a
        game that was stopped at a limit of the engine, which no game should reach. Raises GameError
        if it is no number of a move, ResetNeeded before `reset` and after the end.
        """
        move = _number(action)
        if self._over:
            raise gym.error.ResetNeeded("step() before reset(), which begins a game")
        if not self._legal[move]:
            return self._forfeit()
        actions = actions_of([move], self._games.games)
        seen, rewards, ended, cut, infos = self._games.step(actions)
        shown, self._over = seen["observation"][0], bool(ended[0] or cut[0])
        if self._over:
            self._next, shown = shown, infos["final_obs"][0]["observation"]
        return (self._show(shown), float(rewards[0]), bool(ended[0]), bool(cut[0]), self._info())

    def action_masks(self) -> Array:
        """Return which actions are legal, bool (3662,); none is once the game is over."""
        return self._legal.copy()

    def render(self) -> str | None:
        """Return the board as text, as the player sees it; None without render_mode="ansi"."""
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
        """Return a copy of an observation, and look up what is legal now."""
        self._seen = seen.copy()
        self._legal = np.zeros(N_MOVES, np.bool_)
        if not self._over:
            (self._legal,) = self._games.action_masks()
        return self._seen.copy()

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {"action_mask": self._legal.astype(np.int8), "illegal": illegal}

    def _forfeit(self) -> Step:
        self._over = True
        return self._show(self._seen), -1.0, True, False, self._info(illegal=True)


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
