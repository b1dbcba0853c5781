"""Mistakes that come again over many games, in plain sentences: "You attacked the hero too early".

    by_habit(decisions) -> table        how often, and what one cost
    sentences(decisions, "You")         those that surely cost something; about(them)

A habit is told by the moves alone, not by what they cost, so that the mean of the losses is not one
of the worst of many. "Too early" is a move that the analyst makes as well, later in the same turn.
"""

from __future__ import annotations

from collections.abc import Collection
from math import nan, sqrt

import numpy as np
import pandas as pd

from hsevo.play.specs import short_names
from hsevo.replays.played import HUMAN
from hsevo.texts import say

LEAST, LEAST_GAMES = 10, 5  # decisions and games in which somebody did so: fewer say nothing
COLUMNS = ["habit", "of", "decisions", "games", "loss", "loss_low", "loss_high"]
HERO, MINION = "attack on the hero", "attack on a minion"
# By what was done instead of what, and the kind of what was done.
INSTEAD = {(HERO, MINION): "hero", (MINION, HERO): "minion"}
EARLY = {HERO: "early-hero", MINION: "early-minion", "hero power": "early-power",
         "minion": "early-play", "spell": "early-spell", "weapon": "early-weapon"}


def by_habit(decisions: pd.DataFrame) -> pd.DataFrame:
    """Return what habits cost, a row each, the one that cost most in all first.

    decisions: of replays.decisions.judged, with a column `game`. Columns: habit, as texts.yaml
    names it; of, how many decisions there were of its kind; decisions, in how many of them, and
    games, in how many games, it was seen; loss, what one cost on average, 0 to 1, with loss_low and
    loss_high. The intervals hold together, all of them with a probability of 95 % (Bonferroni), and
    take games, not decisions, as independent (cluster-robust, by Student's t); NaN of a habit that
    was seen fewer than LEAST times, or in fewer than LEAST_GAMES games.
    """
    acts = decisions.apply(act, axis=1) if len(decisions) else pd.Series(dtype=object)
    names = decisions.apply(habit, axis=1) if len(decisions) else pd.Series(dtype=object)
    groups = [(name, int(acts.isin(set(acts[some.index])).sum()), some)
              for name, some in decisions.groupby(names) if name]
    known = sum(_enough(some) for _, _, some in groups)
    rows = [{"habit": name, "of": of, "decisions": len(some), "games": some["game"].nunique(),
             **_mean(some, known)} for name, of, some in groups]
    table = pd.DataFrame(rows, columns=COLUMNS)
    total = table["loss"] * table["decisions"]
    return table.iloc[np.argsort(-total.to_numpy(float), kind="stable")].reset_index(drop=True)


def sentences(decisions: pd.DataFrame, name: str) -> tuple[str, ...]:
    """Return, of each habit whose interval is above 0, what somebody did and what it cost.

    name: who did. () if nothing is sure.
    """
    table = by_habit(decisions)
    sure = table[table["loss_low"] > 0].to_dict("records")
    return tuple(say("habits.says", what=say(f"habits.did.{row['habit']}", name=name),
                     n=row["decisions"], of=row["of"], loss=_points(row["loss"]),
                     low=_points(row["loss_low"]), high=_points(row["loss_high"]))
                 for row in sure)


def about(said: Collection[str]) -> str:
    """Return a note on the sentences that were said."""
    if said:
        return say("habits.intervals")
    return say("habits.none", least=LEAST, games=LEAST_GAMES)


def who(names: Collection[str], shared: bool = False) -> str:
    """Return who decided, as a sentence names it.

    names: of all players who did. shared: whether several people have the name HUMAN.
    """
    short = short_names(names)
    if {*names} == {HUMAN} and shared:
        return say("habits.they")
    if {*names} == {HUMAN}:
        return say("habits.you")
    return short[next(iter(names))] if len(short) == 1 else say("habits.they")


def act(row: pd.Series) -> str:
    """Return what was done in a decision: its kind, and of an attack at what."""
    return _act(row["kind"], row["move"])


def habit(row: pd.Series) -> str:
    """Return of which habit a decision is, "" of none."""
    played, better = row["move"], row["better"]
    if not better:
        return ""
    if row["kind"] == "end of turn":
        return "early-end"
    if row["kind"] == "mulligan":
        throws = played.startswith("throw back"), better.startswith("throw back")
        return {(False, True): "kept", (True, False): "threw"}.get(throws, "")
    done = act(row)
    if played in row["line"][1:]:
        return EARLY.get(done, "")
    return INSTEAD.get((done, _act("attack" if better.startswith("attack ") else "", better)), "")


def _points(share: float) -> str:
    return f"{100 * share:.1f}"


def _act(kind: str, text: str) -> str:
    if kind != "attack":
        return kind
    return HERO if text.startswith("attack the enemy hero") else MINION


def _enough(some: pd.DataFrame) -> bool:
    return len(some) >= LEAST and some["game"].nunique() >= LEAST_GAMES


def _mean(some: pd.DataFrame, known: int) -> dict[str, float]:
    """Return the mean loss of decisions, with its interval; known: of how many habits there is one.
    """
    from scipy.stats import t  # a second, which other commands need not wait for

    mean = float(some["loss"].mean())
    if not _enough(some):
        return {"loss": mean, "loss_low": nan, "loss_high": nan}
    games = (some["loss"] - mean).groupby(some["game"]).sum()
    n = len(games)
    error = sqrt(n / (n - 1) * (games**2).sum()) / len(some)
    half = float(t.ppf(1 - 0.025 / known, n - 1)) * error
    return {"loss": mean, "loss_low": mean - half, "loss_high": mean + half}
