"""The genomes of all agents except EVA (weights.py): names, bounds and meaning of their weights.

Bounds are either [0, high] or [-high, high], so they include 0, which switches a term off; `high`
is the next power of two above about twice the largest published weight of its type, or as explained
in a comment.
"""

from typing import TypeAlias

Gene: TypeAlias = tuple[str, float, float, str]  # name, lowest, highest, what it multiplies

# scores.LINEAR. Heimbrodt's weights go up to 88.5; only the ratios of weights matter.
LINEAR: list[Gene] = [
    ("OWN_HP", -128, 128, "health of the own hero"),
    ("ENEMY_HP", -128, 128, "health of the enemy hero"),
    ("OWN_MINIONS", -128, 128, "number of own minions"),
    ("ENEMY_MINIONS", -128, 128, "number of enemy minions"),
    ("OWN_HEALTH", -128, 128, "total health of the own minions"),
    ("OWN_ATTACK", -128, 128, "total attack of the own minions"),
    ("ENEMY_HEALTH", -128, 128, "total health of the enemy minions"),
    ("ENEMY_ATTACK", -128, 128, "total attack of the enemy minions"),
    ("ARMOUR", 0, 1, "share of the armour that counts as health"),
]

# eva/further_terms.py, after EVA's. EVA's own go up to 1 a point of health; a card may be worth
# several points.
FURTHER: list[Gene] = [
    ("HAND", -4, 4, "cards in hand"),
    ("DECK", -4, 4, "cards left to draw, minus fatigue"),
    ("CRYSTALS", -4, 4, "mana crystals"),
    ("WEAPON", -4, 4, "attack times durability of the weapon"),
    ("OVERLOAD", -4, 4, "overloaded crystals"),
    ("SPELL", -4, 4, "Spell Damage"),
    ("CLEAR", -16, 16, "no minion on the other side"),
    ("SAFE", -16, 16, "the hero survives what the other side's board can deal"),
    ("POWER", -4, 4, "the hero power was used this turn"),
    ("FROZEN", -4, 4, "frozen characters"),
    ("LOW", -4, 4, "health and armour up to 15, in addition to HHR"),
]

# gsv.WEIGHTS in their order. Threats go to -43, points and cards to 3.6, keywords to 15.71.
GSV: list[Gene] = [
    ("RED", -128, 128, "the own hero may die next turn"),
    ("YELLOW", -128, 128, "the own hero is threatened, but not RED"),
    ("OWN_HP", -8, 8, "health and armour of the own hero"),
    ("ENEMY_HP", -8, 8, "health and armour of the enemy hero"),
    ("OWN_CARDS", -8, 8, "cards in the own hand"),
    ("ENEMY_CARDS", -8, 8, "cards in the enemy's hand"),
    ("MINION", -8, 8, "a minion"),
    ("ATTACK", -8, 8, "attack of a minion"),
    ("HEALTH", -8, 8, "health of a minion"),
    ("TAUNT_RED", -32, 32, "a minion with Taunt while RED"),
    ("TAUNT_YELLOW", -32, 32, "a minion with Taunt while YELLOW"),
    ("TAUNT", -32, 32, "a minion with Taunt otherwise"),
    ("WINDFURY", -32, 32, "a minion with Windfury"),
    ("SHIELD", -32, 32, "a minion with Divine Shield"),
    ("SPELL_DAMAGE", -32, 32, "a point of a minion's Spell Damage"),
    ("STEALTH", -32, 32, "a minion with Stealth"),
    ("ELUSIVE", -32, 32, "a minion that spells can't be aimed at"),
    ("REMOVAL", -32, 32, "hard removal in the own hand"),
]

# hearthsim.WEIGHTS. Attack and health are 1 each; those of hero and cards, 0.1, are our choice.
HEARTHSIM: list[Gene] = [
    ("ATTACK", -2, 2, "attack of a minion"),
    ("HEALTH", -2, 2, "health of a minion"),
    ("SHIELD", -16, 16, "Divine Shield, times the minion's attack + health"),  # as ?w_ds
    ("HERO", -2, 2, "a point of a hero's health or armour"),
    ("CARD", -2, 2, "a card in the own hand"),
]

# scores.METASTONE in its order.
METASTONE: list[Gene] = [
    ("HERO", -8, 8, "health and armour of a hero"),
    ("CARDS", -8, 8, "cards in hand"),
    ("MINIONS", -8, 8, "number of minions"),
    ("ATTACK", -8, 8, "attack of a minion"),
    ("HEALTH", -8, 8, "health of a minion"),
    ("TAUNT", -8, 8, "a minion with Taunt"),
    ("WINDFURY", -4, 4, "Windfury, times the minion's attack"),
    ("SHIELD", -4, 4, "Divine Shield, times the minion's attack + health"),
    ("SPELL_DAMAGE", -8, 8, "a point of a minion's Spell Damage"),
    ("STEALTH", -8, 8, "a minion with Stealth"),
    ("ENRAGED", -8, 8, "a damaged minion with an Enrage effect"),
    ("ELUSIVE", -4, 4, "can't be aimed at by spells, times the minion's attack + health"),
]

# scores.SANTOS in its order. The thesis gives no bounds; its advantages are worth having.
SANTOS: list[Gene] = [
    ("MA", 0, 16, "number of minions"),
    ("TMA", 0, 16, "number of minions with more than 4 health"),
    ("HA", 0, 16, "cards in hand"),
    ("TRA", 0, 16, "attack and health of the minions and the hero"),
    ("BM", 0, 16, "mana cost of the minions"),
]

# scores.TYCHE. Terms that hurt a player are negative already.
TYCHE: list[Gene] = [
    ("HP", 0, 8, "twice the square root of the hero's health and armour"),
    ("DECK", 0, 8, "the square root of the cards left to draw, minus fatigue"),
    ("HAND", 0, 8, "cards in hand; the first three count more"),
    ("MINIONS", 0, 8, "the minions by MetaStone's score"),
    ("EMPTY", 0, 8, "an enemy board without minions, by the own mana crystals"),
    ("GEAR", 0, 8, "secrets and the weapon"),
]

# mcts/uct.py. c = 1 is Auer's; with up to 4,000 victories per roll-out, more may be better (5.2).
_EXPLORE: Gene = ("C", 0, 16, "exploration: the factor of UCB1's second term")
MCTS: list[Gene] = [_EXPLORE]
MCTS_KNOWLEDGE: list[Gene] = [
    _EXPLORE,
    ("BIAS", 0, 16, "the factor of the progressive bias"),
    ("OWN", 0, 100, "% of the own actions from which a roll-out takes the best, a whole number"),
    ("OPPONENT", 0, 100, "% of the opponent's actions, likewise"),
]
