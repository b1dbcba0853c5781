"""Curse of Naxxramas (30 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

CARDS = (
    minion("FP1_001", "Zombie Chow", 1, 2, 3, COMMON, deathrattle=heal(5, ENEMY_HERO)),
    minion(
        "FP1_028", "Undertaker", 1, 1, 2, COMMON,
        on=on_summon(buff(SELF, 1), only=having(DEATHRATTLE)),
    ),
    minion("FP1_002", "Haunted Creeper", 2, 1, 2, COMMON, BEAST, deathrattle=summon("FP1_002t", 2)),
    token(minion("FP1_002t", "Spectral Spider", 1, 1, 1)),
    minion(
        "FP1_003", "Echoing Ooze", 2, 1, 2, EPIC,
        battlecry=attach(SELF, "FP1_003e"),
    ),
    enchantment(
        "FP1_003e", "Echoing Ooze",
        on=end_of_turn(detach(SELF, "FP1_003e"), summon_copy(SELF), whose=ANY),
    ),
    minion("FP1_004", "Mad Scientist", 2, 2, 2, COMMON, deathrattle=secret_from_deck()),
    minion("FP1_017", "Nerub'ar Weblord", 2, 1, 4, COMMON, aura=costs(2, WITH_BATTLECRY, both=True)),
    minion("FP1_007", "Nerubian Egg", 2, 0, 2, RARE, deathrattle=summon("FP1_007t")),
    token(minion("FP1_007t", "Nerubian", 4, 4, 4)),
    minion("FP1_024", "Unstable Ghoul", 2, 1, 3, COMMON, TAUNT, deathrattle=damage(1, ALL_MINIONS)),
    minion("FP1_029", "Dancing Swords", 3, 4, 4, COMMON, deathrattle=draw_for_enemy(1)),
    minion("FP1_009", "Deathlord", 3, 2, 8, RARE, TAUNT, deathrattle=summon_from_enemy_deck()),
    minion("FP1_005", "Shade of Naxxramas", 3, 2, 2, EPIC, STEALTH, on=start_of_turn(buff(SELF, 1, 1))),
    minion("FP1_027", "Stoneskin Gargoyle", 3, 1, 4, COMMON, on=start_of_turn(heal_fully(SELF))),
    minion("FP1_016", "Wailing Soul", 4, 3, 5, RARE, battlecry=silence(MY_OTHER_MINIONS)),
    minion("FP1_031", "Baron Rivendare", 4, 1, 7, LEGENDARY, DEATHRATTLES_TWICE),
    minion("FP1_012", "Sludge Belcher", 5, 3, 5, RARE, TAUNT, deathrattle=summon("FP1_012t")),
    token(minion("FP1_012t", "Slime", 1, 1, 2, TAUNT)),
    minion("FP1_030", "Loatheb", 5, 5, 5, LEGENDARY, battlecry=rule_next_enemy_turn(SPELLS_DEARER, 5)),
    minion("FP1_008", "Spectral Knight", 5, 4, 6, COMMON, ELUSIVE),
    minion("FP1_010", "Maexxna", 6, 2, 8, LEGENDARY, BEAST, POISONOUS),
    # Classes
    spell("FP1_019", "Poison Seeds", 4, DRUID, COMMON, play=replace_all_minions("FP1_019t")),
    token(minion("FP1_019t", "Treant", 1, 2, 2, DRUID)),
    minion("FP1_011", "Webspinner", 1, 1, 1, HUNTER, COMMON, BEAST, deathrattle=add_random(minions_of_race(BEAST))),
    secret("FP1_018", "Duplicate", 3, MAGE, COMMON, on=on_death(add_again(2), when=HAND_ROOM)),
    secret(
        "FP1_020", "Avenge", 1, PALADIN, COMMON,
        on=on_death(buff(MY_MINIONS.random(1), 3, 2), when=CONTROL_ANOTHER_MINION),
    ),
    minion("FP1_023", "Dark Cultist", 3, 3, 4, PRIEST, COMMON, deathrattle=buff(MY_MINIONS.random(1), health=3)),
    minion("FP1_026", "Anub'ar Ambusher", 4, 5, 5, ROGUE, COMMON, deathrattle=return_to_hand(MY_MINIONS.random(1))),
    spell("FP1_025", "Reincarnate", 2, SHAMAN, COMMON, target=ANY_MINION, play=return_to_life()),
    minion(
        "FP1_022", "Voidcaller", 4, 3, 4, WARLOCK, COMMON, DEMON,
        deathrattle=summon_from_hand(MY_HAND.where(of_race(DEMON)).random(1)),
    ),
    weapon("FP1_021", "Death's Bite", 4, 4, 2, WARRIOR, COMMON, deathrattle=damage(1, ALL_MINIONS)),
    minion("FP1_013", "Kel'Thuzad", 8, 6, 8, LEGENDARY, on=end_of_turn(summon_dead_of_this_turn(), whose=ANY)),
    minion(
        "FP1_014", "Stalagg", 5, 7, 4, LEGENDARY,
        deathrattle=when(has_died("FP1_015"), summon("FP1_014t")),
    ),
    minion(
        "FP1_015", "Feugen", 5, 4, 7, LEGENDARY,
        deathrattle=when(has_died("FP1_014"), summon("FP1_014t")),
    ),
    token(minion("FP1_014t", "Thaddius", 10, 11, 11)),
)
