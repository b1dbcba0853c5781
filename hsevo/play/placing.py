"""Put a position that somebody described onto the table of the engine.

    dealt(side, ...)             the hand and the deck of a side, with what the seed deals
    place(file, hands, decks)    all of it as STATE (1,)

Numbers of minions and weapons are those that are shown on the table, so they are set after auras
were applied; where they are not given, they are what is printed, with what was given and auras.
Other values that are not given are as if the cards that are there had been played: `place` fills
them in, and `position.describe` leaves them out.
"""

from __future__ import annotations

import functools
from collections import Counter as Counted
from collections.abc import Iterable, Sequence
from itertools import count, groupby
from typing import Any, NamedTuple, TypeVar

import numpy as np

from hsevo.cards.decks import copies
from hsevo.cards.late import FIELDS, FIRST_COUNTER, WORDS
from hsevo.cards.ops import Op
from hsevo.cards.tables import cards, index, tables
from hsevo.cards.terms import Class, Counter, Keyword, Kind, Race, Rule, Shift
from hsevo.cards.vocabulary.model import Card, Row
from hsevo.config.position import (
    AttachedText,
    BoardMinion,
    DeckCard,
    HeldCard,
    PositionFile,
    SidePosition,
)
from hsevo.engine.game.setup import LOOKAHEAD_SALT
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import (
    AGAIN,
    BONUS,
    CARD_MASK,
    CHEAPER,
    HERO,
    OWNER,
    RATTLE_ONLY,
    SEATS,
    Moment,
    encode_taught,
)
from hsevo.engine.record.state import BOARD, DECK, ECHOING, GAME, HAND, MAX_MANA, NONE, STATE, TEXTS
from hsevo.engine.rules.deaths import MOST_TIMES
from hsevo.errors import CardError, ConfigError, DeckError, did_you_mean, quoted
from hsevo.play.card_words import HOLDABLE, Cards, cards_of
from hsevo.play.pending import place_pending
from hsevo.play.settling import settle_all
from hsevo.seeds import Stream, derive, mix
from hsevo.types import Array


class FreshMinion(NamedTuple):
    """A minion as it enters play, without auras."""

    attack: int
    health: int
    keywords: int


def new_minion(card: Any, counter: Any, silenced: bool) -> FreshMinion:
    """Return a minion that a player summons; card: its row of the tables, counter: the player's."""
    attack, health, keywords = (int(card[name]) for name in ("attack", "health", "keywords"))
    if silenced or not card["grows"]:
        return FreshMinion(attack, health, keywords)
    taunt = Keyword.TAUNT if counter[Counter.CTHUN_TAUNT] else 0
    return FreshMinion(attack + int(counter[Counter.CTHUN_ATTACK]),
                       health + int(counter[Counter.CTHUN_HEALTH]), keywords | taunt)


def jade(ruleset: str, seen: list[int]) -> int:
    """Return how many Jade Golems have been summoned, by the largest one in play or dead."""
    return max((_golems(ruleset).get(card, 0) for card in seen), default=0)


def power(ruleset: str, hero: int, cls: int) -> int:
    """Return the hero power of a hero of a class: its own, if it came into play with one."""
    return _powers(ruleset).get(hero, int(tables(ruleset)["power"][cls]))


@functools.lru_cache(maxsize=8)
def _golems(ruleset: str) -> dict[int, int]:
    """Return the sizes of the Jade Golems by table index."""
    number = index(ruleset)
    rows = (row for card in cards(ruleset).values() for row in _rows(card))
    ids = next((row.pool.cards for row in rows if row.op is Op.SUMMON_JADE and row.pool), ())
    return {number[id]: size for size, id in enumerate(ids, start=1)}


@functools.lru_cache(maxsize=8)
def _powers(ruleset: str) -> dict[int, int]:
    """Return the powers of the heroes that a text puts into play, by table index."""
    number, powers = index(ruleset), {}
    for card in cards(ruleset).values():
        named = {row.op: row.card for row in _rows(card)
                 if row.op in (Op.BECOME_HERO, Op.SET_POWER) and isinstance(row.card, str)}
        if len(named) == 2:
            powers[number[str(named[Op.BECOME_HERO])]] = number[str(named[Op.SET_POWER])]
        if card.power:
            powers[number[card.id]] = number[card.power]
    return powers


def _rows(card: Card) -> tuple[Row, ...]:
    return card.play + card.deathrattle


Entry = TypeVar("Entry", HeldCard, DeckCard)
SIDES = ("me", "opponent")
BORROWED = ("no", "until the end of the turn", "with charge")


def lookahead_seed(seed: int) -> int:
    """Return the seed of what agents draw, where none is given."""
    return int(mix(np.array([seed ^ int(LOOKAHEAD_SALT)], np.uint64))[0])


def words_to_bits(words: Iterable[str], bits: dict[str, int], where: str) -> int:
    """Return the sum of the bits that words name. Raises ConfigError."""
    mask = 0
    for word in words:
        if word.lower() not in bits:
            raise ConfigError(f"{where}: unknown word {quoted(word)}{did_you_mean(word, bits)};"
                              f" known are {', '.join(bits)}")
        mask |= bits[word.lower()]
    return mask


def bits_of(enum: Any) -> dict[str, int]:
    """Return the values of an enumeration by the words for them."""
    return {member.name.lower().replace("_", " "): int(member) for member in enum}


ASLEEP = "asleep"
KEYWORDS = {ASLEEP if bit == Keyword.FRESH else word: bit
            for word, bit in bits_of(Keyword).items()}
RULES, MOMENTS = bits_of(Rule), bits_of(Moment)
_KEYS = {"recalled": "replayable", "opening": "opening_hand"}  # of fields with other names
LATE_KEYWORDS, _LATE_RULES = (sum(kind[name] for name in WORDS[kind.__name__])
                               for kind in (Keyword, Rule))
# What texts count, except minions that died and the progress of quests, which have their own keys.
COUNTERS = {word: k for word, k in bits_of(Counter).items()
            if k not in (Counter.MINIONS_DIED, Counter.QUEST_PROGRESS)}


def many(words: Iterable[str], where: str) -> list[str]:
    """Return words with each "2x Wisp" twice. Raises ConfigError."""
    return [name for name, n in (_copies(word, where) for word in words) for _ in range(n)]


def many_cards(entries: Iterable[Entry], where: str) -> list[Entry]:
    """Return entries of cards with each "2x Fireball" twice. Raises ConfigError."""
    repeated: list[Entry] = []
    for entry in entries:
        name, n = _copies(entry.card, where)
        repeated += [entry.model_copy(update={"card": name})] * n
    return repeated


def _copies(word: str, where: str) -> tuple[str, int]:
    try:
        return copies(word)
    except DeckError as error:
        raise ConfigError(f"{where}: {error}") from None


def place(file: PositionFile, hands: Sequence[Any], decks: Sequence[Any]) -> Array:
    """Return a position as STATE (1,).

    hands, decks: of me and the opponent, HeldCard and DeckCard. Raises CardError, ConfigError.
    """
    placing = _Placing(file)
    for k, name in enumerate(SIDES):
        placing.side(k, getattr(file, name), hands[k], decks[k])
    for k, name in enumerate(SIDES):
        placing.board(k, getattr(file, name))
    placing.count_uids()
    place_pending(placing.states[0], file, file.ruleset)
    placing.refuse_late()
    placing.settle()
    for k, name in enumerate(SIDES):
        placing.show_health(k, getattr(file, name))
    placing.settle()
    for k, name in enumerate(SIDES):
        placing.show_attack(k, getattr(file, name))
    placing.settle()
    placing.check()
    return placing.states


class _Fields:
    """The fields of a record as attributes, in a tenth of the time of NumPy's own."""

    __slots__ = ("_row",)
    _row: Any

    def __init__(self, row: np.void) -> None:
        object.__setattr__(self, "_row", row)

    def __getattr__(self, name: str) -> Any:
        return self._row[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._row[name] = value

    __setitem__ = __setattr__


class _Placing:
    """A state that fills. Sides are numbered 0 (me) and 1 here, players as the file says."""

    def __init__(self, file: PositionFile) -> None:
        self.file, self.cards = file, cards_of(file.ruleset)
        plain = np.zeros(1, STATE)
        self.states = plain.view(np.recarray)
        self._game = _Fields(plain[0])
        self.named_uids = {uid for side in (file.me, file.opponent) for uid in (
            side.hero_uid, side.weapon and side.weapon.uid, *(minion.uid for minion in side.board),
            *(secret.uid for secret in side.secrets), side.quest and side.quest.uid,
            *(card.uid for card in side.dormant))}
        self.uids: list[int] = []
        self._free = (uid for uid in count(3) if uid not in self.named_uids)
        self._header(file)

    def player(self, k: int) -> int:
        """Return the number of the player of a side."""
        return self.file.player if k == 0 else 1 - self.file.player

    def _header(self, file: PositionFile) -> None:
        g, me = self._game, self.player(0)
        turn = file.turn or 2 * (MAX_MANA if file.me.crystals is None
                                 else max(file.me.crystals, 1)) - 1
        if file.mulligan:
            if file.turn or file.choice:
                raise ConfigError("mulligan: the game has no turn and no choice yet; leave out"
                                  f" {'turn' if file.turn else 'choice'}")
            turn = 0
        if turn > file.max_turns:
            raise ConfigError(f"turn is {turn}, but must be at most max_turns, {file.max_turns}")
        g.turn, g.max_turns, g.me = turn, file.max_turns, me
        begins = file.mulligan == "first" if file.mulligan else turn % 2 == 1
        g.first = me if begins else 1 - me
        g.rng = file.seed
        g.lookahead_rng = (lookahead_seed(file.seed) if file.lookahead_seed is None
                           else file.lookahead_seed)
        g.ordered = int(file.ordered)
        g.attacker = g.defender = g.last = NONE

    def uid(self, wanted: int | None) -> int:
        """Return the uid that is wanted, or the next free one. Raises ConfigError."""
        uid = wanted or next(self._free)
        if uid in self.uids:
            raise ConfigError(f"uid {uid} is given twice")
        self.uids.append(uid)
        return uid

    def count_uids(self) -> None:
        """Set the number of what comes into play next."""
        after = max(self.uids) + 1
        if self.file.next_uid is not None and self.file.next_uid < after:
            raise ConfigError(f"next_uid is {self.file.next_uid}, but must be at least {after}")
        self._game.next_uid = self.file.next_uid or after

    # -- one side ---------------------------------------------------------------------------

    def side(self, k: int, side: SidePosition, hand: Sequence[Any],
             deck: Sequence[DeckCard]) -> None:
        """Fill all of a side but its minions."""
        s, where = self._side(k), SIDES[k]
        self._numbers(k, s, side)
        self._hero(k, side)
        hero = int(self._char(k, HERO).card)
        s.power = (self.cards.number(side.power, f"{where}.power", Kind.POWER) if side.power
                   else power(self.file.ruleset, hero, int(s.cls)))
        self._listen(k, int(s.power))
        self._hand(s, hand, where)
        self._deck(s, deck, where)
        for i, secret in enumerate(side.secrets):
            id = self.cards.id(secret.card, f"{where}.secrets.{i}", Kind.SPELL)
            if not self.cards.known[id].secret:
                raise CardError(f"{where}.secrets.{i}: {self.cards.known[id].name} is no secret")
            if self.cards.numbers[id] in s.secret["card"][:i]:
                raise CardError(f"{where}.secrets: {self.cards.known[id].name} is there twice, but"
                                " a player can have only one copy of each secret")
            s.secret[i] = self.cards.numbers[id], self.uid(secret.uid)
        s.n_secrets = len(side.secrets)
        if side.quest:
            s.quest = self.cards.number(side.quest.card, f"{where}.quest", Kind.SPELL)
            if not self.cards.table[s.quest]["goal"]:
                raise CardError(f"{where}.quest: {side.quest.card} is no quest")
            if len(side.secrets) == len(s.secret):
                raise ConfigError(f"{where}.quest: {len(side.secrets)} secrets leave no room for a"
                                  " quest")
            s.quest_uid = self.uid(side.quest.uid)
            s.counter[Counter.QUEST_PROGRESS] = side.quest.progress
        self._weapon(s, side, where)
        self._graves(s, side, where)
        self._replayable(s, side, where)
        for i, word in enumerate(side.opening_hand):
            s.opening[i] = self.cards.number(word, f"{where}.opening_hand.{i}", *HOLDABLE)
        for i, text in enumerate(side.later):
            card = self.cards.number(text.card, f"{where}.later.{i}")
            s.later[i] = card + (MOMENTS[text.when] << BONUS)
        s.n_later = len(side.later)
        from hsevo.play.keeping import Keeping  # few positions come from people

        Keeping(self.cards, lambda words, place: words_to_bits(words, KEYWORDS, place),
                lambda text, place: self._text(k, text, place)).place(s, hand, side.kept, where)

    def _numbers(self, k: int, s: Any, side: SidePosition) -> None:
        turn, where = int(self._game.turn), SIDES[k]
        s.cls = Class[side.hero_class.upper()]
        s.crystals = min((turn + 1 - k) // 2, MAX_MANA) if side.crystals is None else side.crystals
        if side.locked > s.crystals:
            raise ConfigError(f"{where}.locked is {side.locked}, but must be at most crystals,"
                              f" {int(s.crystals)}")
        s.locked, s.overload = side.locked, side.owed
        s.mana = s.crystals - s.locked if side.mana is None else side.mana
        for name in ("fatigue", "armor", "played", "minions_played", "power_used"):
            s[name] = getattr(side, name)
        s.turn_rules = words_to_bits(side.rules, RULES, f"{where}.rules")
        s.counter[Counter.POWERS_USED] = side.power_used
        for name, n in side.counters.items():
            s.counter[words_to_bits([name], COUNTERS, f"{where}.counters")] = n
        seen = [self.cards.number(minion.card, f"{where}.board.{i}", Kind.MINION)
                for i, minion in enumerate(side.board)] + self._died(side, where)
        totems = sum(self.cards.table[card]["race"] == Race.TOTEM for card in seen)
        s.totems = totems if side.totems is None else side.totems
        s.jade = jade(self.file.ruleset, seen) if side.jade is None else side.jade

    def _hero(self, k: int, side: SidePosition) -> None:
        hero, where = self._char(k, HERO), SIDES[k]
        hero.card = (self.cards.number(side.hero, f"{where}.hero", Kind.HERO) if side.hero
                     else self.cards.tables["hero"][Class[side.hero_class.upper()]])
        hero.uid = self.uid(side.hero_uid or 1 + self.player(k))
        whole = int(self.cards.table[hero.card]["health"])
        health = min(whole, side.max_health or whole) if side.health is None else side.health
        most = max(whole, health) if side.max_health is None else side.max_health
        if health > most:
            raise ConfigError(f"{where}.health is {health}, but must be at most max_health, {most}")
        hero.health, hero.max_health = health, most
        hero.attack = hero.turn_attack = side.attack
        hero.attacks = side.attacks
        hero.keywords = words_to_bits(side.words, KEYWORDS, f"{where}.words")
        self._texts(hero, k, side.hero_texts, f"{where}.hero_texts")

    def _listen(self, k: int, power: int) -> None:
        """Give the hero the text of a hero power that listens, unless it has it already."""
        extra = self._char(k, HERO).extra
        there = [text & CARD_MASK for text in extra.tolist() if text]
        if self.cards.table[power]["n_triggers"] and power not in there and len(there) < TEXTS:
            extra[len(there)] = power + (self.player(k) << OWNER)

    def _hand(self, s: Any, hand: Sequence[Any], where: str) -> None:
        if len(hand) > HAND:
            raise ConfigError(f"{where}.hand has {len(hand)} cards, but must have at most {HAND}")
        shifting = reflecting = foreign = 0
        for i, card in enumerate(hand):
            number = self.cards.number(card.card, f"{where}.hand.{i}", *HOLDABLE)
            joined = self.cards.number(card.joined, f"{where}.hand.{i}", Kind.MINION, Kind.NONE) \
                if card.joined else self.cards.table[number]["mimics"]
            if card.taught:
                joined = self._taught(number, card.taught, f"{where}.hand.{i}.taught")
            s.hand[i] = number, -card.discount, *card.bonus, joined
            for marked, kind in ((card.shifting, Shift.AT_RANDOM), (card.echo, ECHOING),
                                 (card.copying, Shift.LIKE_ENEMY_HAND)):
                shifting |= (kind if marked else 0) << i
            reflecting |= int(card.reflecting) << i
            foreign |= int(card.made) << i
        s.n_hand, s.shifting = len(hand), shifting
        s.reflecting, s.made = reflecting, foreign

    def _taught(self, number: int, spells: Sequence[str], where: str) -> int:
        """Return `joined` of a card that was taught spells. Raises CardError, ConfigError."""
        tables = self.cards.tables
        row = tables["row"][self.cards.table[number]["play"]]
        if row["op"] != Op.CAST_TAUGHT or len(spells) != 2:
            raise ConfigError(f"{where}: only Drustvar Horror can be taught, and two spells")
        first, size = tables["pool"][row["pool"]].tolist()[:2]
        pool = tables["pooled"][first:first + size].tolist()
        numbers = [self.cards.number(word, where, Kind.SPELL) for word in spells]
        for word, spell in zip(spells, numbers, strict=True):
            if spell not in pool:
                raise CardError(f"{where}: {word} is not among the spells that it can be taught")
        return int(plain(encode_taught)(*map(pool.index, numbers)))

    def _deck(self, s: Any, deck: Sequence[DeckCard], where: str) -> None:
        if len(deck) > DECK:
            raise ConfigError(f"{where}.deck has {len(deck)} cards, but must have at most {DECK}")
        last_first = deck[::-1]  # the last is drawn next, if there is an order
        s.deck[:len(deck)] = [
            self.cards.number(card.card, f"{where}.deck", *HOLDABLE) + (card.bonus << BONUS)
            + (card.discount << CHEAPER) for card in last_first]
        s.unseen = sum(int(card.unseen) << i for i, card in enumerate(last_first))
        s.free = sum(int(card.free) << i for i, card in enumerate(last_first))
        s.leveled = sum(int(card.leveled) << i for i, card in enumerate(last_first))
        s.priced = sum(int(card.priced) << i for i, card in enumerate(last_first))
        s.n_deck = len(deck)

    def _weapon(self, s: Any, side: SidePosition, where: str) -> None:
        if side.weapon:
            s.weapon = self.cards.number(side.weapon.card, f"{where}.weapon", Kind.WEAPON)
            card = self.cards.table[s.weapon]
            more, longer = side.weapon.bonus
            _refuse_both(f"{where}.weapon", "bonus", more, attack=side.weapon.attack)
            _refuse_both(f"{where}.weapon", "bonus", longer, durability=side.weapon.durability)
            s.weapon_uid, s.weapon_attack = self.uid(side.weapon.uid), card["attack"] + more
            s.durability = side.weapon.durability or card["health"] + longer
            if s.durability < 1 or s.weapon_attack < 0:
                raise ConfigError(f"{where}.weapon: {side.weapon.card} would have"
                                  f" {int(s.weapon_attack)} attack and {int(s.durability)}"
                                  " durability")

    def _died(self, side: SidePosition, where: str) -> list[int]:
        return [self.cards.number(word, f"{where}.died", Kind.MINION)
                for word in many(side.died, f"{where}.died")]

    def _graves(self, s: Any, side: SidePosition, where: str) -> None:
        died = self._died(side, where)
        if side.died_this_turn > len(died):
            raise ConfigError(f"{where}.died_this_turn is {side.died_this_turn}, but only"
                              f" {len(died)} minions died in this game")
        before = len(died) - side.died_this_turn
        runs = [(card, len([*same])) for card, same in groupby(died[:before])]
        if len(runs) + side.died_this_turn > len(s.dead):  # their order has no room
            runs = [*Counted(died[:before]).items()]
        graves = [card + (times - 1 << BONUS) for card, n in runs
                  for times in [*[MOST_TIMES] * (n // MOST_TIMES),
                                *[n % MOST_TIMES] * (n % MOST_TIMES > 0)]] + died[before:]
        if len(graves) > len(s.dead):
            raise ConfigError(f"{where}.died names {len(graves)} different minions, but may name"
                              f" {len(s.dead)}")
        s.dead[:len(graves)], s.n_graves, s.n_dead = graves, len(graves), len(died)
        s.counter[Counter.MINIONS_DIED] = side.died_this_turn

    def _replayable(self, s: Any, side: SidePosition, where: str) -> None:
        played = Counted(self.cards.number(word, f"{where}.replayable")
                         for word in many(side.replayable, f"{where}.replayable"))
        entries = [card + (min(n, MOST_TIMES) - 1 << BONUS) for card, n in played.items()]
        if len(entries) > len(s.recalled):
            raise ConfigError(f"{where}.replayable names {len(entries)} different cards, but may"
                              f" name {len(s.recalled)}")
        s.recalled[:len(entries)], s.n_recalled = entries, len(entries)

    # -- minions ----------------------------------------------------------------------------

    def board(self, k: int, side: SidePosition) -> None:
        """Put a side's minions into play, as they are printed and with what was given for good."""
        s = self._side(k)
        for i, minion in enumerate(side.board):
            where = f"{SIDES[k]}.board.{i}"
            c = self._char(k, i)
            c.card = self.cards.number(minion.card, where, Kind.MINION)
            silenced = "silenced" in map(str.lower, minion.gained)
            new = new_minion(self.cards.table[c.card], s.counter, silenced)
            c.uid = self.uid(minion.uid)
            c.attack = new.attack + minion.bonus[0] + minion.attack_this_turn
            c.turn_attack = minion.attack_this_turn
            c.health = c.max_health = new.health + minion.bonus[1]
            c.keywords = self._keywords(minion, new.keywords, where)
            c.attacks, c.spell_damage = minion.attacks, minion.spell_damage
            c.borrowed = BORROWED.index(minion.borrowed)
            if minion.remembers:
                number = self.cards.number(minion.remembers.card, f"{where}.remembers")
                c.memory = 2 * number + self._owner(k, minion.remembers.of)
            if minion.marks:
                c.memory = minion.marks
            self._texts(c, k, minion.texts, f"{where}.texts")
            s.row[i] = i
            _refuse_both(where, "bonus", minion.bonus[0], attack=minion.attack)
            _refuse_both(where, "bonus", minion.bonus[1], health=minion.health,
                         max_health=minion.max_health)
            _refuse_both(where, "damage", minion.damage, health=minion.health)
        s.minions = len(side.board)
        if s.minions + len(side.dormant) > BOARD:
            raise ConfigError(f"{SIDES[k]}: {s.minions} minions and {len(side.dormant)} dormant"
                              f" cards are more than the {BOARD} places of the board")
        for i, card in enumerate(side.dormant, start=len(side.board)):
            where, c = f"{SIDES[k]}.dormant.{i - len(side.board)}", self._char(k, i)
            c.card = self.cards.number(card.card, where, Kind.MINION)
            if not self.cards.table[c.card]["dormant"]:
                raise CardError(f"{where}: {card.card} is not dormant")
            c.uid, c.attacks, c.keywords = self.uid(card.uid), card.progress, Keyword.IMMUNE
            c.health = c.max_health = self.cards.table[c.card]["health"]
        s.dormant = len(side.dormant)

    def _char(self, k: int, i: int) -> Any:
        return _Fields(self._game.char[SEATS * self.player(k) + i])

    def _side(self, k: int) -> Any:
        return _Fields(self._game.side[self.player(k)])

    def _owner(self, k: int, of: str) -> int:
        """Return the player that a side calls "me" or "opponent"."""
        return self.player(k) if of == "me" else 1 - self.player(k)

    def _keywords(self, minion: BoardMinion, printed: int, where: str) -> int:
        gained = words_to_bits(minion.gained, KEYWORDS, f"{where}.gained")
        lost = words_to_bits(minion.lost, KEYWORDS, f"{where}.lost")
        if both := [word for word, bit in KEYWORDS.items() if gained & lost & bit]:
            raise ConfigError(f"{where}: {both[0]} is both gained and lost; give only one")
        return (0 if gained & Keyword.SILENCED else printed & ~lost) | gained

    def _texts(self, c: Any, k: int, texts: Sequence[AttachedText], where: str) -> None:
        for i, text in enumerate(texts):
            c.extra[i] = self._text(k, text, f"{where}.{i}")

    def _text(self, k: int, text: AttachedText, where: str) -> int:
        """Return a text as a character has it (codec)."""
        return (self.cards.number(text.card, where) + (RATTLE_ONLY if text.deathrattle else 0)
                + (self._owner(k, text.of) << OWNER) + (text.times - 1 << AGAIN))

    # -- numbers as they are shown ----------------------------------------------------------

    def refuse_late(self) -> None:
        """Refuse what only cards of 2017 and later bring, in rulesets without them.

        Their engine has no code for it (engine/pruning.py). Raises ConfigError.
        """
        if self.cards.tables["late"]:
            return
        g = self.states.view(np.ndarray)[0]
        sides, chars = g["side"], g["char"]
        barred = [_KEYS.get(name, name) for name in sides.dtype.names or ()
                  if name in FIELDS and sides[name].any()
                  and not name.startswith("n_") and not name.endswith("_uid")]
        barred += [word for word, k in COUNTERS.items()
                  if k >= FIRST_COUNTER and sides["counter"][:, k].any()]
        barred += [word for word, bit in KEYWORDS.items()
                  if bit & LATE_KEYWORDS and (chars["keywords"] & bit).any()]
        barred += [word for word, bit in RULES.items()
                  if bit & _LATE_RULES and (sides["turn_rules"] & bit).any()]
        barred += ["gained, texts or joined"] * bool(sides["hand"]["joined"].any())
        moments = {entry >> BONUS for side in sides
                   for entry in side["later"][:side["n_later"]].tolist()}
        barred += ["later or kept"] * (max(moments, default=0) > Moment.TURN_ENDING)
        if barred:
            raise ConfigError(f"{', '.join(barred)}: no card of ruleset {self.file.ruleset} does"
                              " this; for cards of 2017 and later, choose ruleset rise2019")

    def settle(self) -> None:
        """Apply auras, and find who listens."""
        settle_all(self.states, self.cards.tables, np.zeros(1, GAME).view(np.recarray))

    def show_health(self, k: int, side: SidePosition) -> None:
        """Give the minions the health that is shown."""
        for i, minion in enumerate(side.board):
            c = self._char(k, i)
            if minion.max_health is not None:
                c.max_health = minion.max_health
            if minion.health is not None:
                if minion.health > (minion.max_health or minion.health):
                    raise ConfigError(f"{SIDES[k]}.board.{i}.health is {minion.health}, but must be"
                                      f" at most max_health, {minion.max_health}")
                c.max_health = max(int(c.max_health), minion.health)
            c.health = (int(c.max_health) - minion.damage if minion.health is None
                        else minion.health)
            if c.health < 1:
                raise ConfigError(f"{SIDES[k]}.board.{i}: {minion.card} would have {int(c.health)}"
                                  " health, but must have at least 1")

    def show_attack(self, k: int, side: SidePosition) -> None:
        """Give the minions and the weapon the attack that is shown."""
        for i, minion in enumerate(side.board):
            if minion.attack is not None:
                self._char(k, i).attack = minion.attack
        if side.weapon and side.weapon.attack is not None:
            self._side(k).weapon_attack = side.weapon.attack

    def check(self) -> None:
        """Raise ConfigError if auras leave a minion without health."""
        for k, side in enumerate((self.file.me, self.file.opponent)):
            for i, minion in enumerate(side.board):
                if self._char(k, i).health < 1:
                    raise ConfigError(f"{SIDES[k]}.board.{i}: {minion.card} has no health here")


def _refuse_both(where: str, key: str, amount: int, **others: int | None) -> None:
    """Raise ConfigError if another key says the same as the amount of `key`, which is not 0."""
    for name, value in others.items():
        if amount and value is not None:
            raise ConfigError(f"{where}: {key} and {name} are both given; give only one")


def dealt(side: SidePosition, known: Cards, deck_list: Sequence[str], seed: int,
          where: str) -> tuple[list[Any], list[DeckCard]]:
    """Return the hand and the deck of a side, with what the seed deals.

    deck_list: ids of the deck as the game began. Raises ConfigError, CardError.
    """
    hand = many_cards(side.hand, f"{where}.hand")
    if side.deck is not None:
        deck = many_cards(side.deck, f"{where}.deck")
    else:
        deck = [DeckCard(card=id) for id in _unshown(side, hand, known, deck_list, where)]
    if not side.unknown_in_hand and side.cards_left in (None, len(deck)):
        return hand, deck
    need = side.unknown_in_hand + (side.cards_left or 0)
    if need > len(deck):
        raise ConfigError(f"{where}: {side.unknown_in_hand} more cards in hand and"
                          f" {side.cards_left or 0} in the deck make {need}, but only {len(deck)}"
                          " cards are known to be left; give deck, or a deck_list")
    order = np.argsort(derive((seed, Stream.SAMPLE, SIDES.index(where)), np.arange(len(deck))))
    taken, rest = order[:side.unknown_in_hand], sorted(order[side.unknown_in_hand:])
    hand += [_held(deck[i], known, where) for i in taken]
    if side.cards_left is not None:
        rest = sorted(order[side.unknown_in_hand:need])
    return hand, [deck[i] for i in rest]


def _held(card: DeckCard, known: Cards, where: str) -> HeldCard:
    """Return a card of a deck as it is in hand, with what it was given (as zones.py draws it)."""
    printed = known.known[known.id(card.card, f"{where}.deck", *HOLDABLE)]
    minion, more = printed.kind is Kind.MINION, printed.health - printed.attack
    attack = card.bonus + (more if card.leveled else 0)
    return HeldCard(card=card.card, bonus=(attack, card.bonus if minion else 0),
                    discount=printed.cost if card.free
                    else card.discount)


def _unshown(side: SidePosition, hand: Sequence[Any], known: Cards, deck_list: Sequence[str],
             where: str) -> list[str]:
    """Return the cards of a list that a position does not show."""
    groups = {"hand": hand, "board": side.board, "secrets": side.secrets,
              "weapon": [side.weapon] if side.weapon else []}
    shown = Counted(known.id(entry.card, f"{where}.{name}.{i}", *HOLDABLE)
                    for name, group in groups.items() for i, entry in enumerate(group))
    shown.update(known.id(word, f"{where}.thrown_back", *HOLDABLE) for word in side.thrown_back)
    died = f"{where}.died"
    shown.update(known.id(word, died, Kind.MINION) for word in many(side.died, died))
    left = []
    for id in deck_list:
        if shown[id] > 0:
            shown[id] -= 1
        else:
            left.append(id)
    return left
