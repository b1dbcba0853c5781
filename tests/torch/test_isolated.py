"""Hero isolation: each class is played and reviewed by a network of its own."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from hsevo.cards.decks import read_deck
from hsevo.cards.terms import Class
from hsevo.learning.end_to_end.isolated import CLASS, Isolated
from hsevo.learning.end_to_end.learner import Learner, Settings, draw_decks
from hsevo.learning.end_to_end.network import NetSettings, Network
from hsevo.learning.end_to_end.rounds import Round, play
from hsevo.play.games import Games

TINY = NetSettings(embedding=5, width=8, lstm=7)
QUICK = Settings(decks=("mage", "warrior"), games=8, period=1, parts=2, net=TINY, isolate=True)


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
    games = Games.new(*zip(*dealt, strict=True), seeds)
    return play(games, [isolated], np.zeros((12, 2), int), seeds, record=0)


def test_review_agrees_with_play(isolated, played):
    """Step by step and in packed order, with both classes in every batch."""
    batch = played.batch(np.arange(24))
    with torch.no_grad():
        now = isolated.review(*batch[:3], batch.alive)
    assert batch.grid(now.log_policy).numpy() == pytest.approx(
        batch.log_behaviour.numpy(), abs=1e-5)


def test_each_class_has_its_network(isolated, played):
    starts = np.cumsum(played.lengths) - played.lengths
    classes = played.observations[starts, CLASS]
    assert set(classes) == {Class.MAGE, Class.WARRIOR}
    for one in (Class.MAGE, Class.WARRIOR):
        batch = played.batch(np.flatnonzero(classes == one))
        with torch.no_grad():
            all_, alone = (network.review(*batch[:3], batch.alive) for network in (
                isolated, isolated.networks[str(int(one))]))
            others = isolated.networks[str(int(Class.MAGE + Class.WARRIOR - one))].review(
                *batch[:3], batch.alive)
        assert all(torch.equal(a, b) for a, b in zip(all_, alone, strict=True))
        assert not torch.allclose(all_.value, others.value)


def test_a_replaced_hero_is_still_played_by_the_same_network(isolated, played):
    """Its class changes in the middle of the game; the memory says which network plays."""
    seen = torch.from_numpy(played.observations[:1])
    legal = torch.from_numpy(played.legal[:1].astype(np.int64))
    draws = torch.full((1, 3), 0.5)
    changed = seen.clone()
    changed[:, CLASS] = int(Class.WARLOCK)
    with torch.no_grad():
        first = isolated.act(seen, legal, isolated.start(1), draws)
        _, choice, memory = isolated.act(changed, legal, first[2], draws)
        own = isolated.networks[str(int(seen[0, CLASS]))]
        expected = own.act(changed, legal, first[2][:2], draws)[1]
    assert torch.equal(choice.value, expected.value)
    assert memory[2].tolist() == [int(seen[0, CLASS])]


def test_one_class_alone_is_as_without_isolation():
    """With one deck, the only network plays and learns as if it were not isolated."""
    one, other = (Learner(replace(QUICK, decks=("mage",), isolate=isolate), 3)
                  for isolate in (True, False))
    assert repr(one.round()) == repr(other.round())
