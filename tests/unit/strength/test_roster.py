"""Agents by name: what a spec means, and what is said about one that means nothing."""


import numpy as np
import pytest

from hsevo.agents.genomes.weights import EVA_2018, read_weights, write_weights
from hsevo.agents.learned import nets
from hsevo.agents.registry import EVOLVED, ROSTER
from hsevo.agents.shared import agent
from hsevo.cards.decks import read_deck
from hsevo.errors import AgentError
from hsevo.play import match
from hsevo.strength.roster import read_agent, read_agents
from tests.support import DATA

DECKS = tuple(read_deck(name) for name in ("warrior", "shaman", "mage"))
PUBLISHED = DATA / "published_2018.csv"


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


@pytest.mark.parametrize("learner", ["", "learner: {method: td}\n", "learner: {method: ppo}\n",
                                     "learner: {method: mmd}\n"])
def test_a_policy_without_chances_cannot_search(learner, tmp_path):
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "about.json").write_text('{"kind": "hsevo learning run"}')
    (tmp_path / "config.yaml").write_text(f"name: mine\n{learner}")
    net = tmp_path / "checkpoints" / "period-0000.npz"
    net.write_bytes((nets.FOLDER / "2026.npz").read_bytes())
    copied = tmp_path / "copied.npz"
    copied.write_bytes(net.read_bytes())
    for source in (tmp_path, f"{tmp_path}#period-0000", net, copied):
        read_agent(f"rl:{source}")
        for search in ("turn", "reply", "tree"):
            spec = f"rl:{source}?search={search}"
            if source == copied or ("ppo" not in learner and "mmd" not in learner):
                assert read_agent(spec)["budget"].any()
                continue
            with pytest.raises(AgentError, match="can't search: it learned with learner.method"
                               r" (ppo|mmd), so its network is a policy .*; write rl:[^?]+, or"
                               ) as error:
                read_agent(spec)
            assert "\n" not in str(error.value)


def test_names_are_the_specs():
    names, made = read_agents(["eva:2018", "random"])
    assert names == ("eva:2018", "random")
    assert made["kind"].tolist() == [agent.EVA, agent.RANDOM]


@pytest.mark.parametrize(("spec", "said"), [
    ("rondom", "unknown agent 'rondom'; did you mean 'random'?; `hsevo agents` lists the"),
    ("what", "eva:RUN, eva:FILE#NAME, rl:RUN and py:FILE.py#NAME"),
    ("eva", "'eva' is an agent family: write 'eva:2018' ('eva:group-1', 'eva:group-2',"
            " 'eva:group-3', 'eva:group-4'), 'eva:RUN' for the best of a run, or 'eva:FILE#NAME'"),
    ("eva:", "'eva' is an agent family: write 'eva:2018' "),
    ("dl?depth=2", "'dl' is an agent family: write 'dl:heimbrodt' ('dl:miller'), 'dl:RUN'"),
    ("gsv:", "'gsv' is an agent family: write 'gsv', 'gsv:RUN'"),
    ("tyche", "'tyche' is an incomplete name: write 'tyche:onestep' or 'tyche:mc'"),
    (f"{PUBLISHED}", "lacks an agent family: write 'eva:"),
    ("x" * 999, "unknown agent 'xxx"),
    ("random?x=1", "agent 'random' has no option 'x'"),
    ("gsv?depth=" + 900 * "9", "...', but must be a whole number from 1 to 15"),
    (f"gsv:{PUBLISHED}?dept=2", "agent 'gsv' has no option 'dept'; did you mean 'depth'?"),
    ("eva:turn:some.yaml?nods=3", "agent 'eva:turn' has no option 'nods'; did you mean 'nodes'?"),
    ("rl:runs/l1?temprature=1", "agent 'rl' has no option 'temprature'; did you mean 'temperat"),
    ("rl:what?", "there is no file or run folder what?"),
    ("eva:nowhere.csv", "there is no file or run folder nowhere.csv"),
    (f"eva:{PUBLISHED}", "must name an agent of"),
    (f"eva:{PUBLISHED}#run-1-rnk-0", "did you mean 'run-1-rank-0'?"),
])  # fmt: skip
def test_what_is_wrong_with_a_spec_is_said(spec, said):
    with pytest.raises(AgentError) as error:
        read_agent(spec)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", [kind for kind in EVOLVED if kind not in ROSTER])
def test_a_kind_without_an_agent_of_its_name_says_what_to_write(kind):
    with pytest.raises(AgentError, match=f"^'{kind}' is an agent family: write '{kind}:"):
        read_agent(kind)


def test_an_agent_is_given_once():
    with pytest.raises(AgentError, match="agent 'random' is given twice"):
        read_agents(["random", "random"])


@pytest.mark.parametrize("information", ["fair", "leaky"])
def test_no_agent_carries_anything_from_one_game_to_the_next(information):
    """Trees, tables and rooms are shared by the games of a block; its cut must not matter."""
    few = {"mcts:vanilla": "?iterations=12&rollouts=1", "tyche:mc": "?episodes=40",
           "mcts:knowledge": "?iterations=12&rollouts=1", "hearthsim": "?nodes=60",
           "mcts:alvaro": "?iterations=12"}
    made = read_agents([name + few.get(name, "") for name in ROSTER])[1]
    n = np.arange(len(made))
    rows = np.zeros(len(n), match.PAIRING)
    rows["a"], rows["b"], rows["games"], rows["seed"] = n, (5 * n + 3) % len(n), 2, 77 * n
    rows["deck_a"], rows["deck_b"] = n % 3, n // 3 % 3
    setting = match.Setting(decks=DECKS, information=information)
    whole = match.play_block(rows, made, setting)
    back = match.play_block(rows[::-1], made, setting)[::-1]
    alone = [match.play_block(rows[i : i + 1], made, setting) for i in n]
    assert np.array_equal(whole, back)
    assert np.array_equal(whole, np.concatenate(alone))
    assert whole["faults"].sum() == 0
