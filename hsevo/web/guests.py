"""The routes of a study's participants: they are led from page to page, and nothing else is there.

    make_app(lab, port, hosts) -> an ASGI application
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial

from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from hsevo.errors import HsevoError
from hsevo.pages import render
from hsevo.replays import own
from hsevo.replays.chances import GAMES
from hsevo.replays.page import Around
from hsevo.replays.participants import Participant
from hsevo.texts import say
from hsevo.web.answers import body_of, called, cards_of, refused, stepped
from hsevo.web.app import static
from hsevo.web.guard import LASTS, Guard, cookie_name, cookie_of
from hsevo.web.lab import StudyHall
from hsevo.web.problems import closed, no_page_of_study, problem
from hsevo.web.starting import Waiting
from hsevo.web.talk import NOT_FOUND, converse


def make_app(lab: StudyHall, port: int, hosts: tuple[str, ...], numeric: bool = False) -> ASGIApp:
    """Return the application of a study; the other arguments are those of guard.Guard."""
    pages = GuestPages(lab, port)
    app = Starlette(exception_handlers={404: no_page_of_study}, routes=[
        Route("/", pages.start), Route("/enter", pages.enter),
        Route("/agree", pages.agree, methods=["POST"]),
        Route("/begin", pages.begin, methods=["POST"]),
        Route("/game", pages.game), Route("/game/again", pages.again),
        Route("/cards.json", pages.cards), Route("/static/{name}", static),
        WebSocketRoute("/game/play", partial(talk, pages))])
    return Guard(Waiting(app, lab.hall.engine), lab.links, port, hosts, numeric)


class GuestPages:
    """What the routes answer to a participant, who is known by the cookie of its link."""

    def __init__(self, lab: StudyHall, port: int) -> None:
        self.lab, self.people, self.port = lab, lab.people, port

    def who(self, asks: HTTPConnection) -> Participant:
        """Return who asks; the guard has let nobody else in."""
        who = self.lab.links.who(cookie_of(asks.headers, self.port))
        assert who
        return who

    async def enter(self, request: Request) -> Response:
        """Take the token of a link for a cookie."""
        cookie = self.lab.links.enter(request.query_params.get("token", ""))
        if cookie is None:
            return closed(say("closed.no_link"))
        answer = RedirectResponse("/", 303)
        # A link in a mail leads here from another site; what changes anything is checked by Origin.
        answer.set_cookie(cookie_name(self.port), cookie, LASTS, httponly=True, samesite="lax")
        return answer

    async def start(self, request: Request) -> Response:
        """Return the page that leads on: to agree, to the next game, or to the end."""
        who = self.who(request)
        try:
            self.people.settle(who)
        except HsevoError as error:
            return problem(error, 500, studied=True)
        is_open = self.people.is_open(who)
        return HTMLResponse(render(
            "web/guest.html.j2", who=who, consent=self.people.consent.strip(), is_open=is_open,
            thanks=self.people.design.thanks, done=len(who.games) - is_open,
            total=len(who.blocks), replayable=self._replayable(who)))

    async def agree(self, request: Request) -> Response:
        """Take a participant's agreement."""
        if (await body_of(request)).get("agree") is not True:
            return refused(say("study.tick"))
        try:
            self.people.agree(self.who(request))
        except HsevoError as error:
            return refused(str(error))
        return JSONResponse({})

    async def begin(self, request: Request) -> Response:
        """Begin a participant's next game, or continue the open one."""
        try:
            await self.lab.begin(self.who(request))
        except HsevoError as error:
            return refused(str(error))
        return JSONResponse({})

    async def game(self, request: Request) -> Response:
        """Return the table of the game that is open, or was just ended."""
        who = self.who(request)
        if not who.games:
            return RedirectResponse("/", 303)
        block = who.blocks[len(who.games) - 1]
        facts = replace(called(self.people.games.of(who.games[-1][0])), number=len(who.games))
        return HTMLResponse(render(
            "web/game.html.j2", facts=facts, advisers=self.lab.advisers(block),
            exercise=None, watched=False, match=None, line="/game", study=block,
            cards="/cards.json"))

    async def again(self, request: Request) -> Response:
        """Return the game that was ended last as a page to step through, if the design has it."""
        who = self.who(request)
        if not self._replayable(who):
            return problem(say("study.not_shown"), studied=True)
        chair = await self.lab.chair(who)
        return stepped(await to_thread.run_sync(partial(
            own.as_page, chair.table.copy(), GAMES, around=Around(ways=[(say("study.back"), "/")]),
            seat=chair.seat)))

    async def cards(self, request: Request) -> Response:
        """Return all cards of the ruleset."""
        return cards_of(self.people.design.ruleset)

    def _replayable(self, who: Participant) -> bool:
        """Return whether the last game is over, and may be replayed."""
        return (bool(who.games) and not self.people.is_open(who)
                and who.blocks[len(who.games) - 1].thinking)


async def talk(pages: GuestPages, socket: WebSocket) -> None:
    """Talk with a participant's page about its game until it goes."""
    who = pages.who(socket)
    try:
        chair = await pages.lab.chair(who)
    except HsevoError:
        await socket.close(NOT_FOUND)
        return
    facts = asdict(replace(chair.facts, number=len(who.games)))
    await converse(socket, chair, pages.lab.acts(who, chair), {"facts": facts}, who.code)
    with suppress(HsevoError):  # its row is written when it comes back, or at the start
        pages.people.settle(who)
