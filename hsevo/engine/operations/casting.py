"""Spells that texts cast, and attacks that they make."""

import numpy as np

from hsevo.cards.ops import GROUP_BITS, Op, OpGroup
from hsevo.cards.terms import Counter, Event, Keyword, Kind, Noted, Rule, Sequence
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.players import add_overload
from hsevo.engine.operations.strikes import repeat_row, select_affected
from hsevo.engine.record.codec import BONUS, BOTH_OPTIONS, Moment, card_in, side_of
from hsevo.engine.record.state import (
    GAME_T,
    NONE,
    NOTED,
    announce,
    is_in_play,
    push,
    random_below,
)
from hsevo.engine.rules.aim import aim_at_random, requirements_met, taught_spell
from hsevo.engine.rules.board import put_into_play
from hsevo.engine.rules.conditions import (
    random_in_deck,
)
from hsevo.engine.rules.evidence import DRAWN, deal_unseen, note_shown
from hsevo.engine.rules.query import (
    is_dying,
    position_beside,
    ref_if_in_play,
)
from hsevo.engine.rules.select import pick_from, plain_amount
from hsevo.engine.rules.traces import count_recalled, recalled_at, shuffled
from hsevo.engine.rules.zones import remove_from_deck, remove_from_hand

MOST_SEEDS = 30_000  # random orders


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def cast(g, t, side, card):
    """Put a spell on the stack, with a random option and target; without a target it fizzles."""
    k, option = t.card[card], np.int64(0)
    if k.option[0] > 0:
        both = (g.side[side].rules & Rule.CHOOSE_BOTH) != 0
        option = BOTH_OPTIONS if both else random_below(g, 2)
    option_card = np.int64(k.option[option] if k.option[0] > 0 and option != BOTH_OPTIONS else card)
    if not requirements_met(g, t, option_card):
        return
    g.option = option
    i = push(g)
    f = g.stack[i]
    f.pc = t.sequence[Sequence.CAST]
    f.side = side
    f.card = card
    aim_at_random(g, t, i)
    if f.target < 0 and t.card[option_card].target != 0:
        g.depth -= 1
    elif k.overload > 0:
        add_overload(g, side, k.overload)


@kernel(VOID(GAME_T, TABLES_T, I8))
def cast_copy(g, t, i):
    """CAST_COPY: the event's spell is cast once more, with the same options, at a minion."""
    f = g.stack[i]
    select_affected(g, t, i)
    for k in range(g.n_list):
        copy = g.stack[push(g)]
        copy.pc = t.sequence[Sequence.CAST]
        copy.side = f.side
        copy.card = f.first
        copy.target = g.list[k]
        copy.target_uid = g.char[g.list[k]].uid


@kernel(VOID(GAME_T, TABLES_T, I8))
def cast_chosen(g, t, i):
    """CAST_CHOSEN: as the player whose text it is."""
    f = g.stack[i]
    if repeat_row(g, i, np.int64(g.chosen > 0)):
        mover = g.me
        g.me = f.side
        cast(g, t, f.side, g.chosen)
        g.me = mover


@kernel(VOID(GAME_T, TABLES_T, I8))
def attack_subject(g, t, i):
    """ATTACK_SUBJECT: an attack outside the own turn, which uses none up."""
    f = g.stack[i]
    own, defender = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.subject, f.subject_uid)
    if own < 0 or defender < 0 or is_dying(g, own) or is_dying(g, defender):
        return
    g.attacker = own
    g.attacker_uid = f.uid
    g.defender = defender
    g.defender_uid = f.subject_uid
    g.struck = 0
    attack = g.stack[push(g)]
    attack.pc = t.sequence[Sequence.ATTACK]
    attack.side = f.side
    attack.card = f.card
    attack.ref = own
    attack.uid = f.uid


@kernel(I8(GAME_T, I8))
def ref_of(g, uid):
    """Return the ref of the character in play with a uid, on either side, or NONE."""
    for ref in range(16):
        if is_in_play(g, ref, uid):
            return ref
    return NONE


@kernel(BOOL(GAME_T, I8), cold=True)
def can_cast_on(g, i):
    """Return whether frame i's minion can continue to cast spells; if so, for whom it does."""
    f = g.stack[i]
    own = ref_of(g, f.uid)
    if own < 0 or (g.char[own].keywords & Keyword.SILENCED) != 0:
        return False
    f.ref = own
    f.side = side_of(own)
    return True


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def cast_for(g, t, side, card):
    """Cast a spell with the requirements and targets of its owner, whoever's turn it is."""
    mover = g.me
    g.me = side
    cast(g, t, side, card)
    g.me = mover


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def cast_from_deck(g, t, i):
    """CAST_FROM_DECK: a random spell leaves the own deck, also if it then has no target."""
    if not repeat_row(g, i, 1):
        return
    side = np.int64(g.stack[i].side)
    k = random_in_deck(g, t, side, Kind.SPELL)
    if k < 0:
        return
    card = card_in(remove_from_deck(g, t, side, k))
    if g.sight == NOTED:
        note_shown(g, side, card, DRAWN)
    cast_for(g, t, side, card)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def cast_from_hand(g, t, i):
    """CAST_FROM_HAND: a random spell leaves the opponent's hand, also if it then has no target."""
    if not repeat_row(g, i, 1):
        return
    side, n, place = 1 - np.int64(g.stack[i].side), np.int64(0), np.int64(NONE)
    deal_unseen(g, side)
    s = g.side[side]
    for k in range(s.n_hand):
        if t.card[s.hand[k].card].kind == Kind.SPELL:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                place = np.int64(k)
    if place >= 0:
        s.counter[Counter.GROWN] = s.hand[place].attack
        cast_for(g, t, side, remove_from_hand(g, side, place))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def cast_of_turn(g, t, i):
    """CAST_OF_TURN: a random one of the spells that the player has cast this turn."""
    if not repeat_row(g, i, 1):
        return
    side, n, card = np.int64(g.stack[i].side), np.int64(0), np.int64(0)
    s = g.side[side]
    for k in range(s.n_later):
        if np.int64(s.later[k]) >> BONUS == Moment.CAST_NOW:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                card = card_in(s.later[k])
    if card > 0:
        s.counter[Counter.GROWN] = 0
        cast_for(g, t, side, card)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def cast_noted(g, t, i):
    """CAST_NOTED: the spells that the owner has cast on own minions, on this one, one by one."""
    f = g.stack[i]
    if not can_cast_on(g, i) or f.left >= g.side[f.side].n_casts:
        f.left = 0
        return
    card = np.int64(g.side[f.side].casts[f.left])
    f.left += 1
    f.pc -= 1  # who runs the row advances it
    k = t.card[card]
    if k.option[0] > 0:
        both = (g.side[f.side].rules & Rule.CHOOSE_BOTH) != 0
        g.option = BOTH_OPTIONS if both else random_below(g, 2)
    copy = g.stack[push(g)]
    copy.pc = t.sequence[Sequence.CAST]
    copy.side = f.side
    copy.card = card
    copy.target = f.ref
    copy.target_uid = f.uid
    if k.overload > 0:
        add_overload(g, f.side, k.overload)


@kernel(VOID(GAME_T, TABLES_T, I8))
def cast_random(g, t, i):
    """CAST_RANDOM: one spell, resolved, after the other.

    Patch 6.1.3: it ends when the caster has left play, is silenced or transformed. If the caster
    has changed sides, the other player casts the rest (hs-bugs 886 and 924: as intended).
    """
    f = g.stack[i]
    if f.uid > 0 and not can_cast_on(g, i):
        f.left = 0
        return
    pool = np.int64(t.row[f.pc].pool)
    if repeat_row(g, i, plain_amount(g, t, i) if f.left == 0 else np.int64(0)):
        g.side[f.side].counter[Counter.GROWN] = 0
        cast_for(g, t, f.side, pick_from(g, t, f.side, pool))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def cast_taught(g, t, i):
    """CAST_TAUGHT: both spells in their order, with the target of the play; deaths come after them.

    hearthstone.fandom.com, Swampqueen Hagatha. Our choices: the player makes the choices of the
    spells; a minion that has gone meanwhile casts none.
    """
    f = g.stack[i]
    own = ref_if_in_play(g, f.ref, f.uid)
    g.side[f.side].counter[Counter.GROWN] = 0
    for k in range(2 if own >= 0 else 0):
        spell = taught_spell(t, f.card, np.int64(g.char[own].memory), k)
        aimed = t.card[spell].target != 0
        if spell == 0 or (aimed and f.target < 0) or not requirements_met(g, t, spell):
            continue
        h = g.stack[push(g)]
        h.pc = t.card[spell].play
        h.side = f.side
        h.card = spell
        if aimed:
            h.target = f.target
            h.target_uid = f.target_uid
        if t.card[spell].overload > 0:
            add_overload(g, f.side, t.card[spell].overload)


@kernel(I8(I8), inline=True)
def sequence_of(kind):
    """Return how a text plays a card of a kind, other than a spell."""
    if kind == Kind.MINION:
        return np.int64(Sequence.CAST)
    return np.int64(Sequence.EQUIP if kind == Kind.WEAPON else Sequence.BECOME)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def replay(g, t, i, card):
    """Play a card once more for the owner of frame i, with a random target; nothing reacts to that.
    """
    side, kind = np.int64(g.stack[i].side), t.card[card].kind
    if kind == Kind.SPELL:
        cast(g, t, side, card)
        return
    ref = NONE
    if kind == Kind.MINION:
        ref = put_into_play(g, t, side, card, position_beside(g, i))
        if ref < 0:
            return
        announce(g, Event.SUMMONED, side, card, ref, NONE, 0)
    g.option = random_below(g, 2) if t.card[card].option[0] > 0 else np.int64(0)
    j = push(g)
    f = g.stack[j]
    f.pc = t.sequence[sequence_of(kind)]
    f.side = side
    f.card = card
    f.ref = ref
    f.uid = g.char[ref].uid if ref >= 0 else 0
    aim_at_random(g, t, j)
    if t.card[card].overload > 0:
        add_overload(g, side, t.card[card].overload)
    if kind == Kind.MINION:
        announce(g, Event.AFTER_SUMMONED, side, card, ref, NONE, 0)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def repeat_battlecry(g, t, i, card):
    """Run the Battlecry of a card for the minion of frame i, with a random target, and the deaths.
    """
    f, h = g.stack[i], g.stack[push(g)]
    h.pc = t.card[card].play
    h.side = f.side
    h.card = card
    h.ref = f.ref
    h.uid = f.uid
    aim_at_random(g, t, g.depth - 1)
    g.stack[push(g)].pc = t.sequence[Sequence.CAST] + 1  # past the text


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_recalled(g, t, i):
    """REPEAT_BATTLECRIES, REPLAY, RECAST: one card, resolved, after the other, in random order.

    As with CAST_RANDOM it ends when the minion has left play, is silenced or transformed.
    """
    f = g.stack[i]
    op = t.row[f.pc].op
    if op != Op.RECAST:  # of a hero, who always can
        own = ref_of(g, f.uid)
        if own < 0 or (g.char[own].keywords & Keyword.SILENCED) != 0 or is_dying(g, own):
            f.left = 0
            return
        f.ref = own
        f.side = side_of(own)
    what = np.int64(Noted.SPELL if op == Op.RECAST else Noted.CLASS)
    if op == Op.REPEAT_BATTLECRIES:
        what = np.int64(Noted.BATTLECRY)
    if f.left == 0:
        f.first = random_below(g, MOST_SEEDS)
        f.second = 0
        f.amount = g.side[f.side].cls  # a hero that is replayed may be of another class
    n = count_recalled(g, t, f.side, f.card, f.amount, what)
    if repeat_row(g, i, min(n, plain_amount(g, t, i)) if f.left == 0 else np.int64(0)):
        place = shuffled(np.uint64(f.first) << np.uint64(8), n, f.second)
        f.second += 1
        card = recalled_at(g, t, f.side, f.card, f.amount, what, place)
        mover = g.me
        g.me = f.side
        if what == Noted.BATTLECRY:
            repeat_battlecry(g, t, i, card)
        else:
            replay(g, t, i, card)
        g.me = mover


@kernel(BOOL(GAME_T, TABLES_T))
def is_casting(g, t):
    """Return whether a text plays or repeats cards: their choices are made at random."""
    for i in range(g.depth):
        op = t.row[g.stack[i].pc].op
        if op == Op.REPEAT_BATTLECRIES or op == Op.REPLAY or op == Op.RECAST:
            return True
        if op >> GROUP_BITS == OpGroup.CASTING and g.stack[i].left > 0:  # it runs again
            return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_casting(g, t, i, op):
    """Run frame i's row, an operation of Group.CASTING."""
    if op == Op.CAST_RANDOM:
        cast_random(g, t, i)
    elif op == Op.CAST_COPY:
        cast_copy(g, t, i)
    elif op == Op.CAST_FROM_DECK:
        cast_from_deck(g, t, i)
    elif op == Op.CAST_CHOSEN:
        cast_chosen(g, t, i)
    elif op == Op.CAST_FROM_HAND:
        cast_from_hand(g, t, i)
    elif op == Op.CAST_OF_TURN:
        cast_of_turn(g, t, i)
    elif op == Op.CAST_TAUGHT:
        cast_taught(g, t, i)
    elif op == Op.CAST_NOTED:
        cast_noted(g, t, i)
    elif op == Op.REPEAT_BATTLECRIES or op == Op.REPLAY or op == Op.RECAST:
        do_recalled(g, t, i)
    elif op == Op.ATTACK_SUBJECT:
        attack_subject(g, t, i)
