"""The sections and keys of a config of hsevo coevolve: decks and weights that evolve together.

    configs/coevolve/NAME.yaml + --set key=value --config.load(, model=Plan)--> Plan
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from hsevo.config import deckbuilding, models
from hsevo.config.deckbuilding import (
    Crossover,
    First,
    FirstDecks,
    Games,
    Mana,
    More,
    Offspring,
    Opponent,
    PoolSettings,
)
from hsevo.config.models import (
    Count,
    Evolved,
    Listed,
    Name,
    OneOrMore,
    Ruleset,
    RunName,
    Section,
    Seed,
    Sigma,
    Size,
    Text,
    Turns,
    Workers,
)
from hsevo.config.named import pair_beside

Few = Annotated[int, Field(ge=1, le=1000)]


class DeckPopulation(Section):
    """The population of decks, which keep their (mu+lambda) best."""

    start: FirstDecks = ()
    first: First = 20
    mu: Size = 5
    """Decks that stay; they play again with the new ones."""
    lam: Offspring = Field(15, alias="lambda")
    more: More = 0.5
    mana: Mana = None
    crossover: Crossover = 0.0

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.first < self.mu:
            raise ValueError(f"first is {self.first}, and mu {self.mu} decks stay of them; give"
                             " first at least as many")
        return self


class WeightPopulation(Section):
    """The population of weights, by the paper's self-adaptive (mu+lambda) strategy."""

    start: Literal["random", "base"] = "base"
    """base: the first weights are around those of agent.base; random: uniform within bounds."""
    mu: Size = 5
    """Vectors of weights that stay; they play again with the new ones."""
    lam: Size = Field(15, alias="lambda")
    """New vectors of a generation."""
    first_sigmas: Annotated[tuple[float, float], Listed] = (0.0, 0.2)
    """Range [low, high] of the first step sizes, in units of a weight's scale."""
    sigma_max: Sigma | None = None
    """A parent's step sizes are cut to this before it mutates; null: no upper bound."""
    bounds: Annotated[tuple[float, float], Listed] = (0.0, 1.0)
    """Range [low, high] of all weights, as shares of what the agent allows."""

    @property
    def evolution(self) -> models.Evolution:
        """The same as settings of hsevo evolve."""
        return models.Evolution.model_validate(
            {"strategy": "es", **self.model_dump(by_alias=True)})

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        _ = self.evolution  # its checks of bounds and first_sigmas
        return self


class HallSettings(Section):
    """The hall of fame: pairs of a deck and its pilot, whom both populations meet."""

    first: Annotated[tuple[Text, ...], *OneOrMore]
    """The pairs of the beginning, AGENT@DECK; they never leave."""
    size: Few = 20
    """Champions that it holds besides: one of each generation enters, and if there are too many,
    one that the seed draws leaves; the newest stays."""
    opponents: Few = 4
    """Pairs that a generation meets: the newest, and others that the seed draws."""
    partners: Few = 2
    """Pairs whose pilots play the new decks, and whose decks the new weights play; likewise."""


class ReferenceDecks(Section):
    """Decks that nothing is chosen by: how good the champion is against others than the hall."""

    against: Annotated[tuple[Opponent, ...], Listed, Field(min_length=1, max_length=1000)]
    """The decks: a list of decks, or of {deck: mage, agent: "eva:2018", share: 2}."""
    pilot: Name = "eva:2018"
    """The agent that plays those without an agent of their own."""
    every: Count = 5
    """The interval in generations at which the champion meets them, with new seeds."""
    games: Games = 20
    """Games against each of them, half from either seat."""


class ChampionConfirmation(Section):
    """New games at the end: the best of many by rate is so by luck, too."""

    best: Size = 5
    """The newest champions, so many, play the whole hall with new seeds; the best is chosen."""
    choosing: Games = 40
    """Their games against each pair of the hall."""
    games: Games = 400
    """Games of the chosen one against each reference deck, with new seeds again: they chose
    nothing. Its deck with the first pilot of the hall and its pilot with the first deck play as
    many, and so does the first pair."""


class Plan(Section):
    """Decks and weights that evolve together: who is made, whom they meet, what is measured."""

    FOLDER = "configs/coevolve"
    BESIDE = deckbuilding.BESIDE | {"first": pair_beside}

    name: RunName = "coevolve"
    """Beginning of the run folder's name; default: the name of the config file."""
    seed: Seed = 1
    """The same seed gives the same results."""
    ruleset: Ruleset = "cig2018"
    """The version of the cards and rules: a name, or an overlay, a file of changed cards."""
    max_turns: Turns = 89
    """A game that is not over after this many player turns is a draw."""
    generations: Count = 40
    """Generations, with the first."""
    games: Games = 4
    """Games of a deck, or of weights, with each partner against each opponent of the hall."""
    pool: PoolSettings
    """The cards that decks may be built of."""
    agent: Evolved = Evolved.model_construct()
    """The agent whose weights evolve: a kind such as eva or eva:wide, or a section."""
    decks: DeckPopulation = DeckPopulation.model_construct()
    """The population of decks."""
    weights: WeightPopulation = WeightPopulation.model_construct()
    """The population of weights."""
    hall: HallSettings
    """The hall of fame."""
    reference: ReferenceDecks
    """The external reference."""
    confirm: ChampionConfirmation = ChampionConfirmation()
    """New games at the end."""
    workers: Workers = Workers()
    """How games run in parallel."""
    out: Text | None = None
    """The run folder; null: runs/NAME-seed-SEED-DATE-TIME."""

    @property
    def slots(self) -> int:
        """Meetings of a deck, or of weights, in a generation."""
        return self.hall.opponents * self.hall.partners

    @property
    def search(self) -> deckbuilding.Plan:
        """The population of decks and the reference decks, as a plan of hsevo decks evolve."""
        pilot = self.reference.pilot
        own = self.decks.model_dump(by_alias=True)
        return deckbuilding.Plan.model_validate({
            "name": self.name, "seed": self.seed, "ruleset": self.ruleset,
            "max_turns": self.max_turns, "pool": self.pool, "pilots": (pilot,),
            "field": tuple(one.model_copy(update={"agent": one.agent or pilot})
                           for one in self.reference.against),
            "games": self.reference.games,
            "search": {**own, "generations": self.generations, "compare": "paired"}})

    @model_validator(mode="after")
    def _one_genome(self) -> Self:
        if self.agent.genome != "one":
            raise ValueError(f"agent.genome is {self.agent.genome}, but decks change here; only"
                             " 'one' is possible")
        return self
