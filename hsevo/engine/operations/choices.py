"""The operations that offer cards to a player, and those on the one that it chooses."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import card_in
from hsevo.engine.record.state import GAME_T, NONE, NOTED, Phase, push, random_below
from hsevo.engine.rules.board import summon, take_power
from hsevo.engine.rules.evidence import deal_unseen, note_revealed
from hsevo.engine.rules.select import plain_amount, pool_for
from hsevo.engine.rules.zones import add_to_hand, remove_from_deck


@kernel(VOID(GAME_T, I8))
def open_choice(g, side):
    """Open the choice; if it has no options, continue with nothing chosen."""
    g.chosen = 0
    if g.n_choices > 0:
        g.pending = Phase.CHOICE
        g.chooser = side


@kernel(I8(GAME_T, I8))
def is_offered(g, card):
    """Return whether a card is among the choices (1) or not (0)."""
    for k in range(g.n_choices):
        if g.choice[k] == card:
            return 1
    return 0


@kernel(BOOL(GAME_T, I8, I8))
def has_secret(g, side, card):
    """Return whether a player has a secret in play; side NONE: never."""
    if side >= 0:
        for k in range(g.side[side].n_secrets):
            if g.side[side].secret[k].card == card:
                return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8))
def offer_from(g, t, pool, n, but, laid):
    """Add n different random cards of a pool to the choices.

    None is `but`, or a secret that player `laid` (or NONE) has in play.
    """
    first, size = np.int64(t.pool[pool, 0]), np.int64(t.pool[pool, 1])
    for _ in range(n):
        free = np.int64(0)
        for k in range(size):
            card = t.pooled[first + k]
            free += card != but and is_offered(g, card) == 0 and not has_secret(g, laid, card)
        if free == 0:
            return
        left = random_below(g, free)
        for k in range(size):
            card = t.pooled[first + k]
            if card != but and is_offered(g, card) == 0 and not has_secret(g, laid, card):
                if left == 0:
                    g.choice[g.n_choices] = card
                    g.n_choices += 1
                    break
                left -= 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_discover(g, t, i):
    """DISCOVER, OFFER_POWERS: offer three different cards to choose from."""
    f = g.stack[i]
    r = t.row[f.pc]
    g.n_choices = 0
    if r.op == Op.OFFER_POWERS:
        offer_from(g, t, r.pool, 3, g.side[f.side].power, NONE)
    elif r.second_pool > 0:
        offer_from(g, t, r.pool, 1, 0, NONE)
        offer_from(g, t, r.second_pool, 1, 0, NONE)
        offer_from(g, t, r.third_pool, 1, 0, NONE)
    else:
        pool = pool_for(g, t, f.side, r.pool)
        if r.third_pool > 0 and t.pool[pool, 1] == 0:
            pool = np.int64(r.third_pool)
        offer_from(g, t, pool, 3, 0, f.side if r.new == 1 else NONE)
    open_choice(g, f.side)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_offer_all(g, t, i):
    """OFFER_ALL: all cards of a pool."""
    f = g.stack[i]
    pool = np.int64(t.row[f.pc].pool)
    g.n_choices = t.pool[pool, 1]
    for k in range(g.n_choices):
        g.choice[k] = t.pooled[t.pool[pool, 0] + k]
    open_choice(g, f.side)


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


@kernel(VOID(GAME_T, I8))
def do_offer_enemy_deck(g, i):
    """OFFER_ENEMY_DECK: three different cards of the opponent's deck, each copy as likely."""
    side = np.int64(g.stack[i].side)
    deal_unseen(g, 1 - side)
    o = g.side[1 - side]
    g.n_choices = 0
    for _ in range(3):
        count, card = np.int64(0), np.int64(0)
        for k in range(o.n_deck):
            there = card_in(o.deck[k])
            if is_offered(g, there) == 0:
                count += 1
                if random_below(g, count) == 0:
                    card = there
        if count > 0:
            g.choice[g.n_choices] = card
            g.n_choices += 1
            if g.sight == NOTED:
                note_revealed(g, 1 - side, card)
    open_choice(g, side)


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


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_chosen(g, t, i):
    """SUMMON_CHOSEN: the card of the second pool in the place of the chosen one in the first.

    Without pools, the chosen card itself.
    """
    r = t.row[g.stack[i].pc]
    if r.pool == 0:
        for _ in range(plain_amount(g, t, i) if g.chosen > 0 else 0):
            summon(g, t, g.stack[i].side, g.chosen, NONE)
        return
    for k in range(t.pool[r.pool, 1]):
        if t.pooled[t.pool[r.pool, 0] + k] == g.chosen:
            summon(g, t, g.stack[i].side, t.pooled[t.pool[r.second_pool, 0] + k], NONE)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def do_run_chosen(g, t, i):
    """RUN_CHOSEN: the text of the chosen card, for the owner of this one."""
    if g.chosen > 0 and t.card[g.chosen].play > 0:
        j = push(g)
        g.stack[j] = g.stack[i]
        g.stack[j].pc = t.card[g.chosen].play


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


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def run_choices(g, t, i, op):
    """Run frame i's row, an operation of Group.CHOICES."""
    if op == Op.DISCOVER or op == Op.OFFER_POWERS:
        do_discover(g, t, i)
    elif op == Op.ADD_CHOSEN or op == Op.TAKE_CHOSEN_POWER:
        do_take_chosen(g, t, i)
    elif op == Op.OFFER_ENEMY_DECK:
        do_offer_enemy_deck(g, i)
    elif op == Op.OFFER_TOP:
        do_offer_top(g, t, i)
    elif op == Op.OFFER_ALL:
        do_offer_all(g, t, i)
    elif op == Op.SUMMON_CHOSEN:
        do_summon_chosen(g, t, i)
    elif op == Op.RUN_CHOSEN:
        do_run_chosen(g, t, i)
    else:
        do_kazakus(g, t, i)
