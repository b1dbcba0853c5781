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
from hsevo.learning.opponents import OpponentLike, names_of
from hsevo.learning.slots import Slots, StepSeen
from hsevo.play.environment import FAULTED
from hsevo.play.games import GameBatch, seed_of
from hsevo.registration import ID
from hsevo.seeds import MOST_SEED, Stream, derive
from hsevo.types import Array

Observation = dict[str, Array]


def observation_space(history: bool = False) -> gym.spaces.Dict:
    """Return the space of observations and masks; history: of the second version."""
    return gym.spaces.Dict({
        "observation": seen_space(history),
        "what": gym.spaces.MultiBinary(WHATS),
        "at": gym.spaces.MultiBinary([WHATS, TARGETS]),
        "where": gym.spaces.MultiBinary([WHATS, PLACES])})


def seen_space(history: bool = False) -> gym.spaces.Box:
    """Return the space of an observation, (SIZE,), or (SIZE + HISTORY,) of the second version."""
    low, high = bounds()
    for block in list(blocks(history).values())[len(blocks()):]:
        low, high = np.append(low, block.low * block.rows), np.append(high, block.high * block.rows)
    return gym.spaces.Box(low.astype(np.int16), high.astype(np.int16), dtype=np.int16)


def action_space() -> gym.spaces.MultiDiscrete:
    """Return the space of an action: what, at, where."""
    return gym.spaces.MultiDiscrete([WHATS, TARGETS, PLACES])


class BattleVectorEnv(VectorEnv[Observation, Array, Array]):  # type: ignore[misc]
    """Play many battles at once: the environment of `hsevo.make_vec`.

    A copy, also by pickle, continues in the same way. `gymnasium.make_vec(spec)` makes the same
    environment again.

    Parameters
    ----------
    slots : Slots
        The games.
    seed : int
        Seed of the games.
    settings : dict
        Settings in words, for `metadata`.
    arguments : dict
        Arguments as they were given, for `spec`.
    """

    def __init__(self, slots: Slots, seed: int, settings: dict[str, Any],
                 arguments: dict[str, Any]) -> None:
        self.num_envs = len(slots.slots)
        self.single_observation_space = observation_space(settings["history"])
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": [], **settings}
        self.spec = EnvSpec(ID, vector_entry_point="hsevo:make_vec",
                            kwargs={**arguments, "num_envs": self.num_envs})
        self.slots, self._seed, self._begun = slots, seed, False
        self._whole = True  # no step was broken off in its middle

    @property
    def games(self) -> GameBatch:
        """The current games, which `step` changes."""
        return self.slots.games

    def __copy__(self) -> BattleVectorEnv:
        """Return an independent copy."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {"slots": self.slots, **vars(self)}  # the opponent first: it may refuse

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[Observation, dict[str, Any]]:
        """Begin new games.

        Parameters
        ----------
        seed : int, optional
            Seed of all games, 0 to 2**63 - 1. Each game has its own random stream. Default:
            continue the current series.
        options : dict, optional
            Must be empty.

        Returns
        -------
        tuple of Observation and dict
            Observations and infos.

        Raises
        ------
        ConfigError
            If an argument is invalid.
        """
        if options:
            raise ConfigError(f"options is {short(options)}, but a battle has no options; leave"
                              " them out")
        if seed is not None:
            seed = whole("seed", seed, 0, MOST_SEED)
        elif not self._begun:
            seed = self._seed
        self._whole = False
        seen = self.slots.begin(seed)
        self._begun = self._whole = True
        return _observation(seen), {"player": self._players()}

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Take an action in each game, and reset finished games in the same step.

        Parameters
        ----------
        actions : array_like of int, shape (num_envs, 3)
            Actions: what, at, where.

        Returns
        -------
        tuple
            Observations, rewards of the players that acted, terminations, truncations (games that
            reached a limit of the engine) and infos: `player` (to move), `rewards` (num_envs, 2) of
            both players, and `final_obs` and `final_info` of finished games. `final_info` has the
            `player` that acted last and, except in self-play, the name of the `opponent`.

        Raises
        ------
        GameError
            If an action is illegal. No game is then changed.
        """
        parts = _whole(actions, self.num_envs)
        if not self._begun:
            raise gym.error.ResetNeeded("step() was called before reset(); call reset() first")
        acted, met = self._players(), self.slots.slots["opponent"].copy()
        if not self._whole:
            raise gym.error.ResetNeeded("step() was called after an interrupted step; call reset()"
                                        " to begin new games")
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
            infos |= self._final(seen, ended, acted, met)
        rewards = seen.rewards[np.arange(self.num_envs), acted].astype(np.float64)
        truncated = seen.over == FAULTED
        return _observation(seen), rewards, ended & ~truncated, truncated, infos

    def set_opponents(self, opponent: OpponentLike) -> None:
        """Change the opponents. Games that have begun keep their opponent.

        The next game of each slot draws from the new opponents. The seed and the step of this call
        determine all games.

        Parameters
        ----------
        opponent : agent or mapping of agents to weights
            Agent or opponent pool, as in `hsevo.make_vec`.

        Raises
        ------
        ConfigError
            If the environment is for self-play, or the opponents are invalid. Nothing is changed.
        AgentError
            If an agent is unknown, damaged or unable to play here.
        """
        if self.metadata["opponent"] is None:
            raise ConfigError("this environment is for self-play, so it has no opponents to set;"
                              " make it with an opponent")
        pool = self.slots.read_opponents(opponent)
        self.slots.set_opponents(pool)
        self.metadata["opponent"] = names_of(opponent, pool)
        self.spec.kwargs["opponent"] = opponent

    def action_masks(self) -> Array:
        """Return the legal moves by number (engine.record.codec).

        `learning.actions_of(moves, env.games)` turns moves into actions.

        Returns
        -------
        ndarray of bool, shape (num_envs, 3662)
            The masks.
        """
        return self.slots.legal_moves()

    def sample(self, random: np.random.Generator | int) -> Array:
        """Return uniformly random legal actions.

        Parameters
        ----------
        random : numpy.random.Generator or int
            Generator, or seed (not negative).

        Returns
        -------
        ndarray of int64, shape (num_envs, 3)
            The actions.
        """
        if isinstance(random, np.random.Generator):
            return self.slots.sample(random.integers(2**64, size=self.num_envs, dtype=np.uint64))
        key = (seed_of(random), Stream.SAMPLE)
        return self.slots.sample(derive(key, np.arange(self.num_envs)))

    def close_extras(self, **_: Any) -> None:
        """Stop the threads.

        Parameters
        ----------
        **_
            Ignored.
        """
        self.slots.close()

    def _players(self) -> Array:
        return self.slots.states["me"].astype(np.int64)

    def _final(self, seen: StepSeen, ended: Array, acted: Array, met: Array) -> dict[str, Any]:
        """Return the last observations and infos of games that ended. met: their opponents."""
        final = np.full(len(ended), None, object)
        nothing = {name: np.zeros_like(getattr(seen, name)[0]) for name in ("what", "at", "where")}
        which = np.flatnonzero(ended)
        for i, last in zip(which, seen.last[which], strict=True):
            final[i] = {"observation": last, **nothing}
        info = {"player": acted, "_player": ended}
        if self.metadata["opponent"] is not None:
            names = np.full(len(ended), None, object)
            names[which] = self.slots.names(met[which])
            info |= {"opponent": names, "_opponent": ended}
        return {"final_obs": final, "_final_obs": ended, "final_info": info, "_final_info": ended}


def _observation(seen: StepSeen) -> Observation:
    return {"observation": seen.observations, "what": seen.what, "at": seen.at,
            "where": seen.where}


def _whole(actions: Any, n: int) -> Array:
    """Return actions as int64 (n, 3). Raises ValueError."""
    parts = np.asarray(actions)
    if parts.shape != (n, 3) or parts.dtype.kind not in "iu":
        raise ValueError(f"actions has shape {parts.shape} and type {parts.dtype}, but must be"
                         f" whole numbers ({n}, 3): what, at, where")
    return parts.astype(np.int64)
