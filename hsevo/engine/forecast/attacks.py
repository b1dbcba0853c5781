"""Attacks, with no more of the stack than what answers them needs.

The sequence of an attack (cards/sequences.py) announces it, lets auras settle, strikes, announces
that it was made, and removes the dead. Nearly half of all simulated actions are attacks, and most
of those rows find nothing to do. So if nobody listens to either event, the rows are passed over,
and

    the blow              is that of the sequence: turn.do_strike
    the events of damage  are dropped, if listeners.py finds that nothing reacts to them except by
                          gaining attack, which is given
    the fallen            leave as in deaths.remove_dead: only the two fighters and the attacker's
                          weapon can be among them
    auras                 are counted anew as in turn.do_deaths

The rest of the phase runs on the stack as soon as there is more: reactions, Deathrattles, a dying
hero. So do all attacks that can hurt a third character. Either way leaves the same game, to the
byte (tests/rules/test_attacks.py).
"""

from hsevo.cards.ops import Op
from hsevo.cards.terms import Event, Keyword, Rule
from hsevo.engine.forecast.listeners import forget_gains, frame_has_listener
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.turn import PASSES, begin_attack, do_strike, resolve_stack
from hsevo.engine.record.codec import is_hero, side_of
from hsevo.engine.record.state import GAME_T, reverse
from hsevo.engine.rules.auras import refresh, update_tags
from hsevo.engine.rules.board import buff, destroy_weapon, remove_from_play
from hsevo.engine.rules.deaths import die
from hsevo.engine.rules.query import is_dying

ANNOUNCED = 1 << Event.ATTACKS | 1 << Event.AFTER_ATTACK


@kernel(BOOL(GAME_T), inline=True)
def is_settled(g):
    """Return whether the phase on the stack is alone, and a death step would do nothing."""
    return g.depth == 1 and g.stale == 0 and g.dying == 0


@kernel(BOOL(GAME_T, I8), inline=True)
def is_duel(g, attacker):
    """Return whether only two fighters and a weapon can fall."""
    rules = (g.side[0].rules | g.side[1].rules) & Rule.TAKES_FOR_HERO
    return rules == 0 and (g.char[attacker].keywords & Keyword.CLEAVE) == 0


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
    """Remove the fallen, and count auras anew: the death step after the blow, turn.do_deaths."""
    if g.dying == 1:
        remove_fallen(g, t, attacker, defender)
    for _ in range(PASSES):
        if g.depth == 1 and g.stale == 1:
            refresh(g, t)


@kernel(VOID(GAME_T, TABLES_T, BOOL))
def pass_rows(g, t, strike_only):
    """Have the attack on the stack go on after the blow, or else at the death step after it."""
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
