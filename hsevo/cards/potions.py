"""Kazakus' potions: ten parts at three sizes, and all 126 spells made of two of them.

A potion's two parts resolve in the order of the table below, whichever was chosen first.
Made here once, as ordinary spells, so that no card is made at run time.
"""

from itertools import combinations

from hsevo.cards.terms import Kind
from hsevo.cards.words import (
    ALL_MINIONS,
    BEAST,
    CHARACTER,
    DEMON,
    ENEMY_MINIONS,
    MY_MINIONS,
    TARGET,
    Card,
    Pool,
    Row,
    add_random,
    armor,
    buff,
    damage,
    draw,
    freeze,
    minion,
    spell,
    summon,
    summon_dead,
    token,
    transform,
)

DEMONS = Pool(Kind.MINION, race=DEMON)
SIZES = (1, 5, 10)  # mana
COSTS = (
    token(spell("CFM_621t11", "Lesser Potion", 1)),
    token(spell("CFM_621t12", "Greater Potion", 5)),
    token(spell("CFM_621t13", "Superior Potion", 10)),
)


def _part(id: str, name: str, cost: int, *play: Row, aimed: bool = False) -> Card:
    return token(spell(id, name, cost, target=CHARACTER if aimed else None, play=play))


PARTS: tuple[tuple[Card, ...], ...] = (
    (
        _part("CFM_621t2", "Heart of Fire", 1, damage(3, TARGET), aimed=True),
        _part("CFM_621t3", "Stonescale Oil", 1, armor(4)),
        _part("CFM_621t4", "Felbloom", 1, damage(2, ALL_MINIONS)),
        _part("CFM_621t5", "Icecap", 1, freeze(ENEMY_MINIONS.random(1))),
        _part("CFM_621t10", "Netherbloom", 1, summon("CFM_621_m4")),
        _part("CFM_621t8", "Kingsblood", 1, draw(1)),
        _part("CFM_621t9", "Shadow Oil", 1, add_random(DEMONS, 1)),
        _part("CFM_621t6", "Goldthorn", 1, buff(MY_MINIONS, 0, 2)),
        _part("CFM_621t37", "Ichor of Undeath", 1, summon_dead(1)),
    ),
    (
        _part("CFM_621t16", "Heart of Fire", 5, damage(5, TARGET), aimed=True),
        _part("CFM_621t17", "Stonescale Oil", 5, armor(7)),
        _part("CFM_621t18", "Felbloom", 5, damage(4, ALL_MINIONS)),
        _part("CFM_621t19", "Icecap", 5, freeze(ENEMY_MINIONS.random(2))),
        _part("CFM_621t20", "Netherbloom", 5, summon("CFM_621_m2")),
        _part("CFM_621t21", "Mystic Wool", 5, transform(ENEMY_MINIONS.random(1), "CFM_621_m5")),
        _part("CFM_621t22", "Kingsblood", 5, draw(2)),
        _part("CFM_621t23", "Shadow Oil", 5, add_random(DEMONS, 2)),
        _part("CFM_621t24", "Goldthorn", 5, buff(MY_MINIONS, 0, 4)),
        _part("CFM_621t38", "Ichor of Undeath", 5, summon_dead(2)),
    ),
    (
        _part("CFM_621t25", "Heart of Fire", 10, damage(8, TARGET), aimed=True),
        _part("CFM_621t26", "Stonescale Oil", 10, armor(10)),
        _part("CFM_621t33", "Felbloom", 10, damage(6, ALL_MINIONS)),
        _part("CFM_621t27", "Icecap", 10, freeze(ENEMY_MINIONS.random(3))),
        _part("CFM_621t28", "Netherbloom", 10, summon("CFM_621_m3")),
        _part("CFM_621t29", "Mystic Wool", 10, transform(ALL_MINIONS, "CFM_621_m5")),
        _part("CFM_621t30", "Kingsblood", 10, draw(3)),
        _part("CFM_621t31", "Shadow Oil", 10, add_random(DEMONS, 3)),
        _part("CFM_621t32", "Goldthorn", 10, buff(MY_MINIONS, 0, 6)),
        _part("CFM_621t39", "Ichor of Undeath", 10, summon_dead(3)),
    ),
)


def potion_id(size: int, first: int, second: int) -> str:
    """Return the id of the potion of PARTS[size][first] and [second], first < second."""
    return f"CFM_621t:{SIZES[size]}:{first}:{second}"


def _potion(size: int, i: int, j: int) -> Card:
    first, second = PARTS[size][i], PARTS[size][j]
    name = f"Kazakus Potion ({first.name}, {second.name})"
    target, play = first.target or second.target, first.play + second.play
    return token(spell(potion_id(size, i, j), name, SIZES[size], target=target, play=play))


POTIONS = tuple(
    _potion(size, i, j)
    for size, parts in enumerate(PARTS)
    for i, j in combinations(range(len(parts)), 2)
)
CARDS = (
    *COSTS,
    *(part for parts in PARTS for part in parts),
    *POTIONS,
    token(minion("CFM_621_m4", "Kabal Demon", 2, 2, 2, DEMON)),
    token(minion("CFM_621_m2", "Kabal Demon", 5, 5, 5, DEMON)),
    token(minion("CFM_621_m3", "Kabal Demon", 8, 8, 8, DEMON)),
    token(minion("CFM_621_m5", "Sheep", 1, 1, 1, BEAST)),
)
