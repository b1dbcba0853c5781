"""The house's own rules, read from the sources: floors, cards as data, nameless kernels, sizes."""

import ast
import csv
import dataclasses
import importlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import entry_points
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import hsevo
from hsevo import sources
from hsevo.agents.learned.nets import HOSTED
from hsevo.play.match import Setting
from hsevo.play.players import GROUP, PlayerFamily
from hsevo.runs.folder import METHOD_SOURCES
from hsevo.sources import COURSE, KERNELS, NOT_KERNELS

PACKAGE = Path(__file__).parent.parent / "hsevo"
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__init__.py"
}

# Whom each package may import, from the ground up: itself, and those named before it.
ORDER = ("ground", "store", "cards", "engine", "agents", "play", "experiments", "runs", "replays",
         "strength", "evolution", "learning", "open_spiel", "deckbuilding", "coevolution",
         "metagame", "benches", "analysis", "reports", "web", "cli")
GROUND = {"digests", "errors", "files", "generated", "objects", "config", "optional",
          "pages", "pictures", "registration", "seeds", "sources", "texts", "types", "trust"}
# The rooms of the engine, likewise; who compiles is named first, `internals` by it alone.
ENGINE_ROOMS = ("intrinsics", "jit", "record", "rules", "operations", "forecast", "game", "view")
# Those of the agents: what all share first, then families, then what puts them together.
AGENT_ROOMS = ("shared", "genomes", "network", "eva", "greedy", "turn_search", "mcts", "learned",
               "choose", "options", "registry")
# Libraries that only one module or package may import.
ROOMS = {
    "inspyred": {"evolution.strategies"},
    "cma": {"evolution.strategies"},
    "optuna": {"learning.sweeps"},
    "joblib": {"play.workers"},
    "click": {"cli"},
    "pydantic": {"config"},
    "yaml": {"config.loader"},
    "hearthstone": {"cards.decks"},
    "tensorboardX": {"experiments.loggers"},
    "matplotlib": {"pictures"},
    "jinja2": {"pages"},
    "sklearn": {"reports.groups"},
    "gymnasium": {"learning.vector", "learning.aec", "learning.single", "learning.texts",
                  "learning.sb3", "registration"},
    "stable_baselines3": {"learning.sb3", "learning.environments"},  # there a type alone
    "pettingzoo": {"learning.aec"},
    "pyspiel": {"open_spiel"},
    "starlette": {"web"},
    "uvicorn": {"web.serving", "web.entrance"},
    "anyio": {"web"},  # Starlette's own threads
    "torch": {f"learning.end_to_end{module}" for module in (
        ".network", ".picking", ".isolated", ".building", ".drafts", ".batches", ".losses",
        ".saved", ".updates", ".learner", ".recurrence")},
    "numba": {"engine.jit", "engine.internals", "engine.intrinsics",
              "benches.games"},  # there a reference that is no part of the engine
}
# Who begins games by single rules: the public API, and measurements, whose rules are the defaults.
LOOSE_GAMES = {"strength.games", "benches.decision", "play.decision_times"}
# Card files are a table, and may be as long as it is; sequences of play are written like a card.
CARD_FILES = [name for name in MODULES if name.startswith("cards.sets.")]
LITERALS = (
    ast.Module, ast.Import, ast.ImportFrom, ast.alias, ast.Assign, ast.AnnAssign, ast.Expr,
    ast.Call, ast.keyword, ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.List, ast.Dict,
    ast.UnaryOp, ast.USub, ast.expr_context,
)  # fmt: skip


RULES: list[Callable[[], Iterable[object]]] = []  # each returns who offends against it


def rule(check: Callable[[], Iterable[object]]) -> Callable[[], Iterable[object]]:
    """Have a rule kept."""
    RULES.append(check)
    return check


def test_the_rules_of_the_house_are_kept():
    """Every offender against every rule is listed."""
    offenders = {check.__name__: [*check()] for check in RULES}
    assert {name: found for name, found in offenders.items() if found} == {}


@cache
def trees() -> dict[str, ast.Module]:
    """Return the syntax tree of each module."""
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def lines(module: str) -> list[str]:
    """Return the lines of a module."""
    return MODULES[module].read_text(encoding="utf-8").splitlines()


def package(module: str) -> str:
    """Return the package of a module: "play" of "play.match"; single files are the ground."""
    first = module.partition(".")[0]
    return "ground" if first in GROUND else "cli" if first == "__main__" else first


def allowed(package: str) -> set[str]:
    """Return the packages that one may import."""
    return {*ORDER[: ORDER.index(package) + 1]}


@cache
def walked(module: str) -> list[ast.AST]:
    """Return all nodes of a module's tree."""
    return list(ast.walk(trees()[module]))


def nodes(modules: Iterable[str], *kinds: type[ast.AST]) -> Iterator[tuple[str, Any]]:
    """Yield the nodes of some kinds in some modules, each with its module."""
    for module in modules:
        yield from ((module, node) for node in walked(module) if isinstance(node, kinds))


@cache
def imported(tree: ast.Module) -> frozenset[str]:
    """Return what a module imports, anywhere in it: "hsevo.cards.tables", "numpy".

    A text that is the name of a module counts as well: it may be imported by it.
    """
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and str(node.value).removeprefix("hsevo.") in MODULES:
            names |= {node.value} if str(node.value).startswith("hsevo.") else set()
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {name for name in inside if name.removeprefix("hsevo.") in MODULES}
            names |= modules or {str(node.module)}
    return frozenset(names)


@rule
def no_code_makes_a_setting_of_some_rules_alone():
    """A rule that is left out would have its default, whatever was asked for: replace() keeps all.

    `GameBatch.new` takes rules one by one, as users have them; `under` takes a setting whole.
    """
    # Contests of agents have no use for `all_places`: None offers agents what they consider. Nor
    # for `first`: their games are pairs, in which each agent has both seats of each pairing.
    fields = len(dataclasses.fields(Setting)) - 2
    for module, node in nodes(MODULES, ast.Call):
        called = ast.unparse(node.func)
        if called in ("Setting", "match.Setting"):
            starred = any(isinstance(one, ast.Starred) for one in node.args)
            if not starred and len(node.args) + len(node.keywords) < fields:
                yield f"{module}: {ast.unparse(node)}"
        if called in ("GameBatch.new", "games.GameBatch.new") and module not in LOOSE_GAMES:
            yield f"{module} begins games without a setting"


def arrows() -> list[tuple[str, str]]:
    """Return who imports whom inside hsevo: modules, "play.match" and "engine.jit"."""
    return [(module, name.removeprefix("hsevo.")) for module, tree in trees().items()
            for name in sorted(imported(tree)) if name.startswith("hsevo.")]


@rule
def imports_go_one_way():
    return [f"{module} imports {name}" for module, name in arrows()
            if package(name) not in allowed(package(module))]


@rule
def imports_of_rooms_go_one_way():
    for module, name in arrows():
        floor, other = module.partition(".")[0], name.partition(".")[0]
        order = {"engine": ENGINE_ROOMS, "agents": AGENT_ROOMS}.get(floor, ())
        if order and floor == other:
            room, used = module.split(".")[1], name.split(".")[1]
            compiler = module == "engine.jit"  # which is named first, and uses `internals`
            if room in order and not compiler and used not in order[: order.index(room) + 1]:
                yield f"{module} imports {name}"


def test_an_import_by_a_text_is_seen():
    tree = ast.parse("found = load('hsevo.learning.slots')")
    assert imported(tree) == {"hsevo.learning.slots"}
    assert package("learning.slots") not in allowed("play")


def test_who_plays_registers_from_above():
    """Entry points name modules that have all of a family; nothing but pyproject.toml names them.
    """
    named = {one.name: one.value for one in entry_points(group=GROUP)}
    assert {*named} == {*HOSTED.values()}
    wanted = {name for name in vars(PlayerFamily) if not name.startswith("_")} | {
        *PlayerFamily.__annotations__}
    assert wanted > {"SCORED", "BATCHED", "RECORDED", "CLOSED", "bot", "read"}
    for kind, value in named.items():
        tree = trees()[value.removeprefix("hsevo.")]
        names = {target.id for node in ast.walk(tree) if isinstance(node, ast.Assign)
                 for part in node.targets for target in ast.walk(part)
                 if isinstance(target, ast.Name)}
        names |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        missing = wanted - names
        assert missing <= ({"play_rows", "play_block"} if kind == "python" else set())


@rule
def no_package_takes_the_name_of_a_public_function():
    """Importing a module of it would set hsevo.NAME to the package."""
    return ({package(name) for name in MODULES} | {*MODULES}) & {*hsevo.__all__}


def test_no_import_circle():
    """Inside a package, too: TopologicalSorter raises CycleError."""
    graph = {module: {name.removeprefix("hsevo.") for name in imported(tree)} - {module}
             for module, tree in trees().items()}
    assert set(TopologicalSorter(graph).static_order()) >= set(MODULES)


def test_the_cache_of_machine_code_is_named_by_all_that_kernels_read():
    """Card data are arguments; everything else that kernel modules import is in their code.

    Of cards.tables the engine has the dtype alone, which is in the name too (engine/jit.py).
    """
    named = set(sources.files(KERNELS, NOT_KERNELS))
    kernels = [name for name, path in MODULES.items()
               if path in named and not name.startswith("cards.") and name != "engine.jit"]
    read = {name.removeprefix("hsevo.") for module in kernels for name in imported(trees()[module])}
    read -= {"types"}  # annotations, which kernels do not read
    assert {name for name in read if name in MODULES and MODULES[name] not in named} == set()
    assert len(kernels) > 10
    used = [node.id for node in ast.walk(trees()["engine.jit"]) if isinstance(node, ast.Name)]
    assert used.count("TABLES") == 2  # its numba type, and the name of the cache


@rule
def what_fingerprints_are_made_of_is_there():
    return [name for names in (COURSE, METHOD_SOURCES, KERNELS, NOT_KERNELS) for name in names
            if not (PACKAGE / name).exists()]


@rule
def each_library_has_its_room():
    return [f"{module} imports {library}" for module, tree in trees().items()
            for library in {name.partition(".")[0] for name in imported(tree)} & {*ROOMS}
            if not {module, module.partition(".")[0]} & ROOMS[library]]


@rule
def card_files_are_data():
    """No def, lambda, if, for or comprehension: only calls of the vocabulary with literals."""
    return [f"{module}:{getattr(node, 'lineno', '?')} {type(node).__name__}"
            for module, node in nodes([*CARD_FILES, "cards.sequences"], ast.AST)
            if not isinstance(node, LITERALS)]


def test_card_files_are_written_in_words():
    """No raw rows: no class of `terms` or `model` but two, and an integer only where it counts."""
    classes = {node.id for _, node in nodes(CARD_FILES, ast.Name)
               if node.id[0].isupper() and not node.id.isupper()}
    assert classes <= {"CostRule", "Need"}
    numbers = {node.arg for _, node in nodes(CARD_FILES, ast.keyword)
               if isinstance(node.value, ast.Constant) and type(node.value.value) is int}
    assert numbers <= {"bigger", "cheaper", "copies", "cost", "costing", "dearer", "durability",
                       "goal", "health", "least", "overload", "power_damage", "spell_damage"}


@rule
def card_lines_keep_to_120_columns():
    return [f"{module}:{i}" for module in MODULES if module.startswith("cards.")
            for i, line in enumerate(lines(module), start=1)
            if len(line) > (120 if module in CARD_FILES else 100)]


@cache
def card_names() -> set[str]:
    with (PACKAGE / "cards" / "dbf.csv").open(encoding="utf-8", newline="") as file:
        return {text for row in csv.DictReader(file) for text in (row["id"], row["name"])}


@rule
def the_kernel_knows_no_card_by_name():
    engine = [name for name in MODULES if name.startswith("engine.")]
    return [f"{module}: {node.value}" for module, node in nodes(engine, ast.Constant)
            if isinstance(node.value, str) and node.value in card_names()]


def lengths() -> list[int]:
    """Return the length in lines of each function of the package."""
    return [(node.end_lineno or node.lineno) - node.lineno + 1
            for _, node in nodes(MODULES, ast.FunctionDef)]


def test_functions_are_short():
    """Median at most 8 lines, nine in ten at most 30."""
    assert median(lengths()) <= 8
    assert quantiles(lengths(), n=10)[-1] <= 30


@rule
def files_are_short():
    """At most 800 lines with docstrings, which are the reference, and 600 without."""
    for module in {*MODULES} - {*CARD_FILES}:
        length = len(lines(module))
        if length > 800 or length - described(module) > 600:
            yield module, length


def described(module: str) -> int:
    """Return the number of lines of a module that are docstrings."""
    values = [node.value for _, node in nodes([module], ast.Expr)
              if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)]
    return sum((value.end_lineno or value.lineno) - value.lineno + 1 for value in values)


# Kernels, a game and its environments have more than eight parameters.
MANY = {"engine.rules.events.next_trigger", "engine.rules.events.fire_card",
        "agents.mcts.network_tree.add_children", "learning.expected.expect",
        "learning.gradient.adam", "learning.gradient.spread",
        "learning.policy_gradient.add_policy_gradient", "learning.slots.__init__",
        "play.session.__init__", "strength.games.__init__"}


@rule
def functions_take_at_most_eight_things():
    """What belongs together is a plan, or the typed keywords of a plan."""
    for module, node in nodes(MODULES, ast.FunctionDef, ast.AsyncFunctionDef):
        given = node.args
        number = len([*given.posonlyargs, *given.args, *given.kwonlyargs])
        if number > 8 and f"{module}.{node.name}" not in MANY:
            yield module, node.name, number


# Names that say nothing of what a variable holds.
VAGUE = {"found", "given", "kept", "one", "made", "again", "team"}
# Public keywords may have them: another name would break the calls of users.
VAGUE_KEYWORDS = {
    "analysis.exercising.cost_of: one": "the exercise, a parameter of hsevo.cost_of",
    "cards.decks.export_decks: given": "the decks, a parameter of hsevo.export_decks",
}
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp,
          ast.DictComp, ast.GeneratorExp)


def own_names(node: ast.AST) -> set[str]:
    """Return the names that a node gives to parameters or variables."""
    match node:
        case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
            return {name}
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            return {name}
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return {name}
        case ast.alias(name=name, asname=alias):
            return {alias or name}
    return set()


@rule
def variables_have_the_names_of_their_contents():
    """No vague names in functions, lambdas and comprehensions, and no exception that has none."""
    vague = {f"{module}.{getattr(scope, 'name', scope.lineno)}: {name}"
             for module, scope in nodes(MODULES, *SCOPES)
             for node in ast.walk(scope) for name in own_names(node) & VAGUE}
    return sorted(vague ^ {*VAGUE_KEYWORDS})


# Two streams whose keys differ in length share a number; see there.
SHARED_NUMBERS = {"seeds.Stream": ["2 ** 32 + 2"]}


@rule
def members_of_an_enum_have_different_values():
    """Else one is another name of the other, as two commands of the kernels once were."""
    for module, node in nodes(MODULES, ast.ClassDef):
        if any(ast.unparse(base).endswith(("Enum", "Flag")) for base in node.bases):
            values = [ast.unparse(line.value) for line in node.body
                      if isinstance(line, ast.Assign)
                      and not isinstance(line.value, ast.Call)]  # a call makes a new one
            twice = sorted({one for one in values if values.count(one) > 1})
            if twice != SHARED_NUMBERS.get(f"{module}.{node.name}", []):
                yield f"{module}.{node.name}: {', '.join(twice)}"


@rule
def every_public_thing_has_a_docstring():
    return [
        f"{module}.{node.name}"
        for module, tree in trees().items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
        and [ast.unparse(one) for one in node.decorator_list] != ["overload"]
    ]


# A 21 above the agents that is no number of weights, by the name that it is given or belongs to.
OTHER_21 = {"reports.charts": {"BOXES"}, "play.entry": {"GO_ON_SLOTS"}}


@rule
def nothing_above_the_agents_knows_evas_weights():
    """Names, bounds and their number come from the genome of the agent at hand."""
    above = ORDER[ORDER.index("agents") + 1:]
    modules = [module for module in MODULES if package(module) in above]
    yield from (f"{module} imports {alias.name}" for module, node in nodes(modules, ast.ImportFrom)
                if node.module == "hsevo.agents.genomes.weights" for alias in node.names
                if alias.name in {"NAMES", "GLOSSARY", "PROGRAM_ORDER", "EVA"})
    fine = set()
    for module in modules:
        fine |= {id(inner) for node in ast.walk(trees()[module]) if isinstance(node, ast.Assign)
                 and getattr(node.targets[0], "id", "") in OTHER_21.get(module, set())
                 for inner in ast.walk(node)}
    fine |= {id(node.value) for _, node in nodes(modules, ast.Expr)}  # docstrings, with examples
    yield from (f"{module}:{node.lineno}" for module, node in nodes(modules, ast.Constant)
                if id(node) not in fine and (node.value == 21 or (
                    isinstance(node.value, str) and "21 weights" in node.value)))


def test_a_face_has_all_that_its_stub_names():
    """Also, a name is no module's: importing that would put the module in its place."""
    for stub in sorted(PACKAGE.rglob("__init__.pyi")):
        package = stub.parent
        name = ".".join(("hsevo", *package.relative_to(PACKAGE).parts))
        face = importlib.import_module(name)
        names = {alias.asname for node in ast.parse(stub.read_text(encoding="utf-8")).body
                 if isinstance(node, ast.ImportFrom) for alias in node.names}
        assert names == set(face.__all__), name
        assert all(getattr(face, one) is not None for one in names), name
        assert names & {path.stem for path in package.iterdir()} == set(), name


@rule
def a_package_says_what_it_is_for():
    return [str(path) for path in sorted(PACKAGE.rglob("__init__.py"))
            if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
