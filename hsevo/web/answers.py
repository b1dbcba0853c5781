"""What all routes share: the JSON of a request, and the answer that says why it is refused."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response


async def body_of(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request; {} if it has none."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def refused(why: str, status: int = 400) -> Response:
    """Return the answer to what is refused, which says why."""
    return JSONResponse({"why": why}, status)
