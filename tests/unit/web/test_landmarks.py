"""Who jumps from landmark to landmark finds one banner and one main part on each page."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from tests.support.playing import ORIGIN, door

PAGES = ("/", "/build", "/match", "/match/1", "/position", "/exercises", "/results", "/cards",
         "/game/1", "/no/such/page", "/invitation/{mine}", "/invitation/{theirs}")
PARTS = {"main", "article", "section", "nav", "aside"}  # a header in one of these is no banner
VOID = {"meta", "link", "input", "br", "path", "circle", "line"}


class Landmarks(HTMLParser):
    """Counts banners and main parts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.banners = self.mains = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.banners += tag == "header" and not PARTS & {*self.open}
        self.mains += tag == "main"
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            while self.open.pop() != tag:  # what need not be closed
                pass


def test_each_page_has_one_banner_and_one_main_part(tmp_path: Path) -> None:
    with door(tmp_path / "play") as house:
        house.begin()
        assert house.client.post("/matches", headers=ORIGIN, json={
            "format": "conquest", "agent": "random", "mine": ["mage", "shaman", "warrior"],
            "theirs": ["mage", "shaman", "warrior"]}).status_code == 200
        codes = {"mine": house.client.post("/invitations", headers=ORIGIN,
                                           json={"deck": "mage"}).json()["code"],
                 "theirs": house.hall.duels.invite("somebody", {"deck": "mage"})}
        found = {}
        for path in PAGES:
            seen = Landmarks(house.client.get(path.format(**codes)).text)
            found[path] = seen.banners, seen.mains
    assert found == dict.fromkeys(PAGES, (1, 1))


def test_more_are_found() -> None:
    seen = Landmarks("<body><header></header><main><header></header></main><header></header>")
    assert (seen.banners, seen.mains) == (2, 1)
