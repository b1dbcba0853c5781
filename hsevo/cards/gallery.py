"""All cards as one web page to browse, filter and search, without pictures and without a network.

    page("cig2018")    gallery.html.j2 with gallery.css, .js and the cards put in

The cards stand in the HTML itself, so the page can be read, and searched by the browser, where
scripts are off. The script only hides what does not fit the filters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hsevo.cards import browse, tables
from hsevo.cards.catalogue import classes
from hsevo.cards.rulesets import RULESETS
from hsevo.cards.terms import Class, Kind, Rarity
from hsevo.cards.vocabulary.model import Card
from hsevo.cards.wording.nouns import KINDS, RACES
from hsevo.cards.wording.text import makes, text
from hsevo.pages import render


@dataclass(frozen=True)
class Shown:
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
    made: list[tuple[str, list[str]]]  # heads and texts of the cards that it makes
    elsewhere: list[str]  # what other rulesets change


def page(ruleset: str = "cig2018", template: str = "cards/gallery.html.j2") -> str:
    """Return all cards of a ruleset as one HTML page that works offline.

    template: that extends the page's own. Raises CardError for an unknown ruleset.
    """
    rules = tables.find_ruleset(ruleset)
    ruleset = rules.name
    shown = [_shown(card, ruleset) for card in _all(ruleset)]
    whole = sum(not card.token for card in shown)
    return render(template, ruleset=ruleset, says=rules.says, cards=shown,
                  whole=whole, tokens=len(shown) - whole, choices=_choices(shown))


def _all(ruleset: str) -> list[Card]:
    """Return all cards that a player can see: collectible ones first, each part by class."""
    search = browse.Search()
    return [card for tokens in (False, True)
            for card in browse.search_cards(search, ruleset, tokens)]


def _shown(card: Card, ruleset: str) -> Shown:
    pool = tables.cards(ruleset)
    elsewhere = browse.differences(card.id, ruleset) if ruleset in RULESETS else {}
    return Shown(
        card.id, card.name, card.cost, browse.body(card), browse.kind_title(card),
        browse.whose(card), " ".join(cls.name.lower() for cls in classes(card)),
        browse.set_title(tables.sets()[card.id]),
        card.rarity.name.lower() if card.rarity else "", not card.collectible,
        text(pool, card.id),
        [(_head(pool[id]), text(pool, id)) for id in makes(pool, card.id)
         if not pool[id].collectible and id not in card.options],
        [_sentence(name, lines) for name, lines in elsewhere.items()])


def _sentence(name: str, changes: Iterable[str]) -> str:
    """Return what a ruleset changes about a card: "In msg2017 it costs 2."."""
    said = f"In {name} it {'; it '.join(changes)}".replace("it its", "its")
    return said if said.endswith(".") else f"{said}."


def _head(card: Card) -> str:
    """Return a card in one line: "Whelp, 1 mana, 1/1"."""
    mana = "" if card.kind is Kind.HERO else f"{card.cost} mana"
    return ", ".join(filter(None, (card.name, mana, browse.body(card))))


def _choices(cards: Iterable[Shown]) -> dict[str, list[str]]:
    """Return the words of each filter: those that a card of the page has."""
    cards = list(cards)
    kinds = [*(KINDS[kind] for kind in Kind if kind), "secret"]
    there = " ".join(card.kind for card in cards).split()
    return {
        "class": [cls.name.title() for cls in (*list(Class)[1:], Class.NEUTRAL)],
        "type": [word for word in dict.fromkeys((*kinds, *RACES.values()))
                 if word.split()[-1] in there],
        "set": [title for title, _ in browse.SETS.values()
                if any(card.set == title for card in cards)],
        "rarity": [rarity.name.lower() for rarity in Rarity if rarity],
    }
