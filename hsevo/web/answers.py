"""What routes share: the JSON of a request, and answers that several of them give."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from hsevo.pages import policy
from hsevo.replays.faces import faces


async def body_of(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request; {} if it has none."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def cards_of(ruleset: str) -> Response:
    """Return all cards of a ruleset, the same for every game."""
    return JSONResponse(faces(ruleset), headers={"cache-control": "private, max-age=600"})


def stepped(text: str) -> Response:
    """Return a page that steps through a game, with its own policy."""
    return HTMLResponse(text, headers={
        "content-security-policy": policy("replays/page.css", "replays/page.js")})


def refused(why: str, status: int = 400) -> Response:
    """Return the answer to what is refused, which says why."""
    return JSONResponse({"why": why}, status)
