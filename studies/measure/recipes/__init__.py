"""How each measurement is made: a function a measurement, by the sections of docs/figures.yml.

A recipe takes the command that stands in figures.yml, and returns its figures by key. A match needs
none: its command says all. `AFTER` are commands that put what was measured into the repository.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from studies.measure import figures
from studies.measure.figures import Figures
from studies.measure.works import Work

Recipe = Callable[[str], Figures]

RECIPES: dict[str, Recipe] = {}
AFTER: dict[str, tuple[Work, ...]] = {}
ROOMS = ("any_deck", "experiment", "ten_runs", "thesis", "agents", "closed", "deck_evolution",
         "pilot_maps", "coevolution", "decks", "metagame", "weights", "fidelity", "learning",
         "end_to_end", "exploit", "small_games", "analysis", "speeds", "leaderboard")
# Keys that any match has.
MATCH = {"rate": figures.rate, "games": figures.games, "half": figures.half}


def recipe(make: Recipe) -> Recipe:
    """Keep a recipe under the name of its measurement: run_eva is that of run-eva."""
    RECIPES[make.__name__.replace("_", "-")] = make
    return make


def pictured(name: str, work: Work, file: str) -> None:
    """Let a picture that a work writes, `file` in its folder, replace NAME.svg in the docs."""
    AFTER[name] = (Work(f"cp {{0}}/{file} docs/pages/images/{name}.svg", (work,)),)


def find(measurement: Mapping[str, Any]) -> Figures | None:
    """Return the figures of a measurement and how they are read; None if it has no recipe."""
    for room in ROOMS:
        importlib.import_module(f"studies.measure.recipes.{room}")
    name, command = measurement["name"], measurement.get("command", "")
    if name in RECIPES:
        return RECIPES[name](command)
    if re.match("hsevo match ", command) and set(measurement["figures"]) <= set(MATCH):
        work = Work(f"{command} --json")
        return {key: MATCH[key](work) for key in measurement["figures"]}
    return None
