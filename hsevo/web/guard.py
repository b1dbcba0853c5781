"""Who may ask for what: tokens and cookies, Host and Origin, sizes, rates, and headers of answers.

A page of another site that is open in the same browser can send requests to this machine, and a
name can be made to lead here. So a request counts only if its Host is this server's, its Origin (of
what changes anything, and of WebSockets) the same, and its cookie one that was given for the token.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 2**14  # bytes of a request
LASTS = 30 * 86_400  # seconds that a browser keeps the cookie; it ends with the server, too
# What nobody needs a cookie for.
FREE = ("/enter", "/login", "/static/colours.css", "/static/play.css", "/static/login.js")
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' {socket};"
          " base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
           "cross-origin-opener-policy": "same-origin",
           "cross-origin-resource-policy": "same-origin", "cache-control": "no-store"}


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


class Keys:
    """The token of the address, which opens once, and the cookies that were given for it.

    password: opens as well; "" if there is none. told: called with each new token.
    """

    def __init__(self, password: str = "", told: Callable[[str], object] = lambda _: None) -> None:
        self._password, self._told = password, told
        self._cookies: set[str] = set()
        self._tries = Bucket(1 / 3, 10)
        self.token = secrets.token_urlsafe(24)
        self._spent = False

    @property
    def asks(self) -> bool:
        """Whether there is a password to ask for."""
        return bool(self._password)

    def enter(self, said: str) -> str | None:
        """Return a new cookie for the token or the password; None if it is neither."""
        if not self._tries.take():
            return None
        if not self._spent and hmac.compare_digest(said.encode(), self.token.encode()):
            self._spent = True
        elif not self._password or not hmac.compare_digest(said.encode(),
                                                           self._password.encode()):
            return None
        cookie = secrets.token_urlsafe(24)
        self._cookies.add(cookie)
        return cookie

    def renew(self) -> None:
        """Make a new token if the last one was used, and tell it: somebody stands at the door."""
        if self._spent:
            self.token, self._spent = secrets.token_urlsafe(24), False
            self._told(self.token)

    def fits(self, cookie: str) -> bool:
        """Return whether it is a cookie that was given."""
        return any(hmac.compare_digest(cookie.encode(), one.encode()) for one in self._cookies)


class Guard:
    """Lets through what may pass, and adds the headers of every answer.

    hosts: names of this server as addresses have them, with the port. numeric: any IP address with
    that port is its name as well. cookie: its name.
    """

    def __init__(self, app: ASGIApp, keys: Keys, port: int, hosts: tuple[str, ...],
                 numeric: bool = False) -> None:
        self.app, self.keys, self.port, self.numeric = app, keys, port, numeric
        self.hosts = {f"{host}:{port}" for host in hosts} | ({*hosts} if port == 80 else set())
        self.requests = Bucket(200, 1000)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        host = Headers(scope=scope).get("host", "")
        if refusal is None:
            await self.app(scope, receive, _with_headers(send, host))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4000 + refusal[0]})
        else:
            status, said = refusal
            if status == 401 and self.keys.asks and scope["path"] == "/":
                await RedirectResponse("/login", 303)(scope, receive, _with_headers(send, host))
                return
            answer = PlainTextResponse(f"{said}\n", status)
            await answer(scope, receive, _with_headers(send, host))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the reason why a request is refused; None if it is not."""
        headers, path = Headers(scope=scope), scope["path"]
        host = headers.get("host", "")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        size = headers.get("content-length", "0")
        if not self._is_ours(host):
            return 400, "this server has another name"
        if changes and headers.get("origin") != f"http://{host}":
            return 403, "this request comes from another site"
        if not size.isdecimal() or int(size[:9]) > MOST_BODY or "transfer-encoding" in headers:
            return 413, "this request is too large"
        if not self.requests.take():
            return 429, "too many requests; wait a moment"
        if path not in FREE and not self.keys.fits(cookie_of(headers, self.port)):
            self.keys.renew()
            return 401, ("open the address that `hsevo play` printed last: it opens the game in one"
                         " browser, once")
        return None

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
    """Return the cookie that a request has, "" for none."""
    try:
        found = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    name = cookie_name(port)
    return found[name].value if name in found else ""


def _with_headers(send: Send, host: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("content-security-policy", POLICY.format(socket=f"ws://{host}"))
        await send(message)
    return sending
