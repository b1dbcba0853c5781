"""Sessions: the game of a match, asked without a trace, saved and gone on with."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hsevo.agents.genomes.weights import EVA_2018
from hsevo.agents.mcts.named import NamedSearch, mcts
from hsevo.agents.shared.agent import NO_AGGRESSION, RANDOM, agent, eva
from hsevo.cards.decks import Deck, read_deck
from hsevo.cards.tables import cards
from hsevo.engine.record.state import RUNNING
from hsevo.engine.view.snapshot import snapshot
from hsevo.errors import CardError, ConfigError, GameError, HsevoError
from hsevo.play import match
from hsevo.play.events import What
from hsevo.play.moves import MoveKind
from hsevo.play.position import Position
from hsevo.play.session import Seat, Session
from hsevo.strength.roster import read_agent

MAGE, WARRIOR, SHAMAN = (read_deck(name) for name in ("mage", "warrior", "shaman"))
EVA = Seat("eva:2018", eva(EVA_2018[None]))
TREE = Seat("tree", mcts(NamedSearch(12, 1)))
CHANCE = Seat("chance", agent(RANDOM))


def state(game: Session) -> Any:
    """Return all that makes up a game, its random streams included."""
    return repr(snapshot(game._state[0])), int(game._state["rng"][0]), json.dumps(game.save())


def outcome(game: Session) -> tuple[int, int]:
    return game.result, min(game.turn, game.setting.max_turns)


@pytest.mark.parametrize("players", [(EVA, CHANCE), (TREE, EVA), (TREE, TREE)],
                         ids=lambda players: players[0].name + " " + players[1].name)
@pytest.mark.parametrize("information", ["fair", "closed", "leaky"])
def test_seated_agents_play_the_game_of_the_match(players: Any, information: str) -> None:
    seed = 2**64 - 3  # game 1 and 2 of a row with this seed come after 2**64 - 1, or nearly
    setting = match.Setting("cig2018", (MAGE, WARRIOR), information)
    agents = np.concatenate([player.agent for player in players])
    for k in range(2):
        game = Session(MAGE, WARRIOR, players, seed + k, information=information)
        game.run()
        assert game.over
        row = np.array([(0, 1, 0, 1, 1, seed + k)], match.PAIRING)
        (once,) = match.play_block(row, agents, setting)
        assert outcome(game) == (once["wins_a"] + 2 * once["wins_b"] + 3 * once["draws"],
                                 once["turns"])
        assert len(game.history) == once["decisions"]


def test_a_row_of_a_match_is_its_sessions() -> None:
    agents = np.concatenate([EVA.agent, CHANCE.agent])
    row = np.array([(0, 1, 0, 1, 5, 77)], match.PAIRING)
    (result,) = match.play_block(row, agents, match.Setting("cig2018", (MAGE, SHAMAN)))
    games = [Session(MAGE, SHAMAN, (EVA, CHANCE), 77 + k) for k in range(5)]
    for game in games:
        game.run()
    assert sum(game.winner == 0 for game in games) == result["wins_a"]
    assert sum(game.winner == 1 for game in games) == result["wins_b"]
    assert sum(game.turn for game in games) == result["turns"]


@pytest.mark.parametrize("player", [EVA, TREE, CHANCE], ids=lambda player: player.name)
def test_asking_changes_nothing_and_answers_as_the_match_does(player: Seat) -> None:
    seated = Session(MAGE, WARRIOR, (player, player), 5)
    asked = Session(MAGE, WARRIOR, (player, player), 5)
    for _ in range(25):
        before = state(asked)
        answers = {asked.ask().index for _ in range(3)}
        assert state(asked) == before
        move = asked.ask()
        assert answers == {move.index}
        asked.play(move)  # as if it had been its own
        assert seated.step() == move
    assert seated.save() == asked.save()


def test_a_guest_answers_as_in_its_seat_but_for_a_tree() -> None:
    guest, seated = Session(MAGE, WARRIOR, seed=8), Session(MAGE, WARRIOR, (EVA, EVA), 8)
    seated.run()
    while not guest.over:
        guest.play(guest.ask(EVA))
    assert [move.text for move in guest.history] == [move.text for move in seated.history]


def test_scores_are_those_of_the_moves() -> None:
    game = Session(MAGE, WARRIOR, (EVA, None), 3)
    while game.player != 0:
        game.play(0)
    best = game.ask()
    scores = game.scores
    assert {*scores} <= {move.index for move in game.moves}
    assert scores[0] == 0.0
    assert scores[best.index] == max(scores.values())
    game.ask(CHANCE)
    assert game.scores == {}
    game.play(best)
    assert game.scores == {}


def test_moves_are_objects_with_text_cards_and_uids() -> None:
    game = Session(MAGE, WARRIOR, (CHANCE, CHANCE), 11)
    kinds = set()
    while not game.over:
        for move in game.moves:
            kinds.add(move.kind)
            assert str(move) == move.text
            for piece in filter(None, (move.source, move.target)):
                assert piece.name in move.text or piece.zone == "hero"
                assert (piece.uid > 0) == (piece.zone in ("board", "hero"))
            if move.kind is MoveKind.PLAY:
                hand = game.view(game.player)["me"]["hand"]
                assert hand[move.source.position]["cost"] == move.cost
        game.step()
    assert kinds == {MoveKind.END_TURN, MoveKind.ATTACK, MoveKind.POWER, MoveKind.PLAY}
    assert game.moves == ()


@pytest.mark.parametrize(("changes", "cost"), [
    ({}, 2), ({"board": ["Maiden of the Lake"]}, 1), ({"board": 2 * ["Maiden of the Lake"]}, 1),
    ({"counters": {"next power cheaper": 2}}, 0), ({"counters": {"power dearer": 5}}, 7),
    ({"counters": {"power price": 1}}, 0), ({"power": "Fireblast Rank 2"}, 2),
])
def test_a_hero_power_costs_what_is_paid_wherever_it_is_shown(
        changes: dict[str, Any], cost: int) -> None:
    game = Session.at(Position({
        "me": {"class": "mage", "deck": ["Wisp"]} | changes,
        "opponent": {"class": "warrior", "board": ["Maiden of the Lake"]}}))
    shown = [game.view(player)[side]["power"] for player, side in ((0, "me"), (1, "opponent"))]
    assert [power["cost"] for power in shown] == [cost, cost]
    assert game.view(1)["me"]["power"]["cost"] == 1
    assert [side.power_cost for side in game.scene().sides] == [cost, 1]
    move = next(move for move in game.moves if move.kind is MoveKind.POWER)
    assert move.cost == cost
    (event,) = [event for event in game.play(move) if event.what is What.POWER]
    assert event.amount == cost


@pytest.mark.parametrize("name", ["classic-mage", "classic-hunter", "shaman"])
def test_moves_cost_what_is_paid(name: str) -> None:
    """No card of these decks costs health."""
    game, paid = Session(read_deck(name), WARRIOR, (CHANCE, CHANCE), 5), 0
    while not game.over:
        before, made = len(game.events), game.step()
        if made.kind in (MoveKind.PLAY, MoveKind.POWER):
            assert game.events[before].amount == made.cost
            paid += made.cost
    assert paid > 20


def test_a_mulligan_is_played() -> None:
    game = Session(MAGE, WARRIOR, ruleset="msg2017", seed=1)
    assert (game.phase, game.turn) == ("mulligan", 0)
    first = game.player
    assert [move.kind for move in game.moves] == [MoveKind.KEEP] + 3 * [MoveKind.THROW_BACK]
    thrown = game.moves[1].source
    (event,) = game.play(game.moves[1])
    assert (event.what, event.card) == (What.THREW_BACK, thrown.card)
    (shown,) = game.view(first)["me"]["thrown_back"]
    assert (shown["card"], shown["name"]) == (thrown.card, thrown.name)
    assert game.view(1 - first)["opponent"]["hand"] == 3
    game.play(0)
    assert game.player == 1 - first
    game.play(0)
    assert (game.phase, game.turn, game.player) == ("play", 1, first)


@pytest.mark.parametrize("move", [-1, 3661, 10**9, "end the turn", None])
def test_an_illegal_move_is_refused_and_changes_nothing(move: Any) -> None:
    game = Session(MAGE, WARRIOR, seed=2)
    before = game.save(), game.events
    with pytest.raises(GameError, match=r"is not legal here; game\.moves lists the legal moves"):
        game.play(move)
    assert (game.save(), game.events) == before


def test_a_move_of_another_position_is_refused() -> None:
    game, other = Session(MAGE, WARRIOR, seed=2), Session(WARRIOR, MAGE, (EVA, EVA), 3)
    for _ in range(6):
        other.step()
    alien = [move for move in other.moves if move not in game.moves]
    assert alien
    for move in alien:
        with pytest.raises(GameError, match="is not legal here"):
            game.play(move)
    assert game.history == ()


def test_nobody_to_ask() -> None:
    game = Session(MAGE, WARRIOR, seed=2)
    with pytest.raises(GameError, match="has no agent; name an agent"):
        game.ask()
    with pytest.raises(GameError, match="has no agent; name an agent"):
        game.step()
    game.run()
    assert game.history == ()


def test_run_stops_where_somebody_else_is_to_move() -> None:
    game = Session(MAGE, WARRIOR, (EVA, None), seed=2)
    game.run()
    while not game.over:
        assert game.player == 1
        game.play(game.ask(CHANCE))
        game.run()
    with pytest.raises(GameError, match="is over"):
        game.ask(EVA)


def test_saved_and_loaded_a_game_goes_on_as_it_would_have(tmp_path: Path) -> None:
    game = Session(MAGE, SHAMAN, (EVA, CHANCE), 21)
    for _ in range(20):
        game.step()
    data = game.save(tmp_path / "game.json")
    assert json.loads(json.dumps(data)) == data
    for source in (data, tmp_path / "game.json", str(tmp_path / "game.json")):
        again = Session.load(source)
        assert again.save() == data
        assert again.events == game.events
        assert snapshot(again.states()[0]) == snapshot(game._state[0])
    again.run()
    game.run()
    assert again.save() == game.save()


def test_a_copy_goes_its_own_way() -> None:
    game = Session(MAGE, SHAMAN, (TREE, TREE), 4)
    for _ in range(10):
        game.step()
    before, other = game.save(), game.copy()
    other.run()
    assert game.save() == before
    game.run()
    assert game.save() == other.save()
    assert game.events == other.events


@pytest.mark.parametrize(("change", "said"), [
    ({"format": "chess"}, "not a saved game of hsevo"),
    ({"version": 2}, "has version '2'"),
    ({"moves": [1]}, r"move 1 of the saved game, '1', is not legal"),
    ({"moves": [], "digest": "0" * 16}, "replaying the saved game gives a different position"),
    ({"digest": "0" * 16, "engine": "0123"}, "it was played by the engine 0123, and this is"),
    ({"moves": None}, "is damaged"),
    ({"decks": []}, "is damaged"),
    ({"lookahead_rng": -1}, "is damaged"),
])
def test_a_saved_game_that_cannot_be_used(change: dict[str, Any], said: str) -> None:
    with pytest.raises(GameError, match=said):
        Session.load(Session(MAGE, WARRIOR, seed=2).save() | change)


def test_files_that_are_no_saved_game(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no JSON")
    (tmp_path / "deep").write_text("[" * 100_000)
    for name, said in (("x", "it is not JSON"), ("deep", "it is not JSON"), ("y", "No such file")):
        with pytest.raises(GameError, match=said):
            Session.load(tmp_path / name)


def test_a_saved_game_whose_agent_is_nested_without_end() -> None:
    data = Session(MAGE, WARRIOR, seed=2).save()
    nested: Any = data["players"][0]
    for _ in range(2_000):
        nested = {"by_decks": [[nested]]}
    data["players"][0] = {"name": "x", "agent": nested}
    with pytest.raises(GameError, match="is damaged"):
        Session.load(data)


@pytest.mark.parametrize(("arguments", "error", "said"), [
    ({"deck_0": Deck.of("mine", "MAGE", ("XXX_1",))}, CardError, "has no card 'XXX_1'"),
    ({"ruleset": "cig2108"}, CardError, "did you mean 'cig2018'"),
    ({"information": "far"}, ConfigError, "did you mean 'fair'"),
    ({"max_turns": 0}, ConfigError, "max_turns is 0"),
    ({"seed": -1}, ConfigError, "seed is -1"),
    ({"players": (EVA,)}, ConfigError, "players has 1 entries, but must have 2"),
    ({"players": (Seat("x", np.zeros(2)), None)}, GameError, "an agent must be an AGENT record"),
])
def test_arguments_that_cannot_be_used(arguments: dict[str, Any], error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        Session(**({"deck_0": MAGE, "deck_1": WARRIOR} | arguments))


def test_a_draw_has_no_winner() -> None:
    game = Session(MAGE, WARRIOR, seed=1, max_turns=3)
    while not game.over:
        assert game.result == RUNNING
        game.play(0)
    assert (game.winner, game.phase, game.events[-1].what) == (None, "over", What.OVER)


def test_events_for_a_player_name_only_cards_it_could_see() -> None:
    """Cards of the opponent are named once they were in play, burned or discarded, not before."""
    peaceful = Seat("peaceful", agent(NO_AGGRESSION))
    for seed in range(6):
        game = Session(MAGE, WARRIOR, (CHANCE, peaceful), seed)
        game.run()
        for player in (0, 1):
            owns = {*(MAGE, WARRIOR)[1 - player].ids} - {*(MAGE, WARRIOR)[player].ids}
            seen, told = set(), set()
            for full, event in zip(game.events, game.events_for(player), strict=True):
                if full.player == 1 - player and full.what in (
                        What.PLAYED, What.SUMMONED, What.BURNED, What.DISCARDED, What.REVEALED,
                        What.LEFT_DECK, What.LEFT_HAND):  # into play
                    seen |= {full.card} if not (full.what is What.PLAYED
                                                and full.known_to != (0, 1)) else set()
                told |= {event.card, event.by_card, *event.cards}
                assert told & owns <= seen
            assert told & owns
            hidden = [event for event in game.events_for(player)
                      if event.player == 1 - player and event.what is What.DREW]
            assert hidden
            assert not any(event.card for event in hidden)


@pytest.mark.parametrize(("side", "moves", "hidden"), [
    ({"hand": ["Emperor Thaurissan", "Fireball", "Frost Nova"]},  # what cards in hand cost
     ["play Emperor Thaurissan", "end the turn"], {"Fireball", "Frost Nova"}),
    ({"hand": ["Grimestreet Outfitter", "Water Elemental"]},  # their bodies
     ["play Grimestreet Outfitter"], {"Water Elemental"}),
    ({"hand": ["Fireball"], "board": ["Mad Scientist"], "deck": ["Ice Block"]},  # which secret
     ["play Fireball at Mad Scientist"], {"Ice Block"}),
    ({"hand": ["Golden Monkey", "Fireball"], "deck": ["Ice Block"]},  # what hand and deck become
     ["play Golden Monkey"], {"Fireball", "Ice Block"})])
def test_what_happens_to_hidden_cards_names_none_to_the_opponent(
        side: dict[str, Any], moves: list[str], hidden: set[str]) -> None:
    game = Session.at(Position({"ruleset": "msg2017", "opponent": {"class": "warrior"},
                                "me": {"class": "mage", "crystals": 9} | side}))
    seat, known = game.player, cards("msg2017")
    for words in moves:
        game.play(next(move for move in game.moves if move.text.startswith(words)))
    told = game.events_for(1 - seat)
    named = {known[id].name for event in told for id in (event.card, event.by_card, *event.cards)
             if id}
    assert moves[0].removeprefix("play ").partition(" at ")[0] in named
    assert not hidden & named


def test_arguments_that_cannot_be_used_are_named() -> None:
    deck = read_deck("mage")
    for words in ({"seed": 1.5}, {"seed": None}, {"seed": True}, {"max_turns": "a"},
                  {"max_turns": 10.5}, {"information": []}):
        with pytest.raises(ConfigError, match=next(iter(words))):
            Session(deck, deck, **words)
    game = Session(deck, deck, seed=np.int64(3))
    json.dumps(game.save())
    for player in (2, -1, None, "0"):
        with pytest.raises(GameError, match="must be 0 or 1"):
            game.view(player)  # type: ignore[arg-type]
        with pytest.raises(GameError, match="must be 0 or 1"):
            game.events_for(player)  # type: ignore[arg-type]
    for move in (True, 0.0, "0", None):
        with pytest.raises(GameError, match="not legal"):
            game.play(move)  # type: ignore[arg-type]


def test_a_saved_agent_that_would_leave_its_scratch_is_refused() -> None:
    deck = read_deck("mage")
    data = Session(deck, deck, (Seat("x", read_agent("mcts:vanilla")), None)).save()
    data["players"][0]["agent"]["budget"][1] = 40_000
    with pytest.raises(HsevoError, match="budget"):
        Session.load(data)


def test_a_copy_by_the_module_copy_is_a_copy() -> None:
    deck = read_deck("mage")
    game = Session(deck, deck, seed=1)
    other = copy.copy(game)
    other.play(other.moves[0])
    assert (game.history, len(other.history)) == ((), 1)
