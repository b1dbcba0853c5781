"""Phrases of card texts: every term of `terms.py` in English, for the sentences of `text.py`.

"You" is whoever plays the card. A term without a phrase is a CardError, never a guess.

Nouns are cards, characters and pools, with their filters and keywords. Nouns are written without
article and in the singular.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from hsevo.cards.terms import (
    Amount,
    Class,
    Counter,
    Event,
    Family,
    If,
    Is,
    Keyword,
    Kind,
    Race,
    Selector,
    Side,
    Whose,
)
from hsevo.cards.vocabulary.model import Card, Filter, Pool, Target
from hsevo.errors import CardError

Term = TypeVar("Term")
Phrase = TypeVar("Phrase")
Cards = Mapping[str, Card]


def phrase(table: Mapping[Term, Phrase], term: Term) -> Phrase:
    """Return a term's phrase. Raises CardError if it has none."""
    if term not in table:
        raise CardError(f"no wording for {term!r}; cards/wording needs one")
    return table[term]


def a(noun: str) -> str:
    """Put the indefinite article before a noun."""
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def listed(items: Iterable[str], word: str = "and") -> str:
    """Return "A, B and C"."""
    *most, last = items
    return f"{', '.join(most)} {word} {last}" if most else last


def counted(n: int, noun: str) -> str:
    """Return "1 card", "2 cards"."""
    return f"{n} {noun if n == 1 else many(noun)}"


def many(noun: str) -> str:
    """Return the plural of a noun."""
    if noun.endswith("copy"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith("o") else f"{noun}s"


@dataclass(frozen=True)
class Noun:
    """A noun with the words before and after it: damaged | minion | with Taunt."""

    head: str
    before: str = ""
    after: str = ""

    def singular(self, *words: str) -> str:
        """Return the singular, with words before it."""
        return self._spelt(words, self.head)

    def plural(self, *words: str) -> str:
        """Return the plural, with words before it."""
        return self._spelt(words, many(self.head))

    def _spelt(self, words: tuple[str, ...], head: str) -> str:
        known = " ".join(words).split()
        side = [known.pop()] if known and known[-1] in ("friendly", "enemy") else []
        text = " ".join(word for word in (*known, self.before, *side, head) if word) + self.after
        return text.replace("enemy characters", "enemies").replace("enemy character", "enemy")


RACES = {race: race.name.title() for race in Race if race} | {Race.ALL: "minion of all types"}
KINDS = {
    Kind.MINION: "minion",
    Kind.SPELL: "spell",
    Kind.WEAPON: "weapon",
    Kind.POWER: "hero power",
    Kind.HERO: "hero",
    Kind.NONE: "enchantment",
}
KEYWORDS = {
    Keyword.TAUNT: "Taunt",
    Keyword.CHARGE: "Charge",
    Keyword.DIVINE_SHIELD: "Divine Shield",
    Keyword.WINDFURY: "Windfury",
    Keyword.STEALTH: "Stealth",
    Keyword.POISONOUS: "Poisonous",
    Keyword.LIFESTEAL: "Lifesteal",
    Keyword.FREEZES: '"freezes what it damages"',
    Keyword.IMMUNE: "Immune",
    Keyword.CANT_ATTACK: '"can\'t attack"',
    Keyword.ELUSIVE: '"can\'t be targeted by spells or hero powers"',
    Keyword.DEATHRATTLE: "Deathrattle",
    Keyword.INSPIRE: "Inspire",
    Keyword.BATTLECRY: "Battlecry",
    Keyword.NO_HEROES_THIS_TURN: '"can\'t attack heroes this turn"',
    Keyword.CANT_ATTACK_HEROES: '"can\'t attack heroes"',
    Keyword.FROZEN: '"frozen"',
    Keyword.IMMUNE_THIS_TURN: "Immune this turn",
    Keyword.FRESH: '"new in play"',
    Keyword.SILENCED: '"silenced"',
    Keyword.TO_BE_DESTROYED: '"about to leave play"',
    Keyword.STEALTH_TURN: "Stealth until your next turn",
    Keyword.IMMUNE_ATTACKING: "Immune until the attack is over",
    Keyword.UNLIMITED: '"can attack any number of times"',
    Keyword.MEGA_WINDFURY: "Mega-Windfury",
    Keyword.CLEAVE: '"its attacks damage the minions next to the defender, too"',
    Keyword.WINDFURY_TURN: "Windfury this turn",
    Keyword.CAN_ATTACK_TURN: '"can attack"',
    Keyword.CALMED: '"no attack from being damaged"',
    Keyword.DORMANT: '"dormant: no minion until it awakens"',
    Keyword.RUSH: "Rush",
    Keyword.ECHO: "Echo",
}
TOLD_BY_TEXT = Keyword.DEATHRATTLE | Keyword.INSPIRE | Keyword.BATTLECRY
LASTING = {Keyword.STEALTH_TURN: Keyword.STEALTH}  # worded like the permanent one


def keywords(bits: int) -> list[str]:
    """Return the phrases of keyword bits."""
    return [phrase(KEYWORDS, k) for k in Keyword
            if bits & k and not bits & LASTING.get(k, 0)]


def parted(words: Collection[str]) -> tuple[list[str], list[str]]:
    """Part the phrases of keywords: what a character has, and what it can or can't do."""
    verbs = [word for word in words if word.startswith('"can')]
    return [word for word in words if word not in verbs], [word.strip('"') for word in verbs]


FILTERS: dict[Is, Callable[[Noun, int, str], Noun]] = {
    Is.ANYTHING: lambda noun, n, name: noun,
    Is.RACE: lambda noun, n, name: replace(noun, head=RACES[Race(n)]),
    Is.KIND: lambda noun, n, name: replace(noun, head=KINDS[Kind(n)]),
    Is.KEYWORD: lambda noun, n, name: (
        replace(noun, before="frozen") if n == Keyword.FROZEN
        else _behind(noun, f" with {listed(keywords(n))}")),
    Is.DAMAGED: lambda noun, n, name: replace(noun, before="damaged"),
    Is.UNDAMAGED: lambda noun, n, name: replace(noun, before="undamaged"),
    Is.HEALTH_AT_LEAST: lambda noun, n, name: _behind(noun, f" with {n} or more health"),
    Is.ATTACK_AT_LEAST: lambda noun, n, name: _behind(noun, f" with {n} or more attack"),
    Is.ATTACK_AT_MOST: lambda noun, n, name: _behind(noun, f" with {n} or less attack"),
    Is.ATTACK: lambda noun, n, name: Noun("minion", noun.before, f" with {n} attack"),
    Is.SPELL_BUT: lambda noun, n, name: Noun("spell", noun.before, f" other than {name}"),
    Is.NOT_OWN_HERO: lambda noun, n, name: _behind(noun, " other than your hero"),
    Is.SECRET: lambda noun, n, name: replace(noun, head="secret"),
    Is.CARD: lambda noun, n, name: replace(noun, head=name),
    Is.NOT_RACE: lambda noun, n, name: replace(noun, before=f"non-{RACES[Race(n)]}"),
    Is.BATTLECRY: lambda noun, n, name: Noun(
        "card" if n == 1 else "minion", "Battlecry", noun.after),
    Is.OVERLOAD: lambda noun, n, name: _behind(noun, " with Overload"),
    Is.LEGENDARY: lambda noun, n, name: replace(noun, before="legendary"),
    Is.NOT_KEYWORD: lambda noun, n, name: (
        _behind(noun, " that is not frozen") if n == Keyword.FROZEN
        else _behind(noun, f" without {listed(keywords(n))}")),
    Is.COST_AT_LEAST: lambda noun, n, name: _behind(noun, f" with a cost of {n} or more"),
    Is.CARD_ATTACK_AT_LEAST: lambda noun, n, name: Noun(
        "minion card", noun.before, f" with {n} or more attack"),
    Is.COST_AT_MOST: lambda noun, n, name: _behind(noun, f" with a cost of {n} or less"),
    Is.MINION_COST: lambda noun, n, name: Noun("minion", "", f" with a cost of {n}"),
    Is.MINION_WITH: lambda noun, n, name: Noun("minion", listed(keywords(n))),
    Is.OTHER_CLASS: lambda noun, n, name: _behind(noun, " of a class other than your own"),
    Is.COMBO: lambda noun, n, name: _behind(noun, " with Combo"),
    Is.COST: lambda noun, n, name: replace(noun, before=f"{n}-cost"),
    Is.NAMESAKE: lambda noun, n, name: replace(noun, head=f"{name} (of any kind)"),
    Is.SPELL_COST_AT_LEAST: lambda noun, n, name: Noun(
        "spell", "", f" with a cost of {n} or more"),
    Is.MINION_NOW_AT_MOST: lambda noun, n, name: Noun(
        "minion", "", f" with a cost of {n} or less now"),
    Is.HEALTH: lambda noun, n, name: _behind(noun, f" with {n} health"),
    Is.AIMED: lambda noun, n, name: _behind(noun, f" with{'' if n else 'out'} a target"),
    Is.CHOICE: lambda noun, n, name: Noun("spell", noun.before, " with Choose One"),
    Is.IN_POOL: lambda noun, n, name: replace(noun, head=name or f"{noun.head} of a list"),
    Is.ATTACK_UP_TO_MANA: lambda noun, n, name: _behind(
        noun, " with no more attack than you have mana"),
    Is.MADE: lambda noun, n, name: _behind(noun, " that did not start in your deck"),
    Is.NOT_CARD: lambda noun, n, name: _behind(noun, f" other than {name}"),
    Is.IN_PLAY: lambda noun, n, name: Noun(KINDS[Kind(n)] if n else noun.head, noun.before,
                                           f"{noun.after} that is still in play"),
    Is.UNDESTROYED: lambda noun, n, name: Noun(
        KINDS[Kind(n)] if n else noun.head, noun.before,
        f"{noun.after} that is still in play and not destroyed"),
    Is.LIVING: lambda noun, n, name: Noun(
        KINDS[Kind(n)] if n else noun.head, noun.before, f"{noun.after} that is still alive"),
    Is.PLAIN: lambda noun, n, name: _behind(
        noun, f" with a cost of {n} or less and no text but keywords"),
    Is.TEXTED: lambda noun, n, name: _behind(
        noun, f" with a cost of {n} or less and more text than keywords"),
    Is.DYING: lambda noun, n, name: _behind(noun, " that is dying"),
    Is.FRESH_WITH: lambda noun, n, name: Noun(
        "minion", listed(keywords(n)), " that came into play this turn"),
    Is.MINION_COST_NOW: lambda noun, n, name: Noun("minion", "", f" with a cost of {n} there"),
    Is.SPELL_COST_NOW: lambda noun, n, name: Noun("spell", "", f" with a cost of {n} there"),
    Is.WEAPON_OF_OTHERS: lambda noun, n, name: _behind(
        noun, f" of a class other than {Class(n).name.title()}"),
    Is.OVERKILLED: lambda noun, n, name: Noun("minion", noun.before, " beyond its health"),
}


def _behind(noun: Noun, words: str) -> Noun:
    return replace(noun, after=noun.after + words)


def noun_of(cards: Cards, test: Filter, head: str) -> Noun:
    """Return the noun for what passes a filter; `head` is the noun without a filter."""
    name = cards[test.arg].name if isinstance(test.arg, str) else ""
    if isinstance(test.arg, Pool):
        name = test.arg.name
    number = test.arg if isinstance(test.arg, int) else 0
    return phrase(FILTERS, test.test)(Noun(head), number, name)


def named(card: Card) -> str:
    """Return a card's name with attack, health and keywords: "Frog (0/1, Taunt)"."""
    body = {
        Kind.MINION: ", ".join((f"{card.attack}/{card.health}",
                                *(word for word in keywords(card.keywords & ~TOLD_BY_TEXT)
                                  if not word.startswith('"')))),
        Kind.WEAPON: f"{card.attack}/{card.health} weapon",
        Kind.HERO: f"{card.health} health",
    }
    return f"{card.name} ({body[card.kind]})" if card.kind in body else card.name


# Minions and weapons that are one of a kind, or plural: their names take no article.
UNIQUE = {
    "Amara, Warden of Hope", "Barnabus the Stomper", "Galvadon", "Megafin", "Queen Carnassa",
    "Sherazin, Corpse Flower", "Sulfuras",
    "Ashbringer", "Atiesh", "Baine Bloodhoof", "Blood Fury", "C'Thun", "Cairne Bloodhoof",
    "Emboldener 3000", "Finkle Einhorn", "Huffer", "Leokk", "Light's Justice", "Misha",
    "Tentacles for Arms", "Thaddius", "Twin Emperor Vek'nilash", "V-07-TR-0N",
}  # fmt: skip


def a_card(card: Card) -> str:
    """Return a card with its article: "a Frog (0/1, Taunt)"; names of spells have none."""
    own_name = card.name in UNIQUE or card.name.startswith(("The ", '"'))
    if own_name or card.kind not in (Kind.MINION, Kind.WEAPON):
        return named(card)
    return a(named(card))


FAMILIES = {
    Family.NONE: "",
    Family.OWN: " (your class or neutral)",
    Family.ENEMY: " of your opponent's class",
    Family.FOREIGN: " of another class",
}


def pool_title(cards: Cards, pool: Pool) -> str:
    """Return what a pool is called in a list of pools."""
    if pool.cards and not pool.name:
        return "one of " + " ".join(pool.cards[:3]) + (" ..." if len(pool.cards) > 3 else "")
    return pool_noun(cards, pool).singular()


def pool_noun(cards: Cards, pool: Pool) -> Noun:
    """Return the noun for a card of a random pool that has a name or no explicit list."""
    head = pool.name or (
        RACES[pool.race] if pool.race else KINDS[pool.kind] if pool.kind else "card")
    noun = noun_of(cards, pool.test, head)
    before = (
        "" if pool.cost is None else f"{pool.cost}-cost",
        pool.cls.name.title() if pool.cls else "",
        noun.before,
    )
    after = noun.after + phrase(FAMILIES, pool.family) + (" from the past" if pool.past else "")
    return Noun(noun.head, " ".join(filter(None, before)), after)


# -- characters of an effect --------------------------------------------------------------------


class PhraseGroup(NamedTuple):
    """Words for a group: for all of it, for each of it, the noun, what follows."""

    all: str
    each: str
    head: str
    after: str = ""


GROUPS = {
    Selector.HEROES: PhraseGroup("both", "", "hero"),
    Selector.MY_MINIONS: PhraseGroup("all your", "friendly", "minion"),
    Selector.ENEMY_MINIONS: PhraseGroup("all enemy", "enemy", "minion"),
    Selector.ALL_MINIONS: PhraseGroup("all", "", "minion"),
    Selector.MY_OTHER_MINIONS: PhraseGroup("all your other", "other friendly", "minion"),
    Selector.ALL_OTHER_MINIONS: PhraseGroup("all other", "other", "minion"),
    Selector.MY_CHARACTERS: PhraseGroup("all your", "friendly", "character"),
    Selector.ENEMIES: PhraseGroup("all enemy", "enemy", "character"),
    Selector.CHARACTERS: PhraseGroup("all", "", "character"),
    Selector.OTHER_CHARACTERS: PhraseGroup("all other", "other", "character"),
    Selector.ADJACENT: PhraseGroup("the", "", "minion", " next to this one"),
    Selector.NEXT_TO_TARGET: PhraseGroup("the", "", "minion", " next to it"),
    Selector.CHARACTERS_BUT_EVENT: PhraseGroup(
        "all", "", "character", " other than the attacker and the defender"),
    Selector.OTHER_DEFENDERS: PhraseGroup(
        "all other enemy", "other enemy", "character", " of the attacker"),
    Selector.DEFENDERS: PhraseGroup("all", "", "character", " on the side of the defender"),
    Selector.TARGET_ENEMIES: PhraseGroup("all other enemy", "other enemy", "character"),
    Selector.MY_DECK: PhraseGroup("all", "", "card", " in your deck"),
    Selector.NEXT_TO_SUBJECT: PhraseGroup("the", "", "minion", " beside it"),
    Selector.MY_HAND: PhraseGroup("all", "", "card", " in your hand"),
    Selector.OUTER_ENEMIES: PhraseGroup(
        "the leftmost and the rightmost enemy", "outermost enemy", "minion"),
}
SINGLES = {
    Selector.SELF: "this minion",
    Selector.MY_HERO: "your hero",
    Selector.ENEMY_HERO: "the enemy hero",
    Selector.LAST: "it",
    Selector.MY_WEAPON: "your weapon",
    Selector.DEFENDER: "the defender",
}
SUBJECTS = {Event.ATTACKS: "the attacker", Event.AFTER_ATTACK: "the attacker"}  # others: "it"


def target_noun(cards: Cards, target: Target) -> str:
    """Return the noun for a card's legal targets: "an enemy minion with Taunt"."""
    bits = target.bits & (Side.MINION | Side.HERO)
    head = {int(Side.MINION): "minion", int(Side.HERO): "hero"}.get(bits, "character")
    sides = {int(Side.MINE): "friendly", int(Side.THEIRS): "enemy"}
    return a(noun_of(cards, target.filter, head).singular(sides.get(target.bits & 3, "")))


# -- amounts ------------------------------------------------------------------------------------

EACH = {  # an amount for each ...
    Amount.HAND: "card in your hand",
    Amount.MINIONS: "friendly minion",
    Amount.ENEMY_MINIONS: "enemy minion",
    Amount.OTHER_MINIONS: "other minion in play",
    Amount.MY_OTHER_MINIONS: "other friendly minion",
    Amount.DAMAGED_FRIENDS: "damaged friendly character",
    Amount.MY_RACE: "other friendly {m}",
    Amount.PLAYED_EARLIER: "card you played earlier this turn",
    Amount.WITH_KEYWORD: "minion in play with {m}",
    Amount.COUNTER: "{m}",
    Amount.ENEMY_SECRETS: "enemy secret",
    Amount.UP_TO: "card that your hand lacks",
    Amount.ENEMY_UP_TO: "card that your opponent's hand lacks",
    Amount.DAMAGE_DEALT: "damage dealt",
    Amount.ENEMIES_WITH_KEYWORD: "enemy minion with {m}",
    Amount.CRYSTALS_LOST: "mana crystal lost",
    Amount.CRYSTALS_WITH_ROOM: "mana crystal that a minion has room for",
    Amount.ENEMY_HAND: "card in your opponent's hand",
    Amount.HAND_DIFFERENCE: "card by which your opponent's hand exceeds yours",
    Amount.DIED_THIS_TURN: "minion that died this turn",
    Amount.DAMAGED_MINIONS: "damaged minion in play",
    Amount.DECK: "card in your deck",
    Amount.COUNTER_OTHERS: "other {m}",
    Amount.HAND_KIND: "{m} in your hand",
    Amount.OVERKILLED: "minion damaged beyond its health",
    Amount.ENEMY_DECK_COPIES: "{m} in your opponent's deck",
    Amount.NOTED_MINIONS: "of them",
}
EQUAL = {  # an amount equal to ...
    Amount.EVENT_COST: "its cost",
    Amount.MANA_SPENT: "the mana spent",
    Amount.WEAPON_ATTACK: "your weapon's attack",
    Amount.HERO_ATTACK: "your hero's attack",
    Amount.ARMOR: "your armor",
    Amount.OWN_ATTACK: "this minion's attack",
    Amount.TARGET_HEALTH: "its health",
    Amount.ITS_ATTACK: "their attack",
    Amount.CHOSEN_COST: "the cost of the chosen card",
    Amount.AIMED_ATTACK: "its attack",
    Amount.ENEMY_WEAPON_ATTACK: "the attack of your opponent's weapon",
    Amount.REVEALED_ATTACK: "the attack of the revealed card",
    Amount.ENEMY_DURABILITY: "the durability of your opponent's weapon",
    Amount.ADJACENT_ATTACK: "the attack of the minions next to this one",
    Amount.ADJACENT_HEALTH: "the health of the minions next to this one",
    Amount.DURABILITY: "your weapon's durability",
    Amount.DISCARDED_ATTACK: "the attack of the cards discarded",
    Amount.DISCARDED_HEALTH: "the health or durability of the cards discarded",
    Amount.AIMED_HEALTH: "the health of that minion",
    Amount.EXCESS: "the excess damage",
    Amount.ARMOR_SPENT: "the armor spent",
    Amount.HERO_HEALTH: "your hero's health, less 1",
    Amount.OWN_COST: "1 more than this minion's cost",
    Amount.EVENT_MORE: "1 more than its cost",
    Amount.HALF_DECK: "half of that deck",
    Amount.GROWN: "its size (1, and 1 more for each turn that began with it in your hand)",
    Amount.HAND_SHUFFLED: "the number of cards shuffled",
}
EVENT_AMOUNTS: dict[Event | None, str] = {
    Event.DAMAGED: "the damage taken",
    Event.HEALED: "the health restored",
    Event.OVERLOADED: "the mana overloaded",
    Event.ARMOR_GAINED: "the armor gained",
    Event.AFTER_PLAYED: "its cost",
    Event.PLAYED: "the mana paid",
    None: "the cost of the card drawn",
}

# -- events -------------------------------------------------------------------------------------

PLAYERS = {
    Whose.MINE: "you",
    Whose.MY_OTHERS: "you",
    Whose.THEIRS: "your opponent",
    Whose.ANY: "a player",
    Whose.ANY_OTHER: "a player",
    Whose.MY_AIMED: "you",
}
TURNS = {Whose.MINE: "your turn", Whose.THEIRS: "your opponent's turn", Whose.ANY: "each turn"}
# what a player does: the verb for "you", for others, and its object
DEEDS = {
    Event.OVERLOADED: ("overload mana crystals", "overloads mana crystals"),
    Event.POWER_USED: ("use your hero power", "uses their hero power"),
    Event.WEAPON_DESTROYED: ("lose your weapon", "loses their weapon"),
    Event.ARMOR_GAINED: ("gain armor", "gains armor"),
    Event.EQUIPPED: ("equip a weapon", "equips a weapon"),
    Event.POWER_KILLED: ("kill a minion by your hero power", "kills a minion by their hero power"),
    Event.SHUFFLED: ("shuffle a card into a deck", "shuffles a card into a deck"),
}
CARD_DEEDS = {
    Event.PLAYED: ("play", "plays", "card"),
    Event.AFTER_PLAYED: ("play", "plays", "card"),
    Event.SUMMONED: ("summon", "summons", "minion"),
    Event.AFTER_SUMMONED: ("summon", "summons", "minion"),
    Event.DISCARDED: ("discard", "discards", "card"),
    Event.DRAWN: ("draw", "draws", "card"),
}
OWN_DEEDS = {  # Whose.OWN: what happens to this card
    Event.PLAYED: "this card is played",
    Event.AFTER_PLAYED: "this card is played",
    Event.SUMMONED: "this minion is summoned",
    Event.AFTER_SUMMONED: "this minion is summoned",
    Event.DISCARDED: "this card is discarded",
    Event.DRAWN: "this card is drawn",
}
HAPPENINGS = {  # what happens to a character
    Event.DAMAGED: ("takes damage", "character"),
    Event.HEALED: ("is healed", "character"),
    Event.DIED: ("dies", "minion"),
    Event.ATTACKS: ("attacks", "character"),
    Event.AFTER_ATTACK: ("attacks", "character"),
    Event.FATAL_DAMAGE: ("would take fatal damage", "hero"),
    Event.SHIELD_LOST: ("loses Divine Shield", "character"),
    Event.FROZEN: ("is frozen", "character"),
}
DONE_BY_CARDS = {Event.DAMAGED: "damages", Event.HEALED: "heals"}
SIDES = {
    Whose.MINE: "friendly",
    Whose.MY_DEAD: "friendly",
    Whose.MY_OTHERS: "other friendly",
    Whose.THEIRS: "enemy",
    Whose.ANY: "",
    Whose.ANY_OTHER: "other",
}
FIRST = {Event.FATAL_DAMAGE: "prevent it, then "}  # what an event itself does, before the rows
ATTACKED = {Whose.AT_ME: "your hero", Whose.AT_MINIONS: "one of your minions"}
OWNERS = {Whose.MINE: "one of your", Whose.THEIRS: "one of your opponent's"}
MOMENTS = {  # the first word of a trigger; others: Whenever
    Event.AFTER_PLAYED: "After",
    Event.AFTER_SUMMONED: "After",
    Event.AFTER_ATTACK: "After",
    Event.POWER_USED: "After",
    Event.SHIELD_LOST: "After",
}

# -- conditions, needs, costs, rules ------------------------------------------------------------

COUNTERS = {
    Counter.SPELLS_CAST: "spell you have cast this game",
    Counter.SECRETS_PLAYED: "secret you have played this game",
    Counter.POWERS_USED: "time you have used your hero power this game",
    Counter.MINIONS_DIED: "friendly minion that died this turn",
    Counter.SPELLS_DEARER: "mana that your spells cost more this turn",
    Counter.CTHUN_ATTACK: "attack of your C'Thun",
    Counter.CTHUN_HEALTH: "health of your C'Thun",
    Counter.CTHUN_TAUNT: "Taunt of your C'Thun",
    Counter.COSTLY_SPELLS: "spell with a cost of 5 or more that you have cast this game",
    Counter.LATER_TURNS: "extra turn after your next turn",
    Counter.TALLY: "spell you have cast this turn",
    Counter.ELEMENTALS_PLAYED: "Elemental you played last turn",
    Counter.ELEMENTALS_NOW: "Elemental you played this turn",
    Counter.QUEST_PROGRESS: "step of your quest",
    Counter.FOREIGN_CARDS: "card of another class you have played this game",
    Counter.MINION_SIZE: "attack and health of your minions",
    Counter.MADE_CARD: "card played last that did not start in your deck",
    Counter.NEXT_SPELL_TWICE: "time that your next spell this turn is cast again",
    Counter.NEXT_SPELL_DAMAGE: "Spell Damage of your next spell this turn",
    Counter.SPELL_DAMAGE_NOW: "Spell Damage of the spell that you are casting",
    Counter.SPELLS_DRAIN: "Lifesteal of your spells this turn",
    Counter.RIGHTMOST: "card that was the rightmost in your hand",
    Counter.POGO_HOPPERS: "Pogo-Hopper you have played this game",
    Counter.HERO_DAMAGE: "damage your hero has taken this turn",
    Counter.SPELLS_NOW: "spell you have cast this turn",
    Counter.LAST_MINION: "minion that you played last",
    Counter.NEXT_POWER_CHEAPER: "mana that your next hero power costs less",
    Counter.NEXT_ELEMENTAL_CHEAPER: "mana that your next Elemental this turn costs less",
    Counter.NEXT_POWER_DAMAGE: "damage of your next hero power this turn",
    Counter.POWER_DAMAGE_NOW: "damage that is added to your hero power",
    Counter.POWER_DAMAGE: "damage your hero power has dealt this game",
    Counter.RESTORED: "health you have restored this game",
    Counter.MANA_ON_SPELLS: "mana you have spent on spells this game",
    Counter.GROWN: "size that the card played last had gained in your hand",
    Counter.DISCARDED: "card you have discarded this game",
    Counter.HEALED: "health that your hero has regained this turn",
    Counter.OVERLOADED: "mana crystal you have overloaded this game",
    Counter.HERO_HURT: "turn in which your hero last took damage",
}
CTHUN = {Counter.CTHUN_ATTACK: 6, Counter.CTHUN_HEALTH: 6}  # printed
CONDITIONS = {  # after "if" or "unless"; {another}, {other}: on a minion
    If.HAVE_WEAPON: "you have a weapon",
    If.NO_DUPLICATES: "your deck has no duplicate cards",
    If.PLAYED_BEFORE: "you have already played a card this turn",
    If.OTHER_RACE: "you control {another} {arg}",
    If.ENEMY_MINIONS_AT_LEAST: "your opponent has {arg} or more minions",
    If.HOLD_RACE: "you hold {a_arg}",
    If.DAMAGED: "this minion is damaged",
    If.SPELL_DAMAGE: "you have Spell Damage",
    If.MY_TURN: "it is your turn",
    If.BOARD_SPACE: "you have room for a minion",
    If.HEALTH_AT_MOST: "your hero has {arg} or less health",
    If.OTHER_MINIONS_AT_LEAST: "you control {arg} or more {other}minions",
    If.ENEMY_HEALTH_AT_MOST: "the enemy hero has {arg} or less health",
    If.ENEMY_CLASSLESS: "your opponent's hero has no class",
    If.TEN_MANA: "you have 10 mana",
    If.OTHERS_IN_PLAY: "there is another minion in play",
    If.OTHER_SPELL_DAMAGE: "you control {another} minion with Spell Damage",
    If.OTHER_MINION: "you control {another} minion",
    If.TARGET_FROZEN: "it is frozen",
    If.TARGET_ALIVE: "it survives",
    If.TARGET_DEAD: "it dies",
    If.TARGET_DAMAGED: "it is damaged",
    If.PAID: "it cost {arg}",
    If.TARGET_RACE: "it is {a_arg}",
    If.TARGET_MINE: "it is friendly",
    If.SUBJECT_ALIVE: "it is still alive",
    If.HAS_DIED: "{arg} has died this game",
    If.MINE_HAS_DIED: "your {arg} has died this game",
    If.JOUST: ("the random {arg} revealed from your deck costs more than the one from your"
               " opponent's deck"),
    If.COUNTED: "{arg}",
    If.CAN_TURN: "there is another character to attack",
    If.HAND_EMPTY: "your hand is empty",
    If.OWN_SECRET: "you have a secret",
    If.FULL_MANA: "you have 10 mana crystals",
    If.ENEMY_CARDS_AT_LEAST: "your opponent holds {arg} or more cards",
    If.POWER_IS: "your hero power is {arg}",
    If.HERO_IDLE: "your hero has not attacked this turn",
    If.DEFENDER_DEAD: "the minion it attacked dies",
    If.HOLD_TWO: "you hold another {arg}",
    If.DEFENDER_KIND: "it attacked a {arg}",
    If.OWN_ATTACK_AT_LEAST: "this minion has {arg} or more attack",
    If.WEAPON_ATTACK_AT_LEAST: "your weapon has {arg} or more attack",
    If.ENEMY_HAND_EMPTY: "your opponent holds no cards",
    If.HAND_ROOM: "you have room for a card in your hand",
    If.HOLD_KIND: "you hold a {arg}",
    If.ALL_ODD: "your deck has only cards of odd cost",
    If.ALL_EVEN: "your deck has only cards of even cost",
    If.ALL_ODD_AT_START: "your whole deck has only cards of odd cost",
    If.ALL_EVEN_AT_START: "your whole deck has only cards of even cost",
    If.HERO_HURT: "your hero took damage this turn",
    If.DEATH_THIS_TURN: "a minion died this turn",
    If.ENEMY_PLAYED_AT_LEAST: "your opponent has played {arg} or more cards this turn",
    If.FIRST_CARD: "no card was played this turn",
    If.OTHER_CLASS: "it is of a class other than yours",
    If.FIRST_MINION: "you have played no minion this turn",
    If.NONE_IN_DECK: "your deck has no {arg}s",
    If.REVEALED: "your deck has a {arg} (one is chosen at random and shown)",
    If.ARMOR_BELOW: "you have less than {arg} armor",
    If.HAS_NEIGHBOR: "there is a minion next to it",
    If.HOLD_SPELL_COSTING: "you hold a spell that costs {arg} or more",
    If.AIMED: "there is one",
    If.ENEMY_TURN: "it is your opponent's turn",
    If.HOLD_ATTACK: "you hold a minion with {arg} or more attack",
    If.MADE: "it did not start in your deck",
    If.MORE_ENEMY_MINIONS: "your opponent has more minions than you",
    If.NO_CARD_COSTS: "no card in your deck costs {arg}",
    If.KNOWN: "you know this text",
    If.TARGET_OVERKILLED: "it is damaged beyond its health",
    If.EVENT_AT_LEAST: "it is {arg} or more",
    If.OVERLOADED: "you have overloaded mana crystals",
    If.NO_SPELL_CAST: "you have cast no spell this turn",
    If.NO_SPELL_DAMAGE: "you have no Spell Damage",
    If.ALONE: "you control no {other}minion",
    If.INTO_MY_DECK: "it is your deck",
}
ABOUT_TARGET = (If.TARGET_DAMAGED, If.TARGET_FROZEN, If.TARGET_ALIVE, If.TARGET_DEAD,
                If.TARGET_RACE, If.TARGET_MINE, If.AIMED, If.TARGET_OVERKILLED)
