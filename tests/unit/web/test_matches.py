"""Matches of line-ups: how they stand after their games, and that a server goes on with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from hsevo.errors import RunError
from hsevo.replays.matches import DECKS, MatchGame, PlayedMatches, standing
from tests.support.playing import ORIGIN, Door, door, until_mine

WISH = {"format": "conquest", "agent": "random", "mine": ["mage", "shaman", "warrior"],
        "theirs": ["warrior", "mage", "zoo-warlock"]}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Door]:
    with door(tmp_path / "play") as found:
        yield found


def games(*told: tuple[int, int, str]) -> list[MatchGame]:
    return [MatchGame(k + 1, *one) for k, one in enumerate(told)]


ALL = (0, 1, 2)


@pytest.mark.parametrize(("format", "told", "mine", "theirs", "result"), [
    ("conquest", [], ALL, ALL, "open"),
    ("conquest", [(0, 1, "won")], (1, 2), ALL, "open"),
    ("conquest", [(0, 1, "lost")], ALL, (0, 2), "open"),
    ("conquest", [(0, 1, "won"), (1, 1, "lost")], (1, 2), (0, 2), "open"),
    ("conquest", [(0, 1, "drawn")], (0,), (1,), "open"),
    ("conquest", [(0, 1, "drawn"), (0, 1, "won")], (1, 2), ALL, "open"),
    ("conquest", [(0, 1, "won"), (1, 1, "won"), (2, 0, "won")], (), ALL, "won"),
    ("conquest", [(0, 1, "lost"), (0, 0, "lost"), (2, 2, "won"), (1, 2, "lost")], (0, 1), (),
     "lost"),
    ("last-hero-standing", [(0, 1, "won")], (0,), (0, 2), "open"),
    ("last-hero-standing", [(0, 1, "lost")], (1, 2), (1,), "open"),
    ("last-hero-standing", [(0, 1, "won"), (0, 2, "lost")], (1, 2), (2,), "open"),
    ("last-hero-standing", [(0, 1, "won"), (0, 2, "drawn")], (0,), (2,), "open"),
    ("last-hero-standing", [(2, 1, "lost"), (0, 1, "lost"), (1, 1, "lost")], (), (1,), "lost"),
    ("last-hero-standing", [(2, 1, "won"), (2, 0, "won"), (2, 2, "won")], (2,), (), "won")])
def test_how_a_match_stands(format: str, told: Any, mine: Any, theirs: Any, result: str) -> None:
    stands = standing(format, games(*told))
    assert (stands.mine, stands.theirs, stands.game, stands.result) == (mine, theirs, 0, result)


@pytest.mark.parametrize("format", ["conquest", "last-hero-standing"])
def test_an_open_game_has_its_decks(format: str) -> None:
    stands = standing(format, games((0, 1, "won"), (1 if format == "conquest" else 0, 2, "open")))
    assert (stands.game, stands.result, stands.theirs) == (2, "open", (2,))


def begin(house: Door, **changes: Any) -> int:
    answer = house.client.post("/matches", json=WISH | changes, headers=ORIGIN)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["number"])


def choose(house: Door, number: int, deck: Any) -> Any:
    return house.client.post(f"/match/{number}/next", json={"deck": deck}, headers=ORIGIN)


def give_up(house: Door, game: int) -> None:
    with house.sit(game) as socket:
        until_mine(socket, socket.receive_json())
        socket.send_json({"do": "concede"})
        while not socket.receive_json()["over"]:
            pass


@pytest.mark.parametrize("format", ["conquest", "last-hero-standing"])
def test_a_match_is_lost_game_by_game_also_with_new_servers(tmp_path: Path, format: str) -> None:
    with door(tmp_path / "play") as house:
        number = begin(house, format=format)
    met = []
    for k in range(DECKS):
        with door(tmp_path / "play") as house:
            stands = house.hall.standing(house.hall.matches.of(number))[1]
            assert stands.mine == (ALL if format == "conquest" else ALL[k:])
            game = choose(house, number, stands.mine[0]).json()["number"]
            assert choose(house, number, stands.mine[-1]).status_code == 400  # one is open
            assert f'data-match="{number}"' in house.client.get(f"/game/{game}").text
            facts = house.games.of(game)
            assert facts.deck == WISH["mine"][0 if format == "conquest" else k]
            met.append(facts.against)
            give_up(house, game)
    with door(tmp_path / "play") as house:
        assert house.hall.standing(house.hall.matches.of(number))[1].result == "lost"
        assert "You lost the match." in house.client.get(f"/match/{number}").text
        assert f"/match/{number}" in house.client.get("/match").text
        assert choose(house, number, 0).status_code == 400
    assert (len({*met}) == 3) == (format == "conquest")  # the winner's deck is out, or plays on


def test_the_agent_chooses_without_knowing_the_choice(tmp_path: Path) -> None:
    """The same seed and the same games: the same deck, whatever the human chooses."""
    match = PlayedMatches(tmp_path).new("2017-01-31", "conquest", "random", *_decks(), 5)
    assert match.drawn(ALL) == match.drawn(ALL)
    matches = PlayedMatches(tmp_path)
    drawn = [matches.new("2017-01-31", "conquest", "random", *_decks(), seed).drawn(ALL)
             for seed in range(60)]
    assert {deck for deck, _ in drawn} == {*ALL}
    assert len({seed for _, seed in drawn}) == 60


def _decks() -> Any:
    import hsevo

    return [[hsevo.Deck(name) for name in WISH[whose]] for whose in ("mine", "theirs")]


@pytest.mark.parametrize("wish", [
    {"format": "swiss"}, {"format": None}, {"agent": "py:bot.py#decide"}, {"agent": None},
    {"mine": ["mage", "shaman"]}, {"mine": ["mage", "mage", "shaman"]}, {"mine": "mage"},
    {"mine": ["mage", "reno-mage", "shaman"]}, {"theirs": ["mage", "shaman", "/etc/passwd"]},
    {"theirs": 4 * ["mage"]}, {"theirs": [1, 2, 3]}, {"mine": None}])
def test_what_is_no_match_is_refused(house: Door, wish: Any) -> None:
    answer = house.client.post("/matches", json=WISH | wish, headers=ORIGIN)
    assert answer.status_code == 400
    assert answer.json()["why"]
    assert not (house.games.path / "matches").exists()


@pytest.mark.parametrize("deck", [-1, 3, "0", True, None, [0], 0.5])
def test_what_is_no_choice_is_refused(house: Door, deck: Any) -> None:
    number = begin(house)
    assert choose(house, number, deck).status_code == 400
    assert house.games.facts == []
    assert choose(house, number + 1, 0).status_code == 400
    assert house.client.get("/match/99").status_code == 404


def test_other_sites_begin_nothing(house: Door) -> None:
    number = begin(house)
    for path in ("/matches", f"/match/{number}/next"):
        for headers in ({}, {"origin": "http://evil.example"}):
            assert house.client.post(path, json=WISH | {"deck": 0},
                                     headers=headers).status_code == 403


def test_damaged_matches_are_named(tmp_path: Path) -> None:
    file = tmp_path / "matches" / "0001.json"
    PlayedMatches(tmp_path).new("2017-01-31", "conquest", "random", *_decks(), 5)
    whole = json.loads(file.read_text())
    for text in ("{", "[]", json.dumps({"match": whole["match"] | {"more": 1}}),
                 json.dumps({"match": whole["match"] | {"games": 5}})):
        file.write_text(text)
        with pytest.raises(RunError, match="is damaged"):
            PlayedMatches(tmp_path)
