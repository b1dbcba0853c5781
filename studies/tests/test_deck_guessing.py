"""The study of guessing decks: its measures by hand, and the page and picture from its tables."""

import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from hsevo.cards import DeckDatabase
from hsevo.cards.tables import ids
from hsevo.play.guessing import Guess
from studies.deck_guessing import (
    BINS,
    BY_TURN,
    CALIBRATION,
    DRAWN,
    _in_bins,
    calibrated,
    games,
    interval,
    known_for,
    measured,
    picture,
    text,
)
from tests.docs import figures

TABLE, TOLD = pd.read_csv(BY_TURN), pd.read_csv(CALIBRATION)


def test_the_page_quotes_the_stored_tables() -> None:
    said = figures.quoted(figures.read())
    right, told, last = text(TABLE, TOLD).split("\n\n")
    for key, part in (("right", right), ("calibration", told)):
        assert said[f"deck-guessing.{key}"].strip() == part
    lists, shown = re.fullmatch(r"lists: (\S+); cards shown after turn 2, 4, 6, 8: (.*)",
                                last).groups()
    assert said["deck-guessing.lists"] == lists
    assert said["deck-guessing.shown"] == shown


def test_the_picture_is_drawn_from_the_tables() -> None:
    stored, drawn = DRAWN.read_text(encoding="utf-8"), picture(TABLE, TOLD).svg.decode()
    made_by = re.search(r"Matplotlib v[\d.]+", stored)
    assert made_by
    if made_by[0] not in drawn:
        pytest.skip(f"it was drawn by {made_by[0]}, and another version places text elsewhere")
    assert drawn == stored


def test_an_interval_by_hand() -> None:
    """Deviations -1 and -1 of one cluster, 1, 1: sqrt(4 + 1 + 1) * 1.96 / 4."""
    mean, low, high = interval(np.array([0.0, 0.0, 2.0, 2.0]), np.array(["a", "a", "b", "c"]))
    assert mean == 1
    assert high - mean == mean - low == pytest.approx(1.96 * 6**0.5 / 4)


def test_calibration_by_hand() -> None:
    """Of 10 cards 4 came; groups differ from 0.4 of theirs by 1 and -1: sqrt(2) * 1.96 / 10."""
    told = pd.DataFrame([("far", "match", 3, "a", 5, 1.5, 3), ("far", "match", 3, "b", 5, 1.9, 1)],
                        columns=["database", "method", "bin", "group", "cards", "chance", "came"])
    (row,) = calibrated(told).to_dict("records")
    assert (row["cards"], row["came"]) == (10, 0.4)
    assert row["chance"] == pytest.approx(0.34)
    assert row["came_high"] - 0.4 == pytest.approx(1.96 * 2**0.5 / 10)


def test_a_guess_is_measured_by_hand() -> None:
    """A list of 15 pairs; 28 cards shown, one pair is left; it is guessed by half."""
    deck = np.repeat(np.arange(1, 16), 2).astype(np.uint16)
    chances = np.zeros((len(ids()), 2))
    chances[15] = (0.9, 0.2)
    chances[40] = (0.5, 0.1)
    guess = Guess(np.array([0.2, 0.5, 0.3]), chances)
    numbers, cards = measured(deck, deck[:28].tolist(), guess, np.random.default_rng(1))
    assert numbers == {"shown": 28, "right": 0.5}
    assert cards.tolist() == [[0.9, 1], [0.5, 0]]
    assert [len(part) for part in _in_bins(cards)] == [0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert len(BINS) == 11


def test_what_is_known_in_each_case() -> None:
    whole = DeckDatabase.load()
    row = int(np.flatnonzero(whole.facts["split"] == "held-out")[5])
    known = known_for(row)
    name, cls = whole.facts.loc[row, ["deck", "class"]]
    assert {*known["itself"].facts["class"]} == {cls}
    assert len(known["near"]) == len(known["itself"]) - 1
    assert name not in {*known["near"].facts["deck"], *known["far"].facts["deck"]}
    assert {*known["far"].facts["split"]} == {"known"}


def test_what_is_shown_is_of_the_list_and_grows() -> None:
    whole = DeckDatabase.load()
    rows = []
    for row, by_turn in games(1):
        rows.append(row)
        assert by_turn[0] == []
        assert len(by_turn[-1]) > 3
        for before, after in pairwise(by_turn):
            assert after[:len(before)] == before
        assert Counter(by_turn[-1]) <= Counter(whole.decks[row].tolist())
    assert len(rows) == 2
    assert {*whole.facts["split"].iloc[rows]} == {"held-out"}
