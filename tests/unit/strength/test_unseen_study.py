"""A study of unseen cards: its decks, and players that have met a card of them."""

import io

import numpy as np
import pytest

from hsevo.agents.learned.nets import net_bytes, read_met
from hsevo.cards.tables import by_name, index
from hsevo.cards.unseen import left_out, unseen
from hsevo.config import Workers
from hsevo.config.named import find
from hsevo.errors import AgentError, ConfigError, DeckError, HsevoError
from hsevo.learning.learner import ValueLearner
from hsevo.play.workers import open_workers
from hsevo.strength.studies import StudyResult
from hsevo.strength.study_plans import UnseenStudy, check_study, load_study
from tests.support.folders import learned

STUDY = {"study": "unseen", "title": "t", "axis": "x", "games": 8, "lists": 1,
         "opponent": "random", "values": ["fifth-1", "old-gods"]}


def study(agent, **changes):
    return check_study(STUDY | {"lines": {"one": {"agent": agent}}} | changes, "here")


def test_half_of_the_cards_of_all_decks_are_unseen():
    found = study("eva:2018", lists=2)
    for point in found.points:
        rows, setting = found.games_at(point, np.arange(648))
        assert len(setting.decks) == 2 * 18
        assert setting.decks[:18] == setting.decks[18:]
        for deck in setting.decks:
            assert sum(card in unseen(point.x) for card in deck.ids) >= 15
        mine = np.where(rows["a"] == 0, rows["deck_a"], rows["deck_b"])
        other = np.where(rows["a"] == 0, rows["deck_b"], rows["deck_a"])
        pairs = {(int(i), int(k) - 18) for i, k in zip(mine, other, strict=True)}
        assert pairs == {(i, k) for i in range(18) for k in range(18)}


def test_eva_beats_a_random_player_with_such_decks():
    with open_workers(Workers(backend="serial")) as executor:
        found = StudyResult(study("eva:2018", games=40)).play(executor).table
    assert (found["rate"] > 0.85).all()


def net_file(tmp_path, met):
    """Write a file of a net that met these cards so often; None: it does not say."""
    counts = np.zeros(2048, np.int64)
    for name, times in (met or {}).items():
        counts[index()[by_name()[name]]] = times
    path = tmp_path / "some.npz"
    path.write_bytes(net_bytes(ValueLearner(1).net(), None if met is None else counts))
    return path


def test_a_player_that_has_met_a_card_is_refused(tmp_path):
    of = min(unseen("fifth-1"))
    name = next(name for name, id in by_name().items() if id == of)
    agent = f"rl:{net_file(tmp_path, {name: 1_234})}"
    said = f"was trained with 1 cards of fifth-1, such as {name} in 1,234"
    with pytest.raises(AgentError, match=said):
        study(agent)
    assert study(agent, values=["old-gods"] if of not in unseen("old-gods") else ["naxxramas"])


def test_a_player_that_does_not_say_what_it_met_is_refused(tmp_path):
    with pytest.raises(AgentError, match="does not list the cards of its training") as one:
        study(f"rl:{net_file(tmp_path, None)}")
    assert "\n" not in str(one.value)


def test_the_shipped_players_have_met_the_cards_of_their_time_alone():
    with pytest.raises(AgentError, match="'rl:2026' was trained with 211 cards of fifth-1"):
        study("rl:2026")
    lines = {"one": {"agent": "rl:2026", "met": True}}
    assert study("eva:2018", lines=lines).lines["one"].agent == "rl:2026"
    assert load_study("unseen-sets").values == [
        "ungoro", "frozen-throne", "kobolds", "witchwood", "boomsday", "rastakhan", "shadows"]


def test_forged_counts_are_refused(tmp_path):
    path = net_file(tmp_path, {})
    with np.load(io.BytesIO(path.read_bytes())) as file:
        arrays = {name: file[name] for name in file}
    for forged in (np.zeros(3, np.int64), arrays["met"].astype(float)):
        np.savez(path, **(arrays | {"met": forged}))
        with pytest.raises(AgentError, match=r"some\.npz is not a network of this version.*met is"):
            study(f"rl:{path}")


@pytest.mark.parametrize(("changes", "error", "said"), [
    ({"values": ["fifth-9"]}, HsevoError, "unknown split of cards 'fifth-9'; did you mean"),
    ({"deck": "mage"}, ConfigError, "a study of unseen cards has its own"),
    ({"lists": 1_000}, DeckError, "use fewer"),
    ({"values": [1, 2]}, ConfigError, "values"),
])
def test_what_is_wrong_is_said(changes, error, said):
    with pytest.raises(error, match=said):
        study("eva:2018", **changes)


def test_the_shipped_study_says_how_its_players_are_learned():
    with pytest.raises(AgentError, match="runs/unseen-fifth-1-number"):
        load_study("unseen-cards")
    text = find("unseen-cards", "configs/studies").read_text()
    assert "hsevo learn --config unseen-cards --set decks.without=$split" in text


def test_a_learner_without_a_split_never_meets_its_cards(tmp_path):
    """Of all collectible cards it meets others; those that may bring one are not met either."""
    run = learned(tmp_path / "run", changes={
        "decks": {"human": 0.5, "drawn": 0.5, "without": "fifth-1"}, "games": 60, "rounds": 2,
        "periods": 1, "payoff_games": 0, "references.against": []}, backend="serial")
    met = read_met(run.path / "checkpoints" / "period-0000.npz")
    assert met is not None
    assert sum(times > 0 for times in met.values()) > 400
    assert [card for card in left_out("fifth-1") if met[card]] == []
    assert isinstance(study(f"rl:{run.path}", values=["fifth-1"]), UnseenStudy)
