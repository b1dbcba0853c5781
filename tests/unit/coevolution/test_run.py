"""A coevolution with true games: its tables add up, its champion can be played; its words."""

import html
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo import config
from hsevo.agents.genomes.weights import write_weights
from hsevo.coevolution.confirm import LAST
from hsevo.coevolution.run import Coevolution
from hsevo.config import change
from hsevo.config.coevolution import Plan
from hsevo.engine.jit import INTERPRETED
from hsevo.strength.rating import Estimate
from tests.support.command import fails
from tests.support.command import hsevo as call

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plays games")

SMOKE = config.load("coevolve-smoke", model=Plan)
SMALL: dict[str, Any] = {
    "generations": 3, "games": 2, "decks.first": 5, "decks.mu": 2, "decks.lambda": 3,
    "weights.mu": 2, "weights.lambda": 3, "hall.size": 2, "reference.games": 2,
    "reference.against": ["warrior", {"deck": "shaman", "agent": "random", "share": 2}],
    "confirm.games": 4, "confirm.choosing": 2}


def coevolve(out: Path, changes: dict[str, Any] | None = None, **how: Any) -> hsevo.Coevolution:
    return hsevo.coevolve("coevolve-smoke", out=out, changes=SMALL | (changes or {}),
                          **{"backend": "serial"} | how)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return coevolve(tmp_path_factory.mktemp("coevolution") / "run").path


def test_what_is_reported_is_of_games_that_chose_nothing(made: Path) -> None:
    run = hsevo.Coevolution(made)
    games = run.table("confirmed.csv")
    last = games[games["stage"] == LAST]
    assert last["games"].tolist() == [4] * 8
    first = last.head(2)
    points = (first["wins"] + first["draws"] / 2) / first["games"]
    assert run.rate.value == pytest.approx((points.iloc[0] + 2 * points.iloc[1]) / 3)  # by shares
    assert isinstance(run.rate, Estimate)
    assert run.rate.low < run.rate.value < run.rate.high
    best = run.confirmed.iloc[0]
    assert run.confirmed[["deck", "pilot"]].to_numpy().tolist() == [
        [best["deck"], best["pilot"]], [best["deck"], "eva:2018"], ["mage", best["pilot"]],
        ["mage", "eva:2018"]]
    chosen = games[games["stage"] == "chosen"].groupby(["deck", "pilot"])[["wins", "draws"]].sum()
    points = chosen["wins"] + chosen["draws"] / 2
    assert points[best["deck"], best["pilot"]] == points.max()


def test_the_champion_can_be_played(made: Path) -> None:
    run = hsevo.Coevolution(made)
    assert run.deck.hero == "Mage"
    assert len(run.deck) == 30
    number = int(run.confirmed["pilot"].iloc[0].removeprefix("individual-"))
    stored = run.weights.set_index("individual").loc[number]
    assert run.agent.weights.to_numpy() == pytest.approx(
        stored[run.agent.weights.index].to_numpy(float))
    assert hsevo.match(run.agent, "random@mage", games=2, backend="serial").played == 2


def test_tables_add_up(made: Path) -> None:
    run = hsevo.Coevolution(made)
    matches, lines = run.table("matches.csv"), run.generations
    references = run.table("references.csv")
    assert references["generation"].tolist() == [1, 1]
    for table in (matches, references):
        assert (table[["wins", "draws", "losses"]].sum(axis=1) == table["games"]).all()
    assert (matches.groupby("generation")["games"].sum().add(
        references.groupby("generation")["games"].sum(), fill_value=0).tolist()
            == lines["games"].tolist())
    assert lines["hall"].tolist() == [2, 3, 3]
    assert lines["left"].tolist() == [-1, -1, lines["left"].iloc[-1]]
    assert len(run.hall) == 3
    assert run.hall["generation"].tolist()[0] == -1
    assert run.reference["games"].tolist() == [4]
    best = lines.iloc[-1]
    rows = matches[(matches["generation"] == 2) & (matches["population"] == "decks")
                   & (matches["number"] == best["deck"])]
    assert best["deck_rate"] == pytest.approx(
        (rows["wins"] + rows["draws"] / 2).sum() / rows["games"].sum())
    state = run.state
    assert (state.left, state.done) == (0, True)


def test_it_is_played_again_as_a_whole(made: Path) -> None:
    report = hsevo.Coevolution(made).verify(backend="serial")
    assert report.problems == []
    assert report.generations == 3
    assert report.games == (5 + 2) * 4 * 2 + 2 * 3 * 2 + 4 * 2 * 4


def test_a_forged_result_does_not_verify(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Coevolution._stored_results

    def better(run: Coevolution) -> Any:
        found = stored(run)
        results = found[0]["weights"][1]
        results["wins"][0] = np.where(results["wins"][0] == 0, 1, results["wins"][0] - 1)
        return found

    monkeypatch.setattr(Coevolution, "_stored_results", better)
    problems = hsevo.Coevolution(made).verify(backend="serial").problems
    assert problems
    assert any("weights 0 in generation 0" in one or "repeated" in one for one in problems)


def test_it_is_watched_reported_and_written_as_json(made: Path, tmp_path: Path) -> None:
    run = hsevo.Coevolution(made)
    said = " ".join(call("watch", "--once", made).stdout.split())
    assert "generation 2 of 2" in said
    assert f"{100 * run.rate.value:.1f} % ({100 * run.rate.low:.1f} to" in said
    assert "2 figures" in call("report", made, "--out", tmp_path / "page").stdout
    page = (tmp_path / "page" / "report.html").read_text()
    assert f"{100 * run.rate.value:.1f} %" in html.unescape(page).replace("\xa0", " ")
    for name in ("reference", "parts", "match-ups", "weights", "hall"):
        assert len(pd.read_csv(tmp_path / "page" / "tables" / f"{name}.csv"))
    found = json.loads(call("watch", "--json", made).stdout)
    assert found["deck"]["code"] == run.deck.code
    assert {*found["rate"]} == {"value", "low", "high"}


def test_one_that_is_not_finished_says_so(tmp_path: Path) -> None:
    run = hsevo.Coevolution.create(change(SMOKE, SMALL), tmp_path / "run")
    assert "no generation yet" in call("watch", "--once", run.path).stdout
    with pytest.raises(hsevo.HsevoError, match="no champion yet; continue with: hsevo coev"):
        _ = run.deck
    assert "has no generation yet" in fails("report", run.path, "--out", tmp_path / "page")
    assert "this command needs a run of hsevo evolve" in fails("evolve", "--resume", run.path)


def test_files_beside_a_config_are_found_from_anywhere(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "its.txt").write_text(hsevo.Deck("mage", name="its").text)
    write_weights(folder / "weak.yaml", ["weak"], np.full((1, 21), 0.5))
    (folder / "small.yaml").write_text(
        "pool: {class: mage}\ngenerations: 1\ngames: 2\n"
        "decks: {first: 1, mu: 1, start: [its.txt]}\n"
        "weights: {mu: 1}\nhall: {first: ['eva:weak.yaml@its.txt'], opponents: 1, partners: 1}\n"
        "reference: {against: [its.txt], pilot: eva:weak.yaml}\n"
        "confirm: {games: 2, choosing: 2}\n")
    run = hsevo.coevolve(folder / "small.yaml", out=tmp_path / "run", backend="serial")
    assert [deck.name for deck in run.reference_pairs.field.decks] == ["its"]
    assert run.hall["deck"].tolist() == ["its", "deck-0"]


def test_a_search_for_decks_is_told_what_a_coevolution_is(here: Path) -> None:
    assert "it is a coevolution: hsevo coevolve --config user-deck" in fails(
        "decks", "evolve", "--config", "user-deck")


def test_minutes_plan_generations(tmp_path: Path) -> None:
    run = hsevo.Coevolution.create(SMOKE, tmp_path / "run", minutes=1)
    assert run.plan.generations > 6
