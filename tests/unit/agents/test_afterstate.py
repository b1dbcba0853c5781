"""The learned policy: its integer network, what it must not see, and its specs and files."""

import json

import numpy as np
import pytest

from hsevo.agents.learned import nets
from hsevo.agents.learned.afterstate import power_of_two
from hsevo.agents.learned.nets import read_net, write_net
from hsevo.agents.network.features import GLOBAL, HELD, ONE, SIDES
from hsevo.agents.network.network import CARDS, CERTAIN, LOGIT, NET, SHIFT
from hsevo.agents.network.value import INVERSE
from hsevo.agents.registry import check_agents
from hsevo.agents.shared.scratch import HIDDEN, LEVELS
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import cards, ids
from hsevo.engine.jit import plain
from hsevo.engine.record.codec import hand_of, is_play
from hsevo.engine.record.state import BOARD, RUNNING
from hsevo.errors import AgentError
from hsevo.learning.learner import first_weights
from hsevo.play import match, participants
from hsevo.play.samples import HEAD
from hsevo.strength.roster import read_agent
from tests.rules.test_equations import Position

REVEALING = {card.id for card in cards("cig2018").values() if card.name in ("Dirty Rat", "Barnes")}
DECKS = tuple(map(read_deck, ("mage", "shaman", "warrior")))
SETTING = match.Setting(decks=DECKS)


def random_net(seed=1):
    """Return a net whose scores differ much from position to position."""
    weights = first_weights(seed)
    weights["third"] *= 10
    return nets.quantized(weights[0])


def reference_odds(net, begin, index, value):
    """Return the log-odds of one position by numpy, as network.py's docstring defines them."""
    both = np.zeros((2, HIDDEN), np.int64)
    for group in range(2 * BOARD):
        rows = slice(begin[group], begin[group + 1])
        if begin[group] < begin[group + 1]:
            card, *facts = index[rows]
            weights = net["minion"][group // BOARD][facts].astype(np.int64)
            total = ONE * net["card"][card].astype(np.int64) + value[rows][1:] @ weights
            both[group // BOARD] += np.maximum(total, 0) >> SHIFT
    rows = slice(begin[SIDES], begin[HELD])
    first = net["first"].astype(np.int64)
    wide = value[rows] @ first[index[rows]] + both.ravel() @ first[GLOBAL:]
    for group, name in enumerate(("held", "own", "enemy", "left", "rest"), HELD):
        rows = slice(begin[group], begin[group + 1])
        wide += value[rows] @ net[name][index[rows]].astype(np.int64)
    last = (np.maximum(wide, 0) >> SHIFT) @ net["second"].astype(np.int64) + net["bias"][:-1]
    return (np.maximum(last, 0) >> SHIFT) @ net["third"].astype(np.int64) + net["bias"][-1]


def positions(samples, words):
    """Yield begin, index and value of all samples."""
    for one in samples:
        at, n = one["at"] + HEAD, one["n"]
        yield (words[one["at"]:at].astype(int), words[at:at + n].astype(int),
               words[at + n:at + 2 * n].astype(np.int16).astype(int))


def decisions(agent, games=4, seed=1):
    """Yield a table at every decision of some games of an agent against itself."""
    table = match.Table(agent, SETTING)
    for k in range(games):
        row = np.zeros((), match.PAIRING)
        row["deck_a"], row["deck_b"], row["games"], row["seed"] = k % 3, (k + 1) % 3, 1, seed
        table.deal(row, k)
        while table.game.result == RUNNING:
            before = table.state.copy()
            yield table, before
            table.game = before
            table.move(table.decide())


def hide(game, random):
    """Deal anew what the player to move cannot see; the numbers of cards stay."""
    for player in (0, 1):
        s = game.side[player]
        other = player != game.me
        n_hand, n_deck, n_secrets = int(s.n_hand), int(s.n_deck), int(s.n_secrets)
        pool = s.deck[:n_deck].tolist()
        if other:
            pool += s.hand["card"][:n_hand].tolist()
        random.shuffle(pool)
        s.deck[:n_deck] = pool[:n_deck]
        if other:
            s.hand["card"][:n_hand] = pool[n_deck:]
            s.secret["card"][:n_secrets] = random.permutation(s.secret["card"][:n_secrets])
    game.rng = random.integers(2**63)


def log_odds_of(table):
    """Return the log-odds after each move of the agent whose turn it is."""
    table.think()
    return table._context.scratch[0].log_odds[:table.game.n_moves].copy()


def may_reveal(table):
    """Return whether the player to move holds a card as in `reveals`, which a search may play."""
    s = table.game.side[int(table.game.me)]
    return any(ids("cig2018")[card] in REVEALING for card in s.hand["card"][:s.n_hand])


def reveals(table, move):
    """Return whether a move plays a card that puts a random hidden card into play.

    Which one is drawn from those that the player knows to be there, but by their order.
    """
    if not plain(is_play)(move):
        return False
    s = table.game.side[int(table.game.me)]
    return ids("cig2018")[s.hand["card"][plain(hand_of)(move)]] in REVEALING


def test_the_policy_sees_nothing_hidden():
    """Not even which card an action would draw: the odds after it stay, to the last bit."""
    random, compared, others = np.random.default_rng(1), 0, 0
    for table, before in decisions(nets.agent(random_net(), 1.0), games=9):
        odds = log_odds_of(table)
        moves = table.moves
        table.game = before
        hide(table.game, random)
        fit = np.array([not reveals(table, int(move)) for move in moves])
        assert (log_odds_of(table)[fit] == odds[fit]).all()
        compared, others = compared + fit.sum(), others + (~fit).sum()
    assert compared > 3_000
    assert others < 100


def test_its_search_sees_nothing_hidden_either():
    """Up to random outcomes, which end a line; what a card drawn would be is unknown, too."""
    random, compared = np.random.default_rng(2), 0
    agent = nets.agent(random_net(), 1.0, depth=3, nodes=60, samples=1)
    for table, before in decisions(agent, games=4):
        if may_reveal(table):
            continue
        odds = log_odds_of(table)
        table.game = before
        hide(table.game, random)
        assert (log_odds_of(table) == odds).all()
        compared += len(odds)
    assert compared > 1_000


def test_one_action_deep_the_search_is_the_policy():
    """To the bit: same simulations, same random streams, END TURN included."""
    net, compared = random_net(), 0
    search = match.Table(nets.agent(net, depth=1, nodes=1), SETTING)
    for table, before in decisions(nets.agent(net), games=3):
        odds = log_odds_of(table)
        table.game = search.game = before
        assert (np.minimum(log_odds_of(search), CERTAIN) == odds).all()
        search.game = before
        assert search.decide() == table.decide()
        compared += len(odds)
    assert compared > 1_000


def test_two_actions_deep_it_is_the_best_that_the_policy_sees_after_one():
    net = random_net()
    made = Position(["Fireball"], ["Wisp", "Chillwind Yeti"], ["Bloodfen Raptor"])
    deep, plain = (match.Table(nets.agent(net, depth=depth, nodes=10_000), SETTING)
                   for depth in (2, 0))
    deep.game = plain.game = made.g
    now, later = log_odds_of(plain), log_odds_of(deep)
    assert len(later) > 8
    assert later[0] == now[0]  # END TURN
    assert (later > now).any()
    for move, odds in zip(deep.moves[1:], later[1:], strict=True):
        plain.game = made.g
        plain.move(int(move))
        assert odds == log_odds_of(plain).max()


def test_a_searching_policy_has_probabilities_too():
    table, _ = next(decisions(nets.agent(random_net(), 1.0, depth=3, nodes=50)))
    assert sum(score for score in table.think()[1].values() if score > 0) == pytest.approx(1)


@pytest.mark.parametrize("depth", [0, 3])
def test_a_policy_that_takes_the_best_move_shows_how_likely_each_wins(depth):
    agent, checked = nets.agent(random_net(), depth=depth, nodes=50), 0
    for table, _ in decisions(agent):
        move, scores = table.think()
        odds = table._context.scratch[0].log_odds[:table.game.n_moves] / LOGIT
        shown = np.array([*scores.values()])
        weighed = shown >= 0
        assert shown[weighed] == pytest.approx(1 / (1 + np.exp(-odds[weighed])))
        assert scores[move] == shown.max()
        checked += weighed.sum() > 1
    assert checked > 10


def test_the_integer_network_is_what_its_docstring_says():
    """Also where only what differs from the last position is added: temperature 1 tells."""
    net, checked = random_net(), 0
    agent = nets.agent(net, 1.0)
    for table, _ in decisions(agent, games=2):
        before = table.state.copy()
        _, scores = table.think()
        weights = [np.log(score) for score in scores.values() if score > 0]
        odds = table._context.scratch[0].log_odds[:table.game.n_moves]
        known = [int(one) for one in odds if abs(int(one)) < 20 * LOGIT]
        if len(known) == len(weights) > 1:
            np.testing.assert_allclose(np.diff(weights), np.diff(known) / LOGIT,
                                       rtol=1e-4, atol=1e-6)  # of INVERSE_ONE
            checked += 1
        table.game = before
    assert checked > 20


def test_the_network_by_numpy():
    """The first position of a decision and the later ones have the sums that numpy finds."""
    net = random_net()
    agent = nets.agent(net)
    rows = np.zeros(1, match.PAIRING)
    rows["games"], rows["seed"] = 1, 4
    _, samples, words = match.record_block(rows, agent, SETTING)
    best = {}
    for table, _ in decisions_of(rows, agent):
        table.think()
        odds = table._context.scratch[0].log_odds[:table.game.n_moves]
        best[len(best)] = int(odds.max())
    found = [int(reference_odds(net, *one)) for one in positions(samples, words)]
    shared = [one for one in found if one in set(best.values())]
    assert len(shared) > 0.8 * len(found)  # a random outcome may differ from the one looked at
    assert np.dtype(NET).itemsize < 1_600_000 / 2048 * CARDS  # as tight per card as ever


def test_what_is_kept_of_minions_depends_on_nothing_earlier():
    """In a game of two nets, a table has the odds of a table that has seen no other decision."""
    agents = np.concatenate([nets.agent(random_net(seed)) for seed in (1, 2)])
    rows = np.zeros(1, match.PAIRING)
    rows["games"], rows["seed"], rows["b"] = 1, 4, 1
    compared = 0
    for table, before in decisions_of(rows, agents):
        fresh = match.Table(agents, SETTING)
        fresh.deal(rows[0], 0)
        fresh.game = before
        assert (log_odds_of(table) == log_odds_of(fresh)).all()
        compared += len(table.game.moves[:table.game.n_moves])
    assert compared > 100


@pytest.mark.parametrize("depth", [0, 2])
def test_samples_have_the_odds_that_the_actor_found(depth):
    agent = nets.agent(random_net(), 0.1, depth, 20 * depth)
    rows = np.zeros(1, match.PAIRING)
    rows["games"], rows["seed"] = 1, 4
    found = []
    for table, before in decisions_of(rows, agent):
        odds = log_odds_of(table) / LOGIT
        table.game = before
        found.append(np.float32(odds[table.moves.tolist().index(table.decide())]))
    _, samples, _ = match.record_block(rows, agent, SETTING)
    order = iter(found)
    assert all(odds in order for odds in samples["odds"])  # but those of actions that end the game
    assert len(samples) > 0.9 * len(found) > 20


def decisions_of(rows, agent):
    """Yield a table at every decision of game 0 of a pairing."""
    table = match.Table(agent, SETTING)
    table.deal(rows[0], 0)
    while table.game.result == RUNNING:
        before = table.state.copy()
        yield table, before
        table.game = before
        table.move(table.decide())


def test_powers_of_two():
    x = np.arange(0, 20 * 65536, 977)
    found = np.array([int(plain(power_of_two)(one)) for one in x]) / 2**30
    np.testing.assert_allclose(found, 2.0**(-x / 65536), rtol=3e-4, atol=2**-29)
    assert plain(power_of_two)(1 << 50) == 0


def test_sampled_moves_follow_the_probabilities():
    agent = nets.agent(random_net(2), 2.0)
    table, before = next(decisions(agent))
    _, scores = table.think()
    counts = dict.fromkeys(scores, 0)
    for k in range(2_000):
        table.game = before
        table.game.lookahead_rng = k * 7919
        counts[table.decide()] += 1
    shares = np.array([counts[move] / 2_000 for move in scores])
    assert np.abs(shares - [*scores.values()]).max() < 0.1


def test_a_file_keeps_a_net(tmp_path):
    net = random_net()
    write_net(tmp_path / "some.npz", net)
    assert read_net(tmp_path / "some.npz").tobytes() == net.tobytes()
    assert read_agent(f"rl:{tmp_path}/some.npz").tobytes() == nets.agent(net).tobytes()
    assert read_agent(f"rl:{tmp_path}/some.npz?temperature=0.5")["budget"][0, INVERSE] > 0
    searcher = read_agent(f"rl:{tmp_path}/some.npz?search=turn&nodes=50")
    assert searcher["budget"][0].tolist() == [0, 3, 50, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"nothing like a net"])
def test_a_file_without_a_net_is_refused(tmp_path, data):
    (tmp_path / "bad.npz").write_bytes(data)
    with pytest.raises(AgentError, match=r"bad\.npz is damaged, or not a network of hsevo$"):
        read_agent(f"rl:{tmp_path}/bad.npz")


@pytest.mark.parametrize(("spec", "said"), [
    ("rl", "write 'rl:2026', 'rl:2027', 'rl:ppo-2026', 'rl:text-2026', 'rl:RUN'"),
    ("rl:", "write 'rl:2026', 'rl:2027', 'rl:ppo-2026', 'rl:text-2026', 'rl:RUN'"),
    ("rl:nowhere", "no file or run folder nowhere"),
    ("rl:nowhere?temperature=11", "from 0.0 to 10.0"),
    ("rl:nowhere?depth=4", "write search=turn&depth=N"),
    ("rl:nowhere?search=deep", "one of none, turn"),
])
def test_specs_that_name_no_net(spec, said):
    with pytest.raises(AgentError, match=said):
        read_agent(spec)


def test_agents_with_an_unknown_net_or_budget_are_refused():
    one = nets.agent(random_net())
    check_agents(one)
    one["w"][0, 0] += 1
    with pytest.raises(AgentError, match="not loaded in this process"):
        check_agents(one)
    one = nets.agent(random_net())
    for place, value in ((7, 3), (1, LEVELS + 1), (3, -1)):
        bad = one.copy()
        bad["budget"][0, place] = value
        with pytest.raises(AgentError, match="budget"):
            check_agents(bad)


def test_decks_of_other_cards_are_refused():
    setting = match.Setting("hearthsim", (read_deck("taunts-1"),))
    with pytest.raises(AgentError, match="does not know the cards of deck 'taunts-1', which only"):
        match.context(nets.agent(random_net()), setting, match.new_scratch())


ADVISED = pytest.mark.parametrize("advised", [False, True], ids=["alone", "with a policy"])


def with_policy(advised):
    """Return an agent that searches a turn by a net, with the net of a policy or without."""
    policy = nets.store(random_net(6)) if advised else None
    return nets.agent(random_net(5), depth=2, nodes=20, policy=policy)


@ADVISED
def test_a_cast_keeps_the_nets(monkeypatch, advised):
    agent = with_policy(advised)
    data = json.loads(json.dumps(participants.agent_data(agent[0])))
    carried = nets.carried(agent)
    monkeypatch.setattr(nets, "_store", {})
    again = participants.agent_of(data)
    check_agents(again)
    assert again.tobytes() == agent.tobytes()
    assert [net.tobytes() for net in nets.carried(again)] == [net.tobytes() for net in carried]
    assert len(carried) == 1 + advised
    if advised:
        del data["policy"]
        monkeypatch.setattr(nets, "_store", {})
        with pytest.raises(AgentError, match="not loaded"):
            check_agents(participants.agent_of(data))


@ADVISED
def test_jobs_carry_nets_to_processes_that_lack_them(monkeypatch, advised):
    agent = with_policy(advised)
    carried = nets.carried(agent)
    rows = np.zeros(1, match.PAIRING)
    rows["games"] = 1
    here = match.play_block(rows, agent, SETTING)
    monkeypatch.setattr(nets, "_store", {})
    assert (match.play_block(rows, agent, SETTING, *carried) == here).all()


def test_games_share_the_network_that_they_read():
    """A server has hundreds at once; each read 1.5 MB of its own."""
    one = read_agent("rl:2026")
    first, other = (nets.numbered(one.reshape(-1).copy()) for _ in range(2))
    assert first.shape == (1,)
    assert np.shares_memory(first, other)
