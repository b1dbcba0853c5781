"""Journey to Un'Goro (135 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

# what Kalimos can cast
INVOCATIONS = one_of("UNG_211a", "UNG_211b", "UNG_211c", "UNG_211d", name="Elemental Invocation")
OF_THIS_SET = cards_of_set(UNGORO, "Journey to Un'Goro card")
BIG_MINION = printed_attack_at_least(5)

CARDS = (
    # Adapt
    token(spell("UNG_999t2", "Living Spores", 0, play=attach(SELF, "UNG_999t2e"))),
    enchantment("UNG_999t2e", "Living Spores", deathrattle=summon("UNG_999t2t1", 2)),
    token(minion("UNG_999t2t1", "Plant", 1, 1, 1)),
    token(spell("UNG_999t3", "Flaming Claws", 0, play=buff(SELF, 3))),
    token(spell("UNG_999t4", "Rocky Carapace", 0, play=buff(SELF, health=3))),
    token(spell("UNG_999t5", "Liquid Membrane", 0, play=give(SELF, ELUSIVE))),
    token(spell("UNG_999t6", "Massive", 0, play=give(SELF, TAUNT))),
    token(spell("UNG_999t7", "Lightning Speed", 0, play=give(SELF, WINDFURY))),
    token(spell("UNG_999t8", "Crackling Shield", 0, play=give(SELF, DIVINE_SHIELD))),
    token(spell("UNG_999t10", "Shrouding Mist", 0, play=give(SELF, STEALTH_TURN))),
    token(spell("UNG_999t13", "Poison Spit", 0, play=give(SELF, POISONOUS))),
    token(spell("UNG_999t14", "Volcanic Might", 0, play=buff(SELF, 1, 1))),
    # Neutral
    minion("UNG_205", "Glacial Shard", 1, 2, 1, ELEMENTAL, COMMON, target=ENEMY_CHARACTER, battlecry=freeze()),
    minion("UNG_803", "Emerald Reaver", 1, 2, 1, BEAST, COMMON, battlecry=damage(1, HEROES)),
    minion("UNG_809", "Fire Fly", 1, 1, 2, ELEMENTAL, COMMON, battlecry=add("UNG_809t1")),
    token(minion("UNG_809t1", "Flame Elemental", 1, 1, 2, ELEMENTAL)),
    minion("UNG_085", "Emerald Hive Queen", 1, 2, 3, BEAST, EPIC, aura=costs(2, A_MINION)),
    minion(
        "UNG_009", "Ravasaur Runt", 2, 2, 2, BEAST, COMMON,
        battlecry=when(other_minions_at_least(2), adapt()),
    ),
    minion(
        "UNG_073", "Rockpool Hunter", 2, 2, 3, MURLOC, COMMON,
        target=FRIENDLY_MINION.where(of_race(MURLOC)), battlecry=buff(TARGET, 1, 1),
    ),
    minion("UNG_808", "Stubborn Gastropod", 2, 1, 2, BEAST, COMMON, TAUNT, POISONOUS),
    minion(
        "UNG_818", "Volatile Elemental", 2, 1, 1, ELEMENTAL, COMMON,
        deathrattle=damage(3, ENEMY_MINIONS.random(1)),
    ),
    minion(
        "UNG_807", "Golakka Crawler", 2, 2, 3, BEAST, RARE,
        target=ANY_MINION.where(of_race(PIRATE)), battlecry=when(target_is(PIRATE), [destroy(), buff(SELF, 1, 1)]),
    ),
    minion("UNG_076", "Eggnapper", 3, 3, 1, COMMON, deathrattle=summon("UNG_076t1", 2)),
    token(minion("UNG_076t1", "Raptor", 1, 1, 1, BEAST)),
    minion("UNG_814", "Giant Wasp", 3, 2, 2, BEAST, COMMON, STEALTH, POISONOUS),
    minion("UNG_845", "Igneous Elemental", 3, 2, 3, ELEMENTAL, COMMON, deathrattle=add("UNG_809t1", 2)),
    minion("UNG_001", "Pterrordax Hatchling", 3, 2, 2, BEAST, COMMON, battlecry=adapt()),
    minion(
        "UNG_937", "Primalfin Lookout", 3, 3, 2, MURLOC, COMMON,
        battlecry=when(control_another(MURLOC), discover(own_cards(race=MURLOC))),
    ),
    minion("UNG_928", "Tar Creeper", 3, 1, 5, ELEMENTAL, COMMON, TAUNT, aura=gives(SELF, 2, when=ENEMY_TURN)),
    minion(
        "UNG_082", "Thunder Lizard", 3, 3, 3, BEAST, COMMON,
        battlecry=when(PLAYED_ELEMENTAL, adapt()),
    ),
    minion("UNG_083", "Devilsaur Egg", 3, 0, 3, RARE, deathrattle=summon("UNG_083t1")),
    token(minion("UNG_083t1", "Devilsaur", 5, 5, 5, BEAST)),
    minion("UNG_844", "Humongous Razorleaf", 3, 4, 8, RARE, CANT_ATTACK),
    minion(
        "UNG_072", "Stonehill Defender", 3, 1, 4, RARE, TAUNT,
        battlecry=discover(own_cards(kind=MINION, test=having(TAUNT))),
    ),
    minion(
        "UNG_075", "Vicious Fledgling", 3, 3, 3, BEAST, RARE,
        on=after_attack(adapt(), when=DEFENDER_IS_HERO),
    ),
    minion(
        "UNG_946", "Gluttonous Ooze", 3, 3, 3, EPIC,
        battlecry=[armor(ENEMY_WEAPON_ATTACK), destroy_enemy_weapon()],
    ),
    minion("UNG_084", "Fire Plume Phoenix", 4, 3, 3, ELEMENTAL, COMMON, target=CHARACTER, battlecry=damage(2)),
    minion("UNG_810", "Stegodon", 4, 2, 6, BEAST, COMMON, TAUNT),
    minion(
        "UNG_070", "Tol'vir Stoneshaper", 4, 3, 5, RARE,
        battlecry=when(PLAYED_ELEMENTAL, give(SELF, TAUNT, DIVINE_SHIELD)),
    ),
    minion("UNG_089", "Gentle Megasaur", 4, 5, 4, BEAST, EPIC, battlecry=adapt(MY_MINIONS.where(of_race(MURLOC)))),
    minion("UNG_113", "Bright-Eyed Scout", 4, 3, 4, EPIC, battlecry=draw(costing=5)),
    minion(
        "UNG_900", "Spiritsinger Umbra", 4, 3, 4, LEGENDARY,
        on=after_summon(trigger_deathrattles(SUBJECT)),
    ),
    minion(
        "UNG_843", "The Voraxx", 4, 3, 3, LEGENDARY,
        on=after_cast(when(HAVE_ROOM, [summon("UNG_999t2t1"), cast_copy(LAST)]), whose=MY_SPELL_HERE),
    ),
    minion(
        "UNG_801", "Nesting Roc", 5, 4, 7, BEAST, COMMON,
        battlecry=when(other_minions_at_least(2), give(SELF, TAUNT)),
    ),
    minion(
        "UNG_816", "Servant of Kalimos", 5, 4, 5, ELEMENTAL, RARE,
        battlecry=when(PLAYED_ELEMENTAL, discover(own_cards(race=ELEMENTAL))),
    ),
    minion("UNG_087", "Bittertide Hydra", 5, 8, 8, BEAST, EPIC, on=on_damage(damage(3, MY_HERO))),
    minion("UNG_851", "Elise the Trailblazer", 5, 5, 5, LEGENDARY, battlecry=shuffle("UNG_851t1")),
    token(spell("UNG_851t1", "Un'Goro Pack", 2, play=add_random(OF_THIS_SET, 5))),
    minion("UNG_812", "Sabretooth Stalker", 6, 8, 2, BEAST, COMMON, STEALTH),
    minion("UNG_079", "Frozen Crusher", 6, 8, 8, ELEMENTAL, RARE, on=after_attack(freeze(SELF))),
    minion("UNG_840", "Hemet, Jungle Hunter", 6, 6, 6, LEGENDARY, battlecry=destroy_in_deck(cost_at_most(3))),
    minion("UNG_010", "Sated Threshadon", 7, 5, 7, BEAST, COMMON, deathrattle=summon("UNG_201t", 3)),
    minion("UNG_813", "Stormwatcher", 7, 4, 8, ELEMENTAL, COMMON, WINDFURY),
    minion("UNG_002", "Volcanosaur", 7, 5, 6, BEAST, RARE, battlecry=[adapt(), adapt()]),
    minion(
        "UNG_847", "Blazecaller", 7, 6, 6, ELEMENTAL, EPIC,
        target=CHARACTER.only_if(PLAYED_ELEMENTAL), battlecry=when(PLAYED_ELEMENTAL, damage(5)),
    ),
    minion(
        "UNG_099", "Charged Devilsaur", 8, 7, 7, BEAST, EPIC, CHARGE,
        battlecry=give(SELF, NO_HEROES_THIS_TURN),
    ),
    minion("UNG_848", "Primordial Drake", 8, 4, 8, DRAGON, EPIC, TAUNT, battlecry=damage(2, ALL_OTHER_MINIONS)),
    minion("UNG_088", "Tortollan Primalist", 8, 5, 4, EPIC, battlecry=discover_and_cast(own_spells())),
    minion("UNG_071", "Giant Mastodon", 9, 6, 10, BEAST, COMMON, TAUNT),
    minion(
        "UNG_907", "Ozruk", 9, 5, 5, ELEMENTAL, LEGENDARY, TAUNT,
        battlecry=buff_health(SELF, counted(ELEMENTALS_PLAYED, 5)),
    ),
    minion("UNG_806", "Ultrasaur", 10, 7, 14, BEAST, COMMON),
    # Druid
    spell(
        "UNG_108", "Earthen Scales", 1, DRUID, RARE,
        target=FRIENDLY_MINION, play=[buff(TARGET, 1, 1), armor(TARGET_ATTACK)],
    ),
    quest(
        "UNG_116", "Jungle Giants", DRUID,
        goal=5, reward="UNG_116t", on=after_summon(progress(), whose=MINE, only=attack_at_least(5)),
    ),
    token(
        minion(
            "UNG_116t", "Barnabus the Stomper", 5, 8, 8, DRUID, BEAST,
            battlecry=make_free(MY_DECK.where(A_MINION)),
        )
    ),
    minion(
        "UNG_078", "Tortollan Forager", 2, 2, 2, DRUID, COMMON,
        battlecry=add_random(cards_with(BIG_MINION)),
    ),
    minion(
        "UNG_109", "Elder Longneck", 3, 5, 1, DRUID, BEAST, COMMON,
        battlecry=when(holding_big_minion(5), adapt()),
    ),
    minion("UNG_101", "Shellshifter", 4, 3, 3, DRUID, RARE, options=("UNG_101a", "UNG_101b", "UNG_101t3")),
    token(spell("UNG_101a", "Raptor Form", 0, DRUID, RARE, play=transform(SELF, "UNG_101t"))),
    token(spell("UNG_101b", "Direhorn Form", 0, DRUID, RARE, play=transform(SELF, "UNG_101t2"))),
    token(minion("UNG_101t", "Shellshifter", 4, 5, 3, DRUID, BEAST, RARE, STEALTH)),
    token(minion("UNG_101t2", "Shellshifter", 4, 3, 5, DRUID, BEAST, RARE, TAUNT)),
    token(minion("UNG_101t3", "Shellshifter", 4, 5, 5, DRUID, BEAST, RARE, STEALTH, TAUNT)),
    spell("UNG_103", "Evolving Spores", 4, DRUID, RARE, play=adapt(MY_MINIONS)),
    spell(
        "UNG_111", "Living Mana", 5, DRUID, EPIC,
        need=Need.BOARD_SPACE, play=[lose_crystals_for_room(), summon("UNG_111t1", CRYSTALS_LOST)],
    ),
    token(minion("UNG_111t1", "Mana Treant", 2, 2, 2, DRUID, deathrattle=empty_crystals(1))),
    minion("UNG_100", "Verdant Longneck", 5, 5, 4, DRUID, BEAST, COMMON, battlecry=adapt()),
    minion(
        "UNG_086", "Giant Anaconda", 7, 5, 3, DRUID, BEAST, EPIC,
        deathrattle=summon_from_hand(MY_HAND.where(BIG_MINION).random(1)),
    ),
    minion("UNG_852", "Tyrantus", 10, 12, 12, DRUID, BEAST, LEGENDARY, ELUSIVE),
    # Hunter
    minion(
        "UNG_912", "Jeweled Macaw", 1, 1, 1, HUNTER, BEAST, COMMON,
        battlecry=add_random(minions_of_race(BEAST)),
    ),
    minion("UNG_914", "Raptor Hatchling", 1, 2, 1, HUNTER, BEAST, RARE, deathrattle=shuffle("UNG_914t1")),
    token(minion("UNG_914t1", "Raptor Patriarch", 1, 4, 3, HUNTER, BEAST)),
    spell("UNG_916", "Stampede", 1, HUNTER, EPIC, play=attach(MY_HERO, "UNG_916e")),
    enchantment(
        "UNG_916e", "Stampeding",
        on=on_play(add_random(minions_of_race(BEAST)), whose=MINE, only=of_race(BEAST)),
    ),
    quest(
        "UNG_920", "The Marsh Queen", HUNTER,
        goal=7, reward="UNG_920t1", on=after_play(progress(), whose=MINE, only=minion_of_cost(1)),
    ),
    token(
        minion("UNG_920t1", "Queen Carnassa", 5, 8, 8, HUNTER, BEAST, battlecry=shuffle("UNG_920t2", 15))
    ),
    token(minion("UNG_920t2", "Carnassa's Brood", 1, 3, 2, HUNTER, BEAST, battlecry=draw())),
    minion(
        "UNG_915", "Crackling Razormaw", 2, 3, 2, HUNTER, BEAST, COMMON,
        target=FRIENDLY_MINION.where(of_race(BEAST)), battlecry=adapt(TARGET),
    ),
    spell("UNG_917", "Dinomancy", 2, HUNTER, EPIC, play=set_power("UNG_917t1")),
    power("UNG_917t1", "Dinomancy", 2, HUNTER, target=ANY_MINION.where(of_race(BEAST)), play=buff(TARGET, 2, 2)),
    spell(
        "UNG_910", "Grievous Bite", 2, HUNTER, COMMON,
        target=ANY_MINION, play=[damage(2), damage(1, NEXT_TO_TARGET)],
    ),
    minion(
        "UNG_800", "Terrorscale Stalker", 3, 3, 3, HUNTER, RARE,
        target=FRIENDLY_MINION.where(having(DEATHRATTLE)), battlecry=trigger_deathrattles(TARGET),
    ),
    minion("UNG_913", "Tol'vir Warden", 5, 3, 5, HUNTER, RARE, battlecry=draw_from_deck(minion_of_cost(1), 2)),
    minion(
        "UNG_919", "Swamp King Dred", 7, 9, 9, HUNTER, BEAST, LEGENDARY,
        on=after_play(attack_subject(), whose=THEIRS, only=LIVING_MINION),
    ),
    # Mage
    quest(
        "UNG_028", "Open the Waygate", MAGE,
        goal=6, reward="UNG_028t", on=after_play(progress(), whose=MINE, only=A_SPELL, when=NOT_FROM_DECK),
    ),
    token(spell("UNG_028t", "Time Warp", 5, MAGE, play=extra_turn())),
    minion("UNG_020", "Arcanologist", 2, 2, 3, MAGE, COMMON, battlecry=draw_from_deck(A_SECRET)),
    spell("UNG_018", "Flame Geyser", 2, MAGE, COMMON, target=CHARACTER, play=[damage(2), add("UNG_809t1")]),
    minion(
        "UNG_846", "Shimmering Tempest", 2, 2, 1, MAGE, ELEMENTAL, COMMON,
        deathrattle=add_random(spells_of(MAGE)),
    ),
    spell("UNG_941", "Primordial Glyph", 2, MAGE, EPIC, play=discover(own_spells(), cheaper=2)),
    minion("UNG_027", "Pyros", 2, 2, 2, MAGE, ELEMENTAL, LEGENDARY, deathrattle=return_this("UNG_027t2")),
    token(minion("UNG_027t2", "Pyros", 6, 6, 6, MAGE, ELEMENTAL, LEGENDARY, deathrattle=return_this("UNG_027t4"))),
    token(minion("UNG_027t4", "Pyros", 10, 10, 10, MAGE, ELEMENTAL, LEGENDARY)),
    secret("UNG_024", "Mana Bind", 3, MAGE, RARE, on=on_cast(add_again(free=True), whose=THEIRS)),
    spell(
        "UNG_948", "Molten Reflection", 4, MAGE, RARE,
        target=FRIENDLY_MINION, need=Need.BOARD_SPACE, play=summon_copy(TARGET),
    ),
    minion(
        "UNG_021", "Steam Surger", 4, 5, 4, MAGE, ELEMENTAL, RARE,
        battlecry=when(PLAYED_ELEMENTAL, add("UNG_018")),
    ),
    spell("UNG_955", "Meteor", 6, MAGE, EPIC, target=ANY_MINION, play=[damage(15), damage(3, NEXT_TO_TARGET)]),
    # Paladin
    spell("UNG_961", "Adaptation", 1, PALADIN, COMMON, target=FRIENDLY_MINION, play=adapt(TARGET)),
    spell(
        "UNG_960", "Lost in the Jungle", 1, PALADIN, COMMON,
        need=Need.BOARD_SPACE, play=summon("CS2_101t", 2),
    ),
    quest(
        "UNG_954", "The Last Kaleidosaur", PALADIN,
        goal=6, reward="UNG_954t1", on=after_cast(progress(), whose=MY_SPELL_ON_FRIEND),
    ),
    token(
        minion(
            "UNG_954t1", "Galvadon", 5, 5, 5, PALADIN, BEAST,
            battlecry=[adapt(), adapt(), adapt(), adapt(), adapt()],
        )
    ),
    minion(
        "UNG_011", "Hydrologist", 2, 2, 2, PALADIN, MURLOC, COMMON,
        battlecry=discover(own_cards(test=A_SECRET), otherwise=secrets_of(PALADIN)),
    ),
    minion(
        "UNG_953", "Primalfin Champion", 2, 1, 2, PALADIN, MURLOC, EPIC,
        on=on_aim(keep_spell(), whose=MY_AIM), deathrattle=return_spells(),
    ),
    minion(
        "UNG_962", "Lightfused Stegodon", 4, 3, 4, PALADIN, BEAST, RARE,
        battlecry=adapt(MY_MINIONS.where(copy_of("CS2_101t"))),
    ),
    spell(
        "UNG_952", "Spikeridged Steed", 6, PALADIN, RARE,
        target=ANY_MINION, play=[buff(TARGET, 2, 6), give(TARGET, TAUNT), attach(TARGET, "UNG_952e")],
    ),
    enchantment("UNG_952e", "On a Stegodon", deathrattle=summon("UNG_810")),
    minion(
        "UNG_015", "Sunkeeper Tarim", 6, 3, 7, PALADIN, LEGENDARY, TAUNT,
        battlecry=[set_attack(3, ALL_OTHER_MINIONS), set_health(3, ALL_OTHER_MINIONS)],
    ),
    weapon(
        "UNG_950", "Vinecleaver", 7, 4, 3, PALADIN, RARE,
        on=after_attack(summon("CS2_101t", 2), whose=MINE, only=A_HERO),
    ),
    spell("UNG_004", "Dinosize", 8, PALADIN, EPIC, target=ANY_MINION, play=[set_attack(10), set_health(10)]),
    # Priest
    spell("UNG_030", "Binding Heal", 1, PRIEST, COMMON, target=ANY_MINION, play=[heal(5), heal(5, MY_HERO)]),
    quest(
        "UNG_940", "Awaken the Makers", PRIEST,
        goal=7, reward="UNG_940t8", on=after_summon(progress(), whose=MINE, only=having(DEATHRATTLE)),
    ),
    token(
        minion(
            "UNG_940t8", "Amara, Warden of Hope", 5, 8, 8, PRIEST, TAUNT,
            battlecry=set_remaining_health(40, MY_HERO),
        )
    ),
    minion("UNG_032", "Crystalline Oracle", 1, 1, 1, PRIEST, ELEMENTAL, RARE, deathrattle=copy_from_enemy_deck()),
    minion("UNG_034", "Radiant Elemental", 2, 2, 3, PRIEST, ELEMENTAL, COMMON, aura=costs(-1, A_SPELL)),
    spell("UNG_029", "Shadow Visions", 2, PRIEST, EPIC, play=discover_from_deck(A_SPELL)),
    minion(
        "UNG_022", "Mirage Caller", 3, 2, 3, PRIEST, RARE,
        target=FRIENDLY_MINION, battlecry=summon_small_copy(TARGET),
    ),
    minion(
        "UNG_035", "Curious Glimmerroot", 3, 3, 3, PRIEST, EPIC,
        battlecry=guess_from_enemy_deck(enemy_class_cards()),
    ),
    minion(
        "UNG_037", "Tortollan Shellraiser", 4, 2, 6, PRIEST, COMMON, TAUNT,
        deathrattle=buff(MY_MINIONS.random(1), 1, 1),
    ),
    minion(
        "UNG_963", "Lyra the Sunshard", 5, 3, 5, PRIEST, ELEMENTAL, LEGENDARY,
        on=on_cast(add_random(spells_of(PRIEST))),
    ),
    spell(
        "UNG_854", "Free From Amber", 8, PRIEST, RARE,
        need=Need.BOARD_SPACE, play=discover_and_summon(own_cards(kind=MINION, test=cost_at_least(8))),
    ),
    # Rogue
    spell("UNG_856", "Hallucination", 1, ROGUE, COMMON, play=discover(enemy_class_cards())),
    quest(
        "UNG_067", "The Caverns Below", ROGUE,
        goal=5, reward="UNG_067t1", on=after_play(progress_by_name(), whose=MINE, only=A_MINION),
    ),
    token(spell("UNG_067t1", "Crystal Core", 5, ROGUE, play=size_for_all(4))),
    spell("UNG_057", "Razorpetal Volley", 2, ROGUE, COMMON, play=add("UNG_057t1", 2)),
    token(spell("UNG_057t1", "Razorpetal", 1, ROGUE, target=CHARACTER, play=damage(1))),
    minion("UNG_058", "Razorpetal Lasher", 2, 2, 2, ROGUE, COMMON, battlecry=add("UNG_057t1")),
    minion("UNG_063", "Biteweed", 2, 1, 1, ROGUE, EPIC, combo=buff_both(SELF, PLAYED_EARLIER)),
    spell("UNG_060", "Mimic Pod", 3, ROGUE, RARE, play=draw(copies=1)),
    spell("UNG_823", "Envenom Weapon", 3, ROGUE, RARE, need=Need.WEAPON, play=give_weapon(POISONOUS)),
    weapon("UNG_061", "Obsidian Shard", 4, 3, 3, ROGUE, RARE, cost_rule=CostRule.FOREIGN_CARDS),
    minion(
        "UNG_065", "Sherazin, Corpse Flower", 4, 5, 3, ROGUE, LEGENDARY,
        deathrattle=lie_dormant("UNG_065t"),
    ),
    token(
        minion(
            "UNG_065t", "Sherazin, Seed", 11, 0, 1, ROGUE, dormant=True,
            on=after_play(wake_after(4, "UNG_065"), whose=MINE),
        )
    ),
    minion(
        "UNG_064", "Vilespine Slayer", 5, 3, 4, ROGUE, EPIC,
        target=ANY_MINION.only_if(PLAYED_BEFORE), combo=destroy(),
    ),
    # Shaman
    minion("UNG_019", "Air Elemental", 1, 2, 1, SHAMAN, ELEMENTAL, COMMON, ELUSIVE),
    quest(
        "UNG_942", "Unite the Murlocs", SHAMAN,
        goal=10, reward="UNG_942t", on=after_summon(progress(), whose=MINE, only=of_race(MURLOC)),
    ),
    token(
        minion(
            "UNG_942t", "Megafin", 5, 8, 8, SHAMAN, MURLOC,
            battlecry=add_random(minions_of_race(MURLOC), up_to(10)),
        )
    ),
    minion("UNG_201", "Primalfin Totem", 2, 0, 3, SHAMAN, TOTEM, RARE, on=end_of_turn(summon("UNG_201t"))),
    token(minion("UNG_201t", "Primalfin", 1, 1, 1, MURLOC)),
    minion(
        "UNG_202", "Fire Plume Harbinger", 2, 1, 1, SHAMAN, ELEMENTAL, RARE,
        battlecry=reduce_cost(MY_HAND.where(of_race(ELEMENTAL)), 1),
    ),
    minion(
        "UNG_938", "Hot Spring Guardian", 3, 2, 4, SHAMAN, ELEMENTAL, COMMON, TAUNT,
        target=CHARACTER, battlecry=heal(3),
    ),
    spell("UNG_956", "Spirit Echo", 3, SHAMAN, EPIC, play=attach(MY_MINIONS, "UNG_956e")),
    enchantment("UNG_956e", "Echoed Spirit", deathrattle=return_this()),
    spell("UNG_817", "Tidal Surge", 4, SHAMAN, COMMON, target=ANY_MINION, play=[damage(4), heal(4, MY_HERO)]),
    spell("UNG_025", "Volcano", 5, SHAMAN, RARE, overload=2, play=missiles(15, ALL_MINIONS)),
    minion(
        "UNG_208", "Stone Sentinel", 7, 4, 4, SHAMAN, ELEMENTAL, EPIC,
        battlecry=when(PLAYED_ELEMENTAL, summon("UNG_208t", 2)),
    ),
    token(minion("UNG_208t", "Rock Elemental", 2, 2, 3, SHAMAN, ELEMENTAL, TAUNT)),
    minion(
        "UNG_211", "Kalimos, Primal Lord", 8, 7, 7, SHAMAN, ELEMENTAL, LEGENDARY,
        battlecry=when(PLAYED_ELEMENTAL, choose_and_cast(INVOCATIONS)),
    ),
    token(spell("UNG_211a", "Invocation of Earth", 0, SHAMAN, play=summon("UNG_211aa", 7))),
    token(minion("UNG_211aa", "Stone Elemental", 1, 1, 1, SHAMAN, ELEMENTAL)),
    token(spell("UNG_211b", "Invocation of Water", 0, SHAMAN, play=heal(12, MY_HERO))),
    token(spell("UNG_211c", "Invocation of Fire", 0, SHAMAN, play=damage(6, ENEMY_HERO, spell_damage=0))),
    token(spell("UNG_211d", "Invocation of Air", 0, SHAMAN, play=damage(3, ENEMY_MINIONS, spell_damage=0))),
    # Warlock
    quest(
        "UNG_829", "Lakkari Sacrifice", WARLOCK,
        goal=6, reward="UNG_829t1", on=on_discard(progress()),
    ),
    token(
        spell(
            "UNG_829t1", "Nether Portal", 5, WARLOCK,
            need=Need.BOARD_SPACE, play=lie_dormant("UNG_829t2"),
        )
    ),
    token(
        minion(
            "UNG_829t2", "Nether Portal", 11, 0, 1, WARLOCK, dormant=True,
            on=end_of_turn(summon("UNG_829t3", 2)),
        )
    ),
    token(minion("UNG_829t3", "Nether Imp", 2, 3, 2, WARLOCK, DEMON)),
    minion(
        "UNG_836", "Clutchmother Zavas", 2, 2, 2, WARLOCK, BEAST, LEGENDARY,
        discarded=return_discarded(2),
    ),
    spell("UNG_832", "Bloodbloom", 2, WARLOCK, EPIC, play=rule_this_turn(NEXT_SPELL_FOR_HEALTH)),
    spell("UNG_831", "Corrupting Mist", 2, WARLOCK, RARE, play=attach(ALL_MINIONS, "UNG_831e")),
    enchantment("UNG_831e", "Corrupting Mist", on=start_of_turn(destroy(SELF))),
    minion(
        "UNG_835", "Chittering Tunneler", 3, 3, 3, WARLOCK, BEAST, EPIC,
        battlecry=[discover(own_spells()), damage(CHOSEN_COST, MY_HERO)],
    ),
    minion("UNG_833", "Lakkari Felhound", 4, 3, 8, WARLOCK, DEMON, COMMON, TAUNT, battlecry=discard(2)),
    minion(
        "UNG_047", "Ravenous Pterrordax", 4, 4, 4, WARLOCK, BEAST, COMMON,
        target=FRIENDLY_MINION, battlecry=when(AIMED, [destroy(), adapt(), adapt()]),
    ),
    spell(
        "UNG_834", "Feeding Time", 5, WARLOCK, RARE,
        target=ANY_MINION, play=[damage(3), summon("UNG_834t1", 3)],
    ),
    token(minion("UNG_834t1", "Pterrordax", 1, 1, 1, WARLOCK, BEAST)),
    minion("UNG_049", "Tar Lurker", 5, 1, 7, WARLOCK, ELEMENTAL, COMMON, TAUNT, aura=gives(SELF, 3, when=ENEMY_TURN)),
    minion("UNG_830", "Cruel Dinomancer", 6, 5, 5, WARLOCK, RARE, deathrattle=summon_discarded()),
    # Warrior
    spell("UNG_923", "Iron Hide", 1, WARRIOR, COMMON, play=armor(5)),
    quest(
        "UNG_934", "Fire Plume's Heart", WARRIOR,
        goal=7, reward="UNG_934t1", on=after_play(progress(), whose=MINE, only=minion_with(TAUNT)),
    ),
    token(weapon("UNG_934t1", "Sulfuras", 3, 4, 2, WARRIOR, battlecry=set_power("UNG_934t2"))),
    power("UNG_934t2", "DIE, INSECT!", 2, play=damage(8, ENEMIES.random(1))),
    weapon("UNG_929", "Molten Blade", 1, 1, 1, WARRIOR, RARE, shifts=SHIFTS_AT_RANDOM),
    minion(
        "UNG_926", "Cornered Sentry", 2, 2, 6, WARRIOR, RARE, TAUNT,
        battlecry=summon_for_enemy("UNG_076t1", 3),
    ),
    spell("UNG_922", "Explore Un'Goro", 2, WARRIOR, EPIC, play=transform_cards(MY_DECK, one_of("UNG_922t1"))),
    token(spell("UNG_922t1", "Choose Your Path", 1, WARRIOR, play=discover(own_cards()))),
    minion(
        "UNG_957", "Direhorn Hatchling", 5, 3, 6, WARRIOR, BEAST, RARE, TAUNT,
        deathrattle=shuffle("UNG_957t1"),
    ),
    token(minion("UNG_957t1", "Direhorn Matriarch", 5, 6, 9, WARRIOR, BEAST, TAUNT)),
    spell("UNG_927", "Sudden Genesis", 5, WARRIOR, EPIC, play=summon_copy(MY_MINIONS.where(DAMAGED))),
    minion("UNG_925", "Ornery Direhorn", 6, 5, 5, WARRIOR, BEAST, COMMON, TAUNT, battlecry=adapt()),
    minion("UNG_838", "Tar Lord", 7, 1, 11, WARRIOR, ELEMENTAL, COMMON, TAUNT, aura=gives(SELF, 4, when=ENEMY_TURN)),
    minion("UNG_933", "King Mosh", 9, 9, 7, WARRIOR, BEAST, LEGENDARY, battlecry=destroy(ALL_MINIONS.where(DAMAGED))),
)
