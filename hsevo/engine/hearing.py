"""Hearing: whether anything may react to an event that has not happened.

It asks the triggers that events.next_listener would ask: on the board, in secrets, hands and decks,
with the rules' own tests of whose event it is (events.reacts_to_event), of the card
(query.card_matches), and of secrets (board.can_secrets_trigger). What may be different once the
event happens counts as fulfilled: conditions, and filters on more than a printed card. So whatever
will react may react here, but not the other way round.
"""

import numpy as np

from hsevo.cards.terms import Is, Keyword, Whose, Zone
from hsevo.engine.auras import attached_watch
from hsevo.engine.board import can_secrets_trigger
from hsevo.engine.codec import card_in, hero_of, minion_ref, side_of
from hsevo.engine.events import reacts_to_event
from hsevo.engine.jit import BOOL, I8, TABLES_T, kernel
from hsevo.engine.query import card_matches
from hsevo.engine.state import FAIR, GAME_T, announce

ANY_CARD = 0  # as the card of an event: it passes all filters
# filters on a printed card: query.character_matches tests a character by its card, too
_PRINTED = sum(1 << test for test in (
    Is.RACE, Is.NOT_RACE, Is.KIND, Is.SECRET, Is.CARD, Is.NOT_CARD, Is.COST_AT_MOST,
    Is.MINION_COST, Is.MINION_WITH, Is.OTHER_CLASS, Is.BATTLECRY, Is.OVERLOAD, Is.LEGENDARY,
    Is.SPELL_BUT))


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8), inline=True)
def is_unfit(g, t, card, side, test, arg):
    """Return whether a card does not pass a filter, whatever becomes of its character."""
    printed = ((np.int64(_PRINTED) >> test) & 1) != 0
    return card != ANY_CARD and printed and not card_matches(g, t, card, side, test, arg)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8, I8))
def may_react(g, t, i, card, side, uid, zone):
    """Return whether a card has a trigger that may react to the event of frame i."""
    f, k = g.stack[i], t.card[card]
    for n in range(k.trigger, k.trigger + k.n_triggers):
        u = t.trigger[n]
        if u.event == f.event and u.zone == zone:
            aimed = u.whose == Whose.MY_SPELL_ON_FRIEND  # the frame does not know at whom
            concerned = aimed or reacts_to_event(g, i, u.whose, side, uid)
            if concerned and not is_unfit(g, t, f.card, side, u.test, u.arg):
                return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8))
def hears_on_board(g, t, i, ref):
    """Return whether a character may react to the event of frame i."""
    c, bit = g.char[ref], np.int64(1) << g.stack[i].event
    if c.extra[0] != 0 and (attached_watch(g, t, ref) & bit) != 0:
        return True
    if (t.card[c.card].watch & bit) == 0 or (c.keywords & Keyword.SILENCED) != 0:
        return False
    return may_react(g, t, i, c.card, side_of(ref), c.uid, Zone.BOARD)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8))
def hears_off_board(g, t, i, side):
    """Return whether a weapon, secret, or card in hand or deck may react to the event of frame i.
    """
    s, bit = g.side[side], np.int64(1) << g.stack[i].event
    if (t.card[s.weapon].watch & bit) != 0:
        if may_react(g, t, i, s.weapon, side, s.weapon_uid, Zone.BOARD):
            return True
    for k in range(s.n_secrets if can_secrets_trigger(g, side) else 0):
        if may_react(g, t, i, s.secret[k].card, side, 0, Zone.SECRET):
            return True
    if (s.hand_watch & bit) != 0 and (g.me == side or g.sight != FAIR):
        for k in range(s.n_hand):
            if may_react(g, t, i, s.hand[k].card, side, 0, Zone.HAND):
                return True
    if (s.deck_watch & bit) != 0:
        if s.deck_watcher > 0:
            return may_react(g, t, i, s.deck_watcher, side, 0, Zone.DECK)
        for k in range(s.n_deck):
            if may_react(g, t, i, card_in(s.deck[k]), side, 0, Zone.DECK):
                return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8))
def is_frame_heard(g, t, i):
    """Return whether anything may react to the event of frame i."""
    for side in range(2):
        for k in range(g.side[side].minions):
            if hears_on_board(g, t, i, minion_ref(side, g.side[side].row[k])):
                return True
        if hears_on_board(g, t, i, hero_of(side)) or hears_off_board(g, t, i, side):
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8, I8), inline=True)
def is_heard(g, t, event, side, card, subject, other):
    """Return whether anything may react to an event, with the arguments of state.announce."""
    if ((g.watch >> event) & 1) == 0:
        return False
    announce(g, event, side, card, subject, other, 0)
    g.depth -= 1  # only to look at it
    return is_frame_heard(g, t, g.depth)
