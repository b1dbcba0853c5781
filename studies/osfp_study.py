"""What OSFP is good for: it learns small games beside plain self-play, and draws both curves.

    python -m studies.osfp_study OUT --seeds 10
    python -m studies.osfp_study OUT --game leduc --seeds 3 --entropy 0.2

OUT gets osfp.csv (game, opponents, seed, games, exploitability of the latest policy), osfp.svg and
osfp.png. Printed are the exploitabilities at the end. The docs show such pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pandas as pd

from hsevo.config.learning import OsfpSettings
from hsevo.pictures import COLOURS, Picture, single
from tests.support.small_games import biased_rps, kuhn, leduc, tree
from tests.support.tabular import STEEP, Budget, learn

if TYPE_CHECKING:
    from hsevo.pictures import Figure

GAMES = {"rps": ("biased rock-paper-scissors", biased_rps), "kuhn": ("Kuhn poker", kuhn),
         "leduc": ("Leduc poker", leduc)}
SHORT = ("rps", "kuhn")  # ten seeds of Leduc poker take minutes
OPPONENTS = {"plain self-play": OsfpSettings(score="mean", self_play=1.0),
             "pool, all alike": OsfpSettings(score="mean", difficulty="even"),
             "OSFP": STEEP}
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)


def curves(names: Sequence[str], seeds: int, budget: Budget,
           power: float) -> Iterator[pd.DataFrame]:
    """Yield the curve of each game, way and seed; names: of GAMES; power: of OSFP's f."""
    for title, rules in (GAMES[name] for name in names):
        game = tree(rules)
        for name, settings in OPPONENTS.items():
            for seed in range(1, seeds + 1):
                found, _ = learn(game, settings.model_copy(update={"power": power}), seed, budget)
                yield curve(title, name, seed, budget, found)


def curve(game: str, way: str, seed: int, budget: Budget, found: Any) -> pd.DataFrame:
    """Return what was found after every period, NashConv (periods,), as lines of osfp.csv."""
    return pd.DataFrame({"game": game, "opponents": way, "seed": seed,
                         "games": budget.steps * budget.games * (1 + pd.RangeIndex(len(found))),
                         "exploitability": found / 2})


def ends(table: pd.DataFrame) -> pd.DataFrame:
    """Return least, median and most exploitability at the end, over the seeds."""
    last = table.groupby(["game", "opponents", "seed"], sort=False)["exploitability"].last()
    return last.groupby(level=[0, 1], sort=False).agg(["min", "median", "max"])


def picture(table: pd.DataFrame) -> Picture:
    """Draw a panel for each game: the median of the seeds, and their range."""
    def draw(figure: Figure) -> None:
        lowest = 0.01 if table["exploitability"].min() < 0.1 else 0.1
        panels = figure.subplots(1, table["game"].nunique(), sharey=True, squeeze=False)[0]
        for axes, (title, rows) in zip(panels, table.groupby("game", sort=False), strict=True):
            for colour, (name, one) in zip(COLOURS[1:], rows.groupby("opponents", sort=False),
                                           strict=False):
                by = one.groupby("games")["exploitability"]
                axes.fill_between(by.min().index / 1e6, by.min(), by.max(), color=colour,
                                  alpha=0.15, linewidth=0)
                axes.plot(by.median().index / 1e6, by.median(), color=colour, label=name)
            axes.set(title=title, xlabel="games (millions)", yscale="log", ylim=(lowest, 2))
            axes.set_yticks(*zip(*((y, str(y)) for y in TICKS if y >= lowest), strict=True))
            axes.set_yticks([], minor=True)
            axes.grid(alpha=0.3)
        panels[0].set_ylabel("exploitability of the latest policy")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)

    return single(draw)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--game", "names", multiple=True, type=click.Choice([*GAMES]), default=SHORT,
              help="May be repeated.")
@click.option("--seeds", type=int, default=10)
@click.option("--periods", type=int, default=Budget.periods)
@click.option("--entropy", type=float, default=Budget.entropy)
@click.option("--power", type=float, default=STEEP.power, help="How steep OSFP's f is.")
def main(out: Path, names: tuple[str, ...], seeds: int, periods: int, entropy: float,
         power: float) -> None:
    """Learn, print, draw."""
    out.mkdir(parents=True, exist_ok=True)
    table = pd.concat(curves(names, seeds, Budget(periods, entropy=entropy), power))
    finish(out, table)


def finish(out: Path, table: pd.DataFrame) -> None:
    """Write curves and their picture, and print the ends."""
    table.to_csv(out / "osfp.csv", index=False, float_format="%.6f")
    drawn = picture(table)
    (out / "osfp.svg").write_bytes(drawn.svg)
    (out / "osfp.png").write_bytes(drawn.png)
    click.echo(ends(table).to_string(float_format="%.3f"))


if __name__ == "__main__":
    main()
