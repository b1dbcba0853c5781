"""Tree search in sampled worlds by a net: information set MCTS with its values and policy.

Sources: P. Cowling, E. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search (2012),
the variant with one observer; the tree policy is PUCT as AlphaZero has it (Silver et al., 2018).

An iteration deals the opponent's hidden cards (shared/belief.py) and descends from the root
with both players' legal moves of this world. At the first node without children the player to move
looks one action ahead with the net (network/value.py): each action becomes a child, and the node
is worth the chance to win after the best of them. There are no roll-outs. A move that was not legal
in earlier worlds is looked at when it first is. A node stands for an action whatever chance led to
it, as in tree.py, but copies of a card in hand with different changes (of cost, attack or health)
are different actions. Every player maximises its own chance.

    tree policy   the child with the highest  Q + c P sqrt(N) / (1 + n)
    Q             mean of its n visits and of the chance that the net gave it, as one more visit
    P             softmax of the net's log-odds over the children legal in this world, with
                  temperature 0.25; at the root those of a policy, if there is one, with 0.4
    answer        the child visited most, of several that with the highest Q

When the tree is full (ROOM_FOR_NODES), nodes are still valued, and no more are added. The tree is
kept between the decisions of a turn, as in uct.py: the node of the answer becomes the root.
"""

import math

import numpy as np

from hsevo.agents.mcts.tree import (
    ROOM_FOR_NODES,
    TREE_T,
    add_node,
    backpropagate,
    child_of,
    is_kept,
    key_of,
)
from hsevo.agents.network.network import NETS_T
from hsevo.agents.network.value import (
    NEVER,
    ask_policy,
    chance_of,
    forget_positions,
    has_policy,
    look_at,
    network_value,
    power_of_two,
)
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.belief import copy_visible_world, determinize
from hsevo.agents.shared.scores import WIN
from hsevo.agents.shared.scratch import AHEAD, SCRATCH_T, TRUE
from hsevo.agents.shared.trials import has_equal_later
from hsevo.engine.game.moves import list_moves, make_move
from hsevo.engine.jit import BOOL, F8, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import END, hand_of, is_play
from hsevo.engine.record.state import (
    DRAW,
    FAIR,
    GAME_T,
    GUESSED,
    NONE,
    RUNNING,
    WIN_0,
    Phase,
    lookahead_seed,
    mix,
)

ITERATIONS = 4  # of a.budget, if a.budget[DEPTH] is 0
C = 2  # of a.w
SHARPNESS = 5909 * 4  # 1 / 0.25, as network/value.py scales log-odds
EIGHTHS = 5  # so many of the policy's log-odds give with temperature 0.25 the P of all with 0.4


@kernel(I8(GAME_T, I8))
def changed_key(g, move):
    """Return a move's key in all worlds: tree.key_of, and what was given to a card in hand.

    So a copy that costs less than another is an action of its own. Keys are unique as long as the
    attack and health given to a card in hand are below 2**13.
    """
    key = key_of(g, move)  # below 2**20: there are no more than CARD_MASK cards
    if is_play(move):
        held = g.side[g.me].hand[hand_of(move)]
        key += np.int64(held.cost) << 20
        key += (np.int64(held.attack) << 36) + (np.int64(held.health) << 50)
    return key


@kernel(BOOL(GAME_T, I8), inline=True)
def is_left_out(x, move):
    """Return whether a move plays one of equal cards in hand but the last."""
    return x.pending == Phase.PLAY and has_equal_later(x, move)


@kernel(I8(TREE_T, I8, GAME_T, I8))
def first_missing(tree, v, x, n):
    """Return the index of the first of n listed moves that a node has no child for, or n."""
    for k in range(n):
        if child_of(tree, v, changed_key(x, x.moves[k])) == 0 and not is_left_out(x, x.moves[k]):
            return k
    return n


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, TREE_T, I8, GAME_T, GAME_T, I8))
def add_children(s, t, a, nets, tree, v, x, y, n):
    """Add a node's missing children of the n listed moves of world x, with the net's log-odds.

    Returns the highest of these. y is scratch.
    """
    highest, me, salt = np.int64(NEVER), np.int64(x.me), lookahead_seed(x)
    forget_positions(s, x, a, nets, me)
    for k in range(n):
        move = np.int64(x.moves[k])
        key = changed_key(x, move)
        if child_of(tree, v, key) != 0 or is_left_out(x, move):
            continue
        known = look_at(x, y, t, move, mix(salt + np.uint64(k)), a.sight)
        s.decision[0].simulated += 1
        odds = network_value(s, y, t, a, nets, me, known, move == END)
        highest = max(highest, odds)
        if tree.n_nodes < ROOM_FOR_NODES:
            node = tree.node[add_node(tree, v, key, me)]
            node.bias = node.prior = odds
    return highest


@kernel(I8(TREE_T, I8, GAME_T, GAME_T, I8, F8))
def select_child(tree, v, x, y, n, c):
    """Return the index of the move that the tree policy selects; NONE if none has a child.

    y.moves is scratch: the children.
    """
    best, highest, most, total = np.int64(NONE), -math.inf, np.int64(NEVER), 0.0
    for k in range(n):
        w = child_of(tree, v, changed_key(x, x.moves[k]))
        y.moves[k] = w
        if w > 0:
            most = max(most, np.int64(tree.node[w].prior))
    for k in range(n):
        w = np.int64(y.moves[k])
        if w > 0:
            total += share_of(tree, w, most)
    scale = c * math.sqrt(np.float64(tree.node[v].visits)) / max(total, 1.0)
    for k in range(n):
        w = np.int64(y.moves[k])
        if w > 0:
            share = share_of(tree, w, most) * scale
            value = mean_chance(tree, w) + share / (1.0 + tree.node[w].visits)
            if value > highest:
                best, highest = np.int64(k), value
    return best


@kernel(F8(TREE_T, I8, I8), inline=True)
def share_of(tree, w, most):
    """Return what P of a node is in proportion to; most: the highest log-odds of its siblings."""
    less = most - np.int64(tree.node[w].prior)
    return np.float64(power_of_two((less * SHARPNESS) >> 14))


@kernel(F8(TREE_T, I8), inline=True)
def mean_chance(tree, w):
    """Return Q of a node, for the player whose move leads there."""
    node = tree.node[w]
    return (node.wins + chance_of(np.int64(node.bias))) / (1.0 + node.visits)


@kernel(F8(GAME_T), inline=True)
def result_of(x):
    """Return player 0's score of a finished game: 1, 0, or one half for a draw and a fault."""
    if x.result == RUNNING or x.result == DRAW:
        return 0.5
    return 1.0 if x.result == WIN_0 else 0.0


@kernel(VOID(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, TREE_T, GAME_T, GAME_T))
def iterate(s, t, a, nets, tree, x, y):
    """Descend through world x to a new node, value it, and count the visit; y is scratch."""
    v, c = np.int64(tree.root), a.w[C]
    while x.result == RUNNING and x.fault == 0:
        n, new, k = list_moves(x, t), tree.node[v].child == 0, np.int64(NONE)
        if not new and tree.n_nodes == ROOM_FOR_NODES:
            k = select_child(tree, v, x, y, n, c)
        if k == NONE and first_missing(tree, v, x, n) < n:
            highest = add_children(s, t, a, nets, tree, v, x, y, n)
            if not new:
                k = select_child(tree, v, x, y, n, c)
            if k == NONE:
                chance = chance_of(highest)
                backpropagate(tree, v, chance if x.me == 0 else 1.0 - chance, 1)
                return
        elif k == NONE:
            k = select_child(tree, v, x, y, n, c)
        v = child_of(tree, v, changed_key(x, x.moves[k]))
        make_move(x, t, x.moves[k])
        s.decision[0].simulated += 1
    backpropagate(tree, v, result_of(x), 1)


@kernel(VOID(SCRATCH_T, TREE_T, GAME_T))
def prefer_by_policy(s, tree, g):
    """Give the root's children for legal moves of the true game the log-odds of the policy.

    The highest stays, since children of other worlds keep their own.
    """
    most = np.int64(NEVER)
    for k in range(g.n_moves):
        w = child_of(tree, tree.root, changed_key(g, g.moves[k]))
        if w > 0:
            most = max(most, np.int64(tree.node[w].bias))
    for k in range(g.n_moves):
        w = child_of(tree, tree.root, changed_key(g, g.moves[k]))
        if w > 0 and not is_left_out(g, g.moves[k]):
            tree.node[w].prior = most + ((s.policy[k] * EIGHTHS) >> 3)


@kernel(VOID(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, TREE_T))
def grow(s, t, a, nets, tree):
    """Grow the tree of the last decision, or a new one, by the agent's iterations."""
    g, world, x, y = s.games[TRUE], s.games[AHEAD], s.games[AHEAD + 1], s.games[AHEAD + 2]
    me = np.int64(g.me)
    if not is_kept(tree, g) or 2 * tree.n_nodes > ROOM_FOR_NODES:
        tree.n_nodes = 0
        tree.root = add_node(tree, NONE, END, 1 - me)
    ask_policy(s, t, a, nets)
    seed = lookahead_seed(g)
    copy_visible_world(g, world, t, a.sight)
    for i in range(a.budget[ITERATIONS]):
        determinize(world, x, t, mix(seed + np.uint64(i)), 1 - me, a.sight)
        iterate(s, t, a, nets, tree, x, y)
        if i == 0 and has_policy(a):  # a new root has children now
            prefer_by_policy(s, tree, g)


@kernel(I8(TREE_T, GAME_T, SCRATCH_T, I8))
def most_visited(tree, g, s, n):
    """Return the best of the n listed moves; the decision's scores get the chances, Q."""
    best, d = np.int64(0), s.decision[0]
    visits, highest = np.int64(-1), -1.0
    for k in range(n):
        d.score[k] = -WIN
        v = child_of(tree, tree.root, changed_key(g, g.moves[k]))
        if v == 0 or is_left_out(g, g.moves[k]):
            continue
        d.score[k] = mean_chance(tree, v)
        own_visits = np.int64(tree.node[v].visits)
        if own_visits > visits or (own_visits == visits and d.score[k] > highest):
            best, visits, highest = np.int64(k), own_visits, d.score[k]
    return best


@kernel(VOID(TREE_T, GAME_T, I8))
def keep_below(tree, g, move):
    """Keep what the tree found after a move of the true game for the next decision."""
    tree.root = child_of(tree, tree.root, changed_key(g, move))
    if tree.root == 0:  # no world had this move
        tree.n_nodes = 0
    tree.turn = g.turn
    tree.lookahead_rng = g.lookahead_rng


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, TREE_T, NETS_T))
def choose_by_network_tree(s, t, a, tree, nets):
    """Return the move of a learned player that searches a tree.

    The decision's scores get the chances to win after each move, -WIN for those left out.
    """
    g, sight = s.games[TRUE], np.int64(a.sight)
    n = list_moves(g, t)
    if n == 1:
        lookahead_seed(g)
        return np.int64(g.moves[0])
    if sight == GUESSED:
        a.sight = FAIR
    grow(s, t, a, nets, tree)
    a.sight = sight
    n = list_moves(g, t)
    move = np.int64(g.moves[most_visited(tree, g, s, n)])
    keep_below(tree, g, move)
    return move
