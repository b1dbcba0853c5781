"""What players see of acts, written as plainly as can be, to compare histories with."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hsevo.cards.tables import cards, ids
from hsevo.engine.record.codec import Action
from hsevo.engine.view.observe import UNKNOWN
from hsevo.learning.vocabulary import rows
from hsevo.play.acts import ACTS, PLAYED, Act, Acted


def seen_of(acts: Sequence[Act], state: Any, player: int, ruleset: str) -> list[int]:
    """Return what a player sees of all acts of a game, whose state is STATE, as numbers."""
    last = int(state["turn"]) - (int(state["me"]) == player)
    played: dict[bool, list[int]] = {True: [], False: []}  # by whether they are the own
    told: list[list[int]] = []
    for act in acts:
        own, play = act.player == player, act.kind == Action.PLAY
        card = _number(act.card, ruleset)
        if play and not own and cards(ruleset)[ids(ruleset)[act.card]].secret:
            card = UNKNOWN
        if play:
            played[own].append(card)
        if not own and act.turn == last:
            told.append([card, _number(act.target, ruleset), play, act.kind == Action.ATTACK,
                         act.kind == Action.POWER, act.target > 0 and act.side == player,
                         len(told) + 1])
    found = np.zeros(2 * PLAYED + ACTS * len(Acted), int)
    for at, some in ((0, played[True]), (PLAYED, played[False])):
        some = some[-PLAYED:]
        found[at:at + len(some)] = some
    flat = np.array(told[-ACTS:], int).ravel()
    found[2 * PLAYED:][:len(flat)] = flat
    return [int(number) for number in found]


def _number(card: int, ruleset: str) -> int:
    """Return a card, by table index, as a number of the vocabulary."""
    return int(rows(ruleset)[card])
