"""Monte Carlo tree search: UCT, with heuristics (Santos), and with EVA in the roll-outs (Álvaro).

Sources: A. M. Leitão Santos, Monte Carlo Tree Search Experiments in Hearthstone (2017), chapter 4;
AlvaroAgent, second of the competition of 2019, by its short description (UCB1 with C = 2, a tree
of depth 1, EVA's scorer with EVA's weights in the roll-outs).

An iteration descends from the root by the tree policy, adds one node, plays its roll-outs to the
end of the game and adds their victories to every node on the path, from the view of the player
whose move led there (a draw, a game at its turn limit and a fault count half). So every player
maximises, and END TURN is an edge like any other: the other player's nodes come below it.

    tree policy   actions not tried yet first, at random; then the child with the highest
                  Q(v')/N(v') + c sqrt(2 ln N(v) / N(v')) + bias H(v') / (1 + N(v'))   (eq. 4.1)
    roll-outs     each action: the best by a heuristic of a random k % of the legal ones, where END
                  TURN scores as the current state; k = 0 is uniformly random, k = EVA_MOVES is
                  EVA's greedy move. An open choice is made at random (EVA: the last)
    answer        max-child Q, robust N, max-robust Q + N, secure Q/N - c sqrt(2 ln N(v) / N)

Our choices where the thesis is silent or ambiguous:
- N counts iterations, Q victories of all roll-outs (section 4.4: visits grow by 1, victories by the
  result of the default policy), so Q/N is between 0 and the number of roll-outs. Evidence for this:
  many roll-outs made its choice too greedy (5.2); against it: its `secure` never won (5.4).
- c = 1, which makes eq. 2.1 the UCB1 of Auer et al. that the thesis cites. AlvaroAgent's C
  multiplies sqrt(ln N / n), so its c is C / sqrt(2), and its Q/N is at most 1 (one roll-out per
  iteration).
- H is what the move gained by the heuristic, for its player, when it was first tried: the score of
  the child's state minus that of its parent's. (The thesis writes H(v), of the parent, which would
  be the same for all children. With the child's score only, every child of a player who is behind
  has H < 0, so H / (1 + N) favours the child visited most.) END TURN has none. A move that won the
  game has H = 100, more than any move gains, one that lost it -100: low enough for roll-outs to
  correct a lucky outcome.
- Heuristic 2, of its final parameters (5.6.1) and our default, is said to be that of MetaStone's
  greedy player and GSV; but those differ: the former's is symmetric, as the thesis says, and is
  METASTONE here; the latter's adapts to a hero's health, as the thesis also says. With GSV's, where
  the opponent minimises the searcher's score, the agent was not better (20 iterations of 5
  roll-outs: 47.2 % of 108 games (38.7 to 56.2) against METASTONE, 36.1 and 38.9 % of 180 against
  gsv), so that was left out. Heuristic 1 is SANTOS.
- As both scores are symmetric, an opponent that minimises (4.3.2) maximises its own score.
- Vanilla: chapter 1 says that it uses no knowledge, a footnote of chapter 6 that it sampled its
  roll-outs like the other. Here it uses none: no bias, k = 0; hidden cards are dealt as for all.
- k % of n actions are rounded to the nearest number (its example: 75 % of 50 are 38), at least 1.
- It keeps its hand in a mulligan. A decision with one legal move is not searched. The budget is a
  number of iterations; the thesis also ends a turn that took 75 seconds.

Nodes store no states: every iteration replays its moves from the root. Compared with twenty
roll-outs of some fifty actions a few more moves are cheap, and save 2 KB per node. A node stands
for an action whatever chance led to it: with other draws, or another hand of the opponent. So a
move is identified by the card, not by its place in the hand (`key_of`); attacks are identified by
position. Only moves that are legal in the current world are tried or selected.

Information. `FAIR`: before the descent, and again before each roll-out, the opponent's hidden cards
are dealt anew. Its deck is known (as in unseen.deal_unseen; the thesis takes the deck of its
database that shares most cards with those played, and the decks of CIG2018 are identified by their
class). So its hand, deck and secrets are a uniform deal of the cards that it still holds; The Coin
and the number of cards stay where they are. Nothing is hidden in such a world, so secrets trigger.
The cards are sorted before: two positions that look the same to the player get the same answer.
`LEAKY`: all worlds are the true game, with its deck orders, and another random stream.

The tree is kept between the decisions of a turn (section 4.7): the node of the answer becomes the
root. A new tree is started if another player decided in between, in a new turn, if fewer than the
needed NODES are left for the iterations, or after a decision with one legal move.
"""

import math

import numpy as np
import numpy.typing as npt

from hsevo.agents.eva.decision import choose_eva
from hsevo.agents.shared.agent import AGENT_T, MCTS, agent
from hsevo.agents.shared.scores import METASTONE, SANTOS, WIN, score_state
from hsevo.agents.shared.scratch import AHEAD, DECISION_T, SCRATCH_T, TRUE
from hsevo.agents.shared.worlds import copy_visible_world, determinize
from hsevo.engine.game.moves import list_moves, make_move
from hsevo.engine.game.trial import try_move
from hsevo.engine.jit import F8, I8, TABLES_T, U8, VOID, kernel, record, records
from hsevo.engine.record.codec import CHOOSE, END, PLAY, PLAYS, hand_of
from hsevo.engine.record.state import (
    GAME_T,
    NONE,
    RUNNING,
    WIN_0,
    WIN_1,
    Phase,
    lookahead_seed,
    mix,
    random_below,
)

# AGENT.budget and AGENT.w of an agent of kind MCTS; budget[0] is scores.SCORE
ITERATIONS, ROLLOUTS, OWN, OPPONENT, FINAL, DEPTH, REUSE = 1, 2, 3, 4, 5, 6, 7
C, BIAS = 30, 31  # w[:30]: EVA's weights, if EVA moves in the roll-outs
EVA_MOVES = -1  # instead of k: EVA moves for this player
FINALS = MAX_CHILD, ROBUST, MAX_ROBUST, SECURE = range(4)

REUSED, ANEW = range(2)
HEURISTICS = METASTONE, SANTOS
WON = 100.0
ALVARO_C = math.sqrt(2.0)  # C = 2

NODES = 1 << 14
NODE = np.dtype(
    [
        ("key", "i4"),  # of the move that leads here
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
        ("lookahead_rng", "u8"),
        ("node", NODE, (NODES,)),
    ],
    align=True,
)
TREE_T, TREES_T = record(TREE), records(TREE)


def mcts(iterations: int, rollouts: int, own: int = 0, opponent: int = 0,
         heuristic: int = 0, final: int = MAX_CHILD, depth: int = 0, reuse: int = REUSED,
         c: float = 1.0, bias: float = 0.0, eva: npt.ArrayLike = ()) -> npt.NDArray[np.void]:
    """Return a tree search, AGENT (1,).

    iterations: per decision, below NODES. rollouts: per iteration. own, opponent: k in %, or
    EVA_MOVES with the weights eva (21). heuristic: index into HEURISTICS. depth: of the tree, 0
    without limit. bias: the factor of H.
    """
    w = np.zeros(BIAS + 1)
    w[: np.size(eva)] = eva
    w[C], w[BIAS] = c, bias
    score = HEURISTICS[heuristic]
    return agent(MCTS, (score, iterations, rollouts, own, opponent, final, depth, reuse), w)


@kernel(VOID(GAME_T, TABLES_T, DECISION_T, I8))
def make_counted_move(g, t, d, move):
    """Make a move in a world and count it."""
    make_move(g, t, move)
    d.simulated += 1


# -- the default policy ---------------------------------------------------------------------------


@kernel(I8(I8, I8))
def share_of(share, n):
    """Return `share` per cent of n actions: rounded, at least one."""
    return max((share * n + 50) // 100, 1)


@kernel(I8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8))
def best_of_sample(x, y, t, a, d, share):
    """Return the best move, by the heuristic, of a random `share` per cent; y is scratch."""
    n = list_moves(x, t)
    k = share_of(share, n) if x.pending == Phase.PLAY else np.int64(1)
    best, highest = np.int64(END), -math.inf
    for i in range(k):
        j = i + random_below(x, n - i)
        move = np.int64(x.moves[j])
        x.moves[j] = x.moves[i]
        if k == 1:
            return move
        if move == END:
            value = score_state(x, t, a, x.me)
        else:
            try_move(x, y, t, move, mix(x.rng + np.uint64(i)), a.sight)
            d.simulated += 1
            value = score_state(y, t, a, x.me)
        if value > highest:
            best, highest = move, value
    return best


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8))
def roll_out(x, y, t, a, d, me):
    """Play world x to its end by the default policy of player me; return player 0's score."""
    while x.result == RUNNING and x.fault == 0:
        share = a.budget[OWN] if x.me == me else a.budget[OPPONENT]
        if share == EVA_MOVES:
            make_counted_move(x, t, d, choose_eva(x, y, t, a, d))
        else:
            make_counted_move(x, t, d, best_of_sample(x, y, t, a, d, share))
    if x.result == WIN_0:
        return 1.0
    return 0.0 if x.result == WIN_1 else 0.5


# -- the tree -------------------------------------------------------------------------------------


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


@kernel(F8(TREE_T, I8, AGENT_T))
def tree_value(tree, v, a):
    """Return eq. 4.1, by which the tree policy selects."""
    node = tree.node[v]
    bound = upper_bound(node.wins, node.visits, tree.node[node.parent].visits, a.w[C])
    return bound + a.w[BIAS] * node.bias / (1 + node.visits)


@kernel(F8(TREE_T, I8, AGENT_T))
def final_value(tree, v, a):
    """Return the value by which the answer is chosen, section 4.8."""
    node, rule = tree.node[v], a.budget[FINAL]
    if rule == MAX_CHILD:
        return node.wins
    if rule == ROBUST:
        return np.float64(node.visits)
    if rule == MAX_ROBUST:
        return node.wins + node.visits
    return upper_bound(node.wins, node.visits, tree.node[node.parent].visits, -a.w[C])


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


@kernel(I8(TREE_T, I8, GAME_T, I8, AGENT_T))
def select(tree, v, h, n, a):
    """Return the listed move whose child the tree policy selects; all n have one."""
    best, highest = np.int64(END), -math.inf
    for k in range(n):
        value = tree_value(tree, child_of(tree, v, key_of(h, h.moves[k])), a)
        if value > highest:
            best, highest = np.int64(h.moves[k]), value
    return best


@kernel(I8(TREE_T, I8, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8))
def expand(tree, v, h, t, a, d, move):
    """Add the child of a node for a move, make the move in h, and return the child."""
    me, before = np.int64(h.me), score_state(h, t, a, h.me)
    w = add_node(tree, v, key_of(h, move), me)
    make_counted_move(h, t, d, move)
    if move != END:
        gained = score_state(h, t, a, me) - before
        tree.node[w].bias = min(max(gained, -WON), WON)
    return w


@kernel(I8(TREE_T, GAME_T, TABLES_T, AGENT_T, DECISION_T))
def descend(tree, h, t, a, d):
    """Descend from the root through world h to a new node, the end or the depth limit."""
    v, depth = np.int64(tree.root), np.int64(0)
    while h.result == RUNNING and h.fault == 0:
        if a.budget[DEPTH] > 0 and depth >= a.budget[DEPTH]:
            break
        n = list_moves(h, t)
        move = untried(tree, v, h, n)
        if move >= 0:
            return expand(tree, v, h, t, a, d, move)
        move = select(tree, v, h, n, a)
        v = child_of(tree, v, key_of(h, move))
        make_counted_move(h, t, d, move)
        depth += 1
    return v


@kernel(VOID(TREE_T, I8, F8, I8))
def backpropagate(tree, v, wins, rollouts):
    """Count a visit, of which player 0 won `wins` roll-outs, in a node and all above it."""
    while v >= 0:
        node = tree.node[v]
        node.visits += 1
        node.wins += wins if node.player == 0 else rollouts - wins
        v = np.int64(node.parent) if v != tree.root else np.int64(NONE)


@kernel(VOID(TREE_T, GAME_T, AGENT_T))
def reuse_or_start_tree(tree, g, a):
    """Keep the tree if it is that of the previous decision, else start a new one."""
    fits = tree.n_nodes + a.budget[ITERATIONS] <= NODES
    same = tree.lookahead_rng == g.lookahead_rng and tree.turn == g.turn and tree.n_nodes > 0
    if a.budget[REUSE] == ANEW or not fits or not same:
        tree.n_nodes = 0
        tree.root = add_node(tree, NONE, END, 1 - np.int64(g.me))


@kernel(VOID(SCRATCH_T, TABLES_T, AGENT_T, TREE_T, U8))
def search(s, t, a, tree, seed):
    """Grow the tree by the agent's iterations."""
    g, world, h = s.games[TRUE], s.games[AHEAD], s.games[AHEAD + 1]
    x, y, d = s.games[AHEAD + 2], s.games[AHEAD + 3], s.decision[0]
    me, rollouts = np.int64(g.me), np.int64(a.budget[ROLLOUTS])
    copy_visible_world(g, world, t, a.sight)
    for i in range(a.budget[ITERATIONS]):
        determinize(world, h, t, mix(seed + np.uint64(i)), 1 - me, a.sight)
        v = descend(tree, h, t, a, d)
        wins = 0.0
        for k in range(rollouts):
            determinize(h, x, t, mix(h.rng + np.uint64(k)), 1 - me, a.sight)
            wins += roll_out(x, y, t, a, d, me)
        backpropagate(tree, v, wins, rollouts)


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, TREE_T))
def choose_mcts(s, t, a, tree):
    """Return the move of a tree search with budget and numbers a.

    The decision's score gets each move's share of won roll-outs, -WIN if it was not tried.
    """
    g, d = s.games[TRUE], s.decision[0]
    n = list_moves(g, t)
    if n == 1 or g.pending >= Phase.MULLIGAN:
        lookahead_seed(g)
        return np.int64(g.moves[0])
    reuse_or_start_tree(tree, g, a)
    search(s, t, a, tree, lookahead_seed(g))
    n = list_moves(g, t)
    best, chosen, highest = np.int64(END), np.int64(0), -math.inf
    for k in range(n):
        v = child_of(tree, tree.root, key_of(g, g.moves[k]))
        d.score[k] = -WIN
        if v > 0:
            d.score[k] = tree.node[v].wins / tree.node[v].visits / a.budget[ROLLOUTS]
            if final_value(tree, v, a) > highest:
                best, chosen, highest = np.int64(g.moves[k]), v, final_value(tree, v, a)
    tree.root = chosen
    tree.turn = g.turn
    tree.lookahead_rng = g.lookahead_rng
    return best
