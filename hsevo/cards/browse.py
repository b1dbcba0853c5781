"""Cards by name or filters, what a ruleset changes about them, and all as one web page.

    page("cig2018")    gallery.html.j2 with gallery.css, .js and the cards put in

The page has no pictures and needs no network. The cards stand in the HTML itself, so the page can
be read, and searched by the browser, where scripts are off. The script only hides what does not fit
the filters.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from hsevo.cards import tables
from hsevo.cards.catalogue import CatalogueEntry, classes, collectible
from hsevo.cards.decks import plain
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.terms import Class, Group, Kind, Race, Rarity, Set
from hsevo.cards.vocabulary.model import Card
from hsevo.cards.wording.phrases import KINDS, RACES
from hsevo.cards.wording.text import makes, text
from hsevo.errors import CardError, did_you_mean, quoted
from hsevo.pages import render

Number = TypeVar("Number", bound=IntEnum)

# Titles, and the short names that players use.
SETS = {
    Set.BASIC: ("Basic", "core"),
    Set.CLASSIC: ("Classic", "expert"),
    Set.HALL_OF_FAME: ("Hall of Fame", "hof"),
    Set.NAXXRAMAS: ("Naxxramas", "naxx"),
    Set.GOBLINS_VS_GNOMES: ("Goblins vs Gnomes", "gvg"),
    Set.BLACKROCK: ("Blackrock Mountain", "brm"),
    Set.GRAND_TOURNAMENT: ("The Grand Tournament", "tgt"),
    Set.EXPLORERS: ("League of Explorers", "loe"),
    Set.OLD_GODS: ("Old Gods", "wotog"),
    Set.KARAZHAN: ("Karazhan", "kara"),
    Set.GADGETZAN: ("Gadgetzan", "msg"),
    Set.UNGORO: ("Un'Goro", "ungoro"),
    Set.FROZEN_THRONE: ("Frozen Throne", "icecrown"),
    Set.KOBOLDS: ("Kobolds & Catacombs", "loot"),
    Set.WITCHWOOD: ("The Witchwood", "gilneas"),
    Set.BOOMSDAY: ("The Boomsday Project", "boomsday"),
    Set.RASTAKHAN: ("Rastakhan's Rumble", "troll"),
    Set.SHADOWS: ("Rise of Shadows", "dalaran"),
}
GROUPS = {Group.GRIMY_GOONS: "Grimy Goons", Group.JADE_LOTUS: "Jade Lotus", Group.KABAL: "Kabal"}


@dataclass(frozen=True)
class CardSearch:
    """Filters for cards; None: any.

    `words`: all must be in the card's name or text; `secret`: only secrets.
    """

    set: Set | None = None
    cls: Class | None = None
    cost: int | None = None
    kind: Kind | None = None
    race: Race | None = None
    rarity: Rarity | None = None
    words: str = ""
    secret: bool = False

    def fits(self, card: Card | CatalogueEntry, where: Set | None, said: Iterable[str]) -> bool:
        """Return whether a card of set `where` with text `said` passes all filters."""
        asked = (self.set, self.cost, self.kind, self.race, self.rarity)
        facts = (where, card.cost, card.kind, card.race, card.rarity)
        return (
            all(wish is None or wish == fact for wish, fact in zip(asked, facts, strict=True))
            and (self.cls is None or self.cls in classes(card))
            and (not self.secret or kind_title(card) == "secret")
            and (not (words := plain(self.words).split())
                 or all(map(plain(" ".join((card.name, *said))).__contains__, words)))
        )


def search_cards(search: CardSearch, ruleset: str = "cig2018", tokens: bool = False) -> list[Card]:
    """Return the cards of a ruleset that fit, by class, cost, name; `tokens`: only tokens."""
    pool, where = tables.cards(ruleset), tables.sets()
    cards = [card for card in pool.values()
             if card.collectible != tokens and card.kind is not Kind.NONE
             and tables.is_legal(card.id, ruleset)
             and search.fits(card, where[card.id], text(pool, card.id) if search.words else ())]
    return sorted(cards, key=_order)


def missing(search: CardSearch) -> list[CatalogueEntry]:
    """Return the cards of the game that fit but are not implemented yet."""
    have = tables.every_card()
    return sorted((card for card in collectible().values()
                   if card.id not in have and search.fits(card, card.set, ())), key=_order)


def class_order(card: Card | CatalogueEntry) -> tuple[bool, bool, Class]:
    """Return the sort key of a card's class: the nine, tri-class families, neutral."""
    return not card.group and card.cls is Class.NEUTRAL, card.group is not None, classes(card)[0]


def _order(card: Card | CatalogueEntry) -> tuple[object, ...]:
    return *class_order(card), card.cost, card.name


def named_so(query: str, ruleset: str = "cig2018") -> list[Card | CatalogueEntry]:
    """Return the cards that match a query best: by id, whole name, whole words, or part of a name.

    Collectible cards come before tokens. Raises CardError if there is none.
    """
    wanted = plain(query)
    if not wanted:
        raise CardError("no name given; give a card's name or a part of it (hsevo cards list shows"
                        " all cards)")
    pool = tables.cards(ruleset)
    cards: list[Card | CatalogueEntry] = [card for card in pool.values()
                                          if card.collectible and card.kind is not Kind.NONE]
    cards += [entry for id, entry in collectible().items() if id not in pool]
    tokens: list[Card | CatalogueEntry] = [card for card in pool.values()
                                           if not card.collectible and card.kind is not Kind.NONE]
    for hits in (
        [card for card in (*cards, *tokens) if wanted == card.id.casefold()],
        [card for card in cards if wanted == plain(card.name)],
        [card for card in tokens if wanted == plain(card.name)],
        [card for card in cards if f" {wanted} " in f" {plain(card.name)} "],
        [card for card in cards if wanted in plain(card.name)],
        [card for card in tokens if wanted in plain(card.name)],
    ):
        if hits:
            return sorted(hits, key=_order)
    names = [card.name for card in (*cards, *tokens)]
    words = [word for name in names for word in name.split() if len(word) > 3]
    known = dict.fromkeys((*names, *words))  # each once: at most this many are compared
    raise CardError(f"unknown card {quoted(query)}{did_you_mean(query, known)}")


def one_of(numbers: type[Number], said: str | None, what: str) -> Number | None:
    """Return the set, class, type, race or rarity that a word means; None for no word.

    Raises CardError, with the nearest valid word.
    """
    if said is None:
        return None
    known: dict[str, Number] = {}
    for number in numbers:
        if number or numbers is Class:
            titles = SETS[number] if isinstance(number, Set) else ()
            for name in (number.name.replace("_", " "), *titles):
                known[plain(name)] = number
    asked = plain(said.replace("-", " ").replace("_", " "))
    for word in (asked, asked.removesuffix("s")):
        if word in known:
            return known[word]
    hint = did_you_mean(asked, known) or f"; choose from {', '.join(known)}"
    raise CardError(f"unknown {what} {quoted(said)}{hint}")


def search_of(set_name: str | None, cls: str | None, kind: str | None, race: str | None,
              rarity: str | None, cost: int | None, words: str) -> CardSearch:
    """Return a search from a user's options. Raises CardError for an unknown word."""
    secret = kind is not None and plain(kind) in ("secret", "secrets")
    kind = "spell" if secret else kind
    return CardSearch(one_of(Set, set_name, "set"), one_of(Class, cls, "class"), cost,
                         one_of(Kind, kind, "type"), one_of(Race, race, "race"),
                         one_of(Rarity, rarity, "rarity"), words, secret)


def body(card: Card | CatalogueEntry) -> str:
    """Return attack and health of a minion or weapon, a hero's health or armour, "" for others."""
    if card.kind in (Kind.MINION, Kind.WEAPON):
        return f"{card.attack}/{card.health}"
    if card.kind is Kind.HERO and is_played(card):
        return f"{card.armor if isinstance(card, Card) else card.health} armor"
    return f"{card.health} health" if card.kind is Kind.HERO else ""


def is_played(card: Card | CatalogueEntry) -> bool:
    """Return whether a card is played from the hand: all but the heroes of the classes."""
    in_decks = card.collectible if isinstance(card, Card) else card.set is not None
    return card.kind is not Kind.HERO or in_decks


def whose(card: Card | CatalogueEntry) -> str:
    """Return the class or tri-class family of a card."""
    return GROUPS[card.group] if card.group else card.cls.name.title()


def set_title(where: Set | None) -> str:
    """Return the title of a set, "" for none."""
    return SETS[where][0] if where else ""


def kind_title(card: Card | CatalogueEntry) -> str:
    """Return a card's type: "Dragon minion", "secret"."""
    if isinstance(card, Card) and card.secret:
        return "secret"
    race = f"{RACES[card.race]} " if card.race else ""
    return race + KINDS[card.kind]


def differences(id: str, base: str = "cig2018") -> dict[str, list[str]]:
    """Return the changes of a card in other rulesets, by ruleset: "costs 2 (not 3)"."""
    return {name: changes for name in RULESETS
            if name != base and (changes := list(_changes(id, base, name)))}


def _changes(id: str, base: str, other: str) -> Iterator[str]:
    if id not in tables.cards(other):
        return
    if not tables.is_legal(id, other):
        yield "is not there"
        return
    here, there = tables.cards(base)[id], tables.cards(other)[id]
    if here.name != there.name:
        yield f"is called {there.name}"
    if here.race != there.race:
        yield f"is a {kind_title(there)}"
    if here.cost != there.cost:
        yield f"costs {there.cost}"
    if body(here) != body(there):
        yield f"is {body(there)}"
    said, instead = text(tables.cards(base), id), text(tables.cards(other), id)
    if said != instead:
        yield f"its text is: {' '.join(instead)}" if instead else "has no text"
    both = _pools(base).keys() & _pools(other).keys()  # a pool needs a card that draws from it
    pools, others = (
        [name for name in random_pools(id, ruleset) if name in both] for ruleset in (base, other))
    if pools != others:
        yield f"is in these random pools: {'; '.join(others) or 'none'}"


def random_pools(id: str, ruleset: str = "cig2018") -> list[str]:
    """Return descriptions of the random pools that contain a card: "Mage spell"."""
    return list(_pools_of(ruleset).get(id, ()))


@functools.cache
def _pools_of(ruleset: str) -> dict[str, list[str]]:
    """Return the descriptions of the random pools that contain each card, by its id."""
    pools: dict[str, list[str]] = {}
    for name, ids in sorted(_pools(ruleset).items()):
        if not name.startswith("one of "):
            for id in dict.fromkeys(ids):
                pools.setdefault(id, []).append(name)
    return pools


@functools.cache
def _pools(ruleset: str) -> dict[str, list[str]]:
    return tables.pool_report(ruleset)


@dataclass(frozen=True)
class ShownCard:
    """A card as the page shows it."""

    id: str
    name: str
    cost: int
    body: str
    kind: str  # "Dragon minion"
    whose: str  # "Mage", "Kabal"
    classes: str  # words to filter by: "mage priest warlock"
    set: str
    rarity: str
    token: bool
    lines: list[str]
    created: list[tuple[str, list[str]]]  # heads and texts of the cards that it makes
    elsewhere: list[str]  # the changes of other rulesets


def page(ruleset: str = "cig2018", template: str = "cards/gallery.html.j2") -> str:
    """Return all cards of a ruleset as one HTML page that works offline.

    Parameters
    ----------
    ruleset : str, default "cig2018"
        Version of cards and rules.
    template : str, optional
        Template that extends the page's own template.

    Returns
    -------
    str
        The page.

    Raises
    ------
    CardError
        If the ruleset is unknown.
    """
    rules = tables.find_ruleset(ruleset)
    ruleset = rules.name
    shown = [_shown(card, ruleset) for card in _all(ruleset)]
    whole = sum(not card.token for card in shown)
    return render(template, ruleset=ruleset, says=rules.says, cards=shown,
                  whole=whole, tokens=len(shown) - whole, choices=_choices(shown))


def _all(ruleset: str) -> list[Card]:
    """Return all cards that a player can see: collectible ones first, each part by class."""
    search = CardSearch()
    return [card for tokens in (False, True)
            for card in search_cards(search, ruleset, tokens)]


def _shown(card: Card, ruleset: str) -> ShownCard:
    pool = tables.cards(ruleset)
    elsewhere = differences(card.id, ruleset) if ruleset in RULESETS else {}
    return ShownCard(
        card.id, card.name, card.cost, body(card), kind_title(card),
        whose(card), " ".join(cls.name.lower() for cls in classes(card)),
        set_title(tables.sets()[card.id]),
        card.rarity.name.lower() if card.rarity else "", not card.collectible,
        text(pool, card.id),
        [(_head(pool[id]), text(pool, id)) for id in makes(pool, card.id)
         if not pool[id].collectible and id not in card.options],
        [_sentence(name, lines) for name, lines in elsewhere.items()])


def _sentence(name: str, changes: Iterable[str]) -> str:
    """Return the change of a card in a ruleset: "In msg2017 it costs 2."."""
    said = f"In {name} it {'; it '.join(changes)}".replace("it its", "its")
    return said if said.endswith(".") else f"{said}."


def _head(card: Card) -> str:
    """Return a card in one line: "Whelp, 1 mana, 1/1"."""
    mana = f"{card.cost} mana" if is_played(card) else ""
    return ", ".join(filter(None, (card.name, mana, body(card))))


def _choices(cards: Iterable[ShownCard]) -> dict[str, list[str]]:
    """Return the words of each filter: those that a card of the page has."""
    cards = list(cards)
    kinds = [*(KINDS[kind] for kind in Kind if kind), "secret"]
    there = " ".join(card.kind for card in cards).split()
    return {
        "class": [cls.name.title() for cls in (*list(Class)[1:], Class.NEUTRAL)],
        "type": [word for word in dict.fromkeys((*kinds, *RACES.values()))
                 if word.split()[-1] in there],
        "set": [title for title, _ in SETS.values()
                if any(card.set == title for card in cards)],
        "rarity": [rarity.name.lower() for rarity in Rarity if rarity],
    }
