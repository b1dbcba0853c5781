"""The Grand Tournament (132 cards), with tokens under the card that makes them."""

from hsevo.cards.sets.heroes import BASIC_TOTEMS
from hsevo.cards.vocabulary import *

# in the order of BASIC_TOTEMS
TOTEM_CHOICES = one_of("AT_132_SHAMANb", "AT_132_SHAMANc", "AT_132_SHAMANa", "AT_132_SHAMANd")

CARDS = (
    # Neutral
    minion("AT_080", "Garrison Commander", 2, 2, 3, EPIC, POWER_TWICE),
    minion(
        "AT_109", "Argent Watchman", 2, 2, 4, RARE, CANT_ATTACK,
        on=inspire(give_this_turn(SELF, CAN_ATTACK)),
    ),
    minion("AT_083", "Dragonhawk Rider", 3, 3, 3, COMMON, on=inspire(give_this_turn(SELF, WINDFURY))),
    minion("AT_115", "Fencing Coach", 3, 2, 2, RARE, battlecry=count_up(NEXT_POWER_CHEAPER, 2)),
    minion(
        "AT_117", "Master of Ceremonies", 3, 4, 2, EPIC,
        battlecry=when(OTHER_SPELL_DAMAGE, buff(SELF, 2, 2)),
    ),
    minion(
        "AT_129", "Fjola Lightbane", 3, 3, 4, LEGENDARY,
        on=on_aim(give(SELF, DIVINE_SHIELD), whose=MY_AIM),
    ),
    minion(
        "AT_131", "Eydis Darkbane", 3, 3, 4, LEGENDARY,
        on=on_aim(damage(3, ENEMIES.random(1)), whose=MY_AIM),
    ),
    minion("AT_085", "Maiden of the Lake", 4, 2, 6, COMMON, POWER_COSTS_1),
    minion("AT_086", "Saboteur", 3, 4, 3, RARE, battlecry=count_up_for_enemy(POWER_DEARER, 5)),
    minion("AT_121", "Crowd Favorite", 4, 4, 4, EPIC, on=on_play(buff(SELF, 1, 1), only=WITH_ANY_BATTLECRY)),
    minion(
        "AT_122", "Gormok the Impaler", 4, 4, 4, LEGENDARY,
        target=CHARACTER.only_if(other_minions_at_least(4)),
        battlecry=when(other_minions_at_least(4), damage(4)),
    ),
    minion(
        "AT_108", "Armored Warhorse", 4, 5, 3, BEAST, RARE,
        battlecry=when(JOUST_WON, give(SELF, CHARGE)),
    ),
    minion("AT_127", "Nexus-Champion Saraad", 5, 4, 5, LEGENDARY, on=inspire(add_random(SPELLS))),
    minion("AT_098", "Sideshow Spelleater", 6, 6, 5, EPIC, battlecry=copy_enemy_power()),
    minion(
        "AT_112", "Master Jouster", 6, 5, 6, RARE,
        battlecry=when(JOUST_WON, [give(SELF, TAUNT), give(SELF, DIVINE_SHIELD)]),
    ),
    minion("AT_124", "Bolf Ramshield", 6, 3, 9, LEGENDARY, TAKES_FOR_HERO),
    minion(
        "AT_128", "The Skeleton Knight", 6, 7, 4, LEGENDARY,
        deathrattle=when(JOUST_WON, return_this()),
    ),
    minion("AT_132", "Justicar Trueheart", 6, 6, 3, LEGENDARY, battlecry=upgrade_power()),
    power("AT_132_DRUID", "Dire Shapeshift", 2, DRUID, play=[hero_attack(2), armor(2)]),
    power(
        "AT_132_HUNTER", "Ballista Shot", 2, HUNTER,
        target=MINION_OR_ENEMY_HERO.only_if(rule_holds(POWER_AIMS)),
        play=when(rule_holds(POWER_AIMS), damage(3), otherwise=damage(3, ENEMY_HERO)),
    ),
    power("AT_132_MAGE", "Fireblast Rank 2", 2, MAGE, target=CHARACTER, play=damage(2)),
    power("AT_132_PALADIN", "The Silver Hand", 2, PALADIN, need=Need.BOARD_SPACE, play=summon("CS2_101t", 2)),
    power("AT_132_PRIEST", "Heal", 2, PRIEST, target=CHARACTER, play=heal(4)),
    power("AT_132_ROGUE", "Poisoned Daggers", 2, ROGUE, play=equip("AT_132_ROGUEt")),
    token(weapon("AT_132_ROGUEt", "Poisoned Dagger", 1, 2, 2, ROGUE)),
    power(
        "AT_132_SHAMAN", "Totemic Slam", 2, SHAMAN, need=Need.BOARD_SPACE,
        play=choose_summon(TOTEM_CHOICES, BASIC_TOTEMS),
    ),
    # to choose from; what is summoned is the basic Totem
    token(minion("AT_132_SHAMANa", "Healing Totem", 0, 0, 2, SHAMAN)),
    token(minion("AT_132_SHAMANb", "Searing Totem", 0, 1, 1, SHAMAN)),
    token(minion("AT_132_SHAMANc", "Stoneclaw Totem", 0, 0, 2, SHAMAN)),
    token(minion("AT_132_SHAMANd", "Wrath of Air Totem", 0, 0, 2, SHAMAN)),
    power("AT_132_WARLOCK", "Soul Tap", 2, WARLOCK, play=draw()),
    power("AT_132_WARRIOR", "Tank Up!", 2, WARRIOR, play=armor(4)),
    minion(
        "AT_070", "Skycap'n Kragg", 7, 4, 6, PIRATE, LEGENDARY, CHARGE,
        cost_rule=CostRule.PIRATES,
    ),
    minion("AT_125", "Icehowl", 9, 10, 10, LEGENDARY, CHARGE, CANT_ATTACK_HEROES),
    minion("AT_120", "Frost Giant", 10, 8, 8, EPIC, cost_rule=CostRule.POWERS_USED),
    minion("AT_082", "Lowly Squire", 1, 1, 2, COMMON, on=inspire(buff(SELF, 1))),
    minion("AT_097", "Tournament Attendee", 1, 2, 1, COMMON, TAUNT),
    minion("AT_105", "Injured Kvaldir", 1, 2, 4, RARE, battlecry=damage(3, SELF)),
    minion("AT_084", "Lance Carrier", 2, 1, 2, COMMON, target=FRIENDLY_MINION, battlecry=buff(TARGET, 2)),
    minion("AT_089", "Boneguard Lieutenant", 2, 3, 2, COMMON, on=inspire(buff(SELF, health=1))),
    minion("AT_094", "Flame Juggler", 2, 2, 3, COMMON, battlecry=damage(1, ENEMIES.random(1))),
    minion("AT_087", "Argent Horserider", 3, 2, 1, COMMON, CHARGE, DIVINE_SHIELD),
    minion("AT_092", "Ice Rager", 3, 5, 2, COMMON),
    minion("AT_095", "Silent Knight", 3, 2, 2, COMMON, STEALTH, DIVINE_SHIELD),
    minion("AT_100", "Silver Hand Regent", 3, 3, 3, COMMON, on=inspire(summon("CS2_101t"))),
    minion("AT_106", "Light's Champion", 3, 4, 3, RARE, target=ANY_MINION.where(of_race(DEMON)), battlecry=silence()),
    minion("AT_110", "Coliseum Manager", 3, 2, 5, RARE, on=inspire(return_to_hand(SELF))),
    minion("AT_017", "Twilight Guardian", 4, 2, 6, DRAGON, EPIC,
           battlecry=when(holding(DRAGON), [buff(SELF, 1), give(SELF, TAUNT)])),
    minion("AT_091", "Tournament Medic", 4, 1, 8, COMMON, on=inspire(heal(2, MY_HERO))),
    minion("AT_093", "Frigid Snobold", 4, 2, 6, COMMON, spell_damage=1),
    minion("AT_111", "Refreshment Vendor", 4, 3, 5, COMMON, battlecry=heal(4, HEROES)),
    minion("AT_114", "Evil Heckler", 4, 5, 4, COMMON, TAUNT),
    minion("AT_090", "Mukla's Champion", 5, 4, 3, BEAST, COMMON, on=inspire(buff(MY_OTHER_MINIONS, 1, 1))),
    minion(
        "AT_096", "Clockwork Knight", 5, 5, 5, MECH, COMMON,
        target=FRIENDLY_MINION.where(of_race(MECH)), battlecry=buff(TARGET, 1, 1),
    ),
    minion("AT_101", "Pit Fighter", 5, 5, 6, COMMON),
    minion("AT_113", "Recruiter", 5, 5, 4, EPIC, on=inspire(add("CS2_152"))),
    minion("AT_119", "Kvaldir Raider", 5, 4, 4, COMMON, on=inspire(buff(SELF, 2, 2))),
    minion("AT_099", "Kodorider", 6, 3, 5, EPIC, on=inspire(summon("AT_099t"))),
    token(minion("AT_099t", "War Kodo", 5, 3, 5, BEAST)),
    minion("AT_118", "Grand Crusader", 6, 5, 5, EPIC, battlecry=add_random(cards_of(PALADIN))),
    minion("AT_102", "Captured Jormungar", 7, 5, 9, BEAST, COMMON),
    minion(
        "AT_123", "Chillmaw", 7, 6, 6, DRAGON, LEGENDARY, TAUNT,
        deathrattle=when(holding(DRAGON), damage(3, ALL_MINIONS)),
    ),
    minion("AT_103", "North Sea Kraken", 9, 9, 7, COMMON, target=CHARACTER, battlecry=damage(4)),
    minion(
        "AT_088", "Mogor's Champion", 6, 8, 5, RARE,
        on=on_attack(when(chance(50), retarget_attack(OTHER_DEFENDERS.random(1))), whose=OWN),
    ),
    # Druid
    minion(
        "AT_038", "Darnassus Aspirant", 2, 2, 3, DRUID, RARE,
        battlecry=empty_crystals(1), deathrattle=destroy_crystals(),
    ),
    spell("AT_037", "Living Roots", 1, DRUID, COMMON, options=("AT_037a", "AT_037b")),
    token(spell("AT_037a", "Living Roots", 0, DRUID, target=CHARACTER, play=damage(2))),
    token(spell("AT_037b", "Living Roots", 0, DRUID, play=summon("AT_037t", 2))),
    token(minion("AT_037t", "Sapling", 1, 1, 1, DRUID)),
    minion("AT_042", "Druid of the Saber", 2, 2, 1, DRUID, COMMON, options=("AT_042a", "AT_042b", "OG_044c")),
    token(spell("AT_042a", "Lion Form", 0, DRUID, play=transform(SELF, "AT_042t"))),
    token(spell("AT_042b", "Panther Form", 0, DRUID, play=transform(SELF, "AT_042t2"))),
    token(minion("AT_042t", "Sabertooth Lion", 2, 2, 1, DRUID, BEAST, COMMON, CHARGE)),
    token(minion("AT_042t2", "Sabertooth Panther", 2, 3, 2, DRUID, BEAST, COMMON, STEALTH)),
    minion("AT_039", "Savage Combatant", 4, 5, 4, DRUID, BEAST, RARE, on=inspire(hero_attack(2))),
    minion(
        "AT_040", "Wildwalker", 4, 4, 4, DRUID, COMMON,
        target=FRIENDLY_MINION.where(of_race(BEAST)), battlecry=buff(TARGET, health=3),
    ),
    spell(
        "AT_044", "Mulch", 3, DRUID, EPIC,
        target=ANY_MINION, play=[destroy(), add_random_for_enemy(MINIONS)],
    ),
    spell(
        "AT_043", "Astral Communion", 4, DRUID, EPIC,
        play=[
            discard(CARDS_IN_HAND),
            when(
                FULL_MANA, add("CS2_013t"),
                otherwise=when(TEN_MANA, add("CS2_013t"), otherwise=fill_crystals()),
            ),
        ],
    ),
    minion(
        "AT_041", "Knight of the Wild", 7, 6, 6, DRUID, RARE,
        on=in_hand(on_summon(reduce_cost(THIS_CARD, 1), whose=MINE, only=of_race(BEAST))),
    ),
    minion("AT_045", "Aviana", 9, 5, 5, DRUID, LEGENDARY, aura=price(1, A_MINION)),
    # Hunter
    minion(
        "AT_059", "Brave Archer", 1, 2, 1, HUNTER, COMMON,
        on=inspire(when(HAND_EMPTY, damage(2, ENEMY_HERO))),
    ),
    secret("AT_060", "Bear Trap", 2, HUNTER, COMMON, on=after_attack_on_hero(summon("CS2_125"), when=HAVE_ROOM)),
    spell("AT_056", "Powershot", 3, HUNTER, RARE, target=ANY_MINION, play=damage(2, AROUND_TARGET)),
    minion(
        "AT_057", "Stablemaster", 3, 4, 2, HUNTER, EPIC,
        target=FRIENDLY_MINION.where(of_race(BEAST)), battlecry=give_this_turn(TARGET, IMMUNE),
    ),
    minion(
        "AT_063t", "Dreadscale", 3, 4, 2, HUNTER, BEAST, LEGENDARY,
        on=end_of_turn(damage(1, ALL_OTHER_MINIONS)),
    ),
    minion(
        "AT_010", "Ram Wrangler", 5, 3, 3, HUNTER, RARE,
        battlecry=when(control_another(BEAST), summon_random(minions_of_race(BEAST))),
    ),
    minion(
        "AT_063", "Acidmaw", 7, 4, 2, HUNTER, BEAST, LEGENDARY,
        on=on_damage(destroy(SUBJECT), whose=ANY_OTHER, only=A_MINION),
    ),
    spell("AT_062", "Ball of Spiders", 6, HUNTER, RARE, need=Need.BOARD_SPACE, play=summon("FP1_011", 3)),
    # Mage
    spell("AT_004", "Arcane Blast", 1, MAGE, EPIC, target=ANY_MINION, play=damage(2, TARGET, spell_damage=2)),
    minion(
        "AT_007", "Spellslinger", 3, 3, 4, MAGE, COMMON,
        battlecry=[add_random(SPELLS), add_random_for_enemy(SPELLS)],
    ),
    spell("AT_005", "Polymorph: Boar", 3, MAGE, RARE, target=ANY_MINION, play=transform(TARGET, "AT_005t")),
    token(minion("AT_005t", "Boar", 3, 4, 2, BEAST, CHARGE)),
    spell("AT_001", "Flame Lance", 5, MAGE, COMMON, target=ANY_MINION, play=damage(8)),
    minion("AT_009", "Rhonin", 8, 7, 7, MAGE, LEGENDARY, deathrattle=add("EX1_277", 3)),
    minion("AT_003", "Fallen Hero", 2, 3, 2, MAGE, RARE, power_damage=1),
    minion("AT_006", "Dalaran Aspirant", 4, 3, 5, MAGE, COMMON, on=inspire(give_spell_damage(SELF, 1))),
    minion("AT_008", "Coldarra Drake", 6, 6, 6, MAGE, DRAGON, EPIC, POWER_UNLIMITED),
    secret("AT_002", "Effigy", 3, MAGE, RARE, on=on_death(summon_by_cost(EVENT_COST), when=HAVE_ROOM)),
    # Paladin
    minion(
        "AT_075", "Warhorse Trainer", 3, 2, 4, PALADIN, COMMON,
        aura=gives(MY_MINIONS.where(copy_of("CS2_101t")), 1),
    ),
    spell(
        "AT_074", "Seal of Champions", 3, PALADIN, COMMON,
        target=ANY_MINION, play=[buff(TARGET, 3), give(TARGET, DIVINE_SHIELD)],
    ),
    minion(
        "AT_076", "Murloc Knight", 4, 3, 4, PALADIN, MURLOC, COMMON,
        on=inspire(summon_random(minions_of_race(MURLOC))),
    ),
    minion("AT_081", "Eadric the Pure", 7, 3, 7, PALADIN, LEGENDARY, battlecry=set_attack(1, ENEMY_MINIONS)),
    weapon(
        "AT_077", "Argent Lance", 2, 2, 2, PALADIN, RARE,
        battlecry=when(JOUST_WON, buff_played_weapon(durability=1)),
    ),
    minion("AT_104", "Tuskarr Jouster", 5, 5, 5, PALADIN, RARE, battlecry=when(JOUST_WON, heal(7, MY_HERO))),
    secret(
        "AT_073", "Competitive Spirit", 1, PALADIN, RARE,
        on=start_of_turn(buff(MY_MINIONS, 1, 1), when=other_minions_at_least(1)),
    ),
    spell("AT_078", "Enter the Coliseum", 6, PALADIN, EPIC, play=destroy_weaker()),
    minion(
        "AT_079", "Mysterious Challenger", 6, 6, 6, PALADIN, EPIC,
        battlecry=[
            secret_from_deck(), secret_from_deck(), secret_from_deck(), secret_from_deck(), secret_from_deck(),
        ],
    ),
    # Priest
    spell("AT_055", "Flash Heal", 1, PRIEST, COMMON, target=CHARACTER, play=heal(5)),
    spell("AT_013", "Power Word: Glory", 1, PRIEST, COMMON, target=ANY_MINION, play=attach(TARGET, "AT_013e")),
    enchantment("AT_013e", "Power Word: Glory", on=on_attack(heal(4, MY_HERO), whose=OWN)),
    spell("AT_015", "Convert", 2, PRIEST, RARE, target=ENEMY_MINION, play=add_copy(TARGET)),
    spell("AT_016", "Confuse", 2, PRIEST, EPIC, play=swap_stats(ALL_MINIONS)),
    minion(
        "AT_116", "Wyrmrest Agent", 2, 1, 4, PRIEST, RARE,
        battlecry=when(holding(DRAGON), [buff(SELF, 1), give(SELF, TAUNT)]),
    ),
    minion(
        "AT_018", "Confessor Paletress", 7, 5, 4, PRIEST, LEGENDARY,
        on=inspire(summon_random(LEGENDARY_MINIONS)),
    ),
    minion("AT_011", "Holy Champion", 4, 3, 5, PRIEST, COMMON, on=on_heal(buff(SELF, 2))),
    minion("AT_012", "Spawn of Shadows", 4, 5, 4, PRIEST, RARE, on=inspire(damage(4, HEROES))),
    minion("AT_014", "Shadowfiend", 3, 3, 3, PRIEST, EPIC, on=on_draw(reduce_cost(DRAWN_CARD, 1))),
    # Rogue
    minion("AT_030", "Undercity Valiant", 2, 3, 2, ROGUE, COMMON,
           target=CHARACTER.only_if(PLAYED_BEFORE), combo=damage(1)),
    minion(
        "AT_032", "Shady Dealer", 3, 4, 3, ROGUE, RARE,
        battlecry=when(control_another(PIRATE), buff(SELF, 1, 1)),
    ),
    minion("AT_028", "Shado-Pan Rider", 5, 3, 7, ROGUE, COMMON, combo=buff(SELF, 3)),
    minion("AT_029", "Buccaneer", 1, 2, 1, ROGUE, PIRATE, COMMON, on=on_equip(buff_weapon(1))),
    weapon("AT_034", "Poisoned Blade", 4, 1, 3, ROGUE, EPIC, SHARPENED_BY_POWER),
    minion(
        "AT_036", "Anub'arak", 9, 8, 4, ROGUE, LEGENDARY,
        deathrattle=[return_this(), summon("AT_036t")],
    ),
    token(minion("AT_036t", "Nerubian", 4, 4, 4, ROGUE)),
    minion(
        "AT_031", "Cutpurse", 2, 2, 2, ROGUE, RARE,
        on=on_attack(add("GAME_005"), whose=OWN, when=DEFENDER_IS_HERO),
    ),
    spell("AT_033", "Burgle", 3, ROGUE, RARE, play=add_random(enemy_class_cards(), 2)),
    spell(
        "AT_035", "Beneath the Grounds", 3, ROGUE, EPIC,
        play=[shuffle_for_enemy("AT_035t"), shuffle_for_enemy("AT_035t"), shuffle_for_enemy("AT_035t")],
    ),
    token(spell("AT_035t", "Nerubian Ambush!", 3, ROGUE, **when_drawn(summon_for_enemy("AT_036t"), draw()))),
    # Shaman
    spell("AT_053", "Ancestral Knowledge", 2, SHAMAN, COMMON, overload=2, play=draw(2)),
    minion(
        "AT_054", "The Mistcaller", 6, 4, 4, SHAMAN, LEGENDARY,
        battlecry=buff_cards(MY_HAND_AND_DECK.where(A_MINION), 1, 1),
    ),
    minion("AT_058", "King's Elekk", 2, 3, 2, HUNTER, BEAST, COMMON, battlecry=when(JOUST_WON, draw_revealed())),
    spell(
        "AT_022", "Fist of Jaraxxus", 4, WARLOCK, RARE,
        play=damage(4, ENEMIES.random(1)), discarded=damage(4, ENEMIES.random(1)),
    ),
    minion(
        "AT_133", "Gadgetzan Jouster", 1, 1, 2, COMMON,
        battlecry=when(JOUST_WON, buff(SELF, 1, 1)),
    ),
    minion("AT_052", "Totem Golem", 2, 3, 4, SHAMAN, TOTEM, COMMON, overload=1),
    spell(
        "AT_051", "Elemental Destruction", 3, SHAMAN, EPIC, overload=5,
        play=damage(between(4, 5), ALL_MINIONS),
    ),
    minion("AT_046", "Tuskarr Totemic", 3, 3, 2, SHAMAN, COMMON, battlecry=summon_random(BASIC_TOTEMS)),
    weapon("AT_050", "Charged Hammer", 4, 2, 4, SHAMAN, EPIC, deathrattle=set_power("AT_050t")),
    power("AT_050t", "Lightning Jolt", 2, SHAMAN, target=CHARACTER, play=damage(2)),
    minion(
        "AT_047", "Draenei Totemcarver", 4, 4, 4, SHAMAN, RARE,
        battlecry=buff_both(SELF, other_minions_of(TOTEM)),
    ),
    minion(
        "AT_049", "Thunder Bluff Valiant", 5, 3, 6, SHAMAN, RARE,
        on=inspire(buff(MY_MINIONS.where(of_race(TOTEM)), 2)),
    ),
    spell(
        "AT_048", "Healing Wave", 3, SHAMAN, RARE,
        target=CHARACTER, play=when(JOUST_WON, heal(14), otherwise=heal(7)),
    ),
    # Warlock
    spell(
        "AT_024", "Demonfuse", 2, WARLOCK, COMMON,
        target=ANY_MINION.where(of_race(DEMON)), play=[buff(TARGET, 3, 3), crystals_for_enemy(1)],
    ),
    minion("AT_021", "Tiny Knight of Evil", 2, 3, 2, WARLOCK, DEMON, RARE, on=on_discard(buff(SELF, 1, 1))),
    minion("AT_026", "Wrathguard", 2, 4, 3, WARLOCK, DEMON, COMMON, on=on_damage(damage(EVENT_AMOUNT, MY_HERO))),
    spell(
        "AT_025", "Dark Bargain", 6, WARLOCK, EPIC,
        need=Need.TWO_ENEMY_MINIONS, play=[destroy(ENEMY_MINIONS.random(2)), discard(2)],
    ),
    minion(
        "AT_023", "Void Crusher", 6, 5, 4, WARLOCK, DEMON, RARE,
        on=inspire(destroy(ENEMY_MINIONS.random(1)), destroy(MY_MINIONS.random(1))),
    ),
    minion("AT_020", "Fearsome Doomguard", 7, 6, 8, WARLOCK, DEMON, COMMON),
    minion("AT_027", "Wilfred Fizzlebang", 6, 4, 4, WARLOCK, LEGENDARY, POWER_DRAWS_FREE),
    # Warrior
    spell("AT_068", "Bolster", 2, WARRIOR, COMMON, play=buff(MY_MINIONS.where(having(TAUNT)), 2, 2)),
    minion(
        "AT_069", "Sparring Partner", 2, 3, 2, WARRIOR, RARE, TAUNT,
        target=ANY_MINION, battlecry=give(TARGET, TAUNT),
    ),
    minion(
        "AT_071", "Alexstrasza's Champion", 2, 2, 3, WARRIOR, RARE,
        battlecry=when(holding(DRAGON), [buff(SELF, 1), give(SELF, CHARGE)]),
    ),
    spell("AT_064", "Bash", 3, WARRIOR, COMMON, target=CHARACTER, play=[damage(3), armor(3)]),
    minion("AT_066", "Orgrimmar Aspirant", 3, 3, 3, WARRIOR, COMMON, on=inspire(buff_weapon(1))),
    minion("AT_130", "Sea Reaver", 6, 6, 7, WARRIOR, EPIC, drawn=damage(1, MY_MINIONS)),
    spell("AT_061", "Lock and Load", 2, HUNTER, EPIC, play=attach(MY_HERO, "AT_061e")),
    enchantment("AT_061e", "Lock and Load", on=on_cast(add_random(cards_of(HUNTER)))),
    minion("AT_019", "Dreadsteed", 4, 1, 1, WARLOCK, DEMON, EPIC, deathrattle=at_end_of_this_turn("AT_019e")),
    enchantment("AT_019e", "Dreadsteed", play=summon("AT_019")),
    weapon(
        "AT_065", "King's Defender", 3, 3, 2, WARRIOR, RARE,
        battlecry=when(there_is(MY_MINIONS.where(having(TAUNT))), buff_played_weapon(durability=1)),
    ),
    minion("AT_067", "Magnataur Alpha", 4, 5, 3, WARRIOR, EPIC, CLEAVE),
    minion("AT_072", "Varian Wrynn", 10, 7, 7, WARRIOR, LEGENDARY, battlecry=draw_into_play(3)),
)
