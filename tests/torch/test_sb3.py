"""Battles for Stable-Baselines3, and the example that learns in them."""

import copy
import pickle
import re
import runpy

import numpy as np
import pytest

import hsevo
from hsevo import learning
from hsevo.errors import ConfigError, GameError, PlayerError
from tests.support import ROOT

pytest.importorskip("sb3_contrib", reason="needs the extra sb3")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import VecMonitor

MADE = runpy.run_path(str(ROOT / "examples" / "sb3_ppo.py"))
SETTINGS = {"opponent": "random", "decks": "mage", "seed": 3}


@pytest.fixture(scope="module")
def trained():
    """A model that learned a little."""
    return MADE["learn"](steps=8192, opponent="random")


def test_its_games_are_those_of_the_vector_environment():
    env, vector = (make(num_envs=7, **SETTINGS) for make in (hsevo.make_sb3, hsevo.make_vec))
    random, ended = np.random.default_rng(1), 0
    assert isinstance(env, VecMonitor)
    assert is_masking_supported(env)
    seen, same = env.reset(), vector.reset()[0]
    for _ in range(150):
        masks = get_action_masks(env)
        assert env.observation_space.contains(seen[0])
        assert seen.tobytes() == same["observation"].tobytes()
        assert (masks == vector.action_masks()).all()
        moves = np.array([random.choice(np.flatnonzero(one)) for one in masks])
        actions = learning.actions_of(moves, vector.games)
        seen, rewards, dones, infos = env.step(moves)
        same, wanted, over, _, last = vector.step(actions)
        assert (rewards.tolist(), dones.tolist()) == (wanted.tolist(), over.tolist())
        for i, info in enumerate(infos):
            assert ("terminal_observation" in info) == ("episode" in info) == over[i]
            if over[i]:
                ended += 1
                assert not info["TimeLimit.truncated"]
                assert info["episode"]["r"] == rewards[i]
                final = last["final_obs"][i]["observation"]
                assert info["terminal_observation"].tobytes() == final.tobytes()
    assert ended > 5
    env.close()


def test_one_battle_keeps_to_its_rules_too():
    """Without a warning, which would be an error here; MaskablePPO finds its masks."""
    env = hsevo.make_env(**SETTINGS)
    check_env(env)
    assert is_masking_supported(env)
    env.reset()
    assert (get_action_masks(env) == env.action_masks()).all()
    assert MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8).learn(8).num_timesteps == 8


def test_observations_may_have_a_history():
    env = hsevo.make_sb3(num_envs=4, history=True, **SETTINGS)
    seen, random, last = env.reset(), np.random.default_rng(1), []
    assert seen.shape == (4, 1235)
    for _ in range(200):
        moves = [random.choice(np.flatnonzero(one)) for one in get_action_masks(env)]
        seen, _, _, infos = env.step(np.array(moves))
        last += [one["terminal_observation"] for one in infos if "terminal_observation" in one]
        assert all(env.observation_space.contains(one) for one in (*seen, *last))
    assert len(last) > 1
    assert learning.split(np.stack(last))["enemy_played"].any()
    check_env(hsevo.make_env(history=True, **SETTINGS))


def test_a_seed_that_it_is_given_later_is_of_the_next_reset():
    env, other = hsevo.make_sb3(num_envs=3, **SETTINGS), hsevo.make_sb3(num_envs=3, seed=9)
    first = env.reset().tobytes()
    env.seed(3)
    assert env.reset().tobytes() == first
    assert env.reset().tobytes() != first != other.reset().tobytes()


def test_a_game_that_meets_a_limit_of_the_engine_is_truncated():
    env = hsevo.make_sb3(num_envs=3, **SETTINGS)
    env.reset()
    env.unwrapped.games.games.states["fault"][1] = 1
    _, _, dones, infos = env.step(get_action_masks(env).argmax(axis=1))
    assert dones.tolist() == [False, True, False]
    assert infos[1]["TimeLimit.truncated"]


def test_opponents_come_from_a_pool_that_may_change():
    """Infos of finished games name them; copies keep both pools; decks may be drawn by shares."""
    env = hsevo.make_sb3(num_envs=8, opponent={"random": 1, "eva:2018": 1}, seed=2, max_turns=5,
                         decks={"human": 1, "changed": 1})
    env.reset()

    def play(env, steps):
        told = []
        for _ in range(steps):
            *_, dones, infos = env.step(get_action_masks(env).argmax(axis=1))
            assert [("opponent" in info) for info in infos] == dones.tolist()
            told += [info["opponent"] for info in infos if "opponent" in info]
        return told

    assert {*play(env, 12)} == {"random", "eva:2018"}
    env.set_opponents("noaggression")
    other = pickle.loads(pickle.dumps(env))
    told = play(env, 60)
    assert play(other, 60) == told
    assert told[-8:] == ["noaggression"] * 8
    with pytest.raises(ConfigError, match="weight of opponent 'random' is 0"):
        env.set_opponents({"random": 0})


def test_what_it_does_not_have_is_refused():
    env = hsevo.make_sb3(num_envs=2)
    with pytest.raises(ConfigError, match="this environment has one player"):
        hsevo.make_sb3(opponent=None)
    with pytest.raises(AttributeError):
        env.env_method("shuffle")
    with pytest.raises(AttributeError):
        env.set_attr("deck", "mage")
    with pytest.raises(AttributeError):
        env.get_attr("deck")
    env.reset()
    with pytest.raises(GameError, match="is not legal in game 1 of 2"):
        env.step(np.array([0, 3661]))


def test_the_example_learns(trained):
    """Moves that are drawn from all legal ones win half of the games against random play."""
    rate = MADE["win_rate"](trained, "random", games=200)
    assert 0.6 < rate.low < rate.value < rate.high < rate.low + 0.14


def test_the_code_of_the_page_runs(capsys):
    """With fewer decisions and games than there."""
    text = (ROOT / "docs" / "pages" / "how-to" / "environments.md").read_text(encoding="utf-8")
    (code,) = (one for one in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
               if "sb3" in one)
    code = code.replace("100_000", "1").replace("500", "20").replace("num_envs=64", "num_envs=8")
    exec(compile(code, "environments.md", "exec"), {"hsevo": hsevo, "np": np})
    assert re.search(r"^0\.\d+ \(0\.\d+ to [01]\.?\d*\)$", capsys.readouterr().out, re.M)


def test_the_example_prints_its_rates_and_saves_a_player(trained, monkeypatch, capsys, tmp_path):
    names = MADE["main"].__globals__
    monkeypatch.setitem(names, "learn", lambda *given: trained)
    monkeypatch.setitem(names, "win_rate", lambda *given: MADE["win_rate"](*given, games=20))
    out = tmp_path / "sb3"
    monkeypatch.setattr("sys.argv", ["sb3_ppo.py", "--steps", "8192", "--out", str(out)])
    MADE["main"]()
    learned, measuring, random, eva = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"learned from 8,192 decisions in \d+ CPU seconds", learned)
    assert measuring == "measuring, which takes about a minute ..."
    assert re.fullmatch(r"against random: [\d.]+ % won \([\d.]+ to [\d.]+\)", random)
    assert eva.startswith("against eva:2018: ")
    played = hsevo.match(f"py:{out / 'player.py'}#player", "random", 18)
    assert (played.faults, len(played.games)) == (0, 18)


def test_the_example_says_what_is_wrong(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["sb3_ppo.py", "--opponent", "rendom"])
    with pytest.raises(SystemExit) as stopped:
        MADE["main"]()
    assert stopped.value.code == 2
    assert "did you mean 'random'?" in capsys.readouterr().err


def test_a_seed_gives_the_same_model():
    first, again, other = (MADE["learn"](steps=1024, games=16, seed=seed).policy.state_dict()
                           for seed in (1, 1, 2))
    assert all((again[name] == one).all() for name, one in first.items())
    assert any((other[name] != one).any() for name, one in first.items())


def test_copies_go_on_as_the_battles_do():
    """Also by pickle, and in the monitor that counts the episodes."""
    env = hsevo.make_sb3(num_envs=3, **SETTINGS)
    env.reset()

    def play(env, seed):
        random, told = np.random.default_rng(seed), []
        for _ in range(110):
            moves = [random.choice(np.flatnonzero(one)) for one in get_action_masks(env)]
            seen, rewards, dones, infos = env.step(np.array(moves))
            told.append((seen.tobytes(), rewards.tolist(), dones.tolist(),
                         [(info["episode"]["r"], info["episode"]["l"]) for info in infos
                          if "episode" in info]))
        return told

    for seed in (1, 2):
        copies = [copy.deepcopy(env), copy.copy(env), pickle.loads(pickle.dumps(env))]
        told = play(env, seed)
        assert all(play(one, seed) == told for one in copies)
        assert any(episodes for *_, episodes in told)
        assert isinstance(copies[0], VecMonitor)
    with pytest.raises(PlayerError, match="the opponent can't be pickled"):
        pickle.dumps(hsevo.make_sb3(num_envs=2, opponent=lambda view: view.legal[0]))
