"""Studies: what is drawn, played, counted and written; and HearthSim's two as they are shipped."""

import xml.etree.ElementTree as ET
from collections import Counter
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

import hsevo as hsevo_api
from hsevo import config
from hsevo.agents.turn_search import hearthsim
from hsevo.cards import tables
from hsevo.cards.decks import read_deck
from hsevo.cards.rulesets import RULESETS, STUDY_RULESETS
from hsevo.cards.rulesets import SHIPPED as SHIPPED_RULESETS
from hsevo.cards.vocabulary import TAUNT
from hsevo.cards.wording.text import text
from hsevo.config import Workers
from hsevo.engine.jit import fingerprint
from hsevo.engine.record.codec import POWER
from hsevo.errors import AgentError, CardError, ConfigError, DeckError, GameError, RunError
from hsevo.files import claimed
from hsevo.play import match
from hsevo.play.games import GameBatch
from hsevo.play.workers import open_workers
from hsevo.strength import curves, studies, study_plans
from hsevo.strength.intervals import lead
from hsevo.strength.roster import read_agent
from hsevo.strength.studies import StudyResult, curve
from hsevo.strength.study_plans import LinesStudy, check_study, load_study, number
from tests.support.command import fails, hsevo

SHIPPED = ("divine-shield", "divine-shield-control", "taunts")
OPTION = {"study": "option", "title": "t", "axis": "x", "games": 4, "agent": "hearthsim",
          "option": "w_ds", "values": [0, 1], "deck": "super-basic", "opponent": "random",
          "opponent_deck": "super-basic-rager"}
TAUNTS = {"study": "taunts", "title": "t", "axis": "x", "games": 4, "agent": "random",
          "opponent": "random", "values": [0, 30]}
CARDS = tables.cards("hearthsim")


def small(path: Path, **changes: object) -> Path:
    """Write a study of random players, which are quick."""
    tree = TAUNTS | {"games": 60, "values": [0, 15, 30]} | changes
    path.write_text(yaml.safe_dump(tree))
    return path


def outcomes(wins: Any, draws: Any = 0) -> Any:
    """Return results (values, games) in which player 0 won where `wins` is 1."""
    results = np.zeros(np.shape(wins), match.RESULT)
    results["wins_a"], results["draws"], results["turns"] = wins, draws, 20
    return results


# -- the ruleset ----------------------------------------------------------------------------------


def test_bodies_are_those_of_the_study_and_of_no_other_ruleset() -> None:
    ((_, own),) = STUDY_RULESETS["hearthsim"].own_cards
    assert len(own) == 2 * 5 * 4
    bodies = Counter((card.attack, card.health, bool(card.keywords & TAUNT)) for card in own)
    assert bodies == Counter((a, h, t) for a in range(1, 6) for h in range(1, 5)
                             for t in (False, True))
    for card in own:
        assert card.cost == (card.attack + card.health) // 2
        assert not card.collectible
        assert text(CARDS, card.id) == (["Taunt."] if card.keywords else [])
        assert not any(card.id in tables.cards(name) for name in RULESETS)
    assert {id for ids in tables.pool_report("hearthsim").values() for id in ids}.isdisjoint(
        card.id for card in own)
    assert tables.pool_report("hearthsim") == tables.pool_report("cig2018")
    assert list(CARDS)[:len(tables.cards())] == list(tables.cards())


def test_the_ruleset_is_no_version_of_the_game() -> None:
    assert "hearthsim" not in RULESETS
    assert config.load("smoke", ["ruleset=hearthsim"]).ruleset == "hearthsim"
    assert set(config.RULESETS) == set(SHIPPED_RULESETS)


def test_a_body_costs_what_the_games_own_bodies_cost() -> None:
    """Of the super basic deck's minions without text, but for the 6/7 and 7/7 that cost less."""
    for name, cost in (("Murloc Raider", 1), ("Bloodfen Raptor", 2), ("River Crocolisk", 2),
                       ("Chillwind Yeti", 4), ("Oasis Snapjaw", 4)):
        card = CARDS[tables.by_name()[name]]
        assert (card.attack + card.health) // 2 == card.cost == cost


def test_player_0_begins_and_no_hero_has_a_power() -> None:
    deck = read_deck("super-basic")
    games = GameBatch.new(deck, deck, np.arange(64), "hearthsim")
    assert set(games.states["first"]) == set(games.states["me"]) == {0}
    assert (games.states["side"]["n_hand"] == [4, 5]).all()  # one drawn; four and The Coin
    games.states["side"]["mana"] = 10
    assert not games.legal_moves()[:, POWER:POWER + 17].any()
    others = GameBatch.new(deck, deck, np.arange(64), "cig2018")
    assert set(others.states["first"]) == {0, 1}
    others.states["side"]["mana"] = 10
    assert others.legal_moves()[:, POWER].all()


# -- what is played ---------------------------------------------------------------------------


def test_w_ds_is_an_option_of_the_agent() -> None:
    assert read_agent("hearthsim")["w"][0, hearthsim.SHIELD] == 1
    for w_ds in (-1.25, 0.0, 2.0):
        made = read_agent(f"hearthsim?w_ds={number(w_ds)}&nodes=30")
        assert made["w"][0, :5].tolist() == [1, 1, w_ds, 0.1, 0.1]


@pytest.mark.parametrize("value", ["1e3", "nan", "11", "-10.5", "", "1,5", "٣"])
def test_an_option_that_is_no_number_of_its_range(value: str) -> None:
    with pytest.raises(AgentError, match=r"must be a number from -10\.0 to 10\.0"):
        read_agent(f"hearthsim?w_ds={value}")


@pytest.mark.parametrize(("x", "said"), [(1000.0, "1000"), (-0.25, "-0.25"), (0.0, "0"),
                                          (-0.0, "0"), (0.00001, "0.00001")])
def test_a_value_is_written_as_an_option_takes_it(x: float, said: str) -> None:
    assert number(x) == said


def test_a_deck_with_n_taunts_has_exactly_n_and_is_else_the_same() -> None:
    study, games = load_study("taunts"), np.arange(70, 90)
    plain = study.decks(0, games)
    assert len(plain) == 2 * len(games)
    before = np.zeros((len(games), 30), bool)
    for x in study.values:
        decks = study.decks(x, games)
        guards = np.array([[bool(CARDS[id].keywords & TAUNT) for id in deck.ids]
                           for deck in decks])
        assert (guards[::2].sum(axis=1) == x).all()
        assert not guards[1::2].any()
        assert (guards[::2] >= before).all(), "none loses its Taunt"
        before = guards[::2]
        assert [[id[:5] for id in deck.ids] for deck in decks] == [
            list(deck.ids) for deck in plain]
    assert study.decks(16, games[3:5]) == study.decks(16, games)[6:10], "a game has its decks"


def test_every_body_is_as_likely_and_every_place_of_a_taunt() -> None:
    """Counts of 20,000 and 4,000 draws within 4.5 standard deviations: 20 and 30 cells."""
    study = load_study("taunts")
    decks = study.decks(8, np.arange(500))
    bodies = Counter(id[:5] for deck in decks for id in deck.ids)
    assert len(bodies) == 20
    spread = np.sqrt(30_000 / 20 * 0.95)
    assert max(abs(n - 30_000 / 20) for n in bodies.values()) < 4.5 * spread
    places = Counter(i for deck in decks[::2] for i, id in enumerate(deck.ids) if id[5:])
    spread = np.sqrt(500 * 8 / 30 * 22 / 30)
    assert max(abs(places[i] - 500 * 8 / 30) for i in range(30)) < 4.5 * spread
    few = check_study(TAUNTS | {"attack": 2, "health": 1}, "here").decks(0, np.arange(9))
    assert {id for deck in few for id in deck.ids} == {"HS_11", "HS_21"}


def jobs(study: Any) -> list[Any]:
    """Return the jobs of a study, none of which is played."""
    made: list[Any] = []

    def keep(function: Any, given: Any) -> Any:
        made.extend(given)
        return []

    StudyResult(study).play(keep)  # type: ignore[arg-type]
    return made


def record(study: Any, results: Any) -> StudyResult:
    """Return a record with these results."""
    found = StudyResult(study)
    found.results[:] = results
    found.played[:] = study.games
    return found


def test_every_value_has_the_same_games() -> None:
    study = check_study(OPTION | {"games": 120}, "here")
    made = jobs(study)
    assert [len(rows) for rows, _, _ in made] == [50, 50, 50, 50, 20, 20]
    rows = np.array([np.concatenate([rows for rows, _, _ in made[at::2]]) for at in (0, 1)])
    assert (rows["seed"][0] == rows["seed"][1]).all()
    assert len(set(rows["seed"][0])) == 120
    assert set(rows["a"].flat) == {0}
    assert set(rows["b"].flat) == {1}
    weights = [agents["w"][0, hearthsim.SHIELD] for _, agents, _ in made[:2]]
    assert weights == [0, 1]
    for _, _, setting in made:
        assert [deck.name for deck in setting.decks] == ["super-basic", "super-basic-rager"]
        assert setting.ruleset == "hearthsim"


def test_the_two_decks_differ_by_two_cards() -> None:
    ours, theirs = (Counter(read_deck(name).ids) for name in ("super-basic", "super-basic-rager"))
    names = tables.by_name()
    assert ours - theirs == {names["Scarlet Crusader"]: 2}
    assert theirs - ours == {names["Magma Rager"]: 2}


def test_more_workers_and_the_same_bits() -> None:
    study = check_study(OPTION | {"games": 102, "agent": "hearthsim?nodes=20"}, "here")
    played = []
    for plan in (Workers(backend="serial"), Workers(backend="threads", count=2)):
        with open_workers(plan) as executor:
            played.append(StudyResult(study).play(executor).results)
    assert np.array_equal(*played)
    assert (played[0]["wins_a"] + played[0]["wins_b"] + played[0]["draws"] == 1).all()
    assert (played[0][0] != played[0][1]).any(), "w_ds changes games"


def test_a_game_that_the_engine_refused_is_named() -> None:
    study = check_study(TAUNTS, "here")

    def refuse(function: Any, made: Any) -> Any:
        for rows, _, _ in made:
            results = np.zeros(len(rows), match.RESULT)
            results["faults"][1] = 1
            yield results, 0.1

    seed = jobs(study)[0][0]["seed"][1]
    with pytest.raises(GameError, match=f"rejected 1 games, .* match with seed {seed} at x = 0"):
        StudyResult(study).play(refuse)


# -- what is counted ------------------------------------------------------------------------------


def test_the_points_of_a_curve() -> None:
    study = check_study(
        TAUNTS | {"published": {"rates": {30: 0.25, 7: 0.5}, "games": 100}}, "here")
    table = curve(record(study, outcomes([[1, 0, 0, 1], [1, 1, 1, 0]], [[0, 1, 0, 0], [0] * 4])))
    assert table["x"].tolist() == ["0", "30"]
    assert table[["games", "wins", "draws"]].values.tolist() == [[4, 2, 1], [4, 3, 0]]
    assert table["rate"].tolist() == [0.5, 0.75]
    assert table["turns"].tolist() == [20, 20]
    # Wilson: (k + z^2 / 2) / (n + z^2) -+ z / (n + z^2) * sqrt(k (n - k) / n + z^2 / 4)
    z2 = 1.959964**2
    half = np.sqrt(z2) / (4 + z2) * np.sqrt(1 + z2 / 4)
    assert table["low"][0] == pytest.approx(0.5 - half, abs=1e-6)
    assert table["high"][0] == pytest.approx(0.5 + half, abs=1e-6)
    assert isnan(table["published"][0])
    assert isnan(table["published_low"][0])
    assert table["published"][1] == 0.25
    half = np.sqrt(z2) / (100 + z2) * np.sqrt(25 * 75 / 100 + z2 / 4)
    middle = (25 + z2 / 2) / (100 + z2)
    assert table["published_low"][1] == pytest.approx(middle - half, abs=1e-6)
    assert table["published_high"][1] == pytest.approx(middle + half, abs=1e-6)


def test_a_lead_is_that_of_the_same_games() -> None:
    """By Agresti and Min: half a difference of 1, half of -1 and one of 0 are added."""
    def ends(total: float, squares: float, n: int) -> tuple[float, float]:
        half = 1.959964 * np.sqrt((squares / n - (total / n)**2) / n)
        return total / n - half, total / n + half

    results = outcomes([[1, 1, 1, 0], [1, 0, 1, 0]])
    found = lead(results, 0, 1)  # differences 0, 1, 0, 0
    assert found.value == 0.25
    assert (found.low, found.high) == pytest.approx(ends(1, 2, 6))
    same = lead(results, 1, 1)
    assert (same.value, same.low, same.high) == pytest.approx((0, *ends(0, 1, 6)))
    found = lead(results, 0, 1, 2)  # in pairs: differences 1/2, 0
    assert found.value == 0.25
    assert (found.low, found.high) == pytest.approx(ends(0.5, 1.25, 4))


def test_an_interval_of_a_lead_errs_as_often_as_it_says() -> None:
    """Two of forty games differ on average, as often for as against: Wald's errs 7 % of the time.
    """
    random, errs = np.random.default_rng(1), 0
    for _ in range(2000):
        both = random.choice([0, 1, 2, 3], p=[0.425, 0.075, 0.075, 0.425], size=(1, 40))
        found = lead(outcomes(np.concatenate([both % 2, both // 2]).tolist()), 0, 1)
        errs += not found.low <= 0 <= found.high
    assert errs < 0.05 * 2000


@pytest.mark.parametrize(("source", "about"), [
    ("divine-shield", [
        "x: weight of Divine Shield, w_ds (1: a shield is worth the minion's attack + health)",
        "rate: games won by player 0",
        "players: hearthsim?w_ds=x (super-basic) against hearthsim?w_ds=0 (super-basic-rager)"]),
    ("taunts", ["rate: games won by player 0"]),
    ("thesis-iterations", [
        "x: iterations a decision", "rate: games won by the agent",
        "heuristic 1: mcts:knowledge?iterations=x&heuristic=santos (zoo-warlock) against gsv"
        " (zoo-warlock)"])])
def test_a_study_says_what_x_is_and_who_plays(source: str, about: list[str]) -> None:
    """Every agent, deck and axis of the plan is in it."""
    study = load_study(source)
    assert study.title == study.about[0]
    assert {*about} <= {*study.about}
    said = " ".join(study.about)
    for line in study.players.values():
        assert " against " in line
    assert "{x}" not in said
    assert study.axis in said


def test_intervals_of_lines_are_those_of_pairs() -> None:
    """A pair is one observation; its two games hang together, as both have the same cards."""
    study = check_study(LINES, "here")
    results = outcomes([[1, 0] * 4, [1, 1, 0, 0] * 2, [1] * 8, [0] * 8])
    table = curve(record(study, results))
    z2 = 1.959964**2
    # four pairs and z2 more, half of them lost and half won. With one win each, the variance is
    # z2 / (4 + z2) / 4; with two wins or none, it is 1/4
    for row, variance in ((0, z2 / (4 + z2) / 4), (1, 0.25)):
        half = np.sqrt(z2 * variance / (4 + z2))
        assert table["low"][row] == pytest.approx(0.5 - half, abs=1e-6)
        assert table["high"][row] == pytest.approx(0.5 + half, abs=1e-6)
    assert table["rate"].tolist() == [0.5, 0.5, 1, 0]
    assert table["high"][2] == 1
    assert 0.2 < table["low"][2] < 0.8


# -- what is written ------------------------------------------------------------------------------


def test_a_study_from_the_command_line(here: Path) -> None:
    path = small(here / "mine.yaml")
    result = hsevo("study", path, "--out", "out", "--workers", 2)
    assert result.exit_code == 0, result.output
    assert sorted(file.name for file in (here / "out").iterdir()) == [
        ".lock", "curve.csv", "games.csv", "games.sha256", "plot.png", "plot.svg", "study.yaml",
        "times.csv"]
    table = pd.read_csv(here / "out" / "curve.csv")
    assert table["x"].tolist() == [0, 15, 30]
    assert table["games"].tolist() == [60] * 3
    assert (table["rate"] * 60 == table["wins"]).all()
    assert ((table["low"] < table["rate"]) & (table["rate"] < table["high"])).all()
    assert table["published"].isna().all()
    about = yaml.safe_load((here / "out" / "study.yaml").read_text())
    assert (about["kind"], about["ruleset"], about["study"]["games"]) == (
        "hsevo study", "hearthsim", 60)
    assert "out: curve.csv, plot.svg, plot.png, study.yaml, games.csv, times.csv" in result.stdout
    assert " x  games  won  drawn  rate %" in result.stdout
    assert "highest at x = " in result.stdout
    # the same again, from what was written, by another number of workers
    assert hsevo("study", "out/study.yaml", "--out", "again", "--backend", "serial").exit_code == 0
    for file in (here / "out").iterdir():
        if file.name == "times.csv":  # CPU time is another each time
            continue
        assert file.read_bytes() == (here / "again" / file.name).read_bytes(), file.name
    one = hsevo("study", small(here / "one.yaml", values=[3]), "--out", "one")
    assert "a single value, x = 3: no curve to compare" in one.stdout
    other = hsevo("study", path, "--seed", 8, "--games", 55, "--out", "other")
    assert other.exit_code == 0, other.output
    assert pd.read_csv(here / "other" / "curve.csv")["games"].tolist() == [55] * 3


def test_the_pictures_are_pictures() -> None:
    study = check_study(
        TAUNTS | {"published": {"rates": {0: 0.5}, "best": 30}, "title": "Taunts & more"}, "here")
    table = curve(record(study, outcomes([[1, 0, 0, 1], [1, 1, 1, 0]])))
    drawn = curves.curve(table, study.title, study.axis, 30)
    assert ET.fromstring(drawn.svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert drawn == curves.curve(table, study.title, study.axis, 30)
    assert b"Taunts &amp; more" in drawn.svg
    priced = "costs $5_{ or $6"  # no formula
    assert priced.encode() in curves.curve(table, priced, "x", None).svg
    png = drawn.png
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(png[at:at + 4], "big") for at in (16, 20)] == [1200, 750]


def test_matplotlib_is_imported_for_a_picture_alone() -> None:
    import subprocess
    import sys

    code = "import sys, hsevo.cli, hsevo.strength.studies; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_folder_that_is_not_empty_is_refused_and_none_is_left(here: Path) -> None:
    path = small(here / "mine.yaml")
    (here / "full").mkdir()
    (here / "full" / "x").touch()
    assert "full already exists and is not empty; choose another folder" in fails(
        "study", path, "--out", "full")
    assert "full/x is a file; choose a folder" in fails("study", path, "--out", "full/x")
    with pytest.raises(KeyboardInterrupt), claimed(here / "new", "study"):
        raise KeyboardInterrupt
    assert not (here / "new").exists()


def test_what_is_wrong_with_a_study_is_said(here: Path) -> None:
    for changes, said in [
        ({"gamse": 3}, "unknown key 'gamse'; did you mean 'games'?"),
        ({"study": "taunt"}, "study is 'taunt', but must be one of option, taunts, lines, unseen;"
         " did"),
        ({"study": 3}, "study is '3', but must be one of"),
        ({"values": []}, "values is [], but must name at least one"),
        ({"values": [0, 0]}, "must be different numbers"),
        ({"values": [3, 0]}, "the lowest first"),
        ({"values": [0.5]}, "must be whole numbers from 0 to 30: cards of a deck"),
        ({"values": [31]}, "must be whole numbers from 0 to 30"),
        ({"values": ["x"]}, "values.0 is 'x', but must be a number"),
        ({"attack": 6}, "attack is 6, but must be from 1 to 5"),
        ({"health": 0}, "health is 0, but must be from 1 to 4"),
        ({"games": 0}, "games is 0, but must be at least 1"),
        ({"games": 1_000_000, "values": [0, 1, 2, 3, 4, 5]}, "that is 6,000,000 games, but at"),
        ({"published": {"rate": {}}}, "'published.rate'; did you mean 'published.rates'?"),
        ({"published": {"rates": {"x": 1}}}, "but must be a number"),
        ({"published": {"rates": {0: 64.8}}}, "published.rates.0 is 64.8, but must be at most 1"),
        ({"agent": "rondom"}, "did you mean 'random'"),
        ({"title": None}, "title is empty, but must be text"),
    ]:
        message = fails("study", small(here / "mine.yaml", **changes), "--out", "out")
        assert said in message, message
        assert not (here / "out").exists()
    assert "games is 0, but must be at least 1" in fails("study", "taunts", "--games", 0)


@pytest.mark.parametrize(("changes", "error", "said"), [
    ({"option": "wds"}, AgentError, "no option 'wds'; did you mean 'w_ds'"),
    ({"values": [11]}, AgentError, "w_ds of agent 'hearthsim' is '11', but must be a number"),
    ({"option": "nodes", "values": [1.5]}, AgentError, "must be a whole number"),
    ({"deck": "super-basc"}, DeckError, "did you mean 'super-basic'"),
])
def test_what_a_study_names_must_be_there(changes: dict[str, Any], error: type[Exception],
                                          said: str) -> None:
    with pytest.raises(error) as caught:
        check_study(OPTION | changes, "here")
    assert said in str(caught.value)


def test_studies_and_evolutions_are_not_mixed_up(here: Path) -> None:
    path = small(here / "mine.yaml")
    assert "mine.yaml is a study; run it with: hsevo study" in fails(
        "evolve", "--config", path)
    said = fails("evolve", "--config", "taunts")
    assert "no config 'taunts'; it is a study: hsevo study taunts" in said
    assert "it is an evolution: hsevo evolve --config smoke" in fails("study", "smoke")
    message = fails("study", config.shipped("configs") / "smoke.yaml")
    assert "is not a study: it has no line 'study: KIND' (option, taunts, lines, unseen)" in message
    assert "study" not in fails("evolve").replace("hsevo study", "")
    assert not set(SHIPPED) & set(config.names("configs"))


# -- lines ----------------------------------------------------------------------------------------

LINES = {"study": "lines", "title": "t", "axis": "x", "games": 8, "opponent": "random",
         "deck": ["mage", "warrior"], "opponent_deck": "{x}", "values": ["mage", "shaman"],
         "lines": {"EVA": {"agent": "eva:2018"}, "random": {"agent": "random", "deck": "mage"}}}


def test_a_line_puts_the_value_where_its_texts_say() -> None:
    study = check_study(LINES, "here")
    assert study.points == [("EVA", "mage"), ("EVA", "shaman"), ("random", "mage"),
                            ("random", "shaman")]
    rows, setting = study.games_at(study.points[1], np.arange(8))
    assert [deck.name for deck in setting.decks] == ["mage", "warrior", "shaman"]
    # pairs in turn: both seats with mage, then with warrior; the agent is 0 and keeps its deck
    assert rows["a"].tolist() == [0, 1] * 4
    assert rows["deck_a"].tolist() == [0, 2, 1, 2] * 2
    assert rows["deck_b"].tolist() == [2, 0, 2, 1] * 2
    assert (rows["seed"][::2] == rows["seed"][1::2]).all()
    assert len(set(rows["seed"].tolist())) == 4
    numbers = check_study(LINES | {"values": [2, 9.5], "opponent_deck": "mage", "lines": {
        "one": {"agent": "hearthsim?w_ds={x}"}}}, "here")
    assert numbers.text(numbers.points[1], "agent") == "hearthsim?w_ds=9.5"  # type: ignore[attr-defined]


def test_results_of_lines_are_the_agents_own(here: Path) -> None:
    """EVA nearly always beats a random player, from both seats."""
    study = check_study(LINES | {"games": 40}, "here")
    with open_workers(Workers(backend="serial")) as executor:
        found = StudyResult(study).play(executor)
    table = curve(found)
    assert table["line"].tolist() == ["EVA", "EVA", "random", "random"]
    assert (table["rate"][:2] > 0.9).all()
    assert (table["rate"][2:] < 0.9).all()
    seats = found.results["wins_a"][:2].reshape(2, -1, 2).mean(axis=(0, 1))
    assert (seats > 0.8).all()
    costs = found.times
    assert costs["games"].tolist() == [40] * 4
    assert (costs["per_game"] * 40).tolist() == pytest.approx(costs["seconds"].tolist())
    drawn = curves.curve(table, "t", "x", None, study.SIDE)
    assert b"games won by the agent" in drawn.svg
    assert all(name in drawn.svg for name in (b" EVA ", b" shaman "))


def test_published_rates_of_lines(here: Path) -> None:
    study = check_study(LINES | {"published": {"lines": {"EVA": {"shaman": 0.75}}}}, "here")
    assert [study.published.rate(point) for point in study.points][1] == 0.75
    assert sum(np.isnan([study.published.rate(point) for point in study.points])) == 3


@pytest.mark.parametrize(("changes", "said"), [
    ({"values": ["mage", 3]}, "must be different numbers, the lowest first, or different names"),
    ({"values": ["mage", "mage"]}, "or different names"),
    ({"lines": {}}, "lines"),
    ({"games": 9}, "games is 9, but must be even"),
    ({"values": [True, False]}, "put yes and no in quotes"),
    ({"published": {"lines": {"EVE": {"mage": 0.5}}}}, "names 'EVE', which is not in"),
    ({"lines": {"one": {"agnet": "random"}}}, "line 'one': unknown key 'agnet'; did you mean"),
    ({"lines": {"one": {}}}, "line 'one' has no agent; set it for the line or for the study"),
    ({"ruleset": "cig2019"}, "line 'EVA' at x = mage: ruleset is 'cig2019'"),
    ({"information": "{x}"}, "information is 'mage'"),
])
def test_what_is_wrong_with_lines_is_said(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_study(LINES | changes, "here")
    assert said in str(caught.value), str(caught.value)


def test_a_stopped_study_goes_on_and_comes_to_the_same(here: Path) -> None:
    tree = LINES | {"games": 40, "lines": {"random": {"agent": "random"}}}
    (here / "mine.yaml").write_text(yaml.safe_dump(tree))

    def stop(done: int, total: int) -> None:
        if done >= 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hsevo_api.study("mine.yaml", out="out", backend="serial", progress=stop)
    lines = (here / "out" / "games.csv").read_text().splitlines()
    assert len(lines) == 51
    again = hsevo_api.study("mine.yaml", out="out", backend="serial")
    whole = hsevo_api.study("mine.yaml", out="whole", backend="serial")
    for name in ("curve.csv", "games.csv", "games.sha256", "study.yaml", "plot.svg"):
        assert (here / "out" / name).read_bytes() == (here / "whole" / name).read_bytes(), name
    assert again.times["games"].tolist() == whole.times["games"].tolist() == [40, 40]
    same = hsevo_api.study("mine.yaml", out="out", backend="serial")  # plays nothing
    pd.testing.assert_frame_equal(same.table, again.table)
    assert (same.done, same.path) == (80, Path("out"))
    assert pd.read_csv(here / "out" / "games.csv")["won"].sum() == again.table["wins"].sum()


def test_a_study_is_opened_if_stopped_with_more_games_and_if_of_another_engine(here: Path) -> None:
    tree = LINES | {"games": 4, "lines": {"random": {"agent": "random"}}}
    (here / "mine.yaml").write_text(yaml.safe_dump(tree))
    whole = hsevo_api.study("mine.yaml", out="out", backend="serial")
    file = here / "out" / "study.yaml"
    file.write_text(file.read_text().replace(fingerprint(), "feed" * 4))
    other = StudyResult.open("out")
    assert (other.finished, other.engine) == (True, "feed" * 4)
    assert other.table.equals(whole.table)
    with pytest.raises(RunError, match="begun with other engine"):
        hsevo_api.study("mine.yaml", out="out", backend="serial")
    file.write_text(file.read_text().replace("feed" * 4, fingerprint()))

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hsevo_api.study("mine.yaml", games=8, out="out", backend="serial", progress=stop)
    more = StudyResult.open("out")
    assert (more.plan.games, more.done, more.finished) == (8, 12, False)
    assert hsevo_api.study("mine.yaml", games=8, out="out", backend="serial").finished


def test_all_points_have_as_many_games_where_a_study_is_stopped(here: Path) -> None:
    (here / "mine.yaml").write_text(yaml.safe_dump(LINES | {"games": 40}))

    def stop(done: int, total: int) -> None:
        if done >= 95:  # the 10th block, of the 2nd point in the 3rd round
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hsevo_api.study("mine.yaml", out="out", backend="serial", progress=stop)
    table = pd.read_csv(here / "out" / "games.csv")
    assert table.groupby(["line", "x"], sort=False).size().tolist() == [30, 30, 20, 20]
    assert "has 30 games per point already; set games to at least this number, not 20" in fails(
        "study", "mine.yaml", "--games", 20, "--out", "out")


def test_a_finished_study_goes_on_with_more_games(here: Path) -> None:
    """Games are those of a study that had so many from its start; files are of both."""
    (here / "mine.yaml").write_text(yaml.safe_dump(LINES | {"values": ["none", "mage"],
                                                            "opponent_deck": "mage"}))
    first = hsevo("study", "mine.yaml", "--games", 14, "--out", "out")
    assert first.exit_code == 0, first.output
    more = hsevo("study", "mine.yaml", "--games", 36, "--out", "out")
    assert more.exit_code == 0, more.output
    hsevo_api.study("mine.yaml", games=36, out="whole", backend="serial")
    for name in ("curve.csv", "study.yaml", "plot.svg"):
        assert (here / "out" / name).read_bytes() == (here / "whole" / name).read_bytes(), name
    by = ["line", "x", "seed", "won", "drawn", "turns", "decisions"]
    tables = [pd.read_csv(here / path / "games.csv", keep_default_na=False).sort_values(by)
              for path in ("out", "whole")]
    assert tables[0].values.tolist() == tables[1].values.tolist()
    assert "has 36 games per point already; set games to at least this number, not 30" in fails(
        "study", "mine.yaml", "--games", 30, "--out", "out")
    assert "out was begun with other games_of" in fails(
        "study", "mine.yaml", "--games", 40, "--seed", 9, "--out", "out")


def test_files_are_read_once(here: Path) -> None:
    """A deck that changes while a study is played changes no game of it."""
    deck = config.shipped("decks") / "mage.txt"
    (here / "own.txt").write_text(deck.read_text())
    study = check_study(LINES | {"games": 40, "deck": "own.txt"}, "here")
    before = studies.digest(study)
    (here / "own.txt").unlink()
    with open_workers(Workers(backend="serial")) as executor:
        assert StudyResult(study).play(executor).done == 160
    assert studies.digest(study) == before


@pytest.mark.parametrize("damage", [
    lambda text: text.replace(",0,", ",1,", 1), lambda text: text.replace("seed", "sead")])
def test_a_damaged_table_of_a_stopped_study_is_refused(damage: Any, here: Path) -> None:
    (here / "mine.yaml").write_text(yaml.safe_dump(LINES | {"games": 40}))

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hsevo_api.study("mine.yaml", out="out", backend="serial", progress=stop)
    path = here / "out" / "games.csv"
    path.write_text(damage(path.read_text()))
    before = path.read_bytes()
    assert "games.csv is damaged" in fails("study", "mine.yaml", "--out", "out")
    assert path.read_bytes() == before
    (here / "mine.yaml").write_text(yaml.safe_dump(LINES | {"max_turns": 42}))
    assert "out was begun with other games_of" in fails("study", "mine.yaml", "--out", "out")


def test_another_deck_database_is_another_study(here: Path) -> None:
    deck = (config.shipped("decks") / "zoo-warlock.txt").read_text()
    (here / "lists").mkdir()
    (here / "lists" / "one.txt").write_text(deck)
    tree = LINES | {"information": "closed@lists", "deck": "zoo-warlock",
                    "opponent_deck": "zoo-warlock", "values": [1, 2]}
    (here / "mine.yaml").write_text(yaml.safe_dump(tree))
    before = studies.digest(load_study("mine.yaml"))
    assert studies.digest(load_study("mine.yaml")) == before
    assert studies.digest(check_study(tree | {"title": "Otherwise"}, "here")) == before
    (here / "lists" / "two.txt").write_text(deck)
    assert studies.digest(load_study("mine.yaml")) != before


# -- HearthSim's two --------------------------------------------------------------------------


def test_shipped_studies_are_what_the_blog_says() -> None:
    shield, control, taunts = map(load_study, SHIPPED)
    assert (shield.published.rates, shield.published.best) == ({0: 0.648}, 1)
    assert (control.published.rates, control.deck) == ({0: 0.571}, control.opponent_deck)
    assert {0, 1, 2} <= set(shield.values)
    wins = dict(zip((0, 2, 4, 8, 12, 16, 20, 24, 28, 30), (
        19200, 20614, 21952, 23702, 24812, 25403, 25108, 23718, 21510, 20018), strict=True))
    assert taunts.values == list(wins)
    assert taunts.published.games == 40_000
    assert taunts.published.rates == pytest.approx({x: k / 40_000 for x, k in wins.items()},
                                                   abs=5.1e-5)


# -- the thesis' ----------------------------------------------------------------------------------

# Appendix A: the values, and what the specs of all lines hold at the last one
THESIS = {
    "thesis-iterations": ([*range(10, 101, 10)], "iterations=100"),
    "thesis-rollouts": ([1, 3, 5, 10, 15, 20, 25, 30, 35], "iterations=30&rollouts=35"),
    "thesis-share-1": ([0, 25, 50, 75, 100], "own=100&opponent="),
    "thesis-share-2": ([0, 25, 50, 75, 100], "own=100&opponent="),
    "thesis-answers": (["max", "max-robust", "robust", "secure"], "final=secure"),
    "thesis-reuse": (["yes", "no"], "reuse=no"),
    "thesis-results": (["random", "noaggression", "greedy:metastone", "gsv"], "mcts:"),
}


@pytest.mark.parametrize("name", THESIS)
def test_studies_of_the_thesis_are_what_its_appendix_says(name: str) -> None:
    study = load_study(name)
    assert isinstance(study, LinesStudy)
    assert study.values == THESIS[name][0]
    assert study.games >= 250
    for line in study.lines:
        point = study_plans.Point(line, study.values[-1])
        assert THESIS[name][1] in study.text(point, "agent")
        rows, setting = study.games_at(point, np.arange(study.games))
        assert setting.ruleset == "msg2017"
        theirs = [setting.decks[int(k)].name for k in np.where(rows["a"], rows["deck_a"],
                                                               rows["deck_b"])]
        of = ({"yogg-tempo-mage": 84, "nzoth-control-warrior": 84, "zoo-warlock": 84}
              if name == "thesis-results" else {"zoo-warlock": 250})
        assert Counter(theirs) == of
    if name == "thesis-share-2":  # all pairs of k
        assert [study.text(study_plans.Point(line, 0), "agent") for line in study.lines] == [
            f"mcts:knowledge?own=0&opponent={k}" for k in (0, 25, 50, 75, 100)]


def test_every_shipped_study_is_one_of_these() -> None:
    assert config.names("configs/studies") == sorted(
        [*SHIPPED, *THESIS, "unseen-cards", "unseen-sets"])


def test_unknown_rulesets_are_still_unknown() -> None:
    with pytest.raises(CardError, match="unknown ruleset 'hearthsin'"):
        tables.find_ruleset("hearthsin")
