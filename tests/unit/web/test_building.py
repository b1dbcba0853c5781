"""Decks that are built on the page: what is saved, and what is refused with nothing written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from click.testing import CliRunner

import hsevo
from hsevo.cards.decks import LARGEST
from hsevo.cards.tables import find_ruleset
from hsevo.cli.root import main
from hsevo.errors import DeckError, GameError
from hsevo.replays.page import faces
from hsevo.web import searching, shelf
from hsevo.web.choices import Choices
from hsevo.web.searching import Improver
from hsevo.web.shelf import Shelf
from tests.support.playing import ORIGIN, Door, door

MAGE = hsevo.Deck("mage")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Door]:
    with door(tmp_path / "play") as found:
        yield found


def save(house: Door, name: Any, deck: Any = MAGE.text, **more: Any) -> Any:
    return house.client.post("/saved", json={"name": name, "deck": deck, **more}, headers=ORIGIN)


def files(house: Door) -> dict[str, bytes]:
    """Return all files of the folder, and of the one around it, with their bytes."""
    return {str(file): file.read_bytes() for file in house.games.path.parent.rglob("*")
            if file.is_file()}


def test_a_saved_deck_is_a_deck_file_that_plays(house: Door) -> None:
    answer = save(house, "my-mage")
    assert answer.json() == {"deck": "saved:my-mage"}
    file = house.games.path / "decks" / "my-mage.txt"
    found = hsevo.Deck(file)
    assert (found.name, found.hero, sorted(found.ids)) == ("my-mage", "Mage", sorted(MAGE.ids))
    for path in ("/", "/build"):
        assert '<option value="saved:my-mage"' in house.client.get(path).text
    number = house.begin(deck="saved:my-mage", against="saved:my-mage")
    assert house.games.of(number).deck == "my-mage"
    assert sorted(house.games.load(number).setting.decks[0].ids) == sorted(MAGE.ids)


def test_the_page_says_what_decks_check_says(house: Door) -> None:
    """Of a deck, and of one with mistakes; the command has a file before its lines."""
    for name in ("mage", "warrior", "zoo-warlock", "secret-hunter"):
        text = hsevo.Deck(name).text
        shown = house.client.post("/deck", json={"deck": text}, headers=ORIGIN).json()
        assert shown["legal"] in shown["says"]
        save(house, name, text)
        file = str(house.games.path / "decks" / f"{name}.txt")
        printed = CliRunner().invoke(main, ["decks", "check", file]).output
        said = " ".join(" ".join(line.removeprefix("#") for line in printed.splitlines()
                                 if line.startswith("#")).split())
        assert said.endswith(" ".join([*shown["says"], f"deck code: {shown['code']}"]))
    broken = house.games.path.parent / "broken.txt"
    broken.write_text("class: Mage\n2x Fireball\nFireball\nFierball\nFiery War Axe\n")
    lines = hsevo_lines(CliRunner().invoke(main, ["decks", "check", str(broken)]).output, broken)
    answer = house.client.post("/deck", json={"deck": broken.read_text()}, headers=ORIGIN)
    assert answer.status_code == 400
    assert [line.removeprefix("the deck: ") for line in answer.json()["why"].splitlines()] == lines
    assert len(lines) == 4


def hsevo_lines(output: str, file: Path) -> list[str]:
    """Return the mistakes that a command printed, without the file before them."""
    return [line.partition(f"{file}: ")[2] for line in output.splitlines() if str(file) in line]


@pytest.mark.parametrize("name", [
    "", "..", "../mage", "a/b", "/etc/passwd", "my mage", "My-Mage", ".hidden", "-mage", "mage.txt",
    "mage\n", "mäge", "a" * 41, "nul\0", "%2e%2e", "saved:mage", None, 5, ["mage"], {"a": 1}])
def test_what_is_no_name_is_refused(house: Door, name: Any) -> None:
    before = files(house)
    answer = save(house, name)
    assert answer.status_code == 400
    assert "name" in answer.json()["why"]
    assert files(house) == before


@pytest.mark.parametrize(("deck", "why"), [
    ("class: Mage\n2x Fiery War Axe\n" + MAGE.text.partition("\n")[2], "is a Warrior card"),
    (MAGE.text + "2x Fireblast Dragon\n", "unknown card"),
    (MAGE.text + "Fireball\n", "has 31 cards, but must have 30"),
    ("class: Mage\n2x Fireball\n", "has 2 cards, but must have 30"),
    ("class: Mage\nsize: 15\n15x Fireball\n", "may have at most 2"),
    ("class: Mage\nsize: 15\n15x Body 1/1\n", "which only ruleset hearthsim has"),
    (MAGE.text.replace("class: Mage", "class: Tank"), "unknown class"),
    ("x" * 5000, "give a deck"), ("../mage", "no deck"), ("AAECAf0E", "no deck"),
    (None, "give a deck"), (5, "give a deck"), ("saved:mine", "no deck 'mine' is saved"),
    ("saved:../x", "the name of a")])
def test_what_is_no_deck_is_refused(house: Door, deck: Any, why: str) -> None:
    before = files(house)
    answer = save(house, "mine", deck)
    assert answer.status_code == 400
    assert why in answer.json()["why"]
    assert files(house) == before


def test_requests_of_other_sites_and_large_ones_are_refused(house: Door) -> None:
    body = {"name": "mine", "deck": MAGE.text}
    for headers in ({}, {"origin": "http://evil.example"}, {"origin": "null"}):
        assert house.client.post("/saved", json=body, headers=headers).status_code == 403
    large = house.client.post("/saved", json=body | {"more": "x" * 20_000}, headers=ORIGIN)
    assert large.status_code == 413
    assert house.client.get("/saved").status_code == 405
    house.client.cookies.clear()
    assert house.client.get("/build").status_code == 401
    assert save(house, "mine").status_code == 401
    assert not (house.games.path / "decks").exists()


def delete(house: Door, name: Any) -> Any:
    return house.client.post("/saved/delete", json={"name": name}, headers=ORIGIN)


def test_a_saved_deck_is_deleted_and_nothing_else(house: Door) -> None:
    save(house, "kept")
    before = files(house)
    save(house, "mine")
    assert delete(house, "mine").status_code == 200
    assert files(house) == before
    assert "saved:mine" not in house.client.get("/build").text
    assert "no deck 'mine' is saved" in delete(house, "mine").json()["why"]


@pytest.mark.parametrize("name", ["", "..", "../play", "../kept", "kept.txt", "saved:kept",
                                  "no-deck", "linked", "KEPT", None, 5, ["kept"]])
def test_what_is_no_saved_deck_is_not_deleted(house: Door, name: Any) -> None:
    save(house, "kept")
    decks = house.games.path / "decks"
    (decks / "no-deck.txt").write_text("a letter")
    (decks / "linked.txt").symlink_to(decks / "kept.txt")
    before = files(house)
    assert delete(house, name).status_code == 400
    body = {"name": "kept"}
    for headers in ({}, {"origin": "http://evil.example"}):
        assert house.client.post("/saved/delete", json=body, headers=headers).status_code == 403
    assert house.client.get("/saved/delete").status_code == 405
    house.client.cookies.clear()
    assert delete(house, "kept").status_code == 401
    assert files(house) == before


def test_saving_is_limited(house: Door) -> None:
    answers = [save(house, "mine", replace=True).status_code for _ in range(40)]
    assert answers[:30] == 30 * [200]
    assert answers[-1] == 429


def test_a_deck_is_replaced_only_if_one_says_so(house: Door) -> None:
    assert save(house, "mine").status_code == 200
    before = files(house)
    for wish in ({}, {"replace": False}, {"replace": "yes"}, {"replace": 1}):
        answer = save(house, "mine", hsevo.Deck("warrior").text, **wish)
        assert (answer.status_code, files(house)) == (409, before)
    assert save(house, "mine", hsevo.Deck("warrior").text, replace=True).status_code == 200
    assert hsevo.Deck(house.games.path / "decks" / "mine.txt").hero == "Warrior"


def test_other_files_are_never_replaced(house: Door) -> None:
    folder, other = house.games.path / "decks", house.games.path.parent / "other.txt"
    folder.mkdir()
    other.write_text(MAGE.text)
    (folder / "notes.txt").write_text("milk, bread")
    (folder / "link.txt").symlink_to(other)
    (folder / "lost.txt").symlink_to(folder / "nowhere")
    (folder / "folder.txt").mkdir()
    before = files(house)
    for name in ("notes", "link", "lost", "folder"):
        answer = save(house, name, replace=True)
        assert answer.status_code == 400, name
        assert files(house) == before
    page = house.client.get("/").text
    assert 'value="saved:notes" disabled' in page  # with what is wrong about it
    assert house.client.post("/games", json={"deck": "saved:notes"},
                             headers=ORIGIN).status_code == 400


def test_a_shelf_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "MOST", 2)
    here = Shelf(tmp_path)
    for name in ("b", "a"):
        here.save(name, MAGE)
    assert here.names == ["a", "b"]
    with pytest.raises(DeckError, match="2 decks are saved"):
        here.save("c", MAGE)
    here.save("a", MAGE, replace=True)


# -- better swaps ---------------------------------------------------------------------------------


FEW = {"games": 9000, "confirm": 40}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search play few games."""
    monkeypatch.setattr(searching, "GAMES", FEW["games"])
    monkeypatch.setattr(searching, "CONFIRM", FEW["confirm"])


def test_swaps_are_those_of_decks_improve(house: Door, few: None) -> None:
    warrior, field = hsevo.Deck("warrior"), ["mage", "shaman"]
    answer = house.client.post("/swaps", headers=ORIGIN, json={
        "deck": warrior.text, "against": field, "swaps": 2, "standard": True})
    lines = [json.loads(line) for line in answer.text.splitlines()]
    sets = [one.name.lower() for one in find_ruleset("cig2018").sets]
    found = hsevo.improve_deck(
        hsevo.Deck(warrior, name="your deck"), [hsevo.Deck(name).code for name in field],
        swaps=2, sets=sets, workers=1, **FEW)
    assert lines[-1]["says"] == found.sentence
    assert [(one["out"], one["in"]) for one in lines[-1]["swaps"]] == [
        (one.out, one.into) for one in found.steps]
    assert found.steps


@pytest.mark.parametrize("wish", [
    {"against": []}, {"against": "mage"}, {"against": None}, {"against": 10 * ["mage"]},
    {"against": ["/etc/passwd"]}, {"against": ["decks/mage.txt"]}, {"against": ["gsv@mage"]},
    {"against": [5]}, {"swaps": 0}, {"swaps": 4}, {"swaps": True}, {"swaps": "1"}, {"swaps": None},
    {"deck": "mage.txt"}, {"deck": None}, {"deck": "class: Mage\n2x Fireball"}])
def test_what_is_no_search_is_refused(house: Door, few: None, wish: Any) -> None:
    answer = house.client.post("/swaps", headers=ORIGIN, json={
        "deck": "warrior", "against": ["mage"], "swaps": 1} | wish)
    assert answer.status_code == 400
    assert answer.json()["why"]


def test_one_search_at_a_time(tmp_path: Path, few: None) -> None:
    wish = {"deck": "warrior", "against": ["mage"]}

    async def search() -> list[Any]:
        improver = Improver(Choices(Shelf(tmp_path)))
        lines = improver.begin(wish)
        with pytest.raises(GameError, match="already"):
            improver.begin(wish)
        found = [json.loads(line) async for line in lines]
        return [*found, json.loads([line async for line in improver.begin(wish)][-1])]

    *_, one, again = asyncio.run(search())
    assert one == again


# -- cards ----------------------------------------------------------------------------------------


def test_faces_say_which_decks_may_have_a_card() -> None:
    known = {face["name"]: face for face in faces("cig2018").values() if "for" in face}
    assert (known["Fireball"]["for"], known["Fireball"]["most"]) == (["mage"], 2)
    assert (known["Ragnaros the Firelord"]["for"], known["Ragnaros the Firelord"]["most"]) == (
        ["neutral"], 1)
    assert known["Grimestreet Informant"]["for"] == ["hunter", "paladin", "warrior"]
    assert (known["Dr. Boom"]["set"], known["Dr. Boom"]["standard"]) == (
        "Goblins vs Gnomes", False)
    assert known["Fireball"]["standard"]
    assert "The Coin" not in known
    bodies = [face for face in faces("hearthsim").values() if face["name"] == "Body 1/1"]
    assert [face["most"] for face in bodies] == [LARGEST]
