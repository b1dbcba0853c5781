"""A match's folder, opened again: the same result, and a line for what is not one."""

from pathlib import Path

import pytest

import hsevo
from hsevo.api.results import MatchResult
from hsevo.errors import ConfigError, HsevoError, RunError


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[MatchResult, Path]:
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


@pytest.mark.parametrize(("name", "change", "error", "says"), [
    ("match.yaml", None, RunError, "was stopped, and the same call of hsevo.match continues it"),
    ("match.yaml", "sprt: 5", RunError, "is damaged: its sprt is 5"),
    ("match.yaml", "plan: {games: x}", ConfigError, "match.yaml"),
    ("cast.json", "{}", RunError, "cast.json is damaged"),
    ("games.csv", "a,b", RunError, "games.csv"),
])
def test_a_damaged_match_is_a_line(played, tmp_path: Path, name: str, change: str | None,
                                   error: type[HsevoError], says: str) -> None:
    for path in played[1].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    if change is None:
        (tmp_path / name).unlink()
    elif change.startswith("sprt"):
        text = (tmp_path / name).read_text()
        (tmp_path / name).write_text(text[: text.index("\nsprt:") + 1] + change + "\n")
    else:
        (tmp_path / name).write_text(change)
    with pytest.raises(error, match=says):
        hsevo.open_match(tmp_path)


def test_another_folder_is_no_match(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"is not a finished match of hsevo: it has no match\.yaml"):
        hsevo.open_match(tmp_path)
