"""Is it right? Cards, and checks against other simulators."""

from __future__ import annotations

import re

from studies.measure.figures import Figure, Figures, read
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work


def found(work: Work, pattern: str) -> Figure:
    """Return what a work printed where the parentheses of a pattern are."""
    def write(lab: Lab) -> str:
        match = re.search(pattern, lab.text(work))
        if not match:
            raise ValueError(f"it did not print {pattern!r}")
        return match[1]
    return read(write, work)


@recipe
def pool(command: str) -> Figures:
    it = Work(f"{command} --json")
    return {"cards": read(lambda lab: f"{len(lab.json(it)['cards']):,}", it)}


def checked(command: str) -> Figures:
    """Return how many steps of a file of scenarios agree."""
    it = Work(command)
    return {"agree": found(it, r"agree (\d+ of \d+ steps)"),
            "exceptions": found(it, r"(\d+) exceptions")}


@recipe
def scenarios(command: str) -> Figures:
    return checked(command)


@recipe
def scenarios_expansions(command: str) -> Figures:
    return checked(command)


@recipe
def scenarios_2019(command: str) -> Figures:
    return checked(command)


@recipe
def positions(command: str) -> Figures:
    it = Work(command)
    return {"quirks": found(it, r"(\d+) quirks apart")} | {
        part: found(it, rf"{part} (\d+ of \d+)") for part in (
            "legal", "outcomes", "scores", "chosen")}
