"""`hsevo.evolve` and `hsevo.Run`: an evolution, and the folder that keeps it.

A step is a generation, of one execution after the other. A log of a run (TensorBoard) has a copy of
its tables, one step a generation:

    statistics/COLUMN                the line of statistics.csv
    best/WEIGHT                      the weights of the best individual
    references/OPPONENT/COLUMN       its rate and Elo with intervals, where it was measured
    weights/WEIGHT, sigmas/WEIGHT    of the survivors, as histograms
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self, Unpack

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.agents.genomes.genome import Genome
from hsevo.agents.registry import evolved_genome
from hsevo.cards.decks import read_decks
from hsevo.config import Config
from hsevo.errors import ConfigError, RunError, WriteError, refuse_unknown
from hsevo.evolution import budget, custom
from hsevo.evolution.confirm import files, games_to_confirm
from hsevo.evolution.custom import Custom
from hsevo.evolution.evolve import evolve as generations
from hsevo.evolution.evolve import games_to_play, repeated
from hsevo.evolution.fitness import (
    field_size,
    games_of_a_pair,
    games_of_an_opponent,
    read_opponents,
)
from hsevo.evolution.references import ReferenceOpponents, due, read_references
from hsevo.evolution.references import games as reference_games
from hsevo.evolution.stored import Earlier, StoredMatches
from hsevo.evolution.strategies import strategy
from hsevo.evolution.verify import EvolutionReport, verify
from hsevo.experiments import watching
from hsevo.experiments.experiment import Experiment, changed
from hsevo.experiments.loggers import LogEntry, tag
from hsevo.experiments.playing import Progress, playing, print_line
from hsevo.experiments.progress import Meter, Note, planned
from hsevo.generated import EvolveFields
from hsevo.objects import Fields
from hsevo.play.behaviour import Watched
from hsevo.play.workers import Executor, OnGames
from hsevo.replays import chances as estimates
from hsevo.replays import replay
from hsevo.replays.stored import MeetingFields, Replay
from hsevo.runs.folder import ARCHIVE, FORMAT, MATCHES, PLAIN, RunFolder, part_name
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
from hsevo.strength import champion_file
from hsevo.strength.agents import Agent
from hsevo.strength.champions import (
    Best,
    find_best,
    fittest,
    last_population,
    pool_size,
    spec_of,
)
from hsevo.strength.rating import Estimate
from hsevo.trust import data as trusting
from hsevo.types import Array


@dataclass(frozen=True)
class EvolutionState(watching.State[Config]):
    """Hold the state of a run; tables and `weights` are empty before the first generation."""

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
        """Last committed generation, in words."""
        return moment(self.plan, *self.at) if self.at else "no generation yet"

    def lines(self, before: EvolutionState | None = None) -> list[str]:
        """Return one line for each generation since an earlier state, the last with the progress.

        Without an earlier state, return only the last line.
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
    fitness, best = stay["fitness"], stay["id"] == generation.survivors[0]
    return Note(moment(plan, generation.execution, generation.number),
                figures(plan, fitness[best][0], fitness.mean(), stay["sigmas"].mean()), brief)


def figures(plan: Config, best: float, mean: float, sigma: float) -> tuple[str, ...]:
    """Return the measurements of a generation as text; some strategies have no sigmas."""
    unit = " %" * plan.rating.in_percent
    average = fitness_text(plan, mean) if plan.rating.fitness else f"{mean:,.1f}{unit}"
    said = (f"best {fitness_text(plan, best, unit=False)}{unit}", f"mean {average}")
    return (*said, f"sigma {sigma:.3f}") if plan.evolution.has_sigmas else said


def games_each(plan: Config, number: int) -> int:
    """Return how many games an individual of a generation plays at most."""
    rating = plan.rating
    others = (field_size(plan, number) - 1) * rating.coevolves + min(rating.hall_of_fame, number)
    fixed = len(rating.opponents.agents) if rating.opponents else 0
    return others * games_of_a_pair(plan) + fixed * games_of_an_opponent(plan)


def _of_games(plan: Config) -> str:
    """Return how many games an individual plays, in words; fewer are played in a race."""
    most = "at most " * bool(plan.rating.hall_of_fame or plan.evolution.own)
    first, last = (games_each(plan, number) for number in (0, plan.evolution.generations - 1))
    other = f" ({first:,} in generation 0)" * (first != last)
    return f"in {most}{last:,} games each{other}"


class Champion(Agent):
    """Represent the best agent of a run, with its win rate.

    Parameters
    ----------
    spec : str
        Spec of the agent.
    best : Best
        Result of the games that found it.
    """

    FIELDS: ClassVar[Fields] = {
        "agent": "best.name", "spec": "spec", "weights": "weights", "rate": "rate",
        "against": "against", "favourites": "favourites", "run_rate": "run_rate",
        "fresh_rate": "fresh_rate", "run_against": "run_against", "optimism": "best.optimism",
        "z": "z", "separable": "separable", "ranking": "ranking"}

    def __init__(self, spec: str, best: Best) -> None:
        super().__init__(spec)
        self.best = best

    @property
    def ranking(self) -> pd.DataFrame:
        """Last population, best first: agent, wins, draws, losses, rate, low, high."""
        return self.best.table

    @property
    def rate(self) -> Estimate:
        """Share of new games won, 0 to 1, with the 95 % Wilson interval."""
        row = self.ranking.iloc[0]
        return Estimate(float(row["rate"]), float(row["low"]), float(row["high"]))

    @property
    def against(self) -> str:
        """Opponents of `rate`, in words: the last population, or the run's fixed opponents."""
        return self.best.against

    @property
    def run_rate(self) -> float:
        """Win rate of the favourites in the run's last generation, 0 to 1. Biased upwards."""
        return self.best.run_rate

    @property
    def fresh_rate(self) -> float:
        """Win rate of the favourites in new games, 0 to 1."""
        return self.best.fresh_rate

    @property
    def favourites(self) -> tuple[str, ...]:
        """Best agents by the fitness of the run's last generation, one for each execution."""
        return self.best.favourites

    @property
    def run_against(self) -> str:
        """Opponents of `run_rate`, in words."""
        return self.best.run_against

    @property
    def z(self) -> float:
        """Lead over the second best, in standard errors. inf if there is no second."""
        return self.best.z

    @property
    def separable(self) -> bool:
        """Whether its lead over the second best is significant (z >= 1.96)."""
        return self.best.separable


class Run(RunFolder, Experiment[Config, Generation]):
    """Open the run folder of an evolution, finished or not.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Raises
    ------
    RunError
        If the folder has no such run, or is damaged.

    Examples
    --------
    >>> path = hsevo.evolve("smoke", seed=1, out="runs/example").path
    >>> run = hsevo.Run(path)
    >>> run
    Run('runs/example': smoke, seed 1, 3 of 3 generations, done)
    >>> run.population.columns[:6].tolist()
    ['execution', 'generation', 'individual', 'parent', 'born', 'age']
    >>> run.champion(games=20)
    Champion('eva:runs/example#individual-1')
    >>> print(run.replay(a=1, b=2))
    execution 1, generation 2: individual 1 (warrior) against individual 2 (warrior)
    game 0 of 2, ...
    """

    FIELDS: ClassVar[Fields] = {
        **Experiment.FIELDS, "best": "_fittest",
        "statistics": "statistics", "references": "references"}

    STATE, STEPS = EvolutionState, "evolution.generations"
    EXAMPLE = "{'evolution.mu': 20}"
    AHEAD = True  # a generation depends on no table of the one before it
    LOGS = "execution-{:02}"

    @classmethod
    def _read_parts(cls, plan: Config, trust: bool = False) -> tuple[Any, ...]:
        """Read the inputs of a new run, and try what of it is the user's."""
        decks = read_decks(plan.all_decks, plan.ruleset)
        references = read_references(plan, decks[:len(plan.decks)], trust)
        methods = PLAIN
        with trusting(trust):
            own = custom.load(plan, files := custom.read(plan))
        if own.strategy:
            genome = evolved_genome(plan, [deck.name for deck in decks])
            tried = own.strategy(plan.evolution, genome, generator((plan.seed, 1)))
            tried.ask(0)
            methods = tried.methods
        return decks, references, read_opponents(plan, decks), files, methods

    @cached_property
    def _custom(self) -> Custom:
        """What of the run is the user's, to continue it."""
        return custom.load(self.plan, custom.stored(self, resuming=True), self.methods)

    @property
    def population(self) -> pd.DataFrame:
        """All individuals of all generations, one row each: fitness, age, weights, sigmas."""
        return self._now().table(self.names[0])

    @property
    def statistics(self) -> pd.DataFrame:
        """One row for each generation: fitness, ages, sigmas and games of the survivors."""
        return self._now().table(self.names[1])

    @property
    def references(self) -> pd.DataFrame:
        """Best individuals against the reference opponents of the config. May be empty."""
        return self._now().table(self.names[2])

    @property
    def archive(self) -> pd.DataFrame:
        """Elites of a map, of the strategies map-elites and cma-me, best first.

        The columns are those of `archive.csv`. Empty before the end of the run.
        """
        return self._now().table(ARCHIVE)

    @property
    def matches(self) -> pd.DataFrame:
        """All matches of all generations: individuals, decks, counts, seed."""
        tables = [self.matches_of(*moment) for moment in self._now().committed()]
        return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()

    @property
    def _fittest(self) -> dict[str, Any]:
        """Return the best of the last population by its fitness, for JSON."""
        names, rows = last_population(self)
        best = fittest(names, rows)
        weights = dict(zip(self.genome.names, rows["weights"][best], strict=True))
        return {"agent": names[best], "spec": self.agent(names[best]).spec,
                "fitness": rows["fitness"][best],
                "estimated": bool(self.config.rating.racing), "weights": weights}

    @property
    def best(self) -> Agent:
        """Best individual by the fitness of the last generation, which is noisy. See `champion`.

        If your own strategy has a method `best`, it is the recommendation in that generation.
        """
        names, rows = last_population(self._now())
        return self.agent(names[fittest(names, rows)])

    @property
    def agents(self) -> list[Agent]:
        """Last population, best by fitness first."""
        return [self.agent(name) for name in last_population(self._now())[0]]

    def agent(self, individual: int | str) -> Agent:
        """Return an individual of the run.

        Parameters
        ----------
        individual : int or str
            Number or name of the individual.

        Returns
        -------
        Agent
            The individual.

        Raises
        ------
        AgentError
            If there is no such individual.
        """
        return Agent(spec_of(self, str(individual)))

    def champion(self, games: int = 200, *, workers: int | None = None,
                 backend: str | None = None, progress: Progress = False) -> Champion:
        """Find the best individual of the last population in new games.

        The fitness of one generation is noisy. All survivors therefore play again, with new seeds,
        against each other and the run's fixed opponents, as in the run. RUN/champion.json stores
        the result, if it can be written. A stored result of at least as many games by this engine
        is returned without new games.

        Parameters
        ----------
        games : int, default 200
            Games per pair of decks for every two individuals.
        workers : int, optional
            Number of workers. Default: one per core.
        backend : {"threads", "loky", "dask", "serial"}, optional
            How games run in parallel. It does not change results.
        progress : bool or callable, default False
            Show a progress bar, or call a function with the games played and in total.

        Returns
        -------
        Champion
            The best individual, with its win rate.

        Raises
        ------
        HsevoError
            If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.
        """
        now, total = self._now(), pool_size(self, games)
        worker_config = config.change(self.config, {"workers.count": workers,
                                                    "workers.backend": backend}).workers
        known = champion_file.read(now)
        if known and known.covers(games):
            if progress is True:
                print_line(f"{self.path}/{champion_file.FILE}: the last population was already"
                           f" rated, {known.games:,} games per pair of decks")
            return Champion(spec_of(now, known.best.name), known.best)
        with playing(total, worker_config, progress,
                     ruleset=self.config.ruleset) as (executor, meter):
            best = find_best(now, executor, games, meter.advance)
        with suppress(WriteError):  # the folder may be read-only
            champion_file.write(now, best, games)
        return Champion(spec_of(now, best.name), best)

    def replay(self, generation: int | None = None, a: int | str | None = None,
               b: int | str | None = None, **which: Unpack[MeetingFields]) -> Replay:
        """Return a stored game of the run, ready to be replayed.

        Parameters
        ----------
        generation : int, optional
            Number of the generation. Default: the last.
        a, b : int or str, optional
            Numbers of individuals, or names of fixed opponents (rating.opponents). Default: the
            best and the second best.
        **which : MeetingFields
            `deck_a`, `deck_b`, `execution`, `game` (from 0), `part` (index of the match in
            `meetings` with the same arguments) and `chances`, see `hsevo.replay`.

        Returns
        -------
        Replay
            The game.

        Raises
        ------
        RunError
            If there is no such match.
        ConfigError
            If a name is unknown.
        """
        refuse_unknown("replay", which, MeetingFields.__annotations__)
        rest: dict[str, Any] = {**which}
        game, chances = rest.pop("game", 0), rest.pop("chances", estimates.GAMES)
        meeting = replay.find(self._now(), generation=generation, a=a, b=b, **rest)
        return Replay(meeting, game, chances)

    def meetings(self, generation: int | None = None, **which: Any) -> pd.DataFrame:
        """Return the stored matches of a generation that fit the arguments.

        Parameters
        ----------
        generation : int, optional
            Number of the generation. Default: the last.
        **which
            Players `a` and `b` (numbers, and names of fixed opponents), and decks, as in `replay`.

        Returns
        -------
        pandas.DataFrame
            The matches. The index is the `part` of `replay`.

        Raises
        ------
        RunError
            If the folder is damaged.
        """
        run = self._now()
        return replay.with_names(run, replay.meetings(run, generation=generation, **which))

    def resume(self, *, generations: int | None = None, workers: int | None = None,
               backend: str | None = None, log: Sequence[str] = (), progress: Progress = False,
               trust: bool = False) -> Self:
        """Continue to the end. A finished run is only logged.

        Parameters
        ----------
        generations : int, optional
            Continue to this number of generations, as if it had been planned from the start.
        workers : int, optional
            Number of workers. Default: one per core.
        backend : {"threads", "loky", "dask", "serial"}, optional
            How games run in parallel. It does not change results.
        log : sequence of str, optional
            Logs to write: "tensorboard".
        progress : bool or callable, default False
            Show a progress bar, or call a function with the games played and in total.
        trust : bool, default False
            Run the files of its Python players, and of its own strategy and fitness.

        Returns
        -------
        Self
            The finished run.

        Raises
        ------
        RunError
            If the folder is damaged or in use, or the engine or method has changed.
        ConfigError
            If the run has this number of generations.
        AgentError
            If a Python player is not trusted, or has changed.
        """
        self._resume(generations, workers, backend, log, progress, trust=trust)
        return self

    def _resume(self, *args: Any, **how: Any) -> None:
        with trusting(how.get("trust", False)):
            super()._resume(*args, **how)

    def _refuse(self, number: int | None, trust: bool = False) -> None:
        if number or not self.final:
            _ = self._custom
        if (number or not self.final) and (references := ReferenceOpponents.of(self)):
            references.find(trust)

    def _outdated(self) -> Iterator[str]:
        if (self.path / champion_file.FILE).exists():
            yield ("its champion was the best of an earlier generation; after the run, find the new"
                   f" champion with: hsevo export-best {self.path}")

    def _execution(self) -> str:
        many = self.plan.executions
        return f", execution {self.start.execution} of {many}" if self.start and many > 1 else ""

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>{self.statistics.tail(5).to_html(index=False)}"

    # --- Its life

    @property
    def steps_done(self) -> int:
        """Number of committed generations of the last execution."""
        return self.start.number + 1 if self.start else 0

    def _steps(self) -> Generator[Generation, None, None]:
        """Make all remaining generations, then let the elites of a map play again."""
        self._played = self._games_played
        watches = self.plan.evolution.watches
        executor = Watched(self.executor) if watches else self.executor
        yield from generations(self, executor, self._count_games, self._custom)
        self._settle()
        self._made = files(self, self.executor, self._count_games)

    def _show(self, step: Generation, meter: Meter) -> str:
        """Show a generation. Racing may have saved games."""
        measured = 0 if step.references is None else step.references["games"].sum()
        self._played += int(step.pairings["games"].sum() + measured)
        return meter.step(describe(self.plan, step), self._played + self._games_left)

    @property
    def _legend(self) -> str:
        """Explanation of the measurements of a generation."""
        sigma = "; sigma: mean mutation step" * self.plan.evolution.has_sigmas
        who = f"the best {self.plan.evolution.mu}" if self.plan.evolution.maps else "the survivors"
        if own := self.plan.rating.fitness:
            return f"best, mean: {own} of {who} (fitness){sigma}"
        if self.plan.rating.in_percent:
            return f"best, mean: win rate of {who} (fitness){sigma}"
        return f"best, mean: games won by {who} (fitness), {_of_games(self.plan)}{sigma}"

    def _games_by_step(self) -> dict[tuple[int, int], int]:
        """Return the games of every generation, including those against reference opponents."""
        keys, table = ("execution", "generation", "games"), self.table(self.names[1])
        counts = {(execution, number): games + reference_games(self.plan, number)
                  for execution, number, games in table[[*keys]].to_numpy(int).tolist()}
        confirming = self._played_again
        return counts | ({(self.plan.executions, self.plan.evolution.generations): confirming} if (
            confirming) else {})

    @property
    def _played_again(self) -> int:
        """Return the number of games of a map's elites, once it is done."""
        table = self.table(ARCHIVE)
        return int(table[["confirmed_games", "last_games"]].sum().sum()) if len(table) else 0

    @property
    def _games_left(self) -> int:
        return 0 if self.final else (games_to_play(self.plan, self.next)
                                     + self.plan.executions * games_to_confirm(self.plan))

    def _details(self) -> dict[str, Any]:
        details = {"at": None, "statistics": self.table(self.names[1]), "genome": self.genome,
                   "references": last_measured(self.table(self.names[2])), "ages": np.zeros(0),
                   "weights": np.zeros((0, self.genome.size))}
        if self.start is None:
            return details
        at = self.start.execution, self.start.number
        stay = individuals(self.table(self.names[0]), *at, self.start.survivors)
        return details | {"at": at, "ages": at[1] - stay["born"].astype(np.float64),
                          "weights": stay["weights"]}

    def _refuse_damage(self) -> None:
        ReferenceOpponents.of(self)
        Earlier(self)
        _ = self.opponents
        if not self.final:
            execution, _ = self.next
            random = generator((self.plan.seed, execution))
            strategy(self.plan.evolution, self.genome, random, self.fields(execution),
                     self._custom.strategy)

    def _refuse_steps(self, number: int) -> None:
        """Check that the run can have a number of generations.

        Generations do not depend on their planned number, because no strategy uses it.
        """
        planned = self.plan.evolution.generations
        if self.about["format"] != FORMAT:
            raise RunError(f"{self.path} was made by an older hsevo, so its {planned:,} generations"
                           " can't be changed; begin a new run")
        if self.start and self.start.execution > 1 and number < planned:
            raise ConfigError(f"generations is {number:,}, but the first execution of {self.path}"
                              f" has {planned:,} already; give at least as many")
        super()._refuse_steps(number)

    def _go_on_to(self, number: int | None) -> str:
        """Let a locked folder continue to a number of generations.

        With several executions, it continues from the end of the first.
        """
        planned = self.plan.evolution.generations
        if number not in (None, planned) and self.start and self.start.execution > 1:
            self._refuse_steps(number)
            *_, last = repeated(self, 1, StoredMatches(self, 1), self._custom)
            self._set_aside(last)
        return super()._go_on_to(number)

    def _forget(self) -> None:
        """Remove measurements that were only due in the last generation."""
        self._forget_archive()
        if self.start and not due(self.plan, self.start.number):
            self._forget_references()

    def verify(self, *, workers: int | None = None, backend: str | None = None,
               progress: Progress = False, trust: bool = False) -> EvolutionReport:
        """Repeat the evolution with the stored results of its games, and compare everything.

        Parameters
        ----------
        workers : int, optional
            Number of workers. Default: one per core.
        backend : {"threads", "loky", "dask", "serial"}, optional
            How games run in parallel. It does not change results.
        progress : bool or callable, default False
            Show a progress bar, or call a function with the games played and in total.
        trust : bool, default False
            Run the Python files of its own strategy and fitness, which the folder keeps.

        Returns
        -------
        EvolutionReport
            Report with the problems found.

        Raises
        ------
        RunError
            If the folder cannot be read.
        AgentError
            If its strategy or fitness is a Python file that is not trusted.
        """
        with trusting(trust):
            report = super().verify(workers=workers, backend=backend, progress=progress)
        assert isinstance(report, EvolutionReport)
        return report

    @property
    def _games_to_verify(self) -> int:
        """Number of games that `verify` replays: those of a map's elites, by the same engine."""
        return 0 if not self.final or self.other_marks() else self._played_again

    def _checked(self, executor: Executor, threads: int, on_games: OnGames) -> EvolutionReport:
        """Repeat the evolution with the stored results. Only elites of a map play again."""
        report = verify(self, custom.load(self.plan, custom.stored(self), self.methods))
        if not report.problems and self._games_to_verify:
            for name, data in files(self, executor, on_games).items():
                if self.digests.get(name) != sums.of(data):
                    report.problems.append(f"{name}: it differs when recomputed")
        return report

    @classmethod
    def _costs(cls, plan: Config, parts: Any) -> Callable[[Config], float]:
        return budget.measure(plan, *parts).run

    @classmethod
    def _fitted(cls, plan: Config, parts: Any, minutes: float) -> tuple[Config, str]:
        many = f" of each of {plan.executions} executions" if plan.executions > 1 else ""
        return planned(plan, cls.STEPS, cls._costs(plan, parts), minutes, of=many)

    def _entries(self) -> Iterator[LogEntry]:
        people, figures, measured = (
            dict(list(self.table(name).groupby(["execution", "generation"])))
            for name in self.names)
        for key in self.committed():
            yield self._entry(figures[key], people[key], measured.get(key))

    def _entry_of(self, step: Generation) -> LogEntry:
        people = population_table(step, self.genome.names, self.features)
        return self._entry(statistics_table(step), people, step.references)

    def _entry(self, statistics: pd.DataFrame, population: pd.DataFrame,
               measured: pd.DataFrame | None) -> LogEntry:
        """Make the entry of a generation from its lines of the run's tables."""
        line, names = statistics.iloc[0], weight_names(population)
        stay = population[population["survived"] == 1]
        best = stay[stay["individual"] == line["best_individual"]].iloc[0]
        people, figures, references = (self.tables[name] for name in self.names)
        values = figures.logged("statistics", line) | people.logged("best", best)
        for row in [] if measured is None else measured.to_dict("records"):
            values |= references.logged(f"references/{tag(row['opponent'])}", row)
        spreads = {f"{kind}/{name}": stay[column + name].to_numpy(np.float64)
                   for kind, column in (("weights", ""), ("sigmas", SIGMA)) for name in names
                   if stay[column + name].notna().all()}  # an own strategy has no sigmas
        key = int(line["execution"]), int(line["generation"])
        return LogEntry(*key, self._written(f"{MATCHES}/{part_name(*key)}"), values, spreads)


def load_config(source: str | Path = "cig2018",
                changes: Mapping[str, Any] | None = None) -> Config:
    """Return a config, with optional changes.

    Parameters
    ----------
    source : str or Path, default "cig2018"
        Name (see `hsevo.list_configs`) or path.
    changes : mapping, optional
        Keys of the config with other values: {"evolution.mu": 20}.

    Returns
    -------
    Config
        The config.

    Raises
    ------
    ConfigError
        If the config is invalid. The message has one line for each mistake.

    Examples
    --------
    >>> hsevo.load_config("smoke", {"evolution.mu": 3}).evolution.mu
    3
    """
    return changed(config.load(source), changes, Run.EXAMPLE)


def evolve(source: str | Path | Config = "cig2018", changes: Mapping[str, Any] | None = None, *,
           out: str | Path | None = None, minutes: float | None = None, log: Sequence[str] = (),
           trust: bool = False, progress: Progress = False, **fields: Unpack[EvolveFields]) -> Run:
    """Evolve the weights of agents into a run folder.

    Results are bit-identical for any workers and backend. Continue a stopped run with
    `hsevo.Run(path).resume()`.

    Parameters
    ----------
    source : str or Path or Config, default "cig2018"
        Name of a config (see `hsevo.list_configs`), path of a config, or config.
    changes : mapping, optional
        Keys of the config with other values: {"evolution.mu": 20, "games": 40}.
    out : str or Path, optional
        New run folder. Default: runs/NAME-seed-SEED-DATE-TIME.
    minutes : float, optional
        Plan as many generations as fit into this time, in minutes. Not together with
        evolution.generations in `changes`.
    log : sequence of str, optional
        Logs to write: "tensorboard".
    trust : bool, default False
        Run the Python files (``py:FILE.py#NAME``) that the config names: players, your own
        strategy and fitness.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : EvolveFields
        Keys of the config without a point, such as `seed`, and `workers` and `backend`.

    Returns
    -------
    Run
        The finished run.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> run = hsevo.evolve("smoke", seed=7, out="runs/mine", changes={"evolution.generations": 2})
    >>> run.statistics.generation.tolist()
    [0, 1]
    """
    return Run._begin(
        source, changes, log=log, minutes=minutes, progress=progress, trust=trust,
        keywords={**fields, "out": str(out) if out else None})
