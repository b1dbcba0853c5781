"""The end-to-end policy: how strong it is, what it builds, Table I of Xiao and others in small."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

import hsevo
from studies.measure.figures import (
    Figure,
    Figures,
    cells,
    cpu,
    estimate,
    games,
    match,
    mean_cpu,
    percent,
    rate,
    read,
)
from studies.measure.recipes import pictured, recipe
from studies.measure.recipes.learning import SEEDS, learned
from studies.measure.recipes.runs import learn
from studies.measure.works import Lab, Work


def lined(heads: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join([f"| {' | '.join(heads)} |", "|---" * len(heads) + "|",
                      *(f"| {' | '.join(row)} |" for row in rows), ""])


def of_table(table: pd.DataFrame) -> str:
    """Return a table of texts as Markdown."""
    return lined([*table.columns], (map(str, row) for row in table.to_numpy().tolist()))


def within(row: pd.Series[float]) -> str:
    """Return the rate of a row with its interval, in %."""
    return "{:.1f} ({:.1f} to {:.1f})".format(*(100 * row[["rate", "low", "high"]]))


def of_ladder(lab: Lab, it: Work, name: str) -> pd.DataFrame:
    """Return a table of a ladder's folder."""
    return pd.read_csv(lab.folder(it) / f"{name}.csv")


def matrix(it: Work) -> Figure:
    """Return each rung of a ladder against each."""
    def write(lab: Lab) -> str:
        found = of_ladder(lab, it, "matrix")
        rungs = [*dict.fromkeys(found["row"])]
        wide = found.assign(said=found.apply(within, axis=1)).pivot(
            index="row", columns="column", values="said").reindex(index=rungs, columns=rungs)
        return of_table(wide.fillna("50").rename_axis("%").reset_index())
    return read(write, it)


def against_eva(it: Work) -> Figure:
    """Return each player of a ladder against eva:2018, and the mean of each rung."""
    def write(lab: Lab) -> str:
        pairs = of_ladder(lab, it, "pairs")
        pairs = pairs[pairs["seed_b"].isna()]
        seeds = pairs.assign(said=pairs.apply(within, axis=1), seed=pairs["seed_a"].map(
            "seed {}".format)).pivot(index="rung_a", columns="seed", values="said")
        means = of_ladder(lab, it, "others").set_index("rung")
        return of_table(seeds.reindex(means.index).assign(mean=means.apply(within, axis=1))
                     .rename_axis("% against `eva:2018`").reset_index())
    return read(write, it)


def cell(it: Work) -> Figure:
    """Return the games of two rungs of a ladder."""
    return read(lambda lab: f"{_games_of_a_cell(of_ladder(lab, it, 'pairs')):,}", it)


def met(it: Work) -> Figure:
    """Return the games of a player of a ladder against an agent."""
    return read(lambda lab: f"{of_ladder(lab, it, 'pairs')['games'].iloc[-1]:,}", it)


def learned_of(it: Work, player: str) -> Figure:
    """Return from how many games a player of a ladder learned."""
    def write(lab: Lab) -> str:
        run = hsevo.Learned(lab.folder(it) / "players" / player)
        return f"{run.learning['games'].sum():,}"
    return read(write, it)


@recipe
def table_1(command: str) -> Figures:
    it = Work(f"{command} --out {{out}}", called="table-1")
    pictured("table-1", it, "matrix.svg")

    def steps(lab: Lab) -> str:
        found, seeds = of_ladder(lab, it, "steps"), _seeds(lab, it)
        theirs = found["published"]
        size = np.select([found["high"] < theirs, found["low"] > theirs], ["smaller", "larger"],
                         "open")
        # An interval of n seeds is as wide as 1 / sqrt(n).
        wide = (found["high"] - found["low"]) / 2 / (theirs - 0.5).abs()
        return of_table(pd.DataFrame({
            "step": found["rung"], "change": "`" + found["changes"] + "`",
            "Xiao et al.": (100 * theirs).map("{:.1f}".format),
            "hsevo": found.apply(within, axis=1), "compared with 50 %": found["decided"],
            "compared with Xiao et al.": size, "seeds": np.ceil(seeds * wide**2).astype(int)}))

    def eva(lab: Lab) -> str:
        """Return the mean of each rung, and its players."""
        pairs = of_ladder(lab, it, "pairs")
        own = pairs[pairs["seed_b"].isna()].groupby("rung_a", sort=False)["rate"]
        means = of_ladder(lab, it, "others").set_index("rung")
        return of_table(pd.DataFrame({
            "win rate against `eva:2018`, %": means.apply(within, axis=1),
            "each player": own.apply(lambda rates: ", ".join(f"{100 * one:.1f}" for one in rates)),
        }).reindex(means.index).rename_axis("step").reset_index())

    return {"cpu": cpu(it), "games": learned_of(it, "b0-seed-1"), "matrix": matrix(it),
            "steps": read(steps, it), "eva": read(eva, it), "cell": cell(it), "match": met(it),
            "seeds": read(lambda lab: str(_seeds(lab, it)), it)}


def _seeds(lab: Lab, it: Work) -> int:
    """Return how many players of each rung a ladder has."""
    return of_ladder(lab, it, "pairs")["seed_a"].nunique()


@recipe
def gradients(command: str) -> Figures:
    it = Work(f"{command} --out {{out}}", called="gradients")
    return {"games": learned_of(it, "xiao-seed-11"), "matrix": matrix(it),
            "eva": against_eva(it), "cell": cell(it), "match": met(it)}


@recipe
def random_cb(command: str) -> Figures:
    it = Work("hsevo ladder random-cb --out {out}", called="random-cb")

    def steps(lab: Lab) -> str:
        found = of_ladder(lab, it, "steps")
        return of_table(pd.DataFrame({
            "step": found["rung"], "change": "`" + found["changes"] + "`",
            "against the step before, %": found.apply(within, axis=1),
            "conclusion": found["decided"]}))

    return {"steps": read(steps, it)}


def _games_of_a_cell(pairs: pd.DataFrame) -> int:
    """Return the games of two rungs in a ladder's pairs.csv."""
    first = pairs.iloc[0]
    return int(pairs[(pairs["rung_a"] == first["rung_a"])
                     & (pairs["rung_b"] == first["rung_b"])]["games"].sum())


def mirrored(run: Work, opponent: str) -> Figure:
    """Return the rate of an end-to-end player with its deck."""
    return rate(match("rl:{0}", opponent, "--games 1000 --decks mage --seed 77", run))


@recipe
def end_to_end(command: str) -> Figures:
    runs = [learn("end-to-end-small", seed) for seed in SEEDS]
    pair = ("random", "eva:2018")
    return {"learned": learned(runs[0]), "cpu": mean_cpu(runs),
            "match": games(match("rl:{0}", "random", "--games 1000 --decks mage --seed 77",
                                 runs[0])),
            "table": cells(*(mirrored(run, other) for other in pair for run in runs))}


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
            "table": cells(*(rate(work, 1) for row in rows for work in row))}


LONG = [learn("end-to-end-build", seed, "--set periods=24 --set start_periods=24",
              called="end-to-end-build-24") for seed in SEEDS]


@recipe
def end_to_end_build_long(command: str) -> Figures:
    rows = [[without_look_ahead(run, "eva:2018", decks) for run in LONG]
            for decks in (THREE, BEST_HUMAN)]
    return {"learned": learned(LONG[0]), "cpu": mean_cpu(LONG),
            "table": cells(*(rate(work, 1) for row in rows for work in row))}


NO_EXAMPLES = [learn("end-to-end-build", seed, "--set periods=24 --set start_periods=24"
                     " --set network.kickstart_decks=0", called="end-to-end-build-no-examples")
               for seed in SEEDS]


@recipe
def end_to_end_build_no_examples(command: str) -> Figures:
    """Return what decks are worth if no human list was shown."""
    rows = [[without_look_ahead(run, "eva:2018", decks) for run in NO_EXAMPLES]
            for decks in (THREE, BEST_HUMAN)]
    built = building(NO_EXAMPLES[0], "end-to-end-building-no-examples")
    return {"games": games(rows[0][0]), "worth": built["worth"],
            "table": cells(*(rate(work, 1) for row in rows for work in row))}


@recipe
def hero_picks(command: str) -> Figures:
    """Return how likely each hero is picked as a policy with PH learns: Figure 1 in small."""
    run = Work(f"{command} --out {{out}}", called="hero-picks")

    def write(lab: Lab) -> str:
        own = pd.read_csv(lab.folder(run) / "learning.csv")
        games = own["games"].cumsum()
        names = [name for name in own if name.startswith("picks_")]
        rows = own.index[(own.index + 1) % 4 == 0]
        return lined(["games", *(name.removeprefix("picks_") for name in names)], (
            [f"{games[k]:,}", *(f"{100 * own.loc[k, name]:.1f} %" for name in names)]
            for k in rows))
    return {"table": read(write, run)}


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


@recipe
def end_to_end_building(command: str) -> Figures:
    return building(LONG[0], "end-to-end-building")


def building(run: Work, called: str) -> Figures:
    """Return what a run built at its end, and what these decks are worth."""
    it = Work("hsevo decks building {0} --games 6000 --out {out}", (run,), called=called)

    def table(lab: Lab, name: str) -> pd.DataFrame:
        return pd.read_csv(lab.folder(it) / f"{name}.csv")

    def best(lab: Lab) -> str:
        rows = table(lab, "decks")
        return lined(["class", "nearest human list", "archetype", "in common"], (
            [row["class"], f"`{row['nearest']}`", row["archetype"], f"{row['in_common']} of 30"]
            for row in rows[rows["period"] == rows["period"].max()].to_dict("records")))

    def won(lab: Lab) -> str:
        rows = table(lab, "worth")
        rows = rows[rows["class"] == "all"]
        kinds = rows["against"].unique().tolist()
        return lined(["player", "decks built", *(f"against {kind}" for kind in kinds)], (
            [f"`{pilot}`", built, *(percent(estimate(row, "rate", ""), 1)
                                    for row in own.to_dict("records"))]
            for (pilot, built), own in rows.groupby(["pilot", "built"], sort=False)))

    def most(lab: Lab) -> str:
        return f"{table(lab, 'worth')['games'].max():,}"

    return {"games": read(most, it), "best": read(best, it), "worth": read(won, it)}


@recipe
def end_to_end_smoke(command: str) -> Figures:
    it = learn("end-to-end-smoke", 1)

    def last(lab: Lab) -> str:
        line = next(line for line in lab.text(it).splitlines() if line.startswith("random "))
        _, _, share, _, low, _, high = line.split()
        return f"{share} % ({low} to {high})"

    return {"cpu": cpu(it), "random": read(last, it)}
