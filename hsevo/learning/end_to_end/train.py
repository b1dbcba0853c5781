"""Learning runs of the end-to-end policy: `hsevo learn` with `policy: end-to-end`.

    train(run, executor):
        for each period:
            learner.round() ...                    games on the workers, updates, OSFP
            measure against reference opponents, commit
        all checkpoints against all

On a CPU a run is bit-identical with any number of workers, and after any stop, on processors of one
kind with one version of PyTorch: floats are added in another order elsewhere, and on GPUs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.config.learning import Plan
from hsevo.learning.end_to_end.actors import one_thread
from hsevo.learning.end_to_end.learner import Learner, Report, as_bytes
from hsevo.learning.end_to_end.matches import play_all_rows
from hsevo.learning.end_to_end.network import NetSettings
from hsevo.learning.end_to_end.rounds import Player
from hsevo.learning.end_to_end.saved import (
    ALONE,
    FORMAT,
    read_checkpoint,
    read_player,
    read_rival,
    undamaged,
)
from hsevo.learning.end_to_end.settings import Settings
from hsevo.learning.folder import END_TO_END_LEARNING, TIMES, LearningRun, period_name
from hsevo.learning.losses import Form, Hyper
from hsevo.learning.measures import due, measured, payoffs
from hsevo.learning.osfp import Settings as Pool
from hsevo.play.workers import Executor, OnGames
from hsevo.runs import checkpoints

Array: TypeAlias = npt.NDArray[Any]
OPPONENT = "opponent.pt"  # in a run folder: the policy that the learner meets alone


def train(run: LearningRun, executor: Executor, threads: int,
          watch: Callable[[Mapping[str, Any]], object] = lambda row: None,
          on_games: OnGames = lambda games: None) -> None:
    """Learn from the run's last period to its end, as `hsevo.learning.train.train` does.

    threads: not used; each process computes with one. Raises AgentError, ConfigError, GameError,
    RunError, WorkersError.
    """
    with one_thread(), Training(run, executor, on_games) as training:
        for period in range(run.periods, run.plan.periods):
            watch(training.period(period))
        run.finish(training.payoff() if run.plan.payoff_games else None)


def settings_of_plan(plan: Plan) -> Settings:
    """Return the learner's settings of a plan. Raises ConfigError."""
    own = plan.network
    form: Form = "ppo" if own.gradient == "ppo" else "importance"
    return Settings(
        decks=plan.decks, ruleset=plan.ruleset, max_turns=plan.max_turns, period=plan.rounds,
        games=plan.games_per_round, rate=own.rate, parts=own.updates, norm=own.norm,
        against=plan.against or "", isolate=own.isolate, build=own.build,
        random_cards=own.random_cards, opponent_deck=own.opponent_deck, device=own.device,
        processes=own.processes, net=NetSettings(own.embedding, own.width, own.lstm),
        hyper=Hyper(gamma=own.discount, c=own.clip, rho=own.clip, entropy=own.entropy,
                    reuse=own.reuse, policy_form=form),
        pool=Pool(**plan.osfp.model_dump()))


class Training:
    """The learner of a run, from its last period on."""

    def __init__(self, run: LearningRun, executor: Executor, on_games: OnGames) -> None:
        self.run, self.plan, self.executor, self.on_games = run, run.plan, executor, on_games
        settings, given = settings_of_plan(run.plan), run.path / OPPONENT
        rival = None
        if given.exists():
            kept = read_checkpoint(given)
            rival = {key: kept[key] for key in ALONE}
        against = None if rival or not run.plan.against else run.agent(run.plan.against)
        decks = [asdict(deck) for deck in run.decks]
        self.learner = Learner(settings, run.plan.seed, {"decks": decks, "rival": rival}, against)
        self.pool: list[int] = []  # the periods after which the learner joined
        if state := run.state():
            self._restore(state)

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Take over what was committed; the pool's networks are checkpoints."""
        path = self.run.path / "state.npz"
        with undamaged(path):
            self.pool = list(state["pool"])
            kept = read_checkpoint(path, state["learner"].tobytes())
            kept["pool"] = [read_checkpoint(self._path(period))["network"] for period in self.pool]
            self.learner.restored(kept)

    def _path(self, period: int) -> Any:
        return checkpoints.path_of(self.run.path, period_name(period))

    def __enter__(self) -> Training:
        return self

    def __exit__(self, *error: object) -> None:
        self.learner.close()

    def period(self, number: int) -> dict[str, Any]:
        """Play and learn one period, and commit it; return its line of learning.csv."""
        begun = time.process_time()
        learner, before = self.learner, len(self.learner.pool)
        reports = [learner.round(self.executor, self.on_games) for _ in range(self.plan.rounds)]
        added = len(learner.pool) > before
        if added:
            self.pool.append(number)
        seconds = time.process_time() - begun
        line = _line(number, reports, len(self.pool), added, learner)
        found = self.measure(number) if due(self.plan, number) else None
        tables = {"learning.csv": pd.DataFrame([line])[[*END_TO_END_LEARNING]],
                  "times.csv": pd.DataFrame([(number, round(seconds, 2))], columns=[*TIMES])}
        if found is not None:
            tables["references.csv"] = found
        kept = learner.kept()
        alone = as_bytes({"format": kept["format"]} | {key: kept[key] for key in ALONE})
        data = as_bytes(kept | {"pool": [], "rival": None})
        self.run.commit(alone, tables, {"period": number + 1, "pool": self.pool},
                        learner=np.frombuffer(data, np.uint8))
        rates = {} if found is None else {
            str(row["opponent"]): row for row in found.to_dict("records")}
        return line | {"references": rates, "seconds": seconds}

    def measure(self, number: int) -> pd.DataFrame:
        """Play the network, as it draws its moves, against every reference opponent."""
        return measured(self.plan, number, lambda rows, name: self._play(
            rows, [self.learner.network, self.run.agent(name)]))

    def payoff(self) -> pd.DataFrame:
        """Return the results of all checkpoints against all, each pair once."""
        names = checkpoints.names(self.run.path)
        networks = [read_player(str(checkpoints.path_of(self.run.path, name))) for name in names]
        return payoffs(self.plan, names, lambda rows: self._play(rows, networks))

    def _play(self, rows: Array, players: Sequence[Player]) -> tuple[Array, Array]:
        return play_all_rows(self.executor, rows, players, self.run.setting, self.on_games)


def _line(number: int, reports: Sequence[Report], pool: int, added: bool,
          learner: Learner) -> dict[str, Any]:
    """Return a period's line of learning.csv; losses are means over its decisions."""
    positions = np.array([one.decisions for one in reports])
    parts = {name: float(positions @ [getattr(one, name) for one in reports] / positions.sum())
             for name in ("loss", "policy", "upgo", "value", "entropy")}
    reason = learner.over.reason if added and learner.over else ""
    return {"period": number, "games": sum(one.games for one in reports),
            "positions": int(positions.sum()), **parts, "pool": pool, "added": int(added),
            "reason": reason}


def opponent_bytes(name: str | None) -> bytes | None:
    """Return the end-to-end policy of a name as a file; None for any other agent, or for none."""
    rival = read_rival(name) if name else None
    return None if rival is None else as_bytes({"format": FORMAT} | rival)
