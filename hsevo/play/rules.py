"""The rules applied to one state from Python: legal actions, the state after an action, costs.

A state is an array STATE (1,), which only `deal_worlds` changes. `games.GameBatch` applies the
rules to many states, `match.Table` also asks agents.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any, cast

import numpy as np

from hsevo.agents.shared.agent import AGENT
from hsevo.agents.shared.scratch import TRUE
from hsevo.cards.tables import index, table_array, tables
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.record.state import HAND, NOTED, SCRIPT, STATE, TRUE_GAME
from hsevo.errors import ConfigError, GameError, quoted
from hsevo.play import worlds
from hsevo.play.closed import guesses
from hsevo.play.context import Context
from hsevo.play.entry import Command, call
from hsevo.play.match import Setting, context, new_scratch
from hsevo.play.moves import MoveCosts
from hsevo.types import Array

MOST_TURNS = 32_000
COIN = "GAME_005"
NOTED_LATER = 2  # `remade` of a game that did not note what was shown from its beginning on
NO_AGENTS = np.zeros(0, AGENT)
_BYTES = np.dtype((np.void, STATE.itemsize))

_thread = threading.local()


def thread_scratch() -> Array:
    """Return the scratch of this thread."""
    if not hasattr(_thread, "scratch"):
        _thread.scratch = new_scratch()
    return cast(Array, _thread.scratch)


def thread_context(ruleset: str) -> Context:
    """Return the context of calls without agents, on this thread; cached, as it takes 0.3 ms."""
    contexts: dict[str, tuple[Any, Context]] = _thread.__dict__.setdefault("contexts", {})
    cards = tables(ruleset)
    if ruleset not in contexts or contexts[ruleset][0] is not cards:
        contexts[ruleset] = cards, context(
            NO_AGENTS, Setting(ruleset, (), "fair", MOST_TURNS), thread_scratch())
    return contexts[ruleset][1]


class _Work:
    """Arrays of this thread that the functions below work in."""

    def __init__(self) -> None:
        self.masks = np.zeros((1, N_MOVES), np.bool_)
        self.action = np.zeros(1, np.int64)

    @cached_property
    def listed(self) -> tuple[Array, Array]:
        """The moves that were listed last, int32, and their number (1,)."""
        games = thread_scratch().view(np.ndarray)["games"][:, TRUE]
        return games["moves"][0], games["n_moves"]


def legal_actions(state: Array, ruleset: str, all_places: bool = False) -> list[int]:
    """Return the legal actions in the order in which agents consider them; none after the end.

    all_places: with every board position for a minion, not only those that matter.
    """
    work = _work()
    call(Command.LIST_ALL, _context(ruleset, all_places), states=state, masks=work.masks)
    moves, number = work.listed
    actions: list[int] = moves[:number[0]].tolist()
    return actions


def after(state: Array, ruleset: str, action: int, all_places: bool = False) -> Array | None:
    """Return the state after an action; None if the action is not legal, or the game is over."""
    if state["result"][0]:
        return None
    copy, work = copied(state), _work()
    work.action[0] = action
    illegal = call(Command.MOVE_ALL, _context(ruleset, all_places), states=copy, moves=work.action)
    return copy if illegal < 0 else None


def costs(state: Array, ruleset: str) -> tuple[MoveCosts, MoveCosts]:
    """Return what players 0 and 1 have to pay now."""
    paid = np.zeros((1, 2, HAND + 1), np.int64)
    call(Command.COSTS_ALL, _context(ruleset, False), states=state, costs=paid)
    return MoveCosts.of(paid[0, :, :HAND], paid[0, :, HAND],
                        state["side"]["n_hand"][0].tolist())


def outcomes(state: Array, ruleset: str, action: int, most: int,
             all_places: bool = False) -> list[tuple[float, Array, Array]] | None:
    """Return the states that may follow a legal action, each with its probability and script.

    A script, SCRIPT numbers, has the random results that lead to the state: see `entry.force`. None
    if the states are more than `most`, counted before equal ones are merged, or if the action needs
    more than SCRIPT random numbers.
    """
    merged: dict[bytes, tuple[float, Array, Array]] = {}
    script, context = np.zeros(SCRIPT, np.int64), _context(ruleset, all_places)
    for _ in range(most):
        after, report = copied(state), script.copy()
        asked = call(Command.FORCE, context, states=after, moves=np.array([action], np.int64),
                     report=report)
        if asked < 0:
            raise GameError(f"move {action} is not legal here")
        if asked > SCRIPT:
            return None
        key = copied(after)
        key["rng"] = 0
        probability, *first = merged.get(key.tobytes(), (0.0, after, script.copy()))
        chance = float(1 / np.prod(report[:asked], dtype=float))
        merged[key.tobytes()] = probability + chance, first[0], first[1]
        if not _next_script(script, report, asked):
            return [*merged.values()]
    return None


def _next_script(script: Array, sizes: Array, asked: int) -> bool:
    """Set a script to the next one, like a counter; return False after the last."""
    for k in range(asked - 1, -1, -1):
        if script[k] + 1 < sizes[k]:
            script[k] += 1
            script[k + 1:] = 0
            return True
    return False


def deal_worlds(states: Array, ruleset: str, players: Array, seeds: Array,
                information: str = "fair") -> None:
    """Deal again, in each state, STATE (n,), what its player can't see: see play/worlds.py.

    players, seeds: (n,). information: one of config.INFORMATION. Raises ConfigError if deck lists
    are closed, and a game has not noted what its players show.
    """
    lists, belief = guesses(information, ruleset)
    if len(belief) and not _is_noted_from_the_start(states):
        raise ConfigError(f"information is {quoted(information)}, but these games did not note"
                          " which cards were shown; begin them with closed deck lists, or as"
                          " hsevo.Games")
    if not len(belief) and _has_unlisted(states, ruleset):  # such cards may be any that fit
        belief = guesses("closed:uniform", ruleset)[1]
    worlds.deal_worlds(states, table_array(ruleset), thread_scratch()["games"][0, TRUE:TRUE + 1],
                       lists, belief, np.array(players, np.int64), seeds)


def note(game: Any) -> None:
    """Let a game, a record of the engine, note from now on what its players show.

    Deck lists must be open: what was shown before is missing.
    """
    if game["sight"] == TRUE_GAME:
        game["sight"] = NOTED
        game["evidence"]["remade"] = NOTED_LATER


def _is_noted_from_the_start(states: Array) -> bool:
    later = states["evidence"]["remade"] == NOTED_LATER
    return bool((states["sight"] == NOTED).all() and not later.any())


def _has_unlisted(states: Array, ruleset: str) -> bool:
    """Return whether a state has hidden cards that may not be from a deck list."""
    noted = states["evidence"][states["sight"] == NOTED]
    known = 0, index(ruleset).get(COIN, 0)
    return bool(states["side"]["unseen"].any() or (noted["remade"] == 1).any()
                or not np.isin(noted["hand"], known).all() or noted["secret"].any())


def copied(state: Array) -> Array:
    """Return a copy of states, STATE (n,): of their bytes, as numpy takes ten times longer."""
    return np.asarray(state).view(_BYTES).copy().view(STATE)


def _context(ruleset: str, all_places: bool) -> Context:
    context = thread_context(ruleset)
    return context._replace(all_places=1) if all_places else context


def _work() -> Any:
    if not hasattr(_thread, "work"):
        _thread.work = _Work()
    return _thread.work
