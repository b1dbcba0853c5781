"""Monte Carlo tree search: its formulas by hand, its tree's books, puzzles, what it may know."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hsevo.agents.mcts import named, uct
from hsevo.agents.mcts import tree as trees
from hsevo.agents.registry import check_agents, evolved_genome
from hsevo.agents.shared.agent import AGENT, RANDOM, agent
from hsevo.agents.shared.scores import METASTONE_WEIGHTS, SANTOS_WEIGHTS
from hsevo.agents.turn_search.gsv import WEIGHTS as GSV_WEIGHTS
from hsevo.agents.turn_search.lookahead import MILLER
from hsevo.cards.tables import by_name, index, tables
from hsevo.config import Config
from hsevo.engine import jit
from hsevo.engine.record.codec import END, PLAY
from hsevo.engine.record.state import RUNNING
from hsevo.engine.view.show import move_text
from hsevo.engine.view.snapshot import snapshot
from hsevo.errors import AgentError
from hsevo.play import match
from hsevo.play.players import traits
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
    return move_text(snapshot(position.g), sit(spec, position.g).decide())


# -- formulas -------------------------------------------------------------------------------------


@pytest.fixture
def tree(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A root with 20 visits and three children, (Q, N) = (12, 10), (11, 4) and (9, 6)."""
    monkeypatch.setattr(trees, "upper_bound", plain(trees.upper_bound))
    tree = np.zeros(1, trees.TREE).view(np.recarray)[0]
    tree.n_nodes, tree.node[0].visits, tree.node[0].wins = 4, 20, 32
    for v, (wins, visits, bias) in enumerate([(12, 10, 0), (11, 4, 6), (9, 6, -14)], start=1):
        tree.node[v].wins, tree.node[v].visits, tree.node[v].bias = wins, visits, bias
    return tree


def planned(**options: float) -> Any:
    """Return a PLAN with options."""
    one = np.zeros(1, trees.PLAN).view(np.recarray)[0]
    for name, value in options.items():
        one[name] = value
    return one


def test_eq_2_1_by_hand() -> None:
    bound = plain(trees.upper_bound)
    assert bound(3.0, 4, 10, 1.0) == pytest.approx(1.8229830)  # 3/4 + sqrt(2 * 2.3025851 / 4)
    assert bound(3.0, 4, 10, 0.5) == pytest.approx(1.2864915)
    assert bound(3.0, 4, 10, -1.0) == pytest.approx(-0.3229830)
    assert bound(3.0, 4, 1, 1.0) == 0.75  # ln 1 = 0


def test_eq_4_1_by_hand(tree: Any) -> None:
    searcher = planned(c=1.0, bias=0.5)
    values = [plain(trees.tree_value)(tree, v, searcher) for v in (1, 2, 3)]
    root = 2 * 2.9957323  # 2 ln 20
    assert values == pytest.approx([
        1.2 + math.sqrt(root / 10),
        2.75 + math.sqrt(root / 4) + 0.6,  # 0.5 * 6 / (1 + 4)
        1.5 + math.sqrt(root / 6) - 1.0,  # 0.5 * -14 / (1 + 6)
    ])


def test_the_bias_as_it_is_written_is_the_same_for_all(tree: Any) -> None:
    """H(v) / (1 + N(v)) of the parent: no reading of it changes which child is selected."""
    for v in (1, 2, 3):
        tree.node[v].bias = 42.0  # the parent's H
    written = planned(c=1.0, bias=1.0, form=trees.WRITTEN)
    without = planned(c=1.0)
    more = [plain(trees.tree_value)(tree, v, written) - plain(trees.tree_value)(tree, v, without)
            for v in (1, 2, 3)]
    assert more == pytest.approx([2.0] * 3)  # 42 / (1 + 20)


@pytest.mark.parametrize(("rule", "values"), [
    (trees.MAX_CHILD, [12, 11, 9]),
    (trees.ROBUST, [10, 4, 6]),
    (trees.MAX_ROBUST, [22, 15, 15]),
    (trees.SECURE, [0.4259, 1.5261, 0.5007]),  # Q/N - sqrt(2 ln 20 / N)
    (trees.SECURE_WRITTEN, [1.1202, 1.2277, 1.1767]),  # 32/20 - sqrt(2 ln N / 20)
])
def test_the_four_answers(tree: Any, rule: int, values: list[float]) -> None:
    searcher = planned(c=1.0, final=rule)
    found = [plain(trees.final_value)(tree, v, searcher) for v in (1, 2, 3)]
    assert found == pytest.approx(values, abs=1e-4)


@pytest.mark.parametrize(("share", "n", "expected"), [
    (75, 50, 38), (50, 50, 25), (0, 9, 1), (1, 9, 1), (100, 9, 9), (50, 1, 1), (75, 2, 2)])
def test_k_per_cent_of_the_actions(share: int, n: int, expected: int) -> None:
    """The thesis' example: 75 % and 50 % of 50 actions are 38 and 25."""
    assert plain(uct.share_of)(share, n) == expected


def test_alvaros_c_is_ucb1_with_2() -> None:
    """C sqrt(ln N / n) = c sqrt(2 ln N / n)."""
    radius = plain(trees.upper_bound)(0.0, 7, 30, trees.ALVARO_C)
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
    iterations, rollouts = int(searcher[trees.ITERATIONS]), int(searcher[trees.ROLLOUTS])
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
    theirs.hand[0], theirs.n_hand, theirs.n_deck = (index()[by_name()["Wisp"]], 0, 0, 0, 0), 1, 0
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


def decided() -> str:
    table = sit("mcts:knowledge?iterations=4&rollouts=1", crowded().g)
    return " ".join([str(table.decide()), *(score.hex() for score in table.scores.tolist())])


@pytest.mark.slow
def test_interpreted_it_decides_the_same() -> None:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    code = "from tests.unit.agents.test_mcts import decided; print(decided())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          cwd=ROOT, env={**os.environ, "PYTHONPATH": path,
                                         "NUMBA_DISABLE_JIT": "1"}).stdout
    assert not jit.INTERPRETED  # else both would be
    assert told == f"{decided()}\n"


# -- what it may know -----------------------------------------------------------------------------


def answers(information: str, spec: str = QUICK) -> list[tuple[bytes, bytes]]:
    """Return what it thinks of moves in a position, and in one that looks the same."""
    _, found = positions(information, 4)
    random, told = np.random.default_rng(5), []
    for position in found[::6]:
        theirs = position["side"][1 - position["me"]]["hand"]
        if theirs["cost"].any() or theirs["attack"].any() or theirs["health"].any():
            continue  # `rehide` does not keep what changed a card in hand
        pair = []
        for game in (position, rehide(position, random)):
            table = sit(spec, game, information)
            move = table.decide()
            pair.append(bytes(table.scores) + bytes([move % 256]))
        told.append((pair[0], pair[1]))
    return told


@pytest.mark.parametrize("options", ["", "&rollouts=2&evolving=yes&first=3&heuristic=gsv"])
def test_what_is_hidden_does_not_matter(options: str) -> None:
    """To the last bit of every move's share of victories."""
    told = answers("fair", QUICK.replace("&rollouts=1", "") + (options or "&rollouts=1"))
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
        side.hand[0], side.n_hand = (index()[by_name()[held]], 0, 0, 0, 0), 1
        table = sit(QUICK, position.g)
        table.decide()
        return bytes(table.scores)

    assert told("Ice Block", "Mirror Entity") == told("Mirror Entity", "Ice Block")
    assert told("Ice Block", "Wisp") != told("Ice Block", "Mirror Entity")


# -- specs ----------------------------------------------------------------------------------------


def rules(spec: str) -> dict[str, int]:
    return named.unpacked(int(read_agent(spec)[0]["budget"][trees.RULES]))


def test_an_option_can_be_a_name() -> None:
    found = rules("mcts:knowledge?final=secure&reuse=no&iterations=7")
    assert (found["final"], found["reuse"]) == (trees.SECURE, trees.ANEW)
    assert read_agent("mcts:knowledge?iterations=7")[0]["budget"][trees.ITERATIONS] == 7
    assert rules("mcts:knowledge")["final"] == trees.MAX_CHILD
    with pytest.raises(AgentError, match="final of agent 'mcts:vanilla' is 'best', but must be one"
                                         " of max, robust, max-robust, secure, secure-written"):
        read_agent("mcts:vanilla?final=best")


# -- heuristics by name ---------------------------------------------------------------------------


def heuristics(spec: str) -> tuple[list[float], list[float]]:
    """Return the weights of the roll-outs' heuristic and of the tree's, as the kernels read them.
    """
    one = read_agent(spec)[0]
    found = named.unpacked(int(one["budget"][trees.RULES]))
    first, at = trees.N_WEIGHTS[one["budget"][0]], found["tree_at"]
    return (one["w"][:first].tolist(),
            one["w"][at:at + trees.N_WEIGHTS[found["tree_score"]]].tolist())


def test_heuristics_are_agents_that_score() -> None:
    metastone, santos = list(METASTONE_WEIGHTS), list(SANTOS_WEIGHTS)
    assert heuristics("mcts:knowledge") == (metastone, metastone)
    assert heuristics("mcts:knowledge?heuristic=santos") == (santos, santos)
    assert heuristics("mcts:knowledge?tree=gsv") == (metastone, list(GSV_WEIGHTS))
    assert heuristics("mcts:knowledge?heuristic=gsv&tree=metastone") == (
        list(GSV_WEIGHTS), metastone)
    assert heuristics("mcts:knowledge?heuristic=dl:miller&tree=santos") == ([*MILLER], santos)
    assert heuristics("mcts:knowledge?heuristic=hearthsim?w_ds=0.5")[0][2] == 0.5


def test_an_evolved_heuristic_comes_from_a_file(tmp_path: Path) -> None:
    """Weights that no agent of the roster has; they reach the record of the search."""
    path = tmp_path / "best.yaml"
    path.write_text("best: {MA: 1.5, TMA: 0.25, HA: 2, TRA: 3, BM: 0}\n", encoding="utf-8")
    found = heuristics(f"mcts:knowledge?heuristic=santos:{path}&tree=metastone")
    assert found == ([1.5, 0.25, 2.0, 3.0, 0.0], list(METASTONE_WEIGHTS))


@pytest.mark.parametrize(("options", "said"), [
    ("heuristic=nonsense", "no heuristic 'nonsense'"),
    ("heuristic=santso", "did you mean 'santos'"),
    ("heuristic=random", "its weights do not score positions"),
    ("heuristic=eva:wide", "its weights do not score positions"),
    ("heuristic=santos:nowhere", "there is no file or run folder nowhere"),
    ("heuristic=gsv&tree=eva:2018", "have 39 weights together, but a tree search can have"),
    ("heuristic=eva:2018&bias=child", "its bias can only be the gain"),
    ("evolving=yes&rollouts=1", "set rollouts to 2"),
])
def test_bad_heuristics_get_one_line(options: str, said: str) -> None:
    with pytest.raises(AgentError, match=re.escape(said)) as raised:
        read_agent(f"mcts:knowledge?{options}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("options", [
    "heuristic=gsv", "heuristic=hearthsim&tree=dl:miller", "heuristic=tyche:onestep",
    "heuristic=eva:2018", "heuristic=metastone&tree=gsv&bias=child", "bias=written",
    "evolving=yes&rollouts=4", "first=2", "answer=line", "final=secure-written",
    "heuristic=santos&first=3&evolving=yes&answer=line&reuse=no"])
def test_games_with_options_are_legal_and_play_again_the_same(options: str) -> None:
    spec = f"mcts:knowledge?iterations=8&rollouts=2&{options}"
    agents = np.concatenate([read_agent(spec), read_agent("mcts:vanilla?iterations=8&rollouts=1")])
    setting = match.Setting(decks=DECKS)
    once, again = (match.play_block(pairings(1), agents, setting) for _ in range(2))
    assert np.array_equal(once, again)
    assert once["faults"].sum() == 0


# -- options --------------------------------------------------------------------------------------


def test_only_the_first_moves_are_tried_at_first() -> None:
    """19 visits of the root try two moves; more of them try one more each time (20 * 1.3^i)."""
    for iterations, most in ((19, 2), (23, 3), (30, 4)):
        table = sit(f"mcts:knowledge?iterations={iterations}&rollouts=1&first=2", crowded().g)
        table.decide()
        assert len(children(table._context.trees[0].node, 0)) <= most
    table = sit("mcts:knowledge?iterations=19&rollouts=1", crowded().g)
    table.decide()
    assert len(children(table._context.trees[0].node, 0)) > 4


@pytest.mark.parametrize(("visits", "expected"), [
    (0, 2), (19, 2), (20, 3), (25, 3), (26, 4), (33, 4), (34, 5), (43, 5), (44, 6)])
def test_progressive_unpruning_by_hand(visits: int, expected: int) -> None:
    """20, 26, 33.8 and 43.94 visits."""
    assert plain(uct.unpruned)(2, visits) == expected


def test_a_line_is_played_without_another_search() -> None:
    table = sit("mcts:knowledge?iterations=400&rollouts=1&answer=line", crowded().g)
    first = table.decide()
    tree = table._context.trees[0]
    line, size = [int(tree.line)], int(tree.n_nodes)
    while (above := int(tree.node[line[0]].parent)) > 0:
        line.insert(0, above)
    assert len(line) > 1
    assert (tree.node["player"][line] == 0).all()
    table.move(first)
    for v in line[1:]:
        move = table.decide()
        assert (int(tree.n_nodes), int(tree.root)) == (size, v)  # nothing was searched
        table.move(move)


def test_the_best_line_by_hand(tree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root: 1 (Q 12), 2 (Q 11), 3 (Q 9); below 1: 4 (Q 5 of 4 visits) and 5 (Q 9, visited once)."""
    for name in ("final_value", "best_below"):
        monkeypatch.setattr(trees, name, plain(getattr(trees, name)))
    nodes, tree.n_nodes = tree.node, 6
    for v, (parent, sibling, wins, visits) in {
            1: (0, 0, 12, 10), 2: (0, 1, 11, 4), 3: (0, 2, 9, 6),
            4: (1, 0, 5, 4), 5: (1, 4, 9, 1)}.items():
        one = nodes[v]
        one.parent, one.sibling, one.wins, one.visits, one.key = parent, sibling, wins, visits, 7
    nodes[0].child, nodes[1].child = 3, 5
    assert plain(trees.best_line)(tree, 0, planned()) == 4
    nodes[1].key = END
    assert plain(trees.best_line)(tree, 0, planned()) == 1
    assert plain(trees.best_line)(tree, 1, planned()) == 0


def test_weights_of_a_mutant_keep_sign_and_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("uniform_of", "normal_of", "copy_heuristic"):
        monkeypatch.setattr(uct, name, plain(getattr(uct, name)))
    monkeypatch.setattr(uct, "mix", plain(uct.mix))
    parent, trial = np.zeros(2, AGENT).view(np.recarray)
    parent.w[:3] = 2.0, -3.0, 0.0
    logs = []
    with np.errstate(over="ignore"):
        for seed in range(400):
            plain(uct.mutate)(trial, parent, 0.3, np.uint64(1000 * seed))
            assert trial.w[0] > 0 > trial.w[1]
            assert trial.w[2] == 0
            logs.append(math.log(trial.w[0] / 2.0))
    assert abs(np.mean(logs)) < 0.06  # 4 standard errors of N(0, 0.3)
    assert 0.25 < np.std(logs) < 0.35


def test_one_fifth_of_successes_keep_the_spread() -> None:
    spread = 0.3
    for gained in (1.0, 0.0, -1.0, 0.0, 0.0):
        spread = plain(uct.next_spread)(spread, gained)
    assert spread == pytest.approx(0.3)
    assert plain(uct.next_spread)(0.9, 2.0) == 1.0
    assert plain(uct.next_spread)(0.0101, 0.0) == 0.01


def test_weights_evolve_only_if_told_to() -> None:
    for option, changes in (("no", False), ("yes", True)):
        table = sit(f"mcts:knowledge?iterations=40&rollouts=4&evolving={option}", crowded().g)
        table.decide()
        tree = table._context.trees[0]
        assert (tree.parent.w[:12].tolist() != list(METASTONE_WEIGHTS)) == changes


def test_seconds_end_a_search_and_a_turn() -> None:
    table = sit("mcts:vanilla?iterations=4000&rollouts=50&seconds=0.05", crowded().g)
    table.decide()
    assert table._context.trees[0].node[0].visits < 4000
    table._context.trees[0].began -= 1.0  # the turn began a second ago
    assert table.decide() == END


def test_who_thinks_by_the_clock_says_so_and_does_not_evolve() -> None:
    timed, other = read_agent("mcts:knowledge?seconds=75"), read_agent("mcts:knowledge")
    assert "has a time limit" in traits(timed)
    assert traits(other) == ""
    told = Config.model_validate({"agent": "mcts:knowledge?seconds=1", "decks": ["mage"]})
    with pytest.raises(AgentError, match="has a time limit"):
        evolved_genome(told, ["mage"])


@pytest.mark.parametrize("change", [
    {"budget": (0, 7)}, {"budget": (trees.RULES, -1)}, {"budget": (trees.RULES, 1 << 22)},
    {"budget": (trees.RULES, named.pack(tree_score=trees.BY_EVA, tree_at=12))},
    {"budget": (trees.RULES, named.pack(final=7))}, {"budget": (trees.OWN, trees.EVA_MOVES)},
    {"budget": (trees.ITERATIONS, 4001)}])
def test_records_that_are_no_search_are_refused(change: dict[str, tuple[int, int]]) -> None:
    bad = read_agent("mcts:knowledge").copy()
    (name, (at, value)), = change.items()
    bad[name][0, at] = value
    check_agents(read_agent("mcts:knowledge"))
    with pytest.raises(AgentError, match="not valid"):
        check_agents(bad)
