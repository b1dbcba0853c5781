"""The roster: every agent by a short name, its spec.

    FAMILY[:VARIANT][?OPTION=N&OPTION=N]       random    eva:2018    hearthsim?w_ds=0.5

`eva:` also takes a run folder (its best by the last generation's fitness, or `#ID` any individual)
and any file of weights (`#NAME` one of several).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.agents import agent as agents
from hsevo.agents import gsv, hearthsim, mcts, scores
from hsevo.agents.lookahead import HEIMBRODT, MILLER
from hsevo.agents.scratch import LEVELS
from hsevo.agents.weights import EVA_2018, GROUPS_2018, read_weights
from hsevo.errors import AgentError, did_you_mean, quoted
from hsevo.runs.folder import Run
from hsevo.strength.champions import all_individuals, last_population

Array: TypeAlias = npt.NDArray[Any]
# Default, lowest, highest; of whole numbers, or, if the default is a float, of any.
Range: TypeAlias = tuple[int, int, int] | tuple[float, float, float]
Names: TypeAlias = tuple[str, ...]  # the choices, the default first; an agent gets its place


@dataclass(frozen=True)
class Entry:
    """An agent of the roster: what it is, and how it is made from its options."""

    says: str  # what it does, whose it is
    make: Callable[..., Array]  # options by name -> AGENT (1,)
    options: Mapping[str, Range | Names] = field(default_factory=dict)


def _search(kind: int, w: Sequence[float], depth: int, nodes: int, samples: int = 0) -> Array:
    """Return an agent that searches its own turn."""
    return agents.agent(kind, (scores.LINEAR, depth, nodes, samples), w)


def _hearthsim(w_ds: float, **budget: int) -> Array:
    """Return HearthSim's agent with that weight of Divine Shield."""
    w = list(hearthsim.WEIGHTS)
    w[hearthsim.SHIELD] = w_ds
    return _search(agents.HEARTHSIM, w, LEVELS, **budget)


NODES = (1, 1_000_000_000)
_TREE: dict[str, Range | Names] = {
    "iterations": (60, 1, 4000),
    "rollouts": (20, 1, 1000),
    "final": ("max", "robust", "max-robust", "secure"),  # mcts.FINALS
    "reuse": ("yes", "no"),
}

ROSTER: dict[str, Entry] = {
    "random": Entry("a uniformly random legal move", lambda: agents.agent(agents.RANDOM)),
    "eva:2018": Entry("EVA with the weights that came second in CIG2018",
                      lambda: agents.eva(EVA_2018[None])),
    **{f"eva:{name}": Entry(f"EVA, the centre of {name} of the paper's 100 solutions",
                            partial(agents.eva, centre[None]))
       for name, centre in GROUPS_2018.items()},
    "noaggression": Entry("plays random cards or ends the turn, never attacks (MetaStone)",
                          lambda: agents.agent(agents.NO_AGGRESSION)),
    "greedy:metastone": Entry(
        "greedy, one action deep, by the score of MetaStone's greedy player",
        lambda: agents.agent(agents.ONE_STEP, (scores.METASTONE, 4))),
    "greedy:santos": Entry(
        "greedy, one action deep, by heuristic 1 of Santos' thesis (2017)",
        lambda: agents.agent(agents.ONE_STEP, (scores.SANTOS,))),
    "tyche:onestep": Entry(
        "greedy, one action deep, by a score after Tyche's (Bornemann, CIG2018)",
        lambda: agents.agent(agents.ONE_STEP, (scores.TYCHE,), scores.TYCHE_WEIGHTS)),
    "tyche:mc": Entry(
        "random rest of the turn, by a score after Tyche's (Bornemann, CIG2018 and 2019)",
        lambda episodes: agents.agent(agents.TYCHE, (scores.TYCHE, episodes),
                                      scores.TYCHE_WEIGHTS),
        {"episodes": (200, 1, 1_000_000)}),
    "dl:heimbrodt": Entry(
        "searches 1 to 3 own actions deep, a linear score; won in 2019 (Heimbrodt)",
        lambda **budget: _search(agents.LOOKAHEAD, HEIMBRODT, **budget),
        {"depth": (0, 0, LEVELS), "nodes": (100_000, *NODES)}),
    "dl:miller": Entry(
        "the same search with other weights; won in 2020 (Miller)",
        lambda **budget: _search(agents.LOOKAHEAD, MILLER, **budget),
        {"depth": (0, 0, LEVELS), "nodes": (100_000, *NODES)}),
    "gsv": Entry(
        "searches 3 own actions deep, a score by threat (MetaStone's game state value)",
        lambda **budget: _search(agents.GSV, gsv.WEIGHTS, **budget),
        {"depth": (3, 1, LEVELS), "nodes": (100_000, *NODES)}),
    "hearthsim": Entry(
        "searches the whole own turn up to random outcomes (HearthSim, 2014)",
        _hearthsim,
        {"nodes": (1_000, *NODES), "samples": (4, 1, 1_000),
         "w_ds": (hearthsim.WEIGHTS[hearthsim.SHIELD], -10.0, 10.0)}),
    "mcts:vanilla": Entry("Monte Carlo tree search, with random roll-outs", mcts.mcts, _TREE),
    "mcts:knowledge": Entry(
        "Monte Carlo tree search guided by a heuristic (Santos 2017)",
        partial(mcts.mcts, bias=1.0),
        _TREE | {"own": (75, 0, 100), "opponent": (50, 0, 100),
                   "heuristic": ("metastone", "santos")}),  # mcts.HEURISTICS
    "mcts:alvaro": Entry(
        "UCB1 over the legal actions, with roll-outs of EVA against itself (AlvaroAgent, 2019)",
        partial(mcts.mcts, eva=EVA_2018, c=mcts.ALVARO_C, depth=1, reuse=mcts.ANEW, rollouts=1,
                own=mcts.EVA_MOVES, opponent=mcts.EVA_MOVES),
        {"iterations": (200, 1, 4000)}),
}


def read_agents(specs: Sequence[str]) -> tuple[tuple[str, ...], Array]:
    """Return the specs (n) as names, all different, and the agents, AGENT (n,).

    Raises AgentError for a spec that names nobody, and for one given twice.
    """
    twice = [spec for spec in specs if specs.count(spec) > 1]
    if twice:
        raise AgentError(f"agent '{twice[0]}' is given twice")
    return tuple(specs), np.concatenate([read_agent(spec) for spec in specs])


def read_agent(spec: str) -> Array:
    """Return the agent that a spec names, AGENT (1,). Raises AgentError."""
    name, _, query = spec.partition("?")
    if name.startswith("eva:") and name not in ROSTER:
        return _eva(spec)
    if name not in ROSTER:
        raise AgentError(f"unknown agent '{name}'{did_you_mean(name, ROSTER)}; there are"
                         f" {', '.join(ROSTER)}, eva:RUN and eva:FILE#NAME")
    entry = ROSTER[name]
    given = dict(_option(part, entry, name) for part in query.split("&") if part)
    defaults = {key: 0 if isinstance(range_[0], str) else range_[0]
                for key, range_ in entry.options.items()}
    return entry.make(**defaults | given)


def choices(option: Range | Names) -> str:
    """Say what an option can be, its default first: "60 (from 1 to 4,000)", "max|robust".

    A range of any numbers is told by its decimal point: "1.0 (from -10.0 to 10.0)".
    """
    if isinstance(option[0], str):
        return "|".join(map(str, option))
    default, low, high = option
    return f"{default} (from {low:,} to {high:,})"


def _option(part: str, entry: Entry, name: str) -> tuple[str, float]:
    """Return an option and its number. Raises AgentError."""
    key, _, text = part.partition("=")
    if key not in entry.options:
        known = ", ".join(entry.options) or "none"
        raise AgentError(f"agent '{name}' has no option '{key}'{did_you_mean(key, entry.options)};"
                         f" it has {known}")
    range_ = entry.options[key]
    if isinstance(range_[0], str):
        if text not in range_:
            raise AgentError(f"{key} of agent '{name}' is {quoted(text)}, but must be one of"
                             f" {', '.join(range_)}")
        return key, range_.index(text)
    default, low, high = range_
    whole = isinstance(default, int)
    number = _number(text, whole)
    if number is None or not low <= number <= high:
        raise AgentError(f"{key} of agent '{name}' is {quoted(text)}, but must be a"
                         f" {'whole ' if whole else ''}number from {low} to {high}")
    return key, number


def _number(text: str, whole: bool) -> float | None:
    """Return a number in digits, with a sign and decimals if it need not be whole; or None."""
    if whole:
        return int(text) if text.isdecimal() and len(text) < 20 else None  # int() has a limit
    return float(text) if re.fullmatch(r"[+-]?\d+(\.\d+)?", text, re.ASCII) else None


def _eva(spec: str) -> Array:
    """Return the EVA agent of a run folder or a file of weights."""
    source, _, which = spec.removeprefix("eva:").partition("#")
    path = Path(source)
    if path.is_dir():
        names, weights, best = _of_run(path)
    elif path.exists():
        names, weights = read_weights(path)
        best = names[0] if len(names) == 1 else ""
    else:
        raise AgentError(f"'{spec}': there is no file or run folder {source}; EVA's own weights"
                         " are 'eva:2018'")
    found = next((name for name in (which or best, f"individual-{which}") if name in names), None)
    if found is None:
        held = ", ".join(names[:4]) + (f" ... ({len(names)} in all)" if len(names) > 4 else "")
        raise AgentError(f"'{spec}' must say which agent of {source} with '#NAME'"
                         f"{did_you_mean(which, names)}; it holds {held}")
    return agents.eva(weights[[names.index(found)]])


def _of_run(path: Path) -> tuple[tuple[str, ...], Array, str]:
    """Return everybody of a run, its last population first, and who won most in that."""
    run = Run.open(path)
    names, rows = last_population(run)
    everyone, weights = all_individuals(run)
    return (*names, *everyone), np.concatenate([rows["weights"], weights]), names[
        int(rows["fitness"].argmax())]
