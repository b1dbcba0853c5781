"""Mistakes in commands: each is one line that says what to write, and leaves nothing behind."""

import shlex
from pathlib import Path

import numpy as np
import pytest

from hsevo.agents.genomes.weights import write_weights
from tests.support.command import fails
from tests.support.ladder import TINY

# What follows a command, and what it says.
MISTAKES: dict[str, dict[str, str]] = {
    "cards": {
        "show sylvnas": "unknown card 'sylvnas'; did you mean 'Sylvanas'?",
        "show Firebull": "did you mean 'Fireball'?",
        "show ''": "no name given; give a card's name or a part",
        "show " + 100 * "x": f"unknown card '{57 * 'x'}...'",
        "list --missing --kind secret": "Use --kind spell",
        "list --ruleset zzz": "'zzz'; choose from cig2018, msg2017, cig2018-as-run",
        "show x --ruleset cig2016": "did you mean 'cig2018'?",
        "show": "missing argument",
        "list --set clasic": "unknown set 'clasic'; did you mean 'classic'?",
        "list --class magee": "unknown class 'magee'; did you mean 'mage'?",
        "list --kind minoin": "unknown type 'minoin'; did you mean 'minion'?",
        "list --race zzz": "unknown race 'zzz'; choose from beast, demon",
        "list --rarity epi": "did you mean 'epic'?",
        "list --cost x": "--cost",
        "list --ruleset cig2016": "did you mean 'cig2018'?",
        "list --missing --tokens": "can't be combined",
        "lst": "did you mean 'list'?",
    },
    "decks": {
        "check warior": "did you mean 'warrior'?",
        "check AAEBAf0EHk2KAcABuwKLA8kD": "damaged",
        "check mage --format standrd": "did you mean 'standard'?",
        "check mage --ruleset cig2016": "did you mean 'cig2018'?",
        "check": "missing argument",
        "chek": "did you mean 'check'?",
        "improve mage --against shamann": "no deck 'shamann'; did you mean 'shaman'?",
        "improve magee --against shaman": "no deck 'magee'",
        "improve mage --against shaman --swaps 0": "swaps is 0, but must be a whole number",
        "improve mage --against shaman --games 10": "games is 10, but must be a whole number",
        "improve mage --against shaman --confirm 0": "confirm is 0, but must be",
        "improve mage --against shaman --keep Firebal": "unknown card 'Firebal'; did you mean",
        "improve mage --against shaman --keep Wisp":
            "keep has 1x Wisp, and 'mage' has 0; choose cards",
        "improve mage --against shaman --sets basik": "did you mean",
        "improve mage --against shaman --collection none.csv": "none.csv",
        "improve mage --against evaa@shaman": "evaa",
        "improve mage --against shaman --pilot py:bot.py#x": "py:bot.py#x",
        "cards mage --against shaman --games 1": "games is 1, but must be a whole number",
        "cards mage --against shaman --ruleset cig2019": "did you mean 'cig2018'?",
        "cards mage --against taunts-1": "which only ruleset hearthsim has",
        "guess --class mage --seen Fierball": "did you mean 'Fireball'?",
        "guess --class mage --method mach": "did you mean 'match'?",
        "guess --class mage --database nowhere": "no deck database 'nowhere'",
        "guess --class mage --patch x": "unknown patch 'x'",
        "search --class monk": "unknown class 'monk'",
    },
    "decks evolve": {
        "": "give a config: hsevo decks evolve --config human-field",
        "--config deck-smok": "did you mean 'deck-smoke'?",
        "--config cig2018": "it is an evolution: hsevo evolve --config cig2018",
        "--config deck-smoke --set field=[]": "field is [], but must name at least one",
        "--config deck-smoke --set field=[mage,mage]": "'mage' is listed twice",
        "--config deck-smoke --set field=[mages]": "no deck 'mages'",
        "--config deck-smoke --set \"field=['nash:none']\"": "none is not an arena",
        "--config deck-smoke --set pool.class=magus": "unknown class 'magus'",
        "--config deck-smoke --set pool.sets=[mag]": "unknown set 'mag'",
        "--config deck-smoke --set pool.ban=[Fierball]": "did you mean 'Fireball'?",
        "--config deck-smoke --set pool.collection=few.txt":
            "a deck has 30 cards, and a mage may take 3 here",
        "--config deck-smoke --set pool.collection=none.txt": "none.txt",
        "--config deck-smoke --set pool.sets=[classic] --set search.start=[mage]":
            "but the pool allows fewer",
        "--config deck-smoke --set pilots=[eva:2019]": "eva:2019",
        "--config deck-smoke --set games=3": "games is 3",
        "--config deck-smoke --set search.mu=30": "first is 20, but must be at least mu (30)",
        "--config deck-smoke --set search.sigma=1": "unknown key 'search.sigma'",
        "--resume none": "there is no folder none",
    },
    "coevolve": {
        "": "give a config: hsevo coevolve --config user-deck",
        "--config user-dec": "did you mean 'user-deck'?",
        "--config human-field": "it is a search for decks: hsevo decks evolve --config human-field",
        "--config coevolve-smoke --set hall.first=[mage]": "but must have pairs AGENT@DECK",
        "--config coevolve-smoke --set hall.first=[]":
            "hall.first is [], but must name at least one",
        "--config coevolve-smoke --set hall.first=[eva:2018@mages]": "no deck 'mages'",
        "--config coevolve-smoke --set hall.first=[eva:2019@mage]": "eva:2019",
        "--config coevolve-smoke --set hall.siz=3": "did you mean 'hall.size'?",
        "--config coevolve-smoke --set agent=evaa": "did you mean 'eva'?",
        "--config coevolve-smoke --set agent.genome=deck": "must be 'one' in a coevolution",
        "--config coevolve-smoke --set pool.class=magus": "unknown class 'magus'",
        "--config coevolve-smoke --set decks.mu=30": "first is 8, but must be at least mu (30)",
        "--config coevolve-smoke --set decks.start=[shaman]": "but must be a mage deck",
        "--config coevolve-smoke --set games=3": "games is 3",
        "--config coevolve-smoke --set weights.bounds=[1,0]": "bounds",
        "--config coevolve-smoke --set reference.against=[mages]": "no deck 'mages'",
        "--config coevolve-smoke --set reference.pilot=evaa": "evaa",
        "--config coevolve-smoke --minutes 0": "minutes is 0",
        "--resume none": "there is no folder none",
    },
    "meta matrix --backend serial --out new": {
        "mage": "name at least two decks: mage is one",
        "mage shaman mage": "mage and mage are the same deck; remove one",
        "mage shamann": "no deck 'shamann'; did you mean 'shaman'",
        "mage shaman --games 0": "games is 0",
        "mage shaman --pilots evaa": "evaa",
        "mage shaman --pilots random@mage": "pilot 'random@mage' already has a deck",
        "mage shaman --ruleset cig2019": "did you mean 'cig2018'",
    },
    "meta nerf --decks mage,shaman --out new": {
        "Fireball": "'Fireball' stands without a change: CARD cost+1",
        "cost+1": "'cost+1' stands without a card: CARD cost+1",
        "Firebal cost+1": "which is not a card; did you mean 'Fireball'?",
        "Fireball cots+1": "must be like cost+1, health-2 or attack=3",
        "Fireball cost+99": "the cost of 'Fireball' is 103, but must be a whole number",
        "Fireball cost-9": "the cost of 'Fireball' is",
        "Fireball attack+1": "Fireball has no attack",
        "nothing.yaml": "there is no overlay of a ruleset 'nothing.yaml'",
    },
    "meta nerf 'Spirit Claws' cost+1 --decks mage,shaman --re-evolve --out new": {
        "--evolve-games 0": "evolve_games is 0, but must be a whole number from 360",
        "--classes priest": "the field has no deck of a 'priest'; choose from",
        "--classes shamn": "did you mean 'shaman'?",
        "--information closed": "re_evolve needs information fair, but information is closed",
        "--games 0": "games",
    },
    "meta balance --backend serial": {
        "--card Wisp": "no deck has Wisp; choose cards that are in the decks",
        "--card Firebal": "which is not a card; did you mean 'Fireball'?",
        "--most 0": "most is 0",
        "--games 1": "games is 1",
        "--proposals 0": "proposals is 0",
        "--decks mage": "name at least two decks",
        "--pilot random@mage": "already has a deck",
        "--ruleset cig2018+Fireball.cost=5": "use cig2018",
    },
    "examine": {
        "random --out x": "'random' has no weights to change",
        "eva:2018": "give --out DIR",
        "eva:2018 --out x --against evva:2018": "unknown agent 'evva:2018'",
        "eva:2018 --out x --against random --games 0": "games",
        "eva:2018 --out x --against random --games 100000": "of memory, but at most",
        "nowhere --out x": "unknown agent 'nowhere'",
        "evva:2018": "unknown agent 'evva:2018'; did you mean 'eva:2018'",
        "runs/nowhere": "there is no run folder runs/nowhere",
        "eva:2018 --out x --against eva:2018": "agent 'eva:2018' is given twice",
    },
    "benchmark": {
        "eva:2018 gsv": "a benchmark rates only one; --frontier compares several",
        "eva:2018 --seconds 3": "--seconds needs --frontier",
        "--frontier --resume there": "--frontier can't be combined with --resume",
        "--frontier --seconds 4000": "seconds is 4000.0, but",
        "--check x --leaderboard": "--leaderboard can't be combined with --check",
        "--check x --frontier": "--frontier can't be combined with --check",
        "--check x gsv": "--check can't be combined with an agent",
        "--check x --games 3": "--check can't be combined with --games",
        "--check x --seed 3": "--seed needs --sample N",
        "--leaderboard --out x": "--leaderboard can't be combined with --out",
        "gsv --sample 3": "--sample needs --check",
        "gsv --trust": "--trust needs --check or --resume",
        "--frontier --submit x": "--frontier can't be combined with --submit",
        "--resume x --panel y": "--resume can't be combined with other settings",
        "gsv --submit none/x.json": "there is no folder none",
        "--check none.json": "cannot read none.json",
        "--check ''": "hsevo: . is a folder, but an entry is a file written by hsevo",
    },
    "ladder tiny.yaml --out new": {
        "--seeds ''": "seeds.0 is '', but must be a whole number",
        "--seeds 1,x": "seeds.1 is 'x', but must be a whole number",
        "--seeds -1": "seeds.0 is -1, but must be at least 0",
        "--games 0": "games is 0, but must be at least 1",
    },
    "evolve --config smoke --backend serial": {
        "--set gamse=3": "unknown key 'gamse'; did you mean 'games'?",
        "--workers 0": "'--workers': 0 is not in the range",
        "--seed -1": "seed is -1, but must be at least 0",
        "--set decks=[maeg]": "did you mean 'mage'?",
        "--out there": "there already exists and is not empty",
        "--out there/file/run": "cannot write there/file/run: Not a directory",
        "--set workers.scheduler=tcp://127.0.0.1:1 --backend fork": "'fork'",
    },
    "": {
        "evolve": "give --config NAME_OR_PATH",
        "evolve --config smok": "did you mean 'smoke'?",
        "evolve --resume there": "there is not a run folder of hsevo",
        "evolve --resume there --seed 0": "--seed can't be combined with --resume",
        "evolve --resume there --set games=3": "--set can't be combined with --resume",
        "evolve --configg smoke": "did you mean '--config'?",
        "evlove": "did you mean 'evolve'?",
        "export-best mine --games 9": "--games-per-pair",
        "export-best nowhere": "there is no folder nowhere",
        "tournament --agents x.csv --out y": "version 0.6: hsevo arena --runs",
        "tournament --help": "was removed in version 0.6",
        "verify nowhere": "there is no folder nowhere",
        "arena --runs none.csv --out x": "cannot read none.csv",
        "arena --runs gsw:none.csv": "cannot read",
        "match rondom random": "unknown agent 'rondom'; did you mean 'random'?",
        "match random random": "agent 'random' is given twice",
        "match random": "missing argument 'B'",
        "match random eva:2018 --sprt 5 5": "sprt is 5 5, but must be a lower",
        "match random eva:2018 --sprt nan 5": "sprt is nan 5, but must be a lower",
        "match random eva:2018 --games 0": "games is 0, but must be at least 1",
        "match random eva:2018 --decks maeg": "did you mean 'mage'?",
        "match random eva:2018 --ruleset cig2016": "did you mean 'cig2018'?",
        "match random eva:2018 --workers 0": "'--workers': 0 is not in the range",
        "arena --out x": "name the agents of the arena",
        "arena random --out x": "random needs an opponent",
        "arena random eva:2018 --workers 0": "0 is not in the range",
        "arena random eva:2018 --workers 0 --out x": "'--workers': 0",
        "arena random --against random --out x": "is given twice",
        "arena random eva:2018 --out four.csv": "four.csv is a file; choose a",
        "arena random eva:2018 --out four.csv/x": "Not a directory",
        "arena --resume nowhere": "nowhere is not an arena of hsevo",
        "arena random --resume nowhere": "random can't be combined with --resume",
        "arena --resume nowhere --max-turns 3": "--max-turns can't be combined with --resume",
        "match mage random": "'mage' is a deck, but an agent is expected, such as eva:2018;",
        "examine mage": "match, arena and benchmark also accept AGENT@DECK",
        "examine random@mage": "give decks as a setting (--decks,",
        "match random@mage@warrior random": "names two decks, mage and warrior; give one",
        "match random@ random": "'random@' has no deck after its @",
        "match random@maeg random": "no deck 'maeg'; did you mean 'mage'?",
        "match random@mage random@mage": "is given twice; an agent scores 50 % against itself",
        "arena random@mage random --crosstab deck": "'deck' is not one of",
        "match random@mage random@warrior --decks shaman": "leave decks out",
    },
}
# Settings of a config, and what is said of them.
SETTINGS: dict[str, dict[tuple[str, ...], str]] = {
    "evolve --config smoke --out new": {
        ("agent.evolve=[HHRR]",):
            "agent.evolve names 'HHRR', which is not a weight of 'eva'; did you",
        ("agent.base=eva:2081",):
            "agent.base is 'eva:2081', which is not in the roster; did you mean",
        ("agent.base=gsv",):
            "agent.base is 'gsv', whose weights do not fit 'eva'; use one of eva:20",
        ("agent.evolve=[HHR]", "evolution.strategy=cma-es", "evolution.lambda=9"):
            "has one weight, and cma-es needs two",
        ("rating.opponents={agents: [eva:2081]}",): "eva:2018",
        ("rating.opponents={agents: [random], decks: [maage]}",): "no deck 'maage'",
        ("rating.opponents={agents: [random, 'eva:runs/none'], mixture: nash}", "rating.shares={}"):
            "eva:runs/none",
        ("rating.opponents={agents: [random, 'gsv?depth=2'], mixture: nash}", "rating.shares={}"):
            "nash takes agents of panel-2026, and 'gsv?depth=2' is not one of them",
        ("rating.shares={coevolution: 0}",): "rating: shares.coevolution is 0, but the first",
        ("rating.shares={coevolution: 0, hall_of_fame: 0, opponents: 0}",):
            "needs other opponents",
        ("rating.hall_of_fame=2", "rating.shares={hall_of_fame: 0}"):
            "shares.hall_of_fame is 0, so",
        ("rating.opponents={agents: [random], mixture: nash}",):
            "opponents.mixture nash needs shares",
        ("rating.racing={rounds: 2}", "rating.shares={}"): "racing and shares can't be combined",
        ("evolution.strategy=ga", "evolution.elites=4"):
            "elites is 4, but must be less than mu (4)",
        ("evolution.strategy=ga", "evolution.mu=9"): "lambda is 4, but must be at least 9 with",
        ("evolution.selection=[rnak]",): "did you mean 'rank'?",
        ("evolution.selection=[]",): "must name at least one",
        ("agent={kind: gsv, evlove: [x]}",): "did you mean 'agent.evolve'?",
        ("agent.genome=decks",): "did you mean 'deck'?",
    },
    "evolve --config smoke --out new --set evolution.strategy=cma-me --set evolution.lambda=8 "
    "--set evolution.emitters=2 --set 'rating.shares={coevolution: 0}' --set "
    "rating.opponents.agents=[random]": {
        ("rating.shares=null",): "only fixed opponents may count",
        ("rating.hall_of_fame=2",): "only fixed opponents may count",
        ("evolution.lambda=9",): "lambda is 9, but must be a multiple of emitters (2)",
        ("evolution.features=[hand, hand]",): "must name each once; 'hand' is given twice",
        ("evolution.ranges=[[1, 1], [0, 2]]",): "ranges must be two pairs",
        ("evolution.features=[hand, mana]",): "mana",
        ("rating.common_random_numbers=true", "games=2", "confirm.games=3"): "confirm.games is 3",
        ("agent.evolve=[HHR]",): "has one weight, and cma-me needs two",
    },
}


def wrong(words: list[str], says: str, here: Path) -> list[str]:
    """Return what a command says, unless it is one line that says so and nothing is left of it."""
    before = {path.name for path in here.iterdir()}
    said = fails(*words)
    right = says in said and said.count("\n") == 1 and before == {
        path.name for path in here.iterdir()}
    return [] if right else [f"{shlex.join(words)} says {said}"]


@pytest.mark.usefixtures("fake_engine")
@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_is_one_line_and_leaves_nothing(command: str, here: Path) -> None:
    (here / "few.txt").write_text("2x Fireball\nWisp\n")
    write_weights(here / "four.csv", list("abcd"), np.zeros((4, 21)))
    (here / "there").mkdir()
    (here / "there" / "file").write_text("x")
    (here / "tiny.yaml").write_text(TINY)
    assert [said for words, says in MISTAKES[command].items()
            for said in wrong([*shlex.split(command), *shlex.split(words)], says, here)] == []


@pytest.mark.parametrize("command", SETTINGS)
def test_a_setting_that_makes_no_sense_is_one_line(command: str, here: Path) -> None:
    assert [said for settings, says in SETTINGS[command].items()
            for said in wrong([*shlex.split(command), *(
                word for one in settings for word in ("--set", one))], says, here)] == []
