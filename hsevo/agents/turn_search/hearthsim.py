"""HearthSim's player: a search of the whole turn that stops at random outcomes. Kind HEARTHSIM.

From the HearthSim blog of 2014 ("Divine Shield Modeling", "Modeling Unpredictable Outcomes"): it
considers all sequences of actions of the turn and plays the first action of the best one. A
position's score is the own board minus the enemy's, plus cards in hand and both heroes' health; a
minion scores w_a attack + w_h health, and (attack + health) w_ds more with Divine Shield. What
follows a card draw or a random effect is unknown: such a "stop node" is scored and not expanded.

Weights: a.w[ATTACK], a.w[HEALTH], a.w[SHIELD] (w_a, w_h, w_ds, the same for both boards), a.w[HERO]
per point of health or armour, own minus enemy's, a.w[CARD] per own card in hand. The blog's example
(3 damage against a shield of 4 at w_ds = 1) implies w_a = w_h = 1, and it finds w_ds = 1 best; it
does not give the last two: 0.1 each is our choice. The roster's option `w_ds` sets a.w[SHIELD].

Our choices: a stop node's score is the mean of `samples` outcomes (the blog: expected value by
Monte Carlo for random effects, play without the card drawn for draws); secrets of the enemy are not
triggered.
"""


from hsevo.agents.shared.agent import AGENT_T
from hsevo.cards.terms import Keyword
from hsevo.engine.jit import F8, I8, kernel
from hsevo.engine.record.codec import hero_of, minion_ref
from hsevo.engine.record.state import GAME_T
from hsevo.engine.rules.query import has_keyword, minion_attack

ATTACK, HEALTH, SHIELD, HERO, CARD = range(5)  # of a.w
WEIGHTS = (1.0, 1.0, 1.0, 0.1, 0.1)


@kernel(F8(GAME_T, AGENT_T, I8), inline=True)
def hearthsim_side(g, a, side):
    """Return the score of a player's board and hero."""
    s = g.side[side]
    value = a.w[HERO] * (g.char[hero_of(side)].health + s.armor)
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        c = g.char[ref]
        attack = minion_attack(g, ref)
        value += a.w[ATTACK] * attack + a.w[HEALTH] * c.health
        if has_keyword(g, ref, Keyword.DIVINE_SHIELD):
            value += a.w[SHIELD] * (attack + c.health)
    return value


@kernel(F8(GAME_T, AGENT_T, I8), inline=True)
def evaluate_hearthsim(g, a, me):
    """Return HearthSim's score of a position for a player."""
    own, enemy = hearthsim_side(g, a, me), hearthsim_side(g, a, 1 - me)
    return own - enemy + a.w[CARD] * g.side[me].n_hand
