"""The amounts of a row, the characters that it affects, and random cards of its pools.
"""

from __future__ import annotations

import numpy as np

from hsevo.cards.terms import Amount, Counter, Family, Selector
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import card_in, hero_of, is_hero, minion_ref, side_of
from hsevo.engine.record.state import GAME_T, NONE, is_in_play, random_below
from hsevo.engine.rules.conditions import (
    count_race,
    is_other_defender,
)
from hsevo.engine.rules.evidence import deal_unseen
from hsevo.engine.rules.query import (
    attack_of,
    board_position,
    character_matches,
    count_minions,
    has_keyword,
    is_dormant,
    is_dying,
    is_of_race,
    ref_if_in_play,
    ref_in_order,
    room,
)


@kernel(I8(GAME_T, I8, BOOL))
def sum_of_neighbours(g, ref, health):
    """Return the total attack (or health) of a minion's neighbours."""
    s, place, n = g.side[side_of(ref)], board_position(g, ref), np.int64(0)
    for i in range(max(place - 1, 0), min(place + 2, np.int64(s.minions))):
        c = g.char[minion_ref(side_of(ref), s.row[i])]
        if i != place and place >= 0:
            n += np.int64(c.health) if health else max(np.int64(c.attack), 0)
    return n


@kernel(I8(GAME_T, I8, I8, I8, I8))
def count_keyword(g, keyword, each, first, end):
    """Return `each` times the number of minions in first..end-1 with a keyword."""
    n = np.int64(0)
    for ref in range(first, end):
        n += each * (not is_hero(ref) and g.char[ref].card > 0 and has_keyword(g, ref, keyword))
    return n


@kernel(I8(GAME_T, I8, I8))
def count_damaged(g, first, end):
    """Return the number of damaged characters in first..end-1."""
    n = np.int64(0)
    for ref in range(first, end):
        n += g.char[ref].card > 0 and g.char[ref].health < g.char[ref].max_health
    return n


@kernel(I8(GAME_T), cold=True)
def count_overkilled(g):
    """Return the number of minions with less than 0 health."""
    n = np.int64(0)
    for ref in range(16):
        n += not is_hero(ref) and g.char[ref].card > 0 and g.char[ref].health < 0
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8), cold=True)
def count_held(g, t, side, kind):
    """Return the number of cards of a kind in a player's hand."""
    deal_unseen(g, side)
    n = np.int64(0)
    for k in range(g.side[side].n_hand):
        n += t.card[g.side[side].hand[k].card].kind == kind
    return n


@kernel(I8(GAME_T, I8, I8), cold=True)
def count_in_deck(g, side, card):
    """Return the number of copies of a card in a player's deck."""
    deal_unseen(g, side)
    n = np.int64(0)
    for k in range(g.side[side].n_deck):
        n += card_in(g.side[side].deck[k]) == card
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8, I8, I8))
def amount_of(g, t, i, amount, n, m, target, ref):
    """Return the amount of a row of frame `i`; refs may be NONE."""
    if amount == Amount.LITERAL:
        return n
    f = g.stack[i]
    side = np.int64(f.side)
    s, o = g.side[side], g.side[1 - side]
    if amount == Amount.BETWEEN:
        return n + random_below(g, m - n + 1)
    if amount == Amount.MANA_SPENT or amount == Amount.EVENT:
        return np.int64(f.amount) * max(n, 1)
    if amount == Amount.EVENT_COST:
        return np.int64(t.card[f.first].cost)
    if amount == Amount.WEAPON_ATTACK:
        return np.int64(s.weapon_attack) if s.weapon > 0 else np.int64(0)
    if amount == Amount.HERO_ATTACK:
        return attack_of(g, hero_of(side))
    if amount == Amount.ARMOR:
        return min(np.int64(s.armor), n) if n > 0 else np.int64(s.armor)
    if amount == Amount.HAND:
        return np.int64(s.n_hand)
    if amount == Amount.OWN_ATTACK:
        return attack_of(g, ref) if ref >= 0 else np.int64(f.first)
    if amount == Amount.TARGET_HEALTH:
        return np.int64(g.char[target].health) if target >= 0 else np.int64(0)
    if amount == Amount.MINIONS:
        return count_minions(g, side)
    if amount == Amount.ENEMY_MINIONS:
        return count_minions(g, 1 - side) * max(n, 1)
    if amount == Amount.CHOSEN_COST:
        return np.int64(t.card[g.chosen].cost)
    if amount == Amount.ENEMY_SECRETS:
        return np.int64(o.n_secrets)
    if amount == Amount.OTHER_MINIONS:
        return count_minions(g, 0) + count_minions(g, 1) - (ref >= 0)
    if amount == Amount.MY_RACE:
        others = count_race(g, t, side, m) - (ref >= 0 and is_of_race(t, g.char[ref].card, m))
        return others * max(n, 1)
    if amount == Amount.PLAYED_EARLIER:
        return np.int64(s.played) - 1
    if amount == Amount.AIMED_ATTACK:
        aimed = ref_if_in_play(g, f.target, f.target_uid)
        return attack_of(g, aimed) if aimed >= 0 else np.int64(0)
    if amount == Amount.MY_OTHER_MINIONS:
        return (count_minions(g, side) - (ref >= 0)) * max(n, 1)
    if amount == Amount.WITH_KEYWORD:
        return count_keyword(g, m, n, 0, 16)
    if amount == Amount.ENEMIES_WITH_KEYWORD:
        return count_keyword(g, m, n, minion_ref(1 - side, 0), hero_of(1 - side))
    if amount == Amount.ITS_ATTACK:
        return attack_of(g, target) if target >= 0 else np.int64(0)
    if amount == Amount.EXCESS:
        subject = ref_if_in_play(g, f.subject, f.subject_uid)
        return max(-np.int64(g.char[subject].health), 0) if subject >= 0 else np.int64(0)
    if amount == Amount.DAMAGE_DEALT or amount == Amount.ARMOR_SPENT:
        return np.int64(f.amount)
    if amount == Amount.ENEMY_DURABILITY:
        return np.int64(o.durability) if o.weapon > 0 else np.int64(0)
    if amount == Amount.ADJACENT_ATTACK or amount == Amount.ADJACENT_HEALTH:
        health = amount == Amount.ADJACENT_HEALTH
        return sum_of_neighbours(g, ref, health) if ref >= 0 else np.int64(0)
    if amount == Amount.ENEMY_WEAPON_ATTACK:
        return np.int64(o.weapon_attack) if o.weapon > 0 else np.int64(0)
    if amount == Amount.CRYSTALS_LOST:
        return np.int64(f.amount)
    if amount == Amount.CRYSTALS_WITH_ROOM:
        return min(np.int64(s.crystals), room(g, side))
    if amount == Amount.DURABILITY:
        return np.int64(s.durability) if s.weapon > 0 else np.int64(0)
    if amount == Amount.DISCARDED_ATTACK:
        return np.int64(f.first)
    if amount == Amount.DISCARDED_HEALTH:
        return np.int64(f.second)
    if amount == Amount.DIED_THIS_TURN:
        return np.int64(s.counter[Counter.MINIONS_DIED]) + o.counter[Counter.MINIONS_DIED]
    if amount == Amount.AIMED_HEALTH:
        aimed = ref_if_in_play(g, f.target, f.target_uid)
        return np.int64(g.char[aimed].health) if aimed >= 0 else np.int64(0)
    if amount == Amount.DAMAGED_MINIONS:
        return count_damaged(g, 0, hero_of(0)) + count_damaged(g, minion_ref(1, 0), hero_of(1))
    if amount == Amount.COUNTER:
        return n * s.counter[m]
    if amount == Amount.COUNTER_OTHERS:
        return n * max(np.int64(s.counter[m]) - 1, 0)
    if amount == Amount.DECK:
        return np.int64(s.n_deck)
    if amount == Amount.HAND_KIND:
        return count_held(g, t, side, m)
    if amount == Amount.UP_TO or amount == Amount.ENEMY_UP_TO:
        return max(n - (s.n_hand if amount == Amount.UP_TO else o.n_hand), 0)
    if amount == Amount.HAND_DIFFERENCE:
        return max(np.int64(o.n_hand) - s.n_hand, 0)
    if amount == Amount.ENEMY_HAND:
        return n * o.n_hand
    if amount == Amount.REVEALED_ATTACK:
        return np.int64(f.amount)
    if amount == Amount.HERO_HEALTH:
        return np.int64(g.char[hero_of(side)].health) + n
    if amount == Amount.OWN_COST:
        return np.int64(t.card[f.card].cost) + n
    if amount == Amount.EVENT_MORE:
        return np.int64(f.amount) + n
    if amount == Amount.HALF_DECK:
        return (np.int64(o.n_deck if m == 1 else s.n_deck) + 1) // 2
    if amount == Amount.OVERKILLED:
        return count_overkilled(g)
    if amount == Amount.GROWN:
        return n * (1 + np.int64(s.counter[Counter.GROWN]))
    if amount == Amount.ENEMY_DECK_COPIES:
        return n * count_in_deck(g, 1 - side, m)
    if amount == Amount.NOTED_MINIONS:
        return np.int64(f.first)
    if amount == Amount.HAND_SHUFFLED:
        return np.int64(f.amount)
    if amount == Amount.DAMAGED_FRIENDS:
        return count_damaged(g, minion_ref(side, 0), hero_of(side) + 1)
    return 0


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def row_amount(g, t, i, ref):
    """Return the amount of frame i's row for a character that it affects."""
    f = g.stack[i]
    r = t.row[f.pc]
    if r.amount == Amount.LITERAL:
        return np.int64(r.n)
    own, target = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    return amount_of(g, t, i, r.amount, r.n, r.nm, ref if ref >= 0 else target, own)


@kernel(I8(GAME_T, TABLES_T, I8))
def plain_amount(g, t, i):
    """Return the amount of frame i's row, which affects no character."""
    return row_amount(g, t, i, NONE)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, BOOL), inline=True)
def add_if_matches(g, t, ref, test, arg, alive):
    """Append a character to the list if it passes the filter (and, if asked, will not die)."""
    if alive and is_dying(g, ref):
        return
    if character_matches(g, t, ref, test, arg):
        g.list[g.n_list] = ref
        g.n_list += 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8, I8, BOOL))
def add_matching_minions(g, t, side, but, without, test, arg, alive):
    """Append a player's minions from left to right, except `but` and `without`."""
    s = g.side[side]
    for k in range(s.minions):
        ref = minion_ref(side, s.row[k])
        if ref != but and ref != without and not is_dormant(g, ref):
            add_if_matches(g, t, ref, test, arg, alive)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, BOOL))
def add_matching_neighbours(g, t, ref, test, arg, alive):
    """Append the minions left and right of one."""
    s, place = g.side[side_of(ref)], board_position(g, ref)
    if place < 0:
        return
    for x in range(max(place - 1, 0), min(place + 2, np.int64(s.minions))):
        beside = minion_ref(side_of(ref), s.row[x])
        if x != place and not is_dormant(g, beside):
            add_if_matches(g, t, beside, test, arg, alive)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, BOOL), cold=True)
def add_outer_minions(g, t, side, test, arg, alive):
    """Append the leftmost and the rightmost of a player's minions."""
    g.n_list = 0
    add_matching_minions(g, t, side, NONE, NONE, test, arg, alive)
    if g.n_list > 2:
        g.list[1] = g.list[g.n_list - 1]
        g.n_list = 2


@kernel(VOID(GAME_T, I8))
def keep_random(g, n):
    """Keep n of the list, drawn without repetition."""
    n = min(n, np.int64(g.n_list))
    for k in range(n):
        j = k + random_below(g, g.n_list - k)
        ref = g.list[j]
        g.list[j] = g.list[k]
        g.list[k] = ref
    g.n_list = n


@kernel(VOID(GAME_T))
def sort_list(g):
    """Sort the list by order of play (heroes first)."""
    for k in range(1, g.n_list):
        ref = g.list[k]
        uid = g.char[ref].uid
        j = k - 1
        while j >= 0 and g.char[g.list[j]].uid > uid:
            g.list[j + 1] = g.list[j]
            j -= 1
        g.list[j + 1] = ref


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8, I8))
def select_characters(g, t, i, who, test, arg, pick):
    """Fill the list with the characters of a selector for frame `i`.

    With `pick` > 0, that many at random of those that are not about to die.
    """
    f = g.stack[i]
    g.n_list = 0
    me = np.int64(f.side)
    my, their = hero_of(me), hero_of(1 - me)
    alive = pick > 0
    own = ref_if_in_play(g, f.ref, f.uid)
    if who == Selector.SELF:
        if own >= 0:
            add_if_matches(g, t, own, test, arg, alive)
    elif who == Selector.TARGET:
        if is_in_play(g, f.target, f.target_uid):
            add_if_matches(g, t, f.target, test, arg, alive)
    elif who == Selector.ENEMY_MINIONS:
        add_matching_minions(g, t, 1 - me, NONE, NONE, test, arg, alive)
    elif who == Selector.MY_MINIONS:
        add_matching_minions(g, t, me, NONE, NONE, test, arg, alive)
    elif who == Selector.MY_OTHER_MINIONS:
        add_matching_minions(g, t, me, own, NONE, test, arg, alive)
    elif who == Selector.ALL_MINIONS:
        add_matching_minions(g, t, me, NONE, NONE, test, arg, alive)
        add_matching_minions(g, t, 1 - me, NONE, NONE, test, arg, alive)
    elif who == Selector.ALL_OTHER_MINIONS:
        add_matching_minions(g, t, me, own, NONE, test, arg, alive)
        add_matching_minions(g, t, 1 - me, own, NONE, test, arg, alive)
    elif who == Selector.MY_HERO:
        add_if_matches(g, t, my, test, arg, alive)
    elif who == Selector.ENEMY_HERO:
        add_if_matches(g, t, their, test, arg, alive)
    elif who == Selector.HEROES:
        add_if_matches(g, t, my, test, arg, alive)
        add_if_matches(g, t, their, test, arg, alive)
    elif who == Selector.ENEMIES:
        add_if_matches(g, t, their, test, arg, alive)
        add_matching_minions(g, t, 1 - me, NONE, NONE, test, arg, alive)
    elif who == Selector.MY_CHARACTERS:
        add_if_matches(g, t, my, test, arg, alive)
        add_matching_minions(g, t, me, NONE, NONE, test, arg, alive)
    elif who == Selector.CHARACTERS or who == Selector.OTHER_CHARACTERS:
        but = own if who == Selector.OTHER_CHARACTERS else NONE
        add_if_matches(g, t, my, test, arg, alive)
        add_matching_minions(g, t, me, but, NONE, test, arg, alive)
        add_if_matches(g, t, their, test, arg, alive)
        add_matching_minions(g, t, 1 - me, but, NONE, test, arg, alive)
    elif who == Selector.SUBJECT:
        if is_in_play(g, f.subject, f.subject_uid):
            add_if_matches(g, t, f.subject, test, arg, alive)
    elif who == Selector.ADJACENT:
        if own >= 0:
            add_matching_neighbours(g, t, own, test, arg, alive)
    elif who == Selector.NEXT_TO_TARGET or who == Selector.AROUND_TARGET:
        if is_in_play(g, f.target, f.target_uid):
            if who == Selector.AROUND_TARGET:
                add_if_matches(g, t, f.target, test, arg, alive)
            add_matching_neighbours(g, t, f.target, test, arg, alive)
    elif who == Selector.DEFENDER:
        if is_in_play(g, g.defender, g.defender_uid):
            add_if_matches(g, t, g.defender, test, arg, alive)
    elif who == Selector.LAST:
        if g.last >= 0:
            add_if_matches(g, t, g.last, test, arg, alive)
    elif who == Selector.TARGET_ENEMIES:
        if f.target != their:
            add_if_matches(g, t, their, test, arg, alive)
        add_matching_minions(g, t, 1 - me, f.target, NONE, test, arg, alive)
    elif who == Selector.OTHER_DEFENDERS:
        enemy = 1 - side_of(g.attacker)
        if g.defender != hero_of(enemy):
            add_if_matches(g, t, hero_of(enemy), test, arg, alive)
        add_matching_minions(g, t, enemy, g.defender, NONE, test, arg, alive)
    elif who == Selector.DEFENDERS:
        defending = side_of(g.defender)
        add_if_matches(g, t, hero_of(defending), test, arg, alive)
        add_matching_minions(g, t, defending, NONE, NONE, test, arg, alive)
    elif who == Selector.CHARACTERS_BUT_EVENT:
        for k in range(16):
            ref = ref_in_order(g, k)
            if ref >= 0 and is_other_defender(g, ref):
                add_if_matches(g, t, ref, test, arg, alive)
    elif who == Selector.NEXT_TO_SUBJECT:
        if is_in_play(g, f.subject, f.subject_uid):
            add_matching_neighbours(g, t, f.subject, test, arg, alive)
    elif who == Selector.OUTER_ENEMIES:
        add_outer_minions(g, t, 1 - me, test, arg, alive)
    if pick > 0:
        keep_random(g, pick)
    elif pick < 0:
        keep_random(g, max(g.n_list + pick, 0))


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def pool_for(g, t, side, pool):
    """Return the pool that stands for a class family in a text of a player; others unchanged."""
    family = t.pool[pool, 2]
    if family == Family.NONE:
        return pool
    return pool + (g.side[1 - side].cls if family == Family.ENEMY else g.side[side].cls)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def pick_from(g, t, side, pool):
    """Return a uniform card of a pool for a player, 0 if it is empty."""
    pool = pool_for(g, t, side, pool)
    n = np.int64(t.pool[pool, 1])
    return np.int64(t.pooled[t.pool[pool, 0] + random_below(g, n)]) if n > 0 else np.int64(0)
