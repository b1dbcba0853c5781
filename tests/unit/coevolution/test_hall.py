"""The hall of fame, who meets whom, and what the games of pairs are."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo import config
from hsevo.cards.decks import read_deck
from hsevo.coevolution.course import games_of, measured
from hsevo.coevolution.pairs import OPPONENTS, PARTNERS, HallOfFame, Pair, play_pairs
from hsevo.config import Workers
from hsevo.config.coevolution import Plan
from hsevo.play.workers import open_workers
from hsevo.seeds import derive
from hsevo.strength.roster import read_agent


def pair(pilot: str, deck: str = "mage") -> Pair:
    return Pair(pilot, read_deck(deck), read_agent("random"))


def hall(size: int, seed: int = 1) -> HallOfFame:
    plan: Any = SimpleNamespace(seed=seed, hall=SimpleNamespace(size=size))
    return HallOfFame(plan, [pair("a"), pair("b")])


def names(pairs: list[Pair]) -> list[str]:
    return [one.pilot for one in pairs]


def test_first_pairs_stay_and_the_newest_does() -> None:
    it, left = hall(3), []
    for number in range(20):
        left.append(it.enter(pair(f"c{number}"), number))
        assert names(it.pairs)[:2] == ["a", "b"]
        assert names(it.pairs)[-1] == f"c{number}"
        assert len(it.champions) == min(number + 1, 3)
        assert it.since == [-1, -1, *(int(one.pilot[1:]) for one in it.champions)]
    assert left[:3] == [-1, -1, -1]
    assert len({*left[3:]}) == 17  # each leaves once
    assert sorted({*range(20)} - {*left}) == it.since[2:]


def test_one_that_is_there_becomes_the_newest() -> None:
    it = hall(5)
    for number, name in enumerate("cdc"):
        assert it.enter(pair(name), number) == -1
    assert names(it.pairs) == ["a", "b", "d", "c"]
    assert it.since == [-1, -1, 1, 2]


def test_a_draw_has_the_newest_and_others_each_once() -> None:
    it = hall(10)
    for number, name in enumerate("cdefg"):
        it.enter(pair(name), number)
    drawn = [names(it.draw(number, 4, OPPONENTS)) for number in range(30)]
    assert {one[0] for one in drawn} == {"g"}
    assert all(len({*one}) == 4 for one in drawn)
    assert {name for one in drawn for name in one} == {*"abcdefg"}
    assert drawn[0] == names(it.draw(0, 4, OPPONENTS))
    assert drawn != [names(it.draw(number, 4, PARTNERS)) for number in range(30)]
    few = names(hall(10).draw(0, 5, OPPONENTS))
    assert few == ["b", "a", "b", "a", "b"]  # fewer than are drawn come again


def test_games_are_those_of_a_match_seed_by_seed() -> None:
    plan = config.load("coevolve-smoke", model=Plan)
    own = [pair("x", "mage"), Pair("y", read_deck("shaman"), read_agent("greedy:metastone"))]
    theirs = [pair("z", "warrior"), pair("z", "mage"), pair("z", "warrior")]
    with open_workers(Workers(backend="serial")) as executor:
        found = play_pairs(executor, plan, [[one] * 3 for one in own], theirs, 2, (1, 7))
        alone = play_pairs(executor, plan, [own[1:] * 3], theirs, 2, (1, 7))
    assert found.shape == (2, 3)
    assert (found[1] == alone[0]).all()  # whoever else plays
    assert (found["games"] == 2).all()
    seeds = derive((1, 7), np.arange(3)).tolist()
    for k, (other, seed) in enumerate(zip(theirs, seeds, strict=True)):
        won = []
        for seat in (0, 1):
            decks, players = ["shaman", other.deck.name], ["greedy:metastone", "random"]
            turn = slice(None) if seat == 0 else slice(None, None, -1)
            game = hsevo.Game(*decks[turn], players=players[turn], seed=seed)
            game.run()
            won.append(game.winner == seat)
        assert found["wins"][1, k] == sum(won)


@pytest.mark.parametrize("number", [0, 1, 7])
def test_games_of_a_generation_by_hand(number: int) -> None:
    # 8 decks at first, 3 + 5; 3 + 5 weights; 4 meetings of 4
    plan = config.load("coevolve-smoke", model=Plan)
    assert games_of(plan, number) == ((8 + 3) if number == 0 else (8 + 8)) * 4 * 4
    assert measured(plan, number) == (number % 2 == 1)
