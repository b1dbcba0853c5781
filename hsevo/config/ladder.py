"""The keys of a ladder: players that learn by settings which are changed step by step.

    configs/ladders/NAME.yaml --learning.ladders.load_ladder()--> Ladder
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from hsevo.config.models import Count, Name, Names, Section, Seed, Text
from hsevo.errors import name_problem, quoted

MOST = 100  # rungs, seeds, agents
RUNS_OWN = ("name", "seed", "out", "workers")  # keys of a learning config that no rung can have


def _settings(given: Any) -> Any:
    return {} if given is None else given  # `b0:` without settings


# Whole numbers below 2^53 are the same as text and in a column with gaps, which is of floats.
PlayerSeed = Annotated[int, Field(ge=0, lt=2**53)]
Settings = Annotated[dict[Text, Any], BeforeValidator(_settings)]
Percent = Annotated[float, Field(ge=0, le=100)]


class PublishedRates(Section):
    """The table of a source, to stand beside what is measured."""

    source: Text
    """Where it is from."""
    rates: dict[Text, list[Percent]]
    """Games that a rung won, in %: a list for each rung, against all rungs in their order."""


class Ladder(Section):
    """Players that learn, rung by rung, and meet each other."""

    config: Text
    """The learning config that the rungs change: a name, or a path."""
    rungs: Annotated[dict[Text, Settings], Field(max_length=MOST)]
    """The rungs by their names, in order: {name: {key: value}}, such as {b1: {network.discount:
    1.0}}. Each is the one before it with these settings of the config changed."""
    seeds: Annotated[list[PlayerSeed], Field(min_length=1, max_length=MOST)] = Field(
        default_factory=lambda: [1, 2, 3])
    """A player of each rung learns with each seed; intervals are over seeds."""
    games: Count = 360
    """Games of every two players of different rungs, at least; half from either seat with the same
    deals."""
    decks: Names | None = None
    """Decks of all matches; null: those of the first rung. Policies that build play their own."""
    against: Annotated[list[Name], Field(max_length=MOST)] = []  # noqa: RUF012 - pydantic copies it
    """Agents that all players meet as well."""
    games_against: Count = 360
    """Games of each player against each of these, at least."""
    match_seed: Seed = 1
    """Of the matches; each has deals of its own."""
    temperature: Annotated[float, Field(ge=0, le=10)] | None = None
    """Temperature at which all players play in matches, 0: the best action; null: as usual, 1 of
    end-to-end policies and 0 of others."""
    published: PublishedRates | None = None
    """A published table to compare with; null: none."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if len(self.rungs) < 2:
            raise ValueError(f"rungs has {len(self.rungs)}, but a ladder needs at least two")
        for rung, settings in self.rungs.items():
            _refuse_rung(rung, settings)
        if len({rung.casefold() for rung in self.rungs}) < len(self.rungs):
            raise ValueError(f"rungs has {', '.join(self.rungs)}, but their names must differ by"
                             " more than case: some file systems take them for one folder")
        if len({*self.seeds}) < len(self.seeds):
            raise ValueError(f"seeds is {self.seeds}, but must have each seed once")
        if len({*self.against}) < len(self.against):
            raise ValueError(f"against is {self.against}, but must have each agent once")
        if self.published:
            _refuse_shape(self.published.rates, [*self.rungs])
        return self

    def changes(self, rung: str) -> str:
        """Return the settings of a rung, as --set takes them: "rounds=4 games=64"."""
        return " ".join(f"{key}={_plain(value)}" for key, value in self.rungs[rung].items())

    def published_rate(self, row: str, column: str) -> float:
        """Return the published share of games that a rung won of another, 0 to 1; NaN: not known.
        """
        if self.published is None:
            return float("nan")
        return self.published.rates[row][[*self.rungs].index(column)] / 100


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _refuse_rung(rung: str, settings: Mapping[str, Any]) -> None:
    """Raise ValueError for a name that can be no folder's, and for a key that is a run's own."""
    if name_problem(rung) or not re.fullmatch(r"[^\W_][\w.+-]{0,99}", rung):
        raise ValueError(f"rungs names {quoted(rung)}, but a rung must be letters, digits, and"
                         " . + - _ only, at most 100, and begin with a letter or digit: it names"
                         " folders")
    if own := next((key for key in settings if key.partition(".")[0] in RUNS_OWN), ""):
        raise ValueError(f"rungs.{rung} sets {quoted(own)}, which a rung cannot change; it can"
                         " change what and how its players learn")


def _refuse_shape(rates: Mapping[str, list[float]], rungs: list[str]) -> None:
    """Raise ValueError unless rates are a matrix of the rungs."""
    n = len(rungs)
    if [*rates] != rungs:
        raise ValueError(f"published.rates has rows for {', '.join(rates) or 'nothing'}, but must"
                         f" have one for each rung, in their order: {', '.join(rungs)}")
    if wrong := next((rung for rung in rungs if len(rates[rung]) != n), ""):
        raise ValueError(f"published.rates.{wrong} has {len(rates[wrong])} rates, but must have"
                         f" {n}: against each of the rungs in their order")
