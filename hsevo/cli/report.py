"""hsevo report: figures and tables of runs, as one page and as files."""

from __future__ import annotations

from pathlib import Path

import click

from hsevo.api.analysis import report as write_report
from hsevo.cli.completion import KINDS, RUNS
from hsevo.cli.shared import FOLDER, json_option, print_json
from hsevo.cli.tables import say


@click.command()
@click.argument("runs", metavar="[RUN|LABEL=RUN]...", nargs=-1, shell_complete=RUNS)
@click.option("--out", type=FOLDER, metavar="DIR",
              help="Where to; an older report there is replaced. Default: reports/NAME.")
@click.option("--agents", type=FOLDER, metavar="FILE",
              help="Weight vectors instead of runs: CSV, YAML, or '#' lines.")
@click.option("--agent", "kind", metavar="KIND", default="eva", show_default=True,
              shell_complete=KINDS,
              help="What the --agents are (hsevo agents lists kinds).")
@click.option("--tournament", type=FOLDER, metavar="DIR",
              help="The games of --agents: a folder of hsevo tournament.")
@click.option("--examined", "extra", type=FOLDER, multiple=True, metavar="DIR",
              help="A folder of hsevo examine; one at RUN/examined is found by itself; also alone.")
@click.option("--arena", "arenas", type=FOLDER, multiple=True, metavar="DIR",
              help="Who stands where: a folder of hsevo arena or benchmark; also alone.")
@click.option("--groups", "number", type=click.IntRange(2, 7), metavar="K",
              help="Part the solutions into K groups, 2 to 7; default: by silhouette.")
@json_option
def report(runs: tuple[str, ...], out: Path | None, agents: Path | None, kind: str,
           tournament: Path | None, extra: tuple[Path, ...], arenas: tuple[Path, ...],
           number: int | None, as_json: bool) -> None:
    """Draw what evolved: the paper's figures and tables, and more.

    \b
    hsevo report runs/cig2018-seed-1-20180817-120000
    hsevo report runs/long runs/racing --out side-by-side
    hsevo report paper=runs/long "with races"=runs/racing      the names that figures have
    hsevo report runs/mine --arena where-mine-stands
    hsevo report --agents final_populations.csv --tournament published --out published-report

    DIR has, at the end, report.html, one page that opens without a network; figures/ (SVG and
    PNG); tables/ (the numbers behind every figure, as CSV). A run may be done, still going on, or
    stopped: what is committed is drawn, and what hsevo examine found of its best. Runs that differ
    in nothing but the seed are taken as executions of one experiment; others are set side by side:
    what differs in their settings, and what came of it, with 95 % intervals. --arena adds
    standings, ratings, and win rates by deck pair; it also goes alone, as does --examined.
    """
    found = write_report(*map(_labelled, runs), out=out, agents=agents, tournament=tournament,
                         examined=extra, arenas=arenas, groups=number, kind=kind, progress=True)
    if as_json:
        print_json(found)
        return
    say(f"{found.page}: {found.figures} figures (figures/, SVG and PNG), {found.tables} tables"
        " (tables/, CSV)")


def _labelled(word: str) -> dict[str, Path]:
    """Part LABEL=RUN, unless it is a path as it is; without a label it is ""."""
    label, _, path = ("", "", word) if Path(word).exists() else word.rpartition("=")
    return {label: Path(path)}
