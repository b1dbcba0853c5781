"""Shell completion: the scripts, and what is offered where."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from hsevo.agents.registry import EVOLVED, ROSTER
from hsevo.cli import main
from hsevo.cli.completion import SHELLS
from hsevo.cli.root import COMMANDS
from tests.support import ROOT
from tests.support.command import hsevo

pytestmark = pytest.mark.usefixtures("here")


def offered(*words: str) -> list[str]:
    """Return what is offered for the last of some words."""
    *before, last = words
    found = ShellComplete(main, {}, "hsevo", "_HSEVO_COMPLETE").get_completions(before, last)
    return [item.value for item in found]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_a_script(shell: str, here: Path) -> None:
    result = hsevo("completion", shell)
    assert result.exit_code == 0
    assert f"_HSEVO_COMPLETE={shell}_complete" in result.stdout
    if shutil.which(shell):
        (here / "script").write_text(result.stdout)
        subprocess.run([shell, "-n", "script"], check=True)


def test_what_is_named_is_completed(here: Path) -> None:
    assert offered("") == [*COMMANDS]
    assert offered("mat") == ["match"]
    assert offered("evolve", "--config", "cig") == ["cig2018", "cig2018-as-run", "cig2018-fast"]
    assert offered("study", "div") == ["divine-shield", "divine-shield-control"]
    assert offered("ladder", "tab") == ["table-1"]
    assert offered("match", "x", "--decks", "warrior,sham") == ["warrior,shaman"]
    assert offered("match", "eva:") == [name for name in ROSTER if name.startswith("eva:")]
    assert offered("arena", "random", "ran") == ["random"]
    assert offered("examine", "x", "--against", "random,noa") == ["random,noaggression"]
    assert offered("report", "--agent", "") == EVOLVED
    assert offered("decks", "check", "mage-") == ["mage-21"]
    assert offered("completion", "z") == ["zsh"]
    assert "--sprt" in offered("match", "--s")
    assert offered("match", "nobody") == ["nobody"]  # left to the shell's files


def test_run_folders_are_offered_as_runs_and_as_agents(here: Path) -> None:
    for name, agent in (("one", "eva"), ("two", "'gsv?depth=2'")):
        (here / "runs" / name).mkdir(parents=True)
        (here / "runs" / name / "config.yaml").write_text(f"name: x\nagent: {agent}\n")
    assert sorted(offered("verify", "")) == ["runs/one", "runs/two"]
    assert offered("match", "gsv:") == ["gsv:runs/two"]
    assert "eva:runs/one" in offered("match", "eva:r")
    (here / "runs" / "three").mkdir()
    (here / "runs" / "three" / "config.yaml").write_text("name: three\nperiods: 4\n")
    assert offered("match", "rl:") == ["rl:2026", "rl:2027", "rl:ppo-2026", "rl:text-2026",
                                       "rl:runs/three"]
    assert sorted(offered("benchmark", "runs")) == ["runs/one", "runs/three", "runs/two"]


LIBRARIES = ("numba", "numpy", "pandas", "pyarrow", "pydantic", "scipy", "yaml", "inspyred",
             "distributed", "hearthstone")
COMPLETING = """
import sys
from click.shell_completion import ShellComplete
from hsevo.cli import main
from hsevo.cli.root import COMMANDS
offered = ShellComplete(main, {}, "hsevo", "X").get_completions
print(len(offered([], "")), *(len(offered([name], "")) for name in COMMANDS),
      *(len(offered([name], "--")) > 0 for name in COMMANDS),
      len(offered(["evolve", "--config"], "")) > 2, len(offered(["match", "x", "--decks"], "")) > 2)
"""
HELPING = """
import sys
from contextlib import suppress
from hsevo.cli import main
from hsevo.cli.root import COMMANDS
for words in ([], *([name] for name in COMMANDS)):
    with suppress(SystemExit):
        main([*words, "--help"])
with suppress(SystemExit):
    main(["match", "--foo"])
"""


@pytest.mark.parametrize("code", [COMPLETING, HELPING])
def test_words_and_help_do_not_wait_for_the_libraries(code: str, here: Path) -> None:
    """A Tab may not take the seconds that numba and pandas take to import."""
    found = f"print([m for m in sys.modules if m in {LIBRARIES}])"
    result = subprocess.run([sys.executable, "-c", f"{code}\n{found}"], capture_output=True,
                            text=True, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert result.stdout.splitlines()[-1] == "[]"
    if code == COMPLETING:
        assert result.stdout.startswith(f"{len(COMMANDS)} ")
        assert "False" not in result.stdout


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
def test_bash_completes_what_has_a_colon(here: Path) -> None:
    """Through bash itself: `hsevo match eva:gr<Tab>`."""
    (here / "script").write_text(hsevo("completion", "bash").stdout)
    (here / "hsevo").write_text(f"#!{sys.executable}\nfrom hsevo.cli import main\nmain()\n")
    (here / "hsevo").chmod(0o755)
    lines = ("source script 2>/dev/null", "COMP_WORDS=(hsevo match eva:gr)", "COMP_CWORD=2",
             "_hsevo_completion hsevo", 'echo "${COMPREPLY[@]}"')
    found = subprocess.run(["bash", "-c", "\n".join(lines)], capture_output=True, text=True,
                           check=True, env={"PATH": f"{here}:/usr/bin:/bin",
                                            "PYTHONPATH": str(ROOT)}).stdout
    assert found.split() == [name for name in ROSTER if name.startswith("eva:gr")]
