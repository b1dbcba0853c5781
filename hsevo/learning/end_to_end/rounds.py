"""Rounds of whole games: networks meet themselves, earlier ones of a pool, or compiled agents.

    round = play(games, players, who, seeds)     all games, to their ends
    batch = round.batch(trajectories)            what the learner reviews, in packed order

A trajectory is the decisions of one player in one game. A round is whole games, so memories begin
empty, nothing is bootstrapped, data are as fresh as can be (section IV-E of Xiao and others), and
between two rounds there is no game to save. Draws depend on the seed of the game, the player and
the step, so they are the same in any order, and however a round is cut into jobs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hsevo.engine.record.state import DECK, DRAW
from hsevo.engine.view.actions import WHATS
from hsevo.engine.view.observe import OFFSETS, SIZE
from hsevo.learning.batch import moves_of, observe
from hsevo.learning.end_to_end.drafts import Draft, uniform
from hsevo.learning.end_to_end.isolated import Isolated
from hsevo.learning.end_to_end.network import Network, State
from hsevo.play.ending import out_of_torch
from hsevo.play.games import Games

Array: TypeAlias = npt.NDArray[Any]
Policy: TypeAlias = Network | Isolated
Player: TypeAlias = Policy | Array  # an array is a compiled agent, AGENT (1,)
PARTS = 3  # of a move
ENEMY_DECK = slice(OFFSETS["enemy_deck"], OFFSETS["enemy_deck"] + DECK)  # in an observation


class Batch(NamedTuple):
    """Whole trajectories as a packed sequence: all first steps, then all second ones ...

    Of N decisions in B trajectories, the longest first, of at most T steps.
    """

    observations: Tensor  # int16 (N, SIZE)
    legal: Tensor  # int64 (N, WHATS)
    chosen: Tensor  # int64 (N, 3)
    log_behaviour: Tensor  # (T, B), zero after the end
    rewards: Tensor  # (T, B)
    valid: Tensor  # bool (T, B)
    alive: Tensor  # int64 (T,), on the CPU: trajectories with that step
    draft: Draft | None = None  # how the B decks were built, if they were

    def to(self, device: str) -> Batch:
        """Return it on a device."""
        moved = {name: getattr(self, name).to(device) for name in self._fields[:6]}
        return self._replace(**moved, draft=self.draft and self.draft.to(device))

    def grid(self, numbers: Tensor) -> Tensor:
        """Return numbers (N,) in packed order as a grid (T, B), zero after the ends."""
        return numbers.new_zeros(self.valid.shape).masked_scatter(self.valid, numbers)


@dataclass(frozen=True)
class Round:
    """The games of a round that are over, and the decisions of the player that learns.

    results (n,): of the engine. Decisions are grouped by trajectory, in the order of play; the
    trajectories are the rows of `owners`, (game, seat), and have `lengths` decisions.
    """

    results: Array
    owners: Array  # (m, 2)
    lengths: Array  # (m,)
    observations: Array  # int16 (N, SIZE)
    legal: Array  # uint32 (N, WHATS)
    chosen: Array  # int64 (N, 3)
    log_behaviour: Array  # float32 (N,)

    @property
    def rewards(self) -> Array:
        """What each trajectory ended with, (m,): +1 won, 0 draw, -1 lost."""
        return outcomes(self.results[self.owners[:, 0]], self.owners[:, 1])

    def batch(self, which: Array, draft: Draft | None = None) -> Batch:
        """Return some trajectories, indices (B,), as a batch on the CPU.

        draft: of all decks of the round, as `drafts.build_decks` returns it.
        """
        which = which[np.argsort(-self.lengths[which], kind="stable")]
        lengths, starts = self.lengths[which], (np.cumsum(self.lengths) - self.lengths)[which]
        steps = np.arange(lengths.max())[:, None]
        valid = steps < lengths
        rows = (starts + steps)[valid]
        rewards = np.where(steps == lengths - 1, self.rewards[which], 0)
        places = torch.from_numpy(self.owners[which] @ (2, 1))
        behaviour = np.zeros(valid.shape, np.float32)
        behaviour[valid] = self.log_behaviour[rows]

        of = torch.from_numpy
        return Batch(of(self.observations[rows]), of(self.legal[rows].astype(np.int64)),
                     of(self.chosen[rows]), of(behaviour), of(rewards.astype(np.float32)),
                     of(valid), of(valid.sum(1)), draft and draft.take(places))


    @classmethod
    def joined(cls, rounds: Sequence[Round]) -> Round:
        """Return rounds as one, whose games have numbers in their order."""
        first = np.cumsum([0, *(len(one.results) for one in rounds)])
        owners = [one.owners + np.array([k, 0]) for k, one in zip(first[:-1], rounds, strict=True)]
        rest = ("lengths", "observations", "legal", "chosen", "log_behaviour")
        return cls(np.concatenate([one.results for one in rounds]), np.concatenate(owners),
                   *(np.concatenate([getattr(one, name) for one in rounds]) for name in rest))


def outcomes(results: Array, seats: Array) -> Array:
    """Return +1 where a seat has won, -1 where it has lost, 0 for draws; seats: 0 or 1, (n,)."""
    return np.where(results == DRAW, 0, np.where(results == 1 + seats, 1, -1))


def play(games: Games, players: Sequence[Player], who: Array, seeds: Array,
         record: int | None = None, lists: Array | None = None) -> Round:
    """Play all games to their ends.

    players: any number; who (n, 2): which of them has which seat. seeds: uint64 (n,), of the draws
    of networks; compiled agents draw from the games' own streams. record: whose decisions to
    return. lists: int16 (n, 2, DECK), the deck of each player in numbers of the vocabulary, sorted,
    which networks that know their opponent's deck see.
    """
    table = _Table(games, players, who, seeds, lists)
    steps = []
    while table.advance():
        view = table.view()
        for k in np.unique(view.player).tolist():
            step = table.act(k, view)
            if k == record:
                steps.append(step)
        games.step(table.moves)
    return _joined(games.results, steps)


class _View(NamedTuple):
    """Games that go on, who is to move in each, and what that player sees and may do."""

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


class _Table:
    """The games of a round and what the players remember of them."""

    def __init__(self, games: Games, players: Sequence[Player], who: Array, seeds: Array,
                 lists: Array | None) -> None:
        self.games, self.players, self.who, self.seeds = games, players, who, seeds
        self.lists = lists
        self.clock = 0
        self.moves = np.zeros(len(games), np.int64)
        self.compiled = np.array([not isinstance(one, Policy) for one in players])
        self.memories = {k: one.start(2 * len(games)) for k, one in enumerate(players)
                         if isinstance(one, Policy)}

    @out_of_torch()
    def advance(self) -> bool:
        """Have compiled agents move until networks are to move everywhere; False: all is over."""
        while (asked := self._asked()).any():
            seat = np.where(asked, self.games.players, 1 - self.games.players)
            for k in np.flatnonzero(self.compiled):
                mine = self._whose() == k
                self.games.ask(self.players[int(k)], np.where(mine, seat, 1 - self.games.players))
        self.clock += 1
        return bool(self.games.running.any())

    def view(self) -> _View:
        """Return what is seen in the games that go on; a network is to move in all of them."""
        which = np.flatnonzero(self.games.running)
        return _View(which, self._whose()[which], *observe(self.games.take(which)))

    def act(self, k: int, view: _View) -> _Step:
        """Have network k choose moves where it is to move."""
        network, memory = self.players[k], self.memories[k]
        assert isinstance(network, Policy)
        rows = np.flatnonzero(view.player == k)
        which = view.games[rows]
        trajectory = 2 * which + self.games.players[which]
        seat = self.games.players[which]
        seen, legal = view.observations[rows], view.legal[rows]
        if network.knows and self.lists is not None:
            seen[:, ENEMY_DECK] = self.lists[which, 1 - seat]
        chosen, logs = _act(network, memory, trajectory, seen, legal, self._draws(which, seat))
        self.moves[which] = moves_of(chosen)
        return _Step(trajectory, seen, legal, chosen, logs)

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


@torch.no_grad()
def _act(network: Policy, memory: State, trajectory: Array, observations: Array, legal: Array,
         draws: Array) -> tuple[Array, Array]:
    """Return moves in parts (m, 3) and their log probabilities (m,); update the memory."""
    device = network.device
    rows = torch.from_numpy(trajectory).to(device)
    seen, bits, uniform = (torch.from_numpy(one).to(device)
                           for one in (observations, legal.astype(np.int64), draws))
    chosen, choice, new = network.act(seen, bits, tuple(part[rows] for part in memory), uniform)
    for old, part in zip(memory, new, strict=True):
        old[rows] = part
    return chosen.cpu().numpy(), choice.log_policy.cpu().numpy()


def _joined(results: Array, steps: Sequence[_Step]) -> Round:
    """Return a round from its steps, with decisions grouped by trajectory."""
    if not steps:
        empty = np.zeros(0, np.int64)
        return Round(results, np.zeros((0, 2), np.int64), empty, np.zeros((0, SIZE), np.int16),
                     np.zeros((0, WHATS), np.uint32), np.zeros((0, PARTS), np.int64),
                     np.zeros(0, np.float32))
    trajectory, *columns = map(np.concatenate, zip(*steps, strict=True))
    order = np.argsort(trajectory, kind="stable")
    ids, lengths = np.unique(trajectory, return_counts=True)
    owners = np.stack([ids // 2, ids % 2], 1)
    return Round(results, owners, lengths, *(column[order] for column in columns))
