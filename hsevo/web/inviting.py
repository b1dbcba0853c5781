"""The routes of invitations: one person invites, waits, and another takes the other seat."""

from __future__ import annotations

import socket

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from hsevo.errors import HsevoError
from hsevo.pages import render
from hsevo.texts import say
from hsevo.web.answers import body_of, refused
from hsevo.web.duels import InvitationTaken
from hsevo.web.guard import Bucket, Buckets, address_of
from hsevo.web.hall import GameHall
from hsevo.web.persons import Person, person_of
from hsevo.web.problems import problem

ONE = "/invitation/{code}"
MANY = say("refused.many_invitations")


class Inviting:
    """What the routes answer. wide: other machines reach the server, by this machine's name."""

    def __init__(self, hall: GameHall, wide: bool) -> None:
        self.hall, self.duels, self.wide = hall, hall.duels, wide
        self.invites = Bucket(1, 60)
        self.guesses = Buckets(1 / 3, 20)  # codes that are none, of an address

    @property
    def routes(self) -> list[Route]:
        """The routes."""
        return [Route("/invitations", self.invite, methods=["POST"]), Route(ONE, self.invitation),
                Route(f"{ONE}/state", self.state),
                Route(f"{ONE}/join", self.join, methods=["POST"]),
                Route(f"{ONE}/withdraw", self.withdraw, methods=["POST"])]

    async def invite(self, request: Request) -> Response:
        """Invite somebody, and answer with the code."""
        if self.hall.watch:
            return refused(say("refused.no_people"))
        if not self.invites.take():
            return refused(MANY, 429)
        person, wish = Person(request), await body_of(request)
        address = address_of(request.scope)
        try:
            code = await to_thread.run_sync(
                lambda: self.duels.invite(person.digest, wish, address))
        except HsevoError as error:
            return refused(str(error))
        return person.known_by(JSONResponse({"code": code}))

    async def invitation(self, request: Request) -> Response:
        """Return where one waits who invited, or where the other chooses a deck."""
        code, person, choices = request.path_params["code"], person_of(request), self.hall.choices
        if begun := self.duels.begun(code):
            if begun.seat_of(person) is None:
                return problem(say("refused.seat_taken"), 403)
            return RedirectResponse(f"/game/{begun.number}", 303)
        invitation = self.duels.of(code)
        if invitation is None:
            if not self.guesses.take(address_of(request.scope)):
                return problem(say("refused.many_tries"), 429)
            return problem(say("refused.no_invitation"))
        if invitation.owner == person:
            return HTMLResponse(render("web/waiting.html.j2", code=code, wide=self.wide,
                                       deck=invitation.deck.name, link=self._link(request)))
        # The cookie comes before the seat: an answer that is lost then costs nobody its seat.
        return Person(request).known_by(HTMLResponse(render(
            "web/invited.html.j2", code=code, decks=[*choices.decks.values()], own=choices.own,
            saved=await to_thread.run_sync(choices.saved), ruleset=choices.ruleset,
            first=invitation.first)))

    async def state(self, request: Request) -> Response:
        """Answer who waits with where the game is, once it has begun."""
        code, person = request.path_params["code"], person_of(request)
        begun = self.duels.begun(code)
        if begun and begun.seat_of(person) is not None:
            return JSONResponse({"to": f"/game/{begun.number}"})
        invitation = self.duels.of(code)
        if invitation is None or invitation.owner != person:
            return refused(say("refused.not_your_invitation"), 404)
        return JSONResponse({})

    async def join(self, request: Request) -> Response:
        """Take the other seat, and answer with the number of the game."""
        if not self.guesses.take(address_of(request.scope)):
            return refused(MANY, 429)
        person, wish = Person(request), await body_of(request)
        try:
            number = await self.duels.join(person.digest, request.path_params["code"], wish)
        except HsevoError as error:
            return refused(str(error), 409 if isinstance(error, InvitationTaken) else 400)
        return person.known_by(JSONResponse({"number": number}))

    async def withdraw(self, request: Request) -> Response:
        """Withdraw an invitation."""
        try:
            await self.duels.withdraw(person_of(request), request.path_params["code"])
        except HsevoError as error:
            return refused(str(error))
        return JSONResponse({})

    def _link(self, request: Request) -> str:
        """Return the address of an invitation for another browser, also one of another machine."""
        host = request.headers["host"]
        name, _, port = host.rpartition(":")
        if self.wide and name in ("127.0.0.1", "localhost", "[::1]"):
            host = f"{socket.gethostname()}:{port}"
        return f"http://{host}{request.url.path}"
