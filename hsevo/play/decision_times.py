"""How much CPU time an agent takes for a decision.

    dealt = positions(decks)         all decisions of games of EVA against itself, in random order
    times(agent, dealt, seconds)     Times of an agent

Single decisions are timed in the same positions for all agents, less the time of an empty call.
A call from Python takes 80 microseconds, more than a fast agent needs for a decision: its mean is
therefore that of whole games against itself, as in `hsevo bench --agents`. Hosted players, who
remember their games, play against EVA. Times are CPU time of the thread; of hosted players, of the
process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import nan

import numpy as np

from hsevo.agents.genomes.weights import EVA_2018
from hsevo.agents.shared.agent import eva
from hsevo.cards.decks import Deck
from hsevo.engine.record.state import STATE
from hsevo.play import players as hosted
from hsevo.play.entry import Command, call
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting, Table, context, load_for, new_scratch, pairings
from hsevo.play.session import Seat, Session
from hsevo.seeds import Stream, derive, generator
from hsevo.types import Array

EACH = 2  # games of each ordered pair of decks, with about 75 decisions
LEAST = 20  # decisions of an agent, however slow it is
SINGLE = 3e-5  # seconds, below which the time of one decision can't be told from that of the call
FAST = 1e-3  # seconds, below which an agent plays whole games
BLOCK = 0.02  # seconds of games in one call, about
LEAST_BLOCKS = 3
MOST = 20  # games of a pair of decks in one call


@dataclass(frozen=True)
class Positions:
    """Positions in which somebody has to move, in random order. decks: those of the games."""

    decks: tuple[Deck, ...]
    states: Array  # STATE (n,)
    seats: Array  # (n, 2): the decks of player 0 and 1

    @property
    def setting(self) -> Setting:
        """The rules of all games."""
        return Setting("cig2018", self.decks, "fair", 89)


@dataclass(frozen=True)
class Times:
    """Hold the CPU seconds of an agent's decisions.

    Attributes
    ----------
    mean : float
        Mean.
    low : float
        Lower end of the 95 % interval of the mean.
    high : float
        Upper end of this interval.
    median : float
        Median of single decisions. NaN for an agent too fast to time.
    p95 : float
        95 % quantile of single decisions. NaN for an agent too fast to time.
    decisions : int
        Number of decisions.
    """

    mean: float
    low: float
    high: float
    median: float
    p95: float
    decisions: int


def positions(decks: Sequence[Deck], seed: int = 1) -> Positions:
    """Return all decisions of games of EVA of 2018 against itself, EACH with every pair of decks.
    """
    first, second = (part.ravel() for part in np.indices((len(decks),) * 2).repeat(EACH, axis=2))
    games = GameBatch.new([decks[i] for i in first], [decks[i] for i in second],
                      range(seed, seed + len(first)))
    agent, decisions = eva(EVA_2018[None]), []
    while games.running.any():
        decisions += [(games.states[i].copy(), (first[i], second[i]))
                      for i in np.flatnonzero(games.running)]
        games.ask(agent)
    generator((seed, Stream.BENCH)).shuffle(decisions)
    states = np.zeros(len(decisions), STATE)  # np.array would change the layout of fields
    states[:] = [state for state, _ in decisions]
    return Positions(tuple(decks), states, np.array([seats for _, seats in decisions]))


def times(agent: Array, dealt: Positions, seconds: float) -> Times:
    """Measure an agent, AGENT (1,) or (1, d, d), for about so many CPU seconds.

    It is asked in the positions in their order, in LEAST of them at least. Raises ConfigError for a
    hosted player that can't play these decks, PlayerError for one without a legal move.
    """
    if hosted.among(agent):
        return _summed([*_until(_hosted(agent, dealt), seconds, time.process_time)])
    load_for(agent)
    single = [*_until(_singly(agent, dealt), seconds / 2, time.thread_time)]
    if np.mean(single) >= FAST:
        return _summed(single)
    games = _until(_games(agent, dealt), seconds / 2, time.thread_time, LEAST_BLOCKS)
    return _summed(single, [*games])


def _until(measured: Iterator[float], seconds: float, clock: Callable[[], float],
           least: int = LEAST) -> Iterator[float]:
    """Yield times until so many CPU seconds have passed, `least` at least."""
    next(measured)  # the first is not counted: it may read files, and compile
    end = clock() + seconds
    for done, spent in enumerate(measured):
        if done >= least and clock() > end:
            return
        yield spent


def _summed(single: list[float], blocks: list[float] | None = None) -> Times:
    """Return the times of single decisions; the mean is that of blocks, if there are any."""
    of = np.array(blocks or single)
    mean, half = float(of.mean()), 1.96 * float(of.std(ddof=1)) / len(of) ** 0.5
    ends = np.quantile(single, [0.5, 0.95]) if mean >= SINGLE else [nan, nan]
    return Times(mean, max(mean - half, 0.0), mean + half, float(ends[0]), float(ends[1]),
                 len(single))


def _singly(agent: Array, dealt: Positions) -> Iterator[float]:
    """Yield the CPU seconds of an agent's decision in each position."""
    n, rows = len(dealt.decks), np.arange(len(dealt.states))
    me = dealt.states["me"].astype(np.int64)
    own, theirs = dealt.seats[rows, me], dealt.seats[rows, 1 - me]
    asked = own * n + theirs if agent.ndim > 1 else np.zeros(len(me), np.int64)
    ours = context(agent.ravel(), dealt.setting, new_scratch())

    def spent(i: int, who: int) -> float:
        state = dealt.states[i:i + 1].copy().view(np.recarray)
        seat, moves = np.array([who]), np.zeros(1, np.int64)
        began = time.thread_time()
        call(Command.ASK_ALL, ours, states=state, asked=seat, moves=moves)
        return time.thread_time() - began

    nobody = min(spent(0, -1) for _ in range(LEAST))
    for i, who in enumerate(asked.tolist()):
        yield max(spent(i, who) - nobody, 0.0)


def _games(agent: Array, dealt: Positions) -> Iterator[float]:
    """Yield the CPU seconds of a decision in blocks of games of an agent against itself."""
    table, n = Table(agent, dealt.setting), len(dealt.decks)
    games, own, theirs = 1, *np.indices((n, n)).reshape(2, -1)
    for k in count():
        rows = pairings(0, 0, own, theirs, derive((k, Stream.BENCH), np.arange(n * n)), games)
        began = time.thread_time()
        results = table.play(rows)
        spent = time.thread_time() - began
        yield spent / int(results["decisions"].sum())
        if not k:
            games = min(max(int(BLOCK / spent), 1), MOST)


def _hosted(agent: Array, dealt: Positions) -> Iterator[float]:
    """Yield the CPU seconds of each decision of a hosted player in games against EVA.

    In a seat of its own it remembers; asked in a position, it would first have to see the game.
    """
    n, rival = len(dealt.decks), Seat("eva:2018", eva(EVA_2018[None]))
    for k in count():
        first, second = divmod(k // 2 % (n * n), n)
        seats = [Seat("hosted", agent), rival][::1 - 2 * (k % 2)]
        game = Session(dealt.decks[first], dealt.decks[second], seats, k)
        while not game.over:
            mine, began = game.player == k % 2, time.process_time()
            move = game.ask()
            spent = time.process_time() - began
            game.play(move)
            if mine:
                yield spent
