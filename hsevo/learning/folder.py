"""The folder of a learning run: the only file that knows its file names and columns.

    config.yaml      the resolved plan              about.json      versions, engine, decks, agents
    checkpoints/     the net after each period      learning.csv    one line per period
    references.csv   the learner against others     payoff.csv      all checkpoints against all
    times.csv        CPU seconds of each period     log.txt         what happened when
    state.npz        what the learner needs to go on: weights, moments, opponents; the commit
    opponent.pt      of an end-to-end policy: the one that it meets alone, if that is another one
    done             exists when the run is finished

A period is committed by renaming state.npz into place, which holds the sizes of the tables. When a
killed run is resumed, what was written after that is cut off and computed again, bit-identical.
Only times.csv, log.txt and about.json contain times.
"""

from __future__ import annotations

import io
import json
import os
import platform
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
import pandas as pd
from filelock import FileLock

from hsevo import __version__, config, sources
from hsevo.cards.decks import Deck
from hsevo.config.learning import END_TO_END, Plan
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError, brief, name_problem, quoted
from hsevo.files import (
    append,
    check_regular,
    lock,
    read_bytes,
    read_table,
    read_text,
    refuse_full,
    refuse_link,
    whole_folder,
    write_whole,
    writing,
)
from hsevo.play import match
from hsevo.play.cast import agent_data, agent_of, deck_data
from hsevo.runs import checkpoints, checks
from hsevo.runs.about import LEARNED, processor, short_digest

Array: TypeAlias = npt.NDArray[Any]
FORMAT = 1
# How a learner learns, apart from the engine.
METHOD_SOURCES = ("learning/gradient.py", "learning/learner.py", "learning/train.py",
                  "learning/measures.py", "learning/osfp.py", "agents/nets.py", "seeds.py")
END_TO_END_SOURCES = ("learning/end_to_end", "learning/losses.py", "learning/measures.py",
                      "learning/osfp.py", "seeds.py")
TABLES = ("learning.csv", "references.csv", "times.csv")
LEARNING = ("period", "games", "positions", "loss", "loss_after", "pool", "added", "reason")
END_TO_END_LEARNING = ("period", "games", "positions", "loss", "policy", "upgo", "value",
                       "entropy", "pool", "added", "reason")
REFERENCES = ("period", "opponent", "games", "wins", "draws", "rate", "rate_low", "rate_high")
TIMES = ("period", "cpu_seconds")
PAYOFF = ("a", "b", "games", "wins_a", "wins_b", "draws", "rate", "rate_low", "rate_high")
COLUMNS = {"learning.csv": LEARNING, "references.csv": REFERENCES, "times.csv": TIMES,
           "payoff.csv": PAYOFF}
WORDS = ("opponent", "a", "b")  # columns without numbers, but for `reason`, which may be empty


def method(policy: str = "afterstate") -> str:
    """Return a fingerprint of how a learner learns, which comments do not change.

    Raises ConfigError for an end-to-end policy without PyTorch.
    """
    if policy == END_TO_END:
        import_module("hsevo.learning.end_to_end")  # says what to install
        ours = sources.remembered(policy, lambda: sources.digest(END_TO_END_SOURCES))
        return short_digest(f"{np.__version__} {version('torch')} {ours}")
    ours = sources.remembered("learning", lambda: sources.digest(METHOD_SOURCES))
    return short_digest(f"{np.__version__} {ours}")


class LearningRun:
    """The folder of a learning run, to read; `resume` locks it, to write."""

    def __init__(self, path: Path, plan: Plan, about: Mapping[str, Any]) -> None:
        self.path, self.plan, self.about = path, plan, about
        self.sizes = dict.fromkeys(TABLES, 0)
        self._lock: FileLock | None = None

    @classmethod
    def create(cls, path: Path, plan: Plan, decks: Sequence[Deck],
               agents: Mapping[str, Array], files: Mapping[str, bytes] | None = None) -> Self:
        """Make the folder, whole or not at all. Raises RunError.

        agents: all that the plan names. files: further ones by name, with what is in them.
        """
        if problem := name_problem(path.name):
            raise RunError(f"the name of a run folder, {quoted(path.name)}, {problem}")
        if sign := next((sign for sign in "#?," if sign in str(path)), ""):
            raise RunError(f"a run folder can't have '{sign}' in its path ({path}): specs such as"
                           " rl:RUN#CHECKPOINT could not name it")
        refuse_full(path, "learn")
        text = config.dump(plan)
        about = {
            "kind": LEARNED, "format": FORMAT, "version": __version__, "engine": fingerprint(),
            "method": method(plan.policy), "config": short_digest(text),
            "started": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}",
            "machine": platform.platform(), "processor": processor(),
            "python": platform.python_version(), "numpy": np.__version__,
            "decks": [deck_data(deck) for deck in decks],
            "agents": {name: agent_data(agent[0]) for name, agent in agents.items()}}
        with whole_folder(path) as new:
            (new / checkpoints.FOLDER).mkdir()
            write_whole(new / "config.yaml", text.encode())
            write_whole(new / "about.json", (json.dumps(about, indent=1) + "\n").encode())
            for name, data in (files or {}).items():
                write_whole(new / name, data)
        return cls(path, plan, about)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a folder to read it. Raises RunError if it is none, too new or damaged."""
        if not is_learning(path):
            raise RunError(f"{path} is no run folder of hsevo learn")
        about = json.loads(read_text(path / "about.json"))
        if about.get("format") != FORMAT:
            raise RunError(f"{path} has format {brief(about.get('format'))}, and this hsevo reads"
                           f" format {FORMAT}; use hsevo {brief(about.get('version'))}")
        text = config.read_text(path / "config.yaml")
        if about.get("config") != short_digest(text):
            raise RunError(f"{path / 'config.yaml'} is not what it was when the run began; bring it"
                           " back")
        plan = config.check(Plan, config.parse(text, "config.yaml"), str(path / "config.yaml"))
        run = cls(path, plan, about)
        state = run.state()
        run.sizes = state["sizes"] if state else run.sizes
        return run

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Open and lock a folder to go on, without what was not committed. Raises RunError."""
        run = cls.open(path)
        for what, now in (("engine", fingerprint()), ("method", method(run.plan.policy))):
            if run.about.get(what) != now:
                raise RunError(f"{path} was begun with the {what} {brief(run.about.get(what))} of"
                               f" hsevo {brief(run.about.get('version'))}, and this is {now} of"
                               f" {__version__}: the results would differ; install that version,"
                               " or begin a new run")
        run._lock = lock(path)
        try:
            run._cut()
        except BaseException:
            run.close()
            raise
        return run

    def _cut(self) -> None:
        """Discard what was written after the last commit. Raises RunError, before it does.

        Read again under the lock: another process may have gone on since the folder was opened.
        """
        state = self.state()
        self.sizes = state["sizes"] if state else dict.fromkeys(TABLES, 0)
        for name in (*TABLES, "log.txt"):
            refuse_link(self.path / name)
        for name, size in self.sizes.items():
            if size and self._size_of(name) < size:
                raise RunError(f"{self.path / name} is damaged: it is shorter than when it was"
                               " committed")
        with writing(self.path):
            for name, size in self.sizes.items():
                if (self.path / name).exists():
                    os.truncate(self.path / name, size)

    def _size_of(self, name: str) -> int:
        if not (self.path / name).exists():
            raise RunError(f"{self.path} is damaged: {name} is missing")
        check_regular(self.path / name)
        return (self.path / name).stat().st_size

    @property
    def decks(self) -> tuple[Deck, ...]:
        """The decks as they were when the run began. Raises RunError."""
        with self._kept("decks"):
            decks = tuple(checks.deck(one, self.plan.ruleset) for one in self.about["decks"])
            if len(decks) != len(self.plan.decks):
                raise ValueError("others than the plan's")
            return decks

    def agent(self, name: str) -> Array:
        """Return an agent of the plan as it was when the run began, AGENT (1,). Raises RunError."""
        with self._kept("agents"):
            return agent_of(self.about["agents"][name])

    @contextmanager
    def _kept(self, what: str) -> Iterator[None]:
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
            raise RunError(f"{self.path / 'about.json'} is damaged: its {what} can't be read"
                           ) from None

    @property
    def setting(self) -> match.Setting:
        """What a worker needs to play games of the run."""
        return match.Setting(self.plan.ruleset, self.decks, "fair", self.plan.max_turns)

    @property
    def done(self) -> bool:
        """Whether the run is finished."""
        return (self.path / "done").exists()

    @property
    def periods(self) -> int:
        """How many periods are committed."""
        state = self.state()
        return int(state["period"]) if state else 0

    def state(self) -> dict[str, Any] | None:
        """Return the committed state: what `commit` was given, and sizes. Raises RunError."""
        path = self.path / "state.npz"
        if not path.exists():
            return None
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as arrays:
                plain: dict[str, Any] = json.loads(str(arrays["plain"]))
                state = plain | {name: arrays[name] for name in arrays if name != "plain"}
                state["sizes"] = {name: int(plain["sizes"][name]) for name in TABLES}
                state["period"] = int(plain["period"])
                if not 0 < state["period"] <= self.plan.periods or min(state["sizes"].values()) < 0:
                    raise ValueError("periods that the plan has not")
                return state
        except (OSError, LookupError, TypeError, ValueError, EOFError, OverflowError, BadZipFile,
                zlib.error, NotImplementedError, MemoryError, RecursionError) as error:
            raise RunError(f"{path} is damaged ({type(error).__name__})") from None

    def commit(self, net: bytes, tables: Mapping[str, pd.DataFrame], plain: Mapping[str, Any],
               **arrays: Array) -> None:
        """Add a period: its checkpoint, its lines of the tables, and the learner's state.

        plain, arrays: what `state` returns again.
        """
        suffix = checkpoints.TORCH if self.plan.policy == END_TO_END else checkpoints.SUFFIX
        name = period_name(plain["period"] - 1) + suffix
        write_whole(self.path / checkpoints.FOLDER / name, net)
        for name, table in tables.items():
            data = table.to_csv(index=False, header=self.sizes[name] == 0).encode()
            self.sizes[name] = append(self.path / name, data)
        out = io.BytesIO()
        text = json.dumps(dict(plain) | {"sizes": self.sizes})
        np.savez(out, **arrays, plain=np.array(text))  # type: ignore[arg-type]
        write_whole(self.path / "state.npz", out.getvalue())

    def finish(self, payoff: pd.DataFrame | None) -> None:
        """Write the payoff table, and mark the run as finished."""
        if payoff is not None:
            write_whole(self.path / "payoff.csv", payoff.to_csv(index=False).encode())
        write_whole(self.path / "done", f"{self.plan.periods} periods\n".encode())

    def log(self, text: str) -> None:
        """Add a line with the time to log.txt."""
        append(self.path / "log.txt", f"{datetime.now():%Y-%m-%d %H:%M:%S} {text}\n".encode())

    def table(self, name: str) -> pd.DataFrame:
        """Read the committed part of a table; without lines, it has no columns either.

        Raises RunError if it is damaged.
        """
        size, path = self.sizes.get(name), self.path / name
        if size == 0 or (size is None and not path.exists()):
            return pd.DataFrame()
        data = read_bytes(path)
        if size is not None and len(data) < size:
            raise RunError(f"{path} is damaged: it is shorter than when it was committed")
        known = COLUMNS[name]
        if name == "learning.csv" and self.plan.policy == END_TO_END:
            known = END_TO_END_LEARNING
        numbers = [column for column in known if column != "reason"]
        words = [column for column in numbers if column in WORDS]
        table = read_table(path, numbers, words, data=data[:size])
        return table.assign(reason=reasons(table)) if "reason" in table else table

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def is_learning(path: Path) -> bool:
    """Return whether a path is a run folder of hsevo learn."""
    try:
        return bool(json.loads(read_text(path / "about.json")).get("kind") == LEARNED)
    except (RunError, ValueError, AttributeError, RecursionError):
        return False


def reasons(table: pd.DataFrame) -> pd.Series[str]:
    """Return the column `reason` of a table that was read: "" where it is empty."""
    return table["reason"].astype(object).where(table["reason"].notna(), "")


def period_name(number: int) -> str:
    """Return the name of the checkpoint after a period, from 0."""
    return f"period-{number:04}"


def default_path(plan: Plan) -> Path:
    """Return the run folder that is used without --out."""
    return Path("runs") / f"{plan.name}-seed-{plan.seed}-{datetime.now():%Y%m%d-%H%M%S}"


