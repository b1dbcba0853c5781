"""The frozen panel: its shipped games are those of this hsevo; where an agent stands in it."""

import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import hsevo as public
from hsevo.agents.genomes.weights import write_weights
from hsevo.config import Workers
from hsevo.errors import ConfigError, RunError
from hsevo.generated import PANELS
from hsevo.play.match import RESULT
from hsevo.play.workers import open_workers
from hsevo.strength import panel as stored
from hsevo.strength import rating
from hsevo.strength.contest import Arena
from hsevo.strength.lineup import ContestPlan, Lineup, schedule
from hsevo.strength.panel import (
    NEWEST,
    Panel,
    by_deck,
    by_split,
    panels,
    places,
    read_plan,
    standing,
)
from tests.support import ROOT
from tests.support.command import hsevo
from tests.support.disk import full_disk
from tests.support.folders import begin
from tests.support.make_panel import FILES, first_round, first_round_of

DECKS = ["warrior", "shaman", "mage"]


# --- what is shipped


def test_own_decks_of_the_same_names_are_not_its_decks(here: Path) -> None:
    whole = Panel.read("panel-2026")
    (here / "decks").mkdir()
    shutil.copy(ROOT / "decks" / "zoo-discard-warlock.txt", here / "decks" / "mage.txt")
    panel = Panel.read("panel-2026")
    assert panel.decks == whole.decks
    assert panel.lineup("random").digest == whole.lineup("random").digest




@pytest.mark.slow
def test_the_newest_panels_games_are_those_of_this_version() -> None:
    """Game by game, the first round of every two, with equal decks: 1,386 games.

    If it fails, an agent, a deck or a rule plays otherwise than when the table was made. If that
    is meant, a panel of another name is due; see tests/support/make_panel.py.
    """
    kept, now = pd.read_csv(first_round_of(NEWEST)), first_round(NEWEST)
    assert kept[["a", "b"]].equals(now[["a", "b"]])
    others = kept[kept["games"] != now["games"]]
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
    plan, second, newest = read_plan("panel-2026"), read_plan("panel-2026b"), read_plan(NEWEST)
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


def test_the_protocol_has_seen_and_held_out_decks() -> None:
    """Its held-out lists are of groups that no learner here trains on, and of the same classes."""
    panel = Panel.read("protocol-1")
    assert [deck.name for deck in panel.decks[:3]] == DECKS
    assert panel.held_out == tuple(deck.name for deck in panel.decks[3:])
    assert [deck.hero for deck in panel.decks[3:]] == [deck.hero for deck in panel.decks[:3]]
    assert [name.partition("&")[0] for name in panel.plan.agents] == [
        "random", "eva:2018", "rl:2026", "rl:2026?search=turn"]
    assert Panel.read("panel-2026").held_out == ()
    with pytest.raises(ConfigError, match="has a deck of its own, but protocol-1 measures"):
        panel.lineup("eva:2018@mage-21")


def test_a_split_counts_the_pairs_whose_decks_are_held_out() -> None:
    """Of 4 pairs against one opponent: seen 2 of 2, mixed 1 and 0.5 of 2, held out 0 of 2."""
    panel = Panel.read("protocol-1")
    lineup = panel.lineup("noaggression", games=72)
    decks = [(0, 1), (2, 3), (4, 0), (3, 5)]
    rows = schedule(lineup)[:8]
    rows["a"], rows["b"] = np.tile([(0, 1), (1, 0)], (4, 1)).T
    rows["deck_a"], rows["deck_b"] = np.repeat(decks, 2, axis=0).T
    results = np.zeros(8, RESULT)
    own = np.array([2, 2, 2, 0, 1, 0, 0, 0])  # half points, of the first agent
    first = rows["a"] == 0
    results["wins_a"] = np.where(first, own == 2, own == 0)
    results["wins_b"] = np.where(first, own == 0, own == 2)
    results["draws"] = own == 1
    table = by_split(panel, SimpleNamespace(lineup=lineup, rows=rows, results=results))
    met = table[table["opponent"] == lineup.names[1]]
    assert met["split"].tolist() == ["seen", "mixed", "held-out"]
    assert met["games"].tolist() == [2, 4, 2]
    assert met["rate"].tolist() == [1, 0.375, 0]
    assert table["games"].sum() == 8


def test_a_quarter_of_the_games_leaves_ratings_and_leads_1_6_times_as_wide() -> None:
    """As the help says; not twice, for the panel's own errors stay. As if eva:2018 played again."""
    panel = Panel.read("panel-2026")
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
    panel = Panel.read("panel-2026")
    fresh = schedule(panel.lineup("mcts:vanilla", 180))["seed"]
    assert not np.isin(fresh, schedule(Lineup.of(panel.plan))["seed"]).any()


def test_one_of_the_panel_is_placed_where_its_own_games_placed_it() -> None:
    panel = Panel.read("panel-2026")
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
    return Panel.read("panel-2026")


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
        assert "other is an arena, not a benchmark against a panel" in result.stderr

    def test_other_agents_of_the_same_name_are_noticed(self, small: Panel, here: Path) -> None:
        weights = np.zeros((5, 21))
        weights[:, 0] = [0, 0.25, 0.5, 0.99, 0.7]
        write_weights(here / "five.csv", [f"x{i}" for i in range(5)], weights)
        with pytest.raises(RunError, match="the agents or decks of panel-2026 differ here"):
            Panel.read("panel-2026")


def test_the_newest_panel_is_the_default_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def refuse(name: str) -> None:
        seen.append(name)
        raise RunError("seen")

    monkeypatch.setattr(Panel, "read", refuse)
    for call in (lambda: public.benchmark("random"), lambda: public.frontier(),
                 lambda: public.leaderboard()):
        with pytest.raises(RunError, match="seen"):
            call()
    assert hsevo("benchmark", "random").exit_code == 2
    assert hsevo("benchmark", "--frontier").exit_code == 2
    assert seen == 5 * [NEWEST] == 5 * ["panel-2026c"]


class TestCommand:
    def test_the_page(self, small: Panel) -> None:
        result = hsevo("benchmark", "--panel", "panel-2026", NEW, "--games", 180)
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        assert lines[0] == (f"{NEW} against panel-2026: 720 games in 360 pairs, warrior, shaman,"
                            " mage, cig2018, fair")
        assert re.fullmatch(r"  place 2 of 5 \(2 to \d\); rating \+\d+ Elo \([+-]\d+ to \+\d+\);"
                            r" rate [\d.]+ % \([\d.]+ to [\d.]+\)", lines[1])
        assert lines[3].split()[:3] == ["place", "agent", "rating"]
        assert [line.split()[1] for line in lines[4:9]] == [
            "eva:five.csv#x3", "(this", "eva:five.csv#x2", "eva:five.csv#x1", "eva:five.csv#x0"]
        assert lines[10].startswith("with each deck; these intervals count single games")
        assert [line.split()[0] for line in lines[11:]] == [
            "rate", "all", *(f"eva:five.csv#x{i}" for i in (3, 2, 1, 0))]
        rates = by_deck_of(small)
        cells = [word for word in lines[12].split() if "." in word]
        assert cells[::3] == [f"{100 * rate:.1f}" for rate in rates]

    def test_the_protocol_prints_and_writes_its_splits(self, here: Path) -> None:
        result = hsevo("benchmark", "noaggression", "--panel", "protocol-1", "--games", 72,
                       "--out", "mine")
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        at = lines.index("with seen and with held-out decks; these intervals count pairs of games")
        assert lines[at + 1].split()[:3] == ["opponent", "decks", "games"]
        assert [line.split()[:3] for line in lines[at + 2:at + 5]] == [
            ["random", "seen", "18"], ["random", "mixed", "36"], ["random", "held-out", "18"]]
        table = pd.read_csv(here / "mine" / "splits.csv")
        assert table["games"].tolist() == [18, 36, 18] * 4
        opened = public.benchmark("noaggression", 72, panel="protocol-1")
        pd.testing.assert_frame_equal(opened.splits, table)

    def test_its_own_double_is_left_out(self, small: Panel, here: Path) -> None:
        shutil.copy(here / "five.csv", here / "copy.csv")
        result = hsevo("benchmark", "--panel", "panel-2026", "eva:copy.csv#x1", "--games", 36)
        assert "it is in the panel itself" in result.stdout
        assert "108 games" in result.stdout
        assert "eva:five.csv#x1" not in result.stdout

    def test_a_folder_has_the_same(self, small: Panel, here: Path) -> None:
        words = ("benchmark", "--panel", "panel-2026", NEW, "--games", 36)
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
        words = ("benchmark", "--panel", "panel-2026", NEW, "--backend", "serial")
        lost, kept = hsevo(*words), hsevo(*words, "--out", "mine")
        assert (lost.exit_code, kept.exit_code) == (130, 130)
        assert lost.stderr.endswith(
            "hsevo: stopped; its games are lost (with --out DIR, you can resume it)\n")
        assert kept.stderr.endswith("hsevo: stopped\n")  # before its first games
        assert not (here / "mine").exists()

    def test_it_says_which_decks_a_learned_agent_has_not_learned(
            self, small: Panel, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hsevo.cli.arena._unlearned", lambda spec, decks: (
            f"learned others than {len(decks)} decks" if spec == NEW else ""))
        shown = hsevo("benchmark", "--panel", "panel-2026", NEW, "--games", 18).stdout
        assert shown.splitlines()[-1] == f"{NEW} learned others than 3 decks"

    def test_one_that_cannot_be_written_is_printed(
            self, small: Panel, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        words = ("benchmark", "--panel", "panel-2026", NEW, "--games", 36)
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
        result = hsevo("benchmark", "--panel", "panel-2026", "mine", "--games", 36,
                       "--games-best", 50)
        assert result.exit_code == 0, result.output
        assert f"new games of the last population; best: {best}, " in result.stderr
        assert result.stdout.startswith(f"eva:mine#{best} against panel-2026: 144 games")

    def test_a_full_folder_is_refused_before_the_last_population_plays(
            self, small: Panel, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        hsevo("evolve", "--config", "smoke", "--backend", "serial", "--out", "mine")
        monkeypatch.setattr("hsevo.strength.champions.find_best",
                            lambda *_: pytest.fail("it played"))
        result = hsevo("benchmark", "--panel", "panel-2026", "mine", "--out", "panels")
        assert result.exit_code == 2
        assert "panels already exists and is not empty" in result.stderr

    def test_a_folder_called_like_an_agent_hides_it_not(self, small: Panel, here: Path) -> None:
        (here / "random").mkdir()
        result = hsevo("benchmark", "--panel", "panel-2026", "random", "--games", 18)
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith("random against panel-2026: ")

    @pytest.mark.parametrize(("words", "said"), [
        ((), "name a RUN or an AGENT"),
        (("rondom", "--panel", "panel-2026"), "unknown agent 'rondom'; did you mean 'random'?"),
        (("random", "--panel", "panel-2026", "--games", 0), "games is 0, but must be at least 1"),
        (("panels", "--panel", "panel-2026", "--games", 0), "games is 0, but must be at least 1"),
        (("random", "--panel", "panel-2025"),
         "there is no panel 'panel-2025'; did you mean 'panel-2026'?; there are panel-2026"),
        (("panels", "--panel", "panel-2026"), "panels is not a run folder of hsevo"),
        (("random", "--panel", "panel-2026", "--out", "panels"),
         "panels already exists and is not empty"),
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
