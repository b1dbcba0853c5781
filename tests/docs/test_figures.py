"""Figures that the docs quote: all from one list, with their origin."""

import re
from pathlib import Path

import pytest

from studies.measure import planning
from tests.docs import PAGES, figures, write_pages
from tests.support import ROOT

LIST = figures.read()
MEASURED = {"name", "what", "command", "version", "engine", "date", "figures"}
CITED = {"name", "what", "source", "figures"}
MORE = {"cpu", "by_hand", "tested", "machine", "release"}
# What README quotes beside figures of releases: games of which shipped players are made.
SHIPPED = ("turn-champion.games", "any-deck-run.games", "pool-2019.cards")
# What a text says that was measured: shares, thousands, Elo, speeds.
FIGURE = re.compile(r"[+-]?\d+(?:\.\d+)? %|\b\d{1,3}(?:,\d{3})+\b|[+-]\d+ Elo|\b\d+\.\d+ points"
                    r"|[\d,.]+ games/s")
# Numbers of that look that nobody measured.
GIVEN = {
    "95 %": "the level of all intervals", "80 %": "a level of races",
    "50 %": "the win rate of equal players",
    "5 %": "benches.baseline.LIMIT",
    "3,420": "19 opponents * 9 deck pairs * 20 games", "2,440": "a limit of the game record",
    "2,172": "the most moves that a position can have: engine.record.state.MOVES",
    "3,662": "the number of moves that there are", "4,096": "the size of the card vocabulary",
    "2,000": "the games of a line that the example prints",
    "1,000": "metagame.matchups.RESAMPLES", "100,000": "replays.lethal.BUDGET",
    "1,800": "the games of every two agents of protocol-1",
    "1,515": "the positions that test_positions counts",
    "4,547": "the human decks that test_database counts",
    "4,943": "those of cig2018-wild", "5,011": "those of rise2019",
}
TEXTS = sorted(PAGES.rglob("*.md"))


def prose(path: Path) -> str:
    """Return a page without code and without what is put in."""
    text = re.sub(r"^ *```.*?^ *```", "", write_pages.without_parts(
        path.read_text(encoding="utf-8")), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", figures.SLOT.sub("", text))


def test_every_figure_has_its_origin() -> None:
    for one in LIST:
        assert set(one) >= MEASURED or set(one) == CITED, one["name"]
        assert not set(one) - MEASURED - CITED - MORE, one["name"]
        assert ("cpu" in one) + ("by_hand" in one) + ("source" in one) == 1, one["name"]
        assert ("machine" in one) == one["name"].startswith("speed-"), one["name"]
        assert all(isinstance(value, str) for value in one["figures"].values()), one["name"]
        assert one.get("release", True) is True, one["name"]
    names = [one["name"] for one in LIST]
    assert len(names) == len(set(names))


def test_measurements_name_version_engine_and_day() -> None:
    for one in LIST:
        if "command" in one:
            assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+)?", one["version"]), one["name"]
            assert re.fullmatch(r"[0-9a-f]{16}", one["engine"]), one["name"]
            assert re.fullmatch(r"\d{4}-\d\d-\d\d", str(one["date"])), one["name"]
            assert "tested" not in one or (ROOT / one["tested"]).is_file()


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(PAGES)))
def test_a_page_quotes_figures_from_the_list_alone(path: Path) -> None:
    assert [found for found in FIGURE.findall(prose(path)) if found not in GIVEN] == []


def test_readme_quotes_figures_of_releases_and_what_others_published() -> None:
    values = figures.quoted([one for one in LIST if "release" in one or "source" in one])
    shipped = (figures.quoted(LIST)[name] for name in SHIPPED)
    known = {*FIGURE.findall("\n".join([*values.values(), *figures.totals(values), *shipped])),
             *GIVEN}
    found = FIGURE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(found) > 5
    assert [figure for figure in found if figure not in known] == []


def test_a_release_is_measured_in_two_cpu_hours() -> None:
    every = planning.load(LIST)
    marked = [one for one in every if one.of_release]
    assert {one.name for one in marked} == {one["name"] for one in LIST if "release" in one}
    assert [one.name for one in marked if not one.recipe] == []
    cost = planning.Costs(every).of({work for one in marked for work in one.works})
    assert 0 < cost <= planning.RELEASE


def test_readme_adds_up_the_actions_that_agree() -> None:
    values = figures.quoted(LIST)
    names = ("scenarios", "scenarios-expansions", "scenarios-2019")
    agree = sum(int(values[f"{name}.agree"].split()[0]) for name in names)
    exceptions = sum(int(values[f"{name}.exceptions"]) for name in names)
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f" {agree:,} actions agree" in text
    assert f" {exceptions} further actions" in text
    assert f"{int(values['positions.legal'].split()[0]):,} decision points" in text


def test_every_figure_is_quoted_somewhere() -> None:
    used = {slot for path in TEXTS for slot in figures.slots(path.read_text(encoding="utf-8"))}
    used |= {f"{one['name']}.{key}" for one in LIST if "source" in one for key in one["figures"]}
    listed = {f"{one['name']}.{key}" for one in LIST for key in one["figures"]}
    assert listed - used == set()


def test_a_figure_that_is_not_there_stops_the_build() -> None:
    with pytest.raises(KeyError):
        figures.check("<!-- run.gmes -->1<!-- / -->", figures.quoted(LIST))


def test_a_figure_that_differs_stops_the_build_and_is_refreshed() -> None:
    values = {"x": "2 %", "y": "hsevo a\nb\n"}
    page = "<!-- x -->{}<!-- / -->, `y`\n<!-- y -->\n```console\n$ {}\n```\n<!-- / -->"
    assert figures.check(page.format("2 %", "hsevo a\nb"), values) == (
        "2 %, `y`\n\n```console\n$ hsevo a\nb\n```\n")
    with pytest.raises(ValueError, match=r"x is '1 %', but '2 %' in figures.yml"):
        figures.check(page.format("1 %", "hsevo a\nb"), values)
    assert figures.refresh(page.format("1 %", "old"), values) == page.format("2 %", "hsevo a\nb")
