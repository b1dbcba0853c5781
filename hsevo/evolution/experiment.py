"""Evolution as an experiment: a step is a generation, of one execution after the other.

A log of a run (TensorBoard) has a copy of its tables, one step a generation:

    statistics/COLUMN                the line of statistics.csv
    best/WEIGHT                      the weights of the best individual
    references/OPPONENT/COLUMN       its rate and Elo with intervals, where it was measured
    weights/WEIGHT, sigmas/WEIGHT    of the survivors, as histograms
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Config
from hsevo.errors import ConfigError, RunError
from hsevo.evolution import budget
from hsevo.evolution.confirm import files, games_to_confirm
from hsevo.evolution.evolve import evolve, games_to_play, repeated
from hsevo.evolution.references import ReferenceOpponents, due
from hsevo.evolution.references import games as reference_games
from hsevo.evolution.stored import Earlier, StoredMatches
from hsevo.evolution.strategies import strategy
from hsevo.evolution.verify import EvolutionReport, verify
from hsevo.experiments import watching
from hsevo.experiments.experiment import Experiment
from hsevo.experiments.loggers import LogEntry, tag
from hsevo.experiments.progress import Meter, Note, planned
from hsevo.objects import Fields
from hsevo.play.behaviour import Watched
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.about import FORMAT
from hsevo.runs.folder import MATCHES, Run, part_name
from hsevo.runs.tables import (
    SIGMA,
    Generation,
    fitness_text,
    individuals,
    population_table,
    statistics_table,
    weight_names,
)
from hsevo.seeds import generator
from hsevo.store import sums
from hsevo.types import Array


@dataclass(frozen=True)
class EvolutionState(watching.State[Config]):
    """A run at one moment; before the first generation, tables and `weights` are empty."""

    FIELDS: ClassVar[Fields] = {
        **watching.State.FIELDS,
        "execution": lambda self: self.at and self.at[0],
        "generation": lambda self: self.at and self.at[1],
        "best": lambda self: self.at and dict(zip(self.genome.names, self.weights[0], strict=True)),
        "statistics": "statistics", "references": "references"}

    at: tuple[int, int] | None  # execution (from 1) and generation (from 0) committed last
    statistics: pd.DataFrame  # of all executions, as in statistics.csv
    references: pd.DataFrame  # the last measurement, as in references.csv
    ages: Array  # (mu,) of the survivors, in generations
    weights: Array  # (mu, k) of the survivors, the best first
    genome: Genome  # of the k weights

    @property
    def where(self) -> str:
        """The last committed generation, in words; that there is none."""
        return moment(self.plan, *self.at) if self.at else "no generation yet"

    def lines(self, before: EvolutionState | None = None) -> list[str]:
        """Return a line per generation since an earlier state, the last with the progress.

        Without one, the last line alone.
        """
        if before is None and not self.at:
            return [self.where]
        since = (before.at or (0, 0)) if before else (0, 0)
        said = [f"{moment(self.plan, row['execution'], row['generation'])}: "
                + ", ".join(figures(self.plan, row["best"], row["mean"], row["mean_sigma"]))
                for row in self.statistics.to_dict("records")
                if (row["execution"], row["generation"]) > since]
        said[-1:] = [f"{line}, {self.progress()}" for line in said[-1:]]
        return said if before else said[-1:]


def last_measured(measured: pd.DataFrame) -> pd.DataFrame:
    """Return the lines of references.csv of its last generation."""
    if measured.empty:
        return measured
    keys = ["execution", "generation"]
    last: pd.DataFrame = measured[(measured[keys] == measured[keys].iloc[-1]).all(axis=1)]
    return last


def moment(plan: Config, execution: int, generation: int) -> str:
    """Return the number of a generation within its run, as text."""
    many = f"execution {execution} of {plan.executions}, " if plan.executions > 1 else ""
    return f"{many}generation {generation} of {plan.evolution.generations - 1}"


def describe(plan: Config, generation: Generation) -> Note:
    """Return a generation in words: its number, and its survivors' fitness and mean sigma."""
    stay = generation.field[generation.field["survived"]]
    brief = f"{generation.number}/{plan.evolution.generations - 1}"
    if plan.executions > 1:
        brief = f"{generation.execution}: {brief}"
    fitness = stay["fitness"]
    return Note(moment(plan, generation.execution, generation.number),
                figures(plan, fitness.max(), fitness.mean(), stay["sigmas"].mean()), brief)


def figures(plan: Config, best: float, mean: float, sigma: float) -> tuple[str, ...]:
    """Return the figures of a generation as text; a genetic algorithm has no sigmas."""
    unit = " %" * bool(plan.rating.shares)
    said = (f"best {fitness_text(plan, best, unit=False)}{unit}", f"mean {mean:,.1f}{unit}")
    return said if plan.evolution.strategy == "ga" else (*said, f"sigma {sigma:.3f}")


def entries(run: Run) -> Iterator[LogEntry]:
    """Yield the entries of all committed generations of a run, in order. Raises RunError."""
    statistics, population, measured = (
        dict(list(table.groupby(["execution", "generation"])))
        for table in (run.statistics(), run.population(), run.references()))
    for key in run.committed():
        yield _entry(run, statistics[key], population[key], measured.get(key))


def entry(run: Run, new: Generation) -> LogEntry:
    """Return the entry of a generation that has just been committed."""
    people = population_table(new, run.genome.names, run.features)
    return _entry(run, statistics_table(new), people, new.references)


def _entry(run: Run, statistics: pd.DataFrame, population: pd.DataFrame,
           measured: pd.DataFrame | None) -> LogEntry:
    """Make the entry of a generation from its lines of the run's tables."""
    line, names = statistics.iloc[0], weight_names(population)
    stay = population[population["survived"] == 1]
    best = stay[stay["individual"] == line["best_individual"]].iloc[0]
    people, figures, references = (run.tables[name] for name in run.names)
    values = figures.logged("statistics", line) | people.logged("best", best)
    for row in [] if measured is None else measured.to_dict("records"):
        values |= references.logged(f"references/{tag(row['opponent'])}", row)
    spreads = {f"{kind}/{name}": stay[column + name].to_numpy(np.float64)
               for kind, column in (("weights", ""), ("sigmas", SIGMA)) for name in names}
    key = int(line["execution"]), int(line["generation"])
    return LogEntry(*key, run.written(f"{MATCHES}/{part_name(*key)}"), values, spreads)


class Evolving(Experiment[Run, Generation]):
    """Agents whose weights evolve.

    A generation depends on no table of the one before it, so that one may still be written.
    """

    FOLDER, STATE, STEPS = Run, EvolutionState, "evolution.generations"
    AHEAD = True
    LOGS = "execution-{:02}"

    def steps(self) -> Generator[Generation, None, None]:
        """Make all generations after the last committed one, those of measurements measured."""
        self.played = self.games_played(self.run)
        executor = Watched(self.executor) if self.run.features else self.executor
        return evolve(self.run, executor, self.on_games)

    def finish(self) -> None:
        """Have the elites of a map play again, and mark the run as finished."""
        self.run.finish(files(self.run, self.executor, self.on_games))

    def show(self, step: Generation, meter: Meter) -> str:
        """Show a generation; its races may have saved games."""
        measured = 0 if step.references is None else step.references["games"].sum()
        self.played += int(step.pairings["games"].sum() + measured)
        return meter.step(describe(self.run.config, step),
                          self.played + self.games_left(self.run))

    @classmethod
    def legend(cls, run: Run) -> str:
        """Return what the figures of a generation are."""
        won = "win rate" if run.plan.rating.shares else "games won"
        sigma = "" if run.plan.evolution.strategy == "ga" else "; sigma: mean mutation step"
        if run.features:
            won = f"{won.removesuffix('survivors')}best {run.plan.evolution.mu}"
        return f"best, mean: {won} of the survivors (fitness){sigma}"

    @classmethod
    def games(cls, run: Run) -> dict[tuple[int, int], int]:
        """Return the games of every generation, with those of references."""
        keys = ("execution", "generation", "games")
        found = {(execution, number): games + reference_games(run.plan, number)
                 for execution, number, games in run.statistics()[[*keys]].to_numpy(int).tolist()}
        again = run.archive()
        return found | ({(run.plan.executions, run.plan.evolution.generations): int(
            again[["confirmed_games", "last_games"]].sum().sum())} if len(again) else {})

    @classmethod
    def games_left(cls, run: Run) -> int:
        """Return how many games are left, at most."""
        if run.done:
            return 0
        return (games_to_play(run.config, run.start)
                + run.plan.executions * games_to_confirm(run.plan))

    @classmethod
    def details(cls, run: Run) -> dict[str, Any]:
        """Return its tables and its survivors, for its state."""
        found = {"at": None, "statistics": run.statistics(), "genome": run.genome,
                 "references": last_measured(run.references()), "ages": np.zeros(0),
                 "weights": np.zeros((0, run.genome.size))}
        if run.start is None:
            return found
        at = run.start.execution, run.start.number
        stay = individuals(run.population(), *at, [int(i) for i in run.start.population["id"]])
        return found | {"at": at, "ages": at[1] - stay["born"].astype(np.float64),
                        "weights": stay["weights"]}

    @classmethod
    def refuse_damage(cls, run: Run) -> None:
        """Read all that a run continues with. Raises RunError if it can't; nothing is written."""
        ReferenceOpponents.of(run)
        Earlier(run)
        _ = run.opponents
        if run.start is not None and not run.done:
            execution = run.start.execution
            random = generator((run.config.seed, execution))
            strategy(run.config.evolution, run.genome, random, run.start, run.fields(execution))

    @classmethod
    def steps_done(cls, run: Run) -> int:
        """Return how many generations of the last execution are committed."""
        return run.start.number + 1 if run.start else 0

    @classmethod
    def refuse_steps(cls, run: Run, number: int) -> None:
        """Raise ConfigError or RunError if a run can't have so many generations.

        No strategy knows how long a run is to be, so generations do not depend on it.
        """
        planned = run.config.evolution.generations
        if run.about["format"] != FORMAT:
            raise RunError(f"{run.path} is of an older hsevo, and keeps its {planned:,}"
                           " generations; begin a new run")
        if run.start and run.start.execution > 1 and number < planned:
            raise ConfigError(f"generations is {number:,}, but the first execution of {run.path}"
                              f" has {planned:,} already, and they count")
        super().refuse_steps(run, number)

    @classmethod
    def prolong(cls, run: Run, number: int | None) -> str:
        """Continue to so many generations; with several executions, from the first one's end on."""
        planned = run.config.evolution.generations
        if number not in (None, planned) and run.start and run.start.execution > 1:
            cls.refuse_steps(run, number)
            *_, last = repeated(run, 1, StoredMatches(run, 1))
            run.set_aside(last)
        return super().prolong(run, number)

    @classmethod
    def forget(cls, run: Run) -> None:
        """Take out what was measured because it was the last generation, and is not now."""
        run.forget_archive()
        if run.start and not due(run.config, run.start.number):
            run.forget_references()

    @classmethod
    def games_to_verify(cls, run: Run) -> int:
        """Return how many games `verify` plays: those of a map's elites, by the same engine."""
        if not run.done or any(run.about.get(what) != now for what, now in run.marks().items()):
            return 0
        rows = run.archive()
        return int(rows[["confirmed_games", "last_games"]].sum().sum()) if len(rows) else 0

    @classmethod
    def verify(cls, run: Run, executor: Executor, threads: int,
               on_games: OnGames) -> EvolutionReport:
        """Evolve again with the stored results; only elites of a map play again."""
        report = verify(run)
        if not report.problems and cls.games_to_verify(run):
            for name, data in files(run, executor, on_games).items():
                if run.digests.get(name) != sums.of(data):
                    report.problems.append(f"{name}: made again, it is another")
        return report

    @classmethod
    def entries(cls, run: Run) -> Iterator[LogEntry]:
        """Yield what a log has of all committed generations, in order. Raises RunError."""
        return entries(run)

    @classmethod
    def costs(cls, plan: Config, parts: Any) -> Callable[[Config], float]:
        """Return what gives the seconds of a plan, measured by some of its games."""
        return budget.measure(plan, *parts).run

    @classmethod
    def fitted(cls, plan: Config, parts: Any, minutes: float) -> tuple[Config, str]:
        """Return the plan with as many generations as fit, and what was planned, in words."""
        many = f" of each of {plan.executions} executions" if plan.executions > 1 else ""
        return planned(plan, cls.STEPS, cls.costs(plan, parts), minutes, of=many)

    def entry(self, step: Generation) -> LogEntry:
        """Return what a log has of a generation."""
        return entry(self.run, step)
