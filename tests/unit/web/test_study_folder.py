"""The folder of a study: killed or full at any write it goes on whole, and nothing is exchanged."""

from __future__ import annotations

import asyncio
import csv
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

import hsevo
from hsevo import files
from hsevo.errors import ConfigError, GameError, RunError, WriteError
from hsevo.replays import participants
from hsevo.replays.participants import Participant
from hsevo.replays.played import PlayedGames
from hsevo.reports import folders
from hsevo.store.kinds import PEOPLE
from hsevo.web.choices import Choices
from hsevo.web.lab import LoadedStudy, StudyHall, read_study

DESIGN = """
participants: [A1]
consent: consent.txt
blocks:
  - {condition: one, opponent: random, deck: mage, against: warrior, first: me}
  - {condition: two, opponent: random, deck: shaman, against: mage, first: agent, hints: random}
"""
BOT = "def last(view):\n    return view.moves[-1]\n"


def study_of(folder: Path, design: str = DESIGN) -> LoadedStudy:
    (folder / "lab.yaml").write_text(design)
    (folder / "consent.txt").write_text("You play.")
    return read_study(folder / "lab.yaml", trust=True)


@contextmanager
def opened(path: Path, study: LoadedStudy, choices: Choices | None = None) -> Iterator[StudyHall]:
    games = PlayedGames(path)
    try:
        yield StudyHall(games, study, choices or study.choices(path))
    finally:
        games.close()


def rows(path: Path, name: str) -> list[dict[str, str]]:
    with (path / name).open(newline="") as file:
        return [*csv.DictReader(file)]


# -- a process that dies --------------------------------------------------------------------------


class Killed(BaseException):
    """The process is dead: no `except` is reached."""


class Disk:
    """Takes so many writes, and then none; of the last one, if it appends, half is there.

    That all of it is there, and nothing more, is what the next number of writes leaves.
    """

    def __init__(self, left: int) -> None:
        self.left = left

    def sync(self, descriptor: int) -> None:
        if self.left <= 0:
            raise Killed
        self.left -= 1

    def append(self, path: Path, data: bytes) -> int:
        if self.left == 1:
            self.left = 0
            with path.open("ab") as file:
                file.write(data[:len(data) // 2])
            raise Killed
        return files.append(path, data)


async def played(lab: StudyHall, is_dead: Callable[[], bool] = lambda: False) -> None:
    """Go through the whole study as the pages of its one participant do."""
    who, = lab.people.all.values()
    lab.people.agree(who)
    while True:
        lab.people.settle(who)
        try:
            await lab.begin(who)
        except GameError:
            assert who.next is None
            return
        await one_game(lab, who, is_dead)


async def one_game(lab: StudyHall, who: Participant, is_dead: Callable[[], bool]) -> None:
    """End the turn, unless that was done, and give up."""
    chair = await lab.chair(who)
    acts = lab.acts(who, chair)
    await chair.table.wake("somebody")
    await quiet(chair.table, is_dead)
    ends = [one for one in chair.state["moves"] if one["kind"] == "end turn"]
    if ends and chair.turn <= 2:
        await acts["move"]({"move": ends[0]["move"], "at": chair.state["at"]})
        await quiet(chair.table, is_dead)
    await acts["concede"]({})


async def quiet(table: Any, is_dead: Callable[[], bool]) -> None:
    while not table.idle:
        if is_dead():
            raise Killed
        await asyncio.sleep(0.001)


def check_whole(path: Path) -> None:
    """Every game once, with its rows; every move of the human, and nothing else, as a click."""
    games = PlayedGames(path)
    try:
        facts = games.facts
        assert [(one.code, one.place, one.result, one.repeat) for one in facts] == [
            ("A1", 1, "lost", False), ("A1", 2, "lost", False)]
        assert [(row["place"], row["game"]) for row in rows(path, "steps.csv")] == [
            ("0", "0"), ("1", "1"), ("2", "2")]
        assert [(row["place"], row["condition"], row["conceded"], row["game"])
                for row in rows(path, "games.csv")] == [("1", "one", "1", "1"),
                                                        ("2", "two", "1", "2")]
        clicks = rows(path, "clicks.csv")
        for one in facts:
            told = [(row["turn"], row["action"]) for row in clicks
                    if row["place"] == str(one.place) and row["what"] == "move"]
            game = games.load(one.number)
            again, made = game.beginning(), list[tuple[str, str]]()
            for move in game.history:
                if again.player == one.seat:
                    made.append((str(again.turn), move.text))
                again.play(move.index)
            assert told == made
        assert Counter(row["place"] for row in clicks if row["what"] == "concede") == {
            "1": 1, "2": 1}
        assert all(0 <= int(row["ms"]) < 600_000 for row in clicks)
        assert participants.read(path / "codes.csv")
        assert (path / "codes.csv").stat().st_mode & 0o077 == 0
    finally:
        games.close()


@pytest.mark.slow
def test_a_study_that_is_killed_at_any_write_goes_on_whole(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = study_of(tmp_path)
    choices = study.choices(tmp_path)
    for left in count():
        path, disk = tmp_path / f"out{left}", Disk(left)
        with monkeypatch.context() as patch:
            patch.setattr("hsevo.files.os.fsync", disk.sync)
            patch.setattr(participants, "append", disk.append)
            try:
                with opened(path, study, choices) as lab:
                    asyncio.run(played(lab, lambda disk=disk: disk.left <= 0))
                killed = False
            except Killed:
                killed = True
            patch.undo()
            with opened(path, study, choices) as lab:
                asyncio.run(played(lab))
        check_whole(path)
        if not killed:
            assert left > 40
            break


# -- a disk that is full --------------------------------------------------------------------------


@contextmanager
def full(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """Have no room in a table: half of what is appended is there, and an error is raised."""
    def append(path: Path, data: bytes) -> int:
        if path.name != name:
            return files.append(path, data)
        files.append(path, data[:len(data) // 2])
        raise WriteError(f"cannot write {path}: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(participants, "append", append)
        yield


def test_a_row_that_could_not_be_written_is_written_later(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as there is room again, in the same process: steps, clicks and games."""
    path, study = tmp_path / "out", study_of(tmp_path)

    async def through(lab: StudyHall) -> None:
        who, = lab.people.all.values()
        with full(monkeypatch, "steps.csv"), pytest.raises(RunError, match="No space left"):
            lab.people.agree(who)
        assert not who.agreed
        lab.people.agree(who)
        with full(monkeypatch, "steps.csv"), pytest.raises(RunError, match="No space left"):
            await lab.begin(who)
        await lab.begin(who)
        chair = await lab.chair(who)
        acts = lab.acts(who, chair)
        with full(monkeypatch, "clicks.csv"), pytest.raises(RunError, match="No space left"):
            await acts["concede"]({})
        with full(monkeypatch, "games.csv"), pytest.raises(RunError, match="No space left"):
            lab.people.settle(who)
        with pytest.raises(GameError, match="The game is over"):
            await acts["concede"]({})
        lab.people.settle(who)
        assert len(rows(path, "games.csv")) == 1
        assert [folders.state(path, PEOPLE, changed) for changed in (time.time(), 0)] == [
            "running", "not finished"]  # one of two games
        await played(lab)

    with opened(path, study) as lab:
        asyncio.run(through(lab))
    assert folders.state(path, PEOPLE, 0) == "finished"
    assert [row["what"] for row in rows(path, "clicks.csv") if row["place"] == "1"] == [
        "concede", "refused"]
    check_whole(path)


# -- what is played with --------------------------------------------------------------------------


def changed(folder: Path, name: str, text: str) -> None:
    """Play a study whose file has another text at the next start."""
    before = (folder / name).read_text()
    with opened(folder / "out", read_study(folder / "lab.yaml", trust=True)) as lab:
        asyncio.run(played(lab))
    (folder / name).write_text(text)
    with pytest.raises(ConfigError, match="after the study began") as raised, opened(
            folder / "out", read_study(folder / "lab.yaml", trust=True)):
        pass
    assert "\n" not in str(raised.value)
    assert name in str(raised.value)
    assert "'one'" in str(raised.value)
    (folder / name).write_text(before)
    with opened(folder / "out", read_study(folder / "lab.yaml", trust=True)):
        pass


def test_a_deck_that_was_changed_does_not_go_on(tmp_path: Path) -> None:
    mine, other = hsevo.Deck("mage").text, hsevo.Deck("shaman").text
    (tmp_path / "mine.txt").write_text(mine)
    study_of(tmp_path, DESIGN.replace("deck: mage", "deck: mine.txt"))
    changed(tmp_path, "mine.txt", other)


def test_an_agent_that_was_changed_does_not_go_on(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    study_of(tmp_path, DESIGN.replace("opponent: random", "opponent: 'py:bot.py#last'", 1))
    changed(tmp_path, "bot.py", BOT.replace("-1", "0"))


def test_an_adviser_that_was_changed_does_not_go_on(tmp_path: Path) -> None:
    agent = hsevo.Agent("eva:2018")
    agent.save(tmp_path / "adviser.csv")
    study_of(tmp_path, DESIGN.replace("first: me", "first: me, hints: 'eva:adviser.csv'"))
    weaker = hsevo.Agent(agent.weights.clip(upper=0.5))
    weaker.save(tmp_path / "other.csv")
    changed(tmp_path, "adviser.csv", (tmp_path / "other.csv").read_text())


def test_another_engine_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = study_of(tmp_path)
    with opened(tmp_path / "out", study):
        pass
    monkeypatch.setattr(participants, "fingerprint", lambda: "another")
    with pytest.raises(ConfigError, match="but this is engine another"), opened(
            tmp_path / "out", study):
        pass


@pytest.mark.parametrize("text", ["[]", "{}", "no JSON", '{"engine": 1, "hsevo": 2}'])
def test_damaged_digests_are_one_line(tmp_path: Path, text: str) -> None:
    study = study_of(tmp_path)
    with opened(tmp_path / "out", study):
        pass
    (tmp_path / "out" / "conditions.json").write_text(text)
    with pytest.raises(RunError, match=r"conditions\.json is damaged"), opened(
            tmp_path / "out", study):
        pass


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', "+1", "-1+cmd|x", "@SUM(1)"])
def test_a_spreadsheet_finds_no_formula(tmp_path: Path, text: str) -> None:
    async def through(lab: StudyHall) -> None:
        who, = lab.people.all.values()
        lab.people.agree(who)
        await lab.begin(who)
        lab.people.click(who, 1, 1, datetime.now(UTC), "illegal", text)
    with opened(tmp_path / "out", study_of(tmp_path)) as lab:
        asyncio.run(through(lab))
    assert rows(tmp_path / "out", "clicks.csv")[0]["action"] == f"'{text}"
