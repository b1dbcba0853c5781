"""The beginning and the end of a turn."""

import numpy as np

from hsevo.cards.terms import Counter, Keyword, Rule, Shift
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import BONUS, Moment, card_in, hero_of, is_hero, minion_ref, side_of
from hsevo.engine.record.state import DRAW, GAME_T, MAX_MANA, TEXTS, push, random_below
from hsevo.engine.rules.board import return_to_owner
from hsevo.engine.rules.deaths import close_graves
from hsevo.engine.rules.evidence import deal_unseen
from hsevo.engine.rules.query import has_keyword
from hsevo.engine.rules.select import pick_from
from hsevo.engine.rules.zones import find_hand_listeners

FOR_THIS_TURN = int(Keyword.IMMUNE_THIS_TURN | Keyword.NO_HEROES_THIS_TURN | Keyword.WINDFURY_TURN
                    | Keyword.CAN_ATTACK_TURN)
AWAKE = int(Keyword.CHARGE | Keyword.RUSH)
WINDFURIES = int(Keyword.WINDFURY | Keyword.WINDFURY_TURN | Keyword.MEGA_WINDFURY)


@kernel(I8(GAME_T, I8))
def max_attacks(g, ref):
    """Return how often a character may attack per turn."""
    if not has_keyword(g, ref, WINDFURIES):
        return 1
    return 4 if has_keyword(g, ref, Keyword.MEGA_WINDFURY) else 2


@kernel(VOID(GAME_T, TABLES_T, I8))
def forget_texts(g, t, hero):
    """Take away the texts that a hero was given for a turn."""
    c, n = g.char[hero], 0
    for x in range(TEXTS):
        text = np.int64(c.extra[x])
        c.extra[x] = 0
        if t.card[card_in(text)].lasts == 1:
            c.extra[n] = text
            n += 1
        elif t.card[card_in(text)].spell_damage > 0:
            g.stale = 1


@kernel(VOID(GAME_T, I8), cold=True)
def forget_spell_rules(g, side):
    """End what counters change about a player's spells."""
    for counter in range(Counter.NEXT_SPELL_TWICE, Counter.SPELLS_DRAIN + 1):
        g.side[side].counter[counter] = 0
    for counter in range(Counter.NEXT_ELEMENTAL_CHEAPER, Counter.POWER_DAMAGE_NOW + 1):
        g.side[side].counter[counter] = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def end_turn_effects(g, t, side):
    """End effects of this turn, and unfreeze: rule 4, and 'freeze' among the corner cases."""
    if (g.side[side].turn_rules & Rule.POWER_HITS_HARDER) != 0:
        forget_spell_rules(g, side)
    g.side[side].turn_rules = 0
    g.side[side].counter[Counter.POWER_DEARER] = 0
    g.side[side].counter[Counter.SPELLS_DEARER] = 0
    for ref in range(16):
        c = g.char[ref]
        c.attack -= c.turn_attack
        c.turn_attack = 0
        if is_hero(ref):
            g.side[side_of(ref)].counter[Counter.HEALED] = 0
            if c.extra[0] > 0:
                forget_texts(g, t, ref)
        c.keywords &= ~FOR_THIS_TURN
        if side_of(ref) == side and (c.keywords & Keyword.FROZEN) != 0:
            asleep = (c.keywords & Keyword.FRESH) != 0 and not has_keyword(g, ref, AWAKE)
            if c.attacks < max_attacks(g, ref) and not asleep:
                c.keywords &= ~Keyword.FROZEN


@kernel(VOID(GAME_T, TABLES_T, I8))
def return_all_to_owner(g, t, side):
    """Return the minions that a player borrowed for the turn, from left to right."""
    s, place = g.side[side], np.int64(0)
    while place < s.minions:
        ref = minion_ref(side, s.row[place])
        if g.char[ref].borrowed > 0:  # no longer, whether it leaves or is destroyed where it is
            return_to_owner(g, t, ref)
        else:
            place += 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def push_delayed_texts(g, t, side, moment):
    """Put the texts that a player has put off to a moment on the stack."""
    s = g.side[side]
    n_left, n = np.int64(0), np.int64(s.n_later)
    for k in range(n):
        entry = np.int64(s.later[k])
        s.later[k] = 0
        if entry >> BONUS == moment:
            frame = g.stack[push(g)]
            frame.pc = t.card[card_in(entry)].play
            frame.side = side
            frame.card = card_in(entry)
        elif entry >> BONUS != Moment.CAST_NOW or moment != Moment.OWN_TURN_END:
            s.later[n_left] = entry
            n_left += 1
    s.n_later = n_left


@kernel(VOID(GAME_T), cold=True)
def mark_delayed_texts(g):
    """Mark the texts that wait for the end of this turn: those put off later wait for the next."""
    for side in range(2):
        s = g.side[side]
        for k in range(s.n_later):
            entry = np.int64(s.later[k])
            if entry >> BONUS == Moment.TURN_END:
                s.later[k] = card_in(entry) + (Moment.TURN_ENDING << BONUS)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def shift_cards(g, t, side):
    """Turn the cards in hand that shift into others: random ones of their kind, or enemy cards.

    hs-bugs 930 and 999: until patch 12.0 (July 2018) they kept what they were given.
    """
    s, o = g.side[side], g.side[1 - side]
    for k in range(s.n_hand):
        h, kinds, card = s.hand[k], np.int64(s.shifting) >> k, np.int64(0)
        if (kinds & Shift.AT_RANDOM) != 0:
            card = pick_from(g, t, side, t.shift_pool[t.card[h.card].kind])
        elif (kinds & Shift.LIKE_ENEMY_HAND) != 0 and o.n_hand > 0:
            deal_unseen(g, 1 - side)
            card = np.int64(o.hand[random_below(g, o.n_hand)].card)
        if card > 0:
            h.card = card
            if t.keeps_changes == 0:
                h.cost, h.attack, h.health, h.joined = 0, 0, 0, 0
    find_hand_listeners(g, t, side)


@kernel(VOID(GAME_T, I8), cold=True)
def age_spells(g, side):
    """Let the spells that a player played in its turn be those of its last turn."""
    s, n_left = g.side[side], np.int64(0)
    for k in range(s.n_later):
        entry = np.int64(s.later[k])
        s.later[k] = 0
        if entry >> BONUS == Moment.SPELL_NOW:
            entry = card_in(entry) + (Moment.SPELL_LAST << BONUS)
        elif entry >> BONUS == Moment.SPELL_LAST:
            continue
        s.later[n_left] = entry
        n_left += 1
    s.n_later = n_left


@kernel(VOID(GAME_T, TABLES_T))
def begin_turn(g, t):
    """Give the turn to the next player: crystals, mana, overload, attacks, hero power."""
    g.turn += 1
    if g.turn > g.max_turns:
        g.result = DRAW
        g.depth = 0
        return
    s = g.side[g.me]
    s.crystals = min(np.int64(s.crystals) + 1, MAX_MANA)
    s.locked = min(s.overload, s.crystals)
    s.overload = 0
    s.mana = s.crystals - s.locked
    s.played = 0
    s.minions_played = 0
    s.power_used = 0
    if s.n_later > 0:
        age_spells(g, g.me)
    close_graves(g, 0)
    close_graves(g, 1)
    if t.late == 1:
        s.counter[Counter.ELEMENTALS_PLAYED] = s.counter[Counter.ELEMENTALS_NOW]
        s.counter[Counter.ELEMENTALS_NOW] = 0
        for side in range(2):
            g.side[side].counter[Counter.HERO_DAMAGE] = 0
            g.side[side].counter[Counter.SPELLS_NOW] = 0
    for ref in range(minion_ref(g.me, 0), hero_of(g.me) + 1):
        g.char[ref].attacks = 0
        g.char[ref].keywords &= ~(Keyword.FRESH | Keyword.STEALTH_TURN)
    if s.shifting != 0:
        shift_cards(g, t, g.me)
