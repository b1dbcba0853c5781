"""Battles as a vector environment of Gymnasium."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from hsevo.config import short, whole
from hsevo.engine.record.codec import PLACES, TARGETS
from hsevo.engine.view.actions import WHATS
from hsevo.errors import ConfigError, GameError
from hsevo.learning.layouts import blocks, bounds
from hsevo.learning.slots import Slots, StepSeen
from hsevo.play.environment import FAULTED
from hsevo.play.games import GameBatch, seed_of
from hsevo.registration import ID
from hsevo.seeds import MOST_SEED, Stream, derive
from hsevo.types import Array

Observation = dict[str, Array]


def observation_space(history: bool = False) -> gym.spaces.Dict:
    """Return the space of what one player sees and may do; history: of the second version."""
    return gym.spaces.Dict({
        "observation": seen_space(history),
        "what": gym.spaces.MultiBinary(WHATS),
        "at": gym.spaces.MultiBinary([WHATS, TARGETS]),
        "where": gym.spaces.MultiBinary([WHATS, PLACES])})


def seen_space(history: bool = False) -> gym.spaces.Box:
    """Return the space of an observation, (SIZE,), or (SIZE + HISTORY,) of the second version."""
    low, high = bounds()
    for one in list(blocks(history).values())[len(blocks()):]:
        low, high = np.append(low, one.low * one.rows), np.append(high, one.high * one.rows)
    return gym.spaces.Box(low.astype(np.int16), high.astype(np.int16), dtype=np.int16)


def action_space() -> gym.spaces.MultiDiscrete:
    """Return the space of an action: what, at, where."""
    return gym.spaces.MultiDiscrete([WHATS, TARGETS, PLACES])


class BattleVectorEnv(VectorEnv[Observation, Array, Array]):  # type: ignore[misc]
    """Many battles at once: `hsevo.make_vec` makes it, and says what its arguments mean.

    `slots` step the games. `metadata` has the settings in words; `spec`, arguments as they were
    `given`: gymnasium.make_vec(spec) makes the same environment again. A copy, also by pickle, goes
    on as this one does.
    """

    def __init__(self, slots: Slots, seed: int, settings: dict[str, Any],
                 given: dict[str, Any]) -> None:
        self.num_envs = len(slots.slots)
        self.single_observation_space = observation_space(settings["history"])
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": [], **settings}
        self.spec = EnvSpec(ID, vector_entry_point="hsevo:make_vec",
                            kwargs={**given, "num_envs": self.num_envs})
        self.slots, self._seed, self._begun = slots, seed, False
        self._whole = True  # no step was broken off in its middle
        self._opponent = settings["opponent"] is not None

    @property
    def games(self) -> GameBatch:
        """The games that are being played, which `step` changes."""
        return self.slots.games

    def __copy__(self) -> BattleVectorEnv:
        """Return an independent copy."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {"slots": self.slots, **vars(self)}  # the opponent first: it may refuse

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[Observation, dict[str, Any]]:
        """Begin new games. seed: 0 to MOST_SEED; None: go on with the series of the last one.

        One seed is for all games, each of which has its own stream: there are no lists of seeds.
        There are no options. Raises ConfigError.
        """
        if options:
            raise ConfigError(f"options is {short(options)}, but a battle has none; leave them out")
        if seed is not None:
            seed = whole("seed", seed, 0, MOST_SEED)
        elif not self._begun:
            seed = self._seed
        self._begun = self._whole = True
        seen = self.slots.begin(seed)
        return _observation(seen), {"player": self._players()}

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Take an action, (num_envs, 3), in each game; games that end begin anew in the same step.

        Returns observations, rewards of the players that acted, terminations, truncations (a game
        stopped at a limit of the engine, which no legal game should reach), and infos: player,
        who is to move now; rewards (num_envs, 2) of both players; final_obs and final_info where
        a game ended. Raises GameError if an action is illegal; then no game has changed.
        """
        parts = _whole(actions, self.num_envs)
        if not self._begun:
            raise gym.error.ResetNeeded("step() before reset(), which begins the games")
        acted = self._players()
        if not self._whole:
            raise gym.error.ResetNeeded("step() after one that was broken off; reset() begins new"
                                        " games")
        try:
            seen = self.slots.step(parts)
        except GameError:  # of an illegal action, before any game has changed
            raise
        except BaseException:
            self._whole = False
            raise
        ended = seen.over != 0
        infos = {"player": self._players(), "rewards": seen.rewards}
        if ended.any():
            infos |= _final(seen, ended, acted)
        rewards = seen.rewards[np.arange(self.num_envs), acted].astype(np.float64)
        truncated = seen.over == FAULTED
        return _observation(seen), rewards, ended & ~truncated, truncated, infos

    def action_masks(self) -> Array:
        """Return which moves are legal, bool (num_envs, 3662), by number (engine.record.codec).

        `learning.actions_of(moves, env.games)` makes actions of moves.
        """
        return self.slots.legal_moves()

    def sample(self, random: np.random.Generator | int) -> Array:
        """Return uniformly random legal actions, int64 (num_envs, 3).

        random: a generator, or the seed of one (>= 0).
        """
        if isinstance(random, np.random.Generator):
            return self.slots.sample(random.integers(2**64, size=self.num_envs, dtype=np.uint64))
        key = (seed_of(random), Stream.SAMPLE)
        return self.slots.sample(derive(key, np.arange(self.num_envs)))

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self.slots.close()

    def _players(self) -> Array:
        return self.slots.states["me"].astype(np.int64)


def _observation(seen: StepSeen) -> Observation:
    return {"observation": seen.observations, "what": seen.what, "at": seen.at,
            "where": seen.where}


def _final(seen: StepSeen, ended: Array, acted: Array) -> dict[str, Any]:
    """Return the last observations of games that ended, in which nothing may be done."""
    final = np.full(len(ended), None, object)
    nothing = {name: np.zeros_like(getattr(seen, name)[0]) for name in ("what", "at", "where")}
    which = np.flatnonzero(ended)
    for i, last in zip(which, seen.last[which], strict=True):
        final[i] = {"observation": last, **nothing}
    return {"final_obs": final, "_final_obs": ended,
            "final_info": {"player": acted, "_player": ended}, "_final_info": ended}


def _whole(actions: Any, n: int) -> Array:
    """Return actions as int64 (n, 3). Raises ValueError."""
    parts = np.asarray(actions)
    if parts.shape != (n, 3) or parts.dtype.kind not in "iu":
        raise ValueError(f"actions has shape {parts.shape} and type {parts.dtype}, but must be"
                         f" whole numbers ({n}, 3): what, at, where")
    return parts.astype(np.int64)
