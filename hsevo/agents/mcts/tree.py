"""The tree of a tree search: its nodes, the tree policy (eq. 4.1) and the four answers (4.8).

Nodes store no states: every iteration replays its moves from the root. Compared with twenty
roll-outs of some fifty actions a few more moves are cheap, and save 2 KB per node. A node stands
for an action whatever chance led to it: with other draws, or another hand of the opponent. So a
move is identified by the card, not by its place in the hand (`key_of`); attacks are identified by
position. Only moves that are legal in the current world are tried or selected.
"""

import math

import numpy as np

from hsevo.agents.mcts.plan import (
    MAX_CHILD,
    MAX_ROBUST,
    PLAN,
    PLAN_T,
    ROBUST,
    SECURE_WRITTEN,
    WRITTEN,
)
from hsevo.agents.shared.agent import AGENT
from hsevo.engine.jit import BOOL, F8, I8, VOID, kernel, record, records
from hsevo.engine.record.codec import CHOOSE, END, PLAY, PLAYS, hand_of
from hsevo.engine.record.state import GAME_T, NONE, random_below

ROOM_FOR_NODES = 1 << 20  # some 50 MB, of which a tree touches what it needs
NODE = np.dtype(
    [
        ("key", "i8"),  # of the move that leads here
        ("player", "i4"),  # the player that makes it
        ("parent", "i4"),
        ("child", "i4"),  # the child added last, 0: none
        ("sibling", "i4"),  # the child of the parent added before, 0: none
        ("visits", "i4"),  # N
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
    found, move = np.int64(0), np.int64(NONE)
    for k in range(n):
        if child_of(tree, v, key_of(h, h.moves[k])) == 0:
            found += 1
            if random_below(h, found) == 0:
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
