"""An example without the libraries that it needs ends with one line, which says what to install."""

import subprocess
import sys

import pytest

from tests.support import ROOT

RUN = """
import runpy, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

_, missing, *sys.argv = sys.argv
sys.meta_path.insert(0, Missing())
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize(("example", "missing", "install"), [
    ("actor_critic", "torch", "pip install -e '.[env,torch]'"),
    ("actor_critic", "gymnasium", "pip install gymnasium"),
    ("linear_reinforce", "gymnasium", "pip install gymnasium"),
    ("sb3_ppo", "torch", "pip install -e '.[sb3]'"),
    ("sb3_ppo", "sb3_contrib", "pip install -e '.[sb3]'"),
    ("end_to_end", "torch", "pip install torch"),
])
def test_a_missing_library_is_one_line(example: str, missing: str, install: str,
                                       tmp_path) -> None:
    if missing != "torch" and example != "linear_reinforce":
        pytest.importorskip("torch")
    found = subprocess.run(
        [sys.executable, "-c", RUN, missing, ROOT / "examples" / f"{example}.py"], cwd=tmp_path,
        capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith("error: ")
    assert found.stderr.count("\n") == 1
    assert missing.removesuffix("_contrib") in found.stderr.replace("PyTorch", "torch")
    assert install in found.stderr
    assert list(tmp_path.iterdir()) == []
