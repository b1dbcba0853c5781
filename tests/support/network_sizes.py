"""What the width of a learned player's network is worth: learn with each, play, and time it.

    python -m tests.support.network_sizes 16 32 64 128 256 --out sizes

The width of the network's wide layer is a constant of compiled code (network_scratch.py), so each
width has a copy of the package, in which this one number is another. All learn as any-deck does,
equally many games with one seed, and play held-out lists with other seeds. sizes.csv has a line of
each: CPU seconds of learning, games a second against itself, and rates with their intervals.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pandas as pd

import hsevo
from tests.support import ROOT

OPPONENTS = ("eva:2018", "gsv")
PLACE = "agents/shared/network_scratch.py"
LINE = re.compile(r"^(HIDDEN, WIDE, LAST = 32, )\d+", re.M)


def copy_with(width: int, folder: Path) -> Path:
    """Return a folder with a copy of the package whose network is so wide."""
    target = folder / "hsevo"
    if not target.exists():
        shutil.copytree(Path(hsevo.__file__).parent, target,
                        ignore=shutil.ignore_patterns("__pycache__"))
        text, n = LINE.subn(rf"\g<1>{width}", (target / PLACE).read_text())
        assert n == 1, f"{PLACE} has no such line"
        (target / PLACE).write_text(text)
        for name in ("configs", "decks"):
            (folder / name).symlink_to(ROOT / name)
    return folder


def run(folder: Path, *words: str) -> str:
    """Run hsevo of a folder; return what it printed."""
    return subprocess.run([sys.executable, "-P", "-m", "hsevo", *words], cwd=folder, check=True,
                          env=os.environ | {"PYTHONPATH": str(folder)}, stdout=subprocess.PIPE,
                          text=True).stdout


def rates(folder: Path, player: str, games: int) -> dict[str, float]:
    """Return the rates of a player against all opponents, with their intervals."""
    found = {}
    for opponent in OPPONENTS:
        said = run(folder, "match", player, opponent, "--decks", "human:held-out", "--games",
                   str(games), "--seed", "27", "--workers", "1", "--json")
        rate = json.loads(said)["rate"]
        found |= {opponent: rate["value"], f"{opponent}_low": rate["low"],
                  f"{opponent}_high": rate["high"]}
    return found


@click.command()
@click.argument("widths", type=click.IntRange(4, 1024), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--periods", type=int, default=4, help="Of learning.")
@click.option("--rounds", type=int, default=20, help="Of a period: 576 games each.")
@click.option("--games", type=int, default=4000, help="Against each opponent.")
@click.option("--seconds", type=int, default=10, help="Of games against itself, timed.")
@click.option("--seed", type=int, default=1)
def main(widths: tuple[int, ...], out: Path, periods: int, rounds: int, games: int, seconds: int,
         seed: int) -> None:
    """Write sizes.csv, a line after each width."""
    lines = []
    for width in widths:
        folder = copy_with(width, (out / f"wide-{width}").absolute())
        if not (folder / "learned").exists():
            run(folder, "learn", "--config", "any-deck", "--seed", str(seed), "--out", "learned",
                "--set", f"periods={periods}", "--set", f"rounds={rounds}",
                "--set", "references.against=[]", "--workers", "1")
        times = pd.read_csv(folder / "learned" / "times.csv")
        (bench,) = json.loads(run(folder, "bench", "--seconds", str(seconds), "--agents",
                                  "rl:learned", "--json"))["agents"].values()
        lines.append({"width": width, "games": periods * rounds * 576,
                      "learning_seconds": float(times["cpu_seconds"].sum()),
                      "games_per_second": bench["games_per_second_per_core"]["value"],
                      **rates(folder, "rl:learned", games)})
        pd.DataFrame(lines).to_csv(out / "sizes.csv", index=False)
        click.echo(json.dumps(lines[-1]))


if __name__ == "__main__":
    main()
