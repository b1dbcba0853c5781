"""Evolution as an experiment: a step is a generation, of one execution after the other."""

from collections.abc import Callable, Generator, Iterator
from typing import Any

import numpy as np

from hsevo.config import Config
from hsevo.errors import ConfigError, RunError
from hsevo.evolution import budget, logs
from hsevo.evolution.confirm import files, games_to_confirm
from hsevo.evolution.evolve import evolve, games_to_play, repeated
from hsevo.evolution.references import ReferenceOpponents, due
from hsevo.evolution.references import games as reference_games
from hsevo.evolution.state import EvolutionState, describe, last_measured
from hsevo.evolution.stored import Earlier, StoredMatches
from hsevo.evolution.strategies import strategy
from hsevo.evolution.verify import EvolutionReport, verify
from hsevo.experiments.budget import planned
from hsevo.experiments.experiment import Experiment
from hsevo.experiments.loggers import LogEntry
from hsevo.experiments.progress import Meter
from hsevo.play.behaviour import Watched
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import Run
from hsevo.runs.formats import FORMAT
from hsevo.runs.individuals import individuals
from hsevo.runs.tables import Generation
from hsevo.seeds import generator
from hsevo.store import sums


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
        return logs.entries(run)

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
        return logs.entry(self.run, step)
