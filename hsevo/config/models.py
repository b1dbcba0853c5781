"""The sections and keys of a config: frozen models that check every value.

Every section of configs/cig2018.yaml is a class here, and every key a field. The text below a
field is its description in the JSON schema (`hsevo config schema`) and in the reference.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticKnownError

from hsevo.config.mistakes import MATCH_BYTES, memory_problem
from hsevo.config.named import CIG2018, Beside, Kind, agent_beside, beside, yaml_beside
from hsevo.config.overlays import RULESETS, is_overlay, ruleset_of
from hsevo.errors import ConfigError, did_you_mean, name_problem, quoted, unsafe


def with_pairs(given: Any) -> Any:
    """Return what a section is made of, with the lists within its `ranges` as tuples."""
    if isinstance(given, dict) and isinstance(given.get("ranges"), list):
        pairs = [tuple(one) if isinstance(one, list) else one for one in given["ranges"]]
        return given | {"ranges": tuple(pairs)}
    return given


def refuse_axes(features: tuple[str, str], ranges: tuple[Any, Any] | None) -> None:
    """Raise ValueError for a map with one axis twice, or an axis without a length."""
    if any(low >= high for low, high in ranges or ()):
        raise ValueError("ranges must be two pairs of a low and a higher number")
    if features[0] == features[1]:
        raise ValueError(f"features has {features[0]} twice; a map has two axes")


FAIR, LEAKY = "fair", "leaky"
CLOSED = ("closed", "closed:match", "closed:bigrams", "closed:uniform")
INFORMATION = (FAIR, *CLOSED, LEAKY)
GUESSING = CLOSED[:3]  # by a deck database, which a user may name


def parts(information: str) -> tuple[str, str | None]:
    """Return one of INFORMATION, and the file or folder of decks that is named, if any.

    Raises ConfigError.

    >>> parts("closed:match@decks.csv")
    ('closed:match', 'decks.csv')
    """
    name, at, path = information.partition("@")
    if name not in INFORMATION or unsafe(path):
        raise ConfigError(f"information is {quoted(information)}, but must be one of"
                          f" {', '.join(INFORMATION)}{did_you_mean(name, INFORMATION)}")
    if at and (name not in GUESSING or not path):
        raise ConfigError(f"information is {quoted(information)}, but only"
                          f" {', '.join(GUESSING)} take a file or folder of decks: closed@FILE")
    return name, path or None


def is_closed(information: str) -> bool:
    """Return whether agents must guess the opponent's deck list."""
    return parts(information)[0] in CLOSED


Backend = Literal["threads", "loky", "dask", "serial"]
Algorithm = Literal["es", "cma-es", "ga", "map-elites", "cma-me"]
Behaviour = Literal["turns", "hand", "damage"]  # features of games, see play/behaviour.py
Selection = Literal["random", "rank", "roulette", "tournament"]

def _text(text: str) -> str:
    if unsafe(text):
        raise ValueError("must hold no control characters")
    return text


def _listed(names: Any) -> Any:
    return tuple(names) if isinstance(names, list) else names


def _each_once(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if names == ():
        raise ValueError("must name at least one")
    for name in names or ():
        if (names or ()).count(name) > 1:
            raise ValueError(f"must name each once, but '{name}' is given twice")
    return names


def _name(name: str) -> str:
    if problem := name_problem(name):
        raise ValueError(problem)
    return name


def _run_name(name: str) -> str:
    if not re.fullmatch(r"[\w.+-]+", name):
        raise ValueError("must be letters, digits, and . + - _ only: it names the run folder")
    return _name(name)


def _information(text: str) -> str:
    try:
        parts(text)
    except ConfigError as error:
        raise ValueError(str(error).partition("but ")[2]) from None
    return text


def _ruleset(given: Any) -> Any:
    try:
        name = ruleset_of(given)
    except ConfigError as error:
        raise ValueError(str(error)) from None
    if isinstance(name, str) and not is_overlay(name) and name not in RULESETS:
        raise PydanticKnownError("literal_error", {"expected": " or ".join(map(repr, RULESETS))})
    return name


_RULESETS = {"anyOf": [{"enum": [*RULESETS], "type": "string"}, {"type": "string"}]}
Ruleset = Annotated[str, BeforeValidator(_ruleset), WithJsonSchema(_RULESETS)]
Information = Annotated[str, AfterValidator(_information)]
Name = Annotated[str, AfterValidator(_name)]  # an agent, as shown in tables
RunName = Annotated[str, AfterValidator(_run_name)]
Agents = Annotated[list[Name], Field(min_length=1)]
Text = Annotated[str, Field(max_length=4096), AfterValidator(_text)]  # paths, specs, deck codes
Size = Annotated[int, Field(ge=1, le=5_000)]  # a round robin of 10,000 has 50 million pairs
Count = Annotated[int, Field(ge=1, le=1_000_000)]  # fits the int32 columns of the tables
Names = Annotated[list[Text], Field(min_length=1, max_length=1000)]
ByName = dict[Text, Text]
Values = Annotated[list[float], Field(min_length=1, max_length=1000)]  # of a study's x
AnyValues = Annotated[list[float | Text], Field(min_length=1, max_length=1000)]
OneOrMoreNames = Text | Names
Seed = Annotated[int, Field(ge=0, lt=2**64)]
Turns = Annotated[int, Field(ge=1, le=10_000)]
Sigma = Annotated[float, Field(gt=0, le=10)]
Share = Annotated[float, Field(ge=0, le=1e6)]
Rate = Annotated[float, Field(ge=0, le=1)]  # a share of games won, not a percentage
Listed = BeforeValidator(_listed)  # a list of YAML as a tuple
Pair = Annotated[tuple[float, float], Listed]
OneOrMore = Field(max_length=1000), Listed, AfterValidator(_each_once)


class Section(BaseModel):
    """A section of a config: no unknown keys, no silent conversions, immutable."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False,
                              use_attribute_docstrings=True,
                              defer_build=True)  # few commands need all of them
    FOLDER: ClassVar[Kind]  # of a plan: where configs of its kind are
    BESIDE: ClassVar[Mapping[str, Beside]] = {}  # what finds the files that a key's values name


class Evolved(Section):
    """The agent whose weights evolve; a plain `agent: KIND` sets only its kind."""

    kind: Name = "eva"
    """A kind of agent that has weights, with its options: eva, eva:turn?nodes=100, gsv, dl ..."""
    evolve: Annotated[tuple[Name, ...], *OneOrMore] | None = None
    """The names of the weights that evolve; null: all. The others stay as in base."""
    genome: Literal["one", "deck", "matchup"] = "one"
    """deck: other weights for each deck that it plays; matchup: for each pair of decks."""
    base: Name | None = None
    """The agent of the roster that it starts from, such as eva:2018; null: the kind's first."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, agent: Any) -> Any:
        if not isinstance(agent, str | dict | Evolved):
            raise ValueError("must be text, or a section of 'key: value' lines")
        return {"kind": agent} if isinstance(agent, str) else agent


class _OrText:
    """Says in the JSON schema that a section may also be given as text."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> Any:
        return {"anyOf": [{"type": "string"}, handler(core)]}


class Evolution(Section):
    """How individuals are bred and selected; by default the paper's (mu+lambda) strategy."""

    strategy: Algorithm = "es"
    """es: the paper's (mu+lambda); cma-es; ga: genetic; map-elites, cma-me: a map of play."""
    mu: Size = 10
    """How many individuals survive a generation and are parents of the next."""
    lam: Size = Field(10, alias="lambda")
    """How many offspring are made in a generation; with cma-es and on a map, all are new."""
    elites: Annotated[int, Field(ge=0, le=5_000)] = 0
    """ga: how many of the best parents are rated again, and may survive with their offspring."""
    generations: Count = 100
    """How many generations to play, including the random first one."""
    tau: Annotated[float, Field(ge=0, le=10)] | None = None
    """es: learning rate of a single weight's sigma; null: 1 / sqrt(2 sqrt(n)) of n weights."""
    tau_prime: Annotated[float, Field(ge=0, le=10)] | None = None
    """es: learning rate that all sigmas share; null: 1 / sqrt(2 n) of n weights."""
    epsilon: Annotated[float, Field(gt=0, le=1)] = 1e-5
    """es: the lower bound of every sigma."""
    start: Literal["random", "base"] = "random"
    """random: the first weights are uniform within bounds; base: around those of agent.base."""
    first_sigmas: tuple[float, float] = (0.0, 1.0)
    """es: range [low, high] of the first sigmas; cma: its middle, at most a third of bounds."""
    sigma_max: Sigma | None = None
    """es: a parent's sigmas are cut to this before it mutates; null: no upper bound."""
    selection: Annotated[tuple[Selection, ...], *OneOrMore] = ("tournament",)
    """ga: how parents are chosen: random, rank, roulette, tournament; one is drawn a generation."""
    crossover: Rate = 0.7
    """ga: the probability that two parents mix their weights (uniform crossover)."""
    mutation: Rate = 0.01
    """ga: the probability that a weight of a child changes."""
    mutation_sigma: Sigma = 0.25
    """ga, map-elites: the standard deviation of such a change, in units of the weight's scale."""
    bounds: tuple[float, float] = (0.0, 1.0)
    """Range [low, high] of all weights, as shares of what the agent allows."""
    features: Annotated[tuple[Behaviour, Behaviour], Listed] = ("turns", "hand")
    """map-elites, cma-me: the axes of the map: two of turns, hand, damage."""
    cells: Annotated[tuple[Size, Size], Listed] = (20, 20)
    """map-elites, cma-me: cells along either axis."""
    ranges: tuple[Pair, Pair] | None = None
    """map-elites, cma-me: ends of either axis; null: the usual ones. Beyond is the last cell."""
    emitters: Annotated[int, Field(ge=1, le=1000)] = 5
    """cma-me: how many distributions search; each makes lambda / emitters individuals."""

    @property
    def maps(self) -> bool:
        """Whether the strategy keeps a map."""
        return self.strategy in ("map-elites", "cma-me")

    @property
    def renews(self) -> bool:
        """Whether all individuals of a generation are new."""
        return self.maps or self.strategy == "cma-es"

    @property
    def again(self) -> int:
        """How many parents are rated again with their offspring."""
        return 0 if self.renews else {"es": self.mu, "ga": self.elites}[self.strategy]

    @model_validator(mode="before")
    @classmethod
    def _ends(cls, given: Any) -> Any:
        return with_pairs(given)

    @field_validator("bounds", "first_sigmas", mode="before")
    @classmethod
    def _two_numbers(cls, pair: Any) -> Any:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise ValueError("must be two numbers, [low, high]")
        return tuple(pair)

    @field_validator("bounds")
    @classmethod
    def _valid_bounds(cls, pair: tuple[float, float]) -> tuple[float, float]:
        if not 0 <= pair[0] < pair[1] <= 1:
            raise ValueError("must be a low and a higher number, both from 0 to 1")
        return pair

    @field_validator("first_sigmas")
    @classmethod
    def _valid_sigmas(cls, pair: tuple[float, float]) -> tuple[float, float]:
        if not (0 <= pair[0] <= pair[1] <= 10 and pair[1] > 0):
            raise ValueError("must be a low and a high number, both from 0 to 10, not both 0")
        return pair

    @model_validator(mode="after")
    def _enough(self) -> Self:
        mu, lam, elites = self.mu, self.lam, self.elites
        if self.renews and lam <= max(mu, 2):
            raise ValueError(f"lambda is {lam}, but must be more than mu ({mu}) and 2 with strategy"
                             f" {self.strategy}, which keeps the best mu of lambda")
        if self.strategy == "cma-me" and (lam % self.emitters or lam < 4 * self.emitters):
            raise ValueError(f"lambda is {lam}, but must be a multiple of emitters"
                             f" ({self.emitters}), and at least 4 times as much")
        refuse_axes(self.features, self.ranges)
        if self.strategy == "ga" and elites >= mu:
            raise ValueError(f"elites is {elites}, but must be less than mu ({mu}) with strategy"
                             " ga")
        if self.strategy == "ga" and lam + elites < mu:
            raise ValueError(f"lambda is {lam}, but must be at least {mu - elites} with strategy"
                             f" ga: the next mu ({mu}) parents come of its offspring and of"
                             f" {elites} elites")
        return self


class Racing(Section):
    """Rate in rounds; individuals settled as in or out of the mu best stop playing."""

    rounds: Annotated[int, Field(ge=2, le=1000)] = 5
    """How many rounds a generation's games are split into."""
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Confidence at which an individual is settled."""


class FixedOpponents(Section):
    """Fixed agents that all individuals meet in every generation."""

    agents: Annotated[tuple[Name, ...], *OneOrMore]
    """Their specs (hsevo agents)."""
    decks: Annotated[tuple[Text, ...], *OneOrMore] | None = None
    """The decks that they play; null: those of the individuals."""
    games: Count | None = None
    """Games of each pair of decks against each of them; null: as among individuals."""
    mixture: Literal["equal", "nash"] = "equal"
    """nash: each counts by its share of the Nash mixture by the games of panel-2026."""


class Shares(Section):
    """How much each group of opponents counts in the fitness, as parts of any whole."""

    coevolution: Share = 1.0
    """The other individuals of the generation; 0: they do not meet."""
    hall_of_fame: Share = 1.0
    """The champions of earlier generations, as many as rating.hall_of_fame."""
    opponents: Share = 1.0
    """The fixed agents of rating.opponents."""


class Rating(Section):
    """How the fitness of a generation is measured; by default by the paper's round robin."""

    common_random_numbers: bool = False
    """true: all pairs of individuals play the same deals, once from either side."""
    hall_of_fame: Annotated[int, Field(ge=0, le=1000)] = 0
    """How many champions of earlier generations all individuals also meet."""
    opponents: FixedOpponents | None = None
    """Fixed agents that all individuals also meet; null: none."""
    shares: Shares | None = None
    """Fitness is the win rate in %, each group of opponents by its share; null: all victories."""
    racing: Racing | None = None
    """Settled individuals stop playing; null: all individuals play all games."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        shares, fixed = self.shares, self.opponents
        if shares is None:
            if fixed and fixed.mixture == "nash":
                raise ValueError("opponents.mixture nash needs shares, such as {coevolution: 0}")
            return self
        if self.racing:
            raise ValueError("racing and shares can't be combined; remove one")
        if not shares.coevolution and not fixed:
            raise ValueError("shares.coevolution is 0, and the first generation has no other"
                             " opponents; name some in opponents.agents")
        for name in ("hall_of_fame", "opponents"):
            if getattr(self, name) and not getattr(shares, name):
                raise ValueError(f"shares.{name} is 0, so its games would not count; remove"
                                 f" {name}, or give it a share")
        return self

    @property
    def coevolves(self) -> bool:
        """Whether individuals of a generation meet each other."""
        return self.shares is None or self.shares.coevolution > 0


class EvolutionReferences(Section):
    """Measure the best individual at intervals against external reference opponents."""

    against: Annotated[tuple[Name, ...], Listed] = Field(max_length=100)
    """The reference opponents, by their specs (hsevo agents)."""
    every: Count = 10
    """The interval in generations; the last generation is always measured."""
    games: Count = 360
    """Games against each reference opponent, at least."""

    @field_validator("against")
    @classmethod
    def _not_empty(cls, agents: tuple[str, ...]) -> tuple[str, ...]:
        if not agents:
            raise ValueError("must name at least one agent; hsevo agents lists them")
        return agents


class Confirmation(Section):
    """New games of a map's elites, once it is done: who is best by few games is so by luck, too."""

    games: Count = 20
    """Games of each pair of decks against each fixed opponent; the best plays as many again."""


class Rules(Section):
    """How games are played: what every command that plays takes."""

    decks: Names = Field(default_factory=lambda: [*CIG2018])
    """Names, files, codes or URLs of decks."""
    seed: Seed = 1
    """The same seed gives the same games."""
    ruleset: Ruleset = "cig2018"
    """Version of cards and rules: a name, or an overlay, a file of changed cards."""
    information: Information = "fair"
    """closed: the opponent's deck list is guessed; leaky: look-aheads see hidden cards. Other
    guesses: closed:match, closed:bigrams, closed:uniform; from decks of your own: closed@FILE."""
    max_turns: Turns = 89
    """A game of more turns is a draw."""


class Workers(Section):
    """How games run in parallel; no result depends on it."""

    backend: Backend = "threads"
    """How games run: threads; loky: processes; dask: processes, here or on a cluster; serial."""
    count: Count | None = None
    """Number of workers; null: one per core."""
    scheduler: Text | None = None
    """dask: address of a running scheduler, such as tcp://host:8786; null: a local cluster."""

    @field_validator("scheduler")
    @classmethod
    def _address(cls, address: str | None) -> str | None:
        if address is not None and not re.fullmatch(r"(tcp|tls)://.+:\d+", address):
            raise ValueError("must be an address such as tcp://host:8786")
        return address


class Config(Section):
    """A whole experiment: agent, decks, rules, evolution and output folder.

    configs/cig2018.yaml explains the values of the paper's experiment.
    """

    FOLDER = "configs"
    BESIDE = {"decks": beside, "ruleset": yaml_beside, "against": agent_beside,
              "agents": agent_beside}

    name: RunName = "run"
    """Begins the name of the run folder; default: the name of the config file."""
    seed: Seed = 1
    """The same seed gives bit-identical results."""
    agent: Annotated[Evolved, _OrText] = Evolved.model_construct()
    """The agent whose weights evolve: a kind such as eva or gsv?depth=2, or a section."""
    ruleset: Ruleset = "cig2018"
    """The version of the cards and rules: a name, or an overlay, a file of changed cards."""
    information: Information = "fair"
    """fair: look-aheads know what a player may; closed: no deck list of the other; leaky: all."""
    decks: Annotated[tuple[Text, ...], Listed] = Field(max_length=1000)
    """Names, files (looked for beside the config first), codes or URLs; all pairs of decks play."""
    games: Count = 20
    """Games of each pair of decks, of every two individuals."""
    max_turns: Turns = 89
    """A game that is not over after this many player turns is a draw."""
    executions: Annotated[int, Field(ge=1, le=99)] = 1
    """How many independent evolutions the run makes, one after another."""
    evolution: Evolution = Evolution.model_construct()
    """How individuals are bred and selected."""
    rating: Rating = Rating()
    """How fitness is measured."""
    references: EvolutionReferences | None = None
    """Measure the best individuals against external reference opponents; null: don't."""
    confirm: Confirmation = Confirmation()
    """map-elites, cma-me: new games of all elites at the end."""
    workers: Workers = Workers()
    """How games run in parallel."""
    out: Text | None = None
    """The run folder; null: runs/NAME-seed-SEED-DATE-TIME."""

    @field_validator("rating")
    @classmethod
    def _divisible(cls, rating: Rating, info: ValidationInfo) -> Rating:
        laps = rating.racing.rounds if rating.racing else 1
        parts = laps * (2 if rating.common_random_numbers else 1)
        games = {"games": info.data.get("games", parts)}
        if rating.opponents and rating.opponents.games:
            games["rating.opponents.games"] = rating.opponents.games
        for key, number in games.items():
            if number % parts:
                what = [f"{laps} rounds"] * (laps > 1)
                what += ["both seats"] * rating.common_random_numbers
                raise ValueError(f"{key} is {number}, which can't be split evenly over"
                                 f" {' and '.join(what)}: it must be a multiple of {parts}")
        return rating

    @field_validator("decks")
    @classmethod
    def _unique(cls, decks: tuple[str, ...]) -> tuple[str, ...]:
        if not decks:
            raise ValueError("must name at least one deck")
        twice = sorted({deck for deck in decks if decks.count(deck) > 1})
        if twice:
            raise ValueError(f"must name each deck once, but '{twice[0]}' is given twice")
        return decks

    @property
    def most_matches(self) -> int:
        """The most matches of a generation; a match is two individuals with a deck each."""
        es, rating = self.evolution, self.rating
        n = max(es.mu, es.lam + es.again)
        among = n * (n - 1) // 2 * rating.coevolves
        meetings = among + n * min(rating.hall_of_fame, es.generations - 1)
        matches = meetings * len(self.decks) ** 2
        if rating.opponents:
            decks = len(rating.opponents.decks or self.decks)
            matches += n * len(rating.opponents.agents) * len(self.decks) * decks
        laps = rating.racing.rounds if rating.racing else 1
        return matches * laps * (1 + rating.common_random_numbers)

    @property
    def all_decks(self) -> tuple[str, ...]:
        """The decks of the individuals, then those that only opponents play."""
        theirs = self.rating.opponents.decks if self.rating.opponents else None
        return (*self.decks, *(deck for deck in theirs or () if deck not in self.decks))

    @property
    def opponent_decks(self) -> list[int] | None:
        """The decks of fixed opponents, by their places in all_decks; None: as individuals."""
        theirs = self.rating.opponents.decks if self.rating.opponents else None
        return None if theirs is None else [self.all_decks.index(deck) for deck in theirs]

    @model_validator(mode="after")
    def _comparable(self) -> Self:
        """Refuse a map of individuals whose fitness depends on others of their generation."""
        rating = self.rating
        if self.evolution.maps and (rating.coevolves or rating.hall_of_fame):
            raise ValueError(f"a map ({self.evolution.strategy}) compares individuals of all"
                             " generations, so fixed opponents alone may count: name some in"
                             " rating.opponents, with rating.shares={coevolution: 0} and without"
                             " rating.hall_of_fame")
        if self.evolution.maps and self.confirm.games % (1 + rating.common_random_numbers):
            raise ValueError(f"confirm.games is {self.confirm.games}, which can't be split evenly"
                             " over both seats: it must be a multiple of 2")
        return self

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if problem := memory_problem(self.most_matches, "matches per generation", MATCH_BYTES):
            raise ValueError(f"{problem}; take fewer individuals (evolution.mu, evolution.lambda),"
                             " decks, champions (rating.hall_of_fame) or opponents"
                             " (rating.opponents)")
        return self
