"""Mean Streets of Gadgetzan (132 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

# a player's n-th golem is n/n, the 30th and all later ones 30/30
JADE_GOLEMS = one_of(
    "CFM_712_t01", "CFM_712_t02", "CFM_712_t03", "CFM_712_t04", "CFM_712_t05", "CFM_712_t06",
    "CFM_712_t07", "CFM_712_t08", "CFM_712_t09", "CFM_712_t10", "CFM_712_t11", "CFM_712_t12",
    "CFM_712_t13", "CFM_712_t14", "CFM_712_t15", "CFM_712_t16", "CFM_712_t17", "CFM_712_t18",
    "CFM_712_t19", "CFM_712_t20", "CFM_712_t21", "CFM_712_t22", "CFM_712_t23", "CFM_712_t24",
    "CFM_712_t25", "CFM_712_t26", "CFM_712_t27", "CFM_712_t28", "CFM_712_t29", "CFM_712_t30",
)
JADE_GOLEM = summon_next(JADE_GOLEMS)

CARDS = (
    minion(
        "CFM_637", "Patches the Pirate", 1, 1, 1, PIRATE, LEGENDARY,
        on=in_deck(after_play(summon_this_from_deck(), whose=MINE, only=of_race(PIRATE))),
    ),
    minion(
        "CFM_325", "Small-Time Buccaneer", 1, 1, 1, PIRATE, RARE,
        aura=gives(SELF, 2, when=HAVE_WEAPON),
    ),
    minion("CFM_790", "Dirty Rat", 2, 2, 6, EPIC, TAUNT, battlecry=pull_from_enemy_hand()),
    minion(
        "CFM_649", "Kabal Courier", 3, 2, 2, KABAL, RARE,
        battlecry=discover(cards_of(MAGE), cards_of(PRIEST), cards_of(WARLOCK)),
    ),
    minion(
        "CFM_621", "Kazakus", 4, 3, 3, KABAL, LEGENDARY,
        battlecry=when(NO_DUPLICATES, craft_potion()),
    ),
    minion("CFM_651", "Naga Corsair", 4, 5, 4, PIRATE, COMMON, battlecry=buff_weapon(1)),
    minion(
        "CFM_902", "Aya Blackpaw", 6, 5, 3, JADE_LOTUS, LEGENDARY,
        battlecry=JADE_GOLEM, deathrattle=JADE_GOLEM,
    ),
    # Mage
    spell("CFM_065", "Volcanic Potion", 3, MAGE, RARE, play=damage(2, ALL_MINIONS)),
    minion(
        "CFM_660", "Manic Soulcaster", 3, 3, 4, MAGE, EPIC,
        target=FRIENDLY_MINION, battlecry=shuffle_copy(TARGET),
    ),
    # Shaman
    weapon("CFM_717", "Jade Claws", 2, 2, 2, SHAMAN, RARE, overload=1, battlecry=JADE_GOLEM),
    spell("CFM_707", "Jade Lightning", 4, SHAMAN, COMMON, target=CHARACTER, play=[damage(4), JADE_GOLEM]),
    # Jade Golems (cost as printed: 10 from the tenth on)
    token(minion("CFM_712_t01", "Jade Golem", 1, 1, 1)),
    token(minion("CFM_712_t02", "Jade Golem", 2, 2, 2)),
    token(minion("CFM_712_t03", "Jade Golem", 3, 3, 3)),
    token(minion("CFM_712_t04", "Jade Golem", 4, 4, 4)),
    token(minion("CFM_712_t05", "Jade Golem", 5, 5, 5)),
    token(minion("CFM_712_t06", "Jade Golem", 6, 6, 6)),
    token(minion("CFM_712_t07", "Jade Golem", 7, 7, 7)),
    token(minion("CFM_712_t08", "Jade Golem", 8, 8, 8)),
    token(minion("CFM_712_t09", "Jade Golem", 9, 9, 9)),
    token(minion("CFM_712_t10", "Jade Golem", 10, 10, 10)),
    token(minion("CFM_712_t11", "Jade Golem", 10, 11, 11)),
    token(minion("CFM_712_t12", "Jade Golem", 10, 12, 12)),
    token(minion("CFM_712_t13", "Jade Golem", 10, 13, 13)),
    token(minion("CFM_712_t14", "Jade Golem", 10, 14, 14)),
    token(minion("CFM_712_t15", "Jade Golem", 10, 15, 15)),
    token(minion("CFM_712_t16", "Jade Golem", 10, 16, 16)),
    token(minion("CFM_712_t17", "Jade Golem", 10, 17, 17)),
    token(minion("CFM_712_t18", "Jade Golem", 10, 18, 18)),
    token(minion("CFM_712_t19", "Jade Golem", 10, 19, 19)),
    token(minion("CFM_712_t20", "Jade Golem", 10, 20, 20)),
    token(minion("CFM_712_t21", "Jade Golem", 10, 21, 21)),
    token(minion("CFM_712_t22", "Jade Golem", 10, 22, 22)),
    token(minion("CFM_712_t23", "Jade Golem", 10, 23, 23)),
    token(minion("CFM_712_t24", "Jade Golem", 10, 24, 24)),
    token(minion("CFM_712_t25", "Jade Golem", 10, 25, 25)),
    token(minion("CFM_712_t26", "Jade Golem", 10, 26, 26)),
    token(minion("CFM_712_t27", "Jade Golem", 10, 27, 27)),
    token(minion("CFM_712_t28", "Jade Golem", 10, 28, 28)),
    token(minion("CFM_712_t29", "Jade Golem", 10, 29, 29)),
    token(minion("CFM_712_t30", "Jade Golem", 10, 30, 30)),
)
