"""The 21 weights: order, glossary, and the files that hold them."""

import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, ward

from hsevo.agents.genomes.weights import (
    EVA_2018,
    FORMATS,
    GLOSSARY,
    GROUPS_2018,
    NAMES,
    PROGRAM_ORDER,
    format_weights,
    from_program_order,
    read_weights,
    write_weights,
)
from hsevo.errors import AgentError, HsevoError, RunError
from tests.support import DATA

PUBLISHED = DATA / "published_2018.csv"  # ten final populations
PAPER = "HHR HAR BMHR BMAR BMA BMK BSR BMR MH MA MHC MHD MHDS MHI MHLS MHS MHT MHW MHP MR MM"
HEADER = ",".join(NAMES)
ONES = ",".join(["1"] * 21)


def test_names_stand_in_the_papers_order():
    assert " ".join(NAMES) == PAPER
    assert all(GLOSSARY.values())


def test_program_order_differs_in_the_last_three():
    assert PROGRAM_ORDER[:18] == NAMES[:18]
    assert PROGRAM_ORDER[18:] == ("MR", "MM", "MHP")


def test_eva_2018_is_turned_from_the_programs_order():
    deployed = dict(zip(NAMES, EVA_2018, strict=True))
    assert deployed["HHR"] == 0.569460712743
    assert deployed["MHLS"] == 0.870080107454
    assert (deployed["MHT"], deployed["MHW"]) == (0.42897762808, 1.0)
    assert (deployed["MR"], deployed["MM"], deployed["MHP"]) == (0.0, 0.583884736646, 0.0)


def test_groups_are_the_centres_of_the_published_solutions_four_clusters():
    weights = read_weights(PUBLISHED)[1]
    group = fcluster(ward(weights), 4, "maxclust")  # numbered in the order of the tree's leaves
    assert np.bincount(group).tolist() == [0, 10, 34, 22, 34]
    assert list(GROUPS_2018) == ["group-1", "group-2", "group-3", "group-4"]
    for number, centre in enumerate(GROUPS_2018.values(), start=1):
        assert np.abs(centre - weights[group == number].mean(axis=0)).max() < 1e-12


def test_the_programs_order_is_turned_into_the_papers():
    vectors = np.arange(42.0).reshape(2, 21)
    assert from_program_order(vectors).tolist() == [
        [*range(18), 20, 18, 19], [*range(21, 39), 41, 39, 40]]


def test_published_populations_are_100_agents():
    names, weights = read_weights(PUBLISHED)
    assert weights.shape == (100, 21)
    assert len(set(names)) == 100
    assert names[0] == "run-1-rank-0"
    assert weights[0, NAMES.index("HHR")] == 0.7063181776504128
    assert weights[0, NAMES.index("MR")] == 0.3989485906128659


name = st.text(string.ascii_letters + string.digits + "-_ é,:#\"'{", min_size=1, max_size=9)
names = st.lists(name.map(lambda text: text.strip(" -")).filter(bool), min_size=1, max_size=4,
                 unique=True)
weight = st.floats(0, 1)


@given(names=names, data=st.data(), suffix=st.sampled_from([".csv", ".yaml", ".txt"]))
def test_every_format_keeps_every_bit(tmp_path_factory, names, data, suffix):
    row = st.lists(weight, min_size=21, max_size=21)
    weights = np.array(data.draw(st.lists(row, min_size=len(names), max_size=len(names))))
    path = tmp_path_factory.mktemp("weights") / f"agents{suffix}"
    write_weights(path, names, weights)
    read_names, read = read_weights(path)
    assert np.array_equal(read, weights)
    if suffix != ".txt":
        assert list(read_names) == names


def test_hash_string_is_read_as_it_is_and_from_a_file(tmp_path):
    text = format_weights("sabberstone", ["EVA"], EVA_2018[None])
    assert text.startswith("0.569460712743#0.958111820041#")
    assert text.endswith("#0.0#0.583884736646#0.0\n")
    (tmp_path / "eva.txt").write_text(text)
    for source in (text.strip(), tmp_path / "eva.txt"):
        assert np.array_equal(read_weights(source)[1][0], EVA_2018)


def test_yaml_may_hold_one_agent_alone(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("\n".join(f"{name}: {i / 100}" for i, name in enumerate(NAMES)))
    names, weights = read_weights(path)
    assert names == ("mine",)
    assert weights[0].tolist() == [i / 100 for i in range(21)]


def test_csv_of_a_spreadsheet_is_read(tmp_path):
    """Byte-order mark, columns in another order, blank lines, spaces after the commas."""
    path = tmp_path / "sheet.csv"
    header = ", ".join(["agent", *reversed(NAMES)])
    path.write_text(f"\ufeff{header}\r\n\r\nmine, {', '.join(map(str, [0.5] + [1] * 20))}\r\n")
    names, weights = read_weights(path)
    assert names == ("mine",)
    assert weights[0].tolist() == [1.0] * 20 + [0.5]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "columns HHR, HAR"),
        (HEADER + "\n", "has no agent"),
        (HEADER.replace("MHP", "MPH") + "\n" + ONES, "'MHP' is missing; did you mean 'MPH'?"),
        (HEADER + ",HHR\n" + ONES + ",1", "column 'HHR' is given twice"),
        (HEADER + "\n" + ONES + ",1", "agent 1 has 22 fields"),
        (HEADER + "\n" + ONES + "\n" + ONES.replace("1", "1.5", 1), "agent 2: HHR is '1.5'"),
        (HEADER + "\n" + ONES.replace("1", "-0.1", 1), "HHR is '-0.1'"),
        (HEADER + "\n" + ONES.replace("1", "nan", 1), "HHR is 'nan'"),
        (HEADER + "\n" + ONES.replace("1", "", 1), "HHR is ''"),
        (HEADER + "\n" + ONES.replace("1", "many", 1), "must be a number from 0 to 1"),
        ("agent," + HEADER + f"\na,{ONES}\na,{ONES}", "2 agents are called 'a'"),
        (HEADER + '\n"' + ONES, "is not a CSV file"),
    ],
)
def test_bad_csv_gets_one_clear_line(tmp_path, text, says):
    path = tmp_path / "agents.csv"
    path.write_text(text)
    with pytest.raises(AgentError) as caught:
        read_weights(path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def block(skip: str = "", **extra: object) -> str:
    weights = {name: 0.5 for name in NAMES if name != skip} | extra
    return "{" + ", ".join(f"{name}: {value}" for name, value in weights.items()) + "}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"a: {block(skip='MM')}", "agent 'a': weight 'MM' is missing"),
        (f"a: {block(MMM=1)}", "unknown weight 'MMM'; did you mean 'MM'?"),
        (f"a: {block(MM='true')}", "MM is True"),
        (f"a: {block(MM='[1]')}", "MM is [1]"),
        (f"a: {block()}\nb: 3", "'b' must have the 21 weights, but is 3"),
        (f"a: {block()}\na: {block()}", "is given twice"),
        ("a: {", "agents.yaml"),
    ],
)
def test_bad_yaml_gets_one_clear_line(tmp_path, text, says):
    path = tmp_path / "agents.yaml"
    path.write_text(text)
    with pytest.raises(HsevoError) as caught:
        read_weights(path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_bad_sources_get_one_clear_line(tmp_path):
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00\x01")
    for source, says in [
        ("0.1#0.2", "has 2 numbers between '#', not 21"),
        (tmp_path / "binary.csv", "is not a text file"),
        (tmp_path / "missing.csv", "cannot read"),
        (tmp_path, "the name of an agent file must end in .csv"),
        ("agents.xlsx", "the name of an agent file must end in .csv"),
    ]:
        with pytest.raises(AgentError) as caught:
            read_weights(source)
        assert says in str(caught.value)


def test_bad_targets_get_one_clear_line(tmp_path):
    with pytest.raises(RunError, match="cannot write"):
        write_weights(tmp_path / "no" / "folder.csv", ["a"], EVA_2018[None])
    with pytest.raises(AgentError, match=r"end in \.csv"):
        write_weights(tmp_path / "a.json", ["a"], EVA_2018[None])
    with pytest.raises(AgentError, match="did you mean 'sabberstone'"):
        format_weights("saberstone", ["a"], EVA_2018[None])
    assert set(FORMATS) == {"csv", "yaml", "sabberstone"}
