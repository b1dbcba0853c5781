"""Whispers of the Old Gods (134 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

TOXINS = one_of("OG_080b", "OG_080c", "OG_080d", "OG_080e", "OG_080f", name="Toxin")

CTHUN_IS_STRONG = counted_at_least(CTHUN_ATTACK, 4)  # 10 attack, 6 of which are printed

CARDS = (
    # Neutral
    minion("OG_123", "Shifter Zerus", 1, 1, 1, LEGENDARY, shifts=SHIFTS_AT_RANDOM),
    minion("OG_151", "Tentacle of N'Zoth", 1, 1, 1, COMMON, deathrattle=damage(1, ALL_MINIONS)),
    minion("OG_158", "Zealous Initiate", 1, 1, 1, COMMON, deathrattle=buff(MY_MINIONS.random(1), 1, 1)),
    minion("OG_156", "Bilefin Tidehunter", 2, 2, 1, MURLOC, COMMON, battlecry=summon("OG_156a")),
    token(minion("OG_156a", "Ooze", 1, 1, 1, COMMON, TAUNT)),
    minion("OG_281", "Beckoner of Evil", 2, 2, 3, COMMON, battlecry=buff_cthun(2, 2)),
    minion("OG_326", "Duskboar", 2, 4, 1, BEAST, COMMON),
    minion(
        "OG_338", "Nat, the Darkfisher", 2, 2, 4, LEGENDARY,
        on=start_of_turn(when(chance(50), draw_for_enemy(1)), whose=THEIRS),
    ),
    minion("OG_284", "Twilight Geomancer", 2, 1, 4, COMMON, TAUNT, battlecry=taunt_for_cthun()),
    minion("OG_247", "Twisted Worgen", 2, 3, 1, COMMON, STEALTH),
    minion("OG_248", "Am'gam Rager", 3, 1, 5, COMMON),
    minion("OG_162", "Disciple of C'Thun", 3, 2, 1, RARE, target=CHARACTER, battlecry=[damage(2), buff_cthun(2, 2)]),
    minion(
        "OG_034", "Silithid Swarmer", 3, 3, 5, BEAST, RARE,
        aura=gives_keywords(SELF, CANT_ATTACK, when=HERO_IDLE),
    ),
    minion("OG_256", "Spawn of N'Zoth", 3, 2, 2, COMMON, deathrattle=buff(MY_MINIONS, 1, 1)),
    minion("OG_327", "Squirming Tentacle", 3, 2, 4, COMMON, TAUNT),
    minion("OG_286", "Twilight Elder", 3, 3, 4, COMMON, on=end_of_turn(buff_cthun(1, 1))),
    minion("OG_150", "Aberrant Berserker", 4, 3, 5, COMMON, aura=enrage(2)),
    minion("OG_283", "C'Thun's Chosen", 4, 4, 2, COMMON, DIVINE_SHIELD, battlecry=buff_cthun(2, 2)),
    minion(
        "OG_337", "Cyclopian Horror", 4, 3, 3, EPIC, TAUNT,
        battlecry=buff_health(SELF, count(ENEMY_MINIONS)),
    ),
    minion(
        "OG_254", "Eater of Secrets", 4, 2, 4, RARE,
        battlecry=[buff_both(SELF, ENEMY_SECRETS), destroy_secrets()],
    ),
    minion("OG_082", "Evolved Kobold", 4, 2, 2, COMMON, spell_damage=2),
    minion("OG_174", "Faceless Shambler", 4, 1, 1, EPIC, TAUNT, target=FRIENDLY_MINION, battlecry=copy_stats()),
    minion("OG_249", "Infested Tauren", 4, 2, 3, COMMON, TAUNT, deathrattle=summon("OG_249a")),
    token(minion("OG_249a", "Slime", 2, 2, 2)),
    minion("OG_320", "Midnight Drake", 4, 1, 4, DRAGON, RARE, battlecry=buff(SELF, CARDS_IN_HAND)),
    minion("OG_323", "Polluted Hoarder", 4, 4, 2, COMMON, deathrattle=draw()),
    minion("OG_272", "Twilight Summoner", 4, 1, 1, EPIC, deathrattle=summon("OG_272t")),
    token(minion("OG_272t", "Faceless Destroyer", 4, 5, 5)),
    minion("OG_147", "Corrupted Healbot", 5, 6, 6, MECH, RARE, deathrattle=heal(8, ENEMY_HERO)),
    minion("OG_322", "Blackwater Pirate", 4, 2, 5, PIRATE, RARE, aura=costs(-2, A_WEAPON)),
    minion("OG_321", "Crazed Worshipper", 5, 3, 6, EPIC, TAUNT, on=on_damage(buff_cthun(1, 1))),
    minion(
        "OG_295", "Cult Apothecary", 5, 4, 4, COMMON,
        battlecry=heal(times(2, count(ENEMY_MINIONS)), MY_HERO),
    ),
    minion("OG_102", "Darkspeaker", 5, 3, 6, EPIC, target=FRIENDLY_MINION, battlecry=exchange_stats()),
    minion("OG_145", "Psych-o-Tron", 5, 3, 4, MECH, COMMON, TAUNT, DIVINE_SHIELD),
    minion("OG_200", "Validated Doomsayer", 5, 0, 7, EPIC, on=start_of_turn(set_attack(7, SELF))),
    minion("OG_122", "Mukla, Tyrant of the Vale", 6, 5, 5, BEAST, LEGENDARY, battlecry=add("EX1_014t", 2)),
    minion("OG_138", "Nerubian Prophet", 6, 4, 4, COMMON, on=in_hand(start_of_turn(reduce_cost(THIS_CARD, 1)))),
    minion(
        "OG_290", "Ancient Harbinger", 6, 4, 6, EPIC,
        on=start_of_turn(draw_from_deck(minion_of_cost(10))),
    ),
    minion("OG_271", "Scaled Nightmare", 6, 2, 8, DRAGON, EPIC, on=start_of_turn(double_attack(SELF))),
    minion(
        "OG_161", "Corrupted Seer", 6, 2, 3, MURLOC, RARE,
        battlecry=damage(2, ALL_MINIONS.where(not_of_race(MURLOC))),
    ),
    minion("OG_339", "Skeram Cultist", 6, 7, 6, RARE, battlecry=buff_cthun(2, 2)),
    minion("OG_153", "Bog Creeper", 7, 6, 8, COMMON, TAUNT),
    minion("OG_152", "Grotesque Dragonhawk", 7, 5, 5, BEAST, COMMON, WINDFURY),
    minion("OG_318", "Hogger, Doom of Elwynn", 7, 6, 6, LEGENDARY, on=on_damage(summon("OG_318t"))),
    token(minion("OG_318t", "Gnoll", 2, 2, 2, TAUNT)),
    minion(
        "OG_131", "Twin Emperor Vek'lor", 7, 4, 6, LEGENDARY, TAUNT,
        battlecry=when(CTHUN_IS_STRONG, summon("OG_319")),
    ),
    token(minion("OG_319", "Twin Emperor Vek'nilash", 7, 4, 6, TAUNT)),
    minion(
        "OG_255", "Doomcaller", 8, 7, 9, RARE,
        battlecry=[buff_cthun(2, 2), when(has_died("OG_280", mine=True), shuffle("OG_280"))],
    ),
    minion("OG_142", "Eldritch Horror", 8, 6, 10, COMMON),
    minion(
        "OG_300", "The Boogeymonster", 8, 6, 7, LEGENDARY,
        on=after_attack(buff(SELF, 2, 2), when=DEFENDER_DEAD),
    ),
    minion(
        "OG_173", "Blood of The Ancient One", 9, 9, 9, EPIC,
        on=end_of_turn(
            when(
                there_is(MY_OTHER_MINIONS.where(copy_of("OG_173"))),
                [
                    destroy(SELF),
                    destroy(MY_OTHER_MINIONS.where(copy_of("OG_173")).random(1)),
                    deaths(),
                    summon("OG_173a"),
                ],
            )
        ),
    ),
    token(minion("OG_173a", "The Ancient One", 9, 30, 30, EPIC)),
    minion("OG_340", "Soggoth the Slitherer", 9, 5, 9, LEGENDARY, TAUNT, ELUSIVE),
    minion("OG_141", "Faceless Behemoth", 10, 10, 10, COMMON),
    minion("OG_280", "C'Thun", 10, 6, 6, LEGENDARY, grows=True, battlecry=missiles(OWN_ATTACK)),
    minion(
        "OG_317", "Deathwing, Dragonlord", 10, 12, 12, DRAGON, LEGENDARY,
        deathrattle=summon_all_from_hand(of_race(DRAGON)),
    ),
    minion(
        "OG_133", "N'Zoth, the Corruptor", 10, 5, 7, LEGENDARY,
        battlecry=summon_all_dead(minion_with(DEATHRATTLE)),
    ),
    minion(
        "OG_134", "Yogg-Saron, Hope's End", 10, 7, 5, LEGENDARY,
        battlecry=cast_random(SPELLS, counted(SPELLS_CAST)),
    ),
    minion("OG_042", "Y'Shaarj, Rage Unbound", 10, 10, 10, LEGENDARY, on=end_of_turn(summon_from_deck())),
    # Druid
    minion(
        "OG_051", "Forbidden Ancient", 1, 1, 1, DRUID, EPIC,
        battlecry=[spend_mana(), buff_both(SELF, MANA_SPENT)],
    ),
    spell(
        "OG_048", "Mark of Y'Shaarj", 2, DRUID, COMMON,
        target=ANY_MINION, play=[buff(TARGET, 2, 2), when(target_is(BEAST), draw())],
    ),
    minion("OG_313", "Addled Grizzly", 3, 2, 2, DRUID, BEAST, RARE, on=after_summon(buff(SUBJECT, 1, 1))),
    spell("OG_047", "Feral Rage", 3, DRUID, COMMON, options=("OG_047a", "OG_047b")),
    token(spell("OG_047a", "Evolve Spines", 0, DRUID, play=hero_attack(4))),
    token(spell("OG_047b", "Evolve Scales", 0, DRUID, play=armor(8))),
    minion("OG_044", "Fandral Staghelm", 4, 3, 5, DRUID, LEGENDARY, CHOOSE_BOTH),
    token(minion("OG_044a", "Druid of the Claw", 5, 4, 6, DRUID, COMMON, BEAST, CHARGE, TAUNT)),
    token(minion("OG_044b", "Druid of the Flame", 3, 5, 5, DRUID, COMMON, BEAST)),
    token(minion("OG_044c", "Sabertooth Tiger", 2, 3, 2, DRUID, COMMON, BEAST, CHARGE, STEALTH)),
    minion("OG_202", "Mire Keeper", 4, 3, 3, DRUID, RARE, options=("OG_202a", "OG_202b")),
    token(spell("OG_202a", "Y'Shaarj's Strength", 0, DRUID, play=summon("OG_202c"))),
    token(spell("OG_202b", "Yogg-Saron's Magic", 0, DRUID, play=empty_crystals(1))),
    token(minion("OG_202c", "Slime", 2, 2, 2, DRUID)),
    minion(
        "OG_188", "Klaxxi Amber-Weaver", 4, 4, 5, DRUID, RARE,
        battlecry=when(CTHUN_IS_STRONG, buff(SELF, health=5)),
    ),
    minion("OG_293", "Dark Arakkoa", 6, 5, 7, DRUID, COMMON, TAUNT, battlecry=buff_cthun(3, 3)),
    spell("OG_195", "Wisps of the Old Gods", 7, DRUID, EPIC, options=("OG_195a", "OG_195b")),
    token(spell("OG_195a", "Many Wisps", 0, DRUID, play=summon("OG_195c", 7))),
    token(spell("OG_195b", "Big Wisps", 0, DRUID, play=buff(MY_MINIONS, 2, 2))),
    token(minion("OG_195c", "Wisp", 0, 1, 1, DRUID, COMMON)),
    # Hunter
    minion("OG_179", "Fiery Bat", 1, 2, 1, HUNTER, BEAST, COMMON, deathrattle=damage(1, ENEMIES.random(1))),
    minion(
        "OG_292", "Forlorn Stalker", 3, 4, 2, HUNTER, RARE,
        battlecry=buff_cards(MY_HAND.where(minion_with(DEATHRATTLE)), 1, 1),
    ),
    spell("OG_061", "On the Hunt", 1, HUNTER, COMMON, target=CHARACTER, play=[damage(1), summon("OG_061t")]),
    token(minion("OG_061t", "Mastiff", 1, 1, 1, HUNTER, BEAST)),
    minion("OG_325", "Carrion Grub", 3, 2, 5, HUNTER, BEAST, COMMON),
    spell("OG_045", "Infest", 3, HUNTER, RARE, play=attach(MY_MINIONS, "OG_045a")),
    enchantment("OG_045a", "Nerubian Spores", deathrattle=add_random(minions_of_race(BEAST))),
    minion("OG_216", "Infested Wolf", 4, 3, 3, HUNTER, BEAST, RARE, deathrattle=summon("OG_216a", 2)),
    token(minion("OG_216a", "Spider", 1, 1, 1, HUNTER, BEAST)),
    minion(
        "OG_308", "Giant Sand Worm", 8, 8, 8, HUNTER, BEAST, EPIC,
        on=after_attack(attack_again(), when=DEFENDER_DEAD),
    ),
    minion(
        "OG_309", "Princess Huhuran", 5, 6, 5, HUNTER, BEAST, LEGENDARY,
        target=FRIENDLY_MINION.where(having(DEATHRATTLE)), battlecry=trigger_deathrattles(TARGET),
    ),
    spell(
        "OG_211", "Call of the Wild", 9, HUNTER, EPIC,
        play=[summon("NEW1_034"), summon("NEW1_033"), summon("NEW1_032")],
    ),
    # Mage
    spell("OG_086", "Forbidden Flame", 0, MAGE, EPIC, target=ANY_MINION,
          play=[spend_mana(), damage(MANA_SPENT)]),
    spell("OG_081", "Shatter", 2, MAGE, COMMON, target=ANY_MINION.where(having(FROZEN)), play=destroy()),
    minion(
        "OG_303", "Cult Sorcerer", 2, 3, 2, MAGE, RARE, spell_damage=1,
        on=after_cast(buff_cthun(1, 1)),
    ),
    minion("OG_083", "Twilight Flamecaller", 3, 2, 2, MAGE, COMMON, battlecry=damage(1, ENEMY_MINIONS)),
    minion(
        "OG_085", "Demented Frostcaller", 4, 2, 4, MAGE, RARE,
        on=after_cast(freeze(ENEMIES.where(lacking(FROZEN)).random(1))),
    ),
    spell("OG_090", "Cabalist's Tome", 5, MAGE, EPIC, play=add_random(spells_of(MAGE), 3)),
    minion(
        "OG_087", "Servant of Yogg-Saron", 5, 5, 4, MAGE, RARE,
        battlecry=cast_random(spells_with(cost_at_most(5))),
    ),
    minion("OG_207", "Faceless Summoner", 6, 5, 5, MAGE, COMMON, battlecry=summon_random(minions_of_cost(3))),
    minion("OG_120", "Anomalus", 8, 8, 6, MAGE, LEGENDARY, deathrattle=damage(8, ALL_MINIONS)),
    # Paladin
    spell(
        "OG_198", "Forbidden Healing", 0, PALADIN, EPIC,
        target=CHARACTER, play=[spend_mana(), heal(times(2, MANA_SPENT))],
    ),
    spell("OG_223", "Divine Strength", 1, PALADIN, COMMON, target=ANY_MINION, play=buff(TARGET, 1, 2)),
    minion(
        "OG_221", "Selfless Hero", 1, 2, 1, PALADIN, RARE,
        deathrattle=give(MY_MINIONS.random(1), DIVINE_SHIELD),
    ),
    minion("OG_006", "Vilefin Inquisitor", 1, 1, 3, PALADIN, MURLOC, EPIC, battlecry=set_power("OG_006b")),
    power("OG_006b", "The Tidal Hand", 2, PALADIN, need=Need.BOARD_SPACE, play=summon("OG_006a")),
    token(minion("OG_006a", "Silver Hand Murloc", 1, 1, 1, PALADIN, MURLOC)),
    spell(
        "OG_311", "A Light in the Darkness", 2, PALADIN, COMMON,
        play=discover(own_minions(), bigger=1),
    ),
    minion(
        "OG_310", "Steward of Darkshire", 3, 3, 3, PALADIN, RARE,
        on=on_summon(give(SUBJECT, DIVINE_SHIELD), only=health_is(1)),
    ),
    weapon(
        "OG_222", "Rallying Blade", 3, 3, 2, PALADIN, RARE,
        battlecry=buff(MY_MINIONS.where(having(DIVINE_SHIELD)), 1, 1),
    ),
    spell("OG_273", "Stand Against Darkness", 5, PALADIN, COMMON, play=summon("CS2_101t", 5)),
    minion(
        "OG_229", "Ragnaros, Lightlord", 8, 8, 8, PALADIN, LEGENDARY,
        on=end_of_turn(heal(8, MY_CHARACTERS.where(DAMAGED).random(1))),
    ),
    # Priest
    spell("OG_101", "Forbidden Shaping", 0, PRIEST, EPIC, play=[spend_mana(), summon_by_cost(MANA_SPENT)]),
    spell("OG_104", "Embrace the Shadow", 2, PRIEST, EPIC, play=rule_this_turn(HEALING_HURTS)),
    spell("OG_100", "Shadow Word: Horror", 4, PRIEST, RARE, play=destroy(ALL_MINIONS.where(attack_at_most(2)))),
    minion("OG_334", "Hooded Acolyte", 4, 3, 6, PRIEST, COMMON, on=on_heal(buff_cthun(1, 1))),
    minion("OG_335", "Shifting Shade", 4, 4, 3, PRIEST, RARE, deathrattle=copy_from_enemy_deck()),
    spell("OG_094", "Power Word: Tentacles", 5, PRIEST, COMMON, target=ANY_MINION, play=buff(TARGET, 2, 6)),
    minion("OG_234", "Darkshire Alchemist", 5, 4, 5, PRIEST, COMMON, target=CHARACTER, battlecry=heal(5)),
    minion(
        "OG_096", "Twilight Darkmender", 5, 6, 5, PRIEST, RARE,
        battlecry=when(CTHUN_IS_STRONG, heal(10, MY_HERO)),
    ),
    minion(
        "OG_316", "Herald Volazj", 6, 5, 5, PRIEST, LEGENDARY,
        battlecry=summon_small_copy(MY_OTHER_MINIONS),
    ),
    # Rogue
    minion("OG_070", "Bladed Cultist", 1, 1, 2, ROGUE, COMMON, combo=buff(SELF, 1, 1)),
    minion("OG_330", "Undercity Huckster", 2, 2, 2, ROGUE, RARE, deathrattle=add_random(enemy_class_cards())),
    spell("OG_072", "Journey Below", 1, ROGUE, RARE, play=discover(own_cards(test=having(DEATHRATTLE)))),
    spell("OG_176", "Shadow Strike", 3, ROGUE, COMMON, target=CHARACTER.where(UNDAMAGED), play=damage(5)),
    minion("OG_267", "Southsea Squidface", 4, 4, 4, ROGUE, PIRATE, COMMON, deathrattle=buff_weapon(2)),
    minion(
        "OG_080", "Xaril, Poisoned Mind", 4, 3, 2, ROGUE, LEGENDARY,
        battlecry=add_random(TOXINS), deathrattle=add_random(TOXINS),
    ),
    token(spell("OG_080b", "Kingsblood Toxin", 1, ROGUE, play=draw())),
    token(
        spell(
            "OG_080c", "Bloodthistle Toxin", 1, ROGUE,
            target=FRIENDLY_MINION, play=return_to_hand(cheaper=2),
        )
    ),
    token(spell("OG_080d", "Briarthorn Toxin", 1, ROGUE, target=ANY_MINION, play=buff(TARGET, 3))),
    token(spell("OG_080e", "Fadeleaf Toxin", 1, ROGUE, target=FRIENDLY_MINION, play=give(TARGET, STEALTH_TURN))),
    token(spell("OG_080f", "Firebloom Toxin", 1, ROGUE, target=CHARACTER, play=damage(2))),
    spell("OG_073", "Thistle Tea", 6, ROGUE, RARE, play=draw(copies=2)),
    minion(
        "OG_291", "Shadowcaster", 5, 4, 4, ROGUE, EPIC,
        target=FRIENDLY_MINION, battlecry=add_small_copy(TARGET),
    ),
    minion(
        "OG_282", "Blade of C'Thun", 9, 4, 4, ROGUE, EPIC, target=ANY_MINION,
        battlecry=[buff_cthun(TARGET_ATTACK), buff_cthun_health(TARGET_HEALTH), destroy()],
    ),
    # Shaman
    spell("OG_027", "Evolve", 1, SHAMAN, RARE, play=transform_by_cost(MY_MINIONS, 1)),
    spell(
        "OG_023", "Primal Fusion", 1, SHAMAN, COMMON,
        target=ANY_MINION, play=buff_both(TARGET, other_minions_of(TOTEM)),
    ),
    minion("OG_026", "Eternal Sentinel", 2, 3, 2, SHAMAN, EPIC, battlecry=unlock()),
    spell("OG_206", "Stormcrack", 2, SHAMAN, COMMON, overload=1, target=ANY_MINION, play=damage(4)),
    minion("OG_024", "Flamewreathed Faceless", 4, 7, 7, SHAMAN, COMMON, overload=2),
    minion(
        "OG_328", "Master of Evolution", 4, 4, 5, SHAMAN, RARE,
        target=FRIENDLY_MINION, battlecry=transform_by_cost(TARGET, 1),
    ),
    minion(
        "OG_209", "Hallazeal the Ascended", 5, 4, 6, SHAMAN, LEGENDARY,
        on=on_spell_damage(heal(EVENT_AMOUNT, MY_HERO)),
    ),
    weapon("OG_031", "Hammer of Twilight", 5, 4, 2, SHAMAN, EPIC, deathrattle=summon("OG_031a")),
    token(minion("OG_031a", "Twilight Elemental", 3, 4, 2, SHAMAN, EPIC)),
    minion("OG_028", "Thing from Below", 6, 5, 5, SHAMAN, RARE, TAUNT, cost_rule=CostRule.TOTEMS),
    # Warlock
    spell("OG_114", "Forbidden Ritual", 0, WARLOCK, RARE, play=[spend_mana(), summon("OG_114a", MANA_SPENT)]),
    token(minion("OG_114a", "Icky Tentacle", 1, 1, 1, WARLOCK)),
    minion("OG_241", "Possessed Villager", 1, 1, 1, WARLOCK, COMMON, deathrattle=summon("OG_241a")),
    token(minion("OG_241a", "Shadowbeast", 1, 1, 1, WARLOCK)),
    minion("OG_109", "Darkshire Librarian", 2, 3, 2, WARLOCK, RARE, battlecry=discard(1), deathrattle=draw()),
    minion("OG_113", "Darkshire Councilman", 3, 1, 5, WARLOCK, COMMON, on=after_summon(buff(SELF, 1))),
    spell("OG_118", "Renounce Darkness", 2, WARLOCK, EPIC, play=renounce(WARLOCK)),
    spell("OG_116", "Spreading Madness", 3, WARLOCK, RARE, play=missiles(9, CHARACTERS)),
    minion(
        "OG_121", "Cho'gall", 7, 7, 7, WARLOCK, LEGENDARY,
        battlecry=rule_this_turn(NEXT_SPELL_FOR_HEALTH),
    ),
    minion("OG_302", "Usher of Souls", 5, 5, 6, WARLOCK, COMMON, on=on_death(buff_cthun(1, 1))),
    spell("OG_239", "DOOM!", 10, WARLOCK, EPIC, play=[destroy(ALL_MINIONS), draw(count(ALL_OTHER_MINIONS))]),
    # Warrior
    spell(
        "OG_314", "Blood To Ichor", 1, WARRIOR, RARE,
        target=ANY_MINION, play=[damage(1), when(TARGET_ALIVE, summon("OG_314b"))],
    ),
    token(minion("OG_314b", "Slime", 2, 2, 2, WARRIOR)),
    minion("OG_312", "N'Zoth's First Mate", 1, 1, 1, WARRIOR, PIRATE, COMMON, battlecry=equip("OG_058")),
    token(weapon("OG_058", "Rusty Hook", 1, 1, 3, WARRIOR)),
    spell("OG_276", "Blood Warriors", 3, WARRIOR, EPIC, play=add_copy(MY_MINIONS.where(DAMAGED))),
    minion("OG_149", "Ravaging Ghoul", 3, 3, 3, WARRIOR, COMMON, battlecry=damage(1, ALL_OTHER_MINIONS)),
    minion(
        "OG_315", "Bloodsail Cultist", 3, 3, 4, WARRIOR, PIRATE, RARE,
        battlecry=when(control_another(PIRATE), buff_weapon(1, 1)),
    ),
    minion("OG_218", "Bloodhoof Brave", 4, 2, 6, WARRIOR, COMMON, TAUNT, aura=enrage(3)),
    weapon("OG_033", "Tentacles for Arms", 5, 2, 2, WARRIOR, EPIC, deathrattle=add("OG_033")),
    minion("OG_220", "Malkorok", 7, 6, 5, WARRIOR, LEGENDARY, battlecry=equip_random(WEAPONS)),
    minion(
        "OG_301", "Ancient Shieldbearer", 7, 6, 6, WARRIOR, RARE,
        battlecry=when(CTHUN_IS_STRONG, armor(10)),
    ),
)
