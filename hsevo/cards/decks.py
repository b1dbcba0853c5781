"""Decks: read text files and Blizzard deck codes, and check them against the implemented cards.

A deck file has a header (`class: Mage`; `size: 21` if it is not 30; `name: ...` if it differs from
the file's name), then one card per line: `Fireball`, or `2x Fireball`, `2 Fireball`, `Fireball x2`.
`#` begins a comment. The text that the game copies to the clipboard is a deck file, too: its only
line without `#` is the deck code, and the line that begins with `###` is its name.
`written` gives them for others: as deck files, deck codes, or a CSV with a row for each deck.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar
from urllib.parse import unquote

from hsevo.cards import human_decks, tables
from hsevo.cards.catalogue import catalogue, classes
from hsevo.cards.rulesets import RULESETS, STANDARD, STUDY_RULESETS
from hsevo.cards.sets import heroes
from hsevo.cards.tables import every_card
from hsevo.cards.terms import UP_TO_GADGETZAN, Class, Rarity, Set
from hsevo.cards.vocabulary.model import Card
from hsevo.config import find, in_order, short
from hsevo.errors import (
    CardError,
    ConfigError,
    DeckError,
    did_you_mean,
    name_problem,
    printable,
    quoted,
)
from hsevo.files import write_whole
from hsevo.objects import Fields

if TYPE_CHECKING:
    import pandas as pd

SIZE = 30
SMALLEST, LARGEST = 15, 60  # 60: the game's limit for a deck, reached by shuffling in cards
LONGEST = 2**16  # bytes of a deck file
MAX_REPORTED = 20  # mistakes reported for one deck
FORMATS = ("wild", "standard", *(f"standard-{year}" for year in STANDARD))
LATE = 7  # the last column of a mana curve: this much mana, or more
HEADERS = ("name", "class", "size")
LAST_SET = "Rise of Shadows"
_CODE = re.compile(r"AAE[A-Za-z0-9+/]*={0,2}")  # base64 of 0 (reserved), 1 (version), format
_COPIES = re.compile(r"(?:(\d+) ?[xX×]? )?(.+?)(?: [xX×] ?(\d+))?")  # single spaces
_HEADER = re.compile(r"(\w+) ?: ?(.*)")
Item = TypeVar("Item")
T = TypeVar("T")


@dataclass(frozen=True, init=False, repr=False)
class Deck:
    """Represent a deck: 15 to 60 cards and the class of its hero.

    Parameters
    ----------
    source : str, Path, sequence of str or Deck
        A name ("mage": a deck of ./decks or shipped with hsevo), a path, a deck code, a URL with a
        deck code, the id of a human deck ("human:h038e27c68"), or the names of the cards.
    hero : str, optional
        Class, for a source of card names.
    name : str, optional
        Name in tables. Default: the name of the file, or class and digest.

    Attributes
    ----------
    name : str
        Name in tables.
    hero_class : str
        Class in capitals, such as "MAGE".
    ids : tuple of str
        Ids of its cards, such as "CS2_029", in the order of the source.

    Raises
    ------
    DeckError
        If the deck is invalid. The message has one line for each mistake.

    Examples
    --------
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
        "code": lambda self: self.code if len(self) == SIZE else None}

    name: str  # in tables
    hero_class: str  # as files have it: "MAGE"
    ids: tuple[str, ...]  # of its cards, such as "CS2_029", in the order of the source

    def __init__(self, source: DeckLike, hero: str | None = None,
                 name: str | None = None) -> None:
        self.__dict__.update(_read_any(source, hero, name).__dict__)

    @classmethod
    def of(cls, name: str, hero_class: str, ids: tuple[str, ...]) -> Deck:
        """Return a deck of card ids, without checking them.

        Parameters
        ----------
        name : str
            Name in tables.
        hero_class : str
            Class in capitals, such as "MAGE".
        ids : tuple of str
            Ids of the cards.

        Returns
        -------
        Deck
            The deck.
        """
        deck = object.__new__(cls)
        deck.__dict__.update(name=name, hero_class=hero_class, ids=ids)
        return deck

    def data(self) -> dict[str, Any]:
        """Return the deck in the form of hsevo's files.

        Returns
        -------
        dict
            Keys name, hero and cards.
        """
        return {"name": self.name, "hero": self.hero_class, "cards": self.ids}

    @property
    def hero(self) -> str:
        """Class of the hero, such as "Mage"."""
        return self.hero_class.title()

    @property
    def cards(self) -> tuple[str, ...]:
        """Names of the cards, cheapest first."""
        return tuple(card.name for card in sorted(
            (tables.every_card()[id] for id in self.ids), key=lambda card: (card.cost, card.name)))

    @property
    def code(self) -> str:
        """Deck code, which the game's collection imports.

        Raises
        ------
        DeckError
            If the deck does not have 30 cards of the game.
        """
        return as_code(self)

    @property
    def text(self) -> str:
        """Content of a deck file of the same deck."""
        return as_text(self)

    @property
    def curve(self) -> pd.Series[int]:
        """Number of cards that cost 0, 1 ... 6, and 7 or more mana."""
        import pandas as pd  # takes a third of a second

        costs = Counter(min(tables.every_card()[id].cost, LATE) for id in self.ids)
        return pd.Series([costs[cost] for cost in range(LATE + 1)],
                         pd.Index([*range(LATE), f"{LATE}+"], name="mana"), name=self.name)

    def check(self, ruleset: str = "cig2018", format: str = "wild") -> list[str]:
        """Return the violations of a format of a ruleset.

        Parameters
        ----------
        ruleset : str, default "cig2018"
            Version of cards and rules.
        format : str, default "wild"
            "wild", "standard" (of the ruleset), or the Standard of a year: "standard-2016" to
            "standard-2019".

        Returns
        -------
        list of str
            One line for each violation. Empty if the deck is legal.

        Raises
        ------
        CardError
            If the ruleset is unknown.
        DeckError
            If the format is unknown.
        """
        ruleset = tables.find_ruleset(ruleset).name
        if format not in FORMATS:
            raise DeckError(f"unknown format '{format}'{did_you_mean(format, FORMATS)}; it is"
                            f" {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
        if format != "wild":
            of = format.partition("-")[2] or ruleset
            out = standard(self, of)
            return [f"{name} is not in the Standard of {of}" for name in out]
        return [f"ruleset {ruleset} has no cards of the set of {tables.every_card()[id].name}"
                for id in dict.fromkeys(self.ids) if not tables.is_legal(id, ruleset)]

    @property
    def legal(self) -> dict[str, bool]:
        """Whether the deck is legal in the Standard format of each ruleset."""
        return {name: not self.check(name, "standard") for name in RULESETS}

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        mean = sum(tables.every_card()[id].cost for id in self.ids) / len(self)
        return (f"Deck({self.name!r}: {self.hero}, {len(self)} cards, {mean:.1f} mana on"
                " average)")


DeckLike: TypeAlias = str | Path | Sequence[str] | Deck


def read_deck(source: str | Path) -> Deck:
    """Read the deck that `source` names: a code, a URL, a path, a deck here or shipped, human:ID.

    Raises DeckError: one line per mistake, with the nearest valid name.
    """
    name = str(source).strip()
    if "://" in name:
        return from_url(name)
    if name.startswith(human_decks.PREFIX):
        return _human(name)
    try:
        path = find(name, "decks")
    except DeckError:
        if _CODE.fullmatch(name):
            return from_code(name)
        if "." in name and "/" in name and _CODE.search(unquote(name)):  # a URL without https://
            return from_url(name)
        raise
    return from_text(_read(path), path.stem, printable(path))


def _human(name: str) -> Deck:
    """Return one of the human decks that are shipped, by "human:" and its id. Raises DeckError."""
    row = human_decks.find(name)
    cards = tuple(human_decks.ids_by_dbf()[dbf] for dbf in row["cards"])
    return Deck.of(human_decks.PREFIX + row["deck"], row["class"], cards)


def reads_as_deck(source: str) -> bool:
    """Return whether what a word names is a deck, or was meant to be: a file with "class:" in it.
    """
    try:
        read_deck(source)
    except DeckError:
        try:
            text = _read(find(source, "decks"))
        except DeckError:
            return False
        return re.search(r"^\s*class ?:", text, re.MULTILINE | re.IGNORECASE) is not None
    return True


def _read(path: Path) -> str:
    try:
        if (size := path.stat().st_size) > LONGEST:
            raise DeckError(f"{path} has {size:,} bytes, but a deck file has at most {LONGEST:,}")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DeckError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DeckError(f"cannot read {path} as text (no UTF-8)") from None


def from_text(text: str, name: str, where: str = "the deck") -> Deck:
    """Return the deck of a deck file's text. Raises DeckError; its lines begin with `where`."""
    bare = (printable(line.partition("#")[0]).split() for line in text.splitlines())
    lines = [" ".join(words) for words in bare if words]
    if len(lines) == 1 and _CODE.fullmatch(lines[0]):
        return from_code(lines[0], exported_name(text) or name)
    header = dict(filter(None, map(_header, lines)))
    mistakes = _Mistakes()
    hero = mistakes.of(class_of, header.get("class"))
    size = mistakes.of(_size, header.get("size"))
    mistakes += [f"unknown header {quoted(key)}; choose from {', '.join(HEADERS)}"
                 for key in header if key not in HEADERS]
    body = [line for line in lines if not _header(line)]
    cards = {line: mistakes.cards(line) for line in dict.fromkeys(body)}
    listed = [id for line in body for id in cards[line]]
    return mistakes.deck(header.get("name") or name, hero, listed, size, where)


def exported_name(text: str) -> str:
    """Return the name in the game's export, from the line "### My deck"; "" without one."""
    match = re.search(r"^[ \t]*###[ \t]*([^#\r\n].*)$", text, re.MULTILINE)
    return printable(match[1]).strip() if match else ""


def from_code(code: str, name: str | None = None) -> Deck:
    """Return the deck of a Blizzard deck code; by default its name is its class and a digest.

    Raises DeckError for damaged codes, and for heroes and cards that are not implemented.
    """
    where = f"the deck code {code if len(code) <= 12 else code[:12] + '...'}"
    try:
        cards, hero_ids, _, _ = _parsed(code)
    except (ValueError, TypeError, EOFError):  # all that the parser raises for damaged codes
        raise DeckError(f"{where} is damaged: it ends too early or has wrong characters; copy the"
                        " complete code again") from None
    if max(len(cards), sum(n for _, n in cards)) > LARGEST or len(hero_ids) != 1:
        raise DeckError(f"{where} is damaged: it needs exactly one hero and at most {LARGEST}"
                        " cards")
    if (newer := sum(map(_is_newer, {dbf for dbf, _ in cards}))) > 1:
        raise DeckError(f"{where}: {newer} cards are newer than hsevo's, whose decks have"
                        f" cards up to {LAST_SET}")
    mistakes = _Mistakes()
    hero = mistakes.of(_hero_class, hero_ids[0])
    listed = [id for dbf, n in cards for id in n * [mistakes.of(_card_of_dbf, dbf)]]
    digest = hashlib.sha256(code.encode()).hexdigest()[:6]
    name = name or f"{hero.name.lower() if hero else 'deck'}-{digest}"
    return mistakes.deck(name, hero, listed, SIZE, where)


def from_url(url: str) -> Deck:
    """Return the deck of the deck code in a URL of a deck site. Raises DeckError."""
    match = _CODE.search(unquote(url))
    if match is None:
        raise DeckError(f"{quoted(url)} contains no deck code (AAE...); use the deck's code"
                        " instead")
    parts = match[0].split("/")  # a slash may belong to the code or to the URL's path
    whole = ("/".join(parts[:n]) for n in range(len(parts), 0, -1))
    return from_code(next(filter(_is_code, whole), match[0]))


def _parsed(code: str) -> Any:
    from hearthstone.deckstrings import parse_deckstring  # 60 ms, which most programs don't need

    return parse_deckstring(code)


def _is_code(code: str) -> bool:
    try:
        _parsed(code)
    except (ValueError, TypeError, EOFError):
        return False
    return True


def from_names(cards: Iterable[str], hero: str, name: str | None = None, size: int = SIZE,
               where: str = "the deck") -> Deck:
    """Return the deck of a list of cards ("Fireball", "2x Fireball") and the class of its hero.

    By default its name is its class and a digest. Raises DeckError.
    """
    mistakes = _Mistakes()
    cls = mistakes.of(class_of, hero)
    listed = [id for line in cards for id in mistakes.cards(printable(line))]
    digest = hashlib.sha256(repr(listed).encode()).hexdigest()[:6]
    return mistakes.deck(name or f"{hero.lower()}-{digest}", cls, listed, size, where)


def to_code(deck: Deck) -> str:
    """Return the Blizzard deck code (Wild) of a deck, without its name and the cards' order.

    Raises DeckError for cards that are not of the game.
    """
    if (home := foreign(deck)) in STUDY_RULESETS:
        raise DeckError(f"{deck.name} has cards that only ruleset {home} has, so it has no deck"
                        " code")
    from hearthstone.deckstrings import write_deckstring  # as in _parsed
    from hearthstone.enums import FormatType

    dbf = {entry.id: entry.dbf for entry in catalogue()}
    cards = [(dbf[id], n) for id, n in Counter(deck.ids).items()]
    hero = heroes.BY_CLASS[Class[deck.hero_class]][0]
    return str(write_deckstring(cards, [dbf[hero]], FormatType.FT_WILD))


def digested(decks: Iterable[Deck]) -> str:
    """Return the text of decks that is part of the digests in folders."""
    texts = [f"Deck(name={deck.name!r}, hero={deck.hero_class!r}, cards={deck.ids!r})"
             for deck in decks]
    return f"({', '.join(texts)}{',' * (len(texts) == 1)})"


def foreign(deck: Deck) -> str | None:
    """Return a ruleset that has a card of a deck which others lack; None if all have all."""
    return next(filter(None, map(tables.home_of, deck.ids)), None)


def check_deck(deck: Deck, size: int = SIZE, where: str = "the deck") -> Deck:
    """Return the deck if it follows the rules of deck building: size, copies, class.

    Raises DeckError: one line per mistake.
    """
    return _Mistakes().deck(deck.name, Class[deck.hero_class], deck.ids, size, where)


def standard(deck: Deck, of: str = "cig2018") -> list[str]:
    """Return the names of a deck's cards that are not Standard in a ruleset or a year, "2018".

    The list is empty if the deck is legal. Raises CardError if there is no such ruleset.
    """
    if of.isdecimal():
        allowed, retired = STANDARD[int(of)]
    else:
        rules = tables.find_ruleset(of)
        allowed, retired = STANDARD.get(rules.year, (rules.sets, frozenset()))
    where, known = tables.sets(), tables.every_card()
    return [known[id].name for id in dict.fromkeys(deck.ids)
            if where[id] not in allowed or id in retired]


def refuse_foreign(decks: Iterable[Deck], ruleset: str) -> None:
    """Raise DeckError if a deck has a card that a ruleset has not, or not in decks: it names one.

    Raises CardError if there is no such ruleset or card, or an overlay changes a card that is none.
    """
    known = tables.index(tables.base_of(tables.find_ruleset(ruleset).name))
    for deck in decks:
        for id in deck.ids:
            if id not in known and id not in every_card():
                raise CardError(f"ruleset {ruleset} has no card '{printable(id)}'")
            if id not in known:
                raise DeckError(f"deck '{deck.name}' has the card {tables.every_card()[id].name},"
                                f" which {tables.only_in(id)}; this is {ruleset}")
            if not tables.is_legal(id, ruleset):
                raise DeckError(f"deck '{deck.name}' has the card {tables.every_card()[id].name},"
                                f" and ruleset {ruleset} has no cards of its set")


def refuse_lists(ruleset: str) -> None:
    """Raise DeckError if decks of a ruleset have cards of some sets alone: drawn lists have of all.
    """
    if not tables.find_ruleset(ruleset).legal >= UP_TO_GADGETZAN:
        raise DeckError(f"decks are drawn from cards of all sets, but ruleset {ruleset} has only"
                        " some sets; name decks instead")


class _Mistakes(list[str]):
    """The mistakes of one deck, collected so that all can be reported at once."""

    def of(self, check: Callable[[Item], T], item: Item) -> T | None:
        """Return check(item); or add its error to the mistakes and return None."""
        try:
            return check(item)
        except DeckError as error:
            self.append(str(error))
            return None

    def cards(self, line: str) -> list[str | None]:
        """Return the ids of a line's cards; None for unknown cards."""
        name, n = self.of(copies, line) or ("", 1)
        suggest = len(self) < MAX_REPORTED  # suggestions are slow: none for unreported mistakes
        return n * [self.of(lambda name: card_id(name, suggest), name) if name else None]

    def deck(self, name: str, hero: Class | None, listed: Sequence[str | None], size: int | None,
             where: str) -> Deck:
        """Return the deck if it has no mistakes; cards that are None only count for its size."""
        if size is not None and len(listed) != size:
            hint = "; a line 'size: N' in a deck file allows another size" if size == SIZE else ""
            self.append(f"has {len(listed)} cards, but must have {size}{hint}")
        known = tuple(id for id in listed if id is not None)
        self.extend(_misfits(known, hero))
        if problem := name_problem(name):
            self.append(f"its name, {quoted(name)}, {problem}")
        if self or hero is None:
            raise DeckError("\n".join(f"{where}: {mistake}" for mistake in self._reported()))
        return Deck.of(name, hero.name, known)

    def _reported(self) -> list[str]:
        reported = list(dict.fromkeys(self))
        rest = len(reported) - MAX_REPORTED
        return [*reported[:MAX_REPORTED], f"... and {rest} more"] if rest > 0 else reported


def _misfits(listed: Iterable[str], hero: Class | None) -> Iterator[str]:
    for id, n in Counter(listed).items():
        card = tables.every_card()[id]
        if n > (most := most_copies(card)):
            yield f"has {n} copies of {card.name}, but may have at most {most}"
        if hero and not {hero, Class.NEUTRAL} & {*classes(card)}:
            owner = "/".join(cls.name.title() for cls in classes(card))
            yield f"{card.name} is a {owner} card, but the deck is a {hero.name.title()}'s"


def most_copies(card: Card) -> int:
    """Return the maximum number of copies of a card in a deck; 0 if decks can't hold it."""
    if tables.home_of(card.id) in STUDY_RULESETS:  # HearthSim drew its decks without a limit
        return LARGEST
    return 0 if not card.collectible else 1 if card.rarity is Rarity.LEGENDARY else 2


@functools.cache
def _implemented() -> dict[str, str]:
    """Return the ids of the cards that decks can hold, by plain name."""
    return {plain(card.name): card.id for card in tables.every_card().values()
            if most_copies(card)}


def plain(name: str) -> str:
    """Normalise a name for comparison: lower case, straight apostrophes, single spaces."""
    return " ".join(name.replace("’", "'").casefold().split())


@functools.cache
def _catalogued() -> dict[str, str]:
    """Return the names of the cards of the game, by plain name."""
    return {plain(entry.name): entry.name for entry in catalogue()}


def card_id(name: str, suggest: bool = True) -> str:
    """Return a card's id. Raises DeckError, with the nearest name if `suggest`."""
    if plain(name) in _implemented():
        return _implemented()[plain(name)]
    if plain(name) in _catalogued():
        raise DeckError(f"{quoted(name)} is a card that is not implemented yet")
    hint = did_you_mean(name, _catalogued().values()) if suggest else ""
    raise DeckError(f"unknown card {quoted(name)}{hint}")


def _card_of_dbf(dbf: int) -> str:
    for entry in catalogue():
        if entry.dbf == dbf:
            return card_id(entry.name)
    raise DeckError(f"card {dbf} (dbf id) is not a card up to {LAST_SET}")


def _is_newer(dbf: int) -> bool:
    """Return whether a card came after the last set: dbf ids grow from set to set, or nearly."""
    known = {entry.dbf: entry.set for entry in catalogue()}
    return dbf not in known and dbf > min(
        number for number, home in known.items() if home is max(Set))


def _hero_class(dbf: int) -> Class:
    """Return the class of a hero or of one of its portraits (HERO_08 or HERO_08a: Mage)."""
    id = next((entry.id for entry in catalogue() if entry.dbf == dbf), "")
    for cls, (hero, _) in heroes.BY_CLASS.items():
        if id.startswith(hero):
            return cls
    raise DeckError(f"unknown hero {dbf} (dbf id); export the deck with its class's default hero")


def _header(line: str) -> tuple[str, str] | None:
    """Split "class: Mage" into key and value; None for a card, including "SI:7 Agent"."""
    match = _HEADER.fullmatch(line)
    if match is None or plain(match[1]) in _before_colons():
        return None
    return match[1].lower(), match[2]


@functools.cache
def _before_colons() -> set[str]:
    return {name.partition(":")[0] for name in _catalogued() if ":" in name}


def class_of(name: str | None) -> Class:
    """Return the class of a name such as "mage". Raises DeckError."""
    known = [cls.name.title() for cls in heroes.BY_CLASS]
    if name is None:
        raise DeckError(f"no line 'class: NAME'; classes are {', '.join(known)}")
    if name.title() not in known:
        raise DeckError(f"unknown class {quoted(name)}{did_you_mean(name, known)}")
    return Class[name.upper()]


def _size(text: str | None) -> int:
    if text is None:
        return SIZE
    if not text.isdecimal() or not SMALLEST <= _number(text) <= LARGEST:
        raise DeckError(f"size is {quoted(text)}, but must be a whole number from {SMALLEST} to"
                        f" {LARGEST}")
    return _number(text)


def _number(digits: str) -> int:
    return int(digits[:9])  # nine digits are too large already


def copies(line: str) -> tuple[str, int]:
    """Split "2x Fireball" into name and number. Raises DeckError for invalid numbers.

    >>> from hsevo.cards.decks import copies
    >>> copies("2x Fireball"), copies("Fireball")
    (('Fireball', 2), ('Fireball', 1))
    """
    match = _COPIES.fullmatch(line)
    if match is None:
        raise DeckError("the name of a card is missing")
    n = _number(match[1] or "1") * _number(match[3] or "1")
    if not 1 <= n <= LARGEST:
        raise DeckError(f"{quoted(line)} must have from 1 to {LARGEST} copies")
    return match[2], n


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
    size = [f"size: {len(deck.ids)}"] if len(deck.ids) != SIZE else []
    cards = [f"{n}x {every_card()[id].name}" for id, n in Counter(deck.ids).items()]
    return "\n".join([f"name: {deck.name}", f"class: {deck.hero}", *size, *cards, ""])


def as_code(deck: Deck) -> str:
    """Return the deck code of a deck. Raises DeckError unless it has 30 cards of the game."""
    if len(deck.ids) != SIZE:
        raise DeckError(f"{deck.name} has {len(deck.ids)} cards, but deck codes need {SIZE} cards")
    return to_code(deck)


def as_csv(decks: Sequence[Deck]) -> str:
    """Return decks as a CSV: the columns deck, class and cards ("Fireball*2|Wisp").

    Raises DeckError for decks that are not of 30 cards, which a deck database can't have.
    """
    if misfit := next((deck for deck in decks if len(deck.ids) != SIZE), None):
        raise DeckError(f"{misfit.name} has {len(misfit.ids)} cards, but a deck database needs"
                        f" decks of {SIZE} cards; use --format text")
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow(("deck", "class", "cards"))
    for deck in decks:
        cards = (every_card()[id].name + (f"*{n}" if n > 1 else "")
                 for id, n in Counter(deck.ids).items())
        rows.writerow((deck.name, deck.hero, "|".join(cards)))
    return lines.getvalue()


def _read_any(source: DeckLike, hero: str | None, name: str | None) -> Deck:
    for what, text in (("hero", hero), ("name", name)):
        if not isinstance(text, str | None):
            raise DeckError(f"the {what} of a deck must be a text, not {short(text)}")
    if name and (problem := name_problem(name)):
        raise DeckError(f"the name of a deck, {quoted(name)}, {problem}")
    if isinstance(source, Deck):
        deck = source
    elif isinstance(source, str | Path):
        deck = read_deck(source)
    elif not isinstance(source, Iterable):
        raise DeckError("a deck must be a name, a path, a code, a URL or a list of cards, not"
                        f" {short(source)}")
    else:
        source = in_order("the cards of a deck", source, DeckError)
        if hero is None:
            raise DeckError("a list of cards needs its class: Deck(cards, hero=\"mage\")")
        return from_names(source, hero, name)
    if hero is not None and class_of(hero).name != deck.hero_class:
        raise DeckError(f"the deck '{deck.name}' is a {deck.hero}'s, not a"
                        f" {hero.title()}'s; leave hero out")
    return Deck.of(name, deck.hero_class, deck.ids) if name else deck


def as_decks(decks: DeckLike | Iterable[DeckLike]) -> tuple[Deck, ...]:
    """Return one or several decks, given in any form; "mage,shaman" are two.

    Raises DeckError.
    """
    return tuple(Deck(deck) for deck in each_deck(decks))


def read_decks(named: Sequence[str], ruleset: str) -> tuple[Deck, ...]:
    """Read the decks of a config. Raises DeckError; ConfigError if two have one name."""
    decks = as_decks(named)
    called = [deck.name for deck in decks]
    if twice := [name for name in called if called.count(name) > 1]:
        raise ConfigError(f"two decks are called '{twice[0]}'; rename one")
    refuse_foreign(decks, ruleset)
    return decks


def each_deck(decks: DeckLike | Iterable[DeckLike]) -> list[DeckLike]:
    """Return one or several decks as a list. Raises DeckError for anything else."""
    if isinstance(decks, str):
        return [part for part in decks.split(",") if part]
    if isinstance(decks, Path | Deck):
        return [decks]
    if not isinstance(decks, Iterable):
        raise DeckError(f"{short(decks)} is neither a deck nor a list of decks")
    listed = in_order("decks", decks, DeckError)
    for deck in listed:
        if not isinstance(deck, str | Path | Deck):
            raise DeckError(f"decks holds {short(deck)}, which is not a deck; give names, files,"
                            " codes or hsevo.Deck(cards, hero=...)")
    return listed


def export_decks(given: DeckLike | Iterable[DeckLike], form: str = "text",
                 output: str | Path | None = None) -> str:
    """Return decks in a text format, and optionally write them to a file.

    Parameters
    ----------
    given : deck or iterable of decks
        Decks in any form. "mage,shaman" are two decks.
    form : {"text", "code", "csv"}, default "text"
        "text": deck file of one deck. "code": deck codes, one on each line. "csv": one row for each
        deck. `hsevo.search_decks`, `hsevo.guess_deck` and closed deck lists accept such a CSV file
        as their database.
    output : str or Path, optional
        File to write.

    Returns
    -------
    str
        The text.

    Raises
    ------
    DeckError
        If a deck is invalid, or does not fit the format.
    RunError
        If the file cannot be written.

    Examples
    --------
    >>> print(hsevo.export_decks("human:h038e27c68", "csv")[:45])
    deck,class,cards
    human:h038e27c68,Druid,Cenar
    """
    text = written(as_decks(given), form)
    if output is not None:
        write_whole(Path(output), text.encode())
    return text
