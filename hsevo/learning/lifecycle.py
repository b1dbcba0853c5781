"""The life of a learner in its folder: a period is learned, measured and committed, until the last.

    Trainer.train(run, executor, threads):
        for each period:
            learn_period(number)              by the policy's own learner
            measure(number, policy)           against reference opponents, where it is due
            run.commit(...)
        payoff()                              all checkpoints against all
        run.finish(...)

A policy is what a checkpoint keeps: a net, or a network of PyTorch. `learning.verify` takes the
same steps again.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeAlias, TypeVar

import numpy.typing as npt
import pandas as pd

from hsevo.learning.folder import TIMES, LearningRun, period_name
from hsevo.learning.measures import due, measured, payoffs
from hsevo.play.workers import Executor, OnGames

Array: TypeAlias = npt.NDArray[Any]
P = TypeVar("P")


class Kept(NamedTuple):
    """What is committed of a learner after a period."""

    checkpoint: bytes
    plain: dict[str, Any]  # as JSON can hold
    arrays: dict[str, Array]


class Trainer(ABC, Generic[P]):
    """A learner of policies P and its opponents, from the last committed period on.

    Use it in a `with`, which ends the learner's threads.
    """

    LINE: ClassVar[tuple[str, ...]]  # the columns of learning.csv

    def __init__(self, run: LearningRun, executor: Executor, threads: int, on_games: OnGames,
                 anew: bool = False) -> None:
        """Take up what the run has committed. anew: begin as a new run does.

        threads: of the learner; no result depends on them. on_games: called with the number of
        games just finished.
        """
        self.run, self.plan, self.executor, self.on_games = run, run.plan, executor, on_games
        self.pool: list[int] = []  # the periods after which the learner joined
        self._begin(threads)
        if not anew and (state := run.state()):
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
    def _kept(self, policy: P) -> Kept:
        """Return what is to be committed after a period, with its policy."""

    @abstractmethod
    def _players(self, policies: Sequence[P], names: Sequence[str] = ()) -> Any:
        """Return who plays in measurements: policies at their best, and agents of the plan."""

    @abstractmethod
    def _play(self, rows: Array, players: Any) -> tuple[Array, Array]:
        """Play rows of match.PAIRING; return rows and results."""

    @staticmethod
    @abstractmethod
    def read_policy(run: LearningRun, name: str) -> Any:
        """Return the policy of a checkpoint. Raises AgentError, RunError."""

    @staticmethod
    @abstractmethod
    def same(one: Any, other: Any) -> bool:
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

    @classmethod
    def train(cls, run: LearningRun, executor: Executor, threads: int,
              watch: Callable[[Mapping[str, Any]], object] = lambda row: None,
              on_games: OnGames = lambda games: None) -> None:
        """Learn from the run's last period to its end, committing every period to it.

        watch: called with the line of learning.csv of each period after its commit, with rates
        against references by name. Raises AgentError, ConfigError, GameError, RunError,
        WorkersError.
        """
        with cls(run, executor, threads, on_games) as one:
            for period in range(run.periods, run.plan.periods):
                watch(one.period(period))
            run.finish(one.payoff() if run.plan.payoff_games else None)

    def period(self, number: int) -> dict[str, Any]:
        """Play and learn one period, and commit it; return its line of learning.csv."""
        begun = time.process_time()
        line, policy = self.learn_period(number)
        seconds = time.process_time() - begun
        tables = {"learning.csv": pd.DataFrame([line])[[*self.LINE]],
                  "times.csv": pd.DataFrame([(number, round(seconds, 2))], columns=[*TIMES])}
        rates = {}
        if due(self.plan, number):
            tables["references.csv"] = found = self.measure(number, policy)
            rates = {str(row["opponent"]): row for row in found.to_dict("records")}
        kept = self._kept(policy)
        self.run.commit(kept.checkpoint, tables, {"period": number + 1} | kept.plain,
                        **kept.arrays)
        return line | {"references": rates, "seconds": seconds}

    def measure(self, number: int, policy: P) -> pd.DataFrame:
        """Play a policy against every reference opponent; return lines of references.csv."""
        return measured(self.plan, number, lambda rows, name: self._play(
            rows, self._players([policy], [name])))

    def payoff(self) -> pd.DataFrame:
        """Return the results of all checkpoints against all, each pair once."""
        names = [period_name(period) for period in range(self.plan.periods)]
        players = self._players([self.read_policy(self.run, name) for name in names])
        return payoffs(self.plan, names, lambda rows: self._play(rows, players))
