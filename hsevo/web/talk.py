"""What a page and the server say to each other at a table: JSON over a WebSocket.

At the table of a game:

    the page      {"do": "move", "move": 65, "at": 7}      at: the moves that it has seen
                  {"do": "why", "from": ["me", "hand", 0], "to": ["foe", "hero", 0]}
                  {"do": "hint", "agent": "gsv"}
                  {"do": "concede"}
                  {"do": "step", "at": 7}      of a game that is watched: its next move
    the server    {"kind": "state", ...}, frames.frame, at the beginning and after every move
                  {"kind": "refused", "why": "..."}, with nothing changed
                  {"kind": "hint", ...}, frames.advice
                  {"kind": "fault", "why": "..."}: the agent cannot move
                  {"kind": "there", "there": true}: between two people, whether the other one's page
                  is open

At that of an exercise (hall.py), "move" and "why" are the same, and the page can say

                  {"do": "answer"}
    the server    {"kind": "verdict", ...}: how good the move was, or what had been better

At the table of a participant (lab.py) "move", "why", "concede" and, if allowed, "hint" are the
same, and the page can say

                  {"do": "note", "what": "look", "at": ["me", "hand", 0]}

Whatever else a page sends is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Protocol, TypeAlias

from starlette.websockets import WebSocket, WebSocketDisconnect

from hsevo.errors import GameError, HsevoError
from hsevo.texts import say
from hsevo.web.answers import object_of
from hsevo.web.guard import Bucket, address_of
from hsevo.web.hall import GameHall, NotSeated
from hsevo.web.persons import person_of
from hsevo.web.practice import Practice
from hsevo.web.reasons import Spot
from hsevo.web.table import Chair, Listener

Plain: TypeAlias = dict[str, Any]
Act: TypeAlias = Callable[[Plain], Awaitable[Plain | None]]
Acts: TypeAlias = Mapping[str, Act]
MOST_MESSAGE = 1024  # characters of a message
MOST_WAITING = 512  # frames that a slow page may be behind
RATE, BURST = 20.0, 60.0  # messages of a page a second, and at once
ZONES, SIDES, MOST_PLACE = ("hand", "board", "hero", "power"), ("me", "foe"), 10
FORBIDDEN, NOT_FOUND, TOO_LARGE = 4403, 4404, 1009


class Seated(Protocol):
    """Where a page can sit."""

    @property
    def whole(self) -> Plain:
        """What a page gets that has just opened."""

    async def come(self, listener: Listener, who: str) -> None:
        """Take a page in. who: the address, or the code, of whose it is."""

    async def go(self, listener: Listener) -> None:
        """Let a page go."""


async def talk(hall: GameHall, socket: WebSocket) -> None:
    """Talk with one page about one game until it goes."""
    try:
        chair = await hall.chair(socket.path_params["number"], person_of(socket))
    except HsevoError as error:
        await socket.close(FORBIDDEN if isinstance(error, NotSeated) else NOT_FOUND)
        return
    who = address_of(socket.scope)
    await converse(socket, chair, acts_of(hall, chair, who), {"facts": asdict(chair.facts)}, who)


async def drill(hall: GameHall, socket: WebSocket) -> None:
    """Talk with one page about one exercise until it goes."""
    try:
        practice = await hall.practice(socket.path_params["number"], socket.path_params["place"],
                                       person_of(socket))
    except HsevoError:
        await socket.close(NOT_FOUND)
        return
    await converse(socket, practice, acts_of_exercise(practice), {}, address_of(socket.scope),
                   slow="move")


async def converse(socket: WebSocket, place: Seated, acts: Acts, more: Plain, who: str,
                   slow: str = "hint") -> None:
    """Talk with one page at a place until it goes.

    more: what it gets at first besides. who: the address, or the code, of whose it is. slow: which
    act is waited for beside the others.
    """
    await socket.accept()
    waiting: asyncio.Queue[Plain] = asyncio.Queue(MOST_WAITING)

    async def listen(message: Plain) -> None:
        with suppress(asyncio.QueueFull):  # the page sees by "at" that it missed some
            waiting.put_nowait(message)

    waiting.put_nowait(place.whole | more)
    sender = asyncio.create_task(_send(socket, waiting))
    try:
        await place.come(listen, who)
        await _receive(acts, slow, socket, waiting)
    except WebSocketDisconnect:
        pass
    finally:
        sender.cancel()
        await place.go(listen)


async def _send(socket: WebSocket, waiting: asyncio.Queue[Plain]) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # it has gone
        while True:
            await socket.send_json(await waiting.get())


async def _receive(acts: Acts, slow: str, socket: WebSocket,
                   waiting: asyncio.Queue[Plain]) -> None:
    """Do what a page asks for, one after the other, until it goes.

    What is slow, as a hint, is waited for beside all else: a page that goes is let go at once. What
    has not begun is dropped then; what has ends by itself, and nobody is told.
    """
    rate, begun = Bucket(RATE, BURST), set[asyncio.Task[None]]()

    async def reply(message: Plain) -> None:
        answer = await _answer(acts, message)
        if answer is not None:
            await waiting.put(answer)

    try:
        await _listen(socket, waiting, rate, reply, slow, begun)
    finally:
        for task in begun:
            task.cancel()


async def _listen(socket: WebSocket, waiting: asyncio.Queue[Plain], rate: Bucket,
                  reply: Callable[[Plain], Coroutine[Any, Any, None]], slow: str,
                  begun: set[asyncio.Task[None]]) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None or len(text) > MOST_MESSAGE:
            await socket.close(TOO_LARGE)
            return
        message = object_of(text)
        if not rate.take():
            await waiting.put(_refused(say("refused.slower")))
        elif message.get("do") == slow and not begun:  # a table takes one at a time
            task = asyncio.create_task(reply(message))
            begun.add(task)
            task.add_done_callback(begun.discard)
        else:
            await reply(message)


async def _answer(acts: Acts, message: Plain) -> Plain | None:
    """Do what a message asks for; return what only this page is told."""
    do = message.get("do")
    if not isinstance(do, str) or do not in acts:
        return _refused(say("refused.no_message"))
    try:
        return await acts[do](message)
    except HsevoError as error:
        return _refused(str(error))


def _refused(why: str) -> Plain:
    return {"kind": "refused", "why": why}


def acts_of(hall: GameHall, chair: Chair, who: str) -> Acts:
    """Return what a page can ask for at the table of a game.

    who: the address, or the code, of whose it is.
    """
    async def move(message: Plain) -> None:
        await chair.move(_whole(message, "move"), _whole(message, "at"), who)

    async def hint(message: Plain) -> Plain:
        return await chair.advice(hall.adviser(message.get("agent"), chair), who)

    async def concede(_: Plain) -> None:
        await chair.concede()

    async def step(message: Plain) -> None:
        await chair.table.step(_whole(message, "at"), who)

    return {"move": move, "why": _explainer(chair), "hint": hint, "concede": concede,
            "step": step}


def acts_of_exercise(practice: Practice) -> Acts:
    """Return what a page can ask for at an exercise."""
    async def move(message: Plain) -> None:
        await practice.move(_whole(message, "move"), _whole(message, "at"))

    async def answer(_: Plain) -> Plain:
        return await practice.answer()

    return {"move": move, "why": _explainer(practice), "answer": answer}


def _explainer(place: Chair | Practice) -> Callable[[Plain], Awaitable[Plain]]:
    async def explain(message: Plain) -> Plain:
        return _refused(place.why(spot_of(message.get("from")), spot_of(message.get("to"))))
    return explain


def _whole(message: Plain, name: str) -> int:
    """Return a whole number of a message. Raises GameError."""
    number = message.get(name)
    if type(number) is not int:
        raise GameError(say("refused.no_message"))
    return number


def spot_of(sent: Any) -> Spot | None:
    """Return a place on the table that a message names. Raises GameError."""
    if sent is None:
        return None
    if not (isinstance(sent, list) and len(sent) == 3 and sent[0] in SIDES
            and sent[1] in ZONES and type(sent[2]) is int and 0 <= sent[2] <= MOST_PLACE):
        raise GameError(say("refused.no_message"))
    return Spot(*sent)
