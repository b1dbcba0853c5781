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
    """The population of decks, with (mu+lambda) selection."""

    start: FirstDecks = ()
    first: First = 20
    mu: Size = 5
    """Number of decks that survive a generation. They play again with the new decks."""
    lam: Offspring = Field(15, alias="lambda")
    more: More = 0.5
    mana: Mana = None
    crossover: Crossover = 0.0

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.first < self.mu:
            raise ValueError(f"first is {self.first}, but must be at least mu ({self.mu}), the"
                             " number of decks that are kept")
        return self


class WeightPopulation(Section):
    """The population of weights, with the paper's self-adaptive (mu+lambda) strategy."""

    start: Literal["random", "base"] = "base"
    """base draws the first weights around the weights of agent.base. random draws them uniformly
    within bounds."""
    mu: Size = 5
    """Number of weight vectors that survive a generation. They play again with the new vectors."""
    lam: Size = Field(15, alias="lambda")
    """Number of new weight vectors in each generation."""
    first_sigmas: Annotated[tuple[float, float], Listed] = (0.0, 0.2)
    """Range [low, high] of the first step sizes, in units of a weight's scale."""
    sigma_max: Sigma | None = None
    """Upper bound of a parent's step sizes when it mutates. If null, no bound."""
    bounds: Annotated[tuple[float, float], Listed] = (0.0, 1.0)
    """Range [low, high] of all weights, as fractions of the agent's range."""

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
    """The hall of fame: pairs of an agent and its deck, against which both populations play."""

    first: Annotated[tuple[Text, ...], *OneOrMore]
    """The first pairs, as AGENT@DECK. They always stay in the hall of fame."""
    size: Few = 20
    """Maximum number of champions in addition to the first pairs. One champion enters per
    generation. If the hall is full, a random champion leaves, but never the newest champion."""
    opponents: Few = 4
    """Number of pairs that a generation plays against: the newest pair and random other pairs."""
    partners: Few = 2
    """Number of pairs whose agents play the new decks, and whose decks the new weights play: the
    newest pair and random other pairs."""


class ReferenceDecks(Section):
    """Decks that measure the champion. Their games are not used for selection."""

    against: Annotated[tuple[Opponent, ...], Listed, Field(min_length=1, max_length=1000)]
    """The decks: a list of decks, or of {deck: mage, agent: "eva:2018", share: 2}."""
    pilot: Name = "eva:2018"
    """The agent that plays the reference decks without an agent in their entry."""
    every: Count = 5
    """Interval in generations between two measurements, each with new seeds."""
    games: Games = 20
    """Games against each reference deck, half of them in each seat."""


class ChampionConfirmation(Section):
    """New games at the end of the run, which remove the selection bias from the result."""

    best: Size = 5
    """Number of the newest champions that play against the whole hall with new seeds. hsevo selects
    the best of these champions."""
    choosing: Games = 40
    """Games of each of these champions against each pair of the hall."""
    games: Games = 400
    """Games of the selected champion against each reference deck, with new seeds. They are not used
    for selection. Three other pairs play the same number of games: the champion's deck with the
    first agent of the hall, the champion's agent with the first deck, and the first pair."""


class Plan(Section):
    """Decks and weights that evolve together."""

    FOLDER = "configs/coevolve"
    BESIDE = deckbuilding.BESIDE | {"first": pair_beside}

    name: RunName = "coevolve"
    """Prefix of the run folder's name. Default: the name of the config file."""
    seed: Seed = 1
    """The same seed gives the same results."""
    ruleset: Ruleset = "cig2018"
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    max_turns: Turns = 89
    """A game that is not over after this number of player turns is a draw."""
    generations: Count = 40
    """Number of generations, including the first."""
    games: Games = 4
    """Games of a deck or a weight vector with each partner, against each opponent of the hall."""
    pool: PoolSettings
    """The card pool for decks."""
    agent: Evolved = Evolved.model_construct()
    """The agent whose weights evolve: an agent family (for example eva or eva:wide), or a
    section."""
    decks: DeckPopulation = DeckPopulation.model_construct()
    """The population of decks."""
    weights: WeightPopulation = WeightPopulation.model_construct()
    """The population of weights."""
    hall: HallSettings
    """The hall of fame."""
    reference: ReferenceDecks
    """The external reference decks."""
    confirm: ChampionConfirmation = ChampionConfirmation()
    """New games at the end of the run."""
    workers: Workers = Workers()
    """Parallel execution of games."""
    out: Text | None = None
    """The run folder. If null, runs/NAME-seed-SEED-DATE-TIME."""

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
            "field": tuple(deck.model_copy(update={"agent": deck.agent or pilot})
                           for deck in self.reference.against),
            "games": self.reference.games,
            "search": {**own, "generations": self.generations, "compare": "paired"}})

    @model_validator(mode="after")
    def _one_genome(self) -> Self:
        if self.agent.genome != "one":
            raise ValueError(f"agent.genome is {self.agent.genome}, but must be 'one' in a"
                             " coevolution, because decks change")
        return self
