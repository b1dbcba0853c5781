"""What a card or hero power needs: legal targets, also random ones, and other requirements."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Keyword, Kind, Need, Race, Side
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import (
    BOTH_OPTIONS,
    TAUGHT,
    is_hero,
    joined_card,
    minion_ref,
    side_of,
    taught_place,
)
from hsevo.engine.record.state import GAME_T, HELD_T, MAX_MANA, NONE, random_below
from hsevo.engine.rules.board import STEALTHS, has_room_for_secret
from hsevo.engine.rules.conditions import (
    has_died_of_race,
)
from hsevo.engine.rules.query import (
    DORMANT,
    IMMUNITY,
    character_matches,
    count_minions,
    has_keyword,
    ref_if_in_play,
    ref_in_order,
    room,
)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), inline=True)
def is_target(g, t, card, ref, kind):
    """Return whether the player to move may target a character in play with a card.

    `kind` is that of the card played, even if `card` is an option of Choose One.
    """
    k = t.card[card]
    mine = side_of(ref) == g.me
    if (k.target & (Side.MINE if mine else Side.THEIRS)) == 0:
        return False
    if (k.target & (Side.HERO if is_hero(ref) else Side.MINION)) == 0:
        return False
    if has_keyword(g, ref, DORMANT if mine else STEALTHS | IMMUNITY):
        return False
    if kind != Kind.MINION and kind != Kind.WEAPON and has_keyword(g, ref, Keyword.ELUSIVE):
        return False
    return character_matches(g, t, ref, k.target_test, k.target_arg)


@kernel(I8(TABLES_T, I8, I8, I8), cold=True)
def taught_spell(t, card, joined, k):
    """Return the first (0) or second (1) spell that a card was taught, 0 if it was taught none."""
    r = t.row[t.card[card].play]
    if joined < TAUGHT or r.op != Op.CAST_TAUGHT:
        return 0
    return np.int64(t.pooled[t.pool[r.pool, 0] + taught_place(joined, k)])


@kernel(I8(TABLES_T, I8, I8), cold=True)
def aimed_of(t, card, joined):
    """Return the card whose target a card asks for: a spell that it was taught, or itself."""
    for k in range(2):
        spell = taught_spell(t, card, joined, k)
        if t.card[spell].target != 0:
            return spell
    return card


@kernel(I8(TABLES_T, HELD_T), cold=True)
def joined_or_taught(t, h):
    """Return the card that a card in hand is as well, or the first spell that it was taught."""
    if h.joined >= TAUGHT:
        return taught_spell(t, h.card, h.joined, 0)
    return joined_card(h.joined)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def is_target_with(g, t, card, option, ref):
    """Return whether the player to move may target a character with a card and an option of it."""
    k = t.card[card]
    if k.option[0] == 0:
        return is_target(g, t, card, ref, k.kind)
    if option != BOTH_OPTIONS:
        return is_target(g, t, k.option[option], ref, k.kind)
    first = is_target(g, t, k.option[0], ref, k.kind)
    return first or is_target(g, t, k.option[1], ref, k.kind)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def aim_at_random(g, t, i):
    """Give the card or hero power of frame i a random legal target; none if none is left.

    hs-bugs 697: what triggered before counts; a spell without a legal target does nothing.
    """
    f = g.stack[i]
    own, n = ref_if_in_play(g, f.ref, f.uid), np.int64(0)
    f.target = NONE
    for k in range(16):
        ref = ref_in_order(g, k)
        there = ref >= 0 and ref != own
        if there and is_target_with(g, t, f.card, g.option, ref):
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                f.target = ref
                f.target_uid = g.char[ref].uid


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def totems_left(g, t, side, card):
    """Return how many of the totems that a hero power can summon are not on the board."""
    pool = t.row[t.card[card].play].pool
    first, n = np.int64(t.pool[pool, 0]), np.int64(0)
    s = g.side[side]
    for k in range(t.pool[pool, 1]):
        missing = 1
        for i in range(s.minions):
            if g.char[minion_ref(side, s.row[i])].card == t.pooled[first + k]:
                missing = 0
        n += missing
    return n


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def requirements_met(g, t, card):
    """Return whether a card's requirements other than mana and target are met."""
    k = t.card[card]
    if k.kind == Kind.MINION and room(g, g.me) <= 0:
        return False
    return (k.need == Need.NOTHING and k.secret == 0) or is_need_met(g, t, card)


@kernel(BOOL(GAME_T, TABLES_T, I8))
def is_need_met(g, t, card):
    """Return whether what a card needs is there."""
    k, side = t.card[card], np.int64(g.me)
    s = g.side[side]
    if k.secret == 1:
        for i in range(s.n_secrets):
            if s.secret[i].card == card:
                return False
        return has_room_for_secret(g, side)
    if k.need == Need.BOARD_SPACE:
        return room(g, side) > 0
    if k.need == Need.ENEMY_MINION:
        return count_minions(g, 1 - side) > 0
    if k.need == Need.WEAPON:
        return s.weapon > 0
    if k.need == Need.TWO_ENEMY_MINIONS:
        return count_minions(g, 1 - side) >= 2
    if k.need == Need.MINION:
        return count_minions(g, 0) + count_minions(g, 1) > 0
    if k.need == Need.TOTEM_LEFT:
        return room(g, side) > 0 and totems_left(g, t, side, card) > 0
    if k.need == Need.SPACE_OR_CRYSTAL:
        return room(g, side) > 0 or s.crystals < MAX_MANA
    if k.need == Need.ENEMY_MINION_AND_SPACE:
        return room(g, side) > 0 and count_minions(g, 1 - side) > 0
    if k.need == Need.NO_QUEST:
        return s.quest == 0 and has_room_for_secret(g, side)
    if k.need == Need.DEAD_FRIEND_AND_SPACE:
        return s.n_dead > 0 and room(g, side) > 0
    if k.need == Need.DEAD_BEAST_AND_SPACE:
        return room(g, side) > 0 and has_died_of_race(g, t, side, Race.BEAST)
    return k.need == Need.TWO_MINIONS and count_minions(g, 0) + count_minions(g, 1) >= 2
