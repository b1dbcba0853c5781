"""The operations on secrets, and on the attack or spell that they answer."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.strikes import select_affected
from hsevo.engine.record.codec import BONUS, Moment, card_in
from hsevo.engine.record.state import GAME_T, NONE, NOTED, TURNED, random_below
from hsevo.engine.rules.board import add_secret, has_room_for_secret, remove_secret
from hsevo.engine.rules.evidence import DRAWN, MADE, deal_unseen, take_laid
from hsevo.engine.rules.select import plain_amount
from hsevo.engine.rules.zones import add_openly, note_card, remove_from_deck


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_retarget(g, t, i):
    """RETARGET: the attack that is announced."""
    select_affected(g, t, i)
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        if g.defender != ref:
            g.struck = TURNED
        g.defender = ref
        g.defender_uid = g.char[ref].uid


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_retarget_spell(g, t, i):
    """RETARGET_SPELL: the spell that has just announced its target (Op.TARGETED)."""
    select_affected(g, t, i)
    if g.n_list > 0:
        for j in range(i):
            f = g.stack[j]
            if f.pc > 0 and t.row[f.pc - 1].op == Op.TARGETED:
                f.target = g.list[0]
                f.target_uid = g.char[g.list[0]].uid


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_secrets(g, t, i):
    """DESTROY_SECRETS, TAKE_SECRET: the opponent's."""
    f = g.stack[i]
    enemy = 1 - np.int64(f.side)
    s = g.side[enemy]
    if t.row[f.pc].op == Op.DESTROY_SECRETS:
        s.n_secrets = 0
    elif s.n_secrets > 0:
        k = random_below(g, s.n_secrets)
        card = np.int64(s.secret[k].card)
        remove_secret(g, enemy, k)
        add_secret(g, t, f.side, card, card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_secret_from_deck(g, t, i):
    """SECRET_FROM_DECK: a random one that the player does not have in play."""
    side = np.int64(g.stack[i].side)
    s, n, place = g.side[side], np.int64(0), np.int64(NONE)
    if not has_room_for_secret(g, side):
        return
    deal_unseen(g, side)
    for k in range(s.n_deck):
        card, there = card_in(s.deck[k]), False
        for j in range(s.n_secrets):
            there = there or s.secret[j].card == card
        if t.card[card].secret == 1 and not there:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                place = k
    if place >= 0:
        add_secret(g, t, side, card_in(remove_from_deck(g, t, side, place)), DRAWN)


@kernel(VOID(GAME_T, TABLES_T, I8))
def open_quest(g, t, i):
    """OPEN_QUEST: no more than one is open, whatever casts it."""
    f = g.stack[i]
    s = g.side[f.side]
    if s.quest == 0:
        s.quest = f.card
        s.quest_uid = g.next_uid
        s.counter[Counter.QUEST_PROGRESS] = 0
        g.next_uid += 1
        g.watch |= t.card[f.card].watch


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def count_name(g, t, side, card):
    """Return how often a name was played since the quest was opened, counting this time."""
    s, name = g.side[side], np.int64(t.card[card].namesake)
    for k in range(s.n_later):
        moment = np.int64(s.later[k]) >> BONUS
        named = moment >= Moment.PLAYED_ONCE and moment <= Moment.PLAYED_FOUR_TIMES
        if named and card_in(s.later[k]) == name:
            s.later[k] += (moment < Moment.PLAYED_FOUR_TIMES) << BONUS
            return moment - Moment.PLAYED_ONCE + 2
    note_card(g, side, name, Moment.PLAYED_ONCE)
    return 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_progress(g, t, i):
    """PROGRESS, PROGRESS_BY_NAME: a completed quest makes room, and its reward goes to hand."""
    f = g.stack[i]
    side = np.int64(f.side)
    s, k = g.side[side], t.card[f.card]
    if s.quest != f.card:
        return
    if t.row[f.pc].op == Op.PROGRESS_BY_NAME:
        times = count_name(g, t, side, f.first)
        s.counter[Counter.QUEST_PROGRESS] = max(s.counter[Counter.QUEST_PROGRESS], times)
    else:
        s.counter[Counter.QUEST_PROGRESS] += plain_amount(g, t, i)
    if s.counter[Counter.QUEST_PROGRESS] >= k.goal:
        s.quest = 0
        s.quest_uid = 0
        s.counter[Counter.QUEST_PROGRESS] = 0
        add_openly(g, t, side, k.reward)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_secret_from_pool(g, t, i):
    """SECRET_FROM_POOL: a random one of a pool that the player does not have in play."""
    f = g.stack[i]
    side, pool = np.int64(f.side), np.int64(t.row[f.pc].pool)
    s, n, chosen = g.side[side], np.int64(0), np.int64(0)
    for k in range(t.pool[pool, 1]):
        card, there = np.int64(t.pooled[t.pool[pool, 0] + k]), False
        for j in range(s.n_secrets):
            there = there or s.secret[j].card == card
        if not there:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                chosen = card
    if chosen > 0:
        add_secret(g, t, side, chosen, MADE)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_secrets(g, t, i, op):
    """Run frame i's row, an operation of Group.SECRETS."""
    if op == Op.HIDE_SECRET:
        side = np.int64(g.stack[i].side)
        origin = take_laid(g, side) if g.sight == NOTED else DRAWN
        add_secret(g, t, side, g.stack[i].card, origin)
    elif op == Op.OPEN_QUEST:
        open_quest(g, t, i)
    elif op == Op.PROGRESS or op == Op.PROGRESS_BY_NAME:
        do_progress(g, t, i)
    elif op == Op.COUNTER:
        g.countered = 1
    elif op == Op.RETARGET:
        do_retarget(g, t, i)
    elif op == Op.RETARGET_SPELL:
        do_retarget_spell(g, t, i)
    elif op == Op.DESTROY_SECRETS or op == Op.TAKE_SECRET:
        do_secrets(g, t, i)
    elif op == Op.PLAY_CHOSEN:
        if g.chosen > 0:
            add_secret(g, t, g.stack[i].side, g.chosen, MADE)
    elif op == Op.SECRET_FROM_DECK:
        do_secret_from_deck(g, t, i)
    elif op == Op.SECRET_FROM_POOL:
        do_secret_from_pool(g, t, i)
