"""The page of a game of a small run, and what a browser would find in it."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from hsevo import config
from hsevo.cards.decks import read_deck
from hsevo.config import Workers
from hsevo.evolution.run import Run
from hsevo.play.workers import open_workers
from hsevo.replays import page as replay_page
from hsevo.replays import replay
from hsevo.replays.replay import StoredMatch


def small_run(folder: Path) -> Run:
    """Evolve for a generation, two games a pairing."""
    plan = config.change(config.load("smoke"), {
        "games": 2, "decks": ["shaman", "mage"], "evolution.generations": 1, "evolution.mu": 2,
        "evolution.lambda": 2})
    run = Run.make(folder, plan, [read_deck(name) for name in plan.decks])
    with open_workers(Workers(backend="serial")) as executor:
        run._make_steps(executor)
    run.close()
    return run


def first_page(meeting: StoredMatch) -> str:
    """Return the page of a meeting's first game."""
    return replay_page.page(meeting, 0, list(replay.steps(meeting, 0)))


def data_of(text: str) -> Any:
    return json.loads(Seen(text).scripts[0])


class Seen(HTMLParser):
    """What a browser finds in a page: elements with their attributes, scripts, other text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside = tag
        self.scripts += [""] if tag == "script" else []

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "script":
            self.scripts[-1] += data
        elif self.inside != "style":
            self.text += data
