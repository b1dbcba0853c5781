"""The mistakes in a finished game, found by `hsevo.analyse`: as a page, and as exercises."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from hsevo.api.analysing import analyse
from hsevo.api.exercising import exercises
from hsevo.errors import GameError
from hsevo.replays.drills import Drills
from hsevo.replays.judged import Judged
from hsevo.texts import say
from hsevo.web.problems import HOME
from hsevo.web.searching import Desk, Search, part, workers
from hsevo.web.table import Chair

GAMES = 50  # that are played on after each move
MOVES = 12  # of an exercise that are compared: few others are tried
MOST_KEPT = 20  # pages


class Analyst:
    """Analyses games in a thread, for one page after the other, and keeps the last pages.

    drills: where exercises are kept that are made of the mistakes. judged: what decisions cost.
    """

    def __init__(self, drills: Drills, judged: Judged) -> None:
        self._desk, self._drills, self._judged = Desk("mistakes"), drills, judged
        self._pages = OrderedDict[tuple[int, int, bool], str]()  # by game, seat, and for whom

    def page(self, chair: Chair, person: str) -> str | None:
        """Return a person's page of a game that was analysed; None if it was not, or long ago."""
        own = chair.spoken_to(person) is not None
        return self._pages.get((chair.facts.number, chair.seat, own))

    def begin(self, chair: Chair, person: str) -> Search:
        """Begin to analyse what the human in a chair did in a finished game, for a person.

        Exercises are made of games with agents alone, for who played them. Raises GameError if it
        goes on, has no human, or another one is being analysed.
        """
        table, duel = chair.table, chair.table.facts.is_duel
        if not table.over:
            raise GameError(say("refused.mistakes_when_over"))
        if table.watched:
            raise GameError(say("refused.mistakes_of_agents"))
        game, number = table.copy(), table.facts.number
        side, seat = "ab"[chair.seat] if duel else None, chair.spoken_to(person)
        own = seat is not None

        def look(progress: Any) -> dict[str, Any]:
            found = analyse(game, side=side, games=GAMES, workers=workers(),
                            progress=part(progress, 0, 1 if duel else 2))
            made = () if duel else exercises(found, moves=MOVES, workers=workers(),
                                             progress=part(progress, 1, 2))
            if not duel:
                self._judged.put(number, found.decisions)
            if made:
                self._drills.put(number, made)
            self._pages[number, chair.seat, own] = found.page(
                exercises="/exercises" if made and own else "", ways=HOME, seat=seat)
            while len(self._pages) > MOST_KEPT:
                self._pages.popitem(last=False)
            return {"to": f"/game/{number}/mistakes"}
        return self._desk.begin(look)

    def stop(self) -> None:
        """End what is being analysed, as the server ends."""
        self._desk.stop()
