"""`hsevo.evolve_decks` and `hsevo.DeckEvolution`: decks that beat a field, and their run folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
import pandas as pd

from hsevo.api.experiment import RunFolder, pool_of_plan
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import Deck
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding.book import RESULT, Rates
from hsevo.deckbuilding.course import DECKS_PLAYED, DeckCourse
from hsevo.deckbuilding.experiment import MAP, DeckSearch, map_table
from hsevo.deckbuilding.field import Field, read_field
from hsevo.deckbuilding.folder import DeckRun
from hsevo.experiments.playing import Progress
from hsevo.generated import DeckFields
from hsevo.objects import Fields
from hsevo.strength.rating import Estimate


class DeckEvolution(RunFolder):
    """A run folder of hsevo decks evolve, finished or not. Raises RunError if `path` is not one.

    >>> few = {"search.generations": 2, "search.first": 4, "search.lambda": 4, "search.mu": 2,
    ...        "games": 2, "confirm.games": 2, "confirm.best": 2, "field": ["mage"]}
    >>> path = hsevo.evolve_decks("deck-smoke", out="runs/decks", changes=few).path
    >>> hsevo.DeckEvolution(path)
    DeckEvolution('runs/decks': deck-smoke, seed 1, 2 of 2 generations, done)
    >>> len(hsevo.DeckEvolution(path).best)
    30
    """

    FIELDS: ClassVar[Fields] = {
        **RunFolder.FIELDS, "best": lambda self: self.best if self.done else None,
        "rate": lambda self: self.rate if self.done else None, "generations": "generations",
        "archive": "archive"}

    KIND = DeckSearch
    STATE_AS_JSON = False
    folder: DeckRun

    @classmethod
    def _parts(cls, plan: Plan) -> tuple[DeckPool, Field]:
        pool, field = pool_of_plan(plan.pool, plan.ruleset), read_field(plan)
        for deck in field.start:
            pool.counts(deck)
        return pool, field

    @property
    def generations(self) -> pd.DataFrame:
        """A row a generation: games, decks so far, the best and its rate, cells."""
        return self.table("generations.csv")

    @property
    def decks(self) -> pd.DataFrame:
        """Every deck that was made: number, parents, cards, features, games, rate and its ends.

        rate: of all its games in the search; the highest of many are too high.
        """
        run: DeckRun = self._now()
        table, opponents = run.table("decks.csv"), len(run.field.decks)
        pilots = len(run.plan.pilots)
        results = np.zeros((len(table), pilots * opponents), RESULT)
        for numbers, played in (met[DECKS_PLAYED] for met in run.stored()):
            for name in RESULT.names or ():
                results[name][numbers] += played[name]
        rates = Rates(results, run.field.weights(pilots), opponents)
        low, high = rates.ends()
        return table.assign(games=results["games"].sum(axis=1), rate=rates.rate(), rate_low=low,
                            rate_high=high)

    @property
    def maps(self) -> pd.DataFrame:
        """The map after each parting of its cells, with search.boundaries: sliding; else empty.

        A line per elite: columns generation, cell_1, cell_2, deck, rate (of its games until then),
        rate_low, rate_high. The search is told again for it. Raises RunError.
        """
        run: DeckRun = self._now()
        parts: list[pd.DataFrame] = []

        def watch(number: int, course: DeckCourse) -> None:
            if not (number + 1) % search.remap:
                parts.append(map_table(number, course))

        search = run.plan.search
        if search.strategy == "map-elites" and search.boundaries == "sliding":
            DeckSearch.told(run, watch)
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*MAP])

    @property
    def archive(self) -> pd.DataFrame:
        """The decks that stayed, the best first, with confirmed rates; empty until it is done."""
        return self.table("archive.csv")

    @property
    def confirmed(self) -> pd.DataFrame:
        """The games after the search, a row a match-up; empty until it is done."""
        return self.table("confirmed.csv")

    @property
    def best(self) -> Deck:
        """The best deck, as its games after the search say. Raises RunError until it is done."""
        self._refuse_open("best deck")
        return Deck(self.path / "best.txt")

    @property
    def rate(self) -> Estimate:
        """The best deck's win rate in games that chose nothing, with its 95 % interval.

        Raises RunError until it is done.
        """
        self._refuse_open("best deck")
        row = self.archive.iloc[0]
        return Estimate(*(float(row[f"confirmed_{name}"]) for name in (
            "rate", "rate_low", "rate_high")))


def evolve_decks(source: str | Path | Plan = "human-field",
                 changes: Mapping[str, Any] | None = None, *, out: str | Path | None = None,
                 minutes: float | None = None, log: Sequence[str] = (), progress: Progress = False,
                 **fields: Unpack[DeckFields]) -> DeckEvolution:
    """Find decks that beat a field, into a run folder, and return the run.

    source: the name of a config in configs/decks, a path, or a Plan. changes: keys of the config
    with other values, {"pool.class": "rogue", "search.generations": 50}; those without a point may
    be keywords, too, as seed=7, and so may workers and backend. log: "tensorboard".
    minutes: plan as many generations as fit into them; not with generations in changes.
    Results are bit-identical with any workers and backend. A stopped run continues with
    `DeckEvolution(path).resume()`.

    Raises ConfigError, DeckError, CardError, AgentError, RunError, WorkersError, GameError.

    >>> few = {"search.generations": 2, "search.first": 4, "search.lambda": 4, "search.mu": 2,
    ...        "games": 2, "confirm.games": 2, "confirm.best": 2, "field": ["mage"]}
    >>> run = hsevo.evolve_decks("deck-smoke", seed=7, out="runs/mine", changes=few)
    >>> run.generations["decks"].tolist()
    [4, 8]
    """
    return DeckEvolution._begin(
        source, changes, "{'search.generations': 50}", log=log, minutes=minutes, progress=progress,
        given={**fields, "out": str(out) if out else None})
