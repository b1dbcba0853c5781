"""`hsevo.coevolve` and `hsevo.Coevolution`: decks and their pilots, and their run folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import pandas as pd

from hsevo.api.agents import Agent
from hsevo.api.decks import Deck
from hsevo.api.experiment import RunFolder, changed
from hsevo.api.pool import Progress
from hsevo.cards.deck_pool import DeckPool
from hsevo.coevolution import budget
from hsevo.coevolution.experiment import Coevolving
from hsevo.coevolution.folder import CoevolutionRun
from hsevo.coevolution.pairs import read_first
from hsevo.coevolution.plan import load_plan
from hsevo.coevolution.state import State
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.field import read_field
from hsevo.errors import RunError, resuming
from hsevo.experiments import loggers
from hsevo.experiments.budget import check_minutes, planned
from hsevo.generated import CoevolveFields
from hsevo.strength.rating import Estimate

MOST = 10_000  # generations to plan


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

    KIND = Coevolving
    folder: CoevolutionRun

    @classmethod
    def create(cls, plan: Plan, out: str | Path | None = None, *, minutes: float | None = None,
               progress: Progress = False) -> Coevolution:
        """Make the folder of a new run, which `resume` plays.

        minutes: plan as many generations as fit into them, by games that are played for it.
        Raises ConfigError, DeckError, CardError, AgentError, RunError.
        """
        pool = DeckPool.of(plan.pool.cls, plan.ruleset, sets=plan.pool.sets,
                           collection=plan.pool.collection, keep=plan.pool.keep, ban=plan.pool.ban)
        field, first = read_field(plan.search), read_first(plan)
        for deck in field.start:
            pool.counts(deck)
        check_minutes(minutes, Coevolving.STEPS)

        def fitted(minutes: float) -> tuple[Plan, str]:
            return planned(plan, Coevolving.STEPS, budget.costs(plan, pool, field, first), minutes,
                           most=MOST)

        return cls(cls._make(plan, out or plan.out, fitted, minutes, progress, lambda path, plan:
                             CoevolutionRun.create(path, plan, pool, field, first)))

    @property
    def plan(self) -> Plan:
        """Its settings, as resolved when it began."""
        return self.folder.plan

    @property
    def generations(self) -> pd.DataFrame:
        """A row a generation: the best deck and weights, their rates against the hall."""
        return CoevolutionRun.open(self.path).table("generations.csv")

    @property
    def decks(self) -> pd.DataFrame:
        """Every deck that was made: number, parents, cards, features."""
        return CoevolutionRun.open(self.path).table("decks.csv")

    @property
    def weights(self) -> pd.DataFrame:
        """All weights that were made: number, parent, weights, step sizes."""
        return CoevolutionRun.open(self.path).table("weights.csv")

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
        return CoevolutionRun.open(self.path).table("hall.csv")

    @property
    def deck(self) -> Deck:
        """The champion's deck. Raises RunError until it is done."""
        self._refuse_open()
        return Deck(self.path / "champion.txt")

    @property
    def agent(self) -> Agent:
        """The champion's pilot, with its deck. Raises RunError until it is done."""
        self._refuse_open()
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
        self._refuse_open()
        row = self.confirmed.iloc[0]
        return Estimate(float(row["rate"]), float(row["low"]), float(row["high"]))

    def resume(self, *, generations: int | None = None, workers: int | None = None,
               backend: str | None = None, log: Sequence[str] = (),
               progress: Progress = False) -> Coevolution:
        """Continue to the end; a finished run is only logged.

        generations: go on to so many, as if it had been planned so from its start. log:
        "tensorboard". Raises RunError, ConfigError.
        """
        self._resume(generations, workers, backend, log, progress)
        return self

    def _look(self) -> State:
        found: State = self.state
        return found

    def _refuse_open(self) -> None:
        if not self.done:
            raise RunError(f"{self.path} is not finished, and names no champion yet; continue"
                           f" with: {resuming(Coevolving.command(), self.path)}")

    def __repr__(self) -> str:
        run = CoevolutionRun.open(self.path)
        return (f"Coevolution('{self.path}': {run.plan.name}, seed {run.plan.seed},"
                f" {run.generations} of {run.plan.generations} generations,"
                f" {'done' if run.done else 'open'})")


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
    loggers.load(log)
    check_minutes(minutes, Coevolving.STEPS, {**(changes or {}), **fields})
    plan = changed(source if isinstance(source, Plan) else load_plan(source), changes,
                   "{'generations': 100}", {**fields, "out": str(out) if out else None})
    return Coevolution.create(plan, minutes=minutes, progress=progress).resume(
        log=log, progress=progress)
