"""Players that look one action ahead, and NoAggression: what they choose, know and throw back.

    NUMBA_DISABLE_JIT=1 python -m tests.unit.agents.test_onestep

prints the course of some games with every score: compiled and interpreted runs must agree on it.
"""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from hsevo.agents.shared import scores
from hsevo.agents.shared.agent import ONE_STEP, agent
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import tables
from hsevo.engine import jit
from hsevo.engine.record.codec import ATTACK, END, PLAY, POWER
from hsevo.engine.record.state import FAIR, LEAKY, RUNNING
from hsevo.play import match
from hsevo.strength.roster import read_agent, read_agents
from tests.rules.test_engine import positions, rehide
from tests.rules.test_engine import scores as thought
from tests.support import ROOT
from tests.support.seat import Seat

GREEDY = ("greedy:metastone", "greedy:santos", "tyche:onestep")
DECKS = tuple(read_deck(name) for name in ("warrior", "shaman", "mage"))
YETI = "Chillwind Yeti"


def won(a: str, b: str, games: int) -> float:
    """Return the share of games that a wins against b: all deck pairs, both seats, paired seeds."""
    rows = np.zeros(18, match.PAIRING)
    first, second = (deck.ravel() for deck in np.indices((3, 3)))
    rows["a"], rows["b"] = np.repeat([0, 1], 9), np.repeat([1, 0], 9)
    rows["deck_a"], rows["deck_b"] = np.tile(first, 2), np.tile(second, 2)
    rows["seed"], rows["games"] = np.tile(np.arange(9) * 10_000, 2), games // 18
    results = match.play_block(rows, read_agents([a, b])[1], match.Setting(decks=DECKS))
    assert results["faults"].sum() == 0
    return float((results["wins_a"][:9].sum() + results["wins_b"][9:].sum()) / rows["games"].sum())


# -- the greedy ones ------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", GREEDY)
def test_lethal_comes_before_everything(spec: str) -> None:
    seat = Seat(spec, ["Flamestrike"], [YETI], ["Wisp", "Wisp", "Wisp"])
    seat.g.char[15].health = 4
    assert seat.chosen == "attack the enemy hero with Chillwind Yeti (own minion 1)"


@pytest.mark.parametrize("spec", GREEDY)
def test_an_obvious_trade(spec: str) -> None:
    """A yeti kills a Bloodfen Raptor (3/2) and lives."""
    seat = Seat(spec, (), [YETI], ["Bloodfen Raptor"])
    assert seat.chosen == ("attack Bloodfen Raptor (enemy minion 1) with"
                           " Chillwind Yeti (own minion 1)")


def test_the_end_of_the_turn_is_scored_with_what_happens_then() -> None:
    """An Imp Master, 1/5, loses 1 health and brings a 1/1; each minion counts 2 by itself."""
    seat = Seat("greedy:metastone", (), ["Imp Master"])
    seat.g.watch = -1
    assert seat.score("end the turn") == (1 + 4) + (1 + 1) + 2 * 2


def test_but_not_with_the_opponents_turn() -> None:
    """A Doomsayer, 0/7, would destroy all minions; its owner draws no card."""
    seat = Seat("greedy:metastone", (), [YETI], ["Doomsayer"])
    seat.g.watch = -1
    assert seat.score("end the turn") == (4 + 5) - (0 + 7)


def test_of_equal_actions_the_first_is_taken_and_the_end_of_the_turn_last() -> None:
    seat = Seat(agent(ONE_STEP, (scores.LINEAR,)), (), ["Wisp", "Wisp"])  # all count 0
    assert set(seat.scores.values()) == {0.0}
    assert seat.chosen == "attack the enemy hero with Wisp (own minion 1)"


def test_the_end_of_the_turn_wins_if_it_is_better() -> None:
    """A Wisp is worth 1 + 1 + 2 to MetaStone's player, 1 more than the card; to Santos' it is not:
    a card is 9.6557, the Wisp 1.0457 + 0.9407 * 2."""
    assert Seat("greedy:metastone", ["Wisp"]).chosen == "play Wisp"
    assert Seat("greedy:santos", ["Wisp"]).chosen == "end the turn"


@pytest.mark.parametrize("spec", [*GREEDY, "tyche:mc?episodes=20"])
def test_simulating_changes_nothing(spec: str) -> None:
    seat = Seat(spec, ["Fireball"], ["Wisp"], ["Wisp"])
    before = seat.g.side.tobytes(), seat.g.char.tobytes(), int(seat.g.rng), int(seat.g.max_turns)
    assert seat.chosen
    assert (seat.g.side.tobytes(), seat.g.char.tobytes(), int(seat.g.rng),
            int(seat.g.max_turns)) == before
    assert (seat.g.result, seat.g.me) == (RUNNING, 0)


def thrown_back(spec: str) -> tuple[list[int], list[int]]:
    """Return the costs of cards thrown back, and of those kept, in 20 mulligans."""
    table = match.Table(read_agent(spec), match.Setting("msg2017", DECKS))
    cost, costs = tables("msg2017").card["cost"], ([], [])
    for k in range(20):
        table.deal(np.array([(0, 0, k % 3, 0, 1, k)], match.PAIRING)[0], 0)
        while table.game.pending > 1:
            before = table.game.copy()
            table.move(table.decide())
            side = before.side[before.me]
            if table.game.n_aside > before.n_aside:
                costs[0].append(int(cost[table.game.aside[before.n_aside]]))
            else:
                costs[1].extend(cost[side.hand["card"][:side.n_hand]].tolist())
    return costs


def test_metastone_throws_dear_cards_back() -> None:
    thrown, kept = thrown_back("greedy:metastone")
    assert len(thrown) > 20
    assert min(thrown) >= 4 > max(kept)
    assert thrown_back("greedy:santos")[0] == []


# -- NoAggression ---------------------------------------------------------------------------------


def test_noaggression_plays_cards_uniformly_and_does_nothing_else() -> None:
    seat = Seat("noaggression", ["Wisp", YETI], ["Wisp"], ["Wisp"], power=True)
    moves = [seat.table.decide() for _ in range(3_000)]
    legal = seat.g.moves[:seat.g.n_moves]
    assert ((legal >= ATTACK) & (legal < PLAY)).sum() > 2  # it could attack, and use its power
    counts = Counter(moves)
    assert len(counts) == 3  # two cards, END
    assert all(move == END or move >= PLAY for move in counts)
    assert max(abs(n - 1_000) for n in counts.values()) < 130  # 5 standard deviations


# -- all ------------------------------------------------------------------------------------------


def leaks(spec: str, information: str) -> tuple[int, int]:
    """Count options without chance in them, and those whose score shows what is hidden.

    An option has no chance in it if its score is the same for six random streams.
    """
    table, found = positions(information, 9)
    table.agents[0] = read_agent(spec)[0]
    table.agents.sight = FAIR if information == "fair" else LEAKY
    random, plain, leaking = np.random.default_rng(3), 0, 0
    for position in found[::3]:
        told = [thought(table, position, dream)[1] for dream in range(6)]
        sure = np.all([score == told[0] for score in told], axis=0)
        for _ in range(3):
            again = thought(table, rehide(position, random), 0)[1]
            plain += int(sure.sum())
            leaking += int((again != told[0])[sure].sum())
    return plain, leaking


@pytest.mark.parametrize("spec", GREEDY)
def test_a_fair_look_ahead_learns_nothing_hidden(spec: str) -> None:
    plain, leaking = leaks(spec, "fair")
    assert plain > 2_000
    assert leaking == 0


def test_a_leaky_one_does() -> None:
    """And so the test above can fail."""
    assert leaks("tyche:onestep", "leaky")[1] > 0


@pytest.mark.parametrize("spec", ["noaggression", *GREEDY, "tyche:mc?episodes=40"])
def test_moves_are_legal_and_games_repeat_themselves(spec: str) -> None:
    def course() -> list[int]:
        table, made = match.Table(read_agent(spec), match.Setting("msg2017", DECKS)), []
        for k in range(3):
            table.deal(np.array([(0, 0, k, 2, 1, 40 + k)], match.PAIRING)[0], 0)
            while table.game.result == RUNNING:
                made.append(table.decide())
                assert made[-1] in table.game.moves[:table.game.n_moves]
                table.move(made[-1])
        return made

    made = course()
    assert len(made) > 100
    assert made == course()
    assert spec != "noaggression" or not any(ATTACK <= move < POWER for move in made)


def print_course() -> None:
    """Print ten decisions of each agent in the middle of a greedy game."""
    table = match.Table(read_agent("eva:2018"), match.Setting("cig2018", DECKS))
    table.deal(np.array([(0, 0, 1, 2, 1, 5)], match.PAIRING)[0], 0)
    for step in range(60):
        if step >= 50:
            for spec in ("noaggression", *GREEDY, "tyche:mc?episodes=6"):
                other = match.Table(read_agent(spec), table.setting)
                other.game = table.game
                print(spec, other.decide(), *(x.hex() for x in other.scores.tolist()))
        table.move(table.decide())


@pytest.mark.slow
def test_interpreted_and_compiled_decisions_are_the_same(
        capsys: pytest.CaptureFixture[str]) -> None:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    interpreted = subprocess.run([sys.executable, "-m", "tests.unit.agents.test_onestep"],
                                 capture_output=True, text=True, check=True, cwd=ROOT,
                                 env={**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"})
    assert not jit.INTERPRETED  # else both would be
    print_course()
    compiled = capsys.readouterr().out
    assert compiled.count("\n") == 50
    assert compiled == interpreted.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "low", "high"), [
    ("noaggression", 0.05, 0.35), ("greedy:metastone", 0.95, 1), ("greedy:santos", 0.88, 1),
    ("tyche:onestep", 0.95, 1), ("tyche:mc?episodes=40", 0.9, 1)])
def test_against_a_random_player(spec: str, low: float, high: float) -> None:
    assert low <= won(spec, "random", 216) <= high


if __name__ == "__main__":
    print_course()
