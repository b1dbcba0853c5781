"""The example that measures what settings of learning are worth: statistics and settings."""

import runpy
import sys

import pandas as pd
import pytest

from hsevo import config
from hsevo.config import change
from hsevo.config.learning import Plan
from hsevo.strength.rating import Estimate
from tests.support import ROOT

sys.path.insert(0, str(ROOT / "examples"))  # as for a script: one imports the other
try:
    LADDER, WAYS, TARGETS = (
        runpy.run_path(str(ROOT / "examples" / f"{name}.py"))
        for name in ("learning_ladder", "ways_to_learn", "targets_to_learn"))
finally:
    sys.path.pop(0)


# Each config of the example: its label, the config that it starts from, and what it changes.
STEPS = {
    "osfp-smoke": ("32 games", "osfp-smoke", ()),
    "osfp-ladder-discount": ("discount 0.99", "osfp-smoke",
                             ("games=64", "rounds=4", "learner.discount=0.99")),
    "osfp-ladder-64-games": ("64 games", "osfp-smoke", ("games=64", "rounds=4")),
    "osfp-ladder-16-games": ("16 games", "osfp-smoke", ("games=16", "rounds=16")),
    "osfp-ladder-self-play": ("self-play", "osfp-smoke", ("osfp.self_play=1",)),
    "osfp-ladder-trace-0": ("lambda 0", "osfp-smoke", ("learner.trace=0",)),
    "osfp-ladder-trace-1": ("lambda 1", "osfp-smoke", ("learner.trace=1",)),
}


def test_a_mean_of_players_is_over_their_seeds():
    """0.5, 0.6, 0.7: Student's t(2) = 4.303 times 0.1 / sqrt(3) is 0.248 on either side."""
    rates = [Estimate(rate, 0.0, 1.0) for rate in (0.5, 0.6, 0.7)]
    assert LADDER["said"](LADDER["mean_of"](rates)) == "60.0 (35.2 to 84.8)"


def test_a_rate_of_a_rung_is_the_mean_of_its_pairs():
    specs = {"one": ["a", "b"], "other": ["c", "d"]}
    rates = {("a", "c"): 0.61, ("a", "d"): 0.63, ("b", "c"): 0.60, ("b", "d"): 0.64}
    rows = [(*pair, rate) for pair, rate in rates.items()]
    rows += [(theirs, ours, 1 - rate) for ours, theirs, rate in rows]
    lines = LADDER["rung_table"](pd.DataFrame(rows, columns=["agent", "opponent", "rate"]), specs)
    assert lines[0] == ["%", "one", "other"]
    assert (lines[1][1], lines[1][2].split()[0], lines[2][1].split()[0]) == ("50", "62.0", "38.0")


def test_all_rungs_play_as_many_games():
    plans = [config.load(name, model=Plan) for name in LADDER["RUNGS"].values()]
    assert {plan.periods * plan.rounds * plan.games_per_round for plan in plans} == {13_824}


def test_ways_to_learn_differ_in_method_and_opponents_alone():
    smoke = config.load("osfp-smoke", model=Plan)
    for name in WAYS["WAYS"].values():
        plan = config.load(name, model=Plan)
        assert change(plan, {"name": smoke.name, "learner.method": "td", "osfp.self_play": 0.6}
                      ) == smoke
    plans = [config.load(one, model=Plan) for one in ("osfp-small", "ppo-small", "mmd-small")]
    games = [plan.periods * plan.rounds * plan.games_per_round for plan in plans]
    assert len({*games}) == 1


def test_targets_to_learn_differ_in_targets_alone():
    (name, td), (same, expected) = TARGETS["WAYS"].values()
    assert name == same
    assert expected == td | {"learner.targets": "expected-sarsa"}
    for settings in TARGETS["SETTINGS"]:
        plans = [change(config.load(name, model=Plan), own | settings) for own in (td, expected)]
        assert change(plans[1], {"learner.targets": "td"}) == plans[0] != plans[1]
    assert len({str(settings) for settings in TARGETS["SETTINGS"]}) == 4 == len(WAYS["SETTINGS"])


@pytest.mark.parametrize("name", STEPS)
def test_a_step_changes_what_it_is_named_after_and_nothing_else(name):
    _, base, settings = STEPS[name]
    plan = config.load(name, model=Plan)
    assert plan == change(config.load(base, settings, model=Plan), {"name": name})
    for i in range(len(settings)):  # each setting has an effect
        others = settings[:i] + settings[i + 1:]
        assert plan != change(config.load(base, others, model=Plan), {"name": name})


def test_the_example_trains_all_steps():
    steps = {name: label for name, (label, *_) in STEPS.items()}
    assert {name for name in config.names("configs/learning") if "-ladder-" in name} < {*steps}
    trained = {config: label for label, config in LADDER["RUNGS"].items()}
    assert trained == steps
