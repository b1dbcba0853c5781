"""Play the games of a frozen panel again, and write what hsevo ships of them.

    python -m tests.support.make_panel panel-2026      --workers 1 leaves the other cores alone
    python -m tests.support.make_panel panel-2026 --out DIR    plays only, or goes on in DIR
    python -m tests.support.make_panel panel-2026 --ship DIR   writes what was played there

Its settings are those in hsevo/strength/panels/NAME/arena.yaml and stay as they are; the ratings
beside it come out anew, and so does, of the newest one, data/NAME_first_round.csv, by which a test
notices that an agent, a deck or a rule has changed. Figures of one name must stay comparable: a
panel that was released keeps its table, and one that plays otherwise gets a new name.
"""

import argparse
import hashlib
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from hsevo.config import Workers
from hsevo.experiments.progress import Meter
from hsevo.play import match
from hsevo.play.tournament import write_table
from hsevo.play.workers import open_workers
from hsevo.strength.contest import Arena
from hsevo.strength.lineup import GAME_COLUMNS, ContestPlan, Lineup, schedule
from hsevo.strength.panel import FOLDER, NEWEST, panels, read_plan
from tests.support import DATA

FILES = ("arena.yaml", "pairs.csv", "ratings.csv")


def first_round_of(name: str) -> Path:
    """Return the path of the digests of a panel's first round."""
    return DATA / f"{name}_first_round.csv"


def first_round(name: str) -> pd.DataFrame:
    """Play the first round with equal decks, 6 games of every two; return digests: a, b, games."""
    lineup = Lineup.of(ContestPlan(**read_plan(name).model_dump() | {"games": 18}))
    rows = schedule(lineup)
    rows = rows[rows["deck_a"] == rows["deck_b"]]
    results = match.play_block(rows, lineup.players, lineup.setting)
    numbers = np.stack([results[name] for name in GAME_COLUMNS], axis=1).astype("<i8")
    each = numbers.reshape(len(lineup.meetings), -1)
    names = [(lineup.names[a], lineup.names[b]) for a, b in lineup.meetings]
    return pd.DataFrame(names, columns=["a", "b"]).assign(
        games=[hashlib.sha256(row.tobytes()).hexdigest()[:16] for row in each])


def play(name: str, path: Path, workers: int | None) -> None:
    """Play a panel's games in a folder, or go on with them."""
    arena = Arena(Lineup.of(read_plan(name)), path)
    match.warm_up()
    with open_workers(Workers(count=workers)) as executor, Meter(arena.total) as meter:
        arena.play(executor, meter.advance)


def ship(name: str, path: Path) -> None:
    """Write what hsevo ships of a panel that was played in a folder."""
    for file in FILES:
        shutil.copy(path / file, FOLDER / name / file)
    if name == NEWEST:
        write_table(first_round_of(name), first_round(name))


def main() -> None:
    """Play, ship, or both."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", choices=panels())
    parser.add_argument("--workers", type=int)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--ship", type=Path)
    given = parser.parse_args()
    if given.ship:
        ship(given.name, given.ship)
    elif given.out:
        play(given.name, given.out, given.workers)
    else:
        with tempfile.TemporaryDirectory() as folder:
            play(given.name, Path(folder) / "panel", given.workers)
            ship(given.name, Path(folder) / "panel")


if __name__ == "__main__":
    main()
