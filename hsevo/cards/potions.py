"""The 126 potions that Kazakus makes from two parts.

A potion's two parts resolve in the order that is best for the player (`ORDER`), whichever was
chosen first. All potions are defined here as ordinary spells, so no card is created during a game.
"""

from itertools import combinations

from hsevo.cards.sets.potions import BODIES, COSTS, PARTS
from hsevo.cards.vocabulary.cards import spell, token
from hsevo.cards.vocabulary.model import Card

MANA = tuple(card.cost for card in COSTS)
# The developers' "best order for the player" (hs-bugs 624).
ORDER = ("Mystic Wool", "Felbloom", "Netherbloom", "Ichor of Undeath", "Heart of Fire",
         "Stonescale Oil", "Goldthorn", "Kingsblood", "Shadow Oil", "Icecap")


def potion_id(size: int, first: int, second: int) -> str:
    """Return the id of the potion of PARTS[size][first] and [second], first < second."""
    return f"CFM_621t:{MANA[size]}:{first}:{second}"


def _potion(size: int, i: int, j: int) -> Card:
    parts = PARTS[size][i], PARTS[size][j]
    name = f"Kazakus Potion ({parts[0].name}, {parts[1].name})"
    first, second = sorted(parts, key=lambda part: ORDER.index(part.name))
    return token(spell(potion_id(size, i, j), name, MANA[size], play=first.play + second.play,
                       target=first.target or second.target, need=first.need or second.need))


POTIONS = tuple(
    _potion(size, i, j)
    for size, parts in enumerate(PARTS)
    for i, j in combinations(range(len(parts)), 2)
)
CARDS = (
    *COSTS,
    *(part for parts in PARTS for part in parts),
    *POTIONS,
    *BODIES,
)
