"""Maps of pilots: CMA-ME and MAP-Elites at equal games."""

from __future__ import annotations

import pandas as pd

import hsevo
from studies.measure.figures import Figures, mean_cpu, percent, read
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work

SEEDS = (1, 2, 3)
STRATEGIES = {"CMA-ME": "cma-me", "MAP-Elites": "map-elites"}


@recipe
def pilot_maps(command: str) -> Figures:
    works = {(name, seed): Work(
        f"{command} --set evolution.strategy={strategy} --seed {seed} --out {{out}}",
        called=f"pilot-map-{strategy}-seed-{seed}")
        for name, strategy in STRATEGIES.items() for seed in SEEDS}
    every = [*works.values()]

    def elites(lab: Lab, work: Work) -> pd.DataFrame:
        return hsevo.Run(lab.folder(work)).archive

    def row(lab: Lab, name: str, seed: int) -> str:
        table = elites(lab, works[name, seed])
        score, before = (table[f"{one}rate"].sum() for one in ("confirmed_", ""))
        best = {end: table[f"last_rate{tail}"].iloc[0] for end, tail in (
            ("value", ""), ("low", "_low"), ("high", "_high"))}
        return (f"| {name} | {seed} | {len(table) / 4:.1f} % of 400 cells | {before:.1f} |"
                f" {score:.1f} | {100 * table['rate'].max():.1f} % | {percent(best, 1)} |")

    def table(lab: Lab) -> str:
        return "\n".join(["| strategy | seed | coverage | QD-score in the search | QD-score in new"
                          " games | highest win rate in the search | win rate of the best agent in"
                          " new games |",
                          "|---|---|---|---|---|---|---|",
                          *(row(lab, name, seed) for name, seed in works)])

    def optimism(lab: Lab) -> str:
        gaps = [100 * (one["rate"] - one["confirmed_rate"]).mean()
                for one in (elites(lab, work) for work in every)]
        return f"{min(gaps):.1f} to {max(gaps):.1f}"

    def games(lab: Lab) -> str:
        run = hsevo.Run(lab.folder(every[0]))
        return f"{run.statistics['games'].sum():,}"

    return {"table": read(table, *every), "games": read(games, *every),
            "optimism": read(optimism, *every),
            "cpu": mean_cpu(every)}
