"""One game at a table: who sits there, what is asked of it, and its agent, who thinks in a thread.

A game is touched by one thread at a time, under the table's lock; what browsers get is the last
frame of their player's chair, so that nobody waits for an agent that thinks long. A move is made in
a copy of the game, which takes the place of the game once it is saved: a disk that fails changes
nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeAlias

from anyio import to_thread

from hsevo.cards.decks import Deck
from hsevo.errors import GameError, HsevoError, WriteError
from hsevo.play.match import searches
from hsevo.play.session import Seat, Session
from hsevo.play.specs import short_names
from hsevo.replays.played import OPEN, GameFacts, PlayedGames
from hsevo.replays.wording import YOU
from hsevo.texts import say
from hsevo.web import frames
from hsevo.web.frames import OPPONENT, Teller
from hsevo.web.reasons import Spot, why
from hsevo.web.threads import CpuTime, Threads

Plain: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[Plain], Awaitable[None]]
Act: TypeAlias = Callable[[Session], object]
RETRY = 5.0  # seconds after which an agent tries again to save a move that the disk refused


class GameTable:
    """A game, loaded from its folder. threads: of all tables.

    chairs: by seat, those of its people, or the one of who watches. searches: whether an agent at
    it looks further than one action ahead.
    """

    def __init__(self, games: PlayedGames, facts: GameFacts, game: Session,
                 threads: Threads) -> None:
        self.facts, self._games, self._game, self._threads = facts, games, game, threads
        self._who = ""  # the address, or the code, of who has it think: who moved, or came first
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._asking, self._share = False, CpuTime()
        self._leaving: Chair | None = None  # whose player gives up; seen by a thread that thinks
        self.watched = game.players[facts.seat].agent is not None
        self.searches = any(searches(player.agent, game.setting.information)
                            for player in game.players if player.agent is not None)
        seats = (0, 1) if facts.is_duel else (facts.seat,)
        self.chairs = {seat: Chair(self, seat, self._names(seat), game) for seat in seats}

    @property
    def chair(self) -> Chair:
        """The chair of the human, or of who watches; of two people, of the one that invited."""
        return self.chairs[self.facts.seat]

    def chair_of(self, person: str) -> Chair | None:
        """Return where a person sits, None for nowhere; if no two people play, all share one."""
        if not self.facts.is_duel:
            return self.chair
        seat = self.facts.seat_of(person)
        return None if seat is None else self.chairs[seat]

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
        return not self._looked_at and self._thinking is None and not self._lock.locked()

    @property
    def _looked_at(self) -> bool:
        return any(chair.is_taken for chair in self.chairs.values())

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.chair.state["over"])

    def copy(self) -> Session:
        """Return a copy of the game."""
        return self._game.copy()

    async def wake(self, who: str) -> None:
        """Have the agent begin to think, if it is its turn, and a human, `who`, waits for it."""
        self._who = self._who or who
        if self._thinking is None and self._agent_moves and not self.watched:
            self._thinking = asyncio.create_task(self._think())

    async def move(self, chair: Chair, move: int, at: int, who: str) -> None:
        """Make a move of a human's, `who`, and wake the agent.

        at: how many moves its page has seen. Raises GameError, and changes nothing.
        """
        if self.watched:
            raise GameError(say("refused.watched_move"))
        if chair.state["thinks"] or self._lock.locked():
            raise GameError(say("why.their_turn", name=chair.facts.agent))
        async with self._lock:
            if at != len(self._game.history):
                raise GameError(say("refused.game_went_on"))
            if self.over:
                raise GameError(say("why.over"))
            if move not in {option["move"] for option in chair.state["moves"]}:
                raise GameError(say("refused.not_legal"))
            await self._advance(lambda game: game.play(move))
        self._who = who
        await self.wake(who)

    async def step(self, at: int, who: str) -> None:
        """Have an agent move that is watched, by `who`, unless the game went on beyond `at` moves.

        Raises GameError if a human plays.
        """
        if not self.watched:
            raise GameError(say("refused.not_watched"))
        if self._lock.locked():
            return
        async with self._lock:
            if self._agent_moves and at == len(self._game.history):
                self._who = who
                await self._agent_step()

    async def concede(self, chair: Chair) -> None:
        """Give the game up. Raises GameError if it is over, or no human plays."""
        if self.watched:
            raise GameError(say("refused.watched_concede"))
        if self.over or self._leaving is not None:
            raise GameError(say("why.over"))
        self._leaving = chair
        try:
            async with self._lock:
                if not self.over:
                    await self._advance(lambda game: None)
        finally:
            self._leaving = None

    async def advice(self, chair: Chair, agent: Seat, who: str) -> Plain:
        """Return what an agent would do in the human's place, and note that the human sees it.

        who: the address, or the code, of who asks. Raises GameError, PlayerError.
        """
        if self.facts.is_duel:
            raise GameError(say("refused.no_hints"))
        if not chair.state["moves"] or self._asking or self._lock.locked():
            raise GameError(say("refused.nothing_to_ask"))
        self._asking = True
        try:
            async with self._lock:
                copy = self._game.copy()
            advice = await self._threads.hints.run(who, lambda: frames.advice(copy, agent),
                                                   agent=agent.name)
            async with self._lock:
                if not self.facts.hinted:  # before it is seen
                    await self._in_quick(lambda game: None, hinted=True)
            return advice
        finally:
            self._asking = False

    async def tell(self, message: Plain) -> None:
        """Tell all who sit here the same."""
        for chair in self.chairs.values():
            await chair.tell(message)

    @property
    def _agent_moves(self) -> bool:
        """Whether an agent is to move."""
        return not self.over and self._game.players[self._game.player].agent is not None

    async def _think(self) -> None:
        try:
            while self._agent_moves:
                try:
                    async with self._lock:
                        if self._agent_moves:
                            await self._agent_step()
                except WriteError as error:
                    await self._tell_fault(error)
                    await asyncio.sleep(RETRY)
                    if not self._looked_at:
                        return
        except HsevoError as error:
            await self._tell_fault(error)
        finally:
            self._thinking = None

    async def _tell_fault(self, error: HsevoError) -> None:
        await self.tell({"kind": "fault", "why": say("refused.fault", name=self.facts.agent,
                                                  why=error)})

    async def _agent_step(self) -> None:
        """Have the agent make a move."""
        await self._threads.agents.run(self._who, lambda: self._do(lambda game: game.step()),
                                       self._share, self._game.players[self._game.player].name)
        await self._show()

    async def _advance(self, act: Act) -> None:
        """Change the game, save it, and send how it stands then."""
        await self._in_quick(act)
        await self._show()

    async def _in_quick(self, act: Act, **facts: Any) -> None:
        """Change the game, and these of its facts, in a quick thread, and save it."""
        await to_thread.run_sync(lambda: self._do(act, **facts), limiter=self._threads.quick)

    async def _show(self) -> None:
        for chair in self.chairs.values():
            await chair.tell(chair.state)

    def _do(self, act: Act, **facts: Any) -> None:
        """Change a copy of the game, save it, and only then put it in the game's place."""
        game = self._game.copy()
        if self._leaving is None:
            act(game)
        if self._leaving is not None:
            facts["conceded" if self._leaving is self.chair else "opponent_conceded"] = True
        self.facts = self._games.save(replace(self.facts, **facts), game)
        self._game = game
        for chair in self.chairs.values():
            chair.look(self._game)

    def _names(self, seat: int) -> tuple[str, str]:
        """Return what players 0 and 1 are called on a seat's page."""
        short = short_names([player.name for player in self._game.players])
        names = [short[player.name] for player in self._game.players]
        if not self.watched:
            names[seat] = YOU
        if self.facts.is_duel:
            names[1 - seat] = OPPONENT
        return names[0], names[1]


class Chair:
    """Where a player sits: what the pages of this one get of the game, and what they may ask for.

    Nothing that the player may not know is here. state: the last frame. log: all that was told.
    """

    def __init__(self, table: GameTable, seat: int, names: tuple[str, str], game: Session) -> None:
        self.table, self.seat, self.log = table, seat, list[Plain]()
        self._teller, self._told = Teller(names, game.setting.ruleset), 0
        self._teller.meet_view(game.beginning().view(seat))
        self._listeners = set[Listener]()
        self.look(game)

    @property
    def facts(self) -> GameFacts:
        """What the player may know of the game: until its end not the deck of another human."""
        facts = self.table.facts.of(self.seat)
        return told(facts) if facts.is_duel else facts

    def spoken_to(self, person: str) -> int | None:
        """Return the seat if a page of the game says "you" to a person, else None.

        So it does to who plays, or to all where nobody knows who does.
        """
        facts = self.table.facts
        own = facts.is_duel or facts.owner in (person, "")
        return self.seat if own and not self.table.watched else None

    @property
    def is_taken(self) -> bool:
        """Whether a page of the player's is open."""
        return bool(self._listeners)

    @property
    def turn(self) -> int:
        """The player turn, 0 in the mulligan."""
        return int(self.state["view"]["turn"])

    def words(self, move: object) -> str:
        """Return a move that is legal now in words, "" for any other."""
        return next((str(option["text"]) for option in self.state["moves"]
                     if option["move"] == move), "")

    @property
    def whole(self) -> Plain:
        """The last frame, with all that was told so far: what a page gets that has just opened."""
        return self.state | {"events": [], "log": [], "past": self.log}

    async def come(self, listener: Listener, who: str) -> None:
        """Take a page in, of an address or a code, and wake the agent."""
        self._listeners.add(listener)
        await self.table.wake(who)
        for chair in self._others:
            await listener({"kind": "there", "there": chair.is_taken})
            await chair.tell({"kind": "there", "there": True})

    async def go(self, listener: Listener) -> None:
        """Let a page go."""
        self._listeners.discard(listener)
        for chair in self._others:
            await chair.tell({"kind": "there", "there": self.is_taken})

    async def tell(self, message: Plain) -> None:
        """Tell all pages of the player's something."""
        for listener in [*self._listeners]:
            await listener(message)

    async def move(self, move: int, at: int, who: str) -> None:
        """Make a move: see Table.move."""
        await self.table.move(self, move, at, who)

    async def concede(self) -> None:
        """Give the game up: see Table.concede."""
        await self.table.concede(self)

    async def advice(self, agent: Seat, who: str) -> Plain:
        """Return what an agent would do: see Table.advice."""
        return await self.table.advice(self, agent, who)

    def why(self, source: Spot | None, target: Spot | None) -> str:
        """Return why no legal move is made with `source` at `target`."""
        if self.state["over"]:
            return say("why.over")
        return why(self.state["view"], self.facts.agent, self.table.ruleset, source, target)

    def look(self, game: Session) -> None:
        """See how the game stands now."""
        self.state = frames.frame(game, self.seat, self._teller, self._told,
                                  self.table.facts.given_up_by)
        self._told = len(game.events)
        self.log.extend({"at": self.state["at"], "text": line} for line in self.state["log"])

    @property
    def _others(self) -> list[Chair]:
        return [chair for chair in self.table.chairs.values() if chair is not self]


def told(facts: GameFacts) -> GameFacts:
    """Return what one of two people is told of their game: not the other's deck until it is over.

    facts: as `GameFacts.of` returns them for that seat.
    """
    against = "" if facts.result == OPEN else facts.against
    return replace(facts, agent=OPPONENT, against=against, owner="", guest="", invitation="")
