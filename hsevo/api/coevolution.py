"""`hsevo.coevolve` and `hsevo.Coevolution`: decks and their pilots, and their run folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Unpack

import pandas as pd

from hsevo.api.experiment import RunFolder, pool_of_plan
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import Deck
from hsevo.coevolution.experiment import CoevolutionState, Coevolving
from hsevo.coevolution.folder import CoevolutionRun
from hsevo.coevolution.pairs import Pair, read_first
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.field import Field, read_field
from hsevo.experiments.playing import Progress
from hsevo.generated import CoevolveFields
from hsevo.objects import Fields
from hsevo.strength.agents import Agent
from hsevo.strength.rating import Estimate


class Coevolution(RunFolder):
    """A run folder of hsevo coevolve, finished or not. Raises RunError if `path` is not one.

    >>> few = {"generations": 2, "games": 2, "decks.first": 4, "decks.mu": 2, "decks.lambda": 2,
    ...        "weights.mu": 2, "weights.lambda": 2, "reference.against": ["warrior"],
    ...        "confirm.games": 2, "confirm.choosing": 2}
    >>> path = hsevo.coevolve("coevolve-smoke", out="runs/together", changes=few).path
    >>> hsevo.Coevolution(path)
    Coevolution('runs/together': coevolve-smoke, seed 1, 2 of 2 generations, done)
    >>> len(hsevo.Coevolution(path).deck)
    30
    """

    FIELDS: ClassVar[Fields] = {
        **RunFolder.FIELDS, "deck": lambda self: self.deck if self.done else None,
        "agent": lambda self: self.agent.spec if self.done else None,
        "rate": lambda self: self.rate if self.done else None, "confirmed": "confirmed",
        "reference": "reference", "hall": "hall", "generations": "generations"}

    KIND = Coevolving
    STATE_AS_JSON = False
    folder: CoevolutionRun

    @classmethod
    def _parts(cls, plan: Plan) -> tuple[DeckPool, Field, Sequence[Pair]]:
        pool = pool_of_plan(plan.pool, plan.ruleset)
        field, first = read_field(plan.search), read_first(plan)
        for deck in field.start:
            pool.counts(deck)
        return pool, field, first

    @property
    def generations(self) -> pd.DataFrame:
        """A row a generation: the best deck and weights, their rates against the hall."""
        return self.table("generations.csv")

    @property
    def decks(self) -> pd.DataFrame:
        """Every deck that was made: number, parents, cards, features."""
        return self.table("decks.csv")

    @property
    def weights(self) -> pd.DataFrame:
        """All weights that were made: number, parent, weights, step sizes."""
        return self.table("weights.csv")

    @property
    def reference(self) -> pd.DataFrame:
        """The champions that met the reference decks: generation, deck, pilot, games, rate, ends.
        """
        return self._look().reference

    @property
    def confirmed(self) -> pd.DataFrame:
        """The last games: the champion; its deck with the first pilot; the first deck with its
        pilot; the first pair. Columns deck, pilot, games, rate, low, high; empty until it is done.
        """
        return self._look().confirmed

    @property
    def hall(self) -> pd.DataFrame:
        """The hall of fame at the end: generation, deck, pilot, cards; empty until it is done."""
        return self.table("hall.csv")

    @property
    def deck(self) -> Deck:
        """The champion's deck. Raises RunError until it is done."""
        self._refuse_open("champion")
        return Deck(self.path / "champion.txt")

    @property
    def agent(self) -> Agent:
        """The champion's pilot, with its deck. Raises RunError until it is done."""
        self._refuse_open("champion")
        return Agent(self.spec, deck=str(self.path / "champion.txt"))

    @property
    def spec(self) -> str:
        """What names the champion's pilot: eva:RUN/champion.yaml."""
        kind, _, options = self.plan.agent.kind.partition("?")
        return f"{kind}:{self.path}/champion.yaml" + (f"?{options}" if options else "")

    @property
    def rate(self) -> Estimate:
        """The champion's win rate against the reference decks in games that chose nothing.

        With its 95 % interval. Raises RunError until it is done.
        """
        self._refuse_open("champion")
        row = self.confirmed.iloc[0]
        return Estimate(float(row["rate"]), float(row["low"]), float(row["high"]))

    def _look(self) -> CoevolutionState:
        found: CoevolutionState = self.state
        return found


def coevolve(source: str | Path | Plan = "user-deck", changes: Mapping[str, Any] | None = None, *,
             out: str | Path | None = None, minutes: float | None = None, log: Sequence[str] = (),
             progress: Progress = False, **fields: Unpack[CoevolveFields]) -> Coevolution:
    """Evolve decks and the weights of their pilots together, into a run folder; return the run.

    source: the name of a config in configs/coevolve, a path, or a Plan. changes: keys of the config
    with other values, {"pool.class": "rogue", "generations": 100}; those without a point may be
    keywords, too, as seed=7, and so may workers and backend. log: "tensorboard".
    minutes: plan as many generations as fit into them; not with generations in changes. Results are
    bit-identical with any workers and backend. A stopped run continues with
    `Coevolution(path).resume()`.

    Raises ConfigError, DeckError, CardError, AgentError, RunError, WorkersError, GameError.

    >>> few = {"generations": 2, "games": 2, "decks.first": 4, "decks.mu": 2, "decks.lambda": 2,
    ...        "weights.mu": 2, "weights.lambda": 2, "reference.against": ["warrior"],
    ...        "confirm.games": 2, "confirm.choosing": 2}
    >>> run = hsevo.coevolve("coevolve-smoke", seed=7, out="runs/both", changes=few)
    >>> run.confirmed["games"].tolist()
    [2, 2, 2, 2]
    """
    return Coevolution._begin(
        source, changes, "{'generations': 100}", log=log, minutes=minutes, progress=progress,
        given={**fields, "out": str(out) if out else None})
