"""Four ways to learn the battle, each tuned alike: OSFP, plain self-play, PPO, mirror descent.

    python examples/ways_to_learn.py runs/ways          stopped, the same command goes on

Each way learns once with every setting of SETTINGS, for two periods. With the one that wins most
against eva:2018 it learns again with three seeds, for four. Four tables are printed, as Markdown:
tuning; what was chosen, and its speed; each way against EVA; each way against each.
"""

import sys
from itertools import chain, product
from pathlib import Path

import numpy as np
from learning_ladder import GAMES, GAMES_EVA, SEED, mean_of, rung_table, said, show

import hsevo

WAYS = {"OSFP": "osfp-smoke", "plain self-play": "osfp-ladder-self-play", "PPO": "ppo-smoke",
        "mirror descent": "mmd-smoke"}
SETTINGS = [{"learner.rate": rate, "learner.epochs": epochs}
            for rate, epochs in product((0.001, 0.003), (1, 2))]
TUNING_SEED, TUNING_GAMES, SEEDS = 101, 780, (11, 12, 13)
TUNING_PERIODS, PERIODS = 2, 4
OPPONENT = "eva:2018"


def learned(path, config, seed, periods, settings):
    """Have a player learn, unless it has; return the run."""
    if path.exists():
        return hsevo.Learned(path).resume(progress=True)
    return hsevo.learn(config, seed=seed, out=path, progress=True,
                       changes={"payoff_games": 0, "periods": periods} | settings)


def words(settings):
    """Return settings in words."""
    return ", ".join(f"{value:g}" for value in settings.values())


def tuned(beginning, config, own, every):
    """Return the rate of each setting against EVA; own: what a way sets beside them."""
    rates = []
    for number, settings in enumerate(every):
        run = learned(beginning.with_name(f"{beginning.name}-setting-{number}"), config,
                      TUNING_SEED, TUNING_PERIODS, own | settings)
        rates.append(hsevo.match(run.agent(), OPPONENT, GAMES_EVA, seed=TUNING_GAMES,
                                 progress=True).rate)
    return rates


def speed(runs):
    """Return how many games runs play and learn from in a second of CPU time."""
    seconds = sum(run.table("times.csv")["cpu_seconds"].sum() for run in runs)
    return sum(run.learning["games"].sum() for run in runs) / seconds


def eva_line(way, runs):
    """Return the line of a way in the table against EVA: each seed, and Student's t over them."""
    rates = [hsevo.match(run.agent(), OPPONENT, GAMES_EVA, seed=SEED, progress=True).rate
             for run in runs]
    return [way, *map(said, [*rates, mean_of(rates)])]


def compare(folder, ways, every, name):
    """Tune, learn, play, print.

    ways: of each its config and what it sets; every: the settings that are tried, called `name`.
    """
    tuning = {way: tuned(folder / way.replace(" ", "-"), *ways[way], every) for way in ways}
    best = {way: every[int(np.argmax([rate.value for rate in rates]))]
            for way, rates in tuning.items()}
    runs = {way: [learned(folder / f"{way.replace(' ', '-')}-seed-{seed}", config, seed, PERIODS,
                          own | best[way]) for seed in SEEDS]
            for way, (config, own) in ways.items()}
    specs = {way: [f"rl:{run.path}" for run in ours] for way, ours in runs.items()}
    pairs = hsevo.arena([*chain(*specs.values())], GAMES, seed=SEED, progress=True).pairs
    show([[name, *map(words, every)],
          *([way, *map(said, rates)] for way, rates in tuning.items())])
    show([["algorithm", name, "games/s"],
          *([way, words(best[way]), f"{speed(runs[way]):.0f}"] for way in ways)])
    show([[f"% against `{OPPONENT}`", *(f"seed {seed}" for seed in SEEDS), "mean"],
          *(eva_line(way, runs[way]) for way in ways)])
    show(rung_table(pairs, specs))


def main():
    """Compare the four ways."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "runs/ways")
    compare(folder, {way: (config, {}) for way, config in WAYS.items()}, SETTINGS,
            "learning rate, epochs")


if __name__ == "__main__":
    try:
        main()
    except hsevo.HsevoError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
