"""Continuous effects of cards in play: auras, rules, Spell Damage, listeners."""

import numpy as np

from hsevo.cards.terms import Counter, If, Keyword, Reach, Rule, Selector
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import card_in, hero_of, is_whole, minion_ref, side_of, times_of
from hsevo.engine.record.state import BOARD, FAIR, GAME_T, NONE, TEXTS
from hsevo.engine.rules.board import MINIONS
from hsevo.engine.rules.conditions import (
    condition_holds,
    count_race,
)
from hsevo.engine.rules.query import (
    board_position,
    character_matches,
)
from hsevo.engine.rules.zones import find_hand_listeners

SHARED = int(Rule.SHARED_SPELL_DAMAGE | Rule.NO_POWERS)  # rules that both players have


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def add_aura(g, t, ref, to, aura):
    """Count one aura for one character, if it passes the aura's filter."""
    u = t.aura[aura]
    if to != ref or u.who == Selector.SELF or u.who == Selector.MY_MINIONS:
        if character_matches(g, t, to, u.test, u.arg):
            z = g.sums[to]
            # wiki, Aldor Peacekeeper: setting attack overrides Enrage, even one that begins later
            if u.when != If.DAMAGED or (g.char[to].keywords & Keyword.CALMED) == 0:
                each = np.int64(1)
                if u.each > 0:
                    each = count_race(g, t, 0, u.each) + count_race(g, t, 1, u.each) - 1
                elif u.each < 0:
                    each = np.int64(g.side[side_of(to)].counter[-1 - u.each])
                z.attack += u.attack * each
            z.follow |= u.follow
            z.health += u.health
            z.keywords |= u.keywords


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def spread_aura(g, t, side, ref, aura):
    """Count one aura of a card in play; ref is NONE for a weapon's."""
    u = t.aura[aura]
    s = g.side[side]
    if not condition_holds(g, t, u.when, u.when_arg, side, ref, NONE, NONE):
        return
    s.spell_damage += u.spell_damage
    if u.who == Selector.SELF:
        add_aura(g, t, ref, ref, aura)
    elif u.who == Selector.MY_WEAPON:
        more = np.int64(u.attack)
        if u.follow != 0:  # the attack is the armour, after all other auras
            more = np.int64(s.armor) - s.weapon_attack
        s.weapon_aura += more
        s.weapon_attack += more
    elif u.who == Selector.MY_HERO:
        add_aura(g, t, ref, hero_of(side), aura)
    elif u.who == Selector.ADJACENT:
        place = board_position(g, ref)
        if place > 0:
            add_aura(g, t, ref, minion_ref(side, s.row[place - 1]), aura)
        if place + 1 < s.minions:
            add_aura(g, t, ref, minion_ref(side, s.row[place + 1]), aura)
    else:
        both = u.who == Selector.ALL_OTHER_MINIONS or u.who == Selector.ALL_MINIONS
        for player in range(2):
            if player == side or both:
                for i in range(g.side[player].minions):
                    add_aura(g, t, ref, minion_ref(player, g.side[player].row[i]), aura)


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def attached_watch(g, t, ref):
    """Return the events that the texts attached to a character listen to, as bits."""
    bits = np.int64(0)
    for x in range(TEXTS):
        text = np.int64(g.char[ref].extra[x])
        if is_whole(text):
            bits |= np.int64(t.card[card_in(text)].watch)
    return bits


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def attached_auras(g, t, hero):
    """Return the number of texts with auras that are attached to a hero."""
    n = np.int64(0)
    for x in range(TEXTS):
        n += t.card[card_in(g.char[hero].extra[x])].n_auras > 0
    return n


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def attached_reach(g, t, hero):
    """Return the Reach bits of the texts attached to a hero."""
    bits = np.int64(0)
    for x in range(TEXTS):
        bits |= np.int64(t.card[card_in(g.char[hero].extra[x])].reach)
    return bits


@kernel(VOID(GAME_T, TABLES_T, I8, BOOL), cold=True)
def spread_attached(g, t, side, keywords_only):
    """Count the auras of the texts that are attached to a hero."""
    for x in range(TEXTS):
        k = t.card[card_in(g.char[hero_of(side)].extra[x])]
        for aura in range(k.aura, k.aura + k.n_auras):
            if not keywords_only or t.aura[aura].keywords != 0:
                spread_aura(g, t, side, NONE, aura)


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def attached_spell_damage(g, t, ref):
    """Return the Spell Damage of the texts attached to a character."""
    n = np.int64(0)
    for x in range(TEXTS):
        text = np.int64(g.char[ref].extra[x])
        if is_whole(text):
            n += t.card[card_in(text)].spell_damage * times_of(text)
    return n


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def dormant_watch(g, t, side):
    """Return the events that a player's dormant cards listen to, as bits."""
    bits = np.int64(0)
    for slot in range(BOARD if g.side[side].dormant > 0 else 0):
        k = t.card[g.char[minion_ref(side, slot)].card]
        bits |= k.watch * k.dormant
    return bits


@kernel(I8(I8, I8), inline=True)
def seen_from_0(reach, side):
    """Return the Reach bits of a player's card as player 0 sees them."""
    if side == 0:
        return reach
    return (reach & ~MINIONS) | (reach & Reach.MINE) << 1 | (reach & Reach.THEIRS) >> 1


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def add_secret_listeners(g, t, side):
    """Let a player's secrets listen, except in fair look-aheads, which trigger none."""
    s = g.side[side]
    for i in range(s.n_secrets if g.sight != FAIR else 0):
        g.watch |= t.card[s.secret[i].card].watch


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def count_passive(g, t, side):
    """Count a player's rules, Spell Damage and listeners.

    The sums are not in the record until the end, or each card would wait for the one before it.
    """
    s = g.side[side]
    rules, spell_damage, watch = np.int64(0), np.int64(0), np.int64(s.deck_watch)
    auras, reach, discounts = np.int64(0), np.int64(0), np.int64(0)
    counts_hands, counts_attacks = np.int64(0), np.int64(0)
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        c = g.char[ref]
        k = t.card[c.card]
        if (c.keywords & Keyword.SILENCED) == 0:
            rules |= k.rules
            spell_damage += k.spell_damage
            watch |= k.watch
            auras += k.n_auras > 0
            reach |= k.reach
            discounts += k.discounts
            counts_hands |= k.counts_hands
            counts_attacks |= k.counts_attacks
        spell_damage += c.spell_damage
        if c.extra[0] != 0:  # the first one is taken first
            spell_damage += attached_spell_damage(g, t, ref)
            watch |= attached_watch(g, t, ref)
    if g.char[hero_of(side)].extra[0] != 0:
        watch |= attached_watch(g, t, hero_of(side))
        spell_damage += attached_spell_damage(g, t, hero_of(side))
        auras += attached_auras(g, t, hero_of(side))
        reach |= attached_reach(g, t, hero_of(side))
    if s.quest > 0:
        watch |= t.card[s.quest].watch
    if t.late == 1 and s.dormant > 0:
        watch |= dormant_watch(g, t, side)
    k = t.card[s.weapon]  # none: it has nothing
    s.rules = rules | k.rules
    s.spell_damage = spell_damage + k.spell_damage
    g.watch |= watch | k.watch
    g.auras += auras + (k.n_auras > 0)
    g.reach |= seen_from_0(reach | k.reach, side)
    g.discounts += discounts
    g.counts_hands |= counts_hands
    g.counts_attacks |= counts_attacks
    add_secret_listeners(g, t, side)
    if s.hand_watch != 0:
        find_hand_listeners(g, t, side)


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def shared_spell_damage(g, t, side):
    """Return the Spell Damage that a player's minions give to the opponent, too."""
    s, n = g.side[side], np.int64(0)
    for i in range(s.minions):
        c = g.char[minion_ref(side, s.row[i])]
        k = t.card[c.card]
        if (k.rules & Rule.SHARED_SPELL_DAMAGE) != 0 and (c.keywords & Keyword.SILENCED) == 0:
            n += k.spell_damage
    return n


@kernel(VOID(GAME_T, TABLES_T), cold=True)
def share_rules(g, t):
    """Give each player what minions of the other one give to both."""
    g.side[0].spell_damage += shared_spell_damage(g, t, 1)
    g.side[1].spell_damage += shared_spell_damage(g, t, 0)
    both = np.int64(g.side[0].rules | g.side[1].rules) & Rule.NO_POWERS
    g.side[0].rules |= both
    g.side[1].rules |= both


@kernel(I8(GAME_T, TABLES_T, I8, I8), cold=True)
def lent_spell_damage(g, t, side, ref):
    """Return the Spell Damage that a minion has by its own auras."""
    k, n = t.card[g.char[ref].card], np.int64(0)
    for aura in range(k.aura, k.aura + k.n_auras):
        u = t.aura[aura]
        if u.spell_damage > 0 and condition_holds(g, t, u.when, u.when_arg, side, ref, NONE, NONE):
            n += u.spell_damage
    return n


@kernel(I8(GAME_T, TABLES_T, I8))
def spell_damage_now(g, t, side):
    """Count a player's Spell Damage."""
    s = g.side[side]
    n = np.int64(t.card[s.weapon].spell_damage)
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        c = g.char[ref]
        if (c.keywords & Keyword.SILENCED) == 0:
            n += t.card[c.card].spell_damage
            if t.late == 1 and t.card[c.card].n_auras > 0:
                n += lent_spell_damage(g, t, side, ref)
        n += c.spell_damage
        if c.extra[0] != 0:
            n += attached_spell_damage(g, t, ref)
    if g.char[hero_of(side)].extra[0] != 0:
        n += attached_spell_damage(g, t, hero_of(side))
    return n + shared_spell_damage(g, t, 1 - np.int64(side))


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def spell_damage_of(g, t, side):
    """Return a player's Spell Damage. Wiki: always up to date, while auras wait for their step."""
    s = g.side[side]
    n = np.int64(s.spell_damage) if g.stale == 0 else spell_damage_now(g, t, side)
    return n + s.counter[Counter.SPELL_DAMAGE_NOW]


@kernel(VOID(GAME_T, TABLES_T, I8, BOOL), inline=True)
def spread_auras(g, t, side, keywords_only):
    """Count the auras of a player's cards in play, all or only those that give keywords."""
    s = g.side[side]
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        c = g.char[ref]
        k = t.card[c.card]
        if k.n_auras > 0 and (c.keywords & Keyword.SILENCED) == 0:
            for aura in range(k.aura, k.aura + k.n_auras):
                if not keywords_only or t.aura[aura].keywords != 0:
                    spread_aura(g, t, side, ref, aura)
    if g.char[hero_of(side)].extra[0] != 0:
        spread_attached(g, t, side, keywords_only)
    if s.weapon > 0:
        k = t.card[s.weapon]
        for aura in range(k.aura, k.aura + k.n_auras):
            if not keywords_only or t.aura[aura].keywords != 0:
                spread_aura(g, t, side, NONE, aura)


@kernel(VOID(GAME_T, I8), inline=True)
def clear_sum(g, ref):
    """Begin to sum the auras on a character."""
    z = g.sums[ref]
    z.attack = 0
    z.health = 0
    z.keywords = 0
    z.follow = 0


@kernel(VOID(GAME_T), inline=True)
def clear_sums(g):
    """Begin to sum the auras on all characters."""
    for side in range(2):
        clear_sum(g, hero_of(side))
        for i in range(g.side[side].minions):
            clear_sum(g, minion_ref(side, g.side[side].row[i]))


@kernel(VOID(GAME_T, I8), inline=True)
def apply_aura(g, ref):
    """Change a character by the difference between its old and new auras. Rule 8."""
    c, z = g.char[ref], g.sums[ref]
    same = z.attack == c.aura_attack and z.health == c.aura_health
    if same and z.keywords == c.aura_keywords and z.follow == 0:
        return
    if z.keywords != c.aura_keywords or z.health != c.aura_health or (g.reach & Reach.ATTACK) != 0:
        g.stale = 1  # Charge, being damaged, or attack may be the condition of another aura
    c.aura_keywords = z.keywords
    if z.health != c.aura_health:
        change = z.health - c.aura_health
        c.max_health += change
        if change > 0:
            c.health += change
        else:
            c.health = min(c.health, c.max_health)
        c.aura_health = z.health
        if c.health <= 0:
            g.dying = 1
    if z.follow != 0:  # wiki, Lightspawn: after all other auras
        z.attack = c.health - (c.attack - c.aura_attack)
    c.attack += z.attack - c.aura_attack
    c.aura_attack = z.attack


@kernel(VOID(GAME_T, TABLES_T))
def refresh(g, t):
    """Recompute rules, Spell Damage, listeners and auras."""
    before = g.auras
    g.stale = 0
    g.watch = 0
    g.auras = 0
    g.reach = 0
    g.discounts = 0
    g.counts_hands = 0
    g.counts_attacks = 0
    for side in range(2):
        count_passive(g, t, side)
    if ((g.side[0].rules | g.side[1].rules) & SHARED) != 0:
        share_rules(g, t)
    if before == 0 and g.auras == 0:
        return
    clear_sums(g)
    for side in range(2):
        g.side[side].weapon_attack -= g.side[side].weapon_aura
        g.side[side].weapon_aura = 0
        spread_auras(g, t, side, False)
    for side in range(2):
        apply_aura(g, hero_of(side))
        for i in range(g.side[side].minions):
            apply_aura(g, minion_ref(side, g.side[side].row[i]))


@kernel(VOID(GAME_T, TABLES_T), cold=True)
def update_tags(g, t):
    """Recompute rules, and the keywords that auras give; attack and health wait for `refresh`.

    hs-bugs 106: these auras change when the dead have left, before their Deathrattles run;
    hs-bugs 689: and when a minion has been summoned, before what answers that.
    """
    clear_sums(g)
    for side in range(2):
        s = g.side[side]
        s.rules = t.card[s.weapon].rules
        for i in range(s.minions):
            c = g.char[minion_ref(side, s.row[i])]
            if (c.keywords & Keyword.SILENCED) == 0:
                s.rules |= t.card[c.card].rules
    for side in range(2):
        spread_auras(g, t, side, True)
    for side in range(2):
        g.char[hero_of(side)].aura_keywords = g.sums[hero_of(side)].keywords
        for i in range(g.side[side].minions):
            ref = minion_ref(side, g.side[side].row[i])
            g.char[ref].aura_keywords = g.sums[ref].keywords
