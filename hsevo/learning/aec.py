"""A battle as an environment of PettingZoo: two agents that move in turn (AEC)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium as gym
import numpy as np
from pettingzoo import AECEnv

from hsevo.config import whole
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.record.state import DECK, RUNNING, WIN_0, WIN_1
from hsevo.engine.view.observe import ENEMY_DECK_AT
from hsevo.errors import GameError
from hsevo.learning.batch import History, observe
from hsevo.learning.dealing import DeckSource
from hsevo.learning.drawing import board_text
from hsevo.learning.slots import deck_lists
from hsevo.learning.vector import seen_space
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting
from hsevo.seeds import MOST_SEED, Stream, derive
from hsevo.types import Array

AGENTS = ("player_0", "player_1")
METADATA = {"name": "hsevo_battle_v0", "render_modes": ["ansi"], "is_parallelizable": False}


class BattleEnv(AECEnv[str, Any, int]):  # type: ignore[misc]
    """Play one battle of two agents: the environment of `hsevo.aec_env`.

    An action is the number of a move (engine.record.codec). info["action_mask"] has the legal
    actions.

    Parameters
    ----------
    decks : sequence of DeckSource
        Decks of player_0 and player_1.
    seed : int
        Seed of the games.
    setting : Setting
        Rules of the games.
    known : bool
        Whether observations show the opponent's deck list.
    history : bool, default False
        Whether observations include the history of the game.
    render_mode : {"ansi"}, optional
        "ansi": `render` returns the board as text.
    dict_observations : bool, default False
        Whether observations are mappings of "observation" and "action_mask".

    Attributes
    ----------
    game : GameBatch
        The game, as a batch of one.
    metadata : dict
        Settings in words.
    """

    metadata: dict[str, Any] = METADATA

    def __init__(self, decks: Sequence[DeckSource], seed: int, setting: Setting,
                 known: bool, history: bool = False, render_mode: str | None = None,
                 dict_observations: bool = False) -> None:
        self.possible_agents = [*AGENTS]
        self.metadata = {**METADATA, "opponent_deck": "known" if known else "hidden",
                         "history": history, "all_places": setting.all_places is True}
        self._with_mask = dict_observations
        space: Any = seen_space(history)
        if dict_observations:
            space = gym.spaces.Dict({
                "observation": space,
                "action_mask": gym.spaces.Box(0, 1, (N_MOVES,), np.int8)})
        self.observation_spaces = {name: deepcopy(space) for name in AGENTS}
        self.action_spaces = {name: gym.spaces.Discrete(N_MOVES) for name in AGENTS}
        self._decks, self._setting, self._known = decks, setting, known
        self._seed, self._played = seed, 0
        self._has_history = history
        self.render_mode = render_mode
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        """Return the space of an agent's observations.

        Parameters
        ----------
        agent : str
            Name of the agent.

        Returns
        -------
        gymnasium.Space
            The space.
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        """Return the space of moves.

        Parameters
        ----------
        agent : str
            Name of the agent.

        Returns
        -------
        gymnasium.Space
            The space.
        """
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Parameters
        ----------
        seed : int, optional
            Seed, 0 to 2**63 - 1. Default: continue the current series.
        options : dict, optional
            Ignored.

        Raises
        ------
        ConfigError
            If the seed is invalid.
        """
        del options
        if seed is not None:
            self._seed, self._played = whole("seed", seed, 0, MOST_SEED), 0
        numbers = derive((self._seed, Stream.ENVIRONMENT, self._played), np.arange(3))
        self._played += 1
        self._dealt = [
            source.drawn(player, numbers[1 + player:2 + player])[0] if source.draws else
            source.decks[int(numbers[1 + player]) % len(source.decks)]
            for player, source in enumerate(self._decks)]
        deck_0, deck_1 = self._dealt
        self.game = GameBatch.under(self._setting, deck_0, deck_1, numbers[:1])
        self._history = History(self.game) if self._has_history else None
        self.agents = [*AGENTS]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._select()

    def observe(self, agent: str) -> Any:
        """Return the observation of an agent.

        An agent that is not to move sees the moves that the other agent has made in its turn so
        far.

        Parameters
        ----------
        agent : str
            Name of the agent.

        Returns
        -------
        ndarray of int16, shape (1055,) or (1235,), or dict
            The observation. The longer one has a history. A dict has it as "observation", and as
            "action_mask" the legal moves of the agent, int8 (3662,).
        """
        seen = self._observed(agent)
        if self._with_mask:
            return {"observation": seen, "action_mask": self.infos[agent]["action_mask"].copy()}
        return seen

    def _observed(self, agent: str) -> Array:
        """Return the array of an observation."""
        player = AGENTS.index(agent)
        seen = observe(self.game, player, self._history)[0]
        if self._known:
            lists = deck_lists((self._dealt[1 - player],), self._setting.ruleset)
            seen[:, ENEMY_DECK_AT:ENEMY_DECK_AT + DECK] = lists
        observation: Array = seen[0]
        return observation

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is.

        Parameters
        ----------
        action : int or None
            Number of the move. None once the game is over.

        Raises
        ------
        GameError
            If the move is illegal. The game is then unchanged.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise GameError(f"the move of {agent} is None, but its game is not over")
        (self._history or self.game).step(np.array([action]))
        self._cumulative_rewards[agent] = 0.0
        result = int(self.game.results[0])
        won = float(result == WIN_0) - float(result == WIN_1)
        self.rewards = {AGENTS[0]: won, AGENTS[1]: -won}
        self.terminations = dict.fromkeys(AGENTS, result != RUNNING)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the board as text, as the agent to move sees it.

        Returns
        -------
        str or None
            The text. None without render_mode="ansi".
        """
        return board_text(self._observed(self.agent_selection)) if self.render_mode else None

    def __copy__(self) -> BattleEnv:
        """Return an independent copy."""
        return deepcopy(self)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _select(self) -> None:
        """Let the player to move act next, and tell both what they may do: the other one nothing.
        """
        legal = self.game.legal_moves().astype(np.int8)
        self.agent_selection = AGENTS[int(self.game.players[0])]
        self.infos = {name: {
            "action_mask": legal[0] if name == self.agent_selection else np.zeros(N_MOVES, np.int8),
            "opponent_deck": self.metadata["opponent_deck"]} for name in AGENTS}
