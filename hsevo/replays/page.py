"""A game as one web page to step through: its steps as JSON beside a style sheet and a script.

    page(meeting, k, steps)    page.html.j2 with page.css, .js and the data put in

The page needs nothing else, and fetches nothing. What comes from a folder is text to it: escaped in
the HTML, and in the script's data, which puts it on the page as text nodes alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from hsevo.pages import render
from hsevo.replays.replay import Meeting, Step, headline
from hsevo.replays.wording import Narrator, card_texts


def page(meeting: Meeting, k: int, steps: Sequence[Step]) -> str:
    """Return game k of a match as HTML; steps: all that replay.steps yields."""
    narrator = Narrator(meeting.names, meeting.setting.ruleset)
    if steps:
        narrator.meet_heroes(steps[0].scene)
    game = {"names": meeting.names, "players": meeting.players,
            "steps": [_plain(step, narrator) for step in steps],
            "texts": card_texts(steps, meeting.setting.ruleset)}
    return render("replays/page.html.j2", title=str(meeting), whole="\n".join(meeting.legend),
                  headline=headline(meeting, k), game=game)


def _plain(step: Step, narrator: Narrator) -> dict[str, Any]:
    """Return a step as data for the page, its events in words."""
    words = narrator.lines(step.events)
    narrator.meet_heroes(step.scene)
    return asdict(step) | {"events": words}
