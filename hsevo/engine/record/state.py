"""The game record: its layout and limits, its random streams, its stack of pending effects.

A STATE, 2.8 KB, is a game between two actions; batches, learners and saved games store it.
Rules are functions on a GAME, the working record of a thread: it begins with the same fields at the
same offsets, followed by what resolving an action needs.

    header       turn, result, random streams, pending choice, current attack
    char[16]     0-6 minions of player 0, 7 its hero; 8-14 minions of player 1, 15 its hero
    side[2]      mana, weapon, hand, deck, secrets; `row`: the minions' slots from left to right
    -- PREFIX ends here: a look-ahead copies this part (`copy_position`: of sides only what cards up
       to 2016 need, where `late` is 0), and the frames of an open choice --
    evidence[2]  what has been seen of the cards of player 0 and 1: rules/evidence.py
    depth        frames in use: 0 between two actions, unless a choice is open
    stack[]      frames: WAITING of a STATE, STACK of a GAME
    -- STATE ends here --
    list, sums   the characters of an effect, the sums of auras
    moves[]      the legal moves of the last `list_moves`

`load` and `store` copy one to the other. Unused frames of a state are cleared, so equal
games have equal bytes.

Fields that index something are unsigned: numba then omits the test for negative indices.
A character is addressed by its `ref` (index into char). A minion keeps its slot while it stays on
its side; its `uid`, which increases in order of play, distinguishes it from other minions in that
slot. A deck has no order: drawing takes a uniformly random card of it, so a copy with another
random stream reveals nothing hidden. With `ordered`, the deck is shuffled when the game begins and
its last card is drawn: look-aheads with `leaky` information and puzzles with a given deck need
this.
"""

from enum import IntEnum

import numpy as np

from hsevo.cards.late import FIRST_COUNTER
from hsevo.cards.terms import Counter
from hsevo.engine.intrinsics import copy_bytes
from hsevo.engine.jit import BOOL, I8, U8, VOID, kernel, record, records

BOARD, HAND, DECK, SECRETS, DEAD, STACK = 7, 10, 60, 5, 48, 96
# Legal moves. At most 2,172 are possible: 10 cards with two options, 15 targets and 7 places each;
# 56 attacks, 15 uses of the hero power, the end of the turn. The rest is padding: games are 128
# bytes longer than a multiple of 4,096, and copies of games of other sizes may be slower.
MOVES = 2440
SHOWN, INSIDE = 40, 25  # cards of one player that are remembered; more are not
WAITING = 6  # frames that can wait for an open choice; 3 is the most that was seen
TEXTS = 6  # different ones in a row, attached to a character: a seventh is lost
LATER = 20  # texts put off and cards remembered; what a full list can't take is lost
BROKEN, CASTS = 4, 10  # destroyed weapons, spells cast on own minions that are remembered
RECALLED = 30  # different cards; beyond, a new one takes the place of a random one
MARKS, ECHOING = 10, 1 << 20
OPENING = 4  # cards drawn before the first turn, at most
SCRIPT = 16  # random numbers of an action that a look-ahead can set
NONE = -1
CACHE_LINE = 64  # bytes
MAX_MANA, HERO_HEALTH = 10, 30
TURNED = 2  # `struck` before the blow: the attack goes to another defender, who is not announced
MOST = 30_000  # attack or health that effects can give, with room for auras below 2**15


class Outcome(IntEnum):
    """The values of `result`. p + 1: player p has won."""

    RUNNING = 0
    WIN_0 = 1
    WIN_1 = 2
    DRAW = 3


class Sight(IntEnum):
    """Whether a game is the true one, or a copy for a look-ahead, and what that may know.

    GUESSED: as FAIR, but the opponent's secrets are guesses of the player, and fire. NOTED: the
    true game where what players show is noted, for closed lists and worlds (rules/evidence.py).
    """

    TRUE_GAME = 0
    FAIR = 1
    LEAKY = 2
    GUESSED = 3
    NOTED = 4


class Phase(IntEnum):
    """The kinds of decisions: `pending`. MULLIGAN + p: mulligan of player p."""

    PLAY = 0
    CHOICE = 1
    MULLIGAN = 2


class Fault(IntEnum):
    """The limit at which the engine stopped the game: `fault`."""

    NONE = 0
    STACK = 1  # pending effects
    MOVES = 2  # legal moves; no position has as many
    WAITING = 3  # effects that wait for a choice


RUNNING, WIN_0, WIN_1, DRAW = (int(outcome) for outcome in Outcome)
TRUE_GAME, FAIR, LEAKY, GUESSED, NOTED = (int(sight) for sight in Sight)


CHAR = np.dtype(
    [
        ("card", "u2"),  # table index, 0: empty slot
        ("uid", "i2"),
        ("attack", "i2"),  # as shown, with auras; a hero's without its weapon
        ("health", "i2"),
        ("max_health", "i2"),
        ("turn_attack", "i2"),  # the part of attack that ends with the turn
        ("aura_attack", "i2"),  # the part of attack and max_health that auras give
        ("aura_health", "i2"),
        ("keywords", "i4"),  # terms.Keyword bits of its own
        ("aura_keywords", "i4"),  # keyword bits that auras give
        ("attacks", "i2"),  # attacks made this turn
        ("extra", "u2", (TEXTS,)),  # the texts attached to it: codec
        # Op.REMEMBER: twice a card, plus who controlled it; Op.CAST_TAUGHT: `joined` in hand
        ("memory", "u2"),
        ("spell_damage", "i2"),  # given to it
        ("borrowed", "i2"),  # returns to the other player at the turn's end; 2: had Charge before
    ],
    align=True,
)
# `head` is the first four fields at once, to compare two characters in one step
_FIELDS = dict(CHAR.fields or {})
CHAR = np.dtype(
    {
        "names": [*_FIELDS, "head"],
        "formats": [*(field[0] for field in _FIELDS.values()), np.dtype("u8")],
        "offsets": [*(field[1] for field in _FIELDS.values()), 0],
        "itemsize": CHAR.itemsize,
    }
)
# joined: a second card whose keywords a minion has (Op.ADD_JOINED), 0: none; or two spells, or
# what it keeps: codec
HELD = np.dtype([("card", "u2"), ("cost", "i2"), ("attack", "i2"), ("health", "i2"),
                 ("joined", "u2")])
SECRET = np.dtype([("card", "u2"), ("uid", "i2")])
# Fields for cards of 2017 and later stand last, from the counters on that only these cards count:
# they are zero in games with `late` 0, whose look-aheads don't copy them.
SIDE = np.dtype(
    [
        ("cls", "i2"),
        ("crystals", "i2"),
        ("mana", "i2"),  # available now
        ("locked", "i2"),
        ("overload", "i2"),  # owed next turn
        ("fatigue", "i2"),  # damage of the last fatigue draw
        ("armor", "i2"),
        ("jade", "i2"),  # golems summoned so far
        ("totems", "i2"),  # summoned this game
        ("played", "i2"),  # cards played this turn
        ("power", "u2"),
        ("power_used", "i2"),
        ("weapon", "u2"),
        ("weapon_uid", "i2"),
        ("weapon_attack", "i2"),  # auras included
        ("weapon_aura", "i2"),
        ("durability", "i2"),
        ("spell_damage", "i2"),
        ("rules", "i4"),
        ("turn_rules", "i4"),  # terms.Rule bits that end with the player's turn
        ("minions_played", "i2"),  # this turn
        ("deck_watcher", "i2"),  # the card of the deck that listens, NONE if there are several
        ("deck_watch", "i4"),  # bit e: a card of the deck may listen to event e
        ("hand_watch", "i4"),  # bit e: a card in hand may listen to event e
        ("minions", "i2"),
        ("n_hand", "i2"),
        ("n_deck", "i2"),
        ("n_secrets", "i2"),
        ("n_dead", "i2"),
        ("n_graves", "i1"),
        ("n_later", "i1"),
        # marks of the cards in hand, MARKS for each of the kinds: terms.Shift.AT_RANDOM, then
        # LIKE_ENEMY_HAND, then ECHO (it is a copy that leaves at the end of the turn)
        ("shifting", "i4"),
        ("row", "u2", (8,)),  # slots 0..6 of the minions from left to right
        ("hand", HELD, (HAND,)),
        ("secret", SECRET, (SECRETS,)),
        ("later", "u2", (LATER,)),  # cards whose text was put off, or remembered: codec.Moment
        ("dead", "u2", (DEAD,)),  # own minions that died, each with how often: graves
        ("deck", "u2", (DECK,)),  # entries: codec
        ("unseen", "i8"),  # bit k: no one saw the k-th card of the deck go in
        ("counter", "i2", (max(Counter) + 1,)),  # numbers that texts count: terms.Counter
        ("quest", "u2"),  # the open quest, 0: none
        ("quest_uid", "i2"),
        ("made", "u2"),  # bit i of a hand: it did not start in the deck (in rulesets with quests)
        ("reflecting", "u2"),  # bit i: the i-th card in hand becomes what its player plays
        ("recalled", "u2", (RECALLED,)),  # cards played, as graves; terms.Noted says which
        ("gifted", "u2"),  # bit i: the i-th card in hand was given the text of `gift`
        ("gift", "u2"),
        ("broken", "u2", (BROKEN,)),  # own weapons that were destroyed, the last ones
        ("casts", "u2", (CASTS,)),  # spells cast on own minions, the first ones
        ("dormant", "i1"),  # cards in slots, but not in `row`: they are no minions
        ("n_recalled", "i1"),
        ("n_broken", "i1"),
        ("n_casts", "i1"),
        ("opening", "u2", (OPENING,)),  # the cards drawn before the first turn, if a text asks
        ("priced", "i8"),  # bit k: the k-th card of the deck costs 1
        ("free", "i8"),  # bit k: it costs 0
        ("leveled", "i8"),  # bit k: its attack was set to its health, before later changes
    ],
    align=True,
)
EARLY_SIDE = SIDE.fields["counter"][1] + 2 * FIRST_COUNTER  # type: ignore[index]
# What its opponent has seen of a player's cards: kept in a NOTED game alone
EVIDENCE = np.dtype(
    [
        ("n_shown", "i2"),
        ("n_inside", "i2"),
        # 1: its cards were replaced by others; its list says no more. 2: play.rules.NOTED_LATER
        ("remade", "i2"),
        ("laid", "u2"),  # MADE ^ the origin of the secret that is being played, 0: none is
        # origins: 0 it came out of the deck, MADE it was made and is unknown, else the known card
        ("hand", "u2", (HAND,)),
        ("secret", "u2", (SECRETS,)),
        ("shown", "u2", (SHOWN,)),  # cards that came out of the deck
        ("inside", "u2", (INSIDE,)),  # known to be in the deck, or drawn from it since
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("pc", "u4"),  # next program row; 0: an event looking for its next listener
        ("event", "u2"),
        ("side", "u2"),  # the owner: "my" in the text
        ("card", "u2"),
        ("ref", "i2"),  # the card's minion, if it is in play
        ("uid", "i2"),
        ("target", "i2"),
        ("target_uid", "i2"),
        ("subject", "i2"),
        ("subject_uid", "i2"),
        ("other", "i2"),
        ("other_uid", "i2"),
        ("amount", "i2"),
        ("left", "i2"),  # loop counter: hits left, 0 before the first
        ("cursor", "i2"),  # events: order-of-play key of the listener that ran last
        ("horizon", "i2"),  # events: only cards in play before this uid listen
        ("place", "i2"),  # where on the board it died; events: cards in hands that listen
        ("first", "i2"),  # the first choice (Kazakus: size + 1); events: they end before this key
        ("second", "i2"),  # (Kazakus: first part + 1)
    ],
    align=True,
)
FRAME_T, HELD_T = record(FRAME), record(HELD)
AURA_SUM = np.dtype(
    [("attack", "i2"), ("health", "i2"), ("keywords", "i4"), ("follow", "i4")], align=True
)
_PREFIX = [
        ("rng", "u8"),  # the game's random stream
        ("lookahead_rng", "u8"),  # the stream that seeds look-aheads and agents' own choices
        ("turn", "i2"),  # player turns begun, from 1
        ("me", "u2"),  # the player to move
        ("first", "i2"),  # the player that began
        ("result", "i2"),  # Outcome
        ("max_turns", "i2"),
        ("next_uid", "i2"),
        ("sight", "i2"),  # Sight
        ("ordered", "i1"),
        ("late", "i1"),  # 1: its ruleset has cards of 2017 and later (cards.late)
        ("fault", "i2"),  # Fault
        ("pending", "i2"),  # Phase
        ("chooser", "i2"),
        ("n_choices", "i2"),
        ("choice", "i2", (8,)),
        ("chosen", "i2"),
        ("option", "i2"),  # Choose One: which
        ("attacker", "i2"),
        ("attacker_uid", "i2"),
        ("defender", "i2"),
        ("defender_uid", "i2"),
        ("struck", "i2"),
        ("moved", "u2"),  # bit ref: this minion changed sides while a card was played
        ("countered", "i2"),
        ("stale", "i2"),  # auras must be recomputed
        ("dying", "i2"),  # something may have to leave play
        ("auras", "i2"),  # cards in play with auras, on others or on themselves
        ("reach", "i2"),  # terms.Reach bits of all auras in play, seen from player 0
        ("discounts", "i2"),  # cards in play that change costs
        ("counts_hands", "i2"),  # 1: auras depend on cards in hand
        ("counts_attacks", "i2"),  # 1: auras depend on whether a hero has attacked
        ("last", "i2"),  # the minion put into play last
        ("aside", "i2", (HAND,)),  # mulligan: cards thrown back
        ("n_aside", "i2"),
        ("watch", "i4"),  # bit e: something may listen to event e
        # What only look-aheads do. Cards that each player would have drawn, plus 1, where none is
        # drawn; 0: cards are drawn.
        ("undrawn", "i1", (2,)),
        ("scripted", "i2"),  # 1: random numbers are those of `script`
        ("char", CHAR, (16,)),
        ("side", SIDE, (2,)),
        ("evidence", EVIDENCE, (2,)),
        ("depth", "i2"),
]
STATE = np.dtype([*_PREFIX, ("stack", FRAME, (WAITING,))], align=True)
GAME = np.dtype(
    [
        *_PREFIX,
        ("stack", FRAME, (STACK,)),
        ("n_list", "i2"),
        ("n_moves", "i2"),
        ("list", "u2", (18,)),
        ("sums", AURA_SUM, (16,)),
        # Random numbers in the order in which they are asked for, 0 to the one below the size that
        # was asked for; how many were asked for.
        ("script", "i2", (SCRIPT,)),
        ("sizes", "i2", (SCRIPT,)),
        ("n_asked", "i2"),
        ("moves", "i4", (MOVES,)),
    ],
    align=True,
)
# A multiple of a cache line, so that all games of a scratch lie alike in their lines: a copy of one
# to another takes 12.5 ns, else 15.2.
_FIELDS = dict(GAME.fields or {})
GAME = np.dtype(
    {
        "names": [*_FIELDS],
        "formats": [field[0] for field in _FIELDS.values()],
        "offsets": [field[1] for field in _FIELDS.values()],
        "itemsize": -(-GAME.itemsize // CACHE_LINE) * CACHE_LINE,
    },
    align=True,
)
SIDES, PREFIX, WHOLE = (int(STATE.fields[name][1])  # type: ignore[index]
                        for name in ("side", "evidence", "depth"))
SECOND_SIDE = SIDES + SIDE.itemsize
GAME_T, GAMES_T = record(GAME), records(GAME)
STATE_T, STATES_T = record(STATE), records(STATE)

_GOLDEN, _A, _B = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@kernel(U8(U8))
def mix(x):
    """Return the SplitMix64 output for state x (Steele, Lea, Flood 2014)."""
    x = np.uint64(x) + _GOLDEN
    x = (x ^ (x >> _30)) * _A
    x = (x ^ (x >> _27)) * _B
    return x ^ (x >> _31)


@kernel(I8(U8, I8), inline=True)
def number_below(stream, n):
    """Return the next integer of a random stream, uniform in 0..n-1 (bias below n / 2**32)."""
    return np.int64(((mix(stream) >> _32) * np.uint64(n)) >> _32)


@kernel(I8(GAME_T, I8, I8), cold=True)
def scripted_below(g, n, drawn):
    """Return the next number of the script, below n, and note what was asked for.

    Beyond its end, return the number that was drawn: texts that ask until a number is new, such as
    Discover, would ask forever for a constant.
    """
    k = np.int64(g.n_asked)
    g.n_asked = min(k + 1, SCRIPT + 1)
    if k >= SCRIPT:
        return drawn
    g.sizes[k] = n
    return np.int64(g.script[k])


@kernel(I8(GAME_T, I8))
def random_below(g, n):
    """Draw an integer uniformly from 0..n-1 (bias below n / 2**32), n >= 1."""
    number = number_below(g.rng, n)
    g.rng = g.rng + _GOLDEN
    return number if g.scripted == 0 else scripted_below(g, n, number)


@kernel(BOOL(GAME_T), inline=True)
def hides_hand(g):
    """Return whether a game is a look-ahead that does not know the opponent's hand."""
    return g.sight == FAIR or g.sight == GUESSED


@kernel(U8(GAME_T))
def lookahead_seed(g):
    """Draw a seed from the stream for look-aheads, which the rules never read."""
    bits = mix(g.lookahead_rng)
    g.lookahead_rng = g.lookahead_rng + _GOLDEN
    return bits




@kernel(BOOL(GAME_T, I8, I8))
def is_in_play(g, ref, uid):
    """Return whether a ref still holds the character with that uid."""
    return ref >= 0 and g.char[ref].uid == uid and uid > 0


@kernel(VOID(FRAME_T), inline=True)
def clear_frame(f):
    """Reset a frame to an empty one."""
    f.pc = 0
    f.event = 0
    f.side = 0
    f.card = 0
    f.ref = NONE
    f.uid = 0
    f.target = NONE
    f.target_uid = 0
    f.subject = NONE
    f.subject_uid = 0
    f.other = NONE
    f.other_uid = 0
    f.amount = 0
    f.left = 0
    f.cursor = 0
    f.horizon = 0
    f.place = NONE
    f.first = 0
    f.second = 0


@kernel(I8(GAME_T))
def push(g):
    """Put an empty frame on the stack and return its index; a full stack stops the game."""
    if g.depth >= STACK:
        g.fault = Fault.STACK
        return STACK - 1
    i = np.int64(g.depth)
    clear_frame(g.stack[i])
    g.depth = i + 1
    return i


@kernel(VOID(GAME_T, GAME_T), inline=True)
def copy_stack(g, h):
    """Copy the effects that wait on the stack of game g to h."""
    h.depth = g.depth
    for i in range(g.depth):
        h.stack[i] = g.stack[i]


@kernel(VOID(GAME_T, GAME_T), inline=True)
def copy_position(g, h):
    """Copy game g to h, without its stack and what has been seen."""
    if g.late + h.late > 0:
        copy_bytes(h, g, 0, PREFIX)
    else:
        copy_bytes(h, g, 0, SIDES + EARLY_SIDE)
        copy_bytes(h, g, SECOND_SIDE, SECOND_SIDE + EARLY_SIDE)


@kernel(VOID(GAME_T, GAME_T))
def copy_game(g, h):
    """Copy game g to h, with the effects that wait on its stack."""
    copy_position(g, h)
    copy_stack(g, h)


@kernel(VOID(GAME_T, STATE_T))
def load(g, state):
    """Copy a state to the working record g."""
    copy_bytes(g, state, 0, WHOLE)
    g.depth = state.depth
    for i in range(state.depth):
        g.stack[i] = state.stack[i]


@kernel(VOID(STATE_T, GAME_T))
def store(state, g):
    """Copy the game in g to a state; more than WAITING frames stop the game with a fault."""
    if g.depth > WAITING:
        g.depth = 0
        if g.fault == Fault.NONE:
            g.fault = Fault.WAITING
    copy_bytes(state, g, 0, WHOLE)
    state.depth = g.depth
    for i in range(WAITING):
        if i < g.depth:
            state.stack[i] = g.stack[i]
        else:
            clear_frame(state.stack[i])


@kernel(I8(I8), inline=True)
def spell_of(side):
    """Return what stands for a player's spell where a ref names the source of damage."""
    return -2 - np.int64(side)


@kernel(I8(I8), inline=True)
def effect_of(side):
    """Return what stands for an effect of a player that is of no spell and of nothing in play."""
    return -4 - np.int64(side)


@kernel(VOID(GAME_T, I8, I8, I8, I8, I8, I8))
def push_event(g, event, side, card, subject, other, amount):
    """Put an event on the stack, as `announce`."""
    f = g.stack[push(g)]
    f.event = event
    f.side = side
    f.card = card
    f.amount = amount
    f.horizon = g.next_uid
    f.place = g.side[0].n_hand | g.side[1].n_hand << 4
    if subject >= 0:
        f.subject = subject
        f.subject_uid = g.char[subject].uid
    f.other = other
    if other >= 0:
        f.other_uid = g.char[other].uid


@kernel(VOID(GAME_T, I8, I8, I8, I8, I8, I8), inline=True)
def announce(g, event, side, card, subject, other, amount):
    """Put an event on the stack, if anything may listen to it.

    `side` is the player whose event it is; `subject` and `other` are refs or NONE (`other` can be
    `spell_of` or `effect_of` a player).
    """
    if ((g.watch >> event) & 1) == 1:
        push_event(g, event, side, card, subject, other, amount)


@kernel(VOID(GAME_T, I8))
def reverse(g, base):
    """Reverse the frames above `base`, so that the one pushed first runs first."""
    low, high = base, np.int64(g.depth) - 1
    while low < high:
        h = push(g)
        if g.fault:
            return
        g.stack[h] = g.stack[low]
        g.stack[low] = g.stack[high]
        g.stack[high] = g.stack[h]
        g.depth -= 1
        low += 1
        high -= 1
