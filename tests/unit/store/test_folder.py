"""The folder of any experiment, by the smallest kind there is: what it commits survives a kill."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from hsevo.errors import ConfigError, RunError
from hsevo.store import kinds, sums
from tests.support.counting import KIND, STEPS, Counted, Counting


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.RUNS, KIND, ("count", lambda path: "count on"))


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return Counting.make(tmp_path / "whole").run().path


def bits(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in path.iterdir()
            if one.name not in (".lock", "log.txt")}


class Killed(BaseException):
    """A process is killed."""


@pytest.mark.parametrize("call", range(1, 25))
def test_killed_at_any_flush_it_goes_on_to_the_same_bits(
        call: int, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four steps are 22 flushes, and the mark that it is done two; what was written is left."""
    flush, calls, run = os.fsync, iter(range(1, 10**6)), Counting.make(tmp_path / "run")

    def cut(descriptor: int) -> None:
        if next(calls) == call:
            raise Killed
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", cut)
    with pytest.raises(Killed):
        run.run()
    run.close()
    monkeypatch.setattr(os, "fsync", flush)
    assert bits(Counting.lock(run.path).run().path) == bits(whole)


@pytest.mark.parametrize("call", range(1, 25))
def test_a_step_that_the_disk_refused_can_be_added_again(
        call: int, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same object, whichever flush of it fails."""
    flush, calls, run = os.fsync, iter(range(1, 10**6)), Counting.make(tmp_path / "run")

    def full(descriptor: int) -> None:
        if next(calls) == call:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError, match="No space left"):
        run.run()
    assert bits(run.run().path) == bits(whole)


def test_what_is_committed_alone_is_read(whole: Path) -> None:
    with (whole / "numbers.csv").open("ab") as file:
        file.write(b"5\n6")
    run = Counting(whole)
    assert run._part("numbers.csv") == b"step\n1\n2\n3\n4\n"
    assert (run.done, run.step) == (True, STEPS)


@pytest.mark.parametrize("name", ["numbers.csv", "odd.csv", "state.json", "about.json",
                                  "config.yaml"])
def test_a_changed_byte_is_found_and_nothing_is_cut(name: str, whole: Path) -> None:
    data = (whole / name).read_bytes()
    (whole / name).write_bytes(data[:-2] + b"7" + data[-1:])
    with (whole / "odd.csv").open("ab") as file:
        file.write(b"9\n")
    before = bits(whole)
    with pytest.raises((RunError, ConfigError), match=name) as caught:
        Counting.lock(whole)
    assert "\n" not in str(caught.value)
    assert bits(whole) == before


@pytest.mark.parametrize(("state", "said"), [
    ("{", "Expecting property name enclosed"), ("[]", "it must be a mapping"),
    ("{}", "it has no 'sizes'"), ('{"sha256": {}}', "it is not what was written"),
    ("", "Expecting"), ("[" * 200_000, "recursion")])
def test_a_damaged_commit_is_one_clear_line(state: str, said: str, whole: Path) -> None:
    (whole / "state.json").write_text(state)
    with pytest.raises(RunError, match=rf"state\.json is damaged: .*{said}") as caught:
        Counting(whole)
    assert "\n" not in str(caught.value)


def test_a_check_that_fails_leaves_the_folder_as_it_is(whole: Path) -> None:
    with (whole / "numbers.csv").open("ab") as file:
        file.write(b"5\n")
    before = bits(whole)

    def refuse(run: Counting) -> None:
        raise RunError("no")

    with pytest.raises(RunError, match="no"):
        Counting.lock(whole, refuse)
    assert bits(whole) == before
    Counting.lock(whole).close()  # the lock was given up, and now the line is cut off
    assert bits(whole)["numbers.csv"] == before["numbers.csv"][:-2]


def test_another_engine_is_refused_and_can_still_be_read(
        whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counting, "engine", "e2")
    with pytest.raises(RunError, match="begun with engine e1 of hsevo 1, but this is e2"):
        Counting.lock(whole)
    assert Counting(whole).done


def test_a_folder_of_an_older_format_is_read_by_its_old_names(whole: Path) -> None:
    text = (whole / "config.yaml").read_text().replace("steps:", "length:")
    (whole / "config.yaml").write_text(text)
    tree: dict[str, Any] = json.loads((whole / "about.json").read_text())
    del tree["sha256"]
    (whole / "about.json").write_text(json.dumps(
        tree | {"format": 1, "config": sums.short_digest(text)}))
    assert Counting(whole).plan.steps == STEPS
    (whole / "about.json").write_text(json.dumps(tree | {"format": 3}))
    with pytest.raises(RunError, match="has format 3, but this hsevo reads format 2; use hsevo 1"):
        Counting(whole)


def test_it_is_prolonged_as_if_it_had_been_planned_so(whole: Path, tmp_path: Path) -> None:
    longer = Counting.make(tmp_path / "longer", Counted(steps=6)).run().path
    run = Counting.lock(whole)
    assert run._prolong("steps", 4, lambda number: None) == ""
    assert run._prolong("steps", 6, lambda number: None) == "prolonged from 4 to 6 steps"
    run.run()
    assert bits(whole) == bits(longer)


def test_lines_and_files_that_were_taken_back_do_not_count(whole: Path, tmp_path: Path) -> None:
    run = Counting.lock(whole)
    run._take_back("odd.csv", ("3",), ["step-4"])
    assert run._part("odd.csv") == b"step\n1\n" == (whole / "odd.csv").read_bytes()
    assert "step-4" not in run.digests
    run._take_back("odd.csv", ("1",))
    run.close()
    assert Counting(whole)._part("odd.csv") == b""  # its heading goes with its last line


def test_a_run_of_another_command_says_what_to_do_with_it(
        whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counting, "KIND", kinds.LEARNED)
    with pytest.raises(RunError, match="is a run of hsevo count, but this command needs a run of"
                                       " hsevo learn; count on"):
        Counting(whole)
