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
    """Something that is a card: its name, or its id, alone is enough."""

    card: Word
    """The card, by its name or id."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, given: Any) -> Any:
        if not isinstance(given, str | dict | _OfCard):
            raise ValueError("must be the name of a card, or an object with the key card")
        return {"card": given} if isinstance(given, str) else given


class HeldCard(_OfCard):
    """A card in hand; "2x Fireball" are two."""

    bonus: Pair = (0, 0)
    """Attack, and health or durability, beyond what is printed."""
    discount: Change = 0
    """How much less it costs than printed; below 0: more. Rules of cards in play count besides."""
    shifting: bool = False
    """Whether it becomes another minion each turn (Shifter Zerus)."""


class DeckCard(_OfCard):
    """A card in a deck; "2x Fireball" are two."""

    bonus: Annotated[int, Field(ge=0, le=15)] = 0
    """Attack and health beyond what is printed; of a weapon, attack alone."""
    discount: Annotated[int, Field(ge=0, le=1)] = 0
    """1: it costs 1 less."""
    unseen: bool = False
    """Whether not even its owner has seen it go in."""


class AttachedText(_OfCard):
    """The text of another card that was given to a character."""

    times: Annotated[int, Field(ge=1, le=8)] = 1
    """How often."""
    deathrattle: bool = False
    """Whether it is the card's Deathrattle alone."""
    of: Literal["me", "opponent"] = "me"
    """Whose text it is."""


class Remembered(_OfCard):
    """The minion that a text of this one remembers, as to return it when this one dies."""

    of: Literal["me", "opponent"] = "me"
    """Who had it."""


class BoardMinion(_OfCard):
    """A minion in play, as it is shown on the table."""

    attack: Annotated[int, Field(ge=-30_000, le=30_000)] | None = None
    """Its attack as shown, with auras; default: as printed, with `bonus` and auras. C'Thun has what
    its owner has collected, too."""
    health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """Its health as shown; default: all of `max_health`."""
    max_health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """Its health without damage; default: as printed, with `bonus` and auras, or `health` if that
    is more."""
    damage: Number = 0
    """Instead of health: how much is missing."""
    bonus: Pair = (0, 0)
    """Attack and health that it was given for good, without auras; instead of attack and health."""
    gained: Words = ()
    """Keywords besides those printed: taunt, divine shield, stealth, frozen, silenced (which takes
    the printed ones away), asleep (it came this turn) and others."""
    lost: Words = ()
    """Keywords that are printed, and gone, such as a divine shield."""
    attacks: Few = 0
    """How often it has attacked this turn."""
    attack_this_turn: Change = 0
    """The part of its attack that ends with the turn."""
    spell_damage: Annotated[int, Field(ge=0, le=100)] = 0
    """Spell Damage that it was given."""
    texts: Annotated[tuple[AttachedText, ...], Field(max_length=6), Listed] = ()
    """Texts of other cards that it was given."""
    remembers: Remembered | None = None
    """The minion that its text remembers."""
    borrowed: Literal["no", "until the end of the turn", "with charge"] = "no"
    """Whether it goes back at the end of the turn; "with charge": it had Charge before."""
    uid: Uid | None = None
    """Its number, higher for what came into play later; default: from left to right."""


class EquippedWeapon(_OfCard):
    """A weapon in play."""

    attack: Number | None = None
    """Its attack as shown, with auras; default: as printed, with `bonus` and auras."""
    durability: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """Default: as printed, with `bonus`."""
    bonus: Pair = (0, 0)
    """Attack and durability that it was given, without auras; instead of attack and durability."""
    uid: Uid | None = None
    """As of minions."""


class LaidSecret(_OfCard):
    """A secret in play."""

    uid: Uid | None = None
    """As of minions."""


class LaterText(_OfCard):
    """A text that was put off to the end of a turn."""

    when: Literal["own turn end", "turn end", "turn ending"] = "own turn end"
    """At the end of the own turn, of this turn, or now, as the turn ends."""


class SidePosition(Section):
    """One player's side."""

    hero_class: HeroClass = Field(alias="class")
    """The class: mage, warrior ..."""
    health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """The hero's health; default: all that it begins with, 30 for the hero of a class."""
    max_health: Annotated[int, Field(ge=1, le=30_000)] | None = None
    """What it can be healed to; default: what it begins with, or `health` if that is more."""
    armor: Number = 0
    """Armor."""
    attack: Number = 0
    """The hero's attack in this turn, without its weapon's."""
    attacks: Few = 0
    """How often the hero has attacked this turn."""
    words: Words = ()
    """The hero's keywords: frozen, immune and others."""
    hero: Word | None = None
    """The hero's card; default: the class's."""
    hero_uid: Uid | None = None
    """As of minions; default: 1 of player 0, 2 of player 1."""
    hero_texts: Annotated[tuple[AttachedText, ...], Field(max_length=6), Listed] = ()
    """Texts that the hero was given for the turn."""
    power: Word | None = None
    """The hero power; default: the class's, or that with which another hero comes."""
    power_used: Annotated[int, Field(ge=0, le=1_000)] = 0
    """How often it was used this turn."""
    crystals: Few | None = None
    """Mana crystals; default: as many as the turn gives."""
    mana: Few | None = None
    """Mana that is left; default: all crystals that are not locked."""
    locked: Few = 0
    """Crystals that Overload has locked this turn."""
    owed: Annotated[int, Field(ge=0, le=100)] = 0
    """Crystals that Overload will lock next turn."""
    weapon: EquippedWeapon | None = None
    """The weapon."""
    secrets: Annotated[tuple[LaidSecret, ...], Field(max_length=5), Listed] = ()
    """Secrets, the oldest first; they answer in the order that they would have if played so."""
    board: Annotated[tuple[BoardMinion, ...], Field(max_length=7), Listed] = ()
    """Minions from left to right."""
    hand: Annotated[tuple[HeldCard, ...], Field(max_length=10), Listed] = ()
    """Cards in hand, from left to right."""
    unknown_in_hand: Few = 0
    """How many more are in hand: the seed deals them from the deck."""
    deck: Annotated[tuple[DeckCard, ...], Field(max_length=60), Listed] | None = None
    """Cards left in the deck; default: those of `deck_list` that the position does not show."""
    cards_left: Annotated[int, Field(ge=0, le=60)] | None = None
    """How many are left; default: all. The seed says which."""
    deck_list: Text | Annotated[tuple[Word, ...], Field(max_length=60), Listed] | None = None
    """The deck as the game began: a deck as everywhere in hsevo (a name, file or code), or a list
    of its cards; default: the cards in its deck and hand, and its secrets."""
    deck_name: Annotated[str, Field(max_length=100)] | None = None
    """What the deck is called in tables; default: as its list, or the class."""
    fatigue: Number = 0
    """The damage of the last card that could not be drawn."""
    jade: Annotated[int, Field(ge=0, le=100)] | None = None
    """Jade Golems summoned in this game; default: the size of the largest, on the board or died."""
    totems: Number | None = None
    """Totems summoned in this game; default: those on the board and those that died."""
    played: Number = 0
    """Cards played this turn."""
    minions_played: Number = 0
    """Minions played this turn."""
    died: Annotated[tuple[Word, ...], Field(max_length=400), Listed] = ()
    """Minions of this side that died in this game, in order; "2x Wisp" are two."""
    died_this_turn: Number = 0
    """How many of the last of them died this turn."""
    counters: dict[Word, Annotated[int, Field(ge=0, le=30_000)]] = Field(
        default={}, max_length=20)
    """What texts count: spells cast, secrets played, powers used, cthun attack, and others. The
    default is 0; of powers used, `power_used`."""
    rules: Words = ()
    """Rules that hold for the rest of the turn, such as spells free."""
    later: Annotated[tuple[LaterText, ...], Field(max_length=10), Listed] = ()
    """Texts that were put off to the end of a turn."""


class PositionFile(Section):
    """A position: `me` is the player to move."""

    format: Annotated[str, AfterValidator(_format)] = FORMAT
    """Which kind of file it is."""
    ruleset: Ruleset = "cig2018"
    """The ruleset."""
    turn: Annotated[int, Field(ge=1, le=32_000)] | None = None
    """The player turn, from 1; default: that in which the first player has so many `crystals`."""
    player: Annotated[int, Field(ge=0, le=1)] = 0
    """Which player `me` is, 0 or 1."""
    max_turns: Annotated[int, Field(ge=1, le=32_000)] = 89
    """Player turns after which the game is a draw."""
    seed: Seed = 0
    """What all that is random begins with."""
    lookahead_seed: Seed | None = None
    """The same for what agents draw; default: made of the seed."""
    ordered: bool = False
    """Whether the first card of a deck is the next one that is drawn."""
    next_uid: Uid | None = None
    """The number of what comes into play next."""
    me: SidePosition
    """The side of the player to move."""
    opponent: SidePosition
    """The other side."""
