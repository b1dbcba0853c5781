"""Effects on hands and decks, and choices offered by a text."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Event, Family, Kind, Rule
from hsevo.engine.codec import card_in
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.query import card_matches
from hsevo.engine.select import keep_random, plain_amount
from hsevo.engine.state import GAME_T, NONE, Phase, announce, random_below
from hsevo.engine.unseen import deal_unseen
from hsevo.engine.zones import (
    add_to_hand,
    copy_in_hand,
    draw_card,
    draw_from,
    push_card_text,
    remove_from_deck,
    remove_from_hand,
)


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def pool_for(g, t, side, pool):
    """Return the pool that stands for a class family in a text of a player; others unchanged."""
    family = t.pool[pool, 2]
    if family == Family.NONE:
        return pool
    return pool + (g.side[side].cls if family == Family.OWN else g.side[1 - side].cls)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def pick_from(g, t, side, pool):
    """Return a uniform card of a pool for a player, 0 if it is empty."""
    pool = pool_for(g, t, side, pool)
    n = np.int64(t.pool[pool, 1])
    return np.int64(t.pooled[t.pool[pool, 0] + random_below(g, n)]) if n > 0 else np.int64(0)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def discard(g, t, side, n):
    """Discard n random cards of a hand."""
    s = g.side[side]
    for _ in range(min(n, np.int64(s.n_hand))):
        card = remove_from_hand(g, side, random_below(g, s.n_hand))
        announce(g, Event.DISCARDED, side, card, NONE, NONE, 0)
        if t.card[card].discarded > 0:
            push_card_text(g, t, side, card, t.card[card].discarded, NONE)


@kernel(BOOL(GAME_T, TABLES_T, I8))
def has_draw_left(g, t, i):
    """Count down the draws of frame i's row; return whether there is one to make.

    What a draw triggers is resolved before the next one: the row runs again for each.
    """
    f = g.stack[i]
    if f.left == 0:
        f.left = plain_amount(g, t, i)
    if f.left <= 0:
        f.left = 0
        return False
    f.left -= 1
    if f.left > 0:
        f.pc -= 1  # who runs the row advances it
    return True


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_draw(g, t, i):
    """DRAW, DRAW_FOR_ENEMY: one card, and the row again for the next."""
    f = g.stack[i]
    r = t.row[f.pc]
    if not has_draw_left(g, t, i):
        return
    who = np.int64(f.side) if r.op == Op.DRAW else 1 - np.int64(f.side)
    s, held = g.side[who], np.int64(g.side[who].n_hand)
    f.amount = t.card[draw_card(g, t, who)].cost
    if s.n_hand == held:
        return
    if card_matches(g, t, s.hand[held].card, who, r.test, r.arg):
        s.hand[held].cost -= r.m
        by_power = t.card[f.card].kind == Kind.POWER
        if by_power and (s.rules & Rule.POWER_DRAWS_FREE) != 0:
            s.hand[held].cost = -f.amount
        if r.a > 0:
            s.n_hand -= 1
            add_to_hand(g, t, who, r.a)
    for _ in range(r.b):
        copy_in_hand(g, t, who, held)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_cards(g, t, i):
    """DISCARD, ADD_CARD, ADD_RANDOM: amount cards."""
    f = g.stack[i]
    r = t.row[f.pc]
    side, n = np.int64(f.side), plain_amount(g, t, i)
    if r.op == Op.DISCARD:
        discard(g, t, side, n)
        return
    for _ in range(n):
        if r.op == Op.ADD_CARD:
            card = np.int64(r.a if r.a > 0 else f.first if r.a < 0 else f.card)
            add_to_hand(g, t, 1 - side if r.b == 1 else side, card)
        else:
            card, who = pick_from(g, t, side, r.a), 1 - side if r.b == 1 else side
            if card > 0 and add_to_hand(g, t, who, card):
                g.side[who].hand[g.side[who].n_hand - 1].cost = -r.m


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_from_own_deck(g, t, i):
    """ADD_FROM_DECK: draw cards of the own deck that pass a filter; get card m for missing ones."""
    f = g.stack[i]
    r = t.row[f.pc]
    if not has_draw_left(g, t, i):
        return
    side = np.int64(f.side)
    deal_unseen(g, side)
    s, found, best = g.side[side], np.int64(0), NONE
    for k in range(s.n_deck):
        if card_matches(g, t, card_in(s.deck[k]), side, r.a, r.b):
            found += 1
            if random_below(g, found) == 0:  # each with equal probability
                best = k
    if best >= 0:
        draw_from(g, t, side, best)
    elif r.m > 0:
        add_to_hand(g, t, side, r.m)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_copy_enemy(g, t, i):
    """ADD_FROM_ENEMY_HAND, ADD_FROM_ENEMY_DECK: plain copies of different cards there."""
    f = g.stack[i]
    side = np.int64(f.side)
    o = g.side[1 - side]
    in_hand = t.row[f.pc].op == Op.ADD_FROM_ENEMY_HAND
    deal_unseen(g, 1 - side)
    size = np.int64(o.n_hand if in_hand else o.n_deck)
    left = min(plain_amount(g, t, i), size)
    g.n_list = 0
    for k in range(size):  # selection sampling: every choice of `left` places is equally likely
        if random_below(g, size - k) < left:
            g.list[g.n_list] = k
            g.n_list += 1
            left -= 1
    keep_random(g, g.n_list)  # in any order
    for j in range(g.n_list):
        k = g.list[j]
        add_to_hand(g, t, side, o.hand[k].card if in_hand else card_in(o.deck[k]))


@kernel(VOID(GAME_T, I8))
def open_choice(g, side):
    """Open the choice; if it has no options, continue with nothing chosen."""
    g.chosen = 0
    if g.n_choices > 0:
        g.pending = Phase.CHOICE
        g.chooser = side


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_offer_top(g, t, i):
    """OFFER_TOP: the top cards of the own deck leave it; one of them can be chosen."""
    f = g.stack[i]
    side = np.int64(f.side)
    s = g.side[side]
    g.n_choices = 0
    for _ in range(min(plain_amount(g, t, i), np.int64(s.n_deck))):
        last = np.int64(s.n_deck) - 1
        k = last if g.ordered == 1 else random_below(g, s.n_deck)
        g.choice[g.n_choices] = card_in(remove_from_deck(g, t, side, k))
        g.n_choices += 1
    open_choice(g, side)


@kernel(I8(GAME_T, I8))
def is_offered(g, card):
    """Return whether a card is among the choices (1) or not (0)."""
    for k in range(g.n_choices):
        if g.choice[k] == card:
            return 1
    return 0


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def offer_from(g, t, pool, n, but):
    """Add n different random cards of a pool, other than `but`, to the choices."""
    first, size = np.int64(t.pool[pool, 0]), np.int64(t.pool[pool, 1])
    for _ in range(n):
        free = np.int64(0)
        for k in range(size):
            card = t.pooled[first + k]
            free += card != but and is_offered(g, card) == 0
        if free == 0:
            return
        left = random_below(g, free)
        for k in range(size):
            card = t.pooled[first + k]
            if card != but and is_offered(g, card) == 0:
                if left == 0:
                    g.choice[g.n_choices] = card
                    g.n_choices += 1
                    break
                left -= 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_offer_enemy_deck(g, t, i):
    """OFFER_ENEMY_DECK: three different cards of the opponent's deck, each copy as likely."""
    side = np.int64(g.stack[i].side)
    deal_unseen(g, 1 - side)
    o = g.side[1 - side]
    g.n_choices = 0
    for _ in range(3):
        found, card = np.int64(0), np.int64(0)
        for k in range(o.n_deck):
            there = card_in(o.deck[k])
            if is_offered(g, there) == 0:
                found += 1
                if random_below(g, found) == 0:
                    card = there
        if found > 0:
            g.choice[g.n_choices] = card
            g.n_choices += 1
    open_choice(g, side)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_draw_until(g, t, i):
    """DRAW_UNTIL: draw cards until one does not pass the row's filter, or the deck is empty."""
    f = g.stack[i]
    r = t.row[f.pc]
    card = draw_card(g, t, f.side)
    if card > 0 and card_matches(g, t, card, f.side, r.test, r.arg):
        f.pc -= 1  # who runs the row advances it


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_discover(g, t, i):
    """DISCOVER, OFFER_POWERS: offer three different cards to choose from."""
    f = g.stack[i]
    r = t.row[f.pc]
    g.n_choices = 0
    if r.op == Op.OFFER_POWERS:
        offer_from(g, t, r.a, 3, g.side[f.side].power)
    elif r.b > 0:
        offer_from(g, t, r.a, 1, 0)
        offer_from(g, t, r.b, 1, 0)
        offer_from(g, t, r.m, 1, 0)
    else:
        offer_from(g, t, pool_for(g, t, f.side, r.a), 3, 0)
    open_choice(g, f.side)


@kernel(VOID(GAME_T, I8, I8))
def take_power(g, side, power):
    """Replace a hero power; the new one can be used this turn."""
    g.side[side].power = power
    g.side[side].power_used = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_take_chosen(g, t, i):
    """ADD_CHOSEN, TAKE_CHOSEN_POWER."""
    f = g.stack[i]
    if g.chosen == 0:
        return
    if t.row[f.pc].op == Op.ADD_CHOSEN:
        if add_to_hand(g, t, f.side, g.chosen):
            bonus = plain_amount(g, t, i)
            h = g.side[f.side].hand[g.side[f.side].n_hand - 1]
            h.attack += bonus
            h.health += bonus
    else:
        take_power(g, f.side, g.chosen)


@kernel(I8(TABLES_T, I8, I8))
def part_index(t, size, card):
    """Return the index of a Kazakus part among those of its size."""
    for k in range(t.n_parts[size]):
        if t.part[size, k] == card:
            return k
    return 0


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def offer_parts(g, t, size, but):
    """Offer three different parts of a size, other than the one chosen first."""
    n = np.int64(t.n_parts[size])
    while g.n_choices < 3:
        k = random_below(g, n)
        card = t.part[size, k]
        if k != but and is_offered(g, card) == 0:
            g.choice[g.n_choices] = card
            g.n_choices += 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_kazakus(g, t, i):
    """KAZAKUS_COST, KAZAKUS_PART (twice), KAZAKUS_CRAFT. Rules section 3."""
    f = g.stack[i]
    op = t.row[f.pc].op
    g.n_choices = 0
    if op == Op.KAZAKUS_COST:
        for k in range(3):
            g.choice[k] = t.potion_cost[k]
        g.n_choices = 3
        open_choice(g, f.side)
    elif op == Op.KAZAKUS_PART:
        if f.first == 0:
            for k in range(3):
                if t.potion_cost[k] == g.chosen:
                    f.first = k + 1
        else:
            f.second = part_index(t, f.first - 1, g.chosen) + 1
        offer_parts(g, t, f.first - 1, f.second - 1)
        open_choice(g, f.side)
    else:
        size = np.int64(f.first) - 1
        last = part_index(t, size, g.chosen)
        add_to_hand(g, t, f.side, t.potion[size, f.second - 1, last])
