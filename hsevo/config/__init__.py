"""Configs: YAML in, frozen and checked models out; each mistake is reported in one line.

models: the sections and their keys. reading: files, names, single values. mistakes: error messages.
"""

from hsevo.config.loader import write as to_yaml
from hsevo.config.mistakes import MATCH_BYTES, MOST_MEMORY, refuse_memory, short, whole
from hsevo.config.models import (
    RULESETS,
    Agents,
    Algorithm,
    Backend,
    Config,
    Count,
    Evolution,
    Information,
    Name,
    Names,
    Racing,
    Rate,
    Rating,
    Ruleset,
    Section,
    Seed,
    Sigma,
    Size,
    Text,
    Turns,
    Values,
    Workers,
    Yardstick,
)
from hsevo.config.reading import (
    Kind,
    change,
    check,
    dump,
    find,
    load,
    names,
    parse,
    read_text,
    schema,
    shipped,
)

__all__ = [
    "MATCH_BYTES", "MOST_MEMORY", "RULESETS", "Agents", "Algorithm", "Backend", "Config", "Count",
    "Evolution", "Information", "Kind", "Name", "Names", "Racing", "Rate", "Rating", "Ruleset",
    "Section", "Seed", "Sigma", "Size", "Text", "Turns", "Values", "Workers", "Yardstick",
    "change", "check", "dump", "find", "load", "names", "parse", "read_text", "refuse_memory",
    "schema", "shipped", "short", "to_yaml", "whole",
]  # fmt: skip
