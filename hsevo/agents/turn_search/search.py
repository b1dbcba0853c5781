"""Searching the own turn: what LOOKAHEAD, GSV, HEARTHSIM and the learned policy have in common.

Depth-first search over the own actions, without recursion: scratch.games[level] is the position
after `level` actions, level 0 the true game, and scratch.node[level] the state of its search; each
keeps its list of moves while those below it change.
A line of actions scores as the best position on it, since the turn can be ended after any of them;
ending the turn at once scores as the position (it is not simulated: effects at the end of the turn
and the opponent's next draw are ignored). The first action of the best line is played.
A net has learned what a position is worth in the middle of a turn and at its end. So it scores the
simulated end of the turn wherever a line may stop, and the position as it is where the search does.

Ties go to the later move of `list_moves`, as in the competition's program: an action that changes
nothing is preferred to ending the turn. A win scores WIN / (actions that it takes), so the fastest
one is chosen, a loss -WIN, a draw 0.

a.budget[DEPTH]    search depth in actions, 1 to LEVELS; 0: as given by lookahead.depth_for
a.budget[NODES]    about how many actions a decision may simulate
a.budget[SAMPLES]  0: a position is one sampled outcome of the action that led to it, also after a
                   card draw, and is searched further. Otherwise a random outcome ends a line (a
                   "stop node"), which scores as the mean of that many outcomes.

`sight` determines what an agent may know: see eva/decision.py. In a choice (Discover) each offered
card is an action. Starting hands are kept.

Of equal cards in hand only the last is tried. Positions reached before with as many actions left
are not searched again: a small table, which is empty when a decision begins, stores their scores.
Two positions are the same if all that can be seen is the same, whatever the order in which minions
entered play.

A position divides its share of NODES equally among its moves (what one does not use goes to those
after it); a position whose share is less than its number of moves is not searched further. With the
decks of CIG2018 a decision takes 470 simulated actions at most for dl:miller and 40,713 for gsv
(13,336 and 4,990 decisions, medians 7 and 12); hearthsim would exceed its 1,000 in 6 of 100.
"""

import numpy as np

from hsevo.agents.eva.equations import score, value_minions
from hsevo.agents.network.features import known_cards
from hsevo.agents.network.network import NETS_T
from hsevo.agents.network.value import forget_positions, network_value
from hsevo.agents.shared.agent import AFTERSTATE, AGENT_T, GSV, HEARTHSIM, searches_by_eva
from hsevo.agents.shared.scores import WIN, linear_side
from hsevo.agents.shared.scratch import DECISION_T, ENTRIES, LEVELS, NODE_T, SCRATCH_T, TRUE
from hsevo.agents.shared.trials import has_equal_later, simulate_end_of_turn
from hsevo.agents.turn_search.gsv import evaluate_gsv
from hsevo.agents.turn_search.hearthsim import DRAWS, EXACT, EXPECTED, evaluate_hearthsim
from hsevo.agents.turn_search.lookahead import depth_for
from hsevo.agents.turn_search.reply import KEPT, choose_by_reply, remember
from hsevo.engine.game.moves import list_few_moves, list_moves, try_move_or_choice
from hsevo.engine.jit import BOOL, F8, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import END, hero_of, minion_ref
from hsevo.engine.record.state import (
    DRAW,
    GAME_T,
    MOVES,
    RUNNING,
    SCRIPT,
    Phase,
    lookahead_seed,
    mix,
)

DEPTH, NODES, SAMPLES = 1, 2, 3  # of a.budget; 0 is scores.SCORE
NO_KEY = -1.0
_ONE, _63 = np.uint64(1), np.uint64(63)
_11, _32, _ODD = np.uint64(11), np.uint64(32), np.uint64(0x9E3779B97F4A7C15)


# -- the score of a position --------------------------------------------------------------------


@kernel(F8(GAME_T, I8, I8))
def final_score(h, me, actions):
    """Return the score of a finished game, `actions` after the true one."""
    if h.result == DRAW:
        return 0.0
    return WIN / max(actions, 1) if h.result == me + 1 else -WIN


@kernel(F8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, I8, I8))
def evaluate_by_network(s, t, a, nets, level, move):
    """Return a net's score of the position at a level, as `evaluate`."""
    h, me = s.games[level], np.int64(s.games[TRUE].me)
    s.known[level] = known_cards(s.games[level - 1], h, me, move, s.known[level - 1])
    return network_value(s, h, t, a, nets, me, s.known[level], False)


@kernel(F8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, I8, I8), inline=True)
def evaluate(s, t, a, nets, level, move):
    """Return the score of the position at a level, which `move` led to, for the player to move."""
    g, h = s.games[TRUE], s.games[level]
    me = np.int64(g.me)
    if h.result != RUNNING:
        return final_score(h, me, level)
    if a.kind == AFTERSTATE:
        return evaluate_by_network(s, t, a, nets, level, move)
    if a.kind == GSV:
        return evaluate_gsv(h, t, a, me)
    if a.kind == HEARTHSIM:
        return evaluate_hearthsim(h, t, a, me)
    if searches_by_eva(a):
        return score(g, h, t, a, s.decision[0])
    return linear_side(h, a, me, 0) + linear_side(h, a, 1 - me, 1)


@kernel(F8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, I8, U8))
def score_of_ending(s, t, a, nets, level, seed):
    """Return a net's score of the end of the turn at a level; -WIN if a choice is open."""
    g, h, me = s.games[level], s.games[level + 1], np.int64(s.games[TRUE].me)
    if g.pending != Phase.PLAY:
        return -WIN
    simulate_end_of_turn(g, h, t, mix(seed), a.sight)
    s.decision[0].simulated += 1
    if h.result != RUNNING:
        return final_score(h, me, level + 1)
    known = known_cards(g, h, me, END, s.known[level])
    return network_value(s, h, t, a, nets, me, known, True)


# -- hashes of positions ------------------------------------------------------------------------


@kernel(U8(U8, I8, I8, I8, I8))
def mix_hash(x, a, b, c, d):
    """Mix four numbers, 16 bits of each, into a hash."""
    low = (np.int64(a) & 0xFFFF) | (np.int64(b) & 0xFFFF) << 16
    high = (np.int64(c) & 0xFFFF) | (np.int64(d) & 0xFFFF) << 16
    return mix(x ^ np.uint64(low)) ^ (np.uint64(high) << _32)


@kernel(I8(I8), inline=True)
def mark_of_text(text):
    """Return 16 bits that tell attached texts apart: the card's highest bit comes last.

    A key's place in the table decides what a search of few nodes forgets, and so the games of
    published agents. The order of bits is the one that they were played with, when a card had 11.
    """
    return (text & 0x7FF) | (text >> 12) << 11 | (text & 0x800) << 4


@kernel(U8(U8, GAME_T, I8), inline=True)
def mix_character(x, g, ref):
    """Mix a character into a hash."""
    c = g.char[ref]
    x = mix_hash(x, c.card, c.attack, c.health, c.max_health)
    marks = np.int64(c.keywords | c.aura_keywords)
    x = mix_hash(x, marks, marks >> 16, c.attacks, c.turn_attack)
    if c.extra[0] != 0 or c.borrowed > 0:
        x = mix_hash(x, mark_of_text(c.extra[0]), mark_of_text(c.extra[1]), c.borrowed, 0)
    return x


@kernel(U8(U8, GAME_T, I8), inline=True)
def mix_side(x, g, side):
    """Mix a player's hero, minions from left to right, numbers and hand (in any order).

    Of the opponent's hand only how many: what is hidden must not decide which keys share a place.
    """
    s = g.side[side]
    x = mix_character(x, g, hero_of(side))
    for i in range(s.minions):
        x = mix_character(x, g, minion_ref(side, s.row[i]))
    played = s.power_used + 32 * s.played + 4096 * s.minions_played
    x = mix_hash(x, s.mana, s.crystals, s.armor, played)
    x = mix_hash(x, s.weapon, s.weapon_attack, s.durability, s.minions + 16 * s.n_secrets)
    x = mix_hash(x, s.power, s.overload + 16 * s.locked, s.turn_rules, s.n_dead + 64 * s.n_later)
    hand = np.uint64(s.n_hand)
    for i in range(s.n_hand if side == g.me else 0):
        h = s.hand[i]
        hand += mix_hash(np.uint64(0), h.card, h.cost, h.attack, h.health)
    undrawn = np.int64(g.undrawn[side])  # 0 unless a look-ahead draws no cards
    return mix(x ^ hand) + np.uint64(s.n_deck + 64 * s.jade + (undrawn << 20))


@kernel(F8(GAME_T, U8, I8))
def key_of(g, salt, left):
    """Return a position's key for the table, 53 bits: a hash of what can be seen, and `left`."""
    x = salt + np.uint64(left)
    for side in range(2):
        x = mix_side(x, g, side)
    return np.float64(x >> _11)


@kernel(U8(GAME_T), inline=True)
def sign_of(h):
    """Return one bit of 64, the same for positions with the same key: a cheap hash of parts of it.

    Keys took a seventh of the time of eva:turn. Only a position with the sign of a known one needs
    one before its search begins.
    """
    x = np.int64(0)
    for side in range(2):
        s = h.side[side]
        x += 5 * s.armor + 11 * s.mana + 13 * s.n_dead + 19 * s.n_hand
        x = 3 * x + h.char[hero_of(side)].health
    return _ONE << (np.uint64(x) & _63)


@kernel(F8(GAME_T, U8, I8))
def key_for_table(h, salt, left):
    """Return a position's key for the table, NO_KEY if a choice is open."""
    return NO_KEY if h.pending == Phase.CHOICE else key_of(h, salt, left)


@kernel(VOID(SCRATCH_T))
def clear_table(s):
    """Empty the table.

    Another agent may have just decided the same position of a mirrored game, with the same salt.
    """
    s.number += 1
    for level in range(LEVELS):
        s.node[level].closed = 0


@kernel(I8(F8))
def place_in_table(key):
    """Return the index of a key in the table."""
    return np.int64(key) % ENTRIES


# -- the search ---------------------------------------------------------------------------------


@kernel(BOOL(GAME_T, GAME_T, U8))
def is_chance(p, h, seed):
    """Return whether going from p to h involved a random outcome or a card from a deck."""
    decks = h.side[0].n_deck + h.side[1].n_deck
    return h.rng != seed or decks != p.side[0].n_deck + p.side[1].n_deck


@kernel(BOOL(GAME_T), inline=True)
def next_outcome(h):
    """Set the script of the next outcome of an action; return False if there is none."""
    k = np.int64(h.n_asked) - 1
    while k >= 0 and h.script[k] + 1 >= h.sizes[k]:
        h.script[k] = 0
        k -= 1
    if k >= 0:
        h.script[k] += 1
    return k >= 0


@kernel(F8(GAME_T), inline=True)
def number_of_outcomes(h):
    """Return one over the probability of the outcome that the script led to, at least 1."""
    outcomes = 1.0
    for k in range(min(np.int64(h.n_asked), SCRIPT)):
        outcomes *= h.sizes[k]
    return outcomes


@kernel(F8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, I8, I8, U8))
def expected_score(s, t, a, nets, level, move, seed):
    """Return the expected score of a move, from all its outcomes; NAN if they are too many.

    Each is made with the random numbers that lead to it. They are too many if there are more than
    a.budget[EXACT], or more by the sizes of the random numbers of one of them, or if one needs more
    than SCRIPT random numbers.
    """
    p, h, total, n = s.games[level], s.games[level + 1], 0.0, 0
    for k in range(SCRIPT):
        h.script[k] = 0
    p.scripted = 1
    while True:
        h.n_asked = 0
        try_move_or_choice(p, h, t, move, seed, a.sight)
        n += 1
        outcomes = number_of_outcomes(h)
        if h.n_asked > SCRIPT or n > a.budget[EXACT] or outcomes > a.budget[EXACT]:
            total = np.nan
            break
        total += evaluate(s, t, a, nets, level + 1, move) / outcomes
        if not next_outcome(h):
            break
    p.scripted = 0
    s.decision[0].simulated += n
    return total


@kernel(F8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, I8, I8, U8, F8))
def mean_outcome_score(s, t, a, nets, level, move, seed, total):
    """Return the mean score of a move's outcome, `total`, and of further sampled ones."""
    p, h, n = s.games[level], s.games[level + 1], np.int64(a.budget[SAMPLES])
    for k in range(1, n):
        try_move_or_choice(p, h, t, move, mix(seed + np.uint64(k) * _ODD), a.sight)
        total += evaluate(s, t, a, nets, level + 1, move)
    s.decision[0].simulated += n - 1
    return total / n


@kernel(F8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, I8, I8, U8, F8))
def chance_score(s, t, a, nets, level, move, seed, value):
    """Return the score of a stop node, one outcome of which has the score `value`."""
    if a.kind == HEARTHSIM and a.budget[EXACT] > 0:
        expected = expected_score(s, t, a, nets, level, move, seed)
        if not np.isnan(expected):
            return expected
    return mean_outcome_score(s, t, a, nets, level, move, seed, value)


@kernel(VOID(GAME_T, NODE_T, F8, F8, F8))
def open_position(g, node, value, limit, key):
    """Begin the search of a position, whose moves are listed, after END TURN."""
    node.cursor = 0 if g.pending == Phase.CHOICE else 1
    node.best = -WIN if g.pending == Phase.CHOICE else value
    node.limit = limit
    node.key = key


@kernel(VOID(SCRATCH_T, I8, F8))
def store_score(s, level, value):
    """Store the score of the move just tried, and advance to the next."""
    node = s.node[level]
    if level == 0:
        s.decision[0].score[node.cursor] = value
    node.best = max(node.best, value)
    node.cursor += 1


@kernel(VOID(SCRATCH_T, I8))
def close_position(s, level):
    """Store the score of a finished position, in the table and one level up."""
    node = s.node[level]
    entry = s.table[place_in_table(node.key)]
    entry.key = node.key
    entry.worth = node.best
    entry.number = s.number
    node.closed |= node.sign
    store_score(s, level - 1, node.best)


@kernel(VOID(SCRATCH_T, GAME_T, AGENT_T, I8, F8))
def keep_end(s, h, a, first, value):
    """Remember position h for the opponent's reply, if the agent awaits it, and the turn can end.

    first: the index of the move of the true game that leads there.
    """
    replies = (searches_by_eva(a) or a.kind == AFTERSTATE) and a.budget[KEPT] > 0
    if replies and h.result == RUNNING and h.pending == Phase.PLAY:
        remember(s, h, a.budget[KEPT], first, value, key_of(h, np.uint64(0), 0))


@kernel(BOOL(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, I8, I8, U8), inline=True)
def try_next(s, t, a, nets, level, depth, salt):
    """Try the next move of a position: store its score, or return True to search it first."""
    p, h, d, node = s.games[level], s.games[level + 1], s.decision[0], s.node[level]
    k = np.int64(node.cursor)
    move = np.int64(p.moves[k])
    seed = mix((salt if level == 0 else p.rng) + np.uint64(k))
    try_move_or_choice(p, h, t, move, seed, a.sight)
    d.simulated += 1
    stop = a.budget[SAMPLES] > 0 and is_chance(p, h, seed)
    value = evaluate(s, t, a, nets, level + 1, move)
    if stop:
        value = chance_score(s, t, a, nets, level, move, seed, value)
    if a.kind != AFTERSTATE:
        keep_end(s, h, a, s.node[0].cursor, value)
    if not stop and level + 1 < depth and h.result == RUNNING:
        below, key = s.node[level + 1], NO_KEY
        left = depth - level + (LEVELS + 1) * s.known[level + 1]
        sign = sign_of(h)
        if (below.closed & sign) != 0:  # else the position is not known
            key = key_for_table(h, salt, left)
            entry = s.table[place_in_table(key)]
            if key != NO_KEY and entry.key == key and entry.number == s.number:
                store_score(s, level, entry.worth)
                return False
        share = (node.limit - d.simulated) / (p.n_moves - k)
        if list_few_moves(h, t, np.int64(min(share, MOVES))) <= share:
            if (below.closed & sign) == 0:
                key = key_for_table(h, salt, left)
            below.sign = sign
            open_position(h, below, value, d.simulated + share, key)
            if a.kind == AFTERSTATE:
                below.best = score_of_ending(s, t, a, nets, level + 1, h.rng)
                keep_end(s, h, a, s.node[0].cursor, below.best)
            return True
    if a.kind == AFTERSTATE:
        keep_end(s, h, a, s.node[0].cursor, value)
    store_score(s, level, value)
    return False


@kernel(I8(GAME_T, DECISION_T))
def best_move(g, d):
    """Return the move with the highest score, the last of several."""
    best = 0
    for k in range(g.n_moves):
        if d.score[k] >= d.score[best]:
            best = k
    return g.moves[best]


@kernel(F8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T, U8))
def score_now(s, t, a, nets, salt):
    """Begin a decision: return the score of ending the turn at once."""
    g = s.games[TRUE]
    s.known[:] = 0
    if a.kind == AFTERSTATE:
        s.known[0] = g.side[g.me].n_hand
        forget_positions(s, g, a, nets, np.int64(g.me))
        return score_of_ending(s, t, a, nets, 0, salt)
    if searches_by_eva(a):
        value_minions(g, t, a, s.decision[0])
    return evaluate(s, t, a, nets, 0, END)


@kernel(BOOL(SCRATCH_T), inline=True)
def leaves_to_reply(s):
    """Return whether the opponent's reply decides between ends of the turn that were remembered."""
    return s.n_ends > 1 and s.node[0].best < WIN / (LEVELS + 1)


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T))
def search_turn(s, t, a, nets):
    """Return the move of an agent that searches its own turn.

    The decision's score gets the scores of the moves; -WIN for a card that has an equal one later
    in the hand.
    """
    g, d, level, salt = s.games[TRUE], s.decision[0], 0, lookahead_seed(s.games[TRUE])
    value = score_now(s, t, a, nets, salt)
    list_moves(g, t)
    open_position(g, s.node[0], value, np.float64(a.budget[NODES]), NO_KEY)
    if g.pending >= Phase.MULLIGAN:
        return END
    d.score[0] = value
    clear_table(s)
    s.n_ends = 0
    keep_end(s, g, a, 0, value)
    depth = a.budget[DEPTH] if a.budget[DEPTH] > 0 else depth_for(g.n_moves)
    while True:
        p, k = s.games[level], np.int64(s.node[level].cursor)
        if k < p.n_moves:
            if has_equal_later(p, p.moves[k]):
                store_score(s, level, -WIN)
            elif try_next(s, t, a, nets, level, depth, salt):
                level += 1
        elif level > 0:
            close_position(s, level)
            level -= 1
        elif leaves_to_reply(s):
            return choose_by_reply(s, t, a, nets, salt)
        else:
            return best_move(g, d)


@kernel(I8(SCRATCH_T, TABLES_T, AGENT_T, NETS_T))
def choose_by_search(s, t, a, nets):
    """Return the move of an agent that searches its own turn, as `search_turn`."""
    g = s.games[TRUE]
    if a.kind == HEARTHSIM and a.budget[DRAWS] == EXPECTED:
        g.undrawn[0], g.undrawn[1] = 1, 1
    move = search_turn(s, t, a, nets)
    g.undrawn[0], g.undrawn[1] = 0, 0
    return move
