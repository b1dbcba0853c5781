"""Views: what a player may not know may be anything, and the view is the same to the byte."""

import json
from typing import Any

import numpy as np
import pytest

from hsevo.cards.tables import index
from hsevo.play.games import GameBatch
from hsevo.play.moves import MoveCosts
from hsevo.play.view import view
from tests.support.hidden import positions, resampled
from tests.support.random_games import HEROES


def views(games: GameBatch, players: Any) -> list[bytes]:
    prices, powers, masks = games.costs(), games.power_costs(), games.legal_moves()
    held = games.states["side"]["n_hand"]
    return [json.dumps(view(games.states[i], int(p), games.ruleset,
                            MoveCosts.of(prices[i], powers[i], held[i]),
                            np.flatnonzero(masks[i]).tolist())).encode()
            for i, p in enumerate(players)]


def check(n: int, seed: int, ruleset: str) -> None:
    random = np.random.default_rng(seed)
    games = positions(seed, n, ruleset)
    heroes = games.states["side"]["cls"]
    assert {*heroes.ravel().tolist()} == {int(hero) for hero in HEROES}
    for players in (np.arange(n) % 2, 1 - np.arange(n) % 2):
        other = resampled(games, players, random)
        decks = [each.states["side"]["deck"] for each in (games, other)]
        assert (decks[0] != decks[1]).any(axis=(1, 2)).all()
        assert views(games, players) == views(other, players)


@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017"])
def test_a_view_holds_nothing_that_is_hidden(ruleset: str) -> None:
    check(500, 3, ruleset)


@pytest.mark.slow
def test_ten_thousand_views_hold_nothing_that_is_hidden() -> None:
    check(5000, 4, "cig2018")
    check(5000, 5, "msg2017")


@pytest.mark.parametrize(("mine", "name"), [
    (True, "hand"), (True, "deck"), (True, "n_secrets"), (True, "mana"), (False, "n_hand"),
    (False, "n_deck"), (False, "n_secrets"), (False, "armor"), (False, "fatigue")])
def test_what_a_view_shows_does_change_it(mine: bool, name: str) -> None:
    """So the test above can fail."""
    n = 1500 if name == "n_secrets" else 300
    games = positions(6, n, "cig2018")
    players = np.arange(n) % 2
    other, every = games.take(slice(None)), np.arange(n)
    whose = players if mine else 1 - players
    side = other.states.view(np.ndarray)["side"][every, whose]
    if name in ("hand", "deck"):
        (side["hand"]["card"] if name == "hand" else side["deck"])[:] = index()["CS2_029"]
    else:
        side[name] = np.maximum(side[name] - 1, 0) if name.startswith("n_") else side[name] + 1
    other.states.view(np.ndarray)["side"][every, whose] = side
    changed = [x != y for x, y in zip(views(games, players), views(other, players), strict=True)]
    assert sum(changed) >= (300 if not name.startswith("n_") else 1)
