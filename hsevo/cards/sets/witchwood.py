"""The Witchwood (135 cards, six of them later in the Hall of Fame), with their tokens."""

from hsevo.cards.vocabulary import *

ANY_BEAST = ANY_MINION.where(of_race(BEAST))
HAT = buff(ALL_OTHER_MINIONS.random(1), 1, 1)

CARDS = (
    # Neutral
    minion("GIL_816", "Swamp Dragon Egg", 1, 0, 3, COMMON, deathrattle=add_random(minions_of_race(DRAGON))),
    minion("GIL_558", "Swamp Leech", 1, 2, 1, BEAST, COMMON, LIFESTEAL),
    minion(
        "GIL_815", "Baleful Banker", 2, 2, 2, EPIC,
        target=FRIENDLY_MINION, battlecry=shuffle_copy(TARGET),
    ),
    minion("GIL_513", "Lost Spirit", 2, 1, 1, COMMON, deathrattle=buff(MY_MINIONS, 1)),
    minion(
        "GIL_529", "Spellshifter", 2, 1, 4, COMMON, spell_damage=1,
        on=in_hand(start_of_turn(swap_form("GIL_529t"))),
    ),
    token(
        minion(
            "GIL_529t", "Spellshifter", 2, 4, 1, COMMON, spell_damage=1,
            on=in_hand(start_of_turn(swap_form("GIL_529"))),
        )
    ),
    minion("GIL_143", "Vicious Scalehide", 2, 1, 3, BEAST, COMMON, LIFESTEAL, RUSH),
    minion("GIL_561", "Blackwald Pixie", 3, 3, 4, COMMON, battlecry=refresh_power()),
    minion(
        "GIL_534", "Hench-Clan Thug", 3, 3, 3, COMMON,
        on=after_attack(buff(SELF, 1, 1), whose=MINE, only=A_HERO),
    ),
    minion("GIL_683", "Marsh Drake", 3, 5, 4, DRAGON, COMMON, battlecry=summon_for_enemy("GIL_683t")),
    token(minion("GIL_683t", "Drakeslayer", 1, 2, 1, POISONOUS)),
    minion("GIL_681", "Nightmare Amalgam", 3, 3, 4, ALL_TYPES, EPIC),
    minion("GIL_207", "Phantom Militia", 3, 2, 4, RARE, ECHO, TAUNT),
    minion(
        "GIL_201", "Pumpkin Peasant", 3, 2, 4, COMMON, LIFESTEAL,
        on=in_hand(start_of_turn(swap_form("GIL_201t"))),
    ),
    token(
        minion(
            "GIL_201t", "Pumpkin Peasant", 3, 4, 2, COMMON, LIFESTEAL,
            on=in_hand(start_of_turn(swap_form("GIL_201"))),
        )
    ),
    minion("GIL_212", "Ravencaller", 3, 2, 1, COMMON, battlecry=add_random(minions_of_cost(1), 2)),
    minion(
        "GIL_213", "Tanglefur Mystic", 3, 3, 4, COMMON,
        battlecry=[add_random(minions_of_cost(2)), add_random_for_enemy(minions_of_cost(2))],
    ),
    minion(
        "GIL_614", "Voodoo Doll", 3, 1, 1, EPIC,
        target=ANY_MINION, battlecry=mark(), deathrattle=destroy_marked(),
    ),
    minion("GIL_680", "Walnut Sprite", 3, 3, 3, COMMON, ECHO),
    minion("GIL_819", "Witch's Cauldron", 3, 0, 4, EPIC, on=on_death(add_random(spells_of(SHAMAN)))),
    minion("GIL_527", "Felsoul Inquisitor", 4, 1, 6, DEMON, COMMON, LIFESTEAL, TAUNT),
    minion(
        "GIL_622", "Lifedrinker", 4, 3, 3, BEAST, RARE,
        battlecry=[damage(3, ENEMY_HERO), heal(3, MY_HERO)],
    ),
    minion("GIL_125", "Mad Hatter", 4, 3, 2, RARE, battlecry=[HAT, HAT, HAT]),
    minion(
        "GIL_624", "Night Prowler", 4, 3, 3, BEAST, RARE,
        battlecry=unless(OTHERS_IN_PLAY, buff(SELF, 3, 3)),
    ),
    minion("GIL_581", "Sandbinder", 4, 2, 4, EPIC, battlecry=draw_from_deck(of_race(ELEMENTAL))),
    minion(
        "GIL_601", "Scaleworm", 4, 4, 4, BEAST, RARE,
        battlecry=when(holding(DRAGON), [buff(SELF, 1), give(SELF, RUSH)]),
    ),
    minion(
        "GIL_528", "Swift Messenger", 4, 2, 6, COMMON, RUSH,
        on=in_hand(start_of_turn(swap_form("GIL_528t"))),
    ),
    token(
        minion(
            "GIL_528t", "Swift Messenger", 4, 6, 2, COMMON, RUSH,
            on=in_hand(start_of_turn(swap_form("GIL_528"))),
        )
    ),
    minion("GIL_809", "Unpowered Steambot", 4, 0, 9, MECH, COMMON, TAUNT),
    minion(
        "GIL_584", "Witchwood Piper", 4, 3, 3, DEMON, RARE,
        battlecry=draw_from_deck(A_MINION, cheapest=True),
    ),
    minion("GIL_648", "Chief Inspector", 5, 4, 6, RARE, battlecry=destroy_secrets()),
    minion("GIL_646", "Clockwork Automaton", 5, 4, 4, MECH, COMMON, doubles_power=True),
    minion(
        "GIL_620", "Dollmaster Dorian", 5, 2, 6, LEGENDARY,
        on=on_draw(summon_small_again(), only=A_MINION),
    ),
    minion(
        "GIL_682", "Muck Hunter", 5, 5, 8, EPIC, RUSH,
        battlecry=summon_for_enemy("GIL_682t", 2),
    ),
    token(minion("GIL_682t", "Muckling", 1, 2, 1)),
    minion("GIL_667", "Rotten Applebaum", 5, 4, 5, COMMON, TAUNT, deathrattle=heal(4, MY_HERO)),
    minion(
        "GIL_623", "Witchwood Grizzly", 5, 3, 12, BEAST, RARE, TAUNT,
        battlecry=buff_health(SELF, for_each_enemy_card(-1)),
    ),
    minion(
        "GIL_692", "Genn Greymane", 6, 6, 5, LEGENDARY,
        at_start=when(ALL_EVEN_AT_START, [show_this(), set_starting_power_cost(1)]),
    ),
    minion(
        "GIL_124", "Mossy Horror", 6, 2, 7, EPIC,
        battlecry=destroy(ALL_OTHER_MINIONS.where(attack_at_most(2))),
    ),
    minion("GIL_198", "Azalina Soulthief", 7, 3, 3, LEGENDARY, battlecry=copy_enemy_hand()),
    minion(
        "GIL_578", "Countess Ashmore", 7, 6, 6, LEGENDARY,
        battlecry=[
            draw_from_deck(having(RUSH)), draw_from_deck(having(LIFESTEAL)), draw_from_deck(having(DEATHRATTLE)),
        ],
    ),
    minion("GIL_121", "Darkmire Moonkin", 7, 2, 8, COMMON, spell_damage=2),
    minion("GIL_120", "Furious Ettin", 7, 5, 9, COMMON, TAUNT),
    minion(
        "GIL_117", "Worgen Abomination", 7, 6, 6, EPIC,
        on=end_of_turn(damage(2, ALL_OTHER_MINIONS.where(DAMAGED))),
    ),
    minion(
        "GIL_526", "Wyrmguard", 7, 3, 11, COMMON,
        battlecry=when(holding(DRAGON), [buff(SELF, 1), give(SELF, TAUNT)]),
    ),
    minion(
        "GIL_119", "Cauldron Elemental", 8, 7, 7, ELEMENTAL, COMMON,
        aura=gives(MY_OTHER_MINIONS.where(of_race(ELEMENTAL)), 2),
    ),
    minion("GIL_118", "Deranged Doctor", 8, 8, 8, COMMON, deathrattle=heal(8, MY_HERO)),
    minion(
        "GIL_202", "Gilnean Royal Guard", 8, 3, 8, RARE, DIVINE_SHIELD, RUSH,
        on=in_hand(start_of_turn(swap_form("GIL_202t"))),
    ),
    token(
        minion(
            "GIL_202t", "Gilnean Royal Guard", 8, 8, 3, RARE, DIVINE_SHIELD, RUSH,
            on=in_hand(start_of_turn(swap_form("GIL_202"))),
        )
    ),
    minion("GIL_616", "Splitting Festeroot", 8, 4, 4, EPIC, deathrattle=summon("GIL_616t", 2)),
    token(minion("GIL_616t", "Splitting Sapling", 3, 2, 2, deathrattle=summon("GIL_616t2", 2))),
    token(minion("GIL_616t2", "Woodchip", 1, 1, 1)),
    minion(
        "GIL_826", "Baku the Mooneater", 9, 7, 8, BEAST, LEGENDARY,
        at_start=when(ALL_ODD_AT_START, [show_this(), upgrade_power()]),
    ),
    # Druid
    spell("GIL_663", "Witchwood Apple", 2, DRUID, COMMON, play=add("GIL_663t", 3)),
    token(minion("GIL_663t", "Treant", 2, 2, 2, DRUID)),
    minion(
        "GIL_188", "Druid of the Scythe", 3, 2, 2, DRUID, COMMON,
        options=("GIL_188a", "GIL_188b", "GIL_188t3"),
    ),
    # the options are minions in the card data
    token(
        minion(
            "GIL_188a", "Dire Panther Form", 3, 4, 2, DRUID, BEAST, COMMON,
            battlecry=transform(SELF, "GIL_188t"),
        )
    ),
    token(minion("GIL_188b", "Dire Wolf Form", 3, 2, 4, DRUID, COMMON, battlecry=transform(SELF, "GIL_188t2"))),
    token(minion("GIL_188t", "Druid of the Scythe", 3, 4, 2, DRUID, BEAST, COMMON, RUSH)),
    token(minion("GIL_188t2", "Druid of the Scythe", 3, 2, 4, DRUID, BEAST, COMMON, TAUNT)),
    token(minion("GIL_188t3", "Druid of the Scythe", 3, 4, 4, DRUID, BEAST, COMMON, RUSH, TAUNT)),
    spell("GIL_637", "Ferocious Howl", 3, DRUID, COMMON, play=[draw(), armor(CARDS_IN_HAND)]),
    spell(
        "GIL_571", "Witching Hour", 3, DRUID, RARE,
        need=Need.DEAD_BEAST_AND_SPACE, play=summon_dead(1, of_race(BEAST)),
    ),
    minion("GIL_833", "Forest Guide", 4, 1, 6, DRUID, RARE, on=end_of_turn(draw(), draw_for_enemy(1))),
    spell("GIL_553", "Wispering Woods", 4, DRUID, EPIC, need=Need.BOARD_SPACE, play=summon("GIL_553t", CARDS_IN_HAND)),
    token(minion("GIL_553t", "Wisp", 0, 1, 1, DRUID)),
    minion(
        "GIL_507", "Bewitched Guardian", 5, 4, 1, DRUID, RARE, TAUNT,
        battlecry=buff_health(SELF, CARDS_IN_HAND),
    ),
    minion(
        "GIL_800", "Duskfallen Aviana", 5, 3, 7, DRUID, LEGENDARY,
        aura=price(0, ANYTHING, both=True, when=FIRST_CARD),
    ),
    minion(
        "GIL_130", "Gloom Stag", 5, 2, 6, DRUID, BEAST, EPIC, TAUNT,
        battlecry=when(ODD_DECK, buff(SELF, 2, 2)),
    ),
    minion(
        "GIL_658", "Splintergraft", 8, 8, 8, DRUID, LEGENDARY,
        target=FRIENDLY_MINION, battlecry=add_copy_of_size(TARGET, 10),
    ),
    # Hunter
    minion(
        "GIL_607t", "Hunting Mastiff", 2, 2, 1, HUNTER, BEAST, COMMON, ECHO, RUSH,
    ),
    secret(
        "GIL_577", "Rat Trap", 2, HUNTER, EPIC,
        on=after_play(summon("GIL_577t"), whose=THEIRS, when=enemy_played_at_least(3), also=HAVE_ROOM),
    ),
    token(minion("GIL_577t", "Doom Rat", 6, 6, 6, HUNTER, BEAST)),
    minion(
        "GIL_200", "Duskhaven Hunter", 3, 2, 5, HUNTER, RARE, STEALTH,
        on=in_hand(start_of_turn(swap_form("GIL_200t"))),
    ),
    token(
        minion(
            "GIL_200t", "Duskhaven Hunter", 3, 5, 2, HUNTER, RARE, STEALTH,
            on=in_hand(start_of_turn(swap_form("GIL_200"))),
        )
    ),
    spell(
        "GIL_828", "Dire Frenzy", 4, HUNTER, COMMON,
        target=ANY_BEAST, play=[buff(TARGET, 3, 3), shuffle_copy(TARGET, 3, bigger=3)],
    ),
    minion("GIL_650", "Houndmaster Shaw", 4, 3, 6, HUNTER, LEGENDARY, aura=gives_keywords(MY_OTHER_MINIONS, RUSH)),
    minion(
        "GIL_607", "Toxmonger", 4, 2, 4, HUNTER, EPIC,
        on=on_play(when(paid(1), give(SUBJECT, POISONOUS)), only=A_MINION),
    ),
    spell(
        "GIL_518", "Wing Blast", 4, HUNTER, RARE,
        target=ANY_MINION, cost_rule=CostRule.DEATH_THIS_TURN, play=damage(4),
    ),
    minion(
        "GIL_905", "Carrion Drake", 5, 3, 7, HUNTER, DRAGON, RARE,
        battlecry=when(DEATH_THIS_TURN, give(SELF, POISONOUS)),
    ),
    minion("GIL_562", "Vilebrood Skitterer", 5, 1, 3, HUNTER, BEAST, COMMON, POISONOUS, RUSH),
    minion("GIL_128", "Emeriss", 10, 8, 8, HUNTER, DRAGON, LEGENDARY, battlecry=double_cards(MY_HAND.where(A_MINION))),
    # Mage
    minion(
        "GIL_691", "Archmage Arugal", 2, 2, 2, MAGE, LEGENDARY,
        on=on_draw(copy_drawn(), only=A_MINION),
    ),
    spell("GIL_548", "Book of Specters", 2, MAGE, EPIC, play=draw_and_discard(3, A_SPELL)),
    spell(
        "GIL_801", "Snap Freeze", 2, MAGE, COMMON, target=ANY_MINION,
        play=when(TARGET_FROZEN, destroy(), otherwise=freeze()),
    ),
    minion(
        "GIL_645", "Bonfire Elemental", 5, 5, 5, MAGE, ELEMENTAL, RARE,
        battlecry=when(PLAYED_ELEMENTAL, draw()),
    ),
    minion(
        "GIL_838", "Black Cat", 3, 3, 3, MAGE, BEAST, COMMON, spell_damage=1,
        battlecry=when(ODD_DECK, draw()),
    ),
    spell("GIL_147", "Cinderstorm", 3, MAGE, RARE, play=missiles(5)),
    minion(
        "GIL_116", "Arcane Keysmith", 4, 2, 2, MAGE, EPIC,
        battlecry=discover_into_play(own_cards(kind=SPELL, test=A_SECRET), otherwise=secrets_of(MAGE)),
    ),
    minion("GIL_664", "Vex Crow", 4, 3, 3, MAGE, BEAST, COMMON, on=on_cast(summon_random(minions_of_cost(2)))),
    minion("GIL_640", "Curio Collector", 5, 4, 4, MAGE, RARE, on=on_draw(buff(SELF, 1, 1))),
    minion(
        "GIL_549", "Toki, Time-Tinker", 6, 5, 5, MAGE, LEGENDARY,
        battlecry=add_random(from_the_past(LEGENDARY_MINIONS)),
    ),
    # Paladin
    secret(
        "GIL_903", "Hidden Wisdom", 1, PALADIN, EPIC,
        on=after_play(draw(2), whose=THEIRS, when=enemy_played_at_least(3)),
    ),
    minion(
        "GIL_635", "Cathedral Gargoyle", 2, 2, 2, PALADIN, EPIC,
        battlecry=when(holding(DRAGON), give(SELF, TAUNT, DIVINE_SHIELD)),
    ),
    spell("GIL_203", "Rebuke", 2, PALADIN, COMMON, play=rule_next_enemy_turn(SPELLS_DEARER, 5)),
    spell("GIL_145", "Sound the Bells!", 2, PALADIN, COMMON, ECHO, target=ANY_MINION, play=buff(TARGET, 1, 2)),
    minion(
        "GIL_685", "Paragon of Light", 3, 2, 5, PALADIN, RARE,
        aura=gives_keywords(SELF, TAUNT, LIFESTEAL, when=own_attack_at_least(3)),
    ),
    minion(
        "GIL_634", "Bellringer Sentry", 4, 3, 4, PALADIN, RARE,
        battlecry=secret_from_deck(), deathrattle=secret_from_deck(),
    ),
    minion(
        "GIL_817", "The Glass Knight", 4, 4, 3, PALADIN, LEGENDARY, DIVINE_SHIELD,
        on=on_heal(give(SELF, DIVINE_SHIELD), whose=BY_MY_CARDS),
    ),
    minion("GIL_545", "Ghostly Charger", 5, 3, 4, PALADIN, COMMON, DIVINE_SHIELD, RUSH),
    minion(
        "GIL_694", "Prince Liam", 5, 5, 5, PALADIN, LEGENDARY,
        battlecry=transform_cards(MY_DECK.where(card_of_cost(1)), LEGENDARY_MINIONS),
    ),
    weapon(
        "GIL_596", "Silver Sword", 8, 3, 4, PALADIN, RARE,
        on=after_attack(buff(MY_MINIONS, 1, 1), whose=MINE, only=A_HERO),
    ),
    # Priest
    minion("GIL_142", "Chameleos", 1, 1, 1, PRIEST, BEAST, LEGENDARY, shifts=SHIFTS_LIKE_ENEMY_HAND),
    minion("GIL_840", "Lady in White", 6, 5, 5, PRIEST, LEGENDARY, battlecry=level_cards(MY_DECK.where(A_MINION))),
    spell("GIL_661", "Divine Hymn", 2, PRIEST, COMMON, play=heal(6, MY_CHARACTERS)),
    minion("GIL_835", "Squashling", 2, 2, 1, PRIEST, COMMON, ECHO, target=CHARACTER, battlecry=heal(2)),
    spell(
        "GIL_813", "Vivid Nightmare", 3, PRIEST, EPIC,
        target=FRIENDLY_MINION, need=Need.BOARD_SPACE, play=summon_copy(TARGET, health=1),
    ),
    spell(
        "GIL_134", "Holy Water", 5, PRIEST, RARE, target=ANY_MINION,
        play=[damage(4), when(TARGET_DEAD, add_copy(TARGET))],
    ),
    minion(
        "GIL_156", "Quartz Elemental", 5, 5, 8, PRIEST, ELEMENTAL, COMMON,
        aura=gives_keywords(SELF, CANT_ATTACK, when=SELF_DAMAGED),
    ),
    minion(
        "GIL_837", "Glitter Moth", 5, 4, 4, PRIEST, BEAST, EPIC,
        battlecry=when(ODD_DECK, double_health(MY_OTHER_MINIONS)),
    ),
    minion(
        "GIL_805", "Coffin Crasher", 6, 6, 5, PRIEST, RARE,
        deathrattle=summon_from_hand(MY_HAND.where(minion_with(DEATHRATTLE)).random(1)),
    ),
    minion(
        "GIL_190", "Nightscale Matriarch", 7, 4, 9, PRIEST, DRAGON, RARE,
        on=on_heal(summon("GIL_190t"), whose=MINE, only=A_MINION),
    ),
    token(minion("GIL_190t", "Nightscale Whelp", 3, 3, 3, PRIEST, DRAGON)),
    # Rogue
    spell("GIL_506", "Cheap Shot", 2, ROGUE, COMMON, ECHO, target=ANY_MINION, play=damage(2)),
    spell("GIL_696", "Pick Pocket", 2, ROGUE, RARE, ECHO, play=add_random(enemy_class_cards())),
    minion("GIL_827", "Blink Fox", 3, 3, 3, ROGUE, BEAST, COMMON, battlecry=add_random(enemy_class_cards())),
    minion("GIL_902", "Cutthroat Buccaneer", 3, 2, 4, ROGUE, PIRATE, COMMON, combo=buff_weapon(1)),
    minion(
        "GIL_677", "Face Collector", 3, 2, 2, ROGUE, LEGENDARY, ECHO,
        battlecry=add_random(LEGENDARY_MINIONS),
    ),
    minion("GIL_510", "Mistwraith", 4, 3, 5, ROGUE, RARE, on=on_play(buff(SELF, 1, 1), only=having(ECHO))),
    weapon(
        "GIL_672", "Spectral Cutlass", 4, 2, 2, ROGUE, EPIC, LIFESTEAL,
        on=on_play(when(PLAYED_OF_OTHER_CLASS, buff_weapon(0, 1))), aura=gives_keywords(MY_HERO, LIFESTEAL),
    ),
    spell(
        "GIL_687", "WANTED!", 4, ROGUE, EPIC, target=ANY_MINION,
        play=[damage(3), when(TARGET_DEAD, add("GAME_005"))],
    ),
    minion(
        "GIL_557", "Cursed Castaway", 6, 5, 3, ROGUE, PIRATE, RARE, RUSH,
        deathrattle=draw_from_deck(WITH_COMBO),
    ),
    minion("GIL_598", "Tess Greymane", 8, 6, 6, ROGUE, LEGENDARY, battlecry=replay_of_other_classes(30)),
    # Shaman
    spell("GIL_600", "Zap!", 0, SHAMAN, COMMON, overload=1, target=ANY_MINION, play=damage(2)),
    spell(
        "GIL_836", "Blazing Invocation", 1, SHAMAN, RARE,
        play=discover(own_cards(kind=MINION, test=WITH_BATTLECRY)),
    ),
    minion(
        "GIL_531", "Witch's Apprentice", 1, 0, 1, SHAMAN, BEAST, COMMON, TAUNT,
        battlecry=add_random(spells_of(SHAMAN)),
    ),
    spell(
        "GIL_586", "Earthen Might", 2, SHAMAN, RARE, target=ANY_MINION,
        play=[buff(TARGET, 2, 2), when(target_is(ELEMENTAL), add_random(minions_of_race(ELEMENTAL)))],
    ),
    minion("GIL_678", "Ghost Light Angler", 2, 2, 2, SHAMAN, MURLOC, COMMON, ECHO),
    minion(
        "GIL_530", "Murkspark Eel", 2, 2, 3, SHAMAN, BEAST, RARE,
        target=CHARACTER.only_if(EVEN_DECK), battlecry=when(EVEN_DECK, damage(2)),
    ),
    minion(
        "GIL_583", "Totem Cruncher", 4, 2, 3, SHAMAN, BEAST, EPIC, TAUNT,
        battlecry=[
            buff_both(SELF, times(2, other_minions_of(TOTEM))),
            destroy(MY_OTHER_MINIONS.where(of_race(TOTEM))),
        ],
    ),
    hero_card(
        "GIL_504", "Hagatha the Witch", 8, 5, "GIL_504h", SHAMAN, LEGENDARY,
        battlecry=damage(3, ALL_MINIONS),
    ),
    power(
        "GIL_504h", "Bewitch", 0, need=Need.NEVER,
        on=after_play(add_random(spells_of(SHAMAN)), whose=MINE, only=A_MINION),
    ),
    minion("GIL_807", "Bogshaper", 7, 4, 8, SHAMAN, ELEMENTAL, EPIC, on=on_cast(draw_from_deck(A_MINION))),
    minion("GIL_820", "Shudderwock", 9, 6, 6, SHAMAN, LEGENDARY, battlecry=repeat_battlecries(20)),
    # Warlock
    spell(
        "GIL_543", "Dark Possession", 1, WARLOCK, RARE, target=FRIENDLY_CHARACTER,
        play=[damage(2), discover(own_cards(race=DEMON))],
    ),
    minion(
        "GIL_608", "Witchwood Imp", 1, 1, 1, WARLOCK, DEMON, COMMON, STEALTH,
        deathrattle=buff(MY_MINIONS.random(1), health=2),
    ),
    spell(
        "GIL_665", "Curse of Weakness", 2, WARLOCK, RARE, ECHO,
        play=weaken(ENEMY_MINIONS, 2, "GIL_665e"),
    ),
    enchantment("GIL_665e", "Curse of Weakness", restores=True, on=start_of_turn(strengthen_again(2, "GIL_665e"))),
    minion(
        "GIL_508", "Duskbat", 3, 2, 4, WARLOCK, BEAST, COMMON,
        battlecry=when(HERO_HURT, summon("GIL_508t", 2)),
    ),
    token(minion("GIL_508t", "Bat", 1, 1, 1, WARLOCK, BEAST)),
    minion(
        "GIL_515", "Ratcatcher", 3, 2, 2, WARLOCK, EPIC, RUSH,
        target=FRIENDLY_MINION,
        battlecry=[buff(SELF, TARGET_ATTACK), buff_health(SELF, AIMED_HEALTH), destroy()],
    ),
    spell(
        "GIL_191", "Fiendish Circle", 4, WARLOCK, COMMON,
        need=Need.BOARD_SPACE, play=summon("GIL_191t", 4),
    ),
    token(minion("GIL_191t", "Imp", 1, 1, 1, WARLOCK, DEMON)),
    minion("GIL_693", "Blood Witch", 4, 3, 6, WARLOCK, RARE, on=start_of_turn(damage(1, MY_HERO))),
    minion(
        "GIL_565", "Deathweb Spider", 5, 4, 6, WARLOCK, BEAST, EPIC,
        battlecry=when(HERO_HURT, give(SELF, LIFESTEAL)),
    ),
    minion("GIL_618", "Glinda Crowskin", 6, 3, 7, WARLOCK, LEGENDARY, lends_echo=True),
    minion(
        "GIL_825", "Lord Godfrey", 7, 4, 4, WARLOCK, LEGENDARY,
        battlecry=[damage(2, ALL_OTHER_MINIONS), when(there_is(ALL_MINIONS.where(DYING)), [deaths(), repeat(13)])],
    ),
    # Warrior
    minion("GIL_580", "Town Crier", 1, 1, 2, WARRIOR, EPIC, battlecry=draw_from_deck(minion_with(RUSH))),
    minion("GIL_155", "Redband Wasp", 2, 1, 3, WARRIOR, BEAST, RARE, RUSH, aura=enrage(3)),
    spell("GIL_654", "Warpath", 2, WARRIOR, COMMON, ECHO, play=damage(1, ALL_MINIONS)),
    weapon(
        "GIL_653", "Woodcutter's Axe", 2, 2, 2, WARRIOR, COMMON,
        deathrattle=buff(MY_MINIONS.where(having(RUSH)).random(1), 2, 1),
    ),
    minion("GIL_113", "Rabid Worgen", 3, 3, 3, WARRIOR, COMMON, RUSH),
    minion("GIL_803", "Militia Commander", 4, 2, 5, WARRIOR, RARE, RUSH, battlecry=buff_this_turn(SELF, 3)),
    minion(
        "GIL_547", "Darius Crowley", 5, 4, 4, WARRIOR, LEGENDARY, RUSH,
        on=after_attack(buff(SELF, 2, 2), when=DEFENDER_DEAD),
    ),
    minion(
        "GIL_655", "Festeroot Hulk", 5, 2, 7, WARRIOR, RARE,
        on=after_attack(buff(SELF, 1), whose=MINE, only=A_MINION),
    ),
    spell(
        "GIL_537", "Deadly Arsenal", 6, WARRIOR, EPIC,
        play=reveal_from_deck(A_WEAPON, damage(REVEALED_ATTACK, ALL_MINIONS)),
    ),
    minion(
        "GIL_152", "Blackhowl Gunspire", 7, 3, 8, WARRIOR, LEGENDARY, CANT_ATTACK,
        on=on_damage(damage(3, ENEMIES.random(1))),
    ),
)
