"""An exercise at a table of its own: the position, the human's moves, and how good they were.

Until it is solved, or its answer is asked for, nothing of the answer is sent; and never what the
player could not know in the game: what is hidden is dealt anew for each page that opens it, so that
who tries a move, and draws, learns nothing of the game. The first try on a page counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

from anyio import to_thread

from hsevo.errors import GameError
from hsevo.play.session import Session
from hsevo.replays.exercises import Drill, Exercise, dealt, may_be_best
from hsevo.replays.wording import YOU, yours
from hsevo.texts import say
from hsevo.web import frames
from hsevo.web.frames import Teller
from hsevo.web.reasons import Spot, why
from hsevo.web.table import Listener
from hsevo.web.threads import Threads

Plain: TypeAlias = dict[str, Any]
UNSEEN = ("hand", "choice")  # zones to which cards come from the deck


class Practice:
    """One page at one exercise. opponent: its name. note: called with whether it was solved.

    cost: what a move costs that was not compared, by its text: it is played on, which takes long.
    seed: of what is hidden.
    """

    def __init__(self, drill: Drill, opponent: str, note: Callable[[bool], None],
                 cost: Callable[[str], dict[str, float]], seed: int,
                 threads: Threads) -> None:
        self._listeners = set[Listener]()
        self._exercise, self._opponent, self._note = drill.exercise, opponent, note
        self._cost, self._threads, self._lock, self._told = cost, threads, asyncio.Lock(), 0
        self._who = ""
        self._game = Session.at(dealt(drill.exercise.position, seed))
        self._seat, self._ruleset = self._game.player, self._game.setting.ruleset
        names = (YOU, opponent) if self._seat == 0 else (opponent, YOU)
        self._teller = Teller(names, self._ruleset)
        self._teller.meet_view(self._game.view(self._seat))
        self._tried = False  # so that nothing counts any more
        self.state = self._frame()

    @property
    def whole(self) -> Plain:
        """The first frame."""
        return self.state | {"events": [], "log": [], "past": []}

    async def come(self, listener: Listener, who: str) -> None:
        """Take a page in."""
        self._listeners.add(listener)
        self._who = who

    async def go(self, listener: Listener) -> None:
        """Let a page go."""
        self._listeners.discard(listener)

    async def move(self, move: int, at: int) -> None:
        """Judge a move; of a lethal, make it, and judge when the turn is over.

        at: how many moves the page has seen. Raises GameError, and changes nothing.
        """
        if self._lock.locked():  # which may take long
            raise GameError(say("refused.judging"))
        async with self._lock:
            if at != len(self._game.history):
                raise GameError(say("refused.exercise_went_on"))
            chosen = next((option for option in self._game.moves if option.index == move), None)
            if chosen is None or not self.state["moves"]:
                raise GameError(say("refused.not_legal"))
            if self._exercise.ask == "move":
                cost = await self._threads.hints.run(
                    self._who, lambda: self._exercise.cost(chosen.text) or self._cost(chosen.text))
                await self._tell(await self._run(lambda: self._judged(chosen.text, cost)))
                return
            verdict = await self._run(lambda: self._play(move))
            await self._tell(self.state)
            if verdict:
                await self._tell(verdict)

    async def answer(self) -> Plain:
        """Return the answer; an exercise whose answer was asked for first is not solved."""
        async with self._lock:
            verdict: Plain = await self._run(lambda: self._verdict(None, ""))
            return verdict

    def why(self, source: Spot | None, target: Spot | None) -> str:
        """Return why no legal move is made with `source` at `target`."""
        return why(self.state["view"], self._opponent, self._ruleset, source, target)

    def _judged(self, text: str, cost: dict[str, float]) -> Plain:
        """Return how good a move is that costs so much."""
        exercise = self._exercise
        solved, same = may_be_best(cost), text == exercise.moves["move"].iloc[0]
        if solved:
            says = say("verdict.same" if same else "verdict.as_good", agent=exercise.agent)
        else:
            says = say("verdict.yours" if text == exercise.made[0] else "verdict.worse")
        return self._verdict(solved, says, text, cost)

    def _verdict(self, solved: bool | None, says: str, text: str = "",
                 cost: dict[str, float] | None = None) -> Plain:
        """Return what the page is told, and note how it went. solved: None if it was given up."""
        if solved and self._tried:
            says = f"{says} {say('verdict.first_counts')}"
        if not self._tried:
            self._note(bool(solved))
        self._tried, shown = True, solved is not False
        return {"kind": "verdict", "solved": solved, "says": says, "move": text, "cost": cost,
                "answer": _answer(self._exercise) if shown else None}

    def _play(self, move: int) -> Plain | None:
        """Make a move, and return the verdict if the turn is over, which is noted first."""
        game, verdict = self._game.copy(), None
        game.play(move)
        if game.over or game.player != self._seat:
            solved = game.winner == self._seat
            verdict = self._verdict(solved, say("verdict.won" if solved else "verdict.not_won"))
        self._game = game
        self.state = self._frame()
        return verdict

    def _frame(self) -> Plain:
        frame = frames.frame(self._game, self._seat, self._teller, self._told)
        self._told = len(self._game.events)
        return frame | {"thinks": False}

    async def _run(self, act: Callable[[], Any]) -> Any:
        return await to_thread.run_sync(act, limiter=self._threads.quick)

    async def _tell(self, message: Plain) -> None:
        for listener in [*self._listeners]:
            await listener(message)


def _answer(exercise: Exercise) -> Plain:
    """Return the answer of an exercise as the page shows it: the analyst's move first."""
    rows = exercise.moves.to_dict("records")
    return {"made": [yours(text) for text in exercise.made],
            "line": [yours(text) for text in _known(exercise)], "agent": exercise.agent,
            "games": exercise.games, "moves": [row | {
                "text": yours(row["move"]), "yours": row["move"] in exercise.made}
                for row in [*rows[:1], *sorted(rows[1:], key=lambda row: row["loss"])]]}


def _known(exercise: Exercise) -> list[str]:
    """Return the line of an exercise up to the first card that its player had yet to see."""
    game, line = Session.at(exercise.position), list[str]()
    held = {card["card"] for card in game.view(game.player)["me"]["hand"]}
    for text in exercise.line:
        move = next((move for move in game.moves if move.text == text), None)
        if move is None or (move.source and move.source.zone in UNSEEN
                            and move.source.card not in held):
            return [*line, say("verdict.drawn")]
        line.append(text)
        game.play(move)
    return line
