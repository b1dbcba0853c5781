"""A folder is one process's: who comes second is told so, and who is killed holds nothing."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from hsevo.errors import RunError, resuming
from hsevo.files import (
    LOCK,
    UNFINISHED,
    append,
    check_regular,
    claimed,
    inside,
    lock,
    marked,
    probe,
    refuse_full,
    whole_folder,
    write_whole,
)

HOLD = "import sys; from pathlib import Path; from hsevo.files import lock\n" \
       "held = lock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_another_process_is_refused_until_it_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(RunError, match="in use by another hsevo; wait for it to end") as caught:
            lock(tmp_path)
        assert "\n" not in str(caught.value)
        other.send_signal(signal.SIGKILL)
        other.wait()
    lock(tmp_path).release()


def test_a_lock_is_given_up_once_and_for_all(tmp_path: Path) -> None:
    held = lock(tmp_path)
    with pytest.raises(RunError, match="in use"):
        lock(tmp_path)
    held.release()
    lock(tmp_path).release()


def test_a_folder_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match=r"cannot write .*/file: "):
        lock(tmp_path / "file")


def test_a_folder_with_a_lock_alone_is_empty(tmp_path: Path) -> None:
    lock(tmp_path).release()
    refuse_full(tmp_path)
    (tmp_path / "mine.txt").touch()
    with pytest.raises(RunError, match="already exists and is not empty"):
        refuse_full(tmp_path)


def test_a_file_is_no_folder_to_write_to(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(RunError, match=r"mine is a file; choose a folder$"):
        refuse_full(tmp_path / "mine", "learn")


def test_a_command_that_wrote_nothing_leaves_nothing(tmp_path: Path) -> None:
    with claimed(tmp_path / "out", "work"):
        assert (tmp_path / "out").is_dir()
        with pytest.raises(RunError, match="in use"), claimed(tmp_path / "out", "work"):
            pass
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_command_began_is_begun_again_by_the_same_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with suppress(KeyboardInterrupt), claimed(out, "work"), marked(out, "work"):
        (out / "part.csv").touch()
        raise KeyboardInterrupt
    with (pytest.raises(RunError, match="out is unfinished output of another command"),
          claimed(out, "other work")):
        pass
    with claimed(out, "work"), marked(out, "work"):
        assert [path.name for path in inside(out)] == ["part.csv"]
    assert not (out / UNFINISHED).exists()
    with pytest.raises(RunError, match="already exists and is not empty"), claimed(out, "work"):
        pass
    assert [path.name for path in inside(out)] == ["part.csv"]


def test_a_lock_clears_away_what_a_killed_process_left(tmp_path: Path) -> None:
    for name in (".part.csv.hsevo-tmp", ".part.csv.hsevo-probe", ".mine.csv.tmp", ".mine"):
        (tmp_path / name).touch()
    lock(tmp_path).release()
    assert {path.name for path in tmp_path.iterdir()} == {LOCK, ".mine.csv.tmp", ".mine"}


def test_a_folder_that_a_killed_process_was_making_is_cleared_away(tmp_path: Path) -> None:
    """Not while a process lives that makes it, and nothing that may be a user's."""
    for name in (".dead.hsevo-new-1", ".alive.hsevo-new-2", ".mine.hsevo-new-3",
                 ".young.hsevo-new-4", ".dead.new-5"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.yaml").touch()
    for name in (".dead.hsevo-new-1", ".young.hsevo-new-4", ".dead.new-5"):
        lock(tmp_path / name).release()
    held = lock(tmp_path / ".alive.hsevo-new-2")
    for name in (".dead.hsevo-new-1", ".alive.hsevo-new-2", ".mine.hsevo-new-3", ".dead.new-5"):
        os.utime(tmp_path / name, (1e9, 1e9))
    with whole_folder(tmp_path / "run") as new:
        (new / "about.json").touch()
        assert not (tmp_path / "run").exists()
    held.release()
    assert {path.name for path in tmp_path.iterdir()} == {
        ".alive.hsevo-new-2", ".mine.hsevo-new-3", ".young.hsevo-new-4", ".dead.new-5", "run"}
    assert {path.name for path in (tmp_path / "run").iterdir()} == {LOCK, "about.json"}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("kind", ["pipe", "socket", "link to a pipe"])
def test_pipes_and_sockets_are_neither_replaced_nor_waited_for(
        kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket has a short path
    path = Path("special")
    if kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(path))
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        os.mkfifo("pipe")
        path.symlink_to("pipe")
    before = path.lstat().st_mode
    for write in (lambda: write_whole(path, b"x"), lambda: append(path, b"x"),
                  lambda: probe(path)):
        with pytest.raises(RunError, match="cannot write special: it is a pipe or a device"):
            write()
    with pytest.raises(RunError, match="cannot read special: it is a pipe or a device"):
        check_regular(path)
    assert path.lstat().st_mode == before


def test_a_link_in_the_place_of_a_temporary_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / ".out.hsevo-tmp").symlink_to("mine")
    write_whole(tmp_path / "out", b"x")
    assert (tmp_path / "mine").read_text() == "mine"
    assert (tmp_path / "out").read_bytes() == b"x"
    assert not (tmp_path / "out").is_symlink()


@pytest.mark.parametrize(("started", "activated", "program"), [
    (".venv/bin/hsevo", False, ".venv/bin/hsevo"),  # as make does: `hsevo` is not on the path
    (".venv/bin/hsevo", True, "hsevo"),
    ("/x/hsevo/__main__.py", False, "hsevo"),
    ("notebook.py", False, "hsevo"),
])
def test_the_command_that_continues_runs_where_it_is_printed(
        started: str, activated: bool, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [started])
    monkeypatch.setattr("shutil.which", lambda name: activated or None)
    assert resuming("evolve", "runs/a b") == f"{program} evolve --resume 'runs/a b'"
