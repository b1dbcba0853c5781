"""`hsevo.series`: games follow the format, totals re-add, a stop changes nothing."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.errors import AgentError, ConfigError, DeckError, RunError, Stopped
from hsevo.metagame.best_of import Series
from hsevo.objects import to_object
from hsevo.play import formats, match
from hsevo.play.hosting import PlayedBlock
from hsevo.store import journal
from tests.support.command import fails
from tests.support.command import hsevo as command

SERIAL: dict[str, Any] = {"backend": "serial"}
DECKS = ["mage", "shaman", "warrior"]
pytestmark = pytest.mark.usefixtures("here", "fake_engine")


def made(count: int = 40, **rules: Any) -> hsevo.SeriesResult:
    return hsevo.series("eva:2018", "eva:group-1", count, **{"mine": DECKS, **SERIAL, **rules})


def stop(games: int, **rules: Any) -> hsevo.SeriesResult:
    """Stop series after some games; return their result so far."""
    def stopping(done: int, total: int) -> None:
        if done >= games:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        made(progress=stopping, **rules)
    found = stopped.value.result
    assert isinstance(found, hsevo.SeriesResult)
    return found


@pytest.mark.parametrize("format", formats.FORMATS)
@pytest.mark.parametrize("choose", ["uniform", "best"])
@pytest.mark.parametrize("ban", [False, True])
def test_every_game_is_one_that_the_format_allows(format: str, choose: str, ban: bool) -> None:
    found = made(format=format, choose=choose, scouting=4, ban=ban)
    ended = found.series.set_index("series")
    assert len(ended) == 40
    games = found.games
    assert (games["series"] == 0).sum() == (4 * 9 if choose == "best" else 0)
    for number, own in games[games["series"] > 0].groupby("series"):
        row = ended.loc[number]
        mine, theirs = (set(DECKS) - {row.get(f"struck_{side}")} for side in "ab")
        assert len(mine) == len(theirs) == 3 - ban
        at = formats.begin(*(map(DECKS.index, decks) for decks in (mine, theirs)))
        for game in own.sort_values("game").itertuples():
            assert formats.winner(format, at) is None
            decks = DECKS.index(game.deck_a), DECKS.index(game.deck_b)
            assert all(deck in choice for deck, choice in zip(decks, at.choices, strict=True))
            at = formats.after(format, at, *decks, game.wins_a + game.draws / 2)
        assert formats.winner(format, at) == row["points"]
        assert (row["wins_a"], row["wins_b"]) == (own["wins_a"].sum(), own["wins_b"].sum())
        assert row["games"] == len(own) == row["wins_a"] + row["wins_b"] + row["draws"]


def test_totals_add_up() -> None:
    found = made(format="conquest")
    assert found.scores["series"].sum() == found.played == 40
    assert found.scores["share"].sum() == pytest.approx(1)
    assert found.decks["games"].sum() == found.series["games"].sum() == len(found.games)
    assert found.rate.value == pytest.approx(found.series["points"].mean())
    assert found.rate.low < found.rate.value < found.rate.high
    games = found.games
    assert found.game_rate.value == pytest.approx((games["wins_a"] + games["draws"] / 2).mean())
    assert games["seed"].is_unique
    assert found.chance is None


def test_what_was_scouted_has_its_interval() -> None:
    found = made(4, choose="best", scouting=20)
    games = found.games[found.games["series"] == 0]
    for row in found.decks.to_dict("records"):
        own = games[(games["deck_a"] == row["deck_a"]) & (games["deck_b"] == row["deck_b"])]
        assert len(own) == 20
        assert row["scouted"] == pytest.approx((own["wins_a"] + own["draws"] / 2).mean())
        assert row["scouted_low"] < row["scouted"] < row["scouted_high"] or (
            row["scouted"] in (0, 1) and row["scouted_high"] - row["scouted_low"] < 0.3)


def test_one_more_series_leaves_those_before_as_they_were() -> None:
    few, more = (made(count).series for count in (10, 11))
    assert more.head(10).equals(few)


def test_what_was_stopped_counts_finished_series_alone(tmp_path: Path) -> None:
    stopped = stop(100, out=tmp_path / "stopped", choose="best", scouting=4, ban=True)
    assert stopped.played < 40
    assert np.isnan([stopped.rate.value, stopped.game_rate.value]).all()
    assert stopped.decks["games"].sum() == (stopped.games["series"] > 0).sum()
    with pytest.raises(RunError, match="the call that began it continues it"):
        hsevo.open_series(tmp_path / "stopped")


def test_an_opened_one_says_the_same(tmp_path: Path) -> None:
    played = made(out=tmp_path / "played", choose="best", scouting=4, ban=True)
    again = hsevo.open_series(tmp_path / "played")
    assert again.series.equals(played.series)
    assert again.chance == played.chance
    assert again.replay(part=3).verdict()[1]


def test_series_that_were_stopped_are_not_saved(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="of 40 series are finished, but unfinished series can"):
        stop(30).save(tmp_path / "part")
    assert not (tmp_path / "part").exists()


def test_games_in_another_order_are_refused(tmp_path: Path) -> None:
    made(out=tmp_path / "mine")
    games = tmp_path / "mine/games.csv"
    text = games.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write(games, "".join([text[0], text[2], text[1], *text[3:]]).encode())
    with pytest.raises(RunError, match="do not belong to these series"):
        hsevo.open_series(tmp_path / "mine")


def test_what_cannot_be_played_is_one_line() -> None:
    with pytest.raises(DeckError, match="mine has 3 decks and theirs 1"):
        made(theirs="mage")
    with pytest.raises(DeckError, match="mine has two decks of Warrior"):
        made(mine=["warrior", "nzoth-control-warrior"])
    with pytest.raises(DeckError, match="mine has 1 deck, but a line-up with a ban has 2 to 6"):
        made(mine="mage", ban=True)
    with pytest.raises(AgentError, match=r"'eva:2018@mage' already has a deck"):
        hsevo.series("eva:2018@mage", "random", 1)
    with pytest.raises(ConfigError, match="did you mean 'conquest'"):
        made(format="conqest")
    assert "choose is 'bets'" in fails("series", "random", "random", "--choose", "bets")


def test_the_command_prints_them_and_json(tmp_path: Path) -> None:
    words = ["series", "eva:2018", "random", "--series", "20", "--mine", "mage,shaman",
             "--backend", "serial", "--out", str(tmp_path / "new")]
    text = command(*words).stdout
    assert "of 20 series, best of 3, conquest" in text
    said = json.loads(command(*words[:-2], "--json").stdout)
    assert said["series"] == 20
    assert said["best_of"] == 3
    assert sum(one["series"] for one in said["scores"]) == 20
    assert Counter(one["deck_a"] for one in said["decks"]).keys() == {"mage", "shaman"}
    assert "eva:2018" in command("replay", str(tmp_path / "new"), "--list").stdout


def test_none_that_is_over_yet_has_a_line() -> None:
    found = stop(1, choose="best", scouting=100)
    assert (found.played, found.chance, len(found.scores), len(found.decks)) == (0, None, 0, 0)
    assert str(found).startswith("eva:2018 against eva:group-1: 0 of 40 series are finished")
    assert json.loads(json.dumps(to_object(found)))["rate"]["value"] is None


def test_a_drawn_game_is_played_again_and_a_series_of_draws_is_drawn() -> None:
    """Each series has 21 drawn games with the decks of the first, and is half a win."""
    found = Series(made(3).lineup)
    while len(rows := found.left):
        drawn = np.zeros(len(rows), match.RESULT)
        drawn["draws"] = 1
        found.add_block(PlayedBlock(rows, drawn))
    assert found.series["points"].tolist() == [0.5] * 3
    assert found.series["draws"].tolist() == [21] * 3
    assert found.rate.value == found.game_rate.value == 0.5
    assert found.game_rate.low < 0.4 < 0.6 < found.game_rate.high


def test_the_chance_of_optimal_choices_has_an_interval() -> None:
    few, many = (made(4, choose="best", scouting=n).chance for n in (4, 400))
    assert few is not None
    assert many is not None
    assert few.low < many.low <= many.value <= many.high < few.high
