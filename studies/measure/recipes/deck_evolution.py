"""Decks that evolve: strategies at equal games, and what is found for some classes."""

from __future__ import annotations

import re
from typing import Any

import hsevo
from hsevo.deckbuilding.run import summary
from studies.measure.figures import Figures, mean, mean_cpu, percent, read, signed, spread
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work

SEEDS = (1, 2, 3)
MORE_SEEDS = (1, 2, 3, 4, 5)
FROM_CHANCE = "--set search.start=[] --set confirm.games=120 --set confirm.best=5"
# About as many games each: a map plays some again, as many as are challenged.
STRATEGIES = {
    "random": "--set search.strategy=random --set search.surrogate=1 --set search.generations=22",
    "hill climbing": "--set search.mu=1 --set search.surrogate=1 --set search.generations=27",
    "(mu+lambda)": "--set search.surrogate=1 --set search.generations=22",
    "MAP-Elites": "--set search.strategy=map-elites --set search.surrogate=1"
                  " --set search.cells=[12,12] --set search.generations=18",
    "(mu+lambda) with a surrogate": "--set search.generations=22",
}
# Of each class: the human deck that is in the field, and the held-out list that was seen most.
CLASSES = {
    "druid": ("midrange-druid", "human:hffa715800"),
    "hunter": ("midrange-hunter", "human:h7e36f90df"),
    "mage": ("yogg-tempo-mage", "human:h475e39bd5"),
    "paladin": ("aggro-paladin", "human:he1ec41438"),
    "priest": ("reno-dragon-priest", "human:hc46821198"),
    "rogue": ("oil-rogue", "human:hc3b208615"),
    "shaman": ("midrange-shaman", "human:hbc3a2fbe2"),
    "warlock": ("zoo-warlock", "human:h20365b7f5"),
    "warrior": ("control-warrior", "human:h3bddc7096"),
}
PILOTS = ("greedy:metastone", "eva:2018", "rl:2026")  # the first one's games choose


def search(options: str, seed: int, called: str) -> Work:
    """Return a search by human-field."""
    return Work(f"hsevo decks evolve --config human-field --seed {seed} {options} --out {{out}}",
                called=f"decks-{called}-seed-{seed}")


def opened(lab: Lab, work: Work) -> hsevo.DeckEvolution:
    """Return the run of a search that was done."""
    return hsevo.DeckEvolution(lab.folder(work))


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
    works = {name: [search(f"{FROM_CHANCE} {options}", seed, re.sub(r"\W+", "-", name))
                    for seed in MORE_SEEDS] for name, options in STRATEGIES.items()}
    every = [work for some in works.values() for work in some]

    def games(lab: Lab) -> str:
        found = [int(opened(lab, work).generations["games"].sum()) for work in every]
        return f"{min(found):,} to {max(found):,}"

    def row(lab: Lab, name: str) -> str:
        rates = [opened(lab, work).rate for work in works[name]]
        found = " | ".join(f"{100 * rate.value:.1f}" for rate in rates)
        gain = [100 * (rate.value - opened(lab, work).rate.value)
                for rate, work in zip(rates, works["random"], strict=True)]
        more = signed(mean(gain), 1) if name != "random" else ""
        return f"| {name} | {found} | {percent(_mean_of(rates), 1)} | {more} |"

    def table(lab: Lab) -> str:
        heads = [f"seed {seed}" for seed in MORE_SEEDS]
        return "\n".join([f"| strategy | {' | '.join(heads)} | mean | difference from random |",
                          "|---" * (len(heads) + 3) + "|", *(row(lab, name) for name in works)])

    return {"games": read(games, *every), "table": read(table, *every)}


def _mean_of(rates: list[Any]) -> dict[str, float]:
    """Return the mean of the rates of some seeds, with the interval that their spread gives."""
    return mean([rate.value for rate in rates])


def maps(command: str, called: str) -> Figures:
    """Return what maps of three seeds cost: `command` draws one."""
    return {"cpu": mean_cpu([Work(f"{command} --seed {seed} --out {{out}}",
                                  called=f"{called}-seed-{seed}") for seed in SEEDS])}


@recipe
def elite_map(command: str) -> Figures:
    return maps(command, "elite-map")


@recipe
def elite_map_search(command: str) -> Figures:
    return maps(command, "elite-map-search")


@recipe
def deck_classes(command: str) -> Figures:
    pilots = ", ".join(PILOTS[1:])
    works = {name: search(f"--set pool.class={name} --set search.generations=20"
                          f" --set 'confirm.beside=[{', '.join(beside)}]'"
                          f" --set 'confirm.pilots=[{pilots}]'", 1, name)
             for name, beside in CLASSES.items()}
    every = [*works.values()]

    def rows(lab: Lab, cls: str) -> list[str]:
        found: Any = summary(opened(lab, works[cls]))
        return [f"| {cls if not k else ''} | {deck} | " + " | ".join(
            percent({"value": row["rate"], "low": row["low"], "high": row["high"]}, 1)
            for row in found.iloc[k * len(PILOTS):(k + 1) * len(PILOTS)].to_dict("records")) + " |"
            for k, deck in enumerate(("evolved", "human, in `human-field`", "human, held out"))]

    def table(lab: Lab) -> str:
        lines = [f"| class | deck | {' | '.join(f'`{pilot}`' for pilot in PILOTS)} |",
                 "|---" * (2 + len(PILOTS)) + "|"]
        return "\n".join([*lines, *(line for cls in works for line in rows(lab, cls))])

    def ahead(lab: Lab, pilot: int) -> str:
        """Return in how many classes the found deck's interval is above both human decks'."""
        tables: list[Any] = [summary(opened(lab, work)) for work in every]
        return str(sum(one["low"].iloc[pilot] > one["high"].iloc[[
            pilot + len(PILOTS), pilot + 2 * len(PILOTS)]].max() for one in tables))

    return {"last": read(lambda lab: f"{summary(opened(lab, every[0]))['games'].iloc[0]:,}",
                         every[0]),
            "cpu": mean_cpu(every),
            "optimism": read(lambda lab: spread(optimism(lab, every), 1), *every),
            **{f"ahead-{pilot.partition(':')[0]}": read(lambda lab, i=i: ahead(lab, i), *every)
               for i, pilot in enumerate(PILOTS)},
            "table": read(table, *every)}
