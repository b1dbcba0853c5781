"""Configs: what is shipped says what the paper says, and every mistake is one clear line."""

import json
import os
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import get_args

import jsonschema
import pytest
import yaml
from pydantic import BaseModel

from hsevo import config
from hsevo.cards.decks import read_deck
from hsevo.errors import ConfigError, DeckError, did_you_mean
from hsevo.strength.study_plans import OptionStudy, load_study
from tests.support.command import fails, hsevo


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text("decks: [warrior]\n" + text)
    return path


def test_cig2018_is_table_3_of_the_paper() -> None:
    plan = config.load("cig2018")
    es = plan.evolution
    assert (es.mu, es.lam, es.generations, plan.games) == (10, 10, 100, 20)
    assert (plan.decks, plan.executions) == (("warrior", "shaman", "mage"), 1)
    assert (plan.ruleset, plan.information, es.epsilon, es.bounds) == (
        "cig2018", "fair", 1e-5, (0.0, 1.0))
    assert plan.references is not None  # the main job says how strong its best agent is
    assert plan.references.against == ("random", "greedy:metastone", "eva:2018")


def test_as_run_is_the_authors_simulator() -> None:
    plan = config.load("cig2018-as-run.yaml")
    assert (plan.ruleset, plan.information) == ("cig2018-as-run", "leaky")
    assert plan.decks == ("warrior", "shaman", "mage-21")


def test_the_paper_is_the_default_and_fast_differs_where_it_says() -> None:
    paper, fast = config.load("cig2018"), config.load("cig2018-fast")
    es = paper.evolution
    assert (es.strategy, es.first_sigmas, es.sigma_max) == ("es", (0.0, 1.0), None)
    assert paper.rating == config.Rating()
    changed = config.change(paper, {
        "name": "cig2018-fast", "games": 4, "evolution.generations": 101,
        "evolution.first_sigmas": [0.0, 0.3], "evolution.sigma_max": 0.3,
        "references": {"against": ["eva:2018"], "every": 20, "games": 2000}})
    assert fast == changed


@pytest.mark.parametrize("name", ["cig2018", "cig2018-as-run", "cig2018-fast", "smoke"])
def test_a_dumped_config_reads_back_the_same(name: str, tmp_path: Path) -> None:
    plan = config.load(name)
    (tmp_path / "copy.yaml").write_text(config.dump(plan))
    assert config.load(tmp_path / "copy.yaml") == plan


@pytest.mark.parametrize(("text", "said"), [
    ("yardstick: {against: [random]}", "unknown key 'yardstick'; it is now called 'references'"),
    ("gamse: 3", "unknown key 'gamse'; did you mean 'games'?"),
    ("evolution: {generatons: 3}", "'evolution.generatons'; did you mean 'evolution.generations'?"),
    ("evolution: {lam: 3}", "unknown key 'evolution.lam'; did you mean 'evolution.lambda'?"),
    ("evolution: {mu: 0}", "evolution.mu is 0, but must be at least 1"),
    ("evolution: {lambda: -1}", "evolution.lambda is -1, but must be at least 1"),
    ("evolution: {epsilon: 0}", "evolution.epsilon is 0, but must be more than 0"),
    ("evolution: {epsilon: .nan}", "must be a finite number"),
    ("evolution: {bounds: [1, 0]}", "must be a low and a higher number, both from 0 to 1"),
    ("evolution: {bounds: [0]}", "must be two numbers"),
    ("evolution: 5", "evolution is 5, but must be a section"),
    ("evolution: {strategy: cmaes}", "did you mean 'cma-es'?"),
    ("evolution: {strategy: cma-es, lambda: 10}", "evolution: lambda is 10, but must be more than"),
    ("evolution: {first_sigmas: [0.3, 0.2]}", "must be a low and a high number, both from 0 to 10"),
    ("evolution: {first_sigmas: [0, 0]}", "not both 0"),
    ("evolution: {sigma_max: 0}", "evolution.sigma_max is 0, but must be more than 0"),
    ("rating: {raceing: {}}", "unknown key 'rating.raceing'; did you mean 'rating.racing'?"),
    ("rating: {racing: {rounds: 1}}", "rating.racing.rounds is 1, but must be at least 2"),
    ("rating: {racing: {round: 2}}",
     "unknown key 'rating.racing.round'; did you mean 'rating.racing.rounds'?"),
    ("mu: 3", "unknown key 'mu'; did you mean 'evolution.mu'?"),
    ("evolution: {mew: 3}", "unknown key 'evolution.mew'; did you mean 'evolution.mu'?"),
    ("evolution: {population: 3}", "did you mean 'evolution.mu'?"),
    ("evolution: {offspring: 3}", "did you mean 'evolution.lambda'?"),
    ("evolution: {xyzzy: 3}", "unknown key 'evolution.xyzzy'; known keys: strategy, mu, lambda"),
    ("xyzzy: 3", "unknown key 'xyzzy'; known keys: name, seed, agent"),
    ("rating: {racing: {confidence: 1}}", "must be less than 1"),
    ("rating: {hall_of_fame: -1}", "rating.hall_of_fame is -1, but must be at least 0"),
    ("references: {}", "'references.against' is missing"),
    ("references: {against: []}", "must name at least one agent"),
    ("references: {against: random}", "must be a list: [random]"),
    ("games: 0", "games is 0, but must be at least 1"),
    ("games: '3'", "games is '3', but must be a whole number"),
    ("games: 2.5", "games is 2.5, but must be a whole number"),
    ("games: true", "games is True, but must be a whole number"),
    ("games: 9999999999", "games is 9999999999, but must be at most 1000000"),
    ("max_turns:", "max_turns is empty, but must be a whole number"),
    ("seed: -1", "seed is -1, but must be at least 0"),
    ("seed: 18446744073709551616", "must be less than 18446744073709551616"),
    ("ruleset: cig2081", "did you mean 'cig2018'?"),
    ("information: fare", "must be one of fair, closed, closed:match, closed:bigrams,"
     " closed:uniform, leaky; did you mean 'fair'?"),
    ("information: leaky@mine.csv", "only closed, closed:match, closed:bigrams take a file"),
    ("workers: {backend: thread}", "did you mean 'threads'?"),
    ("workers: {scheduler: here}", "must be an address such as tcp://host:8786"),
    ("name: a/b", "it names the run folder"),
    ("seed: 1\nseed: 2", "key 'seed' is given twice"),
    ("games: [", "is not valid YAML"),
    ("name: -x", "must not begin with '-', because spreadsheets read it as a formula"),
    ("agent: ='x'!A1", "agent.kind is \"='x'!A1\", but must not begin with '='"),
    # what YAML 1.1 takes for a number or a date is text
    ("games: 010", "games is '010', but must be a whole number"),
    ("games: 59:59:59:59", "games is '59:59:59:59', but must be a whole number"),
    ("games: 2018-02-30", "games is '2018-02-30', but must be a whole number"),
    # what makes a reader slow, deep or large
    ("a: &x [1, 2]\nb: *x", "aliases and anchors (& and *) are not allowed; write it out (line 2)"),
    ("games: *x", "aliases and anchors"),
    ("<<: {games: 3}", "merge keys (<<) are not allowed"),
    ("games: !!int 3", "tags (!) are not allowed; write a plain value (line 2)"),
    ("games: !!python/object/apply:os.system [x]", "tags (!) are not allowed"),
    ("games: " + 5000 * "[", "it is nested more than 20 levels deep (line 2)"),
    ("games:\n" + 5000 * "- " + "1", "it is nested more than 20 levels deep (line 3)"),
    ("games: " + 5000 * "{a: ", "it is nested more than 20 levels deep"),
    ("games: " + 5000 * "9", "a number of 5,000 digits is too long (line 2)"),
    ("games: 0x" + 5000 * "f", "a number of 5,002 digits is too long (line 2)"),
    ("games: -" + 41 * "9", "a number of 42 digits is too long"),
    ("games: " + 5000 * "9" + ".5", "games is inf, but must be a"),
    ("games: " + 2**21 * "1", "has more than 2,097,152 bytes"),
    (f"out: {5000 * 'x'}", "must have at most 4,096 characters"),
    ("out: " + 2000 * "a: ", "is not valid YAML"),
    # what no path, terminal and spreadsheet should be given
    ('out: "a\\0b"', "control characters are not allowed (line 2)"),
    ("out: a\0b", "it has the control character U+0000"),
    ('agent: "\\e[31mred"', "control characters are not allowed"),
    ('agent: "\u202eleft"', "control characters are not allowed"),
    ('agent: "\\x9b31m"', "control characters are not allowed"),
    ('"a\\nb": 3', "unknown key 'a b'"),
    ('agent: "a\\nhsevo: all is well"', "agent.kind is 'a\\nhsevo: all is well', but must hold no"),
    ('agent: "\\UFFFFFFFF"', "is not valid YAML"),
    ('agent: "\\uD800"', "control characters are not allowed"),
])
def test_a_mistake_is_one_line_that_says_what_to_write(text: str, said: str,
                                                       tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        config.load(write(tmp_path, text))
    message = str(caught.value)
    assert said in message
    assert "mine.yaml" in message
    assert "\n" not in message


@pytest.mark.parametrize(("text", "said"), [
    ("seed: 1", "'decks' is missing"),
    ("decks: []", "must name at least one deck"),
    ("decks: mage", "decks is 'mage', but must be a list: [mage]"),
    ("decks: [mage, mage]", "'mage' is given twice"),
    ("decks: [3]", "decks.0 is 3, but must be text"),
    ("", "is empty"),
    ("- 3", "must hold 'key: value' lines"),
])
def test_decks_are_needed(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bare.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said.replace("[", r"\[")):
        config.load(path)


def test_two_mistakes_are_two_lines(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        config.load(write(tmp_path, "games: 0\nmax_turns: 0"))
    assert len(str(caught.value).splitlines()) == 2


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "picture.yaml"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(ConfigError, match="is not a text file"):
        config.load(path)


def test_set_changes_nested_keys_and_reads_yaml() -> None:
    plan = config.load("smoke", ["evolution.mu=7", "decks=[mage]", "evolution.epsilon=1e-3",
                                 "workers.count=null"])
    assert (plan.evolution.mu, plan.decks, plan.evolution.epsilon) == (7, ("mage",), 1e-3)
    assert plan.evolution.lam == 4  # what was not set stays


@pytest.mark.parametrize(("setting", "said"), [
    ("evolution.mu", "--set 'evolution.mu': must be key=value"),
    ("=3", "--set '=3': must be key=value"),
    ("evolution.nu=3", "unknown key 'evolution.nu'"),
    ("evolution.mew=3", "--set evolution.mew=3: unknown key 'evolution.mew'; did you mean"
     " 'evolution.mu'?"),
    ("mu=3", "--set mu=3: unknown key 'mu'; did you mean 'evolution.mu'?"),
    ("decks=mine.txt", "--set decks=mine.txt: decks is 'mine.txt', but must be a list: [mine.txt]"),
    ("evolution.mu=[", "is not valid YAML"),
    ("seed.low=3", "--set seed.low=3: seed is {'low': 3}, but must be a whole number"),
    ("seed=1_0.5", "--set seed=1_0.5: seed is 10.5, but must be a whole number"),
    ("seed=1\nvalve: 2", "must be one value"),
    ("seed" + 5000 * ".a" + "=3", "--set seed.a.a.a.a"),
    ("seed=" + 5000 * "[", "it is nested more than 20 levels deep"),
])
def test_a_wrong_set_is_named(setting: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config.load("smoke", [setting])
    assert said in str(caught.value)
    assert "smoke.yaml" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mistake_of_the_file_beside_a_set_is_the_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        config.load(write(tmp_path, "games: 0"), ["evolution.mu=0", "seed=3"])
    assert str(caught.value).splitlines() == [
        f"{tmp_path}/mine.yaml: games is 0, but must be at least 1",
        "--set evolution.mu=0: evolution.mu is 0, but must be at least 1"]


@pytest.mark.parametrize(("text", "value"), [
    ("10", 10), ("-3", -3), ("0", 0), ("1_000", 1000), ("0x1f", 31), ("1e-5", 1e-5),
    ("1.5e3", 1500.0),
    (".5", 0.5), ("-.inf", -inf), ("yes", True), ("off", False), ("~", None), ("", None),
    ("010", "010"), ("0o7", "0o7"), ("1:30", "1:30"), ("2018-01-02", "2018-01-02"), ("=", "="),
    ("1.2.3", "1.2.3"), ("_1", "_1"), ("ö", "ö")])
def test_plain_values(text: str, value: object) -> None:
    assert config.parse(f"a: {text}", "here") == {"a": value}


@pytest.mark.parametrize("text", [
    "1e5", "010", "1:30", "2018-01-02", "yes", "~", "", "1_0", "=", "<<", "ö", "a: b", "- a",
    "x\ny", "&a", "*a", "!a", "0x1", ".5", "nan", ".nan", "-", "#", "%", "'", '"', " a "])
def test_what_is_written_is_read_again(text: str) -> None:
    tree = {"a": text, "b": [text, {"c": 1.5e-7}], "d": 10**30, "e": None, "f": True, "g": -inf}
    assert config.parse(config.to_yaml(tree), "here") == tree
    assert yaml.safe_load(config.to_yaml(tree)) == tree  # and by others


def test_at_most_twenty_mistakes_are_told(tmp_path: Path) -> None:
    path = tmp_path / "many.yaml"
    path.write_text("decks: [" + ", ".join("3" for _ in range(50)) + "]")
    with pytest.raises(ConfigError) as caught:
        config.load(path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == f"{path}: ... and 30 more"


def test_a_pipe_is_no_config(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(ConfigError, match="no config"):
        config.load(tmp_path / "pipe.yaml")
    with pytest.raises(ConfigError, match="it is a pipe or a device, not a file"):
        config.read_text(tmp_path / "pipe.yaml")


@pytest.mark.parametrize("value", [
    10**5000, -(10**5000), [10**5000], [[[[[[[[1]]]]]]]], 10**6 * [0], 10**6 * "x", "\x1b[3m",
    "\u202e", {"a\nb": 1}], ids=range(9))
def test_any_value_is_shown_in_sixty_plain_characters(value: object) -> None:
    assert len(config.short(value)) <= 60
    assert config.short(value).isprintable()


def test_change_checks_again() -> None:
    plan = config.load("smoke")
    assert config.change(plan, {"workers.count": 3, "seed": None}).workers.count == 3
    with pytest.raises(ConfigError, match=r"workers\.count is 0"):
        config.change(plan, {"workers.count": 0})


def test_find_prefers_a_path_then_the_folder_here_then_the_shipped(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert config.find("smoke", "configs") == config.shipped("configs") / "smoke.yaml"
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "smoke.yaml").write_text("x: 1")
    assert config.find("smoke.yaml", "configs") == Path("configs/smoke.yaml")
    (tmp_path / "smoke.yaml").write_text("x: 1")
    assert config.find("smoke.yaml", "configs") == Path("smoke.yaml")


def test_find_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'smoke'"):
        config.find("somke", "configs")
    with pytest.raises(DeckError, match="no deck 'warior'"):
        config.find("warior", "decks")
    with pytest.raises(DeckError, match="no deck 'xxx"):
        config.find("x" * 5000, "decks")


def test_did_you_mean_keeps_silent_when_nothing_is_near() -> None:
    assert did_you_mean("Mgae", ["mage", "shaman"]) == "; did you mean 'mage'?"
    assert did_you_mean("xyzzy", ["mage", "shaman"]) == ""


def sections(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yield a model and all those that its fields hold."""
    yield model
    for field in model.model_fields.values():
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from sections(kind)


def test_every_key_is_described_in_a_line() -> None:
    for model in sections(config.Config):
        keys = model.model_json_schema(by_alias=True)["properties"]
        assert len(keys) == len(model.model_fields)
        for name, key in keys.items():
            assert key.get("description"), f"{model.__name__}.{name}"
            assert "\n" not in key["description"]
            assert key["description"].endswith(".")


def test_the_schema_takes_what_is_shipped_and_refuses_what_hsevo_refuses() -> None:
    schema = json.loads(hsevo("config", "schema").stdout)
    assert schema["properties"]["evolution"]["description"]
    for name in config.names("configs"):
        jsonschema.validate(yaml.safe_load(config.find(name, "configs").read_text()), schema)
    for wrong in ({}, {"decks": [], "gamse": 3}, {"decks": ["mage"], "games": 0},
                  {"decks": ["mage"], "evolution": {"lambda": "ten"}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


@pytest.fixture
def lab(here: Path) -> Path:
    """Return a folder with a config and two decks, one of them with the name of a shipped one."""
    lab = here / "lab"
    lab.mkdir()
    warrior = config.find("warrior", "decks").read_text(encoding="utf-8")
    for name in ("beasts", "mage"):
        (lab / f"{name}.txt").write_text(f"name: {name}-of-mine\n{warrior}")
    (lab / "mine.yaml").write_text("decks: [beasts.txt, mage, shaman]\ngames: 2\n"
                                   "evolution: {mu: 2, lambda: 2, generations: 2}\n")
    return lab


def names_of(plan: config.Config) -> list[str]:
    return [read_deck(deck).name for deck in plan.decks]


def test_decks_are_found_beside_their_config_first(lab: Path, here: Path,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    plan = config.load("lab/mine.yaml")
    assert plan.decks == ("lab/beasts.txt", "lab/mage", "shaman")
    names = ["beasts-of-mine", "mage-of-mine", "shaman"]
    assert names_of(plan) == names
    (here / "beasts.txt").write_text(config.find("mage", "decks").read_text(encoding="utf-8"))
    assert names_of(config.load(lab / "mine.yaml")) == names
    monkeypatch.chdir(lab)
    inside = config.load("mine.yaml")
    assert inside.decks == ("beasts.txt", "mage", "shaman")
    assert names_of(inside) == names


def test_then_in_the_current_folder_where_set_looks_alone(lab: Path, here: Path) -> None:
    (lab / "beasts.txt").rename(here / "beasts.txt")
    assert names_of(config.load("lab/mine.yaml"))[0] == "beasts-of-mine"
    (here / "lab" / "other.txt").write_text("x")
    plan = config.load("lab/mine.yaml", ["decks=[other]"])
    with pytest.raises(DeckError, match="no deck 'other'"):
        read_deck(plan.decks[0])


def test_what_stands_in_decks_need_not_be_a_name(lab: Path) -> None:
    for decks in ("[3]", "beasts.txt", "[[a]]", "[null]", f"[{'x' * 5000}]"):
        (lab / "mine.yaml").write_text(f"decks: {decks}\n")
        with pytest.raises(ConfigError, match="decks"):
            config.load(lab / "mine.yaml")


def test_agents_are_found_beside_their_config(lab: Path, here: Path) -> None:
    (lab / "best.yaml").write_text("{}")
    (lab / "mine.yaml").write_text(
        "decks: [mage]\nreferences:\n"
        "  against: [eva:2018, 'eva:best.yaml#x', 'gsv:best.yaml?depth=1', gsv:no.yaml]\n"
        "rating: {opponents: {agents: ['greedy:santos:best.yaml']}}")
    plan = config.load(lab / "mine.yaml")
    assert plan.references
    assert plan.rating.opponents
    assert plan.references.against == (
        "eva:2018", f"eva:{lab}/best.yaml#x", f"gsv:{lab}/best.yaml?depth=1", "gsv:no.yaml")
    assert plan.rating.opponents.agents == (f"greedy:santos:{lab}/best.yaml",)


def test_a_study_finds_its_decks_beside_itself_too(lab: Path) -> None:
    text = config.find("divine-shield", "configs/studies").read_text(encoding="utf-8")
    own = config.find("super-basic", "decks").read_text(encoding="utf-8")
    (lab / "own.txt").write_text(own)
    (lab / "study.yaml").write_text(text.replace("\ndeck: super-basic ", "\ndeck: own.txt "))
    study = load_study("lab/study.yaml")
    assert isinstance(study, OptionStudy)
    assert (study.deck, study.opponent_deck) == ("lab/own.txt", "super-basic-rager")


def test_a_run_is_resumed_from_any_folder_without_its_decks(
        lab: Path, monkeypatch: pytest.MonkeyPatch, fake_engine: None) -> None:
    """Its folder keeps the cards; their digests do not depend on where the files were."""
    assert hsevo("evolve", "--config", "lab/mine.yaml", "--out", "run").exit_code == 0
    monkeypatch.chdir(lab)
    assert hsevo("evolve", "--config", "mine.yaml", "--out", "../other").exit_code == 0
    first, second = (json.loads((lab.parent / name / "about.json").read_text())
                     for name in ("run", "other"))
    assert first["decks"] == second["decks"]
    for name in ("population.csv", "statistics.csv", "matches.sha256"):
        assert (lab.parent / "run" / name).read_bytes() == (
            lab.parent / "other" / name).read_bytes()
    for path in lab.iterdir():
        path.unlink()
    (lab.parent / "run" / "done").unlink()
    assert hsevo("evolve", "--resume", "../run").exit_code == 0
    assert hsevo("verify", "../run").exit_code == 0
    assert "the same config and seed 1" in fails("report", "../run", "../other", "--out", "both")
