"""Guess a deck list from the cards that were shown: the kernels of agents for Python.

    guess = guess_from(DeckDatabase.load().of_class("mage"), seen)     seen: table indices
    guess.decks       the probability of each deck of the database
    guess.cards       for each card, that one more copy comes, and two more
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hsevo.agents.shared import guessing
from hsevo.cards.database import DeckDatabase
from hsevo.cards.decks import SIZE
from hsevo.cards.human_decks import sets_up_to
from hsevo.cards.pools import classes
from hsevo.cards.tables import cards, ids, index, sets
from hsevo.cards.terms import Class, Rarity, Set
from hsevo.errors import DeckError, did_you_mean, quoted
from hsevo.types import Array

METHODS = {"likelihood": guessing.LIKELIHOOD, "match": guessing.MATCH,
           "bigrams": guessing.BIGRAMS, "uniform": guessing.UNIFORM}


class Guess(NamedTuple):
    """What is known of a list.

    decks: float64 (n,), the probability of each deck of the database; all 0 if it tells nothing.
    cards: float64 (table indices, 2): that at least one more copy of a card comes, and two more.
    """

    decks: Array
    cards: Array


def guess_from(database: DeckDatabase, seen: Sequence[int], method: str = "likelihood",
               patch: str = "") -> Guess:
    """Guess a list of one class by its cards that were seen, table indices, by one of METHODS.

    database: decks of this class. patch: only its cards and earlier ones exist; "": all do. Raises
    DeckError for an unknown method, more than one class, and cards that the class's decks can't
    have, or not yet.
    """
    if method not in METHODS:
        raise DeckError(f"unknown method {quoted(method)}{did_you_mean(method, METHODS)}; methods"
                        f" are {', '.join(METHODS)}")
    cls = _one_class(database)
    ruleset = database.ruleset
    check_seen(seen, cls, patch, ruleset)
    may, shown = allowed(cls, patch, ruleset), np.sort(np.array(seen, np.uint16))
    guess = Guess(np.zeros(len(database)), np.zeros((len(ids(ruleset)), 2)))
    guessing.guess(METHODS[method], np.array(database.decks), np.array(database.weights), shown,
                   guessing.EPSILON, float(len(may)), *guess)
    if not guess.decks.any():
        _add_allowed(may, Counter(seen), guess.cards)
    return guess


def check_seen(seen: Sequence[int], cls: Class, patch: str = "",
               ruleset: str = "cig2018") -> None:
    """Raise DeckError for cards that no deck of a class can have, up to a patch."""
    may, later = allowed(cls, patch, ruleset), allowed(cls, "", ruleset)
    for card, n in Counter(seen).items():
        name = cards(ruleset)[ids(ruleset)[card]].name
        if card in later and card not in may:
            raise DeckError(f"{name} is newer than patch {patch}; remove the card or the patch")
        if card not in may:
            raise DeckError(f"{name} can't be in a {cls.name.title()}'s deck; remove cards that"
                            " other cards created or stole")
        if n > may[card]:
            raise DeckError(f"a deck has at most {may[card]} of {name}, not {n}; remove copies that"
                            " other cards created")
    if len(seen) > SIZE:
        raise DeckError(f"{len(seen)} cards were seen, but a deck has {SIZE}")


def _one_class(database: DeckDatabase) -> Class:
    hero_classes = np.unique(database.classes)
    if len(hero_classes) != 1:
        raise DeckError("a guess needs decks of a single class: database.of_class(\"mage\")")
    return Class(hero_classes[0])


@functools.cache
def allowed(cls: Class, patch: str = "", ruleset: str = "cig2018") -> dict[int, int]:
    """Return the most copies of each card that a deck of a class may have, by table index.

    patch: up to which cards exist; "": all.
    """
    there = sets_up_to(patch) if patch else frozenset(Set)
    return {index(ruleset)[id]: 1 if card.rarity is Rarity.LEGENDARY else 2
            for id, card in cards(ruleset).items()
            if card.collectible and sets()[id] in there and {cls, Class.NEUTRAL} & {*classes(card)}}


def _add_allowed(may: dict[int, int], seen: Counter[int], chances: Array) -> None:
    """Add the chances of cards if nothing is known: each copy that may be there is as likely.

    may: see `allowed`.
    """
    left = {card: most - seen[card] for card, most in may.items()}
    share = (SIZE - seen.total()) / sum(left.values())
    for card, copies in left.items():
        chances[card, 0] += copies * share - (copies == 2) * share * share
        chances[card, 1] += (copies == 2) * share * share
