"""Works: the commands that measurements take, each done once by an engine and then kept.

A lab is a folder of one engine's: done/NAME.json says that a work is done and what it cost,
said/NAME.out and .err hold what it printed, and runs/NAME is what it wrote. Links lead to the
repository's tests, studies, examples, configs and decks, so that commands read as in the docs.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

from hsevo import sources
from hsevo.runs.folder import method
from hsevo.strength.panel import FOLDER as PANELS
from studies import ROOT

LINKS = ("tests", "studies", "examples", "configs", "decks")
# -P: modules come from the repository itself, not by the links in the lab.
PROGRAMS = {"hsevo": (sys.executable, "-P", "-m", "hsevo"), "python": (sys.executable, "-P")}
# What takes --workers; what goes on with --resume DIR, and what with the same command.
TEAMS = ("evolve", "decks", "coevolve", "match", "export-best", "arena", "benchmark", "tournament",
         "learn", "exploit", "examine", "study", "ladder", "tests.support.make_panel",
         "studies.rating_study")
RESUMED = ("evolve", "coevolve", "learn", "arena", "benchmark")
REPEATED = ("tournament", "exploit", "tests.support.make_panel", "examples/learning_ladder.py",
            "ladder", "examples/ways_to_learn.py", "examples/targets_to_learn.py")
# How long a work takes beside the others of its measurement, roughly.
WEIGHTS = {"evolve": 20.0, "coevolve": 20.0, "learn": 20.0, "exploit": 20.0, "decks": 20.0,
           "ladder": 100.0, "benchmark": 10.0, "examine": 10.0}


meaning = cache(sources.digest)  # a second each, and many works depend on the same sources


class WorkError(Exception):
    """A command that failed: its last line."""


@dataclass(frozen=True)
class Work:
    """A command. {out} in it is the folder or file that it writes, {0} that of its first need.

    called: the name of what it writes, if that shows in what it prints.
    """

    command: str
    needs: tuple[Work, ...] = ()
    called: str = ""

    @cached_property
    def verb(self) -> str:
        """What it does: "match" of `hsevo match ...`, "tests.fuzz" of `python -m tests.fuzz`."""
        words = shlex.split(self.command)
        return words[2] if words[1] == "-m" else words[1]

    @cached_property
    def digest(self) -> str:
        """16 hex digits that change with all that its result depends on, beside the engine."""
        parts = [self.command, *(need.digest for need in self.needs)]
        if self.verb in ("evolve", "export-best"):
            parts.append(method())
        if self.verb in ("learn", "exploit") or self.verb.startswith("examples/"):
            parts.append(meaning(("learning", "config/learning.py")))
        if self.verb == "decks":
            parts.append(meaning(("deckbuilding", "config/deckbuilding.py")))
        if self.verb == "coevolve":
            parts.append(meaning(("deckbuilding", "coevolution", "evolution/strategies.py",
                                         "evolution/strategies.py",
                                         "config/deckbuilding.py", "config/coevolution.py")))
        if self.verb == "benchmark":
            parts += [str(path.read_bytes()) for path in sorted(PANELS.rglob("*.csv"))]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    @cached_property
    def name(self) -> str:
        """What its files are called."""
        said = re.sub(r"[^\w.]+", "-", re.sub(r"\{\w+\}", "", self.command)).strip("-")
        return self.called or f"{said[:60].strip('-')}-{self.digest[:8]}"

    @property
    def out(self) -> str:
        """What it writes, relative to the lab."""
        return f"runs/{self.name}"

    @property
    def shown(self) -> str:
        """The command as it is run."""
        return self.command.format(*(need.out for need in self.needs), out=self.out)

    @property
    def weight(self) -> float:
        """How long it takes beside other works, roughly."""
        return WEIGHTS.get(self.verb, 1.0)


def closure(works: Iterable[Work]) -> Iterator[Work]:
    """Yield works and all that they need, each once, needs first."""
    seen: set[Work] = set()

    def walk(work: Work) -> Iterator[Work]:
        if work not in seen:
            seen.add(work)
            for need in work.needs:
                yield from walk(need)
            yield work

    for work in works:
        yield from walk(work)


class Lab:
    """The works that one engine has done, in a folder of their own."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._processes: set[subprocess.Popen[bytes]] = set()

    def prepare(self) -> None:
        """Make the folder and its links."""
        for name in ("done", "said", "runs", "begun"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        for name in LINKS:
            if not (self.path / name).is_symlink():
                (self.path / name).symlink_to(ROOT / name)

    def record(self, work: Work) -> dict[str, Any] | None:
        """Return what is known of a work that is done: cpu and wall (seconds), date; or None."""
        try:
            found: dict[str, Any] = json.loads((self.path / f"done/{work.name}.json").read_text())
        except OSError:
            return None
        return found if found["digest"] == work.digest else None

    def text(self, work: Work) -> str:
        """Return what a work printed."""
        return (self.path / f"said/{work.name}.out").read_text(encoding="utf-8")

    def errors(self, work: Work) -> str:
        """Return what a work said on standard error."""
        return (self.path / f"said/{work.name}.err").read_text(encoding="utf-8")

    def json(self, work: Work) -> Any:
        """Return the object that a work with --json printed."""
        return json.loads(self.text(work))

    def folder(self, work: Work) -> Path:
        """Return what a work wrote."""
        return self.path / work.out

    def cpu(self, work: Work) -> float:
        """Return what a work cost, in CPU seconds."""
        found = self.record(work)
        assert found
        return float(found["cpu"])

    def forget(self, work: Work) -> None:
        """Let a work be done anew."""
        (self.path / f"done/{work.name}.json").unlink(missing_ok=True)

    def do(self, work: Work, workers: int = 1) -> None:
        """Run a command whose needs are done, or go on with it. Raises WorkError."""
        if self.record(work):
            return
        words, resumed = self._words(work, workers)
        (self.path / f"begun/{work.name}").write_text(work.digest)
        code, usage, wall = self._run(work, words)
        if code:
            lines = self.errors(work).strip().splitlines() or [f"it ended with {code}"]
            raise WorkError(f"{work.shown}: {lines[-1]}")
        done = {"digest": work.digest, "command": work.shown, "wall": round(wall, 2),
                "cpu": round(usage.ru_utime + usage.ru_stime, 2), "resumed": resumed}
        temporary = self.path / f"done/.{work.name}"
        temporary.write_text(json.dumps(done, indent=1))
        temporary.rename(self.path / f"done/{work.name}.json")

    def _words(self, work: Work, workers: int) -> tuple[list[str], bool]:
        """Return the words to run, and whether they go on with what was begun."""
        first, *words = shlex.split(work.shown)
        begun, out = self.path / f"begun/{work.name}", self.folder(work)
        same = begun.exists() and begun.read_text() == work.digest and out.exists()
        if same and work.verb in RESUMED and "--frontier" not in words:
            words = [work.verb, "--resume", work.out, *(["--json"] if "--json" in words else [])]
        elif out.exists() and not (same and (work.verb in REPEATED or "--frontier" in words)):
            shutil.rmtree(out) if out.is_dir() else out.unlink()
            same = False
        if work.verb in TEAMS:
            words += ["--workers", str(workers)]
        return [*PROGRAMS[first], *words], same

    def _run(self, work: Work, words: list[str]) -> tuple[int, Any, float]:
        """Run words in the lab; return exit code, usage and wall time of it and its children."""
        own = (str(ROOT), str(ROOT / "examples"))  # one example imports another
        paths = filter(None, (*own, os.environ.get("PYTHONPATH")))
        known = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "200"}
        with (self.path / f"said/{work.name}.out").open("wb") as out, \
                (self.path / f"said/{work.name}.err").open("wb") as errors:
            begin = perf_counter()
            process = subprocess.Popen(words, cwd=self.path, env=known, stdout=out, stderr=errors,
                                       stdin=subprocess.DEVNULL)
            self._processes.add(process)
            _, status, usage = os.wait4(process.pid, 0)  # with its children, unlike wait()
            self._processes.remove(process)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage, perf_counter() - begin

    def stop(self) -> None:
        """End all commands that run; most go on where they were when they are done again."""
        for process in [*self._processes]:
            process.terminate()

    def before(self, name: str, figures: Mapping[str, str]) -> None:
        """Keep what a measurement's figures were before this engine first measured them."""
        kept = self.all_before()
        kept.setdefault(name, dict(figures))
        (self.path / "before.json").write_text(json.dumps(kept, indent=1), encoding="utf-8")

    def all_before(self) -> dict[str, dict[str, str]]:
        """Return what figures were before this engine, by measurement."""
        path = self.path / "before.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
