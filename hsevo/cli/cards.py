"""Commands about cards: list, show, page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hsevo.cli.shared import json_option
from hsevo.files import probe, write_whole

RULESET = click.option("--ruleset", default="cig2018", show_default=True, metavar="NAME|FILE",
                       help="cig2018, msg2017, cig2018-as-run or blackrock2015.")


@click.group(invoke_without_command=True)
@click.pass_context
def cards(ctx: click.Context) -> None:
    """Browse the cards.

    \b
    hsevo cards                                    numbers by set and class
    hsevo cards list --class mage --cost 3         a table
    hsevo cards list --race murloc --text summon   words of the name or text
    hsevo cards list --missing --set karazhan      cards not implemented yet
    hsevo cards show "Sylvanas"                    one card
    hsevo cards page --out cards.html              all of them in the browser
    """
    if ctx.invoked_subcommand is None:
        from hsevo.cli import card_text

        card_text.overview()


@cards.command("list")
@click.option("--set", "set_name", metavar="SET", help="For example classic, tgt or 'old gods'.")
@click.option("--class", "cls", metavar="CLASS", help="For example mage, or neutral.")
@click.option("--cost", type=click.IntRange(0), metavar="N", help="Cost in mana.")
@click.option("--kind", metavar="TYPE",
              help="minion, spell, secret or weapon. For tokens also power or hero.")
@click.option("--race", metavar="RACE", help="For example murloc.")
@click.option("--rarity", metavar="RARITY", help="common, rare, epic or legendary.")
@click.option("--text", "words", default="", metavar="WORDS",
              help="The name or text contains all of these words.")
@click.option("--missing", is_flag=True, help="Only cards that are not implemented yet.")
@click.option("--tokens", is_flag=True, help="Only cards that other cards create.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@json_option
@RULESET
def list_cards(ruleset: str, missing: bool, tokens: bool, as_csv: bool, as_json: bool,
               **wishes: Any) -> None:
    """List the cards that match all options.

    A tri-class card is listed in each of its three classes. hsevo does not have the texts of
    missing cards.

    \b
    hsevo cards list --class mage --kind spell --cost 3
    hsevo cards list --text "draw" --ruleset msg2017 --csv
    """
    from hsevo.cli import card_text

    card_text.listing(ruleset, missing, tokens, as_csv, as_json, wishes)


@cards.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME_OR_ID...")
@json_option
@RULESET
def show(names: tuple[str, ...], ruleset: str, as_json: bool) -> None:
    """Show a card's text, the cards it creates, and how rulesets change it.

    Part of a name is enough. If several cards match, you get a list. The text is generated from the
    data that the engine plays. "You" is the player who controls the card. In an effect that a
    minion was given, it is the player who gave the effect, but in a given Deathrattle, the player
    who controls the minion.

    \b
    hsevo cards show Sylvanas
    hsevo cards show "fiery war" EX1_298
    """
    from hsevo.cli import card_text

    card_text.shown(names, ruleset, as_json)


@cards.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE",
              help="The HTML file to write.")
@RULESET
def page(out: Path, ruleset: str) -> None:
    """Write a web page where you can browse, filter and search all cards.

    The page has no pictures and needs no network. Its address includes your filters, so a link
    shows the same cards.

    \b
    hsevo cards page --out cards.html
    hsevo cards page --out cards-2017.html --ruleset msg2017
    """
    from hsevo.cards import page as written

    probe(out)
    html = written(ruleset)
    write_whole(out, html.encode())
    click.echo(f"{out}: {html.count('<article ')} cards of {ruleset}")
