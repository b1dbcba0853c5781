"""Every public name has a runnable example in its docstring, and the examples hold."""

import doctest
import inspect
from pathlib import Path
from typing import Any

import pytest

import hsevo

NAMES = [name for name in getattr(hsevo, "__all__", []) if not name.startswith("_")]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def examples(value: Any, name: str) -> list[doctest.DocTest]:
    """Return the examples of a name: of its docstring, and for a class of its methods."""
    if inspect.ismodule(value):
        return doctest.DocTestFinder(recurse=False).find(value, name)
    found = doctest.DocTestFinder().find(value, name, globs={"hsevo": hsevo, name: value})
    return [test for test in found if test.examples]


def test_there_are_public_names() -> None:
    assert len(NAMES) > 5


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("name", NAMES)
def test_public_name_has_an_example_that_runs(name: str, here: Path) -> None:
    tests = examples(getattr(hsevo, name), name)
    assert tests, f"hsevo.{name} has no >>> example in its docstring"
    assert any(doctest.SKIP not in example.options for test in tests for example in test.examples)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    for test in tests:
        runner.run(test, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)
