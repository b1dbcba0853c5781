"""The folder of a learning run: the only file that knows its file names and columns.

    config.yaml      the resolved plan              about.json      versions, engine, decks, agents
    checkpoints/     the net after each period      learning.csv    one line per period
    references.csv   the learner against others     payoff.csv      all checkpoints against all
    times.csv        CPU seconds of each period     log.txt         what happened when
    state.npz        what the learner needs to go on: weights, moments, opponents; the commit
    opponent.pt      of an end-to-end policy: the one that it meets alone, if that is another one
    done             exists when the run is finished

A period is committed by renaming state.npz into place, which holds the sizes of the tables, and the
SHA-256 of their committed parts, of the checkpoints, of payoff.csv and of its own arrays. Those of
what never changes are in about.json. When a killed run is resumed, what was written after the last
commit is cut off and computed again, bit-identical. Only times.csv, log.txt and about.json contain
times. Folders that were made while 0.4.0 was written have no SHA-256, and are read without them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from filelock import FileLock

from hsevo import __version__, config, sources
from hsevo.cards.decks import Deck
from hsevo.config.learning import END_TO_END, Plan
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError, WriteError, brief, name_problem, quoted, resuming
from hsevo.files import (
    append,
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
from hsevo.runs import checkpoints, checks, prolonging
from hsevo.runs.about import KIND, LEARNED, kind_of, processor, short_digest, unfinished
from hsevo.store import sums

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
STATE = "state.npz/"  # begins the names of its arrays among the SHA-256
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
    """The folder of a learning run, to read; `resume` locks it to write, `hold` to verify."""

    def __init__(self, path: Path, plan: Plan, about: Mapping[str, Any]) -> None:
        self.path, self.plan, self.about = path, plan, about
        self.done = False  # whether it was finished when its state was read
        self._state: dict[str, Any] | None = None  # what was committed then
        self.sizes = dict.fromkeys(TABLES, 0)
        self.digests: dict[str, str] = {}  # SHA-256 of what is committed, by file; {}: it has none
        self._hashes = {name: hashlib.sha256() for name in TABLES}  # running
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
        refuse_full(path, "learn" if unfinished(path, LEARNED) else "")
        text = config.dump(plan)
        about = {
            "kind": LEARNED, "format": FORMAT, "version": __version__, "engine": fingerprint(),
            "method": method(plan.policy), "config": short_digest(text),
            "started": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}",
            "machine": platform.platform(), "processor": processor(),
            "python": platform.python_version(), "numpy": np.__version__,
            **({"torch": version("torch")} if plan.policy == END_TO_END else {}),
            "decks": [deck_data(deck) for deck in decks],
            "agents": {name: agent_data(agent[0]) for name, agent in agents.items()}}
        fixed = {"config.yaml": text.encode(), **(files or {})}
        with whole_folder(path) as new:
            (new / checkpoints.FOLDER).mkdir()
            for name, data in fixed.items():
                write_whole(new / name, data)
            write_whole(new / "about.json", sums.sign(
                about, "about.json", {name: sums.of(data) for name, data in fixed.items()}, 1))
        return cls(path, plan, about)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a folder to read it. Raises RunError if it is none, too new or damaged."""
        if (kind := kind_of(path)) != LEARNED:
            more = (f", but of hsevo evolve; go on with: {resuming('evolve', path)}"
                    if kind == KIND else "")
            if not path.exists():
                raise RunError(f"there is no folder {path}")
            raise RunError(f"{path} is no run folder of hsevo learn{more}")
        about = json.loads(read_text(path / "about.json"))
        if about.get("format") != FORMAT:
            raise RunError(f"{path} has format {brief(about.get('format'))}, and this hsevo reads"
                           f" format {FORMAT}; use hsevo {brief(about.get('version'))}")
        try:
            sums.check(about, "about.json")
        except (LookupError, TypeError, ValueError) as error:
            raise RunError(f"{path / 'about.json'} is damaged: {brief(error)}") from None
        text = prolonging.config_text(path, about)
        if about.get("config") != short_digest(text):
            raise RunError(f"{path / 'config.yaml'} is not what it was when the run began; bring it"
                           " back")
        plan = config.check(Plan, config.parse(text, "config.yaml"), str(path / "config.yaml"))
        run = cls(path, plan, about)
        run._read_state()
        return run

    def _read_state(self) -> None:
        """Find what is committed. Raises RunError."""
        self.done = (self.path / "done").exists()  # before the state, which is final then
        self._state = state = self._stored()
        if not state and (self.done or len(checkpoints.names(self.path)) > 1):
            raise RunError(f"{self.path} is damaged: state.npz is gone, without which nothing of it"
                           " counts; bring it back")
        self.sizes = state["sizes"] if state else dict.fromkeys(TABLES, 0)
        self.digests = state["sha256"] if state else {}

    @classmethod
    def resume(cls, path: Path, check: Callable[[Self], object] = lambda run: None) -> Self:
        """Open and lock a folder to go on, without what was not committed. Raises RunError.

        check: called before anything is cut off; what it raises leaves the folder as it is.
        """
        run = cls.open(path)
        for what, now in (("engine", fingerprint()), ("method", method(run.plan.policy))):
            if run.about.get(what) != now:
                raise RunError(f"{path} was begun with the {what} {brief(run.about.get(what))} of"
                               f" hsevo {brief(run.about.get('version'))}, and this is {now} of"
                               f" {__version__}: the results would differ; install that version,"
                               " or begin a new run")
        if "sha256" not in run.about:
            raise RunError(f"{path / 'about.json'} is damaged: its SHA-256 are gone")
        run._lock = lock(path)
        try:
            run._cut(check)
            prolonging.settle(path, run.about)
        except BaseException:
            run.close()
            raise
        return run

    @classmethod
    def hold(cls, path: Path) -> Self:
        """Open a folder to read it while no process writes it, until `close`. Raises RunError."""
        run = cls.open(path)
        with suppress(WriteError):  # in another's folder; what is committed by now stays as it is
            run._lock = lock(path)
        try:
            run._read_state()  # again: it may have gone on since it was opened
        except BaseException:
            run.close()
            raise
        return run

    def _cut(self, check: Callable[[Self], object]) -> None:
        """Discard what was written after the last commit. Raises RunError, before it does.

        Read again under the lock: another process may have gone on since the folder was opened.
        """
        self._read_state()
        for name in (*TABLES, "log.txt"):
            refuse_link(self.path / name)
        if not self.done:
            self.digests.pop("payoff.csv", None)  # it is written anew
        for problem in self.changed():
            raise RunError(problem)
        for name in TABLES:
            self._hashes[name] = hashlib.sha256(self._committed(name))
        check(self)
        with writing(self.path):
            for name, size in self.sizes.items():
                if (self.path / name).exists():
                    os.truncate(self.path / name, size)

    def changed(self) -> Iterator[str]:
        """Yield, a line each, which files are not what was written; old folders may not know."""
        known = sums.check(dict(self.about), "about.json") | self.digests
        whole = {*known, *(self._nets() if self.digests else ())} - {*TABLES}
        for name in (*sorted(whole), *TABLES):
            try:
                if name in TABLES:
                    self._committed(name)
                elif sums.of(read_bytes(self.path / name)) != known.get(name):
                    yield f"{self.path / name} is damaged: {sums.DIFFERS}"
            except RunError as error:
                yield str(error)

    def _nets(self) -> list[str]:
        """Return the files of the committed checkpoints."""
        return [self._net(period) for period in range(self.periods)]

    def _committed(self, name: str) -> bytes:
        """Return the committed part of a table. Raises RunError if it is not what was written."""
        path, size = self.path / name, self.sizes[name]
        if size and not path.exists():
            raise RunError(f"{self.path} is damaged: {name} is missing")
        data = read_bytes(path)[:size] if size else b""
        if len(data) < size:
            raise RunError(f"{path} is damaged: it is shorter than when it was committed")
        if self.digests and sums.of(data) != self.digests.get(name):
            raise RunError(f"{path} is damaged: {sums.DIFFERS}")
        return data

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
    def periods(self) -> int:
        """How many periods are committed."""
        return int(self._state["period"]) if self._state else 0

    def state(self) -> dict[str, Any] | None:
        """Return the committed state: what `commit` was given, and sizes.

        It is read when the folder is opened or locked, as sizes and SHA-256 are: what another
        process commits later is not seen.
        """
        return self._state

    def _stored(self) -> dict[str, Any] | None:
        """Read the committed state; None if there is none. Raises RunError."""
        path = self.path / "state.npz"
        if not path.exists():
            return None
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as arrays:
                plain: dict[str, Any] = json.loads(str(arrays["plain"]))
                known = sums.check(plain, "state.npz")
                if "sha256" in self.about and not known:
                    raise ValueError("its SHA-256 are gone")
                own = {name: arrays[name] for name in arrays if name != "plain"}
                if known and any(known.pop(f"{STATE}{name}", "") != sums.of(one)
                                 for name, one in own.items()):
                    raise ValueError(sums.DIFFERS)
                if known and "sha256" not in self.about:
                    raise RunError(f"{self.path / 'about.json'} is damaged: its SHA-256 are gone")
                state = plain | own | {"sha256": known}
                state["sizes"] = {name: int(plain["sizes"][name]) for name in TABLES}
                state["period"] = int(plain["period"])
                if not 0 < state["period"] <= self.plan.periods or min(state["sizes"].values()) < 0:
                    raise ValueError("periods that the plan has not")
                return state
        except checkpoints.DAMAGE as error:
            raise RunError(f"{path} is damaged: {brief(error)}") from None

    def commit(self, net: bytes, tables: Mapping[str, pd.DataFrame], plain: Mapping[str, Any],
               **arrays: Array) -> None:
        """Add a period: its checkpoint, its lines of the tables, and the learner's state.

        plain, arrays: what `state` returns again.
        """
        name = self._net(plain["period"] - 1)
        write_whole(self.path / name, net)
        self.digests[name] = sums.of(net)
        for name, table in tables.items():
            data = table.to_csv(index=False, header=self.sizes[name] == 0).encode()
            self.sizes[name] = append(self.path / name, data)
            self._hashes[name].update(data)
        self._write_state(plain, arrays)

    def _write_state(self, plain: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
        self.digests |= self._of_tables()
        data = state_bytes(dict(plain) | {"sizes": self.sizes}, arrays, self.digests)
        write_whole(self.path / "state.npz", data)
        self._read_state()

    def finish(self, payoff: pd.DataFrame | None) -> None:
        """Write the payoff table, and mark the run as finished."""
        if payoff is not None:
            data = payoff.to_csv(index=False).encode()
            write_whole(self.path / "payoff.csv", data)
            self.digests["payoff.csv"] = sums.of(data)
            self._write_state(*self._parted())
        write_whole(self.path / "done", f"{self.plan.periods} periods\n".encode())
        self.done = True

    def replan(self, plan: Plan) -> None:
        """Go on with another plan, of other periods. Raises RunError."""
        prolonging.reopen(self.path)
        self.about = prolonging.replan(self.path, self.about, plan)
        self.plan, self.done = plan, False

    def forget(self, periods: Sequence[int]) -> None:
        """Take payoff.csv away, and the lines of these periods, the last, from references.csv."""
        name = "references.csv"
        lines = self._committed(name).splitlines(keepends=True)
        ends = tuple(f"{period},".encode() for period in periods)
        kept = [line for line in lines if not line.startswith(ends)]
        if len(kept) < len(lines) or "payoff.csv" in self.digests:
            data = b"".join(kept if len(kept) > 1 else ())
            self.sizes[name], self._hashes[name] = len(data), hashlib.sha256(data)
            self.digests.pop("payoff.csv", None)
            if self._state:
                self._write_state(*self._parted())
        with writing(self.path):
            if (self.path / name).exists():
                os.truncate(self.path / name, self.sizes[name])
            (self.path / "payoff.csv").unlink(missing_ok=True)

    def _parted(self) -> tuple[dict[str, Any], dict[str, Array]]:
        """Return the committed state as `_write_state` takes it: plain values, and arrays."""
        state = self._state or {}
        arrays = {name: one for name, one in state.items() if isinstance(one, np.ndarray)}
        return {name: one for name, one in state.items() if name not in {"sha256", *arrays}}, arrays

    def log(self, text: str) -> None:
        """Add a line with the time to log.txt."""
        append(self.path / "log.txt", f"{datetime.now():%Y-%m-%d %H:%M:%S} {text}\n".encode())

    def table(self, name: str) -> pd.DataFrame:
        """Read the committed part of a table; without lines, it has no columns either.

        Raises RunError if it is damaged.
        """
        path = self.path / name
        if not self.sizes.get(name, path.exists()):
            return pd.DataFrame()
        data = self._committed(name) if name in TABLES else read_bytes(path)
        if name in self.digests and name not in TABLES and sums.of(data) != self.digests[name]:
            raise RunError(f"{path} is damaged: {sums.DIFFERS}")
        known = COLUMNS[name]
        if name == "learning.csv" and self.plan.policy == END_TO_END:
            known = END_TO_END_LEARNING
        numbers = [column for column in known if column != "reason"]
        words = [column for column in numbers if column in WORDS]
        table = read_table(path, numbers, words, data=data)
        return table.assign(reason=reasons(table)) if "reason" in table else table

    def _of_tables(self) -> dict[str, str]:
        """Return the SHA-256 of what is committed of the tables."""
        return {name: one.hexdigest() for name, one in self._hashes.items()}

    def _net(self, period: int) -> str:
        """Return the file of a checkpoint."""
        suffix = checkpoints.TORCH if self.plan.policy == END_TO_END else checkpoints.SUFFIX
        return f"{checkpoints.FOLDER}/{period_name(period)}{suffix}"

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def state_bytes(plain: Mapping[str, Any], arrays: Mapping[str, Array],
                known: Mapping[str, str]) -> bytes:
    """Return a state.npz of what JSON can hold and of arrays, signed; known: sums of files."""
    own = {f"{STATE}{name}": sums.of(np.ascontiguousarray(one)) for name, one in arrays.items()}
    text = sums.sign(dict(plain), "state.npz", {**known, **own}).decode()
    out = io.BytesIO()
    np.savez(out, **arrays, plain=np.array(text))  # type: ignore[arg-type]
    return out.getvalue()


def is_learning(path: Path) -> bool:
    """Return whether a path is a run folder of hsevo learn."""
    return bool(kind_of(path) == LEARNED)


def reasons(table: pd.DataFrame) -> pd.Series[str]:
    """Return the column `reason` of a table that was read: "" where it is empty."""
    return table["reason"].astype(object).where(table["reason"].notna(), "")


def period_name(number: int) -> str:
    """Return the name of the checkpoint after a period, from 0."""
    return f"period-{number:04}"


def default_path(plan: Plan) -> Path:
    """Return the run folder that is used without --out."""
    return Path("runs") / f"{plan.name}-seed-{plan.seed}-{datetime.now():%Y%m%d-%H%M%S}"


