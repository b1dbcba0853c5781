"""Lethal: can the player to move win before its turn ends, whatever chance does?

A search of all lines of the own turn, depth first, with every outcome of a random action by its
probability (expectimax): a position is worth the best of its actions, an action the mean over its
outcomes, a win 1. The end of the turn is an action, so what happens there counts. Where the budget
ends, or an action has too many outcomes, a position may be worth anything from 0 to 1: so the
answer is a pair of bounds, and a proof where they meet.

Positions that differ only in what lies behind them are searched once. Look-aheads are fair:
the opponent's hand is drawn again where a text reads it, and a drawn card can be each of the deck.
Secrets of the opponent do not fire, or are those of a guess (`guess_secrets`).

Every place for a minion is tried while the player holds a card that affects its neighbours, which
may have to stand between two others. Else places are those of
`engine.game.moves.list_moves`.
"""

import numpy as np

from hsevo.agents.shared.belief import order_cards
from hsevo.agents.shared.scratch import GUESSES
from hsevo.agents.shared.secrets import MOST, choose_next, list_secrets, put_guess, ways
from hsevo.agents.shared.trials import has_equal_later, simulate_end_of_turn
from hsevo.agents.turn_search.search import mix_hash, mix_side, next_outcome, number_of_outcomes
from hsevo.engine.forecast.outcomes import watch_but_secrets, watch_in
from hsevo.engine.game.moves import holds_positional, list_offered, try_move_or_choice
from hsevo.engine.jit import (
    BOOL,
    F8,
    I8,
    TABLES_T,
    U8,
    VOID,
    array,
    entry_point,
    kernel,
    record,
    records,
)
from hsevo.engine.record.codec import (
    END,
    ENEMY_TARGET,
    HERO,
    POWER,
    defender_of,
    is_attack,
    is_play,
    minion_ref,
    target_of,
)
from hsevo.engine.record.state import (
    GAME_T,
    GAMES_T,
    RUNNING,
    SCRIPT,
    STATES_T,
    TEXTS,
    Phase,
    load,
    mix,
    store,
)

DEPTH = 30  # actions of a line; a longer one counts as unknown
OUTCOMES = 512  # of an action that are looked at; what is left over counts as unknown
ENTRIES = 1 << 16
EXACT = 1e-9  # sums of probabilities are as exact
SEED = np.uint64(0)  # of what no script decides: nothing that counts

# A position on the current line: what its actions are worth so far, and the one that is tried.
POSITION = np.dtype(
    [
        ("key", "u8"),
        ("cursor", "i8"),
        ("tried", "i8"),  # outcomes of the action so far
        ("chance", "f8"),  # the probability of the outcome that led here
        ("low", "f8"),  # of the best action so far
        ("high", "f8"),
        ("best", "i8"),  # the move with this `low`
        ("luck", "i8"),  # 1: that move has random outcomes
        ("action_low", "f8"),  # of the action that is tried: sums over its outcomes so far
        ("action_high", "f8"),
        ("mass", "f8"),
    ],
    align=True,
)
KNOWN = np.dtype([("key", "u8"), ("low", "f8"), ("high", "f8")])
SEARCH = np.dtype(
    [
        ("position", POSITION, (DEPTH + 1,)),
        ("known", KNOWN, (ENTRIES,)),
        ("left", "i8"),  # actions that may still be simulated
        ("luck", "i8"),  # 0: actions with random outcomes count as unknown
        ("me", "i8"),
        ("sight", "i8"),
    ],
    align=True,
)
POSITION_T, SEARCH_T, SEARCHES_T = record(POSITION), record(SEARCH), records(SEARCH)
NUMBERS_T, BOUNDS_T, GUESSES_ALL_T = array(I8, 1), array(F8, 1), records(GUESSES)


# -- which positions are the same -----------------------------------------------------------------


@kernel(U8(U8, GAME_T, I8))
def mix_more(x, g, side):
    """Mix what mix_side leaves out of a hash: order of play, counters, secrets, deck, graves."""
    s, deck, graves = g.side[side], np.uint64(0), np.uint64(0)
    for i in range(s.minions):
        a, earlier = g.char[minion_ref(side, s.row[i])], np.int64(0)
        for seat in range(2):
            for j in range(g.side[seat].minions):
                earlier += g.char[minion_ref(seat, g.side[seat].row[j])].uid < a.uid
        x = mix_hash(x, earlier, a.memory, a.spell_damage, a.aura_attack)
        for k in range(2, TEXTS if a.extra[0] != 0 else 0):
            x = mix_hash(x, a.extra[k], k, 0, 0)
    for k in range(len(s.counter)):
        x = mix_hash(x, s.counter[k], s.fatigue, s.rules, s.spell_damage)
    for k in range(s.n_secrets):
        x = mix_hash(x, s.secret[k].card, k, 0, 0)
    for k in range(s.n_later):
        x = mix_hash(x, s.later[k], k, 0, 0)
    for k in range(s.n_recalled):
        x = mix_hash(x, s.recalled[k], k, 0, 0)
    x = mix_hash(x, s.totems, s.shifting, s.n_graves, s.reflecting)
    for k in range(s.n_graves):
        graves += mix(np.uint64(s.dead[k]) + np.uint64(1))
    for k in range(s.n_deck):
        deck += mix(np.uint64(s.deck[k]) + np.uint64(1))
    for k in range(s.n_hand):
        if s.hand[k].joined != 0:
            deck += mix_hash(np.uint64(0), s.hand[k].card, s.hand[k].joined, s.hand[k].cost, 1)
    return mix(mix(x ^ deck) ^ graves)


@kernel(U8(GAME_T))
def key_of_all(g):
    """Return a hash of all that decides what a turn can still do, never 0."""
    x = np.uint64(1)
    for side in range(2):
        x = mix_more(mix_side(x, g, side), g, side)
    return max(x, np.uint64(1))


# -- the search -----------------------------------------------------------------------------------


@kernel(BOOL(I8))
def is_at_face(move):
    """Return whether a move aims at the opponent's hero."""
    face = ENEMY_TARGET + HERO
    if is_attack(move):
        return defender_of(move) == HERO
    return target_of(move) == face if is_play(move) else move == POWER + face


@kernel(VOID(GAME_T))
def put_face_first(g):
    """Put the moves at the opponent's hero first in the list: they are what wins."""
    first = 0
    for k in range(g.n_moves):
        move = g.moves[k]
        if is_at_face(move):
            g.moves[k] = g.moves[first]
            g.moves[first] = move
            first += 1


@kernel(VOID(SEARCH_T, GAMES_T, I8))
def begin_action(q, games, level):
    """Begin to try the action under the cursor: its first outcome."""
    n, h = q.position[level], games[level + 1]
    n.tried, n.mass, n.action_low, n.action_high = 0, 0.0, 0.0, 0.0
    for k in range(SCRIPT):
        h.script[k] = 0


@kernel(VOID(SEARCH_T, GAMES_T, TABLES_T, I8, U8, F8))
def open_position(q, games, t, level, key, chance):
    """Begin the search of the position at a level, which an outcome of this probability led to."""
    n = q.position[level]
    list_offered(games[level], t, holds_positional(games[level], t))
    put_face_first(games[level])
    n.key, n.chance, n.cursor, n.best = key, chance, 0, END
    n.low, n.high, n.luck = 0.0, 0.0, 0
    begin_action(q, games, level)


@kernel(VOID(SEARCH_T, GAMES_T, I8))
def end_action(q, games, level):
    """Take the action that was tried into its position's bounds, and go to the next."""
    n = q.position[level]
    if n.action_low > n.low:
        n.low = n.action_low
        n.best = games[level].moves[n.cursor]
        n.luck = games[level + 1].n_asked > 0
    n.high = max(n.high, n.action_high + max(1.0 - n.mass, 0.0))
    n.cursor = n.cursor + 1 if n.low < 1.0 - EXACT else games[level].n_moves
    begin_action(q, games, level)


@kernel(VOID(SEARCH_T, GAMES_T, I8, F8, F8, F8))
def add_outcome(q, games, level, chance, low, high):
    """Add an outcome of the action that is tried; end the action if it has no more that matter."""
    n = q.position[level]
    n.tried += 1
    n.mass += chance
    n.action_low += chance * low
    n.action_high += chance * high
    hopeless = n.action_high + 1.0 - n.mass <= n.low
    if not next_outcome(games[level + 1]) or hopeless or n.tried >= OUTCOMES:
        if n.mass > 1.0 - EXACT:
            n.mass = 1.0
        end_action(q, games, level)


@kernel(VOID(SEARCH_T, GAMES_T, TABLES_T, I8))
def simulate(q, games, t, level):
    """Make the move under the cursor on the game of the next level, by that game's script."""
    p, h = games[level], games[level + 1]
    move = np.int64(p.moves[q.position[level].cursor])
    h.n_asked = 0
    q.left -= 1
    if move == END:
        simulate_end_of_turn(p, h, t, SEED, q.sight)
    else:
        try_move_or_choice(p, h, t, move, SEED, q.sight)


@kernel(I8(SEARCH_T, GAMES_T, TABLES_T, I8))
def try_outcome(q, games, t, level):
    """Try an outcome of the move under the cursor; return the level to continue at."""
    h, move = games[level + 1], np.int64(games[level].moves[q.position[level].cursor])
    simulate(q, games, t, level)
    chance = 1.0 / number_of_outcomes(h)
    if h.fault != 0 or h.n_asked > SCRIPT or (q.luck == 0 and h.n_asked > 0):
        end_action(q, games, level)  # what is not added counts as unknown
        return level
    if h.result != RUNNING or move == END:
        won = 1.0 if h.result == q.me + 1 else 0.0
        add_outcome(q, games, level, chance, won, won)
        return level
    key = np.uint64(0) if h.pending == Phase.CHOICE else key_of_all(h)
    known = q.known[np.int64(key & np.uint64(ENTRIES - 1))]
    if key != 0 and known.key == key:
        add_outcome(q, games, level, chance, known.low, known.high)
        return level
    if level + 1 == DEPTH:
        add_outcome(q, games, level, chance, 0.0, 1.0)
        return level
    open_position(q, games, t, level + 1, key, chance)
    return level + 1


@kernel(I8(SEARCH_T, GAMES_T, I8))
def close_position(q, games, level):
    """Note what the position at a level is worth, there and one level up; return that level."""
    n = q.position[level]
    if n.key != 0:
        known = q.known[np.int64(n.key & np.uint64(ENTRIES - 1))]
        known.key, known.low, known.high = n.key, n.low, n.high
    add_outcome(q, games, level - 1, n.chance, n.low, n.high)
    return level - 1


@kernel(VOID(SEARCH_T, GAMES_T, TABLES_T, I8, I8))
def search(q, games, t, luck, budget):
    """Search the turn of games[0]; position[0] gets what was found."""
    level = 0
    q.luck, q.left = luck, budget
    for k in range(ENTRIES):
        q.known[k].key = 0
    open_position(q, games, t, 0, np.uint64(0), 1.0)
    while level > 0 or q.position[0].cursor < games[0].n_moves:
        p, n = games[level], q.position[level]
        if n.cursor >= p.n_moves:
            level = close_position(q, games, level)
        elif q.left <= 0:
            end_action(q, games, level)
            n.high, n.cursor = 1.0, p.n_moves
        elif has_equal_later(p, np.int64(p.moves[n.cursor])):
            n.cursor += 1
        else:
            level = try_outcome(q, games, t, level)


@entry_point(VOID(STATES_T, TABLES_T, GAMES_T, SEARCHES_T, I8, I8, BOUNDS_T, NUMBERS_T), "lethal",
             lambda states, t, *rest: t["late"])
def find_lethal(states, t, games, searches, sight, budget, bounds, answer):
    """Search the turn of states[0].

    games: (DEPTH + 2,) and searches: (1,), to work in. sight: FAIR, or GUESSED if its secrets are
    those of a guess. budget: actions to simulate at most; half of it, at most, for lines without
    luck, which are tried first. bounds: (2,), gets the probability to win this turn, at least and
    at most; answer: (3,), the best move, how many actions were simulated, and whether that move has
    random outcomes.
    """
    q, g = searches[0], games[0]
    load(g, states[0])
    g.watch = watch_in(g, t, sight)
    g.scripted = 1
    q.me, q.sight = g.me, sight
    search(q, games, t, 0, budget // 2)
    n, left = q.position[0], q.left + budget - budget // 2
    if n.low < 1.0 - EXACT and n.high > EXACT:
        search(q, games, t, 1, left)
        left = q.left
    bounds[0], bounds[1] = n.low, min(n.high, 1.0)
    answer[0], answer[1], answer[2] = n.best, budget - left, n.luck


@entry_point(I8(STATES_T, TABLES_T, GAMES_T, GUESSES_ALL_T), "secrets",
             lambda states, t, *rest: t["late"])
def guess_secrets(states, t, games, guesses):
    """Put each guess of the opponent's secrets in states[0] into a state; return how many.

    All are as likely. states: (MOST,); if there are more guesses, none is put there. games: (1,)
    and guesses: (1,), to work in.
    """
    g, q = games[0], guesses[0]
    load(g, states[0])
    side = 1 - np.int64(g.me)
    n = np.int64(g.side[side].n_secrets)
    order_cards(g, t, side, 0)
    list_secrets(g, t, q, side)
    several = ways(q.n_cards, n)
    for i in range(n):
        q.chosen[i] = i
    for k in range(several if several <= MOST else 0):
        load(g, states[0] if k == 0 else states[k - 1])
        g.watch = watch_but_secrets(g, t)
        order_cards(g, t, side, 0)
        put_guess(g, t, q, side)
        for i in range(n):
            g.watch |= t.card[g.side[side].secret[i].card].watch
        choose_next(q, n)
        store(states[k], g)
    return several
