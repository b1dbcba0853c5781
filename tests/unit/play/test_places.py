"""Places: who may put a minion anywhere on the board, and what agents make of it.

The rules let a player put a minion at every place. People are offered all of them, environments if
they ask for it, agents only places that matter.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo import learning
from hsevo.engine.record.codec import Action, decode
from hsevo.engine.record.state import MOVES
from hsevo.errors import ConfigError, GameError
from hsevo.play.games import GameBatch
from hsevo.play.session import Seat, Session

HUNTER = {"class": "hunter", "deck": ["Wisp", "Wisp"]}
THREE = ["Chillwind Yeti", "War Golem", "Oasis Snapjaw"]


def position(mine: str, theirs: list[str] | None = None) -> dict[str, Any]:
    """Return a position with a Yeti and a Golem of the player to move, and cards in both hands."""
    return {"me": HUNTER | {"hand": [mine], "board": THREE[:2]},
            "opponent": HUNTER | {"hand": theirs or []}}


def boards(game: Session) -> list[list[str]]:
    return [[minion.name for minion in side.board] for side in game.scene().sides]


def places(moves: Any) -> list[int]:
    """Return the places of the plays of the first card in hand, in order."""
    made = [decode(int(move)) for move in moves]
    return [one.place for one in made if one.action is Action.PLAY and one.hand == 0]


def last(view: Any) -> Any:
    return view.moves[-1]


def play(game: Session, text: str) -> None:
    game.play(next(move for move in game.moves if move.text.startswith(text)))


@pytest.mark.parametrize("place", range(3))
def test_a_person_uses_every_place_and_the_game_is_stored_and_loaded(place: int) -> None:
    game = hsevo.Game.at(position("Oasis Snapjaw"))
    assert places(move.index for move in game.moves) == [0, 1, 2]
    move = next(one for one in game.moves if one.position == place)
    game.play(move)
    wanted = THREE[:2]
    wanted.insert(place, THREE[2])
    assert boards(game)[0] == wanted
    stored = json.loads(json.dumps(game.save()))
    assert stored["moves"] == [move.index]
    for other in (hsevo.Game.load(stored), game.before(1), game.copy()):
        assert boards(other)[0] == wanted
        assert other.history[-1].position == place
    assert places(one.index for one in game.before(0).moves) == [0, 1, 2]


def test_the_words_of_a_move_name_its_place() -> None:
    texts = [move.text for move in hsevo.Game.at(position("Oasis Snapjaw")).moves]
    assert texts[1:4] == [f"play Oasis Snapjaw{where}" for where in (
        " to the left of minion 1", " to the left of minion 2", "")]


def test_explosive_shot_hits_whom_the_chosen_place_put_beside() -> None:
    for place, lost in enumerate(([5, 2, 0], [2, 5, 2], [0, 2, 5])):
        game = hsevo.Game.at(position("Oasis Snapjaw", ["Explosive Shot"]))
        game.play(next(move for move in game.moves if move.position == place))
        play(game, "end")
        play(game, "play Explosive Shot at Oasis Snapjaw")
        damage = [one.max_health - one.health for one in game.scene().sides[0].board]
        assert damage == lost, place


# -- who is offered which places ------------------------------------------------------------------


def test_agents_are_offered_places_that_matter() -> None:
    start = position("Oasis Snapjaw")
    for players, all_places, offered in (
            (["eva:2018", None], None, [2]), ([None, "eva:2018"], None, [0, 1, 2]),
            ([None, None], False, [2]), (["eva:2018", "eva:2018"], True, [0, 1, 2])):
        game = hsevo.Game.at(start, players, all_places)
        assert places(move.index for move in game.moves) == offered
        assert {*game.considers()} <= {move.index for move in game.moves}
        assert places(sorted(game.considers())) == [2]
        move = game.ask("eva:2018")
        assert (move.text, move in game.moves) == ("play Oasis Snapjaw", True)
    matters = hsevo.Game.at(position("Dire Wolf Alpha"), ["eva:2018", None])
    assert places(move.index for move in matters.moves) == [0, 1, 2]


def test_the_choice_of_places_is_stored_and_games_before_it_load() -> None:
    for players, chosen in (((None, None), False), (("random", None), True), ((None, None), None)):
        game = hsevo.Game("mage", "warrior", players, seed=4, all_places=chosen)
        stored = game.save()
        assert hsevo.Game.load(stored).setting.all_places is chosen
    old = {name: value for name, value in stored.items() if name != "all_places"}
    assert hsevo.Game.load(old).setting.all_places is None
    with pytest.raises(ConfigError, match="all_places"):
        hsevo.Game.load(stored | {"all_places": "some"})
    with pytest.raises(ConfigError, match="all_places is some, but must be True, False or None"):
        hsevo.Game("mage", "warrior", all_places="some")  # type: ignore[arg-type]


def test_a_match_is_the_same_game_with_every_place_offered() -> None:
    players = ["eva:2018", "greedy:metastone"]
    few, every = (hsevo.Game("mage", "warrior", players, seed=5, all_places=chosen)
                  for chosen in (None, True))
    few.run()
    every.run()
    assert [move.index for move in few.history] == [move.index for move in every.history]


def test_an_agent_sees_where_a_person_put_a_minion() -> None:
    """A Python player in the other seat is offered its own places that matter."""
    seen: list[Any] = []

    def watch(view: Any) -> Any:
        seen.append(([one["name"] for one in view["opponent"]["board"]], places(view.legal)))
        return view.moves[0]

    start = position("Oasis Snapjaw", ["Wisp"])
    start["opponent"]["board"] = ["Chillwind Yeti"]
    game = hsevo.Game.at(start, [None, watch])
    game.play(next(move for move in game.moves if move.position == 1))
    play(game, "end")
    game.run()
    assert seen[0] == ([THREE[0], THREE[2], THREE[1]], [1])


# -- batches and environments ---------------------------------------------------------------------


def test_batches_keep_to_the_places_that_they_offer() -> None:
    start = hsevo.Position(position("Oasis Snapjaw"))
    few = begun(start, False)
    every = begun(start, True)
    assert [places(np.flatnonzero(games.legal_moves()[0])) for games in (few, every)] == [
        [2], [0, 1, 2]]
    left = next(move for move in np.flatnonzero(every.legal_moves()[0])
                if decode(int(move)).action is Action.PLAY)
    with pytest.raises(GameError, match="not legal"):
        few.step([left])
    copy = every.take([0])
    copy.step([left])
    assert copy.all_places
    assert {decode(int(every.take([0]).sample(seed)[0])).place for seed in range(200)} == {0, 1, 2}
    legal = learning.observe(every)[1]
    assert learning.masks(legal).where.sum(axis=2).max() == 3


def begun(start: hsevo.Position, all_places: bool) -> GameBatch:
    return GameBatch(start.state.copy().view(np.recarray), start.ruleset, all_places)


def test_batches_take_the_option() -> None:
    games = hsevo.Games("mage", "warrior", range(3), all_places=True)
    assert games.all_places
    assert games.take([1]).all_places
    assert not hsevo.Games("mage", "warrior", range(3)).all_places


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("opponent", [None, "random", last], ids=["both", "compiled", "Python"])
def test_environments_offer_every_place_if_asked(opponent: Any, history: bool) -> None:
    """In every implementation: masks of parts and of moves agree, and any place can be taken."""
    for all_places in (False, True):
        env = hsevo.make_vec(num_envs=3, opponent=opponent, decks="mage", seed=2, history=history,
                             all_places=all_places)
        assert env.metadata["all_places"] == env.spec.kwargs["all_places"] == all_places
        widest = taken = 0
        seen = env.reset()[0]
        for step in range(60):
            legal = env.action_masks()
            assert np.array_equal(legal, env.games.legal_moves())
            assert np.array_equal(legal.sum(axis=1), (
                seen["at"].sum(axis=2, dtype=int) * seen["where"].sum(axis=2, dtype=int)).sum(1))
            widest = max(widest, int(seen["where"].sum(axis=2).max()))
            wanted = [to_the_left(moves) for moves in legal]
            taken += sum(move is not None for move in wanted)
            actions = env.sample(step)
            for i, move in enumerate(wanted):
                if move is not None:
                    actions[i] = learning.actions_of([move] * 3, env.games)[i]
            seen = env.step(actions)[0]
        assert (widest > 2, taken > 5) == (all_places, all_places)


def to_the_left(legal: Any) -> int | None:
    """Return a legal play to the left end that can go elsewhere; None if there is none."""
    made = {int(move): decode(int(move)) for move in np.flatnonzero(legal)}
    right = {one.hand for one in made.values() if one.action is Action.PLAY and one.place > 0}
    return next((move for move, one in made.items()
                 if one.action is Action.PLAY and one.place == 0 and one.hand in right), None)


def test_every_environment_takes_the_option() -> None:
    given: dict[str, Any] = {"decks": "mage", "seed": 2}
    for all_places in (False, True):
        one = hsevo.make_env(opponent="random", all_places=all_places, **given)
        two = hsevo.aec_env("mage", seed=2, all_places=all_places)
        assert one.metadata["all_places"] == two.metadata["all_places"] == all_places
        assert one.spec.kwargs["all_places"] == all_places
        found = [single_places(one), aec_places(two)]
        assert [most > 0 for most in found] == [all_places, all_places]
    every: list[Any] = [hsevo.make_env, hsevo.make_vec, hsevo.aec_env]
    for make in every:
        with pytest.raises(ConfigError, match="all_places is 1, but must be True or False"):
            make(all_places=1)


def single_places(env: Any) -> int:
    """Return how many plays to the left of a minion 30 moves of an environment made."""
    taken, info = 0, env.reset()[1]
    for step in range(30):
        move = to_the_left(info["action_mask"])
        taken += move is not None
        at = np.flatnonzero(info["action_mask"])
        _, _, ended, _, info = env.step(at[step % len(at)] if move is None else move)
        if ended:
            info = env.reset()[1]
    assert not info["illegal"]
    return taken


def aec_places(env: Any) -> int:
    """Return the same of an environment of two agents."""
    env.reset()
    taken = 0
    for step in range(60):
        if env.terminations[env.agent_selection]:
            break
        legal = env.infos[env.agent_selection]["action_mask"]
        move, at = to_the_left(legal), np.flatnonzero(legal)
        taken += move is not None
        env.step(at[step % len(at)] if move is None else move)
    return taken


# -- limits, analysis and the browser -------------------------------------------------------------


def test_the_longest_list_of_moves_has_room() -> None:
    """Ten cards that Choose One: 7 places each, 13 targets of one option, 15 of the other."""
    keepers = [{"card": "Keeper of the Grove", "discount": 4}] * 10
    full: dict[str, Any] = {
        "me": HUNTER | {"hand": keepers, "board": ["Wisp"] * 6, "mana": 10},
        "opponent": HUNTER | {"board": ["Wisp"] * 7}}
    game = hsevo.Game.at(full)
    plays = [move for move in game.moves if move.kind == "play"]
    assert len(plays) == 10 * 7 * (13 + 15)
    assert len(game.moves) < MOVES
    game.play(plays[0])
    assert boards(game)[0][0] == "Keeper of the Grove"
    matters = full | {"me": full["me"] | {"board": ["Dire Wolf Alpha"] + ["Wisp"] * 5}}
    game = hsevo.Game.at(matters, ["random", "eva:2018"])
    assert len([move for move in game.moves if move.kind == "play"]) == len(plays)
    game.step()
    assert not game.states()[0].fault


def test_lethal_puts_a_minion_where_dire_wolf_alpha_can_stand_between() -> None:
    """Yeti 4 and Boar 1 need 2 more: a wolf beside both, so the Boar goes left of the Wisp."""
    game = hsevo.Game.at({
        "me": HUNTER | {"hand": ["Stonetusk Boar", "Dire Wolf Alpha"], "mana": 3,
                        "board": ["Chillwind Yeti", {"card": "Wisp", "gained": ["asleep"]}]},
        "opponent": HUNTER | {"health": 7}})
    found = game.lethal()
    assert found.answer == "yes"
    assert game.moves[1].text == "play Stonetusk Boar to the left of minion 1"
    for move in found.line:
        game.play(move)
    assert game.winner == 0


def test_a_persons_places_are_analysed(tmp_path: Path) -> None:
    """What agents do not consider is played on from, shown in a replay, and no hint."""
    game = hsevo.Game.at(position("Oasis Snapjaw"), [None, "random"])
    game.play(next(move for move in game.moves if move.position == 0))
    while not game.over:
        if game.player == 0:
            game.play(game.moves[0])
        game.run()
    found = hsevo.analyse(game, games=4, agent="eva:2018", players="eva:2018", budget=0)
    made = found.decisions.iloc[0]
    assert made["move"] == "play Oasis Snapjaw to the left of minion 1"
    assert made["chance"] == made["chance"]
    assert "to the left of minion 1" in game.replay(tmp_path / "game.html", chances=2).read_text()
    exercises = hsevo.exercises(game, 1, moves=2, games=4, agent="eva:2018", players="eva:2018")
    assert len(exercises) <= 1


def test_the_page_gets_every_place_and_hints_those_that_agents_consider() -> None:
    pytest.importorskip("starlette")
    from hsevo.web import frames
    from hsevo.web.frames import Teller

    game = hsevo.Game.at(position("Oasis Snapjaw"), [None, "eva:2018"])
    frame = frames.frame(game, 0, Teller(("you", "eva"), "cig2018"), 0)
    assert [move["place"] for move in frame["moves"] if move["kind"] == "play"] == [0, 1, 2]
    hint = frames.advice(game, Seat("eva:2018", game.players[1].agent))
    assert places(one["move"] for one in hint["options"]) == [2]
    assert all(one["worth"] != "same as below" for one in hint["options"])
