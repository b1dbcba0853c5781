"""A learner of a policy and its opponents: it learns a period, is measured, and plays its pool.

A policy is what a checkpoint keeps: a net, or a network of PyTorch. Each has a trainer of its own,
learning/train.py and learning/end_to_end/train.py; experiments/experiment.py takes their steps, and
verify.py takes them again.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar

import pandas as pd

from hsevo.cards.deck_pool import DeckDraws
from hsevo.learning.folder import LearnedPeriod, LearningRun, period_name
from hsevo.learning.measures import HELD_OUT, MeasuredGames, due, measured, payoffs
from hsevo.play import match
from hsevo.play.workers import Executor, OnGames
from hsevo.types import Array

P = TypeVar("P")


class Trainer(ABC, Generic[P]):
    """A learner of policies P and its opponents, from the last committed period on.

    Use it in a `with`, which ends the learner's threads.
    """

    def __init__(self, run: LearningRun, executor: Executor, threads: int, on_games: OnGames,
                 anew: bool = False) -> None:
        """Take up what the run has committed. anew: begin as a new run does.

        threads: of the learner; no result depends on them. on_games: called with the number of
        games just finished.
        """
        self.run, self.plan, self.executor, self.on_games = run, run.plan, executor, on_games
        self.pool: list[int] = []  # the periods after which the learner joined
        shares = run.plan.shares  # of decks that are drawn for each game
        self.draws = DeckDraws(shares, run.plan.ruleset, run.decks) if shares else None
        self._begin(threads)
        if not anew and (state := run.committed):
            self._restore(state)

    @abstractmethod
    def _begin(self, threads: int) -> None:
        """Make a learner that has learned nothing."""

    @abstractmethod
    def _restore(self, state: Mapping[str, Any]) -> None:
        """Take up a committed state. Raises RunError if it is not one of this learner's."""

    @abstractmethod
    def learn_period(self, number: int) -> tuple[dict[str, Any], P]:
        """Play and learn one period; return its line of learning.csv, and the policy then."""

    @abstractmethod
    def _to_store(self, policy: P) -> tuple[bytes, dict[str, Any], dict[str, Array]]:
        """Return what is committed of a period: its checkpoint, the state, plain and as arrays."""

    @abstractmethod
    def _players(self, policies: Sequence[P], names: Sequence[str] = ()) -> Any:
        """Return who plays in measurements: policies at their best, and agents of the plan."""

    @abstractmethod
    def _play(self, rows: Array, players: Any, setting: match.Setting) -> tuple[Array, Array]:
        """Play rows of match.PAIRING; return rows and results."""

    @staticmethod
    @abstractmethod
    def read_policy(run: LearningRun, name: str) -> Any:
        """Return the policy of a checkpoint. Raises AgentError, RunError."""

    @staticmethod
    @abstractmethod
    def same(first: Any, second: Any) -> bool:
        """Return whether two policies are bit-identical."""

    @staticmethod
    @abstractmethod
    def state_problem(run: LearningRun, last: Any) -> str:
        """Return what is wrong with the learner's state, against the last policy; "" if nothing."""

    @staticmethod
    def may_differ(run: LearningRun) -> str:
        """Return why games can come out otherwise here, in words; "" if they can't."""
        return ""

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def __exit__(self, *error: object) -> None:
        """End the learner's threads."""

    def period(self, number: int) -> LearnedPeriod:
        """Play, learn and measure one period; it counts once the folder has it."""
        begun = time.process_time()
        line, policy = self.learn_period(number)
        seconds = time.process_time() - begun
        table = self.measure(number, policy) if due(self.plan, number) else None
        return LearnedPeriod(line, seconds, table, *self._to_store(policy))

    def repeats(self, policy: P, name: str) -> bool:
        """Return whether a checkpoint is, bit by bit, what this learner has just learned."""
        return self.same(policy, self.read_policy(self.run, name))

    def measure(self, number: int, policy: P) -> pd.DataFrame:
        """Play a policy against every reference opponent; return lines of references.csv."""
        return measured(self.plan, number, lambda games, name: self._play(
            games.rows, self._players([policy], [name]), self._setting_of(games)))

    def payoff(self) -> pd.DataFrame:
        """Return the results of all checkpoints against all, each pair once."""
        names = [period_name(period) for period in range(self.plan.periods)]
        players = self._players([self.read_policy(self.run, name) for name in names])
        return payoffs(self.plan, names, lambda games: self._play(
            games.rows, players, self._setting_of(games)))

    def _setting_of(self, games: MeasuredGames) -> match.Setting:
        """Return the setting of measurements; decks that are drawn are of lists held out."""
        return self.setting(games.key, games.drawn, HELD_OUT)

    def setting(self, key: Sequence[int], n: int, side: str = "known") -> match.Setting:
        """Return the setting of games with n decks, if they are drawn; else that of the run."""
        if self.draws is None:
            return self.run.setting
        return replace(self.run.setting, decks=self.draws.decks(key, n, side))
