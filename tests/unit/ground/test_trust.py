"""Data runs no code: whatever names a Python file, only the user can have it run.

Every way on which py:FILE.py#NAME can come out of a file is a case below.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo import trust
from hsevo.config import Workers, dump
from hsevo.errors import AgentError, RunError
from hsevo.experiments import playing as pool
from hsevo.learning.ladders import LadderResult
from hsevo.play import python_files, python_players
from hsevo.play.workers import open_workers
from hsevo.strength import frontier as frontiers
from hsevo.strength.comparing import arena_of
from hsevo.strength.contest import Arena
from hsevo.strength.panel import Panel
from tests.support.command import hsevo as command
from tests.support.folders import begin

MARK = "py:mark.py#decide"
CODE = """
from pathlib import Path
Path(__file__).with_name("ran").touch()


def decide(view):
    return view.moves[0]
"""
SMALL = {"games": 1, "decks": ["mage"], "evolution.mu": 2, "evolution.lambda": 2,
         "evolution.generations": 2, "references.against": [MARK, "random"],
         "references.every": 1, "references.games": 2, "workers.backend": "serial"}
LADDER = """
config: osfp-smoke
rungs:
  one: {decks: [mage], periods: 1, rounds: 1, payoff_games: 0, references.games: 2}
  two: {learner.trace: 0.9}
against: ["AGENT"]
games_against: 2
"""
STUDY = """
participants: [A1]
blocks:
  - {condition: one, opponent: "OPPONENT", deck: mage, against: warrior, hints: "HINTS"}
"""
CONFIGS = Path(__file__).parents[3] / "configs"
SERIAL = ("--backend", "serial")


class Stop(Exception):
    """A game would be played."""


def stop(*_: Any, **__: Any) -> None:
    raise Stop


@pytest.fixture(autouse=True)
def mark(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mark.py").write_text(CODE)
    monkeypatch.setattr(trust, "_named", set())
    monkeypatch.setattr(python_players, "_known", {})


def forget() -> None:
    """Be another process that has run nothing."""
    trust._named.clear()
    python_players._known.clear()
    python_files._module.cache_clear()
    Path("ran").unlink(missing_ok=True)


def ran() -> bool:
    return Path("ran").exists()


def file(name: str, text: str) -> None:
    Path(name).write_text(text)


def resumed_arena(kept: bool) -> list[str]:
    """Make an arena that was stopped; kept: with the line-up that it began with."""
    begin(arena_of("arena", [MARK, "random"], decks="mage", games=2, seed=1))
    if not kept:
        Path("arena/cast.json").unlink()
    return ["arena", "--resume", "arena", *SERIAL]


def played_arena() -> None:
    hsevo.arena([MARK, "random"], 2, decks="mage", out="arena", backend="serial")


def begun(folder: str, agent: str, games: int = 18, panel: str = "panel-2026") -> None:
    """Make the folder of a benchmark that was stopped before its first game."""
    trust.named(agent)
    begin(Arena(Panel.read(panel).lineup(agent, games), Path(folder)))


def resumed_benchmark() -> list[str]:
    begun("there", MARK)
    return ["benchmark", "--resume", "there", *SERIAL]


def entry() -> list[str]:
    import numpy as np

    from hsevo.play.match import RESULT
    from hsevo.strength import entries

    trust.named(MARK)
    panel = Panel.read("panel-2026")
    record = Arena(panel.lineup(MARK, 1))
    results = np.zeros(len(record.schedule), RESULT)
    results["draws"] = 1
    record._add(results)
    Path("entry.json").write_bytes(entries.content(panel, record))
    return ["benchmark", "--check", "entry.json", "--sample", "2", *SERIAL]


def resumed_run() -> list[str]:
    hsevo.evolve("smoke", changes=SMALL, out="run", trust=True)
    return ["evolve", "--resume", "run", "--generations", "3", *SERIAL]


def references(*words: str) -> list[str]:
    changes = {key: value for key, value in SMALL.items() if not key.startswith("workers")}
    file("data.yaml", dump(hsevo.load_config("smoke", changes)))
    return ["evolve", "--config", "data.yaml", "--out", "new", *SERIAL, *words]


def ladder(agent: str = MARK) -> list[str]:
    file("ladder.yaml", LADDER.replace("AGENT", agent))
    return ["ladder", "ladder.yaml", "--seeds", "1", "--games", "2", "--out", "new", *SERIAL]


def study(opponent: str, hints: str) -> list[str]:
    file("lab.yaml", STUDY.replace("OPPONENT", opponent).replace("HINTS", hints))
    return ["play", "--participants", "lab.yaml", "--no-browser", "--port", "0"]


CAN_BE_TRUSTED: dict[str, Callable[[], list[str]]] = {
    "references of a config": references,
    "references of a run": resumed_run,
    "arena": lambda: resumed_arena(kept=True),
    "arena without cast.json": lambda: resumed_arena(kept=False),
    "benchmark": resumed_benchmark,
    "entry": entry,
    "ladder": ladder,
    "opponent of a study": lambda: study(MARK, "random"),
    "hints of a study": lambda: study("random", MARK)}


@pytest.fixture
def unserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """End `hsevo play` where it would begin to answer."""
    from hsevo.web.serving import Server

    monkeypatch.setattr(Server, "run", lambda self: None)


@pytest.mark.usefixtures("unserved")
@pytest.mark.parametrize("case", CAN_BE_TRUSTED)
def test_a_python_file_that_data_names_runs_only_if_it_is_trusted(
        case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = CAN_BE_TRUSTED[case]()
    forget()
    refused = command(*words)
    assert not ran()
    assert refused.exit_code == 2, refused.output
    assert refused.stderr.splitlines()[-1].startswith("hsevo: ")
    assert "add --trust" in refused.stderr
    assert "Traceback" not in refused.output
    monkeypatch.setattr(pool, "open_workers", stop)
    trusted = command(*words, "--trust")
    assert ran(), trusted.output


@pytest.mark.parametrize("words", [f"references.against=[{MARK}]",
                                   f"references.against=[random, '{MARK}']"])
def test_the_command_line_may_name_it(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "open_workers", stop)
    command(*references("--set", words))
    assert ran()


def test_the_arguments_of_a_call_may_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "open_workers", stop)
    plan = hsevo.load_config("smoke")
    with pytest.raises(Stop):
        hsevo.evolve(plan, changes=SMALL, out="new")
    assert ran()


def test_what_one_command_names_another_does_not() -> None:
    ladder()
    forget()
    assert command("match", MARK, "random", "--games", "2", "--decks", "mage",
                   *SERIAL).exit_code == 0
    assert ran()
    Path("ran").unlink()
    python_players._known.clear()
    python_files._module.cache_clear()
    assert command("ladder", "ladder.yaml", "--out", "new").exit_code == 2
    assert not ran()


def test_a_name_is_of_one_file_wherever_it_is_said() -> None:
    """Not of another one of the same name in another folder."""
    hsevo.Agent(MARK)
    forget()
    Path("other").mkdir()
    shutil.copy("mark.py", "other/mark.py")
    trust.named(f"py:{Path('other/mark.py').absolute()}#decide")
    with trust.data(trust=False), pytest.raises(AgentError, match="a config or folder"):
        hsevo.Agent(MARK)
    assert not ran()
    with trust.data(trust=False):
        hsevo.Agent("py:other/../other/mark.py#decide")
    assert Path("other/ran").exists()


def shipped(name: str, old: str, new: str, *words: str) -> list[str]:
    """Return a command for a shipped config in which something is replaced."""
    text = (CONFIGS / f"{name}.yaml").read_text()
    assert old in text
    file("data.yaml", text.replace(old, new))
    return [*words, "data.yaml", "--out", "new"]


REFUSED: dict[str, Callable[[], list[str]]] = {
    "fixed opponents": lambda: shipped(
        "pilot-map", '"eva:2018"', f'"{MARK}"', "evolve", "--config"),
    "opponents while learning": lambda: shipped(
        "learning/end-to-end-smoke", "rounds: 5", f"rounds: 5\nagainst: '{MARK}'", "learn",
        "--config"),
    "references while learning": lambda: shipped(
        "learning/osfp-smoke", "[random,", f"['{MARK}',", "learn", "--config"),
    "hall": lambda: shipped(
        "coevolve/coevolve-smoke", '"eva:2018@mage"', f"'{MARK}@mage'", "coevolve", "--config"),
    "reference pilot": lambda: shipped(
        "coevolve/coevolve-smoke", "every: 2", f"every: 2, pilot: '{MARK}'", "coevolve",
        "--config"),
    "pilots of decks": lambda: shipped(
        "decks/deck-smoke", "search:", f"pilots: ['{MARK}']\nsearch:", "decks", "evolve",
        "--config"),
    "study": lambda: shipped(
        "studies/taunts", "opponent: hearthsim", f"opponent: '{MARK}'", "study"),
    "heuristic of a ladder": lambda: ladder(f"mcts:knowledge?heuristic={MARK}")}


@pytest.mark.parametrize("case", REFUSED)
def test_where_no_python_player_can_play_no_file_runs(case: str) -> None:
    words = REFUSED[case]()
    forget()
    done = command(*words)
    assert not ran(), done.output
    assert done.exit_code == 2
    assert "mark.py" in done.stderr, done.output
    assert "Traceback" not in done.output


def opened(folder: str) -> list[str]:
    """Return a command for a folder of games, which shows them."""
    hsevo.match(MARK, "random", 2, decks="mage", out=folder, backend="serial")
    return ["replay", folder, "--game", "0"]


READ: dict[str, Callable[[], list[str]]] = {
    "replay of a match": lambda: opened("match"),
    "report of an arena": lambda: (played_arena(), ["report", "--arena", "arena"])[1],
    "verify of a run": lambda: (resumed_run(), ["verify", "run"])[1],
    "best of a run": lambda: (resumed_run(), ["export-best", "run", "--games-per-pair", "2"])[1],
    "watch": lambda: (resumed_run(), ["watch", "run", "--once"])[1]}


@pytest.mark.parametrize("case", READ)
def test_what_only_reads_data_runs_no_file(case: str) -> None:
    words = READ[case]()
    forget()
    done = command(*words)
    assert not ran(), done.output
    assert done.exit_code == 0, done.output


def test_the_folder_of_a_ladder_runs_a_file_only_if_it_is_trusted() -> None:
    """Its agents are read when its games are asked for, which is after it was opened."""
    assert command(*ladder(), "--trust").exit_code == 0
    for name in ("pairs.csv", "pairs.sha256", "ran"):
        Path("new" if name != "ran" else ".", name).unlink()
    forget()
    opened = LadderResult.open("new")
    with pytest.raises(AgentError, match="add --trust"):
        _ = opened.left
    with (open_workers(Workers(backend="serial")) as executor,
          pytest.raises(AgentError, match="add --trust")):
        opened.play(executor)
    assert not opened.finished
    assert not ran()
    assert len(LadderResult.open("new", trust=True).left)
    assert ran()


def test_a_leaderboard_runs_no_file() -> None:
    words = [*entry()[:1], "--leaderboard", "entry.json", "--panel", "panel-2026"]
    forget()
    done = command(*words)
    assert not ran(), done.output
    assert done.exit_code == 2
    assert "is not ranked" in done.stderr


@pytest.mark.parametrize(("agent", "games", "panel"), [
    (MARK, 18, "panel-2026"), ("greedy:metastone", 36, "panel-2026"),
    ("greedy:metastone", 18, "panel-2026c"), ("random", 18, "panel-2026")])
def test_a_frontier_takes_up_games_of_its_own_agents_alone(
        agent: str, games: int, panel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call: dict[str, Any] = {"agents": "eva:turn", "games": 18, "panel": "panel-2026",
                            "backend": "serial", "out": "new", "seconds": 0.001}
    begun("there", agent, games, panel)
    forget()
    monkeypatch.setattr(frontiers, "_times", stop)
    with pytest.raises(Stop):
        hsevo.frontier(**call)
    nested = Path("new") / frontiers._folder(1, "eva:turn")
    with pytest.raises(Stop):  # its own games go on
        hsevo.frontier(**call)
    shutil.rmtree(nested)
    shutil.copytree("there", nested)
    with pytest.raises((RunError, AgentError), match="was begun with other "):
        hsevo.frontier(**call)
    assert not ran()


def test_a_frontier_goes_on_where_it_was_killed_before_a_folder_was_whole(
        monkeypatch: pytest.MonkeyPatch) -> None:
    call: dict[str, Any] = {"agents": "eva:turn", "games": 18, "panel": "panel-2026",
                            "backend": "serial", "out": "new", "seconds": 0.001}
    monkeypatch.setattr(frontiers, "_times", stop)
    with pytest.raises(Stop):
        hsevo.frontier(**call)
    nested = Path("new") / frontiers._folder(1, "eva:turn")
    for file in nested.iterdir():
        if file.name != ".lock":
            file.unlink()
    with pytest.raises(Stop):
        hsevo.frontier(**call)
    assert (nested / "arena.yaml").exists()
