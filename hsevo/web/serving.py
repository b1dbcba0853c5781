"""`hsevo.serve`: a server on this machine; people play agents or each other in the browser."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TypeAlias, TypedDict, Unpack

from hsevo import config
from hsevo.cards.decks import DeckLike, each_deck
from hsevo.cards.tables import find_ruleset
from hsevo.config import ruleset_of
from hsevo.errors import AgentError, ConfigError, refuse_unknown
from hsevo.optional import need
from hsevo.replays.participants import LINKS
from hsevo.replays.played import PlayedGames
from hsevo.strength.agents import AgentLike, as_agent, each_agent
from hsevo.types import Array
from hsevo.web.choices import EXPERIMENTS, PEOPLES, Choices
from hsevo.web.results import Results
from hsevo.web.shelf import Shelf

HOST, PORT, FOLDER, WATCHED = "127.0.0.1", 8642, "runs/play", "runs/watch"
LOCAL = ("127.0.0.1", "localhost", "::1")
LEAST_PASSWORD = 8  # characters
Tell: TypeAlias = Callable[[str], object]


class Server:
    """Serve the page of `hsevo.serve` in a thread, until `close` or the end of a `with`.

    Parameters
    ----------
    hall : Hall
        Games that are played.
    listening : socket.socket
        Socket that listens.
    host : str
        Address to listen at.
    password : str
        Password of the page. "": none.
    tell : callable
        Receives lines for the user.
    lab : Lab, optional
        Study with participants.
    """

    def __init__(self, hall: Any, listening: socket.socket, host: str, password: str,
                 tell: Tell, lab: Any = None) -> None:
        from hsevo.web import app, guests
        from hsevo.web.guard import Keys

        self.games, self.port = hall.games, int(listening.getsockname()[1])
        self._everywhere = host in ("0.0.0.0", "::")
        self._host = "127.0.0.1" if self._everywhere else host
        self._tell = tell
        self._listening, self._thread = listening, threading.Thread(target=self.run, daemon=True)
        self.keys = Keys(password, lambda _: tell(f"a new address: {self.address}"))
        wide = host not in LOCAL
        names = (*LOCAL[:2], *({host, socket.gethostname()} if wide else ()))
        self.hall, self.lab = hall, lab
        self._server = _uvicorn(
            app.make_app(self.hall, self.keys, self.port, names, wide) if lab is None else
            guests.make_app(lab, self.port, names, wide), self.hall.stop)

    @property
    def address(self) -> str:
        """Address that opens the page in one browser. It changes after the first use."""
        from hsevo.web.app import address

        return address(self._host, self.port, self.keys.token)

    @property
    def links(self) -> dict[str, str]:
        """Link of each participant of a study, by its code. {} without a study."""
        from hsevo.web.app import address

        people = self.lab.people.all if self.lab else {}
        host = socket.gethostname() if self._everywhere else self._host
        return {code: address(host, self.port, participant.token)
                for code, participant in people.items()}

    def run(self) -> None:
        """Answer until `close`. In the main thread, answer until Ctrl-C."""
        asyncio.run(self._answer())

    def load(self) -> None:
        """Load the engine; if it has to be compiled, do that in a thread, while pages wait."""
        self.hall.engine.start(self._end)

    def _end(self) -> None:
        """Answer no more requests."""
        self._server.should_exit = True

    async def _answer(self) -> None:
        from hsevo.web.entrance import quietly

        asyncio.get_running_loop().set_exception_handler(quietly(self._tell))
        await self._server.serve(sockets=[self._listening])

    def start(self) -> None:
        """Answer in a thread from now on. Return when the engine is ready."""
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.01)
        self.hall.engine.wait()

    def close(self) -> None:
        """Stop, and release the folder for other programs. No move is lost."""
        self._server.should_exit = self._server.force_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._listening.close()
        self.games.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Server({self.games.path}, port {self.port})"


class ServeFields(TypedDict, total=False):
    """Set what is played or shown, and where the server answers; see `serve`."""

    watch: Sequence[AgentLike] | None
    """Two agents, whose games the page shows, from the view of the first."""
    show: str | Path | Iterable[str | Path]
    """Folders whose runs and results are shown, read-only."""
    participants: str | Path | None
    """YAML file with the design of a study: only people with one of its links are admitted."""
    trust: bool
    """Run the files of Python players that the design names; default: False."""
    ruleset: str | None
    """Version of cards and rules; default: msg2017, to watch games: cig2018."""
    information: str
    """Information of look-aheads of agents; default: fair."""
    host: str
    """Address to listen at; an address other than this machine needs a password."""
    port: int | None
    """Port; default: 8642 or a free port."""
    password: str
    """Password of at least 8 characters."""
    browser: bool
    """Open the page; default: True."""


SERVED: ServeFields = {
    "watch": None, "show": (), "participants": None, "trust": False, "ruleset": None,
    "information": "fair", "host": HOST, "port": None, "password": "", "browser": True}


def serve(agents: AgentLike | Sequence[AgentLike] = (), decks: DeckLike | Sequence[DeckLike] = (),
          *, out: str | Path | None = None, wait: bool = True, tell: Tell = print,
          **fields: Unpack[ServeFields]) -> Server:
    """Open a page to play against agents or other people, or to watch two agents.

    Parameters
    ----------
    agents : agent or sequence of agents, optional
        Agents to offer first, in addition to the named agents.
    decks : deck or sequence of decks, optional
        Decks to offer first, in addition to the named decks.
    out : str or Path, optional
        Folder of the games. Games in an existing folder continue. Default: runs/play, runs/watch,
        or for a study runs/NAME.
    wait : bool, default True
        Serve until Ctrl-C. False: return when the engine is ready, and serve until `close()` of the
        result.
    tell : callable, default print
        Receives lines for the user, such as the address, which opens the page in one browser.
    **fields : ServeFields
        `watch` (two agents: the page shows their games, from the view of the first), `show`
        (folders whose runs and results are shown, read-only), `participants` (YAML file with the
        design of a study: only people with one of its `links` are admitted, to play its games),
        `trust` (run the files of Python players that the design names), `ruleset` (default:
        msg2017, which has a mulligan, to watch games: cig2018), `information` (of look-aheads of
        agents), `host` (address to listen at), `port` (default: 8642 or a free port), `password` (8
        characters or more) and `browser` (False: do not open the page).

    Returns
    -------
    Server
        The server.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.
    ConfigError
        If an argument is invalid, or Starlette and uvicorn are missing (install them with pip
        install 'hsevo[web]').

    Notes
    -----
    A `host` other than this machine needs a password, except for a study. Everyone in the network
    who knows the password is then admitted.

    Examples
    --------
    >>> with hsevo.serve("rl:2026", out="played", port=0, wait=False, browser=False) as server:
    ...     print(server.address.partition("=")[0])
    play at: http://127.0.0.1:...
    games are kept in played; stopping the server loses no moves
    http://127.0.0.1:.../enter?token
    """
    need("the game in the browser", "starlette", "uvicorn", "websockets", install="'hsevo[web]'")
    from hsevo.web.hall import GameHall
    from hsevo.web.lab import StudyHall, read_study
    from hsevo.web.starting import Engine

    refuse_unknown("serve", fields, SERVED)
    asked: ServeFields = {**SERVED, **fields}
    watch, show, information = asked["watch"], asked["show"], asked["information"]
    host, password, participants = asked["host"], asked["password"], asked["participants"]
    ruleset = ruleset_of(asked["ruleset"] or (EXPERIMENTS if watch else PEOPLES))
    find_ruleset(ruleset)
    config.parts(information)
    study = None
    if participants is None:
        _check_host(host, password)
    else:
        _refuse_more(agents=agents, decks=decks, watch=watch, show=show,
                     ruleset=asked["ruleset"] is not None, information=information != "fair",
                     password=password)
        study = read_study(Path(participants), asked["trust"])
        out = out or Path("runs", Path(participants).stem)
    folder, pair = Path(out or (WATCHED if watch else FOLDER)), _pair(watch)
    results = Results([show] if isinstance(show, str | Path) else [*show])
    choices = study.choices(folder) if study else Choices(
        Shelf(folder / "decks"), [*pair, *each_agent(agents)], each_deck(decks), ruleset)
    games = PlayedGames(folder)
    try:
        lab = StudyHall(games, study, choices) if study else None
        hall = lab.hall if lab else GameHall(games, choices, information,
                                             choices.offered[:len(pair)], results)
        hall.engine = Engine.of(_sure(pair, study), hall.information, choices.ruleset)
        server = Server(hall, _listen(host, asked["port"]), host, password, tell, lab)
        server.load()
    except BaseException:
        games.close()
        raise
    if lab:
        _hand_out(server, host, tell)
    else:
        _announce(server, host, tell, asked["browser"])
    if wait:
        with server:
            server.run()
        hall.engine.check()
        return server
    try:
        server.start()
    except BaseException:
        server.close()
        raise
    return server


def _sure(pair: Iterable[AgentLike], study: Any) -> Iterator[Array]:
    """Yield the agents, AGENT, that play for sure: a watched pair, or those of a study."""
    for condition in study.conditions.values() if study else ():
        for agent in filter(None, (condition.opponent, condition.adviser)):
            yield agent.on((condition.deck, condition.against))
    for agent in pair:
        with suppress(AgentError):  # it plays certain decks alone, and they are chosen later
            yield as_agent(agent).record


def _refuse_more(**arguments: Any) -> None:
    """Raise ConfigError for arguments that a study does not use."""
    for name, value in arguments.items():
        if value:
            raise ConfigError(f"{name} can't be given with participants; the design of a study"
                              " defines the games, and links give access")


def _hand_out(server: Server, host: str, tell: Tell) -> None:
    """Write the links of a study's participants, and tell where they are, and how it stands."""
    people = server.lab.people
    people.write_links(server.links)
    done = sum(len(participant.games) == len(participant.blocks) and not people.is_open(participant)
               for participant in people.all.values())
    tell(f"links of {len(people.all)} participants: {people.path / LINKS}; anyone who has a link"
         " can play with it, so give each link to one participant")
    tell(f"games, clicks and replays are kept in {people.path}; {done} of {len(people.all)}"
         " participants have played all games")
    if host not in LOCAL:
        tell(f"warning: traffic is not encrypted; anyone who can reach port {server.port} of this"
             " machine and has or intercepts a link can play as its participant")


def _pair(watch: Sequence[AgentLike] | None) -> list[AgentLike]:
    """Return the two agents to watch; [] for None. Raises ConfigError."""
    if watch is None:
        return []
    pair = each_agent(watch)
    if len(pair) != 2:
        raise ConfigError(f"watch has {len(pair)} agents, but must have 2")
    return pair


def _announce(server: Server, host: str, tell: Tell, browser: bool) -> None:
    """Tell where to play, and open the page there."""
    tell(f"play at: {server.address}")
    tell(f"games are kept in {server.games.path}; stopping the server loses no moves")
    if host not in LOCAL:
        tell(f"warning: anyone who can reach port {server.port} of this machine and knows the"
             " password can play here; traffic is not encrypted")
    if browser and _has_screen():
        with suppress(webbrowser.Error):
            webbrowser.open(server.address)


def _uvicorn(app: Any, closing: Callable[[], None]) -> Any:
    """Return a uvicorn.Server of an application, with limits.

    closing: called first when it stops, for it waits for the answers that it is giving.
    """
    import uvicorn

    from hsevo.web.entrance import entrance, most_connections

    class Closing(uvicorn.Server):  # type: ignore[misc]
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            closing()
            await super().shutdown(sockets)

    most = most_connections()
    # Without proxy_headers: a client would choose the address by which its tries are counted. The
    # log has errors alone: who sends nonsense could fill the disk with warnings.
    return Closing(uvicorn.Config(
        app, log_level="error", http=entrance(most), ws="websockets-sansio", ws_max_size=2**13,
        ws_max_queue=16, server_header=False, date_header=False, limit_concurrency=most + 1,
        access_log=False,
        h11_max_incomplete_event_size=2**14, timeout_graceful_shutdown=3, lifespan="off",
        proxy_headers=False))


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens at a port; by default at PORT, or at a free one.

    Raises ConfigError.
    """
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (PORT, 0) if port is None else (port,):
        listening = socket.socket(kind)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
            listening.listen()  # who comes before the server answers waits
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
