"""Every way to play against an opponent keeps every rule that was asked for.

A setting once got lost in one of several implementations: environments of closed deck lists showed
Python opponents the learner's list.
"""

from itertools import product
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import hsevo
from hsevo import learning
from hsevo.engine.record.state import RUNNING
from hsevo.errors import ConfigError
from hsevo.play.games import GameBatch
from tests.support.policies import random_run
from tests.support.random_games import batch_of, unnoted

DECKS = ["mage", "warrior"]
RULES = [
    {"information": "fair", "ruleset": "cig2018", "max_turns": 89},
    {"information": "closed", "ruleset": "cig2018", "max_turns": 7},
    {"information": "closed:uniform", "ruleset": "msg2017", "max_turns": 12},
]
SEARCH = "mcts:vanilla?iterations=10&rollouts=1"


class Watcher:
    """A Python player that checks each view by the rules, and remembers how many it saw."""

    def __init__(self, information: str, ruleset: str, max_turns: int) -> None:
        self.information, self.ruleset, self.max_turns = information, ruleset, max_turns
        self.views, self.last = 0, 0

    def decide(self, view: Any) -> int:
        """Return the last legal move."""
        self.views, self.last = self.views + 1, max(self.last, view.turn)
        assert (view.opponent_deck is None) == self.information.startswith("closed")
        assert view.deck.name in DECKS
        assert view.ruleset == self.ruleset
        assert view["max_turns"] == self.max_turns
        assert view.turn <= self.max_turns
        return int(view.legal[-1])


def vector(make: Any, history: bool) -> Any:
    def play(opponent: Any, rules: dict[str, Any]) -> None:
        env = make(num_envs=3, opponent=opponent, decks=DECKS, seed=2, history=history, **rules)
        for name, value in rules.items():
            assert env.metadata[name] == value
        env.reset()
        for step in range(25):
            env.step(env.sample(step))
    return play


def single(make: Any) -> Any:
    def play(opponent: Any, rules: dict[str, Any]) -> None:
        env = make(opponent=opponent, decks=DECKS, seed=2, **rules)
        for _ in range(2):
            _, info = env.reset()
            over = False
            while not over:
                _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    return play


def with_sb3(opponent: Any, rules: dict[str, Any]) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
    env = hsevo.make_sb3(num_envs=3, opponent=opponent, decks=DECKS, seed=2, **rules)
    env.reset()
    for _ in range(25):
        env.step(env.env_method("action_masks")[0].argmax() + np.zeros(3, int))


def a_game(opponent: Any, rules: dict[str, Any]) -> None:
    game = hsevo.Game(*DECKS, players=[opponent, "random"], seed=5, **rules)
    game.copy().run()
    game.run()


def asked(opponent: Any, rules: dict[str, Any]) -> None:
    game = hsevo.Game(*DECKS, players=["random", "random"], seed=5, **rules)
    for _ in range(6):
        game.step()
    game.ask(opponent)


def a_match(opponent: Any, rules: dict[str, Any]) -> None:
    hsevo.match(hsevo.Agent(opponent, name="watcher"), "random", games=8, decks=DECKS, workers=1,
                **rules)


def an_arena(opponent: Any, rules: dict[str, Any]) -> None:
    hsevo.arena([hsevo.Agent(opponent, name="watcher"), "random"], 8, decks=DECKS, workers=1,
                **rules)


WAYS: dict[str, Any] = {
    "make_vec": vector(hsevo.make_vec, False), "make_vec with a history":
    vector(hsevo.make_vec, True), "make_env": single(hsevo.make_env), "gymnasium.make": single(
        lambda **given: gym.make("hsevo/battle-v0", **given)), "gymnasium.make_vec": vector(
        lambda **given: gym.make_vec("hsevo/battle-v0", **given), False), "make_sb3": with_sb3,
    "Game": a_game, "Game.ask": asked, "match": a_match, "arena": an_arena}


@pytest.mark.parametrize("rules", RULES, ids=[rules["information"] for rules in RULES])
@pytest.mark.parametrize("way", WAYS)
def test_a_python_opponent_sees_what_the_rules_allow(way: str, rules: dict[str, Any]) -> None:
    watcher = Watcher(**rules)
    WAYS[way](watcher, rules)
    assert watcher.views > 0
    if rules["max_turns"] == 7 and way != "Game.ask":
        assert watcher.last >= 6  # games reach the limit, and no later turn


@pytest.mark.parametrize(("backend", "some"), [
    ("threads", RULES), pytest.param("loky", RULES[1:2], marks=pytest.mark.slow),
    pytest.param("dask", RULES[1:2], marks=pytest.mark.slow)])
def test_workers_keep_the_rules(backend: str, some: Any, tmp_path: Path) -> None:
    """The player of a file, which other processes read themselves."""
    for number, rules in enumerate(some):
        file = tmp_path / f"watcher{number}.py"
        closed = rules["information"].startswith("closed")
        file.write_text(
            "def decide(view):\n"
            f"    assert (view.opponent_deck is None) == {closed}\n"
            f"    assert view.ruleset == {rules['ruleset']!r}\n"
            f"    assert view['max_turns'] == {rules['max_turns']} >= view.turn\n"
            "    return view.legal[-1]\n", encoding="utf-8")
        found = hsevo.match(f"py:{file}#decide", "random", games=8, decks=DECKS, workers=2,
                            backend=backend, **rules)
        assert found.played == 8


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the spec of an end-to-end policy with random parameters."""
    return f"rl:{random_run(tmp_path_factory.mktemp('policy') / 'run', periods=1, build=False)}"


@pytest.mark.parametrize("way", WAYS)
def test_an_end_to_end_opponent_plays_with_open_lists_alone(way: str, policy: str) -> None:
    """It can't play without the other's list, so that every way refuses it."""
    with pytest.raises(ConfigError, match="needs open deck lists"):
        WAYS[way](policy, RULES[1])


# -- the games themselves --------------------------------------------------------------------------


def last(view: Any) -> Any:
    return view.moves[-1]


@pytest.mark.parametrize(("opponent", "rules", "history"), [
    *product(["eva:2018", SEARCH, last], RULES, [True]),
    *product(["eva:2018", SEARCH, last], RULES[1:2], [False]),
    ("policy", {**RULES[0], "max_turns": 9}, True)])
def test_the_games_are_those_of_a_game_with_the_same_rules(
        opponent: Any, rules: dict[str, Any], history: bool, policy: str) -> None:
    """Seeds, rules and what look-aheads know: a twin played move by move comes to the same."""
    player = policy if opponent == "policy" else opponent
    env = hsevo.make_vec(num_envs=2, opponent=player, decks=DECKS, seed=3, history=history, **rules)
    env.reset()
    twins = [begun(slot, player, rules) for slot in env.slots.slots]
    running = [True, True]
    for step in range(60):
        for i, twin in enumerate(twins):
            if running[i]:
                twin.run()
                assert unnoted(batch_of([twin.states()[0]], rules["ruleset"])) == unnoted(
                    env.games.take([i]))
        actions = env.sample(step)
        for i, move in enumerate(learning.moves_of(actions)):
            if running[i]:
                twins[i].play(int(move))
                twins[i].run()
        over = env.step(actions)[2]
        for i, twin in enumerate(twins):
            if running[i]:
                assert over[i] == twin.over
            running[i] = running[i] and not over[i]
    assert not all(running)


def begun(slot: Any, player: Any, rules: dict[str, Any]) -> Any:
    seed = (int(slot["seed"]) + int(slot["game"]) - 1) % 2**64
    players: list[Any] = [player, player]
    players[slot["seat"]] = None
    return hsevo.Game(*(DECKS[k] for k in slot["deck"]), players=players, seed=seed, **rules)


def test_closed_lists_change_how_a_search_plays() -> None:
    """Otherwise the test above could not see that they were lost."""
    found = []
    for information in ("fair", "closed", "closed:uniform"):
        env = hsevo.make_vec(num_envs=8, opponent=SEARCH, decks=DECKS, seed=3,
                             information=information)
        env.reset()
        for step in range(20):
            env.step(env.sample(step))
        found.append(unnoted(GameBatch(env.games.states)))
    assert found[0] != found[1] != found[2] != found[0]
    assert (env.games.states["result"] == RUNNING).any()
