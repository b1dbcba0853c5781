"""Learned players that play on in sampled worlds: the opponent's reply, and a tree search."""

import math
from types import FunctionType

import numpy as np
import pytest

from hsevo.agents.learned import nets
from hsevo.agents.network.network import CERTAIN, LOGIT
from hsevo.agents.network.value import chance_of, lowered, power_of_two
from hsevo.agents.registry import check_agents, weighs_replies
from hsevo.cards.tables import index
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import Action, decode
from hsevo.engine.view.show import move_text
from hsevo.engine.view.snapshot import snapshot
from hsevo.errors import AgentError
from hsevo.play import match
from hsevo.strength.roster import read_agent
from tests.rules.test_equations import Position
from tests.unit.agents.test_afterstate import SETTING, decisions, hide, may_reveal, random_net

REPLY = {"depth": 4, "nodes": 100, "hands": 3, "ends": 6}
TREE = {"iterations": 40, "c": 1.0}
ITERATIONS = TREE["iterations"]
BOTH = pytest.mark.parametrize("search", [REPLY, TREE], ids=["reply", "tree"])


def chance(odds):
    """Return chance_of log-odds, as plain Python."""
    code = plain(chance_of)
    names = {**code.__globals__, "power_of_two": plain(power_of_two)}
    return FunctionType(code.__code__, names)(odds)


def scores_of(table):
    """Return the scores of the moves of a table at its position, (n,): NAN if not searched."""
    table._context.trees["n_nodes"] = 0  # else it would go on with the tree of the last decision
    table.think()
    return table.scores.copy()


def opponent_holds_coin(table):
    """Return whether the opponent holds The Coin, which both know, and `hide` would deal anew."""
    other = table.game.side[1 - int(table.game.me)]
    return index()["GAME_005"] in other.hand["card"][:other.n_hand]


def by_name(made, search):
    """Return the chosen move of a position, and the chance after each move, by their texts."""
    return by_text(match.Table(nets.agent(random_net(), **search), SETTING), made)


def by_text(table, made):
    """Return the chosen move of a position, and its scores, by the texts of the moves."""
    table.game = made.g
    chosen, now = table.decide(), snapshot(table.game)
    return move_text(now, chosen), {
        move_text(now, move): score
        for move, score in zip(table.moves.tolist(), table.scores.tolist(), strict=True)}


def test_chances_are_those_of_the_log_odds():
    """By math.exp, to one part in 4,000; both players' add up to 1."""
    for odds in (-8.0, -2.5, -0.3, 0.0, 0.01, 1.0, 3.7, 12.0):
        found = chance(round(odds * LOGIT))
        exact = 1 / (1 + math.exp(-odds))
        assert found == pytest.approx(exact, rel=1 / 4_000)
        assert found + chance(-round(odds * LOGIT)) == pytest.approx(1)
    assert chance(-CERTAIN) < 1e-8


def test_the_tree_sees_nothing_hidden():
    """The chances stay, to the last bit, when hidden cards and the order of decks change."""
    random, compared = np.random.default_rng(3), 0
    for table, before in decisions(nets.agent(random_net(), **TREE), games=2):
        if may_reveal(table) or opponent_holds_coin(table):
            continue
        scores = scores_of(table)
        table.game = before
        hide(table.game, random)
        assert np.array_equal(scores_of(table), scores, equal_nan=True)  # NAN: the only move
        compared += len(scores)
    assert compared > 300


def test_the_reply_sees_nothing_hidden():
    """In a turn without draws, whose outcomes depend on the order of the own deck."""
    random = np.random.default_rng(3)
    made = Position(["Fireball", "Wisp"], ["Bloodfen Raptor"], ["Chillwind Yeti"])
    table = match.Table(nets.agent(random_net(), **REPLY), SETTING)
    table.game = made.g
    scores = scores_of(table)
    for _ in range(5):
        table.game = made.g
        hide(table.game, random)
        assert (scores_of(table) == scores).all()


@BOTH
def test_they_see_the_opponent_win_in_its_next_turn(search):
    """With two health left, ending the turn loses to the Yeti; only a dead Yeti does not kill.

    A tree mixes in what the net says at first, and seldom ends the turn.
    """
    made = Position(["Fireball"], [], ["Chillwind Yeti"])
    made.g.char[7].health = 2  # player 0's hero
    chosen, chances = by_name(made, search)
    assert chosen.startswith("play Fireball")
    assert "Yeti" in chosen
    assert chances[chosen] > 0.2 > chances["end the turn"]
    if search is REPLY:
        assert chances["end the turn"] < 1e-6


@BOTH
def test_they_take_a_win_at_once(search):
    made = Position(["Fireball"], ["Chillwind Yeti"], [])
    made.g.char[15].health = 4
    chosen, chances = by_name(made, search)
    assert chances[chosen] == max(chances.values()) > 0.999
    assert "Fireball" in chosen or "attack" in chosen


@pytest.mark.parametrize("better", [0, 1])
@pytest.mark.parametrize(("hand", "mana", "health", "change"), [
    (["Wisp", "Wisp", "Eviscerate"], 2, 4, ("cost", 2, 0)),
    (["Stonetusk Boar", "Stonetusk Boar"], 1, 4, ("attack", 0, 3)),
], ids=["cost", "attack"])
def test_a_tree_tells_copies_of_a_card_apart(hand, mana, health, change, better):
    """Only one of two copies wins: it leaves the mana for a Combo of 4 damage, or attacks for 4.

    The other copy comes first in the hand, or last.
    """
    made, (what, worse, good) = Position(hand), change
    made.g.side[0].mana, made.g.char[15].health = mana, health
    for k in range(2):
        made.g.side[0].hand[k][what] = good if k == better else worse
    table = match.Table(nets.agent(random_net(), **TREE), SETTING)
    table.game = made.g
    chosen = decode(table.decide())
    assert (chosen.action, chosen.hand) == (Action.PLAY, better)
    chances = {decode(move): score for move, score in zip(
        table.moves.tolist(), table.scores.tolist(), strict=True)}
    assert chances[chosen] > chances[chosen._replace(hand=1 - better)]


def test_a_reply_is_the_mean_of_its_worlds():
    """The worlds of more hands begin with those of fewer, so each further one is between 0 and 1.
    """
    made, totals = Position(["Wisp"], [], ["Chillwind Yeti"]), [0.0]
    for hands in range(1, 6):
        _, chances = by_name(made, REPLY | {"hands": hands})
        totals.append(hands * chances["end the turn"])
    worlds = np.diff(totals)
    assert ((worlds > 0) & (worlds < 1)).all()
    assert np.ptp(worlds) > 1e-3


def test_every_iteration_is_a_visit_of_the_tree():
    """Visits and chances re-add: a node's are its first visit and those of its children."""
    seen = 0
    for table, _ in decisions(nets.agent(random_net(), **TREE), games=1):
        table.decide(fresh=True)
        if table.game.n_moves < 2 or table.game.pending != 0:
            continue
        tree = table._context.trees[0]
        nodes = tree.node[:tree.n_nodes]
        root = nodes[0]
        assert root.visits == ITERATIONS
        below = [one for one in nodes if one.parent == 0]
        assert sum(one.visits for one in below) == ITERATIONS - 1
        total = sum(one.wins if one.player == 0 else one.visits - one.wins for one in below)
        wins = root.wins if root.player == 0 else root.visits - root.wins
        assert 0 <= wins - total <= 1
        assert (nodes["wins"] <= nodes["visits"] + 1e-9).all()
        assert (nodes["wins"] >= 0).all()
        seen += 1
    assert seen > 10


def test_the_tree_is_kept_for_the_rest_of_the_turn():
    """The next decision adds its iterations to the visits of the node that the move led to."""
    table = match.Table(nets.agent(random_net(), **TREE), SETTING)
    table.deal(match.pairings(0, 0, 0, 1, 5).reshape(1)[0], 0)
    kept, turns = None, set()
    while table.game.result == 0:
        turn, move = int(table.game.turn), table.decide()
        tree = table._context.trees[0]
        searched = table.game.n_moves > 1 and tree.n_nodes > 0
        if searched and kept is not None and kept[0] == turn:
            assert tree.node[tree.node[tree.root].parent].visits == kept[1] + ITERATIONS
            turns.add(turn)
        kept = (turn, int(tree.node[tree.root].visits)) if searched else None
        table.move(move)
    assert len(turns) > 3


def logit(chance):
    """Return the log-odds of a chance."""
    return math.log(chance / (1 - chance))


def test_a_chance_is_lowered_by_log_odds():
    """By math.exp, to one part in 4,000. A certain end stays certain."""
    code = plain(lowered)
    lower = FunctionType(code.__code__, {**code.__globals__, "power_of_two": plain(power_of_two)})
    for odds, less in ((0.3, 0.0), (0.3, 1.0), (-2.0, 0.25), (4.0, 6.0)):
        exact = 1 / (1 + math.exp(less - odds))
        found = lower(1 / (1 + math.exp(-odds)), round(less * LOGIT))
        assert found == pytest.approx(exact, rel=1 / 2_000)
    assert (lower(1.0, 5 * LOGIT), lower(0.0, 5 * LOGIT)) == (1.0, 0.0)


@pytest.mark.parametrize("more", [{}, {"hands": 3, "ends": 6}], ids=["turn", "reply"])
def test_the_policy_weighs_three_tenths_of_its_log_odds(more):
    """In the choice, not in the chances. Only sampled hands are random here."""
    search = {"depth": 4, "nodes": 10_000} | more
    made, differ = Position(["Fireball", "Wisp"], ["Bloodfen Raptor"], ["Chillwind Yeti"]), 0
    first = made.g.lookahead_rng.copy()
    for seed in range(2, 8):
        made.g.lookahead_rng = first
        advised = nets.agent(random_net(), policy=nets.store(random_net(seed)), **search)
        chosen, chances = by_text(match.Table(advised, SETTING), made)
        _, policy = by_text(table := match.Table(nets.agent(random_net(seed)), SETTING), made)
        made.g.lookahead_rng = table.game.lookahead_rng  # asking took one random number
        alone, expected = by_name(made, search)
        assert chances == expected
        weighed = {name: logit(chance) + 307 / 1024 * logit(policy[name])
                   for name, chance in expected.items() if chance > 0}
        assert chosen == max(weighed, key=weighed.get)
        differ += chosen != alone
    assert differ > 0


def test_a_search_draws_its_moves_with_the_policy():
    """Probabilities at temperature 1: the softmax of log-odds, and 0.3 of the policy's."""
    search = {"depth": 4, "nodes": 10_000}
    made = Position(["Fireball", "Wisp"], ["Bloodfen Raptor"], ["Chillwind Yeti"])
    agent = nets.agent(random_net(), 1.0, policy=nets.store(random_net(2)), **search)
    _, shares = by_text(match.Table(agent, SETTING), made)
    _, policy = by_text(match.Table(nets.agent(random_net(2)), SETTING), made)
    _, chances = by_name(made, search)
    odds = [logit(chances[name]) + 307 / 1024 * logit(policy[name]) for name in shares]
    total = sum(map(math.exp, odds))
    assert [*shares.values()] == pytest.approx([math.exp(one) / total for one in odds], rel=2e-3)


def test_a_tree_explores_its_root_by_the_policy():
    """By five eighths of its log-odds, with a temperature of 0.25: as by all of them with 0.4.

    The highest is that of the net of values, which children in other worlds keep.
    """
    made = Position(["Fireball", "Wisp"], ["Bloodfen Raptor"], ["Chillwind Yeti"])
    _, policy = by_text(match.Table(nets.agent(random_net(2)), SETTING), made)
    table = match.Table(
        nets.agent(random_net(), policy=nets.store(random_net(2)), **TREE), SETTING)
    by_text(table, made)
    tree = table._context.trees[0]
    below = [one for one in tree.node[1:tree.n_nodes] if one.parent == 0]
    priors = sorted(int(one.prior) for one in below)
    assert priors[-1] == max(one.bias for one in below)
    odds = sorted(map(logit, policy.values()))
    expected = [priors[-1] / LOGIT - 0.625 * (odds[-1] - one) for one in odds]
    assert [one / LOGIT for one in priors] == pytest.approx(expected, abs=2e-3)
    inner = [one for one in tree.node[1:tree.n_nodes] if one.parent > 0]
    assert len(inner) > 10
    assert all(one.prior == one.bias for one in inner)


@pytest.mark.parametrize("search", [{"depth": 4, "nodes": 100}, REPLY], ids=["turn", "reply"])
def test_no_policy_stops_a_search_from_a_win_in_this_turn(search):
    """Fireball and the Yeti win together. Of four policies, some prefer to end the turn."""
    made, preferred = Position(["Fireball", "Wisp"], ["Chillwind Yeti"], []), set()
    made.g.char[15].health = 10  # player 1's hero
    for seed in range(2, 6):
        policy = random_net(seed)
        agent = nets.agent(random_net(), policy=nets.store(policy), **search)
        chosen, chances = by_text(match.Table(agent, SETTING), made)
        assert "the enemy hero" in chosen
        assert chances[chosen] > 0.999
        preferred.add(by_text(match.Table(nets.agent(policy), SETTING), made)[0])
    assert "end the turn" in preferred


@BOTH
def test_games_are_the_same_in_any_block(search):
    agents = np.concatenate([
        nets.agent(random_net(), policy=nets.store(random_net(3)), **search),
        nets.agent(random_net(2))])
    rows = np.zeros(3, match.PAIRING)
    rows["b"], rows["games"], rows["seed"] = 1, 2, np.arange(3)
    together = match.play_block(rows, agents, SETTING)
    apart = np.concatenate([match.play_block(rows[k:k + 1], agents, SETTING) for k in range(3)])
    assert (together == apart).all()
    assert (together["wins_a"] + together["wins_b"] + together["draws"] == 2).all()
    assert (together["faults"] == 0).all()


def test_specs():
    reply = read_agent("rl:2026?search=reply&hands=2")[0]
    assert reply["budget"][1:6].tolist() == [8, 1_000, 0, 2, 6]
    assert weighs_replies(reply)
    tree = read_agent("rl:2026?search=tree&iterations=50&c=0.5")[0]
    assert tree["budget"][[1, 4]].tolist() == [0, 50]
    assert tree["w"][2] == 0.5
    assert not weighs_replies(tree)


@pytest.mark.parametrize(("options", "said"), [
    ("search=turn&hands=3", "write search=reply&hands=N"),
    ("search=reply&iterations=3", "write search=tree&iterations=N"),
    ("iterations=3", "write search=tree&iterations=N"),
    ("search=tree&depth=3", "write search=turn&depth=N"),
    ("search=tree&temperature=0.5", "remove temperature"),
    ("search=reply&ends=17", "from 1 to 16"),
    ("search=lookahead", "one of none, turn, reply, tree"),
])
def test_specs_that_fit_no_search(options, said):
    with pytest.raises(AgentError, match=said):
        read_agent(f"rl:2026?{options}")


@pytest.mark.parametrize(("search", "place", "value"), [
    (REPLY, 5, 17), (REPLY, 4, 0), (TREE, 4, nets.MOST_ITERATIONS + 1), (TREE, 5, 1), (TREE, 4, -1),
])
def test_damaged_budgets_are_refused(search, place, value):
    one = nets.agent(random_net(), **search)
    check_agents(one)
    one["budget"][0, place] = value
    with pytest.raises(AgentError, match="budget"):
        check_agents(one)


def test_a_full_tree_still_answers():
    before = next(before for table, before in decisions(nets.agent(random_net(), 1.0), games=1)
                  if table.game.n_moves > 6 and table.game.pending == 0)
    table = match.Table(nets.agent(random_net(), iterations=130_000, c=0.1), SETTING)
    table.game = before
    assert table.decide() in table.moves
    tree = table._context.trees[0]
    assert tree.n_nodes == len(tree.node)
    assert tree.node[0].visits == 130_000
