"""Pairs of a deck and its pilot, and the hall of fame of the best of them.

    Hall.draw(number, n, use) -> the newest pair, and others that the seed draws
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import numpy as np

from hsevo.cards.decks import Deck, read_deck, refuse_foreign
from hsevo.config.coevolution import Plan
from hsevo.errors import ConfigError
from hsevo.play.participants import agent_data, agent_of, deck_data
from hsevo.play.specs import split_deck
from hsevo.runs import checks
from hsevo.seeds import Stream, derive
from hsevo.strength.roster import read_agent
from hsevo.types import Array

# What a generation draws random numbers for: a part of their keys.
OPPONENTS, PARTNERS, LEAVES, DECK_GAMES, WEIGHT_GAMES, REFERENCE_GAMES = range(6)
FIRST = -1  # in place of a generation: a first pair, or nobody


@dataclass(frozen=True, eq=False)
class Pair:
    """A deck and the agent that plays it, AGENT (1,), called PILOT@DECK."""

    pilot: str
    deck: Deck
    agent: Array

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return f"{self.pilot}@{self.deck.name}"

    def data(self) -> dict[str, Any]:
        """Return it as data that json.dumps takes."""
        return {"pilot": self.pilot, "deck": deck_data(self.deck),
                "agent": agent_data(self.agent[0])}

    @classmethod
    def of(cls, data: Mapping[str, Any], ruleset: str) -> Pair:
        """Return the pair of `data`. Raises LookupError, TypeError or ValueError if damaged."""
        return cls(str(data["pilot"]), checks.deck(data["deck"], ruleset), agent_of(data["agent"]))


def read_first(plan: Plan) -> tuple[Pair, ...]:
    """Read the first pairs of a hall. Raises ConfigError, AgentError, DeckError."""
    pairs = []
    for spec in plan.hall.first:
        agent, deck = split_deck(spec)
        if deck is None:
            raise ConfigError(f"hall.first has '{spec}', but must have pairs AGENT@DECK, such as"
                              " eva:2018@mage")
        pairs.append(Pair(agent, read_deck(deck), read_agent(agent)))
    refuse_foreign([pair.deck for pair in pairs], plan.ruleset)
    names = [pair.name for pair in pairs]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"hall.first: two pairs are called '{twice}'; give their decks other"
                          " names")
    return tuple(pairs)


class HallOfFame:
    """A hall of fame: first pairs, which stay, and champions, at most so many, the newest last."""

    def __init__(self, plan: Plan, first: Sequence[Pair]) -> None:
        self.plan, self.pairs, self.first = plan, list(first), len(first)
        self.since = [FIRST] * len(first)  # the generation in which each entered

    @property
    def champions(self) -> list[Pair]:
        """Those that entered, the newest last."""
        return self.pairs[self.first:]

    def draw(self, number: int, n: int, use: int) -> list[Pair]:
        """Return n pairs for a generation: the newest, then others in an order of the seed.

        If there are fewer, they come again; their games have other seeds.
        """
        others = self.pairs[:-1]
        drawn = derive((self.plan.seed, Stream.COEVOLUTION, number, use), np.arange(len(others)))
        order = [self.pairs[-1], *(others[i] for i in np.argsort(drawn))]
        return [*islice(cycle(order), n)]

    def enter(self, pair: Pair, number: int) -> int:
        """Add a generation's champion; one that is there already becomes the newest.

        Returns the generation whose champion leaves for it, -1 if nobody does.
        """
        names = [one.name for one in self.champions]
        if pair.name in names:
            self._leave(self.first + names.index(pair.name))
        self.pairs.append(pair)
        self.since.append(number)
        old = len(self.champions) - 1
        if old < self.plan.hall.size:
            return FIRST
        drawn = derive((self.plan.seed, Stream.COEVOLUTION, number, LEAVES))[0] % np.uint64(old)
        return self._leave(self.first + int(drawn))

    def _leave(self, at: int) -> int:
        self.pairs.pop(at)
        return self.since.pop(at)
