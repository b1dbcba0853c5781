"""Fixed opponents and shares: rates by hand, and games that add up for all settings together."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from hsevo import config
from hsevo.agents.registry import evolved_genome
from hsevo.cards.decks import read_deck
from hsevo.errors import AgentError, ConfigError
from hsevo.evolution import fitness
from hsevo.evolution.evolve import Execution, games_to_play
from hsevo.evolution.fitness import read_opponents
from hsevo.evolution.run import games_each
from hsevo.play import match
from hsevo.runs.tables import Generation
from hsevo.strength.rating import by_shares, effective_games, interval, mean_rate
from tests.support.command import hsevo
from tests.support.folders import make
from tests.unit.evolution.test_fitness import plan, rate

TWO = {"rating.opponents.agents": ["random", "greedy:metastone"]}


# --- rates


def test_groups_count_by_their_shares() -> None:
    """Two individuals, one champion and two fixed opponents, ten games each."""
    wins = np.array([[0, 4, 6, 10, 2], [6, 0, 8, 5, 0]])
    games = np.array([[0, 10, 10, 10, 10], [10, 0, 10, 10, 10]])
    fixed = np.array([0.75, 0.25])
    shares = config.Shares(coevolution=1, hall_of_fame=2, opponents=5)
    weights = by_shares(shares, games, fixed)
    assert weights.tolist() == [[0, 1, 2, 3.75, 1.25], [1, 0, 2, 3.75, 1.25]]
    # (1 * .4 + 2 * .6 + 3.75 * 1 + 1.25 * .2) / 8 = 5.6 / 8; (.6 + 1.6 + 1.875 + 0) / 8
    assert mean_rate(wins, games, weights) == pytest.approx([0.7, 0.509375])
    # 8^2 / (1 + 4 + 14.0625 + 1.5625) * 10
    assert effective_games(games, weights) == pytest.approx([31.0303, 31.0303])


def test_a_group_that_nobody_of_was_met_does_not_count() -> None:
    games = np.array([[0, 10, 10], [10, 0, 10]])  # no hall yet
    wins = np.array([[0, 10, 0], [0, 0, 10]])
    weights = by_shares(config.Shares(), games, np.ones(1))
    assert mean_rate(wins, games, weights).tolist() == [0.5, 0.5]
    alone = by_shares(config.Shares(), np.zeros((1, 1), int), np.zeros(0))
    assert mean_rate(np.zeros((1, 1)), np.zeros((1, 1)), alone).tolist() == [0]


def test_equal_weights_are_the_plain_rate_and_all_games() -> None:
    wins, games = np.array([[3, 5, 10]]), np.array([[10, 10, 10]])
    assert mean_rate(wins, games, np.ones(3)).tolist() == [0.6]
    assert effective_games(games, np.ones(3)) == pytest.approx([30])
    low, high = interval(np.array([0.6]), np.array([30.0]))
    ends = binomtest(18, 30).proportion_ci(0.95, "wilson")
    assert [*low, *high] == pytest.approx([ends.low, ends.high])


def test_fitness_is_the_win_rate_against_the_fixed_opponents_alone() -> None:
    """Of ranked players, the ids -1 and -2 lose nine games of ten, and draw the tenth."""
    settings = {**TWO, "rating.shares.coevolution": 0}
    rated = rate(plan(**settings), weights=[0.5, 0.5])
    assert rated.fitness.tolist() == [90.0] * 4
    met = {(int(row["a"]), int(row["b"])) for row in rated.pairings}
    assert met == {(i, k) for i in range(4) for k in (4, 5)}
    both = rate(plan(**TWO, **{"rating.shares": {"coevolution": 3, "opponents": 1}}),
                weights=[0.5, 0.5])
    # against the three others .9 of 0, 1, 2, 3 of 3; (3 * .9 * rank / 3 + .9) / 4
    assert both.fitness.tolist() == [22.5, 45.0, 67.5, 90.0]
    plain = rate(plan(**TWO), weights=[0.5, 0.5])
    assert plain.fitness.tolist() == [72, 108, 144, 180]  # victories, over all of them


def test_opponents_play_decks_and_games_of_their_own() -> None:
    settings = {**TWO, "rating.opponents.decks": ["warrior", "mage"], "rating.opponents.games": 4}
    for common in (False, True):
        rows = rate(plan(**settings, **{"rating.common_random_numbers": common}),
                    weights=[0.5, 0.5]).pairings
        fixed = (rows["a"] >= 4) | (rows["b"] >= 4)
        assert set(rows["games"][fixed].tolist()) == {2 if common else 4}
        own = np.where(rows["a"] < 4, rows["deck_a"], rows["deck_b"])[fixed]
        theirs = np.where(rows["a"] < 4, rows["deck_b"], rows["deck_a"])[fixed]
        assert set(zip(own.tolist(), theirs.tolist(), strict=True)) == {
            (0, 2), (0, 0), (1, 2), (1, 0)}  # all_decks: mage, shaman, warrior
        assert rows["games"][fixed].sum() == 4 * 2 * 4 * 4
        assert len(np.unique(rows["seed"][fixed])) == (4 if common else 32)


def test_a_race_weighs_opponents_by_their_games() -> None:
    """Nine wins of ten in 10 games against one, none in 90 against another: 0.09, not 0.45."""
    wins, games = np.array([[9, 0], [5, 9]]), np.array([[10, 90], [10, 90]])
    full = np.array([1.0, 9.0])
    rates = mean_rate(wins, games, full)
    assert rates == pytest.approx([0.09, 0.14])
    assert effective_games(games, full) == pytest.approx([100, 100])
    assert fitness.undecided(wins, games, full, 1, 0.5).tolist() == [False, False]
    assert fitness.undecided(wins, games, full, 1, 0.95).tolist() == [True, True]


# --- all settings together


def won(number: int, pairings: Any, players: Any) -> Any:
    """Play by the seeds: some games of every match are won, some drawn."""
    results = np.zeros(len(pairings), match.RESULT)
    share = pairings["seed"] % np.uint64(97) / 97
    results["wins_a"] = (pairings["games"] * share).astype(int)
    results["draws"] = (pairings["games"] - results["wins_a"]) // 3
    results["wins_b"] = pairings["games"] - results["wins_a"] - results["draws"]
    return results


def run(experiment: config.Config, fields: Sequence[Any] = ()) -> list[Generation]:
    made: list[Generation] = []
    genome = evolved_genome(experiment, experiment.all_decks)
    fixed = experiment.rating.opponents
    weights = np.full(len(fixed.agents), 1 / len(fixed.agents)) if fixed else np.zeros(0)
    made += Execution(experiment, 1, won, genome, fields, weights).generations()
    return made


@st.composite
def experiments(draw: Any) -> config.Config:
    """Return small configs with every mix of strategy, rating, opponents and genome."""
    common, rounds = draw(st.booleans()), draw(st.sampled_from([0, 0, 2]))
    parts = (1 + common) * max(rounds, 1)
    opponents = {"agents": draw(st.sampled_from([["random"], ["random", "gsv", "eva:2018"]])),
                 "decks": draw(st.sampled_from([None, ["mage"], ["warrior", "shaman"]])),
                 "games": draw(st.sampled_from([None, parts, 3 * parts]))}
    rating = {"common_random_numbers": common, "hall_of_fame": draw(st.integers(0, 2)),
              "racing": {"rounds": rounds} if rounds else None,
              "opponents": draw(st.sampled_from([None, opponents])),
              "shares": None if rounds else draw(st.sampled_from(
                  [None, {"coevolution": 0}, {"coevolution": 2, "opponents": 1}]))}
    evolution = {"strategy": draw(st.sampled_from(["es", "ga", "cma-es"])),
                 "mu": draw(st.integers(1, 3)), "lambda": draw(st.integers(1, 4)),
                 "elites": draw(st.integers(0, 2)), "generations": 4,
                 "selection": ["rank", "roulette", "tournament", "random"],
                 "start": draw(st.sampled_from(["random", "base"]))}
    agent = {"kind": draw(st.sampled_from(["eva", "greedy:santos"])), "genome": draw(
        st.sampled_from(["one", "deck", "matchup"]))}
    tree = {"decks": draw(st.sampled_from([["mage"], ["mage", "warrior"]])), "games": parts,
            "agent": agent, "evolution": evolution, "rating": rating}
    try:
        return config.check(config.Config, tree, "here")
    except ConfigError:
        assume(False)
        raise


@settings(max_examples=150, deadline=None)
@given(experiments())
def test_as_many_games_are_played_as_were_said(experiment: config.Config) -> None:
    past, rating = run(experiment), experiment.rating
    played = [int(generation.pairings["games"].sum()) for generation in past]
    said = [fitness.most_games(experiment, number) for number in range(4)]
    assert sum(said) == games_to_play(experiment)
    if rating.racing or rating.hall_of_fame:  # races end early; champions may still be parents
        assert all(a <= b for a, b in zip(played, said, strict=True))
    else:
        assert played == said
    for generation in past:
        each = sum(generation.field[name] for name in ("wins", "draws", "losses"))
        most = games_each(experiment, generation.number)
        assert (each <= most).all()
        assert (each == most).all() or rating.racing or rating.hall_of_fame
        assert len(generation.field) == fitness.field_size(experiment, generation.number)
        assert len(generation.pairings) <= experiment.most_matches
        assert np.isfinite(generation.field["fitness"]).all()
        assert len(generation.survivors) == experiment.evolution.mu
    assert games_to_play(experiment, (1, 2)) == sum(said[2:])


@settings(max_examples=60, deadline=None)
@given(experiments(), st.integers(0, 3))
def test_going_on_from_anywhere_gives_the_same_bits(experiment: config.Config, stop: int) -> None:
    whole = run(experiment)
    rest = run(experiment, [generation.field for generation in whole[:stop + 1]])
    for a, b in zip(whole[stop + 1:], rest, strict=True):
        for name in ("field", "pairings", "results", "others"):
            assert getattr(a, name).tobytes() == getattr(b, name).tobytes()
        assert (a.survivors, a.random_state) == (b.survivors, b.random_state)


MIXES: list[dict[str, Any]] = [
    {**TWO, "rating.shares.coevolution": 0, "evolution.strategy": "ga", "evolution.elites": 1},
    {**TWO, "rating.opponents.decks": ["mage"], "rating.opponents.games": 6, "agent.genome": "deck",
     "decks": ["warrior", "shaman"], "rating.hall_of_fame": 2},
    {**TWO, "rating.shares": {"coevolution": 1, "opponents": 2}, "agent.genome": "matchup",
     "agent.evolve": ["HHR", "BMR"], "evolution.start": "base", "evolution.lambda": 5,
     "evolution.strategy": "cma-es"},
    {**TWO, "rating.racing.rounds": 3, "games": 6, "agent.kind": "greedy:santos", "executions": 2},
]


@pytest.mark.slow
@pytest.mark.usefixtures("fake_engine")
@pytest.mark.parametrize("mix", MIXES, ids=range(len(MIXES)))
def test_a_run_is_verified_goes_on_and_is_exported(mix: dict[str, Any], tmp_path: Path,
                                                   here: Path) -> None:
    whole, cut = make(tmp_path / "whole", **mix), make(tmp_path / "cut", stop=2, **mix)
    assert "add up" in hsevo("verify", cut).stdout
    assert hsevo("evolve", "--resume", cut).exit_code == 0
    for name in ("population.csv", "statistics.csv", "references.csv", "matches.sha256"):
        assert (cut / name).read_bytes() == (whole / name).read_bytes(), name
    said = hsevo("verify", cut).stdout
    assert "add up" in said
    assert hsevo("watch", "--once", cut).exit_code == 0
    best = hsevo("export-best", cut, "--games-per-pair", 4, "--output", "best.yaml")
    assert "these games are new, against " in best.stderr
    assert "greedy:metastone" in best.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("fake_engine", "undrawn")
def test_reports_tell_of_fixed_opponents(tmp_path: Path, here: Path) -> None:
    """Of weights for each match-up: theirs is the widest page."""
    mix = MIXES[2]
    one, same = make(tmp_path / "one", **mix), make(tmp_path / "same", **mix)
    other = make(tmp_path / "other", seed=9, **mix, **{"evolution.mutation": 0.5, "max_turns": 80})
    assert "repeats" in hsevo("report", one, same).stderr  # one evolution, given twice
    assert hsevo("report", one, "--out", "drawn").exit_code == 0
    assert "greedy:metastone" in Path("drawn/report.html").read_text(encoding="utf-8")
    assert hsevo("report", one, other, "--out", "compared").exit_code == 0


# --- mistakes


def test_a_set_part_of_a_plain_agent_keeps_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("agent: gsv\ndecks: [mage]\n")
    plain = config.load(path, ["agent.base=gsv"])
    assert (plain.agent.kind, plain.agent.base) == ("gsv", "gsv")
    section = config.load(path, ["agent={kind: gsv, base: gsv}"])
    assert plain == section
    assert config.load(path).agent == config.Evolved(kind="gsv")


def test_decks_of_opponents_may_lie_beside_the_config(tmp_path: Path, here: Path) -> None:
    (tmp_path / "mine.txt").write_text(config.find("mage", "decks").read_text())
    path = tmp_path / "mine.yaml"
    path.write_text("decks: [mage]\nrating: {opponents: {agents: [random], decks: [mine.txt]}}\n")
    assert config.load(path).all_decks == ("mage", str(tmp_path / "mine.txt"))


def test_nash_weighs_the_opponents_by_the_panels_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """MetaStone's greedy agent beats random ones, so it alone is in the mixture of the two."""
    experiment = plan(**{"rating.opponents": {"agents": ["random", "greedy:metastone"],
                                              "mixture": "nash"}, "rating.shares": {}})
    decks = [read_deck(name) for name in experiment.all_decks]
    with pytest.raises(AgentError, match="nash gives no share to random, so their games would not"):
        read_opponents(experiment, decks)
    equal = config.change(experiment, {"rating.opponents.mixture": "equal"})
    assert read_opponents(equal, decks).weights.tolist() == [0.5, 0.5]
    one = config.change(experiment, {"rating.opponents.agents": ["eva:2018"]})
    assert read_opponents(one, decks).weights.tolist() == [1]
    monkeypatch.setattr("hsevo.evolution.fitness.mixed", lambda counts: np.array([0.25, 0.75]))
    assert read_opponents(experiment, decks).weights.tolist() == [0.25, 0.75]  # as in a cycle
    with pytest.raises(AgentError, match=r"and 'gsv\?depth=2' is not one of them.*; these are "):
        read_opponents(config.change(experiment, {"rating.opponents.agents": ["gsv?depth=2"]}),
                       decks)


def test_memory_counts_only_those_who_meet() -> None:
    settings = {"evolution.mu": 5000, "evolution.lambda": 5000}
    with pytest.raises(ConfigError, match="opponents"):
        plan(**settings)
    alone = plan(**settings, **TWO, **{"rating.shares.coevolution": 0})
    assert alone.most_matches == 10_000 * 2 * 4


def test_champions_and_fixed_opponents_meet_the_field_alone() -> None:
    rated = rate(plan(**TWO, **{"rating.hall_of_fame": 1}), hall=(10,), weights=[0.5, 0.5])
    met = {(int(row["a"]), int(row["b"])) for row in rated.pairings}
    assert met == {*combinations(range(4), 2)} | {(i, k) for i in range(4) for k in (4, 5, 6)}
    assert rated.pairings["games"].sum() == (6 + 4 + 8) * 4 * 10
