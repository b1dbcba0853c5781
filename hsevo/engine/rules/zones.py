"""Hands and decks: cards that enter, change and leave them."""

import numpy as np

from hsevo.cards.terms import Counter, Event, Kind
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import (
    BONUS,
    FREE,
    KEPT,
    LEVELED,
    PRICED,
    bonus_of,
    card_in,
    cheaper_of,
    encode_text,
    hero_of,
    is_kept,
    is_leveled,
    joined_card,
)
from hsevo.engine.record.state import (
    DECK,
    GAME_T,
    HAND,
    HELD_T,
    LATER,
    MARKS,
    NONE,
    NOTED,
    announce,
    hides_hand,
    push,
    random_below,
)
from hsevo.engine.rules.board import attach_text, buff, summon
from hsevo.engine.rules.evidence import (
    DRAWN,
    MADE,
    add_inside,
    deal_unseen,
    draws_are_seen,
    note_left,
    note_shown,
)
from hsevo.engine.rules.health import deal_damage
from hsevo.engine.rules.kept import (
    JOINED_MASK,
    drop_missing,
    give_kept,
    hold_kept,
    kept_attack,
    kept_health,
    take_kept,
)
from hsevo.engine.rules.select import pick_from


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def add_deck_listener(g, t, side, card):
    """Register a card in a deck that listens to events."""
    s = g.side[side]
    s.deck_watch |= t.card[card].deck_watch
    s.deck_watcher = card if s.deck_watcher == 0 or s.deck_watcher == card else NONE


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def find_deck_listeners(g, t, side):
    """Find the events that the cards of a deck listen to."""
    s = g.side[side]
    s.deck_watch = 0
    s.deck_watcher = 0
    for i in range(s.n_deck):
        if t.card[card_in(s.deck[i])].deck_watch != 0:
            add_deck_listener(g, t, side, card_in(s.deck[i]))
    g.watch |= s.deck_watch
    if t.keeps_given == 1 and s.n_later > 0:
        drop_missing(g, side)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def find_hand_listeners(g, t, side):
    """Find the events that the cards of a hand listen to."""
    s = g.side[side]
    s.hand_watch = 0
    for i in range(s.n_hand):
        k = t.card[s.hand[i].card]
        s.hand_watch |= k.hand_watch
        s.shifting |= np.int64(k.shifts) << i
    g.watch |= s.hand_watch


@kernel(I8(GAME_T, I8, I8, I8), cold=True)
def closed(g, side, bits, i):
    """Return a deck's bits without that of the i-th card, which has left the deck."""
    s, below = g.side[side], (1 << i) - 1
    if g.ordered == 1:
        return (bits & below) | (bits >> (i + 1) << i)
    last = (bits >> s.n_deck) & 1
    return (bits & ~(1 << i) | (last << i)) & ((1 << s.n_deck) - 1)


@kernel(I8(I8, I8), cold=True)
def opened(bits, i):
    """Return a deck's bits with 0 for a card that has become its i-th."""
    below = (1 << i) - 1
    return (bits & below) | ((bits & ~below) << 1)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def remove_from_deck(g, t, side, i):
    """Take the i-th entry out of a deck and return it; an ordered deck keeps its order."""
    s = g.side[side]
    entry = np.int64(s.deck[i])
    s.n_deck -= 1
    if g.ordered == 1:
        for k in range(i, s.n_deck):
            s.deck[k] = s.deck[k + 1]
    else:
        s.deck[i] = s.deck[s.n_deck]
    if s.unseen != 0:
        s.unseen = closed(g, side, s.unseen, i)
    if s.free != 0:
        entry |= ((np.int64(s.free) >> i) & 1) << FREE
        s.free = closed(g, side, s.free, i)
    if s.priced != 0:
        entry |= ((np.int64(s.priced) >> i) & 1) << PRICED
        s.priced = closed(g, side, s.priced, i)
    if s.leveled != 0:
        entry |= ((np.int64(s.leveled) >> i) & 1) << LEVELED
        s.leveled = closed(g, side, s.leveled, i)
    if t.keeps_given == 1 and s.n_later > 0:
        entry |= take_kept(g, side, card_in(entry))
    if t.card[card_in(entry)].deck_watch != 0:
        find_deck_listeners(g, t, side)
    return entry


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def put_into_deck(g, t, side, card, i):
    """Put a card into a deck that has room, as its i-th if the deck has an order."""
    s = g.side[side]
    s.deck[s.n_deck] = card
    s.n_deck += 1
    if g.ordered == 1:
        for k in range(s.n_deck - 1, i, -1):
            s.deck[k] = s.deck[k - 1]
        s.deck[i] = card
        if s.unseen != 0:
            s.unseen = opened(s.unseen, i)
        if s.free != 0:
            s.free = opened(s.free, i)
        if s.priced != 0:
            s.priced = opened(s.priced, i)
        if s.leveled != 0:
            s.leveled = opened(s.leveled, i)
    if t.card[card].deck_watch != 0:
        add_deck_listener(g, t, side, card)
        g.watch |= s.deck_watch


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def place_in_deck(g, t, side, card):
    """Put a card in a random place of a deck and return it; if the deck is full, it is lost: NONE.
    """
    n = np.int64(g.side[side].n_deck)
    if n >= DECK:
        return NONE
    place = random_below(g, n + 1) if g.ordered == 1 else n
    put_into_deck(g, t, side, card, place)
    return place


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def shuffle_into_deck(g, t, side, card):
    """Shuffle a card into a deck and return its place; if the deck is full, it is lost: NONE.

    The player whose text does so is that of the frame on top.
    """
    place = place_in_deck(g, t, side, card)
    if place >= 0 and g.depth > 0:
        player = np.int64(g.stack[np.int64(g.depth) - 1].side)
        announce(g, Event.SHUFFLED, player, card, NONE, NONE, side)
    return place


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def shuffle_openly(g, t, side, card):
    """Shuffle a card that both players see into a deck and return its place, NONE if it is lost."""
    place = shuffle_into_deck(g, t, side, card)
    if place >= 0 and g.sight == NOTED:
        add_inside(g, side, card)
    return place


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def mimic(g, t, side, i):
    """Turn the i-th card of a hand into the minion played last; cost, attack and health stay."""
    h, card = g.side[side].hand[i], np.int64(g.side[side].counter[Counter.LAST_MINION])
    if card == 0:
        return
    old, new = t.card[h.card], t.card[card]
    h.cost += old.cost - new.cost
    h.attack += old.attack - new.attack
    h.health += old.health - new.health
    h.card = card
    find_hand_listeners(g, t, side)


@kernel(I8(TABLES_T, I8), inline=True)
def leveled_by(t, card):
    """Return how much attack a card gains where its attack is set to its health: only a minion."""
    k = t.card[card]
    return np.int64(k.health) - k.attack if k.kind == Kind.MINION else np.int64(0)


@kernel(VOID(TABLES_T, HELD_T, I8), cold=True)
def change_drawn(t, h, entry):
    """Give a card in hand what the marks of an entry that has left its deck say."""
    cost, marks = np.int64(t.card[h.card].cost), entry >> FREE
    if (marks & 3) != 0:
        h.cost = -cost if (marks & 3) == 1 else 1 - cost
    if is_leveled(entry):
        h.attack += leveled_by(t, h.card)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8))
def add_to_hand(g, t, side, entry):
    """Add a card, or an entry of a deck, to a hand; return False if a full hand loses it."""
    s = g.side[side]
    if s.n_hand >= HAND:
        return False
    h, k = s.hand[s.n_hand], t.card[card_in(entry)]
    h.card = card_in(entry)
    h.cost = -cheaper_of(entry)
    h.attack = bonus_of(entry)
    if t.late == 1 and entry >> FREE != 0:
        change_drawn(t, h, entry)
    h.health = bonus_of(entry) if k.kind == Kind.MINION else 0
    h.joined = k.mimics
    if t.keeps_given == 1 and entry >> KEPT != 0:
        hold_kept(h, entry)
    if k.becomes > 0 and g.turn > 0:  # before the first turn, cards can still be thrown back
        h.card = pick_from(g, t, side, k.becomes)
    s.n_hand += 1
    s.shifting |= np.int64(k.shifts) << (np.int64(s.n_hand) - 1)
    if k.hand_watch != 0:
        s.hand_watch |= k.hand_watch
        g.watch |= k.hand_watch
    if t.quests == 1:
        s.made |= 1 << (np.int64(s.n_hand) - 1)
    g.stale |= g.counts_hands
    if k.mimics != 0:
        mimic(g, t, side, np.int64(s.n_hand) - 1)
    if g.sight == NOTED:
        g.evidence[side].hand[s.n_hand - 1] = MADE
    return True


@kernel(BOOL(GAME_T, TABLES_T, I8, I8))
def add_openly(g, t, side, card):
    """Add a card that both players see to a hand; return False if a full hand loses it."""
    if not add_to_hand(g, t, side, card):
        return False
    if g.sight == NOTED:
        known = t.card[card].becomes == 0
        g.evidence[side].hand[g.side[side].n_hand - 1] = card if known else MADE
    return True


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def add_copy(g, t, side, card, small):
    """Add a card that both players see to a hand; if small, as an n/n that costs n."""
    if add_openly(g, t, side, card) and small > 0:
        h, k = g.side[side].hand[g.side[side].n_hand - 1], t.card[card]
        h.cost, h.attack, h.health = small - k.cost, small - k.attack, small - k.health


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def copy_in_hand(g, t, side, k):
    """Add a copy of the k-th card of a hand, with its changes, to that hand."""
    s = g.side[side]
    if add_to_hand(g, t, side, s.hand[k].card):
        s.hand[s.n_hand - 1] = s.hand[k]
        s.gifted |= ((np.int64(s.gifted) >> k) & 1) << (np.int64(s.n_hand) - 1)


@kernel(I8(GAME_T, I8, I8), inline=True)
def gift_of(g, side, i):
    """Return the card whose text the i-th card of a hand was given, or 0."""
    s = g.side[side]
    return np.int64(s.gift) * ((np.int64(s.gifted) >> i) & 1)


@kernel(I8(I8, I8))
def without_bit(bits, i):
    """Return bits without the i-th: those above it move down."""
    return (bits & ((1 << i) - 1)) | ((bits >> (i + 1)) << i)


@kernel(VOID(GAME_T, I8, I8), cold=True)
def close_marks(g, side, i):
    """Move the marks of the cards behind the i-th, which leaves a hand."""
    s = g.side[side]
    marks = np.int64(s.shifting)
    for first in range(0, 3 * MARKS, MARKS):
        kind = (marks >> first) & ((1 << MARKS) - 1)
        marks ^= (kind ^ without_bit(kind, i)) << first
    s.shifting = marks


@kernel(I8(GAME_T, I8, I8), inline=True)
def remove_from_hand(g, side, i):
    """Take the i-th card out of a hand and return it."""
    s = g.side[side]
    card = np.int64(s.hand[i].card)
    if g.sight == NOTED:
        note_left(g, side, i)
    for k in range(i, s.n_hand - 1):
        s.hand[k] = s.hand[k + 1]
    s.n_hand -= 1
    g.stale |= g.counts_hands
    if (s.shifting | s.reflecting | s.made | s.gifted) != 0:
        s.reflecting = without_bit(s.reflecting, i)
        s.made = without_bit(s.made, i)
        s.gifted = without_bit(s.gifted, i)
        close_marks(g, side, i)
    return card


@kernel(VOID(GAME_T, TABLES_T), cold=True)
def settle_hands(g, t):
    """As the game begins, turn the cards in hands that become others into these."""
    for side in range(2):
        for i in range(g.side[side].n_hand):
            h = g.side[side].hand[i]
            if t.card[h.card].becomes > 0:
                h.card = pick_from(g, t, side, t.card[h.card].becomes)
        find_hand_listeners(g, t, side)


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def summon_from_hand(g, t, side, i, place):
    """Summon the i-th card of a hand, with its changes; return its ref, NONE on a full board."""
    h = g.side[side].hand[i]
    attack, health, joined = np.int64(h.attack), np.int64(h.health), np.int64(h.joined)
    attack, health = np.int64(h.attack), np.int64(h.health)
    gift = gift_of(g, side, i)
    ref = summon(g, t, side, h.card, place)
    if ref >= 0:
        remove_from_hand(g, side, i)
        buff(g, t, ref, attack, health)
        g.char[ref].keywords |= t.card[joined_card(joined)].keywords
        if gift > 0:
            attach_text(g, t, ref, encode_text(gift, side))
        if t.keeps_given == 1 and is_kept(joined):
            give_kept(g, t, ref, side, joined)
    return ref


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def summon_from_deck(g, t, side, i, place):
    """Summon the i-th card of a deck, with its changes; return its ref, NONE on a full board."""
    bonus = bonus_of(g.side[side].deck[i])
    ref = summon(g, t, side, card_in(g.side[side].deck[i]), place)
    if ref >= 0:
        entry = remove_from_deck(g, t, side, i)
        if g.sight == NOTED:
            note_shown(g, side, card_in(entry), DRAWN)
        more = leveled_by(t, card_in(entry)) if is_leveled(entry) else np.int64(0)
        buff(g, t, ref, bonus + more, bonus)
        if t.keeps_given == 1 and entry >> KEPT != 0:
            buff(g, t, ref, kept_attack(entry), kept_health(entry))
            give_kept(g, t, ref, side, (entry >> KEPT) & JOINED_MASK)
    return ref


@kernel(VOID(GAME_T, I8, I8, I8), cold=True)
def note_card(g, side, card, moment):
    """Remember a card of a player; on a full list, in the place of another one of that moment."""
    s, n, place = g.side[side], np.int64(0), np.int64(NONE)
    if s.n_later < LATER:
        place = np.int64(s.n_later)
        s.n_later += 1
    else:
        for k in range(LATER):
            if np.int64(s.later[k]) >> BONUS == moment:
                n += 1
                if random_below(g, n) == 0:  # each with equal probability
                    place = np.int64(k)
    if place >= 0:
        s.later[place] = card + (moment << BONUS)


@kernel(VOID(GAME_T, I8, I8, I8, I8), cold=True)
def push_card_text(g, side, card, pc, place):
    """Put a text of a card in hand, at a place or NONE, on the stack."""
    frame = g.stack[push(g)]
    frame.pc = pc
    frame.side = side
    frame.card = card
    frame.place = place


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def draw_from(g, t, side, i):
    """Draw the i-th card of a deck and return it; a full hand burns it."""
    entry = remove_from_deck(g, t, side, i)
    card = card_in(entry)
    if add_to_hand(g, t, side, entry):
        place = np.int64(g.side[side].n_hand) - 1
        # our choice: what texts shuffle into a deck counts as made only if it is a token
        g.side[side].made &= ~(np.int64(t.card[card].collectible) << place)
        if g.sight == NOTED:
            g.evidence[side].hand[place] = DRAWN
        announce(g, Event.DRAWN, side, card, NONE, NONE, place)
        if t.card[card].drawn > 0:
            push_card_text(g, side, card, t.card[card].drawn, place)
    elif g.sight == NOTED:
        note_shown(g, side, card, DRAWN)
    return card


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def draw_copy(g, t, side, card):
    """Draw a copy of a card that a deck has, if it has one."""
    s = g.side[side]
    for k in range(s.n_deck - 1, -1, -1):
        if card_in(s.deck[k]) == card:
            draw_from(g, t, side, k)
            return


@kernel(I8(GAME_T, TABLES_T, I8))
def draw_card(g, t, side):
    """Draw a card and return it; a full hand burns it. With an empty deck, take fatigue damage,
    unless the rules have none.

    0: no card was drawn.
    """
    s, undrawn = g.side[side], np.int64(g.undrawn[side])
    if undrawn > 0 and undrawn <= s.n_deck:  # a look-ahead that draws no cards
        g.undrawn[side] = undrawn + 1
        return 0
    if s.n_deck == 0 or undrawn > 0:
        if t.fatigue == 1:
            s.fatigue += 1
            deal_damage(g, t, hero_of(side), s.fatigue, NONE)
        return 0
    if side != g.me and hides_hand(g) and draws_are_seen(g, t, side):
        deal_unseen(g, side)
    last = np.int64(s.n_deck) - 1
    return draw_from(g, t, side, last if g.ordered == 1 else random_below(g, s.n_deck))
