"""One game at a table: who looks at it, what is asked of it, and its agent, who thinks in a thread.

A game is touched by one thread at a time, under the table's lock; what browsers get is the last
frame, so that nobody waits for an agent that thinks long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeAlias

from anyio import CapacityLimiter, to_thread

from hsevo.cards.decks import Deck
from hsevo.errors import GameError, HsevoError
from hsevo.play.session import Player, Session
from hsevo.play.specs import short_names
from hsevo.replays.played import Facts, Games
from hsevo.web import frames
from hsevo.web.reasons import Spot, why
from hsevo.web.telling import YOU, Teller

Plain: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[Plain], Awaitable[None]]
THREADS = 64  # that think at once; the system shares the cores among them


class Table:
    """A game, loaded from its folder. limiter: of the threads of all tables."""

    def __init__(self, games: Games, facts: Facts, game: Session,
                 limiter: CapacityLimiter) -> None:
        self.facts, self.listeners = facts, set[Listener]()
        self._games, self._game, self._limiter = games, game, limiter
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._asking = False
        self.watched = game.players[facts.seat].agent is not None
        short = short_names([player.name for player in game.players])
        names = [short[player.name] for player in game.players]
        if not self.watched:
            names[facts.seat] = YOU
        self._teller = Teller((names[0], names[1]), game.setting.ruleset)
        self._teller.meet_view(game.beginning().view(facts.seat))
        self._told, self.log = 0, list[Plain]()
        self.state = self._frame()

    @property
    def ruleset(self) -> str:
        """The ruleset of the game."""
        return self._game.setting.ruleset

    @property
    def decks(self) -> tuple[Deck, ...]:
        """The decks of players 0 and 1."""
        return self._game.setting.decks

    @property
    def idle(self) -> bool:
        """Whether nobody looks at it, and nobody thinks."""
        return not self.listeners and self._thinking is None and not self._lock.locked()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state["over"])

    @property
    def turn(self) -> int:
        """The player turn, 0 in the mulligan."""
        return int(self.state["view"]["turn"])

    def words(self, move: object) -> str:
        """Return a move that is legal now in words, "" for any other."""
        return next((str(one["text"]) for one in self.state["moves"] if one["move"] == move), "")

    @property
    def whole(self) -> Plain:
        """The last frame, with all that was told so far: what a page gets that has just opened."""
        return self.state | {"events": [], "log": [], "past": self.log}

    def copy(self) -> Session:
        """Return a copy of the game."""
        return self._game.copy()

    async def wake(self) -> None:
        """Have the agent begin to think, if it is its turn, and a human waits for it."""
        if self._thinking is None and self.state["thinks"] and not self.watched:
            self._thinking = asyncio.create_task(self._think())

    async def move(self, move: int, at: int) -> None:
        """Make a move of the human's, and wake the agent.

        at: how many moves its page has seen. Raises GameError, and changes nothing.
        """
        if self.watched:
            raise GameError("You watch this game; its agents move.")
        if self.state["thinks"] or self._lock.locked():
            raise GameError(f"It is the turn of {self.facts.agent}.")
        async with self._lock:
            if at != len(self._game.history):
                raise GameError("The game went on in another window; it is shown here as it stands"
                                " now.")
            if self.over:
                raise GameError("The game is over.")
            if move not in {one["move"] for one in self.state["moves"]}:
                raise GameError("That move is not legal here.")
            await self._advance(lambda: self._game.play(move))
        await self.wake()

    async def step(self, at: int) -> None:
        """Have an agent move that is watched, unless the game went on beyond `at` moves.

        Raises GameError if a human plays.
        """
        if not self.watched:
            raise GameError("You play this game; it goes on with your move.")
        if self._lock.locked():
            return
        async with self._lock:
            if self.state["thinks"] and at == len(self._game.history):
                await self._advance(self._game.step)

    async def concede(self) -> None:
        """Give the game up. Raises GameError if it is over, or no human plays."""
        if self.watched:
            raise GameError("You watch this game, and cannot give it up.")
        if self.over:
            raise GameError("The game is over.")
        self.facts = replace(self.facts, conceded=True)  # seen by a thread that thinks
        async with self._lock:
            await self._advance(lambda: None)

    async def advice(self, agent: Player) -> Plain:
        """Return what an agent would do in the human's place, and note that it was asked.

        Raises GameError, PlayerError.
        """
        if not self.state["moves"] or self._asking or self._lock.locked():
            raise GameError("There is nothing to ask now: it is not your turn, or a hint is on its"
                            " way.")
        self._asking = True
        try:
            async with self._lock:
                if not self.facts.hinted:  # before it is seen
                    self.facts = replace(self.facts, hinted=True)
                    await to_thread.run_sync(lambda: self._do(lambda: None),
                                             limiter=self._limiter)
                copy = self._game.copy()
            found: Plain = await to_thread.run_sync(lambda: frames.advice(copy, agent),
                                                    limiter=self._limiter)
            return found
        finally:
            self._asking = False

    def why(self, source: Spot | None, target: Spot | None) -> str:
        """Return why no legal move is made with `source` at `target`."""
        if self.state["over"]:
            return "The game is over."
        return why(self.state["view"], self.facts.agent, self.ruleset, source, target)

    async def _think(self) -> None:
        try:
            while self.state["thinks"]:
                async with self._lock:
                    if self.state["thinks"]:
                        await self._advance(self._game.step)
        except HsevoError as error:
            await self._tell({"kind": "fault", "why": f"{self.facts.agent} cannot move: {error}"})
        finally:
            self._thinking = None

    async def _advance(self, act: Callable[[], object]) -> None:
        """Change the game in a thread, save it, and send how it stands then."""
        await to_thread.run_sync(lambda: self._do(act), limiter=self._limiter)
        await self._tell(self.state)

    def _do(self, act: Callable[[], object]) -> None:
        if not self.facts.conceded:
            act()
        self.facts = self._games.save(self.facts, self._game)
        self.state = self._frame()

    def _frame(self) -> Plain:
        found = frames.frame(self._game, self.facts.seat, self._teller, self._told,
                             self.facts.conceded)
        self._told = len(self._game.events)
        self.log.extend({"at": found["at"], "text": line} for line in found["log"])
        return found

    async def _tell(self, message: Plain) -> None:
        for listener in [*self.listeners]:
            await listener(message)

