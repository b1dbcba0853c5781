"""The folder of a coevolution: the only file that knows its file names and columns.

See store/tables.py for what all such folders have.

    config.yaml      the resolved plan             about.json       versions, hall, field, pool
    decks.csv        every deck that was made      weights.csv      all weights that were made
    matches.csv      what everyone scored          references.csv   champions against the reference
    generations.csv  one line a generation         log.txt          what happened when
    checkpoint.json  how far it is: the commit     done             exists when it is finished

At the end: hall.csv, the hall of fame; confirmed.csv, games after the last generation; champion.txt
and champion.yaml, its deck and its weights.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd

from hsevo import config, sources
from hsevo.agents.genomes.genome import Genome
from hsevo.cards.deck_pool import DeckPool
from hsevo.coevolution.course import (
    POPULATIONS,
    REFERENCE,
    Meetings,
    PairCourse,
    PairGeneration,
)
from hsevo.coevolution.pairs import Pair
from hsevo.coevolution.plan import genome_of
from hsevo.coevolution.reference import MEETING, Reference
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.book import COUNTS as SUMS
from hsevo.deckbuilding.book import results_of
from hsevo.deckbuilding.field import Field
from hsevo.deckbuilding.folder import (
    DECK_COLUMNS,
    METHOD_SOURCES,
    PoolRun,
    about_of,
    decks_table,
    pool_data,
)
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError
from hsevo.runs.individuals import SIGMA
from hsevo.store.kinds import COEVOLUTION
from hsevo.store.sums import short_digest
from hsevo.types import Array

FORMAT = 1
SOURCES = (*METHOD_SOURCES, *(f"coevolution/{name}.py" for name in (
    "confirm", "course", "games", "pairs", "reference")), "evolution/breeding.py",
    "evolution/strategies.py", "deckbuilding/field.py")
TABLES = ("decks.csv", "weights.csv", "matches.csv", "references.csv", "generations.csv")
COUNTS = ("games", "wins", "draws", "losses", "turns", "margin")
COLUMNS = {
    "decks.csv": DECK_COLUMNS, "weights.csv": ("individual", "parent", "born"),
    "matches.csv": ("generation", "population", "number", "partner", "opponent", *COUNTS),
    "references.csv": ("generation", *MEETING),
    "generations.csv": ("generation", "games", "decks",
                        *(f"{one}{end}" for one in ("deck", "individual")
                          for end in ("", "_rate", "_rate_low", "_rate_high")),
                        "sigma", "hall", "left"),
    "confirmed.csv": ("stage", *MEETING), "hall.csv": ("generation", "deck", "pilot", "cards"),
}
NAMED = ("references.csv", "confirmed.csv", "hall.csv")  # whose column `deck` has names
WORDS = ("cards", "population", "partner", "pilot", "opponent", "agent", "stage")


def method() -> str:
    """Return a fingerprint of how decks and weights evolve, which comments do not change."""
    ours = sources.remembered("coevolution", lambda: sources.digest(SOURCES))
    return short_digest(f"{np.__version__} {version('inspyred')} {ours}")


class CoevolutionRun(PoolRun[Plan]):
    """The folder of a coevolution, to read; `resume` locks it to write."""

    KIND, FORMATS, PLAN = COEVOLUTION, {FORMAT: {}}, Plan
    SPEC = "KIND:RUN/champion.yaml@RUN/champion.txt"
    COLUMNS, GROWING, WORDS, NAMED = COLUMNS, TABLES, WORDS, NAMED
    MAY_BE_EMPTY = ("references.csv",)

    @classmethod
    def create(cls, path: Path, plan: Plan, pool: DeckPool, field: Field,
               first: Sequence[Pair]) -> Self:
        """Make the folder, whole or not at all. Raises RunError, AgentError."""
        text = config.dump(plan)
        about = about_of(COEVOLUTION, FORMAT, text, method()) | {
            "genome": genome_of(plan).digest(), "hall": [pair.data() for pair in first],
            "field": field.data(), "pool": pool_data(pool)}
        return cls(path, plan, cls._make(path, about, {"config.yaml": text.encode()}, str(path)))

    @property
    def planned(self) -> int:
        """How many generations there are to be."""
        return self.plan.generations

    def marks(self) -> dict[str, str]:
        """Return the fingerprints with which it goes on: of the engine, the method, the genome."""
        return {"engine": fingerprint(), "method": method(), "genome": self.genome.digest()}

    @functools.cached_property
    def genome(self) -> Genome:
        """The weights that evolve. Raises AgentError."""
        return genome_of(self.plan)

    @functools.cached_property
    def reference(self) -> Reference:
        """The reference decks as they were when the run began. Raises RunError."""
        with self.reading("field"):
            return Reference(self.plan, Field.of(self.about["field"], self.plan.ruleset))

    @functools.cached_property
    def first(self) -> tuple[Pair, ...]:
        """The first pairs of the hall as they were when the run began. Raises RunError."""
        with self.reading("hall"):
            found = tuple(Pair.of(one, self.plan.ruleset) for one in self.about["hall"])
            if len(found) != len(self.plan.hall.first):
                raise ValueError("its pairs do not add up")
            return found

    @property
    def parts(self) -> tuple[DeckPool, Field, tuple[Pair, ...]]:
        """Its pool, the field of its reference decks, and the first pairs of its hall."""
        return self.pool, self.reference.field, self.first

    # --- Tables

    def columns(self, name: str) -> tuple[str, ...]:
        """Return the columns of a table."""
        own = [*self.genome.names, *(SIGMA + one for one in self.genome.names)]
        return (*super().columns(name), *(own if name == "weights.csv" else ()))

    def stored(self) -> list[dict[str, tuple[Array, Array]]]:
        """Return who played in each generation, (n,), and their RESULT (n, m), by population.

        Raises RunError if they do not add up.
        """
        table, champions, found = self.table("matches.csv"), self._champions(), []
        for number in range(self.generations):
            here = table[table["generation"] == number]
            met = {name: self._met(here[here["population"] == name], "number", self.plan.slots)
                   for name in POPULATIONS}
            if number in champions:
                met[REFERENCE] = np.array([number]), champions[number]
            found.append(met)
        return found

    def _champions(self) -> dict[int, Array]:
        """Return the games of champions against the reference, RESULT (1, k), by generation."""
        table = self.table("references.csv")
        k = len(self.reference.field.decks)
        if len(table) % k:
            raise RunError(f"{self.path / 'references.csv'} is damaged: it lacks games")
        results = results_of(table).reshape(-1, k) if len(table) else ()
        numbers = table["generation"].tolist()[::k] if len(table) else ()
        return {int(number): one[None] for number, one in zip(numbers, results, strict=True)}

    def played(self, step: tuple[PairGeneration, PairCourse]) -> dict[str, pd.DataFrame]:
        """Return the lines of a generation that say what was played."""
        made, _ = step
        references = self.reference.table([made.champion], made.references) if (
            made.references.size) else pd.DataFrame()
        if len(references):
            references.insert(0, "generation", made.number)
        return {"references.csv": references, "matches.csv": pd.concat(
            [matches_table(one, results) for one, results in zip(
                made.meetings, made.results, strict=True)])}

    def following(self, step: tuple[PairGeneration, PairCourse]) -> dict[str, pd.DataFrame]:
        """Return the lines that follow from it."""
        made, course = step
        return {"decks.csv": decks_table(course.book, made.decks),
                "weights.csv": weights_table(self.genome, made.weights),
                "generations.csv": pd.DataFrame([made.line])}


def weights_table(genome: Genome, rows: Array) -> pd.DataFrame:
    """Return weights, INDIVIDUAL (n,), as lines of weights.csv."""
    return pd.DataFrame(
        {"individual": rows["id"], "parent": rows["parent"], "born": rows["born"]}
        | {name: rows["weights"][:, i] for i, name in enumerate(genome.names)}
        | {SIGMA + name: rows["sigmas"][:, i] for i, name in enumerate(genome.names)})


def matches_table(made: Meetings, results: Array) -> pd.DataFrame:
    """Return what a population scored, RESULT (n, m), as lines of matches.csv."""
    n, m = results.shape
    flat: Mapping[str, Any] = {name: results[name].ravel() for name in SUMS}
    return pd.DataFrame({
        "generation": made.number, "population": made.population,
        "number": np.repeat(made.candidates, m),
        "partner": [one.name for one in made.partners] * n,
        "opponent": [one.name for one in made.theirs] * n,
        **flat, "losses": flat["games"] - flat["wins"] - flat["draws"]})
