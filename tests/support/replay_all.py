"""Play every game of a match folder again: `python -m tests.support.replay_all DIR`.

Printed is how many come out otherwise, in winner, turns or margin.
"""

import sys
from pathlib import Path

import pandas as pd

import hsevo

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    games = len(pd.read_csv(folder / "games.csv"))
    print(sum(not hsevo.replay(folder, part=k).verdict()[1] for k in range(games)))
