"""The sections and keys of a config of hsevo decks evolve: which decks are searched, against whom.

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
    description="Decks of the first generation: names, files, codes; human:known or"
                " human:held-out: lists of the class. The rest are random.")]
First = Annotated[Size, Field(description="Decks of the first generation.")]
Offspring = Annotated[Size, Field(description="New decks of a generation.")]
More = Annotated[float, Field(ge=0, lt=1, description="Probability that one more card is replaced:"
                              " k are with (1 - more) more^(k - 1).")]
Mana = Annotated[Annotated[int, Field(ge=0, le=25)] | None, Field(
    description="A card gives way to one whose cost differs by at most so much; null: to any.")]
Crossover = Annotated[Rate, Field(description="Probability that a new deck has two parents: the"
                                  " cards they share, and others of both.")]


BESIDE: dict[str, Beside] = {
    "field": beside, "against": beside, "deck": beside, "start": beside, "beside": beside,
    "agent": agent_beside, "pilots": agent_beside, "pilot": agent_beside, "ruleset": yaml_beside,
    "collection": file_beside}


class PoolSettings(Section):
    """The cards that decks may be built of: at most two of each, one of a legendary."""

    cls: Name = Field(alias="class")
    """The class of the decks; they may have its cards and neutral ones."""
    sets: Texts = ()
    """Sets of cards, such as [basic, classic]; []: all up to Mean Streets of Gadgetzan."""
    collection: Text | None = None
    """A file of the cards that one has, a line each (2x Fireball) or a CSV with the columns card
    and copies; null: all cards."""
    keep: Texts = ()
    """Cards that every deck has: [2x Fireball]."""
    ban: Texts = ()
    """Cards that no deck has."""


class Opponent(Section):
    """A part of the field: a deck or human lists, who plays it, its share; plain text: a deck."""

    deck: Text
    """A name, file, code or URL; human:known or human:held-out: human lists, see `lists`;
    nash:DIR: the decks of a folder of hsevo meta matrix that have a share of its Nash mixture, by
    these shares, with their pilots."""
    agent: Name | None = None
    """The agent that plays it; null: the agent that pilots the decks of the search."""
    share: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    """How much it counts, to scale; of human lists, all together."""
    lists: Annotated[int, Field(ge=1, le=100)] = 1
    """Of human lists, how many of each class; the seed chooses them."""
    classes: Texts = ()
    """Of human lists, which classes; []: all nine."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, given: Any) -> Any:
        return {"deck": given} if isinstance(given, str) else given


class SearchSettings(Section):
    """How decks are found: the strategy, and how a deck is made of another."""

    strategy: Strategy = "mu-lambda"
    """mu-lambda: the best mu of parents and offspring stay; random: all new decks are random;
    map-elites: the best of each cell of a map stays. With mu: 1, mu-lambda climbs a hill."""
    generations: Count = 30
    """Generations, with the first."""
    start: FirstDecks = ()
    first: First = 40
    mu: Size = 10
    """mu-lambda, random: decks that stay; they play again with the new ones."""
    lam: Offspring = Field(40, alias="lambda")
    more: More = 0.5
    mana: Mana = None
    crossover: Crossover = 0.0
    compare: Literal["mean", "bound", "paired"] = "mean"
    """What decks are compared by. mean: of all their games; bound: the lower end of its 95 %
    interval; paired: the mean over this generation's games, whose deals are the same for all."""
    surrogate: Annotated[int, Field(ge=1, le=1000)] = 1
    """Offspring made for each that plays: a ridge regression on all decks so far chooses; 1: none.
    """
    features: Annotated[tuple[Feature, Feature], Listed] = ("mana", "mana-variance")
    """map-elites: the axes of the map; with hand or damage, games take two to three times as long.
    """
    cells: Annotated[tuple[Size, Size], Listed] = (20, 20)
    """map-elites: cells along either axis."""
    ranges: tuple[Pair, Pair] | None = None
    """map-elites: ends of either axis; null: the usual ones. What lies beyond is in the last cell.
    """
    boundaries: Literal["fixed", "sliding"] = "fixed"
    """map-elites. sliding: cells are parted at quantiles of all decks so far, again and again."""
    remap: Count = 5
    """Generations from one such parting to the next."""

    @model_validator(mode="before")
    @classmethod
    def _ends(cls, given: Any) -> Any:
        return with_pairs(given)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.strategy != "map-elites" and self.first < self.mu:
            raise ValueError(f"first is {self.first}, and mu {self.mu} decks stay of them; give"
                             " first at least as many")
        refuse_axes(self.features, self.ranges)
        return self


class DeckConfirmation(Section):
    """New games after the search: who is best there by rate is so by luck, too."""

    games: Games = 200
    """Games of a deck with each pilot against each deck of the field, as `games`."""
    best: Size = 10
    """Decks, best first by the search, that play them. The best of these plays as many again, and
    that rate is reported."""
    elites: Annotated[int, Field(ge=0, le=1_000_000, multiple_of=2)] = 0
    """map-elites: such games of every other deck on the map; 0: none."""
    beside: Texts = ()
    """Decks that play the last games as well, to compare: names, files, codes."""
    pilots: Annotated[tuple[Name, ...], Listed, Field(max_length=100)] = ()
    """Further pilots of the last games; their rates do not count in the mean."""


class Plan(Section):
    """A search for decks that beat a field: pool, field, pilots, fitness, strategy."""

    FOLDER = "configs/decks"
    BESIDE = BESIDE

    name: RunName = "decks"
    """Beginning of the run folder's name; default: the name of the config file."""
    seed: Seed = 1
    """The same seed gives the same results."""
    ruleset: Ruleset = "cig2018"
    """The version of the cards and rules: a name, or an overlay, a file of changed cards."""
    max_turns: Turns = 89
    """A game that is not over after this many player turns is a draw."""
    pool: PoolSettings
    """The cards that decks may be built of."""
    field: Annotated[tuple[Opponent, ...], Listed, Field(min_length=1, max_length=1000)]
    """The decks to beat: a list of decks, or of {deck: mage, agent: "eva:2018", share: 2}."""
    pilots: Annotated[tuple[Name, ...], *OneOrMore] = ("greedy:metastone",)
    """The agents that play each deck of the search (hsevo agents); its fitness is their mean."""
    games: Games = 4
    """Games of a deck with each pilot against each deck of the field, half from either seat."""
    fitness: Literal["rate", "worst", "health"] = "rate"
    """rate: games won, draws counting half; worst: the same of the worst match-up; health: mean
    difference of the heroes' health at the end. Each by the shares of the field."""
    search: SearchSettings = SearchSettings.model_construct()
    """How decks are found."""
    confirm: DeckConfirmation = DeckConfirmation()
    """New games of the decks that were found."""
    workers: Workers = Workers()
    """How games run in parallel."""
    out: Text | None = None
    """The run folder; null: runs/NAME-seed-SEED-DATE-TIME."""

    @property
    def watches(self) -> bool:
        """Whether games of new decks are watched, for a feature that results do not have."""
        return self.search.strategy == "map-elites" and not {"hand", "damage"}.isdisjoint(
            self.search.features)

    @model_validator(mode="after")
    def _rated(self) -> Self:
        if self.fitness == "health" and self.search.compare == "bound":
            raise ValueError("search.compare is bound, and a difference of health has no interval"
                             " here; take mean or paired")
        return self
