"""`hsevo.search_decks` and `hsevo.guess_deck`: the deck database by words, and by cards seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd

from hsevo.cards.database import NEWEST, DeckDatabase
from hsevo.cards.decks import card_id, class_of
from hsevo.cards.human_decks import up_to
from hsevo.cards.tables import cards, every_card, index, only_in
from hsevo.config import in_order, ruleset_of
from hsevo.errors import DeckError
from hsevo.play.guessing import guess_from
from hsevo.types import Array

SHOWN = ("deck", "class", "archetype", "patch", "date", "kind", "seen")
TEXTS = ("deck", "class", "archetype", "patch", "date", "kind", "source")
DatabaseLike: TypeAlias = str | Path | DeckDatabase | None


@dataclass(frozen=True)
class DeckGuess:
    """Hold the result of `hsevo.guess_deck`: two tables, most probable first.

    Attributes
    ----------
    decks : pandas.DataFrame
        One row for each deck of the class. Columns deck, archetype, patch, date, group, in_common
        (number of seen cards in the deck), probability.
    cards : pandas.DataFrame
        One row for each card that may still come. Columns card, cost, chance (at least one more
        copy is in hand or deck), second (two more copies are).
    """

    decks: pd.DataFrame
    cards: pd.DataFrame


def search_decks(words: str = "", *, cls: str | None = None, archetype: str = "",
                 patch: str | None = None, cards: str | Iterable[str] = (),
                 database: DatabaseLike = None) -> pd.DataFrame:
    """Search the deck database.

    Parameters
    ----------
    words : str, optional
        Words that must all occur in the name, class, archetype, patch, date, type or source.
    cls : str, optional
        Class of the deck, such as "mage".
    archetype : str, optional
        Part of the name of the archetype.
    patch : str, optional
        Patch of the deck.
    cards : str or iterable of str, optional
        Names of cards in the deck. Name a card twice to require two copies.
    database : path or DeckDatabase, optional
        File or folder of your own decks, or a `hsevo.cards.DeckDatabase`. Default: the shipped
        human decks.

    Returns
    -------
    pandas.DataFrame
        One row for each deck that meets all conditions, newest last.

    Raises
    ------
    DeckError
        If a name is unknown.

    Examples
    --------
    >>> found = hsevo.search_decks("tournament", cls="mage", patch="kara", cards="Flamewaker")
    >>> found.deck.tolist()[:2]
    ['human:hc4a1e8842', 'human:h5cc5dddbf']
    """
    deck_database = open_database(database, NEWEST)
    facts = deck_database.facts
    fits = np.ones(len(deck_database), bool)
    if cls is not None:
        fits &= deck_database.classes == class_of(cls)
    if patch is not None:
        fits &= (facts["patch"] == up_to(patch)[-1]).to_numpy()
    for column, part in (("archetype", archetype), *(("", word) for word in words.split())):
        fits &= _holds(facts, column, part)
    for card, n in Counter(_numbers(cards, deck_database.ruleset)).items():
        fits &= (deck_database.decks == card).sum(axis=1) >= n
    chosen = facts.reindex(columns=[*SHOWN, "split", "source"])[fits]
    return chosen.sort_values("date", kind="stable", na_position="first", ignore_index=True)


def guess_deck(cls: str, seen: str | Iterable[str] = (), *, method: str = "likelihood",
               patch: str | None = None, database: DatabaseLike = None,
               ruleset: str | Path = "cig2018") -> DeckGuess:
    """Guess an opponent's deck from the cards that it has shown.

    Parameters
    ----------
    cls : str
        Class of the opponent, such as "mage".
    seen : str or iterable of str, optional
        Names or ids of cards, one for each copy, such as the cards of `View.played`. Ids of cards
        that no deck contains, such as The Coin, are ignored.
    method : {"likelihood", "match", "bigrams", "uniform"}, default "likelihood"
        "likelihood": posterior over decks. "match": decks with most cards in common. "bigrams":
        cards that occur in decks with the seen cards. "uniform": no inference.
    patch : str, optional
        Use only decks and cards of this patch and earlier patches.
    database : path or DeckDatabase, optional
        Database of decks, as in `hsevo.search_decks`.
    ruleset : str or path, default "cig2018"
        Use only decks and cards of this ruleset. A `DeckDatabase` has its own.

    Returns
    -------
    DeckGuess
        Probabilities of decks and of cards.

    Raises
    ------
    DeckError
        If a name is unknown.

    Examples
    --------
    >>> guess = hsevo.guess_deck("mage", ["Mana Wyrm", "Flamewaker"], patch="kara")
    >>> guess.cards.card.head(3).tolist()
    ['Frostbolt', 'Fireball', "Sorcerer's Apprentice"]
    """
    deck_database = open_database(database, ruleset_of(ruleset)).of_class(class_of(cls))
    deck_database = deck_database if patch is None else deck_database.up_to(patch)
    numbers = _numbers(seen, deck_database.ruleset)
    guess = guess_from(deck_database, numbers, method, patch or "")
    return DeckGuess(_decks(deck_database, numbers, guess.decks),
                     _cards(guess.cards, deck_database.ruleset))


def open_database(database: DatabaseLike, ruleset: str) -> DeckDatabase:
    """Return a database that is given in any form, of cards of a ruleset. Raises DeckError."""
    if isinstance(database, DeckDatabase):
        return database
    return (DeckDatabase.load(ruleset) if database is None
            else DeckDatabase.read(database, ruleset))


def _numbers(names: str | Iterable[str], ruleset: str) -> list[int]:
    """Return table indices of cards by names or ids; ids of cards that are of no list are left out.
    """
    known = every_card()
    card_ids = [name if name in known else card_id(name)
                for name in ([names] if isinstance(names, str) else in_order("cards", names))]
    card_ids = [id for id in card_ids if known[id].collectible]
    if foreign := next((id for id in card_ids if id not in index(ruleset)), None):
        raise DeckError(f"{only_in(foreign)} {every_card()[foreign].name}, and no list"
                        " of the deck database has it")
    return [index(ruleset)[id] for id in card_ids]


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


def _cards(chances: Array, ruleset: str) -> pd.DataFrame:
    pool = [*cards(ruleset).values()]
    rows = [(pool[card - 1].name, pool[card - 1].cost, *chances[card])
            for card in np.flatnonzero(chances[:, 0])]
    table = pd.DataFrame(rows, columns=["card", "cost", "chance", "second"])
    return table.sort_values(["chance", "second", "card"], ascending=[False, False, True],
                             ignore_index=True)
