"""The beginning of a game: decks, starting hands, mulligan, The Coin."""

import numpy as np

from hsevo.engine.jit import BOOL, I8, TABLES_T, U8, VOID, kernel, record
from hsevo.engine.operations.turn import begin_end_of_turn
from hsevo.engine.record.codec import card_in, hero_of
from hsevo.engine.record.state import (
    DECK,
    GAME_T,
    HERO_HEALTH,
    NONE,
    OPENING,
    Phase,
    mix,
    push,
    random_below,
)
from hsevo.engine.rules.zones import (
    add_openly,
    draw_card,
    draw_from,
    find_deck_listeners,
    settle_hands,
    shuffle_into_deck,
)

# A deck for the kernels: the class, and table indices of the cards.
DECKLIST = np.dtype([("cls", "i2"), ("n", "i2"), ("cards", "i2", (DECK,))])
DECKLIST_T = record(DECKLIST)
LOOKAHEAD_SALT = np.uint64(0xD1B54A32D192ED03)  # any odd constant: separates the two streams


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def push_text_at_start(g, t, side, card):
    """Put what a card does when the game begins on the stack."""
    if t.card[card].at_start > 0:
        frame = g.stack[push(g)]
        frame.pc = t.card[card].at_start
        frame.side = side
        frame.card = card


@kernel(VOID(GAME_T, TABLES_T, I8))
def push_texts_at_start(g, t, side):
    """Put what a player's cards do when the game begins on the stack: after the mulligan."""
    s = g.side[side]
    for k in range(s.n_hand):
        push_text_at_start(g, t, side, s.hand[k].card)
    for k in range(s.n_deck):
        push_text_at_start(g, t, side, card_in(s.deck[k]))


@kernel(VOID(GAME_T, I8), cold=True)
def note_opening(g, side):
    """Note the hand that a player begins with, after the mulligan and without The Coin."""
    s = g.side[side]
    for k in range(min(np.int64(s.n_hand), OPENING)):
        s.opening[k] = s.hand[k].card


@kernel(VOID(GAME_T, TABLES_T))
def start(g, t):
    """Give the second player The Coin and put the first turn on the stack."""
    g.me = 1 - g.first
    if t.asks_opening == 1:
        note_opening(g, 0)
        note_opening(g, 1)
    add_openly(g, t, g.me, t.coin)
    g.pending = Phase.PLAY
    if t.notes == 1:
        settle_hands(g, t)
    begin_end_of_turn(g, t)
    push_texts_at_start(g, t, 0)
    push_texts_at_start(g, t, 1)


@kernel(VOID(GAME_T, TABLES_T))
def finish_mulligan(g, t):
    """Replace the cards that a player threw back, shuffle them in, and go to the other player."""
    side = np.int64(g.me)
    for _ in range(g.n_aside):
        draw_card(g, t, side)
    for k in range(g.n_aside):
        shuffle_into_deck(g, t, side, g.aside[k])
    g.n_aside = 0
    if side == g.first:
        g.me = 1 - side
        g.pending = Phase.MULLIGAN + g.me
    else:
        start(g, t)


@kernel(VOID(GAME_T, TABLES_T, I8, DECKLIST_T))
def take_seat(g, t, side, deck):
    """Give a player its hero and deck."""
    s, hero = g.side[side], g.char[hero_of(side)]
    s.cls = deck.cls
    s.power = t.power[deck.cls]
    hero.card = t.hero[deck.cls]
    hero.uid = 1 + side
    hero.health = HERO_HEALTH
    hero.max_health = HERO_HEALTH
    for k in range(deck.n):
        s.deck[k] = deck.cards[k]
    s.n_deck = deck.n
    find_deck_listeners(g, t, side)


@kernel(VOID(GAME_T, I8))
def shuffle_deck(g, side):
    """Put a deck into a random order (Fisher-Yates)."""
    s = g.side[side]
    for k in range(s.n_deck - 1, 0, -1):
        j = random_below(g, k + 1)
        card = s.deck[k]
        s.deck[k] = s.deck[j]
        s.deck[j] = card


@kernel(BOOL(GAME_T, TABLES_T, I8), cold=True)
def draw_quest(g, t, side):
    """Draw the quest of a deck, which begins the game in hand; return whether there is one."""
    for k in range(g.side[side].n_deck):
        if t.card[card_in(g.side[side].deck[k])].goal > 0:
            draw_from(g, t, side, k)
            return True
    return False


@kernel(VOID(GAME_T, TABLES_T, DECKLIST_T, DECKLIST_T, U8, I8, I8, I8))
def new_game(g, t, deck_0, deck_1, seed, max_turns, ordered, first):
    """Set up a game on a zeroed record: starting player, hands of 3 and 4, mulligan if any.

    `seed` determines everything random in it; `ordered` 1 gives decks a fixed hidden order; `first`
    is the player that begins, NONE: by chance. Without a mulligan, the first turn is left on the
    stack for `turn.resolve_stack`.
    """
    g.rng = mix(seed)
    g.lookahead_rng = mix(seed ^ LOOKAHEAD_SALT)
    g.max_turns = max_turns
    g.ordered = ordered
    g.late = t.late
    g.next_uid = 3
    g.attacker = -1
    g.defender = -1
    g.last = -1
    take_seat(g, t, 0, deck_0)
    take_seat(g, t, 1, deck_1)
    if ordered == 1:
        shuffle_deck(g, 0)
        shuffle_deck(g, 1)
    g.first = 0 if t.first_begins == 1 else random_below(g, 2)
    if first != NONE:
        g.first = first
    g.me = g.first
    for k in range(7):
        side = g.first if k < 3 else 1 - g.first
        if t.quests == 0 or (k != 0 and k != 3) or not draw_quest(g, t, side):
            draw_card(g, t, side)
    if t.mulligan == 1:
        g.pending = Phase.MULLIGAN + g.first
    else:
        start(g, t)
