"""Line-ups in tournaments: the chance to win a best-of-n, and how players choose their decks.

Conquest: a deck that has won is out, and who has won with each of `wins` decks wins. Last Hero
Standing: a deck that has lost is out, the winner's plays on, and who has no deck left loses. Before
the first game, and in Conquest before each, both choose a deck without knowing the other's choice:
a matrix game. With a ban both first strike a deck of the other, again at the same time. All chances
are those of optimal choices, and exact, by recursion over the sets of decks that are left. A draw
is played again.

In a series, players choose at random (`uniform`), or optimally for known rates (`Optimal`): by the
mixture of the matrix game "which deck does each choose", whose entries are the chances that follow.
The other functions have the same chances for many line-ups at once, without the mixtures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate, combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from hsevo.play import formats
from hsevo.play.formats import FormatStanding
from hsevo.strength.matchups import solution, value
from hsevo.types import Array

Lineup: TypeAlias = Sequence[int]  # numbers of decks

MOST = 6  # decks of a line-up


class Subsets(NamedTuple):
    """All sets of k of n decks: their members (c, k), and what is left without each, (c, k).

    What is left is a number of a set of k - 1 decks.
    """

    members: Array
    without: Array


def subsets(n: int, k: int) -> Subsets:
    """Return the sets of k of n decks, in the order of itertools.combinations."""
    members = list(combinations(range(n), k))
    smaller = {subset: i for i, subset in enumerate(combinations(range(n), k - 1))} if k else {}
    without = [[smaller[subset[:i] + subset[i + 1:]] for i in range(k)] for subset in members]
    return Subsets(np.array(members, np.int64).reshape(len(members), k),
                   np.array(without, np.int64).reshape(len(members), k))


def conquest(rates: Array, wins: int) -> Array:
    """Return the chances (..., c, d) of all sets of `wins` decks against all of the other's.

    rates: (..., m, t) of m decks against t. c and d: the numbers of their sets.
    """
    mine, theirs = _sets(rates, wins)
    ends = {(s, t): np.full((*rates.shape[:-2], len(mine[s].members), len(theirs[t].members)),
                            float(s == 0)) for s in range(wins + 1) for t in range(wins + 1)}
    for s in range(1, wins + 1):
        for t in range(1, wins + 1):
            a, b = _numbers(mine[s]), _numbers(theirs[t])
            won = ends[s - 1, t][..., mine[s].without[:, None, :, None], b[None, :, None, None]]
            lost = ends[s, t - 1][..., a[:, None, None, None], theirs[t].without[None, :, None, :]]
            ends[s, t] = value(_game(rates, mine[s], theirs[t], won, lost))
    return ends[wins, wins]


def last_hero_standing(rates: Array, wins: int) -> Array:
    """Return the chances (..., c, d) of all sets of `wins` decks; see `conquest`."""
    mine, theirs = _sets(rates, wins)
    lead = rates.shape[:-2]
    sits: dict[tuple[int, int], Array] = {}  # my deck plays on: (..., c, s, d)
    waits: dict[tuple[int, int], Array] = {}  # theirs does: (..., c, d, t)
    for k in range(1, wins + 1):
        sits[k, 0] = np.ones((*lead, *mine[k].members.shape, 1))
        waits[0, k] = np.zeros((*lead, 1, *theirs[k].members.shape))
    game = np.zeros(0)
    for s in range(1, wins + 1):
        for t in range(1, wins + 1):
            a, b = _numbers(mine[s]), _numbers(theirs[t])
            i, j = np.arange(s)[None, None, :, None], np.arange(t)[None, None, None, :]
            won = sits[s, t - 1][..., a[:, None, None, None], i,
                                 theirs[t].without[None, :, None, :]]
            lost = waits[s - 1, t][..., mine[s].without[:, None, :, None],
                                   b[None, :, None, None], j]
            game = _game(rates, mine[s], theirs[t], won, lost)
            sits[s, t] = game.min(axis=-1).swapaxes(-1, -2)
            waits[s, t] = game.max(axis=-2)
    return value(game)


RULES: dict[str, Callable[[Array, int], Array]] = {
    "conquest": conquest, "last-hero-standing": last_hero_standing}


def _sets(rates: Array, wins: int) -> tuple[list[Subsets], list[Subsets]]:
    m, t = rates.shape[-2:]
    return ([subsets(m, k) for k in range(wins + 1)], [subsets(t, k) for k in range(wins + 1)])


def _numbers(sets: Subsets) -> Array:
    return np.arange(len(sets.members))


def _game(rates: Array, mine: Subsets, theirs: Subsets, won: Array, lost: Array) -> Array:
    """Return the matrix games (..., c, d, s, t) of a choice of decks, from the chances after it."""
    p = rates[..., mine.members[:, None, :, None], theirs.members[None, :, None, :]]
    games: Array = p * won + (1 - p) * lost
    return games


def chances(rates: Array, size: int, ban: bool, rule: str) -> Array:
    """Return the chances (..., c, d) of all line-ups of `size` decks against all of the other's.

    ban: both strike a deck of the other first; a match is won with the rest, all of them.
    """
    if not ban:
        return RULES[rule](rates, size)
    return value(_bans(rates, size, rule))


def bans(rates: Array, rule: str) -> tuple[Array, Array]:
    """Return which of the other's decks (t,) each player strikes, for rates (m, t): how often."""
    _, mine, theirs = solution(_bans(rates, len(rates), rule)[0, 0])
    return mine, theirs


def _bans(rates: Array, size: int, rule: str) -> Array:
    """Return the games (..., c, d, size, size) of striking: [i, j] they lose deck i, I lose j."""
    left = RULES[rule](rates, size - 1)
    m, t = rates.shape[-2:]
    mine, theirs = subsets(m, size).without, subsets(t, size).without
    return left[..., mine[:, None, None, :], theirs[None, :, :, None]]


def against(rates: Array, mine: Sequence[Lineup], theirs: Sequence[Lineup], ban: bool,
            rule: str) -> Array:
    """Return the mean chances (..., len(mine)) of line-ups against each of theirs.

    rates: (..., n, n) of all decks; line-ups are numbers of decks, all as many.
    """
    own = sorted({deck for lineup in mine for deck in lineup})
    size, place = len(mine[0]), {deck: i for i, deck in enumerate(own)}
    number = {lineup: i for i, lineup in enumerate(combinations(range(len(own)), size))}
    wanted = [number[tuple(sorted(place[deck] for deck in lineup))] for lineup in mine]
    total = np.zeros((*rates.shape[:-2], len(mine)))
    for rival in theirs:
        met = rates[..., own, :][..., list(rival)]
        total += chances(met, size, ban, rule)[..., wanted, 0]
    return total / len(theirs)


def possible(decks: Sequence[int], size: int, classes: Sequence[str] | None) -> list[Lineup]:
    """Return the line-ups of so many decks; classes: of all decks, if a line-up has each once."""
    return [lineup for lineup in combinations(decks, size)
            if classes is None or len({classes[deck] for deck in lineup}) == size]


Mixtures: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]  # of both players' choices


def uniform(at: FormatStanding) -> Mixtures:
    """Choose among all that may be chosen, each as likely."""
    mine, theirs = at.choices
    return (1 / len(mine),) * len(mine), (1 / len(theirs),) * len(theirs)


class Optimal:
    """The chances of a best of n in which both choose optimally, and the choices.

    rates: (m, t) of my decks against theirs, which both know.
    """

    def __init__(self, format: str, rates: Array) -> None:
        self.format, self.rates = format, rates
        self._solved = cache(self._solve)

    def __call__(self, at: FormatStanding) -> Mixtures:
        """Return how both choose their decks for the next game."""
        return self._solved(at)[1]

    def chance(self, at: FormatStanding) -> float:
        """Return the chance that I win."""
        won = formats.winner(self.format, at)
        return self._solved(at)[0] if won is None else won

    def bans(self, at: FormatStanding) -> Mixtures:
        """Return how I choose which of their decks to strike, and how they choose one of mine."""
        _, mine, theirs = solution(self._banned(at))
        return tuple(mine.tolist()), tuple(theirs.tolist())

    def banned_chance(self, at: FormatStanding) -> float:
        """Return the chance that I win, if both first strike a deck of the other."""
        return float(solution(self._banned(at))[0])

    def _banned(self, at: FormatStanding) -> Array:
        """Return the game of striking: at [i, j] their deck i and my deck j are out."""
        return np.array([[self.chance(strike(at, mine, theirs)) for mine in at.mine]
                         for theirs in at.theirs])

    def _solve(self, at: FormatStanding) -> tuple[float, Mixtures]:
        mine, theirs = at.choices
        games = np.array([[self._after(at, i, j) for j in theirs] for i in mine])
        value, rows, columns = solution(games)
        return float(value), (tuple(rows.tolist()), tuple(columns.tolist()))

    def _after(self, at: FormatStanding, mine: int, theirs: int) -> float:
        rate = float(self.rates[mine, theirs])
        won, lost = (self.chance(formats.after(self.format, at, mine, theirs, points))
                     for points in (1.0, 0.0))
        return rate * won + (1 - rate) * lost


def strike(at: FormatStanding, mine: int, theirs: int) -> FormatStanding:
    """Return how a best of n stands without one deck of each player."""
    return FormatStanding(tuple(deck for deck in at.mine if deck != mine),
                          tuple(deck for deck in at.theirs if deck != theirs))


def drawn(mixture: tuple[float, ...], number: float) -> int:
    """Return the place that a number from 0 to 1 draws from a mixture."""
    ends = [*accumulate(mixture)]
    return min(sum(number * ends[-1] >= end for end in ends), len(ends) - 1)
