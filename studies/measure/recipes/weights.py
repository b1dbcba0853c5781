"""What weights are worth, and the studies of HearthSim."""

from __future__ import annotations

from typing import Any

import pandas as pd
from scipy.stats import false_discovery_control

from hsevo.agents.shared.secrets import NAMES
from studies.measure.figures import (
    Figure,
    Figures,
    cells,
    duration,
    estimate,
    games,
    match,
    percent,
    rate,
    read,
    signed,
)
from studies.measure.recipes import recipe
from studies.measure.recipes.agents import SANTOS
from studies.measure.recipes.runs import paper
from studies.measure.works import Lab, Work

ALPHA = 0.05
FEARFUL = ("hearthsim", "eva:turn", "dl:miller", "greedy:metastone")
SHOWN = 7  # weights whose lines the docs show, from the most worth on


def landscape(lab: Lab, work: Work) -> pd.DataFrame:
    """Return the landscape of an examination: itself first, then every variant."""
    return pd.read_csv(lab.folder(work) / "landscape.csv")


def examined(text: str, idle: set[str]) -> str:
    """Return what hsevo examine prints, without most lines: the first, the idle, the first styles.

    idle: weights that changed no game though they are not 0.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    begin = next(i for i, line in enumerate(lines) if line.startswith("weight "))
    end = lines.index("", begin)
    style = next(i for i, line in enumerate(lines) if line.startswith("how it plays"))
    wanted = {0: lines[0], 1: ""} | {i: lines[i] for i in range(begin, begin + 1 + SHOWN)}
    wanted |= {i: lines[i] for i in range(begin, end) if lines[i].partition(" ")[0] in idle}
    wanted |= {i: lines[i] for i in range(style, style + 4)}
    shown: list[str] = []
    last = 0
    for i in sorted(wanted):
        shown += [*(["..."] if i > last + 1 and i > begin else []), wanted[i]]
        last = i
    return "".join(f"{line}\n" for line in shown)


@recipe
def examine(command: str) -> Figures:
    it = Work("hsevo examine {0} --out {out}", (paper(1),), "examined-cig2018-seed-1")

    def output(lab: Lab) -> str:
        table = landscape(lab, it)
        idle = table[(table["value"] == 0) & (table["changed"] == 0) & (table["own"] > 0)]
        return examined(lab.text(it), set(idle["weight"]))

    def worse(lab: Lab) -> str:
        table = landscape(lab, it).iloc[1:]
        tested = table[table["p"].notna()]
        adjusted = false_discovery_control(tested["p"])
        return f"{((adjusted < ALPHA) & (tested['lead'] < 0)).sum()} of {len(table)}"

    return {"time": read(lambda lab: f"{duration(lab.cpu(it))} of CPU time", it),
            "games": read(lambda lab: f"{landscape(lab, it).iloc[0]['games']:,}", it),
            "worse": read(worse, it), "output": read(output, it)}


@recipe
def santos_weights(command: str) -> Figures:
    it = Work("hsevo examine {0} --games-best 4 --style-games 60 --out {out}", (SANTOS,),
              "examined-santos-ga")

    def without(lab: Lab) -> str:
        """Return what the rate changes by when the trade advantage counts nothing."""
        table = landscape(lab, it)
        row: Any = table[(table["weight"] == "TRA") & (table["value"] == 0)].iloc[0]
        return signed({end: 100 * x for end, x in estimate(row, "lead").items()}, 1, " points")

    return {"tra": read(without, it)}


# The studies


def study(command: str) -> Work:
    """Return a study."""
    return Work(f"{command} --out {{out}} --json")


def point(lab: Lab, work: Work, x: str) -> Any:
    """Return the point of a study's curve at x."""
    return next(row for row in lab.json(work)["curve"] if row["x"] == x)


def at(work: Work, x: str) -> Figure:
    """Return the rate at a point."""
    return read(lambda lab: percent(point(lab, work, x)["rate"]), work)


@recipe
def shield(command: str) -> Figures:
    it = study(command)

    def turns(x: str) -> Figure:
        return read(lambda lab: f"{point(lab, it, x)['turns']:.1f}", it)

    def top(lab: Lab) -> Any:
        return max((row["rate"] for row in lab.json(it)["curve"]), key=lambda one: one["value"])

    def ends(lab: Lab) -> str:
        return f"{100 * top(lab)['low']:.2f} to {100 * top(lab)['high']:.2f}"

    return {"each": read(lambda lab: f"{point(lab, it, '0')['games']:,}", it),
            "best": read(lambda lab: f"{100 * top(lab)['value']:.2f} %", it),
            "best-interval": read(ends, it), "zero": at(it, "0"), "below": at(it, "-0.75"),
            "two": at(it, "2"), "two-turns": turns("2"), "turns": turns("1")}


@recipe
def shield_control(command: str) -> Figures:
    return {"rate": at(study(command), "0")}


@recipe
def taunts(command: str) -> Figures:
    it = study(command)
    return {"none": at(it, "0"), "eight": at(it, "8"), "best": at(it, "16"),
            "most": at(it, "24"), "all": at(it, "30")}


@recipe
def secrets(command: str) -> Figures:
    """The CPU time of each match stands in the column that is left as it is."""
    def meets(agent: str, option: str) -> Work:
        return match(f"{agent}?secrets={option}", "eva:2018", command.partition("eva:2018 ")[2])

    table = cells(*(rate(meets(agent, option)) for agent in FEARFUL for option in NAMES))
    return {"games": games(meets(FEARFUL[0], "worst")), "table": table}
