"""One game in compiled code, step by step: lay it out, begin it, decide, until it is over.

Every way to play is made of these steps. Rows of a match and the samples that they leave play whole
games in `entry.py`; `match.Table` is one game move by move, on which sessions, records and games of
hosted players stand; `games.GameBatch` is many; slots of environments are in `environment.py`.
"""

import numpy as np

from hsevo.agents.choose import choose_move, choose_one_ahead
from hsevo.agents.shared.belief import believe
from hsevo.agents.shared.scratch import TRUE
from hsevo.engine.game.moves import make_move
from hsevo.engine.game.setup import DECKLIST_T, new_game
from hsevo.engine.jit import BOOL, I8, U8, VOID, calling, kernel
from hsevo.engine.operations.turn import resolve_stack
from hsevo.engine.record.state import GAME_T, NOTED, RUNNING, Fault, load, mix, store
from hsevo.play.context import CONTEXT_T

BELIEF_SALT = np.uint64(0xC2B2AE3D27D4EB4F)  # any odd constant: guesses have a stream of their own


@kernel(BOOL(GAME_T), inline=True)
def is_running(g):
    """Return whether a game is neither over nor stopped at a limit of the engine."""
    return g.result == RUNNING and g.fault == Fault.NONE


@kernel(VOID(CONTEXT_T, DECKLIST_T, DECKLIST_T, U8, BOOL))
def lay_out_noted(c, deck_0, deck_1, seed, noted):
    """Lay out a game of two decks as the true game; noted: note what its players show."""
    g = c.scratch[0].games[TRUE]
    load(g, c.scratch[0].blank[0])
    if noted or len(c.belief) > 0:
        g.sight = NOTED
    new_game(g, c.tables, deck_0, deck_1, seed, c.max_turns, c.ordered, c.first)


@kernel(VOID(CONTEXT_T, DECKLIST_T, DECKLIST_T, U8))
def lay_out(c, deck_0, deck_1, seed):
    """Lay out a game of two decks as the true game, player 0 with the first."""
    lay_out_noted(c, deck_0, deck_1, seed, False)


@kernel(VOID(CONTEXT_T, DECKLIST_T, DECKLIST_T, U8))
def begin_game(c, deck_0, deck_1, seed):
    """Lay out a game as the true game, and begin its first turn."""
    lay_out(c, deck_0, deck_1, seed)
    resolve_stack(c.scratch[0].games[TRUE], c.tables)


@kernel(VOID(CONTEXT_T))
def forget_tree(c):
    """Drop the tree of a search, if there is one: it may be of another game."""
    if len(c.trees) > 0:
        c.trees[0].n_nodes = 0


@kernel(I8(CONTEXT_T, I8))
def decide_openly(c, agent):
    """Return the move of an agent that knows deck lists, as `decide`."""
    return choose_move(c.scratch[0], c.tables, c.agents[agent], c.trees, c.nets)


@kernel(I8(CONTEXT_T, I8))
def decide_by_belief(c, agent):
    """Return the move of an agent that must guess its opponent's deck list, as `decide`.

    Meanwhile the game is what it believes; only its own random stream continues from there.
    """
    s = c.scratch[0]
    g = s.games[TRUE]
    store(s.true[0], g)
    believe(g, c.tables, c.lists, c.belief[0], mix(g.lookahead_rng ^ BELIEF_SALT))
    move = decide_openly(c, agent)
    stream = g.lookahead_rng
    load(g, s.true[0])
    g.lookahead_rng = stream
    return move


@kernel(I8(CONTEXT_T, I8))
def decide(c, agent):
    """Return the move of an agent, by number, for the player to move in the true game."""
    return decide_openly(c, agent) if len(c.belief) == 0 else decide_by_belief(c, agent)


@kernel(I8(CONTEXT_T, I8))
def take_move(c, agent):
    """Let an agent make its move in the true game; return the move."""
    move = decide(c, agent)
    make_move(c.scratch[0].games[TRUE], c.tables, move)
    return move


decide_ahead = calling(decide_openly, choose_move=choose_one_ahead)
take_move_ahead = calling(take_move, decide=decide_ahead)
