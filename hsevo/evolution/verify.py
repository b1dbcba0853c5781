"""Check a run folder: compute everything again from its stored results.

Apart from the games, the evolution is deterministic. So `verify` evolves again with the stored
results in place of games: every pairing, seed, fitness, survivor, age, birth, weight and sigma must
be as stored. The results are checked for plausibility; `hsevo replay` shows whether a game
reproduces.

Tables contain every number in full, and are compared digit by digit. If the mathematical library of
another machine rounds exp or log differently, this is reported as such. The SHA-256 of the files
are checked as well; runs begun before version 0.2 have none.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hsevo.evolution import references
from hsevo.evolution.custom import NOTHING, Custom
from hsevo.evolution.evolve import repeated
from hsevo.evolution.stored import StoredMatches
from hsevo.runs.folder import FORMAT, RunFolder, part_name, table_names
from hsevo.runs.tables import Generation, match_arrays, population_table, statistics_table
from hsevo.store.sums import Checked
from hsevo.types import Array

POPULATION_FILE, STATISTICS_FILE = table_names(FORMAT)[:2]


@dataclass(kw_only=True)
class EvolutionReport(Checked):
    """What was checked, and the problems found."""

    generations: int = 0
    matches: int = 0

    @property
    def outcome(self) -> str:
        """What adds up."""
        return (f"{self.generations:,} generations, {self.matches:,} matches and {self.games:,}"
                f" games add up{self.unsigned}")


def verify(run: RunFolder, custom: Custom = NOTHING) -> EvolutionReport:
    """Check everything that a run has committed; problems are listed in the report, not raised.

    custom: what of the run is the user's. Raises RunError only if the folder can't be read at all,
    and ConfigError if the user's code fails.
    """
    report = EvolutionReport(done=run.final, sums=bool(run.digests))
    report.problems += _files(run)
    stored = _Tables(run)
    for execution in sorted({execution for execution, _ in run.committed()}):
        _execution(run, execution, stored, report, custom)
    report.problems += stored.rest()
    return report


def _files(run: RunFolder) -> Iterator[str]:
    wanted = {part_name(*key) for key in run.committed()}
    folder = run.path / "matches.parquet"
    present = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    for name in sorted(wanted - present):
        yield f"{name} is missing"
    ends = (run.config.executions, run.config.evolution.generations - 1)
    if run.final and (run.start is None or (run.start.execution, run.start.number) != ends):
        yield "it is marked as finished, but generations are missing"
    if run.final:
        for name in sorted(present - wanted):
            yield f"{name} belongs to no generation"


class _Tables:
    """The stored tables of a run, compared generation by generation."""

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self.lines = {name: run.rows(name) for name in (POPULATION_FILE, STATISTICS_FILE)}
        self.at = dict.fromkeys(self.lines, 0)
        self.measured = run.table(run.names[2])
        self.moments = dict(list(self.measured.groupby(["execution", "generation"])))

    def problems(self, generation: Generation) -> Iterator[str]:
        """Yield the problems of the next generation's lines."""
        yield from self._differences(POPULATION_FILE, population_table(
            generation, self.run.genome.names, self.run.features))
        yield from self._differences(STATISTICS_FILE, statistics_table(generation))
        key = generation.execution, generation.number
        lines = self.moments.pop(key, None)
        if lines is not None or references.due(self.run.config, generation.number):
            yield from references.problems(self.run, *key, generation.survivors[0],
                                          self.measured[:0] if lines is None else lines)

    def rest(self) -> Iterator[str]:
        """Yield the problems of the lines after the last generation."""
        for name, lines in self.lines.items():
            if len(lines) > self.at[name]:
                yield f"{name} has {len(lines)} lines, not {self.at[name]}"
        if more := sum(map(len, self.moments.values())):
            yield (f"{self.run.names[2]} has {len(self.measured)} lines, not"
                   f" {len(self.measured) - more}")

    def _differences(self, name: str, derived: pd.DataFrame) -> Iterator[str]:
        at, lines = self.at[name], self.lines[name]
        self.at[name] += len(derived)
        return self.run.tables[name].differences(derived, b"".join(lines[at:at + len(derived)]))


def _execution(run: RunFolder, execution: int, tables: _Tables, report: EvolutionReport,
               custom: Custom) -> None:
    """Evolve an execution again with its stored results, and compare everything."""
    stored = _Compared(run, execution)
    for generation in repeated(run, execution, stored, custom):
        problems = [*stored.problems(generation), *tables.problems(generation),
                    *_moment_problems(run, generation)]
        report.problems += (f"generation {generation.number}: {problem}" for problem in problems)
        report.generations += 1
        report.matches += len(generation.pairings)
        report.games += int(generation.pairings["games"].sum())


class _Compared(StoredMatches):
    """Stored matches that can be compared with those of a generation."""

    def problems(self, generation: Generation) -> Iterator[str]:
        """Yield the problems of the matches of the last generation."""
        if len(self.table["seed"]) != self.at:
            yield f"matches: there are {len(self.table['seed'])}, not {self.at}"
        else:
            yield from _match_problems(self.run, generation, self.table)


def _match_problems(run: RunFolder, generation: Generation,
                    table: dict[str, Array]) -> Iterator[str]:
    derived = match_arrays(generation, run.decks)
    for name in ("execution", "generation", "a", "b", "deck_a", "deck_b", "games", "seed"):
        if not np.array_equal(table[name], derived[name]):
            yield f"matches: column {name} differs from what the seed and the opponents give"
    turns, games = table["turns"], table["games"]
    if not ((games <= turns) & (turns <= games * run.config.max_turns)).all():
        yield "matches: impossible number of turns"
    if any((table[name] < 0).any() for name in
           ("wins_a", "wins_b", "draws", "decisions", "simulated")):
        yield "matches: negative count"


def _moment_problems(run: RunFolder, generation: Generation) -> Iterator[str]:
    """Yield the problems of the checkpoint, if it is of this generation."""
    start = run.start
    if start is None or (start.execution, start.number) != (generation.execution,
                                                            generation.number):
        return
    if start.random_state != generation.random_state:
        yield "checkpoint.json: the random state differs from what the seed and the results give"
    if start.survivors != generation.survivors:
        yield "checkpoint.json: the survivors differ from what the results give"
