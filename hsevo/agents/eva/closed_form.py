"""Equation 1 of an action that can be forecast, without making it (engine/forecast/outcomes.py).

The same terms in the same order as in equations.py, so that it is the same number. An action that
may do more than the forecast knows has the score NAN: it has to be simulated.
"""

import numpy as np

from hsevo.agents.eva.equations import BMA, BMR, killed, side_sum, weakened, worth
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scratch import DECISION_T
from hsevo.cards.terms import Forecast, Kind
from hsevo.engine.forecast.listeners import forget_gains, gained_by
from hsevo.engine.forecast.outcomes import (
    LEAVES,
    UNKNOWN,
    are_spells_changed,
    breaks_weapon,
    can_forecast_arming,
    can_forecast_attack,
    hit,
    hit_attacker,
    hit_defender,
    is_alone,
    is_unmissed,
    newcomer,
    number_of,
    predicted_healing,
    source_of_text,
    text_of,
)
from hsevo.engine.game.moves import ref_at, target_ref
from hsevo.engine.jit import F8, I8, TABLES_T, U8, kernel
from hsevo.engine.record.codec import (
    POWER,
    attacker_of,
    defender_of,
    hand_of,
    hero_of,
    is_attack,
    is_hero,
    is_kept,
    is_play,
    is_power,
    minion_ref,
    side_of,
    target_of,
)
from hsevo.engine.record.state import (
    GAME_T,
    MAX_MANA,
    MOST,
    NONE,
)
from hsevo.engine.rules.costs import cost_of, costs_health, power_cost
from hsevo.engine.rules.query import attack_of, minion_attack


@kernel(I8(GAME_T, I8), inline=True)
def attack_lost(g, ref):
    """Return what a minion loses of its attack: what it gains by damage to others, negative."""
    c, gained = g.char[ref], gained_by(g, ref)
    return minion_attack(g, ref) - max(c.attack + min(gained, MOST - c.attack), 0)


@kernel(F8(GAME_T, AGENT_T, DECISION_T, I8, I8, F8))
def with_gains(g, a, d, side, ref, change):
    """Return eqs. 4-5 for one side: the change of `ref`, and what others gain by it."""
    total = 0.0
    for other in range(minion_ref(side, 0), hero_of(side)):
        if other == ref:
            total += change
        elif gained_by(g, other) > 0:
            total += weakened(a, d.value[other], 0, attack_lost(g, other))
    return total


@kernel(F8(GAME_T, AGENT_T, DECISION_T, I8, I8, F8), inline=True)
def minions_sum(g, a, d, side, ref, change):
    """Return eqs. 4-5 for one side, if a minion, or NONE, changed by so much."""
    return 0.0 + change if g.n_list == 0 else with_gains(g, a, d, side, ref, change)


@kernel(F8(GAME_T, AGENT_T, DECISION_T, I8, I8, I8), inline=True)
def loss_change(g, a, d, ref, lost, attack):
    """Return eqs. 2-3 for the side of a character that lost health and attack."""
    side = side_of(ref)
    if is_hero(ref):
        return side_sum(a, lost, attack, 0, minions_sum(g, a, d, side, NONE, 0.0))
    change = weakened(a, d.value[ref], lost, attack)
    return side_sum(a, 0, 0, 0, minions_sum(g, a, d, side, ref, change))


@kernel(F8(GAME_T, AGENT_T, DECISION_T, I8, I8, I8), inline=True)
def victim_change(g, a, d, ref, lost, attack):
    """Return eqs. 2-3 for the side of a character that was hit (outcomes.hit).

    attack: what a hero lost of it.
    """
    if lost == LEAVES:
        change = killed(a, d.value[ref])
        return side_sum(a, 0, 0, 0, minions_sum(g, a, d, side_of(ref), ref, change))
    lost_attack = attack if is_hero(ref) or g.n_list == 0 else attack_lost(g, ref)
    return loss_change(g, a, d, ref, lost, lost_attack)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8))
def score_attack(g, t, a, d, move):
    """Return eq. 1 for an attack; NAN if it can't be forecast."""
    me = np.int64(g.me)
    by, on = ref_at(g, me, attacker_of(move)), ref_at(g, 1 - me, defender_of(move))
    if not can_forecast_attack(g, t, by, on):
        return np.nan
    forget_gains(g)
    dealt, taken = hit_defender(g, t, by, on), hit_attacker(g, t, by, on)
    if dealt == UNKNOWN or taken == UNKNOWN:
        return np.nan
    lost = np.int64(0)
    if is_hero(by) and breaks_weapon(g, me):
        lost = attack_of(g, by) - max(np.int64(g.char[by].attack), 0)
    change = victim_change(g, a, d, on, dealt, 0) - victim_change(g, a, d, by, taken, lost)
    return change - a.w[BMR] * 0


@kernel(F8(TABLES_T, AGENT_T, I8, I8, I8), inline=True)
def printed_value(t, a, card, attack, health):
    """Return the value of a new minion, with what was added to its card."""
    k = t.card[card]
    return worth(t, a, card, k.health + health, max(k.attack + attack, 0), k.keywords)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, I8, I8), inline=True)
def target_change(g, t, a, d, card, text, ref):
    """Return eqs. 2-3 for the side of a text's target; NAN if more may happen."""
    if ref < 0:
        return np.nan
    n = number_of(g, t, card)
    if text == Forecast.DAMAGE:
        lost = hit(g, t, ref, n, source_of_text(g, t, card), False)
        return victim_change(g, a, d, ref, lost, 0) if lost != UNKNOWN else np.nan
    if text == Forecast.HEALING:
        healed = predicted_healing(g, t, ref, n)
        return loss_change(g, a, d, ref, -healed, 0) if healed != UNKNOWN else np.nan
    if not is_unmissed(g, t, ref):
        return np.nan
    new = t.row[t.card[card].play].card
    change = killed(a, d.value[ref]) - a.w[BMA] * printed_value(t, a, new, 0, 0)
    return side_sum(a, 0, 0, 0, change)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8, U8), inline=True)
def newcomer_change(g, t, a, card, stream):
    """Return eqs. 4-5 for the minion that a text summons, if any; NAN if it changes more."""
    k = t.card[card]
    new = newcomer(g, t, k.brings, stream) if k.brings > 0 else np.int64(0)
    if new == 0:
        return 0.0
    if (t.card[new].watch & k.raised) != 0 or not is_alone(g, t, new, g.me):
        return np.nan
    return 0.0 - a.w[BMA] * printed_value(t, a, new, 0, 0)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, I8, I8, U8))
def score_text(g, t, a, d, card, ref, cost, stream):
    """Return eq. 1 for a spell or hero power at a target, or NONE; NAN if it can't be forecast."""
    text = text_of(g, t, card)
    if text == Forecast.UNKNOWN or are_spells_changed(g):
        return np.nan
    forget_gains(g)
    minions = newcomer_change(g, t, a, card, stream)
    if text == Forecast.DAMAGE or text == Forecast.HEALING or text == Forecast.BECOMES:
        hurt, mine = target_change(g, t, a, d, card, text, ref), side_of(ref) == g.me
        if t.card[card].brings > 0 and (mine or g.n_list > 0):
            return np.nan  # two changes on one side
        others = minions_sum(g, a, d, 1 - side_of(ref), NONE, minions)
        rest = side_sum(a, 0, 0, 0, others)
        return (rest - hurt if mine else hurt - rest) - a.w[BMR] * cost
    n, mana = number_of(g, t, card), np.int64(g.side[g.me].mana)
    if text == Forecast.MANA:
        cost = mana - min(mana - cost + n, MAX_MANA)
    armor, secrets = n if text == Forecast.ARMOR else np.int64(0), np.int64(text == Forecast.SECRET)
    mine = side_sum(a, -armor, 0, -secrets, minions)
    return side_sum(a, 0, 0, 0, 0.0) - mine - a.w[BMR] * cost


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8, I8, U8))
def score_card(g, t, a, hand, cost, stream):
    """Return eq. 1 for a minion or weapon; NAN if it can't be forecast."""
    me, x = np.int64(g.me), g.side[g.me].hand[hand]
    card, attack = np.int64(x.card), np.int64(0)
    if text_of(g, t, card) == Forecast.UNKNOWN or (t.keeps_given == 1 and is_kept(x.joined)):
        return np.nan
    if t.card[card].kind == Kind.MINION:
        if not is_alone(g, t, card, me):
            return np.nan
        minions = 0.0 - a.w[BMA] * printed_value(t, a, card, x.attack, x.health)
    else:
        if not can_forecast_arming(g, t):
            return np.nan
        minions = newcomer_change(g, t, a, card, stream)
        hero = hero_of(me)
        armed = np.int64(g.char[hero].attack) + t.card[card].attack + x.attack
        attack = attack_of(g, hero) - max(armed, 0)
    change = side_sum(a, 0, 0, 0, 0.0) - side_sum(a, 0, attack, 0, minions)
    return change - a.w[BMR] * cost


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, U8), inline=True)
def score_play(g, t, a, d, move, stream):
    """Return eq. 1 for a card played; NAN if it can't be forecast."""
    me, i = np.int64(g.me), hand_of(move)
    card = np.int64(g.side[me].hand[i].card)
    k = t.card[card]
    if k.forecast == Forecast.UNKNOWN or costs_health(g, t, me, card):
        return np.nan
    cost = cost_of(g, t, me, i)
    if k.kind == Kind.SPELL:
        return score_text(g, t, a, d, card, target_ref(g, target_of(move)), cost, stream)
    return score_card(g, t, a, i, cost, stream)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, U8), inline=True)
def score_power(g, t, a, d, move, stream):
    """Return eq. 1 for a use of the hero power; NAN if it can't be forecast."""
    power = np.int64(g.side[g.me].power)
    if t.card[power].forecast == Forecast.UNKNOWN:
        return np.nan
    ref, cost = target_ref(g, move - POWER), power_cost(g, t, g.me)
    return score_text(g, t, a, d, power, ref, cost, stream)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, U8), inline=True)
def score_in_closed_form(g, t, a, d, move, stream):
    """Return eq. 1 for an action without making it; NAN if it may do more than is forecast.

    `stream` is the random stream with which a simulation would begin.
    """
    if is_attack(move):
        return score_attack(g, t, a, d, move)
    if is_power(move):
        return score_power(g, t, a, d, move, stream)
    return score_play(g, t, a, d, move, stream) if is_play(move) else np.nan
