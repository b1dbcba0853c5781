"""Heroes and hero powers of the nine classes, and The Coin."""

from hsevo.cards.vocabulary import *

BASIC_TOTEMS = one_of("CS2_050", "CS2_051", "NEW1_009", "CS2_052")
BASIC_POWERS = one_of(
    "CS2_017", "DS1h_292", "CS2_034", "CS2_101", "CS1h_001",
    "CS2_083b", "CS2_049", "CS2_056", "CS2_102",
)

CARDS = (
    hero("HERO_06", "Malfurion Stormrage", 30, DRUID),
    hero("HERO_05", "Rexxar", 30, HUNTER),
    hero("HERO_08", "Jaina Proudmoore", 30, MAGE),
    hero("HERO_04", "Uther Lightbringer", 30, PALADIN),
    hero("HERO_09", "Anduin Wrynn", 30, PRIEST),
    hero("HERO_03", "Valeera Sanguinar", 30, ROGUE),
    hero("HERO_02", "Thrall", 30, SHAMAN),
    hero("HERO_07", "Gul'dan", 30, WARLOCK),
    hero("HERO_01", "Garrosh Hellscream", 30, WARRIOR),
    power("CS2_017", "Shapeshift", 2, DRUID, better="AT_132_DRUID", play=[hero_attack(1), armor(1)]),
    power(
        "DS1h_292", "Steady Shot", 2, HUNTER, better="AT_132_HUNTER",
        target=MINION_OR_ENEMY_HERO.only_if(rule_holds(POWER_AIMS)),
        play=when(rule_holds(POWER_AIMS), damage(2), otherwise=damage(2, ENEMY_HERO)),
    ),
    power("CS2_034", "Fireblast", 2, MAGE, target=CHARACTER, better="AT_132_MAGE", play=damage(1)),
    power("CS2_101", "Reinforce", 2, PALADIN, need=Need.BOARD_SPACE, better="AT_132_PALADIN", play=summon("CS2_101t")),
    token(minion("CS2_101t", "Silver Hand Recruit", 1, 1, 1, PALADIN, COMMON)),
    power("CS1h_001", "Lesser Heal", 2, PRIEST, target=CHARACTER, better="AT_132_PRIEST", play=heal(2)),
    power("CS2_083b", "Dagger Mastery", 2, ROGUE, better="AT_132_ROGUE", play=equip("CS2_082")),
    token(weapon("CS2_082", "Wicked Knife", 1, 1, 2, ROGUE, COMMON)),
    power(
        "CS2_049", "Totemic Call", 2, SHAMAN, need=Need.TOTEM_LEFT, better="AT_132_SHAMAN",
        play=summon_missing(BASIC_TOTEMS),
    ),
    token(minion("CS2_050", "Searing Totem", 1, 1, 1, SHAMAN, TOTEM, COMMON)),
    token(minion("CS2_051", "Stoneclaw Totem", 1, 0, 2, SHAMAN, TOTEM, COMMON, TAUNT)),
    token(
        minion(
            "NEW1_009", "Healing Totem", 1, 0, 2, SHAMAN, TOTEM, COMMON,
            on=end_of_turn(heal(1, MY_MINIONS)),
        )
    ),
    token(minion("CS2_052", "Wrath of Air Totem", 1, 0, 2, SHAMAN, TOTEM, COMMON, spell_damage=1)),
    power("CS2_056", "Life Tap", 2, WARLOCK, better="AT_132_WARLOCK", play=[draw(), damage(2, MY_HERO)]),
    power("CS2_102", "Armor Up!", 2, WARRIOR, better="AT_132_WARRIOR", play=armor(2)),
    token(spell("GAME_005", "The Coin", 0, play=temporary_mana(1))),
)

# class: (hero, hero power)
BY_CLASS = {
    DRUID: ("HERO_06", "CS2_017"),
    HUNTER: ("HERO_05", "DS1h_292"),
    MAGE: ("HERO_08", "CS2_034"),
    PALADIN: ("HERO_04", "CS2_101"),
    PRIEST: ("HERO_09", "CS1h_001"),
    ROGUE: ("HERO_03", "CS2_083b"),
    SHAMAN: ("HERO_02", "CS2_049"),
    WARLOCK: ("HERO_07", "CS2_056"),
    WARRIOR: ("HERO_01", "CS2_102"),
}
