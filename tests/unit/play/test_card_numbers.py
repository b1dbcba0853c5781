"""Numbers of cards: one for each while it moves, and none that tells a player what is hidden."""

import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.play.card_numbers import MOST, CardInGame
from hsevo.play.moves import MoveKind
from tests.support.dense_games import MAKERS

ME: dict[str, Any] = {"class": "rogue", "crystals": 10, "deck": ["2x Wisp"]}
THEM: dict[str, Any] = {"class": "warrior", "deck": ["2x Wisp"]}


def at(me: dict[str, Any], opponent: dict[str, Any], **more: Any) -> hsevo.Game:
    return hsevo.Game.at({"me": ME | me, "opponent": THEM | opponent} | more)


def where(game: hsevo.Game, number: int) -> tuple[str, int, str] | None:
    """Return the name of a card, and its player and zone; None if it is no more there."""
    places = [(card.name, card.player, card.zone) for card in game.cards if card.number == number]
    assert len(places) < 2
    return places[0] if places else None


def first_in(game: hsevo.Game, zone: str, player: int = 0, name: str = "") -> CardInGame:
    return next(card for card in game.cards
                if (card.zone, card.player) == (zone, player) and name in (card.name, ""))


def play(game: hsevo.Game, text: str) -> None:
    (move,) = [move for move in game.moves if move.text.startswith(text)][:1]
    game.play(move)


def test_a_card_keeps_its_number_from_the_deck_to_the_board_and_back_to_the_hand() -> None:
    game = at({"hand": ["Arcane Intellect", "Sap"], "deck": ["2x Wisp"]}, {})
    drawn = {card.number for card in game.cards if (card.zone, card.player) == ("deck", 0)}
    play(game, "play Arcane Intellect")
    assert {card.number for card in game.cards if card.name == "Wisp" and card.player == 0} == drawn
    held = game.view(0)["me"]["hand"][1]["number"]
    assert where(game, held) == ("Wisp", 0, "hand")
    play(game, "play Wisp")
    (minion,) = game.view(0)["me"]["board"]
    assert where(game, minion["number"]) == ("Wisp", 0, "board")
    assert {minion["number"], first_in(game, "hand", 0, "Wisp").number} == drawn
    assert game.view(1)["opponent"]["board"][0]["number"] == minion["number"]
    game.play(0)
    back = at({"hand": ["Sap"]}, {"board": ["Boulderfist Ogre"]})
    ogre = first_in(back, "board", 1).number
    play(back, "play Sap")
    assert where(back, ogre) == ("Boulderfist Ogre", 1, "hand")


def test_a_minion_keeps_it_when_it_is_transformed_or_stolen() -> None:
    game = at({"hand": ["Polymorph"]}, {"board": ["Boulderfist Ogre"]})
    ogre = first_in(game, "board", 1).number
    play(game, "play Polymorph")
    assert where(game, ogre) == ("Sheep", 1, "board")
    game = at({"hand": ["Mind Control"]}, {"board": ["Bloodfen Raptor"]})
    raptor = first_in(game, "board", 1).number
    play(game, "play Mind Control")
    assert where(game, raptor) == ("Bloodfen Raptor", 0, "board")


@pytest.mark.parametrize(("name", "zone"), [("Fiery War Axe", "weapon"), ("Snipe", "secret")])
def test_weapons_and_secrets_keep_that_of_the_card(name: str, zone: str) -> None:
    game = at({"hand": [name]}, {})
    held = game.view(0)["me"]["hand"][0]["number"]
    play(game, f"play {name}")
    assert where(game, held) == (name, 0, zone)
    side = game.view(0)["me"]
    assert held == (side["weapon"] if zone == "weapon" else side["secrets"][0])["number"]


def test_a_card_out_of_those_laid_out_keeps_it() -> None:
    game = at({"hand": ["Tracking"], "deck": ["Pyroblast", "Fireball", "Frostbolt"]}, {})
    numbers = {card.name: card.number for card in game.cards if (card.player, card.zone) == (
        0, "deck")}
    play(game, "play Tracking")
    (move,) = [move for move in game.moves if "Fireball" in move.text]
    game.play(move)
    assert first_in(game, "hand").number == numbers["Fireball"]
    assert where(game, numbers["Pyroblast"]) is None


def test_a_drawn_card_that_becomes_another_keeps_it() -> None:
    game = at({"hand": ["Gnomish Experimenter"], "deck": ["Boulderfist Ogre"]}, {})
    ogre = first_in(game, "deck").number
    play(game, "play Gnomish Experimenter")
    assert where(game, ogre) == ("Chicken", 0, "hand")


def test_what_is_shuffled_into_a_deck_gets_a_new_one() -> None:
    """Both players saw it: else the opponent would know it when it is drawn and played."""
    game = at({"hand": ["Entomb"]}, {"board": ["Boulderfist Ogre"]})
    ogre = first_in(game, "board", 1).number
    play(game, "play Entomb")
    assert where(game, ogre) is None
    assert first_in(game, "deck", 0, "Boulderfist Ogre").number != ogre


def test_a_card_that_is_thrown_back_keeps_it() -> None:
    game = hsevo.Game("mage", "warrior", ruleset="msg2017", seed=2)
    me = game.player
    number = game.view(me)["me"]["hand"][0]["number"]
    game.play(next(move for move in game.moves if move.kind is MoveKind.THROW_BACK
                   and move.source and move.source.position == 0))
    assert game.view(me)["me"]["thrown_back"][0]["number"] == number
    assert (where(game, number) or ())[2] == "thrown back"
    game.play(0)
    assert (where(game, number) or ())[2] == "deck"


def random_games(games: int) -> Any:
    """Yield games of all kinds of cards at each of their decisions."""
    for seed in range(games):
        draw, ruleset = np.random.default_rng([seed, 77]), ("cig2018", "msg2017")[seed % 2]
        maker = list(MAKERS.values())[seed % len(MAKERS)]
        game = hsevo.Game(*(maker(draw, ruleset, 30) for _ in (0, 1)), seed=seed, ruleset=ruleset)
        while not game.over:
            yield game
            moves = game.legal_actions()
            game.play(int(draw.choice(moves[1:] if len(moves) > 1 and draw.random() < 0.9
                                      else moves)))


@pytest.mark.parametrize("games", [4, pytest.param(24, marks=pytest.mark.slow)])
def test_each_card_has_one_and_views_show_no_hidden_one(games: int) -> None:
    for game in random_games(games):
        cards = game.cards
        numbers = [card.number for card in cards]
        assert len({*numbers}) == len(numbers)
        assert all(1 <= number <= MOST for number in numbers)
        for player in (0, 1):
            for zone, held in (("hand", game.scene().sides[player].hand),
                               ("deck", range(game.scene().sides[player].deck))):
                assert sum((card.player, card.zone) == (player, zone)
                           for card in cards) == len(held)
            shown = set(_numbers_in(game.view(player)))
            hidden = {card.number for card in cards if card.zone == "deck" or (
                card.player != player and card.zone in ("hand", "secret", "thrown back"))}
            assert not shown & hidden
            assert shown == {*numbers} - hidden


def _numbers_in(view: Any) -> list[int]:
    if isinstance(view, dict):
        return [number for name, part in view.items()
                for number in ([part] if name == "number" else _numbers_in(part))]
    return [number for part in view for number in _numbers_in(part)] if isinstance(
        view, list) else []


def test_worlds_show_their_player_the_numbers_of_the_game_and_deal_the_others() -> None:
    dealt: Counter[int] = Counter()
    for step, game in enumerate(random_games(2)):
        if step % 9 or game.phase != "play":
            continue
        for player in (0, 1):
            worlds = game.worlds(player, 6, seed=step)
            for world in worlds:
                assert world.view(player) == game.view(player)
                assert len({card.number for card in world.cards}) == len(world.cards)
                assert Counter((card.player, card.zone) for card in world.cards) == Counter(
                    (card.player, card.zone) for card in game.cards)
            hidden = {tuple(card.number for card in world.cards if (card.player, card.zone) == (
                1 - player, "hand")) for world in worlds}
            dealt[len(hidden) > 1] += 1
    assert dealt[True] > dealt[False]


def test_numbers_do_not_depend_on_hidden_cards() -> None:
    """Two games that differ in the opponent's hand, secret and deck alone look the same."""
    views = []
    for hand, deck, secret in ((["Wisp", "Fireball"], ["Execute", "Slam"], "Ice Barrier"),
                               (["Execute", "Slam"], ["Fireball", "Wisp"], "Vaporize")):
        game = at({"hand": ["Wisp"], "board": ["Bloodfen Raptor"]},
                  {"hand": hand, "deck": deck, "secrets": [secret], "board": ["War Golem"]})
        views.append([game.view(0)])
        for text in ("play Wisp", "end the turn"):
            play(game, text)
            views[-1].append(game.view(0))
    assert views[0] == views[1]


def test_numbers_do_not_follow_the_order_of_a_deck() -> None:
    """As often the first of two cards of a list has the higher number as the second."""
    higher = 0
    for seed in range(100):
        game = hsevo.Game.at({"me": ME | {"deck": ["Fireball", "Frostbolt"]}, "opponent": THEM,
                              "ordered": True, "seed": seed})
        first, second = (card for card in game.cards if (card.player, card.zone) == (0, "deck"))
        assert [(card.name, card.position) for card in (first, second)] == [
            ("Fireball", 0), ("Frostbolt", 1)]
        higher += first.number > second.number
    assert 35 <= higher <= 65  # 0.1 % of such tests of 100 fair coins are outside


def test_copies_pickles_and_saved_games_have_the_same_numbers() -> None:
    game, chance = hsevo.Game("mage", "warrior", seed=3), random.Random(3)
    for _ in range(12):
        game.apply(chance.choice(game.legal_actions()))
    copy, again = game.copy(), pickle.loads(pickle.dumps(game))
    assert copy.cards == again.cards == game.cards == hsevo.Game.load(game.save()).cards
    assert game.before(12).cards == game.cards
    for _ in range(6):
        action = chance.choice(game.legal_actions())
        for each in (game, copy, again):
            each.apply(action)
        assert copy.cards == again.cards == game.cards
