"""Positions: those of real games come back as they were, hand-written ones mean what they say."""

import json
import random
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo.engine.view.snapshot import snapshot
from hsevo.errors import ConfigError, GameError, HsevoError
from hsevo.play.session import Session

PAIRS = [("mage", "warrior"), ("classic-paladin", "classic-priest"), ("classic-hunter", "shaman"),
         ("classic-druid", "classic-rogue"), ("classic-warlock", "classic-shaman")]
AT = 0.25  # the share of decisions that are looked at
FURTHER = 12  # moves that are made from there in both games
ME: dict[str, Any] = {"class": "mage", "crystals": 4, "hand": ["Fireball"]}
THEM: dict[str, Any] = {"class": "warrior", "health": 6, "board": ["Sen'jin Shieldmasta"]}


def whole(game: Session) -> Any:
    """Return all that later moves depend on: a snapshot without the slots of minions.

    A card that has left a hand can still be among those that may listen, where it does not.
    """
    g = game.states()[0]
    now = snapshot(g)
    listed = dict.fromkeys(("row", "hand", "deck", "secret", "dead", "later", "hand_watch"))
    sides = [(side._replace(**listed), now.hand(k), side.deck[:side.n_deck], now.secrets(k),
              list(side.dead), list(side.later)) for k, side in enumerate(now.sides)]
    chars = [[c._replace(head=0) for c in (*now.board(k), now.hero(k))] for k in (0, 1)]
    return (now.turn, now.me, now.result, now.max_turns, now.pending, chars, sides, int(g.rng),
            int(g.lookahead_rng), int(g.next_uid), int(g.first))


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_a_position_of_a_game_comes_back_and_goes_on_as_the_game(pair: tuple[str, str]) -> None:
    chance, game, seen = random.Random(" ".join(pair)), hsevo.Game(*pair, seed=len(pair[0])), 0
    while not game.over:
        if chance.random() < AT:
            seen += 1
            again = hsevo.Game.at(hsevo.Position(json.loads(game.position().text)))
            assert whole(again) == whole(game)
            follow(game, again, chance)
        game.apply(chance.choice(game.legal_actions()))
    assert seen > 2


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = hsevo.Position({"me": ME, "opponent": THEM})
    again = hsevo.Position.read(found.write(tmp_path / "one.json"))
    assert again == found
    assert again.data == found.data


def test_numbers_are_those_that_are_shown_with_auras() -> None:
    board = ["Flametongue Totem", {"card": "Wisp", "attack": 5, "health": 2},
             {"card": "Bloodfen Raptor", "damage": 1}]
    game = hsevo.Game.at({"me": ME | {"class": "shaman", "board": board}, "opponent": THEM})
    shown = [(one["attack"], one["health"], one["max_health"])
             for one in game.view(0)["me"]["board"]]
    assert shown == [(0, 3, 3), (5, 2, 2), (3, 1, 2)]
    board = ["Wisp", "Flametongue Totem"]
    game = hsevo.Game.at({"me": ME | {"class": "shaman", "board": board}, "opponent": THEM})
    assert game.view(0)["me"]["board"][0]["attack"] == 1 + 2


def test_what_is_unknown_is_dealt_from_what_is_left_of_the_list() -> None:
    side = {"class": "warrior", "deck_list": "warrior", "unknown_in_hand": 4, "cards_left": 11,
            "board": ["Frothing Berserker"]}
    one, same, other = (hsevo.Game.at({"me": ME, "opponent": side, "seed": seed})
                        for seed in (1, 1, 2))
    there = one.view(1)["me"]
    assert (len(there["hand"]), there["deck"]) == (4, 11)
    assert one.view(1) == same.view(1)
    assert one.view(1) != other.view(1)


def test_a_game_from_a_position_is_saved_and_goes_on(tmp_path: Path) -> None:
    game = hsevo.Game.at({"me": ME, "opponent": THEM}, [None, "random"])
    game.play(game.moves[-1])
    game.save(tmp_path / "saved.json")
    again = hsevo.Game.load(tmp_path / "saved.json")
    assert whole(again) == whole(game)
    assert again.history == game.history


def follow(game: Session, again: Session, chance: random.Random, moves: int = FURTHER) -> None:
    """Make the same moves in two games, which must stay equal; the first is left as it is."""
    ahead = game.copy()
    for _ in range(moves):
        legal = ahead.legal_actions()
        assert again.legal_actions() == legal
        if ahead.over:
            break
        move = chance.choice(legal)
        ahead.apply(move)
        again.apply(move)
    assert whole(again) == whole(ahead)


@pytest.mark.parametrize("thrown", [(), (1,), (0, 0), (2, 1, 0)])
def test_a_mulligan_comes_back_and_goes_on(thrown: tuple[int, ...]) -> None:
    game, chance = hsevo.Game("mage", "warrior", ruleset="msg2017", seed=4), random.Random(4)
    for seat in ("first", "second"):
        for place in thrown:
            game.apply(next(move for move in game.moves if move.source
                            and move.source.position == place))
        position = hsevo.Position(json.loads(game.position().text))
        assert (position.phase, position.data["mulligan"]) == ("mulligan", seat)
        assert len(position.data["me"].get("thrown_back", [])) == len(thrown)
        assert position.decks == game.setting.decks
        again = hsevo.Game.at(position)
        assert whole(again) == whole(game)
        assert [move.text for move in again.moves] == [move.text for move in game.moves]
        follow(game, again, chance)
        game.apply(0)
    assert game.phase == "play"


OFFERS = ["Tracking", "Sir Finley Mrrgglton", "Arch-Thief Rafaam", "Jeweled Scarab",
          "Gorillabot A-3", "Tomb Spider", "Raven Idol", "Ethereal Conjurer", "Museum Curator",
          "Dark Peddler", "A Light in the Darkness", "Journey Below", "Netherspite Historian",
          "Ivory Knight", "Grimestreet Informant", "Kabal Courier", "Kazakus", "Lotus Agents",
          "Drakonid Operative", "Finders Keepers", "I Know a Guy"]


@pytest.mark.parametrize("seed", range(12))
def test_a_choice_comes_back_with_its_options_and_goes_on(seed: int) -> None:
    """With every card that offers cards, twice (Brann) and of both options (Fandral Staghelm)."""
    chance, choices = random.Random(seed), 0
    sides = [{"class": chance.choice(["mage", "shaman", "druid"]), "power": "Totemic Slam",
              "hand": chance.sample(OFFERS, 8), "deck": ["Azure Drake", "Wisp", "Kazakus"],
              "board": [["Brann Bronzebeard"], ["Fandral Staghelm"], ["Azure Drake"]][seed % 3]}
             for _ in range(2)]
    game = hsevo.Game.at({"me": sides[0] | {"crystals": 10}, "opponent": sides[1], "seed": seed,
                          "ruleset": ("cig2018", "msg2017")[seed % 2]})
    for _ in range(20):
        if game.over:
            break
        if game.phase == "choice":
            choices += 1
            position = hsevo.Position(json.loads(game.position().text))
            again = hsevo.Game.at(position)
            assert position.phase == again.phase == "choice"
            assert whole(again) == whole(game)
            assert [move.text for move in again.moves] == [move.text for move in game.moves]
            assert again.view(again.player)["choices"] == game.view(game.player)["choices"]
            follow(game, again, chance)
        moves = game.legal_actions()
        game.apply(chance.choice(moves[1:] or moves))
    assert choices > 1


def test_a_choice_is_written_by_hand() -> None:
    """The card was just played; the file says what it offers, and the rest follows."""
    offered = ["Fireball", "Pyroblast", "Frostbolt"]
    game = hsevo.Game.at({
        "me": ME | {"board": ["Ethereal Conjurer", "Wisp"], "hand": []}, "opponent": THEM,
        "choice": {"card": "Ethereal Conjurer", "offered": offered}})
    assert [move.source.name for move in game.moves if move.source] == offered
    (event,) = [event for event in game.events if event.cards]
    assert len(event.cards) == 3
    game.play(game.moves[1])
    assert [card["name"] for card in game.view(0)["me"]["hand"]] == ["Pyroblast"]
    assert game.phase == "play"
    potion = hsevo.Game.at({  # Kazakus: after the size come two effects
        "me": ME | {"board": ["Kazakus"], "hand": []}, "opponent": THEM,
        "choice": {"card": "Kazakus", "offered": ["CFM_621t11", "CFM_621t12", "CFM_621t13"]}})
    for _ in range(3):
        assert (potion.phase, len(potion.moves)) == ("choice", 3)
        potion.play(potion.moves[0])
    (held,) = potion.view(0)["me"]["hand"]
    assert held["name"].startswith("Kazakus Potion (")
    assert held["cost"] == 1
    play_on = hsevo.Game.at(game.before(0).position(), ["eva:2018", "random"])
    play_on.run()
    assert play_on.over


CONJURER: dict[str, Any] = {"card": "Ethereal Conjurer", "offered": ["Fireball"]}


@pytest.mark.parametrize(("keys", "says"), [
    ({"choice": CONJURER | {"offered": ["Firebal"]}}, "choice.offered.0: no card 'Firebal'"),
    ({"choice": CONJURER | {"offered": []}}, "choice.offered"),
    ({"choice": CONJURER | {"card": "Wisp"}}, "choice.card: Wisp offers no cards"),
    ({"choice": CONJURER | {"card": "Tomb Spider"}}, "Tomb Spider is not on the board"),
    ({"choice": CONJURER | {"waiting": [{"step": "paly", "card": "Wisp"}]}},
     "choice.waiting.0.step is 'paly', but must be one of"),
    ({"choice": CONJURER | {"waiting": [{"step": "play", "card": "Ethereal Conjurer", "row": 9}]}},
     "choice.waiting.0.row is 9, but there are only 2 rows"),
    ({"mulligan": "first"}, "mulligan: the ruleset cig2018 has no mulligan"),
    ({"mulligan": "first", "ruleset": "msg2017", "turn": 3}, "leave out turn"),
    ({"mulligan": "first", "ruleset": "msg2017", "choice": CONJURER}, "leave out choice"),
    ({"mulligan": "third"}, "mulligan is 'third'"),
])
def test_a_mistake_in_what_is_open_gets_one_line(keys: dict[str, Any], says: str) -> None:
    with pytest.raises(HsevoError) as error:
        hsevo.Position({"me": ME | {"board": ["Ethereal Conjurer"]}, "opponent": THEM} | keys)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_an_analysis_needs_a_turn() -> None:
    side = {"class": "mage", "board": ["Ethereal Conjurer"]}
    with pytest.raises(GameError, match="the position is in a choice, but an analysis needs"):
        hsevo.analyse({"me": side, "opponent": side, "choice": CONJURER})


@pytest.mark.parametrize(("me", "says"), [
    ({"hand": ["Firebal"]}, "me.hand.0: no card 'Firebal'; did you mean 'Fireball'?"),
    ({"healht": 3}, "unknown key 'me.healht'; did you mean 'me.health'?"),
    ({"health": 0}, "me.health is 0, but must be at least 1"),
    ({"health": "all"}, "me.health is 'all', but must be a whole number"),
    ({"board": ["Fireball"]}, "me.board.0: Fireball is no minion"),
    ({"board": [{"card": "Wisp", "gained": ["tuant"]}]}, "did you mean 'taunt'?"),
    ({"board": [{"card": "Wisp", "damage": 1}]}, "would have 0 health"),
    ({"board": 8 * ["Wisp"]}, "me.board is"),
    ({"hand": ["11x Wisp"]}, "me.hand has 11 cards, but must have at most 10"),
    ({"secrets": ["Fireball"]}, "me.secrets.0: Fireball is no secret"),
    ({"secrets": 2 * ["Counterspell"]}, "Counterspell is there twice"),
    ({"class": "wizard"}, "me.class is 'wizard'"),
    ({"deck_list": "warrior"}, "is of class Warrior, but the class is mage"),
    ({"unknown_in_hand": 3}, "give deck, or a deck_list"),
    ({"board": [{"card": "Wisp", "uid": 1}]}, "uid 1 is given twice"),
    ({"died_this_turn": 1}, "only 0 minions died in this game"),
    ({"counters": {"spels cast": 1}}, "did you mean 'spells cast'?"),
    ({"health": 31, "max_health": 30}, "me.health is 31, but must be at most max_health, 30"),
    ({"crystals": 3, "locked": 4}, "me.locked is 4, but must be at most crystals, 3"),
    ({"board": ["Wisp", {"card": "Wisp", "health": 3, "max_health": 2}]},
     "me.board.1.health is 3, but must be at most max_health, 2"),
    ({"board": [{"card": "Wisp", "health": 1, "damage": 1}]}, "damage and health are both given"),
    ({"board": [{"card": "Wisp", "attack": 2, "bonus": [1, 0]}]},
     "bonus and attack are both given"),
    ({"board": [{"card": "Wisp", "max_health": 2, "bonus": [0, 1]}]},
     "bonus and max_health are both given"),
    ({"board": [{"card": "Wisp", "gained": ["taunt"], "lost": ["taunt"]}]},
     "me.board.0: taunt is both gained and lost"),
    ({"weapon": {"card": "Fiery War Axe", "attack": 4, "bonus": [1, 0]}},
     "me.weapon: bonus and attack are both given"),
    ({"class": "warrior", "deck_list": "taunts-1"}, "me.deck_list: deck 'taunts-1' has the card"),
])
def test_a_mistake_gets_one_line(me: dict[str, Any], says: str) -> None:
    with pytest.raises(HsevoError) as error:
        hsevo.Position({"me": ME | me, "opponent": THEM}, "mine.json")
    assert says in str(error.value)
    assert str(error.value).startswith("mine.json: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "[]", "7", "{", "[" * 100_000, '{"me": NaN}', '{"me": 1}',
                                  '{"me": {}, "opponent": {}}', '{"seed": 1e999}', "\0"])
def test_hostile_files_are_refused_in_clear_lines(text: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        hsevo.Position.read(file)
    assert "bad.json" in str(error.value)


FOUR: dict[str, Any] = {"me": ME, "opponent": THEM}


def test_a_deck_list_of_one_card_or_none_comes_back() -> None:
    game = hsevo.Game.at(FOUR)
    again = game.position()
    assert [len(deck.ids) for deck in again.decks] == [1, 0]
    assert again == hsevo.Position(again.data)
    assert again.decks == game.setting.decks


def test_a_saved_game_needs_no_file_of_its_position(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(hsevo.Deck("mage").text)
    side = {"class": "mage", "deck_list": str(tmp_path / "mine.txt"), "unknown_in_hand": 3}
    game = hsevo.Game.at({"me": side, "opponent": side}, ["random", "random"])
    game.run()
    game.save(tmp_path / "game.json")
    (tmp_path / "mine.txt").unlink()
    assert hsevo.Game.load(tmp_path / "game.json").winner == game.winner


@pytest.mark.parametrize(("change", "says"), [
    ({"ruleset": "msg2017"}, "ruleset of its position does not match"),
    ({"max_turns": 20}, "max_turns of its position does not match"),
    ({"seed": 7}, "seed of its position does not match"),
])
def test_a_saved_game_of_another_position_is_refused(change: dict[str, Any], says: str) -> None:
    data = hsevo.Game.at(FOUR).save()
    with pytest.raises(GameError, match=says):
        hsevo.Game.load(data | change)
    named = data["position"] | {"me": data["position"]["me"] | {"deck_list": "mage"}}
    with pytest.raises(GameError, match="its position names a deck"):
        hsevo.Game.load(data | {"position": named})


def test_a_card_that_is_dealt_keeps_what_it_was_given() -> None:
    """As the engine draws it: a minion has attack and health, a weapon attack alone."""
    deck = [{"card": "Wisp", "bonus": 3, "discount": 1}]
    side = {"class": "warrior", "deck": deck, "unknown_in_hand": 1}
    game = hsevo.Game.at({"me": side, "opponent": {"class": "mage"}})
    (held,) = game.position().data["me"]["hand"]
    assert held == {"card": "Wisp", "bonus": [3, 3], "discount": 1}


def test_deaths_of_the_turn_are_no_counter() -> None:
    side = {"class": "mage", "counters": {"minions died": 5}}
    with pytest.raises(HsevoError, match="minions died"):
        hsevo.Position({"me": side, "opponent": {"class": "mage"}})


@pytest.mark.parametrize("players", [None, 3, "random"])
def test_players_are_two(players: Any) -> None:
    with pytest.raises(ConfigError, match=r"players is .*, but must be two"):
        hsevo.Game.at(FOUR, players)


def test_marks_of_the_cards_of_2019_return() -> None:
    """What Lady in White, Hex Lord Malacrass and Swampqueen Hagatha have left."""
    side = {"class": "shaman", "opening_hand": ["CS2_029", "CS2_231"],
            "deck": [{"card": "CS2_231", "leveled": True, "bonus": 1}, "CS2_231"],
            "hand": [{"card": "DAL_431t", "taught": ["EX1_238", "CS2_053"]}]}
    first = hsevo.Position({"ruleset": "rise2019", "me": side, "opponent": {"class": "mage"}})
    again = hsevo.Position(json.loads(hsevo.Game.at(first).position().text))
    assert again.state.tobytes() == first.state.tobytes()
    hand = hsevo.Game.at(first).view(0)["me"]["hand"]
    assert [spell["card"] for spell in hand[0]["taught"]] == ["EX1_238", "CS2_053"]


def test_what_a_minion_keeps_in_hand_and_deck_returns() -> None:
    """What Immortal Prelate has left: keywords and texts in hand, all it was given in the deck."""
    prelate, opponents = "Immortal Prelate", {"deathrattle": True, "of": "opponent"}
    side = {"class": "paladin", "deck": ["Wisp", prelate, prelate],
            "hand": [{"card": prelate, "bonus": [4, 4], "gained": ["taunt", "rush"],
                      "texts": [{"card": "Vinecleaver", "times": 2}]},
                     {"card": prelate, "gained": ["divine shield"]}],
            "kept": [{"card": prelate, "bonus": [-1, 300], "gained": ["lifesteal"],
                      "texts": [{"card": "Vinecleaver", **opponents}]},
                     {"card": prelate, "bonus": [1, 1]}]}
    position = hsevo.Position({"ruleset": "rise2019", "me": side, "opponent": {"class": "mage"}})
    described = hsevo.Game.at(position).position().data["me"]
    assert described["kept"] == side["kept"]
    assert described["hand"] == side["hand"]


@pytest.mark.parametrize(("change", "says"), [
    ({"kept": [{"card": "TRL_306", "bonus": [1, 1]}] * 2}, "has not as many copies of TRL_306"),
    ({"kept": [{"card": "TRL_306", "gained": ["frozen"]}]}, "frozen can't be kept"),
    ({"hand": [{"card": "DAL_431t", "gained": ["taunt"], "taught": ["EX1_238", "CS2_053"]}]},
     "can't keep keywords or texts and also be joined or taught"),
    ({"kept": [{"card": "TRL_306", "texts": [{"card": "Wisp", "times": 5}]}]}, "at most 4 texts"),
    ({"later": [{"card": "Wisp", "when": "discarded"}] * 18, "kept": ["TRL_306"]},
     "keep more than there is room for"),
])
def test_what_a_minion_can_not_keep(change: dict[str, Any], says: str) -> None:
    side = {"class": "paladin", "deck": ["TRL_306"]} | change
    with pytest.raises(HsevoError, match=says):
        hsevo.Game.at({"ruleset": "rise2019", "me": side, "opponent": {"class": "mage"}})


@pytest.mark.parametrize(("side", "word"), [
    ({"board": [{"card": "Wisp", "gained": ["rush"]}]}, "rush"),
    ({"counters": {"discarded": 2}}, "discarded"),
    ({"deck": [{"card": "Wisp", "free": True}]}, "free"),
    ({"rules": ["end turn twice"]}, "end turn twice"),
    ({"deck": ["Wisp"], "kept": [{"card": "Wisp", "bonus": [3, 3]}]}, "later or kept"),
    ({"opening_hand": ["Wisp"]}, "opening_hand"),
    ({"hand": [{"card": "Wisp", "gained": ["taunt"]}]},
     "gained, texts or joined")])
def test_a_ruleset_without_later_cards_refuses_what_only_they_do(
        side: dict[str, Any], word: str) -> None:
    """Its engine has no code for this."""
    sides = {"me": {"class": "mage", **side}, "opponent": {"class": "mage"}}
    with pytest.raises(ConfigError, match=rf"{word}: no card of ruleset cig2018 does this"):
        hsevo.Game.at(hsevo.Position(sides))
    assert hsevo.Game.at(hsevo.Position({"ruleset": "rise2019", **sides})).legal_actions()


def test_an_effect_gives_no_keyword_that_no_card_of_the_ruleset_has() -> None:
    for ruleset in ("cig2018", "rise2019"):
        sides = {"me": {"class": "mage", "board": ["Wisp"]}, "opponent": {"class": "mage"}}
        game = hsevo.Game.at(hsevo.Position({"ruleset": ruleset, **sides}))
        wisp = game.view(0)["me"]["board"][0]["uid"]
        with pytest.raises(ConfigError, match="unknown word 'rush'") if (
                ruleset == "cig2018") else nullcontext():
            game.apply_effect("give", wisp, keywords="rush")


def test_look_aheads_in_a_position_know_what_only_later_cards_use() -> None:
    """A card of the deck that costs 0 is a field of a side that games of early cards lack."""
    side = {"class": "mage", "deck": [{"card": "Wisp", "free": True}] * 3}
    game = hsevo.Game.at(hsevo.Position({"ruleset": "rise2019", "me": side,
                                         "opponent": {"class": "mage"}}))
    assert game.position().data["me"]["deck"][0]["free"]
    assert game.position().state["late"].tolist() == [1]  # copy_position asks for it
