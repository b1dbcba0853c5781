"""What runs and machine code are marked with, and the cache folder."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hsevo import sources
from hsevo.sources import COURSE, NOT_COURSE, digest, remembered


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let `sources` read a copy of the package, which may be changed."""
    shutil.copytree(sources.PACKAGE, tmp_path / "hsevo", ignore=shutil.ignore_patterns("*.pyc"))
    monkeypatch.setattr(sources, "PACKAGE", tmp_path / "hsevo")
    return tmp_path / "hsevo"


def change(path: Path, old: str, new: str) -> None:
    """Replace the first of some text in a file, which must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_only_rules_change_the_course_of_a_run(copy: Path) -> None:
    before = digest(COURSE, NOT_COURSE)
    turn = copy / "engine" / "operations" / "turn.py"
    change(turn, '"""The loop that', '"""This is the loop that')
    change(copy / "evolution" / "evolve.py", "def evolve(", "# All of it.\ndef evolve(")
    change(copy / "engine" / "view" / "show.py", "import", "import ast\nimport")
    assert digest(COURSE, NOT_COURSE) == before
    change(copy / "engine" / "game" / "setup.py", "g.rng = mix(seed)", "g.rng = mix(seed + 1)")
    assert digest(COURSE, NOT_COURSE) != before


def test_a_file_may_be_moved(copy: Path) -> None:
    """Its module has another name and another folder then, and all imports of it change."""
    before = digest(COURSE, NOT_COURSE)
    (copy / "engine" / "dying").mkdir()
    (copy / "engine" / "rules" / "deaths.py").rename(copy / "engine" / "dying" / "dead.py")
    for path in copy.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("hsevo.engine.rules.deaths", "hsevo.engine.dying.dead"),
                        encoding="utf-8")
    assert digest(COURSE, NOT_COURSE) == before
    change(copy / "engine" / "dying" / "dead.py", "return any_died or", "return any_died and")
    assert digest(COURSE, NOT_COURSE) != before


def test_what_was_found_is_remembered_by_the_bytes_of_all_sources(
        copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "cache", lambda: tmp_path)
    asked = []

    def find() -> str:
        asked.append(1)
        return digest(["seeds.py"])

    def now() -> str:
        sources.all_bytes.cache_clear()
        return remembered("seeds", find)

    first = now()
    assert now() == first == digest(["seeds.py"])
    assert len(asked) == 1
    change(copy / "seeds.py", "Random streams", "Streams")
    assert now() == first
    assert len(asked) == 2
    change(copy / "seeds.py", "0x9E37", "0x9E38")
    assert now() == digest(["seeds.py"]) != first
    for damage in (lambda text: text[:9], lambda text: "0" + text[1:], lambda text: text[:64],
                   lambda text: ""):
        for file in (tmp_path / "sources").glob("*-seeds"):
            file.write_text(damage(file.read_text()))
        assert now() == digest(["seeds.py"])
    sources.all_bytes.cache_clear()


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let $HSEVO_CACHE name a folder, and nothing else be there but what is temporary."""
    monkeypatch.setenv("HSEVO_CACHE", str(tmp_path / "own"))
    monkeypatch.setattr(sources.platformdirs, "user_cache_dir",
                        lambda *_, **__: str(tmp_path / "user"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "own"


def cache() -> Path:
    """Return the cache that a new process would take."""
    return sources.cache.__wrapped__()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_cache_is_closed_to_others(own: Path) -> None:
    before = os.umask(0)
    try:
        assert cache() == own
    finally:
        os.umask(before)
    assert mode(own) == 0o700
    (own / "engine").mkdir(mode=0o777)
    assert cache() == own  # whatever the mode of what is in it


def test_a_cache_that_others_could_only_read_is_closed(own: Path) -> None:
    (own / "engine").mkdir(parents=True)
    for folder in (own, own / "engine"):
        folder.chmod(0o755)
    assert cache() == own
    assert mode(own) == 0o700


def another_users(own: Path) -> None:
    own.mkdir(mode=0o700)
    own.chmod(0o700)
    os.chown(own, 12345, -1)


def a_link(own: Path) -> None:
    (own.parent / "elsewhere").mkdir(mode=0o700)
    own.symlink_to(own.parent / "elsewhere")


def of_a_group(own: Path) -> None:
    own.mkdir()
    own.chmod(0o770)


def of_all(own: Path) -> None:
    own.mkdir()
    own.chmod(0o707)


def with_a_link(own: Path) -> None:
    own.mkdir(mode=0o700)
    (own.parent / "elsewhere").mkdir()
    (own / "engine").symlink_to(own.parent / "elsewhere")


def with_another_users(own: Path) -> None:
    (own / "engine").mkdir(parents=True)
    own.chmod(0o700)
    os.chown(own / "engine", 12345, -1)


def with_one_of_all(own: Path) -> None:
    (own / "engine").mkdir(parents=True)
    own.chmod(0o755)
    (own / "engine").chmod(0o777)


def below_one_of_all(own: Path) -> None:
    own.mkdir()
    own.parent.chmod(0o777)


def below_one_of_a_group(own: Path) -> None:
    """Of a group in which there is somebody else, as `nobody` or any other user is."""
    import pwd

    others = {one.pw_gid for one in pwd.getpwall() if one.pw_uid not in (0, os.geteuid())}
    own.mkdir()
    os.chown(own.parent, -1, min(others))
    own.parent.chmod(0o775)


def below_another_users(own: Path) -> None:
    own.mkdir()
    os.chown(own.parent, 12345, -1)


REFUSED: dict[Callable[[Path], None], str] = {
    another_users: "own belongs to another user", a_link: "own is a link",
    of_a_group: "others can write to", of_all: "others can write to",
    with_a_link: "engine is a link", with_another_users: "engine belongs to another user",
    with_one_of_all: "others can write to", below_one_of_all: "any user can write to",
    below_one_of_a_group: "a group of other users can write to",
    below_another_users: "belongs to another user"}


@pytest.mark.skipif(not sources.UNIX, reason="owners and modes are of Unix")
@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
def test_a_cache_that_others_could_write_is_left_out_with_a_warning(
        make: Callable[[Path], None], own: Path, caplog: pytest.LogCaptureFixture) -> None:
    try:
        make(own)
    except PermissionError:
        pytest.skip("only root can give files away")
    found = cache()
    said = caplog.messages[0]
    assert f"machine code is not kept in {own}: " in said
    assert REFUSED[make] in said
    assert "\n" not in said
    assert found not in (own, own.resolve())
    assert mode(found) == 0o700
    if "below" in make.__name__:  # the user's own is there, too
        assert found.parent == own.parent / "tmp" or not found.is_relative_to(own.parent)


@pytest.mark.skipif(not sources.UNIX, reason="groups are of Unix")
def test_a_group_of_this_user_alone_may_write_above_the_cache(
        own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where each user has a group, and files are made with the umask 002."""
    import grp
    import pwd

    (me,) = (one for one in pwd.getpwall() if one.pw_uid == os.geteuid())
    monkeypatch.setattr(pwd, "getpwall", lambda: [me])
    monkeypatch.setattr(grp, "getgrgid", lambda group: grp.struct_group(
        (me.pw_name, "x", group, [me.pw_name])))
    own.parent.chmod(0o775)
    assert cache() == own


def test_nothing_of_a_refused_cache_is_touched(own: Path) -> None:
    with_a_link(own)
    (own / "engine" / "planted.nbi").write_bytes(b"hostile")
    assert cache() == own.parent / "user"
    assert [path.name for path in own.iterdir()] == ["engine"]
    assert (own / "engine" / "planted.nbi").read_bytes() == b"hostile"


def test_where_no_folder_is_fit_it_is_a_temporary_one_that_ends_with_the_process(
        tmp_path: Path) -> None:
    """Processes that it starts have the same."""
    program = """
import os, subprocess, sys, tempfile
from hsevo import sources
sources._make = lambda folder: "" if "hsevo-x" in folder.name else "it is hostile"
made = sys.argv[1] + "/hsevo-x"
tempfile.mkdtemp = lambda prefix: os.mkdir(made, 0o700) or made
print(sources.cache())
ask = "from hsevo import sources; print(sources.cache())"
print(subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True).stdout, end="")
"""
    told = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True,
                          text=True, check=True, env=os.environ | {"HSEVO_CACHE": "/hostile"})
    assert told.stdout.splitlines() == [str(tmp_path / "hsevo-x")] * 2
    assert told.stderr.count("it is hostile") == 3  # of all three candidates
    assert not [*tmp_path.iterdir()]


def test_windows_trusts_the_users_own_folders(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "UNIX", False)
    monkeypatch.delattr(os, "geteuid")
    of_all(own)
    assert cache() == own


def test_a_cache_that_cannot_be_is_passed_over_in_silence(
        own: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    own.write_text("a file")
    assert cache() == own.parent / "user"
    assert caplog.messages == []
