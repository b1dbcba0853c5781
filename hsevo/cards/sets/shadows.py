"""Rise of Shadows, with tokens under the card that makes them."""

from hsevo.cards.sets.kobolds import TREASURES
from hsevo.cards.vocabulary import *

LACKEYS = one_of("DAL_613", "DAL_614", "DAL_615", "DAL_739", "DAL_741", name="Lackey")
DRUID_MINIONS = cards_of(DRUID, MINION)
PORTAL, BOMB, COIN = "DAL_582t", "BOT_511t", "GAME_005"
MY_MECHS_IN_HAND = MY_HAND.where(of_race(MECH))
TREANT = "DAL_256t2"
WITH_DEATHRATTLE = having(DEATHRATTLE)

SHAMAN_SPELLS = spells_of(SHAMAN)

CARDS = (
    # Lackeys
    token(minion("DAL_613", "Faceless Lackey", 1, 1, 1, battlecry=summon_random(minions_of_cost(2)))),
    token(minion("DAL_614", "Kobold Lackey", 1, 1, 1, target=CHARACTER, battlecry=damage(2))),
    token(minion("DAL_615", "Witchy Lackey", 1, 1, 1, target=FRIENDLY_MINION, battlecry=transform_by_cost(TARGET, 1))),
    token(
        minion(
            "DAL_739", "Goblin Lackey", 1, 1, 1,
            target=FRIENDLY_MINION, battlecry=[buff(TARGET, 1), give(TARGET, RUSH)],
        )
    ),
    token(minion("DAL_741", "Ethereal Lackey", 1, 1, 1, battlecry=discover(own_spells()))),
    # Neutral
    minion("DAL_081", "Spellward Jeweler", 3, 3, 4, RARE, battlecry=attach(MY_HERO, "DAL_081e")),
    enchantment(
        "DAL_081e", "Sparkly", lasts=True,
        aura=gives_keywords(MY_HERO, ELUSIVE), on=start_of_turn(detach(SELF, "DAL_081e")),
    ),
    minion(
        "DAL_434", "Arcane Watcher", 3, 5, 6, RARE,
        aura=gives_keywords(SELF, CANT_ATTACK, when=NO_SPELL_DAMAGE),
    ),
    minion("DAL_538", "Unseen Saboteur", 6, 5, 6, EPIC, battlecry=have_enemy_cast()),
    minion("DAL_551", "Proud Defender", 4, 2, 6, COMMON, TAUNT, aura=gives(SELF, 2, when=ALONE)),
    minion("DAL_558", "Archmage Vargoth", 4, 2, 6, LEGENDARY, on=end_of_turn(cast_of_turn())),
    minion(
        "DAL_560", "Heroic Innkeeper", 8, 4, 4, COMMON, TAUNT,
        battlecry=buff_both(SELF, times(2, count(MY_OTHER_MINIONS))),
    ),
    minion("DAL_736", "Archivist Elysiana", 8, 7, 7, LEGENDARY, battlecry=discover_deck(own_cards(), 5)),
    minion(
        "DAL_742", "Whirlwind Tempest", 8, 6, 6, ELEMENTAL, EPIC,
        aura=gives_keywords(MY_MINIONS.where(having(WINDFURY)), MEGA_WINDFURY),
    ),
    minion("DAL_752", "Jepetto Joybuzz", 8, 6, 6, LEGENDARY, battlecry=draw_small_from_deck(A_MINION, 2)),
    minion("DAL_058", "Hecklebot", 4, 3, 8, MECH, RARE, TAUNT, battlecry=summon_from_enemy_deck()),
    minion(
        "DAL_077", "Toxfin", 1, 1, 2, MURLOC, COMMON,
        target=FRIENDLY_MINION.where(of_race(MURLOC)), battlecry=give(TARGET, POISONOUS),
    ),
    minion("DAL_078", "Travelling Healer", 4, 3, 2, COMMON, DIVINE_SHIELD, target=CHARACTER, battlecry=heal(3)),
    minion("DAL_085", "Dalaran Crusader", 5, 5, 4, COMMON, DIVINE_SHIELD),
    minion("DAL_086", "Sunreaver Spy", 2, 2, 3, COMMON, battlecry=when(HAVE_SECRET, buff(SELF, 1, 1))),
    minion("DAL_087", "Hench-Clan Hag", 4, 3, 3, EPIC, battlecry=summon("DAL_087t", 2)),
    token(minion("DAL_087t", "Amalgam", 1, 1, 1, ALL_TYPES)),
    minion("DAL_088", "Safeguard", 6, 4, 5, MECH, COMMON, TAUNT, deathrattle=summon("DAL_088t2")),
    token(minion("DAL_088t2", "Vault Safe", 2, 0, 5, MECH, TAUNT)),
    minion("DAL_089", "Spellbook Binder", 2, 3, 2, COMMON, battlecry=when(HAVE_SPELL_DAMAGE, draw())),
    minion("DAL_090", "Hench-Clan Sneak", 3, 3, 3, COMMON, STEALTH),
    minion("DAL_092", "Arcane Servant", 2, 2, 3, ELEMENTAL, COMMON),
    minion("DAL_095", "Violet Spellsword", 4, 1, 6, COMMON, battlecry=buff(SELF, SPELLS_IN_HAND)),
    minion("DAL_096", "Violet Warden", 6, 4, 7, COMMON, TAUNT, spell_damage=1),
    minion("DAL_400", "EVIL Cable Rat", 2, 1, 1, BEAST, COMMON, battlecry=add_random(LACKEYS)),
    minion(
        "DAL_539", "Sunreaver Warmage", 5, 4, 4, RARE,
        target=CHARACTER.only_if(holding_spell_of_cost(5)), battlecry=damage(4),
    ),
    minion("DAL_544", "Potion Vendor", 1, 1, 1, COMMON, battlecry=heal(2, MY_CHARACTERS)),
    minion(
        "DAL_546", "Barista Lynchen", 5, 4, 5, LEGENDARY,
        battlecry=add_copy(MY_OTHER_MINIONS.where(WITH_BATTLECRY)),
    ),
    minion("DAL_548", "Azerite Elemental", 5, 2, 7, ELEMENTAL, EPIC, on=start_of_turn(give_spell_damage(SELF, 2))),
    minion("DAL_550", "Underbelly Ooze", 7, 3, 5, RARE, on=on_damage(summon_copy(SELF), when=SUBJECT_ALIVE)),
    minion("DAL_553", "Big Bad Archmage", 10, 6, 6, EPIC, on=end_of_turn(summon_random(minions_of_cost(6)))),
    minion("DAL_554", "Chef Nomi", 7, 6, 6, LEGENDARY, battlecry=unless(there_is(MY_DECK), summon("DAL_554t", 6))),
    token(minion("DAL_554t", "Greasefire Elemental", 6, 6, 6, ELEMENTAL)),
    minion("DAL_565", "Portal Overfiend", 6, 5, 6, DEMON, EPIC, battlecry=shuffle(PORTAL, 3)),
    minion("DAL_566", "Eccentric Scribe", 6, 6, 4, COMMON, deathrattle=summon("DAL_566t", 4)),
    token(minion("DAL_566t", "Vengeful Scroll", 1, 1, 1)),
    minion("DAL_582", "Portal Keeper", 4, 5, 2, DEMON, RARE, battlecry=shuffle(PORTAL, 3)),
    token(spell(PORTAL, "Felhound Portal", 2, **casts_when_drawn(summon("DAL_582t2")))),
    token(minion("DAL_582t2", "Felhound", 2, 2, 2, DEMON, RUSH)),
    minion(
        "DAL_592", "Batterhead", 8, 3, 12, EPIC, RUSH,
        on=after_attack(attack_again(), when=DEFENDER_DEAD),
    ),
    minion("DAL_735", "Dalaran Librarian", 2, 2, 3, COMMON, positional=True, battlecry=silence(ADJACENT)),
    minion("DAL_743", "Hench-Clan Hogsteed", 2, 2, 1, BEAST, COMMON, RUSH, deathrattle=summon("DAL_743t")),
    token(minion("DAL_743t", "Hench-Clan Squire", 1, 1, 1, MURLOC)),
    minion(
        "DAL_744", "Faceless Rager", 3, 5, 1, COMMON,
        target=FRIENDLY_MINION, battlecry=set_health(AIMED_HEALTH, SELF),
    ),
    minion("DAL_747", "Flight Master", 3, 3, 4, COMMON, battlecry=[summon("DAL_747t"), summon_for_enemy("DAL_747t")]),
    token(minion("DAL_747t", "Gryphon", 2, 2, 2, BEAST)),
    minion("DAL_748", "Mana Reservoir", 2, 0, 6, ELEMENTAL, COMMON, spell_damage=1),
    minion(
        "DAL_749", "Recurring Villain", 5, 3, 6, RARE,
        deathrattle=when(own_attack_at_least(4), summon_this()),
    ),
    minion(
        "DAL_751", "Mad Summoner", 6, 4, 4, DEMON, RARE,
        battlecry=[summon("DAL_751t", 7), summon_for_enemy("DAL_751t", 7)],
    ),
    token(minion("DAL_751t", "Imp", 1, 1, 1, DEMON)),
    minion("DAL_760", "Burly Shovelfist", 9, 9, 9, COMMON, RUSH),
    minion("DAL_771", "Soldier of Fortune", 4, 5, 6, ELEMENTAL, COMMON, on=on_attack(add_for_enemy(COIN), whose=OWN)),
    minion(
        "DAL_773", "Magic Carpet", 3, 1, 6, EPIC,
        on=after_play(when(paid(1), [buff(SUBJECT, 1), give(SUBJECT, RUSH)]), only=A_MINION),
    ),
    minion(
        "DAL_774", "Exotic Mountseller", 7, 5, 8, RARE,
        on=on_cast(summon_random(minions_of_race(BEAST, cost=3))),
    ),
    minion("DAL_775", "Tunnel Blaster", 7, 3, 7, RARE, TAUNT, deathrattle=damage(3, ALL_MINIONS)),
    # Druid
    spell(
        "DAL_256", "The Forest's Aid", 8, DRUID, RARE,
        twin="DAL_256ts", need=Need.BOARD_SPACE, play=summon(TREANT, 5),
    ),
    token(spell("DAL_256ts", "The Forest's Aid", 8, DRUID, RARE, need=Need.BOARD_SPACE, play=summon(TREANT, 5))),
    token(minion(TREANT, "Treant", 2, 2, 2, DRUID)),
    spell("DAL_351", "Blessing of the Ancients", 3, DRUID, COMMON, twin="DAL_351ts", play=buff(MY_MINIONS, 1, 1)),
    token(spell("DAL_351ts", "Blessing of the Ancients", 3, DRUID, COMMON, play=buff(MY_MINIONS, 1, 1))),
    minion("DAL_357", "Lucentbark", 8, 4, 8, DRUID, LEGENDARY, TAUNT, deathrattle=lie_dormant("DAL_357t")),
    token(
        minion(
            "DAL_357t", "Spirit of Lucentbark", 11, 0, 1, DRUID, dormant=True,
            on=on_heal(wake_by(EVENT_AMOUNT, 5, "DAL_357"), whose=BY_MY_CARDS),
        )
    ),
    minion("DAL_732", "Keeper Stalladris", 2, 2, 3, DRUID, LEGENDARY, on=after_cast(add_options(), only=A_CHOICE)),
    minion(
        "DAL_799", "Crystal Stag", 5, 4, 4, BEAST, DRUID, EPIC, RUSH,
        battlecry=when(counted_at_least(RESTORED, 5), summon_copy(SELF)),
    ),
    spell("DAL_350", "Crystal Power", 1, DRUID, COMMON, options=("DAL_350a", "DAL_350b")),
    token(spell("DAL_350a", "Piercing Thorns", 1, DRUID, target=ANY_MINION, play=damage(2))),
    token(spell("DAL_350b", "Healing Blossom", 1, DRUID, target=CHARACTER, play=heal(5))),
    spell(
        "DAL_352", "Crystalsong Portal", 2, DRUID, EPIC,
        play=when(HOLDING_A_MINION, discover(DRUID_MINIONS), otherwise=add_different(DRUID_MINIONS, 3)),
    ),
    minion("DAL_354", "Acornbearer", 1, 2, 1, DRUID, COMMON, deathrattle=add("DAL_354t", 2)),
    token(minion("DAL_354t", "Squirrel", 1, 1, 1, BEAST, DRUID)),
    minion("DAL_355", "Lifeweaver", 3, 2, 5, DRUID, RARE, on=on_heal(add_random(spells_of(DRUID)), whose=BY_MY_CARDS)),
    spell("DAL_733", "Dreamway Guardians", 2, DRUID, RARE, need=Need.BOARD_SPACE, play=summon("DAL_733t", 2)),
    token(minion("DAL_733t", "Crystal Dryad", 1, 1, 2, DRUID, LIFESTEAL)),
    # Hunter
    spell("DAL_373", "Rapid Fire", 1, HUNTER, COMMON, twin="DAL_373ts", target=CHARACTER, play=damage(1)),
    token(spell("DAL_373ts", "Rapid Fire", 1, HUNTER, COMMON, target=CHARACTER, play=damage(1))),
    minion(
        "DAL_376", "Oblivitron", 6, 3, 4, MECH, HUNTER, LEGENDARY,
        deathrattle=when(
            (there_is(MY_MECHS_IN_HAND), HAVE_ROOM),
            [summon_from_hand(MY_MECHS_IN_HAND.random(1)), trigger_deathrattles(LAST)],
        ),
    ),
    spell("DAL_377", "Nine Lives", 3, HUNTER, EPIC, play=discover_dead_and_trigger()),
    spell(
        "DAL_378", "Unleash the Beast", 6, HUNTER, RARE,
        twin="DAL_378ts", need=Need.BOARD_SPACE, play=summon("DAL_378t1"),
    ),
    token(spell("DAL_378ts", "Unleash the Beast", 6, HUNTER, RARE, need=Need.BOARD_SPACE, play=summon("DAL_378t1"))),
    token(minion("DAL_378t1", "Wyvern", 5, 5, 5, BEAST, HUNTER, RUSH)),
    minion("DAL_379", "Vereesa Windrunner", 7, 5, 6, HUNTER, LEGENDARY, battlecry=equip("DAL_379t")),
    token(
        weapon(
            "DAL_379t", "Thori'dal, the Stars' Fury", 3, 2, 3, HUNTER,
            on=after_attack(attach(MY_HERO, "DAL_379e"), whose=MINE, only=A_HERO),
        )
    ),
    enchantment("DAL_379e", "Stars' Fury", spell_damage=2),
    spell("DAL_371", "Marked Shot", 4, HUNTER, COMMON, target=ANY_MINION, play=[damage(4), discover(own_spells())]),
    minion(
        "DAL_372", "Arcane Fletcher", 4, 3, 3, HUNTER, EPIC,
        on=on_play(when(paid(1), draw_from_deck(A_SPELL)), only=A_MINION),
    ),
    minion("DAL_587", "Shimmerfly", 1, 1, 1, BEAST, HUNTER, RARE, deathrattle=add_random(spells_of(HUNTER))),
    spell("DAL_589", "Hunting Party", 5, HUNTER, RARE, play=copy_cards(MY_HAND.where(of_race(BEAST)))),
    minion("DAL_604", "Ursatron", 3, 3, 3, MECH, HUNTER, COMMON, deathrattle=draw_from_deck(of_race(MECH))),
    # Mage
    spell(
        "DAL_177", "Conjurer's Calling", 3, MAGE, RARE,
        twin="DAL_177ts", target=ANY_MINION, play=replace_by_cost(2),
    ),
    token(spell("DAL_177ts", "Conjurer's Calling", 3, MAGE, RARE, target=ANY_MINION, play=replace_by_cost(2))),
    spell(
        "DAL_577", "Ray of Frost", 1, MAGE, COMMON, twin="DAL_577ts",
        target=ANY_MINION, play=when(TARGET_FROZEN, damage(2), otherwise=freeze()),
    ),
    token(
        spell(
            "DAL_577ts", "Ray of Frost", 1, MAGE, COMMON,
            target=ANY_MINION, play=when(TARGET_FROZEN, damage(2), otherwise=freeze()),
        )
    ),
    minion(
        "DAL_575", "Khadgar", 2, 2, 2, MAGE, LEGENDARY,
        on=on_summon(summon_another(), whose=MY_SUMMONED),
    ),
    minion("DAL_163", "Messenger Raven", 3, 3, 2, BEAST, MAGE, COMMON, battlecry=discover(cards_of(MAGE, MINION))),
    minion(
        "DAL_182", "Magic Dart Frog", 2, 1, 3, BEAST, MAGE, COMMON,
        on=after_cast(damage(1, ENEMY_MINIONS.random(1))),
    ),
    minion("DAL_576", "Kirin Tor Tricaster", 4, 3, 3, MAGE, RARE, spell_damage=3, aura=costs(1, A_SPELL)),
    spell(
        "DAL_578", "Power of Creation", 8, MAGE, EPIC, need=Need.BOARD_SPACE,
        play=discover_summon(own_cards(kind=MINION, cost=6), 2),
    ),
    minion(
        "DAL_603", "Mana Cyclone", 2, 2, 2, ELEMENTAL, MAGE, EPIC,
        battlecry=add_random(spells_of(MAGE), counted(SPELLS_NOW)),
    ),
    spell("DAL_608", "Magic Trick", 1, MAGE, RARE, play=discover(own_cards(kind=SPELL, test=cost_at_most(3)))),
    minion(
        "DAL_609", "Kalecgos", 10, 4, 12, DRAGON, MAGE, LEGENDARY,
        battlecry=discover(own_spells()), aura=price(0, A_SPELL, when=NO_SPELL_CAST),
    ),
    # Paladin
    spell(
        "DAL_141", "Desperate Measures", 1, PALADIN, RARE,
        twin="DAL_141ts", play=secret_from_pool(secrets_of(PALADIN)),
    ),
    token(spell("DAL_141ts", "Desperate Measures", 1, PALADIN, RARE, play=secret_from_pool(secrets_of(PALADIN)))),
    spell(
        "DAL_568", "Lightforged Blessing", 2, PALADIN, COMMON,
        twin="DAL_568ts", target=FRIENDLY_MINION, play=give(TARGET, LIFESTEAL),
    ),
    token(
        spell(
            "DAL_568ts", "Lightforged Blessing", 2, PALADIN, COMMON,
            target=FRIENDLY_MINION, play=give(TARGET, LIFESTEAL),
        )
    ),
    spell(
        "DAL_727", "Call to Adventure", 3, PALADIN, RARE,
        play=draw_from_deck(A_MINION, cheapest=True, bigger=2),
    ),
    spell(
        "DAL_731", "Duel!", 5, PALADIN, EPIC,
        play=[
            when((there_is(MY_DECK.where(A_MINION)), HAVE_ROOM), [summon_from_deck(), aim(LAST)]),
            summon_from_enemy_deck(), fight(),
        ],
    ),
    minion("DAL_146", "Bronze Herald", 3, 3, 2, DRAGON, PALADIN, COMMON, deathrattle=add("DAL_146t", 2)),
    token(minion("DAL_146t", "Bronze Dragon", 4, 4, 4, DRAGON, PALADIN)),
    minion(
        "DAL_147", "Dragon Speaker", 5, 3, 5, PALADIN, EPIC,
        battlecry=buff_cards(MY_HAND.where(of_race(DRAGON)), 3, 3),
    ),
    secret("DAL_570", "Never Surrender!", 1, PALADIN, COMMON, on=on_cast(buff(MY_MINIONS, health=2), whose=THEIRS)),
    weapon("DAL_571", "Mysterious Blade", 2, 2, 2, PALADIN, RARE, battlecry=when(HAVE_SECRET, buff_played_weapon(1))),
    minion("DAL_573", "Commander Rhyssa", 3, 4, 3, PALADIN, LEGENDARY, SECRETS_TWICE),
    minion("DAL_581", "Nozari", 10, 4, 12, DRAGON, PALADIN, LEGENDARY, battlecry=heal_fully(HEROES)),
    # Priest
    spell(
        "DAL_011", "Lazul's Scheme", 0, PRIEST, EPIC,
        target=ENEMY_MINION, play=weaken_grown("DAL_011e"), on=in_hand(start_of_turn(grow_in_hand())),
    ),
    enchantment("DAL_011e", "Lazul's Curse", restores=True, on=start_of_turn(strengthen_again(1, "DAL_011e"))),
    spell(
        "DAL_723", "Forbidden Words", 0, PRIEST, RARE,
        target=ANY_MINION.where(ATTACK_UP_TO_MANA), play=[spend_mana(), destroy()],
    ),
    minion("DAL_729", "Madame Lazul", 3, 3, 2, PRIEST, LEGENDARY, battlecry=discover_from_enemy_hand()),
    minion(
        "DAL_030", "Shadowy Figure", 2, 2, 2, PRIEST, EPIC,
        target=FRIENDLY_MINION.where(WITH_DEATHRATTLE),
        battlecry=[become_copy(), set_attack(2, SELF), set_health(2, SELF)],
    ),
    minion(
        "DAL_039", "Convincing Infiltrator", 5, 2, 6, PRIEST, RARE, TAUNT,
        deathrattle=destroy(ENEMY_MINIONS.random(1)),
    ),
    minion("DAL_040", "Hench-Clan Shadequill", 4, 4, 7, PRIEST, COMMON, deathrattle=heal(5, ENEMY_HERO)),
    spell(
        "DAL_065", "Unsleeping Soul", 4, PRIEST, COMMON,
        target=FRIENDLY_MINION, need=Need.BOARD_SPACE, play=[silence(), summon_copy(TARGET)],
    ),
    minion("DAL_413", "EVIL Conscripter", 2, 2, 2, PRIEST, COMMON, deathrattle=add_random(LACKEYS)),
    minion("DAL_721", "Catrina Muerte", 8, 6, 8, PRIEST, LEGENDARY, on=end_of_turn(summon_dead(1))),
    spell("DAL_724", "Mass Resurrection", 9, PRIEST, RARE, need=Need.DEAD_FRIEND_AND_SPACE, play=summon_dead(3)),
    # Rogue
    spell(
        "DAL_010", "Togwaggle's Scheme", 1, ROGUE, RARE,
        target=ANY_MINION, play=shuffle_copy(TARGET, GROWN), on=in_hand(start_of_turn(grow_in_hand())),
    ),
    minion("DAL_416", "Hench-Clan Burglar", 4, 4, 3, PIRATE, ROGUE, COMMON, battlecry=discover(foreign_cards(SPELL))),
    minion(
        "DAL_417", "Heistbaron Togwaggle", 6, 5, 5, ROGUE, LEGENDARY,
        battlecry=when(there_is(MY_MINIONS.where(in_pool(LACKEYS))), choose_to_hand(TREASURES)),
    ),
    spell(
        "DAL_716", "Vendetta", 4, ROGUE, RARE,
        cost_rule=CostRule.FOREIGN_IN_HAND, target=ANY_MINION, play=damage(4),
    ),
    minion(
        "DAL_719", "Tak Nozwhisker", 7, 6, 6, ROGUE, LEGENDARY,
        on=on_shuffle(when(INTO_MY_DECK, add_again())),
    ),
    spell(
        "DAL_366", "Unidentified Contract", 6, ROGUE, EPIC, target=ANY_MINION, play=destroy(),
        becomes=one_of("DAL_366t1", "DAL_366t2", "DAL_366t3", "DAL_366t4"),
    ),
    token(
        spell(
            "DAL_366t1", "Assassin's Contract", 6, ROGUE, EPIC,
            target=ANY_MINION, play=[destroy(), summon("EX1_522")],
        )
    ),
    token(
        spell(
            "DAL_366t2", "Recruitment Contract", 6, ROGUE, EPIC,
            target=ANY_MINION, play=[destroy(), add_copy(TARGET)],
        )
    ),
    token(spell("DAL_366t3", "Lucrative Contract", 6, ROGUE, EPIC, target=ANY_MINION, play=[destroy(), add(COIN, 2)])),
    token(
        spell(
            "DAL_366t4", "Turncoat Contract", 6, ROGUE, EPIC,
            target=ANY_MINION, play=[destroy(), damage_by_target(TARGET_ATTACK, NEXT_TO_TARGET)],
        )
    ),
    minion("DAL_415", "EVIL Miscreant", 3, 1, 5, ROGUE, COMMON, combo=add_random(LACKEYS, 2)),
    minion(
        "DAL_714", "Underbelly Fence", 2, 2, 3, ROGUE, RARE,
        battlecry=when(there_is(MY_HAND.where(OF_OTHER_CLASS)), [buff(SELF, 1, 1), give(SELF, RUSH)]),
    ),
    weapon("DAL_720", "Waggle Pick", 4, 4, 2, ROGUE, EPIC, deathrattle=return_to_hand(MY_MINIONS.random(1), cheaper=2)),
    spell("DAL_728", "Daring Escape", 1, ROGUE, COMMON, play=return_to_hand(MY_MINIONS)),
    # Shaman
    spell(
        "DAL_009", "Hagatha's Scheme", 5, SHAMAN, RARE,
        play=damage(GROWN, ALL_MINIONS), on=in_hand(start_of_turn(grow_in_hand())),
    ),
    minion("DAL_431", "Swampqueen Hagatha", 7, 5, 5, SHAMAN, LEGENDARY, battlecry=teach("DAL_431t", SHAMAN_SPELLS)),
    token(minion("DAL_431t", "Drustvar Horror", 5, 5, 5, SHAMAN, battlecry=cast_taught(SHAMAN_SPELLS))),
    minion("DAL_052", "Muckmorpher", 5, 4, 4, SHAMAN, EPIC, battlecry=become_from_deck(4)),
    minion("DAL_047", "Walking Fountain", 8, 4, 8, ELEMENTAL, SHAMAN, COMMON, LIFESTEAL, RUSH, WINDFURY),
    minion(
        "DAL_049", "Underbelly Angler", 2, 2, 3, MURLOC, SHAMAN, RARE,
        on=after_play(add_random(minions_of_race(MURLOC)), only=of_race(MURLOC)),
    ),
    spell("DAL_071", "Mutate", 0, SHAMAN, COMMON, target=FRIENDLY_MINION, play=transform_by_cost(TARGET, 1)),
    spell("DAL_432", "Witch's Brew", 2, SHAMAN, EPIC, ECHO, target=CHARACTER, play=heal(4)),
    minion("DAL_433", "Sludge Slurper", 1, 2, 1, MURLOC, SHAMAN, RARE, overload=1, battlecry=add_random(LACKEYS)),
    spell("DAL_710", "Soul of the Murloc", 2, SHAMAN, COMMON, play=attach(MY_MINIONS, "DAL_710e")),
    enchantment("DAL_710e", "Soul of the Murloc", deathrattle=summon("EX1_506a")),
    minion("DAL_726", "Scargil", 4, 4, 4, MURLOC, SHAMAN, LEGENDARY, aura=price(1, of_race(MURLOC))),
    # Warlock
    spell(
        "DAL_007", "Rafaam's Scheme", 3, WARLOCK, COMMON, need=Need.BOARD_SPACE,
        play=summon("DAL_751t", GROWN), on=in_hand(start_of_turn(grow_in_hand())),
    ),
    spell("DAL_173", "Darkest Hour", 6, WARLOCK, EPIC, play=replace_own_minions_from_deck()),
    minion(
        "DAL_422", "Arch-Villain Rafaam", 7, 7, 8, WARLOCK, LEGENDARY, TAUNT,
        battlecry=transform_cards(MY_HAND_AND_DECK, LEGENDARY_MINIONS),
    ),
    spell("DAL_602", "Plot Twist", 2, WARLOCK, RARE, play=redraw_hand()),
    minion("DAL_185", "Aranasi Broodmother", 6, 4, 6, DEMON, WARLOCK, COMMON, TAUNT, drawn=heal(4, MY_HERO)),
    minion(
        "DAL_561", "Jumbo Imp", 10, 8, 8, DEMON, WARLOCK, EPIC,
        on=in_hand(on_death(reduce_cost(THIS_CARD, 1), only=of_race(DEMON))),
    ),
    minion("DAL_563", "Eager Underling", 4, 2, 2, WARLOCK, RARE, deathrattle=buff(MY_MINIONS.random(2), 2, 2)),
    spell(
        "DAL_605", "Impferno", 3, WARLOCK, RARE,
        play=[buff(MY_MINIONS.where(of_race(DEMON)), 1), damage(1, ENEMY_MINIONS)],
    ),
    minion(
        "DAL_606", "EVIL Genius", 2, 2, 2, WARLOCK, COMMON,
        target=FRIENDLY_MINION, battlecry=when(AIMED, [destroy(), add_random(LACKEYS, 2)]),
    ),
    minion(
        "DAL_607", "Fel Lord Betrug", 8, 5, 7, DEMON, WARLOCK, LEGENDARY,
        on=on_draw(when(HAVE_ROOM, [summon_again(), give(LAST, RUSH), attach(LAST, "DAL_607e")]), only=A_MINION),
    ),
    enchantment("DAL_607e", "Fleeting Fel", on=end_of_turn(destroy(SELF), whose=ANY)),
    # Warrior
    spell(
        "DAL_008", "Dr. Boom's Scheme", 4, WARRIOR, COMMON,
        play=armor(GROWN), on=in_hand(start_of_turn(grow_in_hand())),
    ),
    spell("DAL_059", "Dimensional Ripper", 10, WARRIOR, RARE, need=Need.BOARD_SPACE, play=summon_copy_from_deck(2)),
    minion(
        "DAL_064", "Blastmaster Boom", 7, 7, 7, WARRIOR, LEGENDARY,
        battlecry=summon("GVG_110t", for_each_in_enemy_deck(BOMB, 2)),
    ),
    minion(
        "DAL_070", "The Boom Reaver", 10, 7, 9, MECH, WARRIOR, LEGENDARY,
        battlecry=when(
            (there_is(MY_DECK.where(A_MINION)), HAVE_ROOM), [summon_copy_from_deck(), give(LAST, RUSH)]
        ),
    ),
    minion("DAL_060", "Clockwork Goblin", 3, 3, 3, MECH, WARRIOR, RARE, battlecry=shuffle_for_enemy(BOMB)),
    spell("DAL_062", "Sweeping Strikes", 2, WARRIOR, RARE, target=ANY_MINION, play=give(TARGET, CLEAVE)),
    weapon(
        "DAL_063", "Wrenchcalibur", 4, 3, 2, WARRIOR, EPIC,
        on=after_attack(shuffle_for_enemy(BOMB), whose=MINE, only=A_HERO),
    ),
    minion(
        "DAL_759", "Vicious Scraphound", 2, 2, 2, MECH, WARRIOR, COMMON,
        on=on_damage(armor(EVENT_AMOUNT), whose=BY_OWN),
    ),
    spell(
        "DAL_769", "Improve Morale", 1, WARRIOR, COMMON,
        target=ANY_MINION, play=[damage(1), when(TARGET_ALIVE, add_random(LACKEYS))],
    ),
    minion(
        "DAL_770", "Omega Devastator", 4, 4, 5, MECH, WARRIOR, EPIC,
        target=ANY_MINION.only_if(FULL_MANA), battlecry=damage(10),
    ),
)
