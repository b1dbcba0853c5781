"""Conditions on a position: of texts, triggers and auras."""

import numpy as np

from hsevo.cards.terms import COUNTED_AT, Counter, If, Is, Keyword, Kind
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import (
    bonus_of,
    card_in,
    cheaper_of,
    hero_of,
    is_hero,
    minion_ref,
    side_of,
)
from hsevo.engine.record.state import (
    GAME_T,
    HAND,
    NONE,
    NOTED,
    hides_hand,
    is_in_play,
    random_below,
)
from hsevo.engine.rules.evidence import deal_unseen, note_revealed
from hsevo.engine.rules.query import (
    IMMUNITY,
    MINION,
    attack_of,
    board_position,
    card_matches,
    count_minions,
    has_keyword,
    held_matches,
    is_dormant,
    is_dying,
    is_of_race,
    room,
)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def count_race(g, t, side, race):
    """Count a player's minions of a race."""
    n, s = 0, g.side[side]
    for i in range(s.minions):
        n += is_of_race(t, g.char[minion_ref(side, s.row[i])].card, race)
    return n


@kernel(BOOL(GAME_T, I8))
def has_duplicates(g, side):
    """Return whether a player's deck has two copies of a card."""
    deal_unseen(g, side)
    s = g.side[side]
    for i in range(s.n_deck):
        for j in range(i):
            if card_in(s.deck[i]) == card_in(s.deck[j]):
                return True
    return False


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def attack_in_deck(g, t, side, i):
    """Return the attack of the i-th card of a player's deck, with its changes."""
    s, entry = g.side[side], np.int64(g.side[side].deck[i])
    k = t.card[card_in(entry)]
    leveled = ((np.int64(s.leveled) >> i) & 1) == 1 and k.kind == Kind.MINION
    return (np.int64(k.health) if leveled else np.int64(k.attack)) + bonus_of(entry)


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def cost_in_deck(g, t, side, i):
    """Return what the i-th card of a player's deck costs there, 0 or more."""
    s, entry = g.side[side], np.int64(g.side[side].deck[i])
    if (np.int64(s.free) >> i) & 1 == 1:
        return np.int64(0)
    if (np.int64(s.priced) >> i) & 1 == 1:
        return np.int64(1)
    return max(np.int64(t.card[card_in(entry)].cost) - cheaper_of(entry), 0)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
def is_deck_all(g, t, side, odd):
    """Return whether the costs of all cards of a player's deck are odd (1) or even (0)."""
    deal_unseen(g, side)
    s = g.side[side]
    for i in range(s.n_deck):
        if cost_in_deck(g, t, side, i) & 1 != odd:
            return False
    return True


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
def began_all(g, t, side, odd):
    """Return whether a player's deck, as the game begins, has only odd (1) or even (0) costs.

    The opening hand is part of it, what Prince Malchezaar adds is not.
    """
    s = g.side[side]
    for i in range(s.n_hand):
        card = np.int64(s.hand[i].card)
        if card != t.coin and t.card[card].cost & 1 != odd:
            return False
    for i in range(s.n_deck):
        own = (s.unseen >> i) & 1 == 0
        if own and t.card[card_in(s.deck[i])].cost & 1 != odd:
            return False
    return True


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
def has_cost(g, t, side, cost):
    """Return whether a card of a player's deck costs so much."""
    deal_unseen(g, side)
    s = g.side[side]
    for i in range(s.n_deck):
        if cost_in_deck(g, t, side, i) == cost:
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def is_in_deck(g, t, side, test, arg):
    """Return whether a card of a player's deck passes a filter."""
    deal_unseen(g, side)
    s = g.side[side]
    for i in range(s.n_deck):
        if card_matches(t, card_in(s.deck[i]), test, arg):
            return True
    return False


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def random_in_deck(g, t, side, kind):
    """Return the place of a random card of a kind in a deck, or NONE."""
    deal_unseen(g, side)
    s, n = g.side[side], np.int64(0)
    for k in range(s.n_deck):
        n += t.card[card_in(s.deck[k])].kind == kind
    if n == 0:
        return NONE
    left = random_below(g, n)
    for k in range(s.n_deck):
        if t.card[card_in(s.deck[k])].kind == kind:
            if left == 0:
                return k
            left -= 1
    return NONE


@kernel(I8(GAME_T, TABLES_T, I8))
def random_minion_in_deck(g, t, side):
    """Return the place of a random minion in a deck, or NONE."""
    return random_in_deck(g, t, side, Kind.MINION)


@kernel(VOID(GAME_T, I8, I8), inline=True)
def reveal(g, side, k):
    """Show both players the k-th card of a deck."""
    g.side[side].unseen &= ~(1 << k)
    if g.sight == NOTED:
        note_revealed(g, side, card_in(g.side[side].deck[k]))


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def random_minion_of_deck(g, t, side, test, arg):
    """Return the place of a random minion in a deck that passes a filter, or NONE."""
    deal_unseen(g, side)
    s, n, place = g.side[side], np.int64(0), np.int64(NONE)
    for k in range(s.n_deck):
        card = card_in(s.deck[k])
        if t.card[card].kind == Kind.MINION and card_matches(t, card, test, arg):
            n += 1
            if random_below(g, n) == 0:  # each with equal probability
                place = k
    return place


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
def reveals(g, t, side, kind):
    """Reveal a random card of a kind in a deck, `chosen`; return whether there is one."""
    k = random_in_deck(g, t, side, kind)
    g.chosen = 0
    if k < 0:
        return False
    reveal(g, side, k)
    g.chosen = card_in(g.side[side].deck[k])
    return True


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
def wins_joust(g, t, side, kind):
    """Reveal a random card of a kind of each deck; return whether the player's costs more.

    hearthstone.wiki.gg, Joust: a player whose deck has none loses. The own card is `chosen`.
    """
    mine, theirs = random_in_deck(g, t, side, kind), random_in_deck(g, t, 1 - side, kind)
    g.chosen = 0
    if theirs >= 0:
        reveal(g, 1 - side, theirs)
    if mine < 0:
        return False
    reveal(g, side, mine)
    g.chosen = card_in(g.side[side].deck[mine])
    return theirs < 0 or (
        t.card[g.chosen].cost > t.card[card_in(g.side[1 - side].deck[theirs])].cost)


@kernel(BOOL(GAME_T, I8, I8), cold=True)
def has_died(g, side, card):
    """Return whether a minion of a card has died under a player's control."""
    s = g.side[side]
    for k in range(s.n_graves):
        if card_in(s.dead[k]) == card:
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
def has_in_deck(g, t, side, kind):
    """Return whether a player's deck has a card of a kind."""
    deal_unseen(g, side)
    s = g.side[side]
    for k in range(s.n_deck):
        if t.card[card_in(s.deck[k])].kind == kind:
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
def has_died_of_race(g, t, side, race):
    """Return whether a minion of a race has died under a player's control."""
    s = g.side[side]
    for k in range(s.n_graves):
        if is_of_race(t, card_in(s.dead[k]), race):
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
def holds_spell_of_cost(g, t, side, n):
    """Return whether a player holds a spell that costs n or more, apart from what is in play."""
    deal_unseen(g, side)
    s = g.side[side]
    for i in range(s.n_hand):
        k = t.card[s.hand[i].card]
        if k.kind == Kind.SPELL and k.cost + s.hand[i].cost >= n:
            return True
    return False


@kernel(BOOL(GAME_T, I8), cold=True)
def has_neighbor(g, ref):
    """Return whether a minion that is awake is next to this one."""
    s, place = g.side[side_of(ref)], board_position(g, ref)
    if place > 0 and not is_dormant(g, minion_ref(side_of(ref), s.row[place - 1])):
        return True
    right = place >= 0 and place + 1 < s.minions
    return right and not is_dormant(g, minion_ref(side_of(ref), s.row[place + 1]))


@kernel(BOOL(GAME_T, I8))
def is_other_defender(g, ref):
    """Return whether the attack could be turned on a character: not Immune, nor dying."""
    if g.char[ref].card == 0 or ref == g.attacker or ref == g.defender:
        return False
    return not is_dying(g, ref) and not has_keyword(g, ref, IMMUNITY)


@kernel(BOOL(GAME_T), cold=True)
def has_other_defender(g):
    """Return whether the attack could be turned on anyone else."""
    for ref in range(16):
        if is_other_defender(g, ref):
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def has_counted(g, t, side, counter, n):
    """Return whether a counter is n or more.

    hs-bugs 809, and the wiki's note there: what the own C'Thun in play or in hand has gained, for
    a turn, too, counts as well.
    """
    s = g.side[side]
    gained = np.int64(s.counter[counter])
    if gained >= n or counter != Counter.CTHUN_ATTACK:
        return gained >= n
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        k = t.card[g.char[ref].card]
        if k.grows == 1 and attack_of(g, ref) >= k.attack + n:
            return True
    deal_unseen(g, side)
    for i in range(s.n_hand):
        if t.card[s.hand[i].card].grows == 1 and gained + s.hand[i].attack >= n:
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def holds_such(g, t, side, test, arg):
    """Return whether a player holds a card that passes a filter."""
    deal_unseen(g, side)
    for k in range(g.side[side].n_hand):
        if held_matches(g, t, side, k, test, arg):
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T, I8, I8), cold=True)
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
def test_holds(g, t, condition, arg, side, ref, target, subject):
    """Return whether a condition other than ALWAYS holds."""
    s = g.side[side]
    if condition == If.HAVE_WEAPON:
        return s.weapon > 0
    if condition == If.SPELL_DAMAGE:
        return s.spell_damage > 0
    if condition == If.DAMAGED:
        return ref >= 0 and g.char[ref].health < g.char[ref].max_health
    if condition == If.NO_DUPLICATES:
        return not has_duplicates(g, side)
    if condition == If.FIRST_MINION:
        return s.minions_played == 0
    if condition == If.PLAYED_BEFORE:
        return s.played >= 1
    if condition == If.OTHER_RACE:
        mine = ref >= 0 and is_of_race(t, g.char[ref].card, arg)
        return count_race(g, t, side, arg) > mine
    if condition == If.ENEMY_MINIONS_AT_LEAST:
        return count_minions(g, 1 - side) >= arg
    if condition == If.HOLD_RACE:
        deal_unseen(g, side)
        for i in range(s.n_hand):
            if is_of_race(t, s.hand[i].card, arg):
                return True
        return False
    if condition == If.HOLD_TWO:
        deal_unseen(g, side)
        n = 0
        for i in range(s.n_hand):
            n += is_of_race(t, s.hand[i].card, arg)
        return n >= 2
    if condition == If.HERO_IDLE:
        return g.me != side or g.char[hero_of(side)].attacks == 0
    if condition == If.DEFENDER_DEAD:
        d = np.int64(g.defender)
        return is_in_play(g, d, g.defender_uid) and not is_hero(d) and is_dying(g, d)
    if condition == If.MY_TURN:
        return g.me == side
    if condition == If.BOARD_SPACE:
        return room(g, side) > 0
    if condition == If.HEALTH_AT_MOST:
        return g.char[hero_of(side)].health <= arg
    if condition == If.OTHER_MINION:
        return count_minions(g, side) > (ref >= 0)
    if condition == If.HAND_EMPTY:
        return s.n_hand == 0
    if condition == If.CHANCE:
        return random_below(g, 100) < arg
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
        return target >= 0 and is_of_race(t, g.char[target].card, arg)
    if condition == If.TARGET_MINE:
        return target >= 0 and side_of(target) == side
    if condition == If.OTHER_MINIONS_AT_LEAST:
        return count_minions(g, side) - (ref >= 0) >= arg
    if condition == If.ENEMY_HEALTH_AT_MOST:
        return g.char[hero_of(1 - side)].health <= arg
    if condition == If.ENEMY_CLASSLESS:
        return t.card[g.char[hero_of(1 - side)].card].cls == 0
    if condition == If.TEN_MANA:
        return s.mana >= 10
    if condition == If.OTHERS_IN_PLAY:
        return count_minions(g, 0) + count_minions(g, 1) > (ref >= 0)
    if condition == If.OTHER_SPELL_DAMAGE:
        return gives_spell_damage(g, t, side, ref)
    if condition == If.COUNTED:
        return has_counted(g, t, side, arg // COUNTED_AT, arg % COUNTED_AT)
    if condition == If.HAS_DIED:
        return has_died(g, 0, arg) or has_died(g, 1, arg)
    if condition == If.MINE_HAS_DIED:
        return has_died(g, side, arg)
    if condition == If.JOUST:
        return wins_joust(g, t, side, arg if arg > 0 else MINION)
    if condition == If.DEFENDER_KIND:
        return t.card[g.char[g.defender].card].kind == arg
    if condition == If.WEAPON_ATTACK_AT_LEAST:
        return s.weapon > 0 and s.weapon_attack >= arg
    if condition == If.HAND_ROOM:
        return s.n_hand < HAND
    if condition == If.HOLD_KIND:
        deal_unseen(g, side)
        for i in range(s.n_hand):
            if t.card[s.hand[i].card].kind == arg:
                return True
        return False
    if condition == If.ENEMY_HAND_EMPTY:
        return g.side[1 - side].n_hand == 0
    if condition == If.TARGET_DAMAGED:
        return target >= 0 and g.char[target].health < g.char[target].max_health
    if condition == If.RULE:
        return ((np.int64(s.rules) >> arg) & 1) == 1
    if condition == If.RACE_AT_LEAST:
        return count_race(g, t, side, arg // COUNTED_AT) >= arg % COUNTED_AT
    if condition == If.NONE_IN_DECK:
        return not has_in_deck(g, t, side, arg)
    if condition == If.REVEALED:
        return reveals(g, t, side, arg)
    if condition == If.ARMOR_BELOW:
        return s.armor < arg
    if condition == If.HAS_NEIGHBOR:
        return subject >= 0 and has_neighbor(g, subject)
    if condition == If.HOLD_SPELL_COSTING:
        return holds_spell_of_cost(g, t, side, arg)
    if condition == If.AIMED:
        return target >= 0
    if condition == If.ENEMY_TURN:
        return g.me != side
    if condition == If.HOLD_ATTACK:
        return holds_such(g, t, side, Is.CARD_ATTACK_AT_LEAST, arg)
    if condition == If.MADE:
        return s.counter[Counter.MADE_CARD] == 1
    if condition == If.SUBJECT_ALIVE:
        return subject >= 0 and not is_dying(g, subject)
    if condition == If.MORE_ENEMY_MINIONS:
        return g.side[1 - side].minions > s.minions
    if condition == If.NO_CARD_COSTS:
        return not has_cost(g, t, side, arg)
    if condition == If.KNOWN:
        return g.me == side or not hides_hand(g)
    if condition == If.CAN_TURN:
        return subject >= 0 and not is_dying(g, subject) and has_other_defender(g)
    return holds_since_2018(g, t, condition, arg, side, ref, target)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8, I8), cold=True)
def holds_since_2018(g, t, condition, arg, side, ref, target):
    """Return whether a condition of the sets since The Witchwood holds."""
    if condition == If.ALL_ODD or condition == If.ALL_EVEN:
        return is_deck_all(g, t, side, condition == If.ALL_ODD)
    if condition == If.ALL_ODD_AT_START or condition == If.ALL_EVEN_AT_START:
        return began_all(g, t, side, condition == If.ALL_ODD_AT_START)
    if condition == If.HERO_HURT:
        return g.side[side].counter[Counter.HERO_HURT] == g.turn
    if condition == If.DEATH_THIS_TURN:
        return has_death_this_turn(g)
    if condition == If.ENEMY_PLAYED_AT_LEAST:
        return g.side[1 - side].played >= arg
    if condition == If.FIRST_CARD:
        return g.side[g.me].played == 0
    if condition == If.TARGET_OVERKILLED:
        return target >= 0 and not is_hero(target) and g.char[target].health < 0
    if condition == If.OVERLOADED:
        return g.side[side].locked + g.side[side].overload > 0
    if condition == If.OWN_ATTACK_AT_LEAST:
        return ref >= 0 and attack_of(g, ref) >= arg
    if condition == If.NO_SPELL_DAMAGE:
        return g.side[side].spell_damage == 0
    if condition == If.ALONE:
        return count_minions(g, side) <= (ref >= 0)
    if condition == If.NO_SPELL_CAST:
        return g.side[side].counter[Counter.SPELLS_NOW] == 0
    return False


@kernel(BOOL(GAME_T), inline=True)
def has_death_this_turn(g):
    """Return whether a minion of either player died this turn."""
    return g.side[0].counter[Counter.MINIONS_DIED] + g.side[1].counter[Counter.MINIONS_DIED] > 0


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8, I8, I8), inline=True)
def condition_holds(g, t, condition, arg, side, ref, target, subject):
    """Return whether a condition holds for the owner of a text; refs may be NONE."""
    if condition == If.ALWAYS:  # most texts have none: they need no call
        return True
    return test_holds(g, t, condition, arg, side, ref, target, subject)
