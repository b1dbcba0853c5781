"""The operations of card texts: one small function per op, and the switch over them."""

import numpy as np

from hsevo.cards.terms import Amount, Counter, Event, If, Keyword, Kind, Op, Rule, Selector
from hsevo.engine.auras import spell_damage_of
from hsevo.engine.board import (
    add_secret,
    add_to_hand,
    buff,
    change_side,
    create_character,
    deal_damage,
    destroy_weapon,
    equip_weapon,
    freeze,
    gain_crystals,
    lose_durability,
    mark_auras_stale,
    mark_destroyed,
    put_into_deck,
    remove_from_play,
    remove_secret,
    resample_hand,
    restore_health,
    shuffle_into_deck,
    silence,
    summon,
    summon_from_deck,
    summon_from_hand,
    take_control_this_turn,
)
from hsevo.engine.codec import BONUS, card_in, hero_of, is_hero, minion_ref, side_of
from hsevo.engine.graves import do_summon_dead
from hsevo.engine.hand import (
    do_cards,
    do_copy_enemy,
    do_discover,
    do_draw_until,
    do_from_own_deck,
    do_kazakus,
    do_offer_enemy_deck,
    do_offer_top,
    do_take_chosen,
    pick_from,
    take_power,
)
from hsevo.engine.held import do_held, select_held
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.query import (
    amount_of,
    attack_of,
    board_position,
    condition_holds,
    is_dying,
    plain_amount,
    position_beside,
    random_minion_in_deck,
    random_minion_of_deck,
    ref_if_in_play,
    row_amount,
    select_characters,
    sort_list,
)
from hsevo.engine.state import (
    BOARD,
    GAME_T,
    LATER,
    MOST,
    NONE,
    TEXTS,
    TURNED,
    announce,
    random_below,
    spell_of,
)


@kernel(VOID(GAME_T, TABLES_T, I8))
def select_affected(g, t, i):
    """Fill the list with the characters that frame i's row affects, in order of play.

    Rulebook: an effect on several characters affects them in the order in which they entered play.
    """
    r = t.row[g.stack[i].pc]
    select_characters(g, t, i, r.who, r.test, r.arg, r.pick)
    if g.n_list > 1 and r.pick == 0:
        sort_list(g)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def with_doubling(g, t, i, n):
    """Double n if frame i is a spell or hero power whose owner has that rule."""
    f = g.stack[i]
    kind = t.card[f.card].kind
    twice = (g.side[f.side].rules & Rule.DOUBLE_SPELLS) != 0
    return 2 * n if twice and (kind == Kind.SPELL or kind == Kind.POWER) else n


@kernel(I8(GAME_T, TABLES_T, I8))
def power_damage(g, t, side):
    """Return what a player's minions add to the damage of its hero power."""
    s, n = g.side[side], np.int64(0)
    for i in range(s.minions):
        c = g.char[minion_ref(side, s.row[i])]
        if (c.keywords & Keyword.SILENCED) == 0:
            n += t.card[c.card].power_damage
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def with_spell_damage(g, t, i, n):
    """Add Spell Damage, or what adds to hero powers, to n; then double it by the owner's rule."""
    f = g.stack[i]
    if t.card[f.card].kind == Kind.SPELL:
        n += spell_damage_of(g, t, f.side) * t.row[f.pc].m
    elif t.card[f.card].kind == Kind.POWER:
        n += power_damage(g, t, f.side)
    return with_doubling(g, t, i, n)


@kernel(I8(GAME_T, TABLES_T, I8))
def source_of(g, t, i):
    """Return the source of frame i's damage: a ref, NONE, or `spell_of` its owner."""
    f = g.stack[i]
    if t.card[f.card].kind == Kind.SPELL:
        return spell_of(np.int64(f.side))
    return ref_if_in_play(g, f.ref, f.uid)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_damage(g, t, i):
    """DAMAGE."""
    select_affected(g, t, i)
    f = g.stack[i]
    by_target, dealt = t.row[f.pc].b == 1, np.int64(0)
    source = ref_if_in_play(g, f.target, f.target_uid) if by_target else source_of(g, t, i)
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        n = with_spell_damage(g, t, i, row_amount(g, t, i, ref))
        if deal_damage(g, t, ref, n, source) > 0:
            dealt += n
    if t.row[f.pc].b == 2:
        f.amount = dealt


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def repeat_row(g, t, i, n):
    """Count frame i's row down from n; return 1 while it must run again, 0 when it is done."""
    f = g.stack[i]
    if f.left == 0:
        f.left = n + 1
    f.left -= 1
    if f.left <= 0:
        f.left = 0
        f.pc += 1
        return 0
    return 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_missiles(g, t, i):
    """MISSILES: one point at a time, resolving what each triggers."""
    f = g.stack[i]
    r = t.row[f.pc]
    n = plain_amount(g, t, i) if f.left == 0 else np.int64(0)
    if f.left == 0 and t.card[f.card].kind == Kind.SPELL:
        more = spell_damage_of(g, t, f.side) if r.b == 0 else np.int64(0)
        n = with_doubling(g, t, i, n + more)
    if repeat_row(g, t, i, n) == 0:
        return
    select_characters(g, t, i, r.who, r.test, r.arg, 1)
    if g.n_list > 0:
        deal_damage(g, t, g.list[0], 1, source_of(g, t, i))


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_heal(g, t, i):
    """HEAL."""
    select_affected(g, t, i)
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        restore_health(g, t, g.stack[i].side, ref, with_doubling(g, t, i, row_amount(g, t, i, ref)))


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def set_attack(g, t, ref, n):
    """Set attack before auras. Rule 8: setting overwrites earlier changes."""
    g.char[ref].attack = n + g.char[ref].aura_attack
    g.char[ref].turn_attack = 0
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


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def return_to_hand(g, t, ref, dearer):
    """Return a minion to its owner's hand; it dies if the hand is full."""
    side, card = side_of(ref), np.int64(g.char[ref].card)
    if add_to_hand(g, t, side, card):
        g.side[side].hand[g.side[side].n_hand - 1].cost = dearer
        remove_from_play(g, t, ref)
    else:
        mark_destroyed(g, ref)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def transform(g, t, ref, card):
    """Turn a minion into another card: a new minion in the same place, asleep like any new one."""
    create_character(g, t, ref, card)
    g.stale = 1


@kernel(VOID(GAME_T, I8, I8))
def keep_subject(g, before, uid):
    """Have what still answers an event about a minion concern what that has become: hs-bugs 872."""
    for j in range(g.depth):
        f = g.stack[j]
        if f.subject_uid == before:
            f.subject_uid = uid
        if f.uid == before:
            f.uid = uid


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def attach_text(g, t, ref, card, side):
    """Give a minion the text of a player's card, unless it has TEXTS already.

    card: negative for only the card's Deathrattle.
    """
    c = g.char[ref]
    if t.card[abs(card)].deathrattle > 0:
        c.keywords |= Keyword.DEATHRATTLE
    for x in range(TEXTS):
        if c.extra[x] == 0:
            c.extra[x] = card
            c.extra_side[x] = side
            c.keywords |= t.card[card].keywords & Keyword.DEATHRATTLE
            break
    g.stale = 1


@kernel(VOID(GAME_T, I8, I8))
def copy_onto(g, ref, source):
    """Make a minion an exact copy of another, also if borrowed, but with its own order of play."""
    c, uid = g.char[ref], np.int64(g.char[ref].uid)
    g.char[ref] = g.char[source]
    c.uid = uid
    c.keywords |= Keyword.FRESH
    c.attacks = 0
    g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def copy_stats(g, t, i, ref):
    """COPY_STATS: attack and health of frame i's target; b=1: which gets this minion's."""
    f = g.stack[i]
    other = ref_if_in_play(g, f.target, f.target_uid)
    if other < 0:
        return
    attack, health = attack_of(g, ref), np.int64(g.char[ref].health)
    set_attack(g, t, ref, attack_of(g, other))
    set_health(g, t, ref, np.int64(g.char[other].health))
    if t.row[f.pc].b == 1:
        set_attack(g, t, other, attack)
        set_health(g, t, other, health)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def add_copy(g, t, side, card, small):
    """ADD_COPY: a card to hand; if small, as a 1/1 that costs 1."""
    if add_to_hand(g, t, side, card) and small == 1:
        h, k = g.side[side].hand[g.side[side].n_hand - 1], t.card[card]
        h.cost, h.attack, h.health = 1 - k.cost, 1 - k.attack, 1 - k.health


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8, I8))
def change_character(g, t, i, op, ref, n, a):
    """Apply an op to one character."""
    c = g.char[ref]
    if op == Op.BUFF:
        b = t.row[g.stack[i].pc].b
        buff(g, t, ref, 0 if b == 2 else n, a if b == 0 else n)
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
        c.keywords |= t.row[g.stack[i].pc].b if op == Op.GIVE_THIS_TURN else a
        g.stale |= g.spreading > 0
    elif op == Op.REMOVE:
        c.keywords &= ~a
    elif op == Op.DESTROY:
        mark_destroyed(g, ref)
    elif op == Op.SILENCE:
        silence(g, t, ref)
    elif op == Op.FREEZE:
        freeze(g, ref)
    elif op == Op.TRANSFORM:
        before = np.int64(c.uid)
        transform(g, t, ref, a)
        if t.row[g.stack[i].pc].who == Selector.SUBJECT:
            keep_subject(g, before, np.int64(c.uid))
    elif op == Op.TRANSFORM_RANDOM:
        card = pick_from(g, t, g.stack[i].side, a)
        if card > 0:
            transform(g, t, ref, card)
    elif op == Op.STEAL:
        if t.row[g.stack[i].pc].b == 1:
            take_control_this_turn(g, t, ref)
        else:
            change_side(g, t, ref)
    elif op == Op.RETURN:
        return_to_hand(g, t, ref, n)
    elif op == Op.ATTACH:
        attach_text(g, t, ref, a, g.stack[i].side)
    elif op == Op.HEAL_FULL:
        restore_health(g, t, g.stack[i].side, ref, np.int64(c.max_health) - c.health)
    elif op == Op.DOUBLE_HEALTH:
        buff(g, t, ref, 0, np.int64(c.health))
    elif op == Op.SHUFFLE_COPY:
        for _ in range(n):
            shuffle_into_deck(g, t, g.stack[i].side, c.card)
    elif op == Op.ADD_COPY:
        add_copy(g, t, g.stack[i].side, c.card, t.row[g.stack[i].pc].b)
    elif op == Op.COPY_STATS:
        copy_stats(g, t, i, ref)
    elif op == Op.ATTACK_AGAIN:
        c.attacks = max(np.int64(c.attacks) - 1, 0)
    elif op == Op.REMEMBER:
        target = ref_if_in_play(g, g.stack[i].target, g.stack[i].target_uid)
        if target >= 0:
            c.memory = 2 * np.int64(g.char[target].card) + side_of(target)
    elif op == Op.COPY_OF:
        source = ref_if_in_play(g, g.stack[i].target, g.stack[i].target_uid)
        if source >= 0:
            copy_onto(g, ref, source)
    elif op == Op.RETARGET:
        if g.defender != ref:
            g.struck = TURNED
        g.defender = ref
        g.defender_uid = c.uid


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_change(g, t, i):
    """Apply an op to every character that its row affects."""
    select_affected(g, t, i)
    r = t.row[g.stack[i].pc]
    op, a = np.int64(r.op), np.int64(r.a)
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        change_character(g, t, i, op, ref, row_amount(g, t, i, ref), a)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon(g, t, i):
    """SUMMON, SUMMON_RANDOM, SUMMON_JADE; several are placed on both sides of the summoner.

    Those of a Deathrattle come one after the other where the minion died.
    """
    f = g.stack[i]
    r = t.row[f.pc]
    enemy = r.b == 1
    side = 1 - np.int64(f.side) if enemy else np.int64(f.side)
    s = g.side[side]
    g.last = NONE
    n = np.int64(1) if r.op == Op.SUMMON_JADE else plain_amount(g, t, i)
    both_sides = 1 if ref_if_in_play(g, f.ref, f.uid) >= 0 else 0
    for k in range(n):
        card = np.int64(r.a if r.a > 0 else f.card if r.a == 0 else f.first)
        if r.op == Op.SUMMON_RANDOM:
            card = pick_from(g, t, side, r.a)
        elif r.op == Op.SUMMON_JADE:
            s.jade += 1
            size = min(np.int64(s.jade), np.int64(t.pool[r.a, 1]))
            card = np.int64(t.pooled[t.pool[r.a, 0] + size - 1])
        if card > 0:
            # hearthstone.wiki.gg, Summon: several at once are placed symmetrically, right first
            left = k % 2 * both_sides
            ref = summon(g, t, side, card, NONE if enemy else position_beside(g, i) - left)
            if f.place >= 0:  # where it died
                f.place += ref >= 0


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def has_minion(g, t, side, card):
    """Return whether a player has a minion of a card in play (1) or not (0)."""
    s = g.side[side]
    for k in range(s.minions):
        if g.char[minion_ref(side, s.row[k])].card == card:
            return 1
    return 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_basic_totem(g, t, i):
    """SUMMON_BASIC_TOTEM: one of the four that are not on the own board."""
    f = g.stack[i]
    pool = np.int64(t.row[f.pc].a)
    first, size, n = np.int64(t.pool[pool, 0]), np.int64(t.pool[pool, 1]), np.int64(0)
    for k in range(size):
        n += 1 - has_minion(g, t, f.side, t.pooled[first + k])
    if n == 0 or g.side[f.side].minions >= BOARD:
        return
    left = random_below(g, n)
    for k in range(size):
        if has_minion(g, t, f.side, t.pooled[first + k]) == 0:
            if left == 0:
                summon(g, t, f.side, t.pooled[first + k], NONE)
                return
            left -= 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_copy(g, t, i):
    """SUMMON_COPY: exact copies, including enchantments and damage."""
    select_affected(g, t, i)
    r, side = t.row[g.stack[i].pc], np.int64(g.stack[i].side)
    for k in range(g.n_list):
        source = np.int64(g.list[k])
        if is_hero(source):  # a minion that became the hero: hs-bugs 698, Mirror Entity
            summon(g, t, side, g.stack[i].first, NONE)
            continue
        ref = summon(g, t, side, g.char[source].card, position_beside(g, i) - r.m)
        if ref >= 0:
            copy_onto(g, ref, source)
            if t.row[g.stack[i].pc].b == 1:
                set_attack(g, t, ref, 1)
                set_health(g, t, ref, 1)
            if r.a > 0:
                g.char[ref].card = r.a


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_remembered(g, t, i):
    """SUMMON_REMEMBERED: where the frame's minion died, or on the other board."""
    f = g.stack[i]
    side = np.int64(f.second) & 1
    if f.second > 0:
        summon(g, t, side, np.int64(f.second) >> 1, f.place if side == f.side else NONE)


@kernel(I8(GAME_T, TABLES_T, I8))
def random_minion_in_hand(g, t, side):
    """Return the place of a random minion in a hand, or NONE."""
    s, n, found = g.side[side], np.int64(0), np.int64(NONE)
    for k in range(s.n_hand):
        if t.card[s.hand[k].card].kind == Kind.MINION:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                found = k
    return found


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_swap(g, t, i):
    """SWAP_WITH_HAND."""
    f = g.stack[i]
    own, k = ref_if_in_play(g, f.ref, f.uid), random_minion_in_hand(g, t, f.side)
    if own >= 0 and k >= 0:
        place, card = board_position(g, own), np.int64(g.char[own].card)
        remove_from_play(g, t, own)
        summon_from_hand(g, t, f.side, k, place)
        add_to_hand(g, t, f.side, card)


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
def do_summon_from_deck(g, t, i):
    """SUMMON_FROM_DECK, b=0: minions of the own deck enter play; b=3: of the enemy's, there."""
    f = g.stack[i]
    r = t.row[f.pc]
    side = 1 - np.int64(f.side) if r.b == 3 else np.int64(f.side)
    for _ in range(plain_amount(g, t, i)):
        k = random_minion_of_deck(g, t, side, r.test, r.arg)
        if k >= 0:
            summon_from_deck(g, t, side, k, position_beside(g, i) if r.b == 0 else NONE)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_from_hand(g, t, i):
    """SUMMON_FROM_HAND: from left to right, placed on both sides of the summoner."""
    side = np.int64(g.stack[i].side)
    select_held(g, t, i, side)
    both_sides, gone = position_beside(g, i) >= 0, np.int64(0)
    for j in range(g.n_list):
        left = j % 2 * both_sides
        place = position_beside(g, i) - left
        gone += summon_from_hand(g, t, side, g.list[j] - gone, place) >= 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_swap_with_deck(g, t, i):
    """SWAP_WITH_DECK: minions go into the own deck, as printed; others take their places."""
    select_affected(g, t, i)
    side = np.int64(g.stack[i].side)
    for j in range(g.n_list):
        ref, k = np.int64(g.list[j]), random_minion_in_deck(g, t, side)
        if k >= 0:
            place, card = board_position(g, ref), np.int64(g.char[ref].card)
            remove_from_play(g, t, ref)
            summon_from_deck(g, t, side, k, place)
            put_into_deck(g, t, side, card, k)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_from_deck(g, t, i):
    """SUMMON_FROM_DECK: a minion of the own deck, a 1/1 copy of one (b=1), of the enemy's (b=2)."""
    f = g.stack[i]
    if t.row[f.pc].b == 2:
        k = random_minion_in_deck(g, t, 1 - np.int64(f.side))
        card = card_in(g.side[1 - f.side].deck[k]) if k >= 0 else np.int64(t.row[f.pc].a)
        summon(g, t, f.side, card, position_beside(g, i))
        return
    if t.row[f.pc].b == 0 or t.row[f.pc].b == 3:
        do_summon_from_deck(g, t, i)
        return
    k = random_minion_in_deck(g, t, f.side)
    if k < 0 or g.side[f.side].minions >= BOARD:
        return
    ref = summon(g, t, f.side, card_in(g.side[f.side].deck[k]), position_beside(g, i))
    set_attack(g, t, ref, 1)
    set_health(g, t, ref, 1)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_pull(g, t, i):
    """PULL: a random minion of the opponent's hand enters its board."""
    other = 1 - np.int64(g.stack[i].side)
    s = g.side[other]
    resample_hand(g, t, other)
    k = random_minion_in_hand(g, t, other)
    if k >= 0 and s.minions < BOARD:
        summon_from_hand(g, t, other, k, NONE)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_leave_deck(g, t, i):
    """LEAVE_DECK: this card leaves its deck and enters play, if there is room."""
    f = g.stack[i]
    s = g.side[f.side]
    if s.minions >= BOARD:
        return
    for k in range(s.n_deck):
        if card_in(s.deck[k]) == f.card:
            summon_from_deck(g, t, f.side, k, NONE)
            return


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_buff_weapon(g, t, i):
    """BUFF_WEAPON."""
    f = g.stack[i]
    s = g.side[f.side]
    if s.weapon > 0:
        s.weapon_attack += plain_amount(g, t, i)
        s.durability += t.row[f.pc].a


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def add_overload(g, t, side, n):
    """Add overload for the next turn."""
    g.side[side].overload += n
    announce(g, Event.OVERLOADED, side, 0, NONE, NONE, n)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def become_hero(g, t, i, card):
    """BECOME_HERO: replace the owner's hero, unless it is dying; attacks made still count.

    All effects that refer to frame i's minion now refer to the new hero (until patch 9.2,
    Repentance and Snipe, which react to a played minion, hit the hero). Armour is lost.
    """
    f = g.stack[i]
    side, own = np.int64(f.side), ref_if_in_play(g, f.ref, f.uid)
    hero = hero_of(side)
    if is_dying(g, hero):
        return
    attacks = np.int64(g.char[hero].attacks)
    create_character(g, t, hero, card)
    g.stale = 1
    g.char[hero].attacks = attacks
    g.char[hero].keywords &= ~Keyword.FRESH
    g.side[side].armor = 0
    if t.card[card].cls > 0:
        g.side[side].cls = t.card[card].cls
    if own >= 0 and own != hero and t.row[f.pc].b == 0:
        g.char[hero].uid = f.uid
        remove_from_play(g, t, own)
        for j in range(g.depth):
            if g.stack[j].uid == f.uid:
                g.stack[j].ref = hero


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_hero(g, t, i):
    """Apply an op to the owner's hero, mana, weapon or power."""
    f = g.stack[i]
    r = t.row[f.pc]
    side, n = np.int64(f.side), plain_amount(g, t, i)
    s, hero = g.side[side], g.char[hero_of(side)]
    if r.op == Op.ARMOR:
        s.armor += n
        announce(g, Event.ARMOR_GAINED, side, f.card, hero_of(side), NONE, n)
    elif r.op == Op.HERO_ATTACK:
        hero.attack += n
        hero.turn_attack += n
    elif r.op == Op.EQUIP:
        by_power = t.card[f.card].kind == Kind.POWER
        if by_power and s.weapon > 0 and (t.card[s.weapon].rules & Rule.SHARPENED_BY_POWER) != 0:
            s.weapon_attack += 1
        else:
            equip_weapon(g, t, side, r.a)
    elif r.op == Op.DESTROY_WEAPON:
        destroy_weapon(g, t, 1 - side if r.b == 1 else side)
    elif r.op == Op.TEMPORARY_MANA:
        s.mana = min(np.int64(s.mana) + n, 10)
    elif r.op == Op.CRYSTALS or r.op == Op.DESTROY_CRYSTALS:
        if r.b == 1:
            side = 1 - side
            s = g.side[side]
        before = np.int64(s.crystals)
        gain_crystals(g, side, n if r.op == Op.CRYSTALS else -n)
        if r.op == Op.DESTROY_CRYSTALS:  # wiki, Mana: empty ones first
            empty = max(before - s.locked - s.mana, 0)
            s.mana -= max(before - s.crystals - empty, 0)
        elif r.a == 0:
            s.mana = max(min(s.mana + s.crystals - before, 10), 0)
    elif r.op == Op.SPEND_MANA:
        f.amount = s.mana
        s.mana = 0
    elif r.op == Op.OVERLOAD:
        add_overload(g, t, side, n)
    elif r.op == Op.SET_POWER:
        take_power(g, side, r.a)
    elif r.op == Op.REFRESH_POWER:
        s.power_used = 0
    elif r.op == Op.REFRESH_MANA:
        s.mana = max(np.int64(s.mana), np.int64(s.crystals) - s.locked)
    elif r.op == Op.RULE_THIS_TURN:
        whose = g.side[1 - side if r.b == 1 else side]
        whose.turn_rules |= r.a
        if r.a == Rule.SPELLS_DEARER:
            whose.counter[Counter.SPELLS_DEARER] += n
    elif r.op == Op.DAMAGE_WEAPON:
        for _ in range(n):
            lose_durability(g, t, 1 - side if r.b == 1 else side)
    elif r.op == Op.BECOME_HERO:
        become_hero(g, t, i, r.a)
    elif r.op == Op.LATER:
        if s.n_later < LATER:
            s.later[s.n_later] = r.a + (r.b << BONUS)
            s.n_later += 1
    elif r.op == Op.UNLOCK:
        s.mana += s.locked
        s.locked = 0
        s.overload = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_shuffle(g, t, i):
    """SHUFFLE: copies of a card, or of this one, into the own or the opponent's deck."""
    f = g.stack[i]
    r = t.row[f.pc]
    for _ in range(plain_amount(g, t, i)):
        side = 1 - np.int64(f.side) if r.b == 1 else np.int64(f.side)
        shuffle_into_deck(g, t, side, r.a if r.a > 0 else f.card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_skip(g, t, i):
    """SKIP: jump over the next b rows unless a condition holds (m=1: if it holds)."""
    f = g.stack[i]
    r = t.row[f.pc]
    own, target = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    subject = ref_if_in_play(g, f.subject, f.subject_uid)
    if r.n == If.THERE_IS:
        select_characters(g, t, i, r.who, r.test, r.arg, 0)
        holds = g.n_list > 0
    elif r.n == If.OWN_ATTACK_AT_LEAST:
        holds = amount_of(g, t, i, Amount.OWN_ATTACK, 0, 0, NONE, own) >= r.nm
    elif r.n == If.PAID:
        holds = f.amount == r.nm
    else:
        holds = condition_holds(g, t, r.n, r.nm, f.side, own, target, subject)
    if holds == (r.m == 1):
        f.pc += r.b


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_secrets(g, t, i):
    """DESTROY_SECRETS, TAKE_SECRET: the opponent's."""
    f = g.stack[i]
    other = 1 - np.int64(f.side)
    s = g.side[other]
    if t.row[f.pc].op == Op.DESTROY_SECRETS:
        s.n_secrets = 0
    elif s.n_secrets > 0:
        k = random_below(g, s.n_secrets)
        card = np.int64(s.secret[k].card)
        remove_secret(g, t, other, k)
        add_secret(g, t, f.side, card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def run_row(g, t, i):
    """Run the row of frame i and advance to the next. `terms.Op` explains the ops."""
    f = g.stack[i]
    op = np.int64(t.row[f.pc].op)
    if op == Op.MISSILES:
        do_missiles(g, t, i)  # advances itself after the last missile
        return
    if op == Op.DAMAGE:
        do_damage(g, t, i)
    elif op == Op.SKIP:
        do_skip(g, t, i)
    elif op == Op.HEAL:
        do_heal(g, t, i)
    elif op >= Op.BUFF and op <= Op.REMEMBER:
        do_change(g, t, i)
    elif op == Op.SHUFFLE_COPY or op == Op.ADD_COPY or op == Op.RETARGET:
        do_change(g, t, i)
    elif op == Op.SUMMON or op == Op.SUMMON_RANDOM or op == Op.SUMMON_JADE:
        do_summon(g, t, i)
    elif op == Op.SUMMON_BASIC_TOTEM:
        do_basic_totem(g, t, i)
    elif op == Op.SUMMON_COPY:
        do_summon_copy(g, t, i)
    elif op == Op.SUMMON_REMEMBERED:
        do_summon_remembered(g, t, i)
    elif op == Op.SUMMON_DEAD:
        do_summon_dead(g, t, i)
    elif op == Op.SUMMON_FROM_DECK:
        do_from_deck(g, t, i)
    elif op == Op.PULL:
        do_pull(g, t, i)
    elif op == Op.SWAP_WITH_HAND:
        do_swap(g, t, i)
    elif op == Op.ADD_EVENT_CARD:
        add_to_hand(g, t, 1 - f.second, f.first)
    elif op == Op.RETARGET_SPELL:
        do_retarget_spell(g, t, i)
    elif op == Op.LEAVE_DECK:
        do_leave_deck(g, t, i)
    elif op >= Op.BUFF_CARDS and op <= Op.GROW:
        do_held(g, t, i)
    elif op >= Op.DRAW and op <= Op.ADD_RANDOM:
        do_cards(g, t, i)
    elif op == Op.ADD_FROM_DECK:
        do_from_own_deck(g, t, i)
    elif op == Op.ADD_FROM_ENEMY_HAND or op == Op.ADD_FROM_ENEMY_DECK:
        do_copy_enemy(g, t, i)
    elif op == Op.OFFER_TOP:
        do_offer_top(g, t, i)
    elif op == Op.OFFER_ENEMY_DECK:
        do_offer_enemy_deck(g, t, i)
    elif op == Op.DRAW_UNTIL:
        do_draw_until(g, t, i)
    elif op == Op.SHUFFLE:
        do_shuffle(g, t, i)
    elif op == Op.DISCOVER or op == Op.OFFER_POWERS:
        do_discover(g, t, i)
    elif op == Op.ADD_CHOSEN or op == Op.TAKE_CHOSEN_POWER:
        do_take_chosen(g, t, i)
    elif op == Op.BUFF_WEAPON:
        do_buff_weapon(g, t, i)
    elif op >= Op.ARMOR and op <= Op.REFRESH_MANA:
        do_hero(g, t, i)
    elif op == Op.SUMMON_FROM_HAND:
        do_summon_from_hand(g, t, i)
    elif op == Op.SWAP_WITH_DECK:
        do_swap_with_deck(g, t, i)
    elif op == Op.COUNTER:
        g.countered = 1
    elif op == Op.DESTROY_SECRETS or op == Op.TAKE_SECRET:
        do_secrets(g, t, i)
    elif op == Op.HIDE_SECRET:
        add_secret(g, t, f.side, f.card)
    elif op >= Op.KAZAKUS_COST and op <= Op.KAZAKUS_CRAFT:
        do_kazakus(g, t, i)
    f.pc += 1
