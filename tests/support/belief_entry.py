"""The entry point through which tests ask for believed copies of games.

A file of its own, as `state_entry.py`.
"""

from typing import Any

import numpy as np

from hsevo.agents.shared.belief import BELIEFS_T, LISTS_T, believe
from hsevo.engine.game.moves import list_moves
from hsevo.engine.jit import I8, TABLES_T, U8, array, entry_point
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.record.state import GAME, GAMES_T, STATE, STATES_T, load, mix, store


@entry_point(I8(GAMES_T, STATES_T, TABLES_T, LISTS_T, BELIEFS_T, U8, array(I8, 2)),
             needs_late=lambda games, states, t, *rest: t.late)
def enter(games, states, t, lists, beliefs, seed, legal):  # type: ignore[no-untyped-def]
    """Replace each state by a believed copy, and mark the moves that are legal in it."""
    for i in range(len(states)):
        load(games[0], states[i])
        believe(games[0], t, lists, beliefs[0], mix(seed + np.uint64(i)))
        store(states[i], games[0])
        for k in range(list_moves(games[0], t)):
            legal[i, games[0].moves[k]] = 1
    return 0


def believed(states: Any, tables: Any, lists: Any, belief: Any, seed: int) -> tuple[Any, Any]:
    """Return believed copies of STATE (n,), and the moves that are legal in them, bool (n, m)."""
    copies = np.frombuffer(states.tobytes(), STATE).copy().view(np.recarray)
    legal = np.zeros((len(copies), N_MOVES), np.int64)
    enter(np.zeros(1, GAME).view(np.recarray), copies, tables, lists, belief, np.uint64(seed),
          legal)
    return copies, legal == 1
