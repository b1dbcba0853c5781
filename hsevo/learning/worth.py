"""What decks are worth by themselves: the same pilot plays both sides, and only the decks differ.

    meeting = DeckMeeting.of(own, others, games)    pairs of decks, each class against each
    points = play(executor, [meeting], pilot, rules, seed)
    rates(meeting, points[0], ["Mage"])

A pair of games has the same two decks and the same seed, and the other deck begins. Decks that are
drawn are a sample: pairs that share one are not independent, and intervals count that as those of
matches on human lists do (strength/drawn.py). A deck that is fixed is no sample. Nor are classes:
what counts is how pairs of the same two classes differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hsevo.cards import deck_pool
from hsevo.cards.database import NEWEST, DeckDatabase
from hsevo.cards.decks import Deck
from hsevo.cards.terms import Class
from hsevo.errors import ConfigError
from hsevo.learning.acting.pool import CardPool
from hsevo.play import match
from hsevo.play.match import Setting
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import derive
from hsevo.strength import lineup, rating
from hsevo.strength.drawn import design_effect
from hsevo.strength.roster import contents
from hsevo.types import Array

# A stream after those of seeds.Stream, which is part of the engine's fingerprint: (seed, WORTH,
# what it is for).
WORTH = 2**32 + 25
GAMES, LISTS, RANDOM = range(3)  # what for
ALL = "all"  # in the place of a class


class DeckSide(NamedTuple):
    """Decks that meet others: some of each class, which its pairs take in turn.

    So each class counts once, however many decks it has.

    sampled: whether they are drawn, as a sample of many; else they are the decks that are meant.
    """

    decks: Sequence[Sequence[Deck]]
    sampled: bool


class DeckMeeting(NamedTuple):
    """Pairs of decks (m,), and the classes (m, 2) of either side by number."""

    own: DeckSide
    others: DeckSide
    first: list[Deck]
    second: list[Deck]
    classes: Array

    @classmethod
    def of(cls, own: DeckSide, others: DeckSide, games: int) -> DeckMeeting:
        """Return a meeting of at least so many games: each class of a side with each of the other.
        """
        a, b = len(own.decks), len(others.decks)
        rounds, i, j = (part.ravel() for part in np.indices((pairs(games, a, b), a, b)))
        return cls(own, others, _taken(own, i, rounds, rounds * b + j),
                   _taken(others, j, rounds, rounds * a + i), np.stack([i, j], axis=1))


def pairs(games: int, own: int, others: int) -> int:
    """Return how many pairs of games two classes play, if so many classes meet so many."""
    return ceil(games / (2 * own * others))


def _taken(side: DeckSide, cls: Array, rounds: Array, number: Array) -> list[Deck]:
    """Return the deck of a side in each pair: of a sample another one in each, by its number; else
    each class of the other side meets those of a class in turn, round by round.
    """
    turn = number if side.sampled else rounds
    return [side.decks[k][n % len(side.decks[k])] for k, n in zip(cls, turn, strict=True)]


def play(executor: Executor, meetings: Sequence[DeckMeeting], pilot: Array, rules: Setting,
         seed: int, on_games: OnGames) -> list[Array]:
    """Let a pilot, AGENT (1,), play both sides; return the points of each meeting, 0 to 4 (m,).

    They are twice those that a pair's first deck won, -1 for a pair with a game that the engine
    refused. rules: without decks. Raises ConfigError, GameError.
    """
    number: dict[Deck, int] = {}
    parts = []
    for meeting in meetings:
        own, theirs = ([number.setdefault(deck, len(number)) for deck in side]
                       for side in (meeting.first, meeting.second))
        seeds = derive((seed, WORTH, GAMES), np.arange(len(meeting.first)))
        parts.append(match.pairs(match.pairings(0, 0, own, theirs, seeds)).ravel())
    setting = replace(rules, decks=tuple(number))
    results = []
    for block in lineup.play(executor, np.concatenate(parts), pilot, setting):
        results.append(block.results)
        on_games(len(block.rows))
    whole = np.split(np.concatenate(results), np.cumsum([len(rows) for rows in parts])[:-1])
    return [_points(games) for games in whole]


def _points(results: Array) -> Array:
    won = results["wins_a"][::2] + results["wins_b"][1::2]
    points = 2 * won + results["draws"][::2] + results["draws"][1::2]
    return np.where(lineup.sound(results)[::2], points, -1).astype(np.int64)


def rates(meeting: DeckMeeting, points: Array, classes: Sequence[str]) -> pd.DataFrame:
    """Return what a meeting's own decks won, of all classes and of each.

    points: of `play`. classes: the names of its own side's. Columns class, games, decks and lists
    (different ones of its own and of the other side), rate (0 to 1, a draw is half a win) with the
    ends low and high of its 95 % interval.
    """
    own = meeting.classes[:, 0]
    rows = [(ALL, points >= 0), *((name, (points >= 0) & (own == k))
                                  for k, name in enumerate(classes))]
    return pd.DataFrame([{"class": name, **_rate(meeting, points, np.flatnonzero(mask))}
                         for name, mask in rows])


def _rate(meeting: DeckMeeting, points: Array, rows: Array) -> dict[str, Any]:
    """Return the rate of some pairs of a meeting."""
    decks: dict[Any, int] = {}
    first = _numbers(meeting.first, rows, meeting.own.sampled, decks)
    second = _numbers(meeting.second, rows, meeting.others.sampled, decks)
    scores = points[rows] / 4
    effect = 1.0
    if len(rows):
        _, cell = np.unique(meeting.classes[rows], axis=0, return_inverse=True)
        cell = cell.ravel()
        within = scores - (np.bincount(cell, scores) / np.bincount(cell))[cell]
        effect = design_effect(within, first, second)
    estimate = rating.rate(np.bincount(points[rows], minlength=5) / effect)
    return {"games": 2 * len(rows), "decks": len({contents(meeting.first[k]) for k in rows}),
            "lists": len({contents(meeting.second[k]) for k in rows}),
            "rate": estimate.value, "low": estimate.low, "high": estimate.high}


def _numbers(decks: Sequence[Deck], rows: Array, sampled: bool, known: dict[Any, int]) -> Array:
    """Return numbers of decks: the same for the same cards; of fixed ones, another for each pair.
    """
    return np.array([known.setdefault(
        contents(decks[k]) if sampled else len(known), len(known))
        for k in rows], np.int64)


def drawn_lists(cls: Class, pool: CardPool | None, n: int, seed: int) -> list[Deck]:
    """Return n human lists of a class, drawn from those that have cards of a pool alone.

    Raises ConfigError if there is none.
    """
    assert pool is not None  # it builds decks
    known, inside = DeckDatabase.load(NEWEST).of_class(cls), {*pool.ids}
    decks = [deck for deck in map(known.deck, range(len(known))) if inside.issuperset(deck.ids)]
    if not decks:
        raise ConfigError(f"no human {cls.name.lower()} list consists only of cards of this"
                          " ruleset's Standard format")
    chance = deck_pool.uniform((seed, WORTH, LISTS), np.arange(n), np.array(int(cls)))
    return [decks[k] for k in (chance * len(decks)).astype(int)]


def random_seed(seed: int, cls: Class) -> int:
    """Return the seed of random lists of a class."""
    return int(derive((seed, WORTH, RANDOM, int(cls)))[0])

