"""hsevo decks improve, hsevo decks cards: the best card swaps, and the value of each card."""

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
                     help="A game with more player turns is a draw. Default: 89."),
        click.option("--ruleset", metavar="NAME|FILE",
                     help="Version of cards and rules: a name, or an overlay (a file of changed"
                          " cards). Default: cig2018."),
        click.option("--seed", type=int, metavar="N",
                     help="The same seed gives the same result. Default: 1."),
        click.option("--pilot", metavar="AGENT", shell_complete=AGENT,
                     help="The agent that plays the deck, and all opponents without an agent in"
                          " their spec. Default: eva:2018."),
        click.option("--against", required=True, metavar="A,B,...", shell_complete=DECKS,
                     help="The opponents: decks, or AGENT@DECK."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("deck", metavar="DECK", shell_complete=DECK)
@field_options
@click.option("--swaps", type=int, metavar="N",
              help="Maximum number of cards to change. Default: 1.")
@click.option("--games", type=int, metavar="N",
              help="Approximate number of games of all races together. Default: 100,000.")
@click.option("--confirm", type=int, metavar="N",
              help="Number of new games of each of the two decks, original and changed. Default:"
                   " 4,000.")
@click.option("--sets", metavar="A,B,...", help="Add only cards of these sets.")
@click.option("--collection", type=FOLDER, metavar="FILE",
              help="Add only cards of this collection, a file with lines like 2x Fireball.")
@click.option("--keep", multiple=True, metavar="CARD",
              help="Keep this card in the deck. May be repeated.")
@click.option("--ban", multiple=True, metavar="CARD", help="Do not add this card. May be repeated.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write the changed deck to this file.")
@workers_options
@json_option
def improve(deck: str, against: str, sets: str | None, output: Path | None, as_json: bool,
            **how: Any) -> None:
    """Find the best card swaps for a deck against given opponents.

    \b
    hsevo decks improve mage --against shaman,warrior,zoo-warlock
    hsevo decks improve my.txt --against mage --swaps 3 --collection mine.csv
    hsevo decks improve mage --against gsv@shaman --keep "Reno Jackson"

    hsevo finds the best swap of one card by a race. First, all swaps play games with the same
    seeds. Then the best 64 swaps play more games, then the best 16, and then the best 4. Each of
    these four stages gets a quarter of the games. The best swap changes the deck, and the next race
    starts from the changed deck (see --swaps). The gain in a race has a selection bias. Therefore
    you get the difference between the original and the changed deck in new games.
    """
    if output:
        probe(output)
    with losing("the games of the race are lost"):
        improved = hsevo.improve_deck(deck, split(against), sets=split(sets), progress=True,
                                      **given(**how))
    if output:
        hsevo.export_decks(improved.deck, "text", output)
    if as_json:
        print_json(improved)
        return
    say(_setting(deck, against, how))
    _show_improved(improved)
    if output:
        say(f"deck: {output}")


def _setting(deck: str, against: str, how: dict[str, Any]) -> str:
    """Return in words who met whom; see the defaults of hsevo.improve_deck."""
    return (f"{deck}, played by {how['pilot'] or 'eva:2018'}, against"
            f" {', '.join(split(against))}; ruleset {how['ruleset'] or 'cig2018'}")


def _show_improved(improved: hsevo.Improved) -> None:
    say(improved.sentence)
    if not len(improved.swaps):
        return
    show_table(["out", "in", "swaps that raced", "gain in the race"], [
        [row["out"], row["in"], f"{row['tried']:,}", f"{100 * row['race']:+.1f}"]
        for row in improved.swaps.to_dict("records")], ["swaps that raced", "gain in the race"])
    comparison = improved.comparison
    say(f"in {2 * comparison.pairs:,} new games each: before {comparison.before.percent(1)}, after"
        f" {comparison.after.percent(1)};\nchance that it is better: {_chance(comparison.chance)}")
    if len(improved.deck) == len(improved.before) == 30:
        say(f"deck code: {improved.deck.code}")


def _chance(chance: float) -> str:
    return "above 99.9 %" if chance > 0.999 else f"{100 * chance:.1f} %"


@click.command("cards")
@click.argument("deck", metavar="DECK", shell_complete=DECK)
@field_options
@click.option("--games", type=int, metavar="N",
              help="Number of games of the deck, and of each variant without one card. Default:"
                   " 2,000.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@workers_options
@json_option
def values(deck: str, against: str, as_csv: bool, as_json: bool, **how: Any) -> None:
    """Measure the value of each card of a deck.

    \b
    hsevo decks cards mage --against shaman,warrior,zoo-warlock
    hsevo decks cards my.txt --against mage --pilot greedy:metastone --games 10000

    For each card, hsevo also plays the deck with random neutral cards of the same cost instead of
    the card, with the same seeds. The column worth is the difference in won games per 100 games
    between the deck with the card and the deck with its replacements. The columns dealt, drawn and
    shown are win rates of the games in which the card was in the first hand (before a mulligan),
    was drawn, or was shown to the opponent. Intervals are 95 % intervals. A deck draws more cards
    in long games, so compare these win rates between cards, and not with the win rate of the deck.
    """
    with losing("these games are lost"):
        result = hsevo.card_values(deck, split(against), progress=True, **given(**how))
    if as_json:
        print_json(result)
    elif as_csv:
        click.echo(result.table.to_csv(index=False), nl=False)
    else:
        say(f"{_setting(deck, against, how)}\n{deck} wins {result.rate.percent(1)}")
        _show_values(result.table)


def _show_values(table: pd.DataFrame) -> None:
    show_table(["card", "n", "worth", "95 % interval", "dealt %", "drawn %", "shown %"], [
        [row["card"], str(row["copies"]), f"{100 * row['value']:+.1f}",
         f"{100 * row['value_low']:+.1f} to {100 * row['value_high']:+.1f}",
         *(within(row, name) for name in ("dealt", "drawn", "shown"))]
        for row in table.to_dict("records")],
        ["n", "worth", "95 % interval", "dealt %", "drawn %", "shown %"],
        ["n", "shown %", "dealt %", "drawn %"], "--csv has them")
    sure = int(((table["value_low"] > 0) | (table["value_high"] < 0)).sum())
    say(f"{sure} of {len(table)} cards have intervals that exclude 0; if all values were 0,"
        f" {len(table) / 20:.1f} would by luck")
