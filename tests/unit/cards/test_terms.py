"""The terms of the card files: no two of a kind share a number."""

from enum import IntEnum

import pytest

from hsevo.cards import ops, terms

KINDS = [kind for kind in (*vars(terms).values(), ops.Op)
         if isinstance(kind, type) and issubclass(kind, IntEnum) and kind is not IntEnum]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_two_terms_share_a_number(kind):
    assert list(kind.__members__) == [term.name for term in kind]
