"""Start of Game: Baku the Mooneater and Genn Greymane, whose decks decide before the first turn."""

import pytest

import hsevo
from hsevo.cards.tables import cards, ids

RULES = "rise2019"
ODD, EVEN = "GIL_826", "GIL_692"
END = 0


def filler(parity: int) -> list[str]:
    """Return 29 names of neutral minions and Mage cards whose costs are all odd (1) or even (0)."""
    pool = [card.name for card in cards(RULES).values()
            if card.collectible and card.cls.name in ("NEUTRAL", "MAGE") and not card.group
            and card.cost % 2 == parity and not card.at_start]
    return pool[:29]


def begun(*names: str) -> hsevo.Game:
    """Return a game of the first player with a Mage's deck of these cards, after the mulligan."""
    deck = hsevo.Deck(list(names), hero="mage")
    game = hsevo.Game(deck, "warrior", ruleset=RULES, seed=4, first=0)
    game.apply(END)
    game.apply(END)
    return game


def power(game: hsevo.Game) -> str:
    """Return the hero power of the first player."""
    return ids(RULES)[int(game.states()["side"]["power"][0, 0])]


def can_use_power(game: hsevo.Game) -> bool:
    """Return whether the hero power can be used now."""
    return any(move.kind == "hero power" for move in game.moves)


@pytest.mark.parametrize("more", ["Baku the Mooneater", "Genn Greymane"])
def test_a_deck_of_mixed_costs_changes_nothing(more: str) -> None:
    game = begun(more, *filler(1)[:14], *filler(0)[:15])
    assert power(game) == "CS2_034"
    assert not can_use_power(game)  # it costs 2, and there is one crystal


def test_baku_upgrades_the_hero_power_of_an_odd_deck() -> None:
    assert power(begun(cards(RULES)[ODD].name, *filler(1))) == "AT_132_MAGE"


def test_baku_counts_no_cards_that_prince_malchezaar_adds() -> None:
    """The starting deck decides; Prince Malchezaar, who costs 5, adds five cards of any cost."""
    names = [cards(RULES)[ODD].name, "Prince Malchezaar", *filler(1)[:28]]
    for order in (names, names[::-1]):
        assert power(begun(*order)) == "AT_132_MAGE"


def test_genn_makes_the_hero_power_of_an_even_deck_cost_1() -> None:
    game = begun(cards(RULES)[EVEN].name, *filler(0))
    assert power(game) == "CS2_034"
    assert can_use_power(game)  # with one crystal


def opening(game: hsevo.Game, player: int) -> list[str]:
    """Return the hand with which a player began, by id."""
    return [ids(RULES)[card] for card in game.states()["side"]["opening"][0, player] if card]


@pytest.mark.parametrize("player", [0, 1])
def test_the_hand_after_the_mulligan_is_the_opening_hand(player: int) -> None:
    """The first player throws its first card back; The Coin is none of those that are drawn."""
    deck = hsevo.Deck([cards(RULES)["TRL_318"].name, *filler(1)], hero="mage")
    game = hsevo.Game(deck, deck, ruleset=RULES, seed=4, first=0)
    before = [card["card"] for card in game.view(0)["me"]["hand"]]
    game.apply(next(move.index for move in game.moves if move.index > END))
    game.apply(END)
    game.apply(END)
    hand = [card["card"] for card in game.view(player)["me"]["hand"]]
    assert opening(game, player) == hand[:3 + player]
    assert opening(game, 0) != before
    assert [card["card"] for card in game.view(player)["me"]["opening_hand"]] == hand[:3 + player]
    assert "opening_hand" not in game.view(1 - player)["opponent"]


def test_a_ruleset_without_hex_lord_malacrass_notes_no_opening_hands() -> None:
    game = hsevo.Game("mage", "warrior", seed=4)
    assert not game.states()["side"]["opening"].any()


def test_worlds_hide_the_opponents_opening_hand() -> None:
    deck = hsevo.Deck([cards(RULES)["TRL_318"].name, *filler(1)], hero="mage")
    game = hsevo.Game(deck, deck, ruleset=RULES, seed=4, first=0)
    game.apply(END)
    game.apply(END)
    worlds = game.worlds(0, 20)
    seen = {tuple(world.states()["side"]["opening"][0, 1].tolist()) for world in worlds}
    assert len(seen) > 1
    assert {tuple(world.states()["side"]["opening"][0, 0].tolist()) for world in worlds} == {
        tuple(game.states()["side"]["opening"][0, 0].tolist())}
