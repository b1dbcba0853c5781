"""The routes of finished games: to step through, their mistakes, exercises made of them."""

from __future__ import annotations

import json
from functools import partial
from typing import NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from hsevo.errors import HsevoError
from hsevo.pages import render
from hsevo.replays import decisions, habits, own
from hsevo.replays.chances import GAMES
from hsevo.replays.exercises import Drill, now
from hsevo.replays.page import Around
from hsevo.replays.played import GameFacts
from hsevo.texts import say
from hsevo.web import positions
from hsevo.web.answers import LINES, called, not_shown, refusal, stepped
from hsevo.web.hall import GameHall
from hsevo.web.persons import person_of
from hsevo.web.problems import HOME, problem
from hsevo.web.table import Chair

GAME, EXERCISE = "/game/{number:int}", "/exercise/{number:int}/{place:int}"
SHOWN = 50  # exercises on their page


class ExerciseRow(NamedTuple):
    """An exercise on the page of all: its game, and whether it is to be tried now."""

    drill: Drill
    facts: GameFacts
    due: bool


class Reviewing:
    """What the routes answer."""

    def __init__(self, hall: GameHall) -> None:
        self.hall = hall

    @property
    def routes(self) -> list[Route]:
        """The routes."""
        return [Route(f"{GAME}/again", self.again), Route(f"{GAME}/mistakes", self.mistakes),
                Route(f"{GAME}/mistakes/find", self.looking),
                Route(f"{GAME}/analyse", self.analyse, methods=["POST"]),
                Route(f"{GAME}/analyse/stop", self.end_analysis, methods=["POST"]),
                Route(f"{GAME}/position/{{step:int}}", self.position_of),
                Route("/exercises", self.exercises), Route(EXERCISE, self.exercise),
                Route(f"{EXERCISE}/next", self.next_exercise)]

    async def again(self, request: Request) -> Response:
        """Return a finished game as a page to step through."""
        try:
            chair = await self._chair(request)
        except HsevoError as error:
            return not_shown(error)
        if not chair.table.over:
            return problem(say("refused.again_when_over"), 409)
        number, seat = chair.facts.number, chair.spoken_to(person_of(request))
        ways = [*HOME] if chair.table.watched else [
            *HOME, (say("mistakes.open" if self.hall.analyst.has(chair) else "mistakes.find"),
                    f"/game/{number}/mistakes")]
        tries = "" if chair.table.watched else f"/position?game={number}&step="
        return stepped(await to_thread.run_sync(partial(
            own.as_page, chair.table.copy(), GAMES, seat=seat,
            around=Around(ways=ways, tries=(tries, ())))))

    async def mistakes(self, request: Request) -> Response:
        """Return the mistakes in a game that was analysed, as a page to step through."""
        try:
            chair, person = await self._chair(request), person_of(request)
            text = await to_thread.run_sync(self.hall.analyst.page, chair, person)
        except HsevoError as error:
            return not_shown(error)
        if text is None:
            return RedirectResponse(f"/game/{chair.facts.number}/mistakes/find", 303)
        return stepped(text)

    async def looking(self, request: Request) -> Response:
        """Return the page on which one waits for the mistakes in a game."""
        try:
            chair = await self._chair(request)
        except HsevoError as error:
            return not_shown(error)
        if not chair.table.over or chair.table.watched:
            return problem(say("refused.mistakes_of_agents" if chair.table.watched else
                               "refused.mistakes_when_over"), 409)
        return HTMLResponse(render("web/looking.html.j2", facts=called(chair.facts),
                                   goes_on=self.hall.analyst.search(chair) is not None))

    async def analyse(self, request: Request) -> Response:
        """Find the mistakes in a finished game; answer line by line, last with their page.

        The analysis runs once and to its end, also when the page is closed.
        """
        try:
            chair, person = await self._chair(request), person_of(request)
            if await to_thread.run_sync(self.hall.analyst.is_kept, chair, person):
                page = json.dumps({"to": f"/game/{chair.facts.number}/mistakes"})
                return Response(f"{page}\n", media_type=LINES)
            search = self.hall.analyst.begin(chair, person)
        except HsevoError as error:
            return refusal(error)
        return StreamingResponse(search, media_type=LINES)

    async def end_analysis(self, request: Request) -> Response:
        """Stop to look for the mistakes in a game, if who asks began it."""
        try:
            self.hall.analyst.end(await self._chair(request), person_of(request))
        except HsevoError as error:
            return refusal(error)
        return JSONResponse({})

    async def position_of(self, request: Request) -> Response:
        """Return the position before a move of a finished game, as JSON."""
        try:
            chair = await self._chair(request)
            step = request.path_params["step"]
            position = await to_thread.run_sync(lambda: positions.before(chair, step))
        except HsevoError as error:
            return refusal(error)
        return JSONResponse({"position": position.data, "agent": called(chair.facts).agent})

    async def exercises(self, request: Request) -> Response:
        """Return the page that lists all exercises."""
        try:
            person = person_of(request)
            drills, decided = await self.hall.exercises(person), await self.hall.mistakes(person)
        except HsevoError as error:
            return problem(error, 500)
        moment = now()
        rows = [ExerciseRow(drill, facts, drill.is_due(moment)) for drill, facts in drills]
        due = next((row for row in rows if row.due), None)
        says = habits.sentences(decided, say("habits.you"))
        return HTMLResponse(render(
            "web/exercises.html.j2", rows=rows[:SHOWN], first=due, total=len(rows),
            due=sum(row.due for row in rows), games=decided["game"].nunique(),
            decisions=len(decided), says=says, about=habits.about(says),
            kinds=decisions.by_kind(decided).to_dict("records")))

    async def exercise(self, request: Request) -> Response:
        """Return the table of an exercise."""
        number, place = (request.path_params[name] for name in ("number", "place"))
        try:
            drill, facts = self.hall.exercise(number, place, person_of(request))
        except HsevoError as error:
            return not_shown(error)
        return HTMLResponse(render("web/game.html.j2", facts=called(facts), advisers=(),
                                   watched=False, line=f"/exercise/{number}/{place}", match=None,
                                   exercise=drill.exercise, cards=self.hall.cards_of(facts)))

    async def next_exercise(self, request: Request) -> Response:
        """Lead to the next exercise that is due; to the list of all if none is."""
        here = request.path_params["number"], request.path_params["place"]
        try:
            drill = await self.hall.next_exercise(person_of(request), here)
        except HsevoError as error:
            return problem(error, 500)
        to = f"/exercise/{drill.game}/{drill.place}" if drill else "/exercises"
        return RedirectResponse(to, 303)

    async def _chair(self, request: Request) -> Chair:
        """Return where who asks sits. Raises NotSeated, RunError, GameError."""
        return await self.hall.chair(request.path_params["number"], person_of(request))
