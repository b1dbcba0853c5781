"""Tensors of information states: their layout, what they may tell, what their length cuts."""

import random

import numpy as np
import pytest

import hsevo
from hsevo.engine.view.observe import SIZE
from hsevo.errors import ConfigError
from hsevo.learning import card_names, information_tensor, observe
from hsevo.play.events import What
from hsevo.play.games import GameBatch
from hsevo.play.recall import COLUMNS
from tests.support.hidden import resampled

KINDS = [*What]


def rows(tensor: np.ndarray) -> np.ndarray:
    """The events of a tensor, newest first."""
    assert tensor.dtype == np.float32
    return tensor[SIZE:].reshape(-1, len(COLUMNS))


def test_the_tensor_is_the_observation_and_the_last_events_newest_first() -> None:
    me = {"class": "mage", "hand": ["Frostbolt"], "crystals": 2}
    game = hsevo.Game.at({"me": me, "opponent": {"class": "warrior", "board": ["Wisp"]}})
    before = len(game.events)
    game.play(next(move for move in game.moves if "Wisp" in move.text))
    tensor = information_tensor(game, 0, 20)
    assert tensor.shape == (SIZE + 20 * len(COLUMNS),)
    assert (tensor[:SIZE] == observe(game.batch(), 0)[0][0]).all()
    known = [dict(zip(COLUMNS, row.astype(int).tolist(), strict=True)) for row in rows(tensor)]
    told = [(KINDS[row["event"]], row["owner"], card_names()[row["card"]], row["amount"])
            for row in reversed(known) if row["event"] >= 0][before:]
    assert told[0] == (What.PLAYED, 1, "Frostbolt", 2)
    assert (What.DAMAGED, 0, "Wisp", 3) in told
    assert told[-1] == (What.DIED, 0, "Wisp", 0)
    hit = next(row for row in known if row["event"] == KINDS.index(What.DAMAGED))
    assert card_names()[hit["by_card"]] == "Frostbolt"
    assert (rows(tensor)[len(game.events):] == -1).all()
    assert len(game.events) < 20
    assert (rows(information_tensor(game, 0, 2)) == rows(tensor)[:2]).all()


def test_the_tensor_tells_nothing_that_is_hidden_from_the_player() -> None:
    game, rng, drawn = hsevo.Game("mage", "warrior", seed=4), random.Random(4), 0
    fresh = np.random.default_rng(1)
    while not game.is_over and game.turn < 9:
        me = game.player
        seen = information_tensor(game, me)
        assert all((information_tensor(world, me) == seen).all()
                   for world in game.worlds(me, 2, drawn))
        fake = game.copy()
        fake._state = np.asarray(resampled(
            GameBatch(game.states(), game.ruleset), np.array([me]), fresh).states)
        assert (information_tensor(fake, me) == seen).all()
        drawn += (rows(seen)[:, 0] == KINDS.index(What.DREW)).any()
        game.apply(rng.choice(game.legal_actions()))
    assert drawn > 5
    other = 1 - game.player
    theirs = [row for row in rows(information_tensor(game, other)) if row[1] == 0]
    assert {row[2] for row in theirs if row[0] == KINDS.index(What.DREW)} == {0}


def test_only_the_key_recalls_what_happened_before_the_last_events() -> None:
    """Both minions attack, in either order: the positions are equal, the pasts are not."""
    side = {"class": "mage", "board": ["Wisp", "Murloc Raider"]}
    games = [hsevo.Game.at({"seed": 3, "me": side, "opponent": side}) for _ in range(2)]
    for game, order in zip(games, (["Wisp", "Murloc"], ["Murloc", "Wisp"]), strict=True):
        for name in order:
            game.apply(next(move.index for move in game.moves if move.kind == "attack"
                            and f"with {name}" in move.text and "hero" in move.text))
        game.apply(0)  # ends the turn
    keys = {game.information_state(0).key for game in games}
    assert len(keys) == 2
    for length, equal in ((0, True), (1, True), (40, False)):
        tensors = [information_tensor(game, 0, length) for game in games]
        assert (tensors[0] == tensors[1]).all() == equal, length


@pytest.mark.parametrize("length", [-1, 10_001, 1.5, "many"])
def test_a_length_out_of_range_is_refused(length: object) -> None:
    with pytest.raises(ConfigError, match=r"length is .* must be a whole number from 0 to 10,000"):
        information_tensor(hsevo.Game("mage", "warrior"), 0, length)
