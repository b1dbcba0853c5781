"""EVA that searches its turn, and awaits the reply: by hand, and what must never happen.

An end of the turn is scored by equations 1-8 between the true position and that end. With the
default options, three actions deep and without samples, that of the best end on a move's line is
the move's score.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hsevo.agents.eva.equations import WIN
from hsevo.agents.genomes.weights import NAMES
from hsevo.agents.registry import KINDS
from hsevo.agents.shared.scratch import ENDS
from hsevo.engine import jit
from hsevo.engine.record.state import RUNNING
from hsevo.play import match
from hsevo.strength.roster import read_agent
from tests.rules.test_engine import positions, rehide
from tests.rules.test_equations import FIREBALL, Position
from tests.rules.test_equations import WIN as EVA_WIN
from tests.support import ROOT
from tests.support.seat import Seat

YETI, OGRE, RAPTOR = "Chillwind Yeti", "Boulderfist Ogre", "Bloodfen Raptor"  # 4/5, 6/7, 3/2
FIREBALL_OGRE = "play Fireball at Boulderfist Ogre (enemy minion 1)"
SMITE_OGRE = "play Holy Smite at Boulderfist Ogre (enemy minion 1)"
END = "end the turn"


def agent(kind: str, weights: dict[str, float], **options: int) -> Any:
    """Return an agent with these weights, and 0 for all others."""
    made = read_agent(f"{kind}?" + "&".join(f"{key}={n}" for key, n in options.items()))
    made["w"] = 0.0
    for name, value in weights.items():
        made["w"][0, NAMES.index(name)] = value
    return made


def sit(table: match.Table, one: Any) -> match.Table:
    """Have an agent, AGENT (1,), play both sides of a table."""
    sight = int(table.agents.sight[0])
    table.agents[:] = one.view(np.recarray)
    table.agents.sight = sight
    return table


def thoughts(table: match.Table, one: Any, position: Any, dream: int) -> tuple[int, bytes]:
    """Return what an agent chooses in a position, and its scores, for a random stream."""
    sit(table, one).game = position
    table.game.lookahead_rng = dream
    move = table.decide()
    return move, bytes(table.scores)


# -- eva:turn: the own turn -----------------------------------------------------------------------

# Health counts 0.25, a minion that dies its attack, mana 0.125.
TRADE = {"HHR": 0.25, "BMK": 1.0, "MA": 1.0, "BMR": 0.125}


def test_two_actions_are_better_than_the_best_one() -> None:
    """Fireball (6 damage, 4 mana) and Holy Smite (2, 1) kill an Ogre (6/7) only together."""
    hand = ["Fireball", "Holy Smite"]
    greedy = Position(hand, [], [OGRE], **TRADE)
    assert greedy.scores == {
        END: 0.0, FIREBALL: 1.0, FIREBALL_OGRE: -0.5,  # 6 * 0.25 - 0.5; nothing dies
        "play Fireball at the own hero": -2.0, "play Holy Smite at the own hero": -0.625,
        "play Holy Smite at the enemy hero": 0.375, SMITE_OGRE: -0.125}
    assert greedy.chosen == FIREBALL
    seat = Seat(agent("eva:turn", TRADE), hand, [], [OGRE])
    assert seat.scores == {
        END: 0.0,
        FIREBALL_OGRE: 5.375, SMITE_OGRE: 5.375,  # 6 for the Ogre, 5 mana
        FIREBALL: 1.375,  # and Holy Smite: 8 * 0.25 - 0.625
        "play Holy Smite at the enemy hero": 1.375,
        "play Fireball at the own hero": -1.625,  # and Holy Smite: -6 * 0.25 + 2 * 0.25 - 0.625
        "play Holy Smite at the own hero": 0.375}  # and Fireball: -2 * 0.25 + 6 * 0.25 - 0.625
    assert seat.chosen in (FIREBALL_OGRE, SMITE_OGRE)
    seat.table.move(seat.table.decide())
    assert seat.chosen in (FIREBALL_OGRE, SMITE_OGRE)
    seat.table.move(seat.table.decide())
    assert seat.g.side[1].minions == 0


def test_a_minion_has_its_value_of_before_the_turn() -> None:
    """Equation 5: an Ogre of 6/7 loses 2 + 2 times 7 * 0.25, not 5 * 0.25 the second time."""
    seat = Seat(agent("eva:turn", {"BMHR": 1.0, "MH": 0.25}), ["Holy Smite", "Holy Smite"], [],
                [OGRE])
    assert seat.score(SMITE_OGRE) == (2 + 2) * 1.75


def test_one_action_deep_it_is_eva() -> None:
    """To the bit, in every position of twelve games; only draws are another matter: 0, not a win.

    Both simulate each action once, with the same random stream, and score it by equations 1-8.
    """
    table, found = positions("fair", 12)
    one, other = read_agent("eva:2018"), read_agent("eva:turn?depth=1")
    assert len(found) > 300
    for place in found:
        assert thoughts(table, one, place, 5) == thoughts(table, other, place, 5)


def test_deeper_it_is_not() -> None:
    """And so the test above can fail."""
    table, found = positions("fair", 2)
    one, other = read_agent("eva:2018"), read_agent("eva:turn?depth=2")
    assert any(thoughts(table, one, place, 5) != thoughts(table, other, place, 5)
               for place in found)


def test_a_draw_is_no_win() -> None:
    """EVA takes one for a win, as the authors' program does."""
    hellfire = "play Hellfire"
    for spec, worth in (("eva:2018", EVA_WIN), ("eva:turn", 0.0), ("eva:wide-turn", 0.0)):
        seat = Seat(spec, ["Hellfire"])
        seat.g.char[7].health = seat.g.char[15].health = 3
        assert seat.score(hellfire) == worth


@pytest.mark.parametrize("kind", ["eva:turn", "eva:reply", "eva:wide-turn", "eva:wide-reply"])
def test_a_win_in_three_actions_is_found_and_a_shorter_one_preferred(kind: str) -> None:
    seat = Seat(kind, [], ["Wisp", "Wisp", "Wisp"])
    seat.g.char[15].health = 3
    assert max(seat.scores.values()) == WIN / 3
    while seat.g.result == RUNNING:
        assert seat.chosen != END
        seat.table.move(seat.table.decide())
    assert seat.g.result == 1
    blind = Seat(f"{kind}?depth=2", [], ["Wisp", "Wisp", "Wisp"])
    blind.g.char[15].health = 3
    assert max(blind.scores.values()) < WIN / 100
    sooner = Seat(kind, ["Fireball"], ["Wisp", "Wisp", "Wisp", "Wisp", "Wisp", "Wisp"])
    sooner.g.char[15].health = 6
    assert sooner.score(FIREBALL) == WIN
    assert sooner.chosen == FIREBALL


@pytest.mark.parametrize("nodes", [1, 30, 300, 3_000])
def test_the_node_budget_is_kept(nodes: int) -> None:
    """Each legal action is tried once; beyond that, a few actions more at most than the budget."""
    table, found = positions("fair", 4)
    one, spent = read_agent(f"eva:turn?depth=6&nodes={nodes}"), []
    for place in found[::3]:
        thoughts(table, one, place, 5)
        spent.append((table.simulated, int(table.game.n_moves) - 1))
    assert all(used <= max(moves, nodes) for used, moves in spent)
    assert nodes < 300 or max(used for used, _ in spent) > 0.8 * nodes


# -- eva:reply: the opponent's turn ---------------------------------------------------------------

# Attacking with the Yeti costs nothing now; what matters is whether the Ogre lives to strike.
LIVE = {"HHR": 1.0}


def exposed(kind: str, **options: int) -> Seat:
    """Return a position in which the opponent's Ogre, 6/1, kills the searcher next turn.

    The searcher's Yeti can kill it, or take 4 of 30 from the opponent, which HHR likes better.
    """
    seat = Seat(agent(kind, LIVE, **options), [], [YETI], [OGRE])
    seat.g.char[7].health, seat.g.char[8].health = 6, 1
    empty_decks(seat)
    return seat


def empty_decks(seat: Seat) -> None:
    """Have the opponent, who has no card in hand, draw none."""
    for side in seat.g.side:
        side.n_deck = 0


KILL = "attack Boulderfist Ogre (enemy minion 1) with Chillwind Yeti (own minion 1)"
FACE = "attack the enemy hero with Chillwind Yeti (own minion 1)"


def test_it_sees_the_board_that_kills_it() -> None:
    """Equation 2 alone: 4 for the attack on the hero, but then the Ogre strikes.

    Without it, fatigue takes 1 of the opponent, and its hero power 1 of the searcher.
    """
    assert exposed("eva:turn").chosen == FACE
    assert exposed("eva:turn").scores == {END: 0.0, KILL: 0.0, FACE: 4.0}
    seat = exposed("eva:reply")
    assert seat.scores == {END: -WIN, FACE: -WIN, KILL: 1.0 - 1.0}
    assert seat.chosen == KILL


def test_ends_are_those_that_looked_best_before_the_reply() -> None:
    """The reply adds 1 and takes 1, as above, whatever the searcher does.

    The two best ends, 6 + 4 and 6, both begin with Fireball. Of two ways to the same end, the one
    that is tried first counts: the Yeti's attack alone is 4.
    """
    def scores(ends: int) -> list[float]:
        seat = Seat(agent("eva:reply", LIVE, ends=ends), ["Fireball"], [YETI], [])
        empty_decks(seat)
        assert seat.chosen == FIREBALL
        return [seat.scores[words] for words in (
            END, "play Fireball at the own hero", FIREBALL,
            "play Fireball at Chillwind Yeti (own minion 1)", FACE)]

    assert scores(ends=2) == [-WIN, -WIN, 10.0, -WIN, -WIN]
    assert scores(ends=16) == [0.0, -6.0 + 4.0, 10.0, 0.0, 4.0]


@pytest.mark.parametrize("hands", [1, 2, 5])
def test_every_end_costs_a_turn_of_the_opponent_for_each_hand(hands: int) -> None:
    """It has no cards and no mana: each turn of its is one decision, END TURN, and counts 1."""
    spent = {}
    for ends in (1, 2, 3):
        seat = Seat(agent("eva:reply", LIVE, hands=hands, ends=ends), [], [YETI, RAPTOR], [])
        for side in seat.g.side:
            side.n_deck = side.n_hand = 0
        seat.g.side[1].crystals = 0
        assert seat.chosen
        spent[ends] = seat.table.simulated
    plain = Seat(agent("eva:turn", LIVE), [], [YETI, RAPTOR], [])
    assert plain.chosen
    assert spent[1] == plain.table.simulated  # one end is no choice
    assert [spent[ends] - spent[1] for ends in (2, 3)] == [2 * hands, 3 * hands]


def test_at_most_so_many_ends_can_be_asked_for() -> None:
    assert KINDS["eva:reply"].options["ends"] == (12, 1, ENDS)
    table, found = positions("fair", 1)
    for place in found[::4]:
        thoughts(table, read_agent("eva:reply?depth=15&nodes=5000&ends=16&hands=1"), place, 1)
        assert 0 <= int(table._context.scratch[0]["n_ends"]) <= ENDS


def quiet(table: match.Table, place: Any, random: np.random.Generator, dreams: int = 5) -> bool:
    """Return whether no line of the own turn seems to depend on chance, or on hidden cards."""
    one = read_agent("eva:turn")
    first = thoughts(table, one, place, 0)
    return (all(thoughts(table, one, place, dream) == first for dream in range(1, dreams))
            and all(thoughts(table, one, rehide(place, random), 0) == first for _ in range(3)))


def replies(information: str) -> Iterator[bool]:
    """Yield of each quiet position whether the answer changes with what is hidden."""
    table, found = positions(information, 6)
    one = read_agent("eva:reply?depth=3&nodes=300")  # it searches as eva:turn, see `quiet`
    random = np.random.default_rng(3)
    for place in found[::2]:
        theirs = place["side"][1 - place["me"]]["hand"]
        if theirs["cost"].any() or theirs["attack"].any() or theirs["health"].any():
            continue  # `rehide` does not keep what changed a card in hand
        if quiet(table, place, random):
            told = thoughts(table, one, place, 0)
            shows = any(thoughts(table, one, rehide(place, random), 0) != told for _ in range(3))
            yield shows and quiet(table, place, random, 300)  # or was it rare chance?


def test_a_fair_reply_never_sees_the_opponents_cards() -> None:
    """Its scores and its move are the same, to the bit, when they are dealt anew."""
    shown = [*replies("fair")]
    assert len(shown) > 40
    assert not any(shown)


def test_a_leaky_one_does() -> None:
    assert any(replies("leaky"))


def test_the_same_seed_gives_the_same_move_and_hands_come_from_it() -> None:
    table, found = positions("fair", 3)
    one, same, other = read_agent("eva:reply"), [], []
    for place in found[::5]:
        told = thoughts(table, one, place, 7)
        same.append(thoughts(table, one, place, 7) == told)
        other.append(thoughts(table, one, place, 8) == told)
    assert all(same)
    assert not all(other)


def decided() -> list[str]:
    seats = [Seat(spec, ["Fireball", "Wisp"], ["Chillwind Yeti"], ["Boulderfist Ogre", "Wisp"])
             for spec in ("eva:turn", "eva:wide-reply?nodes=60&hands=1&ends=3")]
    return [" ".join([str(seat.chosen), *(score.hex() for score in seat.table.scores.tolist())])
            for seat in seats]


@pytest.mark.slow
def test_interpreted_they_decide_the_same() -> None:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    code = "from tests.unit.agents.test_turn import decided; print(*decided(), sep=chr(10))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          cwd=ROOT, env={**os.environ, "PYTHONPATH": path,
                                         "NUMBA_DISABLE_JIT": "1"}).stdout
    assert not jit.INTERPRETED  # else both would be
    assert told.splitlines() == decided()
