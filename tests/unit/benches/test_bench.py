"""The bench: every figure has its name, its unit and a sensible size; nothing is timed here."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from hsevo.benches import decision, games
from hsevo.benches.dispatch import CODES, WORDS, dispatch
from hsevo.cards import tables
from hsevo.cards.decks import check_deck
from hsevo.cards.terms import UP_TO_GADGETZAN, Class
from hsevo.cli import main
from hsevo.errors import GameError, HsevoError
from hsevo.strength.panel import read_plan
from hsevo.strength.roster import read_agent

NAMES = [
    "greedy_games_per_second_per_core", "all_cards_games_per_second_per_core",
    "random_games_per_second_per_core",
    "simulated_actions_per_second_per_core", "decisions_per_game", "simulated_actions_per_game",
    "turns_per_game", "reference_millions_per_second", "greedy_games_per_reference",
    "all_cards_games_per_reference", "random_games_per_reference",
    "dispatch_millions_per_second", "greedy_games_per_dispatch",
    "first_game_after_install_cpu_seconds", "cold_compile_cpu_seconds", "warm_start_seconds",
    "peak_memory_mb"]
LAST = 2**64 - 1
STARTS = {"first_game_after_install_cpu_seconds": [14.0], "cold_compile_cpu_seconds": [29.0],
          "warm_start_seconds": [0.9, 0.7, 0.8], "peak_memory_mb": [190.0]}


def test_json_is_one_object_with_all_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "starts", lambda: STARTS)  # a minute; tested below, without engine
    result = CliRunner().invoke(main, ["bench", "--json", "--seconds", "0.5"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert list(report["figures"]) == NAMES
    for figure in report["figures"].values():
        assert 0 < figure["min"] <= figure["value"] <= figure["max"]
    value = {name: figure["value"] for name, figure in report["figures"].items()}
    assert value["warm_start_seconds"] == 0.8  # the median
    assert 10 < value["turns_per_game"] < 40 < value["decisions_per_game"] < 120
    assert value["simulated_actions_per_game"] > 2 * value["decisions_per_game"]
    assert value["simulated_actions_per_second_per_core"] == pytest.approx(
        value["greedy_games_per_second_per_core"] * value["simulated_actions_per_game"], rel=0.2)
    assert value["greedy_games_per_reference"] == pytest.approx(
        value["greedy_games_per_second_per_core"] / value["reference_millions_per_second"], rel=0.5)
    assert {"cpu", "cores", "python", "numba"} <= set(report["machine"])
    stored = games.stored()
    for name, change in report["baseline"]["changes"].items():
        assert change == pytest.approx(value[name] / stored["figures"][name]["value"] - 1)


BEFORE = {"figures": {"greedy_games_per_reference": {"value": 40.0},
                      "random_games_per_reference": {"value": 80.0}},
          "hsevo": {"version": "0.3.0", "engine": "0123456789abcdef"}, "machine": {"cpu": "A"}}


def line(greedy: float, random: float, cpu: str = "A") -> str:
    """Return the warning of a report with these two ratios."""
    now = {"greedy_games_per_reference": {"value": greedy},
           "random_games_per_reference": {"value": random}}
    return games.warning({"baseline": games.compared(now, BEFORE), "machine": {"cpu": cpu}})


def test_ratios_beyond_five_percent_of_the_baseline_are_one_line() -> None:
    assert line(38.1, 83.9) == ""  # 40 - 4.75 %, 80 + 4.9 %
    assert line(37.0, 80.0) == ("greedy_games_per_reference 7.5% lower than the baseline of version"
                                " 0.3.0 (engine 0123456789abcdef)")
    assert line(36.0, 88.0, "B") == (
        "greedy_games_per_reference 10.0% lower, random_games_per_reference 10.0% higher than the"
        " baseline of version 0.3.0 (engine 0123456789abcdef, measured on another processor: A)")


def test_the_stored_baseline_is_a_report_with_every_ratio() -> None:
    stored = games.stored()
    changes = games.compared({name: stored["figures"][name] for name in games.RATIOS}, stored)
    assert changes["changes"] == dict.fromkeys(games.RATIOS, 0.0)
    assert len(games.RATIOS) == 3
    assert re.fullmatch(r"[0-9a-f]{16}", changes["engine"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", changes["version"])


def test_a_change_beyond_the_limit_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    now = {"greedy_games_per_reference": {"value": 20.0, "min": 20.0, "max": 20.0}}
    report = {"figures": now, "baseline": games.compared(now, BEFORE), "machine": {"cpu": "A"}}
    monkeypatch.setattr(games, "measure", lambda seconds, say: report)
    result = CliRunner().invoke(main, ["bench", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["baseline"] == report["baseline"]
    assert result.stderr.splitlines()[-1].startswith(
        "hsevo: greedy_games_per_reference 50.0% lower than the baseline of version 0.3.0")


def test_text_has_a_line_a_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "starts", lambda: STARTS)
    lines = CliRunner().invoke(main, ["bench", "--seconds", "0.2"]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["figure", *NAMES, *games.machine()]
    assert re.search(r"0\.80  s +0\.70 to 0\.90\n", "\n".join(lines))


def test_the_counts_a_game_are_the_same_every_time() -> None:
    assert games.counts(games.sample()) == games.counts(games.sample())


def test_other_seeds_are_other_games() -> None:
    random = games.AGENTS["random"]
    assert (games.play(random, 2, 1) == games.play(random, 2, 1)).all()
    assert (games.play(random, 2, 1) != games.play(random, 2, 2)).any()


def test_decks_of_all_cards_are_legal_and_have_most_of_them() -> None:
    decks = games.drawn_decks()
    assert [deck.hero_class for deck in decks] == [
        cls.name for cls in Class if cls for _ in range(10)]
    for deck in decks:
        assert check_deck(deck) == deck
        assert sum(tables.cards()[id].cls is Class.NEUTRAL and not tables.cards()[id].group
                   for id in deck.ids) == 15
    met = {id for deck in decks for id in deck.ids}
    assert {tables.sets()[id] for id in met} == {*UP_TO_GADGETZAN}
    assert len(met) > 0.9 * len(tables.by_name())


def test_games_of_all_cards_are_ninety_and_depend_on_the_seed_alone() -> None:
    random = games.AGENTS["random"]
    results = games.play_all_cards(random, 1, 1)
    assert len(results) == 90
    assert (results == games.play_all_cards(random, 1, 1)).all()
    assert (results != games.play_all_cards(random, 1, 2)).any()


def test_agents_are_measured_one_by_one() -> None:
    words = ["bench", "--agents", "random,dl:miller?depth=1", "--seconds", "0.2"]
    report = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    assert list(report["agents"]) == ["random", "dl:miller?depth=1"]
    for spec, figures in report["agents"].items():
        played_games, decided, simulated = (figure["value"] for figure in figures.values())
        played = games.play(read_agent(spec), 5, 1)  # other games of the same two
        assert decided / played_games == pytest.approx(played["decisions"].sum() / 45, rel=0.3)
        assert simulated / played_games == pytest.approx(played["simulated"].sum() / 45, rel=0.3)
    assert {"cpu", "cores"} <= set(report["machine"])
    lines = CliRunner().invoke(main, words).stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["agent", "random", "dl:miller?depth=1"]
    assert len(lines[1].split()) == 7


def test_the_panel_can_be_measured_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(games, "measure_agents", lambda specs, seconds: seen.append(specs) or {
        "agents": {}, "machine": {}})
    CliRunner().invoke(main, ["bench", "--agents", "mcts:alvaro,panel-2026"])
    assert seen == [["mcts:alvaro", *read_plan("panel-2026").agents]]


def test_no_name_is_a_name_that_is_wrong() -> None:
    result = CliRunner().invoke(main, ["bench", "--agents", ""])
    assert result.exit_code == 2
    assert "name at least one agent" in result.stderr


def test_refused_games_stop_the_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    from hsevo.play import match

    def refusing(rows: np.ndarray, *_: object) -> np.ndarray:
        results = np.zeros(len(rows), match.RESULT)
        results["faults"][3] = 2
        return results

    monkeypatch.setattr(match, "play_block", refusing)
    with pytest.raises(GameError, match="rejected 2 games, the first in the match"):
        games.sample()


def test_the_reference_is_what_it_always_was() -> None:
    """A change of this number is a change of the work that all figures are compared by."""
    assert games.reference(10_000) == 6069


def test_a_childs_own_cpu_time_and_memory_are_measured(tmp_path: Path) -> None:
    work = ("from hsevo.benches import games;"
            "x = bytearray(150_000_000); t = sum(range(3_000_000));"
            "print(games.peak_memory())")
    parents = bytearray(600_000_000)  # no part of the child's
    ready, cpu, memory = games._child(work, str(tmp_path))
    del parents
    idle = games._child("import time; print(flush=True); time.sleep(0.6)", str(tmp_path))
    assert 0 < ready < 60
    assert cpu > 0.02
    assert 150 < float(memory) < 500
    assert idle[1] < 0.5  # sleeping is no CPU time, and what comes after the line is not the start
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", ""], check=True)
    assert idle[0] < max(10 * (time.monotonic() - began), 0.6)


def test_a_child_that_fails_is_said(tmp_path: Path) -> None:
    with pytest.raises(HsevoError, match="failed with exit code 3"):
        games._child("raise SystemExit(3)", str(tmp_path))


def test_parts_of_an_action_add_up() -> None:
    """The sums are those of invented times, worked out by hand."""
    done = [0, 100, 40, 100, 50, 20, 30, 100, 100, 30]
    spent = [1.0, 51.0, 5.0, 7.0, 16.0, 7.4, 10.6, 24.0, 27.0, 5.6]
    ns = {name: part["ns"] / 1e9 for name, part in decision._parts(spent, done).items()}
    assert ns == pytest.approx({
        "list the moves": 4 / 40, "copy the game": 2 / 100, "rules: attacks": 11 / 50 - 0.02,
        "rules: hero powers": 2.4 / 20 - 0.02, "rules: cards": 5.6 / 30 - 0.02,
        "score": 3 / 100, "scores in closed form": 0.6 / 30, "whole decision": 50 / 100})


def test_parts_are_counted_in_the_same_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision, "GAMES", 1)
    result = CliRunner().invoke(main, ["bench", "--kernel", "--json", "--seconds", "0.1"])
    report = json.loads(result.stdout)
    count = {name: part["actions"] for name, part in report["kernel"].items()}
    simulated = [count["rules: attacks"], count["rules: hero powers"], count["rules: cards"]]
    assert sum(simulated) == count["score"] == count["whole decision"]
    assert count["list the moves"] >= count["score"] == count["copy the game"]
    assert 0 < count["scores in closed form"] < sum(simulated)
    lines = CliRunner().invoke(main, ["bench", "--kernel", "--seconds", "0.1"]).stdout.splitlines()
    assert [re.split(r"\s{2,}", line)[0] for line in lines[1:9]] == list(decision.PARTS)


def interpreted(steps: int) -> int:
    """Do what dispatch.py does, in Python."""
    memory, state, a, b = [0] * WORDS, 88172645463325252, 1, 2
    for _ in range(steps):
        state ^= state << 13 & LAST
        state ^= state >> 7
        state ^= state << 17 & LAST
        k = state % CODES
        place = (state >> 40 ^ 37 * k + 11) % WORDS
        before = memory[place]
        a = a * (2 * k + 3) + before & LAST
        if a >> k % 7 & 1:
            memory[place] = a ^ 91 * k + 5
            b = b + (a >> 1 + k % 13) & LAST
        else:
            memory[place] = before + b + 91 * k + 5 & LAST
    return b


@pytest.mark.parametrize("steps", [0, 1, 2, 1000, 20_000])
def test_the_second_reference_computes_what_it_says(steps: int) -> None:
    assert dispatch(steps) & LAST == interpreted(steps)
