"""The folder of a learning run: the only file that knows its file names and columns.

See store/folder.py for what all folders of experiments have.

    config.yaml      the resolved plan              about.json      versions, engine, decks, agents
    checkpoints/     the net after each period      learning.csv    one line per period
    references.csv   the learner against others     payoff.csv      all checkpoints against all
    times.csv        CPU seconds of each period     log.txt         what happened when
    state.npz        what the learner needs to go on: weights, moments, opponents; the commit
    opponent.pt      of an end-to-end policy: the one that it meets alone, if that is another one
    done             exists when the run is finished

A period is committed by renaming state.npz into place, which holds the sizes of the tables, and the
SHA-256 of their committed parts, of the checkpoints, of payoff.csv and of its own arrays. Folders
that were made while 0.4.0 was written have no SHA-256, and are read without them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from hsevo import __version__, config, sources
from hsevo.cards.database import DeckDatabase
from hsevo.cards.decks import Deck
from hsevo.config.learning import END_TO_END, SCRATCH, Plan
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError, brief
from hsevo.files import read_bytes, read_table
from hsevo.play import match
from hsevo.play.participants import agent_data, agent_of, deck_data
from hsevo.runs import checkpoints, checks
from hsevo.store import sums
from hsevo.store.folder import Folder
from hsevo.store.kinds import LEARNED, kind_of
from hsevo.store.machine import made_by, processor
from hsevo.store.sums import short_digest
from hsevo.types import Array

FORMAT = 1
# How a learner learns, apart from the engine.
METHOD_SOURCES = ("learning/gradient.py", "learning/card_text.py", "learning/learner.py",
                  "learning/expected.py", "learning/options.py", "learning/policy.py",
                  "learning/policy_gradient.py", "learning/policy_train.py", "learning/train.py",
                  "learning/trainer.py", "learning/measures.py", "learning/osfp.py",
                  "agents/learned/nets.py", "agents/learned/nets.py", "cards/deck_pool.py",
                  "seeds.py")
END_TO_END_SOURCES = (*sources.ACTORS, "learning/end_to_end", "learning/trainer.py",
                      "learning/losses.py", "learning/measures.py", "learning/osfp.py",
                      "cards/deck_pool.py", "seeds.py")
TABLES = ("learning.csv", "references.csv", "times.csv")
LEARNING: tuple[str, ...] = ("period", "games", "positions", "loss", "loss_after", "pool",
                             "added", "reason")
END_TO_END_LEARNING = ("period", "games", "positions", "loss", "policy", "upgo", "value",
                       "entropy", "pool", "added", "reason")
REFERENCES = ("period", "opponent", "games", "wins", "draws", "rate", "rate_low", "rate_high")
TEACHER = "teacher"  # a further column, if there is a teacher: the cross-entropy to its moves
# Further columns, if games are played while it learns; see end_to_end.supply.Balance.
BALANCE = ("balance", "age", "uses", "unused")
PICKS = "picks_"  # begins further columns, if it picks heroes: the chance of each class
TIMES = ("period", "cpu_seconds")
PAYOFF = ("a", "b", "games", "wins_a", "wins_b", "draws", "rate", "rate_low", "rate_high")
COLUMNS = {"references.csv": REFERENCES, "times.csv": TIMES, "payoff.csv": PAYOFF}
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


def lists(plan: Plan) -> dict[str, str]:
    """Return the digest of the human lists that decks are drawn from, if they are drawn."""
    return {"deck lists": DeckDatabase.load().digest} if plan.shares else {}


class Period(NamedTuple):
    """A period that was played and learned."""

    line: dict[str, Any]  # of learning.csv
    seconds: float  # of CPU time
    measured: pd.DataFrame | None  # lines of references.csv
    checkpoint: bytes
    plain: dict[str, Any]  # of the learner's state, as JSON can hold
    arrays: dict[str, Array]


class LearningRun(Folder[Plan]):
    """The folder of a learning run, to read; `resume` locks it to write, `hold` to verify."""

    KIND, FORMATS, PLAN = LEARNED, {FORMAT: {}}, Plan
    COMMIT = "state.npz"
    SPEC = "rl:RUN#CHECKPOINT"

    def __init__(self, path: Path, plan: Plan, about: Mapping[str, Any]) -> None:
        super().__init__(path, plan, about)
        self._state: dict[str, Any] | None = None  # what was committed when it was read

    @classmethod
    def create(cls, path: Path, plan: Plan, decks: Sequence[Deck],
               agents: Mapping[str, Array], files: Mapping[str, bytes] | None = None) -> Self:
        """Make the folder, whole or not at all. Raises RunError.

        agents: all that the plan names. files: further ones by name, with what is in them.
        """
        text = config.dump(plan)
        about = {
            "kind": LEARNED, "format": FORMAT, "version": __version__, "engine": fingerprint(),
            "method": method(plan.policy), **lists(plan), "config": short_digest(text),
            "started": f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}",
            **made_by(), "processor": processor(),
            **({"torch": version("torch")} if plan.policy == END_TO_END else {}),
            "decks": [deck_data(deck) for deck in decks],
            "agents": {name: agent_data(agent[0]) for name, agent in agents.items()}}
        fixed = {"config.yaml": text.encode(), **(files or {})}
        return cls(path, plan, cls._make(path, about, fixed, str(path), [checkpoints.FOLDER]))

    @classmethod
    def tables_of(cls, number: int) -> tuple[str, ...]:
        """Return the names of the files that grow."""
        return TABLES

    def marks(self) -> dict[str, str]:
        """Return the fingerprints with which it goes on: of the engine and the method."""
        return {"engine": fingerprint(), "method": method(self.plan.policy), **lists(self.plan)}

    def _take(self) -> None:
        self._state = state = self._stored()
        if not state and (self.done or len(checkpoints.names(self.path)) > 1):
            raise self._gone()
        self.sizes = state["sizes"] if state else dict.fromkeys(TABLES, 0)
        self.digests = state["sha256"] if state else {}

    def _check(self) -> None:
        if "sha256" not in self.about:
            raise RunError(f"{self.path / 'about.json'} is damaged: its SHA-256 are gone")
        if not self.done:
            self.digests.pop("payoff.csv", None)  # it is written anew
        for problem in self.changed():
            raise RunError(problem)

    def changed(self) -> Iterator[str]:
        """Yield, a line each, which files are not what was written; old folders may not know."""
        known = sums.check(dict(self.about), "about.json") | self.digests
        whole = {*known, *(self._nets() if self.digests else ())} - {*TABLES}
        for name in (*sorted(whole), *TABLES):
            try:
                if name in TABLES:
                    self.part(name)
                elif sums.of(read_bytes(self.path / name)) != known.get(name):
                    yield f"{self.path / name} is damaged: {sums.DIFFERS}"
            except RunError as error:
                yield str(error)

    def _nets(self) -> list[str]:
        """Return the files of the committed checkpoints."""
        return [self.net(period) for period in range(self.periods)]

    @property
    def decks(self) -> tuple[Deck, ...]:
        """The decks as they were when the run began. Raises RunError."""
        with self.reading("decks"):
            return checks.decks(self.about["decks"], self.plan.ruleset, len(self.plan.deck_names))

    def agent(self, name: str) -> Array:
        """Return an agent of the plan as it was when the run began, AGENT (1,). Raises RunError."""
        with self.reading("agents"):
            return agent_of(self.about["agents"][name])

    @property
    def setting(self) -> match.Setting:
        """What a worker needs to play games of the run."""
        return match.Setting(self.plan.ruleset, self.decks, "fair", self.plan.max_turns)

    @property
    def periods(self) -> int:
        """How many periods are committed."""
        return int(self._state["period"]) if self._state else 0

    def state(self) -> dict[str, Any] | None:
        """Return the committed state: that of the last period, and sizes.

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
                    raise ValueError("periods that the plan lacks")
                return state
        except checkpoints.DAMAGE as error:
            raise RunError(f"{path} is damaged: {brief(error)}") from None

    def append(self, period: Period) -> None:
        """Add a period and commit it. Raises RunError; earlier ones stay."""
        number = int(period.line["period"])
        times = pd.DataFrame([(number, round(period.seconds, 2))], columns=[*TIMES])
        tables = {"learning.csv": pd.DataFrame([period.line])[[*self.columns]],
                  "times.csv": times, "references.csv": period.measured}
        lines = {name: table.to_csv(index=False, header=self.sizes[name] == 0).encode()
                 for name, table in tables.items() if table is not None}
        self._write({"period": number + 1} | period.plain, period.arrays, lines,
                    {self.net(number): period.checkpoint})

    def _write(self, plain: Mapping[str, Any], arrays: Mapping[str, Array],
               lines: Mapping[str, bytes], whole: Mapping[str, bytes]) -> None:
        self._commit(lines, whole, lambda sizes, known: state_bytes(
            dict(plain) | {"sizes": dict(sizes)}, arrays, known))
        self._take()

    def finish(self, payoff: pd.DataFrame | None) -> None:
        """Write the payoff table, and mark the run as finished."""
        if payoff is not None:
            data = payoff.to_csv(index=False).encode()
            self._write(*self._parted(), {}, {"payoff.csv": data})
        self._finish(f"{self.plan.periods} periods")

    def forget(self, periods: Sequence[int]) -> None:
        """Take payoff.csv away, and the lines of these periods, the last, from references.csv."""
        self._take_back("references.csv", tuple(f"{period}," for period in periods),
                        ["payoff.csv"])

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str]) -> bytes:
        plain, arrays = self._parted()
        return state_bytes(plain | {"sizes": dict(sizes)}, arrays, digests)

    def _parted(self) -> tuple[dict[str, Any], dict[str, Array]]:
        """Return the committed state as `_write` takes it: plain values, and arrays."""
        state = self._state or {}
        arrays = {name: one for name, one in state.items() if isinstance(one, np.ndarray)}
        return {name: one for name, one in state.items() if name not in {"sha256", *arrays}}, arrays

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of learning.csv."""
        if self.plan.policy != END_TO_END:
            return LEARNING
        picks = {f"{PICKS}{deck.hero.lower()}": 0 for deck in self.decks} if (
            self.plan.network.pick_hero) else {}
        taught, own = self.plan.start != SCRATCH, self.plan.network
        return (*END_TO_END_LEARNING, *(TEACHER,) * taught, *sorted(picks),
                *(BALANCE if own.actors != "rounds" else ()))

    def measured(self) -> dict[Any, pd.DataFrame]:
        """Return the lines of references.csv by period. Raises RunError if it is damaged."""
        table = self.table("references.csv")
        return dict(list(table.groupby("period"))) if len(table) else {}

    def table(self, name: str) -> pd.DataFrame:
        """Read the committed part of a table; without lines, it has no columns either.

        Raises RunError if it is damaged.
        """
        path = self.path / name
        if not self.sizes.get(name, path.exists()):
            return pd.DataFrame()
        data = self.part(name) if name in TABLES else read_bytes(path)
        if name in self.digests and name not in TABLES and sums.of(data) != self.digests[name]:
            raise RunError(f"{path} is damaged: {sums.DIFFERS}")
        known = self.columns if name == "learning.csv" else COLUMNS[name]
        numbers = [column for column in known if column != "reason"]
        words = [column for column in numbers if column in WORDS]
        table = read_table(path, numbers, words, gaps=[TEACHER], data=data)
        return table.assign(reason=reasons(table)) if "reason" in table else table

    def net(self, period: int) -> str:
        """Return the file of a checkpoint."""
        suffix = checkpoints.TORCH if self.plan.policy == END_TO_END else checkpoints.SUFFIX
        return f"{checkpoints.FOLDER}/{period_name(period)}{suffix}"


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
    return kind_of(path) == LEARNED


def reasons(table: pd.DataFrame) -> pd.Series[str]:
    """Return the column `reason` of a table that was read: "" where it is empty."""
    return table["reason"].astype(object).where(table["reason"].notna(), "")


def period_name(number: int) -> str:
    """Return the name of the checkpoint after a period, from 0."""
    return f"period-{number:04}"
