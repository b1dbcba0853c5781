"""The shape of the end-to-end network: its sizes, and which numbers of an observation it reads.

    cards -- one embedding, shared by all zones --+-- places: heroes, minions, hand ... --+
    numbers of a place, log-scaled ---------------+                                       |
    cards of a list (deck, graveyards): the sum of their embeddings, over 10 -------------+
                                                                                          |
    value <-- LSTM (remembers the game) <-- all zones, pooled --<-------------------------+
                |                                                                         |
                +--> what (end, attacker, hero power, card ...) --> at what --> where     |
                     each scores places of the board by their vectors <-------------------+

PyTorch learns it (end_to_end/network.py), and compiled code plays it (acting/forward.py).
"""

from __future__ import annotations

from hsevo.config.learning import NetworkSettings
from hsevo.engine.record.state import HAND
from hsevo.engine.view.actions import WHAT_ATTACK, WHAT_CHOOSE, WHAT_PLAY, WHAT_POWER, WHAT_THROW
from hsevo.learning.layouts import TARGETS, WHATS, ObservationBlock, actions, blocks

PLACED = ("hero", "power", "weapon", "own_board", "enemy_board", "hand", "choices", "thrown",
          "secrets")  # blocks of which each row is a place
LISTED = ("deck", "enemy_deck", "own_graveyard", "enemy_graveyard", "own_later", "enemy_later")
NUMBERED = ("decision", "player")
HISTORY_PLACED, HISTORY_LISTED = ("enemy_acts",), ("own_played", "enemy_played")  # with a history
# Where the kinds of `what` begin: end, attack, hero power, plays by option, choose, throw back.
KINDS = (0, WHAT_ATTACK, WHAT_POWER, *(WHAT_PLAY + HAND * k for k in range(3)), WHAT_CHOOSE,
         WHAT_THROW)
# What a policy sees of the opponent's deck: nothing, its list, or the first cards that it chose.
SHOWN = HIDDEN, KNOWN, PEEK = "hidden", "known", "peek"
LIST_SCALE = 10  # what a sum over a list is divided by


def placed(settings: NetworkSettings) -> tuple[str, ...]:
    """Return the blocks of which each row is a place; the last ones can't be pointed at."""
    return PLACED + HISTORY_PLACED * settings.history


def listed(settings: NetworkSettings) -> tuple[str, ...]:
    """Return the blocks that are lists of cards."""
    return LISTED + HISTORY_LISTED * settings.history


def places(settings: NetworkSettings) -> int:
    """Return how many places there are, without the one that stands for none."""
    seen = blocks(settings.history)
    return sum(seen[name].rows for name in placed(settings))


def pointed_at(part: str, none: int) -> list[int]:
    """Return which place each index of a part of actions points at; `none` for no place."""
    table = actions()
    shapes = blocks()
    first, n = {}, 0
    for name in PLACED:
        first[name], n = n, n + shapes[name].rows
    rows = table[table.part == part]
    return [first[block] + row if block else none
            for block, row in zip(rows.block, rows.row, strict=True)]


def kinds(part: str) -> list[int]:
    """Return the kind of each index of a part: of `what` as in KINDS, of `at` none, own, enemy."""
    if part == "what":
        return [sum(first <= k for first in KINDS) - 1 for k in range(WHATS)]
    return [0, *(1 + k // (TARGETS // 2) for k in range(TARGETS - 1))]


def numbers_of(block: ObservationBlock) -> list[int]:
    """Return the columns of a block that are not cards."""
    return [k for k in range(len(block.columns)) if k not in block.cards]
