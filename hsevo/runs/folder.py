"""The folder of a run of hsevo evolve: its files, their formats, and how generations are committed.

    config.yaml       the resolved config                  about.json      versions, engine, decks
    population.csv    every individual, by generation      statistics.csv  one line per generation
    matches.parquet/  every match, a file per generation   references.csv  the best against others
    checkpoint.json   the last committed generation        log.txt         what happened when
    done              exists when the run is finished      matches.sha256  a line for each file of
    archive.csv       the elites of a map, at the end                      matches.parquet/
    champion.json     the best, once it was asked for      earlier         a copy from before it was
                      (strength/champion_file.py)                          prolonged (`_set_aside`)

The columns are in tables.py; store/folder.py has what all folders of experiments have. All
executions of a run are in the same tables; the column `execution` distinguishes them.

A generation is appended in steps: its file of matches and the line with its SHA-256; its lines of
population.csv, statistics.csv and references.csv; last, checkpoint.json, which commits it. A
parquet file can't be appended to, or read before it is closed. So `matches.parquet` is a folder
with one file per generation, such as execution-01-generation-000000.parquet; pandas.read_parquet
reads it as one table, also during the run. `sha256sum --check` reads matches.sha256.
Only log.txt and about.json contain times, so two runs with one seed have bit-identical tables.

This version reads two formats of run folders, between which names changed:

    3    version 0.2    references.csv; `references` in config.yaml and about.json
    2    version 0.1    yardstick.csv;  `yardstick` in both

A folder keeps its format and its file names when its run is resumed. Runs of versions before 0.2
have no matches.sha256. They are read without, and get it when resumed.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Self

import pandas as pd

from hsevo import config, sources
from hsevo.agents.genomes.genome import Genome
from hsevo.agents.registry import evolved_genome
from hsevo.cards.decks import Deck
from hsevo.cards.tables import pool_report
from hsevo.config import Config
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError, RunError
from hsevo.files import (
    TEMPORARY,
    append,
    check_regular,
    lock,
    read_bytes,
    undamaged,
    whole_folder,
    write_whole,
    writing,
)
from hsevo.play import closed, match
from hsevo.play.behaviour import WATCHED
from hsevo.play.python_files import Code, Modules
from hsevo.runs import checks, tables
from hsevo.runs.opponents import StoredOpponents, reference_data, references_of
from hsevo.runs.tables import (
    MATCH_COLUMNS,
    TABLES,
    Generation,
    individuals,
    match_arrays,
    parquet_bytes,
    population_table,
    statistics_table,
)
from hsevo.store import sums
from hsevo.store.folder import Folder, read_json
from hsevo.store.kinds import KIND
from hsevo.store.sums import short_digest
from hsevo.store.tables import DataTable, arrow_buffer
from hsevo.types import Array

SUMS, MATCHES = "matches.sha256", "matches.parquet"
# A line of a table or of matches.sha256 begins with its execution and generation.
_KEY = re.compile(rb"(?:[0-9a-f]{64}  matches\.parquet/execution-)?(\d+)(?:,|-generation-)(\d+)"
                  rb"[,.]")


# The newest first; of each, the old names of keys to new. A new one is added whenever a file, a key
# or a column changes its name or meaning, and for a new column, whose `since` is its number.
FORMATS: Mapping[int, Mapping[str, str]] = {3: {}, 2: {"yardstick": "references"}}
FORMAT = next(iter(FORMATS))


def table_names(number: int) -> tuple[str, str, str]:
    """Return the file names of a format's tables: population, statistics, references."""
    old = {new: old for old, new in FORMATS[number].items()}
    return "population.csv", "statistics.csv", f"{old.get('references', 'references')}.csv"


# How generations are made and rated, apart from the engine.
METHOD_SOURCES = (*(f"evolution/{name}.py" for name in (
    "confirm", "custom", "evolve", "fitness", "references", "stored", "strategies")),
    "play/behaviour.py", "play/tournament.py", "runs/tables.py", "strength/archive.py",
    "strength/lineup.py", "strength/rating.py", "seeds.py")


def method() -> str:
    """Return a fingerprint of how generations are made and rated: of sources and libraries.

    It depends on what the sources mean; comments, docstrings and messages do not change it.
    """
    ours = sources.remembered("method", lambda: sources.digest(METHOD_SOURCES))
    return short_digest(f"{version('inspyred')} {version('cma')} {ours}")


def marks(genome: Genome) -> dict[str, str]:
    """Return the fingerprints that must not change: of the engine, the method and the genome."""
    return {"engine": fingerprint(), "method": method(), "genome": genome.digest()}


@lru_cache(maxsize=8)
def _card_pool(ruleset: str) -> dict[str, list[str]]:
    """Return the random pools of a ruleset, cached, as many runs share them."""
    return pool_report(ruleset)


def part_name(execution: int, number: int) -> str:
    """Return the name of a generation's file of matches; names sort in order of generations."""
    return f"execution-{execution:02}-generation-{number:06}.parquet"


# Files that exist only after a first checkpoint: those of a second generation, or `done`.
LATER = ("done", *(f"{MATCHES}/{part_name(*key)}" for key in ((1, 1), (2, 0))))


def modules_in(name: str) -> str:
    """Return where a run folder has the modules of a Python file: "strategy/" for "strategy.py"."""
    return name.removesuffix(".py") + "/"


def line(name: str, data: bytes) -> bytes:
    """Return the line of a file of matches in matches.sha256."""
    return sums.line(sums.of(data), f"{MATCHES}/{name}")


def read(text: str) -> dict[str, str]:
    """Return the sums in matches.sha256 by the names of the files. Raises ValueError."""
    return {name.removeprefix(f"{MATCHES}/"): known for name, known in sums.read(text).items()}


def of_first(data: bytes) -> bytes:
    """Return the lines of a table, or of SUMS, that are of the first execution, and the heading."""
    lines = ((line, _KEY.match(line)) for line in data.splitlines(keepends=True))
    return b"".join(line for line, key in lines if key is None or int(key[1]) == 1)


def refuse_others(path: Path, size: int, begun: set[tuple[int, int]]) -> None:
    """Raise RunError if a table has lines after `size` bytes of any generation that is not begun.

    Others were committed, so the checkpoint is not the right one.
    begun: execution and number of each generation that may have been begun.
    """
    if not path.exists():
        return
    check_regular(path)
    with path.open("rb") as file:
        file.seek(size)
        lines = file.read().splitlines(keepends=True)
    for row in lines:
        key = _KEY.match(row)
        if key and row.endswith(b"\n") and (int(key[1]), int(key[2])) not in begun:
            raise RunError(f"{path.parent} is damaged: {path.name} has more generations than"
                           " checkpoint.json; restore the matching checkpoint. Nothing was changed")


ARCHIVE = tables.ARCHIVE.name  # of a map, once it is done
EARLIER = "earlier"


class OwnMethods(NamedTuple):
    """Describe the optional methods of the user's own strategy.

    logged: names of the numbers of its method log. recommends: whether it has a method best.
    """

    logged: tuple[str, ...] = ()
    recommends: bool = False


PLAIN = OwnMethods()


class Start(NamedTuple):
    """Hold the last committed generation, after which a run continues."""

    execution: int
    number: int
    survivors: tuple[int, ...]  # their ids, in order as parents
    random_state: tuple[Any, ...]


class RunFolder(Folder[Config]):
    """Open the folder of an evolution, for code that reads its matches and agents.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Raises
    ------
    RunError
        If the folder has no such run, or is damaged.
    """

    KIND, FORMATS, PLAN = KIND, FORMATS, Config
    COMMIT, TABLES = "checkpoint.json", TABLES
    SPEC = "eva:RUN#ID"

    start: Start | None
    _parts: dict[str, str] | None  # SHA-256 of the files of matches

    @classmethod
    def make(cls, path: Path, plan: Config, decks: Sequence[Deck],
               references: Mapping[str, Array] | None = None,
               opponents: StoredOpponents | None = None,
               files: Mapping[str, Code] | None = None,
               methods: OwnMethods = PLAIN) -> Self:
        """Create and lock the folder of a run, completely or not at all.

        files: Python files of the user that make its generations, by their names in the folder.
        methods: of the user's own strategy.
        """
        genome = evolved_genome(plan, [deck.name for deck in decks])
        others = {"cma-es": "es", "cma-me": "map-elites"}
        if genome.size < 2 and (strategy := plan.evolution.strategy) in others:
            raise AgentError(f"'{plan.agent.kind}' has one weight, and {strategy} needs two; take"
                             f" evolution.strategy={others[strategy]}")
        run = cls._make(path, plan, marks(genome), {
            "decks": [deck.data() for deck in decks], "card_pool": _card_pool(plan.ruleset),
            "database": closed.digest(plan.information),
            "references": reference_data(references or {}),
            "opponents": opponents.data() if opponents else [],
            "methods": methods._asdict()},
            named=path.name, folders=[MATCHES],
            files={file: text for name, code in (files or {}).items()
                   for file, text in [(name, code.text), *(
                       (modules_in(name) + module, text) for module, text in code.modules)]})
        run._lock = lock(path)
        return run

    @cached_property
    def names(self) -> tuple[str, str, str]:
        """Names of its tables: population, statistics, references."""
        return table_names(self.about["format"])

    @cached_property
    def genome(self) -> Genome:
        """Genome that evolves.

        Raises
        ------
        AgentError
            If there is none.
        """
        names = [deck.name for deck in self.decks] if self.plan.agent.genome != "one" else ()
        return evolved_genome(self.plan, names)

    @classmethod
    def _tables_of(cls, number: int) -> tuple[str, ...]:
        return *table_names(number), SUMS

    def _placeholders(self) -> dict[str, Sequence[str]]:
        """Return the names of its weights, of the axes of its map, and of logged numbers."""
        return {"weight": self.genome.names, "feature": self.features,
                "logged": self.methods.logged}

    @cached_property
    def tables(self) -> dict[str, DataTable]:
        """Tables by the names of their files in this format."""
        now = dict(zip(table_names(FORMAT), self.names, strict=True))
        return {now.get(name, name): replace(table, name=now.get(name, name))
                for name, table in super().tables.items()}

    def _marks(self) -> dict[str, str]:
        return marks(self.genome)

    def _refuse_other_results(self) -> None:
        """Raise RunError also if the deck database of closed lists has changed."""
        super()._refuse_other_results()
        known, file = self.about.get("database"), config.parts(self.plan.information)[1]
        if known and known != closed.digest(self.plan.information):
            raise RunError(f"the deck database {file} has changed since {self.path} was begun, so"
                           " the results would differ; restore it or begin a new run")

    @property
    def config(self) -> Config:
        """Settings of the run."""
        return self.plan

    @property
    def features(self) -> tuple[str, ...]:
        """Axes of its map, or the features that its strategy is told."""
        return self.plan.evolution.axes

    @cached_property
    def methods(self) -> OwnMethods:
        """Optional methods of the user's own strategy."""
        with self._reading("methods"):
            methods = self.about.get("methods", {})
            return OwnMethods(checks.logged(methods.get("logged", [])),
                              methods.get("recommends") is True)

    @property
    def match_names(self) -> tuple[str, ...]:
        """Columns of its matches."""
        watched = (WATCHED.names or ()) if self.plan.evolution.watches else ()
        return (*MATCH_COLUMNS, *(name for name in watched
                                  if name not in (*MATCH_COLUMNS, "faults")))

    @cached_property
    def decks(self) -> tuple[Deck, ...]:
        """Decks at the beginning of the run, even if their files have changed."""
        with self._reading("decks"):
            return checks.decks(self.about["decks"], self.plan.ruleset, len(self.plan.all_decks))

    @property
    def own_decks(self) -> tuple[Deck, ...]:
        """Decks that individuals play, without decks that only fixed opponents play."""
        return self.decks[:len(self.config.decks)]

    @property
    def opponents(self) -> StoredOpponents:
        """Fixed opponents at the beginning of the run, even if their files have changed."""
        fixed = self.config.rating.opponents
        with self._reading("opponents"):
            return StoredOpponents.of(self.about.get("opponents", []), len(self.decks),
                                fixed.agents if fixed else ())

    @property
    def reference_agents(self) -> dict[str, Array]:
        """Reference opponents at the beginning of the run, AGENT (1,) or (1, d, d), by spec."""
        wanted = self.config.references
        with self._reading("references"):
            return references_of(self.about.get("references", {}), len(self.own_decks),
                                 wanted.against if wanted else ())

    @property
    def kind(self) -> str:
        """Agent family that evolves, without options."""
        return self.config.agent.kind.partition("?")[0]

    def python_file(self, name: str) -> bytes:
        """Return the text of a Python file of the user as it was at the beginning.

        Parameters
        ----------
        name : str
            Its name in the folder.

        Returns
        -------
        bytes
            The text.

        Raises
        ------
        RunError
            If it is damaged.
        """
        text = read_bytes(self.path / name)
        if sums.of(text) != self.about.get("sha256", {}).get(name):
            raise RunError(f"{self.path / name} is damaged: {sums.DIFFERS}")
        return text

    def python_modules(self, name: str) -> Modules:
        """Return the modules that a Python file of the user imported from its own folder.

        Parameters
        ----------
        name : str
            Name of the file in the folder.

        Returns
        -------
        tuple of (str, bytes)
            Their paths in the folder of the file, and their texts.

        Raises
        ------
        RunError
            If one is damaged.
        """
        folder = modules_in(name)
        with undamaged(self.path / "about.json"):
            paths = sorted(checks.module(path.removeprefix(folder))
                           for path in self.about.get("sha256", {}) if path.startswith(folder))
        return tuple((path, self.python_file(folder + path)) for path in paths)

    @property
    def setting(self) -> match.Setting:
        """Setting with which a worker plays games of the run."""
        plan = self.config
        return match.Setting(ruleset=plan.ruleset, decks=self.decks, information=plan.information,
                             max_turns=plan.max_turns)

    def _lines_of(self, generation: Generation) -> dict[str, pd.DataFrame]:
        tables = (population_table(generation, self.genome.names, self.features),
                  statistics_table(generation), generation.references)
        return {name: table for name, table in zip(self.names, tables, strict=True)
                if table is not None}

    def _files(self, generation: Generation) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """Write the file of matches of a generation, and return its line of matches.sha256."""
        part = part_name(generation.execution, generation.number)
        matches = parquet_bytes(match_arrays(generation, self.decks))
        write_whole(self.path / MATCHES / part, matches)
        return {SUMS: line(part, matches)}, {}

    def append(self, generation: Generation) -> None:
        super().append(generation)
        self.start, self._parts = _start(generation), None

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str],
                      generation: Generation | None = None) -> bytes:
        state = (read_json(self.path / self.COMMIT) | {"sizes": dict(sizes)} if generation is None
                 else generation.state(dict(sizes)))
        return sums.sign(state, self.COMMIT, dict(digests))

    @property
    def _finished(self) -> str:
        return f"{self.plan.executions} x {self.plan.evolution.generations} generations"

    def _finish(self, files: Mapping[str, bytes] | None = None) -> None:
        """Write the results of the end, if there are any, and mark the run as finished."""
        with writing(self.path):
            shutil.rmtree(self.path / EARLIER, ignore_errors=True)
        super()._finish(files)

    def _set_aside(self, last: Generation) -> None:
        """Return to the last generation of the first execution, and keep a copy in EARLIER.

        If the process is killed, the run is unchanged, or as if it had been killed after that
        generation.
        """
        with writing(self.path):
            (self.path / "done").unlink(missing_ok=True)
            shutil.rmtree(self.path / EARLIER, ignore_errors=True)
        self._copy(self.path / EARLIER)
        parts = {name: of_first(self._part(name)) for name in self.growing}
        self.sizes = {name: len(data) for name, data in parts.items()}
        self._hashes = {name: hashlib.sha256(data) for name, data in parts.items()}
        self.digests.pop(ARCHIVE, None)
        self._commit({}, {}, last)
        self.start, self._parts = _start(last), None
        self._cut()

    def _copy(self, path: Path) -> None:
        """Copy the committed content, without the results of the end."""
        with whole_folder(path) as new:
            shutil.copytree(self.path / MATCHES, new / MATCHES)
            for name in ("config.yaml", "about.json", self.COMMIT):
                shutil.copyfile(self.path / name, new / name)
            for name in self.growing:
                write_whole(new / name, self._part(name))

    def _forget_references(self) -> None:
        """Remove the lines of the last generation from references.csv."""
        assert self.start is not None
        self._take_back(self.names[2], (f"{self.start.execution},{self.start.number},",))

    def _forget_archive(self) -> None:
        """Remove archive.csv, which is made at the end."""
        self._take_back(self.names[2], (), [ARCHIVE] if ARCHIVE in self.digests else [])

    def fields(self, execution: int) -> list[Array]:
        """Return the rated population of every committed generation of an execution.

        Parameters
        ----------
        execution : int
            Number of the execution, from 1.

        Returns
        -------
        list of ndarray of INDIVIDUAL
            One array for each generation.
        """
        population = self.table(self.names[0])
        return [individuals(population, execution, number)
                for its_execution, number in self.committed() if its_execution == execution]

    def matches_of(self, execution: int, number: int) -> pd.DataFrame:
        """Read the matches of one generation.

        Parameters
        ----------
        execution : int
            Number of the execution, from 1.
        number : int
            Number of the generation, from 0.

        Returns
        -------
        pandas.DataFrame
            The matches.

        Raises
        ------
        RunError
            If the file is missing or damaged.
        """
        table = self._matches(execution, number, self.match_names)
        # Anyone may write the metadata of a schema.
        matches: pd.DataFrame = table.replace_schema_metadata(None).to_pandas()
        return matches

    def match_columns(self, execution: int, number: int,
                      names: Sequence[str] = MATCH_COLUMNS) -> dict[str, Array]:
        """Read some columns of matches as arrays, faster than `matches_of`.

        Parameters
        ----------
        execution : int
            Number of the execution, from 1.
        number : int
            Number of the generation, from 0.
        names : sequence of str, optional
            Names of the columns.

        Returns
        -------
        dict of str to ndarray
            The columns. Decks are objects.

        Raises
        ------
        RunError
            If the file is missing or damaged.
        """
        table = self._matches(execution, number, names)
        return {name: table.column(name).to_numpy() for name in names}

    def _matches(self, execution: int, number: int, names: Sequence[str]) -> Any:
        """Return columns of a file of matches, a pyarrow.Table, after checking its SHA-256."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        part = self.path / MATCHES / part_name(execution, number)
        data = read_bytes(part)
        with undamaged(part):
            if self.digests and sums.of(data) != self._match_digests().get(part.name):
                raise ValueError(sums.DIFFERS)
            try:
                file = pq.ParquetFile(pa.BufferReader(arrow_buffer(data)))
                return checks.matches(file, self.plan, names)
            except (OSError, pa.ArrowException) as error:
                raise ValueError(str(error)) from None

    def _match_digests(self) -> dict[str, str]:
        """Return the SHA-256 of the files of matches by their names."""
        if self._parts is None:
            with undamaged(self.path / SUMS):
                self._parts = read(self._part(SUMS).decode("ascii"))
        return self._parts

    def committed(self) -> Iterator[tuple[int, int]]:
        """Yield execution and number of every committed generation, in order.

        Yields
        ------
        tuple of int
            Execution, from 1, and generation, from 0.
        """
        if self.start is not None:
            for execution in range(1, self.start.execution + 1):
                last = execution == self.start.execution
                end = self.start.number + 1 if last else self.config.evolution.generations
                yield from ((execution, number) for number in range(end))

    def table(self, name: str) -> pd.DataFrame:
        table = super().table(name)
        if name == self.names[0]:
            with undamaged(self.path / name):
                checks.check_weights(table, self.genome)
        return table

    def _take(self) -> None:
        path = self.path / self.COMMIT
        _ = self.genome
        self.start = self._parts = None
        if not path.exists():
            if any((self.path / name).exists() for name in LATER):
                raise self._gone()
            return
        state = read_json(path)
        with undamaged(path):
            self.digests = sums.check(state, self.COMMIT)
            if "sha256" in self.about and not self.digests:
                raise ValueError("its SHA-256 sums are missing")
            self.sizes = {name: int(state["sizes"][name]) for name in
                          (self.growing if self.digests else self.names)}
            self.sizes.setdefault(SUMS, 0)
            execution, number = int(state["execution"]), int(state["generation"])
            checks.check_moment(self.plan, execution, number, self.sizes["statistics.csv"])
            random = checks.random_state(state["random_state"])
        population = self.table(self.names[0])
        with undamaged(path):
            checks.check_generations(population, self.plan, execution, number)
            survivors = tuple(individuals(population, execution, number,
                                          state["survivors"])["id"].tolist())
            fewer = self.plan.evolution.own and 0 < len(survivors) < self.plan.evolution.mu
            if len(survivors) != self.plan.evolution.mu and not fewer:
                raise ValueError(f"{len(survivors)} survivors, not mu")
            self.start = Start(execution, number, survivors, random)

    @property
    def next(self) -> tuple[int, int]:
        """Execution and number of the generation after the last committed generation."""
        if self.start is None:
            return 1, 0
        if self.start.number + 1 < self.plan.evolution.generations:
            return self.start.execution, self.start.number + 1
        return self.start.execution + 1, 0

    def _check(self) -> None:
        """Refuse missing files, and uncommitted files of any generation but the next."""
        with writing(self.path):
            (self.path / MATCHES).mkdir(exist_ok=True)
            present = {path.name for path in (self.path / MATCHES).glob("execution-*")}
        committed = {part_name(*key) for key in self.committed()}
        if committed - present:
            raise RunError(f"{self.path} is damaged: {min(committed - present)} is missing")
        if (self.path / EARLIER).exists():
            return  # what `_set_aside` did not cut off before it was killed is there, too
        if more := present - committed - {part_name(*self.next)}:
            raise RunError(f"{self.path} is damaged: {min(more)} is not of a generation of"
                           " checkpoint.json; nothing was changed")
        for name in self.growing if self.digests else self.names:
            refuse_others(self.path / name, self.sizes[name], self._begun(name))

    def _begun(self, name: str) -> set[tuple[int, int]]:
        """Return the generations that may have lines of a table after its committed part.

        The next one, which may have been begun; and in references.csv the last one, whose lines a
        killed `_forget_references` may have left.
        """
        if self.start is None or name != self.names[2]:
            return {self.next}
        return {self.next, (self.start.execution, self.start.number)}

    def _clear(self) -> None:
        folder = self.path / MATCHES
        committed = {part_name(*key) for key in self.committed()}
        for left in (*folder.glob("execution-*"), *folder.glob(TEMPORARY[0])):
            if left.name not in committed:
                left.unlink(missing_ok=True)
        if self.start and not self.digests:  # begun without SHA-256: add them
            names = sorted(part_name(*key) for key in self.committed())
            listing = b"".join(line(name, (folder / name).read_bytes()) for name in names)
            self.sizes[SUMS] = append(self.path / SUMS, listing)
            self._hashes[SUMS].update(listing)


def _start(generation: Generation) -> Start:
    return Start(generation.execution, generation.number, generation.survivors,
                 generation.random_state)
