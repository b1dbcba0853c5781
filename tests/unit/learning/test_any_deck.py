"""Learning with decks that are drawn anew for each game: reproducible, of known lists, checked."""

import pytest

import hsevo
from hsevo import config
from hsevo.cards import DeckDatabase
from hsevo.config import Workers, change
from hsevo.config.learning import Plan
from hsevo.errors import ConfigError
from hsevo.learning.folder import LearningRun
from hsevo.learning.train import BLOCK, Training
from hsevo.play.workers import open_workers
from tests.support.command import fails
from tests.support.command import hsevo as hsevo_
from tests.support.folders import learned

SHARES = {"decks": {"human": 0.6, "changed": {"share": 0.2, "cards": 5}, "drawn": 0.2},
          "games": 40}
SAME = ("learning.csv", "references.csv", "payoff.csv", "checkpoints/period-0002.npz")


def learn(path, **more):
    return learned(path, changes=SHARES | more.pop("changes", {}), **more)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("any") / "run", workers=1)


def contents(run):
    return [(run.path / name).read_bytes() for name in SAME]


def test_any_number_of_workers_learns_the_same_and_a_stopped_run_goes_on_exactly(run, tmp_path):
    assert contents(learn(tmp_path / "two", workers=2)) == contents(run)

    def stop(done, total):
        if done >= 120:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "stopped", progress=stop)
    assert contents(hsevo.Learned(tmp_path / "stopped").resume(workers=2)) == contents(run)


@pytest.mark.slow
def test_a_cluster_learns_the_same(run, tmp_path):
    assert contents(learn(tmp_path / "dask", workers=2, backend="dask")) == contents(run)


def test_games_of_a_round_are_as_many_as_the_config_says(run):
    assert run.learning["games"].tolist() == [80, 80, 80]  # two rounds of 40
    assert run.references["games"].tolist() == [8, 8]
    assert run.payoff["games"].tolist() == [2, 2, 2]


def test_verify_plays_it_again(run):
    report = run.verify(workers=1)
    assert not report.problems
    assert report.games == 2 * 40 + 2 * 8 + 3 * 2


def test_each_game_has_two_decks_of_its_own_and_none_is_held_out(run):
    split = DeckDatabase.load().facts.set_index("deck")["split"]
    folder = LearningRun(run.path)
    with open_workers(Workers(backend="serial")) as executor, Training(
            folder, executor, 1, lambda games: None) as training:
        drawn = [training._settings(period, k, 2) for period in range(3) for k in range(2)]
        rows, _ = training._rows(0, 0)
        assert rows["deck_a"][:BLOCK].tolist() != rows["deck_b"][:BLOCK].tolist()
        assert sorted([*rows["deck_a"][:BLOCK], *rows["deck_b"][:BLOCK]]) == [*range(2 * BLOCK)]
    decks = [deck for settings in drawn for setting in settings for deck in setting.decks]
    names = {deck.name.removesuffix(" changed") for deck in decks
             if not deck.name.startswith("drawn")}
    assert {*split[sorted(names)]} == {"known"}
    assert len({deck.ids for deck in decks}) > 0.8 * len(decks)


def test_of_a_list_all_pairs_play_from_either_side_as_ever(tmp_path):
    with open_workers(Workers(backend="serial")) as executor, Training(
            LearningRun(learned(tmp_path / "run").path), executor, 1,
            lambda games: None) as training:
        rows, _ = training._rows(0, 0)
        settings = training._settings(0, 0, 1)
    assert rows[["deck_a", "deck_b"]].tolist() == 2 * [
        (0, 0), (0, 1), (1, 0), (1, 1), (0, 0), (1, 0), (0, 1), (1, 1)]
    assert [deck.name for deck in settings[0].decks] == ["mage", "warrior"]


@pytest.mark.parametrize(("decks", "said"), [
    ("{human: -1}", "decks.human is -1, but must be at least 0"),
    ("{human: 0}", "decks: all shares are 0, so no deck can be drawn"),
    ("{}", "decks: all shares are 0, so no deck can be drawn"),
    ("{humans: 1}", "unknown key 'decks.humans'; did you mean 'decks.human'?"),
    ("{files: 1}", "no deck can be drawn from it; set some"),
    ("{changed: {share: 1, cards: 31}}", "decks.changed.cards is 31, but must be at most 30"),
    ("{human: many}", "decks.human is 'many', but must be a number"),
    ("{human: 1, classes: [mages]}", "unknown class 'mages'; did you mean 'Mage'?"),
    ("{files: {share: 1, decks: [no-such-deck]}}", "no-such-deck"),
])
def test_what_cannot_be_drawn_is_refused_in_a_line(here, decks, said):
    error = fails("learn", "--config", "osfp-smoke", "--set", f"decks={decks}", "--out", "run")
    assert said in error
    assert len(error.splitlines()) == 1
    assert not (here / "run").exists()


def test_an_end_to_end_policy_takes_a_list():
    with pytest.raises(ConfigError, match="an end-to-end policy learns with a list of decks"):
        change(config.load("end-to-end-smoke", model=Plan), {"decks": {"human": 1}})


def test_a_run_of_other_human_lists_does_not_go_on(tmp_path, monkeypatch):
    def stop(done, total):
        if done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "stopped", progress=stop)
    other = DeckDatabase.load().split("known")
    monkeypatch.setattr(DeckDatabase, "load", lambda _: other)
    with pytest.raises(hsevo.HsevoError, match="begun with deck lists"):
        hsevo.Learned(tmp_path / "stopped").resume()


def test_a_run_of_other_human_lists_is_not_played_again(run, monkeypatch):
    other = DeckDatabase.load().split("known")
    monkeypatch.setattr(DeckDatabase, "load", lambda _: other)
    found = hsevo.Learned(run.path).verify()
    assert not found.problems
    assert "it was begun with other deck lists" in str(found)


def test_the_report_and_a_match_say_numbers_and_no_names(run, tmp_path):
    page = hsevo_("report", run.path, "--out", tmp_path / "report")
    assert page.exit_code == 0, page.output
    text = next((tmp_path / "report").glob("*.html")).read_text()
    assert "drawn for each game: 60 % human lists, 20 % human lists with 5 other cards" in text
    assert "human:held-out" in text  # the command that measures it
    said = hsevo_("match", f"rl:{run.path}", "random", "--games", 40, "--workers", 1, "--decks",
                  "human:held-out").stdout
    assert "human lists (held-out)" in said
    assert "strength of each class played by rl:run" in said
    assert said.count("human:") == 0
    assert len(said.splitlines()) < 30
