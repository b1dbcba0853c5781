"""Pairs with a commit: what is no commit is refused, and both versions play the same match."""

import pytest

from hsevo.errors import ConfigError
from studies.paired_speed import ROOT, check_out, seconds


def test_what_is_no_commit_is_refused() -> None:
    with pytest.raises(ConfigError, match="no commit 'nothing' in this repository"):
        check_out("nothing")


def test_a_version_is_timed_and_tells_its_wins() -> None:
    first, again = (seconds(ROOT, "random", "greedy:metastone", 18) for _ in range(2))
    assert first[0] > 0
    assert first[1] == again[1]
    with pytest.raises(ConfigError, match="cannot play nobody against random"):
        seconds(ROOT, "nobody", "random", 18)
