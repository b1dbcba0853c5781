"""HearthSim's stop nodes as its blog has them: draws that are not made, and all outcomes."""

import numpy as np
import pytest

from hsevo.cards.tables import by_name, index
from hsevo.engine.view.show import move_text
from hsevo.engine.view.snapshot import snapshot
from tests.rules.test_equations import Position
from tests.unit.agents.test_search import hurt, position, worth

INTELLECT = "play Arcane Intellect"  # 3 mana, draws two cards
MISSILES = "play Arcane Missiles"


def gain(made: Position, words: str) -> float:
    return made.score(words) - worth(made)


def with_deck(made: Position, *names: str) -> Position:
    side = made.g.side[0]
    side.n_deck = len(names)
    side.deck[:len(names)] = [index()[by_name()[name]] for name in names]
    return made


# -- draws: a card in hand is worth 0.1, a point of a hero's health 0.1 ---------------------------


def test_a_draw_is_a_stop_node_by_default() -> None:
    made = position("hearthsim", ("Arcane Intellect", "Fireball"))
    assert gain(made, INTELLECT) == pytest.approx(0.1)


def test_the_search_goes_on_without_the_cards_and_adds_what_they_are_worth() -> None:
    made = position("hearthsim?draws=expected", ("Arcane Intellect", "Fireball"))
    # two cards for one; then Fireball, a card less and 6 damage
    assert gain(made, INTELLECT) == pytest.approx(0.1 + 0.6 - 0.1)
    assert made.g.side[0].n_hand == 2
    now = snapshot(made.g)
    intellect = next(move for move in made.table.moves if move_text(now, move) == INTELLECT)
    made.table.move(int(intellect))  # the true draw is one
    assert made.g.side[0].n_hand == 3


def test_no_card_of_the_deck_is_played_in_the_look_ahead() -> None:
    made = position("hearthsim?draws=expected", ("Arcane Intellect",), (), ())
    with_deck(made, *8 * ["Fireball"])
    hurt(made, 1, 6)
    assert gain(made, INTELLECT) == pytest.approx(0.1)


def test_by_costs_the_deck_counts() -> None:
    made = position("hearthsim?draws=expected&hand=costs", ("Arcane Intellect", "The Coin"))
    with_deck(made, "Fireball", "Fireball", "Wisp")
    # a hand of 3 mana and 0; the deck's mean is 8/3, so two cards are worth 16/3
    assert worth(made) == pytest.approx(0.3)
    assert gain(made, INTELLECT) == pytest.approx(0.1 * (16 / 3 - 3))


def test_a_tutor_can_empty_the_deck_from_which_cards_would_have_been_drawn() -> None:
    spec = "hearthsim?draws=expected&hand=costs"
    made = position(spec, ("Arcane Intellect", "Sense Demons"), mana=10)
    with_deck(made, "Voidwalker")
    # Sense Demons takes the one demon and makes an imp (1 mana each); nothing is left to draw
    assert gain(made, "play Sense Demons") >= 0.1 * (1 + 1 - 3) - 1e-9
    assert np.isfinite(gain(made, INTELLECT))


def test_cards_without_room_are_worth_nothing() -> None:
    made = position("hearthsim?draws=expected", ("Arcane Intellect", *9 * ["The Coin"]), mana=3)
    # nine cards are left, room for one; no coin is worth playing
    assert gain(made, INTELLECT) == pytest.approx(-0.1 + 0.1)


def test_fatigue_is_known_and_taken() -> None:
    made = position("hearthsim?draws=expected", ("Arcane Intellect",))
    with_deck(made, "Wisp")
    # one card for one, and 1 damage
    assert gain(made, INTELLECT) == pytest.approx(-0.1 + 0.1 - 0.1)
    made.table.decide()
    assert made.g.side[0].n_deck == 1
    assert made.g.side[0].fatigue == 0


def test_the_true_game_draws_as_ever() -> None:
    made = position("hearthsim?draws=expected&exact=8", ("Arcane Intellect",))
    made.table.decide()
    assert not made.g.undrawn.any()
    assert made.g.scripted == 0


# -- random effects --------------------------------------------------------------------------------


def missiles(spec: str) -> tuple[float, int]:
    made = position(spec, ("Arcane Missiles",), (), ("Wisp",))
    found = gain(made, MISSILES)
    return found, made.table.simulated


HITS = 7 / 8 * 2 + 1 / 8 * 3  # of the hero: the Wisp dies in 7 of 8 outcomes


def test_all_outcomes_are_weighed() -> None:
    """Four outcomes: the Wisp by the first, second or third missile, or never."""
    found, simulated = missiles("hearthsim?exact=8")
    assert found == pytest.approx(7 / 8 * 2 + 0.1 * HITS - 0.1, abs=1e-12)
    assert simulated == 1 + 4


def test_too_many_outcomes_are_sampled() -> None:
    exact, sampled = missiles("hearthsim?exact=3&samples=1000"), missiles("hearthsim?samples=1000")
    assert exact[0] == sampled[0]
    assert abs(exact[0] - (7 / 8 * 2 + 0.1 * HITS - 0.1)) < 0.08
    assert 1000 < exact[1] <= 1004


@pytest.mark.parametrize("card", ["Mad Bomber", "Multi-Shot", "Ragnaros the Firelord",
                                  "Bane of Doom", "Deadly Shot"])
def test_the_expectation_is_what_many_samples_come_near_to(card: str) -> None:
    found = []
    for spec in ("hearthsim?exact=1000", "hearthsim?samples=1000"):
        made = position(spec, (card,), ("Wisp",), ("River Crocolisk", "Wisp", "Bloodfen Raptor"))
        words = next(words for words in made.scores if words.startswith(f"play {card}"))
        found.append(made.score(words))
    assert found[0] == pytest.approx(found[1], abs=0.35)  # some 3 standard errors


def test_a_draw_is_a_random_effect_where_it_is_made() -> None:
    """Each of the deck's three cards costs the same: 3 outcomes for the first, 2 for the second."""
    made = with_deck(position("hearthsim?exact=6&hand=costs", ("Arcane Intellect",)),
                     "Fireball", "Wisp", "Wisp")
    assert gain(made, INTELLECT) == pytest.approx(0.1 * (2 * 4 / 3 - 3))
    assert made.table.simulated == 1 + 6


def test_texts_that_ask_until_a_number_is_new_come_to_an_end() -> None:
    """Discover draws three different cards: with a constant for a random number, it never would."""
    told = []
    for option in ("exact=1000", "exact=0"):
        made = position(f"hearthsim?{option}", ("Kabal Courier",), mana=4)
        told.append(made.score("play Kabal Courier"))
    assert told[0] == told[1]  # more than sixteen numbers: sampled


def test_decisions_are_repeatable() -> None:
    spec = "hearthsim?draws=expected&exact=32&hand=costs"
    told = []
    for _ in range(2):
        made = position(spec, ("Arcane Intellect", "Arcane Missiles", "Fireball"),
                        ("River Crocolisk",), ("Wisp", "Wisp"))
        told.append((made.table.decide(), made.table.scores.tolist()))
    assert told[0] == told[1]
    assert np.isfinite(told[0][1]).all()
