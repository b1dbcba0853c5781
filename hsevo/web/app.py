"""The server's routes: pages, games and their WebSockets, cards, decks, static files.

    make_app(hall, keys, port, hosts) -> an ASGI application
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlencode

from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from hsevo.cards.browse import SETS
from hsevo.cards.sets.heroes import BY_CLASS
from hsevo.cards.tables import find_ruleset
from hsevo.errors import HsevoError
from hsevo.pages import render
from hsevo.pictures import style_sheet
from hsevo.play.formats import FORMATS
from hsevo.replays.matches import DECKS
from hsevo.replays.played import HUMAN, OPEN
from hsevo.strength import panel as panels
from hsevo.strength.scores import left_out, rated, scores
from hsevo.texts import say, script
from hsevo.web import positions
from hsevo.web.answers import (
    LINES,
    body_of,
    called,
    cards_of,
    not_shown,
    refusal,
    refused,
    short_of,
)
from hsevo.web.choices import EXPERIMENTS, PEOPLES
from hsevo.web.frames import OPPONENT
from hsevo.web.guard import LASTS, RETURN, Bucket, Guard, Keys, address_of, cookie_name
from hsevo.web.hall import GameHall
from hsevo.web.inviting import Inviting
from hsevo.web.persons import Person, person_of
from hsevo.web.problems import closed, no_page
from hsevo.web.reviewing import Reviewing
from hsevo.web.searching import ThreadSearch
from hsevo.web.shelf import NameTaken
from hsevo.web.showing import NEWEST, Showing
from hsevo.web.starting import Waiting, not_yet
from hsevo.web.table import Chair
from hsevo.web.talk import drill, talk

Answer: TypeAlias = Callable[[Request], Awaitable[Response]]
STATIC = Path(__file__).parent / "static"
PACKAGE = Path(__file__).parents[1]  # where style sheets and scripts of reports and cards are
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
LONGEST_WORDS = 200  # characters of a search
SHOWN = 50  # games on the first page



def make_app(hall: GameHall, keys: Keys, port: int,
             hosts: tuple[str, ...] = ("127.0.0.1", "localhost"),
             numeric: bool = False) -> ASGIApp:
    """Return the server's application; the other arguments are those of guard.Guard."""
    pages = Pages(hall, keys, port)
    app = Starlette(exception_handlers={404: no_page}, routes=[
        *Showing(hall.results, hall.choices.ruleset).routes, *Inviting(hall, numeric).routes,
        *Reviewing(hall).routes,
        Route("/", pages.start), Route("/enter", pages.enter),
        Route("/login", pages.login), Route("/login", pages.log_in, methods=["POST"]),
        Route("/games", pages.begin, methods=["POST"]),
        Route("/game/{number:int}", pages.game),
        Route("/game/{number:int}/rematch", pages.rematch, methods=["POST"]),
        Route("/position", pages.position),
        Route("/position/draw", pages.draw, methods=["POST"]),
        Route("/position/lines", pages.best_lines, methods=["POST"]),
        Route("/position/play", pages.play_from, methods=["POST"]),
        Route("/decks", pages.decks), Route("/deck", pages.deck, methods=["POST"]),
        Route("/build", pages.build), Route("/saved", pages.save, methods=["POST"]),
        Route("/saved/delete", pages.delete, methods=["POST"]),
        Route("/swaps", pages.swaps, methods=["POST"]),
        Route("/match", pages.line_ups), Route("/matches", pages.begin_match, methods=["POST"]),
        Route("/match/{number:int}", pages.match),
        Route("/match/{number:int}/next", pages.next_game, methods=["POST"]),
        Route("/cards.json", pages.cards), Route("/game/{number:int}/cards.json", pages.cards_at),
        Route("/static/{name}", static),
        WebSocketRoute("/game/{number:int}/play", partial(talk, hall)),
        WebSocketRoute("/exercise/{number:int}/{place:int}/play", partial(drill, hall))])
    return Guard(Waiting(app, hall.engine), keys, port, hosts, numeric)


class Pages:
    """What the routes answer."""

    def __init__(self, hall: GameHall, keys: Keys, port: int) -> None:
        self.hall, self.keys, self.port = hall, keys, port
        self.begins = Bucket(5, 250)  # new games
        self.saves = Bucket(1, 30)  # decks
        self.draws = Bucket(30, 120)  # positions

    async def enter(self, request: Request) -> Response:
        """Take the token of the address for a cookie."""
        return self._entered(request, request.query_params.get("token", "")) or closed(
            say("closed.opened_once"), renewable=True)

    async def login(self, request: Request) -> Response:
        """Ask for the password."""
        return HTMLResponse(render("web/login.html.j2"))

    async def log_in(self, request: Request) -> Response:
        """Take the password for a cookie."""
        body = await body_of(request)
        said, to = body.get("password", ""), body.get("to")
        entered = self._entered(request, said if isinstance(said, str) else "")
        if entered is None:
            return refused(say("login.wrong"), 401)
        known = isinstance(to, str) and RETURN.fullmatch(to)
        answer = JSONResponse({"to": to if known else "/"})
        answer.headers["set-cookie"] = entered.headers["set-cookie"]
        return answer

    async def start(self, request: Request) -> Response:
        """Return the first page."""
        person = person_of(request)
        choices, facts, every = self.hall.choices, self.hall.told(person), self.hall.games.facts
        page = HTMLResponse(render(
            "web/start.html.j2", own=choices.own, watch=self.hall.watch,
            agents=[agent for agent in choices.agents.values()
                    if not self.hall.watch or agent.name == self.hall.watch[1]],
            decks=[*choices.decks.values()], ruleset=choices.ruleset, human=HUMAN,
            rules=find_ruleset(choices.ruleset), default=choices.default,
            other_rules=EXPERIMENTS if find_ruleset(choices.ruleset).mulligan else PEOPLES,
            scores=scores(every), rated=await to_thread.run_sync(rated, every), panel=panels.NEWEST,
            left_out=left_out(every), opponent=OPPONENT,
            invitations=await to_thread.run_sync(lambda: [
                (invitation.code, invitation.deck.name)
                for invitation in self.hall.duels.by(person)]),
            exercises=await self.hall.has_exercises(person),
            short=short_of([*facts, *every]),
            results=await to_thread.run_sync(lambda: self.hall.results.all[:NEWEST]),
            saved=await to_thread.run_sync(choices.saved),
            open=[game for game in facts if game.result == OPEN][:SHOWN],
            finished=[game for game in facts if game.result != OPEN][:SHOWN]))
        # The cookie comes before an invitation: one whose answer is lost can be withdrawn then.
        return page if self.hall.watch else Person(request).known_by(page)

    async def begin(self, request: Request) -> Response:
        """Begin a game, and answer with its number."""
        return await self._began(request, self.hall.new, await body_of(request))

    async def _began(self, request: Request, begin: Callable[..., Awaitable[int]],
                     *arguments: Any) -> Response:
        """Answer with the number of what begins, for the person who asks."""
        if not self.begins.take():
            return refused(say("refused.many_games"), 429)
        person = Person(request)
        try:
            answer = JSONResponse({"number": await begin(*arguments, person.digest)})
        except HsevoError as error:
            return refusal(error)
        return answer if self.hall.watch else person.known_by(answer)

    async def line_ups(self, request: Request) -> Response:
        """Return the page on which a match is begun."""
        choices = self.hall.choices
        matches = [(match, self.hall.standing(match)[1])
                   for match in [*self.hall.matches][::-1][:SHOWN]]
        return HTMLResponse(render(
            "web/lineups.html.j2", agents=[*choices.agents.values()], own=choices.own,
            decks=[*choices.decks.values()], ruleset=choices.ruleset, matches=matches,
            default=choices.default,
            saved=await to_thread.run_sync(choices.saved), formats=FORMATS, size=DECKS,
            rules=find_ruleset(choices.ruleset), panel=panels.NEWEST))

    async def begin_match(self, request: Request) -> Response:
        """Begin a match, and answer with its number."""
        return await self._began(request, lambda wish, person: self.hall.new_match(wish),
                                 await body_of(request))

    async def match(self, request: Request) -> Response:
        """Return how a match stands, and which decks can be chosen."""
        try:
            match = self.hall.matches.of(request.path_params["number"])
        except HsevoError as error:
            return not_shown(error)
        games, stands = self.hall.standing(match)
        return HTMLResponse(render("web/match.html.j2", match=match, games=games, stands=stands,
                                   mine=match.decks[0], theirs=match.decks[1]))

    async def next_game(self, request: Request) -> Response:
        """Begin the next game of a match, and answer with its number."""
        wish = await body_of(request)
        return await self._began(request, self.hall.next_game, request.path_params["number"],
                                 wish.get("deck"))

    async def game(self, request: Request) -> Response:
        """Return the table of a game."""
        try:
            chair = await self._chair(request)
        except HsevoError as error:
            return not_shown(error)
        if chair.table.searches and not self.hall.engine.complete:
            return not_yet(self.hall.engine, request)
        facts, duel = chair.facts, chair.table.facts.is_duel
        names = [agent.name for agent in self.hall.choices.agents.values()]
        names = [facts.agent, *(name for name in names if name != facts.agent)] \
            if facts.agent in names else names
        return HTMLResponse(render("web/game.html.j2", facts=called(facts), duel=duel,
                                   cards=self.hall.cards_of(facts),
                                   advisers=() if duel else names, exercise=None,
                                   line=f"/game/{facts.number}", watched=chair.table.watched,
                                   match=self.hall.match_of(facts.number)))

    async def rematch(self, request: Request) -> Response:
        """Begin a finished game again, with its seats swapped; answer with the number."""
        return await self._began(request, self.hall.rematch, request.path_params["number"])

    async def position(self, request: Request) -> Response:
        """Return the page on which positions are built."""
        choices = self.hall.choices
        return HTMLResponse(render(
            "web/position.html.j2", decks=[*choices.decks.values()], own=choices.own,
            saved=await to_thread.run_sync(choices.saved), ruleset=choices.ruleset,
            agents=[*choices.agents.values()], games=positions.GAMES, default=choices.default,
            classes=[cls.name.lower() for cls in BY_CLASS],
            sets=[title for title, _ in SETS.values()]))

    async def draw(self, request: Request) -> Response:
        """Return a position as the table shows it."""
        if not self.draws.take():
            return refused(say("refused.many_positions"), 429)
        data = (await body_of(request)).get("position")
        try:
            return JSONResponse(await to_thread.run_sync(
                lambda: positions.drawn(positions.read(data, self.hall.choices))))
        except HsevoError as error:
            return refused(str(error))

    async def best_lines(self, request: Request) -> ASGIApp:
        """Look for the best lines at a position; answer line by line."""
        try:
            return searching(self.hall.adviser_at.begin(await body_of(request)))
        except HsevoError as error:
            return refused(str(error))

    async def play_from(self, request: Request) -> Response:
        """Begin a game at a position, and answer with its number."""
        return await self._began(request, self.hall.new_at, await body_of(request))

    async def decks(self, request: Request) -> Response:
        """Return the human lists that fit some words."""
        words = request.query_params.get("words", "")[:LONGEST_WORDS]
        return JSONResponse(await to_thread.run_sync(self.hall.choices.search, words))

    async def deck(self, request: Request) -> Response:
        """Return a deck as the page draws it."""
        try:
            return JSONResponse(self.hall.choices.show((await body_of(request)).get("deck")))
        except HsevoError as error:
            return refused(str(error))

    async def build(self, request: Request) -> Response:
        """Return the page on which decks are built."""
        choices = self.hall.choices
        return HTMLResponse(render(
            "web/build.html.j2", decks=[*choices.decks.values()], own=choices.own,
            saved=await to_thread.run_sync(choices.saved), ruleset=choices.ruleset,
            classes=[cls.name.lower() for cls in BY_CLASS],
            sets=[title for title, _ in SETS.values()]))

    async def save(self, request: Request) -> Response:
        """Save a deck under a name; 409 if one has it, and it was not said to be replaced."""
        if not self.saves.take():
            return refused(say("refused.many_decks"), 429)
        wish = await body_of(request)
        try:
            words = await to_thread.run_sync(
                self.hall.choices.save, wish.get("name"), wish.get("deck"),
                wish.get("replace") is True)
        except HsevoError as error:
            return refused(str(error), 409 if isinstance(error, NameTaken) else 400)
        return JSONResponse({"deck": words})

    async def delete(self, request: Request) -> Response:
        """Delete a saved deck."""
        if not self.saves.take():
            return refused(say("refused.many_decks"), 429)
        try:
            await to_thread.run_sync(self.hall.choices.delete, (await body_of(request)).get("name"))
        except HsevoError as error:
            return refused(str(error))
        return JSONResponse({})

    async def swaps(self, request: Request) -> ASGIApp:
        """Look for swaps that make a deck better; answer line by line."""
        try:
            return searching(self.hall.improver.begin(await body_of(request)))
        except HsevoError as error:
            return refused(str(error))

    async def cards(self, request: Request) -> Response:
        """Return all cards of the server's ruleset."""
        return cards_of(self.hall.choices.ruleset)

    async def cards_at(self, request: Request) -> Response:
        """Return all cards of the ruleset of a game."""
        try:
            return cards_of((await self._chair(request)).table.ruleset)
        except HsevoError as error:
            return refusal(error)

    async def _chair(self, request: Request) -> Chair:
        """Return where who asks sits. Raises NotSeated, RunError, GameError."""
        return await self.hall.chair(request.path_params["number"], person_of(request))

    def _entered(self, request: Request, said: str) -> Response | None:
        cookie = self.keys.enter(said, address_of(request.scope))
        if cookie is None:
            return None
        answer = RedirectResponse("/", 303)
        answer.set_cookie(cookie_name(self.port), cookie, LASTS, httponly=True, samesite="strict")
        return answer


def searching(search: ThreadSearch) -> ASGIApp:
    """Return the answer that has the lines of a search, which ends when the page goes."""
    answer = StreamingResponse(search, media_type=LINES)

    async def sending(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await answer(scope, receive, send)
        finally:
            search.stop()
    return sending


async def static(request: Request) -> Response:
    """Return one of the files of the pages; 304 if the browser has it as it is."""
    file = _files().get(request.path_params["name"])
    if file is None:
        return PlainTextResponse(f"{say('problem.no_file')}\n", 404)
    headers = {"cache-control": "private, no-cache", "etag": file.tag}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(file.data, media_type=file.kind, headers=headers)


class File(NamedTuple):
    """A file of the pages. tag: differs if its bytes do."""

    data: bytes
    kind: str
    tag: str


def _files() -> dict[str, File]:
    """Return the files of the pages by name, read once: no request's word becomes a path."""
    if not _READ:
        contents = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir())
                    if path.suffix in TYPES}
        contents["colours.css"] = style_sheet().encode() + contents.pop("palette.css")
        contents["texts.js"] = script().encode()
        for path in (*PACKAGE.glob("reports/page.*s"), *PACKAGE.glob("cards/gallery.*s")):
            contents[path.name.replace("page", "report")] = path.read_bytes()
        for name, data in contents.items():
            tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
            _READ[name] = File(data, TYPES[Path(name).suffix], tag)
    return _READ


_READ: dict[str, File] = {}


def address(host: str, port: int, token: str) -> str:
    """Return the address that opens the server's pages in one browser."""
    return f"http://{host}:{port}/enter?{urlencode({'token': token})}"
