"""A game as one web page to step through: its steps as JSON beside a style sheet and a script.

    page(meeting, k, steps)    page.html.j2 with page.css, .js and the data put in

The page needs nothing else, and fetches nothing. What comes from a run is text to it: escaped in
the HTML, and in the script's data, which puts it on the page as text nodes alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from hsevo.pages import render
from hsevo.replays.replay import Meeting, Step, headline


def page(meeting: Meeting, k: int, steps: Sequence[Step]) -> str:
    """Return game k of a match as HTML; steps: all that replay.steps yields."""
    row = meeting.row
    game = {"players": [f"individual {row['a']} ({row['deck_a']})",
                        f"individual {row['b']} ({row['deck_b']})"],
            "steps": [asdict(step) for step in steps]}
    return render("replays/page.html.j2", title=str(meeting), headline=headline(meeting, k),
                  game=game)
