"""Strategies, over games that are made up: who stays, on the map too, and what a model guesses."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from hsevo import config
from hsevo.cards.deck_pool import DeckPool
from hsevo.config.deckbuilding import Plan
from hsevo.deckbuilding import strategies
from hsevo.deckbuilding.book import RESULT, Rates
from hsevo.deckbuilding.course import DeckCourse, Play
from hsevo.deckbuilding.field import Field
from hsevo.deckbuilding.strategies import DeckMapElites, MuLambda
from hsevo.deckbuilding.surrogate import Surrogate
from hsevo.errors import ConfigError

POOL = DeckPool.of("mage", sets=["basic"])
WORTH = np.random.default_rng(1).normal(size=len(POOL.cards))  # of each card
BASE: dict[str, Any] = {"pool": {"class": "mage", "sets": ["basic"]}, "field": ["mage", "warrior"],
                        "games": 100}
FIELD = Field((POOL.deck(POOL.most, "a"), POOL.deck(POOL.most, "b")), ("", ""), (1.0, 1.0), (), (),
              {})


def course(seed: int = 1, **search: Any) -> DeckCourse:
    plan = config.check(Plan, BASE | {"seed": seed, "search": search}, "test")
    return DeckCourse(plan, POOL, FIELD)


def play_of(it: DeckCourse, noise: float = 0.0) -> Play:
    """Return made-up games: a deck is as good as the sum of its cards, but for noise."""
    def play(number: int, decks: np.ndarray) -> np.ndarray:
        random = np.random.default_rng((number, len(decks)))
        strength = it.book.counts[decks] @ WORTH / 30
        rate = 1 / (1 + np.exp(-4 * strength))
        found = np.zeros((len(decks), 2), RESULT)
        found["games"], found["turns"] = 100, 2000
        found["wins"] = (100 * np.clip(rate + noise * random.normal(size=len(decks)), 0, 1)
                         ).round()[:, None]
        return found
    return play


def run(it: DeckCourse, generations: int, play: Play | None = None) -> DeckCourse:
    for number in range(generations):
        it.step(number, play or play_of(it))
    return it


def truth(it: DeckCourse, decks: np.ndarray) -> np.ndarray:
    found: np.ndarray = it.book.counts[decks] @ WORTH / 30
    return found


SMALL: dict[str, Any] = {"first": 20, "mu": 4, "lambda": 20, "generations": 20}


def mean_truth(generations: int, noise: float, **search: Any) -> float:
    """Return how good the best by the search truly is, the mean of three seeds."""
    found = []
    for seed in (1, 2, 3):
        it = course(seed, **SMALL | search)
        run(it, generations, play_of(it, noise))
        found.append(truth(it, it.strategy.stay)[0])
    return float(np.mean(found))


def test_selection_finds_better_decks_than_chance() -> None:
    assert mean_truth(12, 0, strategy="random") + 0.1 < mean_truth(12, 0)


def test_a_surrogate_sees_through_noise() -> None:
    """The worths of cards add up here, as the model has it."""
    assert mean_truth(9, 0.05) + 0.1 < mean_truth(9, 0.05, surrogate=20)


def test_a_hill_climber_keeps_the_best_that_it_met() -> None:
    it = run(course(**SMALL | {"mu": 1}), 12)
    fitness = it.book.fitness(np.arange(len(it.book)))
    assert fitness[it.strategy.stay].tolist() == [fitness.max()]


def test_parents_play_the_same_deals_again() -> None:
    it = course(**SMALL)
    made = [it.step(number, play_of(it)) for number in range(3)]
    assert made[0].met["decks"][0].tolist() == [*range(20)]
    assert made[1].met["decks"][0].tolist() == [*range(20, 40), *it_parents(it, made[0])]
    assert made[1].line["games"] == 24 * 200
    assert it.book.results["games"][made[1].met["decks"][0][-1]].sum() >= 400


def it_parents(it: DeckCourse, first: Any) -> list[int]:
    """Return the best four of the first generation by their made-up games."""
    rates = np.round(100 / (1 + np.exp(-4 * truth(it, first.new))))
    found: list[int] = np.argsort(-rates, kind="stable")[:4].tolist()
    return found


def test_the_map_keeps_the_best_of_each_cell() -> None:
    it = run(course(**SMALL | {"strategy": "map-elites", "cells": [6, 6]}), 15)
    assert isinstance(it.strategy, DeckMapElites)
    archive, everyone = it.strategy.archive, np.arange(len(it.book))
    fitness = it.book.fitness(everyone)
    for cell in {*archive.cells_of(everyone)}:
        inside = [i for i, other in enumerate(archive.cells_of(everyone)) if other == cell]
        assert fitness[archive.cells[cell]] == fitness[inside].max()
    line = it.step(15, play_of(it)).line
    assert line["cells"] == len(archive.cells)
    assert line["coverage"] == len(archive.cells) / 36


def test_a_challenged_elite_plays_the_same_deals() -> None:
    it = course(**SMALL | {"strategy": "map-elites", "cells": [2, 2], "compare": "paired"})
    it.step(0, play_of(it))
    assert isinstance(it.strategy, DeckMapElites)
    before = dict(it.strategy.archive.cells)
    made = it.step(1, play_of(it))
    cells = {*it.strategy.archive.cells_of(made.new)}
    again = made.met["decks"][0][len(made.new):]
    assert {*again.tolist()} == {before[cell] for cell in cells & {*before}}


def test_sliding_boundaries_part_decks_into_equal_shares() -> None:
    it = run(course(**SMALL | {"strategy": "map-elites", "cells": [4, 4], "boundaries": "sliding",
                               "remap": 4}), 8)
    assert isinstance(it.strategy, DeckMapElites)
    columns = np.array([cell[0] for cell in it.strategy.archive.cells_of(np.arange(160))])
    assert np.bincount(columns, minlength=4) == pytest.approx(40, abs=16)
    fixed = run(course(**SMALL | {"strategy": "map-elites", "cells": [4, 4]}), 8)
    assert isinstance(fixed.strategy, DeckMapElites)
    assert len(it.strategy.archive.cells) > len(fixed.strategy.archive.cells)


def test_the_lower_bound_mistrusts_few_games() -> None:
    results = np.zeros((2, 2), RESULT)
    results["games"], results["wins"] = [[10, 10], [1000, 1000]], [[8, 8], [700, 700]]
    rates = Rates(results, np.array([0.5, 0.5]), 2)
    assert rates.fitness("rate").tolist() == [0.8, 0.7]
    low = rates.fitness("rate", bound=True)
    assert low[0] < low[1] < 0.7
    assert rates.rate()[0] == 0.8
    assert rates.ends()[0] == pytest.approx(low)


def test_fitness_is_by_shares_or_of_the_worst_match_up() -> None:
    """Two pilots, two decks of the field; a draw is half a win."""
    results = np.zeros((1, 4), RESULT)
    results["games"], results["wins"], results["draws"] = 10, [[10, 0, 6, 4]], [[0, 0, 0, 2]]
    results["margin"], results["turns"] = [[50, -100, 0, 10]], 200
    rates = Rates(results, np.array([0.375, 0.125, 0.375, 0.125]), 2)
    assert rates.rate()[0] == pytest.approx(0.375 * 1.6 + 0.125 * 0.5)
    assert rates.fitness("worst")[0] == pytest.approx((0 + 0.5) / 2)
    assert rates.fitness("health")[0] == pytest.approx(0.375 * 5 - 0.125 * 10 + 0.125 * 1)
    assert rates.behaviour()["turns"][0] == 20


def test_a_model_learns_what_cards_are_worth() -> None:
    it = run(course(**SMALL | {"strategy": "random"}), 20)
    model, everyone = Surrogate(it.book), np.arange(len(it.book))
    assert np.corrcoef(model.worth, WORTH)[0, 1] > 0.8
    assert np.corrcoef(model.guess(it.book.counts), truth(it, everyone))[0, 1] > 0.9


def test_new_decks_were_not_there_before() -> None:
    it = run(course(**SMALL | {"crossover": 0.5}), 10)
    assert len({one.tobytes() for one in it.book.counts}) > 0.98 * len(it.book)
    assert (it.book.parents[20:, 1] >= 0).mean() == pytest.approx(0.5, abs=0.15)


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: course(first=3, mu=5), "first is 3, but must be at least mu (5)"),
    (lambda: course(features=["mana", "mana"]), "features has mana twice"),
    (lambda: course(ranges=[[3, 1], [0, 1]]), "a low and a higher number"),
    (lambda: config.check(Plan, BASE | {"field": []}, "x"), "field is [], but must name at least"),
    (lambda: config.check(Plan, BASE | {"games": 3}, "x"), "games is 3"),
    (lambda: config.check(Plan, BASE | {"fitness": "health", "search": {"compare": "bound"}}, "x"),
     "has no interval; use mean"),
]


def test_a_second_parent_is_of_the_deck_that_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not of a try before it, whose deck was there already."""
    it = run(course(**SMALL | {"crossover": 0.5}), 1)
    assert isinstance(it.strategy, MuLambda)
    crossed, tries = POOL.most.copy(), Random(1)
    monkeypatch.setattr(strategies, "child_of", lambda *_: crossed)
    monkeypatch.setattr(strategies, "mutant", lambda pool, base, *_: base)
    monkeypatch.setattr(type(it.book), "__contains__", lambda *_: tries.random() < 0.5)
    made = [it.strategy._child(0, Random(seed)) for seed in range(100)]
    assert [parents[1] >= 0 for _, parents in made] == [child is crossed for child, _ in made]
    assert 20 < sum(child is crossed for child, _ in made) < 80


@pytest.mark.parametrize(("wrong", "says"), WRONG)
def test_settings_that_make_no_sense_get_one_line(wrong: Callable[[], Any], says: str) -> None:
    with pytest.raises(ConfigError) as error:
        wrong()
    assert says in str(error.value)
    assert "\n" not in str(error.value)
