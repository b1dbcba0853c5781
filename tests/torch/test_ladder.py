"""Table I's switches: each rung of the ladder learns, and is what it says."""

import runpy
import sys
from dataclasses import replace
from itertools import chain

import numpy as np
import pandas as pd
import pytest
import torch

from hsevo.learning.acting.shapes import NetSettings
from hsevo.learning.end_to_end.learner import Learner
from hsevo.learning.end_to_end.train import settings_of_plan
from hsevo.learning.plan import load_plan
from tests.support import ROOT

sys.path.insert(0, str(ROOT / "examples"))  # as for a script: it imports another one
try:
    LADDER = runpy.run_path(str(ROOT / "examples" / "end_to_end_ladder.py"))
finally:
    sys.path.pop(0)
RUNGS = LADDER["RUNGS"]


def settings_of(rung):
    """Return the settings of a rung."""
    return settings_of_plan(plan_of(rung))


def plan_of(rung):
    """Return the plan of a rung."""
    return load_plan(RUNGS[rung])


@pytest.mark.parametrize("rung", RUNGS)
def test_each_rung_learns(rung):
    """A round of eight games changes all that chose, and all losses are finite."""
    learner = Learner(replace(settings_of(rung), games=8, parts=1, net=NetSettings(5, 6, 5)), 5)
    before = {name: part.clone() for name, part in learner.network.state_dict().items()}
    report = learner.round()
    assert np.isfinite(report[5:10]).all()
    after = learner.network.state_dict()
    heads = [name for name in after if ".bias" in name and ("what" in name or "value" in name)]
    heads += ["builder.query.weight"] * learner.settings.build
    assert len(heads) >= 2
    assert {name for name in heads if torch.equal(before[name], after[name])} == set()


def test_rungs_differ_in_what_they_say():
    base = settings_of("as it is")
    assert (base.isolate, base.build, base.opponent_deck) == (False, False, "hidden")
    assert (base.hyper.gamma, base.hyper.policy_form, base.hyper.c) == (1.0, "ppo", (0.001, 1.007))
    assert settings_of("discount 0.99").hyper.gamma == 0.99
    other = settings_of("no V-trace, no PPO").hyper
    assert (other.policy_form, other.c, other.rho) == ("importance", (0.0, 1.0), (0.0, 1.0))
    assert settings_of("a network each").isolate
    assert settings_of("deck known").opponent_deck == "known"
    assert settings_of("builds").random_cards
    assert settings_of("builds").build
    assert not settings_of("builds, no random-CB").random_cards


def test_all_rungs_learn_from_as_many_games_in_updates_of_the_same_size():
    plans = [plan_of(rung) for rung in RUNGS]
    assert {plan.periods * plan.rounds * plan.games_per_round for plan in plans} == {320}
    assert len({plan.games_per_round / plan.network.updates for plan in plans}) == 1


def test_tables_by_hand(tmp_path):
    """The first step's players won 60, 50 and 40 % against all three of the other rung."""
    specs = {rung: [f"{rung} {seed}" for seed in (1, 2, 3)] for rung in RUNGS}
    rates = {1: 0.6, 2: 0.5, 3: 0.4}
    rows = [{"a": one, "b": other, "games": 10, "rate": rates[int(one[-1])], "low": 0.3,
             "high": 0.7} for ours in specs.values() for one in ours
            for other in (*chain(*specs.values()), "random")]
    pd.DataFrame(rows).to_csv(tmp_path / "pairs.csv", index=False)
    matches = LADDER["Matches"](tmp_path / "pairs.csv")
    (head, first, *_) = LADDER["step_table"](matches, specs)
    # t(2) = 4.303 times 0.1 / sqrt(3)
    assert (head[1], first[1]) == ("%", "50.0 (25.2 to 74.8)")
    lines = LADDER["random_table"](matches, specs)
    assert lines[1] == ["as it is", "60.0 (30.0 to 70.0)", "50.0 (30.0 to 70.0)",
                        "40.0 (30.0 to 70.0)", "50.0 (25.2 to 74.8)"]
