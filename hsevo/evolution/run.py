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
from pathlib import Path
from typing import Any, ClassVar, Self, Unpack

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.agents.genomes.genome import Genome
from hsevo.cards.decks import read_decks
from hsevo.config import Config
from hsevo.errors import ConfigError, RunError, WriteError, refuse_unknown
from hsevo.evolution import budget
from hsevo.evolution.confirm import files, games_to_confirm
from hsevo.evolution.evolve import evolve as generations
from hsevo.evolution.evolve import games_to_play, repeated
from hsevo.evolution.fitness import read_opponents
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
from hsevo.runs.folder import ARCHIVE, FORMAT, MATCHES, RunFolder, part_name
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
from hsevo.strength.champions import Best, find_best, last_population, pool_size, spec_of
from hsevo.strength.rating import Estimate
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


class Champion(Agent):
    """The best agent of a run, with its win rate.

    rate: its win rate in new games, with a 95 % interval. against: whom these were against: the
    others of the last population, or the run's fixed opponents. favourites: the best by the fitness
    of the last generation, one an execution; run_rate, run_against: their rate there;
    fresh_rate: the same in new games. ranking: the whole population, best first.
    separable: whether its lead over the second best is significant (z >= 1.96 standard errors).
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
        """The last population, best first: agent, wins, draws, losses, rate, low, high."""
        return self.best.table

    @property
    def rate(self) -> Estimate:
        """Its share of games won, 0 to 1, with the 95 % Wilson interval."""
        row = self.ranking.iloc[0]
        return Estimate(float(row["rate"]), float(row["low"]), float(row["high"]))

    @property
    def against(self) -> str:
        """Whom `rate` is against, in words."""
        return self.best.against

    @property
    def run_rate(self) -> float:
        """The favourites' rate in the run's last generation, 0 to 1: biased upwards."""
        return self.best.run_rate

    @property
    def fresh_rate(self) -> float:
        """The favourites' rate in new games, 0 to 1."""
        return self.best.fresh_rate

    @property
    def favourites(self) -> tuple[str, ...]:
        """The best by the fitness of the run's last generation, one an execution."""
        return self.best.favourites

    @property
    def run_against(self) -> str:
        """Whom `run_rate` is against, in words."""
        return self.best.run_against

    @property
    def z(self) -> float:
        """Standard errors between it and the second best; inf without one."""
        return self.best.z

    @property
    def separable(self) -> bool:
        """Whether its lead over the second best is significant."""
        return self.best.separable


class Run(RunFolder, Experiment[Config, Generation]):
    """A run folder: an evolution, finished or not.

    Raises RunError if `path` is not a run folder, or is damaged.

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
    def read_parts(cls, plan: Config, trust: bool = False) -> tuple[Any, ...]:
        """Read decks, reference opponents and fixed opponents.

        trust: run the files of Python players (py:FILE.py#NAME) that the config names.
        """
        decks = read_decks(plan.all_decks, plan.ruleset)
        return (decks, read_references(plan, decks[:len(plan.decks)], trust),
                read_opponents(plan, decks))

    @property
    def population(self) -> pd.DataFrame:
        """All individuals of all generations, a row each: fitness, age, weights, sigmas."""
        return self.now().table(self.names[0])

    @property
    def statistics(self) -> pd.DataFrame:
        """A row per generation: fitness, ages, sigmas, games of the survivors."""
        return self.now().table(self.names[1])

    @property
    def references(self) -> pd.DataFrame:
        """The best of a generation against the config's reference opponents; may be empty."""
        return self.now().table(self.names[2])

    @property
    def archive(self) -> pd.DataFrame:
        """The elites of a map, of strategies map-elites and cma-me, best first; see `archive.csv`.

        Empty before the run is done.
        """
        return self.now().table(ARCHIVE)

    @property
    def matches(self) -> pd.DataFrame:
        """Every match of every generation: individuals, decks, counts, seed."""
        tables = [self.matches_of(*moment) for moment in self.now().committed()]
        return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()

    @property
    def _fittest(self) -> dict[str, Any]:
        """The best of the last population by its fitness, for JSON."""
        names, rows = last_population(self)
        best = int(rows["fitness"].argmax())
        weights = dict(zip(self.genome.names, rows["weights"][best], strict=True))
        return {"agent": names[best], "spec": self.best.spec, "fitness": rows["fitness"][best],
                "estimated": bool(self.config.rating.racing), "weights": weights}

    @property
    def best(self) -> Agent:
        """The best by the fitness of the last generation, which is partly luck; see `champion`."""
        names, rows = last_population(self.now())
        return self.agent(names[int(rows["fitness"].argmax())])

    @property
    def agents(self) -> list[Agent]:
        """The last population, best by fitness first."""
        return [self.agent(name) for name in last_population(self.now())[0]]

    def agent(self, individual: int | str) -> Agent:
        """Return any individual of the run, by number or name. Raises AgentError."""
        return Agent(spec_of(self, str(individual)))

    def champion(self, games: int = 200, *, workers: int | None = None,
                 backend: str | None = None, progress: Progress = False) -> Champion:
        """Play the last population again, `games` per pair of decks for every two; return the best.

        The fitness of one generation is as much luck as strength, so all survivors play again, with
        new seeds: each other, and the run's fixed opponents, as far as they do in the run.
        The result is stored in RUN/champion.json, if that can be written. A stored result of at
        least as many games by this engine is returned without new games, so that all commands name
        the same champion. Raises RunError, GameError, WorkersError.
        """
        now, total = self.now(), pool_size(self, games)
        team = config.change(self.config, {"workers.count": workers,
                                           "workers.backend": backend}).workers
        known = champion_file.read(now)
        if known and known.covers(games):
            if progress is True:
                print_line(f"{self.path}/{champion_file.FILE}: the last population has played again"
                           f" before, {known.games:,} games per pair of decks")
            return Champion(spec_of(now, known.best.name), known.best)
        with playing(total, team, progress) as (executor, meter):
            best = find_best(now, executor, games, meter.advance)
        with suppress(WriteError):  # the folder may be read-only
            champion_file.write(now, best, games)
        return Champion(spec_of(now, best.name), best)

    def replay(self, generation: int | None = None, a: int | str | None = None,
               b: int | str | None = None, **which: Unpack[MeetingFields]) -> Replay:
        """Return a game of a match; default: the best against the second best, the first decks.

        a, b: numbers of individuals, or names of fixed opponents (rating.opponents). which: deck_a,
        deck_b, execution; game, from 0; part, the index of the match in `meetings` with the same
        arguments; chances, see `hsevo.replay`. Raises RunError if there is no such match,
        ConfigError for no such name.
        """
        refuse_unknown("replay", which, MeetingFields.__annotations__)
        rest: dict[str, Any] = {**which}
        game, chances = rest.pop("game", 0), rest.pop("chances", estimates.GAMES)
        meeting = replay.find(self.now(), generation=generation, a=a, b=b, **rest)
        return Replay(meeting, game, chances)

    def meetings(self, generation: int | None = None, **which: Any) -> pd.DataFrame:
        """Return the stored matches of a generation (default: the last) with given a, b, decks.

        Their index is the `part` of `replay`. a, b: numbers, and names of fixed opponents.
        """
        run = self.now()
        return replay.with_names(run, replay.meetings(run, generation=generation, **which))

    def resume(self, *, generations: int | None = None, workers: int | None = None,
               backend: str | None = None, log: Sequence[str] = (), progress: Progress = False,
               trust: bool = False) -> Self:
        """Continue to the end; a finished run is only logged.

        generations: continue to so many, as if the run had been planned so from its start.
        log: "tensorboard". trust: run the files of its Python players. Raises RunError if
        the run is another engine's, or in use; ConfigError for generations it has; AgentError for
        Python players that are not trusted, or have changed.
        """
        self._resume(generations, workers, backend, log, progress, trust=trust)
        return self

    def _refuse(self, number: int | None, trust: bool = False) -> None:
        if (number or not self.final) and (references := ReferenceOpponents.of(self)):
            references.find(trust)

    def _outdated(self) -> Iterator[str]:
        if (self.path / champion_file.FILE).exists():
            yield ("its champion was the best of an earlier generation; find the new one, when it"
                   f" is done, with: hsevo export-best {self.path}")

    def _execution(self) -> str:
        many = self.plan.executions
        return f", execution {self.start.execution} of {many}" if self.start and many > 1 else ""

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>{self.statistics.tail(5).to_html(index=False)}"

    # --- Its life

    @property
    def steps_done(self) -> int:
        """How many generations of the last execution are committed."""
        return self.start.number + 1 if self.start else 0

    def steps(self) -> Generator[Generation, None, None]:
        """Make all generations after the last committed one; then elites of a map play again."""
        self._played = self.games_played
        executor = Watched(self.executor) if self.features else self.executor
        yield from generations(self, executor, self.on_games)
        self._settle()
        self.made = files(self, self.executor, self.on_games)

    def show(self, step: Generation, meter: Meter) -> str:
        """Show a generation; its races may have saved games."""
        measured = 0 if step.references is None else step.references["games"].sum()
        self._played += int(step.pairings["games"].sum() + measured)
        return meter.step(describe(self.plan, step), self._played + self.games_left)

    @property
    def legend(self) -> str:
        """What the figures of a generation are."""
        won = "win rate" if self.plan.rating.shares else "games won"
        sigma = "" if self.plan.evolution.strategy == "ga" else "; sigma: mean mutation step"
        if self.features:
            won = f"{won.removesuffix('survivors')}best {self.plan.evolution.mu}"
        return f"best, mean: {won} of the survivors (fitness){sigma}"

    def games(self) -> dict[tuple[int, int], int]:
        """Return the games of every generation, with those of references."""
        keys, table = ("execution", "generation", "games"), self.table(self.names[1])
        found = {(execution, number): games + reference_games(self.plan, number)
                 for execution, number, games in table[[*keys]].to_numpy(int).tolist()}
        again = self._played_again
        return found | ({(self.plan.executions, self.plan.evolution.generations): again} if (
            again) else {})

    @property
    def _played_again(self) -> int:
        """Games of a map's elites, once it is done."""
        table = self.table(ARCHIVE)
        return int(table[["confirmed_games", "last_games"]].sum().sum()) if len(table) else 0

    @property
    def games_left(self) -> int:
        """How many games are left, at most."""
        return 0 if self.final else (games_to_play(self.plan, self.next)
                                     + self.plan.executions * games_to_confirm(self.plan))

    def details(self) -> dict[str, Any]:
        """Return its tables and its survivors, for its state."""
        found = {"at": None, "statistics": self.table(self.names[1]), "genome": self.genome,
                 "references": last_measured(self.table(self.names[2])), "ages": np.zeros(0),
                 "weights": np.zeros((0, self.genome.size))}
        if self.start is None:
            return found
        at = self.start.execution, self.start.number
        stay = individuals(self.table(self.names[0]), *at, self.start.survivors)
        return found | {"at": at, "ages": at[1] - stay["born"].astype(np.float64),
                        "weights": stay["weights"]}

    def refuse_damage(self) -> None:
        """Read all that a run continues with. Raises RunError if it can't; nothing is written."""
        ReferenceOpponents.of(self)
        Earlier(self)
        _ = self.opponents
        if not self.final:
            execution, _ = self.next
            random = generator((self.plan.seed, execution))
            strategy(self.plan.evolution, self.genome, random, self.fields(execution))

    def refuse_steps(self, number: int) -> None:
        """Raise ConfigError or RunError if a run can't have so many generations.

        No strategy knows how long a run is to be, so generations do not depend on it.
        """
        planned = self.plan.evolution.generations
        if self.about["format"] != FORMAT:
            raise RunError(f"{self.path} is of an older hsevo, and keeps its {planned:,}"
                           " generations; begin a new run")
        if self.start and self.start.execution > 1 and number < planned:
            raise ConfigError(f"generations is {number:,}, but the first execution of {self.path}"
                              f" has {planned:,} already, and they count")
        super().refuse_steps(number)

    def go_on_to(self, number: int | None) -> str:
        """Continue to so many generations; with several executions, from the first one's end on."""
        planned = self.plan.evolution.generations
        if number not in (None, planned) and self.start and self.start.execution > 1:
            self.refuse_steps(number)
            *_, last = repeated(self, 1, StoredMatches(self, 1))
            self.set_aside(last)
        return super().go_on_to(number)

    def forget(self) -> None:
        """Take out what was measured because it was the last generation, and is not now."""
        self.forget_archive()
        if self.start and not due(self.plan, self.start.number):
            self.forget_references()

    @property
    def games_to_verify(self) -> int:
        """How many games `verify` plays: those of a map's elites, by the same engine."""
        return 0 if not self.final or self.other_marks() else self._played_again

    def checked(self, executor: Executor, threads: int, on_games: OnGames) -> EvolutionReport:
        """Evolve again with the stored results; only elites of a map play again."""
        report = verify(self)
        if not report.problems and self.games_to_verify:
            for name, data in files(self, executor, on_games).items():
                if self.digests.get(name) != sums.of(data):
                    report.problems.append(f"{name}: made again, it is another")
        return report

    @classmethod
    def costs(cls, plan: Config, parts: Any) -> Callable[[Config], float]:
        """Return what gives the seconds of a plan, measured by some of its games."""
        return budget.measure(plan, *parts).run

    @classmethod
    def fitted(cls, plan: Config, parts: Any, minutes: float) -> tuple[Config, str]:
        """Return the plan with as many generations as fit, and what was planned, in words."""
        many = f" of each of {plan.executions} executions" if plan.executions > 1 else ""
        return planned(plan, cls.STEPS, cls.costs(plan, parts), minutes, of=many)

    def entries(self) -> Iterator[LogEntry]:
        """Yield what a log has of all committed generations, in order. Raises RunError."""
        people, figures, measured = (
            dict(list(self.table(name).groupby(["execution", "generation"])))
            for name in self.names)
        for key in self.committed():
            yield self._entry(figures[key], people[key], measured.get(key))

    def entry(self, step: Generation) -> LogEntry:
        """Return what a log has of a generation."""
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
                   for kind, column in (("weights", ""), ("sigmas", SIGMA)) for name in names}
        key = int(line["execution"]), int(line["generation"])
        return LogEntry(*key, self.written(f"{MATCHES}/{part_name(*key)}"), values, spreads)


def load_config(source: str | Path = "cig2018",
                changes: Mapping[str, Any] | None = None) -> Config:
    """Return a config, by name or path, with changed keys: {"evolution.mu": 20}.

    Raises ConfigError, with one line per mistake.

    >>> hsevo.load_config("smoke", {"evolution.mu": 3}).evolution.mu
    3
    """
    return changed(config.load(source), changes, Run.EXAMPLE)


def evolve(source: str | Path | Config = "cig2018", changes: Mapping[str, Any] | None = None, *,
           out: str | Path | None = None, minutes: float | None = None, log: Sequence[str] = (),
           trust: bool = False, progress: Progress = False, **fields: Unpack[EvolveFields]) -> Run:
    """Evolve the weights of agents into a run folder, and return the run.

    source: the name of a config (`list_configs()`), a path, or a Config. out: a new folder;
    default: runs/NAME-seed-SEED-DATE-TIME. changes: keys of the config with other values,
    {"evolution.mu": 20, "games": 40}; those without a point may be keywords, too, as seed=7, and
    so may workers and backend. log: "tensorboard". Results are bit-identical with
    any workers and backend. A run that was stopped continues with `Run(path).resume()`.
    minutes: plan as many generations as fit into them; not with evolution.generations in changes.
    trust: run the files of Python players (py:FILE.py#NAME) that the config names.

    Raises ConfigError, DeckError, AgentError, RunError, WorkersError, GameError.

    >>> run = hsevo.evolve("smoke", seed=7, out="runs/mine", changes={"evolution.generations": 2})
    >>> run.statistics.generation.tolist()
    [0, 1]
    """
    return Run.begin(
        source, changes, log=log, minutes=minutes, progress=progress, trust=trust,
        given={**fields, "out": str(out) if out else None})
