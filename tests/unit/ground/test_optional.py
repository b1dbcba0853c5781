"""Optional libraries that are missing, or broken: one line that says what to install."""

import sys
from pathlib import Path

import pytest

import hsevo
from hsevo.errors import ConfigError
from hsevo.experiments import loggers
from hsevo.optional import need
from hsevo.replays import xml

BROKEN = {
    "a library that it needs": "import no_such_library_at_all",
    "a name that is gone": "import os\nos.no_such_name",
    "an error of its own": "raise RuntimeError('two\\nlines')",
    "a part that cannot be loaded": "raise ImportError('libcuda.so: cannot open shared object')",
}
USES = {
    "hsreplay": xml.check_installed,
    "tensorboardX": lambda: loggers.load("tensorboard"),
    "mlflow": lambda: loggers.load("mlflow"),
    "gymnasium": lambda: hsevo.make_vec("battle"),
    "pettingzoo": lambda: hsevo.aec_env(),
}


def test_what_is_there_is_returned() -> None:
    assert need("this", "json", install="nothing")[0].dumps(1) == "1"


@pytest.mark.parametrize("library", USES)
def test_a_missing_library_is_one_line(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    said = rf"needs {library}, which .* with: pip install"
    with pytest.raises(ConfigError, match=said) as told:
        USES[library]()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("library", USES)
def test_a_broken_library_is_one_line(library: str, how: str, tmp_path: Path,
                                      monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"{library}.py").write_text(BROKEN[how])
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ConfigError, match=f"needs {library}, which cannot be imported") as told:
        USES[library]()
    assert "\n" not in str(told.value)


def test_hsreplay_without_pkg_resources_says_what_it_needs(
        monkeypatch: pytest.MonkeyPatch) -> None:
    """As with setuptools 82 and later, or with none."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "hsreplay"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pkg_resources", None)
    with pytest.raises(ConfigError, match=r"pkg_resources.*pip install hsreplay 'setuptools<82'"):
        xml.check_installed()
