"""Learned players with networks of other sizes: how strong they are, and what they cost.

    python -m studies.network_sizes OUT 16:3 64:3 256:3 --seed 1

WIDTH:PERIODS is a player of the config any-deck with a wide layer of so many units, half as many
(8 at least) of a minion and in the last layer, and so many periods. Widths are compiled into the
engine, so each has a copy of the package, below OUT. What was measured before is kept. Printed is
a JSON list of players: width, periods, games and CPU seconds of learning, games a second of CPU
time against itself, and rates with intervals on lists that are held out.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pandas as pd

from studies import ROOT

SIZES = Path("hsevo/agents/shared/scratch.py")
OPPONENTS = ("eva:2018", "gsv")
HELD_OUT = ("--decks", "human:held-out", "--games", "4000", "--seed", "28")


def copy_with(width: int, folder: Path) -> Path:
    """Return a folder with the package, whose networks have a width."""
    place = folder / f"width-{width}"
    if not place.exists():
        beside = folder / f"making-{width}"
        shutil.rmtree(beside, ignore_errors=True)
        for name in ("hsevo", "configs", "decks"):
            shutil.copytree(ROOT / name, beside / name,
                            ignore=shutil.ignore_patterns("__pycache__"))
        half = max(width // 2, 8)
        text, n = re.subn(r"(?m)^HIDDEN, WIDE, LAST = .*$",
                          f"HIDDEN, WIDE, LAST = {half}, {width}, {half}",
                          (beside / SIZES).read_text())
        if n != 1:
            raise click.ClickException(f"{SIZES} does not name the sizes in one line")
        (beside / SIZES).write_text(text)
        beside.rename(place)
    return place


def hsevo(place: Path, *words: str) -> str:
    """Run a command of a copy of the package, and return what it prints."""
    done = subprocess.run([sys.executable, "-m", "hsevo", *words], cwd=place, text=True,
                          capture_output=True, env=os.environ | {"PYTHONPATH": str(place)})
    if done.returncode:
        raise click.ClickException(f"hsevo {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def measured(place: Path, width: int, periods: int, seed: int) -> dict[str, Any]:
    """Return what a player is and wins; learn it, if it is not there."""
    run = place / f"periods-{periods}-seed-{seed}"
    kept = run.with_suffix(".json")
    if kept.exists():
        return dict(json.loads(kept.read_text()))
    if run.exists():
        hsevo(place, "learn", "--resume", str(run), "--workers", "1")
    else:
        hsevo(place, "learn", "--config", "any-deck", "--seed", str(seed), "--workers", "1",
              "--set", f"periods={periods}", "--set", "references.against=[]", "--out", str(run))
    speed = json.loads(hsevo(place, "bench", "--agents", f"rl:{run}", "--json"))["agents"]
    matches = {one: json.loads(hsevo(place, "match", f"rl:{run}", one, *HELD_OUT, "--workers", "1",
                                     "--json"))["rate"] for one in OPPONENTS}
    found = {"width": width, "periods": periods, "seed": seed,
             "games": int(pd.read_csv(run / "learning.csv")["games"].sum()),
             "cpu": float(pd.read_csv(run / "times.csv")["cpu_seconds"].sum()),
             "games_per_second": next(iter(speed.values()))["games_per_second_per_core"]["value"],
             "rates": matches}
    kept.write_text(json.dumps(found))
    return found


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("players", nargs=-1, required=True, metavar="WIDTH:PERIODS...")
@click.option("--seed", type=int, default=1)
def main(out: Path, players: tuple[str, ...], seed: int) -> None:
    """Learn, measure, print."""
    out.mkdir(parents=True, exist_ok=True)
    found = []
    for player in players:
        width, periods = (int(part) for part in player.split(":"))
        found.append(measured(copy_with(width, out.resolve()), width, periods, seed))
        click.echo(f"{player}: done", err=True)
    click.echo(json.dumps(found))


if __name__ == "__main__":
    main()
