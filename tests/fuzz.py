"""Play many random games of random decks, and check every position: python -m tests.fuzz N [SEED]

Every ruleset in turn, decks of 15, 30 and 60 cards of all classes, in batches of 1,000. Stops with
the batch's seed at the first position that breaks a rule; `play_out(*begin(SEED, n, ruleset),
check_all)` of tests/random_games.py then plays the very same games again.
"""

import sys
import time

import numpy as np

from hsevo.cards.rulesets import RULESETS
from hsevo.games import results
from tests.random_games import begin, check_all, play_out

BATCH = 1_000


def main(n: int, seed: int) -> None:
    """Play n games from seeds that begin with `seed`."""
    began, ends, turns = time.monotonic(), np.zeros(4, int), 0
    for batch in range(-(-n // BATCH)):
        ruleset = list(RULESETS)[batch % len(RULESETS)]
        size = min(BATCH, n - batch * BATCH)
        try:
            games = play_out(*begin(seed + batch, size, ruleset), check_all)
        except Exception as error:
            sys.exit(f"seed {seed + batch}, {size} games of {ruleset}: {error}")
        ends += np.bincount(results(games), minlength=4)
        turns += int(games.records["turn"].sum())
        if batch % 10 == 9:
            print(f"{ends.sum():,} games", flush=True)
    print(f"{ends.sum():,} random games without a fault: {ends[1]:,} and {ends[2]:,} won by the two"
          f" players, {ends[3]:,} drawn, {turns / ends.sum():.1f} turns a game,"
          f" {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
