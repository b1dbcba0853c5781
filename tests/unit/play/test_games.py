"""The batch API: shapes, masks, errors that change nothing, and a random stream a game."""

import numpy as np
import pytest

from hsevo.cards.decks import read_deck
from hsevo.engine.record.codec import CHOOSE, END
from hsevo.engine.record.state import STATE
from hsevo.engine.view.show import game_text, move_text, outcome_text
from hsevo.engine.view.snapshot import snapshot
from hsevo.errors import CardError, GameError
from hsevo.play.games import (
    DRAW,
    N_MOVES,
    RUNNING,
    WIN_0,
    WIN_1,
    GameBatch,
)
from tests.support.random_games import pick, play_out, states

DECKS = [read_deck(name) for name in ("warrior", "shaman", "mage")]


def begin(n: int = 6, **settings: object) -> GameBatch:
    return GameBatch.new([DECKS[i % 3] for i in range(n)], DECKS[2], np.arange(n), **settings)


def test_new_games_have_hands_decks_and_a_player_to_move() -> None:
    games = begin(40)
    side = games.states["side"]
    first = games.states["first"]
    assert len(games) == 40
    assert (games.players == first).all()
    assert set(first) == {0, 1}
    assert (games.results == RUNNING).all()
    assert (side["n_deck"][np.arange(40), first] == 26).all()  # 30 - 3 cards - the first draw
    assert (side["n_hand"][np.arange(40), 1 - first] == 5).all()  # 4 cards and The Coin
    assert (side["cls"][:, 1] == side["cls"][2, 0]).all()  # the mage's, as in DECKS[2]


def test_masks_have_a_row_a_game_and_always_the_end_of_the_turn() -> None:
    masks = begin().legal_moves()
    assert (masks.shape, masks.dtype) == ((6, N_MOVES), np.bool_)
    assert masks[:, END].all()


def test_games_that_are_over_have_no_moves_and_are_left_alone() -> None:
    games = begin(20)
    random = np.random.default_rng(0)
    over = np.zeros(20, bool)
    kept: dict[int, bytes] = {}
    while not over.all():
        masks = games.legal_moves()
        assert (masks.any(axis=1) == ~over).all()
        games.step(np.where(over, -7, pick(masks, random)))  # -7: not even looked at
        for i, data in enumerate(states(games)):
            if games.results[i] != RUNNING:
                assert kept.setdefault(i, data) == data
        over = games.results != RUNNING
    assert set(games.results) <= {WIN_0, WIN_1, DRAW}


@pytest.mark.parametrize("move", [-1, N_MOVES, 2**40, CHOOSE + 1])
def test_an_illegal_move_is_named_and_changes_no_game(move: int) -> None:
    games = begin()
    before = states(games)
    with pytest.raises(GameError, match=rf"move {move} is not legal in game 4 of 6"):
        games.step([END, END, END, END, move, END])
    assert states(games) == before


@pytest.mark.parametrize(("moves", "said"), [
    ([0, 0], r"moves has shape \(2,\) and type int64"),
    (np.zeros(6), r"type float64, but must be whole numbers \(6,\)"),
    (np.zeros(6, bool), "type bool"),
])
def test_moves_must_be_a_whole_number_a_game(moves: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        begin().step(moves)


@pytest.mark.parametrize(("arguments", "error", "said"), [
    ({"max_turns": 0}, ValueError, "max_turns is 0"),
    ({"max_turns": 40_000}, ValueError, "max_turns is 40000"),
    ({"ruleset": "cig2108"}, CardError, "did you mean 'cig2018'"),
    ({"seeds": [[1]]}, ValueError, r"seeds has shape \(1, 1\)"),
    ({"decks_0": DECKS}, ValueError, "3 decks for 2 seeds"),
])
def test_arguments_that_cannot_be_used(arguments: dict, error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        GameBatch.new(**{"decks_0": DECKS[0], "decks_1": DECKS[1], "seeds": [1, 2], **arguments})


def test_a_game_depends_on_its_own_seed_and_moves_alone() -> None:
    """The same game in another batch, at another place, beside other games, is the same game."""
    def course(games: GameBatch, i: int) -> bytes:
        for _ in range(60):
            masks = games.legal_moves()
            games.step([int(np.flatnonzero(row)[-1]) if row.any() else 0 for row in masks])
        return states(games)[i]

    alone = GameBatch.new(DECKS[0], DECKS[2], [77])
    beside = GameBatch.new([DECKS[1], DECKS[2], DECKS[0]], [DECKS[0], DECKS[1], DECKS[2]],
                           [5, 6, 77])
    assert course(alone, 0) == course(beside, 2)


def test_seeds_tell_games_apart() -> None:
    games = GameBatch.new(DECKS[0], DECKS[1], np.arange(200))
    assert len(set(states(games))) == 200
    assert GameBatch.new(DECKS[0], DECKS[1], [2**64 - 1]).states["rng"][0] != games.states["rng"][0]


def test_take_copies() -> None:
    games = begin()
    some = games.take([4, 1])
    before = states(games)
    assert states(some) == [before[4], before[1]]
    some.step([END, END])
    assert states(games) == before
    assert some.states.dtype == STATE


def test_no_games_are_no_trouble() -> None:
    games = GameBatch.new(DECKS[0], DECKS[1], np.zeros(0, int))
    games.step(np.zeros(0, int))
    assert games.legal_moves().shape == (0, N_MOVES)


def test_a_game_ends_as_a_draw_when_its_turns_are_over() -> None:
    games = begin(max_turns=4)
    for _ in range(4):
        assert (games.results == RUNNING).all()
        games.step(np.full(6, END))
    assert (games.results == DRAW).all()


def test_a_mulligan_throws_cards_back() -> None:
    games = GameBatch.new(DECKS[0], DECKS[1], [3], ruleset="msg2017")
    first = int(games.states["first"][0])
    assert np.flatnonzero(games.legal_moves()[0]).tolist() == [END, CHOOSE, CHOOSE + 1, CHOOSE + 2]
    assert "throw back" in move_text(snapshot(games.states[0]), CHOOSE)
    games.step([CHOOSE])
    games.step([END])
    side = games.states["side"][0]
    assert (side["n_hand"][first], side["n_deck"][first]) == (3, 27)
    assert games.players[0] == 1 - first


def test_every_move_of_a_game_can_be_put_into_words() -> None:
    """Different moves read differently, but for equal cards in hand."""
    games, random = GameBatch.new(DECKS[2], DECKS[1], [12]), np.random.default_rng(1)
    said = set()
    while games.results[0] == RUNNING:
        masks, g = games.legal_moves(), games.states[0]
        now = snapshot(g)
        texts = [move_text(now, int(move)) for move in np.flatnonzero(masks[0])]
        held = [tuple(g.side[g.me].hand[i]) for i in range(g.side[g.me].n_hand)]
        if len(set(held)) == len(held):
            assert len(set(texts)) == len(texts)
        said |= {text.split()[0] for text in texts}
        assert f"turn {g.turn}, player {g.me}" in game_text(now)
        games.step(pick(masks, random))
    assert {"play", "attack", "use", "end"} <= said
    assert "wins in turn" in outcome_text(snapshot(games.states[0]))


def test_a_position_as_text() -> None:
    """Hands and boards by name, from the game's own words."""
    games = play_out(begin(3), np.random.default_rng(2))
    lines = game_text(snapshot(games.states[0])).splitlines()
    assert len(lines) >= 7
    assert [line.split(":")[0].strip() for line in lines if line.startswith("  ")
            and "secrets" not in line] == ["hand", "board"] * 2


def test_states_that_are_none_are_refused_before_a_kernel_sees_them() -> None:
    games = begin(4)
    fixed = games.states.copy()
    fixed.flags.writeable = False
    for wrong, error, said in (
            (np.zeros(3), TypeError, "states is of type float64, but must be an array of dtype"),
            ([1, 2], TypeError, "states is of type list, but"),
            (games.states["side"], TypeError, "but must be an array of dtype STATE"),
            (np.concatenate([games.states] * 2), TypeError, "np.concatenate does not preserve"),
            (games.states[::2], ValueError, "contiguous and writable"),
            (games.states[:, None], ValueError, r"states has shape \(4, 1\)"),
            (fixed, ValueError, "contiguous and writable")):
        with pytest.raises(error, match=said) as caught:
            GameBatch(wrong)
        assert len(str(caught.value)) < 300
    assert GameBatch(games.states.view(np.ndarray)).legal_moves().any()
