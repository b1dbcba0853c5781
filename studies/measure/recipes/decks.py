"""Decks: how soon an opponent's list is known, how much better a deck gets."""

from __future__ import annotations

import re

from studies.measure.figures import Figure, Figures, cpu, percent, read, signed
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

    return {"right": part(0), "nearest": part(1), "calibration": part(2),
            "lists": last(r"lists: (\S+);"), "shown": last(r"2, 4, 6, 8: (.*)")}


@recipe
def deck_swaps(command: str) -> Figures:
    it = Work(f"{command} --json")

    def gain(lab: Lab) -> str:
        found = lab.json(it)["comparison"]["gain"]
        return signed({end: 100 * x for end, x in found.items()}, 1)

    def rate(name: str) -> Figure:
        return read(lambda lab: percent(lab.json(it)["comparison"][name], 1), it)

    def swaps(lab: Lab) -> str:
        return "\n".join([
            "| out | in | swaps that raced | gain in the race |", "|---|---|---|---|",
            *(f"| {one['out']} | {one['in']} | {one['tried']:,} | {100 * one['race']:+.1f} |"
              for one in lab.json(it)["swaps"])])

    games = read(lambda lab: f"{lab.json(it)['comparison']['games']:,}", it)
    return {"gain": read(gain, it), "before": rate("before"), "after": rate("after"),
            "games": games, "swaps": read(swaps, it), "cpu": cpu(it)}


@recipe
def published_decks(command: str) -> Figures:
    it = Work(command)

    def table(lab: Lab) -> str:
        lines = ["| plays the rogue | plays the field | begins | games a deck | seed | rho |"
                 " reliability |", "|---|---|---|---|---|---|---|"]
        for one in lab.json(it)["trials"]:
            rho = " to ".join(f"{one[end]:.2f}" for end in ("low", "high"))
            lines.append(" | ".join([
                f"| `{one['rogue']}`", _who(one["field"]), "the rogue" if one["begins"] else
                "either", f"{one['games']}", f"{one['seed']}", f"{one['value']:.2f} ({rho})",
                f"{one['reliability']:.2f} |"]))
        return "\n".join(lines)

    return {"playable": read(lambda lab: f"{lab.json(it)['playable']}", it),
            "table": read(table, it), "cpu": cpu(it)}


def _who(agent: str) -> str:
    return agent if " " in agent else f"`{agent}`"
