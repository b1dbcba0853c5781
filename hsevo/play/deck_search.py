"""`hsevo.search_decks` and `hsevo.guess_deck`: the deck database by words, and by cards seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd

from hsevo.cards.database import DeckDatabase
from hsevo.cards.decks import card_id, class_of
from hsevo.cards.human_decks import up_to
from hsevo.cards.tables import cards, every_card, home_of, ids, index
from hsevo.config import in_order
from hsevo.errors import DeckError
from hsevo.play.guessing import guess_from
from hsevo.types import Array

SHOWN = ("deck", "class", "archetype", "patch", "date", "kind", "seen")
TEXTS = ("deck", "class", "archetype", "patch", "date", "kind", "source")
DatabaseLike: TypeAlias = str | Path | DeckDatabase | None


@dataclass(frozen=True)
class DeckGuess:
    """What `guess_deck` found: two tables, most probable first.

    decks: a row for each deck of the class: deck, archetype, patch, date, group, in_common (cards
    seen that it has) and probability. cards: a row for each card that may come: card, cost, chance
    (that at least one more copy is in hand or deck) and second (that two are).
    """

    decks: pd.DataFrame
    cards: pd.DataFrame


def search_decks(words: str = "", *, cls: str | None = None, archetype: str = "",
                 patch: str | None = None, cards: str | Iterable[str] = (),
                 database: DatabaseLike = None) -> pd.DataFrame:
    """Search the deck database: a row for each deck that fits all, newest last.

    words: all of them in the name, class, archetype, patch, date, kind or source. archetype: a part
    of it. cards: names of cards that it has; a card twice, if it has two. database: a file or
    folder of your own decks, or a DeckDatabase; default: the human decks that are shipped. Raises
    DeckError for unknown names.

    >>> found = hsevo.search_decks("tournament", cls="mage", patch="kara", cards="Flamewaker")
    >>> found.deck.tolist()[:2]
    ['human:hc4a1e8842', 'human:h5cc5dddbf']
    """
    found = open_database(database)
    facts = found.facts
    fits = np.ones(len(found), bool)
    if cls is not None:
        fits &= found.classes == class_of(cls)
    if patch is not None:
        fits &= (facts["patch"] == up_to(patch)[-1]).to_numpy()
    for column, part in (("archetype", archetype), *(("", word) for word in words.split())):
        fits &= _holds(facts, column, part)
    for card, n in Counter(_numbers(cards)).items():
        fits &= (found.decks == card).sum(axis=1) >= n
    chosen = facts.reindex(columns=[*SHOWN, "split", "source"])[fits]
    return chosen.sort_values("date", kind="stable", na_position="first", ignore_index=True)


def guess_deck(cls: str, seen: str | Iterable[str] = (), *, method: str = "likelihood",
               patch: str | None = None, database: DatabaseLike = None) -> DeckGuess:
    """Guess an opponent's deck from the cards that it has shown.

    seen: names or ids of cards, one for each copy; ids of cards that no list has, such as The Coin,
    are left out, so the cards of `View.played` will do. method: "likelihood" (a posterior over
    decks), "match" (those with most cards in common), "bigrams" (cards that stood in lists with
    those seen), "uniform" (nothing is known). patch: only decks and cards of it and before.
    database: as in `search_decks`. Raises DeckError.

    >>> guess = hsevo.guess_deck("mage", ["Mana Wyrm", "Flamewaker"], patch="kara")
    >>> guess.cards.card.head(3).tolist()
    ['Frostbolt', 'Fireball', "Sorcerer's Apprentice"]
    """
    found = open_database(database).of_class(class_of(cls))
    found = found if patch is None else found.up_to(patch)
    numbers = _numbers(seen)
    guess = guess_from(found, numbers, method, patch or "")
    return DeckGuess(_decks(found, numbers, guess.decks), _cards(guess.cards))


def open_database(given: DatabaseLike) -> DeckDatabase:
    """Return a database that is given in any form. Raises DeckError."""
    if isinstance(given, DeckDatabase):
        return given
    return DeckDatabase.load() if given is None else DeckDatabase.read(given)


def _numbers(names: str | Iterable[str]) -> list[int]:
    """Return table indices of cards by names or ids; ids of cards that are of no list are left out.
    """
    known = every_card()
    found = [name if name in known else card_id(name)
             for name in ([names] if isinstance(names, str) else in_order("cards", names))]
    found = [id for id in found if known[id].collectible]
    if foreign := next((id for id in found if id not in index()), None):
        raise DeckError(f"only ruleset {home_of(foreign)} has {every_card()[foreign].name}, and no"
                        " deck database")
    return [index()[id] for id in found]


def _holds(facts: pd.DataFrame, column: str, part: str) -> Array:
    """Return which rows have a part of a text in a column, or in any of TEXTS if it is ""."""
    texts = facts.reindex(columns=[column] if column else [*TEXTS]).astype(object).fillna("")
    joined = texts.agg(" ".join, axis=1).str.casefold()
    return np.asarray(joined.str.contains(part.casefold(), regex=False))


def _decks(database: DeckDatabase, seen: Sequence[int], probability: Array) -> pd.DataFrame:
    wanted = Counter(seen)
    table = database.facts.reindex(columns=["deck", "archetype", "patch", "date", "group"])
    table["in_common"] = [(Counter(deck) & wanted).total() for deck in database.decks.tolist()]
    table["probability"] = probability
    order = np.lexsort((-database.weights, -probability))
    return table.iloc[order].reset_index(drop=True)


def _cards(chances: Array) -> pd.DataFrame:
    rows = [(cards()[ids()[card]].name, cards()[ids()[card]].cost, *chances[card])
            for card in np.flatnonzero(chances[:, 0])]
    table = pd.DataFrame(rows, columns=["card", "cost", "chance", "second"])
    return table.sort_values(["chance", "second", "card"], ascending=[False, False, True],
                             ignore_index=True)
