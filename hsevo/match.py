"""Matches: pairings in, results out. The one door from the compiled engine to the floors above.

    pairings (PAIRING) + weights (n, 21) + Setting  --play_block()-->  results (RESULT)

Nothing is compiled at import; `warm_up()`, or the first call, loads or compiles the engine.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hsevo.agents.greedy import GREEDY, RANDOM, WEIGHTS_T, choose_move
from hsevo.cards.decks import Deck
from hsevo.cards.tables import index, tables
from hsevo.cards.words import Class
from hsevo.engine import jit
from hsevo.engine.jit import I8, TABLES_T, U8, VOID, copy_prefix, door, kernel, records, types
from hsevo.engine.moves import make_move
from hsevo.engine.setup import DECKLIST, new_game
from hsevo.engine.state import (
    DRAW,
    FAIR,
    GAME,
    GAMES_T,
    LEAKY,
    PREFIX,
    RUNNING,
    WIN_0,
    WIN_1,
    mix,
)

Array = npt.NDArray[Any]

# One row: two agents (rows of the weights) with a deck each play `games` games.
PAIRING = np.dtype(
    [
        ("a", "i4"),
        ("b", "i4"),
        ("deck_a", "i2"),
        ("deck_b", "i2"),
        ("games", "i4"),
        ("seed", "u8"),
    ]
)
# wins_a + wins_b + draws + faults == games. turns: player turns, summed over the games. margin_a:
# summed over a's wins, the winner's health and armour less the loser's (his health at least 0).
RESULT = np.dtype(
    [
        ("wins_a", "i4"),
        ("wins_b", "i4"),
        ("draws", "i4"),
        ("faults", "i4"),
        ("turns", "i8"),
        ("margin_a", "i8"),
        ("margin_b", "i8"),
        ("decisions", "i8"),
        ("simulated", "i8"),
    ]
)
KINDS = {"greedy": GREEDY, "random": RANDOM}
SIGHTS = {"fair": FAIR, "leaky": LEAKY}
RESULTS = {RUNNING: "fault", WIN_0: "a", WIN_1: "b", DRAW: "draw"}
TRUE, AHEAD, BLANK = 0, 1, 2  # places in a batch of three games: played on, imagined, empty

DECKLISTS_T = records(DECKLIST)
PAIRINGS_T, RESULTS_T = records(PAIRING), records(RESULT)
KINDS_T = types.Array(types.int64, 1, "C")


@dataclass(frozen=True)
class Setting:
    """What all games of a run share. A game that reaches `max_turns` player turns is a draw."""

    ruleset: str = "cig2018"
    decks: tuple[Deck, ...] = ()
    information: str = "fair"  # what look-aheads may know: 'fair' or 'leaky'
    max_turns: int = 89


@kernel(I8(GAMES_T, TABLES_T, DECKLISTS_T, I8, I8, U8, I8, I8))
def deal(games, t, decks, deck_a, deck_b, seed, max_turns, sight):
    """Begin a game of a (player 0) against b (player 1) in games[TRUE]."""
    g = games[TRUE]
    copy_prefix(g, games[BLANK], PREFIX)
    g.depth = 0
    g.simulated = 0
    new_game(g, t, decks[deck_a], decks[deck_b], seed, max_turns, 1 if sight == LEAKY else 0)
    return g.result


@kernel(I8(GAMES_T, TABLES_T, WEIGHTS_T, KINDS_T, I8, I8, I8))
def decide(games, t, w, kinds, a, b, sight):
    """Return the move of the agent to move in games[TRUE]."""
    g = games[TRUE]
    player = a if g.me == 0 else b
    return choose_move(g, games[AHEAD], t, w, player, kinds[player], sight)


@kernel(I8(GAMES_T, TABLES_T, WEIGHTS_T, KINDS_T, I8, I8, I8))
def play_out(games, t, w, kinds, a, b, sight):
    """Play the game in games[TRUE] to its end; return the number of decisions."""
    g, decisions = games[TRUE], 0
    while g.result == RUNNING and g.fault == 0:
        make_move(g, t, decide(games, t, w, kinds, a, b, sight))
        decisions += 1
    return decisions


@kernel(VOID(GAMES_T, RESULTS_T, I8, I8))
def book(games, results, i, decisions):
    """Add a finished game to row i of the results."""
    g, r = games[TRUE], results[i]
    left_0 = max(g.char[7].health, 0) + g.side[0].armor
    left_1 = max(g.char[15].health, 0) + g.side[1].armor
    if g.fault != 0:
        r.faults += 1
    elif g.result == WIN_0:
        r.wins_a += 1
        r.margin_a += left_0 - left_1
    elif g.result == WIN_1:
        r.wins_b += 1
        r.margin_b += left_1 - left_0
    else:
        r.draws += 1
    r.turns += min(g.turn, g.max_turns)
    r.decisions += decisions
    r.simulated += g.simulated


@door(
    VOID(GAMES_T, TABLES_T, DECKLISTS_T, WEIGHTS_T, KINDS_T, PAIRINGS_T, RESULTS_T, I8, I8)
)
def play_rows(games, t, decks, w, kinds, pairings, results, max_turns, sight):
    """Play every game of every pairing."""
    for i in range(len(pairings)):
        p = pairings[i]
        for k in range(p.games):
            seed = mix(p.seed + np.uint64(k))
            deal(games, t, decks, p.deck_a, p.deck_b, seed, max_turns, sight)
            decisions = play_out(games, t, w, kinds, p.a, p.b, sight)
            book(games, results, i, decisions)


@door(I8(GAMES_T, TABLES_T, DECKLISTS_T, I8, I8, U8, I8, I8))
def deal_one(games, t, decks, deck_a, deck_b, seed, max_turns, sight):
    """Begin one game, to be looked at (see `deal`)."""
    return deal(games, t, decks, deck_a, deck_b, seed, max_turns, sight)


@door(I8(GAMES_T, TABLES_T, WEIGHTS_T, KINDS_T, I8, I8, I8))
def decide_one(games, t, w, kinds, a, b, sight):
    """Return the next move; legal moves and scores are in games[TRUE].moves and .score."""
    return decide(games, t, w, kinds, a, b, sight)


@door(VOID(GAMES_T, TABLES_T, I8))
def move_one(games, t, move):
    """Make a move in games[TRUE]."""
    make_move(games[TRUE], t, move)


def room() -> np.recarray[Any, Any]:
    """Return three zeroed games: TRUE, AHEAD, BLANK."""
    return np.zeros(3, GAME).view(np.recarray)


@functools.lru_cache(maxsize=16)
def decklists(decks: tuple[Deck, ...], ruleset: str) -> np.recarray[Any, Any]:
    """Return decks (n) as the kernel takes them."""
    numbers = index(ruleset)
    lists = np.zeros(len(decks), DECKLIST).view(np.recarray)
    for row, deck in zip(lists, decks, strict=True):
        row.cls, row.n = Class[deck.hero], len(deck.cards)
        row.cards[: row.n] = [numbers[card] for card in deck.cards]
    return lists


def play_block(
    pairings: Array, weights: Array, setting: Setting, kinds: tuple[str, ...] = ()
) -> Array:
    """Play every game of every pairing; return RESULT (n), a row a pairing, in order.

    `weights` (m, 21) in the paper's order; `kinds` (m) names the agents' kinds, greedy by
    default. Depends on its arguments alone, and releases the GIL.
    """
    results = np.zeros(len(pairings), RESULT)
    numbers = np.array([KINDS[kind] for kind in kinds] or [GREEDY] * len(weights), np.int64)
    play_rows(
        room(),
        tables(setting.ruleset),
        decklists(setting.decks, setting.ruleset),
        np.ascontiguousarray(weights, np.float64),
        numbers,
        np.ascontiguousarray(pairings, PAIRING).view(np.recarray),
        results.view(np.recarray),
        setting.max_turns,
        SIGHTS[setting.information],
    )
    return results


def game_seed(seed: int, k: int) -> int:
    """Return the seed of game k (from 0) of a row."""
    x = (seed + k + 0x9E3779B97F4A7C15) % 2**64  # state.mix, in plain integers
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
    return x ^ (x >> 31)


def is_compiled() -> bool:
    """Tell whether the engine can be loaded instead of compiled."""
    return jit.is_compiled()


def warm_up() -> None:
    """Load or compile the engine, so that no worker has to."""
    jit.load()
