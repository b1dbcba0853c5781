"""A position as people write it, key by key: the model of a position's JSON file.

Names of cards, keywords and decks are texts here; hsevo/play/placing.py knows what they mean.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from hsevo.config.models import Listed, Ruleset, Section, Seed, Text

FORMAT = "hsevo position"
Word = Annotated[str, Field(min_length=1, max_length=100)]
Words = Annotated[tuple[Word, ...], Field(max_length=40), Listed]
Few = Annotated[int, Field(ge=0, le=10)]
Number = Annotated[int, Field(ge=0, le=30_000)]  # health, attack: as high as the engine goes
Change = Annotated[int, Field(ge=-1_000, le=1_000)]
Bonus = Annotated[int, Field(ge=-30_000, le=30_000)]  # as far as effects go in the engine
Pair = Annotated[tuple[Bonus, Bonus], Listed]  # attack, and health or durability
KeptBonus = Annotated[int, Field(ge=-63, le=4_031)]  # engine/rules/kept.py
Uid = Annotated[int, Field(ge=1, le=30_000)]


def _lower(text: Any) -> Any:
    return text.lower() if isinstance(text, str) else text


def _format(text: str) -> str:
    if text != FORMAT:
        raise ValueError(f"must be '{FORMAT}'")
    return text


HeroClass = Annotated[Literal["druid", "hunter", "mage", "paladin", "priest", "rogue", "shaman",
                              "warlock", "warrior"], BeforeValidator(_lower)]


class _OfCard(Section):
    """A card. You can write only its name or id."""

    card: Word
    """The card's name or id."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, entry: Any) -> Any:
        if not isinstance(entry, str | dict | _OfCard):
            raise ValueError("must be the name of a card, or an object with the key card")
        return {"card": entry} if isinstance(entry, str) else entry


class AttachedText(_OfCard):
    """Another card's text on a character."""

    times: Annotated[int, Field(ge=1, le=8)] = 1
    """Number of copies of the text."""
    deathrattle: bool = False
    """True if it is only the card's Deathrattle."""
    of: Literal["me", "opponent"] = "me"
    """Player who owns the text."""


class HeldCard(_OfCard):
    """A card in hand. You can write "2x Fireball" for two cards."""

    bonus: Pair = (0, 0)
    """Attack, and health or durability, above the printed values."""
    discount: Change = 0
    """Reduction of the printed cost. A value below 0 increases the cost. Rules of cards in play
    also apply."""
    shifting: bool = False
    """True if it becomes another card of its kind each turn (Shifter Zerus)."""
    copying: bool = False
    """True if it becomes a card of the opponent's hand each turn (Chameleos)."""
    echo: bool = False
    """True if it is a copy that leaves at the end of the turn (Echo)."""
    reflecting: bool = False
    """True if it becomes a copy of each card that its player plays (Shadow Reflection)."""
    joined: Word | None = None
    """A second Beast, whose keywords it has as well (a Zombeast of Deathstalker Rexxar)."""
    taught: Annotated[tuple[Word, ...], Field(max_length=2), Listed] = ()
    """The two spells that it casts when it is played (Drustvar Horror)."""
    gained: Words = ()
    """Keywords that it kept in the deck (Immortal Prelate)."""
    texts: Annotated[tuple[AttachedText, ...], Field(max_length=4), Listed] = ()
    """Texts of other cards that it kept in the deck."""
    made: bool = False
    """True if it did not start in the deck, which quests ask for."""


class DeckCard(_OfCard):
    """A card in a deck. You can write "2x Fireball" for two cards."""

    bonus: Annotated[int, Field(ge=0, le=15)] = 0
    """Attack and health above the printed values. For a weapon, only attack."""
    discount: Annotated[int, Field(ge=0, le=1)] = 0
    """1 if it costs 1 less."""
    free: bool = False
    """True if it costs 0."""
    priced: bool = False
    """True if it costs 1 (Luna's Pocket Galaxy)."""
    leveled: bool = False
    """True if its attack was set to its health (Lady in White)."""
    unseen: bool = False
    """True if even its owner has not seen it enter the deck."""


class KeptMinion(_OfCard):
    """A minion in the deck that keeps what it was given in play. The deck must list it, too."""

    bonus: Annotated[tuple[KeptBonus, KeptBonus], Listed] = (0, 0)
    """Attack and health above the printed values."""
    gained: Words = ()
    """Keywords in addition to the printed ones."""
    texts: Annotated[tuple[AttachedText, ...], Field(max_length=4), Listed] = ()
    """Texts of other cards."""


class Remembered(_OfCard):
    """A minion that this minion's text remembers, for example to return it on death."""

    of: Literal["me", "opponent"] = "me"
    """Player who had the minion."""


class BoardMinion(_OfCard):
    """A minion in play, as it is shown on the table."""

    attack: Annotated[int, Field(ge=-30_000, le=30_000)] | None = None
    """Its attack as shown, with auras. C'Thun includes the attack that its owner has collected.
    Default: the printed value with `bonus` and auras."""
    health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """Its health as shown. Default: `max_health`."""
    max_health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """Its health without damage. Default: the printed value with `bonus` and auras, or `health` if
    it is higher."""
    damage: Number = 0
    """Missing health, as an alternative to health."""
    bonus: Pair = (0, 0)
    """Attack and health that it was given permanently, without auras, as an alternative to attack
    and health."""
    gained: Words = ()
    """Keywords in addition to the printed ones, for example taunt, divine shield, stealth, frozen,
    silenced (which removes the printed ones) or asleep (it entered play this turn)."""
    lost: Words = ()
    """Printed keywords that it has lost, for example a divine shield."""
    attacks: Few = 0
    """Number of its attacks this turn."""
    attack_this_turn: Change = 0
    """Part of its attack that ends with the turn."""
    spell_damage: Annotated[int, Field(ge=0, le=100)] = 0
    """Spell Damage that it was given."""
    texts: Annotated[tuple[AttachedText, ...], Field(max_length=6), Listed] = ()
    """Texts of other cards that it was given."""
    remembers: Remembered | None = None
    """The minion that its text remembers."""
    marks: Uid | None = None
    """Number of the minion that it destroys when it dies (Voodoo Doll)."""
    borrowed: Literal["no", "until the end of the turn", "with charge"] = "no"
    """True if it returns at the end of the turn, or "with charge" if it also had Charge before."""
    uid: Uid | None = None
    """Its number. Later arrivals have higher numbers. Default: from left to right."""


class EquippedWeapon(_OfCard):
    """A weapon in play."""

    attack: Number | None = None
    """Its attack as shown, with auras. Default: the printed value with `bonus` and auras."""
    durability: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """Its durability. Default: the printed value with `bonus`."""
    bonus: Pair = (0, 0)
    """Attack and durability that it was given, without auras, as an alternative to attack and
    durability."""
    uid: Uid | None = None
    """Its number, as for minions."""


class LaidSecret(_OfCard):
    """A secret in play."""

    uid: Uid | None = None
    """Its number, as for minions."""


class OpenQuest(LaidSecret):
    """A quest in play."""

    progress: Annotated[int, Field(ge=0, le=100)] = 0
    """Its progress."""


class DormantCard(LaidSecret):
    """A dormant card on the board."""

    progress: Few = 0
    """Cards that its owner has played this turn since it lay dormant."""


class LaterText(_OfCard):
    """A text that takes effect at the end of a turn, or a minion that a weapon has slain."""

    when: Literal["own turn end", "turn end", "turn ending", "slain", "discarded", "played once",
                  "played twice", "played three times", "played four times", "spell now",
                  "spell last", "cast now", "upgraded", "upgrade"] = "own turn end"
    """At the end of its owner's turn, of this turn, or now, as the turn ends. Other words name
    cards that texts remember: minions that Frostmourne summons when it is destroyed, minions that
    the player discarded, and, for the quest that counts names, minions that the player has played.
    Spells now and last were played since the player's turn began and in its turn before that, and
    cast now were cast in this turn. A Mech that died upgraded is followed by its upgrades."""


class WaitingText(Section):
    """A step of play, or the rest of a text, that continues after a choice."""

    step: Word
    """A step of play: play minion, play spell, play weapon, use power or cast. Or a part of a text:
    play or combo."""
    row: Annotated[int, Field(ge=0, le=100)] = 0
    """Number of its next row, from 0. The rows are those of the card in hsevo/cards."""
    card: Word
    """The card that is being played."""
    text: Word | None = None
    """The card whose text it is, such as an option of Choose One. Default: `card`."""
    of: Literal["me", "opponent"] = "me"
    """The player of the card."""
    uid: Annotated[int, Field(ge=0, le=30_000)] = 0
    """Number of the minion that was played."""
    target: Annotated[int, Field(ge=0, le=30_000)] = 0
    """Number of the target."""
    amount: Bonus = 0
    """Mana paid, or the number that the text has counted."""
    left: Bonus = 0
    """Repetitions that are left."""
    horizon: Bonus = 0
    """Number from which on minions do not react to the play."""
    first: Bonus = 0
    """What the text remembers, such as the first choice of Kazakus."""
    second: Bonus = 0
    """What else the text remembers."""


class OpenChoice(Section):
    """An open choice. The player takes one of the cards offered, and the text continues."""

    card: Word
    """The card whose text offers cards. A minion is the newest one of this name in play."""
    offered: Annotated[tuple[Word, ...], Field(min_length=1, max_length=8), Listed]
    """The cards offered."""
    of: Literal["me", "opponent"] = "me"
    """The player of the card."""
    changed_sides: Annotated[tuple[Uid, ...], Field(max_length=14), Listed] = ()
    """Numbers of minions that changed sides while the card was played."""
    waiting: Annotated[tuple[WaitingText, ...], Field(max_length=6), Listed] = ()
    """What continues after the choice, the last first. Default: the rest of the text of `card`,
    and the steps of playing it."""


class SidePosition(Section):
    """The side of one player."""

    hero_class: HeroClass = Field(alias="class")
    """The class, for example mage or warrior."""
    health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """The hero's health. Default: the starting health, which is 30 for the hero of a class."""
    max_health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """The hero's maximum health. Default: the starting health, or `health` if it is higher."""
    armor: Number = 0
    """The hero's armor."""
    attack: Number = 0
    """The hero's attack in this turn, without its weapon."""
    attacks: Few = 0
    """Number of the hero's attacks this turn."""
    words: Words = ()
    """The hero's keywords, for example frozen or immune."""
    hero: Word | None = None
    """The hero's card. Default: the hero of the class."""
    hero_uid: Uid | None = None
    """The hero's number, as for minions. Default: 1 for player 0, and 2 for player 1."""
    hero_texts: Annotated[tuple[AttachedText, ...], Field(max_length=6), Listed] = ()
    """Texts that the hero was given for the turn."""
    power: Word | None = None
    """The hero power. Default: the power of the class, or of the hero card."""
    power_used: Annotated[int, Field(ge=0, le=1_000)] = 0
    """Number of uses of the hero power this turn."""
    crystals: Few | None = None
    """Mana crystals. Default: the number that the turn gives."""
    mana: Few | None = None
    """Remaining mana. Default: all crystals that are not locked."""
    locked: Few = 0
    """Crystals that Overload has locked this turn."""
    owed: Annotated[int, Field(ge=0, le=100)] = 0
    """Crystals that Overload will lock next turn."""
    weapon: EquippedWeapon | None = None
    """The weapon."""
    secrets: Annotated[tuple[LaidSecret, ...], Field(max_length=5), Listed] = ()
    """Secrets, oldest first. They trigger in the order in which they were played."""
    quest: OpenQuest | None = None
    """The open quest."""
    dormant: Annotated[tuple[DormantCard, ...], Field(max_length=7), Listed] = ()
    """Dormant cards on the board, which are no minions."""
    board: Annotated[tuple[BoardMinion, ...], Field(max_length=7), Listed] = ()
    """Minions from left to right."""
    hand: Annotated[tuple[HeldCard, ...], Field(max_length=10), Listed] = ()
    """Cards in hand, from left to right."""
    thrown_back: Annotated[tuple[Word, ...], Field(max_length=10), Listed] = ()
    """Cards that `me` has thrown back so far, in a mulligan."""
    unknown_in_hand: Few = 0
    """Number of other cards in hand. The seed draws them from the deck."""
    deck: Annotated[tuple[DeckCard, ...], Field(max_length=60), Listed] | None = None
    """Cards left in the deck. Default: the cards of `deck_list` that the position does not show."""
    cards_left: Annotated[int, Field(ge=0, le=60)] | None = None
    """Number of cards left. The seed chooses them. Default: all."""
    deck_list: Text | Annotated[tuple[Word, ...], Field(max_length=60), Listed] | None = None
    """The deck at the start of the game: a name, file or code, or a list of its cards. Default: the
    cards in its deck and hand, and its secrets."""
    deck_name: Annotated[str, Field(max_length=100)] | None = None
    """Name of the deck in tables. Default: the name of its list, or the class."""
    opening_hand: Annotated[tuple[Word, ...], Field(max_length=4), Listed] = ()
    """Cards with which the player began the game, without The Coin (Hex Lord Malacrass)."""
    fatigue: Number = 0
    """Damage of the last card that could not be drawn."""
    jade: Annotated[int, Field(ge=0, le=100)] | None = None
    """Jade Golems summoned in this game. Default: the size of the largest one on the board or among
    the dead."""
    totems: Number | None = None
    """Totems summoned in this game. Default: totems on the board or among the dead."""
    played: Number = 0
    """Cards played this turn."""
    minions_played: Number = 0
    """Minions played this turn."""
    died: Annotated[tuple[Word, ...], Field(max_length=400), Listed] = ()
    """Minions of this side that died in this game, in order. "2x Wisp" stands for two."""
    died_this_turn: Number = 0
    """Number of the last of these minions that died this turn."""
    replayable: Annotated[tuple[Word, ...], Field(max_length=400), Listed] = ()
    """Cards played in this game that texts ask for: cards with a Battlecry (Shudderwock), and
    cards of other classes (Tess Greymane)."""
    counters: dict[Word, Annotated[int, Field(ge=0, le=30_000)]] = Field(
        default={}, max_length=20)
    """Counters of card texts: spells cast, secrets played, powers used, cthun attack, and others.
    Default: 0, and for powers used, `power_used`."""
    rules: Words = ()
    """Rules for the rest of the turn, for example spells free."""
    later: Annotated[tuple[LaterText, ...], Field(max_length=20), Listed] = ()
    """Texts that take effect at the end of a turn, and cards that texts remember."""
    kept: Annotated[tuple[KeptMinion, ...], Field(max_length=6), Listed] = ()
    """Minions in the deck that keep what they were given in play (Immortal Prelate). They share a
    list of 20 places with `later`: attack and health take 3, keywords 2 more, and each text 1."""


class PositionFile(Section):
    """A position. `me` is the player to move, and `opponent` the other player."""

    format: Annotated[str, AfterValidator(_format)] = FORMAT
    """Type of the file."""
    ruleset: Ruleset = "cig2018"
    """The ruleset."""
    turn: Annotated[int, Field(ge=1, le=32_000)] | None = None
    """The player turn, from 1. Default: the turn in which the first player has this number of
    `crystals`."""
    player: Annotated[int, Field(ge=0, le=1)] = 0
    """Player number of `me`, 0 or 1."""
    max_turns: Annotated[int, Field(ge=1, le=32_000)] = 89
    """Player turns after which the game is a draw."""
    seed: Seed = 0
    """Seed of all random outcomes."""
    lookahead_seed: Seed | None = None
    """Seed of the agents' random draws. Default: derived from seed."""
    ordered: bool = False
    """True if the first card of a deck is the next card to be drawn."""
    next_uid: Uid | None = None
    """Number of the next object that enters play."""
    mulligan: Literal["first", "second"] | None = None
    """Set it in a mulligan of `me`: whether `me` is the first or the second player."""
    choice: OpenChoice | None = None
    """The choice that is open for `me`. Default: none."""
    me: SidePosition
    """The side of the player to move."""
    opponent: SidePosition
    """The side of the other player."""
