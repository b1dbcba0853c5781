"""What a player may not know never reaches the browser: all that is sent in whole games is read."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from hsevo.cards.tables import cards, ids
from hsevo.play.events import What
from hsevo.play.session import Session
from hsevo.replays.played import PlayedGames
from tests.support.playing import Door, door, play_on

MATCHES = [("mage", "warrior"), ("secret-face-hunter", "reno-dragon-priest"),
           ("warrior", "secret-hunter"), ("malygos-warlock", "yogg-tempo-mage")]


def shown(game: Session, seat: int) -> set[str]:
    """Return the cards that a seat has seen in some event so far, or sees now.

    What deals damage shows itself: Cursed! does so in a hand.
    """
    seen = {id for event in game.events if seat in event.known_to
            for id in (event.card, *event.cards)}
    seen |= {event.by_card for event in game.events if event.what is What.DAMAGED}
    return seen | {*re.findall(r'"(\w+)"', json.dumps(game.view(seat)))}


def hidden(game: Session, seat: int) -> set[str]:
    """Return the cards of the other player's hand, deck and secrets that a seat has never seen."""
    names = ids(game.setting.ruleset)
    there = {names[card.card] for card in game._now.hand(1 - seat)}
    there |= {names[card] for card in game._now.deck(1 - seat)}
    there |= {names[secret.card] for secret in game._now.secrets(1 - seat)}
    return there - shown(game, seat)


def names_seen(game: Session, seat: int) -> set[str]:
    """Return the names of the cards that a seat has seen: several Kazakus Potions share one."""
    known = cards(game.setting.ruleset)
    return {known[id].name for id in shown(game, seat) if id in known}


def looked_for(games: PlayedGames, number: int, frames: Iterable[Any]) -> int:
    """Look that no frame of a game tells a hidden card or the seed; return how many looks."""
    game, seat = games.load(number), games.of(number).seat
    again, looked = game.beginning(), 0
    for frame in frames:
        while len(again.history) < frame["at"]:
            again.play(game.history[len(again.history)])
        said, known = json.dumps(frame), cards(again.setting.ruleset)
        assert f"{game.seed}" not in said
        for id in hidden(again, seat):
            assert f'"{id}"' not in said, (frame["at"], id)
            name = known[id].name
            assert name not in said or name in names_seen(again, seat), (frame["at"], name)
            looked += 1
    return looked


def check(house: Door, number: int, seed: int) -> int:
    """Play a game, and look into all that was sent; return how many hidden cards it was about."""
    with house.sit(number) as socket:
        frames = play_on(socket, socket.receive_json(), random.Random(seed))
    with house.sit(number) as socket:
        late = socket.receive_json()  # what a page gets that opens at the end
    game = house.games.load(number)
    looked = looked_for(house.games, number, [*frames, late])
    for path in ("/", f"/game/{number}"):
        assert f"{game.seed}" not in house.client.get(path).text
    return looked


@pytest.mark.parametrize(("mine", "theirs"), MATCHES)
def test_nothing_hidden_is_sent(tmp_path: Path, mine: str, theirs: str) -> None:
    with door(tmp_path / "play") as house:
        for k, first in enumerate(("me", "agent")):
            number = house.begin(deck=mine, against=theirs, first=first, agent="rl:2026",
                                 seed=987_654_321_012_345 + k)
            assert check(house, number, k) > 100


def test_nothing_hidden_is_sent_in_a_mulligan(tmp_path: Path) -> None:
    with door(tmp_path / "play", ruleset="msg2017") as house:
        number = house.begin(first="agent", seed=987_654_321_012_345)
        assert check(house, number, 5) > 100


def test_the_test_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hsevo.web import frames

    monkeypatch.setattr(frames, "seen_by", lambda event, _: event)
    with door(tmp_path / "play") as house, pytest.raises(AssertionError):
        check(house, house.begin(seed=987_654_321_012_345), 1)
