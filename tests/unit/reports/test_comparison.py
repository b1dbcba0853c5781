"""Experiments side by side in a report: their settings, measures and weights, by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from hsevo import config
from hsevo.agents.genomes.weights import NAMES
from hsevo.config import Workers
from hsevo.evolution.run import Run
from hsevo.play.workers import open_workers
from hsevo.reports import comparison, groups, maps, page
from hsevo.reports.sections import REPORT
from hsevo.reports.tables import Evolutions
from tests.support import fake
from tests.support.folders import make

DECKS = [{"name": deck.name, "hero": deck.hero_class, "cards": list(deck.ids)}
         for deck in fake.DECKS]


def run(label: str, about: Any = None, **settings: Any) -> Run:
    """Return a run without a folder."""
    plan = config.change(config.load("smoke"), settings)
    made = Run.__new__(Run)
    made.path, made.plan, made.final = Path(label), plan, False
    made.about = {"engine": "e1", "format": 3, "decks": DECKS} | (about or {})
    return made


def evolutions(runs: dict[str, Run], news: dict[str, list[list[int]]],
               rates: dict[str, list[list[float]]] | None = None) -> Evolutions:
    """Return made-up evolutions: each run a series.

    news: of each run's executions, the newcomers by generation. rates: against eva:2018, measured
    in every second one. Everyone is alike: one survivor, the weights of an execution its number.
    """
    lines, people, measured = [], [], []
    for label, executions in news.items():
        for execution, new in enumerate(executions, start=1):
            key = {"series": label, "run": label, "execution": execution}
            for number, count in enumerate(new):
                lines.append(key | {"generation": number, "best_individual": 1, "new": count,
                                    "mean_sigma": execution / 10 + number, "games": 100})
                people.append(key | {"generation": number, "individual": 1, "survived": 1,
                                     "wins": 10 * execution, "draws": 0,
                                     "losses": 90 - 10 * execution}
                              | dict.fromkeys(NAMES, float(execution)))
            for i, rate in enumerate((rates or {}).get(label, [[]] * execution)[execution - 1]):
                measured.append(key | {"generation": 2 * i, "opponent": "eva:2018", "rate": rate,
                                       "rate_low": rate - 0.1, "rate_high": rate + 0.2})
    empty = pd.DataFrame(columns=["series", "run", "execution", "generation", "opponent", "rate",
                                  "rate_low", "rate_high"])
    return Evolutions(runs, {label: label for label in runs}, pd.DataFrame(people),
                      pd.DataFrame(lines), pd.DataFrame(measured) if measured else empty)


NEWS = {"a": [[4, 4, 3, 2, 1]] * 3, "b": [[4, 0, 2, 2, 2], [4, 0, 3, 3, 3], [4, 0, 4, 5, 6]]}
RATES = {"a": [[0.1, 0.3, 0.5], [0.1, 0.4, 0.6], [0.1, 0.4, 0.4]],
         "b": [[0.1, 0.1, 0.2], [0.9, 0.2, 0.2], [0.5, 0.3, 0.3]]}


# Settings


def test_settings_that_differ_are_flat() -> None:
    runs = {"a": run("a"),
            "b": run("b", **{"games": 4, "rating.racing": {"rounds": 2}, "name": "other",
                             "evolution.first_sigmas": [0.0, 0.3], "workers.count": 3})}
    table = comparison.settings(evolutions(runs, NEWS))
    assert table.to_numpy().tolist() == [
        ["games", "a", "2"], ["games", "b", "4"],
        ["evolution.first_sigmas", "a", "[0.0, 1.0]"],
        ["evolution.first_sigmas", "b", "[0.0, 0.3]"],
        ["rating.racing.rounds", "a", "null"], ["rating.racing.rounds", "b", "2"],
        ["rating.racing.confidence", "a", "null"], ["rating.racing.confidence", "b", "0.95"]]


def test_engines_and_the_cards_of_decks_are_settings_too() -> None:
    others = [DECKS[0] | {"cards": ["CS2_022"] * 30}, *DECKS[1:]]
    runs = {"a": run("a"), "b": run("b", {"engine": "e2", "decks": others})}
    table = comparison.settings(evolutions(runs, NEWS))
    assert table["setting"].unique().tolist() == ["engine", "cards of warrior"]
    assert table["value"].tolist()[:2] == ["e1", "e2"]
    page = comparison.SIDE_BY_SIDE.sections(evolutions(runs, NEWS))[0].exhibits[0].on_page
    assert page is not None
    assert page["b"].str.len().max() == comparison.LONG
    assert table["value"].str.len().max() > 300


def test_runs_of_one_series_tell_all_their_seeds() -> None:
    runs = {"a": run("a"), "again": run("again", seed=2), "b": run("b", games=4)}
    data = evolutions(runs, NEWS | {"again": NEWS["a"]})
    series = {"a": "a", "again": "a", "b": "b"}
    data = Evolutions(runs, series, data.population, data.statistics, data.references)
    table = comparison.settings(data).set_index(["setting", "series"])["value"]
    assert table["seed", "a"] == "1; 2"
    assert table["seed", "b"] == "1"


# Measures


def test_measures_by_hand() -> None:
    data = evolutions({"a": run("a"), "b": run("b", games=4)}, NEWS, RATES)
    table = comparison.measures(data).set_index(["measure", "series"])
    assert table.loc[("generations", "a"), "value"] == 5
    assert table.loc[("games", "a"), "value"] == 500
    assert np.isnan(table.loc[("games", "a"), "low"])
    assert table.loc[("best_rate", "b"), "value"] == pytest.approx(2 / 9)
    assert table.loc[("sigma", "a"), "value"] == pytest.approx(4.2)
    # Generations 2, 3, 4: those of a are alike; b has means of 2, 3 and 5.
    new = table.loc["newcomers"]
    assert new.loc["a", ["value", "low", "high"]].tolist() == [2, 2, 2]
    half = 4.302652729911275 * np.std([2, 3, 5], ddof=1) / np.sqrt(3)  # Student's t, 2 degrees
    assert new.loc["b", "value"] == pytest.approx(10 / 3)
    assert new.loc["b", "low"] == pytest.approx(10 / 3 - half)
    assert new.loc["b", "interval"] == comparison.BY_EXECUTIONS
    assert new.loc["a - b", "value"] == pytest.approx(2 - 10 / 3)
    assert new.loc["a - b", "high"] == pytest.approx(2 - 10 / 3 + half)  # a has no variance
    # Measured in 0, 2 and 4, of which the last two count: 0.4, 0.5, 0.4 against 0.15, 0.2, 0.3.
    rate = table.loc["rate against eva:2018"]
    assert rate["value"].tolist() == pytest.approx([1.3 / 3, 0.65 / 3, 0.65 / 3])
    assert rate.loc["a - b", "interval"] == comparison.BY_WELCH
    assert not {"games", "best_rate"} & set(table.xs("a - b", level="series").index)


def test_welchs_interval_by_hand() -> None:
    first, second = np.array([1.0, 2, 3]), np.array([2.0, 4, 6, 8])
    # Variances of the means: 1 / 3 and (20 / 3) / 4 = 5 / 3; together 2.
    freedom = 2**2 / ((1 / 3)**2 / 2 + (5 / 3)**2 / 3)
    half = t.ppf(0.975, freedom) * np.sqrt(2)
    p = 2 * t.sf(3 / np.sqrt(2), freedom)
    assert comparison.welch(first, second) == pytest.approx((-3, -3 - half, -3 + half, p))
    gap, *rest = comparison.welch(np.ones(3), np.zeros(2))
    assert gap == 1
    assert np.isnan(rest).all()


def test_a_single_execution_has_the_interval_of_its_games() -> None:
    runs = {"a": run("a"), "b": run("b", games=4)}
    data = evolutions(runs, {name: news[:1] for name, news in NEWS.items()}, RATES)
    table = comparison.measures(data).set_index(["measure", "series"])
    line = table.loc["rate against eva:2018", "a"]
    assert line["interval"] == comparison.BY_GAMES
    assert line[["value", "low", "high"]].tolist() == pytest.approx([0.4, 0.3, 0.6])
    assert table.loc[("newcomers", "a"), "interval"] == ""
    assert "a - b" not in table.index.get_level_values("series")
    first = {"a": run("a"), "b": run("b", games=4)}
    fresh = evolutions(first, {"a": [[4]], "b": [[4]]})  # nothing but a generation 0
    assert set(comparison.measures(fresh)["measure"]) == {"generations", "games", "best_rate",
                                                          "sigma"}


def test_rates_stay_within_0_and_1() -> None:
    rates = {"a": [[0, 0.99, 0.99], [0, 1, 1], [0, 1, 1]], "b": RATES["b"]}
    data = evolutions({"a": run("a"), "b": run("b", games=4)}, NEWS, rates)
    table = comparison.measures(data).set_index(["measure", "series"])
    assert table.loc[("rate against eva:2018", "a"), "high"] == 1


# Weights


def test_weights_are_those_of_individuals_or_of_executions() -> None:
    runs = {"a": run("a"), "b": run("b", games=4)}
    few = comparison.weights(evolutions(runs, NEWS))
    assert few["weight"].tolist() == list(NAMES)
    assert few.loc[0, ["n_first", "n_second", "median_first", "superiority"]].tolist() == [
        3, 3, 2, 0.5]
    assert (few["p_adjusted"] >= few["p"]).all()
    five = {"a": [[1]] * 5, "b": [[1]] * 5}
    data = evolutions(runs, five)
    twins = data.population.assign(individual=2)  # two of each execution: one sample, not two
    above = data.population["series"] == "b"
    data.population.loc[above, list(NAMES)] += 10
    twins.loc[above, list(NAMES)] += 12
    both = pd.concat([data.population, twins], ignore_index=True)
    data = Evolutions(runs, data.series, both, data.statistics, data.references)
    assert comparison.by_medians(data)
    table = comparison.weights(data)
    assert table.loc[0, ["n_first", "n_second", "median_first", "median_second"]].tolist() == [
        5, 5, 3, 14]
    # Of the 252 ways to draw 5 of 10 ranks, one is as low, and one as high.
    assert table["p"].tolist() == pytest.approx([2 / 252] * 21)
    assert table["p_adjusted"].tolist() == pytest.approx([2 / 252] * 21)


# Reports


def test_sections_of_two_and_of_three_series(tmp_path: Path, fake_engine: None) -> None:
    paths = [make(tmp_path / "a", executions=2), make(tmp_path / "b", executions=2, games=4),
             make(tmp_path / "c", games=5)]
    assert comparison.SIDE_BY_SIDE.sections(REPORT.load(paths[:1])) == []
    two, = comparison.SIDE_BY_SIDE.sections(REPORT.load(paths[:2]))
    settings, _, measured, _ = two.exhibits
    assert settings.table["value"].tolist() == ["3", "4"]
    names = measured.table[measured.table["series"] == "a - b"]["measure"].tolist()
    assert names == ["sigma", "newcomers", "rate against random"]
    text = page.html("a and b", [two])
    assert '<th class="word">a - b</th>' in text
    assert "Executions: 2 of a, 2 of b." in text
    assert "are related and not independent" in text
    three, = comparison.SIDE_BY_SIDE.sections(REPORT.load(paths))
    assert [one.name for one in three.exhibits] == ["settings", "budgets", "side-by-side"]
    assert "compared for two series" in three.note


def test_a_run_without_references_leaves_the_others_numbers(
        tmp_path: Path, fake_engine: None) -> None:
    measured = make(tmp_path / "measured", **{"evolution.generations": 1})
    bare = Run.make(tmp_path / "bare", config.load("smoke", ["games=4"]), fake.DECKS)
    with open_workers(Workers(backend="serial")) as executor:
        bare._make_steps(executor)
    bare.close()
    data = REPORT.load([measured, bare.path])
    assert data.references["rate"].dtype == np.float64


def test_decks_that_a_group_never_played_have_no_test_and_no_cell() -> None:
    rows = [("a", "x", "x", 9, 3), ("b", "x", "x", 9, 4), ("c", "y", "y", 9, 5)]
    record = pd.DataFrame(rows, columns=["agent", "deck", "opponent_deck", "games", "wins"])
    record["draws"] = 0
    members = pd.DataFrame({"agent": list("abc"), "group": [1, 2, 3]})
    table = groups.against_all(record, members)
    assert table[["first", "second", "deck"]].to_numpy().tolist() == [[1, 2, "x"]]
    assert maps.deck_matrix(groups.deck_matrix(record)).svg
