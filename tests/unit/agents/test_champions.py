"""Champions: agents of the roster, with weights of their kind, and with what made them."""

import pytest

from hsevo.agents.genomes.champions import EvolvedAgent, champions, of_kind
from hsevo.agents.registry import KINDS, NET, ROSTER, kind_name
from hsevo.config import load
from hsevo.strength.roster import read_agent


def test_they_are_in_the_roster() -> None:
    assert list(champions()) == [name for name in ROSTER
                                 if name.endswith("2026") and kind_name(name) != NET]
    assert list(of_kind("eva:wide")) == ["2026", "nine-2026"]


@pytest.mark.parametrize(("name", "one"), champions().items())
def test_their_weights_are_within_their_genome(name: str, one: EvolvedAgent) -> None:
    genome = KINDS[str(kind_name(name))].genome
    assert genome
    assert sorted(one.weights) == sorted(genome.names)
    weights = ROSTER[name].weights
    assert dict(zip(genome.names, weights.tolist(), strict=True)) == one.weights
    assert ((genome.low <= weights) & (weights <= genome.high)).all()
    assert read_agent(name)["w"][0, :genome.size].tolist() == weights.tolist()


@pytest.mark.parametrize("one", champions().values(), ids=champions())
def test_it_says_how_they_were_made(one: EvolvedAgent) -> None:
    words = one.made["command"].split()
    settings = [words[i + 1] for i, word in enumerate(words) if word == "--set"]
    load(words[words.index("--config") + 1], settings)
    assert int(words[words.index("--seed") + 1]) >= 0
    assert set(one.made) == {"command", "best", "games", "version", "engine"}
