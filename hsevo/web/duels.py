"""The routes of games of two people: an invitation, a seat for each, and what its page asks for.

    /duel           choose a deck, and invite somebody     /join/CODE   take an invitation
    /seat/CODE      the table as this seat sees it; until somebody came, what to hand on

A seat's code is in nobody's hands but its player's, so neither can act for the other, or look.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from hsevo.errors import GameError, HsevoError
from hsevo.pages import render
from hsevo.web.answers import body_of, refused
from hsevo.web.hall import FIRST, Hall
from hsevo.web.looks import Listener, Plain
from hsevo.web.problems import problem
from hsevo.web.rates import Bucket
from hsevo.web.table import Table
from hsevo.web.talk import NOT_FOUND, Acts, converse, spot_of, whole
from hsevo.web.telling import OTHER


class Seat(NamedTuple):
    """A seat at a table of two people, as one that a page can sit at: see talk.Place."""

    table: Table
    seat: int

    @property
    def listeners(self) -> set[Listener]:
        """The pages of this seat."""
        return self.table.looks[self.seat].listeners

    @property
    def whole(self) -> Plain:
        """What a page gets that has just opened."""
        return self.table.looks[self.seat].whole

    async def wake(self) -> None:
        """Do nothing: nobody here needs to be woken."""

    @property
    def acts(self) -> Acts:
        """What its page can ask for."""
        async def move(message: Plain) -> None:
            await self.table.move(whole(message, "move"), whole(message, "at"), self.seat)

        async def explain(message: Plain) -> Plain:
            said = self.table.why(spot_of(message.get("from")), spot_of(message.get("to")),
                                  self.seat)
            return {"kind": "refused", "why": said}

        async def concede(_: Plain) -> None:
            await self.table.concede(self.seat)

        return {"move": move, "why": explain, "concede": concede}


class Duelling:
    """What the routes answer. begins: how many games may begin."""

    def __init__(self, hall: Hall, begins: Bucket) -> None:
        self.hall, self.begins = hall, begins
        self._joining = asyncio.Lock()

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes."""
        return [Route("/duel", self.choose), Route("/duel", self.invite, methods=["POST"]),
                Route("/join/{code}", self.choose), Route("/join/{code}", self.join,
                                                          methods=["POST"]),
                Route("/seat/{code}", self.seat), Route("/seat/{code}/ready", self.ready),
                WebSocketRoute("/seat/{code}/play", self.talk)]

    async def choose(self, request: Request) -> Response:
        """Return the page on which a deck is chosen, to invite somebody or to take an invitation.
        """
        choices, code = self.hall.choices, request.path_params.get("code", "")
        try:
            if code:
                self.hall.duels.invitation(code)
        except GameError as error:
            return problem(error)
        return HTMLResponse(render(
            "web/duel.html.j2", code=code, own=choices.own, decks=[*choices.decks.values()],
            ruleset=choices.ruleset, saved=await to_thread.run_sync(choices.saved)))

    async def invite(self, request: Request) -> Response:
        """Invite somebody, and answer with the seat in which to wait."""
        async def made(wish: Plain) -> str:
            first = wish.get("first", "any")
            if first not in FIRST:
                raise GameError(f"first must be one of {', '.join(FIRST)}")
            deck = self.hall.choices.deck(wish.get("deck")).plain
            return self.hall.duels.invite(deck, first).seat
        return await self._answered(request, made)

    async def join(self, request: Request) -> Response:
        """Take an invitation: the game begins. Answer with the seat."""
        async def made(wish: Plain) -> str:
            async with self._joining:
                return await self.hall.join(request.path_params["code"], wish.get("deck"))
        return await self._answered(request, made)

    async def _answered(self, request: Request,
                        made: Callable[[Plain], Awaitable[str]]) -> Response:
        if not self.begins.take():
            return refused("Too many new games at once; wait a moment.", 429)
        try:
            return JSONResponse({"seat": await made(await body_of(request))})
        except HsevoError as error:
            return refused(str(error))

    async def seat(self, request: Request) -> Response:
        """Return the table as a seat sees it, or, until somebody came, what to hand on."""
        code = request.path_params["code"]
        if waits := self.hall.duels.waiting(code):
            return HTMLResponse(render("web/waiting.html.j2", invitation=waits))
        found = self.hall.duels.seat(code)
        if found is None:
            return problem("There is no such seat.")
        try:
            table = await self.hall.table(found[0])
        except HsevoError as error:
            return problem(error)
        classes = [deck.hero.capitalize() for deck in table.decks]
        facts = {"number": found[0], "agent": OTHER, "human": "you", "deck": classes[found[1]],
                 "against": classes[1 - found[1]]}
        invited = found[1] == table.facts.seat
        return HTMLResponse(render(
            "web/game.html.j2", facts=facts, advisers=(), exercise=None, watched=False, match=None,
            line=f"/seat/{code}", duel="invited" if invited else "came"))

    async def ready(self, request: Request) -> Response:
        """Answer whether somebody came."""
        there = self.hall.duels.seat(request.path_params["code"]) is not None
        return JSONResponse({"ready": there})

    async def talk(self, socket: WebSocket) -> None:
        """Talk with one page about one seat until it goes."""
        found = self.hall.duels.seat(socket.path_params["code"])
        try:
            if found is None:
                raise GameError("there is no such seat")
            seat = Seat(await self.hall.table(found[0]), found[1])
        except HsevoError:
            await socket.close(NOT_FOUND)
            return
        await converse(socket, seat, seat.acts, {})
