"""What a config holds: frozen models that check every value, each mistake with its reason.

Every section of configs/cig2018.yaml is a class here, and every key a field.
"""

import re
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from hsevo.config.mistakes import MATCH_BYTES, memory_problem
from hsevo.errors import name_problem, unsafe

Ruleset = Literal["cig2018", "msg2017", "cig2018-as-run"]
Information = Literal["fair", "leaky"]
Backend = Literal["threads", "loky", "dask", "serial"]
Algorithm = Literal["es", "cma-es"]

RULESETS: tuple[str, ...] = get_args(Ruleset)



def _text(text: str) -> str:
    if unsafe(text):
        raise ValueError("must hold no control characters")
    return text


def _name(name: str) -> str:
    if problem := name_problem(name):
        raise ValueError(problem)
    return name


Name = Annotated[str, AfterValidator(_name)]  # what tables show: an agent
Agents = Annotated[list[Name], Field(min_length=1)]
Text = Annotated[str, Field(max_length=4096), AfterValidator(_text)]  # paths, specs, deck codes
Size = Annotated[int, Field(ge=1, le=5_000)]  # a round robin of 10,000 has 50 million pairs
Count = Annotated[int, Field(ge=1, le=1_000_000)]  # what a table's int32 column holds with ease
Names = Annotated[list[Text], Field(min_length=1, max_length=1000)]
Values = Annotated[list[float], Field(min_length=1, max_length=1000)]  # that one thing takes
Seed = Annotated[int, Field(ge=0, lt=2**64)]
Turns = Annotated[int, Field(ge=1, le=10_000)]
Sigma = Annotated[float, Field(gt=0, le=10)]
Rate = Annotated[float, Field(ge=0, le=1)]  # games won of all, no percent


class Section(BaseModel):
    """A part of a config: no unknown keys, no silent conversions, never changed after reading."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Evolution(Section):
    """Where individuals come from; by default the paper's (mu+lambda) strategy (strategies.py).

    tau, tau_prime, epsilon and sigma_max are of strategy es alone. A parent's sigmas are cut to
    sigma_max before it mutates, so that a child's may be above by one mutation.
    """

    strategy: Algorithm = "es"
    mu: Size = 10
    lam: Size = Field(10, alias="lambda")
    generations: Count = 100
    tau: Annotated[float, Field(ge=0, le=10)] | None = None
    tau_prime: Annotated[float, Field(ge=0, le=10)] | None = None
    epsilon: Annotated[float, Field(gt=0, le=1)] = 1e-5
    first_sigmas: tuple[float, float] = (0.0, 1.0)
    sigma_max: Sigma | None = None
    bounds: tuple[float, float] = (0.0, 1.0)

    @field_validator("bounds", "first_sigmas", mode="before")
    @classmethod
    def _two_numbers(cls, pair: Any) -> Any:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise ValueError("must be two numbers, [low, high]")
        return tuple(pair)

    @field_validator("bounds")
    @classmethod
    def _in_order(cls, pair: tuple[float, float]) -> tuple[float, float]:
        if not 0 <= pair[0] < pair[1] <= 1:
            raise ValueError("must be a low and a higher number, both from 0 to 1")
        return pair

    @field_validator("first_sigmas")
    @classmethod
    def _steps(cls, pair: tuple[float, float]) -> tuple[float, float]:
        if not (0 <= pair[0] <= pair[1] <= 10 and pair[1] > 0):
            raise ValueError("must be a low and a high number, both from 0 to 10, not both 0")
        return pair

    @field_validator("lam")
    @classmethod
    def _enough(cls, lam: int, info: ValidationInfo) -> int:
        if info.data.get("strategy") == "cma-es" and lam <= max(info.data.get("mu", 1), 2):
            raise ValueError("must be more than mu and 2 with strategy cma-es, which keeps the"
                             " best mu of lambda")
        return lam


class Racing(Section):
    """Stop playing those who are surely in or out of the mu best (fitness.py)."""

    rounds: Annotated[int, Field(ge=2, le=1000)] = 5
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95


class Rating(Section):
    """How a generation is rated; by default by the paper's round robin (fitness.py)."""

    common_random_numbers: bool = False
    hall_of_fame: Annotated[int, Field(ge=0, le=1000)] = 0
    racing: Racing | None = None


class Yardstick(Section):
    """Measure the best of every so many generations against agents that nobody evolved here."""

    against: tuple[Name, ...] = Field(max_length=100)
    every: Count = 10
    games: Count = 360

    @field_validator("against", mode="before")
    @classmethod
    def _listed(cls, agents: Any) -> Any:
        return tuple(agents) if isinstance(agents, list) else agents

    @field_validator("against")
    @classmethod
    def _somebody(cls, agents: tuple[str, ...]) -> tuple[str, ...]:
        if not agents:
            raise ValueError("must name at least one agent; hsevo agents lists them")
        return agents


class Workers(Section):
    """Who plays the games; no result depends on it. count None: one worker a core."""

    backend: Backend = "threads"
    count: Count | None = None
    scheduler: Text | None = None

    @field_validator("scheduler")
    @classmethod
    def _address(cls, address: str | None) -> str | None:
        if address is not None and not re.fullmatch(r"(tcp|tls)://.+:\d+", address):
            raise ValueError("must be an address such as tcp://host:8786")
        return address


class Config(Section):
    """A whole experiment. Every number has its reason in configs/cig2018.yaml."""

    name: str = "run"
    seed: Seed = 1
    agent: Name = "eva"  # a kind with a genome, and its options (agents/registry.py)
    ruleset: Ruleset = "cig2018"
    information: Information = "fair"
    decks: tuple[Text, ...] = Field(max_length=1000)
    games: Count = 20
    max_turns: Turns = 89
    executions: Annotated[int, Field(ge=1, le=99)] = 1
    evolution: Evolution = Evolution.model_construct()
    rating: Rating = Rating()
    yardstick: Yardstick | None = None
    workers: Workers = Workers()
    out: Text | None = None

    @field_validator("name")
    @classmethod
    def _plain(cls, name: str) -> str:
        if not re.fullmatch(r"[\w.+-]+", name):
            raise ValueError("must be letters, digits, and . + - _ only: it names the run folder")
        return _name(name)

    @field_validator("rating")
    @classmethod
    def _divided(cls, rating: Rating, info: ValidationInfo) -> Rating:
        laps = rating.racing.rounds if rating.racing else 1
        parts = laps * (2 if rating.common_random_numbers else 1)
        if info.data.get("games", parts) % parts:
            what = [f"{laps} rounds"] * (laps > 1) + ["both seats"] * rating.common_random_numbers
            raise ValueError(f"games is {info.data['games']}, which can't be dealt evenly over"
                             f" {' and '.join(what)}: it must be a multiple of {parts}")
        return rating

    @field_validator("decks", mode="before")
    @classmethod
    def _listed(cls, decks: Any) -> Any:
        return tuple(decks) if isinstance(decks, list) else decks

    @field_validator("decks")
    @classmethod
    def _once_each(cls, decks: tuple[str, ...]) -> tuple[str, ...]:
        if not decks:
            raise ValueError("must name at least one deck")
        twice = sorted({deck for deck in decks if decks.count(deck) > 1})
        if twice:
            raise ValueError(f"must name a deck once, and '{twice[0]}' stands there twice")
        return decks

    @property
    def most_matches(self) -> int:
        """How many matches a generation has at most: of two individuals, with two decks."""
        es, rating = self.evolution, self.rating
        n = es.lam + (es.mu if es.strategy == "es" else 0)
        meetings = n * (n - 1) // 2 + n * min(rating.hall_of_fame, es.generations - 1)
        laps = rating.racing.rounds if rating.racing else 1
        return meetings * len(self.decks) ** 2 * laps * (1 + rating.common_random_numbers)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if problem := memory_problem(self.most_matches, "matches a generation", MATCH_BYTES):
            raise ValueError(f"{problem}; take fewer individuals (evolution.mu, evolution.lambda),"
                             " decks, or champions (rating.hall_of_fame)")
        return self
