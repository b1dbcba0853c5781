"""The end-to-end learner: rounds, OSFP, checkpoints that go on exactly, and that it learns."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

from hsevo import config
from hsevo.config.learning import NetworkSettings
from hsevo.errors import ConfigError, RunError
from hsevo.learning.acting import checkpoints
from hsevo.learning.acting.actor import ANY, Actor
from hsevo.learning.end_to_end.learner import (
    SERIAL,
    Learner,
    RoundReport,
    read_checkpoint,
    win_rate,
)
from hsevo.learning.end_to_end.saved import FORMAT, actor_of, read_player
from hsevo.learning.end_to_end.supply import orders
from hsevo.play.workers import open_workers
from tests.support import ROOT
from tests.torch.support import but, plan_of

QUICK = plan_of(embedding=6, width=8, lstm=8)


def same(one: Learner, other: Learner) -> bool:
    """Return whether all parameters are bit-identical."""
    return all(torch.equal(a, b) for a, b in zip(
        one.network.state_dict().values(), other.network.state_dict().values(), strict=True))


def embedding(actor: Actor) -> np.ndarray:
    """Return the vectors of all cards."""
    return actor.networks[ANY].cards


def told(reports: list[RoundReport]) -> list[str]:
    """Return reports as text, in which NaN equals itself."""
    return [repr(report) for report in reports]


@pytest.fixture(scope="module")
def straight() -> tuple[Learner, list[RoundReport]]:
    """A learner after three rounds without a stop."""
    learner = Learner(but(QUICK, seed=7))
    return learner, [learner.round() for _ in range(3)]


def test_a_stopped_learner_goes_on_exactly(straight, tmp_path: Path):
    learner, reports = straight
    first = Learner(but(QUICK, seed=7))
    before = [first.round(), first.round()]
    first.save(tmp_path / "checkpoint.pt")
    second = Learner.load(tmp_path / "checkpoint.pt")
    assert second.plan == first.plan
    assert told([*before, second.round()]) == told(reports)
    assert same(second, learner)
    assert len(second.pool) == len(learner.pool) >= 1


def test_another_seed_is_another_learner(straight):
    other = Learner(but(QUICK, seed=8))
    other.round()
    assert not same(other, straight[0])


def test_the_first_opponent_is_itself_then_the_pool_joins_in(straight):
    _, reports = straight
    assert [report.members for report in reports][:2] == [0, 1]
    assert reports[0].others == 0
    assert np.isnan(reports[0].rate)
    assert 0 < reports[1].others < QUICK.games_per_round


def test_a_learning_period_by_samples_takes_several_rounds(straight, tmp_path: Path):
    _, reports = straight
    plan = config.change(but(QUICK, seed=7), {"osfp.samples": reports[0].decisions + 1})
    whole = Learner(plan)
    told_whole = told(whole.rounds(4))
    parts = Learner(plan)
    before = [parts.round()]
    assert not parts.pool
    parts.save(tmp_path / "checkpoint.pt")
    parts = Learner.load(tmp_path / "checkpoint.pt")
    before += parts.rounds(3)
    assert [one.members for one in before][:3] == [0, 0, 1]
    assert told(before) == told_whole


def test_members_of_the_pool_stay_as_they_were(straight):
    learner, _ = straight
    assert not torch.equal(learner.pool[0].cards.weight, learner.network.cards.weight)


def test_every_decision_is_learned_from_as_often_as_said():
    learner = Learner(but(QUICK, seed=7))
    with open_workers(SERIAL) as executor:
        played, *_ = learner._play(3, executor)
    parts = orders(len(played.lengths), 3, QUICK.network.reuse, QUICK.network.updates)
    assert len(parts) == QUICK.network.reuse * QUICK.network.updates
    assert np.bincount(np.concatenate(parts)).tolist() == [2] * len(played.lengths)


@pytest.fixture(scope="module")
def taught() -> tuple[Learner, list[RoundReport]]:
    """A learner with a teacher in its first two rounds, after three."""
    learner = Learner(but(QUICK, seed=7, start="eva:2018", start_periods=2, kickstart=3.0))
    return learner, [learner.round() for _ in range(3)]


def test_a_teacher_teaches_first_and_a_stop_changes_nothing(straight, taught, tmp_path: Path):
    """The first games are those of a learner without one, of which only losses differ."""
    learner, reports = taught
    assert [3 * learner._left(k) for k in range(4)] == [3.0, 1.5, 0, 0]
    assert [np.isnan(one.teacher) for one in reports] == [False, False, True]
    one, plain = reports[0], straight[1][0]
    assert np.isnan(plain.teacher)
    assert (one.decisions, one.others) == (plain.decisions, plain.others)
    parts = one.policy + one.upgo + one.value - 0.01 * one.entropy
    assert one.loss == pytest.approx(parts + 3 * one.teacher, rel=1e-5)
    assert not same(learner, straight[0])
    first = Learner(learner.plan)
    before = first.round()
    first.save(tmp_path / "checkpoint.pt")
    second = Learner.load(tmp_path / "checkpoint.pt")
    assert told([before, second.round(), second.round()]) == told(reports)
    assert same(second, learner)


def test_with_a_teacher_it_learns_to_do_as_it():
    """A move by chance has a cross-entropy of log n of n moves; a decision has some six."""
    learner = Learner(but(QUICK, rate=2e-2, start="eva:2018", start_periods=100, kickstart=3,
                          embedding=8, width=16, lstm=24, seed=7))
    course = [learner.round().teacher for _ in range(4)]
    assert course[-1] < 0.75 * course[0]


def test_a_rate_falls_round_by_round():
    """By hand: a quarter of the way from 0.4 to 0.2 is 0.35; after the last round it stays."""
    learner, rates = Learner(but(QUICK, rate=0.4, last_rate=0.2, periods=2, rounds=2)), []
    for learner.number in (0, 1, 2, 4, 9):
        rates.append(learner._rate())
    assert rates == pytest.approx([0.4, 0.35, 0.3, 0.2, 0.2])
    learner, steady = (Learner(but(QUICK, seed=7, periods=1, rate=1e-3, last_rate=last))
                       for last in (1e-4, None))
    for one in (learner, steady, learner, steady):
        one.round()
    assert [one.optimizer.param_groups[0]["lr"] for one in (learner, steady)] == (
        pytest.approx([1e-4, 1e-3]))
    assert not same(learner, steady)


def test_against_one_agent_alone():
    learner = Learner(but(QUICK, seed=7, against="random"))
    assert [learner.round().others for _ in range(2)] == [QUICK.games_per_round] * 2
    assert learner.pool == []


def test_a_checkpoint_is_an_opponent_and_learns_nothing(straight, tmp_path: Path):
    strong, _ = straight
    strong.save(path := tmp_path / "strong.pt")
    learner = Learner(but(QUICK, seed=9, against=str(path)))
    assert learner.round().others == QUICK.games_per_round
    assert np.array_equal(embedding(learner.opponent), embedding(actor_of(strong.network)))
    mine, theirs = (win_rate(one, other, 20, seed=2) for one, other in (
        (learner, str(path)), (strong, learner)))
    assert 0 < mine.value < 1
    assert win_rate(learner, strong, 20, seed=2) == mine
    assert 0 < theirs.value < 1


@pytest.mark.parametrize(("change", "says"), [
    ({"games": 0}, "games is 0, but must be at least 1"),
    ({"updates": 1.5}, "network.updates is 1.5, but must be a whole number"),
    ({"rate": 2.0}, "network.rate is 2.0, but must be at most 1"),
    ({"decks": "mage"}, "decks is 'mage', but must be"),
    ({"decks": []}, "decks is "),
    ({"ruleset": "cig2081"}, "ruleset is 'cig2081', .* did you mean 'cig2018'"),
    ({"start": "eva:2018", "start_periods": 0}, "start is eva:2018, and start_periods 0"),
    ({"kickstart": 0}, "network.kickstart is 0"), ({"last_rate": 0}, "network.last_rate is 0"),
    ({"kickstart_decks": 1.0}, "network.kickstart_decks needs network.build and"
     r" a teacher \(start\)"),
    ({"device": "tpu"}, "network.device is 'tpu', but must be 'cpu' or 'cuda'"),
    ({"lstm": -1}, "network.lstm is -1"), ({"seed": -1}, "seed is -1"),
    ({"seed": "a"}, "seed is 'a'"),
])  # fmt: skip
def test_plans_that_cannot_be_are_refused(change, says):
    with pytest.raises(ConfigError, match=f"^the arguments: {says}"):
        but(QUICK, **change)


def test_numbers_that_cannot_be_are_refused(straight):
    with pytest.raises(ConfigError, match=r"^games is 0, but must be a whole number from 1 up$"):
        win_rate(straight[0], "random", games=0, seed=1)
    with pytest.raises(ConfigError, match=r"^policy is 'afterstate', but must be 'end-to-end'$"):
        Learner(but(QUICK, policy="afterstate", network=NetworkSettings().model_dump()))


def test_it_learns_to_beat_random():
    """Untrained it is no better than random; after 128 games it clearly is.

    The seed is one with such a start: untrained networks of seeds 0 to 7 win 23 to 83 %.
    """
    learner = Learner(plan_of(32, seed=7, rate=5e-3, updates=4, embedding=8, width=16, lstm=24))
    before = win_rate(learner, "random", 80, seed=5)
    for _ in range(4):
        learner.round()
    after = win_rate(learner, "random", 80, seed=5)
    assert before.low < 0.5 < after.low
    assert after.low > before.high


def test_a_rate_has_its_interval(straight):
    """Wilson's: of 4 games, rate r, the middle is (r + 0.48) / 1.96."""
    rate = win_rate(straight[0], "random", 4, seed=2)
    assert (rate.low + rate.high) / 2 == pytest.approx(
        (rate.value + 3.8415 / 8) / (1 + 3.8415 / 4), abs=1e-4)


def test_no_gpu_is_one_clear_line(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="device is cuda, but PyTorch finds no GPU"):
        Learner(but(QUICK, device="cuda"))


def test_a_checkpoint_of_a_gpu_is_read_where_there_is_none(straight, tmp_path: Path, monkeypatch):
    learner, _ = straight
    learner.save(path := tmp_path / "one.pt")
    kept = read_checkpoint(path)
    kept["settings"]["network"]["device"] = "cuda"
    torch.save(kept, path)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="PyTorch finds no GPU"):
        Learner.load(path)
    assert same(Learner.load(path, device="cpu"), learner)


def test_a_checkpoint_of_format_2_plays_and_does_not_learn_on(straight, tmp_path: Path):
    """Version 0.5 stored settings by other names; "net" had the sizes."""
    straight[0].save(path := tmp_path / "one.pt")
    kept = read_checkpoint(path)
    own = kept["settings"]["network"]
    old = {"net": {key: own[key] for key in ("embedding", "width", "lstm", "history")},
           "ruleset": "cig2018", "games": 8, "parts": 2, "hyper": {"reuse": 2}} | {
        key: own[key] for key in ("isolate", "build", "pick_hero", "hero_entropy", "opponent_deck")}
    torch.save(kept | {"format": 2, "settings": old}, path)
    expected = embedding(actor_of(straight[0].network))
    assert np.array_equal(embedding(read_player(str(path))), expected)
    assert np.array_equal(embedding(checkpoints.read(path).actor()), expected)
    with pytest.raises(RunError, match=r"its network plays here, but only that version can"):
        Learner.load(path)


class Evil:
    """An object that would run a command when it is unpickled."""

    def __reduce__(self):
        return Path.touch, (Path("touched"),)


def test_a_foreign_file_is_refused_and_runs_nothing(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, data in (("text.pt", b"hello"), ("evil.pt", pickle.dumps(Evil())), ("none.pt", b"")):
        Path(name).write_bytes(data)
        with pytest.raises(RunError, match="is not a checkpoint of the end-to-end learner"):
            Learner.load(Path(name))
    torch.save({"format": 99}, "other.pt")
    with pytest.raises(RunError, match="of this version"):
        Learner.load(Path("other.pt"))
    with pytest.raises(RunError, match="cannot read"):
        Learner.load(Path("missing.pt"))
    assert not Path("touched").exists()


DAMAGE = {
    "an extra setting": lambda kept: kept["settings"].update(extra=1),
    "no settings": lambda kept: kept.pop("settings"),
    "settings are none": lambda kept: kept.update(settings=None),
    "games is text": lambda kept: kept["settings"].update(games="x"),
    "a size below 0": lambda kept: kept["settings"]["network"].update(lstm=-1),
    "a huge size": lambda kept: kept["settings"]["network"].update(embedding=10**12),
    "a parameter that is no number": lambda kept: next(iter(kept["network"].values())).fill_(
        float("nan")),
    "another size": lambda kept: kept["settings"]["network"].update(lstm=9),
    "a seed of text": lambda kept: kept["settings"].update(seed="x"),
    "no osfp": lambda kept: kept.update(osfp=None),
    "a pool of 3": lambda kept: kept.update(pool=3),
    "a pool without a member": lambda kept: kept["pool"].pop(),
    "no optimizer": lambda kept: kept.update(optimizer={}),
    "no groups": lambda kept: kept["optimizer"].update(param_groups=[]),
    "no decks": lambda kept: kept.update(decks=[]),
    "an unknown class": lambda kept: kept["decks"][0].update(hero="x"),
    "an unknown card": lambda kept: kept["decks"][0].update(cards=["x"] * 30),
    "a false opponent": lambda kept: kept.update(rival={"settings": {}}),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_checkpoint_is_one_clear_line(damage, straight, tmp_path: Path):
    straight[0].save(path := tmp_path / "one.pt")
    damage(kept := read_checkpoint(path))
    torch.save(kept, path)
    with pytest.raises(RunError, match=r"one\.pt is damaged, or from another version of hsevo$"):
        Learner.load(path)


def _first(parameters, kind):
    """Give the first of some parameters another type."""
    name = next(iter(parameters))
    parameters[name] = parameters[name].to(kind)


CONVERTED = {
    "a parameter": lambda kept, kind: _first(kept["network"], kind),
    "a member of the pool": lambda kept, kind: _first(kept["pool"][0], kind),
    "a moment": lambda kept, kind: _first(kept["optimizer"]["state"][0], kind),
}


@pytest.mark.parametrize("kind", [torch.complex64, torch.float64, torch.float16, torch.int64])
@pytest.mark.parametrize("convert", CONVERTED.values(), ids=CONVERTED)
def test_numbers_of_another_type_are_refused(convert, kind, straight, tmp_path: Path):
    """PyTorch would convert them, and of complex ones drop a part with a warning."""
    straight[0].save(path := tmp_path / "one.pt")
    convert(kept := read_checkpoint(path), kind)
    torch.save(kept, path)
    with pytest.raises(RunError, match=rf"^\S+one\.pt has {kind} numbers, but .*\Z"):
        Learner.load(path)


def test_data_that_holds_itself_ends(tmp_path: Path):
    held = []
    held.append(held)
    torch.save({"format": FORMAT, "settings": held}, path := tmp_path / "one.pt")
    with pytest.raises(RunError, match=r"one\.pt is damaged"):
        Learner.load(path)


def test_a_checkpoint_needs_no_deck_s_file(tmp_path: Path, monkeypatch):
    """The file of the deck becomes another deck, then is gone: the learner goes on as before."""
    monkeypatch.chdir(tmp_path)
    mage, warrior = ((ROOT / "decks" / f"{one}.txt").read_text(encoding="utf-8")
                     for one in ("mage", "warrior"))
    (mine := Path("mine.txt")).write_text(mage, encoding="utf-8")
    learner = Learner(but(QUICK, seed=7, decks=["mine.txt"]))
    learner.save("one.pt")
    mine.write_text(warrior, encoding="utf-8")
    assert Learner.load("one.pt").decks == learner.decks
    mine.unlink()
    assert Learner.load("one.pt").decks == learner.decks


def test_a_checkpoint_needs_no_file_of_its_opponent(straight, tmp_path: Path):
    """It can even be saved over it."""
    straight[0].save(path := tmp_path / "one.pt")
    learner = Learner(but(QUICK, seed=9, against=str(path)))
    learner.save(path)
    again = Learner.load(path)
    path.unlink()
    assert np.array_equal(embedding(again.opponent), embedding(actor_of(straight[0].network)))
    assert same(again, learner)


def test_a_checkpoint_as_opponent_needs_no_file_of_its_own_opponent(straight, tmp_path: Path):
    straight[0].save(path := tmp_path / "one.pt")
    between = Learner(but(QUICK, seed=9, against=str(path)))
    between.save(tmp_path / "two.pt")
    path.unlink()
    last = Learner(but(QUICK, seed=3, against=str(tmp_path / "two.pt")))
    assert np.array_equal(embedding(last.opponent), embedding(actor_of(between.network)))


def test_a_network_of_classes_refuses_decks_of_others(tmp_path: Path):
    Learner(but(QUICK, seed=7, isolate=True)).save(path := tmp_path / "mage.pt")
    learner = Learner(but(QUICK, seed=7, decks=["warrior"]))
    with pytest.raises(ConfigError, match=r"networks only for MAGE .* decks of WARRIOR$"):
        win_rate(learner, str(path), 4, seed=1)
    with pytest.raises(ConfigError, match=r"networks only for MAGE .* decks of WARRIOR$"):
        Learner(but(QUICK, seed=7, decks=["warrior"], against=str(path))).round()
