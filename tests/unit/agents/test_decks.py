"""Agents with weights for each deck, or pair of decks: in play, files, folders and sessions."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hsevo as public
from hsevo.agents.genomes import decks
from hsevo.agents.genomes.weights import EVA_2018, _paired, deck_names, write_weights
from hsevo.agents.registry import genome_of
from hsevo.agents.shared.agent import AGENT
from hsevo.analysis.landscape import landscape
from hsevo.cards.decks import Deck, read_deck
from hsevo.config import Workers
from hsevo.errors import AgentError, RunError
from hsevo.play import match, participants
from hsevo.play.workers import open_workers
from hsevo.strength.lineup import ContestPlan, Lineup
from hsevo.strength.roster import read_agent, read_agents, read_spec
from tests.support import ROOT

NAMES = ("warrior", "shaman", "mage")
DECKS = tuple(read_deck(name) for name in NAMES)
SETTING = match.Setting(decks=DECKS)
EVA = genome_of("eva")
OTHER = read_agent("eva:group-4")


def vectors(n: int, seed: int = 1) -> Any:
    """Return n different vectors of weights near EVA's, (n, 21)."""
    return np.random.default_rng(seed).uniform(0, 1, (n, EVA.size)) * 0.5 + EVA_2018 * 0.5


def rows(games: int = 6) -> Any:
    """Return both seats of all pairs of decks, with agents 0 and 1."""
    made = np.zeros(18, match.PAIRING)
    made["deck_a"], made["deck_b"] = np.tile(np.indices((3, 3)).reshape(2, 9), 2)
    made["a"] = np.repeat([0, 1], 9)
    made["b"], made["games"], made["seed"] = 1 - made["a"], games, np.arange(18) * 1_000_003
    return made


# -- in play --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pairs", [False, True])
def test_equal_weights_for_all_decks_play_the_games_of_one_vector(pairs: bool) -> None:
    each = EVA.each(NAMES, NAMES, pairs)
    split = each.build(np.tile(EVA_2018, (1, 9 if pairs else 3)))
    plain = np.concatenate([EVA.build(EVA_2018[None]), OTHER])
    both = match.play_block(rows(), decks.joined([split, OTHER], 3), SETTING)
    assert np.array_equal(both, match.play_block(rows(), plain, SETTING))


@pytest.mark.parametrize("pairs", [False, True])
def test_each_seat_uses_the_weights_of_its_deck_and_of_the_pair(pairs: bool) -> None:
    """Every row, against the one in which plain agents with those weights sit."""
    each, n = EVA.each(NAMES, NAMES, pairs), 9 if pairs else 3
    sets = np.stack([vectors(n), vectors(n, 2)])  # of agents 0 and 1
    split = each.build(sets.reshape(2, -1))
    found = match.play_block(rows(), split, SETTING)
    for row, result in zip(rows(), found, strict=True):
        plain, alone = [], np.array([row], match.PAIRING)
        for side, other in ("ab", "ba"):
            own, against = int(row[f"deck_{side}"]), int(row[f"deck_{other}"])
            place = 3 * own + against if pairs else own
            plain.append(EVA.build(sets[row[side], place][None]))
        alone["a"], alone["b"] = 0, 1
        assert match.play_block(alone, np.concatenate(plain), SETTING)[0] == result
    swapped = each.build(np.roll(sets, 1, axis=1).reshape(2, -1))
    assert not np.array_equal(match.play_block(rows(), swapped, SETTING), found)


def test_a_single_game_uses_them_too() -> None:
    """`Table.deal` as `Table.play`: decision by decision, to the same result."""
    split = EVA.each(NAMES, NAMES, True).build(vectors(18).reshape(2, -1))
    table = match.Table(split, SETTING)
    for row in rows(1)[3:12]:
        (result,) = match.play_block(np.array([row]), split, SETTING)
        table.deal(row, 0)
        decisions = 0
        while table.game.result == 0:
            table.move(table.decide())
            decisions += 1
        assert decisions == result["decisions"]
        assert (table.game.result == 1) == (result["wins_a"] == 1)


def test_joined_takes_both_shapes_and_no_others() -> None:
    split = EVA.each(NAMES, NAMES, False).build(vectors(3).reshape(1, -1))
    assert decks.joined([OTHER, OTHER], 3).shape == (2,)
    both = decks.joined([split, OTHER], 3)
    assert both.shape == (2, 3, 3)
    assert both.dtype == AGENT
    assert all(one == OTHER[0] for one in both[1].ravel())
    assert (decks.on_decks(both, 2, 1) == [split[0, 2, 1], OTHER[0]]).all()
    for wrong in (split[:, :2, :2], split[:, :2], split[0, :1]):
        with pytest.raises(ValueError, match="there are 3"):
            decks.joined([wrong, OTHER], 3)


# -- in files -------------------------------------------------------------------------------------


def written(path: Path, names: tuple[str, ...] = NAMES, pairs: bool = False,
            of: Any = EVA) -> Any:
    """Write an agent with weights for each deck, called `mine`; return its genome and weights."""
    each = of.each(names, names, pairs)
    weights = np.random.default_rng(3).uniform(each.low, each.high, (1, each.size))
    write_weights(path, ["mine"], weights, each)
    return each, weights


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("name", ["mine.csv", "mine.yaml"])
def test_a_file_is_read_back_as_it_was_written(here: Path, name: str, pairs: bool) -> None:
    each, weights = written(here / name, pairs=pairs)
    named = read_spec(f"eva:{name}")
    assert named.genome is not None
    assert named.genome.names == each.names
    assert [deck.name for deck in named.decks] == [*NAMES]
    assert named.on(DECKS).tobytes() == each.build(weights).tobytes()
    back = named.on(DECKS[::-1])  # in the order of the decks that are played
    assert back.tobytes() == each.build(weights)[:, ::-1, ::-1].tobytes()
    assert read_agents([f"eva:{name}", "random"], DECKS)[1].shape == (2, 3, 3)


def test_the_decks_of_a_file(here: Path) -> None:
    written(here / "each.yaml")
    assert deck_names("each.yaml") == (NAMES, ())
    written(here / "pairs.csv", pairs=True)
    assert deck_names("pairs.csv") == (NAMES, NAMES)
    each = EVA.each(NAMES[:1], NAMES, True)  # two of them only opponents play
    write_weights("one.csv", ["mine"], vectors(3).reshape(1, -1), each)
    assert deck_names("one.csv") == (NAMES[:1], NAMES)
    assert read_spec("eva:one.csv").on(DECKS[:1]).shape == (1, 1, 1)
    for name in ("plain.csv", "plain.yaml", "plain.txt"):
        write_weights(name, ["mine"], vectors(1))
        assert deck_names(name) == ((), ())


def test_its_decks_are_found_beside_it(here: Path) -> None:
    (here / "mine").mkdir()
    (here / "mine" / "own.txt").write_text((ROOT / "decks" / "mage.txt").read_text())
    written(here / "mine" / "best.yaml", ("own", "warrior"))
    own, warrior = read_spec("eva:mine/best.yaml").decks
    assert (own.name, own.ids) == ("own", read_deck("mage").ids)
    assert warrior == read_deck("warrior")


@pytest.mark.parametrize(("spec", "played", "said"), [
    ("eva:mine.csv", ["mage", "shaman"],
     "'eva:mine.csv' has weights for the decks warrior, mage, but not for shaman; choose from"),
    ("eva:mine.csv", None, "'eva:mine.csv' has different weights for each deck (warrior, mage), so"
     " it needs a command with decks"),
    ("eva:lost.yaml", ["mage"], "lost.yaml has weights for a deck that can't be read: no deck"
     " 'magic'"),
    ("eva:half.csv", ["mage"], "half.csv: column 'mage.MM' is missing"),
])  # fmt: skip
def test_what_is_wrong_is_one_clear_line(here: Path, spec: str, played: Any, said: str) -> None:
    names = ("warrior", "mage")
    written(here / "mine.csv", names)
    written(here / "lost.yaml", ("magic",))
    written(here / "half.csv", names)
    lines = Path("half.csv").read_text().splitlines()
    Path("half.csv").write_text("\n".join(line.rpartition(",")[0] for line in lines))
    with pytest.raises(AgentError) as error:
        read_agent(spec, played and [read_deck(name) for name in played])
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_csv_file_that_is_none_is_said_to_be(here: Path) -> None:
    for text in ('"a', "\n\n", ""):
        Path("bad.csv").write_text(text)
        with pytest.raises(AgentError, match=r"bad\.csv"):
            read_agent("eva:bad.csv")


def test_a_deck_is_the_same_by_any_name(here: Path) -> None:
    written(here / "mine.csv")
    copy = Deck.of("copy", DECKS[2].hero_class, DECKS[2].ids[::-1])
    assert (read_agent("eva:mine.csv", [copy]) == read_agent("eva:mine.csv", DECKS[2:])).all()


# -- in folders of games, and sessions ------------------------------------------------------------


def test_stored_games_come_out_again(here: Path) -> None:
    """`match --out` and `arena --out` keep the weights of each deck; the file may go."""
    written(here / "mine.csv")
    public.match("eva:mine.csv", "random", games=36, decks=NAMES, backend="serial").save("games")
    Path("mine.csv").unlink()
    stored = participants.read(Path("games"))
    assert stored.agents.shape == (2, 3, 3)
    for part, (one, other) in enumerate([("mage", "shaman"), ("warrior", "mage")]):
        found = public.replay("games", deck_a=one, deck_b=other, part=part)
        assert found.check() == []


def test_a_cast_for_another_number_of_decks_is_damaged(here: Path) -> None:
    written(here / "mine.csv")
    public.match("eva:mine.csv", "random", games=36, decks=NAMES, backend="serial").save("games")
    path = Path("games/cast.json")
    whole = json.loads(path.read_text())
    for cut in (lambda own: own[:2], lambda own: [row[:2] for row in own], lambda own: [],
                lambda own: [own[0], own[1], own[2][:1]], lambda own: 7):
        data = json.loads(json.dumps(whole))
        data["agents"][0]["by_decks"] = cut(data["agents"][0]["by_decks"])
        path.write_text(json.dumps(data))
        with pytest.raises(RunError, match="damaged") as error:
            participants.read(Path("games"))
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("pairs", [False, True])
def test_a_session_seats_it_with_its_deck(here: Path, pairs: bool) -> None:
    written(here / "mine.csv", pairs=pairs)
    agents = read_agents(["eva:mine.csv", "eva:group-1"], DECKS)[1]
    for k, row in enumerate(rows(1)[5:14]):
        deck_a, deck_b = (NAMES[row[f"deck_{side}"]] for side in "ab")
        seats = [("eva:mine.csv", "eva:group-1")[row[side]] for side in "ab"]
        game = public.Game(deck_a, deck_b, players=seats, seed=int(row["seed"]) + k)
        game.run()
        alone = np.array([row])
        alone["seed"] += k
        (result,) = match.play_block(alone, agents, SETTING)
        assert len(game.history) == result["decisions"]
    fresh = public.Game("mage", "warrior", seed=4)
    answer = fresh.ask("eva:mine.csv")
    assert answer in fresh.moves


def test_games_in_batches_have_no_decks_to_choose_by(here: Path) -> None:
    written(here / "mine.csv")
    games = public.Games("mage", "warrior", seeds=[1, 2])
    with pytest.raises(AgentError, match="it needs a command with decks"):
        games.ask("eva:mine.csv")


# -- in runs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("genome", ["deck", "matchup"])
def test_a_run_is_replayed_and_exported(here: Path, genome: str) -> None:
    run = public.evolve("smoke", seed=1, out="run", backend="serial", changes={
        "agent.genome": genome, "agent.evolve": ["HHR", "BMA"], "decks": ["mage", "warrior"],
        "games": 2, "evolution.mu": 2, "evolution.lambda": 2, "evolution.generations": 2})
    assert run.best.genome.size == 21 * (2 if genome == "deck" else 4)
    found = run.replay(deck_a="mage", deck_b="warrior")
    assert found.check() == []
    best = run.champion(games=2)
    best.save("best.yaml")
    pair = [read_deck("mage"), read_deck("warrior")]
    one, other = read_agent(best.spec, pair), read_agent("eva:best.yaml", pair)
    assert one.shape == (1, 2, 2)
    assert one.tobytes() == other.tobytes()
    assert (one["w"][..., 5] == EVA_2018[5]).all()  # what does not evolve is the base's
    kept = best.weights
    assert kept["mage.HHR" if genome == "deck" else "mage.warrior.HHR"] == one[0, 0, 1]["w"][0]


def test_a_deck_that_only_opponents_play_has_no_weights(here: Path) -> None:
    public.evolve("smoke", seed=1, out="run", backend="serial", changes={
        "agent.genome": "deck", "decks": ["mage"], "games": 2, "evolution.mu": 2,
        "evolution.lambda": 2, "evolution.generations": 1, "rating.opponents.agents": ["random"],
        "rating.opponents.decks": ["warrior"]})
    assert read_agent("eva:run", [read_deck("mage")]).shape == (1, 1, 1)
    with pytest.raises(AgentError, match="for the decks mage, but not for warrior"):
        read_agent("eva:run", [read_deck("mage"), read_deck("warrior")])


def test_a_landscape_changes_the_weights_of_one_deck(here: Path) -> None:
    """A weight of a deck that is not played changes nothing."""
    written(here / "mine.csv", ("warrior", "mage"), of=genome_of("tyche:onestep"))
    lineup = Lineup.of(ContestPlan(agents=["tyche:onestep:mine.csv"], against=["random"],
                                   decks=["mage"], games=20, seed=1))
    with open_workers(Workers(backend="serial")) as executor:
        table = landscape(executor, lineup)
    deck = table["weight"].str.partition(".")[0]
    assert (table["changed"][deck == "warrior"] == 0).all()
    assert (table["changed"][deck == "mage"] > 0).any()
    assert set(deck) == {"as it is", "warrior", "mage"}


@given(st.lists(st.text("ab.", min_size=1, max_size=4), min_size=1, max_size=4, unique=True),
       st.integers(1, 4))
def test_names_of_decks_may_have_dots(names: list[str], n: int) -> None:
    """Pairs of the first n decks with all of them; a lone "a.a" may be a deck, or a with itself."""
    own = tuple(names[:n])
    found = _paired(tuple(f"{one}.{other}" for one in own for other in names))
    assert found == (own, tuple(names))
