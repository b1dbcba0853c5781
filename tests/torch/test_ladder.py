"""Table I: each rung of the ladder learns, and is what it says; players of a ladder meet."""

from pathlib import Path

import numpy as np
import pytest
import torch
import yaml

import hsevo
from hsevo.learning.end_to_end.learner import Learner
from hsevo.learning.ladders import load_ladder, plans_of
from tests.torch.support import TINY, but

PLANS = plans_of(load_ladder("table-1"))


@pytest.mark.parametrize("rung", PLANS)
def test_each_rung_learns(rung):
    """A round of a few games changes all that chose, and all losses are finite.

    Weights, not biases: a constant that is added to all scores changes no softmax.
    """
    learner = Learner(but(PLANS[rung], games=1, updates=1, embedding=5, width=6, lstm=5, seed=5))
    before = {name: part.clone() for name, part in learner.network.state_dict().items()}
    report = learner.round()
    assert np.isfinite(report[5:10]).all()
    after = learner.network.state_dict()
    heads = [name for name in after
             if name.endswith(("what.score.weight", "value.0.weight", "value.2.weight"))]
    assert len(heads) >= 2
    assert {name for name in heads if torch.equal(before[name], after[name])} == set()


def test_rungs_are_what_the_paper_says():
    """Each has what those before it have, too."""
    rungs = {rung: plan.network for rung, plan in PLANS.items()}
    assert [one.discount for one in rungs.values()] == [0.99, 1, 1, 1, 1, 1]
    assert [one.random_cards for one in rungs.values()] == [False, True, True, True, True, True]
    forms = [(one.gradient, one.trace_bounds) for one in rungs.values()]
    assert forms == 3 * [("vtrace", (0.0, 1.0))] + 3 * [("ppo", (0.001, 1.007))]
    assert [one.isolate for one in rungs.values()] == 4 * [False] + 2 * [True]
    assert [one.opponent_deck for one in rungs.values()] == 5 * ["hidden"] + ["peek"]
    assert all(one.build for one in rungs.values())


def test_players_meet_at_the_temperature_of_the_ladder(tmp_path):
    few = TINY | {"decks": ["mage", "warrior"], "periods": 1, "rounds": 1, "games": 4,
                  "network.updates": 1, "references.against": []}
    ladder = {"config": "table-1", "rungs": {"one": few, "two": {"network.isolate": True}},
              "seeds": [3], "games": 8, "against": ["random"], "games_against": 8,
              "temperature": 0}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(ladder, sort_keys=False))
    found = hsevo.ladder(tmp_path / "mine.yaml", out=tmp_path / "new", workers=1)
    assert found.steps["changes"].tolist() == ["network.isolate=true"]
    assert found.pairs["games"].tolist() == [8, 8, 8]
    seed = int(found.pairs["seed"].iloc[0])
    specs = [f"rl:{tmp_path}/new/players/{rung}-seed-3?temperature=0" for rung in ("two", "one")]
    again = hsevo.match(*specs, 8, decks=["mage", "warrior"], seed=seed, workers=1)
    assert again.rate.value == found.pairs["rate"].iloc[0]
    assert Path(tmp_path / "new" / "matrix.png").exists()
