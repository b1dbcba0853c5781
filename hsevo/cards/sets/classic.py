"""Classic set (239 cards), with tokens under the card that makes them."""

from hsevo.cards.words import *

CARDS = (
    # Neutral
    minion("CS2_231", "Wisp", 0, 1, 1, COMMON),
    minion("CS2_188", "Abusive Sergeant", 1, 1, 1, COMMON, target=ANY_MINION, battlecry=buff_this_turn(TARGET, 2)),
    minion("EX1_009", "Angry Chicken", 1, 1, 1, RARE, BEAST, aura=enrage(5)),
    minion("EX1_008", "Argent Squire", 1, 1, 1, COMMON, DIVINE_SHIELD),
    minion("NEW1_025", "Bloodsail Corsair", 1, 1, 2, RARE, PIRATE, battlecry=damage_weapon()),
    minion(
        "NEW1_017", "Hungry Crab", 1, 1, 2, EPIC, BEAST, target=ANY_MINION.where(of_race(MURLOC)),
        battlecry=when(If.TARGET_RACE, [destroy(), buff(SELF, 2, 2)], MURLOC),
    ),
    minion("EX1_029", "Leper Gnome", 1, 1, 1, COMMON, deathrattle=damage(2, ENEMY_HERO)),
    minion("EX1_001", "Lightwarden", 1, 1, 2, RARE, on=whenever(Event.HEALED, Whose.ANY, buff(SELF, 2))),
    minion(
        "EX1_509", "Murloc Tidecaller", 1, 1, 2, RARE, MURLOC,
        on=whenever(Event.SUMMONED, Whose.MY_OTHERS, buff(SELF, 1), only=of_race(MURLOC)),
    ),
    minion(
        "EX1_080", "Secretkeeper", 1, 1, 2, RARE,
        on=whenever(Event.PLAYED, Whose.ANY, buff(SELF, 1, 1), only=A_SECRET),
    ),
    minion("EX1_405", "Shieldbearer", 1, 0, 4, COMMON, TAUNT),
    minion(
        "CS2_146", "Southsea Deckhand", 1, 2, 1, PIRATE, COMMON,
        aura=gives(SELF, 0, 0, CHARGE, when=If.HAVE_WEAPON),
    ),
    minion("EX1_010", "Worgen Infiltrator", 1, 2, 1, COMMON, STEALTH),
    minion("CS2_169", "Young Dragonhawk", 1, 1, 1, COMMON, BEAST, WINDFURY),
    minion("EX1_004", "Young Priestess", 1, 2, 1, RARE, on=end_of_turn(buff(MY_OTHER_MINIONS.random(1), 0, 1))),
    minion("EX1_393", "Amani Berserker", 2, 2, 3, COMMON, aura=enrage(3)),
    minion("EX1_045", "Ancient Watcher", 2, 4, 5, RARE, CANT_ATTACK),
    minion(
        "EX1_012", "Bloodmage Thalnos", 2, 1, 1, LEGENDARY, spell_damage=1, deathrattle=draw()
    ),
    minion(
        "NEW1_018", "Bloodsail Raider", 2, 2, 3, PIRATE, COMMON, battlecry=buff(SELF, WEAPON_ATTACK)
    ),
    minion("EX1_059", "Crazed Alchemist", 2, 2, 2, RARE, target=ANY_MINION, battlecry=Row(Op.SWAP_STATS, TARGET)),
    minion("EX1_162", "Dire Wolf Alpha", 2, 2, 2, COMMON, BEAST, aura=gives(ADJACENT, 1), positional=True),
    minion(
        "NEW1_021", "Doomsayer", 2, 0, 7, EPIC, on=start_of_turn(destroy(ALL_MINIONS))
    ),
    minion("NEW1_023", "Faerie Dragon", 2, 3, 2, COMMON, DRAGON, ELUSIVE),
    minion(
        "NEW1_019", "Knife Juggler", 2, 2, 2, RARE,
        on=whenever(Event.AFTER_SUMMONED, Whose.MY_OTHERS, damage(1, ENEMIES.random(1))),
    ),
    minion("EX1_096", "Loot Hoarder", 2, 2, 1, COMMON, deathrattle=draw()),
    minion("EX1_082", "Mad Bomber", 2, 3, 2, COMMON, battlecry=missiles(3, OTHER_CHARACTERS)),
    minion(
        "EX1_055", "Mana Addict", 2, 1, 3, RARE,
        on=whenever(Event.PLAYED, Whose.MY_OTHERS, buff_this_turn(SELF, 2), only=A_SPELL),
    ),
    minion("EX1_616", "Mana Wraith", 2, 2, 2, RARE, aura=costs(1, A_MINION, both=True)),
    minion("NEW1_037", "Master Swordsmith", 2, 1, 3, RARE, on=end_of_turn(buff(MY_OTHER_MINIONS.random(1), 1))),
    minion("EX1_557", "Nat Pagle", 2, 0, 4, LEGENDARY, on=start_of_turn(when(If.CHANCE, draw(), 50))),
    minion("EX1_058", "Sunfury Protector", 2, 2, 3, RARE, battlecry=give(ADJACENT, TAUNT), positional=True),
    minion(
        "EX1_100", "Lorewalker Cho", 2, 0, 4, LEGENDARY,
        on=whenever(Event.PLAYED, Whose.ANY_OTHER, Row(Op.ADD_EVENT_CARD), only=A_SPELL),
    ),
    minion(
        "NEW1_029", "Millhouse Manastorm", 2, 4, 4, LEGENDARY,
        battlecry=Row(Op.RULE_THIS_TURN, a=int(Rule.SPELLS_FREE), b=1),
    ),
    minion(
        "EX1_076", "Pint-Sized Summoner", 2, 2, 2, RARE,
        aura=costs(-1, A_MINION, when=If.FIRST_MINION),
    ),
    minion(
        "NEW1_020", "Wild Pyromancer", 2, 3, 2, RARE,
        on=whenever(Event.AFTER_PLAYED, Whose.MY_OTHERS, damage(1, ALL_MINIONS), only=A_SPELL),
    ),
    minion("EX1_049", "Youthful Brewmaster", 2, 3, 2, COMMON, target=FRIENDLY_MINION, battlecry=return_to_hand()),
    minion("EX1_007", "Acolyte of Pain", 3, 1, 3, COMMON, on=whenever(Event.DAMAGED, Whose.OWN, draw())),
    minion("EX1_089", "Arcane Golem", 3, 4, 4, RARE, battlecry=crystals(1, enemy=True)),
    minion("EX1_006", "Alarm-o-Bot", 3, 0, 3, RARE, MECH, on=start_of_turn(Row(Op.SWAP_WITH_HAND))),
    minion(
        "EX1_590", "Blood Knight", 3, 3, 3, EPIC,
        battlecry=[
            buff_both(SELF, Value(Amount.WITH_KEYWORD, 3, DIVINE_SHIELD)),
            remove(ALL_MINIONS, DIVINE_SHIELD),
        ],
    ),
    minion("EX1_050", "Coldlight Oracle", 3, 2, 2, RARE, MURLOC, battlecry=[draw(2), draw_for_enemy(2)]),
    minion(
        "EX1_103", "Coldlight Seer", 3, 2, 3, RARE, MURLOC,
        battlecry=buff(MY_OTHER_MINIONS.where(of_race(MURLOC)), 0, 2),
    ),
    minion("EX1_102", "Demolisher", 3, 1, 4, RARE, MECH, on=start_of_turn(damage(2, ENEMIES.random(1)))),
    minion("CS2_117", "Earthen Ring Farseer", 3, 3, 3, COMMON, target=CHARACTER, battlecry=heal(3)),
    minion("EX1_170", "Emperor Cobra", 3, 2, 3, RARE, BEAST, POISONOUS),
    minion("tt_004", "Flesheating Ghoul", 3, 2, 3, COMMON, on=whenever(Event.DIED, Whose.ANY, buff(SELF, 1))),
    minion("EX1_556", "Harvest Golem", 3, 2, 3, COMMON, MECH, deathrattle=summon("skele21")),
    token(minion("skele21", "Damaged Golem", 1, 2, 1, COMMON, MECH)),
    minion("EX1_597", "Imp Master", 3, 1, 5, RARE, on=end_of_turn(damage(1, SELF), summon("EX1_598"))),
    token(minion("EX1_598", "Imp", 1, 1, 1, DEMON)),
    minion("CS2_181", "Injured Blademaster", 3, 4, 7, RARE, battlecry=damage(4, SELF)),
    minion("CS2_203", "Ironbeak Owl", 3, 2, 1, COMMON, BEAST, target=ANY_MINION, battlecry=silence()),
    minion("EX1_017", "Jungle Panther", 3, 4, 2, COMMON, BEAST, STEALTH),
    minion("EX1_014", "King Mukla", 3, 5, 5, LEGENDARY, BEAST, battlecry=add_for_enemy("EX1_014t", 2)),
    token(spell("EX1_014t", "Bananas", 1, target=ANY_MINION, play=buff(TARGET, 1, 1))),
    minion(
        "EX1_085", "Mind Control Tech", 3, 3, 3, RARE,
        battlecry=when(If.ENEMY_MINIONS_AT_LEAST, steal(ENEMY_MINIONS.random(1)), 4),
    ),
    minion(
        "EX1_507", "Murloc Warleader", 3, 3, 3, EPIC, MURLOC,
        aura=gives(MY_OTHER_MINIONS.where(of_race(MURLOC)), 2),
    ),
    minion(
        "EX1_044", "Questing Adventurer", 3, 2, 2, RARE,
        on=whenever(Event.PLAYED, Whose.MY_OTHERS, buff(SELF, 1, 1)),
    ),
    minion("EX1_412", "Raging Worgen", 3, 3, 3, COMMON, aura=enrage(1, WINDFURY)),
    minion("EX1_020", "Scarlet Crusader", 3, 3, 1, COMMON, DIVINE_SHIELD),
    minion(
        "NEW1_027", "Southsea Captain", 3, 3, 3, PIRATE, EPIC,
        aura=gives(MY_OTHER_MINIONS.where(of_race(PIRATE)), 1, 1),
    ),
    minion("EX1_390", "Tauren Warrior", 3, 2, 3, COMMON, TAUNT, aura=enrage(3)),
    minion("EX1_021", "Thrallmar Farseer", 3, 2, 3, COMMON, WINDFURY),
    minion(
        "EX1_083", "Tinkmaster Overspark", 3, 3, 3, LEGENDARY,
        battlecry=transform_random(ALL_OTHER_MINIONS.random(1), Pool(cards=("EX1_tk28", "EX1_tk29"))),
    ),
    token(minion("EX1_tk28", "Squirrel", 1, 1, 1, BEAST)),
    token(minion("EX1_tk29", "Devilsaur", 5, 5, 5, BEAST)),
    minion("EX1_057", "Ancient Brewmaster", 4, 5, 4, COMMON, target=FRIENDLY_MINION, battlecry=return_to_hand()),
    minion(
        "EX1_584", "Ancient Mage", 4, 2, 5, RARE,
        battlecry=attach(ADJACENT, "EX1_584e"), positional=True,
    ),
    enchantment("EX1_584e", "Teachings of the Kirin Tor", spell_damage=1),
    minion("EX1_595", "Cult Master", 4, 4, 2, COMMON, on=whenever(Event.DIED, Whose.MINE, draw())),
    minion(
        "EX1_046", "Dark Iron Dwarf", 4, 4, 4, COMMON,
        target=ANY_MINION, battlecry=buff_this_turn(TARGET, 2),
    ),
    minion(
        "EX1_093", "Defender of Argus", 4, 2, 3, RARE,
        battlecry=[buff(ADJACENT, 1, 1), give(ADJACENT, TAUNT)], positional=True,
    ),
    minion(
        "NEW1_022", "Dread Corsair", 4, 3, 3, PIRATE, COMMON, TAUNT,
        cost_rule=CostRule.WEAPON_ATTACK,
    ),
    minion("EX1_396", "Mogu'shan Warden", 4, 1, 7, COMMON, TAUNT),
    minion("EX1_023", "Silvermoon Guardian", 4, 3, 3, COMMON, DIVINE_SHIELD),
    minion("EX1_048", "Spellbreaker", 4, 4, 3, COMMON, target=ANY_MINION, battlecry=silence()),
    minion("EX1_043", "Twilight Drake", 4, 4, 1, RARE, DRAGON, battlecry=buff_health(SELF, Value(Amount.HAND))),
    minion(
        "NEW1_026", "Violet Teacher", 4, 3, 5, RARE,
        on=whenever(Event.PLAYED, Whose.MY_OTHERS, summon("NEW1_026t"), only=A_SPELL),
    ),
    token(minion("NEW1_026t", "Violet Apprentice", 1, 1, 1)),
    minion("EX1_097", "Abomination", 5, 4, 4, RARE, TAUNT, deathrattle=damage(2, CHARACTERS)),
    minion(
        "EX1_005", "Big Game Hunter", 5, 4, 2, EPIC,
        target=ANY_MINION.where(attack_at_least(7)), battlecry=destroy(),
    ),
    minion("NEW1_024", "Captain Greenskin", 5, 5, 4, LEGENDARY, PIRATE, battlecry=buff_weapon(1, 1)),
    minion("EX1_564", "Faceless Manipulator", 5, 3, 3, EPIC, target=ANY_MINION, battlecry=Row(Op.COPY_OF, SELF)),
    minion("CS1_069", "Fen Creeper", 5, 3, 6, COMMON, TAUNT),
    minion(
        "EX1_558", "Harrison Jones", 5, 5, 4, LEGENDARY,
        battlecry=[draw(Value(Amount.ENEMY_DURABILITY)), destroy_weapon()],
    ),
    minion("EX1_116", "Leeroy Jenkins", 5, 6, 2, LEGENDARY, CHARGE, battlecry=summon_for_enemy("EX1_116t", 2)),
    token(minion("EX1_116t", "Whelp", 1, 1, 1, DRAGON)),
    minion("CS2_151", "Silver Hand Knight", 5, 4, 4, COMMON, battlecry=summon("CS2_152")),
    token(minion("CS2_152", "Squire", 1, 2, 2, COMMON)),
    minion("CS2_221", "Spiteful Smith", 5, 4, 6, COMMON, aura=gives(MY_WEAPON, 2, when=If.DAMAGED)),
    minion(
        "NEW1_041", "Stampeding Kodo", 5, 3, 5, RARE, BEAST,
        battlecry=destroy(ENEMY_MINIONS.where(attack_at_most(2)).random(1)),
    ),
    minion("EX1_028", "Stranglethorn Tiger", 5, 5, 5, COMMON, BEAST, STEALTH),
    minion("CS2_227", "Venture Co. Mercenary", 5, 7, 6, COMMON, aura=costs(3, A_MINION)),
    minion("EX1_067", "Argent Commander", 6, 4, 2, RARE, CHARGE, DIVINE_SHIELD),
    minion("EX1_110", "Cairne Bloodhoof", 6, 4, 5, LEGENDARY, deathrattle=summon("EX1_110t")),
    token(minion("EX1_110t", "Baine Bloodhoof", 4, 4, 5)),
    minion("EX1_283", "Frost Elemental", 6, 5, 5, COMMON, target=CHARACTER, battlecry=freeze()),
    minion(
        "EX1_095", "Gadgetzan Auctioneer", 6, 4, 4, RARE,
        on=whenever(Event.PLAYED, Whose.MY_OTHERS, draw(), only=A_SPELL),
    ),
    minion("NEW1_040", "Hogger", 6, 4, 4, LEGENDARY, on=end_of_turn(summon("NEW1_040t"))),
    token(minion("NEW1_040t", "Gnoll", 2, 2, 2, TAUNT)),
    minion(
        "EX1_614", "Illidan Stormrage", 6, 7, 5, LEGENDARY, DEMON,
        on=whenever(Event.PLAYED, Whose.MY_OTHERS, summon("EX1_614t")),
    ),
    token(minion("EX1_614t", "Flame of Azzinoth", 1, 2, 1)),
    minion("EX1_583", "Priestess of Elune", 6, 5, 4, COMMON, battlecry=heal(4, MY_HERO)),
    minion("EX1_032", "Sunwalker", 6, 4, 5, RARE, TAUNT, DIVINE_SHIELD),
    minion("EX1_577", "The Beast", 6, 9, 7, LEGENDARY, BEAST, deathrattle=summon_for_enemy("EX1_finkle")),
    token(minion("EX1_finkle", "Finkle Einhorn", 3, 3, 3)),
    minion(
        "EX1_002", "The Black Knight", 6, 4, 5, LEGENDARY,
        target=ENEMY_MINION.where(having(TAUNT)), battlecry=destroy(),
    ),
    minion("EX1_033", "Windfury Harpy", 6, 4, 5, COMMON, WINDFURY),
    minion("EX1_249", "Baron Geddon", 7, 7, 5, LEGENDARY, on=end_of_turn(damage(2, OTHER_CHARACTERS))),
    minion("CS2_161", "Ravenholdt Assassin", 7, 7, 5, RARE, STEALTH),
    minion("NEW1_038", "Gruul", 8, 7, 7, LEGENDARY, on=end_of_turn(buff(SELF, 1, 1), whose=Whose.ANY)),
    minion(
        "EX1_561", "Alexstrasza", 9, 8, 8, LEGENDARY, DRAGON,
        target=ANY_HERO, battlecry=set_remaining_health(15),
    ),
    minion("EX1_563", "Malygos", 9, 4, 12, LEGENDARY, DRAGON, spell_damage=5),
    minion("EX1_562", "Onyxia", 9, 8, 8, LEGENDARY, DRAGON, battlecry=summon("ds1_whelptoken", 7)),
    token(minion("ds1_whelptoken", "Whelp", 1, 1, 1, DRAGON)),
    minion("EX1_560", "Nozdormu", 9, 8, 8, LEGENDARY, DRAGON),  # shortens turns of the clock, which has none here
    minion(
        "EX1_572", "Ysera", 9, 4, 12, LEGENDARY, DRAGON,
        on=end_of_turn(
            add_random(Pool(cards=("DREAM_01", "DREAM_02", "DREAM_03", "DREAM_04", "DREAM_05")))
        ),
    ),
    token(minion("DREAM_01", "Laughing Sister", 3, 3, 5, ELUSIVE)),
    token(spell("DREAM_02", "Ysera Awakens", 2, play=damage(5, CHARACTERS.where(not_card("EX1_572"))))),
    token(minion("DREAM_03", "Emerald Drake", 4, 7, 6, DRAGON)),
    token(spell("DREAM_04", "Dream", 0, target=ANY_MINION, play=return_to_hand())),
    token(
        spell("DREAM_05", "Nightmare", 0, target=ANY_MINION, play=[buff(TARGET, 5, 5), attach(TARGET, "DREAM_05e")])
    ),
    enchantment("DREAM_05e", "Nightmare", on=start_of_turn(destroy(SELF))),
    minion(
        "NEW1_030", "Deathwing", 10, 12, 12, LEGENDARY, DRAGON,
        battlecry=[destroy(ALL_OTHER_MINIONS), discard(Value(Amount.HAND))],
    ),
    minion("EX1_586", "Sea Giant", 10, 8, 8, EPIC, cost_rule=CostRule.ALL_MINIONS),
    minion("EX1_105", "Mountain Giant", 12, 8, 8, EPIC, cost_rule=CostRule.HAND),
    minion("EX1_620", "Molten Giant", 25, 8, 8, EPIC, cost_rule=CostRule.HERO_DAMAGE),
    # Druid
    spell("EX1_161", "Naturalize", 1, DRUID, COMMON, target=ANY_MINION, play=[destroy(), draw_for_enemy(2)]),
    spell("EX1_578", "Savagery", 1, DRUID, RARE, target=ANY_MINION, play=damage(Value(Amount.HERO_ATTACK))),
    spell("EX1_570", "Bite", 4, DRUID, RARE, play=[hero_attack(4), armor(4)]),
    spell("EX1_158", "Soul of the Forest", 4, DRUID, COMMON, play=attach(MY_MINIONS, "EX1_158e")),
    enchantment("EX1_158e", "Soul of the Forest", deathrattle=summon("EX1_158t")),
    token(minion("EX1_158t", "Treant", 2, 2, 2, DRUID)),
    spell("EX1_571", "Force of Nature", 5, DRUID, EPIC, need=Need.BOARD_SPACE, play=summon("EX1_tk9", 3)),
    token(minion("EX1_tk9", "Treant", 2, 2, 2, DRUID)),
    spell("EX1_154", "Wrath", 2, DRUID, COMMON, options=("EX1_154a", "EX1_154b")),
    token(spell("EX1_154a", "Wrath", 0, DRUID, target=ANY_MINION, play=damage(3))),
    token(spell("EX1_154b", "Wrath", 0, DRUID, target=ANY_MINION, play=[damage(1), draw()])),
    spell("EX1_160", "Power of the Wild", 2, DRUID, COMMON, options=("EX1_160a", "EX1_160b")),
    token(spell("EX1_160a", "Summon a Panther", 0, DRUID, need=Need.BOARD_SPACE, play=summon("EX1_160t"))),
    token(spell("EX1_160b", "Leader of the Pack", 0, DRUID, play=buff(MY_MINIONS, 1, 1))),
    token(minion("EX1_160t", "Panther", 2, 3, 2, DRUID, COMMON, BEAST)),
    spell("EX1_155", "Mark of Nature", 3, DRUID, COMMON, options=("EX1_155a", "EX1_155b")),
    token(spell("EX1_155a", "Mark of Nature", 0, DRUID, target=ANY_MINION, play=buff(TARGET, 4))),
    token(
        spell("EX1_155b", "Mark of Nature", 0, DRUID, target=ANY_MINION, play=[buff(TARGET, 0, 4), give(TARGET, TAUNT)])
    ),
    minion("EX1_166", "Keeper of the Grove", 4, 2, 2, DRUID, RARE, options=("EX1_166a", "EX1_166b")),
    token(spell("EX1_166a", "Moonfire", 0, DRUID, target=CHARACTER, play=damage(2, TARGET, 0))),
    token(spell("EX1_166b", "Dispel", 0, DRUID, target=ANY_MINION, play=silence())),
    spell("EX1_164", "Nourish", 5, DRUID, RARE, options=("EX1_164a", "EX1_164b")),
    token(spell("EX1_164a", "Nourish", 0, DRUID, play=crystals(2))),
    token(spell("EX1_164b", "Nourish", 0, DRUID, play=draw(3))),
    minion("EX1_165", "Druid of the Claw", 5, 4, 4, DRUID, COMMON, options=("EX1_165a", "EX1_165b")),
    token(spell("EX1_165a", "Cat Form", 0, DRUID, play=transform(SELF, "EX1_165t1"))),
    token(spell("EX1_165b", "Bear Form", 0, DRUID, play=transform(SELF, "EX1_165t2"))),
    token(minion("EX1_165t1", "Druid of the Claw", 5, 4, 4, DRUID, COMMON, BEAST, CHARGE)),
    token(minion("EX1_165t2", "Druid of the Claw", 5, 4, 6, DRUID, COMMON, BEAST, TAUNT)),
    spell("NEW1_007", "Starfall", 5, DRUID, RARE, options=("NEW1_007a", "NEW1_007b")),
    token(spell("NEW1_007a", "Starfall", 0, DRUID, play=damage(2, ENEMY_MINIONS))),
    token(spell("NEW1_007b", "Starfall", 0, DRUID, target=ANY_MINION, play=damage(5))),
    minion("EX1_178", "Ancient of War", 7, 5, 5, DRUID, EPIC, options=("EX1_178b", "EX1_178a")),
    token(spell("EX1_178a", "Rooted", 0, DRUID, play=[buff(SELF, 0, 5), give(SELF, TAUNT)])),
    token(spell("EX1_178b", "Uproot", 0, DRUID, play=buff(SELF, 5))),
    minion("NEW1_008", "Ancient of Lore", 7, 5, 5, DRUID, EPIC, options=("NEW1_008a", "NEW1_008b")),
    token(spell("NEW1_008a", "Ancient Teachings", 0, DRUID, play=draw())),
    token(spell("NEW1_008b", "Ancient Secrets", 0, DRUID, target=CHARACTER, play=heal(5))),
    minion("EX1_573", "Cenarius", 9, 5, 8, DRUID, LEGENDARY, options=("EX1_573a", "EX1_573b")),
    token(spell("EX1_573a", "Demigod's Favor", 0, DRUID, play=buff(MY_OTHER_MINIONS, 2, 2))),
    token(spell("EX1_573b", "Shan'do's Lesson", 0, DRUID, play=summon("EX1_573t", 2))),
    token(minion("EX1_573t", "Treant", 2, 2, 2, DRUID, TAUNT)),
    # Hunter
    spell(
        "EX1_549", "Bestial Wrath", 1, HUNTER, EPIC, target=FRIENDLY_MINION.where(of_race(BEAST)),
        play=[buff_this_turn(TARGET, 2), give_this_turn(TARGET, IMMUNE)],
    ),
    secret(
        "EX1_610", "Explosive Trap", 2, HUNTER, COMMON,
        on=whenever(Event.ATTACKS, Whose.AT_ME, damage(2, ENEMIES)),
    ),
    spell(
        "EX1_544", "Flare", 2, HUNTER, RARE,
        play=[remove(ALL_MINIONS, STEALTH, STEALTH_TURN), destroy_secrets(), draw()],
    ),
    secret(
        "EX1_611", "Freezing Trap", 2, HUNTER, COMMON,
        on=whenever(
            Event.ATTACKS, Whose.THEIRS, return_to_hand(SUBJECT, 2), only=A_MINION, when=If.SUBJECT_ALIVE
        ),
    ),
    secret(
        "EX1_533", "Misdirection", 2, HUNTER, RARE,
        on=whenever(Event.ATTACKS, Whose.AT_ME, retarget(CHARACTERS_BUT_EVENT.random(1))),
    ),
    minion(
        "EX1_531", "Scavenging Hyena", 2, 2, 2, HUNTER, COMMON, BEAST,
        on=whenever(Event.DIED, Whose.MINE, buff(SELF, 2, 1), only=of_race(BEAST)),
    ),
    secret(
        "EX1_554", "Snake Trap", 2, HUNTER, EPIC,
        on=whenever(Event.ATTACKS, Whose.AT_MINIONS, summon("EX1_554t", 3), when=If.BOARD_SPACE),
    ),
    token(minion("EX1_554t", "Snake", 1, 1, 1, HUNTER, COMMON, BEAST)),
    secret(
        "EX1_609", "Snipe", 2, HUNTER, COMMON,
        on=whenever(Event.AFTER_PLAYED, Whose.THEIRS, damage(4, SUBJECT), only=MINION_IN_PLAY),
    ),
    spell("EX1_617", "Deadly Shot", 3, HUNTER, COMMON, need=Need.ENEMY_MINION, play=destroy(ENEMY_MINIONS.random(1))),
    weapon(
        "EX1_536", "Eaglehorn Bow", 3, 3, 2, HUNTER, RARE,
        on=whenever(Event.SECRET_REVEALED, Whose.MINE, buff_weapon(0, 1)),
    ),
    spell(
        "EX1_538", "Unleash the Hounds", 3, HUNTER, COMMON, need=Need.ENEMY_MINION_AND_SPACE,
        play=summon("EX1_538t", Value(Amount.ENEMY_MINIONS)),
    ),
    token(minion("EX1_538t", "Hound", 1, 1, 1, HUNTER, BEAST, CHARGE)),
    spell(
        "EX1_537", "Explosive Shot", 5, HUNTER, RARE,
        target=ANY_MINION, play=[damage(5), damage(2, NEXT_TO_TARGET)],
    ),
    minion("EX1_534", "Savannah Highmane", 6, 6, 5, HUNTER, RARE, BEAST, deathrattle=summon("EX1_534t", 2)),
    token(minion("EX1_534t", "Hyena", 2, 2, 2, HUNTER, RARE, BEAST)),
    weapon(
        "DS1_188", "Gladiator's Longbow", 7, 5, 2, HUNTER, EPIC,
        on=whenever(Event.ATTACKS, Whose.MINE, give(MY_HERO, Keyword.IMMUNE_ATTACKING), only=A_HERO),
    ),
    minion("EX1_543", "King Krush", 9, 8, 8, HUNTER, LEGENDARY, BEAST, CHARGE),
    # Mage
    minion(
        "NEW1_012", "Mana Wyrm", 1, 1, 3, MAGE, COMMON,
        on=whenever(Event.PLAYED, Whose.MY_OTHERS, buff(SELF, 1), only=A_SPELL),
    ),
    minion("EX1_608", "Sorcerer's Apprentice", 2, 3, 2, MAGE, COMMON, aura=costs(-1, A_SPELL)),
    secret(
        "EX1_287", "Counterspell", 3, MAGE, RARE,
        on=whenever(Event.PLAYED, Whose.THEIRS, counter(), only=A_SPELL),
    ),
    secret(
        "EX1_289", "Ice Barrier", 3, MAGE, COMMON, on=whenever(Event.ATTACKS, Whose.AT_ME, armor(8))
    ),
    secret(
        "EX1_295", "Ice Block", 3, MAGE, EPIC,
        on=whenever(Event.FATAL_DAMAGE, Whose.MINE, give_this_turn(MY_HERO, IMMUNE)),
    ),
    secret(
        "EX1_294", "Mirror Entity", 3, MAGE, COMMON,
        on=whenever(
            Event.AFTER_PLAYED, Whose.THEIRS, summon_copy(SUBJECT), only=IN_PLAY, when=If.BOARD_SPACE
        ),
    ),
    minion(
        "EX1_612", "Kirin Tor Mage", 3, 4, 3, MAGE, RARE,
        battlecry=Row(Op.RULE_THIS_TURN, a=int(Rule.NEXT_SECRET_FREE)),
    ),
    secret(
        "tt_010", "Spellbender", 3, MAGE, EPIC,
        on=whenever(
            Event.TARGETED, Whose.THEIRS, [summon("tt_010a"), Row(Op.RETARGET_SPELL, LAST)],
            only=A_MINION, when=If.BOARD_SPACE,
        ),
    ),
    token(minion("tt_010a", "Spellbender", 1, 1, 3, MAGE, EPIC)),
    secret(
        "EX1_594", "Vaporize", 3, MAGE, RARE,
        on=whenever(Event.ATTACKS, Whose.AT_ME, destroy(SUBJECT), only=A_MINION),
    ),
    spell(
        "EX1_275", "Cone of Cold", 4, MAGE, COMMON,
        target=ANY_MINION, play=[freeze(AROUND_TARGET), damage(1, AROUND_TARGET)],
    ),
    minion(
        "EX1_274", "Ethereal Arcanist", 4, 3, 3, MAGE, RARE,
        on=end_of_turn(when(If.OWN_SECRET, buff(SELF, 2, 2))),
    ),
    spell(
        "CS2_028", "Blizzard", 6, MAGE, RARE, play=[damage(2, ENEMY_MINIONS), freeze(ENEMY_MINIONS)]
    ),
    minion(
        "EX1_559", "Archmage Antonidas", 7, 5, 7, MAGE, LEGENDARY,
        on=whenever(Event.PLAYED, Whose.MY_OTHERS, add("CS2_029"), only=A_SPELL),
    ),
    spell("EX1_279", "Pyroblast", 10, MAGE, EPIC, target=CHARACTER, play=damage(10)),
    # Paladin
    spell("EX1_363", "Blessing of Wisdom", 1, PALADIN, COMMON, target=ANY_MINION, play=attach(TARGET, "EX1_363e")),
    enchantment("EX1_363e", "Blessing of Wisdom", on=whenever(Event.ATTACKS, Whose.OWN, draw())),
    secret(
        "EX1_132", "Eye for an Eye", 1, PALADIN, COMMON,
        on=whenever(Event.DAMAGED, Whose.MINE, damage(EVENT_AMOUNT, ENEMY_HERO, 0), only=A_HERO),
    ),
    secret(
        "EX1_130", "Noble Sacrifice", 1, PALADIN, COMMON,
        on=whenever(
            Event.ATTACKS, Whose.THEIRS, [summon("EX1_130a"), retarget(LAST)], when=If.BOARD_SPACE
        ),
    ),
    token(minion("EX1_130a", "Defender", 1, 2, 1, PALADIN, COMMON)),
    secret(
        "EX1_136", "Redemption", 1, PALADIN, COMMON,
        on=whenever(
            Event.DIED, Whose.MINE, [Row(Op.SUMMON, value=ONE, a=-1), set_remaining_health(1, LAST)],
            when=If.BOARD_SPACE,
        ),
    ),
    secret(
        "EX1_379", "Repentance", 1, PALADIN, COMMON,
        on=whenever(Event.AFTER_PLAYED, Whose.THEIRS, set_health(1, SUBJECT), only=MINION_IN_PLAY),
    ),
    minion(
        "EX1_362", "Argent Protector", 2, 2, 2, PALADIN, COMMON,
        target=FRIENDLY_MINION, battlecry=give(TARGET, DIVINE_SHIELD),
    ),
    spell("EX1_619", "Equality", 2, PALADIN, RARE, play=set_health(1, ALL_MINIONS)),
    minion("EX1_382", "Aldor Peacekeeper", 3, 3, 3, PALADIN, RARE, target=ENEMY_MINION, battlecry=set_attack(1)),
    spell("EX1_349", "Divine Favor", 3, PALADIN, RARE, play=draw(Value(Amount.HAND_DIFFERENCE))),
    weapon(
        "EX1_366", "Sword of Justice", 3, 1, 5, PALADIN, EPIC,
        on=whenever(Event.AFTER_SUMMONED, Whose.MINE, [buff(SUBJECT, 1, 1), damage_weapon(enemy=False)]),
    ),
    spell(
        "EX1_355", "Blessed Champion", 5, PALADIN, RARE,
        target=ANY_MINION, play=Row(Op.DOUBLE_ATTACK, TARGET),
    ),
    spell("EX1_365", "Holy Wrath", 5, PALADIN, RARE, target=CHARACTER, play=[draw(), damage(EVENT_AMOUNT)]),
    spell("EX1_384", "Avenging Wrath", 6, PALADIN, EPIC, play=missiles(8)),
    spell("EX1_354", "Lay on Hands", 8, PALADIN, EPIC, target=CHARACTER, play=[heal(8), draw(3)]),
    minion(
        "EX1_383", "Tirion Fordring", 8, 6, 6, PALADIN, LEGENDARY, DIVINE_SHIELD, TAUNT,
        deathrattle=equip("EX1_383t"),
    ),
    token(weapon("EX1_383t", "Ashbringer", 5, 5, 3, PALADIN)),
    # Priest
    spell("EX1_621", "Circle of Healing", 0, PRIEST, COMMON, play=heal(4, ALL_MINIONS)),
    spell("EX1_332", "Silence", 0, PRIEST, COMMON, target=ANY_MINION, play=silence()),
    spell("CS1_129", "Inner Fire", 1, PRIEST, COMMON, target=ANY_MINION, play=set_attack(Value(Amount.TARGET_HEALTH))),
    minion(
        "EX1_341", "Lightwell", 2, 0, 5, PRIEST, RARE,
        on=start_of_turn(heal(3, MY_CHARACTERS.where(DAMAGED).random(1))),
    ),
    spell(
        "EX1_625", "Shadowform", 3, PRIEST, EPIC,
        play=[
            when(If.POWER_IS, [Row(Op.SET_POWER, a="EX1_625t2"), stop()], "EX1_625t"),
            when(If.POWER_IS, [Row(Op.SET_POWER, a="EX1_625t2"), stop()], "EX1_625t2"),
            Row(Op.SET_POWER, a="EX1_625t"),
        ],
    ),
    power("EX1_625t", "Mind Spike", 2, PRIEST, target=CHARACTER, play=damage(2)),
    power("EX1_625t2", "Mind Shatter", 2, PRIEST, target=CHARACTER, play=damage(3)),
    spell(
        "EX1_339", "Thoughtsteal", 3, PRIEST, COMMON,
        play=Row(Op.ADD_FROM_ENEMY_DECK, value=Value(Amount.LITERAL, 2)),
    ),
    spell(
        "EX1_345", "Mindgames", 4, PRIEST, EPIC,
        need=Need.BOARD_SPACE, play=Row(Op.SUMMON_FROM_DECK, a="EX1_345t", b=2),
    ),
    token(minion("EX1_345t", "Shadow of Nothing", 0, 0, 1, PRIEST, EPIC)),
    minion("EX1_591", "Auchenai Soulpriest", 4, 3, 5, PRIEST, RARE, HEALING_HURTS),
    spell("EX1_626", "Mass Dispel", 4, PRIEST, RARE, play=[silence(ENEMY_MINIONS), draw()]),
    spell(
        "EX1_334", "Shadow Madness", 4, PRIEST, RARE, need=Need.BOARD_SPACE,
        target=ENEMY_MINION.where(attack_at_most(3)), play=steal_this_turn(TARGET),
    ),
    minion("EX1_335", "Lightspawn", 4, 0, 5, PRIEST, COMMON, aura=attack_follows_health()),
    minion(
        "EX1_091", "Cabal Shadow Priest", 6, 4, 5, PRIEST, EPIC,
        target=ENEMY_MINION.where(attack_at_most(2)), battlecry=steal(TARGET),
    ),
    spell("EX1_624", "Holy Fire", 6, PRIEST, RARE, target=CHARACTER, play=[damage(5), heal(5, MY_HERO)]),
    minion("EX1_623", "Temple Enforcer", 6, 6, 6, PRIEST, COMMON, target=FRIENDLY_MINION, battlecry=buff(TARGET, 0, 3)),
    minion("EX1_350", "Prophet Velen", 7, 7, 7, PRIEST, LEGENDARY, DOUBLE_SPELLS),
    # Rogue
    spell("EX1_144", "Shadowstep", 0, ROGUE, COMMON, target=FRIENDLY_MINION, play=return_to_hand(TARGET, -2)),
    spell("EX1_145", "Preparation", 0, ROGUE, EPIC, play=Row(Op.RULE_THIS_TURN, a=int(Rule.NEXT_SPELL_CHEAPER))),
    spell("CS2_073", "Cold Blood", 1, ROGUE, COMMON, target=ANY_MINION, play=buff(TARGET, 2), combo=buff(TARGET, 4)),
    spell(
        "EX1_126", "Betrayal", 2, ROGUE, COMMON, target=ENEMY_MINION,
        play=Row(Op.DAMAGE, NEXT_TO_TARGET, Value(Amount.AIMED_ATTACK), b=1),
    ),
    minion("EX1_131", "Defias Ringleader", 2, 2, 2, ROGUE, COMMON, combo=summon("EX1_131t")),
    token(minion("EX1_131t", "Defias Bandit", 1, 2, 1, ROGUE)),
    spell("EX1_124", "Eviscerate", 2, ROGUE, COMMON, target=CHARACTER, play=damage(2), combo=damage(4)),
    minion("EX1_522", "Patient Assassin", 2, 1, 1, ROGUE, EPIC, STEALTH, POISONOUS),
    minion(
        "EX1_613", "Edwin VanCleef", 3, 2, 2, ROGUE, LEGENDARY,
        combo=[buff_both(SELF, Value(Amount.PLAYED_EARLIER)), buff_both(SELF, Value(Amount.PLAYED_EARLIER))],
    ),
    weapon(
        "EX1_133", "Perdition's Blade", 3, 2, 2, ROGUE, RARE,
        target=CHARACTER, battlecry=damage(1), combo=damage(2),
    ),
    spell(
        "EX1_137", "Headcrack", 3, ROGUE, RARE,
        play=damage(2, ENEMY_HERO), combo=[damage(2, ENEMY_HERO), next_turn("EX1_137e")],
    ),
    enchantment("EX1_137e", "Return of Headcrack", play=add("EX1_137")),
    minion(
        "EX1_134", "SI:7 Agent", 3, 3, 3, ROGUE, RARE,
        target=CHARACTER.only_if(If.PLAYED_BEFORE), combo=damage(2),
    ),
    spell(
        "CS2_233", "Blade Flurry", 4, ROGUE, RARE, need=Need.WEAPON,
        play=[damage(WEAPON_ATTACK, ENEMY_MINIONS), destroy_weapon(enemy=False)],
    ),
    minion(
        "NEW1_014", "Master of Disguise", 4, 4, 4, ROGUE, RARE,
        target=FRIENDLY_MINION, battlecry=give(TARGET, STEALTH_TURN),
    ),
    minion(
        "NEW1_005", "Kidnapper", 6, 5, 3, ROGUE, EPIC,
        target=ANY_MINION.only_if(If.PLAYED_BEFORE), combo=return_to_hand(),
    ),
    # Shaman
    minion("EX1_243", "Dust Devil", 1, 3, 1, SHAMAN, COMMON, WINDFURY, overload=2),
    spell("EX1_245", "Earth Shock", 1, SHAMAN, COMMON, target=ANY_MINION, play=[silence(), damage(1)]),
    spell(
        "EX1_251", "Forked Lightning", 1, SHAMAN, COMMON, overload=2,
        need=Need.TWO_ENEMY_MINIONS, play=damage(2, ENEMY_MINIONS.random(2)),
    ),
    spell("EX1_238", "Lightning Bolt", 1, SHAMAN, COMMON, overload=1, target=CHARACTER, play=damage(3)),
    spell("CS2_038", "Ancestral Spirit", 2, SHAMAN, RARE, target=ANY_MINION, play=attach(TARGET, "CS2_038e")),
    enchantment("CS2_038e", "Ancestral Spirit", deathrattle=summon_this()),
    weapon("EX1_247", "Stormforged Axe", 2, 2, 3, SHAMAN, COMMON, overload=1),
    spell(
        "EX1_248", "Feral Spirit", 3, SHAMAN, RARE, overload=2,
        need=Need.BOARD_SPACE, play=summon("EX1_tk11", 2),
    ),
    token(minion("EX1_tk11", "Spirit Wolf", 2, 2, 3, SHAMAN, TAUNT)),
    spell("EX1_241", "Lava Burst", 3, SHAMAN, RARE, overload=2, target=CHARACTER, play=damage(5)),
    spell(
        "EX1_259", "Lightning Storm", 3, SHAMAN, RARE, overload=2,
        play=damage(between(2, 3), ENEMY_MINIONS),
    ),
    spell("CS2_053", "Far Sight", 3, SHAMAN, EPIC, play=draw(cheaper=3)),
    minion("EX1_575", "Mana Tide Totem", 3, 0, 3, SHAMAN, RARE, TOTEM, on=end_of_turn(draw())),
    minion(
        "EX1_258", "Unbound Elemental", 3, 2, 4, SHAMAN, COMMON,
        on=whenever(Event.PLAYED, Whose.MY_OTHERS, buff(SELF, 1, 1), only=Filter(Is.OVERLOAD)),
    ),
    weapon(
        "EX1_567", "Doomhammer", 5, 2, 8, SHAMAN, EPIC, WINDFURY, overload=2,
        aura=gives(MY_HERO, 0, 0, WINDFURY),
    ),
    minion("EX1_250", "Earth Elemental", 5, 7, 8, SHAMAN, EPIC, TAUNT, overload=3),
    minion(
        "NEW1_010", "Al'Akir the Windlord", 8, 3, 5, SHAMAN, LEGENDARY,
        CHARGE, DIVINE_SHIELD, TAUNT, WINDFURY,
    ),
    # Warlock
    minion(
        "CS2_059", "Blood Imp", 1, 0, 1, WARLOCK, COMMON, DEMON, STEALTH,
        on=end_of_turn(buff(MY_OTHER_MINIONS.random(1), 0, 1)),
    ),
    minion("EX1_319", "Flame Imp", 1, 3, 2, WARLOCK, COMMON, DEMON, battlecry=damage(3, MY_HERO)),
    spell(
        "EX1_596", "Demonfire", 2, WARLOCK, COMMON, target=ANY_MINION,
        play=[
            when(If.TARGET_MINE, when(If.TARGET_RACE, [buff(TARGET, 2, 2), stop()], DEMON)),
            damage(2),
        ],
    ),
    minion("EX1_301", "Felguard", 3, 3, 5, WARLOCK, RARE, DEMON, TAUNT, battlecry=destroy_crystals()),
    spell("EX1_317", "Sense Demons", 3, WARLOCK, COMMON, play=draw_from_deck(of_race(DEMON), 2, "EX1_317t")),
    token(minion("EX1_317t", "Worthless Imp", 1, 1, 1, WARLOCK, COMMON, DEMON)),
    minion(
        "EX1_304", "Void Terror", 3, 3, 3, WARLOCK, RARE, DEMON, positional=True,
        battlecry=[
            buff(SELF, Value(Amount.ADJACENT_ATTACK)),
            buff_health(SELF, Value(Amount.ADJACENT_HEALTH)),
            destroy(ADJACENT),
        ],
    ),
    minion("EX1_313", "Pit Lord", 4, 5, 6, WARLOCK, EPIC, DEMON, battlecry=damage(5, MY_HERO)),
    spell(
        "EX1_303", "Shadowflame", 4, WARLOCK, RARE, target=FRIENDLY_MINION,
        play=[damage(Value(Amount.AIMED_ATTACK), ENEMY_MINIONS), destroy()],
    ),
    minion("EX1_315", "Summoning Portal", 4, 0, 4, WARLOCK, COMMON, aura=costs(-2, A_MINION, least=1)),
    spell(
        "EX1_320", "Bane of Doom", 5, WARLOCK, EPIC, target=CHARACTER,
        play=[damage(2), when(If.TARGET_DEAD, summon_random(Pool(Kind.MINION, race=DEMON)))],
    ),
    minion("EX1_310", "Doomguard", 5, 5, 7, WARLOCK, RARE, DEMON, CHARGE, battlecry=discard(2)),
    spell("EX1_309", "Siphon Soul", 6, WARLOCK, RARE, target=ANY_MINION, play=[destroy(), heal(3, MY_HERO)]),
    spell("EX1_312", "Twisting Nether", 8, WARLOCK, EPIC, play=destroy(ALL_MINIONS)),
    minion(
        "EX1_323", "Lord Jaraxxus", 9, 3, 15, WARLOCK, LEGENDARY, DEMON,
        battlecry=[
            become_hero("EX1_323h"), Row(Op.SET_POWER, a="EX1_tk33"), equip("EX1_323w"),
        ],
    ),
    hero("EX1_323h", "Lord Jaraxxus", 15, WARLOCK, LEGENDARY, DEMON),
    power("EX1_tk33", "INFERNO!", 2, WARLOCK, need=Need.BOARD_SPACE, play=summon("EX1_tk34")),
    token(minion("EX1_tk34", "Infernal", 6, 6, 6, WARLOCK, DEMON)),
    token(weapon("EX1_323w", "Blood Fury", 3, 3, 8, WARLOCK)),
    # Warrior
    spell("EX1_607", "Inner Rage", 0, WARRIOR, COMMON, target=ANY_MINION, play=[damage(1), buff(TARGET, 2)]),
    spell("EX1_410", "Shield Slam", 1, WARRIOR, EPIC, target=ANY_MINION, play=damage(Value(Amount.ARMOR))),
    spell(
        "EX1_409", "Upgrade!", 1, WARRIOR, RARE,
        play=[when(If.HAVE_WEAPON, [buff_weapon(1, 1), stop()]), equip("EX1_409t")],
    ),
    token(weapon("EX1_409t", "Heavy Axe", 1, 1, 3, WARRIOR)),
    minion(
        "EX1_402", "Armorsmith", 2, 1, 4, WARRIOR, RARE,
        on=whenever(Event.DAMAGED, Whose.MINE, armor(1), only=A_MINION),
    ),
    spell("EX1_392", "Battle Rage", 2, WARRIOR, COMMON, play=draw(Value(Amount.DAMAGED_FRIENDS))),
    spell(
        "NEW1_036", "Commanding Shout", 2, WARRIOR, RARE,
        play=[Row(Op.RULE_THIS_TURN, a=int(Rule.UNBREAKABLE)), draw()],
    ),
    minion(
        "EX1_603", "Cruel Taskmaster", 2, 2, 2, WARRIOR, COMMON,
        target=ANY_MINION, battlecry=[damage(1), buff(TARGET, 2)],
    ),
    spell("CS2_104", "Rampage", 2, WARRIOR, COMMON, target=ANY_MINION.where(DAMAGED), play=buff(TARGET, 3, 3)),
    spell(
        "EX1_391", "Slam", 2, WARRIOR, COMMON,
        target=ANY_MINION, play=[damage(2), when(If.TARGET_ALIVE, draw())],
    ),
    minion(
        "EX1_604", "Frothing Berserker", 3, 2, 4, WARRIOR, RARE,
        on=whenever(Event.DAMAGED, Whose.ANY, buff(SELF, 1), only=A_MINION),
    ),
    minion("EX1_398", "Arathi Weaponsmith", 4, 3, 3, WARRIOR, COMMON, battlecry=equip("EX1_398t")),
    token(weapon("EX1_398t", "Battle Axe", 1, 2, 2, WARRIOR)),
    spell(
        "EX1_408", "Mortal Strike", 4, WARRIOR, RARE, target=CHARACTER,
        play=[when(If.HEALTH_AT_MOST, [damage(6), stop()], 12), damage(4)],
    ),
    spell("EX1_407", "Brawl", 5, WARRIOR, EPIC, need=Need.TWO_MINIONS, play=destroy(ALL_MINIONS.all_but(1))),
    weapon("EX1_411", "Gorehowl", 7, 7, 1, WARRIOR, EPIC, Rule.BLUNTS),
    minion("EX1_414", "Grommash Hellscream", 8, 4, 9, WARRIOR, LEGENDARY, CHARGE, aura=enrage(6)),
)
