"""Face-down secrets of the opponent, as an agent's look-ahead takes them: a.budget[SECRETS].

    NONE     they do not fire
    SAMPLED  they fire, and are one guess of what they could be
    WORST    the agent decides for each guess, and plays its best move of the guess in which that
             is worth least: HearthSim's way (blog of July 2014, "Modeling Unpredictable Outcomes",
             item 3). It decides again before each move, until the secret shows itself

A secret can be each that the opponent still holds, no two alike: with open deck lists, a player
knows which cards are left of the list, so which secrets of the class in this ruleset are ruled out.
What a secret would have answered earlier rules out none: our choice, as an agent decides from the
position alone. The cards that the opponent holds are sorted before: two positions that look the
same to the player get the same guesses.

With more than MOST guesses, WORST takes as many random ones. In a mulligan or an open choice, with
leaky information and for tree searches, which deal worlds anyway, there are no guesses.
"""

import numpy as np

from hsevo.agents.shared.agent import AGENT_T, MCTS
from hsevo.agents.shared.belief import card_at, deal_secret, order_cards, swap
from hsevo.agents.shared.scratch import GUESSES_T, SCRATCH_T, TRUE
from hsevo.engine.forecast.outcomes import watch_but_secrets
from hsevo.engine.jit import BOOL, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.state import (
    FAIR,
    GAME_T,
    GUESSED,
    Phase,
    load,
    mix,
    store,
)
from hsevo.engine.rules.board import order_secrets

SECRETS = 7  # of a.budget; MCTS has another use for it, and deals worlds
NONE, SAMPLED, WORST = range(3)
NAMES = ("none", "sampled", "worst")
MOST = 20  # guesses of a decision: three secrets of six kinds
_SALT = np.uint64(0x5EC7E7)


@kernel(BOOL(GAME_T, AGENT_T), inline=True)
def must_guess(g, a):
    """Return whether an agent guesses secrets before it decides."""
    if a.budget[SECRETS] == NONE or a.kind == MCTS:
        return False
    return a.sight == FAIR and g.pending == Phase.PLAY and g.side[1 - np.int64(g.me)].n_secrets > 0


@kernel(VOID(GAME_T, TABLES_T, GUESSES_T, I8))
def list_secrets(g, t, q, side):
    """List the different secrets that a player holds, whose cards are sorted."""
    s = g.side[side]
    q.n_cards = 0
    for k in range(s.n_secrets + s.n_hand + s.n_deck):
        card, listed = card_at(g, side, k), False
        for j in range(q.n_cards):
            listed = listed or q.cards[j] == card
        if t.card[card].secret == 1 and not listed:
            q.cards[q.n_cards] = card
            q.n_cards += 1


@kernel(I8(I8, I8))
def ways(m, n):
    """Return how many ways there are to choose n of m, at most MOST + 1."""
    number = 1
    for k in range(n):
        number = number * (m - k) // (k + 1)
        if number > MOST:
            return MOST + 1
    return number


@kernel(VOID(GAME_T, TABLES_T, I8, U8))
def deal_guess(g, t, side, seed):
    """Deal the secrets of a player at random from those that it holds."""
    rng = g.rng
    g.rng = seed
    for i in range(g.side[side].n_secrets):
        deal_secret(g, t, side, i)
    order_secrets(g, t, side)
    g.rng = rng


@kernel(VOID(GAME_T, TABLES_T, GUESSES_T, I8))
def put_guess(g, t, q, side):
    """Set a player's secrets to those that are chosen, by index into q.cards."""
    s = g.side[side]
    for i in range(s.n_secrets):
        wanted = np.int64(q.cards[q.chosen[i]])
        for k in range(i, s.n_secrets + s.n_hand + s.n_deck):
            if card_at(g, side, k) == wanted:
                swap(g, side, i, k)
                break
    order_secrets(g, t, side)


@kernel(VOID(GUESSES_T, I8))
def choose_next(q, n):
    """Advance the chosen n of q.cards, ascending indices, to the next in order."""
    i = n - 1
    while i > 0 and q.chosen[i] == q.n_cards - n + i:
        i -= 1
    q.chosen[i] += 1
    for k in range(i + 1, n):
        q.chosen[k] = q.chosen[k - 1] + 1


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T))
def begin_guesses(s, t, a):
    """Begin a decision of an agent that guesses: return the number of guesses."""
    g, q = s.games[TRUE], s.guesses[0]
    side = 1 - np.int64(g.me)
    n = np.int64(g.side[side].n_secrets)
    store(s.unguessed[0], g)
    order_cards(g, t, side, 0)
    list_secrets(g, t, q, side)
    for i in range(n):
        q.chosen[i] = i
    q.dealt = a.budget[SECRETS] == SAMPLED or ways(q.n_cards, n) > MOST
    q.simulated = 0
    a.sight = GUESSED
    if a.budget[SECRETS] == SAMPLED:
        return 1
    return min(ways(q.n_cards, n), MOST)


@kernel(VOID(SCRATCH_T, TABLES_T, I8))
def make_guess(s, t, number):
    """Set the opponent's secrets in the true game to the next guess, and let them listen."""
    g, q = s.games[TRUE], s.guesses[0]
    side = 1 - np.int64(g.me)
    load(g, s.unguessed[0])
    g.watch = watch_but_secrets(g, t)
    order_cards(g, t, side, 0)
    if q.dealt == 1:
        deal_guess(g, t, side, mix(g.lookahead_rng + _SALT + np.uint64(number)))
    else:
        put_guess(g, t, q, side)
        choose_next(q, np.int64(g.side[side].n_secrets))
    for i in range(g.side[side].n_secrets):
        g.watch |= t.card[g.side[side].secret[i].card].watch


@kernel(VOID(SCRATCH_T, I8, I8))
def note_guess(s, number, move):
    """Note what the agent plays if the guess is right, if no earlier guess was worse."""
    g, d, q = s.games[TRUE], s.decision[0], s.guesses[0]
    best = d.score[0]
    for k in range(1, g.n_moves):
        best = max(best, d.score[k])
    q.simulated += d.simulated
    d.simulated = 0
    if number == 0 or best < q.worst:
        q.worst = best
        q.move = move
        for k in range(g.n_moves):
            q.score[k] = d.score[k]


@kernel(I8(SCRATCH_T, AGENT_T))
def end_guesses(s, a):
    """Put the true game back, and return the move for the worst guess; d.score gets its scores."""
    g, d, q = s.games[TRUE], s.decision[0], s.guesses[0]
    later = g.lookahead_rng
    load(g, s.unguessed[0])
    g.lookahead_rng = later
    a.sight = FAIR
    d.simulated = q.simulated
    for k in range(g.n_moves):
        d.score[k] = q.score[k]
    return np.int64(q.move)
