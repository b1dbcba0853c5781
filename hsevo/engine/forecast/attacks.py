"""Attacks, with no more of the stack than what answers them needs.

The sequence of an attack (cards/sequences.py) announces it, lets auras settle, strikes, announces
that it was made, and removes the dead. Nearly half of all simulated actions are attacks, and most
of those rows find nothing to do. So if nobody listens to either event, the rows are passed over,
and

    the blow              is that of the sequence: turn.do_strike
    the events of damage  are dropped, if listeners.py finds that nothing reacts to them except by
                          gaining attack, which is given
    the fallen            leave by deaths.remove_dead
    auras                 are counted anew as in turn.do_deaths

The rest of the phase runs on the stack as soon as there is more: reactions, Deathrattles, a dying
hero. So do all attacks that can hurt a third character. Either way leaves the same game, to the
byte (tests/rules/test_attacks.py).
"""

from hsevo.cards.ops import Op
from hsevo.cards.terms import Event, Keyword, Rule
from hsevo.engine.forecast.listeners import forget_gains, is_frame_heard
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.turn import PASSES, begin_attack, do_strike, resolve_stack
from hsevo.engine.record.codec import hero_of
from hsevo.engine.record.state import GAME_T, reverse
from hsevo.engine.rules.auras import refresh
from hsevo.engine.rules.board import buff
from hsevo.engine.rules.deaths import remove_dead
from hsevo.engine.rules.query import is_dying

OTHERS = int(Rule.TAKES_FOR_HERO | Rule.DEATHRATTLES_TWICE)
ANNOUNCED = 1 << Event.ATTACKS | 1 << Event.AFTER_ATTACK


@kernel(BOOL(GAME_T), inline=True)
def is_settled(g):
    """Return whether the phase on the stack is alone, and a death step would do nothing."""
    return g.depth == 1 and g.stale == 0 and g.dying == 0


@kernel(BOOL(GAME_T, I8), inline=True)
def is_duel(g, attacker):
    """Return whether only two fighters and a weapon can fall, and no rule ends by it."""
    rules = (g.side[0].rules | g.side[1].rules) & OTHERS
    return rules == 0 and (g.char[attacker].keywords & Keyword.CLEAVE) == 0


@kernel(VOID(GAME_T, TABLES_T))
def answer_blow(g, t):
    """Drop the events of damage if all that react to them are minions that gain attack by it."""
    forget_gains(g)
    for i in range(1, g.depth):
        revealed = g.stack[i].pc != 0  # a secret prevents fatal damage
        if revealed or is_frame_heard(g, t, i, True):
            return
    for k in range(g.n_list):
        buff(g, t, g.list[k], g.sums[g.list[k]].attack, 0)
    g.depth = 1


@kernel(VOID(GAME_T, TABLES_T), inline=True)
def settle(g, t):
    """Remove the dead, unless a hero is dying, and count auras anew: the death step after the blow.

    As in turn.do_deaths.
    """
    if g.dying == 1 and not is_dying(g, hero_of(0)) and not is_dying(g, hero_of(1)):
        remove_dead(g, t)
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
            settle(g, t)
            if is_settled(g):
                g.depth = 0
                return
        pass_rows(g, t, answered)
    resolve_stack(g, t)
