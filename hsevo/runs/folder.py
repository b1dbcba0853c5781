"""The run folder: the only file that knows its file names and columns.

    config.yaml       the resolved config                  about.json      versions, engine, decks
    population.csv    every individual, by generation      statistics.csv  one line per generation
    matches.parquet/  every match, a file per generation   references.csv  the best against others
    checkpoint.json   the last committed generation        log.txt         what happened when
    done              exists when the run is finished      matches.sha256  sums of matches.parquet/

All executions of a run are in the same tables; the column `execution` distinguishes them.

A generation is appended in steps: its file of matches and the line with its SHA-256; its lines of
population.csv, statistics.csv and references.csv; last, checkpoint.json with the sizes and SHA-256
of these files (sums.py), which is renamed into place. That rename is the commit. When a killed run
is resumed, everything written after the last commit is cut off and computed again, bit-identical.
A parquet file can't be appended to, or read before it is closed. So `matches.parquet` is a folder
with one file per generation; pandas.read_parquet reads it as one table, also during the run.
Only log.txt and about.json contain times, so two runs with one seed have bit-identical tables.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from filelock import FileLock

from hsevo import __version__, config
from hsevo.agents.genome import Genome
from hsevo.agents.registry import evolved_genome
from hsevo.cards.decks import Deck
from hsevo.config import Config
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError, RunError, brief, name_problem, quoted
from hsevo.files import (
    TEMPORARY,
    append,
    check_regular,
    lock,
    refuse_full,
    refuse_link,
    whole_folder,
    write_whole,
    writing,
)
from hsevo.play import match
from hsevo.runs import checks, formats, prolonging
from hsevo.runs.about import KIND, LEARNED, about_new, method, short_digest, unfinished
from hsevo.runs.individuals import SIGMA, individuals
from hsevo.runs.opponents import Opponents, reference_data, references_of
from hsevo.runs.tables import (
    MATCH_COLUMNS,
    POPULATION,
    REFERENCES,
    STATISTICS,
    Generation,
    csv_bytes,
    match_arrays,
    parquet_bytes,
    population_table,
    statistics_table,
)
from hsevo.store import sums
from hsevo.store.sums import DIFFERS, SUMS

Array: TypeAlias = npt.NDArray[Any]


def part_name(execution: int, number: int) -> str:
    """Return the name of a generation's file of matches; names sort in order of generations."""
    return f"execution-{execution:02}-generation-{number:06}.parquet"


# Files that exist only after a first checkpoint: those of a second generation, or `done`.
LATER = ("done", *(f"matches.parquet/{part_name(*key)}" for key in ((1, 1), (2, 0))))


@dataclass(frozen=True)
class Start:
    """The last committed generation, from which a run is resumed."""

    execution: int
    number: int
    population: Array  # INDIVIDUAL (mu,), in order as parents
    random_state: tuple[Any, ...]


@dataclass
class Run:
    """A run folder: `create` makes one, `open` reads one, `resume` continues one."""

    path: Path
    config: Config
    about: dict[str, Any]
    sizes: dict[str, int] = field(default_factory=dict)  # bytes committed, of `growing`
    start: Start | None = None
    digests: dict[str, str] = field(default_factory=dict)  # SHA-256 of what is committed, by file
    _parts: dict[str, str] | None = None  # SHA-256 of the files of matches
    _hashes: dict[str, Any] = field(default_factory=dict)  # running SHA-256 of `growing`
    _lock: FileLock | None = None

    def __post_init__(self) -> None:
        """Find the genome that the run evolves. Raises AgentError if there is none."""
        names = [deck.name for deck in self.decks] if self.config.agent.genome != "one" else ()
        self.genome: Genome = evolved_genome(self.config, names)
        self.tables = formats.tables(self.about["format"])
        self.growing = (*self.tables, SUMS)
        self.sizes = dict.fromkeys(self.growing, 0)
        self._hashes = {name: hashlib.sha256() for name in self.growing}

    @classmethod
    def create(cls, path: Path, plan: Config, decks: Sequence[Deck],
               references: Mapping[str, Array] | None = None,
               opponents: Opponents | None = None) -> Self:
        """Make the folder, whole or not at all, and lock it.

        references: the reference opponents, AGENT (1,) or (1, d, d) by spec. opponents: the fixed
        ones that all individuals meet. Raises RunError if the folder is in use, AgentError if there
        is no such agent, or it can't evolve so.
        """
        genome = evolved_genome(plan, [deck.name for deck in decks])
        if genome.size < 2 and plan.evolution.strategy == "cma-es":
            raise AgentError(f"'{plan.agent.kind}' has one weight, and cma-es needs two; take"
                             " evolution.strategy=es")
        if problem := name_problem(path.name):
            raise RunError(f"the name of a run folder, {quoted(path.name)}, {problem}")
        if sign := next((sign for sign in "#?," if sign in path.name), ""):
            raise RunError(f"a run folder can't have '{sign}' in its name ({path.name}): specs such"
                           " as eva:RUN#ID could not name it")
        refuse_full(path, "evolve" if unfinished(path, KIND) else "")
        about = about_new(plan, decks) | {
            "genome": genome.digest(), "references": reference_data(references or {}),
            "opponents": opponents.data() if opponents else []}
        with whole_folder(path) as new:
            (new / "matches.parquet").mkdir()
            text = config.dump(plan).encode()
            write_whole(new / "config.yaml", text)
            write_whole(new / "about.json", sums.sign(
                about, "about.json", {"config.yaml": sums.of(text)}, indent=1))
        run = cls(path, plan, about)
        run._lock = lock(path)
        return run

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a folder to read it. Raises RunError if it is no run, too new or damaged."""
        about = checks.read_json(path / "about.json", path)
        if about.get("kind") == LEARNED:
            raise RunError(f"{path} is a run of hsevo learn, and this takes runs of hsevo evolve;"
                           f" its player is the agent rl:{path}; hsevo report, watch and verify"
                           " take it, too")
        if about.get("kind") != KIND:
            raise RunError(f"{path} is no run folder of hsevo: its about.json is another's")
        number = about.get("format")
        if not formats.is_known(number):
            raise RunError(f"{path} has format {brief(number)}, and this hsevo reads format"
                           f" {formats.FORMAT}; use hsevo {brief(about.get('version'))}")
        try:
            known = sums.check(about, "about.json")
        except (TypeError, ValueError) as error:
            raise RunError(f"{path} is damaged: about.json: {_first_line(error)}") from None
        source = path / "config.yaml"
        text = prolonging.config_text(path, about)
        tree = formats.current(config.parse(text, str(source)), number)
        plan = config.check(Config, tree, str(source))
        if sums.of(text.encode()) != known.get("config.yaml", sums.of(text.encode())) or (
                about.get("config", short_digest(text)) != short_digest(text)):
            raise RunError(f"{source} is not what it was when the run began; bring it back")
        run = cls(path, plan, formats.current(about, number))
        run._read_checkpoint()
        return run

    @classmethod
    def resume(cls, path: Path, check: Callable[[Self], object] = lambda run: None) -> Self:
        """Open a folder to continue its run: lock it, and cut off what was not committed.

        check: called before anything is cut off. Raises RunError also if another process uses it,
        or if the engine or method is not the one it was begun with: the results would differ.
        """
        run = cls.open(path)
        for what, now in (("engine", fingerprint()), ("method", method()),
                          ("genome", run.genome.digest())):
            if run.about.get(what) != now:
                raise RunError(f"{path} was begun with the {what} {brief(run.about.get(what))} of"
                               f" hsevo {brief(run.about.get('version'))}, and this is {now} of"
                               f" {__version__}: the results would differ; install that version,"
                               " or begin a new run")
        run._lock = lock(path)
        try:
            run._read_checkpoint()  # again: another process may have continued it since
            check(run)
            run._cut()
            prolonging.settle(path, run.about)
        except BaseException:
            run.close()
            raise
        return run

    @cached_property
    def decks(self) -> tuple[Deck, ...]:
        """The decks as they were when the run began, even if their files have changed."""
        try:
            decks = tuple(checks.deck(deck, self.config.ruleset) for deck in self.about["decks"])
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{self.path} is damaged: about.json: no decks ({error!r})") from None
        if len(decks) != len(self.config.all_decks):
            raise RunError(f"{self.path} is damaged: about.json has {len(decks)} decks, and"
                           f" config.yaml {len(self.config.all_decks)}")
        return decks

    @property
    def own_decks(self) -> tuple[Deck, ...]:
        """The decks that individuals play, without those of their fixed opponents alone."""
        return self.decks[:len(self.config.decks)]

    @property
    def opponents(self) -> Opponents:
        """The fixed opponents as they were when the run began, whatever their files say now."""
        fixed = self.config.rating.opponents
        with checks.reading(self.path, "opponents"):
            return Opponents.of(self.about.get("opponents", []), len(self.decks),
                                fixed.agents if fixed else ())

    @property
    def reference_agents(self) -> dict[str, Array]:
        """The reference opponents as they were when it began, AGENT (1,) or (1, d, d) by spec."""
        wanted = self.config.references
        with checks.reading(self.path, "references"):
            return references_of(self.about.get("references", {}), len(self.own_decks),
                                 wanted.against if wanted else ())

    @property
    def kind(self) -> str:
        """The kind of agent that the run evolves, without options."""
        return self.config.agent.kind.partition("?")[0]

    @property
    def setting(self) -> match.Setting:
        """What a worker needs to play games of the run."""
        plan = self.config
        return match.Setting(ruleset=plan.ruleset, decks=self.decks, information=plan.information,
                             max_turns=plan.max_turns)

    @property
    def done(self) -> bool:
        """Whether the run is finished."""
        return (self.path / "done").exists()

    def append(self, generation: Generation) -> None:
        """Add a generation and commit it. Raises RunError; earlier commits stay valid."""
        part = part_name(generation.execution, generation.number)
        matches = parquet_bytes(match_arrays(generation, self.decks))
        write_whole(self.path / "matches.parquet" / part, matches)
        new = {SUMS: sums.line(part, matches)}
        tables = (population_table(generation, self.genome.names), statistics_table(generation),
                  generation.references)
        for name, table in zip(self.tables, tables, strict=True):
            if table is not None:
                new[name] = csv_bytes(table, header=self.sizes[name] == 0)
        sizes, hashes = dict(self.sizes), {name: one.copy() for name, one in self._hashes.items()}
        for name, data in new.items():
            sizes[name] = append(self.path / name, data)
            hashes[name].update(data)
        known = {name: one.hexdigest() for name, one in hashes.items()}
        state = sums.sign(generation.state(sizes), "checkpoint.json", known)
        write_whole(self.path / "checkpoint.json", state)
        self.sizes, self.start, self.digests = sizes, _start(generation), known
        self._hashes, self._parts = hashes, None

    def finish(self) -> None:
        """Mark the run as finished."""
        total = f"{self.config.executions} x {self.config.evolution.generations} generations\n"
        write_whole(self.path / "done", total.encode())

    def log(self, text: str) -> None:
        """Add a line with the time to log.txt."""
        append(self.path / "log.txt", f"{datetime.now():%Y-%m-%d %H:%M:%S} {text}\n".encode())

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def population(self) -> pd.DataFrame:
        """Read the committed part of population.csv exactly. Raises RunError if damaged."""
        return self._table("population.csv")

    def statistics(self) -> pd.DataFrame:
        """Read the committed part of statistics.csv exactly. Raises RunError if damaged."""
        return self._table("statistics.csv")

    def references(self) -> pd.DataFrame:
        """Read the committed part of references.csv exactly; empty without references."""
        return self._table(self.tables[2])

    def fields(self, execution: int) -> list[Array]:
        """Return the rated field of every committed generation of an execution, INDIVIDUAL."""
        population = self.population()
        return [individuals(population, execution, number)
                for other, number in self.committed() if other == execution]

    def matches(self, execution: int, number: int) -> pd.DataFrame:
        """Read the matches of one generation. Raises RunError if missing or damaged."""
        table = self._matches(execution, number, MATCH_COLUMNS)
        found: pd.DataFrame = table.replace_schema_metadata(None).to_pandas()  # anyone may write it
        return found

    def match_columns(self, execution: int, number: int,
                      names: Sequence[str] = MATCH_COLUMNS) -> dict[str, Array]:
        """Read some columns as arrays, faster than `matches`; decks as objects."""
        table = self._matches(execution, number, names)
        return {name: table.column(name).to_numpy() for name in names}

    def _matches(self, execution: int, number: int, names: Sequence[str]) -> Any:
        """Return columns of a file of matches, a pyarrow.Table, after checking its SHA-256."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        part = self.path / "matches.parquet" / part_name(execution, number)
        try:
            check_regular(part)
            with pa.OSFile(str(part)) as source:  # as in _buffer
                data = source.read_buffer()
            if self.digests and sums.of(data) != self.parts().get(part.name):
                raise ValueError(DIFFERS)
            return checks.matches(pq.ParquetFile(pa.BufferReader(data)), self.config, names)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise RunError(f"{self.path} is damaged: {part.name}: {_first_line(error)}") from None

    def parts(self) -> dict[str, str]:
        """Return the SHA-256 of the files of matches by their names. Raises RunError if damaged."""
        if self._parts is None:
            with self._damage(SUMS):
                self._parts = sums.read(self._bytes(SUMS).decode("ascii"))
        return self._parts

    def committed(self) -> Iterator[tuple[int, int]]:
        """Yield (execution, generation) of every committed generation, in order."""
        if self.start is not None:
            for execution in range(1, self.start.execution + 1):
                last = execution == self.start.execution
                end = self.start.number + 1 if last else self.config.evolution.generations
                yield from ((execution, number) for number in range(end))

    def written(self, execution: int, number: int) -> float:
        """Return when a generation's matches were written, in seconds since 1970."""
        part = self.path / "matches.parquet" / part_name(execution, number)
        try:
            return part.stat().st_mtime
        except OSError as error:
            raise RunError(f"{self.path}: cannot read {part.name}: {error.strerror}") from None

    def columns(self, name: str) -> list[str]:
        """Return the columns of one of `tables`."""
        names = self.genome.names
        genes = [*names, *(f"{SIGMA}{gene}" for gene in names)]
        columns = ([*POPULATION, *genes], STATISTICS, REFERENCES)
        return dict(zip(self.tables, columns, strict=True))[name]

    def _table(self, name: str) -> pd.DataFrame:
        import pyarrow as pa
        from pyarrow import csv  # reads numbers exactly; not every version of pandas does

        columns = self.columns(name)
        if not self.sizes[name]:
            return pd.DataFrame(columns=columns)
        with self._damage(name):
            alone, data = csv.ReadOptions(use_threads=False), self._buffer(name)
            table: pd.DataFrame = csv.read_csv(pa.BufferReader(data), alone).to_pandas()
            if list(table.columns) != columns:
                raise ValueError("it has other columns")
            checks.check_numbers(table)
            if name == "population.csv":
                checks.check_weights(table, self.genome)
        return table

    def lines(self, name: str) -> list[bytes]:
        """Return the committed lines of one of `tables`, without its header. Raises RunError."""
        with self._damage(name):
            return self._bytes(name).splitlines(keepends=True)[1:]

    def _bytes(self, name: str) -> bytes:
        return bytes(self._buffer(name)) if self.sizes[name] else b""

    def _buffer(self, name: str) -> Any:
        """Read the committed part of one of `growing`. Raises OSError, ValueError, RunError."""
        import pyarrow as pa

        path, size = self.path / name, self.sizes[name]
        check_regular(path)
        # Not as Python bytes: Arrow's threads would have to release them, which aborts a process
        # that is exiting (SIGABRT, apache/arrow issue 34314).
        with pa.OSFile(str(path)) as file:
            data = file.read_buffer(size)
        if len(data) < size:
            raise ValueError(f"{len(data)} bytes, and {size} were committed")
        if self.digests and sums.of(data) != self.digests.get(name):
            raise ValueError(DIFFERS)
        if not bytes(data.slice(size - 1)).endswith(b"\n"):
            raise ValueError("what was committed does not end with a line")
        return data

    @contextmanager
    def _damage(self, name: str) -> Iterator[None]:
        """Turn an error with a file into a RunError that names the file."""
        try:
            yield
        except (OSError, ValueError) as error:
            raise RunError(f"{self.path} is damaged: {name}: {_first_line(error)}") from None

    def _read_checkpoint(self) -> None:
        if not (self.path / "checkpoint.json").exists():
            if any((self.path / name).exists() for name in LATER):
                raise RunError(f"{self.path} is damaged: checkpoint.json is gone, without which"
                               " nothing of it counts; bring it back")
            return
        state = checks.read_json(self.path / "checkpoint.json", self.path)
        try:
            self.digests = sums.check(state, "checkpoint.json")
            if "sha256" in self.about and not self.digests:
                raise ValueError("its SHA-256 are gone")
            self.sizes = {name: int(state["sizes"][name]) for name in
                          (self.growing if self.digests else self.tables)}
            self.sizes.setdefault(SUMS, 0)
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

    @property
    def next(self) -> tuple[int, int]:
        """Return execution and number of the generation after the last committed one."""
        if self.start is None:
            return 1, 0
        if self.start.number + 1 < self.config.evolution.generations:
            return self.start.execution, self.start.number + 1
        return self.start.execution + 1, 0

    def _cut(self) -> None:
        """Discard what was written after the last commit; it can only be the next generation's.

        Raises RunError, before anything is discarded, if files are missing or there are others.
        """
        kept, begun = {part_name(*key) for key in self.committed()}, part_name(*self.next)
        folder = self.path / "matches.parquet"
        with writing(self.path):
            folder.mkdir(exist_ok=True)
            present = {path.name for path in folder.glob("execution-*")}
            if kept - present:
                raise RunError(f"{self.path} is damaged: {min(kept - present)} is missing")
            if more := present - kept - {begun}:
                raise RunError(f"{self.path} is damaged: {min(more)} is of no generation that"
                               " checkpoint.json knows of; nothing was cut off")
            for name in (*self.sizes, "log.txt"):
                refuse_link(self.path / name)
            for name in self.growing if self.digests else self.tables:
                with self._damage(name):
                    self._hashes[name] = hashlib.sha256(self._bytes(name))
                sums.refuse_others(self.path, name, self.sizes[name], prolonging.begun(self, name))
            for left in (folder / begun, *folder.glob(TEMPORARY[0])):
                left.unlink(missing_ok=True)
            for name, size in self.sizes.items():
                if size or (self.path / name).exists():
                    os.truncate(self.path / name, size)
            if self.start and not self.digests:  # begun without SHA-256: add them
                found = b"".join(sums.line(name, (folder / name).read_bytes())
                                 for name in sorted(kept))
                self.sizes[SUMS] = append(self.path / SUMS, found)
                self._hashes[SUMS] = hashlib.sha256(found)


def _start(generation: Generation) -> Start:
    rows = {int(row["id"]): row for row in generation.field}
    population = np.array([rows[i] for i in generation.survivors], generation.field.dtype)
    return Start(generation.execution, generation.number, population, generation.random_state)


def default_path(plan: Config) -> Path:
    """Return the default folder of a new run: runs/NAME-seed-SEED-DATE-TIME."""
    return Path("runs") / f"{plan.name}-seed-{plan.seed}-{datetime.now():%Y%m%d-%H%M%S}"


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
