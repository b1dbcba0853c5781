"""Outcomes: what an action that nothing answers does, without making it.

It can be forecast if it hits one or two characters, heals one or turns it into another, or gives
its player a minion, a weapon, armour, mana, cards or a secret: nothing else that look-aheads see,
except that minions may gain attack whenever damage is dealt (Frothing Berserker). Which texts do no
more than that is found once, when cards become tables (cards/forecast.py). The outcome is a few
numbers:

    UNKNOWN   more may happen: make the action on a copy of the game (moves.make_move)
    LEAVES    the character, a minion, leaves play
    n         it loses n health (a hero: armour first)

It can't be if one of these may act, each behind the test that the rules themselves use:

    listeners to what happens                            listeners.has_listener
    rules that change damage, or its target            health.is_damage_changed, is_unbreakable
    Lifesteal, damage to neighbours                      the keywords OTHERS
    a dying hero                                         health.prevent_fatal_damage, deaths
    Deathrattles                                         deaths.has_own_deathrattle
    auras that are counted again, and give something else:
        after damage, a death, a new minion              board.has_enrage, is_alone
        a new or broken weapon, a hero's attack          is_weapon_missed, counts_attacks
        a card played                                    counts_hands
    rules for spells and hero powers                     POWERFUL, Rule.RANDOM_TARGETS
    fatigue, cards that act when drawn or from the hand  can_forecast_draws

Attacks use no more of the stack than what answers them needs. The sequence of an attack
(cards/sequences.py) announces it, lets auras settle, strikes, announces that it was made, and
removes the dead. Nearly half of all simulated actions are attacks, and most of those rows find
nothing to do. So if nobody listens to either event, the rows are passed over, and

    the blow              is that of the sequence: turn.do_strike
    the events of damage  are dropped, if listeners.py finds that nothing reacts to them except by
                          gaining attack, which is given
    the fallen            leave as in deaths.remove_dead: only the two fighters and the attacker's
                          weapon can be among them
    auras                 are counted again as in turn.do_deaths

The rest of the phase runs on the stack as soon as there is more: reactions, Deathrattles, a dying
hero. So do all attacks that can hurt a third character. Either way leaves the same game, to the
byte (tests/rules/test_attacks.py).
"""

from __future__ import annotations

import numpy as np

from hsevo.cards.ops import Op
from hsevo.cards.terms import Counter, Event, Forecast, Keyword, Kind, Noted, Reach, Rule
from hsevo.engine.forecast.listeners import ANY_CARD, forget_gains, frame_has_listener, has_listener
from hsevo.engine.jit import BOOL, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.operations.summons import count_missing, missing_card, next_golem
from hsevo.engine.operations.turn import PASSES, begin_attack, do_strike, resolve_stack
from hsevo.engine.record.codec import card_in, hero_of, is_hero, minion_ref, side_of
from hsevo.engine.record.state import (
    FAIR,
    GAME_T,
    NONE,
    effect_of,
    number_below,
    reverse,
    spell_of,
)
from hsevo.engine.rules.auras import (
    attached_watch,
    dormant_watch,
    refresh,
    spell_damage_of,
    update_tags,
)
from hsevo.engine.rules.board import (
    are_minions_counted,
    buff,
    destroy_weapon,
    has_enrage,
    is_blunted,
    is_weapon_missed,
    remove_from_play,
)
from hsevo.engine.rules.deaths import die, has_own_deathrattle
from hsevo.engine.rules.health import (
    has_shield,
    healing,
    is_damage_changed,
    is_fatal,
    is_immune,
    is_unbreakable,
    poisons,
)
from hsevo.engine.rules.query import attack_of, has_keyword, is_dying, room
from hsevo.engine.rules.traces import has_echo

UNKNOWN, LEAVES = -1, -2
_ECHOES = int(Noted.ECHO | Noted.MINION)
# events of playing a card or power whose listeners need only the card: listeners.has_listener
SUMMONS = (int(Event.SUMMONED), int(Event.AFTER_SUMMONED))
KNOWN = (*SUMMONS, *(int(event) for event in (
    Event.PLAYED, Event.AFTER_PLAYED, Event.EQUIPPED, Event.OVERLOADED, Event.POWER_USED)))
KNOWN_BITS = sum(1 << event for event in KNOWN)
OTHERS = int(Keyword.LIFESTEAL | Keyword.CLEAVE)  # of a fighter: it changes a third character
FREEZES = int(Keyword.FREEZES)
POWERFUL = int(Rule.DOUBLE_SPELLS | Rule.POWER_HITS_HARDER | Rule.HEALING_HURTS)


@kernel(BOOL(GAME_T))
def can_forecast(g):
    """Return whether actions of the player to move can be forecast at all."""
    changed = is_damage_changed(g, 0) or is_damage_changed(g, 1)
    unbreakable = is_unbreakable(g, 0) or is_unbreakable(g, 1)
    twice = (g.side[g.me].turn_rules & Rule.NEXT_BATTLECRY_TWICE) != 0
    armored = (g.reach & Reach.ARMOR) != 0
    sized = g.side[g.me].counter[Counter.MINION_SIZE] > 0  # a new minion is not as printed
    plain = g.stale == 0 and g.dying == 0 and not changed and not unbreakable
    return plain and not twice and not armored and not sized


@kernel(I8(GAME_T, TABLES_T), cold=True)
def watch_but_secrets(g, t):
    """Return the events that something other than a secret may listen to, as bits."""
    bits = np.int64(0)
    for side in range(2):
        s = g.side[side]
        bits |= np.int64(s.deck_watch | s.hand_watch | t.card[s.weapon].watch)
        bits |= t.card[s.quest].watch | dormant_watch(g, t, side)
        for i in range(s.minions):
            ref = minion_ref(side, s.row[i])
            bits |= np.int64(t.card[g.char[ref].card].watch) | attached_watch(g, t, ref)
        bits |= attached_watch(g, t, hero_of(side))
    return g.watch & bits


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def watch_in(g, t, sight):
    """Return the events that something may listen to when the player to move looks ahead.

    Its own secrets wait for the opponent's turn, and fair look-aheads trigger none.
    """
    secrets = g.side[0].n_secrets + g.side[1].n_secrets > 0
    return watch_but_secrets(g, t) if secrets and sight == FAIR else np.int64(g.watch)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), inline=True)
def is_alone(g, t, card, side):
    """Return whether no aura changes when a minion of a card comes to or leaves a player's side."""
    k = t.card[card]
    return k.shared == 0 and (k.lends == 0 or g.auras == 0) and not are_minions_counted(g, side)


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def is_unmissed(g, t, ref):
    """Return whether no aura changes when a minion leaves play."""
    c = g.char[ref]
    enchanted = c.extra[0] != 0 or c.spell_damage != 0
    return not enchanted and is_alone(g, t, c.card, side_of(ref))


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def can_forecast_leaving(g, t, ref):
    """Return whether nothing happens when a minion dies, except that it leaves."""
    if has_own_deathrattle(g, t, ref) or not is_unmissed(g, t, ref):
        return False
    return not has_listener(g, t, Event.DIED, side_of(ref), g.char[ref].card, ref, NONE, False)


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, BOOL), inline=True)
def hit(g, t, ref, n, source, poisonous):
    """Return what n damage does to a character: UNKNOWN, LEAVES or the health that it loses.

    `source` as in health.deal_damage. Attack that minions gain by it is noted: listeners.gained_by.
    """
    c = g.char[ref]
    if n <= 0 or is_immune(g, ref):
        return 0
    if has_shield(g, ref):
        return UNKNOWN if ((g.watch >> Event.SHIELD_LOST) & 1) != 0 else 0
    if has_listener(g, t, Event.DAMAGED, side_of(ref), c.card, ref, source, True):
        return UNKNOWN
    if is_hero(ref):
        return UNKNOWN if is_fatal(g, ref, n) else n
    if has_enrage(g, t, ref):
        return UNKNOWN
    if not is_fatal(g, ref, n) and not poisonous:
        return n
    return LEAVES if can_forecast_leaving(g, t, ref) else UNKNOWN


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def predicted_healing(g, t, ref, n):
    """Return how much health a character regains of n, as health.heal, or UNKNOWN."""
    healed = healing(g, ref, n)
    if healed <= 0:
        return 0
    card, source = np.int64(g.char[ref].card), effect_of(g.me)
    listened = has_listener(g, t, Event.HEALED, side_of(ref), card, ref, source, False)
    return UNKNOWN if listened or has_enrage(g, t, ref) else healed


# -- attacks --------------------------------------------------------------------------------------


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), inline=True)
def can_forecast_attack(g, t, attacker, defender):
    """Return whether an attack does nothing but hit its two characters, and wear a weapon."""
    card, others = g.char[attacker].card, OTHERS
    if ((g.watch >> Event.FROZEN) & 1) != 0:
        others |= FREEZES
    if has_keyword(g, attacker, others) or has_keyword(g, defender, others):
        return False
    if has_listener(g, t, Event.ATTACKS, g.me, card, attacker, defender, False):
        return False
    if has_listener(g, t, Event.AFTER_ATTACK, g.me, card, attacker, defender, False):
        return False
    return not is_hero(attacker) or can_forecast_weapon(g, t, side_of(attacker))


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def can_forecast_weapon(g, t, side):
    """Return whether a hero's attack changes only the durability of its weapon, if it has one."""
    s = g.side[side]
    if g.counts_attacks != 0 or is_blunted(g, t, side) or (s.rules & Rule.LASTING_WEAPON) != 0:
        return False
    return not breaks_weapon(g, side) or goes_unnoticed(g, t, side)


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def goes_unnoticed(g, t, side):
    """Return whether nothing happens when a player's weapon, if it has one, is destroyed."""
    silent = t.card[g.side[side].weapon].deathrattle == 0 and not is_weapon_missed(g, t, side)
    return silent and ((g.watch >> Event.WEAPON_DESTROYED) & 1) == 0


@kernel(BOOL(GAME_T, I8), inline=True)
def breaks_weapon(g, side):
    """Return whether a player's weapon breaks when it is used once more."""
    return g.side[side].weapon > 0 and g.side[side].durability == 1


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def hit_defender(g, t, attacker, defender):
    """Return what an attack does to the defender, as `hit`. Rule 6, as turn.do_strike."""
    return hit(g, t, defender, attack_of(g, attacker), attacker, poisons(g, attacker, defender))


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def hit_attacker(g, t, attacker, defender):
    """Return what an attack does to the attacker, as `hit`; heroes do not strike back."""
    if is_hero(defender):
        return 0
    return hit(g, t, attacker, attack_of(g, defender), defender, poisons(g, defender, attacker))


# -- cards and hero powers ------------------------------------------------------------------------


@kernel(BOOL(GAME_T, TABLES_T, I8))
def can_forecast_draws(g, t, n):
    """Return whether n cards, or twice as many, can be drawn: there is no fatigue, and no card
    acts when it is drawn, nor from the hand.
    """
    s = g.side[g.me]
    for k in range(s.n_deck):
        drawn = t.card[card_in(s.deck[k])]
        if drawn.drawn != 0 or drawn.hand_watch != 0:
            return False
    return s.n_deck >= 2 * n  # twice, if Battlecries run twice


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def use_has_listener(g, t, card):
    """Return whether anything may react to the use of a card or hero power, its text apart."""
    k = t.card[card]
    watched = np.int64(g.watch & k.raised)
    if watched == 0 or (watched & ~KNOWN_BITS) != 0:
        return watched != 0
    for event in KNOWN:
        of = ANY_CARD if k.brings > 0 and event in SUMMONS else card
        if ((watched >> event) & 1) == 1 and has_listener(g, t, event, g.me, of, NONE, NONE, False):
            return True
    return False


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def text_of(g, t, card):
    """Return the Forecast of a card or hero power that the player to move uses now."""
    k = t.card[card]
    if (k.noted & Noted.TWIN) != 0:
        return np.int64(Forecast.UNKNOWN)
    if (k.noted & _ECHOES) != 0 and has_echo(g, t, g.me, card, NONE):
        return np.int64(Forecast.UNKNOWN)
    hand_counts = g.counts_hands != 0 and (k.kind != Kind.POWER or k.draws > 0)
    if k.forecast == Forecast.UNKNOWN or (k.watch & k.raised) != 0 or hand_counts:
        return np.int64(Forecast.UNKNOWN)
    if (k.draws > 0 and not can_forecast_draws(g, t, k.draws)) or use_has_listener(g, t, card):
        return np.int64(Forecast.UNKNOWN)
    return np.int64(k.forecast)


@kernel(BOOL(GAME_T), inline=True)
def are_spells_changed(g):
    """Return whether rules change spells or hero powers of the player to move."""
    s = g.side[g.me]
    random = ((s.rules | g.side[1 - np.int64(g.me)].rules) & Rule.RANDOM_TARGETS) != 0
    return random or ((s.rules | s.turn_rules) & POWERFUL) != 0


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def source_of_text(g, t, card):
    """Return the source of the damage of a spell or hero power, as strikes.source_of."""
    return spell_of(g.me) if t.card[card].kind == Kind.SPELL else effect_of(g.me)


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def number_of(g, t, card):
    """Return the number of a Forecast: damage with Spell Damage, health, armour or mana."""
    k = t.card[card]
    r = t.row[k.play]
    spell = k.forecast == Forecast.DAMAGE and k.kind == Kind.SPELL
    return r.n + (spell_damage_of(g, t, np.int64(g.me)) * r.spell_damage if spell else 0)


@kernel(BOOL(GAME_T, TABLES_T), inline=True)
def can_forecast_arming(g, t):
    """Return whether a new weapon of the player to move acts once, and the old one goes unnoticed.
    """
    s = g.side[g.me]
    once = (s.rules & Rule.BATTLECRIES_TWICE) == 0
    return once and goes_unnoticed(g, t, np.int64(g.me))


@kernel(I8(GAME_T, TABLES_T, I8, U8))
def newcomer(g, t, row, stream):
    """Return the card that a row summons for the player to move, 0: none. Chance: the stream."""
    r, me = t.row[row], np.int64(g.me)
    if room(g, me) <= 0:
        return 0
    if r.op == Op.SUMMON_JADE:
        return next_golem(g, t, me, r.pool)
    if r.op == Op.SUMMON:
        return np.int64(r.card)
    n = count_missing(g, t, me, r.pool)
    return missing_card(g, t, me, r.pool, number_below(stream, n)) if n > 0 else np.int64(0)


ANNOUNCED = 1 << Event.ATTACKS | 1 << Event.AFTER_ATTACK


@kernel(BOOL(GAME_T), inline=True)
def is_settled(g):
    """Return whether the phase on the stack is alone, and a death step would do nothing."""
    return g.depth == 1 and g.stale == 0 and g.dying == 0


@kernel(BOOL(GAME_T, I8), inline=True)
def is_duel(g, attacker):
    """Return whether only two fighters and a weapon can fall."""
    rules = (g.side[0].rules | g.side[1].rules) & Rule.TAKES_FOR_HERO
    return rules == 0 and not has_keyword(g, attacker, Keyword.CLEAVE)


@kernel(VOID(GAME_T, TABLES_T))
def answer_blow(g, t):
    """Drop the events of damage if all that react to them are minions that gain attack by it."""
    forget_gains(g)
    for i in range(1, g.depth):
        revealed = g.stack[i].pc != 0  # a secret prevents fatal damage
        if revealed or frame_has_listener(g, t, i, True):
            return
    for k in range(g.n_list):
        buff(g, t, g.list[k], g.sums[g.list[k]].attack, 0)
    g.depth = 1


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def fall(g, t, ref):
    """Remove a minion that is dying."""
    die(g, t, ref)
    remove_from_play(g, t, ref)


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def remove_fallen(g, t, attacker, defender):
    """Remove the fighters and the weapon that fell, in order of play, unless a hero is dying.

    deaths.remove_dead in its place costs gsv 3 % of its speed (19 pairs of runs), as it looks at
    all minions.
    """
    by, on = is_dying(g, attacker), is_dying(g, defender)
    if (by and is_hero(attacker)) or (on and is_hero(defender)):
        return
    g.dying = 0
    s = g.side[side_of(attacker)]
    if s.weapon > 0 and s.durability <= 0:
        destroy_weapon(g, t, side_of(attacker))
    last = g.char[attacker].uid > g.char[defender].uid
    if by and not last:
        fall(g, t, attacker)
    if on:
        fall(g, t, defender)
    if by and last:
        fall(g, t, attacker)
    if g.stale == 1 and g.depth > 1:
        update_tags(g, t)


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def settle(g, t, attacker, defender):
    """Remove the fallen, and count auras again: the death step after the blow, turn.do_deaths."""
    if g.dying == 1:
        remove_fallen(g, t, attacker, defender)
    for _ in range(PASSES):
        if g.depth == 1 and g.stale == 1:
            refresh(g, t)


@kernel(VOID(GAME_T, TABLES_T, BOOL))
def pass_rows(g, t, strike_only):
    """Continue the attack on the stack after the blow, or else at the death step after it."""
    f = g.stack[0]
    while t.row[f.pc].op != Op.STRIKE:
        f.pc += 1
    f.pc += 1
    while t.row[f.pc].op != Op.DEATHS and not strike_only:
        f.pc += 1
    if g.depth > 2:
        reverse(g, 1)


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def make_attack(g, t, attacker, defender):
    """Make an attack with one character (ref) on another, and resolve all its effects."""
    begin_attack(g, t, attacker, defender)
    if (g.watch & ANNOUNCED) == 0 and is_settled(g) and is_duel(g, attacker):
        do_strike(g, t)
        if g.depth > 1:
            answer_blow(g, t)
        answered = g.depth > 1 or g.stale == 1
        if not answered:
            settle(g, t, attacker, defender)
            if is_settled(g):
                g.depth = 0
                return
        pass_rows(g, t, answered)
    resolve_stack(g, t)
