"""Learning runs of the end-to-end policy: tables, resuming, workers, matches, switches."""

import shutil

import distributed
import numpy as np
import pytest
from click.testing import CliRunner

import hsevo
from hsevo import HsevoError, config
from hsevo.cards.decks import read_deck
from hsevo.cli.root import main
from hsevo.config.learning import Plan
from hsevo.errors import AgentError, ConfigError
from hsevo.learning.acting.jobs import Deals, begin
from hsevo.learning.acting.rounds import ENEMY_DECK, play
from hsevo.learning.end_to_end.learner import Learner, draw_decks
from hsevo.learning.end_to_end.saved import read_checkpoint
from hsevo.learning.measures import games_to_play
from hsevo.learning.slots import deck_lists
from hsevo.play import match, tournament
from hsevo.play.hosting import results_of
from hsevo.play.match import Setting
from hsevo.play.workers import open_workers
from hsevo.reports.learned import REPORT, answers
from hsevo.strength.panel import Panel
from hsevo.strength.roster import read_agent
from tests.support.command import starts
from tests.support.sums import sign_about
from tests.torch.support import FEW, TAUGHT, but, few, learn, plan_of

SAME = ("learning.csv", "references.csv", "payoff.csv", "checkpoints/period-0000.pt",
        "checkpoints/period-0001.pt")


def contents(run):
    """Return the bytes of all files that depend on the seed alone."""
    return {name: (run.path / name).read_bytes() for name in SAME}


def test_tables_add_up(run):
    table = run.learning
    assert table["period"].tolist() == [0, 1]
    assert (table["games"] == 68).all()
    assert table["pool"].tolist()[0] == table["added"].tolist()[0] == 1  # an empty pool is beaten
    parts = table["policy"] + table["upgo"] + table["value"] - 0.01 * table["entropy"]
    assert np.allclose(table["loss"], parts + [1, 0.5] * table["teacher"], atol=1e-4)
    assert (run.references["wins"] / run.references["games"] == run.references["rate"]).all()
    assert run.payoff["games"].tolist() == [8]
    assert run.checkpoints == ["period-0000", "period-0001"]
    assert "loss" in run.lines()[0]


def test_any_workers_and_a_stop_learn_the_same(run, tmp_path):
    """Stopped in the second period on two workers of a Dask cluster; two threads go on with it."""
    counted = []

    def stop(done, total):
        counted.append((done, total))
        if done >= 100:
            raise KeyboardInterrupt

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False,
                                  protocol="tcp", host="127.0.0.1",
                                  dashboard_address=None) as cluster:
        of_dask = {"workers.scheduler": cluster.scheduler_address}
        with pytest.raises(KeyboardInterrupt):
            learn(tmp_path / "two", progress=stop, backend="dask", changes=TAUGHT | of_dask)
    assert counted[-1][1] == games_to_play(run.plan) == 160
    stopped = hsevo.Learned(tmp_path / "two")
    assert len(stopped.learning) == 1
    assert contents(stopped.resume(workers=2, backend="threads")) == contents(run)


def test_a_run_of_another_version_of_torch_is_not_continued(run, tmp_path):
    shutil.copytree(run.path, tmp_path / "old")
    sign_about(tmp_path / "old", method="another")
    with pytest.raises(HsevoError, match="was begun with method another"):
        hsevo.Learned(tmp_path / "old").resume()


def test_all_commands_of_its_report_start(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (answer,) = answers(REPORT.load([run.path]))
    assert [command.split()[1] for command, _ in answer.next] == ["match", "learn", "verify"]
    for command, _ in answer.next:
        starts(monkeypatch, command)


def test_matches(run):
    """The same result on any workers; against itself with the same numbers, half of the points."""
    one, two = (hsevo.match(f"rl:{run.path}", "eva:2018", 40, decks=["mage", "warrior"],
                            workers=workers) for workers in (1, 2))
    assert repr(one) == repr(two)
    assert one.played == 40
    assert one.rate.value < 0.5
    twin = hsevo.match(f"rl:{run.path}", f"rl:{run.path}#period-0001", 8, decks="mage")
    assert twin.rate.value == 0.5


def test_results_are_those_of_the_engine():
    """Compiled agents play the same games here: points, turns and margins."""
    decks = (read_deck("mage"), read_deck("warrior"))
    rows = np.repeat(tournament.mirrored(np.array([[0, 1]]), range(2), 1, (5,)), 3)
    rows["seed"] += np.arange(len(rows)).astype(np.uint64)
    agents, setting = [read_agent("random"), read_agent("noaggression")], Setting("cig2018", decks)
    deals = Deals(np.stack([rows["a"], rows["b"]], 1),
                  [(decks[row["deck_a"]], decks[row["deck_b"]]) for row in rows], rows["seed"],
                  setting)
    games, _, _ = begin(agents, deals, random=False)
    play(games, agents, deals.who, deals.seeds)
    results = results_of(games.states)
    expected = match.play_block(rows, np.concatenate(agents), setting)
    for name in ("wins_a", "wins_b", "draws", "turns", "margin_a", "margin_b"):
        assert results[name].tolist() == expected[name].tolist(), name


def test_an_arena_in_memory(run):
    """Two checkpoints, and two compiled agents that meet each other as they do without a network.
    """
    first, last = (f"rl:{run.path}#period-000{k}" for k in (0, 1))
    found = hsevo.arena([first, last, "random", "noaggression"], 8, decks="mage", workers=1).pairs
    plain = hsevo.arena(["random", "noaggression"], 8, decks="mage", workers=1).pairs
    assert (found.groupby("agent")["games"].sum() == 24).all()
    assert len(found) == 12
    one = hsevo.arena([first], 8, against=["random"], decks="mage", workers=1).pairs
    assert len(one) == 2
    assert plain["games"].tolist() == [8, 8]


def test_the_command_arena(run):
    words = ["arena", f"rl:{run.path}", "random", "noaggression", "--games", "8", "--decks", "mage"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    rows = result.stdout.splitlines()
    assert {row.split()[0] for row in rows[1:4]} == {f"rl:{run.path.name}", *words[2:4]}
    assert any(row.startswith("24 games") for row in rows[4:])


def test_benchmark(tmp_path):
    """A network that knows the panel's decks, here three agents; another does not."""
    learned = learn(tmp_path / "three", changes={
        "decks": ["mage", "warrior", "shaman"], "games": 2, "periods": 1, "network.isolate": True})
    panel = few(["random", "noaggression", "eva:2018"])
    spec = f"rl:{learned.path}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Panel, "read", lambda *_: panel)
        found, again = (hsevo.benchmark(spec, games=18, workers=workers) for workers in (1, 2))
        mage = learn(tmp_path / "mage", changes={"decks": ["mage"], "games": 4, "periods": 1,
                                                 "network.isolate": True})
        with pytest.raises(ConfigError, match="there are decks of SHAMAN, WARRIOR"):
            hsevo.benchmark(f"rl:{mage.path}", games=18)
    assert repr(found) == repr(again)
    assert found.agent == spec
    assert found.table.set_index("agent").loc["eva:2018", "games"] == 18
    assert {*found.table["agent"]} == {spec, "random", "noaggression", "eva:2018"}


def test_it_is_a_reference_opponent_of_evolve(run, tmp_path):
    """A run that is resumed has the lines of one that was planned so."""
    changes = {"decks": ["mage", "warrior"], "references.against": [f"rl:{run.path}"],
               "references.every": 1, "references.games": 8}
    whole = hsevo.evolve("smoke", out=tmp_path / "whole", backend="serial",
                         changes=changes | {"evolution.generations": 3})
    cut = hsevo.evolve("smoke", out=tmp_path / "cut", workers=2,
                       changes=changes | {"evolution.generations": 2})
    cut.resume(generations=3)
    assert whole.references["games"].tolist() == 3 * [8]
    assert ((tmp_path / "cut" / "references.csv").read_bytes()
            == (tmp_path / "whole" / "references.csv").read_bytes())


@pytest.mark.parametrize("words", [
    "evolve --config santos-ga --set rating.opponents.agents=[RL] --out OUT",
    "bench --agents RL",
    "learn --config osfp-smoke --against RL --out OUT",
    "learn --config osfp-smoke --start RL --out OUT",
    "learn --config osfp-smoke --set references.against=[RL] --out OUT",
])
def test_what_cannot_play_it_says_so_in_a_line(run, tmp_path, words):
    spec = {"RL": f"rl:{run.path}", "OUT": str(tmp_path / "out")}
    command = [word.replace("RL", spec["RL"]) if "RL" in word else spec.get(word, word)
               for word in words.split()]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2, result.output
    (line,) = result.output.splitlines()
    assert "is not compiled, and this plays compiled agents alone" in line
    if words.startswith("learn") and "references" in words:
        assert line.startswith(f"hsevo: references.against: '{spec['RL']}' is")
        assert "use an end-to-end-* config" in line
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("use", [
    lambda spec, run: hsevo.Games("mage", "mage", [1]).ask(spec),
    lambda spec, run: hsevo.Games("mage", "mage", [1]).ask(run.agent().record),
])
def test_what_cannot_ask_it_in_python_says_so(run, use):
    with pytest.raises(AgentError, match="is not compiled, and this plays compiled agents alone"):
        use(f"rl:{run.path}", run)


def test_an_environment_plays_against_it(run):
    env = hsevo.make_vec("battle", num_envs=2, opponent=f"rl:{run.path}", decks="mage", seed=1)
    env.reset()
    ended = 0
    for step in range(150):
        *_, over, _, _ = env.step(env.sample(step))
        ended += int(over.sum())
    assert ended


def test_what_is_of_evolved_runs_says_so(run):
    """No best to export, no game to replay: the folder is of another kind."""
    for command in (["export-best", str(run.path)], ["replay", str(run.path)]):
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 2
        assert len(result.output.splitlines()) == 1, result.output
        assert "hsevo learn" in result.output


def test_what_else_is_refused(run, tmp_path):
    with pytest.raises(HsevoError, match="only the options temperature and decks, not search"):
        hsevo.match(f"rl:{run.path}?search=turn", "random", 4)
    with pytest.raises(HsevoError, match=r"no options here; remove '\?temperature=1'"):
        hsevo.learn("end-to-end-smoke", against=f"rl:{run.path}?temperature=1",
                    out=tmp_path / "against")
    with pytest.raises(HsevoError, match="can't play with --information leaky"):
        hsevo.match(f"rl:{run.path}", "random", 4, information="leaky", out=tmp_path / "leaky")
    assert not (tmp_path / "leaky").exists()
    with pytest.raises(HsevoError, match="can't play with --information leaky"):
        hsevo.Game("mage", "mage", [f"rl:{run.path}", None], information="leaky")
    with pytest.raises(HsevoError, match="can't play with --information leaky"):
        hsevo.Game("mage", "mage", information="leaky").ask(f"rl:{run.path}")
    with pytest.raises(HsevoError, match="needs open deck lists"):
        hsevo.match(f"rl:{run.path}", "random", 4, information="closed", out=tmp_path / "closed")
    assert not (tmp_path / "closed").exists()
    with pytest.raises(HsevoError, match=r"start is eva:2018, and start_periods 0, so the teacher"):
        learn(tmp_path / "c", start="eva:2018", changes={"start_periods": 0})
    with pytest.raises(AgentError, match="is not compiled, and this plays compiled agents alone"):
        learn(tmp_path / "c", start=f"rl:{run.path}")
    assert not (tmp_path / "c").exists()


def test_all_switches_learn_and_are_named(run, tmp_path):
    """Against a policy alone, of which the run keeps a copy."""
    shutil.copytree(run.path, tmp_path / "copy")
    switches = {"network.isolate": True, "network.build": True, "network.gradient": "vtrace",
                "network.clip": [0, 1], "network.opponent_deck": "known", "periods": 1,
                "network.discount": 0.99, "games": 4}
    other = hsevo.Learned.create(config.change(
        config.load("end-to-end-small", model=Plan),
        FEW | switches | {"against": f"rl:{tmp_path / 'copy'}"}), tmp_path / "other")
    shutil.rmtree(tmp_path / "copy")
    other.resume()
    kept = read_checkpoint(other.path / "checkpoints" / "period-0000.pt")["settings"]["network"]
    assert (kept["gradient"], kept["isolate"], kept["build"]) == ("vtrace", True, True)
    result = CliRunner().invoke(main, ["match", "random", f"rl:{other.path}", "--games", "4",
                                       "--decks", "mage"])
    assert "rl:other builds its decks and sees the other's deck\n" in result.stdout


def test_a_policy_is_a_reference(run, tmp_path):
    """The run keeps it; its games are played again without the run that it came from."""
    shutil.copytree(run.path, tmp_path / "copy")
    spec = f"rl:{tmp_path / 'copy'}"
    found = learn(tmp_path / "other", changes={
        "references": {"against": [spec, "random"], "games": 8}, "periods": 1})
    assert found.references["opponent"].tolist() == [spec, "random"]
    shutil.rmtree(tmp_path / "copy")
    report = hsevo.Learned(found.path).verify(workers=1)
    assert (report.problems, report.other, report.measurements) == ([], "", 2)


def test_a_deck_is_seen_by_those_who_know_it_alone():
    plan = plan_of(8, decks=["mage", "warrior"], seed=3)
    for shown in ("hidden", "known"):
        learner = Learner(but(plan, opponent_deck=shown))
        with open_workers(hsevo.load_config("smoke").workers) as executor:
            played, *_ = learner._play(3, executor)
        dealt, _ = draw_decks(learner.decks, 8, 3)
        theirs = tuple(dealt[game][1 - seat] for game, seat in played.owners.tolist())
        expected = np.repeat(deck_lists(theirs, "cig2018"), played.lengths, axis=0)
        seen = played.observations[:, ENEMY_DECK]
        assert np.array_equal(seen, expected if shown == "known" else 0 * expected)
