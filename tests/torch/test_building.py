"""Deck building: decks keep the rules, random-CB is uniform and teaches nothing."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

import hsevo
from hsevo.cards.database import DeckDatabase
from hsevo.cards.decks import SIZE, check_deck, read_deck, standard
from hsevo.cards.tables import ids
from hsevo.cards.terms import Class
from hsevo.cli.root import main
from hsevo.config.learning import NetworkSettings
from hsevo.errors import AgentError
from hsevo.learning.acting import agents as acting
from hsevo.learning.acting.actor import CLASS
from hsevo.learning.acting.drafts import Draft, build_decks, peeked, uniform
from hsevo.learning.acting.pool import card_pool, random_cards
from hsevo.learning.acting.rounds import ENEMY_DECK, Round
from hsevo.learning.end_to_end.drafts import Picked, review
from hsevo.learning.end_to_end.human_decks import HumanDecks
from hsevo.learning.end_to_end.learner import SERIAL, Learner, draw_decks, win_rate
from hsevo.learning.end_to_end.network import Builder, Network
from hsevo.learning.end_to_end.saved import actor_of
from hsevo.learning.end_to_end.updates import batch_of, loss_of
from hsevo.play.workers import open_workers
from hsevo.seeds import Stream, derive
from hsevo.strength.roster import read_agent
from tests.torch.support import but, plan_of

TINY = NetworkSettings(embedding=5, width=8, lstm=7)
OWNERS = torch.arange(1, 10).repeat(3)


@pytest.fixture(scope="module")
def network() -> Network:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        made = Network(TINY)
        made.builder = Builder(made.cards, card_pool("cig2018"), TINY)
        return made


@pytest.fixture(scope="module")
def builder(network: Network) -> Builder:
    assert isinstance(network.builder, Builder)
    return network.builder


@pytest.fixture(scope="module")
def built(network: Network) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Three decks of each class: of how many cards were uniform, picks, log probabilities."""
    uniform = torch.arange(27) % 5
    draws = np.random.default_rng(1).random((27, SIZE))
    found = actor_of(network).build(OWNERS.numpy(), uniform.numpy(), draws)
    return uniform, *map(torch.from_numpy, found)


def test_decks_keep_the_rules(builder, built):
    for owner, picks in zip(OWNERS.tolist(), built[1].numpy(), strict=True):
        deck = check_deck(builder.pool.deck(owner, picks))
        assert standard(deck) == []
        assert deck.hero_class == Class(owner).name


def test_review_agrees_with_building(builder, built):
    uniform, picks, logs = built
    now = builder.review(OWNERS, uniform, picks)
    assert torch.allclose(now.log_policy.reshape(27, SIZE), logs, atol=1e-5)


def test_random_cards_are_uniform_and_teach_nothing(builder, built):
    """The first card: 1 of those that the class may have; no gradient of its log probability."""
    _, picks, _ = built
    now = builder.review(OWNERS, torch.ones(27, dtype=torch.int64), picks)
    first = now.log_policy.reshape(27, SIZE)[:, 0]
    open_ = (builder.pool.most > 0).sum(1)[OWNERS]
    assert first.detach().numpy() == pytest.approx(-np.log(open_), rel=1e-5)
    builder.zero_grad()
    (first.sum() + now.entropy.reshape(27, SIZE)[:, 0].sum()).backward()
    assert (builder.query.weight.grad == 0).all()


def test_how_many_are_random():
    counts = np.bincount(random_cards(np.arange(8000) / 8000), minlength=5)
    assert counts.tolist() == [4000, 2000, 1000, 0, 1000]


QUICK = plan_of(decks=["mage", "warrior"], build=True)


def test_a_learner_that_builds_goes_on_exactly(tmp_path: Path):
    """It learns to build, too; with isolation, each class has a branch, and a network, of its own.
    """
    learner = Learner(but(QUICK, seed=3, isolate=True))
    networks = list(learner.network.networks.values())
    before = [(one.builder.query.weight.clone(), one.trunk.weight.clone()) for one in networks]
    learner.round()
    for (query, trunk), one in zip(before, networks, strict=True):
        assert not torch.equal(query, one.builder.query.weight)
        assert not torch.equal(trunk, one.trunk.weight)
    assert not torch.equal(*(one.trunk.weight for one in networks))
    assert all(one.builder.cards.weight is one.cards.weight for one in networks)
    learner.save(tmp_path / "one.pt")
    other = Learner.load(tmp_path / "one.pt")
    assert repr(other.round()) == repr(learner.round())
    assert all(torch.equal(a, b) for a, b in zip(
        learner.network.parameters(), other.network.parameters(), strict=True))


def play_round(learner: Learner) -> tuple[Round, Draft]:
    """Play a round of seed 5; return it and its draft."""
    with open_workers(SERIAL) as executor:
        played, draft, *_ = learner._play(5, executor)
    assert draft is not None
    return played, draft


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("shown", ["hidden", "peek"])
def test_what_is_learned_from_is_what_was_built(isolate, shown):
    """Trajectory by trajectory: the same class as in its battle, the same chances as when built."""
    learner = Learner(but(QUICK, seed=3, isolate=isolate, opponent_deck=shown))
    played, draft = play_round(learner)
    batch = batch_of(played, np.arange(16), draft)
    first = batch.observations[:16, CLASS].tolist()
    assert batch.draft.owners.tolist() == first
    assert set(first) == {Class.MAGE, Class.WARRIOR}
    assert len(batch.draft.uniform.unique()) > 1
    now = review(learner.network, batch.draft)
    assert torch.allclose(now.log_policy, batch.draft.logs.T, atol=1e-5)


def test_who_peeks_sees_the_first_cards_that_the_other_chose():
    """In the battle the first n, and no more than the learner if it is its opponent."""
    learner = Learner(but(QUICK, seed=3, opponent_deck="peek"))
    played, draft = play_round(learner)
    other = np.arange(len(draft.picks)) ^ 1
    assert np.array_equal(draft.theirs, draft.picks[other])
    learns = 2 * np.arange(QUICK.games_per_round) + np.arange(QUICK.games_per_round) % 2
    assert (draft.peeks[learns] >= draft.peeks[learns ^ 1]).all()
    assert len(np.unique(draft.peeks)) > 5
    numbers = card_pool("cig2018").numbers
    seen = np.split(played.observations[:, ENEMY_DECK], np.cumsum(played.lengths)[:-1])
    for (game, seat), rows in zip(played.owners.tolist(), seen, strict=True):
        row = 2 * game + seat
        first = numbers[draft.picks[row ^ 1, :draft.peeks[row]]]
        expected = np.zeros(rows.shape[1], int)
        expected[:len(first)] = np.sort(first)
        assert (rows == expected).all()


def test_what_is_seen_of_the_other_while_building_counts():
    """Nothing before the first card that is seen, and nothing that was not chosen yet."""
    learner = Learner(but(QUICK, seed=3, opponent_deck="peek"))
    _, draft = play_round(learner)
    with torch.no_grad():
        now = review(learner.network, Picked.of(draft)).log_policy.numpy()
        blind = review(learner.network, Picked.of(replace(
            draft, peeks=np.zeros_like(draft.peeks)))).log_policy.numpy()
    none = draft.peeks == 0
    assert np.array_equal(now[0], blind[0])
    assert np.allclose(now[:, none], blind[:, none])
    free = np.arange(30)[:, None] >= draft.uniform
    assert (np.abs(now - blind)[:, ~none][free[:, ~none]] > 1e-6).mean() > 0.9


def test_the_outcome_teaches_both_branches():
    """On policy, with gamma 1, all targets are the outcome, those of deck building too."""
    learner = Learner(but(QUICK, seed=3))
    played, draft = play_round(learner)
    batch = batch_of(played, np.arange(16), draft)
    lost = loss_of(learner.network, batch, QUICK.network.model_copy(
        update={"policy": 0, "upgo": 0, "entropy": 0}))
    outcome = batch.rewards.sum(0)
    with torch.no_grad():
        builds = review(learner.network, batch.draft).value
        now = learner.network.review(*batch[:3], batch.alive)
        battles = batch.grid(now.value)
    errors = torch.cat([(builds - outcome).flatten(), (battles - outcome)[batch.valid]])
    assert lost.value.item() == pytest.approx((errors**2).mean().item() / 2, rel=1e-4)


def test_measured_decks_are_its_own_without_random_cards_and_agents_keep_theirs():
    learner = Learner(but(QUICK, seed=3))
    who = np.stack([np.arange(6) % 2, 1 - np.arange(6) % 2], 1)
    dealt, seeds = draw_decks(learner.decks, 6, 4)
    players = [actor_of(learner.network), read_agent("random")]
    built, draft = build_decks(players, who, dealt, seeds, False, peeked(seeds))
    assert (draft.uniform == 0).all()
    for k in range(6):
        mine, theirs = k % 2, 1 - k % 2
        assert built[k][theirs] == dealt[k][theirs]
        assert built[k][mine].name == "built"
        assert built[k][mine].hero == dealt[k][mine].hero
    assert win_rate(learner, "random", 6, seed=4).value <= 1


def test_examples_are_human_lists_of_the_classes():
    """Each is a known list of its class in some order; the same key draws the same ones."""
    pool, owners = card_pool("cig2018"), np.array([int(Class.MAGE), int(Class.WARRIOR)] * 20)
    decks = HumanDecks(pool, "cig2018", {*owners.tolist()})
    draft = decks.draw((1, 2), owners)
    known = {one: {tuple(sorted(row)) for row in DeckDatabase.load().of_class(
        Class(one)).split("known").decks.tolist()} for one in {*owners.tolist()}}
    number = {id: k for k, id in enumerate(ids("cig2018"))}
    for owner, picks in zip(owners.tolist(), draft.picks, strict=True):
        deck = check_deck(pool.deck(owner, picks))
        assert tuple(sorted(number[id] for id in deck.ids)) in known[owner]
    assert len({tuple(picks) for picks in draft.picks.tolist()}) > 30
    assert (np.sort(draft.picks, 1) != draft.picks).any()
    assert np.array_equal(decks.draw((1, 2), owners).picks, draft.picks)
    assert not np.array_equal(decks.draw((1, 3), owners).picks, draft.picks)


def test_with_examples_it_learns_to_build_as_people_do():
    """A card by chance of some 400 has a cross-entropy of 6, of which 40 updates take a part."""
    learner = Learner(plan_of(
        4, decks=["mage", "warrior"], seed=3, rate=2e-2, updates=4, build=True, start="eva:2018",
        start_periods=100, kickstart=1.0, kickstart_decks=3.0))
    decks = HumanDecks(card_pool("cig2018"), "cig2018", {int(Class.MAGE), int(Class.WARRIOR)})
    draft = Picked.of(decks.draw((9,), np.array([int(Class.MAGE), int(Class.WARRIOR)] * 30)))

    def surprise() -> float:
        with torch.no_grad():
            return -float(review(learner.network, draft).log_policy.mean())

    before = surprise()
    for _ in range(5):
        learner.round()
    assert before == pytest.approx(6, abs=0.3)
    assert surprise() < before - 0.5


def test_decks_of_a_run_are_written(switched_run, tmp_path):
    """Each is legal, of its class; equal seeds are equal decks; the best deck is always the same.
    """
    run = switched_run
    decks = run.build_decks(3, seed=5)
    assert [deck.name for deck in decks] == [f"{name}-{k}" for name in ("mage", "warrior")
                                             for k in (1, 2, 3)]
    assert all(deck.check(format="standard") == [] for deck in decks)
    assert run.build_decks(3, seed=5) == decks
    assert run.build_decks(3, seed=6) != decks
    best = run.build_decks(2, classes=["mage"], temperature=0)
    assert sorted(best[0].ids) == sorted(best[1].ids)
    result = CliRunner().invoke(main, ["decks", "built", str(run.path), "--seed", "5", "--number",
                                       "3", "--output", str(tmp_path / "codes.txt")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "codes.txt").read_text().split() == [deck.code for deck in decks]


@pytest.mark.parametrize(("options", "says"), [
    (["--class", "priest"], "this policy has networks only for mage, warrior, not for priest"),
    (["--class", "mge"], "unknown class 'mge'; did you mean"),
    (["--format", "text"], "a deck file holds one deck"),
])
def test_decks_that_cannot_be_built_are_one_line(switched_run, options, says):
    result = CliRunner().invoke(main, ["decks", "built", str(switched_run.path), *options])
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1), result.output
    assert says in result.output


def test_a_player_that_builds_no_decks_says_so(run):
    with pytest.raises(AgentError, match="this player does not build decks"):
        run.build_decks()


def test_a_policy_that_builds_can_play_given_decks(switched_run):
    """With decks=given its side holds the deck that was dealt, and nothing else is different."""
    spec = f"rl:{switched_run.path}"
    own, given = (acting.policy(hsevo.Agent(f"{spec}{end}").record) for end in ("", "?decks=given"))
    assert own.builds
    assert not given.builds
    assert acting.traits(hsevo.Agent(f"{spec}?decks=given").record) == "sees the other's deck"
    for one in own.networks:
        assert all(np.array_equal(a, b) for a, b in zip(
            own.networks[one], given.networks[one], strict=True))
    dealt = tuple(read_deck(name) for name in ("mage", "warrior"))
    agents = [hsevo.Agent(f"{spec}{end}").record for end in ("?temperature=0&decks=given", "")]
    found = acting.built(dealt, agents, "cig2018", seed=3)
    assert found[0] == dealt[0]
    assert found[1] != dealt[1]


def test_only_end_to_end_policies_have_decks_of_their_own():
    with pytest.raises(AgentError, match=r"decks of agent 'rl' is only for end-to-end policies"):
        read_agent("rl:2026?decks=given")
    with pytest.raises(AgentError, match="is 'mine', but must be one of own, given"):
        read_agent("rl:2026?decks=mine")


def test_deck_building_of_a_network_for_each_class(switched_run):
    """What compiled code drew, each class by its own branch, has its entropy on average."""
    found = switched_run.deck_building(40, games=4, pilots="own", workers=1)
    assert found.building["class"].tolist() == ["Mage", "Warrior"] * 2
    assert (found.worth["games"] >= 4).all()
    policy = acting.policy(switched_run.agent().record)
    for cls, row in zip((Class.MAGE, Class.WARRIOR), found.building.to_dict("records")[2:],
                        strict=True):
        draws = uniform(0, derive((1, Stream.DECKS), np.arange(40)), np.full(40, int(cls)), SIZE)
        _, logs = policy.build(np.full(40, int(cls)), np.zeros(40, np.int64), draws)
        error = logs.std() / np.log(2) / np.sqrt(logs.size)
        assert row["entropy"] == pytest.approx(-logs.mean() / np.log(2), abs=4 * error)
