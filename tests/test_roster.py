"""Agents by name: what a spec means, and what is said about one that means nothing."""

from pathlib import Path

import numpy as np
import pytest

from hsevo.agents import agent
from hsevo.agents.weights import EVA_2018, read_weights, write_weights
from hsevo.errors import AgentError
from hsevo.roster import ROSTER, read_agent, read_agents

PUBLISHED = Path(__file__).parent / "data" / "published_2018.csv"


@pytest.mark.parametrize("spec", ROSTER)
def test_every_entry_makes_one_agent_with_its_defaults(spec):
    made = read_agent(spec)
    assert made.shape == (1,)
    assert made.dtype == agent.AGENT
    assert ROSTER[spec].says


def test_entries_are_different_agents():
    made = [read_agent(spec).tobytes() for spec in ROSTER]
    assert len(set(made)) == len(made)


def test_evas_own_weights_are_the_deployed_ones():
    assert np.array_equal(read_agent("eva:2018")["w"][0, :21], EVA_2018)


def test_one_of_a_file(tmp_path):
    names, weights = read_weights(PUBLISHED)
    assert np.array_equal(read_agent(f"eva:{PUBLISHED}#{names[7]}")["w"][0, :21], weights[7])
    write_weights(tmp_path / "one.yaml", ["mine"], weights[:1])
    assert np.array_equal(read_agent(f"eva:{tmp_path}/one.yaml")["w"][0, :21], weights[0])


def test_names_are_the_specs():
    names, made = read_agents(["eva:2018", "random"])
    assert names == ("eva:2018", "random")
    assert made["kind"].tolist() == [agent.EVA, agent.RANDOM]


@pytest.mark.parametrize(("spec", "said"), [
    ("rondom", "unknown agent 'rondom'; did you mean 'random'?; there are random, "),
    ("random?x=1", "agent 'random' has no option 'x'"),
    ("eva:nowhere.csv", "there is no file or run folder nowhere.csv"),
    (f"eva:{PUBLISHED}", "must say which agent of"),
    (f"eva:{PUBLISHED}#run-1-rnk-0", "did you mean 'run-1-rank-0'?"),
])  # fmt: skip
def test_what_is_wrong_with_a_spec_is_said(spec, said):
    with pytest.raises(AgentError) as error:
        read_agent(spec)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_an_agent_is_given_once():
    with pytest.raises(AgentError, match="agent 'random' is given twice"):
        read_agents(["random", "random"])
