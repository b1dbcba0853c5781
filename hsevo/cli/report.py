"""hsevo report: figures and tables of runs, as one page and as files."""

from __future__ import annotations

from pathlib import Path

import click

from hsevo.cli.shared import FOLDER
from hsevo.errors import ConfigError


@click.command()
@click.argument("paths", metavar="[RUN]...", nargs=-1, type=FOLDER)
@click.option("--out", type=FOLDER, metavar="DIR",
              help="Where to; an older report there is replaced. Default: reports/NAME.")
@click.option("--agents", type=FOLDER, metavar="FILE",
              help="Weight vectors instead of runs: CSV, YAML, or '#' lines.")
@click.option("--tournament", type=FOLDER, metavar="DIR",
              help="The games of --agents: a folder of hsevo tournament.")
@click.option("--examined", "extra", type=FOLDER, multiple=True, metavar="DIR",
              help="A folder of hsevo examine; one at RUN/examined is found by itself.")
@click.option("--groups", "number", type=click.IntRange(2, 7), metavar="K",
              help="Part the solutions into K groups, 2 to 7; default: by silhouette.")
def report(paths: tuple[Path, ...], out: Path | None, agents: Path | None,
           tournament: Path | None, extra: tuple[Path, ...], number: int | None) -> None:
    """Draw what evolved: the paper's figures and tables, and more.

    \b
    hsevo report runs/cig2018-seed-1-20180817-120000
    hsevo report runs/long runs/racing --out side-by-side
    hsevo report --agents final_populations.csv --tournament published --out published-report

    DIR has, at the end, report.html, one page that opens without a network; figures/ (SVG and
    PNG); tables/ (the numbers behind every figure, as CSV). A run may be done, still going on, or
    stopped: what is committed is drawn, and what hsevo examine found of its best. Runs that differ
    in nothing but the seed are taken as executions of one experiment; others are set side by side.
    """
    from hsevo.examine import FOLDER as EXAMINED
    from hsevo.examine import Examination
    from hsevo.report import near, page, sections, tables

    def say(name: str) -> None:
        click.echo(f"drawing {name} ...", err=True)

    if bool(paths) == (agents is not None):
        raise ConfigError("give one or more RUN folders, or --agents FILE")
    if tournament and not agents:
        raise ConfigError("--tournament goes with --agents FILE; a run has its own games")
    named = agents.stem if agents else paths[0].resolve().name
    path = out or Path("reports") / named
    page.check_folder(path)
    there = [one / EXAMINED for one in paths if (one / EXAMINED).exists()]
    examined = [Examination.read(one) for one in [*there, *extra]]
    if agents:
        parts = sections.of_agents(agents, tournament, number, say)
    else:
        parts = sections.of_runs(tables.load(paths), number, say)
    if examined or paths:
        say("the best from near")
        parts.append(near.section(examined))
    others = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    files = page.write(path, f"{named}{others}: what evolved", parts)
    count = sum(name.endswith(".svg") for name in files)
    click.echo(f"{path / page.PAGE}: {count} figures (figures/, SVG and PNG),"
               f" {sum(name.endswith('.csv') for name in files)} tables (tables/, CSV)")
