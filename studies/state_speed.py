"""Compare the speed of states for search: hsevo, OpenSpiel, RLCard, PettingZoo and pgx.

    pip install open_spiel pettingzoo rlcard pgx        what is missing is left out
    python -m studies.state_speed [SECONDS]

All moves are random. Three numbers by CPU time, each the median and the range of five measurements
of SECONDS (1):

    steps      one game in Python: legal actions and a move
    samples    copy a state in the middle of a game, sample what the player does not know, and move
    playouts   random games to the end, the fastest way that the library has
"""

import random
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib import import_module
from statistics import median
from time import process_time
from typing import Any

REPEATS = 5
Work = Callable[[], int]  # does some work, and returns how many units it was
Part = tuple[str, str, dict[str, Work]]  # library and game, the way of playouts, works


def hsevo_game() -> Part:
    import hsevo

    rng, seeds = random.Random(1), iter(range(10**9))

    def steps() -> int:
        game, n = hsevo.Game("mage", "warrior", seed=next(seeds), all_places=False), 0
        while not game.is_over:
            game.apply(rng.choice(game.legal_actions()))
            n += 1
        return n

    middle = hsevo.Game("mage", "warrior", seed=3, all_places=False)
    while middle.turn < 10:
        middle.apply(rng.choice(middle.legal_actions()))

    def samples() -> int:
        for world in middle.worlds(middle.player, 100, next(seeds)):
            world.apply(rng.choice(world.legal_actions()))
        return 100

    def playouts() -> int:
        first = 1000 * next(seeds)
        games = hsevo.Games("mage", "warrior", range(first, first + 1000))
        games.worlds(seed=next(seeds)).play_out(next(seeds))
        return len(games)

    return "hsevo, Hearthstone", "in a batch, compiled, of sampled states", {
        "steps": steps, "samples": samples, "playouts": playouts}


def spiel_game(name: str, title: str, samples_hidden: bool) -> Part:
    pyspiel = import_module("pyspiel")
    game, rng = pyspiel.load_game(name), random.Random(1)

    def move(state: Any) -> None:
        state.apply_action(rng.choice(state.legal_actions()))

    def steps() -> int:
        state, n = game.new_initial_state(), 0
        while not state.is_terminal():
            move(state)
            n += 1
        return n

    middle = game.new_initial_state()
    while middle.is_chance_node() or (name == "gin_rummy" and len(middle.history()) < 60):
        move(middle)
        if middle.is_terminal():
            middle = game.new_initial_state()

    def samples() -> int:
        state = (middle.resample_from_infostate(middle.current_player(), rng.random)
                 if samples_hidden else middle.clone())
        move(state)
        return 1

    def playouts() -> int:
        steps()
        return 1

    return f"OpenSpiel, {title}", "one by one, in Python", {
        "steps": steps, "samples" if samples_hidden else "copies": samples, "playouts": playouts}


def rlcard_game(name: str, title: str) -> Part:
    rlcard = import_module("rlcard")
    env, rng = rlcard.make(name, config={"seed": 1, "allow_step_back": False}), random.Random(1)

    def play() -> int:
        state, _ = env.reset()
        n = 0
        while not env.is_over():
            state, _ = env.step(rng.choice([*state["legal_actions"]]))
            n += 1
        return n

    def playouts() -> int:
        play()
        return 1

    middle = rlcard.make(name, config={"seed": 1})
    state, _ = middle.reset()

    def copies() -> int:
        deepcopy(middle.game).step(middle._decode_action(rng.choice([*state["legal_actions"]])))
        return 1

    return f"RLCard, {title}", "one by one, in Python", {
        "steps": play, "copies": copies, "playouts": playouts}


def zoo_game(name: str, title: str) -> Part:
    import numpy as np

    env = import_module(f"pettingzoo.classic.{name}").env()
    rng, seeds = random.Random(1), iter(range(10**9))

    def play() -> int:
        env.reset(seed=next(seeds))
        n = 0
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            over = ended or cut
            env.step(None if over else rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            n += not over
        return n

    def playouts() -> int:
        play()
        return 1

    return f"PettingZoo, {title}", "one by one, in Python", {"steps": play, "playouts": playouts}


def pgx_game(name: str, title: str, batch: int = 4096, moves: int = 100) -> Part:
    jax, pgx = import_module("jax"), import_module("pgx")
    env = pgx.make(name)
    init, step = jax.jit(env.init), jax.jit(env.step)
    keys = iter(range(10**9))

    def steps() -> int:
        state, n, rng = init(jax.random.PRNGKey(next(keys))), 0, random.Random(1)
        while not bool(state.terminated):
            legal = state.legal_action_mask.nonzero()[0].tolist()
            state = step(state, rng.choice(legal))
            n += 1
        return n

    @jax.jit
    def play(key: Any) -> Any:
        def one(state: Any, key: Any) -> Any:
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            return jax.vmap(env.step)(state, jax.random.categorical(key, logits)), None

        first, then = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(first, batch))
        return jax.lax.scan(one, state, jax.random.split(then, moves))[0].terminated.sum()

    def playouts() -> int:
        return int(play(jax.random.PRNGKey(next(keys))))

    return f"pgx, {title}", "in a batch, compiled", {"steps": steps, "playouts": playouts}


def parts() -> Iterator[Callable[[], Part]]:
    """Yield what makes each library's game."""
    yield hsevo_game
    yield lambda: spiel_game("gin_rummy", "gin rummy", False)
    yield lambda: spiel_game("leduc_poker", "Leduc poker", True)
    yield lambda: rlcard_game("gin-rummy", "gin rummy")
    yield lambda: rlcard_game("leduc-holdem", "Leduc poker")
    yield lambda: zoo_game("texas_holdem_v4", "limit Texas hold'em")
    yield lambda: zoo_game("leduc_holdem_v4", "Leduc poker")
    yield lambda: pgx_game("leduc_holdem", "Leduc poker", moves=10)


def speeds(work: Work, seconds: float) -> list[float]:
    """Return units a CPU second of all measurements, after one that is not counted."""
    work()
    found = []
    for _ in range(REPEATS):
        units, before = 0, process_time()
        while (spent := process_time() - before) < seconds:
            units += work()
        found.append(units / spent)
    return found


def cell(found: list[float] | None, note: str = "") -> str:
    """Return median and range for a table."""
    if found is None:
        return "no"
    return f"{median(found):,.0f} ({min(found):,.0f} to {max(found):,.0f}){note}"


def main(seconds: float) -> None:
    """Print the table."""
    print("| library, game | steps | samples | playouts |\n|---|---|---|---|")
    for make in parts():
        try:
            name, way, works = make()
            found = {unit: speeds(work, seconds) for unit, work in works.items()}
        except ImportError as missing:
            print(f"left out: {missing}", file=sys.stderr)
            continue
        copies = cell(found.get("samples"))
        if "copies" in found:
            copies = cell(found["copies"], ", copies only")
        print(f"| {name} | {cell(found['steps'])} | {copies} | {cell(found['playouts'])}, {way} |",
              flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
