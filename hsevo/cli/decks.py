"""Commands about decks: check, list."""

from __future__ import annotations

import click

from hsevo import api, cards
from hsevo.cli.completion import DECK
from hsevo.cli.shared import json_option, print_json
from hsevo.cli.tables import show_table
from hsevo.config import names
from hsevo.errors import DeckError, HsevoError


@click.group()
def decks() -> None:
    """Check decks, and list those that have names.

    \b
    hsevo decks list
    hsevo decks check mage my-deck.txt
    hsevo decks check AAEBAf0E...
    """


@decks.command()
@click.argument("sources", nargs=-1, required=True, metavar="NAME|FILE|CODE|URL...",
                shell_complete=DECK)
@click.option("--format", "wanted", default="wild", show_default=True, metavar="wild|standard",
              help="Refuse cards that this format does not allow.")
@click.option("--ruleset", default="cig2018", show_default=True, metavar="NAME",
              help="Whose Standard format.")
@json_option
def check(sources: tuple[str, ...], wanted: str, ruleset: str, as_json: bool) -> None:
    """Check decks: names, files, deck codes, or URLs with a deck code.

    All mistakes of a deck are listed at once, and the exit code is then 2. A correct deck is
    printed as a deck file: its cards, and in comments its mana curve, where it is legal, and its
    deck code.

    \b
    hsevo decks check mage
    hsevo decks check AAEBAf0E... > mine.txt
    hsevo decks check my-deck.txt --format standard --ruleset msg2017
    """
    from hsevo.cli import deck_text

    cards.find_ruleset(ruleset)
    mistakes: list[dict[str, str]] = []
    right: list[api.Deck] = []
    for source in sources:
        try:
            deck = api.Deck(source)
            if out := deck.check(ruleset, wanted):
                raise DeckError("\n".join(f"{source}: {mistake}" for mistake in out))
            right.append(deck)
        except HsevoError as error:
            mistakes += [{"deck": source, "mistake": line} for line in str(error).splitlines()]
    if as_json:
        print_json({"decks": right, "mistakes": mistakes})
    elif right:
        click.echo("\n\n".join("\n".join(deck_text.lines(deck)) for deck in right))
    if mistakes:
        raise DeckError("\n".join(one["mistake"] for one in mistakes))


@decks.command("list")
@json_option
def list_decks(as_json: bool) -> None:
    """List the decks that have names: those in ./decks and those shipped with hsevo.

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
