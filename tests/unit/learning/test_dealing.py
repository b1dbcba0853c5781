"""Decks of environments by shares: as `hsevo learn` draws them, another for each game."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo import learning
from hsevo.cards.deck_pool import DeckDraws, known_lists
from hsevo.cards.tables import ids
from hsevo.cards.terms import Class
from hsevo.config.learning import DeckShares
from hsevo.errors import HsevoError
from hsevo.play.games import GameBatch
from hsevo.seeds import Stream
from tests.unit.learning.test_pools import played

SHARES = {"human": 0.7, "changed": {"share": 0.3, "cards": 3}, "classes": ["mage", "priest"]}


def built(env: Any, player: int) -> list[tuple[int, ...]]:
    """Return the decks of player 0 or 1 in the current games, as sorted table indices."""
    return [tuple(sorted(deck["cards"][:deck["n"]].tolist()))
            for deck in env.slots._built[player::2]]


def lists(side: str, *classes: Class) -> set[tuple[int, ...]]:
    return {tuple(sorted(deck.tolist())) for cls in classes for deck in known_lists(cls, side)[0]}


def test_a_group_of_human_lists_is_drawn_from_that_group() -> None:
    env = hsevo.make_vec(num_envs=200, decks="human:held-out", opponent_decks="human:known", seed=3)
    env.reset()
    classes = [cls for cls in Class if cls is not Class.NEUTRAL]
    held, known = lists("held-out", *classes), lists("known", *classes)
    assert not held & known
    assert {*built(env, 0)} <= held
    assert {*built(env, 1)} <= known
    assert len({*built(env, 0)}) > 100
    assert env.metadata["decks"] == ["human:held-out"]


def test_decks_are_those_of_the_shares_by_the_seeds_of_games() -> None:
    """The same `DeckDraws` as of a learning run, in either seat, and in every later game."""
    env = hsevo.make_vec(num_envs=8, opponent="random", decks=SHARES, seed=3, max_turns=2,
                         opponent_decks={"drawn": 1, "files": {"share": 1, "decks": ["mage"]}})
    draws = [DeckDraws(DeckShares.model_validate(SHARES)), DeckDraws(
        DeckShares(drawn=1, files={"share": 1, "decks": ["mage"]}),  # type: ignore[arg-type]
        files=[hsevo.Deck("mage")])]
    number = {id: k for k, id in enumerate(ids())}
    env.reset()
    known, some = lists("known", Class.MAGE, Class.PRIEST), set()
    for step in range(12):
        now = env.slots.slots
        for side, own in enumerate(draws):
            decks = own.numbered((Stream.DECKS, side), now.seed + (now.game - 1).astype(np.uint64))
            for i, deck in enumerate(decks):
                seat = now.seat[i] if side == 0 else 1 - now.seat[i]
                cards = tuple(sorted(number[id] for id in deck.ids))
                assert built(env, int(seat))[i] == cards
                some |= {cards in known} if side == 0 else set()
        env.step(env.sample(step))
    assert some == {True, False}
    assert env.slots.slots.game.min() > 1


def test_lists_may_meet_decks_that_are_drawn() -> None:
    env = hsevo.make_vec(num_envs=40, decks=["mage", "warrior"], opponent_decks=SHARES, seed=3)
    env.reset()
    number = {id: k for k, id in enumerate(ids())}
    named = {name: tuple(sorted(number[id] for id in hsevo.Deck(name).ids))
             for name in ("mage", "warrior")}
    assert {*built(env, 0)} == {*named.values()}
    assert not {*built(env, 1)} & {*named.values()}


def test_numbers_of_games_change_no_deck() -> None:
    few, many = (hsevo.make_vec(num_envs=n, opponent="random", decks=SHARES, seed=6, max_turns=3)
                 for n in (3, 20))
    seen, others = few.reset()[0]["observation"], many.reset()[0]["observation"]
    for step in range(30):
        assert np.array_equal(seen, others[:3])
        actions = many.sample(step)
        seen, others = few.step(actions[:3])[0]["observation"], many.step(actions)[0]["observation"]
    again = few.reset(seed=6)[0]["observation"]
    assert np.array_equal(again, hsevo.make_vec(num_envs=3, opponent="random", decks=SHARES, seed=1,
                                                max_turns=3).reset(seed=6)[0]["observation"])


@pytest.mark.parametrize("opponent", ["eva:2018", lambda view: view.legal[0]])
def test_the_deck_of_the_opponent_is_hidden_unless_it_is_known(opponent: Any) -> None:
    given: dict[str, Any] = {"num_envs": 30, "opponent": opponent, "decks": "mage", "seed": 4}
    envs = [hsevo.make_vec(opponent_decks={kind: 1, "classes": ["mage"]}, **given, **more)
            for kind in ("human", "drawn") for more in ({}, {"opponent_deck": "known"})]
    seen = [learning.split(env.reset()[0]["observation"]) for env in envs]
    begins = envs[0].slots.states["first"] == envs[0].slots.slots["seat"]
    assert 3 < begins.sum() < 27
    for name in seen[0]:  # whatever it is, as long as it is hidden and its class is the same
        assert np.array_equal(seen[0][name][begins], seen[2][name][begins]), name
    for hidden, known, env in zip(seen[::2], seen[1::2], envs[1::2], strict=True):
        assert not hidden["enemy_deck"].any()
        rows = learning.vocabulary.rows("cig2018")
        for i, seat in enumerate(env.slots.slots.seat):
            shown = known["enemy_deck"][i, :30, 0].tolist()
            assert shown == sorted(rows[[*built(env, 1 - int(seat))[i]]].tolist())
            assert not known["enemy_deck"][i, 30:].any()


@pytest.mark.parametrize("opponent", [None, "eva:2018", lambda view: view.legal[0]])
def test_copies_draw_the_same_decks(opponent: Any) -> None:
    env = hsevo.make_vec(num_envs=3, opponent=opponent, decks=SHARES, seed=4, max_turns=3,
                         opponent_deck="known")
    env.reset()
    played(env, 0, 10)
    copies = [copy.deepcopy(env)]
    if not callable(opponent):  # a function of no name can't be pickled
        copies.append(pickle.loads(pickle.dumps(env)))
    told = played(env, 10, 20)
    assert all(played(one, 10, 20) == told for one in copies)


def test_two_agents_draw_too() -> None:
    env, same = (hsevo.aec_env(SHARES, "human:held-out", seed=2, opponent_deck="known")
                 for _ in range(2))
    decks = []
    for _ in range(5):
        env.reset()
        same.reset()
        assert env.last()[0].tobytes() == same.last()[0].tobytes()
        assert isinstance(env.game, GameBatch)
        decks.append(tuple(deck.ids for deck in env._dealt))
    assert len({*decks}) == 5
    assert {deck.hero_class for deck in env._dealt[:1]} <= {"MAGE", "PRIEST"}


@pytest.mark.parametrize(("decks", "said"), [
    ({}, "all shares are 0"), ({"human": 0}, "all shares are 0"),
    ({"humna": 1}, "did you mean 'human'"), ({"human": -1}, "human is -1, but must be"),
    ({"human": float("nan")}, "human is nan"),
    ({"human": 1, "classes": ["mega"]}, "did you mean 'Mage'"),
    ("human:held-uot", "did you mean 'human:held-out'?"), (["mage", "human:known"], "use it alone"),
    ([], "decks is empty")])
def test_wrong_shares_are_one_line(decks: Any, said: str) -> None:
    for make in (hsevo.make_vec, lambda decks: hsevo.aec_env(decks)):
        with pytest.raises(HsevoError) as wrong:
            make(decks=decks)
        assert said in str(wrong.value), str(wrong.value)
        assert "\n" not in str(wrong.value)


def test_the_name_of_a_drawn_deck_does_not_tell_the_seed_of_its_game() -> None:
    """With the seed, an opponent in Python could deal the whole game."""
    names: list[str] = []

    def opponent(view: hsevo.View) -> int:
        names.append(view.deck.name)
        return view.legal[-1]

    env = hsevo.make_vec("battle", 6, opponent=opponent, decks={"drawn": 1.0}, seed=5)
    env.reset()
    for step in range(8):
        env.step(env.sample(step))
    assert names
    assert all(len(name) == len("drawn ") + 8 for name in names)
