"""`hsevo.Agent`: an agent from a spec, a run, a file, weights, or Python code; all in a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.agents.genomes.genome import Genome
from hsevo.agents.genomes.weights import format_weights, read_weights, write_weights
from hsevo.agents.learned.nets import NOT_HERE
from hsevo.agents.registry import ROSTER, choices, genome_of, kind_name
from hsevo.cards.decks import Deck, DeckLike
from hsevo.config import in_order, short
from hsevo.errors import AgentError, brief, did_you_mean, name_problem, quoted
from hsevo.play import python_players
from hsevo.play.players import among
from hsevo.strength.roster import ELSEWHERE, Named, names_hosted, read_spec, split_deck
from hsevo.trust import named

# What else holds an agent, and how to get it.
PLAYERS = {"Learned": "its player is run.agent()", "Run": "its best is run.champion()"}


class Agent:
    """A player: a named agent, an evolved individual, or your own weights.

    source: a spec ("eva:2018", "gsv?depth=2", "eva:runs/mine#individual-7"; `list_agents()` has
    them all), a path to a file of weights, a '#' string of the competition, weights by name
    (a pandas Series or a mapping), or a Python player: a function of an `hsevo.View` that returns a
    move, a class whose instances have a method `decide`, or such an object.
    deck: the only deck that it plays in `match`, `arena` and `benchmark`: a name, path, code or
    Deck; "eva:2018@mage" says the same in a spec.
    name: its name in tables; default: its spec, or its kind for weights.
    kind: the kind of agent that weights (your own, or a file's) belong to: "eva" (the default),
    "dl", "gsv?depth=2" ...
    seconds: of a Python player, that a decision may take; default: 60.

    Raises AgentError.

    >>> eva = hsevo.Agent("eva:2018")
    >>> eva
    Agent('eva:2018')
    >>> eva.weights.nlargest(3)
    MA     1.000000
    MHW    1.000000
    MH     0.993683
    Name: eva:2018, dtype: float64
    >>> greedier = hsevo.Agent(eva.weights.clip(upper=0.5), name="clipped")
    >>> greedier
    Agent('clipped': 21 weights, HHR 0.50, HAR 0.50, BMA 0.50 ...)
    >>> hsevo.Agent(lambda view: view.legal[-1], name="last")
    Agent('last': a Python player)
    """

    spec: str | None  # names the same agent again; None for your own weights
    name: str
    deck: Deck | None  # the only one that it plays; None: those of the call
    _named: Named
    _plain_name: str  # without the deck

    def __init__(self, source: AgentLike, name: str | None = None,
                 kind: str | None = None, deck: DeckLike | None = None, *,
                 seconds: float | None = None) -> None:
        _check_texts(name=name, kind=kind)
        self.spec, self.deck = None, None
        value = python_players.is_player(source)
        if seconds is not None and not value:
            raise AgentError("seconds is given, but the agent is not a function, class or object of"
                             " Python; a spec has it as py:FILE.py#NAME?seconds=5")
        if isinstance(source, str) and not _is_hash(source):
            source, own = split_deck(source)
            if own is not None and (two := split_deck(source)[1]) is not None:
                raise AgentError(f"'{source}@{own}' names two decks, {two} and {own}; give one")
            if own is not None and deck is not None:
                raise AgentError(f"'{source}@{own}' has a deck already; leave deck out")
            deck = own if deck is None else deck
        if isinstance(source, Agent):
            if kind is not None:
                raise AgentError(f"'{source.name}' has a kind already; leave kind out")
            self.spec, self._named = source.spec, source._named
            self.deck = source.deck
            name = name or (source.name if deck is None else source._plain_name)
        elif isinstance(source, str | Path) and not _is_hash(str(source)):
            self.spec = _spec(source, kind)
            named(self.spec)
            self._named = read_spec(self.spec)
        elif value:
            name = name or _value_name(source)
            self._named = Named(python_players.of_value(source, name, seconds), name=name)
        else:
            genome = genome_of(kind or "eva")
            vector = _vector(source, genome)
            self._named = Named(genome.build(vector), genome, vector[0])
        self.name = name or self.spec or kind or "eva"
        self._plain_name = self.name
        if deck is not None:
            self._play(deck, name is None or isinstance(source, Agent))

    def _play(self, deck: DeckLike, named: bool) -> None:
        """Play this deck alone. named: the deck is a part of the name."""
        self.deck = Deck(deck)
        written = str(deck) if isinstance(deck, str | Path) else None
        if named:
            self.name = f"{self._plain_name}@{written or self.deck.name}"
        if self.spec is not None:
            self.spec = f"{split_deck(self.spec)[0]}@{written}" if written else None

    @classmethod
    def of_vector(cls, weights: npt.ArrayLike, name: str | None = None,
                  kind: str | None = None) -> Agent:
        """Return an agent with weights (k,) in the order of its kind's genome. Raises AgentError.

        kind: as of `Agent`.
        """
        _check_texts(name=name, kind=kind)
        genome = genome_of(kind or "eva")
        try:
            vector = np.asarray(weights, np.float64)
        except (TypeError, ValueError):
            raise AgentError(f"a vector of weights is numbers, not {short(weights)}") from None
        if vector.shape != (genome.size,):
            raise AgentError(f"a vector of {kind or 'eva'} has the shape ({genome.size},), and this"
                             f" has {vector.shape}")
        return cls(dict(zip(genome.names, vector.tolist(), strict=True)), name, kind)

    @property
    def record(self) -> npt.NDArray[Any]:
        """The agent as the engine takes it, AGENT (1,). Raises AgentError if only `on` decks."""
        return self.on(None)

    def on(self, decks: Sequence[Deck] | None) -> npt.NDArray[Any]:
        """Return the agent as the engine takes it with these decks, AGENT (1,) or (1, d, d).

        Raises AgentError if it has other weights for each deck, and none for one of these; or if it
        plays a deck of its own alone.
        """
        if self.deck is not None:
            raise AgentError(f"'{self.name}' {ELSEWHERE}")
        return self._named.on(decks)

    @property
    def genome(self) -> Genome:
        """Names, bounds and meaning of its weights. Raises AgentError if it has none."""
        if self._named.genome is None:
            raise AgentError(f"'{self.name}' has no weights")
        return self._named.genome

    @property
    def weights(self) -> pd.Series[float]:
        """Its weights by name. Raises AgentError if it has none."""
        names = list(self.genome.names)
        return pd.Series(np.array(self._named.weights), names, name=self.name)

    @property
    def _vector(self) -> npt.NDArray[np.float64]:
        return np.array([self.weights], np.float64)

    @property
    def hash(self) -> str:
        """Its weights as the '#' string that the competition's framework takes."""
        return format_weights("sabberstone", [self.name], self._vector, self.genome).strip()

    def save(self, path: str | Path) -> Path:
        """Write its weights: .csv, .yaml or .txt ('#' string). Raises AgentError, RunError."""
        write_weights(path, [self.name], self._vector, self.genome)
        return Path(path)

    def __repr__(self) -> str:
        if self.spec is not None:
            label = "" if self.name == self.spec else f"{self.name!r}: "
            return f"{type(self).__name__}({label}{self.spec!r})"
        if among(self._named.agent):
            return f"{type(self).__name__}({self.name!r}: a Python player)"
        top = self.weights.sort_values(ascending=False, kind="stable")[:3]
        shown = ", ".join(f"{name} {value:.2f}" for name, value in top.items())
        return f"{type(self).__name__}({self.name!r}: {len(self.weights)} weights, {shown} ...)"


AgentLike: TypeAlias = (str | Path | Mapping[str, float] | pd.Series | Agent
                        | Callable[..., Any] | python_players.Decides
                        | python_players.DecidesMany)


def as_agent(given: AgentLike) -> Agent:
    """Return an agent, given in any form. Raises AgentError."""
    return given if isinstance(given, Agent) else Agent(given)


def as_agents(given: AgentLike | Iterable[AgentLike]) -> list[Agent]:
    """Return one or several named agents. Raises AgentError if two share a name."""
    found = [as_agent(one) for one in each_agent(given)]
    names = Counter(one.name for one in found)
    if names and (most := names.most_common(1)[0])[1] > 1:
        itself = all(one.spec for one in found if one.name == most[0])
        raise AgentError(f"agent {quoted(most[0])} is given twice; " + (
            "against itself it scores 50 %: to compare decks in its hands, give"
            f" {brief(most[0].partition('@')[0])}@DECK" if itself else
            "give each agent a name of its own"))
    return found


def refuse_hosted(given: Iterable[AgentLike]) -> None:
    """Raise AgentError if no compiled code plays one of some agents, in any form."""
    for one in given:
        if names_hosted(one) or python_players.is_player(one) or (
                isinstance(one, Agent) and among(one._named.agent)):
            raise AgentError(f"'{getattr(one, 'name', one)}' {NOT_HERE}")


def each_agent(given: Any) -> list[AgentLike]:
    """Return one or several names of agents as a list. Raises AgentError for anything else."""
    if isinstance(given, str | Path | Mapping | pd.Series | Agent) or (
            python_players.is_player(given)):
        return [given]
    if isinstance(given, pd.DataFrame) or not isinstance(given, Iterable):
        raise AgentError(f"{type(given).__name__} is neither an agent nor a list of agents")
    return in_order("agents", given, AgentError)


def specs_of(given: Any) -> list[str]:
    """Return the specs of one or several agents. Raises AgentError for an agent without one."""
    agents = each_agent(given)
    specs = [agent for agent in agents if isinstance(agent, str)]
    if len(specs) < len(agents):
        raise AgentError(f"agents are measured by their specs, not {short(given)}")
    return specs


def list_agents() -> pd.DataFrame:
    """List the agents that have names: columns agent, options, description.

    >>> hsevo.list_agents().agent[:3].tolist()
    ['random', 'eva:2018', 'eva:group-1']
    """
    return pd.DataFrame([
        {"agent": name, "options": ", ".join(f"{key}={choices(option)}" for key, option in
                                             entry.options.items()), "description": entry.says}
        for name, entry in ROSTER.items()])


def _check_texts(**given: Any) -> None:
    for what, value in given.items():
        if not isinstance(value, str | None):
            raise AgentError(f"the {what} of an agent is a text, not {short(value)}")
        if value and (problem := name_problem(value)):
            raise AgentError(f"the {what} of an agent, {quoted(value)}, {problem}")


def _value_name(value: Any) -> str:
    """Return what a function, class or object is called."""
    name = getattr(value, "__name__", type(value).__name__)
    return name if name.isidentifier() else "python"


def _is_hash(source: str) -> bool:
    """Return whether a source is a '#' string, with any number of weights."""
    return re.fullmatch(r"[-+.\deE\s]*(#[-+.\deE\s]*)+", source) is not None


def _spec(source: str | Path, kind: str | None) -> str:
    """Return the spec of a source: a path becomes KIND:PATH. Raises AgentError."""
    word = str(source)
    if not word.strip():
        raise AgentError("an empty text names no agent; hsevo agents lists those that have names")
    named = None
    if isinstance(source, str) and (":" in word or word.partition("?")[0] in ROSTER):
        named = kind_name(word)
    if named and kind not in (None, named):
        raise AgentError(f"{quoted(word)} is of the kind {named}, not {kind}; leave kind out")
    is_path = isinstance(source, Path) or kind is not None or _exists(word.partition("#")[0])
    if named or not is_path:
        return word
    base, mark, options = (kind or "eva").partition("?")
    genome_of(base)  # is it a kind at all?
    return f"{base}:{word}{mark}{options}"


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a name too long for the system, or with a zero in it
        return False


def _vector(source: Any, genome: Genome) -> npt.NDArray[np.float64]:
    """Return weights (1, k) of a '#' string or of numbers by name. Raises AgentError."""
    if isinstance(source, str):
        return _of_hash(source, genome)
    if not isinstance(source, pd.Series | Mapping):
        kind = type(source).__name__
        hint = f"; {PLAYERS[kind]}" if kind in PLAYERS else ""
        raise AgentError(f"an agent is a spec, a path, a '#' string or weights by name, not"
                         f" {kind}{hint}")
    if isinstance(source, pd.Series) and source.index.has_duplicates:
        twice = source.index[source.index.duplicated()][0]
        raise AgentError(f"the weights hold {quoted(twice)} twice")
    given, names = dict(source), genome.names
    unknown = [str(name) for name in given if name not in names]
    missing = [name for name in names if name not in given]
    if unknown:
        raise AgentError(f"unknown weight '{unknown[0]}'{did_you_mean(unknown[0], names)}")
    if missing:
        raise AgentError(f"the weights lack {', '.join(missing)}")
    return _checked(given, genome)


def _of_hash(source: str, genome: Genome) -> npt.NDArray[np.float64]:
    if not genome.order:
        raise AgentError("'#' strings are of eva alone; give other weights by name, or as a file")
    _, vectors = read_weights(source, genome)
    if len(vectors) > 1:
        raise AgentError(f"the '#' string has {len(vectors)} lines, and an agent has one")
    return vectors


def _checked(given: Mapping[str, Any], genome: Genome) -> npt.NDArray[np.float64]:
    for name, low, high in zip(genome.names, genome.low, genome.high, strict=True):
        value = given[name]
        number = isinstance(value, float | int | np.number) and not isinstance(value, bool)
        if not number or not low <= value <= high:
            raise AgentError(f"{name} is {short(value)}, but must be a number from {low:g} to"
                             f" {high:g}")
    return np.array([[float(given[name]) for name in genome.names]])
