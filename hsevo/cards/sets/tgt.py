"""The Grand Tournament (132 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

CARDS = (
    minion("AT_111", "Refreshment Vendor", 4, 3, 5, COMMON, battlecry=heal(4, HEROES)),
    spell("AT_004", "Arcane Blast", 1, MAGE, EPIC, target=ANY_MINION, play=damage(2, TARGET, spell_damage=2)),
    minion("AT_052", "Totem Golem", 2, 3, 4, SHAMAN, TOTEM, COMMON, overload=1),
)
