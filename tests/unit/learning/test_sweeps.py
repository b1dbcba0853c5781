"""Sweeps: a stopped one goes on exactly, the best plays other games, and mistakes are one line."""

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import hsevo
from hsevo.errors import AgentError, ConfigError, RunError
from tests.support.command import fails
from tests.support.command import hsevo as command

pytest.importorskip("optuna")
SMALL = {"games": 1, "decks": ["mage"], "evolution.generations": 1, "evolution.mu": 2}
OVER = {"evolution.mu": "2,3,9", "evolution.sigma_max": "0.1..1.0:log"}


def sweep(out: str, trials: int, **how: Any) -> hsevo.Sweep:
    return hsevo.sweep("smoke", OVER, {**SMALL, "evolution.strategy": "cma-es"}, trials=trials,
                       against="random", games=2, final_games=4, out=out, backend="serial", **how)


def test_a_stopped_sweep_proposes_the_same_trials(here: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sweep("whole", 4)
    create, made = hsevo.Run.create.__func__, []  # type: ignore[attr-defined]

    def stop(cls: Any, *args: Any, **how: Any) -> Any:
        made.append(create(cls, *args, **how))
        if len(made) == 2:
            raise KeyboardInterrupt
        return made[-1]

    with monkeypatch.context() as patched:
        patched.setattr(hsevo.Run, "create", classmethod(stop))
        with pytest.raises(KeyboardInterrupt):
            sweep("cut", 4)
    assert 0 < len(pd.read_csv("cut/trials.csv")) < 4
    again = sweep("cut", 4)
    assert Path("cut/trials.csv").read_bytes() == Path("whole/trials.csv").read_bytes()
    assert again.values == whole.values
    with pytest.raises(RunError, match="has a sweep with another games"):
        hsevo.sweep("smoke", OVER, {**SMALL, "evolution.strategy": "cma-es"}, trials=4, out="cut",
                    against="random", games=6, final_games=4)


def test_trials_are_runs_with_their_values_and_the_best_is_rated_by_new_games(here: Path) -> None:
    found = sweep("swept", 4)
    table = found.trials
    right = table["rate"].notna()
    assert table.loc[~right, "evolution.mu"].eq(9).all()  # more than lambda: no run
    assert table.loc[~right, "error"].str.contains("lambda is 4, but must be more than mu").all()
    for row in table[right].to_dict("records"):
        plan = hsevo.Run(Path("swept") / f"trial-{row['trial']:03}").config.evolution
        assert (plan.mu, plan.sigma_max) == (row["evolution.mu"], row["evolution.sigma_max"])
    again = hsevo.match(found.run.best, "random", 4, decks=["mage"], seed=2)
    assert (found.rate.value, found.rate.low) == (again.rate.value, again.rate.low)
    assert found.trials["final_games"].count() == 1
    assert "new games" in repr(found)


@pytest.mark.parametrize(("over", "said"), [
    ("evolution.muu=1,2", "unknown key 'evolution.muu'; did you mean 'evolution.mu'?"),
    ("evolution.mu", "must be KEY=VALUES"),
    ("evolution.mu=9..3", "must be a low and a higher number"),
    ("evolution.sigma_max=0..1:log", "must begin above 0"),
    ("evolution.mu=[[1]]", "must be a list of plain values"),
])
def test_wrong_values_are_one_line_and_no_folder(here: Path, over: str, said: str) -> None:
    error = fails("sweep", "smoke", "--over", over)
    assert said in error
    assert error.count("\n") == 1
    assert list(here.iterdir()) == []


def test_nothing_is_played_for_an_unknown_opponent_or_values_that_never_fit(here: Path) -> None:
    with pytest.raises(AgentError, match="nobody"):
        hsevo.sweep("smoke", OVER, against="nobody")
    with pytest.raises(ConfigError, match=r"no trial of swept could run; the last: .*lambda is 4"):
        hsevo.sweep("smoke", {"evolution.mu": [8, 9]}, {**SMALL, "evolution.strategy": "cma-es"},
                    trials=2, out="swept")


def test_learners_are_swept_too(here: Path) -> None:
    result = command("sweep", "osfp-smoke", "--over", "learner.rate=0.01,0.02", "--trials", 1,
                     "--set", "decks=[mage]", "--set", "periods=1", "--set", "rounds=1", "--set",
                     "games=4", "--set", "payoff_games=1", "--set", "references.games=2",
                     "--against", "random", "--games", 2, "--final-games", 4, "--out", "swept")
    assert result.exit_code == 0, result.output
    assert "best: trial 0, swept/trial-000" in result.output
    assert isinstance(hsevo.Learned("swept/trial-000"), hsevo.Learned)


def test_whole_numbers_stay_whole_in_a_table_that_is_read_again(tmp_path: Path) -> None:
    table = pd.DataFrame({"trial": [0, 1], "evolution.mu": [2, 3], "evolution.sigma": [0.5, 0.25],
                          "games": [36, 36], "rate": [0.4, 0.6]})
    values = hsevo.Sweep(tmp_path, table, hsevo.Run).values
    assert values == {"evolution.mu": 3, "evolution.sigma": 0.25}
    assert isinstance(values["evolution.mu"], int)


def test_decks_by_shares_are_refused_before_the_first_trial(here: Path) -> None:
    with pytest.raises(ConfigError, match="draws its decks by shares"):
        hsevo.sweep("osfp-smoke", {"learner.rate": (0.001, 0.1)}, {"decks": {"human": 1.0}},
                    trials=1, out="swept")
    assert not Path("swept").exists()


def test_a_sweep_has_a_report(here: Path) -> None:
    found = sweep("swept", 4)
    report = hsevo.report("swept")
    assert report.files == ("tables/trials.csv", "figures/trials.svg", "figures/trials.png",
                            "tables/parameters.csv", "figures/parameters.svg",
                            "figures/parameters.png", "report.html")
    table = report.table("trials")
    assert table["rate"].equals(found.trials["rate"].astype(float))
    points = report.table("parameters")
    assert points["evolution.mu"].isin([2, 3]).all()  # 9 could not run
    text = " ".join(re.sub(r"<[^>]+>", " ", report.page.read_text()).split())  # no-break, too
    assert f"trial-{found.best:03}" in text
    assert f"{found.rate.percent(1)}" in text
    assert "more had values that do not go together" in text
    assert "hsevo report swept" in fails("verify", "swept")
    for damage, said in ((("rate", "rat"), "has no column rate"),
                         (("evolution.mu", "mu"), "has no column evolution.mu")):
        good = Path("swept/trials.csv").read_text()
        Path("swept/trials.csv").write_text(good.replace(*damage, 1))
        assert said in fails("report", "swept")
        Path("swept/trials.csv").write_text(good)
    Path("swept/trials.csv").unlink()
    assert "swept has no trial yet" in fails("report", "swept")
