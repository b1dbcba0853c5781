"""Selectors: groups of characters for effects, targets of cards, and filters for both."""

from hsevo.cards.terms import Is, Keyword, Kind, Race, Selector, Side
from hsevo.cards.vocabulary.model import ANYTHING as ANYTHING
from hsevo.cards.vocabulary.model import Filter, Target, Who

SELF, TARGET, SUBJECT = Who(Selector.SELF), Who(Selector.TARGET), Who(Selector.SUBJECT)
LAST = Who(Selector.LAST)
MY_HERO, ENEMY_HERO = Who(Selector.MY_HERO), Who(Selector.ENEMY_HERO)
HEROES = Who(Selector.HEROES)
MY_MINIONS, ENEMY_MINIONS = Who(Selector.MY_MINIONS), Who(Selector.ENEMY_MINIONS)
ALL_MINIONS = Who(Selector.ALL_MINIONS)
MY_OTHER_MINIONS = Who(Selector.MY_OTHER_MINIONS)
ALL_OTHER_MINIONS = Who(Selector.ALL_OTHER_MINIONS)
MY_CHARACTERS, ENEMIES = Who(Selector.MY_CHARACTERS), Who(Selector.ENEMIES)
CHARACTERS, OTHER_CHARACTERS = Who(Selector.CHARACTERS), Who(Selector.OTHER_CHARACTERS)
ADJACENT, NEXT_TO_TARGET = Who(Selector.ADJACENT), Who(Selector.NEXT_TO_TARGET)
AROUND_TARGET = Who(Selector.AROUND_TARGET)
OTHER_ENEMIES = Who(Selector.TARGET_ENEMIES)
OTHER_DEFENDERS = Who(Selector.OTHER_DEFENDERS)
CHARACTERS_BUT_EVENT = Who(Selector.CHARACTERS_BUT_EVENT)
DEFENDERS = Who(Selector.DEFENDERS)
MY_WEAPON = Who(Selector.MY_WEAPON)

CHARACTER = Target(Side.MINE | Side.THEIRS | Side.MINION | Side.HERO)
ANY_MINION = Target(Side.MINE | Side.THEIRS | Side.MINION)
ANY_HERO = Target(Side.MINE | Side.THEIRS | Side.HERO)
FRIENDLY_MINION = Target(Side.MINE | Side.MINION)
FRIENDLY_CHARACTER = Target(Side.MINE | Side.MINION | Side.HERO)
ENEMY_MINION = Target(Side.THEIRS | Side.MINION)
ENEMY_CHARACTER = Target(Side.THEIRS | Side.MINION | Side.HERO)
MINION_OR_ENEMY_HERO = CHARACTER.where(Filter(Is.NOT_OWN_HERO))

DAMAGED, UNDAMAGED = Filter(Is.DAMAGED), Filter(Is.UNDAMAGED)
A_MINION, A_SPELL = Filter(Is.KIND, int(Kind.MINION)), Filter(Is.KIND, int(Kind.SPELL))
A_HERO, A_SECRET = Filter(Is.KIND, int(Kind.HERO)), Filter(Is.SECRET)
A_WEAPON = Filter(Is.KIND, int(Kind.WEAPON))
IN_PLAY, MINION_IN_PLAY = Filter(Is.IN_PLAY), Filter(Is.IN_PLAY, int(Kind.MINION))
HERO_IN_PLAY = Filter(Is.IN_PLAY, int(Kind.HERO))
UNDESTROYED_MINION = Filter(Is.UNDESTROYED, int(Kind.MINION))
LIVING, LIVING_MINION = Filter(Is.LIVING), Filter(Is.LIVING, int(Kind.MINION))
WITH_OVERLOAD, WITH_BATTLECRY = Filter(Is.OVERLOAD), Filter(Is.BATTLECRY)
WITH_ANY_BATTLECRY = Filter(Is.BATTLECRY, 1)  # also weapons
LEGENDARY_ONE = Filter(Is.LEGENDARY)
OF_OTHER_CLASS = Filter(Is.OTHER_CLASS)  # than the player's; for cards in hand


def of_race(race: Race) -> Filter:
    """Pass cards and characters of a race."""
    return Filter(Is.RACE, int(race))


def not_of_race(race: Race) -> Filter:
    """Pass all but those of a race."""
    return Filter(Is.NOT_RACE, int(race))


def copy_of(card: str) -> Filter:
    """Pass copies of one card."""
    return Filter(Is.CARD, card)


def not_card(card: str) -> Filter:
    """Pass all but copies of one card."""
    return Filter(Is.NOT_CARD, card)


def spell_but(card: str) -> Filter:
    """Pass spells, but not copies of one."""
    return Filter(Is.SPELL_BUT, card)


def minion_with_attack(n: int) -> Filter:
    """Pass minions with n attack."""
    return Filter(Is.ATTACK, n)


def having(*keywords: Keyword) -> Filter:
    """Pass characters with a keyword, or one of several."""
    return Filter(Is.KEYWORD, sum(keywords))


def lacking(keyword: Keyword) -> Filter:
    """Pass characters without a keyword."""
    return Filter(Is.NOT_KEYWORD, int(keyword))


def cost_at_most(n: int) -> Filter:
    """Pass cards of a printed cost of n or less."""
    return Filter(Is.COST_AT_MOST, n)


def minion_of_cost(n: int) -> Filter:
    """Pass minions of a printed cost."""
    return Filter(Is.MINION_COST, n)


def minion_with(keyword: Keyword) -> Filter:
    """Pass minions with a keyword."""
    return Filter(Is.MINION_WITH, int(keyword))


def health_is(n: int) -> Filter:
    """Pass characters with exactly n health."""
    return Filter(Is.HEALTH, n)


def health_at_least(n: int) -> Filter:
    """Pass characters with at least n health."""
    return Filter(Is.HEALTH_AT_LEAST, n)


def attack_at_least(n: int) -> Filter:
    """Pass minions with at least n attack."""
    return Filter(Is.ATTACK_AT_LEAST, n)


def attack_at_most(n: int) -> Filter:
    """Pass minions with at most n attack."""
    return Filter(Is.ATTACK_AT_MOST, n)
