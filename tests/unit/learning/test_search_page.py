"""The page about search: its code runs, its ISMCTS plays well, and its CFR nears equilibrium."""

import json
import re
import runpy
from typing import Any

import pytest

import hsevo
from tests.docs import PAGES
from tests.support import ROOT

CODE = re.findall(r"```python\n(.*?)```", (PAGES / "how-to" / "search.md").read_text(), re.DOTALL)
SEARCH = runpy.run_path(str(ROOT / "examples" / "ismcts.py"))
CFR = runpy.run_path(str(ROOT / "examples" / "cfr.py"))


def test_the_code_of_the_page_runs_in_its_order(capsys) -> None:
    names: dict[str, Any] = {}
    *before, last = CODE
    games = '"random", games=6)'  # those of all pairs of decks: 18 games, half a minute
    assert before[-1].count(games) == 1
    before[-1] = before[-1].replace(games, '"random", decks="mage", games=2)')
    for block in before:
        exec(block, names)
    assert names["same"] is True
    assert sum(probability for probability, _ in names["results"]) == pytest.approx(1)
    assert names["outcome"].text.startswith("turn 2: player")
    assert unnumbered(names["world"].view(0)) == unnumbered(names["worlds"][0].view(0))
    assert names["tensor"].shape == (1055 + 9 * 20,)
    assert names["games"].is_over.all()
    pytest.importorskip("pyspiel")
    exec(last, names)
    assert sum(names["state"].returns()) == 0


def unnumbered(view: Any) -> Any:
    """Return a view without the numbers of its cards: a loaded game draws its own."""
    if isinstance(view, dict):
        return {name: unnumbered(value) for name, value in view.items() if name != "number"}
    return [unnumbered(value) for value in view] if isinstance(view, list) else view


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
    """With 30 simulations it wins all four games; if it took the other player's wins, none."""
    played = hsevo.match(f"py:{ROOT / 'examples' / 'ismcts.py'}#decide?simulations=30", "random",
                         games=4, decks="mage", workers=1, backend="serial")
    assert played.wins >= 3
    quick = f"py:{ROOT / 'examples' / 'ismcts.py'}#decide?simulations=5&playouts=1"
    assert hsevo.match(quick, "random", games=2, decks="mage", backend="serial").done == 2


@pytest.fixture
def traps(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The endgame without the druid's cards: 6 minion damage, of which the hunter survives 2.

    The hand has two of three traps. Freezing Trap stops a first attack of 4, so the second does 2;
    Bear Trap stops all after a first attack of 2. After the other order the hunter is dead, and so
    it is with a third trap or none. Both mix evenly, so the hunter loses half of the games.
    """
    position = json.loads(CFR["POSITION"].read_text())
    position["opponent"] |= {"hand": [], "deck": []}
    monkeypatch.setitem(CFR["main"].__globals__, "POSITION", position)
    return dict(position)


def test_cfr_mixes_both_traps(traps: dict[str, Any]) -> None:
    root = CFR["deals"](hsevo.Game.at(traps, all_places=False), 120)
    assert len(root) == 6  # the order of cards in hand counts
    assert sum(share for share, _ in root) == pytest.approx(1)
    gaps = [CFR["exploitability"](root, CFR["solve"](root, iterations, seed=2))
            for iterations in (0, 60, 1500)]
    assert gaps[0] > 0.2
    assert gaps[0] > gaps[1] > gaps[2]
    assert 0 <= gaps[2] < 0.02
    profile = CFR["solve"](root, 1500, seed=2)
    assert CFR["value_of"](root, profile) == pytest.approx(-0.5, abs=0.03)


def test_cfr_prints_its_progress(traps: dict[str, Any], capsys: pytest.CaptureFixture) -> None:
    CFR["main"](40, 20)
    title, *lines = capsys.readouterr().out.splitlines()
    assert title.split() == ["iterations", "value", "of", "player", "0", "exploitability"]
    assert [int(line.split()[0]) for line in lines] == [0, 0, 4, 40]
