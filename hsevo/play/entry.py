"""The compiled functions that Python calls, with a command for each thing they can do.

    call(Command.PLAY_ROWS, context, pairings=..., results=...)

A `Context` holds what all games of a caller share, a `Batch` the arrays of one call. Each entry
point contains the whole engine, so there are two: `enter` for the rules and the games of agents
that look one action ahead, which is all that the first games of a fresh install wait for;
`enter_rest` for searches, closed deck lists, environments and learning. What both do, they do
alike. Callers are `match.py`, `games.py`, `behaviour.py`, `decision_times.py`,
`learning/slots.py` and `benches/decision.py`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from hsevo.agents.eva.parts import do_part
from hsevo.agents.shared.agent import ONE_AHEAD
from hsevo.agents.shared.scratch import TRUE
from hsevo.engine.game.moves import begin_move, list_moves, list_offered, make_move
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, calling, entry_point, kernel
from hsevo.engine.operations.turn import chose_in_cast, next_op, resolve_step
from hsevo.engine.record.codec import END, hero_of
from hsevo.engine.record.state import (
    GAME_T,
    HAND,
    RUNNING,
    SCRIPT,
    WIN_0,
    WIN_1,
    Fault,
    Phase,
    load,
    mix,
    number_below,
    store,
)
from hsevo.engine.rules.costs import cost_of, power_cost
from hsevo.play.context import (
    BATCH_T,
    CONTEXT_T,
    ENVIRONMENT_T,
    NUMBERS_T,
    PAIRING_T,
    PASSED_T,
    RESULT_T,
    Batch,
    Context,
    Environment,
)
from hsevo.play.environment import (
    begin_slot,
    first_illegal,
    go_on_slot,
    note_acts,
    note_one,
    observe_one,
    sample_action,
    step_slot,
)
from hsevo.play.samples import begin_game_of, end_game_of, record_move
from hsevo.play.stepping import (
    begin_game,
    decide,
    decide_ahead,
    forget_tree,
    is_running,
    lay_out,
    take_move,
    take_move_ahead,
)
from hsevo.types import Array


class Command(IntEnum):
    """The commands: what each does with the arrays of its batch, and what it returns."""

    PLAY_ROWS = 0  # play the games of `pairings`, add them to `results`
    DEAL = 1  # begin game 0 of pairing 0, in the scratch
    DECIDE = 2  # return the move of the agent to move in that game, of pairing 0
    MOVE = 3  # make moves[0] in that game; it must be legal
    DEAL_ALL = 4  # begin game 0 of pairing i in zeroed states[i]
    LIST_ALL = 5  # set masks[i] to the legal moves of states[i]
    MOVE_ALL = 6  # make moves[i] in states[i] and return -1; or return i of the first illegal move
    SAMPLE_ALL = 7  # set moves[i] to a uniform legal move of states[i], by seeds[i]; END if over
    STORE = 8  # copy the game in the scratch to states[0]
    ASK_ALL = 9  # agent asked[i], if any, moves in states[i]; set moves[i] to its move, or -1
    LAY_OUT = 10  # as DEAL, but leave the first turn on the stack
    BEGIN = 11  # as MOVE, but leave what follows on the stack
    RESOLVE = 12  # resolve one step of it, and fill `report`; return 0 if nothing was left
    COSTS_ALL = 13  # set costs[i] to those of the cards in hand and the hero powers of states[i]
    OBSERVE_ALL = 14  # observe states[i] for players[i]; list the choices of the one to move
    # of an `Environment`, whose games are `states`:
    BEGIN_SLOTS = 15  # begin the next game of each slot
    CHECK_SLOTS = 16  # return the first slot whose action is not legal, or -1
    STEP_SLOTS = 17  # take the legal actions; where a game ends, begin the next
    SAMPLE_SLOTS = 18  # set actions to uniform legal ones, by `seeds`
    RECORD_ROWS = 19  # as PLAY_ROWS, and add samples of agent 0, and their `counts`
    PART_ALL = 20  # do part[0] of a decision in states[i], add its number of actions to part[1]
    GO_ON_SLOTS = 21  # where a slot waits, continue with `built` or `moves` of a hosted opponent
    NOTE_ALL = 22  # note moves[i], if it is one, in pasts[i]: about to be made in states[i]
    NOTE_ACTS = 23  # note `acts` in pasts[0]
    PLAY_OUT_ALL = 24  # play states[i] to its end with uniform random moves, by seeds[i]
    FORCE = 25  # make moves[0] in states[0] with the random numbers `script`; see `force`


class Report(IntEnum):
    """What is reported of a step: the card that acted, and the trigger that answered, if any."""

    OP = 0  # the row's operation; LISTENS: the engine looked for a listener
    OWNER = 1
    CARD = 2
    UID = 3  # of the character whose text ran, 0: none
    TRIGGER_OWNER = 4
    TRIGGER = 5  # card, 0: none
    TRIGGER_UID = 6


LISTENS = -1



# -- games of pairings ----------------------------------------------------------------------------


@kernel(VOID(CONTEXT_T, PAIRING_T, I8))
def deal(c, p, k):
    """Begin game k of a pairing as the true game, a being player 0 and b player 1."""
    begin_game(c, c.decks[p.deck_a], c.decks[p.deck_b], mix(p.seed + np.uint64(k)))


@kernel(I8(CONTEXT_T, PAIRING_T))
def to_move(c, p):
    """Return the agent of a pairing whose turn it is in the true game."""
    return np.int64(p.a if c.scratch[0].games[TRUE].me == 0 else p.b)


@kernel(VOID(GAME_T, RESULT_T, I8, I8))
def add_game(g, r, decisions, simulated):
    """Add a finished game to a result."""
    left_0 = max(g.char[hero_of(0)].health, 0) + g.side[0].armor
    left_1 = max(g.char[hero_of(1)].health, 0) + g.side[1].armor
    if g.fault != Fault.NONE:
        r.faults += 1
    elif g.result == WIN_0:
        r.wins_a += 1
        r.margin_a += left_0 - left_1
    elif g.result == WIN_1:
        r.wins_b += 1
        r.margin_b += left_1 - left_0
    else:
        r.draws += 1
    r.turns += min(g.turn, g.max_turns)
    r.decisions += decisions
    r.simulated += simulated


@kernel(VOID(CONTEXT_T, BATCH_T), inline=True)
def begin_samples(c, b):
    """Begin the samples of a game: none are wanted."""


@kernel(VOID(CONTEXT_T, BATCH_T, I8, I8), inline=True)
def add_sample(c, b, agent, move):
    """Add a move that an agent is about to make to the samples: none are wanted."""


@kernel(VOID(CONTEXT_T, BATCH_T), inline=True)
def end_samples(c, b):
    """End the samples of a game: none are wanted."""


@kernel(VOID(CONTEXT_T, BATCH_T, PAIRING_T, RESULT_T))
def play_row(c, b, p, r):
    """Play every game of a pairing and add it to a result."""
    g, d = c.scratch[0].games[TRUE], c.scratch[0].decision[0]
    for k in range(p.games):
        deal(c, p, k)
        begin_samples(c, b)
        decisions, simulated = 0, np.int64(0)
        while is_running(g):
            agent = to_move(c, p)
            move = decide(c, agent)
            add_sample(c, b, agent, move)
            make_move(g, c.tables, move)
            decisions += 1
            simulated += d.simulated
        end_samples(c, b)
        add_game(g, r, decisions, simulated)


@kernel(VOID(CONTEXT_T, BATCH_T))
def begin_record(c, b):
    """Begin the samples of a game of a learner."""
    begin_game_of(b.counts)


@kernel(VOID(CONTEXT_T, BATCH_T, I8, I8))
def add_record(c, b, agent, move):
    """Add a move that agent 0 is about to make to the samples."""
    if agent == 0:
        record_move(c.scratch[0], c.tables, b.samples, b.words, b.counts, move)


@kernel(VOID(CONTEXT_T, BATCH_T))
def end_record(c, b):
    """End the samples of a game of a learner."""
    end_game_of(c.scratch[0], b.samples, b.counts)


record_row = calling(play_row, begin_samples=begin_record, add_sample=add_record,
                     end_samples=end_record)


@kernel(I8(GAME_T, TABLES_T, NUMBERS_T))
def resolve(g, t, report):
    """Resolve one step of what is on the stack and report it; return 1, or 0 if nothing is left."""
    if g.depth > 0 and g.pending == Phase.CHOICE:
        chose_in_cast(g, t)
    if g.depth == 0 or g.pending != Phase.PLAY or g.fault != Fault.NONE:
        return 0
    i = np.int64(g.depth) - 1
    f = g.stack[i]
    op = next_op(g, t, f)
    report[Report.OP] = LISTENS if f.pc == 0 else op
    report[Report.OWNER] = f.side
    report[Report.CARD] = f.card
    report[Report.UID] = f.uid
    report[Report.TRIGGER] = 0
    resolve_step(g, t)
    if report[Report.OP] == LISTENS and g.depth > i + 1:
        h = g.stack[g.depth - 1]
        report[Report.TRIGGER_OWNER] = h.side
        report[Report.TRIGGER] = h.card
        report[Report.TRIGGER_UID] = h.uid
    return 1


# -- batches of states ----------------------------------------------------------------------------


@kernel(VOID(CONTEXT_T, BATCH_T, I8))
def mask_moves(c, b, i):
    """Set row i of the masks to the legal moves of state i."""
    g = c.scratch[0].games[TRUE]
    load(g, b.states[i])
    b.masks[i, :] = False
    for k in range(list_offered(g, c.tables, c.all_places != 0)):
        b.masks[i, g.moves[k]] = True


@kernel(BOOL(CONTEXT_T, BATCH_T, I8))
def is_legal(c, b, i):
    """Return whether state i is over or its move is legal."""
    if b.states[i].result != RUNNING:
        return True
    g, legal = c.scratch[0].games[TRUE], False
    load(g, b.states[i])
    for k in range(list_offered(g, c.tables, c.all_places != 0)):
        legal = legal or g.moves[k] == b.moves[i]
    return legal


@kernel(VOID(CONTEXT_T, BATCH_T, I8))
def move_one(c, b, i):
    """Make the legal move of state i, if that game is running."""
    if b.states[i].result == RUNNING:
        g = c.scratch[0].games[TRUE]
        load(g, b.states[i])
        make_move(g, c.tables, b.moves[i])
        store(b.states[i], g)


@kernel(I8(CONTEXT_T, BATCH_T))
def move_all(c, b):
    """Make every state's move and return -1; or return the first state whose move is illegal."""
    for i in range(len(b.states)):
        if not is_legal(c, b, i):
            return i
    for i in range(len(b.states)):
        move_one(c, b, i)
    return -1


@kernel(VOID(CONTEXT_T, BATCH_T, I8))
def sample_one(c, b, i):
    """Choose a uniform legal move of state i."""
    g = c.scratch[0].games[TRUE]
    load(g, b.states[i])
    n = list_offered(g, c.tables, c.all_places != 0)
    bits = mix(b.seeds[i]) >> np.uint64(32)  # bias below n / 2**32
    b.moves[i] = g.moves[np.int64((bits * np.uint64(n)) >> np.uint64(32))] if n > 0 else END


@kernel(VOID(CONTEXT_T, BATCH_T, I8))
def decide_one(c, b, i):
    """Let agent asked[i], if any, make a move in state i; set moves[i] to it, or to -1."""
    b.moves[i] = -1
    if b.asked[i] < 0 or b.states[i].result != RUNNING or b.states[i].fault != Fault.NONE:
        return
    g = c.scratch[0].games[TRUE]
    load(g, b.states[i])
    forget_tree(c)
    b.moves[i] = take_move(c, b.asked[i])
    store(b.states[i], g)


@kernel(VOID(CONTEXT_T, BATCH_T, I8))
def time_part(c, b, i):
    """Do a part of a decision in state i; add for how many actions it was."""
    s = c.scratch[0]
    load(s.games[TRUE], b.states[i])
    b.part[1] += do_part(s, c.tables, c.agents[0], b.part[0])


@kernel(VOID(CONTEXT_T, BATCH_T, I8))
def store_costs(c, b, i):
    """Store the costs of the cards in hand and, after these, of the hero powers of state i."""
    g = c.scratch[0].games[TRUE]
    load(g, b.states[i])
    for side in range(2):
        for k in range(g.side[side].n_hand):
            b.costs[i, side, k] = cost_of(g, c.tables, side, k)
        b.costs[i, side, HAND] = power_cost(g, c.tables, side)


@kernel(VOID(CONTEXT_T, BATCH_T, I8))
def play_out(c, b, i):
    """Play state i to its end with uniform random moves."""
    g, stream = c.scratch[0].games[TRUE], mix(b.seeds[i])
    load(g, b.states[i])
    while is_running(g):
        make_move(g, c.tables, np.int64(g.moves[number_below(stream, list_moves(g, c.tables))]))
        stream = mix(stream)
    store(b.states[i], g)


@kernel(I8(CONTEXT_T, BATCH_T))
def force(c, b):
    """Make the move of state 0 with given random numbers; return how many it asked for.

    b.report: SCRIPT numbers, which are replaced by the sizes of those that were asked for.
    Returns -1, and changes nothing, if the move is not legal.
    """
    if not is_legal(c, b, 0):
        return -1
    g = c.scratch[0].games[TRUE]
    load(g, b.states[0])
    g.scripted = 1
    g.n_asked = 0
    for k in range(SCRIPT):
        g.script[k] = b.report[k]
        g.sizes[k] = 0
    make_move(g, c.tables, b.moves[0])
    g.scripted = 0
    for k in range(SCRIPT):
        b.report[k] = g.sizes[k]
    store(b.states[0], g)
    return np.int64(g.n_asked)


# -- the entry point of the first games -----------------------------------------------------------

play_row_ahead = calling(play_row, decide=decide_ahead)
decide_one_ahead = calling(decide_one, take_move=take_move_ahead)


@kernel(VOID(I8, CONTEXT_T, BATCH_T, I8), inline=True)
def do_one(command, c, b, i):
    """Run a command of `enter` for row i."""
    if command == Command.PLAY_ROWS:
        play_row_ahead(c, b, b.pairings[i], b.results[i])
    elif command == Command.DEAL_ALL:
        deal(c, b.pairings[i], 0)
        store(b.states[i], c.scratch[0].games[TRUE])
    elif command == Command.LIST_ALL:
        mask_moves(c, b, i)
    elif command == Command.SAMPLE_ALL:
        sample_one(c, b, i)
    elif command == Command.ASK_ALL:
        decide_one_ahead(c, b, i)
    elif command == Command.COSTS_ALL:
        store_costs(c, b, i)


@kernel(VOID(I8, CONTEXT_T, BATCH_T, I8))
def do_rows(command, c, b, n):
    """Run a command of `enter` for n rows: in a kernel of its own, as a call passes 90 words."""
    for i in range(n):
        do_one(command, c, b, i)


@entry_point(I8(I8, PASSED_T, BATCH_T), "the engine",
             lambda command, p, *rest: p.tables.view(np.ndarray)["late"][0])
def enter(command, p, b):
    """Run a command of the rules, or of agents that look one action ahead; see `Command`."""
    c = Context(p.tables[0], p.decks, p.agents, p.scratch, p.trees, p.nets, p.max_turns, p.ordered,
                p.lists, p.belief, p.all_places, p.first)
    if command == Command.DEAL:
        deal(c, b.pairings[0], 0)
    elif command == Command.DECIDE:
        return decide_ahead(c, to_move(c, b.pairings[0]))
    elif command == Command.MOVE:
        make_move(c.scratch[0].games[TRUE], c.tables, b.moves[0])
    elif command == Command.STORE:
        store(b.states[0], c.scratch[0].games[TRUE])
    elif command == Command.LAY_OUT:
        row = b.pairings[0]
        lay_out(c, c.decks[row.deck_a], c.decks[row.deck_b], mix(row.seed))
    elif command == Command.BEGIN:
        begin_move(c.scratch[0].games[TRUE], c.tables, b.moves[0])
    elif command == Command.RESOLVE:
        return resolve(c.scratch[0].games[TRUE], c.tables, b.report)
    elif command == Command.MOVE_ALL:
        return move_all(c, b)
    else:
        do_rows(command, c, b, max(len(b.pairings), len(b.states)))
    return 0


# -- the entry point of the rest ------------------------------------------------------------------


@kernel(VOID(I8, CONTEXT_T, BATCH_T, ENVIRONMENT_T, I8), inline=True)
def do_one_of_rest(command, c, b, e, i):
    """Run a command of `enter_rest` for row i."""
    if command == Command.PLAY_ROWS:
        play_row(c, b, b.pairings[i], b.results[i])
    elif command == Command.RECORD_ROWS:
        record_row(c, b, b.pairings[i], b.results[i])
    elif command == Command.ASK_ALL:
        decide_one(c, b, i)
    elif command == Command.OBSERVE_ALL:
        observe_one(c, b, e, i)
    elif command == Command.BEGIN_SLOTS:
        begin_slot(c, b, e, i)
    elif command == Command.STEP_SLOTS:
        step_slot(c, b, e, i)
    elif command == Command.GO_ON_SLOTS:
        go_on_slot(c, b, e, i)
    elif command == Command.NOTE_ALL:
        note_one(c, b, e, i)
    elif command == Command.SAMPLE_SLOTS:
        sample_action(b, e, i)
    elif command == Command.PART_ALL:
        time_part(c, b, i)
    elif command == Command.PLAY_OUT_ALL:
        play_out(c, b, i)


@kernel(VOID(I8, CONTEXT_T, BATCH_T, ENVIRONMENT_T, I8))
def do_rows_of_rest(command, c, b, e, n):
    """Run a command of `enter_rest` for n rows: in a kernel of its own, as `do_rows`."""
    for i in range(n):
        do_one_of_rest(command, c, b, e, i)


@entry_point(I8(I8, PASSED_T, BATCH_T, ENVIRONMENT_T), "searches, environments and learning",
             lambda command, p, *rest: p.tables.view(np.ndarray)["late"][0])
def enter_rest(command, p, b, e):
    """Run a command of searches, environments or learning; see `Command`."""
    c = Context(p.tables[0], p.decks, p.agents, p.scratch, p.trees, p.nets, p.max_turns, p.ordered,
                p.lists, p.belief, p.all_places, p.first)
    if command == Command.DECIDE:
        return decide(c, to_move(c, b.pairings[0]))
    if command == Command.CHECK_SLOTS:
        return first_illegal(e)
    if command == Command.NOTE_ACTS:
        note_acts(e)
        return 0
    if command == Command.FORCE:
        return force(c, b)
    do_rows_of_rest(command, c, b, e, max(len(b.pairings), len(b.states), len(e.slots)))
    return 0


NO_ENVIRONMENT = Environment()


RULES = frozenset({
    Command.DEAL, Command.MOVE, Command.STORE, Command.LAY_OUT, Command.BEGIN, Command.RESOLVE,
    Command.DEAL_ALL, Command.LIST_ALL, Command.MOVE_ALL, Command.SAMPLE_ALL, Command.COSTS_ALL})
ASKS = frozenset({Command.PLAY_ROWS, Command.DECIDE, Command.ASK_ALL})  # agents, in either


def call(command: Command, context: Context, environment: Environment = NO_ENVIRONMENT,
         **arrays: Array) -> int:
    """Run a command with the arrays of `Batch` that it reads."""
    _check(arrays)
    if command in RULES or (
            command in ASKS and ONE_AHEAD.issuperset(context.agents["kind"].tolist())
            and len(context.belief) == 0):
        return int(_unchecked(enter)(int(command), context, Batch(**arrays)))
    return int(_unchecked(enter_rest)(int(command), context, Batch(**arrays), environment))


def _unchecked(entry: Any) -> Any:
    """Return an entry point without the look-up of types, for arguments that are checked."""
    return getattr(entry, "unchecked", entry)  # interpreted, it is a function


def _check(arrays: dict[str, Array]) -> None:
    """Raise TypeError if an array has not the layout of that in `Batch`.

    Whole types of records are not compared, which takes 5 us for each.
    """
    for name, array in arrays.items():
        layout = array.dtype.kind, array.dtype.itemsize, array.ndim, array.flags.c_contiguous
        if layout != _LAYOUTS[name]:
            raise TypeError(f"{name} has the layout {layout}, but must have {_LAYOUTS[name]}")
        if name in _BY_ROW and len(array) < len(arrays.get("states", ())):
            raise TypeError(f"{name} has {len(array)} rows for {len(arrays['states'])} states")


_BY_ROW = {"moves", "masks", "asked", "players", "seeds", "costs"}
_LAYOUTS = {name: (array.dtype.kind, array.dtype.itemsize, array.ndim, True)
            for name, array in Batch()._asdict().items()}
