"""What is installed: the wheel's files, declared dependencies, shipped configs and decks."""

import ast
import platform
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder

import hsevo
from hatch_build import MachineCode
from hsevo.config import find, shipped
from hsevo.engine.code_cache import SHIPPED
from tests.support import ROOT

CHANGES = ROOT / "CHANGELOG.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Where a distribution's name is not the module's.
IMPORTED_AS = {"pyyaml": "yaml", "scikit-learn": "sklearn", "open_spiel": "pyspiel",
               "stable-baselines3": "stable_baselines3"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> dict[str, str]:
    """Return the files in a wheel of this tree by their names; the text of WHEEL, "" of others."""
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")))
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() if name.endswith("/WHEEL") else ""
                for name in archive.namelist()}


def test_wheel_holds_the_whole_package(wheel):
    suffixes = ("py", "pyi", "csv", "parquet", "yaml", "j2", "css", "js")
    package = {str(path.relative_to(ROOT)) for suffix in suffixes
               for path in (ROOT / "hsevo").rglob(f"*.{suffix}")}
    assert package <= {*wheel}
    assert {"hsevo/py.typed", "hsevo/cards/dbf.csv",
            "hsevo/agents/genomes/groups_2018.csv"} <= {*wheel}


def test_wheel_ships_configs_and_decks(wheel):
    for folder, suffix in (("configs", "yaml"), ("configs/learning", "yaml"),
                           ("configs/decks", "yaml"), ("configs/coevolve", "yaml"),
                           ("configs/studies", "yaml"), ("configs/ladders", "yaml"),
                           ("decks", "txt")):
        files = {f"hsevo/{path.relative_to(ROOT)}" for path in (ROOT / folder).glob(f"*.{suffix}")}
        assert files
        assert files <= {*wheel}


def test_a_wheel_with_machine_code_is_for_one_python_and_platform(tmp_path, monkeypatch):
    """A pure one would be installed everywhere, and nothing would be loaded from it."""
    code = tmp_path / "code"
    code.write_bytes(b"machine code")
    monkeypatch.setenv("HSEVO_MACHINE_CODE", str(code))
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path / "dist"), versions=["standard"])
    minor = sys.version_info.minor
    assert f"-cp3{minor}-cp3{minor}{sys.abiflags}-manylinux_2_17_{platform.machine()}.whl" in path
    with zipfile.ZipFile(path) as archive:
        assert archive.read(SHIPPED.relative_to(ROOT).as_posix()) == b"machine code"
        about, = (name for name in archive.namelist() if name.endswith("WHEEL"))
        assert "Root-Is-Purelib: false" in archive.read(about).decode()


def test_an_editable_install_carries_no_machine_code(monkeypatch):
    monkeypatch.setenv("HSEVO_MACHINE_CODE", "code")
    data = {"force_include": {}, "pure_python": True}
    MachineCode(str(ROOT), {}, None, None, "", "wheel").initialize("editable", data)
    assert data == {"force_include": {}, "pure_python": True}


def test_a_wheel_without_machine_code_is_for_every_python(wheel):
    about, = (name for name in wheel if name.endswith("WHEEL"))
    assert SHIPPED.relative_to(ROOT).as_posix() not in wheel
    assert wheel[about].splitlines()[2:] == ["Root-Is-Purelib: true", "Tag: py3-none-any"]


def test_wheel_holds_nothing_else(wheel):
    known = re.compile(r"hsevo/|hsevo-[\d.]+(?:dev\d+)?\.dist-info/")
    assert [name for name in wheel if not known.match(name)] == []


def test_shipped_files_are_found_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find("cig2018.yaml", "configs") == shipped("configs") / "cig2018.yaml"
    assert find("mage", "decks") == shipped("decks") / "mage.txt"


def test_every_import_is_a_declared_dependency_and_the_other_way_round():
    extras = PROJECT["optional-dependencies"]
    used_here = [name for name in sorted(extras) if name not in ("dev", "docs", "peers")]
    lines = PROJECT["dependencies"] + [line for name in used_here for line in extras[name]]
    names = [re.match(r"[\w-]+", line)[0] for line in lines]
    declared = {IMPORTED_AS.get(name, name) for name in names}
    used = set().union(*(_imports(path) for path in (ROOT / "hsevo").rglob("*.py")))
    used -= {"hsevo", "pydantic_core", *sys.stdlib_module_names}  # pydantic brings its core
    assert used <= declared
    # dask comes with distributed, and both are used through joblib; sb3-contrib has the learner
    # that hsevo.make_sb3 is for; uvicorn speaks with websockets and h11; an example uses
    # ribs, and hsevo sweep imports optuna by name
    assert declared - used <= {"dask", "distributed", "pyarrow", "sb3-contrib", "websockets", "h11",
                               "ribs", "optuna"}


def test_actions_of_others_are_pinned_by_commit():
    """A tag can be moved to other code."""
    used = [line for path in (ROOT / ".github" / "workflows").glob("*.yml")
            for line in path.read_text().splitlines() if "uses:" in line]
    assert used
    for line in used:
        assert re.search(r"uses: [\w/-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", line), line


def test_the_lowest_versions_of_all_libraries_can_be_audited():
    """`.ci/bounds` has a line for each that has a lower bound; PyTorch since CVE-2026-24747."""
    found = subprocess.run([sys.executable, ROOT / ".ci" / "bounds"], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.split()
    extras = PROJECT["optional-dependencies"].values()
    named = {re.match(r"[\w-]+", line)[0] for line in
             PROJECT["dependencies"] + [one for extra in extras for one in extra]}
    assert {line.partition("==")[0] for line in found} == named - {"hsevo"}
    torch, = (line for line in found if line.startswith("torch=="))
    assert tuple(map(int, torch.removeprefix("torch==").split("."))) >= (2, 10)


def _imports(path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add((node.module or "").partition(".")[0])
    return modules


def test_version_is_said_once():
    assert "version" in PROJECT["dynamic"]
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+)?", hsevo.__version__)


def test_a_development_version_is_newer_than_every_release() -> None:
    """Main carries the next version with .dev0, so that its results are not taken for a release's.
    """
    released = re.findall(r"^## (\d+)\.(\d+)\.(\d+) ", CHANGES.read_text(encoding="utf-8"),
                          flags=re.MULTILINE)
    own = tuple(int(part) for part in hsevo.__version__.split(".")[:3])
    newest = max(tuple(int(part) for part in one) for one in released)
    assert own > newest if ".dev" in hsevo.__version__ else own == newest


def test_the_citation_is_as_its_schema_asks() -> None:
    """Keys that CFF 1.2.0 requires, and those of a person, an entity and a reference."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert not {"message", "title", "authors", "version", "date-released"} - {*cited}
    assert {*cited} <= {"cff-version", "message", "title", "type", "license", "authors", "version",
                        "date-released", "abstract", "keywords", "preferred-citation",
                        "references"}
    assert cited["type"] in ("software", "dataset")
    people = [one for work in (cited, *cited["references"]) for one in work["authors"]]
    for one in people:
        assert {*one} in ({"name"}, {"family-names", "given-names"})
        assert all(isinstance(value, str) and value for value in one.values())
    for work in cited["references"]:
        assert not {"type", "title", "authors"} - {*work}
        assert re.fullmatch(r"10\.\d{4,9}/\S+", work["doi"])
    # Of the newest release: quoted, because a YAML date or number is not the text that CFF wants.
    released = re.search(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)", CHANGES.read_text(encoding="utf-8"),
                         flags=re.MULTILINE)
    assert released
    assert (cited["version"], str(cited["date-released"])) == released.groups()
