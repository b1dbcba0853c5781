"""hsevo decks evolve: decks that beat given opponents."""

from __future__ import annotations

from shlex import quote
from typing import Any

import click

import hsevo
from hsevo.cli.completion import DECK_SEARCHES
from hsevo.cli.experiments import complete, run_options
from hsevo.cli.tables import say, show_table


@click.command()
@run_options("decks evolve", DECK_SEARCHES, "pool.class=rogue", "games")
def evolve(**options: Any) -> None:
    """Evolve decks that beat given opponents, into a run folder.

    \b
    hsevo decks evolve --config human-field       a mage against human decks
    hsevo decks evolve --config human-field --set pool.class=rogue
    hsevo decks evolve --config human-field --set pool.collection=mine.csv
    hsevo decks evolve --config human-field --set 'pool.ban=[Dr. Boom]'
    hsevo decks evolve --config human-field --set 'field=[mage, warrior]'
    hsevo decks evolve --config human-field --set 'pilots=["eva:2018"]'
    hsevo decks evolve --config deck-map          a map of diverse decks
    hsevo decks evolve --config human-field --minutes 10
    hsevo decks evolve --resume RUN
    hsevo decks evolve --resume RUN --generations 60   extend it
    hsevo match eva:2018@RUN/best.txt eva:2018@mage

    All decks are legal. All decks of a generation play with the same shuffles, and swap seats.

    The highest of many win rates has a selection bias. Therefore, at the end, the best decks play
    with new seeds, and the winner plays another set of new games. You get the win rate in these
    last games. RUN/best.txt contains the winner, with a deck code that you can paste into the game.
    RUN/archive.csv contains the best decks of the search.

    Results are bit-identical with any number of workers and any backend. --resume continues a
    stopped run with the same result.
    """
    complete(hsevo.DeckEvolution, "give a config: hsevo decks"
             " evolve --config human-field (hsevo config list names more)", _print, **options)


def _print(run: hsevo.DeckEvolution) -> None:
    """Print the best deck, how it does against the field, and what to do with it."""
    from hsevo.reports.deck_searches import match_ups, optimism

    best, rate = run.best, run.rate
    say(best.text.rstrip())
    say(f"deck code: {best.code}")
    say(f"confirmed: {rate.percent()} of"
        f" {run.archive.iloc[0]['confirmed_games']:,} games against the field;"
        f" {optimism(run)}")
    show_table(["deck", "pilot", "against", "games", "won", "95 % interval"], [
        [row["deck"], row["pilot"], row["opponent"], f"{row['games']:,}",
         f"{100 * row['rate']:.1f} %", f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"]
        for row in match_ups(run).to_dict("records")], spare=["pilot"])
    path, ruleset = quote(str(run.path)), run.plan.ruleset
    rules = "" if ruleset == "cig2018" else f" --ruleset {quote(ruleset)}"
    say(f"run folder: {run.path}\nTo see the search, and to play with the deck:"
        f"\n  hsevo report {path}"
        f"\n  hsevo decks check {quote(str(run.path / 'best.txt'))}{rules}")
