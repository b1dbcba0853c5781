"""The operations that deal damage and restore health."""

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter, Event, Is, Keyword, Kind, Rule, Selector, Sequence
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import is_hero, minion_ref, side_of
from hsevo.engine.record.state import (
    GAME_T,
    NONE,
    announce,
    effect_of,
    is_in_play,
    push,
    random_below,
    spell_of,
)
from hsevo.engine.rules.auras import spell_damage_of
from hsevo.engine.rules.health import deal_damage, drain, restore_health
from hsevo.engine.rules.query import (
    IMMUNITY,
    attack_of,
    has_keyword,
    is_dormant,
    is_dying,
    ref_if_in_play,
)
from hsevo.engine.rules.select import (
    add_matching_minions,
    add_matching_neighbours,
    keep_random,
    plain_amount,
    row_amount,
    select_characters,
    sort_list,
)

CAN_NOT_ATTACK = int(Keyword.FROZEN | Keyword.DORMANT)
DOUBLING = int(Rule.DOUBLE_SPELLS | Rule.POWER_HITS_HARDER)
MOST_BOUNCES = 80  # hearthstone.wiki.gg, Bouncing Blade

@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def select_affected(g, t, i):
    """Fill the list with the characters that frame i's row affects, in order of play.

    Rulebook: an effect on several characters affects them in the order in which they entered play.
    """
    f = g.stack[i]
    r = t.row[f.pc]
    if r.who == Selector.TARGET and r.test == Is.ANYTHING and r.pick == 0:  # most rows
        g.list[0] = f.target
        g.n_list = is_in_play(g, f.target, f.target_uid)
        return
    select_characters(g, t, i, r.who, r.test, r.arg, r.pick)
    if g.n_list > 1 and r.pick == 0:
        sort_list(g)


@kernel(I8(GAME_T, TABLES_T, I8, I8, BOOL), cold=True)
def doubled(g, t, side, n, power):
    """Double n once for each minion of a player that doubles its spells, or its hero power.

    Wiki, Prophet Velen.
    """
    s, times = g.side[side], np.int64(0)
    for i in range(s.minions):
        c = g.char[minion_ref(side, s.row[i])]
        if (c.keywords & Keyword.SILENCED) == 0:
            times += (t.card[c.card].rules & Rule.DOUBLE_SPELLS) != 0
            times += power and t.card[c.card].doubles_power == 1
    if (s.rules & Rule.DOUBLE_SPELLS) != 0:
        times = max(times, 1)  # 1: it has left, but its rule has not ended yet
    return n << times


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def with_doubling(g, t, i, n):
    """Double n if frame i is a spell or hero power whose owner has such a rule."""
    f = g.stack[i]
    kind, rules = t.card[f.card].kind, np.int64(g.side[f.side].rules)
    if (rules & DOUBLING) == 0:
        return n
    spell = kind == Kind.SPELL and (rules & Rule.DOUBLE_SPELLS) != 0
    power = kind == Kind.POWER
    return doubled(g, t, f.side, n, power) if spell or power else n


@kernel(I8(GAME_T, TABLES_T, I8))
def power_damage(g, t, side):
    """Return what a player's minions add to the damage of its hero power."""
    s, n = g.side[side], np.int64(0)
    for i in range(s.minions):
        c = g.char[minion_ref(side, s.row[i])]
        if (c.keywords & Keyword.SILENCED) == 0:
            n += t.card[c.card].power_damage
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def with_spell_damage(g, t, i, n):
    """Add Spell Damage, or what adds to hero powers, to n; then double it by the owner's rule."""
    f = g.stack[i]
    if t.card[f.card].kind == Kind.SPELL:
        n += spell_damage_of(g, t, f.side) * t.row[f.pc].spell_damage
    elif ((g.side[f.side].rules | g.side[f.side].turn_rules) & Rule.POWER_HITS_HARDER) != 0:
        if t.card[f.card].kind == Kind.POWER:
            n += power_damage(g, t, f.side) + g.side[f.side].counter[Counter.POWER_DAMAGE_NOW]
    return with_doubling(g, t, i, n)


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def source_of(g, t, i):
    """Return the source of frame i's damage: a ref, or `spell_of` or `effect_of` its owner."""
    f = g.stack[i]
    if t.card[f.card].kind == Kind.SPELL:
        return spell_of(np.int64(f.side))
    own = ref_if_in_play(g, f.ref, f.uid)
    return own if own >= 0 else effect_of(np.int64(f.side))


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def is_draining(g, t, i):
    """Return whether the damage of frame i, which no minion deals, heals its owner."""
    f = g.stack[i]
    if (t.card[f.card].keywords & Keyword.LIFESTEAL) != 0:
        return True
    lent = g.side[f.side].counter[Counter.SPELLS_DRAIN] > 0
    return lent and t.card[f.card].kind == Kind.SPELL


@kernel(VOID(GAME_T, I8, I8), cold=True)
def note_power(g, i, dealt):
    """Note the damage that the hero power of frame i has dealt to the list, and what it killed."""
    f = g.stack[i]
    g.side[f.side].counter[Counter.POWER_DAMAGE] += dealt
    for k in range(g.n_list if dealt > 0 else 0):
        ref = np.int64(g.list[k])
        if not is_hero(ref) and g.char[ref].health <= 0:
            announce(g, Event.POWER_KILLED, np.int64(f.side), f.card, ref, NONE, 0)


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def do_damage(g, t, i):
    """DAMAGE."""
    select_affected(g, t, i)
    f = g.stack[i]
    dealt = np.int64(0)
    by_target = t.row[f.pc].by_target == 1
    source = ref_if_in_play(g, f.target, f.target_uid) if by_target else source_of(g, t, i)
    drains = source < 0 and is_draining(g, t, i)
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        n = with_spell_damage(g, t, i, row_amount(g, t, i, ref))
        if deal_damage(g, t, ref, n, source) > 0:
            dealt += n
            if drains:
                drain(g, t, np.int64(f.side), n)
    if t.row[f.pc].counted == 1:
        f.amount = dealt
        if t.asks_power == 1 and t.card[f.card].kind == Kind.POWER:
            note_power(g, i, dealt)


@kernel(BOOL(GAME_T, I8, I8))
def repeat_row(g, i, n):
    """Count frame i's row down from n; return whether it is to run, and then run it again."""
    f = g.stack[i]
    if f.left == 0:
        f.left = n + 1
    f.left -= 1
    if f.left <= 0:
        f.left = 0
        return False
    f.pc -= 1  # who runs the row advances it
    return True


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_missiles(g, t, i):
    """MISSILES: one point at a time, resolving what each triggers."""
    f = g.stack[i]
    r = t.row[f.pc]
    n = plain_amount(g, t, i) if f.left == 0 else np.int64(0)
    if f.left == 0 and t.card[f.card].kind == Kind.SPELL:
        n = with_doubling(g, t, i, n + spell_damage_of(g, t, f.side) * r.spell_damage)
    if not repeat_row(g, i, n):
        return
    select_characters(g, t, i, r.who, r.test, r.arg, 1)
    if g.n_list > 0:
        source = source_of(g, t, i)
        dealt = deal_damage(g, t, g.list[0], 1, source)
        if dealt > 0 and source < 0 and is_draining(g, t, i):
            drain(g, t, np.int64(f.side), dealt)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_heal(g, t, i):
    """HEAL."""
    select_affected(g, t, i)
    for k in range(g.n_list):
        ref = np.int64(g.list[k])
        restore_health(g, t, g.stack[i].side, ref, with_doubling(g, t, i, row_amount(g, t, i, ref)))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def do_heal_split(g, t, i):
    """HEAL_SPLIT: one point at a time, resolving what each triggers."""
    f = g.stack[i]
    r = t.row[f.pc]
    n = with_doubling(g, t, i, plain_amount(g, t, i)) if f.left == 0 else np.int64(0)
    if not repeat_row(g, i, n):
        return
    select_characters(g, t, i, r.who, r.test, r.arg, 1)
    if g.n_list > 0:
        restore_health(g, t, f.side, g.list[0], 1)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def do_attack(g, t, i):
    """ATTACK: this minion attacks a character; its own attacks of the turn are still left.

    A minion that is frozen or has no attack does not. Taunt and Stealth do not matter.
    """
    select_affected(g, t, i)
    f = g.stack[i]
    own = ref_if_in_play(g, f.ref, f.uid)
    if own < 0 or g.n_list == 0 or attack_of(g, own) <= 0:
        return
    if is_dying(g, own) or has_keyword(g, own, CAN_NOT_ATTACK):
        return
    g.attacker = own
    g.attacker_uid = f.uid
    g.defender = g.list[0]
    g.defender_uid = g.char[g.defender].uid
    g.struck = 0
    h = g.stack[push(g)]
    h.pc = t.sequence[Sequence.ATTACK]
    h.side = side_of(own)
    h.card = g.char[own].card
    h.ref = own
    h.uid = f.uid


@kernel(VOID(GAME_T))
def list_damageable_minions(g):
    """Fill the list with the minions that damage would hurt and that are not dying."""
    g.n_list = 0
    for side in range(2):
        s = g.side[side]
        least = 2 if (s.turn_rules & Rule.UNBREAKABLE) != 0 else 1
        for k in range(s.minions):
            ref = minion_ref(side, s.row[k])
            immune = has_keyword(g, ref, IMMUNITY)
            if g.char[ref].health >= least and not immune and not is_dying(g, ref):
                g.list[g.n_list] = ref
                g.n_list += 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_bounce(g, t, i):
    """BOUNCE: damage to a random minion, resolved, and again until that minion is dying."""
    f = g.stack[i]
    hit = ref_if_in_play(g, f.subject, f.subject_uid)
    over = f.left > 0 and (hit < 0 or is_dying(g, hit))
    list_damageable_minions(g)
    if over or g.n_list == 0 or f.left >= MOST_BOUNCES:
        return
    f.left += 1
    f.subject = g.list[random_below(g, g.n_list)]
    f.subject_uid = g.char[f.subject].uid
    dealt = deal_damage(
        g, t, f.subject, with_spell_damage(g, t, i, plain_amount(g, t, i)), NONE)
    if dealt > 0 and is_draining(g, t, i):
        drain(g, t, np.int64(f.side), dealt)
    f.pc -= 1  # who runs the row advances it


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def force_attack(g, t, own, defender):
    """Begin an attack of a minion on a character, besides those that it may make in its turn."""
    if is_dying(g, own) or attack_of(g, own) <= 0:
        return
    g.attacker = own
    g.attacker_uid = g.char[own].uid
    g.defender = defender
    g.defender_uid = g.char[defender].uid
    g.struck = 0
    f = g.stack[push(g)]
    f.pc = t.sequence[Sequence.ATTACK]
    f.side = side_of(own)
    f.card = g.char[own].card
    f.ref = own
    f.uid = g.char[own].uid


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def do_attack_neighbor(g, t, i):
    """ATTACK_NEIGHBOR."""
    select_affected(g, t, i)
    if g.n_list == 0:
        return
    own = np.int64(g.list[0])
    g.n_list = 0
    add_matching_neighbours(g, t, own, Is.ANYTHING, 0, True)
    keep_random(g, 1)
    if g.n_list > 0:
        force_attack(g, t, own, np.int64(g.list[0]))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def target_attacks(g, t, i):
    """TARGET_ATTACKS."""
    select_affected(g, t, i)
    own = ref_if_in_play(g, g.stack[i].target, g.stack[i].target_uid)
    if own >= 0 and g.n_list > 0:
        force_attack(g, t, own, np.int64(g.list[0]))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def all_attack(g, t, i):
    """ALL_ATTACK: one attack, resolved, after the other; the frame keeps who attacked last.

    Minions that come meanwhile do not attack, but they may be attacked.
    """
    f = g.stack[i]
    if f.second == 0:
        f.second = g.next_uid
    own = NONE
    for side in range(2):
        for k in range(g.side[side].minions):
            ref = minion_ref(side, g.side[side].row[k])
            uid = np.int64(g.char[ref].uid)
            waits = uid > f.first and uid < f.second and not is_dormant(g, ref)
            if waits and (own < 0 or uid < g.char[own].uid):
                own = ref
    if own < 0:
        return
    f.first = g.char[own].uid
    f.pc -= 1  # who runs the row advances it
    g.n_list = 0
    for side in range(2):
        add_matching_minions(g, t, side, own, NONE, Is.ANYTHING, 0, True)
    keep_random(g, 1)
    if g.n_list > 0:
        force_attack(g, t, own, np.int64(g.list[0]))


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def do_fight(g, t, i):
    """FIGHT: the target attacks the minion that was put into play last, on the other side."""
    f = g.stack[i]
    own, enemy = ref_if_in_play(g, f.target, f.target_uid), np.int64(g.last)
    if own >= 0 and enemy >= 0 and side_of(own) != side_of(enemy) and g.char[enemy].card > 0:
        force_attack(g, t, own, enemy)


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def run_health(g, t, i, op):
    """Run frame i's row, an operation of Group.HEALTH."""
    if op == Op.DAMAGE:
        do_damage(g, t, i)
    elif op == Op.HEAL:
        do_heal(g, t, i)
    elif op == Op.MISSILES:
        do_missiles(g, t, i)
    elif op == Op.BOUNCE:
        do_bounce(g, t, i)
    elif op == Op.HEAL_SPLIT:
        do_heal_split(g, t, i)
    elif op == Op.ATTACK:
        do_attack(g, t, i)
    elif op == Op.ATTACK_NEIGHBOR:
        do_attack_neighbor(g, t, i)
    elif op == Op.TARGET_ATTACKS:
        target_attacks(g, t, i)
    elif op == Op.ALL_ATTACK:
        all_attack(g, t, i)
    elif op == Op.FIGHT:
        do_fight(g, t, i)
