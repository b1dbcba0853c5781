"""hsevo report: figures and tables of runs, as one page and as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import hsevo
from hsevo.cli.completion import KINDS, RUNS
from hsevo.cli.shared import FOLDER, given, json_option, print_json, split, workers_options
from hsevo.cli.tables import say


@click.command()
@click.argument("runs", metavar="[RUN|LABEL=RUN]...", nargs=-1, shell_complete=RUNS)
@click.option("--out", type=FOLDER, metavar="DIR",
              help="Output folder. An older report in it is replaced. Default: reports/NAME, or"
                   " reports/NAME-and-NAME for several runs.")
@click.option("--agents", type=FOLDER, metavar="FILE",
              help="Report on the weight vectors of this file instead of runs (CSV, YAML, or lines"
                   " with '#' between weights).")
@click.option("--agent", "kind", metavar="KIND", default="eva", show_default=True,
              shell_complete=KINDS,
              help="Agent family of the --agents (hsevo agents lists the families).")
@click.option("--tournament", type=FOLDER, metavar="DIR",
              help="A folder of hsevo arena --runs FILE with the games of the --agents.")
@click.option("--examined", type=FOLDER, multiple=True, metavar="DIR",
              help="A folder of hsevo examine. The report includes RUN/examined in any case.")
@click.option("--arena", "arenas", type=FOLDER, multiple=True, metavar="DIR",
              help="A folder of hsevo arena or hsevo benchmark.")
@click.option("--groups", type=click.IntRange(2, 7), metavar="K",
              help="Number of clusters of weight vectors. Default: selected by silhouette.")
@click.option("--against", metavar="A,B,...",
              help="Let the best agent of each execution play these agents in new games, and test"
                   " the differences between experiments.")
@click.option("--games", type=click.IntRange(1), metavar="N",
              help="With --against, minimum number of games against each of these agents."
                   " Default: 360.")
@click.option("--seed", type=int, metavar="N",
              help="With --against, the seed of the games. Default: 1.")
@workers_options
@json_option
def report(runs: tuple[str, ...], out: Path | None, against: str | None, as_json: bool,
           **fields: Any) -> None:
    """Write a report on runs, agents and arenas: a page with figures and tables.

    \b
    hsevo report runs/cig2018-seed-1-20180817-120000
    hsevo report runs/long runs/racing --out side-by-side
    hsevo report paper=runs/long "with racing"=runs/racing     with labels
    hsevo report runs/long runs/racing --against eva:2018,gsv --games 1000
    hsevo report runs/mine --arena where-mine-stands
    hsevo report runs/osfp-smoke-seed-1-20180817-120000        a learning run
    hsevo report runs/osfp-smoke-seed-*                        with their mean
    hsevo report --agents final_populations.csv --tournament published
    hsevo report runs/lab                                      with participants
    hsevo report runs/smoke-sweep                              a sweep

    DIR contains report.html (which needs no network), figures/ (SVG and PNG) and tables/ (CSV).
    Runs may be unfinished. The report includes results of hsevo examine.

    Runs of hsevo evolve that differ only in the seed are executions of one experiment. The report
    compares different experiments, with 95 % intervals. With --against, the best agent of each
    execution plays new games, and hsevo tests the differences between experiments. In these tests,
    each execution counts as one observation.

    The report shows runs of hsevo learn side by side, and the mean of their win rates if they
    differ only in the seed. --arena adds ratings and win rates per pair of decks. You can use
    --arena and --examined without a run.

    Instead of runs you can give folders of hsevo study, of hsevo sweep, or of studies with
    participants (hsevo play --participants).
    """
    result = hsevo.report(*map(_labelled, runs), out=out, against=split(against), progress=True,
                          **given(**fields))
    if as_json:
        print_json(result)
        return
    say(f"{result.page}: {result.figures} figures (figures/, SVG and PNG), {result.tables} tables"
        " (tables/, CSV)")


def _labelled(word: str) -> dict[str, Path]:
    """Split LABEL=RUN, unless the whole word is a path; the label is "" if there is none."""
    label, _, path = ("", "", word) if Path(word).exists() else word.rpartition("=")
    return {label: Path(path)}
