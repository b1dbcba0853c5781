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
              help="Output folder; an older report in it is replaced. Default: reports/NAME,"
                   " of several runs reports/NAME-and-NAME.")
@click.option("--agents", type=FOLDER, metavar="FILE",
              help="Report on these weight vectors instead of runs: CSV, YAML, or '#' lines.")
@click.option("--agent", "kind", metavar="KIND", default="eva", show_default=True,
              shell_complete=KINDS,
              help="The kind of the --agents (hsevo agents lists kinds).")
@click.option("--tournament", type=FOLDER, metavar="DIR",
              help="The games of the --agents: a folder of hsevo arena --runs FILE.")
@click.option("--examined", type=FOLDER, multiple=True, metavar="DIR",
              help="A folder written by hsevo examine; RUN/examined is found without this.")
@click.option("--arena", "arenas", type=FOLDER, multiple=True, metavar="DIR",
              help="A folder written by hsevo arena or hsevo benchmark.")
@click.option("--groups", type=click.IntRange(2, 7), metavar="K",
              help="Divide the solutions into K groups; default: chosen by silhouette.")
@click.option("--against", metavar="A,B,...",
              help="Let the best of each execution play these agents in new games, and test the"
                   " differences between experiments.")
@click.option("--games", type=click.IntRange(1), metavar="N",
              help="With --against: games with each of them, at least; default: 360.")
@click.option("--seed", type=int, metavar="N", help="With --against: the seed; default: 1.")
@workers_options
@json_option
def report(runs: tuple[str, ...], out: Path | None, against: str | None, as_json: bool,
           **fields: Any) -> None:
    """Write a report: figures and tables of runs, agents and arenas, on one page.

    \b
    hsevo report runs/cig2018-seed-1-20180817-120000
    hsevo report runs/long runs/racing --out side-by-side
    hsevo report paper=runs/long "with races"=runs/racing      with labels
    hsevo report runs/long runs/racing --against eva:2018,gsv --games 1000
    hsevo report runs/mine --arena where-mine-stands
    hsevo report runs/osfp-smoke-seed-1-20180817-120000        of hsevo learn
    hsevo report runs/osfp-smoke-seed-*                        and their mean
    hsevo report --agents final_populations.csv --tournament published
    hsevo report runs/lab                                      of participants

    Writes to DIR: report.html, a page that needs no network; figures/ (SVG and PNG); tables/ (the
    numbers behind every figure, as CSV). A run may be unfinished: its finished generations are
    drawn, and what hsevo examine found of its best agent.

    Runs of hsevo evolve that differ only in their seed are treated as executions of one experiment.
    Others are compared: their settings, budgets and results, with 95 % intervals. With --against,
    the best of each execution plays again against the same agents, and the differences are tested
    with executions as units: Wilcoxon's rank-sum test, A12, and Welch's t-test. Runs of hsevo learn
    stand beside each other: win rates, losses, all checkpoints against all; those that differ only
    in their seed also have the mean of their win rates, with its 95 % interval over seeds. --arena
    adds ratings and win rates per pair of decks. --arena and --examined also work without a run.

    Instead of runs, folders of hsevo study, or of studies with participants
    (hsevo play --participants) are reported, too: their tables, with 95 % intervals.
    """
    found = hsevo.report(*map(_labelled, runs), out=out, against=split(against), progress=True,
                         **given(**fields))
    if as_json:
        print_json(found)
        return
    say(f"{found.page}: {found.figures} figures (figures/, SVG and PNG), {found.tables} tables"
        " (tables/, CSV)")


def _labelled(word: str) -> dict[str, Path]:
    """Split LABEL=RUN, unless the whole word is a path; the label is "" if there is none."""
    label, _, path = ("", "", word) if Path(word).exists() else word.rpartition("=")
    return {label: Path(path)}
