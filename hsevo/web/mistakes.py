"""The mistakes in a finished game, found by `hsevo.analyse`: as a page, and as exercises.

What decisions cost is stored with the game (replays/judged.py), so that its page can be made again
at any time.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from hsevo.analysis.analysing import Analysis, analyse
from hsevo.analysis.exercising import exercises
from hsevo.errors import GameError, HsevoError
from hsevo.replays.exercises import Drills
from hsevo.replays.judged import How, Judged
from hsevo.texts import say
from hsevo.web.problems import HOME
from hsevo.web.searching import Desk, ThreadSearch, part, workers
from hsevo.web.table import Chair

GAMES = 50  # that are played on after each move
MOVES = 12  # of an exercise that are compared: few others are tried
MOST_KEPT = 20  # pages in memory
MOST_WAITING = 8  # running and waiting analyses


class Analyst:
    """Analyses games in a thread, one after the other; an analysis goes on when its page closes.

    drills: where exercises are kept that are made of the mistakes. judged: what decisions cost.
    """

    def __init__(self, drills: Drills, judged: Judged) -> None:
        self._desk, self._drills, self._judged = Desk("mistakes", MOST_WAITING), drills, judged
        self._searches: dict[tuple[int, int], ThreadSearch] = {}  # by game and seat
        self._pages = OrderedDict[tuple[int, int, bool], str]()  # and for whom

    def has(self, chair: Chair) -> bool:
        """Return whether the game was analysed for who sits in a chair."""
        return self._judged.has(*_key(chair))

    def search(self, chair: Chair) -> ThreadSearch | None:
        """Return the running or waiting analysis of a game, None if there is none."""
        search = self._searches.get((chair.facts.number, chair.seat))
        return None if search is None or search.over else search

    def page(self, chair: Chair, person: str) -> str | None:
        """Return a person's page of a game that was analysed; None if it was not.

        Raises RunError for a damaged file.
        """
        seat = chair.spoken_to(person)
        key = chair.facts.number, chair.seat, seat is not None
        if key not in self._pages:
            stored = self._judged.whole(*_key(chair))
            if stored is None:
                return None
            self._pages[key] = self._drawn(chair, seat, *stored)
            while len(self._pages) > MOST_KEPT:
                self._pages.popitem(last=False)
        return self._pages[key]

    def is_kept(self, chair: Chair, person: str) -> bool:
        """Return whether a person's page of a game can be made of what is kept."""
        try:
            return self.page(chair, person) is not None
        except HsevoError:  # damaged: to be found again
            return False

    def begin(self, chair: Chair, person: str) -> ThreadSearch:
        """Begin to analyse what the human in a chair did in a finished game, for a person.

        A running analysis is returned. Exercises are made of games with agents alone. Raises
        GameError if the game is not over, has no human, or too many analyses wait.
        """
        table, duel = chair.table, chair.table.facts.is_duel
        if not table.over:
            raise GameError(say("refused.mistakes_when_over"))
        if table.watched:
            raise GameError(say("refused.mistakes_of_agents"))
        if (going := self.search(chair)) is not None:
            return going
        game, (number, seat) = table.copy(), _key(chair)
        side = None if seat is None else "ab"[seat]

        def look(progress: Any) -> dict[str, Any]:
            analysis = analyse(game, side=side, games=GAMES, workers=workers(),
                               progress=part(progress, 0, 1 if duel else 2))
            drills = () if duel else exercises(analysis, moves=MOVES, workers=workers(),
                                               progress=part(progress, 1, 2))
            self._judged.put(number, analysis.decisions, How(
                analysis.agent, analysis.players, analysis.games, analysis.seed), seat)
            if drills:
                self._drills.put(number, drills)
            for own in (True, False):
                self._pages.pop((number, chair.seat, own), None)
            return {"to": f"/game/{number}/mistakes"}
        self._searches = {key: search for key, search in self._searches.items() if not search.over}
        search = self._searches[number, chair.seat] = self._desk.begin(look, person)
        return search

    def end(self, chair: Chair, person: str) -> None:
        """End the analysis of a game if this person began it."""
        search = self.search(chair)
        if search is not None and search.person == person:
            search.stop()

    def stop(self) -> None:
        """End what is being analysed, as the server ends."""
        self._desk.stop()

    def _drawn(self, chair: Chair, seat: int | None, how: How, decisions: Any) -> str:
        """Return the page of a game. seat: that of the reader, None for others."""
        game, number = chair.table.copy(), chair.facts.number
        if (decisions["step"] >= len(game.history)).any():
            raise GameError(say("refused.other_game"))
        names = game.players[0].name, game.players[1].name
        analysis = Analysis(say("mistakes.a_game"), names, how.agent, how.players, how.games,
                            how.seed, decisions, game, (), ())
        has_drills = seat is not None and self._drills.any([number])
        return analysis.page(exercises="/exercises" if has_drills else "", ways=[
            *HOME, (say("mistakes.watch"), f"/game/{number}/again")], seat=seat,
            tries=f"/position?game={number}&step=")


def _key(chair: Chair) -> tuple[int, int | None]:
    """Return the game of a chair, and of a game between two people the seat."""
    return chair.facts.number, chair.seat if chair.table.facts.is_duel else None
