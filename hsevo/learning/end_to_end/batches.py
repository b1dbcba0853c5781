"""Batches of the end-to-end learner: what it reviews of a round, as tensors.

    batch = batch_of(round, trajectories)        in packed order
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from hsevo.learning.acting.drafts import Draft
from hsevo.learning.acting.rounds import Round
from hsevo.learning.end_to_end.drafts import Picked
from hsevo.types import Array


class Lesson(NamedTuple):
    """What a teacher would have done in N decisions, parts int64 (N, 3), and how much that counts.
    """

    moves: Tensor
    weight: float


class Examples(NamedTuple):
    """Human decks, of the same classes as the B of a batch, and how much they count."""

    decks: Picked
    weight: float


class Heroes(NamedTuple):
    """The classes that were picked, (B,), and the log probabilities of that, (B,)."""

    owners: Tensor
    logs: Tensor


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
    draft: Picked | None = None  # how the B decks were built, if they were
    lesson: Lesson | None = None
    examples: Examples | None = None
    heroes: Heroes | None = None

    def to(self, device: str) -> Batch:
        """Return it on a device."""
        moved = {name: getattr(self, name).to(device) for name in self._fields[:6]}
        lesson = self.lesson and self.lesson._replace(moves=self.lesson.moves.to(device))
        examples = self.examples and self.examples._replace(decks=self.examples.decks.to(device))
        heroes = self.heroes and Heroes(*(part.to(device) for part in self.heroes))
        return self._replace(**moved, draft=self.draft and self.draft.to(device), lesson=lesson,
                             examples=examples, heroes=heroes)

    def grid(self, numbers: Tensor) -> Tensor:
        """Return numbers (N,) in packed order as a grid (T, B), zero after the ends."""
        return numbers.new_zeros(self.valid.shape).masked_scatter(self.valid, numbers)


def batch_of(played: Round, which: Array, draft: Draft | None = None,
             teaching: float = 0.0, picks: tuple[Array, Array] | None = None) -> Batch:
    """Return some trajectories of a round, indices (B,), as a batch on the CPU.

    draft: of all decks of the round, as `build_decks` returns it. teaching: how much it counts what
    a teacher would have done; 0 if there was none. picks: the classes that were picked, and the log
    probabilities of that, (n, 2), if they were.
    """
    which = which[np.argsort(-played.lengths[which], kind="stable")]
    lengths, starts = played.lengths[which], (np.cumsum(played.lengths) - played.lengths)[which]
    steps = np.arange(lengths.max())[:, None]
    valid = steps < lengths
    rows = (starts + steps)[valid]
    rewards = np.where(steps == lengths - 1, played.rewards[which], 0)
    places = played.owners[which] @ (2, 1)
    behaviour = np.zeros(valid.shape, np.float32)
    behaviour[valid] = played.log_behaviour[rows]

    heroes = None if picks is None else Heroes(
        *(torch.from_numpy(part.ravel()[places]) for part in picks))
    of, picked = torch.from_numpy, None if draft is None else Picked.of(draft.take(places))
    lesson = Lesson(of(played.taught[rows]), teaching) if teaching else None
    return Batch(of(played.observations[rows]), of(played.legal[rows].astype(np.int64)),
                 of(played.chosen[rows]), of(behaviour), of(rewards.astype(np.float32)),
                 of(valid), of(valid.sum(1)), picked, lesson, heroes=heroes)
