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
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.config.learning import Plan
from hsevo.errors import RunError, brief
from hsevo.learning.end_to_end.actors import one_thread
from hsevo.learning.end_to_end.agents import player
from hsevo.learning.end_to_end.learner import Learner, Report
from hsevo.learning.end_to_end.matches import play_all_rows
from hsevo.learning.end_to_end.network import NetSettings
from hsevo.learning.end_to_end.rounds import Player, Policy
from hsevo.learning.end_to_end.saved import (
    ALONE,
    alone_bytes,
    as_bytes,
    network_of,
    read_checkpoint,
    read_rival,
    same,
    undamaged,
)
from hsevo.learning.end_to_end.settings import Settings
from hsevo.learning.folder import END_TO_END_LEARNING, TIMES, LearningRun, period_name
from hsevo.learning.losses import Form, Hyper
from hsevo.learning.measures import due, measured, payoffs
from hsevo.learning.osfp import Settings as Pool
from hsevo.play.workers import Executor, OnGames
from hsevo.runs import checkpoints
from hsevo.runs.about import processor

Array: TypeAlias = npt.NDArray[Any]
__all__ = ["LINE", "OPPONENT", "Training", "may_differ", "opponent_bytes", "read_policy", "same",
           "settings_of_plan", "state_problem", "train"]
OPPONENT = "opponent.pt"  # in a run folder: the policy that the learner meets alone
LINE = END_TO_END_LEARNING


def train(run: LearningRun, executor: Executor, threads: int,
          watch: Callable[[Mapping[str, Any]], object] = lambda row: None,
          on_games: OnGames = lambda games: None) -> None:
    """Learn from the run's last period to its end, as `hsevo.learning.train.train` does.

    threads: not used; each process computes with one thread. Raises AgentError, ConfigError,
    GameError, RunError, WorkersError.
    """
    with Training(run, executor, threads, on_games) as training:
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

    def __init__(self, run: LearningRun, executor: Executor, threads: int, on_games: OnGames,
                 anew: bool = False) -> None:
        """Take up what the run has committed. threads: not used. anew: begin as a new run does."""
        self.run, self.plan, self.executor, self.on_games = run, run.plan, executor, on_games
        settings, given = settings_of_plan(run.plan), run.path / OPPONENT
        rival = None
        if given.exists():
            kept = read_checkpoint(given)
            with undamaged(given):
                rival = {key: kept[key] for key in ALONE}
        against = None if rival or not run.plan.against else run.agent(run.plan.against)
        decks = [asdict(deck) for deck in run.decks]
        self.learner = Learner(settings, run.plan.seed, {"decks": decks, "rival": rival}, against)
        self.pool: list[int] = []  # the periods after which the learner joined
        self._open = ExitStack()
        if not anew and (state := run.state()):
            self._restore(state)

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Take over what was committed; the pool's networks are checkpoints."""
        path = self.run.path / "state.npz"
        with undamaged(path):
            self.pool = list(state["pool"])
            kept = read_checkpoint(path, state["learner"].tobytes())
            paths = [checkpoints.path_of(self.run.path, period_name(one)) for one in self.pool]
            kept["pool"] = [read_checkpoint(one)["network"] for one in paths]
            self.learner.restored(kept)

    def __enter__(self) -> Training:
        self._open.enter_context(one_thread())
        self._open.callback(self.learner.close)
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def period(self, number: int) -> dict[str, Any]:
        """Play and learn one period, and commit it; return its line of learning.csv."""
        begun = time.process_time()
        line, network = self.learn_period(number)
        seconds = time.process_time() - begun
        found = self.measure(number, network) if due(self.plan, number) else None
        tables = {"learning.csv": pd.DataFrame([line])[[*LINE]],
                  "times.csv": pd.DataFrame([(number, round(seconds, 2))], columns=[*TIMES])}
        if found is not None:
            tables["references.csv"] = found
        kept = self.learner.kept()
        data = as_bytes(kept | {"pool": [], "rival": None})
        self.run.commit(alone_bytes(kept), tables, {"period": number + 1, "pool": self.pool},
                        learner=np.frombuffer(data, np.uint8))
        rates = {} if found is None else {
            str(row["opponent"]): row for row in found.to_dict("records")}
        return line | {"references": rates, "seconds": seconds}

    def learn_period(self, number: int) -> tuple[dict[str, Any], Policy]:
        """Play and learn one period; return its line of learning.csv and the network."""
        learner, before = self.learner, len(self.learner.pool)
        reports = [learner.round(self.executor, self.on_games) for _ in range(self.plan.rounds)]
        added = len(learner.pool) > before
        if added:
            self.pool.append(number)
        return _line(number, reports, len(self.pool), added, learner), learner.network

    def measure(self, number: int, network: Policy) -> pd.DataFrame:
        """Play a network, as it draws its moves, against every reference opponent."""
        return measured(self.plan, number, lambda rows, name: self._play(
            rows, [network, player(self.run.agent(name))]))

    def payoff(self) -> pd.DataFrame:
        """Return the results of all checkpoints against all, each pair once."""
        names = [period_name(period) for period in range(self.plan.periods)]
        networks = [read_policy(self.run, name) for name in names]
        return payoffs(self.plan, names, lambda rows: self._play(rows, networks))

    def _play(self, rows: Array, players: Sequence[Player]) -> tuple[Array, Array]:
        return play_all_rows(self.executor, rows, players, self.run.setting, self.on_games)


def read_policy(run: LearningRun, name: str) -> Policy:
    """Return the network of a checkpoint, on the CPU. Raises RunError."""
    path = checkpoints.path_of(run.path, name)
    kept = read_checkpoint(path)
    with undamaged(path):
        return network_of(kept, "cpu")


def state_problem(run: LearningRun, last: Policy) -> str:
    """Return what is wrong with the learner's state, against the last network; "" if nothing is."""
    state, path = run.state(), run.path / "state.npz"
    assert state is not None
    try:
        with undamaged(path):
            kept = read_checkpoint(path, state["learner"].tobytes())
            network = network_of(kept, "cpu")
    except RunError:
        return "its learner can't be read"
    name = period_name(run.periods - 1)
    return "" if same(network, last) else f"its network is not that of checkpoints/{name}.pt"


def may_differ(run: LearningRun) -> str:
    """Return why games can come out otherwise here, in words; "" if they can't."""
    if run.plan.network.device != "cpu":
        return "it was learned on a GPU, which adds in an order of its own"
    if (before := run.about.get("processor")) != processor():
        return f"it was learned on another processor, {brief(before)}"
    return ""


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
    return None if rival is None else alone_bytes(rival)
