"""Beliefs and worlds: copies of the game in which guesses replace what an agent can't know.

With closed deck lists an agent does not know its opponent's deck. Before it decides, `believe`
replaces all that is hidden from it: a deck list is drawn from those of a database, the cards that
the opponent has shown (evidence.py) are taken from it, and what is left is dealt at random to the
secrets, where it fits, to the hand and to the deck. Then the agent decides as with open lists.

A list is drawn by the weight that a method of guessing.py gives it; where none has any (UNIFORM),
every card that the opponent's class may use is as likely.

What stays as it is: how many cards there are, cards that the agent has seen go where they are, and
changes of cards in hand, which both players see; those of cards in the opponent's deck are left
out. Too many cards: a random part of the list stays. Too few, and cards that texts have made:
each is drawn from all cards that the opponent's class may use.

The sums of weights are kept until the opponent shows another card. They are computed from counts of
cards alone, so that it does not matter in which order cards were shown, and whether they were kept.

Worlds are sampled states of the whole game that agree with what a player sees. A search that plays
on for the opponent needs a hand for it. In a world nothing is hidden, so secrets trigger. `FAIR`:
the opponent's deck is known (as in evidence.deal_unseen), and its hand, deck and secrets are a
uniform deal of the cards that it still holds; The Coin and the number of cards stay where they are.
The cards are sorted before: two positions that look the same to the player get the same worlds.
`LEAKY`: all worlds are the true game, with its deck orders, and another random stream.
"""

from __future__ import annotations

import numpy as np

from hsevo.agents.shared.guessing import BIGRAMS, MATCH, SIZE, UNIFORM
from hsevo.cards.terms import Class, Kind
from hsevo.engine.forecast.outcomes import watch_but_secrets
from hsevo.engine.jit import BOOL, F8, I8, TABLES_T, U8, VOID, kernel, record, records
from hsevo.engine.record.codec import BONUS, card_in
from hsevo.engine.record.state import (
    GAME_T,
    LEAKY,
    NONE,
    OPENING,
    SHOWN,
    copy_game,
    mix,
    random_below,
)
from hsevo.engine.rules.auras import add_secret_listeners
from hsevo.engine.rules.board import order_secrets
from hsevo.engine.rules.evidence import DRAWN, MADE
from hsevo.engine.rules.zones import find_deck_listeners, find_hand_listeners

CLASSES, LEGAL, LEGAL_SECRETS = max(Class) + 1, 1000, 64
ALL_BITS = 2**31 - 1
_11 = np.uint64(11)

# A deck list of a database. The rows of a class lie together.
LISTED = np.dtype(
    [
        ("cards", "u2", (SIZE,)),  # table indices, ascending
        ("weight", "f8"),
        ("hits", "i8", (2,)),  # cards that player 0 or 1 has shown, and it has
        ("twice", "i8", (2,)),  # kinds of card among them that it has two of
        ("total", "f8", (2,)),  # weight of the rows of the class up to this one, given those cards
    ],
    align=True,
)
BELIEF = np.dtype(
    [
        ("method", "i8"),
        ("first", "i8", (CLASSES + 1,)),  # the rows of class k: first[k] to first[k + 1]
        ("hit", "f8", (SIZE + 1,)),  # the likelihood of that many hits
        ("miss", "f8", (CLASSES, SHOWN + 1)),  # and of that many other cards
        ("n_legal", "i8", (CLASSES,)),
        ("legal", "u2", (CLASSES, LEGAL)),  # what a class may use
        ("n_secrets", "i8", (CLASSES,)),
        ("secrets", "u2", (CLASSES, LEGAL_SECRETS)),  # those among them; class 0: of all classes
        # of each player, what `hits`, `twice` and `total` are of:
        ("cls", "i8", (2,)),
        ("n", "i8", (2,)),
        ("shown", "u2", (2, SHOWN)),
    ],
    align=True,
)
LISTS_T, LISTED_T, BELIEF_T = records(LISTED), record(LISTED), record(BELIEF)
BELIEFS_T = records(BELIEF)


# -- the probability of each list -----------------------------------------------------------------


@kernel(BOOL(LISTED_T, I8, I8))
def has(row, card, copies):
    """Return whether a list has so many copies of a card, by binary search."""
    low, high = 0, SIZE
    while low < high:
        middle = (low + high) >> 1
        if row.cards[middle] < card:
            low = middle + 1
        else:
            high = middle
    return low + copies <= SIZE and row.cards[low + copies - 1] == card


@kernel(VOID(GAME_T, LISTS_T, BELIEF_T, I8, I8))
def count_hits(g, lists, b, side, k):
    """Count the k-th card that a player has shown in the lists of its class that have it."""
    e, cls = g.evidence[side], np.int64(g.side[side].cls)
    card, copies = np.int64(e.shown[k]), 1
    for j in range(k):
        copies += e.shown[j] == card
    for i in range(b.first[cls], b.first[cls + 1]):
        if has(lists[i], card, copies):
            lists[i].hits[side] += 1
            lists[i].twice[side] += copies == 1 and has(lists[i], card, 2)
    b.shown[side, k] = card


@kernel(I8(GAME_T, BELIEF_T, I8))
def cards_counted(g, b, side):
    """Return how many cards that a player has shown are counted in the lists, in this order."""
    e, n = g.evidence[side], np.int64(b.n[side])
    if b.cls[side] != g.side[side].cls or n > e.n_shown:
        return NONE
    for k in range(n):
        if b.shown[side, k] != e.shown[k]:
            return NONE
    return n


@kernel(F8(LISTED_T, BELIEF_T, I8, I8, I8, I8), inline=True)
def weight_of(row, b, side, cls, n, most):
    """Return the weight of a list, given n cards that a player has shown; most: the best hits."""
    hits = np.int64(row.hits[side])
    if b.method == MATCH:
        return row.weight if hits == most else 0.0
    if b.method == BIGRAMS:
        return row.weight * (hits if n > 0 else 1)
    return row.weight * (1 << row.twice[side]) * b.hit[hits] * b.miss[cls, n - hits]


@kernel(VOID(GAME_T, LISTS_T, BELIEF_T, I8))
def add_weights(g, lists, b, side):
    """Sum the weights of the lists of a player's class."""
    cls, n = np.int64(g.side[side].cls), np.int64(g.evidence[side].n_shown)
    most, total = np.int64(0), 0.0
    for i in range(b.first[cls], b.first[cls + 1]):
        most = max(most, np.int64(lists[i].hits[side]))
    for i in range(b.first[cls], b.first[cls + 1]):
        total += weight_of(lists[i], b, side, cls, n, most)
        lists[i].total[side] = total


@kernel(VOID(GAME_T, LISTS_T, BELIEF_T, I8))
def update(g, lists, b, side):
    """Update the sums of weights to the cards that a player has shown so far."""
    cls, n = np.int64(g.side[side].cls), np.int64(g.evidence[side].n_shown)
    counted = cards_counted(g, b, side)
    if counted == n:
        return
    if counted < 0:
        counted = 0
        for i in range(b.first[cls], b.first[cls + 1]):
            lists[i].hits[side] = 0
            lists[i].twice[side] = 0
    for k in range(counted, n):
        count_hits(g, lists, b, side, k)
    add_weights(g, lists, b, side)
    b.cls[side] = cls
    b.n[side] = n


@kernel(I8(GAME_T, LISTS_T, BELIEF_T, I8))
def draw_list(g, lists, b, side):
    """Draw a list for a player, and return its row; NONE if nothing is known of its deck."""
    cls = np.int64(g.side[side].cls)
    low, high = np.int64(b.first[cls]), np.int64(b.first[cls + 1]) - 1
    if b.method == UNIFORM or low > high or g.evidence[side].remade == 1:
        return NONE
    update(g, lists, b, side)
    bits = np.int64(mix(g.rng) >> _11)
    random_below(g, 1)
    drawn = bits * 2.0**-53 * lists[high].total[side]
    if lists[high].total[side] == 0:
        return NONE
    while low < high:
        middle = (low + high) >> 1
        if lists[middle].total[side] <= drawn:
            low = middle + 1
        else:
            high = middle
    return low


# -- dealing it -----------------------------------------------------------------------------------
# The cards still to be dealt are the first n of `moves`: scratch, as nobody has listed moves.


@kernel(I8(GAME_T, LISTS_T, BELIEF_T, I8))
def take_list(g, lists, b, side):
    """Put a list without what was shown of it among the cards to deal; return how many."""
    row, n, e = draw_list(g, lists, b, side), np.int64(0), g.evidence[side]
    if row < 0:
        return n
    for k in range(SIZE):
        g.moves[k] = lists[row].cards[k]
    n = SIZE
    for k in range(e.n_shown):
        for j in range(n):
            if g.moves[j] == e.shown[k]:
                n -= 1
                g.moves[j] = g.moves[n]
                break
    return n


@kernel(I8(GAME_T, BELIEF_T, I8))
def any_card(g, b, side):
    """Return a uniform card that a player's class may use."""
    cls = np.int64(g.side[side].cls)
    return np.int64(b.legal[cls, random_below(g, b.n_legal[cls])])


@kernel(BOOL(GAME_T, I8, I8, I8))
def is_laid(g, side, i, card):
    """Return whether a secret is among a player's first i, or known to be a later one."""
    e, s = g.evidence[side], g.side[side]
    for k in range(s.n_secrets):
        if (k < i and s.secret[k].card == card) or e.secret[k] == card:
            return True
    return False


@kernel(I8(GAME_T, BELIEF_T, I8, I8, I8))
def any_secret(g, b, side, i, cls):
    """Return a uniform secret of a class (0: of all) for a player's i-th, or 0."""
    count, chosen = np.int64(0), np.int64(0)
    for k in range(b.n_secrets[cls]):
        if not is_laid(g, side, i, b.secrets[cls, k]):
            count += 1
            if random_below(g, count) == 0:
                chosen = np.int64(b.secrets[cls, k])
    return chosen


@kernel(I8(GAME_T, TABLES_T, BELIEF_T, I8, I8, I8))
def deal_guessed_secret(g, t, b, side, i, n):
    """Deal a player's i-th secret from the first n cards that fit; return how many are left."""
    s, count, chosen = g.side[side], np.int64(0), np.int64(NONE)
    for k in range(n):
        if t.card[g.moves[k]].secret == 1 and not is_laid(g, side, i, g.moves[k]):
            count += 1
            if random_below(g, count) == 0:
                chosen = k
    if chosen >= 0:
        s.secret[i].card = g.moves[chosen]
        g.moves[chosen] = g.moves[n - 1]
        return n - 1
    card = any_secret(g, b, side, i, s.cls)
    s.secret[i].card = card if card > 0 else any_secret(g, b, side, i, Class.NEUTRAL)
    return n


@kernel(I8(GAME_T, TABLES_T, BELIEF_T, I8, I8))
def deal_guessed_secrets(g, t, b, side, n):
    """Deal a player's secrets from the first n cards; return how many are left."""
    e, s = g.evidence[side], g.side[side]
    for i in range(s.n_secrets):
        origin = np.int64(e.secret[i])
        if origin == DRAWN:
            n = deal_guessed_secret(g, t, b, side, i, n)
        elif origin == MADE:
            n = deal_guessed_secret(g, t, b, side, i, 0) + n
        else:
            s.secret[i].card = origin
    return n


@kernel(VOID(GAME_T, BELIEF_T, I8, I8, I8))
def fit(g, b, side, n, room):
    """Make the cards to deal, n so far, `room`: those known to be inside are among them."""
    e = g.evidence[side]
    while n > max(room - e.n_inside, 0):
        n -= 1
        g.moves[random_below(g, n + 1)] = g.moves[n]
    for k in range(min(np.int64(e.n_inside), room)):
        g.moves[n] = e.inside[k]
        n += 1
    for k in range(n, room):
        g.moves[k] = any_card(g, b, side)


@kernel(I8(GAME_T, I8))
def deal_next(g, n):
    """Take a random one of the first n cards to deal; the rest become the first n - 1."""
    k = random_below(g, n)
    card = np.int64(g.moves[k])
    g.moves[k] = g.moves[n - 1]
    return card


@kernel(VOID(GAME_T, TABLES_T, LISTS_T, BELIEF_T, I8))
def deal_guess(g, t, lists, b, side):
    """Replace a player's secrets, hand and deck by those of a list that is guessed."""
    e, s = g.evidence[side], g.side[side]
    n = deal_guessed_secrets(g, t, b, side, take_list(g, lists, b, side))
    order_secrets(g, t, side)
    left = np.int64(s.n_deck)
    for k in range(s.n_hand):
        left += e.hand[k] == DRAWN
    fit(g, b, side, n, left)
    for k in range(s.n_hand):
        if e.hand[k] == DRAWN:
            s.hand[k].card = deal_next(g, left)
            left -= 1
        else:
            s.hand[k].card = any_card(g, b, side) if e.hand[k] == MADE else e.hand[k]
    for k in range(s.n_deck):
        s.deck[k] = deal_next(g, left - k)
    s.unseen = 0
    s.priced = 0
    s.leveled = 0
    s.shifting = 0
    s.reflecting = 0
    if s.opening[0] > 0:
        deal_opening(g, side)


@kernel(VOID(GAME_T, I8), cold=True)
def deal_opening(g, side):
    """Let the hand that a player began with, which is hidden, be cards that it holds."""
    s = g.side[side]
    n = np.int64(s.n_hand + s.n_deck)
    for k in range(OPENING):
        if s.opening[k] > 0 and n > 0:
            s.opening[k] = card_at(g, side, s.n_secrets + random_below(g, n))


@kernel(VOID(GAME_T, BELIEF_T, I8))
def deal_unknown(g, b, side):
    """Replace the cards of a player's deck that nobody has seen go in."""
    s = g.side[side]
    for k in range(s.n_deck):
        if (s.unseen >> k) & 1 == 1:
            s.deck[k] = any_card(g, b, side)


@kernel(VOID(GAME_T, TABLES_T))
def find_listeners(g, t):
    """Find out again what may listen to which events."""
    for side in range(2):
        find_deck_listeners(g, t, side)
        find_hand_listeners(g, t, side)
    g.watch = ALL_BITS
    g.watch = watch_but_secrets(g, t)
    add_secret_listeners(g, t, 0)
    add_secret_listeners(g, t, 1)


@kernel(VOID(GAME_T, TABLES_T, LISTS_T, BELIEF_T, U8))
def believe(g, t, lists, b, seed):
    """Replace all that the player to move can't know in a game by what it guesses from a seed."""
    g.rng = seed
    deal_guess(g, t, lists, b, 1 - np.int64(g.me))
    deal_unknown(g, b, g.me)
    find_listeners(g, t)


@kernel(I8(GAME_T, I8, I8))
def card_at(g, side, k):
    """Return the k-th card that a player holds: secrets, then hand, then deck."""
    s = g.side[side]
    hand = k - s.n_secrets
    if hand < 0:
        return s.secret[k].card
    if hand < s.n_hand:
        return s.hand[hand].card
    return card_in(s.deck[hand - s.n_hand])


@kernel(VOID(GAME_T, I8, I8, I8))
def put_at(g, side, k, card):
    """Set the k-th card that a player holds; changes to a card stay with its place.

    In the game both players see which cards in a hand are changed, but not which cards these are.
    """
    s = g.side[side]
    hand = k - s.n_secrets
    if hand < 0:
        s.secret[k].card = card
    elif hand < s.n_hand:
        s.hand[hand].card = card
    else:
        entry = np.int64(s.deck[hand - s.n_hand])
        s.deck[hand - s.n_hand] = entry - card_in(entry) + card


@kernel(VOID(GAME_T, I8, I8, I8))
def swap(g, side, i, j):
    """Swap the i-th and j-th card that a player holds."""
    card = card_at(g, side, i)
    put_at(g, side, i, card_at(g, side, j))
    put_at(g, side, j, card)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def order_cards(g, t, side, first):
    """Sort the cards that a player holds, from index `first` on, except The Coin."""
    s = g.side[side]
    n = s.n_secrets + s.n_hand + s.n_deck
    for i in range(first, n):
        lowest = i
        for j in range(i + 1, n):
            if card_at(g, side, j) != t.coin and card_at(g, side, j) < card_at(g, side, lowest):
                lowest = j
        if card_at(g, side, i) != t.coin:
            swap(g, side, i, lowest)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def deal_secret(g, t, side, i):
    """Draw a player's i-th secret uniformly from those it holds, unlike the ones before."""
    s = g.side[side]
    count, chosen = np.int64(0), i
    for j in range(i, s.n_secrets + s.n_hand + s.n_deck):
        card = card_at(g, side, j)
        fits = t.card[card].secret == 1
        for k in range(i):
            fits = fits and s.secret[k].card != card
        if fits:
            count += 1
            if random_below(g, count) == 0:
                chosen = j
    swap(g, side, i, chosen)
    g.watch |= t.card[s.secret[i].card].watch


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def can_change(g, t, side, k):
    """Return whether (1 or 0) the k-th card of a deck is a minion or weapon without changes."""
    entry = np.int64(g.side[side].deck[k])
    kind = t.card[card_in(entry)].kind
    return entry == card_in(entry) and (kind == Kind.MINION or kind == Kind.WEAPON)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def change_one(g, t, side, change):
    """Give a change to a random card of a deck that has none."""
    s, fit = g.side[side], np.int64(0)
    for k in range(s.n_deck):
        fit += can_change(g, t, side, k)
    left = random_below(g, max(fit, 1))
    for k in range(s.n_deck):
        if can_change(g, t, side, k) == 1:
            if left == 0:
                s.deck[k] += change << BONUS
                return
            left -= 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def deal_changes(g, t, side):
    """Deal the changes of cards in a deck, each to a random minion or weapon there."""
    s, any_change = g.side[side], np.int64(0)
    for k in range(s.n_deck):
        any_change |= np.int64(s.deck[k]) >> BONUS
    if any_change == 0:
        return
    times = g.moves  # how often each change is there: scratch, as nobody has listed moves
    for change in range(1 << 16 - BONUS):
        times[change] = 0
    for k in range(s.n_deck):
        times[np.int64(s.deck[k]) >> BONUS] += 1
        s.deck[k] = card_in(s.deck[k])
    for change in range(1, 1 << 16 - BONUS):
        for _ in range(times[change]):
            change_one(g, t, side, change)


@kernel(VOID(GAME_T, TABLES_T, I8))
def deal_hidden(g, t, side):
    """Deal a player's secrets and hand uniformly from all cards that it holds."""
    s = g.side[side]
    secrets, n = np.int64(s.n_secrets), np.int64(s.n_secrets + s.n_hand + s.n_deck)
    for i in range(secrets):
        deal_secret(g, t, side, i)
    order_secrets(g, t, side)
    for i in range(secrets, secrets + s.n_hand):
        if card_at(g, side, i) != t.coin:
            j = i + random_below(g, n - i)
            while card_at(g, side, j) == t.coin:
                j = i + random_below(g, n - i)
            swap(g, side, i, j)
    deal_changes(g, t, side)
    if s.opening[0] > 0:
        deal_opening(g, side)
    find_deck_listeners(g, t, side)
    find_hand_listeners(g, t, side)


@kernel(VOID(GAME_T, GAME_T, TABLES_T, I8))
def copy_visible_world(g, h, t, sight):
    """Copy game g to h, and remove what the player to move can't know."""
    copy_game(g, h)
    h.sight = LEAKY  # nothing is hidden in a world
    add_secret_listeners(h, t, 0)  # a fair look-ahead did not
    add_secret_listeners(h, t, 1)
    if sight != LEAKY:
        me = np.int64(g.me)
        h.ordered = 0
        order_cards(h, t, 1 - me, 0)
        order_cards(h, t, me, np.int64(g.side[me].n_secrets) + g.side[me].n_hand)


@kernel(VOID(GAME_T, GAME_T, TABLES_T, U8, I8, I8))
def determinize(g, h, t, seed, side, sight):
    """Copy world g to h with its own random stream, and deal the hidden cards of `side`."""
    copy_game(g, h)
    h.rng = seed
    h.lookahead_rng = mix(seed)
    if sight != LEAKY:
        deal_hidden(h, t, side)
