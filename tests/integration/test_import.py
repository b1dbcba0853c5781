"""`import hsevo` is quick and quiet: no warning, and none of the libraries that take long."""

import subprocess
import sys

import pytest

from tests.support import ROOT

HEAVY = ("numba", "pandas", "pydantic", "scipy", "matplotlib", "distributed", "sklearn",
         "gymnasium", "pettingzoo", "torch", "stable_baselines3")


def python(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=ROOT,
                          check=False)


def test_importing_warns_of_nothing_and_prints_nothing() -> None:
    done = python("-W", "error", "-c", "import hsevo")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_importing_loads_no_heavy_library() -> None:
    """Each costs from a tenth of a second to seconds; who needs one loads it on first use."""
    done = python("-c", f"import sys, hsevo; print([m for m in {HEAVY!r} if m in sys.modules])")
    assert done.stdout == "[]\n", done.stderr


def test_importing_a_command_compiles_nothing() -> None:
    """The reference kernel of `bench` took every report 0.8 seconds."""
    done = python("-c", "import hsevo.cli.report; from hsevo.benches import games;"
                        " print(games.reference.signatures)")
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("words", [
    "import hsevo.web.hall",
    "from hsevo.cli import main; main('match eva:2018 random --games 2 --decks mage'.split())",
])
def test_what_only_plays_imports_nothing_that_learns_or_evolves(words: str) -> None:
    """A match of two named agents imported 353 modules, a third of which it never entered."""
    most = 300 if "hall" in words else 230
    unused = ["learning", "evolution", "deckbuilding", "coevolution", "metagame", "benches"]
    unused += ["runs", "replays", "analysis", "reports"] * ("hall" not in words)
    print_them = ("import atexit, sys; atexit.register(lambda: print(*(name for name in sys.modules"
                  " if name.startswith('hsevo.'))))")
    done = python("-c", f"{print_them}; {words}")
    modules = done.stdout.splitlines()[-1].split()
    assert {name.split(".")[1] for name in modules} & {*unused} == set(), done.stderr
    assert not {f"hsevo.{name}" for name in ("analysis.examine", "analysis.landscape",
                                             "reports.report", "reports.page")} & {*modules}
    assert 50 < len(modules) <= most


def test_a_match_of_two_agents_loads_no_library_that_its_result_does_not_need() -> None:
    """pandas and scipy.optimize took a fifth of its CPU time, and 119 of its 281 MB."""
    heavy = ("pandas", "pyarrow", "scipy.optimize", "scipy.stats", "matplotlib")
    print_them = (f"import atexit, sys; atexit.register(lambda: print([m for m in {heavy!r}"
                  " if m in sys.modules]))")
    done = python("-c", f"{print_them}; from hsevo.cli import main;"
                        " main('match eva:2018 random --games 2 --decks mage'.split())")
    assert "is better" in done.stdout or "can't be told apart" in done.stdout, done.stderr
    assert done.stdout.splitlines()[-1] == "[]", done.stderr
