"""What playing a card leaves: its copy by Echo, and that it was played, for texts that ask later.

The game remembers the cards played that such texts can ask for (terms.Noted), without their order:
`recalled` holds cards like graves (rules/deaths.py), in the high bits one less than how often.
"""

from __future__ import annotations

import numpy as np

from hsevo.cards.terms import Counter, Keyword, Kind, Noted, Race, Sequence
from hsevo.engine.jit import BOOL, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import BONUS, Moment, card_in, joined_card, minion_ref
from hsevo.engine.record.state import (
    ECHOING,
    GAME_T,
    NOTED,
    RECALLED,
    mix,
    random_below,
)
from hsevo.engine.rules.deaths import MOST_TIMES, deaths_in
from hsevo.engine.rules.evidence import note_hidden
from hsevo.engine.rules.query import board_position, is_of_race
from hsevo.engine.rules.zones import add_openly, mimic, note_card, remove_from_hand


@kernel(VOID(GAME_T, I8, I8))
def remember_played(g, side, card):
    """Note that a player has played a card."""
    s = g.side[side]
    for k in range(s.n_recalled):
        if card_in(s.recalled[k]) == card and deaths_in(s.recalled[k]) < MOST_TIMES:
            s.recalled[k] += 1 << BONUS
            return
    if s.n_recalled < RECALLED:
        s.recalled[s.n_recalled] = card
        s.n_recalled += 1
    else:
        s.recalled[random_below(g, RECALLED)] = card


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def has_echo(g, t, side, card, own):
    """Return whether a card that a player plays has Echo, of its own or lent by a minion in play.

    own: the minion that the card has become, or NONE.
    """
    if (t.card[card].noted & Noted.ECHO) != 0:
        return True
    s = g.side[side]
    for i in range(s.minions if t.card[card].kind == Kind.MINION else 0):
        ref = minion_ref(side, s.row[i])
        silenced = (g.char[ref].keywords & Keyword.SILENCED) != 0
        if ref != own and t.card[g.char[ref].card].lends_echo == 1 and not silenced:
            return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8))
def mimic_all(g, t, side):
    """Let the cards in hand that are copies of the minion played last become that."""
    s = g.side[side]
    for k in range(s.n_hand):
        if t.card[joined_card(s.hand[k].joined)].mimics != 0:
            mimic(g, t, side, k)


@kernel(VOID(GAME_T, TABLES_T, I8))
def aim_at_mech(g, t, i):
    """Have the Magnetic minion of frame i join the friendly Mech to its right, if there is one."""
    f = g.stack[i]
    s, place = g.side[f.side], board_position(g, f.ref) + 1
    if place >= s.minions:
        return
    mech = minion_ref(np.int64(f.side), s.row[place])
    if is_of_race(t, g.char[mech].card, Race.MECH):
        f.target = mech
        f.target_uid = g.char[mech].uid
        f.pc = t.sequence[Sequence.PLAY_MAGNETIC]


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8, I8, BOOL), cold=True)
def leave_trace(g, t, i, cost, attack, health, joined, rightmost):
    """Leave what the card of frame i leaves, which begins to be played.

    cost, attack, health, joined: what it was given in hand. Its copy has the same.
    rightmost: whether it was the rightmost card in hand.
    """
    f = g.stack[i]
    side, card = np.int64(f.side), np.int64(f.card)
    s, k = g.side[side], t.card[card]
    if (k.noted & Noted.PLACE) != 0:
        s.counter[Counter.RIGHTMOST] = rightmost
    if (k.noted & Noted.LAST) != 0:
        s.counter[Counter.LAST_MINION] = card
        mimic_all(g, t, side)
    if (k.noted & Noted.SPELL) != 0:
        s.counter[Counter.MANA_ON_SPELLS] += f.amount
        note_card(g, side, card, Moment.SPELL_NOW)
    if (k.noted & Noted.GROWN) != 0:
        s.counter[Counter.GROWN] = attack
    if (k.noted & Noted.TWIN) != 0:
        add_openly(g, t, side, np.int64(k.twin))
    if (k.noted & Noted.MAGNETIC) != 0:
        aim_at_mech(g, t, i)
    if has_echo(g, t, side, card, f.ref):
        if f.ref >= 0:
            g.char[f.ref].keywords |= Keyword.ECHO
        if add_openly(g, t, side, card):
            h = s.hand[s.n_hand - 1]
            h.cost, h.attack, h.health, h.joined = cost, attack, health, joined
            s.shifting |= ECHOING << (np.int64(s.n_hand) - 1)
    classes = np.int64(k.classes)
    other = (k.noted & Noted.CLASS) != 0 and ((classes >> s.cls) & 1) == 0
    if other or (k.noted & (Noted.BATTLECRY | Noted.SPELL)) != 0:
        remember_played(g, side, card)


@kernel(VOID(GAME_T, I8), cold=True)
def end_echoes(g, side):
    """Take the copies that Echo has made out of a hand: they are gone."""
    s = g.side[side]
    for i in range(s.n_hand - 1, -1, -1):
        if (np.int64(s.shifting) & (ECHOING << i)) != 0:
            if g.sight == NOTED:
                note_hidden(g, side, i)
            remove_from_hand(g, side, i)


@kernel(BOOL(TABLES_T, I8, I8, I8, I8))
def is_asked(t, card, but, cls, what):
    """Return whether a text asks for a card (of Noted, `what`): one with a Battlecry, a spell, or
    one of another class than `cls`.
    """
    k = t.card[card]
    if card == but:
        return False
    if what != Noted.CLASS:
        return (k.noted & what) != 0
    return (k.noted & Noted.CLASS) != 0 and ((np.int64(k.classes) >> cls) & 1) == 0


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8))
def count_recalled(g, t, side, but, cls, what):
    """Return how many cards that a player has played a text asks for."""
    s, n = g.side[side], np.int64(0)
    for k in range(s.n_recalled):
        if is_asked(t, card_in(s.recalled[k]), but, cls, what):
            n += np.int64(deaths_in(s.recalled[k]))
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8, I8))
def recalled_at(g, t, side, but, cls, what, place):
    """Return the card at a place among those that a text asks for."""
    s = g.side[side]
    for k in range(s.n_recalled):
        if is_asked(t, card_in(s.recalled[k]), but, cls, what):
            place -= np.int64(deaths_in(s.recalled[k]))
            if place < 0:
                return card_in(s.recalled[k])
    return 0


@kernel(I8(U8, I8, I8), cold=True)
def shuffled(seed, n, turn):
    """Return the number at a place of a random order of 0 to n - 1; the seed says which order."""
    for place in range(n):
        earlier = np.int64(0)
        for other in range(n):
            earlier += mix(seed + np.uint64(other)) < mix(seed + np.uint64(place))
        if earlier == turn:
            return place
    return 0
