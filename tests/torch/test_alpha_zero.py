"""The example of AlphaZero with worlds: trees, targets, training."""

import runpy

import numpy as np
import pytest
import torch

import hsevo
from tests.support import ROOT

MADE = runpy.run_path(str(ROOT / "examples" / "alpha_zero.py"))


@pytest.fixture
def net():
    torch.manual_seed(1)
    return MADE["Network"]()


def test_every_simulation_visits_a_legal_move(net):
    games = hsevo.Games("mage", "warrior", range(2))
    roots = MADE["search"](net, games, 6, seed=1)
    for root, mask in zip(roots, games.legal_actions(), strict=True):
        assert root.visits.sum() == 6
        assert {*root.at} == {*np.flatnonzero(mask)}
        assert root.prior.sum() == pytest.approx(1, abs=1e-5)
        assert (np.abs(root.value) <= root.visits).all()


def test_search_prefers_a_move_that_wins(net):
    """One Fireball kills: its value is 1, which no estimate of a network reaches."""
    side = {"class": "mage", "crystals": 4, "mana": 4, "deck_list": "mage"}
    game = hsevo.Game.at({"me": side | {"hand": ["Fireball"]},
                          "opponent": side | {"health": 6, "unknown_in_hand": 3}},
                         all_places=False)
    wins = [action for action in game.legal_actions() if _wins(game, action)]
    [root] = MADE["search"](net, game.batch(1), 100, seed=1)
    assert [*root.at][int(root.visits.argmax())] in wins


def _wins(game, action):
    after = game.copy()
    after.apply(action)
    return after.is_over


def test_targets_are_of_legal_moves_and_results_of_the_player(net):
    seen, masks, targets, results = MADE["self_play"](net, 2, 2, seed=1, max_turns=6)
    assert len(seen) == len(masks) == len(targets) == len(results)
    assert np.allclose(targets.sum(axis=1), 1)
    assert not targets[~masks].any()


def test_training_lowers_the_loss(net):
    data = MADE["self_play"](net, 3, 1, seed=1, max_turns=6)
    adam = torch.optim.Adam(net.parameters(), 0.001)
    first, *_, last = (sum(MADE["train"](net, adam, data)) for _ in range(2))
    assert last < first
