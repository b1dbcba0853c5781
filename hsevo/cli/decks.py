"""Commands about decks: check, list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from hsevo.api.decks import Deck
from hsevo.cards.browse import differences, set_title
from hsevo.cards.decks import SIZE, standard
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.tables import cards, find_ruleset, sets
from hsevo.cards.wording.phrases import KINDS, counted
from hsevo.cli.completion import DECK
from hsevo.cli.shared import json_option, print_json
from hsevo.cli.tables import paragraph, show_table
from hsevo.config import find, names
from hsevo.errors import DeckError, HsevoError, printable


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
    find_ruleset(ruleset)
    mistakes: list[dict[str, str]] = []
    right: list[Deck] = []
    for source in sources:
        try:
            deck = Deck(source)
            if out := deck.check(ruleset, wanted):
                raise DeckError("\n".join(f"{source}: {mistake}" for mistake in out))
            right.append(deck)
        except HsevoError as error:
            mistakes += [{"deck": source, "mistake": line} for line in str(error).splitlines()]
    if as_json:
        print_json({"decks": right, "mistakes": mistakes})
    elif right:
        click.echo("\n\n".join("\n".join(_lines(deck)) for deck in right))
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
    heads = ["name", "class", "cards", "what it is"]
    rows = [_listed(name) for name in names("decks")]
    if as_json:
        print_json({"decks": [dict(zip(heads, row, strict=True)) for row in rows]})
        return
    show_table(heads, rows, ["cards"], ["cards", "what it is"])
    click.echo("more: hsevo decks check NAME")


def _listed(name: str) -> tuple[object, ...]:
    """Return the row of a deck; its first mistake if it is not valid."""
    try:
        deck = Deck(name)
        text = find(name, "decks").read_text(encoding="utf-8-sig")
    except (HsevoError, OSError, UnicodeDecodeError) as error:
        return printable(name), "?", "?", f"not a deck: {printable(str(error).splitlines()[0])}"
    comment = next((line for line in text.splitlines() if line.startswith("#")), "")
    sentence = printable(comment.strip("# ").partition(". ")[0].removesuffix("."))
    return printable(name), deck.hero, len(deck), sentence


def _lines(deck: Deck) -> list[str]:
    """Return a deck as the text of a deck file: what is no card stands in comments."""
    pool, copies = cards(), Counter(deck.ids)
    ordered = sorted(copies, key=lambda id: (pool[id].cost, pool[id].name))
    width = max(len(pool[id].name) for id in ordered)
    lines = [click.style(f"name: {deck.name}", bold=True), f"class: {deck.hero}"]
    lines += [f"size: {len(deck)}"] if len(deck) != SIZE else []
    lines += [f"{copies[id]}x {pool[id].name:<{width}}  # {pool[id].cost} mana" for id in ordered]
    lines += [f"# {mana:>2} mana {'█' * n + ' ' if n else ''}{n}" for mana, n in deck.curve.items()]
    lines += [_comment(fact) for fact in (*_facts(deck), _legal(deck), *_changes(deck))]
    return [*lines, f"# deck code: {deck.code}"] if len(deck) == SIZE else lines


def _comment(words: str) -> str:
    return paragraph(words, "# ", "  ")


def _facts(deck: Deck) -> list[str]:
    listed = [cards()[id] for id in deck.ids]
    kinds = Counter(KINDS[card.kind] for card in listed)
    where = Counter(set_title(sets()[card.id]) for card in listed)
    mean = sum(card.cost for card in listed) / len(listed)
    said = ", ".join(counted(n, kind) for kind, n in kinds.most_common())
    return [f"{len(listed)} cards: {said}; {mean:.1f} mana on average",
            ", ".join(f"{n} {name}" for name, n in where.most_common())]


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


def _changes(deck: Deck) -> Iterator[str]:
    """Name the cards that other rulesets than the default change."""
    for ruleset in RULESETS:
        changed = [cards()[id].name for id in dict.fromkeys(deck.ids)
                   if ruleset in differences(id)]
        if changed:
            yield f"{ruleset} changes {', '.join(changed)}"
