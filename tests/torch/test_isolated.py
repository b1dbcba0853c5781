"""Hero isolation: each class is played and reviewed by a network of its own."""


import numpy as np
import pytest
import torch

from hsevo.cards.decks import read_deck
from hsevo.cards.terms import Class
from hsevo.config.learning import NetworkSettings
from hsevo.learning.acting.actor import CLASS
from hsevo.learning.acting.rounds import Round, play
from hsevo.learning.end_to_end.learner import Learner, draw_decks
from hsevo.learning.end_to_end.network import Isolated, Network
from hsevo.learning.end_to_end.saved import actor_of
from hsevo.learning.end_to_end.updates import batch_of
from hsevo.play.games import GameBatch
from tests.torch.support import but, plan_of

TINY = NetworkSettings(embedding=5, width=8, lstm=7)
QUICK = plan_of(decks=["mage", "warrior"], isolate=True)


@pytest.fixture(scope="module")
def isolated() -> Isolated:
    """A mage's and a warrior's network with different parameters."""
    made = Isolated(Network(TINY), [Class.MAGE, Class.WARRIOR, Class.MAGE])
    with torch.no_grad():
        for parameter in made.networks[str(int(Class.WARRIOR))].parameters():
            parameter.mul_(-1.5)
    return made


@pytest.fixture(scope="module")
def played(isolated: Isolated) -> Round:
    decks = [read_deck(name) for name in ("mage", "warrior")]
    dealt, seeds = draw_decks(decks, 12, 5)
    games = GameBatch.new(*zip(*dealt, strict=True), seeds)
    return play(games, [actor_of(isolated)], np.zeros((12, 2), int), seeds, record=0)


def test_review_agrees_with_play(isolated, played):
    """Step by step and in packed order, with both classes in every batch."""
    batch = batch_of(played, np.arange(24))
    with torch.no_grad():
        now = isolated.review(*batch[:3], batch.alive)
    assert batch.grid(now.log_policy).numpy() == pytest.approx(
        batch.log_behaviour.numpy(), abs=1e-5)


def test_each_class_has_its_network(isolated, played):
    starts = np.cumsum(played.lengths) - played.lengths
    classes = played.observations[starts, CLASS]
    assert set(classes) == {Class.MAGE, Class.WARRIOR}
    for one in (Class.MAGE, Class.WARRIOR):
        batch = batch_of(played, np.flatnonzero(classes == one))
        with torch.no_grad():
            all_, alone = (network.review(*batch[:3], batch.alive) for network in (
                isolated, isolated.networks[str(int(one))]))
            others = isolated.networks[str(int(Class.MAGE + Class.WARRIOR - one))].review(
                *batch[:3], batch.alive)
        assert all(torch.equal(a, b) for a, b in zip(all_, alone, strict=True))
        assert not torch.allclose(all_.value, others.value)


def test_a_replaced_hero_is_still_played_by_the_same_network(isolated, played):
    """Its class changes in the middle of the game; the memory says which network plays."""
    seen, legal = played.observations[:1], played.legal[:1]
    changed = seen.copy()
    changed[:, CLASS] = int(Class.WARLOCK)
    actor, draws, player = actor_of(isolated), np.full((1, 3), 0.5), np.zeros(1, np.int64)
    own = actor_of(isolated.networks[str(int(seen[0, CLASS]))])
    memories = [one.start(1) for one in (actor, own)]
    for one, memory in zip((actor, own), memories, strict=True):
        one.act(seen, legal, memory, player, draws)
    found, expected = (one.act(changed, legal, memory, player, draws)
                       for one, memory in zip((actor, own), memories, strict=True))
    assert found[0].tolist() == expected[0].tolist()
    assert memories[0].h.tolist() == memories[1].h.tolist()
    assert memories[0].classes.tolist() == [int(seen[0, CLASS])]


def test_one_class_alone_is_as_without_isolation():
    """With one deck, the only network plays and learns as if it were not isolated."""
    one, other = (Learner(but(QUICK, seed=3, decks=["mage"], isolate=isolate))
                  for isolate in (True, False))
    assert repr(one.round()) == repr(other.round())
