"""What a page and the server say to each other while a game is played: JSON over a WebSocket.

    the page      {"do": "move", "move": 65, "at": 7}      at: the moves that it has seen
                  {"do": "why", "from": ["me", "hand", 0], "to": ["foe", "hero", 0]}
                  {"do": "hint", "agent": "gsv"}
                  {"do": "concede"}
                  {"do": "step", "at": 7}      of a game that is watched: its next move
    the server    {"kind": "state", ...}, frames.frame, at the beginning and after every move
                  {"kind": "refused", "why": "..."}, with nothing changed
                  {"kind": "hint", ...}, frames.advice
                  {"kind": "fault", "why": "..."}: the agent cannot move

Whatever else a page sends is refused.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TypeAlias

from starlette.websockets import WebSocket, WebSocketDisconnect

from hsevo.errors import GameError, HsevoError
from hsevo.web.hall import Hall
from hsevo.web.rates import Bucket
from hsevo.web.reasons import Spot
from hsevo.web.table import Table

Plain: TypeAlias = dict[str, Any]
MOST_MESSAGE = 1024  # characters of a message
MOST_WAITING = 512  # frames that a slow page may be behind
ZONES, SIDES, MOST_PLACE = ("hand", "board", "hero", "power"), ("me", "foe"), 10
NOT_FOUND, TOO_LARGE, TOO_SLOW = 4404, 1009, 1013


async def talk(hall: Hall, socket: WebSocket) -> None:
    """Talk with one page about one game until it goes."""
    try:
        table = await hall.table(socket.path_params["number"])
    except HsevoError:
        await socket.close(NOT_FOUND)
        return
    await socket.accept()
    waiting: asyncio.Queue[Plain] = asyncio.Queue(MOST_WAITING)

    async def listen(message: Plain) -> None:
        with suppress(asyncio.QueueFull):  # the page sees by "at" that it missed some
            waiting.put_nowait(message)

    waiting.put_nowait(table.whole | {"facts": asdict(table.facts)})
    table.listeners.add(listen)
    sender = asyncio.create_task(_send(socket, waiting))
    try:
        await table.wake()
        await _receive(hall, table, socket, waiting)
    except WebSocketDisconnect:
        pass
    finally:
        table.listeners.discard(listen)
        sender.cancel()


async def _send(socket: WebSocket, waiting: asyncio.Queue[Plain]) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # it has gone
        while True:
            await socket.send_json(await waiting.get())


async def _receive(hall: Hall, table: Table, socket: WebSocket,
                   waiting: asyncio.Queue[Plain]) -> None:
    rate = Bucket(20, 60)
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None or len(text) > MOST_MESSAGE:
            await socket.close(TOO_LARGE)
            return
        answer = await _answer(hall, table, text) if rate.take() else _refused(
            "Slower, please: too many messages.")
        if answer is not None:
            await waiting.put(answer)


async def _answer(hall: Hall, table: Table, text: str) -> Plain | None:
    """Do what a message asks for; return what only this page is told."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    do = message.get("do") if isinstance(message, dict) else None
    if not isinstance(do, str) or do not in ACTS:
        return _refused("That is no message of this page.")
    try:
        return await ACTS[do](hall, table, message)
    except HsevoError as error:
        return _refused(str(error))


def _refused(why: str) -> Plain:
    return {"kind": "refused", "why": why}


async def _move(hall: Hall, table: Table, message: Plain) -> None:
    await table.move(_whole(message, "move"), _whole(message, "at"))


async def _why(hall: Hall, table: Table, message: Plain) -> Plain:
    return _refused(table.why(_spot(message.get("from")), _spot(message.get("to"))))


async def _hint(hall: Hall, table: Table, message: Plain) -> Plain:
    return await table.advice(hall.adviser(message.get("agent"), table))


async def _concede(hall: Hall, table: Table, message: Plain) -> None:
    await table.concede()


async def _step(hall: Hall, table: Table, message: Plain) -> None:
    await table.step(_whole(message, "at"))


ACTS: dict[str, Callable[[Hall, Table, Plain], Awaitable[Plain | None]]] = {
    "move": _move, "why": _why, "hint": _hint, "concede": _concede,
    "step": _step}


def _whole(message: Plain, name: str) -> int:
    """Return a whole number of a message. Raises GameError."""
    found = message.get(name)
    if type(found) is not int:
        raise GameError("That is no message of this page.")
    return found


def _spot(given: Any) -> Spot | None:
    """Return a place on the table that a message names. Raises GameError."""
    if given is None:
        return None
    if not (isinstance(given, list) and len(given) == 3 and given[0] in SIDES
            and given[1] in ZONES and type(given[2]) is int and 0 <= given[2] <= MOST_PLACE):
        raise GameError("That is no message of this page.")
    return Spot(*given)
