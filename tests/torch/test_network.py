"""The end-to-end network on positions of real games: masks, memory, slots, gradients."""

import copy

import numpy as np
import pytest
import torch

from hsevo import learning
from hsevo.agents.learned import nets
from hsevo.cards.decks import read_deck
from hsevo.config.learning import NetworkSettings
from hsevo.engine.view.actions import WHATS
from hsevo.learning.acting.jobs import Deals, play_all
from hsevo.learning.acting.rounds import Round, play
from hsevo.learning.acting.shapes import places, pointed_at
from hsevo.learning.batch import actions_of, moves_of
from hsevo.learning.end_to_end.learner import draw_decks
from hsevo.learning.end_to_end.losses import aims, losses
from hsevo.learning.end_to_end.network import Network
from hsevo.learning.end_to_end.saved import actor_of
from hsevo.learning.end_to_end.updates import LearnerBatch, batch_of
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting
from hsevo.strength.roster import read_agent

TINY = NetworkSettings(embedding=5, width=8, lstm=7)


def network(seed: int = 1, settings: NetworkSettings = TINY) -> Network:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return Network(settings)


def games_of(net: Network) -> Round:
    """Return games of a network against itself, whose moves the engine has checked."""
    decks = [read_deck(name) for name in ("murloc-druid", "reno-dragon-priest")]
    dealt, seeds = draw_decks(decks, 24, 5)
    games = GameBatch.new(*zip(*dealt, strict=True), seeds, "msg2017")
    return play(games, [actor_of(net)], np.zeros((24, 2), int), seeds, record=0)


@pytest.fixture(scope="module")
def played() -> Round:
    """Games of a random network."""
    return games_of(network())


def positions(played: Round, n: int = 200) -> tuple[torch.Tensor, torch.Tensor]:
    """Return n observations and their legal moves, from the middles of games on."""
    which = np.linspace(0, len(played.chosen) - 1, n).astype(int)
    return (torch.from_numpy(played.observations[which]),
            torch.from_numpy(played.legal[which].astype(np.int64)))


def test_games_end_and_both_players_are_recorded(played):
    assert (played.results > 0).all()
    assert len(played.lengths) == 48
    assert played.rewards.reshape(24, 2).sum(1).tolist() == [0] * 24
    assert set(np.unique(played.chosen[:, 0])) > {0, 9, 10}  # end, hero power, a card
    assert len(np.unique(played.chosen[:, 2])) > 1  # places


@pytest.mark.parametrize("settings", [TINY, TINY.model_copy(update={"history": True})])
def test_chosen_moves_are_legal_and_their_chances_are_those_of_review(settings):
    """The memory of a game, step by step, is that of the packed sequence of whole games."""
    net = network(settings=settings)
    batch = batch_of(games_of(net), np.arange(48))
    with torch.no_grad():
        now = net.review(batch.observations, batch.legal, batch.chosen, batch.alive)
    assert batch.grid(now.log_policy).numpy() == pytest.approx(
        batch.log_behaviour.numpy(), abs=1e-5)
    assert (now.entropy >= 0).all()
    assert (now.log_policy <= 0).all()


def test_a_trajectory_is_reviewed_alike_in_any_company(played):
    net = network()
    together = batch_of(played, np.arange(48))
    order = np.argsort(-played.lengths, kind="stable")
    with torch.no_grad():
        values = together.grid(net.review(*together[:3], together.alive).value)
        for column in (0, 20, 47):
            alone = batch_of(played, order[[column]])
            value = net.review(*alone[:3], alone.alive).value
            assert value.numpy() == pytest.approx(values[:len(value), column].numpy(), abs=1e-5)


def test_rewards_come_with_the_last_decision(played):
    batch = batch_of(played, np.arange(48))
    assert batch.valid.sum(0).tolist() == sorted(played.lengths, reverse=True)
    ends = batch.valid & ~torch.cat([batch.valid[1:], torch.zeros(1, 48, dtype=torch.bool)])
    assert (batch.rewards[~ends] == 0).all()
    assert batch.rewards[ends].abs().sum() == (played.results != 3).sum() * 2
    assert batch.rewards.sum() == 0


def all_scores(net: Network, seen: torch.Tensor) -> torch.Tensor:
    """Return the score of each `what`, legal or not, (n, WHATS), with an empty memory."""
    places, _ = net.look(seen)
    game = torch.arange(len(seen)).repeat_interleave(WHATS)
    option = torch.arange(WHATS).repeat(len(seen))
    vectors = places.at(game, net.of_what[option])
    return net.what(vectors, option, torch.zeros(len(seen), TINY.lstm), game).reshape(-1, WHATS)


def test_moves_of_two_cards_change_places_with_the_cards(played):
    """Slots have no meaning of their own: swapping two cards of a hand swaps their scores."""
    seen, _ = positions(played)
    hand = learning.blocks()["hand"]
    swapped = seen.clone()
    rows = swapped[:, hand.offset:hand.end].reshape(-1, *hand.shape)
    rows[:, [0, 1]] = rows[:, [1, 0]]
    swapped[:, hand.offset:hand.end] = rows.flatten(1)
    net, first = network(), learning.actions().query("part == 'what' and block == 'hand'").index[0]
    with torch.no_grad():
        scores, other = (all_scores(net, one) for one in (seen, swapped))
    assert torch.allclose(scores[:, [first, first + 1]], other[:, [first + 1, first]], atol=1e-6)
    assert not torch.allclose(scores[:, first], scores[:, first + 1])


def test_equal_cards_of_a_hand_have_the_same_chance(played):
    """So what a teacher does with one of them teaches as much of the other."""
    seen, legal = positions(played)
    hand, cards = learning.blocks()["hand"], learning.actions().query("part == 'what'")
    first = cards[cards.block == "hand"].index[0]
    rows = seen[:, hand.offset:hand.end].reshape(-1, *hand.shape)
    rows[:, 1], legal[:, first + 1] = rows[:, 0], legal[:, first]
    seen[:, hand.offset:hand.end] = rows.flatten(1)
    can = legal[:, first] != 0
    seen, legal = seen[can], legal[can]
    assert len(seen) > 50
    moves = torch.zeros(2, len(seen), 3, dtype=torch.int64)
    moves[:, :, 0] = torch.tensor([[first], [first + 1]])
    at, where = ((legal[:, first, None] >> bits) & 1 for bits in (torch.arange(17),
                                                                  torch.arange(17, 24)))
    moves[:, :, 1], moves[:, :, 2] = at.argmax(1), where.argmax(1)
    with torch.no_grad():
        one, other = network().review_each(seen, legal, [*moves], torch.tensor([len(seen)]))
    assert torch.allclose(one.log_policy, other.log_policy, atol=1e-6)


def test_each_action_points_at_the_card_it_is_about(played):
    """The card number at the place of each `what` and `at`, read from the observation itself."""
    seen, _ = positions(played)
    net, table = network(), learning.actions()
    with torch.no_grad():
        vectors_of, _ = net.look(seen)
    for part in ("what", "at"):
        lines = table[table.part == part]
        pointed = pointed_at(part, places(TINY))
        for place, block, row in zip(pointed, lines.block, lines.row, strict=True):
            found = vectors_of.at(torch.arange(len(seen)), torch.tensor(place))
            if not block:
                assert (found == net.nothing).all()
                continue
            layer = next(one for one in net.places if one.block.name == block)
            with torch.no_grad():
                vectors, games, rows = layer(seen)
            taken = games[rows == row]
            assert torch.equal(found[taken], vectors[rows == row])
            assert not np.delete(found.numpy(), taken.numpy(), 0).any()  # nothing is there


def test_gradients_of_the_whole_network_by_finite_differences(played):
    """Double precision; of V-trace's targets and ratios none flow, so they are kept fixed."""
    net = network().double()
    batch = batch_of(played, np.array([3, 11, 30]))
    batch = LearnerBatch(*(
        part.double() if part is not None and part.dtype == torch.float32 else part
        for part in batch))
    fixed = _frozen(net, batch)
    fixed(net).backward()
    checked = 0
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None, name
        k = int(parameter.grad.abs().flatten().argmax())
        above, below = (_moved(net, name, k, by, fixed) for by in (1e-6, -1e-6))
        slope = parameter.grad.flatten()[k].item()
        assert (above - below) / 2e-6 == pytest.approx(slope, rel=1e-4, abs=1e-8), name
        checked += slope != 0
    assert checked > 20


def _frozen(net: Network, batch: LearnerBatch):
    """Return the loss of a batch with what it teaches as `net` sees it now."""
    def grids(one: Network) -> list[torch.Tensor]:
        now = one.review(batch.observations, batch.legal, batch.chosen, batch.alive)
        return [batch.grid(part) for part in now]

    logs, values, _ = (part.detach() for part in grids(net))
    hyper = NetworkSettings()
    aim = aims(logs, values, batch.log_behaviour, batch.rewards, batch.valid, hyper)
    return lambda one: losses(*grids(one), batch.log_behaviour, batch.valid, aim, hyper).total


def _moved(net: Network, name: str, k: int, by: float, loss) -> float:
    """Return the loss with one parameter changed."""
    other = copy.deepcopy(net)
    with torch.no_grad():
        dict(other.named_parameters())[name].flatten()[k] += by
        return loss(other).item()


def test_against_a_compiled_agent_only_the_network_is_recorded():
    deck = read_deck("mage")
    games = GameBatch.new(deck, deck, range(8))
    who = np.array([[0, 1], [1, 0]] * 4)
    round_ = play(games, [actor_of(network()), read_agent("eva:2018")], who, np.arange(8), record=0)
    assert (round_.results > 0).all()
    assert round_.owners.tolist() == [[k, k % 2] for k in range(8)]


def test_a_teacher_is_asked_in_each_decision_and_changes_no_game():
    """Played again move by move, it would do what is said, at the same place of each game."""
    deck, net, teacher = read_deck("mage"), actor_of(network()), read_agent("eva:2018")
    who, seeds = np.zeros((6, 2), int), np.arange(6)
    plain, taught = (play(GameBatch.new(deck, deck, seeds), [net], who, seeds, 0, teacher=one)
                     for one in (None, teacher))
    assert plain.taught.shape == (len(plain.chosen), 0)
    assert plain.chosen.tolist() == taught.chosen.tolist()
    games, at = GameBatch.new(deck, deck, seeds), np.cumsum(taught.lengths) - taught.lengths
    while games.running.any():
        which = np.flatnonzero(games.running)
        rows = at[2 * which + games.players[which]]
        at[2 * which + games.players[which]] += 1
        some = games.take(which)
        said = actions_of(some.take(slice(None)).ask(teacher), some)
        assert taught.taught[rows].tolist() == said.tolist()
        moves = np.zeros(6, int)
        moves[which] = moves_of(taught.chosen[rows])
        games.step(moves)
    assert (at == np.cumsum(taught.lengths)).all()


class Elsewhere:
    """A worker that knows no net beforehand."""

    workers = 1

    def __call__(self, job, arguments):
        for one in [*arguments]:
            nets._store.clear()
            yield job(*one)


def test_workers_get_the_net_of_a_teacher():
    deck, teacher = read_deck("mage"), read_agent("rl:2026")
    deals = Deals(np.zeros((2, 2), int), [(deck, deck)] * 2, np.arange(2, dtype=np.uint64),
                  Setting())
    played, _ = play_all(Elsewhere(), [actor_of(network())], deals, record=0, teacher=teacher)
    assert played.taught.shape == (len(played.chosen), 3)


def test_a_round_is_the_same_whatever_else_is_in_it():
    """Bit by bit: draws belong to a game and its player, and sums have one order."""
    deck, net = read_deck("mage"), actor_of(network())
    whole, part = (play(GameBatch.new(deck, deck, range(n)), [net], np.zeros((n, 2), int),
                        np.arange(n), record=0)
                   for n in (12, 5))
    assert part.results.tolist() == whole.results[:5].tolist()
    assert part.chosen.tolist() == whole.chosen[:len(part.chosen)].tolist()
    assert part.log_behaviour.tolist() == whole.log_behaviour[:len(part.chosen)].tolist()
