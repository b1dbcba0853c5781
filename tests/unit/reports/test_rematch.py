"""Two configurations compared by the bests of their executions in new games."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from scipy.stats import norm, t

import hsevo
from hsevo.errors import AgentError, ConfigError
from hsevo.evolution.run import Run
from hsevo.reports import comparison
from hsevo.reports.sections import REPORT
from hsevo.strength import bests
from tests.support.command import fails
from tests.support.command import hsevo as hsevo_
from tests.support.folders import make

pytestmark = pytest.mark.usefixtures("undrawn")


def made_up(samples: dict[str, list[float]], opponent: str = "random") -> pd.DataFrame:
    """Return the rates of the bests of some series, an execution each."""
    return pd.DataFrame([{"series": name, "run": name, "execution": k, "opponent": opponent,
                          "rate": rate}
                         for name, rates in samples.items() for k, rate in enumerate(rates, 1)])


def test_tests_by_hand() -> None:
    """Without ties the rank-sum test is exact: 1 of the 20 orders is as far apart, on each side."""
    row, = comparison.tests(made_up({"a": [0.6, 0.7, 0.8], "b": [0.1, 0.2, 0.3]})).to_dict(
        "records")
    assert (row["first"], row["second"], row["n_first"], row["n_second"]) == ("a", "b", 3, 3)
    assert (row["median_first"], row["median_second"]) == (0.7, 0.2)
    assert row["a12"] == 1
    assert row["p_rank_sum"] == pytest.approx(2 / 20)
    error = (0.01 / 3 + 0.01 / 3) ** 0.5  # each variance is 0.01, so Welch has 4 degrees
    assert row["difference"] == pytest.approx(0.5)
    assert row["low"] == pytest.approx(0.5 - 2.7764451051977934 * error)
    assert row["high"] == pytest.approx(0.5 + 2.7764451051977934 * error)
    assert row["p_welch"] == pytest.approx(2 * t.sf(0.5 / error, 4))


def test_ties_count_half() -> None:
    """Of 9 pairs a has 7 and ties 1; the normal test has Mann and Whitney's correction for ties."""
    row, = comparison.tests(made_up({"a": [0.5, 0.6, 0.7], "b": [0.4, 0.5, 0.55]})).to_dict(
        "records")
    assert row["a12"] == pytest.approx(7.5 / 9)
    deviation = (9 / 12 * (7 - 6 / 30)) ** 0.5  # one tie of two: 2^3 - 2 = 6
    assert row["p_rank_sum"] == pytest.approx(2 * norm.sf((7.5 - 4.5 - 0.5) / deviation))


def test_several_opponents_also_have_a_mean() -> None:
    table = pd.concat([made_up({"a": [0.6, 0.8], "b": [0.5, 0.5]}),
                       made_up({"a": [0.2, 0.4], "b": [0.3, 0.5]}, "eva:2018")])
    found = comparison.tests(table).set_index("opponent")
    assert [*found.index] == ["random", "eva:2018", comparison.ALL]
    assert found.loc[comparison.ALL, "median_first"] == pytest.approx((0.4 + 0.6) / 2)
    assert found.loc[comparison.ALL, "difference"] == pytest.approx(0.5 - 0.45)


def test_single_executions_and_samples_without_spread_have_no_interval() -> None:
    for samples in ({"a": [0.6], "b": [0.5, 0.4]}, {"a": [0.6, 0.6], "b": [0.5, 0.5]}):
        row, = comparison.tests(made_up(samples)).to_dict("records")
        assert row["difference"] == pytest.approx(0.6 - sum(samples["b"]) / 2)
        assert pd.isna([row["low"], row["high"], row["p_welch"]]).all()


def test_the_bests_play_again_in_one_command(folder: Path, tmp_path: Path,
                                             fake_engine: None) -> None:
    other = make(tmp_path / "other", executions=2, **{"evolution.lambda": 6})
    out = tmp_path / "report"
    text = hsevo_("report", f"a={folder / 'whole'}", f"b={other}", "--against", "random,eva:2018",
                  "--games", "36", "--backend", "serial", "--out", out, "--json")
    assert json.loads(text.stdout)["page"] == str(out / "report.html")
    table = pd.read_csv(out / "tables" / "bests.csv")
    assert table.groupby("series")["execution"].nunique().to_dict() == {"a": 3, "b": 2}
    lines = pd.read_csv(folder / "whole" / "statistics.csv")
    last = lines[lines["generation"] == 3].set_index("execution")["best_individual"]
    assert set(table[table["series"] == "a"]["agent"]) == {
        f"eva:{folder / 'whole'}#execution-{k}-individual-{last[k]}" for k in (1, 2, 3)}
    assert (table["games"] == 36).all()
    compared = pd.read_csv(out / "tables" / "bests-compared.csv")
    assert compared.to_dict("list") == comparison.tests(table).to_dict("list")

    found = hsevo.report({"a": folder / "whole"}, {"b": other}, against=["random", "eva:2018"],
                         games=36, backend="serial", out=tmp_path / "again")
    assert found.table("bests").equals(table)

    page = (out / "report.html").read_text()
    for _, here in table.groupby("series"):
        means = here.groupby("agent")["rate"].mean()
        row = here[(here["agent"] == means.idxmax()) & (here["opponent"] == "eva:2018")].iloc[0]
        assert f'<strong title="{means.idxmax()}">' in page  # it leads its series
        low, high = (f"{100 * row[end]:.1f}" for end in ("rate_low", "rate_high"))
        assert f"({low} to {high}) of 36 games against eva:2018<" in " ".join(page.split())
    games = pd.read_csv(other / "statistics.csv")["games"].sum() / 2
    mine = pd.read_csv(folder / "whole" / "statistics.csv")["games"].sum() / 3
    assert f"had {games / mine:.2f} times as many fitness games" in page
    assert "is at least 0.200" in page  # 2 of the 10 orders of 3 and 2 executions
    curve = pd.read_csv(out / "tables" / "progress-by-games.csv")
    one = lines[(lines["execution"] == 1) & (lines["generation"] <= 2)]["games"].sum()
    row = curve[(curve["series"] == "a") & (curve["execution"] == 1) & (curve["generation"] == 2)]
    assert row["games_played"].tolist() == [one]


def test_equal_budgets_have_no_warning(folder: Path, tmp_path: Path, fake_engine: None) -> None:
    other = make(tmp_path / "other", executions=2, **{"evolution.sigma_max": 0.3})
    data = REPORT.load([folder / "whole", other])
    assert comparison.warning(data) == ""
    found = comparison.budgets(data)
    assert found["games"].nunique() == 1
    assert found["executions"].tolist() == [3, 2]


def test_a_map_is_represented_by_its_confirmed_best(tmp_path: Path, fake_engine: None) -> None:
    path = make(tmp_path / "map", executions=2, **{
        "evolution.strategy": "map-elites", "rating.shares": {"coevolution": 0},
        "rating.opponents": {"agents": ["random"]}, "evolution.lambda": 8,
        "evolution.cells": [3, 3]})
    found = bests.bests({"map": Run(path)})
    elites = pd.read_csv(path / "archive.csv")
    chosen = elites[elites["last_games"].notna()]
    assert [spec.rpartition("-")[2] for spec in found["agent"]] == [
        str(one) for one in chosen["individual"]]


def test_what_cannot_be_compared_is_said_in_a_line(folder: Path, tmp_path: Path,
                                                   fake_engine: None) -> None:
    other = make(tmp_path / "other", decks=["mage"])
    with pytest.raises(ConfigError, match="have different decks"):
        hsevo.report(folder / "whole", other, against="random", out=tmp_path / "r")
    turns = make(tmp_path / "turns", max_turns=50)
    with pytest.raises(ConfigError, match=r"has max_turns 89, but .* has 50"):
        hsevo.report(folder / "whole", turns, against="random", out=tmp_path / "r")
    with pytest.raises(AgentError, match="nobody"):
        hsevo.report(folder / "whole", against="nobody", out=tmp_path / "r")
    with pytest.raises(ConfigError, match="games"):
        hsevo.report(folder / "whole", against="random", games=0, out=tmp_path / "r")
    assert "needs run folders" in fails("report", "--agents", "x.csv", "--against", "random")
    shutil.rmtree(other)
