"""Pages that say what is wrong, in one line, with a way back."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from hsevo.pages import render
from hsevo.texts import say
from hsevo.web.results import Result

# Where a page that steps through a game leads.
HOME = ((say("site.name"), "/"), (say("home.play"), "/"), (say("home.results"), "/results"),
        (say("home.cards"), "/cards"), (say("home.decks"), "/build"))


def problem(why: object, status: int = 404, result: Result | None = None,
            studied: bool = False) -> Response:
    """Return the page of what is not there, or of what is wrong with a result.

    studied: for a participant of a study, who has none of the other pages.
    """
    title = say("problem.not_found") if status == 404 else say("problem.title")
    return HTMLResponse(render("web/problem.html.j2", title=title, result=result, why=str(why),
                               studied=studied), status)


def closed(why: str, renewable: bool = False) -> Response:
    """Return the page of a refused visitor. renewable: a new address can be asked for."""
    return HTMLResponse(render("web/closed.html.j2", why=why, renewable=renewable), 401)


async def no_page(request: Request, error: Exception) -> Response:
    """Answer to an address that leads nowhere."""
    return problem(say("problem.no_page"))


async def no_page_of_study(request: Request, error: Exception) -> Response:
    """Answer a participant whose address leads nowhere."""
    return problem(say("problem.no_page"), studied=True)
