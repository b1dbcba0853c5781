"""Learning from games: rounds of play on the workers, and what the learner makes of each.

    for each period (trainer.py):
        for each round:
            opponents = osfp.ask(n)                    itself, or members of the pool
            samples = games of the learner             compiled, both seats against itself
            osfp.tell(opponents, outcomes)
            learner.learn(samples)
        osfp.end_period()                              if it is due: the learner may join the pool

All games of a round are played by the same net, so they can be played in any order. In the first
periods of a plan with `start`, that agent plays itself, and the learner learns from its games; a
policy (policy_train.py) plays its own games, and learns what that agent would do.

With `expert: turn` the actors search (expert iteration, Anthony et al. 2017): the search is the
expert, whose moves are played and whose values the net learns; the net alone is the apprentice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from hsevo.agents.learned import nets
from hsevo.agents.learned.nets import net_bytes, read_net
from hsevo.agents.network.network import WEIGHTS
from hsevo.config.learning import TURN
from hsevo.errors import RunError, brief
from hsevo.learning.folder import LearningRun, period_name
from hsevo.learning.learner import TEXT_WEIGHTS, ValueLearner, joined, net_of
from hsevo.learning.osfp import LATEST, OSFP, OsfpPeriod
from hsevo.learning.pretrained import pretrained_net
from hsevo.learning.trainer import Trainer
from hsevo.play import match, tournament
from hsevo.runs import checkpoints
from hsevo.seeds import Stream, derive
from hsevo.types import Array

BLOCK = 32  # games per job, whatever the number of workers: some 20 ms
LEARNER, THEM = 0, 1  # places in the agents of a job


class Training(Trainer[Array]):
    """The learner, its pool and its opponents, from the run's last period on."""

    # plays a block of games; returns results, and what they leave
    record: ClassVar[Callable[..., Any]] = staticmethod(match.record_block)

    def _begin(self, threads: int) -> None:
        self.learner = self._new_learner(threads, self.plan.pretrained or ())
        self.osfp = OSFP(self.plan.osfp, self.plan.seed)
        self._nets: dict[int, Array] = {}  # of the pool, by period

    def _new_learner(self, threads: int, pretrained: Sequence[str]) -> ValueLearner:
        """Return a learner that has learned nothing except what some agents of the plan have."""
        plan = self.plan.learner
        learner = ValueLearner(self.plan.seed, threads, plan.cards, plan.card_dropout,
                               self.plan.ruleset)
        if pretrained:
            learner.adopt(*(pretrained_net(self.run.stored_agent(name)) for name in pretrained))
        return learner

    def __exit__(self, *error: object) -> None:
        self.learner.close()

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Take up a committed state. Raises RunError if it is of another learner."""
        try:
            for name, own in self._arrays().items():
                stored = state[name]
                if stored.shape != own.shape or stored.dtype != own.dtype:
                    raise ValueError(f"{name} has another shape or type")
                if stored.dtype == np.float32 and not np.isfinite(stored).all():
                    raise ValueError(f"a number among its {name} is not finite")
                own[:] = stored
            self.learner.step = int(state["step"])
            self.pool = [int(period) for period in state["pool"]]
            self.osfp = OSFP.resume(self.osfp.settings, state["osfp"])
            if not {*self.pool} <= {*range(state["period"])} or self.osfp.members != len(self.pool):
                raise ValueError("an opponent pool from other periods")
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise RunError(f"{self.run.path / 'state.npz'} is damaged: {brief(error)}") from None
        self._nets = {period: self.read_policy(self.run, period_name(period))
                      for period in self.pool}

    def _to_store(self, policy: Array) -> tuple[bytes, dict[str, Any], dict[str, Array]]:
        plain = {"step": self.learner.step, "pool": self.pool, "osfp": self.osfp.state()}
        return net_bytes(policy, self.learner.met, self._values()), plain, self._arrays()

    def _values(self) -> Array | None:
        """Return the net that gives a policy its values; None: the player's own."""
        return None

    def _arrays(self) -> dict[str, Array]:
        """Return the arrays that make up the learner's state, by their names in state.npz."""
        learner, text = self.learner, self.learner.text
        more = {"text": text.flat, "text_moments": text.moments} if text else {}
        return {"weights": learner.flat, "moments": learner.moments, "met": learner.met, **more}

    def learn_period(self, number: int) -> tuple[dict[str, Any], Array]:
        """Play and learn one period; return its line of learning.csv and its net, NET ()."""
        rows = [self.round(number, k) for k in range(self.plan.rounds)]
        over = None
        if self._meets_pool(number):
            self.osfp.learned(int(sum(row[1] for row in rows)))
            over = self.osfp.end_period() if self.osfp.due else None
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
        settings = self._settings(period, k, len(cuts))
        jobs = ((rows[at:at + BLOCK], agents, setting, *carried)
                for at, setting in zip(cuts, settings, strict=True))
        played = self.executor(self._recorder(period), jobs)
        for at, (some, *left) in zip(cuts, played, strict=True):
            results[at:at + BLOCK] = some
            blocks.append(left)
            tournament.refuse_faults(some, rows["seed"][at:at + BLOCK])
            self.on_games(len(some))
        if not starting and self.plan.against is None:
            self.osfp.tell(opponents, _outcomes(rows, results))
        plan = self.plan.learner
        share = (period * self.plan.rounds + k) / (self.plan.periods * self.plan.rounds)
        rate = plan.rate + share * (plan.last_rate - plan.rate)
        return len(rows), *self._learn(blocks, rate, starting)

    def _learn(self, blocks: Sequence[Any], rate: float,
               starting: bool) -> tuple[int, float, float]:
        """Learn from what the games of a round left; return positions, loss before and after."""
        samples, words = joined(blocks)
        how = self.plan.learner
        if starting:  # the games of another agent, which searched nothing
            how = how.model_copy(update={"expert": "none"})
        return len(samples), *self.learner.learn(samples, words, rate, how)

    def _rows(self, period: int, k: int) -> tuple[Array, Array]:
        """Return the games of a round, one a row, and the opponents as osfp.ask gives them.

        The learner is agent 0; it sits on either side by turns. Against itself it is both. Decks
        that are drawn are numbered in each block.
        """
        d, n = len(self.plan.deck_names), self.plan.games_per_round
        game = np.arange(n)
        own, theirs = np.divmod(game % d**2, d) if not self.draws else (
            2 * (game % BLOCK), 2 * (game % BLOCK) + 1)
        opponents = np.full(n, LATEST)
        if self.plan.against is not None and period >= self.plan.imitates:
            opponents = np.zeros(n, np.int64)
        elif period >= self.plan.imitates:
            opponents = self.osfp.ask(n)
        seeds = derive((self.plan.seed, Stream.LEARNING, period, k), game)
        both = match.pairs(match.pairings(LEARNER, opponents + 1, own, theirs, seeds))
        return both[game, game // self.plan.deck_pairs % 2], opponents

    def _settings(self, period: int, k: int, blocks: int) -> list[match.Setting]:
        """Return the setting of each block of a round, with the decks that are drawn for it."""
        drawn = self.setting((self.plan.seed, Stream.DECKS, period, k), 2 * BLOCK * blocks)
        if not self.draws:
            return [drawn] * blocks
        return [replace(drawn, decks=drawn.decks[at:at + 2 * BLOCK])
                for at in range(0, 2 * BLOCK * blocks, 2 * BLOCK)]

    def _agents(self, period: int) -> Array:
        """Return the learner and its opponents, AGENT (1 + members,)."""
        if period < self.plan.imitates:
            return self.run.stored_agent(self.plan.start)
        return self._own_agents()

    def _recorder(self, period: int) -> Callable[..., Any]:
        """Return what plays a block of games of a period."""
        return self.record

    def _own_agents(self) -> Array:
        first = self._actor(self.learner.net())
        if self.plan.against is not None:
            return np.concatenate([first, self.run.stored_agent(self.plan.against)])
        return np.concatenate([first, *(self._actor(self._nets[period]) for period in self.pool)])

    def _actor(self, net: Array) -> Array:
        """Return how a net plays the games that are learned from, AGENT (1,)."""
        plan = self.plan.learner
        search = (plan.depth, plan.nodes) if plan.expert == TURN else ()
        return nets.agent(nets.playing(net, self.plan.ruleset), plan.temperature, *search)

    def _players(self, policies: Sequence[Array], names: Sequence[str] = ()) -> Array:
        return np.concatenate([*map(nets.agent, policies), *map(self.run.stored_agent, names)])

    def _play(self, rows: Array, players: Array, setting: match.Setting) -> tuple[Array, Array]:
        return rows, tournament.play(self.executor, rows, players, setting, self.on_games)

    @staticmethod
    def read_policy(run: LearningRun, name: str) -> Array:
        """Return the net of a checkpoint, NET (). Raises AgentError, RunError."""
        return read_net(checkpoints.path_of(run.path, name))

    @staticmethod
    def same(first: Array, second: Array) -> bool:
        """Return whether two nets are bit-identical."""
        return first.tobytes() == second.tobytes()

    @staticmethod
    def state_problem(run: LearningRun, last: Array) -> str:
        """Return what is wrong with the learner's state, against the last net; "" if nothing is."""
        state = run.committed
        assert state is not None
        arrays = [state["weights"]]
        if run.plan.learner.cards != "number":
            arrays.append(state.get("text", np.zeros(0)))
        for flat, kind in zip(arrays, (WEIGHTS, TEXT_WEIGHTS), strict=False):
            if flat.dtype != np.float32 or flat.shape != (kind.itemsize // 4,):
                return "its weights have another shape"
            if not np.isfinite(flat).all():
                return "a weight is not a number"
        if not Training.same(net_of(*arrays), last):
            return f"its weights are not those of checkpoints/{period_name(run.periods - 1)}.npz"
        return ""


def _outcomes(rows: Array, results: Array) -> Array:
    """Return +1 where the learner won a game, -1 where it lost, else 0."""
    won = results["wins_a"].astype(np.int64) - results["wins_b"]
    outcomes: Array = np.where(rows["a"] == LEARNER, won, -won)
    return outcomes


def _line(number: int, rounds: Array, pool: int, over: OsfpPeriod | None) -> dict[str, Any]:
    """Return a period's line of learning.csv; rounds: (n, 4), what `round` returned."""
    positions = rounds[:, 1].sum()
    loss, after = (rounds[:, 1] @ rounds[:, k] / max(positions, 1) for k in (2, 3))
    return {"period": number, "games": int(rounds[:, 0].sum()), "positions": int(positions),
            "loss": loss, "loss_after": after, "pool": pool,
            "added": int(over is not None and over.added), "reason": over.reason if over else ""}
