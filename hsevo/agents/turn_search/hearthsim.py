"""HearthSim's player: a search of the whole turn that stops at random outcomes. Kind HEARTHSIM.

From the HearthSim blog of 2014 ("Divine Shield Modeling", "Modeling Unpredictable Outcomes", "Card
Draw"): it considers all sequences of actions of the turn and plays the first action of the best
one. A position's score is the own board minus the enemy's, plus cards in hand and both heroes'
health; a minion scores w_a attack + w_h health, and (attack + health) w_ds more with Divine Shield.

Weights: a.w[ATTACK], a.w[HEALTH], a.w[SHIELD] (w_a, w_h, w_ds, the same for both boards), a.w[HERO]
per point of health or armour, own minus enemy's, a.w[CARD] for the own hand. The blog's example
(3 damage against a shield of 4 at w_ds = 1) implies w_a = w_h = 1, and it finds w_ds = 1 best; it
does not give the last two: 0.1 each is our choice. The roster's option `w_ds` sets a.w[SHIELD].

What follows a random effect is unknown: such a "stop node" is scored and not expanded. Its score is
the mean of a.budget[SAMPLES] outcomes, or, if it has at most a.budget[EXACT] of them, the
expectation of all (blog: of all if possible, else by Monte Carlo). The blog may also mean that each
outcome is searched on; its words leave that open, and here none is.

a.budget[DRAWS], what follows a draw:
    SAMPLED   a stop node as well
    EXPECTED  as the blog has it: the search continues as if no card were drawn (the opponent draws
              none, either), and each position below scores what the cards that would have been
              drawn, and have room in the hand, are worth on average of those left in the own
              deck. Fatigue is known, and is taken. What takes a certain card from a deck (a
              tutor, a minion summoned from it) is a random effect

a.budget[HAND], what S_c is, the score of the hand, of which the source says no more than its name:
    CARDS     a.w[CARD] for each card, so a draw is worth a.w[CARD] whatever is left: our reading
    COSTS     a.w[CARD] for each mana that its cards cost as printed, the other reading

Secrets: see shared/secrets.py; by default they do not fire.
"""

import numpy as np

from hsevo.agents.shared.agent import AGENT_T
from hsevo.cards.terms import Keyword
from hsevo.engine.jit import F8, I8, TABLES_T, kernel
from hsevo.engine.record.codec import card_in, hero_of, minion_ref
from hsevo.engine.record.state import GAME_T
from hsevo.engine.record.state import HAND as FULL_HAND
from hsevo.engine.rules.query import has_keyword, minion_attack

ATTACK, HEALTH, SHIELD, HERO, CARD = range(5)  # of a.w
WEIGHTS = (1.0, 1.0, 1.0, 0.1, 0.1)
DRAWS, HAND, EXACT = 4, 5, 6  # of a.budget; the others are those of search.py
SAMPLED, EXPECTED = range(2)  # draws
HANDS = CARDS, COSTS = range(2)


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


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8))
def undrawn_score(g, t, a, me):
    """Return what the cards that a player would have drawn add to its hand on average."""
    s = g.side[me]
    n = min(np.int64(g.undrawn[me]) - 1, FULL_HAND - np.int64(s.n_hand), np.int64(s.n_deck))
    if a.budget[HAND] == CARDS or n <= 0:
        return a.w[CARD] * max(n, 0)
    total = 0.0
    for k in range(s.n_deck):
        total += t.card[card_in(s.deck[k])].cost
    return a.w[CARD] * n * total / s.n_deck


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8))
def hand_score(g, t, a, me):
    """Return S_c, the score of a player's hand."""
    s = g.side[me]
    if a.budget[HAND] == CARDS:
        return a.w[CARD] * s.n_hand
    total = 0.0
    for i in range(s.n_hand):
        total += t.card[s.hand[i].card].cost
    return a.w[CARD] * total


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8), inline=True)
def evaluate_hearthsim(g, t, a, me):
    """Return HearthSim's score of a position for a player."""
    own, enemy = hearthsim_side(g, a, me), hearthsim_side(g, a, 1 - me)
    score = own - enemy + hand_score(g, t, a, me)
    return score if g.undrawn[me] == 0 else score + undrawn_score(g, t, a, me)
