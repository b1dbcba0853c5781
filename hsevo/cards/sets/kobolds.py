"""Kobolds & Catacombs (135 cards), with tokens under the card that makes them."""

from hsevo.cards.sets.heroes import BASIC_TOTEMS
from hsevo.cards.vocabulary import *

ANIMAL_COMPANIONS = one_of("NEW1_032", "NEW1_033", "NEW1_034")
SILVER_HAND_RECRUITS = MY_MINIONS.where(copy_of("CS2_101t"))
TREASURES = one_of("LOOT_998h", "LOOT_998j", "LOOT_998k", "LOOT_998l", name="Treasure")
MINION_IN_HAND = MY_HAND.where(A_MINION).random(1)

CARDS = (
    # Neutral
    minion("LOOT_258", "Dire Mole", 1, 1, 3, BEAST, COMMON),
    minion(
        "LOOT_218", "Feral Gibberer", 1, 1, 1, RARE,
        on=after_attack(add("LOOT_218"), when=DEFENDER_IS_HERO),
    ),
    minion(
        "LOOT_154", "Gravelsnout Knight", 1, 2, 3, RARE,
        battlecry=summon_random_for_enemy(minions_of_cost(1)),
    ),
    minion("LOOT_117", "Wax Elemental", 1, 0, 2, ELEMENTAL, COMMON, TAUNT, DIVINE_SHIELD),
    minion("LOOT_413", "Plated Beetle", 2, 2, 3, BEAST, COMMON, deathrattle=armor(3)),
    minion(
        "LOOT_111", "Scorp-o-matic", 2, 1, 2, MECH, RARE,
        target=ANY_MINION.where(attack_at_most(1)), battlecry=destroy(),
    ),
    minion("LOOT_152", "Boisterous Bard", 3, 3, 2, COMMON, battlecry=buff(MY_OTHER_MINIONS, health=1)),
    minion(
        "LOOT_132", "Dragonslayer", 3, 4, 3, COMMON,
        target=ANY_MINION.where(of_race(DRAGON)), battlecry=damage(6),
    ),
    minion("LOOT_388", "Fungal Enchanter", 3, 3, 3, COMMON, battlecry=heal(2, MY_CHARACTERS)),
    minion("LOOT_347", "Kobold Apprentice", 3, 2, 1, COMMON, battlecry=missiles(3)),
    minion(
        "LOOT_124", "Lone Champion", 3, 2, 4, RARE,
        battlecry=unless(CONTROL_ANOTHER_MINION, give(SELF, TAUNT, DIVINE_SHIELD)),
    ),
    minion("LOOT_389", "Rummaging Kobold", 3, 1, 3, EPIC, battlecry=return_broken_weapon()),
    minion("LOOT_069", "Sewer Crawler", 3, 1, 1, COMMON, battlecry=summon("LOOT_069t")),
    token(minion("LOOT_069t", "Giant Rat", 3, 2, 3, BEAST)),
    minion(
        "LOOT_394", "Shrieking Shroom", 3, 1, 2, RARE,
        on=end_of_turn(summon_random(minions_of_cost(1))),
    ),
    minion("LOOT_125", "Stoneskin Basilisk", 3, 1, 1, BEAST, COMMON, DIVINE_SHIELD, POISONOUS),
    minion("LOOT_134", "Toothy Chest", 3, 0, 4, COMMON, on=start_of_turn(set_attack(4, SELF))),
    minion("LOOT_529", "Void Ripper", 3, 3, 3, DEMON, EPIC, battlecry=swap_stats(ALL_OTHER_MINIONS)),
    minion(
        "LOOT_516", "Zola the Gorgon", 3, 2, 2, LEGENDARY,
        target=FRIENDLY_MINION, battlecry=add_copy(TARGET),
    ),
    minion("LOOT_233", "Cursed Disciple", 4, 5, 1, COMMON, deathrattle=summon("LOOT_233t")),
    token(minion("LOOT_233t", "Cursed Revenant", 4, 5, 1)),
    minion(
        "LOOT_118", "Ebon Dragonsmith", 4, 3, 4, DRAGON, RARE,
        battlecry=reduce_cost(MY_HAND.where(A_WEAPON).random(1), 2),
    ),
    minion(
        "LOOT_144", "Hoarding Dragon", 4, 5, 6, DRAGON, COMMON,
        deathrattle=add_for_enemy("GAME_005", 2),
    ),
    minion("LOOT_382", "Kobold Monk", 4, 3, 6, RARE, aura=gives_keywords(MY_HERO, ELUSIVE)),
    minion(
        "LOOT_193", "Shimmering Courser", 4, 3, 3, BEAST, EPIC,
        aura=gives_keywords(SELF, ELUSIVE, when=ENEMY_TURN),
    ),
    minion("LOOT_291", "Shroom Brewer", 4, 4, 4, COMMON, target=CHARACTER, battlecry=heal(4)),
    minion("LOOT_136", "Sneaky Devil", 4, 2, 2, DEMON, COMMON, STEALTH, aura=gives(MY_OTHER_MINIONS, 1)),
    minion(
        "LOOT_526", "The Darkness", 4, 20, 20, LEGENDARY, DORMANT,
        battlecry=shuffle_for_enemy("LOOT_526t", 3),
    ),
    token(spell("LOOT_526t", "Darkness Candle", 4, **casts_when_drawn(wake_enemies(3)))),
    minion("LOOT_130", "Arcane Tyrant", 5, 4, 4, ELEMENTAL, EPIC, cost_rule=CostRule.COSTLY_SPELL),
    minion(
        "LOOT_161", "Carnivorous Cube", 5, 4, 6, EPIC,
        target=FRIENDLY_MINION, battlecry=[destroy(), remember()],
        deathrattle=summon_remembered_copies(2),
    ),
    minion("LOOT_122", "Corrosive Sludge", 5, 5, 5, COMMON, battlecry=destroy_enemy_weapon()),
    minion("LOOT_167", "Fungalmancer", 5, 2, 2, COMMON, battlecry=buff(ADJACENT, 2, 2), positional=True),
    minion(
        "LOOT_150", "Furbolg Mossbinder", 5, 1, 1, RARE,
        target=FRIENDLY_MINION, battlecry=transform(TARGET, "LOOT_150t1"),
    ),
    token(minion("LOOT_150t1", "Moss Elemental", 6, 6, 6, ELEMENTAL)),
    minion("LOOT_131", "Green Jelly", 5, 3, 3, COMMON, on=end_of_turn(summon("LOOT_131t1"))),
    token(minion("LOOT_131t1", "Green Ooze", 2, 1, 2, TAUNT)),
    minion("LOOT_375", "Guild Recruiter", 5, 2, 4, COMMON, battlecry=summon_from_deck(cost_at_most(4))),
    minion("LOOT_315", "Trogg Gloomeater", 5, 1, 5, COMMON, TAUNT, POISONOUS),
    minion(
        "LOOT_383", "Hungry Ettin", 6, 4, 10, RARE, TAUNT,
        battlecry=summon_random_for_enemy(minions_of_cost(2)),
    ),
    minion(
        "LOOT_149", "Corridor Creeper", 7, 2, 5, BEAST, EPIC,
        on=in_hand(on_death(reduce_cost(THIS_CARD, 1), whose=ANY)),
    ),
    minion("LOOT_184", "Silver Vanguard", 7, 3, 3, COMMON, deathrattle=summon_from_deck(minion_of_cost(8))),
    minion(
        "LOOT_539", "Spiteful Summoner", 7, 4, 4, EPIC,
        battlecry=when(reveals(SPELL), summon_by_cost(CHOSEN_COST)),
    ),
    minion("LOOT_414", "Grand Archivist", 8, 4, 7, EPIC, on=end_of_turn(cast_from_deck())),
    minion(
        "LOOT_541", "King Togwaggle", 8, 5, 5, LEGENDARY,
        battlecry=[swap_decks(), add_for_enemy("LOOT_541t")],
    ),
    token(spell("LOOT_541t", "King's Ransom", 5, play=swap_decks())),
    minion("LOOT_357", "Marin the Fox", 8, 6, 6, LEGENDARY, battlecry=summon_for_enemy("LOOT_357l")),
    token(
        minion(
            "LOOT_357l", "Master Chest", 3, 0, 8,
            deathrattle=add_random_for_enemy(TREASURES),
        )
    ),
    token(spell("LOOT_998h", "Tolin's Goblet", 3, play=draw(copies=9))),
    token(
        spell(
            "LOOT_998j", "Zarog's Crown", 3,
            play=discover_summon(own_cards(kind=MINION, test=LEGENDARY_ONE), 2),
        )
    ),
    token(
        minion(
            "LOOT_998k", "Golden Kobold", 3, 6, 6, TAUNT,
            battlecry=transform_cards(MY_HAND, LEGENDARY_MINIONS),
        )
    ),
    token(spell("LOOT_998l", "Wondrous Wand", 3, play=draw(3, costing=0))),
    minion("LOOT_153", "Violet Wurm", 8, 7, 7, BEAST, COMMON, deathrattle=summon("LOOT_153t1", 7)),
    token(minion("LOOT_153t1", "Grub", 1, 1, 1, BEAST)),
    minion("LOOT_540", "Dragonhatcher", 9, 2, 4, EPIC, on=end_of_turn(summon_from_deck(of_race(DRAGON)))),
    minion(
        "LOOT_521", "Master Oakheart", 9, 5, 5, LEGENDARY,
        battlecry=[
            summon_from_deck(minion_with_attack(1)),
            summon_from_deck(minion_with_attack(2)),
            summon_from_deck(minion_with_attack(3)),
        ],
    ),
    minion("LOOT_137", "Sleepy Dragon", 9, 4, 12, DRAGON, COMMON, TAUNT),
    # Druid
    spell(
        "LOOT_047", "Barkskin", 1, DRUID, COMMON,
        target=ANY_MINION, play=[buff(TARGET, health=3), armor(3)],
    ),
    spell(
        "LOOT_051", "Lesser Jasper Spellstone", 1, DRUID, RARE, target=ANY_MINION, play=damage(2),
        on=in_hand(on_armor(upgrade_by(EVENT_AMOUNT, 3, "LOOT_051t1"))),
    ),
    token(
        spell(
            "LOOT_051t1", "Jasper Spellstone", 1, DRUID, RARE, target=ANY_MINION, play=damage(4),
            on=in_hand(on_armor(upgrade_by(EVENT_AMOUNT, 3, "LOOT_051t2"))),
        )
    ),
    token(
        spell(
            "LOOT_051t2", "Greater Jasper Spellstone", 1, DRUID, RARE,
            target=ANY_MINION, play=damage(6),
        )
    ),
    minion("LOOT_351", "Greedy Sprite", 3, 3, 1, DRUID, RARE, deathrattle=empty_crystals(1)),
    minion("LOOT_056", "Astral Tiger", 4, 3, 5, DRUID, EPIC, deathrattle=shuffle("LOOT_056")),
    spell(
        "LOOT_054", "Branching Paths", 4, DRUID, EPIC,
        play=[
            choose_effect(one_of("LOOT_054d", "LOOT_054b", "LOOT_054c")),
            choose_effect(one_of("LOOT_054d", "LOOT_054b", "LOOT_054c")),
        ],
    ),
    token(spell("LOOT_054d", "Eat the Mushroom", 0, DRUID, play=draw())),
    token(spell("LOOT_054b", "Explore the Darkness", 0, DRUID, play=buff(MY_MINIONS, 1))),
    token(spell("LOOT_054c", "Loot the Chest", 0, DRUID, play=armor(6))),
    minion(
        "LOOT_048", "Ironwood Golem", 4, 3, 6, DRUID, COMMON, TAUNT,
        aura=gives_keywords(SELF, CANT_ATTACK, when=armor_below(3)),
    ),
    spell(
        "LOOT_309", "Oaken Summons", 4, DRUID, COMMON,
        play=[armor(6), summon_from_deck(cost_at_most(4))],
    ),
    weapon("LOOT_392", "Twig of the World Tree", 4, 1, 5, DRUID, LEGENDARY, deathrattle=fill_crystals()),
    minion(
        "LOOT_329", "Ixlid, Fungal Lord", 5, 2, 4, DRUID, LEGENDARY,
        on=after_play(summon_copy(SUBJECT), only=A_MINION),
    ),
    minion(
        "LOOT_314", "Grizzled Guardian", 8, 3, 5, DRUID, BEAST, RARE, TAUNT,
        deathrattle=summon_from_deck(cost_at_most(4), 2),
    ),
    # Hunter
    weapon(
        "LOOT_222", "Candleshot", 1, 1, 3, HUNTER, COMMON,
        on=on_attack(give(MY_HERO, IMMUNE_ATTACKING), only=A_HERO),
    ),
    secret(
        "LOOT_079", "Wandering Monster", 2, HUNTER, RARE,
        on=on_attack_on_hero(
            summon_random(minions_of_cost(3)), retarget_attack(LAST), when=HAVE_ROOM
        ),
    ),
    minion("LOOT_078", "Cave Hydra", 3, 2, 4, HUNTER, BEAST, COMMON, CLEAVE),
    spell(
        "LOOT_077", "Flanking Strike", 4, HUNTER, COMMON,
        target=ANY_MINION, play=[damage(3), summon("LOOT_077t")],
    ),
    token(minion("LOOT_077t", "Wolf", 3, 3, 3, HUNTER, BEAST)),
    spell(
        "LOOT_080", "Lesser Emerald Spellstone", 6, HUNTER, RARE,
        need=Need.BOARD_SPACE, play=summon("LOOT_077t", 2),
        on=in_hand(on_cast(upgrade_by(1, 1, "LOOT_080t2"), only=A_SECRET)),
    ),
    token(
        spell(
            "LOOT_080t2", "Emerald Spellstone", 6, HUNTER, RARE,
            need=Need.BOARD_SPACE, play=summon("LOOT_077t", 3),
            on=in_hand(on_cast(upgrade_by(1, 1, "LOOT_080t3"), only=A_SECRET)),
        )
    ),
    token(
        spell(
            "LOOT_080t3", "Greater Emerald Spellstone", 6, HUNTER, RARE,
            need=Need.BOARD_SPACE, play=summon("LOOT_077t", 4),
        )
    ),
    minion("LOOT_520", "Seeping Oozeling", 6, 5, 4, HUNTER, RARE, battlecry=deathrattle_from_deck()),
    spell(
        "LOOT_217", "To My Side!", 6, HUNTER, EPIC, need=Need.BOARD_SPACE,
        play=when(
            none_in_deck(MINION), summon_random(ANIMAL_COMPANIONS, 2, different=True),
            otherwise=summon_random(ANIMAL_COMPANIONS),
        ),
    ),
    spell(
        "LOOT_522", "Crushing Walls", 7, HUNTER, EPIC,
        need=Need.ENEMY_MINION, play=destroy(OUTER_ENEMY_MINIONS),
    ),
    weapon(
        "LOOT_085", "Rhok'delar", 7, 4, 2, HUNTER, LEGENDARY,
        battlecry=when(none_in_deck(MINION), add_random(spells_of(HUNTER), up_to(10))),
    ),
    minion(
        "LOOT_511", "Kathrena Winterwisp", 8, 6, 6, HUNTER, LEGENDARY,
        battlecry=summon_from_deck(of_race(BEAST)), deathrattle=summon_from_deck(of_race(BEAST)),
    ),
    # Mage
    minion(
        "LOOT_231", "Arcane Artificer", 1, 1, 2, MAGE, ELEMENTAL, COMMON,
        on=on_cast(armor(EVENT_AMOUNT)),
    ),
    spell(
        "LOOT_103", "Lesser Ruby Spellstone", 2, MAGE, RARE, play=add_random(spells_of(MAGE)),
        on=in_hand(on_play(upgrade_by(1, 2, "LOOT_103t1"), only=of_race(ELEMENTAL))),
    ),
    token(
        spell(
            "LOOT_103t1", "Ruby Spellstone", 2, MAGE, RARE, play=add_random(spells_of(MAGE), 2),
            on=in_hand(on_play(upgrade_by(1, 2, "LOOT_103t2"), only=of_race(ELEMENTAL))),
        )
    ),
    token(spell("LOOT_103t2", "Greater Ruby Spellstone", 2, MAGE, RARE, play=add_random(spells_of(MAGE), 3))),
    minion(
        "LOOT_170", "Raven Familiar", 2, 2, 2, MAGE, BEAST, COMMON,
        battlecry=when(joust_won(SPELL), draw_revealed()),
    ),
    secret(
        "LOOT_101", "Explosive Runes", 3, MAGE, RARE,
        on=after_play(
            damage(6, SUBJECT), damage(EXCESS, ENEMY_HERO, spell_damage=0),
            whose=THEIRS, only=LIVING_MINION,
        ),
    ),
    spell("LOOT_104", "Shifting Scroll", 0, MAGE, COMMON, shifts=SHIFTS_AT_RANDOM),
    minion(
        "LOOT_537", "Leyline Manipulator", 4, 4, 5, MAGE, ELEMENTAL, RARE,
        battlecry=reduce_cost(MY_HAND.where(NOT_STARTED_IN_DECK), 2),
    ),
    spell("LOOT_106", "Deck of Wonders", 5, MAGE, EPIC, play=shuffle("LOOT_106t", 5)),
    token(spell("LOOT_106t", "Scroll of Wonder", 5, MAGE, **casts_when_drawn(cast_random(SPELLS)))),
    spell(
        "LOOT_172", "Dragon's Fury", 5, MAGE, EPIC,
        play=when(reveals(SPELL), damage(CHOSEN_COST, ALL_MINIONS)),
    ),
    weapon("LOOT_108", "Aluneth", 6, 0, 3, MAGE, LEGENDARY, on=end_of_turn(draw(3))),
    minion(
        "LOOT_535", "Dragoncaller Alanna", 9, 3, 3, MAGE, LEGENDARY,
        battlecry=summon("LOOT_535t", counted(COSTLY_SPELLS)),
    ),
    token(minion("LOOT_535t", "Fire Dragon", 5, 5, 5, MAGE, DRAGON)),
    # Paladin
    minion(
        "LOOT_363", "Drygulch Jailor", 2, 1, 1, PALADIN, COMMON,
        deathrattle=add("CS2_101t", 3),
    ),
    spell(
        "LOOT_091", "Lesser Pearl Spellstone", 2, PALADIN, RARE,
        need=Need.BOARD_SPACE, play=summon("LOOT_091t"),
        on=in_hand(on_heal(upgrade_by(EVENT_AMOUNT, 3, "LOOT_091t1"), whose=BY_MY_CARDS)),
    ),
    token(minion("LOOT_091t", "Guardian Spirit", 2, 2, 2, PALADIN, TAUNT)),
    token(
        spell(
            "LOOT_091t1", "Pearl Spellstone", 2, PALADIN, RARE,
            need=Need.BOARD_SPACE, play=summon("LOOT_091t1t"),
            on=in_hand(on_heal(upgrade_by(EVENT_AMOUNT, 3, "LOOT_091t2"), whose=BY_MY_CARDS)),
        )
    ),
    token(minion("LOOT_091t1t", "Guardian Spirit", 4, 4, 4, PALADIN, TAUNT)),
    token(
        spell(
            "LOOT_091t2", "Greater Pearl Spellstone", 2, PALADIN, RARE,
            need=Need.BOARD_SPACE, play=summon("LOOT_091t2t"),
        )
    ),
    token(minion("LOOT_091t2t", "Guardian Spirit", 6, 6, 6, PALADIN, TAUNT)),
    spell(
        "LOOT_088", "Potion of Heroism", 2, PALADIN, COMMON,
        target=ANY_MINION, play=[give(TARGET, DIVINE_SHIELD), draw()],
    ),
    minion(
        "LOOT_398", "Benevolent Djinn", 3, 2, 4, PALADIN, ELEMENTAL, COMMON,
        on=end_of_turn(heal(3, MY_HERO)),
    ),
    weapon(
        "LOOT_286", "Unidentified Maul", 3, 2, 2, PALADIN, RARE,
        becomes=one_of("LOOT_286t1", "LOOT_286t2", "LOOT_286t3", "LOOT_286t4"),
    ),
    token(weapon("LOOT_286t1", "Champion's Maul", 3, 2, 2, PALADIN, RARE, battlecry=summon("CS2_101t", 2))),
    token(weapon("LOOT_286t2", "Sacred Maul", 3, 2, 2, PALADIN, RARE, battlecry=give(MY_MINIONS, TAUNT))),
    token(weapon("LOOT_286t3", "Blessed Maul", 3, 2, 2, PALADIN, RARE, battlecry=buff(MY_MINIONS, 1))),
    token(
        weapon(
            "LOOT_286t4", "Purifier's Maul", 3, 2, 2, PALADIN, RARE,
            battlecry=give(MY_MINIONS, DIVINE_SHIELD),
        )
    ),
    spell(
        "LOOT_093", "Call to Arms", 5, PALADIN, EPIC,
        need=Need.BOARD_SPACE, play=summon_from_deck(cost_at_most(2), 3),
    ),
    minion(
        "LOOT_313", "Crystal Lion", 6, 5, 5, PALADIN, RARE, DIVINE_SHIELD,
        cost_rule=CostRule.OWN_COPIES, cost_arg="CS2_101t",
    ),
    spell(
        "LOOT_333", "Level Up!", 6, PALADIN, EPIC,
        play=[buff(SILVER_HAND_RECRUITS, 2, 2), give(SILVER_HAND_RECRUITS, TAUNT)],
    ),
    weapon(
        "LOOT_500", "Val'anyr", 6, 4, 2, PALADIN, LEGENDARY,
        deathrattle=attach_to_cards(MINION_IN_HAND, "LOOT_500e", 4, 2),
    ),
    enchantment("LOOT_500e", "Wielding Val'anyr", deathrattle=equip("LOOT_500")),
    minion("LOOT_216", "Lynessa Sunsorrow", 7, 1, 1, PALADIN, LEGENDARY, battlecry=cast_again()),
    # Priest
    spell("LOOT_353", "Psionic Probe", 1, PRIEST, COMMON, play=copy_from_enemy_deck(only=A_SPELL)),
    minion("LOOT_534", "Gilded Gargoyle", 3, 2, 2, PRIEST, COMMON, deathrattle=add("GAME_005")),
    minion(
        "LOOT_528", "Twilight Acolyte", 3, 2, 4, PRIEST, EPIC,
        target=ANY_MINION.only_if(holding(DRAGON)), battlecry=when(holding(DRAGON), swap_attack()),
    ),
    spell(
        "LOOT_187", "Twilight's Call", 3, PRIEST, RARE,
        need=Need.BOARD_SPACE, play=summon_dead(2, having(DEATHRATTLE), small=True),
    ),
    spell(
        "LOOT_278", "Unidentified Elixir", 3, PRIEST, COMMON, target=ANY_MINION, play=buff(TARGET, 2, 2),
        becomes=one_of("LOOT_278t1", "LOOT_278t2", "LOOT_278t3", "LOOT_278t4"),
    ),
    token(
        spell(
            "LOOT_278t1", "Elixir of Life", 3, PRIEST, COMMON,
            target=ANY_MINION, play=[buff(TARGET, 2, 2), give(TARGET, LIFESTEAL)],
        )
    ),
    token(
        spell(
            "LOOT_278t2", "Elixir of Purity", 3, PRIEST, COMMON,
            target=ANY_MINION, play=[buff(TARGET, 2, 2), give(TARGET, DIVINE_SHIELD)],
        )
    ),
    token(
        spell(
            "LOOT_278t3", "Elixir of Shadows", 3, PRIEST, COMMON,
            target=ANY_MINION, play=[buff(TARGET, 2, 2), summon_small_copy(TARGET)],
        )
    ),
    token(
        spell(
            "LOOT_278t4", "Elixir of Hope", 3, PRIEST, COMMON,
            target=ANY_MINION, play=[buff(TARGET, 2, 2), attach(TARGET, "LOOT_278t4e")],
        )
    ),
    enchantment("LOOT_278t4e", "Hopeful", deathrattle=return_this()),
    weapon(
        "LOOT_209", "Dragon Soul", 3, 0, 3, PRIEST, LEGENDARY,
        on=[
            after_cast(
                count_up(TALLY),
                when(counted_at_least(TALLY, 3), [summon("LOOT_209t"), reset_count(TALLY)]),
            ),
            end_of_turn(reset_count(TALLY)),
            on_equip(reset_count(TALLY)),
        ],
    ),
    token(minion("LOOT_209t", "Dragon Spirit", 5, 5, 5, PRIEST, DRAGON)),
    minion(
        "LOOT_410", "Duskbreaker", 4, 3, 3, PRIEST, DRAGON, RARE,
        battlecry=when(holding(DRAGON), damage(3, ALL_OTHER_MINIONS)),
    ),
    spell(
        "LOOT_507", "Lesser Diamond Spellstone", 7, PRIEST, RARE,
        need=Need.DEAD_FRIEND_AND_SPACE, play=summon_dead(2, different=True),
        on=in_hand(on_cast(upgrade_by(1, 4, "LOOT_507t"))),
    ),
    token(
        spell(
            "LOOT_507t", "Diamond Spellstone", 7, PRIEST, RARE,
            need=Need.DEAD_FRIEND_AND_SPACE, play=summon_dead(3, different=True),
            on=in_hand(on_cast(upgrade_by(1, 4, "LOOT_507t2"))),
        )
    ),
    token(
        spell(
            "LOOT_507t2", "Greater Diamond Spellstone", 7, PRIEST, RARE,
            need=Need.DEAD_FRIEND_AND_SPACE, play=summon_dead(4, different=True),
        )
    ),
    spell("LOOT_008", "Psychic Scream", 7, PRIEST, EPIC, play=shuffle_away_for_enemy(ALL_MINIONS)),
    minion(
        "LOOT_538", "Temporus", 7, 6, 6, PRIEST, DRAGON, LEGENDARY,
        battlecry=[count_up_for_enemy(EXTRA_TURNS, 1), count_up(LATER_TURNS)],
    ),
    # Rogue
    weapon(
        "LOOT_542", "Kingsbane", 1, 1, 3, ROGUE, LEGENDARY,
        keeps=True, deathrattle=shuffle("LOOT_542"),
    ),
    minion("LOOT_033", "Cavern Shinyfinder", 2, 3, 1, ROGUE, COMMON, battlecry=draw_from_deck(A_WEAPON)),
    secret(
        "LOOT_204", "Cheat Death", 2, ROGUE, COMMON,
        on=on_death(return_dead(cheaper=2), whose=MY_DEAD, when=HAND_ROOM),
    ),
    secret(
        "LOOT_214", "Evasion", 2, ROGUE, EPIC,
        on=on_damage(give_this_turn(MY_HERO, IMMUNE), whose=MINE, only=A_HERO),
    ),
    secret(
        "LOOT_210", "Sudden Betrayal", 2, ROGUE, COMMON,
        on=on_attack_on_hero(
            retarget_attack(NEXT_TO_SUBJECT.random(1)), only=A_MINION, when=SUBJECT_HAS_NEIGHBOR
        ),
    ),
    minion(
        "LOOT_165", "Sonya Shadowdancer", 3, 2, 2, ROGUE, LEGENDARY,
        on=on_death(add_small_again()),
    ),
    minion("LOOT_211", "Elven Minstrel", 4, 3, 2, ROGUE, RARE, combo=draw_from_deck(A_MINION, 2)),
    minion("LOOT_026", "Fal'dorei Strider", 4, 4, 4, ROGUE, EPIC, battlecry=shuffle("LOOT_026e", 3)),
    token(spell("LOOT_026e", "Spider Ambush!", 4, ROGUE, **casts_when_drawn(summon("LOOT_026t")))),
    token(minion("LOOT_026t", "Leyline Spider", 4, 4, 4, ROGUE, BEAST)),
    minion(
        "LOOT_412", "Kobold Illusionist", 4, 3, 3, ROGUE, RARE,
        deathrattle=summon_small_copy_from_hand(),
    ),
    spell(
        "LOOT_503", "Lesser Onyx Spellstone", 5, ROGUE, RARE,
        need=Need.ENEMY_MINION, play=destroy(ENEMY_MINIONS.random(1)),
        on=in_hand(on_play(upgrade_by(1, 3, "LOOT_503t"), only=having(DEATHRATTLE))),
    ),
    token(
        spell(
            "LOOT_503t", "Onyx Spellstone", 5, ROGUE, RARE,
            need=Need.ENEMY_MINION, play=destroy(ENEMY_MINIONS.random(2)),
            on=in_hand(on_play(upgrade_by(1, 3, "LOOT_503t2"), only=having(DEATHRATTLE))),
        )
    ),
    token(
        spell(
            "LOOT_503t2", "Greater Onyx Spellstone", 5, ROGUE, RARE,
            need=Need.ENEMY_MINION, play=destroy(ENEMY_MINIONS.random(3)),
        )
    ),
    # Shaman
    spell(
        "LOOT_504", "Unstable Evolution", 1, SHAMAN, EPIC, ECHO,
        target=FRIENDLY_MINION, play=transform_by_cost(TARGET, 1),
    ),
    spell("LOOT_060", "Crushing Hand", 2, SHAMAN, COMMON, overload=3, target=ANY_MINION, play=damage(8)),
    minion(
        "LOOT_062", "Kobold Hermit", 2, 1, 1, SHAMAN, COMMON,
        battlecry=choose_summon(BASIC_TOTEMS, BASIC_TOTEMS),
    ),
    minion(
        "LOOT_517", "Murmuring Elemental", 2, 1, 1, SHAMAN, ELEMENTAL, RARE,
        battlecry=rule_this_turn(NEXT_BATTLECRY_TWICE),
    ),
    spell("LOOT_373", "Healing Rain", 3, SHAMAN, COMMON, play=heal_split(12, MY_CHARACTERS.where(DAMAGED))),
    spell("LOOT_344", "Primal Talismans", 3, SHAMAN, RARE, play=attach(MY_MINIONS, "LOOT_344e")),
    enchantment("LOOT_344e", "Primal Talisman", deathrattle=summon_random(BASIC_TOTEMS)),
    minion(
        "LOOT_518", "Windshear Stormcaller", 5, 5, 5, SHAMAN, EPIC,
        battlecry=when(
            (
                there_is(MY_MINIONS.where(copy_of("CS2_050"))),
                there_is(MY_MINIONS.where(copy_of("CS2_051"))),
                there_is(MY_MINIONS.where(copy_of("NEW1_009"))),
                there_is(MY_MINIONS.where(copy_of("CS2_052"))),
            ),
            summon("NEW1_010"),
        ),
    ),
    minion(
        "LOOT_358", "Grumble, Worldshaker", 6, 7, 7, SHAMAN, ELEMENTAL, LEGENDARY,
        battlecry=return_to_hand(MY_OTHER_MINIONS, costing=1),
    ),
    spell(
        "LOOT_064", "Lesser Sapphire Spellstone", 7, SHAMAN, RARE, need=Need.BOARD_SPACE,
        target=FRIENDLY_MINION, play=summon_copy(TARGET),
        on=in_hand(on_overload(upgrade_by(EVENT_AMOUNT, 3, "LOOT_064t1"))),
    ),
    token(
        spell(
            "LOOT_064t1", "Sapphire Spellstone", 7, SHAMAN, RARE, need=Need.BOARD_SPACE,
            target=FRIENDLY_MINION, play=[summon_copy(TARGET), summon_copy(TARGET)],
            on=in_hand(on_overload(upgrade_by(EVENT_AMOUNT, 3, "LOOT_064t2"))),
        )
    ),
    token(
        spell(
            "LOOT_064t2", "Greater Sapphire Spellstone", 7, SHAMAN, RARE, need=Need.BOARD_SPACE,
            target=FRIENDLY_MINION,
            play=[summon_copy(TARGET), summon_copy(TARGET), summon_copy(TARGET)],
        )
    ),
    weapon(
        "LOOT_506", "The Runespear", 8, 3, 3, SHAMAN, LEGENDARY,
        on=after_attack(discover_and_cast(own_spells()), whose=MINE, only=A_HERO),
    ),
    # Warlock
    spell(
        "LOOT_017", "Dark Pact", 1, WARLOCK, COMMON,
        target=FRIENDLY_MINION, play=[destroy(), heal(4, MY_HERO)],
    ),
    minion(
        "LOOT_014", "Kobold Librarian", 1, 2, 1, WARLOCK, COMMON,
        battlecry=[draw(), damage(2, MY_HERO)],
    ),
    minion("LOOT_013", "Vulgar Homunculus", 2, 2, 4, WARLOCK, DEMON, COMMON, TAUNT, battlecry=damage(2, MY_HERO)),
    spell(
        "LOOT_043", "Lesser Amethyst Spellstone", 4, WARLOCK, RARE, LIFESTEAL,
        target=ANY_MINION, play=damage(3),
        on=in_hand(on_damage(upgrade_by(1, 1, "LOOT_043t2"), whose=ON_ME_BY_MY_CARDS)),
    ),
    token(
        spell(
            "LOOT_043t2", "Amethyst Spellstone", 4, WARLOCK, RARE, LIFESTEAL,
            target=ANY_MINION, play=damage(5),
            on=in_hand(on_damage(upgrade_by(1, 1, "LOOT_043t3"), whose=ON_ME_BY_MY_CARDS)),
        )
    ),
    token(
        spell(
            "LOOT_043t3", "Greater Amethyst Spellstone", 4, WARLOCK, RARE, LIFESTEAL,
            target=ANY_MINION, play=damage(7),
        )
    ),
    spell("LOOT_417", "Cataclysm", 4, WARLOCK, EPIC, play=[destroy(ALL_MINIONS), discard(CARDS_IN_HAND)]),
    minion(
        "LOOT_018", "Hooked Reaver", 4, 4, 4, WARLOCK, DEMON, RARE,
        battlecry=when(health_at_most(15), [buff(SELF, 3, 3), give(SELF, TAUNT)]),
    ),
    weapon(
        "LOOT_420", "Skull of the Man'ari", 5, 0, 3, WARLOCK, LEGENDARY,
        on=start_of_turn(summon_from_hand(MY_HAND.where(of_race(DEMON)).random(1))),
    ),
    minion(
        "LOOT_306", "Possessed Lackey", 6, 2, 2, WARLOCK, RARE,
        deathrattle=summon_from_deck(of_race(DEMON)),
    ),
    minion(
        "LOOT_415", "Rin, the First Disciple", 6, 3, 6, WARLOCK, LEGENDARY, TAUNT,
        deathrattle=add("LOOT_415t1"),
    ),
    token(spell("LOOT_415t1", "The First Seal", 5, WARLOCK, play=[summon("LOOT_415t1t"), add("LOOT_415t2")])),
    token(minion("LOOT_415t1t", "Felhunter", 2, 2, 2, WARLOCK, DEMON)),
    token(spell("LOOT_415t2", "The Second Seal", 5, WARLOCK, play=[summon("LOOT_415t2t"), add("LOOT_415t3")])),
    token(minion("LOOT_415t2t", "Felhunter", 3, 3, 3, WARLOCK, DEMON)),
    token(spell("LOOT_415t3", "The Third Seal", 5, WARLOCK, play=[summon("LOOT_415t3t"), add("LOOT_415t4")])),
    token(minion("LOOT_415t3t", "Felhunter", 4, 4, 4, WARLOCK, DEMON)),
    token(spell("LOOT_415t4", "The Fourth Seal", 5, WARLOCK, play=[summon("LOOT_415t4t"), add("LOOT_415t5")])),
    token(minion("LOOT_415t4t", "Felhunter", 5, 5, 5, WARLOCK, DEMON)),
    token(spell("LOOT_415t5", "The Final Seal", 5, WARLOCK, play=[summon("LOOT_415t5t"), add("LOOT_415t6")])),
    token(minion("LOOT_415t5t", "Felhunter", 6, 6, 6, WARLOCK, DEMON)),
    token(
        minion(
            "LOOT_415t6", "Azari, the Devourer", 10, 10, 10, WARLOCK, DEMON,
            battlecry=destroy_enemy_deck(),
        )
    ),
    minion("LOOT_368", "Voidlord", 9, 3, 9, WARLOCK, DEMON, EPIC, TAUNT, deathrattle=summon("CS2_065", 3)),
    # Warrior
    weapon(
        "LOOT_044", "Bladed Gauntlet", 2, 0, 2, WARRIOR, EPIC,
        aura=[attack_follows_armor(), gives_keywords(MY_HERO, CANT_ATTACK_HEROES)],
    ),
    minion(
        "LOOT_367", "Drywhisker Armorer", 2, 2, 2, WARRIOR, COMMON,
        battlecry=armor(times(2, count(ENEMY_MINIONS))),
    ),
    minion(
        "LOOT_041", "Kobold Barbarian", 3, 4, 4, WARRIOR, RARE,
        on=start_of_turn(attack(ENEMIES.random(1))),
    ),
    spell(
        "LOOT_364", "Reckless Flurry", 3, WARRIOR, EPIC,
        play=[spend_armor(), damage(ARMOR_SPENT, ALL_MINIONS)],
    ),
    minion(
        "LOOT_365", "Gemstudded Golem", 6, 5, 9, WARRIOR, COMMON, TAUNT,
        aura=gives_keywords(SELF, CANT_ATTACK, when=armor_below(5)),
    ),
    spell("LOOT_370", "Gather Your Party", 6, WARRIOR, RARE, need=Need.BOARD_SPACE, play=summon_from_deck()),
    spell(
        "LOOT_285", "Unidentified Shield", 6, WARRIOR, COMMON, play=armor(5),
        becomes=one_of("LOOT_285t", "LOOT_285t2", "LOOT_285t3", "LOOT_285t4"),
    ),
    token(spell("LOOT_285t", "Tower Shield +10", 6, WARRIOR, COMMON, play=[armor(5), armor(10)])),
    token(
        spell(
            "LOOT_285t2", "Serrated Shield", 6, WARRIOR, COMMON,
            target=CHARACTER, play=[armor(5), damage(5)],
        )
    ),
    token(spell("LOOT_285t3", "Runed Shield", 6, WARRIOR, COMMON, play=[armor(5), summon("LOOT_285t3t")])),
    token(minion("LOOT_285t3t", "Iron Golem", 5, 5, 5, WARRIOR)),
    token(spell("LOOT_285t4", "Spiked Shield", 6, WARRIOR, COMMON, play=[armor(5), equip("LOOT_285t4t")])),
    token(weapon("LOOT_285t4t", "Spiked Shield", 5, 5, 2, WARRIOR)),
    spell(
        "LOOT_203", "Lesser Mithril Spellstone", 7, WARRIOR, RARE,
        need=Need.BOARD_SPACE, play=summon("LOOT_203t4"),
        on=in_hand(on_equip(upgrade_by(1, 1, "LOOT_203t2"))),
    ),
    token(
        spell(
            "LOOT_203t2", "Mithril Spellstone", 7, WARRIOR, RARE,
            need=Need.BOARD_SPACE, play=summon("LOOT_203t4", 2),
            on=in_hand(on_equip(upgrade_by(1, 1, "LOOT_203t3"))),
        )
    ),
    token(
        spell(
            "LOOT_203t3", "Greater Mithril Spellstone", 7, WARRIOR, RARE,
            need=Need.BOARD_SPACE, play=summon("LOOT_203t4", 3),
        )
    ),
    token(minion("LOOT_203t4", "Mithril Golem", 5, 5, 5, WARRIOR)),
    minion(
        "LOOT_519", "Geosculptor Yip", 8, 4, 8, WARRIOR, LEGENDARY,
        on=end_of_turn(summon_by_cost(armor_up_to(10))),
    ),
    weapon(
        "LOOT_380", "Woecleaver", 8, 3, 3, WARRIOR, LEGENDARY,
        on=after_attack(summon_from_deck(), whose=MINE, only=A_HERO),
    ),
)
