"""AGENT@DECK: who plays which deck, pairs of games, cross-tables, folders, and what is refused."""

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import hsevo
from hsevo.cards.decks import read_deck
from hsevo.cli import main
from hsevo.errors import HsevoError
from hsevo.strength.comparing import lineup_of
from hsevo.strength.contest import PairedContest
from hsevo.strength.lineup import schedule
from hsevo.strength.roster import merged, split_deck

MAGE, WARRIOR = "random@mage", "random@warrior"


def played(result: PairedContest) -> set[tuple[str, str]]:
    """Return who played what: (agent, deck)."""
    games = result.games
    return {*zip(games["a"], games["deck_a"], strict=True),
            *zip(games["b"], games["deck_b"], strict=True)}


@pytest.mark.parametrize(("spec", "parts"), [
    ("eva:2018", ("eva:2018", None)), ("eva:2018@mage", ("eva:2018", "mage")),
    ("gsv?depth=2@a.txt", ("gsv?depth=2", "a.txt")),
    ("eva:a@b.yaml#x@mage", ("eva:a@b.yaml#x", "mage")),
    ("@mage", ("@mage", None)), ("random@", ("random@", None))])
def test_the_last_at_separates_the_deck(spec: str, parts: tuple[str, str | None]) -> None:
    assert split_deck(spec) == parts


def test_a_file_with_an_at_in_its_name_is_a_file(tmp_path: Path,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    hsevo.Agent("eva:2018").save(tmp_path / "me@home.yaml")
    assert split_deck("eva:me@home.yaml") == ("eva:me@home.yaml", None)
    assert hsevo.Agent("eva:me@home.yaml").deck is None
    assert split_deck("eva:me@home.yaml@mage") == ("eva:me@home.yaml", "mage")


def test_each_plays_its_deck_from_both_seats_with_the_same_seeds() -> None:
    result = hsevo.match(MAGE, WARRIOR, games=20)
    assert played(result) == {(MAGE, "mage"), (WARRIOR, "warrior")}
    games = result.games
    assert len(games) == 20
    assert (games["a"][::2] == MAGE).all()
    assert (games["a"][1::2] == WARRIOR).all()
    assert (games["seed"][::2].to_numpy() == games["seed"][1::2].to_numpy()).all()
    assert games["seed"].nunique() == 10


def test_who_has_no_deck_plays_all() -> None:
    result = hsevo.match(MAGE, "random", games=20, decks=["shaman", "warrior"])
    assert played(result) == {(MAGE, "mage"), ("random", "shaman"), ("random", "warrior")}
    assert len(result.games) == 20  # five rounds of two pairs of decks from both sides


def test_in_an_arena_meetings_have_as_many_games_as_asked_for() -> None:
    agents = [MAGE, WARRIOR, "random", "noaggression"]
    result = hsevo.arena(agents, games=12, decks=["mage", "shaman"])
    pairs = result.pairs.set_index(["agent", "opponent"])["games"]
    assert pairs[MAGE, WARRIOR] == 12
    assert pairs[MAGE, "random"] == 12
    assert pairs["random", "noaggression"] == 16  # two rounds of 4 pairs of decks from both sides
    assert pairs.sum() == 2 * len(result.games)
    assert (MAGE, "shaman") not in played(result)


def test_the_same_deck_on_both_sides_scores_as_a_copy_of_itself() -> None:
    """A game and its mirror are then the same game, from both seats."""
    result = hsevo.match("eva:2018@mage", hsevo.Agent("eva:2018", "copy", deck="mage"), games=100)
    assert result.pairs.tolist() == [0, 0, 50, 0, 0]


def test_without_a_deck_of_its_own_nothing_changes() -> None:
    """The games of 0.4.0: agents, decks and seeds, recorded with it (07c870f)."""
    match = lineup_of(["random", "eva:2018"], games=90, seed=3)
    three = lineup_of(["random", "eva:2018", "noaggression"], games=40, seed=5,
                      decks=["mage", "shaman"])
    for lineup, games, digest in ((match, "bf2489c096e91038", "8755874a483e1658"),
                                  (three, "1cdb8c4649c9e84b", "6da2d6273864bcf7")):
        assert sha256(schedule(lineup).tobytes()).hexdigest()[:16] == games
        assert lineup.digest == digest


def test_a_cross_table_adds_up() -> None:
    result = hsevo.match("random", "noaggression", games=90)
    games, rates = result.crosstab("decks", "games"), result.crosstab("decks")
    assert games.sum().sum() == 2 * 60  # of 90 games, 30 are of a deck against itself
    assert np.isnan(rates.loc["mage", "mage"])
    assert rates.loc["mage", "shaman"] + rates.loc["shaman", "mage"] == pytest.approx(1)
    agents = result.crosstab("agents")
    assert agents.loc["random", "noaggression"] == result.rate.value
    low, high = (result.crosstab(values=f"rate_{end}") for end in ("low", "high"))
    assert low.loc["random", "noaggression"] == result.rate.low
    assert high.loc["random", "noaggression"] == result.rate.high
    rate, text = result.rate, result.crosstab(values="text")
    assert text.loc["random", "noaggression"] == (
        f"{100 * rate.value:.0f} ({100 * rate.low:.0f}-{100 * rate.high:.0f})")
    assert result.crosstab("decks", "text").loc["mage", "mage"] == ""


def test_of_own_decks_the_table_of_decks_is_that_of_agents() -> None:
    result = hsevo.match(MAGE, WARRIOR, games=40)
    for values in ("rate", "rate_low", "rate_high", "games"):
        decks, agents = (result.crosstab(by, values) for by in ("decks", "agents"))
        assert decks.loc["mage", "warrior"] == agents.loc[MAGE, WARRIOR]
        assert decks.loc["warrior", "mage"] == agents.loc[WARRIOR, MAGE]


def test_a_deck_file_with_an_at_in_its_name(tmp_path: Path,
                                            monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path("decks/mage.txt").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    Path("d@mine.txt").write_text(text, encoding="utf-8")
    assert split_deck("random@d@mine.txt") == ("random", "d@mine.txt")
    result = hsevo.match("random@d@mine.txt", hsevo.Agent("noaggression", deck="mage"), games=4)
    assert result.played == 4


def test_a_folder_keeps_the_deck_and_resumes_without_its_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text(Path("decks/mage.txt").read_text(encoding="utf-8"), encoding="utf-8")
    one = hsevo.Agent("random", deck=mine)
    first = hsevo.arena([one, "noaggression@warrior"], games=10, out=tmp_path / "arena")
    mine.unlink()
    again = hsevo.resume_arena(tmp_path / "arena")
    assert again.games.equals(first.games)
    assert set(again.games["deck_a"]) == {"mine", "warrior"}
    text = str(hsevo.replay(tmp_path / "arena", part=0))
    assert "mine" in text


def test_a_benchmark_with_a_deck(tmp_path: Path) -> None:
    result = hsevo.benchmark("random@secret-hunter", games=6, panel="panel-2026",
                             out=tmp_path / "b")
    assert set(result.decks["deck"]) == {"secret-hunter"}
    again = hsevo.resume_benchmark(tmp_path / "b")
    assert again.table.equals(result.table)


def test_two_decks_of_one_name_are_refused() -> None:
    mage, other = read_deck("mage"), read_deck("warrior")
    assert merged([mage], [None, mage])[1] == ["", "mage"]
    with pytest.raises(HsevoError, match="two decks are called 'mage'"):
        merged([mage], [type(mage).of("mage", other.hero_class, other.ids)])


@pytest.mark.parametrize("use", [
    lambda: hsevo.Game("mage", "mage", players=["eva:2018@mage", None]),
    lambda: hsevo.make_vec("battle", opponent="random@mage")])
def test_elsewhere_a_deck_is_refused(use) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(HsevoError, match="only match, arena and benchmark accept AGENT@DECK"):
        use()


def test_a_deck_twice_is_refused() -> None:
    with pytest.raises(HsevoError, match="already has a deck"):
        hsevo.Agent("eva:2018@mage", deck="warrior")


@pytest.mark.parametrize(("name", "text", "is_deck"), [
    ("mine.txt", "class: Mage\nsize: 15\n15x Frostbolt\n", True),  # a deck with a mistake
    ("mage.txt", None, True), ("mage", None, True), ("decks.txt", "AAECA\n", False),
    ("weights.txt", "0.5#0.5\n", False), ("gone.txt", "", False), ("AAECAf0EAA==", "", False)])
def test_only_a_deck_is_called_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str,
                                   text: str | None, is_deck: bool) -> None:
    shipped = Path("decks/mage.txt").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if text != "":
        Path(name if "." in name else f"{name}.txt").write_text(text or shipped, encoding="utf-8")
    said = CliRunner().invoke(main, ["match", name, "random"]).stderr
    assert len(said.splitlines()) == 1
    assert (f"'{name}' is a deck, but an agent is expected" in said) == is_deck
    if text == "":
        assert f"unknown agent '{name}'" in said


def test_cross_tables_in_the_terminal() -> None:
    result = CliRunner().invoke(main, ["match", MAGE, WARRIOR, "--games", "20", "--crosstab",
                                       "decks", "--crosstab", "agents"])
    assert result.exit_code == 0
    assert "decks: win rate in % against each, with the 95 % interval" in result.stdout
    assert MAGE in result.stdout.partition("agents: win rate in %")[2]


def test_one_deck_alone_has_no_table_of_decks() -> None:
    result = CliRunner().invoke(main, ["match", "random", "noaggression", "--decks", "mage",
                                       "--games", "4", "--crosstab", "decks"])
    assert result.exit_code == 0
    assert "decks: no two decks played each other" in result.stdout
