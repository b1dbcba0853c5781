"""Commands load the entry points that they call, and no others: each compiles for half a minute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo.engine import jit
from hsevo.play.entry import enter, enter_rest

pytestmark = pytest.mark.skipif(jit.INTERPRETED, reason="nothing is compiled")
FEW = {"periods": 2, "rounds": 1, "games": 4, "payoff_games": 1}


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the names of the entry points that were loaded or called."""
    found: set[str] = set()
    for entry in (enter.build(late=False), enter_rest.build(late=False)):
        entry.load()

        def load(name: str = entry.__name__.removesuffix(jit.EARLY)) -> None:
            found.add(name)
        monkeypatch.setattr(entry, "load", load)
        monkeypatch.setattr(entry, "ready", False)  # so that each call loads it
    return found


@pytest.mark.parametrize(("agents", "named"), [
    (("random", "eva:2018"), {"enter"}), (("rl:2026", "gsv"), {"enter_rest"}),
    (("eva:2018", "rl:2026"), {"enter_rest"})])
def test_a_match_loads_what_its_agents_call(agents: tuple[str, str], named: set[str],
                                            loads: set[str]) -> None:
    hsevo.match(*agents, games=2, decks="mage", backend="serial")
    assert loads == named


def test_evolution_of_eva_needs_the_rules_alone(here: Path, loads: set[str]) -> None:
    few: dict[str, Any] = {"evolution.generations": 1, "evolution.mu": 2, "games": 2,
                           "decks": ["mage"], "workers.backend": "serial"}
    hsevo.evolve("smoke", out="run", changes=few)
    assert loads == {"enter"}


def test_learning_needs_no_part_for_the_rules_alone(here: Path, loads: set[str]) -> None:
    hsevo.learn("osfp-smoke", out="learned", changes=FEW | {"workers.backend": "serial"})
    assert loads == {"enter_rest"}
