"""The tree of a tree search, its plan and its heuristic, by sections of Santos' thesis.

The tree has nodes, the tree policy (eq. 4.1) and the four answers (4.8). Nodes store no states:
every iteration replays its moves from the root. Compared with twenty roll-outs of some fifty
actions a few more moves are cheap, and save 2 KB per node. A node stands for an action whatever
chance led to it: with other draws, or another hand of the opponent. So a move is identified by the
card, not by its place in the hand (`key_of`); attacks are identified by position. Only moves
that are legal in the current world are tried or selected.

The plan of a search is its options as numbers of an agent's record. An AGENT has eight integers and
32 numbers. `named.mcts` packs the options of a search into them, and `read_plan` unpacks them for
the kernels, once a decision:

    budget   the score of the roll-outs, iterations, roll-outs, k of the own and the opponent's
             moves, RULES, the depth of the tree, milliseconds a turn
    w        [:30] the weights of the heuristics, C, BIAS

RULES holds what needs few bits, each in `FIELDS` with its first bit and how many. The heuristic of
the tree is that of the roll-outs, or another whose weights stand behind them in w.

The heuristic H scores states or moves, for either player. A heuristic is an agent that scores: by a
score of states (shared/scores.py, GSV's or HearthSim's), or by EVA's equation 1, which scores
moves. The searcher's moves maximise H of the state after them, its opponent's minimise it (section
4.3.2); with EVA each maximises equation 1 of its own moves.
"""

from __future__ import annotations

import math

import numpy as np

from hsevo.agents.eva.equations import score, value_minions
from hsevo.agents.shared.agent import AGENT, AGENT_T, EVA, GSV, HEARTHSIM, ONE_STEP
from hsevo.agents.shared.scores import (
    LINEAR,
    METASTONE_WEIGHTS,
    SANTOS_WEIGHTS,
    TYCHE_WEIGHTS,
    WIN,
    score_state,
)
from hsevo.agents.shared.scratch import DECISION_T
from hsevo.agents.turn_search.gsv import WEIGHTS as GSV_WEIGHTS
from hsevo.agents.turn_search.gsv import evaluate_gsv
from hsevo.agents.turn_search.hearthsim import evaluate_hearthsim
from hsevo.engine.game.moves import try_move
from hsevo.engine.jit import BOOL, F8, I8, TABLES_T, U8, VOID, kernel, record, records
from hsevo.engine.record.codec import CHOOSE, END, PLAY, PLAYS, hand_of
from hsevo.engine.record.state import DRAW, GAME_T, NONE, RUNNING, random_below

ITERATIONS, ROLLOUTS, OWN, OPPONENT, RULES, DEPTH, MILLISECONDS = range(1, 8)  # of AGENT.budget
ROOM, C, BIAS = 30, 30, 31  # of AGENT.w
EVA_MOVES = -1  # instead of k: EVA moves for this player
ALVARO_C = math.sqrt(2.0)  # C = 2
FINALS = MAX_CHILD, ROBUST, MAX_ROBUST, SECURE, SECURE_WRITTEN = range(5)
REUSED, ANEW = range(2)
FORMS = GAIN, CHILD, WRITTEN = range(3)  # what H of eq. 4.1 is
MOVE, LINE = range(2)  # what a search answers: a move, or the rest of the turn
# Heuristics: the scores of shared/scores.py, and these; EVA's scores moves, not states.
BY_GSV, BY_HEARTHSIM, BY_EVA = range(LINEAR + 1, LINEAR + 4)
KIND_OF = (ONE_STEP, ONE_STEP, ONE_STEP, ONE_STEP, GSV, HEARTHSIM, EVA)
N_WEIGHTS = (len(METASTONE_WEIGHTS), len(SANTOS_WEIGHTS), len(TYCHE_WEIGHTS), 9, len(GSV_WEIGHTS),
             5, 21)
# The parts of RULES: first bit, number of bits, and the highest value.
FIELDS = {
    "final": (0, 3, SECURE_WRITTEN), "reuse": (3, 1, ANEW), "form": (4, 2, WRITTEN),
    "evolving": (6, 1, 1), "answer": (7, 1, LINE), "tree_score": (8, 3, BY_EVA),
    "tree_at": (11, 5, ROOM), "first": (16, 5, 31),
}

PLAN = np.dtype(
    [
        ("iterations", "i8"),
        ("rollouts", "i8"),  # of an iteration
        ("own", "i8"),  # k in %, or EVA_MOVES
        ("opponent", "i8"),
        ("final", "i8"),  # one of FINALS
        ("reuse", "i8"),
        ("form", "i8"),
        ("evolving", "i8"),  # 1: the weights of the roll-outs evolve
        ("answer", "i8"),
        ("first", "i8"),  # moves of a node before it is unpruned; 0: all
        ("depth", "i8"),  # of the tree; 0: no limit
        ("seconds", "f8"),  # of a turn; 0: no limit
        ("c", "f8"),
        ("bias", "f8"),
        ("rollout", AGENT),  # the heuristic of the roll-outs, as an agent that scores by it
        ("tree", AGENT),  # that of the tree
    ],
    align=True,
)
PLAN_T = record(PLAN)


@kernel(I8(AGENT_T, I8, I8), inline=True)
def field(a, first, bits):
    """Return a part of RULES."""
    return (np.int64(a.budget[RULES]) >> first) & ((1 << bits) - 1)


@kernel(VOID(AGENT_T, AGENT_T, I8, I8))
def read_heuristic(h, a, score, at):
    """Make h an agent that scores as the search a is told to, by weights from w[at] on."""
    h.kind = KIND_OF[score]
    h.sight = a.sight
    h.budget[0] = score
    for i in range(len(h.w)):
        h.w[i] = a.w[at + i] if i < N_WEIGHTS[score] else 0.0


@kernel(VOID(PLAN_T, AGENT_T))
def read_plan(p, a):
    """Unpack the options of a search."""
    p.iterations = a.budget[ITERATIONS]
    p.rollouts = a.budget[ROLLOUTS]
    p.own = a.budget[OWN]
    p.opponent = a.budget[OPPONENT]
    p.depth = a.budget[DEPTH]
    p.seconds = a.budget[MILLISECONDS] / 1000.0
    p.final = field(a, 0, 3)
    p.reuse = field(a, 3, 1)
    p.form = field(a, 4, 2)
    p.evolving = field(a, 6, 1)
    p.answer = field(a, 7, 1)
    p.first = field(a, 16, 5)
    p.c = a.w[C]
    p.bias = a.w[BIAS]
    read_heuristic(p.rollout, a, np.int64(a.budget[0]), 0)
    read_heuristic(p.tree, a, field(a, 8, 3), field(a, 11, 5))


ROOM_FOR_NODES = 1 << 20  # some 50 MB, of which a tree touches what it needs
NODE = np.dtype(
    [
        ("key", "i8"),  # of the move that leads here
        ("player", "i4"),  # the player that makes it
        ("parent", "i4"),
        ("child", "i4"),  # the child added last, 0: none
        ("sibling", "i4"),  # the child of the parent added before, 0: none
        ("visits", "i4"),  # N
        ("prior", "i4"),  # log-odds, in mcts/network_tree.py
        ("wins", "f8"),  # Q: victories of that player in all roll-outs
        ("bias", "f8"),  # H
    ],
    align=True,
)
TREE = np.dtype(
    [
        ("n_nodes", "i4"),
        ("root", "i4"),
        ("turn", "i4"),  # turn and `lookahead_rng` at which the tree can be used again
        ("line", "i4"),  # the node at which the line ends that is played, 0: none
        ("lookahead_rng", "u8"),
        ("timed", "i8"),  # the turn that began at `began`, of the clock
        ("began", "f8"),
        ("deadline", "f8"),  # of a decision
        ("spread", "f8"),  # of evolving weights
        ("plan", PLAN),
        ("parent", AGENT),  # the best heuristic found so far, and one that is compared with it
        ("trial", AGENT),
        ("node", NODE, (ROOM_FOR_NODES,)),
    ],
    align=True,
)
TREE_T, TREES_T = record(TREE), records(TREE)


@kernel(I8(GAME_T, I8))
def key_of(g, move):
    """Return a move's key in all worlds: cards in hand and choices by card instead of place."""
    if move >= CHOOSE:
        return -np.int64(g.choice[move - CHOOSE])
    if move >= PLAY:
        hand = hand_of(move)
        return move + PLAYS * (np.int64(g.side[g.me].hand[hand].card) - hand)
    return move


@kernel(I8(TREE_T, I8, I8))
def child_of(tree, v, key):
    """Return the child of a node by its move, 0 if there is none."""
    w = np.int64(tree.node[v].child)
    while w > 0 and tree.node[w].key != key:
        w = np.int64(tree.node[w].sibling)
    return w


@kernel(I8(TREE_T, I8, I8, I8))
def add_node(tree, parent, key, player):
    """Add a child to a node (NONE: the root, to an empty tree) and return it."""
    v = np.int64(tree.n_nodes)
    tree.n_nodes += 1
    node = tree.node[v]
    node.key = key
    node.player = player
    node.parent = parent
    node.child = 0
    node.sibling = 0
    node.visits = 0
    node.prior = 0
    node.wins = 0.0
    node.bias = 0.0
    if parent >= 0:
        node.sibling = tree.node[parent].child
        tree.node[parent].child = v
    return v


@kernel(F8(F8, I8, I8, F8))
def upper_bound(wins, visits, parent_visits, c):
    """Return eq. 2.1: the mean and c times UCB1's confidence radius; a lower bound for c < 0."""
    return wins / visits + c * math.sqrt(2.0 * math.log(parent_visits) / visits)


@kernel(F8(TREE_T, I8, PLAN_T))
def tree_value(tree, v, p):
    """Return eq. 4.1, by which the tree policy selects."""
    node = tree.node[v]
    above = tree.node[node.parent].visits
    bound = upper_bound(node.wins, node.visits, above, p.c)
    return bound + p.bias * node.bias / (1 + (above if p.form == WRITTEN else node.visits))


@kernel(F8(TREE_T, I8, PLAN_T))
def final_value(tree, v, p):
    """Return the value by which the answer is chosen, section 4.8."""
    node, rule, above = tree.node[v], p.final, tree.node[tree.node[v].parent]
    if rule == MAX_CHILD:
        return node.wins
    if rule == ROBUST:
        return np.float64(node.visits)
    if rule == MAX_ROBUST:
        return node.wins + node.visits
    if rule == SECURE_WRITTEN:
        return upper_bound(above.wins, above.visits, node.visits, -p.c)
    return upper_bound(node.wins, node.visits, above.visits, -p.c)


@kernel(I8(TREE_T, I8, GAME_T, I8))
def untried(tree, v, h, n):
    """Return a random one of the n listed moves without a child of the node, or NONE."""
    count, move = np.int64(0), np.int64(NONE)
    for k in range(n):
        if child_of(tree, v, key_of(h, h.moves[k])) == 0:
            count += 1
            if random_below(h, count) == 0:
                move = np.int64(h.moves[k])
    return move


@kernel(I8(TREE_T, I8, GAME_T, I8, PLAN_T))
def select(tree, v, h, n, p):
    """Return the listed move whose child the tree policy selects; all n have one."""
    best, highest = np.int64(END), -math.inf
    for k in range(n):
        value = tree_value(tree, child_of(tree, v, key_of(h, h.moves[k])), p)
        if value > highest:
            best, highest = np.int64(h.moves[k]), value
    return best


@kernel(VOID(TREE_T, I8, F8, I8))
def backpropagate(tree, v, wins, rollouts):
    """Count a visit, of which player 0 won `wins` roll-outs, in a node and all above it."""
    while v >= 0:
        node = tree.node[v]
        node.visits += 1
        node.wins += wins if node.player == 0 else rollouts - wins
        v = np.int64(node.parent) if v != tree.root else np.int64(NONE)


# -- lines: the rest of a turn --------------------------------------------------------------------


@kernel(I8(TREE_T, I8, I8))
def first_step(tree, v, me):
    """Return the root's child on the way to a node, if player `me` makes all moves to it, else 0.
    """
    while v > 0 and tree.node[v].player == me:
        above = np.int64(tree.node[v].parent)
        if above == tree.root:
            return v
        if tree.node[above].key == END:
            return 0
        v = above
    return 0


@kernel(I8(TREE_T, I8, PLAN_T))
def best_below(tree, v, p):
    """Return the best child of a node of those visited twice or more, 0 if there is none."""
    best, highest = np.int64(0), -math.inf
    w = np.int64(tree.node[v].child)
    while w > 0:
        if tree.node[w].visits > 1 and final_value(tree, w, p) > highest:
            best, highest = w, final_value(tree, w, p)
        w = np.int64(tree.node[w].sibling)
    return best


@kernel(I8(TREE_T, I8, PLAN_T))
def best_line(tree, me, p):
    """Return the last node of a player's best line below the root, at most its END TURN; 0: none.

    Each of its moves is the best after the one before.
    """
    v, w = np.int64(0), best_below(tree, tree.root, p)
    while w > 0 and tree.node[w].player == me:
        v = w
        w = best_below(tree, v, p) if tree.node[v].key != END else np.int64(0)
    return v


@kernel(I8(TREE_T, GAME_T, I8, I8))
def move_to(tree, g, n, v):
    """Return the index of the listed move that leads to a child of the root; NONE if none does."""
    for k in range(n):
        if v > 0 and key_of(g, g.moves[k]) == tree.node[v].key:
            return k
    return NONE


@kernel(BOOL(TREE_T, GAME_T), inline=True)
def is_kept(tree, g):
    """Return whether the tree is that of the previous decision of this turn."""
    same = tree.lookahead_rng == g.lookahead_rng and tree.turn == g.turn
    return same and tree.n_nodes > 0


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8))
def value_of_state(g, t, h, me):
    """Return H of game g for a player; WIN if it has won, -WIN if it has lost, 0 for a draw."""
    if h.budget[0] < BY_GSV:
        return score_state(g, t, h, me)
    if g.result != RUNNING:
        return 0.0 if g.result == DRAW else (WIN if g.result == me + 1 else -WIN)
    return evaluate_gsv(g, t, h, me) if h.budget[0] == BY_GSV else evaluate_hearthsim(g, t, h, me)


@kernel(VOID(GAME_T, TABLES_T, AGENT_T, DECISION_T))
def begin_scores(g, t, h, d):
    """Begin to score the moves of game g: EVA compares with the minions before them."""
    if h.budget[0] == BY_EVA:
        value_minions(g, t, h, d)


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, I8, U8))
def score_of_move(g, y, t, h, d, me, move, stream):
    """Return how good a move is for the player to move in g, by H of player `me`, or by EVA.

    END TURN scores as the state. Others are made on a copy y, whose random stream is given.
    """
    if h.budget[0] == BY_EVA:
        if move == END:
            return 0.0
        try_move(g, y, t, move, stream, h.sight)
        return score(g, y, t, h, d)
    sign = 1.0 if g.me == me else -1.0
    if move == END:
        return sign * value_of_state(g, t, h, me)
    try_move(g, y, t, move, stream, h.sight)
    return sign * value_of_state(y, t, h, me)
