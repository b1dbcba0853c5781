"""The report on learning runs: rates, course, all checkpoints against all."""

import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import hsevo
from hsevo.cli import main
from hsevo.cli.learning import _print
from hsevo.errors import ConfigError, RunError
from hsevo.reports.learned import REPORT, against_earlier, answers, both_ways, means
from hsevo.reports.report import Sources
from tests.support.command import starts
from tests.support.folders import learned

PAYOFF = pd.DataFrame(
    [("period-0000", "period-0001", 10, 2, 7, 1), ("period-0000", "period-0002", 10, 4, 6, 0),
     ("period-0001", "period-0002", 20, 5, 15, 0)],
    columns=["a", "b", "games", "wins_a", "wins_b", "draws"])


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a finished run."""
    return learned(tmp_path_factory.mktemp("drawn") / "whole")


def test_both_ways_by_hand():
    table = both_ways(PAYOFF).set_index(["checkpoint", "opponent"])
    assert table["rate"].to_dict() == {
        ("period-0000", "period-0001"): 0.2, ("period-0000", "period-0002"): 0.4,
        ("period-0001", "period-0000"): 0.7, ("period-0001", "period-0002"): 0.25,
        ("period-0002", "period-0000"): 0.6, ("period-0002", "period-0001"): 0.75}
    assert (table["wins"] + table["draws"] + table["losses"] == table["games"]).all()
    # Wilson: (7 + 1.92) / (10 + 3.84) -+ 1.96 sqrt(7 * 3 / 10 + 0.96) / 13.84
    row = table.loc[("period-0001", "period-0000")]
    assert (row["rate_low"], row["rate_high"]) == pytest.approx((0.397, 0.892), abs=5e-4)


def test_against_earlier_pools_games():
    rate, low, high, games = against_earlier(PAYOFF, "period-0002")
    assert (rate, games) == (0.7, 30)
    assert low < rate < high


def test_the_page_says_how_strong_the_player_is_first(run, tmp_path):
    found = hsevo.report(run, out=tmp_path / "page")
    page = found.page.read_text()
    last = run.references.iloc[-1]
    assert f"rl:{run.path}" in page
    top = page.index(f"{100 * last['rate']:.1f}")
    assert top < page.index("Win rates by period") < page.index("Win matrix")
    matrix = pd.read_csv(tmp_path / "page" / "tables" / "matrix.csv")
    assert len(matrix) == 6
    pair = run.payoff.iloc[1]
    mine = matrix[(matrix["checkpoint"] == pair["a"]) & (matrix["opponent"] == pair["b"])]
    assert mine["rate"].iloc[0] == pair["rate"]
    assert pd.read_csv(tmp_path / "page" / "tables" / "rates.csv")["rate"].tolist() == (
        run.references["rate"].tolist())
    assert {"figures/rates.svg", "figures/losses.svg", "figures/pool.svg",
            "figures/matrix.svg"} <= {*found.files}


@pytest.mark.usefixtures("undrawn")
def test_the_page_says_how_it_learned(run, tmp_path):
    """Of a search only if actors search: how deep, and about how many actions."""
    expert = learned(tmp_path / "expert", changes={
        "periods": 1, "payoff_games": 0, "learner.expert": "turn", "learner.depth": 2,
        "learner.nodes": 7, "learner.trace": 0.5})
    for one, said in ((expert, "lambda 0.5, gamma 1, temperature 0.1, learning rate 0.01 to 0.0001,"
                               " expert iteration (2 actions deep, 7 nodes), ruleset cig2018"),
                      (run, "lambda 0.8, gamma 1, temperature 0.1, learning rate 0.01 to 0.0001,"
                            " ruleset cig2018")):
        (answer,) = answers(REPORT.load([one.path]))
        assert answer.facts["settings"] == said
        assert said in hsevo.report(one, out=tmp_path / "page" / one.path.name).page.read_text()


@pytest.mark.usefixtures("undrawn")
def test_runs_stand_beside_each_other(run, tmp_path):
    other = learned(tmp_path / "other", seed=2, changes={"osfp.self_play": 1.0})
    page = hsevo.report({"pool": run, "alone": other}, out=tmp_path / "two").page.read_text()
    assert page.count("Learned player, ") == 2
    settings = pd.read_csv(tmp_path / "two" / "tables" / "settings.csv")
    assert settings.columns.tolist() == ["run", "seed", "osfp.self_play"]
    assert "Checkpoints of alone" in page


@pytest.fixture(scope="module")
def seeds(run, tmp_path_factory):
    """Return runs of three seeds."""
    return [run, *(learned(tmp_path_factory.mktemp("seeds") / f"seed-{seed}", seed=seed)
                   for seed in (2, 3))]


def test_runs_that_differ_in_their_seed_alone_are_one_series(seeds, tmp_path, monkeypatch):
    other = learned(tmp_path / "other", seed=2, changes={"learner.trace": 0.5, "name": "x"})
    again = learned(tmp_path / "again", seed=2)
    data = REPORT.load([run.path for run in (*seeds, other, again)])
    assert [*data.series] == ["whole", "seed-2", "seed-3", "other", "again"]
    # the same seed again is no further sample
    assert [*data.series.values()] == ["whole and 2 more"] * 3 + ["other", "again"]
    assert {*means(data)["series"]} == {"whole and 2 more"}
    assert [one.title for one in answers(data)][:2] == ["Mean over 3 seeds",
                                                        "Learned player, whole"]
    monkeypatch.setattr("hsevo.reports.exhibit.COLOURS", ("#0072b2",))
    REPORT.load([run.path for run in seeds])
    with pytest.raises(RunError, match="2 different experiments, but a report can draw at most 1"):
        REPORT.load([seeds[0].path, other.path])


def test_means_over_seeds_by_hand(seeds):
    """0.5, 0.6, 0.7 vary by 0.1: t(2) = 4.303 times 0.1 / sqrt(3)."""
    data = REPORT.load([run.path for run in seeds])
    table = data.references
    assert table["period"].tolist() == [1, 2] * 3
    (first, last), drawn = [table["period"] == period for period in (1, 2)], table.copy()
    drawn.loc[last, "rate"] = [0.5, 0.6, 0.7]
    drawn.loc[first, "rate"] = 0.9
    found = means(replace(data, references=drawn)).set_index("period")
    assert found.loc[2, ["rate", "rate_low", "rate_high"]].tolist() == pytest.approx(
        [0.6, 0.6 - 0.2484, 0.6 + 0.2484], abs=1e-4)
    assert found.loc[2, ["opponent", "seeds"]].tolist() == ["random", 3]
    assert found.loc[1, "rate"] == pytest.approx(0.9)
    assert found.loc[1, ["rate_low", "rate_high"]].isna().all()  # no spread is no estimate of it
    drawn.loc[last, "rate"] = [0.9, 1.0, 1.0]
    found = means(replace(data, references=drawn)).set_index("period")
    assert found.loc[2, "rate_high"] == 1.0
    fewer = drawn.drop(index=drawn.index[-1])  # seed 3 was not measured after period 2
    assert means(replace(data, references=fewer))["period"].tolist() == [1]


def test_the_page_shows_the_mean_over_seeds(seeds, tmp_path):
    page = hsevo.report(*seeds, out=tmp_path / "page").page.read_text()
    rates = pd.read_csv(tmp_path / "page" / "tables" / "rates.csv")
    last = pd.read_csv(tmp_path / "page" / "tables" / "means.csv").iloc[-1]
    own = rates[rates["period"] == 2]
    assert own["run"].tolist() == ["whole", "seed-2", "seed-3"]
    assert last["rate"] == pytest.approx(own["rate"].mean())
    ends = f" ({100 * last['rate_low']:.1f}\xa0to\xa0{100 * last['rate_high']:.1f})"
    said = f"{100 * last['rate']:.1f}{ends * (own['rate'].nunique() > 1)}"
    assert f"<td class=\"word\">mean over 3 seeds</td><td class=\"word\">random</td><td class=" \
           f"\"word\">{said}</td>" in page
    assert "the mean over 3 runs that differ only in their seed" in page
    svg = (tmp_path / "page" / "figures" / "rates.svg").read_text()
    assert f"mean over 3 seeds: {100 * last['rate']:.1f} %" in svg
    one = hsevo.report(seeds[0], out=tmp_path / "one")
    assert "tables/means.csv" not in one.files


@pytest.mark.usefixtures("undrawn")
def test_a_report_of_two_runs_does_not_replace_that_of_the_first(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    other = shutil.copytree(run.path, tmp_path / "other")
    found = [hsevo.report(*runs).page.parent for runs in ((run,), (run, other))]
    assert found == [Path("reports/whole"), Path("reports/whole-and-other")]
    many = Sources(tuple(Path("x" * 50) for _ in range(5)), ())
    assert many.folder == f"{'x' * 50}-and-4-more"
    for name, runs, said in (("ä" * 50, 3, f"{'ä' * 50}-and-2-more"), ("x" * 250, 1, "x" * 250)):
        some = Sources(tuple(Path(name) for _ in range(runs)), ())
        assert some.folder == said  # of at most 255 bytes


def test_one_measurement_against_two_opponents_is_drawn(tmp_path):
    """Two panels that share an axis with a single period."""
    run = learned(tmp_path / "run", changes={
        "periods": 1, "references": {"against": ["random", "noaggression"], "games": 8}})
    assert run.references["period"].tolist() == [0, 0]
    assert "figures/rates.svg" in hsevo.report(run, out=tmp_path / "page").files


def stopped(path):
    """Return the path of a run that was stopped in its second period."""
    def stop(done, total):
        if done >= 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learned(path, progress=stop)
    return path


@pytest.mark.usefixtures("undrawn")
def test_an_unfinished_run_says_what_it_lacks(tmp_path):
    page = hsevo.report(stopped(tmp_path / "stopped"), out=tmp_path / "page").page.read_text()
    assert "Checkpoints play each other when the run is done." in page
    assert "--resume" in page


def test_all_commands_of_the_page_start(run, tmp_path, monkeypatch):
    """The plan names the run's own folder, here with a space, which no new run can have."""
    monkeypatch.chdir(tmp_path)
    path = shutil.copytree(run.path, tmp_path / "a run")
    assert run.plan.out
    verbs = {"match", "benchmark", "learn", "verify"}
    for folder, also in ((path, set()), (stopped(tmp_path / "half a run"), {"--resume"})):
        (answer,) = answers(REPORT.load([folder]))
        assert {command.split()[1] for command, _ in answer.next} == verbs
        assert also <= {command.split()[2] for command, _ in answer.next}
        for command, _ in answer.next:
            starts(monkeypatch, command)


def test_a_player_of_another_ruleset_is_measured_by_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = learned(tmp_path / "run", changes={"ruleset": "msg2017", "periods": 1})
    (answer,) = answers(REPORT.load([run.path]))
    (command,) = [one for one, _ in answer.next if " match " in one]
    assert command.endswith(" --ruleset msg2017")
    starts(monkeypatch, command)


def test_a_run_without_a_period(tmp_path, monkeypatch):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learned(tmp_path / "empty", progress=stop)
    with pytest.raises(RunError, match=r"no period yet; .* continue with: hsevo learn") as said:
        hsevo.report(tmp_path / "empty", out=tmp_path / "page")
    starts(monkeypatch, str(said.value).partition("continue with: ")[2])


def test_what_does_not_go_together(run, tmp_path):
    (tmp_path / "evolved").mkdir()
    (tmp_path / "evolved" / "about.json").write_text('{"kind": "hsevo run"}')
    with pytest.raises(ConfigError, match=r"make two reports"):
        hsevo.report(run, tmp_path / "evolved", out=tmp_path / "page")
    with pytest.raises(ConfigError, match="groups need evolved solutions"):
        hsevo.report(run, groups=3, out=tmp_path / "page")
    with pytest.raises(ConfigError, match="the same label"):
        hsevo.report({"a": run}, {"a": shutil.copytree(run.path, tmp_path / "copy")},
                     out=tmp_path / "page")


def test_damaged_tables_are_one_clear_line(run, tmp_path):
    path = shutil.copytree(run.path, tmp_path / "copy")
    (path / "payoff.csv").write_text("a,b\nx,y\n")
    result = CliRunner().invoke(main, ["report", str(path), "--out", str(tmp_path / "page")])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith(f"hsevo: {path / 'payoff.csv'} is damaged")


def test_a_match_of_only_some_decks_says_so(run, monkeypatch, capsys):
    _print(run)
    assert "To measure it in new games, and to see" in capsys.readouterr().out
    monkeypatch.setattr("hsevo.reports.learned.MATCH_DECKS", 1)
    _print(run)
    said = capsys.readouterr().out
    assert "To measure it in new games with the first 1 of its 2 decks, and to see" in said
    assert "--decks mage\n" in said
    (answer,) = answers(REPORT.load([run.path]))
    assert answer.next[0][1] == "measure it in new games, with the first 1 of its 2 decks"
