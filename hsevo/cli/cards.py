"""Commands about cards: list, show, page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hsevo.cards.rulesets import RULESETS
from hsevo.cli.shared import json_option
from hsevo.files import probe, write_whole

RULESET = click.option("--ruleset", default="cig2018", show_default=True, metavar="NAME|FILE",
                       help=f"Version of cards and rules: {', '.join(RULESETS)}, or an overlay (a"
                            " file of changed cards).")


@click.group(invoke_without_command=True)
@click.pass_context
def cards(ctx: click.Context) -> None:
    """Browse the cards.

    \b
    hsevo cards                                    count by set and class
    hsevo cards list --class mage --cost 3         list cards
    hsevo cards list --race murloc --text summon   search names and texts
    hsevo cards list --missing --set karazhan      cards not implemented yet
    hsevo cards show "Sylvanas"                    show a card
    hsevo cards page --out cards.html              write a page of all cards
    """
    if ctx.invoked_subcommand is None:
        from hsevo.cli import card_text

        card_text.overview()


@cards.command("list")
@click.option("--set", "set_name", metavar="SET",
              help="Only cards of this set, for example classic, tgt or 'old gods'.")
@click.option("--class", "cls", metavar="CLASS",
              help="Only cards of this class, for example mage or neutral.")
@click.option("--cost", type=click.IntRange(0), metavar="N",
              help="Only cards with this cost in mana.")
@click.option("--kind", metavar="TYPE",
              help="Only cards of this type: minion, spell, secret, weapon or hero (for tokens also"
                   " power).")
@click.option("--race", metavar="RACE", help="Only minions of this race, for example murloc.")
@click.option("--rarity", metavar="RARITY",
              help="Only cards of this rarity: common, rare, epic or legendary.")
@click.option("--text", "words", default="", metavar="WORDS",
              help="Only cards whose name or text contains all these words.")
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
    """Show a card's text, its tokens, and its changes by ruleset.

    Part of a name is enough. If several cards match, you get a list. hsevo generates the text from
    the data that the engine plays. In the text, "you" is the player who controls the card. If
    another card gave the minion an effect, "you" in this effect is the player who gave the effect.
    If the effect is a Deathrattle, "you" is the player who controls the minion.

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
