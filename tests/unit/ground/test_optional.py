"""Optional libraries that are missing, or broken: one line that says what to install."""

import sys
from pathlib import Path

import pytest

import hsevo
from hsevo.config import Workers
from hsevo.errors import ConfigError
from hsevo.experiments import loggers
from hsevo.optional import need
from hsevo.play.workers import open_workers

BROKEN = {
    "a library that it needs": "import no_such_library_at_all",
    "a name that is gone": "import os\nos.no_such_name",
    "an error of its own": "raise RuntimeError('two\\nlines')",
    "a part that cannot be loaded": "raise ImportError('libcuda.so: cannot open shared object')",
}
USES = {
    "distributed": lambda: open_workers(Workers(backend="dask")).__enter__(),
    "tensorboardX": lambda: loggers.load("tensorboard"),
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
