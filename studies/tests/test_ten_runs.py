"""Ten executions beside the published ten: intervals by hand, and pictures from what is stored."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import hsevo
from studies import ten_runs
from studies.ten_runs import (
    FIELDS,
    IMAGES,
    TESTS,
    VECTORS,
    WEIGHTS,
    across,
    by_execution,
    draw,
    mean_of,
    weights_table,
)
from tests.docs import figures

PEOPLE, STORED = pd.read_csv(VECTORS), pd.read_csv(TESTS)


def test_both_fields_are_ten_executions_of_ten() -> None:
    sizes = PEOPLE.groupby(["field", "execution"]).size()
    assert sizes.tolist() == [10] * 20
    assert PEOPLE["agent"].is_unique
    assert PEOPLE[WEIGHTS].stack().between(0, 1).all()
    published = PEOPLE[PEOPLE["field"] == "published"].reset_index(drop=True)
    source = pd.read_csv(ten_runs.PUBLISHED)
    assert published[WEIGHTS].equals(source[WEIGHTS])


def test_the_page_quotes_the_stored_weights() -> None:
    said = figures.quoted(figures.read())["ten-runs.weights"]
    assert said.strip() == "\n".join(ten_runs._weights_lines(PEOPLE))
    lines = list(ten_runs._group_lines(PEOPLE, STORED))
    quoted = figures.quoted(figures.read())
    for field in FIELDS:
        assert any(line.startswith(f"{field}, against-all: {quoted[f'ten-runs.all-{field}']}")
                   for line in lines)


@pytest.mark.parametrize("name", ["ten-weights", "ten-groups", *(
    f"ten-{kind}-{field}" for kind in ten_runs.KINDS for field in FIELDS)])
def test_pictures_are_drawn_from_what_is_stored(name: str) -> None:
    stored = (IMAGES / f"{name}.svg").read_text(encoding="utf-8")
    drawn = draw(PEOPLE, STORED)[name].svg.decode()
    made_by = re.search(r"Matplotlib v[\d.]+", stored)
    assert made_by
    if made_by[0] not in drawn:
        pytest.skip(f"it was drawn by {made_by[0]}, and another version places text elsewhere")
    assert drawn == stored


def test_the_mean_of_executions_by_hand() -> None:
    """1, 2, 3: deviation 1, t of 2 degrees of freedom 4.303, over the root of 3."""
    mean, half = mean_of([1, 2, 3])
    assert mean == 2
    assert half == pytest.approx(4.30265 / 3**0.5, abs=1e-4)


def test_executions_against_executions_by_hand() -> None:
    """Rows' means 0.4 and 0.6, columns' 0.5 and 0.5: variance 0.02 / 2, t of one degree 12.706."""
    rates = pd.DataFrame([(1, 1, 0.4), (1, 2, 0.4), (2, 1, 0.6), (2, 2, 0.6)],
                         columns=["execution", "against", "rate"])
    mean, half = across(rates)
    assert mean == pytest.approx(0.5)
    assert half == pytest.approx(12.7062 * 0.01**0.5, abs=1e-4)


def test_games_between_the_fields_alone_count() -> None:
    people = pd.DataFrame([("a", "here", 1), ("b", "here", 2), ("p", "published", 1)],
                          columns=["agent", "field", "execution"])
    matches = pd.DataFrame(
        [("a", "p", 3, 1, 4), ("a", "b", 4, 0, 4), ("p", "a", 0, 1, 4), ("b", "p", 1, 0, 4)],
        columns=["agent", "opponent", "wins", "draws", "games"])
    found = by_execution(matches, people, [])
    assert found.values.tolist() == [[1, 1, 0.875], [2, 1, 0.25]]


def test_weights_of_one_field_twice_do_not_differ() -> None:
    published = PEOPLE[PEOPLE["field"] == "published"]
    table = weights_table(pd.concat([published, published.assign(field="here")]))
    assert np.allclose(table["p"], 1)
    moved = published.assign(field="here", HHR=published["HHR"] + 2)
    table = weights_table(pd.concat([published, moved])).set_index("weight")
    # all 100 pairs one way, 50 expected: 49.5 of the root of 10 * 10 * 21 / 12 (normal, corrected)
    assert table.loc["HHR", "p"] == pytest.approx(2 * norm.sf(49.5 / 175**0.5))
    assert table["p"].drop("HHR").min() > 0.9


def test_a_run_of_another_size_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    few = {"evolution.generations": 1, "games": 2, "decks": ["mage"]}
    run = hsevo.evolve("smoke", changes=few, out=tmp_path / "run", backend="serial")
    with pytest.raises(SystemExit, match="has 1 generations and 1 executions"):
        ten_runs.refuse_others(run.path)
