"""hsevo coevolve: decks and the weights of their players evolve together."""

from __future__ import annotations

from shlex import quote
from typing import Any

import click

import hsevo
from hsevo.cli.completion import COEVOLUTIONS
from hsevo.cli.experiments import complete, run_options
from hsevo.cli.tables import say, show_table


@click.command()
@run_options("coevolve", COEVOLUTIONS, "pool.class=rogue", "games")
def coevolve(**options: Any) -> None:
    """Evolve decks and the weights of the agents that play them, into a run folder.

    \b
    hsevo coevolve --config coevolve-smoke        half a minute
    hsevo coevolve --config user-deck             a deck for a competition
    hsevo coevolve --config user-deck --set pool.class=rogue
    hsevo coevolve --config user-deck --set 'hall.first=["eva:2018@my-deck.txt"]'
    hsevo coevolve --config user-deck --set agent=eva:wide --minutes 10
    hsevo coevolve --resume RUN
    hsevo coevolve --resume RUN --generations 200    extend it
    hsevo match eva:RUN/champion.yaml@RUN/champion.txt eva:2018@mage

    The hall of fame contains pairs of an agent and its deck. In each generation, agents of the hall
    play the new decks, and the new weights play decks of the hall. The opponents are pairs of the
    hall, too. The best deck and the best weights form the champion, which enters the hall.

    Because the hall changes, the champion also plays reference decks every few generations, which
    measures progress. At the end, the newest champions play the hall with new seeds. You get the
    win rate of the best champion against the reference decks. You also get the win rates of its
    deck with the first agent of the hall, and of its weights with the first deck of the hall.

    Results are bit-identical with any number of workers and any backend. --resume continues a
    stopped run with the same result.
    """
    complete(hsevo.Coevolution, "give a config: hsevo coevolve"
             " --config user-deck (hsevo config list names more)", _print, **options)


def _print(run: hsevo.Coevolution) -> None:
    """Print the champion, how it does against the reference decks, and what to do with it."""
    table = run.confirmed
    say(run.deck.text.rstrip())
    say(f"deck code: {run.deck.code}")
    say(f"player: {table.iloc[0]['pilot']}, {run.spec}")
    say(f"confirmed: {run.rate.percent()} of"
        f" {table.iloc[0]['games']:,} games against the reference decks")
    show_table(["deck", "player", "games", "won", "95 % interval"], [
        [row["deck"], row["pilot"], f"{row['games']:,}", f"{100 * row['rate']:.1f} %",
         f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"] for row in table.to_dict("records")])
    path, deck = quote(str(run.path)), quote(str(run.path / "champion.txt"))
    say(f"run folder: {run.path}\nTo see the training curve, and the deck's mana curve:"
        f"\n  hsevo report {path}\n  hsevo decks check {deck}")
