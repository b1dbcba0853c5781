"""One battle as an environment of Gymnasium with texts as observations and actions."""

from __future__ import annotations

import string
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import EnvSpec

from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards, ids
from hsevo.engine.view.show import move_text
from hsevo.engine.view.snapshot import snapshot
from hsevo.errors import GameError
from hsevo.learning.drawing import board_text
from hsevo.learning.opponents import OpponentLike
from hsevo.learning.single import METADATA, SingleBattleEnv
from hsevo.play.acts import Act
from hsevo.play.told import Known, Plain, plain_words, told, wrapped
from hsevo.play.view import own_texts, seen_acts, whole_view
from hsevo.registration import ID

MOST_TEXT, MOST_MOVE = 20_000, 300  # characters
_OUTCOMES = {1.0: "You won.", -1.0: "You lost.", 0.0: "The game ended without a winner."}
Step = tuple[str, float, bool, bool, dict[str, Any]]


class TextBattleEnv(gym.Env[str, str]):  # type: ignore[misc]
    """Play one battle at a time in words: the environment of `hsevo.make_env` with text=True.

    A copy, also by pickle, continues in the same way.

    Parameters
    ----------
    battle : SingleBattleEnv
        Environment that plays the games, with histories.
    arguments : dict
        Arguments as they were given.
    retries : int
        Number of illegal actions at each decision that only ask again.
    decks : sequence of Deck
        All decks, by number. Empty: the player does not see the opponent's deck list.

    Attributes
    ----------
    metadata : dict
        Settings in words.
    """

    metadata: dict[str, Any] = METADATA

    def __init__(self, battle: SingleBattleEnv, arguments: dict[str, Any], retries: int,
                 decks: Sequence[Deck] = ()) -> None:
        self._battle, self._slots, self._retries = battle, battle._games.slots, retries
        self._ruleset = self._slots.games.ruleset
        names = {letter for card in cards(self._ruleset).values() for letter in card.name}
        letters = frozenset({*string.printable, *names} - {*string.whitespace} | {" "})
        self.observation_space = gym.spaces.Text(MOST_TEXT, charset=letters | {"\n"})
        self.action_space = gym.spaces.Text(MOST_MOVE, charset=letters)
        self.metadata, self.render_mode = battle.metadata, battle.render_mode
        self.spec = EnvSpec(ID, "hsevo:make_env", kwargs=arguments)
        self._decks = decks
        self._now: Plain | None = None  # the view at this decision
        self._text, self._asked = "", 0
        self._moves: dict[str, int] = {}  # by their texts

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[str, dict[str, Any]]:
        """Begin a game.

        Parameters
        ----------
        seed : int, optional
            Seed, 0 to 2**63 - 1. Default: the next game of the current series.
        options : dict, optional
            Must be empty.

        Returns
        -------
        tuple of str and dict
            Observation and info.

        Raises
        ------
        ConfigError
            If an argument is invalid.
        """
        self._battle.reset(seed=seed, options=options)
        super().reset(seed=seed)
        self._now = None
        self._look()
        return self._text, self._info()

    def step(self, action: Any) -> Step:
        """Make a move, then let the opponent move until it is the player's turn again.

        Parameters
        ----------
        action : str
            Text of a legal move, as in info["moves"]. Case, spaces and a full stop at the end don't
            matter.

        Returns
        -------
        tuple
            Observation, reward, terminated, truncated and info. After an illegal action,
            info["illegal"] is True. The first `retries` illegal actions of a decision change
            nothing; the next one ends the game with the reward -1.

        Raises
        ------
        GameError
            If the action is no text.
        gymnasium.error.ResetNeeded
            If the environment was not reset, or the game is over.
        """
        if not isinstance(action, str):
            raise GameError(f"action {action!r} is no text; give the text of a legal move, such as"
                            " 'end the turn'")
        if self._battle._over:
            raise gym.error.ResetNeeded("step() was called before reset(); call reset() first")
        move = {plain_words(text): index for text, index in self._moves.items()}.get(
            plain_words(action))
        if move is None:
            return self._refused()
        board, reward, ended, cut, info = self._battle.step(move)
        if not (ended or cut):
            self._look()
        else:
            self._moves = {}
            lines = [_OUTCOMES[reward], *board_text(board).splitlines()]
            self._text = "\n".join(part for line in lines for part in wrapped(line))
        who = {name: info[name] for name in ("opponent",) if name in info}  # of a finished game
        return self._text, reward, ended, cut, self._info() | who

    def set_opponents(self, opponent: OpponentLike) -> None:
        """Change the opponents. The current game keeps its opponent.

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
        self._battle.set_opponents(opponent)
        self.spec.kwargs["opponent"] = opponent

    def render(self) -> str | None:
        """Return the current observation.

        Returns
        -------
        str or None
            The text. None without render_mode="ansi".
        """
        return self._text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the threads."""
        self._battle.close()

    def __copy__(self) -> TextBattleEnv:
        """Return an independent copy."""
        return deepcopy(self)

    def _refused(self) -> Step:
        """Ask again, or end the game."""
        self._asked += 1
        lost = self._asked > self._retries
        if lost:
            self._battle._forfeit()
            self._moves = {}
        return self._text, -1.0 if lost else 0.0, lost, False, self._info(illegal=True)

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {"moves": [*self._moves], "illegal": illegal}

    def _look(self) -> None:
        """Put the present decision into words."""
        before, self._asked = self._now, 0
        me, now = int(self._slots.slots["seat"][0]), snapshot(self._slots.states[0])
        texts = own_texts({move: move_text(now, move, self._ruleset)
                           for move in np.flatnonzero(self._battle._legal).tolist()})
        self._moves = {text: move for move, text in texts.items()}
        self._now = whole_view(self._slots.states, me, self._ruleset)
        self._text = told(Known(self._now, before, self._ruleset, self._acts(me),
                                self._played(1 - me), self._deck(1 - me)))

    def _acts(self, me: int) -> tuple[Act, ...]:
        """Return the acts of both players' last turns, as the player saw them."""
        acts = []
        for side in self._slots.pasts["side"][0]:
            ring, number = side["acts"], int(side["number"])
            acts += [Act(*map(int, ring[k % len(ring)]))
                     for k in range(max(number - len(ring), 0), number)]
        return seen_acts(acts, me, self._ruleset)

    def _played(self, foe: int) -> list[str | None]:
        """Return the last cards that the opponent played; None for a secret."""
        side, known, names = self._slots.pasts["side"][0, foe], cards(self._ruleset), ids(
            self._ruleset)
        ring, number = side["played"].tolist(), int(side["plays"])
        played = [names[ring[k % len(ring)]] for k in range(max(number - len(ring), 0), number)]
        return [None if known[id].secret else id for id in played]

    def _deck(self, foe: int) -> Deck | None:
        """Return the opponent's deck list if it is shown."""
        return self._slots.deck_of_only(foe) if self._decks else None
