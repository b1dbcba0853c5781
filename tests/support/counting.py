"""The smallest kind of experiment: it counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

import pandas as pd

from hsevo import config
from hsevo.files import undamaged
from hsevo.store import sums
from hsevo.store.folder import Folder, read_json
from hsevo.store.tables import Column, DataTable

STEPS = 4
STEP = Column("step", int, "Which step, from 1.")
KIND = "hsevo counting"
FORMATS = {2: {}, 1: {"length": "steps"}}  # the first had another name for it


class Counted(config.Section):
    """The settings of an experiment that counts."""

    name: str = "count"
    seed: int = 1
    steps: int = STEPS
    workers: config.Workers = config.Workers()


class Counting(Folder[Counted]):
    """It writes a line of numbers.csv at each step, a file with the number, and a line of odd.csv.
    """

    KIND, PLAN, COMMIT, SPEC = KIND, Counted, "state.json", "count:RUN"
    FORMATS = FORMATS
    TABLES = (DataTable("numbers.csv", "A line a step.", (STEP,)),
              DataTable("odd.csv", "A line an odd step.", (STEP,)))
    engine = "e1"
    step = 0

    def _marks(self) -> dict[str, str]:
        return {"engine": self.engine}

    def _take(self) -> None:
        path = self.path / self.COMMIT
        if not path.exists():
            if self.final:
                raise self._gone()
            return
        state = read_json(path)
        with undamaged(path):
            self.digests = sums.check(state, self.COMMIT)
            self.sizes, self.step = state["sizes"], state["step"]

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str],
                      step: int | None = None) -> bytes:
        return sums.sign({"step": step or self.step, "sizes": dict(sizes)}, self.COMMIT,
                         dict(digests))

    @classmethod
    def make(cls, path: Path, plan: Counted | None = None) -> Self:
        plan = plan or Counted()
        return cls._make(path, plan, {"engine": cls.engine}, {"version": "1", "started": "then"},
                         named=path.name)

    def _lines_of(self, step: int) -> dict[str, pd.DataFrame]:
        line = pd.DataFrame({"step": [step]})
        return {"numbers.csv": line, "odd.csv": line if step % 2 else line[:0]}

    def _files(self, step: int) -> tuple[dict[str, bytes], dict[str, bytes]]:
        return {}, {f"step-{step}": b"%d" % step}

    def append(self, step: int) -> None:
        super().append(step)
        self.step = step

    @property
    def _finished(self) -> str:
        return f"{self.plan.steps} steps"

    def run(self) -> Self:
        for step in range(self.step + 1, self.plan.steps + 1):
            self.append(step)
        self._finish()
        self.close()
        return self
