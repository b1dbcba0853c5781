"""A battle as an environment of PettingZoo: two agents that move in turn (AEC)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium as gym
import numpy as np
from pettingzoo import AECEnv

from hsevo.cards.decks import Deck
from hsevo.config import whole
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.record.state import DECK, RUNNING, WIN_0, WIN_1
from hsevo.engine.view.observe import ENEMY_DECK_AT
from hsevo.errors import GameError
from hsevo.learning.batch import History, observe
from hsevo.learning.drawing import board_text
from hsevo.learning.slots import deck_lists
from hsevo.learning.vector import seen_space
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting
from hsevo.seeds import MOST_SEED, Stream, derive
from hsevo.types import Array

AGENTS = ("player_0", "player_1")
METADATA = {"name": "hsevo_battle_v0", "render_modes": ["ansi"], "is_parallelizable": False}


class BattleEnv(AECEnv[str, Array, int]):  # type: ignore[misc]
    """One battle of two agents: `hsevo.aec_env` makes it, and says what its arguments mean.

    An action is the number of a move (engine.record.codec), which info["action_mask"] tells legal.
    `game` is the game itself, as `play.games.GameBatch` of one.
    """

    metadata: dict[str, Any] = METADATA

    def __init__(self, decks: Sequence[Sequence[Deck]], seed: int, setting: Setting,
                 known: bool, history: bool = False, render_mode: str | None = None) -> None:
        self.possible_agents = [*AGENTS]
        self.metadata = {**METADATA, "opponent_deck": "known" if known else "hidden",
                         "history": history, "all_places": setting.all_places is True}
        self.observation_spaces = {name: seen_space(history) for name in AGENTS}
        self.action_spaces = {name: gym.spaces.Discrete(N_MOVES) for name in AGENTS}
        self._decks, self._setting, self._known = decks, setting, known
        self._seed, self._played = seed, 0
        self._has_history = history
        self.render_mode = render_mode
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        """Return the space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        """Return the space of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. seed: 0 to MOST_SEED; None: go on with the series of the last one.

        There are no options; PettingZoo wants any to be taken. Raises ConfigError.
        """
        del options
        if seed is not None:
            self._seed, self._played = whole("seed", seed, 0, MOST_SEED), 0
        numbers = derive((self._seed, Stream.ENVIRONMENT, self._played), np.arange(3))
        self._played += 1
        self._dealt = [decks[int(k) % len(decks)]
                       for decks, k in zip(self._decks, numbers[1:], strict=True)]
        deck_0, deck_1 = self._dealt
        self.game = GameBatch.under(self._setting, deck_0, deck_1, numbers[:1])
        self._history = History(self.game) if self._has_history else None
        self.agents = [*AGENTS]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._select()

    def observe(self, agent: str) -> Array:
        """Return what an agent sees, int16 (967,), or (1147,) with a history.

        An agent that is not to move sees what the other one has done in its turn so far.
        """
        player = AGENTS.index(agent)
        seen = observe(self.game, player, self._history)[0]
        if self._known:
            lists = deck_lists((self._dealt[1 - player],), self._setting.ruleset)
            seen[:, ENEMY_DECK_AT:ENEMY_DECK_AT + DECK] = lists
        found: Array = seen[0]
        return found

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is; None once the game is over.

        Raises GameError if the move is illegal; then the game has not changed.
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
        """Return the board as text, as the agent to move sees it; None without render_mode="ansi".
        """
        return board_text(self.observe(self.agent_selection)) if self.render_mode else None

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
