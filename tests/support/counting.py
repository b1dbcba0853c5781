"""The smallest kind of experiment: it counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hsevo import config
from hsevo.files import undamaged
from hsevo.store import sums
from hsevo.store.folder import Folder, read_json

STEPS = 4
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
    engine = "e1"
    step = 0

    @classmethod
    def tables_of(cls, number: int) -> tuple[str, ...]:
        return "numbers.csv", "odd.csv"

    def marks(self) -> dict[str, str]:
        return {"engine": self.engine}

    def _take(self) -> None:
        path = self.path / self.COMMIT
        if not path.exists():
            if self.done:
                raise self._gone()
            return
        state = read_json(path)
        with undamaged(path):
            self.digests = sums.check(state, self.COMMIT)
            self.sizes, self.step = state["sizes"], state["step"]

    def _commit_bytes(self, sizes: Mapping[str, int], digests: Mapping[str, str]) -> bytes:
        return _state(self.step, sizes, digests)

    @classmethod
    def create(cls, path: Path, plan: Counted | None = None) -> Counting:
        plan = plan or Counted()
        text = config.dump(plan).encode()
        about = {"kind": KIND, "format": 2, "version": "1", "engine": cls.engine,
                 "config": sums.short_digest(text.decode())}
        return cls(path, plan, cls._make(path, about, {"config.yaml": text}, path.name))

    def append(self, step: int) -> None:
        lines = {"numbers.csv": b"" if self.sizes["numbers.csv"] else b"step\n"}
        lines["numbers.csv"] += b"%d\n" % step
        if step % 2:
            lines["odd.csv"] = b"" if self.sizes["odd.csv"] else b"step\n"
            lines["odd.csv"] += b"%d\n" % step
        self._commit(lines, {f"step-{step}": b"%d" % step},
                     lambda sizes, digests: _state(step, sizes, digests))
        self.step = step

    def finish(self) -> None:
        self._finish(f"{self.plan.steps} steps")

    def run(self) -> Counting:
        for step in range(self.step + 1, self.plan.steps + 1):
            self.append(step)
        self.finish()
        self.close()
        return self


def _state(step: int, sizes: Mapping[str, int], digests: Mapping[str, str]) -> bytes:
    return sums.sign({"step": step, "sizes": dict(sizes)}, Counting.COMMIT, dict(digests))
