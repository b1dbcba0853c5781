"""Learning runs: the same on any number of workers, after a stop, and against one opponent."""

import re
import shutil

import pytest

import hsevo
from hsevo import config
from hsevo.agents.shared.scratch import LEVELS
from hsevo.config import change
from hsevo.config.learning import Plan
from hsevo.errors import AgentError, ConfigError, RunError
from hsevo.learning.folder import LearningRun
from hsevo.learning.measures import games_to_play
from hsevo.learning.plan import refuse_unused
from hsevo.store.sums import short_digest
from tests.support.command import fails
from tests.support.command import hsevo as hsevo_
from tests.support.folders import learned as learn
from tests.support.sums import sign_about

SAME = ("learning.csv", "references.csv", "payoff.csv", *(
    f"checkpoints/period-000{k}.npz" for k in range(3)))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a finished run."""
    return learn(tmp_path_factory.mktemp("learned") / "whole", workers=1)


def contents(path):
    """Return the bytes of all files that depend on the seed alone."""
    return {name: (path / name).read_bytes() for name in SAME}


def stopped_and_resumed(path, changes):
    """Return a run that was stopped within its second period, and went on with two workers."""
    def stop(done, total):
        if done >= 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(path, workers=2, changes=changes, progress=stop)
    stopped = hsevo.Learned(path)
    assert len(stopped.learning) == 1
    return stopped.resume(workers=2)


def test_expert_iteration_is_the_same_on_any_number_of_workers_and_after_a_stop(run, tmp_path):
    changes = {"learner.expert": "turn", "learner.nodes": 10}
    whole = contents(learn(tmp_path / "one", workers=1, changes=changes).path)
    assert whole != contents(run.path)
    assert contents(stopped_and_resumed(tmp_path / "two", changes).path) == whole


def test_a_learning_period_by_samples_takes_several_periods_of_a_run(run, tmp_path):
    """Also across a stop: samples and results so far are kept."""
    changes = {"osfp.samples": int(run.learning["positions"].iloc[0]) + 1}
    whole = learn(tmp_path / "one", workers=1, changes=changes)
    assert whole.learning["added"].tolist() == [0, 1, 0]
    assert whole.learning["pool"].tolist() == [0, 1, 1]
    assert whole.learning["positions"].iloc[0] == run.learning["positions"].iloc[0]
    again = stopped_and_resumed(tmp_path / "two", changes)
    assert contents(again.path) == contents(whole.path)
    assert again.verify().problems == []


def test_expected_sarsa_is_the_same_on_any_number_of_workers_and_after_a_stop(run, tmp_path):
    changes = {"learner.targets": "expected-sarsa"}
    one = learn(tmp_path / "one", workers=1, changes=changes)
    assert contents(one.path) != contents(run.path)
    assert one.learning["games"].equals(run.learning["games"])
    two = stopped_and_resumed(tmp_path / "two", changes)
    assert contents(two.path) == contents(one.path)
    assert one.verify().problems == []


def test_learning_what_cards_say_is_the_same_on_any_number_of_workers_and_after_a_stop(
        run, tmp_path):
    changes = {"learner.cards": "both", "learner.card_dropout": 0.2}
    one = learn(tmp_path / "one", workers=1, changes=changes)
    assert contents(one.path) != contents(run.path)
    two = stopped_and_resumed(tmp_path / "two", changes)
    assert contents(two.path) == contents(one.path)
    states = [LearningRun(done.path).committed for done in (one, two)]
    for name in ("text", "text_moments", "met"):
        assert (states[0][name] == states[1][name]).all()
        assert states[0][name].any()
    assert one.verify().problems == []


def test_the_expert_searches_as_deep_as_agents_can():
    plan = config.load("osfp-smoke", model=Plan)
    with pytest.raises(ConfigError, match=r"learner\.depth is 16"):
        change(plan, {"learner.depth": LEVELS + 1})
    assert change(plan, {"learner.depth": LEVELS}).learner.depth == LEVELS


@pytest.mark.parametrize("games", [10, 70, 100])
def test_a_stopped_run_goes_on_exactly(run, tmp_path, games):
    def stop(done, total):
        if done >= games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "stopped", progress=stop)
    with (tmp_path / "stopped" / "learning.csv").open("a") as table:
        table.write("half a li")  # as a killed process may leave
    resumed = hsevo.Learned(tmp_path / "stopped").resume()
    assert resumed.done
    assert contents(resumed.path) == contents(run.path)


def test_tables_add_up(run):
    assert run.learning["period"].tolist() == [0, 1, 2]
    assert (run.learning["games"] == 32).all()
    assert run.learning["added"].iloc[0] == 1  # an empty pool is beaten
    assert run.references["period"].tolist() == [1, 2]
    assert (run.references["wins"] / run.references["games"] == run.references["rate"]).all()
    payoff = run.payoff
    assert len(payoff) == 3
    assert (payoff[["wins_a", "wins_b", "draws"]].sum(axis=1) == payoff["games"]).all()
    assert run.checkpoints == ["period-0000", "period-0001", "period-0002"]


def test_all_games_are_counted(tmp_path):
    counted = []
    run = learn(tmp_path / "counted", progress=lambda done, total: counted.append((done, total)))
    assert counted[-1] == (games_to_play(run.plan),) * 2


def test_the_last_checkpoint_is_the_player(run):
    result = hsevo.match(f"rl:{run.path}", f"rl:{run.path}#period-0002", games=16,
                         decks=["mage", "warrior"])
    assert result.rate.value == 0.5  # the same player, in mirrored games
    with pytest.raises(hsevo.HsevoError, match="no checkpoint 'period-9'"):
        hsevo.Agent(f"rl:{run.path}#period-9")


def test_an_earlier_checkpoint_does_not_stand_in_for_the_last(run, tmp_path):
    copy = shutil.copytree(run.path, tmp_path / "copy")
    (copy / "checkpoints" / "period-0002.npz").unlink()
    with pytest.raises(hsevo.HsevoError, match=r"its last checkpoint, period-0002, is missing; .*"
                                               r" such as #period-0001$"):
        hsevo.Agent(f"rl:{copy}")
    assert hsevo.Agent(f"rl:{copy}#period-0001").spec
    with (copy / "learning.csv").open("a") as table:
        table.write("3,half a li")  # of a killed process
    shutil.copy(run.path / "checkpoints" / "period-0002.npz", copy / "checkpoints")
    assert hsevo.Agent(f"rl:{copy}").spec


def test_a_match_says_which_decks_its_players_did_not_learn(run, tmp_path):
    spec = f"rl:{run.path}"
    said = "  rl:whole learned mage, warrior, and not shaman"
    more = ("--games", 8, "--workers", 1, "--decks")
    assert said in hsevo_("match", spec, "random", *more, "mage,shaman").stdout.splitlines()
    assert "learned" not in hsevo_("match", spec, "random", *more, "mage,warrior").stdout.replace(
        spec, "")


def test_an_arena_says_it_too(run):
    spec = f"rl:{run.path}"
    said = "rl:whole learned mage, warrior, and not shaman"
    arena = hsevo_("arena", spec, "random", "--games", 8, "--workers", 1, "--decks", "mage,shaman")
    assert said in arena.stdout.splitlines()


def test_a_match_with_a_folder_of_a_later_hsevo_has_its_result(run, tmp_path):
    """Its config may have keys that are unknown here; its checkpoint can play."""
    copy = shutil.copytree(run.path, tmp_path / "copy")
    text = (copy / "config.yaml").read_text() + "later_key: 3\n"
    (copy / "config.yaml").write_text(text)
    sign_about(copy, config=short_digest(text))
    with pytest.raises(ConfigError, match="later_key"):
        hsevo.Learned(copy)
    result = hsevo_("match", f"rl:{copy}", "random", "--games", 8, "--workers", 1)
    assert result.exit_code == 0, result.output
    assert "rl:copy against random: " in result.stdout


def test_a_checkpoint_that_was_changed_does_not_play(run, tmp_path):
    copy = shutil.copytree(run.path, tmp_path / "copy")
    first, last = (copy / "checkpoints" / f"period-000{k}.npz" for k in (0, 2))
    shutil.copy(first, last)
    for spec in (f"rl:{copy}", f"rl:{copy}#period-0002"):
        with pytest.raises(hsevo.HsevoError, match=r"0002.npz is damaged: it is not what"):
            hsevo.Agent(spec)
    assert hsevo.Agent(f"rl:{copy}#period-0001").spec
    assert hsevo.Agent(f"rl:{last}").spec  # named by its file, it is a net as any
    (copy / "state.npz").write_bytes(b"PK\3\4" + bytes(90))
    with pytest.raises(hsevo.HsevoError, match=r"state.npz is damaged"):
        hsevo.Agent(f"rl:{copy}#period-0001")
    (copy / "state.npz").unlink()
    assert hsevo.Agent(f"rl:{copy}").spec  # nothing says what it was


def test_it_learns_from_an_agents_games_first(run, tmp_path):
    table = learn(tmp_path / "eva", start="eva:2018").learning
    assert table["pool"].iloc[0] == 0  # it has not met anybody yet
    assert not table["loss"].equals(run.learning["loss"])


def test_against_meets_that_agent_alone(tmp_path):
    run = learn(tmp_path / "probe", against="random")
    assert run.learning["pool"].tolist() == [0, 0, 0]
    assert (run.learning["games"] == 32).all()


@pytest.mark.parametrize(("changes", "said"), [
    ({"periods": 0}, "periods is 0"), ({"learner.trace": 2}, "learner.trace"),
    ({"osfp.threshold": 1.5}, "osfp.threshold"), ({"perods": 3}, "periods"),
    ({"learner.lambda": 0.9}, r"'learner\.lambda'; did you mean 'learner\.trace'"),
    ({"network.gamma": 0.9}, r"'network\.gamma'; did you mean 'network\.discount'"),
    ({"learner.methd": "ppo"}, r"'learner\.methd'; did you mean 'learner\.method'"),
    ({"learner.method": "poo"}, r"learner\.method"), ({"learner.clip": 0}, r"learner\.clip"),
    ({"learner.gamma": 0.9}, r"'learner\.gamma'; did you mean 'learner\.discount'"),
    ({"start": "eva:2018", "start_periods": 3, "periods": 3}, "start_periods is 3"),
])
def test_mistakes_in_plans(changes, said):
    with pytest.raises(ConfigError, match=said):
        change(config.load("osfp-smoke", model=Plan), changes)


@pytest.mark.parametrize(("source", "key", "value", "said"), [
    ("osfp-smoke", "network.width", 64, "section 'network' is only for policy 'end-to-end'"),
    ("osfp-smoke", "network.clip", [0, 1], "this policy is 'afterstate'; use section 'learner'"),
    ("end-to-end-smoke", "learner.trace", 0.5, "this policy is 'end-to-end'"),
    ("osfp-smoke", "learner.card_dropout", 0.3, "needs learner.cards 'both'; the config has"),
    ("osfp-smoke", "learner.clip", 0.3, "needs learner.method 'ppo'; the config has 'td'"),
    ("osfp-smoke", "learner.entropy", 0.3, "needs learner.method 'ppo' or 'mmd'"),
    ("ppo-smoke", "learner.stepsize", 1, "needs learner.method 'mmd'; the config has 'ppo'"),
    ("mmd-smoke", "learner.expert", "turn", "needs learner.method 'td'; the config has 'mmd'"),
    ("ppo-smoke", "against", "eva:2018", "learner.method 'ppo' learns only"),
    ("ppo-smoke", "learner.asked", 0.5, "needs a teacher; set start"),
    ("osfp-smoke", "learner.asked", 0.5, "needs learner.method 'ppo' or 'mmd'"),
    ("mmd-smoke", "against", "random", "with learner.method td it can be given"),
    ("ppo-smoke", "learner.targets", "expected-sarsa",
     "needs learner.method 'td'; the config has 'ppo'"),
    ("end-to-end-smoke", "learner.targets", "expected-sarsa", "this policy is 'end-to-end'"),
])
def test_keys_of_the_other_policy_are_refused(tmp_path, source, key, value, said):
    """They would do nothing, and the folder would say that they were set."""
    with pytest.raises(ConfigError, match=f"^{re.escape(key)} is .*{re.escape(said)}") as refused:
        hsevo.learn(source, out=tmp_path / "run", changes={key: value})
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "run").exists()
    assert fails("learn", "--config", source, "--set", f"{key}={value}").startswith(
        f"hsevo: {key} is ")


@pytest.mark.parametrize(("key", "value"), [
    ("start", "eva:2018"), ("against", "random"), ("learner.expert", "turn")])
def test_expected_sarsa_refuses_games_of_others_and_of_a_search(tmp_path, key, value):
    with pytest.raises(ConfigError, match=f"^{key} is {value}, but learner.targets 'expected-sarsa'"
                       " learns (?:from|only from) .*; with learner.targets td it can be given$"):
        hsevo.learn("osfp-smoke", out=tmp_path / "run",
                    changes={"learner.targets": "expected-sarsa", key: value})
    assert not (tmp_path / "run").exists()


def test_options_of_a_round_must_fit_into_memory():
    plan = change(config.load("osfp-smoke", model=Plan), {"games": 1_000})
    for changes in ({"learner.targets": "expected-sarsa"}, {"learner.method": "ppo"}):
        with pytest.raises(ConfigError, match="9,000 games of a round would take 6 GiB of memory"):
            change(plan, changes)


def test_the_other_policys_section_with_its_defaults_is_no_change():
    refuse_unused(change(config.load("osfp-smoke", model=Plan), {"network.width": 32}))


def test_an_old_folder_with_a_key_of_the_other_policy_is_read_and_resumed(tmp_path, monkeypatch):
    """Version 0.4 was written with folders that have such keys."""
    monkeypatch.setattr("hsevo.learning.run.refuse_unused", lambda plan: None)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "old", changes={"network.width": 64}, progress=stop)
    monkeypatch.undo()
    assert hsevo.Learned(tmp_path / "old").resume(workers=1).done


def test_configs_of_other_kinds_say_which_command_runs_them():
    with pytest.raises(ConfigError, match="hsevo evolve --config smoke"):
        config.load("smoke", model=Plan)
    with pytest.raises(ConfigError, match="hsevo learn --config osfp-smoke"):
        hsevo.load_config("osfp-smoke")


def test_commands_for_runs_of_evolve_say_what_to_do_with_one_of_learn(run):
    with pytest.raises(RunError, match=f"is a run of hsevo learn, .* the agent rl:{run.path}; "):
        hsevo.Run(run.path)


def test_start_and_against_may_stand_among_the_changes(tmp_path):
    for key, value in (("start", "eva:2018"), ("against", "random")):
        run = learn(tmp_path / key, changes={key: value, "periods": 2, "rounds": 1, "games": 1})
        assert getattr(run.plan, key) == value


def test_a_run_names_the_player_in_it(tmp_path):
    run = learn(tmp_path / "run", changes={"periods": 1, "rounds": 1, "games": 1})
    assert run.agent(0).name == run.agent("period-0000").name
    with pytest.raises(AgentError, match=r"not Learned; its player is run\.agent\(\)"):
        hsevo.match(run, "random", games=2)
    with pytest.raises(RunError, match="there is no folder"):
        hsevo.Learned(tmp_path / "none")
