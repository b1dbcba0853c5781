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
    """A card. Instead of an object, you can write only the card's name or id."""

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
    """True if the text is only the Deathrattle of the card."""
    of: Literal["me", "opponent"] = "me"
    """Player who owns the text."""


class HeldCard(_OfCard):
    """A card in hand. You can write "2x Fireball" for two cards."""

    bonus: Pair = (0, 0)
    """Attack, and health or durability, above the printed values."""
    discount: Change = 0
    """Reduction of the printed cost. A value below 0 increases the cost. Cards in play can change
    the cost further."""
    shifting: bool = False
    """True if it becomes another card of the same type each turn (Shifter Zerus)."""
    copying: bool = False
    """True if it becomes a copy of a card in the opponent's hand each turn (Chameleos)."""
    echo: bool = False
    """True if it is a copy that leaves at the end of the turn (Echo)."""
    reflecting: bool = False
    """True if it becomes a copy of each card that its player plays (Shadow Reflection)."""
    joined: Word | None = None
    """The second Beast of a Zombeast, whose keywords the card also has (Deathstalker Rexxar)."""
    taught: Annotated[tuple[Word, ...], Field(max_length=2), Listed] = ()
    """The two spells that it casts when it is played (Drustvar Horror)."""
    gained: Words = ()
    """Keywords that it kept in the deck (Immortal Prelate)."""
    texts: Annotated[tuple[AttachedText, ...], Field(max_length=4), Listed] = ()
    """Texts of other cards that it kept in the deck."""
    made: bool = False
    """True if it did not start in the deck. Some quests count these cards."""


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
    """A minion in the deck that keeps the effects that it got in play. `deck` must contain it,
    too."""

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
    """A minion in play, as the board shows it."""

    attack: Annotated[int, Field(ge=-30_000, le=30_000)] | None = None
    """Its attack as shown, with auras. C'Thun includes the attack that its owner has collected.
    Default: the printed value with `bonus` and auras."""
    health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """Its health as shown. Default: `max_health`."""
    max_health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """Its health without damage. Default: the printed value with `bonus` and auras, or `health` if
    it is higher."""
    damage: Number = 0
    """Missing health. Use it instead of `health`."""
    bonus: Pair = (0, 0)
    """Permanent changes of its attack and health, without auras. Use them instead of `attack` and
    `health`."""
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
    """`uid` of the minion that it destroys when it dies (Voodoo Doll)."""
    borrowed: Literal["no", "until the end of the turn", "with charge"] = "no"
    """Whether it returns to the other player at the end of the turn. Write "with charge" if it also
    had Charge before it changed sides."""
    uid: Uid | None = None
    """Its number. Minions that entered play later have higher numbers. Default: the numbers
    increase from left to right."""


class EquippedWeapon(_OfCard):
    """A weapon in play."""

    attack: Number | None = None
    """Its attack as shown, with auras. Default: the printed value with `bonus` and auras."""
    durability: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """Its durability. Default: the printed value with `bonus`."""
    bonus: Pair = (0, 0)
    """Changes of its attack and durability, without auras. Use them instead of `attack` and
    `durability`."""
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
    """Number of cards that its owner has played this turn while it was dormant."""


class LaterText(_OfCard):
    """A text that takes effect at the end of a turn, or a card that a text remembers."""

    when: Literal["own turn end", "turn end", "turn ending", "slain", "discarded", "played once",
                  "played twice", "played three times", "played four times", "spell now",
                  "spell last", "cast now", "upgraded", "upgrade"] = "own turn end"
    """Time of a text: at the end of its owner's turn, at the end of this turn, or now (turn
    ending). The other values mark cards that texts remember: minions that Frostmourne summons when
    it is destroyed (slain), minions that the player discarded, and minions that the player has
    played, for the quest that counts names (played once and so on). spell now marks spells that the
    player cast since the start of the player's latest turn, and spell last marks spells from the
    player's turn before that. cast now marks spells of the current turn. upgraded marks a Mech that
    died with upgrades, and upgrade marks its upgrades, which follow it in the list."""


class WaitingText(Section):
    """A step of play, or the rest of a text, that continues after a choice."""

    step: Word
    """A step of play: play minion, play spell, play weapon, use power or cast. Or a part of a text:
    play or combo."""
    row: Annotated[int, Field(ge=0, le=100)] = 0
    """Number of the next row of the text, from 0. hsevo/cards contains the rows of each card."""
    card: Word
    """The card that is being played."""
    text: Word | None = None
    """The card whose text it is, such as an option of Choose One. Default: `card`."""
    of: Literal["me", "opponent"] = "me"
    """The player of the card."""
    uid: Annotated[int, Field(ge=0, le=30_000)] = 0
    """`uid` of the minion that was played."""
    target: Annotated[int, Field(ge=0, le=30_000)] = 0
    """`uid` of the target."""
    amount: Bonus = 0
    """Mana paid, or the number that the text has counted."""
    left: Bonus = 0
    """Number of remaining repetitions."""
    horizon: Bonus = 0
    """Minions with this `uid` or a higher `uid` do not react to the play."""
    first: Bonus = 0
    """A number that the text remembers, such as the first choice of Kazakus."""
    second: Bonus = 0
    """A second number that the text remembers."""


class OpenChoice(Section):
    """An open choice. The player takes one of the cards offered, and the text continues."""

    card: Word
    """The card whose text offers cards. If it is a minion, the newest minion of this name in
    play."""
    offered: Annotated[tuple[Word, ...], Field(min_length=1, max_length=8), Listed]
    """The cards offered."""
    of: Literal["me", "opponent"] = "me"
    """The player of the card."""
    changed_sides: Annotated[tuple[Uid, ...], Field(max_length=14), Listed] = ()
    """`uid` of each minion that changed sides while the card was played."""
    waiting: Annotated[tuple[WaitingText, ...], Field(max_length=6), Listed] = ()
    """Steps that continue after the choice, in reverse order. Default: the rest of the text of
    `card`, and the steps of playing `card`."""


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
    """In a mulligan, cards that `me` has selected for exchange so far."""
    unknown_in_hand: Few = 0
    """Number of unknown cards in hand, which the seed draws from the deck."""
    deck: Annotated[tuple[DeckCard, ...], Field(max_length=60), Listed] | None = None
    """Cards left in the deck. Default: the cards of `deck_list` that the position does not show."""
    cards_left: Annotated[int, Field(ge=0, le=60)] | None = None
    """Number of cards left in the deck, which the seed draws. Default: all remaining cards."""
    deck_list: Text | Annotated[tuple[Word, ...], Field(max_length=60), Listed] | None = None
    """The deck at the start of the game: a name, file or code, or a list of its cards. Default: the
    cards in its deck and hand, and its secrets."""
    deck_name: Annotated[str, Field(max_length=100)] | None = None
    """Name of the deck in tables. Default: the name of its list, or the class."""
    opening_hand: Annotated[tuple[Word, ...], Field(max_length=4), Listed] = ()
    """Cards with which the player began the game, without The Coin (Hex Lord Malacrass)."""
    fatigue: Number = 0
    """Damage of the last draw from the empty deck."""
    jade: Annotated[int, Field(ge=0, le=100)] | None = None
    """Number of Jade Golems summoned in this game. Default: the size of the largest Jade Golem on
    the board or in `died`."""
    totems: Number | None = None
    """Number of Totems summoned in this game. Default: the Totems on the board and in `died`."""
    played: Number = 0
    """Number of cards played this turn."""
    minions_played: Number = 0
    """Number of minions played this turn."""
    died: Annotated[tuple[Word, ...], Field(max_length=400), Listed] = ()
    """Minions of this side that died in this game, in order. "2x Wisp" stands for two Wisps."""
    died_this_turn: Number = 0
    """Number of minions that died this turn. They are the last minions in `died`."""
    replayable: Annotated[tuple[Word, ...], Field(max_length=400), Listed] = ()
    """Cards played in this game that other cards repeat: cards with a Battlecry (Shudderwock), and
    cards of other classes (Tess Greymane)."""
    counters: dict[Word, Annotated[int, Field(ge=0, le=30_000)]] = Field(
        default={}, max_length=20)
    """Counters of card texts, for example spells cast, secrets played, powers used and cthun
    attack. Default: 0, and `power_used` for powers used."""
    rules: Words = ()
    """Rules for the rest of the turn, for example spells free."""
    later: Annotated[tuple[LaterText, ...], Field(max_length=20), Listed] = ()
    """Texts that take effect at the end of a turn, and cards that texts remember."""
    kept: Annotated[tuple[KeptMinion, ...], Field(max_length=6), Listed] = ()
    """Minions in the deck that keep the effects that they got in play (Immortal Prelate). They
    share a list of 20 places with `later`. A minion takes 3 places for attack and health, 2 more
    for keywords, and 1 for each text."""


class PositionFile(Section):
    """A position. `me` is the player to move, and `opponent` the other player."""

    format: Annotated[str, AfterValidator(_format)] = FORMAT
    """Type of the file."""
    ruleset: Ruleset = "cig2018"
    """The ruleset."""
    turn: Annotated[int, Field(ge=1, le=32_000)] | None = None
    """Number of the player turn, from 1. Default: the turn in which the first player has this
    number of `crystals`."""
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
    """Only in a mulligan: whether `me` is the first or the second player."""
    choice: OpenChoice | None = None
    """The choice that is open for `me`. Default: none."""
    me: SidePosition
    """The side of the player to move."""
    opponent: SidePosition
    """The side of the other player."""
