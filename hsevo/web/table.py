"""One game at a table: who looks at it, what is asked of it, and its agent, who thinks in a thread.

A game is touched by one thread at a time, under the table's lock; what browsers get is the last
frame, so that nobody waits for an agent that thinks long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from anyio import CapacityLimiter, to_thread

from hsevo.cards.decks import Deck
from hsevo.errors import GameError, HsevoError
from hsevo.play.session import Player, Session
from hsevo.play.specs import short_names
from hsevo.replays.played import Facts, Games
from hsevo.web import frames
from hsevo.web.looks import Listener, Look, Plain
from hsevo.web.reasons import Spot, why
from hsevo.web.telling import OTHER, YOU

THREADS = 64  # that think at once; the system shares the cores among them


class Table:
    """A game, loaded from its folder. limiter: of the threads of all tables.

    Both players may be human; `seat` then says whose page asks. Without it, it is that of the human
    of the game's facts.
    """

    def __init__(self, games: Games, facts: Facts, game: Session,
                 limiter: CapacityLimiter) -> None:
        self.facts = facts
        self._games, self._game, self._limiter = games, game, limiter
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._asking = False
        self.watched = game.players[facts.seat].agent is not None
        self.looks = {seat: Look(game, seat, self._names(seat))
                      for seat in ((0, 1) if facts.two else (facts.seat,))}
        self._renew()

    def _names(self, seat: int) -> tuple[str, str]:
        """Return the names of players 0 and 1 as the one of a seat is told them."""
        if self.facts.two:
            return (YOU, OTHER) if seat == 0 else (OTHER, YOU)
        short = short_names([player.name for player in self._game.players])
        names = [short[player.name] for player in self._game.players]
        if not self.watched:
            names[seat] = YOU
        return names[0], names[1]

    @property
    def other(self) -> str:
        """What the other player is called."""
        return OTHER if self.facts.two else self.facts.agent

    @property
    def own(self) -> Look:
        """What the human of the game's facts sees."""
        return self.looks[self.facts.seat]

    @property
    def listeners(self) -> set[Listener]:
        """The pages of the human of the game's facts."""
        return self.own.listeners

    @property
    def state(self) -> Plain:
        """The last frame of the human of the game's facts."""
        return self.own.state

    @property
    def log(self) -> list[Plain]:
        """What the human of the game's facts was told so far."""
        return self.own.log

    @property
    def whole(self) -> Plain:
        """What a page of that human gets that has just opened."""
        return self.own.whole

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
        return self._thinking is None and not self._lock.locked() and not any(
            look.listeners for look in self.looks.values())

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

    def copy(self) -> Session:
        """Return a copy of the game."""
        return self._game.copy()

    async def wake(self) -> None:
        """Have the agent begin to think, if it is its turn, and a human waits for it."""
        if self._thinking is None and self.state["thinks"] and not (self.watched or self.facts.two):
            self._thinking = asyncio.create_task(self._think())

    async def move(self, move: int, at: int, seat: int | None = None) -> None:
        """Make a move of a human's, and wake the agent.

        at: how many moves its page has seen. Raises GameError, and changes nothing.
        """
        look = self.own if seat is None else self.looks[seat]
        if self.watched:
            raise GameError("You watch this game; its agents move.")
        if look.state["thinks"] or self._lock.locked():
            raise GameError(f"It is the turn of {self.other}.")
        async with self._lock:
            if at != len(self._game.history):
                raise GameError("The game went on in another window; it is shown here as it stands"
                                " now.")
            if self.over:
                raise GameError("The game is over.")
            if move not in {one["move"] for one in look.state["moves"]}:
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

    async def concede(self, seat: int | None = None) -> None:
        """Give the game up. Raises GameError if it is over, or no human plays."""
        if self.watched:
            raise GameError("You watch this game, and cannot give it up.")
        if self.over or self.facts.gave_up is not None:  # of two, only the first can give up
            raise GameError("The game is over.")
        mine = seat in (None, self.facts.seat)
        self.facts = replace(self.facts, conceded=mine, yielded=not mine)  # seen by threads
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

    def why(self, source: Spot | None, target: Spot | None, seat: int | None = None) -> str:
        """Return why no legal move is made with `source` at `target`."""
        look = self.own if seat is None else self.looks[seat]
        if look.state["over"]:
            return "The game is over."
        return why(look.state["view"], self.other, self.ruleset, source, target)

    async def _think(self) -> None:
        try:
            while self.state["thinks"]:
                async with self._lock:
                    if self.state["thinks"]:
                        await self._advance(self._game.step)
        except HsevoError as error:
            await self.own.tell({"kind": "fault",
                                 "why": f"{self.facts.agent} cannot move: {error}"})
        finally:
            self._thinking = None

    async def _advance(self, act: Callable[[], object]) -> None:
        """Change the game in a thread, save it, and send how it stands then."""
        await to_thread.run_sync(lambda: self._do(act), limiter=self._limiter)
        for look in self.looks.values():
            await look.tell(look.state)

    def _do(self, act: Callable[[], object]) -> None:
        if self.facts.gave_up is None:
            act()
        self.facts = self._games.save(self.facts, self._game)
        self._renew()

    def _renew(self) -> None:
        for look in self.looks.values():
            look.renew(self._game, self.facts.gave_up)
