"""Machine code that a wheel carries: loaded where it can run, and compiled anew everywhere else."""

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsevo.engine import code_cache, internals, jit
from tests.unit.engine.test_jit import SOURCE, hits, loaded

pytestmark = pytest.mark.skipif(jit.INTERPRETED, reason="nothing is compiled")

TEXT = textwrap.dedent(SOURCE)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the machine code of an entry point by its name, as a wheel carries it."""
    folder = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "_folder", lambda: folder)
        rule = loaded(folder / "small_rules.py", TEXT, patch)
        return {rule.name(): rule.machine_code()}


@pytest.fixture
def shipped(compiled: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a file of machine code, and let hsevo take it for the one in the package."""
    path = tmp_path / "machine_code.bin"
    code_cache.write_shipped(path, jit.target(), jit.cpu_features(), "course", compiled)
    monkeypatch.setattr(jit, "SHIPPED_CODE", path)
    monkeypatch.setattr(jit, "_shipped", jit._shipped.__wrapped__)
    monkeypatch.setattr(jit, "_warn_of_unfit", jit._warn_of_unfit.__wrapped__)
    monkeypatch.setattr(jit, "_folder", lambda: tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    return path


def call(folder: Path, monkeypatch: pytest.MonkeyPatch, loads: bool) -> None:
    """Call the entry point in a new process, so to speak: it loads machine code, or compiles."""
    rule = loaded(folder / "small_rules.py", TEXT, monkeypatch)
    assert rule.is_compiled() == loads
    assert rule(4) == 9
    assert hits(rule) == loads
    assert any((folder / "cache").iterdir()) != loads


def test_what_is_shipped_is_loaded_and_nothing_is_written(
        shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call(tmp_path, monkeypatch, loads=True)
    shipped.chmod(0o444)
    call(tmp_path, monkeypatch, loads=True)


def test_what_is_compiled_is_kept_as_ever(
        shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture) -> None:
    shipped.unlink()
    call(tmp_path, monkeypatch, loads=False)
    assert caplog.messages == []
    rule = loaded(tmp_path / "small_rules.py", TEXT, monkeypatch)
    assert rule.is_compiled()
    assert (rule(4), hits(rule)) == (9, 1)


@pytest.mark.parametrize("key", ["sources", "numba", "llvmlite", "python", "platform"])
def test_code_of_other_rules_and_versions_is_not_loaded(
        key: str, shipped: Path, tmp_path: Path, compiled: dict[str, bytes],
        monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    here = jit.target()
    code_cache.write_shipped(shipped, here | {key: "another"}, jit.cpu_features(), "", compiled)
    call(tmp_path, monkeypatch, loads=False)
    why = f"it is for {key} another, and here is {here[key]}"
    assert caplog.messages == ["hsevo: the installed machine code is not used: "
                               f"{'it is of other sources' if key == 'sources' else why}"]


def test_a_cpu_that_lacks_a_feature_compiles(
        shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture) -> None:
    """It would meet instructions that it does not know: the process would end."""
    feature, *others = jit.cpu_features()
    monkeypatch.setattr(jit, "cpu_features", lambda: {*others, "another"})
    call(tmp_path, monkeypatch, loads=False)
    assert caplog.messages == [
        f"hsevo: the installed machine code is not used: this CPU has no {feature}"]
    monkeypatch.setattr(jit, "cpu_features", lambda: {feature, *others, "another"})
    rule = loaded(tmp_path / "small_rules.py", TEXT, monkeypatch)
    assert (rule(4), hits(rule)) == (9, 1)


def test_features_are_those_of_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """As NUMBA_CPU_FEATURES changes them."""
    codegen = type(jit.cpu_target.target_context.codegen())
    monkeypatch.setattr(codegen, "magic_tuple", lambda self: ("x86_64", "x", "+avx2,-fma,+sse4.1"))
    assert jit.cpu_features() == {"avx2", "sse4.1"}
    monkeypatch.setattr(codegen, "magic_tuple", lambda self: ("x86_64", "generic", ""))
    assert jit.cpu_features() == set()


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "rubbish": lambda data: b"\xff\n\xff\n" * 99,
    "the header is cut": lambda data: data[:200],
    "the header alone": lambda data: b"".join(data.splitlines(keepends=True)[:2]),
    "cut": lambda data: data[:-1],
    "a bit of the header": lambda data: data[:99] + bytes([data[99] ^ 1]) + data[100:],
    "a bit of the code": lambda data: data[:-99] + bytes([data[-99] ^ 1]) + data[-98:],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_was_damaged_is_compiled(
        damage: str, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped.write_bytes(DAMAGE[damage](shipped.read_bytes()))
    call(tmp_path, monkeypatch, loads=False)


def test_a_file_that_cannot_be_read_is_none(
        shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = jit._shipped()
    shipped.unlink()
    assert [code.read(name) for name in code.places] == [None]  # taken away meanwhile
    shipped.mkdir()  # not even root reads this
    call(tmp_path, monkeypatch, loads=False)


def test_without_the_internals_of_numba_nothing_shipped_is_loaded(
        shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(internals, "TRIED", ())
    call(tmp_path, monkeypatch, loads=False)


def test_other_entry_points_are_compiled(
        shipped: Path, tmp_path: Path, compiled: dict[str, bytes],
        monkeypatch: pytest.MonkeyPatch) -> None:
    code, = compiled.values()
    code_cache.write_shipped(shipped, jit.target(), jit.cpu_features(), "", {"another": code})
    call(tmp_path, monkeypatch, loads=False)


def test_places_are_those_of_several_codes(tmp_path: Path) -> None:
    path, target = tmp_path / "code", {"numba": "1"}
    codes = {"a": b"one\n", "b": b"", "c": b"three\n\n"}
    code_cache.write_shipped(path, target, ["x"], "course", codes)
    code: Any = code_cache.ShippedCode(path, target, ["x", "y"])
    assert {name: code.read(name) for name in codes} == codes
    assert code.read("d") is None
    assert code.course == "course"


def test_what_the_sources_mean_is_shipped_too(
        shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To find it out takes a second of the first game."""
    meant = jit.course()
    assert meant == "course"
    shipped.unlink()
    monkeypatch.setattr(jit.sources, "remembered", lambda name, find: find())
    monkeypatch.setattr(jit.sources, "digest", lambda names, but: f"{len(names)} names")
    assert jit.course() == f"{len(jit.sources.COURSE)} names"


def test_a_clone_carries_no_machine_code() -> None:
    assert not code_cache.SHIPPED.exists()
