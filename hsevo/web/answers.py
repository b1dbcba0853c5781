"""What routes share: the JSON of a request, and answers that several of them give."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from hsevo.errors import HsevoError
from hsevo.pages import policy
from hsevo.play.specs import short_names
from hsevo.replays.page import faces
from hsevo.replays.played import GameFacts, NotThere
from hsevo.texts import say
from hsevo.web.hall import NotSeated
from hsevo.web.problems import problem

LINES = "application/x-ndjson"


async def body_of(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request; {} if it has none."""
    return object_of(await request.body())


def object_of(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object that somebody sent; {} for anything else."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


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


def not_shown(error: HsevoError) -> Response:
    """Return the page that says why a game is not shown."""
    if isinstance(error, NotThere):
        return problem(say("problem.no_page"))
    return problem(error, 403 if isinstance(error, NotSeated) else 404)


def refusal(error: HsevoError) -> Response:
    """Return the answer that says why something does not begin."""
    if isinstance(error, NotThere):
        return refused(say("problem.no_page"))
    return refused(str(error), 403 if isinstance(error, NotSeated) else 400)


def short_of(facts: Sequence[GameFacts]) -> dict[str, str]:
    """Return short names of all who play in some games."""
    return short_names(dict.fromkeys(name for game in facts for name in (game.human, game.agent)))


def called(facts: GameFacts) -> GameFacts:
    """Return facts of a game with short names of its players."""
    short = short_of([facts])
    return replace(facts, human=short[facts.human], agent=short[facts.agent])
