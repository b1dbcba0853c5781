"""Rounds of games between who plays them and who learns from them, if both work at the same time.

    supply = Queue(ahead, passes, parts)         or Ring
    supply.publish(network)
    reports = overlapped(supply, play, learn, rounds)

Section IV-E of Xiao and others (2023): who plays produces at speed s_p, who learns consumes at s_c,
c = s_p / s_c. What is produced too fast waits in a queue, or is overwritten in a ring.

The games are played by the thread that asks for all this, and another one learns. So the workers,
which serve one thread at a time, what counts games, and Ctrl-C stay where they are otherwise.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from itertools import count
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from hsevo.learning.acting.drafts import Draft
from hsevo.learning.acting.rounds import Round
from hsevo.play.workers import OnGames
from hsevo.seeds import Stream, derive
from hsevo.types import Array

N = TypeVar("N")  # a network that plays
R = TypeVar("R")  # what was learned


class PlayedRound(NamedTuple):
    """A round that was played.

    picks: the classes that were picked, (n, 2), and the log probabilities of that, if they were.
    others: games against others than itself; won: how many of these.
    """

    round: Round
    draft: Draft | None
    picks: tuple[Array, Array] | None
    others: int
    won: float

    @classmethod
    def joined(cls, played: Sequence[PlayedRound]) -> PlayedRound:
        """Return rounds as one. What a teacher said is left out if some had none."""
        taught = min(part.round.taught.shape[1] for part in played)
        picks = [part.picks for part in played if part.picks is not None]
        return cls(Round.joined([part.round.untaught(taught) for part in played]),
                   Draft.joined([part.draft for part in played]),
                   (np.concatenate([heroes for heroes, _ in picks]),
                    np.concatenate([logs for _, logs in picks])) if picks else None,
                   sum(part.others for part in played), sum(part.won for part in played))


class Lot(NamedTuple):
    """What one update learns from: trajectories of a round, by their numbers, (k,)."""

    played: PlayedRound
    which: Array


class SupplyBalance(NamedTuple):
    """How playing and learning kept pace, over some rounds.

    balance: c, games played a second of playing, over games learned from a second of learning;
        waiting counts for neither. Above 1, learning is what takes longer.
    age: how many rounds were learned from between the network that played a trajectory and the one
        that learned from it, the mean over all uses.
    uses: in how many updates a trajectory was, the mean over all that were played.
    unused: the share of these that were in none.
    """

    balance: float
    age: float
    uses: float
    unused: float


class SupplyStopped(Exception):
    """No more is to be learned: playing ended before its time, for a reason of its own."""


class _Stored(NamedTuple):
    """A round that waits: what it was, when its network was published, and how often it was used.
    """

    played: PlayedRound
    version: int
    uses: Array  # of each trajectory, (m,)


def orders(m: int, seed: int, passes: int, parts: int) -> list[Array]:
    """Return the trajectories, of m, of each update: all of them, in another order each pass."""
    permutations = [np.argsort(derive((seed, Stream.ORDER, k), np.arange(m)))
                    for k in range(passes)]
    return [part for order in permutations for part in np.array_split(order, parts) if len(part)]


class Supply(ABC, Generic[N]):
    """Rounds that were played and wait to be learned from, for two threads.

    ahead: how many rounds it holds, from 1. passes, parts: a round is learned from in passes x
    parts updates. clock: seconds.
    """

    def __init__(self, ahead: int, passes: int, parts: int,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self.ahead, self.passes, self.parts, self.clock = ahead, passes, parts, clock
        self.learned = -1  # rounds; that of the newest network
        self._newest: tuple[int, N] | None = None
        self._rounds = deque[_Stored]()
        self._changed, self._closed, self.failed = threading.Condition(), False, False
        self._uses: list[Array] = []  # of all rounds
        self._ages = self._playing = self._learning = 0.0
        self._began: float | None = None  # when learning from a round began

    # --- Who plays

    @property
    @abstractmethod
    def _full(self) -> bool:
        """Whether no round may begin."""

    def play(self, play: Callable[[N, OnGames], PlayedRound],
             on_games: OnGames = lambda games: None) -> bool:
        """Play a round with the newest network once there is room; False: no more are wanted."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._full)
            if self._closed:
                return False
            assert self._newest is not None
            version, network = self._newest
        began = self.clock()
        played = play(network, on_games)
        self._playing += self.clock() - began
        stored = _Stored(played, version, np.zeros(len(played.round.lengths), np.int64))
        with self._changed:
            self._uses.append(stored.uses)
            self._rounds.append(stored)
            if len(self._rounds) > self.ahead:
                self._rounds.popleft()
            self._changed.notify_all()
        return True

    def close(self) -> None:
        """Wake all waiting threads: no more is played, or learned from."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # --- Who learns

    def publish(self, network: N) -> None:
        """Let this network play all rounds that begin from now on; the one before is done."""
        with self._changed:
            if self._began is not None:
                self._learning += self.clock() - self._began
                self._began = None
            self.learned += 1
            self._newest = self.learned, network

    @abstractmethod
    def lots(self, seed: int) -> Iterator[Lot]:
        """Yield what each update of a round of learning learns from; wait until it is there.

        seed: of the draws. Raises SupplyStopped.
        """

    def _there(self, take: Callable[[], R]) -> R:
        """Return what is taken of the rounds, once there are some."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._rounds)
            self._go_on()
            taken = take()
            self._changed.notify_all()
        self._began = self.clock() if self._began is None else self._began
        return taken

    def _go_on(self) -> None:
        """Raise SupplyStopped if it was closed."""
        if self._closed:
            raise SupplyStopped

    def _used(self, stored: _Stored, which: Array) -> None:
        """Count a use of trajectories of a round, no one twice."""
        stored.uses[which] += 1
        self._ages += len(which) * (self.learned - stored.version)

    def balance(self) -> SupplyBalance:
        """Return how playing and learning kept pace until now; something was learned."""
        uses = np.concatenate(self._uses)
        speeds = len(self._uses) / self._playing, self.learned / self._learning
        return SupplyBalance(speeds[0] / speeds[1], self._ages / int(uses.sum()),
                             float(uses.mean()), float((uses == 0).mean()))


class Queue(Supply[N]):
    """First in, first out: each trajectory is in `passes` updates, and playing waits for room.

    It waits before a round, not with a round that was played: so games are never older than they
    must be.
    """

    @property
    def _full(self) -> bool:
        return len(self._rounds) >= self.ahead

    def lots(self, seed: int) -> Iterator[Lot]:
        """Yield the parts of the next round, as they are without a supply."""
        stored = self._there(self._rounds.popleft)
        for which in orders(len(stored.uses), seed, self.passes, self.parts):
            self._go_on()
            self._used(stored, which)
            yield Lot(stored.played, which)


class Ring(Supply[N]):
    """The last `ahead` rounds: each update draws from all of their trajectories, with equal chance.

    Playing never waits: the oldest round gives way, whether it was learned from or not. A round of
    learning has as many updates of the same size as with a queue, whatever was played meanwhile.
    """

    @property
    def _full(self) -> bool:
        return False

    def lots(self, seed: int) -> Iterator[Lot]:
        """Yield trajectories of the rounds that are there then, no one twice in an update."""
        for k in range(self.passes * self.parts):
            rounds = self._there(lambda: tuple(self._rounds))
            sizes = [len(entry.uses) for entry in rounds]
            size = max(round(sum(sizes) / len(rounds) / self.parts), 1)
            order = np.argsort(derive((seed, Stream.ORDER, k), np.arange(sum(sizes))))
            drawn = np.bincount(order[:size], minlength=len(order)).astype(bool)
            parts = []
            for entry, mine in zip(rounds, np.split(drawn, np.cumsum(sizes)[:-1]), strict=True):
                which = np.flatnonzero(mine)
                self._used(entry, which)
                parts.append(entry.played._replace(round=entry.played.round.take(which)))
            yield Lot(PlayedRound.joined(parts), np.arange(int(drawn.sum())))


def overlapped(supply: Supply[N], play: Callable[[int, N, OnGames], PlayedRound],
               learn: Callable[[], R], rounds: int | None = None,
               on_rounds: Callable[[int], object] = lambda rounds: None) -> R:
    """Play in this thread while another one learns; return what `learn` does.

    play: gets the number of a round, from 0, the network that plays it, and what it must call after
    each block of games. learn: takes `lots` and publishes networks until it has learned. rounds:
    how many to play; None: until it has. on_rounds: called by this thread with the number of rounds
    that were just learned from. Raises what either of the two does; then the other one ends with
    the block of games, or the update, that it is at, and no thread is left in any case.
    """
    told = 0

    def tell(games: int = 0) -> None:
        nonlocal told
        if supply.failed:
            raise SupplyStopped
        if new := supply.learned - told:
            told += new
            on_rounds(new)

    def learned() -> R:
        try:
            return learn()
        except BaseException:
            supply.failed = True
            raise
        finally:
            supply.close()

    with ThreadPoolExecutor(1, "learn") as beside, closing(supply):
        learning = beside.submit(learned)
        with suppress(SupplyStopped):  # what stopped it is raised by the result
            for number in count() if rounds is None else range(rounds):
                if not supply.play(partial(play, number), tell):
                    break
        result = learning.result()
        tell()
        return result
