"""Who may ask for what, and how often: tokens, cookies, Host and Origin, sizes, rates, headers.

A page of another site that is open in the same browser can send requests to this machine, and a
name can be made to lead here. So a request counts only if its Host is this server's, its Origin (of
what changes anything, and of WebSockets) the same, and its cookie one that was given for the token.
Buckets limit how often something may be asked for: `Bucket` by one client, `Buckets` by address.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.cookies import CookieError, SimpleCookie
from typing import Protocol

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hsevo.texts import say
from hsevo.web.problems import closed

MOST_ADDRESSES = 4096  # of which something is remembered
PREFIX = 64  # bits of an IPv6 address that belong to one household


class Bucket:
    """At most `rate` things a second on average, and `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left, self._then = burst, time.monotonic()

    def take(self) -> bool:
        """Return whether one more is within the rate."""
        now = time.monotonic()
        self._left = min(self.burst, self._left + self.rate * (now - self._then))
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address: nobody's requests use up what others may ask for.

    Beyond MOST_ADDRESSES, the one that asked longest ago is forgotten.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._of: dict[str, Bucket] = {}  # who asked last is last

    def __len__(self) -> int:
        return len(self._of)

    def take(self, address: str) -> bool:
        """Return whether one more from an address is within the rate."""
        bucket = self._of.pop(address, None) or Bucket(self.rate, self.burst)
        self._of[address] = bucket
        if len(self._of) > MOST_ADDRESSES:
            del self._of[next(iter(self._of))]
        return bucket.take()


def address_of(scope: Scope) -> str:
    """Return the address that asks, the same for all among which one client can choose.

    These are the machine's own, 127.0.0.0/8 and ::1, and an IPv6 network of PREFIX bits.
    """
    name = str((scope.get("client") or ("",))[0])
    with suppress(ValueError):
        address = ipaddress.ip_address(name)
        if isinstance(address, ipaddress.IPv6Address):
            address = address.ipv4_mapped or address
        if address.is_loopback:
            return "localhost"
        if isinstance(address, ipaddress.IPv6Address):
            bits = int(address) >> (address.max_prefixlen - PREFIX)
            return f"{bits:x}/{PREFIX}"
        return str(address)
    return name


MOST_BODY, MOST_PATH = 2**14, 64  # bytes of a request, characters of its path
SIZE = re.compile(r"0|[1-9][0-9]{0,8}")  # h11 takes leading zeros
RETURN = re.compile(r"/((game/[0-9]{1,9}|invitation/[A-Z0-9]{1,9}))?")  # after the password
REQUESTS = 200, 1000  # a second, and at once: of a cookie, and of an address without one
MOST_SOCKETS = 64  # that a cookie may have open: pages of games
TOO_LARGE = say("refused.too_large")
LASTS = 30 * 86_400  # seconds that a browser keeps the cookie; it ends with the server, too
# What nobody needs a cookie for.
FREE = ("/enter", "/login", "/static/colours.css", "/static/play.css", "/static/login.js")
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' {socket};"
          " base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
           "cross-origin-opener-policy": "same-origin",
           "cross-origin-resource-policy": "same-origin", "cache-control": "no-store"}


class Door(Protocol):
    """Who has a cookie, and what those are told who have none."""

    closed: str

    @property
    def asks(self) -> bool:
        """Whether there is a password to ask for."""

    def renew(self) -> None:
        """Somebody without a cookie stands at the door."""

    def requests(self, cookie: str) -> Bucket | None:
        """Return what a cookie that was given may ask for; None if it was not given."""


class Keys:
    """The token of the address, which opens once, and the cookies that were given for it.

    password: opens as well; "" if there is none. told: called with each new token.
    """

    closed = say("closed.no_cookie")

    def __init__(self, password: str = "", told: Callable[[str], object] = lambda _: None) -> None:
        self._password, self._told = password, told
        self._cookies: dict[str, Bucket] = {}
        self._tries = Buckets(1 / 3, 10)
        self.token = secrets.token_urlsafe(24)
        self._spent = False

    @property
    def asks(self) -> bool:
        """Whether there is a password to ask for."""
        return bool(self._password)

    def enter(self, said: str, address: str) -> str | None:
        """Return a new cookie for the token or the password; None if it is neither.

        address: whose tries are counted. The token needs no count: nobody guesses it.
        """
        if not self._spent and same(said, self.token):
            self._spent = True
        elif not (self._tries.take(address) and self._password and same(said, self._password)):
            return None
        cookie = secrets.token_urlsafe(24)
        self._cookies[cookie] = Bucket(*REQUESTS)
        return cookie

    def renew(self) -> None:
        """Make a new token if the last one was used, and tell it: somebody stands at the door."""
        if self._spent:
            self.token, self._spent = secrets.token_urlsafe(24), False
            self._told(self.token)

    def requests(self, cookie: str) -> Bucket | None:
        """Return what a cookie that was given may ask for; None if it was not given."""
        return next((bucket for issued, bucket in self._cookies.items()
                     if same(cookie, issued)), None)


class Guard:
    """Lets through what may pass, and adds the headers of every answer.

    hosts: names of this server as addresses have them, with the port. numeric: any IP address with
    that port is its name as well. cookie: its name.
    """

    def __init__(self, app: ASGIApp, keys: Door, port: int, hosts: tuple[str, ...],
                 numeric: bool = False) -> None:
        self.app, self.keys, self.port, self.numeric = app, keys, port, numeric
        self.hosts = {f"{host}:{port}" for host in hosts} | ({*hosts} if port == 80 else set())
        self.strangers = Buckets(*REQUESTS)
        self.sockets = Counter[str]()  # open, of each cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        host = Headers(scope=scope).get("host", "")
        if refusal is None:
            # A page that is talked to when the server stops is not told why.
            stopped = (asyncio.CancelledError,) if scope["type"] == "websocket" else ()
            with suppress(ClientDisconnect, *stopped), self._counted(scope):  # gone meanwhile
                await self.app(scope, _at_most(MOST_BODY, receive), _with_headers(send, host))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4000 + refusal[0]})
        else:
            status, said = refusal
            seen = status == 401 and scope["method"] == "GET"  # by a person, in a browser
            if seen and self.keys.asks and RETURN.fullmatch(scope["path"]):
                to = "/login" if scope["path"] == "/" else f"/login?to={scope['path']}"
                await RedirectResponse(to, 303)(scope, receive, _with_headers(send, host))
                return
            answer = closed(said) if seen else PlainTextResponse(f"{said}\n", status)
            await answer(scope, receive, _with_headers(send, host))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the reason why a request is refused; None if it is not."""
        headers, path = Headers(scope=scope), scope["path"]
        host = headers.get("host", "")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if not self._is_ours(host):
            return 400, say("refused.other_name")
        if changes and headers.get("origin") != f"http://{host}":
            return 403, say("refused.other_site")
        if len(path) > MOST_PATH:
            return 414, say("refused.long_address")
        if "transfer-encoding" in headers or not _fits(headers.get("content-length", "0")):
            return 413, TOO_LARGE
        known = self.keys.requests(cookie_of(headers, self.port))
        if not (known.take() if known else self.strangers.take(address_of(scope))):
            return 429, say("refused.many_requests")
        if path not in FREE and not known:
            self.keys.renew()
            return 401, self.keys.closed
        open_ = self.sockets[cookie_of(headers, self.port)]
        if scope["type"] == "websocket" and open_ >= MOST_SOCKETS:
            return 429, say("refused.many_requests")
        return None

    @contextmanager
    def _counted(self, scope: Scope) -> Iterator[None]:
        """Count a WebSocket among those of its cookie while it is open."""
        if scope["type"] != "websocket":
            yield
            return
        cookie = cookie_of(Headers(scope=scope), self.port)
        self.sockets[cookie] += 1
        try:
            yield
        finally:
            self.sockets[cookie] -= 1
            self.sockets += Counter()  # forget those that have none

    def _is_ours(self, host: str) -> bool:
        if host in self.hosts:
            return True
        name, _, port = host.rpartition(":")
        if not self.numeric or port != str(self.port):
            return False
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


def cookie_name(port: int) -> str:
    """Return the name of the cookie: browsers send those of all ports of a machine."""
    return f"hsevo-{port}"


def cookie_of(headers: Headers, port: int) -> str:
    """Return the cookie that lets a request in, "" for none."""
    return read_cookie(headers, cookie_name(port))


def read_cookie(headers: Headers, name: str) -> str:
    """Return a cookie of a request, "" for none."""
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""


def same(said: str, true: str) -> bool:
    """Return whether texts are the same, in a time that does not tell how much of them is.

    JSON can say half of a character, which UTF-8 alone refuses.
    """
    return hmac.compare_digest(*(text.encode(errors="surrogatepass") for text in (said, true)))


def _fits(size: str) -> bool:
    """Return whether a Content-Length is a number within MOST_BODY."""
    return SIZE.fullmatch(size) is not None and int(size) <= MOST_BODY


def _at_most(size: int, receive: Receive) -> Receive:
    """Return what receives a request, and refuses more bytes of it, whatever it said before."""
    left = size

    async def receiving() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b"")) if message["type"] == "http.request" else 0
        if left < 0:
            raise HTTPException(413, TOO_LARGE)
        return message
    return receiving


def _with_headers(send: Send, host: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("content-security-policy", POLICY.format(socket=f"ws://{host} wss://{host}"))
        await send(message)
    return sending
