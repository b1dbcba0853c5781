"""Learned.deck_building and hsevo decks building: tables that fit together, files, messages."""

import json
from pathlib import Path
from typing import Any

import click
import pandas as pd
import pytest

import hsevo
from hsevo.cli import deck_building as printed
from hsevo.errors import RunError
from hsevo.files import inside
from hsevo.learning import deck_building
from tests.docs import generated
from tests.support.command import fails
from tests.support.command import hsevo as command
from tests.support.policies import random_run

SERIAL = {"workers": 1, "backend": "serial"}
SAID = next(one for one in generated.read_folders() if one["name"] == "deck_building")["files"]
FEW = ("--number", "4", "--games", "8", "--backend", "serial", "--pilots")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> hsevo.Learned:
    """Return a run of three periods that builds decks of mage and warrior, by random weights."""
    return hsevo.Learned(random_run(tmp_path_factory.mktemp("builder") / "run"))


@pytest.fixture(scope="module")
def found(run: hsevo.Learned, tmp_path_factory: pytest.TempPathFactory) -> hsevo.DeckBuilding:
    """Return what is found with the policy itself as the pilot."""
    return run.deck_building(5, every=2, games=8, pilots=["own", "random"], seed=3, **SERIAL,
                             out=tmp_path_factory.mktemp("found") / "out")


def test_the_decks_are_those_that_are_built(run: hsevo.Learned, found: hsevo.DeckBuilding) -> None:
    """Every second period and the last; the same decks as `build_decks`, at temperature 1 and 0."""
    assert found.building["period"].unique().tolist() == [-1, 0, 2]
    assert found.building["class"].tolist() == ["Mage", "Warrior"] * 3
    decks = run.build_decks(5, classes=["warrior"], seed=3, checkpoint=0)
    cards = found.cards[(found.cards["period"] == 0) & (found.cards["class"] == "Warrior")]
    held = {row["card"]: row["share"] for row in cards.to_dict("records")}
    assert held == {card: pytest.approx(sum(card in deck.cards for deck in decks) / 5)
                    for card in {card for deck in decks for card in deck.cards}}
    row = found.building.set_index(["period", "class"]).loc[(0, "Warrior")]
    assert row["cards"] == len(held)
    curve = sum(deck.curve.to_numpy() for deck in decks) / 5
    assert row[[f"mana_{cost}" for cost in range(8)]].tolist() == pytest.approx(curve.tolist())
    best = run.build_decks(1, classes=["mage"], temperature=0)[0]
    last = found.decks.set_index(["period", "class"]).loc[(2, "Mage")]
    assert last["code"] == best.code
    near = hsevo.Deck(last["nearest"])
    shared = sum(min(best.cards.count(card), near.cards.count(card)) for card in {*best.cards})
    assert last["in_common"] == shared


def test_games_add_up(found: hsevo.DeckBuilding) -> None:
    """Each pilot has each kind of built decks against each kind of others, by class and in all."""
    table = found.worth.set_index(["pilot", "built", "against", "class"])
    assert len(table) == 2 * 2 * 3 * 3 == len({*table.index})
    whole = table.xs("all", level="class")
    assert (whole["games"] == 8).all()
    parts = table.drop("all", level="class").groupby(["pilot", "built", "against"])
    assert (parts["games"].sum() == 8).all()
    mean = parts["rate"].mean()
    assert mean.reindex(whole.index).to_numpy() == pytest.approx(whole["rate"].to_numpy())
    assert (table["low"] < table["high"]).all()
    assert set(table.xs("best", level="built")["decks"]) == {1, 2}


def test_the_folder_is_as_the_docs_say(found: hsevo.DeckBuilding) -> None:
    assert found.path is not None
    assert {one.name for one in inside(found.path)} == {*SAID}
    for name, said in SAID.items():
        if name.endswith(".csv"):
            table = pd.read_csv(found.path / name)
            assert table.columns.tolist() == [*said["columns"]]
            assert len(table) == len(getattr(found, Path(name).stem))
    assert (found.path / "building.png").read_bytes().startswith(b"\x89PNG")
    assert b"Mage: the most frequent cards" in (found.path / "building.svg").read_bytes()


def test_a_folder_that_cannot_be_made(found: hsevo.DeckBuilding, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="cannot write"):
        found.save(tmp_path / "file" / "inside")


def test_equal_seeds_are_equal_results(run: hsevo.Learned, found: hsevo.DeckBuilding) -> None:
    again = run.deck_building(5, every=2, games=8, pilots="own", seed=3, workers=2)
    own = found.worth[found.worth["pilot"] == "own"]
    pd.testing.assert_frame_equal(again.worth, own)
    pd.testing.assert_frame_equal(again.building, found.building)


@pytest.mark.usefixtures("fake_engine")
def test_what_is_printed_fits_80_columns(run: hsevo.Learned) -> None:
    """Only deck codes can be longer: a code that is broken can't be copied."""
    result = command("decks", "building", run.path, *FEW, "random,greedy:metastone",
                     FORCE_COLOR="1", TERM="xterm", COLUMNS="80")
    assert result.exit_code == 0, result.output
    lines = [line for line in click.unstyle(result.stdout).splitlines() if "  AAE" not in line]
    assert sum("  " in line for line in lines) > 12
    assert max(map(len, lines)) <= 80
    assert "uniform" in result.stdout
    assert "greedy:metastone  best" in result.stdout


@pytest.mark.usefixtures("fake_engine")
def test_json_has_all_tables(run: hsevo.Learned) -> None:
    result = command("decks", "building", run.path, *FEW, "random", "--json")
    said: Any = json.loads(result.stdout, parse_constant=pytest.fail)
    assert said["command"] == "decks building"
    assert [len(said[name]) for name in ("building", "decks", "worth")] == [8, 6, 18]
    assert {*said["worth"][0]["rate"]} == {"value", "low", "high"}


def test_periods_that_are_printed_begin_and_end_with_those_that_there_are() -> None:
    assert printed.shown([-1, 0]) == [-1, 0]
    assert printed.shown([-1, 0, 1, 2]) == [-1, 0, 1, 2]
    assert printed.shown([-1, *range(24)]) == [-1, 0, 8, 15, 23]


@pytest.mark.parametrize(("options", "says"), [
    (("--pilots", "nobody"), "unknown agent 'nobody'"),
    (("--pilots", ""), "name at least one player"),
    (("--pilots", "eva:2018@mage"), "names a deck"),
    (("--pilots", "rl:{run}"), "builds its own decks, but players must play the decks"),
    (("--games", "0"), "games is 0, but must be a whole number from 1 to 10,000"),
    (("--number", "20000"), "number is 20000, but must be a whole number from 1 to 10,000"),
    (("--every", "0"), "every is 0, but must be a whole number from 1 up"),
    (("--seed", "-1"), "seed is -1"),
    (("--out", "{run}"), "not empty"),
])
def test_what_is_refused_is_one_line(run: hsevo.Learned, options: tuple[str, ...],
                                     says: str) -> None:
    words = [one.format(run=run.path) for one in options]
    said = fails("decks", "building", run.path, *words)
    assert len(said.splitlines()) == 1
    assert says in said


def test_a_run_that_builds_no_decks_or_has_no_checkpoint_says_so(tmp_path: Path) -> None:
    other = random_run(tmp_path / "other", build=False)
    assert "this player does not build decks" in fails("decks", "building", other)
    empty = random_run(tmp_path / "empty", periods=0)
    assert "has not reached its first checkpoint" in fails("decks", "building", empty)
    assert "there is no folder" in fails("decks", "building", tmp_path / "nowhere")


def test_a_pilot_that_builds_can_play_given_decks(run: hsevo.Learned) -> None:
    source = deck_building._Source(run, 1)
    name, record = source.pilot(f"rl:{run.path}?temperature=0&decks=given")
    assert name.endswith("decks=given")
    assert record.tobytes() == source.pilot("own")[1].tobytes()


def test_two_decks_of_a_class_count_as_one_class(tmp_path: Path) -> None:
    """Pairs of two mages and a warrior of the config: the warrior is in half of them."""
    three = hsevo.Learned(random_run(tmp_path / "run", decks="mage,warrior,yogg-tempo-mage"))
    met = deck_building._Source(three, 1).meetings(16)["best", "config"]
    names = [deck.name for deck in met.second]
    assert {name: names.count(name) for name in names} == {
        "mage": 2, "warrior": 4, "yogg-tempo-mage": 2}


@pytest.mark.usefixtures("fake_engine")
def test_a_run_may_be_named_as_its_player(run: hsevo.Learned) -> None:
    assert hsevo.Learned(f"rl:{run.path}").path == run.path
    for words in (("built", "--number", "2"), ("building", *FEW, "random", "--json")):
        said = [command("decks", words[0], name, *words[1:]).stdout
                for name in (f"rl:{run.path}", run.path)]
        assert said[0] == said[1] != ""


@pytest.mark.parametrize(("name", "says"), [
    ("rl:{run}#period-0000", "is one player of a run; name only the run: rl:{run}"),
    ("rl:{run}?temperature=0", "is one player of a run; name only the run: rl:{run}"),
    ("rl:2026", "'rl:2026' is shipped without its training run"),
    ("rl:nowhere", "there is no folder nowhere"),
])
def test_a_player_that_is_no_run_is_refused_in_one_line(run: hsevo.Learned, name: str,
                                                       says: str) -> None:
    for what in ("built", "building"):
        said = fails("decks", what, name.format(run=run.path))
        assert len(said.splitlines()) == 1
        assert says.format(run=run.path) in said
