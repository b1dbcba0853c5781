"""hsevo watch: a run as its folder tells it, while it is written, killed, gone on with, or done."""

import io
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import Result
from rich.console import Console

from hsevo import config
from hsevo.cli import screens
from hsevo.cli import watch as command
from hsevo.config import Workers
from hsevo.errors import RunError
from hsevo.evolution.run import EvolutionState, Run, last_measured
from hsevo.experiments.watching import RunPace, pace
from hsevo.play.workers import open_workers
from tests.support.command import hsevo
from tests.support.fake import DECKS

pytestmark = pytest.mark.usefixtures("fake_engine")
MU, GAMES = 3, 2
EACH = 15 * 9 * GAMES  # of 6 individuals with 3 decks; the first generation has 3 of them alone
FIRST = 3 * 9 * GAMES


@pytest.fixture
def stages(tmp_path: Path) -> list[Path]:
    """Return copies of one run: without a generation, after each of four, and when it was done."""
    plan = config.change(config.load("smoke"), {
        "games": GAMES, "decks": [deck.name for deck in DECKS], "executions": 2,
        "evolution.generations": 2, "evolution.mu": MU, "evolution.lambda": MU})
    run, copies = Run.make(tmp_path / "run", plan, DECKS), []

    def keep(_: object = None) -> None:
        copies.append(tmp_path / f"stage-{len(copies)}")
        shutil.copytree(run.path, copies[-1])

    run._log("begin with serial, all workers")
    keep()
    with open_workers(Workers(backend="serial")) as executor:
        run._make_steps(executor, keep)
    keep()
    run.close()
    return copies


def look(path: Path, pause: float = 0.5) -> EvolutionState:
    found: EvolutionState = Run.look(path, pause)
    return found


def survivors(run: Run) -> pd.DataFrame:
    """Return the survivors of the last generation, as the checkpoint orders them."""
    assert run.start is not None
    execution, number, ids, _ = run.start
    here = run.population.query(f"execution == {execution} and generation == {number}")
    return here.set_index("individual").loc[list(ids)]


def lines(path: Path) -> list[str]:
    """Return all lines, as for who saw the run before its first generation."""
    now = look(path)
    return now.lines(replace(now, at=None))


def test_a_state_is_what_is_committed(stages: list[Path]) -> None:
    new, first, *_, last, done = (look(path) for path in stages)
    assert (new.at, new.played, new.left) == (None, 0, 2 * (FIRST + EACH))
    assert (first.at, first.played, first.left) == ((1, 0), FIRST, FIRST + 2 * EACH)
    assert (last.at, last.played, last.left) == ((2, 1), 2 * (FIRST + EACH), 0)
    assert [state.done for state in (new, last, done)] == [False, False, True]
    run = Run(stages[3])
    state = look(stages[3])
    assert run.start is not None
    stay = survivors(run)
    assert (state.weights == stay[list(run.genome.names)].to_numpy()).all()
    assert state.ages.tolist() == (run.start.number - stay["born"]).tolist()


def test_what_is_just_being_written_is_not_seen(stages: list[Path]) -> None:
    before = lines(stages[2])
    for name in ("population.csv", "statistics.csv", "log.txt"):
        with (stages[2] / name).open("ab") as file:
            file.write(b"2,0,17,0.5")  # a line that is not over
    (stages[2] / "matches.parquet" / ".new.parquet.hsevo-tmp").write_bytes(b"PAR1")
    assert lines(stages[2]) == before


def test_a_disk_that_lags_behind_is_read_again(
        stages: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    table, opened = stages[2] / "population.csv", Run._open
    whole, tries = table.read_bytes(), []
    table.write_bytes(whole[:-5])

    def open_later(run: Run) -> None:
        tries.append(run.path)
        if len(tries) == 3:
            table.write_bytes(whole)
        opened(run)

    monkeypatch.setattr(Run, "_open", open_later)
    assert look(stages[2], pause=0).at == (1, 1)
    table.write_bytes(whole[:-5])
    with pytest.raises(RunError, match=r"population\.csv is damaged"):
        look(stages[2], pause=0)
    assert len(tries) == 6


LOG = """2026-01-01 10:00:00 begin with threads, all workers
2026-01-01 10:00:10 generation 0 of 9: best 1
2026-01-01 10:00:30 generation 1 of 9: best 1
2026-01-02 08:00:00 go on after 1,300 games with threads, all workers
2026-01-02 08:00:04 generation 2 of 9: best 1
2026-01-02 08:00:10 generation 3 of 9: best 1
2026-01-02 08:00:20 generation 4 of 9: be"""


def test_the_pace_is_that_since_the_run_was_gone_on_with() -> None:
    games = {(1, k): 100 * (k + 1) for k in range(4)}
    assert pace(LOG, games) == RunPace((300 + 400) / 10, 6)  # generation 4 is not committed
    assert pace(LOG, games | {(1, 4): 500}) == RunPace((300 + 400 + 500) / 20, 10)
    assert pace("\n".join(LOG.splitlines()[:3]), games) == RunPace((100 + 200) / 30, 20)
    before = RunPace((100 + 200) / 30, 20)
    assert pace("\n".join(LOG.splitlines()[:4]), games) == before
    assert pace("\n".join(LOG.splitlines()[:1]), games) is None
    assert pace("", games) is None


def test_the_pace_is_that_of_the_last_ten_generations() -> None:
    seconds = [10 * k if k < 20 else 190 + 2 * (k - 19) for k in range(31)]
    log = "\n".join(["2026-01-01 10:00:00 begin with threads, 2 workers"] + [
        f"2026-01-01 10:{s // 60:02}:{s % 60:02} execution 2 of 3, generation {k} of 99: best"
        for k, s in enumerate(seconds)])
    assert pace(log, {(2, k): 60 for k in range(31)}) == RunPace(600 / 20, 2)


def test_the_time_left_is_the_games_left_at_that_pace(stages: list[Path]) -> None:
    (stages[1] / "log.txt").write_text("2026-01-01 10:00:00 begin with threads, 2 workers\n"
                                       "2026-01-01 10:00:09 execution 1 of 2, generation 0 of 1:")
    state = look(stages[1])
    assert state.pace == RunPace(FIRST / 9, 9)
    assert state.seconds_left == pytest.approx(9 * (FIRST + 2 * EACH) / FIRST)
    assert lines(stages[1])[0].endswith("54 of 648 games, 6 games/s, 1 min 39 s left")


def test_silence_is_odd_after_a_minute_and_five_generations(stages: list[Path]) -> None:
    state = look(stages[2])
    assert state.silence(state.changed + 59) == 0
    assert state.silence(state.changed + 61) == 61
    slow = replace(state, pace=RunPace(1.0, 100.0))
    assert slow.silence(slow.changed + 499) == 0
    assert slow.silence(slow.changed + 501) == 501
    assert look(stages[-1]).silence(state.changed + 9999) == 0  # it is done


@pytest.fixture
def follow(stages: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
           ) -> Callable[..., Result]:
    """Return a way to follow a run that reaches the next of some stages at each look."""
    path = tmp_path / "followed"

    def go(*which: int, **env: str) -> Result:
        coming = list(which)

        def arrive(seconds: float = 0) -> None:
            if not coming:
                raise KeyboardInterrupt
            shutil.rmtree(path, ignore_errors=True)
            shutil.copytree(stages[coming.pop(0)], path)

        arrive()
        monkeypatch.setattr(command.time, "sleep", arrive)
        return hsevo("watch", path, **env)

    return go


def test_without_a_terminal_there_is_a_line_a_generation(follow: Any) -> None:
    result = follow(0, 1, 2, 2, 4, 5)
    assert (result.exit_code, result.stderr) == (0, "")
    said = result.stdout.splitlines()
    assert said[0] == "no generation yet"
    assert [line.split(":")[0] for line in said[1:]] == [
        f"execution {execution} of 2, generation {number} of 1"
        for execution in (1, 2) for number in (0, 1)]
    assert ["games" in line for line in said[1:]] == [True, True, False, True]
    assert "648 of 648 games" in said[-1]


def test_a_run_that_is_done_ends_it(follow: Any) -> None:
    result = follow(5)
    assert result.exit_code == 0
    assert result.stdout.endswith(", done\n")


def test_ctrl_c_ends_it_quietly(follow: Any) -> None:
    result = follow(1)
    assert (result.exit_code, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == 1


def test_a_run_that_falls_silent_is_told_once(
        stages: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    for file in stages[2].iterdir():
        os.utime(file, (1e9, 1e9))
    looks = iter(range(3))

    def wait(seconds: float) -> None:
        if next(looks, None) is None:
            raise KeyboardInterrupt

    monkeypatch.setattr(command.time, "sleep", wait)
    said = hsevo("watch", stages[2]).stdout.splitlines()
    assert len(said) == 2
    assert said[1].startswith("no progress for ")
    assert " left once resumed\n" in hsevo("watch", "--once", stages[2]).stdout
    assert said[1].endswith(f"continue with: hsevo evolve --resume {stages[2]}")


def test_a_terminal_shows_the_state_until_the_end(follow: Any) -> None:
    result = follow(0, 1, 4, 5, FORCE_COLOR="1", COLUMNS="100", LINES="50", TERM="xterm")
    assert result.exit_code == 0, result.output
    for word in ("no generation yet", "execution 1 of 2, generation 0 of 1",
                 "execution 2 of 2, generation 1 of 1", "648 of 648 games", "BMHR"):
        assert word in result.output


def test_once_shows_all_of_it(stages: list[Path]) -> None:
    result = hsevo("watch", "--once", stages[3])
    assert result.exit_code == 0
    row = Run(stages[3]).statistics.iloc[-1]
    for word in ("stage-3  execution 2 of 2, generation 0 of 1", f"best {row['best']:.0f},",
                 f"mean {row['mean_sigma']:.3f}", "0 to 0 generations, mean 0.0; 3 of 3 new"):
        assert word in result.stdout
    run = Run(stages[3])
    assert f"HHR   {survivors(run)['HHR'].iloc[0]:.3f}  █" in result.stdout
    narrow = hsevo("watch", "--once", stages[3], FORCE_COLOR="1", COLUMNS="50")
    assert "…" not in narrow.stdout  # bars are shorter there, and no number is cut
    assert "once resumed" not in result.stdout
    new = hsevo("watch", "--once", stages[0])
    assert new.stdout.splitlines()[0] == "stage-0  no generation yet"
    assert "0 of 648 games, unknown time left" in new.stdout


def test_the_last_lines_of_references_are_shown(stages: list[Path]) -> None:
    rows = [{"execution": 1, "generation": number, "individual": number + 40, "opponent": name,
             "games": 2016, "rate": rate, "rate_low": rate - 0.02, "rate_high": rate + 0.02}
            for number, name, rate in ((0, "early", 0.1), (1, "eva:2018", 0.487), (1, "gsv", 0.3))]
    state = replace(look(stages[3]), references=last_measured(pd.DataFrame(rows)))
    out = Console(file=io.StringIO(), width=100)
    out.print(screens.screen(state, 100))
    said = out.file.getvalue()  # type: ignore[attr-defined]
    assert "individual 41, the best of generation 1, against" in said
    assert "48.7 % of 2,016 games (95 % interval 46.7 to 50.7)" in said
    assert "gsv" in said
    assert "early" not in said
    assert "against" not in hsevo("watch", "--once", stages[3]).stdout


def test_bars_and_trends() -> None:
    assert screens.weight_bar(0.5, 0.75, 8) == "████  · "
    assert screens.weight_bar(1.0, 0.0, 4) == "▒███"
    assert screens.weight_bar(0.0, 1.0, 4) == "   ·"
    assert screens.trend([0, 7, 3.6]) == "▁█▄"
    assert screens.trend([5, 5]) == "▁▁"
    assert len(screens.trend(np.arange(100.0).tolist())) == screens.TREND


@pytest.mark.parametrize("words", [(), ("--once",)])
def test_a_folder_that_is_no_run_is_said_in_a_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    result = hsevo("watch", tmp_path, *words)
    assert result.exit_code == 2
    assert "is not a run folder of hsevo" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_narrow_terminal_shows_the_newest_generations(stages: list[Path]) -> None:
    state = look(stages[3])
    course = pd.concat([state.statistics.tail(1)] * 40, ignore_index=True).assign(
        mean=np.arange(40.0))
    out = Console(file=io.StringIO(), width=50)
    out.print(screens.screen(replace(state, statistics=course), 50))
    said = out.file.getvalue()  # type: ignore[attr-defined]
    assert "▁▂▃▄▅▆▇█" in said.replace("…", "")
    assert "…" not in said
