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
@click.option("--set", "set_name", metavar="SET", help="Such as classic, tgt, 'old gods'.")
@click.option("--class", "cls", metavar="CLASS", help="Such as mage, or neutral.")
@click.option("--cost", type=click.IntRange(0), metavar="N", help="Mana.")
@click.option("--kind", metavar="TYPE", help="minion, spell, secret, weapon; tokens: power, hero.")
@click.option("--race", metavar="RACE", help="Such as murloc.")
@click.option("--rarity", metavar="RARITY", help="common, rare, epic or legendary.")
@click.option("--text", "words", default="", metavar="WORDS",
              help="All of these words in the name or text.")
@click.option("--missing", is_flag=True, help="Cards that are not implemented yet.")
@click.option("--tokens", is_flag=True, help="Cards that only other cards make.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values.")
@json_option
@RULESET
def list_cards(ruleset: str, missing: bool, tokens: bool, as_csv: bool, as_json: bool,
               **wishes: Any) -> None:
    """List the cards that fit all options.

    A tri-class card is listed in each of its three classes. The texts of missing cards are not
    known.

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
    """Show a card: what it does, what it makes, what rulesets change.

    Part of a name is enough; if several cards match, they are listed. The text is generated from
    the data that the engine plays. "You" is the player who controls the card; in an effect given to
    a minion, the player who gave it, but in a given Deathrattle, the player who controls the
    minion.

    \b
    hsevo cards show Sylvanas
    hsevo cards show "fiery war" EX1_298
    """
    from hsevo.cli import card_text

    card_text.shown(names, ruleset, as_json)


@cards.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE",
              help="The page, an HTML file.")
@RULESET
def page(out: Path, ruleset: str) -> None:
    """Write all cards as one web page to browse, filter and search.

    It has no pictures, and needs no network. Its address keeps the filters, so that a link shows
    the same cards again.

    \b
    hsevo cards page --out cards.html
    hsevo cards page --out cards-2017.html --ruleset msg2017
    """
    from hsevo.cards import page as written

    probe(out)
    html = written(ruleset)
    write_whole(out, html.encode())
    click.echo(f"{out}: {html.count('<article ')} cards of {ruleset}")
