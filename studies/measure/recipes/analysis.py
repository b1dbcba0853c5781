"""Analyses: are their chances right, is their better move better."""

from __future__ import annotations

from studies.measure.figures import Figure, Figures, read, signed
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work


@recipe
def analysis(command: str) -> Figures:
    it = Work(command)

    def count(part: str, key: str) -> Figure:
        return read(lambda lab: f"{lab.json(it)[part][key]:,}", it)

    def gain(lab: Lab) -> str:
        found = lab.json(it)["better"]
        ends = {"value": found["gain"], "low": found["low"], "high": found["high"]}
        return signed({end: 100 * x for end, x in ends.items()}, 1, " points")

    return {"games": count("reliability", "games"), "gain": read(gain, it),
            "positions": count("better", "positions")}
