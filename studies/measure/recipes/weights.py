"""What weights are worth, and the studies of HearthSim."""

from __future__ import annotations

from typing import Any

import pandas as pd
from scipy.stats import false_discovery_control

from hsevo.agents.shared.secrets import NAMES
from hsevo.play.tournament import wilson
from studies.measure.figures import (
    Figure,
    Figures,
    cells,
    duration,
    games,
    match,
    percent,
    rate,
    read,
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


def variant(table: pd.DataFrame, weight: str, value: float) -> Any:
    """Return the row of a weight at a value."""
    return table[(table["weight"] == weight) & (table["value"] == value)].iloc[0]


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

    def raised(lab: Lab) -> str:
        return f"{100 * variant(landscape(lab, it), 'BMHR', 1.0)['rate']:.1f} %"

    return {"time": read(lambda lab: f"{duration(lab.cpu(it))} of CPU time", it),
            "games": read(lambda lab: f"{landscape(lab, it).iloc[0]['games']:,}", it),
            "raised": read(raised, it), "worse": read(worse, it), "output": read(output, it)}


@recipe
def santos_weights(command: str) -> Figures:
    it = Work("hsevo examine {0} --games-best 4 --style-games 60 --out {out}", (SANTOS,),
              "examined-santos-ga")

    def changed(*weights: str) -> Figure:
        def write(lab: Lab) -> str:
            rows = (variant(landscape(lab, it), weight, 0) for weight in weights)
            each = [[100 * row[name] for name in ("lead", "lead_low", "lead_high")] for row in rows]
            return " and ".join("{:+.1f} points ({:+.1f} to {:+.1f})".format(*one) for one in each)
        return read(write, it)

    return {"bm": changed("BM"), "ha": changed("HA"), "tra": changed("TRA"),
            "ma": changed("MA", "TMA")}


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


def all_games(work: Work) -> Figure:
    """Return the games of all points."""
    return read(lambda lab: f"{sum(row['games'] for row in lab.json(work)['curve']):,}", work)


@recipe
def shield(command: str) -> Figures:
    it = study(command)

    def over(x: int) -> Figure:
        def share(lab: Lab) -> str:
            table = pd.read_csv(lab.folder(it) / "turns.csv")
            games = table[table["x"] == x]
            ended, all_ = (part["games"].sum() for part in (games[games["turns"] <= 20], games))
            low, high = wilson([ended], [all_])
            return percent({"value": ended / all_, "low": float(low[0]), "high": float(high[0])})

        return read(share, it)

    def turns(x: str) -> Figure:
        return read(lambda lab: f"{point(lab, it, x)['turns']:.1f}", it)

    def top(lab: Lab) -> Any:
        return max((row["rate"] for row in lab.json(it)["curve"]), key=lambda one: one["value"])

    def ends(lab: Lab) -> str:
        return f"{100 * top(lab)['low']:.2f} to {100 * top(lab)['high']:.2f}"

    return {"over-0": over(0), "over-1": over(1), "over-2": over(2),
            "games": all_games(it), "each": read(
                lambda lab: f"{point(lab, it, '0')['games']:,}", it),
            "best": read(lambda lab: f"{100 * top(lab)['value']:.2f} %", it),
            "best-interval": read(ends, it), "zero": at(it, "0"), "below": at(it, "-0.75"),
            "under": at(it, "-1"), "two": at(it, "2"), "two-turns": turns("2"),
            "turns": turns("1")}


@recipe
def shield_control(command: str) -> Figures:
    return {"rate": at(study(command), "0")}


@recipe
def taunts(command: str) -> Figures:
    it = study(command)
    return {"games": all_games(it), "none": at(it, "0"), "four": at(it, "4"),
            "eight": at(it, "8"), "best": at(it, "16"), "most": at(it, "24"),
            "all": at(it, "30")}


@recipe
def secrets(command: str) -> Figures:
    """The CPU time of each match stands in the column that is left as it is."""
    def meets(agent: str, option: str) -> Work:
        return match(f"{agent}?secrets={option}", "eva:2018", command.partition("eva:2018 ")[2])

    table = cells(*(rate(meets(agent, option)) for agent in FEARFUL for option in NAMES))
    return {"games": games(meets(FEARFUL[0], "worst")), "table": table}


@recipe
def taunts_again(command: str) -> Figures:
    it = study(command)
    return {"none": at(it, "0"), "best": at(it, "16"), "all": at(it, "30")}
