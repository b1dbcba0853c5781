"""Learning from games: rounds of play on the workers, and what the learner makes of each.

    train(run, executor):
        for each period:
            for each round:
                opponents = osfp.ask(n)                itself, or members of the pool
                samples = games of the learner         compiled, both seats against itself
                osfp.tell(opponents, outcomes)
                learner.learn(samples)
            osfp.end_period()                          the learner may join the pool
            measure against reference opponents, commit

All games of a round are played by the same net, so they can be played in any order. In the first
periods of a plan with `start`, that agent plays itself, and the learner learns from its games.

With `expert: turn` the actors search (expert iteration, Anthony et al. 2017): the search is the
expert, whose moves are played and whose values the net learns; the net alone is the apprentice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.agents import nets
from hsevo.agents.net import WEIGHTS
from hsevo.config.learning import TURN
from hsevo.errors import RunError, brief
from hsevo.learning.folder import LEARNING, TIMES, LearningRun, period_name
from hsevo.learning.learner import Learner, joined
from hsevo.learning.measures import due, measured, payoffs
from hsevo.learning.osfp import LATEST, OSFP, Period, Settings
from hsevo.play import match, tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.runs import checkpoints
from hsevo.seeds import Stream, derive

Array: TypeAlias = npt.NDArray[Any]
BLOCK = 32  # games per job, whatever the number of workers: some 20 ms
LEARNER, THEM = 0, 1  # places in the agents of a job
LINE = LEARNING


def train(run: LearningRun, executor: Executor, threads: int,
          watch: Callable[[Mapping[str, Any]], object] = lambda row: None,
          on_games: OnGames = lambda games: None) -> None:
    """Learn from the run's last period to its end, committing every period to it.

    threads: of the learner; no result depends on them. watch: called with the line of learning.csv
    of each period after its commit, with rates against references by name. on_games: called with
    the number of games just finished. Raises AgentError, GameError, RunError, WorkersError.
    """
    with Training(run, executor, threads, on_games) as training:
        for period in range(run.periods, run.plan.periods):
            watch(training.period(period))
        payoff = training.payoff() if run.plan.payoff_games else None
        run.finish(payoff)


class Training:
    """The learner, its pool and its opponents, from the run's last period on."""

    def __init__(self, run: LearningRun, executor: Executor, threads: int, on_games: OnGames,
                 anew: bool = False) -> None:
        """Take up what the run has committed. anew: begin as a new run does."""
        self.run, self.plan, self.executor, self.on_games = run, run.plan, executor, on_games
        self.learner = Learner(self.plan.seed, threads)
        self.osfp = OSFP(Settings(**self.plan.osfp.model_dump()), self.plan.seed)
        self.pool: list[int] = []  # the periods after which the learner joined
        if not anew and (state := run.state()):
            self._restore(state)
        self._nets = {period: self._checkpoint(period) for period in self.pool}

    def __enter__(self) -> Training:
        return self

    def __exit__(self, *error: object) -> None:
        self.learner.close()

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Take up a committed state. Raises RunError if it is none of this learner's."""
        try:
            for name, own in (("weights", self.learner.flat), ("moments", self.learner.moments)):
                found = state[name]
                if found.shape != own.shape or found.dtype != own.dtype:
                    raise ValueError(f"{name} of another shape or type")
                if not np.isfinite(found).all():
                    raise ValueError(f"a number among its {name} is none")
                own[:] = found
            self.learner.step = int(state["step"])
            self.pool = [int(period) for period in state["pool"]]
            self.osfp = OSFP.resume(self.osfp.settings, state["osfp"])
            if not {*self.pool} <= {*range(state["period"])} or self.osfp.members != len(self.pool):
                raise ValueError("a pool of other periods")
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise RunError(f"{self.run.path / 'state.npz'} is damaged: {brief(error)}") from None

    def _checkpoint(self, period: int) -> Array:
        return read_policy(self.run, period_name(period))

    def period(self, number: int) -> dict[str, Any]:
        """Play and learn one period, and commit it; return its line of learning.csv."""
        begun = time.process_time()
        line, net = self.learn_period(number)
        seconds = time.process_time() - begun
        found = self.measure(number, net) if due(self.plan, number) else None
        tables = {"learning.csv": pd.DataFrame([line])[[*LEARNING]],
                  "times.csv": pd.DataFrame([(number, round(seconds, 2))], columns=[*TIMES])}
        if found is not None:
            tables["references.csv"] = found
        self.run.commit(nets.net_bytes(net), tables, {
            "period": number + 1, "step": self.learner.step, "pool": self.pool,
            "osfp": self.osfp.state()}, weights=self.learner.flat, moments=self.learner.moments)
        rates = {} if found is None else {
            str(row["opponent"]): row for row in found.to_dict("records")}
        return line | {"references": rates, "seconds": seconds}

    def learn_period(self, number: int) -> tuple[dict[str, Any], Array]:
        """Play and learn one period; return its line of learning.csv and its net, NET ()."""
        rows = [self.round(number, k) for k in range(self.plan.rounds)]
        over = self.osfp.end_period() if self._meets_pool(number) else None
        net = self.learner.net()
        if over is not None and over.added:
            self.pool.append(number)
            self._nets[number] = net
        return _line(number, np.array(rows), len(self.pool), over), net

    def _meets_pool(self, number: int) -> bool:
        return self.plan.against is None and number >= self.plan.imitates

    def round(self, period: int, k: int) -> tuple[int, int, float, float]:
        """Play a round and learn from it; return games, positions, loss before and after."""
        rows, opponents = self._rows(period, k)
        agents, starting = self._agents(period), period < self.plan.imitates
        results, blocks = np.zeros(len(rows), match.RESULT), []
        cuts = range(0, len(rows), BLOCK)
        carried = nets.carried(agents)
        jobs = ((rows[at:at + BLOCK], agents, self.run.setting, *carried) for at in cuts)
        for at, (some, samples, words) in zip(
                cuts, self.executor(match.record_block, jobs), strict=True):
            results[at:at + BLOCK] = some
            blocks.append((samples, words))
            tournament.refuse_faults(some, rows["seed"][at:at + BLOCK])
            self.on_games(len(some))
        if not starting and self.plan.against is None:
            self.osfp.tell(opponents, _outcomes(rows, results))
        samples, words = joined(blocks)
        plan = self.plan.learner
        share = (period * self.plan.rounds + k) / (self.plan.periods * self.plan.rounds)
        rate = plan.rate + share * (plan.last_rate - plan.rate)
        loss, after = self.learner.learn(samples, words, rate, plan.trace, plan.batch, plan.epochs,
                                         plan.discount, plan.expert == TURN and not starting)
        return len(rows), len(samples), loss, after

    def _rows(self, period: int, k: int) -> tuple[Array, Array]:
        """Return the games of a round, one a row, and the opponents as osfp.ask gives them.

        The learner is agent 0; it sits on either side by turns. Against itself it is both.
        """
        d, n = len(self.plan.decks), self.plan.games_per_round
        game = np.arange(n)
        rows = np.zeros(n, match.PAIRING)
        own, theirs = np.divmod(game % d**2, d)
        opponents = np.full(n, LATEST)
        if self.plan.against is not None and period >= self.plan.imitates:
            opponents = np.zeros(n, np.int64)
        elif period >= self.plan.imitates:
            opponents = self.osfp.ask(n)
        them, second = opponents + 1, game // d**2 % 2 == 1
        for name, mine, other in (("a", LEARNER, them), ("deck_a", own, theirs)):
            rows[name] = np.where(second, other, mine)
            rows[name.replace("a", "b") if name == "a" else "deck_b"] = np.where(
                second, mine, other)
        rows["games"] = 1
        rows["seed"] = derive((self.plan.seed, Stream.LEARNING, period, k), game)
        return rows, opponents

    def _agents(self, period: int) -> Array:
        """Return the learner and its opponents, AGENT (1 + members,)."""
        if period < self.plan.imitates:
            return self.run.agent(self.plan.start)
        first = self._actor(self.learner.net())
        if self.plan.against is not None:
            return np.concatenate([first, self.run.agent(self.plan.against)])
        return np.concatenate([first, *(self._actor(self._nets[period]) for period in self.pool)])

    def _actor(self, net: Array) -> Array:
        """Return how a net plays the games that are learned from, AGENT (1,)."""
        plan = self.plan.learner
        search = (plan.depth, plan.nodes) if plan.expert == TURN else ()
        return nets.agent(net, plan.temperature, *search)

    def measure(self, number: int, net: Array) -> pd.DataFrame:
        """Play the best actions of a net against every reference opponent."""
        def play(rows: Array, name: str) -> tuple[Array, Array]:
            return self._play(rows, np.concatenate([nets.agent(net), self.run.agent(name)]))

        return measured(self.plan, number, play)

    def payoff(self) -> pd.DataFrame:
        """Return the results of all checkpoints against all, each pair once."""
        names = [period_name(period) for period in range(self.plan.periods)]
        agents = np.concatenate([nets.agent(read_policy(self.run, one)) for one in names])
        return payoffs(self.plan, names, lambda rows: self._play(rows, agents))

    def _play(self, rows: Array, agents: Array) -> tuple[Array, Array]:
        return rows, tournament.play(self.executor, rows, agents, self.run.setting, self.on_games)


def read_policy(run: LearningRun, name: str) -> Array:
    """Return the net of a checkpoint, NET (). Raises AgentError, RunError."""
    return nets.read_net(checkpoints.path_of(run.path, name))


def same(one: Array, other: Array) -> bool:
    """Return whether two nets are bit-identical."""
    return one.tobytes() == other.tobytes()


def state_problem(run: LearningRun, last: Array) -> str:
    """Return what is wrong with the learner's state, against the last net; "" if nothing is."""
    state = run.state()
    assert state is not None
    weights = state["weights"]
    if weights.dtype != np.float32 or weights.shape != (WEIGHTS.itemsize // 4,):
        return "its weights have another shape"
    if not np.isfinite(weights).all():
        return "a weight is no number"
    if not same(nets.quantized(weights.view(WEIGHTS)[0]), last):
        return f"its weights are not those of checkpoints/{period_name(run.periods - 1)}.npz"
    return ""


def may_differ(run: LearningRun) -> str:
    """Return why games can come out otherwise here: never, for nets compute in integers."""
    return ""


def _outcomes(rows: Array, results: Array) -> Array:
    """Return +1 where the learner won a game, -1 where it lost, else 0."""
    won = results["wins_a"].astype(np.int64) - results["wins_b"]
    outcomes: Array = np.where(rows["a"] == LEARNER, won, -won)
    return outcomes


def _line(number: int, rounds: Array, pool: int, over: Period | None) -> dict[str, Any]:
    """Return a period's line of learning.csv; rounds: (n, 4), what `round` returned."""
    positions = rounds[:, 1].sum()
    loss, after = (rounds[:, 1] @ rounds[:, k] / max(positions, 1) for k in (2, 3))
    return {"period": number, "games": int(rounds[:, 0].sum()), "positions": int(positions),
            "loss": loss, "loss_after": after, "pool": pool,
            "added": int(over is not None and over.added), "reason": over.reason if over else ""}
