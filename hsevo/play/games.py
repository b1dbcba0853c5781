"""Batches of games for learners: begin many games, see what is legal, make a move in each.

    games = new_games(deck_0, deck_1, seeds)      n games, player 0 with deck_0, 1 with deck_1
    while (results(games) == RUNNING).any():
        masks = legal_moves(games)                bool (n, N_MOVES), all False where it is over
        moves = ...                               int (n,), a True of each mask; any if over
        step(games, moves)

A move is the same integer in every game (`engine.moves` draws the numbers; `engine.show.move_text`
puts one into words), so it can be an action index. Every game has a random stream of its own,
which its seed fixes: what happens in one game of a batch never depends on the others. The state of
a game is its record (dtype `engine.state.GAME`), which holds what is hidden from the players too.
All calls release the GIL. The first one loads or compiles the engine (`match.warm_up`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.agents.agent import AGENT
from hsevo.agents.mcts import TREE
from hsevo.cards.decks import Deck
from hsevo.cards.tables import tables
from hsevo.engine.codec import N_MOVES
from hsevo.engine.state import DRAW, GAME, RUNNING, WIN_0, WIN_1
from hsevo.errors import GameError, own_fault
from hsevo.play.entry import DEAL_ALL, LIST_ALL, MOVE_ALL, PAIRING, RESULT, enter
from hsevo.play.match import decklists

__all__ = ["DRAW", "N_MOVES", "RUNNING", "WIN_0", "WIN_1", "Games", "legal_moves", "new_games",
           "players", "results", "step"]

Array: TypeAlias = npt.NDArray[Any]
Decks: TypeAlias = Deck | Sequence[Deck]
_NO_AGENTS = np.zeros(0, AGENT).view(np.recarray)


@dataclass(frozen=True)
class Games:
    """n games of one ruleset; `records` (n,) of dtype GAME, written to by `step`."""

    records: np.recarray[Any, Any]
    ruleset: str

    def __len__(self) -> int:
        return len(self.records)

    def take(self, which: Any) -> Games:
        """Return a copy of some of the games: indices (m,), bool (n,) or a slice."""
        return Games(np.atleast_1d(self.records[which]).copy().view(np.recarray), self.ruleset)


def new_games(decks_0: Decks, decks_1: Decks, seeds: Any, ruleset: str = "cig2018",
              max_turns: int = 89, ordered: bool = False) -> Games:
    """Begin a game for each seed.

    decks_0, decks_1: of players 0 and 1; one for all games, or n. seeds: whole numbers (n,), from
    0 to 2**64 - 1, each of which fixes all that is random in its game (who begins, too).
    max_turns: player turns after which a game is a draw, 1 to 32,000. ordered: shuffle the decks
    now (in `deck`, the last card is on top), instead of drawing uniformly from what is left.
    Raises ValueError for arguments that don't fit together, CardError for an unknown ruleset or a
    card that it does not have.
    """
    seeds = np.asarray(seeds, np.uint64)
    if seeds.ndim != 1:
        raise ValueError(f"seeds of shape {seeds.shape}, and must be (n,)")
    if not 1 <= max_turns <= 32_000:
        raise ValueError(f"max_turns is {max_turns}, and must be from 1 to 32,000")
    known: dict[Deck, int] = {}
    pairings = np.zeros(len(seeds), PAIRING).view(np.recarray)
    pairings.seed, pairings.games = seeds, 1
    pairings.deck_a = _numbers(decks_0, known, len(seeds))
    pairings.deck_b = _numbers(decks_1, known, len(seeds))
    records = np.zeros(len(seeds) + 1, GAME).view(np.recarray)  # the last one stays blank
    games = Games(records, ruleset)
    _enter(DEAL_ALL, games, pairings=pairings, decks=decklists(tuple(known), ruleset),
           x=max_turns, y=int(ordered))
    return Games(records[:-1].view(np.recarray), ruleset)


def legal_moves(games: Games) -> Array:
    """Return the legal moves of all games: bool (n, N_MOVES).

    A game that is over has none; one that is not has at least one.
    """
    masks = np.zeros((len(games), N_MOVES), np.bool_)
    _enter(LIST_ALL, games, masks=masks)
    return masks


def step(games: Games, moves: Any) -> None:
    """Make a move in each game and resolve all that follows from it; leave games that are over.

    moves: whole numbers (n,). It is for the player in `players`, who may change with it.
    Raises GameError, with nothing changed, if a move is illegal; and if a game met a limit of the
    engine, which no legal game should: that one has come to a stop, the others are a move on.
    """
    numbers = np.array(moves)
    if numbers.shape != (len(games),) or numbers.dtype.kind not in "iu":
        raise ValueError(f"moves of shape {numbers.shape} and type {numbers.dtype}, and must be"
                         f" whole numbers ({len(games)},)")
    numbers = numbers.astype(np.int64)
    _refuse_illegal(games, numbers)
    _enter(MOVE_ALL, games, numbers=numbers)
    for i in np.flatnonzero(games.records["fault"]):
        raise own_fault(f"game {i} of {len(games)} met limit {games.records['fault'][i]} of the"
                        f" engine at move {numbers[i]}")


def results(games: Games) -> Array:
    """Return how each game stands, int16 (n,): RUNNING, WIN_0, WIN_1 or DRAW."""
    return games.records["result"].copy()


def players(games: Games) -> Array:
    """Return whose move it is in each game, int16 (n,): 0 or 1."""
    return games.records["me"].copy()


def _numbers(decks: Decks, known: dict[Deck, int], n: int) -> Array:
    """Return each deck's place (n,) among those known so far, and add the new ones."""
    listed = [decks] * n if isinstance(decks, Deck) else list(decks)
    if len(listed) != n:
        raise ValueError(f"{len(listed)} decks for {n} seeds")
    return np.array([known.setdefault(deck, len(known)) for deck in listed], np.int16)


def _refuse_illegal(games: Games, moves: Array) -> None:
    known = (moves >= 0) & (moves < N_MOVES)
    fine = legal_moves(games)[np.arange(len(games)), np.where(known, moves, 0)] & known
    for i in np.flatnonzero(~fine & (games.records["result"] == RUNNING)):
        raise GameError(f"move {moves[i]} is not legal in game {i} of {len(games)}; no game was"
                        " changed (legal_moves tells what is legal)")


def _enter(command: int, games: Games, *, decks: Array | None = None, numbers: Array | None = None,
           pairings: Array | None = None, masks: Array | None = None, x: int = 0,
           y: int = 0) -> None:
    """Call the compiled door; what a command does not read is empty."""
    none = np.zeros(0, np.int64)
    enter(command, games.records, tables(games.ruleset),
          decklists((), games.ruleset) if decks is None else decks, _NO_AGENTS,
          none if numbers is None else numbers,
          np.zeros(0, PAIRING).view(np.recarray) if pairings is None else pairings,
          np.zeros(0, RESULT).view(np.recarray),
          np.zeros((0, N_MOVES), np.bool_) if masks is None else masks,
          np.zeros(0, TREE).view(np.recarray), x, y)
