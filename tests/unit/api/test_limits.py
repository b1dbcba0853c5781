"""What would take too much memory is refused in one line, before any of it is taken or written."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo import config
from hsevo.agents.genomes.weights import write_weights
from hsevo.agents.shared.agent import AGENT
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.record.state import STATE
from hsevo.reports import groups
from hsevo.strength import champions
from hsevo.strength.lineup import ContestPlan, Lineup
from tests.support.command import fails

MEMORY = 64 * 2**20  # bytes that a refusal may take: 10,000 agents themselves take 20 million
SECONDS = 20.0


@pytest.fixture
def crowd(here: Path) -> Path:
    """Write ten thousand agents."""
    n = 10_000
    write_weights(here / "crowd.csv", [f"agent-{i}" for i in range(n)], np.full((n, 21), 0.5))
    return here / "crowd.csv"


def refused(call: Callable[[], Any]) -> str:
    """Return what is said of something that is too large, which must be soon and cheap."""
    began = time.process_time()
    tracemalloc.start()
    try:
        with pytest.raises(hsevo.HsevoError) as caught:
            call()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEMORY
    assert time.process_time() - began < SECONDS
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_arena_of_ten_thousand(here: Path) -> None:
    names = [f"mcts:vanilla?iterations={n}" for n in range(1, 4001)]  # of themselves 7,998,000
    plan = {"agents": names, "against": [], "decks": ["mage"], "games": 2}
    lineup = Lineup(ContestPlan.model_validate(plan), tuple(names),
                    np.zeros(len(names), AGENT), (hsevo.Deck("mage"),))
    assert lineup.games == 15_996_000
    said = refused(lambda: lineup.checked(lineup.plan, lineup.names, lineup.players,
                                          lineup.decks))
    assert said.startswith("15,996,000 games would take 8 GiB of memory, but at most 7,669,584")


@pytest.mark.parametrize(("games", "said"), [
    (10**12, "games is 1000000000000, but must be at most 1000000"),
    (10**5000, "games is a number with thousands of digits, but must be at most 1000000")],
    ids=["trillion", "longer"])
def test_a_match_of_very_many_games(games: int, said: str) -> None:
    assert said in refused(lambda: hsevo.match("random", "eva:2018", games))
    assert said in refused(lambda: hsevo.examine("eva:2018", games=games))
    assert said in refused(lambda: hsevo.benchmark("random", games=games))


def test_an_examination_of_very_many_games() -> None:
    # the agent itself and 231 variants, 1,000,008 games each
    said = refused(lambda: hsevo.examine("eva:2018", games=1_000_000))
    assert said.startswith("232,001,856 games would take 121 GiB of memory")
    assert said.endswith("use fewer games, opponents or decks")


@pytest.mark.parametrize(("settings", "matches"), [
    # 5,000 parents and 5,000 offspring: 49,995,000 meetings, of 9 pairs of decks
    (("evolution.mu=5000", "evolution.lambda=5000"), 449_955_000),
    # 900 of a field, 404,550 meetings among them, and 99 * 900 with champions; 9 pairs of decks
    (("evolution.mu=450", "evolution.lambda=450", "rating.hall_of_fame=1000",
      "rating.racing.rounds=10", "evolution.generations=100"), 10 * 9 * (404_550 + 89_100)),
    (("evolution.lambda=2000", "evolution.strategy=cma-es", "rating.common_random_numbers=true"),
     2 * 9 * 1_999_000)])
def test_an_evolution_of_very_many(settings: tuple[str, ...], matches: int, here: Path) -> None:
    words = [word for setting in settings for word in ("--set", setting)]
    said = fails("evolve", "--config", "cig2018", *words, "--out", "big")
    assert f": {matches:,} matches per generation would take " in said
    assert said.count("\n") == 1
    assert not [*here.iterdir()]


def test_the_most_matches_of_the_papers_experiment() -> None:
    assert config.load("cig2018").most_matches == 190 * 9  # 20 individuals, 9 pairs of decks


@pytest.mark.parametrize("seeds", [range(10**9), range(10**30), np.zeros(10**7, np.uint64),
                                   count()], ids=["range", "longer", "array", "endless"])
def test_a_batch_of_very_many_games(seeds: Any) -> None:
    said = refused(lambda: hsevo.Games("mage", "warrior", seeds))
    assert "would take" in said
    most = 4 * 2**30 // (STATE.itemsize + N_MOVES)  # a state, and a row of the mask of legal moves
    assert (f"at most {most:,} (4 GiB) are allowed at a time; take them in several batches"
            in said)


def test_a_batch_is_of_seeds() -> None:
    with pytest.raises(ValueError, match="but must be"):
        hsevo.Games("mage", "warrior", np.zeros(()))
    with pytest.raises(ValueError, match="but must be"):
        hsevo.Games("mage", "warrior", 7)


def test_the_best_of_a_large_last_population(here: Path, fake_engine: None,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    run = hsevo.evolve("smoke", out="run", backend="serial", changes={
        "evolution.generations": 1, "games": 1})
    everyone = ["someone"] * 5000, np.zeros(5000)
    monkeypatch.setattr(champions, "last_population", lambda run: everyone)
    said = refused(lambda: champions.find_best(run, None, 1))  # type: ignore[arg-type]
    # 12,497,500 meetings of 9 pairs of decks
    assert said.startswith("112,477,500 matches of the last population would take 63 GiB of memory")
    assert refused(lambda: run.champion(1)) == said


def test_a_study_of_very_many_values(here: Path) -> None:
    text = (config.shipped("configs/studies") / "divine-shield.yaml").read_text()
    start = text.index("values:")
    many = ", ".join(f"{i / 1e5}" for i in range(2000))
    Path("many.yaml").write_text(text[:start] + f"values: [{many}]\n")
    said = fails("study", "many.yaml")
    assert "must have at most 1,000 entries" in said


def test_groups_of_very_many_solutions() -> None:
    said = refused(lambda: groups.cluster(["x"] * 5001, np.zeros((5001, 2))))
    assert said.startswith("5,001 solutions are too many to group")
