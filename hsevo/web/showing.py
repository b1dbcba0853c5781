"""The routes of runs and results: their list, their curves, reports and tables, and all cards.

All of it is read only. Nothing here knows a path: a request has the id of a folder (web.results).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from hsevo.cards import page as cards_page
from hsevo.errors import HsevoError
from hsevo.pages import render
from hsevo.replays.played import GameFacts
from hsevo.reports import folders
from hsevo.reports.exhibit import Drawn, ReportSection
from hsevo.reports.folders import RunStanding
from hsevo.reports.page import html, inline
from hsevo.reports.report import report_of
from hsevo.texts import say
from hsevo.web import again
from hsevo.web.answers import stepped
from hsevo.web.problems import HOME, problem
from hsevo.web.results import Result, Results

LONGEST = 500  # characters of a filter
NEWEST = 8  # results on the first page
REPORT, CARDS = "web/report.html.j2", "web/cards.html.j2"
GAME = "/results/{id}/games/{part:int}/{game:int}"
T = TypeVar("T")


class Now(NamedTuple):
    """How a run stands, and its curves; `why`: there are none yet."""

    standing: RunStanding
    curves: list[Drawn]
    why: str


class ReplayLinks(NamedTuple):
    """The addresses of a stored game, and of the list in which it is."""

    address: str
    games: str


class DrawnReport(NamedTuple):
    """A report as it was drawn."""

    title: str
    sections: list[ReportSection]
    page: str


class Showing:
    """What the routes answer. One thread at a time reads and draws, and another plays games again.
    """

    def __init__(self, results: Results, ruleset: str) -> None:
        self.results, self.ruleset = results, ruleset
        self._one, self._two, self._cards = CapacityLimiter(1), CapacityLimiter(1), ""

    @property
    def routes(self) -> list[Route]:
        """The routes."""
        return [Route("/results", self.list), Route("/cards", self.cards),
                Route("/results/{id}", self.result), Route("/results/{id}/figure", self.figure),
                Route("/results/{id}/now", self.now), Route("/results/{id}/report", self.report),
                Route("/results/{id}/tables/{name}", self.table),
                Route("/results/{id}/games", self.games), Route(GAME, self.game),
                Route(f"{GAME}/frames", self.frames), Route(f"{GAME}/scores", self.scores)]

    async def list(self, request: Request) -> Response:
        """Return all results; their key figures are asked for one by one."""
        results = await self._run(lambda: self.results.all)
        return HTMLResponse(render("web/results.html.j2", results=results,
                                   named=[folder.name or str(folder)
                                          for folder in self.results.named]))

    async def figure(self, request: Request) -> Response:
        """Return the key figure of a result, in words."""
        try:
            result = await self._of(request)
            said = await self._cached(result, "figure",
                                      lambda path: folders.figure(path, result.what))
        except HsevoError as error:
            return JSONResponse({"why": str(error)})
        return JSONResponse({"figure": said})

    async def result(self, request: Request) -> Response:
        """Return the page of a result."""
        try:
            result = await self._of(request)
        except HsevoError as error:
            return problem(error)
        return HTMLResponse(render("web/result.html.j2", result=result))

    async def now(self, request: Request) -> Response:
        """Return how a run stands and its curves, as a part of its page."""
        try:
            result = await self._of(request)
            if not result.is_run:
                return PlainTextResponse(f"{say('results.no_run')}\n", 404)
            current = await self._cached(result, "now", _now)
        except HsevoError as error:
            return HTMLResponse(render("web/now.html.j2", now=None, why=str(error)))
        return HTMLResponse(render("web/now.html.j2", now=current, why=current.why, inline=inline))

    async def report(self, request: Request) -> Response:
        """Return the report of a result, in the frame of these pages."""
        try:
            result = await self._of(request)
        except HsevoError as error:
            return problem(error)
        if not result.is_reported:
            return problem(say("results.no_report"), 404, result)
        try:
            return HTMLResponse((await self._report(result)).page)
        except HsevoError as error:
            return problem(error, 422, result)

    async def table(self, request: Request) -> Response:
        """Return a table of a report that was drawn, as CSV."""
        name = request.path_params["name"]
        try:
            report = await self._report(await self._of(request))
        except HsevoError as error:
            return PlainTextResponse(f"{error}\n", 404)
        tables = {f"{exhibit.name}.csv": exhibit.table for part in report.sections
                  for exhibit in part.exhibits}
        if name not in tables:
            return PlainTextResponse(f"{say('results.no_table')}\n", 404)
        return Response(tables[name].to_csv(index=False), media_type="text/csv", headers={
            "content-disposition": f'attachment; filename="{name}"'})

    async def games(self, request: Request) -> Response:
        """Return a page of the stored matches of a result."""
        try:
            result = await self._of(request)
        except HsevoError as error:
            return problem(error)
        if not result.is_replayed:
            return problem(say("results.no_games"), 404, result)
        said = request.query_params
        first = _number(said.get("from", ""))
        wish = again.Wish(**{name: said[name][:LONGEST] for name in again.Wish._fields
                             if said.get(name)})
        try:
            listed = await self._cached(
                result, "games", lambda path: again.listed(path, first, wish), f"{first} {wish}")
        except HsevoError as error:
            return problem(error, 422, result)
        asked = {name: value for name, value in wish._asdict().items()
                 if value != again.Wish._field_defaults[name]}
        return HTMLResponse(render("web/games.html.j2", result=result, listed=listed, wish=wish,
                                   most=again.MOST_GAMES, orders=again.ORDERS, asked=asked,
                                   query=urlencode(asked)))

    async def game(self, request: Request) -> Response:
        """Return the board of a stored game."""
        result, part, game = None, *(request.path_params[name] for name in ("part", "game"))
        try:
            result = await self._of(request)
            stored = await self._replayed(result, part, game)
        except HsevoError as error:
            return problem(error, 422 if result else 404, result)
        facts = GameFacts(0, "", 0, *stored.names, *stored.decks)
        replay = ReplayLinks(f"/results/{result.id}/games/{part}/{game}",
                             f"/results/{result.id}/games?from={part - part % again.ROWS}")
        return HTMLResponse(render("web/game.html.j2", facts=facts, advisers=(), exercise=None,
                                   line="", watched=True, match=None, replay=replay, cards=""))

    async def frames(self, request: Request) -> Response:
        """Return all frames of a stored game."""
        try:
            stored = await self._replayed(await self._of(request), request.path_params["part"],
                                          request.path_params["game"])
        except HsevoError as error:
            return JSONResponse({"why": str(error)}, 422)
        return JSONResponse({"frames": stored.frames, "faces": stored.faces, "note": stored.note})

    async def scores(self, request: Request) -> Response:
        """Return a stored game as a page with every option and its score."""
        result, part, game = None, *(request.path_params[name] for name in ("part", "game"))
        try:
            result = await self._of(request)
            ways = [*HOME, (say("replay.board"), f"/results/{result.id}/games/{part}/{game}")]
            text = await self._cached(result, "scores",
                                      lambda path: again.scored(path, part, game, ways),
                                      f"{part} {game}", self._two)
        except HsevoError as error:
            return problem(error, 422 if result else 404, result)
        return stepped(text)

    async def cards(self, request: Request) -> Response:
        """Return all cards of the ruleset."""
        self._cards = self._cards or await self._run(lambda: cards_page(self.ruleset, CARDS))
        return HTMLResponse(self._cards)

    async def _of(self, request: Request) -> Result:
        """Return the result that a request names. Raises RunError."""
        return await self._run(lambda: self.results.of(request.path_params["id"]))

    async def _report(self, result: Result) -> DrawnReport:
        return await self._cached(result, "report", lambda path: _report(path, result))

    async def _replayed(self, result: Result, part: int, game: int) -> again.Again:
        return await self._cached(result, "again", lambda path: again.whole(path, part, game),
                                  f"{part} {game}", self._two)

    async def _cached(self, result: Result, name: str, make: Callable[[Path], T], which: str = "",
                      limiter: CapacityLimiter | None = None) -> T:
        return await self._run(lambda: self.results.cached(result, name, make, which), limiter)

    async def _run(self, work: Callable[[], T], limiter: CapacityLimiter | None = None) -> T:
        result: Any = await to_thread.run_sync(work, limiter=limiter or self._one)
        answer: T = result
        return answer


def _number(text: str) -> int:
    """Return a number of a request, 0 for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _now(path: Path) -> Now:
    """Return how a run stands. Raises RunError."""
    standing = folders.stands(path)
    try:
        return Now(standing, folders.course(path), "")
    except HsevoError as error:  # no step yet
        return Now(standing, [], str(error))


def _report(path: Path, result: Result) -> DrawnReport:
    """Draw a report. Raises RunError, ConfigError, AgentError."""
    title, sections, answers = report_of(path)
    return DrawnReport(title, sections, html(title, sections, answers, REPORT, result=result))
