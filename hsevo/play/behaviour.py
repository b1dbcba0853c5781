"""How games go besides who wins them: cards in hand, damage; of games watched while they run.

    tournament.play(Watched(executor), ...) --> WATCHED rows, which have all that RESULT has
    behaviour(games, turns, own_turns, hand, damage) --> features by name, as AXES

Compiled code plays a match to its end and keeps no account of it. Here, the games of a job move in
step, and between two moves their states are looked at as arrays. The moves are the same. It takes
two to three times as long with agents that look one action ahead, half as long again with searches.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from hsevo.agents.genomes.decks import seated
from hsevo.agents.learned.nets import keep
from hsevo.engine.record.codec import END, HERO, SEATS
from hsevo.engine.record.state import RUNNING, STATE, WIN_0, WIN_1, Fault, Phase
from hsevo.play import match
from hsevo.play.context import PAIRING, RESULT, Context
from hsevo.play.entry import Command, call
from hsevo.play.workers import Executor, Job
from hsevo.types import Array


class Axis(NamedTuple):
    """A feature, by which a map parts its cells: its name in words, its usual ends."""

    title: str
    ends: tuple[float, float]


AXES = {
    "turns": Axis("player turns a game", (10, 34)),
    "hand": Axis("cards in hand at the end of an own turn", (0, 8)),
    "damage": Axis("damage to the enemy hero an own turn", (0, 6)),
}
COUNTED = ("turns",)  # those that RESULT has: no game needs to be watched
# What is seen of a side, summed over games. own_turns: those that it ended, or that the game did.
# hand: cards in hand at the end of each. damage: what the enemy hero lost in each, of health and
# armour, without what it cost to draw from an empty deck.
SEEN = ("own_turns", "hand", "damage")
SIDES = ("a", "b")
WATCHED = np.dtype([*((name, RESULT[name]) for name in RESULT.names or ()),
                    *((f"{name}_{side}", "i8") for name in SEEN for side in SIDES)])
LEAST_GAMES = 256  # of a job, if there are as many
TOGETHER = 1024  # games that move in step: all of a usual job
HEROES = np.array([HERO, SEATS + HERO])  # of players 0 and 1, among the characters
FEW = 0.75  # the share of running games from which on the others are taken out
_BYTES = np.dtype((np.void, STATE.itemsize))


def behaviour(games: Array, turns: Array, own_turns: Array, hand: Array,
              damage: Array) -> dict[str, Array]:
    """Return the features of sums (...) over games, by their names in AXES; each (...)."""
    own = np.maximum(own_turns, 1)  # 0, if all games end before
    return {"turns": turns / games, "hand": hand / own, "damage": damage / own}


class Watched:
    """An executor of tournaments that are watched: the results of matches are WATCHED rows."""

    def __init__(self, executor: Executor) -> None:
        self.executor, self.workers, self.remote = executor, executor.workers, executor.remote

    def __call__(self, function: Callable[..., Any],
                 jobs: Iterable[Job]) -> Generator[Any, None, None]:
        """Yield the results of jobs, in order; what is not a match is done as ever.

        Jobs of matches have the same agents and setting. Small ones are done together, for a step
        of few games costs as much as one of many.
        """
        if function is not match.play_block:
            yield from self.executor(function, jobs)
            return
        groups = [*_grouped(jobs)]
        whole = ((np.concatenate([rows for rows, *_ in group]), *group[0][1:]) for group in groups)
        for group, watched in zip(groups, self.executor(watch_block, whole), strict=True):
            yield from np.split(watched, np.cumsum([len(rows) for rows, *_ in group])[:-1])


def unwatched(executor: Executor) -> Executor:
    """Return the executor whose matches are not watched."""
    return executor.executor if isinstance(executor, Watched) else executor


def _grouped(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    """Yield jobs in groups of LEAST_GAMES or more, the last of fewer."""
    group: list[Job] = []
    for job in jobs:
        group.append(job)
        if sum(int(rows["games"].sum()) for rows, *_ in group) >= LEAST_GAMES:
            yield group
            group = []
    if group:
        yield group


def watch_block(pairings: Array, agents: Array, setting: match.Setting, *nets: Array) -> Array:
    """Play as match.play_block does; return WATCHED (n,), one row per pairing, in order.

    Two differences: a tree search begins a new tree for each move; `simulated` is not counted, 0.
    """
    keep(nets)
    flat, seats = seated(agents, pairings)
    games = pairings["games"]
    match_of = np.repeat(np.arange(len(pairings)), games)
    each = np.ascontiguousarray(seats[match_of], PAIRING)
    first = np.cumsum(games) - games
    each["seed"] += (np.arange(len(each)) - first[match_of]).astype(np.uint64)
    context = match.context(flat, setting, match.new_scratch())
    watched = np.zeros(len(pairings), WATCHED)
    for at in range(0, len(each), TOGETHER):
        seen = _in_step(each[at:at + TOGETHER], context)
        for name in WATCHED.names or ():
            np.add.at(watched[name], match_of[at:at + TOGETHER], seen[name])
    return watched


class _Look(NamedTuple):
    """What states are looked at for, of n games; left, hand: of both players."""

    running: Array  # (n,)
    me: Array  # (n,)
    choosing: Array  # (n,): a choice is open, or a mulligan
    hand: Array  # (n, 2)
    left: Array  # (n, 2): of heroes, health and armour, and the damage that fatigue has done

    @classmethod
    def at(cls, states: Any) -> _Look:
        """Look at states (n,). The k-th draw from an empty deck does k damage."""
        side = states["side"]
        fatigue = side["fatigue"].astype(np.int64)
        return cls(_running(states), states["me"].astype(np.int64),
                   states["pending"] != Phase.PLAY, side["n_hand"].astype(np.int64),
                   _health(states) + fatigue * (fatigue + 1) // 2)

    def take(self, which: Array) -> _Look:
        """Return what was seen of some games."""
        return _Look(*(column[which] for column in self))


def _in_step(rows: Array, context: Context) -> Array:
    """Play the first game of each row; return WATCHED (n,)."""
    watched, at = np.zeros(len(rows), WATCHED), np.arange(len(rows))
    sums = np.zeros((len(rows), 2, len(SEEN)), np.int64)
    agents = np.stack([rows["a"], rows["b"]], axis=1).astype(np.int64)
    states = np.zeros(len(rows), STATE).view(np.recarray)
    call(Command.DEAL_ALL, context, pairings=rows.view(np.recarray), states=states)
    before = _Look.at(states)
    while len(at):
        while (running := before.running).mean() > FEW:
            moves = np.zeros(len(at), np.int64)
            call(Command.ASK_ALL, context, states=states, asked=agents[at, before.me], moves=moves)
            after = _Look.at(states)
            sums[at, before.me] += _seen(before, after, moves)
            watched["decisions"][at] += running
            before = after
        _add_ends(watched, at[~running], _take(states, ~running))
        at, states, before = at[running], _take(states, running), before.take(running)
    for k, name in enumerate(SEEN):
        for side, letter in enumerate(SIDES):
            watched[f"{name}_{letter}"] = sums[:, side, k]
    return watched


def _seen(before: _Look, after: _Look, moves: Array) -> Array:
    """Return SEEN (n, 3) of the players that moved, where games were running."""
    i, me = np.arange(len(moves)), before.me
    passed = before.running & (moves == END) & ~before.choosing
    ended = passed | (before.running & ~after.running)
    hand = np.where(passed, before.hand[i, me], after.hand[i, me])
    damage = np.maximum(before.left[i, 1 - me] - after.left[i, 1 - me], 0)
    return np.stack([ended, ended * hand, damage], axis=1)


def _running(states: Any) -> Array:
    """Return which games are not over, (n,)."""
    return np.asarray((states["result"] == RUNNING) & (states["fault"] == Fault.NONE))


def _health(states: Any) -> Array:
    """Return the health, at least 0, and armour of both heroes, (n, 2)."""
    health = np.maximum(states["char"]["health"][:, HEROES].astype(np.int64), 0)
    return np.asarray(health + states["side"]["armor"])


def _take(states: Any, which: Array) -> Any:
    """Return a copy of some states; numpy would copy them field by field."""
    return states.view(np.ndarray).view(_BYTES)[which].view(STATE).view(np.recarray)


def _add_ends(watched: Array, at: Array, states: Any) -> None:
    """Add how games ended to WATCHED rows, as the engine counts them."""
    left, fault, result = _health(states), states["fault"] != Fault.NONE, states["result"]
    won = [~fault & (result == outcome) for outcome in (WIN_0, WIN_1)]
    watched["faults"][at] = fault
    watched["draws"][at] = ~fault & ~won[0] & ~won[1]
    watched["turns"][at] = np.minimum(states["turn"], states["max_turns"])
    for side, letter in enumerate(SIDES):
        watched[f"wins_{letter}"][at] = won[side]
        watched[f"margin_{letter}"][at] = (left[:, side] - left[:, 1 - side]) * won[side]
