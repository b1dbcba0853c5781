"""Parts of the reference that are made of the code itself, as Markdown."""

import csv
import functools
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import figures
import yaml
from pydantic import BaseModel

import hsevo
from hsevo import learning
from hsevo.agents.genomes.weights import GLOSSARY
from hsevo.agents.registry import KINDS, ROSTER, choices
from hsevo.cards.browse import set_title
from hsevo.cards.rulesets import RULESETS, SHIPPED, STUDY_RULESETS
from hsevo.cards.tables import cards
from hsevo.cards.terms import UP_TO_GADGETZAN, Set
from hsevo.cli import main
from hsevo.coevolution.run import Coevolution
from hsevo.config import Config
from hsevo.config.coevolution import Plan as CoevolutionPlan
from hsevo.config.deckbuilding import Plan as DeckPlan
from hsevo.config.ladder import Ladder
from hsevo.config.learning import Plan
from hsevo.config.participants import Design
from hsevo.config.position import PositionFile
from hsevo.deckbuilding.run import DeckEvolution
from hsevo.learning.folder import LearningRun
from hsevo.play import placing
from hsevo.play.specs import short_names
from hsevo.runs.folder import RunFolder
from hsevo.store.folder import Folder
from hsevo.store.tables import DataTable
from hsevo.strength import entries
from hsevo.strength.panel import FOLDER, NEWEST

FOLDERS = Path(__file__).parent / "folders.yml"
RUNS: dict[str, type[Folder[Any]]] = {"run": RunFolder, "learned": LearningRun,
                                      "deck_search": DeckEvolution, "coevolution": Coevolution}
CHANGES = Path(__file__).parent.parent / "CHANGELOG.md"
CASES = CHANGES.parent / "tests" / "cases" / "README.md"
VOCABULARY = CHANGES.parent / "hsevo" / "cards" / "README.md"
BOUNDS = (("minimum", ">= {}"), ("exclusiveMinimum", "> {}"), ("maximum", "<= {}"),
          ("exclusiveMaximum", "< {}"), ("minItems", "at least {} of them"),
          ("maxItems", "at most {} of them"))


@functools.cache
def parts() -> dict[str, str]:
    """Return every generated part by its name."""
    made = {"commands": commands(), "config": config_keys(),
            "learning": config_keys(Plan, "Learning"),
            "ladder": config_keys(Ladder, "A ladder"),
            "deck_search": config_keys(DeckPlan, "A search for decks"),
            "coevolution": config_keys(CoevolutionPlan, "A coevolution"),
            "participants": config_keys(Design, "A study with participants"),
            "position": position_keys(), "position_words": position_words(),
            "agents": agents(), "players": players(),
            "genomes": genomes(), "champions": champions(),
            "rulesets": rulesets(), "folders": folders(),
            "layout": layout(), "actions": actions(), "figures": measured(), "by_hand": by_hand(),
            "sources": sources(),
            "weights": table(("weight", "meaning"),
                                                      GLOSSARY.items()),
            "cases": CASES.read_text(encoding="utf-8").partition("\n")[2],
            "vocabulary": VOCABULARY.read_text(encoding="utf-8").partition("\n")[2],
            "changes": CHANGES.read_text(encoding="utf-8").partition("\n")[2]}
    return {f"generated.{name}": text for name, text in made.items()}


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(value: object) -> str:
    """Return a value as a cell: bars that are not in code are escaped."""
    parts = str(value).replace("\n", " ").split("`")
    return "`".join(part if i % 2 else part.replace("|", "\\|") for i, part in enumerate(parts))


def code(value: object) -> str:
    """Return a value in code quotes."""
    return f"`{value}`"


# Commands


def commands() -> str:
    """Return a section a command: usage, help, arguments and options."""
    return "\n".join(line for path, command in walk(main, "hsevo") for line in
                     _command(path, command))


def walk(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands below one with their full names, itself first."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below
            yield from walk(below, f"{path} {name}")


def _command(path: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (f"## {path}", "", "```console", f"$ {path} {usage}", "```", "")
    yield from _help(command.help or "")
    options = [one for one in command.get_params(context) if isinstance(one, click.Option)]
    rows = [_option(one, context) for one in options if "--help" not in one.opts]
    if rows:
        yield from ("", table(("option", "meaning"), rows), "")


def _help(text: str) -> Iterator[str]:
    """Yield a help text as Markdown: what click leaves as it is (after \\b) is a code block."""
    for part in text.split("\n\n"):
        lines = part.strip("\n").splitlines()
        if lines and lines[0].strip() == "\b":
            yield from ("```console", *map(_prompted, textwrap.dedent(
                "\n".join(lines[1:])).splitlines()), "```", "")
        else:
            yield from (" ".join(line.strip() for line in lines).replace("<", "&lt;")
                        .replace("*", "\\*").replace("_", "\\_"), "")


def _prompted(line: str) -> str:
    """Return a line of a help's examples: commands with a prompt, what they do as a comment."""
    if not line.startswith(("hsevo ", "eval ")):
        return line
    return "$ " + re.sub(r"( {2,})(?=\S)", r"\1# ", line, count=1)


def _option(option: click.Option, context: click.Context) -> tuple[str, str]:
    record = option.get_help_record(context)
    names, says = record or (", ".join(option.opts), option.help or "")  # of hidden ones
    return code(names), says.replace("<", "&lt;").replace("*", "\\*")


# Config keys


def config_keys(model: type[BaseModel] = Config, title: str = "The experiment") -> str:
    """Return a section a part of a config, with a table of its keys."""
    schema = model.model_json_schema(by_alias=True)
    parts = [("", title, schema)]
    parts += [(path, code(path), schema["$defs"][name])
              for path, name in _below(schema, "", schema)]
    return "\n".join(line for path, title, part in parts for line in _keys(path, title, part))


def _below(part: dict[str, Any], path: str, schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (path, name of the model) of all sections below one, in the order of their keys."""
    for key, one in part["properties"].items():
        for way in _ways(one):
            if "$ref" in way:
                name, here = way["$ref"].rpartition("/")[2], f"{path}{key}"
                yield here, name
                yield from _below(schema["$defs"][name], f"{here}.", schema)


def _keys(path: str, title: str, part: dict[str, Any]) -> Iterator[str]:
    prefix = f"{path}." if path else ""
    rows = [(code(prefix + key), _type(one), _default(one, key, part), _range(one),
             one.get("description", ""))
            for key, one in part["properties"].items()]
    yield from (f"## {title}", "", part.get("description", "").partition("\n\n")[0], "")
    yield from (table(("key", "type", "default", "range", "meaning"), rows), "")


OF_POSITIONS = {"SidePosition": "A side", "BoardMinion": "A minion in play",
                "HeldCard": "A card in hand", "DeckCard": "A card in a deck",
                "EquippedWeapon": "A weapon", "LaidSecret": "A secret",
                "AttachedText": "A text of another card", "Remembered": "A remembered minion",
                "KeptMinion": "A minion in the deck that keeps its effects",
                "LaterText": "A delayed text", "OpenChoice": "An open choice",
                "WaitingText": "A step after a choice"}


def position_keys() -> str:
    """Return a section for each kind of object in a position's file, with a table of its keys."""
    schema = PositionFile.model_json_schema(by_alias=True)
    parts = [("The file", schema)]
    parts += [(title, schema["$defs"][name]) for name, title in OF_POSITIONS.items()]
    return "\n".join(line for title, part in parts for line in _keys("", title, part))


def position_words() -> str:
    """Return the words that a position's file takes where there are several."""
    known = {"`gained`, `lost`, `words`": placing.KEYWORDS, "`counters`": placing.COUNTERS,
             "`rules`": placing.RULES}
    return table(("key", "words"), ((key, ", ".join(words)) for key, words in known.items()))


def _ways(one: dict[str, Any]) -> list[dict[str, Any]]:
    return [one, *one.get("anyOf", ()), *one.get("oneOf", ())]


def _type(one: dict[str, Any]) -> str:
    names = {"integer": "whole number", "string": "text", "boolean": "true or false",
             "array": "list", "null": "null", "object": "section"}
    found = ["section" if "$ref" in way else names.get(way["type"], way["type"])
             for way in _ways(one) if "type" in way or "$ref" in way]
    return " or ".join(found)


def _default(one: dict[str, Any], key: str, part: dict[str, Any]) -> str:
    if key in part.get("required", ()):
        return "must be given"
    if any("$ref" in way for way in _ways(one)) and one.get("default", 0) is not None:
        return "see below"
    value = yaml.safe_dump(one.get("default"), default_flow_style=True).removesuffix("\n...\n")
    return code(value.strip())


def _range(one: dict[str, Any]) -> str:
    for way in _ways(one):
        if "enum" in way:
            return ", ".join(map(code, way["enum"]))
        if "prefixItems" in way:
            return "two numbers"
        said = [form.format(f"{way[key]:,}".replace(f"{2**64 - 1:,}", "2^64 - 1"))
                for key, form in BOUNDS if key in way]
        said += ["< 2^64"] * (way.get("exclusiveMaximum") == 2**64)
        said = [text for text in said if not text.startswith(f"< {2**64:,}")]
        if said:
            return ", ".join(said).replace("<", "&lt;").replace(">", "&gt;")
    return ""


# Agents and rulesets


def agents() -> str:
    """Return a table of the agents that have a name."""
    return table(("agent", "what it is", "source", "options: default and range"), (
        (code(name), entry.says, entry.kind.source,
         "; ".join(f"`{key}` {choices(option)}" for key, option in entry.options.items()))
        for name, entry in ROSTER.items()))


def players() -> str:
    """Return a table of the newest panel, strongest first, with games a second where measured."""
    measured = _figure("speed-agents", "table")
    speeds = dict(re.findall(r"^\| `(\S+)` \| ([\d,]+)", measured, re.MULTILINE))
    rows = ((code(name), f"{float(row['rating']):+.0f} ({float(row['low']):+.0f} to"
             f" {float(row['high']):+.0f})", speeds.get(name, "")) for name, row in panel())
    return table(("agent", "rating in Elo (95 %)", "games/s of a core, against itself"), rows)


def panel() -> list[tuple[str, dict[str, str]]]:
    """Return (agent by its short name, row) of the newest shipped panel, strongest first."""
    with (FOLDER / NEWEST / "ratings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = short_names(row["agent"] for row in rows)
    return [(names[row["agent"]], row)
            for row in sorted(rows, key=lambda row: -float(row["rating"]))]


def _figure(name: str, key: str) -> str:
    return next(str(one["figures"][key]) for one in figures.read() if one["name"] == name)


def champions() -> str:
    """Return a table of the champions: what made them, and what proves them."""
    return table(("agent", "made by", "games", "version, commit", "engine", "SHA-256", "proof"), (
        (code(row["champion"]), _made(row["champion"]), f"{row['games']:,}",
         " ".join([row["version"], code(row["commit"]) if row["commit"] else ""]).strip(),
         code(row["engine"]), code(f"{row['sha256'][:16]}..."),
         f"{code(row['proof'])}: {row['won']} won, {row['drawn']} drawn, {row['lost']} lost")
        for row in hsevo.list_champions().to_dict("records")))


def _made(name: str) -> str:
    """Return the command that made a champion, and which agent of its run it is."""
    origin = entries.champions()[name].origin
    return code(origin["command"]) + (f"; {origin['best']}" if "best" in origin else "")


def genomes() -> str:
    """Return a section for each kind of agent whose numbers can evolve."""
    lines: list[str] = []
    for name, kind in KINDS.items():
        if kind.genome:
            genome = kind.genome
            rows = zip(genome.names, genome.low, genome.high, genome.default,
                       genome.glossary.values(), strict=True)
            lines += [f"### {name}", "", table(
                ("parameter", "lowest", "highest", "default", "meaning"),
                ((code(gene), f"{low:g}", f"{high:g}", f"{own:.4g}", says)
                 for gene, low, high, own, says in rows)), ""]
    return "\n".join(lines)


def _sets(legal: frozenset[Set]) -> str:
    """Return the titles of sets, oldest first."""
    if legal >= frozenset(Set):
        return "all"
    if legal == UP_TO_GADGETZAN:
        return f"all up to {set_title(max(legal))}"
    return ", ".join(map(set_title, sorted(legal)))


def rulesets() -> str:
    """Return a section a ruleset: what it is, and the cards that it changes."""
    lines: list[str] = []
    for name in SHIPPED:  # a program may have added others
        rules = (RULESETS | STUDY_RULESETS)[name]
        facts = [
            ("mulligan", "yes" if rules.mulligan else "no"),
            ("hero powers", "yes" if rules.powers else "no"),
            ("first player", "player 0" if rules.first_begins else "drawn by the game's seed"),
            ("both heroes die at once", {3: "a draw", 2: "player 1 wins"}[rules.both_dead]),
            ("cards allowed in decks", _sets(rules.legal)),
            ("cards without their text", ", ".join(
                sorted(map(set_title, rules.textless_sets))) or "none"),
            ("cards that differ from build 23180", ", ".join(
                cards()[id].name for id in rules.changes if id in cards()) or "none"),
            ("additional cards", f"{sum(len(cards) for _, cards in rules.own_cards)}"),
        ]
        lines += [f"## {name}", "", f"{rules.says[0].upper()}{rules.says[1:]}.", "",
                  table(("rule", "value"), facts), ""]
    return "\n".join(lines)


# Environments


def layout() -> str:
    """Return a section a block of an observation, with a table of its columns."""
    whole = learning.layout(history=True)
    lines: list[str] = []
    for name, block in learning.blocks(history=True).items():
        mine = whole[whole.name.str.partition(".")[0] == name]
        says = mine.meaning.iloc[0].partition(": ")[0]
        lines += [f"### {name}", "", f"{says.capitalize()}. The block has {block.rows}"
                  f" {'row' if block.rows == 1 else 'rows'} of {len(block.columns)} numbers and"
                  f" begins at index {block.offset}.", "",
                  table(("column", "range", "meaning"),
                        ((code(one.name.partition(".")[2]), f"{one.low:,} to {one.high:,}",
                          one.meaning.partition(": ")[2]) for one in mine.itertuples(index=False))),
                  ""]
    return "\n".join(lines)


def actions() -> str:
    """Return tables of the parts of an action."""
    parts = learning.actions()
    return "\n".join(line for part in ("what", "at", "where") for line in (
        f"### {part}", "", table(("number", "meaning", "it points at"), (
            (one.index, one.meaning, one.block and f"row {one.row} of {code(one.block)}")
            for one in _named(parts[parts.part == part]))), ""))


def _named(parts: Any) -> Iterator[Any]:
    """Yield the lines of a table of actions with `index` as a field of its own."""
    return (SimpleNamespace(**line) for line in parts.to_dict("records"))


# Folders and figures


def read_folders() -> list[dict[str, Any]]:
    """Return every folder that hsevo writes, its files and their columns.

    They are those of folders.yml and, of runs, the tables that their classes declare.
    """
    found: list[dict[str, Any]] = yaml.safe_load(FOLDERS.read_text(encoding="utf-8"))
    for folder in found:
        if folder["name"] in RUNS:
            declared = {table.name: declared_file(table) for table in RUNS[folder["name"]].TABLES}
            files = folder["files"]
            folder["files"] = {name: files.pop(name) for name in ("config.yaml", "about.json")}
            folder["files"] |= declared | files
    return found


def declared_file(table: DataTable) -> dict[str, Any]:
    """Return a table as folders.yml has files; columns of some folders alone are `sometimes`."""
    names = [(column.name, column) for column in table.columns]
    return {"says": table.says, "columns": {name: column.says for name, column in names},
            "sometimes": [name for name, column in names if column.only],
            "optional": table.optional}


def folders() -> str:
    """Return a section a folder, and a table of columns a file."""
    return "\n".join(line for folder in read_folders() for line in _folder(folder))


def _folder(folder: dict[str, Any]) -> Iterator[str]:
    yield from (f"## {folder['title']}", "", folder["says"].strip(), "")
    yield from (table(("file", "content"), ((code(name), one["says"]) for name, one in
                                            folder["files"].items())), "")
    for name, one in folder["files"].items():
        if "columns" in one:
            yield from (f"### {folder['name']}: {name}", "", table(("column", "meaning"), (
                (code(column), says) for column, says in one["columns"].items())), "")


def measured() -> str:
    """Return a table of all measurements: what makes each again, and with what it was measured."""
    rows = ((one["name"], "yes" if "release" in one else "", one["what"], code(one["command"]),
             one["version"], code(one["engine"]), one["date"], one.get("cpu", "by hand"))
            for one in figures.read() if "command" in one)
    return table(("name", "release", "what", "command", "version", "engine", "measured",
                  "CPU seconds"), rows)


def by_hand() -> str:
    """Return a table of the measurements that no command makes again, and why."""
    return table(("name", "why"), ((one["name"], one["by_hand"]) for one in figures.read()
                                   if "by_hand" in one))


def sources() -> str:
    """Return a table of what others published, and where."""
    return table(("what", "source", "figures"), (
        (one["what"], one["source"], "; ".join(map(str, one["figures"].values())))
        for one in figures.read() if "source" in one))
