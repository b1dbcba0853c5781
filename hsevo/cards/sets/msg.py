"""Mean Streets of Gadgetzan (132 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

# a player's n-th golem is n/n, the 30th and all later ones 30/30
JADE_GOLEMS = one_of(
    "CFM_712_t01", "CFM_712_t02", "CFM_712_t03", "CFM_712_t04", "CFM_712_t05", "CFM_712_t06",
    "CFM_712_t07", "CFM_712_t08", "CFM_712_t09", "CFM_712_t10", "CFM_712_t11", "CFM_712_t12",
    "CFM_712_t13", "CFM_712_t14", "CFM_712_t15", "CFM_712_t16", "CFM_712_t17", "CFM_712_t18",
    "CFM_712_t19", "CFM_712_t20", "CFM_712_t21", "CFM_712_t22", "CFM_712_t23", "CFM_712_t24",
    "CFM_712_t25", "CFM_712_t26", "CFM_712_t27", "CFM_712_t28", "CFM_712_t29", "CFM_712_t30",
)
JADE_GOLEM = summon_next(JADE_GOLEMS)
MINIONS_IN_HAND, MINION_IN_HAND = MY_HAND.where(A_MINION), MY_HAND.where(A_MINION).random(1)

CARDS = (
    minion("CFM_120", "Mistress of Mixtures", 1, 2, 2, COMMON, deathrattle=heal(4, HEROES)),
    minion("CFM_095", "Weasel Tunneler", 1, 1, 1, BEAST, EPIC, deathrattle=give_this_away()),
    minion(
        "CFM_637", "Patches the Pirate", 1, 1, 1, PIRATE, LEGENDARY,
        on=in_deck(after_play(summon_this_from_deck(), whose=MINE, only=of_race(PIRATE))),
    ),
    minion(
        "CFM_325", "Small-Time Buccaneer", 1, 1, 1, PIRATE, RARE,
        aura=gives(SELF, 2, when=HAVE_WEAPON),
    ),
    minion("CFM_647", "Blowgill Sniper", 2, 2, 1, MURLOC, COMMON, target=CHARACTER, battlecry=damage(1)),
    minion("CFM_790", "Dirty Rat", 2, 2, 6, EPIC, TAUNT, battlecry=pull_from_enemy_hand()),
    minion("CFM_654", "Friendly Bartender", 2, 2, 3, COMMON, on=end_of_turn(heal(1, MY_HERO))),
    minion("CFM_659", "Gadgetzan Socialite", 2, 2, 2, COMMON, target=CHARACTER, battlecry=heal(2)),
    minion(
        "CFM_321", "Grimestreet Informant", 2, 1, 1, GRIMY_GOONS, RARE,
        battlecry=discover(cards_of(HUNTER), cards_of(PALADIN), cards_of(WARRIOR)),
    ),
    minion(
        "CFM_853", "Grimestreet Smuggler", 3, 2, 4, GRIMY_GOONS, COMMON,
        battlecry=buff_cards(MINION_IN_HAND, 1, 1),
    ),
    minion("CFM_646", "Backstreet Leper", 3, 3, 1, COMMON, deathrattle=damage(2, ENEMY_HERO)),
    minion("CFM_609", "Fel Orc Soulfiend", 3, 3, 7, EPIC, on=start_of_turn(damage(2, SELF))),
    minion(
        "CFM_064", "Blubber Baron", 3, 1, 1, EPIC,
        on=in_hand(on_summon(buff_cards(THIS_CARD, 1, 1), whose=MINE, only=WITH_BATTLECRY)),
    ),
    minion("CFM_653", "Hired Gun", 3, 4, 3, COMMON, TAUNT),
    minion(
        "CFM_649", "Kabal Courier", 3, 2, 2, KABAL, RARE,
        battlecry=discover(cards_of(MAGE), cards_of(PRIEST), cards_of(WARLOCK)),
    ),
    minion("CFM_039", "Street Trickster", 3, 0, 7, DEMON, COMMON, spell_damage=1),
    minion("CFM_341", "Sergeant Sally", 3, 1, 1, LEGENDARY, deathrattle=damage(OWN_ATTACK, ENEMY_MINIONS)),
    minion("CFM_655", "Toxic Sewer Ooze", 3, 4, 3, COMMON, battlecry=damage_enemy_weapon()),
    minion("CFM_658", "Backroom Bouncer", 4, 4, 4, RARE, on=on_death(buff(SELF, 1))),
    minion("CFM_807", "Auctionmaster Beardo", 3, 3, 4, LEGENDARY, on=after_cast(refresh_power())),
    minion("CFM_851", "Daring Reporter", 4, 3, 3, COMMON, on=on_draw(buff(SELF, 1, 1), whose=THEIRS)),
    minion("CFM_067", "Hozen Healer", 4, 2, 6, COMMON, target=ANY_MINION, battlecry=heal_fully(TARGET)),
    minion(
        "CFM_619", "Kabal Chemist", 4, 3, 3, KABAL, COMMON,
        battlecry=add_random(
            one_of(
                "CFM_603", "CFM_620", "CFM_065", "CFM_021", "CFM_604", "CFM_611", "CFM_094", "CFM_661",
                "CFM_662", "CFM_608", name="Potion",
            )
        ),
    ),
    minion(
        "CFM_621", "Kazakus", 4, 3, 3, KABAL, LEGENDARY,
        battlecry=when(NO_DUPLICATES, craft_potion()),
    ),
    minion("CFM_715", "Jade Spirit", 4, 2, 3, JADE_LOTUS, COMMON, battlecry=JADE_GOLEM),
    minion("CFM_063", "Kooky Chemist", 4, 4, 4, COMMON, target=ANY_MINION, battlecry=swap_stats()),
    minion("CFM_651", "Naga Corsair", 4, 5, 4, PIRATE, COMMON, battlecry=buff_weapon(1)),
    minion(
        "CFM_808", "Genzo, the Shark", 4, 5, 4, LEGENDARY,
        on=on_attack(draw(up_to(3)), draw_for_enemy(up_to_for_enemy(3)), whose=OWN),
    ),
    minion(
        "CFM_809", "Tanaris Hogchopper", 4, 4, 4, COMMON,
        battlecry=when(ENEMY_HAND_EMPTY, give(SELF, CHARGE)),
    ),
    minion("CFM_665", "Worgen Greaser", 4, 6, 3, COMMON),
    minion(
        "CFM_667", "Bomb Squad", 5, 2, 2, RARE,
        target=ENEMY_MINION, battlecry=damage(5), deathrattle=damage(5, MY_HERO),
    ),
    minion(
        "CFM_668", "Doppelgangster", 5, 2, 2, RARE,
        battlecry=[summon_copy(SELF, "CFM_668t"), summon_copy(SELF, "CFM_668t2", left=True)],
    ),
    token(
        minion(
            "CFM_668t", "Doppelgangster", 5, 2, 2, RARE,
            battlecry=[summon_copy(SELF, "CFM_668t"), summon_copy(SELF, "CFM_668t2", left=True)],
        )
    ),
    token(
        minion(
            "CFM_668t2", "Doppelgangster", 5, 2, 2, RARE,
            battlecry=[summon_copy(SELF, "CFM_668t"), summon_copy(SELF, "CFM_668t2", left=True)],
        )
    ),
    minion("CFM_652", "Second-Rate Bruiser", 5, 4, 5, RARE, TAUNT, cost_rule=CostRule.CROWD),
    minion(
        "CFM_688", "Spiked Hogrider", 5, 5, 5, RARE,
        battlecry=when(there_is(ENEMY_MINIONS.where(having(TAUNT))), give(SELF, CHARGE)),
    ),
    minion(
        "CFM_344", "Finja, the Flying Star", 5, 2, 4, MURLOC, LEGENDARY, STEALTH,
        on=after_attack(summon_from_deck(of_race(MURLOC), 2), when=DEFENDER_DEAD),
    ),
    minion("CFM_669", "Burgly Bully", 5, 4, 6, EPIC, on=on_cast(add("GAME_005"), whose=THEIRS)),
    minion("CFM_666", "Grook Fu Master", 5, 3, 5, COMMON, WINDFURY),
    minion(
        "CFM_852", "Lotus Agents", 5, 5, 3, JADE_LOTUS, RARE,
        battlecry=discover(cards_of(DRUID), cards_of(ROGUE), cards_of(SHAMAN)),
    ),
    minion("CFM_060", "Red Mana Wyrm", 5, 2, 6, COMMON, on=on_cast(buff(SELF, 2))),
    minion(
        "CFM_656", "Streetwise Investigator", 5, 4, 6, COMMON,
        battlecry=remove(ENEMY_MINIONS, STEALTH, STEALTH_TURN),
    ),
    minion(
        "CFM_855", "Defias Cleaner", 6, 5, 7, EPIC,
        target=ANY_MINION.where(having(DEATHRATTLE)), battlecry=silence(),
    ),
    minion(
        "CFM_328", "Fight Promoter", 6, 4, 4, EPIC,
        battlecry=when(there_is(MY_MINIONS.where(health_at_least(6))), draw(2)),
    ),
    minion(
        "CFM_025", "Wind-up Burglebot", 6, 5, 5, MECH, EPIC,
        on=after_attack(when(DEFENDER_IS_MINION, draw()), when=SUBJECT_ALIVE),
    ),
    minion("CFM_672", "Madam Goya", 6, 4, 3, LEGENDARY, target=FRIENDLY_MINION, battlecry=swap_with_deck()),
    minion("CFM_806", "Wrathion", 6, 4, 5, LEGENDARY, TAUNT, battlecry=draw_until_not(of_race(DRAGON))),
    minion("CFM_854", "Ancient of Blossoms", 6, 3, 8, COMMON, TAUNT),
    minion(
        "CFM_902", "Aya Blackpaw", 6, 5, 3, JADE_LOTUS, LEGENDARY,
        battlecry=JADE_GOLEM, deathrattle=JADE_GOLEM,
    ),
    minion("CFM_648", "Big-Time Racketeer", 6, 1, 1, COMMON, battlecry=summon("CFM_648t")),
    token(minion("CFM_648t", '"Little Friend"', 6, 6, 6)),
    minion(
        "CFM_810", "Leatherclad Hogleader", 6, 6, 6, EPIC,
        battlecry=when(enemy_cards_at_least(6), give(SELF, CHARGE)),
    ),
    minion(
        "CFM_685", "Don Han'Cho", 7, 5, 6, GRIMY_GOONS, LEGENDARY,
        battlecry=buff_cards(MINION_IN_HAND, 5, 5),
    ),
    minion(
        "CFM_670", "Mayor Noggenfogger", 9, 5, 4, LEGENDARY, RANDOM_TARGETS,
        on=on_attack(retarget_attack(DEFENDERS.random(1)), whose=ANY),
    ),
    # Druid
    spell("CFM_602", "Jade Idol", 1, DRUID, RARE, options=("CFM_602a", "CFM_602b")),
    token(spell("CFM_602a", "Jade Idol", 0, DRUID, play=JADE_GOLEM)),
    token(spell("CFM_602b", "Jade Idol", 0, DRUID, play=shuffle("CFM_602", 3))),
    spell("CFM_614", "Mark of the Lotus", 1, DRUID, COMMON, play=buff(MY_MINIONS, 1, 1)),
    minion(
        "CFM_617", "Celestial Dreamer", 3, 3, 3, DRUID, RARE,
        battlecry=when(there_is(MY_MINIONS.where(attack_at_least(5))), buff(SELF, 2, 2)),
    ),
    spell(
        "CFM_713", "Jade Blossom", 3, DRUID, COMMON,
        need=Need.SPACE_OR_CRYSTAL, play=[JADE_GOLEM, empty_crystals(1)],
    ),
    spell(
        "CFM_616", "Pilfered Power", 3, DRUID, EPIC,
        play=when(FULL_MANA, add("CS2_013t"), otherwise=empty_crystals(count(MY_MINIONS))),
    ),
    minion(
        "CFM_816", "Virmen Sensei", 5, 4, 5, DRUID, RARE,
        target=FRIENDLY_MINION.where(of_race(BEAST)), battlecry=buff(TARGET, 2, 2),
    ),
    spell("CFM_811", "Lunar Visions", 5, DRUID, EPIC, play=draw(2, 2, only=A_MINION)),
    minion("CFM_343", "Jade Behemoth", 6, 3, 6, DRUID, COMMON, TAUNT, battlecry=JADE_GOLEM),
    minion("CFM_308", "Kun the Forgotten King", 10, 7, 7, DRUID, LEGENDARY, options=("CFM_308a", "CFM_308b")),
    token(spell("CFM_308a", "Forgotten Armor", 0, DRUID, play=armor(10))),
    token(spell("CFM_308b", "Forgotten Mana", 0, DRUID, play=refresh_mana())),
    # Hunter
    spell(
        "CFM_334", "Smuggler's Crate", 1, HUNTER, COMMON,
        play=buff_cards(MY_HAND.where(of_race(BEAST)).random(1), 2, 2),
    ),
    secret(
        "CFM_026", "Hidden Cache", 2, HUNTER, RARE,
        on=after_play(
            buff_cards(MINION_IN_HAND, 2, 2), whose=THEIRS, only=A_MINION, when=HOLDING_A_MINION
        ),
    ),
    minion(
        "CFM_338", "Trogg Beastrager", 2, 3, 2, HUNTER, RARE,
        battlecry=buff_cards(MY_HAND.where(of_race(BEAST)).random(1), 1, 1),
    ),
    minion(
        "CFM_336", "Shaky Zipgunner", 3, 3, 3, HUNTER, COMMON,
        deathrattle=buff_cards(MINION_IN_HAND, 2, 2),
    ),
    minion("CFM_315", "Alleycat", 1, 1, 1, HUNTER, BEAST, COMMON, battlecry=summon("CFM_315t")),
    token(minion("CFM_315t", "Tabbycat", 1, 1, 1, HUNTER, BEAST)),
    minion("CFM_316", "Rat Pack", 3, 2, 2, HUNTER, BEAST, EPIC, deathrattle=summon("CFM_316t", OWN_ATTACK)),
    token(minion("CFM_316t", "Rat", 1, 1, 1, HUNTER, BEAST)),
    minion(
        "CFM_335", "Dispatch Kodo", 4, 2, 4, HUNTER, BEAST, RARE,
        target=CHARACTER, battlecry=damage(OWN_ATTACK),
    ),
    weapon(
        "CFM_337", "Piranha Launcher", 5, 2, 4, HUNTER, EPIC,
        on=after_attack(summon("CFM_337t"), whose=MINE, only=A_HERO),
    ),
    token(minion("CFM_337t", "Piranha", 1, 1, 1, HUNTER, BEAST)),
    minion(
        "CFM_333", "Knuckles", 5, 3, 7, HUNTER, BEAST, LEGENDARY,
        on=after_attack(damage(OWN_ATTACK, ENEMY_HERO), when=DEFENDER_IS_MINION),
    ),
    # Mage
    spell("CFM_021", "Freezing Potion", 0, MAGE, COMMON, target=ENEMY_CHARACTER, play=freeze()),
    minion(
        "CFM_066", "Kabal Lackey", 1, 2, 1, MAGE, COMMON,
        battlecry=rule_this_turn(NEXT_SECRET_FREE),
    ),
    secret(
        "CFM_620", "Potion of Polymorph", 3, MAGE, RARE,
        on=after_play(transform(SUBJECT, "CS2_tk1"), whose=THEIRS, only=LIVING_MINION),
    ),
    spell("CFM_065", "Volcanic Potion", 3, MAGE, RARE, play=damage(2, ALL_MINIONS)),
    minion(
        "CFM_660", "Manic Soulcaster", 3, 3, 4, MAGE, EPIC,
        target=FRIENDLY_MINION, battlecry=shuffle_copy(TARGET),
    ),
    spell(
        "CFM_623", "Greater Arcane Missiles", 7, MAGE, EPIC,
        play=[damage(3, ENEMIES.random(1)), damage(3, ENEMIES.random(1)), damage(3, ENEMIES.random(1))],
    ),
    minion(
        "CFM_671", "Cryomancer", 5, 5, 5, MAGE, COMMON,
        battlecry=when(there_is(ENEMIES.where(having(FROZEN))), buff(SELF, 2, 2)),
    ),
    minion(
        "CFM_687", "Inkmaster Solia", 7, 5, 5, MAGE, LEGENDARY,
        battlecry=when(NO_DUPLICATES, rule_this_turn(NEXT_SPELL_FREE)),
    ),
    minion(
        "CFM_760", "Kabal Crystal Runner", 6, 5, 5, MAGE, RARE, cost_rule=CostRule.SECRETS_PLAYED
    ),
    # Paladin
    minion(
        "CFM_650", "Grimscale Chum", 1, 2, 1, PALADIN, MURLOC, COMMON,
        battlecry=buff_cards(MY_HAND.where(of_race(MURLOC)).random(1), 1, 1),
    ),
    minion(
        "CFM_753", "Grimestreet Outfitter", 2, 1, 1, PALADIN, COMMON,
        battlecry=buff_cards(MINIONS_IN_HAND, 1, 1),
    ),
    minion(
        "CFM_639", "Grimestreet Enforcer", 5, 4, 4, PALADIN, RARE,
        on=end_of_turn(buff_cards(MINIONS_IN_HAND, 1, 1)),
    ),
    secret("CFM_800", "Getaway Kodo", 1, PALADIN, RARE, on=on_death(return_dead(), whose=MY_DEAD, when=HAND_ROOM)),
    minion(
        "CFM_759", "Meanstreet Marshal", 1, 1, 2, PALADIN, EPIC,
        deathrattle=when(own_attack_at_least(2), draw()),
    ),
    minion(
        "CFM_815", "Wickerflame Burnbristle", 3, 2, 2, PALADIN, LEGENDARY,
        DIVINE_SHIELD, TAUNT, LIFESTEAL,
    ),
    spell("CFM_905", "Small-Time Recruits", 3, PALADIN, EPIC, play=draw_from_deck(minion_of_cost(1), 3)),
    minion(
        "CFM_062", "Grimestreet Protector", 7, 6, 6, PALADIN, RARE, TAUNT,
        battlecry=give(ADJACENT, DIVINE_SHIELD), positional=True,
    ),
    spell("CFM_305", "Smuggler's Run", 1, PALADIN, COMMON, play=buff_cards(MINIONS_IN_HAND, 1, 1)),
    # Priest
    spell(
        "CFM_603", "Potion of Madness", 1, PRIEST, COMMON, need=Need.BOARD_SPACE,
        target=ENEMY_MINION.where(attack_at_most(2)), play=steal_this_turn(TARGET),
    ),
    spell("CFM_661", "Pint-Size Potion", 1, PRIEST, RARE, play=buff_this_turn(ENEMY_MINIONS, -3)),
    minion("CFM_606", "Mana Geode", 2, 2, 3, PRIEST, EPIC, on=on_heal(summon("CFM_606t"), whose=OWN)),
    token(minion("CFM_606t", "Crystal", 2, 2, 2, PRIEST)),
    minion(
        "CFM_626", "Kabal Talonpriest", 3, 3, 4, PRIEST, COMMON,
        target=FRIENDLY_MINION, battlecry=buff(TARGET, health=3),
    ),
    minion(
        "CFM_020", "Raza the Chained", 5, 5, 5, PRIEST, LEGENDARY,
        battlecry=when(NO_DUPLICATES, set_power_cost(1)),
    ),
    spell("CFM_604", "Greater Healing Potion", 4, PRIEST, RARE, target=FRIENDLY_CHARACTER, play=heal(12)),
    minion("CFM_657", "Kabal Songstealer", 5, 5, 5, PRIEST, COMMON, target=ANY_MINION, battlecry=silence()),
    minion(
        "CFM_605", "Drakonid Operative", 5, 5, 6, PRIEST, DRAGON, RARE,
        battlecry=when(holding(DRAGON), discover_from_enemy_deck()),
    ),
    spell(
        "CFM_662", "Dragonfire Potion", 6, PRIEST, EPIC,
        play=damage(5, ALL_MINIONS.where(not_of_race(DRAGON))),
    ),
    # Rogue
    spell("CFM_630", "Counterfeit Coin", 0, ROGUE, RARE, play=temporary_mana(1)),
    minion(
        "CFM_693", "Gadgetzan Ferryman", 2, 2, 3, ROGUE, RARE,
        target=FRIENDLY_MINION.only_if(PLAYED_BEFORE), combo=return_to_hand(),
    ),
    spell(
        "CFM_690", "Jade Shuriken", 2, ROGUE, COMMON, target=CHARACTER,
        play=damage(2), combo=[damage(2), JADE_GOLEM],
    ),
    minion("CFM_691", "Jade Swarmer", 2, 1, 1, ROGUE, COMMON, STEALTH, deathrattle=JADE_GOLEM),
    minion("CFM_636", "Shadow Rager", 3, 5, 1, ROGUE, COMMON, STEALTH),
    minion(
        "CFM_694", "Shadow Sensei", 4, 4, 4, ROGUE, RARE,
        target=ANY_MINION.where(having(STEALTH, STEALTH_TURN)), battlecry=buff(TARGET, 2, 2),
    ),
    minion(
        "CFM_781", "Shaku, the Collector", 3, 2, 3, ROGUE, LEGENDARY, STEALTH,
        on=on_attack(add_random(enemy_class_cards()), whose=OWN),
    ),
    minion(
        "CFM_634", "Lotus Assassin", 5, 5, 5, ROGUE, EPIC, STEALTH,
        on=after_attack(give(SELF, STEALTH), when=DEFENDER_DEAD),
    ),
    minion(
        "CFM_342", "Luckydo Buccaneer", 6, 5, 5, ROGUE, PIRATE, EPIC,
        battlecry=when(weapon_attack_at_least(3), buff(SELF, 4, 4)),
    ),
    # Shaman
    spell(
        "CFM_313", "Finders Keepers", 1, SHAMAN, EPIC, overload=1,
        play=discover(cards_with(WITH_OVERLOAD)),
    ),
    spell("CFM_696", "Devolve", 2, SHAMAN, RARE, play=transform_by_cost(ENEMY_MINIONS, -1)),
    weapon("CFM_717", "Jade Claws", 2, 2, 2, SHAMAN, RARE, overload=1, battlecry=JADE_GOLEM),
    spell(
        "CFM_310", "Call in the Finishers", 4, SHAMAN, COMMON,
        need=Need.BOARD_SPACE, play=summon("CFM_310t", 4),
    ),
    token(minion("CFM_310t", "Murloc Razorgill", 1, 1, 1, SHAMAN, MURLOC)),
    minion(
        "CFM_061", "Jinyu Waterspeaker", 4, 3, 6, SHAMAN, RARE, overload=1,
        target=CHARACTER, battlecry=heal(6),
    ),
    spell("CFM_707", "Jade Lightning", 4, SHAMAN, COMMON, target=CHARACTER, play=[damage(4), JADE_GOLEM]),
    minion("CFM_324", "White Eyes", 5, 5, 5, SHAMAN, LEGENDARY, TAUNT, deathrattle=shuffle("CFM_324t")),
    token(minion("CFM_324t", "The Storm Guardian", 5, 10, 10, SHAMAN, TAUNT)),
    minion(
        "CFM_697", "Lotus Illusionist", 4, 3, 5, SHAMAN, EPIC,
        on=after_attack(transform_random(SELF, minions_of_cost(6)), when=DEFENDER_IS_HERO),
    ),
    minion("CFM_312", "Jade Chieftain", 7, 5, 5, SHAMAN, COMMON, battlecry=[JADE_GOLEM, give(LAST, TAUNT)]),
    # Warlock
    spell(
        "CFM_611", "Bloodfury Potion", 3, WARLOCK, RARE, target=ANY_MINION,
        play=[buff(TARGET, 3), when(target_is(DEMON), buff(TARGET, health=3))],
    ),
    minion(
        "CFM_900", "Unlicensed Apothecary", 3, 5, 5, WARLOCK, DEMON, EPIC,
        on=after_summon(damage(5, MY_HERO)),
    ),
    minion(
        "CFM_699", "Seadevil Stinger", 4, 4, 2, WARLOCK, MURLOC, RARE,
        battlecry=rule_this_turn(NEXT_MURLOC_FOR_HEALTH),
    ),
    spell(
        "CFM_608", "Blastcrystal Potion", 4, WARLOCK, COMMON,
        target=ANY_MINION, play=[destroy(), destroy_crystals()],
    ),
    minion(
        "CFM_610", "Crystalweaver", 4, 5, 4, WARLOCK, COMMON,
        battlecry=buff(MY_MINIONS.where(of_race(DEMON)), 1, 1),
    ),
    spell("CFM_094", "Felfire Potion", 6, WARLOCK, RARE, play=damage(5, CHARACTERS)),
    minion(
        "CFM_663", "Kabal Trafficker", 6, 6, 6, WARLOCK, EPIC,
        on=end_of_turn(add_random(minions_of_race(DEMON))),
    ),
    minion(
        "CFM_751", "Abyssal Enforcer", 7, 6, 6, WARLOCK, DEMON, COMMON,
        battlecry=damage(3, OTHER_CHARACTERS),
    ),
    minion(
        "CFM_750", "Krul the Unshackled", 9, 7, 9, WARLOCK, DEMON, LEGENDARY,
        battlecry=when(NO_DUPLICATES, summon_from_hand(MY_HAND.where(of_race(DEMON)))),
    ),
    # Warrior
    spell(
        "CFM_752", "Stolen Goods", 2, WARRIOR, RARE,
        play=buff_cards(MY_HAND.where(having(TAUNT)).random(1), 3, 3),
    ),
    minion(
        "CFM_755", "Grimestreet Pawnbroker", 3, 3, 3, WARRIOR, RARE,
        battlecry=buff_cards(MY_HAND.where(A_WEAPON).random(1), 1, 1),
    ),
    minion(
        "CFM_754", "Grimy Gadgeteer", 4, 4, 3, WARRIOR, COMMON,
        on=end_of_turn(buff_cards(MINION_IN_HAND, 2, 2)),
    ),
    weapon(
        "CFM_631", "Brass Knuckles", 4, 2, 3, WARRIOR, EPIC,
        on=after_attack(buff_cards(MINION_IN_HAND, 1, 1), whose=MINE, only=A_HERO),
    ),
    spell(
        "CFM_940", "I Know a Guy", 1, WARRIOR, COMMON,
        play=discover(own_cards(kind=MINION, test=having(TAUNT))),
    ),
    minion(
        "CFM_643", "Hobart Grapplehammer", 2, 2, 2, WARRIOR, LEGENDARY,
        battlecry=buff_cards(MY_HAND_AND_DECK.where(A_WEAPON), 1),
    ),
    minion("CFM_300", "Public Defender", 2, 0, 7, WARRIOR, COMMON, TAUNT),
    spell("CFM_716", "Sleep with the Fishes", 2, WARRIOR, EPIC, play=damage(3, ALL_MINIONS.where(DAMAGED))),
    minion(
        "CFM_756", "Alley Armorsmith", 5, 2, 7, WARRIOR, RARE, TAUNT,
        on=on_damage(armor(EVENT_AMOUNT), whose=BY_OWN),
    ),
    # Jade Golems (cost as printed: 10 from the tenth on)
    token(minion("CFM_712_t01", "Jade Golem", 1, 1, 1)),
    token(minion("CFM_712_t02", "Jade Golem", 2, 2, 2)),
    token(minion("CFM_712_t03", "Jade Golem", 3, 3, 3)),
    token(minion("CFM_712_t04", "Jade Golem", 4, 4, 4)),
    token(minion("CFM_712_t05", "Jade Golem", 5, 5, 5)),
    token(minion("CFM_712_t06", "Jade Golem", 6, 6, 6)),
    token(minion("CFM_712_t07", "Jade Golem", 7, 7, 7)),
    token(minion("CFM_712_t08", "Jade Golem", 8, 8, 8)),
    token(minion("CFM_712_t09", "Jade Golem", 9, 9, 9)),
    token(minion("CFM_712_t10", "Jade Golem", 10, 10, 10)),
    token(minion("CFM_712_t11", "Jade Golem", 10, 11, 11)),
    token(minion("CFM_712_t12", "Jade Golem", 10, 12, 12)),
    token(minion("CFM_712_t13", "Jade Golem", 10, 13, 13)),
    token(minion("CFM_712_t14", "Jade Golem", 10, 14, 14)),
    token(minion("CFM_712_t15", "Jade Golem", 10, 15, 15)),
    token(minion("CFM_712_t16", "Jade Golem", 10, 16, 16)),
    token(minion("CFM_712_t17", "Jade Golem", 10, 17, 17)),
    token(minion("CFM_712_t18", "Jade Golem", 10, 18, 18)),
    token(minion("CFM_712_t19", "Jade Golem", 10, 19, 19)),
    token(minion("CFM_712_t20", "Jade Golem", 10, 20, 20)),
    token(minion("CFM_712_t21", "Jade Golem", 10, 21, 21)),
    token(minion("CFM_712_t22", "Jade Golem", 10, 22, 22)),
    token(minion("CFM_712_t23", "Jade Golem", 10, 23, 23)),
    token(minion("CFM_712_t24", "Jade Golem", 10, 24, 24)),
    token(minion("CFM_712_t25", "Jade Golem", 10, 25, 25)),
    token(minion("CFM_712_t26", "Jade Golem", 10, 26, 26)),
    token(minion("CFM_712_t27", "Jade Golem", 10, 27, 27)),
    token(minion("CFM_712_t28", "Jade Golem", 10, 28, 28)),
    token(minion("CFM_712_t29", "Jade Golem", 10, 29, 29)),
    token(minion("CFM_712_t30", "Jade Golem", 10, 30, 30)),
)
