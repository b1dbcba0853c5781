"""Rastakhan's Rumble, with tokens under the card that makes them."""

from hsevo.cards.sets.heroes import BASIC_TOTEMS
from hsevo.cards.vocabulary import *

A_BEAST_IN_HAND = MY_HAND.where(of_race(BEAST)).random(1)
A_MINION_IN_HAND = MY_HAND.where(A_MINION).random(1)

CARDS = (
    # Neutral
    minion("TRL_010", "Half-Time Scavenger", 4, 3, 5, COMMON, STEALTH, on=overkill(armor(3))),
    minion("TRL_015", "Ticket Scalper", 4, 5, 3, PIRATE, COMMON, on=overkill(draw(2))),
    minion("TRL_020", "Sightless Ranger", 5, 3, 4, COMMON, RUSH, on=overkill(summon("TRL_020t", 2))),
    token(minion("TRL_020t", "Bat", 1, 1, 1, BEAST)),
    minion("TRL_057", "Serpent Ward", 2, 0, 2, TOTEM, RARE, on=end_of_turn(damage(2, ENEMY_HERO))),
    minion("TRL_151", "Former Champ", 5, 1, 1, COMMON, battlecry=summon("TRL_151t")),
    token(minion("TRL_151t", "Hotshot", 5, 5, 5)),
    minion("TRL_363", "Saronite Taskmaster", 1, 2, 3, COMMON, deathrattle=summon_for_enemy("TRL_363t")),
    token(minion("TRL_363t", "Free Agent", 1, 0, 3, TAUNT)),
    minion(
        "TRL_405", "Untamed Beastmaster", 3, 3, 4, EPIC,
        on=on_draw(buff_cards(DRAWN_CARD, 2, 2), only=of_race(BEAST)),
    ),
    minion("TRL_406", "Dozing Marksman", 2, 0, 4, COMMON, aura=enrage(4)),
    minion("TRL_312", "Spellzerker", 2, 2, 3, COMMON, aura=enrage(0, spell_damage=2)),
    minion(
        "TRL_407", "Waterboy", 2, 2, 1, RARE,
        battlecry=[count_up(NEXT_POWER_CHEAPER, 10), at_end_of_this_turn("TRL_407e")],
    ),
    enchantment(
        "TRL_407e", "High Quality H2O",
        play=when(counted_at_least(NEXT_POWER_CHEAPER, 10), count_up(NEXT_POWER_CHEAPER, -10)),
    ),
    minion("TRL_503", "Scarab Egg", 2, 0, 2, COMMON, deathrattle=summon("TRL_503t", 3)),
    token(minion("TRL_503t", "Scarab", 1, 1, 1, BEAST)),
    minion("TRL_504", "Booty Bay Bookie", 2, 3, 3, RARE, battlecry=add_for_enemy("GAME_005")),
    minion("TRL_505", "Helpless Hatchling", 1, 1, 1, BEAST, COMMON, deathrattle=reduce_cost(A_BEAST_IN_HAND, 1)),
    minion("TRL_506", "Gurubashi Chicken", 1, 1, 1, BEAST, COMMON, on=overkill(buff(SELF, 5))),
    minion(
        "TRL_507", "Sharkfin Fan", 2, 2, 2, PIRATE, COMMON,
        on=after_attack(summon("TRL_507t"), whose=MINE, only=A_HERO),
    ),
    token(minion("TRL_507t", "Swabbie", 1, 1, 1, PIRATE)),
    minion("TRL_508", "Regeneratin' Thug", 4, 3, 5, COMMON, on=start_of_turn(heal(2, SELF))),
    minion("TRL_509", "Banana Buffoon", 3, 2, 2, COMMON, battlecry=add("TRL_509t", 2)),
    token(spell("TRL_509t", "Bananas", 1, target=ANY_MINION, play=buff(TARGET, 1, 1))),
    minion("TRL_512", "Cheaty Anklebiter", 2, 2, 1, COMMON, LIFESTEAL, target=CHARACTER, battlecry=damage(1)),
    minion("TRL_513", "Mosh'Ogg Enforcer", 8, 2, 14, COMMON, TAUNT, DIVINE_SHIELD),
    minion(
        "TRL_514", "Belligerent Gnome", 2, 1, 4, RARE, TAUNT,
        battlecry=when(enemy_minions_at_least(2), buff(SELF, 1)),
    ),
    minion("TRL_515", "Rabble Bouncer", 7, 2, 7, COMMON, TAUNT, cost_rule=CostRule.ENEMY_MINIONS),
    minion("TRL_516", "Gurubashi Offering", 1, 0, 2, EPIC, on=start_of_turn(destroy(SELF), armor(8))),
    minion("TRL_517", "Arena Fanatic", 4, 2, 3, COMMON, battlecry=buff_cards(MY_HAND.where(A_MINION), 1, 1)),
    minion("TRL_520", "Murloc Tastyfin", 4, 3, 2, MURLOC, RARE, deathrattle=draw_from_deck(of_race(MURLOC), 2)),
    minion("TRL_521", "Arena Patron", 5, 3, 3, RARE, on=overkill(summon("TRL_521"))),
    minion(
        "TRL_523", "Firetree Witchdoctor", 2, 2, 2, RARE,
        battlecry=when(holding(DRAGON), discover(own_spells())),
    ),
    minion(
        "TRL_524", "Shieldbreaker", 2, 2, 1, RARE,
        target=ENEMY_MINION.where(having(TAUNT)), battlecry=silence(),
    ),
    minion("TRL_525", "Arena Treasure Chest", 4, 0, 4, COMMON, deathrattle=draw(2)),
    minion("TRL_526", "Dragonmaw Scorcher", 5, 3, 6, DRAGON, COMMON, battlecry=damage(1, ALL_OTHER_MINIONS)),
    minion("TRL_528", "Linecracker", 7, 5, 10, EPIC, on=overkill(double_attack(SELF))),
    minion("TRL_530", "Masked Contender", 3, 2, 4, EPIC, battlecry=when(HAVE_SECRET, secret_from_deck())),
    minion("TRL_531", "Rumbletusk Shaker", 4, 3, 2, COMMON, deathrattle=summon("TRL_531t")),
    token(minion("TRL_531t", "Rumbletusk Breaker", 2, 3, 2)),
    minion(
        "TRL_532", "Mosh'Ogg Announcer", 5, 6, 5, EPIC,
        on=on_attack(when((CAN_TURN, chance(50)), retarget_attack(OTHER_DEFENDERS.random(1))), whose=BY_OWN),
    ),
    minion(
        "TRL_533", "Ice Cream Peddler", 4, 3, 5, EPIC,
        battlecry=when(there_is(MY_MINIONS.where(having(FROZEN))), armor(8)),
    ),
    minion("TRL_535", "Snapjaw Shellfighter", 5, 3, 8, EPIC, positional=True, takes_for_neighbors=True),
    minion(
        "TRL_541", "Hakkar, the Soulflayer", 10, 9, 6, LEGENDARY,
        deathrattle=[shuffle("TRL_541t"), shuffle_for_enemy("TRL_541t")],
    ),
    token(
        spell(
            "TRL_541t", "Corrupted Blood", 1,
            **casts_when_drawn(damage(3, MY_HERO, spell_damage=0), after=shuffle("TRL_541t", 2)),
        )
    ),
    minion("TRL_542", "Oondasta", 9, 7, 7, BEAST, LEGENDARY, RUSH, on=overkill(summon_from_hand(A_BEAST_IN_HAND))),
    minion("TRL_546", "Ornery Tortoise", 3, 3, 5, BEAST, COMMON, battlecry=damage(5, MY_HERO)),
    minion("TRL_550", "Amani War Bear", 7, 5, 7, BEAST, COMMON, RUSH, TAUNT),
    minion(
        "TRL_569", "Crowd Roaster", 7, 7, 4, DRAGON, EPIC,
        target=ENEMY_MINION.only_if(holding_another(DRAGON)), battlecry=when(holding(DRAGON), damage(7)),
    ),
    minion("TRL_096", "Griftah", 4, 4, 5, LEGENDARY, battlecry=discover_and_share(own_cards())),
    minion(
        "TRL_527", "Drakkari Trickster", 3, 3, 4, EPIC,
        battlecry=[copy_from_enemy_deck(), give_copy_of_deck()],
    ),
    minion("TRL_537", "Da Undatakah", 8, 8, 5, LEGENDARY, battlecry=gain_dead_deathrattles(3)),
    minion("TRL_564", "Mojomaster Zihi", 6, 5, 5, LEGENDARY, battlecry=set_crystals(5)),
    minion(
        "TRL_570", "Soup Vendor", 2, 1, 4, RARE,
        on=on_heal(when(event_at_least(3), draw()), whose=ON_ME_BY_MY_CARDS),
    ),
    # Druid
    spell("TRL_244", "Predatory Instincts", 4, DRUID, RARE, play=draw_from_deck(of_race(BEAST), doubled=True)),
    # it is no Battlecry: she transforms as she is played
    minion(
        "TRL_343", "Wardruid Loti", 3, 1, 2, DRUID, LEGENDARY,
        on=on_play(
            when(
                rule_holds(CHOOSE_BOTH), transform(SELF, "TRL_343et1"),
                otherwise=choose_one("TRL_343at1", "TRL_343bt1", "TRL_343ct1", "TRL_343dt1"),
            ),
            whose=OWN,
        ),
    ),
    token(
        minion(
            "TRL_343at1", "Ankylodon", 3, 1, 6, DRUID, BEAST, LEGENDARY, TAUNT,
            battlecry=transform(SELF, "TRL_343at2"),
        )
    ),
    token(minion("TRL_343at2", "Wardruid Loti", 3, 1, 6, DRUID, BEAST, LEGENDARY, TAUNT)),
    token(
        minion(
            "TRL_343bt1", "Sabertusk", 3, 4, 2, DRUID, BEAST, LEGENDARY, RUSH,
            battlecry=transform(SELF, "TRL_343bt2"),
        )
    ),
    token(minion("TRL_343bt2", "Wardruid Loti", 3, 4, 2, DRUID, BEAST, LEGENDARY, RUSH)),
    token(
        minion(
            "TRL_343ct1", "Pterrordax", 3, 1, 4, DRUID, BEAST, LEGENDARY, spell_damage=1,
            battlecry=transform(SELF, "TRL_343ct2"),
        )
    ),
    token(minion("TRL_343ct2", "Wardruid Loti", 3, 1, 4, DRUID, BEAST, LEGENDARY, spell_damage=1)),
    token(
        minion(
            "TRL_343dt1", "Ravasaur", 3, 1, 2, DRUID, BEAST, LEGENDARY, POISONOUS, STEALTH,
            battlecry=transform(SELF, "TRL_343dt2"),
        )
    ),
    token(minion("TRL_343dt2", "Wardruid Loti", 3, 1, 2, DRUID, BEAST, LEGENDARY, POISONOUS, STEALTH)),
    token(
        minion(
            "TRL_343et1", "Wardruid Loti", 3, 4, 6, DRUID, BEAST, LEGENDARY, TAUNT, RUSH, POISONOUS, STEALTH,
            spell_damage=1,
        )
    ),
    minion(
        "TRL_223", "Spirit of the Raptor", 1, 0, 3, DRUID, RARE, STEALTH_TURN,
        on=after_attack(draw(), whose=MINE, only=A_HERO, when=DEFENDER_DEAD),
    ),
    minion("TRL_232", "Ironhide Direhorn", 7, 7, 7, DRUID, BEAST, COMMON, on=overkill(summon("TRL_232t"))),
    token(minion("TRL_232t", "Ironhide Runt", 5, 5, 5, DRUID, BEAST)),
    minion("TRL_240", "Savage Striker", 2, 2, 3, DRUID, COMMON, target=ENEMY_MINION, battlecry=damage(HERO_ATTACK)),
    minion(
        "TRL_241", "Gonk, the Raptor", 7, 4, 9, DRUID, BEAST, LEGENDARY,
        on=after_attack(attack_again(MY_HERO), whose=MINE, only=A_HERO, when=DEFENDER_DEAD),
    ),
    spell("TRL_243", "Pounce", 0, DRUID, COMMON, play=hero_attack(2)),
    spell("TRL_254", "Mark of the Loa", 4, DRUID, RARE, options=("TRL_254a", "TRL_254b")),
    token(
        spell(
            "TRL_254a", "Gonk's Resilience", 0, DRUID,
            target=ANY_MINION, play=[buff(TARGET, 2, 4), give(TARGET, TAUNT)],
        )
    ),
    token(spell("TRL_254b", "Raptor Pack", 0, DRUID, play=summon("TRL_254t", 2))),
    token(minion("TRL_254t", "Raptor", 2, 3, 2, DRUID, BEAST)),
    spell(
        "TRL_255", "Stampeding Roar", 6, DRUID, EPIC, need=Need.BOARD_SPACE,
        play=summon_from_hand(A_BEAST_IN_HAND, giving=RUSH),
    ),
    minion(
        "TRL_341", "Treespeaker", 5, 4, 4, DRUID, EPIC,
        battlecry=transform(MY_MINIONS.where(namesake_of("EX1_158t")), "TRL_341t"),
    ),
    token(minion("TRL_341t", "Ancient", 5, 5, 5, DRUID)),
    # Hunter
    weapon(
        "TRL_111", "Headhunter's Hatchet", 2, 2, 2, HUNTER, COMMON,
        battlecry=when(control_at_least(1, BEAST), buff_played_weapon(0, 1)),
    ),
    spell(
        "TRL_347", "Baited Arrow", 5, HUNTER, COMMON,
        target=CHARACTER, play=[damage(3), when(TARGET_OVERKILLED, summon("TRL_347t"))],
    ),
    token(minion("TRL_347t", "Devilsaur", 5, 5, 5, HUNTER, BEAST)),
    minion("TRL_348", "Springpaw", 1, 1, 1, HUNTER, BEAST, COMMON, RUSH, battlecry=add("TRL_348t")),
    token(minion("TRL_348t", "Lynx", 1, 1, 1, HUNTER, BEAST, RUSH)),
    minion(
        "TRL_349", "Bloodscalp Strategist", 3, 2, 4, HUNTER, RARE,
        battlecry=when(HAVE_WEAPON, discover(own_spells())),
    ),
    minion("TRL_900", "Halazzi, the Lynx", 5, 3, 2, HUNTER, BEAST, LEGENDARY, battlecry=add("TRL_348t", up_to(10))),
    minion(
        "TRL_901", "Spirit of the Lynx", 3, 0, 3, HUNTER, RARE, STEALTH_TURN,
        on=on_summon(buff(SUBJECT, 1, 1), only=of_race(BEAST)),
    ),
    hero_card(
        "TRL_065", "Zul'jin", 10, 5, "TRL_065h", HUNTER, LEGENDARY,
        battlecry=recast_spells(30),
    ),
    power("TRL_065h", "Berserker Throw", 2, HUNTER, target=CHARACTER, play=damage(2)),
    spell(
        "TRL_119", "The Beast Within", 1, HUNTER, EPIC, target=FRIENDLY_MINION.where(of_race(BEAST)),
        play=[buff(TARGET, 1, 1), target_attacks(ENEMY_MINIONS.random(1))],
    ),
    spell("TRL_339", "Master's Call", 3, HUNTER, EPIC, play=discover_and_draw(A_MINION, BEAST)),
    spell(
        "TRL_566", "Revenge of the Wild", 2, HUNTER, RARE, need=Need.BOARD_SPACE,
        play=summon_dead_of_this_turn(of_race(BEAST)),
    ),
    # Mage
    spell("TRL_310", "Elemental Evocation", 0, MAGE, COMMON, play=count_up(NEXT_ELEMENTAL_CHEAPER, 2)),
    minion("TRL_318", "Hex Lord Malacrass", 8, 5, 5, MAGE, LEGENDARY, battlecry=add_opening()),
    minion("TRL_315", "Pyromaniac", 3, 3, 4, MAGE, RARE, on=on_power_kill(draw())),
    minion(
        "TRL_316", "Jan'alai, the Dragonhawk", 7, 4, 4, MAGE, BEAST, LEGENDARY,
        battlecry=when(counted_at_least(POWER_DAMAGE, 8), summon("TRL_316t")),
    ),
    token(
        minion(
            "TRL_316t", "Ragnaros the Firelord", 8, 8, 8, ELEMENTAL, LEGENDARY, CANT_ATTACK,
            on=end_of_turn(damage(8, ENEMIES.random(1))),
        )
    ),
    minion("TRL_319", "Spirit of the Dragonhawk", 2, 0, 3, MAGE, RARE, STEALTH_TURN, widens_power=True),
    minion("TRL_390", "Daring Fire-Eater", 1, 1, 1, MAGE, COMMON, battlecry=count_up(NEXT_POWER_DAMAGE, 2)),
    minion(
        "TRL_311", "Arcanosaur", 6, 3, 3, MAGE, ELEMENTAL, COMMON,
        battlecry=when(PLAYED_ELEMENTAL, damage(3, ALL_OTHER_MINIONS)),
    ),
    spell(
        "TRL_313", "Scorch", 4, MAGE, RARE, target=ANY_MINION, cost_rule=CostRule.ELEMENTALS,
        play=damage(4),
    ),
    spell(
        "TRL_317", "Blast Wave", 5, MAGE, EPIC,
        play=[damage(2, ALL_MINIONS), add_random(spells_of(MAGE), MINIONS_OVERKILLED)],
    ),
    secret(
        "TRL_400", "Splitting Image", 3, MAGE, EPIC,
        on=on_attack_on_minion(summon_copy(DEFENDER), when=HAVE_ROOM),
    ),
    # Paladin
    minion(
        "TRL_300", "Shirvallah, the Tiger", 25, 7, 5, PALADIN, BEAST, LEGENDARY, DIVINE_SHIELD, RUSH, LIFESTEAL,
        cost_rule=CostRule.MANA_ON_SPELLS,
    ),
    minion("TRL_306", "Immortal Prelate", 2, 1, 3, PALADIN, EPIC, deathrattle=shuffle_this_as_it_is()),
    minion(
        "TRL_308", "High Priest Thekal", 3, 3, 4, PALADIN, LEGENDARY,
        battlecry=[armor(hero_health(-1)), set_remaining_health(1, MY_HERO)],
    ),
    minion(
        "TRL_545", "Zandalari Templar", 4, 4, 4, PALADIN, RARE,
        battlecry=when(counted_at_least(RESTORED, 10), [buff(SELF, 4, 4), give(SELF, TAUNT)]),
    ),
    spell("TRL_302", "Time Out!", 3, PALADIN, COMMON, play=attach(MY_HERO, "TRL_302e")),
    enchantment(
        "TRL_302e", "Time Out!", lasts=True,
        aura=gives_keywords(MY_HERO, IMMUNE), on=start_of_turn(detach(MY_HERO, "TRL_302e")),
    ),
    weapon(
        "TRL_304", "Farraki Battleaxe", 5, 3, 3, PALADIN, RARE,
        on=overkill(buff_cards(A_MINION_IN_HAND, 2, 2), whose=BY_MY_HERO),
    ),
    spell(
        "TRL_305", "A New Challenger...", 7, PALADIN, EPIC, need=Need.BOARD_SPACE,
        play=[discover_and_summon(own_cards(kind=MINION, cost=6)), give(LAST, TAUNT, DIVINE_SHIELD)],
    ),
    spell("TRL_307", "Flash of Light", 2, PALADIN, COMMON, target=CHARACTER, play=[heal(4), draw()]),
    minion(
        "TRL_309", "Spirit of the Tiger", 4, 0, 3, PALADIN, RARE, STEALTH_TURN,
        on=after_cast(
            when(HAVE_ROOM, [summon("TRL_309t"), set_attack(EVENT_AMOUNT, LAST), set_health(EVENT_AMOUNT, LAST)])
        ),
    ),
    token(minion("TRL_309t", "Tiger", 1, 1, 1, PALADIN, BEAST)),
    weapon("TRL_543", "Bloodclaw", 1, 2, 2, PALADIN, COMMON, battlecry=damage(5, MY_HERO)),
    # Priest
    spell("TRL_258", "Mass Hysteria", 5, PRIEST, RARE, play=all_attack()),
    minion(
        "TRL_259", "Princess Talanji", 8, 7, 5, PRIEST, LEGENDARY,
        battlecry=summon_all_from_hand(NOT_STARTED_IN_DECK),
    ),
    minion(
        "TRL_260", "Bwonsamdi, the Dead", 7, 7, 7, PRIEST, LEGENDARY,
        battlecry=draw_from_deck(minion_costing(1), up_to(10)),
    ),
    minion(
        "TRL_502", "Spirit of the Dead", 1, 0, 3, PRIEST, RARE, STEALTH_TURN,
        on=on_death(shuffle_dead(priced=True)),
    ),
    spell("TRL_097", "Seance", 2, PRIEST, COMMON, target=ANY_MINION, play=add_copy(TARGET)),
    spell("TRL_128", "Regenerate", 0, PRIEST, COMMON, target=CHARACTER, play=heal(3)),
    minion("TRL_131", "Sand Drudge", 3, 3, 3, PRIEST, COMMON, on=on_cast(summon("TRL_131t"))),
    token(minion("TRL_131t", "Zombie", 1, 1, 1, PRIEST, TAUNT)),
    minion("TRL_408", "Grave Horror", 12, 7, 8, PRIEST, RARE, TAUNT, cost_rule=CostRule.SPELLS_CAST),
    spell(
        "TRL_500", "Surrender to Madness", 3, PRIEST, EPIC,
        play=[destroy_crystals(3), buff_cards(MY_DECK.where(A_MINION), 2, 2)],
    ),
    minion("TRL_501", "Auchenai Phantasm", 2, 3, 2, PRIEST, EPIC, battlecry=rule_this_turn(HEALING_HURTS)),
    # Rogue
    minion(
        "TRL_077", "Gurubashi Hypemon", 7, 5, 7, ROGUE, EPIC,
        battlecry=discover(own_cards(kind=MINION, test=WITH_BATTLECRY), small=True),
    ),
    minion(
        "TRL_092", "Spirit of the Shark", 4, 0, 3, ROGUE, RARE, STEALTH_TURN, BATTLECRIES_TWICE,
        doubles_combos=True,
    ),
    spell("TRL_156", "Stolen Steel", 2, ROGUE, COMMON, play=discover(weapons_of_other_classes(ROGUE))),
    minion(
        "TRL_409", "Gral, the Shark", 5, 2, 2, ROGUE, BEAST, LEGENDARY,
        battlecry=eat(), deathrattle=return_eaten(),
    ),
    minion(
        "TRL_071", "Bloodsail Howler", 2, 1, 1, ROGUE, PIRATE, RARE, RUSH,
        battlecry=buff_both(SELF, other_minions_of(PIRATE)),
    ),
    weapon("TRL_074", "Serrated Tooth", 1, 1, 3, ROGUE, COMMON, deathrattle=give(MY_MINIONS, RUSH)),
    spell(
        "TRL_124", "Raiding Party", 3, ROGUE, RARE, play=draw_from_deck(of_race(PIRATE), 2),
        combo=[draw_from_deck(of_race(PIRATE), 2), draw_from_deck(A_WEAPON)],
    ),
    minion(
        "TRL_126", "Captain Hooktusk", 8, 6, 3, ROGUE, PIRATE, LEGENDARY,
        battlecry=summon_from_deck(of_race(PIRATE), 3, giving=RUSH),
    ),
    spell(
        "TRL_127", "Cannon Barrage", 6, ROGUE, EPIC,
        play=[damage(3, ENEMIES.random(1)), repeat(other_minions_of(PIRATE))],
    ),
    spell("TRL_157", "Walk the Plank", 4, ROGUE, COMMON, target=ANY_MINION.where(UNDAMAGED), play=destroy()),
    # Shaman
    minion(
        "TRL_060", "Spirit of the Frog", 3, 0, 3, SHAMAN, RARE, STEALTH_TURN,
        on=on_cast(draw_spell_costing(event_amount(1))),
    ),
    spell("TRL_082", "Big Bad Voodoo", 2, SHAMAN, EPIC, target=FRIENDLY_MINION, play=attach(TARGET, "TRL_082e")),
    enchantment("TRL_082e", "Voodoo", deathrattle=summon_by_cost(own_cost(1))),
    # "whenever": before the spell itself takes effect
    minion(
        "TRL_085", "Zentimo", 3, 1, 3, SHAMAN, LEGENDARY,
        on=on_aim(cast_copy(NEXT_TO_SUBJECT), whose=MINE, only=A_MINION),
    ),
    minion(
        "TRL_345", "Krag'wa, the Frog", 6, 4, 6, SHAMAN, BEAST, LEGENDARY,
        battlecry=return_spells_of_last_turn(),
    ),
    weapon("TRL_352", "Likkim", 2, 1, 3, SHAMAN, RARE, aura=gives(MY_WEAPON, 2, when=OVERLOADED_NOW)),
    minion(
        "TRL_522", "Wartbringer", 1, 2, 1, SHAMAN, COMMON,
        target=CHARACTER.only_if(counted_at_least(SPELLS_NOW, 2)),
        battlecry=when(counted_at_least(SPELLS_NOW, 2), damage(2)),
    ),
    spell(
        "TRL_012", "Totemic Smash", 1, SHAMAN, COMMON,
        target=CHARACTER, play=[damage(2), when(TARGET_OVERKILLED, summon_random(BASIC_TOTEMS))],
    ),
    spell(
        "TRL_058", "Haunting Visions", 3, SHAMAN, EPIC,
        play=[rule_this_turn(NEXT_SPELL_CHEAPER), discover(own_spells())],
    ),
    minion(
        "TRL_059", "Bog Slosher", 3, 3, 3, SHAMAN, ELEMENTAL, RARE,
        target=FRIENDLY_MINION, battlecry=return_to_hand(bigger=2),
    ),
    spell("TRL_351", "Rain of Toads", 6, SHAMAN, COMMON, overload=3, need=Need.BOARD_SPACE, play=summon("TRL_351t", 3)),
    token(minion("TRL_351t", "Toad", 3, 2, 4, SHAMAN, BEAST, TAUNT)),
    # Warlock
    spell(
        "TRL_246", "Void Contract", 8, WARLOCK, EPIC,
        play=[lose_top_of_deck(HALF_MY_DECK), lose_top_of_enemy_deck(HALF_ENEMY_DECK)],
    ),
    minion("TRL_247", "Soulwarden", 6, 6, 6, WARLOCK, EPIC, battlecry=add_discarded(3)),
    spell("TRL_245", "Shriek", 1, WARLOCK, RARE, play=[discard_cards(CHEAPEST), damage(2, ALL_MINIONS)]),
    spell(
        "TRL_249", "Grim Rally", 1, WARLOCK, RARE,
        target=FRIENDLY_MINION, play=[destroy(), buff(MY_MINIONS, 1, 1)],
    ),
    minion(
        "TRL_251", "Spirit of the Bat", 2, 0, 3, WARLOCK, RARE, STEALTH_TURN,
        on=on_death(buff_cards(A_MINION_IN_HAND, 1, 1)),
    ),
    minion(
        "TRL_252", "High Priestess Jeklik", 4, 3, 4, WARLOCK, LEGENDARY, TAUNT, LIFESTEAL,
        discarded=add("TRL_252", 2),
    ),
    minion(
        "TRL_253", "Hir'eek, the Bat", 8, 1, 1, WARLOCK, BEAST, LEGENDARY,
        battlecry=[
            summon_copy(SELF), summon_copy(SELF), summon_copy(SELF),
            summon_copy(SELF), summon_copy(SELF), summon_copy(SELF),
        ],
    ),
    minion("TRL_257", "Blood Troll Sapper", 7, 5, 8, WARLOCK, COMMON, on=on_death(damage(2, ENEMY_HERO))),
    minion("TRL_551", "Reckless Diretroll", 3, 2, 6, WARLOCK, COMMON, TAUNT, battlecry=discard_cards(CHEAPEST)),
    spell(
        "TRL_555", "Demonbolt", 8, WARLOCK, COMMON, target=ANY_MINION, cost_rule=CostRule.OWN_MINIONS,
        play=destroy(),
    ),
    # Warrior
    minion(
        "TRL_327", "Spirit of the Rhino", 1, 0, 3, WARRIOR, RARE, STEALTH_TURN,
        aura=gives_keywords(MY_MINIONS.where(fresh_with(RUSH)), IMMUNE, when=MY_TURN),
    ),
    spell("TRL_321", "Devastate", 1, WARRIOR, COMMON, target=ANY_MINION.where(DAMAGED), play=damage(4)),
    minion(
        "TRL_323", "Emberscale Drake", 5, 5, 5, WARRIOR, DRAGON, RARE,
        battlecry=when(holding(DRAGON), armor(5)),
    ),
    spell(
        "TRL_324", "Heavy Metal!", 6, WARRIOR, RARE, need=Need.BOARD_SPACE,
        play=summon_by_cost(armor_up_to(10)),
    ),
    weapon(
        "TRL_325", "Sul'thraze", 6, 4, 4, WARRIOR, EPIC,
        on=overkill(attack_again(MY_HERO), whose=BY_MY_HERO),
    ),
    minion(
        "TRL_326", "Smolderthorn Lancer", 3, 3, 2, WARRIOR, EPIC,
        target=ENEMY_MINION.where(DAMAGED).only_if(holding(DRAGON)), battlecry=when(holding(DRAGON), destroy()),
    ),
    minion(
        "TRL_328", "War Master Voone", 4, 4, 3, WARRIOR, LEGENDARY,
        battlecry=copy_cards(MY_HAND.where(of_race(DRAGON))),
    ),
    minion(
        "TRL_329", "Akali, the Rhino", 8, 5, 5, WARRIOR, BEAST, LEGENDARY, RUSH,
        on=overkill(draw_from_deck(minion_with(RUSH), bigger=5)),
    ),
    weapon(
        "TRL_360", "Overlord's Whip", 3, 2, 4, WARRIOR, COMMON,
        on=after_play(damage(1, SUBJECT), only=LIVING_MINION),
    ),
    spell("TRL_362", "Dragon Roar", 2, WARRIOR, COMMON, play=add_random(minions_of_race(DRAGON), 2)),
)
