"""The encoding of characters (refs), moves and cards in decks as integers.

A ref is the index of a character in `char`: eight per player, the hero last.

    0..6 minions of player 0, 7 its hero; 8..14 minions of player 1, 15 its hero

A move is one integer with the same meaning in every game, so learners can use it as action index:

    0                                              end the turn (mulligan: keep the rest)
    1 + 8 a + d                                    attack: a, d positions 0..6, 7 the hero
    65 + x                                         hero power at target x
    82 + ((17 h + x) 7 + p) 3 + o                  play hand card h at target x, to position p,
                                                   with option o (Choose One; 2: both)
    3652 + k                                       take choice k (mulligan: throw back card k)

A target x is 0 for none, 1 + position on the own side (8: own hero), 9 + position on the other
(16: its hero). Positions count minions from the left.

An entry of a deck is a card's number; its high bits are what texts have given to it there:

    bits 0-11 the card; bits 12-14 n: +n/+n, for a weapon +n attack; bit 15: costs 1 less

`joined` of a card in hand is another card, or what it was taught, or keeps (rules/kept.py):

    bits 12-15 are 0: a card; TAUGHT: bits 6-11, 0-5 are places of two spells in a pool;
    else 1 + the number of the record with the texts that it keeps, and bits 0-11 keywords

A text that was attached to a character is a card's number, too:

    bits 0-11 the card; bit 12: only its Deathrattle; bit 13: its owner; bits 14-15: n times more

Kernels encode and decode single parts; Python code uses `decode` and `encode` for whole moves.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from hsevo.cards.terms import Keyword
from hsevo.engine.jit import BOOL, I8, kernel, plain
from hsevo.engine.record.state import HAND

SEATS = 8  # characters of a side
HERO = SEATS - 1  # the position of its hero
CHARACTERS = 2 * SEATS
NO_TARGET, OWN_TARGET, ENEMY_TARGET = 0, 1, 1 + SEATS  # plus the position
TARGETS, PLACES, OPTIONS = 1 + CHARACTERS, 7, 3
BOTH_OPTIONS = 2  # the option that stands for both of them (Fandral Staghelm)
PLAYS = TARGETS * PLACES * OPTIONS  # of a card in hand
TARGET_STRIDE = PLACES * OPTIONS  # from one target of a play to the next

BONUS, CHEAPER = 12, 15  # the lowest bits of these parts of an entry of a deck
# of an entry that has left its deck: it costs 0, it costs 1, its attack was set to its health
FREE, PRICED, LEVELED = 16, 17, 18
# and what it keeps: `joined`, attack and health, of 12 bits each, from LEAST on
KEPT, KEPT_ATTACK, KEPT_HEALTH, LEAST = 19, 35, 47, -64
# Among the keywords that it keeps: those with their own bits; Rush has the next one.
UNMOVED, RUSH_BIT, RUSH_AT = 0x7FF, int(Keyword.RUSH).bit_length() - 1, 11
CARD_MASK, MAX_BONUS = (1 << BONUS) - 1, (1 << CHEAPER - BONUS) - 1
TAUGHT, SPELL_PLACES = 15 << 12, 64
RATTLE_ONLY, OWNER, AGAIN, MOST_AGAIN = 1 << 12, 13, 14, 3  # of a text that was attached

END = 0
ATTACK = 1
POWER = ATTACK + SEATS * SEATS
PLAY = POWER + TARGETS
CHOOSE = PLAY + HAND * PLAYS
N_MOVES = CHOOSE + HAND


# -- characters ---------------------------------------------------------------------------------


@kernel(I8(I8, I8), inline=True)
def minion_ref(side, slot):
    """Return the ref of the minion in a slot (0..6) of a player."""
    return SEATS * side + slot


@kernel(I8(I8), inline=True)
def hero_of(side):
    """Return the ref of a player's hero."""
    return SEATS * side + HERO


@kernel(I8(I8), inline=True)
def side_of(ref):
    """Return the player that a ref belongs to."""
    return ref >> 3


@kernel(I8(I8), inline=True)
def slot_of(ref):
    """Return the slot of a minion on its side, HERO for a hero."""
    return ref & HERO


@kernel(BOOL(I8), inline=True)
def is_hero(ref):
    """Return whether a ref is a hero's."""
    return ref & HERO == HERO


# -- cards in a deck ----------------------------------------------------------------------------


@kernel(I8(I8), inline=True)
def card_in(entry):
    """Return the card of an entry of a deck."""
    return entry & CARD_MASK


@kernel(I8(I8), inline=True)
def bonus_of(entry):
    """Return what was added to attack and health (a weapon: to attack) of a card in a deck."""
    return (entry >> BONUS) & MAX_BONUS


@kernel(BOOL(I8), inline=True)
def is_leveled(entry):
    """Return whether an entry that has left its deck had its attack set to its health."""
    return (entry >> LEVELED) & 1 == 1


@kernel(I8(I8), inline=True)
def cheaper_of(entry):
    """Return by how much less a card in a deck costs."""
    return (entry >> CHEAPER) & 1


# -- cards in hand ------------------------------------------------------------------------------


@kernel(I8(I8), inline=True)
def joined_card(joined):
    """Return the card that a card in hand is as well, or 0."""
    return joined if joined <= CARD_MASK else 0


@kernel(I8(I8, I8), inline=True)
def encode_taught(first, second):
    """Return `joined` of a card that was taught two spells, by their places in a pool."""
    return TAUGHT + SPELL_PLACES * first + second


@kernel(I8(I8, I8), inline=True)
def taught_place(joined, k):
    """Return the place of the first (0) or second (1) spell that a card was taught."""
    return joined // SPELL_PLACES % SPELL_PLACES if k == 0 else joined % SPELL_PLACES


@kernel(I8(I8), inline=True)
def pack_keywords(keywords):
    """Return the keywords that a card can keep in hand and deck, in 12 bits."""
    return (keywords & UNMOVED) | (((keywords >> RUSH_BIT) & 1) << RUSH_AT)


@kernel(I8(I8, I8), inline=True)
def encode_kept(number, packed):
    """Return `joined` of a card with keywords that it keeps, and a record of its texts, or 0."""
    return ((number + 1) << BONUS) + packed if number > 0 or packed > 0 else 0


@kernel(BOOL(I8), inline=True)
def is_kept(joined):
    """Return whether `joined` says what a card keeps."""
    return joined > CARD_MASK and joined < TAUGHT


@kernel(I8(I8), inline=True)
def kept_number(joined):
    """Return the number of the record with the texts that a card in hand keeps, or 0."""
    return (joined >> BONUS) - 1 if joined > CARD_MASK and joined < TAUGHT else 0


@kernel(I8(I8), inline=True)
def kept_keywords(joined):
    """Return the keywords that a card in hand keeps."""
    if joined <= CARD_MASK or joined >= TAUGHT:
        return 0
    return (joined & UNMOVED) | (((joined >> RUSH_AT) & 1) << RUSH_BIT)


# -- texts that were attached -------------------------------------------------------------------


@kernel(I8(I8, I8), inline=True)
def encode_text(card, owner):
    """Return the text of a player's card, to be attached once."""
    return card + (owner << OWNER)


@kernel(I8(I8), inline=True)
def owner_of(text):
    """Return the player that a text attached belongs to."""
    return (text >> OWNER) & 1


@kernel(I8(I8), inline=True)
def times_of(text):
    """Return how often a text was attached, 0 for none."""
    return (text > 0) + (text >> AGAIN)


@kernel(BOOL(I8), inline=True)
def is_whole(text):
    """Return whether the whole text of a card was attached, not only its Deathrattle."""
    return text > 0 and text & RATTLE_ONLY == 0


class Moment(IntEnum):
    """When a text that a player has put off runs; the high bits of an entry of `later`."""

    OWN_TURN_END = 0  # when the player's turn ends
    TURN_END = 1  # when this turn ends, whosever it is
    TURN_ENDING = 2  # now, after the triggers at the end of the turn
    # the others never run: these cards are remembered
    DISCARDED = 3  # a minion that the player discarded
    PLAYED_ONCE = 4  # a name, since the quest was opened that counts names
    PLAYED_TWICE = 5
    PLAYED_THREE_TIMES = 6
    PLAYED_FOUR_TIMES = 7
    SLAIN = 8  # a minion that the player's weapon has killed: Op.SUMMON_SLAIN
    SPELL_NOW = 11  # a spell that the player has played since its turn began
    SPELL_LAST = 12  # and in its turn before that
    UPGRADED = 9  # a Mech that died, and the Magnetic minions that had joined it: they follow
    UPGRADE = 10
    CAST_NOW = 13  # a spell that the player has cast this turn: Op.CAST_OF_TURN
    KEPT = 14  # a card in the deck that keeps its enchantments: rules/kept.py
    KEPT_MORE = 15  # no card: 12 bits of what it keeps


# -- targets ------------------------------------------------------------------------------------


@kernel(BOOL(I8), inline=True)
def is_own_target(target):
    """Return whether a target, not NO_TARGET, is on the side of the player to move."""
    return target < ENEMY_TARGET


@kernel(I8(I8), inline=True)
def target_position(target):
    """Return the position of a target, not NO_TARGET, on its side."""
    return (target - OWN_TARGET) & HERO


# -- moves --------------------------------------------------------------------------------------


@kernel(I8(I8, I8), inline=True)
def encode_attack(attacker, defender):
    """Return the attack of one position on another."""
    return ATTACK + SEATS * attacker + defender


@kernel(I8(I8), inline=True)
def attacker_of(move):
    """Return the position of an attack's attacker."""
    return (move - ATTACK) // SEATS


@kernel(I8(I8), inline=True)
def defender_of(move):
    """Return the position of an attack's defender."""
    return (move - ATTACK) % SEATS


@kernel(I8(I8, I8, I8, I8), inline=True)
def encode_play(hand, target, place, option):
    """Return the play of a hand card at a target, to a position, with an option."""
    return PLAY + ((TARGETS * hand + target) * PLACES + place) * OPTIONS + option


@kernel(BOOL(I8), inline=True)
def is_attack(move):
    """Return whether a move is an attack."""
    return move >= ATTACK and move < POWER


@kernel(BOOL(I8), inline=True)
def is_power(move):
    """Return whether a move uses the hero power."""
    return move >= POWER and move < PLAY


@kernel(BOOL(I8), inline=True)
def is_play(move):
    """Return whether a move plays a card from hand."""
    return move >= PLAY and move < CHOOSE


@kernel(I8(I8), inline=True)
def hand_of(move):
    """Return the place in hand of the card that a move plays."""
    return (move - PLAY) // PLAYS


@kernel(I8(I8), inline=True)
def target_of(move):
    """Return the target of a play."""
    return (move - PLAY) // TARGET_STRIDE % TARGETS


@kernel(I8(I8), inline=True)
def position_of(move):
    """Return the position on the board for the minion of a play."""
    return (move - PLAY) // OPTIONS % PLACES


@kernel(I8(I8), inline=True)
def option_of(move):
    """Return the option of a play (Choose One)."""
    return (move - PLAY) % OPTIONS


# -- whole moves, for Python ----------------------------------------------------------------------


class Action(IntEnum):
    """The kinds of moves."""

    END = 0
    ATTACK = 1
    POWER = 2
    PLAY = 3
    CHOOSE = 4


class MoveParts(NamedTuple):
    """A move in parts; those that its action does not have are 0."""

    action: Action
    hand: int = 0  # place in hand, from 0
    target: int = 0  # of a play or the hero power
    place: int = 0  # position on the board that a minion goes to
    option: int = 0
    attacker: int = 0  # positions
    defender: int = 0
    choice: int = 0  # place among the choices; in a mulligan, in hand


def decode(move: int) -> MoveParts:
    """Return the parts of a move, 0 to N_MOVES - 1. Raises ValueError for any other number."""
    if not 0 <= move < N_MOVES:
        raise ValueError(f"move {move}, but must be from 0 to {N_MOVES - 1}")
    if move >= CHOOSE:
        return MoveParts(Action.CHOOSE, choice=move - CHOOSE)
    if move >= PLAY:
        hand, target, place, option = (
            plain(part)(move) for part in (hand_of, target_of, position_of, option_of))
        return MoveParts(Action.PLAY, hand, target, place, option)
    if move >= POWER:
        return MoveParts(Action.POWER, target=move - POWER)
    if move >= ATTACK:
        attacker, defender = plain(attacker_of)(move), plain(defender_of)(move)
        return MoveParts(Action.ATTACK, attacker=attacker, defender=defender)
    return MoveParts(Action.END)


def encode(move: MoveParts) -> int:
    """Return the number of a move, the inverse of `decode`."""
    if move.action is Action.CHOOSE:
        return CHOOSE + move.choice
    if move.action is Action.PLAY:
        return int(plain(encode_play)(move.hand, move.target, move.place, move.option))
    if move.action is Action.POWER:
        return POWER + move.target
    if move.action is Action.ATTACK:
        return int(plain(encode_attack)(move.attacker, move.defender))
    return END
