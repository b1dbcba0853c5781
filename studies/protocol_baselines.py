"""Train and measure the baselines of hsevo-battle protocol, version 1.

    python -m studies.protocol_baselines OUT                           1 million decisions, 3 seeds
    python -m studies.protocol_baselines OUT --millions 10 --seeds 1
    python -m studies.protocol_baselines OUT --only osfp-smoke --only random

OUT gets a folder for each learner, budget and seed, and costs.csv and rates.csv. The study prints
the tables of docs/pages/results/protocol.md. A finished folder is not trained again. The learners
of examples/ need PyTorch, and sb3_ppo.py also needs the extra sb3.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import click
import pandas as pd

from hsevo.strength.intervals import of_matches
from hsevo.strength.rating import Estimate
from studies import ROOT

EXAMPLES = ROOT / "examples"
OPPONENTS = ("random", "eva:2018", "rl:2026", "rl:2026?search=turn")
SPLITS = ("seen", "held-out")


class Learner(NamedTuple):
    """A learner of the protocol. words: of the command that trains it, after the program."""

    simulates: bool  # it simulates each legal action before it chooses one
    words: Callable[[int, int, Path], list[str]]  # of millions of decisions, seed and folder


def _config(name: str, periods: int, *more: str) -> Learner:
    """Return a learner of `hsevo learn`; periods: as many as have a million decisions."""
    def words(millions: int, seed: int, out: Path) -> list[str]:
        return ["-m", "hsevo", "learn", "--config", name, "--seed", str(seed), "--out", str(out),
                "--set", f"periods={periods * millions}", *more, "--workers", "1"]

    return Learner(True, words)


def _example(file: str, option: str) -> Learner:
    """Return a learner of examples/; option: the one for the number of decisions."""
    def words(millions: int, seed: int, out: Path) -> list[str]:
        return [str(EXAMPLES / file), f"--{option}", str(millions * 1_000_000),
                "--seed", str(seed), "--out", str(out)]

    return Learner(False, words)


LEARNERS = {
    "ppo_self_play.py": _example("ppo_self_play.py", "decisions"),
    "sb3_ppo.py": _example("sb3_ppo.py", "steps"),
    "osfp-smoke": _config("osfp-smoke", 6),
    "osfp-ladder-self-play": _config("osfp-ladder-self-play", 5),
    "osfp-ladder-self-play, Expected SARSA": _config(
        "osfp-ladder-self-play", 5, "--set", "learner.targets=expected-sarsa"),
    "ppo-smoke": _config("ppo-smoke", 5),
    "mmd-smoke": _config("mmd-smoke", 5),
}


def run(words: Iterable[str]) -> float:
    """Run a Python program with one thread; return its CPU seconds. It must succeed."""
    before = os.times()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"OMP_NUM_THREADS": "1"})
    after = os.times()
    return (after.children_user - before.children_user
            + after.children_system - before.children_system)


def trained(out: Path) -> tuple[int | None, int | None]:
    """Return the decisions and games of a training folder; None: it does not say."""
    if not out.exists():
        return 0, 0
    if (out / "learning.csv").exists():
        table = pd.read_csv(out / "learning.csv")
        return int(table["positions"].sum()), int(table["games"].sum())
    if (out / "log.csv").exists():
        last = pd.read_csv(out / "log.csv").iloc[-1]
        return int(last["decisions"]), int(last["games"])
    return None, None


def measure(name: str, millions: int, seed: int, out: Path) -> None:
    """Train a learner, measure it by the protocol, and write costs.csv and rates.csv."""
    out.mkdir(parents=True, exist_ok=True)
    folder = out / "trained"
    cpu, agent = 0.0, name
    if name in LEARNERS:
        cpu = run(LEARNERS[name].words(millions, seed, folder))
        player = folder / "player.py"
        agent = f"py:{player}#player" if player.exists() else f"rl:{folder}"
    benchmark = out / "benchmark"
    spent = run(["-m", "hsevo", "benchmark", agent, "--panel", "protocol-1", "--workers", "1",
                 "--out", str(benchmark)])
    splits = pd.read_csv(benchmark / "splits.csv")
    splits.to_csv(out / "rates.csv", index=False)
    decisions, games = trained(folder)
    with (out / "costs.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["decisions", "games", "cpu_minutes", "games_per_second"])
        speed = splits["games"].sum() / spent
        table.writerow([decisions, games, f"{cpu / 60:.1f}", f"{speed:.0f}"])


def costs(title: str, simulates: bool, folders: list[Path]) -> str:
    """Return a learner's row of the table of costs: means over seeds."""
    mean = pd.concat([pd.read_csv(folder / "costs.csv") for folder in folders]).mean()
    decisions, games = ("not counted" if pd.isna(mean[key]) else f"{mean[key]:,.0f}"
                        for key in ("decisions", "games"))
    return (f"| `{title}` | {'yes' if simulates else 'no'} | {len(folders)} | {decisions} |"
            f" {games} | {mean['cpu_minutes']:.1f} | {mean['games_per_second']:.0f} |")


def rates(title: str, split: str, folders: list[Path]) -> str:
    """Return a learner's row of win rates in %: with one seed, of its games; else over seeds."""
    cells = []
    for opponent in OPPONENTS:
        each = pd.concat([_rows(folder, split, opponent) for folder in folders])
        matches = [[Estimate(*row)] for row in each[["rate", "rate_low", "rate_high"]].to_numpy()]
        cells.append(of_matches(matches).percent(1).replace(" % ", " ") if matches else "")
    return f"| `{title}` | {' | '.join(cells)} |"


def _rows(folder: Path, split: str, opponent: str) -> pd.DataFrame:
    """Return the rates against an opponent; its name in a table has its options, too."""
    table = pd.read_csv(folder / "rates.csv")
    name = table["opponent"].str.partition("&")[0]
    return table[(table["split"] == split) & (name == opponent)]


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--millions", type=click.Choice(["1", "10"]), default="1", help="Of decisions.")
@click.option("--seeds", type=click.IntRange(1), default=3)
@click.option("--only", "names", multiple=True, type=click.Choice(["random", *LEARNERS]),
              default=["random", *LEARNERS], help="May be repeated.")
def main(out: Path, millions: str, seeds: int, names: tuple[str, ...]) -> None:
    """Train, measure and print the tables."""
    folders: dict[str, list[Path]] = {}
    for name in names:
        for seed in range(1, 1 + (seeds if name in LEARNERS else 1)):
            folder = out / f"{name.replace(', ', '-').replace(' ', '-')}-{millions}-{seed}"
            if not (folder / "costs.csv").exists():
                click.echo(f"{name}, seed {seed}", err=True)
                measure(name, int(millions), seed, folder)
            folders.setdefault(name, []).append(folder)
    click.echo("| learner | simulates actions | seeds | decisions | training games | CPU minutes |"
               " games/s |")
    for name, where in folders.items():
        click.echo(costs(name, name in LEARNERS and LEARNERS[name].simulates, where))
    for split in SPLITS:
        click.echo(f"\n{split}: | learner | {' | '.join(f'`{one}`' for one in OPPONENTS)} |")
        for name, where in folders.items():
            click.echo(rates(name, split, where))


if __name__ == "__main__":
    main()
