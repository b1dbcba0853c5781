"""Check a run folder by adding everything up again, and by evolving again from its results.

The evolution is deterministic but for the games. So `verify` runs the very same evolution with
the stored results in the place of games: every pairing, seed, fitness, survivor, age, birth,
weight and sigma must come out as it is stored. The results themselves are checked for sense; that
a game comes out as stored is `hsevo replay`'s to show.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.config import change
from hsevo.errors import RunError
from hsevo.evolution import yardstick
from hsevo.evolution.evolve import Coevolution
from hsevo.evolution.fitness import field_size
from hsevo.play import match
from hsevo.runs import folder as runs
from hsevo.runs.folder import Generation, Run

Array: TypeAlias = npt.NDArray[Any]

# Another machine's mathematical library may differ in the last bit of exp and log (1e-16), and
# such a difference is handed on from generation to generation.
TOLERANCE = 1e-9
SHOWN = 10  # problems named before the rest is counted


@dataclass
class Report:
    """What was looked at, and what was wrong with it."""

    generations: int = 0
    matches: int = 0
    games: int = 0
    done: bool = False
    problems: list[str] = field(default_factory=list)


def verify(run: Run, tick: Callable[[int], object] = lambda games: None) -> Report:
    """Check all that a run has committed; problems are told in the report, not raised.

    tick: called with the number of games of each generation checked.
    Raises RunError only where the folder cannot be read at all.
    """
    report = Report(done=run.done)
    report.problems += _files(run)
    population, statistics, measured = run.population(), run.statistics(), run.yardstick()
    executions = sorted({execution for execution, _ in run.committed()})
    for execution in executions:
        _execution(run, execution, (population, statistics, measured), report, tick)
    lines = sum(field_size(run.config, number) for _, number in run.committed())
    if len(population) != lines or len(statistics) != report.generations:
        report.problems.append(f"population.csv has {len(population)} lines, not {lines}, or"
                               f" statistics.csv {len(statistics)}, not {report.generations}")
    against = run.config.yardstick.against if run.config.yardstick else ()
    lines = len(against) * sum(yardstick.due(run.config, number) for _, number in run.committed())
    if len(measured) != lines:
        report.problems.append(f"yardstick.csv has {len(measured)} lines, not {lines}")
    return report


def problems_text(run: Run, report: Report) -> str:
    """Return the problems of a report, a line each, the first ones named and the rest counted."""
    lines = [f"{run.path}: {problem}" for problem in report.problems[:SHOWN]]
    if len(report.problems) > SHOWN:
        lines.append(f"{run.path}: and {len(report.problems) - SHOWN} problems more")
    return "\n".join(lines)


def _files(run: Run) -> Iterator[str]:
    wanted = {runs.part_name(*key) for key in run.committed()}
    folder = run.path / "matches.parquet"
    present = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    for name in sorted(wanted - present):
        yield f"{name} is missing"
    ends = (run.config.executions, run.config.evolution.generations - 1)
    if run.done and (run.start is None or (run.start.execution, run.start.number) != ends):
        yield "it is marked done, and generations are missing"
    if run.done:
        for name in sorted(present - wanted):
            yield f"{name} belongs to no generation"


def _execution(run: Run, execution: int, tables: tuple[pd.DataFrame, ...], report: Report,
               tick: Callable[[int], object]) -> None:
    """Evolve an execution again with its stored results, and compare all that comes out."""
    last = max(number for other, number in run.committed() if other == execution)
    stored = _Stored(run, execution)

    def compare(generation: Generation) -> None:
        problems = [*stored.problems(generation), *_generation_problems(run, generation, *tables)]
        report.problems += (f"generation {generation.number}: {problem}" for problem in problems)
        games = int(generation.pairings["games"].sum())
        report.generations += 1
        report.matches += len(generation.pairings)
        report.games += games
        tick(games)

    shorter = change(run.config, {"evolution.generations": last + 1})
    Coevolution(shorter, execution, stored, compare).run()


class _Stored:
    """The matches of an execution, dealt out in the place of games as they are asked for."""

    def __init__(self, run: Run, execution: int) -> None:
        self.run, self.execution = run, execution
        self.number, self.at = -1, 0
        self.table = pd.DataFrame()

    def __call__(self, number: int, pairings: Array, players: Array) -> Array:
        """Return the next stored results, as RESULT rows. Raises RunError if there are too few."""
        if number != self.number:
            self.table, self.number, self.at = self.run.matches(self.execution, number), number, 0
        part = self.table.iloc[self.at:self.at + len(pairings)]
        self.at += len(pairings)
        return _results(self.run, part, pairings)

    def problems(self, generation: Generation) -> Iterator[str]:
        """Say what is wrong with the matches of the generation that was asked for last."""
        if len(self.table) != self.at:
            yield f"matches: there are {len(self.table)}, not {self.at}"
        else:
            yield from _match_problems(self.run, generation, self.table)


def _results(run: Run, table: pd.DataFrame, pairings: Array) -> Array:
    """Return the stored results as RESULT rows. Raises RunError if there is not one a pairing."""
    counts = set(match.RESULT.names or ()) - {"faults"}
    if len(table) != len(pairings) or not counts <= set(table.columns):
        raise RunError(f"{run.path} is damaged: a generation has {len(table)} matches, not"
                       f" {len(pairings)}, or lacks columns")
    results = np.zeros(len(table), match.RESULT)
    for name in counts:
        results[name] = table[name]
    short = pairings["games"] - (results["wins_a"] + results["wins_b"] + results["draws"])
    if short.any():
        seed = pairings["seed"][np.flatnonzero(short)[0]]
        raise RunError(f"{run.path} is damaged: the match with seed {seed} does not add up to its"
                       " games")
    return results


def _match_problems(run: Run, generation: Generation, table: pd.DataFrame) -> Iterator[str]:
    derived = runs.matches_table(generation, run.decks)
    for name in ("execution", "generation", "a", "b", "deck_a", "deck_b", "games", "seed"):
        if not np.array_equal(table[name].to_numpy(), derived[name].to_numpy()):
            yield f"matches: column {name} is not what the seed and the field give"
    turns, games = table["turns"], table["games"]
    if not ((games <= turns) & (turns <= games * run.config.max_turns)).all():
        yield "matches: a number of turns is impossible"
    if (table[["wins_a", "wins_b", "draws", "decisions", "simulated"]] < 0).any(axis=None):
        yield "matches: a count is negative"


def _generation_problems(run: Run, generation: Generation, population: pd.DataFrame,
                         statistics: pd.DataFrame, measured: pd.DataFrame) -> Iterator[str]:
    yield from _differences("population.csv", runs.population_table(generation, run.genome.names),
                            _at(population, generation))
    yield from _differences("statistics.csv", runs.statistics_table(generation),
                            _at(statistics, generation))
    yield from yardstick.problems(run, generation.execution, generation.number,
                                  generation.survivors[0], measured)


def _at(table: pd.DataFrame, generation: Generation) -> pd.DataFrame:
    here = ((table["execution"] == generation.execution)
            & (table["generation"] == generation.number))
    return table[here].reset_index(drop=True)


def _differences(name: str, derived: pd.DataFrame, stored: pd.DataFrame) -> Iterator[str]:
    if len(derived) != len(stored):
        yield f"{name} has {len(stored)} lines, not {len(derived)}"
        return
    for column in derived.columns:
        numbers = pd.to_numeric(stored[column], errors="coerce")  # what is no number fits nothing
        if not np.allclose(numbers, derived[column].astype(float),
                           rtol=TOLERANCE, atol=TOLERANCE):
            yield f"{name}: column {column} is not what the results give"
