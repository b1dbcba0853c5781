"""Records of agents that compiled code can take as they are."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from hsevo.agents.mcts import named, tree
from hsevo.agents.registry import KINDS, ROSTER, check_agents, genome_of
from hsevo.agents.shared import agent as agents
from hsevo.errors import AgentError
from hsevo.strength.roster import read_agent


@pytest.mark.parametrize("spec", [*ROSTER, "gsv?depth=15", "mcts:vanilla?iterations=4000",
                                  "mcts:knowledge?own=0&opponent=100", "hearthsim?samples=1000"])
def test_every_agent_that_can_be_named_is_fine(spec):
    check_agents(read_agent(spec))


@pytest.mark.parametrize("kind", [name for name, one in KINDS.items() if one.genome])
def test_so_is_all_that_a_genome_builds(kind):
    genome = genome_of(kind)
    check_agents(genome.build(np.array([genome.low, genome.high, genome.default])))


@pytest.mark.parametrize(("spec", "field", "place", "value"), [
    ("gsv", "kind", None, 99), ("gsv", "kind", None, -1), ("gsv", "budget", 1, 10_000),
    ("mcts:vanilla", "budget", 1, 40_000), ("mcts:vanilla", "budget", 2, -1),
    ("eva:2018", "w", 0, np.nan), ("tyche:mc", "budget", 0, 77)])
def test_what_would_leave_the_scratch_is_refused(spec, field, place, value):
    one = read_agent(spec)
    if place is None:
        one[field] = value
    else:
        one[field][0, place] = value
    with pytest.raises(AgentError):
        check_agents(one)


def test_a_genome_that_builds_otherwise_has_another_digest(monkeypatch):
    """Whole per cent were rounded, and are cut off: only numbers between tell."""
    genome = genome_of("mcts:knowledge")

    def cut(weights, bias, **options):
        rows = [[*row[:2], *map(int, row[2:])] for row in weights.tolist()]
        names = ("c", "bias", "own", "opponent")
        rules = {name: options.pop(name) for name in tree.FIELDS if name in options}
        return np.concatenate([named.mcts(named.NamedSearch(
            **options | dict(zip(names, row, strict=True))), form=bias, **rules) for row in rows])

    other = replace(genome, build=partial(cut, **genome.build.keywords))
    assert (other.build(genome.default[None]) == genome.build(genome.default[None])).all()
    assert other.digest() != genome.digest()
    assert agents.MCTS in agents.WITH_TREE


@pytest.mark.parametrize(("spec", "said"), [
    ("dl:miller", "'dl:miller' is not an agent family; write 'dl'; there are eva, "),
    ("evaa", "'evaa' is not an agent family; did you mean 'eva'?; there are eva, "),
    ("random", "'random' has no weights that can evolve; there are eva, ")])
def test_what_cannot_evolve_is_said(spec, said):
    with pytest.raises(AgentError) as error:
        genome_of(spec)
    assert str(error.value).startswith(said)
