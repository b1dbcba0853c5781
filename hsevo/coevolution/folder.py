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
    genome_of,
)
from hsevo.coevolution.pairs import Pair, ReferencePairs
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.book import COUNTS as SUMS
from hsevo.deckbuilding.book import results_of
from hsevo.deckbuilding.field import Field
from hsevo.deckbuilding.folder import (
    DECK_TABLE,
    GAMES,
    METHOD_SOURCES,
    PoolRun,
    about_of,
    decks_table,
    pool_data,
)
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError
from hsevo.runs.tables import SIGMA
from hsevo.store.kinds import COEVOLUTION
from hsevo.store.sums import short_digest
from hsevo.store.tables import Column, DataTable
from hsevo.types import Array

FORMAT = 1
SOURCES = (*METHOD_SOURCES, *(f"coevolution/{name}.py" for name in (
    "confirm", "course", "pairs")), "evolution/strategies.py")
TABLES = (
    DECK_TABLE,
    DataTable("weights.csv", "All weights that were made.", (
        Column("individual", int, "Their number, from 0."),
        Column("parent", int, "The number of their parent; -1 for first ones."),
        Column("born", int, "The generation in which they were made."),
        Column("<weight>", float, "One column a weight, by its name."),
        Column("sigma_<weight>", float,
            "One column a weight, its step size, in units of the genome's scale."),
    )),
    DataTable("matches.csv",
            "What everyone scored in a generation, a row a partner and opponent. Its seeds "
            "follow from the run's.", (
        Column("generation", int, "Which generation, from 0.", logged=False),
        Column("population", str, "`decks` or `weights`."),
        Column("number", int, "The number of the deck or of the weights."),
        Column("partner", str,
            "The pair of the hall, PILOT@DECK, whose pilot played the deck, or whose deck "
            "the weights played."),
        Column("opponent", str, "The pair of the hall that was met."),
        *GAMES,
    )),
    DataTable("references.csv",
            "Champions against the reference decks, a row a deck, every `reference.every` "
            "generations; they chose nothing.", (
        Column("generation", int, "Whose champion.", logged=False),
        Column("deck", str, "The champion's deck."),
        Column("pilot", str, "Its pilot."),
        Column("opponent", str, "The reference deck."),
        Column("agent", str, "The spec of the agent that played that one."),
        *GAMES,
    )),
    DataTable("generations.csv", "A row a generation.", (
        Column("generation", int, "Which generation, from 0.", logged=False),
        Column("games", int, "Games of the generation, with those against reference decks."),
        Column("decks", int, "Decks so far."),
        Column("deck", int, "The number of the best deck.", logged=False),
        Column("deck_rate", float,
            "Its win rate in this generation, draws counting half: the highest of many, and"
            " so too high, against a hall that changes."),
        Column("deck_rate_low", float, "Lower end of its 95 % interval.", logged=False),
        Column("deck_rate_high", float, "Upper end.", logged=False),
        Column("individual", int, "The number of the best weights.", logged=False),
        Column("individual_rate", float, "Their win rate, likewise."),
        Column("individual_rate_low", float, "Lower end of its 95 % interval.", logged=False),
        Column("individual_rate_high", float, "Upper end.", logged=False),
        Column("sigma", float, "The mean step size of the weights that stay."),
        Column("hall", int, "Pairs in the hall after the generation."),
        Column("left", int, "The generation whose champion left the hall; -1 if none did.",
               logged=False),
    )),
    DataTable("hall.csv", "The hall of fame at the end.", (
        Column("generation", int,
            "The generation in which the pair entered; -1 of the first ones, which stay.",
               logged=False),
        Column("deck", str, "Its deck."),
        Column("pilot", str, "Its pilot."),
        Column("cards", str, "The cards of the deck."),
    ), grows=False),
    DataTable("confirmed.csv", "The games at the end.", (
        Column("stage", str,
            "`chosen`: the newest champions against the hall; `last`: the best of these "
            "against the reference decks; its deck with the first pilot; the first deck "
            "with its pilot; the first pair."),
        Column("deck", str, "The deck."),
        Column("pilot", str, "Who played it."),
        Column("opponent", str, "The deck that was met."),
        Column("agent", str, "Who played that one."),
        *GAMES,
    ), grows=False),
)


def method() -> str:
    """Return a fingerprint of how decks and weights evolve, which comments do not change."""
    ours = sources.remembered("coevolution", lambda: sources.digest(SOURCES))
    return short_digest(f"{np.__version__} {version('inspyred')} {ours}")


class CoevolutionRun(PoolRun[Plan]):
    """The folder of a coevolution, to read; `resume` locks it to write."""

    KIND, FORMATS, PLAN = COEVOLUTION, {FORMAT: {}}, Plan
    SPEC = "KIND:RUN/champion.yaml@RUN/champion.txt"
    STEPS, TABLES = "generations", TABLES
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

    def given(self) -> dict[str, Sequence[str]]:
        """Return its weights."""
        return {"weight": self.genome.names}

    def marks(self) -> dict[str, str]:
        """Return the fingerprints with which it goes on: of the engine, the method, the genome."""
        return {"engine": fingerprint(), "method": method(), "genome": self.genome.digest()}

    @functools.cached_property
    def genome(self) -> Genome:
        """The weights that evolve. Raises AgentError."""
        return genome_of(self.plan)

    @functools.cached_property
    def reference(self) -> ReferencePairs:
        """The reference decks as they were when the run began. Raises RunError."""
        with self.reading("field"):
            return ReferencePairs(self.plan, Field.of(self.about["field"], self.plan.ruleset))

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
