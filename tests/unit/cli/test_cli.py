"""The command line: what it prints, where it writes, and how it ends."""

import os
import re
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from hsevo import config
from hsevo.agents.genomes.weights import NAMES, PROGRAM_ORDER, read_weights, write_weights
from hsevo.cards.listing import config_text
from hsevo.cli import main
from hsevo.config import Config, Workers
from hsevo.evolution.evolve import games_to_play
from hsevo.evolution.run import Run
from hsevo.experiments.progress import Meter, duration
from hsevo.play.workers import worker_count
from tests.support import ROOT, apart
from tests.support.command import fails, hsevo
from tests.support.sums import sign

pytestmark = [pytest.mark.usefixtures("fake_engine", "here")]
SMOKE = ("evolve", "--config", "smoke", "--backend", "serial")


def agents(path: Path, n: int = 4, seed: int = 5) -> Path:
    vectors = np.random.default_rng(seed).random((n, 21))
    write_weights(path, [f"agent-{i}" for i in range(n)], vectors)
    return path


def test_evolve_ends_with_the_run_folder_and_the_best_agent(here: Path) -> None:
    result = hsevo(*SMOKE, "--out", "mine")
    assert result.exit_code == 0
    assert result.stdout.startswith("run folder: mine\nbest of the last generation: individual-")
    assert re.search(r"individual-\d+, with \d+ wins in 126 games\n", result.stdout)
    for name in NAMES:
        assert f"  {name:<5}0." in result.stdout or f"  {name:<5}1." in result.stdout
    assert "hsevo export-best mine" in result.stdout
    assert result.stderr.splitlines()[1] == (
        "best, mean: games won by the survivors (fitness), in 126 games each (54 in generation 0);"
        " sigma: mean mutation step")
    assert [line.split(":")[0] for line in result.stderr.splitlines()[2:]] == [
        f"generation {number} of 2" for number in range(3)]
    assert "1,116 of 1,116 games" in result.stderr
    assert Run(here / "mine").done


def test_a_map_is_explained_by_its_best(here: Path) -> None:
    said = hsevo(*SMOKE, "--out", "map", *(f"--set={change}" for change in (
        "evolution.strategy=map-elites", "evolution.lambda=8", "evolution.cells=[3,3]",
        "rating.shares.coevolution=0", "rating.opponents.agents=[random]"))).stderr
    assert "\nbest, mean: win rate of the best 4 (fitness); sigma: mean mutation step\n" in said


def test_the_wins_of_a_race_are_called_an_estimate(here: Path) -> None:
    raced = hsevo(*SMOKE, "--out", "raced", "--set", "rating.racing.rounds=2").stdout
    assert re.search(r"individual-\d+, with \d+ wins \(estimated from its race\)\n", raced)
    assert "estimated" not in hsevo(*SMOKE, "--out", "whole").stdout


def test_the_run_folder_is_named_after_config_seed_and_time(here: Path) -> None:
    hsevo(*SMOKE, "--seed", 7)
    assert [path.name.startswith("smoke-seed-7-2") for path in (here / "runs").iterdir()] == [True]


def test_options_go_over_set_and_set_over_the_file(here: Path) -> None:
    hsevo(*SMOKE, "--out", "mine", "--seed", 9, "--executions", 2, "--workers", 2,
          "--set", "evolution.generations=2", "--set", "decks=[mage]", "--set", "seed=3")
    plan = Run(here / "mine").config
    assert (plan.seed, plan.executions, plan.workers.count) == (9, 2, 2)
    assert (plan.evolution.generations, plan.decks, plan.games) == (2, ("mage",), 2)


def test_a_first_compilation_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    from hsevo.engine import jit
    from hsevo.engine.compiling import Step
    from hsevo.play import match

    monkeypatch.setattr(
        match, "warm_up", lambda ruleset: jit._tell(Step("what is called for", 0, 9, 40)))
    assert ("compiling what is called for, once for this version: about 40 s left"
            in hsevo(*SMOKE, "--out", "a").stderr)
    monkeypatch.setattr(match, "warm_up", lambda ruleset: None)
    assert "compiling" not in hsevo(*SMOKE, "--out", "b").stderr


@pytest.mark.parametrize(("words", "said", "path"), [
    (("--foo",), "no such option", ""),
    (("evolve", "--configg", "smoke"), "no such option", " evolve"),
    (("match", "eva:2018"), "missing argument 'B'", " match"),
    (("match", "a", "b", "--games", "x"),
     "invalid value for '--games': 'x' is not a valid integer", " match"),
    (("match", "a", "b", "--games"), "option '--games' requires an argument", " match"),
    (("completion",), "missing argument '{bash|zsh|fish}'; choose from: bash, zsh, fish",
     " completion"),
    (("decks", "chek"), "no such command 'chek'", " decks"),
    (("decks", "list", "a\nb"), "'a b' contains control characters; rename it", ""),
])
def test_wrong_words_are_one_line_like_any_other_mistake(words: tuple[str, ...], said: str,
                                                         path: str) -> None:
    message, = fails(*words).splitlines()
    assert message.startswith(f"hsevo: {said}")
    assert message.endswith(f" (see hsevo{path} --help)")


def test_no_words_at_all_print_the_help() -> None:
    assert hsevo().output.startswith("Usage: hsevo ")
    assert hsevo("decks").output.startswith("Usage: hsevo decks ")


def test_two_decks_of_one_name_are_refused(here: Path) -> None:
    (here / "mage.txt").write_bytes(config.find("mage", "decks").read_bytes())
    assert "two decks are called 'mage'" in fails(
        *SMOKE, "--set", f"decks=[mage, {config.shipped('decks') / 'mage.txt'}]")


def test_resuming_a_finished_run_prints_it_again() -> None:
    first = hsevo(*SMOKE, "--out", "mine")
    again = hsevo("evolve", "--resume", "mine", "--workers", 1, "--backend", "threads")
    assert (again.exit_code, again.stdout) == (0, first.stdout)


def test_verify_counts_what_adds_up(here: Path) -> None:
    hsevo(*SMOKE, "--out", "mine")
    assert hsevo("verify", "mine").stdout == (
        "mine: done; 3 generations, 558 matches and 1,116 games add up\n")
    path = here / "mine" / "population.csv"
    lines = [line.split(",") for line in path.read_text().splitlines()]
    lines[9][lines[0].index("age")] = "7"
    path.write_text("".join(",".join(line) + "\n" for line in lines))
    damaged = "population.csv is damaged: it is not what was written: its SHA-256"
    assert damaged in fails("verify", "mine")
    sign(here / "mine")
    assert "column age differs from what the results give" in fails("verify", "mine")


@pytest.mark.parametrize("kind", ["yaml", "csv", "sabberstone"])
def test_export_best_writes_each_format(kind: str, here: Path) -> None:
    hsevo(*SMOKE, "--out", "mine")
    suffix = {"sabberstone": "txt"}.get(kind, kind)
    words = ("export-best", "mine", "--games-per-pair", 5, "--format", kind, "--backend", "serial")
    shown = hsevo(*words)
    assert hsevo(*words, "--output", f"best.{suffix}").stdout == ""
    assert (here / f"best.{suffix}").read_text() == shown.stdout
    (name,), weights = read_weights(here / f"best.{suffix}")
    population = Run(here / "mine").population.set_index("individual")
    best = shown.stderr.split("best: individual-")[1].split(",")[0]
    assert kind == "sabberstone" or name == f"individual-{best}"
    row = population.query("generation == 2 and survived == 1").loc[int(best)]
    assert weights[0].tolist() == row[list(NAMES)].tolist()
    if kind == "sabberstone":
        assert [float(x) for x in shown.stdout.split("#")] == row[list(PROGRAM_ORDER)].tolist()


def test_export_best_gives_rates_with_intervals_and_says_if_they_are_separable() -> None:
    hsevo(*SMOKE, "--out", "mine")
    said = hsevo("export-best", "mine", "--games-per-pair", 200).stderr
    assert "of 5,400 games won (95 % interval" in said  # 3 opponents, 9 deck pairs, 200 games
    assert "the best is separable from the next" in said or "not separable" in said


def test_the_judgement_is_the_test_of_two_proportions() -> None:
    from hsevo.cli.evolution import _judgement
    from hsevo.play.tournament import SCORE, agents_table
    from hsevo.strength.champions import Best

    def judge(first: int, second: int) -> tuple[float, str]:
        table = agents_table(["x", "y"], np.array([(first, 0, 1000 - first),
                                                   (second, 0, 1000 - second)], SCORE))
        from hsevo.agents.genomes.weights import EVA
        from hsevo.strength import champions as best
        found = Best("x", np.zeros(21), EVA, table, best._distance(table["rate"], 1000), "y",
                     ("x",), 0.6, "y")
        return found.z, _judgement(found)

    # (0.55 - 0.50) / sqrt(2 * 0.525 * 0.475 / 1000) = 2.2389
    assert judge(550, 500) == (pytest.approx(2.2389, abs=1e-4), judge(550, 500)[1])
    assert "the best is separable" in judge(550, 500)[1]
    assert "not separable" in judge(540, 500)[1]  # 1.79
    assert judge(500, 500)[0] == 0


def test_export_best_of_several_executions_names_them() -> None:
    hsevo(*SMOKE, "--out", "mine", "--executions", 2)
    result = hsevo("export-best", "mine", "--games-per-pair", 1)
    assert result.stdout.startswith("execution-")


def test_the_best_of_one_has_nobody_to_play(recwarn: pytest.WarningsRecorder) -> None:
    hsevo(*SMOKE, "--out", "mine", "--set", "evolution.mu=1")
    said = hsevo("export-best", "mine", "--games-per-pair", 1).stderr
    assert "alone in its population" in said
    assert "nan" not in said
    assert not [one for one in recwarn if issubclass(one.category, RuntimeWarning)]


def test_an_arena_of_runs_and_files_has_all_their_agents(here: Path) -> None:
    agents(here / "four.csv")
    hsevo(*SMOKE, "--out", "mine")
    words = ("--games", 18, "--backend", "serial")
    result = hsevo("arena", "--runs", "four.csv", "mine", *words, "--out", "cup")
    assert result.exit_code == 0, result.output
    ratings = pd.read_csv(here / "cup" / "ratings.csv")
    people = pd.read_csv(here / "mine" / "population.csv")
    survivors = people[
        people["generation"].eq(people["generation"].max()) & people["survived"].eq(1)]
    assert {*ratings["agent"]} == {*(f"eva:four.csv#agent-{i}" for i in range(4)), *(
        f"eva:mine#individual-{one}" for one in survivors["individual"])}
    assert (ratings["games"] == 18 * (len(ratings) - 1)).all()
    against = hsevo("arena", "--runs", "eva:four.csv", "--against", "random", *words)
    assert against.exit_code == 0, against.output
    assert "random" in against.stdout
    assert "--runs can't be combined with --resume" in fails("arena", "--runs", "--resume", "cup")
    agents(here / "one.csv", 1)
    assert "needs an opponent" in fails("arena", "--runs", "one.csv", "--out", "x")


@pytest.mark.parametrize("name", ["cig2018", "smoke", "divine-shield", "configs/mine.yaml"])
def test_config_show_prints_the_file_as_it_is(name: str, here: Path) -> None:
    (here / "configs").mkdir()
    (here / "configs" / "mine.yaml").write_text("# Mine.\ndecks: [mage]\n")
    result = hsevo("config", "show", name)
    assert result.exit_code == 0
    kind: config.Kind = "configs/studies" if name == "divine-shield" else "configs"
    assert result.stdout == config.find(name, kind).read_text(encoding="utf-8")
    assert result.stdout == config_text(name)


def test_config_show_says_that_there_is_another_of_the_name(here: Path) -> None:
    study = hsevo("config", "show", "unseen-cards")
    assert study.stdout == config.find("unseen-cards", "configs/studies").read_text("utf-8")
    other = "hsevo config show learning/unseen-cards"
    assert study.stderr == f"unseen-cards is also a learning config: {other}\n"
    shown = hsevo(*other.split()[1:])
    assert shown.stdout == config.find("unseen-cards", "configs/learning").read_text("utf-8")
    assert shown.stderr == hsevo("config", "show", "cig2018").stderr == ""


def test_config_list_says_what_each_is_for(here: Path) -> None:
    (here / "configs").mkdir()
    (here / "configs" / "mine.yaml").write_text("# Is it\n# mine? Yes.\ndecks: [mage]\n")
    (here / "configs" / "bad.yaml").write_bytes(b"\xff\xfe")
    header, *lines, more = hsevo("config", "list").stdout.splitlines()
    rows = {line.split()[0]: re.split("  +", line)[1:] for line in lines}
    kinds: tuple[config.Kind, ...] = ("configs", "configs/learning", "configs/decks",
                                      "configs/coevolve", "configs/studies", "configs/ladders")
    assert {*rows} == {name for kind in kinds for name in config.names(kind)}
    assert rows["mine"] == ["hsevo evolve", "Is it mine?"]
    assert rows["taunts"] == ["hsevo study", "The best number of minions with Taunt in a deck"]
    assert rows["smoke"][1].startswith("A small test of the whole experiment, which takes seconds")
    assert rows["bad"][1] == "not readable: configs/bad.yaml is not a text file (no UTF-8)"
    assert header.split() == ["name", "for", "what", "it", "is"]
    assert more == ("more: hsevo config show NAME; run one with hsevo evolve --config NAME,"
                    " hsevo learn --config NAME, hsevo decks evolve --config NAME, hsevo coevolve"
                    " --config NAME, hsevo study NAME or hsevo ladder NAME")


def test_config_show_sends_no_escape_codes_and_suggests(here: Path) -> None:
    (here / "mine.yaml").write_text("name: a\x1b[31mred\n")
    assert hsevo("config", "show", "mine.yaml").stdout == "name: a [31mred\n"
    assert "no config 'smok'" in fails("config", "show", "smok")
    assert "did you mean 'smoke'?" in fails("config", "show", "smok")
    assert "did you mean 'table-1'?" in fails("config", "show", "table1")  # a ladder


@pytest.mark.parametrize("command", [(), ("evolve",), ("export-best",), ("arena",),
                                     ("verify",), ("cards",), ("cards", "list"),
                                     ("cards", "show"), ("decks",), ("decks", "check"),
                                     ("config",), ("config", "list"), ("config", "show")])
def test_help_teaches_with_examples(command: tuple[str, ...]) -> None:
    result = hsevo(*command, "--help")
    assert result.exit_code == 0
    usage, rest = result.stdout.split("\n", 1)
    assert usage.startswith("Usage: hsevo ")
    assert f"hsevo {' '.join(command)}" in rest


def test_help_does_not_wait_for_the_libraries() -> None:
    words = "import sys, hsevo.cli; print([m for m in sys.modules if m in %r])"
    heavy = ("numba", "numpy", "pandas", "pyarrow", "distributed", "scipy", "inspyred", "pydantic")
    out = subprocess.run([sys.executable, "-c", words % (heavy,)], capture_output=True, text=True,
                         check=True, cwd=ROOT).stdout
    assert out == "[]\n"


def test_a_closed_output_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """`hsevo agents >&-`: Python has no sys.stdout then."""
    monkeypatch.setattr(sys, "stdout", None)
    main.main(["agents"], standalone_mode=False)


def test_ctrl_c_says_how_to_go_on_and_going_on_gives_the_same_bits(here: Path) -> None:
    settings = ("--set", "evolution.generations=6", "--workers", "2")
    child = apart.begin("evolve", "--config", "smoke", *settings, "--out", here / "cut",
                        said=here / "said", HSEVO_FAKE_SECONDS="0.3")
    until = time.monotonic() + 60
    while not (here / "said").exists() or "\ngeneration 1 " not in (here / "said").read_text():
        assert time.monotonic() < until
        time.sleep(0.01)
    time.sleep(0.1)
    assert child.pid is not None
    os.killpg(child.pid, signal.SIGINT)
    child.join()
    said = (here / "said").read_text()
    assert child.exitcode == 130
    assert said.splitlines()[-1] == (
        f"hsevo: stopped; continue with: hsevo evolve --resume {here / 'cut'}")
    assert "Traceback" not in said
    assert hsevo("evolve", "--resume", "cut").exit_code == 0
    assert hsevo(*SMOKE[:3], *settings, "--out", "whole").exit_code == 0
    for name in ("population.csv", "statistics.csv", "checkpoint.json"):
        assert (here / "cut" / name).read_bytes() == (here / "whole" / name).read_bytes()


def test_workers_are_capped_with_a_word(here: Path) -> None:
    result = hsevo("evolve", "--config", "smoke", "--workers", 9999, "--out", "mine")
    most = 4 * joblib.cpu_count()
    assert f"{most} workers instead of 9,999" in result.stderr
    assert worker_count(Workers(count=9999)) == worker_count(Workers(count=most)) == most
    assert worker_count(Workers(count=2)) == 2
    assert "instead of" not in hsevo(*SMOKE, "--workers", 9999, "--out", "alone").stderr


def test_the_games_of_the_papers_experiment() -> None:
    plan = config.load("cig2018")
    references = 2 * 3 * 2_016  # of the first and the last generation, against three opponents
    assert games_to_play(plan) == 3_393_900 + references
    assert games_to_play(config.change(plan, {"executions": 10})) == 10 * (3_393_900 + references)


def test_the_games_left_are_those_not_yet_committed(here: Path) -> None:
    hsevo(*SMOKE, "--out", "mine", "--executions", 2)
    run = Run(here / "mine")
    assert run.start is not None
    following = run.start.execution, run.start.number + 1
    assert games_to_play(run.config, following) == 0
    longer: Config = config.change(run.config, {"executions": 3, "evolution.generations": 4})
    # 28 matches of 9 deck pairs and 2 games for generation 3, then a whole execution
    assert games_to_play(longer, following) == 504 + 108 + 3 * 504


def meter(terminal: bool) -> tuple[Meter, StringIO]:
    text = StringIO()
    return Meter(1000, Console(file=text, force_terminal=terminal, width=120)), text


def test_without_a_terminal_a_long_job_says_a_line_now_and_then(
        monkeypatch: pytest.MonkeyPatch) -> None:
    shown, text = meter(False)
    with shown:
        for second in range(1, 26):
            monkeypatch.setattr(time, "monotonic", lambda now=shown.began + second: now)
            shown.advance(10)
    assert text.getvalue().splitlines() == [
        "100 of 1,000 games, 10 games/s, 1 min 30 s left",
        "200 of 1,000 games, 10 games/s, 1 min 20 s left"]


def test_less_than_a_game_a_second_is_told_by_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, text = meter(False)
    with shown:
        monkeypatch.setattr(time, "monotonic", lambda: shown.began + 25)
        shown.advance(10)
    assert text.getvalue() == "10 of 1,000 games, 24 games/min, 41 min 15 s left\n"


def test_in_a_terminal_it_is_a_live_line() -> None:
    shown, text = meter(True)
    assert shown.text() == shown.short() == "0 of 1,000 games"  # no speed is known yet
    with shown:
        shown.advance(250)
        shown.live.refresh()
    assert "250 of 1,000 games, " in text.getvalue()
    assert text.getvalue().endswith("\x1b[2K")  # and it is gone at the end


def test_a_figure_that_there_is_not_is_an_empty_cell() -> None:
    from hsevo.cli.examine import _cells
    from hsevo.strength.rating import Estimate

    nothing = float("nan")
    assert _cells(Estimate(nothing, nothing, nothing), "%") == ("", "")
    assert _cells(Estimate(0.5, 0.25, 0.75), "%") == ("50.0 %", "25.0 to 75.0")


def test_durations() -> None:
    assert [duration(x) for x in (0, 59.4, 60, 3599, 7500, float("inf"))] == [
        "0 s", "59 s", "1 min 00 s", "59 min 59 s", "2 h 05 min", "unknown time"]
