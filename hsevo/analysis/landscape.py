"""The fitness landscape around an agent: each of its weights changed alone, the rest as it is.

    variants(agent) --> 21 weights x 11 values --landscape() over workers--> a row a variant

All variants play the very same pairs of games (arena.py) as the agent itself, against the same
opponents: what luck decides is in all of them, so that a difference of two points shows after a
few hundred pairs. The row of a weight at 0 is its ablation: what the agent does without it.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo.agents.weights import NAMES
from hsevo.play.tournament import refuse_faults
from hsevo.play.workers import Map
from hsevo.strength import rating
from hsevo.strength.arena import Lineup, Tick, estimate_columns, pentanomials, play, schedule
from hsevo.strength.rating import Estimate

Array: TypeAlias = npt.NDArray[Any]

VALUES = tuple(k / 10 for k in range(11))
LEAD = ["lead", "lead_low", "lead_high", "p", "changed"]
ITSELF = "as it is"  # in the place of a weight's name: the row of the agent itself


def variants(agent: Array) -> Array:
    """Return an EVA agent, AGENT (1,), with each weight at each of VALUES, AGENT (21 * 11,)."""
    many = np.repeat(agent, len(NAMES) * len(VALUES))
    for i in range(len(NAMES)):
        rows = slice(i * len(VALUES), (i + 1) * len(VALUES))
        many["w"][rows, i] = VALUES
    return many


def games(lineup: Lineup) -> int:
    """Return how many games `landscape` plays."""
    return lineup.games * (1 + len(NAMES) * len(VALUES))


def landscape(work: Map, lineup: Lineup, tick: Tick = lambda games: None) -> pd.DataFrame:
    """Play an agent and its variants against opponents.

    lineup: of one EVA agent, which is agent 0, and those that it meets. tick: called with the
    number of games of each block played.
    Returns a row for the agent itself, whose weight is ITSELF, and a row a variant, with columns
    weight, value (of the weight), own (the agent's), games, wins, draws, losses, rate (0 to 1, a
    draw is half a win) with rate_low and rate_high; lead, its rate less that of the agent itself,
    with lead_low, lead_high and p, two-sided; and changed, the share of pairs of games of
    which any number is another (who won, turns, margins, decisions, simulated actions): NaN of
    itself. Intervals are of 95 %, from the pairs' spread (rating.py).
    Raises GameError, with the seed, if the engine refused a game.
    """
    agent, base = lineup.players[:1], schedule(lineup)
    players = np.concatenate([lineup.players, variants(agent)])
    others = range(len(lineup.names), len(players))
    rows = np.concatenate([base, *(_instead(base, number) for number in others)])
    results = []
    for part, block in play(work, rows, players, lineup.setting):
        refuse_faults(block, part["seed"])
        results.append(block)
        tick(len(part))
    table = np.concatenate(results).reshape(1 + len(others), len(base))
    own = agent["w"][0, :len(NAMES)]
    first = {"weight": ITSELF, "value": np.nan, "own": np.nan}
    named = [first, *({"weight": name, "value": value, "own": mine}
                      for name, mine in zip(NAMES, own, strict=True) for value in VALUES)]
    found = pd.DataFrame([name | _line(base, played, table[0]) for name, played in
                          zip(named, table, strict=True)])
    found.loc[0, LEAD] = np.nan  # of itself over itself
    return found


def _instead(rows: Array, number: int) -> Array:
    """Return the games of agent 0 as games of another."""
    other = rows.copy()
    for side in ("a", "b"):
        other[side][rows[side] == 0] = number
    return other


def _line(rows: Array, played: Array, itself: Array) -> dict[str, Any]:
    """Return what a variant's games came to, beside those of the agent itself."""
    mine, theirs = _points(rows, played), _points(rows, itself)
    wins, losses = (int(np.where(rows["a"] == 0, played[a], played[b]).sum())
                    for a, b in (("wins_a", "wins_b"), ("wins_b", "wins_a")))
    counts = pentanomials(rows, played, int(rows["b"].max()) + 1)[0].sum(axis=0)
    lead, p = rating.paired(mine - theirs)
    otherwise = (played != itself).reshape(-1, 2).any(axis=1)
    found: dict[str, Any] = {"games": len(rows), "wins": wins,
                             "draws": int(played["draws"].sum()), "losses": losses}
    found |= _plain("rate", rating.rate(counts)) | _plain("lead", lead)
    return found | {"p": p, "changed": float(otherwise.mean())}


def _plain(name: str, found: Estimate) -> dict[str, float]:
    return {key: values[0] for key, values in estimate_columns(name, [found]).items()}


def _points(rows: Array, played: Array) -> Array:
    """Return what agent 0 scored in each pair of games, 0 to 1."""
    won = np.where(rows["a"] == 0, played["wins_a"], played["wins_b"]) + played["draws"] / 2
    pairs: Array = won.reshape(-1, 2).mean(axis=1)
    return pairs
