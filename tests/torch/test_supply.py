"""Playing and learning at the same time: what waits, what is drawn, and how either ends."""

import threading
from itertools import chain, count

import numpy as np
import pytest

import hsevo
from hsevo.errors import ConfigError
from hsevo.learning.acting.actor import ANY
from hsevo.learning.acting.rounds import DECISIONS, Round
from hsevo.learning.end_to_end.learner import Learner
from hsevo.learning.end_to_end.supply import (
    Lot,
    PlayedRound,
    Queue,
    Ring,
    SupplyStopped,
    overlapped,
)
from tests.torch.support import but, learn, plan_of

QUICK = plan_of(4, rounds=3, embedding=6, width=8, lstm=8)
SOON = 30  # seconds, after which a test fails that would wait forever


def played(label: int, lengths=(1, 2, 3, 4), others=0, won=0.0) -> PlayedRound:
    """Return a round of one game, whose result is its label; decisions are 100 label + trajectory.
    """
    m, steps = len(lengths), np.repeat(100 * label + np.arange(len(lengths)), lengths)
    column = steps[:, None]
    round_ = Round(np.array([label]), np.stack([np.zeros(m, int), np.arange(m)], 1),
                   np.array(lengths), column, column, column, steps, column)
    return PlayedRound(round_, None, None, others, won)


def trajectories(lot: Lot) -> list[int]:
    """Return the numbers of a lot's trajectories, each of which must be whole."""
    part = lot.played.round.take(lot.which)
    starts = np.cumsum(part.lengths) - part.lengths
    numbers = part.log_behaviour[starts]
    assert part.log_behaviour.tolist() == np.repeat(numbers, part.lengths).tolist()
    assert part.owners[:, 1].tolist() == (numbers % 100).tolist()
    assert part.lengths.tolist() == (numbers % 100 % 4 + 1).tolist()
    return numbers.tolist()


class Clock:
    """A clock that stands still but for what a test adds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def taking(clock: Clock, seconds: float, round_: PlayedRound):
    """Return what plays a round in that time."""
    def play(network, on_games) -> PlayedRound:
        clock.wait(seconds)
        return round_
    return play


def threads() -> list[str]:
    """Return the threads that learn."""
    return [one.name for one in threading.enumerate() if one.name.startswith("learn")]


def test_a_queue_is_first_in_first_out_and_each_is_used_as_often_as_said():
    supply = Queue(3, passes=2, parts=3)
    supply.publish("network")
    for label in (1, 2, 3):
        assert supply.play(lambda network, on_games, label=label: played(label))
    for label in (1, 2, 3):
        lots = [trajectories(lot) for lot in supply.lots(seed=label)]
        supply.publish("network")
        mine = [100 * label + k for k in range(4)]
        assert [len(lot) for lot in lots] == [2, 1, 1] * 2
        assert sorted([*chain(*lots[:3])]) == sorted([*chain(*lots[3:])]) == mine
        assert lots[:3] != lots[3:]
    assert supply.balance()[2:] == (2, 0)


def test_speeds_ages_and_uses_of_a_queue_by_hand():
    """Two rounds in 3 + 5 s, two in 2 + 14 s: c is 2/8 over 2/16; waiting counts for nothing."""
    supply = Queue(2, passes=1, parts=1, clock=(clock := Clock()))
    supply.publish("first")
    supply.play(taking(clock, 3, played(1)))
    supply.play(taking(clock, 5, played(2, (1, 2))))
    for seconds in (2, 14):
        clock.wait(100)
        assert len([*supply.lots(1)]) == 1
        clock.wait(seconds)
        supply.publish("next")
    # Four trajectories are learned from at once, two after a round.
    assert supply.balance() == pytest.approx((2, (4 * 0 + 2 * 1) / 6, 1, 0))


def test_speeds_ages_and_uses_of_a_ring_by_hand():
    """Of three rounds of a trajectory each, the first is overwritten before it is learned from."""
    supply = Ring(1, passes=2, parts=1, clock=(clock := Clock()))
    supply.publish("first")
    supply.play(taking(clock, 1, played(1, (1,))))
    supply.play(taking(clock, 1, played(2, (1,))))
    assert [trajectories(lot) for lot in supply.lots(1)] == [[200], [200]]
    clock.wait(6)
    supply.publish("second")
    lots = supply.lots(2)
    assert trajectories(next(lots)) == [200]  # a round late, once
    supply.play(taking(clock, 1, played(3, (1,))))  # by the newest network
    assert trajectories(next(lots)) == [300]
    clock.wait(5)
    supply.publish("third")
    # Playing: 3 rounds in 3 s; learning: 2 in 6 + 1 + 5 s. 4 uses of 3 trajectories.
    assert supply.balance() == pytest.approx((6, 1 / 4, 4 / 3, 1 / 3))


def test_a_queue_has_playing_wait_before_a_round():
    """With two rounds in it no third begins until one is taken."""
    supply, waiting, began = Queue(2, passes=1, parts=1), threading.Event(), []

    class Watched(threading.Condition):
        """Tells when the thread that plays waits for room."""

        def wait(self, timeout=None):
            if threading.current_thread() is threading.main_thread():
                waiting.set()
            return super().wait(timeout)

    def play(number, network, on_games):
        began.append(number)
        return played(number)

    def learn():
        seen = []
        for number in range(4):
            if number < 2:  # later all four have begun
                assert waiting.wait(SOON)
                waiting.clear()
                assert began == [0, 1, 2][:number + 2]
            seen += [lot.played.round.results[0] for lot in supply.lots(1)]
            supply.publish(number)
        return seen

    supply._changed = Watched()
    supply.publish("network")
    assert overlapped(supply, play, learn, 4) == began == [0, 1, 2, 3]
    assert threads() == []


def test_a_ring_draws_from_its_last_rounds_with_equal_chance():
    """Of 4 + 6 trajectories 1 in 4 of a round, 2.5 or 2: 2 of 10, each with the chance 1/5."""
    updates, lengths = 2_000, (1, 2, 3, 4, 1, 2)
    supply = Ring(2, passes=updates // 2, parts=2)
    supply.publish("network")
    for label, n in ((1, 3), (2, 4), (3, 6)):
        supply.play(taking(Clock(), 0, played(label, lengths[:n])))
    lots = [trajectories(lot) for lot in supply.lots(seed=5)]
    supply.publish("network")
    assert len(lots) == updates
    assert {len({*lot}) for lot in lots} == {2}  # other ones: 10 of 2 rounds in 2 parts, rounded
    numbers, uses = np.unique(np.concatenate(lots), return_counts=True)
    assert numbers.tolist() == [*range(200, 204), *range(300, 306)]
    chance = 1 / 5
    assert (np.abs(uses - chance * updates) < 5 * np.sqrt(updates * chance * (1 - chance))).all()
    assert supply.balance()[2:] == pytest.approx((2 * updates / 13, 3 / 13))


def test_rounds_are_joined_and_a_teacher_s_words_are_left_out_if_some_had_none():
    first, second = played(1, others=2, won=0.5), played(2, others=1, won=1.0)
    both = PlayedRound.joined([first, second])
    assert (both.others, both.won) == (3, 1.5)
    assert both.round.taught.shape == (20, 1)
    untaught = second._replace(round=second.round.untaught())
    both = PlayedRound.joined([first, untaught])
    assert both.round.taught.shape == (20, 0)
    assert all(len(getattr(both.round, name)) == 20 for name in DECISIONS)


class Lost(Exception):
    """Something went wrong."""


@pytest.mark.parametrize("kind", [Queue, Ring])
@pytest.mark.parametrize("error", [Lost("a worker"), KeyboardInterrupt()])
def test_what_goes_wrong_while_playing_is_raised_and_nothing_is_left(kind, error):
    """The other thread is learning then, and waits for nothing more."""
    supply = kind(1, passes=1, parts=4)
    learning, ended = threading.Event(), []
    supply.publish("network")

    def play(number, network, on_games):
        if number == 1:
            assert learning.wait(SOON)
            raise error
        return played(number)

    def learn():
        try:
            for _ in count():
                for _ in supply.lots(1):
                    learning.set()
        except SupplyStopped:
            ended.append("stopped")
            raise

    with pytest.raises(type(error)) as raised:
        overlapped(supply, play, learn)
    assert raised.value is error
    assert ended == ["stopped"]
    assert threads() == []


@pytest.mark.parametrize("rounds", [None, 9])
def test_what_goes_wrong_while_learning_is_raised_and_the_round_ends_at_once(rounds):
    supply, begun, course = Queue(1, passes=1, parts=1), threading.Event(), []
    supply.publish("network")

    def play(number, network, on_games):
        begun.set()
        with supply._changed:  # until learning has failed
            assert supply._changed.wait_for(lambda: supply._closed, SOON)
        course.append("played a block")
        on_games(1)
        course.append("never comes here")
        return played(number)

    def learn():
        assert begun.wait(SOON)
        raise Lost("no memory")

    with pytest.raises(Lost, match="no memory"):
        overlapped(supply, play, learn, rounds)
    assert course == ["played a block"]
    assert threads() == []


@pytest.fixture(scope="module")
def straight() -> tuple[Learner, list[str]]:
    """A learner after four rounds in turn, and its reports as text, in which NaN equals itself."""
    learner = Learner(but(QUICK, seed=7))
    return learner, [repr(learner.round()) for _ in range(4)]


def test_one_round_at_a_time_a_queue_is_as_without_one(straight):
    """Round by round nothing overlaps, so all is as it is in turn, bit by bit."""
    learner = Learner(but(QUICK, seed=7, actors="queue"))
    assert [repr(learner.round()) for _ in range(4)] == straight[1]
    assert learner.balance.age == 0
    assert threads() == []


@pytest.mark.parametrize("changes", [
    {"actors": "queue"}, {"actors": "queue", "ahead": 2, "against": "random"},
    {"actors": "ring", "ahead": 2},
    {"actors": "ring", "start": "eva:2018", "start_periods": 1, "decks": ["mage", "warrior"],
     "pick_hero": True, "build": True, "opponent_deck": "peek"},
    {"actors": "queue", "processes": 2, "decks": ["mage", "warrior"], "isolate": True},
])  # fmt: skip
def test_each_way_learns_from_as_many_games(changes):
    """Five rounds, of which the third ends a learning period, and the learner joins the pool."""
    learner, told = Learner(but(QUICK, seed=7, **changes)), []
    try:
        reports = learner.rounds(5, on_games=told.append)
        assert [one.number for one in reports] == [*range(5)]
        assert sum(told) == sum(one.games for one in reports) == 5 * learner.plan.games_per_round
        assert np.isfinite([[one.loss, one.policy, one.upgo, one.value, one.entropy]
                            for one in reports]).all()
        alone = bool(learner.plan.against)
        assert [one.members for one in reports] == ([0] * 5 if alone else [0, 0, 0, 1, 1])
        taught = [not np.isnan(one.teacher) for one in reports]
        assert taught == [*[learner.plan.start != "scratch"] * 3, False, False]
        if learner.settings.actors == "queue":
            assert learner.balance[2:] == (QUICK.network.reuse, 0)
            assert 0 <= learner.balance.age <= learner.settings.ahead
            # No game is asked for that is not learned from; two rounds are of the second period.
            assert learner.osfp.asked == (5 if alone else 2) * learner.plan.games_per_round
        assert learner.balance.balance > 0
    finally:
        learner.close()
    assert threads() == []


def test_what_plays_is_a_copy():
    """It shares no memory with the network, which learns meanwhile."""
    learner = Learner(but(QUICK, seed=7, decks=["mage", "warrior"], build=True, pick_hero=True))
    now = learner._snapshot()
    ours = [one.detach().numpy() for one in learner.network.parameters()]
    theirs = [one for part in (now.actor.networks[ANY], now.actor.branches[ANY]) for one in part
              if isinstance(one, np.ndarray)]
    assert len(theirs) > 20
    theirs += [one.detach().numpy() for one in now.picker.parameters()]
    assert not any(np.shares_memory(one, other) for other in theirs for one in ours)


def test_configs_that_cannot_be_are_refused(tmp_path):
    for change, says in (({"network.actors": "rign"}, "actors is 'rign', .* did you mean 'ring'"),
                         ({"network.ahead": 0}, "network.ahead is 0"),
                         ({"network.actors": "queue", "network.ahead": 100, "games": 2_000},
                          "games of 102 rounds would take")):
        with pytest.raises(ConfigError, match=says) as raised:
            learn(tmp_path / "run", changes=change)
        assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize("actors", ["queue", "ring"])
def test_a_run_is_stopped_goes_on_and_is_verified(tmp_path, actors):
    """The second period begins anew from the first; nothing is said to be wrong with it."""
    changes = {"network.actors": actors, "games": 3, "rounds": 3, "references.games": 4}
    per_period = 3 * 3 * 4

    def stop(done, total):
        if done > per_period + 2 * 4:  # in the second period, after the first and its measurement
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "run", progress=stop, workers=2, backend="threads", changes=changes)
    assert threads() == []
    stopped = hsevo.Learned(tmp_path / "run")
    assert len(stopped.learning) == 1
    table = stopped.resume(workers=1).learning
    assert table["games"].tolist() == [per_period] * 2
    assert np.isfinite(table[["loss", "balance", "age"]].to_numpy()).all()
    if actors == "queue":
        assert table[["uses", "unused"]].to_numpy().tolist() == [[2, 0]] * 2
    report = stopped.verify(workers=1)
    assert (report.problems, report.games) == ([], 0)
    assert "no two runs are alike" in report.other
