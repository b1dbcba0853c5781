"""The figures that the docs quote: all of them stand in figures.yml, with where they come from.

figures.yml is a list of measurements, each with

    name      pages quote it as <!-- name.key -->50.31 %<!-- / -->
    what      what was measured, in words
    command   what makes it again
    version, engine, date     by which hsevo, its engine's fingerprint, when
    machine   of speeds: where
    figures   key: the figure, as it is quoted
    cpu       what it costs to measure, in CPU seconds, without what it needs of measurements before
              it in the list; "~90" was calculated, not measured
    tested    which test derives it again
    by_hand   why `python -m studies.measure` can't measure it
    release   true: users decide by it, so `python -m studies.measure --release` measures it again
              for each release; all others are history

How each figure is read from what the command prints is said in studies/measure/recipes. What others
published has a `source` instead of a command, version, engine and date.
"""

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

SOURCE = Path(__file__).parent / "figures.yml"
OF_TWO = 900  # games of every two agents of panel-2026c
PARTS = ("command", "version", "engine", "date", "machine")  # that pages may quote, too
SLOT = re.compile(r"<!-- ([\w.-]+) -->(.*?)<!-- / -->", re.DOTALL)
_CODE = re.compile(r"(```\w*\n(?:\$ )?|`)(.*?)(\n```|`)", re.DOTALL)  # a block, or a word


@functools.cache
def read() -> list[dict[str, Any]]:
    """Return all measurements, in the order of the file."""
    measurements: list[dict[str, Any]] = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    return measurements


def quoted(measurements: list[dict[str, Any]]) -> dict[str, str]:
    """Return what stands for each NAME.KEY of a page; PARTS are keys, too."""
    return {f"{one['name']}.{key}": str(value) for one in measurements
            for key, value in ({part: one[part] for part in PARTS if part in one}
                               | one["figures"]).items()}


def shown(quotation: str) -> str:
    """Return the figure in a quotation, without what makes it a block, or a word, of code."""
    text = quotation.strip()
    code = _CODE.fullmatch(text)
    return code[2] if code else text


def check(markdown: str, values: Mapping[str, str]) -> str:
    """Return a page without the marks of figures.

    Raises KeyError for a figure that is not in `values`, ValueError for one that differs.
    """
    def quotation(slot: re.Match[str]) -> str:
        if shown(slot[2]) != values[slot[1]].rstrip():
            raise ValueError(f"{slot[1]} is {shown(slot[2])!r}, but {values[slot[1]].rstrip()!r} in"
                             " figures.yml; run: python docs/figures.py")
        return slot[2]

    return SLOT.sub(quotation, markdown)


def refresh(markdown: str, values: Mapping[str, str]) -> str:
    """Return a page with its figures as they are in `values`. Raises KeyError."""
    def quotation(slot: re.Match[str]) -> str:
        old = shown(slot[2])
        if not old:
            return slot[0]
        begin, end = slot.span(2)  # the name of the slot may contain the old figure
        text = slot[2].replace(old, values[slot[1]].rstrip())
        return slot.string[slot.start():begin] + text + slot.string[end:slot.end()]

    return SLOT.sub(quotation, markdown)


def slots(markdown: str) -> list[str]:
    """Return the names of the figures that a text quotes."""
    return [name for name, _ in SLOT.findall(markdown)]


def refresh_pages() -> None:
    """Write the figures as they are now into all pages."""
    for page in sorted(SOURCE.parent.glob("pages/**/*.md")):
        page.write_text(refresh(page.read_text(encoding="utf-8"), quoted(read())), encoding="utf-8")


def totals(values: Mapping[str, str]) -> list[str]:
    """Return the sums that README gives of several figures, as it writes them."""
    names = ("scenarios", "scenarios-expansions", "scenarios-2019")
    agree = sum(int(values[f"{name}.agree"].split()[0]) for name in names)
    exceptions = sum(int(values[f"{name}.exceptions"]) for name in names)
    each = int(values["panel-2026c.each"].replace(",", ""))
    agents = each // OF_TWO + 1
    return [f"{agree:,}", f"{exceptions} further",
            f"{int(values['positions.legal'].split()[0]):,}", f"{agents * each // 2:,}"]


if __name__ == "__main__":
    refresh_pages()
