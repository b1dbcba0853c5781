"""Real folders have exactly the files and columns that the docs say."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

import hsevo
from hsevo.config.participants import load_design
from hsevo.replays.invitations import Invitations
from hsevo.replays.matches import PlayedMatches
from hsevo.replays.participants import Participants
from hsevo.replays.played import PlayedGames
from hsevo.reports import folders
from hsevo.store.kinds import PEOPLE
from hsevo.web.lab import read_study
from hsevo.web.shelf import Shelf
from tests.docs import generated
from tests.support.ladder import TINY
from tests.support.policies import random_run

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("undrawn")]

EXAMPLES = Path(__file__).parents[2] / "examples"
SERIAL = {"backend": "serial"}
FOLDERS = {one["name"]: one for one in generated.read_folders()}
SMALL = {"games": 2, "evolution.mu": 2, "evolution.lambda": 2, "evolution.generations": 2,
         "references": {"against": ["random"], "games": 18}}


def run(path: Path) -> None:
    hsevo.evolve("smoke", out=path, changes=SMALL, **SERIAL)


def arena(path: Path) -> None:
    hsevo.arena(["random", "eva:2018"], games=18, out=path, **SERIAL)


def benchmark(path: Path) -> None:
    hsevo.benchmark("random", games=18, panel="panel-2026", out=path, **SERIAL)


def match(path: Path) -> None:
    hsevo.match("random", "eva:2018", games=18, out=path, **SERIAL)


def dataset(path: Path) -> None:
    hsevo.dataset("random", "eva:2018", path, games=18, **SERIAL)


def examined(path: Path) -> None:
    hsevo.examine("eva:2018", games=18, profile_games=1, out=path, **SERIAL)


def study(path: Path) -> None:
    hsevo.study("divine-shield-control", games=20, out=path, **SERIAL)


def learned(path: Path) -> None:
    hsevo.learn("osfp-smoke", out=path, **SERIAL, changes={
        "decks": ["mage"], "periods": 2, "rounds": 1, "games": 4, "payoff_games": 1,
        "references": {"against": ["random"], "games": 2}})


def ladder(path: Path) -> None:
    source = path.parent / "ladder.yaml"
    source.write_text(TINY)
    hsevo.ladder(source, out=path, **SERIAL)


def sweep(path: Path) -> None:
    pytest.importorskip("optuna")
    hsevo.sweep("smoke", {"evolution.mu": [2]}, {"evolution.generations": 1}, trials=1, games=18,
                final_games=18, out=path, **SERIAL)


def deck_search(path: Path) -> None:
    hsevo.evolve_decks("deck-smoke", out=path, **SERIAL, changes={
        "field": ["mage"], "games": 2, "search.first": 4, "search.mu": 2, "search.lambda": 2,
        "search.generations": 2, "confirm.games": 2, "confirm.best": 2})


def coevolution(path: Path) -> None:
    hsevo.coevolve("coevolve-smoke", out=path, **SERIAL, changes={
        "generations": 2, "games": 2, "decks.first": 4, "decks.mu": 2, "decks.lambda": 2,
        "weights.mu": 2, "weights.lambda": 2, "reference.against": ["mage"], "reference.games": 2,
        "confirm.games": 2, "confirm.choosing": 2})


def exploit(path: Path) -> None:
    hsevo.exploit("random", games=4, source="osfp-smoke", decks=["mage"], measure=2, out=path,
                  **SERIAL)


def frontier(path: Path) -> None:
    hsevo.frontier(panel="panel-2026", seconds=0.001, out=path)


def deck_building(path: Path) -> None:
    run = hsevo.Learned(random_run(path.parent / "builder", periods=1))
    run.deck_building(2, games=2, pilots="random", out=path, **SERIAL)


def metagame(path: Path) -> None:
    hsevo.meta(["mage", "shaman"], ["random", "eva:2018"], 2, out=path, **SERIAL)


def series(path: Path) -> None:
    hsevo.series("random", "eva:2018", 3, mine=["mage", "shaman"], out=path, **SERIAL)


def nerf(path: Path) -> None:
    hsevo.nerf(["mage", "shaman"], {"Spirit Claws": "cost+1"}, "random", 2, re_evolve=True,
               evolve_games=360, out=path, **SERIAL)


def report(path: Path) -> None:
    arena(path.parent / "drawn")
    hsevo.report(arenas=path.parent / "drawn", out=path)


def played(path: Path) -> None:
    games = PlayedGames(path)
    games.new("2017-01-31T12:00:00+00:00", 0, hsevo.Game("mage", "mage", [None, "random"]))
    Invitations(games).new("2017-01-31T12:00:00+00:00", "somebody", hsevo.Deck("mage"), "any")
    games.close()
    Shelf(path / "decks").save("my-mage", hsevo.Deck("mage"))
    decks = [hsevo.Deck(name) for name in ("mage", "shaman", "warrior")]
    PlayedMatches(path).new("2017-01-31T12:00:00+00:00", "conquest", "random", decks, decks, 1)


def participants(path: Path) -> None:
    source = EXAMPLES / "participants" / "lab.yaml"
    design, consent = load_design(source)
    games = PlayedGames(path)
    Participants(games, design, consent, read_study(source).digests).write_links(
        dict.fromkeys(design.codes, "http://..."))
    games.close()


MAKERS: dict[str, Callable[[Path], None]] = {
    maker.__name__: maker for maker in (run, arena, benchmark, match, dataset, examined, study,
                                        learned, ladder, sweep, deck_building, deck_search,
                                        coevolution,
                                        exploit, frontier, metagame, series, nerf, report, played,
                                        participants)}


# What `hsevo play --show` calls them; of those that only hold others, the parts are shown.
NOUNS = {"run": "evolution", "learned": "learning run", "deck_search": "deck search",
         "examined": "agent profile", "played": "played games",
         "participants": PEOPLE} | {
    name: name for name in ("arena", "benchmark", "match", "study", "coevolution",
                            "series", "sweep")}


def expanded(columns: list[str]) -> list[str]:
    """Return documented columns with a name for each weight, and for the key of a sweep."""
    weights = list(hsevo.Agent("eva:2018").weights.index)
    columns = [column.replace("<key>", "evolution.mu") for column in columns]
    return [name for column in columns for name in (
        [column.replace("<weight>", weight) for weight in weights] if "<weight>" in column
        else [column])]


def columns(path: Path) -> list[str]:
    """Return the columns of a table, or of the first in a folder."""
    if path.is_dir():
        return pq.ParquetFile(min(path.iterdir())).schema_arrow.names
    return list(pd.read_csv(path, nrows=1).columns)


def test_every_documented_folder_is_made() -> None:
    assert set(MAKERS) == set(FOLDERS)


@pytest.mark.parametrize("name", MAKERS)
def test_a_folder_is_as_the_docs_say(name: str, here: Path, fake_engine: None) -> None:
    path = here / name
    MAKERS[name](path)
    said = FOLDERS[name]["files"]
    there = {f"{one.name}/" if one.is_dir() else one.name for one in path.iterdir()
             if one.name != ".lock"}
    assert there <= set(said)
    assert {file for file, one in said.items() if not one.get("optional")} <= there
    for file, one in said.items():
        if file not in there:
            continue
        if "columns" in one:
            sometimes, found = one.get("sometimes", ()), columns(path / file)
            wanted = expanded([name for name in one["columns"]
                               if name not in sometimes or name in found])
            if file == "ratings.csv" and name == "benchmark":
                wanted.remove("nash")  # not everyone met everyone, as its page says
            assert found == wanted, file
        elif file.endswith((".csv", ".parquet/")):
            pytest.fail(f"{file} has no columns in the docs")
    noun = folders.noun(path)
    assert noun == NOUNS.get(name, "")
    assert bool(folders.figure(path, noun)) == (noun not in ("", "played games"))
    if noun:  # nobody has played in the study
        assert folders.state(path, noun, 0) == ("not finished" if noun == PEOPLE else "finished")
