"""Speeds: they need a quiet machine, and are measured only with --speed."""

from __future__ import annotations

import re
from typing import Any

from studies.measure.figures import Figure, Figures, read
from studies.measure.recipes import recipe
from studies.measure.works import Lab, Work

BENCH = {  # key: the name in the result, and how it is written; a key ending in -range: its range
    "greedy": ("greedy_games_per_second_per_core", "{:,.0f}"),
    "all-cards": ("all_cards_games_per_second_per_core", "{:,.0f}"),
    "random": ("random_games_per_second_per_core", "{:,.0f}"),
    "actions": ("simulated_actions_per_second_per_core", "{:,.0f}"),
    "compile": ("cold_compile_cpu_seconds", "{:.1f}"),
    "start": ("warm_start_seconds", "{:.2f}"),
    "memory": ("peak_memory_mb", "{:.1f}"),
}
COUNTS = ("decisions_per_game", "simulated_actions_per_game", "turns_per_game")


def benched(command: str) -> Work:
    """Return hsevo bench, of `make bench ARGS="..."` as well."""
    words = re.sub(r'^make bench ARGS="(.*)"$', r"hsevo bench \1", command)
    return Work(f"{words} --json")


def middle(work: Work, name: str, form: str) -> Figure:
    """Return a median of hsevo bench."""
    return read(lambda lab: form.format(lab.json(work)["figures"][name]["value"]), work)


def ends(work: Work, name: str, form: str) -> Figure:
    """Return the least and the most of hsevo bench."""
    def write(lab: Lab) -> str:
        one = lab.json(work)["figures"][name]
        return f"{form.format(one['min'])} to {form.format(one['max'])}"
    return read(write, work)


@recipe
def speed_bench(command: str) -> Figures:
    it = benched(command)

    def counts(lab: Lab) -> str:
        return ", ".join(f"{lab.json(it)['figures'][name]['value']:.1f}" for name in COUNTS)

    return {key: middle(it, *how) for key, how in BENCH.items()} | {
        f"{key}-range": ends(it, *BENCH[key]) for key in (
            "greedy", "all-cards", "random", "actions", "start")} | {
        "decisions": read(counts, it)}


@recipe
def speed_agents(command: str) -> Figures:
    it = benched(command)

    def row(agent: str, found: Any) -> str:
        games, actions = (found[name] for name in (
            "games_per_second_per_core", "simulated_actions_per_second_per_core"))
        return (f"| `{agent}` | {games['value']:,.0f} ({games['min']:,.0f} to {games['max']:,.0f})"
                f" | {actions['value']:,.0f} |")

    def table(lab: Lab) -> str:
        rows = [row(*one) for one in lab.json(it)["agents"].items()]
        return "\n".join(["| agent | games/s | simulated actions/s |", "|---|---|---|", *rows, ""])

    return {"table": read(table, it)}


@recipe
def speed_generation(command: str) -> Figures:
    it = benched(command)

    def faster(workers: int, key: str = "speedup") -> Figure:
        def write(lab: Lab) -> str:
            rows = lab.json(it)["generation"]["calculated"]
            return f"{next(row[key] for row in rows if row['workers'] == workers):.1f}"
        return read(write, it)

    def job(lab: Lab) -> str:
        return f"{lab.json(it)['generation']['dask_job_ms']:.1f} ms"

    return {"eight": faster(8), "many": faster(64), "most": faster(256),
            "dask-eight": faster(8, "dask_speedup"), "dask-many": faster(64, "dask_speedup"),
            "dask-most": faster(256, "dask_speedup"), "dask-job": read(job, it)}


@recipe
def speed_kernel(command: str) -> Figures:
    it = benched(command)

    def table(lab: Lab) -> str:
        rows = [f"| {name} | {one['actions']:,} | {one['ns']:.0f} |"
                for name, one in lab.json(it)["kernel"].items()]
        return "\n".join(["| part | actions | ns per action |", "|---|---|---|", *rows, ""])

    return {"table": read(table, it)}


@recipe
def speed_environment(command: str) -> Figures:
    it = benched(command)
    names = {"engine": "engine", "vector": "vector", "against": "against_eva", "aec": "aec"}

    def one(lab: Lab, name: str) -> Any:
        return lab.json(it)["environment"][f"{name}_steps_per_second"]

    def value(name: str) -> Figure:
        return read(lambda lab: f"{one(lab, name)['value']:,.0f}", it)

    def both(name: str) -> Figure:
        return read(lambda lab: f"{one(lab, name)['min']:,.0f} to {one(lab, name)['max']:,.0f}", it)

    return {key: value(name) for key, name in names.items()} | {
        f"{key}-range": both(name) for key, name in names.items()}


@recipe
def speed_play(command: str) -> Figures:
    it = Work(command)

    def said(words: str) -> Figure:
        def write(lab: Lab) -> str:
            found = re.search(words, lab.text(it))
            assert found, lab.text(it)
            return found[1]
        return read(write, it)

    return {"moves": said(r": ([\d,]+) moves"), "median": said(r"([\d,.]+) ms \(median"),
            "slowest": said(r"([\d,.]+) ms \(99th")}
