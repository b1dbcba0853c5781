"""A learned player is an agent like any other, wherever agents are named."""

import numpy as np
import pytest

import hsevo
from hsevo.agents.learned.nets import write_net
from hsevo.analysis import Examination
from hsevo.analysis.landscape import ITSELF
from tests.unit.agents.test_afterstate import random_net

DECKS = ["mage", "warrior"]
SEARCH = "?search=turn&depth=2&nodes=20"


@pytest.fixture(scope="module")
def player(tmp_path_factory):
    """Return the spec of a net of random weights."""
    path = tmp_path_factory.mktemp("net") / "some.npz"
    write_net(path, random_net())
    return f"rl:{path}"


@pytest.fixture(scope="module")
def arena(player, tmp_path_factory):
    """Return an arena of the policy, the same with a search, and two others."""
    return hsevo.arena([player, player + SEARCH, "eva:2018", "random"], games=8, decks=DECKS,
                       out=tmp_path_factory.mktemp("arena") / "games", workers=1)


def test_arena(arena, player):
    rates = arena.ratings.set_index("agent")
    assert set(rates.index) == {player, player + SEARCH, "eva:2018", "random"}
    assert (rates["games"] == 24).all()


@pytest.mark.parametrize("options", ["", SEARCH, "?temperature=0.5"])
def test_match_and_its_replay_with_probabilities(player, tmp_path, options):
    """A policy that draws its moves shows how likely each is; others, how likely each wins."""
    found = hsevo.match(player + options, "random", games=2, decks="mage", workers=1,
                        out=tmp_path / "match")
    assert found.played == 2
    again = hsevo.replay(tmp_path / "match")
    assert again.check() == []
    me = again.meeting.names.index(f"rl:some.npz{options}")
    steps = [step for step in again.steps if step.scene.me == me and len(step.options) > 1]
    chances = [[option.score for option in step.options if option.score is not None]
               for step in steps]
    assert len(steps) > 10
    if "temperature" in options:
        assert [sum(some) for some in chances] == pytest.approx(np.ones(len(steps)))
    else:
        assert [max(some) for some in chances] == [
            step.options[step.taken].score for step in steps]
        assert all(0 < one <= 1 for some in chances for one in some)
        assert any(abs(sum(some) - 1) > 0.1 for some in chances)
    word = "play" if "temperature" in options else "win"
    assert {option.worth.partition(" ")[0] for step in steps for option in step.options
            if option.score is not None} == {word}
    assert again.html.count(" %") > len(steps)


def test_benchmark(player):
    found = hsevo.benchmark(player + SEARCH, games=1, panel="panel-2026", workers=1)
    assert f"rl:some.npz{SEARCH}" in str(found)


def test_its_profile(player, tmp_path, capsys):
    """How it plays, and no landscape: a network has no weight that means something alone."""
    found = hsevo.examine(player, against=["random"], decks=DECKS, games=8, profile_games=8,
                          workers=1, out=tmp_path / "profile")
    assert found.landscape["weight"].tolist() == [ITSELF]
    assert found.landscape["games"].tolist() == [8]
    assert len(found.games) == 8
    assert (found.turns["agent"] == player).any()
    assert Examination.read(tmp_path / "profile").landscape.equals(found.landscape)
    page = hsevo.report(examined=tmp_path / "profile", out=tmp_path / "page").page.read_text()
    assert "shows how the agent plays" in page
    assert "Fitness landscape" not in page


def test_opponent_of_an_environment(player):
    envs = hsevo.make_vec("battle", num_envs=4, opponent=player + SEARCH, seed=1)
    envs.reset()
    for step in range(20):
        seen, *_ = envs.step(envs.sample(step))
    assert len(seen["what"]) == 4


def test_a_game_against_a_person(player):
    game = hsevo.Game("mage", "warrior", players=[None, player + SEARCH], seed=3)
    while not game.over:
        game.play(game.moves[0])
    assert game.result
