"""The frozen panel: its shipped games are those of this hsevo; where an agent stands in it."""

import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hsevo.agents.genomes.weights import write_weights
from hsevo.config import Workers
from hsevo.errors import RunError
from hsevo.generated import PANELS
from hsevo.play.workers import open_workers
from hsevo.strength import panel as stored
from hsevo.strength import rating
from hsevo.strength.contest import Arena
from hsevo.strength.lineup import ContestPlan, Lineup, schedule
from hsevo.strength.panel import NEWEST, Panel, by_deck, panels, places, read_plan, standing
from tests.support import ROOT
from tests.support.command import hsevo
from tests.support.disk import full_disk
from tests.support.folders import begin
from tests.support.make_panel import FILES, first_round, first_round_of

DECKS = ["warrior", "shaman", "mage"]


# --- what is shipped


def test_own_decks_of_the_same_names_are_not_its_decks(here: Path) -> None:
    whole = Panel.read()
    (here / "decks").mkdir()
    shutil.copy(ROOT / "decks" / "zoo-discard-warlock.txt", here / "decks" / "mage.txt")
    panel = Panel.read()
    assert panel.decks == whole.decks
    assert panel.lineup("random").digest == whole.lineup("random").digest




def test_the_newest_panels_games_are_those_of_this_version() -> None:
    """Game by game, the first round of neighbours and others, with equal decks: 222 games.

    Each agent meets two to four; `first_round(NEWEST)` plays all 1,386.

    If it fails, an agent, a deck or a rule plays otherwise than when the table was made. If that
    is meant, a panel of another name is due; see tests/support/make_panel.py.
    """
    stored, now = pd.read_csv(first_round_of(NEWEST)), first_round(NEWEST, [1, 6])
    both = now.merge(stored, on=["a", "b"], suffixes=("", "_stored"))
    assert len(both) == len(now) == 37
    others = both[both["games"] != both["games_stored"]]
    assert others[["a", "b"]].to_numpy().tolist() == []


@pytest.mark.parametrize("name", panels())
def test_a_shipped_table_is_whole_and_of_these_agents_and_decks(name: str) -> None:
    panel = Panel.read(name)
    n, plan = len(panel.plan.agents), panel.plan
    assert plan.games % 18 == 0
    assert np.array_equal(panel.counts.sum(axis=2), plan.games // 2 * (1 - np.eye(n)))
    assert np.array_equal(panel.counts, panel.counts.transpose(1, 0, 2)[:, :, ::-1])
    values, spread = rating.bradley_terry(panel.counts)
    low, high = rating.intervals(values, spread)
    shown = pd.read_csv(stored.FOLDER / panel.name / "ratings.csv")
    shown = shown.set_index("agent").loc[plan.agents]
    assert shown[["rating", "low", "high"]].to_numpy() == pytest.approx(
        np.stack([values, low, high], axis=1))
    assert (shown["faults"] == 0).all()


def test_the_settings_that_the_names_stand_for() -> None:
    plan, second, newest = read_plan(), read_plan("panel-2026b"), read_plan(NEWEST)
    assert panels() == [*PANELS]
    assert second == plan.model_copy(update={"agents": second.agents})
    assert [*second.agents] == [
        *plan.agents, "eva:wide:2026",
        "eva:wide-reply:2026?depth=8&nodes=1000&samples=0&hands=4&ends=12"]
    assert newest == second.model_copy(update={"agents": newest.agents, "games": 900})
    assert [*newest.agents] == [
        *second.agents, "eva:wide:nine-2026", "eva:turn?depth=3&nodes=300&samples=0",
        "eva:reply?depth=8&nodes=1000&samples=0&hands=4&ends=12", "rl:2026",
        "rl:2026?search=turn&depth=3&nodes=300&samples=0"]
    assert [name.partition("?")[0] for name in plan.agents] == [
        "random", "noaggression", "greedy:metastone", "greedy:santos", "eva:2018", "eva:group-1",
        "eva:group-2", "eva:group-3", "eva:group-4", "tyche:onestep", "tyche:mc", "dl:heimbrodt",
        "dl:miller", "gsv", "hearthsim"]
    assert (plan.decks, plan.ruleset, plan.information) == (DECKS, "cig2018", "fair")
    assert (plan.games, plan.seed, plan.max_turns) == (1800, 1, 89)


def test_a_quarter_of_the_games_leaves_ratings_and_leads_1_6_times_as_wide() -> None:
    """As the help says; not twice, for the panel's own errors stay. As if eva:2018 played again."""
    panel = Panel.read()
    i = panel.plan.agents.index("eva:2018")
    found = panel.counts[i] + np.array([180, 0, 540, 0, 180]) * (np.arange(15) == i)[:, None]
    wide = []
    for part in (found, found / 4):
        values, spread = rating.place(*panel.ratings(panel.plan.agents), part)
        low, high = rating.intervals(values, spread)
        gap = rating.lead(values, spread, -1, i + 1)
        wide.append(((high - low)[-1], gap.high - gap.low))
    assert np.divide(wide[1], wide[0]) == pytest.approx([1.6, 1.6], abs=0.05)


def test_games_of_a_benchmark_are_none_of_the_table() -> None:
    panel = Panel.read()
    fresh = schedule(panel.lineup("mcts:vanilla", 180))["seed"]
    assert not np.isin(fresh, schedule(Lineup.of(panel.plan))["seed"]).any()


def test_one_of_the_panel_is_placed_where_its_own_games_placed_it() -> None:
    panel = Panel.read()
    with open_workers(Workers(backend="threads", count=2)) as executor:
        record = Arena(panel.lineup("eva:2018", 36)).play(executor)
    assert "eva:2018" not in record.lineup.plan.against
    row = standing(panel, record).set_index("agent").loc["eva:2018"]
    values, spread = panel.ratings(["eva:2018"])
    apart = row["rating"] - values[0]
    error = np.hypot((row["high"] - row["low"]) / 2 / rating.Z, spread[0, 0] ** 0.5)
    assert abs(apart) < 4 * error
    assert error < 40


# --- where an agent stands, on the stand-in for the engine


@pytest.fixture
def small(fake_engine: None, here: Path, monkeypatch: pytest.MonkeyPatch) -> Panel:
    """Stand in a folder with five agents, the first four of which are the panel."""
    weights = np.zeros((5, 21))
    weights[:, 0] = [0, 0.25, 0.5, 1, 0.7]
    write_weights(here / "five.csv", [f"x{i}" for i in range(5)], weights)
    with open_workers(Workers(backend="serial")) as executor:
        arena = Arena(Lineup.of(ContestPlan(
            agents=[f"eva:five.csv#x{i}" for i in range(4)], against=[], decks=DECKS, games=180)),
            here / "panels" / "panel-2026").play(executor)
    monkeypatch.setattr(stored, "FOLDER", here / "panels")
    for path in arena.path.iterdir():
        if path.name not in FILES:
            path.unlink()
    return Panel.read()


NEW = "eva:five.csv#x4"


class TestStanding:
    def test_it_is_placed_among_the_panel_with_all_it_won(self, small: Panel) -> None:
        with open_workers(Workers(backend="serial")) as executor:
            record = Arena(small.lineup(NEW)).play(executor)
        table = standing(small, record)
        assert table["agent"].tolist() == [f"eva:five.csv#x{i}" for i in (3, 4, 2, 1, 0)]
        rows = table.set_index("agent")
        values, spread = rating.bradley_terry(small.counts)
        assert rows.loc[small.plan.agents, "rating"].to_numpy() == pytest.approx(values)
        placed = rating.place(values, spread, record.counts[0, 1:])[0][-1]
        assert rows.loc[NEW, "rating"] == pytest.approx(placed)
        others = rows.drop(index=NEW)
        assert others["lead"].to_numpy() == pytest.approx((placed - others["rating"]).to_numpy())
        for name in ("games", "wins", "draws", "losses"):
            assert others[name].sum() == rows.loc[NEW, name]
        assert rows.loc[NEW, "games"] == 720
        assert rows.loc[NEW, "rate"] == pytest.approx(others["rate"].mean())
        assert rows.loc[NEW, ["lead", "elo"]].isna().all()

    def test_decks_add_up_to_what_was_won(self, small: Panel) -> None:
        with open_workers(Workers(backend="serial")) as executor:
            record = Arena(small.lineup(NEW)).play(executor)
        each, all_ = by_deck(record), by_deck(record, ["deck"])
        rows = standing(small, record).set_index("agent")
        assert each.groupby("opponent")["wins"].sum().to_dict() == rows["wins"].drop(NEW).to_dict()
        assert all_["deck"].tolist() == DECKS
        assert all_["games"].tolist() == [240] * 3
        assert each.groupby("deck")["wins"].sum()[DECKS].tolist() == all_["wins"].tolist()
        assert all_["rate"].tolist() == pytest.approx(all_["wins"] / 240 + all_["draws"] / 480)

    def test_a_place_is_as_sure_as_the_leads_are(self) -> None:
        table = pd.DataFrame({
            "agent": list("abcde"), "lead_low": [-90, -20, np.nan, -1, 5],
            "lead_high": [-50, 3, np.nan, 30, 60]})
        assert places(table, "c") == (3, 2, 4)

    def test_a_folder_of_another_arena_or_panel_is_refused(self, small: Panel, here: Path) -> None:
        begin(Arena(Lineup.of(small.plan), here / "other"))
        result = hsevo("benchmark", "--resume", "other")
        assert result.exit_code == 2
        assert "other is not a benchmark against a panel, but another arena" in result.stderr

    def test_other_agents_of_the_same_name_are_noticed(self, small: Panel, here: Path) -> None:
        weights = np.zeros((5, 21))
        weights[:, 0] = [0, 0.25, 0.5, 0.99, 0.7]
        write_weights(here / "five.csv", [f"x{i}" for i in range(5)], weights)
        with pytest.raises(RunError, match="the agents or decks of panel-2026 differ here"):
            Panel.read()


class TestCommand:
    def test_the_page(self, small: Panel) -> None:
        result = hsevo("benchmark", NEW, "--games", 180)
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        assert lines[0] == (f"{NEW} against panel-2026: 720 games in 360 pairs, warrior, shaman,"
                            " mage, cig2018, fair")
        assert re.fullmatch(r"  place 2 of 5 \(2 to \d\); rating \+\d+ Elo \([+-]\d+ to \+\d+\);"
                            r" rate [\d.]+ % \([\d.]+ to [\d.]+\)", lines[1])
        assert lines[3].split()[:3] == ["place", "agent", "rating"]
        assert [line.split()[1] for line in lines[4:9]] == [
            "eva:five.csv#x3", "(this", "eva:five.csv#x2", "eva:five.csv#x1", "eva:five.csv#x0"]
        assert lines[10].startswith("with each deck; these intervals are of single games")
        assert [line.split()[0] for line in lines[11:]] == [
            "rate", "all", *(f"eva:five.csv#x{i}" for i in (3, 2, 1, 0))]
        rates = by_deck_of(small)
        cells = [word for word in lines[12].split() if "." in word]
        assert cells[::3] == [f"{100 * rate:.1f}" for rate in rates]

    def test_its_own_double_is_left_out(self, small: Panel, here: Path) -> None:
        shutil.copy(here / "five.csv", here / "copy.csv")
        result = hsevo("benchmark", "eva:copy.csv#x1", "--games", 36)
        assert "it is itself in the panel" in result.stdout
        assert "108 games" in result.stdout
        assert "eva:five.csv#x1" not in result.stdout

    def test_a_folder_has_the_same(self, small: Panel, here: Path) -> None:
        words = ("benchmark", NEW, "--games", 36)
        whole = hsevo(*words, "--out", "whole").stdout
        assert whole == hsevo(*words).stdout == hsevo("benchmark", "--resume", "whole").stdout
        assert pd.read_csv(here / "whole" / "benchmark.csv")["agent"].tolist()[1] == NEW
        assert pd.read_csv(here / "whole" / "decks.csv")["games"].sum() == 144

    def test_another_panel_is_named_and_found_again(self, small: Panel, here: Path) -> None:
        with open_workers(Workers(backend="serial")) as executor:
            changes = {"agents": small.plan.agents[1:], "seed": 7}
            Arena(Lineup.of(ContestPlan(**small.plan.model_dump() | changes)),
                  here / "panels" / "panel-2027").play(executor)
        words = ("benchmark", NEW, "--games", 36, "--panel", "panel-2027", "--out", "mine")
        result = hsevo(*words)
        assert result.stdout.startswith(f"{NEW} against panel-2027: 108 games")
        assert hsevo("benchmark", "--resume", "mine").stdout == result.stdout

    def test_one_that_is_stopped_says_how_to_go_on_if_it_can(
            self, small: Panel, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def stopped(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("hsevo.play.match.play_block", stopped)
        words = ("benchmark", NEW, "--backend", "serial")
        lost, kept = hsevo(*words), hsevo(*words, "--out", "mine")
        assert (lost.exit_code, kept.exit_code) == (130, 130)
        assert lost.stderr.endswith(
            "hsevo: stopped; its games are lost (with --out DIR it could be resumed)\n")
        assert kept.stderr.endswith("hsevo: stopped\n")  # before its first games
        assert not (here / "mine").exists()

    def test_it_says_which_decks_a_learned_agent_has_not_learned(
            self, small: Panel, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hsevo.cli.arena._unlearned", lambda spec, decks: (
            f"learned others than {len(decks)} decks" if spec == NEW else ""))
        shown = hsevo("benchmark", NEW, "--games", 18).stdout
        assert shown.splitlines()[-1] == f"{NEW} learned others than 3 decks"

    def test_one_that_cannot_be_written_is_printed(
            self, small: Panel, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        words = ("benchmark", NEW, "--games", 36)
        whole = hsevo(*words).stdout
        full_disk(monkeypatch, "benchmark.csv")
        full = hsevo(*words, "--out", "mine")
        assert (full.exit_code, full.stdout) == (2, whole)
        assert full.stderr.splitlines()[-1] == (
            "hsevo: cannot write mine/benchmark.csv: No space left on device; continue with: hsevo"
            " benchmark --resume mine")

    def test_a_runs_best_is_named_by_more_games_first(self, small: Panel, here: Path) -> None:
        hsevo("evolve", "--config", "smoke", "--backend", "serial", "--out", "mine")
        said = hsevo("export-best", "mine", "--games-per-pair", 50).stderr
        best = said.partition("best: ")[2].partition(",")[0]
        result = hsevo("benchmark", "mine", "--games", 36, "--games-best", 50)
        assert result.exit_code == 0, result.output
        assert f"the last population played again; best: {best}, " in result.stderr
        assert result.stdout.startswith(f"eva:mine#{best} against panel-2026: 144 games")

    def test_a_full_folder_is_refused_before_the_last_population_plays(
            self, small: Panel, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        hsevo("evolve", "--config", "smoke", "--backend", "serial", "--out", "mine")
        monkeypatch.setattr("hsevo.strength.champions.find_best",
                            lambda *_: pytest.fail("it played"))
        result = hsevo("benchmark", "mine", "--out", "panels")
        assert result.exit_code == 2
        assert "panels already exists and is not empty" in result.stderr

    def test_a_folder_called_like_an_agent_hides_it_not(self, small: Panel, here: Path) -> None:
        (here / "random").mkdir()
        result = hsevo("benchmark", "random", "--games", 18)
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith("random against panel-2026: ")

    @pytest.mark.parametrize(("words", "said"), [
        ((), "name a RUN or an AGENT"),
        (("rondom",), "unknown agent 'rondom'; did you mean 'random'?"),
        (("random", "--games", 0), "games is 0, but must be at least 1"),
        (("panels", "--games", 0), "games is 0, but must be at least 1"),
        (("random", "--panel", "panel-2025"),
         "there is no panel 'panel-2025'; did you mean 'panel-2026'?; there are panel-2026"),
        (("panels",), "panels is not a run folder of hsevo"),
        (("random", "--out", "panels"), "panels already exists and is not empty"),
        (("random", "--resume", "x"), "--resume can't be combined with other settings"),
        (("--games", 0, "--resume", "x"), "--resume can't be combined with other settings"),
        (("--resume", "x"), "x is not a benchmark of hsevo"),
        (("random", "--workers", 0), "'--workers': 0 is not in the range"),
    ])
    def test_a_mistake_is_said_in_a_line_and_leaves_nothing(
            self, words: tuple[object, ...], said: str, small: Panel, here: Path) -> None:
        result = hsevo("benchmark", *words)
        assert result.exit_code == 2, result.output
        assert said in result.stderr
        assert sorted(path.name for path in here.iterdir()) == ["five.csv", "panels"]

    def test_help_teaches_with_examples(self) -> None:
        assert "hsevo benchmark runs/mine" in hsevo("benchmark", "--help").stdout


def by_deck_of(panel: Panel) -> list[float]:
    """Return the rates of NEW with each deck against all, counted from its games one by one."""
    with open_workers(Workers(backend="serial")) as executor:
        record = Arena(panel.lineup(NEW, 180)).play(executor)
    rows, found = record.rows, record.results
    rates = []
    for deck in range(3):
        first = (rows["a"] == 0) & (rows["deck_a"] == deck)
        second = (rows["b"] == 0) & (rows["deck_b"] == deck)
        points = (found["wins_a"][first].sum() + found["wins_b"][second].sum()
                  + found["draws"][first | second].sum() / 2)
        rates.append(points / (first.sum() + second.sum()))
    return rates
