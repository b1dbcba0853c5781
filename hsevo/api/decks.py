"""`hsevo.Deck`: a deck from its name, a file, a code, a URL or a list of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from hsevo.cards import decks, tables
from hsevo.cards.rulesets import RULESETS
from hsevo.config import in_order, short
from hsevo.errors import ConfigError, DeckError, did_you_mean, name_problem, quoted
from hsevo.files import write_whole
from hsevo.objects import Fields

if TYPE_CHECKING:
    import pandas as pd

FORMATS = ("wild", "standard")
LATE = 7  # the last column of a mana curve: this much mana, or more


class Deck:
    """A deck: 15 to 60 cards and the class of its hero.

    source: a name ("mage": a deck of ./decks or one shipped with hsevo), a path, a deck code, a
    URL that holds a deck code, the id of a human deck ("human:h038e27c68"), or the names of the
    cards, with `hero`, their class.
    name: its name in tables and figures; default: the file's name, or class and digest.

    Raises DeckError, with one line per mistake.

    >>> mage = hsevo.Deck("mage")
    >>> mage
    Deck('mage': Mage, 30 cards, 3.7 mana on average)
    >>> mage.cards[:2]
    ('Forbidden Flame', 'Arcane Blast')
    >>> hsevo.Deck(mage.code).hero
    'Mage'
    >>> hsevo.Deck(["Fireball", "Fireball", *28 * ["Wisp"]], hero="mage")
    Traceback (most recent call last):
    hsevo.errors.DeckError: the deck: 28 copies of Wisp, and must have at most 2
    """

    FIELDS: ClassVar[Fields] = {
        "deck": "name", "class": "hero", "size": len,
        "cards": lambda self: [
            {"name": card.name, "id": id, "cost": card.cost, "copies": self.ids.count(id)}
            for id, card in ((id, tables.every_card()[id]) for id in dict.fromkeys(self.ids))],
        "curve": "curve", "standard": "legal",
        "code": lambda self: self.code if len(self) == decks.SIZE else None}

    def __init__(self, source: DeckLike, hero: str | None = None,
                 name: str | None = None) -> None:
        self.plain = _read(source, hero, name)

    @property
    def name(self) -> str:
        """Its name in tables."""
        return self.plain.name

    @property
    def hero(self) -> str:
        """Its class, such as "Mage"."""
        return self.plain.hero.title()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its cards, such as "CS2_029", in the order of the source."""
        return self.plain.cards

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of its cards, cheapest first."""
        return tuple(card.name for card in sorted(
            (tables.every_card()[id] for id in self.ids), key=lambda card: (card.cost, card.name)))

    @property
    def code(self) -> str:
        """Its deck code, as the game's collection takes it.

        Raises DeckError unless it has 30 cards of the game.
        """
        return decks.as_code(self.plain)

    @property
    def text(self) -> str:
        """Itself as a deck file, which reads back as the same deck."""
        return decks.as_text(self.plain)

    @property
    def curve(self) -> pd.Series[int]:
        """The number of cards that cost 0, 1 ... 6 mana, and 7 or more."""
        import pandas as pd  # takes a third of a second

        costs = Counter(min(tables.every_card()[id].cost, LATE) for id in self.ids)
        return pd.Series([costs[cost] for cost in range(LATE + 1)],
                         pd.Index([*range(LATE), f"{LATE}+"], name="mana"), name=self.name)

    def check(self, ruleset: str = "cig2018", format: str = "wild") -> list[str]:
        """Return what the format of a ruleset forbids in it: [] if it is legal.

        format: "wild" or "standard". Raises CardError for an unknown ruleset, DeckError for an
        unknown format.
        """
        ruleset = tables.find_ruleset(ruleset).name
        if format not in FORMATS:
            raise DeckError(f"unknown format '{format}'{did_you_mean(format, FORMATS)}; it is"
                            f" {' or '.join(FORMATS)}")
        if format == "standard":
            out = decks.standard(self.plain, ruleset)
            return [f"{name} is not in the Standard of {ruleset}" for name in out]
        return [f"ruleset {ruleset} has no cards of the set of {tables.every_card()[id].name}"
                for id in dict.fromkeys(self.plain.cards) if not tables.is_legal(id, ruleset)]

    @property
    def legal(self) -> dict[str, bool]:
        """Whether it is legal in the Standard format of each ruleset."""
        return {name: not self.check(name, "standard") for name in RULESETS}

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        return self.plain == other.plain if isinstance(other, Deck) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.plain)

    def __repr__(self) -> str:
        mean = sum(tables.every_card()[id].cost for id in self.ids) / len(self)
        return (f"Deck({self.name!r}: {self.hero}, {len(self)} cards, {mean:.1f} mana on"
                " average)")


DeckLike: TypeAlias = str | Path | Sequence[str] | Deck | decks.Deck


def _read(source: DeckLike, hero: str | None, name: str | None) -> decks.Deck:
    for what, text in (("hero", hero), ("name", name)):
        if not isinstance(text, str | None):
            raise DeckError(f"the {what} of a deck is a text, not {short(text)}")
    if name and (problem := name_problem(name)):
        raise DeckError(f"the name of a deck, {quoted(name)}, {problem}")
    if isinstance(source, Deck):
        found = source.plain
    elif isinstance(source, decks.Deck):
        found = source
    elif isinstance(source, str | Path):
        found = decks.read_deck(source)
    elif not isinstance(source, Iterable):
        raise DeckError(f"a deck is a name, a path, a code, a URL or a list of cards, not"
                        f" {short(source)}")
    else:
        source = in_order("the cards of a deck", source, DeckError)
        if hero is None:
            raise DeckError("a list of cards needs its class: Deck(cards, hero=\"mage\")")
        return decks.from_names(source, hero, name)
    if hero is not None and decks.class_of(hero).name != found.hero:
        raise DeckError(f"the deck '{found.name}' is a {found.hero.title()}'s, not a"
                        f" {hero.title()}'s; leave hero out")
    return decks.Deck(name, found.hero, found.cards) if name else found


def as_decks(given: DeckLike | Iterable[DeckLike]) -> tuple[decks.Deck, ...]:
    """Return one or several decks, given in any form; "mage,shaman" are two.

    Raises DeckError.
    """
    return tuple(Deck(one).plain for one in each_deck(given))


def each_deck(given: DeckLike | Iterable[DeckLike]) -> list[DeckLike]:
    """Return one or several decks as a list. Raises DeckError for anything else."""
    if isinstance(given, str):
        return [part for part in given.split(",") if part]
    if isinstance(given, Path | Deck | decks.Deck):
        return [given]
    if not isinstance(given, Iterable):
        raise DeckError(f"{short(given)} is neither a deck nor a list of decks")
    listed = in_order("decks", given, DeckError)
    for one in listed:
        if not isinstance(one, str | Path | Deck | decks.Deck):
            raise DeckError(f"decks holds {short(one)}, which is no deck; give names, files, codes"
                            " or hsevo.Deck(cards, hero=...)")
    return listed


def export_decks(given: DeckLike | Iterable[DeckLike], form: str = "text",
                 output: str | Path | None = None) -> str:
    """Return decks in a form that others read, and write it to a file if one is given.

    given: decks in any form; "mage,shaman" are two. form: "text" (a deck file, of one deck), "code"
    (deck codes, a line each) or "csv" (a row each; `search_decks`, `guess_deck` and closed deck
    lists take it as their database). Raises DeckError, RunError.

    >>> print(hsevo.export_decks("human:h038e27c68", "csv")[:45])
    deck,class,cards
    human:h038e27c68,Druid,Cenar
    """
    text = decks.written(as_decks(given), form)
    if output is not None:
        write_whole(Path(output), text.encode())
    return text


def read_decks(named: Sequence[str], ruleset: str) -> tuple[decks.Deck, ...]:
    """Read the decks of a config. Raises DeckError; ConfigError if two have one name."""
    found = as_decks(named)
    called = [deck.name for deck in found]
    if twice := [name for name in called if called.count(name) > 1]:
        raise ConfigError(f"two decks are called '{twice[0]}'; give each a name of its own")
    decks.refuse_foreign(found, ruleset)
    return found
