"""What Immortal Prelate keeps in the deck: who knows it, and in which games it is recorded.

tests/cases/rastakhan.txt has its rules, tests/unit/play/test_position.py positions.
"""

from typing import Any

import pytest

import hsevo
from hsevo.cards.tables import index
from hsevo.engine.record.codec import BONUS, Moment

PRELATE, RULES = "Immortal Prelate", "rise2019"
TEXT = "On a Stegodon"


def killed(seed: int = 0, deck: tuple[str, ...] = (), **given: Any) -> hsevo.Game:
    """Return a game in which a Prelate with +4/+4 has just died."""
    side = {"class": "paladin", "crystals": 10, "mana": 10, "deck": [*deck],
            "board": [{"card": PRELATE, "bonus": [4, 4], **given}],
            "hand": ["Siphon Soul"]}
    game = hsevo.Game.at({
        "ruleset": RULES, "seed": seed, "me": side,
        "opponent": {"class": "mage", "hand": ["Wisp"], "deck": ["Wisp"] * 5}})
    game.apply(next(move.index for move in game.moves if "Siphon Soul at Imm" in str(move)))
    return game


def at_next_turn(game: hsevo.Game) -> hsevo.Game:
    for _ in range(2):
        game.apply(0)
    return game


def records(game: hsevo.Game, player: int = 0) -> int:
    later = game.states()["side"]["later"][0, player]
    return int((later >> BONUS == Moment.KEPT).sum())


def test_the_owner_is_told() -> None:
    game = killed(texts=[TEXT], gained=["taunt"])
    (kept,) = game.view(0)["me"]["kept"]
    assert (kept["name"], kept["attack"], kept["health"]) == (PRELATE, 4, 4)
    assert (kept["words"], [text["name"] for text in kept["texts"]]) == (["taunt"], [TEXT])
    assert f"With what they were given: {PRELATE} 5/7 taunt with {TEXT}" in game.text(0)
    (held,) = at_next_turn(game).view(0)["me"]["hand"]
    assert (held["words"], [text["name"] for text in held["texts"]]) == (["taunt"], [TEXT])
    assert "kept" not in game.view(0)["me"]
    assert f"{PRELATE} (cost 2, 5/7 minion, taunt)" in " ".join(game.text(0).split())


def test_the_opponent_can_not_tell_what_was_drawn() -> None:
    """Of a plain Prelate and one that keeps +4/+4, its owner sees which it has drawn."""
    own, theirs, sizes = set(), set(), set()
    for seed in range(12):
        game = at_next_turn(killed(seed, (PRELATE,)))
        (held,) = game.view(0)["me"]["hand"]
        sizes.add((held["attack"], records(game)))
        own.add(game.information_state(0).key)
        theirs.add((game.information_state(1).key, game.text(1)))
        assert "kept" not in game.view(1)["opponent"]
    assert sizes == {(4, 0), (0, 1)}
    assert (len(own), len(theirs)) == (2, 1)


def test_each_copy_is_as_likely_to_be_drawn() -> None:
    drawn = [at_next_turn(killed(seed, (PRELATE,))).view(0)["me"]["hand"][0]["attack"]
             for seed in range(400)]
    assert drawn.count(4) == pytest.approx(200, abs=60)  # six standard deviations
    assert drawn.count(0) == 400 - drawn.count(4)


def test_worlds_keep_the_record_with_a_prelate_of_the_deck() -> None:
    game = killed(deck=("Wisp",) * 3)
    game.apply(0)
    for world in game.worlds(1, 30):
        side = world.states()["side"][0, 0]
        cards = side["deck"][:int(side["n_deck"])].tolist()
        assert records(world) <= cards.count(index(RULES)["TRL_306"])
        assert world.information_state(1).key == game.information_state(1).key


def test_copies_and_saved_games_have_the_record() -> None:
    game = killed(texts=[TEXT])
    for other in (game.copy(), hsevo.Game.load(game.save())):
        assert other.states().tobytes() == game.states().tobytes()
        assert at_next_turn(other).view(0) == at_next_turn(game.copy()).view(0)


def test_a_text_is_recorded_until_the_card_has_left_the_hand() -> None:
    game = at_next_turn(killed(texts=[TEXT]))
    assert records(game) == 1
    game.apply(next(move.index for move in game.moves if f"play {PRELATE}" in str(move)))
    (minion,) = [minion for minion in game.view(0)["me"]["board"] if minion["name"] == PRELATE]
    assert [text["name"] for text in minion["texts"]] == [TEXT]
    assert records(game) == 0


def test_a_full_list_keeps_the_first_ones() -> None:
    side = {"class": "paladin", "crystals": 10, "mana": 10, "hand": ["Twisting Nether"],
            "board": [{"card": PRELATE, "bonus": [n, n]} for n in range(1, 7)]}
    game = hsevo.Game.at({"ruleset": RULES, "me": side, "opponent": {"class": "mage"}})
    game.apply(next(move.index for move in game.moves if "Twisting Nether" in str(move)))
    assert game.view(0)["me"]["left_in_deck"] == ["TRL_306"] * 6
    # the spell takes two places of 20 while its turn lasts, each minion five until it is settled
    assert [kept["attack"] for kept in game.view(0)["me"]["kept"]] == [1, 2, 3]


def test_there_is_room_for_six() -> None:
    kept = [{"card": PRELATE, "bonus": [n, n]} for n in range(1, 7)]
    side = {"class": "paladin", "deck": [PRELATE] * 6, "kept": kept}
    game = hsevo.Game.at({"ruleset": RULES, "me": side, "opponent": {"class": "mage"}})
    assert game.position().data["me"]["kept"] == kept
    assert (game.states()["side"]["n_later"] == [[18, 0]]).all()
