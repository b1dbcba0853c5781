"""Which measurements there are, what each costs, and which to make in the time there is.

A work belongs to the first measurement in docs/figures.yml that takes it, and its cost to that
one's `cpu:`, so that costs add up. "~90" is a cost that was calculated, not measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from studies.measure.figures import Figures
from studies.measure.recipes import find
from studies.measure.works import Lab, Work, closure

CLASSES = {"seconds": 60.0, "minutes": 3600.0, "hours": float("inf")}
RELEASE = 7200.0  # CPU seconds that all of a release may cost, with what they need
SPEED = "speed-"
PANEL = "panel-"
TORCH = ("end-to-end", "end-to-end-smoke")


@dataclass(frozen=True)
class Measurement:
    """An entry of docs/figures.yml with its recipe, or with the reason that it has none."""

    entry: dict[str, Any]
    recipe: Figures | None
    why_not: str = ""

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.entry["name"])

    @property
    def works(self) -> list[Work]:
        """All commands that it takes, needs first."""
        figures = (self.recipe or {}).values()
        return [*closure(work for figure in figures for work in figure.works)]

    @property
    def cpu(self) -> float:
        """What its own works cost, in CPU seconds."""
        return float(str(self.entry.get("cpu", 0)).lstrip("~"))

    @property
    def of_release(self) -> bool:
        """Whether it is measured again for each release."""
        return "release" in self.entry

    @property
    def is_speed(self) -> bool:
        """Whether it needs a machine that does nothing else."""
        return self.name.startswith(SPEED)


def load(entries: Iterable[dict[str, Any]]) -> list[Measurement]:
    """Return all measurements, without what others published."""
    return [_measurement(one) for one in entries if "command" in one]


def _measurement(entry: dict[str, Any]) -> Measurement:
    if "by_hand" in entry:
        return Measurement(entry, None, entry["by_hand"])
    recipe = find(entry)
    if recipe is None:
        return Measurement(entry, None, "it has no recipe")
    if entry["name"] in TORCH and not find_spec("torch"):
        return Measurement(entry, recipe, "it needs PyTorch, which is not installed")
    return Measurement(entry, recipe)


class Costs:
    """What works cost, by the measurement that each belongs to; `left` in a lab."""

    def __init__(self, measurements: Iterable[Measurement]) -> None:
        self._costs: dict[Work, float] = {}
        self.owners: dict[str, list[Work]] = {}
        for one in measurements:
            own = [work for work in one.works if work not in self._costs]
            total = sum(work.weight for work in own)
            self.owners[one.name] = own
            self._costs |= {work: one.cpu * work.weight / total for work in own}

    def of(self, works: Iterable[Work]) -> float:
        """Return what works cost, in CPU seconds."""
        return sum(self._costs[work] for work in works)

    def left(self, works: Iterable[Work], lab: Lab) -> float:
        """Return what those cost that are not done."""
        return self.of(work for work in works if not lab.record(work))


def kind(cost: float) -> str:
    """Return the class of a cost in CPU seconds: "seconds", "minutes", "hours"."""
    return next(name for name, most in CLASSES.items() if cost < most)


def cheapest(measurements: Sequence[Measurement], costs: Costs, lab: Lab,
             most: float) -> list[Measurement]:
    """Return the measurements to make in so many CPU seconds, always the cheapest next.

    What a measurement needs counts once, with the first that needs it.
    """
    chosen: list[Measurement] = []
    paid: set[Work] = set()
    left = [*measurements]
    while left:
        prices = {one.name: costs.left(set(one.works) - paid, lab) for one in left}
        one = min(left, key=lambda one: prices[one.name])
        most -= prices[one.name]
        if most < 0:
            break
        chosen.append(one)
        paid |= set(one.works)
        left.remove(one)
    return chosen
