"""Ladders: what their files may say, and the learning config of each rung."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from hsevo import config
from hsevo.config import change
from hsevo.config.learning import Plan
from hsevo.errors import ConfigError, RunError
from hsevo.learning.ladders import (
    LADDER,
    ladder_path,
    load_ladder,
    plans_of,
    refuse_other_rules,
    rules_of,
)
from tests.docs import PAGES
from tests.support.command import fails, hsevo
from tests.support.ladder import TINY

pytestmark = pytest.mark.usefixtures("here")


def write(**changes: Any) -> str:
    """Write the tiny ladder with some keys changed; return its name. A key of None is left out."""
    tree = {key: value for key, value in (yaml.safe_load(TINY) | changes).items()
            if value is not None}
    Path("mine.yaml").write_text(yaml.safe_dump(tree, sort_keys=False))
    return "mine.yaml"


def test_table_1_is_that_of_the_paper() -> None:
    ladder = load_ladder("table-1")
    assert [*ladder.rungs] == ["b0", "b1.5", "b2", "b3", "b4", "c5"]
    assert ladder.published
    for row in ladder.rungs:
        for column in ladder.rungs:
            assert ladder.published_rate(row, column) + ladder.published_rate(column, row) == (
                pytest.approx(1))
    plans = plans_of(ladder)
    games = {plan.periods * plan.rounds * plan.games_per_round for plan in plans.values()}
    assert games == {13_824}  # learned from, whatever the rung
    assert len({plan.games_per_round / plan.network.updates for plan in plans.values()}) == 1


def test_each_rung_is_the_one_before_with_some_settings_changed() -> None:
    plans = plans_of(load_ladder("table-1"))
    assert plans["b0"] == config.load("table-1", model=Plan)
    settings = {"network.discount": 1.0, "network.random_cards": True, "rounds": 4, "games": 64,
                "network.updates": 128, "network.gradient": "ppo", "network.clip": [0.001, 1.007],
                "network.isolate": True}
    assert plans["b4"] == change(config.load("table-1", model=Plan), settings)
    assert plans["c5"] == change(plans["b4"], {"network.opponent_deck": "peek"})


def test_null_is_a_value_of_a_rung() -> None:
    rungs = {"one": {"network.last_rate": 0.0005}, "two": {"network.last_rate": None}}
    plans = plans_of(load_ladder(write(config="table-1", rungs=rungs, published=None)))
    assert (plans["one"].network.last_rate, plans["two"].network.last_rate) == (0.0005, None)


def test_a_rung_may_have_no_settings() -> None:
    Path("bare.yaml").write_text("config: osfp-smoke\n"
                                 "rungs:\n  one:\n  two: {learner.trace: 0.5}\n")
    ladder = load_ladder("bare.yaml")
    assert (ladder.changes("one"), ladder.changes("two")) == ("", "learner.trace=0.5")
    assert plans_of(ladder)["one"] == config.load("osfp-smoke", model=Plan)


@pytest.mark.parametrize(("changes", "said"), [
    ({"rungs": {"one": {}, "two": {"learner.trac": 0.5}}, "published": None},
     "rungs.two: unknown key 'learner.trac'; did you mean 'learner.trace'?"),
    ({"rungs": {"one": {}, "two": {"learner.trace": 2}}, "published": None},
     "rungs.two: learner.trace is 2, but must be at most 1"),
    ({"rungs": {"one": {}, "../x": {"games": 4}}}, "rungs names '../x', but a step must have"),
    ({"rungs": {"one": {}, "-x": {"games": 4}}}, "rungs names '-x', but a step must have at most"),
    ({"rungs": {"one": {}, ".": {"games": 4}}}, "rungs names '.', but a step must have at most"),
    ({"rungs": {"one": {}, "x" * 101: {"games": 4}}}, "but a step must have at most"),
    ({"rungs": {"one": {}, 2: {"games": 4}}}, "rungs.2.[key] is 2, but must be text"),
    ({"rungs": {"one": {}}}, "rungs has 1, but a ladder needs at least two"),
    ({"rungs": {"one": {}, "two": {}}, "published": None},
     "rungs.two changes nothing: it equals the previous rung"),
    ({"rungs": {"one": {}, "two": {"seed": 4}}},
     "rungs.two sets 'seed', which a step can't change"),
    ({"rungs": {"one": {}, "two": {"workers.count": 4}}}, "rungs.two sets 'workers.count'"),
    ({"rungs": {"one": {}, "two": {"network.lstm": 8}}, "published": None},
     "rungs.two: network.lstm is 8, but section 'network' is only for policy 'end-to-end'"),
    ({"rungs": ["one", "two"]}, "rungs is ['one', 'two'], but must be a section"),
    ({"rungs": {"one": {}, "two": [1]}}, "rungs.two is [1], but must be a section"),
    ({"seeds": []}, "seeds is [], but must name at least one"),
    ({"seeds": [1, 1]}, "seeds is [1, 1], but must have each seed once"),
    ({"seeds": [-1]}, "seeds.0 is -1, but must be at least 0"),
    ({"seeds": [2**53]}, "but must be less than 9007199254740992"),
    ({"against": ["random", "random"]}, "but must have each agent once"),
    ({"games": 0}, "games is 0, but must be at least 1"),
    ({"temperature": -1}, "temperature is -1, but must be at least 0"),
    ({"published": {"source": "x", "rates": {"one": [50, 50, 50]}}},
     "published.rates has rows for one, but must have one for each step, in their order: one, two"),
    ({"published": {"source": "x", "rates": {"one": [50, 50, 50], "two": [50, 50, 50],
                                             "three": [50, 50]}}},
     "published.rates.three has 2 rates, but must have 3"),
    ({"published": {"source": "x", "rates": {"one": [50, 50, 101], "two": [50, 50, 50],
                                             "three": [50, 50, 50]}}},
     "published.rates.one.2 is 101, but must be at most 100"),
    ({"published": {"rates": {}}}, "'published.source' is missing"),
    ({"config": None}, "'config' is missing; it has no default"),
    ({"config": "osfp-smok"}, "no learning config 'osfp-smok'; did you mean 'osfp-smoke'?"),
    ({"match_sed": 1}, "unknown key 'match_sed'; did you mean 'match_seed'?"),
])
def test_what_a_ladder_cannot_be_is_one_line(changes: dict[str, Any], said: str) -> None:
    line = fails("ladder", write(**changes), "--out", "new")
    assert said in line
    assert line.count("\n") == 1
    assert not Path("new").exists()


def test_other_files_are_told_apart() -> None:
    assert "no ladder 'tabel-1'; did you mean 'table-1'?" in fails("ladder", "tabel-1")
    assert "no ladder 'smoke'; it is an evolution: hsevo evolve" in fails("ladder", "smoke")
    Path("learn.yaml").write_text("decks: [mage]\n")
    assert "learn.yaml is not an ablation: it has no rungs" in fails("ladder", "learn.yaml")
    said = fails("learn", "--config", write())
    assert "mine.yaml is a ladder; run it with: hsevo ladder mine.yaml" in said


def test_what_a_ladder_names_is_found_beside_it(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    lab.mkdir()
    for kind, name in (("configs/learning", "osfp-smoke"), ("decks", "mage")):
        source = config.find(name, kind)  # type: ignore[arg-type]
        (lab / f"own{source.suffix}").write_text(source.read_text())
    (lab / "agents.yaml").write_text("{}")
    tree = yaml.safe_load(TINY) | {"config": "own.yaml", "decks": ["own.txt"],
                                   "against": ["eva:agents.yaml"]}
    (lab / "ladder.yaml").write_text(yaml.safe_dump(tree, sort_keys=False))
    found = load_ladder("lab/ladder.yaml")
    assert (found.config, found.decks, found.against) == (
        "lab/own.yaml", ["lab/own.txt"], ["eva:lab/agents.yaml"])


def test_matches_have_the_decks_of_the_first_rung() -> None:
    ladder = load_ladder(write())
    first = next(iter(plans_of(ladder).values()))
    assert rules_of(ladder, first)["decks"] == ["mage"]
    other = load_ladder(write(decks=["warrior", "shaman"]))
    assert rules_of(other, first)["decks"] == ["warrior", "shaman"]
    drawn = load_ladder(write(config="any-deck", rungs={"one": {}, "two": {"games": 16}},
                              published=None))
    with pytest.raises(ConfigError, match="draws its decks, so the ladder must name"):
        rules_of(drawn, plans_of(drawn)["one"])


def test_matches_by_other_rules_are_refused() -> None:
    rules = {"games": 8, "decks": ["mage"]}
    folder = Path("kept")
    folder.mkdir()
    LADDER.write(folder, {"engine": "e", "rules": rules, "ladder": {}})
    refuse_other_rules(folder, rules | {"games": 9}, "e")  # none was played
    (folder / "pairs.csv").touch()
    refuse_other_rules(folder, rules, "e")
    with pytest.raises(ConfigError, match="has matches with games 8, but the ladder says 9"):
        refuse_other_rules(folder, rules | {"games": 9}, "e")
    with pytest.raises(RunError, match="has matches of another engine"):
        refuse_other_rules(folder, rules, "f")
    LADDER.write(folder, {"engine": "e", "rules": 3})
    with pytest.raises(RunError, match="does not name the rules"):
        refuse_other_rules(folder, rules, "e")


def test_the_example_of_the_page_is_a_ladder() -> None:
    text = (PAGES / "how-to" / "learn.md").read_text(encoding="utf-8")
    Path("page.yaml").write_text(text.partition("```yaml\n")[2].partition("```")[0])
    assert [*plans_of(load_ladder("page.yaml"))] == ["plain", "ppo", "isolated"]


def test_default_folders() -> None:
    assert ladder_path("table-1") == Path("runs/table-1")
    assert ladder_path(write()) == Path("runs/mine")


def test_it_is_listed_and_shown() -> None:
    rows = [line.split() for line in hsevo("config", "list").stdout.splitlines()]
    assert [row[1:3] for row in rows if row[0] == "table-1"] == [["hsevo", "learn"],
                                                                ["hsevo", "ladder"]]
    text = config.find("table-1", "configs/ladders").read_text(encoding="utf-8")
    assert hsevo("config", "show", "ladders/table-1").stdout == text
