"""Whispers of the Old Gods (134 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

CARDS = (
    spell("OG_086", "Forbidden Flame", 0, MAGE, EPIC, target=ANY_MINION,
          play=[spend_mana(), damage(MANA_SPENT)]),
    spell("OG_090", "Cabalist's Tome", 5, MAGE, EPIC, play=add_random(spells_of(MAGE), 3)),
    minion("OG_028", "Thing from Below", 6, 5, 5, SHAMAN, RARE, TAUNT, cost_rule=CostRule.TOTEMS),
    minion("OG_312", "N'Zoth's First Mate", 1, 1, 1, WARRIOR, PIRATE, COMMON, battlecry=equip("OG_058")),
    token(weapon("OG_058", "Rusty Hook", 1, 1, 3, WARRIOR)),
    minion(
        "OG_315", "Bloodsail Cultist", 3, 3, 4, WARRIOR, PIRATE, RARE,
        battlecry=when(control_another(PIRATE), buff_weapon(1, 1)),
    ),
)
