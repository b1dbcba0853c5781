"""A match's folder, opened again: the same result, and a line for what is not one."""

import re
from pathlib import Path

import pytest

import hsevo
from hsevo import config
from hsevo.config import Workers
from hsevo.errors import RunError
from hsevo.play.workers import open_workers
from hsevo.store import journal
from hsevo.strength.matches import Match


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, Path]:
    """Return a match with a test, of agents of which one has its own deck, and its folder."""
    folder = tmp_path_factory.mktemp("matches") / "match"
    return hsevo.match("eva:2018@mage", "noaggression", 72, sprt=(0, 200), seed=7, out=folder,
                       workers=1), folder


def test_an_opened_match_is_the_match(played) -> None:
    result, folder = played
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    again = hsevo.open_match(folder)
    assert repr(again) == repr(result)
    assert again.games.equals(result.games)
    assert (again.rate, again.sprt, again.test_sentence) == (
        result.rate, result.sprt, result.test_sentence)
    assert again.crosstab("decks").equals(result.crosstab("decks"))
    assert again.deck_pairs.equals(result.deck_pairs)
    assert str(again.replay(longest=True)) == str(result.replay(longest=True))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_test_that_is_none_is_a_line(played, tmp_path: Path) -> None:
    for path in played[1].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    text = re.sub(r"^( *)sprt:.*\n(\1  .*\n)*", r"\1sprt: 5\n",
                  (tmp_path / "match.yaml").read_text(), flags=re.MULTILINE)
    (tmp_path / "match.yaml").write_text(text)
    with pytest.raises(RunError, match="is damaged: its sprt is 5"):
        hsevo.open_match(tmp_path)


def test_a_match_of_version_0_5_is_opened(played, tmp_path: Path) -> None:
    """Its match.yaml, written at the end, named no format and no sums of agents and rules."""
    for path in played[1].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    about = config.parse((tmp_path / "match.yaml").read_text(), "match.yaml")
    for name in ("format", "agents and decks", "rules"):
        del about[name]
    about |= {"version": "0.5.0", "engine": "another"}
    (tmp_path / "match.yaml").write_text(config.to_yaml(about))
    assert repr(hsevo.open_match(tmp_path)) == repr(played[0])


def test_a_match_that_was_stopped_is_opened_and_played_on(played, tmp_path: Path) -> None:
    for path in played[1].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    games = (tmp_path / "games.csv").read_bytes()
    journal.write(tmp_path / "games.csv", b"".join(games.splitlines(keepends=True)[:9]))
    (tmp_path / "pairs.csv").unlink()
    with pytest.raises(RunError, match="the call that began it continues it"):
        hsevo.open_match(tmp_path)
    with open_workers(Workers(backend="serial")) as executor:
        again = Match.open(tmp_path).play(executor)
    assert repr(again) == repr(played[0])
    assert (tmp_path / "games.csv").read_bytes() == games
    assert (tmp_path / "pairs.csv").read_bytes() == (played[1] / "pairs.csv").read_bytes()
