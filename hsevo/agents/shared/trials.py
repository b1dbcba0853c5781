"""What the look-aheads of several agents try alike: the end of the turn, and one of equal cards."""

from hsevo.engine.game.moves import copy_for_trial, make_move
from hsevo.engine.jit import BOOL, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import END, hand_of, is_play
from hsevo.engine.record.state import GAME_T, RUNNING


@kernel(VOID(GAME_T, GAME_T, TABLES_T, U8, I8))
def simulate_end_of_turn(g, h, t, seed, sight):
    """Play the end of the turn, and no further, on a copy h of game g.

    To stop there, the copy has a turn limit: it is a draw when the opponent's turn begins, and this
    result is undone.
    """
    copy_for_trial(g, h, seed, sight)
    h.max_turns = h.turn
    make_move(h, t, END)
    if h.turn > h.max_turns:
        h.result = RUNNING
        h.turn = g.turn
        h.me = g.me


@kernel(BOOL(GAME_T, I8), inline=True)
def has_equal_later(g, move):
    """Return whether a move plays a card that has an equal one later in the hand."""
    if not is_play(move):
        return False
    s = g.side[g.me]
    i = hand_of(move)
    x = s.hand[i]
    for j in range(i + 1, s.n_hand):
        y = s.hand[j]
        if x.card == y.card and x.cost == y.cost:
            if x.attack == y.attack and x.health == y.health:
                return True
    return False
