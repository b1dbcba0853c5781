"""The evolution strategy against its formulas, with numbers worked out by hand."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import exp, sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

from hsevo import config
from hsevo.agents.genomes.weights import EVA
from hsevo.errors import RunError
from hsevo.evolution.evolve import Execution, games_to_play
from hsevo.evolution.strategies import Cma, SelfAdaptive
from hsevo.play import match
from hsevo.play.tournament import tally
from hsevo.runs.tables import Generation

Strength = Callable[[Any], int]


def plan(mu: int = 3, lam: int = 3, generations: int = 4, **settings: Any) -> config.Config:
    return config.change(config.load("smoke"), {
        "evolution.mu": mu, "evolution.lambda": lam, "evolution.generations": generations,
        "games": 10, "decks": ["mage"], **settings})


def play_by(strength: Strength) -> Any:
    """Play as if the stronger individual won every game, and equals drew them."""
    def play(number: int, pairings: Any, players: Any) -> Any:
        results = np.zeros(len(pairings), match.RESULT)
        power = np.array([strength(row) for row in players])
        ahead = power[pairings["a"]] - power[pairings["b"]]
        for column, wins in (("wins_a", ahead > 0), ("wins_b", ahead < 0), ("draws", ahead == 0)):
            results[column] = pairings["games"] * wins
        return results
    return play


def run(experiment: config.Config, strength: Strength = lambda row: 0,
        fields: Sequence[Any] = (), execution: int = 1) -> list[Generation]:
    made: list[Generation] = []
    made += Execution(experiment, execution, play_by(strength), EVA, fields).generations()
    return made


def by_id(generation: Generation) -> dict[int, Any]:
    return {int(row["id"]): row for row in generation.field}


class Script:
    """A source of random numbers that reads them from a list: what `gauss` draws, in N(0, 1)."""

    def __init__(self, normals: list[float]) -> None:
        self.normals = iter(normals)

    def gauss(self, mean: float, deviation: float) -> float:
        return mean + deviation * next(self.normals)


def mutate(genes: list[float], normals: list[float], experiment: config.Config) -> list[float]:
    """Mutate one genome with these random numbers."""
    source: Any = Script(normals)
    return SelfAdaptive(experiment.evolution, EVA, source).mutate([genes])[0]


def test_mutation_is_equations_9_to_12() -> None:
    n = 21
    tau, tau_prime = 1 / sqrt(2 * sqrt(n)), 1 / sqrt(2 * n)  # equations 10 and 11
    assert [tau, tau_prime] == pytest.approx([0.330316, 0.154303], abs=1e-6)
    weights, sigmas = [0.5] * n, [0.1] * n
    sigmas[3] = 1e-6
    pairs = [(0.0, 0.0)] * n
    pairs[0], pairs[1], pairs[2] = (1.0, 2.0), (-1.0, 0.0), (0.0, -1.0)
    steps = [0.0] * n
    steps[0], steps[1], steps[4], steps[5] = 1.0, -2.0, 100.0, -100.0
    child = mutate(weights + sigmas, [x for pair in pairs for x in pair] + steps, plan())
    # exp(0.154303 + 2 * 0.330316) = 2.259032, exp(-0.154303) = 0.857012, exp(-0.330316) = 0.718696
    assert child[21] == pytest.approx(0.1 * exp(tau_prime + 2 * tau)) == pytest.approx(
        0.2259032, abs=1e-6)
    assert child[22] == pytest.approx(0.0857012, abs=1e-6)
    assert child[23] == pytest.approx(0.0718696, abs=1e-6)
    assert child[24] == 1e-5  # epsilon: no sigma falls below
    assert child[0] == pytest.approx(0.5 + child[21])  # equation 12, with the new sigma
    assert child[1] == pytest.approx(0.5 - 2 * child[22])
    assert child[6] == 0.5
    assert (child[4], child[5]) == (1.0, 0.0)  # clipped to the bounds


def test_tau_and_epsilon_are_settings() -> None:
    experiment = plan(**{"evolution.tau": 0.0, "evolution.tau_prime": 1.0,
                         "evolution.epsilon": 0.05, "evolution.bounds": [0.25, 0.75]})
    pairs = [(-1.0, 5.0)] + [(-9.0, 0.0)] * 20
    child = mutate([0.5] * 21 + [0.2] * 21, [x for p in pairs for x in p] + [99.0] * 21, experiment)
    assert child[21] == pytest.approx(0.2 * exp(-1))
    assert set(child[22:]) == {0.05}
    assert set(child[:21]) == {0.75}


def test_the_first_generation_is_random_and_rated_among_itself() -> None:
    first = run(plan(mu=50, lam=1, generations=1))[0]
    weights, sigmas = first.field["weights"], first.field["sigmas"]
    for genes in (weights, sigmas):
        assert genes.min() >= 0 and genes.max() <= 1  # noqa: PT018
        assert genes.mean() == pytest.approx(0.5, abs=0.04)  # 1,050 draws: 4.5 standard errors
        assert len(np.unique(genes)) == genes.size
    assert first.field["id"].tolist() == list(range(50))
    assert set(first.field["parent"].tolist()) == {-1}
    assert len(first.pairings) == 50 * 49 // 2
    assert first.field["survived"].all()


def test_the_best_mu_of_mu_plus_lambda_survive() -> None:
    past = run(plan(mu=4, lam=6, generations=5), strength=lambda row: (row["id"] * 7) % 23)
    for before, now in pairwise(past):
        assert len(now.field) == 10
        assert now.field["id"][:4].tolist() == list(before.survivors)
        best = sorted(now.field["id"].tolist(), key=lambda i: -((i * 7) % 23))[:4]
        assert list(now.survivors) == best
        assert set(now.field["id"][now.field["survived"]].tolist()) == set(best)


def test_elitism_keeps_the_best_to_the_bit() -> None:
    past = run(plan(mu=3, lam=3, generations=6), strength=lambda row: -row["id"])
    for generation in past:
        assert generation.survivors == (0, 1, 2)
        for name in ("weights", "sigmas"):
            assert np.array_equal(generation.field[name][:3], past[0].field[name][:3])


def test_parents_are_rated_again_with_the_offspring() -> None:
    # What was best becomes worst in the next generation, and must then be thrown out.
    past = run(plan(mu=2, lam=2, generations=3), strength=lambda row: int(row["id"]))
    assert past[0].survivors == (1, 0)
    assert past[0].field["wins"].tolist() == [0, 10]
    assert by_id(past[1])[1]["wins"] == 10  # it beats 0 alone now; both children beat it
    assert past[1].field["wins"].tolist() == [10, 0, 20, 30]
    assert past[1].survivors == (3, 2)


def test_equals_rank_as_they_stand_parents_first() -> None:
    past = run(plan(mu=3, lam=5, generations=3))  # nobody ever wins
    assert [generation.survivors for generation in past] == [(0, 1, 2)] * 3


@pytest.mark.parametrize(("mu", "lam"), [(3, 3), (2, 5), (5, 2), (1, 1)])
def test_every_parent_has_children_in_turn(mu: int, lam: int) -> None:
    past = run(plan(mu=mu, lam=lam, generations=4), strength=lambda row: int(row["id"]) % 5)
    for before, now in pairwise(past):
        children = now.field[mu:]
        first = mu + (now.number - 1) * lam
        assert children["id"].tolist() == list(range(first, first + lam))
        assert children["parent"].tolist() == [before.survivors[i % mu] for i in range(lam)]
        assert set(children["born"].tolist()) == {now.number}


def test_fitness_is_the_tally_of_the_generation() -> None:
    for generation in run(plan(mu=3, lam=4), strength=lambda row: int(row["weights"][0] * 9)):
        scores = tally(generation.pairings, generation.results, len(generation.field))
        for name in ("wins", "draws", "losses"):
            assert generation.field[name].tolist() == scores[name].tolist()


def test_selection_climbs() -> None:
    past = run(plan(mu=5, lam=5, generations=40), lambda row: int(row["weights"].sum() * 1e6))
    assert past[-1].field["weights"][:5].mean() > past[0].field["weights"].mean() + 0.25


def test_a_seed_gives_its_bits_and_executions_differ() -> None:
    same = [run(plan(), strength=lambda row: int(row["id"]) % 3) for _ in range(2)]
    assert all(np.array_equal(a.field, b.field) for a, b in zip(*same, strict=True))
    experiment = plan()
    second = run(experiment, execution=2)
    assert not np.array_equal(second[0].field["weights"], same[0][0].field["weights"])


@pytest.mark.parametrize("stop", range(5))
@pytest.mark.parametrize("settings", [{}, {"evolution.strategy": "cma-es"},
                                      {"rating.hall_of_fame": 2}], ids=str)
def test_going_on_from_any_generation_gives_the_same_bits(
        settings: dict[str, Any], stop: int) -> None:
    experiment = plan(mu=3, lam=4, generations=5, **settings)
    strength: Strength = lambda row: int(row["weights"][2] * 1e6)  # noqa: E731
    whole = run(experiment, strength)
    rest = run(experiment, strength, [generation.field for generation in whole[:stop + 1]])
    assert [g.number for g in rest] == list(range(stop + 1, 5))
    for a, b in zip(whole[stop + 1:], rest, strict=True):
        assert np.array_equal(a.field, b.field)
        assert np.array_equal(a.others, b.others)
        assert (a.survivors, a.random_state) == (b.survivors, b.random_state)


def test_first_sigmas_and_their_ceiling_are_settings() -> None:
    settings = {"evolution.first_sigmas": [0.2, 0.3], "evolution.sigma_max": 0.25}
    first = run(plan(mu=50, lam=1, generations=1, **settings))[0].field["sigmas"]
    assert 0.2 <= first.min() < 0.205
    assert 0.295 < first.max() <= 0.3
    # What a parent hands on is cut to the ceiling before it mutates: 0.25 exp(0.5) of 0.9.
    experiment = plan(**settings, **{"evolution.tau": 0.0, "evolution.tau_prime": 0.5})
    child = mutate([0.5] * 21 + [0.9] * 20 + [0.1], [1.0, 0.0] * 21 + [0.0] * 21, experiment)
    assert child[21:41] == pytest.approx([0.25 * exp(0.5)] * 20)
    assert child[41] == pytest.approx(0.1 * exp(0.5))


def test_cma_es_keeps_nobody_and_asks_for_lambda_new_ones() -> None:
    made = run(plan(mu=3, lam=8, generations=4, **{"evolution.strategy": "cma-es"}),
               strength=lambda row: int(row["id"] * 7) % 8)
    for number, generation in enumerate(made):
        field = generation.field
        assert field["id"].tolist() == list(range(8 * number, 8 * number + 8))
        assert (field["born"] == number).all()
        assert (field["parent"] == -1).all()
        best = sorted(field["id"].tolist(), key=lambda i: -(i * 7 % 8))[:3]
        assert list(generation.survivors) == best
        assert set(field["id"][field["survived"]].tolist()) == set(best)
        assert 0 <= field["weights"].min() <= field["weights"].max() <= 1


def test_cma_es_begins_in_the_middle_and_climbs() -> None:
    settings = {"evolution.strategy": "cma-es", "evolution.first_sigmas": [0.1, 0.3]}
    strength: Strength = lambda row: int(-abs(row["weights"] - 0.8).sum() * 1e6)  # noqa: E731
    made = run(plan(mu=5, lam=10, generations=150, **settings), strength)
    first = made[0].field
    assert first["sigmas"] == pytest.approx(np.full((10, 21), 0.2), rel=1e-4)
    assert first["weights"].mean() == pytest.approx(0.5, abs=0.05)  # 210 draws: 3.6 errors
    assert made[-1].field["weights"] == pytest.approx(np.full((10, 21), 0.8), abs=0.1)
    assert made[-1].field["sigmas"].mean() < 0.05


def test_cma_es_never_steps_further_than_a_third_of_the_bounds() -> None:
    settings = {"evolution.strategy": "cma-es", "evolution.bounds": [0.2, 0.8]}
    made = run(plan(mu=3, lam=8, generations=30, **settings), lambda row: int(row["id"] * 7) % 8)
    assert made[0].field["sigmas"] == pytest.approx(np.full((8, 21), 0.2))  # and not 0.5
    assert max(generation.field["sigmas"].max() for generation in made) < 0.2 + 1e-9


def test_of_equals_cma_es_prefers_the_earlier_one() -> None:
    """Ties must not be left to numpy's sort, whose order of equals differs between processors."""
    plans = plan(mu=5, lam=20, **{"evolution.strategy": "cma-es"}).evolution
    tied, apart = (Cma(plans, EVA, Random(1)) for _ in range(2))
    for number in range(4):
        one, other = tied.ask(number), apart.ask(number)
        assert np.array_equal(one["weights"], other["weights"])
        one["fitness"] = np.arange(20) % 3
        other["fitness"] = np.arange(20) % 3 - np.arange(20) / 100
        assert tied.tell(one) == apart.tell(other)
    assert np.array_equal(tied.ask(4)["weights"], apart.ask(4)["weights"])


def test_cma_es_draws_from_the_seed_alone() -> None:
    experiment = plan(mu=3, lam=6, generations=3, **{"evolution.strategy": "cma-es"})
    one = run(experiment)
    np.random.seed(7)  # noqa: NPY002 - the global state must neither matter nor be touched
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    other = run(experiment)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    assert all(np.array_equal(a.field, b.field) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("way", ["es", "ga", "cma-es"])
def test_one_that_comes_out_otherwise_does_not_go_on(way: str) -> None:
    experiment = plan(mu=3, lam=6, generations=4, **{"evolution.strategy": way})
    made = run(experiment)[:2]
    made[0].field["weights"][0, 0] += 1e-12
    with pytest.raises(RunError, match="generation 0 differs from the stored one"):
        run(experiment, fields=[generation.field for generation in made])


def test_every_generation_costs_its_games() -> None:
    experiment = plan(mu=4, lam=6, generations=3, decks=["mage", "shaman"])
    assert games_to_play(experiment) == (6 + 2 * 45) * 4 * 10
    cma = config.change(experiment, {"evolution.strategy": "cma-es"})
    assert games_to_play(cma) == 3 * 15 * 4 * 10
    hall = config.change(experiment, {"rating.hall_of_fame": 2})
    assert games_to_play(hall) == (6 + 45 + 10 * 1 + 45 + 10 * 2) * 4 * 10
    measured = config.change(experiment, {"references": {
        "against": ["random", "eva:2018"], "every": 2, "games": 9}})  # 16 games, whole rounds
    assert games_to_play(measured) == games_to_play(experiment) + 2 * 2 * 16
    assert games_to_play(measured, (1, 2)) == 45 * 4 * 10 + 2 * 16
