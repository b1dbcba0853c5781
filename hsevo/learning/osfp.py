"""Optimistic smooth fictitious play: a learner's next opponent, and when it joins its own pool.

    osfp = OSFP(OsfpSettings(), seed=1)
    opponents = osfp.ask(512)              the learner itself, or members of the pool
    osfp.tell(opponents, outcomes)         how the games ended
    osfp.learned(decisions)                how many the learner learned from
    if osfp.due:
        period = osfp.end_period()         a learning period is over
        if period.added: pool.append(copy of the learner)

Numbers in brackets, as (9), are equations of docs/pages/explanation/learning.md. This is Algorithm
1 of Xiao et al., "Mastering Strategy Card Game (Hearthstone) with Improved
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
    """Hold the result of a learning period.

    Attributes
    ----------
    number : int
        Number of the period, from 0.
    added : bool
        Whether the learner joins the pool.
    reason : Reason
        Reason of this decision.
    games : ndarray of shape (H,)
        Games against each member of the pool.
    score : ndarray of shape (H,)
        Score against each member: G / C or the win rate, depending on the settings. NaN without
        games.
    """

    number: int
    added: bool
    reason: Reason
    games: Array
    score: Array


class OSFP:
    """Schedule opponents by optimistic smooth fictitious play (Algorithm 1 of Xiao et al., 2023).

    It holds the counts of a learning period and the size of the pool, and samples opponents. The
    caller holds the pool itself, H: a list of policies, in the order in which they joined.

    Parameters
    ----------
    settings : OsfpSettings
        Settings.
    seed : int
        Seed of the samples.

    References
    ----------
    Xiao, C. et al. (2023). Mastering Strategy Card Game (Hearthstone) with Improved Techniques.
    """

    def __init__(self, settings: OsfpSettings, seed: int) -> None:
        self.settings, self.seed = settings, seed
        self.period = self.asked = self.waited = self.samples = 0
        self._clear(0)

    @property
    def members(self) -> int:
        """Number of policies in the pool."""
        return len(self.games)

    def ask(self, games: int) -> Array:
        """Sample the opponents of the next games, all by the current counts.

        Parameters
        ----------
        games : int
            Number of games.

        Returns
        -------
        ndarray of int64, shape (games,)
            LATEST or an index of the pool.
        """
        draws = derive((self.seed, Stream.OSFP, self.period),
                       np.arange(self.asked, self.asked + games, dtype=np.uint64))
        self.asked += games
        drawn = np.searchsorted(np.cumsum(self.mixture()), (draws >> np.uint64(11)) / 2.0**53,
                                side="right")
        return np.minimum(drawn, self.members) - 1

    def mixture(self) -> Array:
        """Return the probabilities (9) of all opponents.

        Returns
        -------
        ndarray of shape (1 + H,)
            Probability of LATEST, then of the members of the pool.
        """
        if not self.members:
            return np.ones(1)
        p, weights = self.settings.self_play, self._weights()
        return np.append(p, (1 - p) * weights / weights.sum())

    def tell(self, opponents: Array, outcomes: Array) -> None:
        """Count games. Games against LATEST do not count.

        Parameters
        ----------
        opponents : ndarray of int, shape (n,)
            Opponents, as sampled by `ask`.
        outcomes : array_like of shape (n,)
            Outcomes for the learner: 1 (won), 0 (drawn), -1 (lost). In games with other payoffs,
            the payoff as a fraction of the largest.

        Raises
        ------
        ValueError
            If an opponent or outcome is invalid.
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
        """Count decisions that the learner was trained on in this learning period.

        Parameters
        ----------
        samples : int
            Number of decisions.
        """
        self.samples += samples

    @property
    def due(self) -> bool:
        """Whether the learning period has all its samples."""
        return self.samples >= self.settings.samples

    def end_period(self) -> OsfpPeriod:
        """End a learning period: decide by (10) whether the learner joins, and reset the counts.

        The learner joins the pool after the first period, because it beats all members of an empty
        pool.

        Returns
        -------
        OsfpPeriod
            The result.
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
        """Return everything except the settings as plain data, for `resume`.

        Returns
        -------
        dict
            The state.
        """
        return {"seed": self.seed, "period": self.period, "asked": self.asked,
                "waited": self.waited, "samples": self.samples, "games": self.games.tolist(),
                "total": self.total.tolist()}

    @classmethod
    def resume(cls, settings: OsfpSettings, state: Mapping[str, Any]) -> OSFP:
        """Return an object that continues exactly from a state.

        Parameters
        ----------
        settings : OsfpSettings
            Settings.
        state : mapping
            Result of `state`.

        Returns
        -------
        OSFP
            The object.
        """
        osfp = cls(settings, state["seed"])
        osfp.period, osfp.asked, osfp.waited = (state[key] for key in ("period", "asked", "waited"))
        osfp.samples = state.get("samples", 0)  # older folders have none
        if not isinstance(osfp.samples, int) or osfp.samples < 0:
            raise ValueError("samples that are not a number of at least 0")
        osfp.games, osfp.total = np.array(state["games"], int), np.array(state["total"], float)
        if osfp.games.ndim != 1 or osfp.games.shape != osfp.total.shape:
            raise ValueError("games and results have different numbers of members")
        return osfp

    def _clear(self, members: int) -> None:
        """Set G, total, and C, games, to 0."""
        self.games, self.total = np.zeros(members, int), np.zeros(members)

    def _weights(self) -> Array:
        """Return f of (9) for each member, > 0: as if one more game had been won, and one lost."""
        w = (self.total / 2 + self.games / 2 + 1) / (self.games + 2)
        kinds = {"hard": 1 - w, "variance": w * (1 - w), "even": np.ones_like(w)}
        hard: Array = kinds[self.settings.difficulty]
        weights: Array = hard**self.settings.power
        if not weights.any():  # all too small for a float
            weights = (hard / hard.max())**self.settings.power
        return weights

    def _score(self) -> Array:
        """Return the scores (10) to compare with the threshold, (H,); NaN without games."""
        sign = 1 if self.settings.outcome == "learner" else -1
        met = np.where(self.games, self.games, np.nan)
        mean: Array = sign * self.total / met
        return mean if self.settings.score == "mean" else (mean + 1) / 2
