"""What a Python player is given: all of what it may know, and nothing of what is hidden."""

import copy
import json
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo import learning
from hsevo.cards.decks import read_deck
from hsevo.engine.record.state import RUNNING
from hsevo.errors import GameError
from hsevo.play.events import What
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting
from hsevo.play.moves import MoveCosts
from hsevo.play.players import Decision, PlayedCard
from hsevo.play.session import Session
from hsevo.play.view import View, blanked, view
from tests.support.hidden import positions, resampled

DECKS = read_deck("mage"), read_deck("warrior")


def decision(games: GameBatch, i: int, played: tuple[PlayedCard, ...] = ()) -> Decision:
    return Decision(np.array(games.states[i:i + 1]), Setting(games.ruleset, DECKS), 1, 7, played)


@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017"])
def test_nothing_that_is_hidden_is_left_in_a_state(ruleset: str) -> None:
    """Whatever is made up where a player can't look, what it holds is the same to the byte."""
    random = np.random.default_rng(5)
    games = positions(5, 400, ruleset)
    for players in (np.arange(400) % 2, 1 - np.arange(400) % 2):
        other = resampled(games, players, random)
        for i, player in enumerate(players):
            one, two = (np.array(each.states[i:i + 1]) for each in (games, other))
            assert one.tobytes() != two.tobytes()
            assert blanked(one, int(player)).tobytes() == blanked(two, int(player)).tobytes()


@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017"])
def test_a_view_is_what_a_game_shows_its_player(ruleset: str) -> None:
    """Data, costs, legal moves and observations are those of the true game."""
    games = positions(6, 200, ruleset)
    masks, prices, powers = games.legal_moves(), games.costs(), games.power_costs()
    seen, legal = learning.observe(games)
    for i in np.flatnonzero(games.states["result"] == RUNNING):
        me, moves = int(games.states["me"][i]), np.flatnonzero(masks[i]).tolist()
        own = View(decision(games, i), moves)
        costs = MoveCosts.of(prices[i], powers[i], games.states["side"]["n_hand"][i])
        whole = view(games.states[i], me, ruleset, costs, moves)
        assert json.dumps(dict(own)) == json.dumps(whole)
        assert [move.index for move in own.moves] == moves
        again, bits = learning.observe(own.games)
        assert np.array_equal(again[0], seen[i])
        assert np.array_equal(bits[0], legal[i])


def without_past(view: Any) -> Any:
    """Return a view without what follows from the past of a game, which a player's own lacks."""
    if isinstance(view, dict):
        return {name: without_past(part) for name, part in view.items()
                if name not in ("graveyard", "number")}
    return [without_past(part) for part in view] if isinstance(view, list) else view


def test_its_moves_are_those_of_the_game() -> None:
    checked = 0

    def player(own: Any) -> Any:
        nonlocal checked
        checked += 1
        moves = sorted(game.moves, key=lambda move: move.index)
        assert [replace(move, text="") for move in own.moves] == [
            replace(move, text="") for move in moves]
        assert all(move.text.startswith(same.text)
                   for move, same in zip(own.moves, moves, strict=True))
        assert own["me"] == without_past(game.view(own.player)["me"])
        assert own.deck == game.setting.decks[own.player]
        assert own.opponent_deck == game.setting.decks[1 - own.player]
        return own.moves[-1]

    game = hsevo.Game("mage", "shaman", players=[player, "eva:2018"], seed=5)
    game.run()
    assert game.over
    assert checked > 10


def test_secrets_of_the_other_are_played_without_a_name() -> None:
    mage = read_deck("mage")
    counterspell, fireball = "EX1_287", "CS2_029"
    played = (PlayedCard(1, 0, counterspell), PlayedCard(2, 1, fireball), PlayedCard(3, 0, None))
    games = GameBatch.new(mage, mage, [3])
    for player, first in ((0, counterspell), (1, None)):
        games.states["me"] = player
        found = View(decision(games, 0, played), [0]).played
        assert [one.card for one in found] == [first, fireball, None]
        assert [one.turn for one in found] == [1, 2, 3]


def test_cards_that_were_played_are_told_in_order() -> None:
    """As the events of the game have them, secrets of the other without their names."""
    told: list[Any] = []

    def player(own: Any) -> Any:
        told.append(own.played)
        return own.moves[-1]

    game = hsevo.Game("secret-hunter", "secret-hunter", players=[player, "random"], seed=11,
                      ruleset="msg2017")
    game.run()
    cast = [event for event in game.events_for(0) if event.what is What.PLAYED]
    assert [(one.player, one.card) for one in told[-1]] == [
        (event.player, event.card or None) for event in cast[:len(told[-1])]]
    assert any(one.card is None for one in told[-1] if one.player == 1)
    assert not any(one.card is None for one in told[-1] if one.player == 0)


def test_random_numbers_belong_to_the_decision() -> None:
    one = decision(GameBatch.new(*DECKS, [3]), 0)
    first = View(one, [0]).random.random()
    assert View(one, [0]).random.random() == first
    assert View(one._replace(clock=2), [0]).random.random() != first
    assert View(one._replace(seed=8), [0]).random.random() != first
    one.state["me"] = 1 - one.state["me"]
    assert View(one, [0]).random.random() != first


def test_a_view_does_not_tell_the_seed_of_its_game() -> None:
    """Whoever has it can deal the same game, and look."""
    seed = 987_654_321_012_345
    view = View(decision(GameBatch.new(*DECKS, [seed]), 0)._replace(seed=seed), [0])
    drawn = view.random.bit_generator
    said = f"{vars(view)!r} {drawn.seed_seq!r} {drawn.state}"
    assert str(seed) not in said
    assert not view._state["rng"].any()
    assert not view._state["lookahead_rng"].any()


def test_a_view_says_what_it_is() -> None:
    games = GameBatch.new(*DECKS, [3])
    own = View(decision(games, 0), [0, 3652])
    assert repr(own).startswith("View(turn ")
    assert own.turn == int(games.states["turn"][0])
    assert own.phase in ("mulligan", "play")
    assert sorted(own) == sorted(set(Session(*DECKS).view(0)))
    assert len(own) == len([*own])


@pytest.mark.parametrize("information", ["closed", "closed:uniform"])
def test_a_closed_deck_list_is_not_in_a_view(information: str) -> None:
    """Whatever list the opponent has, all that a view holds is the same."""
    games = positions(8, 100, "cig2018")
    masks = games.legal_moves()
    for i in np.flatnonzero(games.states["result"] == RUNNING):
        me = int(games.states["me"][i])
        found = []
        for other in ("warrior", "nzoth-control-warrior"):
            decks = (DECKS[0], read_deck(other))[:: 1 - 2 * me]
            setting = Setting(games.ruleset, decks, information)
            one = View(Decision(np.array(games.states[i:i + 1]), setting, 1, 7, ()),
                       np.flatnonzero(masks[i]).tolist())
            assert one.opponent_deck is None
            assert one.deck == DECKS[0]
            found.append({name: value.tobytes() if isinstance(value, np.ndarray) else value
                          for name, value in vars(one).items()} | {"data": json.dumps(dict(one))})
        assert found[0] == found[1]


@pytest.mark.parametrize("information", ["fair", "closed"])
def test_what_a_view_shows_cannot_be_played_on(information: str) -> None:
    """Its hidden cards are blank, so that any game from there would be wrong."""
    views: list[View] = []

    def player(own: View) -> Any:
        views.append(own)
        return own.moves[-1]

    game = hsevo.Game(*DECKS, players=[player, "random"], seed=5, information=information)
    game.run()
    mage = hsevo.Agent("eva:2018").record
    for own in views[::4]:
        again = own.games.states.copy().view(np.recarray)
        for seen in (own.games, own.games.take([0, 0]), copy.copy(own.games),
                     copy.deepcopy(own.games), pickle.loads(pickle.dumps(own.games)),
                     GameBatch(again)):
            before = [seen.states.tobytes(), seen.legal_moves().tobytes()]
            for play in (lambda seen=seen: seen.step(seen.sample(1)),
                         lambda seen=seen: seen.ask(mage),
                         lambda seen=seen: seen.ask(mage, information="closed"),
                         lambda seen=seen: learning.History(seen).step(seen.sample(1)),
                         lambda seen=seen: learning.History(seen).ask(mage),
                         lambda seen=seen: hsevo.Position.of(seen.states, "cig2018", DECKS)):
                with pytest.raises(GameError, match="shows only what one player may know"):
                    play()
            assert before == [seen.states.tobytes(), seen.legal_moves().tobytes()]
            assert len(learning.observe(seen)[0]) == len(seen)
