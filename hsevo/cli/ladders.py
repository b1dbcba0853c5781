"""hsevo ladder: players learn rung by rung, and meet; what is each step worth?"""

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
              help="A new folder, or one that the same ladder made; default: runs/NAME.")
@click.option("--seeds", metavar="N,N,...",
              help="A player of each rung learns with each of these seeds; default: as in the"
                   " ladder.")
@click.option("--games", type=int, metavar="N",
              help="Games of every two players of different rungs, at least; default: as in the"
                   " ladder.")
@trust_option
@workers_options
@json_option
def ladder(source: str, out: Path | None, seeds: str | None, games: int | None,
           trust: bool, workers: int | None, backend: str | None, as_json: bool) -> None:
    """Measure what settings of learning are worth: players learn, rung by rung, and meet.

    \b
    hsevo ladder ladder-smoke                  what comes out, in seconds
    hsevo ladder table-1                       Table I of Xiao and others (2023)
    hsevo ladder table-1 --seeds 1 --out try   the same with one player a rung
    hsevo config show ladders/ladder-smoke     how a ladder is written
    hsevo ladder mine.yaml                     one that you wrote

    A ladder has rungs, each with the settings of the rung before it and some changed ones. For each
    seed and each rung a player learns, into DIR/players/RUNG-seed-N. Then players of different
    rungs play each other, in pairs of games with the same deals, the seats swapped; and all play
    the agents that the ladder names under against. Intervals are over seeds, for another seed
    changes a player more than the luck of its games.

    LADDER is a file, or the name of one in ./configs/ladders or of a shipped one (hsevo config
    list).

    A ladder that was stopped continues with the same command, and a finished one with more seeds.
    The tables are of all seeds that have matches in DIR, so --seeds must have these, too. Finished
    players are kept, also those that hsevo learn made there.

    Writes to DIR: ladder.yaml (settings and engine), pairs.csv (every match), matrix.csv (rung
    against rung, and the published rates), steps.csv (each rung against the one before), others.csv
    (against other agents), matrix.svg, matrix.png.
    """
    from hsevo.learning.ladders import FILES

    new = given(seeds=_numbers(seeds), games=games)
    path = out or learning.ladder_path(source)
    options = given(seeds=seeds, games=games)
    flags = ["--trust"] if trust else []
    again = shlex.join(["hsevo", "ladder", source,
                        *(f"--{name}={value}" for name, value in options.items()), *flags,
                        "--out", str(path)])
    with losing(f"what is there is kept; continue with: {again}"), so_far(_show, as_json):
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
    say("games that the row won, in %, with " + (
        f"95 % intervals over {n} seeds" if n > 1 else
        "95 % intervals of games: with one seed there is none over seeds"))
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
        yield [rung, *("-" if one is None else _rate(one)[0] for one in own)]
        yield ["  95 %", *("" if one is None else _rate(one, 0)[1] for one in own)]
        if table["published"].notna().any():
            yield ["  published", *("" if one is None else _percent(one["published"])
                                    for one in own)]


def _rate(row: Any, digits: int = 1) -> tuple[str, str]:
    """Return a rate and its interval, in per cent; "" for no number."""
    if row["rate"] != row["rate"]:
        return "", ""
    return (_percent(row["rate"]),
            f"{100 * row['low']:.{digits}f} to {100 * row['high']:.{digits}f}")


def _percent(rate: float) -> str:
    return "" if rate != rate else f"{100 * rate:.1f}"
