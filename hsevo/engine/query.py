"""Queries on a position: filters, conditions, amounts, and the characters of an effect."""

import numpy as np

from hsevo.cards.terms import Amount, If, Is, Keyword, Kind, Selector
from hsevo.engine.codec import card_in, hero_of, is_hero, minion_ref, side_of, slot_of
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.state import GAME_T, HAND, NONE, is_in_play, random_below

IMMUNITY = int(Keyword.IMMUNE | Keyword.IMMUNE_THIS_TURN | Keyword.IMMUNE_ATTACKING)


@kernel(BOOL(GAME_T, I8, I8), inline=True)
def has_keyword(g, ref, keywords):
    """Return whether a character has one of the keywords, of its own or by an aura."""
    c = g.char[ref]
    return ((c.keywords | c.aura_keywords) & keywords) != 0


@kernel(I8(GAME_T, I8), inline=True)
def attack_of(g, ref):
    """Return a character's attack; a hero's includes its weapon's in its own turn."""
    attack = np.int64(g.char[ref].attack)
    if is_hero(ref) and g.me == side_of(ref) and g.side[side_of(ref)].weapon > 0:
        attack += g.side[side_of(ref)].weapon_attack
    return max(attack, 0)


@kernel(I8(GAME_T, I8, I8), inline=True)
def ref_if_in_play(g, ref, uid):
    """Return the ref if its character is still in play, else NONE."""
    return ref if is_in_play(g, ref, uid) else NONE


@kernel(BOOL(GAME_T, I8), inline=True)
def is_dying(g, ref):
    """Return whether a character is about to die."""
    c = g.char[ref]
    return c.health <= 0 or (c.keywords & Keyword.TO_BE_DESTROYED) != 0


@kernel(I8(GAME_T, I8))
def board_position(g, ref):
    """Return the position of a minion on its board, counted from the left."""
    s = g.side[side_of(ref)]
    for i in range(s.minions):
        if s.row[i] == slot_of(ref):
            return i
    return NONE


@kernel(I8(GAME_T, I8))
def position_beside(g, i):
    """Return the position where frame i's minion summons: to its right, or where it died."""
    f = g.stack[i]
    own = ref_if_in_play(g, f.ref, f.uid)
    return board_position(g, own) + 1 if own >= 0 else np.int64(f.place)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8))
def card_matches(g, t, card, side, test, arg):
    """Return whether a card passes a filter, for tests that need no character."""
    k = t.card[card]
    if test == Is.ANYTHING:
        return True
    if test == Is.RACE:
        return k.race == arg
    if test == Is.KIND:
        return k.kind == arg
    if test == Is.SECRET:
        return k.secret == 1
    if test == Is.CARD:
        return card == arg
    if test == Is.NOT_CARD:
        return card != arg
    if test == Is.NOT_RACE:
        return k.race != arg
    if test == Is.COST:
        return k.cost == arg
    if test == Is.COST_AT_MOST:
        return k.cost <= arg
    if test == Is.MINION_COST:
        return k.kind == Kind.MINION and k.cost == arg
    if test == Is.MINION_WITH:
        return k.kind == Kind.MINION and (k.keywords & arg) != 0
    if test == Is.OTHER_CLASS:
        return k.cls != 0 and k.cls != arg
    if test == Is.BATTLECRY:
        any_kind = arg == 1 and k.kind == Kind.WEAPON
        return (k.kind == Kind.MINION or any_kind) and k.play > 0
    if test == Is.OVERLOAD:
        return k.overload > 0
    if test == Is.LEGENDARY:
        return k.rarity == 4
    if test == Is.KEYWORD:
        return (k.keywords & arg) != 0
    if test == Is.NOT_KEYWORD:
        return (k.keywords & arg) == 0
    if test == Is.ATTACK:
        return k.kind == Kind.MINION and k.attack == arg
    if test == Is.SPELL_BUT:
        return k.kind == Kind.SPELL and card != arg
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), inline=True)
def character_matches(g, t, ref, test, arg):
    """Return whether a character passes a filter."""
    if test == Is.ANYTHING:
        return True
    c = g.char[ref]
    if test == Is.DAMAGED:
        return c.health < c.max_health
    if test == Is.UNDAMAGED:
        return c.health >= c.max_health
    if test == Is.HEALTH_AT_LEAST:
        return c.health >= arg
    if test == Is.ATTACK_AT_LEAST:
        return attack_of(g, ref) >= arg
    if test == Is.ATTACK_AT_MOST:
        return attack_of(g, ref) <= arg
    if test == Is.KEYWORD:
        return has_keyword(g, ref, arg)
    if test == Is.NOT_KEYWORD:
        return not has_keyword(g, ref, arg)
    if test == Is.HEALTH:
        return c.health == arg
    if test == Is.ATTACK:
        return not is_hero(ref) and attack_of(g, ref) == arg
    if test == Is.NOT_OWN_HERO:
        return ref != hero_of(g.me)
    if test == Is.IN_PLAY:
        return arg == 0 or t.card[c.card].kind == arg
    return card_matches(g, t, c.card, side_of(ref), test, arg)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def count_race(g, t, side, race):
    """Count a player's minions of a race."""
    n, s = 0, g.side[side]
    for i in range(s.minions):
        n += t.card[g.char[minion_ref(side, s.row[i])].card].race == race
    return n


@kernel(BOOL(GAME_T, I8))
def has_duplicates(g, side):
    """Return whether a player's deck has two copies of a card."""
    s = g.side[side]
    for i in range(s.n_deck):
        for j in range(i):
            if card_in(s.deck[i]) == card_in(s.deck[j]):
                return True
    return False


@kernel(I8(GAME_T, TABLES_T, I8))
def random_minion_in_deck(g, t, side):
    """Return the place of a random minion in a deck, or NONE."""
    s, n = g.side[side], np.int64(0)
    for k in range(s.n_deck):
        n += t.card[card_in(s.deck[k])].kind == Kind.MINION
    if n == 0:
        return NONE
    left = random_below(g, n)
    for k in range(s.n_deck):
        if t.card[card_in(s.deck[k])].kind == Kind.MINION:
            if left == 0:
                return k
            left -= 1
    return NONE


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def random_minion_of_deck(g, t, side, test, arg):
    """Return the place of a random minion in a deck that passes a filter, or NONE."""
    s, n, found = g.side[side], np.int64(0), np.int64(NONE)
    for k in range(s.n_deck):
        card = card_in(s.deck[k])
        if t.card[card].kind == Kind.MINION and card_matches(g, t, card, side, test, arg):
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                found = k
    return found


@kernel(BOOL(GAME_T, TABLES_T, I8))
def wins_joust(g, t, side):
    """Reveal a random minion of each deck; return whether the player's costs more.

    hearthstone.wiki.gg, Joust: a player whose deck has no minion loses. The own card is `chosen`.
    """
    mine, theirs = random_minion_in_deck(g, t, side), random_minion_in_deck(g, t, 1 - side)
    g.chosen = 0
    if mine < 0:
        return False
    g.chosen = card_in(g.side[side].deck[mine])
    return theirs < 0 or (
        t.card[g.chosen].cost > t.card[card_in(g.side[1 - side].deck[theirs])].cost)


@kernel(BOOL(GAME_T, I8, I8))
def has_died(g, side, card):
    """Return whether a minion of a card has died under a player's control."""
    s = g.side[side]
    for k in range(s.n_graves):
        if card_in(s.dead[k]) == card:
            return True
    return False


@kernel(BOOL(GAME_T, I8))
def is_other_defender(g, ref):
    """Return whether the attack could be turned on a character: not Immune, nor dying."""
    if g.char[ref].card == 0 or ref == g.attacker or ref == g.defender:
        return False
    return not is_dying(g, ref) and not has_keyword(g, ref, IMMUNITY)


@kernel(BOOL(GAME_T))
def has_other_defender(g):
    """Return whether the attack could be turned on anyone else."""
    for ref in range(16):
        if is_other_defender(g, ref):
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8))
def gives_spell_damage(g, t, side, but):
    """Return whether a player has a minion with Spell Damage, other than `but`."""
    s = g.side[side]
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        c = g.char[ref]
        printed = t.card[c.card].spell_damage > 0 and (c.keywords & Keyword.SILENCED) == 0
        if ref != but and (printed or c.spell_damage > 0):
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8, I8, I8))
def condition_holds(g, t, condition, arg, side, ref, target, subject):
    """Return whether a condition holds for the owner of a text; refs may be NONE."""
    s = g.side[side]
    if condition == If.ALWAYS:
        return True
    if condition == If.HAVE_WEAPON:
        return s.weapon > 0
    if condition == If.SPELL_DAMAGE:
        return s.spell_damage > 0
    if condition == If.DAMAGED:
        return ref >= 0 and g.char[ref].health < g.char[ref].max_health
    if condition == If.NO_DUPLICATES:
        return not has_duplicates(g, side)
    if condition == If.COMBO:
        return s.played >= 2  # this card counts as one
    if condition == If.FIRST_MINION:
        return s.minions_played == 0
    if condition == If.PLAYED_BEFORE:
        return s.played >= 1
    if condition == If.OTHER_RACE:
        mine = ref >= 0 and t.card[g.char[ref].card].race == arg
        return count_race(g, t, side, arg) > mine
    if condition == If.ENEMY_MINIONS_AT_LEAST:
        return g.side[1 - side].minions >= arg
    if condition == If.HOLD_RACE:
        for i in range(s.n_hand):
            if t.card[s.hand[i].card].race == arg:
                return True
        return False
    if condition == If.HOLD_TWO:
        n = 0
        for i in range(s.n_hand):
            n += t.card[s.hand[i].card].race == arg
        return n >= 2
    if condition == If.HERO_IDLE:
        return g.char[hero_of(side)].attacks == 0
    if condition == If.DEFENDER_DEAD:
        d = np.int64(g.defender)
        return is_in_play(g, d, g.defender_uid) and not is_hero(d) and is_dying(g, d)
    if condition == If.MY_TURN:
        return g.me == side
    if condition == If.BOARD_SPACE:
        return s.minions < 7
    if condition == If.HEALTH_AT_MOST:
        return g.char[hero_of(side)].health <= arg
    if condition == If.OTHER_MINION:
        return s.minions > (ref >= 0)
    if condition == If.HAND_EMPTY:
        return s.n_hand == 0
    if condition == If.CHANCE:
        return random_below(g, 100) < arg
    if condition == If.ENEMY_HAS_WEAPON:
        return g.side[1 - side].weapon > 0
    if condition == If.OWN_SECRET:
        return s.n_secrets > 0
    if condition == If.FULL_MANA:
        return s.crystals >= 10
    if condition == If.ENEMY_CARDS_AT_LEAST:
        return g.side[1 - side].n_hand >= arg
    if condition == If.POWER_IS:
        return s.power == arg
    if condition == If.TARGET_FROZEN:
        return target >= 0 and has_keyword(g, target, Keyword.FROZEN)
    if condition == If.TARGET_ALIVE:
        return target >= 0 and not is_dying(g, target)
    if condition == If.TARGET_DEAD:
        return target >= 0 and is_dying(g, target)
    if condition == If.TARGET_RACE:
        return target >= 0 and t.card[g.char[target].card].race == arg
    if condition == If.TARGET_MINE:
        return target >= 0 and side_of(target) == side
    if condition == If.OTHER_MINIONS_AT_LEAST:
        return s.minions - (ref >= 0) >= arg
    if condition == If.ENEMY_HEALTH_AT_MOST:
        return g.char[hero_of(1 - side)].health <= arg
    if condition == If.ENEMY_CLASSLESS:
        return t.card[g.char[hero_of(1 - side)].card].cls == 0
    if condition == If.TEN_MANA:
        return s.mana >= 10
    if condition == If.OTHERS_IN_PLAY:
        return s.minions + g.side[1 - side].minions > (ref >= 0)
    if condition == If.OTHER_SPELL_DAMAGE:
        return gives_spell_damage(g, t, side, ref)
    if condition == If.COUNTED:
        return s.counter[arg // 1000] >= arg % 1000
    if condition == If.HAS_DIED:
        return has_died(g, 0, arg) or has_died(g, 1, arg)
    if condition == If.MINE_HAS_DIED:
        return has_died(g, side, arg)
    if condition == If.JOUST:
        return wins_joust(g, t, side)
    if condition == If.DEFENDER_KIND:
        return t.card[g.char[g.defender].card].kind == arg
    if condition == If.WEAPON_ATTACK_AT_LEAST:
        return s.weapon > 0 and s.weapon_attack >= arg
    if condition == If.HAND_ROOM:
        return s.n_hand < HAND
    if condition == If.HOLD_KIND:
        for i in range(s.n_hand):
            if t.card[s.hand[i].card].kind == arg:
                return True
        return False
    if condition == If.ENEMY_HAND_EMPTY:
        return g.side[1 - side].n_hand == 0
    if condition == If.TARGET_DAMAGED:
        return target >= 0 and g.char[target].health < g.char[target].max_health
    if condition == If.RULE:
        return (s.rules & arg) != 0
    if condition == If.RACE_AT_LEAST:
        return count_race(g, t, side, arg % 100) >= arg // 100
    if condition == If.SUBJECT_ALIVE:
        return subject >= 0 and not is_dying(g, subject)
    if condition == If.CAN_TURN:
        return subject >= 0 and not is_dying(g, subject) and has_other_defender(g)
    return False


@kernel(I8(GAME_T, I8, BOOL))
def sum_of_neighbours(g, ref, health):
    """Return the total attack (or health) of a minion's neighbours."""
    s, place, n = g.side[side_of(ref)], board_position(g, ref), np.int64(0)
    for i in range(max(place - 1, 0), min(place + 2, np.int64(s.minions))):
        c = g.char[minion_ref(side_of(ref), s.row[i])]
        if i != place and place >= 0:
            n += np.int64(c.health) if health else max(np.int64(c.attack), 0)
    return n


@kernel(I8(GAME_T, I8, I8, I8, I8))
def count_keyword(g, keyword, each, first, end):
    """Return `each` times the number of minions in first..end-1 with a keyword."""
    n = np.int64(0)
    for ref in range(first, end):
        n += each * (not is_hero(ref) and g.char[ref].card > 0 and has_keyword(g, ref, keyword))
    return n


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8, I8, I8))
def amount_of(g, t, i, amount, n, m, target, ref):
    """Return the amount of a row of frame `i`; refs may be NONE."""
    if amount == Amount.LITERAL:
        return n
    f = g.stack[i]
    side = np.int64(f.side)
    s, o = g.side[side], g.side[1 - side]
    if amount == Amount.BETWEEN:
        return n + random_below(g, m - n + 1)
    if amount == Amount.MANA_SPENT or amount == Amount.EVENT:
        return np.int64(f.amount) * max(n, 1)
    if amount == Amount.EVENT_COST:
        return np.int64(t.card[f.first].cost)
    if amount == Amount.WEAPON_ATTACK:
        return np.int64(s.weapon_attack) if s.weapon > 0 else np.int64(0)
    if amount == Amount.WEAPON_DURABILITY:
        return np.int64(s.durability) if s.weapon > 0 else np.int64(0)
    if amount == Amount.HERO_ATTACK:
        return attack_of(g, hero_of(side))
    if amount == Amount.ARMOR:
        return np.int64(s.armor)
    if amount == Amount.HAND:
        return np.int64(s.n_hand)
    if amount == Amount.ENEMY_HAND:
        return np.int64(o.n_hand)
    if amount == Amount.OWN_ATTACK:
        return attack_of(g, ref) if ref >= 0 else np.int64(f.first)
    if amount == Amount.OWN_HEALTH:
        return np.int64(g.char[ref].health) if ref >= 0 else np.int64(0)
    if amount == Amount.TARGET_HEALTH:
        return np.int64(g.char[target].health) if target >= 0 else np.int64(0)
    if amount == Amount.MINIONS:
        return np.int64(s.minions)
    if amount == Amount.ENEMY_MINIONS:
        return np.int64(o.minions) * max(n, 1)
    if amount == Amount.CHOSEN_COST:
        return np.int64(t.card[g.chosen].cost)
    if amount == Amount.ENEMY_SECRETS:
        return np.int64(o.n_secrets)
    if amount == Amount.OTHER_MINIONS:
        return np.int64(s.minions) + np.int64(o.minions) - (ref >= 0)
    if amount == Amount.MY_RACE:
        return count_race(g, t, side, m) - (ref >= 0 and t.card[g.char[ref].card].race == m)
    if amount == Amount.ALL_RACE:
        mine = ref >= 0 and t.card[g.char[ref].card].race == m
        return count_race(g, t, 0, m) + count_race(g, t, 1, m) - mine
    if amount == Amount.HERO_DAMAGE:
        return np.int64(g.char[hero_of(side)].max_health) - g.char[hero_of(side)].health
    if amount == Amount.PLAYED_EARLIER:
        return np.int64(s.played) - 1
    if amount == Amount.AIMED_ATTACK:
        aimed = ref_if_in_play(g, f.target, f.target_uid)
        return attack_of(g, aimed) if aimed >= 0 else np.int64(0)
    if amount == Amount.MY_OTHER_MINIONS:
        return np.int64(s.minions) - (ref >= 0)
    if amount == Amount.WITH_KEYWORD:
        return count_keyword(g, m, n, 0, 16)
    if amount == Amount.ENEMIES_WITH_KEYWORD:
        return count_keyword(g, m, n, minion_ref(1 - side, 0), hero_of(1 - side))
    if amount == Amount.ITS_ATTACK:
        return attack_of(g, target) if target >= 0 else np.int64(0)
    if amount == Amount.DAMAGE_DEALT:
        return np.int64(f.amount)
    if amount == Amount.ENEMY_DURABILITY:
        return np.int64(o.durability) if o.weapon > 0 else np.int64(0)
    if amount == Amount.ADJACENT_ATTACK or amount == Amount.ADJACENT_HEALTH:
        health = amount == Amount.ADJACENT_HEALTH
        return sum_of_neighbours(g, ref, health) if ref >= 0 else np.int64(0)
    if amount == Amount.COUNTER:
        return n * s.counter[m]
    if amount == Amount.UP_TO or amount == Amount.ENEMY_UP_TO:
        return max(n - (s.n_hand if amount == Amount.UP_TO else o.n_hand), 0)
    if amount == Amount.HAND_DIFFERENCE:
        return max(np.int64(o.n_hand) - s.n_hand, 0)
    if amount == Amount.DAMAGED_FRIENDS:
        n = 0
        for k in range(minion_ref(side, 0), hero_of(side) + 1):
            n += g.char[k].card > 0 and g.char[k].health < g.char[k].max_health
        return n
    return 0


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def row_amount(g, t, i, ref):
    """Return the amount of frame i's row for a character that it affects."""
    f = g.stack[i]
    r = t.row[f.pc]
    own, target = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    return amount_of(g, t, i, r.amount, r.n, r.nm, ref if ref >= 0 else target, own)


@kernel(I8(GAME_T, TABLES_T, I8))
def plain_amount(g, t, i):
    """Return the amount of frame i's row, which affects no character."""
    return row_amount(g, t, i, NONE)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, BOOL), inline=True)
def add_if_matches(g, t, ref, test, arg, alive):
    """Append a character to the list if it passes the filter (and, if asked, will not die)."""
    if alive and is_dying(g, ref):
        return
    if character_matches(g, t, ref, test, arg):
        g.list[g.n_list] = ref
        g.n_list += 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8, I8, BOOL))
def add_matching_minions(g, t, side, but, without, test, arg, alive):
    """Append a player's minions from left to right, except `but` and `without`."""
    s = g.side[side]
    for k in range(s.minions):
        ref = minion_ref(side, s.row[k])
        if ref != but and ref != without:
            add_if_matches(g, t, ref, test, arg, alive)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, BOOL))
def add_matching_neighbours(g, t, ref, test, arg, alive):
    """Append the minions left and right of one."""
    s, place = g.side[side_of(ref)], board_position(g, ref)
    if place < 0:
        return
    if place > 0:
        add_if_matches(g, t, minion_ref(side_of(ref), s.row[place - 1]), test, arg, alive)
    if place + 1 < s.minions:
        add_if_matches(g, t, minion_ref(side_of(ref), s.row[place + 1]), test, arg, alive)


@kernel(VOID(GAME_T, I8))
def keep_random(g, n):
    """Keep n of the list, drawn without repetition."""
    n = min(n, np.int64(g.n_list))
    for k in range(n):
        j = k + random_below(g, g.n_list - k)
        ref = g.list[j]
        g.list[j] = g.list[k]
        g.list[k] = ref
    g.n_list = n


@kernel(VOID(GAME_T))
def sort_list(g):
    """Sort the list by order of play (heroes first)."""
    for k in range(1, g.n_list):
        ref = g.list[k]
        uid = g.char[ref].uid
        j = k - 1
        while j >= 0 and g.char[g.list[j]].uid > uid:
            g.list[j + 1] = g.list[j]
            j -= 1
        g.list[j + 1] = ref


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8, I8))
def select_characters(g, t, i, who, test, arg, pick):
    """Fill the list with the characters of a selector for frame `i`.

    With `pick` > 0, that many at random of those that are not about to die.
    """
    f = g.stack[i]
    g.n_list = 0
    me = np.int64(f.side)
    my, their = hero_of(me), hero_of(1 - me)
    alive = pick > 0
    own = ref_if_in_play(g, f.ref, f.uid)
    if who == Selector.SELF:
        if own >= 0:
            add_if_matches(g, t, own, test, arg, alive)
    elif who == Selector.TARGET:
        if is_in_play(g, f.target, f.target_uid):
            add_if_matches(g, t, f.target, test, arg, alive)
    elif who == Selector.ENEMY_MINIONS:
        add_matching_minions(g, t, 1 - me, NONE, NONE, test, arg, alive)
    elif who == Selector.MY_MINIONS:
        add_matching_minions(g, t, me, NONE, NONE, test, arg, alive)
    elif who == Selector.MY_OTHER_MINIONS:
        add_matching_minions(g, t, me, own, NONE, test, arg, alive)
    elif who == Selector.ALL_MINIONS:
        add_matching_minions(g, t, me, NONE, NONE, test, arg, alive)
        add_matching_minions(g, t, 1 - me, NONE, NONE, test, arg, alive)
    elif who == Selector.ALL_OTHER_MINIONS:
        add_matching_minions(g, t, me, own, NONE, test, arg, alive)
        add_matching_minions(g, t, 1 - me, own, NONE, test, arg, alive)
    elif who == Selector.MY_HERO:
        add_if_matches(g, t, my, test, arg, alive)
    elif who == Selector.ENEMY_HERO:
        add_if_matches(g, t, their, test, arg, alive)
    elif who == Selector.HEROES:
        add_if_matches(g, t, my, test, arg, alive)
        add_if_matches(g, t, their, test, arg, alive)
    elif who == Selector.ENEMIES:
        add_if_matches(g, t, their, test, arg, alive)
        add_matching_minions(g, t, 1 - me, NONE, NONE, test, arg, alive)
    elif who == Selector.MY_CHARACTERS:
        add_if_matches(g, t, my, test, arg, alive)
        add_matching_minions(g, t, me, NONE, NONE, test, arg, alive)
    elif who == Selector.CHARACTERS or who == Selector.OTHER_CHARACTERS:
        but = own if who == Selector.OTHER_CHARACTERS else NONE
        add_if_matches(g, t, my, test, arg, alive)
        add_matching_minions(g, t, me, but, NONE, test, arg, alive)
        add_if_matches(g, t, their, test, arg, alive)
        add_matching_minions(g, t, 1 - me, but, NONE, test, arg, alive)
    elif who == Selector.SUBJECT:
        if is_in_play(g, f.subject, f.subject_uid):
            add_if_matches(g, t, f.subject, test, arg, alive)
    elif who == Selector.OTHER:
        if is_in_play(g, f.other, f.other_uid):
            add_if_matches(g, t, f.other, test, arg, alive)
    elif who == Selector.ADJACENT:
        if own >= 0:
            add_matching_neighbours(g, t, own, test, arg, alive)
    elif who == Selector.NEXT_TO_TARGET or who == Selector.AROUND_TARGET:
        if is_in_play(g, f.target, f.target_uid):
            if who == Selector.AROUND_TARGET:
                add_if_matches(g, t, f.target, test, arg, alive)
            add_matching_neighbours(g, t, f.target, test, arg, alive)
    elif who == Selector.LAST:
        if g.last >= 0:
            add_if_matches(g, t, g.last, test, arg, alive)
    elif who == Selector.OTHERS_THAN_TARGET:
        add_matching_minions(g, t, me, f.target, NONE, test, arg, alive)
        add_matching_minions(g, t, 1 - me, f.target, NONE, test, arg, alive)
    elif who == Selector.TARGET_ENEMIES:
        if f.target != their:
            add_if_matches(g, t, their, test, arg, alive)
        add_matching_minions(g, t, 1 - me, f.target, NONE, test, arg, alive)
    elif who == Selector.OTHER_DEFENDERS:
        enemy = 1 - side_of(g.attacker)
        if g.defender != hero_of(enemy):
            add_if_matches(g, t, hero_of(enemy), test, arg, alive)
        add_matching_minions(g, t, enemy, g.defender, NONE, test, arg, alive)
    elif who == Selector.DEFENDERS:
        other = side_of(g.defender)
        add_if_matches(g, t, hero_of(other), test, arg, alive)
        add_matching_minions(g, t, other, NONE, NONE, test, arg, alive)
    elif who == Selector.CHARACTERS_BUT_EVENT:
        for ref in range(16):
            if is_other_defender(g, ref):
                add_if_matches(g, t, ref, test, arg, alive)
    if pick > 0:
        keep_random(g, pick)
    elif pick < 0:
        keep_random(g, max(g.n_list + pick, 0))
