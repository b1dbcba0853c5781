"""Formats of run folders: which this version reads, and the names that changed between them.

    3    version 0.2    references.csv; `references` in config.yaml and about.json
    2    version 0.1    yardstick.csv;  `yardstick` in both

A folder keeps its format and its file names when its run is resumed.
"""

from collections.abc import Mapping
from typing import Any

FORMAT = 3  # raised whenever a file, a key or a column changes its name or meaning
_RENAMED: dict[Any, dict[str, str]] = {FORMAT: {}, 2: {"yardstick": "references"}}  # old to new


def is_known(number: Any) -> bool:
    """Return whether this version reads a format, which may be any value in about.json."""
    return isinstance(number, int) and number in _RENAMED


def current(tree: Mapping[str, Any], number: Any) -> dict[str, Any]:
    """Return a tree with the keys of a format under their current names."""
    return {_RENAMED[number].get(key, key): value for key, value in tree.items()}


def tables(number: int) -> tuple[str, str, str]:
    """Return the file names of a format's tables: population, statistics, references."""
    old = {new: old for old, new in _RENAMED[number].items()}
    return "population.csv", "statistics.csv", f"{old.get('references', 'references')}.csv"
