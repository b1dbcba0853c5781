"""`hsevo bench`: measure speed, compile time and memory, with a description of the machine.

Speeds are per second of CPU time of one thread, so other work on the machine disturbs them little;
each is the median of ROUNDS rounds, in which the reference kernel, greedy and random games take
turns. The reference is a fixed piece of integer, branch and memory work: speeds differ by tens of
percent between machines and over time, their ratio to the reference by less. A second one
(dispatch.py) jumps among many pieces of code, as the engine does: where the two ratios part, a
processor predicts branches or fetches code in another way.

Greedy games: EVA with the weights of CIG2018 on both sides, fair, ruleset cig2018, all nine pairs
of the decks warrior, shaman and mage. Games of all cards: the same with decks drawn from all sets,
always the same ones. Random games: the three decks with two random agents.

`hsevo bench --agents` measures given agents instead, each against itself in the same way.

`baseline.json`, a report of `hsevo bench --json`, is the stored baseline: a version that plays
slower does not go unnoticed. `compared` compares the ratios to the reference kernel
(RATIOS): games a second differ by tens of percent between machines and hours, these by less.
"""

from __future__ import annotations

import functools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numba
import numpy as np

from hsevo import __version__
from hsevo.agents.genomes.weights import EVA_2018
from hsevo.agents.shared.agent import RANDOM, agent, eva
from hsevo.benches.dispatch import dispatch
from hsevo.cards import tables
from hsevo.cards.catalogue import classes
from hsevo.cards.decks import SIZE, Deck, read_deck
from hsevo.cards.terms import Class, Rarity
from hsevo.engine.jit import fingerprint
from hsevo.errors import HsevoError
from hsevo.play import match
from hsevo.play.tournament import refuse_faults
from hsevo.seeds import Stream, generator
from hsevo.store.machine import machine
from hsevo.types import Array

LIMIT = 0.05  # five rounds of a busy machine differ by less; a lost optimisation costs more
FILE = Path(__file__).with_name("baseline.json")


def stored() -> Any:
    """Return the stored report."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def compared(figures: Any, baseline: Any) -> dict[str, Any]:
    """Return how figures differ from those of the same names in a baseline.

    {"version", "engine", "cpu": of the baseline, "changes": {name: fraction}}; 0.1 is 10 % faster.
    """
    before = baseline["figures"]
    return {"version": baseline["hsevo"]["version"], "engine": baseline["hsevo"]["engine"],
            "cpu": baseline["machine"]["cpu"],
            "changes": {name: figures[name]["value"] / before[name]["value"] - 1
                        for name in figures if name in before}}


def warning(report: Any) -> str:
    """Return a line about the changes of a report that are beyond LIMIT, "" if none is."""
    baseline, cpu = report["baseline"], report["machine"]["cpu"]
    beyond = [f"{name} {abs(change):.1%} {'higher' if change > 0 else 'lower'}"
              for name, change in baseline["changes"].items() if abs(change) > LIMIT]
    if not beyond:
        return ""
    processor = ("" if cpu == baseline["cpu"] else
                 f", measured on another processor: {baseline['cpu']}")
    return (f"{', '.join(beyond)} than the baseline of version {baseline['version']}"
            f" (engine {baseline['engine']}{processor})")


Figures = dict[str, float]

AGENTS = {"greedy": eva(EVA_2018[None]), "random": agent(RANDOM)}
DECKS = ("warrior", "shaman", "mage")
ROUNDS = 5
BLOCK = 20  # games per deck pair in one call: 180 games, about 20 ms
DRAWN = 10  # decks of each class drawn from all sets: 90, with nine in ten of all cards
BLOCK_ALL_CARDS = 2  # as many games in a call, of 90 pairs
SAMPLE = 200  # games per deck pair for the counts per game: 1,800 games, always the same
REFERENCE_STEPS = 2_000_000  # about 10 ms
DISPATCH_STEPS = 400_000  # likewise

_READY = "from hsevo.play import match; match.warm_up(); print('ready', flush=True)"
_FIRST = ("import time; from hsevo.play import match; from hsevo.benches import games;"
          "games.play(games.AGENTS['greedy'], 1, 0); print(time.process_time(), flush=True);"
          "match.compile_all()")
_PLAY = "from hsevo.benches import games; games.sample(); print(games.peak_memory())"
UNITS = {
    "greedy_games_per_second_per_core": "games/s",
    "all_cards_games_per_second_per_core": "games/s",
    "random_games_per_second_per_core": "games/s",
    "simulated_actions_per_second_per_core": "actions/s",
    "decisions_per_game": "",
    "simulated_actions_per_game": "",
    "turns_per_game": "player turns",
    "reference_millions_per_second": "million steps/s",
    "greedy_games_per_reference": "games a million steps",
    "all_cards_games_per_reference": "games a million steps",
    "random_games_per_reference": "games a million steps",
    "dispatch_millions_per_second": "million steps/s",
    "greedy_games_per_dispatch": "games a million steps",
    "first_game_after_install_cpu_seconds": "s of CPU",
    "cold_compile_cpu_seconds": "s of CPU",
    "warm_start_seconds": "s",
    "peak_memory_mb": "MB",
}
RATIOS = tuple(name for name in UNITS if name.endswith("_per_reference"))
AGENT_FIGURES = ("games_per_second_per_core", "decisions_per_second_per_core",
                 "simulated_actions_per_second_per_core")


def measure(seconds: float = 10.0, say: Callable[[str], object] = lambda line: None) -> Any:
    """Measure everything: speeds for `seconds`, then all that a start takes.

    Returns {"figures": {name: {"value", "min", "max"}}, "baseline": baseline.compared of the
    RATIOS, "machine": {...}, "hsevo": {...}}.
    """
    say("playing ...")
    figures = {name: [value] for name, value in counts(sample()).items()}
    drawn_decks()  # not to be measured
    rounds = [_round(seconds / ROUNDS) for _ in range(ROUNDS)]
    figures |= {name: [speeds[name] for speeds in rounds] for name in rounds[0]}
    say("compiling from scratch and starting three times ...")
    figures |= starts()
    summary = {name: _figure(figures[name]) for name in UNITS}
    changes = compared({name: summary[name] for name in RATIOS}, stored())
    return {"figures": summary, "baseline": changes, **about(seconds)}


def measure_agents(specs: Sequence[str], seconds: float = 10.0) -> Any:
    """Measure agents of the roster, each against itself, for `seconds` in all.

    Agents take turns in every round; in its turn an agent plays at least one game of each deck
    pair, however long that takes. Returns {"agents": {spec: {figure: {"value", "min", "max"}}},
    "machine": {...}, "hsevo": {...}}. Raises AgentError.
    """
    from hsevo.strength.roster import (
        read_agents,  # not at the top: it would count as memory of playing
    )

    names, players = read_agents(specs)
    each = seconds / ROUNDS / len(names)
    play(AGENTS["random"], 1, seed=0)  # else the first agent's time would include reading cards
    blocks = [(player, _block(player)) for player in players[:, None]]
    rounds = [[_speeds(player, each, block) for player, block in blocks] for _ in range(ROUNDS)]
    return {"agents": {name: {figure: _figure([speeds[i][k] for speeds in rounds])
                              for k, figure in enumerate(AGENT_FIGURES)}
                       for i, name in enumerate(names)}, **about(seconds)}


def _block(agent: Array) -> int:
    """Return how many games per deck pair to play in a call: about 20 ms, from 1 to BLOCK."""
    began = time.thread_time()
    play(agent, 1, seed=0)
    return max(1, min(int(0.02 / (time.thread_time() - began)), BLOCK))


def _figure(values: list[float]) -> Figures:
    return {"value": median(values), "min": min(values), "max": max(values)}


def about(seconds: float) -> dict[str, Any]:
    """Return what every measurement says of the machine and of hsevo."""
    return {"machine": machine(), "hsevo": {"version": __version__, "engine": fingerprint(),
                                            "rounds": ROUNDS, "seconds": seconds}}


def play(agent: Array, games: int, seed: int) -> Array:
    """Play an agent, AGENT (1,), against itself, `games` per deck pair; match.RESULT (9,)."""
    decks = _three_decks()
    first, second = (deck.ravel() for deck in np.indices((len(decks),) * 2))
    return _play(agent, decks, first, second, games, seed)


def play_all_cards(agent: Array, games: int, seed: int) -> Array:
    """Play an agent, AGENT (1,), against itself with the drawn decks, each once on either side.

    The seed decides the pairings; `games` of each pair; match.RESULT (90,).
    """
    decks = drawn_decks()
    numbers = range(len(decks))
    second = np.array(generator((seed, Stream.BENCH)).sample(numbers, len(numbers)))
    return _play(agent, decks, np.arange(len(decks)), second, games, seed)


def _play(agent: Array, decks: tuple[Deck, ...], first: Array, second: Array, games: int,
          seed: int) -> Array:
    seeds = seed + np.arange(len(first), dtype=np.uint64) * np.uint64(1_000_000)
    rows = match.pairings(0, 0, first, second, seeds, games)
    results = match.play_block(rows, agent, match.Setting("cig2018", decks, "fair", 89))
    refuse_faults(results, rows["seed"])
    return results


@functools.cache
def _three_decks() -> tuple[Deck, ...]:  # read at each call, they cost 6 % of the time
    return tuple(read_deck(name) for name in DECKS)


@functools.cache
def drawn_decks() -> tuple[Deck, ...]:
    """Return DRAWN decks of each class, of any cards that it may use; always the same.

    Half of a deck are class cards, as in decks that people play: drawn from all equally, nine in
    ten would be neutral.
    """
    random = generator((0, Stream.BENCH))
    return tuple(_drawn(random, cls, i) for cls in Class if cls for i in range(DRAWN))


def _drawn(random: Random, cls: Class, number: int) -> Deck:
    ids: list[str] = []
    for group in (cls, Class.NEUTRAL):
        copies = [id for id, card in tables.cards().items()
                  if card.collectible and group in classes(card)
                  for _ in range(1 + (card.rarity is not Rarity.LEGENDARY))]
        ids += random.sample(copies, SIZE // 2)
    return Deck.of(f"{cls.name.lower()}-{number}", cls.name, tuple(ids))


def sample() -> Array:
    """Play the greedy games for the counts per game."""
    return play(AGENTS["greedy"], SAMPLE, seed=0)


def counts(results: Array) -> Figures:
    """Return decisions, simulated actions and turns per game from greedy results."""
    games = len(results) * SAMPLE
    return {"decisions_per_game": results["decisions"].sum() / games,
            "simulated_actions_per_game": results["simulated"].sum() / games,
            "turns_per_game": results["turns"].sum() / games}


def _round(seconds: float) -> Figures:
    """Measure the speeds once, for `seconds`: games of three kinds, the reference between them."""
    share = 0.07 * seconds
    first = _steps_per_second(reference, share, REFERENCE_STEPS)
    jumps = _steps_per_second(dispatch, 0.04 * seconds, DISPATCH_STEPS)
    greedy, _, simulated = _speeds(AGENTS["greedy"], 0.35 * seconds)
    jumps = (jumps + _steps_per_second(dispatch, 0.04 * seconds, DISPATCH_STEPS)) / 2
    second = _steps_per_second(reference, share, REFERENCE_STEPS)
    drawn = _speeds(AGENTS["greedy"], 0.2 * seconds, BLOCK_ALL_CARDS, play_all_cards)[0]
    random = _speeds(AGENTS["random"], 0.16 * seconds)[0]
    third = _steps_per_second(reference, share, REFERENCE_STEPS)
    before, after = (first + second) / 2, (second + third) / 2
    return {
        "greedy_games_per_second_per_core": greedy,
        "simulated_actions_per_second_per_core": simulated,
        "all_cards_games_per_second_per_core": drawn,
        "random_games_per_second_per_core": random,
        "reference_millions_per_second": before,
        "greedy_games_per_reference": greedy / before,
        "all_cards_games_per_reference": drawn / after,
        "random_games_per_reference": random / after,
        "dispatch_millions_per_second": jumps,
        "greedy_games_per_dispatch": greedy / jumps,
    }


def _speeds(agent: Array, seconds: float, block: int = BLOCK,
            played: Callable[[Array, int, int], Array] = play) -> tuple[float, float, float]:
    """Play blocks for `seconds`; return games, decisions, simulated actions per CPU second."""
    totals, began = np.zeros(3), time.thread_time()
    while (spent := time.thread_time() - began) < seconds or not totals[0]:
        results = played(agent, block, 1 + int(totals[0]))
        totals += (len(results) * block, results["decisions"].sum(), results["simulated"].sum())
    games, decisions, simulated = (totals / spent).tolist()
    return games, decisions, simulated


def _steps_per_second(kernel: Callable[[int], int], seconds: float, block: int) -> float:
    """Run a reference kernel for `seconds`; return millions of its steps per CPU second."""
    kernel(0)  # compile it first
    steps, began = 0, time.thread_time()
    while (spent := time.thread_time() - began) < seconds or not steps:
        kernel(block)
        steps += block
    return steps / spent / 1e6


# not part of the engine; compiled in 0.3 s, on its first call
@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def reference(steps: int) -> int:
    """Do a fixed amount of work: random branches and random access to 16 KB of memory.

    It must never change: it makes figures of different years comparable.
    """
    memory = np.zeros(4096, np.int32)
    state, total = np.uint64(88172645463325252), np.int64(0)
    for _ in range(steps):  # xorshift64 (Marsaglia 2003)
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        place = np.int64(state & np.uint64(4095))
        if memory[place] > 3:
            memory[place] -= 3
        elif state & np.uint64(4096):
            memory[place] += 2
        else:
            total += memory[4095 - place]
            memory[place] += 1
    return int(total)


def starts() -> dict[str, list[float]]:
    """Measure the first games with an empty cache, compiling all, three starts, and memory."""
    with tempfile.TemporaryDirectory(prefix="hsevo-bench-") as cache:
        _, cpu, first = _child(_FIRST, cache)
        ready = [_child(_READY, cache)[0] for _ in range(3)]
        memory = float(_child(_PLAY, cache)[2])
    return {"first_game_after_install_cpu_seconds": [float(first)],
            "cold_compile_cpu_seconds": [cpu], "warm_start_seconds": ready,
            "peak_memory_mb": [memory]}


def peak_memory() -> float:
    """Return the peak memory of this process, in MB."""
    try:  # not ru_maxrss: a child inherits its parent's value
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1e3
    except (OSError, StopIteration):
        unit = 1e6 if sys.platform == "darwin" else 1e3  # bytes there, kilobytes elsewhere
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _child(code: str, cache: str) -> tuple[float, float, str]:
    """Run Python; return seconds to its first line (or its end), CPU seconds, and that line."""
    package = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    began = time.monotonic()
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                          env={**os.environ, "HSEVO_CACHE": cache, "PYTHONPATH": path}) as child:
        assert child.stdout is not None
        try:
            line = child.stdout.readline().decode()
            ready = time.monotonic() - began
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            raise
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise HsevoError("a Python process for a measurement failed with exit code"
                         f" {child.returncode}; see its messages above")
    return ready, usage.ru_utime + usage.ru_stime, line
