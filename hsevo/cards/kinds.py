"""What is printed on cards: kinds, classes, minion types, rarities, and sets."""

from enum import IntEnum


class Kind(IntEnum):
    """Card types."""

    NONE = 0
    MINION = 1
    SPELL = 2
    WEAPON = 3
    POWER = 4
    HERO = 5


class Class(IntEnum):
    """Hero classes, and NEUTRAL."""

    NEUTRAL = 0
    DRUID = 1
    HUNTER = 2
    MAGE = 3
    PALADIN = 4
    PRIEST = 5
    ROGUE = 6
    SHAMAN = 7
    WARLOCK = 8
    WARRIOR = 9


class Group(IntEnum):
    """Tri-class families of Mean Streets of Gadgetzan."""

    GRIMY_GOONS = 1
    JADE_LOTUS = 2
    KABAL = 3


GROUP_CLASSES: dict[Group, tuple[Class, ...]] = {
    Group.GRIMY_GOONS: (Class.HUNTER, Class.PALADIN, Class.WARRIOR),
    Group.JADE_LOTUS: (Class.DRUID, Class.ROGUE, Class.SHAMAN),
    Group.KABAL: (Class.MAGE, Class.PRIEST, Class.WARLOCK),
}


class Race(IntEnum):
    """Minion types that some text refers to."""

    NONE = 0
    BEAST = 1
    DEMON = 2
    DRAGON = 3
    MECH = 4
    MURLOC = 5
    PIRATE = 6
    TOTEM = 7
    ELEMENTAL = 8  # since 2017: older rulesets have none
    ALL = 9  # counts as each of the others


class Rarity(IntEnum):
    """Rarity as the EVA agent counts it: 1 common or free to 4 legendary, 0 for the rest."""

    NONE = 0
    COMMON = 1
    RARE = 2
    EPIC = 3
    LEGENDARY = 4


class Set(IntEnum):
    """Card sets up to Rise of Shadows, in the order of their release."""

    BASIC = 1
    CLASSIC = 2
    HALL_OF_FAME = 3
    NAXXRAMAS = 4
    GOBLINS_VS_GNOMES = 5
    BLACKROCK = 6
    GRAND_TOURNAMENT = 7
    EXPLORERS = 8
    OLD_GODS = 9
    KARAZHAN = 10
    GADGETZAN = 11
    UNGORO = 12
    FROZEN_THRONE = 13
    KOBOLDS = 14
    WITCHWOOD = 15
    BOOMSDAY = 16
    RASTAKHAN = 17
    SHADOWS = 18


# the sets of 2014 to 2016; those after them are only in rulesets that have their cards
UP_TO_GADGETZAN = frozenset(where for where in Set if where <= Set.GADGETZAN)
