"""A game as one web page to step through: its steps as JSON beside a style sheet and a script.

    page(meeting, k, steps)    page.html with page.css, .js and the data put in

The page needs nothing else, and fetches nothing. What comes from a run is text to it: escaped in
the HTML, and in the script's data, which puts it on the page as text nodes alone.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from hsevo.replays.replay import Meeting, Step, headline


def page(meeting: Meeting, k: int, steps: Sequence[Step]) -> str:
    """Return game k of a match as HTML; steps: all that replay.steps yields."""
    row = meeting.row
    data = {"players": [f"individual {row['a']} ({row['deck_a']})",
                        f"individual {row['b']} ({row['deck_b']})"],
            "steps": [asdict(step) for step in steps]}
    parts = {"TITLE": html.escape(str(meeting)), "HEADLINE": html.escape(headline(meeting, k)),
             "STYLE": _part("css"), "SCRIPT": _part("js"), "DATA": _json(data)}
    return re.sub("@([A-Z]+)@", lambda found: parts[found[1]], _part("html"))


def _part(suffix: str) -> str:
    return Path(__file__).with_suffix(f".{suffix}").read_text(encoding="utf-8")


def _json(data: object) -> str:
    """Return data for a script element, which nothing but "</" could leave."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
