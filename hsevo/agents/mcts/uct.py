"""Monte Carlo tree search: UCT, with heuristics (Santos), and with EVA in the roll-outs (Álvaro).

Sources: A. M. Leitão Santos, Monte Carlo Tree Search Experiments in Hearthstone (2017), whose
sections are named here; AlvaroAgent, second of the competition of 2019, by its short description
(UCB1 with C = 2, a tree of depth 1, EVA's scorer with EVA's weights in the roll-outs).

An iteration descends from the root by the tree policy (tree.py), adds one node, plays its roll-outs
to the end of the game and adds their victories to every node on the path, from the
view of the player whose move led there (a draw, a game at its turn limit and a fault count half).
So every player maximises, and END TURN is an edge like any other: the other player's nodes come
below it.

    tree policy   actions not tried yet first, at random; then the child with the highest
                  Q(v')/N(v') + c sqrt(2 ln N(v) / N(v')) + bias H / (1 + N(v'))   (eq. 4.1)
    answer        max-child Q, robust N, max-robust Q + N, secure Q/N - c sqrt(2 ln N(v) / N)

Our choices where the thesis is silent or ambiguous:
- N counts iterations, Q victories of all roll-outs (section 4.4: visits grow by 1, victories by the
  result of the default policy), so Q/N is between 0 and the number of roll-outs. Evidence for this:
  many roll-outs made its choice too greedy (5.2).
- c = 1, which makes eq. 2.1 the UCB1 of Auer et al. that the thesis cites. AlvaroAgent's C
  multiplies sqrt(ln N / n), so its c is C / sqrt(2), and its Q/N is at most 1 (one roll-out per
  iteration).
- H is what the move gained by the heuristic, for its player, when it was first tried: the score of
  the child's state minus that of its parent's. END TURN has none. A move that won the game has
  H = 100, more than any move gains, one that lost it -100: low enough for roll-outs to correct a
  lucky outcome. Other readings are options: the child's own score, with which every child of a
  player who is behind has H < 0, so H / (1 + N) favours the child visited most; and the formula as
  it is written, H(v) / (1 + N(v)) of the parent, which is the same for all children.
- The formula of the secure child is written with v for the child and v' for what is not said. If
  that is the root, it picks the child visited least (`secure-written`), and never wins, as in 5.4.
- Heuristic 2, of its final parameters (5.6.1) and our default, is said to be that of MetaStone's
  greedy player and GSV; but those differ: the former's is symmetric, as the thesis says, and is the
  default here; the latter's adapts to a hero's health, as the thesis also says (heuristic=gsv).
- Vanilla: chapter 1 says that it uses no knowledge, a footnote of chapter 6 that it sampled its
  roll-outs like the other (own=75, opponent=50). Here it uses none: no bias, k = 0; hidden cards
  are dealt as for all.
- It keeps its hand in a mulligan. A decision with one legal move is not searched. If a turn has a
  number of seconds (4.6), a decision takes at most half of what is left, and END TURN is played
  when nothing is.

From its future work (7.2): weights that evolve (below); progressive unpruning, as Chaslot et
al. (2008): a node first tries its `first` best moves by the heuristic, and one more whenever its
visits reach 20 * 1.3^i (our 20: theirs, 50, is for more iterations than 60); and an answer for the
whole turn: the best move by `final`, the best after that, and so on to END TURN, or to where no
move was tried twice. They are played without another search, as long as they are legal. (The END
TURN with the most victories, the thesis' example of a criterion, is always the one at once, as it
is visited most: that answer won no game.)

Information. `FAIR`: before the descent, and again before each roll-out, the opponent's hidden cards
are dealt again (shared/belief.py). Nothing is hidden in such a world, so secrets trigger. Two
positions that look the same to the player get the same answer. `LEAKY`: all worlds are the true
game, with its deck orders, and another random stream.

The tree is kept between the decisions of a turn (section 4.7): the node of the answer becomes the
root. A new tree is started if another player decided in between, in a new turn, if fewer than the
needed NODES are left for the iterations, or after a decision with one legal move.

Fast-Evolutionary MCTS evolves the weights of the roll-outs during the search (2.3.3). Lucas,
Samothrakis and Perez (2014): each iteration draws a parameter vector, uses it, and its result is
the vector's fitness. Here a (1+1) evolution strategy does that. Half of an iteration's roll-outs
are played by the best weights so far, half by a mutant; each pair begins in the same world, with
the same random stream. If the mutant wins more of them, it takes their place. All of them count for
the node.

Our choices: only the searcher's own moves of roll-outs are made by these weights (its opponent's
are made by those it was given, else a vector could win by playing badly for the other); the tree's
H stays. A mutant multiplies each weight with exp(spread N(0, 1)), so signs stay and what is 0 stays
0. The spread grows by 1.5 after a success and shrinks by 1.5^(-1/4) otherwise (the one-fifth rule,
as in Kern et al., 2004), from 0.3 on. A new tree begins with the weights given.

The default policy plays games to their end by the best of some random moves (4.3.2). Each move is
the best, by a heuristic, of a random k % of the legal ones, where END TURN scores as the current
state; k = 0 is uniformly random, k = EVA_MOVES is EVA's greedy move. An open choice is made at
random (EVA: the last). k % of n moves are rounded to the nearest number (the thesis' example: 75 %
of 50 are 38), at least 1. Opponents minimise the searcher's score.

To calculate what an action changes in a score (engine/forecast), instead of making it, was
tried: it gave the same games, and was no faster (0.141 and 0.142 s of CPU a game without, 0.142 and
0.150 with, in two alternating pairs of 54 games, 20 iterations of 5 roll-outs). To simulate
such an action costs hardly more than finding out that it can be forecast.
"""

from __future__ import annotations

import math

import numpy as np

from hsevo.agents.eva.decision import choose_eva
from hsevo.agents.mcts.tree import (
    ANEW,
    BY_EVA,
    CHILD,
    EVA_MOVES,
    GAIN,
    LINE,
    PLAN_T,
    TREE_T,
    add_node,
    backpropagate,
    begin_scores,
    best_line,
    child_of,
    final_value,
    first_step,
    is_kept,
    key_of,
    move_to,
    read_plan,
    score_of_move,
    select,
    untried,
    value_of_state,
)
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.belief import copy_visible_world, determinize
from hsevo.agents.shared.scores import WIN
from hsevo.agents.shared.scratch import AHEAD, DECISION_T, SCRATCH_T, TRUE
from hsevo.engine.game.moves import list_moves, make_move
from hsevo.engine.intrinsics import seconds_now
from hsevo.engine.jit import BOOL, F8, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import END
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

SPREAD, LEAST, MOST = 0.3, 0.01, 1.0  # the first, the smallest and the largest spread of mutants
# The one-fifth rule: one success and four failures leave the spread as it is, 1.5 * 1.5^(-4/4) = 1.
GROWS, SHRINKS = 1.5, 1.5 ** -0.25


@kernel(F8(U8))
def uniform_of(bits):
    """Return a number above 0 and at most 1 by random bits."""
    # 53 bits fill the mantissa of a float64; the half keeps the result above 0, for the logarithm.
    return (np.float64(bits >> np.uint64(11)) + 0.5) * 2.0 ** -53


@kernel(F8(U8))
def normal_of(seed):
    """Return a normally distributed number by a seed (Box and Muller, 1958)."""
    radius = math.sqrt(-2.0 * math.log(uniform_of(mix(seed))))
    return radius * math.cos(2.0 * math.pi * uniform_of(mix(mix(seed))))


@kernel(VOID(AGENT_T, AGENT_T))
def copy_heuristic(h, source):
    """Make h the heuristic `source`."""
    h.kind = source.kind
    h.sight = source.sight
    h.budget[0] = source.budget[0]
    for i in range(len(h.w)):
        h.w[i] = source.w[i]


@kernel(VOID(AGENT_T, AGENT_T, F8, U8))
def mutate(trial, parent, spread, seed):
    """Make `trial` a mutant of a heuristic."""
    copy_heuristic(trial, parent)
    # A factor exp(spread N(0, 1)) keeps signs, and leaves 0 what the heuristic does not use.
    for i in range(len(trial.w)):
        if parent.w[i] != 0.0:
            trial.w[i] = parent.w[i] * math.exp(spread * normal_of(seed + np.uint64(2 * i)))


@kernel(F8(F8, F8))
def next_spread(spread, gained):
    """Return the spread after a mutant that won so many roll-outs more."""
    return min(max(spread * (GROWS if gained > 0.0 else SHRINKS), LEAST), MOST)


@kernel(VOID(GAME_T, TABLES_T, DECISION_T, I8))
def make_counted_move(g, t, d, move):
    """Make a move in a world and count it."""
    make_move(g, t, move)
    d.simulated += 1


@kernel(I8(I8, I8))
def share_of(share, n):
    """Return `share` per cent of n actions: rounded, at least one."""
    return max((share * n + 50) // 100, 1)


@kernel(I8(GAME_T, I8, I8), inline=True)
def draw_move(x, i, n):
    """Draw the next of n listed moves without replacement, after i of them."""
    # A partial Fisher-Yates shuffle. The move drawn need not be stored: places up to i are not read
    # again.
    j = i + random_below(x, n - i)
    move = np.int64(x.moves[j])
    x.moves[j] = x.moves[i]
    return move


@kernel(I8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, I8, I8))
def best_of_drawn(x, y, t, h, d, me, n, k):
    """Return the best of k of the n listed moves, drawn at random; y is scratch."""
    begin_scores(x, t, h, d)
    best, highest = np.int64(END), -math.inf
    for i in range(k):
        move = draw_move(x, i, n)
        value = score_of_move(x, y, t, h, d, me, move, mix(x.rng + np.uint64(i)))
        d.simulated += move != END  # END TURN scores as the current state (4.3.2): no simulation
        if value > highest:
            best, highest = move, value
    return best


@kernel(I8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, I8))
def best_of_sample(x, y, t, h, d, me, share):
    """Return the best move, by the heuristic, of a random `share` per cent; y is scratch."""
    n = list_moves(x, t)
    # An open choice is made at random, as the best of one. If k is 1, the score decides nothing and
    # is not calculated: so 0 % is the uniformly random player of section 4.3.2.
    k = share_of(share, n) if x.pending == Phase.PLAY else np.int64(1)
    return draw_move(x, 0, n) if k == 1 else best_of_drawn(x, y, t, h, d, me, n, k)


@kernel(F8(GAME_T, GAME_T, TABLES_T, PLAN_T, AGENT_T, DECISION_T, I8))
def roll_out(x, y, t, p, h, d, me):
    """Play world x to its end, player me by heuristic h, the other by the plan's.

    Return player 0's score: 1, 0, or 0.5 for a draw, a game at its turn limit and a fault.
    """
    # The score is player 0's, whoever searches: `backpropagate` turns it to the view of each node.
    while x.result == RUNNING and x.fault == 0:
        share, by = (p.own, h) if x.me == me else (p.opponent, p.rollout)
        if share == EVA_MOVES:
            make_counted_move(x, t, d, choose_eva(x, y, t, by, d))
        else:
            make_counted_move(x, t, d, best_of_sample(x, y, t, by, d, me, share))
    if x.result == WIN_0:
        return 1.0
    return 0.0 if x.result == WIN_1 else 0.5


WON = 100.0  # the most that H may be: more than any move gains, low enough for roll-outs to correct
NODES = 1 << 14  # of a tree that is kept
# Progressive unpruning (7.2; Chaslot et al. 2008): visits at which one move more is tried, and
# their growth. The paper's first number, 50, is for more iterations than a decision has here.
UNPRUNED_AT, SLOWER = 20.0, 1.3


# -- an iteration ---------------------------------------------------------------------------------


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, U8))
def gain_of(x, y, t, h, d, move, stream):
    """Return what a move gains for the player that makes it, by heuristic h; y is scratch."""
    me = np.int64(x.me)
    begin_scores(x, t, h, d)
    # END TURN scores as the state before the move, in the view of the same player.
    now = score_of_move(x, y, t, h, d, me, END, stream)
    return score_of_move(x, y, t, h, d, me, move, stream) - now


@kernel(VOID(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8))
def score_moves(x, y, t, h, d, n):
    """Set d.score to what each of the n listed moves gains for its player."""
    for k in range(n):
        d.score[k] = gain_of(x, y, t, h, d, np.int64(x.moves[k]), mix(x.rng + np.uint64(k)))


@kernel(I8(I8, I8))
def unpruned(first, visits):
    """Return how many moves of a node are tried after so many visits: `first`, then more."""
    limit = UNPRUNED_AT
    while visits >= limit:
        first += 1
        limit *= SLOWER
    return first


@kernel(VOID(GAME_T, DECISION_T, I8, I8))
def put_best_first(x, d, n, most):
    """Move the `most` moves with the highest d.score to the front of the n listed ones."""
    # A selection sort that stops early: only `most` of n places are needed.
    for i in range(most):
        best = i
        for k in range(i + 1, n):
            if d.score[k] > d.score[best]:
                best = k
        move, score = np.int64(x.moves[best]), d.score[best]
        x.moves[best], d.score[best] = x.moves[i], d.score[i]
        x.moves[i], d.score[i] = move, score


@kernel(I8(TREE_T, I8, GAME_T, GAME_T, TABLES_T, DECISION_T))
def list_tried(tree, v, x, y, t, d):
    """List the moves that a node tries in world x, the first ones in its moves; return how many.

    All, or after progressive unpruning the best by the heuristic.
    """
    n, first = list_moves(x, t), np.int64(tree.plan.first)
    if first == 0 or x.pending != Phase.PLAY:  # open choices are not pruned
        return n
    most = unpruned(first, np.int64(tree.node[v].visits))
    if most < n:
        score_moves(x, y, t, tree.plan.tree, d, n)
        put_best_first(x, d, n, most)
    return min(n, most)


@kernel(F8(TREE_T, GAME_T, GAME_T, TABLES_T, DECISION_T, I8))
def try_for_bias(tree, x, y, t, d, move):
    """Make a move in world x, and return H of the node that it leads to."""
    me, h, form = np.int64(x.me), tree.plan.tree, tree.plan.form
    if tree.plan.bias == 0.0:
        make_counted_move(x, t, d, move)
        return 0.0
    # EVA scores moves, not states, so with it H can only be the gain, on a copy before the move.
    if h.budget[0] == BY_EVA:
        gained = gain_of(x, y, t, h, d, move, np.uint64(x.rng))
        make_counted_move(x, t, d, move)
        return gained
    before = value_of_state(x, t, h, me)
    make_counted_move(x, t, d, move)
    if form == GAIN:
        # END TURN has no gain: the state after it is in the opponent's turn already.
        return value_of_state(x, t, h, me) - before if move != END else 0.0
    # The other readings of H in eq. 4.1: the child's own score, or the parent's, as it is written.
    return value_of_state(x, t, h, me) if form == CHILD else before


@kernel(I8(TREE_T, I8, GAME_T, GAME_T, TABLES_T, DECISION_T, I8))
def expand(tree, v, x, y, t, d, move):
    """Add the child of a node for a move, make the move in x, and return the child."""
    w = add_node(tree, v, key_of(x, move), np.int64(x.me))
    bias = try_for_bias(tree, x, y, t, d, move)
    # A game won or lost scores WIN or -WIN, so large that H / (1 + N) would outweigh any number of
    # roll-outs: a lucky outcome could not be corrected.
    tree.node[w].bias = min(max(bias, -WON), WON)
    return w


@kernel(I8(TREE_T, GAME_T, GAME_T, TABLES_T, DECISION_T))
def descend(tree, x, y, t, d):
    """Descend from the root through world x to a new node, the end or the depth limit."""
    v, depth = np.int64(tree.root), np.int64(0)
    while x.result == RUNNING and x.fault == 0:
        if tree.plan.depth > 0 and depth >= tree.plan.depth:
            break
        n = list_tried(tree, v, x, y, t, d)
        move = untried(tree, v, x, n)
        if move >= 0:  # every move is tried once before eq. 4.1 decides, whose N(v') must not be 0
            return expand(tree, v, x, y, t, d, move)
        move = select(tree, v, x, n, tree.plan)
        v = child_of(tree, v, key_of(x, move))
        make_counted_move(x, t, d, move)
        depth += 1
    return v


@kernel(F8(SCRATCH_T, TABLES_T, TREE_T, I8))
def roll_outs(s, t, tree, me):
    """Play the roll-outs of an iteration from its node's world; return player 0's victories."""
    p, d = tree.plan, s.decision[0]
    h, x, y = s.games[AHEAD + 1], s.games[AHEAD + 2], s.games[AHEAD + 3]
    # All begin at the node's position, h, each in another determinization: the estimate averages
    # over what the searcher does not see (FAIR), and over random moves.
    wins = 0.0
    for k in range(p.rollouts):
        determinize(h, x, t, mix(h.rng + np.uint64(k)), 1 - me, p.rollout.sight)
        wins += roll_out(x, y, t, p, p.rollout, d, me)
    return wins


@kernel(F8(SCRATCH_T, TABLES_T, TREE_T, I8))
def evolving_roll_outs(s, t, tree, me):
    """Play them as `roll_outs`, in pairs, by the best weights and a mutant of these."""
    p, d = tree.plan, s.decision[0]
    h, x, y = s.games[AHEAD + 1], s.games[AHEAD + 2], s.games[AHEAD + 3]
    # Fast-Evolutionary MCTS (2.3.3; Lucas, Samothrakis and Perez 2014), with a (1+1) strategy.
    # k // 2 gives parent and mutant the same determinization and random stream, so less of the
    # difference in victories is luck. A last roll-out without a partner is left out of `gained`.
    mutate(tree.trial, tree.parent, tree.spread, np.uint64(h.rng))
    wins, gained = 0.0, 0.0
    for k in range(p.rollouts):
        determinize(h, x, t, mix(h.rng + np.uint64(k // 2)), 1 - me, p.rollout.sight)
        if k % 2 == 0:
            won = roll_out(x, y, t, p, tree.parent, d, me)
            gained -= won if k + 1 < p.rollouts else 0.0
        else:
            won = roll_out(x, y, t, p, tree.trial, d, me)
            gained += won
        wins += won
    gained = gained if me == 0 else -gained  # victories are player 0's
    if gained > 0.0:  # on a tie the parent stays: the mutant showed no advantage
        copy_heuristic(tree.parent, tree.trial)
    tree.spread = next_spread(tree.spread, gained)
    return wins


# -- a decision -----------------------------------------------------------------------------------


@kernel(VOID(TREE_T, GAME_T))
def reuse_or_start_tree(tree, g):
    """Keep the tree if it is that of the previous decision, else start a new one."""
    # Section 4.7. Each iteration adds one node at most; nodes outside the new root's subtree stay.
    fits = tree.n_nodes + tree.plan.iterations <= NODES
    if tree.plan.reuse == ANEW or not fits or not is_kept(tree, g):
        tree.n_nodes = 0
        # A node counts victories of the player whose move led to it: for the root, the opponent.
        tree.root = add_node(tree, NONE, END, 1 - np.int64(g.me))
        tree.spread = SPREAD
        copy_heuristic(tree.parent, tree.plan.rollout)


@kernel(BOOL(TREE_T, GAME_T))
def is_time_over(tree, g):
    """Begin the time of a decision, if a turn has a limit; return whether that has passed.

    A decision takes at most half of what is left, so that some is left for those after it.
    """
    if tree.plan.seconds <= 0.0:
        return False
    now = seconds_now()
    if tree.timed != g.turn or tree.n_nodes == 0:
        tree.timed = g.turn
        tree.began = now
    # Section 4.6 limits the whole turn; how many decisions will follow is not known.
    left = tree.began + tree.plan.seconds - now
    tree.deadline = now + left / 2.0
    return left <= 0.0


@kernel(VOID(SCRATCH_T, TABLES_T, TREE_T, U8))
def search(s, t, tree, seed):
    """Grow the tree by the agent's iterations, or until its time is over."""
    g, world, h, p = s.games[TRUE], s.games[AHEAD], s.games[AHEAD + 1], tree.plan
    y, d, me = s.games[AHEAD + 3], s.decision[0], np.int64(s.games[TRUE].me)
    copy_visible_world(g, world, t, p.rollout.sight)
    for i in range(p.iterations):
        # One iteration is always made, else no move would have been tried.
        if i > 0 and p.seconds > 0.0 and seconds_now() >= tree.deadline:
            break
        # Nodes hold no states (tree.py), so every iteration samples the opponent's hidden cards and
        # replays the moves on its path.
        determinize(world, h, t, mix(seed + np.uint64(i)), 1 - me, p.rollout.sight)
        v = descend(tree, h, y, t, d)
        evolves = p.evolving == 1
        wins = evolving_roll_outs(s, t, tree, me) if evolves else roll_outs(s, t, tree, me)
        backpropagate(tree, v, wins, p.rollouts)


@kernel(I8(TREE_T, GAME_T, DECISION_T, I8))
def best_child(tree, g, d, n):
    """Return the index of the best of the n listed moves; d.score gets shares of won roll-outs."""
    best, highest = np.int64(0), -math.inf
    for k in range(n):
        v = child_of(tree, tree.root, key_of(g, g.moves[k]))
        d.score[k] = -WIN
        if v > 0 and tree.node[v].visits > 0:
            # Q / N is between 0 and the number of roll-outs: a share of them is easier to read.
            d.score[k] = tree.node[v].wins / tree.node[v].visits / tree.plan.rollouts
            value = final_value(tree, v, tree.plan)
            if value > highest:
                best, highest = np.int64(k), value
    return best


@kernel(I8(TREE_T, GAME_T, DECISION_T, I8))
def answer(tree, g, d, n):
    """Return the index of the move to play: the first of the best line, or the best child."""
    best = best_child(tree, g, d, n)
    if tree.plan.answer == LINE:
        me = np.int64(g.me)
        if tree.line == 0:
            tree.line = best_line(tree, me, tree.plan)
        step = move_to(tree, g, n, first_step(tree, np.int64(tree.line), me))
        best = best if step == NONE else step
    return best


@kernel(BOOL(TREE_T, GAME_T, I8))
def is_on_line(tree, g, n):
    """Return whether an earlier search of this turn answers this decision, too; else forget it."""
    step = np.int64(NONE)
    if tree.plan.answer == LINE and tree.line > 0 and is_kept(tree, g):
        step = move_to(tree, g, n, first_step(tree, np.int64(tree.line), np.int64(g.me)))
    if step == NONE:
        tree.line = 0
    return step != NONE


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, TREE_T))
def choose_mcts(s, t, a, tree):
    """Return the move of a tree search a (tree.py).

    The decision's score gets each move's share of won roll-outs, -WIN if it was not tried.
    """
    # Every path below draws exactly one seed, so later random numbers do not depend on the path.
    g, d = s.games[TRUE], s.decision[0]
    n = list_moves(g, t)
    if n == 1 or g.pending >= Phase.MULLIGAN:
        lookahead_seed(g)
        return np.int64(g.moves[0])
    read_plan(tree.plan, a)
    if is_time_over(tree, g) and g.pending == Phase.PLAY:
        lookahead_seed(g)
        return END
    if is_on_line(tree, g, n):
        lookahead_seed(g)
    else:
        reuse_or_start_tree(tree, g)
        search(s, t, tree, lookahead_seed(g))
        n = list_moves(g, t)
    move = np.int64(g.moves[answer(tree, g, d, n)])
    tree.root = child_of(tree, tree.root, key_of(g, move))
    if tree.root == 0:  # none was tried
        tree.n_nodes = 0
    # `is_kept` compares both, to notice a decision that was made in between (section 4.7).
    tree.turn = g.turn
    tree.lookahead_rng = g.lookahead_rng
    return move
