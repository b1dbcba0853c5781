"""How humans do in the games of a folder of `hsevo play`: against each agent, and as a rating.

Games between two people do not count, nor those that began at a position: its builder chose who is
ahead. Neither do, for the rating, games with a hint, of a seed that was played before, or under
other rules than the panel's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from hsevo.play.specs import short_names
from hsevo.play.tournament import wilson
from hsevo.replays import participants
from hsevo.replays.played import HUMAN, OPEN, POINTS, WON, GameFacts
from hsevo.strength.panel import FOLDER, NEWEST, read_plan
from hsevo.strength.rating import Estimate, against_known


class Score(NamedTuple):
    """What a player won against an agent. rate: the share of games won, with its interval.

    player: in a study, its condition.
    """

    player: str
    agent: str
    games: int
    won: int
    rate: Estimate


class Rated(NamedTuple):
    """A rating on the scale of the newest panel, in Elo, and its games with that panel's agents."""

    rating: Estimate
    games: int


def scores(facts: Sequence[GameFacts]) -> list[Score]:
    """Return a score for each player and agent that finished a game, the first met first."""
    scored = []
    for player, agent in dict.fromkeys((game.human, game.agent) for game in facts):
        ended = [game.result for game in facts
                 if (game.human, game.agent) == (player, agent) and _counts(game)]
        if ended:
            scored.append(_score(player, agent, ended))
    return scored


def by_condition(path: Path) -> list[Score]:
    """Return a score for each condition of a study in a folder; [] if none was played there.

    The intervals take all games as independent, also those of one participant. Raises RunError.
    """
    file = path / "games.csv"
    rows = participants.read(file) if file.exists() else []
    return [_score(condition, opponent, [
        row["result"] for row in rows if (row["condition"], row["opponent"]) == (
            condition, opponent)])
        for condition, opponent in dict.fromkeys(
            (row["condition"], row["opponent"]) for row in rows)]


def _score(player: str, agent: str, results: Sequence[str]) -> Score:
    won = results.count(WON)
    (low,), (high,) = wilson([won], [len(results)])
    return Score(player, agent, len(results), won,
                 Estimate(won / len(results), float(low), float(high)))


def rated(facts: Sequence[GameFacts]) -> Rated | None:
    """Return the human's rating; None without a game that counts.

    Those count that were finished against an agent of the panel, by a human, and are not of
    `left_out`.
    """
    known = ratings()
    met = [game for game in _met(facts) if not _flaw(game)]
    if not met:
        return None
    points = np.array([POINTS[game.result] for game in met])
    return Rated(against_known(points, np.array([known[game.agent] for game in met])), len(met))


def left_out(facts: Sequence[GameFacts]) -> str:
    """Say how many games with agents of the panel don't count, and why; "" if all do."""
    flaws = Counter(flaw for game in _met(facts) if (flaw := _flaw(game)))
    return ", ".join(f"{count} {flaw}" for flaw, count in sorted(flaws.items()))


def _met(facts: Sequence[GameFacts]) -> list[GameFacts]:
    return [game for game in facts
            if game.human == HUMAN and _counts(game) and game.agent in ratings()]


def _flaw(game: GameFacts) -> str:
    """Say why a game does not count; "" if it does."""
    if game.hinted:
        return "with a hint"
    if game.repeat:
        return "of a seed that was played before"
    if (game.ruleset, game.information) != _rules():
        return f"under other rules than those of {NEWEST}"
    return ""


@cache
def _rules() -> tuple[str, str]:
    plan = read_plan(NEWEST)
    return plan.ruleset, plan.information


@cache
def ratings() -> dict[str, float]:
    """Return the ratings of the newest panel by the short names of its agents."""
    table = pd.read_csv(FOLDER / NEWEST / "ratings.csv")
    return dict(zip(table["agent"].map(short_names(table["agent"])), table["rating"], strict=True))


def _counts(game: GameFacts) -> bool:
    return game.result != OPEN and not game.built and not game.is_duel
