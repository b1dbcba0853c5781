"""Trying a move: a look-ahead's copy of a game, with a random stream of its own."""

from hsevo.engine.game.moves import make_move
from hsevo.engine.jit import I8, TABLES_T, U8, VOID, copy_prefix, kernel
from hsevo.engine.record.state import GAME_T, PREFIX, Phase, copy_stack


@kernel(VOID(GAME_T, GAME_T, U8, I8), inline=True)
def copy_for_trial(g, h, seed, sight):
    """Copy game g, in which no effect waits, to h, whose random stream starts at `seed`."""
    copy_prefix(h, g, PREFIX)
    h.depth = 0
    h.rng = seed
    h.sight = sight


@kernel(VOID(GAME_T, GAME_T, TABLES_T, I8, U8, I8), inline=True)
def try_move(g, h, t, move, seed, sight):
    """Make a move on a copy h of game g, whose random stream starts at `seed`."""
    copy_for_trial(g, h, seed, sight)
    make_move(h, t, move)


@kernel(VOID(GAME_T, GAME_T, TABLES_T, I8, U8, I8), inline=True)
def try_move_or_choice(g, h, t, move, seed, sight):
    """Make a move as `try_move`, or take a choice, with the effects that wait for it."""
    copy_for_trial(g, h, seed, sight)
    if g.pending == Phase.CHOICE:
        copy_stack(g, h)
    make_move(h, t, move)
