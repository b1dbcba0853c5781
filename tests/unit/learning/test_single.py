"""One battle as an environment of Gymnasium, and the name under which Gymnasium has it."""

import subprocess
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import hsevo
from hsevo import learning
from hsevo.errors import GameError, HsevoError
from tests.support import ROOT

NAME = "hsevo/battle-v0"


def legal(random: np.random.Generator, info: dict[str, Any]) -> int:
    """Return a random legal move."""
    return int(random.choice(np.flatnonzero(info["action_mask"])))


def finish(env: gym.Env[Any, int], info: dict[str, Any], seed: int = 1) -> tuple[Any, ...]:
    """Play a game to its end by random moves; return what the last step returned."""
    random = np.random.default_rng(seed)
    while True:
        step = env.step(legal(random, info))
        if step[2] or step[3]:
            return step
        info = step[4]


@pytest.mark.parametrize("settings", [
    {}, {"opponent": "eva:2018", "decks": "mage", "render_mode": "ansi", "ruleset": "msg2017"}])
def test_it_keeps_to_the_rules_of_gymnasium(settings: dict[str, Any]) -> None:
    """Without a warning, which would be an error here; it tries illegal actions, too."""
    check_env(gym.make(NAME, **settings).unwrapped)
    env = hsevo.make_env(**settings)
    check_env(env)
    assert env.metadata["opponent"] == settings.get("opponent", "random")
    assert "autoreset_mode" not in env.metadata


def test_its_games_are_those_of_a_vector_of_one() -> None:
    """Also the games that follow, and after a reset in the middle of a game."""
    settings: dict[str, Any] = {"opponent": "eva:2018", "opponent_deck": "known", "seed": 6}
    env, vector = hsevo.make_env(**settings), hsevo.make_vec(num_envs=1, **settings)
    random, ends = np.random.default_rng(3), 0
    seen, info = env.reset()
    same, _ = vector.reset()
    for step in range(300):
        assert seen.tobytes() == same["observation"].tobytes()
        assert (env.action_masks() == vector.action_masks()[0]).all()
        assert (info["action_mask"] == env.action_masks()).all()
        if step == 100:
            (seen, info), (same, _) = env.reset(), vector.reset()
            continue
        move = legal(random, info)
        seen, reward, ended, cut, info = env.step(move)
        same, rewards, over, _, infos = vector.step(learning.actions_of([move], vector.games))
        assert (reward, ended, cut) == (rewards[0], over[0], False)
        if ended:
            ends += 1
            assert seen.tobytes() == infos["final_obs"][0]["observation"].tobytes()
            assert not info["action_mask"].any()
            seen, info = env.reset()
    assert ends > 3


def test_the_seed_of_a_reset_begins_the_series_again() -> None:
    env, games = hsevo.make_env(seed=2), []
    for seed in (None, None, 2, None, 3):
        seen, info = env.reset(seed=seed)
        games.append(seen.tobytes())
        if len(games) == 2:
            finish(env, info)  # the next game has begun, but another is asked for
    assert games[:2] == games[2:4]
    assert len({*games}) == 3
    with pytest.raises(HsevoError, match=r"options is .'x': 1., but"):
        env.reset(options={"x": 1})


def test_an_illegal_action_loses_the_game() -> None:
    env = hsevo.make_env(seed=1)
    before, info = env.reset()
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    seen, reward, ended, cut, info = env.step(wrong)
    assert (reward, ended, cut, info["illegal"]) == (-1.0, True, False, True)
    assert seen.tobytes() == before.tobytes()
    assert not info["action_mask"].any()
    with pytest.raises(ResetNeeded):
        env.step(0)
    after, info = env.reset()
    assert after.tobytes() != before.tobytes()
    assert not finish(env, info)[4]["illegal"]


@pytest.mark.parametrize("action", [-1, 3662, 1.5, "0", None, [0, 0], np.array([3, 4])])
def test_what_is_no_number_of_a_move_is_refused(action: Any) -> None:
    env = hsevo.make_env(seed=1)
    env.reset()
    with pytest.raises(GameError, match="is not the number of a move, a whole number from 0"):
        env.step(action)
    env.step(np.array(int(env.action_masks().argmax())))  # as Stable-Baselines3 gives it


def test_a_move_before_the_first_reset_is_refused() -> None:
    with pytest.raises(ResetNeeded, match="call reset"):
        hsevo.make_env().step(0)


def test_a_game_that_meets_a_limit_of_the_engine_is_truncated() -> None:
    env = hsevo.make_env()
    _, info = env.reset()
    env._games.games.states["fault"] = 1
    _, reward, ended, cut, _ = env.step(int(info["action_mask"].argmax()))
    assert (reward, ended, cut) == (0.0, False, True)
    assert env.reset()[1]["action_mask"].any()


def test_the_board_is_drawn_also_after_the_end() -> None:
    env = gym.make(NAME, decks="mage", opponent_decks="warrior", render_mode="ansi", seed=4,
                   ruleset="msg2017")
    _, info = env.reset()
    text = env.render()
    assert isinstance(text, str)
    lines = text.splitlines()
    assert lines[0] == "turn 0, 89 left, mulligan"
    assert lines[1].startswith("enemy: Garrosh Hellscream, health 30/30, ")
    assert lines[3].startswith("own: Jaina Proudmoore, health 30/30, ")
    assert lines[5].startswith("  hand:    ")
    seen, reward, *_ = finish(env, info)
    first, stride = learning.layout().set_index("name").loc["hero.health", ["first", "stride"]]
    own, enemy = seen[[first, first + stride]]
    assert reward == (1.0 if enemy <= 0 < own else -1.0)
    for line, health in zip((1, 3), (enemy, own), strict=True):
        starts = [one for one in env.render().splitlines() if one.startswith(("enemy", "own"))]
        assert f"health {health}/30" in starts[line // 2]
    assert hsevo.make_env().render() is None


def test_a_board_has_what_lies_on_it() -> None:
    """Read from the game itself, in the middle of it."""
    games = hsevo.Games("mage", "warrior", range(20))
    for _ in range(60):
        games.step(games.sample(1))
    names, shown = learning.card_names(), 0
    for seen in learning.observe(games)[0]:
        text, parts = learning.board_text(seen), learning.split(seen)
        for block in ("own_board", "enemy_board", "hand"):
            for row in parts[block][parts[block][:, 0] > 0]:
                shown += 1
                assert names[row[0]] in text
        assert "to move" not in text
    assert shown > 100
    waiting = learning.observe(games, 1 - games.players)[0][0]
    assert learning.board_text(waiting).splitlines()[0].endswith(" left, opponent to move")
    with pytest.raises(ValueError, match="a single observation"):
        learning.board_text(np.zeros((2, learning.layout().shape[0]), np.int16))


# -- the name -----------------------------------------------------------------------------------


@pytest.mark.parametrize("imports", ["import gymnasium, hsevo", "import hsevo, gymnasium",
                                     "import hsevo, gymnasium.spaces"])
def test_gymnasium_knows_the_battles_once_hsevo_is_imported(imports: str) -> None:
    code = f"{imports}; print(gymnasium.spec('{NAME}').vector_entry_point)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True,
                          text=True, cwd=ROOT, check=False)
    assert (done.stdout, done.stderr) == ("hsevo:make_vec\n", "")


def test_the_name_of_the_package_is_enough() -> None:
    code = f"import gymnasium; print(gymnasium.make('hsevo:{NAME}').action_space.n)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT,
                          check=False)
    assert done.stdout == "3662\n", done.stderr


def test_one_name_is_one_environment() -> None:
    """Of Gymnasium, its own vectors, and ours; by default all meet the same opponent."""
    many = gym.make_vec(NAME, num_envs=3, decks="mage", seed=5)
    assert many.metadata["opponent"] == gym.make(NAME).metadata["opponent"] == "random"
    assert many.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    same = hsevo.make_vec(num_envs=3, decks="mage", seed=5, opponent="random")
    assert many.reset()[0]["observation"].tobytes() == same.reset()[0]["observation"].tobytes()
    single = gym.make_vec(NAME, num_envs=2, vectorization_mode="sync", decks="mage")
    seen, infos = single.reset(seed=5)
    assert seen.shape == (2, 1055)
    assert infos["action_mask"].shape == (2, 3662)
    assert gym.make_vec(NAME, opponent=None).metadata["opponent"] is None


def test_a_spec_makes_the_same_environment_again() -> None:
    env = hsevo.make_env(opponent=hsevo.Agent("eva:2018"), decks=hsevo.Deck("mage"), seed=8,
                         render_mode="ansi")
    again = gym.make(env.spec)
    assert again.unwrapped.metadata == env.metadata
    assert env.reset()[0].tobytes() == again.reset()[0].tobytes()
    assert env.render() == again.render()


@pytest.mark.parametrize(("given", "says"), [
    ({"opponent": None}, "opponent is None, but this environment has one player; for self-play,"),
    ({"opponent": "rendom"}, "did you mean 'random'?"),
    ({"id": "batle"}, "did you mean 'battle'?"),
    ({"decks": "maeg"}, "did you mean 'mage'?"),
    ({"render_mode": "human"}, "render_mode is 'human', but must be one of None, ansi")])
def test_bad_input_is_one_line_that_helps(given: dict[str, Any], says: str) -> None:
    with pytest.raises(HsevoError) as refused:
        hsevo.make_env(**given)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)
