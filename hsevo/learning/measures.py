"""What is measured of learners of any policy: games against references, and a payoff table.

    measured(plan, period, play)        lines of references.csv
    payoffs(plan, names, play)          lines of payoff.csv, all checkpoints against all

`play` plays Games and returns rows and results; who plays them is its own affair. Where decks are
drawn, they are drawn for measurements by the same shares, of the human lists that are held out:
the same decks in every period.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from hsevo.config.learning import Plan
from hsevo.play import match, tournament
from hsevo.seeds import Stream, derive
from hsevo.types import Array

HELD_OUT = "held-out"  # the side of the human lists in measurements


class MeasuredGames(NamedTuple):
    """Games of a measurement: rows of match.PAIRING, and how many decks are drawn for them."""

    rows: Array
    key: tuple[int, ...] = ()  # of the decks that are drawn
    drawn: int = 0


Play: TypeAlias = Callable[[MeasuredGames], tuple[Array, Array]]


def games_to_play(plan: Plan, done: int = 0) -> int:
    """Return how many games are left after `done` periods, with those of measurements."""
    return ((plan.periods - done) * plan.rounds * plan.games_per_round
            + games_measured(plan, range(done, plan.periods)) + games_of_payoff(plan))


def games_measured(plan: Plan, periods: range) -> int:
    """Return how many games measure the learner after these periods."""
    times = sum(due(plan, period) for period in periods) * len(plan.references.against)
    return times * 2 * plan.deck_pairs * _each(plan)


def games_of_payoff(plan: Plan) -> int:
    """Return how many games all checkpoints play against all."""
    pairs = plan.periods * (plan.periods - 1) // 2
    return pairs * 2 * plan.payoff_games * plan.deck_pairs


def due(plan: Plan, period: int) -> bool:
    """Return whether the learner is measured after a period."""
    return (period + 1) % plan.references.every == 0 or period == plan.periods - 1


def _each(plan: Plan) -> int:
    """Return the games of a pair of decks from either seat."""
    return -(-plan.references.games // (2 * plan.deck_pairs))


def meet(plan: Plan, meetings: Array, games: int, stream: Stream) -> MeasuredGames:
    """Return games of meetings (m, 2), the same deals for all and from either seat.

    games: of each pair of decks and seat; of decks that are drawn, so many pairs of decks.
    """
    key = (plan.seed, stream)
    if not plan.shares:
        return MeasuredGames(tournament.mirrored(meetings, range(len(plan.deck_names)), games, key))
    pair = np.arange(games)
    rows = match.pairings(meetings[:, :1], meetings[:, 1:], 2 * pair, 2 * pair + 1,
                          derive(key, pair))
    return MeasuredGames(match.pairs(rows, decks=False).ravel(), (plan.seed, Stream.DECKS, stream),
                 2 * games)


def measured(plan: Plan, period: int, play: Callable[[MeasuredGames, str], tuple[Array, Array]]
             ) -> pd.DataFrame:
    """Return the lines of references.csv of a period.

    play: plays games of the learner, 0, against a named reference, 1; the same deals from either
    seat.
    """
    games = meet(plan, np.array([[0, 1]]), _each(plan), Stream.LEARNING_REFERENCE)
    lines = [{"period": period, "opponent": name} | _rates(*play(games, name), 0)
             for name in plan.references.against]
    return pd.DataFrame(lines)


def payoffs(plan: Plan, names: Sequence[str], play: Play) -> pd.DataFrame:
    """Return the results of all checkpoints (n,) against all, each pair once."""
    meetings = np.transpose(np.triu_indices(len(names), 1))
    rows, results = play(meet(plan, meetings, plan.payoff_games, Stream.LEARNING_PAYOFF))
    lines = []
    for a, b in meetings:
        here = ((rows["a"] == a) & (rows["b"] == b)) | ((rows["a"] == b) & (rows["b"] == a))
        rates = _rates(rows[here], results[here], a)
        lines.append({"a": names[a], "b": names[b], "wins_a": rates["wins"], "wins_b":
                      rates["games"] - rates["wins"] - rates["draws"]} | rates)
    return pd.DataFrame(lines)


def _rates(rows: Array, results: Array, agent: int) -> dict[str, Any]:
    """Return games, wins and draws of an agent, and its share of wins, with its interval."""
    first = rows["a"] == agent
    wins = int(np.where(first, results["wins_a"], results["wins_b"]).sum())
    draws, games = int(results["draws"].sum()), int(rows["games"].sum())
    low, high = tournament.wilson([wins], [games])
    return {"games": games, "wins": wins, "draws": draws, "rate": wins / games,
            "rate_low": low[0], "rate_high": high[0]}
