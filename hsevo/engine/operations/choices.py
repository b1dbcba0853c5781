"""The operations that offer cards to a player, and those on the one that it chooses."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Rule
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.strikes import select_affected
from hsevo.engine.record.codec import RATTLE_ONLY, card_in, encode_taught, minion_ref
from hsevo.engine.record.state import (
    GAME_T,
    NONE,
    NOTED,
    Phase,
    hides_hand,
    push,
    random_below,
)
from hsevo.engine.rules.board import attach_text, summon, take_power
from hsevo.engine.rules.conditions import (
    has_died,
)
from hsevo.engine.rules.deaths import deaths_in
from hsevo.engine.rules.evidence import (
    deal_unseen,
    note_looked_at,
    note_remade,
    note_revealed,
)
from hsevo.engine.rules.query import (
    card_matches,
    is_of_race,
    position_beside,
    ref_if_in_play,
    row_side,
)
from hsevo.engine.rules.select import plain_amount, pool_for
from hsevo.engine.rules.zones import (
    add_openly,
    add_to_hand,
    draw_copy,
    find_deck_listeners,
    place_in_deck,
    remove_from_deck,
)


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


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_offer_deck(g, t, i):
    """OFFER_DECK."""
    list_of_deck(g, t, i)
    open_choice(g, np.int64(g.stack[i].side))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def do_offer_to_draw(g, t, i):
    """OFFER_TO_DRAW: if the three cards are all of a race, they are drawn without a choice."""
    side, race = np.int64(g.stack[i].side), np.int64(t.row[g.stack[i].pc].race)
    list_of_deck(g, t, i)
    n = np.int64(g.n_choices)
    for k in range(g.n_choices):
        n -= is_of_race(t, np.int64(g.choice[k]), race)
    if n > 0 or g.n_choices < 3:
        open_choice(g, side)
        return
    g.chosen = 0
    for k in range(3):
        draw_copy(g, t, side, np.int64(g.choice[k]))
    g.n_choices = 0


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def share_chosen(g, t, i):
    """SHARE_CHOSEN: the card held and the chosen one, one for each player."""
    f = g.stack[i]
    mine = random_below(g, 2)
    if f.first > 0:
        add_to_hand(g, t, np.int64(f.side) if mine == 0 else 1 - np.int64(f.side), f.first)
    if g.chosen > 0:
        add_to_hand(g, t, np.int64(f.side) if mine == 1 else 1 - np.int64(f.side), g.chosen)


@kernel(VOID(GAME_T, TABLES_T, I8))
def list_of_deck(g, t, i):
    """Offer three different cards of a deck that pass the filter, each copy as likely."""
    side, owner, r = np.int64(g.stack[i].side), row_side(g, t, i), t.row[g.stack[i].pc]
    deal_unseen(g, owner)
    o = g.side[owner]
    g.n_choices = 0
    for _ in range(3):
        count, card = np.int64(0), np.int64(0)
        for k in range(o.n_deck):
            there = card_in(o.deck[k])
            if is_offered(g, there) == 0 and card_matches(t, there, r.test, r.arg):
                count += 1
                if random_below(g, count) == 0:
                    card = there
        if count > 0:
            g.choice[g.n_choices] = card
            g.n_choices += 1
            if g.sight == NOTED and owner != side:
                note_revealed(g, owner, card)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def offer_enemy_hand(g, t, i):
    """OFFER_ENEMY_HAND: three different cards there, each copy as likely."""
    side = np.int64(g.stack[i].side)
    deal_unseen(g, 1 - side)
    o = g.side[1 - side]
    g.n_choices = 0
    for _ in range(3):
        count, place = np.int64(0), np.int64(NONE)
        for k in range(o.n_hand):
            if is_offered(g, o.hand[k].card) == 0:
                count += 1
                if random_below(g, count) == 0:
                    place = np.int64(k)
        if place >= 0:
            g.choice[g.n_choices] = o.hand[place].card
            g.n_choices += 1
            if g.sight == NOTED:
                note_looked_at(g, 1 - side, place)
    open_choice(g, side)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def stock_chosen(g, t, i):
    """STOCK_CHOSEN: two copies, which the opponent does not see, into the own deck."""
    f = g.stack[i]
    s, side = g.side[f.side], np.int64(f.side)
    if t.row[f.pc].new == 1:
        s.n_deck, s.unseen, s.free, s.priced, s.leveled = 0, 0, 0, 0, 0
        find_deck_listeners(g, t, side)
        note_remade(g, side)
    for _ in range(2 if g.chosen > 0 else 0):
        place = place_in_deck(g, t, side, np.int64(g.chosen))
        if place >= 0:
            s.unseen |= 1 << place


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def trigger_chosen(g, t, i):
    """TRIGGER_CHOSEN: the Deathrattle of the chosen card, which is not in play."""
    f = g.stack[i]
    if g.chosen > 0 and t.card[g.chosen].deathrattle > 0:
        h = g.stack[push(g)]
        h.pc = t.card[g.chosen].deathrattle
        h.side = f.side
        h.card = g.chosen
        h.first = t.card[g.chosen].attack


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_offer_dead(g, t, i):
    """OFFER_DEAD: three different own minions that died this game, each death as likely."""
    f = g.stack[i]
    r, s = t.row[f.pc], g.side[f.side]
    g.n_choices = 0
    for _ in range(3):
        count, card = np.int64(0), np.int64(0)
        for k in range(s.n_graves):
            there = card_in(s.dead[k])
            if is_offered(g, there) == 0 and card_matches(t, there, r.test, r.arg):
                count += deaths_in(s.dead[k])
                if random_below(g, count) < deaths_in(s.dead[k]):
                    card = there
        if count > 0:
            g.choice[g.n_choices] = card
            g.n_choices += 1
    open_choice(g, f.side)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_offer_options(g, t, i):
    """OFFER_OPTIONS: the options of a hero power; none if its player has both of them."""
    if (g.side[g.stack[i].side].rules & Rule.CHOOSE_BOTH) == 0:
        do_offer_all(g, t, i)
    else:
        g.chosen = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_add_joined(g, t, i):
    """ADD_JOINED: the card held, with the cost, attack, health and keywords of the chosen one."""
    f, k = g.stack[i], t.card[g.chosen]
    if f.first > 0 and g.chosen > 0 and add_to_hand(g, t, f.side, f.first):
        h = g.side[f.side].hand[g.side[f.side].n_hand - 1]
        h.cost = k.cost
        h.attack = k.attack
        h.health = k.health
        h.joined = g.chosen


@kernel(I8(TABLES_T, I8, I8))
def place_in_pool(t, pool, card):
    """Return the place of a card in a pool, from 0; 0 if it is not there."""
    for k in range(t.pool[pool, 1]):
        if t.pooled[t.pool[pool, 0] + k] == card:
            return k
    return 0


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def do_teach(g, t, i):
    """TEACH: the card held and the chosen one, to a card that enters the hand."""
    f, r = g.stack[i], t.row[g.stack[i].pc]
    if f.first > 0 and g.chosen > 0 and add_openly(g, t, f.side, r.card):
        first, second = place_in_pool(t, r.pool, f.first), place_in_pool(t, r.pool, g.chosen)
        g.side[f.side].hand[g.side[f.side].n_hand - 1].joined = encode_taught(first, second)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_gain_chosen(g, t, i):
    """GAIN_CHOSEN: the Deathrattle of the chosen card, if there is one."""
    own = ref_if_in_play(g, g.stack[i].ref, g.stack[i].uid)
    if own >= 0 and g.chosen > 0 and t.card[g.chosen].deathrattle > 0:
        attach_text(g, t, own, np.int64(g.chosen) + RATTLE_ONLY)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_add_offered(g, t, i):
    """ADD_OFFERED: different cards of a pool, as they would be offered, to hand."""
    side = np.int64(g.stack[i].side)
    g.n_choices = 0
    pool = pool_for(g, t, side, t.row[g.stack[i].pc].pool)
    offer_from(g, t, pool, plain_amount(g, t, i), 0, NONE)
    for k in range(g.n_choices):
        add_to_hand(g, t, side, np.int64(g.choice[k]))
    g.n_choices = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_run_chosen(g, t, i):
    """RUN_CHOSEN: the text of the chosen card; of options, those of both if none was chosen."""
    f = g.stack[i]
    if t.row[f.pc].pool == 0:
        if g.chosen > 0 and t.card[g.chosen].play > 0:
            j = push(g)
            g.stack[j] = g.stack[i]
            g.stack[j].pc = t.card[g.chosen].play
        return
    pool = np.int64(t.row[f.pc].pool)
    for k in range(t.pool[pool, 1]):
        option = t.pooled[t.pool[pool, 0] + k]
        if g.chosen == 0 or g.chosen == option:
            h = g.stack[push(g)]
            h.pc = t.card[option].play
            h.side = g.stack[i].side
            h.card = g.stack[i].card
            h.ref = g.stack[i].ref
            h.uid = g.stack[i].uid


@kernel(BOOL(GAME_T, I8, I8), cold=True)
def is_around(g, side, card):
    """Return whether a card is in a player's deck, hand, graveyard, or in play."""
    s = g.side[side]
    for k in range(s.n_deck):
        if card_in(s.deck[k]) == card:
            return True
    for k in range(s.n_hand):
        if s.hand[k].card == card:
            return True
    for k in range(s.n_secrets):
        if s.secret[k].card == card:
            return True
    for k in range(s.minions):
        if g.char[minion_ref(side, s.row[k])].card == card:
            return True
    return s.weapon == card or has_died(g, side, card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_offer_guess(g, t, i):
    """OFFER_GUESS: a class card of the opponent's deck or hand, in a random place among the three.

    Our choice: it is one that the opponent still has, and the others may be among the spells that
    the opponent has cast: the game does not remember how a deck began.
    """
    f = g.stack[i]
    enemy, n = 1 - np.int64(f.side), np.int64(0)
    deal_unseen(g, enemy)
    o = g.side[enemy]
    g.n_choices = 0
    f.first = 0
    for k in range(o.n_deck + o.n_hand):
        held = k - np.int64(o.n_deck)
        card = card_in(o.deck[k]) if held < 0 else np.int64(o.hand[held].card)
        started = t.card[card].collectible == 1 and (held < 0 or (o.made >> held) & 1 == 0)
        if started and t.card[card].cls == o.cls:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                f.first = card
    if n > 0:
        g.choice[0] = f.first
        g.n_choices = 1
        pool = pool_for(g, t, f.side, t.row[f.pc].pool)
        for _ in range(2):
            n, card = np.int64(0), np.int64(0)
            for k in range(t.pool[pool, 1]):
                there = np.int64(t.pooled[t.pool[pool, 0] + k])
                if is_offered(g, there) == 0 and not is_around(g, enemy, there):
                    n += 1
                    if random_below(g, n) == 0:
                        card = there
            if n > 0:
                g.choice[g.n_choices] = card
                g.n_choices += 1
        place = random_below(g, g.n_choices)
        g.choice[0] = g.choice[place]
        g.choice[place] = f.first
    open_choice(g, f.side)


@kernel(VOID(GAME_T, TABLES_T, I8))
def add_guessed(g, t, i):
    """ADD_GUESSED: in a look-ahead, one guess in three is right."""
    f = g.stack[i]
    right = random_below(g, 3) == 0 if hides_hand(g) else g.chosen == f.first
    if g.chosen > 0 and right:
        add_to_hand(g, t, f.side, g.chosen)


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
            h.cost -= t.row[f.pc].cheaper
            small, k = np.int64(t.row[f.pc].small), t.card[g.chosen]
            if small > 0:
                h.cost, h.attack, h.health = small - k.cost, small - k.attack, small - k.health
    else:
        take_power(g, t, f.side, g.chosen)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_adapt(g, t, i):
    """ADAPT: offer three cards; the row runs again, and the chosen card's text for each minion."""
    f = g.stack[i]
    select_affected(g, t, i)
    if f.left == 0 and g.n_list > 0:
        g.n_choices = 0
        offer_from(g, t, t.row[f.pc].pool, 3, 0, NONE)
        open_choice(g, f.side)
        f.left = 1
        f.pc -= 1  # who runs the row advances it
        return
    for k in range(g.n_list):
        adapted = g.stack[push(g)]
        adapted.pc = t.card[g.chosen].play
        adapted.side = f.side
        adapted.card = g.chosen
        adapted.ref = g.list[k]
        adapted.uid = g.char[g.list[k]].uid
    f.left = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_chosen(g, t, i):
    """SUMMON_CHOSEN: the card of the second pool in the place of the chosen one in the first.

    Without pools, the chosen one, as often as the row says.
    """
    r = t.row[g.stack[i].pc]
    if r.pool == 0 and g.chosen > 0:
        for _ in range(max(plain_amount(g, t, i), 1)):
            summon(g, t, g.stack[i].side, g.chosen, position_beside(g, i))
        return
    for k in range(t.pool[r.pool, 1]):
        if t.pooled[t.pool[r.pool, 0] + k] == g.chosen:
            summon(g, t, g.stack[i].side, t.pooled[t.pool[r.second_pool, 0] + k], NONE)


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
    elif op == Op.OFFER_DECK:
        do_offer_deck(g, t, i)
    elif op == Op.OFFER_GUESS:
        do_offer_guess(g, t, i)
    elif op == Op.ADD_GUESSED:
        add_guessed(g, t, i)
    elif op == Op.ADAPT:
        do_adapt(g, t, i)
    elif op == Op.OFFER_DEAD:
        do_offer_dead(g, t, i)
    elif op == Op.OFFER_ENEMY_HAND:
        offer_enemy_hand(g, t, i)
    elif op == Op.STOCK_CHOSEN:
        stock_chosen(g, t, i)
    elif op == Op.TRIGGER_CHOSEN:
        trigger_chosen(g, t, i)
    elif op == Op.OFFER_OPTIONS:
        do_offer_options(g, t, i)
    elif op == Op.GAIN_CHOSEN:
        do_gain_chosen(g, t, i)
    elif op == Op.ADD_OFFERED:
        do_add_offered(g, t, i)
    elif op == Op.HOLD_CHOSEN:
        g.stack[i].first = g.chosen
    elif op == Op.SHARE_CHOSEN:
        share_chosen(g, t, i)
    elif op == Op.OFFER_TO_DRAW:
        do_offer_to_draw(g, t, i)
    elif op == Op.TEACH:
        do_teach(g, t, i)
    elif op == Op.ADD_JOINED:
        do_add_joined(g, t, i)
    elif op == Op.RUN_CHOSEN:
        do_run_chosen(g, t, i)
    elif op == Op.OFFER_TOP:
        do_offer_top(g, t, i)
    elif op == Op.OFFER_ALL:
        do_offer_all(g, t, i)
    elif op == Op.SUMMON_CHOSEN:
        do_summon_chosen(g, t, i)
    else:
        do_kazakus(g, t, i)
