"""The Boomsday Project, with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

MY_MECH = FRIENDLY_MINION.where(of_race(MECH))
MECHS = minions_of_race(MECH)
OWN_MECHS = own_cards(kind=MINION, race=MECH)
WITH_DEATHRATTLE = having(DEATHRATTLE)
BIG_RED_BUTTONS = one_of("BOT_238p1", "BOT_238p2", "BOT_238p3", "BOT_238p4", "BOT_238p6")
TREANT = "EX1_158t"
CHEAP_MINIONS = MY_HAND.where(minion_now_at_most(2)).random(1)

CARDS = (
    # Neutral
    minion("BOT_020", "Skaterbot", 1, 1, 1, MECH, COMMON, RUSH, magnetic=True),
    minion("BOT_021", "Bronze Gatekeeper", 3, 1, 5, MECH, COMMON, TAUNT, magnetic=True),
    minion("BOT_031", "Goblin Bomb", 1, 0, 2, MECH, COMMON, deathrattle=damage(2, ENEMY_HERO)),
    minion("BOT_050", "Rusty Recycler", 5, 2, 6, MECH, COMMON, TAUNT, LIFESTEAL),
    minion("BOT_066", "Mechanical Whelp", 6, 2, 2, MECH, RARE, deathrattle=summon("BOT_066t")),
    token(minion("BOT_066t", "Mechanical Dragon", 7, 7, 7, MECH)),
    minion("BOT_079", "Faithful Lumi", 1, 1, 1, MECH, COMMON, target=MY_MECH, battlecry=buff(TARGET, 1, 1)),
    minion("BOT_083", "Toxicologist", 2, 2, 2, COMMON, battlecry=buff_weapon(1)),
    minion(
        "BOT_102", "Spark Drill", 6, 5, 1, MECH, RARE, RUSH,
        deathrattle=add("BOT_102t", 2),
    ),
    token(minion("BOT_102t", "Spark", 1, 1, 1, ELEMENTAL, RUSH)),
    minion("BOT_267", "Piloted Reaper", 4, 4, 3, MECH, COMMON, deathrattle=summon_from_hand(CHEAP_MINIONS)),
    minion("BOT_270", "Giggling Inventor", 7, 2, 1, RARE, battlecry=summon("BOT_270t", 2)),
    token(minion("BOT_270t", "Annoy-o-Tron", 2, 1, 2, MECH, TAUNT, DIVINE_SHIELD)),
    minion("BOT_280", "Holomancer", 5, 3, 3, EPIC,
           on=after_play(summon_small_copy(SUBJECT), whose=THEIRS, only=A_MINION)),
    minion("BOT_296", "Omega Defender", 4, 2, 6, EPIC, TAUNT, battlecry=when(FULL_MANA, buff(SELF, 10))),
    minion("BOT_308", "Spring Rocket", 3, 2, 1, MECH, COMMON, target=CHARACTER, battlecry=damage(2)),
    minion("BOT_309", "Upgradeable Framebot", 2, 1, 5, MECH, COMMON),
    minion(
        "BOT_312", "Replicating Menace", 4, 3, 1, MECH, RARE,
        magnetic=True, deathrattle=summon("BOT_312t", 3),
    ),
    token(minion("BOT_312t", "Microbot", 1, 1, 1, MECH)),
    minion("BOT_401", "Weaponized Piñata", 4, 4, 3, MECH, EPIC, deathrattle=add_random(LEGENDARY_MINIONS)),
    minion("BOT_413", "Brainstormer", 3, 3, 1, COMMON, battlecry=buff_health(SELF, SPELLS_IN_HAND)),
    minion("BOT_414", "Cloakscale Chemist", 2, 1, 2, COMMON, STEALTH, DIVINE_SHIELD),
    minion("BOT_431", "Whirliglider", 2, 2, 1, COMMON, battlecry=summon("BOT_031")),
    minion("BOT_445", "Mecharoo", 1, 1, 1, MECH, COMMON, deathrattle=summon("BOT_445t")),
    token(minion("BOT_445t", "Jo-E Bot", 1, 1, 1, MECH)),
    minion("BOT_447", "Crystallizer", 1, 1, 3, EPIC, battlecry=[damage(5, MY_HERO), armor(5)]),
    minion("BOT_448", "Damaged Stegotron", 6, 5, 12, MECH, COMMON, TAUNT, battlecry=damage(6, SELF)),
    minion("BOT_511", "Seaforium Bomber", 5, 5, 5, EPIC, battlecry=shuffle_for_enemy("BOT_511t")),
    token(spell("BOT_511t", "Bomb", 5, **casts_when_drawn(damage(5, MY_HERO, spell_damage=0)))),
    minion("BOT_532", "Explodinator", 4, 3, 2, MECH, COMMON, battlecry=summon("BOT_031", 2)),
    minion("BOT_534", "Bull Dozer", 9, 9, 7, MECH, COMMON, DIVINE_SHIELD),
    minion("BOT_535", "Microtech Controller", 3, 2, 1, COMMON, battlecry=summon("BOT_312t", 2)),
    minion("BOT_538", "Spark Engine", 2, 2, 1, MECH, RARE, battlecry=add("BOT_102t")),
    minion(
        "BOT_539", "Arcane Dynamo", 6, 3, 4, RARE,
        battlecry=discover(own_cards(test=spell_of_cost_at_least(5))),
    ),
    minion(
        "BOT_550", "Electrowright", 3, 3, 3, COMMON,
        battlecry=when(holding_spell_of_cost(5), buff(SELF, 1, 1)),
    ),
    minion("BOT_540", "E.M.P. Operative", 5, 3, 3, EPIC, target=ANY_MINION.where(of_race(MECH)), battlecry=destroy()),
    minion("BOT_544", "Loose Specimen", 5, 6, 6, BEAST, EPIC, battlecry=missiles(6, MY_OTHER_MINIONS)),
    minion(
        "BOT_552", "Star Aligner", 7, 7, 7, EPIC,
        battlecry=when(there_are(3, MY_MINIONS.where(health_is(7))), damage(7, ENEMIES)),
    ),
    minion(
        "BOT_559", "Augmented Elekk", 3, 3, 4, BEAST, EPIC,
        on=on_shuffle(shuffle_again()),
    ),
    # His text is about decks before a game: one that names him stands for a list that he brings.
    minion("BOT_914", "Whizbang the Wonderful", 4, 4, 5, LEGENDARY),
    minion("BOT_562", "Coppertail Imposter", 4, 4, 4, MECH, COMMON, battlecry=give(SELF, STEALTH_TURN)),
    minion("BOT_563", "Wargear", 5, 5, 5, MECH, COMMON, magnetic=True),
    minion("BOT_603", "Steel Rager", 4, 5, 1, MECH, COMMON, RUSH),
    minion(
        "BOT_606", "Kaboom Bot", 3, 2, 2, MECH, COMMON,
        deathrattle=damage(4, ENEMY_MINIONS.random(1)),
    ),
    minion("BOT_907", "Galvanizer", 2, 1, 2, MECH, RARE, battlecry=reduce_cost(MY_HAND.where(of_race(MECH)), 1)),
    minion(
        "BOT_107", "Missile Launcher", 6, 4, 4, MECH, RARE,
        magnetic=True, on=end_of_turn(damage(1, OTHER_CHARACTERS)),
    ),
    minion(
        "BOT_098", "Unpowered Mauler", 2, 2, 4, MECH, RARE,
        aura=gives_keywords(SELF, CANT_ATTACK, when=NO_SPELL_CAST),
    ),
    minion(
        "BOT_424", "Mecha'thun", 10, 10, 10, MECH, LEGENDARY,
        deathrattle=when(HAND_EMPTY, unless(there_is(MY_DECK), unless(there_is(MY_MINIONS), destroy(ENEMY_HERO)))),
    ),
    minion("BOT_548", "Zilliax", 5, 3, 2, MECH, LEGENDARY, DIVINE_SHIELD, TAUNT, LIFESTEAL, RUSH, magnetic=True),
    minion(
        "BOT_555", "Harbinger Celestia", 4, 5, 6, LEGENDARY, STEALTH,
        on=after_play(aim(SUBJECT), become_copy(), whose=THEIRS, only=A_MINION),
    ),
    minion("BOT_573", "Subject 9", 5, 4, 4, BEAST, LEGENDARY, battlecry=draw_different(A_SECRET, 5)),
    # Druid
    spell("BOT_054", "Biology Project", 1, DRUID, COMMON, play=[crystals(2), crystals_for_enemy(2)]),
    spell(
        "BOT_404", "Juicy Psychmelon", 4, DRUID, EPIC,
        play=[draw_from_deck(minion_of_cost(7)), draw_from_deck(minion_of_cost(8)),
              draw_from_deck(minion_of_cost(9)), draw_from_deck(minion_of_cost(10))],
    ),
    minion(
        "BOT_419", "Dendrologist", 2, 2, 3, DRUID, RARE,
        battlecry=when(there_is(MY_MINIONS.where(namesake_of(TREANT))), discover(own_spells())),
    ),
    spell("BOT_420", "Landscaping", 3, DRUID, COMMON, need=Need.BOARD_SPACE, play=summon(TREANT, 2)),
    minion("BOT_422", "Tending Tauren", 6, 3, 4, DRUID, RARE, options=("BOT_422a", "BOT_422b")),
    token(spell("BOT_422a", "Old Growth", 0, DRUID, play=buff(MY_OTHER_MINIONS, 1, 1))),
    token(spell("BOT_422b", "New Growth", 0, DRUID, play=summon(TREANT, 2))),
    minion(
        "BOT_423", "Dreampetal Florist", 7, 4, 4, DRUID, EPIC,
        on=end_of_turn(reduce_cost(MY_HAND.where(A_MINION).random(1), 7)),
    ),
    minion("BOT_434", "Flobbidinous Floop", 4, 3, 4, DRUID, LEGENDARY, mimics=True),
    spell("BOT_444", "Floop's Glorious Gloop", 1, DRUID, LEGENDARY, play=attach(MY_HERO, "BOT_444e")),
    enchantment("BOT_444e", "Gloopy", on=on_death(temporary_mana(1), whose=ANY)),
    minion(
        "BOT_507", "Gloop Sprayer", 8, 4, 4, DRUID, COMMON,
        positional=True, battlecry=summon_copy(ADJACENT),
    ),
    minion(
        "BOT_523", "Mulchmuncher", 10, 8, 8, MECH, DRUID, RARE, RUSH,
        cost_rule=CostRule.DEAD_NAMESAKES, cost_arg=TREANT,
    ),
    # Hunter
    spell("BOT_033", "Bomb Toss", 2, HUNTER, COMMON, target=CHARACTER, play=[damage(2), summon("BOT_031")]),
    minion("BOT_034", "Boommaster Flark", 7, 5, 5, HUNTER, LEGENDARY, battlecry=summon("BOT_031", 4)),
    minion("BOT_035", "Venomizer", 2, 2, 2, MECH, HUNTER, COMMON, POISONOUS, magnetic=True),
    minion(
        "BOT_038", "Fireworks Tech", 2, 2, 1, HUNTER, RARE,
        target=MY_MECH, battlecry=[buff(TARGET, 1, 1), trigger_deathrattles(TARGET)],
    ),
    minion("BOT_039", "Necromechanic", 5, 3, 6, HUNTER, EPIC, DEATHRATTLES_TWICE, doubles_weapons=True),
    minion(
        "BOT_251", "Spider Bomb", 3, 2, 2, MECH, HUNTER, RARE,
        magnetic=True, deathrattle=destroy(ENEMY_MINIONS.random(1)),
    ),
    spell(
        "BOT_402", "Secret Plan", 1, HUNTER, COMMON,
        play=discover(own_cards(test=A_SECRET), otherwise=secrets_of(HUNTER)),
    ),
    spell(
        "BOT_429", "Flark's Boom-Zooka", 8, HUNTER, LEGENDARY,
        play=summon_to_attack(3),
    ),
    spell(
        "BOT_437", "Goblin Prank", 2, HUNTER, EPIC,
        target=FRIENDLY_MINION, play=[buff(TARGET, 3, 3), give(TARGET, RUSH), attach(TARGET, "BOT_437e")],
    ),
    enchantment("BOT_437e", "Slimed", on=end_of_turn(destroy(SELF), whose=ANY)),
    spell("BOT_438", "Cybertech Chip", 2, HUNTER, RARE, play=attach(MY_MINIONS, "BOT_438e")),
    enchantment("BOT_438e", "Chipped", deathrattle=add_random(MECHS)),
    # Mage
    spell("BOT_101", "Astral Rift", 2, MAGE, RARE, play=add_random(MINIONS, 2)),
    minion("BOT_103", "Stargazer Luna", 3, 2, 4, MAGE, LEGENDARY, on=after_play(draw(), when=PLAYED_RIGHTMOST)),
    spell(
        "BOT_254", "Unexpected Results", 4, MAGE, EPIC, need=Need.BOARD_SPACE,
        play=summon_by_cost(2, spell_damage=1, copies=1),
    ),
    minion("BOT_256", "Astromancer", 7, 5, 5, MAGE, EPIC, battlecry=summon_by_cost(CARDS_IN_HAND)),
    spell("BOT_257", "Luna's Pocket Galaxy", 7, MAGE, LEGENDARY, play=price_deck(A_MINION)),
    spell("BOT_453", "Shooting Star", 1, MAGE, COMMON, target=ANY_MINION, play=damage(1, AROUND_TARGET)),
    minion(
        "BOT_531", "Celestial Emissary", 2, 2, 1, ELEMENTAL, MAGE, RARE,
        battlecry=count_up(NEXT_SPELL_DAMAGE, 2),
    ),
    spell("BOT_600", "Research Project", 2, MAGE, COMMON, play=[draw(2), draw_for_enemy(2)]),
    minion("BOT_601", "Meteorologist", 6, 3, 3, MAGE, RARE, battlecry=missiles(CARDS_IN_HAND)),
    minion("BOT_604", "Cosmic Anomaly", 4, 4, 3, ELEMENTAL, MAGE, COMMON, spell_damage=2),
    # Paladin
    spell("BOT_234", "Shrink Ray", 5, PALADIN, RARE, play=[set_attack(1, ALL_MINIONS), set_health(1, ALL_MINIONS)]),
    minion(
        "BOT_236", "Crystalsmith Kangor", 2, 1, 2, PALADIN, LEGENDARY, DIVINE_SHIELD, LIFESTEAL,
        doubles_healing=True,
    ),
    spell("BOT_436", "Prismatic Lens", 4, PALADIN, EPIC, play=draw_swapping_costs()),
    spell(
        "BOT_912", "Kangor's Endless Army", 7, PALADIN, LEGENDARY,
        need=Need.BOARD_SPACE, play=summon_dead(3, of_race(MECH), upgraded=True),
    ),
    minion("BOT_537", "Mechano-Egg", 5, 0, 5, MECH, PALADIN, COMMON, deathrattle=summon("BOT_537t")),
    token(minion("BOT_537t", "Robosaur", 8, 8, 8, MECH, PALADIN)),
    minion("BOT_906", "Glow-Tron", 1, 1, 3, MECH, PALADIN, COMMON, magnetic=True),
    secret("BOT_908", "Autodefense Matrix", 1, PALADIN, COMMON, on=on_attack_on_minion(give(DEFENDER, DIVINE_SHIELD))),
    spell("BOT_909", "Crystology", 2, PALADIN, RARE, play=draw_from_deck(minion_with_attack(1), 2)),
    minion(
        "BOT_910", "Glowstone Technician", 6, 3, 4, PALADIN, EPIC,
        battlecry=buff_cards(MY_HAND.where(A_MINION), 2, 2),
    ),
    minion("BOT_911", "Annoy-o-Module", 4, 2, 4, MECH, PALADIN, RARE, DIVINE_SHIELD, TAUNT, magnetic=True),
    # Priest
    minion("BOT_216", "Omega Medic", 3, 3, 4, PRIEST, RARE, battlecry=when(FULL_MANA, heal(10, MY_HERO))),
    spell("BOT_219", "Extra Arms", 3, PRIEST, RARE, target=ANY_MINION, play=[buff(TARGET, 2, 2), add("BOT_219t")]),
    token(spell("BOT_219t", "More Arms!", 3, PRIEST, target=ANY_MINION, play=buff(TARGET, 2, 2))),
    minion(
        "BOT_258", "Zerek, Master Cloner", 6, 5, 5, PRIEST, LEGENDARY,
        on=on_aim(remember_this(), whose=MY_AIM), deathrattle=summon_remembered(),
    ),
    spell("BOT_435", "Cloning Device", 2, PRIEST, COMMON, play=discover_from_enemy_deck(A_MINION)),
    minion(
        "BOT_509", "Dead Ringer", 2, 2, 1, MECH, PRIEST, COMMON,
        deathrattle=draw_from_deck(minion_with(DEATHRATTLE)),
    ),
    spell("BOT_517", "Topsy Turvy", 0, PRIEST, COMMON, target=ANY_MINION, play=swap_stats()),
    spell(
        "BOT_529", "Power Word: Replicate", 5, PRIEST, EPIC,
        target=FRIENDLY_MINION, need=Need.BOARD_SPACE, play=summon_copy_of_size(TARGET, 5),
    ),
    minion(
        "BOT_558", "Test Subject", 1, 0, 2, PRIEST, RARE,
        on=on_aim(keep_spell(), whose=MY_AIM), deathrattle=return_spells(),
    ),
    minion(
        "BOT_566", "Reckless Experimenter", 5, 4, 6, PRIEST, EPIC,
        aura=costs(-3, minion_with(DEATHRATTLE)),
        on=on_play(attach(SUBJECT, "BOT_566e"), only=minion_with(DEATHRATTLE)),
    ),
    enchantment("BOT_566e", "Reckless Experiment", on=end_of_turn(destroy(SELF), whose=ANY)),
    spell(
        "BOT_567", "Zerek's Cloning Gallery", 9, PRIEST, LEGENDARY,
        need=Need.BOARD_SPACE, play=summon_small_copy_of_deck(),
    ),
    # Rogue
    spell("BOT_084", "Violet Haze", 3, ROGUE, COMMON, play=add_random(cards_with(WITH_DEATHRATTLE), 2)),
    spell("BOT_087", "Academic Espionage", 4, ROGUE, EPIC, play=shuffle_random(enemy_class_cards(), 10, priced=True)),
    spell("BOT_242", "Myra's Unstable Element", 5, ROGUE, LEGENDARY, play=draw(CARDS_IN_DECK)),
    minion(
        "BOT_243", "Myra Rotspring", 5, 4, 2, ROGUE, LEGENDARY,
        battlecry=[discover(own_cards(kind=MINION, test=WITH_DEATHRATTLE)), gain_chosen_deathrattle()],
    ),
    minion(
        "BOT_283", "Pogo-Hopper", 2, 1, 1, MECH, ROGUE, RARE,
        on=on_play(count_up(POGO_HOPPERS), whose=OWN),
        battlecry=buff_both(SELF, for_each_other(POGO_HOPPERS, 2)),
    ),
    weapon(
        "BOT_286", "Necrium Blade", 3, 3, 2, ROGUE, RARE,
        deathrattle=trigger_deathrattles(MY_MINIONS.where(WITH_DEATHRATTLE).random(1)),
    ),
    minion(
        "BOT_288", "Lab Recruiter", 2, 3, 2, ROGUE, COMMON,
        target=FRIENDLY_MINION, battlecry=shuffle_copy(TARGET, 3),
    ),
    spell(
        "BOT_508", "Necrium Vial", 5, ROGUE, EPIC,
        target=FRIENDLY_MINION.where(WITH_DEATHRATTLE),
        play=[trigger_deathrattles(TARGET), trigger_deathrattles(TARGET)],
    ),
    minion("BOT_565", "Blightnozzle Crawler", 4, 2, 4, MECH, ROGUE, RARE, deathrattle=summon("BOT_565t")),
    token(minion("BOT_565t", "Radioactive Ooze", 1, 1, 1, ROGUE, POISONOUS, RUSH)),
    minion(
        "BOT_576", "Crazed Chemist", 5, 4, 4, ROGUE, COMMON,
        target=FRIENDLY_MINION.only_if(PLAYED_BEFORE), combo=buff(TARGET, 4),
    ),
    # Shaman
    spell(
        "BOT_099", "Eureka!", 6, SHAMAN, RARE,
        need=Need.BOARD_SPACE, play=summon_copy_from_hand(MY_HAND.where(A_MINION).random(1)),
    ),
    spell("BOT_245", "The Storm Bringer", 7, SHAMAN, LEGENDARY, play=transform_random(MY_MINIONS, LEGENDARY_MINIONS)),
    spell("BOT_246", "Beakered Lightning", 0, SHAMAN, COMMON, overload=2, play=damage(1, ALL_MINIONS)),
    minion(
        "BOT_291", "Storm Chaser", 4, 3, 4, ELEMENTAL, SHAMAN, RARE,
        battlecry=draw_from_deck(spell_of_cost_at_least(5)),
    ),
    minion(
        "BOT_407", "Thunderhead", 4, 3, 5, ELEMENTAL, SHAMAN, EPIC,
        on=after_play(summon("BOT_102t", 2), only=WITH_OVERLOAD),
    ),
    minion(
        "BOT_411", "Electra Stormsurge", 3, 3, 3, ELEMENTAL, SHAMAN, LEGENDARY,
        battlecry=count_up(NEXT_SPELL_TWICE),
    ),
    spell(
        "BOT_093", "Elementary Reaction", 2, SHAMAN, COMMON,
        play=when(PLAYED_ELEMENTAL, draw(copies=1), otherwise=draw()),
    ),
    spell("BOT_451", "Voltaic Burst", 1, SHAMAN, RARE, overload=1, need=Need.BOARD_SPACE, play=summon("BOT_102t", 2)),
    minion(
        "BOT_533", "Menacing Nimbus", 2, 2, 2, ELEMENTAL, SHAMAN, COMMON,
        battlecry=add_random(minions_of_race(ELEMENTAL)),
    ),
    minion("BOT_543", "Omega Mind", 2, 2, 3, SHAMAN, EPIC, battlecry=when(FULL_MANA, count_up(SPELLS_DRAIN))),
    # Warlock
    spell("BOT_222", "Spirit Bomb", 2, WARLOCK, COMMON, target=ANY_MINION, play=[damage(4), damage(4, MY_HERO)]),
    minion("BOT_224", "Doubling Imp", 3, 2, 2, DEMON, WARLOCK, COMMON, battlecry=summon_copy(SELF)),
    minion("BOT_226", "Nethersoul Buster", 3, 1, 5, DEMON, WARLOCK, RARE, battlecry=buff(SELF, counted(HERO_DAMAGE))),
    spell("BOT_263", "Soul Infusion", 1, WARLOCK, RARE, play=buff_cards(LEFTMOST.where(A_MINION), 2, 2)),
    minion("BOT_433", "Dr. Morrigan", 8, 5, 5, WARLOCK, LEGENDARY,
           deathrattle=when(there_is(MY_DECK.where(A_MINION)), [summon_from_deck(), shuffle_this()])),
    minion(
        "BOT_443", "Void Analyst", 2, 2, 2, DEMON, WARLOCK, RARE,
        deathrattle=buff_cards(MY_HAND.where(of_race(DEMON)), 1, 1),
    ),
    spell("BOT_521", "Ectomancy", 6, WARLOCK, EPIC, play=summon_copy(MY_MINIONS.where(of_race(DEMON)))),
    minion(
        "BOT_536", "Omega Agent", 5, 4, 5, WARLOCK, EPIC,
        battlecry=when(FULL_MANA, [summon_copy(SELF), summon_copy(SELF)]),
    ),
    spell(
        "BOT_568", "The Soularium", 1, WARLOCK, LEGENDARY,
        play=[draw_marked(3, "BOT_568e"), at_end_of_turn("BOT_568e")],
    ),
    enchantment("BOT_568e", "Fleeting Soul", play=discard_cards(MARKED_CARDS)),
    spell(
        "BOT_913", "Demonic Project", 2, WARLOCK, COMMON,
        play=[transform_cards(MY_HAND.where(A_MINION).random(1), minions_of_race(DEMON)),
              transform_cards(ENEMY_HAND.where(A_MINION).random(1), minions_of_race(DEMON))],
    ),
    # Warrior
    spell(
        "BOT_042", "Weapons Project", 2, WARRIOR, COMMON,
        play=[equip("BOT_042t"), armor(6), equip_for_enemy("BOT_042t"), armor_for_enemy(6)],
    ),
    token(weapon("BOT_042t", "Gearblade", 2, 2, 3, WARRIOR)),
    minion("BOT_059", "Eternium Rover", 1, 1, 3, MECH, WARRIOR, COMMON, on=on_damage(armor(2))),
    spell("BOT_067", "Rocket Boots", 2, WARRIOR, COMMON, target=FRIENDLY_MINION, play=[give(TARGET, RUSH), draw()]),
    spell(
        "BOT_069", "The Boomship", 9, WARRIOR, LEGENDARY, need=Need.BOARD_SPACE,
        play=summon_from_hand(MY_HAND.where(A_MINION).random(3), giving=RUSH),
    ),
    minion(
        "BOT_104", "Dyn-o-matic", 5, 3, 4, MECH, WARRIOR, RARE,
        battlecry=missiles(5, ALL_MINIONS.where(not_of_race(MECH))),
    ),
    minion("BOT_218", "Security Rover", 6, 2, 5, MECH, WARRIOR, RARE, on=on_damage(summon("BOT_218t"))),
    token(minion("BOT_218t", "Guard Bot", 2, 2, 3, MECH, WARRIOR, TAUNT)),
    minion("BOT_237", "Beryllium Nullifier", 7, 3, 8, MECH, WARRIOR, EPIC, ELUSIVE, magnetic=True),
    hero_card(
        "BOT_238", "Dr. Boom, Mad Genius", 7, 7, "BOT_238p", WARRIOR, LEGENDARY,
        battlecry=[attach(MY_HERO, "BOT_238e"), set_random_power(BIG_RED_BUTTONS)],
    ),
    enchantment("BOT_238e", "Boomtastic", lasts=True, aura=gives_keywords(MY_MINIONS.where(of_race(MECH)), RUSH)),
    power("BOT_238p", "Big Red Button", 2, WARRIOR, play=set_random_power(BIG_RED_BUTTONS)),
    power(
        "BOT_238p1", "Zap Cannon", 2, WARRIOR, target=CHARACTER, play=damage(3),
        on=end_of_turn(set_random_power(BIG_RED_BUTTONS)),
    ),
    power(
        "BOT_238p2", "Blast Shield", 2, WARRIOR, play=armor(7),
        on=end_of_turn(set_random_power(BIG_RED_BUTTONS)),
    ),
    power(
        "BOT_238p3", "KABOOM!", 2, WARRIOR, play=damage(1, ENEMIES),
        on=end_of_turn(set_random_power(BIG_RED_BUTTONS)),
    ),
    power(
        "BOT_238p4", "Delivery Drone", 2, WARRIOR, play=discover(OWN_MECHS),
        on=end_of_turn(set_random_power(BIG_RED_BUTTONS)),
    ),
    power(
        "BOT_238p6", "Micro-Squad", 2, WARRIOR, need=Need.BOARD_SPACE, play=summon("BOT_312t", 3),
        on=end_of_turn(set_random_power(BIG_RED_BUTTONS)),
    ),
    spell(
        "BOT_299", "Omega Assembly", 1, WARRIOR, RARE,
        play=when(FULL_MANA, add_different(OWN_MECHS, 3), otherwise=discover(OWN_MECHS)),
    ),
    weapon(
        "BOT_406", "Supercollider", 5, 1, 3, WARRIOR, EPIC,
        on=after_attack(attack_next_to(DEFENDER), whose=MINE, only=A_HERO, when=DEFENDER_IS_MINION),
    ),
)
