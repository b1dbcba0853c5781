"""Knights of the Frozen Throne (135 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

DEATH_KNIGHT = one_of(
    "ICC_314t1", "ICC_314t2", "ICC_314t3", "ICC_314t4", "ICC_314t5", "ICC_314t6", "ICC_314t7",
    "ICC_314t8", name="Death Knight card",
)
HORSEMEN = one_of("ICC_829t2", "ICC_829t3", "ICC_829t4", "ICC_829t5")
NAZGRIM = there_is(MY_MINIONS.where(copy_of("ICC_829t2")))
TROLLBANE = there_is(MY_MINIONS.where(copy_of("ICC_829t3")))
WHITEMANE = there_is(MY_MINIONS.where(copy_of("ICC_829t4")))
MOGRAINE = there_is(MY_MINIONS.where(copy_of("ICC_829t5")))
ENEMY_TURN_GHOUL = unless(MY_TURN, summon("ICC_900t"))
HIT_ALL_MINIONS = damage(3, ALL_MINIONS)
GROW_ALL_MINIONS = buff(ALL_MINIONS, 2, 2)
EITHER = when(chance(50), HIT_ALL_MINIONS, otherwise=GROW_ALL_MINIONS)

CARDS = (
    minion("ICC_023", "Snowflipper Penguin", 0, 1, 1, BEAST, COMMON),
    minion("ICC_092", "Acherus Veteran", 1, 2, 1, COMMON, target=FRIENDLY_MINION, battlecry=buff(TARGET, 1)),
    minion("ICC_220", "Deadscale Knight", 1, 1, 1, MURLOC, COMMON, LIFESTEAL),
    minion("ICC_468", "Wretched Tiller", 1, 1, 1, COMMON, on=on_attack(damage(2, ENEMY_HERO), whose=OWN)),
    minion("ICC_094", "Fallen Sun Cleric", 2, 2, 1, COMMON, target=FRIENDLY_MINION, battlecry=buff(TARGET, 1, 1)),
    minion(
        "ICC_851", "Prince Keleseth", 2, 2, 2, LEGENDARY,
        battlecry=when(no_card_costs(2), buff_cards(MY_DECK.where(A_MINION), 1, 1)),
    ),
    minion("ICC_913", "Tainted Zealot", 2, 1, 1, COMMON, DIVINE_SHIELD, spell_damage=1),
    minion(
        "ICC_093", "Tuskarr Fisherman", 2, 2, 3, COMMON,
        target=FRIENDLY_MINION, battlecry=give_spell_damage(TARGET, 1),
    ),
    minion(
        "ICC_467", "Deathspeaker", 3, 2, 4, COMMON,
        target=FRIENDLY_MINION, battlecry=give_this_turn(TARGET, IMMUNE),
    ),
    minion("ICC_901", "Drakkari Enchanter", 3, 1, 5, EPIC, END_TURN_TWICE),
    minion("ICC_700", "Happy Ghoul", 3, 3, 3, RARE, cost_rule=CostRule.HEALED),
    minion("ICC_855", "Hyldnir Frostrider", 3, 4, 4, COMMON, battlecry=freeze(MY_OTHER_MINIONS)),
    minion("ICC_902", "Mindbreaker", 3, 2, 5, RARE, NO_POWERS),
    minion(
        "ICC_852", "Prince Taldaram", 3, 3, 3, LEGENDARY,
        target=ANY_MINION.only_if(no_card_costs(3)),
        battlecry=when(no_card_costs(3), [become_copy(), set_attack(3, SELF), set_health(3, SELF)]),
    ),
    minion(
        "ICC_702", "Shallow Gravedigger", 3, 3, 1, RARE,
        deathrattle=add_random(cards_with(having(DEATHRATTLE), MINION)),
    ),
    minion("ICC_067", "Vryghoul", 3, 3, 1, COMMON, deathrattle=ENEMY_TURN_GHOUL),
    minion("ICC_854", "Arfus", 4, 2, 2, BEAST, LEGENDARY, deathrattle=add_random(DEATH_KNIGHT)),
    minion(
        "ICC_912", "Corpsetaker", 4, 3, 3, EPIC,
        battlecry=[
            when(there_is(MY_DECK.where(minion_with(TAUNT))), give(SELF, TAUNT)),
            when(there_is(MY_DECK.where(minion_with(DIVINE_SHIELD))), give(SELF, DIVINE_SHIELD)),
            when(there_is(MY_DECK.where(minion_with(LIFESTEAL))), give(SELF, LIFESTEAL)),
            when(there_is(MY_DECK.where(minion_with(WINDFURY))), give(SELF, WINDFURY)),
        ],
    ),
    minion(
        "ICC_810", "Deathaxe Punisher", 4, 3, 3, EPIC,
        battlecry=buff_cards(MY_HAND.where(minion_with(LIFESTEAL)).random(1), 2, 2),
    ),
    minion("ICC_097", "Grave Shambler", 4, 4, 4, ELEMENTAL, COMMON, on=on_weapon_destroyed(buff(SELF, 1, 1))),
    minion("ICC_026", "Grim Necromancer", 4, 2, 4, COMMON, battlecry=summon("ICC_026t", 2)),
    token(minion("ICC_026t", "Skeleton", 1, 1, 1)),
    minion("ICC_911", "Keening Banshee", 4, 5, 5, RARE, on=on_play(lose_top_of_deck(3))),
    minion(
        "ICC_812", "Meat Wagon", 4, 1, 4, MECH, EPIC,
        deathrattle=summon_weaker_from_deck(OWN_ATTACK),
    ),
    minion("ICC_031", "Night Howler", 4, 3, 4, COMMON, on=on_damage(buff(SELF, 2))),
    minion(
        "ICC_018", "Phantom Freebooter", 4, 3, 3, PIRATE, RARE,
        battlecry=[buff(SELF, WEAPON_ATTACK), buff_health(SELF, MY_DURABILITY)],
    ),
    minion(
        "ICC_853", "Prince Valanar", 4, 4, 4, LEGENDARY,
        battlecry=when(no_card_costs(4), give(SELF, LIFESTEAL, TAUNT)),
    ),
    minion(
        "ICC_025", "Rattling Rascal", 4, 2, 2, EPIC,
        battlecry=summon("ICC_025t"), deathrattle=summon_for_enemy("ICC_025t"),
    ),
    token(minion("ICC_025t", "Skeletal Enforcer", 5, 5, 5)),
    minion("ICC_466", "Saronite Chain Gang", 4, 2, 3, RARE, TAUNT, battlecry=summon("ICC_466")),
    minion("ICC_099", "Ticking Abomination", 4, 5, 6, RARE, deathrattle=damage(5, MY_MINIONS)),
    minion("ICC_904", "Wicked Skeleton", 4, 1, 1, COMMON, battlecry=buff_both(SELF, DIED_THIS_TURN)),
    minion("ICC_905", "Bloodworm", 5, 4, 4, BEAST, COMMON, LIFESTEAL),
    minion(
        "ICC_029", "Cobalt Scalebane", 5, 5, 5, DRAGON, COMMON,
        on=end_of_turn(buff(MY_OTHER_MINIONS.random(1), 3)),
    ),
    minion("ICC_257", "Corpse Raiser", 5, 3, 3, RARE, target=FRIENDLY_MINION, battlecry=attach(TARGET, "ICC_257e")),
    enchantment("ICC_257e", "Ready to Return", deathrattle=summon_this()),
    minion("ICC_019", "Skelemancer", 5, 2, 2, COMMON, deathrattle=unless(MY_TURN, summon("ICC_019t"))),
    token(minion("ICC_019t", "Skeletal Flayer", 8, 8, 8)),
    minion("ICC_028", "Sunborne Val'kyr", 5, 5, 4, COMMON, positional=True, battlecry=buff(ADJACENT, health=2)),
    minion(
        "ICC_098", "Tomb Lurker", 5, 5, 3, EPIC,
        battlecry=add_dead(minion_with(DEATHRATTLE), both=True),
    ),
    minion("ICC_032", "Venomancer", 5, 2, 5, COMMON, POISONOUS),
    minion(
        "ICC_027", "Bone Drake", 6, 6, 5, DRAGON, RARE,
        deathrattle=add_random(minions_of_race(DRAGON)),
    ),
    minion(
        "ICC_096", "Furnacefire Colossus", 6, 6, 6, EPIC,
        battlecry=[
            discard_cards(MY_HAND.where(A_WEAPON)),
            buff(SELF, DISCARDED_ATTACK),
            buff_health(SELF, DISCARDED_HEALTH),
        ],
    ),
    minion("ICC_900", "Necrotic Geist", 6, 5, 3, COMMON, on=on_death(summon("ICC_900t"))),
    token(minion("ICC_900t", "Ghoul", 2, 2, 2)),
    minion("ICC_706", "Nerubian Unraveler", 6, 5, 5, EPIC, aura=costs(2, A_SPELL, both=True)),
    minion("ICC_701", "Skulking Geist", 6, 4, 6, EPIC, battlecry=destroy_cards(A_SPELL, 1)),
    minion("ICC_856", "Spellweaver", 6, 4, 4, COMMON, spell_damage=2),
    minion(
        "ICC_705", "Bonemare", 8, 5, 5, COMMON,
        target=FRIENDLY_MINION, battlecry=[buff(TARGET, 4, 4), give(TARGET, TAUNT)],
    ),
    minion("ICC_314", "The Lich King", 8, 8, 8, LEGENDARY, TAUNT, on=end_of_turn(add_random(DEATH_KNIGHT))),
    token(
        weapon(
            "ICC_314t1", "Frostmourne", 7, 5, 3,
            on=after_attack(note_slain(), whose=MINE, only=A_HERO, when=DEFENDER_DEAD),
            deathrattle=summon_slain(),
        )
    ),
    token(spell("ICC_314t2", "Army of the Dead", 6, play=summon_from_top(5))),
    token(
        spell(
            "ICC_314t3", "Doom Pact", 5,
            play=[lose_top_of_deck(count(ALL_OTHER_MINIONS)), destroy(ALL_MINIONS)],
        )
    ),
    token(spell("ICC_314t4", "Death Grip", 2, play=take_from_enemy_deck(A_MINION))),
    token(
        spell(
            "ICC_314t5", "Death Coil", 2, target=CHARACTER,
            play=when(TARGET_MINE, heal(5), otherwise=damage(5)),
        )
    ),
    token(
        spell(
            "ICC_314t6", "Obliterate", 2, target=ANY_MINION,
            play=[destroy(), damage(AIMED_HEALTH, MY_HERO, spell_damage=0)],
        )
    ),
    token(spell("ICC_314t7", "Anti-Magic Shell", 4, play=[buff(MY_MINIONS, 2, 2), give(MY_MINIONS, ELUSIVE)])),
    token(spell("ICC_314t8", "Death and Decay", 3, play=damage(3, ENEMIES))),
    # Druid
    minion("ICC_051", "Druid of the Swarm", 2, 1, 2, DRUID, RARE, options=("ICC_051a", "ICC_051b", "ICC_051t3")),
    token(spell("ICC_051a", "Spider Form", 0, DRUID, play=transform(SELF, "ICC_051t"))),
    token(spell("ICC_051b", "Scarab Form", 0, DRUID, play=transform(SELF, "ICC_051t2"))),
    token(minion("ICC_051t", "Druid of the Swarm", 2, 1, 2, DRUID, BEAST, RARE, POISONOUS)),
    token(minion("ICC_051t2", "Druid of the Swarm", 2, 1, 5, DRUID, BEAST, RARE, TAUNT)),
    token(minion("ICC_051t3", "Druid of the Swarm", 2, 1, 5, DRUID, BEAST, RARE, TAUNT, POISONOUS)),
    minion(
        "ICC_808", "Crypt Lord", 3, 1, 6, DRUID, COMMON, TAUNT,
        on=after_summon(buff(SELF, health=1)),
    ),
    spell("ICC_079", "Gnash", 3, DRUID, COMMON, play=[hero_attack(3), armor(3)]),
    minion(
        "ICC_807", "Strongshell Scavenger", 4, 2, 3, DRUID, RARE,
        battlecry=buff(MY_MINIONS.where(having(TAUNT)), 2, 2),
    ),
    minion("ICC_047", "Fatespinner", 5, 5, 3, DRUID, EPIC, options=("ICC_047a", "ICC_047b", "ICC_047t2")),
    token(spell("ICC_047a", "Growth", 0, DRUID, play=[transform(SELF, "ICC_047t"), attach(SELF, "ICC_047e1")])),
    token(spell("ICC_047b", "Decay", 0, DRUID, play=[transform(SELF, "ICC_047t"), attach(SELF, "ICC_047e2")])),
    token(minion("ICC_047t", "Fatespinner", 5, 5, 3, DRUID, EPIC, DEATHRATTLE)),
    enchantment(
        "ICC_047e1", "Growth", hidden=True,
        deathrattle=when(KNOWN, GROW_ALL_MINIONS, otherwise=EITHER),
    ),
    enchantment(
        "ICC_047e2", "Decay", hidden=True,
        deathrattle=when(KNOWN, HIT_ALL_MINIONS, otherwise=EITHER),
    ),
    token(
        minion(
            "ICC_047t2", "Fatespinner", 5, 5, 3, DRUID, EPIC,
            deathrattle=[HIT_ALL_MINIONS, GROW_ALL_MINIONS],
        )
    ),
    spell("ICC_050", "Webweave", 5, DRUID, COMMON, need=Need.BOARD_SPACE, play=summon("ICC_832t3", 2)),
    spell(
        "ICC_054", "Spreading Plague", 6, DRUID, RARE, need=Need.BOARD_SPACE,
        play=[summon("ICC_832t4"), when(MORE_ENEMY_MINIONS, repeat(7))],
    ),
    hero_card(
        "ICC_832", "Malfurion the Pestilent", 7, 5, "ICC_832p", DRUID, LEGENDARY,
        options=("ICC_832a", "ICC_832b"),
    ),
    token(spell("ICC_832a", "Scarab Plague", 0, DRUID, play=summon("ICC_832t4", 2))),
    token(spell("ICC_832b", "Spider Plague", 0, DRUID, play=summon("ICC_832t3", 2))),
    token(minion("ICC_832t3", "Frost Widow", 1, 1, 2, DRUID, BEAST, POISONOUS)),
    token(minion("ICC_832t4", "Scarab Beetle", 2, 1, 5, DRUID, BEAST, TAUNT)),
    power("ICC_832p", "Plague Lord", 2, play=choose_one("ICC_832pa", "ICC_832pb")),
    token(spell("ICC_832pa", "Scarab Shell", 0, DRUID, play=armor(3))),
    token(spell("ICC_832pb", "Spider Fangs", 0, DRUID, play=hero_attack(3))),
    minion("ICC_835", "Hadronox", 9, 3, 7, DRUID, BEAST, LEGENDARY, deathrattle=summon_all_dead(minion_with(TAUNT))),
    spell(
        "ICC_085", "Ultimate Infestation", 10, DRUID, EPIC, target=CHARACTER,
        play=[damage(5), draw(5), armor(5), summon("ICC_085t")],
    ),
    token(minion("ICC_085t", "Ghoul Infestor", 5, 5, 5, DRUID)),
    # Hunter
    spell(
        "ICC_052", "Play Dead", 1, HUNTER, COMMON,
        target=FRIENDLY_MINION.where(having(DEATHRATTLE)), play=trigger_deathrattles(TARGET),
    ),
    spell(
        "ICC_049", "Toxic Arrow", 2, HUNTER, EPIC,
        target=ANY_MINION, play=[damage(2), when(TARGET_ALIVE, give(TARGET, POISONOUS))],
    ),
    secret(
        "ICC_200", "Venomstrike Trap", 2, HUNTER, RARE,
        on=on_attack_on_minion(summon("EX1_170"), when=HAVE_ROOM),
    ),
    minion("ICC_419", "Bearshark", 3, 4, 3, HUNTER, BEAST, COMMON, ELUSIVE),
    minion("ICC_415", "Stitched Tracker", 3, 2, 2, HUNTER, COMMON, battlecry=discover_from_deck(A_MINION)),
    minion("ICC_021", "Exploding Bloatbat", 4, 2, 1, HUNTER, BEAST, RARE, deathrattle=damage(2, ENEMY_MINIONS)),
    minion(
        "ICC_204", "Professor Putricide", 4, 5, 4, HUNTER, LEGENDARY,
        on=after_play(secret_from_pool(secrets_of(HUNTER)), only=A_SECRET),
    ),
    minion("ICC_243", "Corpse Widow", 5, 4, 6, HUNTER, BEAST, RARE, aura=costs(-2, having(DEATHRATTLE))),
    minion("ICC_825", "Abominable Bowman", 7, 6, 7, HUNTER, EPIC, deathrattle=summon_dead(1, of_race(BEAST))),
    hero_card(
        "ICC_828", "Deathstalker Rexxar", 6, 5, "ICC_828p", HUNTER, LEGENDARY,
        battlecry=damage(2, ENEMY_MINIONS),
    ),
    power(
        "ICC_828p", "Build-A-Beast", 2,
        play=join(
            own_cards(kind=MINION, race=BEAST, test=texted(5)),
            own_cards(kind=MINION, race=BEAST, test=plain(5)),
        ),
    ),
    # Mage
    spell(
        "ICC_836", "Breath of Sindragosa", 1, MAGE, COMMON, need=Need.ENEMY_MINION,
        play=[aim(ENEMY_MINIONS.random(1)), damage(2), freeze()],
    ),
    minion("ICC_068", "Ice Walker", 2, 1, 3, MAGE, ELEMENTAL, RARE, on=after_power(freeze(SUBJECT), whose=MY_AIMED)),
    minion(
        "ICC_252", "Coldwraith", 3, 3, 4, MAGE, COMMON,
        battlecry=when(there_is(ENEMIES.where(having(FROZEN))), draw()),
    ),
    minion("ICC_083", "Doomed Apprentice", 3, 3, 2, MAGE, RARE, aura=costs_for_enemy(1, A_SPELL)),
    secret(
        "ICC_082", "Frozen Clone", 3, MAGE, COMMON,
        on=after_play(
            add_copy(SUBJECT), add_copy(SUBJECT), whose=THEIRS, only=LIVING_MINION, when=HAND_ROOM,
        ),
    ),
    spell("ICC_823", "Simulacrum", 3, MAGE, EPIC, play=copy_cards(CHEAPEST.where(A_MINION))),
    minion("ICC_069", "Ghastly Conjurer", 4, 2, 6, MAGE, RARE, battlecry=add("CS2_027")),
    spell(
        "ICC_086", "Glacial Mysteries", 8, MAGE, EPIC,
        play=[secret_from_deck(), secret_from_deck(), secret_from_deck(), secret_from_deck(), secret_from_deck()],
    ),
    minion("ICC_838", "Sindragosa", 8, 8, 8, MAGE, DRAGON, LEGENDARY, battlecry=summon("ICC_838t", 2)),
    token(minion("ICC_838t", "Frozen Champion", 1, 0, 1, MAGE, deathrattle=add_random(LEGENDARY_MINIONS))),
    hero_card(
        "ICC_833", "Frost Lich Jaina", 9, 5, "ICC_833h", MAGE, LEGENDARY,
        battlecry=[summon("ICC_833t"), attach(MY_HERO, "ICC_833e")],
    ),
    token(minion("ICC_833t", "Water Elemental", 4, 3, 6, MAGE, ELEMENTAL, FREEZES)),
    enchantment(
        "ICC_833e", "Frost Lich", lasts=True,
        aura=gives_keywords(MY_MINIONS.where(of_race(ELEMENTAL)), LIFESTEAL),
    ),
    power(
        "ICC_833h", "Icy Touch", 2, target=CHARACTER,
        play=[damage(1), when(TARGET_DEAD, summon("ICC_833t"))],
    ),
    # Paladin
    minion("ICC_038", "Righteous Protector", 1, 1, 1, PALADIN, COMMON, TAUNT, DIVINE_SHIELD),
    spell("ICC_039", "Dark Conviction", 2, PALADIN, COMMON, target=ANY_MINION, play=[set_attack(3), set_health(3)]),
    spell("ICC_244", "Desperate Stand", 2, PALADIN, RARE, target=ANY_MINION, play=attach(TARGET, "ICC_244e")),
    enchantment("ICC_244e", "Redeemed", deathrattle=[summon_this(), set_remaining_health(1, LAST)]),
    minion(
        "ICC_801", "Howling Commander", 3, 2, 2, PALADIN, RARE,
        battlecry=draw_from_deck(minion_with(DIVINE_SHIELD)),
    ),
    minion("ICC_034", "Arrogant Crusader", 4, 5, 2, PALADIN, RARE, deathrattle=ENEMY_TURN_GHOUL),
    minion("ICC_820", "Chillblade Champion", 4, 3, 2, PALADIN, COMMON, CHARGE, LIFESTEAL),
    weapon("ICC_071", "Light's Sorrow", 4, 1, 4, PALADIN, EPIC, on=on_shield_lost(buff_weapon(1), only=A_MINION)),
    minion(
        "ICC_858", "Bolvar, Fireblood", 5, 1, 7, PALADIN, LEGENDARY, DIVINE_SHIELD,
        on=on_shield_lost(buff(SELF, 2), only=A_MINION),
    ),
    minion(
        "ICC_245", "Blackguard", 6, 3, 9, PALADIN, EPIC,
        on=on_heal(damage(EVENT_AMOUNT, ENEMY_MINIONS.random(1)), whose=MINE, only=A_HERO),
    ),
    hero_card(
        "ICC_829", "Uther of the Ebon Blade", 9, 5, "ICC_829p", PALADIN, LEGENDARY,
        battlecry=equip("ICC_829t"),
    ),
    token(
        weapon(
            "ICC_829t", "Grave Vengeance", 8, 5, 3, PALADIN, LIFESTEAL,
            aura=gives_keywords(MY_HERO, LIFESTEAL),
        )
    ),
    power(
        "ICC_829p", "The Four Horsemen", 2, need=Need.BOARD_SPACE,
        play=[
            summon_missing(HORSEMEN),
            when((NAZGRIM, TROLLBANE, WHITEMANE, MOGRAINE), destroy(ENEMY_HERO)),
        ],
    ),
    token(minion("ICC_829t2", "Deathlord Nazgrim", 2, 2, 2, PALADIN)),
    token(minion("ICC_829t3", "Thoras Trollbane", 2, 2, 2, PALADIN)),
    token(minion("ICC_829t4", "Inquisitor Whitemane", 2, 2, 2, PALADIN)),
    token(minion("ICC_829t5", "Darion Mograine", 2, 2, 2, PALADIN)),
    # Priest
    minion(
        "ICC_210", "Shadow Ascendant", 2, 2, 2, PRIEST, COMMON,
        on=end_of_turn(buff(MY_OTHER_MINIONS.random(1), 1, 1)),
    ),
    spell("ICC_802", "Spirit Lash", 2, PRIEST, COMMON, LIFESTEAL, play=damage(1, ALL_MINIONS)),
    minion("ICC_212", "Acolyte of Agony", 3, 3, 3, PRIEST, COMMON, LIFESTEAL),
    spell(
        "ICC_213", "Eternal Servitude", 4, PRIEST, RARE,
        need=Need.DEAD_FRIEND_AND_SPACE, play=discover_dead(),
    ),
    spell("ICC_207", "Devour Mind", 5, PRIEST, RARE, play=copy_from_enemy_deck(3)),
    spell(
        "ICC_849", "Embrace Darkness", 6, PRIEST, EPIC,
        target=ENEMY_MINION, play=attach(TARGET, "ICC_849e"),
    ),
    enchantment("ICC_849e", "Embraced", on=start_of_turn(detach(SELF, "ICC_849e"), steal(SELF))),
    spell("ICC_235", "Shadow Essence", 6, PRIEST, RARE, need=Need.BOARD_SPACE, play=summon_small_copy_from_deck(5)),
    minion("ICC_215", "Archbishop Benedictus", 7, 4, 6, PRIEST, LEGENDARY, battlecry=shuffle_enemy_deck()),
    hero_card(
        "ICC_830", "Shadowreaper Anduin", 8, 5, "ICC_830p", PRIEST, LEGENDARY,
        battlecry=destroy(ALL_MINIONS.where(attack_at_least(5))),
    ),
    power(
        "ICC_830p", "Voidform", 2, PRIEST, target=CHARACTER, play=damage(2),
        on=after_play(refresh_power(), whose=MINE),
    ),
    minion(
        "ICC_214", "Obsidian Statue", 9, 4, 8, PRIEST, EPIC, TAUNT, LIFESTEAL,
        deathrattle=destroy(ENEMY_MINIONS.random(1)),
    ),
    # Rogue
    spell("ICC_233", "Doomerang", 1, ROGUE, EPIC, need=Need.WEAPON, target=ANY_MINION, play=throw_weapon(TARGET)),
    spell("ICC_221", "Leeching Poison", 1, ROGUE, COMMON, need=Need.WEAPON, play=attach(MY_HERO, "ICC_221e")),
    enchantment(
        "ICC_221e", "Leeching Poison", aura=gives_keywords(MY_HERO, LIFESTEAL),
        on=on_weapon_destroyed(detach(MY_HERO, "ICC_221e")),
    ),
    spell(
        "ICC_201", "Roll the Bones", 2, ROGUE, RARE,
        play=[draw(noted=True), when(drew(having(DEATHRATTLE)), repeat(60))],
    ),
    minion(
        "ICC_809", "Plague Scientist", 3, 2, 3, ROGUE, COMMON,
        target=FRIENDLY_MINION.only_if(PLAYED_BEFORE), combo=give(TARGET, POISONOUS),
    ),
    hero_card(
        "ICC_827", "Valeera the Hollow", 9, 5, "ICC_827p", ROGUE, LEGENDARY,
        battlecry=[give(MY_HERO, STEALTH_TURN), unless(rule_holds(NO_POWERS), add_reflection("ICC_827t"))],
    ),
    power(
        "ICC_827p", "Death's Shadow", 0, ROGUE, need=Need.NEVER,
        on=(
            start_of_turn(unless(rule_holds(NO_POWERS), add_reflection("ICC_827t"))),
            after_play(reflect(), only=not_card("ICC_827")),
            end_of_turn(lose_reflections()),
        ),
    ),
    token(spell("ICC_827t", "Shadow Reflection", 0, ROGUE, need=Need.NEVER)),
    weapon("ICC_850", "Shadowblade", 3, 3, 2, ROGUE, RARE, battlecry=give_this_turn(MY_HERO, IMMUNE)),
    minion(
        "ICC_811", "Lilian Voss", 4, 4, 5, ROGUE, LEGENDARY,
        battlecry=transform_cards(MY_HAND.where(A_SPELL), enemy_class_cards(SPELL)),
    ),
    minion("ICC_240", "Runeforge Haunter", 4, 5, 3, ROGUE, RARE, LASTING_WEAPON),
    minion("ICC_065", "Bone Baron", 5, 5, 5, ROGUE, COMMON, deathrattle=add("ICC_026t", 2)),
    minion(
        "ICC_910", "Spectral Pillager", 6, 5, 5, ROGUE, EPIC,
        target=CHARACTER.only_if(PLAYED_BEFORE), combo=damage(PLAYED_EARLIER),
    ),
    # Shaman
    minion("ICC_058", "Brrrloc", 2, 2, 2, SHAMAN, MURLOC, COMMON, target=ENEMY_CHARACTER, battlecry=freeze()),
    spell("ICC_056", "Cryostasis", 2, SHAMAN, EPIC, target=ANY_MINION, play=[buff(TARGET, 3, 3), freeze()]),
    spell("ICC_089", "Ice Fishing", 2, SHAMAN, COMMON, play=draw_from_deck(of_race(MURLOC), 2)),
    minion("ICC_081", "Drakkari Defender", 3, 2, 8, SHAMAN, COMMON, TAUNT, overload=3),
    weapon(
        "ICC_236", "Ice Breaker", 3, 1, 3, SHAMAN, RARE,
        on=on_damage(destroy(SUBJECT.where(having(FROZEN))), whose=BY_MY_HERO, only=A_MINION),
    ),
    spell(
        "ICC_078", "Avalanche", 4, SHAMAN, RARE, target=ANY_MINION,
        play=[freeze(), damage(3, NEXT_TO_TARGET)],
    ),
    minion("ICC_088", "Voodoo Hexxer", 5, 2, 7, SHAMAN, RARE, TAUNT, FREEZES),
    hero_card(
        "ICC_481", "Thrall, Deathseer", 5, 5, "ICC_481p", SHAMAN, LEGENDARY,
        battlecry=transform_by_cost(MY_MINIONS, 2),
    ),
    power("ICC_481p", "Transmute Spirit", 2, target=FRIENDLY_MINION, play=transform_by_cost(TARGET, 1)),
    minion(
        "ICC_289", "Moorabi", 6, 4, 4, SHAMAN, LEGENDARY,
        on=on_frozen(add_copy(SUBJECT), whose=ANY_OTHER, only=A_MINION),
    ),
    minion("ICC_090", "Snowfury Giant", 11, 8, 8, SHAMAN, ELEMENTAL, EPIC, cost_rule=CostRule.OVERLOADED),
    # Warlock
    minion(
        "ICC_903", "Sanguine Reveler", 1, 1, 1, WARLOCK, COMMON,
        target=FRIENDLY_MINION, battlecry=[destroy(), when(TARGET_DEAD, buff(SELF, 2, 2))],
    ),
    spell(
        "ICC_041", "Defile", 2, WARLOCK, RARE,
        play=[damage(1, ALL_MINIONS), when(there_is(ALL_MINIONS.where(DYING)), [deaths(), repeat(13)])],
    ),
    spell("ICC_055", "Drain Soul", 2, WARLOCK, COMMON, LIFESTEAL, target=ANY_MINION, play=damage(2)),
    minion("ICC_407", "Gnomeferatu", 2, 2, 3, WARLOCK, EPIC, battlecry=lose_top_of_enemy_deck()),
    minion("ICC_218", "Howlfiend", 3, 3, 6, WARLOCK, DEMON, COMMON, on=on_damage(discard(1))),
    spell("ICC_206", "Treachery", 3, WARLOCK, EPIC, target=FRIENDLY_MINION, play=give_away()),
    spell(
        "ICC_469", "Unwilling Sacrifice", 3, WARLOCK, RARE,
        target=FRIENDLY_MINION, play=[destroy(), destroy(ENEMY_MINIONS.random(1))],
    ),
    minion(
        "ICC_841", "Blood-Queen Lana'thel", 5, 1, 6, WARLOCK, LEGENDARY, LIFESTEAL,
        aura=gives(SELF, 1, per=DISCARDED),
    ),
    minion("ICC_075", "Despicable Dreadlord", 5, 4, 5, WARLOCK, DEMON, RARE, on=end_of_turn(damage(1, ENEMY_MINIONS))),
    hero_card(
        "ICC_831", "Bloodreaver Gul'dan", 10, 5, "ICC_831p", WARLOCK, LEGENDARY,
        battlecry=summon_all_dead(of_race(DEMON)),
    ),
    power("ICC_831p", "Siphon Life", 2, LIFESTEAL, target=CHARACTER, play=damage(3)),
    # Warrior
    minion(
        "ICC_238", "Animated Berserker", 1, 1, 3, WARRIOR, COMMON,
        on=after_play(damage(1, SUBJECT), only=LIVING_MINION),
    ),
    spell("ICC_837", "Bring It On!", 2, WARRIOR, EPIC, play=[armor(10), reduce_cost(ENEMY_HAND.where(A_MINION), 2)]),
    spell("ICC_091", "Dead Man's Hand", 2, WARRIOR, EPIC, play=shuffle_hand()),
    spell("ICC_281", "Forge of Souls", 2, WARRIOR, COMMON, play=draw_from_deck(A_WEAPON, 2)),
    minion("ICC_062", "Mountainfire Armor", 3, 4, 3, WARRIOR, RARE, deathrattle=unless(MY_TURN, armor(6))),
    minion(
        "ICC_408", "Val'kyr Soulclaimer", 3, 1, 4, WARRIOR, RARE,
        on=on_damage(summon("ICC_900t"), when=SUBJECT_ALIVE),
    ),
    weapon(
        "ICC_064", "Blood Razor", 4, 2, 2, WARRIOR, COMMON,
        battlecry=damage(1, ALL_MINIONS), deathrattle=damage(1, ALL_MINIONS),
    ),
    minion(
        "ICC_450", "Death Revenant", 5, 3, 3, WARRIOR, RARE,
        battlecry=buff_both(SELF, count(ALL_MINIONS.where(DAMAGED))),
    ),
    minion(
        "ICC_405", "Rotface", 8, 4, 6, WARRIOR, LEGENDARY,
        on=on_damage(summon_random(LEGENDARY_MINIONS), when=SUBJECT_ALIVE),
    ),
    hero_card(
        "ICC_834", "Scourgelord Garrosh", 8, 5, "ICC_834h", WARRIOR, LEGENDARY,
        battlecry=equip("ICC_834w"),
    ),
    token(weapon("ICC_834w", "Shadowmourne", 8, 4, 3, WARRIOR, aura=gives_keywords(MY_HERO, CLEAVE))),
    power("ICC_834h", "Bladestorm", 2, WARRIOR, play=damage(1, ALL_MINIONS)),
)
