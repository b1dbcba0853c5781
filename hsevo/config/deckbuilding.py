"""The sections and keys of a config of hsevo decks evolve: the decks, the field, the search.

    configs/decks/NAME.yaml + --set key=value --config.load(, model=Plan)--> Plan
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from hsevo.config.models import (
    Count,
    Listed,
    Name,
    OneOrMore,
    Pair,
    Rate,
    Ruleset,
    RunName,
    Section,
    Seed,
    Size,
    Text,
    Turns,
    Workers,
    refuse_axes,
    with_pairs,
)
from hsevo.config.named import Beside, agent_beside, beside, file_beside, yaml_beside

Feature = Literal["mana", "mana-variance", "minions", "class-cards", "dust", "turns", "hand",
                  "damage"]
Strategy = Literal["mu-lambda", "random", "map-elites"]
Texts = Annotated[tuple[Text, ...], Listed, Field(max_length=1000)]
Games = Annotated[int, Field(ge=2, le=1_000_000, multiple_of=2)]
HUMAN = ("human:known", "human:held-out")  # in place of a deck: lists of humans
NASH = "nash:"  # in place of a deck, with a folder: the decks of a Nash mixture

# Keys of populations of decks, which hsevo decks evolve and hsevo coevolve share.
FirstDecks = Annotated[Texts, Field(
    description="Decks of the first generation, as names, files or codes. human:known and"
                " human:held-out stand for human decks of the class. The other decks are random.")]
First = Annotated[Size, Field(description="Number of decks in the first generation.")]
Offspring = Annotated[Size, Field(description="Number of new decks in each generation.")]
More = Annotated[float, Field(ge=0, lt=1, description="Probability of replacing one more card."
                              " A new deck replaces k cards with probability"
                              " (1 - more) more^(k - 1).")]
Mana = Annotated[Annotated[int, Field(ge=0, le=25)] | None, Field(
    description="Maximum difference between the costs of a card and its replacement. If null, no"
                " maximum.")]
Crossover = Annotated[Rate, Field(description="Probability that a new deck has two parents. The"
                                  " new deck gets all common cards of the parents, and other cards"
                                  " of both.")]


BESIDE: dict[str, Beside] = {
    "field": beside, "against": beside, "deck": beside, "start": beside, "beside": beside,
    "agent": agent_beside, "pilots": agent_beside, "pilot": agent_beside, "ruleset": yaml_beside,
    "collection": file_beside}


class PoolSettings(Section):
    """The card pool for decks. A deck has at most two copies of a card, and one of a legendary."""

    cls: Name = Field(alias="class")
    """Class of the decks, which may contain cards of this class and neutral cards."""
    sets: Texts = ()
    """Card sets, for example [basic, classic]. [] allows all sets up to Mean Streets of
    Gadgetzan."""
    collection: Text | None = None
    """A file of the cards that you own, with lines like 2x Fireball, or a CSV file with the columns
    card and copies. If null, all cards."""
    keep: Texts = ()
    """Cards that every deck contains, for example [2x Fireball]."""
    ban: Texts = ()
    """Cards that no deck contains."""


class Opponent(Section):
    """An opponent, with a deck or human decks, an agent and a share. Plain text is a deck."""

    deck: Text
    """A name, file, code or URL. human:known and human:held-out stand for human decks (see
    `lists`). nash:DIR stands for the decks in the Nash mixture of a folder of hsevo meta matrix,
    with their shares and agents."""
    agent: Name | None = None
    """The agent that plays this opponent. If null, the agent that plays the decks of the search."""
    share: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    """Relative weight of this opponent. Several human decks share this weight."""
    lists: Annotated[int, Field(ge=1, le=100)] = 1
    """Number of human decks per class, which the seed draws."""
    classes: Texts = ()
    """Classes of the human decks. [] stands for all nine classes."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, entry: Any) -> Any:
        return {"deck": entry} if isinstance(entry, str) else entry


class SearchSettings(Section):
    """The search strategy for decks, and how it makes new decks."""

    strategy: Strategy = "mu-lambda"
    """mu-lambda keeps the best mu of parents and offspring (with mu: 1, a hill climber). random
    makes only random decks. map-elites keeps the best deck of each cell of a map."""
    generations: Count = 30
    """Number of generations, including the first."""
    start: FirstDecks = ()
    first: First = 40
    mu: Size = 10
    """With mu-lambda and random, number of decks that survive a generation. They play again with
    the new decks."""
    lam: Offspring = Field(40, alias="lambda")
    more: More = 0.5
    mana: Mana = None
    crossover: Crossover = 0.0
    compare: Literal["mean", "bound", "paired"] = "mean"
    """Measure to compare decks. mean is the mean over all games of a deck, and bound is the lower
    end of its 95 % interval. paired is the mean over the games of this generation, whose shuffles
    are the same for all decks."""
    surrogate: Annotated[int, Field(ge=1, le=1000)] = 1
    """Number of new decks for each new deck that plays. A ridge regression, fitted to all previous
    decks, selects the decks that play. 1 turns this surrogate off."""
    features: Annotated[tuple[Feature, Feature], Listed] = ("mana", "mana-variance")
    """With map-elites, the two axes of the map. With hand or damage, games take two to three times
    the CPU time."""
    cells: Annotated[tuple[Size, Size], Listed] = (20, 20)
    """With map-elites, number of cells along each axis."""
    ranges: tuple[Pair, Pair] | None = None
    """With map-elites, range [low, high] of each axis. Values outside the range go to the nearest
    cell. If null, the default ranges of the features."""
    boundaries: Literal["fixed", "sliding"] = "fixed"
    """With map-elites, boundaries of the cells. sliding moves them to the quantiles of all decks so
    far, every `remap` generations."""
    remap: Count = 5
    """With boundaries: sliding, the interval in generations between two moves of the boundaries."""

    @model_validator(mode="before")
    @classmethod
    def _ends(cls, section: Any) -> Any:
        return with_pairs(section)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.strategy != "map-elites" and self.first < self.mu:
            raise ValueError(f"first is {self.first}, but must be at least mu ({self.mu}), the"
                             " number of decks that are kept")
        refuse_axes(self.features, self.ranges)
        return self


class DeckConfirmation(Section):
    """New games after the search, which remove the selection bias from the result."""

    games: Games = 200
    """Games of each deck with each agent against each opponent, like the key `games`."""
    best: Size = 10
    """Number of best decks of the search that play these games. The winner then plays the same
    number of new games, and hsevo reports the win rate in these last games."""
    elites: Annotated[int, Field(ge=0, le=1_000_000, multiple_of=2)] = 0
    """With map-elites, number of games of each other deck on the map. 0 plays no games."""
    beside: Texts = ()
    """Decks that also play the last games, for comparison, as names, files or codes."""
    pilots: Annotated[tuple[Name, ...], Listed, Field(max_length=100)] = ()
    """Additional agents in the last games. Their rates do not count in the mean."""


class Plan(Section):
    """A search for decks that beat given opponents."""

    FOLDER = "configs/decks"
    BESIDE = BESIDE

    name: RunName = "decks"
    """Prefix of the run folder's name. Default: the name of the config file."""
    seed: Seed = 1
    """The same seed gives the same results."""
    ruleset: Ruleset = "cig2018"
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    max_turns: Turns = 89
    """A game that is not over after this number of player turns is a draw."""
    pool: PoolSettings
    """The card pool for decks."""
    field: Annotated[tuple[Opponent, ...], Listed, Field(min_length=1, max_length=1000)]
    """The opponents: a list of decks, or of {deck: mage, agent: "eva:2018", share: 2}."""
    pilots: Annotated[tuple[Name, ...], *OneOrMore] = ("greedy:metastone",)
    """Agents that play each deck of the search (hsevo agents). The fitness of a deck is the mean
    over these agents."""
    games: Games = 4
    """Games of each deck with each agent against each opponent, half of them in each seat."""
    fitness: Literal["rate", "worst", "health"] = "rate"
    """rate is the win rate, with a draw as half a win. worst is the lowest win rate against an
    opponent. health is the mean difference of the heroes' health at the end of a game. The means
    are weighted by the opponents' shares."""
    search: SearchSettings = SearchSettings.model_construct()
    """The search strategy."""
    confirm: DeckConfirmation = DeckConfirmation()
    """New games of the decks that the search found."""
    workers: Workers = Workers()
    """Parallel execution of games."""
    out: Text | None = None
    """The run folder. If null, runs/NAME-seed-SEED-DATE-TIME."""

    @property
    def watches(self) -> bool:
        """Whether games of new decks are watched, for a feature that results do not have."""
        return self.search.strategy == "map-elites" and not {"hand", "damage"}.isdisjoint(
            self.search.features)

    @model_validator(mode="after")
    def _rated(self) -> Self:
        if self.fitness == "health" and self.search.compare == "bound":
            raise ValueError("search.compare is bound, but a difference of health has no interval;"
                             " use mean or paired")
        return self
