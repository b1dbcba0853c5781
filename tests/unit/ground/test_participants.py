"""Designs of studies: codes, orders and seeds follow from the seed, and squares are balanced."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from hsevo.config.participants import Design, latin

BLOCKS = tuple({"condition": name, "opponent": "random", "deck": "mage", "against": "mage",
                "games": 2} for name in "abcd")


def design(**keys: object) -> Design:
    return Design.model_validate({"participants": 40, "blocks": BLOCKS} | keys)


@pytest.mark.parametrize("n", range(1, 8))
def test_a_square_is_balanced(n: int) -> None:
    rows = latin(n)
    assert len(rows) == (n if n % 2 == 0 or n == 1 else 2 * n)
    assert all(sorted(row) == [*range(n)] for row in rows)
    places = Counter((place, one) for row in rows for place, one in enumerate(row))
    assert len(places) == n * n
    assert len({*places.values()}) == 1
    follows = Counter(pair for row in rows for pair in pairwise(row))
    assert len(follows) == n * (n - 1)
    assert len({*follows.values()}) <= 1


def test_all_follows_from_the_seed() -> None:
    one, same, other = design(order="random"), design(order="random"), design(seed=2)
    assert one.codes == same.codes
    assert len({*one.codes}) == 40
    assert not {*one.codes} & {*other.codes}
    assert [one.order_of(k) for k in range(40)] == [same.order_of(k) for k in range(40)]
    assert len({tuple(one.order_of(k)) for k in range(40)}) > 10
    seeds = {one.seed_of(k, place) for k in range(40) for place in range(8)}
    assert len(seeds) == 320


def test_games_stand_block_by_block() -> None:
    found = design(order="latin")
    assert [one.condition for one in found.games_of(1)] == [*"bbccaadd"]
    assert [one.condition for one in design().games_of(7)] == [*"aabbccdd"]
