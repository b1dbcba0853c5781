"""Classic set (239 cards) and Hall of Fame (10), with tokens under the card that makes them."""

from hsevo.cards.words import *

CARDS = (
    # Neutral
    minion(
        "CS2_146", "Southsea Deckhand", 1, 2, 1, PIRATE, COMMON,
        aura=gives(SELF, 0, 0, CHARGE, when=If.HAVE_WEAPON),
    ),
    minion(
        "NEW1_018", "Bloodsail Raider", 2, 2, 3, PIRATE, COMMON, battlecry=buff(SELF, WEAPON_ATTACK)
    ),
    minion(
        "EX1_012", "Bloodmage Thalnos", 2, 1, 1, LEGENDARY, spell_damage=1, deathrattle=draw()
    ),
    minion(
        "NEW1_021", "Doomsayer", 2, 0, 7, EPIC, on=start_of_turn(destroy(ALL_MINIONS))
    ),
    minion("CS2_124", "Wolfrider", 3, 3, 1, COMMON, CHARGE),
    minion("EX1_020", "Scarlet Crusader", 3, 3, 1, COMMON, DIVINE_SHIELD),
    minion(
        "EX1_085", "Mind Control Tech", 3, 3, 3, RARE,
        battlecry=when(If.ENEMY_MINIONS_AT_LEAST, steal(ENEMY_MINIONS.random(1)), 4),
    ),
    minion(
        "NEW1_027", "Southsea Captain", 3, 3, 3, PIRATE, EPIC,
        aura=gives(MY_OTHER_MINIONS.where(of_race(PIRATE)), 1, 1),
    ),
    minion(
        "NEW1_022", "Dread Corsair", 4, 3, 3, PIRATE, COMMON, TAUNT,
        cost_rule=CostRule.WEAPON_ATTACK,
    ),
    minion("CS1_069", "Fen Creeper", 5, 3, 6, COMMON, TAUNT),
    minion(
        "EX1_561", "Alexstrasza", 9, 8, 8, LEGENDARY, DRAGON,
        target=ANY_HERO, battlecry=set_remaining_health(15),
    ),
    # Mage
    secret(
        "EX1_289", "Ice Barrier", 3, MAGE, COMMON, on=whenever(Event.ATTACKS, Whose.AT_ME, armor(8))
    ),
    secret(
        "EX1_295", "Ice Block", 3, MAGE, EPIC,
        on=whenever(Event.FATAL_DAMAGE, Whose.MINE, give_this_turn(MY_HERO, IMMUNE)),
    ),
    spell(
        "CS2_028", "Blizzard", 6, MAGE, RARE, play=[damage(2, ENEMY_MINIONS), freeze(ENEMY_MINIONS)]
    ),
    # Shaman
    spell("EX1_238", "Lightning Bolt", 1, SHAMAN, COMMON, overload=1, target=CHARACTER, play=damage(3)),
    spell(
        "EX1_259", "Lightning Storm", 3, SHAMAN, RARE, overload=2,
        play=damage(between(2, 3), ENEMY_MINIONS),
    ),
    minion(
        "NEW1_010", "Al'Akir the Windlord", 8, 3, 5, SHAMAN, LEGENDARY,
        CHARGE, DIVINE_SHIELD, TAUNT, WINDFURY,
    ),
    # Warrior
    spell(
        "EX1_409", "Upgrade!", 1, WARRIOR, RARE,
        play=[when(If.HAVE_WEAPON, [buff_weapon(1, 1), stop()]), equip("EX1_409t")],
    ),
    token(weapon("EX1_409t", "Heavy Axe", 1, 1, 3, WARRIOR)),
    minion(
        "EX1_604", "Frothing Berserker", 3, 2, 4, WARRIOR, RARE,
        on=whenever(Event.DAMAGED, Whose.ANY, buff(SELF, 1), only=A_MINION),
    ),
)

HALL_OF_FAME = (
    minion("EX1_284", "Azure Drake", 5, 4, 4, RARE, DRAGON, spell_damage=1, battlecry=draw()),
    minion(
        "EX1_016", "Sylvanas Windrunner", 6, 5, 5, LEGENDARY,
        deathrattle=steal(ENEMY_MINIONS.random(1)),
    ),
    minion(
        "EX1_298", "Ragnaros the Firelord", 8, 8, 8, LEGENDARY, CANT_ATTACK,
        on=end_of_turn(damage(8, ENEMIES.random(1))),
    ),
)
