"""Analyses: are their chances right, is their better move better, are their lethals found."""

from __future__ import annotations

from typing import Any

from studies.measure.figures import Figure, Figures, cpu, percent, read, signed
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

    def won(row: dict[str, Any]) -> str:
        return percent({"value": row["won"], "low": row["low"], "high": row["high"]}, 1)

    def table(lab: Lab) -> str:
        return "\n".join([
            "| chance | positions | mean chance | won |", "|---|---|---|---|",
            *(f"| {100 * row['from']:.0f} to {100 * row['to']:.0f} % | {row['positions']:,}"
              f" | {100 * row['chance']:.1f} % | {won(row)} |"
              for row in lab.json(it)["reliability"]["bins"])])

    return {"reliability": read(table, it), "games": count("reliability", "games"),
            "worlds": count("reliability", "worlds"), "gain": read(gain, it),
            "positions": count("better", "positions"), "turns": count("lethal", "turns"),
            "found": count("lethal", "found"), "cpu": cpu(it)}
