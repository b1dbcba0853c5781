"""The one compiled function that Python calls, with a command for each thing it can do.

One function, because each one that Python calls holds the whole engine (6 s of compiling apiece).
`match.py` and `games.py` wrap it; nobody else should.
"""

import numpy as np

from hsevo.agents.agent import AGENTS_T, BLANK, TRUE
from hsevo.agents.choose import choose_move
from hsevo.agents.mcts import TREES_T
from hsevo.engine.codec import hero_of
from hsevo.engine.jit import (
    BOOL,
    I8,
    TABLES_T,
    VOID,
    array,
    copy_prefix,
    door,
    kernel,
    record,
    records,
)
from hsevo.engine.moves import list_moves, make_move
from hsevo.engine.setup import DECKLIST, new_game
from hsevo.engine.state import GAME_T, GAMES_T, PREFIX, RUNNING, WIN_0, WIN_1, mix

PLAY_ROWS, DEAL, DECIDE, MOVE, DEAL_ALL, LIST_ALL, MOVE_ALL = 0, 1, 2, 3, 4, 5, 6

# One row: two agents (by number) with a deck each play `games` games.
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
DECKLISTS_T, PAIRINGS_T, RESULTS_T = records(DECKLIST), records(PAIRING), records(RESULT)
PAIRING_T, NUMBERS_T = record(PAIRING), array(I8, 1)
MASKS_T = array(BOOL, 2)


@kernel(VOID(GAME_T, GAME_T, TABLES_T, DECKLISTS_T, PAIRINGS_T, I8, I8, I8, I8))
def deal(g, blank, t, decks, pairings, i, k, max_turns, ordered):
    """Begin game k of a pairing, a being player 0 and b player 1."""
    copy_prefix(g, blank, PREFIX)
    g.depth = 0
    g.simulated = 0
    p = pairings[i]
    seed = mix(p.seed + np.uint64(k))
    new_game(g, t, decks[p.deck_a], decks[p.deck_b], seed, max_turns, ordered)


@kernel(I8(GAMES_T, TABLES_T, AGENTS_T, PAIRING_T, TREES_T))
def decide(games, t, agents, p, trees):
    """Return the move of the agent to move in games[TRUE], of pairing p."""
    return choose_move(games, t, agents[p.a if games[TRUE].me == 0 else p.b], trees)


@kernel(VOID(GAME_T, RESULTS_T, I8, I8))
def book(g, results, i, decisions):
    """Add a finished game to row i of the results."""
    r = results[i]
    left_0 = max(g.char[hero_of(0)].health, 0) + g.side[0].armor
    left_1 = max(g.char[hero_of(1)].health, 0) + g.side[1].armor
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


@kernel(VOID(GAMES_T, TABLES_T, DECKLISTS_T, AGENTS_T, PAIRINGS_T, RESULTS_T, TREES_T, I8, I8, I8))
def play_row(games, t, decks, agents, pairings, results, trees, i, max_turns, ordered):
    """Play every game of pairing i."""
    g, p = games[TRUE], pairings[i]
    for k in range(p.games):
        deal(g, games[BLANK], t, decks, pairings, i, k, max_turns, ordered)
        decisions = 0
        while g.result == RUNNING and g.fault == 0:
            make_move(g, t, decide(games, t, agents, p, trees))
            decisions += 1
        book(g, results, i, decisions)


@kernel(VOID(GAME_T, TABLES_T, MASKS_T, I8))
def mask_moves(g, t, masks, i):
    """Set row i of the masks to the legal moves of a game."""
    masks[i, :] = False
    for k in range(list_moves(g, t)):
        masks[i, g.moves[k]] = True


@kernel(BOOL(GAME_T, TABLES_T, I8))
def try_move(g, t, move):
    """Make a move if it is legal; tell whether it was."""
    for k in range(list_moves(g, t)):
        if g.moves[k] == move:
            make_move(g, t, move)
            return True
    return False


@door(
    I8(
        I8,
        GAMES_T,
        TABLES_T,
        DECKLISTS_T,
        AGENTS_T,
        NUMBERS_T,
        PAIRINGS_T,
        RESULTS_T,
        MASKS_T,
        TREES_T,
        I8,
        I8,
    )
)
def enter(command, games, t, decks, agents, numbers, pairings, results, masks, trees, x, y):
    """Do one of the commands above; what each reads of the arguments is written beside it."""
    if command == PLAY_ROWS:  # x: longest game in turns, y: decks are ordered
        for i in range(len(pairings)):
            play_row(games, t, decks, agents, pairings, results, trees, i, x, y)
    elif command == DEAL:  # game 0 of pairing 0
        deal(games[TRUE], games[BLANK], t, decks, pairings, 0, 0, x, y)
    elif command == DECIDE:  # return the move
        return decide(games, t, agents, pairings[0], trees)
    elif command == MOVE:  # x: the move in games[TRUE], known to be legal
        make_move(games[TRUE], t, x)
    elif command == DEAL_ALL:  # the last game is the blank; game i is game 0 of pairing i
        last = len(games) - 1
        for i in range(last):
            deal(games[i], games[last], t, decks, pairings, i, 0, x, y)
    elif command == LIST_ALL:
        for i in range(len(games)):
            mask_moves(games[i], t, masks, i)
    elif command == MOVE_ALL:  # numbers: moves; return the first game with an illegal one, or -1
        for i in range(len(games)):
            if games[i].result == RUNNING and not try_move(games[i], t, numbers[i]):
                return i
        return -1
    return 0
