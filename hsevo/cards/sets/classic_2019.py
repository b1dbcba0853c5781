"""The four cards that Classic gained between August 2018 and April 2019."""

from hsevo.cards.vocabulary import *

CARDS = (
    spell(
        "EX1_179", "Icicle", 2, MAGE, EPIC,
        target=ANY_MINION,
        play=[damage(2), when(TARGET_FROZEN, draw())],
    ),
    spell("EX1_180", "Tome of Intellect", 1, MAGE, COMMON, play=add_random(spells_of(MAGE))),
    spell("EX1_181", "Call of the Void", 1, WARLOCK, COMMON, play=add_random(minions_of_race(DEMON))),
    spell("EX1_182", "Pilfer", 1, ROGUE, COMMON, play=add_random(enemy_class_cards())),
)
