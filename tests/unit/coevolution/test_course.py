"""The course of a coevolution over games that are made up: both populations get better."""

from typing import Any

import numpy as np

from hsevo import config
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import read_deck
from hsevo.coevolution.course import DECKS, WEIGHTS, Meetings, PairCourse, genome_of
from hsevo.coevolution.pairs import Pair
from hsevo.coevolution.run import NONE
from hsevo.config.coevolution import Plan
from hsevo.deckbuilding.book import RESULT
from hsevo.strength.roster import read_agent

POOL = DeckPool.of("mage", sets=["basic"])
WORTH = np.random.default_rng(1).normal(size=len(POOL.cards))  # of each card
BEST = 0.25  # what all weights should be
BASE: dict[str, Any] = {
    "pool": {"class": "mage", "sets": ["basic"]}, "games": 100, "generations": 25,
    "decks": {"first": 10, "mu": 3, "lambda": 12}, "weights": {"mu": 3, "lambda": 12},
    "hall": {"first": ["random@mage"], "size": 4, "opponents": 2, "partners": 2},
    "reference": {"against": ["warrior"]}}


def course(**more: Any) -> PairCourse:
    plan = config.check(Plan, BASE | more, "test")
    first = [Pair("random", read_deck("mage"), read_agent("random"))]
    return PairCourse(plan, POOL, genome_of(plan), first, [])


def goodness(it: PairCourse, made: Meetings) -> np.ndarray:
    """Return how good candidates are: decks by their cards, weights by how near they are."""
    if made.population == DECKS:
        return it.book.counts[made.candidates] @ WORTH / 30
    vectors = np.array([it.vectors[f"individual-{i}"] for i in made.candidates.tolist()])
    return -np.abs(vectors - BEST).mean(axis=1)


def run(it: PairCourse, generations: int) -> list[Any]:
    def play(made: Meetings) -> np.ndarray:
        found = np.zeros((len(made.candidates), len(made.theirs)), RESULT)
        found["games"], found["turns"] = 100, 2000
        found["wins"] = (50 + 50 * np.tanh(goodness(it, made))).round()[:, None]
        return found

    return [it.step(number, play, lambda number, pair: NONE) for number in range(generations)]


def test_both_populations_get_better_and_the_best_enter_the_hall() -> None:
    it = course()
    made = run(it, 25)
    first, last = ([goodness(it, meetings).max() for meetings in one.meetings]
                   for one in (made[0], made[-1]))
    assert last[0] > first[0] + 0.2
    assert last[1] > first[1] + 0.1
    for one in made:
        decks, weights = one.meetings
        assert one.results[0]["wins"].max() == one.results[0]["wins"][
            decks.candidates == one.line["deck"]].max()  # of equal ones, any
        assert one.champion.name == f"individual-{one.line['individual']}@deck-{one.line['deck']}"
        assert (decks.population, weights.population) == (DECKS, WEIGHTS)
    assert it.hall.pairs[-1].name == made[-1].champion.name
    assert len(it.hall.champions) <= 4


def test_partners_and_opponents_are_the_hall_before() -> None:
    it, seen = course(), []

    def play(made: Meetings) -> np.ndarray:
        known = {one.name for one in it.hall.pairs}
        assert {one.name for one in (*made.partners, *made.theirs)} <= known
        for row in made.own:
            for own, partner in zip(row, made.partners, strict=True):
                if made.population == DECKS:
                    assert (own.agent == partner.agent).all()
                    assert own.deck.name.startswith("deck-")
                else:
                    assert own.deck == partner.deck
                    assert own.pilot.startswith("individual-")
        seen.append((made.number, made.population, len(made.candidates)))
        found = np.zeros((len(made.candidates), len(made.theirs)), RESULT)
        found["games"] = 100
        return found

    for number in range(3):
        it.step(number, play, lambda number, pair: NONE)
    assert seen == [(0, DECKS, 10), (0, WEIGHTS, 3), (1, DECKS, 15), (1, WEIGHTS, 15),
                    (2, DECKS, 15), (2, WEIGHTS, 15)]


def test_one_seed_is_one_course() -> None:
    lines = [[one.line for one in run(course(seed=seed), 5)] for seed in (1, 1, 2)]
    assert lines[0] == lines[1] != lines[2]
