"""What several commands need: options, decks, and workers that play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsevo.errors import ConfigError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hsevo.cards.decks import Deck
    from hsevo.config import Config, Workers
    from hsevo.evolution.progress import Meter
    from hsevo.play.workers import Map

FOLDER = click.Path(path_type=Path)
BACKENDS = click.Choice(["threads", "loky", "dask", "serial"])


def workers_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say who plays the games."""
    for option in (
        click.option("--workers", type=int, metavar="N", help="Workers; default: one a core."),
        click.option("--backend", type=BACKENDS, help="Who they are; default: threads."),
    ):
        command = option(command)
    return command


def read_decks(plan: Config) -> list[Deck]:
    """Read the decks of a config; ConfigError if two have one name."""
    from hsevo.cards.decks import read_deck

    decks = [read_deck(name) for name in plan.decks]
    names = [deck.name for deck in decks]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two decks are called '{name}'; the tables would mix them up")
    return decks


def warm_up() -> None:
    """Load the engine, or compile it and say so."""
    from hsevo.play import match

    if not match.is_compiled():
        click.echo("compiling the engine: once for this version, about half a minute ...", err=True)
    match.warm_up()


def team_of(workers: int | None, backend: str | None) -> Workers:
    """Return the workers that the command line names; the rest is as in a config."""
    from hsevo.config import Workers, check

    given = {"workers": workers, "backend": backend}
    named = {"count" if name == "workers" else name: value for name, value in given.items()
             if value is not None}
    return check(Workers, named, "the command line: workers")


@contextmanager
def playing(games: int, team: Workers,
            above: Callable[[], Iterable[RenderableType]] = tuple) -> Iterator[tuple[Map, Meter]]:
    """Compile the engine if need be, open the workers, and show how far they are.

    above: what to show over the live line in a terminal, asked for several times a second.
    """
    from hsevo.evolution.progress import Meter
    from hsevo.play.workers import open_workers

    warm_up()
    with open_workers(team) as work, Meter(games, above=above) as meter:
        yield work, meter


def rate(row: Any) -> str:
    """Return a row of a ranking as words: who, how often it won, the interval."""
    games = row["wins"] + row["draws"] + row["losses"]
    if not games:
        return f"{row['agent']}, alone in its population: there was nobody to play"
    return (f"{row['agent']}, {100 * row['rate']:.2f} % of {games:,} games won"
            f" (95 % interval {100 * row['low']:.2f} to {100 * row['high']:.2f})")


def names_run(word: str) -> bool:
    """Tell whether a word means a run folder, and no agent of the roster."""
    from hsevo.strength.roster import ROSTER

    return word not in ROSTER and Path(word).is_dir()


def best_of_run(path: str, games: int, team: Workers) -> str:
    """Play the last population of a run again; say who is best, and return its spec."""
    from hsevo.runs.folder import Run
    from hsevo.strength.champions import find_best, pool_size

    run = Run.open(Path(path))
    with playing(pool_size(run, games), team) as (work, meter):
        best = find_best(run, work, games, meter.tick)
    click.echo(f"its last population again: best is {rate(best.table.iloc[0])}", err=True)
    return f"eva:{path}#{best.name}"
