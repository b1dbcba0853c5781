"""Basic set (133 cards), with tokens under the card that makes them."""

from hsevo.cards.words import *

CARDS = (
    # Neutral
    minion("CS1_042", "Goldshire Footman", 1, 1, 2, COMMON, TAUNT),
    minion("CS2_168", "Murloc Raider", 1, 2, 1, COMMON, MURLOC),
    minion("CS2_172", "Bloodfen Raptor", 2, 3, 2, COMMON, BEAST),
    minion("CS2_121", "Frostwolf Grunt", 2, 2, 2, COMMON, TAUNT),
    minion("CS2_120", "River Crocolisk", 2, 2, 3, COMMON, BEAST),
    minion("EX1_066", "Acidic Swamp Ooze", 2, 3, 2, COMMON, battlecry=destroy_weapon()),
    minion("CS2_125", "Ironfur Grizzly", 3, 3, 3, COMMON, BEAST, TAUNT),
    minion("CS2_127", "Silverback Patriarch", 3, 1, 4, COMMON, BEAST, TAUNT),
    minion("CS2_118", "Magma Rager", 3, 5, 1, COMMON),
    minion("CS2_182", "Chillwind Yeti", 4, 4, 5, COMMON),
    minion("CS2_119", "Oasis Snapjaw", 4, 2, 7, COMMON, BEAST),
    minion("CS2_179", "Sen'jin Shieldmasta", 4, 3, 5, COMMON, TAUNT),
    minion("CS2_187", "Booty Bay Bodyguard", 5, 5, 4, COMMON, TAUNT),
    minion("CS2_200", "Boulderfist Ogre", 6, 6, 7, COMMON),
    minion("CS2_186", "War Golem", 7, 7, 7, COMMON),
    # Mage
    spell("CS2_024", "Frostbolt", 2, MAGE, COMMON, target=CHARACTER, play=[damage(3), freeze()]),
    spell("CS2_023", "Arcane Intellect", 3, MAGE, COMMON, play=draw(2)),
    spell("CS2_022", "Polymorph", 4, MAGE, COMMON, target=ANY_MINION, play=transform(TARGET, "CS2_tk1")),
    token(minion("CS2_tk1", "Sheep", 1, 1, 1, BEAST, COMMON)),
    spell("CS2_029", "Fireball", 4, MAGE, COMMON, target=CHARACTER, play=damage(6)),
    minion("CS2_033", "Water Elemental", 4, 3, 6, MAGE, COMMON, FREEZES),
    spell("CS2_032", "Flamestrike", 7, MAGE, COMMON, play=damage(4, ENEMY_MINIONS)),
    # Shaman
    spell("EX1_246", "Hex", 4, SHAMAN, COMMON, target=ANY_MINION, play=transform(TARGET, "hexfrog")),
    token(minion("hexfrog", "Frog", 0, 0, 1, BEAST, COMMON, TAUNT)),
    minion(
        "EX1_565", "Flametongue Totem", 2, 0, 3, SHAMAN, TOTEM, COMMON,
        aura=gives(ADJACENT, 2), positional=True,
    ),
    # Warrior
    weapon("CS2_106", "Fiery War Axe", 3, 3, 2, WARRIOR, COMMON),
    spell("CS2_105", "Heroic Strike", 2, WARRIOR, COMMON, play=hero_attack(4)),
    minion("NEW1_011", "Kor'kron Elite", 4, 4, 3, WARRIOR, COMMON, CHARGE),
    weapon("CS2_112", "Arcanite Reaper", 5, 5, 2, WARRIOR, COMMON),
)
