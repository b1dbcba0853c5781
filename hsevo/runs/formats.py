"""Formats of run folders: which this version reads, and the names that changed between them.

    3    version 0.2    references.csv; `references` in config.yaml and about.json
    2    version 0.1    yardstick.csv;  `yardstick` in both

A folder keeps its format and its file names when its run is resumed.
"""

from collections.abc import Mapping

# The newest first; of each, the old names of keys to new. A new one is added whenever a file, a key
# or a column changes its name or meaning.
FORMATS: Mapping[int, Mapping[str, str]] = {3: {}, 2: {"yardstick": "references"}}
FORMAT = next(iter(FORMATS))


def tables(number: int) -> tuple[str, str, str]:
    """Return the file names of a format's tables: population, statistics, references."""
    old = {new: old for old, new in FORMATS[number].items()}
    return "population.csv", "statistics.csv", f"{old.get('references', 'references')}.csv"
