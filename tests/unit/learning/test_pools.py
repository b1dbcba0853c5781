"""Opponent pools: each game draws its opponent by the weights, by its seed alone."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.errors import AgentError, ConfigError, HsevoError
from hsevo.learning import slots
from hsevo.learning.opponents import read_opponents

DECKS = ["mage", "warrior"]


def last(view: Any) -> Any:
    return view.moves[-1]


POOL: dict[Any, float] = {"random": 1, last: 2, "eva:2018": 1}


def played(env: Any, start: int, steps: int) -> list[Any]:
    """Step by random moves; return all that the environment says."""
    told = []
    for step in range(start, start + steps):
        seen, rewards, ended, _, infos = env.step(env.sample(step))
        told.append(([seen[name].tobytes() for name in seen], rewards.tolist(), ended.tolist(),
                     infos["player"].tolist(),
                     infos.get("final_info", {}).get("opponent", np.zeros(0)).tolist()))
    return told


def names(env: Any) -> list[Any]:
    """Return the opponents of the current games."""
    return env.slots.names(env.slots.slots["opponent"]).tolist()


def test_opponents_are_drawn_by_their_weights_whatever_the_number_of_games() -> None:
    few, many = (hsevo.make_vec(num_envs=n, opponent={"random": 3, "noaggression": 1}, seed=8)
                 for n in (50, 2000))
    alone = hsevo.make_vec(num_envs=2000, opponent="random", seed=8)
    for env in (few, many, alone):
        env.reset()
    assert names(few) == names(many)[:50]
    share = np.mean(np.array(names(many)) == "random")
    assert abs(share - 0.75) < 5 * np.sqrt(0.75 * 0.25 / 2000)
    for column in ("seed", "game", "seat", "deck"):  # the pool changes none of these
        assert np.array_equal(many.slots.slots[column], alone.slots.slots[column])
    assert many.metadata["opponent"] == {"random": 0.75, "noaggression": 0.25}


def test_a_game_is_that_against_its_opponent_alone() -> None:
    """Compiled and Python players in one pool: every step of a first game, to its end."""
    given: dict[str, Any] = {"num_envs": 12, "decks": DECKS, "seed": 4, "max_turns": 8}
    pool = hsevo.make_vec(opponent=POOL, **given)
    alone = {getattr(one, "__name__", one): hsevo.make_vec(opponent=one, **given) for one in POOL}
    seen = pool.reset()[0]["observation"]
    others = {name: env.reset()[0]["observation"] for name, env in alone.items()}
    met = names(pool)
    assert {*met} == {*alone}
    running = np.ones(12, bool)
    for step in range(80):
        for i in np.flatnonzero(running):
            assert np.array_equal(seen[i], others[met[i]][i])
        actions = pool.sample(step)
        shown, _, ended, _, infos = pool.step(actions)
        for name, env in alone.items():  # others may do there what is legal
            legal = env.sample(step)
            legal[running & (np.array(met) == name)] = actions[running & (np.array(met) == name)]
            others[name] = env.step(legal)[0]["observation"]
        seen = shown["observation"]
        for i in np.flatnonzero(ended & running):
            assert infos["final_info"]["opponent"][i] == met[i]
        running &= ~ended
    assert not running.any()


def test_infos_name_the_opponents_of_finished_games_alone() -> None:
    env = hsevo.make_vec(num_envs=6, opponent=POOL, decks=DECKS, seed=2, max_turns=4)
    _, infos = env.reset()
    finished = 0
    for step in range(40):
        met = names(env)
        assert "opponent" not in infos
        _, _, ended, _, infos = env.step(env.sample(step))
        if ended.any():
            final = infos["final_info"]
            assert final["opponent"].tolist() == [
                name if over else None for name, over in zip(met, ended, strict=True)]
            assert np.array_equal(final["_opponent"], ended)
            finished += 1
    assert finished > 3
    own = hsevo.make_vec(num_envs=6, seed=2, max_turns=2)
    own.reset()
    finals = [infos["final_info"] for step in range(60)
              if "final_info" in (infos := own.step(own.sample(step))[4])]
    assert finals
    assert not any("opponent" in final for final in finals)


def test_who_the_opponent_is_shows_only_by_what_it_does() -> None:
    """Observations before its first move are the same against everyone."""
    given: dict[str, Any] = {"num_envs": 60, "decks": DECKS, "seed": 9, "history": True}
    env, other = (hsevo.make_vec(opponent=pool, **given) for pool in (POOL, {"noaggression": 1}))
    seen, same = env.reset()[0], other.reset()[0]
    begins = env.slots.states["first"] == env.slots.slots["seat"]
    assert 10 < begins.sum() < 50
    assert len({*np.array(names(env))[begins]}) == 3
    for name in seen:
        assert np.array_equal(seen[name][begins], same[name][begins]), name


@pytest.mark.parametrize("decks", [DECKS, {"human": 1, "changed": 1}])
def test_threads_change_nothing(decks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "EACH", 4)
    told = []
    for threads in (1, 2):
        env = hsevo.make_vec(num_envs=8, opponent=POOL, decks=decks, seed=4, threads=threads,
                             history=True, opponent_deck="known", max_turns=5)
        assert len(env.slots._parts) == threads
        env.reset()
        early = played(env, 0, 20)
        env.set_opponents({"noaggression": 1, "random": 2})
        told.append((early, played(env, 20, 20)))
    assert told[0] == told[1]


def test_new_opponents_come_with_the_next_games() -> None:
    env = hsevo.make_vec(num_envs=8, opponent=POOL, decks=DECKS, seed=3, max_turns=5)
    env.reset()
    played(env, 0, 7)
    before, games = names(env), env.slots.slots["game"].copy()
    env.set_opponents({"noaggression": 1, "eva:group-1": 1})
    assert names(env) == before
    assert {*env.metadata["opponent"]} == {*env.spec.kwargs["opponent"]} == {
        "noaggression", "eva:group-1"}
    met: set[Any] = set()
    for step in range(40):
        now, fresh = np.array(names(env)), env.slots.slots["game"] > games
        assert {*now[fresh]} <= {"noaggression", "eva:group-1"}
        assert now[~fresh].tolist() == np.array(before)[~fresh].tolist()
        ended, infos = env.step(env.sample(step))[2::2]
        if ended.any():
            met |= {*infos["final_info"]["opponent"][ended]}
    assert fresh.all()
    assert {"noaggression", "eva:group-1"} < met
    env.set_opponents("random")  # those of earlier games are gone once their games are
    env.reset()
    env.set_opponents("eva:2018")
    assert [one.name for one in env.slots._opponents.members] == ["random", "eva:2018"]


def test_new_opponents_are_kept_by_copies_and_the_same_again() -> None:
    def begun() -> Any:
        env = hsevo.make_vec(num_envs=6, opponent=POOL, decks=DECKS, seed=3, max_turns=5)
        env.reset()
        played(env, 0, 9)
        env.set_opponents({last: 1, "random": 1})
        return env

    env, same = begun(), begun()
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    told = played(env, 9, 40)
    assert any("last" in one[-1] for one in told)
    for other in (same, *copies):
        assert played(other, 9, 40) == told
        assert other.metadata == env.metadata


def test_one_battle_takes_new_opponents_with_its_next_reset() -> None:
    """Also between two games, when the vector environment inside has begun the next one."""
    def over(env: Any) -> Any:
        _, info = env.reset()
        ended = False
        while not ended:
            assert "opponent" not in info
            _, _, ended, _, info = env.step(int(info["action_mask"].argmax()))
        return info["opponent"]

    env = hsevo.make_env(opponent="random", decks=DECKS, seed=3, max_turns=4)
    assert over(env) == "random"
    env.set_opponents({last: 1})
    once = copy.deepcopy(env)
    assert over(env) == over(once) == "last"
    mask = env.reset()[1]["action_mask"]
    illegal = int((mask == 0).argmax())
    env.set_opponents("eva:2018")
    assert env.step(illegal)[4]["opponent"] == "last"
    assert over(env) == "eva:2018"
    assert env.metadata["opponent"] == env.spec.kwargs["opponent"] == "eva:2018"


@pytest.mark.parametrize(("opponent", "said"), [
    ({}, "opponent is a pool of 0 agents, but must have 1 to 1,000"),
    ({"random": 0}, "the weight of opponent 'random' is 0, but must be a finite number above 0"),
    ({"random": -1.0}, "is -1.0, but must be"), ({"random": float("nan")}, "is nan, but must be"),
    ({"random": float("inf")}, "is inf, but must be"), ({"random": True}, "is True, but must be"),
    ({"random": "2"}, "is '2', but must be"), ({"rendom": 1}, "did you mean 'random'"),
    ({"random": 1, None: 1}, "not NoneType"),
    ({"random": 1, hsevo.Agent("random"): 1}, "opponent has 'random' twice"),
    ({"HHR": 0.5}, "the weights lack")])
def test_a_wrong_pool_is_one_line(opponent: Any, said: str) -> None:
    env = hsevo.make_vec(num_envs=2, opponent="random", seed=1)
    for make in (hsevo.make_vec, hsevo.make_env, lambda opponent: env.set_opponents(opponent)):
        with pytest.raises((ConfigError, AgentError)) as wrong:
            make(opponent=opponent)
        assert said in str(wrong.value)
        assert "\n" not in str(wrong.value)
    assert env.metadata["opponent"] == "random"


def test_self_play_and_opponents_that_cannot_play_are_refused() -> None:
    with pytest.raises(ConfigError, match="is for self-play, so it has no opponents to set"):
        hsevo.make_vec(num_envs=2).set_opponents("random")
    env = hsevo.make_vec(num_envs=2, opponent="random", information="leaky", seed=1)
    env.reset()
    before = env.slots._opponents
    with pytest.raises(HsevoError, match="sees only public information"):
        env.set_opponents({"random": 1, last: 1})
    assert env.slots._opponents is before


def test_weights_of_any_size_are_shares() -> None:
    pool = read_opponents({"random": 1e308, "eva:2018": 1e308, "noaggression": 1e-308}, ())
    assert [one.share for one in pool] == [0.5, 0.5, 0.0]


def test_a_reset_begins_the_next_game_after_a_new_opponent_has_failed() -> None:
    def failing(view: hsevo.View) -> int:
        raise ValueError(view.turn)

    env = hsevo.make_env(opponent="random", decks="mage", seed=3, max_turns=3)
    for seed in range(4):
        env.reset(seed=seed)
        over = False
        while not over:
            *_, over, cut, info = env.step(env.action_space.sample(env.action_masks().astype("i1")))
            over = over or cut
        try:
            env.set_opponents(failing)
        except HsevoError:
            break
        env.set_opponents("random")
    else:
        pytest.fail("the failing opponent never had to move first")
    env.set_opponents("random")
    _, info = env.reset()
    assert (info["action_mask"] == env.action_masks()).all()
    env.step(int(np.flatnonzero(info["action_mask"])[0]))


def test_a_failed_reset_leaves_nothing_to_step() -> None:
    def failing(view: hsevo.View) -> int:
        raise ValueError(view.turn)

    env = hsevo.make_vec("battle", 16, opponent=failing, seed=8)
    with pytest.raises(HsevoError):
        env.reset()
    with pytest.raises(Exception, match="reset"):
        env.step(np.zeros((16, 3), np.int64))
