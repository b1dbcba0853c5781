"""The top of a report: who is best, how strong, what was played, what to do next."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo.errors import RunError, names_or_count
from hsevo.evolution.run import Run
from hsevo.experiments.watching import spent
from hsevo.pictures import picture, tip, wins, wins_of
from hsevo.reports import answer, arenas, charts, maps, page
from hsevo.reports.sections import REPORT
from hsevo.store import sums
from hsevo.strength import champion_file
from hsevo.strength.champions import Best, last_population
from hsevo.strength.roster import read_agent

pytestmark = pytest.mark.usefixtures("undrawn")


def test_the_best_is_named_with_its_rates_against_the_reference(folder: Path) -> None:
    data = REPORT.load([folder / "whole"])
    found, = answer.of_runs(data, [])
    lines = pd.read_csv(folder / "whole" / "references.csv")
    last = lines[lines["generation"] == 3].set_index("execution")
    best = last["rate"].idxmax()
    row = last.loc[best]
    assert found.agent == (f"eva:{folder / 'whole'}#execution-{best}-individual-"
                           f"{row['individual']}")
    assert found.rates == [("random", f"{100 * row['rate']:.1f} % ({100 * row['rate_low']:.1f} to"
                                      f" {100 * row['rate_high']:.1f}) of {row['games']} games")]
    assert "selected by this rate among 3 executions" in found.says[1]
    games = pd.read_csv(folder / "whole" / "statistics.csv")["games"].sum()
    assert found.facts["games"] == (f"{games:,} in the evolution, {lines['games'].sum():,} against"
                                    " the external reference opponents")
    assert found.facts["seed"] == "1"
    assert found.facts["generations"] == "4 of 4, 3 executions"
    assert [command.split()[1] for command, _ in found.next] == [
        "export-best", "examine", "benchmark", "arena", "replay"]


def test_without_a_measurement_the_best_is_that_of_the_spec_of_the_run(
        tmp_path: Path, fake_engine: None) -> None:
    path = tmp_path / "run"
    hsevo.evolve("smoke", executions=2, seed=10, backend="serial", out=path)
    found, = answer.of_runs(REPORT.load([path]), [])
    assert found.agent == Run(path).best.spec == f"eva:{path}#execution-2-individual-9"
    assert read_agent(found.agent) == read_agent(f"eva:{path}")
    assert ("this one, as in eva:RUN, has the highest fitness, although you can't compare the"
            " fitness of executions, which have different opponents.") in found.says[0]
    commands = [command for command, _ in found.next]
    assert f"hsevo replay {path} --execution 2 --a 9 --html game.html" in commands
    assert any(command.startswith(f"hsevo arena '{found.agent}' ") for command in commands)


def test_a_run_that_is_not_finished_is_gone_on_with_first(folder: Path) -> None:
    found, = answer.of_runs(REPORT.load([folder / "killed"]), [])
    assert found.next[0][0] == f"hsevo evolve --resume {folder / 'killed'}"
    assert [command.split()[1] for command, _ in found.next] == [
        "evolve", "export-best", "examine", "benchmark", "arena", "replay"]


def test_the_champion_of_new_games_leads_and_is_not_asked_for_again(
        folder: Path, tmp_path: Path) -> None:
    path = Path(shutil.copytree(folder / "one", tmp_path / "run"))
    run = Run(path)
    names, rows = last_population(run)
    second = names[1]  # not the best by fitness
    table = pd.DataFrame({"agent": [second, names[0], *names[2:]], "wins": [60, 50, 20, 10],
                          "draws": 0, "losses": [40, 50, 80, 90], "rate": [0.6, 0.5, 0.2, 0.1],
                          "low": 0.05, "high": 0.69})
    best = Best(second, rows["weights"][1], run.genome, table, 2.5, "the 3 others", (names[0],),
                0.7, "its generation")
    champion_file.write(run, best, 20)
    found, = answer.of_runs(REPORT.load([path]), [])
    assert found.agent == f"eva:{path}#{second}"
    assert found.rates[0] == ("the 3 others (draws are not won)",
                              "60.0 % (5.0 to 69.0) of 100 games")
    assert "the whole last population played new games" in found.says[0]
    assert f"the best would be {names[0]}." in found.says[1]
    assert "export-best" not in [command.split()[1] for command, _ in found.next]
    number = second.removeprefix("individual-")
    assert f"hsevo replay {path} --a {number} --html game.html" in dict(found.next)
    assert any(command.startswith(f"hsevo arena 'eva:{path}#{second}' ")
               for command, _ in found.next)
    shown = [section.title for section in REPORT.sections(REPORT.load([path]))]
    assert shown[:2] == ["Strength", "Champion"]

    tree = json.loads((path / champion_file.FILE).read_text())
    for damaged in ({}, tree | {"games": float("inf")}):
        (path / champion_file.FILE).write_bytes(sums.sign(damaged, champion_file.FILE, {}))
        with pytest.raises(RunError, match="is damaged"):
            answer.of_runs(REPORT.load([path]), [])


def test_a_champion_of_an_older_population_is_out_of_date(folder: Path, tmp_path: Path) -> None:
    path = Path(shutil.copytree(folder / "one", tmp_path / "run"))
    run = Run(path)
    names, rows = last_population(run)
    table = pd.DataFrame({"agent": names, "wins": 5, "draws": 0, "losses": 5, "rate": 0.5,
                          "low": 0.2, "high": 0.8})
    best = Best(names[0], rows["weights"][0], run.genome, table, 0.0, "x", (), 0.5, "x")
    champion_file.write(run, best, 20)
    stored = champion_file.read(run)
    assert stored is not None
    assert stored.covers(20)
    assert not stored.covers(21)
    assert stored.best.weights.tolist() == rows["weights"][0].tolist()
    other = Run(folder / "again")
    shutil.copytree(other.path, tmp_path / "other")
    shutil.copy(path / champion_file.FILE, tmp_path / "other")
    assert champion_file.read(Run(tmp_path / "other")) is None


def test_many_decks_are_told_as_a_number() -> None:
    assert names_or_count(["mage", "shaman", "mage"]) == "mage, shaman"
    assert names_or_count(f"deck-{i}" for i in range(430)) == "430 decks"


def test_an_arena_says_who_leads_and_whether_that_is_sure(field: Path) -> None:
    played = arenas.read(field)
    found, row = answer.of_arena(played), played.table.iloc[0]
    assert found.agent == row["agent"]
    assert (row["lead_low"] > 0) == ("by more than chance" in found.says[0])
    assert found.facts["games"] == "360"


def test_the_time_of_a_run_leaves_its_stops_out(tmp_path: Path) -> None:
    assert spent(tmp_path) == 0.0
    (tmp_path / "log.txt").write_text(
        "2026-01-01 10:00:00 begin with threads, 2 workers\n"
        "2026-01-01 10:00:05 generation 0 of 3: best 1\n"
        "2026-01-01 10:00:20 generation 1 of 3: best 1\n"
        "2026-01-02 09:00:00 begin with threads, 2 workers\n"
        "2026-01-02 09:00:07 generation 2 of 3: best 1\n")
    assert spent(tmp_path) == 20 + 7
    (tmp_path / "log.txt").write_text("2026-99-99 10:00:00 begin with threads\n")
    assert spent(tmp_path) == 0.0


def test_sections_that_need_more_data_are_folded(folder: Path) -> None:
    data = REPORT.load([folder / "one"])
    found = {section.title: section for section in REPORT.sections(data)}
    assert found["Groups of solutions"].needs == (
        "Needs several executions: these 4 solutions are related, because they are from one.")
    assert found["Strength"].needs == ""  # it has reference opponents
    text = page.html("x", list(found.values()), answer.of_runs(data, []))
    assert text.index('class="answer"') < text.index("<nav")
    assert text.count('<details class="lacks">') == 1
    several = {section.title: section for section in REPORT.sections(
        REPORT.load([folder / "whole"]))}
    assert several["Groups of solutions"].needs == ""


def test_wins_are_blue_and_losses_orange_and_half_is_white() -> None:
    scale = wins(50, 50)
    assert (scale["vmin"], scale["vmax"]) == (0, 100)
    red, _, blue, _ = np.array([scale["cmap"](share) for share in (0.0, 1.0)]).T
    assert red[0] > blue[0]  # lost: orange
    assert red[1] < blue[1]  # won: blue
    assert tuple(scale["cmap"](0.5)) == (1, 1, 1, 1)
    assert wins_of([49, 51])["vmax"] == 55  # small differences stay pale
    assert wins_of([38.2, 51])["vmin"] == 35
    assert wins_of([np.nan])["vmax"] == 55
    assert wins_of([0, 100])["vmin"] == 0


def test_an_axis_of_a_narrow_band_does_not_begin_at_0() -> None:
    assert charts.axis_range(0, 100) == (0, 105)
    assert charts.axis_range(900, 1000) == (892, 1008)
    assert charts.axis_range(0, 0) == (0, 1)
    low, high = charts.axis_range(7, 7)
    assert low < 7 < high


def test_a_part_of_a_picture_says_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # this one is written

    def draw(figure: object) -> None:
        axes = figure.subplots()  # type: ignore[attr-defined]
        axes.set_xlim(0, 10)
        axes.set_ylim(0, 10)
        tip(axes, (2, 4), (5, 10), 'a < "b"')
        tip(axes, None, (0, 5), "below", {"a": '"<b>', "b": "eva:2018"})

    svg = picture(draw, 3.0).svg.decode()
    assert "<title>a &lt; &quot;b&quot;</title>" in svg
    assert svg.count(' data-games="a=%22%3Cb%3E&amp;b=eva%3A2018"><title>below') == 1
    assert svg.count("data-games") == 1
    first, second = (part.split('"') for part in svg.split("<rect ")[1:3])
    width, height = float(second[5]), float(first[7])
    assert float(first[5]) == pytest.approx(0.2 * width, abs=0.1)
    assert height == pytest.approx(float(second[7]), abs=0.1)
    assert float(first[3]) + height == pytest.approx(float(second[3]), abs=0.1)  # above it


def test_cells_of_a_matrix_say_their_rates() -> None:
    table = pd.DataFrame({"deck": ["x"], "opponent_deck": ["x"], "rate": [0.5], "low": [0.4],
                          "high": [0.6], "games": [1234]})
    assert maps._won(table.iloc[0].to_dict()) == "x against x: 50.0 % (40.0 to 60.0) of 1,234 games"
