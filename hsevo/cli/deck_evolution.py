"""hsevo decks evolve: decks that beat a field."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

import click

from hsevo import api
from hsevo.cli.completion import DECK_SEARCHES
from hsevo.cli.experiments import complete, experiment_options, plan_of
from hsevo.cli.shared import json_option, workers_options
from hsevo.cli.tables import say, show_table


@click.command()
@click.option("--config", "source", metavar="NAME_OR_PATH", shell_complete=DECK_SEARCHES,
              help="A config: a path, or a name (hsevo config list).")
@click.option("--seed", type=int, help="Another seed. The same seed gives the same result.")
@workers_options
@experiment_options("generations", "pool.class=rogue", "games")
@json_option
def evolve(source: str | None, resume: Path | None, number: int | None, workers: int | None,
           backend: str | None, logs: tuple[str, ...], as_json: bool, **new: Any) -> None:
    """Evolve decks that beat a field, into a run folder.

    \b
    hsevo decks evolve --config human-field       a mage against human decks
    hsevo decks evolve --config human-field --set pool.class=rogue
    hsevo decks evolve --config human-field --set pool.collection=mine.csv
    hsevo decks evolve --config human-field --set 'pool.ban=[Dr. Boom]'
    hsevo decks evolve --config human-field --set 'field=[mage, warrior]'
    hsevo decks evolve --config human-field --set 'pilots=["eva:2018"]'
    hsevo decks evolve --config deck-map          a map of deck space
    hsevo decks evolve --config human-field --minutes 10
    hsevo decks evolve --resume RUN
    hsevo decks evolve --resume RUN --generations 60   prolong it
    hsevo match eva:2018@RUN/best.txt eva:2018@mage

    Every deck has at most two copies of a card, one of a legendary, and cards of its class or
    neutral ones. All decks of a generation play the same deals against the field, from either seat.

    The highest of many rates is too high by luck. So at the end the best decks play again with new
    seeds; the best of these plays once more, and that rate is printed: it chose nothing.
    RUN/best.txt is the deck, with a deck code that can be pasted into the game; archive.csv has all
    that stayed.

    Results are bit-identical with any number of workers and any backend. A run that was stopped or
    killed at any moment continues with --resume, and its result is the same.
    """
    complete(api.DeckEvolution, resume, number, logs, {"config": source, **new}, lambda:
             api.DeckEvolution.create(_plan(source, workers, backend, new), new["out"],
                                      minutes=new["minutes"], progress=True),
             None if as_json else _print, workers=workers, backend=backend)


def _plan(source: str | None, workers: int | None, backend: str | None,
          new: dict[str, Any]) -> Any:
    return plan_of(
        api.DeckEvolution, source, "give a config: hsevo decks evolve --config human-field (hsevo"
        " config list names more)", new["settings"],
        {"seed": new["seed"], "workers.count": workers, "workers.backend": backend})


def _print(run: api.DeckEvolution) -> None:
    """Print the best deck, how it does against the field, and what to do with it."""
    from hsevo.reports.deck_searches import match_ups, optimism

    best, rate = run.best, run.rate
    say(best.text.rstrip())
    say(f"deck code: {best.code}")
    say(f"confirmed: {rate.percent()} of"
        f" {run.archive.iloc[0]['confirmed_games']:,} games against the field;"
        f" {optimism(run.folder)}")
    show_table(["deck", "pilot", "against", "games", "won", "95 % interval"], [
        [row["deck"], row["pilot"], row["opponent"], f"{row['games']:,}",
         f"{100 * row['rate']:.1f} %", f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"]
        for row in match_ups(run.folder).to_dict("records")], spare=["pilot"])
    path = quote(str(run.path))
    say(f"run folder: {run.path}\nTo see the search, and to play with the deck:"
        f"\n  hsevo report {path}\n  hsevo decks check {quote(str(run.path / 'best.txt'))}")
