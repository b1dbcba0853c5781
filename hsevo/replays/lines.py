"""The best lines at a position: an analyst's first choices, and what each is worth by playing on.

    candidates(game, analyst, most) -> Candidates    the moves to compare, and a line from each
    judged(candidates, outcomes, ...) -> table       their chances to win, the highest first

The moves are compared as those of a decision are (decisions.py): in the same worlds, with the same
random numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, nan

import numpy as np
import pandas as pd

from hsevo.engine.record.state import WIN_0
from hsevo.play.session import Seat, Session
from hsevo.play.tournament import wilson
from hsevo.replays.decisions import chances_of, line_of, lost
from hsevo.types import Array

LINES, MOST_LINES = 5, 100  # that are compared, by default and at most
PART = 5  # worlds of a job: on a full board they take a second or two
COLUMNS = ["line", "own", "network", "chance", "chance_low", "chance_high", "behind", "behind_low",
           "behind_high"]


@dataclass(frozen=True)
class Candidates:
    """Moves at a position, the analyst's own first.

    moves: their indices. lines: for each, that move and what the analyst would do after it to the
    end of the turn. network: the analyst's own chances to win after it, 0 to 1; NaN if its scores
    are no chances.
    """

    moves: tuple[int, ...]
    lines: tuple[tuple[str, ...], ...]
    network: tuple[float, ...]
    step: int = 0


def candidates(game: Session, analyst: Seat, most: int) -> Candidates:
    """Return the moves that an analyst likes best, at most so many; equal cards count once.

    Moves that it does not score come last, in their order. Places of a minion that it does not
    consider are left out.
    """
    asked = game.ask(analyst)
    scores, known = game.scores, chances_of(game, analyst)
    considered = game.considers()
    ranked = sorted((move for move in game.moves if move.index in considered),
                    key=lambda move: -scores.get(move.index, -inf))
    by_text = {move.text: move for move in (asked, *ranked)[::-1]}
    best = sorted(by_text.values(), key=[asked, *ranked].index)[:most]
    return Candidates(tuple(move.index for move in best),
                      tuple(line_of(game, analyst, move) for move in best),
                      tuple(known.get(move.index, nan) for move in best))


def judged(proposed: Candidates, outcomes: Iterable[Array], player: int) -> pd.DataFrame:
    """Return a table of lines, the highest chance first.

    outcomes: what `decisions.play_on` returned for each job. player: to move, 0 or 1. Columns:
    line; own, whether it is the analyst's; network; chance to win after the line's first move, with
    chance_low and chance_high; behind, how much less that is than the first row's, with behind_low
    and behind_high: of the same worlds. All 0 to 1, intervals of 95 %.
    """
    won = np.concatenate([*outcomes], axis=1) == WIN_0 + player
    order = np.argsort(-won.mean(axis=1), kind="stable")
    lows, highs = wilson(won.sum(axis=1), [won.shape[1]] * len(won))
    rows = []
    for k in order:
        gap = lost(won[[k]] if k == order[0] else won[[k, order[0]]])
        rows.append({"line": proposed.lines[k], "own": k == 0, "network": proposed.network[k],
                     "chance": won[k].mean(), "chance_low": lows[k], "chance_high": highs[k],
                     "behind": gap["loss"], "behind_low": gap["loss_low"],
                     "behind_high": gap["loss_high"]})
    return pd.DataFrame(rows, columns=COLUMNS)


def sure(line: tuple[str, ...]) -> pd.DataFrame:
    """Return the table of a line that surely wins."""
    row = {"line": line, "own": False, "network": nan, "chance": 1.0, "chance_low": 1.0,
           "chance_high": 1.0, "behind": 0.0, "behind_low": 0.0, "behind_high": 0.0}
    return pd.DataFrame([row], columns=COLUMNS)
