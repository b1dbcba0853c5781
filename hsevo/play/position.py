"""A position: a game at one moment, as a file that people can write, read and change.

    Position.read("mine.json"), position.write("mine.json")
    Position(data)                  from the same as data
    Position.of(state, ruleset)     of a game
    position.state, .decks          what the engine plays on from
    describe(state, ruleset)        a state of the engine as data (config/position.py)

`describe` leaves out values that would be the same without being given. `placing.place` makes the
same state of the data, except for what no later move depends on: which slots of the record minions
have, what the last attack was, and what has been seen of closed deck lists.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeAlias

from hsevo.cards.decks import Deck, read_deck, refuse_foreign
from hsevo.cards.ops import Op
from hsevo.cards.tables import cards
from hsevo.cards.terms import Class, Counter, Keyword, Shift
from hsevo.config import as_plain
from hsevo.config.position import FORMAT, PositionFile, SidePosition
from hsevo.config.reading import check
from hsevo.engine.record.codec import (
    AGAIN,
    BONUS,
    CARD_MASK,
    CHEAPER,
    HERO,
    MAX_BONUS,
    OWNER,
    RATTLE_ONLY,
    SEATS,
    Moment,
)
from hsevo.engine.record.state import ECHOING, MAX_MANA, RUNNING, Phase
from hsevo.engine.view.kept import kept_in_hand, records, together
from hsevo.engine.view.show import taught_spells
from hsevo.errors import ConfigError, DeckError, GameError, HsevoError, printable
from hsevo.files import read_json, write_whole
from hsevo.play import placing
from hsevo.play.card_words import HOLDABLE, Cards, cards_of
from hsevo.play.games import refuse_blank
from hsevo.play.pending import describe_pending
from hsevo.play.placing import (
    BORROWED,
    COUNTERS,
    KEYWORDS,
    MOMENTS,
    RULES,
    SIDES,
    dealt,
    lookahead_seed,
    many,
    place,
)
from hsevo.types import Array

Plain: TypeAlias = dict[str, Any]
MAX_TURNS = 89


def describe(state: Array, ruleset: str) -> Plain:
    """Return a state, STATE (1,), of a running game as a position."""
    g, describing = state[0], _Describing(state[0], ruleset)
    turn, me = int(g["turn"]), int(g["me"])
    own = lookahead_seed(int(g["rng"]))
    return {"format": FORMAT, "ruleset": ruleset} | _but({"turn": 0}, turn=turn) | _but(
        {"player": 0, "max_turns": MAX_TURNS, "seed": 0, "lookahead_seed": own, "ordered": False},
        player=me, max_turns=int(g["max_turns"]), seed=int(g["rng"]),
        lookahead_seed=int(g["lookahead_rng"]), ordered=bool(g["ordered"])) | {
        "next_uid": int(g["next_uid"])} | describe_pending(state, ruleset) | {
        "me": describing.side(me), "opponent": describing.side(1 - me)}


def _but(usual: Mapping[str, Any], **fields: Any) -> Plain:
    """Return values without those that are the defaults."""
    return {name: value for name, value in fields.items()
            if name not in usual or usual[name] != value}


def short(entry: Plain) -> Any:
    """Return an entry, or its card alone if nothing else is said of it."""
    return entry["card"] if [*entry] == ["card"] else entry


class _Describing:
    """Describes the sides of one state."""

    def __init__(self, g: Any, ruleset: str) -> None:
        self.g, self.ruleset, self.cards = g, ruleset, cards_of(ruleset)

    def side(self, player: int) -> Plain:
        s, hero = self.g["side"][player], self.g["char"][SEATS * player + HERO]
        cls = Class(int(s["cls"]))
        return ({"class": cls.name.lower()} | self._hero(player, s, hero) | self._mana(player, s)
                | self._power(s, hero) | self._cards(player, s) | self._counts(player, s))

    def _hero(self, player: int, s: Any, hero: Any) -> Plain:
        own, whole = self.cards.tables["hero"][int(s["cls"])], self.cards.table[int(hero["card"])]
        return {"health": int(hero["health"])} | _but(
            {"max_health": max(int(whole["health"]), int(hero["health"])), "armor": 0, "attack": 0,
             "attacks": 0, "words": [], "hero": self.cards.word(int(own)),
             "hero_uid": 1 + player, "hero_texts": []},
            max_health=int(hero["max_health"]), armor=int(s["armor"]),
            attack=int(hero["turn_attack"]), attacks=int(hero["attacks"]),
            words=_words(int(hero["keywords"]), KEYWORDS),
            hero=self.cards.word(int(hero["card"])), hero_uid=int(hero["uid"]),
            hero_texts=self._texts(player, hero))

    def _mana(self, player: int, s: Any) -> Plain:
        later = player != int(self.g["me"])
        usual = min((int(self.g["turn"]) + 1 - later) // 2, MAX_MANA)
        crystals, locked = int(s["crystals"]), int(s["locked"])
        return _but({"crystals": usual, "locked": 0, "owed": 0, "mana": crystals - locked},
                    crystals=crystals, mana=int(s["mana"]), locked=locked, owed=int(s["overload"]))

    def _power(self, s: Any, hero: Any) -> Plain:
        own = self.cards.word(placing.power(self.ruleset, int(hero["card"]), int(s["cls"])))
        return _but({"power": own, "power_used": 0}, power=self.cards.word(int(s["power"])),
                    power_used=int(s["power_used"]))

    def _cards(self, player: int, s: Any) -> Plain:
        board = [self._minion(player, int(slot)) for slot in s["row"][:int(s["minions"])]]
        hand = [self._held(player, s, i) for i in range(int(s["n_hand"]))]
        secrets = [{"card": self.cards.word(int(secret["card"])), "uid": int(secret["uid"])}
                   for secret in s["secret"][:int(s["n_secrets"])]]
        deck = [self._in_deck(s, i) for i in reversed(range(int(s["n_deck"])))]
        thrown = self.g["aside"][:int(self.g["n_aside"])] if player == int(self.g["me"]) else []
        return _but({"weapon": None, "secrets": [], "quest": None, "dormant": [],
                     "thrown_back": []},
                    weapon=self._weapon(s), secrets=secrets, quest=self._quest(s),
                    dormant=self._dormant(player, s), board=board, hand=hand,
                    thrown_back=[self.cards.word(int(card)) for card in thrown], deck=deck)

    def _quest(self, s: Any) -> Plain | None:
        if not s["quest"]:
            return None
        return {"card": self.cards.word(int(s["quest"])), "uid": int(s["quest_uid"])} | _but(
            {"progress": 0}, progress=int(s["counter"][Counter.QUEST_PROGRESS]))

    def _dormant(self, player: int, s: Any) -> list[Plain]:
        slots = self.g["char"][SEATS * player:][:HERO] if s["dormant"] else ()
        return [{"card": self.cards.word(int(c["card"])), "uid": int(c["uid"])}
                | _but({"progress": 0}, progress=int(c["attacks"]))
                for c in slots if self.cards.table[int(c["card"])]["dormant"]]

    def _minion(self, player: int, slot: int) -> Plain:
        c = self.g["char"][SEATS * player + slot]
        card = self.cards.table[int(c["card"])]
        silenced = bool(int(c["keywords"]) & Keyword.SILENCED)
        new = placing.new_minion(card, self.g["side"][player]["counter"], silenced)
        printed = new.attack + int(c["aura_attack"]) + int(c["turn_attack"])
        whole = new.health + int(c["aura_health"])
        most = int(c["max_health"])
        own, keywords = int(c["keywords"]), new.keywords
        keeps = self.cards.does(int(c["card"]), Op.REMEMBER)
        return {"card": self.cards.word(int(c["card"])), **_but(
            {"attack": printed, "health": most, "max_health": whole, "gained": [], "lost": [],
             "attacks": 0, "attack_this_turn": 0, "spell_damage": 0, "texts": [],
             "remembers": None, "marks": 0, "borrowed": BORROWED[0]},
            attack=int(c["attack"]), health=int(c["health"]), max_health=most,
            gained=_words(own if silenced else own & ~keywords, KEYWORDS),
            lost=[] if silenced else _words(keywords & ~own, KEYWORDS),
            attacks=int(c["attacks"]), attack_this_turn=int(c["turn_attack"]),
            spell_damage=int(c["spell_damage"]), texts=self._texts(player, c),
            remembers=self._remembered(player, int(c["memory"]) if keeps else 0),
            marks=int(c["memory"]) if self.cards.does(int(c["card"]), Op.MARK) else 0,
            borrowed=BORROWED[int(c["borrowed"])]),
            "uid": int(c["uid"])}

    def _texts(self, player: int, c: Any) -> list[Any]:
        return self._attached(player, c["extra"].tolist())

    def _attached(self, player: int, texts: Iterable[int]) -> list[Any]:
        return [short({"card": self.cards.word(text & CARD_MASK), **_but(
            {"times": 1, "deathrattle": False, "of": "me"}, times=1 + (text >> AGAIN),
            deathrattle=bool(text & RATTLE_ONLY), of=_whose(player, text >> OWNER & 1))})
            for text in texts if text]

    def _kept(self, player: int, s: Any) -> list[Any]:
        """Return the minions in the deck that keep what they were given in play."""
        usual = {"bonus": [0, 0], "gained": [], "texts": []}
        return [short({"card": self.cards.word(record.card), **_but(
            usual, bonus=[record.attack, record.health], gained=_words(record.keywords, KEYWORDS),
            texts=self._attached(player, together(record.texts)))})
            for record in records(_later(s)) if not record.number]

    def _remembered(self, player: int, memory: int) -> Any:
        if not memory:
            return None
        return short({"card": self.cards.word(memory >> 1), **_but(
            {"of": "me"}, of=_whose(player, memory & 1))})

    def _held(self, player: int, s: Any, i: int) -> Any:
        held = s["hand"][i]
        marks, own = int(s["shifting"]) >> i, int(self.cards.table[int(held["card"])]["shifts"])
        card = int(held["card"])
        joined = int(held["joined"]) if held["joined"] <= CARD_MASK else 0
        mimics = self.cards.word(card) if self.cards.table[card]["mimics"] else None
        keywords, texts = kept_in_hand(int(held["joined"]), _later(s))
        kinds = {"shifting": Shift.AT_RANDOM, "copying": Shift.LIKE_ENEMY_HAND, "echo": ECHOING}
        return short({"card": self.cards.word(int(held["card"])), **_but(
            {"bonus": [0, 0], "discount": 0, "reflecting": False, "made": False, "joined": mimics,
             "taught": [], "gained": [], "texts": [],
             **{word: bool(own & k) for word, k in kinds.items()}},
            bonus=[int(held["attack"]), int(held["health"])], discount=-int(held["cost"]),
            reflecting=bool(int(s["reflecting"]) >> i & 1),
            made=bool(int(s["made"]) >> i & 1),
            joined=self.cards.word(joined) if joined else None,
            taught=[self.cards.word(spell)
                    for spell in taught_spells(card, int(held["joined"]), self.ruleset)],
            gained=_words(keywords, KEYWORDS), texts=self._attached(player, together(texts)),
            **{word: bool(marks & k) for word, k in kinds.items()})})

    def _in_deck(self, s: Any, i: int) -> Any:
        entry = int(s["deck"][i])
        return short({"card": self.cards.word(entry & CARD_MASK), **_but(
            {"bonus": 0, "discount": 0, "unseen": False, "free": False,
             "priced": False, "leveled": False},
            bonus=entry >> BONUS & MAX_BONUS, discount=entry >> CHEAPER,
            unseen=bool(int(s["unseen"]) >> i & 1), free=bool(int(s["free"]) >> i & 1),
            priced=bool(int(s["priced"]) >> i & 1),
            leveled=bool(int(s["leveled"]) >> i & 1))})

    def _weapon(self, s: Any) -> Plain | None:
        if not s["weapon"]:
            return None
        card = self.cards.table[int(s["weapon"])]
        return {"card": self.cards.word(int(s["weapon"])), **_but(
            {"attack": int(card["attack"]) + int(s["weapon_aura"]),
             "durability": int(card["health"])},
            attack=int(s["weapon_attack"]), durability=int(s["durability"])),
            "uid": int(s["weapon_uid"])}

    def _counts(self, player: int, s: Any) -> Plain:
        dead = [grave & CARD_MASK for grave in s["dead"][:int(s["n_graves"])].tolist()
                for _ in range(1 + (grave >> BONUS))]
        died = [self.cards.word(card) for card in dead]
        played = [self.cards.word(entry & CARD_MASK)
                  for entry in s["recalled"][:int(s["n_recalled"])].tolist()
                  for _ in range(1 + (entry >> BONUS))]
        counters = {word: int(s["counter"][k]) for word, k in COUNTERS.items()
                    if s["counter"][k] != (s["power_used"] if k == Counter.POWERS_USED else 0)}
        board = [int(self.g["char"][SEATS * player + int(slot)]["card"])
                 for slot in s["row"][:int(s["minions"])]]
        later = [short({"card": self.cards.word(entry & CARD_MASK), **_but(
            {"when": "own turn end"}, when=_words(entry >> BONUS, MOMENTS, exact=True)[0])})
            for entry in _later(s) if entry >> BONUS < Moment.KEPT]
        usual = {"fatigue": 0, "jade": placing.jade(self.ruleset, board + dead), "played": 0,
                 "minions_played": 0, "died": [], "died_this_turn": 0, "counters": {}, "rules": [],
                 "replayable": [], "later": [], "kept": [], "opening_hand": []}
        opening = [self.cards.word(card) for card in s["opening"].tolist() if card]
        return _but(usual, fatigue=int(s["fatigue"]), jade=int(s["jade"]), totems=int(s["totems"]),
                    played=int(s["played"]), minions_played=int(s["minions_played"]), died=died,
                    died_this_turn=int(s["counter"][Counter.MINIONS_DIED]), counters=counters,
                    rules=_words(int(s["turn_rules"]), RULES), replayable=played, later=later,
                    kept=self._kept(player, s), opening_hand=opening)


def _later(s: Any) -> list[int]:
    return s["later"][:int(s["n_later"])].tolist()  # type: ignore[no-any-return]


def _whose(player: int, owner: int) -> str:
    return "me" if owner == player else "opponent"


def _words(bits: int, known: Mapping[str, int], exact: bool = False) -> list[str]:
    """Return the words for some bits; exact: for a value."""
    return [word for word, bit in known.items() if (bits == bit if exact else bits & bit)]


MOST_BYTES = 2**18  # of a file; those of games have some KB
MOST_CARDS = 60


class Position:
    """Hold a position, in which the player `me` of its data is to move.

    Parameters
    ----------
    data : mapping
        Data as described in the reference of positions (docs/pages/reference/position.md). The name
        of a card can replace its entry.
    where : str, default "the position"
        Name of the source, for error messages.
    decks : callable, optional
        Reads a `deck_list` that is a text, and returns a `hsevo.Deck`.

    Attributes
    ----------
    data : dict
        Data of the position.
    ruleset : str
        Version of cards and rules.
    player : int
        Player to move, 0 or 1.
    decks : tuple of Deck
        Deck lists of players 0 and 1.
    state : recarray of STATE, shape (1,)
        Record of the engine.

    Raises
    ------
    ConfigError
        If the data are invalid. The message has one line for each mistake.
    CardError
        If a ruleset or card is unknown or invalid.
    DeckError
        If a deck is unknown or invalid.

    Examples
    --------
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
            self.decks, self.state = _built(file, decks)
        except HsevoError as error:
            raise type(error)("\n".join(f"{where}: {line}"
                                        for line in str(error).split("\n"))) from None

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a position from a file.

        Parameters
        ----------
        path : str or Path
            JSON file.

        Returns
        -------
        Self
            The position.

        Raises
        ------
        ConfigError
            If the file is not a position, or the position is invalid.
        CardError
            If a ruleset or card is unknown or invalid.
        DeckError
            If a deck is unknown or invalid.
        """
        data = read_json(Path(path), MOST_BYTES, ConfigError, "not a position")
        return cls(data, printable(path))

    @classmethod
    def of(cls, state: Array, ruleset: str, decks: Sequence[Deck] = ()) -> Self:
        """Return the position of a state.

        Parameters
        ----------
        state : ndarray of STATE, shape (1,)
            Record of the engine.
        ruleset : str
            Version of cards and rules.
        decks : sequence of Deck, optional
            Deck lists of players 0 and 1.

        Returns
        -------
        Self
            The position.

        Raises
        ------
        GameError
            If the game is over, if more waits for a choice than a position can tell, or if the
            state is the limited information of a player.
        """
        refuse_blank(state)
        if state[0]["result"] != RUNNING:
            raise GameError("the game is over; a position needs a player who is to move")
        data, known, me = describe(state, ruleset), cards_of(ruleset), int(state[0]["me"])
        for side, player in ((data["me"], me), (data["opponent"], 1 - me)):
            if decks:
                side["deck_list"] = [_word(known, id) for id in decks[player].ids]
                side["deck_name"] = decks[player].name
        return cls(data)

    def write(self, path: str | Path) -> Path:
        """Write the position to a file.

        Parameters
        ----------
        path : str or Path
            JSON file.

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        RunError
            If the file cannot be written.
        """
        write_whole(Path(path), self.text.encode())
        return Path(path)

    @property
    def phase(self) -> str:
        """Type of the decision: "mulligan", "choice" or "play"."""
        known = {int(Phase.PLAY): "play", int(Phase.CHOICE): "choice"}
        return known.get(int(self.state[0]["pending"]), "mulligan")

    def refuse_open(self, what: str) -> None:
        """Raise GameError if the position is in a mulligan or a choice, which `what` can't use.

        Parameters
        ----------
        what : str
            What the position is for, as in "an analysis".

        Raises
        ------
        GameError
            If the position is in a mulligan or a choice.
        """
        if self.phase != "play":
            raise GameError(f"the position is in a {self.phase}, but {what} needs a player who can"
                            " make any move of a turn")

    @property
    def text(self) -> str:
        """Content of its file: JSON, with one line for each key, entry of a board, hand or deck."""
        return json.dumps(self.data, indent=1, ensure_ascii=False) + "\n"

    def __eq__(self, other: object) -> bool:
        return (self.state.tobytes() == other.state.tobytes() and self.decks == other.decks
                if isinstance(other, Position) else NotImplemented)

    def __hash__(self) -> int:
        return hash(self.state.tobytes())

    def __str__(self) -> str:
        mine, theirs = (self.decks[k].hero for k in (self.player, 1 - self.player))
        return f"{mine} to move against {theirs}, turn {int(self.state[0]['turn'])}, {self.ruleset}"

    def __repr__(self) -> str:
        return f"Position({self})"


def is_position(data: Any) -> bool:
    """Return whether data of a JSON file are, or were meant to be, a position."""
    return isinstance(data, dict) and (data.get("format") == FORMAT or (
        "format" not in data and not {*SIDES}.isdisjoint(data)))


def _built(file: PositionFile,
          read: Callable[[str], Deck]) -> tuple[tuple[Deck, Deck], Array]:
    """Return the deck lists of players 0 and 1, and the state."""
    known = cards_of(file.ruleset)
    hands, decks, lists = [], [], []
    for where in SIDES:
        side: SidePosition = getattr(file, where)
        listed = _listed(side, known, read, file.ruleset, where)
        hand, deck = dealt(side, known, () if listed is None else listed.ids, file.seed, where)
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
        deck = read(side.deck_list)
        if deck.hero_class != hero:
            raise DeckError(f"{where}.deck_list: the deck {deck.name} is of class {deck.hero}, but"
                            f" the class is {side.hero_class}")
        try:
            refuse_foreign([deck], ruleset)
        except DeckError as error:
            raise DeckError(f"{where}.deck_list: {error}") from None
        return Deck.of(name or deck.name, hero, deck.ids)
    ids = [known.id(word, f"{where}.deck_list", *HOLDABLE)
           for word in many(side.deck_list, f"{where}.deck_list")]
    if len(ids) > MOST_CARDS:
        raise DeckError(f"{where}.deck_list has {len(ids)} cards, but may have at most"
                        f" {MOST_CARDS}")
    return Deck.of(name or side.hero_class, hero, tuple(ids))


def _shown(file: PositionFile, state: Array, k: int) -> Deck:
    """Return the cards of a side's deck, hand and secrets that decks can hold, as its deck list."""
    side: SidePosition = getattr(file, SIDES[k])
    s = state[0]["side"][file.player if k == 0 else 1 - file.player]
    known = cards(file.ruleset)
    names = list(known)
    numbers = [*(int(number) & CARD_MASK for number in s["deck"][:int(s["n_deck"])]),
               *(int(card["card"]) for card in s["hand"][:int(s["n_hand"])]),
               *(int(card["card"]) for card in s["secret"][:int(s["n_secrets"])]),
               *(state[0]["aside"][:int(state[0]["n_aside"]) if k == 0 else 0].tolist())]
    ids = tuple(names[number - 1] for number in numbers if known[names[number - 1]].collectible)
    return Deck.of(side.deck_name or side.hero_class, side.hero_class.upper(), ids[:MOST_CARDS])


def _word(known: Cards, id: str) -> str:
    return known.word(known.numbers[id])


def saved_start(data: Mapping[str, Any], decks: tuple[Deck, Deck]) -> Position:
    """Return the position at which a saved game began. Raises GameError unless it fits the rest."""
    def unnamed(name: str) -> Deck:
        raise GameError("the saved game is damaged: its position names a deck")

    start = Position(data["position"], "the saved game's position", unnamed)
    state = start.state[0]
    for name, value in (("ruleset", start.ruleset), ("decks", start.decks),
                        ("max_turns", int(state["max_turns"])), ("seed", int(state["rng"]))):
        if value != (decks if name == "decks" else data[name]):
            raise GameError(f"the saved game is damaged: {name} of its position does not match")
    return start
