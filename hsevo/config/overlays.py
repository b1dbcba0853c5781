"""Rulesets by name, and with changed cards: an overlay, in a YAML file or as one line of text.

    base: msg2017                        # default: cig2018
    Small-Time Buccaneer: {health: 1}
    Spirit Claws: {cost: 2}

    nerf.yaml --ruleset_of()--> "msg2017+Small-Time Buccaneer.health=1+Spirit Claws.cost=2"

The line says all, so folders keep it and workers get it, and nobody needs the file again. Which
cards there are is not known here: hsevo/cards/tables.py checks that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from hsevo.config import loader
from hsevo.config.mistakes import as_whole, short
from hsevo.config.named import SUFFIXES, exists
from hsevo.errors import ConfigError, did_you_mean, printable, quoted
from hsevo.files import read_text

RULESETS = ("cig2018", "msg2017", "cig2018-as-run", "blackrock2015",
            "cig2018-wild", "rise2019", "hearthsim")
BASE = "base"  # the key of an overlay file that is no card
# Facts of a card that an overlay may change, and their range: a minion has health, a weapon
# durability.
FACTS = {"cost": (0, 30), "attack": (0, 30), "health": (1, 30), "durability": (1, 30)}
MOST = 200  # cards of an overlay

Changes: TypeAlias = Mapping[str, Mapping[str, int]]


def ruleset_of(source: Any) -> Any:
    """Return a ruleset as folders and games name it: by its name, or as an overlay's line.

    source: a name, the path of an overlay file, or such a line; any other value is returned as it
    is, to be refused where all rulesets are known. Raises ConfigError.
    """
    name = str(source) if isinstance(source, str | Path) else source
    if not isinstance(name, str) or name in RULESETS:
        return name
    path = Path(name)
    if exists(path) and path.is_file():
        return written(*_of_file(path))
    if name.partition("+")[0] in RULESETS and "+" in name:
        return written(*parts(name))
    if name.endswith(SUFFIXES["configs"]):
        raise ConfigError(f"there is no overlay of a ruleset {quoted(name)}")
    return name


def is_overlay(name: str) -> bool:
    """Return whether a ruleset is a named one with changed cards."""
    return "+" in name


def parts(name: str) -> tuple[str, dict[str, dict[str, int]]]:
    """Return the ruleset that an overlay's line changes, and the changes. Raises ConfigError."""
    base, *lines = name.split("+")
    changes: dict[str, dict[str, Any]] = {}
    for line in lines:
        where, equals, value = line.rpartition("=")
        card, dot, fact = where.rpartition(".")
        if not equals or not dot or not card:
            raise ConfigError(f"{quoted(line)} is not a change of a card; write it as 'Spirit"
                              " Claws.cost=2'")
        whole = value.isdecimal() and len(value) < 10
        changes.setdefault(card, {})[fact] = int(value) if whole else value
    return base, _checked(changes, "the ruleset")


def written(base: str, changes: Changes) -> str:
    """Return an overlay as a line, cards by the alphabet; a base without changes as its name."""
    lines = [f"{card}.{fact}={value}" for card in sorted(changes)
             for fact, value in sorted(changes[card].items())]
    return "+".join([base, *lines])


def _of_file(path: Path) -> tuple[str, dict[str, dict[str, int]]]:
    where = printable(path)
    try:
        tree = loader.read(read_text(path, loader.LARGEST, ConfigError))
    except ValueError as error:
        raise ConfigError(f"{where} is not valid YAML for hsevo: {error}") from None
    if not isinstance(tree, dict) or not all(isinstance(card, str) for card in tree):
        raise ConfigError(f"{where} is not an overlay of a ruleset; write lines such as 'Spirit"
                          " Claws: {cost: 2}'")
    base = tree.pop(BASE, RULESETS[0])
    if base not in RULESETS:
        raise ConfigError(f"{where}: base is {short(base)}, but must be one of"
                          f" {', '.join(RULESETS)}{did_you_mean(str(base), RULESETS)}")
    return base, _checked(tree, where)


def _checked(changes: Mapping[str, Any], where: str) -> dict[str, dict[str, int]]:
    """Return changes with plain names and whole numbers. Raises ConfigError."""
    if not 1 <= len(changes) <= MOST:
        raise ConfigError(f"{where} changes {len(changes)} cards, but must change 1 to {MOST}")
    return {_name(card, where): _facts(card, facts, where) for card, facts in changes.items()}


def _name(card: str, where: str) -> str:
    name = " ".join(printable(card).split())
    if not name or "+" in name or "=" in name:
        raise ConfigError(f"{where}: {quoted(card)} is not the name of a card")
    return name


def _facts(card: str, facts: Any, where: str) -> dict[str, int]:
    if not isinstance(facts, Mapping) or not facts:
        raise ConfigError(f"{where}: {quoted(card)} is {short(facts)}, but must be facts such as"
                          " {cost: 2}")
    changes = {}
    for fact, value in facts.items():
        if fact not in FACTS:
            raise ConfigError(f"{where}: {quoted(card)} has no fact {quoted(str(fact))} that can be"
                              f" changed{did_you_mean(str(fact), FACTS) or _known()}")
        low, high = FACTS[fact]
        number = as_whole(value)
        if number is None or not low <= number <= high:
            raise ConfigError(f"{where}: the {fact} of {quoted(card)} is {short(value)}, but must"
                              f" be a whole number from {low} to {high}")
        changes[fact] = number
    return changes


def _known() -> str:
    return f"; these can: {', '.join(FACTS)}"
