"""hsevo benchmark --leaderboard and --check: a panel with entries among it, and their proof."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hsevo
from hsevo import play, strength
from hsevo.cli.shared import given, losing, print_json
from hsevo.cli.tables import gap_cells, say, show_table

NUMBERS = ("place", "rating", "rating 95 %", "lead", "lead 95 %", "games")


def show_leaderboard(files: Sequence[str], panel: str | None, as_json: bool) -> None:
    """Print the standing of a panel and entries."""
    table = hsevo.leaderboard(files, **given(panel=panel))
    if as_json:
        print_json({"panel": panel or strength.NEWEST, "leaderboard": table})
        return
    names = play.short_names(table["agent"])
    rows = [[str(row["place"]), names[row["agent"]], f"{row['rating']:+.0f}",
             f"{row['low']:+.0f} to {row['high']:+.0f}", *gap_cells(row), f"{row['games']:,}",
             row["entry"]] for row in table.to_dict("records")]
    heads = ["place", "agent", "rating", "rating 95 %", "lead", "lead 95 %", "games", "entry"]
    if not files:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    show_table(heads, rows, NUMBERS, ["games", "rating 95 %", "entry"])


def show_check(file: Path, as_json: bool, how: dict[str, Any]) -> None:
    """Check an entry, and say what was found."""
    with losing("the check has no result"):
        result = hsevo.check_entry(file, progress=True, **how)
    if as_json:
        print_json(result)
        return
    say(str(result))
    if result.seed is not None:
        say(f"up to {result.most_forged:,} of the {result.total:,} games may still be forged: a"
            f" sample of {result.games:,} misses this number in 1 of 20 cases; without --sample"
            f" all are played (this one was drawn with --seed {result.seed})")
    if result.unranked:
        say(f"no place on a leaderboard: {result.unranked}")
