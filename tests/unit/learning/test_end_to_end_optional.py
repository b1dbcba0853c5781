"""Without PyTorch the end-to-end learner says what to install, and nothing else needs it."""

import json
import os
import subprocess
import sys

import pytest

import hsevo
from hsevo import config
from hsevo.agents.learned import nets
from hsevo.config.learning import Plan
from hsevo.errors import AgentError, ConfigError, GameError
from hsevo.learning.plan import refuse_unused
from hsevo.play.participants import agent_data
from hsevo.replays import stored
from tests.support import ROOT
from tests.support.policies import random_policy

WITHOUT = "import sys; sys.modules['torch'] = None; "


def test_the_learner_says_what_to_install() -> None:
    """So does the fingerprint that resuming and verifying a run begin with."""
    code = (WITHOUT + "from hsevo.errors import ConfigError\n"
            "from hsevo.learning.folder import method\n"
            "try:\n    method('end-to-end')\n"
            "except ConfigError as one:\n"
            "    try:\n        import hsevo.learning.end_to_end.learner\n"
            "    except ConfigError as other:\n        assert str(one) == str(other)\n"
            "    print(one)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT,
                          check=True)
    assert done.stdout.startswith("the end-to-end policy needs PyTorch; for the CPU: pip"
                                  " install torch --index-url")
    assert "pip install -e '.[torch]'" in done.stdout
    assert done.stdout.count("\n") == 1


def test_a_run_says_what_to_install_and_makes_no_folder(tmp_path) -> None:
    out = str(tmp_path / "a")
    code = WITHOUT + ("from hsevo.cli.root import main\n"
                      f"main(['learn', '--config', 'end-to-end-small', '--out', {out!r}])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert "the end-to-end policy needs PyTorch" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "a").exists()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Games of a player that is no end-to-end policy, but is named as one: a folder, and a game."""
    path = tmp_path_factory.mktemp("policy")
    policy = agent_data(nets.hosted(nets.END_TO_END, b"a network")[0])
    hsevo.match("random", "noaggression", 4, decks="mage", workers=1, out=path / "match")
    cast = json.loads((path / "match" / "cast.json").read_text())
    cast["agents"][0] |= policy
    (path / "match" / "cast.json").write_text(json.dumps(cast))
    game = hsevo.Game("mage", "mage", ["random", None], seed=1)
    game.run()
    data = game.save()
    data["players"][0]["agent"] = policy
    (path / "game.json").write_text(json.dumps(data))
    (path / "rl.pt").write_bytes(b"of PyTorch")
    return path


PLAYING = [
    ["match", "rl:whole.pt", "random", "--games", "2", "--decks", "mage", "--out", "new"],
    ["replay", "new", "--html", "game.html"]]
REFUSED = [
    ["replay", "match"], ["match", "rl:rl.pt", "random", "--out", "none"],
    ["examine", "rl:rl.pt", "--against", "random", "--out", "none"]]


@pytest.mark.slow
def test_a_policy_plays_without_pytorch(folder) -> None:
    """One process calls all commands, as only its start takes time; what is none is one line."""
    code = ("import builtins, sys\nfind = builtins.__import__\n"
            "def refuse(name, *more, **named):\n"
            "    assert name.partition('.')[0] != 'torch'\n"
            "    return find(name, *more, **named)\n"
            "builtins.__import__ = refuse\n"
            f"from hsevo.cli.root import main\nfor words in {PLAYING + REFUSED!r}:\n"
                      "    try:\n        main(words)\n"
                      "    except SystemExit as end:\n        print(end.code, file=sys.stderr)")
    (folder / "whole.pt").write_bytes(random_policy().data())
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder,
                          env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    codes = [line for line in done.stderr.splitlines() if line in ("0", "1", "2")]
    assert codes == ["0"] * len(PLAYING) + ["2"] * len(REFUSED), done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("hsevo: ")]
    assert len(said) == len(REFUSED), said
    assert all("is not a checkpoint of the end-to-end learner" in line for line in said), said
    assert (folder / "game.html").exists()
    assert not (folder / "none").exists()


def test_its_stored_games_are_listed_and_looked_at(folder) -> None:
    """Without PyTorch; another agent plays on, in either seat."""
    assert len(stored.meetings(folder / "match")) == 4
    game = hsevo.Game.load(folder / "game.json")
    assert game.player == 1
    while not game.over:
        game.play(game.ask("random"))
    assert hsevo.Game.load(game.save()).history == game.history


@pytest.mark.parametrize("use", [
    lambda: hsevo.Games("mage", "mage", [1]).ask("rl:rl.pt"),
    lambda: hsevo.Games("mage", "mage", [1]).ask(nets.hosted(nets.END_TO_END, b"a network"))])
def test_compiled_code_refuses_a_policy(folder, monkeypatch, use) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(hsevo.HsevoError, match="is not compiled, and this plays compiled"):
        use()


def test_a_damaged_policy_in_a_saved_game_says_so(folder) -> None:
    """Another network than its digest says, and text that is none."""
    data = json.loads((folder / "game.json").read_text())
    one = data["players"][0]["agent"]
    one |= {"net": nets.text_of(b"another network"), "w": [1.0, 2.0]}
    with pytest.raises(AgentError, match="not loaded in this process"):
        hsevo.Game.load(data)
    one["net"] = "no base85 \\"
    with pytest.raises(GameError, match="the saved game is damaged"):
        hsevo.Game.load(data)


@pytest.mark.parametrize("key", ["against", "references.against"])
def test_no_python_file_of_a_config_is_run(tmp_path, key) -> None:
    (tmp_path / "bot.py").write_text("raise SystemExit('it was run')\n")
    bot = f"py:{tmp_path / 'bot.py'}#f"
    value = f"{key}={bot}" if key == "against" else f"{key}=['{bot}']"
    with pytest.raises(ConfigError, match="is a Python player, which hsevo learn cannot use"):
        refuse_unused(config.load("end-to-end-smoke", [value], model=Plan))
