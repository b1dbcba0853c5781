"""Matches: pairings in, results out. The one door from the compiled engine to the floors above.

    pairings (PAIRING) + agents (AGENT) + Setting  --play_block()-->  results (RESULT)

Nothing is compiled at import; `warm_up()`, or the first call, loads or compiles the engine.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from hsevo.agents.agent import AGENT, AHEAD, MCTS, ROOMS, TRUE
from hsevo.agents.mcts import TREE
from hsevo.cards.decks import Deck
from hsevo.cards.tables import index, tables
from hsevo.cards.terms import Class
from hsevo.engine import jit
from hsevo.engine.codec import N_MOVES
from hsevo.engine.setup import DECKLIST
from hsevo.engine.state import FAIR, GAME, LEAKY
from hsevo.play.entry import DEAL, DECIDE, MOVE, PAIRING, PLAY_ROWS, RESULT, enter

__all__ = ["PAIRING", "RESULT", "SIGHTS", "Setting", "Table", "decklists",
           "is_compiled", "play_block", "warm_up"]  # fmt: skip

Array = npt.NDArray[Any]

SIGHTS = {"fair": FAIR, "leaky": LEAKY}


@dataclass(frozen=True)
class Setting:
    """What all games of a run share. A game that reaches `max_turns` player turns is a draw."""

    ruleset: str = "cig2018"
    decks: tuple[Deck, ...] = ()
    information: str = "fair"  # what look-aheads may know: 'fair' or 'leaky'
    max_turns: int = 89


@functools.lru_cache(maxsize=16)
def decklists(decks: tuple[Deck, ...], ruleset: str) -> np.recarray[Any, Any]:
    """Return decks (n) as the kernel takes them."""
    numbers = index(ruleset)
    lists = np.zeros(len(decks), DECKLIST).view(np.recarray)
    for row, deck in zip(lists, decks, strict=True):
        row.cls, row.n = Class[deck.hero], len(deck.cards)
        row.cards[: row.n] = [numbers[card] for card in deck.cards]
    return lists


class Table:
    """Everything that games of some agents under one setting need: room, tables, decks, agents.

    `game` is the record of the game that `deal`, `decide` and `move` work on.
    """

    def __init__(self, agents: Array, setting: Setting) -> None:
        self.setting = setting
        self._games = np.zeros(AHEAD + ROOMS, GAME).view(np.recarray)
        self._tables = tables(setting.ruleset)
        self._decks = decklists(setting.decks, setting.ruleset)
        self._agents = np.array(agents, AGENT).view(np.recarray)  # a copy: theirs stay as they are
        self._agents.sight = SIGHTS[setting.information]
        self._pairings = np.zeros(1, PAIRING).view(np.recarray)
        searches = bool((self._agents.kind == MCTS).any())
        self._trees = np.zeros(int(searches), TREE).view(np.recarray)

    @property
    def game(self) -> np.record:
        """The game that is being played (engine.state.GAME)."""
        return cast(np.record, self._games[TRUE])

    def _enter(self, command: int, pairings: Array, results: Array, x: int) -> int:
        ordered = self.setting.information == "leaky"  # its look-aheads see what is drawn next
        masks, numbers = np.zeros((0, N_MOVES), np.bool_), np.zeros(0, np.int64)
        number = enter(command, self._games, self._tables, self._decks, self._agents,
                       numbers, pairings, results, masks, self._trees, x,
                       int(ordered))  # fmt: skip
        return int(number)

    def play(self, pairings: Array) -> Array:
        """Play every game of every pairing; return RESULT (n), a row a pairing, in order."""
        results = np.zeros(len(pairings), RESULT)
        rows = np.ascontiguousarray(pairings, PAIRING).view(np.recarray)
        self._enter(PLAY_ROWS, rows, results.view(np.recarray), self.setting.max_turns)
        return results

    def _one(self, command: int, x: int) -> int:
        return self._enter(command, self._pairings, np.zeros(0, RESULT).view(np.recarray), x)

    def deal(self, pairing: Any, k: int) -> None:
        """Begin game k of a pairing (one row of PAIRING)."""
        self._pairings[0] = pairing
        self._pairings[0].seed = (int(pairing["seed"]) + k) % 2**64
        self._one(DEAL, self.setting.max_turns)

    def decide(self) -> int:
        """Return the move of the agent whose turn it is, the very one that `play` makes.

        The legal moves are in game.moves[:game.n_moves], what EVA thinks of each in
        game.score (-1e300: not simulated, an equal card comes later in the hand).
        """
        return self._one(DECIDE, 0)

    def move(self, move: int) -> None:
        """Make a legal move."""
        self._one(MOVE, move)


def play_block(pairings: Array, agents: Array, setting: Setting) -> Array:
    """Play every game of every pairing; return RESULT (n), a row a pairing, in order.

    agents: AGENT (m,); a and b of a pairing are rows of it. Depends on its arguments alone, and
    releases the GIL.
    """
    return Table(agents, setting).play(pairings)


def is_compiled() -> bool:
    """Tell whether the engine can be loaded instead of compiled."""
    return jit.is_compiled()


def warm_up() -> None:
    """Load or compile the engine, so that no worker has to."""
    jit.load()
