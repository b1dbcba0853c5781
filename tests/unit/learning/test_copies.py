"""A copy of an environment, also by pickle, goes on as the environment does, bit by bit."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import hsevo
from hsevo.errors import PlayerError
from tests.support import ROOT
from tests.support.policies import WATCHFUL, random_policy

DECKS = ["mage", "warrior"]
COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy, "copy": copy.copy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env))}


def last(view: Any) -> Any:
    return view.moves[-1]


class Counting:
    """It plays by how often it was asked, so that its copies must remember."""

    def __init__(self) -> None:
        self.asked = 0
        self.random = np.random.default_rng(3)

    def decide(self, view: Any) -> int:
        self.asked += 1
        return int(view.legal[(self.asked * 7 + self.random.integers(50)) % len(view.legal)])


class Many(Counting):
    def decide_many(self, views: Any) -> list[int]:
        return [Counting.decide(self, view) for view in views]

    decide = None  # type: ignore[assignment]


FILE = '''
import numpy as np

class Counting:
    def __init__(self):
        self.asked = 0

    def decide(self, view):
        self.asked += 1
        return view.legal[self.asked * 7 % len(view.legal)]

one = Counting()
'''


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with players of files and an end-to-end policy."""
    folder = tmp_path_factory.mktemp("players")
    (folder / "bot.py").write_text(FILE, encoding="utf-8")
    (folder / "policy.pt").write_bytes(random_policy(net=WATCHFUL).data())
    return folder


OPPONENTS: dict[str, Callable[[Path], Any]] = {
    "self-play": lambda files: None, "random": lambda files: "random",
    "closed form": lambda files: "eva:2018", "network": lambda files: "rl:2026",
    "tree": lambda files: "mcts:vanilla?iterations=10&rollouts=1&reuse=yes",
    "function": lambda files: last, "class": lambda files: Counting,
    "object": lambda files: Counting(), "many": lambda files: Many(),
    "named object": lambda files: hsevo.Agent(Counting(), name="counting"),
    "class of a file": lambda files: f"py:{files}/bot.py#Counting",
    "object of a file": lambda files: f"py:{files}/bot.py#one",
    "end-to-end": lambda files: f"rl:{files}/policy.pt",
    "pool": lambda files: {"eva:2018": 1, "rl:2026": 1, Counting: 1, hsevo.Agent(Many()): 1,
                           f"rl:{files}/policy.pt": 1}}


def vector(env: Any, start: int, steps: int) -> Iterator[Any]:
    """Step a vector environment by random moves; yield all that it says."""
    for step in range(start, start + steps):
        seen, rewards, ended, cut, infos = env.step(env.sample(step))
        finals = [one["observation"].tobytes() for one in infos.get("final_obs", []) if one]
        yield ([seen[name].tobytes() for name in seen], rewards.tolist(), ended.tolist(),
               cut.tolist(), infos["player"].tolist(), finals, env.action_masks().tobytes())


def single(env: Any, start: int, steps: int) -> Iterator[Any]:
    random = np.random.default_rng(start)
    mask = env.unwrapped.action_masks()
    for _ in range(steps):
        if not mask.any():
            seen, info = env.reset()
        else:
            seen, reward, over, cut, info = env.step(int(random.choice(np.flatnonzero(mask))))
            yield reward, over, cut
        mask = info["action_mask"]
        yield seen.tobytes(), mask.tobytes()


def two_agents(env: Any, start: int, steps: int) -> Iterator[Any]:
    random = np.random.default_rng(start)
    for _ in range(steps):
        if not env.agents or any(env.terminations.values()):
            env.reset()
        seen, reward, ended, _, info = env.last()
        yield seen.tobytes(), reward, ended, info["action_mask"].tobytes(), env.agent_selection
        env.step(int(random.choice(np.flatnonzero(info["action_mask"]))))


def go_on_alike(env: Any, play: Any, ways: Any = ()) -> None:
    """Copy an environment at several points, and step copies before and after it."""
    at = 0
    for steps in (0, 20):
        [*play(env, at, steps)]
        at += steps
        first, *others = (again(env) for again in ways or COPIES.values())
        early = [*play(first, at, 8)]
        for one in (env, *others):
            assert [*play(one, at, 8)] == early
        at += 8


@pytest.mark.slow
@pytest.mark.parametrize(("opponent", "history"), [
    *((opponent, True) for opponent in OPPONENTS),
    *((opponent, False) for opponent in ("self-play", "closed form", "object", "end-to-end",
                                         "pool"))])
def test_vector_environments(opponent: str, history: bool, files: Path) -> None:
    env = hsevo.make_vec(num_envs=2, opponent=OPPONENTS[opponent](files), decks=DECKS, seed=4,
                         history=history, opponent_deck="known", max_turns=12)
    env.reset()
    go_on_alike(env, vector)


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("opponent", ["random", "class", "object", "end-to-end", "pool"])
def test_single_environments(opponent: str, history: bool, files: Path) -> None:
    """Also between games, when the next one has begun already, and inside Gymnasium's wrappers."""
    given: dict[str, Any] = {"decks": DECKS, "seed": 4, "history": history, "max_turns": 6}
    for make in (hsevo.make_env, lambda **more: gym.make("hsevo/battle-v0", **more)):
        env = make(opponent=OPPONENTS[opponent](files), **given)
        env.reset()
        ours = make is hsevo.make_env  # shallow copies of Gymnasium's wrappers share what is inside
        go_on_alike(env, single, [COPIES[name] for name in COPIES if ours or name != "copy"])


@pytest.mark.parametrize("history", [False, True])
def test_environments_of_two_agents(history: bool) -> None:
    for more in ({}, {"deck_1": {"human": 1, "changed": 1}}):
        env = hsevo.aec_env(**{"deck_0": DECKS[0], "deck_1": DECKS[1], **more}, seed=4,
                            history=history, opponent_deck="known", max_turns=8)
        env.reset()
        go_on_alike(env, two_agents)


def test_threads_and_closed_lists_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hsevo.learning.slots, "EACH", 3)
    env = hsevo.make_vec(num_envs=9, opponent="eva:2018", seed=4, information="closed", threads=3)
    env.reset()
    go_on_alike(env, vector)


def test_an_environment_that_has_not_begun_can_be_copied() -> None:
    env = hsevo.make_vec(num_envs=3, opponent="random", seed=4)
    for again in COPIES.values():
        other = again(env)
        assert other.reset()[0]["observation"].tobytes() == (
            again(env).reset()[0]["observation"].tobytes())
        assert other.spec.kwargs["opponent"] == "random"
        assert other.metadata == env.metadata


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["network", "object of a file", "end-to-end", "pool"])
def test_another_process_goes_on_alike(opponent: str, files: Path, tmp_path: Path) -> None:
    """It has no code, network or player of this one."""
    env = hsevo.make_vec(num_envs=2, opponent=OPPONENTS[opponent](files), decks=DECKS, seed=4)
    env.reset()
    [*vector(env, 0, 10)]
    (tmp_path / "env").write_bytes(pickle.dumps(env))
    code = ("import pickle, sys; from pathlib import Path\n"
            "from tests.unit.learning.test_copies import vector\n"
            "env = pickle.loads(Path(sys.argv[1]).read_bytes())\n"
            "sys.stdout.buffer.write(pickle.dumps([*vector(env, 10, 25)]))\n")
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "env"], capture_output=True,
                          cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    assert pickle.loads(done.stdout) == [*vector(env, 10, 25)]


class Stuck(Counting):
    """A player that holds what neither copies nor pickles can have."""

    def __init__(self) -> None:
        super().__init__()
        self.rest = (number for number in range(3))


@pytest.mark.parametrize("make", [hsevo.make_vec, hsevo.make_env, gym.make])
def test_an_opponent_that_cannot_go_along_says_so(make: Any) -> None:
    first = ["hsevo/battle-v0"] if make is gym.make else []
    for opponent, ways in ((lambda view: view.legal[0], [pickle.dumps]),
                           (Stuck(), [pickle.dumps, copy.deepcopy]),
                           (Stuck, [pickle.dumps, copy.deepcopy])):
        env = make(*first, opponent=opponent, seed=1)
        env.reset()
        for way in ways:
            with pytest.raises(PlayerError, match=r"opponent can't be (copied|pickled), so") as no:
                way(env)
            assert "\n" not in str(no.value)
    copied = copy.deepcopy(make(*first, opponent=lambda view: view.legal[0], seed=1))
    copied.reset()
