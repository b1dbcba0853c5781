"""One seed, bit-identical results: on the real engine, any workers, after any stop."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hsevo.agents.genomes.weights import EVA_2018
from hsevo.agents.shared.agent import RANDOM, agent, eva
from hsevo.cards.decks import read_deck
from hsevo.play import match, tournament
from tests.support.command import hsevo

pytestmark = pytest.mark.slow

DECKS = tuple(read_deck(name) for name in ("warrior", "shaman", "mage"))
SMALL = ["--set", "evolution.mu=2", "--set", "evolution.lambda=2", "--set", "games=1"]
COMMAND = [sys.executable, "-m", "hsevo", "evolve"]


def evolve(out: Path, *options: str) -> None:
    """Run a small evolution: with worker processes, in a process of its own."""
    words = ["--config", "smoke.yaml", "--out", str(out), *SMALL, *options]
    if {"loky", "dask"} & {*options}:
        subprocess.run([*COMMAND, *words], check=True, capture_output=True)
    else:
        assert hsevo("evolve", *words).exit_code == 0


def bits(run: Path) -> str:
    """Return a digest of everything that a run found out."""
    digest = hashlib.sha256((run / "population.csv").read_bytes())
    matches = pd.read_parquet(run / "matches.parquet")
    columns = ["generation", "a", "b", "deck_a", "deck_b"]
    digest.update(matches.sort_values(columns).to_csv(index=False).encode())
    return digest.hexdigest()


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the bits of the run that all others must match."""
    out = tmp_path_factory.mktemp("reference") / "run"
    evolve(out, "--backend", "threads", "--workers", "1")
    return bits(out)


@pytest.mark.parametrize(("backend", "workers"), [("threads", 2), ("loky", 2), ("dask", 2)])
def test_same_bits_whoever_plays(backend: str, workers: int, reference: str, here: Path) -> None:
    evolve(here / "run", "--backend", backend, "--workers", str(workers))
    assert bits(here / "run") == reference


def test_blocks_do_not_matter() -> None:
    pairings = tournament.round_robin(range(3), len(DECKS), 2, (1, 1, 1))
    weights = np.random.default_rng(5).random((3, 21))
    rules = match.Setting(decks=DECKS)
    whole = match.play_block(pairings, eva(weights), rules)
    parts = [match.play_block(pairings[i : i + 4], eva(weights), rules) for i in range(0, 27, 4)]
    assert np.array_equal(whole, np.concatenate(parts))


def test_totals_re_add() -> None:
    pairings = tournament.round_robin(range(3), len(DECKS), 3, (1, 1, 2))
    weights = np.vstack([EVA_2018, np.random.default_rng(6).random((2, 21))])
    results = match.play_block(pairings, eva(weights), match.Setting(decks=DECKS))
    played = results["wins_a"] + results["wins_b"] + results["draws"] + results["faults"]
    assert (played == pairings["games"]).all()
    assert results["faults"].sum() == 0
    assert (results["turns"] >= 2 * pairings["games"]).all()


def test_eva_beats_random_play() -> None:
    """The authors' program beats a uniformly random player in 99.4 % of games."""
    pairings = np.zeros(9, match.PAIRING)
    pairings["a"], pairings["b"], pairings["games"] = 0, 1, 40
    pairings["deck_a"], pairings["deck_b"] = np.arange(9) // 3, np.arange(9) % 3
    pairings["seed"] = np.arange(9)
    agents = np.concatenate([eva(EVA_2018[None]), agent(RANDOM)])
    results = match.play_block(pairings, agents, match.Setting(decks=DECKS))
    assert results["wins_a"].sum() > 0.97 * 360
