"""What a player has seen of its opponent's cards, for games with closed deck lists.

A NOTED game alone keeps it, in `evidence[side]`: what the other player knows of the cards of
`side`. Whoever guesses a deck list takes the cards `shown` from it, and puts those `inside` back:
so what is left is what may be in hand and deck. Each card in hand, and each secret, has an origin:
0 if it came out of the deck unseen, MADE if a text made it and the other player can't know what it
is, else the card that the other player knows to be there (The Coin, a minion that was returned).

Our choices. A card that came out of the deck counts as shown when it is played, discarded, burnt or
revealed; a secret when it answers. Destroyed secrets, the cards thrown back in a mulligan and
those that Tracking leaves are not shown. Once texts have replaced cards of hand and deck (Golden
Monkey, Renounce Darkness), a deck list says no more: `remade`.

What a player can't see is dealt again before a rule of a fair look-ahead reads it. A look-ahead is
played on a copy of the game, with what the opponent holds. Whatever text reads the opponent's hand
or deck in it (Dirty Rat, Chillmaw's Deathrattle, a Joust) calls `deal_unseen` first. So what it
sees is one sample of what the player could expect.
"""

from __future__ import annotations

import numpy as np

from hsevo.cards.terms import Shift
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import card_in
from hsevo.engine.record.state import (
    GAME_T,
    INSIDE,
    NOTED,
    SECRETS,
    SHOWN,
    hides_hand,
    random_below,
)

DRAWN, MADE = 0, 0xFFFF  # origins that are no card
_SHIFTS = int(Shift.AT_RANDOM | Shift.LIKE_ENEMY_HAND)


@kernel(I8(GAME_T, I8, I8), cold=True)
def take_inside(g, side, card):
    """Remove a card from those known to be inside; return whether (1 or 0) it was among them."""
    e = g.evidence[side]
    for k in range(e.n_inside):
        if e.inside[k] == card:
            e.n_inside -= 1
            e.inside[k] = e.inside[e.n_inside]
            e.inside[e.n_inside] = 0
            return 1
    return 0


@kernel(VOID(GAME_T, I8, I8), cold=True)
def add_inside(g, side, card):
    """Note that a card is known to have gone into a deck."""
    e = g.evidence[side]
    if e.n_inside < INSIDE:
        e.inside[e.n_inside] = card
        e.n_inside += 1


@kernel(VOID(GAME_T, I8, I8, I8), cold=True)
def note_shown(g, side, card, origin):
    """Note that a card of a player, of an origin, was shown, and has left hand and deck."""
    e = g.evidence[side]
    if origin != DRAWN or e.remade == 1 or take_inside(g, side, card) == 1:
        return
    if e.n_shown < SHOWN:
        e.shown[e.n_shown] = card
        e.n_shown += 1


@kernel(VOID(GAME_T, I8, I8), cold=True)
def note_revealed(g, side, card):
    """Note that a card was shown in a deck, and stays there."""
    if take_inside(g, side, card) == 0:  # one that is known to be there is not news
        note_shown(g, side, card, DRAWN)
    add_inside(g, side, card)


@kernel(VOID(GAME_T, I8, I8), cold=True)
def note_looked_at(g, side, k):
    """Note that the other player has seen the k-th card of a hand, which stays there."""
    e, card = g.evidence[side], np.int64(g.side[side].hand[k].card)
    note_shown(g, side, card, e.hand[k])
    e.hand[k] = card


@kernel(VOID(GAME_T, I8, I8), cold=True)
def note_hidden(g, side, i):
    """Note that the i-th card of a hand is about to leave it unseen."""
    g.evidence[side].hand[i] = MADE


@kernel(VOID(GAME_T, I8, I8), cold=True)
def note_played_hidden(g, side, i):
    """Note that the i-th card of a hand, a secret, is about to be played."""
    e = g.evidence[side]
    e.laid = MADE ^ np.int64(e.hand[i])
    note_hidden(g, side, i)


@kernel(VOID(GAME_T, I8, I8), cold=True)
def note_left(g, side, i):
    """Note that the i-th card of a hand, seen unless `note_hidden`, is about to leave it.

    One that becomes another card each turn (Shifter Zerus) says so as it is shown.
    """
    e, s = g.evidence[side], g.side[side]
    shifts = ((np.int64(s.shifting) >> i) & _SHIFTS) != 0
    origin = MADE if shifts else np.int64(e.hand[i])
    note_shown(g, side, s.hand[i].card, origin)
    last = np.int64(s.n_hand) - 1
    for k in range(i, last):
        e.hand[k] = e.hand[k + 1]
    e.hand[last] = DRAWN


@kernel(VOID(GAME_T, I8, I8), cold=True)
def note_laid(g, side, origin):
    """Note where a player's new secret came from."""
    g.evidence[side].secret[g.side[side].n_secrets - 1] = origin


@kernel(I8(GAME_T, I8), cold=True)
def take_laid(g, side):
    """Return the origin of the secret that is being played; MADE if a text casts it."""
    e = g.evidence[side]
    origin = MADE ^ np.int64(e.laid)
    e.laid = 0
    return origin


@kernel(VOID(GAME_T, I8, I8), cold=True)
def note_answered(g, side, i):
    """Note that a player's i-th secret is about to leave play, and was seen."""
    e = g.evidence[side]
    note_shown(g, side, g.side[side].secret[i].card, e.secret[i])
    for k in range(i, SECRETS - 1):
        e.secret[k] = e.secret[k + 1]
    e.secret[SECRETS - 1] = DRAWN


@kernel(VOID(GAME_T, I8), cold=True)
def note_remade(g, side):
    """Note that texts have replaced cards of a player's hand and deck."""
    if g.sight == NOTED:
        e = g.evidence[side]
        e.remade = 1
        for k in range(e.n_inside):
            e.inside[k] = 0
        e.n_inside = 0
        for k in range(g.side[side].n_hand):
            e.hand[k] = MADE


@kernel(VOID(GAME_T, I8), cold=True)
def deal_unseen(g, side):
    """In a fair look-ahead, deal the opponent's hand from its hand and deck.

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
