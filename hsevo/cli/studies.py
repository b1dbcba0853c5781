"""hsevo study: vary something, and compare the curve with the published one."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo import strength
from hsevo.cli.completion import STUDIES
from hsevo.cli.shared import (
    FOLDER,
    given,
    json_option,
    print_json,
    repeatable,
    so_far,
    workers_options,
)
from hsevo.cli.tables import paragraph, say, show_table

if TYPE_CHECKING:
    import pandas as pd

    from hsevo.strength.studies import StudyResult

FILES = ("curve.csv", "plot.svg", "plot.png", "turns.csv", "turns.svg", "turns.png", "study.yaml",
         "games.csv", "times.csv")  # of a study's folder, as far as it has them


@click.command()
@click.argument("source", metavar="STUDY", shell_complete=STUDIES)
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder for games, curve and plots, or a folder where the same study was"
                   " stopped. Default: runs/NAME-...")
@click.option("--games", type=int, metavar="N",
              help="Games per point. Default: the study's number.")
@click.option("--seed", type=int,
              help="Seed of all games. The same seed gives the same result. Default: the study's"
                   " seed.")
@workers_options
@json_option
def study(source: str, out: Path | None, workers: int | None, backend: str | None,
          as_json: bool, **new: Any) -> None:
    """Measure a win rate at several values of one setting, and plot the curve.

    \b
    hsevo study divine-shield        weight of Divine Shield (HearthSim, 2014)
    hsevo study taunts               Taunts in a deck (HearthSim, 2014)
    hsevo study thesis-iterations    budget of a tree search (Santos, 2017)
    hsevo study unseen-cards         cards that players did not train with
    hsevo study mine.yaml --games 1000 --out mine

    STUDY is a file, a name in ./configs/studies, or a study of the package (see hsevo config list).
    DIR contains curve.csv (a row per point, with 95 % intervals and any published rate), plot.svg,
    plot.png, study.yaml, games.csv and times.csv (CPU time). Except for times, results do not
    depend on workers or backend. If you stop the command, run it again to continue. To add games to
    a finished study, increase --games.
    """
    plan = strength.load_study(source).model_copy(update=given(**new))
    path = out or strength.default_path(source, plan)
    changed = [f"--{name}={value}" for name, value in given(**new).items()]
    command = shlex.join(["hsevo", "study", source, *changed, "--out", str(path)])
    with repeatable(path, command), so_far(_show, as_json):
        result = hsevo.study(source, out=path, workers=workers, backend=backend, progress=True,
                             **new)
    if as_json:
        print_json(result)
        return
    _show(result)
    for line in _best(result):
        say(line)
    if result.plan.published.says:
        click.echo(paragraph(f"published: {result.plan.published.says}", ""))
    say(f"{path}: {', '.join(name for name in FILES if (path / name).exists())}")


def _show(result: StudyResult) -> None:
    lines = ["line"] if "line" in result.table else []
    heads = [*lines, "x", "games", "won", "drawn", "rate %", "rate 95 %", "turns", "ms/decision",
             "published %"]
    costs = result.times["per_decision"]
    rows = [(*(row[name] for name in lines), row["x"], f"{row['games']:,}", f"{row['wins']:,}",
             f"{row['draws']:,}", f"{100 * row['rate']:.2f}",
             f"{100 * row['low']:.2f} to {100 * row['high']:.2f}", f"{row['turns']:.1f}",
             "" if cost != cost else f"{cost:.3g}",
             "" if row["published"] != row["published"] else f"{100 * row['published']:.2f}")
            for row, cost in zip(result.table.to_dict("records"), costs, strict=True)
            if row["games"]]
    for line in result.plan.about:
        click.echo(paragraph(line, ""))
    show_table(heads, rows, heads[len(lines):],
               ["ms/decision", "turns", "drawn", "won", "games", "published %"])


def _best(result: StudyResult) -> list[str]:
    """Return where each curve is highest, and which values can't be separated from it."""
    table = result.table
    if "line" not in table:
        return [_best_of(table, result.results, result.plan.PAIR)]
    pair = result.plan.PAIR
    parts = table.groupby("line", sort=False).indices
    return [f"{name}: {_best_of(table.iloc[at].reset_index(drop=True), result.results[at], pair)}"
            for name, at in parts.items()]


def _best_of(table: pd.DataFrame, results: Any, pair: int) -> str:
    """Return where a curve is highest, and which values do not differ from it significantly."""
    if len(table) < 2:
        return f"a single value, x = {table['x'][0]}: no curve to compare"
    best = int(table["rate"].argmax())
    row = table.iloc[best]
    near = [x for i, x in enumerate(table["x"])
            if i != best and strength.lead(results, best, i, pair).low <= 0]
    return (f"highest at x = {row['x']}: {100 * row['rate']:.2f} % ({100 * row['low']:.2f} to"
            f" {100 * row['high']:.2f}); not separable from it at 95 %, game by game:"
            f" {', '.join(near) or 'no other'}")
