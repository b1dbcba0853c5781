"""Standings in a report: an arena's and a benchmark's tables, as they are, and what is damaged."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hsevo.errors import RunError
from hsevo.reports import arenas, standings
from hsevo.reports.exhibit import Drawn, ReportSection, interval
from hsevo.reports.report import told_apart
from hsevo.strength.comparing import resume_arena
from tests.support.command import fails, hsevo
from tests.support.folders import MINE, play

pytestmark = pytest.mark.usefixtures("undrawn")


def drawn(path: Path, *words: object) -> dict[str, pd.DataFrame]:
    """Make a report with --arena and return its tables."""
    result = hsevo("report", "--arena", path, *words, "--out", "out")
    assert result.exit_code == 0, result.output
    return {file.stem: pd.read_csv(file) for file in Path("out/tables").iterdir()}


def exhibits(path: Path, **sources: Path) -> dict[str, Drawn]:
    """Return the exhibits of an arena, by name."""
    sections = standings.ARENAS.sections(standings.topics(
        [arenas.read(path)], sources, {name: name for name in sources}))
    return {one.name: one for section in sections for one in section.exhibits}


def test_standings_are_the_arenas_own_numbers(field: Path) -> None:
    tables, own = drawn(field), pd.read_csv(field / "ratings.csv")
    assert set(tables) == {"standings", "ratings", "pairs", "decks", "deck-maps"}
    assert tables["standings"].drop(columns="place").equals(own)
    assert tables["standings"]["place"].tolist() == [1, 2, 3, 4, 5]
    assert tables["ratings"].drop(columns="place").equals(own[["agent", "rating", "low", "high"]])
    shown = exhibits(field)["standings"]
    page = shown.on_page
    assert page is not None
    first = own.iloc[0]
    assert page["score, % (95 %)"][0] == (
        f"{100 * first['rate']:.1f} ({100 * first['rate_low']:.1f} to"
        f" {100 * first['rate_high']:.1f})")
    assert "360 games, 144 of each," in shown.caption  # so that they need no column
    assert "games" not in page
    assert page["lead over the next (95 %)"].iloc[-1] == ""


def test_exhibits_of_one_name_have_files_of_their_own() -> None:
    """A run and an arena have decks each: the second once overwrote the first's file."""
    def section(*names: str) -> ReportSection:
        return ReportSection("", [Drawn("", pd.DataFrame(), name=name) for name in names])

    apart = told_apart([section("fitness", "decks"), section("decks"), section("decks")])
    assert [[one.name for one in part.exhibits] for part in apart] == [
        ["fitness", "decks"], ["decks-2"], ["decks-3"]]


def test_decks_are_those_of_the_crosstab(field: Path) -> None:
    shown, result = exhibits(field)["decks"], resume_arena(field)
    rates = result.crosstab("decks")
    own = shown.table.pivot(index="deck", columns="opponent_deck", values="rate")
    assert np.array_equal(own.loc[rates.index, rates.columns], rates, equal_nan=True)
    page = shown.on_page.set_index("score, % (95 %)")
    low, high = (result.crosstab("decks", values=f"rate_{end}") for end in ("low", "high"))
    one, other = rates.index[:2]
    assert page.loc[one, f"against {other}"] == "{:.1f} ({:.1f} to {:.1f})".format(
        *(100 * table.loc[one, other] for table in (rates, low, high)))
    assert page.loc[one, f"against {one}"] == ""


def test_decks_of_an_older_folder_are_added_up(field: Path) -> None:
    whole = exhibits(field)["decks"].table
    (field / "deck_crosstab.csv").unlink()
    assert exhibits(field)["decks"].table.equals(whole)  # agents here play all decks


def test_maps_by_deck_pair_add_up_all_opponents(field: Path) -> None:
    table = drawn(field)["deck-maps"]
    games = pd.read_csv(field / "games.csv")
    name = table["agent"][0]
    assert (table["opponent"] == "all").all()
    for row in table[table["agent"] == name].to_dict("records"):
        first = games[(games["a"] == name) & (games["deck_a"] == row["deck"])
                      & (games["deck_b"] == row["opponent_deck"])]
        second = games[(games["b"] == name) & (games["deck_b"] == row["deck"])
                       & (games["deck_a"] == row["opponent_deck"])]
        won = first["wins_a"].sum() + second["wins_b"].sum()
        drew = first["draws"].sum() + second["draws"].sum()
        assert (row["games"], row["wins"], row["draws"]) == (len(first) + len(second), won, drew)
        assert row["rate"] == pytest.approx((won + drew / 2) / 16)
        assert row["rate_low"] < row["rate"] < row["rate_high"] or row["rate"] in (0, 1)


def test_who_is_mapped(field: Path) -> None:
    cup = arenas.read(field)
    assert len(arenas.to_map(cup, [])) == 3
    last = cup.names[-1]
    picked = [name for name, _ in arenas.to_map(cup, [last])]
    assert {last, cup.names[0], "eva:2018"} <= set(picked)
    assert picked == sorted(picked, key=cup.names.index)
    one = arenas.read(play(Path("one"), agents=MINE[:1], against=[MINE[1], "eva:2018", MINE[2]]))
    ahead = next(name for name in one.names if name != MINE[0])
    assert arenas.to_map(one, []) == [
        (MINE[0], None), *((MINE[0], name) for name in dict.fromkeys([ahead, "eva:2018"]))]
    against = arenas.by_deck_pair(one, MINE[0], "eva:2018")
    assert against["games"].tolist() == [4] * 9
    few = arenas.read(play(Path("few"), agents=MINE[:2], against=[MINE[3], "eva:2018"]))
    assert {name for name, _ in arenas.to_map(few, [])} == set(MINE[:2])  # who met the same


def test_a_benchmark_is_on_the_panels_scale(field: Path) -> None:
    result = hsevo("benchmark", MINE[3], "--panel", "panel-2026", "--games", 18,
                   "--out", "bench", "--backend", "serial")
    assert result.exit_code == 0, result.output
    tables, own = drawn(Path("bench")), pd.read_csv("bench/benchmark.csv")
    assert tables["standings"].drop(columns="place").equals(own)
    assert len(tables["ratings"]) == 16
    assert set(tables["deck-maps"]["agent"]) == {MINE[3]}
    shown = exhibits(Path("bench"))["standings"]
    place = own["agent"].tolist().index(MINE[3]) + 1
    assert f"place {place} of 16" in shown.caption
    assert "against all of them, and against " in exhibits(Path("bench"))["deck-maps"].caption
    assert "mine.csv#x3 ◂" in shown.on_page.to_string()  # type: ignore[union-attr]
    tables = drawn(field, "--arena", "bench")
    assert {"standings-1", "standings-2", "deck-maps-2"} <= set(tables)

    own.assign(games=own["games"] + 1).to_csv("bench/benchmark.csv", index=False)
    assert "count different games" in fails("report", "--arena", "bench")


def test_whose_agents_they_are(field: Path) -> None:
    tables = drawn(field, "--agents", "mine.csv")
    assert {"standings", "weights-minion"} <= set(tables)
    shown = exhibits(field, mine=Path("mine.csv"))
    assert shown["standings"].on_page is not None
    marked = shown["standings"].on_page["agent"].str.endswith("◂")
    assert marked.sum() == 4
    assert "In colour: agents marked ◂" in shown["ratings"].caption
    sections = standings.ARENAS.sections(standings.topics(
        [arenas.read(field)], {"other": Path("other.csv")}, {}))
    assert sections[0].note == ("None of these agents comes from other: name an agent of a run as"
                                " eva:RUN or eva:RUN#ID in the arena.")


def test_a_source_is_known_from_another_folder_too(tmp_path: Path) -> None:
    run = tmp_path / "here" / "runs" / "mine"
    run.mkdir(parents=True)
    names = ["eva:runs/mine#individual-7", f"eva:{run}", "eva:mine", "eva:2018", "random",
             "eva:runs/other", "eva:uns/mine"]
    assert arenas.evolved(names, {"mine": run}) == dict.fromkeys(names[:3], "mine")


def test_the_axis_leaves_out_who_is_behind_the_widest_gap() -> None:
    assert standings.near_ones(np.array([287, 265, 249, 86, 34, -736, -991])) == 5
    assert standings.near_ones(np.array([30, 20, 10, 0])) == 4
    assert standings.near_ones(np.array([75, 31, 24, -15, -150])) == 5  # no gap twice as wide
    assert standings.near_ones(np.array([300, 0, -10])) == 3  # the first alone would be left
    assert standings.near_ones(np.array([5])) == 1


def test_a_picture_has_the_first_and_whom_it_is_about(
        field: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[pd.DataFrame] = []
    monkeypatch.setattr(standings, "MOST_DOTS", 1)
    monkeypatch.setattr(standings, "ratings", lambda table, *_: seen.append(table))
    shown = exhibits(field)["ratings"]
    own = next(name for name in shown.table["agent"] if name in MINE)
    drawn = {own, shown.table["agent"][0]}
    assert set(seen[0]["agent"]) == drawn
    assert f"Not drawn: {5 - len(drawn)} more." in shown.caption


def test_numbers_with_their_intervals() -> None:
    nan = float("nan")
    assert interval((50.06, 48, 52.14)) == "50.1 (48.0 to 52.1)"
    assert interval((-0.2, -1042.4, 7.6), sign=True, digits=0) == "-0 (-1,042 to +8)"
    assert interval((nan, nan, nan)) == ""
    assert interval((3.14, nan, nan), digits=2) == "3.14"


def test_what_is_no_arena_unfinished_or_damaged_is_refused(field: Path) -> None:
    def refused(folder: object, *words: object) -> str:
        lines = fails("report", "--arena", folder, "--out", "out", *words).splitlines()
        assert len(lines) == 1
        assert not Path("out").exists()
        return lines[0]

    assert "there is no folder nowhere" in refused("nowhere")
    Path("played").mkdir()
    Path("played/match.yaml").touch()
    assert refused("played").endswith("run hsevo arena A B --out DIR instead")
    assert "given twice" in refused(field, "--arena", field)
    for name, change, said in (
            ("ratings.csv", None, "is not finished: it has no ratings.csv; continue with:"
                                  " hsevo arena --resume"),
            ("deck_crosstab.csv", lambda text: "", "damaged"),
            ("deck_crosstab.csv", lambda text: text.rpartition("\n")[0].rpartition("\n")[0],
             "count different"),
            ("deck_pairs.csv", None, "cannot read"),
            ("deck_pairs.csv", lambda text: "", "damaged"),
            ("ratings.csv", lambda text: text.replace("rating,", "x,", 1), "no column rating"),
            ("ratings.csv", lambda text: text.replace("eva:2018", "eva:2017"), "differ from"),
            ("ratings.csv", lambda text: text.replace(",144,", ",many,", 1), "no number in"),
            ("deck_pairs.csv", lambda text: "\n".join(text.splitlines()[:-1]), "count different"),
            ("arena.yaml", lambda text: text.replace("format: 1", "format: 9"), "of this hsevo"),
            ("arena.yaml", lambda text: "kind: [", "damaged")):
        copy = Path(shutil.copytree(field, "copy"))
        if change is None:
            (copy / name).unlink()
        else:
            (copy / name).write_text(change((field / name).read_text()))
        assert said in refused("copy"), (name, said)
        shutil.rmtree("copy")
    path = play(Path("one"), agents=MINE[:1], against=MINE[1:])
    (path / "ratings.csv").unlink()
    with pytest.raises(RunError, match="hsevo benchmark --resume"):
        arenas.read(path)


def test_each_agent_against_each_and_whose_they_are(field: Path) -> None:
    shown = exhibits(field)
    table, own = shown["pairs"].table, pd.read_csv(field / "pairs.csv")
    assert len(table) == 5 * 4
    for row in own.to_dict("records"):
        both = (table["agent"] == row["agent"]) & (table["opponent"] == row["opponent"])
        here = table[both].iloc[0]
        assert (here["wins"], here["draws"], here["losses"]) == (
            row["wins"], row["draws"], row["losses"])
    page, first = shown["pairs"].on_page, table[table["agent"] == arenas.read(field).names[0]]
    assert page is not None
    assert page.shape == (5, 6)
    assert page["against 1"][0] == ""  # nobody meets itself
    second = first[first["opponent"] == arenas.read(field).names[1]].iloc[0]
    ends = [f"{100 * second[name]:.1f}" for name in ("rate", "rate_low", "rate_high")]
    assert page["against 2"][0] == "{} ({} to {})".format(*ends)
    assert "Bold, with ◂" in shown["pairs"].caption
    assert arenas.source_of("rl:runs/mine#period-0003") == Path("runs/mine")
    assert arenas.source_of("eva:2018") is None
    assert "EVA of 2018 if it played" not in shown["deck-maps"].caption


def test_commands_for_runs_say_what_an_arena_is_and_what_takes_it(field: Path) -> None:
    said = f"{field} is a finished arena, not a run; call: hsevo report --arena {field}"
    for words in (["report"], ["verify"], ["watch", "--once"]):
        lines = fails(*words, field).splitlines()
        assert len(lines) == 1
        assert said in lines[0]
    Path("else").mkdir()
    assert "not a run folder of hsevo" in fails("report", "else")
