"""The genomes of the agents beside EVA: names, bounds and meaning of their numbers.

Bounds are either [0, high] or [-high, high], so that 0, a number's ablation, is among them; `high`
is the next power of two above about twice the largest published number of that sort, or what a
comment says. EVA's own stand in weights.py.
"""

from typing import TypeAlias

Gene: TypeAlias = tuple[str, float, float, str]  # name, lowest, highest, what it weighs

# scores.LINEAR. Heimbrodt's weights go to 88.5; of a vector, only the ratios of its numbers count.
LINEAR: list[Gene] = [
    ("OWN_HP", -128, 128, "health of the own hero"),
    ("ENEMY_HP", -128, 128, "health of the enemy hero"),
    ("OWN_MINIONS", -128, 128, "number of own minions"),
    ("ENEMY_MINIONS", -128, 128, "number of enemy minions"),
    ("OWN_HEALTH", -128, 128, "health of the own minions together"),
    ("OWN_ATTACK", -128, 128, "attack of the own minions together"),
    ("ENEMY_HEALTH", -128, 128, "health of the enemy minions together"),
    ("ENEMY_ATTACK", -128, 128, "attack of the enemy minions together"),
    ("ARMOUR", 0, 1, "part of the armour that counts as health, from none to all"),
]

# gsv.WEIGHTS in their order. Threats go to -43; of a point or a card to 3.6, of a trait to 15.71.
GSV: list[Gene] = [
    ("RED", -128, 128, "the own hero may die next turn"),
    ("YELLOW", -128, 128, "the own hero is under threat, but not RED"),
    ("OWN_HP", -8, 8, "health and armour of the own hero"),
    ("ENEMY_HP", -8, 8, "health and armour of the enemy hero"),
    ("OWN_CARDS", -8, 8, "cards in the own hand"),
    ("ENEMY_CARDS", -8, 8, "cards in the enemy's hand"),
    ("MINION", -8, 8, "a minion"),
    ("ATTACK", -8, 8, "attack of a minion"),
    ("HEALTH", -8, 8, "health of a minion"),
    ("TAUNT_RED", -32, 32, "a minion with Taunt while RED"),
    ("TAUNT_YELLOW", -32, 32, "a minion with Taunt while YELLOW"),
    ("TAUNT", -32, 32, "a minion with Taunt else"),
    ("WINDFURY", -32, 32, "a minion with Windfury"),
    ("SHIELD", -32, 32, "a minion with Divine Shield"),
    ("SPELL_DAMAGE", -32, 32, "a point of a minion's Spell Damage"),
    ("STEALTH", -32, 32, "a minion with Stealth"),
    ("ELUSIVE", -32, 32, "a minion that spells can't be aimed at"),
    ("REMOVAL", -32, 32, "hard removal in the own hand"),
]

# hearthsim.WEIGHTS. Attack and health are 1 each; the hero's and cards', 0.1, are not published.
HEARTHSIM: list[Gene] = [
    ("ATTACK", -2, 2, "attack of a minion"),
    ("HEALTH", -2, 2, "health of a minion"),
    ("SHIELD", -16, 16, "Divine Shield, times the minion's attack and health"),  # as ?w_ds
    ("HERO", -2, 2, "a point of a hero's health or armour"),
    ("CARD", -2, 2, "a card in the own hand"),
]

# scores.TYCHE. What hurts counts negative in its terms already.
TYCHE: list[Gene] = [
    ("HP", 0, 8, "twice the root of the hero's health and armour"),
    ("DECK", 0, 8, "the root of the cards left to draw, less fatigue"),
    ("HAND", 0, 8, "cards in hand, the first three dearer"),
    ("MINIONS", 0, 8, "what the minions are worth to MetaStone"),
    ("EMPTY", 0, 8, "an enemy's board without minions, by the own crystals"),
    ("GEAR", 0, 8, "secrets and the weapon"),
]

# mcts.py. c = 1 is Auer's; with roll-outs of up to 4,000 victories, more may be better (5.2).
_EXPLORE: Gene = ("C", 0, 16, "exploration: the factor of UCB1's second term")
MCTS: list[Gene] = [_EXPLORE]
MCTS_KNOWLEDGE: list[Gene] = [
    _EXPLORE,
    ("BIAS", 0, 16, "the factor of the progressive bias"),
    ("OWN", 0, 100, "% of the own actions that a roll-out picks the best of, a whole number"),
    ("OPPONENT", 0, 100, "% of the opponent's actions, a whole number"),
]
