"""Worlds: the player's own view stays, what it can't see is dealt anew and does not matter."""

from collections import Counter

import numpy as np
import pytest

import hsevo
from hsevo.cards.tables import cards
from hsevo.engine.rules.evidence import MADE
from hsevo.play.games import GameBatch
from hsevo.play.rules import deal_worlds
from hsevo.replays.chances import states_of

N = 300


@pytest.fixture(scope="module")
def game() -> hsevo.Game:
    played = hsevo.Game("mage", "warrior", players=["eva:2018", "eva:2018"], seed=5)
    played.run()
    return played


@pytest.fixture(scope="module")
def before(game: hsevo.Game) -> GameBatch:
    """A state in the middle of a game in which both hold cards of their lists alone, N times."""
    states = states_of(game, [move.index for move in game.history])
    listed = (states.states["evidence"]["hand"] != MADE).all(axis=(1, 2))
    middle = np.flatnonzero(listed & (states.states["pending"] == 0))
    return states.take(np.full(N, middle[middle <= len(states) // 2][-1]))


def dealt(games: GameBatch, first: int = 0) -> GameBatch:
    worlds = games.take(slice(None))
    deal_worlds(worlds.states, games.ruleset, games.players,
                np.arange(first, first + len(games), dtype=np.uint64))
    return worlds


def held(state: np.void, side: int) -> Counter[int]:
    """The cards that a player holds, and no one else sees."""
    s = state["side"][side]
    return Counter([*s["hand"]["card"][:s["n_hand"]].tolist(), *s["deck"][:s["n_deck"]].tolist(),
                    *s["secret"]["card"][:s["n_secrets"]].tolist()])


def plain(games: GameBatch) -> list[str]:
    """The states without the bytes between their fields, which mean nothing."""
    return [repr(state.tolist()) for state in games.states.view(np.ndarray)]


def test_the_opponents_hand_is_dealt_from_all_it_holds(before: GameBatch) -> None:
    worlds, state = dealt(before), before.states[0]
    other = 1 - int(state["me"])
    assert all(held(one, other) == held(state, other) for one in worlds.states)
    hands = worlds.states["side"][:, other]["hand"]["card"]
    n = int(state["side"][other]["n_hand"])
    assert len({tuple(sorted(hand[:n])) for hand in hands.tolist()}) > 20
    total = held(state, other)
    card, copies = total.most_common(1)[0]
    share = (hands[:, :n] == card).sum() / (N * n)
    assert share == pytest.approx(copies / total.total(), abs=0.05)


def test_what_the_player_sees_stays(before: GameBatch) -> None:
    worlds, state = dealt(before), before.states[0]
    me = int(state["me"])
    own, seen = worlds.states["side"][:, me], state["side"][me]
    for name in set(seen.dtype.names or ()) - {"deck"}:
        assert (own[name] == seen[name]).all(), name
    assert all(held(one, me) == held(state, me) for one in worlds.states)
    for name in ("char", "turn", "result", "pending"):
        assert all(repr(one[name].tolist()) == repr(state[name].tolist())
                   for one in worlds.states)


def test_positions_that_look_the_same_have_the_same_worlds(before: GameBatch) -> None:
    """Another hand of the opponent's, and other orders of both decks, change nothing."""
    before = before.take(slice(20))
    other_cards = dealt(before, 5_000)
    for name in ("rng", "lookahead_rng"):
        other_cards.states[name] = before.states[name]
    assert plain(other_cards) != plain(before)
    assert plain(dealt(before)) == plain(dealt(other_cards))


def test_worlds_can_be_played_to_their_end(before: GameBatch) -> None:
    worlds = dealt(before)
    assert len(set(worlds.states["rng"].tolist())) == N
    agent = hsevo.Agent("eva:2018").record
    while worlds.running.any():
        worlds.ask(agent)
    assert not worlds.states["fault"].any()
    assert 0 < (worlds.results == 1).mean() < 1


def test_with_leaky_information_only_the_random_numbers_are_new(game: hsevo.Game) -> None:
    leaky = hsevo.Game("mage", "warrior", players=["eva:2018", "eva:2018"], seed=5,
                       information="leaky")
    leaky.run()
    states = states_of(leaky, [move.index for move in leaky.history]).take([10])
    worlds = dealt(states)
    assert repr(worlds.states["side"].tolist()) == repr(states.states["side"].tolist())
    assert worlds.states["rng"] != states.states["rng"]


# -- cards that are not from the deck list ---------------------------------------------------------

SIDE = {"class": "mage", "deck": ["Fireball", "Frostbolt", "Polymorph"], "hand": ["Flamestrike"]}


def results(opponent: dict[str, object], action: str, **me: object) -> list[hsevo.Game]:
    """The games after an action of player 1, which player 0 can't tell apart."""
    game = hsevo.Game.at({"player": 1, "turn": 20, "me": SIDE | opponent, "opponent": SIDE | me})
    (move,) = [move.index for move in game.moves if move.text.startswith(action)]
    return [outcome.game for outcome in game.outcomes(move, most=2000)]


def hand_of(game: hsevo.Game, player: int = 1) -> list[str]:
    return [card["name"] for card in game.view(player)["me"]["hand"]]


def test_a_made_card_in_hand_may_be_any_and_is_not_told() -> None:
    """Babbling Book adds a random mage spell: the same worlds, whichever it was."""
    games = results({"hand": ["Flamestrike", "Babbling Book"]}, "play Babbling Book")
    assert len({tuple(hand_of(game)) for game in games}) == len(games) > 20
    sampled = [game.worlds(0, 60, seed=4) for game in games[:4]]
    assert len({game.information_state(0).key for game in games}) == 1
    states = [[world._digest() for world in worlds] for worlds in sampled]
    assert all(other == states[0] for other in states)
    hands = [hand_of(world) for world in sampled[0]]
    assert len({hand[1] for hand in hands}) > 40  # of all cards that a mage may use
    listed = {"Flamestrike", "Fireball", "Frostbolt", "Polymorph"}
    assert {hand[0] for hand in hands} == listed
    for world in sampled[0]:  # what the list had is still there
        deck = world.view(1)["me"]["left_in_deck"]
        assert len(deck) == 3
        assert {hand_of(world)[0]} | {cards()[id].name for id in deck} == listed


def test_worlds_of_a_world_are_those_of_its_game_with_a_made_card() -> None:
    (game, *_) = results({"hand": ["Babbling Book"]}, "play Babbling Book")
    (world,) = game.worlds(0, 1, seed=5)
    assert [each._digest() for each in world.worlds(0, 10, seed=6)] == [
        each._digest() for each in game.worlds(0, 10, seed=6)]


def test_a_card_that_came_back_is_known() -> None:
    """Vanish returns a Wisp to a hand: it is there in every world."""
    games = results({"class": "rogue", "hand": ["Vanish"] + ["Flamestrike"] * 2,
                     "board": ["Wisp"]}, "play Vanish")
    hands = [hand_of(world) for world in games[0].worlds(0, 30)]
    assert all(hand[2] == "Wisp" for hand in hands)
    assert len({*map(tuple, hands)}) > 5


def test_a_card_that_changes_in_hand_is_itself_in_a_world() -> None:
    """Shifter Zerus is another minion each turn, of which the opponent sees nothing."""
    shown = [{"card": name, "shifting": True} for name in ("Wisp", "Ysera")]
    worlds = [hsevo.Game.at({"me": SIDE, "opponent": SIDE | {"hand": [card]}}).worlds(0, 20)
              for card in shown]
    first, second = [[world._digest() for world in some] for some in worlds]
    assert first == second
    names = {name for world in worlds[0] for name in hand_of(world)}
    assert names == {"Shifter Zerus", "Fireball", "Frostbolt", "Polymorph"}


def test_cards_that_nobody_saw_go_into_a_deck_may_be_any() -> None:
    decks = [[{"card": name, "unseen": True}, "Fireball"] for name in ("Wisp", "Ysera")]
    worlds = [hsevo.Game.at({"me": SIDE, "opponent": SIDE | {"deck": deck}}).worlds(0, 40)
              for deck in decks]
    first, second = [[world._digest() for world in some] for some in worlds]
    assert first == second
    assert len({*first}) > 30


def test_a_made_secret_in_play_may_be_any() -> None:
    games = results({"hand": ["Babbling Book"], "deck": []}, "play Babbling Book")
    laid = []
    for game in games:
        moves = [move for move in game.moves if move.kind == "play"]
        if moves and moves[0].source.card in ("EX1_287", "EX1_289", "EX1_294"):
            game.apply(moves[0].index)
            laid.append(game)
    assert len(laid) == 3
    sampled = [[world.view(1)["me"]["secrets"] for world in game.worlds(0, 40)] for game in laid]
    names = [[secrets[0]["name"] for secrets in some] for some in sampled]
    assert names[0] == names[1] == names[2]
    assert len({*names[0]}) > 3
