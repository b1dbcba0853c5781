"""The page about search: its code runs, and its example of ISMCTS plays well."""

import re
import runpy
from typing import Any

import pytest

import hsevo
from tests.docs import PAGES
from tests.support import ROOT

CODE = re.findall(r"```python\n(.*?)```", (PAGES / "how-to" / "search.md").read_text(), re.DOTALL)
SEARCH = runpy.run_path(str(ROOT / "examples" / "ismcts.py"))


def test_the_code_of_the_page_runs_in_its_order(capsys) -> None:
    names: dict[str, Any] = {}
    *before, last = CODE
    for block in before:
        exec(block, names)
    assert names["same"] is True
    assert sum(probability for probability, _ in names["results"]) == pytest.approx(1)
    assert names["games"].is_over.all()
    pytest.importorskip("pyspiel")
    exec(last, names)
    assert sum(names["state"].returns()) == 0


def searched(game: hsevo.Game, simulations: int) -> int:
    me = game.current_player
    chosen: int = SEARCH["choose"](game.legal_actions(),
                                   lambda n, seed: game.worlds(me, n, seed), simulations)
    return chosen


def test_ismcts_finds_the_lethal_spells() -> None:
    side = {"class": "mage", "crystals": 10, "mana": 10, "deck_list": "mage"}
    game = hsevo.Game.at({"me": side | {"hand": ["Fireball", "Fireball"]},
                          "opponent": side | {"health": 12, "unknown_in_hand": 3}})
    me = game.current_player
    while not game.is_over and game.current_player == me:
        game.apply(searched(game, simulations=300))
    assert game.winner == me


def test_ismcts_chooses_the_same_again_and_changes_nothing() -> None:
    game = hsevo.Game("mage", "warrior", seed=3)
    for _ in range(12):
        game.apply(game.legal_actions()[-1])
    before = game.information_state(game.player).key
    chosen = [searched(game, 60) for _ in range(2)]
    assert chosen[0] == chosen[1]
    assert chosen[0] in game.legal_actions()
    assert game.information_state(game.player).key == before


def test_ismcts_beats_random_play_as_a_player_of_a_file() -> None:
    played = hsevo.match(f"py:{ROOT / 'examples' / 'ismcts.py'}#decide", "random", games=4,
                         decks="mage", workers=1, backend="serial")
    assert played.wins >= 3
    quick = f"py:{ROOT / 'examples' / 'ismcts.py'}#decide?simulations=5&playouts=1"
    assert hsevo.match(quick, "random", games=2, decks="mage", backend="serial").done == 2
