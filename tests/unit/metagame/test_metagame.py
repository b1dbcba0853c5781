"""`hsevo.meta`: decks against decks, in memory and in folders, and what is refused."""

from pathlib import Path

import pytest

import hsevo
from hsevo.errors import AgentError, ConfigError, DeckError, RunError
from tests.support.command import hsevo as command

SERIAL = {"backend": "serial"}
DECKS = ["mage", "shaman", "warrior"]
pytestmark = pytest.mark.usefixtures("here", "fake_engine")


def made(path: Path | None = None, pilots: object = "random", games: int = 20) -> hsevo.Metagame:
    return hsevo.meta(DECKS, pilots, games, out=path, **SERIAL)


def test_a_matrix_has_the_games_of_an_arena() -> None:
    found = made()
    same = hsevo.arena([f"random@{deck}" for deck in DECKS], 20, **SERIAL)
    assert found.arena.games.equals(same.games)
    assert found.decks == tuple(DECKS)
    matrix = found.matrix()
    assert matrix.loc["mage", "shaman"] == pytest.approx(1 - matrix.loc["shaman", "mage"])
    assert found.matchups.rates[0, 1] == pytest.approx(matrix.loc["mage", "shaman"])
    assert found.cells.set_index(["deck", "opponent"]).loc[("mage", "shaman"), "games"] == 20
    assert sorted(found.table["deck"]) == DECKS
    assert found.table["rate"].is_monotonic_decreasing
    assert set(found.table["pilot"]) == {"random"}


def test_a_folder_is_read_again(tmp_path: Path) -> None:
    found = made(tmp_path / "decks")
    again = hsevo.open_meta(tmp_path / "decks")
    assert again.matrix().equals(found.matrix())
    assert again.nash(50).equals(found.nash(50))
    assert hsevo.open_meta(tmp_path / "decks/matrix").decks == found.decks  # an arena


def test_each_deck_gets_its_best_pilot(tmp_path: Path) -> None:
    """The stand-in plays better with larger weights; what was tried is not counted again."""
    found = made(tmp_path / "two", ["random", "eva:2018"], 40)
    assert set(found.table["pilot"]) == {"eva:2018"}
    assert found.pilots is not None
    tried = found.pilots
    assert len(tried.lineup.names) == 6
    assert not {*tried.rows["seed"].tolist()} & {*found.arena.rows["seed"].tolist()}
    again = hsevo.open_meta(tmp_path / "two")
    assert again.pilots is not None
    assert again.table.equals(found.table)


def test_lineups() -> None:
    found = hsevo.meta([*DECKS, "zoo-warlock"], "random", 20, **SERIAL)
    same = found.lineup(DECKS, DECKS)
    assert (same.value, same.low, same.high) == pytest.approx((0.5, 0.5, 0.5))
    one = found.lineup("mage,shaman", "warrior,zoo-warlock", format="last-hero-standing")
    other = found.lineup("warrior,zoo-warlock", "mage,shaman", format="last-hero-standing")
    assert one.value == pytest.approx(1 - other.value)
    assert one.low < one.value < one.high
    assert found.bans(DECKS, DECKS).groupby("side")["share"].sum().tolist() == pytest.approx([1, 1])
    best = found.best_lineups([["mage", "shaman"]], resamples=20)
    assert len(best) == 6
    assert best["rate"].is_monotonic_decreasing
    assert best["rate"][0] == pytest.approx(
        found.lineup(best["lineup"][0].replace(", ", ","), "mage,shaman").value)
    assert best["best"].sum() == pytest.approx(1)


def test_line_ups_have_one_deck_of_a_class() -> None:
    found = hsevo.meta([*DECKS, "classic-mage"], "random", 4, **SERIAL)
    field = [["mage", "shaman", "warrior"]]
    assert len(found.best_lineups(field, resamples=10)) == 2
    assert len(found.best_lineups(field, resamples=10, any_class=True)) == 4
    with pytest.raises(DeckError, match="no line-up of 3 decks can be made of 3 decks, each of"):
        found.best_lineups(field, decks="mage,classic-mage,shaman")


BAD_LINEUPS = {
    "--theirs mage,shamann": "the matrix has no deck 'shamann'; did you mean 'shaman'?",
    "--theirs mage,shaman --mine mage": "line-ups have 1 and 2 decks, but need the same number",
    "--theirs mage,mage": "a line-up has mage twice",
    "--theirs mage --ban": "a line-up with a ban has 2 to 6 decks, not 1",
    "--theirs mage --format conqest": "did you mean 'conquest'?",
    "--theirs mage --resamples 1": "resamples is 1, but must be a whole number",
    "--theirs mage,shaman --decks mage": "no line-up of 2 decks can be made of 1 decks",
}


@pytest.mark.parametrize("words", BAD_LINEUPS)
def test_a_bad_line_up_gets_one_line(words: str) -> None:
    made(Path("decks"))
    result = command("meta", "lineup", "decks", *words.split())
    assert result.exit_code == 2
    assert BAD_LINEUPS[words] in result.stderr
    assert result.stderr.count("\n") == 1


def test_other_folders_are_refused() -> None:
    hsevo.arena(["random", "eva:2018"], 18, out="arena", **SERIAL)
    with pytest.raises(DeckError, match="agent 'random' plays 3 decks, but a matrix"):
        hsevo.open_meta("arena")
    with pytest.raises(RunError, match="is not an arena of hsevo"):
        hsevo.open_meta("nothing")
    hsevo.arena(["random@mage", "random@shaman"], 2, against=["random@warrior"], out="gauntlet",
                **SERIAL)
    with pytest.raises(DeckError, match="have not played each other"):
        hsevo.open_meta("gauntlet")
    Path("full").mkdir()
    Path("full/mine.txt").write_text("mine")
    with pytest.raises(RunError, match="full already exists and is not empty"):
        made(Path("full"))


def test_what_commands_print() -> None:
    made(Path("decks"))
    assert "share %" in command("meta", "nash", "decks", "--resamples", "20").stdout
    assert '"mixture"' in command("meta", "nash", "decks", "--resamples", "20", "--json").stdout
    line = ("meta", "lineup", "decks", "--theirs", "mage,shaman", "--resamples", "20")
    assert "best in %" in command(*line).stdout
    assert "strike" in command(*line, "--mine", "shaman,warrior", "--ban").stdout
    assert '"matches"' in command(*line, "--mine", "shaman,warrior", "--json").stdout
    assert '"lineups"' in command(*line, "--json").stdout


def test_a_large_matrix_fits_into_80_columns() -> None:
    ten = [*DECKS, "zoo-warlock", *(f"classic-{cls}" for cls in (
        "druid", "hunter", "paladin", "priest", "rogue", "warlock"))]
    shown = command("meta", "matrix", *ten, "--pilots", "random", "--games", "2", "--backend",
                    "serial").stdout.splitlines()
    (first,) = (i for i, line in enumerate(shown) if line.startswith("95 % intervals reach "))
    assert shown[first + 1].split() == ["deck", *map(str, range(1, 11))]
    assert len(shown) == first + 2 + len(ten)
    assert max(map(len, shown)) <= 80
    few = command("meta", "matrix", *DECKS, "--pilots", "random", "--games", "2", "--backend",
                  "serial").stdout
    assert "with the 95 % interval" in few


def test_arguments() -> None:
    with pytest.raises(DeckError):
        hsevo.meta([], "random")
    with pytest.raises(AgentError):
        hsevo.meta(DECKS, [])
    with pytest.raises(ConfigError, match="resamples"):
        made().nash(3)
    with pytest.raises(ConfigError, match="seed"):
        made().nash(seed=-1)
    with pytest.raises(DeckError, match="field is empty"):
        made().best_lineups([])
