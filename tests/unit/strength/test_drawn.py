"""Matches on human lists: their pairs, the variance that sharing lists adds, and classes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

import hsevo
from hsevo.cards import DeckDatabase
from hsevo.errors import ConfigError, DeckError
from hsevo.strength.drawn import design_effect
from hsevo.strength.lineup import pairs_table
from hsevo.strength.rating import rate
from tests.support.command import hsevo as hsevo_command


def by_definition(scores, one, other):
    """Return the design effect as the sum over all two scores that share a list."""
    off = scores - scores.mean()
    share = [[bool({a, b} & {c, d}) for c, d in zip(one, other, strict=True)]
             for a, b in zip(one, other, strict=True)]
    g = len({*one.tolist(), *other.tolist()})
    ratio = float(off @ np.array(share) @ off) / float(off @ off) * g / (g - 1)
    few = max(min(len({*one.tolist()}), len({*other.tolist()})) - 1, 1)
    return max(ratio, 1) * float(t.ppf(0.975, few) / t.ppf(0.975, max(len(scores) - 1, few))) ** 2


def test_scores_without_a_common_list_count_in_full():
    scores = np.array([1.0, 0.0, 1.0, 0.0])
    assert design_effect(scores, np.arange(0, 8, 2), np.arange(1, 8, 2)) == pytest.approx(8 / 7)


def test_two_scores_of_one_list_count_as_one():
    """By hand: deviations 1/2, 1/2, -1/2, -1/2; sums of lists 1, 1/2, 1/2, -1, -1/2, -1/2.

    The squares of these are 3, those of the four pairs of lists 1: a variance of 2, and 1 if all
    were independent; times 6 / 5 for six lists. Two lists on one side have one degree of freedom,
    four scores three: Student's quantiles 12.706 and 3.182.
    """
    scores = np.array([1.0, 1.0, 0.0, 0.0])
    found = design_effect(scores, np.array([0, 0, 3, 3]), np.array([1, 2, 4, 5]))
    assert found == pytest.approx(2 * 6 / 5 * (12.7062 / 3.18245) ** 2, rel=1e-4)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 6), st.integers(0, 6)),
                min_size=2, max_size=30))
def test_it_is_what_its_definition_says(rows):
    scores, one, other = (np.array(column) for column in zip(*rows, strict=True))
    found = design_effect(scores, one, other)
    assert found >= 1
    if scores.std() and len({*one.tolist(), *other.tolist()}) > 1:
        assert found == pytest.approx(by_definition(scores, one, other))


def test_intervals_hold_where_lists_differ_and_those_of_pairs_would_not():
    """Lists that are better or worse by chance: 95 of 100 intervals have the true rate, 0.5."""
    random, held, plain = np.random.default_rng(1), 0, 0
    for _ in range(400):
        worth = random.normal(0, 0.25, 40)
        one, other = random.integers(0, 40, (2, 400))
        chance = np.clip(0.5 + worth[one] + worth[other], 0, 1)
        scores = (random.random(400) < chance).astype(float)
        counts = np.array([(scores == 0).sum(), 0, (scores == 1).sum()])
        for effect in (design_effect(scores, one, other), 1.0):
            low, high = (found := rate(counts / effect)).low, found.high
            held, plain = (held + (low < 0.5 < high), plain) if effect > 1 else (
                held, plain + (low < 0.5 < high))
    assert 0.91 <= held / 400 <= 0.98
    assert plain / 400 < 0.7


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    return hsevo.match("eva:2018", "random", games=60, decks="human:held-out", workers=1,
                       out=tmp_path_factory.mktemp("drawn") / "match")


def test_each_pair_has_two_lists_that_are_held_out_and_each_agent_plays_both(match):
    facts, games = DeckDatabase.load().facts.set_index("deck"), match.games
    assert len(games) == 60
    assert {*facts.loc[[*games["deck_a"], *games["deck_b"]], "split"]} == {"held-out"}
    first, second = games.iloc[::2], games.iloc[1::2]
    for same in ("deck_a", "deck_b", "seed"):
        assert first[same].tolist() == second[same].tolist()
    assert (first["a"].to_numpy() == second["b"].to_numpy()).all()
    assert games["deck_a"].nunique() > 20


def test_classes_add_up_to_the_match(match):
    table = match.classes
    assert table["games"].sum() == match.played == 60
    assert table["wins"].sum() == match.wins
    assert table["class"].tolist() == sorted(table["class"])
    assert ((table["rate_low"] <= table["rate"]) & (table["rate"] <= table["rate_high"])).all()


def test_a_match_on_drawn_lists_is_the_same_on_other_workers_and_opened_again(match):
    again = hsevo.match("eva:2018", "random", games=60, decks="human:held-out", workers=2)
    assert again.games.equals(match.games)
    opened = hsevo.open_match(match.path)
    assert (opened.rate, opened.classes.equals(match.classes)) == (match.rate, True)


def test_an_agent_against_itself_shows_what_classes_are_worth():
    """Both games of a pair are the same game: what one class wins by it, another one loses."""
    itself = hsevo.match("eva:2018", "eva:2018", games=60, decks="human:held-out", workers=1)
    assert itself.names == ("eva:2018", "itself")
    assert (itself.wins, itself.losses, itself.rate.value) == (itself.losses, itself.wins, 0.5)
    table = itself.classes.set_index("class")
    assert table["wins"].sum() == table["losses"].sum() == itself.wins
    assert table["rate"].max() > 0.5 > table["rate"].min()
    twice = itself.games["wins_a"].to_numpy().reshape(-1, 2)
    assert (twice[:, 0] == twice[:, 1]).all()


def test_what_is_printed_of_an_agent_against_itself():
    said = hsevo_command("match", "random", "random", "--decks", "human:held-out", "--games", 10)
    assert said.exit_code == 0
    first, second, third, *_ = said.stdout.splitlines()
    assert first == "random played itself, so its win rate is 50 %; only the classes differ"
    assert second.startswith("random against itself: 10 games in 5 pairs, ")
    assert third.strip() == "the two games of a pair are the same, each counted from both sides"
    assert "strength of each class played by random" in said.stdout
    assert "Elo" not in said.stdout


def test_known_lists_are_others(match):
    known = hsevo.match("eva:2018", "random", games=10, decks="human:known", workers=1)
    assert not {*known.games["deck_a"]} & {*match.games["deck_a"]}


@pytest.mark.parametrize(("call", "error", "said"), [
    (lambda: hsevo.match("random", "random", decks="human:held-out,mage"), ConfigError,
     "human:held-out draws decks for every pair of games; use it alone"),
    (lambda: hsevo.match("eva:2018@mage", "random", decks="human:held-out"), ConfigError,
     "can't be combined with an agent with a deck of its own"),
    (lambda: hsevo.match("eva:2018", "random", decks="human:held-out", sprt=(0, 10)), ConfigError,
     "can't be combined with sprt"),
    (lambda: hsevo.arena(["eva:2018", "random"], decks="human:held-out"), DeckError,
     "human:held-out is not a deck, but a group of decks that only"),
])
def test_what_cannot_be_is_refused_in_a_line(call, error, said):
    with pytest.raises(error, match=said) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_few_lists_are_worth_little():
    """50 pairs of the same two lists are far from 50 pairs, also if one agent wins all of them."""
    zeros, ones = np.zeros(50, int), np.ones(50, int)
    scores = np.ones(50)
    assert design_effect(scores, zeros, ones) == 50
    scores[0] = 0.5
    assert design_effect(scores, zeros, ones) > 30  # Student's quantile of 1: 12.7
    assert design_effect(np.ones(4), np.arange(0, 8, 2), np.arange(1, 8, 2)) == 1


def test_pairs_are_counted_whole(match):
    """Lists that are shared make intervals wider; they take no pair away."""
    table = pairs_table(match)
    counted = table[[name for name in table if name.startswith("pairs_")]]
    assert (counted.sum(axis=1) == table["games"] / 2).all()
