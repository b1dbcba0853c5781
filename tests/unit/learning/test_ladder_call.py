"""`hsevo.ladder`: it learns, plays, goes on after a stop, and takes over players that are there."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

import hsevo
from hsevo.errors import ConfigError, RunError, Stopped
from hsevo.objects import to_object
from tests.support.command import fails
from tests.support.command import hsevo as command
from tests.support.ladder import TINY

SERIAL: dict[str, Any] = {"workers": 1, "backend": "serial"}
pytestmark = pytest.mark.usefixtures("here", "undrawn")
SETTINGS = {"decks": ["mage"], "periods": 1, "rounds": 1, "games": 4, "payoff_games": 0,
            "references.against": []}


def made(out: str, **more: Any) -> hsevo.LadderResult:
    Path("tiny.yaml").write_text(TINY)
    return hsevo.ladder("tiny.yaml", out=out, **SERIAL | more)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a ladder that is finished, which no test changes."""
    path = tmp_path_factory.mktemp("ladder")
    (path / "tiny.yaml").write_text(TINY)
    hsevo.ladder(path / "tiny.yaml", out=path / "whole", **SERIAL)
    return path / "whole"


def stop_in_matches(done: int, total: int) -> None:
    """Stop once three matches are kept."""
    pairs = Path("new/pairs.csv")
    if pairs.exists() and pairs.read_bytes().count(b"\n") > 3:
        raise KeyboardInterrupt


def test_a_folder_has_all(whole: Path) -> None:
    names = {path.name for path in whole.iterdir()}
    assert {"ladder.yaml", "pairs.csv", "matrix.csv", "steps.csv", "others.csv", "matrix.svg",
            "matrix.png", "players"} <= names
    assert ".unfinished" not in names
    pairs = pd.read_csv(whole / "pairs.csv")
    assert len(pairs) == 3 * 4 + 6
    assert (pairs["wins_a"] + pairs["draws"] + pairs["wins_b"] == pairs["games"]).all()
    assert ((pairs["wins_a"] + pairs["draws"] / 2) / pairs["games"]).tolist() == (
        pytest.approx(pairs["rate"].tolist()))
    assert pairs["games"].tolist() == [8] * 12 + [6] * 6
    matrix = pd.read_csv(whole / "matrix.csv").set_index(["row", "column"])
    met = pairs[(pairs["rung_a"] == "three") & (pairs["rung_b"] == "one")]
    assert matrix.loc[("three", "one"), "rate"] == pytest.approx(met["rate"].mean())
    about = yaml.safe_load((whole / "ladder.yaml").read_text())
    assert about["kind"] == "hsevo ladder"
    assert about["ladder"]["rungs"]["two"] == {"games": 8}


def test_a_match_can_be_played_again(whole: Path) -> None:
    row = pd.read_csv(whole / "pairs.csv").iloc[5]
    a, b = (f"rl:{whole}/players/{row[f'rung_{side}']}-seed-{int(row[f'seed_{side}'])}"
            for side in "ab")
    again = hsevo.match(a, b, 8, decks=["mage"], seed=int(row["seed"]), **SERIAL)
    assert (again.rate.value, again.rate.low) == pytest.approx((row["rate"], row["low"]))


def test_a_stop_changes_nothing(whole: Path) -> None:
    with pytest.raises(Stopped) as stopped:
        made("new", progress=stop_in_matches)
    kept = stopped.value.result
    assert 3 <= len(kept.pairs) < 18
    assert kept.matrix["rate"].isna().any()
    assert (Path("new") / "ladder.yaml").exists()
    assert hsevo.LadderResult.open("new").pairs.equals(kept.pairs)
    made("new")
    for name in ("pairs.csv", "matrix.csv", "steps.csv", "others.csv"):
        assert (Path("new") / name).read_bytes() == (whole / name).read_bytes()


def test_players_of_learn_are_taken_over_and_unfinished_ones_go_on(whole: Path) -> None:
    """As the settings say, in whatever way they were given; the rest is learned."""
    hsevo.learn("osfp-smoke", seed=1, out="new/players/two-seed-1",
                changes=SETTINGS | {"games": 8, "name": "mine"}, workers=2)
    log = Path("new/players/two-seed-1/log.txt").read_bytes()

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hsevo.learn("osfp-smoke", seed=2, out="new/players/one-seed-2", changes=SETTINGS,
                    progress=stop, **SERIAL)
    assert not Path("new/players/one-seed-2/done").exists()
    made("new")
    assert Path("new/players/two-seed-1/log.txt").read_bytes() == log
    assert (Path("new") / "pairs.csv").read_bytes() == (whole / "pairs.csv").read_bytes()


@pytest.mark.parametrize(("changes", "said"), [
    ({"games": 16}, "has games 16, but the ladder says 8; choose another folder"),
    ({"games": 8, "learner.trace": 0.7}, "has learner.trace 0.7, but the ladder says 0.8"),
    ({"games": 8, "seed": 9}, "has seed 9, but the ladder says 1"),
])
def test_a_player_of_other_settings_is_refused_before_anything_is_learned(
        changes: dict[str, Any], said: str) -> None:
    hsevo.learn("osfp-smoke", out="new/players/two-seed-1", changes=SETTINGS | changes, **SERIAL)
    Path("tiny.yaml").write_text(TINY)
    line = fails("ladder", "tiny.yaml", "--out", "new")
    assert said in line
    assert line.startswith("hsevo: new/players/two-seed-1 has ")
    assert line.count("\n") == 1
    assert [path.name for path in Path("new/players").iterdir()] == ["two-seed-1"]


def test_a_finished_ladder_takes_more_seeds_and_no_other_games(whole: Path) -> None:
    made("new", seeds=[1])
    found = made("new")
    assert len(found.pairs) == 18
    before, after = (pd.read_csv(folder / "matrix.csv") for folder in (Path("new"), whole))
    pd.testing.assert_frame_equal(before, after)
    with pytest.raises(ConfigError, match="new has matches with games 8, but the ladder says 10"):
        made("new", games=10)


def test_fewer_seeds_than_there_are_matches_of_are_refused(whole: Path) -> None:
    """Its tables would be of fewer games than the folder has."""
    shutil.copytree(whole, "new")
    before = {path.name: path.read_bytes() for path in Path("new").iterdir() if path.is_file()}
    Path("tiny.yaml").write_text(TINY)
    for seeds, more, every in ((1, "seed 2", "1,2"), (3, "seeds 1, 2", "1,2,3")):
        line = fails("ladder", "tiny.yaml", "--out", "new", "--seeds", seeds)
        assert line == (f"hsevo: new also has matches of {more}, and its tables include all"
                        f" seeds in the folder; give --seeds {every}, or choose another folder\n")
    assert before == {path.name: path.read_bytes() for path in Path("new").iterdir()
                      if path.is_file()}
    assert not Path("new/players/one-seed-3").exists()


def test_folders_of_others_are_refused(whole: Path) -> None:
    Path("other").mkdir()
    Path("other/text.txt").touch()
    with pytest.raises(RunError, match="other already exists and is not empty"):
        made("other")
    Path("file").touch()
    with pytest.raises(RunError, match="file is a file"):
        made("file")
    said = fails("report", whole)
    assert f"is a ladder, not a run; call: hsevo ladder {whole}/ladder.yaml" in said


def test_matches_of_other_players_are_refused(whole: Path) -> None:
    for seed in (7, 8):
        shutil.rmtree("rival", ignore_errors=True)
        hsevo.learn("osfp-smoke", seed=seed, out="rival", changes=SETTINGS, **SERIAL)
        Path("tiny.yaml").write_text(TINY.replace("[random]", "['rl:rival']"))
        if seed == 7:
            hsevo.ladder("tiny.yaml", seeds=[1], out="new", **SERIAL)
    with pytest.raises(RunError, match="has games of one, seed 1, against rl:rival with other"):
        hsevo.ladder("tiny.yaml", seeds=[1], out="new", **SERIAL)


def test_matches_without_their_rules_are_refused(whole: Path) -> None:
    shutil.copytree(whole, "new")
    Path("new/ladder.yaml").unlink()
    with pytest.raises(ConfigError, match=r"cannot read new/ladder\.yaml"):
        made("new")


def test_damage_is_found(whole: Path) -> None:
    shutil.copytree(whole, "new")
    path = Path("new/pairs.csv")
    path.write_text(path.read_text().replace("two,1,one,1", "two,1,one,3"))
    with pytest.raises(RunError, match=r"pairs.csv is damaged"):
        made("new")


def test_without_pytorch_it_says_what_to_install_and_makes_nothing(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [name for name in sys.modules if name.startswith("hsevo.learning.end_to_end")]:
        monkeypatch.delitem(sys.modules, name)
    line = fails("ladder", "table-1", "--out", "new")
    assert line.startswith("hsevo: the end-to-end policy needs PyTorch")
    assert line.count("\n") == 1
    assert not Path("new").exists()


@pytest.mark.parametrize(("key", "value", "said"), [
    ("against", ["eva:nobody.yaml"], "nobody.yaml"), ("decks", ["maeg"], "did you mean 'mage'?")])
def test_what_is_not_there_is_said_before_anything_is_learned(key: str, value: list[str],
                                                              said: str) -> None:
    Path("tiny.yaml").write_text(yaml.safe_dump(yaml.safe_load(TINY) | {key: value},
                                                sort_keys=False))
    assert said in fails("ladder", "tiny.yaml", "--out", "new")
    assert not Path("new").exists()


def test_the_command_prints_tables_and_json(whole: Path) -> None:
    words = ("ladder", whole / "ladder.yaml", "--backend", "serial")
    text = command(*words).stdout
    assert "95 % intervals over 2 seeds" in text
    assert "learner.trace=0.9" in text
    assert "published: nobody" in text
    found = json.loads(command(*words, "--json").stdout)
    steps = pd.read_csv(whole / "steps.csv")
    assert found["command"] == "ladder"
    assert [one["rate"]["value"] for one in found["steps"]] == steps["rate"].tolist()
    assert found["matches"][-1]["seed_b"] is None
    assert len(found["others"]) == 3


def test_seeds_that_are_no_list_are_refused() -> None:
    with pytest.raises(ConfigError, match="seeds is 3, but must be a list"):
        made("new", seeds=3)


def test_one_seed_has_no_interval_over_seeds() -> None:
    Path("tiny.yaml").write_text(TINY)
    result = command("ladder", "tiny.yaml", "--seeds", 1, "--out", "new", "--backend", "serial")
    assert "because one seed gives no interval over seeds" in result.stdout
    found = hsevo.ladder("tiny.yaml", seeds=[1], out="new")
    assert to_object(found)["plan"]["seeds"] == [1]
    first = found.pairs.iloc[0]
    cell = found.matrix.set_index(["row", "column"]).loc[("two", "one")]
    assert cell[["rate", "low", "high"]].tolist() == first[["rate", "low", "high"]].tolist()


def test_ctrl_c_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("tiny.yaml").write_text(TINY)

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hsevo.learning.ladders._learn", stop)
    result = command("ladder", "tiny.yaml", "--out", "new", "--seeds", "1,2")
    assert result.exit_code == 130
    assert result.stderr.splitlines()[-1].endswith(
        "stopped; finished parts are kept; continue with: hsevo ladder tiny.yaml --seeds=1,2 --out"
        " new")
