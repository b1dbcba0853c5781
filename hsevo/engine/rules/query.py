"""Queries on a position, and filters of cards and characters."""

import numpy as np

from hsevo.cards.terms import PRINTED, Counter, Is, Keyword, Kind, Race
from hsevo.engine.jit import BOOL, I8, TABLES_T, kernel
from hsevo.engine.record.codec import (
    HERO,
    SEATS,
    hero_of,
    is_hero,
    minion_ref,
    side_of,
    slot_of,
)
from hsevo.engine.record.state import (
    BOARD,
    GAME_T,
    NONE,
    is_in_play,
)

_PRINTED = sum(1 << test for test in PRINTED)
MINION, DORMANT = int(Kind.MINION), int(Keyword.DORMANT)
IMMUNITY = int(Keyword.IMMUNE | Keyword.IMMUNE_THIS_TURN | Keyword.IMMUNE_ATTACKING
               | Keyword.DORMANT)


@kernel(BOOL(GAME_T, I8, I8), inline=True)
def has_keyword(g, ref, keywords):
    """Return whether a character has one of the keywords, of its own or by an aura."""
    c = g.char[ref]
    return ((c.keywords | c.aura_keywords) & keywords) != 0


@kernel(I8(GAME_T, I8), inline=True)
def minion_attack(g, ref):
    """Return a minion's attack: what an effect of this turn has taken below 0 counts as 0."""
    return max(np.int64(g.char[ref].attack), 0)


@kernel(I8(GAME_T, I8), inline=True)
def attack_of(g, ref):
    """Return a character's attack; a hero's includes its weapon's in its own turn."""
    attack = np.int64(g.char[ref].attack)
    if is_hero(ref) and g.me == side_of(ref) and g.side[side_of(ref)].weapon > 0:
        attack += g.side[side_of(ref)].weapon_attack
    return max(attack, 0)


@kernel(I8(GAME_T, I8, I8), inline=True)
def ref_if_in_play(g, ref, uid):
    """Return the ref if its character is still in play, else NONE."""
    return ref if is_in_play(g, ref, uid) else NONE


@kernel(BOOL(GAME_T, I8), inline=True)
def is_dying(g, ref):
    """Return whether a character is about to die."""
    c = g.char[ref]
    return (c.health <= 0) | ((c.keywords & Keyword.TO_BE_DESTROYED) != 0)


@kernel(BOOL(GAME_T, I8), inline=True)
def is_dormant(g, ref):
    """Return whether a minion is dormant."""
    return (g.char[ref].keywords & Keyword.DORMANT) != 0


@kernel(I8(GAME_T, I8))
def count_minions(g, side):
    """Count a player's minions, without those that are dormant."""
    s, n = g.side[side], np.int64(0)
    for i in range(s.minions):
        n += not is_dormant(g, minion_ref(side, s.row[i]))
    return n


@kernel(I8(GAME_T, I8))
def board_position(g, ref):
    """Return the position of a minion on its board, counted from the left."""
    s = g.side[side_of(ref)]
    for i in range(s.minions):
        if s.row[i] == slot_of(ref):
            return i
    return NONE


@kernel(I8(GAME_T, I8), cold=True)
def ref_in_order(g, k):
    """Return character k of 16: a player's minions from the left, the hero; NONE: a free place."""
    side, place = k // SEATS, k % SEATS
    if place == HERO:
        return hero_of(side)
    s = g.side[side]
    return minion_ref(side, s.row[place]) if place < s.minions else NONE


@kernel(I8(GAME_T, I8))
def position_beside(g, i):
    """Return the position where frame i's minion summons: to its right, or where it died."""
    f = g.stack[i]
    own = ref_if_in_play(g, f.ref, f.uid)
    if own < 0:
        return np.int64(f.place)
    place = board_position(g, own)
    return place + 1 if place >= 0 else np.int64(NONE)  # a dormant card: at the right end


@kernel(BOOL(TABLES_T, I8, I8), inline=True)
def is_of_race(t, card, race):
    """Return whether a card is of a race: some minions are of each."""
    own = t.card[card].race
    return (own == race) | (own == Race.ALL)


@kernel(BOOL(TABLES_T, I8, I8), cold=True)
def is_pooled(t, card, pool):
    """Return whether a card is in a pool."""
    first = np.int64(t.pool[pool, 0])
    for k in range(first, first + t.pool[pool, 1]):
        if t.pooled[k] == card:
            return True
    return False


@kernel(BOOL(TABLES_T, I8, I8, I8))
def card_matches(t, card, test, arg):
    """Return whether a card passes a filter, for tests that need no character."""
    k = t.card[card]
    if test == Is.ANYTHING:
        return True
    if test == Is.RACE:
        return is_of_race(t, card, arg)
    if test == Is.KIND:
        return k.kind == arg
    if test == Is.SECRET:
        return k.secret == 1
    if test == Is.CARD:
        return card == arg
    if test == Is.NOT_CARD:
        return card != arg
    if test == Is.NOT_RACE:
        return not is_of_race(t, card, arg)
    if test == Is.COST_AT_MOST:
        return k.cost <= arg
    if test == Is.MINION_COST:
        return k.kind == Kind.MINION and k.cost == arg
    if test == Is.MINION_WITH:
        return k.kind == Kind.MINION and (k.keywords & arg) != 0
    if test == Is.OTHER_CLASS:
        return k.cls != 0 and k.cls != arg
    if test == Is.BATTLECRY:
        any_kind = arg == 1 and k.kind == Kind.WEAPON
        return (k.kind == Kind.MINION or any_kind) and k.play > 0
    if test == Is.OVERLOAD:
        return k.overload > 0
    if test == Is.LEGENDARY:
        return k.rarity == 4
    if test == Is.KEYWORD:
        return (k.keywords & arg) != 0
    if test == Is.NOT_KEYWORD:
        return (k.keywords & arg) == 0
    if test == Is.ATTACK:
        return k.kind == Kind.MINION and k.attack == arg
    if test == Is.SPELL_BUT:
        return k.kind == Kind.SPELL and card != arg
    if test == Is.COST_AT_LEAST:
        return k.cost >= arg
    if test == Is.CARD_ATTACK_AT_LEAST:
        return k.kind == Kind.MINION and k.attack >= arg
    if test == Is.COMBO:
        return k.combo > 0
    if test == Is.COST:
        return k.cost == arg
    if test == Is.NAMESAKE:
        return k.namesake == t.card[arg].namesake
    if test == Is.SPELL_COST_AT_LEAST:
        return k.kind == Kind.SPELL and k.cost >= arg
    if test == Is.CHOICE:
        return k.kind == Kind.SPELL and k.option[0] > 0
    if test == Is.AIMED:
        return (k.target != 0) == (arg == 1)
    if test == Is.IN_POOL:
        return is_pooled(t, card, arg)
    return False


@kernel(BOOL(I8), inline=True)
def is_printed(test):
    """Return whether a filter is on what is printed on a card."""
    return ((np.int64(_PRINTED) >> test) & 1) != 0


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), inline=True)
def character_matches(g, t, ref, test, arg):
    """Return whether a character passes a filter."""
    if test == Is.ANYTHING:  # most filters: they need no call
        return True
    return passes(g, t, ref, test, arg)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8))
def passes(g, t, ref, test, arg):
    """Return whether a character passes a filter other than ANYTHING."""
    c = g.char[ref]
    if test == Is.DAMAGED:
        return c.health < c.max_health
    if test == Is.UNDAMAGED:
        return c.health >= c.max_health
    if test == Is.HEALTH_AT_LEAST:
        return c.health >= arg
    if test == Is.ATTACK_AT_LEAST:
        return attack_of(g, ref) >= arg
    if test == Is.ATTACK_AT_MOST:
        return attack_of(g, ref) <= arg
    if test == Is.KEYWORD:
        return has_keyword(g, ref, arg)
    if test == Is.NOT_KEYWORD:
        return not has_keyword(g, ref, arg)
    if test == Is.HEALTH:
        return c.health == arg
    if test == Is.ATTACK:
        return not is_hero(ref) and attack_of(g, ref) == arg
    if test == Is.NOT_OWN_HERO:
        return ref != hero_of(g.me)
    if test == Is.DYING:
        return is_dying(g, ref)
    if test == Is.OVERKILLED:
        return not is_hero(ref) and c.health < 0
    if test == Is.FRESH_WITH:
        return (c.keywords & Keyword.FRESH) != 0 and has_keyword(g, ref, arg)
    if test == Is.ATTACK_UP_TO_MANA:
        return attack_of(g, ref) <= g.side[g.me].mana
    if test == Is.IN_PLAY or test == Is.UNDESTROYED or test == Is.LIVING:
        destroyed = test == Is.UNDESTROYED and (c.keywords & Keyword.TO_BE_DESTROYED) != 0
        doomed = destroyed or (test == Is.LIVING and is_dying(g, ref))
        return not doomed and (arg == 0 or t.card[c.card].kind == arg)
    return card_matches(t, c.card, test, arg)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8))
def held_matches(g, t, side, k, test, arg):
    """Return whether the k-th card of a hand passes a filter; attack counts with its changes."""
    h = g.side[side].hand[k]
    if test == Is.MADE:
        return (np.int64(g.side[side].made) >> k) & 1 == 1
    if test == Is.CARD_ATTACK_AT_LEAST:
        size = np.int64(g.side[side].counter[Counter.MINION_SIZE])
        attack = size if size > 0 else np.int64(t.card[h.card].attack)
        return t.card[h.card].kind == Kind.MINION and attack + h.attack >= arg
    return card_matches(t, h.card, test, arg)


@kernel(I8(GAME_T, I8), inline=True)
def room(g, side):
    """Return how many more minions a player's board can take."""
    s = g.side[side]
    return BOARD - np.int64(s.minions) - s.dormant


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def row_side(g, t, i):
    """Return the player that frame i's row concerns: the text's owner or (theirs) the opponent."""
    f = g.stack[i]
    return np.int64(f.side) ^ np.int64(t.row[f.pc].theirs)
