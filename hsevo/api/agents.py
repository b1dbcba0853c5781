"""`hsevo.Agent`: an agent from a spec, a run, a file, or weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.agents.genome import Genome
from hsevo.agents.registry import ROSTER, choices, genome_of
from hsevo.agents.weights import format_weights, read_weights, write_weights
from hsevo.errors import AgentError, did_you_mean
from hsevo.strength.roster import Named, read_spec


class Agent:
    """A player: a spec of the roster, an evolved individual, or weights of one's own.

    source: a spec ("eva:2018", "gsv?depth=2", "eva:runs/mine#individual-7"; `list_agents()` has
    them all), a path to a file of weights, a '#' string of the competition, or weights by name
    (a pandas Series or a mapping).
    name: what tables call it; default: its spec, or its kind for weights.
    kind: what weights of one's own are the weights of: "eva", "dl", "gsv?depth=2" ...

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
    """

    spec: str | None  # what names it again; None for weights of one's own
    record: npt.NDArray[np.void]  # agents.agent.AGENT (1,), as the engine takes it
    name: str
    _named: Named

    def __init__(self, source: AgentLike, name: str | None = None, kind: str = "eva") -> None:
        self.spec = None
        if isinstance(source, Agent):
            self.spec, self._named = source.spec, source._named
            name = name or source.name
        elif isinstance(source, str | Path) and not _is_hash(str(source)):
            self.spec = _spec(source)
            self._named = read_spec(self.spec)
        else:
            genome = genome_of(kind)
            vector = _vector(source, genome)
            self._named = Named(genome.build(vector), genome, vector[0])
        self.record = self._named.agent
        self.name = name or self.spec or kind

    @classmethod
    def of_vector(cls, weights: npt.NDArray[np.float64], name: str | None = None,
                  kind: str = "eva") -> Agent:
        """Return an agent with weights (k,) in the order of its kind's genome."""
        return cls(dict(zip(genome_of(kind).names, weights.tolist(), strict=True)), name, kind)

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
        top = self.weights.sort_values(ascending=False, kind="stable")[:3]
        told = ", ".join(f"{name} {value:.2f}" for name, value in top.items())
        return f"{type(self).__name__}({self.name!r}: {len(self.weights)} weights, {told} ...)"


AgentLike: TypeAlias = str | Path | Mapping[str, float] | pd.Series | Agent


def as_agent(given: AgentLike) -> Agent:
    """Return an agent of whatever names it. Raises AgentError."""
    return given if isinstance(given, Agent) else Agent(given)


def as_agents(given: AgentLike | Iterable[AgentLike]) -> list[Agent]:
    """Return agents of what names them, one or several. Raises AgentError if two share a name."""
    if isinstance(given, str | Path | Mapping | pd.Series | Agent):
        given = [given]
    found = [as_agent(one) for one in given]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise AgentError(f"agent '{name}' is given twice; Agent(..., name=...) tells two apart")
    return found


def list_agents() -> pd.DataFrame:
    """List the agents that a spec can name: columns agent, options, description.

    >>> hsevo.list_agents().agent[:3].tolist()
    ['random', 'eva:2018', 'eva:group-1']
    """
    return pd.DataFrame([
        {"agent": name, "options": ", ".join(f"{key}={choices(option)}" for key, option in
                                             entry.options.items()), "description": entry.says}
        for name, entry in ROSTER.items()])


def _is_hash(source: str) -> bool:
    return source.count("#") == genome_of("eva").size - 1


def _spec(source: str | Path) -> str:
    """Return the spec of a source: a path becomes eva:PATH."""
    word = str(source)
    is_path = isinstance(source, Path) or (word.partition("?")[0] not in ROSTER
                                           and ":" not in word and Path(word).exists())
    return f"eva:{word}" if is_path else word


def _vector(source: Any, genome: Genome) -> npt.NDArray[np.float64]:
    """Return weights (1, k) of a '#' string or of numbers by name. Raises AgentError."""
    if isinstance(source, str):
        return read_weights(source, genome)[1]
    if not isinstance(source, pd.Series | Mapping):
        raise AgentError(f"an agent is a spec, a path, a '#' string or weights by name, not"
                         f" {type(source).__name__}")
    given, names = dict(source), genome.names
    unknown = [str(name) for name in given if name not in names]
    missing = [name for name in names if name not in given]
    if unknown:
        raise AgentError(f"unknown weight '{unknown[0]}'{did_you_mean(unknown[0], names)}")
    if missing:
        raise AgentError(f"the weights lack {', '.join(missing)}")
    return _checked(given, genome)


def _checked(given: Mapping[str, Any], genome: Genome) -> npt.NDArray[np.float64]:
    found = np.array([[float(given[name]) for name in genome.names]])
    within = (found >= genome.low) & (found <= genome.high)
    if not within.all():
        i = int(np.argmin(within))
        name, low, high = genome.names[i], genome.low[i], genome.high[i]
        raise AgentError(f"{name} is {given[name]!r}, but must be a number from {low:g} to"
                         f" {high:g}")
    return found
