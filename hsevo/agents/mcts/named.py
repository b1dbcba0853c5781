"""Tree searches by their options, and heuristics by name: agents whose weights score positions.

    heuristic=santos    heuristic=gsv    heuristic=dl:miller    tree=santos:runs/ga
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from hsevo.agents.genomes.genome import Agents, Vectors
from hsevo.agents.mcts.tree import (
    BIAS,
    BY_EVA,
    BY_GSV,
    BY_HEARTHSIM,
    EVA_MOVES,
    FIELDS,
    GAIN,
    MILLISECONDS,
    N_WEIGHTS,
    OPPONENT,
    OWN,
    ROOM,
    RULES,
    C,
)
from hsevo.agents.shared.agent import MCTS, agent
from hsevo.agents.shared.scores import LINEAR, METASTONE, METASTONE_WEIGHTS, SANTOS, TYCHE
from hsevo.engine.intrinsics import HAS_CLOCK
from hsevo.errors import AgentError, quoted

# Kinds of agents whose weights score, and short names of two of them.
SCORES = {"greedy:metastone": METASTONE, "greedy:santos": SANTOS, "tyche:onestep": TYCHE,
          "tyche:mc": TYCHE, "dl": LINEAR, "gsv": BY_GSV, "hearthsim": BY_HEARTHSIM,
          "eva": BY_EVA, "eva:turn": BY_EVA, "eva:reply": BY_EVA}
SHORT = {"metastone": "greedy:metastone", "santos": "greedy:santos"}


class Heuristic(NamedTuple):
    """A heuristic H: a score of states (BY_EVA: of moves), and its weights (n,)."""

    score: int = METASTONE
    weights: tuple[float, ...] = METASTONE_WEIGHTS


BY_METASTONE = Heuristic()


class Scorer(NamedTuple):
    """An option that names an agent by whose weights positions are scored; first its default."""

    default: str
    heuristic: Heuristic | None  # that it names


def full_name(spec: str) -> str:
    """Return the whole spec of an agent that scores: "greedy:santos:runs/ga" of "santos:runs/ga".
    """
    short = next((name for name in SHORT if re.match(rf"{name}($|[:?])", spec)), None)
    return spec if short is None else SHORT[short] + spec.removeprefix(short)


def heuristic_of(spec: str, kind: str | None, weights: Vectors | None) -> Heuristic:
    """Return the heuristic of an agent of a kind, by its weights (k,). Raises AgentError."""
    if kind not in SCORES or weights is None:
        raise AgentError(f"{quoted(spec)} is not a heuristic, because its weights do not score"
                         f" positions; use one of {', '.join(SCORES)}")
    return Heuristic(SCORES[kind], tuple(weights.tolist()))


class NamedSearch(NamedTuple):
    """The numbers and heuristics of a tree search."""

    iterations: int  # per decision
    rollouts: int  # per iteration
    own: int = 0  # k in %, or EVA_MOVES with EVA as `heuristic`
    opponent: int = 0
    c: float = 1.0
    bias: float = 0.0  # the factor of H
    heuristic: Heuristic = BY_METASTONE
    tree: Heuristic | None = None  # that of the tree, if it is another
    depth: int = 0  # of the tree; 0: no limit
    seconds: float = 0.0  # of a turn; 0: no limit


def mcts(search: NamedSearch, **rules: int) -> Agents:
    """Return a tree search, AGENT (1,).

    rules: of FIELDS. Raises AgentError for heuristics that an agent can't hold, or that don't fit.
    """
    heuristic, tree = search.heuristic, search.tree or search.heuristic
    same = tree == heuristic
    weights = [*heuristic.weights, *(() if same else tree.weights)]
    if len(weights) > ROOM:
        raise AgentError(f"heuristic and tree have {len(weights)} weights together, but a tree"
                         f" search can have at most {ROOM}; choose an agent with fewer weights, or"
                         " the same agent for both")
    if tree.score == BY_EVA and rules.get("form", GAIN) != GAIN:
        raise AgentError("EVA scores moves and not states, so its bias can only be the gain; remove"
                         " bias")
    if search.seconds and not HAS_CLOCK:
        raise AgentError("this system has no clock for compiled code; remove seconds")
    if rules.get("evolving") and search.rollouts < 2:
        raise AgentError("evolving weights need at least two roll-outs; set rollouts to 2 or more")
    at = 0 if same else len(heuristic.weights)
    packed = pack(**rules, tree_score=tree.score, tree_at=at)
    w = np.zeros(BIAS + 1)
    w[:len(weights)], w[C], w[BIAS] = weights, search.c, search.bias
    return agent(MCTS, (heuristic.score, search.iterations, search.rollouts, search.own,
                        search.opponent, packed, search.depth, round(1000 * search.seconds)), w)


def pack(**values: int) -> int:
    """Return values of FIELDS as one integer; those not given are 0."""
    return sum(value << FIELDS[name][0] for name, value in values.items())


def unpacked(rules: int) -> dict[str, int]:
    """Return the values of FIELDS that an integer holds."""
    return {name: rules >> first & (1 << bits) - 1 for name, (first, bits, _) in FIELDS.items()}


# Limits of AGENT.budget, (8,); RULES has limits for each of its parts.
LEAST = np.array([0, 1, 1, EVA_MOVES, EVA_MOVES, 0, 0, 0])
MOST = np.array([BY_EVA, 4000, 1000, 100, 100, (1 << 21) - 1, 1000, 3_600_000])


def fits(search: np.void) -> bool:
    """Return whether RULES of an agent, and its heuristics, are those of a search."""
    score, rules = int(search["budget"][0]), int(search["budget"][RULES])
    if not 0 <= score <= BY_EVA or not 0 <= rules <= MOST[RULES]:
        return False
    fields = unpacked(rules)
    inside = all(fields[name] <= high for name, (_, _, high) in FIELDS.items())
    if not inside or fields["tree_at"] + N_WEIGHTS[fields["tree_score"]] > ROOM:
        return False
    return bool(search["budget"][[OWN, OPPONENT]].min() >= 0 or score == BY_EVA)


def is_timed(agents: Agents) -> bool:
    """Return whether any of some agents, AGENT (...), stops by the clock: no game plays again."""
    return bool(((agents["kind"] == MCTS) & (agents["budget"][..., MILLISECONDS] > 0)).any())
