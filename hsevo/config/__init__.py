"""Configs: YAML in, frozen and checked models out; each mistake is one clear line.

models: what a config holds. reading: files, names, single values. mistakes: the lines.
"""

from hsevo.config.mistakes import short, whole
from hsevo.config.models import (
    RULESETS,
    Algorithm,
    Backend,
    Config,
    Count,
    Evolution,
    Information,
    Names,
    Racing,
    Rate,
    Rating,
    Ruleset,
    Section,
    Seed,
    Sigma,
    Size,
    Turns,
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
    "RULESETS", "Algorithm", "Backend", "Config", "Count", "Evolution", "Information", "Kind",
    "Names", "Racing", "Rate", "Rating", "Ruleset", "Section", "Seed", "Sigma", "Size", "Turns",
    "Workers", "Yardstick", "change", "check", "dump", "find", "load", "names", "parse",
    "read_text", "schema", "shipped", "short", "whole",
]  # fmt: skip
