"""Maps of pilots: their strategies with made-up ratings, and small runs of true games."""

import shutil
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo import config
from hsevo.agents.genomes.weights import EVA
from hsevo.engine.jit import INTERPRETED
from hsevo.evolution.confirm import games_to_confirm
from hsevo.evolution.run import Run
from hsevo.evolution.strategies import CmaMe, Distribution, MapElites, Mapped
from hsevo.runs.folder import ARCHIVE
from tests.support.command import hsevo as call
from tests.unit.runs.test_runs import bits

FIXED: dict[str, Any] = {
    "evolution.strategy": "cma-me", "evolution.mu": 3, "evolution.lambda": 8,
    "evolution.emitters": 2, "evolution.cells": (4, 4), "evolution.ranges": ((0, 40), (0, 8)),
    "rating.shares": {"coevolution": 0}, "rating.opponents": {"agents": ("random",)}}
KINDS = {"cma-me": CmaMe, "map-elites": MapElites}


def told(strategy: str, *rated: list[tuple[float, float, float]]) -> Mapped:
    """Return a strategy after generations with made-up ratings: turns, hand, fitness of each."""
    plan = config.change(config.load("smoke"), FIXED | {"evolution.strategy": strategy}).evolution
    it: Mapped = KINDS[strategy](plan, EVA, Random(1))
    for number, rows in enumerate(rated):
        field = it.ask(number)
        field["features"], field["fitness"] = np.array(rows)[:, :2], np.array(rows)[:, 2]
        assert it.tell(field) == tuple(field["id"][np.argsort(-field["fitness"],
                                                             kind="stable")[:3]])
    return it


FIRST = [(5, 1, 50), (6, 1, 60), (39, 7, 20), (99, 9, 10),  # beyond the map: in its last cell
         (15, 3, 30), (15, 3, 30), (15, 3, 29), (15, 5, 0)]


@pytest.mark.parametrize("strategy", KINDS)
def test_the_best_of_each_cell_stays_and_of_equals_the_first(strategy: str) -> None:
    it = told(strategy, FIRST)
    assert it.archive.cells == {(0, 0): 1, (3, 3): 2, (1, 1): 4, (1, 2): 7}
    assert it.archive.coverage == 4 / 16
    again = told(strategy, FIRST, [(6, 1, 60), (6, 1, 61), *[(39, 7, 5)] * 6])
    assert again.archive.cells == it.archive.cells | {(0, 0): 9}
    assert {*again.ask(2)["parent"].tolist()} <= {-1, *again.archive.cells.values()}


def test_an_emitter_ranks_new_cells_first_and_then_what_it_gained(
        monkeypatch: pytest.MonkeyPatch) -> None:
    """At most half of an emitter's individuals move it; one without a parent begins anew."""
    it = told("cma-me")
    assert isinstance(it, CmaMe)
    moved: list[Any] = []
    for emitter in it.emitters:
        monkeypatch.setattr(emitter, "tell", lambda order, mu: moved.append((order.tolist(), mu)))
    field = it.ask(0)
    field["features"], field["fitness"] = np.array(FIRST)[:, :2], np.array(FIRST)[:, 2]
    it.tell(field)
    # Of either, the first and another are new in their cells; row 1 beats row 0 by 10.
    assert moved == [([0, 2, 1, 3], 2), ([0, 3, 1, 2], 2)]
    assert it.began == [-1, -1]
    field = it.ask(1)
    field["features"], field["fitness"] = (5, 1), 0.0
    field["features"][7], field["fitness"][7] = (25, 5), 1.0
    emitters = list(it.emitters)
    it.tell(field)
    assert moved[2:] == [([3, 0, 1, 2], 1)]
    assert it.began[0] in {1, 2, 4, 7, 15}
    assert (it.emitters[0] is emitters[0], it.emitters[1] is emitters[1]) == (False, True)
    centre = it.emitters[0].es.mean
    assert centre == pytest.approx(it.weights(it.began[0]), abs=0.2)  # but for the bounds


def test_an_emitter_climbs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rated by one weight, on a map of two others, it finds more than chance does."""
    def best(strategy: str) -> float:
        plan = config.change(config.load("smoke"), FIXED | {
            "evolution.strategy": strategy, "evolution.mutation_sigma": 10.0}).evolution
        it: Mapped = KINDS[strategy](plan, EVA, Random(1))
        for number in range(40):
            field = it.ask(number)
            field["fitness"] = 100 - np.abs(field["weights"][:, :8] - 0.8).sum(axis=1)
            field["features"] = field["weights"][:, 8:10] * (40, 8)
            it.tell(field)
        return float(it.people["fitness"][it.archive.elites].mean())

    assert best("cma-me") > best("map-elites") + 0.5  # whose mutants are at the bounds here


def test_an_emitter_that_gains_goes_on() -> None:
    """Whether it has settled follows from its distribution, not from the ranks that it is told."""
    plan = config.change(config.load("smoke"), FIXED | {"evolution.strategy": "cma-me"}).evolution
    it, off = Distribution(plan, EVA, Random(1), [0.5] * 21, 12, 6, active=False), list[float]()
    while not it.settled and len(off) < 3000:
        away = np.abs(np.array(it.ask())[:, :21] - 0.8).sum(axis=1)
        off.append(away.mean())
        it.tell(np.argsort(away))
    assert len(off) > 100  # as long as it climbs
    assert off[100] < off[0] / 2
    assert it.settled  # too narrow to go on
    assert it.es.stds.max() < 1e-3


def evolve(out: Path, changes: dict[str, Any] | None = None, **how: Any) -> hsevo.Run:
    small = FIXED | {"decks": ("mage",), "games": 2, "evolution.ranges": None,
                     "confirm.games": 2, "executions": 2, "rating.common_random_numbers": True,
                     "references": {"against": ("noaggression",), "games": 2}}
    return hsevo.evolve("smoke", out=out, changes=small | (changes or {}),
                        **{"backend": "serial"} | how)


def content(path: Path) -> dict[str, bytes]:
    found = bits(path) | {ARCHIVE: (path / ARCHIVE).read_bytes()}
    return {name: data for name, data in found.items() if name != "config.yaml"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evolve(tmp_path_factory.mktemp("maps") / "run").path


@pytest.mark.skipif(INTERPRETED, reason="plays games")
def test_workers_and_stops_change_no_bit(made: Path, tmp_path: Path) -> None:
    """Two workers; a shorter run that is prolonged; one killed before its elites played again."""
    two = evolve(tmp_path / "two", workers=2, backend="threads")
    assert content(two.path) == content(made)
    short = evolve(tmp_path / "short", {"evolution.generations": 2, "executions": 1})
    assert (short.path / ARCHIVE).exists()
    longer = short.resume(generations=3, backend="serial")
    whole = evolve(tmp_path / "whole", {"executions": 1})
    assert content(longer.path) == content(whole.path)
    run = Run.lock(shutil.copytree(made, tmp_path / "killed"))
    run._forget_archive()
    (run.path / "done").unlink()
    run.close()
    assert not (run.path / ARCHIVE).exists()
    killed = hsevo.Run(run.path)
    assert killed.state.left == 2 * games_to_confirm(run.config)
    killed.resume(backend="serial")
    assert content(killed.path) == content(made)


@pytest.mark.skipif(INTERPRETED, reason="plays games")
def test_the_archive_is_what_the_tables_give(made: Path) -> None:
    run = hsevo.Run(made)
    people, archive = run.population, run.archive
    for execution, rows in archive.groupby("execution"):
        mine = people[people["execution"] == execution].set_index("individual")
        x, y = (mine["feature_turns"] - 10) // 6, mine["feature_hand"] // 2  # of the usual ends
        best = mine.assign(x=x.clip(0, 3), y=y.clip(0, 3)).sort_values(
            ["fitness"], ascending=False, kind="stable").drop_duplicates(["x", "y"])
        assert {*rows["individual"]} == {*best.index}
        assert (rows["rate"] * 100).tolist() == mine.loc[rows["individual"], "fitness"].tolist()
        assert rows["confirmed_rate"].is_monotonic_decreasing
        assert rows["last_games"].notna().tolist() == [True, *[False] * (len(rows) - 1)]
    assert (archive["games"] == 2).all()
    assert archive["confirmed_rate"].between(
        archive["confirmed_rate_low"], archive["confirmed_rate_high"]).all()
    played = run.matches[["own_turns_a", "own_turns_b", "turns"]].sum()
    assert played["own_turns_a"] + played["own_turns_b"] == pytest.approx(played["turns"], abs=9)


@pytest.mark.skipif(INTERPRETED, reason="plays games")
def test_it_verifies_and_is_reported(made: Path, tmp_path: Path) -> None:
    run = hsevo.Run(made)
    assert run.verify(backend="serial").problems == []
    path = shutil.copytree(made, tmp_path / "forged")
    forged, folder = (path / ARCHIVE).read_bytes().replace(b"\n1,", b"\n1,1", 1), Run.lock(path)
    folder._finish({ARCHIVE: forged})
    folder.close()
    assert hsevo.Run(path).verify(backend="serial").problems == [
        f"{ARCHIVE}: it differs when recomputed"]
    first = run.archive.iloc[0]
    assert (f"the first is individual {first['individual']:.0f}, with"
            f" {100 * first['last_rate']:.1f} % (") in " ".join(
                call("evolve", "--resume", made).stdout.split())
    call("report", made, "--out", tmp_path / "page")
    page = (tmp_path / "page" / "report.html").read_text()
    assert "Map of players, execution 2" in page
    assert run._games_to_verify == run.archive[
        ["confirmed_games", "last_games"]].sum().sum()
