"""Why a try is no legal move, in a line that is true."""

from __future__ import annotations

from typing import Any

import pytest

import hsevo
from hsevo.web.reasons import Spot, why
from tests.support.playing import WISH

MINE = {"cost": 2, "playable": False}


def view(**changes: Any) -> dict[str, Any]:
    """Return a view of a game with parts of it changed: me.board=..., opponent.board=..."""
    game = hsevo.Game(WISH["deck"], WISH["against"], seed=3)
    found = game.view(game.player)
    for path, value in changes.items():
        side, _, name = path.partition("__")
        if name:
            found[side][name] = value
        else:
            found[side] = value
    return found


def minion(*words: str, attack: int = 2, name: str = "Yeti") -> dict[str, Any]:
    return {"card": "CS2_182", "name": name, "attack": attack, "health": 5, "words": list(words),
            "uid": 9, "max_health": 5, "texts": []}


def held(card: str, name: str, cost: int, playable: bool = False) -> dict[str, Any]:
    return {"card": card, "name": name, "cost": cost, "attack": 0, "health": 0,
            "playable": playable}


HAND, BOARD, HERO, POWER = (Spot("me", zone) for zone in ("hand", "board", "hero", "power"))
FOE, FOE_HERO = Spot("foe", "board"), Spot("foe", "hero")
FIREBALL = held("CS2_029", "Fireball", 4)
CASES = [
    ({"phase": "over"}, HAND, None, "The game is over."),
    ({"phase": "choice"}, HAND, None, "Choose a card first."),
    ({}, FOE, None, "Choose one of your cards"),
    ({}, None, None, "Choose one of your cards"),
    ({"me__hand": []}, HAND, None, "That card is gone."),
    ({"me__hand": [FIREBALL], "me__mana": 3}, HAND, None,
     "Fireball costs 4 mana, and you have 3."),
    ({"me__hand": [held("CS2_182", "Yeti", 1)], "me__board": [minion()] * 7, "me__mana": 9}, HAND,
     None, "Your side is full: it has room for seven minions."),
    ({"me__hand": [held("EX1_287", "Counterspell", 3)], "me__mana": 9,
      "me__secrets": [{"card": "EX1_287", "name": "Counterspell"}]}, HAND, None,
     "is already in play"),
    ({"me__hand": [held("CS2_029", "Fireball", 4, True)], "me__mana": 9}, HAND, None,
     "Fireball needs a target"),
    ({"me__hand": [held("CS2_029", "Fireball", 4, True)], "me__mana": 9,
      "opponent__board": [minion("stealth")]}, HAND, FOE, "Yeti has Stealth"),
    ({"me__hand": [held("CS2_029", "Fireball", 4, True)], "me__mana": 9,
      "opponent__board": [minion("elusive")]}, HAND, FOE, "cannot be aimed at Yeti"),
    ({"me__board": [minion("asleep")]}, BOARD, None, "is new this turn"),
    ({"me__board": [minion("frozen")]}, BOARD, None, "is frozen"),
    ({"me__board": [minion(attack=0)]}, BOARD, None, "Yeti has no attack."),
    ({"me__board": [minion("cant attack")]}, BOARD, None, "Yeti cannot attack."),
    ({"me__board": [minion()]}, BOARD, None, "has already attacked"),
    ({"me__board": [minion()], "me__attackers": [0],
      "opponent__board": [minion(), minion("taunt", name="Wall")]}, BOARD, FOE_HERO,
     "Wall has Taunt and must be attacked first."),
    ({"me__board": [minion()], "me__attackers": [0], "opponent__board": [minion("stealth")]},
     BOARD, FOE, "Yeti has Stealth and cannot be attacked."),
    ({"me__board": [minion()], "me__attackers": [0]}, BOARD, Spot("me", "hero"),
     "You can only attack enemies."),
    ({"me__board": [minion("cant attack heroes")], "me__attackers": [0]}, BOARD, FOE_HERO,
     "Yeti cannot attack heroes."),
    ({"me__board": [minion()], "me__attackers": [0]}, BOARD, None, "Choose a target for Yeti."),
    ({}, HERO, None, "Your hero has no attack"),
    ({"me__can_use_power": False, "me__mana": 1}, POWER, None, "costs 2 mana, and you have 1."),
]


@pytest.mark.parametrize(("changes", "source", "target", "said"), CASES)
def test_a_line_says_why(changes: Any, source: Any, target: Any, said: str) -> None:
    assert said in why(view(**changes), "gsv", "cig2018", source, target)


def test_the_turn_of_the_other() -> None:
    found = view()
    found["to_move"] = 1 - found["player"]
    assert why(found, "gsv", "cig2018", HAND, None) == "It is the turn of gsv."


def test_every_spot_has_a_reason_at_any_time() -> None:
    """None raises, and each is a sentence."""
    game = hsevo.Game("mage", "warrior", seed=5, players=["random", "random"])
    spots = [Spot(side, zone, n) for side in ("me", "foe") for zone in (
        "hand", "board", "hero", "power") for n in (0, 3, 9)]
    while not game.over:
        seen = game.view(game.player)
        for source in spots:
            for target in (None, *spots[12:20]):
                assert why(seen, "gsv", "cig2018", source, target).endswith((".", "!"))
        game.step()
        if game.turn > 12:
            break
