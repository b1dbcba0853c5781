"""Blackrock Mountain (31 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

CARDS = (
    # Neutral
    minion(
        "BRM_019", "Grim Patron", 5, 3, 3, RARE,
        on=on_damage(summon("BRM_019"), when=SUBJECT_ALIVE),
    ),
    minion("BRM_022", "Dragon Egg", 1, 0, 2, RARE, on=on_damage(summon("BRM_022t"))),
    token(minion("BRM_022t", "Black Whelp", 1, 2, 1, DRAGON, COMMON)),
    minion(
        "BRM_027", "Majordomo Executus", 9, 9, 7, LEGENDARY,
        deathrattle=[replace_hero("BRM_027h"), set_power("BRM_027p")],
    ),
    minion(
        "BRM_028", "Emperor Thaurissan", 6, 5, 5, LEGENDARY,
        on=end_of_turn(reduce_cost(MY_HAND, 1)),
    ),
    spell(
        "BRM_001", "Solemn Vigil", 5, PALADIN, COMMON,
        cost_rule=CostRule.MINIONS_DIED, play=draw(2),
    ),
    minion("BRM_031", "Chromaggus", 8, 6, 8, DRAGON, LEGENDARY, on=on_draw(copy_drawn())),
    hero("BRM_027h", "Ragnaros the Firelord", 8),
    power("BRM_027p", "DIE, INSECT!", 2, play=damage(8, ENEMIES.random(1))),
    minion(
        "BRM_029", "Rend Blackhand", 7, 8, 4, LEGENDARY,
        target=ANY_MINION.where(LEGENDARY_ONE).only_if(holding(DRAGON)),
        battlecry=when(holding(DRAGON), destroy()),
    ),
    minion(
        "BRM_033", "Blackwing Technician", 3, 2, 4, COMMON,
        battlecry=when(holding(DRAGON), buff(SELF, 1, 1)),
    ),
    minion(
        "BRM_034", "Blackwing Corruptor", 5, 5, 4, COMMON,
        target=CHARACTER.only_if(holding(DRAGON)), battlecry=when(holding(DRAGON), damage(3)),
    ),
    minion("BRM_020", "Dragonkin Sorcerer", 4, 3, 5, DRAGON, COMMON, on=on_aim(buff(SELF, 1, 1), whose=MY_AIM)),
    minion(
        "BRM_024", "Drakonid Crusher", 6, 6, 6, DRAGON, COMMON,
        battlecry=when(enemy_health_at_most(15), buff(SELF, 3, 3)),
    ),
    minion("BRM_025", "Volcanic Drake", 6, 6, 4, DRAGON, COMMON, cost_rule=CostRule.MINIONS_DIED),
    minion("BRM_026", "Hungry Dragon", 4, 5, 6, DRAGON, COMMON, battlecry=summon_random_for_enemy(minions_of_cost(1))),
    minion(
        "BRM_030", "Nefarian", 9, 8, 8, DRAGON, LEGENDARY,
        battlecry=when(ENEMY_CLASSLESS, add("BRM_030t", 2), otherwise=add_random(enemy_class_cards(SPELL), 2)),
    ),
    token(spell("BRM_030t", "Tail Swipe", 4, target=CHARACTER, play=damage(4))),
    # Druid
    minion("BRM_010", "Druid of the Flame", 3, 2, 2, DRUID, COMMON, options=("BRM_010a", "BRM_010b", "OG_044b")),
    token(spell("BRM_010a", "Firecat Form", 0, DRUID, play=transform(SELF, "BRM_010t"))),
    token(spell("BRM_010b", "Fire Hawk Form", 0, DRUID, play=transform(SELF, "BRM_010t2"))),
    token(minion("BRM_010t", "Druid of the Flame", 3, 5, 2, DRUID, COMMON, BEAST)),
    token(minion("BRM_010t2", "Druid of the Flame", 3, 2, 5, DRUID, COMMON, BEAST)),
    minion("BRM_009", "Volcanic Lumberer", 9, 7, 8, DRUID, RARE, TAUNT, cost_rule=CostRule.MINIONS_DIED),
    # Hunter
    spell(
        "BRM_013", "Quick Shot", 2, HUNTER, COMMON,
        target=CHARACTER, play=[damage(3), when(HAND_EMPTY, draw())],
    ),
    minion(
        "BRM_014", "Core Rager", 4, 4, 4, HUNTER, BEAST, RARE,
        battlecry=when(HAND_EMPTY, buff(SELF, 3, 3)),
    ),
    # Mage
    minion("BRM_002", "Flamewaker", 3, 2, 4, MAGE, RARE, on=after_cast(missiles(2))),
    spell(
        "BRM_003", "Dragon's Breath", 5, MAGE, COMMON,
        cost_rule=CostRule.MINIONS_DIED, target=CHARACTER, play=damage(4),
    ),
    # Paladin
    minion(
        "BRM_018", "Dragon Consort", 5, 5, 5, PALADIN, DRAGON, RARE,
        battlecry=count_up(NEXT_DRAGON_CHEAPER, 2),
    ),
    # Priest
    minion(
        "BRM_004", "Twilight Whelp", 1, 2, 1, PRIEST, DRAGON, COMMON,
        battlecry=when(holding(DRAGON), buff(SELF, health=2)),
    ),
    spell(
        "BRM_017", "Resurrect", 2, PRIEST, RARE,
        need=Need.DEAD_FRIEND_AND_SPACE, play=summon_dead(1),
    ),
    # Rogue
    spell(
        "BRM_007", "Gang Up", 2, ROGUE, COMMON,
        target=ANY_MINION, play=shuffle_copy(TARGET, 3),
    ),
    minion(
        "BRM_008", "Dark Iron Skulker", 5, 4, 3, ROGUE, RARE,
        battlecry=damage(2, ENEMY_MINIONS.where(UNDAMAGED)),
    ),
    # Shaman
    spell(
        "BRM_011", "Lava Shock", 2, SHAMAN, RARE,
        target=CHARACTER, play=[damage(2), unlock()],
    ),
    minion(
        "BRM_012", "Fireguard Destroyer", 4, 3, 6, SHAMAN, COMMON, overload=1,
        battlecry=buff(SELF, between(1, 4)),
    ),
    # Warlock
    spell(
        "BRM_005", "Demonwrath", 3, WARLOCK, RARE,
        play=damage(2, ALL_MINIONS.where(not_of_race(DEMON))),
    ),
    minion("BRM_006", "Imp Gang Boss", 3, 2, 4, WARLOCK, DEMON, COMMON, on=on_damage(summon("BRM_006t"))),
    token(minion("BRM_006t", "Imp", 1, 1, 1, WARLOCK, DEMON)),
    # Warrior
    spell(
        "BRM_015", "Revenge", 2, WARRIOR, RARE,
        play=when(health_at_most(12), damage(3, ALL_MINIONS), otherwise=damage(1, ALL_MINIONS)),
    ),
    minion("BRM_016", "Axe Flinger", 4, 2, 5, WARRIOR, COMMON, on=on_damage(damage(2, ENEMY_HERO))),
)
