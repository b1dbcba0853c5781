"""How fast a server of hsevo play answers while many people play: median and 99th percentile.

    python -m tests.support.play_load 200 eva:2018

Every player makes random legal moves, and thinks about each for PAUSE seconds on average; the
server and the players share this machine. Measured is the time from a move to the frame that shows
it, when it is saved, once all players sit at their tables.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import numpy as np
from websockets.asyncio.client import connect

import hsevo
from hsevo.web.guard import MOST_SOCKETS

DECKS = ("mage", "warrior", "shaman")
PAUSE = 10.0  # seconds that a player thinks about a move, on average


def enter(address: str) -> tuple[str, Any, str]:
    """Come in; return the server's root, an opener of requests, and the cookie."""
    jar = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    opener.open(address).close()
    return address.split("/enter")[0], opener, "; ".join(f"{one.name}={one.value}" for one in jar)


def begin(root: str, opener: Any, agent: str, seed: int) -> int:
    wish = {"deck": DECKS[seed % 3], "against": DECKS[seed // 3 % 3], "agent": agent, "seed": seed}
    request = urllib.request.Request(f"{root}/games", json.dumps(wish).encode(), {"Origin": root})
    with opener.open(request) as answer:
        return int(json.load(answer)["number"])


async def play(root: str, number: int, cookie: str, seconds: float, seated: asyncio.Barrier,
               times: list[float]) -> None:
    """Play for some time, or to the game's end; note how long each move took."""
    chance = random.Random(number)
    async with connect(f"{root.replace('http', 'ws')}/game/{number}/play", origin=root,
                       additional_headers={"Cookie": cookie}, max_size=None) as line:
        frame = json.loads(await line.recv())
        await seated.wait()
        until = time.monotonic() + seconds
        while time.monotonic() < until and not frame["over"]:
            if frame["moves"]:
                await asyncio.sleep(chance.expovariate(1 / PAUSE))
                move, then = chance.choice(frame["moves"]), time.monotonic()
                await line.send(json.dumps({"do": "move", "move": move["move"],
                                            "at": frame["at"]}))
                frame = json.loads(await line.recv())
                times.append(time.monotonic() - then)
            else:
                frame = json.loads(await line.recv())


async def all_play(server: hsevo.Server, games: int, agent: str, seconds: float) -> list[float]:
    tables, times, seated = list[tuple[str, int, str]](), list[float](), asyncio.Barrier(games)
    for seed in range(games):
        if seed % MOST_SOCKETS == 0:  # the next browser
            server.keys.renew()
            root, opener, cookie = enter(server.address)
        tables.append((root, begin(root, opener, agent, seed), cookie))
    await asyncio.gather(*(play(*table, seconds, seated, times) for table in tables))
    return times


def main(games: int, agent: str, seconds: float = 40.0) -> None:
    with tempfile.TemporaryDirectory() as folder, hsevo.serve(
            out=Path(folder) / "play", port=0, wait=False, browser=False) as server:
        times = np.array(asyncio.run(all_play(server, games, agent, seconds)))
    found = np.percentile(1000 * times, [50, 99, 100])
    print(f"{games} games at once against {agent}: {len(times):,} moves in {seconds:.0f} s; an"
          f" answer takes {found[0]:.0f} ms (median), {found[1]:.0f} ms (99th percentile),"
          f" {found[2]:.0f} ms at most")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
