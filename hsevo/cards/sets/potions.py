"""Kazakus' potions: the choices of its cost, the effects at each size, and what they summon."""

from hsevo.cards.vocabulary import *

DEMONS = minions_of_race(DEMON)
COSTS = (
    token(spell("CFM_621t11", "Lesser Potion", 1)),
    token(spell("CFM_621t12", "Greater Potion", 5)),
    token(spell("CFM_621t13", "Superior Potion", 10)),
)
PARTS = (
    (
        token(spell("CFM_621t2", "Heart of Fire", 1, target=CHARACTER, play=damage(3, TARGET))),
        token(spell("CFM_621t3", "Stonescale Oil", 1, play=armor(4))),
        token(spell("CFM_621t4", "Felbloom", 1, play=damage(2, ALL_MINIONS))),
        token(spell("CFM_621t5", "Icecap", 1, play=freeze(ENEMY_MINIONS.random(1)))),
        token(spell("CFM_621t10", "Netherbloom", 1, play=summon("CFM_621_m4"))),
        token(spell("CFM_621t8", "Kingsblood", 1, play=draw(1))),
        token(spell("CFM_621t9", "Shadow Oil", 1, play=add_random(DEMONS, 1))),
        token(spell("CFM_621t6", "Goldthorn", 1, play=buff(MY_MINIONS, health=2))),
        token(spell("CFM_621t37", "Ichor of Undeath", 1, play=summon_dead(1))),
    ),
    (
        token(spell("CFM_621t16", "Heart of Fire", 5, target=CHARACTER, play=damage(5, TARGET))),
        token(spell("CFM_621t17", "Stonescale Oil", 5, play=armor(7))),
        token(spell("CFM_621t18", "Felbloom", 5, play=damage(4, ALL_MINIONS))),
        token(spell("CFM_621t19", "Icecap", 5, play=freeze(ENEMY_MINIONS.random(2)))),
        token(spell("CFM_621t20", "Netherbloom", 5, play=summon("CFM_621_m2"))),
        token(spell(
            "CFM_621t21", "Mystic Wool", 5,
            need=Need.MINION, play=transform(ENEMY_MINIONS.random(1), "CFM_621_m5"),
        )),
        token(spell("CFM_621t22", "Kingsblood", 5, play=draw(2))),
        token(spell("CFM_621t23", "Shadow Oil", 5, play=add_random(DEMONS, 2))),
        token(spell("CFM_621t24", "Goldthorn", 5, play=buff(MY_MINIONS, health=4))),
        token(spell("CFM_621t38", "Ichor of Undeath", 5, play=summon_dead(2))),
    ),
    (
        token(spell("CFM_621t25", "Heart of Fire", 10, target=CHARACTER, play=damage(8, TARGET))),
        token(spell("CFM_621t26", "Stonescale Oil", 10, play=armor(10))),
        token(spell("CFM_621t33", "Felbloom", 10, play=damage(6, ALL_MINIONS))),
        token(spell("CFM_621t27", "Icecap", 10, play=freeze(ENEMY_MINIONS.random(3)))),
        token(spell("CFM_621t28", "Netherbloom", 10, play=summon("CFM_621_m3"))),
        token(spell("CFM_621t29", "Mystic Wool", 10, need=Need.MINION, play=transform(ALL_MINIONS, "CFM_621_m5"))),
        token(spell("CFM_621t30", "Kingsblood", 10, play=draw(3))),
        token(spell("CFM_621t31", "Shadow Oil", 10, play=add_random(DEMONS, 3))),
        token(spell("CFM_621t32", "Goldthorn", 10, play=buff(MY_MINIONS, health=6))),
        token(spell("CFM_621t39", "Ichor of Undeath", 10, play=summon_dead(3))),
    ),
)
BODIES = (
    token(minion("CFM_621_m4", "Kabal Demon", 2, 2, 2, DEMON)),
    token(minion("CFM_621_m2", "Kabal Demon", 5, 5, 5, DEMON)),
    token(minion("CFM_621_m3", "Kabal Demon", 8, 8, 8, DEMON)),
    token(minion("CFM_621_m5", "Sheep", 1, 1, 1, BEAST)),
)
