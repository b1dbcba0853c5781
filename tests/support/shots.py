"""Take the pictures of pages that the docs show, anew, in a real browser.

    python -m tests.support.shots                   all of them, into docs/pages/images
    python -m tests.support.shots play --out out    one of them, into another folder

play: the table of a game; build: a deck in the builder; board: a game to step through, wide and on
a phone, light and dark. The games have fixed seeds, and are played by agents up to the moment.
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
from PIL import Image

import hsevo
from hsevo.play.session import Seat
from hsevo.replays.exercises import now
from hsevo.replays.played import HUMAN, PlayedGames
from tests.support.browser import Page, browser
from tests.support.playing import serving

IMAGES = Path(__file__).parents[2] / "docs" / "pages" / "images"
WIDE, HIGH, PHONE = (1280, 720), (1280, 960), (390, 760)
TURN, SEED = 17, 18  # of the game at the table
STEPPED, STEP = 5, 40  # seed and step of the game to step through


def play(out: Path) -> None:
    """Take the picture of the table: a person is to move, and both boards have minions."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "play"
        game = hsevo.Game("classic-shaman", "buff-paladin", [Seat(HUMAN), "rl:2026"], SEED)
        while game.turn < TURN or game.player == 1:
            game.play(game.ask("rl:2026")) if game.player == 0 else game.step()
        games = PlayedGames(path)
        games.save(games.new(now(), 0, game), game)
        games.close()
        with serving(path) as (_, address), browser(*WIDE) as tab:
            tab.call("url", url=address)
            tab.call("url", url=f"{address.split('/enter')[0]}/game/1")
            tab.soon("return document.body.dataset.phase === 'play'")
            keep(tab, out / "play.png")


def build(out: Path) -> None:
    """Take the picture of the deck builder, with most of a deck."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "play") as (
            _, address), browser(*WIDE) as tab:
        tab.call("url", url=address)
        tab.call("url", url=f"{address.split('/enter')[0]}/build")
        tab.soon("return document.querySelector('.tile')")
        tab.run("const from = document.getElementById('from'); from.value = 'warrior';"
                "from.dispatchEvent(new Event('change'))")
        tab.soon("return document.querySelectorAll('#rows button').length > 9")
        tab.run("for (const row of [...document.querySelectorAll('#rows button')].slice(0, 2))"
                " { row.click(); } const words = document.getElementById('words');"
                " words.value = 'pirate'; words.dispatchEvent(new Event('input'))")
        time.sleep(0.5)
        keep(tab, out / "build.png")


def board(out: Path) -> None:
    """Take the pictures of a game to step through, where its moves counted most."""
    with tempfile.TemporaryDirectory() as folder:
        game = hsevo.Game("mage", "warrior", players=["eva:wide:2026", "eva:2018"], seed=STEPPED)
        game.run()
        file = game.replay(Path(folder) / "game.html", chances=100)
        for size, name in ((HIGH, "board"), (PHONE, "board-phone")):
            with browser(*size) as tab:
                tab.open(file, f"#step-{STEP}")
                if size == PHONE:  # the buttons stay above the table
                    tab.run("scrollTo(0, document.querySelector('#seen').offsetTop"
                            " - document.querySelector('nav').offsetHeight)")
                for dark in (False, True):
                    tab.dark(dark)
                    keep(tab, out / f"{name}{'-dark' if dark else ''}.png")


def keep(tab: Page, file: Path) -> None:
    """Write what is seen of a page, in 256 colours."""
    time.sleep(0.5)  # what appears has appeared
    tab.picture(file)
    Image.open(io.BytesIO(file.read_bytes())).convert("RGB").quantize(256).save(
        file, optimize=True)


SHOTS: dict[str, Callable[[Path], None]] = {"play": play, "build": build, "board": board}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*SHOTS]))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=IMAGES,
              help="The folder to write them into; default: docs/pages/images.")
def main(names: tuple[str, ...], out: Path) -> None:
    """Take the pictures of these pages, or of all, anew."""
    out.mkdir(parents=True, exist_ok=True)
    for name in names or SHOTS:
        SHOTS[name](out)


if __name__ == "__main__":
    main()
