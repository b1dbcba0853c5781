"""The paper's experiment, the published solutions, the tutorial, and a better use of the games."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import hsevo
from hsevo.evolution.run import Run
from hsevo.reports import groups as grouping
from studies.measure.figures import (
    Figure,
    Figures,
    cells,
    constant,
    games,
    match,
    mean,
    percent,
    rate,
    read,
    spread,
)
from studies.measure.recipes import recipe
from studies.measure.recipes.runs import AGAINST_EVA, best, evolve, fast, paper
from studies.measure.works import Lab, Work
from studies.published_tournament import GAMES, PUBLISHED, deck_matrix, reliability
from studies.published_tournament import within_runs as within

ROUNDED = re.compile(r"\d+\.\d %(?: \([^)]*\))?")  # 47.3 %, or 46.5 % (44.0 to 49.1)
TUTORIAL = "{0},mage,warrior,shaman"


def played(run: Work) -> Figure:
    """Return the games of a run, without those of references."""
    def write(lab: Lab) -> str:
        return f"{Run.look(lab.folder(run)).statistics['games'].sum():,}"
    return read(write, run)


def counted(run: Work) -> Figure:
    """Return all games of a run."""
    return read(lambda lab: f"{Run.look(lab.folder(run)).played:,}", run)


def judgement(work: Work) -> Figure:
    """Return what export-best says of the best."""
    def write(lab: Lab) -> str:
        lines = lab.errors(work).splitlines()
        begin = next(i for i, line in enumerate(lines) if line.startswith("best: "))
        return "\n".join(lines[begin:begin + 5]) + "\n"
    return read(write, work)


@recipe
def run(command: str) -> Figures:
    it = paper(2018)
    return {"games": played(it), "output": judgement(best(it)), "sigma": read(
        lambda lab: f"{lab.json(it)['statistics'][-1]['mean_sigma']:.2f}", it)}


@recipe
def run_eva(command: str) -> Figures:
    it = match("eva:{0}", "eva:2018", "--games 20000", best(paper(2018)))
    return {"rate": rate(it), "games": games(it)}


@recipe
def run_miller(command: str) -> Figures:
    it = match("eva:{0}", "dl:miller", "--games 4000", best(paper(2018)))
    return {"rate": rate(it), "games": games(it)}


def against_eva(lab: Lab, work: Work, begin: int) -> pd.Series:
    """Return a run's rates against EVA of 2018 by generation, from one on."""
    table = hsevo.Run(lab.folder(work)).references
    table = table[(table["opponent"] == "eva:2018") & (table["generation"] >= begin)]
    return table.set_index("generation")["rate"]


@recipe
def noise(command: str) -> Figures:
    it = paper(1)
    report = Work("hsevo report {0} --out {out} --json", (it,))

    def luck(lab: Lab) -> str:
        table = pd.read_csv(lab.folder(report) / "tables/noise.csv")
        late = table[(table["generation"] >= table["generation"].max() / 2)
                     & (table["who"] == "parents")]
        return f"{100 * late['noise'].sum() / late['observed'].sum():.0f} %"

    return {"parents": read(luck, report),
            "late": read(lambda lab: spread(100 * against_eva(lab, it, 30), 0, " %"), it)}


# The published solutions

FULL = Work("hsevo arena --runs tests/data/published_2018.csv --ruleset cig2018 --games 180"
            " --out {out} --json")
AS_RUN = Work("hsevo arena --runs tests/data/published_2018.csv --ruleset cig2018-as-run"
              " --games 180 --information leaky --decks warrior,shaman,mage-21 --max-turns 1000"
              " --out {out} --json")


def agents(lab: Lab, work: Work) -> pd.DataFrame:
    """Return the ratings of an arena of published vectors, the best rate first."""
    table = pd.read_csv(lab.folder(work) / "ratings.csv").sort_values("rate", ascending=False)
    return table.assign(agent=table["agent"].str.rpartition("#")[2])


def correlation(work: Work) -> Figure:
    """Return how rates and published fitness correlate within runs."""
    def write(lab: Lab) -> str:
        inner = within(agents(lab, work))
        return f"{inner['rate'].corr(inner['fitness']):.2f}"
    return read(write, work)


def allowed(lab: Lab) -> str:
    """Return what noise allows that correlation to be."""
    inner, table = within(agents(lab, AS_RUN)), agents(lab, AS_RUN)
    each = int(table[["wins", "draws", "losses"]].iloc[0].sum())
    ours, theirs = (reliability(inner["rate"], 0.25 / each),
                    reliability(inner["fitness"], 0.25 * GAMES))
    return f"{np.sqrt(ours * theirs):.2f}"


@recipe
def tournament(command: str) -> Figures:
    def first(write: Any) -> Figure:
        return read(lambda lab: write(agents(lab, FULL).iloc[0]), FULL)
    return {"games": games(FULL), "correlation": correlation(FULL),
            "best": first(lambda row: f"{100 * row['rate']:.2f} %"),
            "interval": first(lambda row: f"{100 * row['rate_low']:.2f} to"
                              f" {100 * row['rate_high']:.2f}")}


def decks(lab: Lab) -> dict[tuple[str, str], tuple[float, float]]:
    """Return rate and published rate, in %, of every deck against every deck, as run."""
    table = deck_matrix(pd.read_csv(lab.folder(AS_RUN) / "deck_pairs.csv"))
    return {(row["deck"], row["opponent"]): (row["rate"], row["published"])
            for row in table.to_dict("records")}


def deck_table(lab: Lab) -> str:
    """Return rates of decks against decks, with the published ones in brackets."""
    found, names = decks(lab), ("warrior", "mage", "shaman")
    lines = [["win rate of ... against", *names], ["---"] * 4]
    lines += [[one, *("{:.1f} ({:.1f})".format(*found[one, other]) for other in names)]
              for one in names]
    return "".join(f"|{'|'.join(line)}|\n" if line[0] == "---" else f"| {' | '.join(line)} |\n"
                   for line in lines)


@cache
def silhouettes() -> dict[int, float]:
    """Return how clearly the published solutions part into so many groups."""
    table = pd.read_csv(PUBLISHED)
    names = [f"run-{one.run}-rank-{one.rank}" for one in table.itertuples()]
    weights = table.drop(columns=["run", "rank", "fitness"]).to_numpy(float)
    found = grouping.cluster(names, weights)
    assert found
    return dict(zip(found.silhouettes["groups"], found.silhouettes["silhouette"], strict=True))


@recipe
def as_run(command: str) -> Figures:
    return {"decks": read(deck_table, AS_RUN), "correlation": correlation(AS_RUN),
            "mage-shaman": read(lambda lab: f"{decks(lab)['mage', 'shaman'][0]:.1f} %", AS_RUN),
            "clear": read(lambda lab: f"{silhouettes()[4]:.3f}", AS_RUN),
            "noise": read(allowed, AS_RUN)}


@recipe
def tutorial(command: str) -> Figures:
    deck = Work("python -m studies.measure.tutorial {out}", called="my-deck.txt")
    it = Work("hsevo evolve --config cig2018-fast --set 'decks=[{0},mage,warrior,shaman]' --set"
              " evolution.generations=40 --out {out} --json", (deck,), "my-deck")
    champion = best(it, 50)

    def won(decks: str) -> Figure:
        work = match("eva:{1}", "eva:2018", f"--decks {decks}", deck, champion)
        return read(lambda lab: f"{percent(lab.json(work)['rate'])} of {lab.json(work)['games']:,}"
                    " games", work)

    return {"games": counted(it), "all-decks": won(TUTORIAL), "own-deck": won("{0}"),
            "output": judgement(champion)}


# A better use of the games


def late(run: Work) -> Figure:
    """Return the mean rate of ten measurements in the second half of a run."""
    return read(lambda lab: f"{100 * _late(lab, run):.1f} %", run)


def _late(lab: Lab, run: Work) -> float:
    return float(against_eva(lab, run, 0).iloc[-10:].mean())


def over_seeds(runs: list[Work]) -> Figure:
    """Return the mean of such rates over seeds, with its interval."""
    return read(lambda lab: percent(mean([_late(lab, run) for run in runs]), 1), *runs)


@recipe
def better(command: str) -> Figures:
    few = [evolve("cig2018", seed, "--set evolution.generations=21 --set references.every=1 "
                  f"{AGAINST_EVA}", f"cig2018-21-seed-{seed}") for seed in (1, 2, 3)]
    many = [fast(seed) for seed in (1, 2, 3)]

    def each(lab: Lab) -> str:
        table = hsevo.Run(lab.folder(few[0])).references
        return f"{table[['wins', 'draws', 'losses']].iloc[0].sum():,}"

    return {"table": cells(*map(late, few), over_seeds(few), *map(late, many), over_seeds(many),
                           slot=ROUNDED),
            "budget": constant("690,000", *few), "each": read(each, few[0])}


@recipe
def races(command: str) -> Figures:
    it = Work(command.replace("RUN", "{0}"), (paper(1),))

    def row(lab: Lab, way: str) -> list[str]:
        line = next(line for line in lab.text(it).splitlines() if line.startswith(way))
        return line[26:].split()

    def sure(lab: Lab) -> str:
        return "{} (±{})".format(*row(lab, "racing, 5 rounds, 95 %"))

    whole = evolve("cig2018-fast", 1, "--set rating.racing.rounds=2", "cig2018-fast-races-seed-1")

    def saved(lab: Lab) -> str:
        took, of = (Run.look(lab.folder(one)).statistics["games"].sum()
                    for one in (whole, fast(1)))
        return f"{100 * (1 - took / of):.0f} %"

    return {"sure": read(sure, it), "even": read(saved, whole, fast(1)),
            "of": read(lambda lab: row(lab, "paper")[0], it)}


@recipe
def bests(command: str) -> Figures:
    ours = [match("eva:{0}", "eva:2018", "--games 20000", best(run))
            for run in (paper(2018), paper(1), *map(fast, (2018, 1, 2, 3)))]
    return {"games": games(ours[0]), "table": cells(*map(rate, ours)), "fast": read(
        lambda lab: percent(mean([lab.json(one)["rate"]["value"] for one in ours[2:]]), 1),
        *ours[2:])}


@recipe
def benchmark_fast(command: str) -> Figures:
    it = evolve("cig2018-fast", 2018, "--set evolution.generations=496", "cig2018-fast-496")
    placed = Work("hsevo benchmark {0} --panel panel-2026 --out {out} --json", (it,))

    def above(lab: Lab) -> str:
        rows = lab.json(placed)["standing"]
        found = next(row["lead"] for row in rows if row["agent"] == "eva:2018")
        return f"{found['value']:.0f} Elo ({found['low']:.0f} to {found['high']:.0f})"

    return {"games": played(it), "above-eva": read(above, placed)}


def place(work: Work) -> Figure:
    """Return the place in a benchmark: "6 of 16 (6 to 7)"."""
    def write(lab: Lab) -> str:
        found = lab.json(work)
        at = found["place"]
        bounds = f" ({at['low']:.0f} to {at['high']:.0f})"
        return f"{at['value']:.0f} of {len(found['standing'])}{bounds}"
    return read(write, work)
