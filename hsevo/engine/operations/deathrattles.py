"""The operations on Deathrattles, and on minions that go elsewhere when they die."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Is, Keyword, Kind, Rule
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.changes import return_to_hand, shuffle_away, transform
from hsevo.engine.operations.strikes import select_affected
from hsevo.engine.record.codec import (
    KEPT,
    RATTLE_ONLY,
    bonus_of,
    card_in,
    is_leveled,
    minion_ref,
    times_of,
)
from hsevo.engine.record.state import GAME_T, NOTED, TEXTS, push
from hsevo.engine.rules.board import attach_text, buff
from hsevo.engine.rules.conditions import (
    random_minion_of_deck,
)
from hsevo.engine.rules.deaths import OTHER_YARD, choose_grave, leave, push_deathrattles
from hsevo.engine.rules.evidence import DRAWN, note_shown
from hsevo.engine.rules.kept import kept_attack, kept_health, record_kept, settle_kept
from hsevo.engine.rules.query import (
    ref_if_in_play,
    row_side,
)
from hsevo.engine.rules.select import plain_amount
from hsevo.engine.rules.zones import add_openly, remove_from_deck, shuffle_openly


@kernel(BOOL(GAME_T, TABLES_T, I8), cold=True)
def doubles_weapons(g, t, side):
    """Return whether the Deathrattles of a player's weapons, too, trigger twice."""
    s = g.side[side]
    for i in range(s.minions):
        c = g.char[minion_ref(side, s.row[i])]
        if t.card[c.card].doubles_weapons == 1 and (c.keywords & Keyword.SILENCED) == 0:
            return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_deathrattle(g, t, i):
    """DEATHRATTLE: run the rest of the text twice if the owner's minions do so.

    Wiki, Baron Rivendare: both inside of one resolution; not for weapons.
    """
    f = g.stack[i]
    twice = (g.side[f.side].rules & Rule.DEATHRATTLES_TWICE) != 0
    if twice and (t.card[f.card].kind == Kind.MINION or doubles_weapons(g, t, f.side)):
        j = push(g)
        g.stack[j] = g.stack[i]
        g.stack[j].pc += 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_copy_deathrattle(g, t, i):
    """COPY_DEATHRATTLE: all Deathrattles of the target, of its own and attached ones."""
    f = g.stack[i]
    own, source = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    if own < 0 or source < 0:
        return
    c = g.char[source]
    if (c.keywords & Keyword.SILENCED) == 0 and t.card[c.card].deathrattle > 0:
        attach_text(g, t, own, c.card + RATTLE_ONLY)
    for x in range(TEXTS):
        text = np.int64(c.extra[x])
        if t.card[card_in(text)].deathrattle > 0:
            for _ in range(times_of(text)):
                attach_text(g, t, own, card_in(text) + RATTLE_ONLY)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def deck_deathrattle(g, t, i):
    """DECK_DEATHRATTLE: that of a random minion in the own deck that has one."""
    f = g.stack[i]
    own = ref_if_in_play(g, f.ref, f.uid)
    k = random_minion_of_deck(g, t, f.side, Is.KEYWORD, Keyword.DEATHRATTLE)
    if own >= 0 and k >= 0:
        attach_text(g, t, own, card_in(g.side[f.side].deck[k]) + RATTLE_ONLY)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def dead_deathrattles(g, t, i):
    """DEAD_DEATHRATTLES: of random own minions that died this game, each death once."""
    own = ref_if_in_play(g, g.stack[i].ref, g.stack[i].uid)
    g.n_list = 0
    for _ in range(plain_amount(g, t, i)):
        if not choose_grave(g, t, i):
            break
    for x in range(g.n_list if own >= 0 else 0):
        grave = np.int64(g.list[x])
        card = card_in(g.side[grave // OTHER_YARD].dead[grave % OTHER_YARD])
        attach_text(g, t, own, card + RATTLE_ONLY)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def eat(g, t, i):
    """EAT: a random minion leaves the own deck; this one keeps its card in mind."""
    f = g.stack[i]
    own, side = ref_if_in_play(g, f.ref, f.uid), np.int64(f.side)
    k = random_minion_of_deck(g, t, side, Is.ANYTHING, 0)
    if own < 0 or k < 0:
        return
    entry = remove_from_deck(g, t, side, k)
    card = card_in(entry)
    if g.sight == NOTED:
        note_shown(g, side, card, DRAWN)
    more = bonus_of(entry)
    attack, health = np.int64(t.card[card].attack), np.int64(t.card[card].health)
    buff(g, t, own, more + (health if is_leveled(entry) else attack), health + more)
    if t.keeps_given == 1 and entry >> KEPT != 0:
        buff(g, t, own, kept_attack(entry), kept_health(entry))
    g.char[own].memory = card


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_shuffle_this(g, t, i):
    """SHUFFLE_THIS: this minion, alive or dead, goes to the own deck (theirs: the opponent's)."""
    f = g.stack[i]
    side = row_side(g, t, i)
    own = ref_if_in_play(g, f.ref, f.uid)
    if not leave(g, f.uid):
        return
    if own >= 0:
        shuffle_away(g, t, own, side)
    else:
        shuffle_openly(g, t, side, f.card)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def shuffle_kept(g, t, i):
    """SHUFFLE_KEPT: as SHUFFLE_THIS, to the own deck, with what the minion was given."""
    f = g.stack[i]
    side, number = np.int64(f.side), np.int64(f.second)
    own = ref_if_in_play(g, f.ref, f.uid)
    if not leave(g, f.uid):
        return
    before = np.int64(g.side[side].n_deck)
    if own >= 0:
        number = record_kept(g, t, own)
        shuffle_away(g, t, own, side)
    else:
        shuffle_openly(g, t, side, f.card)
    settle_kept(g, side, number, g.side[side].n_deck > before)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_return_this(g, t, i):
    """RETURN_THIS: this minion, alive or dead, or (card -1) the event's dead one, to hand."""
    f = g.stack[i]
    if t.row[f.pc].card < 0:
        if leave(g, f.subject_uid) and add_openly(g, t, f.side, f.first):
            s = g.side[f.side]
            s.hand[s.n_hand - 1].cost = -t.row[f.pc].cheaper
        return
    own, card = ref_if_in_play(g, f.ref, f.uid), np.int64(t.row[f.pc].card)
    if not leave(g, f.uid):
        return
    if own >= 0:
        if card > 0:
            transform(g, t, own, card)
        return_to_hand(g, t, own, 0, 0, 0)
    else:
        add_openly(g, t, f.side, card if card > 0 else np.int64(f.card))


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_deathrattles(g, t, i, op):
    """Run frame i's row, an operation of Group.DEATHRATTLES."""
    if op == Op.DEATHRATTLE:
        do_deathrattle(g, t, i)
    elif op == Op.TRIGGER_DEATHRATTLES:
        select_affected(g, t, i)
        for k in range(g.n_list):
            push_deathrattles(g, t, g.list[k], g.list[k])
    elif op == Op.COPY_DEATHRATTLE:
        do_copy_deathrattle(g, t, i)
    elif op == Op.SHUFFLE_THIS:
        do_shuffle_this(g, t, i)
    elif op == Op.SHUFFLE_KEPT:
        shuffle_kept(g, t, i)
    elif op == Op.RETURN_THIS:
        do_return_this(g, t, i)
    elif op == Op.DEAD_DEATHRATTLES:
        dead_deathrattles(g, t, i)
    elif op == Op.EAT:
        eat(g, t, i)
    elif op == Op.RETURN_EATEN:
        if g.stack[i].second > 0:
            add_openly(g, t, g.stack[i].side, g.stack[i].second)
    elif op == Op.DECK_DEATHRATTLE:
        deck_deathrattle(g, t, i)
    elif op == Op.RETURN_SPELLS and g.stack[i].second > 0:  # one: deaths.push_deathrattles
        add_openly(g, t, g.stack[i].side, g.stack[i].second)
