"""Goblins vs Gnomes (123 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

SPARE_PARTS = one_of(
    "PART_001", "PART_002", "PART_003", "PART_004", "PART_005", "PART_006", "PART_007",
    name="Spare Part",
)
ADD_SPARE_PART = add_random(SPARE_PARTS)

# hearthstone.wiki.gg, Forgetful: any other enemy of the attacker, with even chances
WRONG_ENEMY = when(chance(50), retarget_attack(OTHER_DEFENDERS.random(1)))

CARDS = (
    # Spare Parts
    token(spell("PART_001", "Armor Plating", 1, target=ANY_MINION, play=buff(TARGET, health=1))),
    token(spell("PART_002", "Time Rewinder", 1, target=FRIENDLY_MINION, play=return_to_hand())),
    token(spell("PART_003", "Rusty Horn", 1, target=ANY_MINION, play=give(TARGET, TAUNT))),
    token(spell("PART_004", "Finicky Cloakfield", 1, target=FRIENDLY_MINION, play=give(TARGET, STEALTH_TURN))),
    token(spell("PART_005", "Emergency Coolant", 1, target=ANY_MINION, play=freeze())),
    token(spell("PART_006", "Reversing Switch", 1, target=ANY_MINION, play=swap_stats())),
    token(spell("PART_007", "Whirling Blades", 1, target=ANY_MINION, play=buff(TARGET, 1))),
    # Neutral
    minion("GVG_093", "Target Dummy", 0, 0, 2, RARE, MECH, TAUNT),
    minion("GVG_082", "Clockwork Gnome", 1, 2, 1, COMMON, MECH, deathrattle=ADD_SPARE_PART),
    minion("GVG_013", "Cogmaster", 1, 1, 2, COMMON, aura=gives(SELF, 2, when=control_another(MECH))),
    minion("GVG_085", "Annoy-o-Tron", 2, 1, 2, COMMON, MECH, TAUNT, DIVINE_SHIELD),
    minion("GVG_076", "Explosive Sheep", 2, 1, 1, COMMON, MECH, deathrattle=damage(2, ALL_MINIONS)),
    minion("GVG_081", "Gilblin Stalker", 2, 2, 3, COMMON, STEALTH),
    minion("GVG_006", "Mechwarper", 2, 2, 3, COMMON, MECH, aura=costs(-1, of_race(MECH))),
    minion("GVG_103", "Micro Machine", 2, 1, 2, COMMON, MECH, on=start_of_turn(buff(SELF, 1), whose=ANY)),
    minion("GVG_064", "Puddlestomper", 2, 3, 2, COMMON, MURLOC),
    minion(
        "GVG_075", "Ship's Cannon", 2, 2, 3, COMMON,
        on=after_summon(damage(2, ENEMIES.random(1)), only=of_race(PIRATE)),
    ),
    minion("GVG_067", "Stonesplinter Trogg", 2, 2, 3, COMMON, on=on_cast(buff(SELF, 1), whose=THEIRS)),
    minion(
        "GVG_108", "Recombobulator", 2, 3, 2, EPIC,
        target=FRIENDLY_MINION, battlecry=transform_by_cost(TARGET),
    ),
    minion("GVG_084", "Flying Machine", 3, 1, 4, COMMON, MECH, WINDFURY),
    minion("GVG_092", "Gnomish Experimenter", 3, 3, 2, RARE, battlecry=draw(only=A_MINION, becoming="GVG_092t")),
    token(minion("GVG_092t", "Chicken", 1, 1, 1, BEAST)),
    minion("GVG_095", "Goblin Sapper", 3, 2, 4, RARE, aura=gives(SELF, 4, when=enemy_cards_at_least(6))),
    minion("GVG_104", "Hobgoblin", 3, 2, 3, EPIC, on=on_play(buff(SUBJECT, 2, 2), only=minion_with_attack(1))),
    minion(
        "GVG_097", "Lil' Exorcist", 3, 2, 3, RARE, TAUNT,
        battlecry=buff_both(SELF, for_each_enemy_with(DEATHRATTLE, 1)),
    ),
    minion("GVG_065", "Ogre Brute", 3, 4, 4, COMMON, on=on_attack(WRONG_ENEMY, whose=OWN)),
    minion("GVG_098", "Gnomeregan Infantry", 3, 1, 4, COMMON, CHARGE, TAUNT),
    minion("GVG_089", "Illuminator", 3, 2, 4, RARE, on=end_of_turn(when(HAVE_SECRET, heal(4, MY_HERO)))),
    minion("GVG_044", "Spider Tank", 3, 3, 4, COMMON, MECH),
    minion(
        "GVG_102", "Tinkertown Technician", 3, 3, 3, COMMON,
        battlecry=when(control_another(MECH), [buff(SELF, 1, 1), ADD_SPARE_PART]),
    ),
    minion("GVG_091", "Arcane Nullifier X-21", 4, 2, 5, RARE, MECH, TAUNT, ELUSIVE),
    minion("GVG_068", "Burly Rockjaw Trogg", 4, 3, 5, COMMON, on=on_cast(buff(SELF, 2), whose=THEIRS)),
    minion(
        "GVG_107", "Enhance-o Mechano", 4, 3, 2, EPIC, MECH,
        battlecry=give_one_of(MY_OTHER_MINIONS, WINDFURY, TAUNT, DIVINE_SHIELD),
    ),
    minion(
        "GVG_094", "Jeeves", 4, 1, 4, RARE, MECH,
        on=[
            end_of_turn(draw(up_to(3))),
            end_of_turn(draw_for_enemy(up_to_for_enemy(3)), whose=THEIRS),
        ],
    ),
    minion("GVG_074", "Kezan Mystic", 4, 4, 3, RARE, battlecry=take_secret()),
    minion("GVG_071", "Lost Tallstrider", 4, 5, 4, COMMON, BEAST),
    minion(
        "GVG_078", "Mechanical Yeti", 4, 4, 5, COMMON, MECH,
        deathrattle=[ADD_SPARE_PART, add_random_for_enemy(SPARE_PARTS)],
    ),
    minion("GVG_109", "Mini-Mage", 4, 4, 1, EPIC, STEALTH, spell_damage=1),
    minion("GVG_096", "Piloted Shredder", 4, 4, 3, COMMON, MECH, deathrattle=summon_random(minions_of_cost(2))),
    minion(
        "GVG_119", "Blingtron 3000", 5, 3, 4, LEGENDARY, MECH,
        battlecry=[equip_random(WEAPONS), equip_random_for_enemy(WEAPONS)],
    ),
    minion("GVG_016", "Fel Reaver", 5, 8, 8, EPIC, MECH, on=on_play(lose_top_of_deck(3), whose=THEIRS)),
    minion(
        "GVG_111", "Mimiron's Head", 5, 4, 5, LEGENDARY, MECH,
        on=start_of_turn(
            when(
                control_at_least(3, MECH),
                [destroy(MY_MINIONS.where(of_race(MECH))), deaths(), summon("GVG_111t")],
            )
        ),
    ),
    token(minion("GVG_111t", "V-07-TR-0N", 8, 4, 8, MECH, CHARGE, MEGA_WINDFURY)),
    minion("GVG_069", "Antique Healbot", 5, 3, 3, COMMON, MECH, battlecry=heal(8, MY_HERO)),
    minion("GVG_099", "Bomb Lobber", 5, 3, 3, RARE, battlecry=damage(4, ENEMY_MINIONS.random(1))),
    minion(
        "GVG_120", "Hemet Nesingwary", 5, 6, 3, LEGENDARY,
        target=ANY_MINION.where(of_race(BEAST)), battlecry=destroy(),
    ),
    minion("GVG_106", "Junkbot", 5, 1, 5, EPIC, MECH, on=on_death(buff(SELF, 2, 2), only=of_race(MECH))),
    minion("GVG_090", "Madder Bomber", 5, 5, 4, RARE, battlecry=missiles(6, OTHER_CHARACTERS)),
    minion("GVG_070", "Salty Dog", 5, 7, 4, COMMON, PIRATE),
    minion(
        "GVG_117", "Gazlowe", 6, 3, 6, LEGENDARY,
        on=on_cast(when(paid(1), add_random(minions_of_race(MECH)))),
    ),
    minion("GVG_112", "Mogor the Ogre", 6, 7, 6, LEGENDARY, on=on_attack(WRONG_ENEMY, whose=ANY, only=A_MINION)),
    minion("GVG_105", "Piloted Sky Golem", 6, 6, 4, EPIC, MECH, deathrattle=summon_random(minions_of_cost(4))),
    minion(
        "GVG_115", "Toshley", 6, 5, 7, LEGENDARY,
        battlecry=ADD_SPARE_PART, deathrattle=ADD_SPARE_PART,
    ),
    minion("GVG_110", "Dr. Boom", 7, 7, 7, LEGENDARY, battlecry=summon("GVG_110t", 2)),
    token(minion("GVG_110t", "Boom Bot", 1, 1, 1, MECH, deathrattle=damage(between(1, 4), ENEMIES.random(1)))),
    minion(
        "GVG_118", "Troggzor the Earthinator", 7, 6, 6, LEGENDARY,
        on=on_cast(summon("GVG_068"), whose=THEIRS),
    ),
    minion("GVG_113", "Foe Reaper 4000", 8, 6, 9, LEGENDARY, MECH, CLEAVE),
    minion(
        "GVG_114", "Sneed's Old Shredder", 8, 5, 7, LEGENDARY, MECH,
        deathrattle=summon_random(LEGENDARY_MINIONS),
    ),
    minion("GVG_079", "Force-Tank MAX", 8, 7, 7, COMMON, MECH, DIVINE_SHIELD),
    minion(
        "GVG_116", "Mekgineer Thermaplugg", 9, 9, 7, LEGENDARY, MECH,
        on=on_death(summon("EX1_029"), whose=THEIRS),
    ),
    minion("GVG_121", "Clockwork Giant", 12, 8, 8, EPIC, MECH, cost_rule=CostRule.ENEMY_HAND),
    # Druid
    minion("GVG_030", "Anodized Robo Cub", 2, 2, 2, DRUID, COMMON, MECH, TAUNT, options=("GVG_030a", "GVG_030b")),
    token(spell("GVG_030a", "Attack Mode", 0, DRUID, play=buff(SELF, 1))),
    token(spell("GVG_030b", "Tank Mode", 0, DRUID, play=buff(SELF, health=1))),
    minion("GVG_032", "Grove Tender", 3, 2, 4, DRUID, RARE, options=("GVG_032a", "GVG_032b")),
    token(spell("GVG_032a", "Gift of Mana", 0, DRUID, play=[crystals(1), crystals_for_enemy(1)])),
    token(spell("GVG_032b", "Gift of Cards", 0, DRUID, play=[draw(), draw_for_enemy(1)])),
    minion(
        "GVG_080", "Druid of the Fang", 5, 4, 4, DRUID, COMMON,
        battlecry=when(control_another(BEAST), transform(SELF, "GVG_080t")),
    ),
    token(minion("GVG_080t", "Druid of the Fang", 5, 7, 7, DRUID, BEAST)),
    spell("GVG_041", "Dark Wispers", 6, DRUID, EPIC, options=("GVG_041a", "GVG_041b")),
    token(spell("GVG_041b", "Dark Wispers", 0, DRUID, need=Need.BOARD_SPACE, play=summon("CS2_231", 5))),
    token(
        spell(
            "GVG_041a", "Dark Wispers", 0, DRUID,
            target=ANY_MINION, play=[buff(TARGET, 5, 5), give(TARGET, TAUNT)],
        )
    ),
    spell("GVG_031", "Recycle", 6, DRUID, RARE, target=ENEMY_MINION, play=shuffle_away()),
    minion("GVG_034", "Mech-Bear-Cat", 6, 7, 6, DRUID, RARE, MECH, on=on_damage(ADD_SPARE_PART)),
    minion("GVG_035", "Malorne", 7, 9, 7, DRUID, LEGENDARY, BEAST, deathrattle=shuffle_this()),
    spell("GVG_033", "Tree of Life", 9, DRUID, EPIC, play=heal_fully(CHARACTERS)),
    # Hunter
    spell("GVG_017", "Call Pet", 2, HUNTER, RARE, play=draw(cheaper=4, only=of_race(BEAST))),
    spell("GVG_026", "Feign Death", 2, HUNTER, EPIC, play=trigger_deathrattles(MY_MINIONS)),
    weapon("GVG_043", "Glaivezooka", 2, 2, 2, HUNTER, COMMON, battlecry=buff(MY_MINIONS.random(1), 1)),
    minion("GVG_087", "Steamwheedle Sniper", 2, 2, 3, HUNTER, EPIC, POWER_AIMS),
    minion(
        "GVG_048", "Metaltooth Leaper", 3, 3, 3, HUNTER, RARE, MECH,
        battlecry=buff(MY_OTHER_MINIONS.where(of_race(MECH)), 2),
    ),
    spell("GVG_073", "Cobra Shot", 5, HUNTER, COMMON, target=ANY_MINION, play=[damage(3), damage(3, ENEMY_HERO)]),
    minion(
        "GVG_046", "King of Beasts", 5, 2, 6, HUNTER, RARE, BEAST, TAUNT,
        battlecry=buff(SELF, other_minions_of(BEAST)),
    ),
    minion("GVG_049", "Gahz'rilla", 7, 6, 9, HUNTER, LEGENDARY, BEAST, on=on_damage(double_attack(SELF))),
    # Mage
    spell("GVG_001", "Flamecannon", 2, MAGE, COMMON, need=Need.ENEMY_MINION, play=damage(4, ENEMY_MINIONS.random(1))),
    minion("GVG_002", "Snowchugger", 2, 2, 3, MAGE, COMMON, MECH, FREEZES),
    spell("GVG_003", "Unstable Portal", 2, MAGE, RARE, play=add_random(MINIONS, cheaper=3)),
    minion("GVG_007", "Flame Leviathan", 7, 7, 7, MAGE, LEGENDARY, MECH, drawn=damage(2, CHARACTERS)),
    minion("GVG_123", "Soot Spewer", 3, 3, 3, MAGE, RARE, MECH, spell_damage=1),
    spell("GVG_005", "Echo of Medivh", 4, MAGE, EPIC, play=add_copy(MY_MINIONS)),
    minion(
        "GVG_004", "Goblin Blastmage", 4, 5, 4, MAGE, RARE,
        battlecry=when(control_another(MECH), missiles(4)),
    ),
    minion(
        "GVG_122", "Wee Spellstopper", 4, 2, 5, MAGE, EPIC,
        aura=gives_keywords(ADJACENT, ELUSIVE), positional=True,
    ),
    # Paladin
    spell("GVG_057", "Seal of Light", 2, PALADIN, COMMON, play=[heal(4, MY_HERO), hero_attack(2)]),
    minion("GVG_058", "Shielded Minibot", 2, 2, 2, PALADIN, COMMON, MECH, DIVINE_SHIELD),
    weapon(
        "GVG_059", "Coghammer", 3, 2, 3, PALADIN, EPIC,
        battlecry=give(MY_MINIONS.random(1), DIVINE_SHIELD, TAUNT),
    ),
    spell("GVG_061", "Muster for Battle", 3, PALADIN, RARE, play=[summon("CS2_101t", 3), equip("CS2_091")]),
    minion(
        "GVG_101", "Scarlet Purifier", 3, 4, 3, PALADIN, RARE,
        battlecry=damage(2, ALL_MINIONS.where(having(DEATHRATTLE))),
    ),
    minion(
        "GVG_062", "Cobalt Guardian", 5, 6, 3, PALADIN, RARE, MECH,
        on=on_summon(give(SELF, DIVINE_SHIELD), only=of_race(MECH)),
    ),
    minion(
        "GVG_060", "Quartermaster", 5, 2, 5, PALADIN, EPIC,
        battlecry=buff(MY_MINIONS.where(copy_of("CS2_101t")), 2, 2),
    ),
    minion(
        "GVG_063", "Bolvar Fordragon", 5, 1, 7, PALADIN, LEGENDARY,
        on=in_hand(on_death(buff_cards(THIS_CARD, 1))),
    ),
    # Priest
    minion("GVG_009", "Shadowbomber", 1, 2, 1, PRIEST, EPIC, battlecry=damage(3, HEROES)),
    minion("GVG_072", "Shadowboxer", 2, 2, 3, PRIEST, RARE, MECH, on=on_heal(damage(1, ENEMIES.random(1)))),
    minion(
        "GVG_011", "Shrinkmeister", 2, 3, 2, PRIEST, COMMON,
        target=ANY_MINION, battlecry=buff_this_turn(TARGET, -2),
    ),
    spell(
        "GVG_010", "Velen's Chosen", 3, PRIEST, COMMON,
        target=ANY_MINION, play=[buff(TARGET, 2, 4), attach(TARGET, "GVG_010b")],
    ),
    enchantment("GVG_010b", "Velen's Chosen", spell_damage=1),
    spell(
        "GVG_012", "Light of the Naaru", 1, PRIEST, RARE,
        target=CHARACTER, play=[heal(3), when(TARGET_DAMAGED, summon("EX1_001"))],
    ),
    minion("GVG_014", "Vol'jin", 5, 6, 2, PRIEST, LEGENDARY, target=ANY_MINION, battlecry=swap_health()),
    spell("GVG_008", "Lightbomb", 6, PRIEST, EPIC, play=damage(ITS_ATTACK, ALL_MINIONS)),
    minion(
        "GVG_083", "Upgraded Repair Bot", 5, 5, 5, PRIEST, RARE, MECH,
        target=FRIENDLY_MINION.where(of_race(MECH)), battlecry=buff(TARGET, health=4),
    ),
    # Rogue
    minion("GVG_023", "Goblin Auto-Barber", 2, 3, 2, ROGUE, COMMON, MECH, battlecry=buff_weapon(1)),
    minion(
        "GVG_025", "One-eyed Cheat", 2, 4, 1, ROGUE, RARE, PIRATE,
        on=on_summon(give(SELF, STEALTH), only=of_race(PIRATE)),
    ),
    weapon(
        "GVG_024", "Cogmaster's Wrench", 3, 1, 3, ROGUE, EPIC,
        aura=gives(MY_WEAPON, 2, when=control_another(MECH)),
    ),
    minion(
        "GVG_027", "Iron Sensei", 3, 2, 2, ROGUE, RARE, MECH,
        on=end_of_turn(buff(MY_OTHER_MINIONS.where(of_race(MECH)).random(1), 2, 2)),
    ),
    spell(
        "GVG_047", "Sabotage", 4, ROGUE, EPIC,
        play=destroy(ENEMY_MINIONS.random(1)),
        combo=[destroy(ENEMY_MINIONS.random(1)), destroy_enemy_weapon()],
    ),
    spell(
        "GVG_022", "Tinker's Sharpsword Oil", 4, ROGUE, COMMON,
        play=buff_weapon(3), combo=[buff_weapon(3), buff(MY_MINIONS.random(1), 3)],
    ),
    minion("GVG_088", "Ogre Ninja", 5, 6, 6, ROGUE, RARE, STEALTH, on=on_attack(WRONG_ENEMY, whose=OWN)),
    minion(
        "GVG_028", "Trade Prince Gallywix", 6, 5, 8, ROGUE, LEGENDARY,
        on=on_cast(
            copy_to_other_player(), add_for_enemy("GVG_028t"), whose=THEIRS, only=spell_but("GVG_028t")
        ),
    ),
    token(spell("GVG_028t", "Gallywix's Coin", 0, play=temporary_mana(1))),
    # Shaman
    spell("GVG_038", "Crackle", 2, SHAMAN, COMMON, overload=1, target=CHARACTER, play=damage(between(3, 6))),
    spell(
        "GVG_029", "Ancestor's Call", 4, SHAMAN, EPIC,
        play=[summon_from_hand(MY_HAND.where(A_MINION).random(1)), pull_from_enemy_hand()],
    ),
    minion("GVG_039", "Vitality Totem", 2, 0, 3, SHAMAN, RARE, TOTEM, on=end_of_turn(heal(4, MY_HERO))),
    minion("GVG_037", "Whirling Zap-o-matic", 2, 3, 2, SHAMAN, COMMON, MECH, WINDFURY),
    weapon(
        "GVG_036", "Powermace", 3, 3, 2, SHAMAN, RARE,
        deathrattle=buff(MY_MINIONS.where(of_race(MECH)).random(1), 2, 2),
    ),
    minion(
        "GVG_040", "Siltfin Spiritwalker", 4, 2, 5, SHAMAN, EPIC, MURLOC, overload=1,
        on=on_death(draw(), only=of_race(MURLOC)),
    ),
    minion(
        "GVG_066", "Dunemaul Shaman", 4, 5, 4, SHAMAN, RARE, WINDFURY, overload=1,
        on=on_attack(WRONG_ENEMY, whose=OWN),
    ),
    minion(
        "GVG_042", "Neptulon", 7, 7, 7, SHAMAN, LEGENDARY, overload=3,
        battlecry=add_random(minions_of_race(MURLOC), 4),
    ),
    # Warlock
    spell("GVG_015", "Darkbomb", 2, WARLOCK, COMMON, target=CHARACTER, play=damage(3)),
    minion("GVG_018", "Mistress of Pain", 2, 1, 4, WARLOCK, RARE, DEMON, LIFESTEAL),
    minion(
        "GVG_020", "Fel Cannon", 4, 3, 5, WARLOCK, RARE, MECH,
        on=end_of_turn(damage(2, ALL_MINIONS.where(not_of_race(MECH)).random(1))),
    ),
    spell(
        "GVG_045", "Imp-losion", 4, WARLOCK, RARE, target=ANY_MINION,
        play=[counted_damage(between(2, 4)), summon("GVG_045t", DAMAGE_DEALT)],
    ),
    token(minion("GVG_045t", "Imp", 1, 1, 1, WARLOCK, DEMON)),
    spell(
        "GVG_019", "Demonheart", 5, WARLOCK, EPIC, target=ANY_MINION,
        play=when((TARGET_MINE, target_is(DEMON)), buff(TARGET, 5, 5), otherwise=damage(5)),
    ),
    minion(
        "GVG_100", "Floating Watcher", 5, 4, 4, WARLOCK, COMMON, DEMON,
        on=on_damage(buff(SELF, 2, 2), whose=MINE, only=A_HERO, when=MY_TURN),
    ),
    minion(
        "GVG_077", "Anima Golem", 6, 9, 9, WARLOCK, EPIC, MECH,
        on=end_of_turn(unless(CONTROL_ANOTHER_MINION, destroy(SELF)), whose=ANY),
    ),
    minion(
        "GVG_021", "Mal'Ganis", 9, 9, 7, WARLOCK, LEGENDARY, DEMON,
        aura=[gives(MY_OTHER_MINIONS.where(of_race(DEMON)), 2, 2), gives_keywords(MY_HERO, IMMUNE)],
    ),
    # Warrior
    minion("GVG_051", "Warbot", 1, 1, 3, WARRIOR, COMMON, MECH, aura=enrage(1)),
    spell("GVG_050", "Bouncing Blade", 3, WARRIOR, EPIC, need=Need.MINION, play=damage_until_one_dies(1)),
    weapon("GVG_054", "Ogre Warmaul", 3, 4, 2, WARRIOR, COMMON, on=on_attack(WRONG_ENEMY, only=A_HERO)),
    minion(
        "GVG_055", "Screwjank Clunker", 4, 2, 5, WARRIOR, RARE, MECH,
        target=FRIENDLY_MINION.where(of_race(MECH)), battlecry=buff(TARGET, 2, 2),
    ),
    minion("GVG_086", "Siege Engine", 5, 5, 5, WARRIOR, RARE, MECH, on=on_armor(buff(SELF, 1))),
    spell("GVG_052", "Crush", 7, WARRIOR, EPIC, cost_rule=CostRule.DAMAGED_MINION, target=ANY_MINION, play=destroy()),
    minion("GVG_056", "Iron Juggernaut", 6, 6, 5, WARRIOR, LEGENDARY, MECH, battlecry=shuffle_for_enemy("GVG_056t")),
    token(
        spell(
            "GVG_056t", "Burrowing Mine", 6, WARRIOR,
            **when_drawn(damage(10, MY_HERO, spell_damage=0), draw()),
        )
    ),
    minion("GVG_053", "Shieldmaiden", 6, 5, 5, WARRIOR, RARE, battlecry=armor(5)),
)
