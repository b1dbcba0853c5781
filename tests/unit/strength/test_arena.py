"""Matches and arenas of pairs: mirrored games, fair schedules, folders that go on to the bit."""

import json
import os
import re
import signal
import time
from collections import Counter
from io import StringIO
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from hsevo.agents.genomes.weights import write_weights
from hsevo.cli.arena import Board, _faults, _mixture
from hsevo.config import Workers
from hsevo.errors import AgentError, ConfigError, GameError, RunError
from hsevo.experiments.progress import Meter
from hsevo.play import match
from hsevo.play.workers import Executor, open_workers
from hsevo.store import journal
from hsevo.strength import contest, rating
from hsevo.strength import lineup as lineups
from hsevo.strength.contest import Arena
from hsevo.strength.lineup import (
    ContestPlan,
    Lineup,
    looks,
    pentanomials,
    play,
    schedule,
)
from hsevo.strength.matches import Match
from hsevo.strength.rating import Sprt
from tests.support import ROOT, apart, fake
from tests.support.command import hsevo
from tests.support.folders import begin

TABLES = ("games.csv", "ratings.csv", "pairs.csv", "deck_pairs.csv", "deck_crosstab.csv")
DECKS = ["warrior", "shaman", "mage"]


def weak_to_strong(path: Path, n: int = 4) -> list[str]:
    """Write n agents, each better than the one before for the stand-in; return their specs."""
    weights = np.zeros((n, 21))
    weights[:, 0] = np.linspace(0, 1, n)
    write_weights(path, [f"x{i}" for i in range(n)], weights)
    return [f"eva:{path.name}#x{i}" for i in range(n)]


def plan(agents: list[str], **changes: object) -> ContestPlan:
    return ContestPlan(**{"agents": agents, "against": [], "decks": DECKS, "games": 36} | changes)


@pytest.fixture
def four(here: Path) -> list[str]:
    """Stand in an empty folder with four agents."""
    return weak_to_strong(here / "four.csv")


@pytest.fixture
def serial() -> Executor:
    with open_workers(Workers(backend="serial")) as executor:
        yield executor


def played(serial: Executor, lineup: Lineup) -> Arena:
    return Arena(lineup).play(serial)


# --- mirrored games, on the engine itself


def doubles(here: Path) -> Lineup:
    """Return two agents that differ in their names alone."""
    write_weights(here / "two.csv", ["x", "y"], np.random.default_rng(3).random((1, 21))[[0, 0]])
    return Lineup.of(plan(["eva:two.csv#x", "eva:two.csv#y"], games=36))


def test_both_games_of_a_pair_begin_with_the_same_cards_and_player(here: Path) -> None:
    lineup = doubles(here)
    table = match.Table(lineup.players, lineup.setting)
    firsts = Counter()
    for one, other in schedule(lineup).reshape(-1, 2):
        table.deal(one, 0)
        begun = table.game.tobytes()
        table.deal(other, 0)
        assert table.game.tobytes() == begun
        assert (one["a"], one["b"]) == (other["b"], other["a"])
        firsts[int(table.game.first)] += 1
    assert min(firsts.values()) >= 3  # and who begins is drawn, 18 times here


def test_an_agent_scores_one_of_two_against_its_double_in_every_pair(here: Path,
                                                                     serial: Executor) -> None:
    record = played(serial, doubles(here))
    assert np.array_equal(record.results[::2], record.results[1::2])  # seat by seat the same game
    assert record.counts[0, 1].tolist() == [0, 0, 18, 0, 0]
    assert record.results["simulated"].sum() > 1000


def test_a_match_against_random_is_not_close(here: Path) -> None:
    lineup = Lineup.of(plan(["eva:2018", "random"], games=200))
    with open_workers(Workers(backend="threads", count=2)) as executor:
        record = Arena(lineup).play(executor)
    assert rating.rate(record.counts[0, 1]).low > 0.9
    assert record.counts[0, 1].sum() * 2 == 216  # whole rounds of 18 games
    assert record.results["faults"].sum() == 0


# --- schedules


@pytest.mark.usefixtures("fake_engine")
class TestSchedule:
    def test_a_round_is_every_meeting_with_every_ordered_deck_pair(self, four: list[str]) -> None:
        rows = schedule(Lineup.of(plan(four, games=36)))
        pairs = [tuple(int(x) for x in row)[:4] for row in rows[::2]]
        once = [(a, b, *decks) for (a, b), decks in product(
            combinations(range(4), 2), product(range(3), repeat=2))]
        assert pairs == once * 2
        assert (rows["games"] == 1).all()

    def test_a_pair_is_a_seed_of_its_own_and_swapped_agents(self, four: list[str]) -> None:
        rows = schedule(Lineup.of(plan(four, games=180)))
        one, other = rows[::2], rows[1::2]
        for name in ("seed", "deck_a", "deck_b"):
            assert np.array_equal(one[name], other[name])
        assert np.array_equal(one["a"], other["b"])
        assert np.array_equal(one["b"], other["a"])
        assert len(np.unique(one["seed"])) == len(one) == 10 * 9 * 6
        again = schedule(Lineup.of(plan(four, games=180, seed=2)))
        assert not np.isin(again["seed"], rows["seed"]).any()

    def test_more_games_begin_as_fewer_do(self, four: list[str]) -> None:
        few, many = (schedule(Lineup.of(plan(four, games=n))) for n in (19, 90))
        assert len(few) == 6 * 36
        assert np.array_equal(many[:len(few)], few)

    def test_in_a_gauntlet_each_meets_the_others_alone(self, four: list[str]) -> None:
        lineup = Lineup.of(plan(four[:3], against=[four[3], "random"]))
        assert lineup.meetings == [(0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 4)]

    def test_a_meeting_of_one_is_none(self, four: list[str]) -> None:
        with pytest.raises(AgentError, match="random needs an opponent"):
            Lineup.of(plan(["random"]))
        with pytest.raises(AgentError, match="'random' is given twice"):
            Lineup.of(plan(["random"], against=["random"]))

    def test_more_games_than_memory_holds_are_refused(self, here: Path) -> None:
        seven = weak_to_strong(here / "seven.csv", 7)  # 21 meetings of 55,556 rounds of 18 games
        with pytest.raises(ConfigError, match="21,000,168 games would take 11 GiB of memory"):
            Lineup.of(plan(seven, games=1_000_000))

    def test_decks_of_one_name_are_refused(self, four: list[str], here: Path) -> None:
        (here / "mage.txt").write_text("name: shaman\nclass: Mage\nsize: 15\n"
                                       + "2x Frostbolt\n2x Fireball\n2x Flamestrike\n2x Polymorph\n"
                                       + "2x Mirror Image\n2x Arcane Missiles\n2x Frost Nova\n"
                                       + "Pyroblast\n")
        with pytest.raises(ConfigError, match="two decks are called 'shaman'"):
            Lineup.of(plan(four))


# --- playing


@pytest.mark.usefixtures("fake_engine")
class TestPlay:
    @pytest.mark.parametrize("block", [1, 5000, 10**9])
    @pytest.mark.parametrize("backend", ["serial", "threads"])
    def test_neither_blocks_nor_workers_change_a_result(self, four: list[str], block: int,
                                                        backend: str, serial: Executor) -> None:
        lineup = Lineup.of(plan(four))
        whole = played(serial, lineup)
        with open_workers(Workers(backend=backend, count=3)) as executor:
            parts = list(play(executor, whole.schedule, lineup.players, lineup.setting, block))
        assert np.array_equal(np.concatenate([part.rows for part in parts]), whole.schedule)
        assert np.array_equal(np.concatenate([part.results for part in parts]), whole.results)

    def test_blocks_are_about_as_much_work_and_whole_pairs(self, four: list[str],
                                                           serial: Executor) -> None:
        """A game of the stand-in is 70 decisions and 450 simulated actions."""
        lineup = Lineup.of(plan(four[:2], games=900))
        blocks = [len(block.rows) for block in play(serial, schedule(lineup), lineup.players,
                                                lineup.setting, 520 * 100)]
        assert blocks[0] == 2  # nothing is known yet
        assert blocks[1:] == [100] * 8 + [98]
        slow = [len(block.rows) for block in play(serial, schedule(lineup), lineup.players,
                                              lineup.setting, 300)]
        assert set(slow) == {2}

    def test_pairs_by_hand(self) -> None:
        rows = np.zeros(10, match.PAIRING)
        rows["a"], rows["b"] = [0, 1] * 4 + [2, 0], [1, 0] * 4 + [0, 2]
        results = np.zeros(10, match.RESULT)
        #                     2 : 0 |   1   |  1/2  | fault |  3/2
        results["wins_a"] = [1, 0,   1, 1,   0, 0,   1, 0,   1, 0]
        results["wins_b"] = [0, 1,   0, 0,   1, 0,   0, 0,   0, 0]
        results["draws"] = [0, 0,    0, 0,   0, 1,   0, 0,   0, 1]
        results["faults"] = [0, 0,   0, 0,   0, 0,   0, 1,   0, 0]
        found = pentanomials(rows, results, 3)
        assert found[0, 1].tolist() == [0, 1, 1, 0, 1]
        assert found[1, 0].tolist() == [1, 0, 1, 1, 0]
        assert found[2, 0].tolist() == [0, 0, 0, 1, 0]
        assert found.sum() == 8

    def test_a_refused_game_is_counted_and_its_pair_is_not(
            self, four: list[str], serial: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
        lineup = Lineup.of(plan(four[:3]))
        bad = schedule(lineup)["seed"][10]

        def faulty(rows: np.ndarray, agents: np.ndarray, setting: match.Setting) -> np.ndarray:
            results = fake.play_block(rows, agents, setting)
            hit = np.flatnonzero(rows["seed"] == bad)[1:]
            results[hit] = 0
            results["faults"][hit] = 1
            return results

        monkeypatch.setattr(match, "play_block", faulty)
        record = played(serial, lineup)
        assert _faults(record) == ("; faults 1 (games that the engine rejected because of a bug in"
                                   f" hsevo; the first has the seed {bad})")
        pairs = lineups.pairs_table(record).set_index(["agent", "opponent"])
        row = pairs.loc[(four[0], four[1])]
        assert (row["games"], row["faults"]) == (34, 1)
        assert row["wins"] + row["draws"] + row["losses"] == 34
        assert pairs["faults"].sum() == 2  # once from each side
        decks = lineups.deck_pairs_table(record)
        assert decks.query(f"agent == '{four[0]}'")["games"].sum() == 34 + 36

    def test_if_all_games_are_refused_it_is_said(self, four: list[str], serial: Executor,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
        def faulty(rows: np.ndarray, agents: np.ndarray, setting: match.Setting) -> np.ndarray:
            results = np.zeros(len(rows), match.RESULT)
            results["faults"] = 1
            return results

        monkeypatch.setattr(match, "play_block", faulty)
        with pytest.raises(GameError, match="rejected all pairs of games of eva:four"):
            Arena(Lineup.of(plan(four[:2]))).play(serial)


@pytest.mark.usefixtures("fake_engine")
class TestSprt:
    def test_looks_are_whole_rounds_that_grow(self, four: list[str]) -> None:
        seen = list(looks(Lineup.of(plan(four[:2], games=100_000))))
        assert seen[:3] == [12, 24, 36]  # 108 pairs at least
        assert seen[-1] == 5556  # of 18 games
        steps = np.diff(seen)[:-1]
        assert (steps >= 12).all()
        assert (steps <= np.maximum(12, np.array(seen[:-2]) / 20)).all()

    def test_one_that_was_stopped_looks_after_the_same_games(
            self, four: list[str], here: Path, serial: Executor) -> None:
        """In the middle between two looks: never at more games than there were at a look."""
        lineup, pairs = Lineup.of(plan(four[:2], games=600)), list[int]()

        class Undecided(Sprt):
            def verdict(self, counts: np.ndarray) -> None:
                pairs.append(int(counts.sum()))

        def stop(games: int) -> None:
            if len(pairs) == 2:
                raise KeyboardInterrupt

        test = Undecided(0, 10)
        with pytest.raises(KeyboardInterrupt):
            Match(lineup, here / "mine", test).play(serial, stop)
        seen, again = [*pairs], Match.open(here / "mine")
        assert 2 * pairs[-1] < again.done < again.total
        pairs.clear()
        Match(lineup, here / "mine", test).play(serial)
        assert seen + pairs == [9 * rounds for rounds in looks(lineup)]

    @pytest.mark.parametrize("backend", ["serial", "threads"])
    def test_it_stops_when_sure_and_the_same_with_all_workers(self, four: list[str],
                                                              backend: str) -> None:
        lineup, sprt = Lineup.of(plan([four[1], four[0]], games=20_000)), Sprt(0, 5)
        with open_workers(Workers(backend=backend, count=3)) as executor:
            record = Match(lineup, sprt=sprt).play(executor)
        assert sprt.verdict(record.counts[0, 1]) == "H1"
        stops = [18 * k for k in looks(lineup)]
        look = stops.index(record.done)
        assert 0 < look < len(stops) - 1
        before = stops[look - 1]  # it was not sure one look earlier
        counts = pentanomials(record.rows[:before], record.results[:before], 2)[0, 1]
        assert sprt.verdict(counts) is None


# --- tables


@pytest.mark.usefixtures("fake_engine")
class TestTables:
    def test_each_pair_is_shown_from_both_sides(self, four: list[str], serial: Executor) -> None:
        record = played(serial, Lineup.of(plan(four, games=180)))
        pairs = lineups.pairs_table(record)
        assert len(pairs) == 12
        both = pairs.merge(pairs, left_on=["agent", "opponent"], right_on=["opponent", "agent"])
        assert both["rate_x"].to_numpy() == pytest.approx(1 - both["rate_y"])
        assert both["elo_low_x"].to_numpy() == pytest.approx(-both["elo_high_y"])
        assert both["pairs_1.5_x"].equals(both["pairs_0.5_y"])
        points = pairs["wins"] + pairs["draws"] / 2
        assert (points / pairs["games"]).to_numpy() == pytest.approx(pairs["rate"])

    def test_tables_re_add(self, four: list[str], serial: Executor) -> None:
        record = played(serial, Lineup.of(plan(four, games=180)))
        pairs, decks = lineups.pairs_table(record), lineups.deck_pairs_table(record)
        ratings = lineups.ratings_table(pairs, record.counts, four)
        for column in ("games", "wins", "draws", "losses"):
            sums = [table.groupby("agent")[column].sum() for table in (pairs, decks)]
            assert sums[0].equals(sums[1])
            assert sums[0].loc[ratings["agent"]].tolist() == ratings[column].tolist()
        assert set(decks["games"]) == {20}
        assert len(decks) == 12 * 9

    def test_ratings_rank_the_strong_first_with_intervals(self, four: list[str],
                                                          serial: Executor) -> None:
        """The stand-in's agents are Bradley-Terry ones: their log odds are 1/3 apart."""
        record = played(serial, Lineup.of(plan(four, games=1800)))
        table = record.ratings
        assert table["agent"].tolist() == four[::-1]
        truth = 1 / 3 * rating.ELO * np.array([1.5, 0.5, -0.5, -1.5]) * 0.98  # 2 % draws
        assert ((table["low"] - 10 < truth) & (truth < table["high"] + 10)).all()
        assert table["rating"].sum() == pytest.approx(0)
        assert table["lead"].tolist()[:3] == pytest.approx(-np.diff(table["rating"]))
        assert (table["lead_low"][:3] > 0).all()
        assert table.loc[3, ["lead", "lead_low", "lead_high"]].isna().all()  # nobody is behind
        assert table["nash"].tolist() == pytest.approx([1, 0, 0, 0])

    def test_a_gauntlet_has_no_nash_mixture(self, four: list[str], serial: Executor) -> None:
        record = played(serial, Lineup.of(plan(four[:2], against=four[2:])))
        assert "nash" not in record.ratings

    def test_nobody_stands_anywhere_before_all_have_met(self, four: list[str]) -> None:
        assert not Arena(Lineup.of(plan(four))).complete


# --- the folder


@pytest.mark.usefixtures("fake_engine")
class TestFolder:
    def finished(self, path: Path, agents: list[str], serial: Executor) -> dict[str, bytes]:
        Arena(Lineup.of(plan(agents)), path).play(serial)
        return {name: (path / name).read_bytes() for name in TABLES}

    def test_games_are_tidy(self, four: list[str], here: Path, serial: Executor) -> None:
        self.finished(here / "mine", four, serial)
        games = pd.read_csv(here / "mine" / "games.csv", dtype={"seed": "uint64"})
        assert list(games) == ["pair", "a", "b", "deck_a", "deck_b", "seed", "wins_a", "wins_b",
                               "draws", "faults", "turns", "margin_a", "margin_b", "decisions",
                               "simulated"]
        assert games["pair"].tolist() == sorted(list(range(6 * 18)) * 2)
        assert (games[["wins_a", "wins_b", "draws", "faults"]].sum(axis=1) == 1).all()
        assert games["seed"].to_numpy().tolist() == schedule(
            Lineup.of(plan(four)))["seed"].tolist()

    def test_what_can_not_be_gone_on_with_is_said(self, four: list[str], here: Path,
                                                  serial: Executor,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
        self.finished(here / "mine", four, serial)

        def refuses(words: str) -> None:
            with pytest.raises(RunError, match=words):
                Arena.open(here / "mine").play(serial)

        with pytest.raises(RunError, match="begun with other agents and decks"):  # others meet
            Arena(Lineup.of(plan(four[:2])), here / "mine").play(serial)
        with monkeypatch.context() as patch:
            patch.setattr(contest, "fingerprint", lambda: "another")
            refuses("begun with other engine")
        with Arena.open(here / "mine").held():
            refuses("is in use by another hsevo")
        games = here / "mine" / "games.csv"
        lines = games.read_text().splitlines(keepends=True)
        games.write_text("".join([lines[0], *lines[3:], *lines[1:3]]))
        refuses("games.csv is damaged: its SHA-256 differs from games.sha256")
        journal.write(games, games.read_bytes())
        refuses("games.csv is damaged: its games are not the first games of its plan")
        (here / "mine" / "cast.json").unlink()
        weak_to_strong(here / "four.csv", 5)
        refuses("begun with other agents and decks")

    def test_it_goes_on_from_anywhere_with_what_it_began_with(
            self, four: list[str], here: Path, serial: Executor,
            monkeypatch: pytest.MonkeyPatch) -> None:
        """Elsewhere there are no files of agents and decks, or others of the same name."""
        (here / "own.txt").write_text((ROOT / "decks" / "mage.txt").read_text())
        chosen = plan(four, decks=["own", "warrior"])
        Arena(Lineup.of(chosen), here / "whole").play(serial)
        begin(Arena(Lineup.of(chosen), here / "cut"))
        (here / "elsewhere").mkdir()
        monkeypatch.chdir(here / "elsewhere")
        weak_to_strong(Path("four.csv"), 5)
        assert hsevo("arena", "--resume", here / "cut").exit_code == 0
        for path in (here / "whole").iterdir():
            assert path.read_bytes() == (here / "cut" / path.name).read_bytes()

    @pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
    def test_an_arena_that_was_stopped_ends_with_the_same_bits(
            self, end: signal.Signals, four: list[str], here: Path) -> None:
        child = apart.begin("arena", *four, "--games", 60, "--out", here / "cut", "--workers", 2,
                            said=here / "said", HSEVO_FAKE_SECONDS="0.05")
        games = here / "cut" / "games.csv"
        until = time.monotonic() + 60
        while not games.exists() or games.stat().st_size < 3000:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert child.pid is not None
        os.killpg(child.pid, end)
        child.join()
        said = (here / "said").read_text()
        assert "Traceback" not in said
        if end != signal.SIGKILL:
            assert child.exitcode == 128 + end
            assert said.splitlines()[-1] == (
                f"hsevo: stopped; continue with: hsevo arena --resume {here / 'cut'}")
        assert hsevo("arena", "--resume", "cut").exit_code == 0
        assert hsevo("arena", *four, "--games", 60, "--out", "whole").exit_code == 0
        for name in (*TABLES, "arena.yaml"):
            assert (here / "cut" / name).read_bytes() == (here / "whole" / name).read_bytes()


# --- the command line


@pytest.mark.usefixtures("fake_engine")
class TestCommands:
    def test_a_match_prints_all_that_was_found(self, four: list[str]) -> None:
        result = hsevo("match", four[3], four[0], "--games", 900)
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        assert re.fullmatch(rf"{four[3]} is better than {four[0]}: [\d.]+ % \([\d.]+ to [\d.]+\),"
                            r" sure, as the 95 % interval excludes 50 %", lines[0])
        assert lines[1] == (f"{four[3]} against {four[0]}: 900 games in 450 pairs, 9 deck pairs,"
                            " cig2018, fair")
        assert [line.split()[0] for line in lines[2:]] == ["won", "rate", "Elo", "nElo", "pairs"]
        assert "fault" not in lines[2]
        counts = [int(n) for n in lines[-1].split("points: ")[1].split(", ")]
        assert sum(counts) == 450
        found = rating.rate(np.array(counts))
        assert f"rate  {100 * found.value:.2f} % ({100 * found.low:.2f} to" in lines[3]
        assert f"worse than {four[3]}: " in hsevo("match", four[0], four[3], "--games", 900).stdout

    def test_a_match_that_shows_nothing_says_so(self, four: list[str]) -> None:
        result = hsevo("match", four[0], four[1], "--games", 18)
        assert ", 9 deck pairs, " in result.stdout
        assert ", 1 deck pair, " in hsevo("match", *four[:2], "--games", 2, "--decks",
                                          "mage").stdout
        assert re.match(rf"{four[0]} and {four[1]} can't be told apart: [\d.]+ % \([\d.]+ to"
                        r" [\d.]+\), not sure, as the 95 % interval includes 50 %; more --games may"
                        r" decide\n", result.stdout)

    def test_a_sequential_test_says_what_it_accepts(self, four: list[str]) -> None:
        words = ("match", four[3], four[0], "--sprt")
        first, *_, last = hsevo(*words, 0, 50).stdout.splitlines()
        a, b = four[3], four[0]
        assert first == (f"the test accepts H1: {a} is 50 Elo better than {b} (rather than: {a} and"
                         f" {b} are equally strong)")
        assert "(H0, +0 Elo, is accepted at -2.94; H1, +50 Elo, at +2.94)" in last
        assert hsevo(*words, 500, 600).stdout.startswith(
            f"the test accepts H0: {a} is 500 Elo better than {b} (rather than: {a} is 600 Elo")
        unsure = hsevo(*words, 150, 151, "--games", 18, "--alpha", 0.01).stdout
        assert "at -2.99; H1, +151 Elo, at +4.55)" in unsure
        assert unsure.startswith(f"the test has not decided between H0 ({a} is 150 Elo better than")
        assert "; more --games may decide\n" in unsure

    def test_a_match_is_the_same_with_any_workers(self, four: list[str]) -> None:
        words = ("match", four[1], four[0], "--sprt", 0, 30)
        assert hsevo(*words, "--backend", "serial").stdout == hsevo(*words, "--workers", 3).stdout

    def test_an_arena_ends_with_its_tables(self, four: list[str], here: Path) -> None:
        result = hsevo("arena", *four, "--games", 36, "--out", "mine", "--decks", "mage")
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        assert re.split("  +", lines[0]) == ["agent", "rating", "rating 95 %", "lead", "lead 95 %",
                                             "rate %", "rate 95 %", "games", "faults", "nash %"]
        ratings = pd.read_csv(here / "mine" / "ratings.csv")
        assert [line.split()[0] for line in lines[1:5]] == ratings["agent"].tolist()
        assert lines[5].startswith("216 games: mine/ratings.csv")
        assert hsevo("arena", "--resume", "mine").stdout == result.stdout

    def test_an_arena_without_a_folder_is_the_same_table(self, four: list[str], here: Path) -> None:
        words = ("arena", *four, "--games", 36, "--decks", "mage")
        there = [path.name for path in here.iterdir()]
        shown = hsevo(*words).stdout.splitlines()
        assert [path.name for path in here.iterdir()] == there
        kept = hsevo(*words, "--out", "mine").stdout.splitlines()
        assert shown[:5] == kept[:5]
        assert kept[5].startswith("216 games: mine/")
        assert shown[5] == "216 games"
        assert json.loads(hsevo(*words, "--json").stdout)["path"] is None

    def test_an_arena_without_a_folder_is_lost_when_it_is_stopped(
            self, four: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(match, "play_block", stop)
        stopped = hsevo("arena", *four, "--backend", "serial")
        assert stopped.exit_code == 130
        assert stopped.stderr.splitlines()[-1] == (
            "hsevo: stopped; its games are lost (with --out DIR, you can resume it)")

    def test_a_mixture_of_several_is_said(self, four: list[str]) -> None:
        table = pd.DataFrame({"agent": ["x", "y", "z"], "nash": [0.25, 0.75, 0.0]})
        assert _mixture(table).endswith("no agent beats the mixture of y 75 %, x 25 %")
        assert _mixture(table.assign(nash=[1.0, 0, 0])) == ""

    def test_agents_are_listed_with_what_they_are(self) -> None:
        from hsevo.agents.registry import ROSTER, choices

        text = hsevo("agents").stdout
        shown = {line.split("  ")[0]: line.split("  ")[-1].strip() for line in text.splitlines()}
        for name, entry in ROSTER.items():
            assert shown[name] == entry.says
            for key, option in entry.options.items():
                assert f"?{key}={choices(option)}" in text
        assert "?iterations=60 (from 1 to 4,000)" in text
        assert "?final=max|robust|max-robust|secure" in text

    @pytest.mark.parametrize("command", ["match", "arena", "agents"])
    def test_help_teaches_with_examples(self, command: str) -> None:
        text = hsevo(command, "--help").stdout
        assert "hsevo match eva:2018" in text or "hsevo arena random eva:2018" in text

    def test_a_terminal_shows_the_table_over_the_line(self, four: list[str],
                                                      serial: Executor) -> None:
        record, text = played(serial, Lineup.of(plan(four))), StringIO()
        console = Console(file=text, force_terminal=True, width=150)
        with Meter(len(record.rows), console, above=Board(record)) as meter:
            meter.advance(100)
            meter.live.refresh()
        shown = text.getvalue()
        assert shown.index("rating") < shown.index(four[3]) < shown.index("100 of 216 games")
        assert not list(Board(Arena(record.lineup))())  # nobody has met
