"""Python players as external reference opponents: whose code runs, and that it runs exactly."""

from pathlib import Path

import pandas as pd
import pytest

import hsevo
from hsevo.errors import AgentError
from tests.support.command import fails
from tests.support.command import hsevo as command

BOT = """
def decide(view):
    return view.random.choice(view.moves)
"""
SMALL = {"games": 1, "decks": ["mage"], "evolution.mu": 2, "evolution.lambda": 2,
         "evolution.generations": 3, "references.against": ["py:bot.py#decide", "random"],
         "references.every": 1, "references.games": 6}


@pytest.fixture
def bot(here: Path) -> Path:
    path = here / "bot.py"
    path.write_text(BOT)
    return path


def test_workers_and_resuming_change_no_game(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = hsevo.evolve("smoke", changes=SMALL, out="whole", backend="serial", trust=True)
    table = pd.read_csv("whole/references.csv")
    assert table["games"].tolist() == 6 * [6]
    assert table["opponent"].tolist() == 3 * ["py:bot.py#decide", "random"]
    hsevo.evolve("smoke", changes={**SMALL, "evolution.generations": 2}, out="cut", workers=2,
                 trust=True)
    monkeypatch.setattr("hsevo.play.python_players._known", {})  # as in a new process
    monkeypatch.setattr("hsevo.trust._named", set())
    with pytest.raises(AgentError, match="add --trust"):
        hsevo.Run("cut").resume(generations=3)
    assert hsevo.Run("cut").done  # as it was
    hsevo.Run("cut").resume(generations=3, trust=True)
    assert (Path("cut/references.csv").read_bytes() == Path("whole/references.csv").read_bytes())
    assert command("verify", "cut").exit_code == command("verify", whole.path).exit_code == 0
    hsevo.Run("cut").resume()  # finished: there is nothing to run


def test_a_reference_opponent_must_be_able_to_play(bot: Path) -> None:
    said = fails("evolve", "--config", "smoke", "--out", "run", "--set",
                 "references.against=[py:bot.py#decide]", "--set", "information=leaky")
    assert "sees only public information, so it can't play with" in said
    assert not Path("run").exists()
