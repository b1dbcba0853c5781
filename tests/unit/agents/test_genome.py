"""Genomes and the registry: what each builds, against records written down by hand."""

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hsevo.agents.genomes.champions import champions
from hsevo.agents.genomes.weights import EVA_2018, GROUPS_2018, format_weights, read_weights
from hsevo.agents.learned import nets
from hsevo.agents.learned.older import narrow
from hsevo.agents.registry import EVOLVED, KINDS, ROSTER, genome_of, kind_name
from hsevo.agents.shared import agent
from hsevo.errors import AgentError
from hsevo.runs.tables import POPULATION

HEIMBRODT = (21.5, -33.6, 41.1, -19.4, 54.0, 60.5, -88.5, -84.7, 1.0)
MILLER = (2.0, -3.0, 4.0, -6.0, 5.0, 6.0, -9.0, -8.0, 1.0)
GSV = (-43.0, -17.0, 0.214, -1.115, 3.572, 0.0, 1.181, 2.419, 3.0, 10.1, 7.1, 0.671, 15.71, 6.1,
       3.841, 1.281, 0.0, 2.0)  # fmt: skip
METASTONE = (1.0, 3.0, 2.0, 1.0, 1.0, 2.0, 0.5, 1.5, 1.0, 1.0, 1.0, 1.5)
SANTOS = (1.0457, 0.2058, 9.6557, 0.9407, 5.2249)
TYCHE = (4.0, 1.0, 0.5, 1.0, 0.5, 1.0)
NONE = (0.0,) * 30
# Of each agent of the roster: kind, budget, w, as agents.agent and the kinds' files have them.
# A name instead of w: that of a network.
RECORDS = {
    "random": (1, (), ()),
    "eva:2018": (0, (), EVA_2018),
    **{f"eva:{name}": (0, (), centre) for name, centre in GROUPS_2018.items()},
    "eva:wide": (10, (), EVA_2018),
    "eva:wide:2026": (10, (), [*champions()["eva:wide:2026"].weights.values()]),
    "eva:wide:nine-2026": (10, (), [*champions()["eva:wide:nine-2026"].weights.values()]),
    "eva:turn": (9, (0, 3, 300), EVA_2018),
    "eva:wide-turn": (11, (0, 3, 300), EVA_2018),
    "eva:reply": (9, (0, 8, 1000, 0, 4, 12), EVA_2018),
    "eva:wide-reply": (11, (0, 8, 1000, 0, 4, 12), EVA_2018),
    "eva:wide-reply:2026": (11, (0, 8, 1000, 0, 4, 12),
                            [*champions()["eva:wide-reply:2026"].weights.values()]),
    "noaggression": (2, (), ()),
    "greedy:metastone": (3, (0, 4), METASTONE),
    "greedy:santos": (3, (1,), SANTOS),
    "greedy:santos:exchanged": (3, (1,), (1.0457, 0.2058, 9.6557, 5.2249, 0.9407)),
    "tyche:onestep": (3, (2,), TYCHE),
    "tyche:mc": (4, (2, 200), TYCHE),
    "dl:heimbrodt": (5, (3, 0, 100_000), HEIMBRODT),
    "dl:miller": (5, (3, 0, 100_000), MILLER),
    "gsv": (6, (3, 3, 100_000), GSV),
    "hearthsim": (7, (3, 15, 1_000, 4), (1.0, 1.0, 1.0, 0.1, 0.1)),
    "mcts:vanilla": (8, (0, 60, 20, 0, 0, 0, 0, 0), (*METASTONE, *NONE[12:], 1.0, 0.0)),
    "mcts:knowledge": (8, (0, 60, 20, 75, 50, 0, 0, 0), (*METASTONE, *NONE[12:], 1.0, 1.0)),
    "mcts:alvaro": (8, (6, 200, 1, -1, -1, 6 << 8 | 1 << 3, 1),
                    (*EVA_2018, *NONE[21:], 2**0.5, 0.0)),
    "rl:2026": (12, (), "2026"),
    "rl:2027": (12, (), "2027"),
    "rl:ppo-2026": (12, (), "ppo-2026"),
    "rl:text-2026": (12, (), "text-2026"),
}


def defaults(spec: str) -> np.ndarray:
    """Return an agent of the roster with its defaults, AGENT (1,)."""
    weights, make = ROSTER[spec].set({})
    return make(weights[None])


@pytest.mark.parametrize("spec", ROSTER)
def test_the_roster_makes_the_records_of_its_sources(spec: str) -> None:
    kind, budget, w = RECORDS[spec]
    if isinstance(w, str):  # the first eight bytes of its SHA-256, as two whole numbers
        w = np.frombuffer(sha256(narrow(nets.network(w)).tobytes()).digest()[:8], "<u4").tolist()
    assert defaults(spec).tobytes() == agent.agent(kind, budget, w).tobytes()


@pytest.mark.parametrize("name", EVOLVED)
def test_a_default_vector_builds_the_first_variant(name: str) -> None:
    first = next(spec for spec in ROSTER if kind_name(spec) == name)
    built = genome_of(name).build(genome_of(name).default[None])
    assert built.tobytes() == defaults(first).tobytes()
    table = KINDS[name].genome
    assert table is not None
    assert table.build(table.default[None]).tobytes() == built.tobytes()


@pytest.mark.parametrize("name", EVOLVED)
def test_a_genome_is_sound(name: str) -> None:
    genome = genome_of(name)
    k = genome.size
    assert len(set(genome.names)) == k == len(genome.glossary)
    assert not set(genome.names) & {*POPULATION.names, "agent", "series", "run", "group"}
    assert {genome.low.shape, genome.high.shape, genome.default.shape, genome.scale.shape} == {(k,)}
    assert (genome.low <= genome.default).all()
    assert (genome.default <= genome.high).all()
    assert (genome.low < genome.high).all()
    assert (np.frexp(genome.scale)[0] == 0.5).all()  # powers of two
    width = genome.high - genome.low
    assert ((genome.scale / 2 < width) & (width <= genome.scale)).all()
    assert [name for _, names in genome.parts.values() for name in names] == [*genome.names]
    assert all(genome.glossary.values())
    for i in range(k):  # 0 can be tried: a landscape has a row without each weight
        assert 0 in [genome.at(step / 10)[i] for step in range(11)]
    assert set(genome.order) in (set(), set(genome.names))


@pytest.mark.parametrize("name", EVOLVED)
def test_every_number_changes_the_agent_and_agents_are_built_row_by_row(name: str) -> None:
    genome = genome_of(name)
    many = np.tile(genome.default, (genome.size + 1, 1))
    for i in range(genome.size):
        many[i, i] = genome.high[i] if genome.default[i] != genome.high[i] else genome.low[i]
    built = genome.build(many)
    assert built.dtype == agent.AGENT
    assert len({one.tobytes() for one in built}) == len(many)
    for row, one in zip(many, built, strict=True):
        assert genome.build(row[None])[0].tobytes() == one.tobytes()


@given(data=st.data(), name=st.sampled_from(EVOLVED))
def test_vectors_go_into_units_of_the_scale_and_back_without_losing_a_bit(
        data: st.DataObject, name: str) -> None:
    genome = genome_of(name)
    vector = np.array([data.draw(st.floats(low, high)) for low, high in
                       zip(genome.low.tolist(), genome.high.tolist(), strict=True)])
    normal = np.abs(vector) > 1e-300  # below, a quotient may be subnormal
    assert np.array_equal((vector / genome.scale * genome.scale)[normal], vector[normal])
    shares = genome.shares(vector)
    assert ((shares >= 0) & (shares <= 1)).all()


def test_options_of_a_kind_are_in_what_its_genome_builds() -> None:
    genome = genome_of("gsv?depth=2&nodes=50")
    assert genome.build(genome.default[None])["budget"][0].tolist() == [3, 2, 50, 0, 0, 0, 0, 0]
    assert genome.digest() != genome_of("gsv").digest()
    assert genome.digest() == genome_of("gsv?nodes=50&depth=2").digest()
    knowledge = genome_of("mcts:knowledge")
    odd = knowledge.default.copy()
    odd[2:] = 12.4, 99.6  # percentages are whole
    assert knowledge.build(odd[None])["budget"][0, 3:5].tolist() == [12, 100]


@pytest.mark.parametrize(("spec", "said"), [
    ("evo", "'evo' is not an agent family; did you mean 'eva'?; there are eva, eva:wide, "),
    ("random", "'random' has no weights that can evolve; "),
    ("noaggression", "'noaggression' has no weights that can evolve"),
    ("gsv?dept=2", "agent 'gsv' has no option 'dept'; did you mean 'depth'?"),
    ("gsv?depth=99", "depth of agent 'gsv' is '99', but must be a whole number from 1 to 15"),
    ("hearthsim?w_ds=1", "w_ds of agent 'hearthsim' is SHIELD of its genome, which evolves"),
])  # fmt: skip
def test_what_is_wrong_with_a_kind_is_said(spec: str, said: str) -> None:
    with pytest.raises(AgentError) as error:
        genome_of(spec)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_kinds_of_specs() -> None:
    kinds = {"eva:turn": "eva:turn", "eva:turn?nodes=9": "eva:turn", "eva:wide": "eva:wide",
             "eva:wide-turn:runs/mine": "eva:wide-turn", "eva:turns.csv": "eva",
             "eva:2018": "eva", "eva:runs/mine#x": "eva",
             "tyche:mc?episodes=3": "tyche:mc", "tyche:mc:runs/mine": "tyche:mc", "gsv": "gsv",
             "gsvx": None, "runs/eva:2018": None}
    assert {spec: kind_name(spec) for spec in kinds} == kinds


def test_files_of_another_genome_keep_every_bit(here: Path) -> None:
    genome = genome_of("gsv")
    vectors = np.random.default_rng(3).uniform(genome.low, genome.high, (4, genome.size))
    for kind in ("csv", "yaml"):
        text = format_weights(kind, ["a", "b", "c", "d"], vectors, genome)
        Path(f"four.{kind}").write_text(text)
        names, read = read_weights(f"four.{kind}", genome)
        assert names == ("a", "b", "c", "d")
        assert np.array_equal(read, vectors)
    with pytest.raises(AgentError, match="columns HHR, HAR"):
        read_weights("four.csv")
    with pytest.raises(AgentError, match="these agents have no format 'sabberstone'; known are"):
        format_weights("sabberstone", ["a"], vectors[:1], genome)
    Path("wrong.yaml").write_text("\n".join(
        f"{name}: {200 if name == 'RED' else 0}" for name in genome.names))
    with pytest.raises(AgentError, match="RED is 200, but must be a number from -128 to 128"):
        read_weights("wrong.yaml", genome)


# -- parts, and weights for each deck -------------------------------------------------------------


def test_a_part_keeps_the_other_weights_of_its_base() -> None:
    whole = genome_of("dl")
    base = np.arange(9.0) + 1
    part = whole.part(["OWN_MINIONS", "ARMOUR"], base)
    assert part.names == ("OWN_MINIONS", "ARMOUR")
    assert part.default.tolist() == [base[2], base[8]]
    assert (part.low[1], part.high[1]) == (0, 1)
    assert part.parts == {"position": ("a position", ("OWN_MINIONS", "ARMOUR"))}
    vectors = np.array([[50.0, 0.25], [60.0, 0.5]])
    full = [[1, 2, 50, 4, 5, 6, 7, 8, 0.25], [1, 2, 60, 4, 5, 6, 7, 8, 0.5]]
    assert part.complete(vectors).tolist() == full
    assert part.build(vectors).tobytes() == whole.build(np.array(full)).tobytes()
    assert part.whole is not None
    assert part.whole.names == whole.names
    assert np.array_equal(whole.complete(vectors), vectors)  # it is whole
    with pytest.raises(ValueError, match="not in tuple"):
        whole.part(["OWN"], base)


def test_each_deck_has_weights_of_its_own() -> None:
    """Two own decks of three: the third is only the opponents', and nobody sits there with it."""
    one = genome_of("dl").part(["OWN_HP", "ARMOUR"], np.arange(9.0))
    each = one.each(["a", "b"], ["a", "b", "c"], pairs=False)
    assert each.names == ("a.OWN_HP", "a.ARMOUR", "b.OWN_HP", "b.ARMOUR")
    assert each.default.tolist() == [0, 8, 0, 8]
    assert each.glossary["b.OWN_HP"] == one.glossary["OWN_HP"]
    assert list(each.parts) == ["a.position", "b.position"]
    built = each.build(np.array([[10, 0.1, 20, 0.2]]))
    assert built.shape == (1, 3, 3)
    assert built["w"][0, 0, :, 0].tolist() == [10] * 3
    assert built["w"][0, 1, :, 8].tolist() == [0.2] * 3
    whole = each.whole
    assert whole is not None
    assert whole.size == 18
    assert whole.build(each.complete(np.array([[10, 0.1, 20, 0.2]]))).tobytes() == built.tobytes()


def test_each_pair_of_decks_has_weights_of_its_own() -> None:
    one = genome_of("mcts:vanilla")
    each = one.each(["a", "b"], ["a", "b", "c"], pairs=True)
    assert each.names == ("a.a.C", "a.b.C", "a.c.C", "b.a.C", "b.b.C", "b.c.C")
    built = each.build(np.array([[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]]))
    assert built["w"][0, :2, :, 30].tolist() == [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]
