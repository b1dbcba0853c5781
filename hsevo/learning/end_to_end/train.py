"""Learning runs of the end-to-end policy: `hsevo learn` with `policy: end-to-end`.

    for each period (learning/trainer.py):
        learner.round() ...                        games on the workers, updates, OSFP

On a CPU a run is bit-identical with any number of workers, and after any stop, on processors of one
kind with one version of PyTorch: floats are added in another order elsewhere, and on GPUs. If
games are played while it learns (`network.actors`), no two runs are alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from hsevo.cards.terms import Class
from hsevo.config.learning import SCRATCH
from hsevo.errors import RunError, brief
from hsevo.learning.acting.agents import player
from hsevo.learning.acting.checkpoints import undamaged
from hsevo.learning.acting.matches import play_all_rows
from hsevo.learning.acting.rounds import Player
from hsevo.learning.end_to_end.learner import Learner, RoundReport
from hsevo.learning.end_to_end.picking import Picker
from hsevo.learning.end_to_end.saved import (
    ALONE,
    Policy,
    actor_of,
    alone_bytes,
    as_bytes,
    network_of,
    read_checkpoint,
    read_rival,
    same,
)
from hsevo.learning.end_to_end.updates import one_thread
from hsevo.learning.folder import PICKS, LearningRun, period_name
from hsevo.learning.trainer import Trainer
from hsevo.play import match
from hsevo.runs import checkpoints
from hsevo.store.machine import processor
from hsevo.types import Array

OPPONENT = "opponent.pt"  # in a run folder: the policy that the learner meets alone


class Training(Trainer[Policy]):
    """The learner of a run, from its last period on; each process computes with one thread."""

    def _begin(self, threads: int) -> None:
        opponent_path = self.run.path / OPPONENT
        rival = None
        if opponent_path.exists():
            checkpoint = read_checkpoint(opponent_path)
            with undamaged(opponent_path):
                rival = {key: checkpoint[key] for key in ALONE}
        against = None if rival or not self.plan.against else (
            self.run.stored_agent(self.plan.against))
        teacher = None if self.plan.start == SCRATCH else self.run.stored_agent(self.plan.start)
        decks = [deck.data() for deck in self.run.decks]
        self.learner = Learner(self.plan, {"decks": decks, "rival": rival}, against, teacher)
        self._open = ExitStack()

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Take over what was committed; the pool's networks are checkpoints."""
        path = self.run.path / "state.npz"
        with undamaged(path):
            self.pool = list(state["pool"])
            checkpoint = read_checkpoint(path, state["learner"].tobytes())
            paths = [checkpoints.path_of(self.run.path, period_name(period))
                     for period in self.pool]
            checkpoint["pool"] = [read_checkpoint(file)["network"] for file in paths]
            self.learner.restored(checkpoint)

    def __enter__(self) -> Training:
        self._open.enter_context(one_thread())
        self._open.callback(self.learner.close)
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def _to_store(self, policy: Policy) -> tuple[bytes, dict[str, Any], dict[str, Array]]:
        checkpoint = self.learner.checkpoint()
        data = as_bytes(checkpoint | {"pool": [], "rival": None})
        return (alone_bytes(checkpoint), {"pool": self.pool},
                {"learner": np.frombuffer(data, np.uint8)})

    def learn_period(self, number: int) -> tuple[dict[str, Any], Policy]:
        """Play and learn one period; return its line of learning.csv and the network."""
        learner, before = self.learner, len(self.learner.pool)
        reports = learner.rounds(self.plan.rounds, self.executor, self.on_games)
        added = len(learner.pool) > before
        if added:
            self.pool.append(number)
        return _line(number, reports, len(self.pool), added, learner), learner.network

    def _players(self, policies: Sequence[Policy], names: Sequence[str] = ()) -> list[Player]:
        return [*map(actor_of, policies), *(player(self.run.stored_agent(name)) for name in names)]

    def _play(self, rows: Array, players: Sequence[Player],
              setting: match.Setting) -> tuple[Array, Array]:
        return play_all_rows(self.executor, rows, players, setting, self.on_games)

    same = staticmethod(same)  # whether two networks are bit-identical

    @staticmethod
    def read_policy(run: LearningRun, name: str) -> Policy:
        """Return the network of a checkpoint, on the CPU. Raises RunError."""
        path = checkpoints.path_of(run.path, name)
        checkpoint = read_checkpoint(path)
        with undamaged(path):
            return network_of(checkpoint, "cpu")

    @staticmethod
    def state_problem(run: LearningRun, last: Policy) -> str:
        """Return what is wrong with the learner's state, against the last network; or ""."""
        state, path = run.committed, run.path / "state.npz"
        assert state is not None
        try:
            with undamaged(path):
                checkpoint = read_checkpoint(path, state["learner"].tobytes())
                network = network_of(checkpoint, "cpu")
        except RunError:
            return "its learner can't be read"
        name = period_name(run.periods - 1)
        return "" if same(network, last) else f"its network is not that of checkpoints/{name}.pt"

    @staticmethod
    def may_differ(run: LearningRun) -> str:
        """Return why games can come out otherwise here, in words; "" if they can't."""
        if run.plan.network.actors != "rounds":
            return "it learned while games were played (network.actors), so no two runs are alike"
        if run.plan.network.device != "cpu":
            return "it was learned on a GPU, which adds in an order of its own"
        if (before := run.about.get("processor")) != processor():
            return f"it was learned on another processor, {brief(before)}"
        return ""


def _line(number: int, reports: Sequence[RoundReport], pool: int, added: bool,
          learner: Learner) -> dict[str, Any]:
    """Return a period's line of learning.csv; losses are means over its decisions."""
    positions = np.array([report.decisions for report in reports])
    parts = {name: float(positions @ [getattr(report, name) for report in reports]
                         / positions.sum())
             for name in ("loss", "policy", "upgo", "value", "entropy")}
    if learner.plan.start != SCRATCH:
        parts["teacher"] = _mean_taught(reports)
    reason = learner.over.reason if added and learner.over else ""
    return {"period": number, "games": sum(report.games for report in reports),
            "positions": int(positions.sum()), **parts, "pool": pool, "added": int(added),
            "reason": reason, **_picks(learner),
            **({} if learner.balance is None else learner.balance._asdict())}


def _picks(learner: Learner) -> dict[str, float]:
    """Return the chance of each class to be picked now, if it picks heroes."""
    picker = getattr(learner.network, "picker", None)
    if not isinstance(picker, Picker):
        return {}
    return {f"{PICKS}{Class(owner).name.lower()}": chance
            for owner, chance in zip(picker.classes, picker.chances().tolist(), strict=True)}


def _mean_taught(reports: Sequence[RoundReport]) -> float:
    """Return the mean loss of the teacher over decisions that it taught; NaN if there were none."""
    own = np.array([(report.decisions, report.teacher) for report in reports
                    if not np.isnan(report.teacher)])
    return float(np.average(own[:, 1], weights=own[:, 0])) if len(own) else np.nan


def opponent_bytes(name: str | None) -> bytes | None:
    """Return the end-to-end policy of a name as a file; None for any other agent, or for none."""
    rival = read_rival(name) if name else None
    return None if rival is None else alone_bytes(rival)
