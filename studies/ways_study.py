"""Ways to learn small games, each tuned alike: OSFP, plain self-play, PPO, magnetic mirror descent.

    python -m studies.ways_study OUT --seeds 6

Each way learns each game once with every setting of a grid; the setting that ends least exploitable
is measured again, with seeds of its own. OUT gets tuning.csv (game, way, rate, entropy, fade,
exploitability), osfp.csv as osfp_study writes it, of the settings that were chosen, osfp.svg and
osfp.png. Printed are the settings and the exploitabilities at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import click
import pandas as pd

from hsevo.config.learning import OsfpSettings
from studies.osfp_study import GAMES, curve, finish
from tests.support.small_games import tree
from tests.support.tabular import STEEP, Budget, Update, learn, mirror_descent, ppo, reinforce

ALONE = OsfpSettings(score="mean", self_play=1.0)
WAYS: dict[str, tuple[OsfpSettings, Update]] = {
    "plain self-play": (ALONE, reinforce), "OSFP": (STEEP, reinforce), "PPO": (ALONE, ppo),
    "mirror descent": (ALONE, mirror_descent)}
RATES, ENTROPIES, FADES = (0.1, 0.3, 1.0), (0.01, 0.05, 0.2), (False, True)
LAST = 5  # periods at the end, the mean of which decides
TUNED = 100  # the seed of tuning, which no measurement has


def tuning(names: tuple[str, ...], periods: int) -> Iterator[dict[str, object]]:
    """Yield what each way comes to with each setting."""
    for name, way in product(names, WAYS):
        settings, update = WAYS[way]
        game = tree(GAMES[name][1])
        for rate, entropy, fade in product(RATES, ENTROPIES, FADES):
            budget = Budget(periods, rate=rate, entropy=entropy, fade=fade)
            found, _ = learn(game, settings, TUNED, budget, update)
            yield {"game": GAMES[name][0], "way": way, "rate": rate, "entropy": entropy,
                   "fade": fade, "exploitability": found[-LAST:].mean() / 2}


def chosen(table: pd.DataFrame) -> pd.DataFrame:
    """Return the setting of each game and way that ended least exploitable."""
    best = table.groupby(["game", "way"], sort=False)["exploitability"].idxmin()
    return table.loc[best].reset_index(drop=True)


def measured(names: tuple[str, ...], settings: pd.DataFrame, seeds: int,
             periods: int) -> Iterator[pd.DataFrame]:
    """Yield the curve of each game, way and seed with the settings that were chosen."""
    games = {GAMES[name][0]: tree(GAMES[name][1]) for name in names}
    for row in settings.itertuples():
        asked, update = WAYS[row.way]
        budget = Budget(periods, rate=row.rate, entropy=row.entropy, fade=row.fade)
        for seed in range(1, seeds + 1):
            found, _ = learn(games[row.game], asked, seed, budget, update)
            yield curve(str(row.game), str(row.way), seed, budget, found)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--game", "names", multiple=True, type=click.Choice([*GAMES]),
              default=("kuhn", "leduc"), help="May be repeated.")
@click.option("--seeds", type=int, default=6)
@click.option("--periods", type=int, default=Budget.periods)
def main(out: Path, names: tuple[str, ...], seeds: int, periods: int) -> None:
    """Tune, learn, print, draw."""
    out.mkdir(parents=True, exist_ok=True)
    tried = pd.DataFrame(tuning(names, periods))
    tried.to_csv(out / "tuning.csv", index=False, float_format="%.6f")
    best = chosen(tried)
    click.echo(best.to_string(index=False, float_format="%.3f"))
    finish(out, pd.concat(measured(names, best, seeds, periods)))


if __name__ == "__main__":
    main()
