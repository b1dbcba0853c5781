"""League of Explorers (45 cards), with tokens under the card that makes them."""

from hsevo.cards.sets.heroes import BASIC_POWERS
from hsevo.cards.vocabulary import *

CARDS = (
    # Neutral
    minion(
        "LOE_076", "Sir Finley Mrrgglton", 1, 1, 3, MURLOC, LEGENDARY,
        battlecry=discover_power(BASIC_POWERS),
    ),
    minion("LOE_077", "Brann Bronzebeard", 3, 2, 4, LEGENDARY, BATTLECRIES_TWICE),
    minion(
        "LOE_011", "Reno Jackson", 6, 4, 6, LEGENDARY,
        battlecry=when(NO_DUPLICATES, heal_fully(MY_HERO)),
    ),
    minion("LOE_046", "Huge Toad", 2, 3, 2, BEAST, COMMON, deathrattle=damage(1, ENEMIES.random(1))),
    minion(
        "LOE_061", "Anubisath Sentinel", 5, 4, 4, COMMON,
        deathrattle=buff(MY_MINIONS.random(1), 3, 3),
    ),
    minion(
        "LOE_073", "Fossilized Devilsaur", 8, 8, 8, COMMON,
        battlecry=when(control_another(BEAST), give(SELF, TAUNT)),
    ),
    minion(
        "LOE_089", "Wobbling Runts", 6, 2, 6, RARE,
        deathrattle=[summon("LOE_089t"), summon("LOE_089t2"), summon("LOE_089t3")],
    ),
    token(minion("LOE_089t", "Rascally Runt", 2, 2, 2)),
    token(minion("LOE_089t2", "Wily Runt", 2, 2, 2)),
    token(minion("LOE_089t3", "Grumbly Runt", 2, 2, 2)),
    minion(
        "LOE_092", "Arch-Thief Rafaam", 9, 7, 8, LEGENDARY,
        battlecry=discover(one_of("LOEA16_3", "LOEA16_4", "LOEA16_5")),
    ),
    token(spell("LOEA16_3", "Lantern of Power", 10, target=ANY_MINION, play=buff(TARGET, 10, 10))),
    token(spell("LOEA16_4", "Timepiece of Horror", 10, play=missiles(10))),
    token(spell("LOEA16_5", "Mirror of Doom", 10, need=Need.BOARD_SPACE, play=summon("LOEA16_5t", 7))),
    token(minion("LOEA16_5t", "Mummy Zombie", 3, 3, 3)),
    minion("LOEA10_3", "Murloc Tinyfin", 0, 1, 1, MURLOC, COMMON),
    minion("LOE_107", "Eerie Statue", 4, 7, 7, RARE, aura=gives_keywords(SELF, CANT_ATTACK, when=OTHERS_IN_PLAY)),
    minion(
        "LOE_053", "Djinni of Zephyrs", 5, 4, 6, EPIC,
        on=after_cast(cast_copy(), whose=MY_SPELL_ON_FRIEND),
    ),
    minion("LOE_079", "Elise Starseeker", 4, 3, 5, LEGENDARY, battlecry=shuffle("LOE_019t")),
    token(spell("LOE_019t", "Map to the Golden Monkey", 2, play=[shuffle("LOE_019t2"), draw()])),
    token(
        minion(
            "LOE_019t2", "Golden Monkey", 4, 6, 6, TAUNT,
            battlecry=transform_cards(MY_HAND_AND_DECK, LEGENDARY_MINIONS),
        )
    ),
    minion("LOE_029", "Jeweled Scarab", 2, 1, 1, BEAST, COMMON, battlecry=discover(own_cards(cost=3))),
    minion(
        "LOE_039", "Gorillabot A-3", 4, 3, 4, MECH, COMMON,
        battlecry=when(control_another(MECH), discover(own_cards(race=MECH))),
    ),
    minion("LOE_047", "Tomb Spider", 4, 3, 3, BEAST, COMMON, battlecry=discover(own_cards(race=BEAST))),
    minion("LOE_038", "Naga Sea Witch", 5, 5, 5, EPIC, aura=price(5, ANYTHING)),
    minion("LOE_086", "Summoning Stone", 5, 0, 6, RARE, on=on_cast(summon_by_cost(EVENT_AMOUNT))),
    # Druid
    minion(
        "LOE_050", "Mounted Raptor", 3, 3, 2, DRUID, BEAST, COMMON,
        deathrattle=summon_random(minions_of_cost(1)),
    ),
    minion("LOE_051", "Jungle Moonkin", 4, 4, 4, DRUID, BEAST, RARE, SHARED_SPELL_DAMAGE, spell_damage=2),
    spell("LOE_115", "Raven Idol", 1, DRUID, COMMON, options=("LOE_115a", "LOE_115b")),
    token(spell("LOE_115a", "Raven Idol", 0, DRUID, play=discover(own_cards(kind=MINION)))),
    token(spell("LOE_115b", "Raven Idol", 0, DRUID, play=discover(own_cards(kind=SPELL)))),
    # Hunter
    secret(
        "LOE_021", "Dart Trap", 2, HUNTER, COMMON,
        on=after_power(damage(5, ENEMIES.random(1)), whose=THEIRS),
    ),
    spell(
        "LOE_105", "Explorer's Hat", 2, HUNTER, RARE,
        target=ANY_MINION, play=[buff(TARGET, 1, 1), attach(TARGET, "LOE_105e")],
    ),
    enchantment("LOE_105e", "Explorer's Hat", deathrattle=add("LOE_105")),
    minion(
        "LOE_020", "Desert Camel", 3, 2, 4, HUNTER, BEAST, COMMON,
        battlecry=[summon_from_deck(minion_of_cost(1)), summon_from_enemy_deck(minion_of_cost(1))],
    ),
    # Mage
    spell(
        "LOE_002", "Forgotten Torch", 3, MAGE, COMMON,
        target=CHARACTER, play=[damage(3), shuffle("LOE_002t")],
    ),
    token(spell("LOE_002t", "Roaring Torch", 3, MAGE, target=CHARACTER, play=damage(6))),
    minion("LOE_119", "Animated Armor", 4, 4, 4, MAGE, RARE, HERO_TAKES_1),
    minion("LOE_003", "Ethereal Conjurer", 5, 6, 3, MAGE, COMMON, battlecry=discover(own_cards(kind=SPELL))),
    # Paladin
    minion(
        "LOE_017", "Keeper of Uldaman", 4, 3, 4, PALADIN, COMMON,
        target=ANY_MINION, battlecry=[set_attack(3), set_health(3)],
    ),
    secret(
        "LOE_027", "Sacred Trial", 1, PALADIN, COMMON,
        on=after_play(destroy(SUBJECT), whose=THEIRS, only=MINION_IN_PLAY, when=enemy_minions_at_least(4)),
    ),
    # Priest
    minion(
        "LOE_006", "Museum Curator", 2, 1, 2, PRIEST, COMMON,
        battlecry=discover(own_cards(test=having(DEATHRATTLE))),
    ),
    spell(
        "LOE_111", "Excavated Evil", 5, PRIEST, RARE,
        play=[damage(3, ALL_MINIONS), shuffle_this_for_enemy()],
    ),
    spell("LOE_104", "Entomb", 6, PRIEST, COMMON, target=ENEMY_MINION, play=shuffle_into_mine()),
    # Rogue
    minion("LOE_010", "Pit Snake", 1, 2, 1, ROGUE, BEAST, COMMON, POISONOUS),
    minion("LOE_012", "Tomb Pillager", 4, 5, 4, ROGUE, COMMON, deathrattle=add("GAME_005")),
    minion(
        "LOE_019", "Unearthed Raptor", 3, 3, 4, ROGUE, RARE,
        target=FRIENDLY_MINION.where(having(DEATHRATTLE)), battlecry=copy_deathrattle(),
    ),
    # Shaman
    spell("LOE_007", "Curse of Rafaam", 2, WARLOCK, COMMON, play=add_for_enemy("LOE_007t")),
    token(spell("LOE_007t", "Cursed!", 2, WARLOCK, on=in_hand(start_of_turn(damage(2, MY_HERO, spell_damage=0))))),
    minion("LOE_110", "Ancient Shade", 4, 7, 4, RARE, battlecry=shuffle("LOE_110t")),
    token(spell("LOE_110t", "Ancient Curse", 4, **when_drawn(damage(7, MY_HERO, spell_damage=0), draw()))),
    minion(
        "LOE_018", "Tunnel Trogg", 1, 1, 3, SHAMAN, COMMON,
        on=on_overload(buff(SELF, EVENT_AMOUNT)),
    ),
    minion(
        "LOE_016", "Rumbling Elemental", 4, 2, 6, SHAMAN, COMMON,
        on=after_play(damage(2, ENEMIES.random(1)), only=WITH_BATTLECRY),
    ),
    spell(
        "LOE_113", "Everyfin is Awesome", 7, SHAMAN, RARE,
        cost_rule=CostRule.MURLOCS, play=buff(MY_MINIONS, 2, 2),
    ),
    # Warlock
    minion(
        "LOE_116", "Reliquary Seeker", 1, 1, 1, WARLOCK, RARE,
        battlecry=when(other_minions_at_least(6), buff(SELF, 4, 4)),
    ),
    minion("LOE_023", "Dark Peddler", 2, 2, 2, WARLOCK, COMMON, battlecry=discover(own_cards(cost=1))),
    # Warrior
    minion("LOE_009", "Obsidian Destroyer", 7, 7, 7, WARRIOR, COMMON, on=end_of_turn(summon("LOE_009t"))),
    token(minion("LOE_009t", "Scarab", 1, 1, 1, WARRIOR, BEAST, TAUNT)),
    minion("LOE_022", "Fierce Monkey", 3, 3, 4, WARRIOR, BEAST, COMMON, TAUNT),
    weapon("LOE_118", "Cursed Blade", 1, 2, 3, WARRIOR, RARE, HERO_TAKES_DOUBLE),
    spell("LOE_026", "Anyfin Can Happen", 10, PALADIN, RARE, play=summon_dead(7, of_race(MURLOC), both=True)),
)
