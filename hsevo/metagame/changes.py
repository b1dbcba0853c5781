"""What a changed card does to a metagame: the same games before and after, seed by seed.

Every pair of games after the change has the decks, seats and seed of one before. So differences are
of pairs that share most of their luck, and their intervals are narrower than those of two matrices.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from hsevo.errors import RunError
from hsevo.metagame.matchups import RESAMPLES, Matchups, drawn_shares, interval, rates_of
from hsevo.strength import rating
from hsevo.strength.arena import estimate_columns, sound
from hsevo.strength.contest import PairedContest
from hsevo.strength.rating import Estimate
from hsevo.types import Array

K = 5  # results of a pair of games: 0 to 2 points


def joint_counts(before: PairedContest, after: PairedContest) -> Array:
    """Count pairs by what they were and became: (n, n, 5, 5), [i, j, a, b] from the view of i.

    Raises RunError if the two do not have the same games.
    """
    if before.lineup.names != after.lineup.names or not np.array_equal(
            before.schedule, after.schedule) or min(before.done, after.done) < before.total:
        raise RunError("the games before and after a change are not the same games")
    fine = (sound(before.results) & sound(after.results))[::2]
    rows = before.schedule[::2][fine]
    was, is_now = (_points(record)[fine] for record in (before, after))
    n = len(before.lineup.names)
    counts = np.zeros((n, n, K, K), np.int64)
    np.add.at(counts, (rows["a"], rows["b"], was, is_now), 1)
    np.add.at(counts, (rows["b"], rows["a"], K - 1 - was, K - 1 - is_now), 1)
    return counts


def _points(record: PairedContest) -> Array:
    """Return twice the points (m,) of the first agent of each pair of games."""
    results = record.results
    twice_a, twice_b = (2 * results[f"wins_{side}"] + results["draws"] for side in "ab")
    return np.asarray((twice_a[::2] + twice_b[1::2]).astype(np.int64))


def change(joint: Array) -> Estimate:
    """Return by how much the rate changed, from pairs (5, 5) by what they were and became."""
    points = rating.points(np.zeros(K))
    gaps = points[None, :] - points[:, None]
    return rating.paired(np.repeat(gaps.ravel(), joint.ravel()))[0]


def change_table(decks: Matchups, joint: Array, resamples: int = RESAMPLES,
                 seed: int = 1) -> pd.DataFrame:
    """Return a line for each deck: its rate and its share of the Nash mixture, before and after.

    Columns deck, before, after (rates against all other decks), change, share_before, share_after,
    share_change; beside each but deck, its ends: before_low, before_high ...
    """
    sums = joint.sum(axis=1)
    shares = _named_shares(*_shares(joint, resamples, seed))
    return pd.DataFrame({"deck": decks.decks, **_moves(sums),
                         **{f"share_{name}": column for name, column in shares.items()}})


def class_table(decks: Matchups, joint: Array, resamples: int = RESAMPLES,
                seed: int = 1) -> pd.DataFrame:
    """Return a line for each class: the share of its decks, all together, of the Nash mixture.

    Columns class, decks (how many), before, after, change; beside the last three, their ends:
    before_low, before_high ...
    """
    classes = list(dict.fromkeys(decks.classes))
    own = np.array([[one == cls for one in decks.classes] for cls in classes]).T  # (n, classes)
    shares = (part @ own for part in _shares(joint, resamples, seed))
    return pd.DataFrame({"class": classes, "decks": own.sum(axis=0), **_named_shares(*shares)})


def change_cells(decks: Matchups, joint: Array) -> pd.DataFrame:
    """Return a line per match-up: deck, opponent, games, before, after, change and their ends."""
    i, j = np.nonzero(joint.any(axis=(2, 3)))
    names = np.array(decks.decks, object)
    return pd.DataFrame({"deck": names[i], "opponent": names[j],
                         "games": 2 * joint[i, j].sum(axis=(1, 2)), **_moves(joint[i, j])})


def _moves(joint: Array) -> dict[str, list[float]]:
    """Return columns of the rates before and after, and of their changes, of pairs (m, 5, 5)."""
    return {**estimate_columns("before", [rating.rate(one.sum(axis=1)) for one in joint]),
            **estimate_columns("after", [rating.rate(one.sum(axis=0)) for one in joint]),
            **estimate_columns("change", [change(one) for one in joint])}


def _rates(joint: Array, axis: int) -> Array:
    """Return rates (n, n): before, if axis is that of what pairs became; else after."""
    rates = rates_of(joint.sum(axis=axis))
    np.fill_diagonal(rates, 0.5)
    return rates


def _named_shares(before: Array, after: Array) -> dict[str, Array]:
    """Return columns of shares, (1 + times, m): those found, and the ends of those drawn anew."""
    columns: dict[str, Array] = {}
    for name, part in (("before", before), ("after", after), ("change", after - before)):
        low, high = interval(part[1:])
        columns |= {name: part[0], f"{name}_low": low, f"{name}_high": high}
    return columns


def _shares(joint: Array, times: int, seed: int) -> tuple[Array, Array]:
    """Return shares (1 + times, n) of the mixture, before and after.

    The first are those found, the others of pairs drawn anew, with both results.
    """
    n = len(joint)
    i, j = np.triu_indices(n, 1)
    shares = drawn_shares(joint[i, j].reshape(len(i), -1), times, seed).reshape(times, -1, K, K)
    points, found = rating.points(np.zeros(K)), []
    for axis in (-1, -2):
        rates = np.full((times, n, n), 0.5)
        rates[:, i, j] = shares.sum(axis=axis) @ points
        rates[:, j, i] = 1 - rates[:, i, j]
        found.append(np.array([rating.nash(one) for one in (_rates(joint, axis), *rates)]))
    return found[0], found[1]
