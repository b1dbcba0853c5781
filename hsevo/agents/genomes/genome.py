"""Genomes: the weights of an agent that evolution can change.

    vectors float64 (n, k)  --genome.build()-->  agents AGENT (n,)

Code that evolves, stores, reads, plots or examines weights takes their names, bounds and meaning
from here and does not depend on the kind of agent. Vectors are in the agent's own units; sigmas and
other step sizes are in units of `scale`, which makes the weights of a genome comparable.

This file has the genomes of all agents except EVA (weights.py). Bounds are either [0, high] or
[-high, high], so they include 0, which switches a term off; `high` is the next power of two above
about twice the largest published weight of its type, or as explained in a comment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.agents.shared import agent as agents
from hsevo.agents.shared import secrets as guesses

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
        keys = [f"{deck}.{opponent}." if opponent else f"{deck}."
                for deck in own for opponent in others]

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


Gene: TypeAlias = tuple[str, float, float, str]  # name, lowest, highest, what it multiplies

# scores.LINEAR. Heimbrodt's weights go up to 88.5; only the ratios of weights matter.
LINEAR: list[Gene] = [
    ("OWN_HP", -128, 128, "health of the agent's hero"),
    ("ENEMY_HP", -128, 128, "health of the enemy hero"),
    ("OWN_MINIONS", -128, 128, "number of the agent's minions"),
    ("ENEMY_MINIONS", -128, 128, "number of enemy minions"),
    ("OWN_HEALTH", -128, 128, "total health of the agent's minions"),
    ("OWN_ATTACK", -128, 128, "total attack of the agent's minions"),
    ("ENEMY_HEALTH", -128, 128, "total health of the enemy minions"),
    ("ENEMY_ATTACK", -128, 128, "total attack of the enemy minions"),
    ("ARMOUR", 0, 1, "share of the armour that counts as health"),
]

# eva/equations.py, after EVA's. EVA's own go up to 1 a point of health; a card may be worth
# several points.
FURTHER: list[Gene] = [
    ("HAND", -4, 4, "cards in hand"),
    ("DECK", -4, 4, "cards left to draw, minus fatigue"),
    ("CRYSTALS", -4, 4, "mana crystals"),
    ("WEAPON", -4, 4, "attack times durability of the weapon"),
    ("OVERLOAD", -4, 4, "overloaded crystals"),
    ("SPELL", -4, 4, "Spell Damage"),
    ("CLEAR", -16, 16, "1 if the other side has no minions"),
    ("SAFE", -16, 16, "1 if the hero survives all damage that the other side's board can deal"),
    ("POWER", -4, 4, "1 if the hero power was used this turn"),
    ("FROZEN", -4, 4, "frozen characters"),
    ("LOW", -4, 4, "health and armour up to 15, in addition to HHR"),
]

# gsv.WEIGHTS in their order. Threats go to -43, points and cards to 3.6, keywords to 15.71.
GSV: list[Gene] = [
    ("RED", -128, 128, "the agent's hero can die next turn"),
    ("YELLOW", -128, 128, "the agent's hero is threatened, but not RED"),
    ("OWN_HP", -8, 8, "health and armour of the agent's hero"),
    ("ENEMY_HP", -8, 8, "health and armour of the enemy hero"),
    ("OWN_CARDS", -8, 8, "cards in the agent's hand"),
    ("ENEMY_CARDS", -8, 8, "cards in the enemy's hand"),
    ("MINION", -8, 8, "a minion"),
    ("ATTACK", -8, 8, "attack of a minion"),
    ("HEALTH", -8, 8, "health of a minion"),
    ("TAUNT_RED", -32, 32, "a minion with Taunt while RED"),
    ("TAUNT_YELLOW", -32, 32, "a minion with Taunt while YELLOW"),
    ("TAUNT", -32, 32, "a minion with Taunt otherwise"),
    ("WINDFURY", -32, 32, "a minion with Windfury"),
    ("SHIELD", -32, 32, "a minion with Divine Shield"),
    ("SPELL_DAMAGE", -32, 32, "a point of a minion's Spell Damage"),
    ("STEALTH", -32, 32, "a minion with Stealth"),
    ("ELUSIVE", -32, 32, "a minion that spells can't target"),
    ("REMOVAL", -32, 32, "hard removal in the agent's hand"),
]

# hearthsim.WEIGHTS. Attack and health are 1 each; those of hero and cards, 0.1, are our choice.
HEARTHSIM: list[Gene] = [
    ("ATTACK", -2, 2, "attack of a minion"),
    ("HEALTH", -2, 2, "health of a minion"),
    ("SHIELD", -16, 16, "Divine Shield, times the minion's attack + health"),  # as ?w_ds
    ("HERO", -2, 2, "a point of a hero's health or armour"),
    ("CARD", -2, 2, "a card in the agent's hand"),
]

# scores.METASTONE in its order.
METASTONE: list[Gene] = [
    ("HERO", -8, 8, "health and armour of a hero"),
    ("CARDS", -8, 8, "cards in hand"),
    ("MINIONS", -8, 8, "number of minions"),
    ("ATTACK", -8, 8, "attack of a minion"),
    ("HEALTH", -8, 8, "health of a minion"),
    ("TAUNT", -8, 8, "a minion with Taunt"),
    ("WINDFURY", -4, 4, "Windfury, times the minion's attack"),
    ("SHIELD", -4, 4, "Divine Shield, times the minion's attack + health"),
    ("SPELL_DAMAGE", -8, 8, "a point of a minion's Spell Damage"),
    ("STEALTH", -8, 8, "a minion with Stealth"),
    ("ENRAGED", -8, 8, "a damaged minion with an Enrage effect"),
    ("ELUSIVE", -4, 4, "can't be targeted by spells, times the minion's attack + health"),
]

# scores.SANTOS in its order. The thesis gives no bounds; its advantages are worth having.
SANTOS: list[Gene] = [
    ("MA", 0, 16, "number of minions"),
    ("TMA", 0, 16, "number of minions with more than 4 health"),
    ("HA", 0, 16, "cards in hand"),
    ("TRA", 0, 16, "attack and health of the minions and the hero"),
    ("BM", 0, 16, "mana cost of the minions"),
]

# scores.TYCHE. Terms that hurt a player are negative already.
TYCHE: list[Gene] = [
    ("HP", 0, 8, "twice the square root of the hero's health and armour"),
    ("DECK", 0, 8, "the square root of the cards left to draw, minus fatigue"),
    ("HAND", 0, 8, "cards in hand; the first three count more"),
    ("MINIONS", 0, 8, "minions, with MetaStone's score"),
    ("EMPTY", 0, 8, "an enemy board without minions, by the agent's mana crystals"),
    ("GEAR", 0, 8, "secrets and the weapon"),
]

# mcts/uct.py. c = 1 is Auer's; with up to 4,000 victories per roll-out, more may be better (5.2).
_EXPLORE: Gene = ("C", 0, 16, "exploration: the factor of UCB1's second term")
MCTS: list[Gene] = [_EXPLORE]
MCTS_KNOWLEDGE: list[Gene] = [
    _EXPLORE,
    ("BIAS", 0, 16, "factor of the progressive bias"),
    ("OWN", 0, 100, "integer percentage of the agent's actions of which a roll-out takes the best"),
    ("OPPONENT", 0, 100, "the same percentage of the opponent's actions"),
]


def plain(chooser: int, *budget: int) -> Callable[..., Agents]:
    """Return a function that builds agents; their budget is `budget`, then the options in order."""
    def make(weights: Vectors, **options: int) -> Agents:
        records = np.repeat(agents.agent(chooser, (*budget, *options.values())), len(weights))
        records["w"][:, :weights.shape[1]] = weights
        return records

    return make


def guessing(make: Callable[..., Agents]) -> Callable[..., Agents]:
    """Return `make` with an option more: how agents take the opponent's secrets."""
    def guess(weights: Vectors, secrets: int = 0, **options: int) -> Agents:
        records = make(weights, **options)
        records["budget"][:, guesses.SECRETS] = secrets
        return records

    return guess
