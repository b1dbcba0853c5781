"""`hsevo.nerf`: the same games before and after, and what is refused."""

import re
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

import hsevo
from hsevo.cli.meta import changes_of
from hsevo.errors import CardError, ConfigError, RunError
from hsevo.metagame.balance import K, change, change_table, class_table, joint_counts
from hsevo.metagame.metagame import changed_ruleset
from hsevo.strength.matchups import Matchups
from hsevo.strength.rating import rate
from tests.support.command import hsevo as command

SERIAL = {"backend": "serial"}
pytestmark = pytest.mark.usefixtures("here")
NERF = {"Spirit Claws": "cost+1", "Small-Time Buccaneer": ["health-1", "attack=0"]}
LINE = ("msg2017+Small-Time Buccaneer.attack=0+Small-Time Buccaneer.health=1"
        "+Spirit Claws.cost=2")


def test_changes_are_an_overlay(tmp_path: Path) -> None:
    assert changed_ruleset("msg2017", NERF) == LINE
    assert changed_ruleset("cig2018", LINE) == LINE
    four = changed_ruleset("cig2018", {"spirit claws": {"cost": 4}})
    assert four == "cig2018+Spirit Claws.cost=4"
    twice = changed_ruleset(four, {"Spirit Claws": "cost-1"})
    assert twice == "cig2018+Spirit Claws.cost=3"
    assert changed_ruleset("cig2018", {"Fireball": ["cost+1", "cost+1"]}).endswith("cost=6")
    path = tmp_path / "nerf.yaml"
    path.write_text("base: msg2017\nSpirit Claws: {cost: 2}\n")
    assert changed_ruleset("cig2018", path) == "msg2017+Spirit Claws.cost=2"


def test_words_of_the_command() -> None:
    assert changes_of(["A B", "cost+1", "health-2", "C", "cost=3"]) == {
        "A B": ["cost+1", "health-2"], "C": ["cost=3"]}
    assert changes_of(["nerf.yaml"]) == "nerf.yaml"


def test_the_change_of_a_rate_by_hand() -> None:
    """Ten pairs: 6 stay at one point, 3 go from 1 to 2 points, one from 2 to 0."""
    joint = np.zeros((5, 5), np.int64)
    joint[2, 2], joint[2, 4], joint[4, 0] = 6, 3, 1
    assert change(joint).value == pytest.approx((3 * 0.5 - 1) / 10)


def test_cards_that_no_deck_has_change_nothing(fake_engine: None) -> None:
    found = hsevo.nerf(["mage", "shaman"], {"Wisp": "cost+1"}, "random", 40, **SERIAL)
    assert found.table["change"].tolist() == [0, 0]
    assert found.table["copies"].tolist() == [0, 0]
    assert found.before.arena.games.equals(found.after.arena.games)


def test_a_nerf_hurts_its_deck(tmp_path: Path) -> None:
    """Real games: the shaman without its cheap cards; differences are those of the two matrices."""
    dear = dict.fromkeys(("Tunnel Trogg", "Totem Golem", "Jade Claws"), "cost=30")
    found = hsevo.nerf(["mage", "shaman"], dear, "greedy:metastone", 400, out=tmp_path / "nerf",
                       **SERIAL)
    table = found.table.set_index("deck")
    assert table.loc["shaman", "copies"] == 6
    assert table.loc["shaman", "change_high"] < 0
    assert table.loc["mage", "change"] == pytest.approx(-table.loc["shaman", "change"])
    for when, meta in (("before", found.before), ("after", found.after)):
        assert table.loc["shaman", when] == pytest.approx(meta.matrix().loc["shaman", "mage"])
        assert meta.arena.games["seed"].tolist() == found.before.arena.games["seed"].tolist()
    wide = found.before.cells["rate_high"] - found.before.cells["rate_low"]
    cells = found.matchups
    assert ((cells["change_high"] - cells["change_low"]) < 1.5 * wide).all()
    assert hsevo.open_meta(tmp_path / "nerf/after").decks == ("mage", "shaman")
    again = hsevo.nerf(["mage", "shaman"], dear, "greedy:metastone", 400, out=tmp_path / "nerf",
                       **SERIAL)
    assert again.table.equals(found.table)


def test_other_games_are_refused(fake_engine: None, tmp_path: Path) -> None:
    one = hsevo.meta(["mage", "shaman"], "random", 20, **SERIAL).arena
    other = hsevo.meta(["mage", "shaman"], "random", 20, seed=2, **SERIAL).arena
    with pytest.raises(RunError, match="differ in their pairs or seeds"):
        joint_counts(one, other)
    hsevo.nerf(["mage", "shaman"], {"Wisp": "cost+1"}, "random", 20, out=tmp_path / "a", **SERIAL)
    with pytest.raises(RunError, match="was begun with other rules"):
        hsevo.nerf(["mage", "shaman"], {"Wisp": "cost+2"}, "random", 20, out=tmp_path / "a",
                   **SERIAL)


def test_arguments() -> None:
    with pytest.raises(ConfigError, match="no card is changed"):
        changed_ruleset("cig2018", {})
    with pytest.raises(ConfigError, match="'msg2017' changes no card"):
        changed_ruleset("cig2018", "msg2017")
    with pytest.raises(ConfigError, match="the overlay changes cig2018, but ruleset is msg2017"):
        changed_ruleset("msg2017", "cig2018+Fireball.cost=2")
    with pytest.raises(CardError):
        changed_ruleset("cig2019", {"Fireball": "cost+1"})


def test_what_the_command_prints(fake_engine: None) -> None:
    words = ("meta", "nerf", "Wisp", "cost+1", "--decks", "mage,shaman", "--games", "20",
             "--pilots", "random", "--backend", "serial")
    shown = command(*words).stdout
    assert "0 of 2 changes exclude 0" in shown
    rates, shares = shown.split("share of the Nash mixture")
    assert len(re.findall(r" \d+ \(\d+ to \d+\)", rates)) == 2 * 2  # before and after, with ends
    assert len(re.findall(r" \d+ \(\d+ to \d+\)", shares)) == 2 * 2
    assert rates.count("+0.0") == 2  # nobody has the card, and so the same games are played
    assert shares.count("+0  ") == 2
    assert '"share_change"' in command(*words, "--json").stdout


def test_a_classs_share_is_that_of_its_decks() -> None:
    joint = np.random.default_rng(1).integers(0, 20, (3, 3, K, K))
    i, j = np.triu_indices(3)
    joint[j, i] = joint[i, j][:, ::-1, ::-1]  # the same pairs, as the other deck sees them
    decks = Matchups(("a", "b", "c"), ("Mage", "Shaman", "Mage"), joint.sum(axis=-1))
    one, all_of = change_table(decks, joint, 50), class_table(decks, joint, 50)
    mage, shaman = all_of.to_dict("records")
    assert (mage["class"], mage["decks"]) == ("Mage", 2)
    assert mage["before"] == pytest.approx(one["share_before"][[0, 2]].sum())
    assert mage["change"] == pytest.approx(-shaman["change"])
    for when, pairs in (("before", joint.sum(axis=(1, 3))), ("after", joint.sum(axis=(1, 2)))):
        for deck, counts in enumerate(pairs):
            found = [one[f"{when}{end}"][deck] for end in ("", "_low", "_high")]
            assert found == pytest.approx(astuple(rate(counts)))
        assert (one[f"share_{when}_low"] <= one[f"share_{when}_high"]).all()
        assert shaman[f"{when}_high"] == pytest.approx(one[f"share_{when}_high"][1])
    for end in ("", "_low", "_high"):
        assert shaman[f"change{end}"] == pytest.approx(one[f"share_change{end}"][1])
