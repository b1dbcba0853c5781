"""The switch over the operations of card texts, by group, and the one that skips others."""

import numpy as np

from hsevo.cards.ops import GROUP_BITS, Op, OpGroup
from hsevo.cards.terms import Amount, If, Is, Selector
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.casting import run_casting
from hsevo.engine.operations.changes import run_characters
from hsevo.engine.operations.choices import run_choices
from hsevo.engine.operations.deathrattles import run_deathrattles
from hsevo.engine.operations.hand import run_cards
from hsevo.engine.operations.held import run_held
from hsevo.engine.operations.players import run_players
from hsevo.engine.operations.secrets import run_secrets
from hsevo.engine.operations.strikes import run_health
from hsevo.engine.operations.summons import run_board
from hsevo.engine.record.state import GAME_T, NONE
from hsevo.engine.rules.conditions import (
    condition_holds,
    holds_such,
    is_in_deck,
)
from hsevo.engine.rules.query import (
    card_matches,
    ref_if_in_play,
)
from hsevo.engine.rules.select import amount_of, plain_amount, select_characters


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_skip(g, t, i):
    """SKIP: jump over the next rows unless a condition holds (negated: if it holds)."""
    f = g.stack[i]
    r = t.row[f.pc]
    own, target = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    subject = ref_if_in_play(g, f.subject, f.subject_uid)
    if r.when == If.THERE_IS and r.who == Selector.MY_DECK:
        holds = is_in_deck(g, t, f.side, r.test, r.arg)
    elif r.when == If.THERE_IS and r.who == Selector.MY_HAND:
        arg = np.int64(g.side[f.side].cls) if r.test == Is.OTHER_CLASS else np.int64(r.arg)
        holds = holds_such(g, t, np.int64(f.side), r.test, arg)
    elif r.when == If.INTO_MY_DECK:
        holds = f.amount == f.side
    elif r.when == If.THERE_IS:
        select_characters(g, t, i, r.who, r.test, r.arg, 0)
        holds = g.n_list >= max(np.int64(r.when_arg), 1)
    elif r.when == If.OWN_ATTACK_AT_LEAST:
        holds = amount_of(g, t, i, Amount.OWN_ATTACK, 0, 0, NONE, own) >= r.when_arg
    elif r.when == If.DREW:
        holds = f.first > 0 and card_matches(t, f.first, r.test, r.arg)
    elif r.when == If.EVENT_AT_LEAST:
        holds = f.amount >= r.when_arg
    elif r.when == If.PAID:
        holds = f.amount == r.when_arg
    elif r.when == If.OTHER_CLASS:
        classes = np.int64(t.card[f.first].classes)
        holds = classes != 0 and ((classes >> g.side[f.side].cls) & 1) == 0
    else:
        holds = condition_holds(g, t, r.when, r.when_arg, f.side, own, target, subject)
    if holds == (r.negated == 1):
        f.pc += r.rows


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_repeat(g, t, i):
    """REPEAT: go back to the first row of the text, at most as often as the amount says."""
    f = g.stack[i]
    if f.second < plain_amount(g, t, i):
        f.second += 1
        f.pc = t.card[f.card].play - 1  # who runs the row advances it


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_row(g, t, i, op):
    """Run the row of frame i and advance to the next. `cards.ops` explains the operations.

    One that has to run again, when what it set off is resolved, has gone back a row by itself.
    """
    group = op >> GROUP_BITS
    if group == OpGroup.HEALTH:
        run_health(g, t, i, op)
    elif op == Op.REPEAT:
        do_repeat(g, t, i)
    elif group == OpGroup.CONTROL:
        do_skip(g, t, i)
    elif group == OpGroup.CHARACTERS:
        run_characters(g, t, i, op)
    elif group == OpGroup.BOARD:
        run_board(g, t, i, op)
    elif group == OpGroup.CARDS:
        run_cards(g, t, i, op)
    elif group == OpGroup.CHOICES:
        run_choices(g, t, i, op)
    elif group == OpGroup.HELD:
        run_held(g, t, i, op)
    elif group == OpGroup.PLAYERS:
        run_players(g, t, i, op)
    elif group == OpGroup.SECRETS:
        run_secrets(g, t, i, op)
    elif group == OpGroup.DEATHRATTLES:
        run_deathrattles(g, t, i, op)
    elif group == OpGroup.CASTING:
        run_casting(g, t, i, op)
    g.stack[i].pc += 1
