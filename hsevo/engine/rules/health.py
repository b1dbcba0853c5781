"""Damage and healing: what changes the health of characters.

A rule that forecasts need as well is a function of its own, which only *decides*; what applies it
calls it, too: `is_immune`, `has_shield`, `is_fatal`, `poisons`, `healing`.
"""

import numpy as np

from hsevo.cards.terms import Counter, Event, Keyword, Reach, Rule, Sequence
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import hero_of, is_hero, minion_ref, side_of
from hsevo.engine.record.state import GAME_T, NONE, announce, effect_of, push
from hsevo.engine.rules.board import STEALTHS, can_secrets_trigger, mark_auras_stale, remove_secret
from hsevo.engine.rules.query import IMMUNITY, board_position, has_keyword

CHANGE_DAMAGE = int(Rule.HERO_TAKES_1 | Rule.HERO_TAKES_DOUBLE)
TAKE_DAMAGE = int(Rule.TAKES_FOR_HERO)


@kernel(BOOL(GAME_T, I8), inline=True)
def is_immune(g, ref):
    """Return whether a character takes no damage at all."""
    return has_keyword(g, ref, IMMUNITY)


@kernel(BOOL(GAME_T, I8), inline=True)
def has_shield(g, ref):
    """Return whether a character has a Divine Shield: it takes the next damage."""
    return (g.char[ref].keywords & Keyword.DIVINE_SHIELD) != 0


@kernel(BOOL(GAME_T, I8, I8), inline=True)
def is_fatal(g, ref, n):
    """Return whether a character that takes n damage has no health left; armor is lost first."""
    c = g.char[ref]
    if is_hero(ref):
        return n >= c.health + g.side[side_of(ref)].armor
    return n >= c.health


@kernel(I8(GAME_T, I8, I8), inline=True)
def healing(g, ref, n):
    """Return how much health a character regains of n; 0 or less: it has all."""
    return min(n, np.int64(g.char[ref].max_health) - g.char[ref].health)


@kernel(BOOL(GAME_T, I8, I8), inline=True)
def poisons(g, source, ref):
    """Return whether damage by one character destroys another."""
    return has_keyword(g, source, Keyword.POISONOUS) and not is_hero(ref)


@kernel(BOOL(GAME_T, I8), inline=True)
def is_damage_changed(g, side):
    """Return whether something changes the damage of a player's hero, or takes damage for others.
    """
    return (g.side[side].rules & (CHANGE_DAMAGE | TAKE_DAMAGE)) != 0


@kernel(BOOL(GAME_T, I8), inline=True)
def is_unbreakable(g, side):
    """Return whether a player's minions keep at least 1 health."""
    return (g.side[side].turn_rules & Rule.UNBREAKABLE) != 0


@kernel(VOID(GAME_T, I8))
def freeze(g, ref):
    """Freeze a character."""
    c = g.char[ref]
    if (c.keywords & Keyword.FROZEN) == 0:
        announce(g, Event.FROZEN, side_of(ref), c.card, ref, NONE, 0)
    c.keywords |= Keyword.FROZEN


@kernel(BOOL(GAME_T, TABLES_T, I8), cold=True)
def prevent_fatal_damage(g, t, side):
    """Fire a secret that prevents fatal damage to a hero; return whether there was one."""
    if ((g.watch >> Event.FATAL_DAMAGE) & 1) == 0 or not can_secrets_trigger(g, side):
        return False
    s = g.side[side]
    for i in range(s.n_secrets):
        k = t.card[s.secret[i].card]
        u = t.trigger[k.trigger]
        if u.event == Event.FATAL_DAMAGE:
            frame = g.stack[push(g)]
            frame.pc = u.program
            frame.side = side
            frame.card = s.secret[i].card
            # Immune at once: a second hit of the same effect must not get through
            g.char[hero_of(side)].keywords |= Keyword.IMMUNE_THIS_TURN
            remove_secret(g, side, i)
            announce(g, Event.SECRET_REVEALED, side, frame.card, NONE, NONE, 0)
            return True
    return False


@kernel(I8(GAME_T, TABLES_T, I8, I8), cold=True)
def with_doubled_healing(g, t, side, n):
    """Double n once for each minion of a player that doubles its healing."""
    s, times = g.side[side], np.int64(0)
    for i in range(s.minions):
        c = g.char[minion_ref(side, s.row[i])]
        if (c.keywords & Keyword.SILENCED) == 0:
            times += t.card[c.card].doubles_healing == 1
    return n << times


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def heal(g, t, ref, n, side):
    """Restore n health to a character, by a card of a player."""
    c = g.char[ref]
    if t.late == 1 and (g.side[side].rules & Rule.POWER_HITS_HARDER) != 0:
        n = with_doubled_healing(g, t, side, n)
    healed = healing(g, ref, n)
    if healed > 0:
        c.health += healed
        if t.late == 1 and is_hero(ref):
            g.side[side_of(ref)].counter[Counter.HEALED] += healed
        g.side[side].counter[Counter.RESTORED] += healed * t.asks_restored
        mark_auras_stale(g, t, ref)
        announce(g, Event.HEALED, side_of(ref), c.card, ref, effect_of(side), healed)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def drain(g, t, side, n):
    """Heal a player's hero by Lifesteal; where healing hurts, after the effect that dealt damage.
    """
    if ((g.side[side].rules | g.side[side].turn_rules) & Rule.HEALING_HURTS) == 0:
        heal(g, t, hero_of(side), n, side)
        return
    f = g.stack[push(g)]
    f.pc = t.sequence[Sequence.DRAIN]
    f.side = side
    f.amount = n


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8), inline=True)
def apply_damage_keywords(g, t, ref, n, source):
    """Apply the keywords of a source of damage: freeze, poison, lifesteal.

    Wiki, Stealth: a minion loses Stealth when it deals damage in any way.
    """
    by = g.char[source].keywords | g.char[source].aura_keywords
    g.char[source].keywords &= ~STEALTHS
    if (by & Keyword.FREEZES) != 0:
        freeze(g, ref)
    if poisons(g, source, ref):
        g.char[ref].keywords |= Keyword.TO_BE_DESTROYED
        g.dying = 1
    if (by & Keyword.LIFESTEAL) != 0:
        drain(g, t, side_of(source), n)


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def changed_damage(g, t, side, n, before):
    """Return n damage to a hero after the rules of its minions and weapon that came `before`."""
    s = g.side[side]
    cursor = np.int64(0)
    while True:
        uid, rules = np.int64(before), np.int64(0)  # the next in order of play
        for i in range(s.minions):
            c = g.char[minion_ref(side, s.row[i])]
            if (c.keywords & Keyword.SILENCED) == 0 and c.uid > cursor and c.uid < uid:
                if (t.card[c.card].rules & CHANGE_DAMAGE) != 0:
                    uid, rules = np.int64(c.uid), np.int64(t.card[c.card].rules)
        if s.weapon > 0 and s.weapon_uid > cursor and s.weapon_uid < uid:
            uid, rules = np.int64(s.weapon_uid), np.int64(t.card[s.weapon].rules)
        if uid == before:
            return n
        if (rules & Rule.HERO_TAKES_1) != 0:
            n = min(n, np.int64(1))
        if (rules & Rule.HERO_TAKES_DOUBLE) != 0:
            n *= 2
        cursor = uid


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def taker_for_hero(g, t, side):
    """Return the ref of the minion that takes a hero's damage, the hero itself if there is none."""
    taker = hero_of(side)
    for i in range(g.side[side].minions):
        c = g.char[minion_ref(side, g.side[side].row[i])]
        k = t.card[c.card]
        takes = (k.rules & Rule.TAKES_FOR_HERO) != 0 and k.takes_for_neighbors == 0
        if takes and (c.keywords & Keyword.SILENCED) == 0:
            if is_hero(taker) or c.uid < g.char[taker].uid:
                taker = minion_ref(side, g.side[side].row[i])
    return taker


@kernel(I8(GAME_T, TABLES_T, I8), cold=True)
def taker_for_minion(g, t, ref):
    """Return the ref of the minion that takes a minion's damage, itself if there is none.

    Our choice: of two the older one takes it, and no other minion takes it from that one.
    """
    side, place, taker = side_of(ref), board_position(g, ref), np.int64(ref)
    for beside in (place - 1, place + 1):
        if beside >= 0 and beside < g.side[side].minions:
            guard = minion_ref(side, g.side[side].row[beside])
            c = g.char[guard]
            if t.card[c.card].takes_for_neighbors == 1 and (c.keywords & Keyword.SILENCED) == 0:
                if taker == ref or c.uid < g.char[taker].uid:
                    taker = guard
    return taker


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8), inline=True)
def take_damage(g, t, ref, n, source):
    """Deal n damage, above 0, to a character that is not Immune; return what counts as dealt.

    hearthstone.gamepedia.com, Imp-losion: that is all of it where Commanding Shout keeps a minion
    at 1 health.
    """
    c, lost = g.char[ref], n
    if has_shield(g, ref):
        c.keywords &= ~Keyword.DIVINE_SHIELD
        announce(g, Event.SHIELD_LOST, side_of(ref), c.card, ref, NONE, 0)
        return 0
    if is_hero(ref):
        s = g.side[side_of(ref)]
        if is_fatal(g, ref, n) and prevent_fatal_damage(g, t, side_of(ref)):
            return 0
        blocked = min(np.int64(s.armor), n)
        s.armor -= blocked
        g.stale |= (g.reach & Reach.ARMOR) != 0
        s.counter[Counter.HERO_HURT] = g.turn * t.asks_hurt
        s.counter[Counter.HERO_DAMAGE] += n * t.asks_harm
        c.health -= n - blocked
    else:
        if is_unbreakable(g, side_of(ref)):
            lost = min(n, np.int64(c.health) - 1)
            if lost <= 0:
                return n
        c.health -= lost
        mark_auras_stale(g, t, ref)
    if c.health <= 0:
        g.dying = 1
    if source >= 0:
        apply_damage_keywords(g, t, ref, n, source)
    announce(g, Event.DAMAGED, side_of(ref), c.card, ref, source, n)
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def deal_changed_damage(g, t, hurt, n, source):
    """Deal n damage to a character whose damage something may change or take.

    Rulebook: what changes damage to a hero acts in order of play, before it is dealt.
    """
    if not is_hero(hurt):
        ref = taker_for_minion(g, t, hurt)
        return np.int64(0) if is_immune(g, ref) else take_damage(g, t, ref, n, source)
    hero = hurt
    ref = taker_for_hero(g, t, side_of(hero))
    c = g.char[ref]
    n = changed_damage(g, t, side_of(ref), n, g.next_uid if ref == hero else c.uid)
    if is_immune(g, ref):
        return 0
    return take_damage(g, t, ref, n, source)


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def deal_damage(g, t, ref, n, source):
    """Deal n damage to a character; return what counts as dealt.

    `source` is a ref, NONE, or `spell_of` or `effect_of` a player.
    """
    if n <= 0 or is_immune(g, ref):
        return 0
    if (t.late == 1 or is_hero(ref)) and is_damage_changed(g, side_of(ref)):
        return deal_changed_damage(g, t, ref, n, source)
    return take_damage(g, t, ref, n, source)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def restore_health(g, t, side, ref, n):
    """Restore n health by a player's effect; with Auchenai's rule, deal damage instead."""
    if ((g.side[side].rules | g.side[side].turn_rules) & Rule.HEALING_HURTS) != 0:
        deal_damage(g, t, ref, n, effect_of(side))
    else:
        heal(g, t, ref, n, side)


@kernel(VOID(GAME_T, I8))
def mark_destroyed(g, ref):
    """Destroy a character; it leaves in the next death step."""
    g.char[ref].keywords |= Keyword.TO_BE_DESTROYED
    g.dying = 1
