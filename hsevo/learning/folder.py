"""The folder of a learning run: the only file that knows its file names and columns.

See store/folder.py for what all folders of experiments have.

    config.yaml      the resolved plan              about.json      versions, engine, decks, agents
    checkpoints/     the net after each period      learning.csv    one line per period
    references.csv   the learner against others     payoff.csv      all checkpoints against all
    times.csv        CPU seconds of each period     log.txt         what happened when
    state.npz        what the learner needs to continue: weights, moments, opponents; the commit
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
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from hsevo import sources
from hsevo.cards.database import DeckDatabase
from hsevo.cards.decks import Deck
from hsevo.config.learning import END_TO_END, SCRATCH, Plan
from hsevo.engine.jit import fingerprint
from hsevo.errors import RunError, brief
from hsevo.files import read_bytes
from hsevo.play import match
from hsevo.play.participants import agent_data, agent_of, deck_data
from hsevo.runs import checkpoints, checks
from hsevo.store import sums
from hsevo.store.folder import Folder
from hsevo.store.kinds import LEARNED, kind_of
from hsevo.store.machine import processor
from hsevo.store.sums import short_digest
from hsevo.store.tables import Column, DataTable
from hsevo.types import Array

FORMAT = 1
# How a learner learns, apart from the engine.
METHOD_SOURCES = ("learning/gradient.py", "learning/learner.py",
                  "learning/expected.py", "learning/options.py", "learning/policy.py",
                  "learning/policy_gradient.py", "learning/policy_train.py", "learning/train.py",
                  "learning/trainer.py", "learning/measures.py", "learning/osfp.py",
                  "agents/learned/nets.py", "cards/deck_pool.py",
                  "seeds.py")
END_TO_END_SOURCES = (*sources.ACTORS, "learning/end_to_end", "learning/trainer.py",
                      "learning/measures.py", "learning/osfp.py", "cards/deck_pool.py", "seeds.py")
AFTERSTATE = "afterstate"
PICKS = "picks_"  # begins columns of learning.csv, if it picks heroes: the chance of each class
TABLES = (
    DataTable("learning.csv", "A row a period.", (
        Column("period", int, "Which period, from 0.", logged=False),
        Column("games", int, "Games that it learned from."),
        Column("positions", int, "Positions after its actions in these games."),
        Column("loss", float,
            "Mean cross-entropy of the outcomes, by the network before it learned from "
            "them."),
        Column("loss_after", float, "Mean cross-entropy of the TD targets in the last epoch.",
               only=AFTERSTATE),
        *(Column(name, float, says, only=END_TO_END) for name, says in (
            ("policy", "Mean loss of its moves, by the policy gradient."),
            ("upgo", "Mean loss of moves that went better than it expected (UPGO)."),
            ("value", "Mean loss of what it expects."),
            ("entropy", "Mean entropy of its choices."))),
        Column("pool", int, "Members of the pool after the period."),
        Column("added", int, "1 if the learner joined the pool."),
        Column("reason", str, "Why: `beats all`, or `patience`.", empty=True),
        Column("teacher", float, "Cross-entropy to the moves of a teacher, while there is one.",
               only="teacher", empty=True),
        Column("picks_<class>", float, "The chance that it picks this class.", only="class",
               logged=False),
        *(Column(name, float, says, only="actors") for name, says in (
            ("balance", "Games played a second of playing over games learned from a second of"
                        " learning."),
            ("age", "Rounds between the network that played and the one that learned, on average."),
            ("uses", "Updates that a trajectory was in, on average."),
            ("unused", "Share of trajectories that were in none."))),
    )),
    DataTable("references.csv", "The network, playing its best actions, against each reference"
              " opponent.", (
        Column("period", int, "After which period.", logged=False),
        Column("opponent", str, "The spec of the reference opponent.", logged=False),
        Column("games", int, "Games, half from either seat with the same deals.", logged=False),
        Column("wins", int, "Games won.", logged=False),
        Column("draws", int, "Games drawn.", logged=False),
        Column("rate", float, "Wins of all games."),
        Column("rate_low", float, "Lower end of its 95 % Wilson interval."),
        Column("rate_high", float, "Upper end."),
    )),
    DataTable("payoff.csv", "All checkpoints against all, once the run is done; each pair once.", (
        Column("a", str, "One checkpoint."),
        Column("b", str, "The other."),
        Column("games", int, "Games of the two, half from either seat with the same deals."),
        Column("wins_a", int, "Games that a won."),
        Column("wins_b", int, "Games that b won."),
        Column("draws", int, "Games drawn."),
        Column("rate", float, "Wins of a of all games."),
        Column("rate_low", float, "Lower end of its 95 % Wilson interval."),
        Column("rate_high", float, "Upper end."),
    ), grows=False),
    DataTable("times.csv", "A row a period.", (
        Column("period", int, "Which period, from 0.", logged=False),
        Column("cpu_seconds", float, "CPU seconds of this process, without measurements."),
    )),
)
STATE = "state.npz/"  # begins the names of its arrays among the SHA-256


def method(policy: str = AFTERSTATE) -> str:
    """Return a fingerprint of how a learner learns, which comments do not change.

    Raises ConfigError for an end-to-end policy without PyTorch.
    """
    if policy == END_TO_END:
        import_module("hsevo.learning.end_to_end")  # says what to install
        ours = sources.remembered(policy, lambda: sources.digest(END_TO_END_SOURCES))
        return short_digest(f"{np.__version__} {version('torch')} {ours}")
    ours = sources.remembered("learning", lambda: sources.digest(METHOD_SOURCES))
    return short_digest(f"{np.__version__} {ours}")


def marks(plan: Plan) -> dict[str, str]:
    """Return the fingerprints of the engine, the method, and the lists that decks are drawn from.
    """
    lists = {"deck lists": DeckDatabase.load(plan.ruleset).digest} if plan.shares else {}
    return {"engine": fingerprint(), "method": method(plan.policy), **lists}


class LearnedPeriod(NamedTuple):
    """Hold a checkpoint interval that was played and learned."""

    line: dict[str, Any]  # of learning.csv
    seconds: float  # of CPU time
    measured: pd.DataFrame | None  # lines of references.csv
    checkpoint: bytes
    plain: dict[str, Any]  # of the learner's state, as JSON can hold
    arrays: dict[str, Array]


class LearningRun(Folder[Plan]):
    """Open the folder of a learning run, for code that learns and measures.

    Parameters
    ----------
    path : str or Path
        Path of the folder.

    Raises
    ------
    RunError
        If the folder has no such run, or is damaged.
    """

    KIND, FORMATS, PLAN = LEARNED, {FORMAT: {}}, Plan
    COMMIT, TABLES = "state.npz", TABLES
    SPEC = "rl:RUN#CHECKPOINT"

    _state: dict[str, Any] | None = None  # what was committed when it was read

    @classmethod
    def make(cls, path: Path, plan: Plan, decks: Sequence[Deck],
               agents: Mapping[str, Array], files: Mapping[str, bytes] | None = None) -> Self:
        """Create the folder of a run, completely or not at all."""
        return cls._make(path, plan, marks(plan), {
            "processor": processor(),
            **({"torch": version("torch")} if plan.policy == END_TO_END else {}),
            "decks": [deck_data(deck) for deck in decks],
            "agents": {name: agent_data(agent[0]) for name, agent in agents.items()}},
            named=str(path), files=files, folders=[checkpoints.FOLDER])

    def _placeholders(self) -> dict[str, Sequence[str]]:
        """Return the names for placeholders in columns: its policy, its classes and its options."""
        plan = self.plan
        if plan.policy != END_TO_END:
            return {AFTERSTATE: [plan.policy]}
        own = plan.network
        return {END_TO_END: [plan.policy], "teacher": [plan.start] * (plan.start != SCRATCH),
                "class": sorted({deck.hero_class.lower() for deck in self.decks}) * own.pick_hero,
                "actors": [own.actors] * (own.actors != "rounds")}

    def _marks(self) -> dict[str, str]:
        return marks(self.plan)

    def _take(self) -> None:
        self._state = state = self._stored()
        if not state and (self.final or len(checkpoints.names(self.path)) > 1):
            raise self._gone()
        self.sizes = state["sizes"] if state else dict.fromkeys(self.growing, 0)
        self.digests = state["sha256"] if state else {}

    def _check(self) -> None:
        if "sha256" not in self.about:
            raise RunError(f"{self.path / 'about.json'} is damaged: its SHA-256 are gone")
        if not self.final:
            self.digests.pop("payoff.csv", None)  # it is written again
        for problem in self.changed():
            raise RunError(problem)

    def changed(self) -> Iterator[str]:
        """Yield a description of each file that was changed. Old folders may lack digests."""
        known = sums.check(dict(self.about), "about.json") | self.digests
        whole = {*known, *(self._nets() if self.digests else ())} - {*self.growing}
        for name in (*sorted(whole), *self.growing):
            try:
                if name in self.growing:
                    self._part(name)
                elif sums.of(read_bytes(self.path / name)) != known.get(name):
                    yield f"{self.path / name} is damaged: {sums.DIFFERS}"
            except RunError as error:
                yield str(error)

    def _nets(self) -> list[str]:
        """Return the files of the committed checkpoints."""
        return [self._net(period) for period in range(self.periods)]

    @property
    def decks(self) -> tuple[Deck, ...]:
        """Decks at the beginning of the run.

        Raises
        ------
        RunError
            If the folder is damaged.
        """
        with self._reading("decks"):
            return checks.decks(self.about["decks"], self.plan.ruleset, len(self.plan.deck_names))

    def stored_agent(self, name: str) -> Array:
        """Return an agent of the plan as it was at the beginning of the run.

        Parameters
        ----------
        name : str
            Spec of the agent.

        Returns
        -------
        ndarray of AGENT, shape (1,)
            The agent.

        Raises
        ------
        RunError
            If the folder is damaged.
        """
        with self._reading("agents"):
            return agent_of(self.about["agents"][name])

    @property
    def setting(self) -> match.Setting:
        """Setting with which a worker plays games of the run."""
        return match.Setting(self.plan.ruleset, self.decks, "fair", self.plan.max_turns)

    @property
    def periods(self) -> int:
        """Number of committed checkpoint intervals."""
        return int(self._state["period"]) if self._state else 0

    @property
    def committed(self) -> dict[str, Any] | None:
        """State of the learner after the last committed checkpoint interval, and sizes of files.

        It is read when the folder is opened or locked. Later commits of another process are not
        included.
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
                if known and any(known.pop(f"{STATE}{name}", "") != sums.of(array)
                                 for name, array in own.items()):
                    raise ValueError(sums.DIFFERS)
                if known and "sha256" not in self.about:
                    raise RunError(f"{self.path / 'about.json'} is damaged: its SHA-256 are gone")
                state = plain | own | {"sha256": known}
                state["sizes"] = {name: int(plain["sizes"][name]) for name in self.growing}
                state["period"] = int(plain["period"])
                if not 0 < state["period"] <= self.plan.periods or min(state["sizes"].values()) < 0:
                    raise ValueError("periods that the plan lacks")
                return state
        except checkpoints.DAMAGE as error:
            raise RunError(f"{path} is damaged: {brief(error)}") from None

    def _lines_of(self, period: LearnedPeriod) -> dict[str, pd.DataFrame]:
        times = pd.DataFrame([{"period": period.line["period"],
                               "cpu_seconds": round(period.seconds, 2)}])
        tables = {"learning.csv": pd.DataFrame([period.line]), "times.csv": times}
        return tables | ({} if period.measured is None else {"references.csv": period.measured})

    def _files(self, period: LearnedPeriod) -> tuple[dict[str, bytes], dict[str, bytes]]:
        return {}, {self._net(int(period.line["period"])): period.checkpoint}

    def _commit(self, lines: Mapping[str, bytes], whole: Mapping[str, bytes],
                step: LearnedPeriod | None = None) -> None:
        super()._commit(lines, whole, step)
        self._take()

    @property
    def _finished(self) -> str:
        return f"{self.plan.periods} periods"

    def _take_back_periods(self, periods: Sequence[int]) -> None:
        """Remove payoff.csv, and the lines of the last checkpoint intervals from references.csv."""
        self._take_back("references.csv", tuple(f"{period}," for period in periods),
                        ["payoff.csv"])

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str],
                      period: LearnedPeriod | None = None) -> bytes:
        plain, arrays = self._parted() if period is None else (
            {"period": int(period.line["period"]) + 1} | period.plain, period.arrays)
        return state_bytes(plain | {"sizes": dict(sizes)}, arrays, digests)

    def _parted(self) -> tuple[dict[str, Any], dict[str, Array]]:
        """Return the committed state: plain values, and arrays."""
        state = self._state or {}
        arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
        return {name: value for name, value in state.items()
                if name not in {"sha256", *arrays}}, arrays

    def _measured(self) -> dict[Any, pd.DataFrame]:
        """Return the lines of references.csv by checkpoint interval."""
        table = self.table("references.csv")
        return dict(list(table.groupby("period"))) if len(table) else {}

    def content(self, name: str) -> bytes:
        """Return the committed content of a file, also of a payoff.csv without a SHA-256."""
        if name in self.growing or name in self.digests or not (self.path / name).exists():
            return super().content(name)
        return read_bytes(self.path / name)

    def _net(self, period: int) -> str:
        """Return the name of a checkpoint's file."""
        suffix = checkpoints.TORCH if self.plan.policy == END_TO_END else checkpoints.SUFFIX
        return f"{checkpoints.FOLDER}/{period_name(period)}{suffix}"


def state_bytes(plain: Mapping[str, Any], arrays: Mapping[str, Array],
                known: Mapping[str, str]) -> bytes:
    """Return a signed state.npz of plain data and of arrays; known: sums of files."""
    own = {f"{STATE}{name}": sums.of(np.ascontiguousarray(array)) for name, array in arrays.items()}
    text = sums.sign(dict(plain), "state.npz", {**known, **own}).decode()
    out = io.BytesIO()
    np.savez(out, **arrays, plain=np.array(text))  # type: ignore[arg-type]
    return out.getvalue()


def is_learning(path: Path) -> bool:
    """Return whether a path is a run folder of hsevo learn."""
    return kind_of(path) == LEARNED


def period_name(number: int) -> str:
    """Return the name of the checkpoint after a checkpoint interval, from 0."""
    return f"period-{number:04}"
