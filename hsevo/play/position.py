"""A position: a game at one moment, as a file that people can write, read and change.

    Position.read("mine.json"), position.write("mine.json")
    Position(data)                  from the same as data
    Position.of(state, ruleset)     of a game
    position.state, .decks          what the engine plays on from
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from hsevo.cards.decks import Deck, read_deck, refuse_foreign
from hsevo.cards.tables import cards
from hsevo.cards.terms import Kind
from hsevo.config import as_plain
from hsevo.config.position import FORMAT, PositionFile, SidePosition
from hsevo.config.reading import check
from hsevo.engine.record.codec import CARD_MASK
from hsevo.engine.record.state import RUNNING, Phase
from hsevo.errors import ConfigError, DeckError, GameError, HsevoError, printable
from hsevo.files import read_json, write_whole
from hsevo.play.describing import describe
from hsevo.play.games import refuse_blank
from hsevo.play.placing import SIDES, Cards, cards_of, dealt, many, place
from hsevo.types import Array

MOST_BYTES = 2**18  # of a file; those of games have some KB
MOST_CARDS = 60


class Position:
    """A position, in which it is the turn of the player `me` of its data.

    data: as docs/pages/reference/position.md says, key by key; a name of a card alone stands for
    it. decks: how a `deck_list` that is a text is read; default: as everywhere in hsevo.

    `data` is what it was made of, `ruleset` its ruleset, `player` the number of the player to move,
    `decks` the lists of players 0 and 1, and `state` the engine's record.

    Raises ConfigError, CardError, DeckError: one line per mistake, with the nearest valid name.

    >>> found = hsevo.Position({
    ...     "me": {"class": "mage", "hand": ["Fireball"], "crystals": 4},
    ...     "opponent": {"class": "warrior", "health": 6, "board": ["Sen'jin Shieldmasta"]}})
    >>> game = hsevo.Game.at(found)
    >>> game.lethal().answer
    'yes'
    >>> found.write("lethal.json").name
    'lethal.json'
    >>> hsevo.Position.read("lethal.json") == found
    True
    """

    def __init__(self, data: Mapping[str, Any], where: str = "the position",
                 decks: Callable[[str], Deck] = read_deck) -> None:
        if not isinstance(data, Mapping):
            raise ConfigError(f"{where} must be an object with the keys me and opponent")
        file = check(PositionFile, dict(data), where)
        self.data, self.ruleset, self.player = as_plain(data), file.ruleset, file.player
        try:
            self.decks, self.state = _made(file, decks)
        except HsevoError as error:
            raise type(error)("\n".join(f"{where}: {line}"
                                        for line in str(error).split("\n"))) from None

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a position's file. Raises ConfigError, CardError, DeckError."""
        data = read_json(Path(path), MOST_BYTES, ConfigError, "not a position")
        return cls(data, printable(path))

    @classmethod
    def of(cls, state: Array, ruleset: str, decks: Sequence[Deck] = ()) -> Self:
        """Return the position of a state, STATE (1,); decks: the lists of players 0 and 1.

        Raises GameError unless a player is to make a move of its turn, and for what only a player
        may know of a game.
        """
        refuse_blank(state)
        if state[0]["result"] != RUNNING or state[0]["pending"] != Phase.PLAY:
            what = "over" if state[0]["result"] != RUNNING else (
                "in a choice" if state[0]["pending"] == Phase.CHOICE else "in the mulligan")
            raise GameError(f"the game is {what}; a position is one in which a player can make any"
                            " move of its turn")
        data, known, me = describe(state, ruleset), cards_of(ruleset), int(state[0]["me"])
        for side, player in ((data["me"], me), (data["opponent"], 1 - me)):
            if decks:
                side["deck_list"] = [_word(known, id) for id in decks[player].cards]
                side["deck_name"] = decks[player].name
        return cls(data)

    def write(self, path: str | Path) -> Path:
        """Write it as a file, and return the path. Raises RunError."""
        write_whole(Path(path), self.text.encode())
        return Path(path)

    @property
    def text(self) -> str:
        """What its file has: JSON, a line for each key, entry of a board, hand or deck."""
        return json.dumps(self.data, indent=1, ensure_ascii=False) + "\n"

    def __eq__(self, other: object) -> bool:
        return (self.state.tobytes() == other.state.tobytes() and self.decks == other.decks
                if isinstance(other, Position) else NotImplemented)

    def __hash__(self) -> int:
        return hash(self.state.tobytes())

    def __str__(self) -> str:
        mine, theirs = (self.decks[k].hero.title() for k in (self.player, 1 - self.player))
        return f"{mine} to move against {theirs}, turn {int(self.state[0]['turn'])}, {self.ruleset}"

    def __repr__(self) -> str:
        return f"Position({self})"


def is_position(data: Any) -> bool:
    """Return whether data of a JSON file are, or were meant to be, a position."""
    return isinstance(data, dict) and (data.get("format") == FORMAT or (
        "format" not in data and not {*SIDES}.isdisjoint(data)))


def _made(file: PositionFile, read: Callable[[str], Deck]) -> tuple[tuple[Deck, Deck], Array]:
    """Return the deck lists of players 0 and 1, and the state."""
    known = cards_of(file.ruleset)
    hands, decks, lists = [], [], []
    for where in SIDES:
        side: SidePosition = getattr(file, where)
        listed = _listed(side, known, read, file.ruleset, where)
        hand, deck = dealt(side, known, () if listed is None else listed.cards, file.seed, where)
        hands.append(hand)
        decks.append(deck)
        lists.append(listed)
    state = place(file, hands, decks)
    whole = [_shown(file, state, k) if listed is None else listed
             for k, listed in enumerate(lists)]
    mine, theirs = whole
    return ((mine, theirs) if file.player == 0 else (theirs, mine)), state


def _listed(side: SidePosition, known: Cards, read: Callable[[str], Deck], ruleset: str,
            where: str) -> Deck | None:
    """Return the deck list that a side names; None if it names none."""
    hero, name = side.hero_class.upper(), side.deck_name
    if side.deck_list is None:
        return None
    if isinstance(side.deck_list, str):
        found = read(side.deck_list)
        if found.hero != hero:
            raise DeckError(f"{where}.deck_list: the deck {found.name} is a {found.hero.title()}'s,"
                            f" but the class is {side.hero_class}")
        try:
            refuse_foreign([found], ruleset)
        except DeckError as error:
            raise DeckError(f"{where}.deck_list: {error}") from None
        return Deck(name or found.name, hero, found.cards)
    ids = [known.id(word, f"{where}.deck_list", Kind.MINION, Kind.SPELL, Kind.WEAPON)
           for word in many(side.deck_list, f"{where}.deck_list")]
    if len(ids) > MOST_CARDS:
        raise DeckError(f"{where}.deck_list has {len(ids)} cards, but may have {MOST_CARDS}")
    return Deck(name or side.hero_class, hero, tuple(ids))


def _shown(file: PositionFile, state: Array, k: int) -> Deck:
    """Return the cards of a side's deck, hand and secrets that decks can hold, as its deck list."""
    side: SidePosition = getattr(file, SIDES[k])
    s = state[0]["side"][file.player if k == 0 else 1 - file.player]
    known = cards(file.ruleset)
    names = list(known)
    numbers = [*(int(one) & CARD_MASK for one in s["deck"][:int(s["n_deck"])]),
               *(int(one["card"]) for one in s["hand"][:int(s["n_hand"])]),
               *(int(one["card"]) for one in s["secret"][:int(s["n_secrets"])])]
    ids = tuple(names[number - 1] for number in numbers if known[names[number - 1]].collectible)
    return Deck(side.deck_name or side.hero_class, side.hero_class.upper(), ids[:MOST_CARDS])


def _word(known: Cards, id: str) -> str:
    return known.word(known.numbers[id])


def saved_start(data: Mapping[str, Any], decks: tuple[Deck, Deck]) -> Position:
    """Return the position at which a saved game began. Raises GameError unless it fits the rest."""
    def unnamed(name: str) -> Deck:
        raise GameError("the saved game is damaged: its position names a deck")

    start = Position(data["position"], "the saved game's position", unnamed)
    state = start.state[0]
    for name, found in (("ruleset", start.ruleset), ("decks", start.decks),
                        ("max_turns", int(state["max_turns"])), ("seed", int(state["rng"]))):
        if found != (decks if name == "decks" else data[name]):
            raise GameError(f"the saved game is damaged: its position has other {name}")
    return start
