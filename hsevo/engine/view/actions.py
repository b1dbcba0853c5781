"""What a player may do, as bits, and moves in parts: what, at what, where.

    list_choices(g, t, legal)    the legal moves of the player to move: uint32 (WHATS,)
    parts_of(g, move)            what, target and place of a move
    move_of(what, target, place) and back

A move is taken in parts: what (below WHATS), at what (below TARGETS), where (below PLACES). Every
legal target of a `what` can be combined with each of its places, so bits hold all legal moves: in
legal[what], bits 0-16 are targets, as numbered in codec, 17-23 places; 0 is illegal.
"""

import functools

import numpy as np

from hsevo.engine.game.moves import list_moves
from hsevo.engine.jit import I8, TABLES_T, U4, VOID, array, kernel, plain, uniform
from hsevo.engine.record.codec import (
    ATTACK,
    CHOOSE,
    END,
    ENEMY_TARGET,
    N_MOVES,
    PLAY,
    POWER,
    TARGETS,
    attacker_of,
    defender_of,
    encode_attack,
    encode_play,
    hand_of,
    option_of,
    position_of,
    target_of,
)
from hsevo.engine.record.state import BOARD, GAME_T, HAND, NONE, Phase
from hsevo.types import Array

LEGAL_T = array(U4, 1)
CHOICES = 8  # cards that a choice can offer

# `what`: end of turn (mulligan: keep the rest), attackers by position, hero power, cards in hand
# (with the first option of Choose One, the second, both), choices, cards to throw back
WHAT_END, WHAT_ATTACK, WHAT_POWER, WHAT_PLAY = 0, 1, 9, 10
WHAT_CHOOSE = WHAT_PLAY + 3 * HAND
WHAT_THROW = WHAT_CHOOSE + CHOICES
WHATS = WHAT_THROW + HAND
FIRST_PLACE = TARGETS  # the bit of place 0


@kernel(VOID(LEGAL_T, I8, I8, I8), inline=True)
def allow(legal, what, target, place):
    """Set the bits of a legal move."""
    legal[what] = np.uint32(legal[what] | (1 << target) | (1 << (FIRST_PLACE + place)))


@kernel(uniform(I8, 3)(GAME_T, I8), inline=True)
def parts_of(g, move):
    """Return what, target and place of a legal move."""
    if move >= CHOOSE:
        first = WHAT_CHOOSE if g.pending == Phase.CHOICE else WHAT_THROW
        return first + move - CHOOSE, 0, 0
    if move >= PLAY:
        what = WHAT_PLAY + HAND * option_of(move) + hand_of(move)
        return what, target_of(move), position_of(move)
    if move >= POWER:
        return WHAT_POWER, move - POWER, 0
    if move >= ATTACK:
        return WHAT_ATTACK + attacker_of(move), ENEMY_TARGET + defender_of(move), 0
    return WHAT_END, 0, 0


@functools.cache
def all_parts() -> Array:
    """Return the parts of all moves, int64 (2, N_MOVES, 3): without and with cards offered.

    As `parts_of`, for Python.
    """
    moves = np.arange(N_MOVES)
    zero, kinds = np.zeros_like(moves), [moves >= first for first in (CHOOSE, PLAY, POWER, ATTACK)]
    play = WHAT_PLAY + HAND * plain(option_of)(moves) + plain(hand_of)(moves)
    at = np.select(kinds, [
        zero, plain(target_of)(moves), moves - POWER, ENEMY_TARGET + plain(defender_of)(moves)])
    where = np.select(kinds, [zero, plain(position_of)(moves), zero, zero])
    return np.stack([np.stack([np.select(kinds, [
        first + moves - CHOOSE, play, zero + WHAT_POWER, WHAT_ATTACK + plain(attacker_of)(moves)]),
        at, where], axis=1) for first in (WHAT_THROW, WHAT_CHOOSE)])


def numbers_of(what: Array, at: Array, where: Array) -> Array:
    """Return the moves, int64 (n,), with these parts, each (n,): the inverse of `parts_of`."""
    card = what - WHAT_PLAY
    return np.select(
        [what >= WHAT_THROW, what >= WHAT_CHOOSE, what >= WHAT_PLAY, what >= WHAT_POWER,
         what >= WHAT_ATTACK],
        [CHOOSE + what - WHAT_THROW, CHOOSE + what - WHAT_CHOOSE,
         plain(encode_play)(card % HAND, at, where, card // HAND),
         POWER + at, plain(encode_attack)(what - WHAT_ATTACK, at - ENEMY_TARGET)])


@kernel(I8(GAME_T, TABLES_T, LEGAL_T))
def list_choices(g, t, legal):
    """Set the bits of all legal moves of the player to move; return how many moves there are."""
    legal[:] = 0
    n = list_moves(g, t)
    for k in range(n):
        what, target, place = parts_of(g, np.int64(g.moves[k]))
        allow(legal, what, target, place)
    return n


@kernel(I8(I8, I8, I8))
def move_of(what, target, place):
    """Return the number of the move with these parts, NONE if it has none."""
    if what < 0 or what >= WHATS or target < 0 or target >= TARGETS or place < 0 or place >= BOARD:
        return NONE
    if what >= WHAT_THROW:
        return CHOOSE + what - WHAT_THROW
    if what >= WHAT_CHOOSE:
        return CHOOSE + what - WHAT_CHOOSE
    if what >= WHAT_PLAY:
        card = what - WHAT_PLAY
        return encode_play(card % HAND, target, place, card // HAND)
    if what >= WHAT_POWER:
        return POWER + target
    if what >= WHAT_ATTACK:
        return encode_attack(what - WHAT_ATTACK, target - ENEMY_TARGET)
    return END
