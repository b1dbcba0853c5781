"""The text of hsevo/generated.py: keywords, options and names, made of the fields of plans.

`make pages` writes it. So a key of a plan, its type and its description stand once, in
hsevo/config, and neither --help nor Tab has to load pydantic.
"""

import re
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

import hsevo
from hsevo.agents.registry import EVOLVED, ROSTER
from hsevo.config import Config, Rules, Workers, coevolution, contests, deckbuilding, learning
from hsevo.config.contests import ContestSettings
from hsevo.metagame.series import SeriesPlan
from hsevo.strength.panel import panels

PATH = Path(hsevo.__file__).parent / "generated.py"
WIDTH = 100
KEYS = {"workers": "workers.count", "backend": "workers.backend"}  # which have shorter names
# A class of keywords for each plan of a run. `out` its function has itself; None is not given.
RUNS: dict[str, type[BaseModel]] = {
    "EvolveFields": Config, "LearnFields": learning.Plan, "DeckFields": deckbuilding.Plan,
    "CoevolveFields": coevolution.Plan}
# And for each contest: the class that it adds to, and the keys that its function has itself.
CONTESTS: dict[str, tuple[str, type[BaseModel], Collection[str]]] = {
    "RulesFields": ("WorkersFields", Rules, ("decks",)),
    "MatchFields": ("RulesFields", contests.MatchSettings, ContestSettings.model_fields),
    "DatasetFields": ("RulesFields", contests.DatasetSettings, ContestSettings.model_fields),
    "SeriesFields": ("RulesFields", SeriesPlan, {*Rules.model_fields, *"ab", "mine", "theirs",
                                                 "series"}),
    "NerfFields": ("RulesFields", contests.NerfSettings, contests.MetaSettings.model_fields),
    "BalanceFields": ("WorkersFields", contests.BalanceSettings, ("pilot",)),
    "ExploitFields": ("WorkersFields", contests.ExploitSettings, ("games",)),
    "ExamineFields": ("RulesFields", contests.ExamineSettings, ("seed",))}
# The keys that are options of a command, too; for all others of a config there is --set.
OPTIONS: dict[str, tuple[type[BaseModel], tuple[str, ...]]] = {
    "rules": (Rules, ("decks", "seed", "ruleset", "information", "max_turns")),
    "workers": (Workers, ("workers", "backend")),
    "match": (contests.MatchSettings, ("games", "sprt", "alpha", "beta")),
    "dataset": (contests.DatasetSettings, ("games", "history", "shard_games")),
    "arena": (ContestSettings, ("games",)),
    "series": (SeriesPlan, ("format", "ban", "choose", "scouting", "series")),
    "meta matrix": (contests.MetaSettings, ("pilots", "games")),
    "meta nerf": (contests.NerfSettings, ("pilots", "games", "re_evolve", "evolve_games",
                                          "classes")),
    "meta balance": (contests.BalanceSettings, (
        "pilot", "most", "proposals", "games", "confirm", "re_evolve", "evolve_games", "seed",
        "ruleset", "max_turns")),
    "exploit": (contests.ExploitSettings, (
        "games", "start", "pretrained", "decks", "search", "measure", "seed")),
    "examine": (contests.ExamineSettings, ("games",)),
    "evolve": (Config, ("seed", "executions")),
    "learn": (learning.Plan, ("seed", "start", "against")),
    "decks evolve": (deckbuilding.Plan, ("seed",)),
    "coevolve": (coevolution.Plan, ("seed",))}
METAVARS = {"decks": "A,B,...", "ruleset": "NAME|FILE", "information": "fair|closed|leaky",
            "start": "scratch|AGENT", "against": "AGENT", "sprt": "ELO0 ELO1", "alpha": "P",
            "beta": "P", "pilots": "A,B,...", "pilot": "AGENT", "classes": "A,B,...|all",
            "format": "conquest|last-hero-standing", "choose": "uniform|best",
            "pretrained": "AGENT", "exploit start": "AGENT", "meta balance ruleset": "NAME"}
KINDS = {"boolean": "flag", "integer": "whole", "number": "number"}
PLAIN = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}
HEAD = '''"""Keywords of functions, options of commands, and names that Tab completes.

Made by `make pages` of the fields of plans (hsevo/config), the agents and the panels: change these.
Types and descriptions stand here so that neither --help nor Tab loads pydantic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

# Keys of sections that have shorter names.
KEYS = {keys}


class PlanOption(NamedTuple):
    """An option of a command that is a key of its plan.

    kind: text, whole (a number), number, pair (two numbers) or flag. choices: its only values.
    least: the lowest whole number. All else the plan checks.
    """

    name: str
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    kind: str = "text"
    least: int | None = None
'''


def text() -> str:
    """Return the text of hsevo/generated.py."""
    parts = [HEAD.replace("{keys}", repr(KEYS).replace("'", '"'))]
    parts.append("\n\nclass WorkersFields(TypedDict, total=False):\n"
                 '    """How games run in parallel."""\n\n' + "\n".join(_workers()))
    every = {name: ("WorkersFields", model, ("out", "workers")) for name, model in RUNS.items()}
    parts += [f"\n\nclass {name}({above}, total=False):\n"
              f'    """{_first(model)}"""\n\n' + "\n".join(_fields(model, without, name in RUNS))
              for name, (above, model, without) in {**CONTESTS, **every}.items()]
    parts.append("\n\nOPTIONS: dict[str, tuple[PlanOption, ...]] = {\n"
                 + "".join(_options(command, *of) for command, of in OPTIONS.items()) + "}\n")
    names = {"NAMED": tuple(ROSTER), "EVOLVED": tuple(EVOLVED), "PANELS": tuple(panels())}
    parts += [_names(name, values) for name, values in names.items()]
    return "\n".join(part.rstrip("\n") for part in parts) + "\n"


def _first(model: type[BaseModel]) -> str:
    return (model.__doc__ or "").partition("\n")[0]


def _fields(model: type[BaseModel], without: Collection[str], none: bool) -> Iterator[str]:
    """Yield the lines of a class of keywords: its keys, whose names are those of Python.

    none: whether None stands for what is not given.
    """
    for key, one in model.model_json_schema(by_alias=True)["properties"].items():
        if key not in without and key.isidentifier():
            yield from _field(key, one, none)


def _workers() -> Iterator[str]:
    schema = Workers.model_json_schema()
    yield from _field("workers", schema["properties"]["count"], True)
    yield from _field("backend", schema["properties"]["backend"], True)


def _field(key: str, one: Mapping[str, Any], none: bool) -> Iterator[str]:
    hints = dict.fromkeys([*_hints(one), *["None"] * none])
    known = [hint for hint in hints if "str" not in hints or not hint.startswith("Literal")]
    yield f"    {key}: {' | '.join(known)}"
    yield from _text(one.get("description", ""), 4)


def _hints(one: Mapping[str, Any]) -> Iterator[str]:
    """Yield the types of a key, as text."""
    if "enum" in one:
        yield f"Literal[{', '.join(map(_quoted, one['enum']))}]"
    elif "$ref" in one or one.get("type") == "object":
        yield "Mapping[str, Any]"
    elif "prefixItems" in one:
        yield f"tuple[{', '.join(' | '.join(_hints(item)) for item in one['prefixItems'])}]"
    elif one.get("type") == "array":
        items = [*_hints(one.get("items", {}))]
        yield f"Sequence[{'Any' if 'Mapping[str, Any]' in items else ' | '.join(items) or 'Any'}]"
    elif "type" in one:
        yield PLAIN[one["type"]]
    ways = [*one.get("anyOf", ()), *one.get("oneOf", ()), *one.get("allOf", ())]
    for way in ways:
        yield from _hints(way)
    if not ways and not {"enum", "$ref", "type"} & {*one}:
        yield "Any"


def _text(words: str, indent: int) -> Iterator[str]:
    """Yield a description as the lines of a docstring."""
    space = " " * indent
    lines = textwrap.wrap(" ".join(words.split()), WIDTH - indent - 6,
                          break_long_words=False, break_on_hyphens=False)
    yield from ([f'{space}"""{lines[0]}"""'] if len(lines) == 1 else
                [f'{space}"""{lines[0]}', *(space + line for line in lines[1:]), f'{space}"""'])


def _options(command: str, model: type[BaseModel], keys: Sequence[str]) -> str:
    """Return the options of a command: a line or more each."""
    schema = model.model_json_schema(by_alias=True)["properties"]
    lines = [f"    {_quoted(command)}: (\n"]
    asked = model not in (*RUNS.values(), Workers)
    for key in keys:
        one = schema["count" if key == "workers" else key]
        ways = [one, *one.get("anyOf", ())]
        kinds = {way.get("type") for way in ways}
        kind = ("pair" if any("prefixItems" in way for way in ways) else
                next((name for of, name in KINDS.items() if of in kinds), "text"))
        choices = next((way["enum"] for way in ways if "enum" in way and key == "backend"), ())
        said = re.sub(r"^With (\w+)", r"With --\1", " ".join(one["description"].split()))
        said = said.replace("If null, ", "Default: ")
        default = model.model_fields[key].get_default(call_default_factory=True) if asked else None
        if default and default is not True:
            said = f"{said} Default: {_shown(default)}."
        parts = [_quoted(key), *_wrapped(said)]
        metavar = METAVARS.get(f"{command} {key}",
                               METAVARS.get(key, "N" if kind == "whole" else None))
        more = [f"metavar={_quoted(metavar)}"] if metavar else []
        more += [f"choices=({', '.join(map(_quoted, choices))})"] * bool(choices)
        more += [f"kind={_quoted(kind)}"] * (kind != "text")
        more += ["least=1"] * (key == "workers")
        lines.append(f"        PlanOption({parts[0]},\n                   "
                     + "\n                   ".join(parts[1:])
                     + (",\n                   " + ", ".join(more) if more else "") + "),\n")
    return "".join(lines) + "    ),\n"


def _shown(default: object) -> str:
    return ",".join(default) if isinstance(default, list) else str(default)


def _wrapped(words: str) -> list[str]:
    """Return a text as the literals of some lines."""
    lines = textwrap.wrap(words, WIDTH - 26, break_long_words=False, break_on_hyphens=False)
    return [_quoted(line + " " * (k + 1 < len(lines))) for k, line in enumerate(lines)]


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _names(name: str, values: Sequence[str]) -> str:
    lines = textwrap.wrap(", ".join(map(_quoted, values)), WIDTH - 5, break_long_words=False,
                          break_on_hyphens=False)
    return f"{name} = (\n    " + "\n    ".join(lines) + ",\n)"
