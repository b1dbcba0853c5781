"""What `hsevo cards` prints: numbers of cards, tables of them, single cards."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from typing import Any

import click

from hsevo.cards import browse, tables
from hsevo.cards.browse import body, is_played, kind_title, set_title, whose
from hsevo.cards.catalogue import CatalogueEntry, collectible
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.terms import Kind
from hsevo.cards.vocabulary.model import Card
from hsevo.cards.wording.phrases import counted
from hsevo.cards.wording.text import makes, text
from hsevo.cli.shared import print_json
from hsevo.cli.tables import paragraph, say, show_table
from hsevo.errors import CardError, quoted

HEADS = ["name", "id", "cost", "body", "type", "class", "set", "rarity", "text"]
SPARE = ["text", "rarity", "type", "set", "id", "class"]
NUMBERS = ["cost", "body"]


def overview() -> None:
    """Print how many cards of each set and class hsevo has, and further commands."""
    game, have = collectible(), tables.every_card()
    _show_counts("set", {card.id: browse.set_title(card.set)
                         for card in sorted(game.values(), key=lambda card: card.set or 0)})
    _show_counts("class", {card.id: browse.whose(card)
                           for card in sorted(game.values(), key=browse.class_order)})
    say(f"{len(have.keys() & game.keys()):,} of the {len(game):,} collectible cards up to Rise of"
        " Shadows; rulesets cig2018-wild and rise2019 have cards after Gadgetzan")
    say("more: hsevo cards list --set classic --class mage, or --missing; hsevo cards show NAME")


def listing(ruleset: str, missing: bool, tokens: bool, as_csv: bool, as_json: bool,
            wishes: dict[str, Any]) -> None:
    """Print the cards that fit. Raises CardError."""
    ruleset = tables.find_ruleset(ruleset).name
    search = browse.search_of(**wishes)
    if missing and tokens:
        raise CardError("--missing and --tokens can't be combined")
    if missing and search.secret:
        raise CardError("--missing does not distinguish secrets from spells. Use --kind spell")
    hits = browse.missing(search) if missing else browse.search_cards(search, ruleset, tokens)
    rows = [_row(card, ruleset) for card in hits]
    if as_csv:
        _print_csv(HEADS, rows)
        return
    heads = [head for head in HEADS if not missing or head != "text"]
    if as_json:
        print_json({"ruleset": ruleset,
                    "cards": [dict(zip(heads, row, strict=False)) for row in rows]})
        return
    if rows:
        show_table(heads, [row[:len(heads)] for row in rows], NUMBERS, SPARE,
                   "a wider terminal, a pipe or --csv shows them")
    click.echo(counted(len(rows), "token" if tokens else "card")
               + (" not implemented yet" if missing else f" of {ruleset}"))
    if not rows and not missing:
        for name in reversed(RULESETS):  # the newest has the most cards
            if n := len(browse.search_cards(search, name, tokens)):
                click.echo(f"{name} has {n}: add --ruleset {name}")
                break


def shown(names: tuple[str, ...], ruleset: str, as_json: bool) -> None:
    """Print cards; those that are unknown are named at the end. Raises CardError."""
    ruleset = tables.find_ruleset(ruleset).name
    if as_json:
        hits = [hit for name in names for hit in browse.named_so(name, ruleset)]
        print_json({"ruleset": ruleset, "cards": [_object(hit, ruleset) for hit in hits]})
        return
    unknown: list[str] = []
    for number, name in enumerate(names):
        try:
            hits = browse.named_so(name, ruleset)
        except CardError as error:
            unknown.append(str(error))
            continue
        if number > len(unknown):
            click.echo()
        if len(hits) == 1:
            _show(hits[0], ruleset)
        else:
            _show_several(name, hits)
    if unknown:
        raise CardError("\n".join(unknown))


def _show_counts(head: str, titles: dict[str, str]) -> None:
    """Print how many cards have each title, in hsevo and in the game; `titles` are by id."""
    game = Counter(titles.values())
    have = Counter(titles[id] for id in titles.keys() & tables.every_card().keys())
    show_table([head, "in hsevo", "in the game"],
               [(title, have[title], n) for title, n in game.items()], ["in hsevo", "in the game"])
    click.echo()


def _row(card: Card | CatalogueEntry, ruleset: str) -> list[object]:
    pool = tables.cards(ruleset)
    where = card.set if isinstance(card, CatalogueEntry) else tables.sets()[card.id]
    said = " ".join(text(pool, card.id)) if card.id in pool else ""
    return [card.name, card.id, card.cost, body(card), kind_title(card), whose(card),
            set_title(where), card.rarity.name.lower() if card.rarity else "", said]


def _object(card: Card | CatalogueEntry, ruleset: str) -> dict[str, Any]:
    """Return all about a card for JSON."""
    pool = tables.cards(ruleset)
    there = card.id in pool
    return dict(zip(HEADS, _row(card, ruleset), strict=True)) | {
        "implemented": there, "makes": list(makes(pool, card.id)) if there else [],
        "rulesets": browse.differences(card.id, ruleset) if there else {}}


def _print_csv(heads: list[str], rows: list[list[object]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerows([heads, *rows])


def _show_several(name: str, hits: list[Any]) -> None:
    by = "id" if len({card.name for card in hits}) == 1 else "id or whole name"
    say(f"{len(hits)} cards match {quoted(name)}. To show one, give its {by}:")
    show_table(["name", "cost", "body", "type", "class", "id"],
               [(card.name, card.cost, body(card), kind_title(card), whose(card), card.id)
                for card in hits], NUMBERS, ["type", "class"])


def _show(card: Card | CatalogueEntry, ruleset: str) -> None:
    _show_head(card)
    if isinstance(card, CatalogueEntry):
        home = tables.home_of(card.id)
        say(f"  not a card of {ruleset}; see it with --ruleset {home}" if home
            else "  not implemented yet, so decks and other cards can't use it")
        return
    pool = tables.cards(ruleset)
    _show_text(text(pool, card.id))
    for id in makes(pool, card.id):
        click.echo(paragraph(f"creates {_head(pool[id])} ({id})"))
        for part in text(pool, id):
            click.echo(paragraph(part, "    "))
    if card.collectible and (pools := browse.random_pools(card.id, ruleset)):
        click.echo(paragraph(f"in random pools: {'; '.join(pools)}"))
    changes = browse.differences(card.id, ruleset)
    for name, lines in changes.items():
        click.echo(paragraph(f"in {name} it {'; it '.join(lines)}".replace("it its", "its")))
    if not changes:
        some = " that have it" if tables.home_of(card.id) else ""
        click.echo(f"  the same in all rulesets{some}")


def _show_head(card: Card | CatalogueEntry) -> None:
    where = set_title(card.set if isinstance(card, CatalogueEntry) else tables.sets()[card.id])
    click.echo(click.style(card.name, bold=True) + f" ({card.id})")
    token = (not isinstance(card, CatalogueEntry) and not card.collectible
             and card.kind not in (Kind.HERO, Kind.POWER))
    parts = [_head(card).removeprefix(f"{card.name}: "), where, "token" if token else ""]
    click.echo(paragraph(", ".join(filter(None, parts))))


def _head(card: Card | CatalogueEntry) -> str:
    """Return a card in a line: "Frog: 0 mana, 0/1 Beast minion, neutral"."""
    rarity = card.rarity.name.lower() if card.rarity else ""
    words = (body(card), rarity, whose(card), kind_title(card))
    cost = f"{card.cost} mana, " if is_played(card) else ""
    return f"{card.name}: {cost}{' '.join(filter(None, words))}"


def _show_text(parts: list[str]) -> None:
    for part in parts or ["No text."]:
        click.echo(paragraph(part))
