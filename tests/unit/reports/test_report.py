"""The report: tables by hand, groups and tests, the page, and runs in every state."""

import re
import shutil
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hsevo.agents.genomes.weights import read_weights
from hsevo.cli.report import _labelled
from hsevo.errors import RunError
from hsevo.pictures import INK, Picture, picture
from hsevo.reports import charts, groups, noise, page, sections, tables
from hsevo.reports.sections import REPORT
from tests.support import DATA
from tests.support.command import fails, hsevo
from tests.support.sums import sign

PUBLISHED = DATA / "published_2018.csv"
FIGURES = {"fitness", "lifespans", "ages", "newcomers", "sigmas", "champions", "progress",
           "progress-by-games", "noise", "weights-battlefield", "weights-minion", "decks",
           "groups", "silhouettes", "groups-against-all", "groups-head-to-head"}


def refused(*words: object) -> str:
    """Return the last line of what a failing command says."""
    return fails(*words).splitlines()[-1]


@pytest.fixture(scope="module")
def whole(folder: Path) -> tables.Evolutions:
    return REPORT.load([folder / "whole"])


# Tables


def test_survivors_and_lifespans_re_add_to_the_population(
        folder: Path, whole: tables.Evolutions) -> None:
    people = pd.read_csv(folder / "whole" / "population.csv")
    stay = tables.survivors(whole)
    assert len(stay) == people["survived"].sum() == 3 * 4 * 4
    assert stay["fitness"].sum() == people.loc[people["survived"] == 1, "wins"].sum()
    lives = tables.lifespans(whole)
    assert lives["alive"].sum() == 3 * 4
    for row in lives.to_dict("records"):
        own = people[(people["execution"] == row["execution"]) & (people["survived"] == 1)
                     & (people["individual"] == row["individual"])]["generation"]
        assert (row["first"], row["last"]) == (own.min(), own.max())
        assert row["lifespan"] == own.max() - own.min()
        assert row["alive"] == (own.max() == 3)
    assert (lives["lifespan"] + 1).sum() == len(stay)  # a survivor survives without a gap


def test_newcomers_are_counted_over_executions(folder: Path, whole: tables.Evolutions) -> None:
    lines = pd.read_csv(folder / "whole" / "statistics.csv").set_index("generation")["new"]
    table = tables.newcomers(whole)
    assert table["generation"].tolist() == [1, 2, 3]
    assert table["executions"].tolist() == [3, 3, 3]
    for row in table.to_dict("records"):
        assert row["mean"] == lines[row["generation"]].mean()


def test_the_band_of_a_mean_by_hand() -> None:
    table = pd.DataFrame({"g": [1, 1, 1, 2], "x": [1.0, 2.0, 3.0, 5.0]})
    band = tables.mean_band(table, ["g"], "x")
    assert band["mean"].tolist() == [2, 5]
    half = 4.302652729911275 / np.sqrt(3)  # Student's t with 2 degrees of freedom, at 97.5 %
    assert band["low"][0] == pytest.approx(2 - half)
    assert band["high"][0] == pytest.approx(2 + half)
    assert np.isnan(band["low"][1])  # one value has no band


def test_champions_are_the_best_of_their_generations(whole: tables.Evolutions) -> None:
    best = tables.champions(whole)
    assert len(best) == 3 * 4
    people = whole.population
    for row in best.to_dict("records"):
        here = people[(people["execution"] == row["execution"])
                      & (people["generation"] == row["generation"])]
        assert row["wins"] == here["wins"].max()


def test_the_last_matches_re_add_to_the_last_wins(whole: tables.Evolutions) -> None:
    pairs, last = tables.last_matches(whole), whole.last()
    assert len(last) == 3 * 4
    won = pairs.groupby("agent")["wins"].sum()
    assert won.to_dict() == dict(zip(last["agent"], last["wins"], strict=True))
    matrix = groups.deck_matrix(groups.record(pairs))
    assert len(matrix) == 9
    assert matrix["wins"].sum() == last["wins"].sum()
    assert matrix["games"].sum() == 12 * 7 * 9 * 3
    assert (matrix["low"] < matrix["rate"]).all()


def test_runs_of_one_experiment_are_one_series(folder: Path) -> None:
    same = REPORT.load([folder / "whole", folder / "again"])
    assert same.names == ["whole and 1 more"]
    assert tables.newcomers(same)["executions"].tolist() == [4, 4, 4]
    assert len(set(same.last()["agent"])) == 16
    other = REPORT.load([folder / "whole", folder / "one"])
    assert other.names == ["whole", "one"]


def test_runs_of_one_name_are_told_apart(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder / "again", tmp_path / "whole")
    data = REPORT.load([folder / "whole", copy])
    assert list(data.runs) == [f"{folder.name}/whole", f"{tmp_path.name}/whole"]


def test_a_run_and_its_repetition_are_refused(folder: Path, tmp_path: Path) -> None:
    """A copy, the same seed played again, and one of fewer executions: all the same games."""
    copy = shutil.copytree(folder / "whole", tmp_path / "copy")
    assert refused("report", folder / "whole", copy, "--out", tmp_path / "out") == (
        f"hsevo: {copy} repeats {folder / 'whole'}: it has the same config and seed 1, so the"
        " same results; give only one of them")
    killed = refused("report", folder / "killed", folder / "again", folder / "whole")
    assert f"{folder / 'whole'} repeats {folder / 'killed'}" in killed
    assert not (tmp_path / "out").exists()


def test_series_are_called_as_asked(folder: Path, tmp_path: Path) -> None:
    paths = [folder / name for name in ("whole", "again", "one")]
    assert REPORT.load(paths, ["", "paper", "short"]).names == ["paper", "short"]
    assert REPORT.load(paths, ["", "", "short"]).names == ["whole and 1 more", "short"]
    words = [f"paper={paths[0]}", f"other={paths[1]}"]
    assert "they are one experiment" in refused("report", *words, "--out", tmp_path / "out")
    words = [f"paper={paths[0]}", f"paper={paths[2]}"]
    assert "two different experiments" in refused("report", *words, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert _labelled(f"a=b={paths[0]}") == {"a=b": paths[0]}  # what stands before the last sign
    assert _labelled(str(paths[2])) == {"": paths[2]}


# Luck


def test_more_experiments_than_colours_are_refused(folder: Path, tmp_path: Path) -> None:
    copies = [Path(shutil.copytree(folder / "one", tmp_path / f"{i}")) for i in range(8)]
    for i, copy in enumerate(copies):
        for name, old, new in (("config.yaml", "max_turns: .*", f"max_turns: {50 + i}"),
                               ("about.json", '"config": .*,', "")):  # its digest
            text = (copy / name).read_text()
            (copy / name).write_text(re.sub(old, new, text))
        sign(copy)
    assert len(REPORT.load(copies[:7]).names) == 7
    with pytest.raises(RunError, match="8 different experiments, but a report can draw at most 7"):
        REPORT.load(copies)


def test_luck_by_hand() -> None:
    # 0 and 1 meet twice, 4 games each: 3 and 1 won by 0.
    matches = pd.DataFrame({"a": [0, 1], "b": [1, 0], "deck_a": "x", "deck_b": "x",
                            "games": 4, "wins_a": [3, 3], "wins_b": [1, 1], "draws": 0})
    observed, luck, binomial = noise.variances(tables.two_sides(matches), np.array([1, 0]))
    # Both won 4 of 8. A match has V = 3 * 1 / 3 = 1, so that the luck of each is 2 / 64; and what
    # one wins the other loses: 2 / 64 more, averaged over the two ordered pairs.
    assert (observed, luck) == (0, 2 / 64 + 2 / 64)
    assert binomial == pytest.approx(0.25 / 7)


def test_luck_of_one_game_is_unknown(recwarn: pytest.WarningsRecorder) -> None:
    """As of two individuals with one deck that meet once; a warning would reach the user."""
    matches = pd.DataFrame({"a": [0], "b": [1], "deck_a": "x", "deck_b": "x", "games": 1,
                            "wins_a": [1], "wins_b": [0], "draws": 0})
    observed, luck, binomial = noise.variances(tables.two_sides(matches), np.array([0, 1]))
    assert observed == 0.5
    assert np.isnan([luck, binomial]).all()
    assert not recwarn.list
    row = {"series": "tiny", "who": "field", "generation": 0, "observed": observed, "noise": luck}
    assert charts._luck_words(pd.DataFrame([row])) == "tiny: 70.71 points, by luck alone unknown"
    assert sections._part(luck, observed) == "unknown, because each individual has one game"


def test_luck_is_unbiased_where_all_are_equal() -> None:
    """Six who win each deck pair alike: their rates vary by luck alone."""
    random, n, games = np.random.default_rng(1), 6, 10
    first, second = np.triu_indices(n, 1)
    chance = np.array([0.9, 0.5, 0.2, 0.4])  # of a with each of four deck pairs
    a, b = np.repeat(first, 8), np.repeat(second, 8)
    swap = np.tile(np.arange(8) >= 4, len(first))  # then b sits in a's place
    a, b = np.where(swap, b, a), np.where(swap, a, b)
    totals = np.zeros(3)
    for _ in range(400):
        wins = random.binomial(games, np.tile(chance, 2 * len(first)))
        sides = tables.two_sides(pd.DataFrame({
            "a": a, "b": b, "deck_a": "x", "deck_b": "x", "games": games, "wins_a": wins,
            "wins_b": games - wins, "draws": 0}))
        totals += noise.variances(sides, np.arange(n))
    assert totals[1] / totals[0] == pytest.approx(1, abs=0.06)
    assert totals[2] > totals[1]  # the plain binomial is too large here


def test_luck_of_runs(whole: tables.Evolutions) -> None:
    table = noise.noise(whole)
    assert table["who"].value_counts().to_dict() == {"field": 12, "parents": 9}
    first = table.iloc[0]
    people = whole.population.query("execution == 1 and generation == 0")
    games = people[["wins", "draws", "losses"]].sum(axis=1)
    assert first["observed"] == pytest.approx((people["wins"] / games).var())
    assert first["individuals"] == 4


# Groups


def test_published_solutions_fall_into_the_papers_four_groups() -> None:
    names, weights = read_weights(PUBLISHED)
    found = groups.cluster(list(names), weights)
    assert found is not None
    assert np.bincount(found.members["group"]).tolist() == [0, 10, 34, 22, 34]
    scores = found.silhouettes.set_index("groups")["silhouette"]
    assert scores[4] == pytest.approx(0.0935, abs=5e-5)
    assert scores.idxmax() == 42
    order = found.members.sort_values("leaf")["group"].tolist()
    assert order == sorted(order)  # numbered from the left of the tree


def test_a_peak_of_silhouettes() -> None:
    assert groups.first_peak({2: 0.1, 3: 0.2, 4: 0.15, 5: 0.9}) == 3
    assert groups.first_peak({2: 0.1, 3: 0.2, 4: 0.3}) == 4
    assert groups.first_peak({2: 0.3}) == 2


def test_groups_can_be_asked_for_and_need_four_solutions() -> None:
    random = np.random.default_rng(1)
    weights = np.concatenate([random.normal(x, 0.01, (3, 21)) for x in (0.1, 0.5, 0.9)])
    names = [str(i) for i in range(9)]
    found = groups.cluster(names, weights)
    assert found is not None
    assert found.members["group"].nunique() == 3
    assert found.members.groupby("group").size().tolist() == [3, 3, 3]
    two = groups.cluster(names, weights, 2)
    assert two is not None
    assert two.members["group"].max() == 2
    assert groups.cluster(names[:3], weights[:3]) is None
    assert groups.cluster(names, np.zeros((9, 21))) is None


def test_a_rank_sum_test_by_hand() -> None:
    # Of the 20 ways to draw 3 of 6 ranks, one is as low as this, and one as high.
    assert groups.compare([1, 2, 3], [4, 5, 6]) == (3, 3, 2, 5, 0, pytest.approx(2 / 20))
    assert groups.compare([4, 5, 6], [1, 2, 3])[4] == 1
    assert groups.compare([1, 1], [1, 1])[4:] == (0.5, pytest.approx(1))


def duel() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return PAIRS and members: p, q of group 1 meet r, s of group 2 with two decks."""
    rows = []
    for a in "pq":
        for b in "rs":
            for deck_a in "xy":
                for deck_b in "xy":
                    wins = 8 if deck_a == "x" else 5
                    rows.append((a, b, deck_a, deck_b, 10, wins, 10 - wins, 0))
    columns = ["a", "b", "deck_a", "deck_b", "games", "wins_a", "wins_b", "draws"]
    members = pd.DataFrame({"agent": list("pqrs"), "group": [1, 1, 2, 2], "leaf": range(4)})
    return tables.two_sides(pd.DataFrame(rows, columns=columns)), members


def test_groups_against_anybody_and_head_to_head_by_hand() -> None:
    pairs, members = duel()
    table = groups.against_all(groups.record(pairs), members).set_index(["deck", "opponent_deck"])
    assert len(table) == 4
    line = table.loc["x", "y"]  # p, q won 8 of 10 with x; r, s with x against y won 5 of 10
    assert (line["median_first"], line["median_second"], line["superiority"]) == (0.8, 0.5, 1)
    direct = groups.head_to_head(pairs, members).set_index(["deck", "opponent_deck"])
    assert len(direct) == 4
    line = direct.loc["x", "y"]  # x against y: p, q won 8 of 10, and r, s with y the other 2
    assert (line["median_first"], line["median_second"], line["superiority"]) == (0.8, 0.2, 1)
    assert direct.loc["y", "x"]["superiority"] == 0.5
    assert (direct["p_adjusted"] >= direct["p"]).all()


# The page


class _Page(HTMLParser):
    """What a page refers to, its ids, and whether its elements are closed in order."""

    EMPTY = frozenset({"meta", "path", "use", "br", "img", "rect"})

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.styled: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)
        for name, value in attrs:
            self.styled += [tag] if name == "style" else []
            if name in ("src", "href", "xlink:href", "srcset", "data"):
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read_page(path: Path) -> _Page:
    """Read a report and check that it needs nothing from outside its folder."""
    text, parsed = (path / "report.html").read_text(encoding="utf-8"), _Page()
    parsed.feed(text)
    assert parsed.open == []
    assert not {"img", "image", "link", "iframe", "object"} & set(parsed.tags)
    assert parsed.tags.count("script") == parsed.tags.count("style") == 1
    assert "Content-Security-Policy" in text
    assert parsed.styled == []  # the policy would not apply them
    assert "@import" not in text
    assert "<metadata" not in text
    assert INK not in text.partition("</style>")[2]  # it is currentColor
    assert len(parsed.ids) == len(set(parsed.ids))
    for link in parsed.links:
        assert link.removeprefix("#") in parsed.ids or (path / link).is_file()
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(parsed.ids)
    return parsed


def test_a_report_of_a_run(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    result = hsevo("report", folder / "whole", "--out", out)
    assert result.exit_code == 0, result.output
    assert "16 figures" in result.stdout
    assert {path.stem for path in (out / "figures").glob("*.svg")} == FIGURES
    assert {path.stem for path in (out / "figures").glob("*.png")} == FIGURES
    assert {path.stem for path in (out / "tables").iterdir()} == FIGURES | {"runs", "centres"}
    seen = read_page(out)
    assert seen.tags.count("svg") == 16
    assert "3 executions" in seen.text
    assert "Run hsevo examine RUN" in seen.text  # there is none here
    assert "Solutions of different executions did not meet" in seen.text
    words = seen.text.replace("\N{NO-BREAK SPACE}", " ")
    assert "(as Fig. 2 of García-Sánchez et al.)" in words
    runs = pd.read_csv(out / "tables" / "runs.csv")
    assert runs["generations"].tolist() == [4, 4, 4]
    assert runs["done"].all()
    for path in (out / "figures").glob("*.svg"):
        assert ET.parse(path).getroot().tag.endswith("svg")
    assert all(path.read_bytes().startswith(b"\x89PNG")
               for path in (out / "figures").glob("*.png"))


@pytest.mark.usefixtures("undrawn")
def test_reports_of_runs_in_every_state(folder: Path, tmp_path: Path) -> None:
    """Killed, and different ones side by side; drawn, but not written to be quicker."""
    for names, figures, text in (
            (["killed"], FIGURES, "not finished"),
            (["killed", "one"], FIGURES, "killed, everyone rated")):
        out = tmp_path / "-".join(names)
        result = hsevo("report", *(folder / name for name in names), "--out", out)
        assert result.exit_code == 0, result.output
        assert {path.stem for path in (out / "figures").glob("*.svg")} == figures
        assert text in read_page(out).text
        several = {"settings.csv", "side-by-side.csv", "weights-compared.csv"}
        there = {path.name for path in (out / "tables").iterdir()}
        assert several & there == (several if len(names) > 1 else set())
    killed = pd.read_csv(tmp_path / "killed" / "tables" / "runs.csv")
    assert killed["generations"].tolist() == [4, 2]
    assert killed["done"].tolist() == [True, False]


@pytest.mark.usefixtures("undrawn")
def test_a_report_of_agents_and_their_games(
        tmp_path: Path, fake_engine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    few = pd.read_csv(PUBLISHED).groupby("run").head(1)
    few.to_csv("few.csv", index=False)
    words = ("arena", "--runs", "few.csv", "--games", 36, "--out", "cup")
    assert hsevo(*words).exit_code == 0
    games = pd.read_csv("cup/games.csv")
    pairs = groups.read_games(Path("cup"))
    assert pairs["games"].sum() == 2 * len(games)
    wins = pd.read_csv("cup/ratings.csv").set_index("agent")["wins"].rename(
        index=lambda spec: spec.removeprefix("eva:few.csv#"))
    assert pairs.groupby("agent")["wins"].sum().to_dict() == wins.to_dict()

    result = hsevo("report", "--agents", "few.csv", "--tournament", "cup", "--groups", 3)
    assert result.exit_code == 0, result.output
    out = Path("reports/few")
    assert pd.read_csv(out / "tables/groups.csv")["group"].nunique() == 3
    given, again = read_weights("few.csv"), read_weights(out / "tables/groups.csv")
    assert given[0] == again[0]  # the table is a file of agents, to the bit
    assert (given[1] == again[1]).all()
    cuts = pd.read_csv(out / "tables/silhouettes.csv")
    assert cuts["groups"].tolist() == list(range(2, 10))
    assert "groups-head-to-head.csv" in {path.name for path in (out / "tables").iterdir()}
    mine = [out / "tables/mine.csv", out / "figures/mine.png", out / "figures/groups.pdf"]
    for path in mine:
        path.write_text("mine")
    hsevo("report", "--agents", "few.csv")  # in the place of the other
    for name in ("tables/groups-head-to-head.csv", "figures/groups-head-to-head.svg",
                 "figures/groups-head-to-head.png"):
        assert not (out / name).exists()
    assert [path.read_text() for path in mine] == ["mine"] * 3
    games.rename(columns={"seed": "old"}).assign(games=2).to_csv("cup/matches.csv", index=False)
    assert groups.read_games(Path("cup"))["games"].eq(2).all()  # a tournament of version 0.5
    result = hsevo("report", "--agents", "few.csv")
    assert "--tournament DIR" in read_page(out).text
    assert "4 figures" in result.stdout


@pytest.mark.usefixtures("undrawn")
def test_one_generation_and_names_are_escaped(folder: Path, tmp_path: Path) -> None:
    name = '<b>&"$x^$'
    run = shutil.copytree(folder / "one", tmp_path / name)
    parts = REPORT.sections(REPORT.load([run]))
    drawn = {one.name for part in parts for one in part.exhibits if one.picture}
    assert drawn == FIGURES - {"newcomers"}
    text = page.html(name, parts)
    assert "<b>" not in text
    assert "&lt;b&gt;&amp;&#34;$x^$: " in page.html(f"{name}: ", parts)
    read = _Page()
    read.feed(text)
    assert name in read.text
    assert "did not meet" not in read.text
    assert "Weights of the last survivors, n = 4, from" in read.text


def test_names_are_no_formulas_in_pictures() -> None:
    table = pd.DataFrame({"series": ["$x^$", "a_b"], "generation": 0, "low": 0, "high": 1, "x": 1})
    assert charts.bands(table, ["$x^$", "a_b"], "x", "x").svg


def test_lifespans_have_ticks_on_whole_generations_alone() -> None:
    table = pd.DataFrame({"series": "a", "lifespan": [0, 1, 2], "weight": [0.0, 1.0, 2.0]})
    lives, weights = (charts.boxes_of([(column, column)], table, ["a"], "").svg
                      for column in ("lifespan", "weight"))
    assert b"<!-- 0.5 -->" not in lives  # matplotlib notes the text of every tick
    assert b"<!-- 1 -->" in lives
    assert b"<!-- 1.25 -->" in weights or b"<!-- 0.5 -->" in weights


def test_pictures_have_the_same_bytes_each_time() -> None:
    def draw(figure: Any) -> None:
        figure.subplots().plot([0, 1], [1, 0], label="a")

    first, second = (picture(draw, 2.0) for _ in range(2))
    assert first == second
    shown = page.inline(first.svg, "one", 'a "b"')
    assert 'aria-label="a &#34;b&#34;"' in shown
    assert "currentColor" in shown
    assert re.search(r"<svg[^>]* (width|height)=", shown) is None
    assert isinstance(first, Picture)


# What is wrong is said


def test_errors_are_one_line(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    whole, out = folder / "whole", ["--out", "out"]
    assert "give one or more run folders" in refused("report")
    assert "give one or more run folders" in refused("report", whole, "--agents", PUBLISHED)
    assert "needs a file of agents" in refused("report", whole, "--tournament", "cup")
    assert "not a run folder" in refused("report", tmp_path)
    assert "given twice" in refused("report", whole, whole)
    nothing = refused("report", "--agents", PUBLISHED, "--tournament", tmp_path)
    assert "hsevo arena --runs" in nothing
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    assert "is not a report; choose another folder" in refused("report", whole, "--out", "full")
    assert "is a file" in refused("report", whole, "--out", "full/mine.txt")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
    assert not (tmp_path / "out").exists()
    assert refused("report", "nowhere", *out).startswith("hsevo: there is no folder nowhere")


def test_damaged_runs_and_tournaments_are_refused(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder / "whole", tmp_path / "copy"))
    part = copy / "matches.parquet" / "execution-02-generation-000001.parquet"
    part.write_bytes(b"rubbish")
    out = tmp_path / "out"
    assert part.name in refused("report", copy, "--out", out)
    assert not out.exists()
    (copy / "statistics.csv").write_text("rubbish")
    assert "statistics.csv" in refused("report", copy, "--out", out)
    empty = Path(shutil.copytree(folder / "one", tmp_path / "empty"))
    for name in ("checkpoint.json", "done"):
        (empty / name).unlink()
    assert "has no generation yet" in refused("report", empty, "--out", out)

    cup = tmp_path / "cup"
    cup.mkdir()
    (cup / "games.csv").write_text("a,b\nx,y\n")
    with pytest.raises(RunError, match="no column deck_a"):
        groups.read_games(cup)
    (cup / "games.csv").write_text("")
    with pytest.raises(RunError, match="damaged"):
        groups.read_games(cup)
    (cup / "games.csv").write_text("a,b,deck_a,deck_b,wins_a,wins_b,draws,faults\n"
                                   "eva:f#x,eva:f#y,d,d,1,0,0,0\n")
    assert "have different agents" in refused("report", "--agents", PUBLISHED, "--tournament",
                                                  cup, "--out", out)


@pytest.mark.parametrize(("file", "column", "said"), [
    ("population.csv", "wins", "the matches do not give the wins"),
    ("population.csv", "fitness", "its best in statistics.csv is not the best of population.csv"),
    ("statistics.csv", "best", "its best in statistics.csv is not")])
def test_a_number_that_was_edited_is_refused(folder: Path, tmp_path: Path, file: str, column: str,
                                             said: str) -> None:
    """A file of the right size, of which one number is another."""
    copy = Path(shutil.copytree(folder / "one", tmp_path / "copy"))
    table = pd.read_csv(copy / file, dtype=str)
    row = table[column].astype(int).idxmax()
    number = table.loc[row, column]
    table.loc[row, column] = number[:-1] + str((int(number[-1]) + 1) % 10)
    table.to_csv(copy / file, index=False)
    sign(copy)
    message = refused("report", copy, "--out", tmp_path / "out")
    assert said in message
    assert "generation 0" in message
    assert not (tmp_path / "out").exists()
