"""The nine classic decks and the experiment with all of them, on the real engine."""

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from hsevo import config
from hsevo.cards.decks import read_deck
from hsevo.cards.sets import basic, classic, hall_of_fame
from hsevo.cards.terms import Class
from hsevo.cli import main
from hsevo.evolution.evolve import games_to_play
from hsevo.evolution.run import Run

PLAN = config.load("classic-nine")
OLD = {card.id for card in basic.CARDS + classic.CARDS + hall_of_fame.CARDS}
LITTLE = {"evolution.mu": 2, "evolution.lambda": 2, "evolution.generations": 2, "games": 1}


def test_there_is_a_deck_of_each_class() -> None:
    heroes = [read_deck(name).hero_class for name in PLAN.decks]
    assert sorted(heroes) == sorted(cls.name for cls in Class if cls)
    assert [name.removeprefix("classic-").upper() for name in PLAN.decks] == heroes


@pytest.mark.parametrize("name", PLAN.decks)
def test_a_classic_deck_has_basic_classic_and_hall_of_fame_cards_alone(name: str) -> None:
    deck = read_deck(name)
    assert len(deck.ids) == 30
    assert set(deck.ids) <= OLD


@pytest.mark.parametrize("name", PLAN.decks)
def test_a_classic_deck_says_where_it_comes_from(name: str) -> None:
    header = config.find(name, "decks").read_text(encoding="utf-8").partition("class:")[0]
    assert "Source: " in header.replace("\n# ", " ")


def test_the_games_are_those_that_the_comments_count() -> None:
    pairs = len(PLAN.decks) ** 2
    assert pairs * (2 * PLAN.evolution.mu - 1) * PLAN.games == 3_078
    assert games_to_play(PLAN) == 3_054_510


@pytest.mark.slow
def test_one_small_evolution_meets_all_81_deck_pairs(here: Path) -> None:
    words = [f"--set={key}={value}" for key, value in LITTLE.items()]
    result = CliRunner().invoke(
        main, ["evolve", "--config=classic-nine", "--backend=serial", "--out=mine", *words]
    )
    assert result.exit_code == 0, result.output
    assert Run(here / "mine").done
    matches = pd.read_parquet(here / "mine" / "matches.parquet")
    assert len(matches) == 81 + 6 * 81  # one pair of individuals, then six
    assert len(matches[["deck_a", "deck_b"]].drop_duplicates()) == 81
    assert (matches[["wins_a", "wins_b", "draws"]].sum(axis=1) == 1).all()
