"""The environments: Gymnasium's rules, the games behind them, threads, and bad input."""

import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from pettingzoo.test import api_test, seed_test

import hsevo
from hsevo import learning
from hsevo.cards.decks import read_deck
from hsevo.engine.record.state import DRAW, RUNNING, WIN_0, WIN_1
from hsevo.errors import GameError, HsevoError
from hsevo.learning import slots
from hsevo.learning.opponents import Opponent
from hsevo.play.games import GameBatch
from hsevo.play.match import PAIRING, Setting, Table
from hsevo.seeds import Stream, derive
from tests.support.random_games import states, unnoted


def play(env: VectorEnv, steps: int, seed: int = 1) -> Any:
    """Yield all that random steps return, and the player that acted in each game."""
    random = np.random.default_rng(seed)
    _, infos = env.reset()
    for _ in range(steps):
        acted = infos["player"]
        seen, rewards, ended, cut, infos = env.step(env.sample(random))
        yield seen, rewards, ended, cut, infos, acted


def test_observations_and_actions_are_in_their_spaces() -> None:
    env = hsevo.make_vec("battle", num_envs=20, ruleset="msg2017",
                         decks=["mage", "zoo-discard-warlock"])
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    kinds = set()
    for seen, rewards, ended, cut, infos, _ in play(env, 120):
        assert env.observation_space.contains(seen)
        assert env.action_space.contains(env.slots.actions)
        assert seen["what"].any(axis=1).all()  # always something to do
        assert (infos["rewards"].sum(axis=1) == 0).all()
        assert (rewards.shape, ended.dtype, cut.any()) == ((20,), np.bool_, False)
        kinds |= {*seen["observation"][:, 1].tolist()}
    assert kinds == {0, 1, 2}  # turns, choices, mulligans


def test_games_that_end_begin_anew_in_the_same_step() -> None:
    env, won = hsevo.make_vec("battle", num_envs=30, seed=4), []
    final, stride = learning.layout().set_index("name").loc["hero.health", ["first", "stride"]]
    for seen, rewards, ended, _, infos, acted in play(env, 150):
        assert (seen["observation"][ended, 2] == 1).all()  # the first turn of the next game
        assert (rewards[~ended] == 0).all()
        assert (infos["rewards"][np.arange(30), acted] == rewards).all()
        for i in np.flatnonzero(ended):
            last = infos["final_obs"][i]
            assert env.single_observation_space.contains(last)
            health = last["observation"][[final, final + stride]]
            assert (health <= 0).tolist() == [rewards[i] < 0, rewards[i] > 0] or rewards[i] == 0
            won.append(rewards[i])
        assert ("final_obs" in infos) == ended.any()
    assert len(won) > 20
    assert {*won} >= {-1.0, 1.0}  # one can lose by its own move


def test_against_an_agent_the_games_are_those_of_the_batch_api() -> None:
    """The same seeds, decks and moves by `Games`, whose agents move by `ask`."""
    n, agent = 12, "eva:2018"
    env = hsevo.make_vec("battle", num_envs=n, opponent=agent, decks="mage",
                         opponent_decks="warrior", seed=3)
    random = np.random.default_rng(7)
    _, infos = env.reset()
    seats, seeds = infos["player"], derive((3, Stream.ENVIRONMENT), np.arange(n))
    assert {*seats.tolist()} == {0, 1}
    games = hsevo.Games([("mage", "warrior")[s] for s in seats],
                        [("warrior", "mage")[s] for s in seats], seeds)
    running = np.ones(n, bool)
    for _ in range(60):
        while (games.running & (games.players != seats)).any():
            games.ask(agent, seat=1 - seats)
        same = [a == b for a, b in zip(unnoted(games), states(env.games), strict=True)]
        assert np.array(same)[running].all()
        actions = env.sample(random)
        games.step(np.where(running, learning.moves_of(actions), 0))
        _, _, ended, _, infos = env.step(actions)
        while (games.running & (games.players != seats)).any():
            games.ask(agent, seat=1 - seats)
        over = {WIN_0: 1.0, WIN_1: -1.0, DRAW: 0.0}
        for i in np.flatnonzero(ended & running):
            assert infos["rewards"][i, 0] == over[int(games.results[i])]
        running &= ~ended
        assert (games.running == running).all()
    assert not running.all()
    assert (infos["player"][running] == seats[running]).all()


def test_an_opponent_with_weights_for_each_pair_of_decks_plays_those() -> None:
    n, decks = 24, [read_deck(name) for name in ("mage", "warrior")]
    kinds = ("eva:2018", "noaggression", "random", "eva:group-1")  # of decks 0 0, 0 1, 1 0, 1 1
    agents = np.concatenate([hsevo.Agent(kind).record for kind in kinds])
    battles = slots.Slots(n, Setting("cig2018", tuple(decks)),
                          [Opponent("each", 1.0, agents)], np.arange(2), np.arange(2))
    battles.begin(6)
    own, at = battles.slots["seat"].astype(int), np.arange(n)
    dealt = battles.slots["deck"].astype(int)
    assert {*(2 * dealt[at, 1 - own] + dealt[at, own]).tolist()} == {0, 1, 2, 3}
    theirs = agents[2 * dealt[at, 1 - own] + dealt[at, own]]
    games = hsevo.Games([hsevo.Deck(("mage", "warrior")[k]) for k in dealt[:, 0]],
                        [hsevo.Deck(("mage", "warrior")[k]) for k in dealt[:, 1]],
                        derive((6, Stream.ENVIRONMENT), at))
    for step in range(8):
        while (games.players != own).any():
            games.ask(theirs, seat=1 - own)
        assert unnoted(games) == states(GameBatch(battles.states))
        actions = battles.sample(derive((step,), at))
        games.step(learning.moves_of(actions))
        battles.take()


def test_the_number_of_threads_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "EACH", 8)
    played = []
    for threads in (1, 2, 3):
        env = hsevo.make_vec("battle", num_envs=25, opponent="random", seed=5, threads=threads)
        found = [(seen["observation"].tobytes(), seen["at"].tobytes(), infos["rewards"].tobytes())
                 for seen, *_, infos, _ in play(env, 60)]
        played.append((found, states(env.games)))
        env.close()
    assert played[0] == played[1] == played[2]


def test_memory_is_used_again_only_when_nobody_holds_it() -> None:
    env, kept = hsevo.make_vec(num_envs=5, seed=1), []
    for seen, _, _, _, infos, _ in play(env, 12):
        hand = learning.split(seen["observation"])["hand"]  # a view is enough to hold it
        for held in (hand, seen["at"], infos["rewards"]):
            kept.append((held, held.copy()))
    assert all((held == copy).all() for held, copy in kept)
    addresses = {seen["observation"].ctypes.data for seen, *_ in play(env, 12)}
    assert len(addresses) <= slots.KEPT


def test_masks_are_of_the_moves_that_have_a_number() -> None:
    env = hsevo.make_vec("battle", num_envs=40, ruleset="msg2017", seed=2)
    for seen, *_ in play(env, 40):
        legal = env.action_masks()
        assert (legal == env.games.legal_moves()).all()
        whats = seen["at"].astype(int).sum(2) * seen["where"].sum(2)  # of each, at times where
        assert (legal.sum(axis=1) == whats.sum(axis=1)).all()


def test_one_seed_gives_the_same_games_and_another_other_ones() -> None:
    env = hsevo.make_vec("battle", num_envs=5, seed=1)
    first, again, other = (env.reset(seed=seed)[0]["observation"] for seed in (1, 1, 2))
    assert first.tobytes() == again.tobytes() != other.tobytes()
    assert env.reset()[0]["observation"].tobytes() != other.tobytes()  # the next of the series
    assert hsevo.make_vec(num_envs=5, seed=2).reset()[0]["observation"].tobytes() == other.tobytes()


def test_an_illegal_action_changes_nothing() -> None:
    env = hsevo.make_vec("battle", num_envs=6, seed=1)
    with pytest.raises(ResetNeeded):
        env.step(np.zeros((6, 3), int))
    env.reset()
    before = states(env.games)
    actions = env.sample(1)
    actions[4] = (9, 16, 3)
    with pytest.raises(GameError, match=r"action \[9, 16, 3\] is not legal in game 4 of 6; "):
        env.step(actions)
    assert states(env.games) == before
    for wrong in (actions[:5], actions.astype(float), "x"):
        with pytest.raises(ValueError, match=r"must be whole numbers \(6, 3\): what, at, where"):
            env.step(wrong)
    for parts in ((58, 0, 0), (-1, 0, 0), (0, 17, 0), (0, 0, 7), (0, 0, -1), (0, -1, 0)):
        actions[4] = parts
        with pytest.raises(GameError, match="is not legal in game 4"):
            env.step(actions)


def test_every_legal_action_is_drawn_equally_often() -> None:
    env = hsevo.make_vec("battle", num_envs=400, seed=1, decks="mage")
    env.reset()
    env.games.states[:] = env.games.states[0]
    env.slots.legal[:] = env.slots.legal[0]
    env.slots.slots["moves"] = env.slots.slots["moves"][0]
    for _ in range(12):  # into a game in which there is something to choose from
        env.step(np.repeat(env.sample(3)[:1], 400, axis=0))
        env.games.states[:] = env.games.states[0]
        env.slots.legal[:] = env.slots.legal[0]
        env.slots.slots["moves"] = env.slots.slots["moves"][0]
    drawn = np.concatenate([env.sample(seed) for seed in range(50)])
    moves, counts = np.unique(learning.moves_of(drawn), return_counts=True)
    assert moves.tolist() == np.flatnonzero(env.games.legal_moves()[0]).tolist()
    assert len(moves) > 3
    expected = len(drawn) / len(moves)
    assert ((counts - expected) ** 2 / expected).sum() < 3 * len(moves)


def test_the_opponents_deck_list_is_shown_only_if_asked_for() -> None:
    for shown in ("hidden", "known"):
        env = hsevo.make_vec("battle", num_envs=10, decks="mage", opponent_decks="warrior",
                             opponent="random", opponent_deck=shown)
        assert env.metadata["opponent_deck"] == env.spec.kwargs["opponent_deck"] == shown
        names = learning.card_names()
        for seen, *_ in play(env, 20):
            lists = learning.split(seen["observation"])["enemy_deck"][:, :, 0]
            known = [sorted(names[k] for k in line if k) for line in lists]
            assert known == [sorted(hsevo.Deck("warrior").cards) if shown == "known" else []] * 10


def test_last_observations_have_the_deck_list_too() -> None:
    env = hsevo.make_vec(num_envs=10, decks="mage", opponent_decks="warrior", opponent="random",
                         opponent_deck="known", seed=1)
    names, shown = learning.card_names(), []
    for *_, ended, _, infos, _ in play(env, 40):
        for i in np.flatnonzero(ended):
            last = learning.split(infos["final_obs"][i]["observation"])["enemy_deck"][:, 0]
            shown.append(sorted(names[k] for k in last if k))
    assert shown == [sorted(hsevo.Deck("warrior").cards)] * len(shown)
    assert shown


def test_an_opponent_keeps_its_tree_within_a_turn_as_in_a_match() -> None:
    """The same game at a table of `match`, which begins with no tree."""
    agents = np.repeat(hsevo.Agent("mcts:vanilla?iterations=30&rollouts=1&reuse=yes").record, 2)
    setting = Setting("cig2018", (read_deck("mage"), read_deck("warrior")))
    battles = slots.Slots(1, setting, [Opponent("mcts", 1.0, agents[:1])], np.array([0]),
                          np.array([1]))
    battles.begin(3)
    table, pairing = Table(agents, setting), np.zeros((), PAIRING)
    slot = battles.slots[0]
    pairing["deck_a"], pairing["deck_b"] = slot.deck
    pairing["a"], pairing["b"], pairing["games"] = 0, 1, 1
    pairing["seed"] = derive((3, Stream.ENVIRONMENT), np.arange(1))[0]
    table.deal(pairing, 0)
    longest = 0
    for step in range(30):
        answers = 0
        while table.game.result == RUNNING and table.game.me != slot.seat:
            table.move(table.decide())
            answers += 1
        if table.game.result != RUNNING:
            break
        longest = max(longest, answers)
        assert states(GameBatch(battles.states)) == states(GameBatch(np.array([table.state])))
        actions = battles.sample(derive((step,), np.arange(1)))
        table.move(int(learning.moves_of(actions)[0]))
        battles.take()
    assert longest > 2  # otherwise no tree is kept


def test_a_spec_makes_the_same_environment_again() -> None:
    env = hsevo.make_vec(num_envs=4, opponent=hsevo.Agent("eva:2018"), decks=hsevo.Deck("mage"),
                         opponent_deck="known", seed=8)
    again = gym.make_vec(env.spec)
    assert again.num_envs == 4
    assert again.metadata == env.metadata
    for one, other in zip(play(env, 10), play(again, 10), strict=True):
        assert one[0]["observation"].tobytes() == other[0]["observation"].tobytes()
    with pytest.raises(gym.error.Error, match="hsevo/battle"):
        gym.make(env.spec)


@pytest.mark.parametrize("make", [hsevo.make_vec, hsevo.make_env, hsevo.aec_env])
@pytest.mark.parametrize("seed", [-1, 2**63, 2**64, 1.5, True, "x", [1], [1, 2]])
def test_reset_refuses_what_is_no_seed(make: Any, seed: Any) -> None:
    env = make(seed=1)
    with pytest.raises(HsevoError, match=r"^seed is .*, but must be a whole number from 0 to"):
        env.reset(seed=seed)
    env.reset(seed=np.int64(2**63 - 1))


def test_a_game_that_meets_a_limit_of_the_engine_is_cut_off() -> None:
    env = hsevo.make_vec(num_envs=3)
    env.reset()
    env.games.states["fault"][1] = 1
    seen, rewards, ended, cut, infos = env.step(env.sample(1))
    assert (cut.tolist(), ended.any(), rewards.any()) == ([False, True, False], False, False)
    assert infos["_final_obs"].tolist() == [False, True, False]
    assert env.games.running.all()
    assert not env.games.states["fault"].any()
    assert seen["what"].any(axis=1).all()


def test_options_are_refused() -> None:
    env = hsevo.make_vec(num_envs=1)
    with pytest.raises(HsevoError, match=r"options is .'reset_mask': 1., but"):
        env.reset(options={"reset_mask": 1})
    env.reset(options={})


# -- PettingZoo ---------------------------------------------------------------------------------


def test_the_aec_environment_keeps_to_its_rules() -> None:
    """Without a warning, which would be an error here."""
    api_test(hsevo.aec_env(seed=1, ruleset="msg2017", opponent_deck="known"), num_cycles=300)
    api_test(hsevo.aec_env("mage", render_mode="ansi"), num_cycles=50)
    seed_test(lambda: hsevo.aec_env("mage", "warrior"), num_cycles=50)


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be",
                            "ignore:Observation is not a NumPy array")  # of every dict
@pytest.mark.parametrize("history", [False, True])
def test_observations_of_two_agents_may_hold_the_mask(history: bool) -> None:
    """PettingZoo's form: the same observations and masks, of which the other agent has none."""
    given: dict[str, Any] = {"deck_0": "mage", "deck_1": {"human": 1}, "history": history}
    api_test(hsevo.aec_env(dict_observations=True, seed=1, **given), num_cycles=200)
    seed_test(lambda: hsevo.aec_env(dict_observations=True, **given), num_cycles=50)
    env, plain = (hsevo.aec_env(dict_observations=dicts, seed=2, render_mode="ansi", max_turns=6,
                                **given) for dicts in (True, False))
    for one in (env, plain):
        one.reset()
    random = np.random.default_rng(1)
    while plain.agents:
        agent = plain.agent_selection
        for name in plain.agents:
            shown = env.observe(name)
            assert env.observation_space(name).contains(shown)
            assert shown["observation"].tobytes() == plain.observe(name).tobytes()
            over = plain.terminations[name]
            assert shown["action_mask"].any() == (name == agent and not over)
            assert shown["action_mask"].tobytes() == plain.infos[name]["action_mask"].tobytes()
        assert env.render() == plain.render()
        mask = shown["action_mask"] if name == agent else env.observe(agent)["action_mask"]
        move = None if plain.terminations[agent] else int(random.choice(np.flatnonzero(mask)))
        env.step(move)
        plain.step(move)
    with pytest.raises(HsevoError, match="dict_observations is 1, but must be True or False"):
        hsevo.aec_env(dict_observations=1)  # type: ignore[arg-type]


def test_the_board_is_drawn_for_the_agent_to_move() -> None:
    env = hsevo.aec_env("mage", "warrior", seed=1, render_mode="ansi")
    env.reset()
    heroes = {"player_0": "Jaina Proudmoore", "player_1": "Garrosh Hellscream"}
    met = set()
    for agent in env.agent_iter(40):
        met.add(agent)
        assert f"own: {heroes[agent]}, health" in env.render()
        env.step(int(env.last()[4]["action_mask"].argmax()))
    assert len(met) == 2
    env = hsevo.aec_env("mage", "warrior")
    env.reset()
    assert env.render() is None


def test_a_battle_of_two_agents_ends_with_a_winner() -> None:
    env = hsevo.aec_env("mage", ["warrior", "shaman"], seed=2)
    env.reset()
    with pytest.raises(GameError, match="move 3661 is not legal"):
        env.step(3661)
    with pytest.raises(GameError, match="its game is not over"):
        env.step(None)
    random, total = np.random.default_rng(1), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, reward, ended, cut, info = env.last()
        total[agent] += reward
        other = next(one for one in env.possible_agents if one != agent)
        assert not env.infos.get(other, {"action_mask": np.zeros(1)})["action_mask"].any()
        assert info["action_mask"].any() == (not ended)
        env.step(None if ended or cut else int(random.choice(np.flatnonzero(info["action_mask"]))))
    assert sorted(total.values()) == [-1.0, 1.0]


# -- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "says"), [
    ({"id": "batle"}, "no environment 'batle'; did you mean 'battle'?"),
    ({"num_envs": -1}, "num_envs is -1, but must be a whole number from 1 to 536,870"),
    ({"num_envs": 2.5}, "num_envs is 2.5"),
    ({"num_envs": True}, "num_envs is True"),
    ({"num_envs": 10**9}, "num_envs is 1000000000"),
    ({"opponent": "rendom"}, "unknown agent 'rendom'; did you mean 'random'?"),
    ({"decks": "maeg"}, "did you mean 'mage'?"),
    ({"decks": []}, "decks is empty"),
    ({"opponent_decks": "maeg"}, "did you mean 'mage'?"),
    ({"seed": -1}, "seed is -1, but must be a whole number from 0 to"),
    ({"ruleset": "cig2081"}, "unknown ruleset 'cig2081'; did you mean 'cig2018'?"),
    ({"information": "all"}, "information is 'all', but must be one of fair, closed"),
    ({"max_turns": 0}, "max_turns is 0, but must be a whole number from 1 to 32,000"),
    ({"opponent_deck": "open"}, "opponent_deck is 'open', but must be one of hidden, known"),
    ({"threads": 0}, "threads is 0, but must be a whole number from 1 to 256")])
def test_bad_input_is_one_line_that_helps(given: dict[str, Any], says: str) -> None:
    with pytest.raises(HsevoError) as refused:
        hsevo.make_vec(**given)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("make", "packages"), [
    (hsevo.make_vec, "gymnasium pettingzoo"), (hsevo.make_env, "gymnasium pettingzoo"),
    (hsevo.aec_env, "gymnasium pettingzoo"), (hsevo.make_sb3, "gymnasium sb3-contrib")])
def test_a_library_that_is_missing_is_named(
        make: Any, packages: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(HsevoError, match=rf"needs gymnasium.*pip install {packages}"):
        make()
