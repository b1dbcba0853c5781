"""Find the best agent of a run: play its last population again, with more games.

The best of one generation is uncertain: with 3,420 games a win rate has a standard error of almost
one percentage point. The individuals of a late generation differ by about as much, so the first is
often first by chance. Therefore all survivors play again, with new seeds, against each other and
the run's fixed opponents, as far as they do in the run.

RUN/champion.json: the best agent of a run, after its last population played again.

    Run.champion() --write()--> champion.json --read()--> Run.champion(), reports, hsevo watch

export-best, examine and benchmark all ask Run.champion, so all of them name the same agent. The
file holds the result with the most games. It is of one last population: once the run has gone on,
it is out of date, and `read` returns None.

The best of each execution of some runs, in new games against the same opponents.

    runs --lineup()--> Lineup --rates()--> a line for each best and opponent

The best is that of the last generation's fitness; of a map, the one that was chosen by new games.
These games chose none of them, so the rates have no selection bias. All play the same deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd

from hsevo import __version__
from hsevo.agents.genomes.decks import joined
from hsevo.agents.genomes.genome import Genome
from hsevo.config import MATCH_BYTES, refuse_memory, whole
from hsevo.engine.jit import fingerprint
from hsevo.errors import ConfigError, RunError, resuming
from hsevo.files import read_json, undamaged, write_whole
from hsevo.play import tournament
from hsevo.play.workers import Executor, OnGames
from hsevo.runs.folder import Run
from hsevo.runs.tables import individuals
from hsevo.seeds import Stream
from hsevo.store import sums
from hsevo.strength import rating as weighted
from hsevo.strength.arena import ContestPlan, Lineup
from hsevo.strength.contest import Arena
from hsevo.strength.roster import read_agents, refuse_twice
from hsevo.types import Array

GAMES = 200  # per deck pair: 16,200 games for each of ten agents, a standard error of 0.4 points
SEPARABLE = 1.96  # standard errors between two rates that differ at the 5 % level


@dataclass(frozen=True)
class Best:
    """The best agent, its results, and how clearly it leads."""

    name: str
    weights: Array  # (k,), of `genome`
    genome: Genome
    table: pd.DataFrame  # of the whole population, best first, as tournament.agents_table
    z: float  # standard errors between its win rate and the runner-up's; inf without one
    against: str  # whom it met, in words
    favourites: tuple[str, ...]  # the best of each execution by the fitness of its last generation
    run_rate: float  # their mean rate there, 0 to 1
    run_against: str  # whom they met there

    @property
    def fresh_rate(self) -> float:
        """The mean rate of the favourites in the new games, 0 to 1."""
        return float(self.table.set_index("agent")["rate"][list(self.favourites)].mean())

    @property
    def optimism(self) -> float | None:
        """By how much the run rates its favourites too high, -1 to 1; None if opponents differ."""
        same = self.against == self.run_against
        return self.run_rate - self.fresh_rate if same else None

    @property
    def separable(self) -> bool:
        """Whether the lead over the runner-up is significant at the 5 % level."""
        return self.z >= SEPARABLE


def find_best(run: Run, executor: Executor, games: int = GAMES,
              on_games: OnGames = lambda games: None) -> Best:
    """Play the last populations of all executions again, `games` per deck pair.

    Raises RunError if the run has no generation yet, ConfigError, GameError, WorkersError.
    """
    pool_size(run, games)
    names, rows = last_population(run)
    d, fixed = len(run.decks), run.opponents.agents
    players = joined([run.genome.build(np.ascontiguousarray(rows["weights"])), fixed], d)
    pairings = _pairings(run, len(names), games)
    results = tournament.play(executor, pairings, players, run.setting, on_games)
    table, z = _ranked(run, names, pairings, results)
    i = names.index(str(table["agent"][0]))
    best = run.genome.complete(rows["weights"][i:i + 1])[0]
    return Best(names[i], best, run.genome.whole or run.genome, table, z,
                *_in_the_run(run, names, rows))


def _pairings(run: Run, n: int, games: int) -> Array:
    """Return the matches of n survivors, match.PAIRING; fixed opponents are rows n, n + 1 ..."""
    plan, own = run.config, range(len(run.own_decks))
    key, ids = (plan.seed, 0, Stream.CHAMPIONS), [*range(n), *_fixed_ids(run)]
    pairs = [pair for pair in combinations(range(n), 2) if plan.rating.coevolves]
    fixed = list(product(range(n), range(n, len(ids))))
    return np.concatenate([
        tournament.meet(np.array(pairs, np.int64).reshape(-1, 2), ids, own, games, key),
        tournament.meet(np.array(fixed, np.int64).reshape(-1, 2), ids, own, games, key,
                        plan.opponent_decks)])


def _fixed_ids(run: Run) -> range:
    return range(-1, -1 - len(run.opponents.names), -1)


def _ranked(run: Run, names: list[str], pairings: Array,
            results: Array) -> tuple[pd.DataFrame, float]:
    """Return the table of the survivors, best first, and how clearly the first leads.

    With shares, rates are weighted as the fitness is, and intervals of as many effective games.
    """
    shares, n = run.config.rating.shares, len(names)
    players = n + len(run.opponents.names)
    scores = tournament.tally(pairings, results, players)[:n]
    with np.errstate(invalid="ignore"):  # a population of one has no games, so no rate
        table = tournament.agents_table(names, scores)
    if shares is None:
        return table, _distance(table["rate"], sum(scores[0].tolist()))
    wins, games = (sums[:n] for sums in weighted.tallies(pairings, results, players))
    weights = weighted.by_shares(shares, games, run.opponents.weights)
    rate, count = weighted.mean_rate(wins, games, weights), weighted.effective_games(games, weights)
    low, high = weighted.interval(rate, count)
    ends = pd.DataFrame({"agent": names, "rate": rate, "low": low, "high": high})
    table = table.drop(columns=["rate", "low", "high"]).merge(ends, on="agent").sort_values(
        "rate", ascending=False, kind="stable", ignore_index=True)
    return table, _distance(table["rate"], count.min())


def _in_the_run(run: Run, names: list[str],
                rows: Array) -> tuple[str, tuple[str, ...], float, str]:
    """Return whom the best met, the run's favourites, their rate there, and whom they met there."""
    rating, fixed, n = run.config.rating, ", ".join(run.opponents.names), len(names)
    now = [f"the {n - 1} others"] * (rating.coevolves and n > 1) + [fixed] * bool(fixed)
    then = ["its generation"] * rating.coevolves
    then += ["earlier champions"] * bool(rating.hall_of_fame) + [fixed] * bool(fixed)
    by = " by their shares" if rating.shares and len(then) > 1 else ""
    first: dict[str, int] = {}  # of each execution, whose individuals come best first
    for i, name in enumerate(names):
        first.setdefault(name.rpartition("individual-")[0], i)
    best = [*first.values()]
    games = (rows["wins"] + rows["draws"] + rows["losses"])[best]
    rates = rows["fitness"][best] / 100 if rating.shares else (
        rows["wins"][best] / np.maximum(games, 1))
    return ((" and ".join(now) or "nobody") + by, tuple(names[i] for i in best),
            float(rates.mean()), " and ".join(then) + by)


def pool_size(run: Run, games: int) -> int:
    """Return how many games `find_best` will play. Raises ConfigError, RunError."""
    games = whole("games", games)
    n, own = len(last_population(run)[0]), len(run.own_decks)
    matches = n * (n - 1) // 2 * own**2 * run.config.rating.coevolves
    theirs = len(run.config.opponent_decks or run.own_decks)
    matches += n * len(run.opponents.names) * own * theirs
    refuse_memory(matches, "matches of the last population", MATCH_BYTES, "to rate a part of it,"
                  " use hsevo match or hsevo arena")
    return matches * games


def last_population(run: Run) -> tuple[list[str], Array]:
    """Return names (see `name_of`) and INDIVIDUAL rows (n,) of the last survivors, best first.

    They are the survivors of all executions, execution by execution.
    """
    last = dict(run.committed())  # execution -> its last generation
    if not last:
        raise RunError(f"{run.path} has no generation yet; continue with:"
                       f" {resuming('evolve', run.path)}")
    population = run.population()
    names, survivors = [], []
    for execution, number in last.items():
        field = individuals(population, execution, number)
        stay = field[field["survived"]]
        survivors.append(stay[np.argsort(-stay["fitness"], kind="stable")])
        names += [name_of(run, execution, int(row["id"])) for row in survivors[-1]]
    return names, np.concatenate(survivors)


def all_individuals(run: Run) -> tuple[list[str], Array]:
    """Return the names of all individuals of a run, and their weights (n, k)."""
    people = run.population().drop_duplicates(["execution", "individual"])
    names = [name_of(run, int(execution), int(individual)) for execution, individual in
             zip(people["execution"], people["individual"], strict=True)]
    return names, people[list(run.genome.names)].to_numpy(np.float64)


def name_of(run: Run, execution: int, individual: int) -> str:
    """Return the name of an individual: individual-7; with executions, execution-2-individual-7."""
    prefix = f"execution-{execution}-" if run.config.executions > 1 else ""
    return f"{prefix}individual-{individual}"


def spec_of(run: Run, name: str) -> str:
    """Return the spec of an individual by its name: eva:runs/mine#individual-7."""
    return f"{run.kind}:{run.path}#{name}"


def _distance(rates: pd.Series, games: float) -> float:
    """Return the distance of the first two win rates in standard errors, each of so many games.

    This is the usual test of two proportions with the pooled rate. It is slightly too confident
    because of the few games that the two played against each other.
    """
    if len(rates) < 2:
        return float("inf")
    first, second = float(rates.iloc[0]), float(rates.iloc[1])
    pooled = (first + second) / 2
    error = sqrt(2 * pooled * (1 - pooled) / games)
    return (first - second) / error if error else 0.0


FILE = "champion.json"
KIND, FORMAT = "hsevo champion", 1
COLUMNS = ["agent", "wins", "draws", "losses", "rate", "low", "high"]


@dataclass(frozen=True)
class Measured:
    """A stored champion: the result, games per pair of decks, and the engine that played them."""

    best: Best
    games: int
    engine: str

    @property
    def total(self) -> int:
        """How many games the champion played."""
        row = self.best.table.iloc[0]
        return int(row["wins"] + row["draws"] + row["losses"])

    def covers(self, games: int) -> bool:
        """Return whether these are at least so many games per pair, by the engine of today."""
        return self.games >= games and self.engine == fingerprint()


def write(run: Run, best: Best, games: int) -> None:
    """Store the champion of a run; games: per pair of decks. Raises WriteError."""
    tree = {"kind": KIND, "format": FORMAT, "version": __version__, "engine": fingerprint(),
            "of": _state(run), "games": games, "z": best.z, "against": best.against,
            "favourites": list(best.favourites), "run_rate": best.run_rate,
            "run_against": best.run_against,
            "table": best.table[COLUMNS].to_dict("list")}
    write_whole(run.path / FILE, sums.sign(tree, FILE, {}, indent=1))


def read(run: Run) -> Measured | None:
    """Return the champion of the last population of a run; None if it was not measured.

    Raises RunError if the file is damaged.
    """
    path = run.path / FILE
    if not path.exists():
        return None
    hint = f"; remove it, and measure again with: hsevo export-best {run.path}"
    with undamaged(path, hint=hint):
        tree = read_json(path, hint=hint)
        sums.check(tree, FILE)
        if (tree["kind"], tree["format"]) != (KIND, FORMAT) or tree["of"] != _state(run):
            return None
        return _parsed(run, tree)


def _parsed(run: Run, tree: Mapping[str, Any]) -> Measured:
    """Return what a file of the last population says. Raises ValueError."""
    names, rows = last_population(run)
    table = pd.DataFrame(tree["table"])[COLUMNS]
    numbers = table[COLUMNS[1:]].astype(float)
    if sorted(table["agent"]) != sorted(names) or not {*tree["favourites"]} <= {*names}:
        raise ValueError("its agents are not those of the last population")
    if (numbers < 0).any(axis=None) or (numbers[["rate", "low", "high"]] > 1).any(axis=None):
        raise ValueError("it has a number that can't be")
    i = names.index(table["agent"][0])
    best = Best(names[i], run.genome.complete(rows["weights"][i:i + 1])[0],
                run.genome.whole or run.genome, table, float(tree["z"]), str(tree["against"]),
                tuple(tree["favourites"]), float(tree["run_rate"]), str(tree["run_against"]))
    return Measured(best, int(tree["games"]), str(tree["engine"]))


def _state(run: Run) -> dict[str, Any]:
    """Return which last population a run has: its last generations, and the sums of its tables."""
    return {"last": [list(moment) for moment in dict(run.committed()).items()],
            "sha256": dict(run.digests)}


RULES = ("ruleset", "information", "max_turns")
RATES = ["opponent", "games", "wins", "draws", "losses", "rate", "rate_low", "rate_high"]


def bests(runs: Mapping[str, Run]) -> pd.DataFrame:
    """Return the best of each execution: run (its label), execution, agent (its spec)."""
    rows = []
    for label, run in runs.items():
        elites = run.archive()
        chosen = elites[elites["last_games"] > 0] if len(elites) else run.statistics().groupby(
            "execution").tail(1).rename(columns={"best_individual": "individual"})
        rows += [(label, int(execution), spec_of(run, name_of(run, int(execution), int(one))))
                 for execution, one in zip(chosen["execution"], chosen["individual"], strict=True)]
    return pd.DataFrame(rows, columns=["run", "execution", "agent"])


def lineup(runs: Mapping[str, Run], against: Sequence[str], games: int, seed: int) -> Lineup:
    """Return the games of the bests, each against each of `against`.

    Raises ConfigError if the runs differ in their decks or rules, AgentError for other agents.
    """
    (_, first), *others = runs.items()
    for _, run in others:
        for rule in RULES:
            one, other = (getattr(one.config, rule) for one in (first, run))
            if one != other:
                raise ConfigError(f"{first.path} has {rule} {one}, and {run.path} has {other}:"
                                  " their bests can't play the same games")
        if run.own_decks != first.own_decks:
            raise ConfigError(f"{run.path} has other decks than {first.path}: their bests can't"
                              " play the same games")
    agents = list(bests(runs)["agent"])
    refuse_twice([*agents, *against])
    plan = ContestPlan(agents=agents, against=[*against],
                       decks=[deck.name for deck in first.own_decks], games=games, seed=seed,
                       **{rule: getattr(first.config, rule) for rule in RULES})
    names, players = read_agents([*agents, *against], first.own_decks, compiled=False)
    return Lineup.checked(plan, names, players, first.own_decks)


def rates(runs: Mapping[str, Run], games: Lineup, executor: Executor,
          on_games: OnGames = lambda games: None) -> pd.DataFrame:
    """Play a line-up; return run, execution, agent and RATES, a line for each best and opponent."""
    table = Arena(games).play(executor, on_games).pairs
    found: pd.DataFrame = bests(runs).merge(table[["agent", *RATES]], on="agent", how="left")
    return found
