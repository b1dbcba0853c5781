"""The operations that change characters."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Event, Gains, Is, Keyword, Selector
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.strikes import select_affected
from hsevo.engine.record.codec import (
    BONUS,
    CHARACTERS,
    RATTLE_ONLY,
    card_in,
    encode_text,
    minion_ref,
    side_of,
)
from hsevo.engine.record.state import (
    DECK,
    GAME_T,
    MOST,
    NONE,
    TEXTS,
    announce,
    is_in_play,
    random_below,
)
from hsevo.engine.rules.board import (
    MINIONS,
    attach_text,
    buff,
    change_side,
    create_character,
    detach,
    mark_auras_stale,
    remove_from_play,
    silence,
    take_control_this_turn,
)
from hsevo.engine.rules.conditions import random_minion_of_deck, reveal
from hsevo.engine.rules.health import freeze, mark_destroyed, restore_health
from hsevo.engine.rules.query import (
    attack_of,
    is_dormant,
    ref_if_in_play,
    row_side,
)
from hsevo.engine.rules.select import pick_from, row_amount
from hsevo.engine.rules.zones import add_copy, add_openly, shuffle_openly

COSTS = 27  # pools of minions by cost: 0 to 26

@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def forget_attack(g, t, ref):
    """Take away the texts attached to a minion that would give it attack again."""
    c, n = g.char[ref], 0
    for x in range(TEXTS):
        text = np.int64(c.extra[x])
        c.extra[x] = 0
        if text != 0 and t.card[card_in(text)].restores == 0:
            c.extra[n] = text
            n += 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def set_attack(g, t, ref, n):
    """Set attack before auras. Rule 8: setting overwrites earlier changes."""
    g.char[ref].attack = n + g.char[ref].aura_attack
    g.char[ref].turn_attack = 0
    if g.char[ref].extra[0] != 0:
        forget_attack(g, t, ref)
    mark_auras_stale(g, t, ref)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def set_health(g, t, ref, n):
    """Set health and maximum health before auras."""
    c = g.char[ref]
    c.max_health = n + c.aura_health
    c.health = c.max_health
    if n <= 0:
        g.dying = 1
    mark_auras_stale(g, t, ref)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_swap_health(g, t, i):
    """SWAP_HEALTH: this minion's with the target's."""
    f = g.stack[i]
    own, target = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    if own >= 0 and target >= 0:
        mine = np.int64(g.char[own].health)
        set_health(g, t, own, np.int64(g.char[target].health))
        set_health(g, t, target, mine)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8))
def return_to_hand(g, t, ref, dearer, price, bigger):
    """Return a minion to its owner's hand; it dies if the hand is full.

    It costs so much more, or (price above 0) one less than the price, and has more attack and
    health.
    """
    side, card = side_of(ref), np.int64(g.char[ref].card)
    if add_openly(g, t, side, card):
        if price > 0:
            dearer = price - 1 - t.card[card].cost
        h = g.side[side].hand[g.side[side].n_hand - 1]
        h.cost, h.attack, h.health = dearer, bigger, bigger
        remove_from_play(g, t, ref)
    else:
        mark_destroyed(g, ref)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def transform(g, t, ref, card):
    """Turn a minion into another card: a new minion in the same place, asleep like any new one."""
    create_character(g, t, ref, card)
    g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def transform_by_cost(g, t, ref, more):
    """Turn a minion into a random one that costs `more` than it; without one it stays."""
    cost = np.int64(t.card[g.char[ref].card].cost) + more
    if cost >= 0 and cost < COSTS:
        card = pick_from(g, t, side_of(ref), t.of_cost[cost])
        if card > 0:
            transform(g, t, ref, card)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def change_form(g, t, ref, card):
    """Transform a minion, and have what still answers an event about it concern the new form.

    hs-bugs 872: so it is for one that transforms itself when it is played, and for the Sheep.
    """
    before = np.int64(g.char[ref].uid)
    transform(g, t, ref, card)
    for j in range(g.depth):
        f = g.stack[j]
        if f.subject_uid == before:
            f.subject_uid = g.char[ref].uid
        if f.uid == before:
            f.uid = g.char[ref].uid


@kernel(VOID(GAME_T, I8, I8))
def give_one_of(g, ref, bits):
    """Give a character one of several keywords at random."""
    n, chosen = np.int64(0), np.int64(0)
    for k in range(31):
        bit = np.int64(1) << k
        if (bits & bit) != 0:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                chosen = bit
    g.char[ref].keywords |= chosen
    g.stale |= (g.reach & MINIONS) != 0


@kernel(VOID(GAME_T, I8, I8))
def copy_onto(g, ref, source):
    """Make a minion an exact copy of another, also if borrowed, but with its own order of play.

    It takes the damage over, but neither what auras give (hearthstone.wiki.gg, Mirror Entity) nor
    that the other is to be destroyed (hs-bugs 292).
    """
    c, uid = g.char[ref], np.int64(g.char[ref].uid)
    g.char[ref] = g.char[source]
    c.uid = uid
    c.keywords = (c.keywords & ~Keyword.TO_BE_DESTROYED) | Keyword.FRESH
    c.attacks = 0
    c.attack -= c.aura_attack
    c.aura_attack = 0
    c.health -= c.aura_health
    c.max_health -= c.aura_health
    c.aura_health = 0
    c.aura_keywords = 0
    g.dying |= c.health <= 0
    g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def copy_stats(g, t, i, ref):
    """COPY_STATS: attack and health of frame i's target; b=1: which gets this minion's."""
    f = g.stack[i]
    target = ref_if_in_play(g, f.target, f.target_uid)
    if target < 0:
        return
    attack, health = attack_of(g, ref), np.int64(g.char[ref].health)
    set_attack(g, t, ref, attack_of(g, target))
    set_health(g, t, ref, np.int64(g.char[target].health))
    if t.row[f.pc].op == Op.EXCHANGE_STATS:
        set_attack(g, t, target, attack)
        set_health(g, t, target, health)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8), inline=True)
def shuffle_bigger(g, t, side, card, n):
    """Shuffle a card, as one that has +n/+n, into a deck; both players see it."""
    place = shuffle_openly(g, t, side, card)
    if place >= 0:
        g.side[side].deck[place] += n << BONUS


@kernel(VOID(GAME_T, I8, I8))
def do_marked(g, i, op):
    """MARK, DESTROY_MARKED: this minion remembers the target by its order of play."""
    f = g.stack[i]
    if op == Op.MARK:
        own, target = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
        if own >= 0 and target >= 0:
            g.char[own].memory = f.target_uid
        return
    for ref in range(CHARACTERS):
        if is_in_play(g, ref, f.second):
            mark_destroyed(g, ref)
@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def shuffle_away(g, t, ref, side):
    """Shuffle a minion into a player's deck; it dies if the deck is full."""
    if g.side[side].n_deck >= DECK:
        mark_destroyed(g, ref)
        return
    shuffle_openly(g, t, side, g.char[ref].card)
    remove_from_play(g, t, ref)


@kernel(VOID(GAME_T, I8))
def destroy_weaker(g, side):
    """DESTROY_WEAKER: all of a player's minions but one of those with the most attack."""
    s, best, n = g.side[side], np.int64(NONE), np.int64(0)
    for k in range(s.minions):
        ref = minion_ref(side, s.row[k])
        if is_dormant(g, ref):
            continue
        if best < 0 or attack_of(g, ref) > attack_of(g, best):
            best, n = ref, np.int64(1)
        elif attack_of(g, ref) == attack_of(g, best):
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                best = ref
    for k in range(s.minions):
        ref = minion_ref(side, s.row[k])
        if ref != best and not is_dormant(g, ref):
            mark_destroyed(g, ref)


@kernel(VOID(GAME_T, TABLES_T, I8))
def swap_attack(g, t, i):
    """SWAP_ATTACK: this minion's with the target's."""
    f = g.stack[i]
    own, target = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    if own >= 0 and target >= 0:
        mine = attack_of(g, own)
        set_attack(g, t, own, attack_of(g, target))
        set_attack(g, t, target, mine)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def wake(g, t, i):
    """WAKE: count for a player's dormant minions; at the row's amount they awaken."""
    side = row_side(g, t, i)
    s, n = g.side[side], t.row[g.stack[i].pc].n
    for k in range(s.minions):
        c = g.char[minion_ref(side, s.row[k])]
        if (c.keywords & Keyword.DORMANT) != 0:
            c.memory += 1
            if c.memory >= n:
                c.memory = 0
                c.keywords = (c.keywords & ~Keyword.DORMANT) | Keyword.FRESH
                g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def become_from_deck(g, t, ref, n):
    """BECOME_FROM_DECK: an n/n copy of a random minion of the own deck with another name."""
    side = np.int64(side_of(ref))
    k = random_minion_of_deck(g, t, side, Is.NOT_CARD, g.char[ref].card)
    if k >= 0:
        reveal(g, side, k)
        change_form(g, t, ref, card_in(g.side[side].deck[k]))
        set_attack(g, t, ref, n)
        set_health(g, t, ref, n)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8))
def change_character(g, t, i, op, ref, n):
    """Apply an op to one character."""
    c, r = g.char[ref], t.row[g.stack[i].pc]
    if op == Op.BUFF:
        attack = n if r.gains != Gains.HEALTH else np.int64(0)
        buff(g, t, ref, attack, np.int64(r.health) if r.gains == Gains.ATTACK else n)
    elif op == Op.BUFF_TURN:
        n = min(n, MOST - c.attack)
        c.attack += n
        c.turn_attack += n
        mark_auras_stale(g, t, ref)
    elif op == Op.SET_ATTACK:
        set_attack(g, t, ref, n)
        c.keywords |= Keyword.CALMED
    elif op == Op.DOUBLE_ATTACK:
        c.attack += min(np.int64(c.attack) - c.aura_attack, MOST - c.attack)
        c.turn_attack += min(np.int64(c.turn_attack), MOST - c.turn_attack)
        mark_auras_stale(g, t, ref)
    elif op == Op.SET_HEALTH:
        set_health(g, t, ref, n)
    elif op == Op.SET_REMAINING_HEALTH:
        c.health = n
        c.max_health = max(np.int64(c.max_health), n)
        mark_auras_stale(g, t, ref)
    elif op == Op.SWAP_STATS:
        attack = max(np.int64(c.attack), 0)
        set_attack(g, t, ref, np.int64(c.health))
        c.keywords |= Keyword.CALMED
        set_health(g, t, ref, attack)
    elif op == Op.GIVE or op == Op.GIVE_THIS_TURN:
        c.keywords |= r.keywords
        g.stale |= (g.reach & MINIONS) != 0
    elif op == Op.REMOVE:
        if (c.keywords & r.keywords & Keyword.DIVINE_SHIELD) != 0:
            announce(g, Event.SHIELD_LOST, side_of(ref), c.card, ref, NONE, 0)
        c.keywords &= ~r.keywords
    elif op == Op.DESTROY:
        mark_destroyed(g, ref)
    elif op == Op.SILENCE:
        silence(g, t, ref)
    elif op == Op.FREEZE:
        freeze(g, ref)
    elif op == Op.TRANSFORM:
        f = g.stack[i]
        aimed = f.target == ref and f.target_uid == c.uid
        if r.who == Selector.SUBJECT or r.who == Selector.SELF:
            change_form(g, t, ref, r.card)
        else:
            transform(g, t, ref, r.card)
        if aimed:  # the rest of the text hits what its target has become
            f.target_uid = c.uid
    elif op == Op.TRANSFORM_RANDOM:
        card = pick_from(g, t, g.stack[i].side, r.pool)
        if card > 0:
            transform(g, t, ref, card)
    elif op == Op.STEAL:
        if r.this_turn == 1:
            take_control_this_turn(g, t, ref)
        else:
            change_side(g, t, ref)
    elif op == Op.RETURN:
        return_to_hand(g, t, ref, n, r.price, r.bigger)
    elif op == Op.ATTACH:
        for _ in range(max(n, 1)):
            attach_text(g, t, ref, encode_text(r.card, np.int64(g.stack[i].side)))
    elif op == Op.HEAL_FULL:
        restore_health(g, t, g.stack[i].side, ref, np.int64(c.max_health) - c.health)
    elif op == Op.DOUBLE_HEALTH:
        buff(g, t, ref, 0, np.int64(c.health))
    elif op == Op.SHUFFLE_COPY:
        for _ in range(n):
            shuffle_bigger(g, t, g.stack[i].side, c.card, np.int64(r.bigger))
    elif op == Op.ADD_COPY:
        add_copy(g, t, g.stack[i].side, c.card, r.small)
    elif op == Op.COPY_STATS or op == Op.EXCHANGE_STATS:
        copy_stats(g, t, i, ref)
    elif op == Op.ATTACK_AGAIN:
        c.attacks = max(np.int64(c.attacks) - 1, 0)
    elif op == Op.REMEMBER and r.mine == 1:
        c.memory = 2 * np.int64(c.card) + side_of(ref)
    elif op == Op.REMEMBER:
        target = ref_if_in_play(g, g.stack[i].target, g.stack[i].target_uid)
        if target >= 0:
            c.memory = 2 * np.int64(g.char[target].card) + side_of(target)
    elif op == Op.COPY_OF:
        source = ref_if_in_play(g, g.stack[i].target, g.stack[i].target_uid)
        if source >= 0:
            copy_onto(g, ref, source)
    elif op == Op.GIVE_ONE_OF:
        give_one_of(g, ref, r.keywords)
    elif op == Op.TRANSFORM_BY_COST:
        transform_by_cost(g, t, ref, n)
    elif op == Op.DETACH:
        detach(g, ref, r.card)
    elif op == Op.SHUFFLE_AWAY:
        whose = side_of(ref) if r.mine + r.theirs == 0 else row_side(g, t, i)
        shuffle_away(g, t, ref, whose)
    elif op == Op.KEEP_SPELL:
        attach_text(g, t, ref, g.stack[i].first + RATTLE_ONLY)
    elif op == Op.AIM:
        g.stack[i].target = ref
        g.stack[i].target_uid = c.uid
    elif op == Op.BECOME_FROM_DECK:
        become_from_deck(g, t, ref, n)
    elif op == Op.GIVE_SPELL_DAMAGE:
        c.spell_damage += n
        g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_characters(g, t, i, op):
    """Run frame i's row, an operation of Group.CHARACTERS."""
    if op == Op.SWAP_HEALTH:
        do_swap_health(g, t, i)
        return
    if op == Op.SWAP_ATTACK:
        swap_attack(g, t, i)
        return
    if op == Op.WAKE:
        wake(g, t, i)
        return
    if op == Op.MARK or op == Op.DESTROY_MARKED:
        do_marked(g, i, op)
        return
    if op == Op.DESTROY_WEAKER:
        destroy_weaker(g, g.stack[i].side)
        destroy_weaker(g, 1 - np.int64(g.stack[i].side))
        return
    select_affected(g, t, i)
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        change_character(g, t, i, op, ref, row_amount(g, t, i, ref))
