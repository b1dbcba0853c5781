"""How many games a second an end-to-end policy plays against itself.

    python -m studies.actor_speed RUN [GAMES]

Without PyTorch, by CPU time of one thread, all GAMES (256) at once, as a job of learning plays
them; the median and the range of nine batches, after one that is not counted.
"""

import sys
from statistics import median
from time import thread_time

import numpy as np

from hsevo.learning.acting import checkpoints
from hsevo.learning.acting.jobs import Deals, begin
from hsevo.learning.acting.rounds import play
from hsevo.learning.run import Learned
from hsevo.play.match import Setting
from hsevo.runs.checkpoints import names

BATCHES = 9


def speeds(run: Learned, games: int) -> list[float]:
    """Return games a second of each batch."""
    actor = checkpoints.read(run.path / "checkpoints" / f"{names(run.path)[-1]}.pt").actor()
    decks = run.decks
    pairs = [(decks[k % len(decks)], decks[k // len(decks) % len(decks)]) for k in range(games)]
    found = []
    for batch in range(1 + BATCHES):
        seeds = np.arange(games, dtype=np.uint64) + np.uint64(games * batch)
        deals = Deals(np.zeros((games, 2), np.int64), pairs, seeds, Setting())
        before = thread_time()
        begun, _, lists = begin([actor], deals, random=False)
        play(begun, [actor], deals.who, deals.seeds, 0, lists)
        found.append(games / (thread_time() - before))
    return found[1:]


if __name__ == "__main__":
    all_ = speeds(Learned(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 256)
    print(f"{median(all_):.0f} games/s ({min(all_):.0f} to {max(all_):.0f})")
