"""Monte Carlo tree search: its formulas by hand, its tree's books, puzzles, what it may know."""

import math
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from hsevo.agents.mcts import uct
from hsevo.agents.shared.agent import RANDOM, agent
from hsevo.cards.tables import by_name, index, tables
from hsevo.engine.record.codec import END, PLAY
from hsevo.engine.record.state import RUNNING
from hsevo.engine.view.show import move_text
from hsevo.errors import AgentError
from hsevo.play import match
from hsevo.strength.roster import read_agent
from tests.rules.test_engine import positions, rehide
from tests.rules.test_equations import DECKS, FIREBALL, Position
from tests.support import ROOT

SMALL = ("mcts:vanilla?iterations=40&rollouts=4", "mcts:knowledge?iterations=40&rollouts=2",
         "mcts:knowledge?iterations=40&rollouts=2&heuristic=santos",
         "mcts:alvaro?iterations=60")
QUICK = "mcts:knowledge?iterations=12&rollouts=1"


def plain(kernel: Any) -> Any:
    """Return a kernel as a Python function."""
    return getattr(kernel, "py_func", kernel)


def sit(spec: str, game: Any, information: str = "fair") -> match.Table:
    """Return a table at which both are the agent of a spec, and a copy of a game is played."""
    table = match.Table(read_agent(spec), match.Setting(decks=DECKS, information=information))
    table.game = game
    return table


def chosen(spec: str, position: Position) -> str:
    return move_text(position.g, sit(spec, position.g).decide())


# -- formulas -------------------------------------------------------------------------------------


@pytest.fixture
def tree(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A root with 20 visits and three children, (Q, N) = (12, 10), (11, 4) and (9, 6)."""
    monkeypatch.setattr(uct, "upper_bound", plain(uct.upper_bound))
    tree = np.zeros(1, uct.TREE).view(np.recarray)[0]
    tree.n_nodes, tree.node[0].visits = 4, 20
    for v, (wins, visits, bias) in enumerate([(12, 10, 0), (11, 4, 6), (9, 6, -14)], start=1):
        tree.node[v].wins, tree.node[v].visits, tree.node[v].bias = wins, visits, bias
    return tree


def test_eq_2_1_by_hand() -> None:
    bound = plain(uct.upper_bound)
    assert bound(3.0, 4, 10, 1.0) == pytest.approx(1.8229830)  # 3/4 + sqrt(2 * 2.3025851 / 4)
    assert bound(3.0, 4, 10, 0.5) == pytest.approx(1.2864915)
    assert bound(3.0, 4, 10, -1.0) == pytest.approx(-0.3229830)
    assert bound(3.0, 4, 1, 1.0) == 0.75  # ln 1 = 0


def test_eq_4_1_by_hand(tree: Any) -> None:
    searcher = uct.mcts(1, 1, c=1.0, bias=0.5).view(np.recarray)[0]
    values = [plain(uct.tree_value)(tree, v, searcher) for v in (1, 2, 3)]
    root = 2 * 2.9957323  # 2 ln 20
    assert values == pytest.approx([
        1.2 + math.sqrt(root / 10),
        2.75 + math.sqrt(root / 4) + 0.6,  # 0.5 * 6 / (1 + 4)
        1.5 + math.sqrt(root / 6) - 1.0,  # 0.5 * -14 / (1 + 6)
    ])


@pytest.mark.parametrize(("rule", "values"), [
    (uct.MAX_CHILD, [12, 11, 9]),
    (uct.ROBUST, [10, 4, 6]),
    (uct.MAX_ROBUST, [22, 15, 15]),
    (uct.SECURE, [0.4259, 1.5261, 0.5007]),  # Q/N - sqrt(2 ln 20 / N)
])
def test_the_four_answers(tree: Any, rule: int, values: list[float]) -> None:
    searcher = uct.mcts(1, 1, final=rule).view(np.recarray)[0]
    found = [plain(uct.final_value)(tree, v, searcher) for v in (1, 2, 3)]
    assert found == pytest.approx(values, abs=1e-4)


@pytest.mark.parametrize(("share", "n", "expected"), [
    (75, 50, 38), (50, 50, 25), (0, 9, 1), (1, 9, 1), (100, 9, 9), (50, 1, 1), (75, 2, 2)])
def test_k_per_cent_of_the_actions(share: int, n: int, expected: int) -> None:
    """The thesis' example: 75 % and 50 % of 50 actions are 38 and 25."""
    assert plain(uct.share_of)(share, n) == expected


def test_alvaros_c_is_ucb1_with_2() -> None:
    """C sqrt(ln N / n) = c sqrt(2 ln N / n)."""
    radius = plain(uct.upper_bound)(0.0, 7, 30, uct.ALVARO_C)
    assert radius == pytest.approx(2 * math.sqrt(math.log(30) / 7))


# -- the tree -------------------------------------------------------------------------------------


def crowded() -> Position:
    return Position(["Fireball", "Chillwind Yeti", "Wisp"], ["Bloodfen Raptor", "Wisp"],
                    ["Boulderfist Ogre", "Wisp"])


def children(node: Any, v: int) -> list[int]:
    found, w = [], int(node[v].child)
    while w:
        found.append(w)
        w = int(node[w].sibling)
    return found


@pytest.mark.parametrize("spec", SMALL)
def test_visits_and_victories_re_add(spec: str) -> None:
    searcher = read_agent(spec)[0]["budget"]
    iterations, rollouts = int(searcher[uct.ITERATIONS]), int(searcher[uct.ROLLOUTS])
    table = sit(spec, crowded().g)
    table.decide()
    tree = table._context.trees[0]
    node, first = tree.node, children(tree.node, 0)
    assert node[0].visits == iterations == sum(node[v].visits for v in first)
    assert node[0].wins == iterations * rollouts - sum(node[v].wins for v in first)
    for v in range(1, tree.n_nodes):
        below = children(node, v)
        assert node[v].visits == 1 + sum(node[w].visits for w in below) or not below
        assert 0 <= node[v].wins <= node[v].visits * rollouts
        assert node[v].parent in range(v)
        assert v in children(node, node[v].parent)


def test_a_tree_of_depth_one_is_a_bandit() -> None:
    table = sit("mcts:alvaro?iterations=60", crowded().g)
    table.decide()
    assert table._context.trees[0].n_nodes == 1 + table.game.n_moves
    assert (table._context.trees[0].node["parent"][1:table.game.n_moves + 1] == 0).all()


def test_both_players_are_in_the_tree() -> None:
    table = sit("mcts:vanilla?iterations=400&rollouts=1", crowded().g)
    table.decide()
    node = table._context.trees[0].node[:table._context.trees[0].n_nodes]
    after_end = [v for v in range(1, len(node))
                 if node["player"][node["parent"][v]] == 0 and node["parent"][v] > 0
                 and node["key"][node["parent"][v]] == END]
    assert after_end
    assert {int(node["player"][v]) for v in after_end} == {1}


@pytest.mark.parametrize(("heuristic", "expected"), [
    ("metastone", 2 + 4 + 5 - 3),
    ("santos", 1.0457 + 0.2058 + 9 * 0.9407 + 4 * 5.2249 - 9.6557)])
def test_moves_gained_are_the_bias(heuristic: str, expected: float) -> None:
    """The Yeti is one minion (and a tough one), 4 + 5, 4 mana, and a card less."""
    position = Position(["Chillwind Yeti"])
    table = sit(f"mcts:knowledge?iterations=4&rollouts=1&heuristic={heuristic}", position.g)
    table.decide()
    node = table._context.trees[0].node
    bias = {int(node[v].key): float(node[v].bias) for v in children(node, 0)}
    assert bias.pop(END) == 0.0
    assert list(bias.values()) == pytest.approx([expected])


def test_what_the_opponent_gains_is_his_bias() -> None:
    """The opponent's Wisp: 2 + 1 + 1 less the 3 of a card; to the searcher that is as much lost."""
    position = Position(["Chillwind Yeti"])
    theirs = position.g.side[1]
    theirs.hand[0], theirs.n_hand, theirs.n_deck = (index()[by_name()["Wisp"]], 0, 0, 0), 1, 0
    table = sit("mcts:knowledge?iterations=60&rollouts=1", position.g)
    table.decide()
    node = table._context.trees[0].node[: table._context.trees[0].n_nodes]
    wisp = [float(one.bias) for one in node
            if one.player == 1 and one.key >= PLAY and node[one.parent].key == END]
    assert wisp
    assert wisp == pytest.approx([2 + 1 + 1 - 3] * len(wisp))


def test_a_tree_is_kept_within_a_turn() -> None:
    def sizes(options: str) -> list[int]:
        table, found = sit(f"mcts:vanilla?iterations=200&rollouts=1{options}", crowded().g), []
        for _ in range(2):
            move = table.decide()
            found.append(int(table._context.trees[0].n_nodes))
            assert move != END
            table.move(move)
        return found

    first, second = sizes("")
    assert second > first
    assert second > 201
    assert max(sizes("&reuse=no")) <= 201


def test_a_tree_is_planted_anew() -> None:
    """Where there is no room for the iterations, and where another decided in between."""
    for change in ({"n_nodes": uct.NODES - 30}, {"lookahead_rng": 1}, {"turn": 1}):
        table = sit("mcts:vanilla?iterations=60&rollouts=1", crowded().g)
        table.move(table.decide())
        for name, value in change.items():
            table._context.trees[0][name] = value
        table.decide()
        assert table._context.trees[0].n_nodes <= 61
        assert table._context.trees[0].node[0].visits == 60


def test_only_who_searches_has_a_tree() -> None:
    setting = match.Setting(decks=DECKS)
    assert len(match.Table(read_agent("eva:2018"), setting)._context.trees) == 0
    assert len(match.Table(read_agent(SMALL[0]), setting)._context.trees) == 1


# -- puzzles --------------------------------------------------------------------------------------


@pytest.mark.parametrize("final", ["max", "robust", "max-robust", "secure"])
@pytest.mark.parametrize("spec", SMALL)
def test_lethal_is_found(spec: str, final: str) -> None:
    position = Position(["Fireball", "Chillwind Yeti"], ["Wisp"], ["Boulderfist Ogre"] * 3)
    position.g.char[15].health, position.g.char[7].health = 6, 2
    if "alvaro" not in spec:
        spec += f"&final={final}"
    assert chosen(spec, position) == FIREBALL


@pytest.mark.parametrize("spec", SMALL)
def test_lethal_over_several_actions_is_found(spec: str) -> None:
    """6 of the Fireball and 3 of the Raptor; the own hero dies next turn otherwise."""
    position = Position(["Fireball", "Chillwind Yeti"], ["Bloodfen Raptor"],
                        ["Boulderfist Ogre"] * 3)
    position.g.char[15].health, position.g.char[7].health = 9, 2
    table = sit(spec, position.g)
    while table.game.result == RUNNING and table.game.me == 0:  # mana is enough for the Yeti, too
        table.move(table.decide())
    assert table.game.result == 1


@pytest.mark.parametrize("spec", SMALL)
def test_nobody_burns_himself(spec: str) -> None:
    position = Position(["Fireball"])
    position.g.char[7].health = 6
    assert chosen(spec, position) != "play Fireball at the own hero"


# -- whole games ----------------------------------------------------------------------------------


def pairings(games: int) -> Any:
    rows = np.zeros(4, match.PAIRING)
    rows["a"], rows["b"], rows["games"] = 0, 1, games
    rows["deck_a"], rows["deck_b"] = np.arange(4) // 2, np.arange(4) % 2
    rows["seed"] = 1000 * np.arange(4)
    return rows


def test_it_beats_random_play() -> None:
    for spec, games in (("mcts:vanilla?iterations=20&rollouts=5", 8),
                        ("mcts:knowledge?iterations=30&rollouts=2", 5),
                        ("mcts:alvaro?iterations=60", 4)):
        agents = np.concatenate([read_agent(spec), agent(RANDOM)])
        results = match.play_block(pairings(games), agents, match.Setting(decks=DECKS))
        assert results["faults"].sum() == 0
        assert results["wins_a"].sum() > 0.75 * 4 * games, spec


def test_knowledge_helps() -> None:
    """Santos, chapter 6; the rates at more games and iterations stand in docs/figures.yml."""
    specs = ("mcts:knowledge?iterations=15&rollouts=2", "mcts:vanilla?iterations=15&rollouts=2")
    agents = np.concatenate([read_agent(spec) for spec in specs])
    results = match.play_block(pairings(6), agents, match.Setting(decks=DECKS))
    assert results["faults"].sum() == 0
    assert results["wins_a"].sum() >= 0.7 * 4 * 6


@pytest.mark.parametrize("spec", [QUICK, "mcts:vanilla?iterations=12&rollouts=1"])
@pytest.mark.parametrize("information", ["fair", "leaky"])
def test_games_play_again_the_same_and_legally(spec: str, information: str) -> None:
    agents = np.concatenate([read_agent(spec), read_agent("mcts:alvaro?iterations=8")])
    setting = match.Setting(decks=DECKS, information=information)
    rows = pairings(1)
    whole = match.play_block(rows, agents, setting)
    table = match.Table(agents, setting)
    assert np.array_equal(table.play(rows), whole)
    for row, result in zip(rows, whole, strict=True):
        table.deal(row, 0)
        decisions = 0
        while table.game.result == RUNNING and not table.game.fault:
            move = table.decide()
            assert move in table.game.moves[:table.game.n_moves]
            table.move(move)
            decisions += 1
        assert decisions == result["decisions"]


INTERPRETED = """
from tests.unit.agents.test_mcts import crowded, sit
table = sit("mcts:knowledge?iterations=4&rollouts=1", crowded().g)
print(table.decide(), *(score.hex() for score in table.scores.tolist()))
"""


@pytest.mark.slow
def test_interpreted_it_decides_the_same() -> None:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    told = [subprocess.run([sys.executable, "-c", INTERPRETED], capture_output=True, text=True,
                           check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": path,
                                                      "NUMBA_DISABLE_JIT": mode}).stdout
            for mode in "01"]
    assert told[0] == told[1] != ""


# -- what it may know -----------------------------------------------------------------------------


def answers(information: str) -> list[tuple[bytes, bytes]]:
    """Return what it thinks of moves in a position, and in one that looks the same."""
    _, found = positions(information, 4)
    random, told = np.random.default_rng(5), []
    for position in found[::6]:
        theirs = position["side"][1 - position["me"]]["hand"]
        if theirs["cost"].any() or theirs["attack"].any() or theirs["health"].any():
            continue  # `rehide` does not keep what changed a card in hand
        pair = []
        for game in (position, rehide(position, random)):
            table = sit(QUICK, game, information)
            move = table.decide()
            pair.append(bytes(table.scores) + bytes([move % 256]))
        told.append((pair[0], pair[1]))
    return told


def test_what_is_hidden_does_not_matter() -> None:
    """To the last bit of every move's share of victories."""
    told = answers("fair")
    assert len(told) > 30
    assert [i for i, (one, other) in enumerate(told) if one != other] == []


def test_leaky_it_does_matter() -> None:
    """And so the test above can fail."""
    assert any(one != other for one, other in answers("leaky"))


def later_answers(information: str) -> list[tuple[bytes, bytes]]:
    """Return what it thinks after a first action, by the tree of its first decision.

    The second of a pair: with other hidden cards at the first decision, and others at the second.
    """
    _, found = positions(information, 6)
    random, told = np.random.default_rng(6), []
    for position in found[::2]:
        one = sit(QUICK, position, information)
        other = sit(QUICK, rehide(position, random), information)
        move = one.decide()
        other.decide()
        one.move(move)
        foe = one.game.side[1 - int(position["me"])].hand
        if move == END or one.game.result != RUNNING or one.game.pending or (
                foe["cost"].any() or foe["attack"].any() or foe["health"].any()):
            continue
        other.game = rehide(one.game, random)
        pair = []
        for table in (one, other):
            grown = int(table._context.trees[0].n_nodes)
            chosen = table.decide()
            if table.game.n_moves > 1 and table._context.trees[0].n_nodes > grown:  # it was kept
                pair.append(bytes(table.scores) + bytes([chosen % 256]))
        told += [(pair[0], pair[1])] if len(pair) == 2 else []
    return told


def test_a_tree_that_is_kept_brings_along_nothing_hidden() -> None:
    told = later_answers("fair")
    assert len(told) > 20
    assert [i for i, (one, other) in enumerate(told) if one != other] == []
    assert any(one != other for one, other in later_answers("leaky"))  # so it can fail


def test_which_secret_it_is_does_not_matter() -> None:
    def told(secret: str, held: str) -> bytes:
        position = crowded()
        side, number = position.g.side[1], index()[by_name()[secret]]
        side.secret[0].card, side.secret[0].uid, side.n_secrets = number, position.g.next_uid, 1
        position.g.next_uid += 1
        position.g.watch |= tables().card[number].watch
        side.hand[0], side.n_hand = (index()[by_name()[held]], 0, 0, 0), 1
        table = sit(QUICK, position.g)
        table.decide()
        return bytes(table.scores)

    assert told("Ice Block", "Mirror Entity") == told("Mirror Entity", "Ice Block")
    assert told("Ice Block", "Wisp") != told("Ice Block", "Mirror Entity")


# -- specs ----------------------------------------------------------------------------------------


def test_an_option_can_be_a_name() -> None:
    budget = read_agent("mcts:knowledge?final=secure&reuse=no&iterations=7")[0]["budget"]
    assert budget[uct.FINAL] == uct.SECURE
    assert budget[uct.REUSE] == uct.ANEW
    assert budget[uct.ITERATIONS] == 7
    assert read_agent("mcts:knowledge")[0]["budget"][uct.FINAL] == uct.MAX_CHILD
    with pytest.raises(AgentError, match="final of agent 'mcts:vanilla' is 'best', but must be one"
                                         " of max, robust, max-robust, secure"):
        read_agent("mcts:vanilla?final=best")
