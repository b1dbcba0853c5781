"""The sections and keys of a config: frozen models that check every value.

Every section of configs/cig2018.yaml is a class here, and every key a field. The text below a
field is its description in the JSON schema (`hsevo config schema`) and in the reference.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
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


def with_pairs(section: Any) -> Any:
    """Return what a section is made of, with the lists within its `ranges` as tuples."""
    if isinstance(section, dict) and isinstance(section.get("ranges"), list):
        pairs = [tuple(pair) if isinstance(pair, list) else pair for pair in section["ranges"]]
        return section | {"ranges": tuple(pairs)}
    return section


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
ALGORITHMS = ("es", "cma-es", "ga", "map-elites", "cma-me")
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
            raise ValueError(f"must name each once; '{name}' is given twice")
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


def _ruleset(ruleset: Any) -> Any:
    try:
        name = ruleset_of(ruleset)
    except ConfigError as error:
        raise ValueError(str(error)) from None
    if isinstance(name, str) and not is_overlay(name) and name not in RULESETS:
        raise PydanticKnownError("literal_error", {"expected": " or ".join(map(repr, RULESETS))})
    return name


def _python(spec: Any) -> Any:
    if isinstance(spec, str) and not re.fullmatch(r"py:[^#]+#[^\W\d]\w*", spec):
        raise ValueError("must be py:FILE.py#NAME")
    return spec


def _strategy(name: Any) -> Any:
    if isinstance(name, str) and name.startswith("py:"):
        return _python(name)
    if isinstance(name, str) and name not in ALGORITHMS:
        raise PydanticKnownError("literal_error", {
            "expected": f"{', '.join(map(repr, ALGORITHMS))} or py:FILE.py#CLASS"})
    return name


_STRATEGIES = {"anyOf": [{"enum": [*ALGORITHMS], "type": "string"},
                         {"pattern": "^py:", "type": "string"}]}
_RULESETS = {"anyOf": [{"enum": [*RULESETS], "type": "string"}, {"type": "string"}]}
Ruleset = Annotated[str, BeforeValidator(_ruleset), WithJsonSchema(_RULESETS)]
Information = Annotated[str, AfterValidator(_information)]
Name = Annotated[str, AfterValidator(_name)]  # an agent, as shown in tables
RunName = Annotated[str, AfterValidator(_run_name)]
Agents = Annotated[list[Name], Field(min_length=1)]
Text = Annotated[str, Field(max_length=4096), AfterValidator(_text)]  # paths, specs, deck codes
Strategy = Annotated[Text, BeforeValidator(_strategy), WithJsonSchema(_STRATEGIES)]
PythonName = Annotated[Text, BeforeValidator(_python)]  # a function: py:FILE.py#NAME
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
                              defer_build=True)  # few commands need all of them
    FOLDER: ClassVar[Kind]  # of a plan: where configs of its kind are
    BESIDE: ClassVar[Mapping[str, Beside]] = {}  # functions that find the files of a key's values

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> Any:
        """Describe each key by the text below its field.

        Pydantic's use_attribute_docstrings reads the sources whenever a class is defined.
        """
        schema = handler(core)
        keys = handler.resolve_ref_schema(schema)["properties"]
        for name, field in cls.model_fields.items():
            if text := _description(cls, name):
                keys[field.alias or name]["description"] = text
        return schema


def _description(model: type[Section], name: str) -> str | None:
    """Return the text below a field, in the class that defines the field."""
    places = ((cls.__module__, cls.__name__) for cls in model.__mro__ if issubclass(cls, Section))
    return next((text for module, cls in places
                 if (text := _texts_below_fields(module).get((cls, name)))), None)


@cache
def _texts_below_fields(module: str) -> dict[tuple[str, str], str]:
    """Return the texts below the fields of the classes of a module, by class and field."""
    texts = {}
    body = ast.parse(inspect.getsource(sys.modules[module])).body
    for owner in (node for node in body if isinstance(node, ast.ClassDef)):
        for pair in pairwise(owner.body):
            match pair:
                case (ast.AnnAssign(target=ast.Name(id=name)),
                      ast.Expr(value=ast.Constant(value=str(text)))):
                    texts[owner.name, name] = " ".join(text.split())
    return texts


class Evolved(Section):
    """The agent whose weights evolve. You can write a plain `agent: FAMILY`."""

    kind: Name = "eva"
    """Agent family with weights and its options, such as eva, eva:turn?nodes=100 or gsv."""
    evolve: Annotated[tuple[Name, ...], *OneOrMore] | None = None
    """Names of the weights that evolve. The other weights stay as in base. If null, all evolve."""
    genome: Literal["one", "deck", "matchup"] = "one"
    """one uses the same weights for all decks, deck uses different weights for each deck, and
    matchup uses different weights for each pair of decks."""
    base: Name | None = None
    """Agent with the base weights, such as eva:2018. Default: the first agent of the family."""

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
    """Variation and selection of individuals. By default, this is the paper's strategy."""

    strategy: Strategy = "es"
    """es (the paper's evolution strategy), cma-es, ga (a genetic algorithm), map-elites or cma-me
    (which keep a map of elites), or your own class (py:FILE.py#CLASS)."""
    mu: Size = 10
    """Number of individuals that survive a generation and are parents of the next generation."""
    lam: Size = Field(10, alias="lambda")
    """Number of offspring per generation. With your own strategy, the maximum number."""
    elites: Annotated[int, Field(ge=0, le=5_000)] = 0
    """With ga, number of best parents that play again with the offspring, and may survive."""
    generations: Count = 100
    """Number of generations, including the random first generation."""
    tau: Annotated[float, Field(ge=0, le=10)] | None = None
    """With es, learning rate of a single weight's sigma. If null, 1 / sqrt(2 sqrt(n)) for n
    weights."""
    tau_prime: Annotated[float, Field(ge=0, le=10)] | None = None
    """With es, learning rate that all sigmas share. If null, 1 / sqrt(2 n) for n weights."""
    epsilon: Annotated[float, Field(gt=0, le=1)] = 1e-5
    """With es, lower bound of every sigma."""
    start: Literal["random", "base"] = "random"
    """random draws the first weights uniformly within bounds. base draws them around the weights
    of agent.base."""
    first_sigmas: tuple[float, float] = (0.0, 1.0)
    """With es, range [low, high] of the first sigmas. cma-es and cma-me start with the middle of
    this range, and their step sizes are at most a third of the range of bounds."""
    sigma_max: Sigma | None = None
    """With es, upper bound of a parent's sigmas when it mutates. If null, no bound."""
    selection: Annotated[tuple[Selection, ...], *OneOrMore] = ("tournament",)
    """With ga, methods of parent selection (random, rank, roulette, tournament). Each generation
    draws one of these methods."""
    crossover: Rate = 0.7
    """With ga, probability that two parents mix their weights (uniform crossover)."""
    mutation: Rate = 0.01
    """With ga, mutation probability per weight."""
    mutation_sigma: Sigma = 0.25
    """With ga and map-elites, standard deviation of a mutation, in units of the weight's scale."""
    bounds: tuple[float, float] = (0.0, 1.0)
    """Range [low, high] of all weights, as fractions of the agent's range."""
    features: Annotated[tuple[Behaviour, ...], *OneOrMore] | None = None
    """With map-elites and cma-me, the two axes of the map: turns, hand or damage. If null, turns
    and hand. With your own strategy, the features that your class receives."""
    cells: Annotated[tuple[Size, Size], Listed] = (20, 20)
    """With map-elites and cma-me, number of cells along each axis of the map."""
    ranges: tuple[Pair, Pair] | None = None
    """With map-elites and cma-me, range [low, high] of each axis. Values outside the range go to
    the nearest cell. If null, the default range of the feature."""
    emitters: Annotated[int, Field(ge=1, le=1000)] = 5
    """With cma-me, number of search distributions (emitters). Each emitter makes lambda / emitters
    individuals per generation."""
    options: dict[Text, bool | int | float | Text] = Field({}, max_length=1000)
    """Keyword arguments of your own strategy."""

    @property
    def maps(self) -> bool:
        """Whether the strategy keeps a map."""
        return self.strategy in ("map-elites", "cma-me")

    @property
    def own(self) -> bool:
        """Whether the strategy is a class of the user."""
        return self.strategy.startswith("py:")

    @property
    def axes(self) -> tuple[Behaviour, ...]:
        """The features of games that are measured for the strategy."""
        if self.maps:
            return self.features or ("turns", "hand")
        return (self.features or ()) if self.own else ()

    @property
    def watches(self) -> bool:
        """Whether games have to be watched to measure the features."""
        return self.maps or not {"turns"}.issuperset(self.axes)

    @property
    def has_ages(self) -> bool:
        """Whether individuals may survive the generation after their own."""
        return self.rerated_parents > 0

    @property
    def has_sigmas(self) -> bool:
        """Whether individuals have step sizes."""
        return not self.own and self.strategy != "ga"

    @property
    def renews(self) -> bool:
        """Whether all individuals of a generation are new."""
        return self.maps or self.own or self.strategy == "cma-es"

    @property
    def rerated_parents(self) -> int:
        """How many parents are rated again with their offspring."""
        return 0 if self.renews else {"es": self.mu, "ga": self.elites}[self.strategy]

    @property
    def largest(self) -> int:
        """Most individuals of a generation after the first; your own may recommend one more."""
        return self.lam + self.rerated_parents + self.own

    @model_validator(mode="before")
    @classmethod
    def _ends(cls, section: Any) -> Any:
        return with_pairs(section)

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
        if self.own and lam < mu:
            raise ValueError(f"lambda is {lam}, but must be at least mu ({mu}): the best mu of"
                             " lambda count as survivors")
        if self.options and not self.own:
            raise ValueError("options are the arguments of your own strategy (py:FILE.py#CLASS),"
                             f" but strategy is {self.strategy}")
        if self.renews and not self.own and lam <= max(mu, 2):
            raise ValueError(f"lambda is {lam}, but must be more than mu ({mu}) and 2 with strategy"
                             f" {self.strategy}, which selects the best mu of lambda")
        if self.strategy == "cma-me" and (lam % self.emitters or lam < 4 * self.emitters):
            raise ValueError(f"lambda is {lam}, but must be a multiple of emitters"
                             f" ({self.emitters}), and at least 4 times as much")
        if len(self.axes) > 2 or (self.maps and len(self.axes) < 2):
            raise ValueError(f"features has {len(self.axes)} names, but a map has two axes, and"
                             " your own strategy receives one or two")
        if self.maps:
            refuse_axes((self.axes[0], self.axes[1]), self.ranges)
        if self.strategy == "ga" and elites >= mu:
            raise ValueError(f"elites is {elites}, but must be less than mu ({mu}) with strategy"
                             " ga")
        if self.strategy == "ga" and lam + elites < mu:
            raise ValueError(f"lambda is {lam}, but must be at least {mu - elites} with strategy"
                             f" ga: the next mu ({mu}) parents are chosen from its offspring and"
                             f" {elites} elites")
        return self


class Racing(Section):
    """Rate individuals in rounds, and stop the games of individuals whose selection is decided."""

    rounds: Annotated[int, Field(ge=2, le=1000)] = 5
    """Number of rounds into which a generation's games are split."""
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Confidence at which an individual's selection is decided."""


class FixedOpponents(Section):
    """Fixed agents that all individuals play against in every generation."""

    agents: Annotated[tuple[Name, ...], *OneOrMore]
    """Specs of the agents (hsevo agents)."""
    decks: Annotated[tuple[Text, ...], *OneOrMore] | None = None
    """Decks of the agents. If null, the decks of the individuals."""
    games: Count | None = None
    """Games per pair of decks against each agent. If null, the same number as between
    individuals."""
    mixture: Literal["equal", "nash"] = "equal"
    """equal gives all agents the same weight. nash weights each agent by its share of the Nash
    mixture of panel-2026."""


class Shares(Section):
    """Relative weights of the groups of opponents in the fitness."""

    coevolution: Share = 1.0
    """The other individuals of the generation. With 0, individuals do not play each other."""
    hall_of_fame: Share = 1.0
    """Champions of earlier generations. Their number is rating.hall_of_fame."""
    opponents: Share = 1.0
    """The fixed agents of rating.opponents."""


class Rating(Section):
    """Measurement of fitness in a generation. The default is the paper's round robin."""

    common_random_numbers: bool = False
    """If true, all pairs of individuals play with the same shuffles, each of them twice with
    swapped seats."""
    hall_of_fame: Annotated[int, Field(ge=0, le=1000)] = 0
    """Number of champions of earlier generations that all individuals also play against."""
    opponents: FixedOpponents | None = None
    """Fixed agents that all individuals also play against. If null, none."""
    shares: Shares | None = None
    """Weights of the groups of opponents. Fitness is then a weighted win rate. If null, fitness is
    the number of wins."""
    racing: Racing | None = None
    """Racing, in which individuals stop playing when their selection is decided. If null, none."""
    fitness: PythonName | None = None
    """Your own function (py:FILE.py#NAME) that computes fitness from the games. If null, none."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        shares, fixed = self.shares, self.opponents
        if self.racing and self.fitness:
            raise ValueError("racing and fitness can't be combined, because racing compares win"
                             " rates; remove one")
        if shares is None:
            if fixed and fixed.mixture == "nash":
                raise ValueError("opponents.mixture nash needs shares, such as {coevolution: 0}")
            return self
        if self.racing:
            raise ValueError("racing and shares can't be combined; remove one")
        if not shares.coevolution and not fixed:
            raise ValueError("shares.coevolution is 0, but the first generation needs other"
                             " opponents; name some in opponents.agents")
        for name in ("hall_of_fame", "opponents"):
            if getattr(self, name) and not getattr(shares, name):
                raise ValueError(f"shares.{name} is 0, so its games would not count; remove"
                                 f" {name}, or give it a share")
        return self

    @property
    def in_percent(self) -> bool:
        """Whether fitness is a win rate in per cent."""
        return self.shares is not None and self.fitness is None

    @property
    def coevolves(self) -> bool:
        """Whether individuals of a generation meet each other."""
        return self.shares is None or self.shares.coevolution > 0


class EvolutionReferences(Section):
    """Measurements of the best individual at intervals, against external reference opponents."""

    against: Annotated[tuple[Name, ...], Listed] = Field(max_length=100)
    """Specs of the reference opponents (hsevo agents)."""
    every: Count = 10
    """Interval in generations. The last generation is always measured."""
    games: Count = 360
    """Minimum number of games against each reference opponent."""

    @field_validator("against")
    @classmethod
    def _not_empty(cls, agents: tuple[str, ...]) -> tuple[str, ...]:
        if not agents:
            raise ValueError("must name at least one agent; hsevo agents lists them")
        return agents


class Confirmation(Section):
    """New games of a map's elites at the end, which give win rates without selection bias."""

    games: Count = 20
    """Games of each elite per pair of decks against each fixed opponent. The best elite then plays
    this number of games again."""


class Rules(Section):
    """The rules of games, which you can set in every command that plays."""

    decks: Names = Field(default_factory=lambda: [*CIG2018])
    """Names, files, codes or URLs of decks."""
    seed: Seed = 1
    """The same seed gives the same games."""
    ruleset: Ruleset = "cig2018"
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    information: Information = "fair"
    """Information of agents in their look-ahead. fair gives them the opponent's deck list, but no
    hidden cards. With closed, they guess this list. closed:match, closed:bigrams and closed:uniform
    are other ways to guess, and closed@FILE uses your own decks. leaky gives agents all cards
    (perfect information)."""
    max_turns: Turns = 89
    """A game with more player turns is a draw."""


class Workers(Section):
    """Parallel execution of games. Results do not depend on it."""

    backend: Backend = "threads"
    """Run games in threads, in processes (loky), on a cluster (dask) or one by one (serial)."""
    count: Count | None = None
    """Number of workers. If null, one per core."""
    scheduler: Text | None = None
    """Address of a Dask scheduler, such as tcp://host:8786. Default: a local cluster."""

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
              "agents": agent_beside, "strategy": agent_beside, "fitness": agent_beside}

    name: RunName = "run"
    """Prefix of the run folder's name. Default: the name of the config file."""
    seed: Seed = 1
    """The same seed gives bit-identical results."""
    agent: Annotated[Evolved, _OrText] = Evolved.model_construct()
    """Agent whose weights evolve: an agent family such as eva or gsv?depth=2, or a section."""
    ruleset: Ruleset = "cig2018"
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    information: Information = "fair"
    """In their look-ahead, agents see the opponent's deck list (fair), guess this list (closed) or
    see all cards (leaky)."""
    decks: Annotated[tuple[Text, ...], Listed] = Field(max_length=1000)
    """Decks, as names, files, codes or URLs. hsevo looks for a file in the folder of the config
    first. All pairs of decks play."""
    games: Count = 20
    """Games of every two individuals, for each pair of decks."""
    max_turns: Turns = 89
    """A game that is not over after this number of player turns is a draw."""
    executions: Annotated[int, Field(ge=1, le=99)] = 1
    """Number of independent evolutions in the run. They run one after another."""
    evolution: Evolution = Evolution.model_construct()
    """Variation and selection of individuals."""
    rating: Rating = Rating()
    """Measurement of fitness."""
    references: EvolutionReferences | None = None
    """Measurements of the best individuals against external reference opponents. If null, none."""
    confirm: Confirmation = Confirmation()
    """With map-elites and cma-me, new games of all elites at the end."""
    workers: Workers = Workers()
    """Parallel execution of games."""
    out: Text | None = None
    """The run folder. If null, runs/NAME-seed-SEED-DATE-TIME."""

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
        n = max(es.mu, es.largest)
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
                             " generations, so only fixed opponents may count: name some in"
                             " rating.opponents, with rating.shares={coevolution: 0} and without"
                             " rating.hall_of_fame")
        if self.evolution.maps and rating.fitness:
            raise ValueError(f"a map ({self.evolution.strategy}) compares win rates, so it can't be"
                             " combined with rating.fitness; use your own strategy for another map")
        if self.evolution.own and self.evolution.lam == 1 and rating.coevolves:
            raise ValueError("lambda is 1, so individuals have no opponents: name some in"
                             " rating.opponents, with rating.shares={coevolution: 0}")
        if self.evolution.maps and self.confirm.games % (1 + rating.common_random_numbers):
            raise ValueError(f"confirm.games is {self.confirm.games}, which can't be split evenly"
                             " over both seats: it must be a multiple of 2")
        return self

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if problem := memory_problem(self.most_matches, "matches per generation", MATCH_BYTES):
            raise ValueError(f"{problem}; use fewer individuals (evolution.mu, evolution.lambda),"
                             " decks, champions (rating.hall_of_fame) or opponents"
                             " (rating.opponents)")
        return self
