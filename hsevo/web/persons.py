"""Who is who: a cookie that lasts longer than the server.

The cookie that lets a browser in ends with the server, and whoever has the password gets one. So a
browser that opens the first page or takes a seat has another cookie beside it, which nobody can
guess: that one holds the seat, and says whose games and mistakes are whose. The file of a game has
a digest of it alone. Its name has no port, for a server that is started anew may find another one.
"""

from __future__ import annotations

import hashlib
import re
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from hsevo.web.guard import read_cookie

COOKIE = "hsevo-seat"
LASTS = 400 * 86_400  # seconds from the last visit; browsers keep none for longer
TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")


def person_of(asks: HTTPConnection) -> str:
    """Return the digest of who asks, "" for a browser that has no such cookie."""
    token = _token(asks)
    return _digest(token) if token else ""


class Person:
    """Who asks for a seat: known by a cookie, or given one with the answer."""

    def __init__(self, asks: HTTPConnection) -> None:
        self._token = _token(asks) or secrets.token_urlsafe(24)
        self.digest = _digest(self._token)

    def known_by(self, answer: Response) -> Response:
        """Return an answer with the cookie."""
        answer.set_cookie(COOKIE, self._token, LASTS, httponly=True, samesite="lax")
        return answer


def _token(asks: HTTPConnection) -> str:
    token = read_cookie(asks.headers, COOKIE)
    return token if TOKEN.fullmatch(token) else ""


def _digest(token: str) -> str:
    return hashlib.sha256(f"hsevo seat {token}".encode()).hexdigest()
