"""Decks: text files and Blizzard deck codes -> card ids, checked against the cards that hsevo has.

A deck file has a header (`class: Mage`; `size: 21` if it is not 30; `name: ...` if it is not the
file's own), then a card a line, `Fireball` or `2x Fireball`. `#` begins a comment. What the game
copies to the clipboard, where the one line without `#` is the deck's code, is a deck file too.
"""

import csv
import functools
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from hearthstone.deckstrings import parse_deckstring, write_deckstring
from hearthstone.enums import FormatType

from hsevo.cards import heroes, tables
from hsevo.cards.terms import Class, Rarity
from hsevo.cards.words import GROUP_CLASSES, Card
from hsevo.config import find
from hsevo.errors import DeckError, did_you_mean

SIZE = 30
SMALLEST, LARGEST = 15, 60  # 60: the most that cards shuffled in can make of a deck in the game
_CODE = re.compile(r"AAE[A-Za-z0-9+/]{16,}={0,2}")  # base64 of 0 (reserved), 1 (version), format
_COPIES = re.compile(r"(?:(\d+)\s*[xX×]\s+)?(.+)")  # "2x Fireball", "Fireball"
_HEADER = re.compile(r"(name|class|size)\s*:\s*(.*)", re.IGNORECASE)
Item = TypeVar("Item")
T = TypeVar("T")


@dataclass(frozen=True)
class Deck:
    """A deck: hero is a class ("MAGE"), cards are 15 to 60 card ids in the order of the source."""

    name: str
    hero: str
    cards: tuple[str, ...]


def read_deck(source: str | Path) -> Deck:
    """Read the deck that `source` names: a deck code, a path, or a deck of ./decks or shipped.

    Raises DeckError: one line for every mistake, with the nearest right name.
    """
    code = str(source).strip()
    if _CODE.fullmatch(code):
        return from_code(code)
    path = find(code, "decks")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DeckError(f"cannot read {path} as text: {error}") from None
    return from_text(text, path.stem, str(path))


def from_text(text: str, name: str, where: str = "the deck") -> Deck:
    """Return the deck of a deck file's text. Raises DeckError; its lines begin with `where`."""
    lines = [line for raw in text.splitlines() if (line := raw.partition("#")[0].strip())]
    if len(lines) == 1 and _CODE.fullmatch(lines[0]):
        return from_code(lines[0], name)
    header = dict(_headers(lines))
    cards = [line for line in lines if not _HEADER.fullmatch(line)]
    hero, size = _class(header.get("class"), where), _size(header.get("size"), where)
    copies = _each(where, _copies, cards)
    ids = _each(where, _card_id, (card for card, _ in copies.values()))
    listed = (ids[copies[line][0]] for line in cards for _ in range(copies[line][1]))
    return check_deck(Deck(header.get("name") or name, hero.name, tuple(listed)), size, where)


def from_code(code: str, name: str | None = None) -> Deck:
    """Return the deck of a Blizzard deck code; its name is its class and a digest, if not given.

    Raises DeckError for damaged codes, and for heroes and cards that hsevo does not have.
    """
    where = f"the deck code {code[:12]}..."
    try:
        cards, found, _, _ = parse_deckstring(code)
    except (ValueError, TypeError, EOFError) as error:  # whatever its reader happens to meet
        raise DeckError(f"{where} is damaged: {error}") from None
    if sum(n for _, n in cards) > LARGEST or len(found) != 1:
        raise DeckError(f"{where} is damaged: it holds no single hero, or too many cards")
    hero = _hero_class(found[0], where)
    ids = _each(where, _card_of_dbf, (dbf for dbf, _ in cards))
    name = name or f"{hero.name.lower()}-{hashlib.sha256(code.encode()).hexdigest()[:6]}"
    listed = tuple(ids[dbf] for dbf, n in cards for _ in range(n))
    return check_deck(Deck(name, hero.name, listed), SIZE, where)


def to_code(deck: Deck) -> str:
    """Return the Blizzard deck code (Wild) of a deck; its name and the cards' order are lost."""
    dbf = {entry.id: entry.dbf for entry in _catalogue()}
    cards = [(dbf[id], n) for id, n in Counter(deck.cards).items()]
    hero = heroes.BY_CLASS[Class[deck.hero]][0]
    return str(write_deckstring(cards, [dbf[hero]], FormatType.FT_WILD))


def check_deck(deck: Deck, size: int = SIZE, where: str = "the deck") -> Deck:
    """Return the deck if it keeps the rules of deck building: size, copies, class.

    Raises DeckError: one line for every mistake.
    """
    mistakes = list(_mistakes(deck, size))
    if mistakes:
        raise DeckError("\n".join(f"{where}: {mistake}" for mistake in mistakes))
    return deck


def _mistakes(deck: Deck, size: int) -> Iterator[str]:
    if len(deck.cards) != size:
        hint = "; a line 'size: N' in a deck file allows another size" if size == SIZE else ""
        yield f"{len(deck.cards)} cards, and must have {size}{hint}"
    for id, n in Counter(deck.cards).items():
        card = tables.cards()[id]
        most = 1 if card.rarity is Rarity.LEGENDARY else 2
        if n > most:
            yield f"{n} copies of {card.name}, and must have at most {most}"
        if Class[deck.hero] not in _classes(card):
            owner = "/".join(cls.name.title() for cls in _classes(card))
            yield f"{card.name} is a {owner} card, and the deck is a {deck.hero.title()}'s"


def _classes(card: Card) -> tuple[Class, ...]:
    if card.group:
        return GROUP_CLASSES[card.group]
    return tuple(heroes.BY_CLASS) if card.cls is Class.NEUTRAL else (card.cls,)


class _Entry(NamedTuple):
    """A card or hero of the game up to Mean Streets of Gadgetzan, whether or not hsevo has it."""

    dbf: int
    id: str
    name: str


@functools.cache
def _catalogue() -> tuple[_Entry, ...]:
    """Return the 1,054 collectible cards and the heroes (card data of build 23180)."""
    with (Path(__file__).parent / "dbf.csv").open(encoding="utf-8", newline="") as file:
        return tuple(_Entry(int(row["dbf_id"]), row["id"], row["name"])
                     for row in csv.DictReader(file))


@functools.cache
def _implemented() -> dict[str, str]:
    """Return the ids of the cards that hsevo has, by plain name."""
    return {_plain(name): id for name, id in tables.by_name().items()}


def _plain(name: str) -> str:
    """Spell a name as it is compared: no capitals, straight apostrophes, single spaces."""
    return " ".join(name.replace("’", "'").casefold().split())


def _card_id(name: str) -> str:
    if _plain(name) in _implemented():
        return _implemented()[_plain(name)]
    if any(_plain(name) == _plain(entry.name) for entry in _catalogue()):
        raise DeckError(f"'{name}' is a card that is not implemented yet")
    names = {entry.name for entry in _catalogue()}
    raise DeckError(f"unknown card '{name}'{did_you_mean(name, names)}")


def _card_of_dbf(dbf: int) -> str:
    for entry in _catalogue():
        if entry.dbf == dbf:
            return _card_id(entry.name)
    raise DeckError(f"card {dbf} (dbf id) is none up to Mean Streets of Gadgetzan")


def _hero_class(dbf: int, where: str) -> Class:
    """Return the class of a hero or of one of its portraits (HERO_08 or HERO_08a: Mage)."""
    id = next((entry.id for entry in _catalogue() if entry.dbf == dbf), "")
    for cls, (hero, _) in heroes.BY_CLASS.items():
        if id.startswith(hero):
            return cls
    raise DeckError(f"{where}: unknown hero {dbf} (dbf id); export the deck with its class's own")


def _headers(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if match := _HEADER.fullmatch(line):
            yield match[1].lower(), match[2]


def _class(name: str | None, where: str) -> Class:
    known = [cls.name.title() for cls in heroes.BY_CLASS]
    if name is None:
        raise DeckError(f"{where}: no line 'class: NAME'; classes are {', '.join(known)}")
    if name.title() not in known:
        raise DeckError(f"{where}: unknown class '{name}'{did_you_mean(name, known)}")
    return Class[name.upper()]


def _size(text: str | None, where: str) -> int:
    if text is None:
        return SIZE
    if not text.isdecimal() or not SMALLEST <= int(text) <= LARGEST:
        raise DeckError(f"{where}: size is '{text}', but must be a whole number from {SMALLEST}"
                        f" to {LARGEST}")
    return int(text)


def _copies(line: str) -> tuple[str, int]:
    """Split "2x Fireball" into name and number. Raises DeckError for senseless numbers."""
    match = _COPIES.fullmatch(line)
    assert match is not None, line  # any text matches
    n = int(match[1] or 1)
    if not 1 <= n <= LARGEST:
        raise DeckError(f"'{line}' must have from 1 to {LARGEST} copies")
    return match[2], n


def _each(where: str, check: Callable[[Item], T], items: Iterable[Item]) -> dict[Item, T]:
    """Return what `check` says of each item; one DeckError holds a line for each that fails."""
    found, mistakes = {}, []
    for item in dict.fromkeys(items):
        try:
            found[item] = check(item)
        except DeckError as error:
            mistakes.append(f"{where}: {error}")
    if mistakes:
        raise DeckError("\n".join(mistakes))
    return found
