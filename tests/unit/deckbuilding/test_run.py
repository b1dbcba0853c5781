"""A search for decks with true games: its tables add up, its best can be played; its words."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import hsevo
from hsevo.cards.decks import Deck, check_deck
from hsevo.deckbuilding.run import DeckEvolution
from hsevo.engine.jit import INTERPRETED
from hsevo.reports import deck_searches
from hsevo.strength.rating import Estimate
from tests.support.command import hsevo as call

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plays games")

SMALL: dict[str, Any] = {"games": 2, "search.first": 8, "search.mu": 3, "search.lambda": 6,
                         "search.generations": 3, "confirm.games": 4, "confirm.best": 2}
MAP = {"search.strategy": "map-elites", "search.cells": [4, 4], "confirm.elites": 2,
       "search.features": ["hand", "turns"], "pilots": ["random", "greedy:metastone"]}


def evolve(out: Path, changes: dict[str, Any] | None = None, **how: Any) -> hsevo.DeckEvolution:
    return hsevo.evolve_decks("deck-smoke", out=out, changes=SMALL | (changes or {}),
                              **{"backend": "serial"} | how)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evolve(tmp_path_factory.mktemp("decks") / "run").path


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evolve(tmp_path_factory.mktemp("decks") / "map", MAP).path


def test_every_deck_is_legal_and_the_best_can_be_played(made: Path) -> None:
    run = hsevo.DeckEvolution(made)
    names = {card.name: card.id for card in run.pool.cards}
    for cards in run.decks["cards"]:
        ids = [names[name] for name, n in deck_searches.counted(cards).items() for _ in range(n)]
        check_deck(Deck.of("it", "MAGE", tuple(ids)))
    assert run.best.hero == "Mage"
    assert hsevo.Deck(run.archive["code"].iloc[0]).cards == run.best.cards
    assert {file.stem for file in (made / "decks").iterdir()} == {
        f"deck-{number}" for number in run.confirmed.loc[
            run.confirmed["stage"] == "chosen", "deck"].str.removeprefix("deck-")}
    played = hsevo.match(f"random@{made}/best.txt", "random@mage", games=2, backend="serial")
    assert played.played == 2


def test_what_is_reported_is_of_games_that_chose_nothing(made: Path) -> None:
    run = hsevo.DeckEvolution(made)
    last = run.confirmed[run.confirmed["stage"] == "last"]
    wins, draws, games = (int(last[name].sum()) for name in ("wins", "draws", "games"))
    assert games == 3 * 4 == run.archive["confirmed_games"].iloc[0]
    assert run.rate.value == pytest.approx((wins + draws / 2) / games)
    assert run.rate.low < run.rate.value < run.rate.high
    assert isinstance(run.rate, Estimate)
    chosen = run.confirmed[run.confirmed["stage"] == "chosen"].groupby("deck")[
        ["wins", "draws"]].sum()
    best = (chosen["wins"] + chosen["draws"] / 2).max()
    assert chosen.loc[last["deck"].iloc[0], "wins"] + chosen.loc[
        last["deck"].iloc[0], "draws"] / 2 == best


def test_tables_add_up(mapped: Path) -> None:
    run = hsevo.DeckEvolution(mapped)
    matches = run.table("matches.csv")
    assert (matches[["wins", "draws", "losses"]].sum(axis=1) == matches["games"]).all()
    assert matches.groupby("generation")["games"].sum().tolist() == run.generations[
        "games"].tolist()
    assert {*matches["pilot"]} == {"random", "greedy:metastone"}
    assert (matches["agent"] == matches["pilot"]).all()  # the field is played by the pilot
    archive = run.archive
    assert len(archive) == run.generations["cells"].iloc[-1]
    assert (archive["confirmed_games"] > 0).all()
    assert not archive.duplicated(["cell_1", "cell_2"]).any()
    assert archive["mana"].between(30, 165).all()
    first = matches.drop_duplicates(["deck", "pilot", "opponent"])  # watched; later games are not
    hands = (first["hand"] / first["own_turns"]).groupby(first["deck"]).mean()  # equal shares
    assert archive["hand"].to_numpy() == pytest.approx(hands[archive["deck"]], abs=1e-6)
    assert archive["cell_1"].tolist() == (archive["hand"] // 2).clip(0, 3).tolist()
    decks = run.decks.set_index("deck").loc[archive["deck"]].reset_index()
    assert run.decks["games"].sum() == matches["games"].sum()
    for column in ("games", "rate", "rate_low", "rate_high"):
        assert decks[column].to_numpy() == pytest.approx(archive[column].to_numpy())
        assert run.table("rates.csv")[column].to_numpy() == pytest.approx(run.decks[column])
    assert run.maps.empty  # its cells were never parted anew


def test_each_parting_of_a_map_is_told_again(tmp_path: Path) -> None:
    run = evolve(tmp_path / "run", MAP | {"search.boundaries": "sliding", "search.remap": 1})
    maps = run.maps
    assert maps["generation"].unique().tolist() == [0, 1, 2]
    last = maps[maps["generation"] == 2].set_index("deck")
    same = run.archive.set_index("deck").loc[last.index]
    for column in ("cell_1", "cell_2", "rate", "rate_low"):
        assert last[column].tolist() == same[column].tolist()
    assert len(last) == len(run.archive)


def test_a_field_is_the_mixture_of_a_matrix(tmp_path: Path) -> None:
    found = hsevo.meta(["mage", "shaman", "warrior"], "greedy:metastone", 40,
                       out=tmp_path / "meta", backend="serial").nash(10).set_index("deck")["share"]
    run = evolve(tmp_path / "run", {"field": [{"deck": f"nash:{tmp_path / 'meta'}", "share": 2}],
                                    "pilots": ["random"]})
    field = run.field
    assert {deck.name: share for deck, share in zip(field.decks, field.shares, strict=True)} == {
        name: pytest.approx(2 * share) for name, share in found.items() if share}
    assert {*field.played_by} == {"greedy:metastone"}


def test_it_is_played_again_as_a_whole(made: Path) -> None:
    report = hsevo.DeckEvolution(made).verify(backend="serial")
    assert report.problems == []
    assert (report.generations, report.decks) == (3, 20)
    assert report.games == 8 * 3 * 2 + 2 * 3 * 4 + 3 * 4


def test_a_forged_result_does_not_verify(made: Path, tmp_path: Path,
                                         monkeypatch: pytest.MonkeyPatch) -> None:
    stored = DeckEvolution._stored_results

    def better(run: DeckEvolution) -> Any:
        found = stored(run)
        results = found[0]["decks"][1]
        results["wins"][0] = results["games"][0]
        results["draws"][0] = 0
        return found

    monkeypatch.setattr(DeckEvolution, "_stored_results", better)
    problems = hsevo.DeckEvolution(made).verify(backend="serial").problems
    assert len(problems) == 1
    assert str(made) in problems[0]


def test_it_is_watched_reported_and_written_as_json(made: Path, mapped: Path,
                                                    tmp_path: Path) -> None:
    said = call("watch", "--once", made).stdout
    assert "generation 2 of 2" in said
    assert "done" in said
    best = hsevo.DeckEvolution(made)
    assert (f"deck-{best.archive['deck'].iloc[0]}, {100 * best.rate.value:.1f} %"
            f" ({100 * best.rate.low:.1f} to {100 * best.rate.high:.1f}) of 12 new games"
            ) in " ".join(said.split())
    assert "4 figures" in call("report", mapped, "--out", tmp_path / "page").stdout
    page = (tmp_path / "page" / "report.html").read_text()
    assert "the share of decks in each quarter of the map" in page
    rate = hsevo.DeckEvolution(mapped).rate
    assert f"{100 * rate.value:.1f} %" in page
    assert "Map of decks" in page
    for name in ("match-ups", "map", "archive", "cards", "lineage", "search", "last-games",
                 "matrix"):
        assert len(pd.read_csv(tmp_path / "page" / "tables" / f"{name}.csv"))
    found = json.loads(call("watch", "--json", made).stdout)
    assert found["best"]["code"] == hsevo.DeckEvolution(made).best.code
    assert {*found["rate"]} == {"value", "low", "high"}


def test_decks_to_compare_and_other_pilots_play_the_last_games(tmp_path: Path) -> None:
    run = evolve(tmp_path / "run", {"confirm.beside": ["mage"], "confirm.pilots": ["random"]})
    table = deck_searches.summary(run)
    best = f"deck-{run.archive['deck'].iloc[0]}"
    assert table[["deck", "pilot"]].to_numpy().tolist() == [
        [best, "greedy:metastone"], [best, "random"], ["mage", "greedy:metastone"],
        ["mage", "random"]]
    assert table["rate"].iloc[0] == pytest.approx(run.rate.value)
    call("report", run.path, "--out", tmp_path / "page")
    page = (tmp_path / "page" / "report.html").read_text()
    assert "The deck was not evolved with random." in page


def test_human_lists_begin_and_are_the_field(tmp_path: Path) -> None:
    run = evolve(tmp_path / "run", {
        "search.start": ["human:known"], "field": [
            {"deck": "human:held-out", "classes": ["rogue", "mage"], "share": 3},
            {"deck": "mage", "agent": "random"}]})
    field = run.field
    assert [deck.hero_class for deck in field.decks] == ["ROGUE", "MAGE", "MAGE"]
    assert field.shares == (1.5, 1.5, 1.0)
    assert field.played_by == ("", "", "random")
    assert len(field.start) == 8
    held = {*pd.Series([deck.name for deck in field.decks[:2]])}
    assert held & {deck.name for deck in field.start} == set()
    matches = run.table("matches.csv")
    assert {*matches.loc[matches["opponent"] == "mage", "agent"]} == {"random"}


def test_files_beside_a_config_are_found_from_anywhere(tmp_path: Path) -> None:
    """Decks, the collection, and a ruleset with a changed card, which also moves the features."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "its.txt").write_text(hsevo.Deck("mage", name="its").text)
    (folder / "nerf.yaml").write_text("Fireball: {cost: 6}\n")
    (folder / "have.txt").write_text("".join(f"{card}\n" for card in hsevo.Deck("mage").cards))
    (folder / "small.yaml").write_text(
        "pool: {class: mage, collection: have.txt}\nfield: [its.txt]\nruleset: nerf.yaml\n"
        "games: 2\nsearch: {first: 2, mu: 1, lambda: 2, generations: 2, start: [its.txt]}\n"
        "confirm: {games: 2, best: 1, beside: [its.txt]}\n")
    run = hsevo.evolve_decks(folder / "small.yaml", out=tmp_path / "run", backend="serial")
    assert [deck.name for deck in run.field.decks] == ["its"]
    assert run.decks["mana"].tolist()[0] == hsevo.evolve_decks(
        folder / "small.yaml", out=tmp_path / "other", backend="serial", changes={
            "ruleset": "cig2018"}).decks["mana"].tolist()[0] + 2
    assert len(run.pool.cards) == len({*hsevo.Deck("mage").cards})
