"""Environments with a history: by hand, by the moves' words, and against `learning.History`."""

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import hsevo
from hsevo import learning
from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards, index
from hsevo.engine.view.observe import DECISION_AT, SIZE, UNKNOWN, SeenDecision
from hsevo.learning import slots, vocabulary
from hsevo.learning.opponents import Opponent
from hsevo.play.acts import ACTS, HISTORY, PLAYED
from hsevo.play.match import Setting
from hsevo.seeds import Stream, derive
from tests.support.random_games import states

RULES, DECKS = "cig2018", ["mage", "warrior"]
COIN = "GAME_005"
SEARCH = "mcts:vanilla?iterations=10&rollouts=1&reuse=yes"


def row(name: str) -> int:
    """Return the number of a card in the vocabulary."""
    return int(vocabulary.rows(RULES)[index(RULES)[name]])


def parts(seen: Any) -> dict[str, Any]:
    """Return what an observation has of the past, without the empty rows."""
    found = learning.split(seen)
    return {name: found[name][found[name].any(axis=1)].tolist()
            for name in ("own_played", "enemy_played", "enemy_acts")}


def chance(view: Any) -> Any:
    return int(view.random.choice(view.legal))


def coin_first(view: Any) -> Any:
    """Play The Coin as soon as it can, and do nothing else."""
    return next((move for move in view.moves if move.source and move.source.card == COIN), 0)


# -- by hand ------------------------------------------------------------------------------------


def test_a_coin_is_seen_by_both_agents() -> None:
    """In its first turn, the second one plays The Coin; nobody does any more."""
    env = hsevo.aec_env("mage", "warrior", seed=1, history=True)
    env.reset()
    assert env.metadata["history"] is True
    first, second = env.agent_selection, next(
        name for name in env.agents if name != env.agent_selection)
    nothing = {"own_played": [], "enemy_played": [], "enemy_acts": []}
    assert parts(env.observe(first)) == parts(env.observe(second)) == nothing
    env.step(0)
    env.step(_coin(env.game))
    act, coin = [row(COIN), 0, 1, 0, 0, 0, 1], [[row(COIN)]]
    own = {"own_played": coin, "enemy_played": [], "enemy_acts": []}
    for now in (env.observe(second), env.last()[0]):
        assert parts(now) == own
    seen = {"own_played": [], "enemy_played": coin, "enemy_acts": [act]}
    assert parts(env.observe(first)) == seen  # of the turn that goes on
    env.step(0)
    assert parts(env.observe(first)) == seen
    assert parts(env.observe(second)) == own
    for _ in range(2):  # the second one's next turn, in which it does nothing, and the one after
        env.step(0)
        assert parts(env.observe(first)) == {**seen, "enemy_acts": []}
    env.reset()
    assert parts(env.observe(first)) == parts(env.observe(second)) == nothing


def _coin(games: Any) -> int:
    """Return the move that plays The Coin in the one game of a batch."""
    seen, legal = learning.observe(games)
    (place,) = np.flatnonzero(learning.split(seen)["hand"][0, :, 0] == row(COIN))
    rows = learning.actions()
    (what,) = rows[(rows.block == "hand") & (rows.row == place)
                   & rows.meaning.str.fullmatch(rf"play card {place} of the hand")]["index"]
    assert legal[0, what]
    return int(learning.moves_of([[what, 0, 0]])[0])


def test_a_coin_of_the_opponent_is_seen_in_one_battle() -> None:
    env, met = hsevo.make_env(opponent=coin_first, seed=3, history=True), set()
    for _ in range(8):
        seen, info = env.reset()
        second = not seen[DECISION_AT + SeenDecision.BEGAN]
        assert parts(seen) == {"own_played": [], "enemy_played": [], "enemy_acts": []}
        for step in range(4):
            seen, _, ended, _, info = env.step(0)  # end each turn
            assert (ended, bool(info["action_mask"][0])) == (False, True)
            told = parts(seen)
            if second:
                assert not any(told.values())
            else:
                assert (told["own_played"], told["enemy_played"]) == ([], [[row(COIN)]])
                assert told["enemy_acts"] == [[row(COIN), 0, 1, 0, 0, 0, 1]] * (step == 0)
        met.add(second)
    assert met == {False, True}


# -- by the words of the moves ------------------------------------------------------------------


class Twin:
    """The same game as a hsevo.Game, and what its moves say."""

    def __init__(self, slot: Any, opponent: Any) -> None:
        seed = (int(slot["seed"]) + int(slot["game"]) - 1) % 2**64
        players: list[Any] = [None, None]
        if slot["seat"] >= 0:
            players[1 - slot["seat"]] = opponent
        self.game = hsevo.Game(*(DECKS[k] for k in slot["deck"]), players=players, seed=seed)
        self.opponent, self.told = opponent, list[tuple[int, int, Any]]()

    def run(self, seat: int) -> None:
        """Have the opponent of a seat move."""
        while not self.game.over and seat >= 0 and self.game.player != seat:
            self.told.append((self.game.turn, self.game.player, None))
            self.game.step()
            self.told[-1] = (*self.told[-1][:2], self.game.history[-1])

    def play(self, move: int) -> None:
        self.told.append((self.game.turn, self.game.player, None))
        self.game.play(move)
        self.told[-1] = (*self.told[-1][:2], self.game.history[-1])

    def seen_by(self, seat: int) -> dict[str, Any]:
        """Return what a player must see of it, as `parts`."""
        last = self.game.turn - (self.game.player == seat)
        found: dict[str, Any] = {"own_played": [], "enemy_played": [], "enemy_acts": []}
        for turn, who, move in self.told:
            kind = str(move.kind)
            if kind not in ("play", "attack", "hero power"):
                continue
            hidden = kind == "play" and who != seat and cards(RULES)[move.source.card].secret
            card = UNKNOWN if hidden else row(move.source.card)
            if kind == "play":
                found["own_played" if who == seat else "enemy_played"].append([card])
            if who != seat and turn == last:
                aim = move.target
                found["enemy_acts"].append([
                    card, row(aim.card) if aim else 0, kind == "play", kind == "attack",
                    kind == "hero power", bool(aim) and aim.player == seat,
                    1 + len(found["enemy_acts"])])
        assert max(len(found["own_played"]), len(found["enemy_played"])) <= PLAYED
        found["enemy_acts"] = found["enemy_acts"][-ACTS:]
        return found


@pytest.mark.parametrize("opponent", [None, "random", "eva:2018", SEARCH, chance])
def test_what_is_seen_is_what_the_moves_say(opponent: Any) -> None:
    """Games move by move, their ends and the games that follow, of all kinds of opponents."""
    n = 2
    env = hsevo.make_vec(num_envs=n, opponent=opponent, decks=DECKS[:1], opponent_decks=DECKS[1:],
                         seed=5, history=True)
    seen, _ = env.reset()
    twins: list[Any] = [None] * n
    ended, rows = np.zeros(n, int), 0
    for step in range(300):
        if ended.min() >= 1:
            break
        for i, slot in enumerate(env.slots.slots):
            if twins[i] is None:
                twins[i] = Twin(slot, opponent)
                twins[i].run(int(slot["seat"]))
            found = parts(seen["observation"][i])
            assert found == twins[i].seen_by(twins[i].game.player)
            rows += len(found["enemy_acts"])
        actions, seats = env.sample(step), env.slots.slots["seat"].copy()
        acted = env.slots.states["me"].copy()
        seen, _, over, _, infos = env.step(actions)
        for i, move in enumerate(learning.moves_of(actions)):
            twins[i].play(int(move))
            twins[i].run(int(seats[i]))
            assert twins[i].game.over == over[i]
            if over[i]:
                final = infos["final_obs"][i]["observation"]
                assert parts(final) == twins[i].seen_by(int(acted[i]))
                twins[i], ended[i] = None, ended[i] + 1
    assert ended.min() >= 1
    assert rows > 30


# -- against `learning.History` ------------------------------------------------------------------


def test_against_an_agent_it_is_the_history_of_the_batch_api() -> None:
    """The same seeds, decks and moves by `Games`, whose agents move by `history.ask`."""
    n, agent = 12, "eva:2018"
    env = hsevo.make_vec(num_envs=n, opponent=agent, decks="mage", opponent_decks="warrior",
                         seed=3, history=True)
    seen, infos = env.reset()
    seats, seeds = infos["player"], derive((3, Stream.ENVIRONMENT), np.arange(n))
    games = hsevo.Games([("mage", "warrior")[s] for s in seats],
                        [("warrior", "mage")[s] for s in seats], seeds)
    history, running, compared = learning.History(games), np.ones(n, bool), 0
    for step in range(40):
        while (games.running & (games.players != seats)).any():
            history.ask(hsevo.Agent(agent).record, seat=1 - seats)
        running &= games.running
        views, _ = learning.observe(games, history=history)
        assert views[running].tobytes() == seen["observation"][running].tobytes()
        compared += np.count_nonzero(learning.split(views[running])["enemy_acts"][:, 0, 0])
        actions = env.sample(step)
        history.step(np.where(running, learning.moves_of(actions), 0))
        seen, *_ = env.step(actions)
    assert not running.all()
    assert compared > 50


def test_an_agent_to_move_sees_what_its_history_says() -> None:
    """In a battle of two agents, to its end; the known deck list stands where it did."""
    env = hsevo.aec_env("mage", "warrior", seed=4, opponent_deck="known", history=True)
    plain = hsevo.aec_env("mage", "warrior", seed=4, opponent_deck="known")
    env.reset()
    plain.reset()
    games = env.game.take(slice(None))
    history, random = learning.History(games), np.random.default_rng(1)
    while games.running.all():
        seen, *_, info = env.last()
        assert env.observation_space(env.agent_selection).contains(seen)
        assert seen[:SIZE].tobytes() == plain.last()[0].tobytes()
        assert seen[SIZE:].tobytes() == history.see().tobytes()
        move = int(random.choice(np.flatnonzero(info["action_mask"])))
        for one in (env, plain):
            one.step(move)
        history.step([move])
    assert history.see().any()


# -- the games are those without a history --------------------------------------------------------


@pytest.mark.parametrize("given", [
    {"opponent": None}, {"opponent": "random", "opponent_deck": "known", "ruleset": "msg2017"},
    {"opponent": "eva:2018", "information": "closed"}, {"opponent": "rl:2026"},
    {"opponent": SEARCH, "num_envs": 18}, {"opponent": chance, "num_envs": 3}])
def test_the_games_are_the_same_bit_by_bit(given: dict[str, Any],
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    """On any number of threads: games, masks, draws, rewards, and observations but the past."""
    monkeypatch.setattr(slots, "EACH", 8)
    settings = {"num_envs": 25, "seed": 3, **given}
    envs = [hsevo.make_vec(**settings, history=history, threads=threads)
            for history, threads in ((False, 1), (True, 1), (True, 3))]
    seen, pasts = [env.reset()[0] for env in envs], set()
    for step in range(20 if given["opponent"] in (SEARCH, chance) else 70):
        assert len({tuple(states(env.games)) for env in envs}) == 1
        for name in ("what", "at", "where"):
            assert all((one[name] == seen[0][name]).all() for one in seen)
        for one in seen[1:]:
            assert one["observation"].shape[1] == SIZE + HISTORY
            assert (one["observation"][:, :SIZE] == seen[0]["observation"]).all()
        assert seen[1]["observation"].tobytes() == seen[2]["observation"].tobytes()
        pasts.add(seen[1]["observation"][:, SIZE:].tobytes())
        actions = [env.sample(step) for env in envs]
        steps = [env.step(one) for env, one in zip(envs, actions, strict=True)]
        seen = [one[0] for one in steps]
        for k in (1, 2, 3):
            assert len({one[k].tobytes() for one in steps}) == 1
        for i in np.flatnonzero(steps[0][2]):
            first, *others = (one[4]["final_obs"][i]["observation"] for one in steps)
            assert all((one[:SIZE] == first).all() for one in others)
            assert (others[0] == others[1]).all()
    assert len(pasts) > 10
    for env in envs:
        env.close()


def test_an_opponent_with_weights_for_each_pair_of_decks_plays_those() -> None:
    kinds = ("eva:2018", "noaggression", "random", "eva:group-1")
    agents = np.concatenate([hsevo.Agent(kind).record for kind in kinds])
    setting = Setting(RULES, tuple(hsevo.Deck(one) for one in DECKS))
    both = [slots.Slots(24, setting, [Opponent("each", 1.0, agents)], np.arange(2), np.arange(2),
                        history=history) for history in (False, True)]
    for one in both:
        one.begin(6)
    for step in range(12):
        first, other = (one.step(one.sample(derive((step,), np.arange(24)))) for one in both)
        assert (first.observations == other.observations[:, :SIZE]).all()


@pytest.mark.parametrize("opponent", [None, "eva:2018", chance])
def test_a_game_that_meets_a_limit_of_the_engine_is_cut_off(opponent: Any) -> None:
    """As without a history: it alone, and the others go on."""
    envs = [hsevo.make_vec(num_envs=3, seed=2, opponent=opponent, history=one)
            for one in (False, True)]
    for env in envs:
        env.reset()
        for step in range(9):
            env.step(env.sample(step))
        env.games.states["fault"][1] = 1
    (_, _, ended, cut, _), (seen, _, over, stopped, infos) = (env.step(env.sample(1))
                                                              for env in envs)
    assert cut.tolist() == stopped.tolist() == [False, True, False]
    assert ended.tolist() == over.tolist() == [False] * 3
    assert states(envs[0].games) == states(envs[1].games)
    assert infos["final_obs"][1]["observation"][SIZE:].any()
    assert not parts(seen["observation"][1])["own_played"]


# -- what is hidden -------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", [None, "random"])
def test_no_secret_of_the_opponent_is_ever_named(opponent: Any) -> None:
    known = [one for one in cards(RULES).values() if one.secret and one.cls.name == "MAGE"
             and one.collectible]
    names = [one.id for one in known][:6] * 2 + ["FP1_004"] * 2 + ["CS2_029", "CS2_182"] * 8
    deck = Deck.of("secrets", "MAGE", tuple(names))
    env = hsevo.make_vec(num_envs=100, decks=deck, opponent=opponent, seed=1, history=True)
    secrets, own, unknown = [row(one.id) for one in known], 0, 0
    env.reset()
    for step in range(150):
        seen, *_, infos = env.step(env.sample(step))
        last = [one["observation"] for one in infos.get("final_obs", ()) if one]
        told = learning.split(np.stack([*seen["observation"], *last]))
        for name in ("enemy_played", "enemy_acts"):
            assert not np.isin(told[name][:, :, :2], secrets).any()
        own += np.isin(told["own_played"], secrets).sum()
        unknown += (told["enemy_played"] == UNKNOWN).sum()
    assert min(own, unknown) > 500


# -- spaces and rules -----------------------------------------------------------------------------


def test_the_spaces_are_those_of_the_layout() -> None:
    env = hsevo.make_vec(num_envs=20, opponent="random", history=True)
    space = env.single_observation_space["observation"]
    assert (space.shape, space.dtype) == ((SIZE + HISTORY,), np.int16)
    for _, one in learning.layout(history=True).iterrows():
        places = one["first"] + one["stride"] * np.arange(one["shape"][0])
        assert (space.low[places] == one["low"]).all()
        assert (space.high[places] == one["high"]).all()
    env.reset()
    for step in range(60):
        assert env.observation_space.contains(env.step(env.sample(step))[0])
    assert (env.metadata["history"], env.spec.kwargs["history"]) == (True, True)
    assert gym.make_vec(env.spec).observation_space == env.observation_space
    assert hsevo.make_vec().metadata["history"] is False


@pytest.mark.parametrize("opponent", ["random", "eva:2018", chance])
@pytest.mark.filterwarnings("error")
def test_it_keeps_to_the_rules_of_gymnasium(opponent: Any) -> None:
    """Without a warning; it tries illegal actions, too."""
    env = hsevo.make_env(opponent=opponent, decks="mage", history=True, render_mode="ansi")
    assert env.observation_space.shape == (SIZE + HISTORY,)
    check_env(env)
    env.reset(seed=3)
    plain = hsevo.make_env(opponent=opponent, decks="mage", render_mode="ansi")
    plain.reset(seed=3)
    assert env.render() == plain.render()


def test_it_keeps_to_the_rules_of_pettingzoo() -> None:
    """Without a warning, which would be an error here."""
    env = hsevo.aec_env(seed=1, ruleset="msg2017", opponent_deck="known", history=True)
    api_test(env, num_cycles=300)
    assert env.observation_space("player_0").shape == (SIZE + HISTORY,)
    seed_test(lambda: hsevo.aec_env("mage", "warrior", history=True), num_cycles=50)


@pytest.mark.parametrize("make", [hsevo.make_vec, hsevo.make_env, hsevo.aec_env])
@pytest.mark.parametrize("history", [1, "yes", None])
def test_what_is_no_yes_or_no_is_refused(make: Any, history: Any) -> None:
    with pytest.raises(hsevo.HsevoError, match=r"^history is .*, but must be True or False$"):
        make(history=history)


def test_a_step_that_is_broken_off_is_not_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    env = hsevo.make_vec("battle", 4, opponent="random", history=True, seed=1)
    env.reset()

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(slots.Slots, "_play", stop)
        with pytest.raises(KeyboardInterrupt):
            env.step(env.sample(1))
    with pytest.raises(gym.error.ResetNeeded, match="interrupted step"):
        env.step(env.sample(2))
    env.reset()
    env.step(env.sample(2))


def test_an_action_of_a_small_type_is_a_move() -> None:
    env = hsevo.aec_env("mage", "warrior", history=True, seed=1)
    env.reset()
    first = env.agent_selection
    env.step(np.uint8(0))  # ends the turn
    assert env.agent_selection != first
