"""hsevo.Run: what it shows while others write, and locks that are given up."""

from pathlib import Path

import pytest

import hsevo
from hsevo.errors import RunError
from hsevo.evolution.run import Run

SMALL = {"evolution.generations": 3}


def created(path: str) -> hsevo.Run:
    return hsevo.Run.create(hsevo.load_config("smoke", SMALL), path)


@pytest.mark.usefixtures("fake_engine")
def test_a_run_that_another_finishes_is_shown_to_its_end(here: Path) -> None:
    writer, reader = created("one"), hsevo.Run("one")
    assert len(reader.population) == 0
    writer.resume()
    assert len(reader.population) > 0
    assert "3 of 3 generations, done" in repr(reader)


@pytest.mark.usefixtures("fake_engine")
def test_a_resume_that_fails_gives_the_lock_up(here: Path) -> None:
    run = created("one").resume()
    (Path("one") / "done").unlink()
    part = min((Path("one") / "matches.parquet").iterdir())
    kept = part.read_bytes()
    part.unlink()
    with pytest.raises(RunError, match="is missing") as failed:
        Run.lock(run.path)
    part.write_bytes(kept)
    Run.lock(run.path).close()  # though the error, and all that it holds, is still there
    assert failed.value


def test_a_name_that_no_spec_could_hold_is_refused(here: Path) -> None:
    for name in ("a#b", "a,b", "a?b"):
        with pytest.raises(RunError, match="can't have"):
            created(name)
    assert not list(Path().iterdir())
