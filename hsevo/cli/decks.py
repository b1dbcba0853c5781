"""Commands about decks: check, list."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from hsevo.cli.tables import paragraph, show_table
from hsevo.errors import DeckError, HsevoError, did_you_mean, printable

if TYPE_CHECKING:
    from hsevo.cards.decks import Deck

FORMATS = ("wild", "standard")
LATE = 7  # the curve's last column: 7 and more mana


@click.group()
def decks() -> None:
    """Check decks, and list those that can be named.

    \b
    hsevo decks list
    hsevo decks check mage my-deck.txt
    hsevo decks check AAEBAf0E...
    """


@decks.command()
@click.argument("sources", nargs=-1, required=True, metavar="FILE|NAME|CODE...")
@click.option("--format", "wanted", default="wild", show_default=True, metavar="wild|standard",
              help="Refuse decks that this format does not allow.")
@click.option("--ruleset", default="cig2018", show_default=True, metavar="NAME",
              help="Whose Standard it is.")
def check(sources: tuple[str, ...], wanted: str, ruleset: str) -> None:
    """Check decks: files, names of decks, or deck codes.

    What is wrong with a deck is named all at once, and the exit code is then 2. Of a right one are
    shown its cards, mana curve, deck code, and where it is legal.

    \b
    hsevo decks check mage
    hsevo decks check my-deck.txt --format standard --ruleset msg2017
    """
    from hsevo.cards import tables
    from hsevo.cards.decks import read_deck

    tables.find_ruleset(ruleset)
    if wanted not in FORMATS:
        raise DeckError(f"unknown format '{wanted}'{did_you_mean(wanted, FORMATS)}; it is"
                        f" {' or '.join(FORMATS)}")
    mistakes: list[str] = []
    for number, source in enumerate(sources):
        try:
            deck = read_deck(source)
            _check_format(deck, wanted, ruleset, source)
            if number > len(mistakes):
                click.echo()
            _show(deck)
        except HsevoError as error:
            mistakes.append(str(error))
    if mistakes:
        raise DeckError("\n".join(mistakes))


@decks.command("list")
def list_decks() -> None:
    """List the decks that can be named: those in ./decks and those shipped with hsevo."""
    from hsevo.config import names

    show_table(["name", "class", "cards", "what it is"], [_listed(name) for name in names("decks")],
               ["cards"])
    click.echo("more: hsevo decks check NAME")


def _check_format(deck: Deck, wanted: str, ruleset: str, source: str) -> None:
    from hsevo.cards.decks import standard

    out = standard(deck, ruleset) if wanted == "standard" else []
    if out:
        raise DeckError("\n".join(f"{source}: {name} is not in the Standard of {ruleset}"
                                  for name in out))


def _listed(name: str) -> tuple[object, ...]:
    """Return a deck's row; the first mistake of what is no deck."""
    from hsevo.cards.decks import read_deck
    from hsevo.config import find

    try:
        deck = read_deck(name)
        text = find(name, "decks").read_text(encoding="utf-8-sig")
    except (HsevoError, OSError, UnicodeDecodeError) as error:
        return printable(name), "?", "?", f"no deck: {printable(str(error).splitlines()[0])}"
    comment = next((line for line in text.splitlines() if line.startswith("#")), "")
    sentence = printable(comment.strip("# ").partition(". ")[0].removesuffix("."))
    return printable(name), deck.hero.title(), len(deck.cards), sentence


def _show(deck: Deck) -> None:
    from hsevo.cards import tables
    from hsevo.cards.decks import SIZE, to_code

    pool = tables.cards()
    copies = Counter(deck.cards)
    click.echo(click.style(deck.name, bold=True)
               + f": {deck.hero.title()}, {len(deck.cards)} cards")
    for id in sorted(copies, key=lambda id: (pool[id].cost, pool[id].name)):
        click.echo(f"  {copies[id]}x ({pool[id].cost}) {pool[id].name}")
    _show_curve(deck)
    _show_facts(deck)
    click.echo(paragraph(_legal(deck)))
    _show_changes(deck)
    if len(deck.cards) == SIZE:
        click.echo(f"  deck code: {to_code(deck)}")


def _show_curve(deck: Deck) -> None:
    from hsevo.cards import tables

    costs = Counter(min(tables.cards()[id].cost, LATE) for id in deck.cards)
    for cost in range(LATE + 1):
        bar = "█" * costs[cost] + " " if costs[cost] else ""
        click.echo(f"  {cost if cost < LATE else f'{LATE}+':>2} mana {bar}{costs[cost]}")


def _show_facts(deck: Deck) -> None:
    from hsevo.cards import tables
    from hsevo.cards.browse import set_title
    from hsevo.cards.wording.phrases import KINDS, counted

    cards = [tables.cards()[id] for id in deck.cards]
    kinds = Counter(KINDS[card.kind] for card in cards)
    sets = Counter(set_title(tables.sets()[card.id]) for card in cards)
    mean = sum(card.cost for card in cards) / len(cards)
    click.echo(paragraph(", ".join(counted(n, kind) for kind, n in kinds.most_common())
                         + f"; {mean:.1f} mana on average"))
    click.echo(paragraph(", ".join(f"{n} {name}" for name, n in sets.most_common())))


def _legal(deck: Deck) -> str:
    from hsevo.cards.decks import SIZE, standard
    from hsevo.cards.rulesets import RULESETS

    if len(deck.cards) != SIZE:
        return (f"its file sets its size: hsevo plays it, but the game's decks have {SIZE} cards,"
                " and it has no deck code")
    barred = {name: out for name in RULESETS if (out := standard(deck, name))}
    allowed = [name for name in RULESETS if name not in barred]
    said = ["legal in Wild"]
    said += [f"in the Standard of {', '.join(allowed)}"] if allowed else []
    said += [f"not in the Standard of {name}: {', '.join(out)}" for name, out in barred.items()]
    return "; ".join(said)


def _show_changes(deck: Deck) -> None:
    """Name the cards that other rulesets than the default change."""
    from hsevo.cards import tables
    from hsevo.cards.browse import differences
    from hsevo.cards.rulesets import RULESETS

    for ruleset in RULESETS:
        names = [tables.cards()[id].name for id in dict.fromkeys(deck.cards)
                 if ruleset in differences(id)]
        if names:
            click.echo(paragraph(f"{ruleset} changes {', '.join(names)}"))
