"""Rounds of whole games: policies meet themselves, earlier ones of a pool, or compiled agents.

    round = play(games, players, who, seeds)     all games, to their ends

A trajectory is the decisions of one player in one game. A round is whole games, so memories begin
empty, nothing is bootstrapped, data are as fresh as can be (section IV-E of Xiao and others), and
between two rounds there is no game to save. Draws depend on the seed of the game, the player and
the step, so they are the same in any order, and however a round is cut into jobs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from hsevo.engine.record.state import DECK, DRAW, Phase
from hsevo.engine.view.actions import WHATS
from hsevo.engine.view.observe import OFFSETS, SIZE
from hsevo.learning.acting.actor import PARTS, Actor
from hsevo.learning.acting.drafts import uniform
from hsevo.learning.batch import History, moves_of, observe, parts_of
from hsevo.play.acts import HISTORY
from hsevo.play.games import GameBatch
from hsevo.types import Array

Player: TypeAlias = Actor | Array  # an array is a compiled agent, AGENT (1,)
DECISIONS = ("observations", "legal", "chosen", "log_behaviour", "taught")  # of a Round
ENEMY_DECK = slice(OFFSETS["enemy_deck"], OFFSETS["enemy_deck"] + DECK)  # in an observation


@dataclass(frozen=True)
class Round:
    """The games of a round that are over, and the decisions of the player that learns.

    results (n,): of the engine. Decisions are grouped by trajectory, in the order of play; the
    trajectories are the rows of `owners`, (game, seat), and have `lengths` decisions.
    """

    results: Array
    owners: Array  # (m, 2)
    lengths: Array  # (m,)
    observations: Array  # int16 (N, SIZE), or more with a history
    legal: Array  # uint32 (N, WHATS)
    chosen: Array  # int64 (N, 3)
    log_behaviour: Array  # float32 (N,)
    taught: Array  # int64 (N, 3): what a teacher would have done; (N, 0) without one

    @property
    def rewards(self) -> Array:
        """What each trajectory ended with, (m,): +1 won, 0 draw, -1 lost."""
        return outcomes(self.results[self.owners[:, 0]], self.owners[:, 1])

    def take(self, which: Array) -> Round:
        """Return some of the trajectories, by their numbers (k,), with all results."""
        lengths = self.lengths[which]
        starts = (np.cumsum(self.lengths) - self.lengths)[which] - (np.cumsum(lengths) - lengths)
        rows = np.repeat(starts, lengths) + np.arange(lengths.sum())
        return Round(self.results, self.owners[which], lengths, *(
            getattr(self, name)[rows] for name in DECISIONS))

    def untaught(self, parts: int = 0) -> Round:
        """Return it with the first parts of what a teacher said: all or none."""
        return replace(self, taught=self.taught[:, :parts])

    @classmethod
    def joined(cls, rounds: Sequence[Round]) -> Round:
        """Return rounds as one, whose games have numbers in their order."""
        if len(rounds) == 1:
            return rounds[0]
        first = np.cumsum([0, *(len(round_.results) for round_ in rounds)])
        owners = [round_.owners + np.array([k, 0])
                  for k, round_ in zip(first[:-1], rounds, strict=True)]
        rest = ("lengths", *DECISIONS)
        return cls(np.concatenate([round_.results for round_ in rounds]), np.concatenate(owners),
                   *(np.concatenate([getattr(round_, name) for round_ in rounds]) for name in rest))


def outcomes(results: Array, seats: Array) -> Array:
    """Return +1 where a seat has won, -1 where it has lost, 0 for draws; seats: 0 or 1, (n,)."""
    return np.where(results == DRAW, 0, np.where(results == 1 + seats, 1, -1))


def play(games: GameBatch, players: Sequence[Player], who: Array, seeds: Array,
         record: int | None = None, lists: Array | None = None,
         teacher: Array | None = None) -> Round:
    """Play all games to their ends.

    players: any number; who (n, 2): which of them has which seat. seeds: uint64 (n,), of the draws
    of policies; compiled agents draw from the games' own streams. record: whose decisions to
    return. lists: int16 (n, 2, DECK), what each seat is shown of the other's deck, in numbers of
    the vocabulary, sorted. teacher: a compiled agent, AGENT (1,), that is asked what it would do in
    each decision that is recorded; no game takes another course by it.
    """
    table = _Table(games, players, who, seeds, lists)
    steps = []
    while table.advance():
        view = table.view()
        for k in np.unique(view.player).tolist():
            step = table.act(k, view, teacher if k == record else None)
            if k == record:
                steps.append(step)
        table.step()
    if not steps:
        return _empty(games.results, observation_size(players[record or 0]),
                      0 if teacher is None else PARTS)
    return _joined(games.results, steps)


class _View(NamedTuple):
    """Games that are not over, who is to move in each, and what that player sees and may do."""

    games: Array
    player: Array
    observations: Array
    legal: Array


class _Step(NamedTuple):
    """Decisions of one player in some games at the same time."""

    trajectory: Array  # twice the game, plus the seat
    observations: Array
    legal: Array
    chosen: Array
    log_behaviour: Array
    taught: Array


class _Table:
    """The games of a round and what the players remember of them."""

    def __init__(self, games: GameBatch, players: Sequence[Player], who: Array, seeds: Array,
                 lists: Array | None) -> None:
        self.games, self.players, self.who, self.seeds = games, players, who, seeds
        self.lists = lists
        self.clock = 0
        self.moves = np.zeros(len(games), np.int64)
        self.compiled = np.array([not isinstance(player, Actor) for player in players])
        watched = any(isinstance(player, Actor) and player.settings.history for player in players)
        self.history = History(games) if watched else None
        self.memories = {k: player.start(2 * len(games)) for k, player in enumerate(players)
                         if isinstance(player, Actor)}

    def advance(self) -> bool:
        """Let compiled agents move until policies are to move everywhere; False: all is over."""
        while self.compiled.any() and (asked := self._asked()).any():
            seat = np.where(asked, self.games.players, 1 - self.games.players)
            for k, player in enumerate(self.players):
                if not isinstance(player, Actor):
                    mine = self._whose() == k
                    seats = np.where(mine, seat, 1 - self.games.players)
                    (self.history or self.games).ask(player, seats)
        self.clock += 1
        return bool(self.games.running.any())

    def view(self) -> _View:
        """Return what is seen in games that are not over; a policy is to move in all of them."""
        running = self.games.running
        which = np.flatnonzero(running)
        seen = self.history or self.games
        if not running.all():
            seen = seen.take(which)  # copies their states
        return _View(which, self._whose()[which], *(
            observe(seen.games, history=seen) if isinstance(seen, History) else observe(seen)))

    def act(self, k: int, view: _View, teacher: Array | None) -> _Step:
        """Let policy k choose moves where it is to move, and a teacher say what it would do."""
        actor = self.players[k]
        assert isinstance(actor, Actor)
        mine = view.player == k
        rows = slice(None) if mine.all() else np.flatnonzero(mine)  # all: without a copy
        which = view.games[rows]
        seat = self.games.players[which]
        trajectory = 2 * which + seat
        seen = np.ascontiguousarray(view.observations[rows, :observation_size(actor)])
        legal = view.legal[rows]
        if self.lists is not None:
            seen[:, ENEMY_DECK] = self.lists[which, seat]
        chosen, logs = actor.act(seen, legal, self.memories[k], trajectory,
                                 self._draws(which, seat))
        self.moves[which] = moves_of(chosen)
        return _Step(trajectory, seen, legal, chosen, logs, self._taught(which, teacher))

    def step(self) -> None:
        """Make the moves that policies have chosen."""
        (self.history or self.games).step(self.moves)

    def _taught(self, which: Array, teacher: Array | None) -> Array:
        """Return what a teacher would do in some games, parts (m, 3); without one, (m, 0)."""
        if teacher is None:
            return np.zeros((len(which), 0), np.int64)
        games = self.games.take(which)  # it moves, and draws, in copies
        choice = games.states["pending"] == Phase.CHOICE
        return parts_of(games.ask(teacher), choice)

    def _asked(self) -> Array:
        """Return in which games a compiled agent is to move, bool (n,)."""
        asked: Array = self.games.running & self.compiled[self._whose()]
        return asked

    def _whose(self) -> Array:
        """Return the player that is to move in each game, (n,)."""
        whose: Array = self.who[np.arange(len(self.games)), self.games.players]
        return whose

    def _draws(self, which: Array, seat: Array) -> Array:
        """Return uniform numbers in [0, 1), (m, 3)."""
        return uniform(self.clock, self.seeds[which], seat, PARTS)


def observation_size(player: Player) -> int:
    """Return how many numbers an observation of a player has."""
    return SIZE + HISTORY * (isinstance(player, Actor) and player.settings.history)


def _empty(results: Array, size: int, taught: int) -> Round:
    """Return a round without decisions; size: of observations, taught: of what a teacher says."""
    return Round(results, np.zeros((0, 2), np.int64), np.zeros(0, np.int64),
                 np.zeros((0, size), np.int16), np.zeros((0, WHATS), np.uint32),
                 np.zeros((0, PARTS), np.int64), np.zeros(0, np.float32),
                 np.zeros((0, taught), np.int64))


def _joined(results: Array, steps: Sequence[_Step]) -> Round:
    """Return a round from its steps, with decisions grouped by trajectory."""
    trajectory = np.concatenate([step.trajectory for step in steps])
    ids, lengths = np.unique(trajectory, return_counts=True)
    owners = np.stack([ids // 2, ids % 2], 1)
    places = np.empty(len(trajectory), np.int64)  # of each decision
    places[np.argsort(trajectory, kind="stable")] = np.arange(len(trajectory))
    columns = [np.empty((len(places), *array.shape[1:]), array.dtype) for array in steps[0][1:]]
    at = 0
    for _, *parts in steps:  # without an array of all in between: they are large
        mine = places[at:at + len(parts[0])]
        for column, part in zip(columns, parts, strict=True):
            column[mine] = part
        at += len(mine)
    return Round(results, owners, lengths, *columns)
