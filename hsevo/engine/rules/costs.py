"""The current cost of a card in hand."""

import numpy as np

from hsevo.cards.terms import STARTING, CostRule, Counter, Is, Keyword, Kind, Race, Rule
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import card_in, hero_of, minion_ref
from hsevo.engine.record.state import GAME_T, NONE
from hsevo.engine.rules.conditions import (
    condition_holds,
    count_race,
    has_death_this_turn,
)
from hsevo.engine.rules.deaths import deaths_in
from hsevo.engine.rules.query import (
    IMMUNITY,
    card_matches,
    count_minions,
    is_of_race,
)

ALL_OF_IT = 100  # more than any card costs
FOR_HEALTH = int(Rule.NEXT_MURLOC_FOR_HEALTH | Rule.NEXT_SPELL_FOR_HEALTH)


@kernel(I8(GAME_T, I8, I8), cold=True)
def count_copies(g, side, card):
    """Count a player's minions that are copies of a card."""
    s, n = g.side[side], np.int64(0)
    for i in range(s.minions):
        n += g.char[minion_ref(side, s.row[i])].card == card
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8), cold=True)
def count_dead_namesakes(g, t, side, card):
    """Return how many minions of a player with the name of a card died this game."""
    s, n = g.side[side], np.int64(0)
    for k in range(s.n_graves):
        if t.card[card_in(s.dead[k])].namesake == t.card[card].namesake:
            n += deaths_in(s.dead[k])
    return n


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
def holds_foreign(g, t, side, card):
    """Return whether a player holds a card of another class, apart from this one."""
    s, n = g.side[side], np.int64(0)
    for i in range(s.n_hand):
        n += card_matches(t, s.hand[i].card, Is.OTHER_CLASS, s.cls)
    return n > card_matches(t, card, Is.OTHER_CLASS, s.cls)


@kernel(I8(GAME_T, TABLES_T, I8, I8), cold=True)
def cost_rule(g, t, side, card):
    """Return by how much a card's own text reduces its cost."""
    rule = t.card[card].cost_rule
    s, o = g.side[side], g.side[1 - side]
    if rule == CostRule.WEAPON_ATTACK:
        return np.int64(s.weapon_attack) if s.weapon > 0 else np.int64(0)
    if rule == CostRule.TOTEMS:
        return np.int64(s.totems)
    if rule == CostRule.HAND:
        return np.int64(s.n_hand) - 1
    if rule == CostRule.ALL_MINIONS:
        return count_minions(g, 0) + count_minions(g, 1)
    if rule == CostRule.HERO_DAMAGE:
        hero = g.char[hero_of(side)]
        return np.int64(hero.max_health) - hero.health
    if rule == CostRule.ENEMY_HAND:
        return np.int64(o.n_hand)
    if rule == CostRule.MINIONS_DIED:
        return np.int64(s.counter[Counter.MINIONS_DIED]) + o.counter[Counter.MINIONS_DIED]
    if rule == CostRule.SPELLS_CAST:
        return np.int64(s.counter[Counter.SPELLS_CAST])
    if rule == CostRule.POWERS_USED:
        return np.int64(s.counter[Counter.POWERS_USED])
    if rule == CostRule.SECRETS_PLAYED:
        return 2 * np.int64(s.counter[Counter.SECRETS_PLAYED])
    if rule == CostRule.CROWD:
        return 2 if count_minions(g, 1 - side) >= 3 else 0
    if rule == CostRule.DAMAGED_MINION:
        for i in range(s.minions):
            c = g.char[minion_ref(side, s.row[i])]
            if c.health < c.max_health:
                return np.int64(4)
    if rule == CostRule.HEALED:
        return 3 if s.counter[Counter.HEALED] > 0 else 0
    if rule == CostRule.OVERLOADED:
        return np.int64(s.counter[Counter.OVERLOADED])
    if rule == CostRule.PIRATES:
        return count_race(g, t, side, Race.PIRATE)
    if rule == CostRule.MURLOCS:
        return count_race(g, t, side, Race.MURLOC)
    if rule == CostRule.FOREIGN_CARDS:
        return np.int64(s.counter[Counter.FOREIGN_CARDS])
    if rule == CostRule.DEATH_THIS_TURN:
        return 3 if has_death_this_turn(g) else 0
    if rule == CostRule.COSTLY_SPELL:
        return ALL_OF_IT if (s.turn_rules & Rule.COSTLY_SPELL_CAST) != 0 else np.int64(0)
    if rule == CostRule.ENEMY_MINIONS or rule == CostRule.OWN_MINIONS:
        return count_minions(g, side if rule == CostRule.OWN_MINIONS else 1 - side)
    if rule == CostRule.MANA_ON_SPELLS:
        return np.int64(s.counter[Counter.MANA_ON_SPELLS])
    if rule == CostRule.ELEMENTALS:
        return 3 if s.counter[Counter.ELEMENTALS_PLAYED] > 0 else 0
    if rule == CostRule.FOREIGN_IN_HAND:
        return holds_foreign(g, t, side, card) * ALL_OF_IT
    if rule == CostRule.OWN_COPIES:
        return count_copies(g, side, t.card[card].cost_arg)
    if rule == CostRule.DEAD_NAMESAKES:
        return count_dead_namesakes(g, t, side, t.card[card].cost_arg)
    return 0


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def cost_with_auras(g, t, side, card, limited):
    """Return what a card in a player's hand that costs `limited` costs with the minions in play.

    hearthstone.wiki.gg, Summoning Portal: auras with a lower limit apply first. So do auras that
    set the cost (Naga Sea Witch).
    """
    cost = np.int64(0)
    for owner in range(2):
        s = g.side[owner]
        for i in range(s.minions):
            c = g.char[minion_ref(owner, s.row[i])]
            k = t.card[c.card]
            if (c.keywords & Keyword.SILENCED) == 0:
                for a in range(k.aura, k.aura + k.n_auras):
                    u = t.aura[a]
                    changes = u.cost != 0 or u.price > 0
                    concerned = u.theirs != 2 if owner == side else u.theirs > 0
                    if changes and concerned:
                        active = condition_holds(g, t, u.when, u.when_arg, owner, NONE, NONE, NONE)
                        if active and card_matches(t, card, u.test, u.arg):
                            if u.price > 0:
                                limited = np.int64(u.price) - 1
                            elif u.least == 0:
                                cost += u.cost
                            elif limited > u.least:
                                limited = max(limited + u.cost, np.int64(u.least))
    return cost + limited


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def cost_after_rules(g, t, side, card, cost):
    """Return the cost of a card after the rules of this turn."""
    k, rules = t.card[card], g.side[side].turn_rules
    if is_of_race(t, card, Race.ELEMENTAL):
        cost -= g.side[side].counter[Counter.NEXT_ELEMENTAL_CHEAPER]
    if k.kind != Kind.SPELL:
        return cost
    if (rules & (Rule.SPELLS_FREE | Rule.NEXT_SPELL_FREE)) != 0:
        return 0
    if k.secret == 1 and (rules & Rule.NEXT_SECRET_FREE) != 0:
        return 0
    if (rules & Rule.SPELLS_DEARER) != 0:
        cost += g.side[side].counter[Counter.SPELLS_DEARER]
    return cost - 3 if (rules & Rule.NEXT_SPELL_CHEAPER) != 0 else cost


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), inline=True)
def costs_health(g, t, side, card):
    """Return whether a player's next card, if it is this one, costs health instead of mana."""
    rules = g.side[side].turn_rules
    if (rules & FOR_HEALTH) == 0:
        return False
    if (rules & Rule.NEXT_MURLOC_FOR_HEALTH) != 0 and is_of_race(t, card, Race.MURLOC):
        return True
    return (rules & Rule.NEXT_SPELL_FOR_HEALTH) != 0 and t.card[card].kind == Kind.SPELL


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def use_up_rules(g, t, side, card):
    """End the rules of this turn that playing a card uses up, and count minions played."""
    s, k = g.side[side], t.card[card]
    s.minions_played += k.kind == Kind.MINION
    if is_of_race(t, card, Race.DRAGON):
        s.counter[Counter.NEXT_DRAGON_CHEAPER] = 0
    if is_of_race(t, card, Race.MURLOC):
        s.turn_rules &= ~Rule.NEXT_MURLOC_FOR_HEALTH
    if t.late == 1:
        s.counter[Counter.ELEMENTALS_NOW] += k.race == Race.ELEMENTAL
        if is_of_race(t, card, Race.ELEMENTAL):
            s.counter[Counter.NEXT_ELEMENTAL_CHEAPER] = 0
        s.counter[Counter.FOREIGN_CARDS] += (k.cls != 0) & (k.cls != s.cls)
    if k.kind == Kind.SPELL:
        once = Rule.NEXT_SPELL_CHEAPER | Rule.NEXT_SPELL_FREE | Rule.NEXT_SPELL_FOR_HEALTH
        s.turn_rules &= ~once
        if (s.turn_rules & Rule.POWER_HITS_HARDER) != 0:
            s.counter[Counter.SPELL_DAMAGE_NOW] = s.counter[Counter.NEXT_SPELL_DAMAGE]
            s.counter[Counter.NEXT_SPELL_DAMAGE] = 0
        if k.secret == 1:
            s.counter[Counter.SECRETS_PLAYED] += 1
            s.turn_rules &= ~Rule.NEXT_SECRET_FREE


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def power_cost(g, t, side):
    """Return the current cost of a player's hero power, 0 or more.

    Rules that set it change the printed cost, before all that adds to it or takes off (as wiki,
    Naga Sea Witch, says of cards).
    """
    s = g.side[side]
    cost = np.int64(t.card[s.power].cost)
    if s.counter[Counter.POWER_PRICE] > 0:
        cost = np.int64(s.counter[Counter.POWER_PRICE]) % STARTING - 1
    if (s.rules & Rule.POWER_COSTS_1) != 0:
        cost = np.int64(1)
    cost += np.int64(s.counter[Counter.POWER_DEARER]) - s.counter[Counter.NEXT_POWER_CHEAPER]
    return max(cost, 0)


@kernel(I8(GAME_T, TABLES_T, I8, I8), inline=True)
def cost_of(g, t, side, i):
    """Return the current cost of the i-th card in a player's hand, 0 or more."""
    s = g.side[side]
    k = t.card[s.hand[i].card]
    cost, less = np.int64(k.cost), np.int64(0)
    if k.cost_rule > 0:
        less = cost_rule(g, t, side, s.hand[i].card)
        if t.own_cost_first == 1:
            cost, less = cost - less, np.int64(0)
    if g.discounts > 0:
        cost = cost_with_auras(g, t, side, s.hand[i].card, cost)
    cost += s.hand[i].cost - less
    if is_of_race(t, s.hand[i].card, Race.DRAGON):
        cost -= s.counter[Counter.NEXT_DRAGON_CHEAPER]
    if s.turn_rules != 0:
        cost = cost_after_rules(g, t, side, s.hand[i].card, cost)
    return max(cost, 0)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), inline=True)
def can_pay(g, t, side, i):
    """Return whether a player can pay for the i-th card in hand.

    hearthstone.fandom.com, Cho'gall: health and armour must be more than the cost, or the hero
    Immune.
    """
    s, cost = g.side[side], cost_of(g, t, side, i)
    if s.turn_rules != 0 and costs_health(g, t, side, s.hand[i].card):
        hero = g.char[hero_of(side)]
        immune = ((hero.keywords | hero.aura_keywords) & IMMUNITY) != 0
        return immune or cost < np.int64(hero.health) + s.armor
    return cost <= s.mana
