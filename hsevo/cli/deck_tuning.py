"""hsevo decks improve, hsevo decks cards: the best swaps of a deck, what its cards are worth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hsevo
from hsevo.cli.completion import AGENT, DECK, DECKS
from hsevo.cli.shared import FOLDER, given, json_option, losing, print_json, split, workers_options
from hsevo.cli.tables import say, show_table, within
from hsevo.files import probe

if TYPE_CHECKING:
    import pandas as pd


def field_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say whom a deck meets, and by which rules."""
    for option in (
        click.option("--max-turns", type=int, metavar="N",
                     help="A game of more turns is a draw; default: 89."),
        click.option("--ruleset", metavar="NAME|FILE",
                     help="Version of cards and rules: a name, or an overlay, a file of changed"
                          " cards; default: cig2018."),
        click.option("--seed", type=int, metavar="N",
                     help="The same seed gives the same result; default: 1."),
        click.option("--pilot", metavar="AGENT", shell_complete=AGENT,
                     help="The agent that plays the deck, and all of the field without an agent of"
                          " their own; default: eva:2018."),
        click.option("--against", required=True, metavar="A,B,...", shell_complete=DECKS,
                     help="The field: decks, or AGENT@DECK."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("deck", metavar="DECK", shell_complete=DECK)
@field_options
@click.option("--swaps", type=int, metavar="N", help="Cards to change, at most; default: 1.")
@click.option("--games", type=int, metavar="N",
              help="Games of the races, about; default: 100,000.")
@click.option("--confirm", type=int, metavar="N",
              help="New games of the deck and of the changed one, each; default: 4,000.")
@click.option("--sets", metavar="A,B,...", help="Only cards of these sets come in.")
@click.option("--collection", type=FOLDER, metavar="FILE",
              help="Only cards of this collection come in: a card a line, 2x Fireball.")
@click.option("--keep", multiple=True, metavar="CARD", help="Stays in the deck; may be repeated.")
@click.option("--ban", multiple=True, metavar="CARD", help="Does not come in; may be repeated.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write the changed deck to this file.")
@workers_options
@json_option
def improve(deck: str, against: str, sets: str | None, output: Path | None, as_json: bool,
            **how: Any) -> None:
    """Find the best swaps of cards for a deck against a field.

    \b
    hsevo decks improve mage --against shaman,warrior,zoo-warlock
    hsevo decks improve my.txt --against mage --swaps 3 --collection mine.csv
    hsevo decks improve mage --against gsv@shaman --keep "Reno Jackson"

    Swaps of one card race on common seeds: first all of them (or as many as the games let play two
    pairs each), then the best 64, 16 and 4, each time with a quarter of the games. The best is the
    deck for the next race. What a swap gains in its race is too high, as it is the highest of many.
    So at the end the deck as it was and the changed one play new games, and the difference of these
    is printed, with its interval.
    """
    if output:
        probe(output)
    with losing("nothing is kept of a race"):
        found = hsevo.improve_deck(deck, split(against), sets=split(sets), progress=True,
                                   **given(**how))
    if output:
        hsevo.export_decks(found.deck, "text", output)
    if as_json:
        print_json(found)
        return
    say(_setting(deck, against, how))
    _show_improved(found)
    if output:
        say(f"deck: {output}")


def _setting(deck: str, against: str, how: dict[str, Any]) -> str:
    """Return in words who met whom; see the defaults of hsevo.improve_deck."""
    return (f"{deck}, played by {how['pilot'] or 'eva:2018'}, against"
            f" {', '.join(split(against))}; ruleset {how['ruleset'] or 'cig2018'}")


def _show_improved(found: hsevo.Improved) -> None:
    say(found.sentence)
    if not len(found.swaps):
        return
    show_table(["out", "in", "swaps that raced", "gain in the race"], [
        [row["out"], row["in"], f"{row['tried']:,}", f"{100 * row['race']:+.1f}"]
        for row in found.swaps.to_dict("records")], ["swaps that raced", "gain in the race"])
    one = found.comparison
    say(f"in {2 * one.pairs:,} new games each: before {one.before.percent(1)}, after"
        f" {one.after.percent(1)};\nchance that it is better: {_chance(one.chance)}")
    if len(found.deck) == len(found.before) == 30:
        say(f"deck code: {found.deck.code}")


def _chance(chance: float) -> str:
    return "above 99.9 %" if chance > 0.999 else f"{100 * chance:.1f} %"


@click.command("cards")
@click.argument("deck", metavar="DECK", shell_complete=DECK)
@field_options
@click.option("--games", type=int, metavar="N",
              help="Games of the deck, and again with each card replaced; default: 2,000.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@workers_options
@json_option
def values(deck: str, against: str, as_csv: bool, as_json: bool, **how: Any) -> None:
    """Measure what each card of a deck is worth against a field.

    \b
    hsevo decks cards mage --against shaman,warrior,zoo-warlock
    hsevo decks cards my.txt --against mage --pilot greedy:metastone --games 10000

    worth: points that the deck wins more, in 100 games, than with neutral cards of the same cost in
    the card's place (all copies; in every pair of games another one), on the same seeds. dealt,
    drawn, shown: won in games where it was in the first hand (before a mulligan), drawn, or shown
    to the other, with 95 % intervals. Long games draw more cards: compare cards, not with the
    deck's rate.
    """
    with losing("nothing is kept of these games"):
        found = hsevo.card_values(deck, split(against), progress=True, **given(**how))
    if as_json:
        print_json(found)
    elif as_csv:
        click.echo(found.table.to_csv(index=False), nl=False)
    else:
        say(f"{_setting(deck, against, how)}\n{deck} wins {found.rate.percent(1)}")
        _show_values(found.table)


def _show_values(table: pd.DataFrame) -> None:
    show_table(["card", "n", "worth", "95 % interval", "dealt %", "drawn %", "shown %"], [
        [row["card"], str(row["copies"]), f"{100 * row['value']:+.1f}",
         f"{100 * row['value_low']:+.1f} to {100 * row['value_high']:+.1f}",
         *(within(row, name) for name in ("dealt", "drawn", "shown"))]
        for row in table.to_dict("records")],
        ["n", "worth", "95 % interval", "dealt %", "drawn %", "shown %"],
        ["n", "shown %", "dealt %", "drawn %"], "--csv has them")
    sure = int(((table["value_low"] > 0) | (table["value_high"] < 0)).sum())
    say(f"{sure} of {len(table)} cards have intervals that exclude 0; if none was worth anything,"
        f" {len(table) / 20:.1f} would by luck")
