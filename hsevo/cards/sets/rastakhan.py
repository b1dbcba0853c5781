"""Rastakhan's Rumble, with tokens under the card that makes them."""

from hsevo.cards.sets.heroes import BASIC_TOTEMS
from hsevo.cards.vocabulary import *

A_BEAST_IN_HAND = MY_HAND.where(of_race(BEAST)).random(1)
A_MINION_IN_HAND = MY_HAND.where(A_MINION).random(1)
OVERKILLS = there_is(TARGET.where(OVERKILLED))

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
    # Druid
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
        target=CHARACTER, play=[damage(3), when(OVERKILLS, summon("TRL_347t"))],
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
    # Mage
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
    spell(
        "TRL_012", "Totemic Smash", 1, SHAMAN, COMMON,
        target=CHARACTER, play=[damage(2), when(OVERKILLS, summon_random(BASIC_TOTEMS))],
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
