"""`hsevo.Agent`: an agent from a spec, a run, a file, weights, or Python code; all in a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

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

if TYPE_CHECKING:
    import pandas as pd

# Other types that hold an agent, and how to get it from them.
PLAYERS = {"Learned": "its player is run.agent()", "Run": "its best is run.champion()"}


class Agent:
    """Represent a player: a named agent, an evolved individual, or your own weights.

    Parameters
    ----------
    source : str, Path, mapping, pandas.Series, Agent or Python player
        A spec ("eva:2018", "gsv?depth=2", "eva:runs/mine#individual-7", see `hsevo.list_agents`), a
        path of a file of weights, a '#' string of the competition, or weights by name. A Python
        player is a function of an `hsevo.View` that returns a move, a class whose instances have a
        method `decide`, or such an instance.
    name : str, optional
        Name in tables. Default: the spec, or the agent family for weights.
    kind : str, optional
        Agent family of the weights, such as "dl" or "gsv?depth=2". Default: "eva".
    deck : deck, optional
        The only deck that the agent plays in `hsevo.match`, `hsevo.arena` and `hsevo.benchmark`: a
        name, path, deck code or `hsevo.Deck`. The spec "eva:2018@mage" has the same meaning.
    seconds : float, optional
        Time limit per decision of a Python player, in seconds. Default: 60.

    Attributes
    ----------
    spec : str or None
        Spec that names the agent. None for your own weights.
    name : str
        Name in tables.
    deck : Deck or None
        The only deck that the agent plays. None: the decks of the call.

    Raises
    ------
    AgentError
        If an agent is unknown, damaged or unable to play here.

    Examples
    --------
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
            raise AgentError("seconds needs an agent that is a Python function, class or object. In"
                             " a spec, write py:FILE.py#NAME?seconds=5")
        if isinstance(source, str) and not _is_hash(source):
            source, own = split_deck(source)
            if own is not None and (two := split_deck(source)[1]) is not None:
                raise AgentError(f"'{source}@{own}' names two decks, {two} and {own}; give one")
            if own is not None and deck is not None:
                raise AgentError(f"'{source}@{own}' already has a deck; leave deck out")
            deck = own if deck is None else deck
        if isinstance(source, Agent):
            if kind is not None:
                raise AgentError(f"'{source.name}' already has an agent family; leave kind out")
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
        """Return an agent with a vector of weights.

        Parameters
        ----------
        weights : array_like of shape (k,)
            Weights in the order of the genome of the agent family.
        name : str, optional
            Name in tables.
        kind : str, optional
            Agent family, as in `hsevo.Agent`. Default: "eva".

        Returns
        -------
        Agent
            The agent.

        Raises
        ------
        AgentError
            If the family is unknown, or the weights have another shape or type.
        """
        _check_texts(name=name, kind=kind)
        genome = genome_of(kind or "eva")
        try:
            vector = np.asarray(weights, np.float64)
        except (TypeError, ValueError):
            raise AgentError(f"a vector of weights must be numbers, not {short(weights)}") from None
        if vector.shape != (genome.size,):
            raise AgentError(f"a vector of {kind or 'eva'} must have the shape ({genome.size},),"
                             f" not {vector.shape}")
        return cls(dict(zip(genome.names, vector.tolist(), strict=True)), name, kind)

    @property
    def record(self) -> npt.NDArray[Any]:
        """The agent in the engine's form, AGENT (1,).

        Raises
        ------
        AgentError
            If the agent plays only certain decks (see `on`).
        """
        return self.on(None)

    def on(self, decks: Sequence[Deck] | None) -> npt.NDArray[Any]:
        """Return the agent in the engine's form for some decks.

        Parameters
        ----------
        decks : sequence of Deck or None
            Decks of the games.

        Returns
        -------
        ndarray of AGENT, shape (1,) or (1, d, d)
            One record, or one record for each pair of decks.

        Raises
        ------
        AgentError
            If the agent has other weights for each deck and lacks one of these decks, or if it
            plays only its own deck.
        """
        if self.deck is not None:
            raise AgentError(f"'{self.name}' {ELSEWHERE}")
        return self._named.on(decks)

    @property
    def genome(self) -> Genome:
        """Names, bounds and meanings of the weights.

        Raises
        ------
        AgentError
            If the agent has no weights.
        """
        if self._named.genome is None:
            raise AgentError(f"'{self.name}' has no weights")
        return self._named.genome

    @property
    def weights(self) -> pd.Series[float]:
        """Weights by name.

        Raises
        ------
        AgentError
            If the agent has no weights.
        """
        import pandas as pd

        names = list(self.genome.names)
        return pd.Series(np.array(self._named.weights), names, name=self.name)

    @property
    def _vector(self) -> npt.NDArray[np.float64]:
        return np.array([self.weights], np.float64)

    @property
    def hash(self) -> str:
        """Weights as the '#' string of the competition's framework.

        Raises
        ------
        AgentError
            If the agent has no weights.
        """
        return format_weights("sabberstone", [self.name], self._vector, self.genome).strip()

    def save(self, path: str | Path) -> Path:
        """Write the weights to a file.

        Parameters
        ----------
        path : str or Path
            File to write. Its suffix selects the format: .csv, .yaml or .txt ('#' string).

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        AgentError
            If the agent has no weights, or the suffix is unknown.
        RunError
            If the file cannot be written.
        """
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


AgentLike: TypeAlias = (
    "str | Path | Mapping[str, float] | pd.Series | Agent | Callable[..., Any]"
    " | python_players.Decides | python_players.DecidesMany")


def as_agent(agent: AgentLike) -> Agent:
    """Return an agent, given in any form. Raises AgentError."""
    return agent if isinstance(agent, Agent) else Agent(agent)


def as_agents(agents: AgentLike | Iterable[AgentLike]) -> list[Agent]:
    """Return one or several named agents. Raises AgentError if two share a name."""
    resolved = [as_agent(agent) for agent in each_agent(agents)]
    names = Counter(agent.name for agent in resolved)
    if names and (most := names.most_common(1)[0])[1] > 1:
        itself = all(agent.spec for agent in resolved if agent.name == most[0])
        raise AgentError(f"agent {quoted(most[0])} is given twice; " + (
            "an agent scores 50 % against itself. To compare decks, give"
            f" {brief(most[0].partition('@')[0])}@DECK" if itself else
            "give each agent a name of its own"))
    return resolved


def refuse_hosted(agents: Iterable[AgentLike]) -> None:
    """Raise AgentError if no compiled code plays one of some agents, in any form."""
    for agent in agents:
        if names_hosted(agent) or python_players.is_player(agent) or (
                isinstance(agent, Agent) and among(agent._named.agent)):
            raise AgentError(f"'{getattr(agent, 'name', agent)}' {NOT_HERE}")


def each_agent(agents: Any) -> list[AgentLike]:
    """Return one or several names of agents as a list. Raises AgentError for anything else."""
    if isinstance(agents, str | Path | Mapping | Agent) or python_players.is_player(agents):
        return [agents]
    if not isinstance(agents, list | tuple):
        import pandas as pd  # takes half a second

        if isinstance(agents, pd.Series):
            return [agents]
        if isinstance(agents, pd.DataFrame) or not isinstance(agents, Iterable):
            raise AgentError(f"{type(agents).__name__} is neither an agent nor a list of agents")
    return in_order("agents", agents, AgentError)


def specs_of(agent_or_agents: Any) -> list[str]:
    """Return the specs of one or several agents. Raises AgentError for an agent without one."""
    agents = each_agent(agent_or_agents)
    specs = [agent for agent in agents if isinstance(agent, str)]
    if len(specs) < len(agents):
        raise AgentError(f"agents are measured by spec, not {short(agent_or_agents)}")
    return specs


def list_agents() -> pd.DataFrame:
    """List the agents that have names.

    Returns
    -------
    pandas.DataFrame
        Columns agent, options, description.

    Examples
    --------
    >>> hsevo.list_agents().agent[:3].tolist()
    ['random', 'eva:2018', 'eva:group-1']
    """
    import pandas as pd

    return pd.DataFrame([
        {"agent": name, "options": ", ".join(f"{key}={choices(option)}" for key, option in
                                             entry.options.items()), "description": entry.says}
        for name, entry in ROSTER.items()])


def _check_texts(**texts: Any) -> None:
    for what, value in texts.items():
        if not isinstance(value, str | None):
            raise AgentError(f"the {what} of an agent must be a text, not {short(value)}")
        if value and (problem := name_problem(value)):
            raise AgentError(f"the {what} of an agent, {quoted(value)}, {problem}")


def _value_name(value: Any) -> str:
    """Return the name of a function, class or object."""
    name = getattr(value, "__name__", type(value).__name__)
    return name if name.isidentifier() else "python"


def _is_hash(source: str) -> bool:
    """Return whether a source is a '#' string, with any number of weights."""
    return re.fullmatch(r"[-+.\deE\s]*(#[-+.\deE\s]*)+", source) is not None


def _spec(source: str | Path, kind: str | None) -> str:
    """Return the spec of a source: a path becomes KIND:PATH. Raises AgentError."""
    word = str(source)
    if not word.strip():
        raise AgentError("an empty text names no agent; hsevo agents lists all named agents")
    named = None
    if isinstance(source, str) and (":" in word or word.partition("?")[0] in ROSTER):
        named = kind_name(word)
    if named and kind not in (None, named):
        raise AgentError(f"{quoted(word)} is of the agent family {named}, not {kind}; leave kind"
                         " out")
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
    import pandas as pd

    if not isinstance(source, pd.Series | Mapping):
        kind = type(source).__name__
        hint = f"; {PLAYERS[kind]}" if kind in PLAYERS else ""
        raise AgentError("an agent must be a spec, a path, a '#' string or weights by name, not"
                         f" {kind}{hint}")
    if isinstance(source, pd.Series) and source.index.has_duplicates:
        twice = source.index[source.index.duplicated()][0]
        raise AgentError(f"the weights contain {quoted(twice)} twice")
    weights, names = dict(source), genome.names
    unknown = [str(name) for name in weights if name not in names]
    missing = [name for name in names if name not in weights]
    if unknown:
        raise AgentError(f"unknown weight '{unknown[0]}'{did_you_mean(unknown[0], names)}")
    if missing:
        raise AgentError(f"the weights lack {', '.join(missing)}")
    return _checked(weights, genome)


def _of_hash(source: str, genome: Genome) -> npt.NDArray[np.float64]:
    if not genome.order:
        raise AgentError("only eva has '#' strings; give other weights by name or as a file")
    _, vectors = read_weights(source, genome)
    if len(vectors) > 1:
        raise AgentError(f"the '#' string has {len(vectors)} lines, but an agent has one")
    return vectors


def _checked(weights: Mapping[str, Any], genome: Genome) -> npt.NDArray[np.float64]:
    for name, low, high in zip(genome.names, genome.low, genome.high, strict=True):
        value = weights[name]
        number = isinstance(value, float | int | np.number) and not isinstance(value, bool)
        if not number or not low <= value <= high:
            raise AgentError(f"{name} is {short(value)}, but must be a number from {low:g} to"
                             f" {high:g}")
    return np.array([[float(weights[name]) for name in genome.names]])
