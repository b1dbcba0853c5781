"""Tournaments: pair individuals and decks, play the matches, and sum the results.

    meet() or mirrored() --> PAIRING rows --play() over workers--> RESULT rows
        --tally()--> SCORE rows

A row is one match: individual a with deck_a against individual b with deck_b, `games` times.
Two individuals that meet play every ordered pair of decks, so each plays each of its decks against
each deck of the other (equation 13 of the paper). `meet` gives every match a seed of its own;
`mirrored` gives all individuals the same deals. The engine draws the starting player of every game
from the game's seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hsevo.agents.learned.nets import carried
from hsevo.errors import own_fault
from hsevo.files import write_whole
from hsevo.play import match
from hsevo.play.workers import Executor, OnGames
from hsevo.seeds import derive
from hsevo.types import Array

if TYPE_CHECKING:
    import pandas as pd

# The record of an individual, an agent or a deck pair.
SCORE = np.dtype([("wins", "i8"), ("draws", "i8"), ("losses", "i8")])

# Games per job: at most some 60 ms of EVA's. Towards the end jobs get smaller, so that no worker
# waits long for the last one. A remote job costs 3 to 4 ms here (Dask), so there are fewer of them:
# with 64 workers, this process would take longer to hand out small ones than they take to play.
MOST_GAMES, LEAST_GAMES = 640, 8
SHARE = 2  # a job is at most 1 / SHARE of a worker's equal share of what is left
REMOTE_JOBS = 3  # of each worker, about


def round_robin(ids: Sequence[int] | Array, n_decks: int, games: int, key: Sequence[int]) -> Array:
    """Pair all individuals over all ordered pairs of decks; see `meet`.

    ids: (n,) identities of the individuals. Returns match.PAIRING (n (n - 1) / 2 * n_decks^2,).
    """
    meetings = np.transpose(np.triu_indices(len(ids), 1))
    return meet(meetings, ids, range(n_decks), games, key)


def meet(meetings: Array, ids: Sequence[int] | Array, decks: Sequence[int], games: int,
         key: Sequence[int], theirs: Sequence[int] | None = None) -> Array:
    """Pair individuals over all ordered pairs of decks, with a different seed for every match.

    meetings: (m, 2) rows of individuals. ids: their identities, for the seeds. decks: those of a,
    and of b unless `theirs` are given, by number. games: of each match, >= 1. key: what
    distinguishes these meetings: run seed, execution, generation.
    Returns match.PAIRING (m * len(decks) * len(theirs),), meeting by meeting, deck_a before deck_b.
    """
    named = np.asarray(ids, np.int64)[meetings]
    deck_a, deck_b = _all_decks(decks, theirs)
    seeds = derive(key, named[:, :1], named[:, 1:], deck_a, deck_b)
    return match.pairings(meetings[:, :1], meetings[:, 1:], deck_a, deck_b, seeds, games).ravel()


def mirrored(meetings: Array, decks: Sequence[int], games: int, key: Sequence[int],
             theirs: Sequence[int] | None = None) -> Array:
    """Pair individuals over all ordered pairs of decks, with the same deals for all.

    As `meet`, but the seed of a match depends only on its decks, and each match is followed by
    its mirror image with a and b swapped (with `theirs`, their decks, too): `games` games from
    either seat. Returns match.PAIRING, twice as many as of `meet`.
    """
    deck_a, deck_b = _all_decks(decks, theirs)
    rows = match.pairings(meetings[:, :1], meetings[:, 1:], deck_a, deck_b,
                          derive(key, deck_a, deck_b), games)
    return match.pairs(rows, decks=theirs is not None).ravel()


def _all_decks(decks: Sequence[int], theirs: Sequence[int] | None) -> Array:
    """Return all ordered pairs of decks, (2, n): those of a, and those of b."""
    opposing = decks if theirs is None else theirs
    return np.array(list(product(decks, opposing)), np.int64).reshape(-1, 2).T


def play(executor: Executor, pairings: Array, agents: Array, setting: match.Setting,
         on_games: OnGames = lambda games: None) -> Array:
    """Play all rows on the workers; return match.RESULT, one row per pairing, in order.

    agents: AGENT (n,), such as `agents.agent.eva` returns. on_games: called with the number of
    games of each finished block. Raises GameError, with the seed, if the engine refused a game.
    """
    results = []
    for block, result in play_blocks(executor, pairings, agents, setting):
        results.append(result)
        on_games(int(block["games"].sum()))
    return np.concatenate(results) if results else np.empty(0, match.RESULT)


def play_blocks(executor: Executor, pairings: Array, agents: Array,
                setting: match.Setting) -> Iterator[tuple[Array, Array]]:
    """Play as `play`; yield blocks of rows in order, each with its match.RESULT rows."""
    blocks = split(pairings, executor.workers, executor.remote)
    nets = carried(agents)
    jobs = ((block, agents, setting, *nets) for block in blocks)
    for block, result in zip(blocks, executor(match.play_block, jobs), strict=True):
        refuse_faults(result, block["seed"], partial(_named, block, setting))
        yield block, result


def split(pairings: Array, workers: int, remote: bool = False) -> list[Array]:
    """Split rows into blocks for so many workers, smaller towards the end, at least one row each.

    Guided self-scheduling (Polychronopoulos and Kuck, 1987): a block is a share of what is left.
    remote: blocks cost much, so they are longer. Results do not depend on the blocks.
    """
    after = np.cumsum(pairings["games"], dtype=np.int64)
    least = LEAST_GAMES
    if remote and len(after):
        least = max(least, int(after[-1]) // (REMOTE_JOBS * workers))
    cuts, done = [0], 0
    while len(after) and done < after[-1]:
        share = (int(after[-1]) - done) // (SHARE * workers)
        target = done + min(max(share, least), MOST_GAMES)
        cuts.append(min(int(np.searchsorted(after, target)) + 1, len(after)))
        done = int(after[cuts[-1] - 1])
    return [pairings[start:end] for start, end in pairwise(cuts)]


def refuse_faults(results: Array, seeds: Array,
                  named: Callable[[int], str] = lambda i: "") -> None:
    """Raise GameError, with the first seed, if the engine refused a game.

    results: match.RESULT (n,); seeds: uint64 (n,), of the matches; named: returns more about
    match i, to print after its seed.
    """
    bad = np.flatnonzero(results["faults"])
    if len(bad):
        raise own_fault(f"the engine rejected {results['faults'].sum()} games, the first in the"
                        f" match with seed {seeds[bad[0]]}{named(int(bad[0]))}")


def _named(pairings: Array, setting: match.Setting, i: int) -> str:
    """Return the individuals, decks and ruleset of match i, for messages."""
    row = pairings[i]
    decks = [setting.decks[row[side]].name for side in ("deck_a", "deck_b")]
    return (f": individuals {row['a']} ({decks[0]}) and {row['b']} ({decks[1]}) of the field,"
            f" ruleset {setting.ruleset}")


def tally(pairings: Array, results: Array, n: int) -> Array:
    """Sum the results of each of n individuals; SCORE (n,).

    Raises GameError if a row does not add up to its games: no game is lost silently.
    """
    played = results["wins_a"] + results["wins_b"] + results["draws"]
    if (played != pairings["games"]).any():
        row = pairings[np.flatnonzero(played != pairings["games"])[0]]
        raise own_fault(f"the results of the match with seed {row['seed']} do not add up to its"
                        f" {row['games']} games")
    scores = np.zeros(n, SCORE)
    for own, opponent in (("a", "b"), ("b", "a")):
        np.add.at(scores["wins"], pairings[own], results[f"wins_{own}"])
        np.add.at(scores["losses"], pairings[own], results[f"wins_{opponent}"])
        np.add.at(scores["draws"], pairings[own], results["draws"])
    return scores


def both_sides(pairings: Array, results: Array) -> pd.DataFrame:
    """List every row twice, once from the view of each side.

    Returns columns agent, opponent, deck, opponent_deck (indices), games, wins, draws, losses,
    turns, margin (summed over the agent's wins), all whole numbers.
    """
    import pandas as pd

    sides = []
    for own, opponent in (("a", "b"), ("b", "a")):
        sides.append(pd.DataFrame({
            "agent": pairings[own], "opponent": pairings[opponent],
            "deck": pairings[f"deck_{own}"], "opponent_deck": pairings[f"deck_{opponent}"],
            "games": pairings["games"], "wins": results[f"wins_{own}"],
            "draws": results["draws"], "losses": results[f"wins_{opponent}"],
            "turns": results["turns"], "margin": results[f"margin_{own}"]}))
    return pd.concat(sides, ignore_index=True).astype(np.int64)


def agents_table(names: Sequence[str], scores: Array) -> pd.DataFrame:
    """Rank agents: columns agent, wins, draws, losses, rate, low, high; best rate first.

    rate: wins / games (draws don't count, as in the fitness); low and high: its 95 % Wilson
    interval. Agents with equal rates stay in the given order.
    """
    import pandas as pd

    games = scores["wins"] + scores["draws"] + scores["losses"]
    low, high = wilson(scores["wins"], games)
    table = pd.DataFrame({"agent": list(names), "wins": scores["wins"], "draws": scores["draws"],
                          "losses": scores["losses"], "rate": scores["wins"] / games,
                          "low": low, "high": high})
    return table.sort_values("rate", ascending=False, kind="stable", ignore_index=True)


def wilson(wins: Iterable[int], games: Iterable[int]) -> tuple[Array, Array]:
    """Return the ends, float64 (n,), of the 95 % Wilson intervals of n rates; NaN without games."""
    from scipy.stats import binomtest  # half a second to import

    ends = [binomtest(int(k), int(n)).proportion_ci(0.95, "wilson") if n else (np.nan, np.nan)
            for k, n in zip(wins, games, strict=True)]
    low, high = np.array(ends, np.float64).reshape(-1, 2).T
    return low, high


def write_table(path: Path, table: pd.DataFrame) -> None:
    """Write a table as CSV with full precision, atomically."""
    write_whole(path, table.to_csv(index=False).encode())
