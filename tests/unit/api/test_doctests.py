"""Every public name of hsevo has an example that runs."""

import doctest
from pathlib import Path

import pytest

import hsevo

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize("name", hsevo.__all__)
def test_the_example_of_a_public_name_runs(name: str, tmp_path: Path,
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    public = getattr(hsevo, name)
    found = doctest.DocTestFinder(recurse=False).find(public, name, globs={"hsevo": hsevo})
    assert [test for test in found if test.examples], f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in found:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_face_is_what_its_stub_says() -> None:
    assert {"Agent", "Deck", "Run", "arena", "benchmark", "evolve", "examine", "match", "report",
            "tournament"} <= set(hsevo.__all__)
    assert all(hasattr(hsevo, name) for name in hsevo.__all__)
    assert set(hsevo.__all__) <= set(dir(hsevo))
