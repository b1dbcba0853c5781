"""The figures that the docs quote: all of them stand in figures.yml, with where they come from.

figures.yml is a list of measurements, each with

    name      what pages call it: {{ name.key }}
    what      what was measured, in words
    command   what makes it again
    version, engine, date     by which hsevo, its engine's fingerprint, when
    machine   of speeds: where
    figures   key: the figure, as it is quoted
    check     how it is derived again, if that takes seconds: by tests/docs/test_figures.py, or
              (`often: no`) by python -m tests.support.derive_figures alone
    tested    which other test derives it

What others published has a `source` instead of a command, version, engine and date.
"""

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

SOURCE = Path(__file__).parent / "figures.yml"
PARTS = ("command", "version", "date", "machine")  # of a measurement, that pages may quote, too
SLOT = re.compile(r"\{\{ *([\w.-]+) *\}\}")


@functools.cache
def read() -> list[dict[str, Any]]:
    """Return all measurements, in the order of the file."""
    measurements: list[dict[str, Any]] = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    return measurements


def quoted(measurements: list[dict[str, Any]]) -> dict[str, str]:
    """Return what stands for each NAME.KEY of a page; command, version and date are keys, too."""
    return {f"{one['name']}.{key}": str(value) for one in measurements
            for key, value in ({part: one[part] for part in PARTS if part in one}
                               | one["figures"]).items()}


def fill(markdown: str, values: Mapping[str, str]) -> str:
    """Return a text with its {{ slots }} filled. Raises KeyError for one that has no value.

    A value of several lines is indented as its slot is.
    """
    def value(slot: re.Match[str]) -> str:
        before = markdown[markdown.rfind("\n", 0, slot.start()) + 1:slot.start()]
        indent = "" if before.strip() else before
        return values[slot[1]].rstrip().replace("\n", f"\n{indent}")

    return SLOT.sub(value, markdown)


def slots(markdown: str) -> list[str]:
    """Return what the {{ slots }} of a text name."""
    return SLOT.findall(markdown)
