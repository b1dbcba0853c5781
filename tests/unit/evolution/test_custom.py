"""The user's own strategy and fitness: the contract, exact resuming, trust, and clear messages."""

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hsevo
from hsevo import config, trust
from hsevo.errors import AgentError, ConfigError, RunError
from hsevo.evolution import custom
from hsevo.evolution.fitness import Others, rate
from hsevo.evolution.run import Run
from hsevo.play import match
from hsevo.play.python_files import Code
from hsevo.runs.tables import individual_type
from tests.support import ROOT
from tests.support.command import fails
from tests.support.command import hsevo as command

MINE = """
import numpy as np

class Climber:
    '''Mutants of the best so far, by what it is told alone.'''
    def __init__(self, problem, step=0.1):
        self.problem, self.step = problem, step
        self.random = np.random.default_rng(problem.seed)
        self.best, self.told = problem.start, -np.inf

    def ask(self):
        p = self.problem
        steps = self.step * self.random.standard_normal((p.lam, len(p.names)))
        return np.clip(self.best + steps, p.low, p.high)

    def tell(self, weights, fitness, features=None):
        if fitness.max() > self.told:
            self.best, self.told = weights[fitness.argmax()], fitness.max()
        self.step *= 0.5 if features is None else 1 / features.mean()

def rate(wins, games, weights):
    return (wins / games).min(axis=(1, 2)) - 0.01 * weights.mean(axis=1)
"""
SMALL = {"games": 2, "decks": ["mage", "warrior"], "evolution.mu": 2, "evolution.lambda": 3,
         "evolution.generations": 3, "evolution.strategy": "py:mine.py#Climber",
         "evolution.options": {"step": 0.2}, "evolution.features": ["turns"],
         "rating.fitness": "py:mine.py#rate"}
TABLES = ("population.csv", "statistics.csv")


@pytest.fixture
def mine(here: Path) -> Path:
    path = here / "mine.py"
    path.write_text(MINE)
    return path


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget which files were named, as in a new process."""
    monkeypatch.setattr("hsevo.trust._named", set())


def content(path: str) -> list[bytes]:
    return [(Path(path) / name).read_bytes() for name in TABLES]


def test_workers_and_a_kill_change_nothing_and_verify_repeats_all(
        mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = hsevo.evolve("smoke", SMALL, out="whole", backend="serial")
    hsevo.evolve("smoke", {**SMALL, "evolution.generations": 2}, out="cut", workers=2)
    forget(monkeypatch)
    for refused in (lambda: Run("cut").resume(generations=3), Run("cut").verify):
        with pytest.raises(AgentError, match="add --trust"):
            refused()
    assert hsevo.Run("cut").config.evolution.generations == 2  # as it was
    assert command("evolve", "--resume", "cut", "--generations", 3, "--trust").exit_code == 0
    assert content("cut") == content("whole")
    assert (Path("whole/strategy.py").read_text() == MINE == Path("whole/fitness.py").read_text())
    assert "add --trust" in fails("verify", "whole")
    mine.unlink()  # the folder has all
    assert command("verify", "--trust", "whole").exit_code == 0
    assert whole.statistics["mean_sigma"].isna().all()
    assert whole.population["feature_turns"].gt(1).all()


def test_classes_and_functions_of_a_file_are_given_themselves(
        mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(mine.parent)
    monkeypatch.setitem(sys.modules, "mine", sys)  # so that it is gone after the test
    del sys.modules["mine"]
    module = importlib.import_module("mine")
    given = {**SMALL, "evolution.strategy": module.Climber, "rating.fitness": module.rate,
             "evolution.generations": 1}
    run = hsevo.evolve("smoke", given, out="run")
    assert run.config.evolution.strategy == f"py:{mine}#Climber"
    class Local: ...

    with pytest.raises(ConfigError, match="'Local', which is not at the top of a Python file"):
        hsevo.evolve("smoke", {**SMALL, "evolution.strategy": Local}, out="other")


def test_the_code_of_the_page_runs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/pages/how-to/experiment.md").read_text(encoding="utf-8")
    mine, call = (next(code for code in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
                       if code.startswith(begin)) for begin in ("# mine.py", "from mine import"))
    Path("mine.py").write_text(mine)
    monkeypatch.syspath_prepend(here)
    monkeypatch.setitem(sys.modules, "mine", sys)
    del sys.modules["mine"]
    exec(call, {"hsevo": hsevo})
    assert hsevo.Run("runs/own").verify().problems == []


def test_a_changed_file_does_not_resume_a_run(mine: Path) -> None:
    hsevo.evolve("smoke", {**SMALL, "evolution.generations": 1}, out="run")
    mine.write_text(MINE + "\n# another\n")
    for last in (2, None):  # done, and as after a kill
        with pytest.raises(RunError, match=r"mine\.py has changed since run was begun"):
            hsevo.Run("run").resume(generations=last, trust=True)
        Path("run/done").unlink(missing_ok=True)
    Path("run/strategy.py").write_text(mine.read_text())
    with pytest.raises(RunError, match=r"strategy.py is damaged"):
        hsevo.Run("run").resume(trust=True)


def test_a_strategy_with_other_random_numbers_does_not_resume(mine: Path) -> None:
    mine.write_text(MINE.replace("problem.seed", ""))
    hsevo.evolve("smoke", {**SMALL, "evolution.generations": 1}, out="run")
    for last in (2, None):  # prolonged, and as after a kill
        with pytest.raises(RunError, match=r"differs .* draw all random numbers from problem.seed"):
            hsevo.Run("run").resume(generations=last)
    assert "differs" in hsevo.Run("run").verify().problems[0]


def test_a_config_alone_does_not_run_a_file(mine: Path) -> None:
    Path("own.yaml").write_text("decks: [mage]\nevolution: {strategy: 'py:mine.py#Climber'}\n")
    mine.write_text("open('ran', 'w')")
    assert "is a Python file named by a config" in fails("evolve", "--config", "own.yaml")
    assert not Path("ran").exists()


def test_fitness_receives_the_games_by_candidate_deck_and_opponent(here: Path) -> None:
    """By hand: the first wins all games with its first deck, draws with the second."""
    plan = config.change(config.load("smoke"), {
        "decks": ["mage", "shaman"], "games": 2, "evolution.strategy": "py:f.py#f",
        "rating.fitness": "py:f.py#f", "evolution.mu": 1, "evolution.lambda": 2})
    seen: dict[str, Any] = {}

    def play(number: int, rows: Any, players: Any) -> Any:
        results = np.zeros(len(rows), match.RESULT)
        for side in "ab":
            first = rows[side] == 0
            results[f"wins_{side}"][first & (rows[f"deck_{side}"] == 0)] = 2
            results["draws"][first & (rows[f"deck_{side}"] == 1)] = 2
        results["turns"] = 20
        return results

    text = (f"def f({', '.join(custom.GIVEN)}, scale=3):\n"
            "    return f.hook(locals())").encode()
    own = custom.Rate(custom._Part.of(Code("f.py", "f.py", "f", text)), plan)
    own.part.value.hook = lambda given: seen.update(given) or [0.5, -1]  # type: ignore[attr-defined]
    field = np.zeros(2, individual_type(21))
    field["id"], field["weights"][:, 0] = [0, 1], [0.25, 0.75]
    rated = rate(plan, 1, 0, field, Others(field[:0], np.zeros(0)), play, own)
    assert rated.fitness.tolist() == [0.5, -1]
    assert seen["wins"].tolist() == [[[2, 2], [0, 0]], [[0, 0], [0, 0]]]
    assert seen["draws"].tolist() == [[[0, 0], [2, 2]], [[0, 2], [0, 2]]]
    assert seen["losses"].tolist() == [[[0, 0], [0, 0]], [[2, 0], [2, 0]]]
    assert seen["games"].tolist() == np.full((2, 2, 2), 2).tolist()
    assert seen["turns"].tolist() == np.full((2, 2, 2), 20).tolist()
    assert seen["wins_by_opponent"].tolist() == [[0, 4], [0, 0]]
    assert seen["games_by_opponent"].tolist() == [[0, 8], [8, 0]]
    assert seen["weights"][:, 0].tolist() == [0.25, 0.75]
    assert seen["scale"] == 3


@pytest.mark.parametrize(("code", "said"), [
    ("class S: pass", "takes no arguments"),
    ("class S:\n  def __init__(self, problem): pass\n  def ask(self): pass", "has no method tell"),
    ("class T: pass", "has no class or function 'S'; it defines T"),
    ("class S:\n  def __init__(self, problem):\n    self.x = 1 / 0", "ZeroDivisionError: division"
     " by zero (bad.py, line 3), when it was made"),
    ("x =", "cannot be run: SyntaxError: invalid syntax (bad.py, line 1)"),
    ("ASK return 5", "what ask returns must have the shape (n, 21), not (), in generation 0"),
    ("ASK return [[0.5]]", "must have the shape (n, 21), not (1, 1)"),
    ("ASK return [[0.5] * 21]", "ask must return 2 to 3 individuals, as they have no other"
     " opponents, but returned 1; evolution.lambda is the most, in generation 0"),
    ("ASK return [[0.5] * 21] * 4", "ask must return 2 to 3 individuals, as they have"),
    ("LOG return 5", "log must return numbers by name, not 5, before the first generation"),
    ("LOG return {'a b': 1}", "log can't return these numbers: the name 'a b' must be letters"),
    ("LOG return {'games': 1}", "the name games is a column of statistics.csv already"),
    ("LOG return {'sigma': 'x'}", "log returned sigma = 'x', which is no number"),
    ("ASK return 'abc'", "must be numbers, not 'abc'"),
    ("ASK return [[float('nan')] * 21] * 3", "must be finite"),
    ("ASK return [[2.0] * 21] * 3", "ask returned HHR = 2 for individual 0, but it must be from 0"),
    ("ASK raise SystemExit('stop')", "raised SystemExit: stop (bad.py, line 3), in generation 0"),
])
def test_a_wrong_strategy_is_one_line_and_no_folder(here: Path, code: str, said: str) -> None:
    whole = ("class S:\n  def __init__(self, p): pass\n  def ask(self): ASK\n"
             "  def tell(self, weights, fitness): pass")
    if code.startswith("LOG "):
        code = whole.replace("ASK", "pass") + f"\n  def log(self): {code[4:]}"
    code = whole.replace("ASK", code[4:]) if code.startswith("ASK ") else code
    Path("bad.py").write_text(code)
    error = fails("evolve", "--config", "smoke", "--out", "run", "--set", "evolution.lambda=3",
                  "--set", "evolution.mu=2", "--set", "evolution.strategy=py:bad.py#S")
    assert said in error
    assert error.count("\n") == 1
    assert not Path("run").exists()


@pytest.mark.parametrize(("settings", "said"), [
    (["evolution.strategy=py:none.py#S"], "there is no file none.py"),
    (["evolution.strategy=py:none.py"], "must be py:FILE.py#NAME"),
    (["evolution.strategy=cma"], "did you mean 'cma-me'?"),
    (["evolution.options={a: 1}"], "options are the arguments of your own strategy"),
    (["rating.fitness=py:mine.py#rates"], "did you mean 'rate'?"),
    (["rating.fitness=py:mine.py#Climber"], "has the parameter 'problem'"),
    (["rating.fitness=py:mine.py#rate", "rating.racing.rounds=2"], "can't be combined"),
    (["evolution.strategy=py:mine.py#Climber", "evolution.options={stepp: 1}"], "'stepp'"),
    (["evolution.strategy=py:mine.py#Climber", "evolution.mu=9"], "must be at least mu (9)"),
    (["evolution.features=[turns]", "evolution.strategy=map-elites", "evolution.lambda=9"],
     "a map has two axes"),
    (["evolution.features=[turns, hand, damage]", "evolution.strategy=py:mine.py#Climber"],
     "receives one or two"),
])
def test_wrong_keys_are_one_line(mine: Path, settings: list[str], said: str) -> None:
    words = [word for setting in settings for word in ("--set", setting)]
    error = fails("evolve", "--config", "smoke", "--out", "run", *words)
    assert said in error
    assert error.count("\n") == 1
    assert not Path("run").exists()


ADVISER = """
import numpy as np

class Adviser:
    '''Asks for 3, 2 and 4 individuals, and recommends the mean of those that it was told.'''
    def __init__(self, problem):
        self.problem, self.told = problem, []
        self.random = np.random.default_rng(problem.seed)

    def ask(self):
        p = self.problem
        return self.random.uniform(p.low, p.high, ([3, 2, 4][len(self.told)], len(p.names)))

    def tell(self, weights, fitness):
        assert len(weights) == [3, 2, 4][len(self.told)]
        self.told.append(weights)

    def best(self):
        return self.told[-1].mean(axis=0)

    def log(self):
        return {"told": len(self.told), "spread": self.told[-1].std() if self.told else None}
"""
ADVISED = {"games": 2, "decks": ["mage", "warrior"], "evolution.mu": 3, "evolution.lambda": 4,
           "evolution.generations": 3, "evolution.strategy": "py:adviser.py#Adviser"}


@pytest.fixture
def adviser(here: Path) -> Path:
    path = here / "adviser.py"
    path.write_text(ADVISER)
    return path


def test_a_recommendation_is_an_individual_and_the_best_of_its_generation(adviser: Path) -> None:
    run = hsevo.evolve("smoke", ADVISED, out="run")
    people, names = run.population, list(run.best.genome.names)
    assert people.groupby("generation")["individual"].apply(list).tolist() == [
        [0, 1, 2], [3, 4, 5], [6, 7, 8, 9, 10]]  # 5 and 10 are recommended
    assert people.groupby("generation")["survived"].sum().tolist() == [3, 3, 3]
    rows = people.set_index("individual")
    for individual, told in ((5, [0, 1, 2]), (10, [3, 4])):
        assert rows.loc[individual, names].to_numpy(float) == pytest.approx(
            rows.loc[told, names].to_numpy(float).mean(axis=0))
    figures = run.statistics
    assert figures["best_individual"].tolist()[1:] == [5, 10]
    assert figures["best"].tolist()[1:] == rows.loc[[5, 10], "fitness"].tolist()
    assert run.best.spec == "eva:run#individual-10" == hsevo.Run("run").agents[0].spec
    assert hsevo.Agent("eva:run").weights.equals(run.best.weights.rename("eva:run"))
    assert "individual-10" in run.champion(games=2).favourites
    assert run.verify().problems == []


def test_the_numbers_of_log_are_columns(adviser: Path) -> None:
    run = hsevo.evolve("smoke", ADVISED, out="run")
    assert run.statistics["told"].tolist() == [1, 2, 3]
    spread = run.population[run.population["generation"] == 0].set_index("individual").loc[
        :, list(run.best.genome.names)].to_numpy(float).std()
    assert run.statistics["spread"][0] == pytest.approx(spread)
    report = hsevo.report(run)
    table = report.table("logged")
    assert table["told"].tolist() == [1, 2, 3]
    assert "Your strategy recommends" not in report.page.read_text()
    assert "The recommendation of your strategy in generation 2." in report.page.read_text()
    assert "your strategy recommends: individual-10" in command(
        "evolve", "--resume", "run").output


def test_a_run_of_any_size_resumes_exactly(adviser: Path) -> None:
    whole = hsevo.evolve("smoke", ADVISED, out="whole")
    hsevo.evolve("smoke", {**ADVISED, "evolution.generations": 1}, out="cut")
    hsevo.Run("cut").resume(generations=2)
    (Path("cut") / "done").unlink()  # as after a kill
    assert hsevo.Run("cut").resume(generations=3).done
    assert content("cut") == content("whole")
    assert whole.verify().problems == []


def test_one_individual_meets_fixed_opponents(adviser: Path) -> None:
    adviser.write_text(ADVISER.replace("[3, 2, 4]", "[1, 4, 1]"))
    run = hsevo.evolve("smoke", {
        **ADVISED, "rating.opponents": {"agents": ["random"]}, "rating.shares": {"coevolution": 0},
        "references": {"against": ["random"], "every": 1, "games": 8}}, out="run")
    assert run.population.groupby("generation").size().tolist() == [1, 5, 2]
    assert run.references["individual"].tolist() == [0, 5, 7]  # recommended, except the first
    assert run.verify().problems == []


def test_modules_of_its_folder_are_recorded(
        here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("tools").mkdir()
    Path("tools/steps.py").write_text("SCALE = 0.2\n")
    Path("mine.py").write_text(MINE.replace("import numpy as np", "import numpy as np\n"
                                            "from tools import steps as sizes").replace(
                                                "= self.step *", "= sizes.SCALE *"))
    plan = {**SMALL, "evolution.generations": 1}
    hsevo.evolve("smoke", {**plan, "evolution.generations": 2}, out="whole")
    run = hsevo.evolve("smoke", plan, out="run")
    for name in ("strategy", "fitness"):
        assert Path(f"run/{name}/tools/steps.py").read_text() == "SCALE = 0.2\n"
    Path("tools/steps.py").write_text("SCALE = 0.3\n")
    assert run.verify(trust=True).problems == []  # by the recorded module
    with pytest.raises(RunError, match=r"steps\.py has changed since run was begun, .* restore it "
                                       r"from run/strategy/tools/steps\.py"):
        run.resume(generations=2)
    forget(monkeypatch)
    trust.named("py:mine.py#Climber")  # another module would run with it
    with pytest.raises(AgentError, match="add --trust"):
        run.verify()
    Path("tools/steps.py").unlink()
    assert content(run.resume(generations=2, trust=True).path) == content("whole")
    Path("run/strategy/tools/steps.py").write_text("SCALE = 0.3\n")
    with pytest.raises(RunError, match=r"steps\.py is damaged"):
        hsevo.Run("run").verify(trust=True)


def test_other_names_of_log_stop_the_run_in_one_line(adviser: Path) -> None:
    adviser.write_text(ADVISER.replace('"told":', 'f"told{len(self.told)}":'))
    with pytest.raises(ConfigError, match=r"log returned the names told1, spread, but told0, spr"):
        hsevo.evolve("smoke", ADVISED, out="run")


def test_an_error_in_tell_or_fitness_names_its_line_and_the_run_is_kept(mine: Path) -> None:
    mine.write_text(MINE.replace("self.step *=", "self.stop *="))
    with pytest.raises(ConfigError, match=r"no attribute 'stop' \(mine.py, line 19\), told of gen"):
        hsevo.evolve("smoke", SMALL, out="run")
    mine.write_text(MINE.replace("- 0.01", "- np.nan"))
    with pytest.raises(ConfigError, match=r"#rate: fitness must be finite, .* for generation 0"):
        hsevo.evolve("smoke", SMALL, out="other")
    assert pd.read_csv("run/log.txt", sep="\t", header=None)[0].str.contains("stopped by").any()
