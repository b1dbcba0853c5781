"""Tyche's Monte Carlo search (K. Bornemann, third and fourth of CIG2018).

There is one node for each legal action. An episode plays the action of a node, then uniformly
random own actions until one of them is END TURN, and scores the state before that. The first three
quarters of the episodes cycle through all nodes, the rest through the better half (by mean, rounded
up). The action with the best mean is played.

budget[EPISODES]: episodes per decision; the entry of 2018 had 100, that of 2019 had 200. The score
is scores.TYCHE, which says what is known of Tyche's own.

Our choices where the descriptions are silent: END TURN at the root scores as the current state. An
episode that wins scores WON, any other that ends the game LOST, which is closer to usual scores: a
random win can be repeated, a random mistake can be avoided. (Against eva:2018 the win rate hardly
depends on them, 0.645 to 0.650 in 3,600 games for four pairs of values.) Of equal means the first
counts, in the order of `moves.list_moves`. An open choice at the root (Discover) is not simulated,
its first option is taken; a mulligan keeps all cards. Episodes know what EVA's look-aheads do
(eva/decision.py).
"""

import numpy as np

from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scores import WIN, score_state
from hsevo.agents.shared.scratch import AHEAD, BOOK_T, DECISION_T, SCRATCH_T, TRUE
from hsevo.engine.game.moves import list_moves, make_move, try_move
from hsevo.engine.jit import F8, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import GAME_T, RUNNING, Phase, lookahead_seed, random_below

EPISODES = 1  # index of their number in the budget
WON, LOST = 1000.0, -100.0
UNTRIED = -WIN


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8), inline=True)
def play_episode(g, h, t, a, d, move):
    """Play one episode that begins with a move, on a copy h of game g; return its score."""
    me = np.int64(g.me)
    try_move(g, h, t, move, lookahead_seed(g), a.sight)
    d.simulated += 1
    while h.result == RUNNING:
        n = list_moves(h, t)
        move = np.int64(h.moves[random_below(h, n)]) if n > 0 else END
        if move == END:
            return score_state(h, t, a, me)
        make_move(h, t, move)
        d.simulated += 1
    return WON if score_state(h, t, a, me) > 0.0 else LOST


@kernel(VOID(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, BOOK_T, I8))
def try_node(g, h, t, a, d, book, k):
    """Play an episode of the k-th move; update its mean in d.score, its count in book.tried."""
    if k == 0:
        result = score_state(g, t, a, np.int64(g.me))
    else:
        result = play_episode(g, h, t, a, d, np.int64(g.moves[k]))
    book.tried[k] += 1
    if book.tried[k] == 1:
        d.score[k] = 0.0
    d.score[k] += (result - d.score[k]) / book.tried[k]


@kernel(I8(DECISION_T, BOOK_T, I8))
def keep_better(d, book, n):
    """List the better half of n moves in book.better; return how many they are."""
    count = 0
    for k in range(n):
        better = 0
        for j in range(n):
            better += d.score[j] > d.score[k] or (d.score[j] == d.score[k] and j < k)
        if better < (n + 1) // 2:
            book.better[count] = k
            count += 1
    return count


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T))
def choose_tyche(s, t, a):
    """Return the move of Tyche. The decision's score gets the means of all moves."""
    g, h, d, book = s.games[TRUE], s.games[AHEAD], s.decision[0], s.book[0]
    n = list_moves(g, t)
    if n == 1 or g.pending != Phase.PLAY:
        return g.moves[0]
    for k in range(n):
        d.score[k] = UNTRIED
        book.tried[k] = 0
    episodes = np.int64(a.budget[EPISODES])
    first = 3 * episodes // 4
    for i in range(first):
        try_node(g, h, t, a, d, book, i % n)
    n_better = keep_better(d, book, n)
    for i in range(episodes - first):
        try_node(g, h, t, a, d, book, np.int64(book.better[i % n_better]))
    best = 0
    for k in range(n):
        if d.score[k] > d.score[best]:
            best = k
    return g.moves[best]
