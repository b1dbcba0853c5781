"""`hsevo.learn` and `hsevo.Learned`: a player that learns by playing, and its folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd

from hsevo import config
from hsevo.agents.learned.nets import refuse_unknown
from hsevo.agents.registry import NET
from hsevo.api.agents import Agent
from hsevo.api.decks import as_decks
from hsevo.api.pool import Progress, measuring, playing, print_line, workers_of
from hsevo.cards.decks import Deck, refuse_foreign
from hsevo.config.learning import END_TO_END, SCRATCH, Plan
from hsevo.errors import AgentError, ConfigError, HsevoError, names_or_count
from hsevo.evolution import loggers
from hsevo.evolution.budget import check_minutes
from hsevo.files import check_path
from hsevo.learning import budget, logs
from hsevo.learning import verify as verification
from hsevo.learning.folder import LearningRun, default_path, is_learning, period_name
from hsevo.learning.measures import games_to_play
from hsevo.learning.plan import change_plan, load_plan, refuse_unused
from hsevo.learning.prolonging import prolong, refuse_damage
from hsevo.learning.trainer import trainer
from hsevo.play.specs import short_names
from hsevo.play.workers import worker_count
from hsevo.runs import checkpoints
from hsevo.strength.roster import read_agent


class Learned:
    """A run folder of hsevo learn, finished or not. Raises RunError if `path` is not one.

    >>> few = {"periods": 2, "rounds": 1, "games": 4, "payoff_games": 1}
    >>> path = hsevo.learn("osfp-smoke", out="runs/learned", changes=few).path
    >>> hsevo.Learned(path)
    Learned('runs/learned': osfp-smoke, seed 1, 2 of 2 periods, done)
    >>> hsevo.Learned(path).checkpoints
    ['period-0000', 'period-0001']
    """

    def __init__(self, path: str | Path) -> None:
        check_path(Path(path))
        self.path = Path(path)
        self.folder = LearningRun.open(self.path)

    @classmethod
    def create(cls, plan: Plan, out: str | Path | None = None, *, minutes: float | None = None,
               progress: Progress = False) -> Learned:
        """Make the folder of a new run, which `resume` plays.

        minutes: plan as many periods as fit into them, by rounds that are learned for it.

        Raises RunError, AgentError; ConfigError also for a key that only the other policy reads.
        """
        refuse_unused(plan)
        decks = as_decks(plan.decks)
        if len({deck.name for deck in decks}) < len(decks):
            raise ConfigError("two decks have the same name; give each a name of its own")
        refuse_foreign(decks, plan.ruleset)
        if plan.policy != END_TO_END:
            refuse_unknown(plan.ruleset, decks)
        files = {}
        if plan.policy == END_TO_END:
            from hsevo.learning.end_to_end import train as runs

            runs.settings_of_plan(plan)  # is there such a device?
            if data := runs.opponent_bytes(plan.against):
                files[runs.OPPONENT] = data
        named = [name for name in (plan.start, plan.against)
                 if name not in (None, SCRATCH) and not (name == plan.against and files)]
        agents = {name: read_agent(name, decks, compiled=plan.policy != END_TO_END)
                  for name in (*named, *plan.references.against)}
        for name, agent in agents.items():
            if agent.ndim > 1:
                raise AgentError(f"'{name}' has other weights for each deck, which hsevo learn does"
                                 " not take yet")
        target, said = out or plan.out, ""
        if minutes is not None:
            check_minutes(minutes, plans="periods")
            if target:
                LearningRun.refuse_used(Path(target))
            with measuring(progress):
                costs = budget.measure(plan, decks, agents, files)
            plan, said = budget.planned(plan, costs, minutes)
        path = Path(target) if target else default_path(plan)
        run = LearningRun.create(path, plan, decks, agents, files)
        if said:
            run.log(said)
            if progress is True:
                print_line(said)
        return cls(run.path)

    @property
    def plan(self) -> Plan:
        """Its settings, as resolved when it began."""
        return self.folder.plan

    @property
    def done(self) -> bool:
        """Whether it is finished."""
        return LearningRun.open(self.path).done

    @property
    def learning(self) -> pd.DataFrame:
        """A row a period: games, positions, loss before and after a round's steps, pool."""
        return self._table("learning.csv")

    @property
    def references(self) -> pd.DataFrame:
        """The learner against each reference opponent after a period: win rate with interval."""
        return self._table("references.csv")

    @property
    def times(self) -> pd.DataFrame:
        """CPU seconds of each period, in this process, without its measurements."""
        return self._table("times.csv")

    @property
    def payoff(self) -> pd.DataFrame:
        """All checkpoints against all, each pair once; empty until the run is done."""
        return self._table("payoff.csv")

    @property
    def checkpoints(self) -> list[str]:
        """The names of its checkpoints, the oldest first."""
        return checkpoints.names(self.path)

    def agent(self, checkpoint: str | int = "", temperature: float = 0.0) -> Agent:
        """Return the learned player of a checkpoint, by name or period (default: the last).

        temperature: 0 for the best actions, else as in its spec; an end-to-end policy, which draws
        its actions always, has none. Raises AgentError, ConfigError without PyTorch.
        """
        if isinstance(checkpoint, int):
            checkpoint = period_name(checkpoint)
        spec = f"rl:{self.path}" + (f"#{checkpoint}" if checkpoint else "")
        return Agent(spec + (f"?temperature={temperature}" if temperature else ""))

    def resume(self, *, periods: int | None = None, workers: int | None = None,
               backend: str | None = None, log: Sequence[str] = (),
               progress: Progress = False) -> Learned:
        """Continue to the end; a finished run is only logged.

        periods: go on to so many, as if the run had been planned so from its start. log:
        "tensorboard", "mlflow". Raises RunError if the run is another engine's, or in use;
        ConfigError for periods that it has, or if its learning rate depends on their number.
        """
        loggers.load(log)
        run = LearningRun.resume(self.path, refuse_damage)
        try:
            said = prolong(run, periods)
            if said and progress is True:
                print_line(said)
            if run.done:
                with logs.opened(run, log, lambda line: None):
                    pass  # what is committed is all there is to log
            else:
                team = change_plan(run.plan, {"workers.count": workers,
                                              "workers.backend": backend}).workers
                _train(run, team, log, progress)
        finally:
            run.close()
        self.folder = LearningRun.open(self.path)
        return self

    def verify(self, *, workers: int | None = None, backend: str | None = None,
               progress: Progress = False) -> verification.Report:
        """Play its measurements again, and learn its first period again; return a report.

        Raises RunError if the folder is in use or can't be read.
        """
        team = workers_of(workers, backend)
        with closing(LearningRun.hold(self.path)) as run, playing(
                verification.games_to_verify(run), team, progress) as (executor, meter):
            return verification.verify(run, executor, worker_count(team), meter.advance)

    def lines(self) -> list[str]:
        """Return a line of text per period, with what it was measured against."""
        measured = dict(list(self.references.groupby("period"))) if len(self.references) else {}
        found = []
        for row in self.learning.to_dict("records"):
            table = measured.get(row["period"])
            rates = {} if table is None else {
                one["opponent"]: one for one in table.to_dict("records")}
            named = {str(name): value for name, value in row.items()}
            found.append(period_line(self.plan, named | {"references": rates}))
        return found

    def _table(self, name: str) -> pd.DataFrame:
        return LearningRun.open(self.path).table(name)

    def __repr__(self) -> str:
        run = LearningRun.open(self.path)
        return (f"Learned('{self.path}': {run.plan.name}, seed {run.plan.seed}, {run.periods} of"
                f" {run.plan.periods} periods, {'done' if run.done else 'open'})")


def unlearned(spec: str, decks: Iterable[Deck]) -> str:
    """Return what decks the player of a run folder learned with, if not with all of these; or "".

    In words that go on after its name. Also "" for other agents, and where the decks can't be read:
    a checkpoint's file has none.
    """
    path = Path(spec.removeprefix(f"{NET}:").partition("?")[0].partition("#")[0])
    if not spec.startswith(f"{NET}:") or not is_learning(path):
        return ""
    try:
        known = LearningRun.open(path).decks
    except HsevoError:  # also of a config with keys unknown here
        return ""  # damaged; its checkpoint, which played, is not
    contents = {(deck.hero, tuple(sorted(deck.cards))) for deck in known}
    others = [deck.name for deck in decks if (deck.hero, tuple(sorted(deck.cards))) not in contents]
    learned = names_or_count(deck.name for deck in known)
    return f"learned {learned}, and not {names_or_count(others)}" if others else ""


def learn(source: str | Path | Plan = "osfp-small", *, seed: int | None = None,
          start: str | None = None, against: str | None = None, out: str | Path | None = None,
          changes: Mapping[str, Any] | None = None, workers: int | None = None,
          backend: str | None = None, log: Sequence[str] = (), minutes: float | None = None,
          progress: Progress = False) -> Learned:
    """Have a player learn by playing, into a run folder, and return the run.

    source: the name of a learning config, a path, or a Plan. start: "scratch", or an agent from
    whose games it learns first. against: meet this agent alone, which shows how exploitable it is.
    changes: keys of the config with other values, {"periods": 4, "learner.trace": 0.9}. log:
    "tensorboard", "mlflow". Results are bit-identical with any workers and backend. A stopped run
    continues with `Learned(path).resume()`. minutes: plan as many periods as fit into them; not
    with periods in changes.

    Raises ConfigError, DeckError, AgentError, RunError, WorkersError, GameError.

    >>> few = {"periods": 1, "rounds": 2, "games": 4, "payoff_games": 0}
    >>> run = hsevo.learn("osfp-smoke", seed=7, out="runs/mine", changes=few)
    >>> run.learning[["period", "games", "pool"]].values.tolist()
    [[0, 72, 1]]
    """
    loggers.load(log)
    plan = source if isinstance(source, Plan) else load_plan(source)
    if not isinstance(changes, Mapping | None):
        raise ConfigError(f"changes is {config.short(changes)}, but must be values by their keys,"
                          " {'periods': 4}")
    check_minutes(minutes, changes or (), "periods")
    given = {"seed": seed, "start": start, "against": against, "out": str(out) if out else None,
             "workers.count": workers, "workers.backend": backend}
    plan = change_plan(plan, dict(changes or {}) | {
        key: value for key, value in given.items() if value is not None})
    return Learned.create(plan, minutes=minutes, progress=progress).resume(
        log=log, progress=progress)


def _train(run: LearningRun, team: config.Workers, log: Sequence[str],
           progress: Progress) -> None:
    """Learn to the end; log and show every period."""
    left, total = games_to_play(run.plan, run.periods), games_to_play(run.plan)
    run.log(f"{'go on' if run.periods else 'begin'} with {team.backend}")
    with playing(total, team, progress, before=total - left) as (executor, meter):
        meter.say(f"run folder {run.path}")

        def say(line: str) -> None:
            meter.say(line)
            run.log(line)

        def show(row: Mapping[str, Any]) -> None:
            say(period_line(run.plan, row))
            write(row)

        with logs.opened(run, log, say) as write:
            if run.plan.policy == END_TO_END:
                say("bit-identical with any number of workers, on this kind of processor with this"
                    " version of PyTorch; elsewhere, and on GPUs, the course differs")
            if run.periods and (why := trainer(run.plan).may_differ(run)):
                say(f"{why}: from here the course may be another")
            trainer(run.plan).train(run, executor, worker_count(team), show, meter.advance)
    run.log("done")


def period_line(plan: Plan, row: Mapping[str, Any]) -> str:
    """Return a period's line of learning.csv in words, with rates against references by name."""
    said = [f"period {row['period']} of {plan.periods - 1}: {row['positions']:,} positions, loss"
            f" {row['loss']:.4f}, pool {row['pool']}"]
    names = short_names(row["references"])
    said += [f"{names[name]} {100 * one['rate']:.1f} % ({100 * one['rate_low']:.1f} to"
             f" {100 * one['rate_high']:.1f})" for name, one in row["references"].items()]
    return ", ".join(said)
