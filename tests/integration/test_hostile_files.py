"""Damaged and hostile files end in one clear line: hundreds of mutations, the same every time.

`python -m tests.support.hostile 1000 7` tries more of them, with every command.
"""

import os
import shutil
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from hsevo.errors import HsevoError
from hsevo.play import match
from tests.support import fake, hostile
from tests.support.hostile import CASES, WORDS, Case, Words
from tests.support.mutations import mutate

pytestmark = pytest.mark.slow
INPUTS = 20  # of each case


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make everything once, whole, and play on the stand-in engine."""
    before = Path.cwd()
    with pytest.MonkeyPatch.context() as patch:
        fake.install(lambda name, value: patch.setattr(match, name, value))
        folder = tmp_path_factory.mktemp("whole")
        hostile.make(folder)
        yield folder
        os.chdir(before)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_whole_is_read(case: Case, whole: Path, tmp_path: Path,
                               monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shutil.copytree(whole, tmp_path / "copy"))
    for command in case.commands:
        assert hostile.ends(command) == (0, "")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_damaged_ends_in_clear_lines(case: Case, whole: Path) -> None:
    random = Random(case.name)
    said = [hostile.attack(whole, case, random, every=False) for _ in range(INPUTS)]
    assert [text for text in said if text] == []


@pytest.mark.parametrize("case", WORDS, ids=lambda case: case.name)
def test_what_is_badly_said_ends_in_clear_lines(case: Words, whole: Path) -> None:
    random = Random(case.name)
    said = [hostile.speak(whole, case, random) for _ in range(INPUTS)]
    assert [text for text in said if text] == []


def warn() -> None:
    warnings.warn("odd", RuntimeWarning, stacklevel=2)


def hang() -> None:
    time.sleep(5)


def refuse() -> None:
    raise HsevoError("nothing")


def test_what_is_wrong_is_seen(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile, "SECONDS", 0.1)
    assert hostile.complaint(refuse) == ""
    assert "odd" in hostile.complaint(warn)
    assert "it hung" in hostile.complaint(hang)
    assert "ZeroDivisionError" in hostile.complaint(lambda: 1 / 0)
    monkeypatch.setattr(HsevoError, "__init__", Exception.__init__)
    for text in ("a\x1b[3m", "a\nhsevo: FORGED", "\n" * 30, "x" * 4000):
        def fail(text: str = text) -> None:
            raise HsevoError(text)

        assert hostile.complaint(fail)


def test_mutations_are_the_same_every_time_and_change_something() -> None:
    data = b"name: x\ngames: 3\n" * 3
    first = [mutate(data, ".yaml", Random(seed)) for seed in range(50)]
    assert first == [mutate(data, ".yaml", Random(seed)) for seed in range(50)]
    assert len(set(first)) > 40
