"""Commands show agents by short names, say once where they are, and keep whole specs in data."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hsevo as public
from hsevo.agents.genomes.weights import write_weights
from hsevo.reports import arenas, standings
from tests.support.command import hsevo

FEW = ("--games", 4, "--decks", "mage", "--backend", "serial")


@pytest.fixture
def far(here: Path) -> Path:
    """Return a folder with two files of one name, far away from where commands are called."""
    for i, name in enumerate(("one", "two")):
        (here / "far" / name).mkdir(parents=True)
        write_weights(here / "far" / name / "best.csv", ["x"], np.full((1, 21), 0.5 + i / 4))
    return here.resolve() / "far"


def test_a_match(far: Path) -> None:
    specs = [f"eva:{far}/{name}/best.csv" for name in ("one", "two")]
    lines = hsevo("match", *specs, *FEW, "--crosstab", "agents", "--out", "m").stdout.splitlines()
    short = ["eva:one/best.csv", "eva:two/best.csv"]
    assert lines[1].startswith(f"{short[0]} against {short[1]}: 4 games")
    assert [line.strip() for line in lines if str(far) in line] == [
        f"{name}: {spec}" for name, spec in zip(short, specs, strict=True)]
    assert lines[-4].split() == ["agent", *short]
    assert {*pd.read_csv("m/games.csv")["a"]} == {*specs}
    said = json.loads(hsevo("match", *specs, *FEW, "--json").stdout)
    assert said["agents"] == specs
    result = public.match(*specs, games=4, decks=["mage"])
    assert result.names == tuple(specs)
    assert str(far) not in repr(result)
    assert repr(result).startswith(short[0])


def test_an_arena_and_its_report(far: Path) -> None:
    specs = [f"eva:{far}/one/best.csv#x", "random", "gsv?depth=1&nodes=100000"]
    said = hsevo("arena", *specs, *FEW, "--crosstab", "agents", "--out", "a").stdout
    assert said.count(str(far)) == 1
    assert f"\neva:best.csv#x: {specs[0]}\n" in said
    assert {"eva:best.csv#x", "random", "gsv?depth=1"} <= {*said.split()}
    assert sorted(pd.read_csv("a/ratings.csv")["agent"]) == sorted(specs)
    assert "nodes" not in repr(public.resume_arena("a"))
    (section,) = standings.ARENAS.sections(standings.topics([arenas.read(Path("a"))], {}, {}))
    first = section.exhibits[0]
    assert first.terms == {"eva:best.csv#x": specs[0], "gsv?depth=1": specs[2]}
    assert first.on_page is not None
    assert {one.removesuffix(standings.MARK) for one in first.on_page["agent"]} == {
        "eva:best.csv#x", "random", "gsv?depth=1"}
    assert sorted(first.table["agent"]) == sorted(specs)
    hsevo("report", "--arena", "a", "--out", "r")
    page = Path("r/report.html").read_text(encoding="utf-8")
    assert f"<dt>eva:best.csv#x</dt><dd>{specs[0]}</dd>" in page


def test_an_examination(far: Path) -> None:
    spec = f"eva:{far}/two/best.csv"
    said = hsevo("examine", spec, "--against", f"eva:{far}/one/best.csv", "--games", 2,
                 "--style-games", 2, "--decks", "mage", "--backend", "serial", "--out", "e").stdout
    assert said.startswith("eva:two/best.csv against eva:one/best.csv: 2 games of each variant")
    assert f"\neva:two/best.csv: {spec}\n" in said
    hsevo("report", "--examined", "e", "--out", "r")
    page = Path("r/report.html").read_text(encoding="utf-8")
    assert f'<strong title="{spec}">eva:best.csv</strong>' in page


def test_who_is_in_runs_needs_no_line(far: Path) -> None:
    (far / "one").rename(far.parent / "runs")
    said = hsevo("match", "eva:runs/best.csv", "random", *FEW).stdout
    assert "eva:runs/best.csv against random" in said
    assert said.count("runs/") == 2  # in the answer, and before the numbers
    name = said.splitlines()[1].partition(" against ")[0]
    assert hsevo("match", name, "random", *FEW).stdout == said
