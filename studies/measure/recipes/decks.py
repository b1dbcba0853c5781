"""Decks: how soon an opponent's list is known, how much better a deck gets."""

from __future__ import annotations

import re

from studies.measure.figures import Figure, Figures, percent, read
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work


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

    return {"right": part(0), "calibration": part(1),
            "lists": last(r"lists: (\S+);"), "shown": last(r"2, 4, 6, 8: (.*)")}


@recipe
def deck_swaps(command: str) -> Figures:
    it = Work(f"{command} --json")

    def rate(name: str) -> Figure:
        return read(lambda lab: percent(lab.json(it)["comparison"][name], 1), it)

    return {"before": rate("before"), "after": rate("after")}


@recipe
def published_decks(command: str) -> Figures:
    it = Work(command)

    def table(lab: Lab) -> str:
        lines = ["| rogue player | field player | plays first | games per deck | seed | rho |"
                 " reliability |", "|---|---|---|---|---|---|---|"]
        for one in lab.json(it)["trials"]:
            rho = " to ".join(f"{one[end]:.2f}" for end in ("low", "high"))
            lines.append(" | ".join([
                f"| `{one['rogue']}`", _who(one["field"]), "the rogue" if one["begins"] else
                "either", f"{one['games']}", f"{one['seed']}", f"{one['value']:.2f} ({rho})",
                f"{one['reliability']:.2f} |"]))
        return "\n".join(lines)

    return {"playable": read(lambda lab: f"{lab.json(it)['playable']}", it),
            "table": read(table, it)}


def _who(agent: str) -> str:
    return agent if " " in agent else f"`{agent}`"
