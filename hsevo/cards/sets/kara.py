"""One Night in Karazhan (45 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

CARDS = (
    minion("KAR_114", "Barnes", 4, 3, 4, LEGENDARY, battlecry=summon_small_copy_from_deck()),
    minion("KAR_009", "Babbling Book", 1, 1, 1, MAGE, RARE, battlecry=add_random(spells_of(MAGE))),
    spell(
        "KAR_076", "Firelands Portal", 7, MAGE, COMMON,
        target=CHARACTER, play=[damage(5), summon_random(minions_of_cost(5))],
    ),
    weapon(
        "KAR_063", "Spirit Claws", 2, 1, 3, SHAMAN, COMMON,
        aura=gives(MY_WEAPON, 2, when=HAVE_SPELL_DAMAGE),
    ),
    spell(
        "KAR_073", "Maelstrom Portal", 2, SHAMAN, RARE,
        play=[damage(1, ENEMY_MINIONS), summon_random(minions_of_cost(1))],
    ),
)
