"""What players did in games: cards played, attacks, uses of hero powers, with their targets.

    act_of(now, move)                           an Act, or None, from one game before the move
    note_move(g, past, move)                    add a move that is about to be made to a PAST
    write_past(past, t, rows, player, out)      what a player sees of it, behind what it sees now

A move is a number of positions; which cards stand there must be written down before it is made.
Targets are those that were chosen: what was hit may be another one (Misdirection, say).

A PAST holds what an observation with a history shows: the last cards that each player played, and
the last acts of its last turn. Secrets of the opponent are unknown cards, for good: which of them
fired would have to be kept from the moment that it does, and can't be told from the state later.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from hsevo.engine.game.moves import ref_at, target_ref
from hsevo.engine.jit import I8, TABLES_T, VOID, kernel, record, records
from hsevo.engine.record.codec import (
    ATTACK,
    CHOOSE,
    ENEMY_TARGET,
    HERO,
    NO_TARGET,
    OWN_TARGET,
    PLAY,
    POWER,
    SEATS,
    Action,
    attacker_of,
    decode,
    defender_of,
    hand_of,
    is_own_target,
    target_of,
)
from hsevo.engine.record.state import GAME_T
from hsevo.engine.view.observe import DECISION_AT, OUT_T, SIZE, UNKNOWN, Listed, SeenDecision

PLAYED, ACTS = 48, 12  # the last cards that a player played; the last acts of a turn


class Act(NamedTuple):
    """A card that was played, an attack, or a use of the hero power."""

    turn: int
    player: int
    kind: int  # Action.PLAY, ATTACK or POWER
    card: int  # table index: the card played, the attacker, the hero power
    target: int  # table index, 0 for none
    side: int  # the player that the target belongs to, 0 if there is none


class Acted(IntEnum):
    """Numbers of an act of the opponent."""

    CARD = 0
    TARGET = 1
    PLAYED = 2
    ATTACKED = 3
    USED_POWER = 4
    AT_OWN = 5
    NUMBER = 6


BLOCKS: tuple[tuple[str, int, type[IntEnum]], ...] = (
    ("own_played", PLAYED, Listed),
    ("enemy_played", PLAYED, Listed),
    ("enemy_acts", ACTS, Acted),
)
HISTORY = sum(n * len(columns) for _, n, columns in BLOCKS)  # numbers of an observation
COLUMNS = len(Acted)

ACT = np.dtype([(name, "i2") for name in Act._fields])
# Of one player. Both lists are rings: number k stands at k % their length.
_OWN_PAST = np.dtype(
    [
        ("played", "i2", (PLAYED,)),  # cards, by table index
        ("plays", "i4"),  # how many were played
        ("acts", ACT, (ACTS,)),  # of its last turn with an act
        ("number", "i4"),  # how many they were
        ("turn", "i4"),  # which turn that was
    ],
    align=True,
)
PAST = np.dtype([("side", _OWN_PAST, (2,))], align=True)
ACTS_T, PASTS_T, PAST_T = records(ACT), records(PAST), record(PAST)


def act_of(now: Any, move: int) -> Act | None:
    """Return what a move does in a game, a record STATE or GAME, by the player to move.

    None for moves that end a turn or take a choice.
    """
    parts, me = decode(move), int(now["me"])
    if parts.action is Action.PLAY:
        card, target = now["side"]["hand"]["card"][me, parts.hand], parts.target
    elif parts.action is Action.POWER:
        card, target = now["side"]["power"][me], parts.target
    elif parts.action is Action.ATTACK:
        card, target = _character(now, me, parts.attacker), ENEMY_TARGET + parts.defender
    else:
        return None
    aimed, side = 0, 0
    if target != NO_TARGET:
        side = 1 - me if target >= ENEMY_TARGET else me
        aimed = _character(now, side, (target - OWN_TARGET) % SEATS)
    return Act(int(now["turn"]), me, int(parts.action), int(card), aimed, side)


def _character(now: Any, side: int, place: int) -> int:
    """Return the card of the character at a position of a side."""
    slot = HERO if place == HERO else int(now["side"]["row"][side, place])
    return int(now["char"]["card"][SEATS * side + slot])


@kernel(VOID(PAST_T))
def forget(past):
    """Forget what happened: a new game begins."""
    for side in range(2):
        past.side[side].plays = 0
        past.side[side].number = 0
        past.side[side].turn = 0


@kernel(VOID(PAST_T, I8, I8, I8, I8, I8, I8))
def note(past, turn, player, kind, card, target, side):
    """Add an act, in the order of the fields of `Act`."""
    p = past.side[player]
    if kind == Action.PLAY:
        p.played[np.int64(p.plays) % PLAYED] = card
        p.plays += 1
    if p.turn != turn:
        p.turn = turn
        p.number = 0
    a = p.acts[np.int64(p.number) % ACTS]
    a.turn = turn
    a.player = player
    a.kind = kind
    a.card = card
    a.target = target
    a.side = side
    p.number += 1


@kernel(VOID(GAME_T, PAST_T, I8))
def note_move(g, past, move):
    """Add what a legal move, which is about to be made, does; the end of a turn does nothing."""
    if move < ATTACK or move >= CHOOSE:
        return
    me = np.int64(g.me)
    if move >= PLAY:
        kind, target = np.int64(Action.PLAY), target_of(move)
        card = np.int64(g.side[me].hand[hand_of(move)].card)
    elif move >= POWER:
        kind, target, card = np.int64(Action.POWER), move - POWER, np.int64(g.side[me].power)
    else:
        kind, target = np.int64(Action.ATTACK), ENEMY_TARGET + defender_of(move)
        card = np.int64(g.char[ref_at(g, me, attacker_of(move))].card)
    aimed, side = np.int64(0), np.int64(0)
    if target != NO_TARGET:
        aimed = np.int64(g.char[target_ref(g, target)].card)
        side = me if is_own_target(target) else 1 - me
    note(past, g.turn, me, kind, card, aimed, side)


@kernel(VOID(PAST_T, TABLES_T, OUT_T, I8, OUT_T))
def write_past(past, t, rows, player, out):
    """Write what a player sees of the past behind its observation, which is there already.

    A player that is not to move sees what the opponent has done in its turn so far.
    """
    own, foe, at = past.side[player], past.side[1 - player], np.int64(SIZE)
    first = max(np.int64(own.plays) - PLAYED, 0)
    for k in range(first, np.int64(own.plays)):
        out[at + k - first] = rows[own.played[k % PLAYED]]
    at += PLAYED
    first = max(np.int64(foe.plays) - PLAYED, 0)
    for k in range(first, np.int64(foe.plays)):
        card = np.int64(foe.played[k % PLAYED])
        out[at + k - first] = UNKNOWN if t.card[card].secret != 0 else rows[card]
    if foe.turn != out[DECISION_AT + SeenDecision.TURN] - out[DECISION_AT + SeenDecision.TO_MOVE]:
        return
    at += PLAYED
    for k in range(max(np.int64(foe.number) - ACTS, 0), np.int64(foe.number)):
        a = foe.acts[k % ACTS]
        hidden = a.kind == Action.PLAY and t.card[a.card].secret != 0
        out[at + Acted.CARD] = UNKNOWN if hidden else rows[a.card]
        out[at + Acted.TARGET] = rows[a.target]
        out[at + Acted.PLAYED] = a.kind == Action.PLAY
        out[at + Acted.ATTACKED] = a.kind == Action.ATTACK
        out[at + Acted.USED_POWER] = a.kind == Action.POWER
        out[at + Acted.AT_OWN] = a.target > 0 and a.side == player
        out[at + Acted.NUMBER] = k + 1
        at += COLUMNS
