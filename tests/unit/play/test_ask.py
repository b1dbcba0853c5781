"""Games.ask and Games.sample: compiled agents and random moves in batches."""

from typing import Any

import numpy as np
import pytest

from hsevo.cards.decks import read_deck
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import RUNNING
from hsevo.errors import ConfigError
from hsevo.play import match
from hsevo.play.games import GameBatch
from hsevo.strength.roster import read_agent

DECKS = tuple(read_deck(name) for name in ("warrior", "shaman", "mage"))
SPECS = ("eva:2018", "random", "greedy:metastone", "tyche:mc?episodes=6", "dl:miller",
         "hearthsim?nodes=40")


def begin(n: int = 6) -> GameBatch:
    return GameBatch.new([DECKS[i % 3] for i in range(n)], DECKS[2], np.arange(n))


def over(games: GameBatch, *asked: Any, **options: Any) -> GameBatch:
    for _ in range(2000):
        if not games.running.any():
            return games
        games.ask(*asked, **options)
    raise AssertionError("a game without end")


@pytest.mark.parametrize("spec", SPECS)
def test_a_batch_is_played_as_pairings_are(spec: str) -> None:
    agents = np.concatenate([read_agent(spec), read_agent("random")])
    rows = np.zeros(6, match.PAIRING)
    rows["b"], rows["games"], rows["seed"] = 1, 1, np.arange(6)
    rows["deck_a"], rows["deck_b"] = np.arange(6) % 3, 2
    played = match.play_block(rows, agents, match.Setting(decks=DECKS))
    games = over(begin(), agents)
    ended = played["wins_a"] + 2 * played["wins_b"] + 3 * played["draws"]
    assert games.results.tolist() == ended.tolist()
    assert np.minimum(games.states["turn"], 89).tolist() == played["turns"].tolist()


def test_a_decision_does_not_depend_on_the_batch() -> None:
    """A tree search begins anew each time: alone it decides as among others."""
    agent, alone, beside = read_agent("mcts:vanilla?iterations=12&rollouts=1"), begin(1), begin(3)
    for _ in range(6):
        assert alone.ask(agent)[0] == beside.ask(agent)[0]
    assert alone.states.tobytes() == beside.take([0]).states.tobytes()


def test_only_the_seat_that_is_asked_moves() -> None:
    games = begin(20)
    turn, before = games.players, games.take(slice(None))
    moves = games.ask(read_agent("eva:2018"), seat=1)
    assert ((moves >= 0) == (turn == 1)).all()
    assert (turn == 1).any()
    assert (turn == 0).any()
    waits = np.flatnonzero(turn == 0)
    assert games.take(waits).states.tobytes() == before.take(waits).states.tobytes()
    masks = before.legal_moves()
    assert all(masks[i, moves[i]] for i in np.flatnonzero(moves >= 0))
    each = before.ask(read_agent("eva:2018"), seat=turn)  # one a game
    assert (each >= 0).all()


def test_agents_by_seat_and_by_game() -> None:
    eva, random = read_agent("eva:2018"), read_agent("random")
    by_seat, by_game, expected = begin(), begin(), []
    for i in range(6):
        one = begin().take([i])
        expected.append(int(one.ask(eva if one.players[0] == 0 else random)[0]))
    assert by_seat.ask(np.concatenate([eva, random])).tolist() == expected
    each = np.concatenate([eva if player == 0 else random for player in by_game.players])
    assert by_game.ask(each).tolist() == expected


def test_it_goes_with_moves_of_anybodys_else() -> None:
    """A learner as player 0, a compiled agent as player 1."""
    games = begin(4)
    for step in range(2000):
        if not games.running.any():
            break
        games.ask(read_agent("eva:2018"), seat=1)
        waits = games.running & (games.players == 0)
        if waits.any():
            some = games.take(waits)
            some.step(some.sample(step))
            games.states[waits] = some.states
    assert (games.results != RUNNING).all()
    assert (games.results == 2).sum() >= 3  # EVA beats random moves


def test_asking_games_that_are_over_changes_nothing() -> None:
    games = over(begin(2), read_agent("random"))
    before = games.states.tobytes()
    assert games.ask(read_agent("eva:2018")).tolist() == [-1, -1]
    assert games.sample(0).tolist() == [END, END]
    assert games.states.tobytes() == before


def test_samples_are_uniform_and_legal() -> None:
    one = begin(1)
    for seed in range(40):
        if one.legal_moves().sum() > 4:
            break
        one.step(one.sample(seed))
    many = one.take(np.zeros(20_000, int))
    legal = np.flatnonzero(one.legal_moves()[0])
    moves = many.sample(np.random.default_rng(1))
    found = np.array([(moves == move).sum() for move in legal])
    expected = 20_000 / len(legal)
    assert len(legal) > 4
    assert found.sum() == 20_000
    assert (abs(found - expected) < 5 * np.sqrt(expected)).all()
    assert (many.sample(7) == many.sample(7)).all()
    assert (many.sample(7) != many.sample(8)).any()


def test_a_short_repr() -> None:
    games = begin(3)
    assert repr(games) == "GameBatch(3 games, 3 running, cig2018)"
    assert repr(games.take([0])) == "GameBatch(1 game, 1 running, cig2018)"


AGENT = read_agent("random")


@pytest.mark.parametrize(("arguments", "error", "said"), [
    (("eva:2018",), TypeError, "must be an array of dtype AGENT; hsevo.strength.roster.read_agent"),
    ((np.repeat(AGENT, 4),), ValueError, r"agents has shape \(4,\), but must have \(1,\), \(2,\)"),
    ((AGENT, 2), ValueError, "seat is 2, but must be 0 or 1"),
    ((AGENT, [0, 1]), ValueError, r"or an array with 0 or 1 for each game \(6,\)"),
    ((AGENT, None, "full"), ConfigError, "information is 'full', but must be one of fair, closed"),
])
def test_what_cannot_be_asked(arguments: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        begin().ask(*arguments)


@pytest.mark.parametrize(("arguments", "error", "said"), [
    (("mage", DECKS[0], [1]), TypeError, "decks_0 has 'mage'.*read_deck reads one"),
    ((DECKS[0], ["mage"], [1]), TypeError, "decks_1 has 'mage'"),
    ((DECKS[0], DECKS[1], [-1]), ValueError, r"whole numbers from 0 to 2\*\*64 - 1"),
    ((DECKS[0], DECKS[1], [0.5]), ValueError, "whole numbers"),
    ((DECKS[0], DECKS[1], 5), ValueError, r"seeds has shape \(\), but must be \(n,\)"),
])
def test_what_cannot_be_begun(arguments: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        GameBatch.new(*arguments)


def test_a_negative_seed_of_samples_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        begin().sample(-1)
