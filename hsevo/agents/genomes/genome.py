"""Genomes: the weights of an agent that evolution can change.

    vectors float64 (n, k)  --genome.build()-->  agents AGENT (n,)

Code that evolves, stores, reads, plots or examines weights takes their names, bounds and meaning
from here and does not depend on the kind of agent. Vectors are in the agent's own units; sigmas and
other step sizes are in units of `scale`, which makes the weights of a genome comparable.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Vectors: TypeAlias = npt.NDArray[np.float64]
Agents: TypeAlias = npt.NDArray[np.void]


@dataclass(frozen=True)
class Genome:
    """The k weights of a kind of agent, and how to build agents from them.

    scale: (k,), the unit of step sizes of each weight, about the width of its bounds. Powers of
    two, so dividing and multiplying vectors by it is exact.
    """

    names: tuple[str, ...]  # (k,), all different: columns of tables, keys of files
    low: Vectors  # (k,)
    high: Vectors  # (k,)
    default: Vectors  # (k,), within the bounds
    scale: Vectors  # (k,)
    build: Callable[[Vectors], Agents] = field(repr=False)  # vectors (n, k) -> AGENT (n,)
    glossary: Mapping[str, str] = field(repr=False)  # name -> what the weight multiplies
    # Weights that are plotted together: name of the group -> what it scores, and the weights.
    parts: Mapping[str, tuple[str, tuple[str, ...]]] = field(repr=False)
    order: tuple[str, ...] = ()  # of the names in a '#' string; (): there is no such format
    whole: Genome | None = field(default=None, repr=False)  # of which this is a part

    @property
    def size(self) -> int:
        """The number of weights, k."""
        return len(self.names)

    @property
    def unit(self) -> bool:
        """Whether all bounds are 0 and 1."""
        return bool((self.low == 0).all() and (self.high == 1).all())

    @property
    def range_text(self) -> str:
        """The bounds as text: "from 0 to 1", if all are the same."""
        if len(set(zip(self.low, self.high, strict=True))) == 1:
            return f"from {self.low[0]:g} to {self.high[0]:g}"
        return "each within its own bounds"

    def at(self, share: float) -> Vectors:
        """Return the vector at a fraction of the way from low to high, (k,)."""
        there: Vectors = self.low + share * (self.high - self.low)
        return there

    def shares(self, vectors: Vectors) -> Vectors:
        """Return vectors (..., k) rescaled to 0 at low and 1 at high."""
        within: Vectors = (vectors - self.low) / (self.high - self.low)
        return within

    def part(self, names: Sequence[str], base: Vectors) -> Genome:
        """Return the genome of some of the weights; the others stay as in `base`, (k,).

        Raises ValueError for a name that is not one of the weights.
        """
        at = [self.names.index(name) for name in names]

        def build(vectors: Vectors) -> Agents:
            return self.build(_filled(base, at, vectors))

        parts = {key: (says, tuple(name for name in group if name in names))
                 for key, (says, group) in self.parts.items()}
        return replace(
            self, names=tuple(names), low=_fixed(self.low[at]), high=_fixed(self.high[at]),
            default=_fixed(base[at]), scale=_fixed(self.scale[at]), build=build,
            glossary={name: self.glossary[name] for name in names},
            parts={key: part for key, part in parts.items() if part[1]}, order=(),
            whole=replace(self, default=_fixed(base)))

    def each(self, own: Sequence[str], decks: Sequence[str], pairs: bool) -> Genome:
        """Return the genome of these weights for each of its decks, or of its pairs of decks.

        own: the decks that the agent plays, the first of all d decks. Its weights are called
        DECK.NAME, or DECK.OTHER.NAME against deck OTHER; it builds agents AGENT (n, d, d), see
        agents/genomes/decks.py.
        """
        others = list(decks) if pairs else [""]
        keys = [f"{one}.{other}." if other else f"{one}." for one in own for other in others]

        def build(vectors: Vectors) -> Agents:
            plain = self.build(np.reshape(vectors, (-1, self.size)))
            agents = np.zeros((len(vectors), len(decks), len(decks)), plain.dtype)
            agents[:, :len(own)] = plain.reshape(len(vectors), len(own), len(others))
            return agents

        def many(numbers: Vectors) -> Vectors:
            return _fixed(np.tile(numbers, len(keys)))

        return replace(
            self, names=tuple(key + name for key in keys for name in self.names),
            low=many(self.low), high=many(self.high), default=many(self.default),
            scale=many(self.scale), build=build, order=(),
            glossary={key + name: says for key in keys for name, says in self.glossary.items()},
            parts={key + part: (says, tuple(key + name for name in group))
                   for key in keys for part, (says, group) in self.parts.items()},
            whole=self.whole and self.whole.each(own, decks, pairs))

    def complete(self, vectors: Vectors) -> Vectors:
        """Return vectors (n, k) with the weights that do not evolve: those of `whole`."""
        if self.whole is None:
            return vectors
        at = [self.whole.names.index(name) for name in self.names]
        return _filled(self.whole.default, at, vectors)

    def digest(self) -> str:
        """Return 16 hex digits that change with names, bounds, scale, and how agents are built.

        A resumed evolution must have the genome it began with. To detect a change of `build`, the
        digest includes agents built from the default, the bounds, and two irrational points between
        them.
        """
        digest = hashlib.sha256("\n".join(self.names).encode())
        for numbers in (self.low, self.high, self.scale):
            digest.update(np.asarray(numbers, np.float64).tobytes())
        shares = np.array([0.0, 1.0, np.sqrt(2) - 1, (np.sqrt(5) - 1) / 2])[:, None]
        points = self.low + shares * (np.asarray(self.high) - self.low)
        digest.update(self.build(np.vstack([self.default, points])).tobytes())
        return digest.hexdigest()[:16]


def genome(genes: Sequence[tuple[str, float, float, str]], default: Sequence[float],
           build: Callable[[Vectors], Agents],
           parts: Mapping[str, tuple[str, tuple[str, ...]]] | None = None,
           order: tuple[str, ...] = ()) -> Genome:
    """Return a genome of genes, each a name, its bounds, and what its weight multiplies.

    default: (k,). parts: by default, one with all weights. The scale is the smallest power of two
    not below the width of the bounds.
    """
    names = tuple(name for name, *_ in genes)
    low, high = (_fixed([gene[end] for gene in genes]) for end in (1, 2))
    scale = _fixed(2.0 ** np.ceil(np.log2(high - low)))
    return Genome(names, low, high, _fixed(default), scale, build,
                  {name: says for name, _, _, says in genes},
                  parts or {"position": ("a position", names)}, order)


def _filled(base: Vectors, at: Sequence[int], vectors: Vectors) -> Vectors:
    """Return copies of `base`, (n, k), with vectors (n, m) at m places."""
    full = np.repeat(base[None], len(vectors), axis=0)
    full[:, at] = vectors
    return full


def _fixed(numbers: Any) -> Vectors:
    """Return numbers as a read-only array."""
    array = np.array(numbers, np.float64)
    array.setflags(write=False)
    return array
