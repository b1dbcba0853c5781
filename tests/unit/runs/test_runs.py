"""The run folder: what is committed survives anything, and what is wrong is said in one line."""

import errno
import json
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo import config, files
from hsevo.agents.genomes.weights import NAMES, write_weights
from hsevo.config import Workers
from hsevo.errors import RunError
from hsevo.evolution import references
from hsevo.evolution.run import Run
from hsevo.evolution.verify import verify
from hsevo.play.workers import open_workers
from hsevo.runs import folder as runs
from hsevo.runs.tables import POPULATION
from hsevo.store import folder as store
from tests.support import ROOT, apart, fake
from tests.support.sums import sign

pytestmark = pytest.mark.usefixtures("fake_engine")
TABLES = ("population.csv", "statistics.csv", "references.csv", "checkpoint.json", "done",
          "config.yaml", "matches.sha256")
SETTINGS = {"evolution.generations": 4, "games": 3, "references.against": ["random", "eva:2018"],
            "references.every": 2, "references.games": 36}
SET = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]


def plan(**settings: Any) -> config.Config:
    return config.change(config.load("smoke"), {**SETTINGS, **settings})


def create(path: Path, **settings: Any) -> Run:
    opponents = references.read_references(plan(**settings), fake.DECKS)
    return Run.make(path, plan(**settings), fake.DECKS, opponents)


def finish(run: Run) -> Run:
    with open_workers(Workers(backend="serial")) as executor:
        run._make_steps(executor)
    run.close()
    return run


def make(path: Path, **settings: Any) -> Run:
    return finish(create(path, **settings))


def bits(path: Path) -> dict[str, bytes]:
    parts = sorted((path / "matches.parquet").iterdir())
    return {file.name: file.read_bytes() for file in [*(path / name for name in TABLES), *parts]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished run of two executions that no test may change."""
    from hsevo.play import match

    with pytest.MonkeyPatch.context() as patch:
        fake.install(lambda name, value: patch.setattr(match, name, value))
        return make(tmp_path_factory.mktemp("whole") / "run", executions=2).path


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of the finished run, to be damaged."""
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def stopped(path: Path, after: int, **settings: Any) -> Run:
    """Make a run that stops, as by Ctrl-C, once it has committed so many generations."""
    run = create(path, **{"executions": 2, **settings})
    left = iter(range(after - 1, -1, -1))

    def stop(generation: runs.Generation) -> None:
        if next(left) == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_workers(Workers(backend="serial")) as executor:
        run._make_steps(executor, stop)
    run.close()
    return run


def test_a_run_can_be_read_again(whole: Path) -> None:
    run = Run(whole)
    assert run.done
    assert run.config == plan(executions=2)
    assert run.decks == fake.DECKS
    assert list(run.committed()) == [(e, g) for e in (1, 2) for g in range(4)]
    population = run.population
    assert list(population) == POPULATION.of({"weight": NAMES}).names
    assert len(population) == 2 * (4 + 3 * 8)
    assert len(run.statistics) == 8


def test_the_matches_are_one_table_with_every_pairing(whole: Path) -> None:
    table = pd.read_parquet(whole / "matches.parquet")
    assert len(table) == 2 * (6 + 3 * 28) * 9
    assert (table["wins_a"] + table["wins_b"] + table["draws"] == table["games"]).all()
    assert table["seed"].is_unique
    assert set(table["deck_a"]) == {"warrior", "shaman", "mage"}
    assert table[["execution", "generation"]].apply(tuple, axis=1).is_monotonic_increasing


def test_the_statistics_are_the_survivors(whole: Path) -> None:
    run = Run(whole)
    population, line = run.population, run.statistics.iloc[-1]
    last = population.query("execution == 2 and generation == 3 and survived == 1")
    assert (line["best"], line["worst"]) == (last["fitness"].max(), last["fitness"].min())
    assert line["mean_age"] == last["age"].mean()
    assert line["new"] == (last["born"] == 3).sum()
    sigmas = last[[f"sigma_{name}" for name in NAMES]].to_numpy()
    assert line["mean_sigma"] == pytest.approx(sigmas.mean())
    assert line["games"] == 28 * 9 * 3


def test_about_says_what_made_it(whole: Path) -> None:
    about = Run(whole).about
    assert about["card_pool"]
    assert all(isinstance(cards, list) for cards in about["card_pool"].values())
    assert {"python", "numpy", "numba", "inspyred", "machine", "started"} <= set(about)
    assert (about["seed"], about["format"]) == (1, 3)
    assert set(about["references"]) == {"random", "eva:2018"}


def test_two_runs_of_one_seed_have_the_same_bits(whole: Path, tmp_path: Path) -> None:
    assert bits(make(tmp_path / "again", executions=2).path) == bits(whole)


def test_one_execution_is_the_first_of_many(whole: Path, tmp_path: Path) -> None:
    one = make(tmp_path / "one").population
    both = Run(whole).population
    assert one.equals(both[both["execution"] == 1])


@pytest.mark.parametrize("after", [1, 2, 4, 5, 7, 8])
def test_a_stopped_run_goes_on_to_the_same_bits(after: int, whole: Path, tmp_path: Path) -> None:
    path = stopped(tmp_path / "run", after).path
    assert not Run(path).done
    assert bits(finish(Run.lock(path)).path) == bits(whole)


OTHERS = ({"evolution.strategy": "cma-es", "evolution.lambda": 6},
          {"rating.hall_of_fame": 2},
          {"rating.common_random_numbers": True, "games": 4},
          {"rating.racing.rounds": 3, "rating.racing.confidence": 0.8},
          {"rating.racing.rounds": 2, "rating.racing.confidence": 0.5, "games": 8,
           "rating.common_random_numbers": True, "rating.hall_of_fame": 3,
           "evolution.strategy": "cma-es", "evolution.lambda": 6})


@pytest.mark.parametrize("settings", OTHERS, ids=str)
def test_other_strategies_and_ratings_stop_go_on_and_verify(
        settings: dict[str, Any], tmp_path: Path) -> None:
    one = make(tmp_path / "one", **settings)
    report = verify(Run(one.path))
    assert not report.problems
    assert (report.done, report.generations) == (True, 4)
    other = stopped(tmp_path / "other", after=2, executions=1, **settings)
    assert not verify(Run(other.path)).problems
    assert bits(finish(Run.lock(other.path)).path) == bits(one.path)


def test_a_race_is_told_in_wins_and_in_fitness(tmp_path: Path) -> None:
    """One that was played in full has its wins for fitness, others what they promise."""
    run = make(tmp_path / "run", games=9, **{
        "rating.racing.rounds": 3, "rating.racing.confidence": 0.999})
    everyone = run.population.query("generation > 0")
    games = everyone["wins"] + everyone["draws"] + everyone["losses"]
    whole = games == 7 * 9 * 9
    assert 0 < whole.sum() < len(everyone)
    assert (everyone["fitness"][whole] == everyone["wins"][whole]).all()
    assert (everyone["fitness"][~whole] >= everyone["wins"][~whole]).all()
    assert (everyone["fitness"] <= 7 * 9 * 9).all()
    assert run.statistics["games"].sum() < (6 + 3 * 28) * 9 * 9


def test_a_run_stopped_before_its_first_generation_goes_on(whole: Path, tmp_path: Path) -> None:
    run = create(tmp_path / "run", executions=2)
    run.close()
    assert bits(finish(Run.lock(run.path)).path) == bits(whole)


class Killed(BaseException):
    """What stands for kill -9 in one process: nothing may catch it and tidy up."""


@pytest.mark.parametrize("step", [1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 32, 53, 63, 64])
def test_killed_at_any_write_it_goes_on_to_the_same_bits(
        step: int, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut the power at the step-th flush to disk, after half of what it should have written.

    A measured generation is eight flushes: matches and their folder, their sum, population,
    statistics, references, checkpoint and its folder; one that is not is seven. The run is 62, and
    two for done.
    """
    flush, calls = os.fsync, iter(range(1, 10**6))
    torn: list[str] = []

    def cut(descriptor: int) -> None:
        if next(calls) == step:
            if os.path.isfile(f"/proc/self/fd/{descriptor}"):  # a folder can't be torn
                torn.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).name)
                os.truncate(descriptor, os.fstat(descriptor).st_size // 2)
            raise Killed
        flush(descriptor)

    run = create(tmp_path / "run", executions=2)
    monkeypatch.setattr(os, "fsync", cut)
    with pytest.raises(Killed):
        finish(run)
    # Half of a table is less than was committed, which no kill can do: put that back.
    for name in {*torn} & {*run.sizes}:
        data = (whole / name).read_bytes()[:run.sizes[name]]
        (run.path / name).write_bytes(data + b"1,9,hal")
    run.close()
    monkeypatch.setattr(os, "fsync", flush)
    assert bits(finish(Run.lock(run.path)).path) == bits(whole)


def test_kill_9_at_random_moments(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "run"
    words: tuple[object, ...] = ("evolve", "--config", "smoke", "--executions", 2, "--out", path,
                                 *SET)
    kills = 0
    for delay in (0.02, 0.17, 0.31):
        process = apart.begin(*words, HSEVO_FAKE_SECONDS="0.02")
        while not (path / "log.txt").exists() and process.is_alive():
            time.sleep(0.005)
        time.sleep(delay)
        process.kill()
        process.join()
        kills += process.exitcode == -signal.SIGKILL
        words = ("evolve", "--resume", path)
    assert kills >= 2
    ended = apart.begin(*words, said=tmp_path / "said")
    ended.join()
    assert ended.exitcode == 0, (tmp_path / "said").read_text()
    for name, data in bits(whole).items():
        found = path / name if (path / name).exists() else path / "matches.parquet" / name
        if name != "config.yaml":  # which names its own folder
            assert found.read_bytes() == data, name


def test_a_used_folder_is_refused(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="already exists and is not empty"):
        Run.make(whole, plan(), fake.DECKS)
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match="file is a file; choose a folder"):
        Run.make(tmp_path / "file", plan(), fake.DECKS)
    (tmp_path / "empty").mkdir()
    Run.make(tmp_path / "empty", plan(), fake.DECKS).close()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match=r"cannot write .*: Not a directory"):
        Run.make(tmp_path / "file" / "run", plan(), fake.DECKS)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RunError, match=r"cannot write .*: Permission denied"):
        Run.make(tmp_path / "run", plan(), fake.DECKS)


def test_a_config_that_was_cut_off_does_not_count_as_defaults(copy: Path) -> None:
    text = (copy / "config.yaml").read_text()
    (copy / "config.yaml").write_text(text[:text.index("max_turns")])
    with pytest.raises(RunError, match=r"config.yaml has changed since the run began"):
        Run(copy)


def test_missing_or_torn_matches_are_named(copy: Path) -> None:
    torn = copy / "matches.parquet" / runs.part_name(1, 2)
    torn.write_bytes(torn.read_bytes()[:100])
    with pytest.raises(RunError, match=r"execution-01-generation-000002\.parquet is damaged"):
        verify(Run(copy))
    torn.unlink()
    with pytest.raises(RunError, match=r"execution-01-generation-000002\.parquet is missing"):
        Run.lock(copy)


def test_two_processes_cannot_have_one_run(copy: Path) -> None:
    first = Run.lock(copy)
    with pytest.raises(RunError, match="in use by another hsevo"):
        Run.lock(copy)
    first.close()
    Run.lock(copy).close()


@pytest.mark.parametrize(("name", "what"), [("fingerprint", "engine"), ("method", "method")])
def test_another_engine_or_method_is_refused(
        name: str, what: str, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, name, lambda: "0123456789abcdef")
    with pytest.raises(RunError, match=f"was begun with {what} .* this is 0123456789abcdef"):
        Run.lock(copy)
    assert Run(copy).done  # to read it, the engine does not matter


def test_a_full_disk_loses_nothing(whole: Path, tmp_path: Path,
                                   monkeypatch: pytest.MonkeyPatch) -> None:
    run = create(tmp_path / "run", executions=2)
    calls = iter(range(10**6))

    def full(path: Path, data: bytes, size: int) -> int:
        if next(calls) == 6:
            with files.writing(path), path.open("ab") as file:
                file.write(data[:99])
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return files.append(path, data, size)

    monkeypatch.setattr(store, "append", full)
    with pytest.raises(RunError, match=r"cannot write .*\.csv: No space left on device"):
        finish(run)
    run.close()
    monkeypatch.setattr(store, "append", files.append)
    assert bits(finish(Run.lock(run.path)).path) == bits(whole)


def test_the_system_stops_a_write_in_the_middle(whole: Path, tmp_path: Path) -> None:
    """Limit the size of files for a process, so that the kernel itself cuts a write short."""
    path = tmp_path / "run"

    stopped(path, 1)  # its about.json alone is longer than that
    ended = apart.begin("evolve", "--resume", path, said=tmp_path / "said", most_bytes=20_000)
    ended.join()
    said = (tmp_path / "said").read_text()
    assert ended.exitcode == 2
    assert said.splitlines()[-1].startswith(f"hsevo: cannot write {path}")
    assert f"continue with: hsevo evolve --resume {path}" in said
    assert "Traceback" not in said
    finish(Run.lock(path))
    assert Run(path).population.equals(Run(whole).population)


def test_a_whole_file_is_the_old_one_or_the_new_one(tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    files.write_whole(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError, match="No space left on device"):
        files.write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_a_good_run_verifies(whole: Path) -> None:
    report = verify(Run(whole))
    assert report.problems == []
    assert (report.generations, report.games) == (8, 2 * (6 + 3 * 28) * 9 * 3)


def test_an_unfinished_run_verifies(tmp_path: Path) -> None:
    report = verify(Run(stopped(tmp_path / "run", 6).path))
    assert (report.problems, report.generations, report.done) == ([], 6, False)


def edit(path: Path, change: Any) -> None:
    """Change a table of a run, and hide it: sizes and sums are those of the changed one."""
    table = getattr(Run(path.parent), path.stem)
    change(table)
    path.write_text(table.to_csv(index=False))
    sign(path.parent)


@pytest.mark.parametrize("column", ["fitness", "wins", "draws", "losses", "born", "age", "parent",
                                    "survived", "MHT", "sigma_HHR"])
def test_a_changed_cell_of_the_population_is_found(column: str, copy: Path) -> None:
    def change(table: pd.DataFrame) -> None:
        before = table.loc[17, column]
        table.loc[17, column] = 1 - before if column in NAMES else before + 1

    edit(copy / "population.csv", change)
    assert f"population.csv: column {column} differs" in verify(Run(copy)).text(copy)


@pytest.mark.parametrize(("column", "said"), [
    ("wins", "do not add up"), ("pairs_2", "do not add up"), ("rate_low", "do not add up"),
    ("elo", "do not add up"), ("individual", "not the best of the generation"),
    ("generation", "not the best of the generation")])
def test_a_changed_measurement_is_found(column: str, said: str, copy: Path) -> None:
    assert Run(copy).references["games"].tolist() == [36] * 2 * 3 * 2  # at 0, 2 and 3

    def change(table: pd.DataFrame) -> None:
        table.loc[3, column] = table.loc[3, column] + 1

    edit(copy / "references.csv", change)
    assert said in verify(Run(copy)).text(copy)


def test_a_measurement_of_no_generation_is_found(copy: Path) -> None:
    def change(table: pd.DataFrame) -> None:
        table.loc[len(table)] = table.loc[0]
        table.loc[len(table) - 1, "execution"] = 9

    edit(copy / "references.csv", change)
    assert "references.csv has 13 lines, not 12" in verify(Run(copy)).text(copy)


def test_a_run_goes_on_from_anywhere_with_what_it_began_with(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere there is no file of a reference opponent's weights, and none of a deck."""
    write_weights(here / "it.csv", ["it"], np.full((1, 21), 0.5))
    (here / "own.txt").write_text((ROOT / "decks" / "mage.txt").read_text())
    begun = plan(**{"references.against": ["eva:it.csv"], "decks": ["own", "warrior"],
                    "workers.backend": "serial"})
    whole, cut = (hsevo.Run.create(begun, here / name) for name in ("whole", "cut"))
    whole.resume()
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    cut.resume()
    assert bits(cut.path) == bits(whole.path)
    assert set(pd.read_csv(cut.path / "references.csv")["opponent"]) == {"eva:it.csv"}


@pytest.mark.parametrize("references", [
    {}, {"eva:2018": {}, "random": {}}, {"random": {"kind": 99, "budget": [], "w": []}}, None, 3])
def test_damaged_reference_opponents_are_refused(copy: Path, references: Any) -> None:
    about = json.loads((copy / "about.json").read_text())
    about["references"] = references
    (copy / "about.json").write_text(json.dumps(about))
    sign(copy)
    run = Run.lock(copy)
    with pytest.raises(RunError, match=r"about\.json is damaged: its references can't be read: "):
        finish(run)
    run.close()


def test_a_changed_statistic_is_found(copy: Path) -> None:
    edit(copy / "statistics.csv", lambda table: table.__setitem__("mean", table["mean"] + 0.01))
    assert "statistics.csv: column mean" in verify(Run(copy)).text(copy)


@pytest.mark.parametrize(("column", "amount", "said"), [
    ("seed", 1, "matches: column seed differs"),
    ("a", 1, "matches: column a differs"),
    ("turns", 10**6, "impossible number of turns"),
])
def test_a_changed_match_is_found(column: str, amount: int, said: str, copy: Path) -> None:
    path = copy / "matches.parquet" / runs.part_name(2, 3)
    table = pd.read_parquet(path)
    table.loc[5, column] += amount
    table.to_parquet(path)
    sign(copy)
    assert said in verify(Run(copy)).text(copy)


def test_a_game_moved_from_one_winner_to_the_other_is_found(copy: Path) -> None:
    path = copy / "matches.parquet" / runs.part_name(1, 3)
    table = pd.read_parquet(path)
    row = int(table["wins_a"].idxmax())
    table.loc[row, "wins_a"] -= 1
    table.loc[row, "wins_b"] += 1
    table.to_parquet(path)
    sign(copy)
    assert "column fitness" in verify(Run(copy)).text(copy)
    table.loc[row, "wins_b"] -= 1
    table.to_parquet(path)
    sign(copy)
    with pytest.raises(RunError, match="do not sum to its games"):
        verify(Run(copy))


def test_a_stray_part_is_found(copy: Path) -> None:
    folder = copy / "matches.parquet"
    shutil.copy(folder / runs.part_name(2, 3), folder / runs.part_name(2, 4))
    assert "belongs to no generation" in verify(Run(copy)).text(copy)


def test_matches_without_a_column_are_named(here: Path, fake_engine: None) -> None:
    from hsevo.cli import main

    words = ["evolve", "--config", "smoke", "--out", "run", "--set", "evolution.generations=1"]
    assert main(words, standalone_mode=False) in (None, 0)
    part = next((here / "run" / "matches.parquet").glob("*.parquet"))
    pd.read_parquet(part).drop(columns="seed").to_parquet(part)
    sign(here / "run")
    with pytest.raises(RunError, match=r"000000\.parquet is damaged: it has no column seed"):
        Run(here / "run").matches_of(1, 0)


def test_about_without_decks_is_damaged(here: Path, fake_engine: None) -> None:
    from hsevo.cli import main

    words = ["evolve", "--config", "smoke", "--out", "run", "--set", "evolution.generations=1"]
    assert main(words, standalone_mode=False) in (None, 0)
    about = json.loads((here / "run" / "about.json").read_text())
    del about["decks"]
    (here / "run" / "about.json").write_text(json.dumps(about))
    sign(here / "run")
    with pytest.raises(RunError, match=r"about\.json is damaged: its decks can't be read"):
        _ = Run(here / "run").decks
