"""A position stands as the game does in which its cards were played; and it comes back whole."""

import itertools
import json
import random
from typing import Any

import pytest

import hsevo
from hsevo.cards.tables import cards
from hsevo.cards.terms import Kind
from hsevo.engine.record.codec import Action, decode
from hsevo.engine.view.snapshot import snapshot
from hsevo.play.session import Session
from tests.unit.play.test_position import whole

KNOWN = cards()
SECRETS = [id for id, card in KNOWN.items() if card.secret and card.collectible]
BODIES = [id for id, card in KNOWN.items() if card.kind is Kind.MINION and (
    card.grows or not (card.play or card.combo or card.options or card.triggers))]
WEAPONS = [id for id, card in KNOWN.items()
           if card.kind is Kind.WEAPON and not (card.play or card.combo)]
HELD = [id for id, card in KNOWN.items() if card.kind in (Kind.MINION, Kind.SPELL, Kind.WEAPON)]
RITES = {"cthun attack": 2, "cthun health": 3, "cthun taunt": 1}
GOLEM = "attack War Golem (enemy minion 1) with Wisp (own minion 1)"
FURTHER = 4  # moves that are made from there in both games


def position(*hand: str, ruleset: str = "cig2018", **side: Any) -> Session:
    deck = {"deck": 5 * ["Wisp"]}
    return hsevo.Game.at({"ruleset": ruleset, "turn": 19, "me": {
        "class": "mage", "hand": list(hand), **deck, **side}, "opponent": {"class": "mage"} | deck},
        all_places=False)


def play(game: Session, *ids: str) -> None:
    for id in ids:
        game.play(next(move for move in game.moves if move.source and move.source.card == id))


def order(secrets: Any) -> list[int]:
    """Return in which order secrets answer, from 0."""
    uids = [secret.uid for secret in secrets]
    return [sorted(uids).index(uid) for uid in uids]


@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017"])
def test_secrets_of_a_position_answer_as_if_played(ruleset: str) -> None:
    for pair in itertools.permutations(SECRETS, 2):
        if len({KNOWN[id].triggers[0].event for id in pair}) > 1:
            continue
        played, placed = (position(*pair, ruleset=ruleset),
                          position(ruleset=ruleset, secrets=[*pair]))
        play(played, *pair)
        one, other = (snapshot(game.states()[0]).secrets(0) for game in (played, placed))
        assert [secret.card for secret in one] == [secret.card for secret in other]
        assert order(one) == order(other), pair


def test_secrets_of_a_position_answer_in_the_order_of_their_numbers() -> None:
    for first, second in itertools.product((40, 50), repeat=2):
        if first != second:
            game = position(secrets=[{"card": "Mirror Entity", "uid": first},
                                     {"card": "Potion of Polymorph", "uid": second}])
            assert [one.uid for one in snapshot(game.states()[0]).secrets(0)] == [first, second]
            held = position(secrets=[{"card": "Snipe", "uid": first},
                                     {"card": "Potion of Polymorph", "uid": second}])
            assert [one.uid for one in snapshot(held.states()[0]).secrets(0)] == [50, 40]
            assert whole(hsevo.Game.at(game.position())) == whole(game)


def test_minions_of_a_position_are_as_if_played() -> None:
    for id in BODIES:
        played = position(id, counters=RITES, ruleset="cig2018")
        if not any(move.source and move.source.card == id for move in played.moves):
            continue
        play(played, id)
        placed = position(counters=RITES, board=[{"card": id, "gained": ["asleep"]}])
        shown = [[(one["name"], one["attack"], one["health"], one["max_health"], one["words"])
                  for one in game.view(0)["me"]["board"]] for game in (played, placed)]
        assert shown[0] == shown[1], id


def test_weapons_of_a_position_are_as_if_played() -> None:
    for id in WEAPONS:
        played, placed = position(id), position(weapon=id)
        play(played, id)
        shown = [{**game.view(0)["me"]["weapon"], "uid": 0, "number": 0}
                 for game in (played, placed)]
        assert shown[0] == shown[1], id


@pytest.mark.parametrize(("card", "hero"), [
    ("Lord Jaraxxus", "EX1_323h"), ("Majordomo Executus", "BRM_027h")])
def test_a_hero_of_a_position_has_the_health_and_the_power_with_which_it_comes(
        card: str, hero: str) -> None:
    dying: dict[str, Any] = {"board": [card], "hand": ["Twisting Nether"]}
    game = position(**dying) if "Major" in card else position(card)
    game.play(next(move for move in game.moves if move.kind == "play"))
    shown = [one.view(0)["me"] for one in (game, position(hero=hero))]
    assert [(one["hero"]["health"], one["hero"]["max_health"], one["power"]["name"])
            for one in shown] == 2 * [(shown[0]["hero"]["health"], shown[0]["hero"]["max_health"],
                                       shown[0]["power"]["name"])]


def test_golems_and_uses_of_the_hero_power_count() -> None:
    game = position("Jade Behemoth", board=["CFM_712_t04", "CFM_712_t02"], power_used=1)
    data = game.position().data["me"]
    assert "jade" not in data
    assert "counters" not in data
    assert game.view(0)["me"]["jade"] == 4
    play(game, "CFM_343")
    assert game.view(0)["me"]["board"][-1]["attack"] == 5
    past = position("Thing from Below", "Jade Behemoth", board=["Totem Golem"],
                    died=["2x Flametongue Totem", "CFM_712_t06", "Wisp"])
    assert "jade" not in past.position().data["me"]
    assert past.view(0)["me"]["jade"] == 6
    assert past.view(0)["me"]["hand"][0]["cost"] == 6 - 3
    assert whole(hsevo.Game.at(past.position())) == whole(past)
    assert position("Frost Giant", power_used=2).view(0)["me"]["hand"][0]["cost"] == 10 - 2


def act(game: Session, text: str) -> None:
    game.play(next(move for move in game.moves if move.text.startswith(text)))


@pytest.mark.parametrize(("before", "then"), [
    ([GOLEM, "play Wisp"], "attack the enemy hero with Bloodfen Raptor"),
    ([GOLEM, "play Wisp"], "play Yogg-Saron"),
    (["play Shadow Madness at Wisp (enemy", GOLEM, "play Shadow Madness at Leper Gnome (enemy"],
     "end the turn"),
], ids=["Misdirection", "Yogg-Saron", "Shadow Madness"])
def test_what_comes_next_depends_on_no_slot(before: list[str], then: str) -> None:
    """A minion that dies leaves a slot of the record to the next one, which stands elsewhere."""
    mine = {"class": "priest", "board": ["Wisp", "Bloodfen Raptor", "River Crocolisk"],
            "hand": ["Wisp", "Yogg-Saron, Hope's End", "2x Shadow Madness"],
            "counters": {"spells cast": 6}, "deck": 20 * ["Wisp"]}
    other = {"class": "hunter", "board": ["War Golem", "Wisp", "Leper Gnome"],
             "secrets": ["Misdirection"], "deck": 20 * ["Wisp"]}
    for seed in range(8):
        game = hsevo.Game.at({"turn": 19, "seed": seed, "me": mine, "opponent": other},
                             all_places=False)
        for text in before:
            act(game, text)
        again = hsevo.Game.at(game.position(), all_places=False)
        assert whole(again) == whole(game)
        for one in (game, again):
            act(one, then)
        assert whole(again) == whole(game)


def rich(id: str, chance: random.Random) -> dict[str, Any]:
    """Return a position in which a card can do what it says, whatever that is."""
    side = {"class": "mage", "deck": ["2x Wisp", "Bloodfen Raptor", "Fireball", "Fiery War Axe"],
            "board": ["Bloodfen Raptor", "C'Thun", "Imp Gang Boss"], "health": 20,
            "died": ["Wisp", "Leper Gnome"], "counters": RITES | {"spells cast": 2},
            "weapon": "Light's Justice", "secrets": ["Mirror Entity"], "jade": 1}
    hand = [id, "Wisp", "Fireball", "Bloodfen Raptor"]
    return {"turn": 19, "seed": chance.randrange(99), "me": side | {"hand": hand},
            "opponent": side | {"hand": ["Wisp", "War Golem"]}}


def legal(game: Session) -> list[int]:
    """Return the legal moves by number: those that a session puts into words cost ten times more.
    """
    return game.legal_actions()


def plays_first_card(move: int) -> bool:
    parts = decode(move)
    return parts.action is Action.PLAY and parts.hand == 0


def make(game: Session, move: int) -> None:
    """Make a move without a report of its events, of which no position knows."""
    game.apply(move)


@pytest.mark.slow
def test_a_game_goes_on_from_its_position_whatever_was_played() -> None:
    seen = 0
    for id, ruleset in zip(HELD, itertools.cycle(["cig2018", "msg2017"]), strict=False):
        chance = random.Random(id)
        game = hsevo.Game.at({"ruleset": ruleset} | rich(id, chance))
        for own in (True, False, False):
            moves = legal(game)
            found = [move for move in moves if plays_first_card(move)]
            make(game, chance.choice(found if own and found else moves))
            while not game.over and game.phase != "play":
                make(game, chance.choice(legal(game)))
        if game.over:
            continue
        seen += 1
        again = hsevo.Game.at(hsevo.Position(json.loads(game.position().text)))
        assert whole(again) == whole(game), id
        for _ in range(FURTHER):
            moves = legal(game)
            assert legal(again) == moves, id
            if again.over:
                break
            move = chance.choice(moves)
            make(game, move)
            make(again, move)
        assert whole(again) == whole(game), id
    assert seen > 0.9 * len(HELD)
