"""OpenSpiel's own tests of games, its ISMCTS, and what players may not know."""

import random
import re
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.errors import ConfigError, DeckError
from hsevo.learning import information_tensor
from hsevo.play.games import GameBatch
from tests.support.hidden import resampled

pyspiel = pytest.importorskip("pyspiel")  # pip install 'hsevo[open_spiel]'
spiel: Any = pytest.importorskip("hsevo.open_spiel")


def load(**options: Any) -> Any:
    return pyspiel.load_game("python_hsevo", options)


def decisions(game: Any, seed: int) -> Any:
    """Yield the states of a random game."""
    state, rng = game.new_initial_state(), random.Random(seed)
    state.apply_action(seed)
    while not state.is_terminal():
        yield state
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("options", [{}, {"ruleset": "msg2017", "all_places": True}])
def test_the_game_passes_openspiels_simulation(options: dict[str, Any]) -> None:
    """Sorted legal actions, unique texts, clones, serialization, observations, returns."""
    pyspiel.random_sim_test(load(max_turns=6, **options), num_sims=1, serialize=True,
                            verbose=False)


def test_a_stored_state_goes_on_as_the_first_one() -> None:
    *_, state = decisions(load(max_turns=6), 3)
    _, copy = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(
        state.get_game(), state))
    assert copy.history() == state.history()
    for one in (0, 1):
        assert copy.information_state_string(one) == state.information_state_string(one)


def test_a_clone_is_independent_and_has_the_same_results() -> None:
    state = next(decisions(load(), 1))
    copy, before = state.clone(), str(state)
    for _ in range(20):
        copy.apply_action(copy.legal_actions()[0])
    assert str(state) == before
    for action in copy.history()[1:]:
        state.apply_action(action)
    assert str(state) == str(copy)


def test_actions_and_chance_are_those_of_a_game_of_hsevo() -> None:
    game = load(seed=5, deals=3)
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert [chance for _, chance in state.chance_outcomes()] == [1 / 3] * 3
    texts = []
    for deal, _ in state.chance_outcomes():
        child = state.child(deal)
        assert child.legal_actions() == sorted(child.game.legal_actions())
        texts.append(str(child))
    assert len({*texts}) == 3
    assert texts[2] == str(game.begin(2))


def test_what_is_hidden_from_a_player_changes_none_of_its_strings_and_tensors() -> None:
    """Worlds keep them; so does everything made up that the player may not know."""
    drawn, hands = np.random.default_rng(2), set()
    for number, state in enumerate(decisions(load(max_turns=16), 2)):
        if number % 5:
            continue
        me = state.current_player()
        other = state.resample_from_infostate(me, drawn.random)
        hands.add(str([card["card"] for card in other.game.view(1 - me)["me"]["hand"]]))
        assert other.information_state_string(me) == state.information_state_string(me)
        assert other.observation_string(me) == state.observation_string(me)
        assert other.observation_tensor(me) == state.observation_tensor(me)
        assert other.information_state_tensor(me) == state.information_state_tensor(me)
        assert other.legal_actions() == state.legal_actions()
        fake = state.clone()
        batch = GameBatch(state.game.states(), "cig2018")
        fake.game._state = np.asarray(resampled(batch, np.array([me]), drawn).states)
        fake.game._clear_cache()
        assert fake.observation_string(me) == state.observation_string(me)
        assert fake.observation_tensor(me) == state.observation_tensor(me)
    assert len(hands) > 5


def test_a_world_goes_on_with_what_the_player_knew() -> None:
    """After the same moves and results, its information states are those of the game."""
    game, seen = hsevo.Game("mage", "warrior", seed=4), 0
    rng = random.Random(4)
    for _ in range(24):
        me = game.player
        game.information_state(me)
        for action in game.legal_actions()[:3]:
            results = game.outcomes(action, most=1)
            if results is None or results[0].game.player != me:
                continue
            world, after = game.worlds(me, 1, 7)[0], game.copy()
            world.apply(action)
            after.apply(action)
            assert world.information_state(me).key == after.information_state(me).key
            assert (world.information_state(me).events.tolist()
                    == after.information_state(me).events.tolist())
            seen += 1
        game.apply(rng.choice(game.legal_actions()))
    assert seen > 20


def test_the_other_player_of_a_world_knows_nothing_of_the_true_cards() -> None:
    game = hsevo.Game("mage", "warrior", seed=4)
    while game.turn < 8:
        game.apply(game.legal_actions()[-1])
    me = game.player
    keys = [game.worlds(me, 1, seed)[0].information_state(1 - me).key for seed in range(4)]
    assert len({*keys}) == 4
    other = game.worlds(me, 1, 99)[0]
    assert [other.worlds(me, 1, seed)[0].information_state(1 - me).key
            for seed in range(4)] == keys


def test_openspiels_ismcts_finds_a_win_in_one_turn() -> None:
    """A player with lethal damage in hand wins before the turn ends."""
    ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = load(max_turns=40)
    state = next(decisions(game, 1))
    side = {"class": "mage", "crystals": 10, "mana": 10, "deck_list": "mage"}
    state.game = hsevo.Game.at({
        "me": side | {"hand": ["Fireball", "Fireball"]},
        "opponent": side | {"health": 6, "unknown_in_hand": 3}})
    me, random_state = state.current_player(), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, random_state), uct_c=1.4, max_simulations=30,
        random_state=random_state, allow_inconsistent_action_sets=True)
    while not state.is_terminal() and state.current_player() == me:
        state.apply_action(bot.step(state))
    assert state.returns()[me] == 1


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"deck_0": "mag"}, DeckError, "no deck 'mag'; did you mean 'mage'"),
    ({"deals": 0}, ConfigError, "deals is 0, but must be a whole number from 1"),
    ({"max_turns": 0}, ConfigError, "max_turns is 0"),
])
def test_bad_parameters_are_refused_in_one_line(options: dict[str, Any], error: type,
                                                message: str) -> None:
    with pytest.raises(error, match=message):
        load(**options)


def test_only_all_that_a_player_knows_is_observed() -> None:
    wanted = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert load().make_py_observer(wanted) is None
    with pytest.raises(ValueError, match="all that one player knows"):
        spiel.SpielObserver(wanted)


def test_tensors_of_information_states_are_those_of_hsevo() -> None:
    game = load(max_turns=12, events=20)
    size = game.information_state_tensor_size()
    assert (size, game.observation_tensor_size()) == (1055 + 9 * 20, 1055)
    assert not any(game.new_initial_state().information_state_tensor(0))
    for state in decisions(game, 2):
        for player in (0, 1):
            tensor = information_tensor(state.game, player, 20)
            assert state.information_state_tensor(player) == tensor.tolist()
    with pytest.raises(ConfigError, match="events is -1, but must be a whole number from 0"):
        load(events=-1)


# -- OpenSpiel's own tests and algorithms ----------------------------------------------------------


def test_the_game_passes_the_simulation_of_games_sim_test() -> None:
    """Clones, both ways to store a game and a state, ranges of returns."""
    tests = pytest.importorskip("open_spiel.python.tests.games_sim_test").GamesSimTest
    name = "test_game_sim_python_hsevo"
    case = tests(name if hasattr(tests, name) else "test_has_at_least_an_action0")
    case.sim_game(load(max_turns=6))


def test_a_playthrough_repeats() -> None:
    """It prints every string and tensor of a game: the same again, after the same actions."""
    playthroughs = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    texts = [playthroughs.playthrough("python_hsevo(max_turns=3,deals=3)", None, seed=1)
             for _ in range(2)]
    assert texts[0] == texts[1]
    assert "IsTerminal() = True" in texts[0]
    actions = re.findall(r"^action: (\d+)", texts[0], re.MULTILINE)
    assert len(actions) > 3
    assert playthroughs.playthrough(
        "python_hsevo(max_turns=3,deals=3)", [*map(int, actions)]) == texts[0]


def test_agents_of_openspiel_learn_from_tensors_of_information_states() -> None:
    environments = pytest.importorskip("open_spiel.python.rl_environment")
    learners = pytest.importorskip("open_spiel.python.algorithms.tabular_qlearner")
    game = load(max_turns=6, events=16)
    env = environments.Environment(game)
    assert env.observation_spec()["info_state"] == (game.information_state_tensor_size(),)
    agents = [learners.QLearner(player, game.num_distinct_actions()) for player in (0, 1)]
    for _ in range(2):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
        assert sum(step.rewards) == 0


def test_bots_of_openspiel_play_to_the_end() -> None:
    evaluation = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots")
    game = load(max_turns=6)
    bots = [pyspiel.make_uniform_random_bot(player, 1) for player in (0, 1)]
    for returns in (evaluation.evaluate_bots(game.new_initial_state(), bots, np.random),
                    pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)):
        assert sum(returns) == 0


def test_solvers_of_openspiel_run_on_one_turn() -> None:
    """Nobody wins the first turn, so all strategies are an equilibrium with value 0."""
    names = ("cfr", "exploitability", "external_sampling_mccfr", "outcome_sampling_mccfr")
    cfr, gap, external, outcome = (
        pytest.importorskip(f"open_spiel.python.algorithms.{name}") for name in names)
    game = load(max_turns=1, deals=2)
    solver = cfr.CFRSolver(game)
    solver.evaluate_and_update_policy()
    samplers = [external.ExternalSamplingSolver(game), outcome.OutcomeSamplingSolver(game)]
    for sampler in samplers:
        for _ in range(2):
            sampler.iteration()
    for done in (solver, *samplers):
        assert gap.exploitability(game, done.average_policy()) == 0
    assert len(cfr.CFRSolver(game).average_policy().states) > 2  # one for each deal, at least
