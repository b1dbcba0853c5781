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
from scipy.stats import t

import hsevo

SEEDS = (1, 2, 3)
RUNGS = {
    "discount 0.99": "osfp-ladder-discount",
    "64 games": "osfp-ladder-64-games",
    "32 games": "osfp-smoke",  # the rung that the next are changes of
    "16 games": "osfp-ladder-16-games",
    "self-play": "osfp-ladder-self-play",
    "trace 0": "osfp-ladder-trace-0",
    "trace 1": "osfp-ladder-trace-1",
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


def compared(rates):
    """Return the mean of rates (n, m) of n players against m others, and its 95 % interval.

    Seeds of both sides are samples: Welch's interval, from the means of rows and of columns.
    """
    parts = [means.var(ddof=1) / len(means) for means in (rates.mean(axis=1), rates.mean(axis=0))]
    freedom = sum(parts)**2 / sum(part**2 / (k - 1) for part, k in zip(
        parts, rates.shape, strict=True)) if sum(parts) else np.inf
    half = t.ppf(0.975, freedom) * sum(parts)**0.5
    return rates.mean(), max(rates.mean() - half, 0.0), min(rates.mean() + half, 1.0)


def said(rate, low, high):
    """Return a rate with its interval, in per cent."""
    return f"{100 * rate:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def rung_table(pairs, specs):
    """Return the table of each rung (row) against each (column); pairs: of an arena."""
    rates = pairs.set_index(["agent", "opponent"])["rate"]
    lines = [["%", *specs]]
    for row, ours in specs.items():
        met = {column: np.array([[rates[one, other] for other in theirs] for one in ours])
               for column, theirs in specs.items() if column != row}
        lines.append([row, *(said(*compared(met[column])) if column in met else "50"
                             for column in specs)])
    return lines


def eva_table(specs):
    """Return the table of each rung's players against EVA, one column a seed, and their mean."""
    lines = [["% against `eva:2018`", *(f"seed {seed}" for seed in SEEDS), "mean"]]
    wide = t.ppf(0.975, len(SEEDS) - 1) / len(SEEDS)**0.5  # Student's t over seeds
    for rung, ours in specs.items():
        rates = [hsevo.match(spec, "eva:2018", GAMES_EVA, seed=SEED, progress=True).rate
                 for spec in ours]
        values = np.array([rate.value for rate in rates])
        mean, half = values.mean(), wide * values.std(ddof=1)
        lines.append([rung, *(said(rate.value, rate.low, rate.high) for rate in rates),
                      said(mean, mean - half, mean + half)])
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
