"""`hsevo.evolve` and `hsevo.Run`: an evolution, and the folder that keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Self, Unpack

import pandas as pd

from hsevo import config
from hsevo.api.experiment import RunFolder, changed, read_decks
from hsevo.config import Config
from hsevo.errors import WriteError
from hsevo.evolution.experiment import Evolving
from hsevo.evolution.fitness import read_opponents
from hsevo.evolution.references import ReferenceOpponents, read_references
from hsevo.experiments.playing import Progress, playing, print_line
from hsevo.generated import EvolveFields
from hsevo.objects import Fields
from hsevo.replays import chances as estimates
from hsevo.replays import replay
from hsevo.replays.stored import Replay
from hsevo.runs import folder as folders
from hsevo.strength import champion_file
from hsevo.strength.agents import Agent
from hsevo.strength.champions import Best, find_best, last_population, pool_size, spec_of
from hsevo.strength.rating import Estimate

EXAMPLE = "{'evolution.mu': 20}"  # of changes


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


class Run(RunFolder):
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
        **RunFolder.FIELDS, "best": "_fittest",
        "statistics": "statistics", "references": "references"}

    KIND = Evolving
    folder: folders.Run

    @classmethod
    def _parts(cls, plan: Config, trust: bool = False) -> tuple[Any, ...]:
        """Read decks, reference opponents and fixed opponents.

        trust: run the files of Python players (py:FILE.py#NAME) that the config names.
        """
        decks = read_decks(plan.all_decks, plan.ruleset)
        return (decks, read_references(plan, decks[:len(plan.decks)], trust),
                read_opponents(plan, decks))

    @property
    def config(self) -> Config:
        """Its settings, as resolved when it began."""
        return self.folder.config

    @property
    def population(self) -> pd.DataFrame:
        """All individuals of all generations, a row each: fitness, age, weights, sigmas."""
        return self._now().population()

    @property
    def statistics(self) -> pd.DataFrame:
        """A row per generation: fitness, ages, sigmas, games of the survivors."""
        return self._now().statistics()

    @property
    def references(self) -> pd.DataFrame:
        """The best of a generation against the config's reference opponents; may be empty."""
        return self._now().references()

    @property
    def archive(self) -> pd.DataFrame:
        """The elites of a map, of strategies map-elites and cma-me, best first; see `archive.csv`.

        Empty before the run is done.
        """
        return self._now().archive()

    @property
    def matches(self) -> pd.DataFrame:
        """Every match of every generation: individuals, decks, counts, seed."""
        now = self._now()
        tables = [now.matches(*moment) for moment in now.committed()]
        return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()

    @property
    def _fittest(self) -> dict[str, Any]:
        """The best of the last population by its fitness, for JSON."""
        names, rows = last_population(self.folder)
        best = int(rows["fitness"].argmax())
        weights = dict(zip(self.folder.genome.names, rows["weights"][best], strict=True))
        return {"agent": names[best], "spec": self.best.spec, "fitness": rows["fitness"][best],
                "estimated": bool(self.config.rating.racing), "weights": weights}

    @property
    def best(self) -> Agent:
        """The best by the fitness of the last generation, which is partly luck; see `champion`."""
        names, rows = last_population(self._now())
        return self.agent(names[int(rows["fitness"].argmax())])

    @property
    def agents(self) -> list[Agent]:
        """The last population, best by fitness first."""
        return [self.agent(name) for name in last_population(self._now())[0]]

    def agent(self, individual: int | str) -> Agent:
        """Return any individual of the run, by number or name. Raises AgentError."""
        return Agent(spec_of(self.folder, str(individual)))

    def champion(self, games: int = 200, *, workers: int | None = None,
                 backend: str | None = None, progress: Progress = False) -> Champion:
        """Play the last population again, `games` per pair of decks for every two; return the best.

        The fitness of one generation is as much luck as strength, so all survivors play again, with
        new seeds: each other, and the run's fixed opponents, as far as they do in the run.
        The result is stored in RUN/champion.json, if that can be written. A stored result of at
        least as many games by this engine is returned without new games, so that all commands name
        the same champion. Raises RunError, GameError, WorkersError.
        """
        now, total = self._now(), pool_size(self._now(), games)
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
               b: int | str | None = None, deck_a: str | None = None, deck_b: str | None = None, *,
               game: int = 0, execution: int | None = None, part: int | None = None,
               chances: int = estimates.GAMES) -> Replay:
        """Return a game of a match; default: the best against the second best, the first decks.

        a, b: numbers of individuals, or names of fixed opponents (rating.opponents). game: from 0.
        part: the index of the match in `meetings` with the same arguments. chances: see
        `hsevo.replay`. Raises RunError if there is no such match, ConfigError for no such name.
        """
        meeting = replay.find(self._now(), execution, generation, a, b, deck_a, deck_b, part)
        return Replay(meeting, game, chances)

    def meetings(self, generation: int | None = None, **which: Any) -> pd.DataFrame:
        """Return the stored matches of a generation (default: the last) with given a, b, decks.

        Their index is the `part` of `replay`. a, b: numbers, and names of fixed opponents.
        """
        run = self._now()
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

    def _refuse(self, run: folders.Run, number: int | None, trust: bool = False) -> None:
        if (number or not run.done) and (references := ReferenceOpponents.of(run)):
            references.find(trust)

    def _outdated(self) -> Iterator[str]:
        if (self.path / champion_file.FILE).exists():
            yield ("its champion was the best of an earlier generation; find the new one, when it"
                   f" is done, with: hsevo export-best {self.path}")

    def _now(self) -> folders.Run:
        found: folders.Run = super()._now()
        return found

    def _execution(self, run: folders.Run) -> str:
        many = run.plan.executions
        return f", execution {run.start.execution} of {many}" if run.start and many > 1 else ""

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>{self.statistics.tail(5).to_html(index=False)}"


def load_config(source: str | Path = "cig2018",
                changes: Mapping[str, Any] | None = None) -> Config:
    """Return a config, by name or path, with changed keys: {"evolution.mu": 20}.

    Raises ConfigError, with one line per mistake.

    >>> hsevo.load_config("smoke", {"evolution.mu": 3}).evolution.mu
    3
    """
    return changed(config.load(source), changes, EXAMPLE)


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
    return Run._begin(
        source, changes, EXAMPLE, log=log, minutes=minutes, progress=progress, trust=trust,
        given={**fields, "out": str(out) if out else None})
