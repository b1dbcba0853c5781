"""Damage to a run folder, by accident or on purpose: it is found, and nothing is cut off for it."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from hsevo.errors import RunError
from hsevo.evolution.run import Run
from hsevo.evolution.verify import verify
from hsevo.runs.folder import SUMS, part_name
from tests.support import fake, folders
from tests.support.command import fails, hsevo
from tests.support.sums import sign
from tests.unit.runs.test_runs import bits, edit, finish, make, stopped

pytestmark = pytest.mark.usefixtures("fake_engine")
FILES = ("about.json", "config.yaml", "checkpoint.json", "population.csv", "statistics.csv",
         "references.csv", SUMS, f"matches.parquet/{part_name(1, 2)}")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished run that no test may change."""
    from hsevo.play import match

    with pytest.MonkeyPatch.context() as patch:
        fake.install(lambda name, value: patch.setattr(match, name, value))
        return make(tmp_path_factory.mktemp("whole") / "run").path


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of the finished run, to be damaged."""
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def problems(path: Path) -> str:
    return verify(Run(path)).text(path)


@pytest.mark.parametrize("name", ["population.csv", f"matches.parquet/{part_name(1, 1)}"])
def test_a_file_of_another_run_is_found(name: str, copy: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other", seed=99).path
    shutil.copy(other / name, copy / name)
    with pytest.raises(RunError, match=r"SHA-256 differs|were committed"):
        problems(copy)


@pytest.mark.parametrize("metadata", [b"{", b"[1]", b'{"index_columns": ["a"]}'])
def test_what_a_file_of_matches_says_to_pandas_does_not_count(metadata: bytes, copy: Path) -> None:
    part = copy / "matches.parquet" / part_name(1, 2)
    before = Run(copy).matches_of(1, 2)
    table = pq.read_table(part).replace_schema_metadata({b"pandas": metadata})
    pq.write_table(table, part)
    sign(copy)
    assert Run(copy).matches_of(1, 2).equals(before)


def older(path: Path, generations: int) -> None:
    """Give a run the sizes of so many of its generations, signed, as an old checkpoint has them."""
    state = json.loads((path / "checkpoint.json").read_text())
    best, sizes = survivors(Run(path), generations - 1), {}
    for name in state["sizes"]:
        data = (path / name).read_bytes()
        rows = data.splitlines(keepends=True)
        head = rows[:0] if name == SUMS else rows[:1]
        kept = [row for row in rows[len(head):] if (name == SUMS and (
            int(row.split(b"-")[-1][:6]) < generations)) or (
            name != SUMS and int(row.split(b",")[1]) < generations)]
        (path / name).write_bytes(b"".join([*head, *kept]))
        sizes[name] = data
    sign(path, generation=generations - 1, survivors=best)
    for name, data in sizes.items():
        (path / name).write_bytes(data)


def survivors(run: Run, generation: int) -> list[int]:
    people = run.population.query(f"generation == {generation} and survived == 1")
    return [int(i) for i in people.sort_values("fitness", ascending=False)["individual"]]


def test_a_checkpoint_of_fewer_generations_cuts_nothing(copy: Path) -> None:
    """It is as good as any, but not the one of these tables: hours of games hang on them."""
    older(copy, 2)
    (copy / "done").unlink()
    parts = copy / "matches.parquet"
    before = content(copy)
    with pytest.raises(RunError, match="nothing was changed"):
        Run.lock(copy)
    for path in (parts / part_name(1, 2), parts / part_name(1, 3)):
        path.unlink()
    before = content(copy)
    with pytest.raises(RunError, match=r"population.csv has more generations than checkpoint.json"):
        Run.lock(copy)
    assert content(copy) == before


@pytest.mark.parametrize("amount", [1, 10, 1000])
def test_a_checkpoint_with_smaller_numbers_cuts_nothing(amount: int, copy: Path) -> None:
    """Also where its SHA-256 is not there to be wrong, as in runs of versions before 0.3."""
    unsigned(copy)
    path = copy / "checkpoint.json"
    state = json.loads(path.read_text())
    state["sizes"]["population.csv"] -= amount
    path.write_text(json.dumps(state))
    before = content(copy)
    with pytest.raises(RunError, match="is damaged"):
        Run.lock(copy)
    assert content(copy) == before


def unsigned(path: Path) -> None:
    """Make a run as version 0.2.0 wrote it."""
    (path / SUMS).unlink()
    for name in ("about.json", "checkpoint.json"):
        tree = json.loads((path / name).read_text())
        del tree["sha256"]
        if name == "checkpoint.json":
            del tree["sizes"][SUMS]
        (path / name).write_text(json.dumps(tree))


def test_a_run_of_a_version_without_sums_is_read_and_gets_them(
        whole: Path, tmp_path: Path) -> None:
    path = stopped(tmp_path / "run", 2, executions=1).path
    unsigned(path)
    said = hsevo("verify", path).stdout
    assert "2 generations" in said
    assert said.endswith("add up; it was written by an older hsevo, so it has no SHA-256 sums\n")
    finish(Run.lock(path))
    assert problems(path) == ""
    assert bits(path)[SUMS] == bits(whole)[SUMS]
    assert json.loads((path / "checkpoint.json").read_text())["sha256"]


def test_a_run_that_lost_its_sums_is_damaged(copy: Path) -> None:
    tree = json.loads((copy / "checkpoint.json").read_text())
    del tree["sha256"]
    (copy / "checkpoint.json").write_text(json.dumps(tree))
    with pytest.raises(RunError, match=r"checkpoint.json is damaged: its SHA-256 sums are missing"):
        Run(copy)


def test_sums_are_those_of_sha256sum(copy: Path) -> None:
    """Their format is checked by the program itself, where there is one."""
    if not shutil.which("sha256sum"):
        pytest.skip("there is no sha256sum")
    assert os.system(f"cd {copy} && sha256sum --check --quiet --strict {SUMS}") == 0


# --- verify derives what is signed, too


def test_another_random_state_is_found(copy: Path) -> None:
    state = json.loads((copy / "checkpoint.json").read_text())["random_state"]
    state[1][17] ^= 1
    sign(copy, random_state=state)
    assert "checkpoint.json: the random state differs from what" in problems(copy)


def test_survivors_in_another_order_are_found(copy: Path) -> None:
    state = json.loads((copy / "checkpoint.json").read_text())["survivors"]
    sign(copy, survivors=state[::-1])
    assert "checkpoint.json: the survivors differ from what" in problems(copy)


@pytest.mark.parametrize("column", ["MHT", "sigma_HHR"])
def test_a_last_digit_is_found(column: str, copy: Path) -> None:
    def change(table: pd.DataFrame) -> None:
        table.loc[17, column] = np.nextafter(table.loc[17, column], 2)

    edit(copy / "population.csv", change)
    assert (f"population.csv: column {column} differs from what the results give, in its last"
            " digits" in problems(copy))


def test_a_line_too_many_or_too_few_is_found(copy: Path) -> None:
    rows = (copy / "statistics.csv").read_bytes().splitlines(keepends=True)
    (copy / "statistics.csv").write_bytes(b"".join([*rows, rows[-1]]))
    sign(copy)
    assert "statistics.csv has 5 lines, not 4" in problems(copy)
    (copy / "statistics.csv").write_bytes(b"".join(rows[:-1]))
    sign(copy)
    assert "statistics.csv lacks 1 lines" in problems(copy)


# --- pipes and the like


@pytest.mark.parametrize("there", [True, False])
def test_a_lock_that_is_a_link_leads_nowhere(there: bool, copy: Path, tmp_path: Path) -> None:
    """Versions of filelock before 3.20.1 emptied the file, or made it."""
    outside = tmp_path / "outside"
    if there:
        outside.write_text("mine")
    (copy / ".lock").unlink(missing_ok=True)
    (copy / ".lock").symlink_to(outside)
    (copy / "done").unlink(missing_ok=True)
    assert "cannot write" in fails("evolve", "--resume", copy)
    assert outside.exists() == there
    assert not there or outside.read_text() == "mine"


def test_a_killed_creation_leaves_nothing_for_ever(tmp_path: Path) -> None:
    left = tmp_path / ".run.hsevo-new-12345"
    left.mkdir()
    (left / ".lock").touch()
    (left / "config.yaml").touch()
    os.utime(left, (1e9, 1e9))
    run: Any = make(tmp_path / "run")
    assert run.done
    assert not left.exists()


@pytest.mark.parametrize("change", [
    {"opponents": []}, {"opponents": None}, {"opponents": [3]}, {"opponents": "random"},
    {"opponents": [{}]}, {"opponents": [{"name": "gsv"}]}, {"weight": 0.5}, {"weight": -1},
    {"weight": "x"}, {"weight": None}, {"name": "gsv"}, {"kind": 99}, {"kind": "x"},
    {"w": ["x"] * 32}, {"budget": [10**30] * 8}, {"by_decks": 3},
], ids=str)
def test_damaged_opponents_are_one_line(change: dict[str, Any], tmp_path: Path) -> None:
    path = folders.make(tmp_path / "run", stop=1, **{"rating.opponents.agents": ["random"]})
    about = json.loads((path / "about.json").read_text())
    if "opponents" in change:
        about |= change
    else:
        about["opponents"][0] |= change
    (path / "about.json").write_text(json.dumps(about))
    sign(path)
    for words in (("verify", path), ("evolve", "--resume", path), ("replay", path, "--b", "-1"),
                  ("export-best", path)):
        message = fails(*words)
        assert f"{path / 'about.json'} is damaged: its opponents can't be read: " in (
            message.splitlines()[-1]), words
        assert "Traceback" not in message
