"""hsevo study: sweep one thing, and set the curve beside what was published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pandas as pd

from hsevo.api.analysis import study as play_study
from hsevo.cli.completion import STUDIES
from hsevo.cli.shared import (
    FOLDER,
    given,
    json_option,
    print_json,
    so_far,
    workers_options,
)
from hsevo.cli.tables import paragraph, say, show_table
from hsevo.strength.studies import default_path, lead, load_study


@click.command()
@click.argument("source", metavar="STUDY", shell_complete=STUDIES)
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder for curve and plots; default: runs/NAME-...")
@click.option("--games", type=int, metavar="N", help="Games at each value, instead of its own.")
@click.option("--seed", type=int, help="Another seed. The same seed gives the same bits.")
@workers_options
@json_option
def study(source: str, out: Path | None, workers: int | None, backend: str | None,
          as_json: bool, **new: Any) -> None:
    """Play a study again: how often an agent wins as one thing is changed.

    \b
    hsevo study divine-shield           HearthSim's weight of Divine Shield (2014)
    hsevo study divine-shield-control   the same without a Divine Shield: what beginning is worth
    hsevo study taunts                  HearthSim's number of Taunts in a deck (2014)
    hsevo study mine.yaml --games 1000 --out mine

    STUDY is a path, or a name in ./configs/studies or among those shipped. DIR has, at the end,
    curve.csv (a row a value, with 95 % intervals, and the published rate where the source gives
    one), plot.svg, plot.png, and study.yaml (what was played, by which engine). Neither the number
    of workers nor the backend changes a result.
    """
    path = out or default_path(source, load_study(source).model_copy(update=given(**new)))
    with so_far(lambda found: _show(found.table), as_json):
        result = play_study(source, out=path, workers=workers, backend=backend, progress=True,
                            **new)
    if as_json:
        print_json(result)
        return
    _show(result.table)
    say(_best(result.table, result.results))
    if result.plan.published.says:
        click.echo(paragraph(f"published: {result.plan.published.says}", ""))
    say(f"{path}: curve.csv, plot.svg, plot.png, study.yaml")


def _show(table: pd.DataFrame) -> None:
    heads = ["x", "games", "won", "drawn", "rate %", "rate 95 %", "turns", "published %"]
    rows = [(row["x"], f"{row['games']:,}", f"{row['wins']:,}", f"{row['draws']:,}",
             f"{100 * row['rate']:.2f}", f"{100 * row['low']:.2f} to {100 * row['high']:.2f}",
             f"{row['turns']:.1f}",
             "" if row["published"] != row["published"] else f"{100 * row['published']:.2f}")
            for row in table.to_dict("records")]
    show_table(heads, rows, heads, ["turns", "drawn", "won", "games", "published %"])


def _best(table: pd.DataFrame, results: Any) -> str:
    """Say where the curve is highest, and which values can't be told from that."""
    if len(table) < 2:
        return f"a single value, x = {table['x'][0]}: no curve to compare"
    best = int(table["rate"].argmax())
    row = table.iloc[best]
    near = [x for i, x in enumerate(table["x"]) if i != best and lead(results, best, i)[1] <= 0]
    return (f"highest at x = {row['x']}: {100 * row['rate']:.2f} % ({100 * row['low']:.2f} to"
            f" {100 * row['high']:.2f}); by the differences game by game not separable from it"
            f" (95 %): {', '.join(near) or 'no other'}")
