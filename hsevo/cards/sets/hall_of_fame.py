"""Hall of Fame (10 cards), with tokens under the card that makes them."""

from hsevo.cards.vocabulary import *

POWER_CHORDS = one_of("PRO_001a", "PRO_001b", "PRO_001c")

CARDS = (
    minion(
        "NEW1_016", "Captain's Parrot", 2, 1, 1, EPIC, BEAST, battlecry=draw_from_deck(of_race(PIRATE))
    ),
    minion(
        "EX1_062", "Old Murk-Eye", 4, 2, 4, LEGENDARY, MURLOC, CHARGE,
        aura=gives(SELF, 1, each=MURLOC),
    ),
    minion("EX1_284", "Azure Drake", 5, 4, 4, RARE, DRAGON, spell_damage=1, battlecry=draw()),
    minion(
        "PRO_001", "Elite Tauren Chieftain", 5, 5, 5, LEGENDARY,
        battlecry=[add_random(POWER_CHORDS), add_random_for_enemy(POWER_CHORDS)],
    ),
    token(
        spell("PRO_001a", "I Am Murloc", 4, need=Need.BOARD_SPACE, play=summon("PRO_001at", between(3, 5)))
    ),
    token(minion("PRO_001at", "Murloc", 0, 1, 1, MURLOC)),
    token(spell("PRO_001b", "Rogues Do It...", 4, target=CHARACTER, play=[damage(4), draw()])),
    token(
        spell(
            "PRO_001c", "Power of the Horde", 4, need=Need.BOARD_SPACE,
            play=summon_random(one_of("CS2_121", "EX1_021", "EX1_023", "EX1_110", "EX1_390", "CS2_179")),
        )
    ),
    minion(
        "EX1_112", "Gelbin Mekkatorque", 6, 6, 6, LEGENDARY,
        battlecry=summon_random(one_of("Mekka1", "Mekka2", "Mekka3", "Mekka4")),
    ),
    token(minion("Mekka1", "Homing Chicken", 1, 0, 1, COMMON, MECH, on=start_of_turn(destroy(SELF), draw(3)))),
    token(
        minion(
            "Mekka2", "Repair Bot", 1, 0, 3, COMMON, MECH,
            on=end_of_turn(heal(6, CHARACTERS.where(DAMAGED).random(1))),
        )
    ),
    token(
        minion("Mekka3", "Emboldener 3000", 1, 0, 4, COMMON, MECH, on=end_of_turn(buff(ALL_MINIONS.random(1), 1, 1)))
    ),
    token(
        minion(
            "Mekka4", "Poultryizer", 1, 0, 3, COMMON, MECH,
            on=start_of_turn(transform(ALL_MINIONS.random(1), "Mekka4t")),
        )
    ),
    token(minion("Mekka4t", "Chicken", 0, 1, 1, BEAST)),
    minion(
        "EX1_016", "Sylvanas Windrunner", 6, 5, 5, LEGENDARY,
        deathrattle=steal(ENEMY_MINIONS.random(1)),
    ),
    minion(
        "EX1_298", "Ragnaros the Firelord", 8, 8, 8, LEGENDARY, CANT_ATTACK,
        on=end_of_turn(damage(8, ENEMIES.random(1))),
    ),
    spell(
        "CS2_031", "Ice Lance", 1, MAGE, COMMON, target=CHARACTER,
        play=when(TARGET_FROZEN, damage(4), otherwise=freeze()),
    ),
    spell("EX1_128", "Conceal", 1, ROGUE, COMMON, play=give(MY_MINIONS, STEALTH_TURN)),
    spell(
        "EX1_316", "Power Overwhelming", 1, WARLOCK, COMMON, target=FRIENDLY_MINION,
        play=[buff(TARGET, 4, 4), attach(TARGET, "EX1_316e")],
    ),
    enchantment("EX1_316e", "Power Overwhelming", on=end_of_turn(destroy(SELF), whose=ANY)),
)
