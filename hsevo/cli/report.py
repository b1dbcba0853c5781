"""hsevo report: figures and tables of runs, as one page and as files."""

from __future__ import annotations

from pathlib import Path

import click

from hsevo.cli.shared import FOLDER
from hsevo.errors import ConfigError


@click.command()
@click.argument("runs", metavar="[RUN|LABEL=RUN]...", nargs=-1)
@click.option("--out", type=FOLDER, metavar="DIR",
              help="Where to; an older report there is replaced. Default: reports/NAME.")
@click.option("--agents", type=FOLDER, metavar="FILE",
              help="Weight vectors instead of runs: CSV, YAML, or '#' lines.")
@click.option("--tournament", type=FOLDER, metavar="DIR",
              help="The games of --agents: a folder of hsevo tournament.")
@click.option("--examined", "extra", type=FOLDER, multiple=True, metavar="DIR",
              help="A folder of hsevo examine; one at RUN/examined is found by itself; also alone.")
@click.option("--arena", "arenas", type=FOLDER, multiple=True, metavar="DIR",
              help="Who stands where: a folder of hsevo arena or benchmark; also alone.")
@click.option("--groups", "number", type=click.IntRange(2, 7), metavar="K",
              help="Part the solutions into K groups, 2 to 7; default: by silhouette.")
def report(runs: tuple[str, ...], out: Path | None, agents: Path | None,
           tournament: Path | None, extra: tuple[Path, ...], arenas: tuple[Path, ...],
           number: int | None) -> None:
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
    from hsevo.analysis.examine import FOLDER as EXAMINED
    from hsevo.analysis.examine import Examination
    from hsevo.reports import arenas as standing
    from hsevo.reports import examined, page, sections, standings, tables

    def say(name: str) -> None:
        click.echo(f"drawing {name} ...", err=True)

    paths, labels = _labelled(runs)
    _check(paths, agents, tournament, arenas, extra)
    named = agents.stem if agents else (*paths, *arenas, *extra)[0].resolve().name
    path = out or Path("reports") / named
    page.check_folder(path)
    there = [one / EXAMINED for one in paths if (one / EXAMINED).exists()]
    given = {one.resolve(): one for one in [*there, *extra]}  # one given as both is one
    found = [Examination.read(one) for one in given.values()]
    fields = [standing.read(arena) for arena in arenas]  # first, for they may be damaged
    if found:
        say("an agent from near")
    near = [examined.section(found)] if found or paths else []
    sources, series, parts = {agents.stem: agents} if agents else {}, {}, []
    if agents:
        parts = sections.of_agents(agents, tournament, number, say)
    elif paths:
        data = tables.load(paths, labels)
        parts = sections.of_runs(data, number, say)
        sources, series = {label: run.path for label, run in data.runs.items()}, data.series
    parts += [*standings.of_arenas(fields, sources, series, say), *near]
    others = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    about = ("what evolved" if paths or agents else
             "who stands where" if arenas else "an agent from near")
    files = page.write(path, f"{named}{others}: {about}", parts)
    count = sum(name.endswith(".svg") for name in files)
    click.echo(f"{path / page.PAGE}: {count} figures (figures/, SVG and PNG),"
               f" {sum(name.endswith('.csv') for name in files)} tables (tables/, CSV)")


def _labelled(words: tuple[str, ...]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Part LABEL=RUN, unless it is a path as it is; return paths, and labels or ""."""
    parted = [("", "", word) if Path(word).exists() else word.rpartition("=") for word in words]
    return tuple(Path(path) for *_, path in parted), tuple(label for label, *_ in parted)


def _check(paths: tuple[Path, ...], agents: Path | None, tournament: Path | None,
           arenas: tuple[Path, ...], examined: tuple[Path, ...]) -> None:
    """Raise ConfigError unless these go together."""
    if (paths and agents) or not (paths or agents or arenas or examined):
        raise ConfigError("give one or more RUN folders, or --agents FILE, or --arena DIR or"
                          " --examined DIR alone")
    if tournament and not agents:
        raise ConfigError("--tournament goes with --agents FILE; a run has its own games")
    for option, given in (("--arena", arenas), ("--examined", examined)):
        folders = [folder.resolve() for folder in given]
        for folder in folders:
            if folders.count(folder) > 1:
                raise ConfigError(f"{option} {folder} is given twice; once is enough")
