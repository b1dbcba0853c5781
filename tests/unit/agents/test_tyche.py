"""Tyche's Monte Carlo search: whom the episodes go to, what they are worth, what they can see."""

import numpy as np
import pytest

from hsevo.agents.turn_search.tyche import LOST, WON
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import by_name, index
from hsevo.engine.record.state import FAIR, LEAKY, RUNNING
from hsevo.play import match
from hsevo.strength.roster import read_agent
from tests.rules.test_engine import rehide
from tests.support.seat import Seat

YETI = "Chillwind Yeti"
FACE = "attack the enemy hero with "


def counts(seat: Seat) -> list[int]:
    """Return how many episodes each move had."""
    return [int(n) for n in seat.table._context.scratch[0].book[0].tried[:seat.g.n_moves]]


def test_three_quarters_go_round_and_the_rest_to_the_better_half() -> None:
    seat = Seat("tyche:mc?episodes=104", ["Fireball"], [], [YETI])
    assert seat.chosen == "play Fireball at Chillwind Yeti (enemy minion 1)"
    assert seat.g.n_moves == 4  # END, three targets
    # 78 of 104: 20, 20, 19, 19; then 13 each for the two best of four
    scores, tried = seat.table.scores, counts(seat)
    better = np.argsort(-scores)[:2]
    assert sum(tried) == 104
    assert [tried[k] - (20, 20, 19, 19)[k] for k in sorted(better)] == [13, 13]
    assert sorted(tried[k] for k in range(4) if k not in better) in ([19, 19], [19, 20], [20, 20])


def test_fewer_episodes_than_moves() -> None:
    seat = Seat("tyche:mc?episodes=1", ["Fireball"], [], [YETI])
    assert seat.chosen == "end the turn"  # all that it looked at
    assert counts(seat) == [1, 0, 0, 0]


def test_an_episode_scores_the_state_before_the_end_of_the_turn() -> None:
    """After the Wisp, and after nothing, only END TURN is left: both are known exactly."""
    one, many = Seat("tyche:onestep", ["Wisp"]), Seat("tyche:mc?episodes=40", ["Wisp"])
    assert many.scores == pytest.approx(one.scores)
    imps = Seat("tyche:mc?episodes=8", ["Wisp"], ["Imp Master"])
    imps.g.watch, imps.g.char[0].attacks = -1, 1
    alone = Seat("tyche:onestep", ["Wisp"], ["Imp Master"])
    alone.g.char[0].attacks = 1  # and nobody listens: no imp comes
    assert imps.score("end the turn") == pytest.approx(alone.score("end the turn"))


def test_an_episode_plays_on_to_the_end_of_the_turn() -> None:
    """Two Wisps and a hero with 2 health: one attack wins if the other follows, before END."""
    seat = Seat("tyche:mc?episodes=2000", (), ["Wisp", "Wisp"])
    seat.g.char[15].health = 2
    found = seat.scores
    assert seat.chosen.startswith(FACE)
    before, after = found["end the turn"], Seat("tyche:onestep", (), ["Wisp", "Wisp"])
    after.g.char[15].health = 1
    left = after.score("end the turn")
    for words in ("Wisp (own minion 1)", "Wisp (own minion 2)"):  # 1 in 2: 800 episodes and more
        assert found[FACE + words] == pytest.approx((WON + left) / 2, abs=5 * WON / 2 / 27)
    assert before < left


def test_a_random_suicide_does_not_make_it_pass() -> None:
    """Fireball could burn the own hero in any episode, but nobody has to play it so."""
    seat = Seat("tyche:mc", ["Fireball", YETI])
    seat.g.char[7].health = 6
    assert seat.chosen == "play Fireball at the enemy hero"  # the Yeti first: 1 in 4 burns it
    assert seat.score("play Fireball at the own hero") == LOST


# -- what is hidden -------------------------------------------------------------------------------


def positions(information: str) -> tuple[match.Table, list[np.ndarray]]:
    """Play greedy games; return the positions in which the opponent has one secret."""
    decks = tuple(read_deck(name) for name in ("shaman", "mage"))
    table = match.Table(read_agent("eva:2018"), match.Setting("cig2018", decks, information))
    found = []
    for k in range(20):
        table.deal(np.array([(0, 0, 0, 1, 1, 300 + k)], match.PAIRING)[0], 0)
        while table.game.result == RUNNING:
            move = table.decide()
            enemy = table.game.side[1 - table.game.me]
            if table.game.n_moves > 1 and table.game.pending == 0 and enemy.n_secrets == 1:
                found.append(table.game.copy())
            table.move(move)
    return table, found


def otherwise(position: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Deal anew what the opponent hides: its hand and deck, and which secret it is."""
    other = rehide(position, random)
    me = int(position["me"])
    other["side"][me] = position["side"][me]
    other["side"][1 - me]["secret"]["card"][0] = index()[by_name()["Mirror Entity"]]
    return other


def averages(table: match.Table, position: np.ndarray) -> list[float]:
    table.game = position
    table.decide()
    return table.scores.tolist()


@pytest.mark.parametrize(("information", "sight"), [("fair", FAIR), ("leaky", LEAKY)])
def test_what_the_opponent_hides_changes_nothing(information: str, sight: int) -> None:
    """To the last bit; leaky episodes meet the true secret, and so the test can fail."""
    table, found = positions(information)
    table.agents[0] = read_agent("tyche:mc?episodes=60")[0]
    table.agents.sight = sight
    random = np.random.default_rng(4)
    differ = sum(averages(table, position) != averages(table, otherwise(position, random))
                 for position in found)
    assert len(found) > 30
    assert differ == 0 if information == "fair" else differ > 0
