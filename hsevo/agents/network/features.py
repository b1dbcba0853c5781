"""What the learned policy knows of a position: a sparse vector of visible facts, in 20 groups.

    groups 0-6     own minions from left to right, then zeros    INDEX of MINION, card first
    groups 7-13    the opponent's minions                        INDEX of MINION, card first
    group  14      heroes, mana, hand sizes, decks, weapons ...  INDEX of GLOBAL
    group  15      own cards in hand                             card
    group  16      own weapon, hero power and secrets            card
    group  17      the opponent's weapon and hero power          card
    group  18      what is left of the own deck                  card
    group  19      what is left of the opponent's cards          card

`begin[k]` to `begin[k + 1]` are the entries of group k: `index` and `value`, in units of 1 / ONE.
The list is a whitelist, seen by the player who has just acted: neither which of its cards the
opponent has in hand, in the deck and as secrets, nor the order of a deck, nor a random stream is
read. Of the own hand only the cards that were there before the action: what the action drew or made
counts as a number (`known_cards`). The last two groups are of the position before the action, and
of all three places of the opponent together: its list is known, or guessed (shared/belief.py).
"""

import numpy as np

from hsevo.agents.shared.scratch import FEATURES_T, GROUPS
from hsevo.cards.terms import Class, Counter, Keyword
from hsevo.engine.game.moves import can_attack
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel, uniform
from hsevo.engine.record.codec import card_in, hand_of, hero_of, is_play, minion_ref, side_of
from hsevo.engine.record.state import BOARD, GAME_T, HAND, Phase
from hsevo.engine.rules.query import attack_of, has_keyword

# Fixed point: integers give the same bits on every machine (network.py). Factors are chosen so that
# facts of usual sizes are near 1.0, as the random first weights assume (learning/learner.py).
ONE = 256  # 1.0 as a feature
HALF, QUARTER, EIGHTH, SIXTEENTH = 128, 64, 32, 16
# Groups: the globals, the hand, other cards in play, decks.
SIDES, HELD, OWN, ENEMY, DECK_LEFT, REST = range(2 * BOARD, 2 * BOARD + 6)
MOST_VALUE = 2048  # 8.0, a bound of what a single fact can add to a sum
COPY = QUARTER  # a card of a deck: there are 30, not 3

# -- of a minion ----------------------------------------------------------------------------------
# The flags of a minion, and what they stand for; a flag is ONE or absent.
FLAGS = (
    Keyword.TAUNT, Keyword.CHARGE, Keyword.DIVINE_SHIELD,
    Keyword.WINDFURY | Keyword.MEGA_WINDFURY, Keyword.STEALTH | Keyword.STEALTH_TURN,
    Keyword.POISONOUS, Keyword.LIFESTEAL, Keyword.FREEZES,
    Keyword.CANT_ATTACK, Keyword.ELUSIVE, Keyword.DEATHRATTLE, Keyword.INSPIRE, Keyword.FROZEN,
    Keyword.SILENCED, Keyword.IMMUNE | Keyword.IMMUNE_THIS_TURN, Keyword.CLEAVE,
)  # fmt: skip
_FLAGS = tuple(int(flag) for flag in FLAGS)
_ANY_FLAG = int(np.bitwise_or.reduce(_FLAGS))
_16 = (1 << 16) - 1
# Attack, health and some other numbers enter twice: in proportion, and as one of several places
# (one-hot). The places let a layer learn a value that is not linear in the number.
STEPS = 9  # a number from 0 to 8 and more, as one of so many places
_HERE, _ATTACK, _HEALTH, _LOST, _READY, _POWER, _GIVEN = range(7)
_FLAG = 7
_ATTACK_IS = _FLAG + len(FLAGS)
_HEALTH_IS = _ATTACK_IS + STEPS
MINION = _HEALTH_IS + STEPS  # width

# -- of the players and the game ------------------------------------------------------------------
# Of each player, the own first.
(_LIFE, _ARMOR, _CARDS, _DECK, _FATIGUE, _CRYSTALS, _MANA, _OVERLOAD, _WEAPON, _DURABILITY,
 _SWING, _SECRETS, _USED, _MIGHT, _BODIES) = range(15)
LIVES, HANDS, BOARDS, CLASSES = 20, HAND + 1, BOARD + 1, max(Class) + 1
_LIFE_IS = 15
_HAND_IS = _LIFE_IS + LIVES
_BOARD_IS = _HAND_IS + HANDS
_CLASS_IS = _BOARD_IS + BOARDS
_PLAYER = _CLASS_IS + CLASSES  # width of a player
_ENDED, _FIRST, _TURN, _NEW, _MULLIGAN, _CHOICE, _PAYABLE, _NEXT, _DEAR = range(
    2 * _PLAYER, 2 * _PLAYER + 9)
COSTS = 9
_COST_IS = 2 * _PLAYER + 9  # how many known cards of each cost
RACES = 16  # own life less what the opponent can deal, and the reverse, in steps of 3
_SAFE_IS = _COST_IS + COSTS
_KILL_IS = _SAFE_IS + RACES
_JADE = _KILL_IS + RACES
_CTHUN, _COMBO, _BUFFS, _SPELLS = _JADE + 2, _JADE + 4, _JADE + 5, _JADE + 6
GLOBAL = _SPELLS + 1  # width

@kernel(I8(FEATURES_T, I8, I8, I8), inline=True)
def add(f, n, index, value):
    """Append an entry to n others; return how many there are. A zero is left out.

    A zero is overwritten by the next entry: cheaper than a branch. So is `n` than a field of f.
    """
    f.index[n] = index
    f.value[n] = min(max(value, -MOST_VALUE), MOST_VALUE)
    return n + (value != 0)


@kernel(I8(FEATURES_T, I8, I8, I8, I8), inline=True)
def add_step(f, n, first, number, steps):
    """Append a number as one of `steps` places, the first for 0 and less, the last for more."""
    return add(f, n, first + min(max(number, 0), steps - 1), ONE)


@kernel(I8(GAME_T, TABLES_T, I8), inline=True)
def spell_damage_of(g, t, ref):
    """Return the Spell Damage of a minion, printed and given."""
    c = g.char[ref]
    if (c.keywords & Keyword.SILENCED) != 0:
        return 0
    return np.int64(c.spell_damage) + t.card[c.card].spell_damage


@kernel(uniform(I8, 2)(GAME_T, TABLES_T, I8, BOOL), inline=True)
def key_of_minion(g, t, ref, ready):
    """Return all that `describe_minion` reads, packed; minions with equal keys have equal entries.
    """
    # Four numbers of 16 bits fill an int64. By this key the network keeps what a minion adds to its
    # sums: the same minion in another position is not described again (network.take_minion).
    c = g.char[ref]
    body = np.int64(c.card) | (np.int64(c.attack) & _16) << 16
    body |= (np.int64(c.health) & _16) << 32 | (np.int64(c.max_health) & _16) << 48
    marks = np.int64(c.keywords | c.aura_keywords) & _ANY_FLAG
    return body, marks | (spell_damage_of(g, t, ref) & _16) << 32 | np.int64(ready) << 48


@kernel(VOID(GAME_T, TABLES_T, FEATURES_T, I8, BOOL))
def describe_minion(g, t, f, ref, ready):
    """Append a minion's entries, its card first."""
    c = g.char[ref]
    attack, health = max(np.int64(c.attack), 0), np.int64(c.health)
    # The card comes first: it is an index into a table of its own (gradient.forward_minions).
    n = add(f, np.int64(f.n), np.int64(c.card), ONE)
    n = add(f, n, _HERE, ONE)
    n = add(f, n, _ATTACK, attack * EIGHTH)
    n = add(f, n, _HEALTH, health * EIGHTH)
    n = add(f, n, _LOST, (c.max_health - health) * EIGHTH)
    if ready:
        n = add(f, n, _READY, ONE)
        n = add(f, n, _POWER, attack * EIGHTH)
    n = add(f, n, _GIVEN, spell_damage_of(g, t, ref) * HALF)
    marks = np.int64(c.keywords | c.aura_keywords)
    if (marks & _ANY_FLAG) != 0:  # else 16 zeros would be appended and overwritten
        for k in range(len(_FLAGS)):
            n = add(f, n, _FLAG + k, ONE if (marks & _FLAGS[k]) != 0 else 0)
    n = add_step(f, n, _ATTACK_IS, attack, STEPS)
    n = add_step(f, n, _HEALTH_IS, health, STEPS)
    f.n = n


@kernel(BOOL(GAME_T, I8, I8, BOOL), inline=True)
def is_ready(g, ref, me, ended):
    """Return whether a minion can attack: an own one this turn, an enemy one in the next."""
    if side_of(ref) == me:
        return not ended and can_attack(g, ref)
    # An enemy minion that was summoned this turn, or has attacked, can attack in the next one.
    return not has_keyword(g, ref, Keyword.CANT_ATTACK | Keyword.FROZEN)


@kernel(I8(GAME_T, I8), inline=True)
def attack_damage(g, ref):
    """Return the damage that a minion which can attack can deal in a turn."""
    times = 2 if has_keyword(g, ref, Keyword.WINDFURY) else 1
    return max(np.int64(g.char[ref].attack), 0) * times


@kernel(I8(GAME_T, TABLES_T, FEATURES_T, I8, I8, I8, BOOL))
def describe_minions(g, t, f, side, me, group, ended):
    """Append the groups of a player's minions; return the damage that the ready ones can deal."""
    s, total = g.side[side], np.int64(0)
    for i in range(BOARD):
        f.begin[group + i] = f.n
        if i < s.minions:
            ref = minion_ref(side, s.row[i])
            ready = is_ready(g, ref, me, ended)
            describe_minion(g, t, f, ref, ready)
            if ready:
                total += attack_damage(g, ref)
    return total


@kernel(I8(GAME_T, FEATURES_T, I8, I8, I8, I8))
def describe_player(g, f, n, side, base, might):
    """Append the entries of a player; `might`: the damage that its minions can deal.

    As `describe_costs`, it is given how many entries there are, and returns it.
    """
    s, hero = g.side[side], hero_of(side)
    life = np.int64(g.char[hero].health) + s.armor
    n = add(f, n, base + _LIFE, life * SIXTEENTH)
    n = add(f, n, base + _ARMOR, s.armor * EIGHTH)
    n = add(f, n, base + _CARDS, s.n_hand * EIGHTH)
    n = add(f, n, base + _DECK, s.n_deck * SIXTEENTH)
    n = add(f, n, base + _FATIGUE, s.fatigue * QUARTER)
    n = add(f, n, base + _CRYSTALS, s.crystals * EIGHTH)
    n = add(f, n, base + _MANA, s.mana * EIGHTH)
    n = add(f, n, base + _OVERLOAD, (s.overload + s.locked) * QUARTER)
    if s.weapon > 0:
        n = add(f, n, base + _WEAPON, s.weapon_attack * QUARTER)
        n = add(f, n, base + _DURABILITY, s.durability * QUARTER)
    n = add(f, n, base + _SWING, attack_of(g, hero) * QUARTER)
    n = add(f, n, base + _SECRETS, s.n_secrets * HALF)
    n = add(f, n, base + _USED, s.power_used * ONE)
    n = add(f, n, base + _MIGHT, might * SIXTEENTH)
    n = add(f, n, base + _BODIES, s.minions * QUARTER)
    n = add_step(f, n, base + _LIFE_IS, life // 2, LIVES)  # in steps of 2, the last from 38 on
    n = add_step(f, n, base + _HAND_IS, s.n_hand, HANDS)
    n = add_step(f, n, base + _BOARD_IS, s.minions, BOARDS)
    return add_step(f, n, base + _CLASS_IS, s.cls, CLASSES)


@kernel(I8(GAME_T, TABLES_T, FEATURES_T, I8, I8, I8))
def describe_costs(g, t, f, n, me, known):
    """Append what the first `known` cards in hand cost (with their own changes), and can be paid.
    """
    s = g.side[me]
    now, later, dear = np.int64(0), np.int64(0), np.int64(0)
    for i in range(known):
        cost = max(np.int64(t.card[s.hand[i].card].cost) + s.hand[i].cost, 0)
        now += cost <= s.mana
        later += cost <= s.crystals + 1  # next turn, without regard to Overload
        dear += cost
        n = add_step(f, n, _COST_IS, cost, COSTS)
    n = add(f, n, _PAYABLE, now * QUARTER)
    n = add(f, n, _NEXT, later * QUARTER)
    return add(f, n, _DEAR, dear * SIXTEENTH)


@kernel(I8(GAME_T, GAME_T, I8, I8, I8))
def known_cards(g, h, me, move, before):
    """Return how many of the first cards in a hand, after a move from g to h, were there before.

    before: only the first so many cards in g are known; the others count as unknown.
    Cards come in at the end and go out anywhere; the card played goes. Where a text threw away
    cards by chance, a drawn card could pass for one of these: as many as left the deck count as
    unknown.
    """
    s, z = g.side[me], h.side[me]
    j, known, played = np.int64(0), np.int64(0), hand_of(move) if is_play(move) else -1
    # Match the hand after the move, card by card, with the hand before it: the first card without a
    # partner, and all after it, came in by the move.
    while known < z.n_hand:
        while j < before and (j == played or s.hand[j].card != z.hand[known].card):
            j += 1
        if j == before:
            break
        j += 1
        known += 1
    # A known card is missing without having been played: some card was discarded.
    if known < before - (0 <= played < before):
        known = min(known, np.int64(z.n_hand) - max(np.int64(s.n_deck) - z.n_deck, 0))
    return max(known, np.int64(0))


@kernel(I8(GAME_T, FEATURES_T, I8, I8, I8, BOOL), inline=True)
def describe_counts(g, f, n, me, known, ended):
    """Append what texts count: jade golems, C'Thun, Combo, spells cast, buffs of the hand."""
    for side in range(2):
        s = g.side[me if side == 0 else 1 - me]
        n = add(f, n, _JADE + side, s.jade * EIGHTH)
        n = add(f, n, _CTHUN + side, s.counter[Counter.CTHUN_ATTACK] * SIXTEENTH)
    s, buffs = g.side[me], np.int64(0)
    for i in range(known):
        buffs += np.int64(s.hand[i].attack) + s.hand[i].health
    n = add(f, n, _COMBO, ONE if s.played > 0 and not ended else 0)
    n = add(f, n, _BUFFS, buffs * SIXTEENTH)
    return add(f, n, _SPELLS, s.counter[Counter.SPELLS_CAST] * SIXTEENTH)


@kernel(I8(GAME_T, FEATURES_T, I8, I8), inline=True)
def describe_in_play(g, f, n, side):
    """Append the weapon and the hero power of a player."""
    s = g.side[side]
    if s.weapon > 0:
        n = add(f, n, np.int64(s.weapon), ONE)
    return add(f, n, np.int64(s.power), ONE)


@kernel(I8(FEATURES_T, I8, I8, I8), inline=True)
def add_copy(f, n, first, card):
    """Append a card to the entries from `first` on, or count one more of it."""
    for k in range(first, n):
        if f.index[k] == card:
            f.value[k] += COPY
            return n
    return add(f, n, card, COPY)


@kernel(I8(GAME_T, FEATURES_T, I8, I8, I8), inline=True)
def describe_deck(g, f, n, first, side):
    """Append the cards of a deck, but those that nobody saw go in."""
    # The order of the deck does not show in the network's value: sums are the same in any order.
    s = g.side[side]
    for k in range(np.int64(s.n_deck)):
        if (s.unseen >> k) & 1 == 0:
            n = add_copy(f, n, first, np.int64(card_in(s.deck[k])))
    return n


@kernel(VOID(GAME_T, FEATURES_T, I8))
def describe_decks(g, f, me):
    """Append what is left of both players' cards, as player `me` knows it before it acts."""
    first = np.int64(f.n)
    f.begin[DECK_LEFT] = first
    n = describe_deck(g, f, first, first, me)
    f.begin[REST], first = n, n
    # Deck, hand and secrets make one group: the list is known, but not which card is where.
    n = describe_deck(g, f, n, first, 1 - me)
    s = g.side[1 - me]
    for i in range(np.int64(s.n_hand)):
        n = add_copy(f, n, first, np.int64(s.hand[i].card))
    for i in range(np.int64(s.n_secrets)):
        n = add_copy(f, n, first, np.int64(s.secret[i].card))
    f.begin[GROUPS], f.n = n, n


@kernel(VOID(GAME_T, TABLES_T, FEATURES_T, I8, I8, BOOL, I8, I8))
def describe_rest(h, t, f, me, known, ended, ours, theirs):
    """Append all groups but the minions'; ours, theirs: the damage that minions can deal."""
    n = np.int64(f.n)
    f.begin[SIDES] = n
    # `attack_of` counts a weapon in its owner's turn only, but the opponent will attack in its own.
    if not ended:
        ours += attack_of(h, hero_of(me))
    theirs += np.int64(h.side[1 - me].weapon_attack) if h.side[1 - me].weapon > 0 else np.int64(0)
    n = describe_player(h, f, n, me, 0, ours)
    n = describe_player(h, f, n, 1 - me, _PLAYER, theirs)
    n = add(f, n, _ENDED, ONE if ended else 0)
    n = add(f, n, _FIRST, ONE if h.first == me else 0)
    n = add(f, n, _TURN, h.turn * SIXTEENTH)
    n = add(f, n, _NEW, (h.side[me].n_hand - known) * HALF)
    n = add(f, n, _MULLIGAN, ONE if h.pending >= Phase.MULLIGAN else 0)
    n = add(f, n, _CHOICE, ONE if h.pending == Phase.CHOICE else 0)
    n = describe_costs(h, t, f, n, me, known)
    mine = np.int64(h.char[hero_of(me)].health) + h.side[me].armor
    enemy_life = np.int64(h.char[hero_of(1 - me)].health) + h.side[1 - me].armor
    # With + 8, lethal (a difference of 0 or less) and not lethal (1 or more) are different places.
    n = add_step(f, n, _SAFE_IS, (mine - theirs + 8) // 3, RACES)
    n = add_step(f, n, _KILL_IS, (enemy_life - ours + 8) // 3, RACES)
    n = describe_counts(h, f, n, me, known, ended)
    f.begin[HELD] = n
    for i in range(known):
        n = add(f, n, np.int64(h.side[me].hand[i].card), ONE)
    f.begin[OWN] = n
    n = describe_in_play(h, f, n, me)
    for i in range(np.int64(h.side[me].n_secrets)):
        n = add(f, n, np.int64(h.side[me].secret[i].card), ONE)
    f.begin[ENEMY] = n
    n = describe_in_play(h, f, n, 1 - me)
    f.begin[DECK_LEFT], f.n = n, n


@kernel(VOID(GAME_T, GAME_T, TABLES_T, FEATURES_T, I8, I8, BOOL))
def describe(g, h, t, f, me, known, ended):
    """Describe position h, which an action of player `me` in position g has led to, for it.

    known: how many of the first cards in its hand it knows. ended: its turn is over.
    """
    f.n = 0
    ours = describe_minions(h, t, f, me, me, 0, ended)
    theirs = describe_minions(h, t, f, 1 - me, me, BOARD, ended)
    describe_rest(h, t, f, me, known, ended, ours, theirs)
    # Of the position before the action: which card the action drew must stay unknown.
    describe_decks(g, f, me)
