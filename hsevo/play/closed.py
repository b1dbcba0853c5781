"""Closed deck lists: from the name of a method and a deck database to what kernels guess by."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from hsevo import config
from hsevo.agents.shared.belief import BELIEF, CLASSES, LISTED
from hsevo.agents.shared.guessing import EPSILON, SIZE, UNIFORM, log_likelihood
from hsevo.cards.database import NEWEST, DeckDatabase
from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards, ids, index
from hsevo.cards.terms import GROUP_CLASSES, Class
from hsevo.config.named import exists
from hsevo.engine.jit import plain
from hsevo.engine.record.state import SHOWN
from hsevo.errors import DeckError
from hsevo.play.guessing import METHODS as METHODS_OF_GUESSES

Array: TypeAlias = Any
METHODS = {name: METHODS_OF_GUESSES[name.partition(":")[2] or "likelihood"]
           for name in config.CLOSED}


def guesses(information: str, ruleset: str) -> tuple[Array, Array]:
    """Return the lists that are guessed, LISTED (n,), and how, BELIEF (1,); none if all are open.

    Both are the caller's own: games write into them. Raises ConfigError; DeckError if a deck
    database is not valid.
    """
    method, database = config.parts(information)
    if method not in METHODS:
        return np.zeros(0, LISTED).view(np.recarray), np.zeros(0, BELIEF).view(np.recarray)
    lists, belief = (part.copy() for part in _prepared(ruleset, database, _stamp(database)))
    belief["method"] = METHODS[method]
    return lists.view(np.recarray), belief.view(np.recarray)


def digest(information: str) -> str:
    """Return the digest of the deck database that information names; "" if it names none."""
    path = config.parts(information)[1]
    return DeckDatabase.read(path, NEWEST).digest if path else ""


def check_classes(decks: Sequence[Deck], belief: Array) -> None:
    """Refuse decks of a class of which no list is known. Raises DeckError."""
    if len(belief) == 0 or belief["method"][0] == UNIFORM:
        return
    first = belief["first"][0]
    for deck in decks:
        cls = Class[deck.hero_class]
        if first[cls] == first[cls + 1]:
            has = [Class(int(k)).name.title() for k in np.flatnonzero(np.diff(first))]
            raise DeckError(f"the deck database has no {cls.name.title()} deck, so an opponent"
                            f" cannot guess the deck {deck.name}; it has decks of {', '.join(has)}."
                            " Use --information closed:uniform, which needs no database")


def _stamp(path: str | None) -> tuple[int, ...]:
    """Return what changes with the files of a database: their number, sizes and times."""
    if path is None or not exists(Path(path)):
        return ()
    files = sorted(Path(path).glob("*.txt")) if Path(path).is_dir() else [Path(path)]
    stats = [file.stat() for file in files]
    return (len(files), *(number for stat in stats for number in (stat.st_size, stat.st_mtime_ns)))


@functools.lru_cache(maxsize=4)
def _prepared(ruleset: str, path: str | None, stamp: tuple[int, ...]) -> tuple[Array, Array]:
    """Return what `guesses` copies. path: None: the part of the human decks that is known.

    stamp: of its files, so that a changed file is read again.
    """
    database = (DeckDatabase.read(path, NEWEST) if path
                else DeckDatabase.load(ruleset).split("known"))
    order = np.argsort(database.classes, kind="stable")
    lists, belief = np.zeros(len(order), LISTED), np.zeros(1, BELIEF)
    lists["cards"] = np.sort(_renumbered(database, ruleset)[order], axis=1)
    lists["weight"] = database.weights[order]
    belief["first"] = np.searchsorted(database.classes[order], np.arange(CLASSES + 1))
    belief["cls"] = -1
    _add_legal(belief[0], ruleset)
    _add_likelihood(belief[0])
    return lists, belief


def _add_likelihood(belief: Any) -> None:
    """Add the factors of the likelihood of guessing.py to a BELIEF: of hits, and of the rest."""
    likelihood: Any = plain(log_likelihood)
    belief["hit"] = [np.exp(likelihood(h, 0, h, EPSILON, 1.0)) for h in range(SIZE + 1)]
    for cls, legal in enumerate(belief["n_legal"].tolist()):
        belief["miss"][cls] = [np.exp(likelihood(0, 0, n, EPSILON, float(legal)))
                               for n in range(SHOWN + 1)]


def _renumbered(database: DeckDatabase, ruleset: str) -> Array:
    """Return the decks, uint16 (n, 30), as table indices of a ruleset. Raises DeckError."""
    known, own = index(ruleset), ids(database.ruleset)
    number, used = np.zeros(len(own), np.uint16), np.unique(database.decks)
    if foreign := [own[card] for card in used if own[card] not in known]:
        raise DeckError(f"the deck database has cards that the ruleset {ruleset} lacks, such as"
                        f" {foreign[0]}")
    number[used] = [known[own[card]] for card in used]
    return number[database.decks]


def _add_legal(belief: Any, ruleset: str) -> None:
    """Add the cards that each class may use, and the secrets among them, to a BELIEF."""
    known, numbers = cards(ruleset), index(ruleset)
    for cls in Class:
        may = [id for id, card in known.items() if card.collectible and (
            cls in GROUP_CLASSES[card.group] if card.group else card.cls in (cls, Class.NEUTRAL))]
        among = may if cls is not Class.NEUTRAL else known  # then those of whichever class
        secrets = [numbers[id] for id in among if known[id].secret and known[id].collectible]
        belief["n_legal"][cls], belief["n_secrets"][cls] = len(may), len(secrets)
        belief["legal"][cls, :len(may)] = [numbers[id] for id in may]
        belief["secrets"][cls, :len(secrets)] = secrets
