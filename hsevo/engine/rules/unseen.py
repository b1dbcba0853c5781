"""What a player can't see: a fair look-ahead deals it anew before a rule reads it.

A look-ahead is played on a copy of the game, with what the opponent holds. Whatever text reads the
opponent's hand or deck in it (Dirty Rat, Chillmaw's Deathrattle, a Joust) calls `deal_unseen`
first. So what it sees is one sample of what the player could expect.
"""

import numpy as np

from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import card_in
from hsevo.engine.record.state import GAME_T, hides_hand, random_below


@kernel(VOID(GAME_T, I8), cold=True)
def deal_unseen(g, side):
    """In a fair look-ahead, deal the opponent's hand anew from its hand and deck.

    Our choice: a look-ahead knows which cards the opponent has left (as in a competition with
    given decks), but not which of them are in its hand. Changes stay with the place.
    """
    if not hides_hand(g) or side == g.me:
        return
    s = g.side[side]
    for i in range(s.n_hand):  # Fisher and Yates: every hand is equally likely
        j = i + random_below(g, s.n_hand - i + s.n_deck)
        card = s.hand[i].card
        if j >= s.n_hand:
            entry = np.int64(s.deck[j - s.n_hand])
            s.hand[i].card = card_in(entry)
            s.deck[j - s.n_hand] = entry - card_in(entry) + card
        else:
            s.hand[i].card = s.hand[j].card
            s.hand[j].card = card


@kernel(BOOL(GAME_T, TABLES_T, I8), cold=True)
def draws_are_seen(g, t, side):
    """Return whether some card in a hand or deck does something when it is drawn.

    Else it can't be seen which card the opponent draws, and nothing need be dealt.
    """
    s = g.side[side]
    for k in range(s.n_hand):
        if t.card[s.hand[k].card].drawn > 0:
            return True
    for k in range(s.n_deck):
        if t.card[card_in(s.deck[k])].drawn > 0:
            return True
    return False
