"""What happened in games: acts against the moves' words, by hand, and that secrets stay hidden."""

import numpy as np
import pytest

import hsevo
from hsevo import learning
from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards, ids, index
from hsevo.engine.record.codec import Action
from hsevo.engine.view.observe import SIZE, UNKNOWN
from hsevo.errors import GameError
from hsevo.learning import vocabulary
from hsevo.learning.batch import History
from hsevo.play.acts import ACTS, BLOCKS, HISTORY, PLAYED, Act, act_of
from tests.support.histories import seen_of
from tests.support.random_games import batch_of

RULES = "cig2018"
KINDS = {"play": Action.PLAY, "attack": Action.ATTACK, "hero power": Action.POWER}


def card(name: str) -> int:
    """Return the table index of a card."""
    return index(RULES)[name]


def row(name: str) -> int:
    """Return the number of a card in the vocabulary."""
    return int(vocabulary.rows(RULES)[card(name)])


FIREBALL, YETI, MIRROR = "CS2_029", "CS2_182", "EX1_294"


def act(turn: int, player: int, kind: Action, name: str, target: str = "", side: int = 0) -> Act:
    """Return an act of cards by their ids."""
    return Act(turn, player, kind, card(name), card(target) if target else 0, side)


def seen(acts: list[Act], turn: int, me: int = 0) -> dict:
    """Return what player `me` sees in a turn."""
    games = hsevo.Games("mage", "warrior", [1])
    games.states["turn"], games.states["me"] = turn, me
    found = learning.observe(games, history=History.of(games, acts))[0]
    return {name: one[0] for name, one in learning.split(found).items()}


def test_the_second_version_goes_on_where_the_first_ends():
    first, second = learning.layout(), learning.layout(history=True)
    assert second[:len(first)].equals(first)
    places = [one + stride * k for one, stride, shape in second[["first", "stride", "shape"]][
        len(first):].itertuples(index=False) for k in range(shape[0])]
    assert sorted(places) == list(range(SIZE, SIZE + HISTORY))


def test_acts_are_what_moves_say():
    """Of random games move by move: the cards by id, whose target it is, turn and player."""
    kinds, targets = set(), 0
    for seed in range(3):
        game = hsevo.Game("reno-dragon-priest", "mage", seed=seed, ruleset="msg2017")
        known = ids("msg2017")
        random = np.random.default_rng(seed)
        while not game.over:
            move = game.moves[random.integers(len(game.moves))]
            one = act_of(game.states()[0], move.index)
            assert (one.kind if one else 0) == KINDS.get(str(move.kind), 0)
            if one:
                assert (one.turn, one.player) == (game.turn, game.player)
                assert known[one.card] == move.source.card
                assert (one.target > 0) == (move.target is not None)
                if move.target:
                    assert (known[one.target], one.side) == (move.target.card, move.target.player)
                    targets += 1
            kinds.add(one.kind if one else 0)
            game.play(move.index)
    assert kinds == {0, *map(int, KINDS.values())}
    assert targets > 25


def test_compiled_code_notes_the_same_acts():
    """Of random games to their ends: what both players see, against all acts so far."""
    games, clock = hsevo.Games("reno-dragon-priest", "mage", range(5), "msg2017"), 0
    acts = [[] for _ in range(len(games))]
    history = History(games)
    while games.running.any():
        moves = games.sample(clock)
        for i in np.flatnonzero(games.running):
            acts[i] += filter(None, [act_of(games.states[i], int(moves[i]))])
        history.step(moves)
        clock += 1
        for player in (0, 1):
            found = learning.observe(games, player, history)[0]
            for i, row_ in enumerate(found):
                assert row_[SIZE:].tolist() == seen_of(acts[i], games.states[i], player, "msg2017")
    assert max(map(len, acts)) > 2 * PLAYED
    one = History.of(batch_of([games.states[3]], "msg2017"), acts[3])
    assert (one.see() == history.see([3])).all()


def test_many_acts_are_as_in_a_list_of_all():
    """More cards and acts than there is room for, of both players, turn by turn."""
    random, acts, games = np.random.default_rng(2), [], hsevo.Games("mage", "warrior", [1])
    for turn in range(1, 9):
        for _ in range(random.integers(20, 60)):
            aims = [card(MIRROR), card(YETI), card(FIREBALL)]
            kind = int(random.choice([Action.PLAY, Action.ATTACK, Action.POWER]))
            acts.append(Act(turn, turn % 2, kind, int(random.choice(aims)),
                            int(random.choice([0, *aims])), int(random.integers(2))))
        for me in (0, 1):
            games.states["turn"], games.states["me"] = turn + 1, me
            found = History.of(games, acts).see()[0].tolist()
            assert found == seen_of(acts, games.states[0], me, RULES)
    assert len(acts) > 3 * PLAYED


def test_played_cards_and_the_last_turn_by_hand():
    acts = [act(1, 1, Action.PLAY, FIREBALL, YETI, 0), act(2, 0, Action.PLAY, YETI),
            act(3, 1, Action.PLAY, YETI), act(3, 1, Action.ATTACK, YETI, YETI, 0),
            act(3, 1, Action.POWER, "CS2_034", YETI, 1)]
    parts = seen(acts, turn=4)
    assert parts["own_played"][:, 0].tolist() == [row(YETI)] + [0] * (PLAYED - 1)
    assert parts["enemy_played"][:3, 0].tolist() == [row(FIREBALL), row(YETI), 0]
    assert parts["enemy_acts"][:4].tolist() == [
        [row(YETI), 0, 1, 0, 0, 0, 1], [row(YETI), row(YETI), 0, 1, 0, 1, 2],
        [row("CS2_034"), row(YETI), 0, 0, 1, 0, 3], [0] * 7]
    other = seen(acts, turn=5, me=1)
    assert other["enemy_played"][:2, 0].tolist() == [row(YETI), 0]
    assert not other["enemy_acts"].any()  # player 0 did nothing in turn 4


def test_the_last_ones_are_kept_if_there_are_many():
    acts = [act(2, 0, Action.PLAY, YETI)] * 5 + [act(3, 1, Action.PLAY, FIREBALL)] * 30
    acts += [act(3, 1, Action.PLAY, YETI)] * 30
    parts = seen(acts, turn=4)
    assert parts["enemy_played"][:, 0].tolist() == [row(FIREBALL)] * 18 + [row(YETI)] * 30
    assert parts["enemy_acts"][:, -1].tolist() == list(range(60 - ACTS + 1, 61))
    assert parts["own_played"][:6, 0].tolist() == [row(YETI)] * 5 + [0]


def test_nothing_has_happened_at_first():
    assert not any(seen([], turn=1)[name].any() for name, *_ in BLOCKS)


def test_secrets_of_the_opponent_are_unknown_and_the_own_are_not():
    laid = [act(1, 1, Action.PLAY, MIRROR)]
    for turn in (2, 4):
        assert seen(laid, turn)["enemy_played"][0, 0] == UNKNOWN
    assert seen(laid, 2)["enemy_acts"][0, 0] == UNKNOWN
    assert seen(laid, 3, me=1)["own_played"][0, 0] == row(MIRROR)


def test_no_secret_of_the_opponent_is_ever_named():
    """In games with many: from the hand, by Mad Scientist, countered, fired, laid again."""
    known = [one for one in cards(RULES).values() if one.secret and one.cls.name == "MAGE"
             and one.collectible]
    names = [one.id for one in known][:6] * 2 + ["FP1_004"] * 2 + [FIREBALL, YETI] * 8
    deck = Deck.of("secrets", "MAGE", tuple(names))
    games, clock, own, unknown = hsevo.Games(deck, deck, range(200)), 0, 0, 0
    history, secrets = learning.History(games), [row(one.id) for one in known]
    while games.running.any():
        history.step(games.sample(clock))
        seen_, _ = learning.observe(games, history=history)
        parts = learning.split(seen_)
        for name in ("enemy_played", "enemy_acts"):
            assert not np.isin(parts[name][:, :, :2], secrets).any()
        own += np.isin(parts["own_played"], secrets).sum()
        unknown += (parts["enemy_played"] == UNKNOWN).sum()
        clock += 1
    assert min(own, unknown) > 1000


def test_observe_takes_the_history_of_its_games():
    games = hsevo.Games("mage", "warrior", range(3))
    history = learning.History(games)
    found, _ = learning.observe(games, history=history)
    assert found.shape == (3, SIZE + HISTORY)
    assert (found[:, :SIZE] == learning.observe(games)[0]).all()
    with pytest.raises(ValueError, match="the history belongs to other games"):
        learning.observe(games.take([0, 1, 2]), history=history)
    assert (learning.observe(games, games.players, history)[0] == found).all()


def test_only_moves_that_were_made_are_noted():
    games = hsevo.Games("mage", "warrior", range(3))
    history = learning.History(games)
    for clock in range(20):
        history.step(games.sample(clock).tolist())
    before = history.see().tobytes()
    assert any(history.see().ravel())
    for moves, error in (([99_999] * 3, GameError), ([0], ValueError), ([0.5] * 3, ValueError)):
        with pytest.raises(error):
            history.step(moves)
        assert history.see().tobytes() == before


def test_agents_that_are_asked_are_noted():
    """Games of a compiled agent against itself, and the same moves one by one."""
    agent = hsevo.Agent("eva:2018").record
    asked, stepped = (hsevo.Games("mage", "warrior", range(4)) for _ in range(2))
    histories = learning.History(asked), learning.History(stepped)
    for _ in range(40):
        histories[1].step(np.maximum(histories[0].ask(np.atleast_1d(agent)), 0))
        assert histories[0].see().tobytes() == histories[1].see().tobytes()
    assert histories[0].see()[:, :2].any()


def test_some_of_the_games_go_on_by_themselves():
    games = hsevo.Games("mage", "warrior", range(6))
    history = History(games)
    for clock in range(40):
        history.step(games.sample(clock))
    some, before = history.take([4, 1]), history.see().copy()
    assert (some.see() == before[[4, 1]]).all()
    for clock in range(10):
        some.step(some.games.sample(clock))
    assert (history.see() == before).all()
    assert (some.see() != before[[4, 1]]).any()


@pytest.mark.parametrize(("games", "moves"), [(2, [0, 0]), (1, [0, 0]), (1, []), (1, [5000]),
                                              (1, [-2])])
def test_a_history_notes_only_moves_of_its_games(games: int, moves: list[int]) -> None:
    history = History(hsevo.Games("mage", "warrior", [1]))
    with pytest.raises(ValueError, match=r"games before|a number from 0"):
        history.note(hsevo.Games("mage", "warrior", range(games)), np.array(moves, np.int64))
