"""Optimistic smooth fictitious play: whom a learner meets next, and when it joins its own pool.

    osfp = OSFP(OsfpSettings(), seed=1)
    opponents = osfp.ask(512)              the learner itself, or members of the pool
    osfp.tell(opponents, outcomes)         how the games ended
    osfp.learned(decisions)                how many the learner learned from
    if osfp.due:
        period = osfp.end_period()         a learning period is over
        if period.added: pool.append(copy of the learner)

This is Algorithm 1 of Xiao et al., "Mastering Strategy Card Game (Hearthstone) with Improved
Techniques" (2023), without its games and networks: it counts, and draws opponents. What the text
leaves open is a setting. Draws depend on the seed, the period and the number of the game in it,
so whoever plays the games, on as many workers as there are, the course is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from hsevo.config.learning import OsfpSettings
from hsevo.seeds import Stream, derive
from hsevo.types import Array

LATEST = -1  # the opponent is the learner itself, as it is now
Reason: TypeAlias = Literal["", "beats all", "patience"]


@dataclass(frozen=True)
class OsfpPeriod:
    """A learning period that is over.

    number: from 0. added: whether the learner joins the pool, and reason why. games, score: against
    each member, (H,); a score is G / C or the win rate as the settings say, NaN without games.
    """

    number: int
    added: bool
    reason: Reason
    games: Array
    score: Array


class OSFP:
    """Algorithm 1: counts of a learning period, the size of the pool, and draws of opponents.

    The pool itself, H, is the caller's: a list of policies, in the order in which they joined.
    """

    def __init__(self, settings: OsfpSettings, seed: int) -> None:
        self.settings, self.seed = settings, seed
        self.period = self.asked = self.waited = self.samples = 0
        self._clear(0)

    @property
    def members(self) -> int:
        """The number of policies in the pool."""
        return len(self.games)

    def ask(self, games: int) -> Array:
        """Return the opponents of the next games, int64 (games,): LATEST or an index of the pool.

        All of them are drawn by the same counts: what was told before.
        """
        draws = derive((self.seed, Stream.OSFP, self.period),
                       np.arange(self.asked, self.asked + games, dtype=np.uint64))
        self.asked += games
        found = np.searchsorted(np.cumsum(self.mixture()), (draws >> np.uint64(11)) / 2.0**53,
                                side="right")
        return np.minimum(found, self.members) - 1

    def mixture(self) -> Array:
        """Return the chances of all opponents, (1 + H,): of LATEST, then of the pool's members."""
        if not self.members:
            return np.ones(1)
        p, weights = self.settings.self_play, self._weights()
        return np.append(p, (1 - p) * weights / weights.sum())

    def tell(self, opponents: Array, outcomes: Array) -> None:
        """Count games: `opponents` as asked, and how they ended for the learner, both (n,).

        An outcome is 1, 0 or -1: won, drawn, lost; or the payoff as a share of the largest that
        there is, in games with more of them. Games against LATEST don't count. Raises ValueError
        for opponents or outcomes that cannot be.
        """
        opponents, outcomes = np.asarray(opponents), np.asarray(outcomes)
        if opponents.shape != outcomes.shape:
            raise ValueError(f"{opponents.shape} opponents, but {outcomes.shape} outcomes")
        if ((opponents < LATEST) | (opponents >= self.members)).any():
            raise ValueError(f"opponents must be {LATEST} to {self.members - 1}")
        if not (np.abs(outcomes) <= 1).all():
            raise ValueError("outcomes must be from -1 to 1")
        met = opponents != LATEST
        np.add.at(self.games, opponents[met], 1)
        np.add.at(self.total, opponents[met], outcomes[met])

    def learned(self, samples: int) -> None:
        """Count decisions that the learner learned from in this learning period."""
        self.samples += samples

    @property
    def due(self) -> bool:
        """Whether the learning period has all its samples."""
        return self.samples >= self.settings.samples

    def end_period(self) -> OsfpPeriod:
        """End a learning period: decide whether the learner joins the pool, and count anew.

        The first period always adds it: it beats all of an empty pool.
        """
        score, games = self._score(), self.games
        reason: Reason = ("beats all" if (score > self.settings.threshold).all() else
                          "patience" if self.waited > self.settings.patience else "")
        over = OsfpPeriod(self.period, reason != "", reason, games, score)
        self.waited = 0 if over.added else self.waited + 1
        self.period, self.asked, self.samples = self.period + 1, 0, 0
        self._clear(self.members + over.added)
        return over

    def state(self) -> dict[str, Any]:
        """Return all but the settings as plain data, for `resume`."""
        return {"seed": self.seed, "period": self.period, "asked": self.asked,
                "waited": self.waited, "samples": self.samples, "games": self.games.tolist(),
                "total": self.total.tolist()}

    @classmethod
    def resume(cls, settings: OsfpSettings, state: Mapping[str, Any]) -> OSFP:
        """Return what goes on exactly as the one whose state it is."""
        one = cls(settings, state["seed"])
        one.period, one.asked, one.waited = (state[key] for key in ("period", "asked", "waited"))
        one.samples = state.get("samples", 0)  # older folders have none
        if not isinstance(one.samples, int) or one.samples < 0:
            raise ValueError("samples that are no number from 0 up")
        one.games, one.total = np.array(state["games"], int), np.array(state["total"], float)
        if one.games.ndim != 1 or one.games.shape != one.total.shape:
            raise ValueError("games and results of different numbers of members")
        return one

    def _clear(self, members: int) -> None:
        """Set G, total, and C, games, to 0."""
        self.games, self.total = np.zeros(members, int), np.zeros(members)

    def _weights(self) -> Array:
        """Return f for each member, > 0: as if one more game had been won, and one lost."""
        w = (self.total / 2 + self.games / 2 + 1) / (self.games + 2)
        kinds = {"hard": 1 - w, "variance": w * (1 - w), "even": np.ones_like(w)}
        hard: Array = kinds[self.settings.difficulty]
        weights: Array = hard**self.settings.power
        if not weights.any():  # all too small for a float
            weights = (hard / hard.max())**self.settings.power
        return weights

    def _score(self) -> Array:
        """Return what is compared with the threshold, (H,); NaN, so not higher, without games."""
        sign = 1 if self.settings.outcome == "learner" else -1
        met = np.where(self.games, self.games, np.nan)
        mean: Array = sign * self.total / met
        return mean if self.settings.score == "mean" else (mean + 1) / 2
