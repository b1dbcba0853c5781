"""Worlds and outcomes in files and pickles: they go on as before, and others are refused."""

import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo.errors import GameError


def middle(turn: int = 9, **rules: object) -> hsevo.Game:
    """A game of random moves, in a turn."""
    game, rng = hsevo.Game("mage", "warrior", seed=3, **rules), random.Random(3)
    while game.turn < turn or game.phase != "play":
        game.apply(rng.choice(game.legal_actions()))
    return game


def same_to_the_end(first: hsevo.GameState, second: hsevo.GameState) -> int:
    """Play both to the end; return after how many moves."""
    rng, moves = random.Random(5), 0
    while not first.is_over:
        assert first.legal_actions() == second.legal_actions()
        action = rng.choice(first.legal_actions())
        first.apply(action)
        second.apply(action)
        moves += 1
    assert second.is_over
    assert first.returns() == second.returns()
    return moves


def of_the_position(tree: Any) -> Any:
    """Return a view without what a game has from its moves: numbers of cards, and graveyards."""
    if isinstance(tree, dict):
        return {key: of_the_position(x) for key, x in tree.items()
                if key not in ("number", "graveyard")}
    return [of_the_position(x) for x in tree] if isinstance(tree, list) else tree


@pytest.mark.parametrize("information", ["fair", "leaky"])
def test_a_world_in_a_file_goes_on_as_before(information: str, tmp_path: Path) -> None:
    game = middle(information=information)
    for number, world in enumerate(game.worlds(game.player, 3)):
        for _ in range(number):  # it is saved as it is now
            world.apply(world.legal_actions()[-1])
        path = tmp_path / f"{number}.json"
        world.save(path)
        assert path.stat().st_size < 20_000
        loaded = hsevo.Game.load(path)
        assert (loaded.information, loaded.ruleset) == (information, world.ruleset)
        assert [of_the_position(loaded.view(player)) for player in (0, 1)] == [
            of_the_position(world.view(player)) for player in (0, 1)]
        assert loaded.save() == world.save()
        assert same_to_the_end(world, loaded) > 10


def test_an_outcome_in_a_file_keeps_what_was_drawn(tmp_path: Path) -> None:
    side = {"class": "mage", "deck": ["Wisp", "Fireball"]}
    outcomes = hsevo.Game.at({"me": side, "opponent": side}).outcomes(0)
    for outcome in outcomes:
        outcome.game.save(tmp_path / "outcome.json")
        loaded = hsevo.Game.load(tmp_path / "outcome.json")
        (held,) = loaded.view(1)["me"]["hand"]
        assert outcome.text.endswith(f"draws {held['name']}")


def test_a_state_without_seats_goes_through_a_file_of_its_position(tmp_path: Path) -> None:
    state = hsevo.GameState(middle().states())
    path = state.position().write(tmp_path / "state.json")
    assert same_to_the_end(state, hsevo.GameState(hsevo.Position.read(path).state)) > 10


def in_a_choice() -> hsevo.Game:
    """The outcome of a card that offers three cards."""
    game = hsevo.Game.at({"me": {"class": "warlock", "hand": ["Dark Peddler"], "crystals": 2},
                          "opponent": {"class": "mage"}})
    world = game.worlds(0)[0]
    world.apply(next(move.index for move in world.moves if move.kind == "play"))
    assert world.phase == "choice"
    return world


def test_a_world_in_a_choice_goes_through_a_file() -> None:
    world = in_a_choice()
    loaded = hsevo.Game.load(world.save())
    assert loaded.phase == "choice"
    assert loaded.legal_actions() == world.legal_actions()
    assert same_to_the_end(world, loaded) > 3


def test_a_world_that_a_file_cannot_hold_is_refused_in_one_line() -> None:
    over = middle().worlds(0)[0]
    while not over.is_over:
        over.apply(over.legal_actions()[0])
    for world, message in (
            (over, "the game is over"),
            (middle(information="closed").worlds(0)[0], "closed deck lists can't be saved")):
        with pytest.raises(GameError, match=message) as caught:
            world.save()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("change", "message"), [
    ({"version": 2}, "has version '2', but this hsevo reads version 1"),
    ({"format": "hsevo state"}, "not a saved game"),
    ({"digest": "0" * 16, "engine": "0" * 16}, "different position; it was played by the engine"),
    ({"position": {}}, "the saved game's position"),
    ({"seed": 7}, "seed of its position does not match"),
], ids=repr)
def test_a_file_of_another_version_or_a_damaged_one_is_refused(
        change: dict[str, object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    data = middle().worlds(0)[0].save()
    path.write_text(json.dumps(data | change))
    with pytest.raises(hsevo.HsevoError, match=message):
        hsevo.Game.load(path)


def test_pickles_hold_every_state_of_this_engine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    states = [in_a_choice(), middle(information="closed").worlds(0)[0],
              hsevo.GameState(middle().states())]
    pickles = [pickle.dumps(state) for state in states]
    for state, pickled in zip(states, pickles, strict=True):
        assert same_to_the_end(state, pickle.loads(pickled)) > 5
    monkeypatch.setattr("hsevo.play.game_state.fingerprint", lambda: "other")
    for pickled in pickles:
        with pytest.raises(GameError, match=r"pickled with the engine .*but this is other; use"):
            pickle.loads(pickled)
