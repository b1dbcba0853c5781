"""Genomes: the numbers that an agent weighs by, which an evolution may change.

    vectors float64 (n, k)  --genome.build()-->  agents AGENT (n,)

All that evolves, stores, reads, draws or examines numbers of agents takes their names, bounds and
meaning from here, and knows no kind of agent. A vector is in the agent's own units; sigmas, and
whatever else is a step, are in the unit `scale`, in which all numbers of a genome are alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Vectors: TypeAlias = npt.NDArray[np.float64]
Agents: TypeAlias = npt.NDArray[np.void]


@dataclass(frozen=True)
class Genome:
    """The k numbers of a kind of agent, and how they become an agent.

    scale: (k,), the unit of a step of each number, near the width of its bounds. Powers of two, so
    that vectors are divided by it, and multiplied again, without losing a bit.
    """

    names: tuple[str, ...]  # (k,), all different: columns of tables, keys of files
    low: Vectors  # (k,)
    high: Vectors  # (k,)
    default: Vectors  # (k,), within the bounds
    scale: Vectors  # (k,)
    build: Callable[[Vectors], Agents] = field(repr=False)  # vectors (n, k) -> AGENT (n,)
    glossary: Mapping[str, str] = field(repr=False)  # name -> what it weighs
    # Names that are drawn together: short name of the part -> what it scores, and the names.
    parts: Mapping[str, tuple[str, tuple[str, ...]]] = field(repr=False)
    order: tuple[str, ...] = ()  # of the names in a '#' string; (): there is no such format

    @property
    def size(self) -> int:
        """How many numbers there are, k."""
        return len(self.names)

    @property
    def unit(self) -> bool:
        """Whether every number runs from 0 to 1."""
        return bool((self.low == 0).all() and (self.high == 1).all())

    @property
    def range_text(self) -> str:
        """The bounds in words: "from 0 to 1", if all are the same."""
        if len(set(zip(self.low, self.high, strict=True))) == 1:
            return f"from {self.low[0]:g} to {self.high[0]:g}"
        return "each within bounds of its own"

    def at(self, share: float) -> Vectors:
        """Return the numbers at a share of the way from low to high, (k,)."""
        there: Vectors = self.low + share * (self.high - self.low)
        return there

    def shares(self, vectors: Vectors) -> Vectors:
        """Return where vectors (..., k) lie within the bounds, 0 at low to 1 at high."""
        within: Vectors = (vectors - self.low) / (self.high - self.low)
        return within

    def digest(self) -> str:
        """Return 16 hex digits that change with names, bounds, scale, and how agents are built.

        An evolution that goes on must have the genome it began with. How agents are built is seen
        from the default, the bounds, and two points between them that no rounding leaves as they
        are.
        """
        told = hashlib.sha256("\n".join(self.names).encode())
        for numbers in (self.low, self.high, self.scale):
            told.update(np.asarray(numbers, np.float64).tobytes())
        shares = np.array([0.0, 1.0, np.sqrt(2) - 1, (np.sqrt(5) - 1) / 2])[:, None]
        points = self.low + shares * (np.asarray(self.high) - self.low)
        told.update(self.build(np.vstack([self.default, points])).tobytes())
        return told.hexdigest()[:16]


def genome(genes: Sequence[tuple[str, float, float, str]], default: Sequence[float],
           build: Callable[[Vectors], Agents],
           parts: Mapping[str, tuple[str, tuple[str, ...]]] | None = None,
           order: tuple[str, ...] = ()) -> Genome:
    """Return a genome of genes, each a name, its lowest and highest number, and what it weighs.

    default: (k,). parts: by default, one of all. The scale is the least power of two that is as
    wide as the bounds.
    """
    names = tuple(name for name, *_ in genes)
    low, high = (_fixed([gene[end] for gene in genes]) for end in (1, 2))
    scale = _fixed(2.0 ** np.ceil(np.log2(high - low)))
    return Genome(names, low, high, _fixed(default), scale, build,
                  {name: says for name, _, _, says in genes},
                  parts or {"position": ("a position", names)}, order)


def _fixed(numbers: Any) -> Vectors:
    """Return numbers as an array that nobody changes."""
    array = np.array(numbers, np.float64)
    array.setflags(write=False)
    return array
