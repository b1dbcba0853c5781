"""The parts of an evolution that are the user's: a strategy, and a function that makes fitness.

    evolution.strategy: py:mine.py#Strategy      Strategy(problem, **options), ask(), tell(...),
                                                 and if it likes best() and log()
    rating.fitness: py:mine.py#rate              rate(wins, games, ...) -> fitness

    files = read(plan)    -->  texts, which the run folder keeps  -->  load(plan, files): Custom

A text stands in the folder as strategy.py or fitness.py, and the modules that it imports from its
own folder in strategy/ or fitness/.

A strategy stores no state: to resume, it is told again what it was told, as all strategies are. So
it must ask for the same weights again. A file runs only if the user names or trusts it (trust.py).

The weights of best() join the next generation as one more individual, whose games rate them; the
strategy is not told of it. So the recommendation is an individual as all others, and the best of
its generation. log() is asked after each generation, and its numbers stand in statistics.csv.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from hsevo.agents.genomes.genome import Genome
from hsevo.config import Config, Evolution, short
from hsevo.errors import ConfigError, RunError, brief, did_you_mean, printable
from hsevo.evolution.fitness import OwnFitness
from hsevo.evolution.strategies import first_mean, individuals, limits
from hsevo.files import read_bytes
from hsevo.play.python_files import Code, said
from hsevo.runs.folder import OwnMethods, RunFolder, modules_in
from hsevo.runs.tables import logged_problem
from hsevo.trust import refuse_data
from hsevo.types import Array

STRATEGY, FITNESS = "strategy.py", "fitness.py"  # in the run folder


@dataclass(frozen=True)
class Problem:
    """Describe the search space to your own strategy. Fitness is maximised.

    Parameters
    ----------
    names : tuple of str
        Names of the k weights.
    low, high : ndarray, shape (k,)
        Bounds of the weights, in the agent's units. For EVA, they are 0 and 1.
    start : ndarray, shape (k,)
        Where to begin: the middle of the bounds, or with `evolution.start: base` the weights of
        `agent.base`.
    lam : int
        Largest number of individuals per generation, `evolution.lambda`.
    mu : int
        Largest number of survivors per generation, `evolution.mu`. They are the best by fitness.
    seed : int
        Seed for all random numbers, from 0 to 2^32 - 1. It depends on the seed of the run and on
        the execution.
    """

    names: tuple[str, ...]
    low: Array
    high: Array
    start: Array
    lam: int
    mu: int
    seed: int


@dataclass(frozen=True)
class Custom:
    """What of an evolution is the user's; None: nothing."""

    strategy: Callable[[Evolution, Genome, Random], Own] | None = None
    fitness: OwnFitness | None = None


NOTHING: Custom = Custom()


def named(plan: Config) -> dict[str, str]:
    """Return the Python files of a plan: their names in the run folder, and their specs."""
    specs = {STRATEGY: plan.evolution.strategy if plan.evolution.own else None,
             FITNESS: plan.rating.fitness}
    return {name: spec for name, spec in specs.items() if spec}


def read(plan: Config) -> dict[str, Code]:
    """Read the Python files of a plan. Raises AgentError if they are not trusted, ConfigError."""
    files = {}
    for name, spec in named(plan).items():
        path, value = _parts(spec)
        if not Path(path).is_file():
            raise ConfigError(f"'{brief(spec)}': there is no file {brief(path)}")
        refuse_data(Path(path), spec)
        files[name] = Code.read(path, value)
    return files


def stored(run: RunFolder, resuming: bool = False) -> dict[str, Code]:
    """Return the Python files of a run as they were at its beginning.

    resuming: raise RunError if one has changed since. Raises AgentError if they are not trusted.
    """
    files = {}
    for name, spec in named(run.config).items():
        path, value = _parts(spec)
        text, modules = run.python_file(name), run.python_modules(name)
        whole = {Path(path): (name, text), **{
            Path(path).resolve().parent / file: (modules_in(name) + file, code)
            for file, code in modules}}
        same = True
        for file, (stored_as, code) in whole.items():
            there = read_bytes(file) if file.is_file() else None
            if resuming and there not in (None, code):
                raise RunError(f"{printable(file)} has changed since {run.path} was begun, so the"
                               f" results would differ; restore it from {run.path / stored_as}, or"
                               " begin a new run")
            same = same and there == code
        refuse_data(Path(path) if same else run.path / name, spec)
        files[name] = Code.read(path, value, text, modules)
    return files


def _parts(spec: str) -> tuple[str, str]:
    path, _, name = spec.removeprefix("py:").rpartition("#")
    return path, name


def load(plan: Config, files: Mapping[str, Code], methods: OwnMethods | None = None) -> Custom:
    """Run files, and return what they define. Raises AgentError, ConfigError.

    methods: that the strategy had when the run was begun; None: it is new.
    """
    parts = {name: _Part.of(code) for name, code in files.items()}
    least = 2 if plan.rating.coevolves else 1
    return Custom(partial(Own, parts[STRATEGY], least, methods) if STRATEGY in parts else None,
                  Rate(parts[FITNESS], plan) if FITNESS in parts else None)


@dataclass(frozen=True)
class _Part:
    """A class or function of a file."""

    code: Code
    value: Callable[..., Any]

    @classmethod
    def of(cls, code: Code) -> _Part:
        """Return what a file defines, after running it. Raises AgentError, ConfigError."""
        module = code.module()
        value = getattr(module, code.name, None)
        if not callable(value):
            known = [name for name, other in vars(module).items() if callable(other)
                     and getattr(other, "__module__", "") == module.__name__]
            raise ConfigError(f"{printable(code.path)} has no class or function"
                              f" '{printable(code.name)}'{did_you_mean(code.name, known)}; it"
                              f" defines {', '.join(known) or 'none'}")
        return cls(code, value)

    def call(self, function: Callable[..., Any], where: str, *args: Any, **keywords: Any) -> Any:
        """Return what a function of the file returns; what it raises is a ConfigError."""
        try:
            return function(*args, **keywords)
        except (Exception, SystemExit) as error:
            raise ConfigError(f"{self.code.label} raised {said(error, self.code.path, 300)},"
                              f" {where}") from error

    def numbers(self, value: Any, what: str, shape: tuple[int | None, ...], where: str) -> Array:
        """Return finite numbers of a shape; None: of any length. Raises ConfigError."""
        try:
            array = np.array(value, np.float64)
        except (TypeError, ValueError):
            raise self.wrong(f"{what} must be numbers, not {_shown(value)}", where) from None
        fits = len(array.shape) == len(shape) and all(
            wanted in (None, length) for wanted, length in zip(shape, array.shape, strict=True))
        if not fits:
            wanted = str(shape).replace("None", "n")
            raise self.wrong(f"{what} must have the shape {wanted}, not {array.shape}", where)
        if not np.isfinite(array).all():
            raise self.wrong(f"{what} must be finite, but some are not", where)
        return array

    def wrong(self, what: str, where: str) -> ConfigError:
        """Return an error about what the file returned."""
        return ConfigError(f"{self.code.label}: {what}, {where}")


def _shown(value: Any) -> str:
    """Return a value for a message; it may be anything."""
    try:
        return short(value)
    except Exception:  # of its own
        return f"a {type(value).__name__}"


class Own:
    """A strategy of the user, as the evolution sees it: new individuals in every generation.

    logged: the numbers that it logged last, by name.
    """

    def __init__(self, part: _Part, least: int, methods: OwnMethods | None, plan: Evolution,
                 genome: Genome, random: Random) -> None:
        """Make it. least: individuals that a generation needs. Raises ConfigError."""
        self.part, self.least, self.plan, self.genome, self.random = (
            part, least, plan, genome, random)
        self.low, self.high = (np.array(end) * genome.scale for end in limits(plan, genome))
        problem = Problem(genome.names, self.low.copy(), self.high.copy(),
                          np.array(first_mean(plan, genome)) * genome.scale, plan.lam, plan.mu,
                          random.getrandbits(32))
        self.strategy = part.call(part.value, "when it was made", problem, **plan.options)
        if missing := [name for name in ("ask", "tell") if self._method(name) is None]:
            raise ConfigError(f"{part.code.label} has no method {' and no '.join(missing)}; a"
                              " strategy needs ask(self) and tell(self, weights, fitness)")
        self.asked = 0  # individuals so far
        self.recommended = -1  # which individual of this generation; -1: none
        self.logged = self._log("before the first generation")
        self.methods = OwnMethods(tuple(self.logged), self._method("best") is not None)
        if methods not in (None, self.methods):
            raise part.wrong("its method best or the names of log differ from the beginning of the"
                             " run", "when it was made")

    def _method(self, name: str) -> Callable[..., Any] | None:
        method = getattr(self.strategy, name, None)
        return method if callable(method) else None

    def ask(self, number: int) -> Array:
        """Return 1 to lambda new individuals, then its recommendation so far, if it has one.

        Raises ConfigError if they are impossible.
        """
        size, where = self.genome.size, f"in generation {number}"
        answer = self.part.call(self.strategy.ask, where)
        weights = self.part.numbers(answer, "what ask returns", (None, size), where)
        if not self.least <= len(weights) <= self.plan.lam:
            why = ", as they have no other opponents" * (self.least > 1)
            raise self.part.wrong(
                f"ask must return {self.least} to {self.plan.lam} individuals{why}, but returned"
                f" {len(weights)}; evolution.lambda is the most", where)
        best, self.recommended = self._method("best"), -1
        advice = self.part.call(best, where) if best and number else None
        if advice is not None:
            self.recommended = self.asked + len(weights)
            advised = self.part.numbers(advice, "what best returns", (size,), where)
            weights = np.vstack([weights, advised])
        self._refuse_outside(weights, where)
        first, self.asked = self.asked, self.asked + len(weights)
        genes = np.hstack([weights / self.genome.scale, np.full_like(weights, np.nan)])
        return individuals(self.genome, genes.tolist(), range(first, self.asked), number=number)

    def _refuse_outside(self, weights: Array, where: str) -> None:
        for row, column in np.argwhere((weights < self.low) | (weights > self.high))[:1]:
            advised = self.recommended == self.asked + row
            raise self.part.wrong(
                f"{'best' if advised else 'ask'} returned {self.genome.names[column]} ="
                f" {weights[row, column]:g}{'' if advised else f' for individual {row}'}, but it"
                f" must be from {self.low[column]:g} to {self.high[column]:g};"
                " np.clip(weights, problem.low, problem.high) cuts it", where)

    def tell(self, field: Array) -> tuple[int, ...]:
        """Tell the weights, fitness and features of what it asked for; return the survivors.

        They are its recommendation, and the best by fitness.
        """
        where, advised = f"told of generation {int(field['born'][0])}", (
            field["id"] == self.recommended)
        own = field[~advised]
        told = [own["weights"].copy(), own["fitness"].copy()]
        if self.plan.axes:
            told.append(own["features"][:, :len(self.plan.axes)].copy())
        self.part.call(self.strategy.tell, where, *told)
        logged = self._log(where)
        if [*logged] != [*self.logged]:
            raise self.part.wrong(f"log returned the names {_listed(logged)}, but"
                                  f" {_listed(self.logged)} before", where)
        self.logged = logged
        order = np.lexsort((-field["fitness"], ~advised))
        return tuple(field["id"][order[:self.plan.mu]].tolist())

    def _log(self, where: str) -> dict[str, float]:
        """Return the numbers that its method log returns, by name; NaN for None."""
        if (log := self._method("log")) is None:
            return {}
        values = self.part.call(log, where)
        if not isinstance(values, Mapping):
            raise self.part.wrong(f"log must return numbers by name, not {_shown(values)}", where)
        if problem := logged_problem(values):
            raise self.part.wrong(f"log can't return these numbers: {problem}", where)
        return {name: np.nan if value is None else self._number(name, value, where)
                for name, value in values.items()}

    def _number(self, name: str, value: Any, where: str) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise self.part.wrong(f"log returned {name} = {_shown(value)}, which is no number",
                                  where) from None
        return number if np.isfinite(number) else np.nan


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


# What a fitness function may ask for, by the names of its parameters, of n individuals and their m
# opponents (the individuals, the hall of fame, the fixed opponents), with d decks of their own
# against e decks.
COUNTS = ("wins", "draws", "losses", "games", "turns")  # (n, d, e)
AGAINST = ("wins_by_opponent", "games_by_opponent")  # (n, m)
GIVEN = (*COUNTS, *AGAINST, "weights")  # weights: (n, k)


class Rate:
    """A fitness function of the user. Raises ConfigError if it asks for what there is not."""

    def __init__(self, part: _Part, plan: Config) -> None:
        self.part, self.decks, self.others = part, len(plan.decks), len(plan.all_decks)
        try:
            wanted = inspect.signature(part.value).parameters.values()
        except (TypeError, ValueError):
            raise ConfigError(f"{part.code.label} is no function") from None
        kinds = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
        for name in (parameter.name for parameter in wanted if parameter.name not in GIVEN and (
                parameter.kind not in kinds or parameter.default is parameter.empty)):
            raise ConfigError(f"{part.code.label} has the parameter"
                              f" '{printable(name)}'{did_you_mean(name, GIVEN)}; a fitness function"
                              f" receives {', '.join(GIVEN)}")
        self.names = [parameter.name for parameter in wanted if parameter.name in GIVEN]

    def __call__(self, number: int, rows: Array, results: Array, players: Array, n: int) -> Array:
        """Return the fitness of the first n players, (n,), from their matches."""
        counts = np.zeros((len(COUNTS), n, self.decks, self.others), np.int64)
        against = np.zeros((len(AGAINST), n, len(players)), np.int64)
        for me, other in ("ab", "ba"):
            own = rows[me] < n  # fixed opponents, and the hall, have rows of their own
            who, rival = rows[me][own], rows[other][own]
            decks = rows[f"deck_{me}"][own], rows[f"deck_{other}"][own]
            wins, losses = results[f"wins_{me}"][own], results[f"wins_{other}"][own]
            games = rows["games"][own]
            every = wins, results["draws"][own], losses, games, results["turns"][own]
            for k, value in enumerate(every):
                np.add.at(counts[k], (who, *decks), value)
            for k, value in enumerate((wins, games)):
                np.add.at(against[k], (who, rival), value)
        values = dict(zip(GIVEN, (*counts, *against, players["weights"][:n].copy()), strict=True))
        where = f"for generation {number}"
        fitness = self.part.call(self.part.value, where,
                                 **{name: values[name] for name in self.names})
        return self.part.numbers(fitness, "fitness", (n,), where)
