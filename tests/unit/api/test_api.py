"""Agents, decks and results of the Python API, on the stand-in engine where games are played."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo.agents.registry import genome_of
from hsevo.errors import AgentError, DeckError
from hsevo.strength.roster import read_agent

EVA = hsevo.Agent("eva:2018")


def test_weights_of_a_spec_are_the_spec_again() -> None:
    """A Series, a mapping in any order, a vector and a '#' string all give the same record."""
    wanted = read_agent("eva:2018").tobytes()
    backwards = dict(reversed(list(EVA.weights.items())))
    for source in (EVA, EVA.weights, EVA.weights[::-1], backwards, EVA.hash):
        assert hsevo.Agent(source).record.tobytes() == wanted
    vector = EVA.weights.to_numpy()
    for numbers in (vector, vector.tolist()):
        assert hsevo.Agent.of_vector(numbers).record.tobytes() == wanted


def test_weights_may_be_of_another_kind(here: Path) -> None:
    names, default = genome_of("gsv").names, genome_of("gsv").default
    weights = dict(zip(names, default.tolist(), strict=True))
    assert hsevo.Agent(weights, kind="gsv").record.tobytes() == read_agent("gsv").tobytes()
    deep = hsevo.Agent(weights, kind="gsv?depth=2")
    assert deep.record.tobytes() == read_agent("gsv?depth=2").tobytes()
    deep.save("mine.yaml")
    for path in ("mine.yaml", Path("mine.yaml")):
        again = hsevo.Agent(path, kind="gsv?depth=2")
        assert again.spec == "gsv:mine.yaml?depth=2"
        assert again.record.tobytes() == deep.record.tobytes()
    assert hsevo.Agent("gsv:mine.yaml", kind="gsv").record.tobytes() == read_agent("gsv").tobytes()


def test_a_path_may_say_which_agent_of_a_file(here: Path) -> None:
    pd.DataFrame([EVA.weights, EVA.weights * 0.5], ["one", "half"]).to_csv(
        "two.csv", index_label="agent")
    half = hsevo.Agent("two.csv#half")
    assert half.spec == "eva:two.csv#half"
    assert half.weights.tolist() == (EVA.weights * 0.5).tolist()
    with pytest.raises(AgentError, match="#NAME"):
        hsevo.Agent("two.csv")


def test_a_deck_is_the_same_by_list_code_and_url() -> None:
    mage = hsevo.Deck("mage")
    url = f"https://example.org/decks?code={mage.code}"
    for other in (hsevo.Deck(mage.cards, hero="mage"), hsevo.Deck(mage.code), hsevo.Deck(url)):
        assert other.hero == "Mage"
        assert sorted(other.ids) == sorted(mage.ids)
        assert other.code == mage.code
        assert other.curve.tolist() == mage.curve.tolist()
    assert hsevo.Deck(url) == hsevo.Deck(mage.code)
    assert hsevo.Deck("mage", hero="MAGE") == mage == hsevo.Deck(mage)


def test_agents_of_one_name_are_refused() -> None:
    one, other = hsevo.Agent(EVA.weights), hsevo.Agent(EVA.weights * 0.5)
    for call in (lambda: hsevo.match(one, other), lambda: hsevo.arena([one, other])):
        with pytest.raises(AgentError, match=r"^agent 'eva' is given twice; give each agent"):
            call()


def test_a_folder_needs_agents_and_decks_that_it_can_name(here: Path) -> None:
    mine = hsevo.Agent(EVA.weights, name="mine")
    for call in (lambda: hsevo.arena([mine, "random"], out="arena"),
                 lambda: hsevo.arena(["random"], against=mine, out="arena"),
                 lambda: hsevo.benchmark(mine, out="arena")):
        with pytest.raises(AgentError, match=r"^agent 'mine' can't be stored in a folder"):
            call()
    cards = list(hsevo.Deck("mage").cards)
    with pytest.raises(DeckError):
        hsevo.arena(["random", "eva:2018"], decks=[hsevo.Deck(cards, "mage", "own")], out="arena")
    assert not [*here.iterdir()]


@pytest.mark.usefixtures("fake_engine")
def test_a_match_adds_up() -> None:
    result = hsevo.match("eva:2018", hsevo.Agent(EVA.weights * 0.5, "half"), 36, backend="serial")
    games = result.games
    first = games["a"] == "eva:2018"
    won = np.where(first, games["wins_a"], games["wins_b"]).sum()
    lost = np.where(first, games["wins_b"], games["wins_a"]).sum()
    drawn = games["draws"].sum()
    assert (result.wins, result.draws, result.losses) == (won, drawn, lost)
    assert len(games) == result.played == won + drawn + lost == 36
    assert result.rate.value == pytest.approx((won + drawn / 2) / 36, abs=1e-12)
    assert result.rate.low <= result.rate.value <= result.rate.high
    assert result.pairs @ np.arange(5) == 2 * won + drawn
    assert f" of {36} games, Elo " in repr(result)
    assert f"{100 * result.rate.value:.2f} %" in repr(result)


@pytest.mark.usefixtures("fake_engine")
def test_decks_may_come_from_anything_that_yields_them() -> None:
    pair = ["mage", "shaman"]
    wanted = hsevo.match("eva:2018", "random", 8, decks=pair, backend="serial").games
    for decks in ("mage,shaman", iter(pair), [hsevo.Deck(name) for name in pair]):
        found = hsevo.match("eva:2018", "random", 8, decks=decks, backend="serial").games
        pd.testing.assert_frame_equal(found, wanted)


@pytest.mark.usefixtures("fake_engine")
def test_results_show_themselves_in_a_line(here: Path) -> None:
    result = hsevo.arena(["random", "eva:2018"], 18, against="eva:group-1", out="field",
                         backend="serial")
    first = result.ratings["agent"][0]
    assert repr(result).startswith("Arena(3 agents, 36 games, in field; first " + first)
    placed = hsevo.benchmark("eva:group-3", 18, panel="panel-2026", backend="serial")
    place, best, worst = placed.place
    assert repr(placed).startswith(f"eva:group-3: place {place} of 15 ({best} to {worst}), rating ")
    assert repr(placed).endswith(" of 252 games")
    assert best <= place <= worst
    for text in (repr(result), repr(placed)):
        assert "\n" not in text


@pytest.mark.usefixtures("fake_engine")
def test_a_table_of_weights_plays_as_the_kind_that_it_is_of() -> None:
    genome = genome_of("gsv")
    table = pd.DataFrame([genome.default, genome.low], columns=list(genome.names))
    table["agent"] = ["default", "low"]
    rows = table.set_index("agent").iterrows()
    result = hsevo.arena([hsevo.Agent(row, name, "gsv") for name, row in rows], 2, decks="mage",
                         backend="serial")
    assert sorted(result.ratings["agent"]) == ["default", "low"]
    assert len(result.games) == 2


@pytest.mark.usefixtures("fake_engine")
@pytest.mark.parametrize(("agent", "opponent"), [("eva:2018", "eva:group-1"),
                                                 ("eva:group-2", "eva:2018")])
def test_an_examined_agent_has_an_opponent_by_default(
        agent: str, opponent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr("hsevo.analysis.examine.examine",
                        lambda executor, of, *_: seen.append(of.names))
    hsevo.examine(agent, games=18, profile_games=18, backend="serial")
    hsevo.examine(agent, against="random", games=18, profile_games=18, backend="serial")
    assert seen == [(agent, opponent), (agent, "random")]


def test_one_agent_or_several_are_measured(
        monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr("hsevo.play.match.warm_up", lambda ruleset: None)
    monkeypatch.setattr("hsevo.benches.games.measure_agents",
                        lambda specs, seconds: seen.append(specs))
    hsevo.bench("random")
    hsevo.bench(["random", "eva:2018"])
    assert seen == [["random"], ["random", "eva:2018"]]
