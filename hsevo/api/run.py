"""`hsevo.evolve` and `hsevo.Run`: an evolution, and the folder that keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from hsevo import config
from hsevo.api.agents import Agent
from hsevo.api.decks import as_decks
from hsevo.api.pool import Progress, playing
from hsevo.config import Config
from hsevo.errors import ConfigError
from hsevo.evolution import loggers
from hsevo.evolution import verify as verification
from hsevo.evolution.evolve import evolve as run_evolution
from hsevo.evolution.evolve import games_to_play
from hsevo.evolution.watch import State, look
from hsevo.evolution.yardstick import digests, read_opponents
from hsevo.replays import page, replay, xml
from hsevo.runs import folder
from hsevo.runs.folder import Generation
from hsevo.strength.champions import Best, find_best, last_population, pool_size, spec_of
from hsevo.strength.rating import Estimate


class Champion(Agent):
    """The best agent of a run, and how sure that is.

    rate: its points a game against the others of its last population, with a 95 % interval.
    ranking: all of that population, best first. separable: whether the second best is behind by
    more than chance (z >= 1.96 standard errors).
    """

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
    def z(self) -> float:
        """Standard errors between it and the second best; inf without one."""
        return self.best.z

    @property
    def separable(self) -> bool:
        """Whether the second best is behind by more than chance."""
        return self.best.separable


@dataclass(frozen=True)
class Replay:
    """One stored match, which can be played again: `str()` of it is the game as text.

    match: its stored row. game: which of its games, from 0.
    """

    meeting: replay.Meeting
    game: int

    @property
    def match(self) -> dict[str, Any]:
        """The stored row: who met whom with which decks, the counts, the seed."""
        return self.meeting.row

    @cached_property
    def steps(self) -> list[replay.Step]:
        """Every decision: the game before it, the options with their scores, and the one taken."""
        return list(replay.steps(self.meeting, self.game))

    def check(self) -> list[str]:
        """Play all games of the match again; return what differs from what is stored."""
        return replay.check(self.meeting)

    def verdict(self) -> tuple[str, bool]:
        """Return a line that says whether the match comes out as stored, and whether it does."""
        return replay.verdict(self.meeting)

    @property
    def lines(self) -> list[str]:
        """The game as lines of text."""
        told = [str(self.meeting), replay.headline(self.meeting, self.game)]
        return told + [line for step in self.steps
                       for line in replay.step_lines(step, self.meeting.names)]

    @property
    def html(self) -> str:
        """The game as a page that can be stepped through."""
        return page.page(self.meeting, self.game, self.steps)

    @property
    def hsreplay(self) -> str:
        """The game as HSReplay XML. Raises RunError without the package `hsreplay`."""
        xml.check_installed()
        return xml.document(self.meeting, self.game, self.steps)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"Replay({self.meeting}, game {self.game})"


class Run:
    """A run folder: what an evolution came to, also while it goes on.

    Raises RunError if `path` is none, or is damaged.

    >>> path = hsevo.evolve("smoke", seed=1, out="runs/example").path
    >>> run = hsevo.Run(path)
    >>> run
    Run('runs/example': smoke, seed 1, 3 of 3 generations, done)
    >>> run.population.columns[:6].tolist()
    ['execution', 'generation', 'individual', 'parent', 'born', 'age']
    >>> run.champion(games=20)
    Champion('eva:runs/example#individual-1')
    >>> print(run.replay(a=1, b=2))
    execution 1, generation 2: individual 1 (warrior, ... against 2 (warrior, ...
    """

    def __init__(self, path: str | Path) -> None:
        self._open(Path(path))

    def _open(self, path: Path) -> None:
        self._final = (path / "done").exists()  # asked first: what is opened then is all there is
        self.folder = folder.Run.open(path)

    @classmethod
    def create(cls, plan: Config, out: str | Path | None = None) -> Run:
        """Make the folder of a new run, without playing yet. Raises RunError, DeckError."""
        decks, opponents = read_decks(plan), digests(read_opponents(plan))
        target = out or plan.out
        path = Path(target) if target else folder.default_path(plan)
        folder.Run.create(path, plan, decks, opponents).close()
        return cls(path)

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder.path

    @property
    def config(self) -> Config:
        """Its settings, as resolved when it began."""
        return self.folder.config

    @property
    def done(self) -> bool:
        """Whether it is over."""
        return self.folder.done

    @property
    def population(self) -> pd.DataFrame:
        """Everyone of every generation, a row each: fitness, age, weights, sigmas."""
        return self._now().population()

    @property
    def statistics(self) -> pd.DataFrame:
        """A row a generation: fitness, ages, sigmas, games of the survivors."""
        return self._now().statistics()

    @property
    def reference(self) -> pd.DataFrame:
        """The best of a generation against the config's reference opponents; may be empty."""
        return self._now().yardstick()

    @property
    def matches(self) -> pd.DataFrame:
        """Every match of every generation: who met whom with which decks, counts, seed."""
        now = self._now()
        tables = [now.matches(*moment) for moment in now.committed()]
        return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()

    @property
    def state(self) -> State:
        """How it stands: generations committed, games left, speed, time left."""
        return look(self.path)

    @property
    def best(self) -> Agent:
        """The best by the last generation's fitness, which is luck in part; see `champion`."""
        names, rows = last_population(self._now())
        return self.agent(names[int(rows["fitness"].argmax())])

    @property
    def agents(self) -> list[Agent]:
        """The last population, best by fitness first."""
        return [self.agent(name) for name in last_population(self._now())[0]]

    def agent(self, individual: int | str) -> Agent:
        """Return anybody who ever lived in it, by number or name. Raises AgentError."""
        return Agent(spec_of(self.folder, str(individual)))

    def champion(self, games: int = 200, *, workers: int | None = None,
                 backend: str | None = None, progress: Progress = False) -> Champion:
        """Play the last population again, `games` a pair of decks of every two; return the best.

        The best of one generation is a guess, for its fitness is noise as much as strength: so all
        survivors meet again, with fresh seeds. Raises RunError, GameError, WorkersError.
        """
        now = self._now()
        plan = self._plan(workers, backend)
        with playing(pool_size(now, games), plan.workers, progress) as (work, meter):
            best = find_best(now, work, games, meter.tick)
        return Champion(spec_of(now, best.name), best)

    def replay(self, generation: int | None = None, a: int | None = None, b: int | None = None,
               deck_a: str | None = None, deck_b: str | None = None, *, game: int = 0,
               execution: int | None = None, part: int = 0) -> Replay:
        """Return a game of a match again; what is not given is the best against the second best.

        a, b: numbers of individuals. game: from 0. part: which of the matches of these two with
        these decks, where there are several. Raises RunError if there is no such match.
        """
        meeting = replay.find(self._now(), execution, generation, a, b, deck_a, deck_b, part)
        return Replay(meeting, game)

    def meetings(self, generation: int | None = None, **which: Any) -> pd.DataFrame:
        """Return the stored matches of a generation (default: the last) that fit a, b, decks."""
        return replay.meetings(self._now(), generation=generation, **which)

    def verify(self) -> verification.Report:
        """Add up everything again, and derive every pairing and generation again."""
        return verification.verify(self._now())

    def resume(self, *, workers: int | None = None, backend: str | None = None,
               log: Sequence[str] = (), progress: Progress = False) -> Run:
        """Evolve from where it stands to its end; a run that is over is only logged.

        log: "tensorboard", "mlflow". Raises RunError if the run is another engine's or in use.
        """
        loggers.load(log)
        locked = folder.Run.resume(self.path)
        try:
            plan = self._plan(workers, backend)
            if locked.done:
                with loggers.opened(locked, log, lambda line: None):
                    pass  # what is committed is all there is to log
            else:
                _evolve(locked, plan, log, progress)
        finally:
            locked.close()
        self._open(self.path)
        return self

    def _plan(self, workers: int | None, backend: str | None) -> Config:
        return config.change(self.config, {"workers.count": workers, "workers.backend": backend})

    def _now(self) -> folder.Run:
        """Return the folder as it stands now, which another process may be writing."""
        if not self._final:
            self._open(self.path)
        return self.folder

    def __repr__(self) -> str:
        plan, start = self.config, self._now().start
        many = f", execution {start.execution} of {plan.executions}" if (
            start and plan.executions > 1) else ""
        told = start.number + 1 if start else 0
        return (f"Run('{self.path}': {plan.name}, seed {plan.seed}{many}, {told} of"
                f" {plan.evolution.generations} generations, {'done' if self.done else 'open'})")

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>{self.statistics.tail(5).to_html(index=False)}"


def load_config(source: str | Path = "cig2018",
                changes: Mapping[str, Any] | None = None) -> Config:
    """Return a config, by name or path, with changed keys: {"evolution.mu": 20}.

    Raises ConfigError: one line for every mistake.

    >>> hsevo.load_config("smoke", {"evolution.mu": 3}).evolution.mu
    3
    """
    return _changed(config.load(source), changes)


def evolve(source: str | Path | Config = "cig2018", *, seed: int | None = None,
           executions: int | None = None, out: str | Path | None = None,
           changes: Mapping[str, Any] | None = None, workers: int | None = None,
           backend: str | None = None, log: Sequence[str] = (),
           progress: Progress = False) -> Run:
    """Evolve the weights of agents into a run folder, and return the run.

    source: the name of a config (`list_configs()`), a path, or a Config. out: a new folder;
    default: runs/NAME-seed-SEED-DATE-TIME. changes: keys of the config with other values,
    {"evolution.mu": 20, "games": 40}. log: "tensorboard", "mlflow". Neither workers nor backend
    change a bit. A run that is stopped goes on with `Run(path).resume()`.

    Raises ConfigError, DeckError, AgentError, RunError, WorkersError, GameError.

    >>> run = hsevo.evolve("smoke", seed=7, out="runs/mine", changes={"evolution.generations": 2})
    >>> run.statistics.generation.tolist()
    [0, 1]
    """
    loggers.load(log)
    plan = _changed(source if isinstance(source, Config) else config.load(source), changes)
    plan = config.change(plan, {
        "seed": seed, "executions": executions, "out": str(out) if out else None,
        "workers.count": workers, "workers.backend": backend})
    return Run.create(plan).resume(log=log, progress=progress)


def _changed(plan: Config, changes: Mapping[str, Any] | None) -> Config:
    """Return a config with other values. Raises ConfigError, also for changes that are none."""
    if not isinstance(changes, Mapping | None):
        raise ConfigError(f"changes is {config.short(changes)}, but must be values by their keys,"
                          " {'evolution.mu': 20}")
    return config.change(plan, dict(changes or {}))


def read_decks(plan: Config) -> tuple[Any, ...]:
    """Read the decks of a config. Raises DeckError; ConfigError if two have one name."""
    decks = as_decks(plan.decks)
    names = [deck.name for deck in decks]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two decks are called '{name}'; the tables would mix them up")
    return decks


def _evolve(run: folder.Run, plan: Config, log: Sequence[str], progress: Progress) -> None:
    """Evolve to the end; log and show every generation."""
    run.log(f"begin with {plan.workers.backend}, {plan.workers.count or 'all'} workers")
    games = games_to_play(run.config, run.start)
    with playing(games, plan.workers, progress) as (work, meter):
        def say(line: str) -> None:
            meter.say(line)
            run.log(line)

        def show(generation: Generation) -> None:
            left = games_to_play(run.config, run.start)
            run.log(meter.generation(plan, generation, left))
            tell(generation)

        meter.say(f"run folder {run.path}")
        with loggers.opened(run, log, say) as tell:
            run_evolution(run, work, show, meter.tick)
    run.log("done")
