"""What players did in games: cards played, attacks, uses of hero powers, with their targets.

    act_of(now, move)           an Act, or None, from one game before the move
    acts_of(states, moves)      the same of many games, ACT (n,)

A move is a number of positions; which cards stand there must be written down before it is made.
Targets are those that were chosen: what was hit may be another one (Misdirection, say).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hsevo.engine.record.codec import (
    ATTACK,
    CHOOSE,
    ENEMY_TARGET,
    HERO,
    NO_TARGET,
    OWN_TARGET,
    PLAY,
    PLAYS,
    POWER,
    SEATS,
    TARGET_STRIDE,
    Action,
    decode,
)
from hsevo.types import Array


class Act(NamedTuple):
    """A card that was played, an attack, or a use of the hero power."""

    turn: int
    player: int
    kind: int  # Action.PLAY, ATTACK or POWER
    card: int  # table index: the card played, the attacker, the hero power
    target: int  # table index, 0 for none
    side: int  # the player that the target belongs to, 0 if there is none


ACT = np.dtype([(name, "i2") for name in Act._fields])


def act_of(now: Any, move: int) -> Act | None:
    """Return what a move does in a game, a record STATE or GAME, by the player to move.

    None for moves that end a turn or take a choice.
    """
    made, me = decode(move), int(now["me"])
    if made.action is Action.PLAY:
        card, target = now["side"]["hand"]["card"][me, made.hand], made.target
    elif made.action is Action.POWER:
        card, target = now["side"]["power"][me], made.target
    elif made.action is Action.ATTACK:
        card, target = _character(now, me, made.attacker), ENEMY_TARGET + made.defender
    else:
        return None
    aimed, side = 0, 0
    if target != NO_TARGET:
        side = 1 - me if target >= ENEMY_TARGET else me
        aimed = _character(now, side, (target - OWN_TARGET) % SEATS)
    return Act(int(now["turn"]), me, int(made.action), int(card), aimed, side)


def _character(now: Any, side: int, place: int) -> int:
    """Return the card of the character at a position of a side."""
    slot = HERO if place == HERO else int(now["side"]["row"][side, place])
    return int(now["char"]["card"][SEATS * side + slot])


def acts_of(states: Array, moves: Array) -> Array:
    """Return what moves (n,) do in games, STATE (n,), by the players to move: ACT (n,).

    The kind is 0 of a move of -1, which is none, and of one that ends a turn or takes a choice.
    """
    every, me = np.arange(len(states)), states["me"].astype(np.int64)
    found = np.zeros(len(states), ACT)
    found["turn"], found["player"] = states["turn"], me
    played = (moves >= PLAY) & (moves < CHOOSE)
    used = (moves >= POWER) & (moves < PLAY)
    attacked = (moves >= ATTACK) & (moves < POWER)
    found["kind"] = np.select([played, used, attacked],
                              [int(Action.PLAY), int(Action.POWER), int(Action.ATTACK)], 0)
    side, chars = states["side"], states["char"]["card"]
    play, blow = np.where(played, moves - PLAY, 0), np.where(attacked, moves - ATTACK, 0)
    attacker = SEATS * me + _slot(side["row"][every, me], blow // SEATS)
    found["card"] = np.select(
        [played, used, attacked],
        [side["hand"]["card"][every, me, play // PLAYS], side["power"][every, me],
         chars[every, attacker]], 0)
    target = np.select([played, used, attacked], [
        play % PLAYS // TARGET_STRIDE, moves - POWER, ENEMY_TARGET + blow % SEATS], NO_TARGET)
    owner = np.where(target >= ENEMY_TARGET, 1 - me, me)
    aimed = SEATS * owner + _slot(side["row"][every, owner], (target - OWN_TARGET) % SEATS)
    found["target"] = np.where(target != NO_TARGET, chars[every, aimed], 0)
    found["side"] = np.where(target != NO_TARGET, owner, 0)
    return found


def _slot(rows: Array, place: Array) -> Array:
    """Return the slots of positions (n,) on sides whose rows are (n, 8); a hero has its own."""
    return np.where(place == HERO, HERO, rows[np.arange(len(place)), np.minimum(place, HERO - 1)])
