"""Pairs of a deck and its pilot, the hall of fame of the best of them, and their games.

    HallOfFame.draw(number, n, use) -> the newest pair, and others that the seed draws
    play_pairs(executor, plan, own, theirs, games, key) --> book.RESULT (n, m)
    ReferencePairs(plan, field).play(executor, pairs, games, key) --> book.RESULT (n, k)

Each of n candidates is in m pairs, and the m opponents are the same for all: the seed of a match
depends on its place among the m alone, so all candidates play the same deals, from either seat.
References are fixed decks; games against them choose nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

import numpy as np
import pandas as pd

from hsevo.cards.decks import Deck, read_deck, refuse_foreign
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.book import Rates
from hsevo.deckbuilding.field import Field, FieldGames, summed
from hsevo.errors import ConfigError
from hsevo.play import match, tournament
from hsevo.play.participants import agent_data, agent_of, deck_data
from hsevo.play.specs import split_deck
from hsevo.play.workers import Executor, OnGames
from hsevo.runs import checks
from hsevo.seeds import Stream, derive
from hsevo.strength.roster import read_agent
from hsevo.types import Array

# The purposes of a generation's random numbers: a part of their keys.
OPPONENTS, PARTNERS, LEAVES, DECK_GAMES, WEIGHT_GAMES, REFERENCE_GAMES = range(6)
FIRST = -1  # in place of a generation: a first pair, or no pair


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
        raise ConfigError(f"hall.first: two pairs are called '{twice}'; rename one of the decks")
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
        names = [champion.name for champion in self.champions]
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


def play_pairs(executor: Executor, plan: Plan, own: Sequence[Sequence[Pair]],
               theirs: Sequence[Pair], games: int, key: Sequence[int],
               on_games: OnGames = lambda games: None) -> Array:
    """Play n candidates, each in m pairs, against m pairs; return book.RESULT (n, m).

    games: of each meeting, even. key: of the seeds. Raises GameError, WorkersError.
    """
    agents, decks = _Numbers(), _Numbers()
    (a, deck_a), (b, deck_b) = (_numbered(pairs, agents, decks) for pairs in (own, [theirs]))
    rows = match.pairings(a, b, deck_a, deck_b, derive(key, np.arange(len(theirs))), games // 2)
    both = match.pairs(rows).ravel()
    setting = match.Setting(plan.ruleset, tuple(decks.values), "fair", plan.max_turns)
    results = tournament.play(executor, both, np.concatenate(agents.values), setting, on_games)
    return summed(both, results).reshape(rows.shape)


def _numbered(pairs: Sequence[Sequence[Pair]], agents: _Numbers, decks: _Numbers
              ) -> tuple[list[list[int]], list[list[int]]]:
    """Return the numbers of the agents and of the decks of pairs, in their shape."""
    return ([[agents.of(pair.agent.tobytes(), pair.agent) for pair in row] for row in pairs],
            [[decks.of(pair.deck, pair.deck) for pair in row] for row in pairs])


class _Numbers:
    """Different values in the order in which they came, by their keys."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._known: dict[bytes | Deck, int] = {}

    def of(self, key: bytes | Deck, value: Any) -> int:
        """Return the number of a value, new or known."""
        if key not in self._known:
            self._known[key] = len(self.values)
            self.values.append(value)
        return self._known[key]


@dataclass(frozen=True)
class ReferencePairs:
    """The reference decks, each with the agent that plays it."""

    plan: Plan
    field: Field

    def play(self, executor: Executor, pairs: Sequence[Pair], games: int, key: Sequence[int],
             on_games: OnGames = lambda games: None) -> Array:
        """Play n pairs against the k decks, all with common seeds; return book.RESULT (n, k)."""
        results = []
        for pair in pairs:
            own = replace(self.field, agents={**self.field.agents, pair.name: pair.agent})
            arena = FieldGames(self.plan.search, own, [pair.name])
            results.append(arena.play(executor, [pair.deck], games, key, on_games))
        return np.concatenate(results)

    def rates(self, results: Array) -> Rates:
        """Return results (n, k) as rates, by the shares of the decks."""
        return Rates(results, self.field.weights(1), len(self.field.decks))

    def table(self, pairs: Sequence[Pair], results: Array) -> pd.DataFrame:
        """Return results (n, k) as lines of references.csv."""
        rows = [*zip(self.field.decks, self.field.played_by, strict=True)]
        return meetings(pairs, [deck.name for deck, _ in rows] * len(pairs),
                        [agent for _, agent in rows] * len(pairs), results)


def meetings(pairs: Sequence[Pair], opponents: Sequence[str], agents: Sequence[str],
             results: Array) -> pd.DataFrame:
    """Return results (n, k) of pairs (n,) against decks and their agents, (n k,), as lines."""
    flat = results.ravel()
    each = [pair for pair in pairs for _ in range(results.shape[1])]
    return pd.DataFrame({
        "deck": [pair.deck.name for pair in each], "pilot": [pair.pilot for pair in each],
        "opponent": list(opponents), "agent": list(agents), "games": flat["games"],
        "wins": flat["wins"], "draws": flat["draws"],
        "losses": flat["games"] - flat["wins"] - flat["draws"], "turns": flat["turns"],
        "margin": flat["margin"]})
