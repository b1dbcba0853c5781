"""What a player may see of a game, as numbers in fixed places.

    observe(g, t, rows, player, out, x)    an observation: int16 (SIZE,)

An observation is a series of blocks. A block is a table: a row for each place (of a board, a hand
...), a column for each number; learning/layouts.py explains them. "Own" is the observing player. A
card is its number in the vocabulary (`rows`, by table index). Only fields that the player may know
are read. The opponent's hand and secrets, the order of decks, uids and random streams are never
read, so two games that differ only in these look the same.
Decks and graveyards are sorted, so that their order tells nothing.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from hsevo.cards.terms import Counter, Keyword, Rule
from hsevo.engine.jit import I2, I8, TABLES_T, U4, VOID, array, kernel, record
from hsevo.engine.record.codec import (
    BONUS,
    Moment,
    card_in,
    hero_of,
    minion_ref,
    owner_of,
)
from hsevo.engine.record.state import (
    BOARD,
    DEAD,
    DECK,
    GAME_T,
    HAND,
    LATER,
    SECRETS,
    TEXTS,
    Phase,
)
from hsevo.engine.rules.aim import joined_or_taught
from hsevo.engine.rules.board import STEALTHS
from hsevo.engine.rules.costs import cost_of, power_cost
from hsevo.engine.rules.deaths import deaths_in
from hsevo.engine.rules.query import IMMUNITY, attack_of
from hsevo.engine.view.actions import CHOICES

WHICH = 6  # the lowest bits of a key: its index, so that all keys differ
KEYS, TOGETHER, LAST_KEY = 1 << WHICH, 4, 2**31 - 1  # TOGETHER: keys that are compared at a time
# Scratch: the keys, and their places in order.
SORTING = np.dtype([("key", "i4", (KEYS,)), ("place", "i4", (KEYS,))], align=True)
SORTING_T = record(SORTING)


@kernel(VOID(SORTING_T, I8))
def rank(x, n):
    """Set x.place[k] to how many of the first n keys are less than key k; n <= KEYS - TOGETHER.

    All are compared with all, several at a time and without a branch: a deck takes a third of the
    time of an insertion sort.
    """
    width = (n + 15) // 16 * 16  # whole vectors
    for k in range(n, n + TOGETHER):
        x.key[k] = LAST_KEY
    for j in range(width):
        x.place[j] = 0
    for k in range(0, n, TOGETHER):
        a, b, c, d = x.key[k], x.key[k + 1], x.key[k + 2], x.key[k + 3]
        for j in range(width):
            key = x.key[j]
            x.place[j] = x.place[j] + (a < key) + (b < key) + (c < key) + (d < key)


OUT_T, LEGAL_T = array(I2, 1), array(U4, 1)
_TIMES = 6  # bits of a key for how often a card died
NOTHING, UNKNOWN = 0, 1  # no card; a card not seen, or one that the vocabulary does not have


class SeenDecision(IntEnum):
    """What is to be decided, and the clock."""

    CARD = 0
    KIND = 1
    TURN = 2
    TURNS_LEFT = 3
    BEGAN = 4
    TO_MOVE = 5


class SeenPlayer(IntEnum):
    """Numbers of a player."""

    CLASS = 0
    MANA = 1
    CRYSTALS = 2
    LOCKED = 3
    OVERLOAD = 4
    FATIGUE = 5
    ARMOR = 6
    HAND = 7
    DECK = 8
    SECRETS = 9
    MINIONS = 10
    DIED = 11
    JADE = 12
    TOTEMS = 13
    PLAYED = 14
    MINIONS_PLAYED = 15
    SPELL_DAMAGE = 16
    SPELLS_CAST = 17  # from here the counters, in the order of terms.Counter
    SECRETS_PLAYED = 18
    POWERS_USED = 19
    DIED_THIS_TURN = 20
    CTHUN_ATTACK = 21
    CTHUN_HEALTH = 22
    CTHUN_TAUNT = 23
    DRAGON_CHEAPER = 24
    POWER_CHEAPER = 25
    POWER_DEARER = 26
    POWER_PRICE = 27
    SPELLS_DEARER = 28
    ELEMENTALS_NOW = 29
    ELEMENTALS_PLAYED = 30
    QUEST_PROGRESS = 31
    FOREIGN_CARDS = 32
    EXTRA_TURNS = 33
    MINION_SIZE = 34
    MADE_CARD = 35
    DISCARDED = 36
    HEALED = 37
    OVERLOADED = 38
    HERO_HURT = 39
    COSTLY_SPELLS = 40
    LATER_TURNS = 41
    TALLY = 42
    KEPT_ATTACK = 43
    KEPT_DURABILITY = 44
    NEXT_SPELL_TWICE = 45
    NEXT_SPELL_DAMAGE = 46
    SPELL_DAMAGE_NOW = 47
    SPELLS_DRAIN = 48
    RIGHTMOST = 49
    POGO_HOPPERS = 50
    HERO_DAMAGE = 51
    SPELLS_NOW = 52
    LAST_MINION = 53
    GROWN = 54
    RESTORED = 55
    HEALING_HURTS = 56  # from here the rules of this turn, in the order of TURN_RULES
    SPELLS_FREE = 57
    SPELLS_COST_MORE = 58
    NEXT_SECRET_FREE = 59
    NEXT_SPELL_CHEAPER = 60
    NEXT_SPELL_FREE = 61
    MURLOC_FOR_HEALTH = 62
    SPELL_FOR_HEALTH = 63
    UNBREAKABLE = 64


class Hero(IntEnum):
    """Numbers of a hero."""

    CARD = 0
    ATTACK = 1
    HEALTH = 2
    MAX_HEALTH = 3
    ATTACKS = 4
    FROZEN = 5
    IMMUNE = 6
    WINDFURY = 7
    STEALTH = 8
    LIFESTEAL = 9


class Power(IntEnum):
    """Numbers of a hero power."""

    CARD = 0
    COST = 1
    USED = 2


class Weapon(IntEnum):
    """Numbers of a weapon."""

    CARD = 0
    ATTACK = 1
    DURABILITY = 2


class Minion(IntEnum):
    """Numbers of a minion in play."""

    CARD = 0
    ATTACK = 1
    HEALTH = 2
    MAX_HEALTH = 3
    ATTACKS = 4
    ASLEEP = 5
    BORROWED = 6
    SPELL_DAMAGE = 7
    TAUNT = 8  # from here keywords, in the order of KEYWORDS
    CHARGE = 9
    DIVINE_SHIELD = 10
    WINDFURY = 11
    STEALTH = 12
    POISONOUS = 13
    LIFESTEAL = 14
    FREEZES = 15
    IMMUNE = 16
    CANT_ATTACK = 17
    ELUSIVE = 18
    DEATHRATTLE = 19
    INSPIRE = 20
    CANT_ATTACK_HEROES = 21
    FROZEN = 22
    SILENCED = 23
    MEGA_WINDFURY = 24
    CLEAVE = 25
    UNLIMITED = 26
    TEXT_1 = 27  # cards whose text was attached to it
    TEXT_2 = 28
    TEXT_3 = 29
    TEXT_4 = 30
    TEXT_5 = 31
    TEXT_6 = 32


class SeenCard(IntEnum):
    """Numbers of a card in hand."""

    CARD = 0
    COST = 1
    ATTACK = 2
    HEALTH = 3
    JOINED = 4  # a second card that it is as well


class Grave(IntEnum):
    """Numbers of a grave: minions of one card that died."""

    CARD = 0
    TIMES = 1


class Listed(IntEnum):
    """The one number of a card that is only listed."""

    CARD = 0


TURN_RULES = (
    Rule.HEALING_HURTS, Rule.SPELLS_FREE, Rule.SPELLS_DEARER, Rule.NEXT_SECRET_FREE,
    Rule.NEXT_SPELL_CHEAPER, Rule.NEXT_SPELL_FREE, Rule.NEXT_MURLOC_FOR_HEALTH,
    Rule.NEXT_SPELL_FOR_HEALTH, Rule.UNBREAKABLE,
)  # fmt: skip
_RULES = tuple(int(rule) for rule in TURN_RULES)
_N_RULES = len(_RULES)
KEYWORDS = (
    Keyword.TAUNT, Keyword.CHARGE, Keyword.DIVINE_SHIELD, Keyword.WINDFURY | Keyword.WINDFURY_TURN,
    Keyword.STEALTH | Keyword.STEALTH_TURN, Keyword.POISONOUS, Keyword.LIFESTEAL, Keyword.FREEZES,
    IMMUNITY, Keyword.CANT_ATTACK, Keyword.ELUSIVE, Keyword.DEATHRATTLE, Keyword.INSPIRE,
    Keyword.CANT_ATTACK_HEROES | Keyword.NO_HEROES_THIS_TURN, Keyword.FROZEN, Keyword.SILENCED,
    Keyword.MEGA_WINDFURY, Keyword.CLEAVE, Keyword.UNLIMITED,
)  # fmt: skip
_KEYWORDS = tuple(int(keyword) for keyword in KEYWORDS)
_N_KEYWORDS = len(_KEYWORDS)
_COUNTERS = len(Counter)
_WINDFURY = int(Keyword.WINDFURY | Keyword.WINDFURY_TURN)

# name, rows, columns; a row of two players: own, then enemy
BLOCKS: tuple[tuple[str, int, type[IntEnum]], ...] = (
    ("decision", 1, SeenDecision),
    ("player", 2, SeenPlayer),
    ("hero", 2, Hero),
    ("power", 2, Power),
    ("weapon", 2, Weapon),
    ("own_board", BOARD, Minion),
    ("enemy_board", BOARD, Minion),
    ("hand", HAND, SeenCard),
    ("choices", CHOICES, Listed),
    ("thrown", HAND, Listed),
    ("secrets", SECRETS, Listed),
    ("deck", DECK, Listed),
    ("enemy_deck", DECK, Listed),
    ("own_graveyard", DEAD, Grave),
    ("enemy_graveyard", DEAD, Grave),
    ("own_later", LATER, Listed),
    ("enemy_later", LATER, Listed),
)  # fmt: skip


def _offsets() -> dict[str, int]:
    """Return where each block begins, and under "end" where the last one ends."""
    offsets, at = {}, 0
    for name, rows, columns in BLOCKS:
        offsets[name] = at
        at += rows * len(columns)
    return {**offsets, "end": at}


OFFSETS = _offsets()
SIZE = OFFSETS["end"]
(DECISION_AT, PLAYER_AT, HERO_AT, POWER_AT, WEAPON_AT, OWN_BOARD_AT, ENEMY_BOARD_AT, HAND_AT,
 CHOICES_AT, THROWN_AT, SECRETS_AT, DECK_AT, ENEMY_DECK_AT, OWN_GRAVES_AT, ENEMY_GRAVES_AT,
 OWN_LATER_AT, ENEMY_LATER_AT, _END) = OFFSETS.values()
PLAYERS, HEROES, POWERS, WEAPONS = len(SeenPlayer), len(Hero), len(Power), len(Weapon)
MINIONS, HELD, GRAVES = len(Minion), len(SeenCard), len(Grave)

_NOT_NEGATIVE = (1 << 15) - 1  # masks an index, so that numba omits its test for negative ones

# -- what a player sees -------------------------------------------------------------------------


@kernel(VOID(GAME_T, OUT_T, OUT_T, I8))
def observe_decision(g, rows, out, player):
    """Write what is to be decided, and the cards to choose from."""
    out[DECISION_AT + SeenDecision.KIND] = min(np.int64(g.pending), np.int64(Phase.MULLIGAN))
    out[DECISION_AT + SeenDecision.TURN] = g.turn
    out[DECISION_AT + SeenDecision.TURNS_LEFT] = max(np.int64(g.max_turns) - g.turn, 0)
    out[DECISION_AT + SeenDecision.BEGAN] = g.first == player
    out[DECISION_AT + SeenDecision.TO_MOVE] = g.me == player
    if g.me != player:
        return
    if g.pending == Phase.CHOICE and g.chooser == player:
        if g.depth > 0:
            out[DECISION_AT + SeenDecision.CARD] = rows[g.stack[g.depth - 1].card]
        for k in range(g.n_choices):
            out[CHOICES_AT + k] = rows[g.choice[k]]
    elif g.pending >= Phase.MULLIGAN:
        for k in range(g.n_aside):
            out[THROWN_AT + k] = rows[g.aside[k]]


@kernel(VOID(GAME_T, OUT_T, I8, I8, I8))
def observe_numbers(g, out, side, at, aside):
    """Write the numbers of a player; `aside`: cards that it is throwing back."""
    s = g.side[side]
    out[at + SeenPlayer.CLASS] = s.cls
    out[at + SeenPlayer.MANA] = s.mana
    out[at + SeenPlayer.CRYSTALS] = s.crystals
    out[at + SeenPlayer.LOCKED] = s.locked
    out[at + SeenPlayer.OVERLOAD] = s.overload
    out[at + SeenPlayer.FATIGUE] = s.fatigue
    out[at + SeenPlayer.ARMOR] = s.armor
    out[at + SeenPlayer.HAND] = s.n_hand + aside
    out[at + SeenPlayer.DECK] = s.n_deck
    out[at + SeenPlayer.SECRETS] = s.n_secrets
    out[at + SeenPlayer.MINIONS] = s.minions
    out[at + SeenPlayer.DIED] = s.n_dead
    out[at + SeenPlayer.JADE] = s.jade
    out[at + SeenPlayer.TOTEMS] = s.totems
    out[at + SeenPlayer.PLAYED] = s.played
    out[at + SeenPlayer.MINIONS_PLAYED] = s.minions_played
    out[at + SeenPlayer.SPELL_DAMAGE] = s.spell_damage
    for k in range(_COUNTERS):
        out[at + SeenPlayer.SPELLS_CAST + k] = s.counter[k]
    if s.turn_rules != 0:
        for k in range(_N_RULES):
            out[at + SeenPlayer.HEALING_HURTS + k] = (np.int64(s.turn_rules) & _RULES[k]) != 0


@kernel(VOID(GAME_T, TABLES_T, OUT_T, OUT_T, I8, I8))
def observe_hero(g, t, rows, out, side, place):
    """Write the hero, the hero power and the weapon of a player to row `place` of their blocks."""
    s, c = g.side[side], g.char[hero_of(side)]
    bits, at = np.int64(c.keywords | c.aura_keywords), HERO_AT + HEROES * place
    out[at + Hero.CARD] = rows[c.card]
    out[at + Hero.ATTACK] = attack_of(g, hero_of(side))
    out[at + Hero.HEALTH] = c.health
    out[at + Hero.MAX_HEALTH] = c.max_health
    out[at + Hero.ATTACKS] = c.attacks
    out[at + Hero.FROZEN] = (bits & Keyword.FROZEN) != 0
    out[at + Hero.IMMUNE] = (bits & IMMUNITY) != 0
    out[at + Hero.WINDFURY] = (bits & _WINDFURY) != 0
    out[at + Hero.STEALTH] = (bits & STEALTHS) != 0
    out[at + Hero.LIFESTEAL] = (bits & Keyword.LIFESTEAL) != 0
    if s.power > 0:
        at = POWER_AT + POWERS * place
        out[at + Power.CARD] = rows[s.power]
        out[at + Power.COST] = power_cost(g, t, side)
        out[at + Power.USED] = s.power_used
    if s.weapon > 0:
        at = WEAPON_AT + WEAPONS * place
        out[at + Weapon.CARD] = rows[s.weapon]
        out[at + Weapon.ATTACK] = s.weapon_attack
        out[at + Weapon.DURABILITY] = s.durability


@kernel(VOID(GAME_T, TABLES_T, OUT_T, OUT_T, I8, I8, I8))
def observe_minion(g, t, rows, out, ref, at, player):
    """Write a minion in play; texts that only their player knows are UNKNOWN to the other."""
    c, at = g.char[ref], at & _NOT_NEGATIVE
    bits = np.int64(c.keywords | c.aura_keywords)
    out[at + Minion.CARD] = rows[c.card]
    out[at + Minion.ATTACK] = attack_of(g, ref)
    out[at + Minion.HEALTH] = c.health
    out[at + Minion.MAX_HEALTH] = c.max_health
    out[at + Minion.ATTACKS] = c.attacks
    out[at + Minion.ASLEEP] = (bits & (Keyword.FRESH | Keyword.CHARGE)) == Keyword.FRESH
    out[at + Minion.BORROWED] = c.borrowed != 0
    printed = t.card[c.card].spell_damage if (bits & Keyword.SILENCED) == 0 else 0
    out[at + Minion.SPELL_DAMAGE] = c.spell_damage + printed
    if bits != 0:
        for k in range(_N_KEYWORDS):
            out[at + Minion.TAUNT + k] = (bits & _KEYWORDS[k]) != 0
    if c.extra[0] != 0:  # the first one is taken first
        for k in range(TEXTS):
            text = np.int64(c.extra[k])
            hidden = t.card[card_in(text)].hidden == 1 and owner_of(text) != player
            out[at + Minion.TEXT_1 + k] = UNKNOWN if hidden else rows[card_in(text)]


@kernel(VOID(GAME_T, OUT_T, OUT_T, I8, I8, I8, SORTING_T))
def observe_lists(g, rows, out, side, graves, later, x):
    """Write the minions of a player that died, sorted, and its texts that wait for a turn's end."""
    s = g.side[side]
    for k in range(s.n_graves):
        row, times = np.int64(rows[card_in(s.dead[k])]), deaths_in(s.dead[k])
        x.key[k] = (row << _TIMES | times) << WHICH | k
    rank(x, np.int64(s.n_graves))
    for k in range(s.n_graves):
        key, at = np.int64(x.key[k]) >> WHICH, graves + GRAVES * x.place[k]
        out[at + Grave.CARD] = key >> _TIMES
        out[at + Grave.TIMES] = key & (1 << _TIMES) - 1
    for k in range(s.n_later):
        if np.int64(s.later[k]) >> BONUS < Moment.KEPT:  # the others say what was drawn
            out[later] = rows[card_in(s.later[k])]
            later += 1


@kernel(VOID(GAME_T, TABLES_T, OUT_T, OUT_T, I8))
def observe_hand(g, t, rows, out, side):
    """Write the cards that only their player knows: the hand and secrets."""
    s = g.side[side]
    for k in range(s.n_hand):
        h, at = s.hand[k], (HAND_AT + HELD * k) & _NOT_NEGATIVE
        out[at + SeenCard.CARD] = rows[h.card]
        out[at + SeenCard.COST] = cost_of(g, t, side, k)
        out[at + SeenCard.ATTACK] = t.card[h.card].attack + h.attack
        out[at + SeenCard.HEALTH] = t.card[h.card].health + h.health
        if h.joined != 0:
            out[at + SeenCard.JOINED] = rows[joined_or_taught(t, h)]
    for k in range(s.n_secrets):
        out[SECRETS_AT + k] = rows[s.secret[k].card]


@kernel(VOID(GAME_T, OUT_T, OUT_T, I8, SORTING_T))
def observe_deck(g, rows, out, side, x):
    """Write the cards left in a player's deck, sorted: their order in memory is no one's to see."""
    s = g.side[side]
    for k in range(s.n_deck):
        unseen = (s.unseen >> k) & 1 == 1  # Prince Malchezaar has added it
        row = np.int64(UNKNOWN) if unseen else np.int64(rows[card_in(s.deck[k])])
        x.key[k] = row << WHICH | k
    rank(x, np.int64(s.n_deck))
    for k in range(s.n_deck):
        out[DECK_AT + x.place[k]] = x.key[k] >> WHICH


@kernel(VOID(GAME_T, TABLES_T, OUT_T, I8, OUT_T, SORTING_T))
def observe(g, t, rows, player, out, x):
    """Write what a player (0 or 1) may see; `enemy_deck` is left to those who may know it.

    x: scratch.
    """
    opponent = 1 - player
    out[:] = 0
    observe_decision(g, rows, out, player)
    aside = np.int64(g.n_aside) if g.pending >= Phase.MULLIGAN else np.int64(0)
    observe_numbers(g, out, player, PLAYER_AT, aside if g.me == player else np.int64(0))
    observe_numbers(g, out, opponent, PLAYER_AT + PLAYERS,
                    aside if g.me == opponent else np.int64(0))
    observe_hero(g, t, rows, out, player, 0)
    observe_hero(g, t, rows, out, opponent, 1)
    for k in range(g.side[player].minions):
        ref = minion_ref(player, g.side[player].row[k])
        observe_minion(g, t, rows, out, ref, OWN_BOARD_AT + MINIONS * k, player)
    for k in range(g.side[opponent].minions):
        ref = minion_ref(opponent, g.side[opponent].row[k])
        observe_minion(g, t, rows, out, ref, ENEMY_BOARD_AT + MINIONS * k, player)
    observe_hand(g, t, rows, out, player)
    observe_deck(g, rows, out, player, x)
    observe_lists(g, rows, out, player, OWN_GRAVES_AT, OWN_LATER_AT, x)
    observe_lists(g, rows, out, opponent, ENEMY_GRAVES_AT, ENEMY_LATER_AT, x)
