"""Data runs no code: whatever names a Python file, only the user can have it run.

Every way on which py:FILE.py#NAME can come out of a file is a case below.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hsevo
from hsevo import trust
from hsevo.errors import AgentError
from hsevo.play import python_players
from hsevo.strength.benchmark import Panel
from tests.support.command import hsevo as command

MARK = "py:mark.py#decide"
CODE = """
from pathlib import Path
Path(__file__).with_name("ran").touch()


def decide(view):
    return view.moves[0]
"""
SMALL = {"games": 1, "decks": ["mage"], "evolution.mu": 2, "evolution.lambda": 2,
         "evolution.generations": 1, "references.against": [MARK, "random"],
         "references.every": 1, "references.games": 2, "workers.backend": "serial"}
ARENA = {"games": 2, "decks": "mage", "backend": "serial"}
LADDER = """
config: osfp-smoke
rungs:
  one: {decks: [mage], periods: 1, rounds: 1, payoff_games: 0, references.games: 2}
  two: {learner.trace: 0.9}
against: ["AGENT"]
"""
STUDY = """
participants: [A1]
blocks:
  - {condition: one, opponent: "OPPONENT", deck: mage, against: warrior, hints: "HINTS"}
"""
SERIAL = ("--backend", "serial")


@pytest.fixture(autouse=True)
def mark(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mark.py").write_text(CODE)
    monkeypatch.setattr(trust, "_named", set())
    monkeypatch.setattr(python_players, "_known", {})


def forget() -> None:
    """Be another process that has run nothing."""
    trust._named.clear()
    python_players._known.clear()
    python_players._module.cache_clear()
    Path("ran").unlink(missing_ok=True)


def ran() -> bool:
    return Path("ran").exists()


def file(name: str, text: str) -> None:
    Path(name).write_text(text)


def config(command: str, text: str, *more: str) -> list[str]:
    file("data.yaml", text)
    return [command, "--config", "data.yaml", "--out", "new", *more]


def arena(kept: bool = True, folder: str = "arena", **changes: Any) -> None:
    """Make an arena that has all of its games left; kept: with the line-up that it began with."""
    hsevo.arena([MARK, "random"], out=folder, **ARENA | changes)
    for name in ("games.csv", "games.sha256", *(() if kept else ("cast.json",))):
        Path(folder, name).unlink()


def resumed_arena(kept: bool) -> list[str]:
    arena(kept)
    return ["arena", "--resume", "arena", *SERIAL]


def benchmark(folder: str, agent: str = MARK) -> None:
    hsevo.benchmark(agent, 18, out=folder, panel="panel-2026", backend="serial")
    for name in ("games.csv", "games.sha256"):
        Path(folder, name).unlink()


def resumed_benchmark() -> list[str]:
    benchmark("there")
    return ["benchmark", "--resume", "there", *SERIAL]


def entry() -> list[str]:
    import numpy as np

    from hsevo.play.match import RESULT
    from hsevo.strength import entries
    from hsevo.strength.arena import Record

    trust.named(MARK)
    panel = Panel.read()
    record = Record(panel.lineup(MARK, 1))
    results = np.zeros(len(record.schedule), RESULT)
    results["draws"] = 1
    record.add(results)
    Path("entry.json").write_bytes(entries.content(panel, record))
    return ["benchmark", "--check", "entry.json", "--sample", "2", *SERIAL]


def resumed_run() -> list[str]:
    hsevo.evolve("smoke", changes=SMALL, out="run", trust=True)
    return ["evolve", "--resume", "run", "--generations", "2", *SERIAL]


def references(*words: str) -> list[str]:
    changes = {key: value for key, value in SMALL.items() if not key.startswith("workers")}
    file("data.yaml", hsevo.load_config("smoke", changes).model_dump_json())
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
def test_a_python_file_that_data_names_runs_only_if_it_is_trusted(case: str) -> None:
    words = CAN_BE_TRUSTED[case]()
    forget()
    refused = command(*words)
    assert not ran()
    assert refused.exit_code == 2, refused.output
    assert refused.stderr.splitlines()[-1].startswith("hsevo: ")
    assert "add --trust" in refused.stderr
    assert "Traceback" not in refused.output
    trusted = command(*words, "--trust")
    assert ran(), trusted.output


@pytest.mark.parametrize("words", [
    ("--set", f"references.against=[{MARK}]"),
    ("--set", f"references.against=[random,{MARK}]"), ("--set", f"references.against={MARK}")])
def test_the_command_line_may_name_it(words: tuple[str, ...]) -> None:
    file("data.yaml", "name: x\nreferences: {against: [random], every: 1, games: 2}")
    forget()
    command("evolve", "--config", "data.yaml", *words, "--set", "information=leaky",
            "--out", "new", *SERIAL)
    assert ran()


def test_what_one_command_names_another_does_not() -> None:
    ladder()
    forget()
    assert command("match", MARK, "random", "--games", "2", "--decks", "mage",
                   *SERIAL).exit_code == 0
    assert ran()
    Path("ran").unlink()
    python_players._known.clear()
    python_players._module.cache_clear()
    assert command("ladder", "ladder.yaml", "--out", "new").exit_code == 2
    assert not ran()


def test_a_name_is_of_one_file_wherever_it_is_said() -> None:
    """Not of another one of the same name in another folder."""
    hsevo.Agent(MARK)
    forget()
    Path("other").mkdir()
    shutil.copy("mark.py", "other/mark.py")
    trust.named(f"py:{Path('other/mark.py').absolute()}#decide")
    with trust.data(trust=False), pytest.raises(AgentError, match="a config or a folder names"):
        hsevo.Agent(MARK)
    assert not ran()
    with trust.data(trust=False):
        hsevo.Agent("py:other/../other/mark.py#decide")
    assert Path("other/ran").exists()


def learning(**changes: Any) -> list[str]:
    file("data.yaml", json.dumps({"decks": ["mage"], "periods": 1} | changes))
    return ["learn", "--config", "data.yaml", "--out", "new"]


def opened(folder: str) -> list[str]:
    """Return a command for a folder of games, which shows them."""
    hsevo.match(MARK, "random", 2, decks="mage", out=folder, backend="serial")
    return ["replay", folder, "--game", "1"]


NEVER: dict[str, Callable[[], list[str]]] = {
    "fixed opponents": lambda: config("evolve", '{"name": "x", "opponents": {"agents": ["'
                                      + MARK + '"]}}'),
    "opponents while learning": lambda: learning(against=[MARK]),
    "references while learning": lambda: learning(references={"against": [MARK]}),
    "hall": lambda: config("coevolve", f'hall: {{first: ["{MARK}@mage"]}}\npool: {{class: mage}}'),
    "pilot": lambda: config("coevolve", f'pool: {{class: mage}}\npilots: ["{MARK}"]'),
    "reference pilot": lambda: config(
        "coevolve", f'pool: {{class: mage}}\nreference: {{pilots: ["{MARK}"]}}'),
    "study": lambda: (file("mine.yaml", f'study: taunts\nagent: "{MARK}"\nopponent: random\n'
                           "values: [0]\ngames: 2\n"), ["study", "mine.yaml", "--out", "new"])[1],
    "heuristic of a ladder": lambda: ladder(f"mcts:santos?heuristic={MARK}"),
    "replay of a match": lambda: opened("match"),
    "report of an arena": lambda: (arena(), ["report", "arena"])[1],
    "report of a run": lambda: (resumed_run(), ["report", "run"])[1],
    "verify of a run": lambda: (resumed_run(), ["verify", "run"])[1],
    "best of a run": lambda: (resumed_run(), ["export-best", "run", "--games", "2"])[1],
    "watch": lambda: (resumed_run(), ["watch", "run", "--once"])[1],
    "leaderboard": lambda: (entry(), ["benchmark", "--leaderboard", "entry.json"])[1]}


@pytest.mark.parametrize("case", NEVER)
def test_what_else_reads_data_never_runs_a_file(case: str) -> None:
    words = NEVER[case]()
    forget()
    done = command(*words)
    assert not ran(), done.output
    assert done.exit_code in (0, 2), done.output
    assert "Traceback" not in done.output
    if done.exit_code == 2 and "no such option" in done.output.lower():
        pytest.fail(done.output)


def forged(agent: str, games: int, panel: str) -> None:
    """Put a folder of other games where `hsevo benchmark --frontier gsv --out new` continues."""
    hsevo.benchmark(agent, games, out="there", panel=panel, backend="serial")


@pytest.mark.parametrize(("agent", "games", "panel"), [
    (MARK, 18, "panel-2026"), ("greedy:metastone", 36, "panel-2026"),
    ("random", 18, "panel-2026")])
def test_a_frontier_takes_up_games_of_its_own_agents_alone(
        agent: str, games: int, panel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from hsevo.api import frontiers

    call: dict[str, Any] = {"agents": "greedy:metastone", "games": 18, "panel": "panel-2026",
                            "backend": "serial", "out": "new", "seconds": 0.001}
    forged(agent, games, panel)
    forget()

    class Stop(Exception):
        pass

    def stop(*_: Any, **__: Any) -> None:
        Path("new").mkdir(exist_ok=True)
        raise Stop

    with monkeypatch.context() as patch:
        patch.setattr(frontiers, "_ratings", stop)
        with pytest.raises(Stop):
            hsevo.frontier(**call)
    nested = Path("new") / frontiers._folder(1, "greedy:metastone")
    nested.parent.mkdir(exist_ok=True)
    shutil.copytree("there", nested)
    with pytest.raises(Exception, match="another agent, panel or number of games|add --trust"):
        hsevo.frontier(**call)
    assert not ran()
