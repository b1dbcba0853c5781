"""Agents at one game: the move that an agent would make, its scores, and agents in their seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from hsevo.agents.registry import weighs_replies
from hsevo.agents.shared.agent import MCTS
from hsevo.agents.shared.scratch import LEVELS
from hsevo.engine.record.codec import Action, decode
from hsevo.engine.view.snapshot import GameSnapshot, snapshot
from hsevo.errors import GameError
from hsevo.play import players as hosted
from hsevo.play.arguments import one_agent
from hsevo.play.events import Event
from hsevo.play.game_state import GameState
from hsevo.play.hosting import Bots
from hsevo.play.match import PAIRING, Setting, Table
from hsevo.play.moves import Move
from hsevo.types import Array

INFINITE = 1e300  # a score that stands for infinity


@dataclass(frozen=True, eq=False)
class Seat:
    """Hold a player: an agent, AGENT (1,), or None for a player that moves through Python."""

    name: str
    agent: Array | None = None


class _Answer(NamedTuple):
    """The answer of an agent: its move, where it left the stream of look-aheads, its tree's table.
    """

    move: int
    stream: int
    table: Table | None  # None: it has no tree


class AskedGame(GameState):
    """A game of which agents are asked for moves; `Session` is the only one."""

    players: tuple[Seat, Seat]
    setting: Setting
    seed: int
    _seated: Array
    _bots: Bots
    _answer: _Answer | None = None  # to the last question at this position
    _scores: dict[int, float]

    @cached_property
    def _table(self) -> Table:
        """The table at which agents decide and events are recorded; its game is for that alone."""
        table = Table(self._seated, self.setting)
        table.deal(np.array([(0, 1, 0, 1, 1, self.seed)], PAIRING)[0], 0, begin=False)
        return table

    @cached_property
    def _now(self) -> GameSnapshot:
        return snapshot(self._state[0])

    def ask(self, agent: Array | Seat | None = None) -> Move:
        """Return the move of an agent, without changing the game.

        The agent makes the same move in a match. Afterwards `scores` has the agent's scores of the
        moves.

        Parameters
        ----------
        agent : ndarray of AGENT or Seat, optional
            The agent. Default: the agent of the player to move.

        Returns
        -------
        Move
            The move.

        Raises
        ------
        GameError
            If the game is over, or there is no agent.
        """
        if self.over:
            raise GameError("the game is over, so there is no move to ask for")
        seat = self.players[self.player].agent
        guest = agent.agent if isinstance(agent, Seat) else agent
        who = seat if guest is None else guest
        if who is None:
            raise GameError(f"player {self.player}, whose turn it is, has no agent; name an agent:"
                            " game.ask(agent)")
        who = one_agent(who)
        if hosted.among(who):
            self._tell()
            state = self.states()
            index, self._answer = self._bots.act(who, state), None
            self._scores = self._bots.chances(who, state)
            return self._legal(index)
        self._table.game = self._state[0]
        table = self._table.copy(None if guest is None and not self._is_batched() else who)
        index, scores = table.think()
        self._answer = _Answer(index, int(table.game.lookahead_rng),
                               table if self._keeps_tree_of(table) else None)
        self._scores = {move: _score(score) for move, score in scores.items()
                        if score != -INFINITE or not self._is_untried(move, table)}
        return self._legal(index)

    @property
    def scores(self) -> dict[int, float]:
        """Scores of the agent that was asked last, by `Move.index`. {} if it has none.

        An infinite score means that the move wins or loses. Scores of a learned policy (rl:RUN) are
        its estimates of the win probability after the move, 0 to 1. With a temperature, and for an
        end-to-end policy, they are the probabilities of selecting the move. Moves that the agent
        did not try have no score: all but the last of equal cards in hand, or end-of-turn moves
        without a simulated reply.
        """
        return dict(self._scores)

    def step(self) -> Move:
        """Let the agent of the player to move make its move.

        Returns
        -------
        Move
            The move.

        Raises
        ------
        GameError
            If the game is over, or the player has no agent.
        """
        move = self.ask()
        self.play(move)
        return move

    def run(self) -> None:
        """Let agents move until a player without an agent is to move, or the game is over."""
        while not self.over and self.players[self.player].agent is not None:
            self.step()

    def _taken(self, action: int) -> int:
        """Return where the stream of look-aheads continues after a move.

        If the move is the answer of an agent, that is where the agent has left it, and its search
        tree is kept.
        """
        answer = self._answer
        if answer is None or answer.move != action:
            return int(self._state["lookahead_rng"][0])
        if answer.table is not None:
            self._table.adopt_search_tree(answer.table)
        return answer.stream

    def _keeps_tree_of(self, table: Table) -> bool:
        """Return whether a table that has decided has a search tree that the game can take over."""
        return table.has_tree and len(table.agents) == len(self._table.agents)

    def _is_batched(self) -> bool:
        """Return whether matches of these players play in batches, without trees that are kept."""
        seated = [seat.agent for seat in self.players if seat.agent is not None]
        return any(family.BATCHED for agent in seated for family in hosted.families(agent).values())

    def _is_untried(self, move: int, table: Table) -> bool:
        """Return whether the lowest score means that an agent did not try a move."""
        parts, hand = decode(move), self._now.hand(self.player)
        equal = parts.action is Action.PLAY and hand[parts.hand] in hand[parts.hand + 1:]
        return (equal or bool((table.agents.kind == MCTS).any())
                or any(map(weighs_replies, table.agents)))

    def play(self, move: Move | int) -> tuple[Event, ...]:
        """Make a legal move, as `Session.play`."""
        raise NotImplementedError

    def _legal(self, move: Move | int) -> Move:
        raise NotImplementedError

    def _tell(self) -> None:
        raise NotImplementedError


def _score(score: float) -> float:
    won = abs(score) >= INFINITE / LEVELS  # a search prefers the shorter way to a win
    return float(np.copysign(np.inf, score)) if won else score
