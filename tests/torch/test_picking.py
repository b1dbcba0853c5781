"""PH: the stage that picks a hero, by numbers worked out by hand, and as it learns."""


import numpy as np
import pytest
import torch

import hsevo
from hsevo.cards.decks import read_deck
from hsevo.cards.terms import Class
from hsevo.errors import ConfigError
from hsevo.learning.acting.actor import CLASS
from hsevo.learning.end_to_end.learner import SERIAL, Learner, draw_decks
from hsevo.learning.end_to_end.picking import Picker
from hsevo.learning.end_to_end.updates import batch_of, loss_of
from hsevo.play.workers import open_workers
from tests.torch.support import but, plan_of

MAGE, WARRIOR, HUNTER = (int(one) for one in (Class.MAGE, Class.WARRIOR, Class.HUNTER))
QUICK = plan_of(18, decks=["mage", "warrior", "midrange-hunter"], pick_hero=True)


@pytest.fixture
def picker():
    """Chances of 1/4 and 3/4, hunters out of the question."""
    made = Picker([WARRIOR, MAGE])
    with torch.no_grad():
        made.scores[sorted([MAGE, WARRIOR])[1]] = np.log(3)
    return made


def test_chances_values_and_entropies_by_hand(picker):
    low, high = sorted([MAGE, WARRIOR])
    assert picker.chances() == pytest.approx([0.25, 0.75])
    found, logs = picker.picked(np.array([0.0, 0.249, 0.251, 0.999]))
    assert found.tolist() == [low, low, high, high]
    assert np.exp(logs) == pytest.approx([0.25, 0.25, 0.75, 0.75])
    now = picker.review(torch.tensor([high, low, high]))
    assert now.log_policy.exp().tolist() == [pytest.approx([0.75, 0.25, 0.75])]
    assert now.value.shape == (1, 3)
    entropy = -(0.25 * np.log(0.25) + 0.75 * np.log(0.75))
    assert now.entropy.tolist() == [pytest.approx([entropy] * 3)]


def test_decks_are_of_the_classes_that_were_picked():
    decks = [read_deck(name) for name in QUICK.decks]
    heroes = np.array([[MAGE, HUNTER], [WARRIOR, WARRIOR], [HUNTER, MAGE]])
    dealt, seeds = draw_decks(decks, 3, 5, heroes)
    assert [[int(Class[deck.hero_class]) for deck in pair] for pair in dealt] == heroes.tolist()
    assert (seeds == draw_decks(decks, 3, 5)[1]).all()


def play_round(learner):
    with open_workers(SERIAL) as executor:
        return learner._play(3, executor)


@pytest.mark.parametrize("build", [False, True])
def test_a_trajectory_begins_with_the_pick_and_its_outcome_teaches_it(build):
    """On policy, with gamma 1, the only gradient of the policy is (outcome - value) grad log pi."""
    learner = Learner(but(QUICK, seed=3, build=build))
    played = play_round(learner)
    batch = batch_of(played.round, np.arange(len(played.round.lengths)), played.draft,
                     picks=played.picks)
    first = batch.observations[:len(batch.heroes.owners), CLASS].tolist()
    assert batch.heroes.owners.tolist() == first
    assert batch.heroes.logs.exp().tolist() == pytest.approx([1 / 3] * len(first))
    learner.network.zero_grad()
    hyper = QUICK.network.model_copy(update={"upgo": 0, "value": 0, "entropy": 0})
    lost = loss_of(learner.network, batch, hyper)
    lost.total.backward()
    outcome = batch.rewards.sum(0).numpy()
    steps = int(batch.valid.sum()) + batch.valid.shape[1] * (1 + 30 * build)
    expected = np.zeros(len(Class))
    for one, won in zip(batch.heroes.owners.tolist(), outcome, strict=True):
        for other in (MAGE, WARRIOR, HUNTER):
            expected[other] -= won * ((one == other) - 1 / 3) / steps
    assert learner.network.picker.scores.grad.numpy() == pytest.approx(expected, abs=1e-6)


def test_the_factor_counts_in_the_loss_alone():
    """What is logged as entropy stays; the total loses (factor - 1) times that of the picks."""
    learner = Learner(but(QUICK, seed=3))
    played = play_round(learner)
    batch = batch_of(played.round, np.arange(len(played.round.lengths)), picks=played.picks)
    plain = loss_of(learner.network, batch, QUICK.network)
    learner.network.picker.factor = 11.0
    found = loss_of(learner.network, batch, QUICK.network)
    assert found.entropy.item() == plain.entropy.item()
    n = len(batch.heroes.owners)
    extra = 10 * QUICK.network.entropy * np.log(3) * n / (int(batch.valid.sum()) + n)
    assert plain.total.item() - found.total.item() == pytest.approx(extra, rel=1e-3)


def test_a_run_has_the_chances_and_its_policy_plays(tmp_path):
    changes = {"decks": ["mage", "warrior"], "periods": 2, "rounds": 2, "games": 4,
               "network.pick_hero": True, "references.games": 4, "payoff_games": 0}
    run = hsevo.learn("end-to-end-smoke", out=tmp_path / "run", seed=1, changes=changes, workers=1)
    table = run.learning[["picks_mage", "picks_warrior"]]
    assert table.sum(axis=1).tolist() == pytest.approx([1, 1])
    assert table["picks_mage"].iloc[-1] != 0.5
    assert hsevo.match(run.agent(), "random", 40, decks=["mage"], seed=1).rate.value > 0.5
    assert run.verify(workers=1).problems == []
    hsevo.report(run, out=tmp_path / "report")
    assert "Heroes picked" in (tmp_path / "report/report.html").read_text()


def test_one_network_picks():
    with pytest.raises(ConfigError, match="set only one of them"):
        but(QUICK, isolate=True)
    with pytest.raises(ConfigError, match="hero_entropy is -1"):
        but(QUICK, hero_entropy=-1)
