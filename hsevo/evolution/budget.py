"""How many generations fit into a time: play samples of a config's games, and extrapolate.

    measure(plan, ...) --> Costs --fitting(plan, costs, seconds)--> generations

The samples are of the first generation's games and of the measurement of its best, by the config's
own workers. Racing saves games, so such a run may end earlier.
"""

import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hsevo.agents.genomes.decks import joined
from hsevo.cards.decks import Deck
from hsevo.config import Config, change, short
from hsevo.errors import ConfigError
from hsevo.evolution.clock import Clock
from hsevo.evolution.fitness import field_size, games_of_an_opponent, most_games
from hsevo.evolution.progress import duration
from hsevo.evolution.references import References
from hsevo.evolution.references import games as reference_games
from hsevo.play import tournament
from hsevo.play.workers import Executor, open_workers
from hsevo.runs.folder import Run
from hsevo.runs.opponents import Opponents

Array: TypeAlias = npt.NDArray[Any]
Sample: TypeAlias = Callable[[int], int]  # plays about so many games, and returns how many

SECONDS = 2.0  # of games of each kind, at least
GENERATIONS = 4  # with made-up results, to time what is between games; the first one warms up
MOST = 1_000_000  # generations to plan
LONGEST = 60 * 24 * 366  # minutes to plan for


@dataclass(frozen=True)
class Costs:
    """What a run costs with its workers, in seconds."""

    serial: float  # of a generation: selection, breeding, pairing, counting
    commit: float  # of a generation, beside the games of the next one
    game: float  # among individuals
    fixed: float  # against a fixed opponent
    reference: float  # against a reference opponent

    def generation(self, plan: Config, number: int) -> float:
        """Return how long a generation takes at most, without its measurement."""
        opponents = len(plan.rating.opponents.agents) if plan.rating.opponents else 0
        fixed = field_size(plan, number) * opponents * games_of_an_opponent(plan)
        games = (most_games(plan, number) - fixed) * self.game + fixed * self.fixed
        return self.serial + max(games, self.commit)

    def measurement(self, plan: Config) -> float:
        """Return how long the measurement of a generation's best takes."""
        return reference_games(plan, 0) * self.reference


def check_minutes(minutes: float | None, changed: Iterable[str] = (),
                  plans: str = "evolution.generations") -> None:
    """Raise ConfigError for no number of minutes, or if the key that they plan is changed, too."""
    if minutes is None:
        return
    if isinstance(minutes, bool) or not isinstance(minutes, int | float) or not (
            0 < minutes <= LONGEST):
        raise ConfigError(f"minutes is {short(minutes)}, but must be a number above 0,"
                          f" and at most {LONGEST:,}")
    if {plans, plans.partition(".")[0]} & {*changed}:
        raise ConfigError(f"minutes and {plans} can't be combined: minutes plan the"
                          f" {plans.rpartition('.')[2]}; leave one out")


def measure(plan: Config, decks: Sequence[Deck], references: Mapping[str, Array],
            opponents: Opponents) -> Costs:
    """Measure what a run of this config costs on this machine.

    It takes SECONDS for each kind of game, or longer if few games do. Raises GameError,
    WorkersError, RunError.
    """
    probe = change(plan, {"evolution.generations": GENERATIONS, "executions": 1})
    with tempfile.TemporaryDirectory() as folder, open_workers(plan.workers) as executor:
        run = Run.create(Path(folder) / "run", probe, decks, references, opponents)
        try:
            return _costs(run, executor)
        finally:
            run.close()


def _costs(run: Run, executor: Executor) -> Costs:
    clock = Clock(run)
    clock.time()
    assert clock.first is not None
    rows, players = clock.first
    fixed = (players["id"][rows["a"]] < 0) | (players["id"][rows["b"]] < 0)
    least = tournament.LEAST_GAMES * executor.workers
    among, against = (
        pace(_rating(run, executor, some, players), least, int(some["games"].sum()))
        for some in (rows[~fixed], rows[fixed]))
    measured = pace(_measuring(run, executor, clock), least, reference_games(run.config, 0))
    return Costs(clock.serial, clock.commit, among or against, against, measured)


def pace(play: Sample, least: int, most: int) -> float:
    """Return how long a game takes, by `least` games first and up to `most` at once, in seconds.

    0 if there are none. The first games are not counted: with them, workers load the engine.
    """
    games, played, seconds = min(least, most), 0, 0.0
    if not games:
        return 0.0
    play(games)
    while seconds < SECONDS:
        began = time.perf_counter()
        played += play(games)
        seconds += time.perf_counter() - began
        games = min(4 * games, most)
    return seconds / played


def fitting(plan: Config, costs: Costs, seconds: float) -> int:
    """Return how many generations fit into so many seconds, with all executions; perhaps 0."""
    number, each, limit = 0, costs.measurement(plan), seconds / plan.executions
    every = plan.references.every if plan.references else 1
    while number < MOST:
        regular = costs.generation(plan, number) + (0 if number % every else each)
        if regular + (each if number % every else 0) > limit:  # the last one is measured anyway
            break
        number, limit = number + 1, limit - regular
    return number


def planned(plan: Config, costs: Costs, minutes: float) -> tuple[Config, str]:
    """Return the config with as many generations as fit, and what was planned, in words.

    Raises ConfigError if not one fits.
    """
    number = fitting(plan, costs, 60 * minutes)
    if not number:
        least = plan.executions * (costs.generation(plan, 0) + costs.measurement(plan))
        many = f" of each of {plan.executions} executions" if plan.executions > 1 else ""
        raise ConfigError(f"minutes is {minutes:g}, but one generation{many} takes about"
                          f" {duration(max(least, 1))} here; give more")
    return change(plan, {"evolution.generations": number}), (
        f"{number:,} generation{'s' * (number > 1)} fit{'s' * (number == 1)} into {minutes:g}"
        f" minute{'s' * (minutes != 1)}; the same run: --set evolution.generations={number}")


def _rating(run: Run, executor: Executor, rows: Array, players: Array) -> Sample:
    """Return what plays some of a generation's games, evenly spread over its matches."""
    evolved = players[players["id"] >= 0]
    agents = joined([run.genome.build(evolved["weights"]), run.opponents.agents], len(run.decks))

    def play(games: int) -> int:
        some = rows[np.linspace(0, len(rows), min(games, len(rows)), endpoint=False).astype(int)]
        some["games"] = np.minimum(some["games"], -(-games // len(some)))
        tournament.play(executor, some, agents, run.setting)
        return int(some["games"].sum())

    return play


def _measuring(run: Run, executor: Executor, clock: Clock) -> Sample:
    """Return what plays some of the games that measure the best of a generation."""
    opponents = run.reference_agents

    def play(games: int) -> int:
        run.plan = change(run.config, {"references.games": -(-games // len(opponents))})
        table = References(run, opponents).measure(clock.generation, executor)
        return int(table["games"].sum())

    return play
