"""`hsevo bench --kernel`: what the parts of a simulated action cost, in nanoseconds.

Each part is done in the same few thousand positions of greedy games, again and again; what it has
in common with a smaller part is subtracted. In a game the parts alternate, so that branches are
predicted worse and less code is in the cache: a whole decision costs more than the sum.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Any

import numpy as np

from hsevo.agents.eva.parts import Part
from hsevo.benches.games import AGENTS, DECKS, about
from hsevo.cards.decks import read_deck
from hsevo.engine.record.state import RUNNING, STATE
from hsevo.play import match
from hsevo.play.entry import Command, call
from hsevo.play.games import GameBatch

GAMES = 5  # a deck pair: 45 games
PARTS = ("list the moves", "copy the game", "rules: attacks", "rules: hero powers",
         "rules: cards", "score", "scores in closed form", "whole decision")


def measure(seconds: float = 10.0) -> Any:
    """Measure the parts for `seconds`.

    Returns {"kernel": {part: {"actions", "ns"}}, "machine": {...}, "hsevo": {...}}: ns an action,
    the median of the rounds; actions: how many there were in the positions.
    """
    here, setting = positions(), match.Setting("cig2018", (), "fair", 89)
    context = match.context(AGENTS["greedy"], setting, match.new_scratch())
    rounds: list[list[tuple[float, int]]] = []
    _once(context, here, Part.NOTHING)  # the first call loads or compiles what it calls
    began = time.thread_time()
    while time.thread_time() - began < seconds or not rounds:
        rounds.append([_once(context, here, part) for part in Part])
    spent = [median(timing[part][0] for timing in rounds) for part in Part]
    done = [rounds[0][part][1] for part in Part]
    return {"kernel": _parts(spent, done), **about(seconds)}


def positions() -> Any:
    """Return the positions of greedy games where a player may act, STATE (n,)."""
    deck, opponent = np.indices((3, 3)).reshape(2, -1).repeat(GAMES, axis=1)
    decks = [read_deck(name) for name in DECKS]
    games = GameBatch.new([decks[i] for i in deck], [decks[i] for i in opponent], range(len(deck)))
    blocks = []
    while (running := games.states["result"] == RUNNING).any():
        blocks.append(games.states[running & (games.states["pending"] == 0)].copy())
        games.ask(AGENTS["greedy"])
    here = np.zeros(sum(map(len, blocks)), STATE)  # np.concatenate would change the layout
    here[:] = [state for part in blocks for state in part]
    return here.view(np.recarray)


def _once(context: Any, here: Any, part: Part) -> tuple[float, int]:
    """Run a part in all positions; return the seconds that it took, and its number of actions."""
    job, began = np.array([part, 0]), time.thread_time()
    call(Command.PART_ALL, context, states=here, part=job)
    return time.thread_time() - began, int(job[1])


def _parts(spent: list[float], done: list[int]) -> dict[str, dict[str, float]]:
    """Return the parts of a decision from the seconds and actions of each `Part`."""
    copy = (spent[Part.COPY] - spent[Part.LIST]) / done[Part.COPY]
    rules = [(spent[part] - spent[Part.LIST]) / done[part] - copy
             for part in (Part.ATTACKS, Part.POWERS, Part.CARDS)]
    each = [(spent[Part.LIST] - spent[Part.NOTHING]) / done[Part.LIST], copy, *rules,
            (spent[Part.SCORES] - spent[Part.ALL]) / done[Part.SCORES],
            (spent[Part.FORECAST] - spent[Part.LIST]) / done[Part.FORECAST],
            (spent[Part.DECIDE] - spent[Part.NOTHING]) / done[Part.DECIDE]]
    counted = (Part.LIST, Part.COPY, Part.ATTACKS, Part.POWERS, Part.CARDS, Part.SCORES,
               Part.FORECAST, Part.DECIDE)
    return {name: {"actions": done[part], "ns": 1e9 * seconds}
            for name, part, seconds in zip(PARTS, counted, each, strict=True)}
