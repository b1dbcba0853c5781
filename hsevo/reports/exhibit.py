"""The parts of a report: sections of exhibits, each with a caption and its table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from hsevo.pictures import Picture

PAPER = "García-Sánchez et al."  # whose figures are redrawn; see the package's docstring


@dataclass(frozen=True)
class Exhibit:
    """A figure or table of a report."""

    name: str  # of its files
    title: str
    caption: str
    table: pd.DataFrame
    picture: Picture | None = None
    on_page: pd.DataFrame | None = None  # the table as it stands on the page, if it does
    terms: dict[str, str] = field(default_factory=dict)  # short names in it, and what they mean


@dataclass(frozen=True)
class Section:
    """A section of a report.

    note: what the reader must know first. needs: what it lacks to say something, in one line; such
    a section is folded.
    """

    title: str
    exhibits: list[Exhibit]
    note: str = ""
    needs: str = ""


def meanings(names: Mapping[str, str]) -> dict[str, str]:
    """Return the specs of agents by their short names, as terms; names: of play.short_names."""
    return {name: spec for spec, name in names.items() if name != spec}


def interval(values: tuple[float, float, float], sign: bool = False, digits: int = 1) -> str:
    """Return a number with the ends of its interval, "50.1 (48.9 to 51.2)"; "" for NaN.

    sign: whether a plus stands before what is above 0.
    """
    if any(value != value for value in values):
        return "" if values[0] != values[0] else _number(values[0], sign, digits)
    value, low, high = (_number(one, sign, digits) for one in values)
    return f"{value} ({low} to {high})"


def percent(row: Any, name: str = "rate", unit: str = "") -> str:
    """Return a rate of a row in per cent with its interval, "57.1 (55.0 to 59.2)"; "" for NaN.

    Its ends are in NAME_low and NAME_high, else in low and high. unit: follows the rate, as " %".
    """
    ends = (f"{name}_{end}" if f"{name}_{end}" in row else end for end in ("low", "high"))
    low, high = (100 * row[end] for end in ends)
    value, space, rest = interval((100 * row[name], low, high)).partition(" ")
    return value and f"{value}{unit}{space}{rest}"


def _number(value: float, sign: bool, digits: int) -> str:
    return f"{value:{'+' if sign else ''},.{digits}f}"
