"""Games with fixed hands and without fatigue, and batches in which a chosen player begins."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards, tables
from hsevo.config.overlays import without_fatigue
from hsevo.errors import HsevoError
from hsevo.play.events import What
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting

MAGE = Deck("mage")
HAND = [cards()[id].name for id in dict.fromkeys(MAGE.ids)][:3]


def held(game: hsevo.Game, player: int) -> list[str]:
    return [card["name"] for card in game.view(player)["me"]["hand"]]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017"])
def test_a_hand_is_fixed_and_the_rest_is_the_deck(ruleset: str, first: int) -> None:
    game = hsevo.Game("mage", "warrior", hands=[HAND, None], first=first, ruleset=ruleset, seed=7)
    assert held(game, 0)[:3] == HAND
    assert game.phase == ("mulligan" if ruleset == "msg2017" else "play")
    coin = ["The Coin"] * (ruleset == "cig2018")
    drawn = 4 * (ruleset == "cig2018")
    if first == 0:  # its first turn has begun: a fourth card is drawn
        assert len(held(game, 0)) == 3 + drawn // 4
        assert len(held(game, 1)) == 4 + len(coin)
    else:
        assert held(game, 0) == HAND + coin
        assert len(held(game, 1)) == 3 + drawn // 4
    ours = Counter(card.card for card in game.cards if card.player == 0)
    assert ours - Counter(["GAME_005"]) == Counter(MAGE.ids)
    assert game.setting.decks[0].ids == MAGE.ids


def test_a_game_with_fixed_hands_is_saved_and_played() -> None:
    game = hsevo.Game("classic-mage", "mage", ["eva:2018", "random"], first=1,
                      hands=[["2x Fireball"], HAND[:1]])
    assert Counter(held(game, 0)) == {"Fireball": 2, "The Coin": 1}
    game.run()
    assert game.over
    again = hsevo.Game.load(game.save())
    assert again.winner == game.winner
    assert held(again.before(0), 0) == ["Fireball", "Fireball", "The Coin"]


def test_decks_with_an_order_keep_it() -> None:
    """With perfect information look-aheads know the next card, so the deck is not shuffled again.
    """
    free, fixed = (hsevo.Game("mage", "warrior", information="leaky", seed=5, first=1, hands=hands)
                   for hands in (None, [HAND, None]))
    top = [[card.name for card in game.cards if (card.player, card.zone) == (0, "deck")]
           for game in (free, fixed)]
    drawn = held(free, 0)[:4]
    assert Counter(drawn) + Counter(top[0]) == Counter(HAND) + Counter(top[1])
    rest = list(drawn + top[0])
    for name in HAND:
        rest.remove(name)
    assert fixed.cards[0].zone == "hand"
    assert top[1] == rest


@pytest.mark.parametrize(("more", "says"), [
    ({"hands": [["Firebal"], None]}, "hands[0][0]: no card 'Firebal'; did you mean 'Fireball'?"),
    ({"hands": [None, ["Fireball"]]}, "hands[1]: the deck warrior has not so many copies of Fire"),
    ({"hands": [["3x Fireball"], None]}, "hands[0]: the deck mage has not so many copies"),
    ({"hands": ["Fireball", None]}, "hands[0] is Fireball, but must be a list"),
    ({"hands": [["Fireball"]]}, "but must be two items"),
    ({"hands": "Fireball"}, "but must be two items"),
    ({"hands": [HAND, None], "information": "closed"}, "hands can't be given with information"),
    ({"fatigue": 1}, "fatigue is 1, but must be True or False"),
    ({"fatigue": "no"}, "fatigue is no, but must be True or False"),
])
def test_what_no_game_begins_with(more: dict[str, Any], says: str) -> None:
    with pytest.raises(HsevoError) as error:
        hsevo.Game("mage", "warrior", **more)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("fatigue", [True, False])
def test_without_fatigue_an_empty_deck_hurts_nobody(fatigue: bool) -> None:
    """Player 0 draws from an empty deck in its turns 3 and 5: 1 and 2 damage, rulebook."""
    ruleset = "cig2018" if fatigue else without_fatigue("cig2018")
    side = {"class": "mage", "deck": []}
    game = hsevo.Game.at({"me": side, "opponent": side, "turn": 1, "ruleset": ruleset})
    for _ in range(4):
        game.play(0)
    view = game.view(0)["me"]
    assert (view["hero"]["health"], view["fatigue"]) == ((27, 2) if fatigue else (30, 0))
    assert any(event.what is What.FATIGUE for event in game.events) == fatigue


def test_fatigue_is_damage_of_no_card() -> None:
    """Arcane Intellect draws from an empty deck: the log said that it hit its own hero."""
    mine = {"class": "mage", "hand": ["Arcane Intellect"], "mana": 3, "deck": []}
    game = hsevo.Game.at({"me": mine, "opponent": {"class": "mage", "deck": []}})
    game.play(next(move for move in game.moves if move.cost == 3))
    harm = [event for event in game.events if event.what is What.DAMAGED]
    assert [(event.amount, event.by_card) for event in harm] == [(1, ""), (2, "")]


def test_a_game_without_fatigue_is_played_by_an_overlay() -> None:
    game = hsevo.Game("mage", "warrior", ["random", "rl:2026"], fatigue=False, max_turns=200,
                      seed=3)
    assert game.ruleset == "cig2018+Rules.fatigue=0"
    game.run()
    assert hsevo.Game.load(game.save()).winner == game.winner
    assert without_fatigue("msg2017+Wisp.cost=1") == "msg2017+Rules.fatigue=0+Wisp.cost=1"
    plain, other = tables("cig2018"), tables(game.ruleset)
    assert [name for name in plain.dtype.names or () if np.any(plain[name] != other[name])] == [
        "fatigue"]


@pytest.mark.parametrize("first", [0, 1])
def test_a_chosen_player_begins_all_games_of_a_batch(first: int) -> None:
    assert set(hsevo.Games("mage", "warrior", range(20), first=first).players) == {first}
    setting = Setting("cig2018", first=first)
    assert set(GameBatch.under(setting, MAGE, MAGE, range(20)).players) == {first}
    assert len(set(GameBatch.under(Setting("cig2018"), MAGE, MAGE, range(20)).players)) == 2
    with pytest.raises(HsevoError, match="first is 2, but must be 0, 1 or None"):
        hsevo.Games("mage", "warrior", range(2), first=2)
