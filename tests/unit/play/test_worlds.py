"""Worlds: the player's own view stays, what it can't see is dealt anew and does not matter."""

from collections import Counter

import numpy as np
import pytest

import hsevo
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
    """The state in the middle of a game, N times."""
    states = states_of(game, [move.index for move in game.history])
    return states.take(np.full(N, len(states) // 2))


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
