"""Listeners: whether anything may react to an event that has not happened.

It asks the triggers that events.next_listener would ask: on the board, in secrets, hands and decks,
with the rules' own tests of whose event it is (events.reacts_to_event), of the card
(query.card_matches), and of secrets (board.can_secrets_trigger). What may be different once the
event happens counts as fulfilled: conditions, and filters on more than a printed card. So whatever
will react may react here, but not the other way round.
"""

import numpy as np

from hsevo.cards.terms import Keyword, Whose, Zone
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import card_in, hero_of, minion_ref, side_of
from hsevo.engine.record.state import BOARD, GAME_T, announce, hides_hand
from hsevo.engine.rules.auras import attached_watch
from hsevo.engine.rules.board import can_secrets_trigger
from hsevo.engine.rules.events import reacts_to_event
from hsevo.engine.rules.query import card_matches, is_printed

ANY_CARD = 0  # as the card of an event: it passes all filters
ACTS = -1  # a reaction that may do more than give attack to its minion


@kernel(BOOL(TABLES_T, I8, I8, I8), inline=True)
def fails_printed_filter(t, card, test, arg):
    """Return whether a card does not pass a filter, whatever becomes of its character."""
    return card != ANY_CARD and is_printed(test) and not card_matches(t, card, test, arg)


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8, I8))
def reaction(g, t, i, card, side, uid, zone):
    """Return what a card's triggers may do at the event of frame i: nothing (0), ACTS, or how much
    attack they give to its minion.
    """
    f, k, gained = g.stack[i], t.card[card], np.int64(0)
    for n in range(k.trigger, k.trigger + k.n_triggers):
        u = t.trigger[n]
        if u.event == f.event and u.zone == zone:
            aimed = u.whose == Whose.MY_SPELL_ON_FRIEND or u.whose == Whose.MY_SPELL_HERE
            # the frame does not know the target
            concerned = aimed or reacts_to_event(g, i, u.whose, side, uid)
            if concerned and not fails_printed_filter(t, f.card, u.test, u.arg):
                if u.gains == 0:
                    return ACTS
                gained += u.gains
    return gained


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def reaction_on_board(g, t, i, ref):
    """Return what a character's texts may do at the event of frame i, as `reaction`."""
    c, bit = g.char[ref], np.int64(1) << g.stack[i].event
    if c.extra[0] != 0 and (attached_watch(g, t, ref) & bit) != 0:
        return ACTS
    if (t.card[c.card].watch & bit) == 0 or (c.keywords & Keyword.SILENCED) != 0:
        return 0
    return reaction(g, t, i, c.card, side_of(ref), c.uid, Zone.BOARD)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8))
def has_listener_off_board(g, t, i, side):
    """Return whether a weapon, secret, or card in hand or deck may react to the event of frame i.
    """
    s, bit = g.side[side], np.int64(1) << g.stack[i].event
    if (t.card[s.weapon].watch & bit) != 0:
        if reaction(g, t, i, s.weapon, side, s.weapon_uid, Zone.BOARD) != 0:
            return True
    if (t.card[s.quest].watch & bit) != 0:
        if reaction(g, t, i, s.quest, side, s.quest_uid, Zone.BOARD) != 0:
            return True
    for k in range(s.n_secrets if can_secrets_trigger(g, side) else 0):
        if reaction(g, t, i, s.secret[k].card, side, 0, Zone.SECRET) != 0:
            return True
    if (s.hand_watch & bit) != 0 and (g.me == side or not hides_hand(g)):
        for k in range(s.n_hand):
            if reaction(g, t, i, s.hand[k].card, side, 0, Zone.HAND) != 0:
                return True
    if (s.deck_watch & bit) != 0:
        if s.deck_watcher > 0:
            return reaction(g, t, i, s.deck_watcher, side, 0, Zone.DECK) != 0
        for k in range(s.n_deck):
            if reaction(g, t, i, card_in(s.deck[k]), side, 0, Zone.DECK) != 0:
                return True
    return False


@kernel(VOID(GAME_T, I8, I8))
def note_gain(g, ref, gained):
    """Note that a minion would gain attack."""
    if gained_by(g, ref) == 0:
        g.list[g.n_list] = ref
        g.n_list += 1
        g.sums[ref].attack = 0
    g.sums[ref].attack += gained


@kernel(I8(GAME_T, I8), inline=True)
def gained_by(g, ref):
    """Return how much attack a minion would gain by the events since `forget_gains`."""
    for k in range(g.n_list):
        if g.list[k] == ref:
            return np.int64(g.sums[ref].attack)
    return 0


@kernel(VOID(GAME_T), inline=True)
def forget_gains(g):
    """Forget which minions would gain attack."""
    g.n_list = 0


@kernel(BOOL(GAME_T, TABLES_T, I8, BOOL))
def frame_has_listener(g, t, i, noting):
    """Return whether anything may react to the event of frame i.

    noting: attack that minions gain is noted instead.
    """
    for side in range(2):
        if has_listener_off_board(g, t, i, side) or reaction_on_board(g, t, i, hero_of(side)) != 0:
            return True
        for slot in range(BOARD if g.side[side].dormant > 0 else 0):
            ref = minion_ref(side, slot)
            if t.card[g.char[ref].card].dormant == 1 and reaction_on_board(g, t, i, ref) != 0:
                return True
        for k in range(g.side[side].minions):
            ref = minion_ref(side, g.side[side].row[k])
            gained = reaction_on_board(g, t, i, ref)
            if gained == ACTS or (gained > 0 and not noting):
                return True
            if gained > 0:
                note_gain(g, ref, gained)
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8, I8, BOOL), inline=True)
def has_listener(g, t, event, side, card, subject, other, noting):
    """Return whether anything may react to an event, with the arguments of state.announce.

    noting: attack that minions gain is noted instead.
    """
    if ((g.watch >> event) & 1) == 0:
        return False
    announce(g, event, side, card, subject, other, 0)
    g.depth -= 1  # only to look at it
    return frame_has_listener(g, t, g.depth, noting)
