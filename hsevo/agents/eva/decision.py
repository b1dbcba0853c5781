"""EVA: the greedy agent whose 21 weights are evolved.

Each legal action except END TURN is simulated once on a copy of the game, one action deep, and its
change of state is scored by equations 1-8 of García-Sánchez et al. (2020); the best one is played.
END TURN scores 0. Ties go to the later action in the order of `moves.list_moves` (as in the
authors' program: an action that scores 0 is preferred to ending the turn, a minion goes to the
right). An open choice (Discover) is not simulated: all its options score 0, so the last is taken.

Of equal cards in hand only the last is simulated: playing the others is the same action. The score
of a quiet action (engine/forecast/quiet.py) is calculated without a simulation, from the same
terms in the same order, so that it is the same number. It counts as simulated: both were examined.

Information: `FAIR` look-aheads sample what the player can't know (draws, random effects, the
opponent's hand, see `unseen.deal_unseen`) and do not trigger the opponent's secrets; `LEAKY` ones
use the true deck order, hand and secrets, with random effects sampled anew for every action.
"""

import numpy as np

from hsevo.agents.eva.further_terms import wide_change, wide_side
from hsevo.agents.shared.agent import AGENT_T
from hsevo.agents.shared.scratch import DECISION_T
from hsevo.agents.shared.traits import has_further_terms
from hsevo.cards.terms import Keyword, Kind, Quiet
from hsevo.engine.forecast.listeners import forget_gains, gained_by
from hsevo.engine.forecast.quiet import (
    LEAVES,
    LOUD,
    are_spells_changed,
    breaks_weapon,
    can_be_quiet,
    hit,
    hit_attacker,
    hit_defender,
    is_alone,
    is_armed_quietly,
    is_quiet_attack,
    is_unmissed,
    newcomer,
    number_of,
    predicted_healing,
    source_of_text,
    text_of,
    watch_in,
)
from hsevo.engine.game.moves import list_moves, ref_at, target_ref
from hsevo.engine.game.trial import try_move
from hsevo.engine.jit import BOOL, F8, I8, TABLES_T, U8, VOID, kernel
from hsevo.engine.record.codec import (
    END,
    POWER,
    attacker_of,
    defender_of,
    hand_of,
    hero_of,
    is_attack,
    is_hero,
    is_play,
    is_power,
    minion_ref,
    side_of,
    target_of,
)
from hsevo.engine.record.state import (
    DRAW,
    GAME_T,
    MAX_MANA,
    MOST,
    NONE,
    RUNNING,
    Phase,
    lookahead_seed,
    mix,
)
from hsevo.engine.rules.costs import cost_of, costs_health, power_cost
from hsevo.engine.rules.query import attack_of, minion_attack

WIN = 1e300  # stands for +infinity

# weights.NAMES, by position
HHR, HAR, BMHR, BMAR, BMA, BMK, BSR, BMR = 0, 1, 2, 3, 4, 5, 6, 7
MH, MA, MHC, MHD, MHDS, MHI, MHLS = 8, 9, 10, 11, 12, 13, 14
MHS, MHT, MHW, MHP, MR, MM = 15, 16, 17, 18, 19, 20
_TRAITS = 0x1FFF | int(Keyword.STEALTH_TURN)  # a fast test for any keyword with a weight
_STEALTHS = int(Keyword.STEALTH | Keyword.STEALTH_TURN)


@kernel(F8(AGENT_T, I8))
def traits_of(a, marks):
    """Return the keyword part of a minion's value."""
    value = 0.0
    if marks & Keyword.CHARGE:
        value += a.w[MHC]
    if marks & Keyword.DEATHRATTLE:
        value += a.w[MHD]
    if marks & Keyword.DIVINE_SHIELD:
        value += a.w[MHDS]
    if marks & Keyword.INSPIRE:
        value += a.w[MHI]
    if marks & Keyword.LIFESTEAL:
        value += a.w[MHLS]
    if marks & _STEALTHS:
        value += a.w[MHS]
    if marks & Keyword.TAUNT:
        value += a.w[MHT]
    if marks & Keyword.WINDFURY:
        value += a.w[MHW]
    if marks & Keyword.POISONOUS:
        value += a.w[MHP]
    return value


@kernel(F8(TABLES_T, AGENT_T, I8, I8, I8, I8), inline=True)
def worth(t, a, card, health, attack, marks):
    """Return the value of a minion for agent a: eqs. 6-8, <w9..w21> . attributes."""
    k = t.card[card]
    value = health * a.w[MH] + attack * a.w[MA] + k.rarity * a.w[MR] + k.cost * a.w[MM]
    if marks & _TRAITS:
        value += traits_of(a, marks)
    return value


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8), inline=True)
def value_of(g, t, a, ref):
    """Return the value of a minion in play."""
    c = g.char[ref]
    return worth(t, a, c.card, c.health, minion_attack(g, ref), c.keywords | c.aura_keywords)


@kernel(F8(AGENT_T, F8, I8, I8), inline=True)
def weakened(a, value, health, attack):
    """Return eqs. 4-5 for a minion of that value that lost health and attack."""
    return (health * a.w[BMHR] + attack * a.w[BMAR]) * value


@kernel(F8(AGENT_T, F8), inline=True)
def killed(a, value):
    """Return eqs. 4-5 for a minion of that value that left play."""
    return a.w[BMK] * value


@kernel(F8(AGENT_T, I8, I8, I8, F8), inline=True)
def side_sum(a, health, attack, secrets, minions):
    """Return eqs. 2-3 for one side: its hero's losses, and those of its minions."""
    return a.w[HHR] * health + a.w[HAR] * attack + a.w[BSR] * secrets + minions


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8), inline=True)
def minions_change(g, h, t, a, d, side):
    """Return eqs. 4-5 for one side: what its minions lost from game g to its successor h."""
    total = 0.0
    for ref in range(minion_ref(side, 0), hero_of(side)):
        b, c = g.char[ref], h.char[ref]
        if b.head == c.head:
            continue
        if b.uid == c.uid and b.card > 0:
            attack = minion_attack(g, ref) - minion_attack(h, ref)
            total += weakened(a, d.value[ref], b.health - c.health, attack)
            continue
        if b.card > 0:
            total += killed(a, d.value[ref])
        if c.card > 0:  # ignore old values in an empty slot
            total -= a.w[BMA] * value_of(h, t, a, ref)
    return total


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T, I8), inline=True)
def side_change(g, h, t, a, d, side):
    """Return eqs. 2-3 for one side: what it lost from game g to its successor h."""
    hero = hero_of(side)
    s, z = g.side[side], h.side[side]
    health = (g.char[hero].health + s.armor) - (h.char[hero].health + z.armor)
    attack = attack_of(g, hero) - attack_of(h, hero)
    secrets = s.n_secrets - z.n_secrets
    return side_sum(a, health, attack, secrets, minions_change(g, h, t, a, d, side))


@kernel(F8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T), inline=True)
def score(g, h, t, a, d):
    """Return eq. 1 for the player to move in g: the score of the action that led to h."""
    me = np.int64(g.me)
    if h.result != RUNNING:
        return WIN if h.result == me + 1 or h.result == DRAW else -WIN
    spent = g.side[me].mana - h.side[me].mana
    change = side_change(g, h, t, a, d, 1 - me) - side_change(g, h, t, a, d, me)
    if has_further_terms(a):
        change += wide_change(h, t, a, me, d.wide[me], d.wide[1 - me])
    return change - a.w[BMR] * spent


# -- the same score without making the action, if that is quiet -----------------------------------


@kernel(I8(GAME_T, I8), inline=True)
def attack_lost(g, ref):
    """Return what a minion loses of its attack: what it gains by hearing of damage, negative."""
    c, gained = g.char[ref], gained_by(g, ref)
    return minion_attack(g, ref) - max(c.attack + min(gained, MOST - c.attack), 0)


@kernel(F8(GAME_T, AGENT_T, DECISION_T, I8, I8, F8))
def with_gains(g, a, d, side, ref, change):
    """Return eqs. 4-5 for one side: the change of `ref`, and what others gain by hearing of damage.
    """
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
    """Return eqs. 2-3 for the side of a character that was hit (quiet.hit).

    attack: what a hero lost of it.
    """
    if lost == LEAVES:
        change = killed(a, d.value[ref])
        return side_sum(a, 0, 0, 0, minions_sum(g, a, d, side_of(ref), ref, change))
    lost_attack = attack if is_hero(ref) or g.n_list == 0 else attack_lost(g, ref)
    return loss_change(g, a, d, ref, lost, lost_attack)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8))
def score_attack(g, t, a, d, move):
    """Return eq. 1 for an attack; NAN if it is loud."""
    me = np.int64(g.me)
    by, on = ref_at(g, me, attacker_of(move)), ref_at(g, 1 - me, defender_of(move))
    if not is_quiet_attack(g, t, by, on):
        return np.nan
    forget_gains(g)
    dealt, taken = hit_defender(g, t, by, on), hit_attacker(g, t, by, on)
    if dealt == LOUD or taken == LOUD:
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
    if text == Quiet.DAMAGE:
        lost = hit(g, t, ref, n, source_of_text(g, t, card), False)
        return victim_change(g, a, d, ref, lost, 0) if lost != LOUD else np.nan
    if text == Quiet.HEALING:
        healed = predicted_healing(g, t, ref, n)
        return loss_change(g, a, d, ref, -healed, 0) if healed != LOUD else np.nan
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
    """Return eq. 1 for a spell or hero power at a target, or NONE; NAN if it is loud."""
    text = text_of(g, t, card)
    if text == Quiet.LOUD or are_spells_changed(g):
        return np.nan
    forget_gains(g)
    minions = newcomer_change(g, t, a, card, stream)
    if text == Quiet.DAMAGE or text == Quiet.HEALING or text == Quiet.BECOMES:
        hurt, mine = target_change(g, t, a, d, card, text, ref), side_of(ref) == g.me
        if t.card[card].brings > 0 and (mine or g.n_list > 0):
            return np.nan  # two changes on one side
        others = minions_sum(g, a, d, 1 - side_of(ref), NONE, minions)
        rest = side_sum(a, 0, 0, 0, others)
        return (rest - hurt if mine else hurt - rest) - a.w[BMR] * cost
    n, mana = number_of(g, t, card), np.int64(g.side[g.me].mana)
    if text == Quiet.MANA:
        cost = mana - min(mana - cost + n, MAX_MANA)
    armor, secrets = n if text == Quiet.ARMOR else np.int64(0), np.int64(text == Quiet.SECRET)
    mine = side_sum(a, -armor, 0, -secrets, minions)
    return side_sum(a, 0, 0, 0, 0.0) - mine - a.w[BMR] * cost


@kernel(F8(GAME_T, TABLES_T, AGENT_T, I8, I8, U8))
def score_card(g, t, a, hand, cost, stream):
    """Return eq. 1 for a minion or weapon; NAN if it is loud."""
    me, x = np.int64(g.me), g.side[g.me].hand[hand]
    card, attack = np.int64(x.card), np.int64(0)
    if text_of(g, t, card) == Quiet.LOUD:
        return np.nan
    if t.card[card].kind == Kind.MINION:
        if not is_alone(g, t, card, me):
            return np.nan
        minions = 0.0 - a.w[BMA] * printed_value(t, a, card, x.attack, x.health)
    else:
        if not is_armed_quietly(g, t):
            return np.nan
        minions = newcomer_change(g, t, a, card, stream)
        hero = hero_of(me)
        armed = np.int64(g.char[hero].attack) + t.card[card].attack + x.attack
        attack = attack_of(g, hero) - max(armed, 0)
    change = side_sum(a, 0, 0, 0, 0.0) - side_sum(a, 0, attack, 0, minions)
    return change - a.w[BMR] * cost


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, U8), inline=True)
def score_play(g, t, a, d, move, stream):
    """Return eq. 1 for a card played; NAN if it is loud."""
    me, i = np.int64(g.me), hand_of(move)
    card = np.int64(g.side[me].hand[i].card)
    k = t.card[card]
    if k.quiet == Quiet.LOUD or costs_health(g, t, me, card):
        return np.nan
    cost = cost_of(g, t, me, i)
    if k.kind == Kind.SPELL:
        return score_text(g, t, a, d, card, target_ref(g, target_of(move)), cost, stream)
    return score_card(g, t, a, i, cost, stream)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, U8), inline=True)
def score_power(g, t, a, d, move, stream):
    """Return eq. 1 for a use of the hero power; NAN if it is loud."""
    power = np.int64(g.side[g.me].power)
    if t.card[power].quiet == Quiet.LOUD:
        return np.nan
    ref, cost = target_ref(g, move - POWER), power_cost(g, t, g.me)
    return score_text(g, t, a, d, power, ref, cost, stream)


@kernel(F8(GAME_T, TABLES_T, AGENT_T, DECISION_T, I8, U8), inline=True)
def score_quietly(g, t, a, d, move, stream):
    """Return eq. 1 for an action without making it; NAN if it may do more than quiet.py knows.

    `stream` is the random stream with which a simulation would begin.
    """
    if is_attack(move):
        return score_attack(g, t, a, d, move)
    if is_power(move):
        return score_power(g, t, a, d, move, stream)
    return score_play(g, t, a, d, move, stream) if is_play(move) else np.nan


@kernel(VOID(GAME_T, TABLES_T, AGENT_T, DECISION_T), inline=True)
def value_minions(g, t, a, d):
    """Store the values of all minions before the action, and of the further terms of each side."""
    for side in range(2):
        if has_further_terms(a):
            d.wide[side] = wide_side(g, t, a, side)
        for i in range(g.side[side].minions):
            ref = minion_ref(side, g.side[side].row[i])
            d.value[ref] = value_of(g, t, a, ref)


@kernel(BOOL(GAME_T, I8), inline=True)
def has_equal_later(g, move):
    """Return whether a move plays a card that has an equal one later in the hand."""
    if not is_play(move):
        return False
    s = g.side[g.me]
    i = hand_of(move)
    x = s.hand[i]
    for j in range(i + 1, s.n_hand):
        y = s.hand[j]
        if x.card == y.card and x.cost == y.cost:
            if x.attack == y.attack and x.health == y.health:
                return True
    return False


@kernel(I8(GAME_T, GAME_T, TABLES_T, AGENT_T, DECISION_T))
def choose_eva(g, h, t, a, d):
    """Return the move of EVA with the weights a.w; h is scratch for the look-ahead.

    d.score gets the scores of all moves; -WIN for cards not simulated (`has_equal_later`).
    """
    n = list_moves(g, t)
    seed = lookahead_seed(g)
    if g.pending != Phase.PLAY:
        return g.moves[n - 1] if g.pending == Phase.CHOICE else END
    value_minions(g, t, a, d)
    watch, sight = np.int64(g.watch), np.int64(g.sight)
    g.watch, g.sight = watch_in(g, t, a.sight), a.sight
    quiet = not has_further_terms(a) and can_be_quiet(g)
    best, best_score = END, 0.0
    d.score[0] = 0.0
    for k in range(1, n):
        move = np.int64(g.moves[k])
        d.score[k] = -WIN
        if not has_equal_later(g, move):
            stream = mix(seed + np.uint64(k))
            d.score[k] = score_quietly(g, t, a, d, move, stream) if quiet else np.nan
            if np.isnan(d.score[k]):
                try_move(g, h, t, move, stream, a.sight)
                d.score[k] = score(g, h, t, a, d)
            d.simulated += 1
            if d.score[k] >= best_score:
                best, best_score = move, d.score[k]
    g.watch, g.sight = watch, sight
    return best
