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
                " human:held-out are lists of the class. The rest are random.")]
First = Annotated[Size, Field(description="Number of decks in the first generation.")]
Offspring = Annotated[Size, Field(description="New decks in each generation.")]
More = Annotated[float, Field(ge=0, lt=1, description="Probability of replacing one more card. k"
                              " cards are replaced with probability (1 - more) more^(k - 1).")]
Mana = Annotated[Annotated[int, Field(ge=0, le=25)] | None, Field(
    description="Maximum difference in cost of a card and its replacement. If null, no maximum.")]
Crossover = Annotated[Rate, Field(description="Probability that a new deck has two parents. It"
                                  " has their common cards and other cards of both.")]


BESIDE: dict[str, Beside] = {
    "field": beside, "against": beside, "deck": beside, "start": beside, "beside": beside,
    "agent": agent_beside, "pilots": agent_beside, "pilot": agent_beside, "ruleset": yaml_beside,
    "collection": file_beside}


class PoolSettings(Section):
    """The card pool for decks. Decks have at most two copies of a card, or a single legendary."""

    cls: Name = Field(alias="class")
    """The class of the decks, which may use its cards and neutral cards."""
    sets: Texts = ()
    """Card sets, for example [basic, classic]. [] allows all sets up to Mean Streets of
    Gadgetzan."""
    collection: Text | None = None
    """A file of the cards that you own, with lines like 2x Fireball, or a CSV with the columns card
    and copies. If null, all cards."""
    keep: Texts = ()
    """Cards in every deck, for example [2x Fireball]."""
    ban: Texts = ()
    """Cards in no deck."""


class Opponent(Section):
    """An opponent, with a deck or human lists, an agent and a share. Plain text is a deck."""

    deck: Text
    """A name, file, code or URL. human:known and human:held-out are human lists (see `lists`).
    nash:DIR stands for the decks in the Nash mixture of a folder of hsevo meta matrix, with
    their shares and agents."""
    agent: Name | None = None
    """The agent that plays the entry. If null, the agent that plays the decks of the search."""
    share: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    """Relative weight of the entry. All its human lists together have this weight."""
    lists: Annotated[int, Field(ge=1, le=100)] = 1
    """Number of human lists per class. The seed chooses them."""
    classes: Texts = ()
    """Classes of human lists. [] takes all nine."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, entry: Any) -> Any:
        return {"deck": entry} if isinstance(entry, str) else entry


class SearchSettings(Section):
    """The search strategy for decks, and how it makes new decks."""

    strategy: Strategy = "mu-lambda"
    """mu-lambda keeps the best mu of parents and offspring (a hill climber with mu: 1). random
    makes random decks only. map-elites keeps the best deck of each cell of a map."""
    generations: Count = 30
    """Number of generations, including the first."""
    start: FirstDecks = ()
    first: First = 40
    mu: Size = 10
    """Decks that survive a generation (mu-lambda and random). They play again with the new
    decks."""
    lam: Offspring = Field(40, alias="lambda")
    more: More = 0.5
    mana: Mana = None
    crossover: Crossover = 0.0
    compare: Literal["mean", "bound", "paired"] = "mean"
    """Value to compare decks by. mean takes the mean over all their games, bound the lower end of
    its 95 % interval, and paired the mean over this generation's games, whose shuffles are the
    same for all decks."""
    surrogate: Annotated[int, Field(ge=1, le=1000)] = 1
    """Offspring that are made for each one that plays. A ridge regression on all decks so far
    chooses. 1 turns it off."""
    features: Annotated[tuple[Feature, Feature], Listed] = ("mana", "mana-variance")
    """map-elites: the axes of the map. With hand or damage, games take two to three times
    longer."""
    cells: Annotated[tuple[Size, Size], Listed] = (20, 20)
    """map-elites: cells along each axis."""
    ranges: tuple[Pair, Pair] | None = None
    """map-elites: ends of each axis. Values beyond them go to the last cell. If null, the usual
    ranges."""
    boundaries: Literal["fixed", "sliding"] = "fixed"
    """map-elites: sliding moves the boundaries of cells to the quantiles of all decks so far, every
    `remap` generations."""
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
    """Games of a deck with each agent against each opponent, as in `games`."""
    best: Size = 10
    """Number of best decks of the search that play these games. The winner plays the same number of
    games once more, and this rate is reported."""
    elites: Annotated[int, Field(ge=0, le=1_000_000, multiple_of=2)] = 0
    """map-elites: number of such games of each other deck on the map. 0 plays no games."""
    beside: Texts = ()
    """Decks that also play the last games, for comparison: names, files or codes."""
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
    """Agents that play each deck of the search (hsevo agents). Its fitness is the mean over
    them."""
    games: Games = 4
    """Games of a deck with each agent against each opponent, half of them from either seat."""
    fitness: Literal["rate", "worst", "health"] = "rate"
    """rate is the win rate, with a draw as half a win. worst is the win rate of the worst match-up.
    health is the mean difference of the heroes' health at the end. The opponents' shares weight
    all of them."""
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
