"""The run folder: the only file that knows its file names and columns.

    config.yaml       the config as resolved           about.json      versions, engine, decks, pool
    population.csv    everyone of every generation     statistics.csv  one line a generation
    matches.parquet/  every match of every generation  yardstick.csv   the best against others
    checkpoint.json   where to go on from              log.txt         what happened when
    done              there when the run is over

All executions of a run stand in the same tables, told apart by the column `execution`.

A generation is appended in steps: its file of matches, its lines of population.csv, statistics.csv
and yardstick.csv, and last checkpoint.json, which holds the sizes of the three and is renamed into
place. That rename is the commit: what a killed run wrote beyond it is cut off on resuming, and
played again to the same bits. `matches.parquet` is a folder with one file a generation, because a
parquet file can't be appended to and can't be read before it is closed; pandas.read_parquet reads
the folder as one table, also while the run goes on. Times stand in log.txt and about.json alone,
so that two runs of one seed have the same bits in all tables.
"""

import hashlib
import io
import json
import os
import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from filelock import FileLock

from hsevo import __version__, config, sources
from hsevo.agents.genome import Genome
from hsevo.agents.registry import genome_of
from hsevo.cards.decks import Deck
from hsevo.cards.tables import pool_report
from hsevo.config import Config
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError, RunError, brief, name_problem, quoted
from hsevo.files import (
    append,
    check_regular,
    lock,
    refuse_full,
    sync_folder,
    write_whole,
    writing,
)
from hsevo.play import match
from hsevo.runs import checks
from hsevo.runs.individuals import SIGMA, individuals

Array: TypeAlias = npt.NDArray[Any]

FORMAT = 2  # raised whenever a file name or column changes its meaning
KIND = "hsevo run"
# How generations are made and rated, beside the engine and who it is that meets whom in it.
METHOD_SOURCES = ("evolution/evolve.py", "evolution/fitness.py", "evolution/strategies.py",
                  "evolution/yardstick.py", "play/tournament.py", "runs/individuals.py",
                  "strength/arena.py", "strength/rating.py", "seeds.py")
LIBRARIES = ("numpy", "numba", "inspyred", "cma", "joblib", "pyarrow")

POPULATION = ["execution", "generation", "individual", "parent", "born", "age", "fitness", "wins",
              "draws", "losses", "survived"]  # then the weights, then their sigmas
STATISTICS = ["execution", "generation", "best", "median", "mean", "worst", "std",
              "best_individual", "new", "mean_age", "mean_sigma", "games", "draws", "mean_turns"]
YARDSTICK = ["execution", "generation", "individual", "opponent", "games", "wins", "draws",
             "losses", "rate", "rate_low", "rate_high", "elo", "elo_low", "elo_high", "pairs_0",
             "pairs_0.5", "pairs_1", "pairs_1.5", "pairs_2"]
TABLES = ("population.csv", "statistics.csv", "yardstick.csv")


@dataclass(frozen=True)
class Generation:
    """What a generation came to. a and b of pairings are rows of the field, then of the hall."""

    execution: int  # from 1
    number: int  # from 0
    field: Array  # INDIVIDUAL (n,): all that were rated, parents first
    pairings: Array  # match.PAIRING (m,)
    results: Array  # match.RESULT (m,)
    survivors: tuple[int, ...]  # ids, in the order in which they are the next parents
    random_state: tuple[Any, ...]  # random.Random.getstate() after this generation
    hall: Array  # INDIVIDUAL (k,): champions of old that the field met, too
    yardstick: pd.DataFrame | None = None  # lines of yardstick.csv, if the best was measured


def part_name(execution: int, number: int) -> str:
    """Name the file of a generation's matches; the names sort as the generations do."""
    return f"execution-{execution:02}-generation-{number:06}.parquet"


# What is there only after a first checkpoint: whatever generation comes second, or the end.
LATER = ("done", *(f"matches.parquet/{part_name(*key)}" for key in ((1, 1), (2, 0))))


@dataclass(frozen=True)
class Start:
    """Where a run goes on: the last generation that was committed."""

    execution: int
    number: int
    population: Array  # INDIVIDUAL (mu,), in their order as parents
    random_state: tuple[Any, ...]


@dataclass
class Run:
    """A run folder. Make one with `create`, or `open` one to read it or to go on."""

    path: Path
    config: Config
    about: dict[str, Any]
    sizes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TABLES, 0))
    start: Start | None = None
    _lock: FileLock | None = None

    def __post_init__(self) -> None:
        """Find the genome that the run evolves. Raises AgentError if there is none."""
        self.genome: Genome = genome_of(self.config.agent)

    @classmethod
    def create(cls, path: Path, plan: Config, decks: Sequence[Deck],
               opponents: Mapping[str, str] | None = None) -> Self:
        """Make the folder, whole or not at all, and lock it.

        opponents: of the yardstick, with a digest of each. Raises RunError if the folder is in
        use, AgentError if there is no such agent, or none that can evolve so.
        """
        genome = genome_of(plan.agent)
        if genome.size < 2 and plan.evolution.strategy == "cma-es":
            raise AgentError(f"'{plan.agent}' has one weight, and cma-es needs two; take"
                             " evolution.strategy=es")
        if problem := name_problem(path.name):
            raise RunError(f"the name of a run folder, {quoted(path.name)}, {problem}")
        if sign := next((sign for sign in "#?," if sign in path.name), ""):
            raise RunError(f"a run folder can't have '{sign}' in its name ({path.name}): specs such"
                           " as eva:RUN#ID could not name it")
        refuse_full(path, f", or go on with: hsevo evolve --resume {path}")
        about = _about(plan, decks) | {"genome": genome.digest(),
                                       "yardstick": dict(opponents or {})}
        new = path.with_name(f".{path.name}.new-{os.getpid()}")
        with writing(path):
            try:
                (new / "matches.parquet").mkdir(parents=True)
                write_whole(new / "config.yaml", config.dump(plan).encode())
                write_whole(new / "about.json", json.dumps(about, indent=1).encode())
                new.rename(path)
            except BaseException:
                shutil.rmtree(new, ignore_errors=True)
                raise
            sync_folder(path.parent)
        run = cls(path, plan, about)
        run._acquire()
        return run

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a folder to read it. Raises RunError if it is none, of another format, damaged."""
        about = checks.read_json(path / "about.json", path)
        if about.get("kind") != KIND:
            raise RunError(f"{path} is no run folder of hsevo: its about.json is another's")
        if about.get("format") != FORMAT:
            raise RunError(f"{path} has format {brief(about.get('format'))}, and this hsevo"
                           f" reads format {FORMAT}; use hsevo"
                           f" {brief(about.get('version'))}")
        source = path / "config.yaml"
        text = config.read_text(source)
        plan = config.check(Config, config.parse(text, str(source)), str(source))
        if about.get("config", _digest(text)) != _digest(text):
            raise RunError(f"{source} is not what it was when the run began; bring it back")
        run = cls(path, plan, about)
        run._read_checkpoint()
        return run

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Open a folder to go on with it: lock it, and cut off what was not committed.

        Raises RunError also if another process has it, or if engine or evolution are not the ones
        it was begun with, which would come to other results.
        """
        run = cls.open(path)
        for what, now in (("engine", fingerprint()), ("method", method()),
                          ("genome", run.genome.digest())):
            if run.about.get(what) != now:
                raise RunError(
                    f"{path} was begun with the {what} {brief(run.about.get(what))} of hsevo"
                    f" {brief(run.about.get('version'))}, and this is {now} of"
                    f" {__version__}: the results"
                    " would differ; install that version, or begin a new run")
        run._acquire()
        try:
            run._read_checkpoint()  # again: another process may have finished it since
            run._cut()
        except BaseException:
            run.close()
            raise
        return run

    @property
    def decks(self) -> tuple[Deck, ...]:
        """The decks as they were when the run began, whatever their files say now."""
        try:
            decks = tuple(checks.deck(deck, self.config.ruleset) for deck in self.about["decks"])
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{self.path} is damaged: about.json: no decks ({error!r})") from None
        if len(decks) != len(self.config.decks):
            raise RunError(f"{self.path} is damaged: about.json has {len(decks)} decks, and"
                           f" config.yaml {len(self.config.decks)}")
        return decks

    @property
    def kind(self) -> str:
        """The kind of agent that the run evolves, without options."""
        return self.config.agent.partition("?")[0]

    @property
    def setting(self) -> match.Setting:
        """What a worker must know of the run to play its games."""
        plan = self.config
        return match.Setting(ruleset=plan.ruleset, decks=self.decks, information=plan.information,
                             max_turns=plan.max_turns)

    @property
    def done(self) -> bool:
        """Whether the run is over."""
        return (self.path / "done").exists()

    def append(self, generation: Generation) -> None:
        """Add a generation and commit it. Raises RunError; what was committed stays so."""
        part = self.path / "matches.parquet" / part_name(generation.execution, generation.number)
        write_whole(part, _parquet(matches_table(generation, self.decks)))
        sizes = {}
        tables = (population_table(generation, self.genome.names), statistics_table(generation),
                  generation.yardstick)
        for name, table in zip(TABLES, tables, strict=True):
            sizes[name] = self.sizes[name]
            if table is not None:
                text = table.to_csv(index=False, header=self.sizes[name] == 0)
                sizes[name] = append(self.path / name, text.encode())
        write_whole(self.path / "checkpoint.json", _checkpoint(generation, sizes))
        self.sizes, self.start = sizes, _start(generation)

    def finish(self) -> None:
        """Mark the run as over."""
        total = f"{self.config.executions} x {self.config.evolution.generations} generations\n"
        write_whole(self.path / "done", total.encode())

    def log(self, text: str) -> None:
        """Add a line with the time to log.txt."""
        append(self.path / "log.txt", f"{datetime.now():%Y-%m-%d %H:%M:%S} {text}\n".encode())

    def close(self) -> None:
        """Give up the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def population(self) -> pd.DataFrame:
        """Read what is committed of population.csv, to the bit. Raises RunError if damaged."""
        return self._table("population.csv")

    def statistics(self) -> pd.DataFrame:
        """Read what is committed of statistics.csv, to the bit. Raises RunError if damaged."""
        return self._table("statistics.csv")

    def yardstick(self) -> pd.DataFrame:
        """Read what is committed of yardstick.csv, to the bit; empty if the run has none."""
        return self._table("yardstick.csv")

    def fields(self, execution: int) -> list[Array]:
        """Return the rated field of every committed generation of an execution, INDIVIDUAL."""
        population = self.population()
        return [individuals(population, execution, number)
                for other, number in self.committed() if other == execution]

    def matches(self, execution: int, number: int) -> pd.DataFrame:
        """Read the matches of one generation. Raises RunError if they are not there or damaged."""
        import pyarrow as pa

        part = self.path / "matches.parquet" / part_name(execution, number)
        try:
            table = checks.read_part(part, self.config)
        except (OSError, ValueError, pa.ArrowException, RunError) as error:
            raise RunError(f"{self.path}: cannot read {part.name}: {_first_line(error)}") from None
        missing = [name for name in MATCH_COLUMNS if name not in table]
        if missing:
            raise RunError(f"{self.path} is damaged: {part.name} has no column {missing[0]}")
        return table

    def committed(self) -> Iterator[tuple[int, int]]:
        """Yield (execution, generation) of all that is committed, in order."""
        if self.start is not None:
            for execution in range(1, self.start.execution + 1):
                last = execution == self.start.execution
                end = self.start.number + 1 if last else self.config.evolution.generations
                yield from ((execution, number) for number in range(end))

    def written(self, execution: int, number: int) -> float:
        """Return when a generation was written, in seconds since 1970, by its file of matches."""
        part = self.path / "matches.parquet" / part_name(execution, number)
        try:
            return part.stat().st_mtime
        except OSError as error:
            raise RunError(f"{self.path}: cannot read {part.name}: {error.strerror}") from None

    def columns(self, name: str) -> list[str]:
        """Return the columns of one of TABLES."""
        names = self.genome.names
        genes = [*names, *(f"{SIGMA}{gene}" for gene in names)]
        return {"population.csv": [*POPULATION, *genes], "statistics.csv": STATISTICS,
                "yardstick.csv": YARDSTICK}[name]

    def _table(self, name: str) -> pd.DataFrame:
        import pyarrow as pa
        from pyarrow import csv  # reads numbers to the last bit; which pandas does by version

        path, size, columns = self.path / name, self.sizes[name], self.columns(name)
        if not size:
            return pd.DataFrame(columns=columns)
        try:
            check_regular(path)
            # Not through Python's own bytes: Arrow's threads would have to let go of them, and end
            # the process by SIGABRT if it is just exiting (apache/arrow issue 34314).
            with pa.OSFile(str(path)) as file:
                data = file.read_buffer(size)
            if len(data) < size:
                raise ValueError(f"{len(data)} bytes, and {size} were committed")
            alone = csv.ReadOptions(use_threads=False)
            table: pd.DataFrame = csv.read_csv(pa.BufferReader(data), alone).to_pandas()
            if list(table.columns) != columns:
                raise ValueError("it has other columns")
            checks.check_numbers(table)
            if name == "population.csv":
                checks.check_weights(table, self.genome)
        except (OSError, ValueError, RunError) as error:
            raise RunError(f"{self.path} is damaged: {name}: {_first_line(error)}") from None
        return table

    def _acquire(self) -> None:
        self._lock = lock(self.path)

    def _read_checkpoint(self) -> None:
        if not (self.path / "checkpoint.json").exists():
            if any((self.path / name).exists() for name in LATER):
                raise RunError(f"{self.path} is damaged: checkpoint.json is gone, without which"
                               " nothing of it counts; bring it back")
            return
        state = checks.read_json(self.path / "checkpoint.json", self.path)
        try:
            self.sizes = {name: int(state["sizes"][name]) for name in TABLES}
            execution, number = int(state["execution"]), int(state["generation"])
            checks.check_moment(self.config, execution, number, self.sizes["statistics.csv"])
            random = checks.random_state(state["random_state"])
            population = self.population()
            checks.check_generations(population, self.config, execution, number)
            survivors = individuals(population, execution, number, state["survivors"])
            if len(survivors) != self.config.evolution.mu:
                raise ValueError(f"{len(survivors)} survivors, not mu")
            self.start = Start(execution, number, survivors, random)
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise RunError(f"{self.path} is damaged: checkpoint.json: {error!r}") from None

    def _cut(self) -> None:
        """Discard what was written after the last commit. Raises RunError if parts are missing."""
        kept = {part_name(*key) for key in self.committed()}
        folder = self.path / "matches.parquet"
        with writing(self.path):
            folder.mkdir(exist_ok=True)
            present = {path.name for path in folder.iterdir()}
            if kept - present:
                raise RunError(f"{self.path} is damaged: {min(kept - present)} is missing")
            for name in present - kept:
                (folder / name).unlink()
            for name, size in self.sizes.items():
                if size or (self.path / name).exists():
                    os.truncate(self.path / name, size)


def _start(generation: Generation) -> Start:
    rows = {int(row["id"]): row for row in generation.field}
    population = np.array([rows[i] for i in generation.survivors], generation.field.dtype)
    return Start(generation.execution, generation.number, population, generation.random_state)


def population_table(generation: Generation, names: Sequence[str]) -> pd.DataFrame:
    """Return the lines of population.csv for a generation; names: of the weights, (k,)."""
    everyone = generation.field
    table = pd.DataFrame({
        "execution": generation.execution, "generation": generation.number,
        "individual": everyone["id"], "parent": everyone["parent"], "born": everyone["born"],
        "age": generation.number - everyone["born"], "fitness": _plain(everyone["fitness"]),
        "wins": everyone["wins"], "draws": everyone["draws"], "losses": everyone["losses"],
        "survived": everyone["survived"].astype(int)})
    genes = pd.DataFrame(np.hstack([everyone["weights"], everyone["sigmas"]]),
                         columns=[*names, *(f"{SIGMA}{name}" for name in names)])
    return pd.concat([table, genes], axis=1)


def statistics_table(generation: Generation) -> pd.DataFrame:
    """Return the line of statistics.csv for a generation (columns STATISTICS).

    Fitness, age and sigma are the survivors'; games, draws and turns those of all matches.
    """
    stay = generation.field[generation.field["survived"]]
    fitness, played = _plain(stay["fitness"]), generation.results
    games = int(generation.pairings["games"].sum())
    line = [generation.execution, generation.number, fitness.max(), float(np.median(fitness)),
            fitness.mean(), fitness.min(), fitness.std(), generation.survivors[0],
            int((stay["born"] == generation.number).sum()),
            (generation.number - stay["born"]).mean(), stay["sigmas"].mean(), games,
            int(played["draws"].sum()), played["turns"].sum() / games if games else 0.0]
    return pd.DataFrame([line], columns=STATISTICS)


def _plain(fitness: Array) -> Array:
    """Return whole numbers as such: victories, where no race made rates of them."""
    whole = fitness.astype(np.int64)
    return whole if (whole == fitness).all() else fitness


MATCH_COLUMNS = ("execution", "generation", "a", "b", "deck_a", "deck_b", "games", "wins_a",
                 "wins_b", "draws", "turns", "margin_a", "margin_b", "decisions", "simulated",
                 "seed")


def matches_table(generation: Generation, decks: Sequence[Deck]) -> pd.DataFrame:
    """Return the matches of a generation: individuals by id, decks by name, all that was counted.

    wins_a + wins_b + draws = games; turns, margins, decisions and simulated actions are sums over
    the games; margin_a sums, over a's wins, its health and armour minus the loser's.
    """
    pairings, results = generation.pairings, generation.results
    ids = np.concatenate([generation.field["id"], generation.hall["id"]])
    names = np.array([deck.name for deck in decks], object)
    table = {"execution": np.full(len(pairings), generation.execution, np.int16),
             "generation": np.full(len(pairings), generation.number, np.int32),
             "a": ids[pairings["a"]], "b": ids[pairings["b"]],
             "deck_a": names[pairings["deck_a"]], "deck_b": names[pairings["deck_b"]],
             "games": pairings["games"]}
    counts = [name for name in results.dtype.names or () if name != "faults"]  # a fault ends a run
    table |= {name: results[name] for name in counts} | {"seed": pairings["seed"]}
    return pd.DataFrame(table)


def default_path(plan: Config) -> Path:
    """Return the folder of a new run that was given none: runs/NAME-seed-SEED-DATE-TIME."""
    return Path("runs") / f"{plan.name}-seed-{plan.seed}-{datetime.now():%Y%m%d-%H%M%S}"


def method() -> str:
    """Return a fingerprint of how generations are made and rated: by our sources and libraries.

    It changes with what the sources mean, and not with how they say it.
    """
    ours = sources.remembered("method", lambda: sources.digest(METHOD_SOURCES))
    return _digest(f"{version('inspyred')} {version('cma')} {ours}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _about(plan: Config, decks: Sequence[Deck]) -> dict[str, Any]:
    return {
        "kind": KIND, "format": FORMAT, "version": __version__, "engine": fingerprint(),
        "method": method(), "config": _digest(config.dump(plan)),
        "seed": plan.seed, "started": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}",
        "machine": {"system": platform.platform(), "processor": platform.machine(),
                    "cores": os.cpu_count()},
        "python": platform.python_version(), **{name: version(name) for name in LIBRARIES},
        "decks": [asdict(deck) for deck in decks], "card_pool": pool_report(plan.ruleset)}


def _checkpoint(generation: Generation, sizes: dict[str, int]) -> bytes:
    state = {"execution": generation.execution, "generation": generation.number, "sizes": sizes,
             "survivors": generation.survivors, "random_state": generation.random_state}
    return json.dumps(state).encode()


def _parquet(table: pd.DataFrame) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(table, preserve_index=False), out, compression="zstd")
    return out.getvalue()


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
