"""Learned players."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

import hsevo
from studies.learning_curve import counts, stages
from studies.measure.figures import (
    Figure,
    Figures,
    cells,
    constant,
    cpu,
    games,
    match,
    mean_cpu,
    rate,
    read,
    signed,
)
from studies.measure.recipes import AFTER, recipe
from studies.measure.recipes.experiment import place
from studies.measure.recipes.runs import full, learn, small, smoke
from studies.measure.works import Lab, Work

SEEDS = (1, 2, 3)
OPTIONS = "--games 2016 --seed 779"
OPPONENTS = ("random", "eva:2018", "eva:wide:2026", "gsv", "eva:wide-reply:2026")
REPLY = OPPONENTS[-1]


def met(run: Work, opponent: str, *needs: Work, search: str = "") -> Figure:
    """Return the rate of a player in mirrored games; {1} in the opponent is the next need."""
    return rate(match(f"rl:{{0}}{search}", opponent, OPTIONS, run, *needs))


def learned(run: Work) -> Figure:
    """Return how many games a player learned from."""
    return read(lambda lab: f"{hsevo.Learned(lab.folder(run)).learning['games'].sum():,}", run)


def learned_output(run: Work) -> Figure:
    """Return what hsevo learn prints at its end."""
    def write(lab: Lab) -> str:
        said = [line for line in (lab.errors(run) + lab.text(run)).splitlines()
                if line.startswith("period ")]
        lines = [said[-1], *lab.text(run).splitlines()]
        begin = next(i for i, line in enumerate(lines) if line.startswith("against "))
        text = "".join(f"{line.rstrip()}\n" for line in [said[-1], *lines[begin:]])
        return text.replace(run.out, f"{run.out}-DATE-TIME")
    return read(write, run)


@recipe
def learned_smoke(command: str) -> Figures:
    runs = [smoke(seed) for seed in SEEDS]
    first = match("rl:{0}", "eva:2018", OPTIONS, runs[0])
    return {"games": learned(runs[0]), "cpu": mean_cpu(runs), "match": games(first),
            "eva": rate(first), "output": learned_output(runs[0])}


@recipe
def learned_small(command: str) -> Figures:
    runs = [small(seed) for seed in SEEDS]
    return {"games": learned(runs[0]), "cpu": mean_cpu(runs),
            "table": cells(*(met(run, other) for other in OPPONENTS for run in runs))}


def benchmarked(run: Work) -> Work:
    """Return the place of a player in panel-2026b."""
    return Work("hsevo benchmark rl:{0} --panel panel-2026b --out {out} --json", (run,))


def places(works: Iterable[Work]) -> Figure:
    """Return the places of players without their bounds: "1 of 18" if all have the same."""
    def write(lab: Lab) -> str:
        at = [place(work).write(lab, "").partition(" (")[0] for work in works]
        return ", ".join(dict.fromkeys(at))
    works = [*works]
    return read(write, *works)


def rating(work: Work, unit: str = "") -> Figure:
    """Return the rating in a benchmark with its interval."""
    return read(lambda lab: signed(lab.json(work)["rating"], 0, unit), work)


@recipe
def learned_full(command: str) -> Figures:
    runs = [full(seed) for seed in SEEDS]
    placed = [benchmarked(run) for run in runs]
    ratings = [rating(one) for one in placed]
    return {"games": learned(runs[0]), "cpu": mean_cpu(runs), "place": places(placed),
            "table": cells(*(met(run, other) for other in OPPONENTS for run in runs), *ratings)}


@recipe
def learned_curve(command: str) -> Figures:
    runs = [full(2), full(3)]

    def won(stage: int) -> Figure:
        def write(lab: Lab) -> str:
            table = stages(counts([lab.folder(run) for run in runs]))
            begins = sorted(table["from"].unique())
            shares = table[table["from"] == begins[stage]].sort_values("seed")["share"]
            return " and ".join(f"{100 * share:.1f} %" for share in shares)
        return read(write, *runs)

    return {"first": won(0), "next": won(1), "last": won(-1)}


AFTER["learned-curve"] = (
    Work("python -m studies.learning_curve {0} {1}", (full(2), full(3))),)


TURN = "?search=turn"


@recipe
def learned_search(command: str) -> Figures:
    runs = [small(seed) for seed in SEEDS]
    return {"table": cells(*(met(run, "eva:2018", search=TURN) for run in runs),
                           *(met(run, "rl:{0}", search=TURN) for run in runs),
                           *(met(run, REPLY, search=TURN) for run in runs))}


SHORT, SELF = "--set periods=5", "--set osfp.self_play=1.0"


@recipe
def learned_ways(command: str) -> Figures:
    ways = [[learn("osfp-small", seed, f"{SHORT} {way}", called=f"osfp-small-5-{name}")
             for name, way in (("eva", "--start eva:2018"), ("self", SELF))] for seed in SEEDS]
    return {"table": cells(
        *(met(run, "eva:2018") for pair in ways for run in pair),
        *(met(run, "rl:{1}", small(seed)) for seed, pair in zip(SEEDS, ways, strict=True)
          for run in pair))}


@recipe
def learned_expert(command: str) -> Figures:
    def runs(name: str, options: str) -> list[Work]:
        return [learn("osfp-smoke", seed, f"--set learner.expert=turn{options}",
                      called=f"osfp-smoke-{name}") for seed in SEEDS]

    plain = [smoke(seed) for seed in SEEDS]
    few, many, same = (runs("expert", " --set games=15"), runs(
        "expert-300", " --set learner.nodes=300 --set games=6"), runs("expert-same", ""))

    def against(ours: list[Work], search: str = "") -> list[Figure]:
        return [met(one, f"rl:{{1}}{search}", other, search=search)
                for one, other in zip(ours, plain, strict=True)]

    def eva(ours: list[Work]) -> list[Figure]:
        return [met(one, "eva:2018") for one in ours]

    return {"table": cells(
        *eva(plain), *eva(few), *against(few), *against(few, TURN), *eva(many), *against(many),
        *eva(same), *against(same), *against(same, TURN))}


# Ladders


def markdown(text: str, number: int) -> str:
    """Return the table of that number in a text."""
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    return str(tables[number])


def cell(text: str, row: str, column: str) -> str:
    """Return a cell of a Markdown table."""
    lines = [[part.strip() for part in line.strip("| ").split(" | ")]
             for line in text.splitlines()]
    return next(line for line in lines if line[0] == row)[lines[0].index(column)]


@recipe
def learned_ladder(command: str) -> Figures:
    it = Work("python examples/learning_ladder.py {out}", called="ladder")

    def step(row: str, column: str) -> Figure:
        return read(lambda lab: cell(markdown(lab.text(it), 0), row, column), it)

    def first(lab: Lab) -> str:
        run = hsevo.Learned(lab.folder(it) / "32-games-seed-1")
        return f"{run.learning['games'].sum():,}"

    return {"cpu": cpu(it), "games": read(first, it), "cell": constant(f"{9 * 360:,}", it),
            "gamma": step("64 games", "discount 0.99"),
            "half": step("32 games", "64 games"), "quarter": step("16 games", "32 games"),
            "trace-0": step("32 games", "lambda 0"), "trace-1": step("32 games", "lambda 1"),
            "osfp": step("32 games", "self-play"),
            "matrix": read(lambda lab: markdown(lab.text(it), 0), it)}


TABLES = ("tuning", "chosen", "eva", "matrix")  # that the examples print


def compared(it: Work, first: str, *tables: str) -> Figures:
    """Return the figures of ways to learn that were compared.

    first: the name of the first way. tables: which of TABLES are quoted.
    """
    def games_of(lab: Lab) -> str:
        run = hsevo.Learned(lab.folder(it) / f"{first}-seed-11")
        return f"{run.learning['games'].sum():,}"

    def table(name: str) -> Figure:
        return read(lambda lab: markdown(lab.text(it), TABLES.index(name)), it)

    return {"cpu": cpu(it), "games": read(games_of, it), "match": constant("2,016", it),
            "cell": constant(f"{9 * 360:,}", it)} | {name: table(name) for name in tables}


@recipe
def ways_of_learning(command: str) -> Figures:
    return compared(Work("python examples/ways_to_learn.py {out}", called="ways"), "OSFP",
                    "chosen", "eva", "matrix")


@recipe
def targets_of_learning(command: str) -> Figures:
    return compared(Work("python examples/targets_to_learn.py {out}", called="targets"), "TD",
                    "tuning", "matrix")


# Examples


@recipe
def learner_example(command: str) -> Figures:
    it = Work(command)

    def last(lab: Lab) -> str:
        line = [line for line in lab.text(it).splitlines() if " games: " in line][-1]
        share, _, ends = line.partition(": ")[2].partition(" won ")
        return f"{share} {ends}"

    return {"last": read(last, it)}


@recipe
def league_example(command: str) -> Figures:
    it = Work(command)

    def against_eva(number: int, lab: Lab) -> str:
        rows = [line.split() for line in lab.text(it).splitlines() if " eva:2018 " in line]
        value, low, high = (f"{100 * float(end):.1f}" for end in rows[number][3:])
        return f"{value} % ({low} to {high})"

    return {"first": read(partial(against_eva, 0), it), "last": read(partial(against_eva, -1), it)}
