"""Environments against players that are not compiled: the games of `Slots`, another opponent."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import hsevo
from hsevo import learning
from hsevo.engine.record.state import DRAW, WIN_0, WIN_1
from hsevo.errors import ConfigError, GameError, PlayerError

DECKS = ["mage", "warrior", "shaman"]


def last(view: Any) -> Any:
    return view.moves[-1]


def chance(view: Any) -> Any:
    return int(view.random.choice(view.legal))


def test_games_begin_as_against_a_compiled_opponent() -> None:
    """Seats, decks and deals are the same; so is all that is seen before the opponent moves."""
    given: dict[str, Any] = {"num_envs": 40, "decks": DECKS[:2], "opponent_decks": DECKS[2],
                             "seed": 9, "opponent_deck": "known"}
    one, other = (hsevo.make_vec(opponent=player, **given) for player in (last, "random"))
    seen, others = one.reset()[0], other.reset()[0]
    for name in ("seed", "game", "seat", "deck"):
        assert np.array_equal(one.slots.slots[name], other.slots.slots[name]), name
    assert np.array_equal(one.slots.states["first"], other.slots.states["first"])
    begins = one.slots.states["first"] == one.slots.slots["seat"]
    assert 5 < begins.sum() < 35
    for name in ("observation", "what", "at", "where"):
        assert np.array_equal(seen[name][begins], others[name][begins]), name
    assert np.array_equal(one.action_masks()[begins], other.action_masks()[begins])


@pytest.mark.slow
@pytest.mark.parametrize("player", [last, chance])
def test_steps_are_games_played_to_their_ends(player: Any) -> None:
    """A twin that is played by hand, opponent's moves included, comes to the same results."""
    env = hsevo.make_vec(num_envs=4, opponent=player, decks=DECKS, seed=3)
    env.reset()
    twins: list[Any] = [None] * 4
    ended = np.zeros(4, int)
    for step in range(150):
        if ended.min() >= 2:
            break
        for i, slot in enumerate(env.slots.slots):
            if twins[i] is None:
                twins[i] = begun(env, slot, player)
            twins[i].run()
            assert twins[i].player == slot["seat"] == env.slots.states["me"][i]
            assert twins[i].turn == env.slots.states["turn"][i]
        actions = env.sample(step)
        moves = learning.moves_of(actions)
        seats = env.slots.slots["seat"].copy()
        _, rewards, over, cut, infos = env.step(actions)
        assert not cut.any()
        for i, move in enumerate(moves):
            twins[i].play(int(move))
            twins[i].run()
            assert twins[i].over == over[i]
            if over[i]:
                points = {DRAW: 0, WIN_0: 1, WIN_1: -1}[twins[i].result]
                assert rewards[i] == (points if seats[i] == 0 else -points)
                final = infos["final_obs"][i]
                assert not final["what"].any()
                shown, _ = learning.observe(hsevo.play.games.GameBatch(
                    np.atleast_1d(twins[i].states()[0]).view(np.recarray)), int(seats[i]))
                assert np.array_equal(final["observation"], shown[0])
                twins[i], ended[i] = None, ended[i] + 1
            else:
                assert rewards[i] == 0
    assert ended.min() >= 2


def begun(env: Any, slot: Any, player: Any) -> Any:
    """Return the game of a slot as a hsevo.Game."""
    seed = (int(slot["seed"]) + int(slot["game"]) - 1) % 2**64
    players: list[Any] = [player, player]
    players[slot["seat"]] = None
    return hsevo.Game(*(DECKS[k] for k in slot["deck"]), players=players, seed=seed)


def test_a_seed_gives_the_same_games() -> None:
    def play(seed: int | None, env: Any) -> list[Any]:
        found = [env.reset(seed=seed)[0]["observation"].copy()]
        for step in range(30):
            seen, rewards, *_ = env.step(env.sample(step))
            found += [seen["observation"].copy(), rewards]
        return found

    envs = [hsevo.make_vec(num_envs=3, opponent=chance, seed=5) for _ in range(2)]
    first = play(5, envs[0])
    for again in (play(None, envs[1]), play(5, envs[0])):
        assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))


def test_an_illegal_action_changes_nothing() -> None:
    env = hsevo.make_vec(num_envs=2, opponent=last, seed=5)
    env.reset()
    before = env.slots.states.tobytes()
    for action in ([57, 0, 0], [0, 5, 0], [-1, 0, 0], [99, 0, 0], [0, 0, 3]):
        with pytest.raises(GameError, match="is not legal in game 1 of 2; no game was changed"):
            env.step(np.array([env.sample(1)[0], action]))
        assert env.slots.states.tobytes() == before


@pytest.mark.filterwarnings("ignore")  # of gymnasium, about spaces
def test_gymnasium_takes_it() -> None:
    env = hsevo.make_env(opponent=last, decks="mage", seed=1)
    check_env(env, skip_render_check=True)


def test_what_goes_wrong_is_one_line() -> None:
    env = hsevo.make_vec(num_envs=8, opponent=lambda view: "end", seed=1)
    with pytest.raises(PlayerError, match="returned 'end'"):
        env.reset()
    with pytest.raises(ConfigError, match="sees only public information"):
        hsevo.make_vec(opponent=last, information="leaky")


def test_a_fault_of_the_engine_ends_its_game_alone() -> None:
    """As with a compiled opponent: the game is truncated, and its next one begins."""
    env = hsevo.make_vec(num_envs=3, opponent=last, decks=DECKS, seed=3)
    env.reset()
    before = env.slots.slots["game"].copy()
    env.games.states["fault"][1] = 1  # it stops with its next move
    _, rewards, over, cut, _ = env.step(env.sample(1))
    assert cut.tolist() == [False, True, False]
    assert not over.any()
    assert rewards.tolist() == [0, 0, 0]
    assert (env.slots.slots["game"] - before).tolist() == [0, 1, 0]
    assert not env.slots.states["fault"].any()
    env.step(env.sample(2))
