"""Decks as others read them: a deck file, deck codes, a CSV with a row for each deck."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence

from hsevo.cards.decks import SIZE, Deck, to_code
from hsevo.cards.tables import every_card
from hsevo.errors import DeckError, did_you_mean, quoted

FORMS = ("text", "code", "csv")


def written(decks: Sequence[Deck], form: str) -> str:
    """Return decks in one of FORMS, with a newline at the end.

    text: a deck file, of one deck. code: a line for each. csv: what a deck database is read from.
    Raises DeckError for an unknown form, several decks as a text, and decks that a form can't hold.
    """
    if form not in FORMS:
        raise DeckError(f"unknown form {quoted(form)}{did_you_mean(form, FORMS)}; forms are"
                        f" {', '.join(FORMS)}")
    if form == "text":
        if len(decks) != 1:
            raise DeckError(f"a deck file holds one deck, not {len(decks)}; csv and code hold"
                            " several")
        return as_text(decks[0])
    return as_csv(decks) if form == "csv" else "".join(f"{as_code(deck)}\n" for deck in decks)


def as_text(deck: Deck) -> str:
    """Return a deck as a deck file: name, class, size if it is not 30, and its cards."""
    size = [f"size: {len(deck.cards)}"] if len(deck.cards) != SIZE else []
    cards = [f"{n}x {every_card()[id].name}" for id, n in Counter(deck.cards).items()]
    return "\n".join([f"name: {deck.name}", f"class: {deck.hero.title()}", *size, *cards, ""])


def as_code(deck: Deck) -> str:
    """Return the deck code of a deck. Raises DeckError unless it has 30 cards of the game."""
    if len(deck.cards) != SIZE:
        raise DeckError(f"{deck.name} has {len(deck.cards)} cards; deck codes are of {SIZE} cards")
    return to_code(deck)


def as_csv(decks: Sequence[Deck]) -> str:
    """Return decks as a CSV: the columns deck, class and cards ("Fireball*2|Wisp").

    Raises DeckError for decks that are not of 30 cards, which a deck database can't have.
    """
    if other := next((deck for deck in decks if len(deck.cards) != SIZE), None):
        raise DeckError(f"{other.name} has {len(other.cards)} cards; a deck database has decks of"
                        f" {SIZE} cards; --format text writes it")
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow(("deck", "class", "cards"))
    for deck in decks:
        cards = (every_card()[id].name + (f"*{n}" if n > 1 else "")
                 for id, n in Counter(deck.cards).items())
        rows.writerow((deck.name, deck.hero.title(), "|".join(cards)))
    return lines.getvalue()
