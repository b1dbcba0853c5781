"""How far an analysis can be trusted: `python -m studies.analysis_study`, JSON on stdout.

Two questions, each with games and positions of its own, one position a game so that they are
independent:

    reliability   of positions with a chance of 70 %, are seven in ten won?
    better        how much more does the analyst's move win than the agent's own, where they differ?
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hsevo.agents.learned import nets
from hsevo.analysis.analysing import ANALYST
from hsevo.cards.decks import read_deck
from hsevo.config import Workers
from hsevo.engine.record.state import WIN_0
from hsevo.play.games import GameBatch
from hsevo.play.tournament import wilson
from hsevo.play.workers import open_workers
from hsevo.replays.decisions import play_on
from hsevo.seeds import derive
from hsevo.strength.roster import read_agent

Array = npt.NDArray[Any]
DECKS = ("warrior", "shaman", "mage")
SEED = 2026
RELIABILITY, BETTER, SAMPLED = 1, 2, 4  # parts of keys
GAMES, WORLDS = 900, 40  # of the reliability
POSITIONS, BETTER_GAMES, BETTER_WORLDS = 2_000, 6_300, 8
BINS = 5


def begun(n: int, part: int) -> GameBatch:
    """Return n games, the same number of each pair of decks."""
    lists = [read_deck(name) for name in DECKS]
    pairs = [(one, other) for one in lists for other in lists]
    seeds = derive((SEED, part), np.arange(n))
    return GameBatch.new([pairs[k % 9][0] for k in range(n)], [pairs[k % 9][1] for k in range(n)],
                     seeds.tolist())


def sampled(games: GameBatch, agent: Array, fits: Callable[[Array, Array], Array]) -> Array:
    """Play games to the end; return a state of each, uniform among those that fit.

    fits: of the turn and the turn before, which states can be taken.
    """
    kept, seen = games.take(slice(None)).states, np.zeros(len(games), np.int64)
    before, numbers = np.zeros(len(games), np.int64), np.arange(len(games))
    for step in itertools.takewhile(lambda _: games.running.any(), itertools.count()):
        turn = games.states["turn"].astype(np.int64)
        there = games.running & fits(turn, before)
        seen[there] += 1
        share = derive((SEED, SAMPLED, step), numbers) / 2**64
        chosen = there & (share * seen < 1)
        kept.view(np.ndarray)[chosen] = games.states.view(np.ndarray)[chosen]
        before = turn
        games.ask(agent)
    return kept


def outcomes(states: Array, moves: list[list[int]], worlds: int, part: int) -> Iterator[Array]:
    """Yield which worlds are won after each move, bool (moves, worlds), for each state in order."""
    agent = np.concatenate([read_agent(ANALYST)] * 2)
    jobs = ((states[k:k + 1].copy(), "cig2018", "fair", moves[k],
             derive((SEED, part, k), np.arange(worlds)), agent, nets.carried(agent))
            for k in range(len(states)))
    with open_workers(Workers()) as executor:
        for k, results in enumerate(executor(play_on, jobs)):
            yield results == WIN_0 + int(states[k]["me"])


def reliability() -> dict[str, Any]:
    """Compare chances at the beginning of turns with how the games ended, in bins of chances."""
    games = begun(GAMES, RELIABILITY)
    states = sampled(games, read_agent(ANALYST), lambda turn, before: turn != before)
    moves = [[int(move)] for move in GameBatch(states).take(slice(None)).ask(read_agent(ANALYST))]
    chances = np.array([won.mean() for won in outcomes(states, moves, WORLDS, RELIABILITY)])
    ended = games.results == WIN_0 + states["me"].astype(np.int64)
    places = np.minimum((chances * BINS).astype(int), BINS - 1)
    rows = []
    for k in range(BINS):
        there = places == k
        low, high = wilson([int(ended[there].sum())], [int(there.sum())])
        rows.append({"from": k / BINS, "to": (k + 1) / BINS, "positions": int(there.sum()),
                     "chance": chances[there].mean(), "won": ended[there].mean(),
                     "low": low[0], "high": high[0]})
    return {"games": GAMES, "worlds": WORLDS, "bins": rows}


def better() -> dict[str, Any]:
    """Play on from one decision of eva:2018 a game, after its move and the analyst's."""
    own = read_agent("eva:2018")
    states = sampled(begun(BETTER_GAMES, BETTER), own, lambda turn, before: turn > 0)
    pairs = np.array([GameBatch(states).take(slice(None)).ask(agent)
                      for agent in (own, read_agent(ANALYST))]).T
    differ = np.flatnonzero(pairs[:, 0] != pairs[:, 1])[:POSITIONS]
    moves = [[int(move) for move in pairs[k]] for k in differ]
    gains = np.array([won[1].mean() - won[0].mean()
                      for won in outcomes(states[differ], moves, BETTER_WORLDS, BETTER)])
    half = 1.96 * gains.std(ddof=1) / np.sqrt(len(gains))
    return {"positions": len(gains), "worlds": BETTER_WORLDS, "differ": float(
        (pairs[:, 0] != pairs[:, 1]).mean()), "gain": gains.mean(), "low": gains.mean() - half,
            "high": gains.mean() + half}


def main() -> None:
    """Print what was found."""
    parts = {one.__name__: one for one in (better, reliability)}
    wanted = sys.argv[1:] or [*parts]
    found = {name: parts[name]() for name in wanted}
    print(json.dumps(found, indent=1, default=float))


if __name__ == "__main__":
    main()
