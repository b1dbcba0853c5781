"""The page of a game: it holds what the text tells and fetches nothing; tests/browser clicks."""

import re
import shutil
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hsevo import pages
from hsevo.cards.tables import cards
from hsevo.cards.wording.text import text as text_of
from hsevo.cli import main
from hsevo.evolution.run import Run
from hsevo.pictures import style_sheet
from hsevo.play.events import What
from hsevo.replays import page as replay_page
from hsevo.replays import replay
from hsevo.replays.chances import ChancePoint, Chances
from hsevo.replays.replay import StoredMatch
from hsevo.replays.wording import turning_point
from tests.support.command import hsevo
from tests.support.game_page import Seen, data_of, first_page, small_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return small_run(tmp_path_factory.mktemp("page") / "run")


@pytest.fixture(scope="module")
def meeting(run: Run) -> StoredMatch:
    return replay.find(run, deck_a="mage", deck_b="shaman")


@pytest.fixture(scope="module")
def text(meeting: StoredMatch) -> str:
    return first_page(meeting)


@pytest.fixture(scope="module")
def data(text: str) -> dict[str, Any]:
    return data_of(text)


def test_the_steps_are_the_decisions_that_the_match_counted(run: Run) -> None:
    meeting = replay.find(run)
    steps = [step for k in range(2) for step in replay.steps(meeting, k)]
    assert sum(bool(step.options) for step in steps) == meeting.row["decisions"]
    assert [step.scene.outcome != "" for step in steps] == [not step.options for step in steps]


def test_the_page_holds_what_the_text_tells(meeting: StoredMatch, data: Any) -> None:
    told = "\n".join(replay.lines(meeting, 0)).split("\n== ")[1:]
    assert len(told) == len(data["steps"]) > 20
    for block, step in zip(told, data["steps"], strict=True):
        lines = block.splitlines()
        for number, side in enumerate(step["scene"]["sides"]):
            begin = f"{data['names'][number]} ({side['hero']}), health {side['health']}/"
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
    run = re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)  # without comments, which name types
    assert re.findall(r"https?:|url\((?!#)|@import|fetch\(|XMLHttp|import\(|innerHTML", run) == []
    policy = [a["content"] for t, a in seen.elements if a.get("http-equiv")]
    assert str(policy[0]).startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in str(policy[0])
    assert not any("style" in attributes for _, attributes in seen.elements)


def test_names_of_a_run_are_only_text(meeting: StoredMatch) -> None:
    evil = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> & x'
    forged = replace(meeting, row=meeting.row | {"deck_a": evil})
    text = replay_page.page(forged, 0, [])
    seen, plain = Seen(text), Seen(replay_page.page(meeting, 0, []))
    assert [tag for tag, _ in seen.elements] == [tag for tag, _ in plain.elements]
    assert evil in seen.text
    assert evil in data_of(text)["players"][0]


def test_events_are_in_words_and_stand_where_they_happened(meeting: StoredMatch, data: Any) -> None:
    steps = list(replay.steps(meeting, 0))
    for number, step in enumerate(data["steps"][1:], start=1):
        taken = data["steps"][number - 1]["options"][data["steps"][number - 1]["taken"]]["text"]
        name = data["names"][data["steps"][number - 1]["scene"]["me"]]
        if taken.startswith("play "):
            card = re.split(" at | to the left|, choosing", taken.removeprefix("play "))[0]
            assert step["events"][0].startswith(f"{name} plays {card}")
        if taken.startswith("attack "):
            assert " attacks " in step["events"][0]
    turns = [words for step in data["steps"] for words in step["events"]
             if words.startswith("turn ")]
    assert [int(words.split()[1].rstrip(":")) for words in turns] == list(range(
        1, max(step.scene.turn for step in steps) + 1))
    every = [words for step in data["steps"] for words in step["events"]]
    assert not any("nobody" in words or "a card" in words for words in every)
    assert sum(len(step.events) for step in steps) > len(every) > 100


def test_a_card_says_what_hsevo_cards_show_says(data: Any) -> None:
    known = cards("cig2018")
    seen = {card["card"] for step in data["steps"] for side in step["scene"]["sides"]
            for card in (*side["hand"], *side["board"])}
    assert seen <= set(data["faces"])
    for id, face in data["faces"].items():
        assert face["name"] == known[id].name
        assert face["text"] == list(text_of(known, id))
    told = " ".join(hsevo("cards", "show", id).stdout.split())
    assert all(line in told for line in face["text"])


def test_costs_are_what_is_paid(meeting: StoredMatch) -> None:
    """A card that was played took as much mana as the hand said."""
    paid = 0
    steps = list(replay.steps(meeting, 0))
    for step, after in pairwise(steps):
        taken = step.options[step.taken]
        if taken.text.startswith("play "):
            assert taken.by is not None
            side = step.scene.sides[taken.by.player]
            event = next(event for event in after.events if event.what is What.PLAYED)
            assert side.hand[taken.by.number].cost == event.amount
            paid += 1
    assert paid > 5


def test_the_colours_of_wins_are_those_of_the_report(text: str) -> None:
    sheet = re.search("<style>(.*)</style>", text, re.DOTALL)
    assert sheet is not None
    assert sheet[1].startswith(style_sheet())
    assert "var(--won)" in sheet[1]
    assert "var(--lost)" in sheet[1]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_script_parses(tmp_path: Path) -> None:
    script = tmp_path / "page.js"
    script.write_text(pages.script("replays/page.js").removeprefix("<script>").removesuffix(
        "</script>"))
    done = subprocess.run(["node", "--check", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_command_writes_the_page_and_no_text(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    result = CliRunner().invoke(main, ["replay", str(run.path), "--html", str(file)])
    assert result.exit_code == 0, result.output
    steps = data_of(file.read_text(encoding="utf-8"))["steps"]
    assert result.stdout == f"{file}: a page with {len(steps)} steps\n"
    assert "reproduced: all 2 games" in result.stderr
    drawn = data_of(file.read_text(encoding="utf-8"))["chances"]
    assert drawn["games"] == 100
    command = ["replay", str(run.path), "--html", str(file), "--chances"]
    assert CliRunner().invoke(main, [*command, "0"]).exit_code == 0
    assert data_of(file.read_text(encoding="utf-8"))["chances"] is None
    bad = CliRunner().invoke(main, [*command, "-1"])
    assert bad.exit_code == 2
    assert bad.stderr.startswith("hsevo: chances is -1, but must be a whole number from 0")
    none = CliRunner().invoke(main, ["replay", str(run.path), "--html", str(tmp_path / "no" / "x")])
    assert none.exit_code == 2
    assert none.stderr.startswith("hsevo: cannot write ")


def test_a_turning_point_is_named_by_its_move_and_never_by_the_draw_that_followed(
        meeting: StoredMatch) -> None:
    steps = list(replay.steps(meeting, 0))

    def named(k: int) -> str:
        return turning_point(steps[k], .621, .809)

    taken = [step.options[step.taken].text for step in steps[:-1]]
    ends = next(k for k, text in enumerate(taken) if text == "end the turn")
    plays = next(k for k, text in enumerate(taken) if text.startswith("play "))
    assert named(ends) == f"turn {steps[ends].scene.turn}: end the turn, 62 % to 81 %"
    card = taken[plays].removeprefix("play ")
    assert named(plays) == f"turn {steps[plays].scene.turn}: {card}, 62 % to 81 %"


def test_chances_with_hostile_names_are_only_text(meeting: StoredMatch) -> None:
    evil = "</script><script>alert(1)</script>"
    forged = replace(meeting, names=(evil, evil))
    chances = Chances((ChancePoint(0, .5, .4, .6),), 10, (evil, evil), ())
    text = replay_page.page(forged, 0, [], chances)
    plain = Seen(replay_page.page(meeting, 0, [], chances))
    assert [tag for tag, _ in Seen(text).elements] == [tag for tag, _ in plain.elements]
    assert data_of(text)["chances"]["players"] == [evil, evil]
