"""Events and their listeners: which triggers fire, and in which order."""

import numpy as np

from hsevo.cards.terms import Event, Keyword, Rule, Whose, Zone
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import (
    card_in,
    hero_of,
    is_hero,
    is_whole,
    minion_ref,
    owner_of,
    side_of,
    times_of,
)
from hsevo.engine.record.state import (
    BOARD,
    DECK,
    FAIR,
    GAME_T,
    NONE,
    TEXTS,
    announce,
    effect_of,
    hides_hand,
    is_in_play,
    push,
    spell_of,
)
from hsevo.engine.rules.board import can_secrets_trigger, remove_secret
from hsevo.engine.rules.conditions import (
    condition_holds,
)
from hsevo.engine.rules.deaths import GONE
from hsevo.engine.rules.query import (
    card_matches,
    character_matches,
    is_printed,
    ref_if_in_play,
)

# order of play of cards in a hand and a deck: after everything in play
HAND_KEY, DECK_KEY, LATE_KEY = 19000, 20000, 21000  # LATE_KEY: secrets that come last
LAST_KEY = 32000


@kernel(BOOL(GAME_T, I8, I8, I8, I8), inline=True)
def reacts_to_event(g, i, whose, side, uid):
    """Return whether a listener of `side` with `uid` reacts to the event of frame i."""
    f = g.stack[i]
    mine = f.side == side
    if f.event == Event.ATTACKS and f.amount == 1:  # a new defender concerns those who guard it
        if whose != Whose.AT_ME and whose != Whose.AT_MINIONS:
            return False
    if whose == Whose.MINE:
        return mine
    if whose == Whose.ANY:
        return True
    if whose == Whose.THEIRS:
        return not mine
    if whose == Whose.OWN:
        return f.subject_uid == uid
    if whose == Whose.MY_OTHERS:
        return mine and f.subject_uid != uid
    if whose == Whose.ANY_OTHER:
        return f.subject_uid != uid
    if whose == Whose.BY_OWN:
        return f.other_uid == uid
    if whose == Whose.BY_MY_SPELL:
        return f.other == spell_of(side)
    if whose == Whose.AT_ME:
        return not mine and f.other == hero_of(side)
    if whose == Whose.MY_SPELL_ON_FRIEND:
        target = np.int64(f.target)
        friend = target >= 0 and not is_hero(target) and side_of(target) == side
        return mine and friend and f.target_uid != uid
    if whose == Whose.MY_AIM:
        return mine and f.subject_uid == uid
    if whose == Whose.MY_DEAD:
        return mine and f.subject_uid != GONE
    if whose == Whose.MY_SPELL_HERE:
        return mine and f.target_uid == uid
    if whose == Whose.MY_AIMED:
        return mine and f.subject >= 0
    if whose == Whose.BY_MY_HERO:
        return f.other == hero_of(side)
    if whose == Whose.AT_MINIONS:
        return not mine and side_of(f.other) == side and not is_hero(f.other)
    if whose == Whose.BY_MY_CARDS:
        return is_of(f.other, side)
    if whose == Whose.ON_ME_BY_MY_CARDS:
        return f.subject == hero_of(side) and is_of(f.other, side)
    if whose == Whose.MY_SUMMONED:
        return mine and f.subject_uid != uid and f.amount == 0 and is_summoned(g, i)
    return False


@kernel(BOOL(I8, I8), cold=True)
def is_of(source, side):
    """Return whether a source of damage or healing is a card of a player."""
    if source == spell_of(side) or source == effect_of(side):
        return True
    return source >= 0 and side_of(source) == side


@kernel(BOOL(GAME_T, I8), cold=True)
def is_summoned(g, i):
    """Return whether the subject of frame i was summoned, not played.

    Under the events of a minion that is played lies its own sequence.
    """
    j = i - 1
    while j >= 0 and g.stack[j].pc == 0:
        j -= 1
    if j < 0:
        return True
    return g.stack[j].uid != g.stack[i].subject_uid


# Nine arguments here and in fire_card: asking trigger by trigger, with eight, costs eva:2018 2.2 %
# (standard error 0.5, 8 alternating pairs by CPU time); a mark in each trigger that the card has
# another one, which does without `card`, costs 4.8 % (1.1, 6 pairs).
@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8, I8, I8, I8))
def next_trigger(g, t, i, first, card, side, ref, uid, zone):
    """Return the card's next trigger, from `first` on, for the event of frame i, or 0."""
    f, k = g.stack[i], t.card[card]
    for n in range(first, k.trigger + k.n_triggers):
        u = t.trigger[n]
        if u.event == f.event and u.zone == zone and reacts_to_event(g, i, u.whose, side, uid):
            passes = u.test == 0
            if not passes:
                # hs-bugs 872: what was played counts, whatever it has become
                played = u.event == Event.AFTER_PLAYED and is_printed(u.test)
                if not played and is_in_play(g, f.subject, f.subject_uid):
                    passes = character_matches(g, t, f.subject, u.test, u.arg)
                else:
                    passes = f.card > 0 and card_matches(t, f.card, u.test, u.arg)
            subject = ref_if_in_play(g, f.subject, f.subject_uid)
            if passes and condition_holds(g, t, u.when, u.when_arg, side, ref, NONE, subject):
                if condition_holds(g, t, u.also, u.also_arg, side, ref, NONE, subject):
                    return n
    return 0


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8, I8, I8), inline=True)
def trigger_for_event(g, t, i, card, side, ref, uid, zone):
    """Return the first trigger of a card that reacts to the event of frame i, or 0."""
    return next_trigger(g, t, i, t.card[card].trigger, card, side, ref, uid, zone)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8, I8, I8))
def fire_trigger(g, t, i, trigger, card, side, ref, uid):
    """Put the rows of a trigger on the stack, with the event of frame i."""
    j = push(g)
    f, h = g.stack[i], g.stack[j]
    h.pc = t.trigger[trigger].program
    h.side = side
    h.card = card
    h.ref = ref
    h.uid = uid
    h.subject = f.subject
    h.subject_uid = f.subject_uid
    h.other = f.other
    h.other_uid = f.other_uid
    h.target = f.target
    h.target_uid = f.target_uid
    h.amount = f.amount
    h.first = f.card
    h.second = f.side


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8, I8, I8, I8))
def fire_card(g, t, i, card, side, ref, uid, key, zone):
    """Fire all triggers of a card, with that key, that react to the event of frame i."""
    n = trigger_for_event(g, t, i, card, side, ref, key, zone)
    while n > 0:
        fire_trigger(g, t, i, n, card, side, ref, uid)
        if n + 1 == t.card[card].trigger + t.card[card].n_triggers:
            return
        n = next_trigger(g, t, i, n + 1, card, side, ref, key, zone)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), inline=True)
def may_listen(g, t, ref, bit):
    """Return whether a character's texts may listen to an event, given as a bit."""
    c = g.char[ref]
    return (t.card[c.card].watch & bit) != 0 or c.extra[0] != 0


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), inline=True)
def may_listen_off_board(g, t, side, bit):
    """Return whether a weapon, secret, hand or deck of a player may listen to an event, a bit."""
    s = g.side[side]
    held = ((s.hand_watch | s.deck_watch) & bit) != 0
    return held or t.card[s.weapon].watch != 0 or s.n_secrets > 0 or s.quest > 0


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8))
def earlier_listener(g, t, i, side, ref, best):
    """Return the uid of a minion that may listen if it reacts to the event of frame i before
    `best`, else `best`.
    """
    f, c = g.stack[i], g.char[ref]
    uid = np.int64(c.uid)
    bit = np.int64(1) << f.event
    listens = (t.card[c.card].watch & bit) != 0
    if uid <= f.cursor or uid >= f.horizon:
        return best
    if (f.second >> ref) & 1 == 1:  # it has changed sides meanwhile
        return best
    f.left += 1
    if uid >= best:
        return best
    if listens and (c.keywords & Keyword.SILENCED) == 0:
        if trigger_for_event(g, t, i, c.card, side, ref, uid, Zone.BOARD) > 0:
            return uid
    for x in range(TEXTS):
        text = np.int64(c.extra[x])
        if is_whole(text):
            card, owner = card_in(text), owner_of(text)
            if trigger_for_event(g, t, i, card, owner, ref, uid, Zone.BOARD) > 0:
                return uid
    return best


@kernel(I8(GAME_T, I8, I8), inline=True)
def times_fired(g, i, side):
    """Return how often a player's card in play answers the event of frame i."""
    twice = g.stack[i].event == Event.TURN_END and (g.side[side].rules & Rule.END_TURN_TWICE) != 0
    return 2 if twice else 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def fire_minion(g, t, i, side, ref):
    """Fire all triggers of a minion that react to the event of frame i."""
    c = g.char[ref]
    if (c.keywords & Keyword.SILENCED) == 0:
        fire_card(g, t, i, c.card, side, ref, c.uid, c.uid, Zone.BOARD)
    for x in range(TEXTS):
        text = np.int64(c.extra[x])
        if is_whole(text):
            for _ in range(times_of(text)):
                fire_card(g, t, i, card_in(text), owner_of(text), ref, c.uid, c.uid, Zone.BOARD)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def secret_key(g, t, side, k):
    """Return the order-of-play key of a player's k-th secret."""
    secret = g.side[side].secret[k]
    if t.trigger[t.card[secret.card].trigger].last == 1:
        return LATE_KEY + 100 * side + k
    return np.int64(secret.uid)


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def next_off_board(g, t, i, side, best):
    """Return the first key, before `best`, of what reacts of weapon, secrets, hand and deck."""
    f, s = g.stack[i], g.side[side]
    key = np.int64(s.weapon_uid)
    if s.weapon > 0 and key > f.cursor and key < f.horizon:
        f.left += t.card[s.weapon].watch != 0
        if key < best and trigger_for_event(g, t, i, s.weapon, side, NONE, key, Zone.BOARD) > 0:
            best = key
    key = np.int64(s.quest_uid)
    if s.quest > 0 and key > f.cursor and key < f.horizon:
        f.left += 1
        if key < best and trigger_for_event(g, t, i, s.quest, side, NONE, key, Zone.BOARD) > 0:
            best = key
    own_turn = f.event == Event.TURN_START and g.me == side and g.sight != FAIR
    if s.n_secrets > 0 and (own_turn or can_secrets_trigger(g, side)):
        f.left += s.n_secrets
        for k in range(s.n_secrets):
            key = secret_key(g, t, side, k)
            if key > f.cursor and key < best and s.secret[k].uid < f.horizon:
                if trigger_for_event(g, t, i, s.secret[k].card, side, NONE, key, Zone.SECRET) > 0:
                    best = key
    if ((s.hand_watch >> f.event) & 1) == 1 and (g.me == side or not hides_hand(g)):
        f.left += 2  # several may react
        for k in range(min(np.int64(s.n_hand), (f.place >> 4 * side) & 15)):
            key, card = HAND_KEY + 100 * side + k, np.int64(s.hand[k].card)
            if key > f.cursor and key < best and t.card[card].hand_watch != 0:
                if trigger_for_event(g, t, i, card, side, NONE, key, Zone.HAND) > 0:
                    best = key
    if ((s.deck_watch >> f.event) & 1) == 1:
        watcher = np.int64(s.deck_watcher)
        if watcher > 0 and trigger_for_event(
                g, t, i, watcher, side, NONE, DECK_KEY, Zone.DECK) == 0:
            return best
        f.left += 2  # several may react
        for k in range(s.n_deck - 1, -1, -1):  # a card that leaves moves none that is still to come
            key, card = DECK_KEY + 100 * side + DECK - 1 - k, card_in(s.deck[k])
            if key > f.cursor and key < best and t.card[card].deck_watch != 0:
                if trigger_for_event(g, t, i, card, side, NONE, key, Zone.DECK) > 0:
                    best = key
    return best


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def fire_off_board(g, t, i, key):
    """Fire the weapon, secret, or card in hand or deck with that key."""
    for side in range(2):
        s = g.side[side]
        if s.weapon > 0 and s.weapon_uid == key:
            for _ in range(times_fired(g, i, side)):
                fire_card(g, t, i, s.weapon, side, NONE, 0, key, Zone.BOARD)
            return
        if s.quest > 0 and s.quest_uid == key:
            fire_card(g, t, i, s.quest, side, NONE, 0, key, Zone.BOARD)
            return
        for k in range(s.n_secrets):
            if secret_key(g, t, side, k) == key:
                card = np.int64(s.secret[k].card)
                twice = (s.rules & Rule.SECRETS_TWICE) != 0
                for _ in range(2 if twice else 1):
                    fire_card(g, t, i, card, side, NONE, 0, key, Zone.SECRET)
                remove_secret(g, side, k)
                announce(g, Event.SECRET_REVEALED, side, card, NONE, NONE, 0)
                return
        k = key - HAND_KEY - 100 * side
        if k >= 0 and k < s.n_hand:
            first, card = np.int64(g.depth), np.int64(s.hand[k].card)
            fire_card(g, t, i, card, side, NONE, 0, key, Zone.HAND)
            for j in range(first, g.depth):
                g.stack[j].card = card
                g.stack[j].place = k
            return
        k = DECK_KEY + 100 * side + DECK - 1 - key
        if k >= 0 and k < s.n_deck:
            fire_card(g, t, i, card_in(s.deck[k]), side, NONE, 0, key, Zone.DECK)
            return


@kernel(VOID(GAME_T, TABLES_T, I8))
def next_listener(g, t, i):
    """Fire the next listener, in order of play, of the event of frame i; drop it after the last."""
    f = g.stack[i]
    if f.cursor == LAST_KEY:  # the only possible listener has fired
        g.depth -= 1
        return
    end = np.int64(LAST_KEY if f.first == 0 else f.first)
    best, who = end, np.int64(NONE)
    bit = np.int64(1) << f.event
    f.left = 0  # counts possible listeners
    for side in range(2):
        s = g.side[side]
        for k in range(s.minions):
            ref = minion_ref(side, s.row[k])
            if may_listen(g, t, ref, bit):
                key = earlier_listener(g, t, i, side, ref, best)
                if key < best:
                    best, who = key, ref
        for slot in range(BOARD if s.dormant > 0 else 0):
            ref = minion_ref(side, slot)
            if t.card[g.char[ref].card].dormant == 1 and may_listen(g, t, ref, bit):
                key = earlier_listener(g, t, i, side, ref, best)
                if key < best:
                    best, who = key, ref
        if g.char[hero_of(side)].extra[0] > 0:
            key = earlier_listener(g, t, i, side, hero_of(side), best)
            if key < best:
                best, who = key, hero_of(side)
        if may_listen_off_board(g, t, side, bit):
            key = next_off_board(g, t, i, side, best)
            if key < best:
                best, who = key, np.int64(NONE)
    if best == end:
        g.depth -= 1
        return
    f.cursor = best if f.left > 1 else LAST_KEY
    if who >= 0:
        for _ in range(times_fired(g, i, side_of(who))):
            fire_minion(g, t, i, side_of(who), who)
    else:
        fire_off_board(g, t, i, best)
