"""The page of a game in a real browser, as wide as a phone: every step, keys, slider, fingers."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo.agents.learned.nets import write_net
from hsevo.replays import page as replay_page
from hsevo.replays import replay
from hsevo.replays.chances import ChancePoint, Chances
from hsevo.texts import texts
from tests.support.browser import MISSING, browser
from tests.support.game_page import data_of, first_page, small_run
from tests.unit.agents.test_afterstate import random_net

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    meeting = replay.find(small_run(folder / "run"), deck_a="mage", deck_b="shaman")
    (folder / "game.html").write_text(first_page(meeting), encoding="utf-8")
    return folder / "game.html"


@pytest.fixture(scope="module")
def data(file: Path) -> Any:
    return data_of(file.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tab(file: Path) -> Iterator[tuple[Any, Path]]:
    with browser(400, 800, touch=True) as page:
        yield page, file


SHOWN = """
const words = (query, root = document) =>
  [...root.querySelectorAll(query)].map((element) => element.textContent);
return {
  step: Number(location.hash.slice(6)), slider: Number(document.querySelector("#slider").value),
  turn: words("#turn")[0], width: document.documentElement.scrollWidth,
  sides: [0, 1].map((player) => {
    const [board, hand, hero] = ["board", "hand", "hero"].map((part) =>
      document.getElementById(`${player === game.below ? "my" : "foe"}-${part}`));
    return { names: words(".minion-name", board), attack: words(".badge.attack text", board),
             health: words(".badge.health text", board), costs: words(".badge.cost text", hand),
             said: [...board.querySelectorAll(".minion")].map((m) => m.getAttribute("aria-label")),
             life: words(".hero .badge.health text", hero)[0] };
  }),
  bars: [...document.querySelectorAll("#options li")].map((option) => [
    option.querySelector(".worth").textContent,
    parseFloat(option.querySelector(".share").style.width)]),
  banner: document.querySelector("#banner").hidden ? "" : words("#banner")[0],
  events: [...document.querySelectorAll("#events li")].filter((item) => !item.hidden).length,
  taken: words("#options .taken > span:last-child"), options: words("#options li").length,
};
"""


def check_shown(shown: Any, data: Any) -> None:
    """The page shows the step that it says."""
    step = data["steps"][shown["step"] - 1]
    ready = {tuple(option["by"]) for option in step["options"] if option["by"]}
    for player, (side, there) in enumerate(zip(step["scene"]["sides"], shown["sides"],
                                               strict=True)):
        assert there["names"] == [minion["name"] for minion in side["board"]]
        assert there["attack"] == [str(minion["attack"]) for minion in side["board"]]
        assert there["health"] == [str(minion["health"]) for minion in side["board"]]
        assert there["said"] == [", ".join([
            minion["name"], f"attack {minion['attack']}",
            f"health {minion['health']} of {minion['max_health']}",
            *(texts()[f"keywords.{word.replace(' ', '_')}"] for word in minion["words"]),
            *(["can attack"] if (player, "board", place) in ready else []),
            *([] if "silenced" in minion["words"] else data["faces"][minion["card"]]["text"])])
            for place, minion in enumerate(side["board"])]
        assert there["costs"] == [str(card["cost"]) for card in side["hand"]]
        assert there["life"] == str(side["health"])
    assert shown["options"] == len(step["options"])
    assert shown["taken"] == [option["text"] for i, option in enumerate(step["options"])
                              if i == step["taken"]]
    assert shown["slider"] == shown["step"]
    assert shown["events"] == sum(len(one["events"]) for one in data["steps"][:shown["step"]])
    assert (shown["banner"] != "") == (shown["step"] == len(data["steps"]))
    scores = [(abs(float(worth)), width) for worth, width in shown["bars"]
              if re.fullmatch(r"[+-]?[\d.]+", worth)]
    most, widest = max(scores, default=(0, 0))
    for score, width in scores:
        assert width == pytest.approx(widest * score / most if most else 0, abs=0.1)
        assert width <= 100


def test_a_browser_steps_through_every_step(tab: Any, data: Any) -> None:
    page, file = tab
    page.open(file)
    for number in range(1, len(data["steps"]) + 1):
        shown = page.run(SHOWN)
        assert shown["step"] == number
        assert shown["width"] <= 400  # nothing is wider than a phone
        check_shown(shown, data)
        page.run("document.querySelector('#forward').click()")
    assert shown["turn"] == "the end"
    assert " wins in turn " in shown["banner"]


def test_bars_of_probabilities_are_parts_of_the_whole(tmp_path: Path) -> None:
    """A bar of 54.8 % fills 54.8 % of its track, whatever the best option has."""
    write_net(tmp_path / "some.npz", random_net())
    for options, word in (("", "win"), ("?temperature=0.5", "play")):
        folder = tmp_path / word
        hsevo.match(f"rl:{tmp_path}/some.npz{options}", "random", games=8, decks=["mage"],
                    workers=1, out=folder)
        (folder / "game.html").write_text(hsevo.replay(folder).html, encoding="utf-8")
        widths = {}
        with browser(400, 800) as page:
            page.open(folder / "game.html")
            for _ in range(20):
                widths |= {worth: width for worth, width in page.run(SHOWN)["bars"]
                           if worth.startswith(f"{word} ")}
                page.run("document.querySelector('#forward').click()")
        assert len(widths) > 5
        for worth, width in widths.items():
            assert width == pytest.approx(float(worth.split()[1]), abs=0.1), worth


def test_keys_slider_fingers_and_addresses_go_to_a_step(tab: Any, data: Any) -> None:
    page, file = tab
    last = len(data["steps"])
    turns = [1] + [k + 1 for k in range(1, last) if data["steps"][k]["scene"]["turn"]
                   != data["steps"][k - 1]["scene"]["turn"]]

    def now() -> int:
        shown = page.run(SHOWN)
        check_shown(shown, data)
        return int(shown["step"])

    page.open(file, "#step-5")
    assert now() == 5
    for key, step in (("ArrowRight", 6), ("Space", 7), ("ArrowLeft", 6), ("End", last),
                      ("ArrowRight", last), ("Home", 1), ("ArrowLeft", 1), ("PageDown", turns[1]),
                      ("PageDown", turns[2]), ("PageUp", turns[1])):
        page.press(key)
        assert now() == step, key
    for x, to, step in ((300, 100, 1), (100, 300, 0), (200, 210, 0), (350, 100, 1)):
        before = now()
        page.swipe(x, to)
        assert now() == before + (step if to < x else -1 if to - x > 40 else 0)
    page.run("const slider = document.querySelector('#slider'); slider.value = 9;"
             "slider.dispatchEvent(new Event('input'))")
    assert now() == 9
    page.run("location.hash = '#step-4'")
    page.run("return new Promise((done) => setTimeout(done, 50))")
    assert now() == 4
    page.open(file, "#step-99999")
    assert now() == last


def test_it_plays_on_its_own_until_a_key_or_its_end(tab: Any, data: Any) -> None:
    page, file = tab
    last = len(data["steps"])

    def playing() -> bool:
        return bool(page.run("return document.querySelector('#play').ariaLabel === 'pause'"))

    def wait(step: int) -> None:
        """Wait, 10 s at most, until the page is at a step or beyond."""
        page.run("const to = arguments[0]; return new Promise((done, fail) => { let left = 200;"
                 "const look = () => Number(location.hash.slice(6)) >= to ? done() :"
                 " left-- ? setTimeout(look, 50) : fail('it stands still'); look(); })", step)

    page.open(file, f"#step-{last - 3}")
    assert not playing()  # never by itself
    for key in ("+", "+"):
        page.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0],"
                 " bubbles: true}))", key)
    assert page.run("return document.querySelector('#speed').value") == "4"
    page.run("document.querySelector('#play').click()")
    assert playing()
    wait(last - 2)
    page.press("ArrowLeft")
    assert not playing()
    page.run("document.querySelector('#play').click()")
    wait(last)
    assert not playing()
    assert " wins in turn " in page.run(SHOWN)["banner"]


def test_a_card_says_its_text_under_the_mouse(tab: Any, data: Any) -> None:
    page, file = tab
    page.open(file, "#step-9")
    card = page.run("const card = document.querySelector('#foe-hand [data-card]');"
                    "card.dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));"
                    "return card.dataset.card")
    said = page.run("const box = document.querySelector('#look'); return box.hidden ? [] :"
                    " [...box.querySelectorAll('h3, p:not(.facts)')].map((one) => one.textContent)")
    assert said == [data["faces"][card]["name"], *data["faces"][card]["text"]]
    page.run("document.body.dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))")
    assert page.run("return document.querySelector('#look').hidden")


def test_the_policy_refuses_what_is_not_the_pages_own(tab: Any) -> None:
    """Nothing of the page is refused, and a script that somebody adds is."""
    page, file = tab
    page.open(file)
    refused = page.run("""
        const seen = [];
        document.addEventListener("securitypolicyviolation", (event) =>
          seen.push(event.violatedDirective));
        document.querySelector("#forward").click();
        document.querySelector("#play").click();
        document.querySelector("#play").click();
        const own = seen.length, script = document.createElement("script");
        script.textContent = "window.hacked = true";
        document.body.append(script);
        return new Promise((done) => setTimeout(() =>
          done([own, seen, window.hacked ?? false]), 50));""")
    assert refused[0] == 0
    assert refused[1] == ["script-src-elem"]
    assert refused[2] is False


@pytest.fixture(scope="module")
def curved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a curve that falls from 90 % to 10 % at step 4, counted from 0, then stays."""
    folder = tmp_path_factory.mktemp("curve")
    meeting = replay.find(small_run(folder / "run"), deck_a="mage", deck_b="shaman")
    steps = list(replay.steps(meeting, 0))
    points = (ChancePoint(0, .9, .8, 1), ChancePoint(4, .9, .8, 1), ChancePoint(5, .1, 0, .2),
              ChancePoint(len(steps) - 1, .1, .1, .1))
    chances = Chances(points, 100, meeting.names, (4,))
    (folder / "game.html").write_text(replay_page.page(meeting, 0, steps, chances),
                                      encoding="utf-8")
    return folder / "game.html"


def test_the_curve_goes_to_its_steps_and_stands_over_the_slider(curved: Path) -> None:
    last = len(data_of(curved.read_text(encoding="utf-8"))["steps"]) - 1
    with browser(390, 800) as page:
        page.open(curved)
        assert page.run("return document.querySelector('#chance').textContent"
                        ).endswith(" to win: 90 % (80 to 100)")
        for step in (0, last // 3, last):
            place = page.run(CURVE, step / last)
            shown = page.run(SHOWN)
            assert shown["step"] == step + 1
            assert place["now"] == str(step)
            assert place["x"] == pytest.approx(place["thumb"], abs=0.6)
            assert shown["width"] <= 390
        assert page.run("return document.querySelector('#chance').textContent"
                        ).endswith(" to win: 10 %")


# Press the curve at a part of its width; where was that, and where would a thumb of 16 px be?
CURVE = """
const curve = document.querySelector("#curve"), box = curve.getBoundingClientRect();
const x = box.left + arguments[0] * box.width;
curve.setPointerCapture = () => {};
curve.dispatchEvent(new PointerEvent("pointerdown", {clientX: x, bubbles: true, buttons: 1}));
const slider = document.querySelector("#slider"), track = slider.getBoundingClientRect();
const part = (slider.value - 1) / (slider.max - 1);
const drawn = document.querySelector("#now").getBoundingClientRect();
return { x: (drawn.left + drawn.right) / 2, thumb: track.left + 8 + part * (track.width - 16),
         now: document.querySelector("#now").getAttribute("x1") };
"""


def test_a_turning_point_is_named_and_reached_by_keyboard(curved: Path) -> None:
    data = data_of(curved.read_text(encoding="utf-8"))
    move = data["steps"][4]
    with browser(1280, 800) as page:
        page.open(curved)
        said = page.run("const button = document.querySelector('#turning button');"
                        "button.focus(); return button.textContent")
        assert re.fullmatch(r"1 (turn \d+|mulligan): .+, 90 % to 10 %", said)
        option = move["options"][move["taken"]]["text"].removeprefix("play ")
        assert option in said
        page.press("Space")
        assert page.run(SHOWN)["step"] == 6
        assert page.run("return document.querySelector('#turning button').className") == "here"


def test_without_chances_there_is_no_curve(tab: Any) -> None:
    page, file = tab
    page.open(file)
    assert page.run("return [document.querySelector('#chances').hidden,"
                    " document.querySelector('#chance').hidden]") == [True, True]


def test_mana_is_drawn_and_no_name_breaks_inside_a_word(tab: Any, data: Any) -> None:
    page, file = tab
    for number in range(8, len(data["steps"]) + 1, 5):
        page.open(file, f"#step-{number}")
        seen = page.run("""
            return [0, 1].map((player) => ["full", "empty", "locked"].map((kind) =>
              document.querySelectorAll(`#${player === game.below ? "my" : "foe"}-hero`
                + ` .crystals .${kind}`).length))""")
        sides = data["steps"][number - 1]["scene"]["sides"]
        assert seen == [[side["mana"], max(side["crystals"] - side["mana"] - side["locked"], 0),
                         side["locked"]] for side in sides]
    assert page.run(BROKEN, [*LONG_NAMES]) == []


# Minions with these names; return those with a word on two lines.
LONG_NAMES = ("Doppelgangster", "Recombobulator", "Small-Time Buccaneer", "Mind Control Tech",
              "Stoneclaw Totem", "Alexstrasza's Champion", "Murloc Tidecaller")
BROKEN = """
const side = game.steps.at(-1).scene.sides[game.below], one = {...game.steps.flatMap((step) =>
  step.scene.sides.flatMap((each) => [...each.board]))[0], words: ["taunt"]};
side.board = arguments[0].map((name, uid) => ({...one, name, uid: 9000 + uid}));
show(last);
return [...document.querySelectorAll("#my-board .minion-name")].filter((name) =>
  [...name.textContent.matchAll(/[^ -]+/g)].some((word) => {
    const range = document.createRange();
    range.setStart(name.firstChild, word.index);
    range.setEnd(name.firstChild, word.index + word[0].length);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
  })).map((name) => name.textContent);
"""
