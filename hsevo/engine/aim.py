"""Legal targets of cards and hero powers, and targets chosen at random."""

import numpy as np

from hsevo.cards.terms import Keyword, Kind, Side
from hsevo.engine.board import STEALTHS
from hsevo.engine.codec import is_hero, side_of
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.query import IMMUNITY, character_matches, has_keyword, ref_if_in_play
from hsevo.engine.state import GAME_T, NONE, random_below


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8))
def is_target(g, t, card, ref, kind):
    """Return whether the player to move may target a character in play with a card.

    `kind` is that of the card played, even if `card` is an option of Choose One.
    """
    k = t.card[card]
    mine = side_of(ref) == g.me
    if (k.target & (Side.MINE if mine else Side.THEIRS)) == 0:
        return False
    if (k.target & (Side.HERO if is_hero(ref) else Side.MINION)) == 0:
        return False
    if not mine and has_keyword(g, ref, STEALTHS | IMMUNITY):
        return False
    if kind != Kind.MINION and kind != Kind.WEAPON and has_keyword(g, ref, Keyword.ELUSIVE):
        return False
    return character_matches(g, t, ref, k.target_test, k.target_arg)


@kernel(VOID(GAME_T, TABLES_T, I8))
def aim_at_random(g, t, i):
    """Give the card or hero power of frame i a random legal target; none if none is left.

    hs-bugs 697: what triggered before counts; a spell without a legal target does nothing.
    """
    f = g.stack[i]
    card, own, n = np.int64(f.card), ref_if_in_play(g, f.ref, f.uid), np.int64(0)
    if t.card[card].option[0] > 0:
        card = np.int64(t.card[card].option[g.option])
    f.target = NONE
    for ref in range(16):
        if ref != own and g.char[ref].card > 0 and is_target(g, t, card, ref, t.card[f.card].kind):
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                f.target = ref
                f.target_uid = g.char[ref].uid
