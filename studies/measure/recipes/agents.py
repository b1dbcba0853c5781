"""Agents against others: matches, arenas, benchmarks, searches and other genomes."""

from __future__ import annotations

from typing import Any

import pandas as pd

from studies.measure.figures import (
    Figure,
    Figures,
    cells,
    estimate,
    games,
    match,
    percent,
    rate,
    read,
)
from studies.measure.recipes import AFTER, recipe
from studies.measure.recipes.experiment import counted, played
from studies.measure.recipes.runs import best, evolve
from studies.measure.works import Lab, Work

SMALL = "?iterations=20&rollouts=5"  # the smaller budget S of tree searches
NINE = ("--decks warrior,shaman,mage,miracle-pirate-rogue,zoo-discard-warlock,reno-dragon-priest,"
        "secret-hunter,buff-paladin,murloc-druid")


# The panel

PANEL = Work("python -m tests.support.make_panel panel-2026b --out {out}", called="panel-2026b")
AFTER["panel-2026b"] = (
    Work("python -m tests.support.make_panel panel-2026b --ship {0}", (PANEL,)),)
CHAMPION = "eva:wide-reply:2026"


def met(opponent: str) -> Figure:
    """Return the champion's rate against an agent of the panel."""
    def write(lab: Lab) -> str:
        table = pd.read_csv(lab.folder(PANEL) / "pairs.csv")
        names = (table[column].str.partition("?")[0] for column in ("agent", "opponent"))
        mine, theirs = (name == one for name, one in zip(names, (CHAMPION, opponent), strict=True))
        row: Any = table[mine & theirs].iloc[0]
        return percent(estimate(row, "rate"), 1)
    return read(write, PANEL)


@recipe
def panel_2026b(command: str) -> Figures:
    return {"gsv": met("gsv"), "eva": met("eva:2018")}


# Tree searches


@recipe
def mcts(command: str) -> Figures:
    def met(a: str, b: str, games: int) -> Work:
        return match(a, b, f"--games {games}")

    small, gsv = f"mcts:knowledge{SMALL}", "gsv"
    table = [met("mcts:knowledge", "greedy:metastone", 36),
             met("mcts:vanilla", "greedy:metastone", 90), met("mcts:knowledge", gsv, 90),
             met("mcts:vanilla", gsv, 90), met("mcts:knowledge", "mcts:vanilla", 36),
             met(small, gsv, 180), met(f"{small}&heuristic=santos", gsv, 180),
             met(f"{small}&final=secure", gsv, 108), met(f"{small}&reuse=no", gsv, 108)]
    return {"table": cells(*map(rate, table))}


# Agents that search EVA's turn, and other genomes

SEARCHES = ("eva:turn?nodes=100", "eva:turn", "eva:turn?depth=5", "eva:turn?depth=8&nodes=1000",
            "eva:turn?depth=15&nodes=10000", "eva:turn?samples=3",
            "eva:reply?depth=8&nodes=1000&hands=2&ends=6",
            "eva:reply?depth=8&nodes=1000&hands=4&ends=12")


@recipe
def turn_weights(command: str) -> Figures:
    options = "--games 3600 --seed 12"
    ours = [match(one, "eva:2018", options) for one in SEARCHES]
    return {"table": cells(*(rate(one, 1) for one in ours)), "games": games(ours[0])}


GENOMES = {"one": "", "deck": "--set agent.genome=deck", "matchup": "--set agent.genome=matchup",
           "wide": "--set agent=eva:wide"}
STARTS = {"anywhere": "", "base": "--set evolution.start=base --set"
          " 'evolution.first_sigmas=[0,0.1]' --set evolution.sigma_max=0.2"}


def champion(genome: str, start: str, seed: int) -> Work:
    """Return the best of cig2018-fast with another genome."""
    options = " ".join(filter(None, ["--set references=null", GENOMES[genome], STARTS[start]]))
    return best(evolve("cig2018-fast", seed, options, f"{genome}-{start}-seed-{seed}"), 40)


def spec(genome: str, number: int = 0) -> str:
    """Return the agent of such a best."""
    return f"{'eva:wide' if genome == 'wide' else 'eva'}:{{{number}}}"


@recipe
def evolving(command: str) -> Figures:
    found = [match(spec(genome), "eva:2018", "--games 10008 --seed 4711",
                   champion(genome, start, seed))
             for start in STARTS for genome in GENOMES for seed in (1, 2, 3)]
    it = champion("one", "anywhere", 1).needs[0]
    return {"games": played(it), "match": games(found[0]),
            "table": cells(*(rate(one, 1) for one in found))}


@recipe
def evolving_direct(command: str) -> Figures:
    return {"deck": cells(*(rate(match(
        spec("deck"), spec("one", 1), "--games 10008 --seed 4712",
        champion("deck", "base", seed), champion("one", "base", seed)), 1)
        for seed in (1, 2, 3)))}


@recipe
def wide_champion(command: str) -> Figures:
    it = Work(f"{command} --json")
    return {"games": games(it), "rate": rate(it, 1)}


@recipe
def nine_champion(command: str) -> Figures:
    def met(opponent: str, many: int = 20088, decks: str = NINE) -> Work:
        return match("eva:wide:nine-2026", opponent, f"{decks} --games {many} --seed 5252".strip())

    eva, miller, three = (met("eva:2018"), met("dl:miller", 4050),
                          met("eva:wide:2026", 20016, ""))
    return {"games": games(eva), "eva": rate(eva), "wide": rate(met("eva:wide:2026")),
            "metastone": rate(met("greedy:metastone")), "miller": rate(miller),
            "miller-games": games(miller), "three": rate(three), "three-games": games(three)}


# Santos' genetic algorithm

SANTOS = evolve("santos-ga", 2017, called="santos-ga")


def fresh_rows(text: str) -> list[dict[str, str]]:
    """Return the lines of the table of fresh games: each begins with its number."""
    heads, *lines = [line.split() for line in text.splitlines()]
    return [dict(zip(heads, line[1:], strict=True)) for line in lines if line[0].isdigit()]


@recipe
def santos_ga(command: str) -> Figures:
    it = Work("python -m studies.santos_ga {0}", (SANTOS,))

    def one(pick: Any) -> Figure:
        def write(lab: Lab) -> str:
            row = pick(fresh_rows(lab.text(it)))
            return percent({"value": float(row["rate"]), "low": float(row["low"]),
                            "high": float(row["high"])}, 1)
        return read(write, it)

    def extreme(which: Any) -> Figure:
        return one(lambda rows: which((row for row in rows if "individual" in row["agent"]),
                                      key=lambda row: float(row["rate"])))

    def named(name: str) -> Figure:
        return one(lambda rows: next(row for row in rows if row["agent"] == name))

    def each(lab: Lab) -> str:
        row = fresh_rows(lab.text(it))[0]
        return f"{sum(int(row[name]) for name in ('wins', 'draws', 'losses')):,}"

    return {"games": counted(SANTOS), "each": read(each, it), "most": extreme(max),
            "least": extreme(min), "thesis": named("greedy:santos"),
            "metastone": named("greedy:metastone")}


@recipe
def santos_luck(command: str) -> Figures:
    it = best(SANTOS, 100)

    def share(key: str) -> Figure:
        return read(lambda lab: f"{100 * lab.json(it)[key]:.1f} %", it)

    return {"in-run": share("run_rate"), "fresh": share("fresh_rate")}
