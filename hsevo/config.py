"""Read a config: YAML in, frozen and checked models out; each mistake is one clear line.

    configs/cig2018.yaml + --set key=value --load()--> Config --dump()--> RUN/config.yaml
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from hsevo.errors import ConfigError, DeckError, HsevoError, did_you_mean, quoted

Ruleset = Literal["cig2018", "msg2017", "cig2018-as-run"]
Information = Literal["fair", "leaky"]
Backend = Literal["threads", "loky", "dask", "serial"]
Algorithm = Literal["es", "cma-es"]
Kind = Literal["configs", "decks", "configs/studies"]

RULESETS: tuple[str, ...] = get_args(Ruleset)
SUFFIXES = {"configs": (".yaml", ".yml"), "decks": (".txt",),
            "configs/studies": (".yaml", ".yml")}
MISSING: dict[str, tuple[str, type[HsevoError]]] = {
    "configs": ("config", ConfigError), "decks": ("deck", DeckError),
    "configs/studies": ("study", ConfigError)}

Size = Annotated[int, Field(ge=1, le=5_000)]  # a round robin of 10,000 has 50 million pairs
Count = Annotated[int, Field(ge=1, le=1_000_000)]  # what a table's int32 column holds with ease
Seed = Annotated[int, Field(ge=0, lt=2**64)]
Turns = Annotated[int, Field(ge=1, le=10_000)]
Sigma = Annotated[float, Field(gt=0, le=10)]
Rate = Annotated[float, Field(ge=0, le=1)]  # games won of all, no percent
T = TypeVar("T", bound=BaseModel)


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

    against: tuple[str, ...] = Field(max_length=100)
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
    scheduler: str | None = None

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
    ruleset: Ruleset = "cig2018"
    information: Information = "fair"
    decks: tuple[str, ...] = Field(max_length=1000)
    games: Count = 20
    max_turns: Turns = 89
    executions: Annotated[int, Field(ge=1, le=99)] = 1
    evolution: Evolution = Evolution.model_construct()
    rating: Rating = Rating()
    yardstick: Yardstick | None = None
    workers: Workers = Workers()
    out: str | None = None

    @field_validator("name")
    @classmethod
    def _plain(cls, name: str) -> str:
        if not re.fullmatch(r"[\w.+-]+", name):
            raise ValueError("must be letters, digits, and . + - _ only: it names the run folder")
        return name

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


def load(source: str | Path, settings: Iterable[str] = ()) -> Config:
    """Read the config that `source` names, change it by `settings`, and check the whole.

    source: a path, or the name of a config in ./configs or among those shipped.
    settings: "dotted.key=value" strings; the values are YAML.
    Raises ConfigError: one line for every mistake, with the nearest right name.
    """
    path = find(str(source), "configs")
    tree = {"name": re.sub(r"[^\w.+-]", "-", path.stem)} | parse(read_text(path), str(path))
    if "study" in tree:
        raise ConfigError(f"{path} is a study, and not an evolution; run it with: hsevo study"
                          f" {source}")
    for text in settings:
        _put(tree, *_split(text))
    return check(Config, tree, str(path))


def parse(text: str, where: str) -> dict[str, Any]:
    """Read YAML text that must be a mapping; ConfigError names `where` and the line."""
    try:
        tree = yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        raise ConfigError(f"{where} is no YAML: {_yaml_line(error)}") from None
    if not isinstance(tree, dict) or not all(isinstance(key, str) for key in tree):
        raise ConfigError(f"{where} must hold 'key: value' lines, and is {_short(tree)}")
    return tree


def check(model: type[T], tree: Mapping[str, Any], where: str) -> T:
    """Return the model that the tree describes, or raise one ConfigError for all mistakes."""
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        lines = [f"{where}: {_line(model, detail)}" for detail in error.errors()]
        raise ConfigError("\n".join(dict.fromkeys(lines))) from None


def dump(config: Config) -> str:
    """Write every key of a config as YAML that `load` reads back to the same Config."""
    return yaml.safe_dump(config.model_dump(mode="json", by_alias=True), sort_keys=False)


def change(config: Config, settings: Mapping[str, Any]) -> Config:
    """Return the config with dotted keys replaced, checked again; a value of None is left out."""
    tree = config.model_dump(mode="json", by_alias=True)
    for key, value in settings.items():
        if value is not None:
            _put(tree, key, value)
    return check(Config, tree, "the arguments")


def find(name: str, kind: Kind) -> Path:
    """Find a config or deck: as a path, then in ./configs (./decks), then among those shipped.

    The suffix may be left out. Raises ConfigError (DeckError) with the nearest name there is.
    """
    folders = [Path(), Path(kind), shipped(kind)]
    endings = ("", *SUFFIXES[kind])
    for folder in folders:
        for path in (folder / f"{name}{ending}" for ending in endings):
            if name and _is_file(path):
                return path
    near = did_you_mean(name, names(kind))
    noun, error = MISSING[kind]
    raise error(
        f"no {noun} {quoted(name)}: not a file, not in ./{kind}, and shipped are only"
        f" {', '.join(names(kind)) or 'none'}{_of_other_kind(name, kind) or near}"
    )


def _of_other_kind(name: str, kind: Kind) -> str:
    """Say what to do with a name that is a study where a config is wanted, or the other way."""
    if kind == "configs" and name in names("configs/studies"):
        return f"; '{name}' is a study: hsevo study {name}"
    if kind == "configs/studies" and name in names("configs"):
        return f"; '{name}' is an evolution: hsevo evolve --config {name}"
    return ""


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long for the system, a folder that may not be looked into
        return False


def shipped(kind: Kind) -> Path:
    """Return the folder of shipped files: in the package, or beside it in a source checkout."""
    package = Path(__file__).parent
    inside = package / kind
    return inside if inside.is_dir() else package.parent / kind


def names(kind: Kind) -> list[str]:
    """List the configs or decks that can be named, sorted, without suffix."""
    folders = (Path(kind), shipped(kind))
    files = (path for folder in folders if folder.is_dir() for path in folder.iterdir())
    return sorted({path.stem for path in files if path.suffix in SUFFIXES[kind]})


def read_text(path: Path) -> str:
    """Read a text file of the user; ConfigError when it cannot be read or is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not a text file (no UTF-8); give a YAML file") from None
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None


class _Loader(yaml.SafeLoader):
    """YAML with 1e-5 as a number (YAML 1.1 wants 1.0e-5) and no key given twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.MarkedYAMLError(problem=f"key '{key}' stands there twice",
                                           problem_mark=node.start_mark)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?\d+(\.\d*)?[eE][-+]?\d+$"), list("-+0123456789")
)


def _yaml_line(error: yaml.YAMLError) -> str:
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return " ".join(str(error).split())
    return f"{error.problem} (line {error.problem_mark.line + 1})"


def _split(text: str) -> tuple[str, Any]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise ConfigError(f"--set {text}: must be key=value, such as evolution.mu=4")
    return key.strip(), parse(f"value: {value}", f"--set {text}")["value"]


def _put(tree: dict[str, Any], dotted: str, value: Any) -> None:
    """Set a dotted key in nested mappings; a wrong section is left to `check` to name."""
    *sections, last = dotted.split(".")
    for name in sections:
        inner = tree.get(name)
        tree[name] = dict(inner) if isinstance(inner, dict) else {}
        tree = tree[name]
    tree[last] = value


def _line(model: type[BaseModel], detail: Any) -> str:
    """Say one pydantic error in hsevo's words: where, what is there, what must be there."""
    spot = [str(part) for part in detail["loc"]]
    where, kind = ".".join(spot), detail["type"]
    if kind == "extra_forbidden":
        near = did_you_mean(spot[-1], _keys(model, spot[:-1]))
        return f"unknown key '{where}'{near or '; known are ' + _known(model, spot[:-1])}"
    if kind == "missing":
        return f"'{where}' is missing; it has no default"
    wanted = _wanted(detail)
    near = did_you_mean(str(detail["input"]), _choices(detail)) if _choices(detail) else ""
    return f"{where} is {_short(detail['input'])}, but {wanted}{near}"


def _wanted(detail: Any) -> str:
    context = detail.get("ctx", {})
    limits = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le",
              "less_than": "lt"}
    words = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    if detail["type"] in limits:
        limit = limits[detail["type"]]
        return f"must be {words[limit]} {context[limit]}"
    if detail["type"] == "value_error":
        return str(context["error"])
    if detail["type"] == "literal_error":
        return f"must be {context['expected']}"
    return _TYPES.get(detail["type"]) or detail["msg"]


_TYPES = {
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be text",
    "tuple_type": "must be a list",
    "model_type": "must be a section of 'key: value' lines",
    "model_attributes_type": "must be a section of 'key: value' lines",
    "dict_type": "must be a section of 'key: value' lines",
}


def _choices(detail: Any) -> list[str]:
    expected = detail.get("ctx", {}).get("expected")
    return re.findall(r"'([^']+)'", expected) if isinstance(expected, str) else []


def _keys(model: type[BaseModel], spot: list[str]) -> Iterator[str]:
    """Yield the keys of the section at `spot`, as a config writes them."""
    for name in spot:
        kind = next(field.annotation for key, field in model.model_fields.items()
                    if name in (key, field.alias))
        model = next(inner for inner in (kind, *get_args(kind))  # a section, or one or None
                     if isinstance(inner, type) and issubclass(inner, BaseModel))
    for key, field in model.model_fields.items():
        yield field.alias or key


def _known(model: type[BaseModel], spot: list[str]) -> str:
    return ", ".join(_keys(model, spot))


def _short(value: Any) -> str:
    """Show a value in at most 60 characters, with what it is when that is not plain."""
    if value is None:
        return "empty"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
