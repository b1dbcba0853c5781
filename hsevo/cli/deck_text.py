"""What `hsevo decks` prints: a deck as a file, lines of the list, of a search, of a guess."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from hsevo.cards import deck_facts
from hsevo.cards.decks import SIZE, Deck
from hsevo.cards.tables import every_card
from hsevo.cards.wording.phrases import counted
from hsevo.cli.lines import first_sentence
from hsevo.cli.tables import paragraph, show_table
from hsevo.config import find
from hsevo.errors import HsevoError, printable

if TYPE_CHECKING:
    import pandas as pd

    from hsevo.play.deck_search import DeckGuess


def listed(name: str) -> tuple[object, ...]:
    """Return the row of a deck; its first mistake if it is not valid."""
    try:
        deck = Deck(name)
        text = find(name, "decks").read_text(encoding="utf-8-sig")
    except (HsevoError, OSError, UnicodeDecodeError) as error:
        return printable(name), "?", "?", f"not a deck: {printable(str(error).splitlines()[0])}"
    return printable(name), deck.hero, len(deck), first_sentence(text)


def lines(deck: Deck) -> list[str]:
    """Return a deck as the text of a deck file: what is no card stands in comments."""
    pool, copies = every_card(), Counter(deck.ids)
    ordered = sorted(copies, key=lambda id: (pool[id].cost, pool[id].name))
    width = max(len(pool[id].name) for id in ordered)
    lines = [click.style(f"name: {deck.name}", bold=True), f"class: {deck.hero}"]
    lines += [f"size: {len(deck)}"] if len(deck) != SIZE else []
    lines += [f"{copies[id]}x {pool[id].name:<{width}}  # {pool[id].cost} mana" for id in ordered]
    lines += [f"# {mana:>2} mana {'█' * n + ' ' if n else ''}{n}" for mana, n in deck.curve.items()]
    lines += [_comment(fact) for fact in deck_facts.says(deck)]
    return [*lines, f"# deck code: {deck.code}"] if deck_facts.has_code(deck) else lines


def searched(decks: pd.DataFrame, top: int) -> None:
    """Print what a search found, the newest `top` last."""
    if decks.empty:
        click.echo("no deck matches")
        return
    heads = ["deck", "class", "archetype", "patch", "date", "kind"]
    show_table(heads, decks.tail(top)[heads].astype(object).fillna("").to_numpy().tolist(),
               spare=["kind", "date"], more="a wider terminal, a pipe, --csv or --json shows them")
    rest = f"; these are the newest {top}" if len(decks) > top else ""
    click.echo(f"{counted(len(decks), 'deck')}{rest}. more: hsevo decks check NAME")


def guessed(guess: DeckGuess, top: int) -> None:
    """Print the most probable decks and cards of a guess."""
    heads = ["deck", "archetype", "patch", "date", "in common", "probability"]
    decks = guess.decks[guess.decks["probability"] > 0].head(top)
    if decks.empty:
        click.echo("no known list matches, so all cards of the class are equally likely")
    else:
        cells = decks.astype(object).fillna("").drop(columns="group").to_numpy().tolist()
        show_table(heads, [[*row[:-1], f"{row[-1]:.1%}"] for row in cells], heads[-2:],
                   ["date", "archetype"])
    click.echo()
    show_table(["card still to come", "mana", "chance", "two more"],
               [[card, cost, f"{chance:.0%}", f"{second:.0%}"] for card, cost, chance, second in
                guess.cards.head(top).to_numpy().tolist()], ["mana", "chance", "two more"])


def _comment(words: str) -> str:
    return paragraph(words, "# ", "  ")
