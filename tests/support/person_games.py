"""Play games as a person does, by a mouse or a finger in Chromium, and take pictures to look at.

    python -m tests.support.person_games out/              ten games
    python -m tests.support.person_games out/ --games 2    the first two

Three rulesets, four sizes of the window; cards of the first hand are thrown back where the ruleset
has a mulligan. Every click is a real one in the middle of what is clicked, so that a button that
lies outside the window, or below something else, is a fault: these are listed at the end.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import click

from tests.browser.test_play_page import begin, deck_of, visit
from tests.support.browser import Page, browser
from tests.support.playing import serving

RULESETS = ("msg2017", "cig2018", "blackrock2015")
SIZES = ((390, 844, True), (844, 390, True), (1280, 900, False), (1920, 1080, False))
MOST = 600  # clicks of a game
PICTURES = (1, 12, 30, 60, 90, 120)  # clicks before which a picture is taken
# What can be clicked now. A card in hand is clicked near its left edge: others may lie over it.
OFFERED = """
const all = (query) => [...document.querySelectorAll(query)];
const { phase, busy } = document.body.dataset;
if (phase === "over") return { over: document.querySelector("#dialog-title").textContent };
if (phase === "waits" || busy !== "no" || !phase) return { waits: true };
const open = document.querySelector("dialog").open;
const found = open ? all("dialog .offer, #dialog-buttons button")
  : document.querySelector(".chosen") ? all(".legal, .gap button, #play-it:not([hidden])")
  : all("#my-hand .ready, #my-board .ready, #my-hero button.ready").concat(all("#end"));
return { kind: open ? "dialog" : "table", spots: found.map((one) => {
  if (open) one.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = one.getBoundingClientRect();
  const x = left + width / (one.matches(".held") ? 5 : 2), y = top + height / 2;
  const under = document.elementFromPoint(x, y);
  return { x: Math.round(x), y: Math.round(y), hit: Boolean(under && one.contains(under)),
    name: one.ariaLabel?.split(",")[0] || one.textContent.trim().slice(0, 30) || one.id,
    end: one.id === "end", pressed: one.ariaPressed };
}) };
"""


class Played(NamedTuple):
    """How a game went: its clicks, how it ended, and what could not be clicked."""

    clicks: int
    ended: str
    missed: list[str]


def play(tab: Page, out: Path, chance: random.Random, touch: bool) -> Played:
    """Play the game whose page is open to its end."""
    missed, clicks, shown = [], 0, set[str]()
    while clicks < MOST:
        offered = tab.soon(f"const found = (() => {{ {OFFERED} }})(); return !found.waits && found")
        if "over" in offered:
            tab.picture(out / "99-end.png")
            return Played(clicks, offered["over"], missed)
        clicks += 1
        if clicks in PICTURES or offered["kind"] not in shown:
            tab.picture(out / f"{clicks:02}-{offered['kind']}.png")
            shown.add(offered["kind"])
        missed += [f"{out.name}: {one['name']} at {one['x']}, {one['y']}"
                   for one in offered["spots"] if not one["hit"]]
        spots = [one for one in offered["spots"] if one["hit"]]
        others = [one for one in spots if not one["end"]]
        spot = chance.choice(others if others and chance.random() < 0.9 else spots)
        tap(tab, spot, touch)
        if spot["end"] and tab.run("return document.querySelector('#said.refused') !== null"):
            tab.run("return new Promise((done) => setTimeout(done, 550))")
            tap(tab, spot, touch)
    return Played(clicks, "not over", missed)


def tap(tab: Page, spot: Any, touch: bool) -> None:
    """Click, or tap; a text that a tap has opened stays."""
    kind = "touch" if touch else "mouse"
    tab.call("actions", actions=[{
        "type": "pointer", "id": f"the {kind}", "parameters": {"pointerType": kind}, "actions": [
            {"type": "pointerMove", "duration": 0, "x": spot["x"], "y": spot["y"]},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])


@click.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--games", default=10, show_default=True)
def main(out: Path, games: int) -> None:
    """Play games as a person does, and write their pictures into OUT."""
    missed = []
    for k in range(games):
        ruleset, (width, height, touch) = RULESETS[k % 3], SIZES[k % 4]
        folder = out / f"{k}-{ruleset}-{width}x{height}"
        folder.mkdir(parents=True, exist_ok=True)
        with (tempfile.TemporaryDirectory() as data,
              serving(Path(data) / "play", ruleset=ruleset) as (_, opened),
              browser(width, height, touch) as tab):
            visit(tab, opened)
            tab.run("localStorage.setItem('speed', '0.5')")
            begin(tab, opened, deck=deck_of(k, ruleset), against=deck_of(4 * k + 1, ruleset),
                  agent="eva:2018", seed=200 + k)
            played = play(tab, folder, random.Random(k), touch)
        missed += played.missed
        click.echo(f"{folder.name}: {played.clicks} clicks, {played.ended}")
    click.echo("\n".join(sorted(set(missed))) or "All that could be clicked lay in the window.")


if __name__ == "__main__":
    main()
