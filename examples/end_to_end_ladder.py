"""Table I of Xiao and others in small: what each switch of the end-to-end policy is worth.

    python examples/end_to_end_ladder.py runs/end-to-end-ladder     stopped, the command goes on

Each rung of RUNGS is a learning config, and learns with three seeds. Then players of two rungs that
differ in one setting meet (STEPS), and all meet random play. Two tables are printed, as Markdown;
pairs.csv in the folder has every match. It needs the extra `torch`.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from learning_ladder import compared, said, show
from scipy.stats import t

import hsevo

SEEDS = (1, 2, 3)
DECKS = ["mage", "warrior"]
RUNGS = {
    "as it is": "end-to-end-smoke",
    "discount 0.99": "end-to-end-ladder-discount",
    "half the games": "end-to-end-ladder-half-games",
    "no V-trace, no PPO": "end-to-end-ladder-vtrace",
    "a network each": "end-to-end-ladder-isolate",
    "deck known": "end-to-end-ladder-deck-known",
    "builds": "end-to-end-ladder-build",
    "builds, no random-CB": "end-to-end-ladder-build-no-random-cb",
}
STEPS = [  # what changes, who has it, who has not
    ("gamma 1 instead of 0.99", "as it is", "discount 0.99"),
    ("half the games a round", "half the games", "as it is"),
    ("V-trace clipped from below, and PPO", "as it is", "no V-trace, no PPO"),
    ("a network for each hero", "a network each", "as it is"),
    ("seeing the opponent's deck", "deck known", "as it is"),
    ("random-CB", "builds", "builds, no random-CB"),
]
GAMES, GAMES_RANDOM, SEED = 104, 200, 779
UNMEASURED = {"payoff_games": 0, "references.against": []}


def player(folder, rung, seed):
    """Have the player of a rung and a seed learn, unless it has; return its spec."""
    path = folder / f"{rung.replace(',', '').replace(' ', '-')}-seed-{seed}"
    if path.exists():
        hsevo.Learned(path).resume(progress=True)
    else:
        hsevo.learn(RUNGS[rung], seed=seed, out=path, changes=UNMEASURED, progress=True)
    return f"rl:{path}"


class Matches:
    """All matches, kept in a file, so that a stopped script goes on."""

    def __init__(self, path):
        self.path = path
        self.rows = pd.read_csv(path).to_dict("records") if path.exists() else []

    def rate(self, one, other, games):
        """Return a match's row: who, games, rate with its interval; play it unless it is there."""
        known = [row for row in self.rows if (row["a"], row["b"]) == (one, other)]
        if not known:
            rate = hsevo.match(one, other, games, decks=DECKS, seed=SEED, progress=True).rate
            known = [{"a": one, "b": other, "games": games, "rate": rate.value,
                      "low": rate.low, "high": rate.high}]
            self.rows += known
            pd.DataFrame(self.rows).to_csv(self.path, index=False)
        return known[0]


def step_table(matches, specs):
    """Return the table of steps: the share of games that the players with a setting won."""
    lines = [["what changes", "%"]]
    for what, ours, theirs in STEPS:
        rates = np.array([[matches.rate(one, other, GAMES)["rate"] for other in specs[theirs]]
                          for one in specs[ours]])
        lines.append([what, said(*compared(rates))])
    return lines


def random_table(matches, specs):
    """Return the table of each rung's players against random play: each seed, and their mean."""
    lines = [["% against `random`", *(f"seed {seed}" for seed in SEEDS), "mean"]]
    wide = t.ppf(0.975, len(SEEDS) - 1) / len(SEEDS)**0.5  # Student's t over seeds
    for rung, ours in specs.items():
        found = [matches.rate(spec, "random", GAMES_RANDOM) for spec in ours]
        values = np.array([row["rate"] for row in found])
        mean, half = values.mean(), wide * values.std(ddof=1)
        lines.append([rung, *(said(row["rate"], row["low"], row["high"]) for row in found),
                      said(mean, max(mean - half, 0.0), min(mean + half, 1.0))])
    return lines


def main():
    """Learn, play, print."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "runs/end-to-end-ladder")
    specs = {rung: [player(folder, rung, seed) for seed in SEEDS] for rung in RUNGS}
    matches = Matches(folder / "pairs.csv")
    show(step_table(matches, specs))
    show(random_table(matches, specs))


if __name__ == "__main__":
    try:
        main()
    except hsevo.HsevoError as error:  # PyTorch is missing: the line says how to install it
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
