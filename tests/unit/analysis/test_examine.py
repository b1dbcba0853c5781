"""Examinations: variants play what they should, styles re-add, and both are reported."""

import re
import shutil
from collections import Counter
from itertools import groupby
from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hsevo import config
from hsevo.agents.genomes.weights import NAMES
from hsevo.analysis import landscape
from hsevo.analysis import profile as style
from hsevo.analysis.examine import Examination, check_folder
from hsevo.analysis.landscape import GRID, ITSELF
from hsevo.analysis.profile import ACTIONS, mean_ratio
from hsevo.cards.decks import read_deck
from hsevo.config import Workers
from hsevo.engine.record.state import RUNNING
from hsevo.engine.view.show import move_text, scene
from hsevo.engine.view.snapshot import snapshot
from hsevo.errors import RunError
from hsevo.evolution.run import Run
from hsevo.play import match
from hsevo.play.workers import open_workers
from hsevo.reports import examined
from hsevo.reports.exhibit import ReportSection
from hsevo.strength import rating
from hsevo.strength.contest import Arena
from hsevo.strength.lineup import ContestPlan, Lineup, schedule
from tests.support.command import fails, hsevo
from tests.support.disk import full_disk

DECKS = ["warrior", "shaman", "mage"]
QUICK = ("--games", 18, "--style-games", 18, "--games-best", 1)
FIGURES = {"landscape", "worth", "actions", "mana", "attacks", "victory"}


@pytest.fixture(scope="module")
def lineup() -> Lineup:
    """Return EVA against the centres of two groups, 36 games in all."""
    return Lineup.of(ContestPlan(agents=["eva:2018"], against=["eva:group-1", "eva:group-3"],
                          decks=DECKS, games=18))


@pytest.fixture(scope="module")
def table(lineup: Lineup) -> pd.DataFrame:
    with open_workers(Workers(backend="serial")) as executor:
        return landscape.landscape(executor, lineup)


@pytest.fixture(scope="module")
def told(lineup: Lineup) -> tuple[pd.DataFrame, pd.DataFrame]:
    with open_workers(Workers(backend="serial")) as executor:
        return style.record(executor, lineup, 20)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished run of the real engine with two executions, examined."""
    path = tmp_path_factory.mktemp("runs") / "mine"
    plan = config.change(config.load("smoke"), {
        "executions": 2, "evolution.generations": 2, "evolution.mu": 3, "evolution.lambda": 3})
    made = Run.make(path, plan, [read_deck(name) for name in plan.decks])
    with open_workers(Workers(backend="serial")) as executor:
        made._make_steps(executor)
    made.close()
    assert hsevo("examine", path, *QUICK).exit_code == 0
    return path


# -- numbers by hand ------------------------------------------------------------------------------


def test_paired_differences_by_hand() -> None:
    """Four pairs 1, 0.5, 0, 0 and the two thought of: mean 1.5 / 6, sum of squares 1.25 + 1."""
    found, p = rating.paired(np.array([1, 0.5, 0, 0]))
    error = sqrt(2.25 / 6 - 0.25**2) / sqrt(6)
    assert found.value == 0.375
    assert (found.low, found.high) == pytest.approx((0.25 - rating.Z * error,
                                                     0.25 + rating.Z * error))
    assert p == pytest.approx(0.2733, abs=1e-4)  # 2 (1 - Phi(0.25 / 0.22822)), Phi(1.0954)
    alike, p = rating.paired(np.zeros(98))  # sd sqrt(1 / 100), over sqrt(100)
    assert (alike.low, alike.value, alike.high) == pytest.approx((-0.0196, 0, 0.0196), abs=1e-5)
    assert p == 1
    assert rating.paired(np.ones(3))[0].high == 1  # never beyond what can be


def test_intervals_of_paired_differences_hold_the_truth() -> None:
    """In 95 of 100 cases, about: of 2,000, with standard error 0.5 points; rare gaps, 200 pairs."""
    random, held = np.random.default_rng(1), 0
    for _ in range(2000):
        gaps = random.choice([-1, -0.5, 0, 0.5, 1], 200, p=[0.01, 0.02, 0.92, 0.03, 0.02])
        found, _ = rating.paired(gaps)
        held += found.low <= 0.015 <= found.high
    assert 0.93 < held / 2000 < 0.975


def test_mean_ratio_by_hand() -> None:
    """Pairs with 1 of 2 and 3 of 4: r = 4/6; rests -1/3, 1/3; half = Z sqrt(2 * 2/9) / 6.

    Games 0 and 1 are a pair, and count as one cluster.
    """
    turns = pd.DataFrame({"game": [0, 1, 2], "a": [1, 0, 3], "b": [1, 1, 4]})
    found, half = mean_ratio(turns, "a", "b"), rating.Z * sqrt(4 / 9) / 6
    assert (found.value, found.low, found.high) == pytest.approx((2 / 3, 2 / 3 - half,
                                                                  2 / 3 + half))
    alone = mean_ratio(turns[turns["game"] < 2], "a", "b")
    assert alone.value == 0.5
    assert np.isnan(alone.low)
    assert np.isnan(mean_ratio(turns.assign(b=0), "a", "b").value)


# -- the landscape --------------------------------------------------------------------------------


def test_the_agent_itself_is_rated_as_an_arena_rates_it(lineup: Lineup,
                                                        table: pd.DataFrame) -> None:
    with open_workers(Workers(backend="serial")) as executor:
        record = Arena(lineup).play(executor)
    found, row = rating.rate(record.counts[0].sum(axis=0)), table.iloc[0]
    assert row["weight"] == ITSELF
    assert row["games"] == 36 == row["wins"] + row["draws"] + row["losses"]
    assert (row["rate"], row["rate_low"], row["rate_high"]) == (found.value, found.low, found.high)


@pytest.mark.parametrize(("weight", "value"), [("BMK", 0.0), ("MM", 0.7), ("HHR", 1.0)])
def test_a_variant_is_the_agent_with_one_other_weight(lineup: Lineup, table: pd.DataFrame,
                                                      weight: str, value: float) -> None:
    players = lineup.players.copy()
    players["w"][0, NAMES.index(weight)] = value
    with open_workers(Workers(backend="serial")) as executor:
        changed = Arena(Lineup(lineup.plan, lineup.names, players, lineup.decks)).play(executor)
        itself = Arena(lineup).play(executor)
    row = table[(table["weight"] == weight) & (table["value"] == value)].iloc[0]
    assert row["rate"] == rating.rate(changed.counts[0].sum(axis=0)).value
    assert row["lead"] == pytest.approx(row["rate"] - table["rate"][0])
    assert row["lead_low"] <= row["lead"] <= row["lead_high"]
    differ = (changed.results != itself.results).reshape(-1, 2).any(axis=1)
    assert row["changed"] == differ.mean()
    assert table["own"][table["weight"] == weight].unique() == [
        lineup.players["w"][0, NAMES.index(weight)]]


def test_every_weight_has_every_value_and_its_own_changes_nothing(table: pd.DataFrame) -> None:
    rest = table[1:]
    assert list(zip(rest["weight"], rest["value"], strict=True)) == [
        (name, value) for name in NAMES for value in GRID]
    same = rest[rest["value"] == rest["own"]]
    assert len(same)  # MA, MHS and others of EVA's weights are 0 or 1
    assert (same["changed"] == 0).all()
    assert (same["lead"] == 0).all()
    assert (rest["changed"] > 0).any()


def test_nobody_but_the_agent_is_changed(lineup: Lineup) -> None:
    """An opponent that is the agent's double stays what it is."""
    twins = Lineup.of(lineup.plan.model_copy(update={"against": ["eva:2018"], "agents": [
        "eva:tests/data/published_2018.csv#run-1-rank-0"]}))
    changed = landscape.numbers(twins)
    assert changed
    genome, weights, build = changed
    many = build(landscape.variants(genome, weights))
    assert len(many) == 21 * 11
    assert (many["w"] != twins.players["w"][0]).sum(axis=1).max() == 1


# -- the style ------------------------------------------------------------------------------------


def test_turns_are_what_the_moves_say(lineup: Lineup,
                                      told: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    """Recounted from the moves in words (engine.view.show) and the mana on the board."""
    turns, games = told
    table, rows = match.Table(lineup.players, lineup.setting), schedule(lineup)
    for k in range(8):
        table.deal(rows[k], 0)
        made = []
        while table.game.result == RUNNING:
            now, move = snapshot(table.game), table.decide()
            made.append((scene(now), move_text(now, move)))
            table.move(move)
        here = turns[turns["game"] == k].to_dict("records")
        by_turn = [list(moves) for _, moves in groupby(made, lambda one: one[0].turn)]
        assert len(here) == len(by_turn)
        for row, moves in zip(here, by_turn, strict=True):
            first, says = moves[0][0], [text for _, text in moves]
            assert row["turn"] == (first.turn + 1) // 2
            assert row["agent"] == lineup.names[rows[k]["a" if first.me == 0 else "b"]]
            counts = Counter(text.split()[0] for text in says)
            on_hero = sum(text.startswith("attack the enemy hero") for text in says)
            assert row["at_heroes"] == on_hero
            assert row["at_minions"] == counts["attack"] - on_hero
            assert row["powers"] == counts["use"]
            assert row["minions"] + row["spells"] + row["weapons"] == counts["play"]
            assert row["over"] == (says[-1] != "end the turn")
            gained = any(name in text for text in says for name in ("The Coin", "Innervate"))
            if not (row["over"] or gained):
                assert row["spent"] + row["left"] == first.sides[first.me].mana
        assert games["points"][k] in (0, 0.5, 1)


def test_kinds_of_cards_are_told_apart(told: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    sums = told[0][list(ACTIONS)].sum()
    assert (sums > 0).all()  # each of them happens: Pirate Warrior alone has all
    assert sums["minions"] > sums["weapons"]


def test_games_are_those_of_the_line_up(lineup: Lineup,
                                        told: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    games = told[1]
    assert len(games) == 36  # whole rounds
    rows = schedule(lineup)
    played = match.play_block(rows, lineup.players, lineup.setting)
    first = rows["a"] == 0
    won = np.where(first, played["wins_a"], played["wins_b"]) + played["draws"] / 2
    assert games["points"].tolist() == won.tolist()
    assert games["turns"].tolist() == played["turns"].tolist()
    assert games["seed"].tolist() == rows["seed"].tolist()
    begins = told[0].groupby("game")["agent"].first() == "eva:2018"
    assert games["begins"].tolist() == begins.tolist()


def test_shares_by_hand() -> None:
    turns = pd.DataFrame({"game": [0, 0, 1, 1], "agent": ["x", "y", "x", "y"], "turn": 1,
                          "over": [False, True, False, False], "spent": [1, 9, 2, 2],
                          "left": [0, 9, 1, 2], "minions": [1, 0, 1, 0], "spells": [0, 1, 0, 0],
                          "weapons": [0, 0, 0, 2], "powers": [0, 0, 1, 1],
                          "at_heroes": [1, 0, 1, 2], "at_minions": [0, 3, 1, 0]})
    games = pd.DataFrame({"game": [0, 1], "points": [1.0, 0.0], "turns": [9, 12]})
    found = {one.says: (one.own.value, one.others.value)
             for one in style.shares(turns, games, "x")}
    assert found == {
        "mana spent, of the mana available": (3 / 4, 2 / 4),  # y's first turn was cut short
        "attacks on the hero, of all attacks": (2 / 3, 2 / 5),
        "cards played per turn": (1, 3 / 2), "minions, of cards played": (1, 0),
        "turns with the hero power": (1 / 2, 1 / 2), "attacks per turn": (3 / 2, 5 / 2),
        "round in which it wins": (5, 6)}


# -- the command and the report -------------------------------------------------------------------


def test_the_best_of_a_run_is_examined_among_its_own(run: Path) -> None:
    found = Examination.read(run / "examined")
    name = found.agent.rpartition("#")[2]
    execution = name.partition("-individual")[0]
    assert re.fullmatch(r"execution-[12]-individual-\d+", name)
    assert len(found.plan.against) == 2
    assert all(f"#{execution}-individual-" in other for other in found.plan.against)
    assert found.agent not in found.plan.against
    assert len(found.landscape) == 1 + 21 * 11
    assert (found.landscape["games"] == 36).all()


def test_the_bits_do_not_depend_on_the_workers(run: Path, tmp_path: Path) -> None:
    for workers, backend in ((1, "serial"), (2, "threads")):
        out = tmp_path / backend
        assert hsevo("examine", run, *QUICK, "--out", out, "--workers", workers, "--backend",
                     backend).exit_code == 0
    for name in ("landscape.csv", "turns.csv", "games.csv"):
        assert (tmp_path / "serial" / name).read_bytes() == (
            tmp_path / "threads" / name).read_bytes() == (run / "examined" / name).read_bytes()


def test_what_is_printed_is_in_the_tables(tmp_path: Path) -> None:
    result = hsevo("examine", "eva:2018", "--against", "eva:group-1", "--games", 18,
                   "--style-games", 18, "--decks", "mage", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    found = Examination.read(tmp_path / "out")
    row = found.landscape[(found.landscape["weight"] == "BMK")
                          & (found.landscape["value"] == 0)].iloc[0]
    line = next(one for one in result.stdout.splitlines() if one.startswith("BMK "))
    assert line.split()[2:8] == [
        f"{100 * row['rate']:.2f}", "%", f"{100 * row['rate_low']:.2f}", "to",
        f"{100 * row['rate_high']:.2f}", f"{100 * row['lead']:+.2f}"]
    assert found.plan.decks == ["mage"]
    assert len(found.games) == 18


def test_an_older_examination_is_replaced_and_nothing_else(run: Path, tmp_path: Path) -> None:
    words = ("examine", "eva:2018", "--against", "random", "--games", 2, "--decks", "mage", "--out")
    for _ in range(2):
        assert hsevo(*words, tmp_path / "out").exit_code == 0
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("mine")
    assert "is not an examination" in fails(*words, tmp_path / "full")
    assert (tmp_path / "full" / "thesis.tex").read_text() == "mine"
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "games.csv").write_text("mine")  # a name that others have, too
    assert "is not an examination" in fails(*words, tmp_path / "games")
    assert (tmp_path / "games" / "games.csv").read_text() == "mine"


def test_what_cannot_be_written_is_printed_and_the_same_command_goes_again(tmp_path: Path) -> None:
    words = ("examine", "eva:2018", "--against", "random", "--games", 2, "--decks", "mage", "--out")
    with pytest.MonkeyPatch.context() as patch:
        full_disk(patch, "turns.csv")
        full = hsevo(*words, tmp_path / "cut")
    assert full.exit_code == 2
    assert "No space left on device" in full.stderr.splitlines()[-1]
    assert (tmp_path / "cut" / "landscape.csv").exists()
    again = hsevo(*words, tmp_path / "cut")
    assert again.exit_code == 0, again.output
    assert len(full.stdout) > 1000
    assert again.stdout.startswith(full.stdout)


def test_a_folder_that_cannot_be_written_is_told_before_the_games(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunError, match=r"cannot write .*Not a directory"):
        check_folder(tmp_path / "file" / "out" / "deeper")
    check_folder(tmp_path / "new" / "deeper")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]  # nothing is left of the trial


@pytest.mark.parametrize(("words", "says"), [
    (("--against", "evva:2018"), "unknown agent 'evva:2018'"),
    (("--decks", "nodeck"), "no deck 'nodeck'"),
    (("--ruleset", "foo"), "ruleset is 'foo'"),
    (("--games", "1000000"), "games would take"),
])
def test_a_run_plays_again_only_if_all_else_is_right(run: Path, tmp_path: Path,
                                                     words: tuple[str, ...], says: str) -> None:
    said = fails("examine", run, *words, "--out", tmp_path / "out")
    assert says in said
    assert "population again" not in said
    assert not (tmp_path / "out").exists()


def test_the_report_draws_what_was_found(run: Path, tmp_path: Path) -> None:
    result = hsevo("report", run, "--examined", run / "examined",  # which it finds by itself
                   "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    figures = {one.stem for one in (tmp_path / "out" / "figures").glob("*.svg")}
    assert figures >= FIGURES
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Agent profile" in page
    worth = pd.read_csv(tmp_path / "out" / "tables" / "worth.csv")
    found = Examination.read(run / "examined")
    without = found.landscape[found.landscape["value"] == 0]
    assert worth["worth"].tolist() == (-without["lead"]).tolist()
    assert worth["worth_low"].tolist() == (-without["lead_high"]).tolist()
    ends = pd.read_csv(tmp_path / "out" / "tables" / "victory.csv")
    assert ends[["won", "drawn", "lost"]].to_numpy().sum() == len(found.games)


def test_examined_agents_stand_side_by_side(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "eva"
    assert hsevo("examine", "eva:2018", "--against", "eva:group-1", "--games", 18, "--style-games",
                 18, "--out", other).exit_code == 0
    again = shutil.copytree(run / "examined", tmp_path / "again")
    result = hsevo("report", "--examined", run / "examined", "--examined", other, "--examined",
                   again, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert ": agent profile" in (tmp_path / "out" / "report.html").read_text()
    table = pd.read_csv(tmp_path / "out" / "tables" / "landscape.csv")
    name = Examination.read(run / "examined").agent.rpartition("#")[2]
    assert table["examined"].unique().tolist() == [
        f"eva:mine#{name}", "eva:2018", f"eva:mine#{name} (2)"]
    assert "is given twice" in fails("report", "--examined", other, "--examined", other)
    copies = [shutil.copytree(other, tmp_path / f"copy-{i}") for i in range(7)]
    many = [word for copy in copies for word in ("--examined", copy)]
    assert "8 examined agents, but a report can draw at most 7" in fails(
        "report", run, *many, "--out", tmp_path / "many")
    assert not (tmp_path / "many").exists()


def test_a_damaged_examination_is_refused(run: Path, tmp_path: Path) -> None:
    bad = shutil.copytree(run / "examined", tmp_path / "bad")
    (bad / "turns.csv").write_text("game,agent\n0,x\n")
    with pytest.raises(RunError, match=r"turns.csv is damaged: it has no column opponent"):
        Examination.read(bad)
    (bad / "examined.yaml").unlink()
    assert "is not a folder of a finished hsevo examine" in fails(
        "report", run, "--examined", bad, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("name", "old", "new", "says"), [
    ("landscape.csv", "BMK,0.0,", "BMK,zero,", "a line has no number in its column value"),
    ("landscape.csv", "BMK,0.0,", "BMA,0.0,", "landscape.csv lacks the line of a variant"),
    ("games.csv", "\n5,", "\n6,", "turns.csv and games.csv are from different games"),
    ("games.csv", ",1.0,", ",7.0,", "games.csv has impossible points"),
    ("examined.yaml", "-individual-", "-individual-9", "has other agents than examined.yaml"),
])
def test_damaged_tables_have_a_line(run: Path, tmp_path: Path, name: str, old: str, new: str,
                                    says: str) -> None:
    bad = shutil.copytree(run / "examined", tmp_path / "bad")
    text = (bad / name).read_text()
    assert old in text
    (bad / name).write_text(text.replace(old, new, 1))
    assert says in fails("report", run, "--examined", bad, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    lines = (bad / "turns.csv").read_text().splitlines()
    (bad / "turns.csv").write_text("\n".join(lines[:len(lines) // 2]))
    (bad / name).write_text(text)
    assert "turns.csv" in fails("report", run, "--examined", bad, "--out", tmp_path / "out")


def profile(examined_: list[Examination]) -> ReportSection:
    """Return the section of a report on examined agents."""
    section, = examined.PROFILE.sections(examined.by_name(examined_))
    return section


def test_a_weight_that_does_harm_is_not_worth_something(run: Path) -> None:
    found = Examination.read(run / "examined")
    found.landscape.loc[1:, "p"] = 0.9
    for weight, lead, p in (("BMK", -0.3, 1e-6), ("MHT", 0.2, 1e-6), ("MM", -0.1, 0.9)):
        row = (found.landscape["weight"] == weight) & (found.landscape["value"] == 0)
        found.landscape.loc[row, ["lead", "p"]] = lead, p
    found.games.loc[:1, "points"] = 0.5
    says = {one.name: one.caption for one in profile([found]).exhibits}
    assert "for 21: BMK. Weights that hurt, by the same test: MHT." in says["worth"]
    drawn = int((found.games["points"] == 0.5).sum())
    assert f"Draws, only in the table: {drawn}." in says["victory"]


def test_few_games_and_no_wins_can_be_drawn(tmp_path: Path) -> None:
    """Nobody wins a game of one turn; no turn is reached by thirty games but the first."""
    assert hsevo("examine", "eva:2018", "--against", "random", "--games", 2, "--decks", "mage",
                 "--max-turns", 1, "--out", tmp_path / "out").exit_code == 0
    drawn = profile([Examination.read(tmp_path / "out")])
    assert {one.name for one in drawn.exhibits if one.picture} == FIGURES
