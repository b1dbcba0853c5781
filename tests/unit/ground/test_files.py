"""A folder is one process's: who comes second is told so, and who is killed holds nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hsevo.errors import RunError
from hsevo.files import lock, refuse_full
from hsevo.strength.studies import folder

HOLD = "import sys; from pathlib import Path; from hsevo.files import lock\n" \
       "held = lock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_another_process_is_refused_until_it_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(RunError, match="is in use by another hsevo; let it end") as caught:
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


def test_a_study_that_wrote_nothing_leaves_nothing(tmp_path: Path) -> None:
    with folder(tmp_path / "out"):
        assert (tmp_path / "out").is_dir()
        with pytest.raises(RunError, match="in use"), folder(tmp_path / "out"):
            pass
    assert list(tmp_path.iterdir()) == []
