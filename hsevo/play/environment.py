"""Games of a vector environment, in compiled code: one step of each, whole turns of an opponent.

A slot holds a game until it is over, and then the next one. Its games depend on its seed and on
what they are drawn from alone, so how slots are shared among threads changes nothing. A hosted
opponent decides in Python, so a slot waits where it is to build its deck or to move, and continues
with what it says. So does one whose decks Python draws.
"""

import numpy as np

from hsevo.agents.shared.scratch import TRUE
from hsevo.engine.game.moves import list_offered, make_move
from hsevo.engine.intrinsics import prefetch_row
from hsevo.engine.jit import BOOL, I8, U8, VOID, kernel
from hsevo.engine.operations.turn import resolve_stack
from hsevo.engine.record.state import (
    DECK,
    GAME_T,
    NONE,
    RUNNING,
    WIN_0,
    WIN_1,
    Fault,
    load,
    mix,
    store,
)
from hsevo.engine.view.actions import FIRST_PLACE, allow, list_choices, move_of, parts_of
from hsevo.engine.view.observe import ENEMY_DECK_AT, OUT_T, observe
from hsevo.play.acts import forget, note, note_move, write_past
from hsevo.play.context import BATCH_T, CONTEXT_T, ENVIRONMENT_T, SLOT_T, Waits
from hsevo.play.stepping import decide, forget_tree, is_running, lay_out, lay_out_noted

FAULTED = 4  # in `over`, where other numbers are engine.record.state.Outcome
# any odd constants: they separate what a game's seed is used for
_SEAT, _OWN, _OTHER, _WHO = (np.uint64(0xA24BAED4963EE407), np.uint64(0x9FB21C651E98DF25),
                             np.uint64(0xD6E8FEB86659FD93), np.uint64(0xC2B2AE3D27D4EB4F))
_11, _32 = np.uint64(11), np.uint64(32)


@kernel(I8(U8, I8))
def scaled(bits, n):
    """Return a uniform number below n from 64 random bits (bias below n / 2**32)."""
    return np.int64(((bits >> _32) * np.uint64(n)) >> _32)


@kernel(I8(ENVIRONMENT_T, U8))
def draw_opponent(e, bits):
    """Return an opponent by their chances, from 64 random bits; NONE if there are none."""
    if len(e.opponents) == 0:
        return np.int64(NONE)
    number, k = np.float64(bits >> _11) / 2.0**53, np.int64(0)
    while number >= e.opponents[k].until:
        k += 1
    return k


@kernel(BOOL(ENVIRONMENT_T, SLOT_T), inline=True)
def is_hosted(e, slot):
    """Return whether a slot has a hosted opponent."""
    return slot.opponent != NONE and e.opponents[slot.opponent].hosted == 1


@kernel(VOID(ENVIRONMENT_T, I8))
def draw_next(e, i):
    """Draw seat, opponent and decks of the next game of slot i, or let it wait for its decks."""
    slot = e.slots[i]
    seed = mix(slot.seed + np.uint64(slot.game))
    slot.game += 1
    slot.acted, slot.waits = NONE, Waits.NOTHING
    slot.opponent = draw_opponent(e, mix(seed ^ _WHO))
    slot.seat = scaled(mix(seed ^ _SEAT), 2) if slot.opponent != NONE else NONE
    if len(e.own) == 0:
        slot.deck[0], slot.deck[1], slot.waits = 2 * i, 2 * i + 1, Waits.DECK
        return
    first = max(np.int64(slot.seat), 0)
    slot.deck[first] = e.own[scaled(mix(seed ^ _OWN), len(e.own))]
    slot.deck[1 - first] = e.others[scaled(mix(seed ^ _OTHER), len(e.others))]
    if is_hosted(e, slot):
        slot.waits = Waits.DECK


@kernel(VOID(CONTEXT_T, ENVIRONMENT_T, I8))
def deal(c, e, i):
    """Begin the game that was drawn for slot i as the true game."""
    slot = e.slots[i]
    seed = mix(slot.seed + np.uint64(slot.game - 1))
    if slot.waits == Waits.DECK:  # agents that a hosted opponent asks may guess by what was shown
        lay_out_noted(c, e.built[2 * i], e.built[2 * i + 1], seed, is_hosted(e, slot))
    else:
        lay_out(c, c.decks[slot.deck[0]], c.decks[slot.deck[1]], seed)
    resolve_stack(c.scratch[0].games[TRUE], c.tables)
    if len(e.pasts) > 0:
        forget(e.pasts[i])


@kernel(VOID(CONTEXT_T, ENVIRONMENT_T, I8, I8))
def make(c, e, i, move):
    """Make a legal move in the true game, of slot i, and note it if there is a history."""
    g = c.scratch[0].games[TRUE]
    if len(e.pasts) > 0:
        note_move(g, e.pasts[i], move)
    make_move(g, c.tables, move)


@kernel(VOID(CONTEXT_T, ENVIRONMENT_T, I8))
def answer(c, e, i):
    """Let a compiled opponent of slot i, if there is one, move until it is not its turn."""
    g, slot = c.scratch[0].games[TRUE], e.slots[i]
    if slot.opponent == NONE or is_hosted(e, slot):
        return
    agent = np.int64(e.opponents[slot.opponent].agent)
    if e.opponents[slot.opponent].each == 1:
        agent += np.int64(slot.deck[1 - slot.seat]) * len(c.decks) + slot.deck[slot.seat]
    forget_tree(c)
    while is_running(g) and g.me != slot.seat:
        make(c, e, i, decide(c, agent))


@kernel(VOID(CONTEXT_T, ENVIRONMENT_T, SLOT_T, I8))
def write_choices(c, e, slot, i):
    """Write what the player to move in the true game, of slot i, may do: bits and masks."""
    g = c.scratch[0].games[TRUE]
    slot.moves = list_offered(g, c.tables, c.all_places != 0)
    e.legal[i, :] = 0
    e.what[i, :] = 0
    e.at[i, :, :] = 0
    e.where[i, :, :] = 0
    whats = np.int64(0)
    for k in range(slot.moves):
        what, target, place = parts_of(g, np.int64(g.moves[k]))
        allow(e.legal[i], what, target, place)
        whats |= 1 << what
        e.what[i, what] = 1
        e.at[i, what, target] = 1
        e.where[i, what, place] = 1
    slot.whats = whats


@kernel(VOID(CONTEXT_T, ENVIRONMENT_T, I8, I8, OUT_T))
def look(c, e, i, player, out):
    """Write what a player of the true game, of row i, sees: the only place where it is written.

    With the opponent's deck list if it is known, and the past if there is a history.
    """
    observe(c.scratch[0].games[TRUE], c.tables, e.rows, player, out, c.scratch[0].sorting[0])
    if len(e.lists) > 0:
        for k in range(DECK):
            out[ENEMY_DECK_AT + k] = e.lists[e.slots[i].deck[1 - player], k]
    if len(e.pasts) > 0:
        write_past(e.pasts[i], c.tables, e.rows, player, out)


@kernel(VOID(CONTEXT_T, ENVIRONMENT_T, I8))
def show(c, e, i):
    """Write what the player to move in the true game, of slot i, sees and may do."""
    look(c, e, i, np.int64(c.scratch[0].games[TRUE].me), e.observations[i])
    write_choices(c, e, e.slots[i], i)


@kernel(VOID(GAME_T, ENVIRONMENT_T, I8))
def reward(g, e, i):
    """Write how the game of slot i has ended, and what both players get for it."""
    e.over[i] = FAULTED if g.fault != Fault.NONE else g.result
    won = np.int64(g.result == WIN_0) - np.int64(g.result == WIN_1)
    e.rewards[i, 0] = won
    e.rewards[i, 1] = -won


@kernel(VOID(CONTEXT_T, ENVIRONMENT_T, I8))
def end(c, e, i):
    """Write how the true game, of slot i, has ended, and what who acted last sees of it."""
    reward(c.scratch[0].games[TRUE], e, i)
    if len(e.last) > 0:
        look(c, e, i, np.int64(e.slots[i].acted), e.last[i])


@kernel(VOID(CONTEXT_T, BATCH_T, ENVIRONMENT_T, I8))
def go_on(c, b, e, i):
    """Go on with the true game, of slot i, and with next ones, until there is something to decide.

    By who acts: then show it. Or by a hosted opponent or whoever draws decks: then it waits.
    """
    g, slot = c.scratch[0].games[TRUE], e.slots[i]
    answer(c, e, i)
    while not is_running(g):
        if slot.acted != NONE:  # else nobody had anything to decide in it
            end(c, e, i)
        draw_next(e, i)
        if slot.waits == Waits.DECK:
            return
        deal(c, e, i)
        answer(c, e, i)
    if slot.seat < 0 or g.me == slot.seat:
        slot.waits = Waits.NOTHING
        show(c, e, i)
    else:
        slot.waits = Waits.MOVE
    store(b.states[i], g)


@kernel(VOID(BATCH_T, ENVIRONMENT_T, I8), inline=True)
def fetch_slot(b, e, i):
    """Prefetch what slot i reads and writes: thousands do not fit the processor's caches.

    Measured with 4,096 slots: a step takes about a tenth less.
    """
    prefetch_row(b.states, i)
    prefetch_row(e.observations, i)
    prefetch_row(e.legal, i)
    prefetch_row(e.at, i)
    prefetch_row(e.where, i)


@kernel(VOID(CONTEXT_T, BATCH_T, ENVIRONMENT_T, I8))
def begin_slot(c, b, e, i):
    """Begin the next game of slot i."""
    draw_next(e, i)
    if e.slots[i].waits != Waits.DECK:
        deal(c, e, i)
        go_on(c, b, e, i)


@kernel(VOID(CONTEXT_T, BATCH_T, ENVIRONMENT_T, I8))
def step_slot(c, b, e, i):
    """Take the legal action of slot i; if that ends its game, begin the next."""
    fetch_slot(b, e, i + 1)
    g = c.scratch[0].games[TRUE]
    load(g, b.states[i])
    e.slots[i].acted = g.me
    e.over[i] = RUNNING
    e.rewards[i, :] = 0
    make(c, e, i, move_of(e.actions[i, 0], e.actions[i, 1], e.actions[i, 2]))
    go_on(c, b, e, i)


@kernel(VOID(CONTEXT_T, BATCH_T, ENVIRONMENT_T, I8))
def go_on_slot(c, b, e, i):
    """Go on with slot i, if it waits: with the decks of its game or its opponent's move."""
    waits = np.int64(e.slots[i].waits)
    if waits == Waits.NOTHING:
        return
    if waits == Waits.DECK:
        deal(c, e, i)
    else:
        load(c.scratch[0].games[TRUE], b.states[i])
        make(c, e, i, b.moves[i])
    go_on(c, b, e, i)


@kernel(BOOL(ENVIRONMENT_T, I8))
def is_legal_action(e, i):
    """Return whether the action of slot i is legal."""
    what, target, place = e.actions[i, 0], e.actions[i, 1], e.actions[i, 2]
    if move_of(what, target, place) == NONE:
        return False
    bits = np.int64(e.legal[i, what])
    return (bits >> target) & (bits >> (FIRST_PLACE + place)) & 1 == 1


@kernel(I8(ENVIRONMENT_T))
def first_illegal(e):
    """Return the first slot whose action is not legal, -1 if all are."""
    for i in range(len(e.slots)):
        if not is_legal_action(e, i):
            return i
    return -1


@kernel(I8(I8), inline=True)
def count_bits(bits):
    """Return how many bits are set."""
    n = np.int64(0)
    while bits != 0:
        bits &= bits - 1
        n += 1
    return n


@kernel(I8(I8), inline=True)
def first_bit(bits):
    """Return the place of the lowest bit that is set."""
    return count_bits((bits & -bits) - 1)


@kernel(I8(I8, I8))
def nth_bit(bits, n):
    """Return the place of the n-th bit that is set, from 0."""
    for _ in range(n):
        bits &= bits - 1
    return first_bit(bits)


@kernel(VOID(BATCH_T, ENVIRONMENT_T, I8))
def sample_action(b, e, i):
    """Set the action of slot i to a uniform legal one, by its seed."""
    slot = e.slots[i]
    left, rest = scaled(mix(b.seeds[i]), slot.moves), np.int64(slot.whats)
    while rest != 0:
        what = first_bit(rest)
        bits = np.int64(e.legal[i, what])
        targets, places = bits & ((1 << FIRST_PLACE) - 1), bits >> FIRST_PLACE
        wide = count_bits(places)
        n = count_bits(targets) * wide
        if left < n:
            e.actions[i, 0] = what
            e.actions[i, 1] = nth_bit(targets, left // wide)
            e.actions[i, 2] = nth_bit(places, left % wide)
            return
        left -= n
        rest &= rest - 1


@kernel(VOID(CONTEXT_T, BATCH_T, ENVIRONMENT_T, I8))
def observe_one(c, b, e, i):
    """Write what players[i] (< 0: the one to move) sees of state i, and the legal moves."""
    g = c.scratch[0].games[TRUE]
    load(g, b.states[i])
    player = b.players[i] if b.players[i] >= 0 else np.int64(g.me)
    look(c, e, i, player, e.observations[i])
    list_choices(g, c.tables, e.legal[i], c.all_places != 0)
    if player != g.me:
        e.legal[i, :] = 0


@kernel(VOID(CONTEXT_T, BATCH_T, ENVIRONMENT_T, I8))
def note_one(c, b, e, i):
    """Note the move that is about to be made in state i, if there is one."""
    if b.moves[i] >= 0 and b.states[i].result == RUNNING:
        g = c.scratch[0].games[TRUE]
        load(g, b.states[i])
        note_move(g, e.pasts[i], b.moves[i])


@kernel(VOID(ENVIRONMENT_T))
def note_acts(e):
    """Note acts, in their order, in the first of the pasts."""
    for k in range(len(e.acts)):
        a = e.acts[k]
        note(e.pasts[0], a.turn, a.player, a.kind, a.card, a.target, a.side)
