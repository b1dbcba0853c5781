"""`hsevo.learn` and `hsevo.Learned`: a player that learns by playing, and its run folder.

A step is a period, made by the trainer of the plan's policy. A log (TensorBoard) of a run holds a
copy of its tables, a step a period.

    learning/COLUMN                  the line of learning.csv, its seconds of CPU time
    references/OPPONENT/COLUMN       win rate with its interval, where it was measured
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, Unpack

import numpy as np
import pandas as pd

from hsevo.agents.learned.nets import refuse_unknown
from hsevo.agents.registry import NET, ROSTER
from hsevo.cards.deck_pool import DeckDraws
from hsevo.cards.decks import Deck, class_of, read_decks, refuse_lists
from hsevo.cards.terms import Class
from hsevo.config import Workers, as_whole, check_number, in_order, whole
from hsevo.config.learning import END_TO_END, SCRATCH, Plan
from hsevo.errors import AgentError, ConfigError, HsevoError, RunError, names_or_count, quoted
from hsevo.experiments import watching
from hsevo.experiments.experiment import MOST, Experiment
from hsevo.experiments.loggers import LogEntry, tag
from hsevo.experiments.playing import Progress
from hsevo.experiments.progress import Meter, planned
from hsevo.generated import LearnFields, WorkersFields
from hsevo.learning import budget
from hsevo.learning import deck_building as built
from hsevo.learning.deck_building import DeckBuilding
from hsevo.learning.folder import LearnedPeriod, LearningRun, is_learning, period_name
from hsevo.learning.measures import due, games_measured, games_of_payoff, games_to_play
from hsevo.learning.plan import refuse_unused
from hsevo.learning.pretrained import check_pretrained
from hsevo.learning.trainers import trainer
from hsevo.learning.verify import LearningReport, games_to_verify, verify
from hsevo.objects import Fields
from hsevo.play.specs import short_names
from hsevo.play.workers import Executor, OnGames, open_workers
from hsevo.runs import checkpoints
from hsevo.strength.agents import Agent, AgentLike
from hsevo.strength.roster import contents, net_parts, read_agent
from hsevo.types import Array


@dataclass(frozen=True)
class LearningState(watching.State[Plan]):
    """A learning run at one moment; before the first period, tables are empty."""

    learning: pd.DataFrame
    references: pd.DataFrame

    @property
    def periods(self) -> int:
        """How many periods are committed."""
        return len(self.learning)

    @property
    def where(self) -> str:
        """The last committed period, in words; that there is none."""
        return (f"period {self.periods - 1} of {self.plan.periods - 1}" if self.periods
                else "no period yet")

    def lines(self, before: LearningState | None = None) -> list[str]:
        """Return a line per period since an earlier state; without one, of all periods."""
        if before is None and not self.periods:
            return [self.where]
        table, since = self.references, before.periods if before else 0
        measured = dict(list(table.groupby("period"))) if len(table) else {}
        return [period_line(self.plan, row, measured.get(row["period"]))
                for row in self.learning.iloc[since:].to_dict("records")]


def period_line(plan: Plan, row: Mapping[Any, Any], measured: pd.DataFrame | None) -> str:
    """Return a period in words: of its line of learning.csv, and its lines of references.csv."""
    said = [f"period {row['period']} of {plan.periods - 1}: {row['positions']:,} positions, loss"
            f" {row['loss']:.4f}, pool {row['pool']}"]
    lines = [] if measured is None else measured.to_dict("records")
    names = short_names([one["opponent"] for one in lines])
    said += [f"{names[one['opponent']]} {100 * one['rate']:.1f} % ({100 * one['rate_low']:.1f} to"
             f" {100 * one['rate_high']:.1f})" for one in lines]
    return ", ".join(said)


class Learned(LearningRun, Experiment[Plan, LearnedPeriod]):
    """A run folder of hsevo learn, finished or not. Raises RunError if `path` is not one.

    path: the folder, or "rl:RUN", as its player is named.

    >>> few = {"periods": 2, "rounds": 1, "games": 4, "payoff_games": 1}
    >>> path = hsevo.learn("osfp-smoke", out="runs/learned", changes=few).path
    >>> hsevo.Learned(path)
    Learned('runs/learned': osfp-smoke, seed 1, 2 of 2 periods, done)
    >>> hsevo.Learned(path).checkpoints
    ['period-0000', 'period-0001']
    """

    FIELDS: ClassVar[Fields] = {
        **Experiment.FIELDS, "checkpoints": "checkpoints", "learning": "learning",
        "references": "references"}

    STATE, STEPS = LearningState, "periods"
    EXAMPLE = "{'periods': 4}"
    LOGS = "learning"
    STATE_AS_JSON = False

    def __init__(self, path: str | Path) -> None:
        super().__init__(_folder_of(str(path)))

    @classmethod
    def read_parts(cls, plan: Plan) -> tuple[Sequence[Deck], dict[str, Array],
                                             dict[str, bytes]]:
        """Read decks, agents and files; refuse keys that only the other policy reads."""
        refuse_unused(plan)
        decks = read_decks(plan.deck_names, plan.ruleset)
        if plan.shares:
            if sum(plan.shares.parts[:3]):
                refuse_lists(plan.ruleset)
            DeckDraws(plan.shares, plan.ruleset, decks)  # can decks be drawn?
        if plan.policy != END_TO_END:
            refuse_unknown(plan.ruleset, decks)
        files: dict[str, bytes] = {}
        if plan.policy == END_TO_END:
            from hsevo.learning.end_to_end import train as runs
            from hsevo.learning.end_to_end.updates import check_device

            check_device(plan.network)
            if data := runs.opponent_bytes(plan.against):
                files[runs.OPPONENT] = data
        named = [name for name in (plan.start, plan.pretrained, plan.against)
                 if name not in (None, SCRATCH) and not (name == plan.against and files)]
        agents = {name: read_agent(name, decks,
                                   compiled=plan.policy != END_TO_END or name == plan.start)
                  for name in (*named, *plan.references.against)}
        for name, agent in agents.items():
            if agent.ndim > 1:
                raise AgentError(f"'{name}' has other weights for each deck, which hsevo learn does"
                                 " not take yet")
        if plan.pretrained is not None:
            check_pretrained(plan.pretrained, agents[plan.pretrained])
        return decks, agents, files

    @property
    def learning(self) -> pd.DataFrame:
        """A row a period: games, positions, loss before and after a round's steps, pool."""
        return self.now().table("learning.csv")

    @property
    def references(self) -> pd.DataFrame:
        """The learner against each reference opponent after a period: win rate with interval."""
        return self.now().table("references.csv")

    @property
    def times(self) -> pd.DataFrame:
        """CPU seconds of each period, in this process, without its measurements."""
        return self.now().table("times.csv")

    @property
    def payoff(self) -> pd.DataFrame:
        """All checkpoints against all, each pair once; empty until the run is done."""
        return self.now().table("payoff.csv")

    @property
    def checkpoints(self) -> list[str]:
        """The names of its checkpoints, the oldest first."""
        return checkpoints.names(self.path)

    def agent(self, checkpoint: str | int = "", temperature: float | None = None) -> Agent:
        """Return the learned player of a checkpoint, by name or period (default: the last).

        temperature: 0 for the best actions, else as in its spec; default: 1 of an end-to-end
        policy, which samples its actions, 0 of others. Raises AgentError.
        """
        if not isinstance(checkpoint, str) and (period := as_whole(checkpoint)) is not None:
            checkpoint = period_name(period)
        spec = f"rl:{self.path}" + (f"#{checkpoint}" if checkpoint else "")
        if temperature is not None:  # without an exponent, which specs don't have
            spec += f"?temperature={np.format_float_positional(temperature, trim='-')}"
        return Agent(spec)

    def build_decks(self, number: int = 1, *, classes: Sequence[str] = (), seed: int = 1,
                    checkpoint: str | int = "", temperature: float = 1.0) -> list[Deck]:
        """Return decks that an end-to-end policy builds, `number` of each class, class after class.

        classes: by default those that it learned to build for. temperature: 0 for the best card
        each time, which is always the same deck. Equal seeds are equal decks. Raises AgentError
        for a player that builds none, ConfigError for a class that it has no network of.
        """
        number = check_number("number", number, 1)
        seed = whole("seed", seed, 0, 2**64 - 1)
        from hsevo.learning.acting.agents import built_decks

        heroes = [class_of(one) for one in in_order("classes", classes)] or sorted(
            {Class[deck.hero_class] for deck in self.decks})
        record = self.agent(checkpoint, temperature).record
        return [Deck(deck, name=f"{deck.hero_class.lower()}-{k}") for one in heroes
                for k, deck in enumerate(built_decks(record, one, number, seed), 1)]

    def deck_building(self, number: int = 200, *, every: int = 1, games: int = built.GAMES,
                      pilots: AgentLike | Iterable[AgentLike] = built.PILOTS, seed: int = 1,
                      out: str | Path | None = None, progress: Progress = False,
                      **team: Unpack[WorkersFields]) -> DeckBuilding:
        """Return how an end-to-end policy came to build its decks, and what these are worth.

        number: decks of each class that each checkpoint builds, 1 to 10,000. every: 4 takes
        each fourth checkpoint, and the last. games: at least so many, 1 to 10,000, of the decks of
        the last checkpoint with each pilot against each kind of other decks. pilots: who plays both
        sides, "own" for the policy itself at temperature 0. out: a new folder for tables and
        picture. Equal seeds give equal results, with any workers and backend.

        Raises AgentError for a player that builds no decks, a run without a checkpoint, or an
        unknown pilot; ConfigError, RunError, WorkersError.
        """
        return built.deck_building(self, number, every=every, games=games, pilots=pilots,
                                   seed=seed, out=out, progress=progress, **team)

    def resume(self, *, periods: int | None = None,  # type: ignore[override]
               workers: int | None = None, backend: str | None = None, log: Sequence[str] = (),
               progress: Progress = False) -> Self:
        """Continue to the end; a finished run is only logged.

        periods: continue to so many, as if the run had been planned so from its start. log:
        "tensorboard". Raises RunError if the run is another engine's, or in use;
        ConfigError for periods that it has, or if its learning rate depends on their number.
        """
        self._resume(periods, workers, backend, log, progress)
        return self

    def lines(self) -> list[str]:
        """Return a line of text per period, with what it was measured against."""
        state: LearningState = self.state
        return state.lines() if state.periods else []

    # --- Its life

    @property
    def steps_done(self) -> int:
        """How many periods are committed."""
        return self.periods

    def steps(self) -> Generator[LearnedPeriod, None, None]:
        """Learn all periods after the last committed one; then all checkpoints meet all."""
        plan = self.plan
        with trainer(plan)(self, self.executor, self.threads, self.on_games) as training:
            for number in range(self.periods, plan.periods):
                yield training.period(number)
            self.made = {"payoff.csv": self.tables["payoff.csv"].text(training.payoff())} if (
                plan.payoff_games) else {}

    def show(self, step: LearnedPeriod, meter: Meter) -> str:
        """Print the line of a period, and return it."""
        line = period_line(self.plan, step.line, step.measured)
        meter.say(line)
        return line

    def notes(self) -> Iterator[str]:
        """Yield where else a course would be another, and whether this one will be."""
        if self.plan.policy == END_TO_END and self.plan.network.actors != "rounds":
            yield ("games are played while it learns (network.actors:"
                   f" {self.plan.network.actors}): no two runs are alike, also after a stop")
            return
        if self.plan.policy == END_TO_END:
            yield ("bit-identical with any number of workers, on this kind of processor with this"
                   " version of PyTorch; elsewhere, and on GPUs, the course differs")
        if self.periods and (why := trainer(self.plan).may_differ(self)):
            yield f"{why}: from here the course may be another"

    def games(self) -> dict[tuple[int, int], int]:
        """Return the games of each period, with its measurement; at the end those of the payoff."""
        plan = self.plan
        found = {(1, period): plan.rounds * plan.games_per_round + games_measured(
            plan, range(period, period + 1)) for period in range(self.periods)}
        return found | ({(1, plan.periods): games_of_payoff(plan)} if self.final else {})

    @property
    def games_left(self) -> int:
        """How many games are left."""
        return 0 if self.final else games_to_play(self.plan, self.periods)

    def details(self) -> dict[str, Any]:
        """Return its tables, for its state."""
        return {"learning": self.table("learning.csv"), "references": self.table("references.csv")}

    def refuse_damage(self) -> None:
        """Read all that a run continues with. Raises RunError if it can't; nothing is written."""
        if not self.final:
            with open_workers(Workers(backend="serial")) as executor, trainer(self.plan)(
                    self, executor, 1, lambda games: None):
                pass

    def refuse_steps(self, number: int) -> None:
        """Raise ConfigError if a run can't have so many periods.

        A learning rate that falls depends on how many there are.
        """
        ours = self.plan.policy == END_TO_END
        part = self.plan.network if ours else self.plan.learner
        if part.last_rate not in (None, part.rate) and self.periods:
            key = "network.last_rate" if ours else "learner.last_rate"
            raise ConfigError(
                f"{self.path} can't have {number:,} periods: its learning rate falls from"
                f" {part.rate:g} to {part.last_rate:g} over {self.plan.periods:,}, so with"
                " another number it would have learned otherwise from the start; begin a new run"
                f" with --set periods={number} (or with {key}={part.rate:g}, which"
                " can be prolonged)")
        super().refuse_steps(number)

    def forget(self) -> None:
        """Take away payoff.csv, of all periods, and what was measured because it was the last."""
        last = self.periods - 1
        self.take_back([last] if self.periods and not due(self.plan, last) else [])

    @classmethod
    def to_verify(cls, path: Path) -> Self:
        """Open and lock a folder: a step replaces the learner's state. Raises RunError if in use.
        """
        return cls.hold(path)

    @property
    def games_to_verify(self) -> int:
        """How many games `verify` plays again."""
        return games_to_verify(self)

    def checked(self, executor: Executor, threads: int, on_games: OnGames) -> LearningReport:
        """Play its measurements again, and learn its first period again."""
        return verify(self, executor, threads, on_games)

    def entries(self) -> Iterator[LogEntry]:
        """Yield what a log has of all committed periods, in order. Raises RunError."""
        times, measured = self.table("times.csv"), self.measured()
        seconds = dict(zip(times["period"], times["cpu_seconds"], strict=True)) if (
            len(times)) else {}
        for line in self.table("learning.csv").to_dict("records"):
            number = int(line["period"])
            yield self._entry(line, seconds.get(number, 0.0), measured.get(number))

    def entry(self, step: LearnedPeriod) -> LogEntry:
        """Return what a log has of a period."""
        return self._entry(step.line, step.seconds, step.measured)

    def _entry(self, line: Mapping[Any, Any], seconds: float,
               measured: pd.DataFrame | None) -> LogEntry:
        """Return the entry of a line of learning.csv, and of its lines of references.csv."""
        values = self.tables["learning.csv"].logged("learning", line)
        values["learning/cpu_seconds"] = float(seconds)
        for row in [] if measured is None else measured.to_dict("records"):
            values |= self.tables["references.csv"].logged(f"references/{tag(row['opponent'])}",
                                                           row)
        number = int(line["period"])
        return LogEntry(1, number, self.written(self.net(number)), values, {})

    @classmethod
    def costs(cls, plan: Plan, parts: Any) -> Callable[[Plan], float]:
        """Return what gives the seconds of a plan, measured by some rounds."""
        return budget.measure(plan, *parts).run

    @classmethod
    def fitted(cls, plan: Plan, parts: Any, minutes: float) -> tuple[Plan, str]:
        """Return the plan with as many periods as fit, and what was planned, in words."""
        return planned(plan, cls.STEPS, cls.costs(plan, parts), minutes, plan.imitates + 1, MOST)


def _folder_of(name: str) -> Path:
    """Return the folder of a run that is named by its path or as rl:RUN. Raises RunError."""
    if not name.startswith(f"{NET}:") or Path(name).exists():
        return Path(name)
    if name.partition("?")[0] in ROSTER:
        raise RunError(f"{quoted(name)} is shipped without the run that it learned in; name a run"
                       f" of yours: {NET}:RUN")
    source, checkpoint, options = net_parts(name)
    if checkpoint or options:
        raise RunError(f"{quoted(name)} is one player of a run; name the run alone:"
                       f" {NET}:{source}")
    return Path(source)


def unlearned(spec: str, decks: Iterable[Deck]) -> str:
    """Return what decks the player of a run folder learned with, if not with all of these; or "".

    In words that go on after its name. Also "" for other agents, and where the decks can't be read:
    a checkpoint's file has none.
    """
    path = Path(spec.removeprefix(f"{NET}:").partition("?")[0].partition("#")[0])
    named = spec.partition("?")[0] in ROSTER
    if named or not spec.startswith(f"{NET}:") or not is_learning(path):
        return ""
    try:
        run = LearningRun(path)
        known = run.decks
    except HsevoError:  # also of a config with keys unknown here
        return ""  # damaged; its checkpoint, which played, is not
    if run.plan.shares:
        return ""  # it learned any deck
    lists = {contents(deck) for deck in known}
    others = [deck.name for deck in decks if contents(deck) not in lists]
    learned = names_or_count(deck.name for deck in known)
    return f"learned {learned}, and not {names_or_count(others)}" if others else ""


def learn(source: str | Path | Plan = "osfp-small", changes: Mapping[str, Any] | None = None, *,
          out: str | Path | None = None, minutes: float | None = None, log: Sequence[str] = (),
          progress: Progress = False, **fields: Unpack[LearnFields]) -> Learned:
    """Have a player learn by playing, into a run folder, and return the run.

    source: the name of a learning config, a path, or a Plan. changes: keys of the config with other
    values, {"periods": 4, "learner.trace": 0.9}; those without a point may be keywords, too, as
    seed=7 or start="eva:2018", and so may workers and backend. log: "tensorboard". Results are
    bit-identical with any workers and backend. A stopped run continues with
    `Learned(path).resume()`. minutes: plan as many periods as fit into them; not with periods in
    changes.

    Raises ConfigError, DeckError, AgentError, RunError, WorkersError, GameError.

    >>> few = {"periods": 1, "rounds": 2, "games": 4, "payoff_games": 0}
    >>> run = hsevo.learn("osfp-smoke", seed=7, out="runs/mine", changes=few)
    >>> run.learning[["period", "games", "pool"]].values.tolist()
    [[0, 72, 1]]
    """
    return Learned.begin(
        source, changes, log=log, minutes=minutes, progress=progress,
        given={**fields, "out": str(out) if out else None})
