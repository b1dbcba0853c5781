"""One battle in words, as an environment of Gymnasium; the player that asks a language model."""

import copy
import importlib.util
import pickle
from types import ModuleType
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import hsevo
from hsevo.errors import ConfigError, GameError
from tests.support import ROOT

NAME = "hsevo/battle-v0"


def finish(env: Any, info: dict[str, Any], seed: int = 1) -> list[Any]:
    """Play a game to its end by random moves; return all that the steps returned."""
    random, steps = np.random.default_rng(seed), []
    while not steps or not (steps[-1][2] or steps[-1][3]):
        moves = steps[-1][4]["moves"] if steps else info["moves"]
        steps.append(env.step(moves[random.integers(len(moves))]))
    return steps


@pytest.mark.parametrize("settings", [
    {}, {"ruleset": "msg2017", "render_mode": "ansi", "retries": 1, "opponent_deck": "known"}])
def test_it_keeps_to_the_rules_of_gymnasium(settings: dict[str, Any]) -> None:
    env = hsevo.make_env(text=True, **settings)
    check_env(env)
    again = gym.make(env.spec).unwrapped
    seen, info = env.reset(seed=4)
    assert again.reset(seed=4)[0] == seen
    assert ("Deck list at the beginning" in seen) == ("opponent_deck" in settings)
    for text, *_ in finish(env, info):
        assert env.observation_space.contains(text)
        assert max(map(len, text.splitlines())) <= 80
    assert all(map(env.action_space.contains, info["moves"]))
    assert env.render() == (text if "render_mode" in settings else None)


def test_its_games_are_those_of_the_numbers() -> None:
    """Move by move, with the same results; the text tells how a game ended."""
    env = hsevo.make_env(text=True, opponent="eva:2018", seed=6)
    numbers = hsevo.make_env(opponent="eva:2018", seed=6)
    random, ends = np.random.default_rng(3), 0
    (_, info), (_, same) = env.reset(), numbers.reset()
    while ends < 3:
        legal = np.flatnonzero(same["action_mask"])
        assert len(info["moves"]) == len(legal)
        k = random.integers(len(legal))
        text, *step, info = env.step(info["moves"][k])
        _, *other, same = numbers.step(legal[k])
        assert step == other
        if step[1]:
            ends += 1
            assert text.startswith(("You lost.", "You won.")[step[0] > 0])
            assert info["moves"] == []
            (_, info), (_, same) = env.reset(), numbers.reset()


def test_it_tells_what_a_python_player_is_told() -> None:
    """Of the same game; the acts come from the compiled history."""
    heard: list[str] = []

    def player(view: hsevo.View) -> Any:
        heard.append(view.text)
        return view.moves[-1]

    env = hsevo.make_env(text=True, decks="mage", opponent_decks="secret-hunter", seed=5,
                         opponent_deck="known", opponent="eva:2018", ruleset="msg2017")
    text, info = env.reset()
    said, slot, over = [text], env._slots.slots[0].copy(), False
    while not over:
        text, _, over, _, info = env.step(info["moves"][-1])
        said.append(text)
    order = slice(None, None, 1 - 2 * int(slot["seat"]))
    seed = (int(slot["seed"]) + int(slot["game"]) - 1) % 2**64
    game = hsevo.Game(*["mage", "secret-hunter"][order], seed=seed, ruleset="msg2017",
                      players=[player, "eva:2018"][order])
    game.run()
    assert said[:-1] == heard
    assert any("Played a secret" in one for one in heard)


def test_a_text_of_no_legal_move_loses_or_asks_again() -> None:
    env = hsevo.make_env(text=True, seed=1)
    with pytest.raises(ResetNeeded):
        env.step("end the turn")
    before, _ = env.reset()
    text, reward, ended, cut, info = env.step("I concede")
    assert (text, reward, ended, cut, info) == (before, -1.0, True, False,
                                                {"moves": [], "illegal": True})
    with pytest.raises(ResetNeeded):
        env.step("end the turn")
    env = hsevo.make_env(text=True, seed=1, retries=2)
    before, first = env.reset()
    for _ in range(2):
        text, reward, ended, _, info = env.step("I concede")
        assert (text, reward, ended, info["illegal"]) == (before, 0.0, False, True)
        assert info["moves"] == first["moves"]
    other = env.step(f" {first['moves'][0].upper()}.")
    assert not other[4]["illegal"]
    assert [env.step("")[2] for _ in range(3)] == [False, False, True]


def test_a_copy_continues_in_the_same_way() -> None:
    env = hsevo.make_env(text=True, seed=2)
    _, info = env.reset()
    _, _, _, _, info = env.step(info["moves"][-1])
    copies = [copy.copy(env), pickle.loads(pickle.dumps(env))]
    steps = finish(env, info)
    assert [finish(each, info) for each in copies] == [steps, steps]


@pytest.mark.parametrize(("given", "says"), [
    ({"text": "yes"}, "text is 'yes', but must be True or False"),
    ({"retries": 2}, "retries is 2, but needs text=True"),
    ({"text": True, "retries": -1}, "retries is -1")])
def test_bad_input_is_one_line(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        hsevo.make_env(**given)


def test_an_action_that_is_no_text_is_refused() -> None:
    env = hsevo.make_env(text=True, seed=1)
    env.reset()
    with pytest.raises(GameError, match="action 3 is no text"):
        env.step(3)  # type: ignore[arg-type]


# -- examples/llm_player.py ---------------------------------------------------------------------


@pytest.fixture
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("llm_player", ROOT / "examples/llm_player.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_wins_by_reading(example: ModuleType, capsys: pytest.CaptureFixture[str],
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    found = hsevo.match(example.decide, "random", games=18, seed=1, workers=1)
    assert found.rate.value > 0.7
    monkeypatch.setattr("sys.argv", ["llm_player.py", "18"])
    monkeypatch.setattr(example, "complete", lambda prompt: "Move: 1")
    example.main()
    assert "characters of a prompt: " in capsys.readouterr().out


@pytest.mark.parametrize(("answers", "asked", "move"), [
    (["Move: 2"], 1, 1), (["**Move:** end the turn."], 1, 0),
    (["First\nmove: 1\nno, Move: 2!"], 1, 1), (["I don't know", "Move: 2"], 2, 1),
    (["Move: 0", "Move: 999"], 2, 0), (["", ""], 2, 0)])
def test_an_answer_is_read_or_asked_for_once_more(example: ModuleType, answers: list[str],
                                                  asked: int, move: int) -> None:
    prompts: list[str] = []

    def complete(prompt: str) -> str:
        prompts.append(prompt)
        return answers[len(prompts) - 1]

    def player(view: hsevo.View) -> Any:
        chosen.append((example.decide(view), view.moves))
        return view.moves[0]

    chosen: list[Any] = []
    example.complete = complete
    game = hsevo.Game("mage", "mage", players=[player, player], seed=3)
    while not prompts:
        game.step()
    found, moves = chosen[-1]
    assert found == moves[move]
    assert len(prompts) == asked
    assert all(text in prompts[0] for text in ("Legal moves:\n1. end the turn\n", "Hand:"))


@pytest.mark.parametrize("seed", range(3))
def test_a_known_deck_list_is_that_of_the_opponent(seed: int) -> None:
    env: Any = hsevo.make_env(text=True, decks=["mage"], opponent_decks="human:known",
                              opponent_deck="known", seed=seed)
    text, _ = env.reset()
    me = int(env._slots.slots["seat"][0])
    deck = env._slots.deck_of_only(1 - me)
    assert f"against {deck.hero_class.title()}" in text.splitlines()[0]
    listed = text.split("Deck list at the beginning")[1].split("You:")[0]
    assert all(name.replace("\n", " ") in " ".join(listed.split()) for name in deck.cards)


def test_a_text_environment_changes_its_opponents_and_names_them() -> None:
    env: Any = hsevo.make_env(text=True, opponent="random", decks="mage", seed=2, max_turns=4)
    named = []
    for opponent in ("random", "eva:2018"):
        env.set_opponents(opponent)
        _, info = env.reset()
        over = False
        while not over:
            *_, ended, cut, info = env.step(info["moves"][0])
            over = ended or cut
        named.append(info["opponent"])
    assert named == ["random", "eva:2018"]
