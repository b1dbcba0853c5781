"""Decks against a field on common seeds, pair by pair: what a changed deck scores less the old one.

    Trials(field, pilot, ...).scores(executor, decks, pairs, stage) --> (n, len(pairs)), 0 to 1

Pair k meets deck k mod m of the field: two games with one seed, once from either seat. All decks
play the same pairs; lists that differ in one place draw the same other cards until it matters. So
most of the luck cancels out of a difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hsevo.agents.genomes.decks import joined
from hsevo.cards.decks import Deck, read_deck
from hsevo.errors import ConfigError
from hsevo.play import match, tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import Stream, derive
from hsevo.strength.own_decks import split_deck
from hsevo.strength.roster import read_agent
from hsevo.types import Array

TOGETHER = 256  # decks of a setting, which travels to the workers with every job


@dataclass(frozen=True)
class Trials:
    """A field of m decks, who plays them, and the pilot: agents AGENT (1 + m,), the pilot first."""

    decks: tuple[Deck, ...]
    agents: Array
    ruleset: str = "cig2018"
    max_turns: int = 89
    seed: int = 1

    @classmethod
    def of(cls, against: Sequence[str], pilot: str, ruleset: str, max_turns: int,
           seed: int) -> Trials:
        """Read a field of decks, DECK or AGENT@DECK. Raises AgentError, DeckError, ConfigError."""
        if not against:
            raise ConfigError("the field has no deck; name one at least")
        split = [split_deck(one) for one in against]
        decks = tuple(read_deck(deck or one) for one, deck in split)
        specs = [pilot, *(one if deck else pilot for one, deck in split)]
        return cls(decks, joined([read_agent(spec, None) for spec in specs], 0), ruleset,
                   max_turns, seed)

    def seeds(self, pairs: Array, stage: int) -> Array:
        """Return the seeds of pairs by number. stage: what they are played for."""
        return derive((self.seed, 3, Stream.ARENA, stage), pairs)

    def scores(self, executor: Executor, decks: Sequence[Deck], pairs: Array, stage: int,
               on_games: OnGames = lambda games: None) -> Array:
        """Play decks (n,) in pairs, (k,) for all or (n, k); return their scores (n, k)."""
        each = np.broadcast_to(pairs, (len(decks), np.shape(pairs)[-1]))
        own = np.broadcast_to(np.arange(len(decks))[:, None], each.shape)
        return self.scores_of(executor, decks, own, each, stage, on_games)

    def scores_of(self, executor: Executor, decks: Sequence[Deck], own: Array, pairs: Array,
                  stage: int, on_games: OnGames = lambda games: None) -> Array:
        """Return the scores (...) of pairs (...), each played by the deck of number own (...)."""
        found, flat = np.zeros(own.size), own.ravel()
        for at in range(0, len(decks), TOGETHER):
            here = np.flatnonzero((flat >= at) & (flat < at + TOGETHER))
            if len(here):
                rows = self.pairings(flat[here] - at, pairs.ravel()[here], stage)
                results = tournament.play(executor, rows.ravel(), self.agents,
                                          self.setting(decks[at:at + TOGETHER]), on_games)
                found[here] = pair_scores(results.reshape(rows.shape))
        return found.reshape(own.shape)

    def setting(self, decks: Sequence[Deck]) -> match.Setting:
        """Return the rules of games of some decks, which have the numbers after the field's."""
        return match.Setting(self.ruleset, (*self.decks, *decks), "fair",
                             self.max_turns)

    def pairings(self, own: Array, pairs: Array, stage: int) -> Array:
        """Return match.PAIRING (k, 2) of decks (k,): each pair from seat 0, then from seat 1."""
        met = pairs % len(self.decks)
        return match.pairs(match.pairings(0, 1 + met, own + len(self.decks), met,
                                          self.seeds(pairs, stage)))


def pair_scores(results: Array) -> Array:
    """Return the scores (...) of pairs of games, match.RESULT (..., 2), 0 to 1, of the first deck.
    """
    won = results["wins_a"][..., 0] + results["wins_b"][..., 1]
    return np.asarray((2 * won + results["draws"].sum(axis=-1)) / 4)


def counts_of(scores: Array) -> Array:
    """Return how many pairs have 0, 1/2 ... 2 points, (5,), of scores (k,)."""
    return np.bincount(np.rint(4 * scores).astype(np.int64).ravel(), minlength=5)
