"""The invariants can fail: each of these changes to good positions and moves is seen."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hsevo.cards.tables import index
from hsevo.cards.terms import Keyword
from hsevo.engine.record.codec import END, N_MOVES
from hsevo.engine.record.state import RUNNING
from hsevo.play.games import GameBatch
from tests.rules.fuzz import Watch, check_decisions, check_texts, play_batch
from tests.support.dense_games import Plan, few, plan, policies, themes
from tests.support.invariants import (
    Broken,
    check_all,
    check_attacks,
    check_step,
    heads,
    positions,
    transitions,
)
from tests.support.random_games import begin, pick, play_out, random_deck, states
from tests.support.recounts import check_auras, check_costs, check_recount

pytestmark = pytest.mark.slow

TAUNT, FROZEN = int(Keyword.TAUNT), int(Keyword.FROZEN)


@pytest.fixture(scope="module")
def middle() -> GameBatch:
    """Return games in the middle, all of them in a player's turn."""
    games, random = begin(4, 300)
    for _ in range(45):
        games.step(pick(games.legal_moves(), random))
    return games.take((games.states["pending"] == 0) & (games.states["result"] == RUNNING))


def put(*path: Any) -> Callable[[Any], None]:
    """Return what sets one number of a record: field names and indices, the last the value."""
    *way, last, value = path

    def change(record: Any) -> None:
        for name in way:
            record = record[name]
        record[last] = value
    return change


@pytest.mark.parametrize(("said", "change"), [
    ("overload", put("side", 1, "locked", -1)),
    ("crystals", put("side", 0, "crystals", 11)),
    ("a turn's plays", put("side", 0, "power_used", 101)),
    ("cards played", put("side", 0, "minions_played", 50)),
    ("no card in deck", put("side", 0, "deck", 0, 0)),
    ("no minion among the dead", put("side", 0, "dead", 0, index()["GAME_005"])),
    ("a uid to come", put("char", 7, "uid", 19_000)),
    ("a uid like a hand's", put("next_uid", 19_000)),
    ("attacks made", put("char", 7, "attacks", 31)),
    ("immune after its attack", put("char", 7, "keywords", int(Keyword.IMMUNE_ATTACKING))),
    ("a hero lent", put("char", 15, "borrowed", 1)),
    ("a hero's own attack", put("char", 15, "attack", 40)),
    ("a hero's health", put("char", 15, "max_health", 31)),
    ("auras to count", put("stale", 1)),
    ("deaths to come", put("dying", 1)),
    ("auras counted", put("auras", 14)),
    ("what auras depend on", put("reach", 14)),
    ("auras on costs", put("discounts", 14)),
    ("rules", put("side", 1, "rules", 4)),
    ("Spell Damage", put("side", 1, "spell_damage", 9)),
    ("deck listeners", put("side", 1, "deck_watch", 1 << 20)),
    ("deck listener", put("side", 1, "deck_watcher", 7)),
    ("the result", put("char", 7, "health", 0)),
    ("whose turn", put("turn", 0x55)),
])
def test_a_broken_position_is_seen(middle: GameBatch, said: str,
                                   change: Callable[[Any], None]) -> None:
    side = middle.states["side"]
    games = middle.take((side["n_deck"] > 0).all(axis=1) & (side["n_dead"] > 0).all(axis=1)
                        & (middle.states["turn"] % 2 == 0))
    check_all(games)
    change(games.states[3])
    marks = positions(heads(games), games.ruleset)
    assert np.asarray(marks[said])[3].any()
    assert not np.asarray(marks[said])[:3].any()
    with pytest.raises(Broken, match="in game 3"):
        check_all(games)


def test_a_listener_that_is_not_noted_is_seen(middle: GameBatch) -> None:
    games = middle.take(slice(None))
    check_all(games)
    games.states["watch"] = 0
    with pytest.raises(Broken, match="a listener unheard"):
        check_all(games)


def seen_after(games: GameBatch, moves: Any, change: Callable[[Any], None], said: str) -> None:
    """Make moves, then change each game by itself: it is seen in some of them."""
    before, after = heads(games), games.take(slice(None))
    after.step(moves)
    check_step(before, moves, after)
    good = transitions(before, heads(after), moves, games.ruleset)
    assert not np.asarray(good[said]).any()
    for record in after.states:
        change(record)
    assert np.asarray(transitions(before, heads(after), moves, games.ruleset)[said]).any()


@pytest.mark.parametrize(("said", "change"), [
    ("the turn", put("turn", 3)),
    ("attack beyond the turn", put("char", "turn_attack", slice(None), 1)),
    ("a mark beyond the turn", put("char", "keywords", slice(None), int(Keyword.IMMUNE_THIS_TURN))),
    ("a rule beyond the turn", put("side", "turn_rules", slice(None), 1)),
    ("lent beyond the turn", put("char", "borrowed", slice(None), 1)),
    ("attacks of the last turn", put("char", "attacks", slice(None), 1)),
    ("asleep in its second turn", put("char", "keywords", slice(None), int(Keyword.FRESH))),
    ("plays of the last turn", put("side", "played", slice(None), 1)),
    ("a quiet turn's board", put("char", "health", slice(None), 1)),
    ("a quiet turn's mana", put("side", "mana", slice(None), 0)),
    ("a quiet turn's card", put("side", "n_deck", slice(None), 59)),
    ("uids anew", put("next_uid", 1)),
    ("back in time", put("side", "n_dead", slice(None), -1)),
])
def test_a_turn_that_ended_wrongly_is_seen(middle: GameBatch, said: str,
                                           change: Callable[[Any], None]) -> None:
    seen_after(middle, np.full(len(middle), END), change, said)


def test_a_character_that_does_not_thaw_is_seen(middle: GameBatch) -> None:
    games = middle.take(slice(None))
    games.states["char"]["keywords"] |= FROZEN
    before, moves = heads(games), np.full(len(games), END)
    games.step(moves)
    check_step(before, moves, games)
    games.states["char"]["keywords"] |= FROZEN
    with pytest.raises(Broken, match="frozen too long"):
        check_step(before, moves, games)


@pytest.mark.parametrize(("said", "change"), [
    ("a quiet attack", put("char", "health", slice(None), 1)),
    ("an attack that does not count", put("char", "attacks", slice(None), 0)),
    ("a turn passed", put("me", 2)),
])
def test_an_attack_gone_wrong_is_seen(middle: GameBatch, said: str,
                                      change: Callable[[Any], None]) -> None:
    attacks = middle.legal_moves()[:, 1:65]
    games = middle.take(attacks.any(axis=1))
    moves = 1 + games.legal_moves()[:, 1:65].argmax(axis=1)
    seen_after(games, moves, change, said)


def test_wrong_legal_moves_are_seen(middle: GameBatch) -> None:
    masks = middle.legal_moves()
    check_attacks(middle, masks)
    check_costs(middle, masks)
    wrong = masks.copy()
    wrong[5, 1:65] ^= True
    with pytest.raises(Broken, match="legal attacks in game 5"):
        check_attacks(middle, wrong)
    with pytest.raises(Broken, match="a card for less than it costs"):
        check_costs(middle, np.ones_like(masks))
    with pytest.raises(Broken, match="a minion that can't be played"):
        check_costs(middle, np.zeros_like(masks))


@pytest.mark.parametrize("check", [check_auras, check_recount])
def test_an_aura_left_behind_is_seen(middle: GameBatch, check: Callable[[GameBatch], None]) -> None:
    games = middle.take(slice(None))
    check(games)
    games.states["auras"] = 1  # so that there is something to count
    games.states["char"]["aura_attack"][:, 7] = 2
    with pytest.raises(Broken, match="aura"):
        check(games)


# -- dense games ----------------------------------------------------------------------------------


def test_a_batch_is_a_function_of_its_seed() -> None:
    def ends(number: int) -> list[bytes]:
        games, random, choose = plan(3, number, 20).begin()
        return states(play_out(games, random, None, choose))
    assert ends(5) == ends(5)
    assert ends(5) != ends(8)


def test_dense_games_keep_all_invariants() -> None:
    kinds = set()
    for number in range(8):
        batch = plan(77, number, 15)
        games, random, choose = batch.begin()
        play_out(games, random, Watch(batch.ruleset), choose)
        kinds |= {batch.ruleset, batch.policy, batch.decks[0][0].name}
    assert len(kinds) > 8


@pytest.mark.parametrize(("size", "early"), [(30, False), (60, True)])
def test_games_of_april_2015_keep_all_invariants(size: int, early: bool) -> None:
    random = np.random.default_rng(2015)
    mine, theirs = [[random_deck(random, "blackrock2015", size) for _ in range(60)]
                    for _ in range(2)]
    batch = Plan("blackrock2015", (mine, theirs), 2015, early=early, crowd=early)
    games, random, choose = batch.begin()
    play_out(games, random, Watch(batch.ruleset), choose)


def test_games_begun_early_are_sound() -> None:
    decks = [few(np.random.default_rng(i), "msg2017", 30) for i in range(40)]
    games, *_ = Plan("msg2017", (decks, decks[::-1]), 1, early=True, crowd=True).begin()
    check_all(games)
    check_recount(games)
    side = games.states["side"]
    assert (side["crystals"] == 10).all()
    assert (side["minions"] > 2).mean() > 0.5
    assert (side["n_hand"] == 10).mean() > 0.5


def test_every_policy_chooses_legal_moves_and_prefers_what_it_likes(middle: GameBatch) -> None:
    masks, random = middle.legal_moves(), np.random.default_rng(0)
    for name, choose in policies().items():
        moves = choose(masks, random)
        assert masks[np.arange(len(masks)), moves].all()
        if name != "any":
            assert (moves[masks.sum(axis=1) > 1] != END).mean() > 0.99
    assert masks.shape[1] == N_MOVES


def test_themes_have_cards() -> None:
    known = themes("cig2018")
    assert {"op DAMAGE", "event DIED", "keyword TAUNT", "secret", "weapon", "auras"} <= set(known)
    assert all(len(ids) > 1 for ids in known.values())


def test_a_fault_is_told_with_few_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A made-up one: that no weapon can be equipped."""
    def check(before: Any, moves: Any, games: GameBatch) -> None:
        armed = (games.states["side"]["weapon"] > 0).any(axis=1)
        if armed.any():
            raise Broken("a weapon", int(np.flatnonzero(armed)[0]))
    monkeypatch.setattr("tests.rules.fuzz.check_step", check)
    monkeypatch.setattr("tests.rules.fuzz.SIZE", 30)
    monkeypatch.setattr("tests.rules.fuzz.TRIES", 10)
    report = play_batch(1, 0)
    assert "a weapon" in report.fault
    assert "-->" in report.fault
    assert len(report.fault.splitlines()[-1]) < 120


def test_what_cannot_be_shown_is_seen(middle: GameBatch, monkeypatch: pytest.MonkeyPatch) -> None:
    check_texts(middle.take(slice(30)))
    monkeypatch.setattr("tests.rules.fuzz.move_text",
                        lambda g, move, ruleset: "" if move == END else "x")
    with pytest.raises(Broken, match="a move without words"):
        check_texts(middle)


def test_a_decision_that_changes_the_game_is_seen(
        middle: GameBatch, monkeypatch: pytest.MonkeyPatch) -> None:
    few_games = middle.take(slice(10))
    check_decisions(few_games)

    class Clumsy:
        def __init__(self, *_: object) -> None:
            self.state = few_games.states[0].copy()

        def decide(self) -> int:
            self.state["turn"] += 1
            return END
    monkeypatch.setattr("tests.rules.fuzz.Table", lambda *_, **__: Clumsy())
    with pytest.raises(Broken, match="leaves a trace"):
        check_decisions(few_games)
