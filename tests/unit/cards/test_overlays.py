"""Overlays of rulesets: what they change, who sees it, and what is refused in one line."""

from pathlib import Path

import numpy as np
import pytest

import hsevo
from hsevo import config
from hsevo.cards import tables
from hsevo.cards.vocabulary import minions_of_cost
from hsevo.config.overlays import parts, written
from hsevo.errors import CardError, ConfigError
from tests.support.command import hsevo as command

CLAWS, BUCCANEER = "KAR_063", "CFM_325"
FILE = """\
base: msg2017
Small-Time Buccaneer: {health: 1}
Spirit Claws: {cost: 2, durability: 4}
"""
LINE = "msg2017+Small-Time Buccaneer.health=1+Spirit Claws.cost=2+Spirit Claws.durability=4"


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    path = tmp_path / "nerf.yaml"
    path.write_text(FILE)
    return path


def test_a_file_is_a_line(overlay: Path) -> None:
    assert config.ruleset_of(overlay) == config.ruleset_of(str(overlay)) == LINE
    assert written(*parts(LINE)) == LINE
    assert config.ruleset_of(LINE) == LINE
    assert config.ruleset_of("cig2018") == "cig2018"


def test_tables_differ_in_what_is_changed_alone() -> None:
    """Also the pools of random cards of a cost, from which Spirit Claws moves to the next."""
    before, after = tables.tables("msg2017"), tables.tables(LINE)
    off = before.card != after.card
    changed = {tables.ids()[i] for i in np.flatnonzero(off)}
    assert changed == {CLAWS, BUCCANEER}
    claws, buccaneer = (after.card[tables.index()[id]] for id in (CLAWS, BUCCANEER))
    assert (claws.cost, claws.attack, claws.health) == (2, 1, 4)
    assert (buccaneer.cost, buccaneer.attack, buccaneer.health) == (1, 1, 1)
    assert tables.cards("msg2017")[CLAWS].cost == 1
    assert tables.find_ruleset(LINE).mulligan


def test_an_overlay_keeps_what_its_base_changes() -> None:
    """msg2017 makes Fiery War Axe cost 2; an overlay of its durability leaves that."""
    axe = tables.cards("msg2017+Fiery War Axe.durability=3")["CS2_106"]
    assert (axe.cost, axe.health) == (2, 3)


def test_a_pool_follows_the_cost() -> None:
    now = "cig2018+Small-Time Buccaneer.cost=2"
    assert BUCCANEER in tables.pool_ids("cig2018", minions_of_cost(1))
    assert BUCCANEER in tables.pool_ids(now, minions_of_cost(2))
    assert BUCCANEER not in tables.pool_ids(now, minions_of_cost(1))


def test_a_game_and_environment_see_it(overlay: Path) -> None:
    game = hsevo.Game("shaman", "shaman", seed=3, ruleset=str(overlay))
    assert game.setting.ruleset == LINE
    listed = hsevo.list_cards(ruleset=str(overlay)).set_index("name")
    assert listed.loc["Small-Time Buccaneer", "health"] == 1
    env = hsevo.make_vec(num_envs=2, decks="shaman", ruleset=str(overlay))
    assert env.metadata["ruleset"] == LINE
    env.close()


def test_games_differ_and_workers_agree(overlay: Path) -> None:
    """Without its cheap cards the shaman wins less."""
    dear = "+".join(["cig2018", *(f"{card}.cost=30" for card in (
        "Tunnel Trogg", "Totem Golem", "Spirit Claws", "Jade Claws"))])
    plain, patched = (hsevo.match("greedy:metastone@shaman", "greedy:metastone@warrior", 40,
                                  ruleset=name, backend="serial") for name in ("cig2018", dear))
    assert patched.rate.value < plain.rate.value - 0.1
    serial, loky = (hsevo.match("random@shaman", "random@warrior", 20, ruleset=str(overlay),
                                workers=2, backend=backend) for backend in ("serial", "loky"))
    assert serial.games.equals(loky.games)


def test_folders_need_no_file(overlay: Path, here: Path) -> None:
    made = hsevo.arena(["random", "eva:2018"], 18, ruleset=str(overlay), out="arena",
                       backend="serial")
    run = hsevo.evolve("smoke", out="run", backend="serial", changes={
        "ruleset": str(overlay), "games": 2, "evolution.mu": 2, "evolution.lambda": 2,
        "evolution.generations": 2, "decks": ["shaman"]})
    overlay.unlink()
    assert run.config.ruleset == made.lineup.plan.ruleset == LINE
    assert hsevo.resume_arena("arena").games.equals(made.games)
    assert hsevo.replay("arena").verdict()[1]
    assert not hsevo.Run("run").verify().problems


def test_a_config_finds_the_overlay_beside_it(overlay: Path) -> None:
    there = overlay.parent / "mine.yaml"
    there.write_text("ruleset: nerf.yaml\ndecks: [mage]\n")
    assert config.load(str(there)).ruleset == LINE


REFUSED = {
    "Spirit Clawz: {cost: 2}": "which is not a card; did you mean 'Spirit Claws'?",
    "Spirit Claws: {cots: 2}": "has no fact 'cots' that can be changed; did you mean 'cost'?",
    "Spirit Claws: {cost: 31}": "the cost of 'Spirit Claws' is 31, but must be a whole number",
    "Spirit Claws: {cost: two}": "the cost of 'Spirit Claws' is 'two', but must be a whole",
    "Spirit Claws: {health: 2}": "Spirit Claws has no health that an overlay could change; it has"
                                 " cost, attack, durability",
    "Fireball: {attack: 2}": "Fireball has no attack that an overlay could change; it has cost",
    "Spirit Claws: 2": "'Spirit Claws' is 2, but must be facts such as {cost: 2}",
    "Spirit Claws: {}": "but must be facts such as {cost: 2}",
    "Rules: {fatigue: 2}": "the fatigue of 'Rules' is 2, but must be a whole number from 0 to 1",
    "Rules: {cost: 2}": "'Rules' has no fact 'cost' that can be changed; these can: fatigue",
    "base: msg2018": "base is 'msg2018', but must be one of",
    "base: msg2017": "changes 0 cards, but must change 1 to 200",
    "- Spirit Claws": "is not an overlay of a ruleset",
    "Spirit Claws: {cost: [": "is not valid YAML",
}


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.parametrize("words", ["match random eva:2018 --games 2", "cards show Fireball"])
def test_a_bad_overlay_gets_one_line(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    result = command(*words.split(), "--ruleset", str(path))
    assert result.exit_code == 2
    assert REFUSED[text] in result.stderr
    assert result.stderr.count("\n") == 1


def test_lines_and_names_that_are_none() -> None:
    with pytest.raises(ConfigError, match=r"there is no overlay of a ruleset 'nerf\.yaml'"):
        hsevo.list_cards(ruleset="nerf.yaml")
    with pytest.raises(ConfigError, match="'Spirit Claws' is not a change of a card"):
        tables.find_ruleset("cig2018+Spirit Claws")
    with pytest.raises(CardError, match="unknown ruleset 'cig2019'"):
        tables.find_ruleset("cig2019+Spirit Claws.cost=2")
    result = command("match", "random", "eva:2018", "--ruleset", "cig2019")
    assert "did you mean 'cig2018'?" in result.stderr


def test_what_is_made_of_overlays_is_not_kept_for_ever() -> None:
    kept = tables.cards.cache_info().maxsize
    assert kept is not None
    for cost in range(kept + 2):
        tables.cards(f"cig2018+Fireball.cost={cost % 31}+Frostbolt.cost={cost // 31}")
    assert tables.cards.cache_info().currsize == kept
    assert tables.fact_of("Fireball", "cost", "cig2018") == 4
