"""Battles as a VecEnv of Stable-Baselines3, with the masks that MaskablePPO asks for.

Stable-Baselines3 has vector environments of its own, and takes none of Gymnasium's.
"""

from __future__ import annotations

from copy import deepcopy
from inspect import getmembers
from typing import Any

import gymnasium as gym
import numpy as np
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

from hsevo.engine.record.codec import N_MOVES
from hsevo.learning.batch import actions_of
from hsevo.learning.opponents import OpponentLike
from hsevo.learning.vector import BattleVectorEnv
from hsevo.types import Array

MASKS = "action_masks"  # what sb3-contrib calls
_MEMBERS = "class_attributes"  # of VecEnvWrapper: those of its class, which can't be copied


class BattleVecEnv(VecEnv):  # type: ignore[misc]
    """Many battles at once: `hsevo.make_sb3` makes it, and says what its arguments mean.

    games: the same battles as a vector environment of Gymnasium.
    """

    def __init__(self, games: BattleVectorEnv) -> None:
        self.games, self._moves = games, np.zeros(games.num_envs, np.int64)
        super().__init__(games.num_envs, games.single_observation_space["observation"],
                         gym.spaces.Discrete(N_MOVES))

    def reset(self) -> Array:
        """Begin new games, with the seed that `seed` was given, if it was; return observations."""
        seed = self._seeds[0]
        self._reset_seeds()
        seen: Array = self.games.reset(seed=seed)[0]["observation"]
        return seen

    def step_async(self, actions: Array) -> None:
        """Remember the moves to make, (num_envs,)."""
        self._moves = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Make the moves; return observations, rewards, which games ended, and infos.

        An info has "terminal_observation" where a game ended, the name of its "opponent", and
        "TimeLimit.truncated" if it was stopped at a limit of the engine. Raises GameError if a
        move is illegal; then no game has changed.
        """
        actions = actions_of(self._moves, self.games.games)
        seen, rewards, ended, cut, last = self.games.step(actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ended | cut):
            infos[i] = {"terminal_observation": last["final_obs"][i]["observation"],
                        "TimeLimit.truncated": bool(cut[i]),
                        "opponent": last["final_info"]["opponent"][i]}
        return seen["observation"], rewards.astype(np.float32), ended | cut, infos

    def action_masks(self) -> Array:
        """Return which moves are legal, bool (num_envs, 3662)."""
        return self.games.action_masks()

    def set_opponents(self, opponent: OpponentLike) -> None:
        """Change the opponents of coming games, as `BattleVectorEnv.set_opponents`."""
        self.games.set_opponents(opponent)

    def close(self) -> None:
        """End the threads."""
        self.games.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute, which all games share, once for each. Raises AttributeError."""
        attribute = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [attribute for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: games have no attributes of their own. Raises AttributeError."""
        raise AttributeError(f"the battles have no attribute {attr_name} to set")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None,
                   **method_kwargs: Any) -> list[Any]:
        """Return the masks of games, the only method that they have. Raises AttributeError."""
        if method_name != MASKS:
            raise AttributeError(f"the battles have no method {method_name}, only {MASKS}")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return that no game is wrapped."""
        return [False for _ in self._get_indices(indices)]


class MonitoredEnv(VecMonitor):  # type: ignore[misc]
    """Battles whose infos have the lengths and rewards of episodes.

    A copy, also by pickle, goes on as this one does.
    """

    def __copy__(self) -> MonitoredEnv:
        """Return an independent copy."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != _MEMBERS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {_MEMBERS: dict(getmembers(type(self)))})


def monitored(games: BattleVectorEnv) -> VecEnv:
    """Return games as a VecEnv whose infos have the lengths and rewards of episodes."""
    return MonitoredEnv(BattleVecEnv(games))
