"""hsevo ladder: the effect of each step of an ablation on learning."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo import learning
from hsevo.cli.completion import LADDERS
from hsevo.cli.shared import (
    FOLDER,
    given,
    json_option,
    losing,
    print_json,
    so_far,
    trust_option,
    workers_options,
)
from hsevo.cli.tables import paragraph, say, show_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from hsevo.learning.ladders import LadderResult


@click.command()
@click.argument("source", metavar="LADDER", shell_complete=LADDERS)
@click.option("--out", type=FOLDER, metavar="DIR",
              help="A new folder, or the folder of the same ladder. Default: runs/NAME.")
@click.option("--seeds", metavar="N,N,...",
              help="Train a player of each step with each of these seeds. Default: the ladder's"
                   " seeds.")
@click.option("--games", type=int, metavar="N",
              help="Minimum number of games of every two players of different steps. Default: the"
                   " ladder's number.")
@trust_option
@workers_options
@json_option
def ladder(source: str, out: Path | None, seeds: str | None, games: int | None,
           trust: bool, workers: int | None, backend: str | None, as_json: bool) -> None:
    """Measure the effect of settings on learning, in an ablation with several steps.

    \b
    hsevo ladder ladder-smoke                  a test that takes seconds
    hsevo ladder table-1                       Table I of Xiao and others (2023)
    hsevo ladder table-1 --seeds 1 --out try   with one player per step
    hsevo config show ladders/ladder-smoke     print an example of a ladder
    hsevo ladder mine.yaml                     your own ladder

    A ladder is an ablation. Each step changes some settings of the previous step. For each step and
    seed, a player learns in DIR/players/STEP-seed-N. Players of different steps then play pairs of
    games with the same shuffles and swapped seats. All players also play the agents of the config
    key against. Intervals are over seeds.

    LADDER is a file, a name in ./configs/ladders, or a ladder of the package (see hsevo config
    list).

    If you stop the command, run it again to continue. To add seeds to a finished ladder, list the
    old and the new seeds in --seeds.

    DIR contains ladder.yaml, pairs.csv (every match), matrix.csv (every two steps), steps.csv (each
    step against the previous step), others.csv (other agents), matrix.svg and matrix.png.
    """
    from hsevo.learning.ladders import FILES

    new = given(seeds=_numbers(seeds), games=games)
    path = out or learning.ladder_path(source)
    options = given(seeds=seeds, games=games)
    flags = ["--trust"] if trust else []
    command = shlex.join(["hsevo", "ladder", source,
                          *(f"--{name}={value}" for name, value in options.items()), *flags,
                          "--out", str(path)])
    with losing(f"finished parts are kept; continue with: {command}"), so_far(_show, as_json):
        result = hsevo.ladder(source, out=path, trust=trust, workers=workers, backend=backend,
                              progress=True, **new)
    if as_json:
        print_json(result)
        return
    _show(result)
    say(f"{path}: {', '.join(FILES)}")


def _numbers(text: str | None) -> list[Any] | None:
    """Return the parts of N,N,... as numbers; what is none stays text, which is refused later."""
    if text is None:
        return None
    return [int(part) if part.removeprefix("-").isdecimal() else part
            for part in text.split(",")]


def _show(result: LadderResult) -> None:
    ladder = result.ladder
    n = len(ladder.seeds)
    say("win rate of the row in %, with " + (
        f"95 % intervals over {n} seeds" if n > 1 else
        "95 % intervals over games, because one seed gives no interval over seeds"))
    rungs = [*ladder.rungs]
    show_table(["", *rungs], [*_matrix(result.matrix, rungs)], rungs, rungs)
    click.echo()
    there = ["published"] if ladder.published else []
    heads = ["rung", "against", "won %", "95 %", *there, "decided", "changes"]
    show_table(heads, [[row["rung"], row["before"], *_rate(row),
                        *(_percent(row[name]) for name in there), row["decided"], row["changes"]]
                       for row in result.steps.to_dict("records")],
               ["won %", "95 %", *there], there)
    if len(result.others):
        click.echo()
        show_table(["rung", "against", "won %", "95 %"], [
            [row["rung"], row["against"], *_rate(row)]
            for row in result.others.to_dict("records")], ["won %", "95 %"])
    if ladder.published:
        click.echo(paragraph(f"published: {ladder.published.source}", ""))


def _matrix(table: pd.DataFrame, rungs: list[str]) -> Iterator[list[str]]:
    """Yield the lines of each rung: what it won, the intervals, the published rates."""
    cells = {(row["row"], row["column"]): row for row in table.to_dict("records")}
    for rung in rungs:
        own = [cells.get((rung, other)) for other in rungs]
        yield [rung, *("-" if cell is None else _rate(cell)[0] for cell in own)]
        yield ["  95 %", *("" if cell is None else _rate(cell, 0)[1] for cell in own)]
        if table["published"].notna().any():
            yield ["  published", *("" if cell is None else _percent(cell["published"])
                                    for cell in own)]


def _rate(row: Any, digits: int = 1) -> tuple[str, str]:
    """Return a rate and its interval, in per cent; "" for no number."""
    if row["rate"] != row["rate"]:
        return "", ""
    return (_percent(row["rate"]),
            f"{100 * row['low']:.{digits}f} to {100 * row['high']:.{digits}f}")


def _percent(rate: float) -> str:
    return "" if rate != rate else f"{100 * rate:.1f}"
