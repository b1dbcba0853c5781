"""The folder of a run of hsevo evolve: its files, their formats, and how generations are committed.

    config.yaml       the resolved config                  about.json      versions, engine, decks
    population.csv    every individual, by generation      statistics.csv  one line per generation
    matches.parquet/  every match, a file per generation   references.csv  the best against others
    checkpoint.json   the last committed generation        log.txt         what happened when
    done              exists when the run is finished      matches.sha256  a line for each file of
    archive.csv       the elites of a map, at the end                      matches.parquet/
    champion.json     the best, once it was asked for      earlier         a copy from before it was
                      (strength/champion_file.py)                          prolonged (`set_aside`)

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
    "confirm", "evolve", "fitness", "references", "stored", "strategies")),
    "play/behaviour.py", "play/tournament.py", "runs/tables.py", "strength/archive.py",
    "strength/lineup.py", "strength/rating.py", "seeds.py")


def method() -> str:
    """Return a fingerprint of how generations are made and rated: of sources and libraries.

    It depends on what the sources mean; comments, docstrings and messages do not change it.
    """
    ours = sources.remembered("method", lambda: sources.digest(METHOD_SOURCES))
    return short_digest(f"{version('inspyred')} {version('cma')} {ours}")


def marks(genome: Genome) -> dict[str, str]:
    """Return the fingerprints with which a run goes on: of the engine, the method, the genome."""
    return {"engine": fingerprint(), "method": method(), "genome": genome.digest()}


@lru_cache(maxsize=8)
def _card_pool(ruleset: str) -> dict[str, list[str]]:
    """Return the random pools of a ruleset, which takes time and is alike for many runs."""
    return pool_report(ruleset)


def part_name(execution: int, number: int) -> str:
    """Return the name of a generation's file of matches; names sort in order of generations."""
    return f"execution-{execution:02}-generation-{number:06}.parquet"


# Files that exist only after a first checkpoint: those of a second generation, or `done`.
LATER = ("done", *(f"{MATCHES}/{part_name(*key)}" for key in ((1, 1), (2, 0))))


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
        found = _KEY.match(row)
        if found and row.endswith(b"\n") and (int(found[1]), int(found[2])) not in begun:
            raise RunError(f"{path.parent} is damaged: {path.name} has more generations than"
                           " checkpoint.json knows of; bring back the checkpoint that belongs to"
                           " it. Nothing was cut off")


ARCHIVE = tables.ARCHIVE.name  # of a map, once it is done
EARLIER = "earlier"


class Start(NamedTuple):
    """The last committed generation, after which a run goes on."""

    execution: int
    number: int
    survivors: tuple[int, ...]  # their ids, in order as parents
    random_state: tuple[Any, ...]


class RunFolder(Folder[Config]):
    """The folder of an evolution, as all that reads its matches and agents sees it."""

    KIND, FORMATS, PLAN = KIND, FORMATS, Config
    COMMIT, TABLES = "checkpoint.json", TABLES
    SPEC = "eva:RUN#ID"

    start: Start | None
    _parts: dict[str, str] | None  # SHA-256 of the files of matches

    @classmethod
    def make(cls, path: Path, plan: Config, decks: Sequence[Deck],
               references: Mapping[str, Array] | None = None,
               opponents: StoredOpponents | None = None) -> Self:
        """Make the folder, whole or not at all, and lock it.

        references: the reference opponents, AGENT (1,) or (1, d, d) by spec. opponents: the fixed
        ones that all individuals meet. Raises RunError if the folder is in use, AgentError if there
        is no such agent, or it can't evolve so.
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
            "opponents": opponents.data() if opponents else []},
            named=path.name, folders=[MATCHES])
        run._lock = lock(path)
        return run

    @cached_property
    def names(self) -> tuple[str, str, str]:
        """The names of its tables: population, statistics, references."""
        return table_names(self.about["format"])

    @cached_property
    def genome(self) -> Genome:
        """The genome that it evolves. Raises AgentError if there is none."""
        names = [deck.name for deck in self.decks] if self.plan.agent.genome != "one" else ()
        return evolved_genome(self.plan, names)

    @classmethod
    def tables_of(cls, number: int) -> tuple[str, ...]:
        """Return the names of the files that grow, in a format."""
        return *table_names(number), SUMS

    def given(self) -> dict[str, Sequence[str]]:
        """Return its weights, and the axes of its map."""
        return {"weight": self.genome.names, "feature": self.features}

    @cached_property
    def tables(self) -> dict[str, DataTable]:
        """Its tables by the names of their files, as they are called in its format."""
        now = dict(zip(table_names(FORMAT), self.names, strict=True))
        return {now.get(name, name): replace(table, name=now.get(name, name))
                for name, table in super().tables.items()}

    def marks(self) -> dict[str, str]:
        """Return the fingerprints with which it goes on: of the engine, the method, the genome."""
        return marks(self.genome)

    def _refuse_other_results(self) -> None:
        """Raise RunError also if the deck database of closed lists is not what it was."""
        super()._refuse_other_results()
        known, file = self.about.get("database"), config.parts(self.plan.information)[1]
        if known and known != closed.digest(self.plan.information):
            raise RunError(f"the deck database {file} has changed since {self.path} was begun: the"
                           " results would differ; bring it back, or begin a new run")

    @property
    def config(self) -> Config:
        """Its settings."""
        return self.plan

    @property
    def features(self) -> tuple[str, ...]:
        """The axes of its map, if it draws one."""
        return self.plan.evolution.features if self.plan.evolution.maps else ()

    @property
    def match_names(self) -> tuple[str, ...]:
        """The columns of its matches."""
        return (*MATCH_COLUMNS, *(name for name in WATCHED.names or () if self.features
                                  and name not in (*MATCH_COLUMNS, "faults")))

    @cached_property
    def decks(self) -> tuple[Deck, ...]:
        """The decks as they were when the run began, even if their files have changed."""
        with self.reading("decks"):
            return checks.decks(self.about["decks"], self.plan.ruleset, len(self.plan.all_decks))

    @property
    def own_decks(self) -> tuple[Deck, ...]:
        """The decks that individuals play, without those of their fixed opponents alone."""
        return self.decks[:len(self.config.decks)]

    @property
    def opponents(self) -> StoredOpponents:
        """The fixed opponents as they were when the run began, whatever their files say now."""
        fixed = self.config.rating.opponents
        with self.reading("opponents"):
            return StoredOpponents.of(self.about.get("opponents", []), len(self.decks),
                                fixed.agents if fixed else ())

    @property
    def reference_agents(self) -> dict[str, Array]:
        """The reference opponents as they were when it began, AGENT (1,) or (1, d, d) by spec."""
        wanted = self.config.references
        with self.reading("references"):
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

    def lines_of(self, generation: Generation) -> dict[str, pd.DataFrame]:
        """Return the lines of a generation, by table."""
        tables = (population_table(generation, self.genome.names, self.features),
                  statistics_table(generation), generation.references)
        return {name: table for name, table in zip(self.names, tables, strict=True)
                if table is not None}

    def files(self, generation: Generation) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """Write the file of matches of a generation; return its line of matches.sha256."""
        part = part_name(generation.execution, generation.number)
        matches = parquet_bytes(match_arrays(generation, self.decks))
        write_whole(self.path / MATCHES / part, matches)
        return {SUMS: line(part, matches)}, {}

    def append(self, generation: Generation) -> None:
        """Add a generation and commit it. Raises RunError; earlier commits stay valid."""
        super().append(generation)
        self.start, self._parts = _start(generation), None

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str],
                      generation: Generation | None = None) -> bytes:
        state = (read_json(self.path / self.COMMIT) | {"sizes": dict(sizes)} if generation is None
                 else generation.state(dict(sizes)))
        return sums.sign(state, self.COMMIT, dict(digests))

    @property
    def finished(self) -> str:
        """What it has when it is finished, in words."""
        return f"{self.plan.executions} x {self.plan.evolution.generations} generations"

    def finish(self, files: Mapping[str, bytes] | None = None) -> None:
        """Write what was made at the end, if anything was, and mark the run as finished."""
        with writing(self.path):
            shutil.rmtree(self.path / EARLIER, ignore_errors=True)
        super().finish(files)

    def set_aside(self, last: Generation) -> None:
        """Go back to the last generation of the first execution, and keep a copy of all in EARLIER.

        A process that is killed meanwhile leaves the run as it was, or as if it had been killed
        after that generation. Raises RunError.
        """
        with writing(self.path):
            (self.path / "done").unlink(missing_ok=True)
            shutil.rmtree(self.path / EARLIER, ignore_errors=True)
        self._copy(self.path / EARLIER)
        kept = {name: of_first(self.part(name)) for name in self.growing}
        self.sizes = {name: len(data) for name, data in kept.items()}
        self._hashes = {name: hashlib.sha256(data) for name, data in kept.items()}
        self.digests.pop(ARCHIVE, None)
        self._commit({}, {}, last)
        self.start, self._parts = _start(last), None
        self._cut()

    def _copy(self, path: Path) -> None:
        """Copy what is committed, without what was made at the end."""
        with whole_folder(path) as new:
            shutil.copytree(self.path / MATCHES, new / MATCHES)
            for name in ("config.yaml", "about.json", self.COMMIT):
                shutil.copyfile(self.path / name, new / name)
            for name in self.growing:
                write_whole(new / name, self.part(name))

    def forget_references(self) -> None:
        """Take the last generation's lines out of references.csv. Raises RunError."""
        assert self.start is not None
        self._take_back(self.names[2], (f"{self.start.execution},{self.start.number},",))

    def forget_archive(self) -> None:
        """Take away archive.csv, which is made at the end. Raises RunError."""
        self._take_back(self.names[2], (), [ARCHIVE] if ARCHIVE in self.digests else [])

    def fields(self, execution: int) -> list[Array]:
        """Return the rated field of every committed generation of an execution, INDIVIDUAL."""
        population = self.table(self.names[0])
        return [individuals(population, execution, number)
                for other, number in self.committed() if other == execution]

    def matches_of(self, execution: int, number: int) -> pd.DataFrame:
        """Read the matches of one generation. Raises RunError if missing or damaged."""
        table = self._matches(execution, number, self.match_names)
        found: pd.DataFrame = table.replace_schema_metadata(None).to_pandas()  # anyone may write it
        return found

    def match_columns(self, execution: int, number: int,
                      names: Sequence[str] = MATCH_COLUMNS) -> dict[str, Array]:
        """Read some columns as arrays, faster than `matches_of`; decks as objects."""
        table = self._matches(execution, number, names)
        return {name: table.column(name).to_numpy() for name in names}

    def _matches(self, execution: int, number: int, names: Sequence[str]) -> Any:
        """Return columns of a file of matches, a pyarrow.Table, after checking its SHA-256."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        part = self.path / MATCHES / part_name(execution, number)
        data = read_bytes(part)
        with undamaged(part):
            if self.digests and sums.of(data) != self.parts().get(part.name):
                raise ValueError(sums.DIFFERS)
            try:
                file = pq.ParquetFile(pa.BufferReader(arrow_buffer(data)))
                return checks.matches(file, self.plan, names)
            except (OSError, pa.ArrowException) as error:
                raise ValueError(str(error)) from None

    def parts(self) -> dict[str, str]:
        """Return the SHA-256 of the files of matches by their names. Raises RunError if damaged."""
        if self._parts is None:
            with undamaged(self.path / SUMS):
                self._parts = read(self.part(SUMS).decode("ascii"))
        return self._parts

    def committed(self) -> Iterator[tuple[int, int]]:
        """Yield (execution, generation) of every committed generation, in order."""
        if self.start is not None:
            for execution in range(1, self.start.execution + 1):
                last = execution == self.start.execution
                end = self.start.number + 1 if last else self.config.evolution.generations
                yield from ((execution, number) for number in range(end))

    def table(self, name: str) -> pd.DataFrame:
        """Return the committed part of a table. Raises RunError if it is damaged."""
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
                raise ValueError("its SHA-256 are gone")
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
            if len(survivors) != self.plan.evolution.mu:
                raise ValueError(f"{len(survivors)} survivors, not mu")
            self.start = Start(execution, number, survivors, random)

    @property
    def next(self) -> tuple[int, int]:
        """Return execution and number of the generation after the last committed one."""
        if self.start is None:
            return 1, 0
        if self.start.number + 1 < self.plan.evolution.generations:
            return self.start.execution, self.start.number + 1
        return self.start.execution + 1, 0

    def _check(self) -> None:
        """Refuse missing files, and those of others than the next generation, to be cut off."""
        with writing(self.path):
            (self.path / MATCHES).mkdir(exist_ok=True)
            present = {path.name for path in (self.path / MATCHES).glob("execution-*")}
        kept = {part_name(*key) for key in self.committed()}
        if kept - present:
            raise RunError(f"{self.path} is damaged: {min(kept - present)} is missing")
        if (self.path / EARLIER).exists():
            return  # what `set_aside` did not cut off before it was killed is there, too
        if more := present - kept - {part_name(*self.next)}:
            raise RunError(f"{self.path} is damaged: {min(more)} is of no generation that"
                           " checkpoint.json knows of; nothing was cut off")
        for name in self.growing if self.digests else self.names:
            refuse_others(self.path / name, self.sizes[name], self._begun(name))

    def _begun(self, name: str) -> set[tuple[int, int]]:
        """Return the generations that may have lines of a table after its committed part.

        The next one, which may have been begun; and in references.csv the last one, whose lines a
        killed `forget_references` may have left.
        """
        if self.start is None or name != self.names[2]:
            return {self.next}
        return {self.next, (self.start.execution, self.start.number)}

    def _clear(self) -> None:
        folder = self.path / MATCHES
        kept = {part_name(*key) for key in self.committed()}
        for left in (*folder.glob("execution-*"), *folder.glob(TEMPORARY[0])):
            if left.name not in kept:
                left.unlink(missing_ok=True)
        if self.start and not self.digests:  # begun without SHA-256: add them
            names = sorted(part_name(*key) for key in self.committed())
            found = b"".join(line(name, (folder / name).read_bytes()) for name in names)
            self.sizes[SUMS] = append(self.path / SUMS, found)
            self._hashes[SUMS].update(found)


def _start(generation: Generation) -> Start:
    return Start(generation.execution, generation.number, generation.survivors,
                 generation.random_state)
