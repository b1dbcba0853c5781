"""The shipped players: what made them, their files, and that they play any deck."""

import shutil

import numpy as np
import pytest

import hsevo
from hsevo import config
from hsevo.agents.learned import nets
from hsevo.agents.learned.nets import read_net, write_net
from hsevo.agents.learned.text import TEXT_NET
from hsevo.agents.registry import ROSTER
from hsevo.cards import DeckDatabase
from hsevo.cards.decks import read_deck
from hsevo.config.learning import Plan
from hsevo.errors import AgentError
from hsevo.learning.policy import record_options
from hsevo.play import match
from hsevo.strength.roster import read_agent

NAMES = [*nets.shipped()]


def test_they_are_in_the_roster_and_in_the_list():
    assert [f"rl:{name}" for name in NAMES] == [name for name in ROSTER if name.startswith("rl:")]
    assert "rl:2026" in hsevo.list_agents()["agent"].tolist()


@pytest.mark.parametrize("name", NAMES)
def test_a_config_a_seed_and_a_commit_are_named_and_the_file_is_small(name):
    one = nets.shipped()[name]
    words = one.made["command"].split()
    assert words[:2] == ["hsevo", "learn"]
    config.load(words[words.index("--config") + 1], model=Plan)
    assert int(words[words.index("--seed") + 1]) >= 0
    assert {*one.made} == {"command", "games", "version", "commit", "engine", "method"}
    assert (nets.FOLDER / f"{name}.npz").stat().st_size < 2_000_000
    assert (one.cards == "text") == (nets.network(name).dtype == TEXT_NET)
    assert one.says


def test_a_network_that_was_changed_is_refused_in_a_line(tmp_path, monkeypatch):
    folder = shutil.copytree(nets.FOLDER, tmp_path / "shipped")
    monkeypatch.setattr(nets, "FOLDER", folder)
    nets.network.cache_clear()
    net = read_net(folder / "2026.npz")
    net["bias"][0] += 1
    write_net(folder / "2026.npz", net)
    with pytest.raises(AgentError, match=r"2026.npz is damaged: it differs from the shipped"):
        read_agent("rl:2026")
    nets.network.cache_clear()


def test_a_folder_of_its_name_does_not_stand_in(here):
    (here / "2026").mkdir()
    assert read_agent("rl:2026").tobytes() == nets.agent(nets.network("2026")).tobytes()
    assert hsevo.match("rl:2026", "random", games=2, decks=["mage"], workers=1).faults == 0


@pytest.mark.parametrize(("name", "ruleset"), [
    ("rl:2026", "cig2018"), ("rl:2026", "msg2017"), ("rl:2026", "cig2018-as-run"),
    ("rl:ppo-2026", "cig2018"), ("rl:text-2026", "cig2018"), ("rl:2027", "cig2018"),
    ("rl:2027", "rise2019")])
def test_it_plays_every_class_under_every_ruleset_with_its_cards(name, ruleset):
    lists = DeckDatabase.load().split("held-out")
    decks = [lists.of_class(cls).deck(0) for cls in lists.facts["class"].unique()]
    result = hsevo.match(name, "random", games=162, decks=decks, ruleset=ruleset, workers=1)
    assert (len(decks), result.faults) == (9, 0)
    assert result.rate.value > 0.95


@pytest.mark.parametrize("name", ["2026", "2027", "text-2026"])
def test_its_log_odds_stay_within_the_range_of_the_network(name):
    """Beyond 20, actions tie, and the last of them is chosen. PPO once let log-odds drift there.

    rl:ppo-2026 stays as it was shipped, so it is not tested.
    """
    rows = np.zeros(40, match.PAIRING)
    rows["games"], rows["seed"], rows["deck_b"] = 1, range(40), 1
    setting = match.Setting(decks=(read_deck("mage"), read_deck("warrior")))
    agent = nets.agent(nets.playing(nets.network(name), "cig2018"), temperature=0.1)
    played = record_options(rows, agent, setting, *nets.carried(agent))[1]
    going = played.options["n"] > 0
    assert going.sum() > 1_000
    assert np.abs(played.options["odds"][going]).max() < 20


def test_its_search_is_an_option_and_stronger_than_random():
    assert read_agent("rl:2026?search=turn").tobytes() != read_agent("rl:2026").tobytes()
    result = hsevo.match("rl:2026?search=turn", "random", games=10, decks="human:held-out",
                         workers=1)
    assert result.rate.value > 0.8
    with pytest.raises(AgentError, match=r"depth of agent 'rl' belongs to its search"):
        read_agent("rl:2026?depth=3")


@pytest.mark.parametrize("name", [
    *(f"rl:{name}" for name in NAMES), "rl:2027?search=turn&nodes=30",
    "rl:2027?search=reply&nodes=30&hands=1&ends=2", "rl:2027?search=tree&iterations=4"])
def test_it_can_be_replayed_and_sits_at_a_table(name, tmp_path):
    """A copy of a table did not find networks that know cards by their texts."""
    hsevo.match(name, "random", games=2, decks=["mage"], workers=1, out=tmp_path / "games")
    replayed = hsevo.replay(tmp_path / "games")
    assert len(replayed.steps) > 10
    assert replayed.check() == []
    game = hsevo.Game("mage", "warrior", players=[name, "random"], seed=3)
    asked = 0
    while not game.over:
        advice = game.ask()
        assert game.step() == advice
        asked += 1
    assert asked > 10


@pytest.mark.parametrize("search", ["turn", "reply", "tree"])
def test_a_policy_with_values_searches_by_both(search):
    """The values come first. Its file is the same player."""
    agent = read_agent(f"rl:2027?search={search}")
    values, policy = nets.carried(agent)
    assert values.tobytes() == nets.network("2027", values=True).tobytes()
    assert policy.tobytes() == nets.network("2027").tobytes() != values.tobytes()
    assert read_agent(f"rl:{nets.FOLDER / '2027.npz'}?search={search}").tobytes() == agent.tobytes()
    assert len(nets.carried(read_agent("rl:2027"))) == 1


@pytest.mark.parametrize("search", ["turn", "reply", "tree"])
def test_a_policy_that_is_shipped_can_not_search(search):
    with pytest.raises(AgentError, match="'rl:ppo-2026' can't search: it learned with") as raised:
        read_agent(f"rl:ppo-2026?search={search}")
    assert "\n" not in str(raised.value)


def test_a_ruleset_of_other_cards_is_refused_in_a_line():
    with pytest.raises(AgentError, match="does not know the cards of deck 'taunts-1'") as raised:
        hsevo.match("rl:2026", "random", games=2, ruleset="hearthsim", decks=["taunts-1"])
    assert "\n" not in str(raised.value)
