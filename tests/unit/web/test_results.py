"""Runs and results beside the game: a folder of each kind is shown, and what is forged is refused.

Nothing in the folders may change.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

import hsevo
from hsevo.errors import ConfigError, RunError
from hsevo.web import again
from hsevo.web import results as results_module
from hsevo.web.results import Results
from tests.support import fake
from tests.support.folders import learned, make, play
from tests.support.playing import Door, door

KINDS = {"run": "evolution", "deep/killed": "evolution", "cup": "arena", "met": "match",
         "deep/course": "learning run"}


def fill(path: Path) -> None:
    """Write a folder of some kinds; tests/docs/test_folders.py looks at those of all."""
    from hsevo.play import match

    with pytest.MonkeyPatch.context() as patch:
        fake.install(lambda name, value: patch.setattr(match, name, value))
        make(path / "run", **{"evolution.generations": 2})
        make(path / "deep" / "killed", stop=1)
        play(path / "cup", agents=["random", "eva:2018"], against=[])
    learned(path / "deep" / "course", backend="serial", changes={"periods": 1})
    hsevo.match("random", "eva:2018", games=18, out=path / "met", backend="serial")


def bytes_below(path: Path) -> dict[Path, tuple[bytes, int]]:
    return {one: (one.read_bytes(), one.stat().st_mtime_ns)
            for one in sorted(path.rglob("*")) if one.is_file()}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shown")
    fill(path)
    return path


@pytest.fixture(scope="module")
def house(shown: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    before = bytes_below(shown)
    with door(tmp_path_factory.mktemp("house") / "play", show=[shown]) as found:
        yield found
    assert bytes_below(shown) == before


def ids(house: Door) -> dict[str, str]:
    return {one.name: one.id for one in house.hall.results.all}


def test_all_results_are_listed(house: Door) -> None:
    assert {one.name: one.what for one in house.hall.results.all} == KINDS
    assert {one.name for one in house.hall.results.all if one.state != "finished"} == {
        "deep/killed"}
    listed = house.client.get("/results").text
    for name, id in ids(house).items():
        assert f'<a href="/results/{id}">{name}</a>' in listed
        assert f'href="/results/{id}"' in house.client.get("/").text


@pytest.mark.parametrize("name", KINDS)
def test_a_result_has_a_key_figure_with_its_interval(house: Door, name: str) -> None:
    id = ids(house)[name]
    said = house.client.get(f"/results/{id}/figure").json()["figure"]
    assert re.search(r"\d %? ?\(.+ to .+\)", said) or name in ("deep/killed",)
    page = house.client.get(f"/results/{id}").text
    assert f"<h1>{name}</h1>" in page
    assert ('id="now"' in page) == (KINDS[name] != "arena" and KINDS[name] != "match")


@pytest.mark.parametrize("name", ["run", "deep/killed", "deep/course"])
def test_a_run_has_its_curves_as_the_report_draws_them(house: Door, name: str) -> None:
    id = ids(house)[name]
    now = house.client.get(f"/results/{id}/now").text
    assert now.count("<svg") == now.count("<figure") > 0
    assert ('data-goes-on="no"' in now) == (name != "deep/killed")
    assert "style=" not in now


def test_an_unfinished_run_is_drawn_again_when_it_went_on(
        shown: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if a file deep in it grew alone, of which no folder tells."""
    drawn: list[Path] = []
    shutil.copytree(shown / "run", tmp_path / "run")
    deep = tmp_path / "run" / "some" / "where" / "rows.csv"
    deep.parent.mkdir(parents=True)
    deep.touch()
    results, then = Results([tmp_path]), time.time()
    run, = results.all
    for changed, after, times in ((1, 0, 1), (1, 10, 1), (2, 11, 1), (2, 20, 2), (2, 30, 2)):
        monkeypatch.setattr(results_module.time, "monotonic", lambda now=100 + after: now)
        os.utime(deep, (then + 1000 * changed,) * 2)
        results.cached(run, "now", drawn.append)
        assert len(drawn) == times, (changed, after)


def test_a_report_stands_in_the_frame_without_inline_code(house: Door, shown: Path) -> None:
    id = ids(house)["cup"]
    answer = house.client.get(f"/results/{id}/report")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 's")
    assert '<header class="home">' in answer.text
    for inline in ("<style", "<script>", " style=", "onclick"):
        assert inline not in answer.text
    (first, *_) = re.findall(r'href="tables/([\w-]+\.csv)"', answer.text)
    table = house.client.get(f"/results/{id}/tables/{first}")
    assert table.headers["content-type"].startswith("text/csv")
    assert "random" in table.text
    for name in ("nothing.csv", "..%2fratings.csv", "arena.yaml"):
        assert house.client.get(f"/results/{id}/tables/{name}").status_code == 404


def test_games_are_listed_and_stand_on_the_board(house: Door, shown: Path) -> None:
    """The frames are those of the stored game, as the agent of its first side saw it."""
    id = ids(house)["met"]
    listed = house.client.get(f"/results/{id}/games").text
    assert listed.count(">watch</a>") == 18
    assert "random against eva:2018" in listed
    found = hsevo.replay(shown / "met", part=1, chances=0)
    ended = found.session
    answer = house.client.get(f"/results/{id}/games/1/0")
    assert 'src="/static/replay.js"' in answer.text
    assert f'data-frames="/results/{id}/games/1/0/frames"' in answer.text
    told = house.client.get(f"/results/{id}/games/1/0/frames").json()
    assert len(told["frames"]) == len(ended.history) + 1
    assert not any(one["over"] for one in told["frames"][:-1])
    seat = int(found.meeting.b_first)
    assert told["frames"][-1]["over"] == ("won" if ended.winner == seat else "lost")
    assert told["frames"][-1]["view"] == json.loads(json.dumps(ended.view(seat)))
    assert all(isinstance(one["view"]["opponent"]["hand"], int) for one in told["frames"])
    scores = house.client.get(f"/results/{id}/games/1/0/scores")
    assert "sha256" in scores.headers["content-security-policy"]
    for wrong in ("99/0", "0/7"):
        assert house.client.get(f"/results/{id}/games/{wrong}").status_code == 422
    assert "101 to" not in house.client.get(f"/results/{id}/games?from=x").text


def listed(house: Door, id: str, query: str) -> list[tuple[str, ...]]:
    """Return the rows of a list of games: part, agents, decks, result, turns."""
    page = house.client.get(f"/results/{id}/games?{query}")
    assert page.status_code == 200
    return [tuple(re.findall(r"<td[^>]*>([^<]*)</td>", row)) for row in re.findall(
        r"<tr><td.*?</tr>", page.text, re.DOTALL)]


def test_games_are_filtered_and_sorted(house: Door) -> None:
    id = ids(house)["met"]
    every = listed(house, id, "")
    assert [row[0] for row in every] == [str(part) for part in range(18)]
    decks = {row[2] for row in every}
    assert len(decks) > 4
    for a, b in (("mage", "warrior"), ("warrior", "mage")):
        found = listed(house, id, f"a=random&deck_a={a}&deck_b={b}")
        there = [row for row in every if row[1:3] in (
            ("random against eva:2018", f"{a} against {b}"),
            ("eva:2018 against random", f"{b} against {a}"))]
        assert [(row[0], row[4]) for row in found] == [(row[0], row[4]) for row in there]
        assert {row[1:3] for row in found} == {("random against eva:2018", f"{a} against {b}")}
    for agent in ("random", "eva:2018"):  # a result is that of the agent that was asked for
        for result, other in (("won", "lost"), ("lost", "won"), ("drawn", "drawn")):
            assert [row[0] for row in listed(house, id, f"a={agent}&result={result}")] == [
                row[0] for row in every if agent in row[1]
                and row[3] == (result if row[1].startswith(agent) else other)]
    for result in ("won", "lost", "drawn"):
        assert listed(house, id, f"result={result}") == [row for row in every if row[3] == result]
    turns = [int(row[4]) for row in every]
    for order, down in (("longest", True), ("shortest", False)):
        assert [int(row[4]) for row in listed(house, id, f"order={order}")] == sorted(
            turns, reverse=down)
    assert listed(house, id, "a=nobody") == []
    hostile = house.client.get(f"/results/{id}/games?a=%3Cb%3E&order=x&from=-1&deck_a={'x' * 900}")
    assert (hostile.status_code, "<b>" in hostile.text) == (200, False)
    run = listed(house, ids(house)["run"], "")
    assert listed(house, ids(house)["run"], "order=part") == run


def test_cells_of_a_matrix_lead_to_their_games(house: Door) -> None:
    """Every cell of agents and of decks, to games that are there."""
    id = ids(house)["cup"]
    report = house.client.get(f"/results/{id}/report").text
    assert f'data-games-at="/results/{id}/games"' in report
    cells = {unescape(query) for query in re.findall(r'data-games="([^"]+)"', report)}
    assert any("a=" in query and "deck_a=" in query for query in cells)
    counted = {query: len(listed(house, id, query)) for query in cells}
    assert all(counted.values()), counted
    run = house.client.get(f"/results/{ids(house)['run']}/report").text
    assert "data-games=" not in run or "data-games-at" in run


def test_a_game_is_not_played_again_for_ever(
        shown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again, "SECONDS", -1.0)
    with pytest.raises(RunError, match="replaying this game takes more than"):
        again.whole(shown / "met", 0, 0)


def test_cards_stand_in_the_frame(house: Door) -> None:
    answer = house.client.get("/cards")
    assert "Fireball" in answer.text
    assert '<header class="home">' in answer.text
    assert "<style" not in answer.text
    for name in re.findall(r"/static/([\w.]+)", answer.text):
        assert house.client.get(f"/static/{name}").status_code == 200, name


@pytest.mark.parametrize("id", ["nothing", "%2e%2e%2frun", "run", "0" * 12])
def test_no_request_names_a_folder(house: Door, id: str) -> None:
    for rest in ("", "/report", "/tables/ratings.csv"):
        assert house.client.get(f"/results/{id}{rest}").status_code == 404


def test_what_a_result_lacks_is_not_there(house: Door) -> None:
    assert house.client.get(f"/results/{ids(house)['met']}/report").status_code == 404
    assert house.client.get(f"/results/{ids(house)['cup']}/now").status_code == 404


def test_nothing_is_shown_without_folders_or_a_cookie(tmp_path: Path) -> None:
    with door(tmp_path / "play", enter=False) as house:
        for path in ("/results", "/results/1", "/cards"):
            assert house.client.get(path).status_code == 401
        house.enter()
        assert "hsevo play --show" in house.client.get("/results").text
    with pytest.raises(ConfigError, match="no folder 'gone' to show"):
        Results(["gone"])


def test_forged_folders_are_one_clear_line(shown: Path, tmp_path: Path) -> None:
    forged = tmp_path / "forged"
    for name in ("link", "pipe", "damaged", "<b>", "nested"):
        shutil.copytree(shown / "cup", forged / name)
    (forged / "link" / "ratings.csv").unlink()
    (forged / "link" / "ratings.csv").symlink_to("/etc/passwd")
    os.mkfifo(forged / "pipe" / "more.csv")
    (forged / "damaged" / "ratings.csv").write_text("root:x:0\n")
    (forged / "<b>" / "deck_pairs.csv").write_text("<script>alert(1)</script>\n1,2\n")
    (forged / "nested" / "arena.yaml").write_text("[" * 5000)
    (forged / "run").mkdir()
    (forged / "run" / "about.json").write_text('{"kind": "hsevo run", "format": {"a": []}}')
    (forged / "away").symlink_to(shown / "run")
    before = bytes_below(shown)
    with door(tmp_path / "play", show=[forged]) as house:
        found = ids(house)
        assert {*found} == {"link", "pipe", "damaged", "<b>", "nested", "run"}
        for name, id in found.items():
            why = house.client.get(f"/results/{id}/figure").json()["why"]
            assert "\n" not in why
            assert len(why) < 300
            assert str(tmp_path) not in why
            assert "root:" not in why
            answer = house.client.get(f"/results/{id}/report")
            assert answer.status_code == 422
            assert 'role="alert"' in answer.text
            assert "<b>/" not in answer.text
            assert "<script>" not in answer.text
            assert house.client.get(f"/results/{id}").status_code == 200, name
        assert "leads out of the folder" in house.client.get(
            f"/results/{found['link']}/report").text
        assert "a pipe or a device" in house.client.get(f"/results/{found['pipe']}/report").text
        assert 'class="problem"' in house.client.get(f"/results/{found['run']}/now").text
    assert bytes_below(shown) == before


def test_what_is_too_large_is_refused(shown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results_module, "MOST_BYTES", 1000)
    with pytest.raises(RunError, match="too large for these pages"):
        next(one for one in Results([shown]).all if one.name == "cup").safe()
