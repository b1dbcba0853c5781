"""One Night in Karazhan (45 cards), with tokens under the card that makes them."""

from hsevo.cards.sets.heroes import BASIC_TOTEMS
from hsevo.cards.vocabulary import *

CARDS = (
    # Neutral
    minion("KAR_036", "Arcane Anomaly", 1, 2, 1, COMMON, on=on_cast(buff(SELF, health=1))),
    minion("KAR_029", "Runic Egg", 1, 0, 2, COMMON, deathrattle=draw()),
    minion("KAR_011", "Pompous Thespian", 2, 3, 2, COMMON, TAUNT),
    minion(
        "KAR_062", "Netherspite Historian", 2, 1, 3, COMMON,
        battlecry=when(holding(DRAGON), discover(own_cards(race=DRAGON))),
    ),
    minion("KAR_044", "Moroes", 3, 1, 1, LEGENDARY, STEALTH, on=end_of_turn(summon("KAR_044a"))),
    token(minion("KAR_044a", "Steward", 1, 1, 1)),
    minion("KAR_030a", "Pantry Spider", 3, 1, 3, BEAST, COMMON, battlecry=summon("KAR_030")),
    token(minion("KAR_030", "Cellar Spider", 3, 1, 3, BEAST)),
    minion(
        "KAR_712", "Violet Illusionist", 3, 4, 3, COMMON,
        aura=gives_keywords(MY_HERO, IMMUNE, when=MY_TURN),
    ),
    minion(
        "KAR_095", "Zoobot", 3, 3, 3, MECH, COMMON,
        battlecry=[
            buff(MY_MINIONS.where(of_race(BEAST)).random(1), 1, 1),
            buff(MY_MINIONS.where(of_race(DRAGON)).random(1), 1, 1),
            buff(MY_MINIONS.where(of_race(MURLOC)).random(1), 1, 1),
        ],
    ),
    minion("KAR_710", "Arcanosmith", 4, 3, 2, COMMON, battlecry=summon("KAR_710m")),
    token(minion("KAR_710m", "Animated Shield", 2, 0, 5, TAUNT)),
    minion("KAR_114", "Barnes", 4, 3, 4, LEGENDARY, battlecry=summon_small_copy_from_deck()),
    minion(
        "KAR_037", "Avian Watcher", 5, 3, 6, RARE,
        battlecry=when(HAVE_SECRET, [buff(SELF, 1, 1), give(SELF, TAUNT)]),
    ),
    minion(
        "KAR_096", "Prince Malchezaar", 5, 5, 6, DEMON, LEGENDARY,
        at_start=shuffle_unlike(LEGENDARY_MINIONS, 5),
    ),
    minion(
        "KAR_702", "Menagerie Magician", 5, 4, 4, COMMON,
        battlecry=[
            buff(MY_MINIONS.where(of_race(BEAST)).random(1), 2, 2),
            buff(MY_MINIONS.where(of_race(DRAGON)).random(1), 2, 2),
            buff(MY_MINIONS.where(of_race(MURLOC)).random(1), 2, 2),
        ],
    ),
    minion(
        "KAR_033", "Book Wyrm", 6, 3, 6, DRAGON, RARE,
        target=ENEMY_MINION.where(attack_at_most(3)).only_if(holding_another(DRAGON)),
        battlecry=when(holding(DRAGON), destroy()),
    ),
    minion(
        "KAR_041", "Moat Lurker", 6, 3, 3, RARE,
        target=ANY_MINION, battlecry=[destroy(), remember()], deathrattle=summon_remembered(),
    ),
    minion(
        "KAR_061", "The Curator", 7, 4, 6, MECH, LEGENDARY, TAUNT,
        battlecry=[
            draw_from_deck(of_race(BEAST)),
            draw_from_deck(of_race(DRAGON)),
            draw_from_deck(of_race(MURLOC)),
        ],
    ),
    minion("KAR_097", "Medivh, the Guardian", 8, 7, 7, LEGENDARY, battlecry=equip("KAR_097t")),
    token(
        weapon(
            "KAR_097t", "Atiesh", 3, 1, 3,
            on=after_cast(when(HAVE_ROOM, [summon_by_cost(EVENT_AMOUNT), damage_weapon()])),
        )
    ),
    minion("KAR_711", "Arcane Giant", 12, 8, 8, EPIC, cost_rule=CostRule.SPELLS_CAST),
    # Druid
    minion("KAR_300", "Enchanted Raven", 1, 2, 2, DRUID, BEAST, COMMON),
    spell(
        "KAR_075", "Moonglade Portal", 6, DRUID, RARE,
        target=CHARACTER, play=[heal(6), summon_random(minions_of_cost(6))],
    ),
    minion(
        "KAR_065", "Menagerie Warden", 6, 5, 5, DRUID, COMMON,
        target=FRIENDLY_MINION.where(of_race(BEAST)), battlecry=summon_copy(TARGET),
    ),
    # Hunter
    secret(
        "KAR_004", "Cat Trick", 2, HUNTER, RARE,
        on=after_play(summon("KAR_004a"), whose=THEIRS, only=A_SPELL, when=HAVE_ROOM),
    ),
    token(minion("KAR_004a", "Cat in a Hat", 3, 4, 2, HUNTER, BEAST, STEALTH)),
    minion("KAR_006", "Cloaked Huntress", 3, 3, 4, HUNTER, COMMON, aura=price(0, A_SECRET)),
    minion("KAR_005", "Kindly Grandmother", 2, 1, 1, HUNTER, BEAST, COMMON, deathrattle=summon("KAR_005a")),
    token(minion("KAR_005a", "Big Bad Wolf", 2, 3, 2, HUNTER, BEAST)),
    # Mage
    minion("KAR_009", "Babbling Book", 1, 1, 1, MAGE, RARE, battlecry=add_random(spells_of(MAGE))),
    minion(
        "KAR_092", "Medivh's Valet", 2, 2, 3, MAGE, COMMON,
        target=CHARACTER.only_if(HAVE_SECRET), battlecry=when(HAVE_SECRET, damage(3)),
    ),
    spell(
        "KAR_076", "Firelands Portal", 7, MAGE, COMMON,
        target=CHARACTER, play=[damage(5), summon_random(minions_of_cost(5))],
    ),
    # Paladin
    minion(
        "KAR_010", "Nightbane Templar", 3, 2, 3, PALADIN, COMMON,
        battlecry=when(holding(DRAGON), summon("KAR_010a", 2)),
    ),
    token(minion("KAR_010a", "Whelp", 1, 1, 1, PALADIN, DRAGON)),
    spell(
        "KAR_077", "Silvermoon Portal", 4, PALADIN, COMMON,
        target=ANY_MINION, play=[buff(TARGET, 2, 2), summon_random(minions_of_cost(2))],
    ),
    minion(
        "KAR_057", "Ivory Knight", 6, 4, 4, PALADIN, RARE,
        battlecry=[discover(own_spells()), heal(CHOSEN_COST, MY_HERO)],
    ),
    # Priest
    spell("KAR_013", "Purify", 2, PRIEST, COMMON, target=FRIENDLY_MINION, play=[silence(), draw()]),
    minion("KAR_035", "Priest of the Feast", 4, 3, 6, PRIEST, COMMON, on=on_cast(heal(3, MY_HERO))),
    minion("KAR_204", "Onyx Bishop", 5, 3, 4, PRIEST, RARE, battlecry=summon_dead(1)),
    # Rogue
    minion("KAR_069", "Swashburglar", 1, 1, 1, ROGUE, PIRATE, COMMON, battlecry=add_random(enemy_class_cards())),
    minion(
        "KAR_070", "Ethereal Peddler", 5, 5, 6, ROGUE, RARE,
        battlecry=reduce_cost(MY_HAND.where(OF_OTHER_CLASS), 2),
    ),
    minion("KAR_094", "Deadly Fork", 3, 3, 2, ROGUE, COMMON, deathrattle=add("KAR_094a")),
    token(weapon("KAR_094a", "Sharp Fork", 3, 3, 2, ROGUE)),
    # Shaman
    weapon(
        "KAR_063", "Spirit Claws", 2, 1, 3, SHAMAN, COMMON,
        aura=gives(MY_WEAPON, 2, when=HAVE_SPELL_DAMAGE),
    ),
    spell(
        "KAR_073", "Maelstrom Portal", 2, SHAMAN, RARE,
        play=[damage(1, ENEMY_MINIONS), summon_random(minions_of_cost(1))],
    ),
    minion("KAR_021", "Wicked Witchdoctor", 4, 3, 4, SHAMAN, COMMON, on=on_cast(summon_random(BASIC_TOTEMS))),
    # Warlock
    minion("KAR_089", "Malchezaar's Imp", 1, 1, 3, WARLOCK, DEMON, COMMON, on=on_discard(draw())),
    minion("KAR_205", "Silverware Golem", 3, 3, 3, WARLOCK, RARE, discarded=summon_this()),
    spell(
        "KAR_025", "Kara Kazham!", 5, WARLOCK, COMMON, need=Need.BOARD_SPACE,
        play=[summon("KAR_025a"), summon("KAR_025b"), summon("KAR_025c")],
    ),
    token(minion("KAR_025a", "Candle", 1, 1, 1, WARLOCK)),
    token(minion("KAR_025b", "Broom", 2, 2, 2, WARLOCK)),
    token(minion("KAR_025c", "Teapot", 3, 3, 3, WARLOCK)),
    # Warrior
    spell(
        "KAR_026", "Protect the King!", 3, WARRIOR, RARE, need=Need.ENEMY_MINION_AND_SPACE,
        play=summon("KAR_026t", count(ENEMY_MINIONS)),
    ),
    token(minion("KAR_026t", "Pawn", 1, 1, 1, WARRIOR, TAUNT)),
    spell("KAR_091", "Ironforge Portal", 5, WARRIOR, COMMON, play=[armor(4), summon_random(minions_of_cost(4))]),
    weapon(
        "KAR_028", "Fool's Bane", 5, 3, 4, WARRIOR, COMMON,
        aura=gives_keywords(MY_HERO, UNLIMITED, CANT_ATTACK_HEROES),
    ),
)
