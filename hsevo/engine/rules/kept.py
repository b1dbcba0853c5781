"""Minions that went into a deck with what they had been given: Op.SHUFFLE_KEPT.

Until it is drawn, `later` has a record of such a minion:

    Moment.KEPT        its card
    Moment.KEPT_MORE   attack that it was given, less LEAST; then health
    Moment.KEPT_MORE   keywords; then a label: bits 0-3 a number, bits 4-11 which of its texts are
                       only Deathrattles, and whose; then the texts

The number is 0 while the minion is in the deck; without keywords and texts its record then ends
with the health. Before that, a frame has the number: the minion has died, and its Deathrattle
waits. A card that is drawn has attack, health and keywords with it, and the number of its record
only for its texts (HELD).

Our choices. Attack and health are kept from -63 to +4,031, and four texts at most, each attachment
counted. A list has room for six minions with attack and health, or four with keywords, and less
while it holds other cards; what a full list can't take is lost, and the minion goes into the deck
as printed. A deck has no order, and a record has no place in it: if
a deck has several copies of a card, each of them is as likely to be any of those that were given
something. So look-aheads and worlds deal copies, not records. A text that asks for the attack of a
card in a deck is told the printed one.
"""

from __future__ import annotations

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import (
    BONUS,
    CARD_MASK,
    KEPT,
    KEPT_ATTACK,
    KEPT_HEALTH,
    LEAST,
    OWNER,
    RATTLE_ONLY,
    Moment,
    card_in,
    encode_kept,
    kept_keywords,
    kept_number,
    owner_of,
    pack_keywords,
    side_of,
    times_of,
)
from hsevo.engine.record.state import GAME_T, HELD_T, LATER, NONE, TEXTS, random_below
from hsevo.engine.rules.board import attach_text

NUMBERS, KEPT_TEXTS = 14, 4  # numbers are 1 to 13
NUMBER, ATTACK_AT, HEALTH_AT, KEYWORDS_AT, LABEL_AT, TEXTS_AT = 15, 1, 2, 3, 4, 5
JOINED_MASK = 0xFFFF


@kernel(BOOL(TABLES_T, I8), inline=True)
def keeps_given(t, card):
    """Return whether the Deathrattle of a card shuffles its minion with what it was given."""
    return t.row[t.card[card].deathrattle + 1].op == Op.SHUFFLE_KEPT


@kernel(I8(I8), inline=True)
def kept_attack(entry):
    """Return the attack that the card of an entry, which has left its deck, was given."""
    return ((entry >> KEPT_ATTACK) & CARD_MASK) + LEAST


@kernel(I8(I8), inline=True)
def kept_health(entry):
    """Return the health that the card of an entry, which has left its deck, was given."""
    return (entry >> KEPT_HEALTH) + LEAST


# -- records --------------------------------------------------------------------------------------


@kernel(I8(GAME_T, I8, I8), cold=True)
def end_of_record(g, side, k):
    """Return the place in `later` behind the record that begins at k."""
    s, end = g.side[side], k + 1
    while end < s.n_later and np.int64(s.later[end]) >> BONUS == Moment.KEPT_MORE:
        end += 1
    return end


@kernel(I8(GAME_T, I8, I8), cold=True)
def number_at(g, side, k):
    """Return the number of the record that begins at a place of `later`; NONE: none does."""
    s = g.side[side]
    if np.int64(s.later[k]) >> BONUS != Moment.KEPT:
        return NONE
    if end_of_record(g, side, k) <= k + LABEL_AT:
        return 0
    return np.int64(s.later[k + LABEL_AT]) & NUMBER


@kernel(I8(GAME_T, I8, I8), cold=True)
def find_record(g, side, number):
    """Return where the record of a number, above 0, begins, or NONE."""
    for k in range(g.side[side].n_later if number > 0 else 0):
        if number_at(g, side, k) == number:
            return k
    return NONE


@kernel(VOID(GAME_T, I8, I8, I8), cold=True)
def drop_entries(g, side, k, end):
    """Remove the entries of `later` from k to the one before the end."""
    s, n = g.side[side], np.int64(g.side[side].n_later)
    for j in range(end, n):
        s.later[k + j - end] = s.later[j]
    for j in range(k + n - end, n):
        s.later[j] = 0
    s.n_later = k + n - end


@kernel(VOID(GAME_T, I8, I8), cold=True)
def drop_record(g, side, k):
    """Remove the record that begins at a place of `later`."""
    drop_entries(g, side, k, end_of_record(g, side, k))


@kernel(BOOL(GAME_T, I8, I8), cold=True)
def is_asked_for(g, side, number):
    """Return whether a card in hand, or perhaps a frame, has the number of a record."""
    s = g.side[side]
    for k in range(s.n_hand):
        if kept_number(s.hand[k].joined) == number:
            return True
    for j in range(g.depth):
        if g.stack[j].second == number:
            return True
    return False


@kernel(VOID(GAME_T, I8), cold=True)
def drop_unasked(g, side):
    """Remove the records of cards that have left the hand."""
    for k in range(np.int64(g.side[side].n_later) - 1, -1, -1):
        number = number_at(g, side, k)
        if number > 0 and not is_asked_for(g, side, number):
            drop_record(g, side, k)


@kernel(I8(GAME_T, I8), cold=True)
def free_number(g, side):
    """Return a number that no record has, and nothing asks for; 0: there is none."""
    for number in range(1, NUMBERS):
        if find_record(g, side, number) == NONE and not is_asked_for(g, side, number):
            return number
    return 0


@kernel(I8(GAME_T, I8, I8), cold=True)
def count_records(g, side, card):
    """Return how many minions of a card in a deck keep something."""
    s, n = g.side[side], np.int64(0)
    for k in range(s.n_later):
        n += number_at(g, side, k) == 0 and card_in(np.int64(s.later[k])) == card
    return n


@kernel(I8(GAME_T, I8, I8), cold=True)
def count_copies(g, side, card):
    """Return how many copies of a card are in a deck."""
    s, n = g.side[side], np.int64(0)
    for k in range(s.n_deck):
        n += card_in(np.int64(s.deck[k])) == card
    return n


@kernel(VOID(GAME_T, I8), cold=True)
def drop_missing(g, side):
    """Remove the records of minions that a deck no longer has."""
    for k in range(np.int64(g.side[side].n_later) - 1, -1, -1):
        if number_at(g, side, k) == 0:
            card = card_in(np.int64(g.side[side].later[k]))
            if count_records(g, side, card) > count_copies(g, side, card):
                drop_record(g, side, k)


@kernel(BOOL(GAME_T, I8, I8, I8, I8), cold=True)
def copy_record(g, side, k, other, number):
    """Copy the record at k to a player, with a number; return False if there is no room for it."""
    s, o, end = g.side[side], g.side[other], end_of_record(g, side, k)
    n = np.int64(o.n_later)
    if n + end - k > LATER:
        return False
    for j in range(end - k):
        o.later[n + j] = s.later[k + j]
    if end > k + LABEL_AT:
        o.later[n + LABEL_AT] = (np.int64(o.later[n + LABEL_AT]) & ~NUMBER) | number
    o.n_later = n + end - k
    return True


# -- minions that go into a deck ------------------------------------------------------------------


@kernel(I8(I8), inline=True)
def packed_size(n):
    """Return attack or health that a minion was given as 12 bits."""
    return min(max(n - LEAST, 1), CARD_MASK)


@kernel(I8(GAME_T, I8), cold=True)
def count_texts(g, ref):
    """Return how many texts of a minion are kept."""
    n = np.int64(0)
    for x in range(TEXTS):
        n += times_of(np.int64(g.char[ref].extra[x]))
    return min(n, KEPT_TEXTS)


@kernel(VOID(GAME_T, I8, I8), cold=True)
def add_part(g, side, part):
    """Add a part of a record to `later`, which has room."""
    s = g.side[side]
    s.later[s.n_later] = part + (Moment.KEPT_MORE << BONUS)
    s.n_later += 1


@kernel(VOID(GAME_T, I8, I8, I8), cold=True)
def add_texts(g, side, ref, n):
    """Add the first n texts of a minion to the record that `later` ends with."""
    s, label, flags = g.side[side], np.int64(g.side[side].n_later) - 1, np.int64(0)
    added = np.int64(0)
    for x in range(TEXTS):
        text = np.int64(g.char[ref].extra[x])
        for _ in range(times_of(text)):
            if added < n:
                add_part(g, side, card_in(text))
                rattle = (text // RATTLE_ONLY) & 1
                flags |= (rattle | (owner_of(text) << 1)) << (4 + 2 * added)
                added += 1
    s.later[label] |= flags


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def record_kept(g, t, ref):
    """Record what a minion was given, without auras and what ends with the turn: see above.

    Return the number of the record; 0: it was given nothing, or there is no room.
    """
    side = side_of(ref)
    drop_unasked(g, side)
    c, s, k = g.char[ref], g.side[side], t.card[g.char[ref].card]
    size = np.int64(s.counter[Counter.MINION_SIZE])
    attack = np.int64(c.attack) - c.aura_attack - c.turn_attack - (size if size > 0 else k.attack)
    health = np.int64(c.max_health) - c.aura_health - (size if size > 0 else k.health)
    packed, n = pack_keywords(c.keywords), count_texts(g, ref)
    if attack == 0 and health == 0 and n == 0 and packed == pack_keywords(k.keywords):
        return 0
    number = free_number(g, side)
    if number == 0 or s.n_later + TEXTS_AT + n > LATER:
        return 0
    s.later[s.n_later] = np.int64(c.card) + (Moment.KEPT << BONUS)
    s.n_later += 1
    add_part(g, side, packed_size(attack))
    add_part(g, side, packed_size(health))
    add_part(g, side, packed)
    add_part(g, side, number)
    add_texts(g, side, ref, n)
    return number


@kernel(VOID(GAME_T, I8, I8, BOOL), cold=True)
def settle_kept(g, side, number, there):
    """Note that the minion of a record is in the deck, or remove the record: it isn't there."""
    k = find_record(g, side, number)
    if k == NONE:
        return
    s, end = g.side[side], end_of_record(g, side, k)
    if not there:
        drop_record(g, side, k)
    elif end > k + TEXTS_AT or card_in(np.int64(s.later[k + KEYWORDS_AT])) != 0:
        s.later[k + LABEL_AT] = np.int64(s.later[k + LABEL_AT]) & ~NUMBER
    else:
        drop_entries(g, side, k + KEYWORDS_AT, end)


# -- minions that leave a deck --------------------------------------------------------------------


@kernel(I8(GAME_T, I8, I8), cold=True)
def choose_record(g, side, card):
    """Return where the record of a copy that has just left a deck begins; NONE: it has none."""
    n, copies = count_records(g, side, card), count_copies(g, side, card) + 1
    if n == 0:
        return NONE
    left = random_below(g, copies) if copies > n or n > 1 else np.int64(0)
    for k in range(g.side[side].n_later):
        if number_at(g, side, k) == 0 and card_in(np.int64(g.side[side].later[k])) == card:
            if left == 0:
                return k
            left -= 1
    return NONE


@kernel(I8(GAME_T, I8, I8), cold=True)
def take_kept(g, side, card):
    """Return what a card that has just left a deck keeps, as bits of its entry (codec), or 0."""
    drop_unasked(g, side)
    k = choose_record(g, side, card)
    if k == NONE:
        return 0
    s, number = g.side[side], np.int64(0)
    attack, health = np.int64(s.later[k + ATTACK_AT]), np.int64(s.later[k + HEALTH_AT])
    end, packed = end_of_record(g, side, k), np.int64(0)
    if end > k + KEYWORDS_AT:
        packed = card_in(np.int64(s.later[k + KEYWORDS_AT]))
    if end > k + TEXTS_AT:
        number = free_number(g, side)
        s.later[k + LABEL_AT] |= number
    if number == 0:
        drop_record(g, side, k)
    entry = encode_kept(number, packed) << KEPT
    return entry | card_in(attack) << KEPT_ATTACK | card_in(health) << KEPT_HEALTH


@kernel(VOID(HELD_T, I8), cold=True)
def hold_kept(h, entry):
    """Give a card in hand what the entry that it was in its deck keeps."""
    h.attack += kept_attack(entry)
    h.health += kept_health(entry)
    h.joined = (entry >> KEPT) & JOINED_MASK


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def give_kept(g, t, ref, side, joined):
    """Give a new minion the keywords and texts that `joined` of a player's card says."""
    g.char[ref].keywords |= kept_keywords(joined)
    g.stale = 1
    k = find_record(g, side, kept_number(joined))
    if k == NONE:
        return
    s = g.side[side]
    for j in range(k + TEXTS_AT, end_of_record(g, side, k)):
        flags = np.int64(s.later[k + LABEL_AT]) >> (4 + 2 * (j - k - TEXTS_AT))
        text = card_in(np.int64(s.later[j])) + (flags & 1) * RATTLE_ONLY
        attach_text(g, t, ref, text + (((flags >> 1) & 1) << OWNER))
    drop_unasked(g, side)


@kernel(I8(GAME_T, I8, I8, I8), cold=True)
def copy_kept(g, side, other, joined):
    """Return `joined` of another player's copy of a card; the copy has texts of its own."""
    k, number = find_record(g, side, kept_number(joined)), np.int64(0)
    if k != NONE:
        drop_unasked(g, other)
        number = free_number(g, other)
        if number > 0 and not copy_record(g, side, k, other, number):
            number = np.int64(0)
    return encode_kept(number, joined & CARD_MASK)


@kernel(I8(GAME_T, I8, I8), cold=True)
def bring_kept(g, side, entry):
    """Return the entry of a card that the other player has lost to this one."""
    joined = (entry >> KEPT) & JOINED_MASK
    return entry ^ (joined ^ copy_kept(g, 1 - side, side, joined)) << KEPT


@kernel(I8(GAME_T, I8), cold=True)
def first_in_deck(g, side):
    """Return where the first record of a minion in a deck begins, or NONE."""
    for k in range(g.side[side].n_later):
        if number_at(g, side, k) == 0:
            return k
    return NONE


@kernel(I8(GAME_T, I8), cold=True)
def count_kept(g, side):
    """Return how many minions in a deck have a record."""
    n = np.int64(0)
    for k in range(g.side[side].n_later):
        n += number_at(g, side, k) == 0
    return n


@kernel(VOID(GAME_T), cold=True)
def swap_kept(g):
    """Swap the records of both decks, which have been swapped; what has no room is lost."""
    first, second = count_kept(g, 0), count_kept(g, 1)
    moved = True
    while moved:  # from either side, as there is room on the other; what comes stands last
        moved = first > 0 and copy_record(g, 0, first_in_deck(g, 0), 1, 0)
        if moved:
            drop_record(g, 0, first_in_deck(g, 0))
            first -= 1
        if second > 0 and copy_record(g, 1, first_in_deck(g, 1), 0, 0):
            drop_record(g, 1, first_in_deck(g, 1))
            second -= 1
            moved = True
    for _ in range(first):
        drop_record(g, 0, first_in_deck(g, 0))
    for _ in range(second):
        drop_record(g, 1, first_in_deck(g, 1))


@kernel(VOID(GAME_T, I8), cold=True)
def forget_sizes(g, side):
    """Let the minions in a deck keep neither attack nor health: they get a new size."""
    s = g.side[side]
    for k in range(s.n_later):
        if number_at(g, side, k) == 0:
            for j in range(ATTACK_AT, HEALTH_AT + 1):
                s.later[k + j] = -LEAST + (Moment.KEPT_MORE << BONUS)
