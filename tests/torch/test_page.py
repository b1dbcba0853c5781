"""What shows the end-to-end learner works: the page and the example, with fewer games."""

import re
import runpy
from pathlib import Path

import pytest

from hsevo import config
from hsevo.config.learning import NetworkSettings, Plan
from tests.support import ROOT
from tests.torch.support import plan_of

PAGE = ROOT / "docs" / "pages" / "how-to" / "end-to-end.md"
EXAMPLE = ROOT / "examples" / "end_to_end.py"


def test_the_code_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                   capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    names: dict[str, object] = {}
    exec(compile(code.replace("games=16", "games=1").replace("games=200", "games=4"), PAGE, "exec"),
         names)
    assert Path("learner.pt").exists()
    assert re.search(r"^\d+\.\d\d % \(\d+\.\d\d to \d+\.\d\d\)$", capsys.readouterr().out, re.M)


def test_the_example_stops_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn = runpy.run_path(str(EXAMPLE))["learn"]
    plan = plan_of(4, embedding=4, width=6, lstm=5)
    straight = learn(tmp_path / "a.pt", 2, plan, games=4)
    learn(tmp_path / "b.pt", 1, plan, games=4)
    assert learn(tmp_path / "b.pt", 2, plan, games=4) == straight
    assert capsys.readouterr().out.count("against eva:2018") == 3


@pytest.mark.parametrize(("arguments", "code", "says"), [
    ([], 0, "python examples/end_to_end.py mage.pt 50"),
    (["mage.pt", "many"], 2, "python examples/end_to_end.py mage.pt 50"),
    ([str(EXAMPLE), "2"], 2, "end_to_end.py is not a checkpoint of the end-to-end learner"),
])  # fmt: skip
def test_the_example_says_what_is_wrong(arguments: list[str], code: int, says: str,
                                        monkeypatch: pytest.MonkeyPatch,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", [str(EXAMPLE), *arguments])
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert stopped.value.code == code
    assert says in "".join(capsys.readouterr())


def test_the_page_s_table_has_the_numbers_of_the_code() -> None:
    rows = dict(re.findall(r"^\| `([\w.]+)`[^|]*\| ([^|]*\|[^|]*) \|$", PAGE.read_text(
        encoding="utf-8"), re.M))
    small, paper = NetworkSettings(), config.load("end-to-end-paper", model=Plan).network
    assert rows["network.lstm"].startswith(f"{small.lstm}, {small.width}, {small.embedding} |"
                                           f" {paper.lstm}, {paper.width}, {paper.embedding} ")
    assert rows["network.rate"] == f"{small.rate} | {paper.rate:f}".rstrip("0")
    assert rows["network.updates"].startswith(f"{small.updates} | {paper.updates} ")
    assert {"osfp.samples", "osfp.score", "network.device"} <= rows.keys()
