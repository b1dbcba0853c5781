"""Learned players."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import floor

import numpy as np
import pandas as pd

import hsevo
from hsevo.learning.measures import games_to_play
from hsevo.play.tournament import wilson
from tests.measure.figures import (
    Figure,
    Figures,
    cells,
    constant,
    cpu,
    duration,
    estimate,
    games,
    match,
    percent,
    rate,
    read,
    signed,
)
from tests.measure.recipes import AFTER, pictured, recipe
from tests.measure.recipes.experiment import place
from tests.measure.recipes.runs import full, learn, small, smoke
from tests.measure.works import Lab, Work
from tests.support.learning_curve import counts, stages

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


def counted(run: Work) -> Figure:
    """Return how many games a run of hsevo learn plays in all."""
    return read(lambda lab: f"{games_to_play(hsevo.Learned(lab.folder(run)).plan):,}", run)


def mean_cpu(runs: Sequence[Work], ends: str = "") -> Figure:
    """Return in words what learning cost, the mean of some runs."""
    return read(lambda lab: duration(float(np.mean([lab.cpu(run) for run in runs]))) + ends, *runs)


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
    return {"games": learned(runs[0]), "counted": counted(runs[0]), "cpu": mean_cpu(runs),
            "match": games(first), "random": met(runs[0], "random"), "eva": rate(first),
            "table": cells(*(met(run, other) for run in runs for other in OPPONENTS[:2])),
            "output": learned_output(runs[0])}


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

    def each(lab: Lab) -> str:
        return f"{counts([lab.folder(runs[0])])['games'].iloc[0]:,}"

    return {"match": read(each, runs[0]), "first": won(0), "next": won(1), "last": won(-1)}


AFTER["learned-curve"] = (
    Work("python -m tests.support.learning_curve {0} {1}", (full(2), full(3))),)


@recipe
def learned_panel(command: str) -> Figures:
    it = benchmarked(small(1))

    def lead(agent: str, sign: int) -> Figure:
        def write(lab: Lab) -> str:
            rows = lab.json(it)["standing"]
            found = next(row for row in rows if row["agent"].partition("?")[0] == agent)["lead"]
            value, low, high = (sign * found[end] for end in ("value", "low", "high"))
            return f"{value:.0f} Elo ({min(low, high):.0f} to {max(low, high):.0f})"
        return read(write, it)

    return {"place": places([it]), "behind": lead(REPLY, -1), "ahead": lead("gsv", 1),
            "rating": rating(it, " Elo"),
            "rate": read(lambda lab: percent(lab.json(it)["rate"], 1), it)}


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
    least = [match("rl:{0}", "random", OPTIONS, run) for pair in ways for run in pair]

    def lowest(lab: Lab) -> str:
        rate = min(lab.json(one)["rate"]["value"] for one in least)
        return f"{floor(1000 * rate + 1e-9) / 10:.1f} %"  # all won at least that

    return {"random": read(lowest, *least), "table": cells(
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

    return {"cpu": mean_cpu(few), "same": mean_cpu(same), "table": cells(
        *eva(plain), *eva(few), *against(few), *against(few, TURN), *eva(many), *against(many),
        *eva(same), *against(same), *against(same, TURN))}


@recipe
def learned_probe(command: str) -> Figures:
    """Return the rates of a learner that met one player alone."""
    other = small(1)
    it = learn("osfp-small", 11, f"{SHORT} --against rl:{{0}}", other, called="osfp-small-5-probe")
    return {"rate": met(it, "rl:{1}", other), "eva": met(it, "eva:2018")}


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
            "match": constant("2,016", it), "gamma": step("64 games", "discount 0.99"),
            "half": step("32 games", "64 games"), "quarter": step("16 games", "32 games"),
            "trace-0": step("32 games", "trace 0"), "trace-1": step("32 games", "trace 1"),
            "osfp": step("32 games", "self-play"),
            "matrix": read(lambda lab: markdown(lab.text(it), 0), it),
            "eva": read(lambda lab: markdown(lab.text(it), 1), it)}


def compared(it: Work, first: str) -> Figures:
    """Return the figures of ways to learn that were compared; first: the name of the first way."""
    def table(number: int) -> Figure:
        return read(lambda lab: markdown(lab.text(it), number), it)

    def games_of(name: str) -> Figure:
        def write(lab: Lab) -> str:
            return f"{hsevo.Learned(lab.folder(it) / name).learning['games'].sum():,}"
        return read(write, it)

    return {"cpu": cpu(it), "games": games_of(f"{first}-seed-11"),
            "few": games_of(f"{first}-setting-0"),
            "match": constant("2,016", it), "cell": constant(f"{9 * 360:,}", it),
            "tuning": table(0), "chosen": table(1), "eva": table(2), "matrix": table(3)}


@recipe
def ways_of_learning(command: str) -> Figures:
    return compared(Work("python examples/ways_to_learn.py {out}", called="ways"), "OSFP")


@recipe
def targets_of_learning(command: str) -> Figures:
    return compared(Work("python examples/targets_to_learn.py {out}", called="targets"), "TD")


def rates(table: pd.DataFrame) -> str:
    """Return a table of texts as Markdown."""
    lines = [[*table.columns], ["---"] * len(table.columns), *table.to_numpy().tolist()]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def within(row: pd.Series[float]) -> str:
    """Return the rate of a row with its interval, in %."""
    return "{:.1f} ({:.1f} to {:.1f})".format(*(100 * row[["rate", "low", "high"]]))


@recipe
def table_1(command: str) -> Figures:
    it = Work("hsevo ladder table-1 --out {out}", called="table-1")
    pictured("table-1", it, "matrix.svg")

    def table(lab: Lab, name: str) -> pd.DataFrame:
        return pd.read_csv(lab.folder(it) / f"{name}.csv")

    def matrix(lab: Lab) -> str:
        found = table(lab, "matrix")
        rungs = [*dict.fromkeys(found["row"])]
        wide = found.assign(said=found.apply(within, axis=1)).pivot(
            index="row", columns="column", values="said").reindex(index=rungs, columns=rungs)
        return rates(wide.fillna("50").rename_axis("%").reset_index())

    def steps(lab: Lab) -> str:
        found = table(lab, "steps")
        return rates(pd.DataFrame({
            "rung": found["rung"], "what changes": "`" + found["changes"] + "`",
            "Xiao et al.": (100 * found["published"]).map("{:.1f}".format),
            "here": found.apply(within, axis=1), "decided": found["decided"]}))

    def eva(lab: Lab) -> str:
        pairs = table(lab, "pairs")
        pairs = pairs[pairs["seed_b"].isna()]
        seeds = pairs.assign(said=pairs.apply(within, axis=1), seed=pairs["seed_a"].map(
            "seed {}".format)).pivot(index="rung_a", columns="seed", values="said")
        means = table(lab, "others").set_index("rung")
        return rates(seeds.reindex(means.index).assign(mean=means.apply(within, axis=1))
                     .rename_axis("% against `eva:2018`").reset_index())

    def learned(lab: Lab) -> str:
        run = hsevo.Learned(lab.folder(it) / "players" / "b0-seed-1")
        return f"{run.learning['games'].sum():,}"

    return {"cpu": cpu(it), "games": read(learned, it), "matrix": read(matrix, it),
            "steps": read(steps, it), "eva": read(eva, it),
            "cell": read(lambda lab: f"{_games_of_a_cell(table(lab, 'pairs')):,}", it),
            "match": read(lambda lab: f"{table(lab, 'pairs')['games'].iloc[-1]:,}", it)}


def _games_of_a_cell(pairs: pd.DataFrame) -> int:
    """Return the games of two rungs in a ladder's pairs.csv."""
    first = pairs.iloc[0]
    return int(pairs[(pairs["rung_a"] == first["rung_a"])
                     & (pairs["rung_b"] == first["rung_b"])]["games"].sum())


# Examples and the end-to-end policy


@recipe
def learner_example(command: str) -> Figures:
    it = Work(command)

    def lines(lab: Lab) -> list[str]:
        return [line for line in lab.text(it).splitlines() if " games: " in line]

    def won(number: int) -> Figure:
        def write(lab: Lab) -> str:
            share, _, ends = lines(lab)[number].partition(": ")[2].partition(" won ")
            return f"{share} {ends}"
        return read(write, it)

    return {"games": read(lambda lab: lines(lab)[-1].partition(" ")[0], it),
            "first": won(0), "last": won(-1)}


TAUGHT = "--start eva:2018 --set start_periods=2"


def mirrored(run: Work, opponent: str) -> Figure:
    """Return the rate of an end-to-end player with its deck."""
    return rate(match("rl:{0}", opponent, "--games 1000 --decks mage --seed 77", run))


def measured(run: Work, period: int, opponent: str) -> Figure:
    """Return the rate of a player after a period in its run's own measurements, in %."""
    def write(lab: Lab) -> str:
        table = hsevo.Learned(lab.folder(run)).references
        rows = table[table["opponent"] == opponent].sort_values("period")
        row = rows.iloc[period]
        low, high = (float(ends[0]) for ends in wilson([row["wins"]], [row["games"]]))
        share = 100 * row["wins"] / row["games"]
        return f"{share:.1f} ({100 * low:.1f} to {100 * high:.1f})"
    return read(write, run)


@recipe
def end_to_end(command: str) -> Figures:
    runs = [learn("end-to-end-small", seed) for seed in SEEDS]
    pair = ("random", "eva:2018")
    return {"learned": learned(runs[0]), "counted": counted(runs[0]), "cpu": mean_cpu(runs),
            "match": games(match("rl:{0}", "random", "--games 1000 --decks mage --seed 77",
                                 runs[0])),
            "table": cells(*(mirrored(run, other) for other in pair for run in runs)),
            "curve": cells(*(measured(run, period, other) for period in range(5)
                             for other in pair for run in runs))}


@recipe
def end_to_end_taught(command: str) -> Figures:
    runs = [learn("end-to-end-small", seed, TAUGHT, called="end-to-end-taught") for seed in SEEDS]
    eva = "eva:2018"
    return {"cpu": mean_cpu(runs), "table": cells(
        *(measured(run, period, eva) for period in range(5) for run in runs),
        *(mirrored(run, other) for other in (eva, "random") for run in runs))}


THREE = "mage,warrior,midrange-hunter"
BEST_HUMAN = "human:hfc7d85846,human:h003c5397f,human:h401aedbd0"


def without_look_ahead(run: Work, other: str, decks: str, temperature: int = 0) -> Work:
    """Return a match of an end-to-end policy, which takes the best move or draws it."""
    return match(f"rl:{{0}}?temperature={temperature}", other,
                 f"--games 2000 --decks {decks} --seed 78", run)


@recipe
def end_to_end_three(command: str) -> Figures:
    runs = [learn("end-to-end", seed) for seed in SEEDS]
    alone = [learn("end-to-end", seed, "--start scratch", called="end-to-end-scratch")
             for seed in SEEDS]
    rows = [[without_look_ahead(run, "eva:2018", THREE) for run in runs],
            [without_look_ahead(run, "eva:2018", THREE, 1) for run in runs],
            [without_look_ahead(run, "gsv", THREE) for run in runs],
            [without_look_ahead(run, "eva:2018", THREE) for run in alone],
            [without_look_ahead(run, "eva:2018", THREE, 1) for run in alone]]
    return {"learned": learned(runs[0]), "cpu": mean_cpu(runs), "games": games(rows[0][0]),
            "table": cells(*(rate(work, 1) for row in rows for work in row))}


@recipe
def end_to_end_build(command: str) -> Figures:
    runs = [learn("end-to-end-build", seed) for seed in SEEDS]
    rows = [[without_look_ahead(run, "eva:2018", decks, temperature) for run in runs]
            for decks, temperature in ((THREE, 0), (BEST_HUMAN, 0), (BEST_HUMAN, 1))]
    return {"cpu": mean_cpu(runs), "games": games(rows[0][0]),
            "aim": constant("55 %", *rows[1]),
            "table": cells(*(rate(work, 1) for row in rows for work in row))}


LONG = [learn("end-to-end-build", seed, "--set periods=24 --set start_periods=24",
              called="end-to-end-build-24") for seed in SEEDS]


@recipe
def end_to_end_build_long(command: str) -> Figures:
    rows = [[without_look_ahead(run, "eva:2018", decks) for run in LONG]
            for decks in (THREE, BEST_HUMAN)]
    return {"learned": learned(LONG[0]), "cpu": mean_cpu(LONG), "games": games(rows[0][0]),
            "table": cells(*(rate(work, 1) for row in rows for work in row))}


BEST_OF_FIVE = ("conquest", "last-hero-standing")


@recipe
def end_to_end_series(command: str) -> Figures:
    """Return the series of the first longer run, with decks of its own, against human line-ups."""
    rivals = ("eva:wide-reply:2026", "rl:2026")
    works = {(name, rival): Work(
        f"hsevo series 'rl:{{0}}?temperature=0' {rival} --mine {THREE} --theirs {BEST_HUMAN}"
        f" --format {name} --seed 31 --json", (LONG[0],)) for name in BEST_OF_FIVE
        for rival in rivals}

    def write(lab: Lab) -> str:
        return lined(["against", "format", "series won", "games won"], (
            [f"`{rival}`", name.replace("-", " "), percent(lab.json(work)["rate"], 1),
             percent(lab.json(work)["games"], 1)] for (name, rival), work in works.items()))
    return {"table": read(write, *works.values())}


def lined(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join([f"| {' | '.join(heads)} |", "|---" * len(heads) + "|",
                      *(f"| {' | '.join(row)} |" for row in rows), ""])


@recipe
def end_to_end_building(command: str) -> Figures:
    """Return how deck building developed, and what the decks are worth at the end."""
    it = Work("hsevo decks building {0} --games 6000 --out {out}", (LONG[0],),
              called="end-to-end-building")

    def table(lab: Lab, name: str) -> pd.DataFrame:
        return pd.read_csv(lab.folder(it) / f"{name}.csv")

    def course(lab: Lab) -> str:
        rows = table(lab, "building")
        last = rows["period"].max()
        shown = rows["period"].isin([-1, 0, last // 3, 2 * last // 3, last])
        return lined(["after period", "class", "bits a choice", "mean mana", "in common"], (
            ["none: uniform" if row["period"] < 0 else str(row["period"]), row["class"],
             f"{row['entropy']:.2f}", f"{row['cost']:.2f}", f"{row['in_common']:.1f} of 30"]
            for row in rows[shown].to_dict("records")))

    def best(lab: Lab) -> str:
        rows = table(lab, "decks")
        return lined(["class", "nearest human list", "archetype", "in common"], (
            [row["class"], f"`{row['nearest']}`", row["archetype"], f"{row['in_common']} of 30"]
            for row in rows[rows["period"] == rows["period"].max()].to_dict("records")))

    def won(lab: Lab) -> str:
        rows = table(lab, "worth")
        rows = rows[rows["class"] == "all"]
        kinds = rows["against"].unique().tolist()
        return lined(["pilot", "its decks", *(f"against {kind}" for kind in kinds)], (
            [f"`{pilot}`", built, *(percent(estimate(row, "rate", ""), 1)
                                    for row in own.to_dict("records"))]
            for (pilot, built), own in rows.groupby(["pilot", "built"], sort=False)))

    def most(lab: Lab) -> str:
        return f"{table(lab, 'worth')['games'].max():,}"

    return {"cpu": cpu(it), "games": read(most, it),
            "course": read(course, it), "best": read(best, it), "worth": read(won, it)}


@recipe
def end_to_end_smoke(command: str) -> Figures:
    it = learn("end-to-end-smoke", 1)

    def last(lab: Lab) -> str:
        line = next(line for line in lab.text(it).splitlines() if line.startswith("random "))
        _, _, share, _, low, _, high = line.split()
        return f"{share} % ({low} to {high})"

    return {"cpu": cpu(it), "random": read(last, it)}


ACTOR = ("python -c \"import torch; from examples.actor_critic import learn, win_rate;"
         " torch.set_num_threads(1); found = win_rate(learn(seed={}));"
         " print(*(f'{{100 * end:.1f}}' for end in (found.value, found.low, found.high)))\"")


@recipe
def actor_critic(command: str) -> Figures:
    works = [Work(ACTOR.format(seed).replace("{", "{{").replace("}", "}}")) for seed in SEEDS]

    def won(work: Work) -> Figure:
        return read(lambda lab: "{} % ({} to {})".format(*lab.text(work).split()), work)

    return {"decisions": constant("409,600", *works), "games": constant("2,000", *works),
            "cpu": mean_cpu(works), "rate": won(works[0]), "two": won(works[1]),
            "three": won(works[2])}
