"""Data sets: the games of a match, decision by decision, each as its player may see it."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo import learning
from hsevo.engine.jit import INTERPRETED
from hsevo.engine.record.state import RUNNING
from hsevo.errors import AgentError, ConfigError, HsevoError, RunError
from hsevo.learning import decisions
from hsevo.learning.batch import History, observe
from hsevo.play import match
from hsevo.store import sums
from hsevo.strength.comparing import lineup_of_two
from hsevo.strength.lineup import schedule
from tests.support.command import fails
from tests.support.disk import full_disk
from tests.support.hidden import resampled

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plays games")
SERIAL: dict[str, Any] = {"backend": "serial"}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> hsevo.DataSet:
    """Return a data set of two files, which no test may change."""
    path = tmp_path_factory.mktemp("data") / "set"
    return hsevo.dataset("eva:2018", "gsv?nodes=20", path, 12, decks="human:known", history=True,
                         shard_games=8, **SERIAL)


@pytest.fixture(scope="module")
def arrays(data: hsevo.DataSet) -> dict[str, Any]:
    return data.arrays()


def again(data: hsevo.DataSet, arrays: dict[str, Any]) -> Any:
    """Yield the games of a data set before each move, their history, and the rows of arrays."""
    games = decisions.begun(data.rows, data.lineup.setting)
    history = History(games)
    for step in range(int(arrays["step"].max()) + 1):
        rows = np.flatnonzero(arrays["step"] == step)
        yield games, history, rows
        moves = np.zeros(len(games), np.int64)
        moves[arrays["game"][rows]] = arrays["move"][rows]
        history.step(moves)
    assert not (games.states["result"] == RUNNING).any()


@pytest.mark.parametrize(("agents", "rules"), [
    (("eva:2018", "random"), {"games": 18}),
    (("eva:2018", "eva:2018"), {"games": 6, "decks": "human:held-out", "seed": 5}),
    (("eva:2018@mage", "gsv?nodes=20"), {"games": 6, "ruleset": "msg2017"}),
    (("eva:2018", "greedy:metastone"), {"games": 18, "information": "closed"}),
    (("tyche:onestep", "eva:2018"), {"games": 18, "information": "leaky", "max_turns": 9}),
    (("mcts:vanilla?iterations=4&rollouts=1", "eva:2018"), {"games": 2, "decks": ["mage"]}),
    (("rl:2026?search=tree&iterations=5", "eva:2018"), {"games": 2, "decks": ["mage"]}),
])
def test_the_games_are_those_of_a_match(agents: tuple[str, str], rules: dict[str, Any]) -> None:
    """With any way to search, and whatever look-aheads know."""
    lineup = lineup_of_two(*agents, **{"decks": ["mage", "warrior", "shaman"], **rules})
    rows = schedule(lineup)
    played = match.play_block(rows, lineup.players, lineup.setting)
    recorded, moves = decisions.record(rows, lineup.players, lineup.setting, False)
    for name in set(match.RESULT.names or ()) - {"simulated"}:
        assert np.array_equal(played[name], recorded[name]), name
    assert len(moves["move"]) == played["decisions"].sum()


def test_a_row_is_what_the_player_sees_may_do_and_does(data: hsevo.DataSet,
                                                      arrays: dict[str, Any]) -> None:
    for games, history, rows in again(data, arrays):
        which = arrays["game"][rows]
        assert np.array_equal(np.sort(which), np.flatnonzero(games.running))
        seen, legal = observe(games, history=history)
        assert np.array_equal(arrays["observation"][rows], seen[which])
        assert np.array_equal(arrays["legal"][rows], legal[which])
        assert np.array_equal(arrays["player"][rows], games.players[which])
        masks = learning.move_masks(arrays["legal"][rows])
        assert np.array_equal(masks, games.legal_moves()[which])
        parts = np.stack([arrays[name][rows] for name in ("what", "at", "where")], axis=1)
        assert np.array_equal(learning.moves_of(parts.astype(int)), arrays["move"][rows])


def test_no_row_changes_with_what_is_hidden_from_its_player(data: hsevo.DataSet,
                                                            arrays: dict[str, Any]) -> None:
    """Make up the other player's hand, deck and secrets, the order of the own deck, and luck."""
    random, changed = np.random.default_rng(1), 0
    for games, history, rows in again(data, arrays):
        which = arrays["game"][rows]
        other = resampled(games, games.players.astype(int), random)
        changed += (other.states["side"] != games.states["side"]).any(axis=1).sum()
        past = History(other)
        past._pasts[:] = history._pasts
        seen, legal = observe(other, history=past)
        assert np.array_equal(arrays["observation"][rows], seen[which])
        assert np.array_equal(arrays["legal"][rows], legal[which])
    assert changed >= len(arrays["game"])


def test_returns_and_names_are_those_of_the_games(data: hsevo.DataSet,
                                                  arrays: dict[str, Any]) -> None:
    games = data.games
    table = pd.DataFrame({name: arrays[name] for name in arrays if arrays[name].ndim == 1})
    joined = table.join(games.rename(columns={"seed": "seed_of_game"}), on="game")
    first = joined["player"] == 0
    won = joined["wins_a"] - joined["wins_b"]
    assert (joined["return"] == np.where(first, won, -won)).all()
    for name, own, other in (("agent", "a", "b"), ("opponent", "b", "a"),
                             ("deck", "deck_a", "deck_b"), ("opponent_deck", "deck_b", "deck_a")):
        assert (joined[name] == np.where(first, joined[own], joined[other])).all(), name
    assert (joined["seed"] == joined["seed_of_game"]).all()
    assert table.groupby("game").size().tolist() == games["decisions"].tolist()
    ends = table[table["last"]]
    assert ends.groupby(["game", "player"]).size().tolist() == [1] * (2 * len(games))
    assert (ends["step"] == table.groupby(["game", "player"])["step"].transform("max")[
        ends.index]).all()


def test_the_last_decision_of_each_player_is_marked() -> None:
    game, player = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 1, 1, 0, 1, 1])
    assert decisions._last(game, player).tolist() == [False, False, True, True, False, True]


def test_the_rows_do_not_depend_on_the_files(data: hsevo.DataSet, arrays: dict[str, Any],
                                             tmp_path: Path) -> None:
    one = hsevo.dataset("eva:2018", "gsv?nodes=20", tmp_path / "one", 12, decks="human:known",
                        history=True, workers=2, backend="threads")
    assert (len(data.files), len(one.files)) == (2, 1)
    whole = one.arrays()
    assert all(np.array_equal(arrays[name], whole[name]) for name in arrays)
    assert data.decisions == len(arrays["game"])


def test_the_page_of_a_data_set_tells_how_to_read_it(data: hsevo.DataSet,
                                                     arrays: dict[str, Any]) -> None:
    page = (data.path / "README.md").read_text()
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        known: dict[str, Any] = {}
        exec(code.replace("DIR", str(data.path)), known)
        seen = known["arrays"]["observation"] if "arrays" in known else known["observations"]
        assert np.array_equal(seen, arrays["observation"])
    listed = [line["name"] for line in data.card["columns"]]
    assert listed == [*arrays]
    assert [*pd.read_parquet(data.path / "decisions.parquet").columns] == listed


def test_an_agent_can_play_itself(tmp_path: Path) -> None:
    data = hsevo.dataset("eva:2018", "eva:2018", tmp_path / "own", 2, decks=["mage"], **SERIAL)
    again = hsevo.read_dataset(data.path)
    assert again.names == ("eva:2018", "itself")
    assert {*again.arrays()["agent"]} == {"eva:2018", "itself"}
    assert again.rate.value == 0.5  # both games of a pair are the same, from either side


# -- damage and bad input


def copied(data: hsevo.DataSet, path: Path) -> hsevo.DataSet:
    """Return a copy of a data set."""
    return hsevo.read_dataset(data.save(path))


def resigned(data: hsevo.DataSet, content: bytes) -> None:
    """Replace the second file, with its sum."""
    listing = data.path / "decisions.sha256"
    old = sums.of(data.files[1].read_bytes())
    data.files[1].write_bytes(content)
    listing.write_text(listing.read_text().replace(old, sums.of(content)))


def test_damage_of_a_file_is_a_line(data: hsevo.DataSet, tmp_path: Path) -> None:
    whole = data.files[1].read_bytes()
    table = pd.read_parquet(data.files[1])
    forged = [whole[:-8], b"PAR1", data.files[0].read_bytes(), table.to_parquet(),
              table.head(3).to_parquet(), b""]
    for i, content in enumerate(forged):
        copy = copied(data, tmp_path / str(i))
        copy.files[1].write_bytes(content)
        with pytest.raises(RunError, match=r"part-0000001\.parquet is damaged: it is not what"):
            copy.arrays()
        copy.files[1].write_bytes(whole)
        resigned(copy, content)
        with pytest.raises(RunError, match=r"part-0000001\.parquet is damaged: .") as error:
            copy.arrays()
        assert "\n" not in str(error.value)
    numbers = [("game", 99), ("what", 58), ("return", 2), ("player", 2), ("agent", "another")]
    for column, value in numbers:
        copy = copied(data, tmp_path / column)
        changed = next(data._read(k, data._sums()) for k in (1,))
        changed[column] = changed[column].copy()
        changed[column][0] = value
        called = {name: (np.unique(changed[name], return_inverse=True)[1], np.unique(changed[name]))
                  for name in decisions.NAMES}
        resigned(copy, decisions.parquet(changed, called))
        with pytest.raises(RunError, match=f"damaged: column {column} has"):
            copy.arrays()


def test_what_is_missing_or_a_link_is_a_line(data: hsevo.DataSet, tmp_path: Path) -> None:
    copy = copied(data, tmp_path / "copy")
    call = {"decks": "human:known", "history": True, "shard_games": 8, **SERIAL}
    for name, says in (("decisions.sha256", "cannot read|lacks"),
                       ("decisions.parquet/part-0000000.parquet", "missing|cannot read")):
        (copy.path / name).rename(tmp_path / "kept")
        for act in (copy.arrays, lambda: hsevo.dataset(
                "eva:2018", "gsv?nodes=20", copy.path, 12, **call)):
            with pytest.raises(HsevoError, match=says):
                act()
        (tmp_path / "kept").rename(copy.path / name)
    (copy.path / "decisions.parquet").rename(tmp_path / "outside")
    (copy.path / "decisions.parquet").symlink_to(tmp_path / "outside")
    with pytest.raises(RunError, match="it is a link"):
        hsevo.dataset("eva:2018", "gsv?nodes=20", copy.path, 12, **call)


@pytest.mark.parametrize("name", ["part-0000000.parquet", "decisions.sha256", "games.csv",
                                  "README.md", "part-0000001.parquet"])
def test_a_full_disk_is_a_line_and_the_same_call_goes_on(
        name: str, data: hsevo.DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine"

    def call() -> Any:
        return hsevo.dataset("eva:2018", "gsv?nodes=20", path, 12, decks="human:known",
                             history=True, shard_games=8, **SERIAL)

    with monkeypatch.context() as patch:
        full_disk(patch, name)
        with pytest.raises(RunError, match="No space left"):
            call()
    call()
    files = [file for file in data.path.rglob("*") if file.is_file() and file.name != ".lock"]
    assert len(files) == 10
    for file in files:
        assert (path / file.relative_to(data.path)).read_bytes() == file.read_bytes(), file.name


def test_bad_input_is_a_line(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(ConfigError, match="shard_games is 3, but must be even"):
        hsevo.dataset("eva:2018", "random", out, shard_games=3)
    with pytest.raises(ConfigError, match="must be the path of a folder"):
        hsevo.dataset("eva:2018", "random", 5)  # type: ignore[arg-type]
    with pytest.raises(AgentError, match="is not compiled, and this plays compiled agents alone"):
        hsevo.dataset(lambda view: view.moves[0], "random", out)
    with pytest.raises(RunError, match="is not a data set of hsevo: it has no dataset"):
        hsevo.read_dataset(tmp_path)
    assert "Missing option '--out'".lower() in fails("dataset", "eva:2018", "random").lower()
    assert not out.exists()


# -- Minari


def test_minari_has_an_episode_for_each_player_of_a_game(
        data: hsevo.DataSet, arrays: dict[str, Any], tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    data.to_minari("hsevo/both-v0")
    stored = minari.load_dataset("hsevo/both-v0")
    assert (stored.total_episodes, stored.total_steps) == (2 * data.done, data.decisions)
    at = learning.blocks()["hero"]
    for episode, about in zip(stored.iterate_episodes(), stored.storage.get_episode_metadata(
            range(2 * data.done)), strict=True):
        which = about["options"]
        own = (arrays["game"] == which["game"]) & (arrays["player"] == which["player"])
        assert np.array_equal(episode.observations[:-1], arrays["observation"][own])
        assert np.array_equal(episode.actions, arrays["move"][own])
        assert np.array_equal(episode.infos["legal"][:-1], arrays["legal"][own])
        result = arrays["return"][own][0]
        assert episode.rewards.tolist() == [0.0] * (own.sum() - 1) + [float(result)]
        assert episode.terminations.tolist() == [False] * (own.sum() - 1) + [True]
        assert not episode.truncations.any()
        assert which["agent"] == arrays["agent"][own][0]
        heroes = learning.split(episode.observations[-1:])["hero"][0]
        dead = heroes[:, at.columns.index("health")] <= 0
        assert dead.tolist() == [result <= 0, result >= 0]  # own, enemy: these end by damage
    env = stored.recover_environment()
    assert env.reset(seed=1)[0].shape == episode.observations[0].shape
    with pytest.raises(ConfigError, match="Minari already has a data set hsevo/both-v0"):
        data.to_minari("hsevo/both-v0")
    some = data.to_minari("hsevo/eva-v0", "eva:2018")
    assert (some.total_episodes, some.total_steps) == (
        data.done, (arrays["agent"] == "eva:2018").sum())


def test_minari_refuses_names_in_a_line(data: hsevo.DataSet, tmp_path: Path,
                                        monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="is no name of a data set of Minari"):
        hsevo.dataset("eva:2018", "random", tmp_path / "out", minari="not a name")
    assert not (tmp_path / "out").exists()
    with pytest.raises(ConfigError, match="did you mean 'eva:2018'"):
        data.to_minari("hsevo/eva-v0", "eva:201")
    assert [*tmp_path.iterdir()] == []


def test_moves_that_cannot_be_repeated_are_a_run_error(
        data: hsevo.DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    parts = [part | {"move": part["move"] * 0 + 1} for part in data.batches()]
    monkeypatch.setattr(hsevo.DataSet, "batches", lambda self: iter(parts))
    with pytest.raises(RunError, match=r"the moves of .*set can't be repeated, .* is not legal"):
        data.to_minari("hsevo/both-v0")
    assert not (tmp_path / "hsevo" / "both-v0").exists()
