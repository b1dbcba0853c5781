"""The genetic algorithm: who is kept, who are parents, how much changes; and starts at a base."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from hsevo import config
from hsevo.agents.genomes.weights import EVA
from hsevo.agents.registry import evolved_genome
from hsevo.evolution.evolve import Execution, games_to_play
from hsevo.evolution.strategies import SELECTORS, Genetic, base, strategy
from hsevo.runs.tables import Generation
from tests.unit.evolution.test_evolve import Strength, play_by

GA = {"evolution.strategy": "ga"}


def plan(mu: int = 4, lam: int = 6, generations: int = 5, **settings: Any) -> config.Config:
    return config.change(config.load("smoke"), {
        **GA, "evolution.mu": mu, "evolution.lambda": lam, "evolution.generations": generations,
        "games": 2, "decks": ["mage"], **settings})


def run(experiment: config.Config, strength: Strength = lambda row: 0,
        fields: Sequence[Any] = ()) -> list[Generation]:
    made: list[Generation] = []
    made += Execution(experiment, 1, play_by(strength), EVA, fields).generations()
    return made


def children(settings: dict[str, Any], parents: Any, fitness: Any) -> Any:
    """Return the offspring of parents (n, 21) with a fitness each, and their strategy."""
    n = len(parents)
    made = Genetic(plan(n, 2000, **settings).evolution, EVA, Random(5))
    field = made.ask(0)
    field["weights"], field["fitness"] = parents, fitness
    made.tell(field)
    return made.ask(1)


def test_offspring_replace_all_parents_without_elites() -> None:
    past = run(plan(), lambda row: int(row["id"] * 7) % 11)
    assert past[0].field["id"].tolist() == [0, 1, 2, 3]
    assert (past[0].field["parent"] == -1).all()
    for before, now in pairwise(past):
        first = 4 + (now.number - 1) * 6
        ids = now.field["id"].tolist()
        assert ids == list(range(first, first + 6))
        assert list(now.survivors) == sorted(ids, key=lambda i: -(i * 7 % 11))[:4]
        assert set(now.field["parent"].tolist()) <= set(before.survivors)
        assert (now.field["born"] == now.number).all()
        assert not now.field["sigmas"].any()


def test_elites_are_rated_again_and_stay_unless_beaten() -> None:
    past = run(plan(**{"evolution.elites": 2}), lambda row: -int(row["id"]))  # the oldest is best
    assert [generation.survivors[:2] for generation in past] == [(0, 1)] * 5
    for generation in past[1:]:
        assert generation.field["id"][:2].tolist() == [0, 1]
        assert np.array_equal(generation.field["weights"][:2], past[0].field["weights"][:2])
        assert len(generation.field) == 8
    rising = run(plan(**{"evolution.elites": 2}), lambda row: int(row["id"]))  # the newest is
    for before, now in pairwise(rising):
        assert now.field["id"][:2].tolist() == list(before.survivors[:2])
        assert not set(now.survivors) & set(before.survivors)


@pytest.mark.parametrize("lam", [1, 3, 4, 7])
def test_any_number_of_offspring_is_made(lam: int) -> None:
    past = run(plan(mu=3, lam=lam, generations=3, **{"evolution.elites": 2}))
    assert [len(generation.field) for generation in past] == [3, 2 + lam, 2 + lam]
    assert all(len(set(generation.field["id"].tolist())) == 2 + lam for generation in past[1:])


def test_selection_prefers_the_better_as_it_says() -> None:
    """Four parents of fitness 1, 2, 3, 4 and 2,000 children: how often each is chosen."""
    expected = {"random": [0.25] * 4, "rank": [0.1, 0.2, 0.3, 0.4],
                "roulette": [0.1, 0.2, 0.3, 0.4],
                "tournament": [0, 1 / 6, 1 / 3, 1 / 2]}  # the better of two different ones
    assert expected.keys() == SELECTORS.keys()
    for way, shares in expected.items():
        made = children({"evolution.selection": [way]}, np.zeros((4, 21)), [1, 2, 3, 4])
        counts = np.bincount(made["parent"], minlength=4) / 2000
        assert counts == pytest.approx(shares, abs=0.045), way  # four standard errors


def test_one_of_several_ways_of_selection_is_drawn_a_generation(
        monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    for name, way in list(SELECTORS.items()):
        def spy(random: Any, pool: Any, args: Any, name: str = name, way: Any = way) -> Any:
            drawn.append(name)
            return way(random, pool, args)
        monkeypatch.setitem(SELECTORS, name, spy)
    run(plan(generations=60, **{"evolution.selection": [*SELECTORS]}))
    assert len(drawn) == 59
    assert set(drawn) == set(SELECTORS)


def test_equal_fitness_and_fitness_0_can_be_selected() -> None:
    for way in SELECTORS:
        for fitness in ([0, 0, 0, 0], [0, 0, 0, 5], [3, 3, 3, 3]):
            made = children({"evolution.selection": [way]}, np.zeros((4, 21)), fitness)
            assert set(made["parent"].tolist()) <= {0, 1, 2, 3}


def test_weights_change_as_often_and_as_much_as_configured() -> None:
    settings = {"evolution.mutation": 0.1, "evolution.mutation_sigma": 0.05,
                "evolution.crossover": 0.0}
    made = children(settings, np.full((4, 21), 0.5), [1, 2, 3, 4])
    changed = made["weights"] != 0.5
    assert changed.mean() == pytest.approx(0.1, abs=0.006)  # of 42,000: four standard errors
    assert made["weights"][changed].std() == pytest.approx(0.05, abs=0.0022)
    still = children(settings | {"evolution.mutation": 0.0}, np.full((4, 21), 0.5), [1, 2, 3, 4])
    assert (still["weights"] == 0.5).all()
    wide = children(settings | {"evolution.mutation": 1.0, "evolution.mutation_sigma": 9.0},
                    np.full((4, 21), 0.5), [1, 2, 3, 4])
    assert (wide["weights"].min(), wide["weights"].max()) == (0, 1)


def test_parents_mix_their_weights_as_often_as_configured() -> None:
    parents = np.repeat(np.arange(4)[:, None] / 4, 21, axis=1)
    for rate in (0.0, 0.7, 1.0):
        made = children({"evolution.mutation": 0.0, "evolution.crossover": rate,
                         "evolution.selection": ["random"]}, parents, [1, 2, 3, 4])
        mixed = (made["weights"].min(axis=1) != made["weights"].max(axis=1)).mean()
        # one pair in four is of a parent and itself
        assert mixed == pytest.approx(0.75 * rate, abs=0.06)  # of 1,000 pairs: four errors
        if not rate:
            assert (made["weights"] == made["parent"][:, None] / 4).all()
        pairs = made["weights"].reshape(1000, 2, 21)
        assert (pairs.sum(axis=1).min(axis=1) == pairs.sum(axis=1).max(axis=1)).all()  # swapped


@pytest.mark.parametrize("stop", range(5))
def test_going_on_from_any_generation_gives_the_same_bits(stop: int) -> None:
    experiment = plan(**{"evolution.elites": 1, "evolution.selection": [*SELECTORS]})
    strength: Strength = lambda row: int(row["weights"][2] * 1e6)  # noqa: E731
    whole = run(experiment, strength)
    rest = run(experiment, strength, [generation.field for generation in whole[:stop + 1]])
    assert [g.number for g in rest] == list(range(stop + 1, 5))
    for a, b in zip(whole[stop + 1:], rest, strict=True):
        assert np.array_equal(a.field, b.field)
        assert (a.survivors, a.random_state) == (b.survivors, b.random_state)


def test_it_climbs() -> None:
    past = run(plan(mu=10, lam=10, generations=40, **{"evolution.mutation": 0.1}),
               lambda row: int(row["weights"].sum() * 1e6))
    assert past[-1].field["weights"].mean() > past[0].field["weights"].mean() + 0.2


def test_every_generation_costs_its_games() -> None:
    assert games_to_play(plan(4, 6, 3)) == (6 + 15 + 15) * 2
    assert games_to_play(plan(4, 6, 3, **{"evolution.elites": 2})) == (6 + 28 + 28) * 2


@pytest.mark.parametrize("way", ["es", "ga", "cma-es"])
def test_a_search_may_start_at_the_base(way: str) -> None:
    settings = {"evolution.strategy": way, "evolution.start": "base", "agent.base": "eva:2018",
                "evolution.first_sigmas": [0.0, 0.02], "evolution.mutation_sigma": 0.01}
    experiment = plan(8, 40, **settings)
    genome = evolved_genome(experiment, ["mage"])
    first = strategy(experiment.evolution, genome, Random(1)).ask(0)["weights"]
    own = base(experiment.evolution, genome)
    assert own == genome.default.tolist()
    assert (first[0].tolist() == own) == (way != "cma-es")
    assert 0 < np.abs(first - own).max() < 0.1  # uniform weights would be up to 1 away
