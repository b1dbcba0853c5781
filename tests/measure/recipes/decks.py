"""Decks: how soon an opponent's list is known."""

from __future__ import annotations

import re

from tests.measure.figures import Figure, Figures, read
from tests.measure.recipes import recipe
from tests.measure.works import Lab, Work


@recipe
def deck_guessing(command: str) -> Figures:
    it = Work(command)

    def part(i: int) -> Figure:
        return read(lambda lab: lab.text(it).strip().split("\n\n")[i] + "\n", it)

    def last(pattern: str) -> Figure:
        def write(lab: Lab) -> str:
            found = re.search(pattern, lab.text(it))
            assert found
            return found[1]
        return read(write, it)

    return {"right": part(0), "nearest": part(1), "calibration": part(2),
            "lists": last(r"lists: (\S+);"), "shown": last(r"2, 4, 6, 8: (.*)")}
