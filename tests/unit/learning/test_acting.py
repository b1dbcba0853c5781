"""End-to-end policies without PyTorch: the same bits in any company, matches, files."""

import ast
import json
import os
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from click.testing import CliRunner

import hsevo
from hsevo import sources
from hsevo.cards.decks import SIZE, check_deck, read_deck, standard
from hsevo.cards.terms import Class
from hsevo.cli.root import main
from hsevo.engine import jit
from hsevo.engine.view.observe import SIZE as SEEN_NOW
from hsevo.errors import RunError
from hsevo.learning import folder
from hsevo.learning.acting import checkpoints
from hsevo.learning.acting.agents import PolicyBot, player, policy
from hsevo.learning.acting.drafts import build_decks, peeked
from hsevo.learning.acting.rounds import play
from hsevo.learning.acting.weights import logarithm, scaled
from hsevo.learning.batch import actions_of, observe
from hsevo.play.games import GameBatch
from hsevo.strength.roster import read_agent
from tests.support.policies import TINY, WATCHFUL, random_policy


def games(n, deck="reno-dragon-priest", other="murloc-druid"):
    """Return games at their beginning."""
    return GameBatch.new(read_deck(deck), read_deck(other), range(n), "msg2017")


def positions(n=40, steps=31):
    """Return games after some random moves, in which nothing is over."""
    some = games(n)
    for step in range(steps):
        some.step(some.sample(step))
    return some.take(some.running)


def test_logarithms():
    numbers = np.concatenate([np.arange(1, 40_000), 10.0 ** -np.arange(1, 100)])
    assert logarithm(numbers) == pytest.approx(np.log(numbers), rel=1e-15, abs=1e-15)
    assert scaled()[[0, 1, 30, 2**15]].tolist() == np.log1p([0, 1, 30, 2**15], dtype="f4").tolist()


@pytest.mark.parametrize("net", [TINY, WATCHFUL])
def test_each_game_is_the_same_in_any_company(net):
    """Bit by bit: of one game, of five and of twelve, in which others end sooner or later."""
    actor = random_policy(net=net).actor()
    rounds = [play(games(n), [actor], np.zeros((n, 2), int), np.arange(n), record=0)
              for n in (1, 5, 12)]
    assert all((one.results > 0).all() for one in rounds)
    for one in rounds[:2]:
        n = len(one.chosen)
        for name in ("observations", "chosen", "log_behaviour"):
            assert getattr(one, name).tolist() == getattr(rounds[2], name)[:n].tolist()


def test_chances_of_all_legal_moves_add_up_and_moves_are_drawn_by_them():
    some = positions()
    actor = random_policy().actor()
    for k in range(0, len(some), 8):
        one = some.take([k])
        seen, legal = observe(one)
        moves = np.flatnonzero(one.legal_moves()[0])
        parts = actions_of(moves, one.take(np.zeros(len(moves), int)))
        memory = actor.start(1)
        chances = actor.chances(seen, legal, memory, parts)
        assert chances.sum() == pytest.approx(1, abs=1e-6)
        assert not memory.h.any()
        n = 3000
        every, draws = np.zeros(n, np.int64), np.random.default_rng(k).random((n, 3))
        chosen, logs = actor.act(seen[every], legal[every], actor.start(n), np.arange(n), draws)
        for part, chance in zip(parts, chances, strict=True):
            mine = (chosen == part).all(axis=1)
            assert abs(mine.sum() - n * chance) < 5 * np.sqrt(n * chance * (1 - chance)) + 1
            assert logs[mine] == pytest.approx(np.full(mine.sum(), np.log(chance)), abs=1e-5)


def test_memory_matters_and_is_that_of_its_player():
    seen, legal = observe(positions(n=9))
    actor, n = random_policy().actor(), len(seen)
    memory, draws = actor.start(20), np.full((n, 3), 0.5)
    players = np.arange(n)[::-1].copy() + 3
    _, fresh = actor.act(seen, legal, memory, players, draws)
    _, again = actor.act(seen, legal, memory, players, draws)
    assert not np.array_equal(fresh, again)
    assert {*np.flatnonzero(memory.h.any(axis=1))} == {*players.tolist()}


@pytest.mark.parametrize("classes", [(), (int(Class.MAGE), int(Class.WARRIOR))])
def test_it_builds_decks_that_keep_the_rules(classes):
    actor = random_policy(classes=classes, build=True).actor()
    owners = np.array(classes or range(1, 10)).repeat(4)
    draws = np.random.default_rng(3).random((len(owners), SIZE))
    picks, logs = actor.build(owners, np.zeros_like(owners), draws)
    assert (logs < 0).all()
    assert len(np.unique(picks)) > 50
    for owner, cards in zip(owners.tolist(), picks, strict=True):
        deck = check_deck(actor.pool.deck(owner, cards))
        assert standard(deck) == []
        assert deck.hero_class == Class(owner).name
    one, _ = actor.build(owners[2:3], np.zeros(1, int), draws[2:3])
    assert one[0].tolist() == picks[2].tolist()


def test_who_peeks_sees_what_the_other_chose_step_by_step():
    """Of a fixed deck the first cards of its list; without cards seen, the same deck as alone."""
    peeking = random_policy(build=True, shown="peek").actor()
    dealt = [(read_deck("mage"), read_deck("warrior"))] * 40
    seeds = np.arange(40, dtype=np.uint64)
    who = np.tile([0, 1], (40, 1))
    peeks = np.tile([[0, 7], [9, 0]], (20, 1))

    def built(other):
        return build_decks([peeking, other], who, dealt, seeds, False, peeks)

    decks, draft = built(read_agent("random"))
    place = {id: k for k, id in enumerate(peeking.pool.ids)}
    assert (draft.theirs[::2] == [place[id] for id in dealt[0][1].ids]).all()
    assert all(one[1] is dealt[0][1] for one in decks)
    both, together = built(peeking)
    assert np.array_equal(together.theirs, together.picks[np.arange(80) ^ 1])
    alone, _ = built(random_policy(build=True).actor())
    assert [one[0] for one in both[::2]] == [one[0] for one in decks[::2]]  # these see nothing
    assert [one[1] for one in both[1::2]] != [one[1] for one in alone[1::2]]
    assert np.array_equal(draft.picks[2::4, 0], together.picks[2::4, 0])  # nothing was chosen yet
    assert not np.array_equal(draft.picks[2::4], together.picks[2::4])


def test_how_much_is_seen_is_uniform():
    """Section IV-H: n from 0 to 30, each as often; of 31,000, five standard deviations."""
    found = np.bincount(peeked(np.arange(15_500, dtype=np.uint64)).ravel(), minlength=31)
    assert len(found) == 31
    assert np.abs(found - 1000).max() < 5 * np.sqrt(1000)


@pytest.mark.parametrize("more", [{}, {"build": True, "shown": "known"},
                                  {"build": True, "shown": "peek"}, {"net": WATCHFUL},
                                  {"classes": (int(Class.MAGE), int(Class.WARRIOR))}])
def test_its_bytes_are_the_policy(more):
    stored = random_policy(**more)
    again = checkpoints.of_bytes(stored.data(), "x")
    assert again.data() == stored.data()
    assert again.classes == [*more.get("classes", ())]
    assert again.settings == stored.settings
    assert {*again.parameters} == {*stored.parameters}


@pytest.mark.parametrize(("change", "problem"), [
    (lambda one: one.pop("nothing"), "damaged"),
    (lambda one: one.update(extra=one["nothing"]), "damaged"),
    (lambda one: one.update(nothing=one["nothing"][1:]), "damaged"),
    (lambda one: one.update(nothing=one["nothing"] * np.float32(np.nan)), "damaged"),
    (lambda one: one.update(nothing=one["nothing"].astype("f8")), "damaged"),
])
def test_forged_bytes_are_one_clear_line(change, problem):
    stored = random_policy()
    change(stored.parameters)
    with pytest.raises(RunError, match=f"^x is {problem}, or from another version of hsevo$"):
        checkpoints.of_bytes(stored.data(), "x")


@pytest.mark.parametrize("change", [{"build": 1}, {"isolate": None}, {"opponent_deck": "all"},
                                    {"opponent_deck": ["peek"]}, {"width": 0}, {"other": 1}])
def test_settings_of_other_types_are_one_clear_line(change):
    data = with_net(random_policy().data(), lambda net: net.update(change))
    with pytest.raises(RunError, match=r"^x is damaged"):
        checkpoints.of_bytes(data, "x")


def test_a_ruleset_of_another_type_is_one_clear_line():
    forged = replace(random_policy(), ruleset=["cig2018"])
    with pytest.raises(RunError, match=r"^x is damaged"):
        checkpoints.of_bytes(forged.data(), "x")


def with_net(data, change):
    """Return the bytes of a policy with other settings of its network."""
    arrays = dict(np.load(BytesIO(data)))
    settings = json.loads(arrays[checkpoints.SETTINGS].tobytes())
    change(settings["network"])
    arrays[checkpoints.SETTINGS] = np.frombuffer(json.dumps(settings).encode(), np.uint8)
    out = BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


@pytest.mark.parametrize("history", [1, "yes", None, [], 1.0, True])
def test_a_forged_history_is_one_clear_line(history):
    data = with_net(random_policy().data(), lambda net: net.update(history=history))
    with pytest.raises(RunError, match=r"^x is damaged"):
        checkpoints.of_bytes(data, "x")


def test_a_policy_from_before_there_was_a_history_sees_none():
    stored = random_policy()
    old = checkpoints.of_bytes(with_net(stored.data(), lambda net: net.pop("history")), "x")
    assert old.data() == stored.data()


def test_a_policy_of_other_actors_is_one_clear_line(monkeypatch):
    data = random_policy().data()
    monkeypatch.setattr(checkpoints, "actors", lambda: "0" * 16)
    with pytest.raises(RunError, match=r"^x was stored by a version .* used other code"):
        checkpoints.of_bytes(data, "x")


@pytest.mark.parametrize(("data", "problem"), [
    # Read in C, this one would make room for 2**30 objects.
    (b"Nr\x00\x00\x00\x40.", "more objects"),
    # One storage twice, by a name that is not equal to itself.
    (b"ctorch\nFloatStorage\nq\x000" + b"(Nh\x00G\x7f\xf8" + 6 * b"\0" + b"tQ.", "has no name"),
    # A copy of a dictionary.
    (b"ccollections\nOrderedDict\n}\x85R.", "positional argument"),
])
def test_a_file_of_pytorch_takes_no_more_memory_than_it_has_bytes(data, problem):
    out = BytesIO()
    with ZipFile(out, "w") as file:
        file.writestr("x/data.pkl", b"\x80\x02" + data)
        file.writestr("x/data/nan", b"1234")
    with pytest.raises(RunError, match=r"^x is not a checkpoint") as raised:
        checkpoints.of_bytes(out.getvalue(), "x")
    assert problem in str(raised.value.__cause__)


def imported_of_learning(paths):
    """Return the files of hsevo.learning that some files import."""
    imported = set()
    for path in paths:
        for line in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(line, ast.ImportFrom) and str(line.module).startswith("hsevo.learning"):
                names = [line.module, *(f"{line.module}.{one.name}" for one in line.names)]
                imported |= {sources.PACKAGE.parent / f"{name.replace('.', '/')}.py"
                             for name in names}
    return {path for path in imported if path.exists()}


def test_what_actors_import_of_learning_counts_for_them():
    """What the actors' files import of hsevo.learning counts for them, too."""
    counted = {*sources.files(sources.COURSE), *sources.files(sources.ACTORS)}
    found = imported_of_learning(sources.files(sources.ACTORS, sources.NOT_ACTORS))
    assert len(found) > 10
    assert found <= counted


@pytest.mark.skipif(jit.INTERPRETED, reason="Python's numbers are wider in between")
def test_a_game_has_the_same_bits_on_every_machine():
    """Of a run on x86-64 with AVX2; nothing but IEEE sums and products in a fixed order."""
    one = play(games(4), [random_policy().actor()], np.zeros((4, 2), int), np.arange(4), record=0)
    bits = sha256(one.chosen.astype("<i4").tobytes() + one.log_behaviour.astype("<f4").tobytes())
    assert bits.hexdigest()[:16] == "acc3fe6067997a06"


def test_series_say_who_builds_its_decks(tmp_path):
    path = tmp_path / "one.pt"
    path.write_bytes(random_policy(build=True, shown="peek").data())
    words = ["series", f"rl:{path}", "random", "--mine", "mage,warrior", "--series", "2"]
    said = CliRunner().invoke(main, [*words, "--workers", "1"]).output.splitlines()
    assert said[1].endswith("one.pt builds its decks and sees some of the other's deck")


@pytest.mark.slow
@pytest.mark.parametrize("other", ["eva:2018", "rl:two.pt", "rl:old.pt"])
def test_a_history_is_seen_alike_in_games_at_once_and_move_by_move(tmp_path, monkeypatch, other):
    """Every number of every decision, against an agent, another such policy, one without."""
    monkeypatch.chdir(tmp_path)
    for name, net, seed in (("one", WATCHFUL, 1), ("two", WATCHFUL, 2), ("old", TINY, 3)):
        Path(f"{name}.pt").write_bytes(random_policy(seed, net).data())
    ours, theirs = (hsevo.Agent(name).record.reshape(1) for name in ("rl:one.pt", other))
    who, seeds = np.array([[0, 1], [1, 0]]), np.array([5, 6], np.uint64)
    decks = [read_deck(name) for name in ("mage", "reno-dragon-priest")]
    many = GameBatch.new(*decks, seeds, "msg2017")
    played = play(many, [player(ours), player(theirs)], who, seeds, record=0)
    seen, act = [], PolicyBot.act

    def kept(bot, decision, memory):
        if bot.actor is policy(ours):
            seen.append(bot._seen(decision)[0][0])
        return act(bot, decision, memory)

    monkeypatch.setattr(PolicyBot, "act", kept)
    for seats, seed in zip(who, seeds.tolist(), strict=True):
        both = [("rl:one.pt", other)[k] for k in seats]
        hsevo.Game(*decks, both, seed, ruleset="msg2017").run()
    assert len(seen) == len(played.observations) > 20
    assert np.array(seen).tobytes() == played.observations.tobytes()
    assert played.observations[:, SEEN_NOW:].any(axis=1).mean() > 0.5


@pytest.mark.slow
def test_a_file_plays_in_matches_and_games(tmp_path):
    """Without PyTorch: a game move by move is that of the match, with any number of workers."""
    (tmp_path / "one.pt").write_bytes(random_policy().data())
    (tmp_path / "two.pt").write_bytes(random_policy(2, build=True, shown="known").data())
    for name in ("six", "ten"):
        (tmp_path / f"{name}.pt").write_bytes(
            random_policy(ord(name[0]), build=True, shown="peek").data())
    (tmp_path / "all.pt").write_bytes(random_policy(4, WATCHFUL, shown="known").data())
    one, two, six, ten, all_ = (
        f"rl:{tmp_path / name}.pt" for name in ("one", "two", "six", "ten", "all"))
    for k, (ours, other) in enumerate(((one, two), (one, "eva:2018"), (one, "random"), (six, two),
                                       (six, ten), (all_, one), (all_, "random"))):
        found, again = (hsevo.match(ours, other, 8, decks=["mage", "warrior"], workers=workers)
                        for workers in (1, 2))
        assert found.games.equals(again.games)
        row = found.games.to_dict("records")[k % 2]  # with the one or the other in the first seat
        game = hsevo.Game(row["deck_a"], row["deck_b"], [row["a"], row["b"]], int(row["seed"]))
        game.run()
        assert (game.winner == 0, game.winner == 1) == (row["wins_a"], row["wins_b"])
        assert min(game.turn, 89) == row["turns"]


@pytest.mark.parametrize("names", [folder.METHOD_SOURCES, folder.END_TO_END_SOURCES])
def test_what_a_learner_imports_of_learning_is_its_method(names):
    """But for its folder, and what refuses a network to begin with: no game depends on these."""
    counted = {*sources.files(sources.COURSE), *sources.files(names),
               *sources.files(["learning/folder.py", "learning/pretrained.py"])}
    found = imported_of_learning(sources.files(names))
    assert len(found) > 5
    assert found <= counted


def test_a_pipe_is_no_checkpoint(tmp_path):
    os.mkfifo(tmp_path / "x.pt")
    with pytest.raises(RunError, match="it is a pipe or a device"):
        checkpoints.read(tmp_path / "x.pt")
