"""The operations of a few cards each, apart from the common ones in `effects`."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Keyword, Kind, Rule
from hsevo.engine.board import MINIONS, add_secret, equip_weapon, remove_from_play, summon
from hsevo.engine.changes import attach_text, return_to_hand, set_health, transform
from hsevo.engine.codec import RATTLE_ONLY, card_in, minion_ref, side_of, times_of
from hsevo.engine.deaths import push_deathrattles
from hsevo.engine.graves import leave
from hsevo.engine.hand import open_choice, pick_from, take_power
from hsevo.engine.health import deal_damage, mark_destroyed
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.query import (
    IMMUNITY,
    attack_of,
    has_keyword,
    is_dying,
    position_beside,
    ref_if_in_play,
)
from hsevo.engine.select import plain_amount
from hsevo.engine.state import (
    BOARD,
    DECK,
    GAME_T,
    MAX_MANA,
    NONE,
    SECRETS,
    TEXTS,
    push,
    random_below,
)
from hsevo.engine.strikes import select_affected, with_spell_damage
from hsevo.engine.unseen import deal_unseen
from hsevo.engine.zones import (
    add_to_hand,
    draw_card,
    draw_from,
    remove_from_deck,
    shuffle_into_deck,
    summon_from_deck,
)

MOST_BOUNCES = 80  # hearthstone.wiki.gg, Bouncing Blade
COSTS = 27  # pools of minions by cost: 0 to 26


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_deathrattle(g, t, i):
    """DEATHRATTLE: run the rest of the text twice if the owner's minions do so.

    Wiki, Baron Rivendare: both inside of one resolution; not for weapons.
    """
    f = g.stack[i]
    twice = (g.side[f.side].rules & Rule.DEATHRATTLES_TWICE) != 0
    if twice and t.card[f.card].kind == Kind.MINION:
        j = push(g)
        g.stack[j] = g.stack[i]
        g.stack[j].pc += 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_swap_health(g, t, i):
    """SWAP_HEALTH: this minion's with the target's."""
    f = g.stack[i]
    own, target = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    if own >= 0 and target >= 0:
        mine = np.int64(g.char[own].health)
        set_health(g, t, own, np.int64(g.char[target].health))
        set_health(g, t, target, mine)


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


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def transform_by_cost(g, t, ref, more):
    """Turn a minion into a random one that costs `more` than it; without one it stays."""
    cost = np.int64(t.card[g.char[ref].card].cost) + more
    if cost >= 0 and cost < COSTS:
        card = pick_from(g, t, side_of(ref), t.of_cost[cost])
        if card > 0:
            transform(g, t, ref, card)


@kernel(VOID(GAME_T, I8, I8))
def detach(g, ref, card):
    """Take away every text of a card that was attached to a minion."""
    c, n = g.char[ref], 0
    for x in range(TEXTS):
        text = np.int64(c.extra[x])
        c.extra[x] = 0
        if text != 0 and card_in(text) != card:
            c.extra[n] = text
            n += 1
    g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def shuffle_away(g, t, ref, side):
    """Shuffle a minion into a player's deck; it dies if the deck is full."""
    if g.side[side].n_deck >= DECK:
        mark_destroyed(g, ref)
        return
    shuffle_into_deck(g, t, side, g.char[ref].card)
    remove_from_play(g, t, ref)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_shuffle_this(g, t, i):
    """SHUFFLE_THIS: this minion, alive or dead, goes to the own deck (b=1: the enemy's)."""
    f = g.stack[i]
    side = 1 - np.int64(f.side) if t.row[f.pc].b == 1 else np.int64(f.side)
    own = ref_if_in_play(g, f.ref, f.uid)
    if not leave(g, f.uid):
        return
    if own >= 0:
        shuffle_away(g, t, own, side)
    else:
        shuffle_into_deck(g, t, side, f.card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_return_this(g, t, i):
    """RETURN_THIS: this minion, alive or dead, or (b=1) the event's dead one, to the own hand."""
    f = g.stack[i]
    if t.row[f.pc].b == 1:
        if leave(g, f.subject_uid):
            add_to_hand(g, t, f.side, f.first)
        return
    own = ref_if_in_play(g, f.ref, f.uid)
    if not leave(g, f.uid):
        return
    if own >= 0:
        return_to_hand(g, t, own, 0)
    else:
        add_to_hand(g, t, f.side, f.card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_each(g, t, i):
    """Apply an op to every character that its row affects."""
    select_affected(g, t, i)
    r = t.row[g.stack[i].pc]
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        if r.op == Op.GIVE_ONE_OF:
            give_one_of(g, ref, r.a)
        elif r.op == Op.TRANSFORM_BY_COST:
            transform_by_cost(g, t, ref, r.n)
        elif r.op == Op.DETACH:
            detach(g, ref, r.a)
        elif r.op == Op.TRIGGER_DEATHRATTLES:
            push_deathrattles(g, t, ref, ref)
        elif r.op == Op.SHUFFLE_AWAY:
            shuffle_away(g, t, ref, g.stack[i].side if r.b == 1 else side_of(ref))
        elif r.op == Op.GIVE_SPELL_DAMAGE:
            g.char[ref].spell_damage += r.n
            g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_note(g, t, i):
    """NOTE_TARGET, NOTE_MINIONS: the target's card and owner; how many minions each player has."""
    f = g.stack[i]
    if t.row[f.pc].op == Op.NOTE_MINIONS:
        f.first = g.side[f.side].minions
        f.second = g.side[1 - f.side].minions
    else:
        target = ref_if_in_play(g, f.target, f.target_uid)
        if target >= 0:
            f.first = g.char[target].card
            f.second = side_of(target)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_noted(g, t, i):
    """SUMMON_NOTED: the card for its owner; card a for each minion that a player had."""
    f = g.stack[i]
    if t.row[f.pc].op == Op.SUMMON_NOTED:
        if f.first > 0:
            summon(g, t, f.second, f.first, NONE)
        return
    for _ in range(f.first):
        summon(g, t, f.side, t.row[f.pc].a, NONE)
    for _ in range(f.second):
        summon(g, t, 1 - np.int64(f.side), t.row[f.pc].a, NONE)


@kernel(VOID(GAME_T))
def list_damageable_minions(g):
    """Fill the list with the minions that damage would hurt and that are not dying."""
    g.n_list = 0
    for side in range(2):
        s = g.side[side]
        least = 2 if (s.turn_rules & Rule.UNBREAKABLE) != 0 else 1
        for k in range(s.minions):
            ref = minion_ref(side, s.row[k])
            immune = has_keyword(g, ref, IMMUNITY)
            if g.char[ref].health >= least and not immune and not is_dying(g, ref):
                g.list[g.n_list] = ref
                g.n_list += 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_bounce(g, t, i):
    """BOUNCE: damage to a random minion, resolved, and again until that minion is dying."""
    f = g.stack[i]
    hit = ref_if_in_play(g, f.subject, f.subject_uid)
    over = f.left > 0 and (hit < 0 or is_dying(g, hit))
    list_damageable_minions(g)
    if over or g.n_list == 0 or f.left >= MOST_BOUNCES:
        f.pc += 1
        return
    f.left += 1
    f.subject = g.list[random_below(g, g.n_list)]
    f.subject_uid = g.char[f.subject].uid
    deal_damage(g, t, f.subject, with_spell_damage(g, t, i, plain_amount(g, t, i)), NONE)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_secret_from_deck(g, t, i):
    """SECRET_FROM_DECK: a random one that the player does not have in play."""
    side = np.int64(g.stack[i].side)
    s, n, found = g.side[side], np.int64(0), np.int64(NONE)
    if s.n_secrets >= SECRETS:
        return
    deal_unseen(g, side)
    for k in range(s.n_deck):
        card, there = card_in(s.deck[k]), False
        for j in range(s.n_secrets):
            there = there or s.secret[j].card == card
        if t.card[card].secret == 1 and not there:
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                found = k
    if found >= 0:
        add_secret(g, t, side, card_in(remove_from_deck(g, t, side, found)))


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_lose_top(g, t, i):
    """LOSE_TOP: the top cards of the own deck are gone."""
    side = np.int64(g.stack[i].side)
    s = g.side[side]
    deal_unseen(g, side)
    for _ in range(min(plain_amount(g, t, i), np.int64(s.n_deck))):
        last = np.int64(s.n_deck) - 1
        remove_from_deck(g, t, side, last if g.ordered == 1 else random_below(g, s.n_deck))


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_equip_random(g, t, i):
    """EQUIP_RANDOM: a weapon of pool a; b=1: for the enemy."""
    f = g.stack[i]
    r = t.row[f.pc]
    side = 1 - np.int64(f.side) if r.b == 1 else np.int64(f.side)
    card = pick_from(g, t, side, r.a)
    if card > 0:
        equip_weapon(g, t, side, card)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_offer_all(g, t, i):
    """OFFER_ALL: all cards of pool a."""
    f = g.stack[i]
    pool = np.int64(t.row[f.pc].a)
    g.n_choices = t.pool[pool, 1]
    for k in range(g.n_choices):
        g.choice[k] = t.pooled[t.pool[pool, 0] + k]
    open_choice(g, f.side)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def change_power(g, t, side, op):
    """COPY_POWER, UPGRADE_POWER."""
    if op == Op.COPY_POWER:
        take_power(g, side, g.side[1 - side].power)
    elif t.card[g.side[side].power].better > 0:
        take_power(g, side, t.card[g.side[side].power].better)


@kernel(VOID(GAME_T, I8))
def fill_crystals(g, side):
    """FILL_CRYSTALS."""
    s = g.side[side]
    s.crystals = MAX_MANA
    s.mana = MAX_MANA
    s.locked = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_chosen(g, t, i):
    """SUMMON_CHOSEN: the card of pool b in the place that the chosen one has in pool a."""
    r = t.row[g.stack[i].pc]
    for k in range(t.pool[r.a, 1]):
        if t.pooled[t.pool[r.a, 0] + k] == g.chosen:
            summon(g, t, g.stack[i].side, t.pooled[t.pool[r.b, 0] + k], NONE)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_buff_played_weapon(g, t, i):
    """BUFF_PLAYED_WEAPON: the phase that plays it equips it with these numbers."""
    for j in range(i):
        if g.stack[j].pc > 0 and t.row[g.stack[j].pc].op == Op.EQUIP_PLAYED:
            g.stack[j].first += plain_amount(g, t, i)
            g.stack[j].second += t.row[g.stack[i].pc].a


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


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_draw_into_play(g, t, i):
    """DRAW_INTO_PLAY: minions drawn enter play if there is room, without their Battlecry."""
    side = np.int64(g.stack[i].side)
    s = g.side[side]
    for _ in range(plain_amount(g, t, i)):
        last = np.int64(s.n_deck) - 1
        k = last if g.ordered == 1 or last < 0 else random_below(g, s.n_deck)
        if k >= 0 and s.minions < BOARD and t.card[card_in(s.deck[k])].kind == Kind.MINION:
            summon_from_deck(g, t, side, k, position_beside(g, i))
        elif k >= 0:
            draw_from(g, t, side, k)
        else:
            draw_card(g, t, side)


@kernel(VOID(GAME_T, I8))
def destroy_weaker(g, side):
    """DESTROY_WEAKER: all of a player's minions but one of those with the most attack."""
    s, best, n = g.side[side], np.int64(NONE), np.int64(0)
    for k in range(s.minions):
        ref = minion_ref(side, s.row[k])
        if best < 0 or attack_of(g, ref) > attack_of(g, best):
            best, n = ref, np.int64(1)
        elif attack_of(g, ref) == attack_of(g, best):
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                best = ref
    for k in range(s.minions):
        if minion_ref(side, s.row[k]) != best:
            mark_destroyed(g, minion_ref(side, s.row[k]))


@kernel(VOID(GAME_T, TABLES_T, I8))
def run_rare(g, t, i):
    """Run the row of frame i and advance to the next. `ops.Op` explains the ops."""
    f = g.stack[i]
    op = np.int64(t.row[f.pc].op)
    if op == Op.BOUNCE:
        do_bounce(g, t, i)  # advances itself after the last bounce
        return
    if op == Op.DEATHRATTLE:
        do_deathrattle(g, t, i)
    elif (op >= Op.GIVE_ONE_OF and op <= Op.SHUFFLE_AWAY) or op == Op.GIVE_SPELL_DAMAGE:
        do_each(g, t, i)
    elif op == Op.SWAP_HEALTH:
        do_swap_health(g, t, i)
    elif op == Op.SHUFFLE_THIS:
        do_shuffle_this(g, t, i)
    elif op == Op.RETURN_THIS:
        do_return_this(g, t, i)
    elif op == Op.NOTE_TARGET or op == Op.NOTE_MINIONS:
        do_note(g, t, i)
    elif op == Op.SUMMON_NOTED or op == Op.SUMMON_FOR_NOTED:
        do_summon_noted(g, t, i)
    elif op == Op.SECRET_FROM_DECK:
        do_secret_from_deck(g, t, i)
    elif op == Op.LOSE_TOP:
        do_lose_top(g, t, i)
    elif op == Op.EQUIP_RANDOM:
        do_equip_random(g, t, i)
    elif op == Op.COPY_POWER or op == Op.UPGRADE_POWER:
        change_power(g, t, f.side, op)
    elif op == Op.OFFER_ALL:
        do_offer_all(g, t, i)
    elif op == Op.SUMMON_CHOSEN:
        do_summon_chosen(g, t, i)
    elif op == Op.BUFF_PLAYED_WEAPON:
        do_buff_played_weapon(g, t, i)
    elif op == Op.FILL_CRYSTALS:
        fill_crystals(g, f.side)
    elif op == Op.COPY_DEATHRATTLE:
        do_copy_deathrattle(g, t, i)
    elif op == Op.DRAW_INTO_PLAY:
        do_draw_into_play(g, t, i)
    elif op == Op.DESTROY_WEAKER:
        destroy_weaker(g, f.side)
        destroy_weaker(g, 1 - np.int64(f.side))
    f.pc += 1
