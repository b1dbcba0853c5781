"""Without PyTorch the end-to-end learner says what to install, and nothing else needs it."""

import subprocess
import sys

from tests.support import ROOT

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
