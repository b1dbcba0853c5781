"""Queries on a position: filters and conditions."""

import numpy as np

from hsevo.cards.terms import COUNTED_AT, PRINTED, Counter, If, Is, Keyword, Kind, Race
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import (
    HERO,
    SEATS,
    card_in,
    cheaper_of,
    hero_of,
    is_hero,
    minion_ref,
    side_of,
    slot_of,
)
from hsevo.engine.record.state import (
    BOARD,
    GAME_T,
    HAND,
    NONE,
    NOTED,
    hides_hand,
    is_in_play,
    random_below,
)
from hsevo.engine.rules.evidence import deal_unseen, note_revealed

_PRINTED = sum(1 << test for test in PRINTED)
MINION, DORMANT = int(Kind.MINION), int(Keyword.DORMANT)
IMMUNITY = int(Keyword.IMMUNE | Keyword.IMMUNE_THIS_TURN | Keyword.IMMUNE_ATTACKING
               | Keyword.DORMANT)


@kernel(BOOL(GAME_T, I8, I8), inline=True)
def has_keyword(g, ref, keywords):
    """Return whether a character has one of the keywords, of its own or by an aura."""
    c = g.char[ref]
    return ((c.keywords | c.aura_keywords) & keywords) != 0


@kernel(I8(GAME_T, I8), inline=True)
def minion_attack(g, ref):
    """Return a minion's attack: what an effect of this turn has taken below 0 counts as 0."""
    return max(np.int64(g.char[ref].attack), 0)


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
    return (c.health <= 0) | ((c.keywords & Keyword.TO_BE_DESTROYED) != 0)


@kernel(BOOL(GAME_T, I8), inline=True)
def is_dormant(g, ref):
    """Return whether a minion is dormant."""
    return (g.char[ref].keywords & Keyword.DORMANT) != 0


@kernel(I8(GAME_T, I8))
def count_minions(g, side):
    """Count a player's minions, without those that are dormant."""
    s, n = g.side[side], np.int64(0)
    for i in range(s.minions):
        n += not is_dormant(g, minion_ref(side, s.row[i]))
    return n


@kernel(I8(GAME_T, I8))
def board_position(g, ref):
    """Return the position of a minion on its board, counted from the left."""
    s = g.side[side_of(ref)]
    for i in range(s.minions):
        if s.row[i] == slot_of(ref):
            return i
    return NONE


@kernel(I8(GAME_T, I8), cold=True)
def ref_in_order(g, k):
    """Return character k of 16: a player's minions from the left, the hero; NONE: a free place."""
    side, place = k // SEATS, k % SEATS
    if place == HERO:
        return hero_of(side)
    s = g.side[side]
    return minion_ref(side, s.row[place]) if place < s.minions else NONE


@kernel(I8(GAME_T, I8))
def position_beside(g, i):
    """Return the position where frame i's minion summons: to its right, or where it died."""
    f = g.stack[i]
    own = ref_if_in_play(g, f.ref, f.uid)
    if own < 0:
        return np.int64(f.place)
    place = board_position(g, own)
    return place + 1 if place >= 0 else np.int64(NONE)  # a dormant card: at the right end


@kernel(BOOL(TABLES_T, I8, I8), inline=True)
def is_of_race(t, card, race):
    """Return whether a card is of a race: some minions are of each."""
    own = t.card[card].race
    return (own == race) | (own == Race.ALL)


@kernel(BOOL(TABLES_T, I8, I8), cold=True)
def is_pooled(t, card, pool):
    """Return whether a card is in a pool."""
    first = np.int64(t.pool[pool, 0])
    for k in range(first, first + t.pool[pool, 1]):
        if t.pooled[k] == card:
            return True
    return False


@kernel(BOOL(TABLES_T, I8, I8, I8))
def card_matches(t, card, test, arg):
    """Return whether a card passes a filter, for tests that need no character."""
    k = t.card[card]
    if test == Is.ANYTHING:
        return True
    if test == Is.RACE:
        return is_of_race(t, card, arg)
    if test == Is.KIND:
        return k.kind == arg
    if test == Is.SECRET:
        return k.secret == 1
    if test == Is.CARD:
        return card == arg
    if test == Is.NOT_CARD:
        return card != arg
    if test == Is.NOT_RACE:
        return not is_of_race(t, card, arg)
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
    if test == Is.COST_AT_LEAST:
        return k.cost >= arg
    if test == Is.CARD_ATTACK_AT_LEAST:
        return k.kind == Kind.MINION and k.attack >= arg
    if test == Is.COMBO:
        return k.combo > 0
    if test == Is.COST:
        return k.cost == arg
    if test == Is.NAMESAKE:
        return k.namesake == t.card[arg].namesake
    if test == Is.SPELL_COST_AT_LEAST:
        return k.kind == Kind.SPELL and k.cost >= arg
    if test == Is.CHOICE:
        return k.kind == Kind.SPELL and k.option[0] > 0
    if test == Is.IN_POOL:
        return is_pooled(t, card, arg)
    return False


@kernel(BOOL(I8), inline=True)
def is_printed(test):
    """Return whether a filter is on what is printed on a card."""
    return ((np.int64(_PRINTED) >> test) & 1) != 0


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), inline=True)
def character_matches(g, t, ref, test, arg):
    """Return whether a character passes a filter."""
    if test == Is.ANYTHING:  # most filters: they need no call
        return True
    return passes(g, t, ref, test, arg)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8))
def passes(g, t, ref, test, arg):
    """Return whether a character passes a filter other than ANYTHING."""
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
    if test == Is.DYING:
        return is_dying(g, ref)
    if test == Is.ATTACK_UP_TO_MANA:
        return attack_of(g, ref) <= g.side[g.me].mana
    if test == Is.IN_PLAY or test == Is.UNDESTROYED or test == Is.LIVING:
        destroyed = test == Is.UNDESTROYED and (c.keywords & Keyword.TO_BE_DESTROYED) != 0
        doomed = destroyed or (test == Is.LIVING and is_dying(g, ref))
        return not doomed and (arg == 0 or t.card[c.card].kind == arg)
    return card_matches(t, c.card, test, arg)


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


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8))
def held_matches(g, t, side, k, test, arg):
    """Return whether the k-th card of a hand passes a filter; attack counts with its changes."""
    h = g.side[side].hand[k]
    if test == Is.MADE:
        return (np.int64(g.side[side].made) >> k) & 1 == 1
    if test == Is.CARD_ATTACK_AT_LEAST:
        size = np.int64(g.side[side].counter[Counter.MINION_SIZE])
        attack = size if size > 0 else np.int64(t.card[h.card].attack)
        return t.card[h.card].kind == Kind.MINION and attack + h.attack >= arg
    return card_matches(t, h.card, test, arg)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def holds_such(g, t, side, test, arg):
    """Return whether a player holds a card that passes a filter."""
    deal_unseen(g, side)
    for k in range(g.side[side].n_hand):
        if held_matches(g, t, side, k, test, arg):
            return True
    return False


@kernel(I8(GAME_T, I8), inline=True)
def room(g, side):
    """Return how many more minions a player's board can take."""
    s = g.side[side]
    return BOARD - np.int64(s.minions) - s.dormant


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
    return holds_since_2018(g, t, condition, arg, side, ref)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8, I8), cold=True)
def holds_since_2018(g, t, condition, arg, side, ref):
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


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def row_side(g, t, i):
    """Return the player that frame i's row concerns: the text's owner or (theirs) the opponent."""
    f = g.stack[i]
    return np.int64(f.side) ^ np.int64(t.row[f.pc].theirs)
