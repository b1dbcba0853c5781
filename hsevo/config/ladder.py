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


def _settings(settings: Any) -> Any:
    return {} if settings is None else settings  # `b0:` without settings


# Whole numbers below 2^53 are the same as text and in a column with gaps, which is of floats.
PlayerSeed = Annotated[int, Field(ge=0, lt=2**53)]
Settings = Annotated[dict[Text, Any], BeforeValidator(_settings)]
Percent = Annotated[float, Field(ge=0, le=100)]


class PublishedRates(Section):
    """A published table that you can compare with the measured rates."""

    source: Text
    """Source of the table."""
    rates: dict[Text, list[Percent]]
    """For each step, a list of its percentages of won games against all steps, in their order."""


class Ladder(Section):
    """An ablation (a ladder). The key rungs lists its steps, and a player learns for each step."""

    config: Text
    """Name or path of the learning config that the steps change."""
    rungs: Annotated[dict[Text, Settings], Field(max_length=MOST)]
    """The steps in order, as {name: {key: value}}, for example {b1: {network.discount: 1.0}}. Each
    step adds its changes to the settings of the previous step."""
    seeds: Annotated[list[PlayerSeed], Field(min_length=1, max_length=MOST)] = Field(
        default_factory=lambda: [1, 2, 3])
    """Seeds of training. A player of each step learns with each seed. Intervals are over seeds."""
    games: Count = 360
    """Minimum number of games of every two players of different steps. Each shuffle is played
    twice, with swapped seats."""
    decks: Names | None = None
    """Decks of all matches. Policies that build decks play their own decks. If null, the decks of
    the first step."""
    against: Annotated[list[Name], Field(max_length=MOST)] = []  # noqa: RUF012 - pydantic copies it
    """Other agents, against which all players play."""
    games_against: Count = 360
    """Minimum number of games of each player against each of these agents."""
    match_seed: Seed = 1
    """Seed of the matches. Each match has different shuffles."""
    temperature: Annotated[float, Field(ge=0, le=10)] | None = None
    """Temperature of all players in matches. With 0, players take the best action. If null, 1 for
    end-to-end policies and 0 for other players."""
    published: PublishedRates | None = None
    """A published table to compare with. If null, none."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if len(self.rungs) < 2:
            raise ValueError(f"rungs has {len(self.rungs)}, but a ladder needs at least two steps")
        for rung, settings in self.rungs.items():
            _refuse_rung(rung, settings)
        if len({rung.casefold() for rung in self.rungs}) < len(self.rungs):
            raise ValueError(f"rungs has {', '.join(self.rungs)}, but names that differ only in"
                             " case are the same folder on some file systems; rename one")
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
    """Raise ValueError for a name that no folder can have, and for a key that only a run has."""
    if name_problem(rung) or not re.fullmatch(r"[^\W_][\w.+-]{0,99}", rung):
        raise ValueError(f"rungs names {quoted(rung)}, but a step must have at most 100 characters,"
                         " only letters, digits, and . + - _, and begin with a letter or digit,"
                         " because it names folders")
    if own := next((key for key in settings if key.partition(".")[0] in RUNS_OWN), ""):
        raise ValueError(f"rungs.{rung} sets {quoted(own)}, which a step can't change; steps can"
                         " change the config of training")


def _refuse_shape(rates: Mapping[str, list[float]], rungs: list[str]) -> None:
    """Raise ValueError unless rates are a matrix of the rungs."""
    n = len(rungs)
    if [*rates] != rungs:
        raise ValueError(f"published.rates has rows for {', '.join(rates) or 'nothing'}, but must"
                         f" have one for each step, in their order: {', '.join(rungs)}")
    if wrong := next((rung for rung in rungs if len(rates[rung]) != n), ""):
        raise ValueError(f"published.rates.{wrong} has {len(rates[wrong])} rates, but must have"
                         f" {n}, one against each step in their order")
