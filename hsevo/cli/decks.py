"""Commands about decks: check, list."""

from __future__ import annotations

from collections import Counter

import click

from hsevo.api.decks import Deck
from hsevo.cards.browse import differences, set_title
from hsevo.cards.decks import SIZE, standard
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.tables import cards, find_ruleset, sets
from hsevo.cards.wording.phrases import KINDS, counted
from hsevo.cli.tables import paragraph, show_table
from hsevo.config import find, names
from hsevo.errors import DeckError, HsevoError, printable


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
    find_ruleset(ruleset)
    mistakes: list[str] = []
    for number, source in enumerate(sources):
        try:
            deck = Deck(source)
            if out := deck.check(ruleset, wanted):
                raise DeckError("\n".join(f"{source}: {mistake}" for mistake in out))
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
    show_table(["name", "class", "cards", "what it is"], [_listed(name) for name in names("decks")],
               ["cards"], ["cards", "what it is"], more="hsevo decks check NAME shows them")
    click.echo("more: hsevo decks check NAME")


def _listed(name: str) -> tuple[object, ...]:
    """Return a deck's row; the first mistake of what is no deck."""
    try:
        deck = Deck(name)
        text = find(name, "decks").read_text(encoding="utf-8-sig")
    except (HsevoError, OSError, UnicodeDecodeError) as error:
        return printable(name), "?", "?", f"no deck: {printable(str(error).splitlines()[0])}"
    comment = next((line for line in text.splitlines() if line.startswith("#")), "")
    sentence = printable(comment.strip("# ").partition(". ")[0].removesuffix("."))
    return printable(name), deck.hero, len(deck), sentence


def _show(deck: Deck) -> None:
    pool = cards()
    copies = Counter(deck.ids)
    click.echo(click.style(deck.name, bold=True) + f": {deck.hero}, {len(deck)} cards")
    for id in sorted(copies, key=lambda id: (pool[id].cost, pool[id].name)):
        click.echo(f"  {copies[id]}x ({pool[id].cost}) {pool[id].name}")
    for mana, n in deck.curve.items():
        click.echo(f"  {mana:>2} mana {'█' * n + ' ' if n else ''}{n}")
    _show_facts(deck)
    click.echo(paragraph(_legal(deck)))
    _show_changes(deck)
    if len(deck) == SIZE:
        click.echo(f"  deck code: {deck.code}")


def _show_facts(deck: Deck) -> None:
    listed = [cards()[id] for id in deck.ids]
    kinds = Counter(KINDS[card.kind] for card in listed)
    where = Counter(set_title(sets()[card.id]) for card in listed)
    mean = sum(card.cost for card in listed) / len(listed)
    click.echo(paragraph(", ".join(counted(n, kind) for kind, n in kinds.most_common())
                         + f"; {mean:.1f} mana on average"))
    click.echo(paragraph(", ".join(f"{n} {name}" for name, n in where.most_common())))


def _legal(deck: Deck) -> str:
    if len(deck) != SIZE:
        return (f"its file sets its size: hsevo plays it, but the game's decks have {SIZE} cards,"
                " and it has no deck code")
    barred = {name: out for name in RULESETS if (out := standard(deck.plain, name))}
    allowed = [name for name in RULESETS if name not in barred]
    said = ["legal in Wild"]
    said += [f"in the Standard of {', '.join(allowed)}"] if allowed else []
    said += [f"not in the Standard of {name}: {', '.join(out)}" for name, out in barred.items()]
    return "; ".join(said)


def _show_changes(deck: Deck) -> None:
    """Name the cards that other rulesets than the default change."""
    for ruleset in RULESETS:
        changed = [cards()[id].name for id in dict.fromkeys(deck.ids)
                   if ruleset in differences(id)]
        if changed:
            click.echo(paragraph(f"{ruleset} changes {', '.join(changed)}"))
