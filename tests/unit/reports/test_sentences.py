"""The sentences of a report, compared with the games and tables of runs of every kind."""

import re
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from hsevo.agents.genomes.weights import read_weights
from hsevo.agents.registry import genome_of
from hsevo.errors import AgentError
from hsevo.evolution.run import Run
from hsevo.pictures import Picture
from hsevo.reports import answer, charts, groups, maps
from hsevo.reports.exhibit import Besides
from hsevo.reports.sections import REPORT
from hsevo.reports.tables import Evolutions
from tests.support import fake
from tests.support.folders import make

FIXED: dict[str, Any] = {
    "rating.shares": {"coevolution": 0}, "decks": ["mage"],
    "rating.opponents": {"agents": ["random", "eva:2018"], "decks": ["shaman", "mage"], "games": 4}}
MAP = FIXED | {"evolution.lambda": 8, "evolution.features": ["turns", "hand"],
               "evolution.cells": [3, 3], "confirm.games": 6}
KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "executions": {"executions": 2},
    "fixed": FIXED,
    "fixed-executions": FIXED | {"executions": 2},
    "fixed-own-decks": {"rating.shares": {"coevolution": 0},
                        "rating.opponents": {"agents": ["random"]}},
    "fixed-one-game": FIXED | {"rating.opponents.games": 1},
    "fixed-mirrored": FIXED | {"rating.common_random_numbers": True, "games": 2},
    "fixed-hall": FIXED | {"rating.hall_of_fame": 1, "seed": 2},
    "shared": FIXED | {"rating.shares": {"coevolution": 0.5}, "rating.hall_of_fame": 1,
                       "executions": 2},
    "added": {"rating.opponents": {"agents": ["random"], "games": 5}},
    "hall": {"rating.hall_of_fame": 2},
    "racing": {"rating.racing": {"rounds": 3}},
    "ga": {"evolution.strategy": "ga"},
    "ga-elites": FIXED | {"evolution.strategy": "ga", "evolution.elites": 1},
    "cma-es": {"evolution.strategy": "cma-es", "evolution.lambda": 8},
    "genome-deck": {"agent.genome": "deck", "executions": 2},
    "some-weights": {"agent.evolve": ["HHR", "HAR"]},
    "other-kind": {"agent": "greedy:santos"},
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a run of each kind, over the stand-in engine."""
    from hsevo.play import match

    path = tmp_path_factory.mktemp("kinds")
    with pytest.MonkeyPatch.context() as patch:
        fake.install(lambda name, value: patch.setattr(match, name, value))
        return {name: make(path / name, **settings) for name, settings in KINDS.items()}


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no pictures: it is quicker."""
    nothing = Picture(b"<svg></svg>", b"")
    for module in (charts, maps, groups, maps):
        monkeypatch.setattr(module, "picture", lambda draw, height: nothing)


def captions(data: Evolutions) -> dict[str, str]:
    """Return the captions of a report by the names of their exhibits."""
    return {one.name: one.caption for section in REPORT.sections(data)
            for one in section.exhibits}


def games_of(run: Run) -> pd.DataFrame:
    """Return all matches once for each individual that they rate.

    Columns: execution, generation, agent, opponent, deck, theirs, games, and fixed: whether it met
    a fixed opponent, whose number is negative.
    """
    rows = []
    for execution, number in run.committed():
        matches = run.matches_of(execution, number)
        for own, other in (("a", "b"), ("b", "a")):
            rows.append(pd.DataFrame({
                "execution": execution, "generation": number, "agent": matches[own],
                "opponent": matches[other], "deck": matches[f"deck_{own}"],
                "theirs": matches[f"deck_{other}"], "games": matches["games"]}))
    field = run.table(run.names[0])[["execution", "generation", "individual"]].rename(
        columns={"individual": "agent"})
    return pd.concat(rows).merge(field).assign(fixed=lambda one: one["opponent"] < 0)


def each(table: pd.DataFrame) -> set[int]:
    """Return how many games two players have with their decks."""
    by = ["execution", "generation", "agent", "opponent", "deck", "theirs"]
    return {int(n) for n in table.groupby(by)["games"].sum()}


@pytest.mark.parametrize("kind", KINDS)
def test_facts_are_those_of_the_games(runs: dict[str, Path], kind: str) -> None:
    data = REPORT.load([runs[kind]])
    run, = data.runs.values()
    found, = answer.of_runs(data, [])
    table = games_of(run)
    among, fixed = table[~table["fixed"]], table[table["fixed"]]

    said = next(part for part in found.facts["settings"].split(", ") if "per deck pair" in part)
    rest = found.facts["settings"].partition(said)[2]
    own = int(re.findall(r"(\d+) games? per deck pair", said)[0])
    if len(among):
        assert max(each(among)) == own
        assert ({own} == each(among)) != said.startswith("at most")
        apart = re.match(r", (\d+) games? against each fixed opponent", rest)
        assert each(fixed) <= {int(apart[1]) if apart else own}
    else:
        assert each(fixed) == {own}
        assert said.endswith("against each fixed opponent")
    assert ("games" in said) == (own != 1)
    assert (" alone" in rest) == among.empty

    mine, _, theirs = found.facts["decks"].partition("; fixed opponents: ")
    assert {*mine.split(", ")} == {*table["deck"]}
    played = {*fixed["theirs"]}
    assert {*theirs.split(", ")} == (played if played not in (set(), {*table["deck"]}) else {""})


@pytest.mark.parametrize("kind", KINDS)
def test_captions_are_true_of_the_games(runs: dict[str, Path], kind: str) -> None:
    data = REPORT.load([runs[kind]])
    run, = data.runs.values()
    said, table, people = captions(data), games_of(run), data.population
    field = {(row["execution"], row["generation"], row["individual"])
             for row in people.to_dict("records")}
    met = {(row["execution"], row["generation"], row["opponent"])
           for row in table.to_dict("records") if not row["fixed"]}

    assert ("can't be compared" in said["fitness"]) == bool(met)
    assert ("can be compared" in said["fitness"]) == (not met)
    assert said["fitness"].startswith("Win rate in %") == bool(run.config.rating.shares)
    if said["fitness"].startswith("Victories of"):
        assert (people["fitness"] == people["wins"]).all()
    elif " weighted by the opponents' shares" not in said["fitness"] and run.config.rating.shares:
        games = people[["wins", "draws", "losses"]].sum(axis=1)
        assert people["fitness"].to_numpy() == pytest.approx(100 * people["wins"] / games, abs=1e-6)

    parents = people[people["born"] < people["generation"]]
    again = (parents.groupby(["execution", "generation"]).size() > 1).any()
    assert ("Parents are re-evaluated" in said["noise"]) == again
    assert ("the other's loss" in said["noise"]) == bool(met & field)
    assert ("With common random numbers" in said["noise"]) == (kind == "fixed-mirrored")

    last = table[table["generation"] == people["generation"].max()]
    stay = {(row["execution"], row["individual"]) for row in
            people[(people["survived"] == 1)].to_dict("records")
            if row["generation"] == people["generation"].max()}
    theirs = last[[key in stay for key in zip(last["execution"], last["agent"], strict=True)]]
    now = theirs[~theirs["fixed"]]
    gone = [(e, o) not in stay and (e, g, o) in field for e, g, o in
            zip(now["execution"], now["generation"], now["opponent"], strict=True)]
    old = [(e, g, o) not in field for e, g, o in
           zip(now["execution"], now["generation"], now["opponent"], strict=True)]
    assert ("individuals that did not survive" in said["decks"]) == any(gone)
    assert ("champions of earlier generations" in said["decks"]) == any(old)
    assert ("fixed opponents" in said["decks"]) == theirs["fixed"].any()

    executions = people["execution"].nunique()
    if "groups-against-all" in said:
        assert ("did not meet" in said["groups-against-all"]) == (executions > 1 and bool(met))
        assert ("and not each other" in said["groups-against-all"]) == (executions > 1 and not met)


@pytest.mark.parametrize("kind", ["plain", "cma-es", "other-kind", "genome-deck", "some-weights"])
def test_a_file_of_agents_is_one(runs: dict[str, Path], kind: str, tmp_path: Path) -> None:
    data = REPORT.load([runs[kind]])
    shown = {one.name: one for section in REPORT.sections(data, Besides(2))
             for one in section.exhibits}
    file = tmp_path / "groups.csv"
    shown["groups"].table.to_csv(file, index=False)
    command = re.search(r"hsevo arena --runs ([\w:]+):groups.csv(\S*)", shown["groups"].caption)
    if command:
        kind = f"{command[1]}{command[2]}"
        assert len(read_weights(file, genome_of(kind))[0]) == len(data.last())
    else:
        with pytest.raises(AgentError):
            read_weights(file, genome_of(data.runs[kind].config.agent.kind))


def test_all_rates_may_be_equal(runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hsevo.reports.noise.variances", lambda sides, ids: (0.0, 0.0, 0.0))
    said = captions(REPORT.load([runs["fixed"]]))
    assert "everyone rated unknown, because all rates are equal" in said["noise"]


@pytest.mark.parametrize(("kinds", "comparable"), [
    (["fixed", "fixed-one-game"], True), (["plain", "hall"], False), (["plain", "fixed"], False)])
def test_two_series_are_each_told_truly(runs: dict[str, Path], kinds: list[str],
                                        comparable: bool) -> None:
    said = captions(REPORT.load([runs[kind] for kind in kinds]))
    assert ("can't be compared" in said["side-by-side"]) != comparable
    if kinds == ["plain", "fixed"]:
        assert said["fitness"].startswith("Fitness (plain: victories; fixed: win rate in %) of")
        assert "Fitness of plain is relative" in said["fitness"]
    if comparable:
        assert "All solutions met the same fixed opponents" in said["groups-against-all"]


def test_different_fixed_opponents_are_told(runs: dict[str, Path]) -> None:
    said = captions(REPORT.load([runs["fixed"], runs["fixed-own-decks"]]))
    assert "which differ between the series" in said["groups-against-all"]


def test_the_best_of_a_map_has_the_rate_of_its_last_games(
        tmp_path: Path, fake_engine: None) -> None:
    path = make(tmp_path / "map", **MAP, **{"evolution.strategy": "map-elites", "executions": 2})
    data = REPORT.load([path])
    found, = answer.of_runs(data, [])
    best = pd.read_csv(path / "archive.csv").sort_values("confirmed_rate", ascending=False,
                                                         kind="stable").iloc[0]
    assert found.agent.endswith(f"execution-{best['execution']:.0f}-individual-"
                                f"{best['individual']:.0f}")
    assert found.rates[0][1].startswith(f"{100 * best['last_rate']:.1f} % ")
    assert found.rates[0][1].endswith(f" of {best['last_games']:.0f} games")
    elites = pd.read_csv(path / "archive.csv")
    one = elites[elites["execution"] == 1]
    gap = 100 * (one["rate"] - one["confirmed_rate"]).mean()
    assert f"minus rates in new games: {gap:+.2f} points" in captions(data)["elites-1"]
    shutil.rmtree(path)
