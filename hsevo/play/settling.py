"""Positions that were put together get what the engine keeps besides: auras, listeners, rules."""

from hsevo.engine.jit import TABLES_T, VOID, entry_point, kernel
from hsevo.engine.operations.turn import PASSES
from hsevo.engine.record.state import GAME_T, GAMES_T, STATES_T, load, store
from hsevo.engine.rules.auras import refresh
from hsevo.engine.rules.board import hold_secrets_back
from hsevo.engine.rules.zones import find_deck_listeners, find_hand_listeners


@kernel(VOID(GAME_T, TABLES_T))
def settle(g, t):
    """Find who listens and in which order, and apply the auras of what is in play."""
    g.late = t.late
    for side in range(2):
        hold_secrets_back(g, t, side)
        find_deck_listeners(g, t, side)
        find_hand_listeners(g, t, side)
    g.stale = 1
    for _ in range(PASSES):
        if g.stale == 1:
            refresh(g, t)
    g.stale = 0


@entry_point(VOID(STATES_T, TABLES_T, GAMES_T), "positions", lambda states, t, *rest: t["late"])
def settle_all(states, t, games):
    """Settle each state; games: (1,), to work in."""
    g = games[0]
    for i in range(len(states)):
        load(g, states[i])
        settle(g, t)
        store(states[i], g)
