"""Decks that evolve: strategies at equal games, and what is found for some classes."""

from __future__ import annotations

from typing import Any

import hsevo
from hsevo.reports.deck_searches import summary
from tests.measure.figures import Figure, Figures, cells, duration, percent, read
from tests.measure.recipes import recipe
from tests.measure.works import Lab, Work

SEEDS = (1, 2, 3)
FROM_CHANCE = "--set search.start=[] --set confirm.games=60 --set confirm.best=5"
# About as many games each: a map plays some again, as many as are challenged.
STRATEGIES = {
    "random": "--set search.strategy=random --set search.surrogate=1 --set search.generations=11",
    "mu-lambda": "--set search.surrogate=1 --set search.generations=11",
    "map-elites": "--set search.strategy=map-elites --set search.surrogate=1"
                  " --set search.cells=[12,12] --set search.generations=9",
    "surrogate": "--set search.generations=11",
}
CLASSES = {"mage": "yogg-tempo-mage", "rogue": "oil-rogue", "warrior": "control-warrior"}


def search(options: str, seed: int, called: str) -> Work:
    """Return a search by human-field."""
    return Work(f"hsevo decks evolve --config human-field --seed {seed} {options} --out {{out}}",
                called=f"decks-{called}-seed-{seed}")


def opened(lab: Lab, work: Work) -> hsevo.DeckEvolution:
    """Return the run of a search that was done."""
    return hsevo.DeckEvolution(lab.folder(work))


def confirmed(work: Work) -> Figure:
    """Return the rate of the best deck in games that chose nothing."""
    def write(lab: Lab) -> str:
        return percent(_rate_of(opened(lab, work)), 1)
    return read(write, work)


def _rate_of(run: hsevo.DeckEvolution) -> dict[str, float]:
    """Return the rate of a search's best deck in games that chose nothing."""
    return {"value": run.rate.value, "low": run.rate.low, "high": run.rate.high}


def optimism(lab: Lab, works: list[Work]) -> list[float]:
    """Return how much too high rates were in searches, in points."""
    found = []
    for work in works:
        table = opened(lab, work).archive
        again = table[table["confirmed_games"] > 0]
        found.append(100 * float((again["rate"] - again["confirmed_rate"]).mean()))
    return found


@recipe
def deck_strategies(command: str) -> Figures:
    works = {name: [search(f"{FROM_CHANCE} {options}", seed, name) for seed in SEEDS]
             for name, options in STRATEGIES.items()}
    every = [work for some in works.values() for work in some]

    def games(lab: Lab) -> list[int]:
        return [int(opened(lab, work).generations["games"].sum()) for work in every]

    def luck(lab: Lab) -> str:
        found = optimism(lab, every)
        return f"{min(found):.1f} to {max(found):.1f}"

    return {"games": read(lambda lab: f"{min(games(lab)):,} to {max(games(lab)):,}", *every),
            "optimism": read(luck, *every), "table": cells(*map(confirmed, every))}


@recipe
def elite_map(command: str) -> Figures:
    works = {seed: Work(f"{command} --seed {seed} --out {{out}}", called=f"elite-map-seed-{seed}")
             for seed in SEEDS}
    every = [*works.values()]

    def row(lab: Lab, seed: int) -> str:
        run = opened(lab, works[seed])
        last, archive = run.generations.iloc[-1], run.archive
        fair = f"{archive['confirmed_rate'].sum():.1f} of {archive['rate'].sum():.1f}"
        return (f"| {seed} | {100 * last['coverage']:.1f} % of 1,600 cells | {fair} |"
                f" {percent(_rate_of(run), 1)} of {100 * archive['rate'].max():.1f} |")

    def table(lab: Lab) -> str:
        return "\n".join(["| seed | coverage | QD-score: confirmed, of that in the search |"
                          " best deck's rate: confirmed, of the highest in the search |",
                          "|---|---|---|---|", *(row(lab, seed) for seed in SEEDS)])

    def games(lab: Lab) -> str:
        found = [int(opened(lab, work).generations["games"].sum()) for work in every]
        return f"{min(found):,} to {max(found):,}"

    return {"table": read(table, *every), "games": read(games, *every),
            "cpu": read(lambda lab: duration(sum(map(lab.cpu, every)) / len(every)), *every)}


@recipe
def deck_classes(command: str) -> Figures:
    works = {name: search(f"--set pool.class={name} --set search.generations=20"
                          f" --set confirm.beside=[{beside}] --set 'confirm.pilots=[eva:2018]'", 1,
                          name) for name, beside in CLASSES.items()}

    def row(work: Work, number: int) -> Figure:
        def write(lab: Lab) -> str:
            found: Any = summary(opened(lab, work).folder).iloc[number]
            return percent({"value": found["rate"], "low": found["low"], "high": found["high"]}, 1)
        return read(write, work)

    every = [*works.values()]
    return {"games": read(lambda lab: f"{opened(lab, every[0]).generations['games'].sum():,}",
                          every[0]),
            "last": read(lambda lab: f"{summary(opened(lab, every[0]).folder)['games'].iloc[0]:,}",
                         every[0]),
            "cpu": read(lambda lab: duration(sum(map(lab.cpu, every)) / len(every)), *every),
            "optimism": read(lambda lab: ", ".join(
                f"{one:.1f}" for one in optimism(lab, every)), *every),
            "table": cells(*(row(work, k) for work in every for k in (0, 2, 1, 3)))}
