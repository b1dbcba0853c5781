"""The page of a game: it holds what the text tells, fetches nothing, and works in a browser."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hsevo import config
from hsevo.cards.decks import read_deck
from hsevo.cli import main
from hsevo.config import Workers
from hsevo.evolution.evolve import evolve
from hsevo.play.workers import open_workers
from hsevo.replays import page as replay_page
from hsevo.replays import replay
from hsevo.replays.replay import Meeting
from hsevo.runs.folder import Run
from tests.support import browser


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    plan = config.change(config.load("smoke"), {
        "games": 2, "decks": ["shaman", "mage"], "evolution.generations": 1, "evolution.mu": 2,
        "evolution.lambda": 2})
    folder = tmp_path_factory.mktemp("page") / "run"
    run = Run.create(folder, plan, [read_deck(name) for name in plan.decks])
    with open_workers(Workers(backend="serial")) as work:
        evolve(run, work)
    run.close()
    return run


@pytest.fixture(scope="module")
def meeting(run: Run) -> Meeting:
    return replay.find(run, deck_a="mage", deck_b="shaman")


@pytest.fixture(scope="module")
def text(meeting: Meeting) -> str:
    """Return the page of a game."""
    return replay_page.page(meeting, 0, list(replay.steps(meeting, 0)))


@pytest.fixture(scope="module")
def data(text: str) -> dict[str, Any]:
    return data_of(text)


def data_of(text: str) -> Any:
    return json.loads(Seen(text).scripts[0])


class Seen(HTMLParser):
    """What a browser finds in a page: elements with their attributes, scripts, other text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside = tag
        self.scripts += [""] if tag == "script" else []

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "script":
            self.scripts[-1] += data
        elif self.inside != "style":
            self.text += data


def test_the_steps_are_the_decisions_that_the_match_counted(run: Run) -> None:
    meeting = replay.find(run)
    steps = [step for k in range(2) for step in replay.steps(meeting, k)]
    assert sum(bool(step.options) for step in steps) == meeting.row["decisions"]
    assert [step.scene.outcome != "" for step in steps] == [not step.options for step in steps]


def test_the_page_holds_what_the_text_tells(meeting: Meeting, data: Any) -> None:
    told = "\n".join(replay.tell(meeting, 0)).split("\n== ")[1:]
    assert len(told) == len(data["steps"]) > 20
    for block, step in zip(told, data["steps"], strict=True):
        lines = block.splitlines()
        for number, side in enumerate(step["scene"]["sides"]):
            begin = f"player {number} {side['hero']}, health {side['health']}/"
            at = next(i for i, line in enumerate(lines) if line.startswith(begin))
            hand, board = [line for line in lines[at:] if re.match("  (hand|board):", line)][:2]
            cards = [f"{card['name']} ({card['cost']})" for card in side["hand"]]
            assert hand.split(":", 1)[1].strip() == (", ".join(cards) or "-")
            found = [one.split()[-1 - len(words.split())] for one, words in zip(
                board.split(":", 1)[1].split(" | "),
                [" ".join(minion["words"]) for minion in side["board"]], strict=False)]
            assert [re.match(r"(-?\d+)/(-?\d+)", one)[0] for one in found] == [
                f"{minion['attack']}/{minion['health']}" for minion in side["board"]]
        options = [line for line in lines if re.match(r"(->|  ) +(\S.*\S|0)  \S", line)]
        for line, option in zip(options, step["options"], strict=True):
            assert line[2:].split("  ", 1)[1].strip().endswith(option["text"])
        assert [line.startswith("->") for line in options] == [
            i == step["taken"] for i in range(len(options))]


def test_what_a_move_is_made_with_and_at_is_what_it_is_called(data: Any) -> None:
    def name(step: Any, place: Any) -> str:
        side, (_, zone, number) = step["scene"]["sides"][place[0]], place
        if zone == "power":
            return side["power"]["name"]
        return "hero" if zone == "hero" else side[zone][number]["name"]

    seen = set()
    for step in data["steps"]:
        for option in step["options"]:
            for place in filter(None, (option["by"], option["at"])):
                assert name(step, place) in option["text"]
                seen.add(place[1])
    assert seen == {"hand", "board", "hero", "power"}


def test_the_page_fetches_nothing(text: str) -> None:
    seen = Seen(text)
    assert not {"link", "img", "iframe", "object", "embed", "base"} & {t for t, _ in seen.elements}
    for _, attributes in seen.elements:
        assert not {"src", "srcset", "action"} & set(attributes)
        assert attributes.get("href", "#").startswith("#")
    assert re.findall(r"https?:|url\(|@import|fetch\(|XMLHttp|import\(|innerHTML", text) == []
    policy = [a["content"] for t, a in seen.elements if a.get("http-equiv")]
    assert policy[0].startswith("default-src 'none';")
    assert re.findall("@[A-Z]+@", text) == []


def test_names_of_a_run_are_only_text(meeting: Meeting) -> None:
    evil = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> & @SCRIPT@'
    forged = replace(meeting, row=meeting.row | {"deck_a": evil})
    text = replay_page.page(forged, 0, [])
    seen, plain = Seen(text), Seen(replay_page.page(meeting, 0, []))
    assert [tag for tag, _ in seen.elements] == [tag for tag, _ in plain.elements]
    assert evil in seen.text
    assert evil in data_of(text)["players"][0]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_script_parses() -> None:
    script = Path(replay_page.__file__).with_suffix(".js")
    done = subprocess.run(["node", "--check", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_command_writes_the_page_and_no_text(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    result = CliRunner().invoke(main, ["replay", str(run.path), "--html", str(file)])
    assert result.exit_code == 0, result.output
    steps = data_of(file.read_text(encoding="utf-8"))["steps"]
    assert result.stdout == f"{file}: a page with {len(steps)} steps\n"
    assert "reproduced: all 2 games" in result.stderr
    none = CliRunner().invoke(main, ["replay", str(run.path), "--html", str(tmp_path / "no" / "x")])
    assert none.exit_code == 2
    assert none.stderr.startswith("hsevo: cannot write ")


@pytest.fixture(scope="module")
def tab(text: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    if browser.MISSING:
        pytest.skip(browser.MISSING)
    file = tmp_path_factory.mktemp("browser") / "game.html"
    file.write_text(text, encoding="utf-8")
    with browser.browser(400, 800, touch=True) as page:
        yield page, file


SHOWN = """
const words = (query, root = document) =>
  [...root.querySelectorAll(query)].map((element) => element.textContent);
return {
  step: Number(location.hash.slice(6)), slider: Number(document.querySelector("#slider").value),
  turn: words("#turn")[0], width: document.documentElement.scrollWidth,
  sides: [0, 1].map((player) => {
    const side = document.querySelector(`#player-${player}`);
    return { names: words(".minion .name", side), attack: words(".minion .attack", side),
             health: words(".minion .health", side), costs: words(".cost", side),
             said: [...side.querySelectorAll(".minion")].map((m) => m.getAttribute("aria-label")),
             life: words(".hero .health", side)[0] };
  }),
  bars: [...document.querySelectorAll("#options li")].map((option) => [
    option.querySelector(".worth").textContent,
    parseFloat(option.querySelector(".bar").style.width)]),
  taken: words("#options .taken > span:last-child"), options: words("#options li").length,
};
"""


def check_shown(shown: Any, data: Any) -> None:
    """The page shows the step that it says."""
    step = data["steps"][shown["step"] - 1]
    for side, there in zip(step["scene"]["sides"], shown["sides"], strict=True):
        assert there["names"] == [minion["name"] for minion in side["board"]]
        assert there["attack"] == [str(minion["attack"]) for minion in side["board"]]
        assert there["health"] == [str(minion["health"]) for minion in side["board"]]
        assert there["said"] == [", ".join([
            minion["name"], f"attack {minion['attack']}",
            f"health {minion['health']} of {minion['max_health']}", *minion["words"]])
            for minion in side["board"]]
        assert there["costs"] == [str(card["cost"]) for card in side["hand"]]
        assert there["life"] == f"♥ {side['health']}/{side['max_health']}"
    assert shown["options"] == len(step["options"])
    assert shown["taken"] == [option["text"] for i, option in enumerate(step["options"])
                              if i == step["taken"]]
    assert shown["slider"] == shown["step"]
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
    assert "wins" in shown["turn"]


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
