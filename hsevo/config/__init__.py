"""Configs: YAML in, frozen and checked models out; each mistake is reported in one line.

models: the sections and their keys. reading: files, single values. named: files by their names.
mistakes: error messages.
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
    References,
    Ruleset,
    Section,
    Seed,
    Sigma,
    Size,
    Text,
    Turns,
    Values,
    Workers,
)
from hsevo.config.named import Kind, beside, find, names, shipped
from hsevo.config.reading import change, check, dump, load, parse, read_text, schema

__all__ = [
    "MATCH_BYTES",
    "MOST_MEMORY",
    "RULESETS",
    "Agents",
    "Algorithm",
    "Backend",
    "Config",
    "Count",
    "Evolution",
    "Information",
    "Kind",
    "Name",
    "Names",
    "Racing",
    "Rate",
    "Rating",
    "References",
    "Ruleset",
    "Section",
    "Seed",
    "Sigma",
    "Size",
    "Text",
    "Turns",
    "Values",
    "Workers",
    "beside",
    "change",
    "check",
    "dump",
    "find",
    "load",
    "names",
    "parse",
    "read_text",
    "refuse_memory",
    "schema",
    "shipped",
    "short",
    "to_yaml",
    "whole",
]  # fmt: skip
