"""hsevo study: vary one thing, and compare the curve with the published one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsevo import api, strength
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

if TYPE_CHECKING:
    import pandas as pd


@click.command()
@click.argument("source", metavar="STUDY", shell_complete=STUDIES)
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder for the curve and plots; default: runs/NAME-...")
@click.option("--games", type=int, metavar="N", help="Games per value; default: as in the study.")
@click.option("--seed", type=int, help="Another seed. The same seed gives the same result.")
@workers_options
@json_option
def study(source: str, out: Path | None, workers: int | None, backend: str | None,
          as_json: bool, **new: Any) -> None:
    """Repeat a published study: how often an agent wins as one thing changes.

    \b
    hsevo study divine-shield           weight of Divine Shield (2014)
    hsevo study divine-shield-control   the same without a Divine Shield
    hsevo study taunts                  number of Taunts in a deck (2014)
    hsevo study mine.yaml --games 1000 --out mine

    STUDY is a file, or a name in ./configs/studies or among the shipped ones; these three repeat
    HearthSim's. Writes to DIR: curve.csv (one row per value, with 95 % intervals, and the published
    rate if there is one), plot.svg, plot.png, and study.yaml (settings and engine). Neither the
    number of workers nor the backend changes a result.
    """
    plan = strength.load_study(source).model_copy(update=given(**new))
    path = out or strength.default_path(source, plan)
    with so_far(lambda found: _show(found.table), as_json):
        result = api.study(source, out=path, workers=workers, backend=backend, progress=True,
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
    """Return where the curve is highest, and which values do not differ from it significantly."""
    if len(table) < 2:
        return f"a single value, x = {table['x'][0]}: no curve to compare"
    best = int(table["rate"].argmax())
    row = table.iloc[best]
    near = [x for i, x in enumerate(table["x"])
            if i != best and strength.lead(results, best, i)[1] <= 0]
    return (f"highest at x = {row['x']}: {100 * row['rate']:.2f} % ({100 * row['low']:.2f} to"
            f" {100 * row['high']:.2f}); not separable from it at 95 %, game by game:"
            f" {', '.join(near) or 'no other'}")
