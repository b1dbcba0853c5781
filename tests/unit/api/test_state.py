"""The state API: one game and many to search in, and what they may show of hidden cards."""

import copy
import pickle
import random
from collections import Counter

import numpy as np
import pytest

import hsevo
from hsevo.play.recall import COLUMNS

TREE = "mcts:vanilla?iterations=8&rollouts=2"
PAIRS = [("mage", "warrior"), ("shaman", "mage")]


def played(*decks: str, turns: int, seed: int = 3, **rules: object) -> hsevo.Game:
    """A game of random moves up to a turn."""
    game, chance = hsevo.Game(*decks, seed=seed, **rules), random.Random(seed)
    while not game.is_over and game.turn < turns:
        game.apply(chance.choice(game.legal_actions()))
    return game


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_apply_makes_the_move_of_play_and_tells_of_it_later(pair: tuple[str, str]) -> None:
    chance, told, fast = random.Random(1), hsevo.Game(*pair), hsevo.Game(*pair)
    while not told.is_over:
        assert fast.legal_actions() == [move.index for move in told.moves]
        action = chance.choice(fast.legal_actions())
        told.play(action)
        fast.apply(action)
        assert fast.current_player == told.current_player
    assert fast.history == told.history
    assert fast.events == told.events
    assert fast.save() == told.save()
    assert fast.returns() == told.returns()
    assert sorted(fast.returns()) in ([-1.0, 1.0], [0.0, 0.0])


def test_moves_by_apply_and_play_can_be_mixed_and_copied() -> None:
    chance, game = random.Random(2), hsevo.Game("mage", "warrior")
    twins = []
    while not game.is_over and game.turn < 12:
        move = chance.choice(game.legal_actions())
        (game.apply if chance.random() < 0.7 else game.play)(move)
        twins.append((copy.deepcopy(game), len(game.history) if chance.random() < 0.3 else 0))
    for twin, known in twins:
        assert known in (0, len(twin.history))
        assert twin.events == game.events[:len(twin.events)]
        assert twin.history == game.history[:len(twin.history)]
    again = hsevo.Game.load(game.save())
    assert again.before(4).save() == game.before(4).save()
    assert again.before(4).history == game.history[:4]
    assert (again.events, again.legal_actions()) == (game.events, game.legal_actions())


def test_a_pickled_game_goes_on_as_it_would_have() -> None:
    game = played("mage", "warrior", turns=6)
    assert game.events  # so that there is a table
    pickled = pickle.dumps(game)
    assert len(pickled) < 100_000
    again, chance = pickle.loads(pickled), random.Random(4)
    for _ in range(10):
        action = chance.choice(game.legal_actions())
        assert again.play(action) == game.play(action)
    assert again.events == game.events
    assert again.save() == game.save()


def test_an_agent_that_is_asked_plays_on_after_apply_as_after_play() -> None:
    one, two = (hsevo.Game("mage", "warrior", players=[TREE, None], seed=4) for _ in range(2))
    while not one.is_over and one.turn < 8:
        action = one.ask(TREE if one.player else None).index
        assert two.ask(TREE if two.player else None).index == action
        one.play(action)
        two.apply(action)


@pytest.mark.parametrize("agent", ["eva:2018", TREE], ids=["eva", "tree"])
def test_a_copy_and_a_pickle_keep_the_last_answer(agent: object) -> None:
    """Played, it leaves them where the match would be: the same stream, the same tree."""
    game = hsevo.Game("mage", "warrior", players=[agent, agent], seed=4)
    for _ in range(5):
        game.step()
    answer = game.ask()
    copies = [game.copy(), pickle.loads(pickle.dumps(game))]
    for each in copies:
        assert each.scores == game.scores
        each.play(answer)
    game.play(answer)
    assert game.scores == {}
    assert {str(each.save()) for each in (*copies, game)} == {str(game.save())}
    assert copies[0].step() == copies[1].step() == game.step()
    assert {str(each.save()) for each in (*copies, game)} == {str(game.save())}


@pytest.mark.parametrize("action", [3661, -1, 0.5, "0", None, True])
def test_an_action_that_is_no_legal_move_changes_nothing(action: object) -> None:
    game = played("mage", "warrior", turns=5)
    before = game.save()
    with pytest.raises(hsevo.HsevoError, match="is not legal here"):
        game.apply(action)
    assert game.save() == before


@pytest.mark.parametrize("first", [0, 1])
def test_the_chosen_player_begins(first: int) -> None:
    games = [hsevo.Game("mage", "warrior", seed=seed, first=first) for seed in range(6)]
    assert {game.player for game in games} == {first}
    assert all(hsevo.Game.load(game.save()).player == first for game in games)
    free = [hsevo.Game("mage", "warrior", seed=seed) for seed in range(6)]
    for game, chosen in zip(free, games, strict=True):
        if game.player == first:  # the same game
            assert game.events == chosen.events
    with pytest.raises(hsevo.HsevoError, match="first is 2, but must be 0, 1 or None"):
        hsevo.Game("mage", "warrior", first=2)


@pytest.mark.parametrize("information", ["fair", "closed"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_world_looks_the_same_and_hides_the_true_cards(player: int, information: str) -> None:
    game = played("mage", "warrior", turns=9, information=information)
    worlds = game.worlds(player, 40, seed=1)
    assert all(world.view(player) == game.view(player) for world in worlds)
    assert game.view(player)["me"]["graveyard"]
    for world in game.worlds(player, 5, seed=2):  # what happens there is added
        while not world.over:
            world.apply(world.legal_actions()[-1])
        for side in ("me", "opponent"):
            earlier = game.view(player)[side]["graveyard"]
            graveyard = world.view(player)[side]["graveyard"]
            assert graveyard[:len(earlier)] == earlier
            assert len(graveyard) > len(earlier)
    hands = Counter(tuple(card["name"] for card in world.view(1 - player)["me"]["hand"])
                    for world in worlds)
    assert len(hands) > 20
    assert worlds[0]._digest() == game.worlds(player, 1, seed=1)[0]._digest()


def test_worlds_do_not_depend_on_what_the_player_cannot_see() -> None:
    """Worlds of a world are those of the game: nothing of the true cards is left in them."""
    game = played("mage", "warrior", turns=9)
    (world,) = game.worlds(0, 1, seed=5)
    assert [each._digest() for each in world.worlds(0, 10, seed=6)] == [
        each._digest() for each in game.worlds(0, 10, seed=6)]
    assert world._digest() != game._digest()


def test_nobody_samples_the_options_of_an_opponents_choice() -> None:
    game = hsevo.Game("mage", "warrior", ruleset="cig2018")
    other = 1 - game.player
    if game.phase == "mulligan":
        with pytest.raises(hsevo.HsevoError, match="in the middle of a mulligan or a choice"):
            game.worlds(other)
    assert len(game.worlds(game.player, 2)) == 2


def test_the_outcomes_of_a_draw_are_the_cards_of_the_deck() -> None:
    side = {"class": "mage", "deck": ["Wisp", "Wisp", "Fireball"]}
    game = hsevo.Game.at({"me": side, "opponent": side})
    outcomes = game.outcomes(game.legal_actions()[0])
    drawn = {after.view(after.player)["me"]["hand"][0]["name"]: chance
             for chance, after in outcomes}
    assert drawn == pytest.approx({"Wisp": 2 / 3, "Fireball": 1 / 3})


def test_outcomes_are_what_happens_and_as_often() -> None:
    """Arcane Missiles: three missiles at the hero or a Wisp, which the first that hits it kills."""
    game = hsevo.Game.at({"me": {"class": "mage", "hand": ["Arcane Missiles"], "deck": ["Wisp"]},
                          "opponent": {"class": "mage", "board": ["Wisp"], "deck": ["Wisp"]}})
    action = next(move.index for move in game.moves if move.kind == "play")
    outcomes = {(after.scene().sides[1].health, len(after.scene().sides[1].board)): chance
                for chance, after in game.outcomes(action)}
    assert outcomes == pytest.approx({(27, 1): 1 / 8, (28, 0): 7 / 8})
    assert game.outcomes(action, most=3) is None
    with pytest.raises(hsevo.HsevoError, match="is not legal here"):
        game.outcomes(3661)


def test_the_information_state_recalls_all_that_was_seen_and_nothing_else() -> None:
    game = played("mage", "warrior", turns=7)
    state = game.information_state(0)
    assert state.events.shape == (len(game.events), len(COLUMNS))
    assert game.copy().information_state(0).key == state.key
    # The cards that the opponent drew are hidden, its own are not.
    drew = state.events[:, 0] == state.events[state.events[:, 1] == 0][0, 0]
    assert drew.any()
    keys = {game.information_state(player).key for player in (0, 1)}
    for action in game.legal_actions()[:3]:
        after = game.copy()
        after.apply(action)
        keys |= {after.information_state(player).key for player in (0, 1)}
    assert len(keys) == 2 + 2 * len(game.legal_actions()[:3])


def test_an_information_state_does_not_change_with_the_opponents_hand() -> None:
    """Two games that differ in the opponent's hand and deck alone, through a turn of each."""
    side = {"class": "mage", "board": ["Wisp"], "hand": ["Fireball", "Wisp"], "deck": ["Wisp"] * 5}
    games = [hsevo.Game.at({"seed": 3, "me": side, "opponent": side | cards}) for cards in (
        {"hand": ["Frostbolt"], "deck": ["Wisp"] * 5},
        {"hand": ["Polymorph"], "deck": ["Flamestrike"] * 5})]
    me = games[0].player
    for step in range(4):
        own, other = ({game.information_state(player).key for game in games}
                      for player in (me, 1 - me))
        assert (len(own), len(other)) == (1, 2), step
        for game in games:
            game.apply(next(move.index for move in game.moves
                            if move.text.startswith("play Wisp") or step % 2) if step == 0
                       else game.legal_actions()[0])


def test_many_games_have_the_words_of_one() -> None:
    game, games = hsevo.Game("mage", "warrior", seed=7), hsevo.Games("mage", "warrior", [7])
    chance = random.Random(7)
    while not game.is_over:
        assert games.current_player.tolist() == [game.current_player]
        assert set(np.flatnonzero(games.legal_actions()[0])) <= set(game.legal_actions())
        action = chance.choice(np.flatnonzero(games.legal_actions()[0]).tolist())
        game.apply(action)
        games.apply([action])
        assert games.is_over.tolist() == [game.is_over]
    assert games.current_player.tolist() == [game.current_player] == [-1]
    assert games.returns().tolist() == [game.returns()]


def test_playouts_end_every_game_and_depend_on_their_seed_alone() -> None:
    game = played("mage", "warrior", turns=9)
    games = game.batch(50).worlds(player=0, seed=1)
    again, few = games.copy(), games.take(slice(7))
    games.play_out(seed=3)
    again.play_out(seed=3)
    few.play_out(seed=3)
    assert games.is_over.all()
    assert (games.returns() == again.returns()).all()
    assert (few.returns() == games.returns()[:7]).all()
    assert len({*games.results.tolist()}) == 2
    few.states["fault"][3] = 1  # as if it had reached a limit
    with pytest.raises(hsevo.HsevoError, match="game 3 of 7 reached limit 1"):
        few.play_out()


def test_single_games_become_a_batch() -> None:
    game = played("mage", "warrior", turns=9)
    worlds = game.worlds(0, 5, seed=2)
    games = hsevo.Games.of(worlds)
    assert [states.tobytes() for states in games.states] == [
        world.states()[0].tobytes() for world in worlds]
    games.play_out(seed=1)
    assert games.is_over.all()
    assert not any(world.is_over for world in worlds)
    for none_or_two in ([], [game, hsevo.Game("mage", "warrior", ruleset="msg2017")]):
        with pytest.raises(ValueError, match="must have games of one ruleset"):
            hsevo.Games.of(none_or_two)


@pytest.mark.parametrize("state", [
    hsevo.Games("mage", "warrior", range(2)).states, hsevo.Games("mage", "warrior", [1]).states[0],
    np.zeros(1), hsevo.Games("mage", "warrior", []).states, None])
def test_what_is_no_single_state_is_refused(state: object) -> None:
    with pytest.raises(TypeError, match=r"must be an array of dtype STATE and shape \(1,\)"):
        hsevo.GameState(state)


def test_a_blank_state_is_refused() -> None:
    def player(view: hsevo.View) -> int:
        with pytest.raises(hsevo.HsevoError, match="its hidden cards are blank"):
            hsevo.GameState(view.games.states)
        return view.legal[-1]

    hsevo.Game("mage", "warrior", players=[player, player]).step()


def test_a_saved_game_does_not_change_as_the_game_goes_on() -> None:
    game = played("mage", "warrior", turns=4)
    data, moves = game.save(), len(game.history)
    game.apply(game.legal_actions()[0])
    assert len(hsevo.Game.load(data).history) == moves


def test_a_pickled_search_goes_on_as_it_would_have() -> None:
    game = hsevo.Game("mage", "warrior", players=[TREE, TREE], seed=5)
    for _ in range(5):
        game.step()
    again = pickle.loads(pickle.dumps(game))
    for _ in range(10):
        assert again.step() == game.step()


def test_players_draw_anew_in_each_world() -> None:
    def chance(view: hsevo.View) -> int:
        return view.legal[int(view.random.integers(len(view.legal)))]

    game = played("mage", "warrior", turns=9)
    worlds = game.worlds(game.player, 12, seed=5)
    assert len({world.ask(chance).index for world in worlds}) > 2


def test_a_world_hides_own_cards_that_nobody_saw_go_in() -> None:
    """Prince Malchezaar adds five random legendary minions to its owner's deck."""
    cards = ["Prince Malchezaar", *hsevo.Deck("mage").cards[:29]]
    game = hsevo.Game(hsevo.Deck(cards, hero="mage"), "warrior", seed=4, first=0)
    unseen = game.view(0)["me"]["unseen_in_deck"]
    assert unseen == 5
    worlds = game.worlds(0, 20)
    key = game.information_state(0).key
    assert {world.information_state(0).key for world in worlds} == {key}
    decks = {tuple(sorted(world.states()["side"]["deck"][0, 0].tolist())) for world in worlds}
    assert len(decks) > 10  # the unseen cards differ


def test_a_world_tells_its_other_player_nothing_of_the_searchers_past() -> None:
    game = played("mage", "warrior", turns=9)
    (world,) = game.worlds(0)
    assert len(world.information_state(1).events) == len(world.events)
    assert world.information_state(0).key == game.information_state(0).key


def test_closed_worlds_need_games_that_note_what_is_shown() -> None:
    game = played("mage", "warrior", turns=5)
    with pytest.raises(hsevo.HsevoError, match="did not note"):
        game.batch().worlds(0, information="closed")
    assert len(hsevo.Games("mage", "warrior", [1]).worlds(0, information="closed")) == 1


@pytest.mark.parametrize("action", [2**70, -2**70])
def test_numbers_beyond_all_moves_are_refused(action: int) -> None:
    game = hsevo.Game("mage", "warrior")
    for call in (game.apply, game.outcomes, hsevo.GameState(game.states()).apply):
        with pytest.raises(hsevo.HsevoError, match="is not legal here"):
            call(action)
    with pytest.raises(hsevo.HsevoError, match="player is '2', but must be 0 or 1"):
        game.worlds(2)


def test_a_state_takes_moves_as_objects() -> None:
    game = played("mage", "warrior", turns=9)
    (world,) = game.worlds(game.player)
    state = hsevo.GameState(world.states(), "cig2018")
    world.apply(world.moves[-1])
    state.apply(game.moves[-1])
    assert state.states().tobytes() == world.states().tobytes()


def test_a_view_gives_worlds_in_which_its_moves_are_legal() -> None:
    seen = []

    def search(view: hsevo.View) -> int:
        worlds = view.worlds(3)
        assert all(set(view.legal) == set(world.legal_actions()) for world in worlds)
        assert all(world.current_player == view.player for world in worlds)
        worlds[0].apply(view.legal[-1])
        seen.append(worlds[1]._state["side"]["hand"]["card"][0, 1 - view.player].tolist())
        return view.legal[-1]

    hsevo.match(search, "random", games=2, decks="mage", backend="serial", workers=1)
    assert len({*map(tuple, seen)}) > 5
