"""Table I of Xiao and others in small: what each setting of `hsevo learn` is worth, by games.

    python examples/learning_ladder.py runs/ladder      stopped, the same command goes on

Each rung of RUNGS is a learning config, and learns with three seeds. Then all players meet each
other, and EVA. Two tables are printed, as Markdown: each rung against each, and each against EVA.
players.csv in the folder has every pair of players.
"""

import sys
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd

import hsevo
from hsevo.strength.intervals import over_seeds

SEEDS = (1, 2, 3)
RUNGS = {
    "discount 0.99": "osfp-ladder-discount",
    "64 games": "osfp-ladder-64-games",
    "32 games": "osfp-smoke",  # the rung that the next are changes of
    "16 games": "osfp-ladder-16-games",
    "self-play": "osfp-ladder-self-play",
    "lambda 0": "osfp-ladder-trace-0",
    "lambda 1": "osfp-ladder-trace-1",
}
GAMES, GAMES_EVA, SEED = 360, 2016, 779


def player(folder, rung, seed):
    """Have the player of a rung and a seed learn, unless it has; return its spec."""
    path = folder / f"{rung.replace(' ', '-')}-seed-{seed}"
    if path.exists():
        hsevo.Learned(path).resume(progress=True)
    else:
        hsevo.learn(RUNGS[rung], seed=seed, out=path, changes={"payoff_games": 0}, progress=True)
    return f"rl:{path}"


def said(rate):
    """Return an estimate with its interval, in per cent."""
    return f"{100 * rate.value:.1f} ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def rung_table(pairs, specs):
    """Return the table of each rung (row) against each (column); pairs: of an arena."""
    rates = pairs.set_index(["agent", "opponent"])["rate"]
    lines = [["%", *specs]]
    for row, ours in specs.items():
        met = {column: np.array([[rates[one, other] for other in theirs] for one in ours])
               for column, theirs in specs.items() if column != row}
        lines.append([row, *(said(over_seeds(met[column])) if column in met else "50"
                             for column in specs)])
    return lines


def mean_of(rates):
    """Return the mean of estimates of players that learned with a seed each."""
    return over_seeds(np.array([[rate.value] for rate in rates]))


def eva_table(specs):
    """Return the table of each rung's players against EVA, one column a seed, and their mean."""
    lines = [["% against `eva:2018`", *(f"seed {seed}" for seed in SEEDS), "mean"]]
    for rung, ours in specs.items():
        rates = [hsevo.match(spec, "eva:2018", GAMES_EVA, seed=SEED, progress=True).rate
                 for spec in ours]
        lines.append([rung, *map(said, [*rates, mean_of(rates)])])
    return lines


def show(lines):
    """Print a table as Markdown."""
    for line in (lines[0], ["---"] * len(lines[0]), *lines[1:]):
        print("| " + " | ".join(line) + " |")
    print()


def main():
    """Learn, play, print."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "runs/ladder")
    specs = {rung: [player(folder, rung, seed) for seed in SEEDS] for rung in RUNGS}
    pairs = hsevo.arena([*chain(*specs.values())], GAMES, seed=SEED, progress=True).pairs
    pd.DataFrame(pairs).to_csv(folder / "players.csv", index=False)
    show(rung_table(pairs, specs))
    show(eva_table(specs))


if __name__ == "__main__":
    try:
        main()
    except hsevo.HsevoError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
