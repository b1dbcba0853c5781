"""Compiling with numba's internals and without them, and finding the machine code again."""

import importlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import util
from pathlib import Path
from typing import Any

import numba
import pytest

from hsevo import sources
from hsevo.cards import rulesets
from hsevo.engine import internals, jit
from hsevo.engine.compiling import Step
from hsevo.play import entry, match

pytestmark = pytest.mark.skipif(jit.INTERPRETED, reason="nothing is compiled")

SOURCE = '''
    """Two functions."""
    from hsevo.engine.jit import I8, entry_point, kernel

    @kernel(I8(I8))
    def twice(x):
        """Return the double."""
        return 2 * x

    @entry_point(I8(I8))
    def rule(x):
        return twice(x) + 1
'''
MODES = {"with internals": internals.TRIED, "without": ()}


@pytest.fixture(params=MODES)
def alone(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Compile nothing but what a test defines, into a folder of its own, in one of both ways."""
    monkeypatch.setattr(jit, "_folder", lambda: tmp_path)
    monkeypatch.setattr(internals, "TRIED", MODES[request.param])
    return str(request.param)


def loaded(path: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import a source as a new process would, and return its entry."""
    monkeypatch.setattr(jit, "_kernels", {})
    # Python takes a source of the same second and size for the one whose bytecode it has written.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    if not path.exists() or path.read_text() != source:
        path.write_text(source)
    spec = util.spec_from_file_location("small_rules", path)
    assert spec
    assert spec.loader
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.rule


def hits(rule: Any) -> int:
    return sum(rule.dispatcher.stats.cache_hits.values())


def compiled(rule: Any, mode: str, log: pytest.LogCaptureFixture) -> int:
    """Call an entry point that has to be compiled, with one line of warning where that is slow."""
    assert not rule.is_compiled()
    log.clear()
    value = int(rule(4))
    warned = [line for line in log.messages if "compiled the slow way" in line]
    assert len(warned) == (mode == "without")
    assert not any("\n" in line for line in warned)
    return value


def test_both_ways_come_to_the_same_and_are_found_again(
        alone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture) -> None:
    path, source = tmp_path / "small_rules.py", textwrap.dedent(SOURCE)
    first = loaded(path, source, monkeypatch)
    assert compiled(first, alone, caplog) == 9
    assert hits(first) == 0
    again = loaded(path, source, monkeypatch)
    assert again.is_compiled()
    caplog.clear()
    assert again(4) == 9
    assert hits(again) == 1
    assert caplog.messages == []


def test_a_changed_rule_never_meets_old_code(
        alone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture) -> None:
    """Not even in the entry point itself, or in a file of the same size."""
    path, source = tmp_path / "small_rules.py", textwrap.dedent(SOURCE)
    assert compiled(loaded(path, source, monkeypatch), alone, caplog) == 9
    for old, new, value in (("2 * x", "3 * x", 13), ("+ 1", "+ 2", 10)):
        changed = loaded(path, source.replace(old, new), monkeypatch)
        assert compiled(changed, alone, caplog) == value


@pytest.mark.parametrize("alone", ["with internals"], indirect=True)
def test_kernels_of_other_processes_with_the_same_names_do_not_meet(
        alone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process numbers its kernels from 0, and another can load the machine code of both."""
    source = textwrap.dedent(SOURCE).replace("@kernel(I8(I8))", "@kernel(I8(I8), cold=True)")
    rules = []
    for file, factor in (("first.py", 2), ("second.py", 3)):
        monkeypatch.setattr(jit, "_numbers", {})
        monkeypatch.setattr(jit, "_translated", [])
        changed = source.replace("2 * x", f"{factor} * x")
        rules.append(loaded(tmp_path / file, changed, monkeypatch))
        rules[-1].load()
    assert [rule(4) for rule in rules] == [9, 13]


def test_compiling_tells_how_far_it_is_and_loading_is_silent(
        alone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, source = tmp_path / "small_rules.py", textwrap.dedent(SOURCE)
    steps: list[Step] = []
    with jit.telling(steps.append):
        loaded(path, source, monkeypatch)(4)
        kernel, machine_code, end = steps
        assert {step.of for step in steps} == {"the engine"}
        assert kernel.begin == 0
        assert kernel.end == machine_code.begin
        assert machine_code.end == pytest.approx(machine_code.total)
        assert end.begin == end.end == end.total == machine_code.total
        loaded(path, source, monkeypatch)(4)
    loaded(path, source.replace("2 * x", "3 * x"), monkeypatch)(4)
    assert len(steps) == 3


def test_an_entry_point_compiles_what_it_calls_alone(
        alone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = textwrap.dedent(SOURCE) + textwrap.dedent("""
        from hsevo.engine.jit import calling

        @kernel(I8(I8))
        def thrice(x):
            return 3 * x

        @kernel(I8(I8))
        def more(x):
            return twice(x) + 1

        other = calling(more, twice=thrice)

        @entry_point(I8(I8))
        def another(x):
            return other(x)
    """)
    rule = loaded(tmp_path / "small_rules.py", source, monkeypatch)
    assert rule(4) == 9
    done = [one.py_func.__name__ for one in jit._kernels if one.overloads]
    assert done == ["twice"]
    assert rule.dispatcher.py_func.__globals__["another"](4) == 13
    done = [one.py_func.__name__ for one in jit._kernels if one.overloads]
    assert done == ["twice", "thrice", "more"]  # the copy, not what it is a copy of


SHARED = SOURCE + """
    import numba

    @numba.njit
    def helper(x):
        return x + x

    @kernel(I8(I8))
    def below(x):
        return helper(x) + max(x, 3)

    @kernel(I8(I8))
    def above(x):
        value = max(below(x), x) - twice(x)
        value += 3 * x - 3 * x
        value += 4 * x - 4 * x
        value += 5 * x - 5 * x
        value += 6 * x - 6 * x
        value += 7 * x - 7 * x
        value += 8 * x - 8 * x
        value += 9 * x - 9 * x
        value += 10 * x - 10 * x
        value += 11 * x - 11 * x
        return value

    @entry_point(I8(I8))
    def first(x):
        return above(x) + below(x)

    @kernel(I8(I8))
    def square(x):
        return x * above(x)

    @kernel(I8(I8))
    def cube(x):
        return square(x) * below(x)

    @entry_point(I8(I8))
    def second(x):
        return cube(x) - max(square(x), below(x))

    @kernel(I8(I8))
    def long(x):
        return x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x

    @kernel(I8(I8))
    def older(x):
        return cube(x) + int(helper(0.5))

    @entry_point(I8(I8))
    def third(x):
        return long(x) - older(x)
"""


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a module whose kernels two processes share, in a cache folder of its own.

    Kernels call each other from one share to the other. Both need numba's `max`, and a function
    without a signature for integers and for floats. Only the other process calls a kernel of an
    earlier entry point for the third.
    """
    (tmp_path / "shared_rules.py").write_text(textwrap.dedent(SHARED))
    for name, value in (("_folder", lambda: tmp_path), ("_kernels", {}), ("_numbers", {}),
                        ("_translated", []), ("_processes", lambda entry, left: 2)):
        monkeypatch.setattr(jit, name, value)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("shared_rules")
    del sys.modules["shared_rules"]


def interrupted(*_: Any) -> None:
    """Do what a user does to a long compilation."""
    raise KeyboardInterrupt


@pytest.mark.parametrize("program", [sys.executable, shutil.which("false"), shutil.which("true"),
                                     "/no/python"])
def test_processes_share_kernels_and_come_to_the_same(
        program: str, shared: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that fails, or that says nothing, costs only time. So does a stopped attempt.

    Nothing of the current folder runs in the other process.
    """
    helps = program == sys.executable
    monkeypatch.setattr(sys, "executable", program)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("json.py").write_text("open('ran.txt', 'w')")
    filled: list[Any] = []
    fill = internals.fill
    monkeypatch.setattr(internals, "fill", lambda *parts: filled.append(parts) or fill(*parts))
    with monkeypatch.context() as patch:
        patch.setattr(jit, "_translate", interrupted)
        with pytest.raises(KeyboardInterrupt):
            shared.first(1)
    steps: list[Step] = []
    with jit.telling(steps.append):
        for x in (1, 5):
            below = max(x, 3) + 2 * x
            above = max(below, x) - 2 * x
            assert shared.first(x) == above + below
            square = x * above
            assert shared.second(x) == square * below - max(square, below)
            assert shared.third(x) == 20 * x - square * below - 1
    assert len(filled) == 3 * helps
    assert all(step.end <= step.total + 1e-9 for step in steps)
    assert not Path("ran.txt").exists()


def test_loading_imports_no_module_of_another_entry_point(
        shared: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match imported what learns, if its process had compiled that before."""
    (tmp_path / "more_rules.py").write_text(textwrap.dedent(f"""
        from hsevo.engine.jit import I8, entry_point, kernel
        from shared_rules import above

        @kernel(I8(I8))
        def longest(x):
            return above(x) + {" + ".join(["(x" + " + x" * 39 + ")"] * 10)}

        @entry_point(I8(I8))
        def more(x):
            return longest(x)
    """))
    monkeypatch.delitem(sys.modules, "more_rules", raising=False)
    more = importlib.import_module("more_rules").more  # the other process translates `above`
    assert (more(1), shared.first(1)) == (3 + 400, 3 + 5)
    done = subprocess.run([sys.executable, "-c", f"""
        import sys
        from pathlib import Path
        from hsevo.engine import jit
        jit._folder = lambda: Path({str(tmp_path)!r})
        import shared_rules
        assert shared_rules.first.is_compiled() and shared_rules.first(1) == 8
        assert "more_rules" not in sys.modules
    """.replace("\n        ", "\n")], env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_another_thread_compiles_a_function_of_its_own_as_ever(
        shared: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    values: list[Any] = []
    translate = jit._translate
    thread = threading.Thread(target=lambda: values.append(numba.njit(lambda x: x + 1)(1)))

    def beside(*parts: Any) -> None:
        if not thread.ident:
            thread.start()
            thread.join(0.3)  # it waits: numba's internals are changed
        translate(*parts)
    monkeypatch.setattr(jit, "_translate", beside)
    shared.first(1)
    thread.join(60)
    assert values == [2]


def test_watchers_of_two_threads_end_in_any_order() -> None:
    told: dict[str, list[Step]] = {"a": [], "b": []}
    first, second = jit.telling(told["a"].append), jit.telling(told["b"].append)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    jit._tell(step := Step("", 0, 1, 1))
    second.__exit__(None, None, None)
    jit._tell(Step("", 1, 1, 1))
    assert told == {"a": [], "b": [step]}


def test_few_kernels_or_a_program_that_is_no_python_need_no_other_process(
        monkeypatch: pytest.MonkeyPatch) -> None:
    many = [object()] * jit.MANY
    assert jit._processes(entry.enter, many[1:]) == 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(64), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert jit._processes(entry.enter, many) == jit.MOST_PROCESSES
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert jit._processes(entry.enter, many) == 1


def test_entry_points_together_are_one_piece_of_work(
        alone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel that they share counts once, and what was compiled before not at all."""
    source = textwrap.dedent(SOURCE) + textwrap.dedent("""
        @entry_point(I8(I8), "more")
        def another(x):
            return twice(x)
    """)
    for compiled, names in ((False, ["the engine", "the engine", "more", "more"]), (True, [])):
        rule = loaded(tmp_path / "small_rules.py", source, monkeypatch)
        steps: list[Step] = []
        with jit.telling(steps.append):
            jit.load_all([rule, another := rule.dispatcher.py_func.__globals__["another"]])
        assert [step.of for step in steps] == names, compiled
        assert [step.begin for step in steps] == sorted(step.begin for step in steps)
        assert len({step.total for step in steps}) <= 1
        if steps:
            assert steps[-2].end == pytest.approx(steps[-1].total)
        assert (rule(4), another(4)) == (9, 8)


@pytest.mark.slow
def test_of_two_processes_one_compiles_and_one_waits(tmp_path: Path) -> None:
    (tmp_path / "small_rules.py").write_text(textwrap.dedent(SOURCE))
    code = ("import small_rules; from hsevo.engine import jit\n"
            "with jit.telling(lambda step: print('step')): print(small_rules.rule(4))")
    paths = os.pathsep.join([str(tmp_path), str(sources.PACKAGE.parent)])
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                             env=os.environ | {"HSEVO_CACHE": str(tmp_path / "cache"),
                                               "PYTHONPATH": paths}) for _ in range(2)]
    told = [process.communicate(timeout=120)[0].splitlines() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert [lines[-1] for lines in told] == ["9", "9"]
    assert sorted(map(len, told)) == [1, 4]


@pytest.mark.parametrize("alone", ["with internals"], indirect=True)
@pytest.mark.parametrize("change", [
    ("Return the double.", "Double."), ("def rule(x):", "def rule(x):\n    # of them\n"),
    ("def rule(x):", 'def rule(x):\n    """Say it."""'), ('"""Two', '\n\n"""Two')])
def test_a_comment_does_not_compile_anew(
        alone: str, change: tuple[str, str], tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    path, source = tmp_path / "small_rules.py", textwrap.dedent(SOURCE)
    assert compiled(loaded(path, source, monkeypatch), alone, caplog) == 9
    again = loaded(path, source.replace(*change), monkeypatch)
    assert again.is_compiled()
    assert again(4) == 9
    assert hits(again) == 1


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:len(data) // 2], lambda data: b"rubbish",
    lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], None])
@pytest.mark.parametrize("ending", ["nbi", "nbc", "sha256"])
def test_what_was_damaged_on_disk_is_compiled_again(
        alone: str, ending: str, damage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture) -> None:
    """By a failing disk, or in a power cut: numba would unpickle and run it as it is."""
    path, source = tmp_path / "small_rules.py", textwrap.dedent(SOURCE)
    assert compiled(loaded(path, source, monkeypatch), alone, caplog) == 9
    file, = tmp_path.rglob(f"small_rules.rule-*.{ending}")
    file.write_bytes(damage(file.read_bytes())) if damage else file.unlink()
    again = loaded(path, source, monkeypatch)
    assert compiled(again, alone, caplog) == 9
    assert hits(again) == 0
    third = loaded(path, source, monkeypatch)
    assert third.is_compiled()
    assert (third(4), hits(third)) == (9, 1)


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow beyond 100 bytes: a disk that is full raises the same kind of error."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    heeded = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, heeded)


@pytest.mark.parametrize(("problem", "lines"), [
    ("full", 1), ("a file", 1), ("nbi", 1), ("nbc", 1), ("sha256", 0), ("gone", 0)])
def test_a_cache_that_cannot_be_used_is_a_line_at_most(
        alone: str, problem: str, lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture) -> None:
    """What a minute of compiling made is used, whether or not it can be kept."""
    path, source, cache = tmp_path / "small_rules.py", textwrap.dedent(SOURCE), tmp_path / "cache"
    monkeypatch.setattr(jit, "_folder", lambda: cache)
    jit._warn.cache_clear()
    if problem == "a file":
        cache.touch()
    else:
        cache.mkdir()
    if problem in ("nbi", "nbc", "sha256"):
        assert loaded(path, source, monkeypatch)(4) == 9
        file, = cache.rglob(f"small_rules.rule-*.{problem}")
        file.unlink()
        (file / "full").mkdir(parents=True)  # not even root reads, replaces or removes this
    rule = loaded(path, source, monkeypatch)
    if problem == "gone":
        assert not rule.is_compiled()
        cache.rmdir()
    caplog.clear()
    with full_disk() if problem == "full" else nullcontext():
        assert rule(4) == 9
    said = [line for line in caplog.messages if "machine code is not kept in" in line]
    assert len(said) == lines
    assert not any("\n" in line for line in said)
    assert loaded(path, source, monkeypatch)(4) == 9  # and half of a file is never taken for it


def test_a_start_loads_nothing_that_only_compiling_needs() -> None:
    """It took 0.4 s and 80 MB: numba's lowering, and the intermediate code of all kernels."""
    code = ("import sys; from hsevo.play import match; match.warm_up(); "
            "print(*(name for name in sys.modules if name.startswith('numba.np.')), sep='\\n')")
    match.warm_up()  # so that it is there
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           check=True, cwd=sources.PACKAGE.parent).stdout.split()
    assert found
    assert not {"numba.np.arraymath", "numba.np.arrayobj"} & set(found)
    kept, = jit._folder().glob("*enter_early-hsevo.play.entry*.nbc")
    assert b"list_moves" in kept.read_bytes()  # its names are there
    assert kept.stat().st_size < 6_000_000


def test_internals_are_used_where_they_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails after an update of numba: try it with all tests, and add it to TRIED."""
    assert internals.missing() == ""
    monkeypatch.setattr(numba, "__version__", "0.99.1")
    assert internals.missing() == (
        f"it was not tried with numba 0.99.1 (but {', '.join(internals.TRIED)})")
    monkeypatch.setattr(numba, "__version__", f"{internals.TRIED[0]}.9")
    assert internals.missing() == ""
    for owner in internals.CPUCodeLibrary.__mro__:
        if "finalize" in vars(owner):
            monkeypatch.delattr(owner, "finalize")
    assert internals.missing() == f"numba {internals.TRIED[0]}.9 has no finalize"


def test_moved_sources_have_machine_code_of_their_own(monkeypatch: pytest.MonkeyPatch,
                                                      tmp_path: Path) -> None:
    """Machine code imports the modules that it is of by their names, which are others then."""
    find = jit._folder.__wrapped__
    monkeypatch.setattr(sources, "cache", lambda: tmp_path)
    here, kernels = find(), sources.files(sources.KERNELS, sources.NOT_KERNELS)
    moved = [path.with_name("elsewhere.py") if path.stem == "deaths" else path for path in kernels]
    assert moved != kernels
    monkeypatch.setattr(sources, "files", lambda names, but=(): moved)
    monkeypatch.setattr(sources, "remembered", lambda name, find: sources.digest.__doc__)
    there = find()
    monkeypatch.setattr(sources, "files", lambda names, but=(): kernels)
    assert there not in (here, find())


def test_a_ruleset_that_a_program_adds_is_none_of_the_engine(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It once was, so that a process that had added one refused the runs of all others."""
    before = jit.fingerprint()
    monkeypatch.setattr(sources, "cache", lambda: tmp_path)
    monkeypatch.setitem(rulesets.RULESETS, "another", rulesets.Ruleset("another", ""))
    assert jit.fingerprint.__wrapped__() == before
    kept = [path.read_text()[:64] for path in (tmp_path / "sources").iterdir()]
    assert kept == [sources.digest(sources.COURSE, sources.NOT_COURSE)]


def test_every_process_has_the_same_fingerprint() -> None:
    """Whatever else it imported, in whatever order Python's sets are there."""
    told = subprocess.run(
        [sys.executable, "-c", "from hsevo.engine.jit import fingerprint; print(fingerprint())"],
        capture_output=True, text=True, check=True, env=os.environ | {"PYTHONHASHSEED": "7"})
    assert told.stdout.strip() == jit.fingerprint()
