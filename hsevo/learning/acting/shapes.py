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

from dataclasses import dataclass

from hsevo.config import check_number, short
from hsevo.engine.record.state import HAND
from hsevo.engine.view.actions import WHAT_ATTACK, WHAT_CHOOSE, WHAT_PLAY, WHAT_POWER, WHAT_THROW
from hsevo.errors import ConfigError
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
MOST_UNITS = 10_000  # of a layer


@dataclass(frozen=True)
class NetSettings:
    """Sizes. Xiao and others tell only lstm, 256; `SMALL` is for two cores. Raises ConfigError."""

    embedding: int = 64  # numbers of a card
    width: int = 128  # numbers of a place, and hidden units of the heads
    lstm: int = 256
    history: bool = False  # whether it sees what happened in the game: learning/history.py

    def __post_init__(self) -> None:
        for key in ("embedding", "width", "lstm"):
            check_number(key, getattr(self, key), 1)
            if getattr(self, key) > MOST_UNITS:
                raise ConfigError(f"{key} is {getattr(self, key)}, but must be at most"
                                  f" {MOST_UNITS:,}")
        if type(self.history) is not bool:
            raise ConfigError(f"history is {short(self.history)}, but must be true or false")

    @property
    def blocks(self) -> dict[str, ObservationBlock]:
        """The blocks of what it sees, by name."""
        return blocks(self.history)

    @property
    def placed(self) -> tuple[str, ...]:
        """The blocks of which each row is a place; the last ones can't be pointed at."""
        return PLACED + HISTORY_PLACED * self.history

    @property
    def listed(self) -> tuple[str, ...]:
        """The blocks that are lists of cards."""
        return LISTED + HISTORY_LISTED * self.history

    @property
    def places(self) -> int:
        """How many places there are, without the one that stands for none."""
        seen = self.blocks
        return sum(seen[name].rows for name in self.placed)


SMALL = NetSettings(embedding=24, width=32, lstm=96)


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
