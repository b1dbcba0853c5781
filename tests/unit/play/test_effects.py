"""Effects that set up a game: what they do follows the rules, and mistakes get one line."""

import inspect
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.cards import vocabulary
from hsevo.cards.ops import Op
from hsevo.cards.tables import tables, with_program
from hsevo.cards.vocabulary.model import Row
from hsevo.errors import ConfigError, GameError, HsevoError
from hsevo.play.effects import EFFECTS, GROUPS, NUMBERS
from hsevo.play.events import What

ME: dict[str, Any] = {"class": "mage", "crystals": 5, "deck": ["3x Wisp"]}
THEM: dict[str, Any] = {"class": "warrior", "deck": ["3x Wisp"]}


def at(me: dict[str, Any], opponent: dict[str, Any] | None = None) -> hsevo.Game:
    return hsevo.Game.at({"me": ME | me, "opponent": THEM | (opponent or {})})


def board(game: hsevo.Game, player: int) -> list[tuple[str, int, int]]:
    return [(c["name"], c["attack"], c["health"]) for c in game.view(player)["me"]["board"]]


def hand(game: hsevo.Game, player: int) -> list[str]:
    return [card["name"] for card in game.view(player)["me"]["hand"]]


def test_triggers_and_deaths_follow() -> None:
    game = at({"board": ["Acolyte of Pain", "Loot Hoarder"]}, {"board": ["Wisp"]})
    events = game.apply_effect("damage", "all minions", n=1)
    assert board(game, 0) == [("Acolyte of Pain", 1, 2)]  # draws one; the other's Deathrattle too
    assert board(game, 1) == []
    assert hand(game, 0) == ["Wisp", "Wisp"]
    assert [event.what for event in events].count(What.DIED) == 2
    assert {c["name"] for c in game.view(0)["me"]["graveyard"]} == {"Loot Hoarder"}


def test_no_spell_is_cast() -> None:
    """Violet Teacher answers spells, Kobold Geomancer has Spell Damage +1."""
    game = at({"board": ["Violet Teacher", "Kobold Geomancer"]}, {"board": ["Boulderfist Ogre"]})
    game.apply_effect("damage", "Boulderfist Ogre", n=3)
    assert board(game, 1) == [("Boulderfist Ogre", 6, 4)]
    assert len(board(game, 0)) == 2
    assert game.view(0)["me"]["mana"] == 5


def test_each_word_does_what_it_says() -> None:
    game = at({"board": ["Bloodfen Raptor"], "health": 20}, {"board": ["Chillwind Yeti"]})
    (raptor,), (yeti,) = (game.view(player)["me"]["board"] for player in (0, 1))
    game.apply_effect("buff", raptor["uid"], attack=2, health=1)
    assert board(game, 0) == [("Bloodfen Raptor", 5, 3)]
    game.apply_effect("set_health", raptor["uid"], n=7)
    game.apply_effect("set_attack", raptor["uid"], n=1)
    assert board(game, 0) == [("Bloodfen Raptor", 1, 7)]
    game.apply_effect("give", raptor["uid"], keywords=["taunt", "divine shield"])
    assert {"taunt", "divine shield"} <= {*game.view(0)["me"]["board"][0]["words"]}
    game.apply_effect("silence", raptor["uid"])
    assert board(game, 0) == [("Bloodfen Raptor", 3, 2)]
    game.apply_effect("heal", "my hero", n=4)
    game.apply_effect("armor", n=3)
    hero = game.view(0)["me"]["hero"]
    assert (hero["health"], hero["armor"]) == (24, 3)
    game.apply_effect("steal", yeti["uid"])
    assert [name for name, *_ in board(game, 0)] == ["Bloodfen Raptor", "Chillwind Yeti"]
    game.apply_effect("return_to_hand", yeti["uid"], cheaper=2)
    (held,) = game.view(0)["me"]["hand"]
    assert (held["name"], held["cost"]) == ("Chillwind Yeti", 2)
    game.apply_effect("add", card="Fireball", n=2, player=1)
    game.apply_effect("draw", n=1, player=1)
    assert hand(game, 1) == ["Fireball", "Fireball", "Wisp"]
    game.apply_effect("equip", card="Fiery War Axe", player=1)
    assert game.view(1)["me"]["weapon"]["durability"] == 2
    game.apply_effect("transform", raptor["uid"], card="Sheep")
    assert board(game, 0) == [("Sheep", 1, 1)]
    game.apply_effect("summon", card="Wisp", n=2, player=1)
    assert len(board(game, 1)) == 2
    game.apply_effect("destroy", "enemy minions")
    assert board(game, 1) == []
    assert game.apply_effect("discard", n=9)[0].what is What.DISCARDED
    assert hand(game, 0) == []


SAMPLE = {"n": 3, "card": "Wisp", "keywords": ["taunt"], "attack": 1}
CARDS = {"equip": "Fiery War Axe", "set_power": "Fireblast Rank 2"}


@pytest.mark.parametrize("name", EFFECTS)
def test_every_effect_runs_and_leaves_a_game_to_play(name: str) -> None:
    board = [{"card": "Loot Hoarder", "gained": ["taunt"]},
             {"card": "Boulderfist Ogre", "damage": 2}]
    game = at({"board": board, "weapon": {"card": "Fiery War Axe"}, "mana": 3, "power_used": 1,
               "hand": ["Fireball", "Frostbolt"]}, {"board": ["Harvest Golem"]})
    takes = EFFECTS[name].__code__.co_varnames[:EFFECTS[name].__code__.co_argcount + 1]
    arguments: dict[str, Any] = {
        word: CARDS.get(name, SAMPLE[word]) if word == "card" else SAMPLE[word]
        for word in SAMPLE if word in takes}
    target = None
    if "who" in takes:
        target = {"set_remaining_health": "my hero", "steal": "enemy minions"}.get(
            name, "my minions")
    before = game.states().tobytes()
    game.apply_effect(name, target, **arguments)
    assert game.states().tobytes() != before
    assert game.legal_actions()
    again = hsevo.Game.load(game.save())
    game.apply(0)
    again.apply(0)
    assert again.legal_actions() == game.legal_actions()


def test_the_game_goes_on_and_is_saved_from_there() -> None:
    game = hsevo.Game("mage", "warrior", ["eva:2018", "random"], seed=3)
    for _ in range(6):
        game.step()
    before, numbers = len(game.events), {card.number for card in game.cards}
    happened = game.apply_effect("summon", card="Boulderfist Ogre")
    assert game.events[before:] == happened
    assert game.history == ()
    assert len({card.number for card in game.cards} - numbers) == 1
    again = hsevo.Game.load(game.save())
    for _ in range(5):
        assert again.step() == game.step()
    assert game.before(2).position() == again.before(2).position()
    assert game.information_state(0).key
    copy = game.copy()
    copy.apply_effect("damage", "enemy hero", n=100, player=0)
    assert (copy.winner, game.over) == (0, False)
    assert copy.events[-1].what is What.OVER
    with pytest.raises(GameError, match="an effect needs a running game"):
        copy.apply_effect("draw", n=1)


def test_a_world_can_be_changed_and_seen() -> None:
    game = hsevo.Game("mage", "warrior", seed=3)
    (world,) = game.worlds(0, 1, seed=1)
    numbers = [card["number"] for card in game.view(0)["me"]["hand"]]
    world.apply_effect("draw", n=2, player=0)
    assert [card["number"] for card in world.view(0)["me"]["hand"]][:len(numbers)] == numbers
    assert len(world.cards) == len(game.cards)


def test_tables_get_a_program_at_their_end_alone() -> None:
    plain = tables("cig2018")
    more, start = with_program("cig2018", (vocabulary.destroy(), vocabulary.deaths()))
    assert not plain["row"][start - 1:].view(np.uint8).any()
    assert more[0]["row"][start + 2].tobytes() == plain["row"][start + 2].tobytes()
    for name in plain.dtype.names or ():
        if name != "row":
            assert np.asarray(plain[name]).tobytes() == np.asarray(more[0][name]).tobytes()
    assert plain["row"][:start].tobytes() == more[0]["row"][:start].tobytes()


@pytest.mark.parametrize(("effect", "target", "arguments", "says"), [
    ("dmage", 1, {"n": 2}, "unknown effect 'dmage'; did you mean 'damage'?"),
    ("xyzzy", 1, {}, "unknown effect 'xyzzy'; known are add, add_copy, armor"),
    ("damage", 1, {}, "the effect damage needs n"),
    ("damage", None, {"n": 2}, "the effect damage needs a target: a uid, the name of"),
    ("damage", 99, {"n": 2}, "no character in play has the uid 99"),
    ("damage", True, {"n": 2}, "no character in play has the uid True"),
    ("damage", "Wisp", {"n": 2}, "2 characters are called 'Wisp'; give the uid of one: 3, 4"),
    ("damage", "Wips", {"n": 2}, "no character 'Wips' is in play; did you mean 'Wisp'?"),
    ("damage", 3, {"n": -1}, "n is -1, but must be"),
    ("damage", 3, {"n": "2"}, "n is '2', but must be"),
    ("damage", 3, {"n": 2, "m": 1}, "the effect damage takes no 'm'; it takes n"),
    ("draw", 3, {}, "the effect draw takes no target"),
    ("summon", None, {"card": "Fireball"}, "card: Fireball is no minion"),
    ("summon", None, {"card": "Wips"}, "card: no card 'Wips'; did you mean"),
    ("summon", None, {"card": 3}, "card is 3, but must be the name of a card"),
    ("destroy", 1, {}, "the effect destroy is for minions, not for heroes"),
    ("give", 3, {}, "the effect give needs keywords"),
    ("give", 3, {"keywords": []}, "keywords is empty"),
    ("give", 3, {"keywords": "tuant"}, "did you mean 'taunt'?"),
])
def test_a_mistake_gets_one_line_and_changes_nothing(
        effect: str, target: Any, arguments: dict[str, Any], says: str) -> None:
    game = at({"board": ["Wisp", "Wisp"]})
    before = game.states().tobytes()
    with pytest.raises(HsevoError) as error:
        game.apply_effect(effect, target, **arguments)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert game.states().tobytes() == before


def test_groups_are_of_the_player_whose_text_it_is() -> None:
    assert len(GROUPS) == 8
    for player in (0, 1):
        game = at({"board": ["Wisp"]}, {"board": ["Wisp"]})
        game.apply_effect("destroy", "enemy minions", player=player)
        assert (len(board(game, player)), len(board(game, 1 - player))) == (1, 0)


@pytest.mark.parametrize("name", EFFECTS)
def test_an_effect_refuses_words_that_it_does_not_offer(name: str) -> None:
    """Also those of card texts that are no number, a card or keywords."""
    words = {*inspect.signature(EFFECTS[name]).parameters} - {"who", "card", "keywords"}
    for word in words - {*NUMBERS}:
        game = hsevo.Game("mage", "warrior")
        target = "all minions" if "who" in inspect.signature(EFFECTS[name]).parameters else None
        with pytest.raises(ConfigError, match="takes no"):
            game.apply_effect(name, target, **{word: 1})


def test_an_effect_of_later_cards_is_refused_in_a_game_without_them(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFECTS, "armor", lambda n: Row(Op.SWAP_DECKS))
    with pytest.raises(GameError, match="no card of ruleset cig2018 does this"):
        hsevo.Game("mage", "warrior").apply_effect("armor", n=1)
