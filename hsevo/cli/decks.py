"""Commands about decks: check, export, list, search, guess."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import hsevo
from hsevo import cards
from hsevo.cards.human_decks import PATCHES
from hsevo.cards.rulesets import RULESETS
from hsevo.cli.completion import DECK
from hsevo.cli.deck_building import building, built
from hsevo.cli.deck_evolution import evolve
from hsevo.cli.deck_tuning import improve, values
from hsevo.cli.shared import FOLDER, json_option, print_json
from hsevo.cli.tables import show_table
from hsevo.config import names
from hsevo.errors import DeckError, HsevoError


@click.group()
def decks() -> None:
    """Check, export, list, search, guess and evolve decks.

    \b
    hsevo decks list
    hsevo decks check mage my-deck.txt
    hsevo decks check AAEBAf0E...
    hsevo decks search tempo --class mage
    hsevo decks guess --class mage --seen "Mana Wyrm"
    hsevo decks built runs/builder
    hsevo decks building runs/builder
    hsevo decks evolve --config human-field
    hsevo decks improve my-deck.txt --against mage,shaman
    hsevo decks cards my-deck.txt --against mage,shaman
    """


for command in (built, building, evolve, improve, values):
    decks.add_command(command)


@decks.command()
@click.argument("sources", nargs=-1, required=True, metavar="NAME|FILE|CODE|URL...",
                shell_complete=DECK)
@click.option("--format", "wanted", default="wild", show_default=True,
              metavar="wild|standard|standard-YEAR",
              help="Reject cards that this format does not allow. YEAR is from 2016 to 2019.")
@click.option("--ruleset", default="cig2018", show_default=True, metavar="NAME|FILE",
              help="Ruleset of the cards and of the Standard format.")
@json_option
def check(sources: tuple[str, ...], wanted: str, ruleset: str, as_json: bool) -> None:
    """Check decks by name, file, deck code, or URL with a deck code.

    If a deck has mistakes, the command prints all of them, and the exit code is 2. It prints a
    correct deck as a deck file, with the mana curve, legal formats and deck code in comments.

    \b
    hsevo decks check mage
    hsevo decks check AAEBAf0E... > mine.txt
    hsevo decks check my-deck.txt --format standard --ruleset msg2017
    """
    from hsevo.cli import deck_text

    cards.find_ruleset(ruleset)
    mistakes: list[dict[str, str]] = []
    right: list[hsevo.Deck] = []
    for source in sources:
        try:
            deck = hsevo.Deck(source)
            if out := deck.check(ruleset, wanted):
                out += _elsewhere(deck, ruleset, wanted)
                raise DeckError("\n".join(f"{source}: {mistake}" for mistake in out))
            right.append(deck)
        except HsevoError as error:
            mistakes += [{"deck": source, "mistake": line} for line in str(error).splitlines()]
    if as_json:
        print_json({"decks": right, "mistakes": mistakes})
    elif right:
        click.echo("\n\n".join("\n".join(deck_text.lines(deck)) for deck in right))
    if mistakes:
        raise DeckError("\n".join(mistake["mistake"] for mistake in mistakes))


def _elsewhere(deck: hsevo.Deck, ruleset: str, wanted: str) -> list[str]:
    """Return in which rulesets a deck is legal that lacks cards in this one; nothing if in none."""
    if wanted != "wild":
        return []
    names = [name for name in RULESETS if not deck.check(name)]
    return [f"the deck is legal in {' and '.join(names)}; see it with --ruleset {names[0]}"
            ] if names else []


@decks.command()
@click.argument("sources", nargs=-1, required=True, metavar="NAME|FILE|CODE|URL...",
                shell_complete=DECK)
@click.option("--format", "form", default="text", show_default=True, metavar="text|code|csv",
              help="A deck file, deck codes, or CSV rows.")
@click.option("--output", type=FOLDER, metavar="FILE", help="Write to this file instead of stdout.")
def export(sources: tuple[str, ...], form: str, output: Path | None) -> None:
    """Write decks as deck files, deck codes or CSV rows.

    text writes a deck file for one deck. code writes one deck code per line, which you can import
    into the game. csv writes a row for each deck, for --database and closed@FILE.

    \b
    hsevo decks export human:h038e27c68 --output druid.txt
    hsevo decks export mage --format code
    hsevo decks export mage shaman my-deck.txt --format csv --output decks.csv
    """
    text = hsevo.export_decks(sources, form, output)
    click.echo(text if output is None else f"decks: {output}\n", nl=False)


@decks.command("list")
@json_option
def list_decks(as_json: bool) -> None:
    """List the named decks.

    The list includes the decks of hsevo and your own decks in ./decks.

    \b
    hsevo decks list
    hsevo decks list --json
    """
    from hsevo.cli import deck_text

    heads = ["name", "class", "cards", "what it is"]
    rows = [deck_text.listed(name) for name in names("decks")]
    if as_json:
        print_json({"decks": [dict(zip(heads, row, strict=True)) for row in rows]})
        return
    show_table(heads, rows, ["cards"], ["cards", "what it is"])
    click.echo("more: hsevo decks check NAME")


database_option = click.option(
    "--database", metavar="PATH",
    help="A CSV file or folder of your own decks, instead of the human decks.")
class_option = click.option("--class", "cls", metavar="CLASS",
                            help="Only decks of this class, for example mage.")


@decks.command()
@click.argument("words", nargs=-1, metavar="[WORD...]")
@class_option
@click.option("--archetype", default="", metavar="WORDS",
              help="Only decks whose archetype contains these words, for example reno.")
@click.option("--patch", metavar="PATCH",
              help=f"Only decks of this patch: {', '.join([*PATCHES][:-1])} or {[*PATCHES][-1]}.")
@click.option("--with", "wanted", multiple=True, metavar="CARD",
              help="Only decks with this card. May be repeated.")
@click.option("--top", default=20, show_default=True, metavar="N", type=click.IntRange(1),
              help="Maximum number of rows. If more decks match, you see the newest.")
@database_option
@click.option("--csv", "as_csv", is_flag=True, help="Print all rows as comma-separated values.")
@json_option
def search(words: tuple[str, ...], wanted: tuple[str, ...], top: int, as_csv: bool, as_json: bool,
           **wishes: Any) -> None:
    """Find decks of the database that match all words and options.

    A WORD may be part of a deck's name, class, archetype, patch, date, type (tournament or ladder)
    or source. You can use the name of a deck in every command that takes decks.

    \b
    hsevo decks search tempo --class mage
    hsevo decks search tournament 2016-10 --with "N'Zoth, the Corruptor"
    hsevo decks search --patch gvg --archetype zoo --csv > zoo.csv
    hsevo decks search cube --patch witchwood
    hsevo decks check human:h038e27c68
    """
    from hsevo.cli import deck_text

    table = hsevo.search_decks(" ".join(words), cards=wanted, **wishes)
    if as_json:
        print_json({"decks": table})
    elif as_csv:
        click.echo(table.to_csv(index=False), nl=False)
    else:
        deck_text.searched(table, top)


@decks.command()
@click.option("--class", "cls", required=True, metavar="CLASS",
              help="The opponent's class, for example mage.")
@click.option("--seen", multiple=True, metavar="CARD",
              help="A card of the deck that the opponent has shown. Repeat the option for each"
                   " copy.")
@click.option("--method", default="likelihood", show_default=True, metavar="METHOD",
              help="How to guess: likelihood, match, bigrams or uniform.")
@click.option("--patch", metavar="PATCH", help="Only use decks and cards up to this patch.")
@click.option("--ruleset", default="cig2018", show_default=True, metavar="NAME|FILE",
              help="Only use decks and cards of this ruleset.")
@click.option("--top", default=10, show_default=True, metavar="N", type=click.IntRange(1),
              help="Number of rows of each table.")
@database_option
@json_option
def guess(cls: str, seen: tuple[str, ...], top: int, as_json: bool, **how: Any) -> None:
    """Guess an opponent's deck from the cards that were shown.

    You get a table of the most probable decks, and a table of the cards that the opponent most
    probably still has in hand or deck. This table gives the probability of at least one more copy,
    and the probability of at least two more copies.

    \b
    likelihood   a posterior over decks; a deck may lack a shown card
    match        the decks with most cards in common (Santos 2017)
    bigrams      cards that occur in decks with shown cards (Bursztein 2016)
    uniform      no knowledge: all cards of the class are equally likely

    \b
    hsevo decks guess --class mage --seen "Mana Wyrm" --seen Flamewaker
    hsevo decks guess --class warlock --seen "Flame Imp" --method match
    hsevo decks guess --class rogue --seen "Waggle Pick" --ruleset rise2019
    """
    from hsevo.cli import deck_text

    result = hsevo.guess_deck(cls, seen, **how)
    if as_json:
        print_json({"decks": result.decks, "cards": result.cards})
    else:
        deck_text.guessed(result, top)
