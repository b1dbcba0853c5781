"""`hsevo.serve`: a server on this machine, with which people play against agents in the browser."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from hsevo import config
from hsevo.api.agents import AgentLike, each_agent
from hsevo.api.decks import DeckLike, each_deck
from hsevo.api.pool import compiling
from hsevo.cards.tables import find_ruleset
from hsevo.errors import ConfigError
from hsevo.optional import need
from hsevo.play.match import compile_all
from hsevo.replays.played import Games
from hsevo.web.choices import Choices

HOST, PORT, FOLDER = "127.0.0.1", 8642, "runs/play"
LOCAL = ("127.0.0.1", "localhost", "::1")
LEAST_PASSWORD = 8  # characters
Tell: TypeAlias = Callable[[str], object]


def serve(agents: AgentLike | Sequence[AgentLike] = (), decks: DeckLike | Sequence[DeckLike] = (),
          *, out: str | Path = FOLDER, host: str = HOST, port: int | None = None,
          password: str = "", ruleset: str = "cig2018", information: str = "fair",
          browser: bool = True, tell: Tell = print) -> None:
    """Open a page on which people play against agents, until Ctrl-C.

    agents, decks: offered first, besides the roster and the decks that have names; in any form.
    out: the folder of the games, a new one or one of earlier games, which go on. host: the address
    to listen at; any but this machine's own needs a password of 8 characters, and lets everyone in
    the network in who knows it. port: default: 8642, or a free one. information: what agents'
    look-aheads may know, one of config.INFORMATION. browser: open the page. tell: called with lines
    for the user, such as the address, which opens the page in one browser, once.

    Raises ConfigError (also without Starlette and uvicorn: pip install 'hsevo[web]'), AgentError,
    DeckError, CardError, RunError.
    """
    need("the game in the browser", "starlette", "uvicorn", "websockets", install="'hsevo[web]'")
    find_ruleset(ruleset)
    config.parts(information)
    _check_host(host, password)
    choices = Choices(each_agent(agents), each_deck(decks), ruleset)
    games = Games(Path(out))
    try:
        with compiling(True):
            compile_all()
        listening = _listen(host, port)
        with listening:
            _serve(games, choices, information, listening, host, password, browser, tell)
    finally:
        games.close()


def _serve(games: Games, choices: Choices, information: str, listening: socket.socket, host: str,
           password: str, browser: bool, tell: Tell) -> None:
    """Answer requests at a socket until Ctrl-C."""
    import uvicorn

    from hsevo.web.app import address, make_app
    from hsevo.web.guard import Keys
    from hsevo.web.hall import Hall

    port = int(listening.getsockname()[1])
    shown = host if host not in ("0.0.0.0", "::") else "127.0.0.1"
    keys = Keys(password, lambda token: tell(f"a new address: {address(shown, port, token)}"))
    wide = host not in LOCAL
    app = make_app(Hall(games, choices, information), keys, port,
                   (*LOCAL[:2], *({host, socket.gethostname()} if wide else ())), wide)
    where = address(shown, port, keys.token)
    tell(f"play at: {where}")
    tell(f"games are kept in {games.path}; Ctrl-C ends the server, and no move is lost")
    if wide:
        tell(f"warning: everyone who reaches port {port} of this machine and knows the password can"
             " play here, and what they send is not encrypted")
    if browser and _has_screen():
        with suppress(webbrowser.Error):
            webbrowser.open(where)
    server = uvicorn.Server(uvicorn.Config(
        app, log_level="warning", ws="websockets-sansio", ws_max_size=2**13, ws_max_queue=16,
        server_header=False, date_header=False, limit_concurrency=2048, access_log=False,
        h11_max_incomplete_event_size=2**14, timeout_graceful_shutdown=3, lifespan="off"))
    asyncio.run(server.serve(sockets=[listening]))


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens at a port; by default at PORT, or at a free one."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (PORT, 0) if port is None else (port,):
        listening = socket.socket(kind)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
        except (OSError, OverflowError) as error:
            listening.close()
            problem = getattr(error, "strerror", None) or error
            if number == PORT and port is None:
                continue
            raise ConfigError(f"cannot listen at {host}, port {number}: {problem}") from None
        return listening
    raise AssertionError


def _check_host(host: str, password: str) -> None:
    """Raise ConfigError if others could come in without a password."""
    if host not in LOCAL and len(password) < LEAST_PASSWORD:
        raise ConfigError(f"host is {host}, where others can reach it: give a password of at least"
                          f" {LEAST_PASSWORD} characters")


def _has_screen() -> bool:
    return sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
